"""Noisy copies of a corpus, made by the changes of ``alignment_regimes``, with their true alignment."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from jpevalb import align

from .alignment_regimes import (
    Case,
    Sentence,
    Span,
    Token,
    drop,
    each,
    halved,
    invent,
    merge,
    misspelt,
    split,
    together,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Noise:
    """Probabilities: per sentence, per token, or per neighbouring pair of them."""

    merge: float = 0.0
    split: float = 0.0
    join_tokens: float = 0.0
    split_token: float = 0.0
    misspell: float = 0.0
    drop: float = 0.0
    insert: float = 0.0
    lose: float = 0.0
    invent: float = 0.0


class Sample(NamedTuple):
    """A gold corpus, its noisy copy, and what truly belongs together.

    Attributes:
        beads: True beads, as ranges of sentence numbers.
        units: True units, as ranges of tokens counted through the whole corpus.
    """

    gold: list[list[str]]
    system: list[list[str]]
    beads: list[Span]
    units: list[Span]

    def found(self, lang: str = "en") -> tuple[float, float]:
        """Align the sides; return the shares of true beads and of true units that are found."""
        beads, units = set(), set()
        start = system_start = 0
        for bead in align(self.gold, self.system, lang=lang):
            beads.add((*bead.gold, *bead.system))
            for a, b, c, d in bead.units:
                units.add((a + start, b + start, c + system_start, d + system_start))
            start += sum(map(len, self.gold[slice(*bead.gold)]))
            system_start += sum(map(len, self.system[slice(*bead.system)]))
        return len(beads & {*self.beads}) / len(self.beads), len(units & {*self.units}) / len(self.units)


def make_sample(gold: Sequence[Sequence[str]], noise: Noise, rng: random.Random) -> Sample:
    """Make a noisy copy of ``gold`` with its true alignment."""
    sides = [[Sentence([Token(word) for word in words], []) for words in gold] for _ in "ab"]
    number = 0
    for sentence in sides[1]:
        number = sentence.link(number)
    vocabulary = [word for words in gold for word in words]
    copy = sides[1]
    for change, rate in (
        (drop, noise.lose),
        (split, noise.split),
        (merge, noise.merge),
        (invent, noise.invent),
        (each(halved), noise.split_token),
        (together, noise.join_tokens),
        (each(lambda t, rng: []), noise.drop),
        (each(misspelt), noise.misspell),
        (each(lambda t, rng: [t, Token(rng.choice(vocabulary))]), noise.insert),
    ):
        copy = change(copy, rate, rng)
    case = Case(sides[0], [sentence for sentence in copy if sentence.tokens])
    texts = ([[t.text for t in sentence.tokens] for sentence in side] for side in (case.gold, case.system))
    return Sample(*texts, case.beads, case.units)


def words_of(line: str) -> list[str]:
    """The words of a tree in bracket text as ``make_treebank`` writes it."""
    return [piece.rstrip(")") for piece in line.split() if not piece.startswith("(")]
