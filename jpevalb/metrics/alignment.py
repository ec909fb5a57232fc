"""Alignment: how sentences and words are paired, and how the groups of each kind score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, ClassVar

from ..alignment.pair import NO_PARSE, Pair
from ..base.counts import Counts, MatchedCounts
from . import Line, Metric
from .brackets import counts_of

KINDS = (  # kinds of groups of sentences, gold first: JSON key, and name in reports
    ("one_to_one", "1:1"),
    ("one_to_many", "1:n"),
    ("many_to_one", "n:1"),
    ("many_to_many", "n:m"),
    ("gold_only", "gold only"),
    ("system_only", "system only"),
    ("no_parse", "no parse"),
)
_ONE_SIDED = ("gold_only", "system_only", "no_parse")


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class KindCounts(MatchedCounts):
    """The groups of aligned sentences of one kind, and their constituents."""

    groups: int = 0  #: groups of the kind
    gold: int = 0  #: gold constituents
    system: int = 0  #: system constituents
    matched: int = 0  #: pairs of matching constituents


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class UnitCounts(Counts):
    """Units with words of both sides; words without a counterpart are ignored."""

    equal: int = 0  #: one word on each side, spelled alike
    changed: int = 0  #: one word on each side, spelled differently
    resegmented: int = 0  #: several words on a side


MOST_DIFFERING = 10_000
"""Maximum number of texts that differ, in the order of the file: it bounds the memory of an evaluator."""


class FirstTexts(dict[tuple[str, str], int]):
    """Numbers of (gold, system) texts of a unit that differ; sums keep the first :data:`MOST_DIFFERING`."""

    def __init__(self, table: Mapping[tuple[str, str], int] | None = None) -> None:
        super().__init__(islice((table or {}).items(), MOST_DIFFERING))


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class AlignmentCounts(Counts):
    """Groups of sentences by kind, units by kind, and words without a counterpart.

    >>> counts = AlignmentCounts(differing={("can not", "cannot"): 1})
    >>> (counts + AlignmentCounts(differing={("can not", "cannot"): 2})).most()
    [('can not', 'cannot', 3)]
    """

    groups_differing: int = 0  #: groups in which words or sentence ends differ
    gold_sentences: int = 0  #: gold sentences of all groups
    system_sentences: int = 0  #: system sentences of all groups
    gold_words_alone: int = 0  #: gold words none of whose characters is paired
    system_words_alone: int = 0  #: system words none of whose characters is paired
    units: UnitCounts = UnitCounts()  #: units by kind
    one_to_one: KindCounts = KindCounts()  #: groups of one gold and one system sentence
    one_to_many: KindCounts = KindCounts()  #: groups of one gold and several system sentences
    many_to_one: KindCounts = KindCounts()  #: groups of several gold and one system sentence
    many_to_many: KindCounts = KindCounts()  #: groups of several sentences on both sides
    gold_only: KindCounts = KindCounts()  #: groups without a system sentence
    system_only: KindCounts = KindCounts()  #: groups without a gold sentence
    no_parse: KindCounts = KindCounts()  #: gold sentences beside a system sentence without a parse
    #: Numbers of (gold, system) texts of a unit that differ; one is empty for a word without a counterpart.
    differing: Mapping[tuple[str, str], int] = field(default_factory=FirstTexts)

    @property
    def shown(self) -> bool:
        return bool(self.groups_differing)

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
        """Counts of each kind of groups, by the keys of :data:`KINDS`."""
        return {name: getattr(self, name) for name, _ in KINDS}

    def most(self, size: int = 20) -> list[tuple[str, str, int]]:
        """Return the most frequent pairs of texts that differ; ties are in alphabetical order."""
        pairs = sorted(self.differing.items(), key=lambda item: (-item[1], item[0]))[:size]
        return [(gold, system, count) for (gold, system), count in pairs]

    def to_dict(self) -> dict[str, Any]:
        """Return the counts, ready for JSON, with the kinds of groups that there are."""
        kinds = {name: counts.to_dict() for name, counts in self.kinds.items() if counts.groups}
        return {
            "differing": self.groups_differing,
            "gold_sentences": self.gold_sentences,
            "system_sentences": self.system_sentences,
            "groups": kinds,
            "units": self.units.to_dict(),
            "gold_words_alone": self.gold_words_alone,
            "system_words_alone": self.system_words_alone,
            "words": [
                {"gold": gold, "system": system, "times": times} for gold, system, times in self.most()
            ],
        }


def kind_of(pair: Pair) -> str:
    """Return the kind of a group; a system sentence that could not be read has no words and no parse."""
    gold, system = len(pair.gold_sentences), len(pair.system_sentences)
    if not system:
        return "gold_only"
    if not gold:
        return "system_only"
    if not pair.bead.aligned:
        return "no_parse" if pair.status == NO_PARSE else "system_only" if pair.words[1] else "gold_only"
    if gold == 1:
        return "one_to_one" if system == 1 else "one_to_many"
    return "many_to_one" if system == 1 else "many_to_many"


class Alignment(Metric):
    """Groups of sentences, units and unpaired words; reported if words or sentence ends differ anywhere."""

    name = "alignment"
    counts = AlignmentCounts
    plain: ClassVar[Any] = {
        **dict.fromkeys(("gold_sentences", "system_sentences", "one_to_one.groups"), "one"),
        **{f"one_to_one.{name}": name for name in ("gold", "system", "matched")},
        "units.equal": "gold_words",
    }
    heading = "Alignment"

    def count(self, pair: Pair) -> AlignmentCounts:
        brackets = counts_of(pair)
        kind: dict[str, Any] = {
            kind_of(pair): KindCounts(1, brackets.gold, brackets.system, brackets.matched)
        }
        n, m = len(pair.gold_sentences), len(pair.system_sentences)
        if pair.identical_words:
            units = UnitCounts(pair.words[0])
            return AlignmentCounts(int(n != 1 or m != 1), n, m, units=units, **kind)
        # Imported only where words differ: the import takes as long as scoring a small file.
        from .segmentation import differing

        gold_alone, system_alone, *numbers, texts = differing(pair)
        return AlignmentCounts(
            1, n, m, gold_alone, system_alone, UnitCounts(*numbers), differing=texts, **kind
        )

    def lines(self, record: AlignmentCounts) -> Sequence[Line]:
        found = [
            Line("Gold sentences", record.gold_sentences, "count"),
            Line("System sentences", record.system_sentences, "count"),
        ]
        kinds = record.kinds
        for name, title in KINDS:
            counts = kinds[name]
            one_sided = name in _ONE_SIDED
            what = "Sentences" if one_sided else "Sentence groups"
            found.append(Line(f"{what} {title}", counts.groups, "count"))
            # Nothing matches where one side has nothing.
            if counts.groups and not one_sided:
                found.append(Line(f"F1 of sentence groups {title}", counts.f1))
        units = record.units
        return [
            *found,
            Line("Aligned words 1:1", units.equal, "count"),
            Line("Aligned words changed", units.changed, "count"),
            Line("Aligned words regrouped", units.resegmented, "count"),
            Line("Gold words alone", record.gold_words_alone, "count"),
            Line("System words alone", record.system_words_alone, "count"),
        ]
