"""Segmentation scores: worked examples, the definition, and every report."""

from __future__ import annotations

import io
import random
from collections import Counter
from functools import lru_cache
from itertools import accumulate, pairwise

import pytest
from hypothesis import assume, given, settings, strategies as st

from jpevalb import Tree, evaluate, read
from jpevalb.alignment import Unit
from jpevalb.alignment.pair import FIRST, Pair
from jpevalb.base.counts import Matched
from jpevalb.kernels.path import align_runs
from jpevalb.metrics import alignment as segmentation_module
from jpevalb.metrics.alignment import SegmentationCounts, common_cuts
from jpevalb.settings.rules import cut
from jpevalb.trees.sentence import Sentence
from jpevalb.trees.words import NO_EXCEPTIONS
from tests.benchmarks.treebank import make_treebank
from tests.support.random_trees import trees
from tests.support.rules import rules_of

CUTS = "(S (NP (N 中国)) (VP (V 发展)))", "(S (NP (N 中国发)) (VP (V 展)))"
INSERTED = "(S (NP (D the) (N cat)) (VP (V sat)))", "(S (NP (D the) (J big) (N cat)) (VP (V sat)))"
STOP = "(S (NP (D the) (N cat)) (VP (V sat)) (. .))", "(S (NP (D the) (N cat)) (VP (V sat)))"


def segmentation(gold, system, **options) -> SegmentationCounts:
    gold, system = ([side] if isinstance(side, str) else side for side in (gold, system))
    return evaluate(gold, system, metrics="segmentation", **options).total["segmentation"]


# -- by hand ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("gold", "system", "tokens", "sentences", "brackets"),
    [
        # In {H CL ~ CL} the token CL has a counterpart and H has none; S and NP cover H.
        ("(S (NP (D H) (N CL)))", "(S (NP (N CL)))", (2, 1, 1), (1, 1, 1), (2, 2, 0)),
        # ab c against a bc: no token has one, and only the whole is cut alike.
        ("(S (X (A ab)) (B c))", "(S (X (A a)) (B bc))", (2, 2, 0), (1, 1, 1), (2, 2, 1)),
        # colour against color: it is where tokens end that counts.
        ("(S (N colour))", "(S (N color))", (1, 1, 1), (1, 1, 1), (1, 1, 1)),
        (*CUTS, (2, 2, 0), (1, 1, 1), (3, 3, 1)),
        # S and NP cover the word that gold has not; VP stays.
        (*INSERTED, (3, 4, 3), (1, 1, 1), (3, 3, 1)),
        # Gold's S covers the full stop that the system dropped; NP and VP stay.
        (*STOP, (4, 3, 3), (1, 1, 1), (3, 3, 2)),
        # One token against two, and a token of which nothing is paired between two that are.
        ("(S (NP (A cats)) (B y))", "(S (NP (A ca) (X xyz) (C ts)) (B y))", (2, 4, 1), (1, 1, 1), (2, 2, 0)),
        # How a token is cut inside a constituent does no harm.
        ("(S (NP (A cats)) (B y))", "(S (NP (A ca) (C ts)) (B y))", (2, 3, 1), (1, 1, 1), (2, 2, 2)),
        # A constituent beside an inserted word is not one that begins with it.
        ("(S (A a) (NP (N b)))", "(S (A a) (X x) (NP (N b)))", (2, 3, 2), (1, 1, 1), (2, 2, 1)),
        ("(S (A a) (NP (N b)))", "(S (A a) (NP (X x) (N b)))", (2, 3, 2), (1, 1, 1), (2, 2, 0)),
        # A parse that failed: nothing of it has a counterpart.
        ("(S (A a) (B b))", "", (2, 0, 0), (1, 1, 0), (1, 0, 0)),
        # Equal texts.
        ("(S (NP (A a)) (B b))", "(S (VP (A a)) (B b))", (2, 2, 2), (1, 1, 1), (2, 2, 1)),
    ],
)  # fmt: skip
def test_by_hand(gold, system, tokens, sentences, brackets):
    for one, two, order in ((gold, system, (0, 1, 2)), (system, gold, (1, 0, 2))):
        # A run without words of gold is an error, so another pair follows.
        first, _ = evaluate([one, "(S (C cc))"], [two, "(S (C cc))"], metrics="segmentation").sentences
        found = first.record["segmentation"]
        for part, expected in (
            (found.tokens, tokens), (found.sentences, sentences), (found.brackets, brackets)
        ):  # fmt: skip
            assert part == Matched(*[expected[k] for k in order])


def test_sentence_ends():
    gold = ["(S (A go) (B home))", "(S (A yes) (B sir))", "(S (C so))"]
    found = segmentation(gold, ["(X (S (A go) (B home)) (S (A yes) (B sir)))", "(S (C so))"])
    assert found.sentences == Matched(3, 2, 1)
    assert found.tokens == Matched(5, 5, 5)
    # Constituents of sentences that were joined match as others; the root X is extra.
    assert (found.brackets, found.token_errors, found.sentence_errors) == (Matched(3, 4, 3), 0, 1)


@pytest.mark.parametrize(
    ("number", "system", "errors", "wrong"),
    [
        (2, "(S (NP (N a)) (VP (V b)) (NP (N c)) (VP (V d)))", 3, 3),
        (2, "(T (S (NP (N a)) (VP (V b))) (NP (N c)) (VP (V d)))", 2, 2),
        # X covers parts of both sentences, VP and NP below it match.
        (2, "(S (NP (N a)) (X (VP (V b)) (NP (N c))) (VP (V d)))", 4, 4),
        # Another label is no error of sentence ends.
        (2, "(S (NP (N a)) (VP (V b)) (X (N c)) (VP (V d)))", 3, 5),
        # A failed parse has no errors of sentence ends.
        (2, "((N a) (V b) (N c) (V d))", 0, 6),
        # The sentence between the first and the last is one of the parts of S.
        (3, "(S (NP (N a)) (VP (V b)) (NP (N c)) (VP (V d)) (NP (N e)) (VP (V f)))", 4, 4),
    ],
)
def test_errors_of_sentence_ends(number, system, errors, wrong):
    gold = [f"(S (NP (N {words[0]})) (VP (V {words[1]})))" for words in ("ab", "cd", "ef")[:number]]
    for one, other in ((gold, [system]), ([system], gold)):
        total = evaluate(one, other, metrics="brackets,segmentation").total
        assert (total["segmentation"].sentence_errors, total.brackets.wrong()) == (errors, wrong)


def test_errors_of_sentence_ends_do_not_reach_other_sentences():
    gold = ["(S (NP (N a)) (VP (V b)))", "(S (NP (N c)) (VP (V d)))", "(T (S (NP (N e)) (VP (V f))))"]
    system = ["(S (NP (N a)) (VP (V b)) (NP (N c)))", "(X (VP (V d)) (NP (N e)) (VP (V f)))"]
    # The roots of both sides; the S below T is missed because X lacks it.
    for one, other in ((gold, system), (system, gold)):
        total = evaluate(one, other, metrics="brackets,segmentation").total
        assert (total["segmentation"].sentence_errors, total.brackets.wrong()) == (5, 6)


@pytest.mark.parametrize(
    ("gold", "system", "tokens"),
    [
        # Read as "will" the text is equal, and one token holds both; as it is written, one is left out.
        ([["wo"], ["x"]], [["willx"]], (2, 1, 0)),
        # Read as "can can x" it is further from "cq x" than as it is written, where one ca is all of a gap.
        ([["ca", "ca", "x"]], [["cq", "x"]], (3, 2, 2)),
    ],
)
def test_the_cheaper_of_two_readings_of_a_unit(gold, system, tokens):
    sides = [
        [f"(S {' '.join(f'(N {word})' for word in words)})" for words in side] for side in (gold, system)
    ]
    assert segmentation(*sides, lang="en").tokens == Matched(*tokens)
    assert segmentation(*sides[::-1], lang="en").tokens == Matched(tokens[1], tokens[0], tokens[2])


# -- the definition as it is written -------------------------------------------------


def cheapest_links(gold, system, gold_ends=(), system_ends=()):
    """For each cheapest path the pairs of tokens of which it pairs characters, found by search."""
    texts = "".join(gold), "".join(system)
    n, m = map(len, texts)
    mine, other = levels(gold, gold_ends), levels(system, system_ends)
    token_of = [[k for k, word in enumerate(words) for _ in word] for words in (gold, system)]

    def earned(i, j, paired):
        both = paired and mine[i] > 0 and other[j] > 0
        same = both and gold[token_of[0][i - 1]] == system[token_of[1][j - 1]]
        return 16 * both + 12 * same + (12 if paired else 13) * (mine[i] == 2 == other[j])

    def opening(i, j):
        return 4 - mine[i] - other[j]

    @lru_cache(None)
    def onward(i, j, way):
        """The least cost from (i, j) on after a step of some kind, and the links of the cheapest ways."""
        if (i, j) == (n, m):
            return 0, frozenset([frozenset()])
        found = []
        if i < n and j < m:
            cost, ways = onward(i + 1, j + 1, 0)
            cost += (0 if texts[0][i] == texts[1][j] else 8) - earned(i + 1, j + 1, True)
            link = token_of[0][i], token_of[1][j]
            found.append((cost, frozenset(links | {link} for links in ways)))
        if i < n:
            cost, ways = onward(i + 1, j, 1)
            found.append((cost + 4 + (way != 1) * opening(i, j) - earned(i + 1, j, False), ways))
        if j < m:
            cost, ways = onward(i, j + 1, 2)
            found.append((cost + 4 + (way != 2) * opening(i, j) - earned(i, j + 1, False), ways))
        least = min(cost for cost, _ in found)
        return least, frozenset().union(*[ways for cost, ways in found if cost == least])

    return onward(0, 0, 0)[1]


def counterparts(links):
    """The tokens that are paired with one only, and it with them only."""
    ones, twos = Counter(one for one, _ in links), Counter(two for _, two in links)
    return tuple(sorted([(one, two) for one, two in links if ones[one] == twos[two] == 1]))


def levels(words, ends=()):
    """0 inside a token, 1 between two, 2 where a sentence ends: the last, and after so many tokens."""
    found = [2]
    for number, word in enumerate(words, 1):
        found += [0] * (len(word) - 1) + [2 if number in ends else 1]
    found[-1] = 2
    return found


def units_of(gold, system, gold_ends=(), system_ends=()):
    """The units of the path: cuts of both sides between which both have moved on."""
    texts = "".join(gold), "".join(system)
    points = align_runs(*texts, bytes(levels(gold, gold_ends)), bytes(levels(system, system_ends)))[1]
    kept = [(0, 0)]
    for i, j, _ in points:
        if i > kept[-1][0] and j > kept[-1][1]:
            kept.append((i, j))
    kept[-1] = len(gold), len(system)
    return tuple(Unit(a, c, b, d) for (a, b), (c, d) in pairwise(kept))


def cuts_of(gold, system, gold_ends=(), system_ends=(), exceptions=NO_EXCEPTIONS):
    """Return the cuts that the metric finds between two sides, given the sentence ends."""
    sides = []
    for words, ends in ((gold, gold_ends), (system, system_ends)):
        parts = [words[a:b] for a, b in pairwise([0, *ends, len(words)])]
        made = [Tree.build(["S"], [-1], part, [0] * len(part)) for part in parts]
        sides.append([Sentence(number, tree, tree) for number, tree in enumerate(made, 1)])
    pair = Pair(FIRST, *sides, rules_of(), exceptions, units_of(gold, system, gold_ends, system_ends))
    mine, other, partners = common_cuts(pair)
    return mine, other, [(place, its) for place, its in enumerate(partners) if its >= 0]


WORDS = st.lists(st.text("abc", min_size=1, max_size=4), min_size=1, max_size=4)


@given(WORDS, WORDS)
@settings(max_examples=100, deadline=None)
def test_unaligned_and_aligned_tokens(gold, system):
    """Some cheapest path pairs characters just as the counts say that tokens are paired."""
    check_links(gold, system)


@given(WORDS, WORDS, st.data())
@settings(max_examples=100, deadline=None)
def test_sentence_ends_inside_of_units(gold, system, data):
    """A gap costs less at a sentence end; beads are cut where the path passes an end on both sides."""
    ends = [
        data.draw(st.sets(st.integers(1, len(words) - 1)).map(sorted)) if len(words) > 1 else []
        for words in (gold, system)
    ]
    mine, other = levels(gold, ends[0]), levels(system, ends[1])
    path = align_runs("".join(gold), "".join(system), bytes(mine), bytes(other))[1]
    both = [{0, *some, len(words)} for some, words in zip(ends, (gold, system))]
    assume(not any(i in both[0] and j in both[1] for i, j, _ in path[1:-1]))
    check_links(gold, system, *ends)


def test_unaligned_tokens_follow_the_path_of_the_cuts():
    """By itself, without the b before it, the rest would be aligned otherwise, and two words be alone."""
    mine, other, found = cuts_of(["abaa", "x"], ["b", "bbac", "b", "abb", "x"])
    assert (mine.bare, other.bare, found) == ([0, 0, 0], [0, 1, 1, 1, 1, 1], [(1, 4)])


def test_of_two_readings_that_cost_the_same_it_is_the_text_as_written():
    """Aligning cb with aa pairs two unequal characters, but with bbbb only one."""
    found = cuts_of(["cb", "x"], ["a", "a", "x"], exceptions={"a": "bb"})
    assert found[1] == ([0, -1, 1, 2], [0, 0, 0, 0])
    # bb and c beside b: as it is read one b is equal, and c has no counterpart; on either side alone.
    assert cuts_of(["a", "c"], ["b"], exceptions={"a": "bb"})[2] == [(0, 0)]
    assert cuts_of(["b"], ["a", "c"], exceptions={"a": "bb"})[2] == [(0, 0)]


def test_how_large_a_unit_is_searched(monkeypatch):
    """A unit of up to MOST_CELLS character pairs is searched for cuts."""
    monkeypatch.setattr(segmentation_module, "MOST_CELLS", 6)
    assert cuts_of(["ab"], ["x", "ab"])[2] == [(0, 1)]
    monkeypatch.setattr(segmentation_module, "MOST_CELLS", 5)
    assert cuts_of(["ab"], ["x", "ab"])[2] == []


def check_links(gold, system, gold_ends=(), system_ends=()):
    mine, other, found = cuts_of(gold, system, gold_ends, system_ends)
    alone = (
        [b - a > 0 for a, b in pairwise(mine.bare)],
        [b - a > 0 for a, b in pairwise(other.bare)],
    )
    seen = {
        (
            tuple(all(one != k for one, _ in links) for k in range(len(gold))),
            tuple(all(two != k for _, two in links) for k in range(len(system))),
            counterparts(links),
        )
        for links in cheapest_links(gold, system, gold_ends, system_ends)
    }
    assert (tuple(alone[0]), tuple(alone[1]), tuple(found)) in seen


def spans(tree, places):
    """The constituents of a tree by label and places in the text."""
    found: Counter = Counter()
    for node in tree:
        start, end = tree.starts[node], tree.ends[node]
        preterminal = end - start == 1 and (node + 1 == len(tree) or tree.parents[node + 1] != node)
        if end > start and not preterminal and tree.labels[node] not in ("", "TOP", "ROOT", "@S"):
            found[cut(tree.labels[node]), places[start], places[end]] += 1
    return found


@given(trees(continuous=True, words=st.text("ab", min_size=1, max_size=4)), st.randoms())
@settings(max_examples=100, deadline=None)
def test_where_the_text_is_one_it_is_the_score_over_spans_of_characters(gold, rng):
    """The tokens and the labelled brackets of joint segmentation and parsing."""
    text = "".join(gold.words)
    count = len(gold.words)
    if len(text) < count:
        return
    cuts = sorted(rng.sample(range(1, len(text)), count - 1)) if count > 1 else []
    ends = [0, *cuts, len(text)]
    system = Tree(
        gold.labels, gold.parents, gold.starts, gold.ends,
        tuple(text[i:j] for i, j in pairwise(ends)), gold.word_parents,
    )  # fmt: skip
    mine = [0, *accumulate(map(len, gold.words))]
    found = segmentation([gold], [system])
    one, two = spans(gold, mine), spans(system, ends)
    assert found.brackets == Matched(one.total(), two.total(), (one & two).total())
    tokens = Counter(pairwise(mine)) & Counter(pairwise(ends))
    assert found.tokens == Matched(count, count, tokens.total())


def moved_ends(words, rng, *, across):
    """The last character of a word of two or more moved to the front of the next, one time in two.

    Args:
        words: The words of each sentence; changed.
        rng: Decides.
        across: Whether a character may go to the next sentence.
    """
    places = [(k, i) for k, sentence in enumerate(words) for i in range(len(sentence))]
    for (k, i), (n, j) in pairwise(places):
        if len(words[k][i]) > 1 and (across or n == k) and rng.random() < 0.5:
            words[n][j] = words[k][i][-1] + words[n][j]
            words[k][i] = words[k][i][:-1]


@pytest.mark.parametrize("across", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_moved_word_ends_are_counted_over_spans_of_characters(seed, across):
    """The search finds the one path on which all characters are equal, wherever sentences end."""
    gold = [Tree.parse(line) for line in make_treebank(150, seed)]
    words = [list(tree.words) for tree in gold]
    moved_ends(words, random.Random(seed), across=across)
    system = [
        Tree(tree.labels, tree.parents, tree.starts, tree.ends, tuple(some), tree.word_parents)
        for tree, some in zip(gold, words)
    ]
    brackets, tokens, ends = [], [], []
    for side in gold, system:
        place, found, cuts = 0, Counter(), [0]
        ends.append([0])
        for tree in side:
            places = list(accumulate(map(len, tree.words), initial=place))
            place = places[-1]
            found += spans(tree, places)
            cuts += places[1:]
            ends[-1].append(place)
        brackets.append(found)
        tokens.append(Counter(pairwise(cuts)))
    found = segmentation(gold, system)
    (one, two), count = brackets, tokens[0].total()
    assert found.brackets == Matched(one.total(), two.total(), (one & two).total())
    assert found.tokens == Matched(count, count, (tokens[0] & tokens[1]).total())
    both = {*pairwise(ends[0])} & {*pairwise(ends[1])}
    assert found.sentences == Matched(150, 150, len(both))
    assert 0.25 < found.tokens.f1 < 0.5


@pytest.mark.slow
@given(
    st.lists(trees(continuous=True, max_words=5), min_size=1, max_size=3),
    st.lists(trees(continuous=True, max_words=5), min_size=1, max_size=3),
)
@settings(max_examples=100, deadline=None)
def test_counts_keep_within_their_bounds(gold, system):
    found = segmentation(gold, system)
    back = segmentation(system, gold)
    for part in ("tokens", "sentences", "brackets"):
        counts, other = getattr(found, part), getattr(back, part)
        assert 0 <= counts.matched <= min(counts.gold, counts.system)
        assert (counts.gold, counts.system) == (other.system, other.gold)
    # What strict F1 lacks is due to tokens, to sentence ends, or to other errors.
    brackets = evaluate(gold, system, metrics="brackets").total.brackets
    assert found.token_errors == 2 * (brackets.matched - found.brackets.matched) >= 0
    assert 0 <= found.sentence_errors <= brackets.wrong()
    same = segmentation(gold, gold)
    assert same.tokens.f1 == same.sentences.f1 == 1.0
    assert same.brackets.f1 in (None, 1.0)
    assert not same.shown


def test_long_tokens_are_bounded():
    """A token of many characters against many tokens: no table of all pairs of characters."""
    rng = random.Random(3)
    text = "".join(rng.choice("abcdefgh") for _ in range(30_000))
    gold = "(S (A " + text + "))"
    system = "(S " + "".join(f"(A {text[i : i + 3]})" for i in range(0, 29_000, 3)) + ")"
    found = segmentation(gold, system)
    assert found.tokens.matched == 0


def test_gaps():
    """Constituents with gaps match by their blocks, cut where both sides are cut."""
    gold = "(S (X (A 0=a) (C 2=c)) (B 1=colour))"

    def brackets(system):
        sides = [list(read(io.StringIO(text), "discbracket")) for text in (gold, system)]
        return evaluate(*sides, convention="jpevalb", metrics="segmentation").total["segmentation"].brackets

    assert brackets(gold.replace("colour", "color")) == Matched(2, 2, 2)
    assert brackets("(S (X (A 0=a) (B 1=color)) (C 2=c))") == Matched(2, 2, 1)
    assert brackets("(S (X (A 0=a) (B 1=color) (C 2=c)))") == Matched(2, 2, 1)
    assert brackets("(S (B 1=color) (X (A 0=a) (C 2=c) (D 3=d)))").matched == 0
