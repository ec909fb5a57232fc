"""The kernel of conventions, compiled and interpreted, compared with the definitions."""

from __future__ import annotations

from collections import Counter
from itertools import compress

from hypothesis import given
from hypothesis import strategies as st

from jpevalb.base.counts import rounded
from jpevalb.kernels import brackets, rules
from jpevalb.metrics.brackets import F1_UNIT
from tests.support.kernels import load_kernel

KERNELS = [load_kernel("rules", "interpreted"), *([rules] if brackets.COMPILED else [])]
SIZE = 9
spans = st.tuples(st.integers(0, SIZE - 1), st.integers(1, SIZE)).filter(lambda span: span[0] < span[1])
# A label, a range of words, whether the node is no bracket whatever its label, and a yield with gaps
nodes = st.tuples(
    st.sampled_from(["NP", "VP", "PRT", "ADVP"]),
    spans,
    st.booleans(),
    st.none() | st.tuples(st.integers(-3, -1), st.integers(1, 4)),
)
sides = st.lists(nodes, max_size=14)
words = st.lists(st.tuples(st.sampled_from(["N", "V", ",", "N-x"]), st.booleans()), max_size=SIZE)
NAMES = {"NP": "NP", "PRT": "ADVP", "ADVP": "ADVP", "VP": None}
REPEATS = ("each", "once", "first", "any")


def by_rule(gold, system):
    """Matched, gold and system brackets by the rule ``repeats``, as ``Convention`` defines it."""
    shared = len(set(gold) & set(system))
    taken = sum(bracket in gold for bracket in system)
    return {
        "each": (sum((Counter(gold) & Counter(system)).values()), len(gold), len(system)),
        "once": (shared, len(set(gold)), len(set(system))),
        "first": (shared, len(gold), len(system)),
        "any": (taken, taken + sum(bracket not in system for bracket in gold), len(system)),
    }


def side_of(kernel, items, kept, has_gaps, texts):
    """A side as the kernel has it, and its nodes that are no brackets."""
    labels, ranges, skipped, yields = map(list, zip(*items)) if items else ([], [], [], [])
    starts, ends = [a for a, _ in ranges], [b for _, b in ranges]
    numbers = list(texts.all(tuple(labels)))
    return kernel.KeptTree(numbers, starts, ends, bytes(kept), yields if has_gaps else None, True), skipped


def brackets_of(items, kept, has_gaps, least, whole):
    """Name and key of each bracket, and its node."""
    found = []
    for node, (label, (first, last), skipped, gapped) in enumerate(items):
        start, end = sum(kept[:first]), sum(kept[:last])
        key, width = gapped if has_gaps and gapped else (end * end + start, end - start)
        if skipped or NAMES[label] is None or width < least:
            continue
        if (whole == "drop all" and width == sum(kept)) or (whole == "drop root" and not node):
            continue
        found.append(((NAMES[label], key), node))
    return found


def numbers_of(sums):
    """The sums as a list."""
    return [sums.matched, sums.gold, sums.system, sums.complete, sums.f1]


@given(
    st.lists(st.tuples(sides, sides), min_size=1, max_size=3),
    st.lists(st.booleans(), min_size=SIZE, max_size=SIZE),
    st.booleans(),
    st.integers(0, 3),
    st.sampled_from(["keep", "drop all", "drop root"]),
)
def test_matches_by_rule(pairs, kept, has_gaps, least, whole):
    """Brackets match by name and yield, and the sums of several pairs are those of each."""
    for kernel in KERNELS:
        sums = {name: kernel.BracketSums() for name in REPEATS}
        texts = kernel.Texts()
        table = kernel.BracketTable(texts, (NAMES.__getitem__, NAMES.__getitem__), least, whole, sums)
        expected = {name: [0] * 5 for name in REPEATS}
        for pair in pairs:
            (gold, gold_skipped), (system, system_skipped) = (
                side_of(kernel, items, kept, has_gaps, texts) for items in pair
            )
            table.add(gold, system, gold_skipped, system_skipped)
            ours, theirs = (brackets_of(items, kept, has_gaps, least, whole) for items in pair)
            for name, counts in by_rule([one for one, _ in ours], [one for one, _ in theirs]).items():
                matched, n, m = counts
                f1 = rounded(2 * matched * F1_UNIT, n + m) if n + m else F1_UNIT
                added = (*counts, matched == n == m, f1)
                expected[name] = [old + new for old, new in zip(expected[name], added)]
            listed = table.nodes(gold, gold_skipped, 0)
            assert [node for _, node in listed] == [node for _, node in ours]
            assert [key for (_, key), _ in listed] == [key for (_, key), _ in ours]
            numbers = {name: number for ((number, _), _), ((name, _), _) in zip(listed, ours)}
            assert [number for (number, _), _ in listed] == [numbers[name] for (name, _), _ in ours]
        assert {name: numbers_of(one) for name, one in sums.items()} == expected


def test_wide_spans():
    """Long sentences and many nodes need more room than the first pair."""
    for kernel in KERNELS:
        sums = {"each": kernel.BracketSums()}
        texts = kernel.Texts()
        table = kernel.BracketTable(texts, (str, str), 1, "keep", sums)
        for size in (1, 3000, 40):
            ends = list(range(1, size + 1))
            side = kernel.KeptTree([texts.add("NP")] * size, [0] * size, ends, b"\1" * size, None, True)
            table.add(side, side, None, None)
        assert numbers_of(sums["each"]) == [3041, 3041, 3041, 3, 3 * F1_UNIT]


@given(words, words)
def test_same_tags(gold, system):
    """Kept words are compared by position, by what their tags count as."""
    sides = [([tag for tag, _ in side], bytes(keep for _, keep in side)) for side in (gold, system)]
    left, right = ([tag.partition("-")[0] for tag in compress(*side)] for side in sides)
    expected = len(left), sum(one == other for one, other in zip(left, right))
    (gold_tags, gold_kept), (system_tags, system_kept) = sides
    for kernel in KERNELS:
        texts = kernel.Texts()
        numbers = [list(texts.all(tuple(tags))) for tags in (gold_tags, system_tags)]
        table = kernel.TagTable(texts, lambda tag: tag.partition("-")[0])
        ignored = kernel.TagTable(texts, None)
        for _ in range(2):
            table.add(*numbers, gold_kept, system_kept)
            ignored.add(*numbers, gold_kept, system_kept)
        assert (table.tagged, table.correct) == (2 * expected[0], 2 * expected[1])
        assert (ignored.tagged, ignored.correct) == (0, 0)


@given(words)
def test_kept_words(tagged):
    """The tag decides on a word; each tag is asked for once."""
    tags = [tag for tag, _ in tagged]
    for kernel in KERNELS:
        texts, asked = kernel.Texts(), []

        def is_kept(tag, asked=asked):
            asked.append(tag)
            return tag != ","

        numbers = texts.all(tuple(tags))
        assert [texts.texts[number] for number in numbers] == tags
        assert kernel.kept_words(list(numbers), texts, [], is_kept) == bytes(tag != "," for tag in tags)
        assert asked == list(dict.fromkeys(tags)) == list(texts.numbers)
