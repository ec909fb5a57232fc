"""Cuts of two files into chunks, compared with a slow stateless search."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from typing import NamedTuple

import pytest

from jpevalb import align
from jpevalb.alignment import stream
from jpevalb.alignment.run import longest_chain
from jpevalb.alignment.solve import solve
from jpevalb.alignment.stream import stretches
from jpevalb.trees.words import compared
from tests.benchmarks.alignment_noise import Noise, make_sample
from tests.support.treebanks import treebank_words

Corpus = list[list[str]]


class Limits(NamedTuple):
    """The numbers that decide where files are cut; scores depend on them."""

    WINDOWS: tuple[int, ...] = (8_192, 65_536, 524_288, 4_194_304)
    TOGETHER: int = 64
    NEAR: int = 8
    SURE: int = 64
    KEY: int = 16
    LINKS: int = 8


class Layout:
    """The characters of a window, and where tokens and sentences end."""

    def __init__(self, sentences: Corpus) -> None:
        texts = [[compared(word) for word in words] for words in sentences if words]
        tokens = [text for some in texts for text in some]
        self.text = "".join(tokens)
        self.starts = [0, *itertools.accumulate(map(len, tokens))]
        self.ends = [0, *itertools.accumulate(sum(map(len, some)) for some in texts)]
        ends, starts = set(self.ends), set(self.starts)
        self.levels = [2 if k in ends else int(k in starts) for k in range(len(self.text) + 1)]

    def known(self, size: int) -> dict[str, int]:
        """The sentences up to each end whose neighbourhood comes once."""
        around = [(self.text[max(0, end - size) : end + size], k) for k, end in enumerate(self.ends)]
        often = Counter(text for text, _ in around if len(text) == 2 * size)
        return {text: k for text, k in around if often[text] == 1}


def slow_window(sentences: Corpus, characters: int) -> tuple[Corpus, bool]:
    sizes = itertools.accumulate(1 + sum(map(len, words)) for words in sentences)
    count = sum(1 for size in itertools.takewhile(lambda size: size < characters, sizes)) + 1
    total = sum(1 + sum(map(len, words)) for words in sentences)
    return sentences[:count], total < characters


def slow_near(gold: Corpus, system: Corpus, limits: Limits) -> int:
    for first in range(1, limits.NEAR + 1):
        same = list(itertools.takewhile(lambda pair: pair[0] == pair[1], zip(gold[first:], system[first:])))
        before = zip(gold[first - 1 :], system[first - 1 :])
        for count, ((words, _), (mine, other)) in enumerate(zip(same, before), 1):
            if words in (mine, other):
                return 0
            if count >= 2 and sum(len("".join(one)) for one, _ in same[:count]) >= limits.SURE:
                return first
        if first + len(same) >= min(len(gold), len(system)):
            return 0
    return 0


def slow_equal(gold: Layout, system: Layout, least: int) -> tuple[int, int] | None:
    same = sum(1 for _ in itertools.takewhile(lambda pair: pair[0] == pair[1], zip(gold.text, system.text)))
    places = [end for end in system.ends if end in gold.ends and least <= end <= same and end]
    return (gold.ends.index(places[-1]), system.ends.index(places[-1])) if places else None


def slow_known(
    gold: Layout, system: Layout, limit: int, limits: Limits, least: int
) -> tuple[int, int] | None:
    mine, other = gold.known(limits.KEY), system.known(limits.KEY)
    links = [(k, other[text]) for text, k in mine.items() if text in other]
    chain = longest_chain(links)
    if len(chain) < least or len(chain) / len(links) < 0.75:
        return None
    found = None
    for i, j in chain[:-1]:
        p, q = gold.ends[i], system.ends[j]
        levels = [gold.levels[p + k] == system.levels[q + k] for k in range(-limits.KEY, limits.KEY + 1)]
        if max(p, q) <= limit and all(levels):
            found = i, j
    return found


def slow_cut(gold: Corpus, system: Corpus, limits: Limits) -> tuple[str, int, int]:
    """Why a stretch that is not in step ends, and how many sentences of either side it has."""
    if not gold or not system:
        return "ended", min(len(gold), limits.TOGETHER), min(len(system), limits.TOGETHER)
    near = slow_near(gold, system, limits)
    if near:
        return "near", near, near
    for characters in limits.WINDOWS:
        (mine, ended), (other, other_ended) = (slow_window(side, characters) for side in (gold, system))
        if ended and other_ended:
            return "both", len(mine), len(other)
        one, two = Layout(mine), Layout(other)
        limit = characters * 3 // 4
        tried = {
            "equal": slow_equal(one, two, limit // 3),
            "known": slow_known(one, two, limit, limits, limits.LINKS),
        }
        if characters == limits.WINDOWS[-1]:
            tried["last"] = slow_known(one, two, limit, limits, 1)
        for why, cut in tried.items():
            if cut is not None:
                return why, with_blanks(mine, cut[0]), with_blanks(other, cut[1])
    return "halves", (len(mine) + 1) // 2, (len(other) + 1) // 2


def with_blanks(side: Corpus, full: int) -> int:
    """The sentences up to the end of the one of that number among those with words."""
    return [k for k, words in enumerate(side, 1) if words][full - 1]


def slow_stretches(gold: Corpus, system: Corpus, limits: Limits) -> list[tuple[str, int, int]]:
    found = []
    while gold or system:
        same = itertools.takewhile(lambda pair: pair[0] == pair[1], zip(gold, system))
        count = len(list(itertools.islice(same, limits.TOGETHER)))
        why, n, m = ("step", count, count) if count else slow_cut(gold, system, limits)
        found.append((why, n, m))
        gold, system = gold[n:], system[m:]
    return found


def check(gold: Corpus, system: Corpus, limits: Limits) -> Counter[str]:
    """Compares all stretches, and counts why each ends."""
    expected = slow_stretches(gold, system, limits)
    found = list(stretches(iter(gold), iter(system), words=list))
    assert [(one.in_step, len(one.gold), len(one.system)) for one in found] == [
        (why == "step", n, m) for why, n, m in expected
    ]
    assert [words for one in found for words in one.gold] == gold
    assert [words for one in found for words in one.system] == system
    return Counter(why for why, _, _ in expected)


NOISE = Noise(
    merge=0.1, split=0.1, join_tokens=0.1, split_token=0.1, misspell=0.05, drop=0.03, insert=0.02, lose=0.05
)

KINDS = {
    "equal": Noise(),
    "the same characters": Noise(merge=0.2, split=0.2, join_tokens=0.1, split_token=0.1),
    "other words": Noise(misspell=0.2),
    "few other words": Noise(misspell=0.02),
    "noisy": NOISE,
}

SHORT = Limits(WINDOWS=(150, 400, 1500), TOGETHER=3, NEAR=2, SURE=20, KEY=3, LINKS=3)


def shorten(monkeypatch: pytest.MonkeyPatch, limits: Limits) -> None:
    for name, value in limits._asdict().items():
        monkeypatch.setattr(stream, name, value)


def corpora(kind: str, seed: int, sentences: int) -> tuple[Corpus, Corpus]:
    """Gold and system of a kind, with some sentences taken out and others put in."""
    rng = random.Random(f"{kind} {seed}")
    begin = 50 * (seed % 6)
    sample = make_sample(treebank_words(330, 1)[begin:][:sentences], KINDS[kind], rng)
    others: list[Corpus] = [[], [[]] * 2, [["so"], ["it"]] * 6, treebank_words(330, 1)[begin - 9 : begin]]
    for side in (sample.gold, sample.system):
        for _ in range(rng.randrange(3)):
            place = rng.randrange(len(side) + 1)
            side[place : place + rng.choice((0, 1, 9))] = rng.choice(others)
    return sample.gold, sample.system


@pytest.mark.slow
@pytest.mark.parametrize("windows", [(150, 400, 1500), (700,), (90, 2500)])
def test_files_are_cut_where_they_should_be(monkeypatch, windows):
    limits = SHORT._replace(WINDOWS=windows)
    shorten(monkeypatch, limits)
    why: Counter[str] = Counter()
    for kind in KINDS:
        for seed in range(8):
            why += check(*corpora(kind, seed, 50), limits)
    assert all(why[one] >= 3 for one in ("step", "near", "both", "equal", "known")), why
    assert why["last"] + why["halves"], why


@pytest.mark.parametrize("kind", KINDS)
def test_files_are_cut_where_they_should_be_with_the_limits_as_they_are(kind):
    assert all(getattr(stream, name) == value for name, value in Limits()._asdict().items())
    gold, system = corpora(kind, 6, 330)
    assert sum(check(gold, system, Limits()).values()) > 3


@pytest.mark.parametrize("windows", [(1000, 1 << 22), (2000, 8000, 1 << 22), (1 << 22,)])
@pytest.mark.parametrize("kind", KINDS)
def test_beads_do_not_depend_on_the_window(monkeypatch, kind, windows):
    """On similar text every cut lies on the path of the uncut alignment."""
    sample = make_sample(treebank_words(330, 1)[:80], KINDS[kind], random.Random(kind))
    whole = solve(sample.gold, sample.system)
    monkeypatch.setattr(stream, "WINDOWS", windows)
    found = align(sample.gold, sample.system, lang="none")
    assert found == whole
    assert align(iter(sample.gold), map(tuple, sample.system), lang="none") == found


LINES = [[f"line{k}", "of", "thirty", "characters", "orso"] for k in range(6)]


@pytest.mark.parametrize(
    ("gold", "system", "first"),
    [
        ([["x"], *LINES], [["y"], *LINES], [(1, 1)]),
        ([["x"], ["y"], *LINES], [["y"], ["x"], *LINES], [(2, 2)]),
        # A line that stands before itself on one side may be one that is doubled.
        ([["x"], *LINES], [LINES[0], *LINES], [(7, 7)]),
        ([LINES[0], *LINES], [["x"], *LINES], [(7, 7)]),
        ([["x"], ["y"], LINES[0], *LINES], [["a"], ["b"], ["c"], *LINES], [(9, 9)]),
        ([["a"], ["b"], ["c"], *LINES], [["x"], ["y"], LINES[0], *LINES], [(9, 9)]),
        # Two lines are enough only if they are 64 characters, and one never is.
        ([["x"], LINES[0], LINES[1]], [["y"], LINES[0], LINES[1]], [(3, 3)]),
        ([["x"], LINES[0], LINES[1], LINES[2]], [["y"], LINES[0], LINES[1], LINES[2]], [(1, 1)]),
        ([["x"], ["z" * 70]], [["y"], ["z" * 70]], [(2, 2)]),
        ([["x"], ["z" * 63], ["y"]], [["y"], ["z" * 63], ["y"]], [(1, 1)]),
    ],
)
def test_files_that_are_in_step_again_soon(gold, system, first):
    found = list(stretches(gold, system, words=list))
    assert [(len(one.gold), len(one.system)) for one in found if not one.in_step] == first
    check(gold, system, Limits())


def test_sentences_before_an_error_are_kept():
    def failing():
        yield from LINES[:3]
        raise ValueError("no sentence")

    found = stretches(LINES, failing(), words=list)
    assert next(found) == (LINES[:3], LINES[:3], True, 0, 0, [True] * 3)
    with pytest.raises(ValueError, match="no sentence"):
        next(found)
