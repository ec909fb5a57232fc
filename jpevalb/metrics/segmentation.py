"""Segmentation: what it costs that two sides cut their text into other tokens and other sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Any, NamedTuple, TypeAlias

from .._core.brackets import matches
from .._core.path import align_runs, unpaired
from ..alignment.pair import Pair
from ..model.counts import Counts, Matched
from ..model.frozen import frozen
from ..model.labels import Labels
from ..model.tree import Tree
from ..model.words import read_as, texts
from . import Figure, Measure, Metric, f1_rate
from .brackets import Side, blocks_of, constituents_of, matching

MOST_CELLS = 4_000_000
"""Pairs of characters of a unit up to which the path through it is looked for."""


@frozen
class SegmentationCounts(Counts):
    """Tokens, sentences and constituents, matched only where both sides cut the text alike.

    Attributes:
        differing: Beads in which tokens or sentence ends differ.
        gold_tokens: Gold tokens.
        system_tokens: The system's tokens.
        matched_tokens: Gold tokens with a counterpart; as many of the system's have one.
        gold_sentences: Gold sentences.
        system_sentences: The system's sentences.
        matched_sentences: Beads of one gold and one system sentence.
        gold_brackets: Gold constituents.
        system_brackets: The system's constituents.
        matched_brackets: Pairs of both over the same text, cut out of it at the same places.

    >>> SegmentationCounts(1, 4, 5, 3).tokens.f1
    0.6666666666666666
    """

    differing: int = 0
    gold_tokens: int = 0
    system_tokens: int = 0
    matched_tokens: int = 0
    gold_sentences: int = 0
    system_sentences: int = 0
    matched_sentences: int = 0
    gold_brackets: int = 0
    system_brackets: int = 0
    matched_brackets: int = 0

    @property
    def tokens(self) -> Matched:
        """Recall, precision and F1 of tokens: the measure of the CoNLL 2018 shared task."""
        return Matched(self.gold_tokens, self.system_tokens, self.matched_tokens)

    @property
    def sentences(self) -> Matched:
        """Recall, precision and F1 of sentences."""
        return Matched(self.gold_sentences, self.system_sentences, self.matched_sentences)

    @property
    def brackets(self) -> Matched:
        """Recall, precision and F1 of constituents, strict about where they begin and end."""
        return Matched(self.gold_brackets, self.system_brackets, self.matched_brackets)

    @property
    def shown(self) -> bool:
        return self.differing > 0

    def to_dict(self) -> dict[str, Any]:
        """Counts and rates of tokens, sentences and brackets, JSON-ready."""
        return {
            "differing": self.differing,
            "tokens": self.tokens.to_dict(),
            "sentences": self.sentences.to_dict(),
            "brackets": self.brackets.to_dict(),
        }


class Cuts(NamedTuple):
    """How one side of a bead is cut, beside the other."""

    places: list[int]
    """For each place before, between and behind tokens its number among the cuts that both sides
    have, or -1; cuts with no pair of characters between them have one number."""
    bare: list[int]
    """For each of these places how many tokens before it the other side does not have."""


def common_cuts(pair: Pair) -> tuple[Cuts, Cuts, list[tuple[int, int]]]:
    """Where both sides of a pair are cut, and which tokens are each other's counterparts.

    The path is that of the alignment: its units, and inside a unit of several tokens the path
    between them.  Between two cuts of both sides next to each other that both sides have moved
    on between, characters are paired: a path that passes characters of one side and then of the
    other is dearer than one that pairs two of them.  So tokens stand for each other alone if and
    only if there is one on either side between two such cuts.

    Returns:
        Gold's cuts, the system's, and the numbers of each two tokens that are counterparts.

    Cost: O(tokens); between cuts of both sides the cost of the alignment once more.
    """
    if pair.cuts is None:
        pair.cuts = _common_cuts(pair)
    known: tuple[Cuts, Cuts, list[tuple[int, int]]] = pair.cuts
    return known


def _common_cuts(pair: Pair) -> tuple[Cuts, Cuts, list[tuple[int, int]]]:
    gold_words, system_words = pair.gold.words, pair.system.words
    gold = [-1] * (len(gold_words) + 1)
    system = [-1] * (len(system_words) + 1)
    gold_bare = [0] * len(gold_words)
    system_bare = [0] * len(system_words)
    gold[0] = system[0] = number = 0
    found: list[tuple[int, int]] = []
    sides: _Sides | None = None
    for a, b, c, d in pair.units:
        if b - a == 1 == d - c:
            number += 1
            found.append((a, c))
            gold[b] = system[d] = number
            continue
        runs: _Runs | None = None
        alone: Any = None
        if a == b or c == d:
            points = [(k, c) for k in range(a + 1, b + 1)] or [(a, k) for k in range(c + 1, d + 1)]
        else:
            if sides is None:
                sides = _Sides.of(pair)
            points, runs = _points(sides, pair.exceptions, (a, b, c, d))
        i, j = a, c
        for x, y in points:
            if x > i and y > j:
                number += 1
                if x - i == 1 and y - j == 1:
                    found.append((i, j))
                elif runs is not None and (x - i > 2 or y - j > 2):
                    # Of two tokens both are paired: they are the first and the last.
                    alone = alone or unpaired(*runs)
                    for k in alone[0]:
                        if i <= a + k < x:
                            gold_bare[a + k] = 1
                    for k in alone[1]:
                        if j <= c + k < y:
                            system_bare[c + k] = 1
            else:
                gold_bare[i:x] = [1] * (x - i)
                system_bare[j:y] = [1] * (y - j)
            gold[x] = system[y] = number
            i, j = x, y
    return (
        Cuts(gold, [0, *accumulate(gold_bare)]),
        Cuts(system, [0, *accumulate(system_bare)]),
        found,
    )


_Runs: TypeAlias = tuple[str, str, bytes, bytes]
"""The characters of both sides of a unit, and where tokens and sentences end in them, for the kernels."""


class _Sides(NamedTuple):
    """The text of both sides of a bead."""

    gold: Sequence[str]
    """Comparison texts of the gold tokens."""
    system: Sequence[str]
    """Comparison texts of the system's tokens."""
    ends: tuple[list[int], list[int]]
    """For each side the numbers of tokens up to the end of each sentence."""

    @staticmethod
    def of(pair: Pair) -> _Sides:
        ends = (
            list(accumulate([len(sentence.words) for sentence in pair.gold_sentences])),
            list(accumulate([len(sentence.words) for sentence in pair.system_sentences])),
        )
        return _Sides(texts(pair.gold.words), texts(pair.system.words), ends)


def _points(
    sides: _Sides, exceptions: Mapping[str, str], unit: tuple[int, int, int, int]
) -> tuple[list[tuple[int, int]], _Runs | None]:
    """The cuts of both sides in a unit of several tokens, the first left out; and what was aligned, None
    where all characters are equal, or too many.
    """
    a, b, c, d = unit
    mine, other, ends = sides.gold[a:b], sides.system[c:d], sides.ends
    found = [(a + i, c + j) for i, j in _common(mine, other)]
    if found:
        return found, None
    size = sum(map(len, mine)) * sum(map(len, other))
    if size > MOST_CELLS:
        return [(b, d)], None
    runs = _runs(mine, other, unit, ends)
    cost, points = align_runs(*runs)
    read_mine, read_other = read_as(mine, exceptions), read_as(other, exceptions)
    if read_mine is not mine or read_other is not other:
        read = _runs(read_mine, read_other, unit, ends)
        again, others = align_runs(*read)
        if again < cost:
            points, runs = others, read
    return [(a + i, c + j) for i, j, _ in points[1:]], runs


def _common(mine: Sequence[str], other: Sequence[str]) -> list[tuple[int, int]]:
    """The cuts of both sides but the first, where they have the same characters; else none."""
    if "".join(mine) != "".join(other):
        return []
    if len(mine) == 1 or len(other) == 1:
        return [(len(mine), len(other))]
    numbers = {place: k for k, place in enumerate(accumulate(map(len, other)), 1)}
    return [(k, numbers[place]) for k, place in enumerate(accumulate(map(len, mine)), 1) if place in numbers]


def _runs(
    mine: Sequence[str],
    other: Sequence[str],
    unit: tuple[int, int, int, int],
    ends: tuple[list[int], list[int]],
) -> _Runs:
    levels = _levels(mine, unit[0], ends[0]), _levels(other, unit[2], ends[1])
    return "".join(mine), "".join(other), *levels


def _levels(tokens: Sequence[str], begin: int, ends: Sequence[int]) -> bytes:
    """0 for a place inside a token, 1 for one between two, 2 where a sentence ends."""
    found = bytearray([2 if begin == 0 or begin in ends else 1])
    for number, text in enumerate(tokens, begin + 1):
        found += bytes(len(text) - 1)
        found.append(2 if number in ends else 1)
    return bytes(found)


def _strict(tree: Tree, cuts: Cuts, labels: Labels) -> tuple[Side, int]:
    """The constituents that can match, from cut to cut in each of their blocks, and the number of all."""
    names, starts, ends, nodes, _, gaps = constituents_of(tree, None, len(tree.words), labels)
    places, bare = cuts
    kept, sets = [], []
    for k, (start, end) in enumerate(zip(starts, ends)):
        bits = gaps[k] if gaps else 0
        blocks = blocks_of(bits) if bits else [(start, end)]
        if all(places[a] >= 0 and places[b] >= 0 and bare[a] == bare[b] for a, b in blocks):
            kept.append(k)
            sets.append(sum([(1 << places[b]) - (1 << places[a]) for a, b in blocks]) if bits else 0)
    found = (
        [names[k] for k in kept],
        [places[starts[k]] for k in kept],
        [places[ends[k]] for k in kept],
        [nodes[k] for k in kept],
        False,
        sets if any(sets) else None,
    )
    return found, len(names)


class Segmentation(Metric):
    """Tokens, sentences and strict brackets; told where tokens or sentence ends differ anywhere."""

    name = "segmentation"
    counts = SegmentationCounts
    heading = "Segmentation"
    rates = (
        f1_rate(Measure("token_f1", "Token F"), lambda record: record.tokens),
        f1_rate(Measure("sentence_end_f1", "Sent. ends F"), lambda record: record.sentences),
        f1_rate(Measure("strict_f1", "Strict F"), lambda record: record.brackets),
    )

    def count(self, pair: Pair) -> SegmentationCounts:
        """The segmentation counts of one pair.

        A token has a counterpart if the alignment pairs characters of it with characters of one token
        of the other side only, and that token's with it only: it is where tokens end that is scored,
        not how they are spelled.  A sentence has one if it is alone with it in a bead.

        A constituent matches one of an equal label if both begin, and both end, at one place of the
        alignment that is a token cut of both sides, and neither covers a token without any paired
        character: a word that the other side does not have.  How tokens are cut inside does not matter.

        Cost: O(nodes + tokens) where tokens and sentence ends agree, else that of :func:`common_cuts`.

        Source: tokens Zeman et al. 2018 (CoNLL shared task), here also for texts that differ; brackets
        the labelled F1 over spans of characters of joint segmentation and parsing.
        """
        gold, system, labels = pair.gold, pair.system, self._labels
        n, m = len(pair.gold_sentences), len(pair.system_sentences)
        if n == m == 1 and gold.words == system.words:
            # What matches is known from the brackets, which have been counted before.
            _, others, partners, words = matching(pair, labels)
            matched = len(partners) - partners.count(-1)
            return SegmentationCounts(0, words, words, words, 1, 1, 1, len(partners), len(others[0]), matched)
        mine, other, counterparts = common_cuts(pair)
        one, golds = _strict(gold, mine, labels)
        two, systems = _strict(system, other, labels)
        found = matches(one, two, labels.equal_brackets)
        return SegmentationCounts(
            1,
            len(gold.words),
            len(system.words),
            len(counterparts),
            n,
            m,
            int(n == m == 1 and pair.bead.aligned),
            golds,
            systems,
            len(found) - found.count(-1),
        )

    def figures(self, record: SegmentationCounts) -> Sequence[Figure]:
        return [
            Figure(f"{what} {rate}", getattr(part, name))
            for what, part in (
                ("Token", record.tokens),
                ("Sentence", record.sentences),
                ("Strict bracket", record.brackets),
            )
            for rate, name in (("recall", "recall"), ("precision", "precision"), ("F1", "f1"))
        ]
