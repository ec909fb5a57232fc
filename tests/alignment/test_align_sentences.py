"""Sentence beads: no sentence is lost, alignment recovers after bad input, and files are streamed."""

from __future__ import annotations

import itertools
import random
from importlib import import_module

import pytest
from hypothesis import given, settings, strategies as st

from jpevalb import AlignedBead, align
from jpevalb.alignment import Unit, stream, with_unaligned
from jpevalb.alignment.stream import stretches
from jpevalb.base.errors import JpevalbError, SettingsError
from jpevalb.trees.tree import Tree
from tests.benchmarks.alignment_noise import Noise, make_sample
from tests.support.aligned import check
from tests.support.treebanks import treebank_words

pytestmark = pytest.mark.slow


def beads(gold, system):
    """The beads with their sentences."""
    found = align(gold, system, lang="none")
    return [(bead, gold[slice(*bead.gold)], system[slice(*bead.system)]) for bead in found]


def spans(gold, system):
    """The beads as (gold start, gold end, system start, system end)."""
    return [(*bead.gold, *bead.system) for bead in align(gold, system, lang="none")]


def lines(text: str) -> list[list[str]]:
    """One sentence for each part between bars."""
    return [part.split() for part in text.split("|")]


def check_cover(gold, system, found):
    i = j = 0
    for bead, golds, systems in found:
        assert bead.gold[0] == i
        assert bead.system[0] == j
        i, j = bead.gold[1], bead.system[1]
        assert list(golds) == gold[bead.gold[0] : i]
        assert list(systems) == system[bead.system[0] : j]
        assert golds or systems
        assert bead.aligned == (any(golds) == any(systems))
        if not bead.aligned:
            assert max(len(golds), len(systems)) == 1
    assert (i, j) == (len(gold), len(system))


A, B, C, D, E = (
    ["the", "cat", "sat", "on", "the", "mat", "."],
    ["dogs", "bark", "at", "night", "because", "they", "are", "bored", "."],
    ["nobody", "knew", "what", "had", "become", "of", "the", "third", "one", "."],
    ["it", "rained", "."],
    ["five", "more", "sentences", "would", "have", "made", "it", "a", "paragraph", "!"],
)


@pytest.mark.parametrize(
    ("gold", "system", "expected"),
    [
        ([], [], []),
        ([A], [A], [(0, 1, 0, 1)]),
        ([A, B], [], [(0, 1, 0, 0), (1, 2, 0, 0)]),
        ([], [A, B], [(0, 0, 0, 1), (0, 0, 1, 2)]),
        # The first or the last sentence merged or split, and both in a row.
        ([A, B, C], [A + B, C], [(0, 2, 0, 1), (2, 3, 1, 2)]),
        ([A + B, C], [A, B, C], [(0, 1, 0, 2), (1, 2, 2, 3)]),
        ([A, B, C], [A, B + C], [(0, 1, 0, 1), (1, 3, 1, 2)]),
        ([A, B + C], [A, B, C], [(0, 1, 0, 1), (1, 2, 1, 3)]),
        ([A, B, C, D, E], [A + B, C + D, E], [(0, 2, 0, 1), (2, 4, 1, 2), (4, 5, 2, 3)]),
        ([A, B, C, D], [A + B + C + D], [(0, 4, 0, 1)]),
        ([A, B, C], [A + B[:3], B[3:] + C], [(0, 3, 0, 2)]),
        # A short piece split off and merged into the next sentence.
        ([A + B, C + D], [A + B[:-1], B[-1:] + C + D], [(0, 2, 0, 2)]),
        # A sentence that is missing or made up, in any place.
        ([A, B, C], [B, C], [(0, 1, 0, 0), (1, 2, 0, 1), (2, 3, 1, 2)]),
        ([A, B, C], [A, C], [(0, 1, 0, 1), (1, 2, 1, 1), (2, 3, 1, 2)]),
        ([A, B, C], [A, B], [(0, 1, 0, 1), (1, 2, 1, 2), (2, 3, 2, 2)]),
        ([A, C], [A, B, C], [(0, 1, 0, 1), (1, 1, 1, 2), (1, 2, 2, 3)]),
        ([A, B, C, D, E], [A, E], [(0, 1, 0, 1), (1, 2, 1, 1), (2, 3, 1, 1), (3, 4, 1, 1), (4, 5, 1, 2)]),
        ([A], [A, B, C, D], [(0, 1, 0, 1), (1, 1, 1, 2), (1, 1, 2, 3), (1, 1, 3, 4)]),
        # One sentence in the other's place.
        ([A, B, C], [A, E, C], [(0, 1, 0, 1), (1, 2, 1, 2), (2, 3, 2, 3)]),
        # A short sentence that comes again is no place to close a region at.
        ([D, A, D, B, D, C], [A + D, B, D, C], None),
    ],
)
def test_known_corpora(gold, system, expected):
    found = spans(gold, system)
    if expected is not None:
        assert found == expected
        assert spans(system, gold) == [(c, d, a, b) for a, b, c, d in expected]
    check_cover(gold, system, beads(gold, system))


@pytest.mark.parametrize(
    ("gold", "system", "expected", "unaligned"),
    [
        # A parse that failed leaves a blank in its place and pulls nothing in.
        ([A, B, C], [A, [], C], [(0, 1, 0, 1), (1, 2, 1, 2), (2, 3, 2, 3)], [1]),
        ([A, B, C], [[], B, C], [(0, 1, 0, 1), (1, 2, 1, 2), (2, 3, 2, 3)], [0]),
        ([A, B, C], [A, B, []], [(0, 1, 0, 1), (1, 2, 1, 2), (2, 3, 2, 3)], [2]),
        ([A, B, C, D], [A, [], [], D], [(i, i + 1, i, i + 1) for i in range(4)], [1, 2]),
        ([A, B, C], [[], [], []], [(i, i + 1, i, i + 1) for i in range(3)], [0, 1, 2]),
        ([A, B, C + D], [A, [], C, D], [(0, 1, 0, 1), (1, 2, 1, 2), (2, 3, 2, 4)], [1]),
        # A blank too many stands alone.
        ([A, B], [A, [], B], [(0, 1, 0, 1), (1, 1, 1, 2), (1, 2, 2, 3)], []),
        ([A, B], [[], [], A, B], [(0, 0, 0, 1), (0, 0, 1, 2), (0, 1, 2, 3), (1, 2, 3, 4)], []),
        ([A, B], [A, B, []], [(0, 1, 0, 1), (1, 2, 1, 2), (2, 2, 2, 3)], []),
        # Blanks on both sides match.
        ([[], A, []], [[], A, []], [(i, i + 1, i, i + 1) for i in range(3)], []),
        # A token without text is a word.
        ([A, [], B], [A, [" "], B], [(i, i + 1, i, i + 1) for i in range(3)], [1]),
    ],
)
def test_blank_sentences(gold, system, expected, unaligned):
    for mine, other, wanted in (
        (gold, system, expected),
        (system, gold, [(c, d, a, b) for a, b, c, d in expected]),
    ):
        found = beads(mine, other)
        check_cover(mine, other, found)
        assert [(*bead.gold, *bead.system) for bead, _, _ in found] == wanted
        assert [k for k, (bead, _, _) in enumerate(found) if not bead.aligned] == unaligned


@pytest.mark.parametrize("count", [60, 201, 900])
def test_many_blank_sentences(count):
    gold = treebank_words(1100)
    pairs = [(i, i + 1, i, i + 1) for i in range(1100)]
    failed = gold[:90] + [[]] * count + gold[90 + count :]
    assert spans(gold, failed) == pairs
    added = gold[:90] + [[]] * count + gold[90:]
    moved = [(i, i + 1, i + count, i + count + 1) for i in range(90, 1100)]
    assert spans(gold, added) == [
        *pairs[:90],
        *[(90, 90, 90 + k, 91 + k) for k in range(count)],
        *moved,
    ]
    # A gap behind them says nothing of where they stand.
    missing = gold[:90] + [[]] * count + gold[90 + count + 40 :]
    found = spans(gold, missing)
    assert found[: 90 + count] == pairs[: 90 + count]
    assert found[-20:] == [(i, i + 1, i - 40, i - 39) for i in range(1080, 1100)]


def test_similar_pairs_are_beads_at_the_published_ratio():
    gold = [A, B, C, E]
    system = [A, [*B[:-2], "bord", "."], [*C[:3], "hd", *C[4:]], E]
    assert spans(gold, system) == [(i, i + 1, i, i + 1) for i in range(4)]


# -- properties ------------------------------------------------------------------------

sentence = st.lists(st.sampled_from(["a", "b", "ab", "Ab", "c", "", "ca", "n't"]), max_size=5)
corpus = st.lists(sentence, max_size=12)


NOISE = Noise(
    merge=0.1, split=0.1, join_tokens=0.1, split_token=0.1, misspell=0.03, drop=0.03, insert=0.01, lose=0.02
)

solving, running = (import_module(f"jpevalb.alignment.{name}") for name in ("solve", "run"))

SHORT = [
    (stream, "WINDOWS", (20, 60, 150)),
    (stream, "TOGETHER", 3),
    (stream, "NEAR", 2),
    (stream, "SURE", 5),
    (stream, "KEY", 2),
    (stream, "LINKS", 2),
    (running, "GRAM", 8),
    (solving, "DIRECT", 20),
    (solving, "MOST", 400),
    (running, "AROUND", 6),
]
"""Limits so short that small corpora go beyond them all."""


@settings(deadline=None, max_examples=150)
@given(st.lists(sentence, max_size=40), st.lists(sentence, max_size=40), st.data())
def test_every_sentence_is_in_one_bead_whatever_is_looked_ahead_at(gold, system, data):
    part = gold[data.draw(st.integers(0, 40)) :]
    with pytest.MonkeyPatch.context() as patch:
        for module, name, value in SHORT:
            patch.setattr(module, name, value)
        for mine, other in ((gold, system), (gold, part), (part + gold, gold + system)):
            check_cover(mine, other, beads(mine, other))


@pytest.mark.parametrize("noise", [Noise(), NOISE])
def test_stretches_taken_out_anywhere_lose_nothing(monkeypatch, noise):
    for module, name, value in SHORT:
        monkeypatch.setattr(module, name, value)
    alone = 0
    for seed in range(6):
        rng = random.Random(seed)
        sample = make_sample(treebank_words(60, seed), noise, rng)
        sides = sample.gold, sample.system
        for side in sides:
            for _ in range(rng.randrange(4)):
                begin = rng.randrange(len(side))
                side[begin : begin + rng.randrange(12)] = treebank_words(rng.choice((0, 0, 3)), seed + 100)
        found = beads(*sides)
        check_cover(*sides, found)
        alone += sum(not bead.aligned for bead, _, _ in found)
    assert alone > 6


def check_walks_from_everywhere(gold, system):
    """A walk begun where a stretch ends finds what the walk from the beginning does: workers rely on it."""
    found, places = spans(gold, system), [(0, 0)]
    for part in stretches(gold, system, words=list):
        places.append((places[-1][0] + len(part.gold), places[-1][1] + len(part.system)))
    assert places[-1] == (len(gold), len(system))
    for i, j in places:
        later = [(a - i, b - i, c - j, d - j) for a, b, c, d in found if a >= i and c >= j]
        assert spans(gold[i:], system[j:]) == later
    return len(places), len(found)


@settings(deadline=None, max_examples=100)
@given(st.lists(sentence, max_size=20), st.lists(sentence, max_size=20))
def test_a_walk_may_begin_wherever_a_stretch_ends(gold, system):
    with pytest.MonkeyPatch.context() as patch:
        for module, name, value in SHORT:
            patch.setattr(module, name, value)
        check_walks_from_everywhere(gold, system)
        check_walks_from_everywhere(gold, gold[3:] + system)


@pytest.mark.parametrize("short", [False, True])
def test_a_walk_over_a_treebank_may_begin_wherever_a_stretch_ends(monkeypatch, short):
    for module, name, value in SHORT if short else ():
        monkeypatch.setattr(module, name, value)
    places = number = 0
    for seed in range(4):
        rng = random.Random(seed)
        sample = make_sample(treebank_words(50, seed), NOISE, rng)
        for side in (sample.gold, sample.system):
            begin = rng.randrange(len(side))
            side[begin : begin + rng.randrange(12)] = treebank_words(rng.choice((0, 3)), seed + 100)
        more = check_walks_from_everywhere(sample.gold, sample.system)
        places, number = places + more[0], number + more[1]
    assert 4 * 2 <= places < number


@settings(deadline=None)
@given(corpus)
def test_a_corpus_matches_itself(gold):
    assert spans(gold, [list(words) for words in gold]) == [(i, i + 1, i, i + 1) for i in range(len(gold))]


@settings(deadline=None)
@given(st.lists(st.sampled_from("abcdef"), min_size=1, max_size=40), st.data())
def test_equal_characters_are_cut_at_every_common_boundary(words, data):
    def cut():
        inner = st.sets(st.integers(1, len(words)), max_size=10)
        bounds = sorted({0, len(words)} | data.draw(inner))
        return bounds, [words[a:b] for a, b in itertools.pairwise(bounds)]

    (mine, gold), (other, system) = cut(), cut()
    common = sorted(set(mine) & set(other))
    expected = [
        (mine.index(a), mine.index(b), other.index(a), other.index(b)) for a, b in itertools.pairwise(common)
    ]
    assert spans(gold, system) == expected
    assert spans(system, gold) == [(c, d, a, b) for a, b, c, d in expected]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("side", ["gold", "system", "both"])
def test_a_sentence_more_at_one_end_changes_nothing_at_the_other(seed, side):
    sample = make_sample(treebank_words(150, seed), NOISE, random.Random(seed))
    before = spans(sample.gold, sample.system)
    extra = [C]
    mine = extra if side != "system" else []
    other = extra if side != "gold" else []
    longer = spans(sample.gold + mine, sample.system + other)
    sure = [span for span in before if span[1] < 120]
    assert len(sure) > 80
    assert longer[: len(sure)] == sure
    later = spans(mine + sample.gold, other + sample.system)
    shifted = [(a + len(mine), b + len(mine), c + len(other), d + len(other)) for a, b, c, d in before]
    sure = [span for span in shifted if span[0] > 30]
    assert len(sure) > 80
    assert later[-len(sure) :] == sure


@pytest.mark.parametrize("seed", range(3))
def test_swapping_sides_mirrors_the_beads(seed):
    sample = make_sample(treebank_words(200, seed), NOISE, random.Random(seed))
    forward = set(spans(sample.gold, sample.system))
    backward = {(c, d, a, b) for a, b, c, d in spans(sample.system, sample.gold)}
    assert len(forward & backward) >= 0.98 * len(forward)


@pytest.mark.parametrize("lost", [1, 20, 201, 900])
def test_each_sentence_that_one_file_lacks_is_a_bead(lost):
    gold = treebank_words(1000)
    for place in (0, 50, 1000 - lost):
        system = gold[:place] + gold[place + lost :]
        expected = [(i, i + 1, i, i + 1) for i in range(place)]
        expected += [(i, i + 1, place, place) for i in range(place, place + lost)]
        expected += [(i + lost, i + lost + 1, i, i + 1) for i in range(place, 1000 - lost)]
        found = align(gold, system, lang="none")
        assert [(*bead.gold, *bead.system) for bead in found] == expected
        assert sum(not bead.aligned for bead in found) == lost
        assert spans(system, gold) == [(c, d, a, b) for a, b, c, d in expected]


def test_stretches_of_other_text_of_any_length_are_left_out():
    gold = treebank_words(300, 1)
    for mine, other in ((250, 300), (700, 220), (30, 900)):
        left = gold[:100] + treebank_words(mine, 2) + gold[100:]
        right = gold[:100] + treebank_words(other, 3) + gold[100:]
        cut = beads(left, right)
        check_cover(left, right, cut)
        found = [(*bead.gold, *bead.system) for bead, _, _ in cut]
        assert found[:100] == [(i, i + 1, i, i + 1) for i in range(100)]
        assert found[-200:] == [(i + mine, i + mine + 1, i + other, i + other + 1) for i in range(100, 300)]
        # A sentence is given one that it has nothing to do with only where it has as many words, but for one
        # pair that has enough equal letters by chance.
        paired = [(b - a, d - c) for a, b, c, d in found[100:-200] if a < b and c < d]
        assert len(paired) < 0.1 * min(mine, other)
        others = [
            (a, c)
            for a, b, c, d in found[100:-200]
            if a < b and c < d and sum(map(len, left[a:b])) != sum(map(len, right[c:d]))
        ]
        assert len(others) <= 1


HEADINGS = (["Get", "in"], ["Understand"], ["By", "plane"], ["See"])


@pytest.mark.parametrize("lost", [30, 60, 150, 400])
def test_short_sentences_that_come_again_are_no_place_to_go_on(lost):
    text = treebank_words(800)
    gold = [
        words
        for k, words in enumerate(text)
        for words in ([*HEADINGS[k // 5 % 4 :][:1]] * (k % 5 == 0) + [words])
    ]
    system = gold[:300] + gold[300 + lost :]
    found = spans(gold, system)
    assert found[:300] == [(i, i + 1, i, i + 1) for i in range(300)]
    assert found[300 + lost + 1 :] == [
        (i, i + 1, i - lost, i - lost + 1) for i in range(300 + lost + 1, len(gold))
    ]


# -- streaming and limits ----------------------------------------------------------------


class Tap:
    """Counts how many sentences were read and not yet given out."""

    def __init__(self) -> None:
        self.waiting = 0
        self.most = 0

    def read(self, source):
        for item in source:
            self.waiting += 1
            self.most = max(self.most, self.waiting)
            yield item


def most_waiting(gold, system) -> tuple[int, int]:
    mine, other = Tap(), Tap()
    count = 0
    for part in stretches(mine.read(gold), other.read(system), words=list):
        mine.waiting -= len(part.gold)
        other.waiting -= len(part.system)
        count += max(len(part.gold), len(part.system))
    assert mine.waiting == other.waiting == 0
    return max(mine.most, other.most), count


def test_equal_files_are_read_a_few_sentences_at_a_time():
    words = treebank_words(50)
    many = 100_000
    repeated = itertools.islice(itertools.cycle(words), many), itertools.islice(itertools.cycle(words), many)
    assert most_waiting(*repeated) == (stream.TOGETHER, many)


def test_noisy_files_are_read_a_window_at_a_time():
    sample = make_sample(treebank_words(300), NOISE, random.Random(1))
    waiting, _ = most_waiting(sample.gold * 10, sample.system * 10)
    longest = max(sum(map(len, words)) for words in sample.gold + sample.system)
    assert stream.WINDOWS[0] / longest < waiting
    assert waiting < stream.WINDOWS[1] / 40


def test_unrelated_files_are_read_as_far_as_the_largest_window(monkeypatch):
    monkeypatch.setattr(stream, "WINDOWS", (1000, 20_000))
    gold, system = treebank_words(1500, 1), treebank_words(1200, 2)
    waiting, count = most_waiting(gold, system)
    characters = sum(map(len, itertools.chain(*gold))) / len(gold)
    assert waiting < 1.2 * 20_000 / characters
    assert 1500 <= count <= 2700
    # Short enough windows never reach to the other side of a gap, long enough ones do.
    after = treebank_words(200, 4)
    assert not {spans(gold + after, after)[-1]} & {(1699, 1700, 199, 200)}
    monkeypatch.setattr(stream, "WINDOWS", (1000, 250_000))
    assert spans(gold + after, after)[-200:] == [(1500 + i, 1501 + i, i, i + 1) for i in range(200)]


def test_far_more_lines_on_one_side():
    gold = treebank_words(30)
    waiting, count = most_waiting(gold, gold + treebank_words(5000, 2))
    assert waiting <= stream.TOGETHER
    assert count == 30 + 5000


def test_a_sentence_without_end_is_cut_at_the_limit_of_characters():
    long = [f"word{k}" for k in range(60_000)]
    gold = [long, A, B]
    system = [[word + "x" for word in long[:20_000]], long[20_000:], A, B]
    found = beads(gold, system)
    check_cover(gold, system, found)
    assert (*found[-1][0].gold, *found[-1][0].system) == (2, 3, 3, 4)


# -- align() -----------------------------------------------------------------------------


def test_align_takes_sentences_of_every_kind():
    nltk_tree = pytest.importorskip("nltk.tree").Tree
    text = "(S (A I) (V ca) (N n't) (V go))"
    kinds = [text, Tree.parse(text), nltk_tree.fromstring(text), ["I", "ca", "n't", "go"]]
    for gold, system in itertools.product(kinds, kinds):
        (bead,) = align([gold], [system])
        assert bead == AlignedBead((0, 1), (0, 1), True, tuple((i, i + 1, i, i + 1) for i in range(4)))


def test_align_gives_units_of_the_whole_bead():
    assert align([["a", "b"], ["c"]], [["a", "bc"]]) == [
        AlignedBead((0, 2), (0, 1), True, ((0, 1, 0, 1), (1, 3, 1, 2)))
    ]
    assert with_unaligned([Unit(1, 2, 1, 2)], 2, 2) == ((0, 1, 0, 0), (1, 1, 0, 1), (1, 2, 1, 2))
    assert align([["a", "b"]], [[]]) == [AlignedBead((0, 1), (0, 1), False, ((0, 1, 0, 0), (1, 2, 0, 0)))]


@settings(deadline=None)
@given(corpus, corpus)
def test_align_puts_every_sentence_into_one_bead(gold, system):
    check(gold, system, align(gold, system), blanks=True)


@pytest.mark.parametrize(
    ("gold", "options", "kind", "message"),
    [
        ("(S (A a))", {}, JpevalbError, "gold: got an object of type str; expected an iterable of sentences"),
        (3, {}, JpevalbError, "gold: got an object of type int; expected an iterable of sentences"),
        (
            [["a"], 3],
            {},
            JpevalbError,
            "gold: sentence 2: got an object of type int; expected a tree, bracket text",
        ),
        (["(S (A a)"], {}, JpevalbError, "gold: sentence 1: "),
        ([["a"]], {"lang": "xx"}, SettingsError, "lang='xx'; expected one of ar, ca, de, el"),
    ],
)
def test_align_reports_errors(gold, options, kind, message):
    with pytest.raises(kind) as caught:
        align(gold, [["a"]], **options)
    assert str(caught.value).startswith(message)


def test_align_with_custom_lists(tmp_path):
    path = tmp_path / "mine.tsv"
    path.write_text("ca\tcan\nn't\tnot\n", encoding="utf-8")
    split = ((0, 1, 0, 1), (1, 2, 1, 2))
    for exceptions in (path, str(path), {"Ca": "can", "N't": "n ot"}):
        (bead,) = align([["ca", "n't"]], [["can", "not"]], lang="none", exceptions=exceptions)
        assert bead.units == split
    (bead,) = align([["du", "vin"]], [["de", "le", "vin"]], lang="none", exceptions={"Du": "de le"})
    assert bead.units == ((0, 1, 0, 2), (1, 2, 2, 3))


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_doubled_sentence_with_an_error_is_left_out_as_a_whole(seed):
    """The path must not mix both copies, to pair the word that is wrong with some word of the second copy."""
    gold = treebank_words(60, seed)
    rng = random.Random(seed)
    system, beads = [], []
    for number, words in enumerate(gold):
        copy = list(words)
        if number % 4 == 1:
            copy[rng.randrange(1, len(copy) - 1)] = rng.choice(gold[number - 1])
        system += [copy] * (1 + number % 4 % 2)
        beads.append(((number, number + 1), len(words)))
    found = {bead.gold: len(bead.units) for bead in align(gold, system) if bead.aligned}
    assert found == dict(beads)


def test_sentences_of_one_word_are_paired():
    gold = [["I", "agree", "with", "you"], ["Okay"], ["Then", "we", "go", "home", "now"]]
    system = [["I", "agree", "with", "you"], ["Hunh"], ["Then", "we", "go", "home", "now"]]
    assert [bead.aligned for bead in align(gold, system)] == [True] * 3


def test_single_characters_are_not_spread_over_sentences_that_they_lack():
    gold = treebank_words(60, 4)
    system = [list("".join(words)) for number, words in enumerate(gold) if number % 5]
    for turned in (False, True):
        sides = (system, gold) if turned else (gold, system)
        found = [bead.gold + bead.system for bead in align(*sides) if bead.aligned]
        kept = [number for number in range(60) if number % 5]
        spans = [(k, k + 1, at, at + 1) for at, k in enumerate(kept)]
        assert found == ([(*span[2:], *span[:2]) for span in spans] if turned else spans)
