"""Sentences: what a run finds of one pair, and on demand what it comes from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from ..alignment import Bead, Unit
from ..alignment.pair import OK, Pair
from ..metrics import Metric
from ..metrics.brackets import BracketMatch, Constituent, compare_brackets
from ..metrics.record import Record
from ..trees.counts import brief
from ..trees.errors import TooLargeError
from ..trees.labels import LabelPolicy
from ..trees.tree import Tree

if TYPE_CHECKING:
    from ..errors.analysis import AnalysisCounts
    from ..errors.causes import Classes
    from ..errors.metric import Repair
    from ..metrics.mapping import Mapping


State: TypeAlias = "tuple[str, str | None, str | None]"
"""Status, reason and id of a pair."""


class Unparsed(NamedTuple):
    """A sentence that could not be read and was skipped."""

    side: str
    """``gold`` or ``system``."""
    number: int
    """Its place in its file, from 1."""
    error: str
    """Why, and where."""


class SentenceResult:
    """One pair of a run: its record, and on demand what it comes from.

    Attributes:
        number: Place among the pairs, from 1.
        record: What it adds to the sums.
        bead: Which gold and system sentences these are.
    """

    __slots__ = ("_comparison", "_labels", "_pair", "_repaired", "_state", "bead", "number", "record")

    def __init__(
        self,
        number: int,
        record: Record,
        bead: Bead,
        labels: LabelPolicy,
        pair: Pair | Callable[[], Pair],
        state: State | None = None,
    ) -> None:
        """A result of a pair, or of what makes the pair once it is asked for, with its state if known."""
        self.number = number
        self.record = record
        self.bead = bead
        self._labels = labels
        self._pair = pair
        self._state = state
        self._comparison: BracketMatch | None = None
        self._repaired: tuple[Classes, list[Repair]] | None = None

    def __repr__(self) -> str:
        return brief(self, number=self.number, status=self.status, f1=self.f1)

    @property
    def f1(self) -> float | None:
        """F1 over its brackets; ``None`` if there is none on either side."""
        f1: float | None = self.record.brackets.f1
        return f1

    @property
    def pair(self) -> Pair:
        """What the metrics get."""
        if not isinstance(self._pair, Pair):
            self._pair = self._pair()
        return self._pair

    @property
    def status(self) -> str:
        """State: ``"ok"``, ``"no parse"``, ``"missing"``, ``"extra"``, ``"unreadable"`` or ``"short"``.

        A pair with no parse, or missing, is scored: all its gold constituents are missed.  In
        discontinuous mode a pair whose gold tree is unreadable, or short, counts nowhere.
        """
        return self.state[0]

    @property
    def reason(self) -> str | None:
        """More about the status, where there is more to say."""
        return self.state[1]

    @property
    def id(self) -> str | None:
        """The id of the first gold sentence, where the file has ids."""
        return self.state[2]

    @property
    def state(self) -> State:
        """Status, reason and id."""
        if self._state is None:
            pair = self.pair
            gold = pair.gold_sentences
            self._state = *pair.state, gold[0].source.id if gold else None
        return self._state

    @property
    def name(self) -> str:
        """Its id, or else its number."""
        return str(self.number) if self.id is None else self.id

    @property
    def length(self) -> int:
        """Number of units; in discontinuous mode of gold words without those of DELETE_LABEL_FOR_LENGTH."""
        return self.record.beads.length

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SentenceResult) and self.to_dict() == other.to_dict()

    __hash__ = None  # type: ignore[assignment]

    @property
    def gold(self) -> Tree:
        """The gold tree as scored; several sentences stand under one root ``@S``."""
        return self.pair.gold

    @property
    def system(self) -> Tree:
        """The system's tree as scored."""
        return self.pair.system

    @property
    def units(self) -> tuple[Unit, ...]:
        """The word alignment."""
        return self.pair.units

    @property
    def matched(self) -> list[tuple[Constituent, Constituent]]:
        """Gold and system constituent of each match."""
        return self._compared().matched

    @property
    def missed(self) -> list[Constituent]:
        """Gold constituents without a match."""
        return self._compared().missed

    @property
    def extra(self) -> list[Constituent]:
        """The system's constituents without a match."""
        return self._compared().extra

    @property
    def crossing(self) -> list[Constituent]:
        """The system's constituents that cross a gold one."""
        return self._compared().crossing

    @property
    def unparsed(self) -> list[Unparsed]:
        """The sentences of this bead that could not be read."""
        bead = self.bead
        return [
            Unparsed(side, first + place, str(sentence.error))
            for side, first, group in (
                ("gold", bead.gold[0] + 1, self.pair.gold_sentences),
                ("system", bead.system[0] + 1, self.pair.system_sentences),
            )
            for place, sentence in enumerate(group)
            if sentence.error is not None
        ]

    def analysis_counts(self, classes: Classes | None = None) -> AnalysisCounts:
        """What the sentence adds to an error analysis.

        Args:
            classes: What labels are; the Penn Treebank's if not given.

        Cost: O(nodes + tokens), and the repairs.
        """
        from ..errors.metric import analysis_counts

        if "analysis" in self.record:
            known: AnalysisCounts = self.record["analysis"]
            return known
        return analysis_counts(self._compared(), self.repairs(classes), self.record.beads.length)

    def repairs(self, classes: Classes | None = None) -> list[Repair]:
        """What turns the system's constituents into gold's: a cause for each step, and what it repairs.

        Args:
            classes: What labels are (``jpevalb.errors.causes.load_classes``); the Penn
                Treebank's if not given.

        Cost: as of ``jpevalb.errors.repairs.repairs``, once for the same classes.
        """
        if classes is None:
            from ..errors.causes import load_classes

            classes = load_classes()
        if self._repaired is None or self._repaired[0] is not classes:
            from ..errors.metric import repairs_of

            self._repaired = classes, repairs_of(self._compared(), self.pair, self._labels, classes)
        return list(self._repaired[1])

    def forget_repairs(self) -> None:
        """Lets go of the repairs, which are found again if they are asked for."""
        self._repaired = None

    def marks(self) -> tuple[dict[int, str], dict[int, str]]:
        """For scored nodes of gold and of the system their marks, see ``jpevalb.trees.drawing``."""
        from ..metrics.tags import other_tags
        from ..trees import drawing

        gold = {item.node: drawing.MISSED for item in self.missed}
        system = {item.node: drawing.EXTRA for item in self.extra}
        for item, other in self.matched:
            gold[item.node] = system[other.node] = drawing.MATCHED
        for item in self.crossing:
            alone = system[item.node] == drawing.EXTRA
            system[item.node] = drawing.CROSSING if alone else drawing.MATCHED_CROSSING
        for (place, _), (other_place, _) in other_tags(self.pair, self._labels):
            gold[self.gold.word_parents[place]] = drawing.OTHER_TAG
            system[self.system.word_parents[other_place]] = drawing.OTHER_TAG
        return gold, system

    def _repr_svg_(self) -> str | None:
        """What a notebook draws of it: both trees face to face, marked; ``None`` for very large ones."""
        from ..trees.drawing import pair_svg

        return pair_svg(self.gold, self.system, *self.marks(), self.units)

    def _repr_html_(self) -> str:
        """What a notebook shows of it: its counts in a line, and the trees."""
        from html import escape

        from ..trees.text import visible

        brackets = self.record.brackets
        missed, extra = brackets.gold - brackets.matched, brackets.system - brackets.matched
        said = [
            f"sentence {self.number}" + (f" ({visible(self.id)})" if self.id is not None else ""),
            *([visible(": ".join(filter(None, self.state[:2])))] if self.state[0] != OK else []),
            f"{brackets.matched} matched, {missed} missed, {extra} extra, {brackets.crossing} crossing",
            "no F1" if self.f1 is None else f"F1 {100 * self.f1:.2f}",
        ]
        drawn = self._repr_svg_()
        if drawn is None:
            said.append("too large to be drawn")
        about = escape(" · ".join(said))
        return f'<div><small>{about}</small><div style="overflow-x: auto">{drawn or ""}</div></div>'

    def _compared(self) -> BracketMatch:
        if self._comparison is None:
            self._comparison = compare_brackets(self.pair, self._labels)
        return self._comparison

    def to_dict(self, metrics: Sequence[Metric] = ()) -> dict[str, Any]:
        """Return number, id, status, sentences and counts, JSON-ready.

        With the run's metrics it has the nodes that Struct-IoU aligns, too.
        """
        bead, (status, reason, id) = self.bead, self.state
        return {
            "number": self.number,
            "id": id,
            "status": status,
            "reason": reason,
            "gold": list(bead.gold),
            "system": list(bead.system),
            "aligned": bead.aligned,
            **self.record.of_bead(),
            **self._node_pairs(metrics),
        }

    def _node_pairs(self, metrics: Sequence[Metric]) -> dict[str, Any]:
        """Gold node, system node and overlap of the pairs that Struct-IoU aligns, where it was computed."""
        if all(metric.name != "siou" for metric in metrics):
            return {}
        mapping = node_mapping(metrics, self.pair, "siou")
        if mapping is None or mapping.overlaps is None:
            return {"node_pairs": None}
        return {"node_pairs": [[*pair, iou] for pair, iou in zip(mapping.pairs, mapping.overlaps)]}

    def details(self) -> dict[str, Any]:
        """Return words, units and constituents matched, missed and extra, JSON-ready.

        Spans are half-open and in units; one with gaps has its ``blocks`` as well.  A match has the
        system's label where it differs, since labels may be equated or ignored.  A sentence that counts
        nowhere has no constituents.
        """
        counted = self.record.beads.beads > 0
        return {
            "words": {"gold": list(self.gold.words), "system": list(self.system.words)},
            "units": [list(unit) for unit in self.units],
            "matched": [
                {**_spanned(gold), **({"system_label": system.label} if system.label != gold.label else {})}
                for gold, system in (self.matched if counted else ())
            ],
            "missed": [_spanned(item) for item in (self.missed if counted else ())],
            "extra": [_spanned(item) for item in (self.extra if counted else ())],
        }


def node_mapping(metrics: Sequence[Metric], pair: Pair, name: str) -> Mapping | None:
    """Which nodes of a pair's trees a metric of a run maps, as :meth:`Evaluation.node_mapping` has it."""
    for metric in metrics:
        if metric.name == name and hasattr(metric, "mapping"):
            try:
                found: Mapping | None = metric.mapping(pair)
            except TooLargeError:
                return None
            return found
    raise KeyError(name)


def _spanned(item: Constituent) -> dict[str, Any]:
    found: dict[str, Any] = {"label": item.label, "span": [item.start, item.end]}
    if item.gaps:
        found["blocks"] = [list(block) for block in item.blocks]
    return found
