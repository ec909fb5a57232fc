"""The alignment path through a chunk, compared with an exhaustive search, and its parts."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from functools import partial
from importlib import import_module

import pytest
from hypothesis import assume, example, given, settings, strategies as st

from jpevalb import align
from jpevalb.alignment import Unit
from jpevalb.alignment.run import CharacterRun, anchors, edit_anchors, grams, longest_chain
from jpevalb.alignment.solve import Piece, _Search, are_unrelated, path, solve, units_of
from jpevalb.kernels.path import align_runs
from tests.benchmarks.alignment_noise import words_of
from tests.benchmarks.treebank import make_treebank
from tests.support.path_costs import slow_cost

solving, running = (import_module(f"jpevalb.alignment.{name}") for name in ("solve", "run"))

sentence = st.lists(st.text("ab", min_size=1, max_size=3), min_size=1, max_size=3)
corpus = st.lists(sentence, min_size=1, max_size=3)


def words(count: int, seed: int) -> list[str]:
    rng = random.Random(seed)
    return ["".join(rng.choices("abcdefghijklmnop", k=rng.randint(2, 8))) for _ in range(count)]


def sentences(count: int, seed: int) -> list[list[str]]:
    rng = random.Random(-seed)
    return [words(rng.randint(3, 12), seed * 10_000 + k) for k in range(count)]


# -- the exact search -----------------------------------------------------------------------------


def cost_through(gold: CharacterRun, system: CharacterRun, points: list[tuple[int, int, int]]) -> int:
    """The least cost of a path that goes through all points."""
    inside = set()
    for (i, j, _), (n, m, _) in itertools.pairwise(points):
        rows = range(gold.starts[i], gold.starts[n] + 1)
        inside.update(itertools.product(rows, range(system.starts[j], system.starts[m] + 1)))
    return slow_cost(gold.text, system.text, gold.levels, system.levels, inside=inside)


def common_cuts(gold: CharacterRun, system: CharacterRun) -> list[tuple[int, int, int]]:
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


@pytest.mark.slow
@settings(deadline=None, max_examples=150)
@given(nearly_equal())
@example(([["a"], ["a"], ["a", "a"]], [["a"], ["a"]]))
def test_no_path_costs_less(corpora):
    gold, system = map(CharacterRun.of, corpora)
    points = path(gold, system)
    if gold.text == system.text:
        # Equal characters belong together, whatever another path might cost.
        assert points == common_cuts(gold, system)
        return
    assume(not _Search(gold, system, {})._one_to_one(*all_of(gold, system)))
    assert points == align_runs(gold.text, system.text, gold.levels, system.levels)[1]
    least = slow_cost(gold.text, system.text, gold.levels, system.levels)
    assert cost_through(gold, system, points) == least


@settings(deadline=None, max_examples=100)
@given(nearly_equal(), st.sampled_from([{}, {"ab": "b"}, {"a": "bb", "bb": "a"}]))
@example(([["a"], ["a"], ["a", "a"]], [["a"], ["a"]]), {})
@example(
    ([["a", "a", "aa"], ["a", "a"], ["a", "a", "a"]], [["a", "aab", "a"], ["a", "a"], ["a", "a", "a"]]), {}
)
def test_a_replacement_never_costs_more(corpora, exceptions):
    """Of both readings the cheaper one is taken, and neither without need."""
    gold, system = map(CharacterRun.of, corpora)
    if gold.text == system.text:
        return
    # Tokens that correspond one by one are paired without a search.
    assume(not _Search(gold, system, exceptions)._one_to_one(*all_of(gold, system)))
    points = path(gold, system, exceptions)
    read = [
        CharacterRun([exceptions.get(token, token) for token in side.tokens], side.ends)
        for side in (gold, system)
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
    gold, system = CharacterRun.of([["go", "zum", "x"]]), CharacterRun.of([["go", "zu", "dem", "x"]])
    assert [point[:2] for point in path(gold, system, {"zum": "zudem"})] == [(0, 0), (1, 1), (2, 3), (3, 4)]
    # Round brackets are known without a list, on either side.
    for mine, other in ((["-LRB-", "a"], ["(", "a"]), (["(", "a"], ["-LRB-", "a"])):
        assert path(CharacterRun.of([mine]), CharacterRun.of([other]))[-1] == (2, 2, 2)


# -- what long texts go through -------------------------------------------------------------------


def test_equal_runs_are_cut_where_both_are():
    gold, system = CharacterRun.of([["abc", "d"], ["ef"]]), CharacterRun.of([["ab", "cd"], ["e", "f"]])
    assert path(gold, system) == [(0, 0, 0), (2, 2, 4), (3, 4, 6)]
    same = CharacterRun.of([["abc", "d"], ["ef"]])
    assert path(gold, same) == [(0, 0, 0), (1, 1, 3), (2, 2, 4), (3, 3, 6)]


def test_a_side_without_tokens():
    gold, nothing = CharacterRun.of([["a", "b"], ["c"]]), CharacterRun.of([])
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
    mine, other = CharacterRun.of(gold), CharacterRun.of(system)
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


@pytest.mark.parametrize("turned", [False, True])
def test_a_sentence_in_far_more_text_is_found_by_anchors(monkeypatch, turned):
    """The limit depends on the product of both lengths."""
    many = words(400, 5)
    one = [*many[100:110], "zzzz", *many[111:130]]
    mine, other = map(CharacterRun.of, ([many], [one]) if turned else ([one], [many]))
    whole = align_runs(mine.text, other.text, mine.levels, other.levels)[1]
    called = []
    monkeypatch.setattr(
        solving, "align_runs", lambda a, b, *some: called.append(len(a) * len(b)) or align_runs(a, b, *some)
    )
    monkeypatch.setattr(solving, "DIRECT", len(mine.text) * len(other.text) - 1)
    assert path(mine, other) == whole
    assert sum(called) < len(mine.text) * len(other.text) / 8


@pytest.mark.parametrize("turned", [False, True])
def test_texts_that_share_nothing_are_searched_in_small_pieces(monkeypatch, turned):
    """Without anchors the chunk is halved until the kernel can take each piece."""
    rng = random.Random(1)
    sides = [
        CharacterRun.of(
            [["".join(rng.choices(letters, k=3)) for _ in range(rng.randint(*some))] for _ in range(count)]
        )
        for letters, some, count in (("abcdefgh", (4, 9), 40), ("stuvwxyz", (1, 4), 25))
    ]
    called = []
    monkeypatch.setattr(
        solving, "align_runs", lambda a, b, *some: called.append(len(a) * len(b)) or align_runs(a, b, *some)
    )
    monkeypatch.setattr(solving, "MOST", 2000)
    path(*reversed(sides)) if turned else path(*sides)
    assert 1000 < max(called) <= 2000


@pytest.mark.parametrize("most", [2000, 20_000])
def test_small_tables_find_nearly_the_same(monkeypatch, most):
    """Halves, in proportion or by sentences, where the kernel cannot take a piece as it is."""
    gold = sentences(40, 9)
    for rate in (0.05, 0.2):
        system = noisy(gold, rate, 3)
        del system[20]
        mine, other = CharacterRun.of(gold), CharacterRun.of(system)
        whole = set(path(mine, other))
        monkeypatch.setattr(solving, "MOST", most)
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


@given(corpus, st.integers(0, 4), st.integers(0, 4), st.integers(1, 4))
def test_grams(some, begin, less, size):
    run = CharacterRun.of(some)
    end = len(run.tokens) - less
    expected = []
    for k in range(begin, end):
        stop = min([e for e in run.ends if e > k] + [end])
        if run.starts[k] + size <= run.starts[min(stop, end)]:
            expected.append((run.text[run.starts[k] : run.starts[k] + size], k))
    often = Counter(text for text, _ in expected)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(running, "GRAM", size)
        found = grams(run, begin, end)
    assert found == {text: k if often[text] == 1 else -1 for text, k in expected}


def all_of(gold: CharacterRun, system: CharacterRun) -> tuple[int, int, int, int]:
    return 0, 0, len(gold.tokens), len(system.tokens)


def blocks(name: str, *numbers: int) -> list[str]:
    """Tokens of 16 characters each, all different: each is one gram."""
    return [f"{name}{number:03d}".ljust(16, "-") for number in numbers]


def found_anchors(gold: list[str], system: list[str]) -> list[tuple[int, int]]:
    mine, other = CharacterRun.of([gold]), CharacterRun.of([system])
    return anchors(mine, other, all_of(mine, other))


def test_anchors_are_unique_on_both_sides():
    gold, system = blocks("t", *range(12)), blocks("t", *range(12))
    gold[:2], system[:2] = blocks("u", 1, 2), blocks("v", 1, 2)
    assert found_anchors(gold, system) == [(k, k) for k in range(2, 12)]
    for k, (one, other) in enumerate(((gold, system), (system, gold))):
        again = [*one, one[11], *blocks("w", k)]
        assert found_anchors(again, other) == [(k, k) for k in range(2, 11)]


def test_anchors_of_edits_are_in_blocks_of_five_characters_or_more():
    words = sentences(1, 1)[0] * 30
    other = ["x", *words[:40], *"yyyyyy", *words[40:]]
    gold, system = CharacterRun.of([words]), CharacterRun.of([other])
    found = edit_anchors(gold, system, all_of(gold, system))
    assert found == [(1, 2), (40, 47)]
    # The first start with two characters behind it in the block, but not the start of the piece.
    for tokens, expected in (
        (["abc", "de"], [(1, 1)]),
        (["abcd", "e"], []),
        (["a", "b", "cde"], [(1, 1)]),
        (["ab", "cd"], []),
        (["abcde"], []),
    ):
        one, two = CharacterRun.of([tokens]), CharacterRun.of([[*tokens, "f"]])
        assert edit_anchors(one, two, all_of(one, two)) == expected
    # The token has to start on both sides.
    one, two = CharacterRun.of([["abc", "de"]]), CharacterRun.of([["ab", "cde"]])
    assert edit_anchors(one, two, all_of(one, two)) == []


def test_anchors_of_edits_are_trusted_only_in_equal_text():
    """Of up to 60 characters on either side 65 % are in blocks."""
    gold = CharacterRun.of([["x" * 30, "abcd", "efgh", "y" * 30]])
    for size, trusted in ((4, True), (5, False)):
        system = CharacterRun.of([["v" * size, "abcd", "efgh"]])
        found = edit_anchors(gold, system, (1, 0, 3, 3))
        assert found == ([(2, 2)] if trusted else [])
    # On the gold side, too.
    system = CharacterRun.of([["abcd", "efgh"]])
    assert edit_anchors(gold, system, all_of(gold, system)) == []


def test_unrelated_texts_have_no_anchors_of_edits():
    gold, system = CharacterRun.of(sentences(60, 3)), CharacterRun.of(sentences(60, 4))
    assert edit_anchors(gold, system, all_of(gold, system)) == []


# -- runs and parts of them -----------------------------------------------------------------------


def test_where_tokens_start():
    assert CharacterRun([], [0]).starts == [0]
    assert CharacterRun(["ab", "\U0001f600", "d\u00e9f"], [0, 3]).starts == [0, 2, 3, 6]


def test_a_run():
    run = CharacterRun.of([["Ab", "c"], [], ["def"]])
    assert (run.tokens, run.text, run.starts, run.ends) == (
        ["ab", "c", "def"],
        "abcdef",
        [0, 2, 3, 6],
        [0, 2, 3],
    )
    assert run.levels == bytes([2, 0, 1, 2, 0, 0, 2])


# -- sentences that have nothing to do with each other ----------------------------------------------


def test_unlike_pieces():
    gold = [["abcdefgh", "ij"], ["kl", "mn"], ["op", "qr"]]
    system = [["abcdefgh", "ij"], ["12", "34"], ["op", "qr"]]
    mine, other = CharacterRun.of(gold), CharacterRun.of(system)

    def piece(a, b, c, d, equal):
        return Piece((a, b), (c, d), (Unit(0, 1, 0, 1),), equal, (mine.size(a, b), other.size(c, d)))

    tell = partial(are_unrelated, gold=mine, system=other)
    like = piece(0, 1, 0, 1, 10)
    # Alone between two that are alike, with as many words or not: paired by its place.
    assert tell([like, piece(1, 2, 1, 2, 0), piece(2, 3, 2, 3, 4)]) == [False, False, False]
    # Several sentences in one piece only with as many words; those of one side are not unlike.
    assert tell([like, piece(1, 3, 1, 3, 0)]) == [False, False]
    assert tell([like, piece(1, 1, 1, 2, 0), piece(1, 3, 2, 3, 0)]) == [False, False, True]
    # At either end of a stretch it stands between two as well; a neighbour that is unlike is none.
    system = [["abcdefgh", "ij"], ["12", "34", "56"], ["op", "qr"]]
    longer = partial(are_unrelated, gold=mine, system=CharacterRun.of(system))
    assert longer([piece(1, 2, 1, 2, 0), like]) == [False, False]
    assert longer([like, piece(1, 2, 1, 2, 0)]) == [False, False]
    assert longer([like, piece(1, 2, 1, 2, 0), piece(1, 2, 1, 2, 0)]) == [False, True, True]
    # A share of 0.35 is enough: 3 of 8 characters, not 2.
    assert longer([like, piece(1, 3, 1, 3, 3)]) == [False, False]
    assert longer([like, piece(1, 3, 1, 3, 2)]) == [False, True]
    # Two sentences beside one are paired by their place only where they have as many words.
    for gold, system, spans in (
        ([4], [1, 2, 2], (0, 1, 1, 3)),
        ([1, 2, 2], [3, 4], (1, 3, 1, 2)),
        ([2], [1, 1, 1], (0, 1, 1, 3)),
    ):
        one, two = (CharacterRun.of([["x"] * n for n in lengths]) for lengths in (gold, system))
        assert are_unrelated([piece(*spans, 0)], one, two) == [False]
    apart = CharacterRun.of([["x"] * 3]), CharacterRun.of([["y"]] * 3)
    assert are_unrelated([piece(0, 1, 1, 3, 0)], *apart) == [True]


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize(
    ("text", "other", "elsewhere"),
    [
        # The first words of the other side, and the last.
        (["abcdefghijklmnop"], [["abcdefghijklmnop"], ["x"]], True),
        (["abcdefghijklmnop"], [["x"], ["abcdefghijklmnop"]], True),
        # Of two grams one, of three one.
        (["abcdefghijklmnop", "qrstuvwxyz123456"], [["x", "x"], ["abcdefghijklmnop"]], True),
        (["a" * 16, "b" * 16, "c" * 16], [["x", "x", "x"], ["b" * 16]], False),
        (["a" * 16, "b" * 16, "c" * 16], [["x", "x", "x"], ["b" * 16], ["c" * 16]], True),
        # Across a sentence end a text is another one; what is shorter than a gram is none.
        (["abcdefgh", "ijklmnop"], [["x", "x"], ["abcdefgh"], ["ijklmnop"]], False),
        (["abcdefghijklmno"], [["x"], ["abcdefghijklmno"]], False),
    ],
)
def test_moved_sentences(turned, text, other, elsewhere):
    """Half of a sentence's 16-grams are elsewhere on the other side."""
    at = next(k for k, some in enumerate(other) if len(some) == len(text) and some[0] == "x")
    mine, others = CharacterRun.of([text]), CharacterRun.of(other)
    spans = (0, 1), (at, at + 1)
    if turned:
        mine, others, spans = others, mine, spans[::-1]
    piece = Piece(*spans, (), 0, (0, 0))
    assert are_unrelated([piece], mine, others) == [elsewhere]


def test_two_sentences_have_no_text_across_their_border_elsewhere():
    gold, system = (
        CharacterRun.of([["x", "x"], ["abcdefghijklmnop"]]),
        CharacterRun.of([["abcdefgh"], ["ijklmnop"]]),
    )
    assert are_unrelated([Piece((0, 1), (0, 2), (), 0, (0, 0))], gold, system) == [False]


def test_sentences_of_other_lengths_are_paired_between_others_alone():
    gold, system = [["ab"], ["cd", "ef", "gh"], ["ij"]], [["ab"], ["12", "34"], ["ij"]]
    spans = [(*bead.gold, *bead.system) for bead in align(gold, system, lang="none")]
    assert spans == [(0, 1, 0, 1), (1, 2, 1, 2), (2, 3, 2, 3)]
    # Two in a row: each side's stand alone.
    more = [["12", "34"], ["56", "78", "90", "11"]]
    spans = [(*b.gold, *b.system) for b in align([["cd", "ef", "gh"], ["kl", "mn"]], more, lang="none")]
    assert all(a == b or c == d for a, b, c, d in spans)
    # As many words: one bead.
    more = [["12", "34"], ["56", "78", "90"]]
    (bead,) = align([["cd", "ef", "gh"], ["kl", "mn"]], more, lang="none")
    assert (bead.gold, bead.system, len(bead.units)) == ((0, 2), (0, 2), 5)


def test_moved_sentences_are_not_paired_by_position():
    text = [words_of(line) for line in make_treebank(12, 5)]
    text = [some for some in text if sum(map(len, some)) > 40][:4]
    gold, system = [*text[:3], text[3]], [text[0], text[2], text[1], text[3]]
    spans = [(*bead.gold, *bead.system) for bead in align(gold, system, lang="none")]
    paired = [(a, c) for a, b, c, d in spans if a < b and c < d]
    assert len(paired) == 3
    assert all(gold[a] == system[c] for a, c in paired)


def test_how_many_characters_of_a_bead_are_equal():
    """0 if the other side has no text, and None if neither side has any."""
    beads = solve([["abcdefgh"], ["xyz", "uvw"], []], [["abcdefgh"], []])
    assert [(bead.gold, bead.aligned, bead.equal) for bead in beads] == [
        ((0, 1), True, 8),
        ((1, 2), False, 0),
        ((2, 3), True, None),
    ]


@pytest.mark.parametrize(
    ("places", "units"),
    [
        # A step of both sides is a unit; tokens of one side between two such steps are in none.
        ([(0, 0), (1, 1), (2, 2)], [(0, 1, 0, 1), (1, 2, 1, 2)]),
        ([(0, 0), (1, 0), (2, 2)], [(1, 2, 0, 2)]),
        ([(0, 0), (0, 1), (2, 2)], [(0, 2, 1, 2)]),
        ([(0, 0), (1, 2), (2, 2), (3, 2)], [(0, 1, 0, 2)]),
        ([(0, 0), (1, 1), (2, 1), (3, 2), (3, 3)], [(0, 1, 0, 1), (2, 3, 1, 2)]),
        # Tokens of both sides between two steps, or with none, are one unit.
        ([(0, 0), (1, 0), (1, 1), (2, 2)], [(0, 1, 0, 1), (1, 2, 1, 2)]),
        (
            [(0, 0), (1, 1), (3, 1), (3, 2), (4, 3), (4, 4), (5, 4)],
            [(0, 1, 0, 1), (1, 3, 1, 2), (3, 4, 2, 3), (4, 5, 3, 4)],
        ),
        ([(0, 0), (0, 1), (1, 1), (1, 2)], [(0, 1, 0, 2)]),
        ([(0, 0), (1, 0), (2, 0)], [(0, 1, 0, 0), (1, 2, 0, 0)]),
        ([(0, 0), (0, 1), (0, 2)], [(0, 0, 0, 1), (0, 0, 1, 2)]),
    ],
)
def test_units_between_two_points(places, units):
    for a, b in ((0, 0), (5, 7)):
        points = [(i + a, j + b, k) for k, (i, j) in enumerate(places)]
        assert units_of([(0, 0, 0), *points, (99, 99, 0)], 1, len(points)) == tuple(units)


@pytest.mark.parametrize(
    ("ends", "units"),
    [
        # As many tokens on both sides, or no more than two, correspond as the path says.
        ([(1, 1), (2, 2), (3, 3)], [(0, 1, 0, 1), (1, 2, 1, 2), (2, 3, 2, 3)]),
        ([(1, 1), (2, 1)], [(0, 1, 0, 1)]),
        # Others are one unit, also with tokens of one side at its edges.
        ([(1, 1), (2, 3)], [(0, 2, 0, 3)]),
        ([(0, 1), (1, 2), (1, 3)], [(0, 1, 0, 3)]),
        ([(1, 0), (2, 1), (3, 1)], [(0, 3, 0, 1)]),
        ([(0, 1), (0, 2), (0, 3)], []),
    ],
)
def test_words_without_equal_characters_are_one_unit_if_their_numbers_differ(ends, units):
    n, m = ends[-1]
    found = units_of([(0, 0, 0), *[(i, j, 0) for i, j in ends], (n + 1, m + 1, 1)], 0, len(ends) + 1)
    assert found == (*[Unit(*unit) for unit in units], (n, n + 1, m, m + 1))
    # Equal characters on both sides of them change nothing.
    points = [(0, 0, 0), (1, 1, 1), *[(i + 1, j + 1, 1) for i, j in ends]]
    found = units_of(points, 0, len(ends) + 1)
    assert found == ((0, 1, 0, 1), *[tuple(k + 1 for k in unit) for unit in units])


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
    mine, other = (CharacterRun.of([["w"] * n for n in lengths]) for lengths in (gold, system))
    assert solving._Search(mine, other, {})._half(*begin, sum(gold), sum(system)) == ([half] if half else [])


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("at", [0, 17, 39])
def test_a_sentence_is_found_at_the_ends_of_far_more_text(monkeypatch, at, turned):
    """Of a far longer side both ends are searched; nothing is lost in between."""
    many = sentences(40, 77)
    one = noisy([many[at]], 0.1, 1)
    monkeypatch.setattr(solving, "MOST", 9000)
    sides = (many, one) if turned else (one, many)
    beads = solve(*sides)
    spans = [(bead.system, bead.gold) if turned else (bead.gold, bead.system) for bead in beads]
    if at in (0, 39):
        assert ((0, 1), (at, at + 1)) in spans
    assert sum(b - a for _, (a, b) in spans) == 40
