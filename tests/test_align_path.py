"""The path through a stretch against an exact search of all pairs of places, and what it is made of."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from importlib import import_module

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jpevalb._core.path import align_runs
from jpevalb.alignment import align
from jpevalb.alignment.anchors import anchors, grams, longest_chain
from jpevalb.alignment.beads import Piece, Unit
from jpevalb.alignment.run import Part, Run, at_once, fits, shared_prefix
from jpevalb.alignment.solve import path, solve
from jpevalb.alignment.unlike import Unlike
from tests.benchmarks.alignment_noise import words_of
from tests.benchmarks.treebank import make_treebank
from tests.test_path_kernel import slow_cost

solving, anchoring, running = (
    import_module(f"jpevalb.alignment.{name}") for name in ("solve", "anchors", "run")
)

sentence = st.lists(st.text("ab", min_size=1, max_size=3), min_size=1, max_size=3)
corpus = st.lists(sentence, min_size=1, max_size=3)


def words(count: int, seed: int) -> list[str]:
    rng = random.Random(seed)
    return ["".join(rng.choices("abcdefghijklmnop", k=rng.randint(2, 8))) for _ in range(count)]


def sentences(count: int, seed: int) -> list[list[str]]:
    rng = random.Random(-seed)
    return [words(rng.randint(3, 12), seed * 10_000 + k) for k in range(count)]


# -- the exact search -----------------------------------------------------------------------------


def cost_through(gold: Run, system: Run, points: list[tuple[int, int, int]]) -> int:
    """The least cost of a path that goes through all points."""
    inside = set()
    for (i, j, _), (n, m, _) in itertools.pairwise(points):
        rows = range(gold.starts[i], gold.starts[n] + 1)
        inside.update(itertools.product(rows, range(system.starts[j], system.starts[m] + 1)))
    return slow_cost(gold.text, system.text, gold.levels, system.levels, inside=inside)


def common_cuts(gold: Run, system: Run) -> list[tuple[int, int, int]]:
    return [
        (k, system.starts.index(start), start)
        for k, start in enumerate(gold.starts)
        if start in system.starts
    ]


@st.composite
def nearly_equal(draw):
    """A corpus and a copy with some sentences missing, doubled or written otherwise."""
    gold = draw(corpus)
    system = []
    for words in gold:
        kind = draw(st.sampled_from(["same", "same", "other", "missing", "twice", "new"]))
        copy = [draw(st.text("ab", min_size=1, max_size=3)) if kind == "other" else word for word in words]
        system += {"missing": [], "twice": [copy, copy], "new": [draw(sentence), copy]}.get(kind, [copy])
    return gold, system or [["b"]]


@settings(deadline=None, max_examples=150)
@given(nearly_equal())
def test_no_path_costs_less(corpora):
    gold, system = map(Run.of, corpora)
    points = path(gold, system)
    if gold.text == system.text:
        # Equal characters belong together, whatever another path might cost.
        assert points == common_cuts(gold, system)
        return
    assert points == align_runs(gold.text, system.text, gold.levels, system.levels)[1]
    least = slow_cost(gold.text, system.text, gold.levels, system.levels)
    assert cost_through(gold, system, points) == least


@settings(deadline=None, max_examples=100)
@given(nearly_equal(), st.sampled_from([{}, {"ab": "b"}, {"a": "bb", "bb": "a"}]))
def test_a_path_as_the_list_says_costs_no_more(corpora, exceptions):
    """Of both readings the cheaper one is taken, and neither without need."""
    gold, system = map(Run.of, corpora)
    if gold.text == system.text:
        return
    points = path(gold, system, exceptions)
    read = [
        Run([exceptions.get(token, token) for token in side.tokens], list(map(len, some)))
        for side, some in zip((gold, system), corpora)
    ]
    plain, other = (
        align_runs(one.text, two.text, one.levels, two.levels) for one, two in ((gold, system), read)
    )
    assert [point[:2] for point in points] in [[point[:2] for point in one[1]] for one in (plain, other)]
    if [point[:2] for point in points] != [point[:2] for point in plain[1]]:
        assert other[0] < plain[0]
    elif [point[:2] for point in points] != [point[:2] for point in other[1]]:
        whole = min(len(gold.text), len(system.text)) == plain[1][-1][2]
        assert plain[0] <= other[0] or whole


def test_a_reading_that_is_cheaper_is_taken():
    gold, system = Run.of([["go", "zum", "x"]]), Run.of([["go", "zu", "dem", "x"]])
    assert [point[:2] for point in path(gold, system, {"zum": "zudem"})] == [(0, 0), (1, 1), (2, 3), (3, 4)]
    # Round brackets are known without a list, on either side.
    for mine, other in ((["-LRB-", "a"], ["(", "a"]), (["(", "a"], ["-LRB-", "a"])):
        assert path(Run.of([mine]), Run.of([other]))[-1] == (2, 2, 2)


# -- what long texts go through -------------------------------------------------------------------


def test_equal_runs_are_cut_where_both_are():
    gold, system = Run.of([["abc", "d"], ["ef"]]), Run.of([["ab", "cd"], ["e", "f"]])
    assert path(gold, system) == [(0, 0, 0), (2, 2, 4), (3, 4, 6)]
    same = Run.of([["abc", "d"], ["ef"]])
    assert path(gold, same) == [(0, 0, 0), (1, 1, 3), (2, 2, 4), (3, 3, 6)]


@pytest.mark.parametrize(
    ("lengths", "found"), [((3, 2, 3, 4, 2), True), ((3, 3, 3, 3, 3), False), ((2, 3, 4, 3), False)]
)
def test_sentences_of_as_many_words_are_paired_token_for_token(monkeypatch, lengths, found):
    """Four sentence ends in a row between lines not all of one length, written in another way."""
    called = []
    monkeypatch.setattr(solving, "align_runs", lambda *some: called.append(some) or align_runs(*some))
    gold = [[f"ab{k}{i}" for i in range(n)] for k, n in enumerate(lengths)]
    system = [["wxyz"] * n for n in lengths]
    points = path(Run.of(gold), Run.of(system))
    assert bool(called) != found
    if found:
        assert points == [(k, k, 0) for k in range(sum(lengths) + 1)]
        again = path(Run.of(gold), Run.of([["axyz"] * n for n in lengths]))
        assert again == [(k, k, k) for k in range(sum(lengths) + 1)]


@pytest.mark.parametrize("before", [["so", "it", "was"], ["so", "it", "was", "then"]])
def test_they_are_paired_wherever_they_begin(monkeypatch, before):
    """Behind a sentence that the system has more, from an odd or an even number of tokens on."""
    monkeypatch.setattr(solving, "DIRECT", 0)
    lengths = (3, 2, 3, 4, 2, 3)
    equal = [[*before, "abcdefghijklmnop", "qr"]]
    gold = equal + [["wxyz"] * n for n in lengths]
    system = [["one", "more"], *equal] + [["axyb"] * n for n in lengths]
    mine, other = Run.of(gold), Run.of(system)
    points = path(mine, other)
    same = len(before) + 2
    characters = mine.starts[same]
    expected = [(same + k, same + k + 2, characters + 2 * k) for k in range(sum(lengths) + 1)]
    assert points[-len(expected) :] == expected
    back = path(other, mine)
    assert back[-len(expected) :] == [(b, a, equal) for a, b, equal in expected]


@pytest.mark.parametrize(("others", "paired"), [(0, False), (2, False), (3, True)])
def test_words_cut_at_other_places_are_not_paired_by_number(monkeypatch, others, paired):
    """Where as many end elsewhere as are written in another way; those of one letter do not count."""
    called = []
    monkeypatch.setattr(solving, "align_runs", lambda *some: called.append(some) or align_runs(*some))
    left = ["xyz"] * others + ["klm"] * (3 - others)
    right = ["uvw"] * others + ["klm"] * (3 - others)
    gold = [["abc", "def", "p"], ["p", left[0]], ["p", "p", left[1]], [left[2], "p"], ["p", "p"]]
    system = [["ab", "cdef", "s"], ["s", right[0]], ["s", "s", right[1]], [right[2], "s"], ["s", "s"]]
    path(Run.of(gold), Run.of(system))
    assert bool(called) != paired


def test_a_side_without_tokens():
    gold, nothing = Run.of([["a", "b"], ["c"]]), Run.of([])
    assert path(gold, nothing) == [(0, 0, 0), (1, 0, 0), (2, 0, 0), (3, 0, 0)]
    assert path(nothing, gold) == [(0, 0, 0), (0, 1, 0), (0, 2, 0), (0, 3, 0)]
    assert path(nothing, nothing) == [(0, 0, 0)]


def noisy(corpus: list[list[str]], rate: float, seed: int) -> list[list[str]]:
    rng = random.Random(seed)
    pool = [word for some in corpus for word in some]
    return [[rng.choice(pool) if rng.random() < rate else word for word in some] for some in corpus]


@pytest.mark.parametrize("direct", [0, 1 << 16])
@pytest.mark.parametrize("seed", range(3))
def test_anchors_lie_on_the_cheapest_path(monkeypatch, seed, direct):
    """A search piece by piece finds what the kernel finds in one, and searches far less."""
    gold = sentences(25, seed + 20)
    system = noisy(gold, 0.05, seed)
    del system[7]
    system.insert(15, words(8, seed))
    mine, other = Run.of(gold), Run.of(system)
    whole = align_runs(mine.text, other.text, mine.levels, other.levels)[1]
    called = []

    def counted(a, b, *some):
        called.append(len(a) * len(b))
        return align_runs(a, b, *some)

    monkeypatch.setattr(solving, "align_runs", counted)
    monkeypatch.setattr(solving, "DIRECT", direct)
    assert path(mine, other) == whole
    assert len(called) > 5
    assert sum(called) < len(mine.text) * len(other.text) / 10


@pytest.mark.parametrize("most", [2000, 20_000])
def test_small_tables_find_nearly_the_same(monkeypatch, most):
    """Halves, in proportion or by sentences, where the kernel cannot take a piece as it is."""
    gold = sentences(40, 9)
    for rate in (0.05, 0.2):
        system = noisy(gold, rate, 3)
        del system[20]
        mine, other = Run.of(gold), Run.of(system)
        whole = set(path(mine, other))
        monkeypatch.setattr(running, "MOST", most)
        monkeypatch.setattr(solving, "FEW", most // 4)
        pieces = path(mine, other)
        monkeypatch.undo()
        assert pieces[-1][:2] == (len(mine.tokens), len(other.tokens))
        same = {point[:2] for point in pieces} & {point[:2] for point in whole}
        assert len(same) > 0.9 * len(whole)


# -- anchors --------------------------------------------------------------------------------------


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), max_size=14))
def test_the_longest_chain(links):
    links = sorted({first: (first, second) for first, second in links}.values())
    chain = longest_chain(links)
    assert set(chain) <= set(links)
    assert all(a < c and b < d for (a, b), (c, d) in itertools.pairwise(chain))
    best = [1] * len(links)
    for k, (_, second) in enumerate(links):
        best[k] += max((best[i] for i in range(k) if links[i][1] < second), default=0)
    assert len(chain) == max(best, default=0)


@given(corpus, st.integers(0, 4), st.integers(0, 4), st.integers(1, 4), st.booleans())
def test_grams(some, begin, less, size, inside):
    run = Run.of(some)
    end = len(run.tokens) - less
    expected = []
    for k in range(begin, end):
        stop = min([e for e in run.ends if e > k] + [end]) if inside else end
        if run.starts[k] + size <= run.starts[min(stop, end)]:
            expected.append((run.text[run.starts[k] : run.starts[k] + size], k))
    often = Counter(text for text, _ in expected)
    assert grams(run, begin, end, size, inside=inside) == {
        text: k if often[text] == 1 else -1 for text, k in expected
    }


def all_of(gold: Run, system: Run) -> tuple[int, int, int, int]:
    return 0, 0, len(gold.tokens), len(system.tokens)


def test_anchors_with_equal_text_between_them_are_thinned():
    gold = sentences(12, 31)
    system = [list(some) for some in gold]
    system[6] = ["zzz", *system[6][:-1]]
    mine, other = Run.of(gold), Run.of(system)
    known = [grams(run, 0, len(run.tokens), 16, inside=True) for run in (mine, other)]
    chain = [(k, known[1][text]) for text, k in known[0].items() if k >= 0 and known[1].get(text, -1) >= 0]
    groups = [chain[:1]]
    for (a, b), (c, d) in itertools.pairwise(chain):
        same = mine.text[mine.starts[a] : mine.starts[c]] == other.text[other.starts[b] : other.starts[d]]
        if same:
            groups[-1].append((c, d))
        else:
            groups.append([(c, d)])
    kept = [place for group in groups for place in sorted({group[0], group[-1]})]
    assert kept[0] == (0, 0)
    assert len(chain) > 2 * len(kept) > 4
    # Where the piece begins is known already.
    assert anchors(mine, other, all_of(mine, other), 16) == kept[1:]


def test_no_anchor_near_a_jump():
    """Of two copies of a sentence the kernel chooses: the neighbourhood as long as the jump is left to it."""
    gold = sentences(30, 41)
    system = [*gold[:15], list(gold[15]), *gold[15:]]
    mine, other = Run.of(gold), Run.of(system)
    found = anchors(mine, other, all_of(mine, other), 16)
    size = sum(map(len, gold[15]))
    at, end = mine.starts[mine.ends[15]], mine.starts[mine.ends[16]]
    places = [mine.starts[i] for i, _ in found]
    assert not [p for p in places if at - size < p < end + size // 2]
    assert [p for p in places if p <= at - size]
    assert [p for p in places if p > end]


def test_short_anchors_count_only_where_many_are_in_order():
    gold = [["alpha", "beta"], ["gamma", "delta"]]
    mine, other = Run.of(gold), Run.of(list(reversed(gold)))
    assert anchors(mine, other, all_of(mine, other), 4) == []
    text = sentences(40, 3)
    changed = [[word[:3] + "zz" if len(word) > 5 else word + "zz" for word in some] for some in text]
    mine, other = Run.of(text), Run.of(changed)
    found = anchors(mine, other, all_of(mine, other), 4)
    assert len(found) > 16
    assert all(a == b for a, b in found)
    assert anchors(mine, other, all_of(mine, other), 16) == []


# -- runs and parts of them -----------------------------------------------------------------------


@given(st.text("ab", max_size=9), st.text("ab", max_size=9), st.integers(0, 9))
def test_shared_prefixes(one, other, most):
    same = next((k for k, (a, b) in enumerate(zip(one, other)) if a != b), min(len(one), len(other)))
    assert shared_prefix(one, other, most) == min(same, most)
    assert shared_prefix(one.encode(), other.encode(), most) == min(same, most)


def test_a_run():
    run = Run.of([["Ab", "c"], [], ["def"]])
    assert (run.tokens, run.text, run.starts, run.ends) == (
        ["ab", "c", "def"],
        "abcdef",
        [0, 2, 3, 6],
        [0, 2, 3],
    )
    assert run.levels == bytes([2, 0, 1, 2, 0, 0, 2])


@pytest.mark.parametrize(
    ("n", "m", "once", "at_least"),
    [
        (2000, 2000, True, True),
        (2001, 2000, False, False),
        (1264, 10_000, False, True),
        (10_000, 1264, False, True),
        (1265, 10_000, False, False),
    ],
)
def test_what_the_kernel_takes(n, m, once, at_least):
    """4 million pairs; or those of the shorter side with as much as fits of the longer one's ends."""
    assert (at_once(n, m), fits(n, m)) == (once, at_least)


def test_the_middle_of_a_long_side_is_left_out(monkeypatch):
    monkeypatch.setattr(running, "MOST", 400)
    run = Run.of([["abcd"] * 5] * 10)
    part = Part(run, 0, 50)
    assert part.size == 200
    # 40 characters of this side go with 10 of the other: 20 from either end, where a sentence ends.
    part.leave_out(10)
    assert (part.begin, part.stop, part.again, part.end) == (0, 5, 45, 50)
    assert part.tokens == ["abcd"] * 10
    assert part.levels() == bytes([2, *[0, 0, 0, 1] * 4, 0, 0, 0, 2] + [0, 0, 0, 1] * 4 + [0, 0, 0, 2])
    assert [part.number(k) for k in (0, 5, 6, 10)] == [0, 5, 46, 50]
    assert [part.at_end(k) for k in (0, 4, 5, 6, 10)] == [True, False, True, False, True]
    # No sentence ends near: tokens are left out.
    one = Part(Run.of([["abcd"] * 50]), 3, 50)
    one.leave_out(16)
    assert (one.stop, one.again) == (6, 47)
    assert one.read_as({"x": "y"}) is one
    again = one.read_as({"abcd": "e"})
    assert (again.tokens, again.stop, again.again) == (["e"] * 6, 6, 47)
    assert again.levels() == bytes([1, 1, 1, 1, 1, 1, 2])


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("at", [0, 17, 39])
def test_a_sentence_is_found_at_the_ends_of_far_more_text(monkeypatch, at, turned):
    many = sentences(40, 77)
    one = noisy([many[at]], 0.1, 1)
    monkeypatch.setattr(running, "MOST", 9000)
    sides = (many, one) if turned else (one, many)
    beads = solve(*sides)
    spans = [(bead.system, bead.gold) if turned else (bead.gold, bead.system) for bead in beads]
    if at in (0, 39):
        assert ((0, 1), (at, at + 1)) in spans
    assert sum(b - a for _, (a, b) in spans) == 40


# -- sentences that have nothing to do with each other ----------------------------------------------


def test_unlike_pieces():
    gold = [["abcdefgh", "ij"], ["kl", "mn"], ["op", "qr"]]
    system = [["abcdefgh", "ij"], ["12", "34"], ["op", "qr"]]
    mine, other = Run.of(gold), Run.of(system)

    def piece(a, b, c, d, equal):
        return Piece((a, b), (c, d), (Unit(0, 1, 0, 1),), equal)

    tell = Unlike(mine, other).among
    like = piece(0, 1, 0, 1, 10)
    # Alone between two that are alike, with as many words or not: paired by its place.
    assert tell([like, piece(1, 2, 1, 2, 0), piece(2, 3, 2, 3, 4)]) == [False, False, False]
    # Several sentences in one piece are not, and neither are those of one side.
    assert tell([like, piece(1, 3, 1, 3, 0)]) == [False, True]
    assert tell([like, piece(1, 1, 1, 2, 0), piece(1, 3, 2, 3, 0)]) == [False, False, True]
    # At either end of a stretch it stands between two as well; a neighbour that is unlike is none.
    longer = Unlike(mine, Run.of([["abcdefgh", "ij"], ["12", "34", "56"], ["op", "qr"]])).among
    assert longer([piece(1, 2, 1, 2, 0), like]) == [False, False]
    assert longer([like, piece(1, 2, 1, 2, 0)]) == [False, False]
    assert longer([like, piece(1, 2, 1, 2, 0), piece(1, 2, 1, 2, 0)]) == [False, True, True]
    # A share of 0.35 is enough: 3 of 8 characters, not 2.
    assert tell([like, piece(1, 3, 1, 3, 3)]) == [False, False]
    assert tell([like, piece(1, 3, 1, 3, 2)]) == [False, True]


def test_sentences_of_other_lengths_are_paired_between_others_alone():
    gold, system = [["ab"], ["cd", "ef", "gh"], ["ij"]], [["ab"], ["12", "34"], ["ij"]]
    spans = [(*bead.gold, *bead.system) for bead in align(gold, system, lang="none")]
    assert spans == [(0, 1, 0, 1), (1, 2, 1, 2), (2, 3, 2, 3)]
    # Two in a row: each side's stand alone; as many words: side by side.
    more = [["12", "34"], ["56", "78", "90"]]
    spans = [(*b.gold, *b.system) for b in align([["cd", "ef", "gh"], ["kl", "mn"]], more, lang="none")]
    assert all(a == b or c == d for a, b, c, d in spans)


def test_what_stands_elsewhere_is_not_paired_by_its_place():
    text = [words_of(line) for line in make_treebank(12, 5)]
    text = [some for some in text if sum(map(len, some)) > 40][:4]
    gold, system = [*text[:3], text[3]], [text[0], text[2], text[1], text[3]]
    spans = [(*bead.gold, *bead.system) for bead in align(gold, system, lang="none")]
    paired = [(a, c) for a, b, c, d in spans if a < b and c < d]
    assert len(paired) == 3
    assert all(gold[a] == system[c] for a, c in paired)


@pytest.mark.parametrize(
    ("gold", "system", "begin", "half"),
    [
        # By tokens where both sides have as many.
        ((3, 4), (5, 2), (0, 0), (3, 3)),
        ((2, 3, 4), (4, 7), (2, 4), (5, 7)),
        # By sentences where these are as many.
        ((2, 3, 4, 5, 2, 2), (3, 3, 5, 6, 2, 2), (0, 0), (9, 11)),
        # In proportion, at the nearer sentence end.
        ((2, 4, 4, 5), (3, 4, 3), (0, 0), (6, 3)),
        ((2, 7, 1, 5), (3, 4, 3), (0, 0), (9, 7)),
        ((2, 2, 4, 4, 5), (3, 3, 4, 3), (2, 3), (8, 6)),
        # Inside a sentence.
        ((5,), (3,), (0, 0), (2, 1)),
        ((2,), (3,), (0, 0), (1, 1)),
        ((1,), (3,), (0, 0), None),
        ((4,), (1,), (0, 0), None),
    ],
)
def test_where_pieces_are_halved(gold, system, begin, half):
    mine, other = (Run.of([["w"] * n for n in lengths]) for lengths in (gold, system))
    assert solving._Search(mine, other, {})._half(*begin, sum(gold), sum(system)) == half
