"""Alignment: how sentences and words are paired, and how the beads of each kind score."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ..alignment.pair import NO_PARSE, Pair
from ..trees.counts import Counts, MatchedCounts, by_key
from ..trees.frozen import field, frozen
from ..trees.typed import Any
from . import Line, Metric, PlainCounts
from .brackets import matching

KINDS = (
    ("one_to_one", "1:1"),
    ("one_to_many", "1:n"),
    ("many_to_one", "n:1"),
    ("many_to_many", "n:m"),
    ("gold_only", "gold only"),
    ("system_only", "system only"),
    ("no_parse", "no parse"),
)
"""Kinds of beads, gold first: JSON key, and name in reports."""

_ONE_SIDED = ("gold_only", "system_only", "no_parse")


@frozen
class KindCounts(MatchedCounts):
    """The beads of one kind, and their constituents."""

    beads: int = 0
    gold: int = 0
    system: int = 0
    matched: int = 0


@frozen
class UnitCounts(Counts):
    """Units with words of both sides; words without a counterpart are ignored."""

    equal: int = 0  # one word on each side, spelled alike
    changed: int = 0  # one word on each side, spelled differently
    resegmented: int = 0  # several words on a side


_PLAIN = (0, 0, 0, 0, 0)
_OTHER = (0,) * (8 + 4 * len(KINDS))


@frozen
class AlignmentCounts(Counts):
    """Beads by kind, units by kind, and words without a counterpart.

    >>> counts = AlignmentCounts(differing={("can not", "cannot"): 1})
    >>> (counts + AlignmentCounts(differing={("can not", "cannot"): 2})).most()
    [('can not', 'cannot', 3)]
    """

    # Beads of one sentence a side with equal words: beads; gold, system and matched constituents; words.
    # Nearly all beads of most runs are of this kind, and few numbers are quick to add up.
    plain: tuple[int, ...] = _PLAIN
    # Other beads: beads; gold and system sentences; gold and system words without a counterpart; the numbers
    # of UnitCounts; those of KindCounts for each of KINDS.
    other: tuple[int, ...] = _OTHER
    # Numbers of (gold, system) texts of a unit that differ; one is empty for a word without a counterpart.
    differing: Mapping[tuple[str, str], int] = field(default_factory=dict)

    @classmethod
    def sum(cls, records: Iterable[AlignmentCounts]) -> AlignmentCounts:
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
        return self.plain[0] + self.other[1]

    @property
    def system_sentences(self) -> int:
        return self.plain[0] + self.other[2]

    @property
    def gold_words_alone(self) -> int:
        """Gold words none of whose characters is paired with a system character."""
        return self.other[3]

    @property
    def system_words_alone(self) -> int:
        """System words none of whose characters is paired with a gold character."""
        return self.other[4]

    @property
    def units(self) -> UnitCounts:
        equal, changed, resegmented = self.other[5:8]
        return UnitCounts(self.plain[4] + equal, changed, resegmented)

    @property
    def spelled_alike(self) -> tuple[int, int]:
        """Units of one word a side that are spelled alike except for case, and those that are not."""
        units = self.units
        same = sum(
            times
            for (gold, system), times in self.differing.items()
            if " " not in gold and gold.casefold() == system.casefold()
        )
        return units.equal + same, units.changed - same

    @property
    def kinds(self) -> dict[str, KindCounts]:
        """Counts of each kind of beads, by the keys of :data:`KINDS`."""
        kinds = {
            name: KindCounts(*self.other[start : start + 4])
            for start, (name, _) in zip(range(8, len(_OTHER), 4), KINDS)
        }
        kinds["one_to_one"] += KindCounts(*self.plain[:4])
        return kinds

    def most(self, size: int = 20) -> list[tuple[str, str, int]]:
        """Return the most frequent pairs of texts that differ; ties are in alphabetical order."""
        pairs = sorted(self.differing.items(), key=lambda item: (-item[1], item[0]))[:size]
        return [(gold, system, count) for (gold, system), count in pairs]

    def to_dict(self) -> dict[str, Any]:
        """Return the counts, ready for JSON, with the kinds of beads that there are."""
        if self.other is _OTHER:  # most sentences
            kinds = {"one_to_one": KindCounts(*self.plain[:4]).to_dict()} if self.plain[0] else {}
        else:
            kinds = {name: counts.to_dict() for name, counts in self.kinds.items() if counts.beads}
        return {
            "differing": self.beads_differing,
            "gold_sentences": self.gold_sentences,
            "system_sentences": self.system_sentences,
            "beads": kinds,
            "units": self.units.to_dict(),
            "gold_words_alone": self.gold_words_alone,
            "system_words_alone": self.system_words_alone,
            "words": [
                {"gold": gold, "system": system, "times": times} for gold, system, times in self.most()
            ],
        }


def kind_of(pair: Pair) -> str:
    """Return the kind of a bead; a system sentence that could not be read has no words and no parse."""
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
    """Beads, units and unpaired words; reported if words or sentence ends differ anywhere."""

    name = "alignment"
    counts = AlignmentCounts
    heading = "Alignment"

    def count(self, pair: Pair) -> AlignmentCounts:
        _, system, partners, _ = matching(pair, self._labels)
        size = len(partners)
        brackets = 1, size, len(system[0]), size - partners.count(-1)
        gold_words, system_words = pair.gold.words, pair.system.words
        n, m = len(pair.gold_sentences), len(pair.system_sentences)
        if n == m == 1 and gold_words == system_words:
            return AlignmentCounts((*brackets, len(gold_words)))
        before = 4 * [name for name, _ in KINDS].index(kind_of(pair))
        kinds = (*(0,) * before, *brackets, *(0,) * (4 * len(KINDS) - 4 - before))
        if gold_words == system_words:
            return AlignmentCounts(_PLAIN, (1, n, m, 0, 0, len(gold_words), 0, 0, *kinds))
        # Imported only where words differ: the import takes as long as scoring a small file.
        from .segmentation import differing

        *units, texts = differing(pair)
        return AlignmentCounts(_PLAIN, (1, n, m, *units, *kinds), texts)

    def of_plain(self, plain: PlainCounts) -> AlignmentCounts:
        return AlignmentCounts((plain.pairs, plain.gold, plain.system, plain.matched, plain.words))

    def lines(self, record: AlignmentCounts) -> Sequence[Line]:
        found = [
            Line("Gold sentences", record.gold_sentences, "count"),
            Line("System sentences", record.system_sentences, "count"),
        ]
        kinds = record.kinds
        for name, title in KINDS:
            counts = kinds[name]
            found.append(Line(f"Beads {title}", counts.beads, "count"))
            # Nothing matches where one side has nothing.
            if counts.beads and name not in _ONE_SIDED:
                found.append(Line(f"F1 of beads {title}", counts.f1))
        units = record.units
        return [
            *found,
            Line("Units 1:1", units.equal, "count"),
            Line("Units changed", units.changed, "count"),
            Line("Units re-segmented", units.resegmented, "count"),
            Line("Gold words alone", record.gold_words_alone, "count"),
            Line("System words alone", record.system_words_alone, "count"),
        ]
