"""Alignment: which sentences and words stand for each other, and what the beads of each kind score."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ..alignment.pair import NO_PARSE, Pair
from ..trees.counts import Counts, MatchedCounts, by_key
from ..trees.frozen import field, frozen
from . import Figure, Metric
from .brackets import matching

DIFFERING = 20
"""How many pairs of words that differ JSON has of a run, the most frequent first."""

KINDS = (
    ("one_to_one", "1:1"),
    ("one_to_many", "1:n"),
    ("many_to_one", "n:1"),
    ("many_to_many", "n:m"),
    ("gold_only", "gold only"),
    ("system_only", "system only"),
    ("no_parse", "no parse"),
)
"""The kinds of beads, gold first: names of them, and what reports call them."""

BEAD_KEYS = ("units", "gold_words_alone", "system_words_alone", "words")
"""What JSON has of a single bead too."""

_NAMES = [name for name, _ in KINDS]

_ONE_SIDED = ("gold_only", "system_only", "no_parse")


@frozen
class KindCounts(MatchedCounts):
    """The beads of a kind, and their constituents.

    Attributes:
        beads: Beads.
        gold: Gold constituents in them.
        system: The system's constituents in them.
        matched: Pairs of both.

    >>> (KindCounts(2, 6, 4, 3) + KindCounts(1)).f1
    0.6
    """

    beads: int = 0
    gold: int = 0
    system: int = 0
    matched: int = 0


@frozen
class UnitCounts(Counts):
    """Units that have words of both sides, where words without counterpart are left aside.

    Attributes:
        equal: Units of one gold and one system word that are spelled alike.
        changed: Units of one gold and one system word that are spelled differently.
        resegmented: Units of several words on a side.
    """

    equal: int = 0
    changed: int = 0
    resegmented: int = 0


_PLAIN = (0, 0, 0, 0, 0)
_OTHER = (0,) * (8 + 4 * len(KINDS))


@frozen
class AlignmentCounts(Counts):
    """Beads by kind, units by kind, and words without counterpart.

    Nearly all beads of most runs are plain, so their numbers stand apart: they add up at once.

    Attributes:
        plain: Of beads of one sentence on either side with equal words: their number, the constituents
            of gold, of the system and those that match, and the words of a side.
        other: Of all other beads: their number; gold sentences, the system's; gold words and the system's
            words without counterpart; units as of :class:`UnitCounts`; and for each of
            :data:`KINDS` what :class:`KindCounts` has.
        differing: For the gold words and the system's words of a unit, with blanks between words, how often
            they stand for each other and differ; words without counterpart stand alone, beside an empty text.

    >>> found = AlignmentCounts(differing={("can not", "cannot"): 1})
    >>> (found + AlignmentCounts(differing={("can not", "cannot"): 2})).most()
    [('can not', 'cannot', 3)]
    """

    plain: tuple[int, ...] = _PLAIN
    other: tuple[int, ...] = _OTHER
    differing: Mapping[tuple[str, str], int] = field(default_factory=dict)

    @classmethod
    def sum(cls, records: Iterable[AlignmentCounts]) -> AlignmentCounts:
        """The sum of any number of records.  Cost: O(number of records, and their pairs of words)."""
        items = list(records)
        others = [item for item in items if item.other is not _OTHER or item.differing]
        return cls(
            tuple(map(sum, zip(_PLAIN, *[item.plain for item in items]))),
            tuple(map(sum, zip(*[item.other for item in others]))) if others else _OTHER,
            by_key([item.differing for item in others]),
        )

    @property
    def shown(self) -> bool:
        return self.other[0] > 0

    @property
    def beads_differing(self) -> int:
        """Beads in which words or sentence ends differ."""
        return self.other[0]

    @property
    def gold_sentences(self) -> int:
        """Gold sentences."""
        return self.plain[0] + self.other[1]

    @property
    def system_sentences(self) -> int:
        """The system's sentences."""
        return self.plain[0] + self.other[2]

    @property
    def gold_words_alone(self) -> int:
        """Gold words without counterpart: none of their characters is paired with one of the system's."""
        return self.other[3]

    @property
    def system_words_alone(self) -> int:
        """The system's words without counterpart."""
        return self.other[4]

    @property
    def units(self) -> UnitCounts:
        """Units that have words of both sides."""
        equal, changed, resegmented = self.other[5:8]
        return UnitCounts(self.plain[4] + equal, changed, resegmented)

    @property
    def spelled_alike(self) -> tuple[int, int]:
        """Units of one word a side: how many are spelled alike but for case, and how many are not."""
        units = self.units
        same = sum(
            times
            for (gold, system), times in self.differing.items()
            if " " not in gold and gold.casefold() == system.casefold()
        )
        return units.equal + same, units.changed - same

    @property
    def kinds(self) -> dict[str, KindCounts]:
        """The beads of each kind, by the names of :data:`KINDS`."""
        found = {
            name: KindCounts(*self.other[place : place + 4])
            for place, (name, _) in zip(range(8, len(_OTHER), 4), KINDS)
        }
        found["one_to_one"] += KindCounts(*self.plain[:4])
        return found

    def most(self, size: int = DIFFERING) -> list[tuple[str, str, int]]:
        """The most frequent pairs of words that differ; of equally frequent ones the first by spelling.

        Cost: O(pairs * log(pairs)).
        """
        found = sorted(self.differing.items(), key=lambda item: (-item[1], item[0]))[:size]
        return [(gold, system, count) for (gold, system), count in found]

    def to_dict(self) -> dict[str, Any]:
        """Sentences, beads by kind, units by kind and words, JSON-ready."""
        return {
            "differing": self.beads_differing,
            "gold_sentences": self.gold_sentences,
            "system_sentences": self.system_sentences,
            "beads": {name: counts.to_dict() for name, counts in self.kinds.items()},
            "units": self.units.to_dict(),
            "gold_words_alone": self.gold_words_alone,
            "system_words_alone": self.system_words_alone,
            "words": [
                {"gold": gold, "system": system, "times": times} for gold, system, times in self.most()
            ],
        }

    def of_bead(self) -> dict[str, Any]:
        """What is not known without it of a single bead: its kind, units by kind and words, JSON-ready."""
        content = self.to_dict()
        (kind,) = [name for name, counts in self.kinds.items() if counts.beads]
        return {"kind": kind, **{key: content[key] for key in BEAD_KEYS}}


def kind_of(pair: Pair) -> str:
    """The kind of a pair's bead, one of :data:`KINDS`.

    A system sentence that could not be read has no words, and so no parse.  Cost: O(sentences).
    """
    gold, system = len(pair.gold_sentences), len(pair.system_sentences)
    if not system:
        return "gold_only"
    if not gold:
        return "system_only"
    if not pair.bead.aligned:
        return "no_parse" if pair.status == NO_PARSE else "system_only" if pair.system.words else "gold_only"
    if gold == 1:
        return "one_to_one" if system == 1 else "one_to_many"
    return "many_to_one" if system == 1 else "many_to_many"


class Alignment(Metric):
    """Which sentences and words stand for each other; told where words or sentence ends differ anywhere."""

    name = "alignment"
    counts = AlignmentCounts
    heading = "Alignment"

    def count(self, pair: Pair) -> AlignmentCounts:
        """The alignment counts of one pair.

        Cost: O(nodes + tokens) where tokens agree, else that of
        :func:`jpevalb.metrics.segmentation.common_cuts`.
        """
        _, system, partners, _ = matching(pair, self._labels)
        size = len(partners)
        brackets = 1, size, len(system[0]), size - partners.count(-1)
        mine, other = pair.gold.words, pair.system.words
        n, m = len(pair.gold_sentences), len(pair.system_sentences)
        if n == m == 1 and mine == other:
            return AlignmentCounts((*brackets, len(mine)))
        before = 4 * _NAMES.index(kind_of(pair))
        kinds = (*(0,) * before, *brackets, *(0,) * (4 * len(KINDS) - 4 - before))
        if mine == other:
            return AlignmentCounts(_PLAIN, (1, n, m, 0, 0, len(mine), 0, 0, *kinds))
        # Only where words differ: it takes as long to import as some of a file to score.
        from .segmentation import differing

        *units, words = differing(pair)
        return AlignmentCounts(_PLAIN, (1, n, m, *units, *kinds), words)

    def figures(self, record: AlignmentCounts) -> Sequence[Figure]:
        found = [
            Figure("Gold sentences", record.gold_sentences, "count"),
            Figure("System sentences", record.system_sentences, "count"),
        ]
        kinds = record.kinds
        for name, title in KINDS:
            counts = kinds[name]
            found.append(Figure(f"Beads {title}", counts.beads, "count"))
            # Nothing matches where one side has nothing.
            if counts.beads and name not in _ONE_SIDED:
                found.append(Figure(f"F1 of beads {title}", counts.f1))
        units = record.units
        return [
            *found,
            Figure("Units 1:1", units.equal, "count"),
            Figure("Units changed", units.changed, "count"),
            Figure("Units re-segmented", units.resegmented, "count"),
            Figure("Gold words alone", record.gold_words_alone, "count"),
            Figure("System words alone", record.system_words_alone, "count"),
        ]
