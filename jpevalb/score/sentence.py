"""Results of a run sentence by sentence, and the scorer of a run."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Sequence
from itertools import chain, compress, takewhile
from operator import attrgetter
from typing import Any, ClassVar, NamedTuple, TypeAlias

from .. import errors
from ..alignment import Bead, Unit
from ..alignment.pair import EXCLUDED, NO_PARSE, OK, SHORT, UNREADABLE, Pair
from ..base.counts import brief, columns_of
from ..kernels.columns import current_names
from ..kernels.counting import COUNTED, picked
from ..metrics import Metric, make_metrics
from ..metrics.brackets import length
from ..metrics.record import Record, SentenceCounts
from ..settings.rules import RunRules
from ..settings.settings import Settings
from ..trees.sentence import Sentence
from ..trees.tree import Constituent, Tree


class _Beads(Metric):
    """Sentences and beads; counted in every run, before the metrics."""

    name = "sentences"
    counts = SentenceCounts
    plain: ClassVar[Any] = {"groups": "one", "gold": "one", "system": "one", "length": "length"}

    def count(self, pair: Pair) -> SentenceCounts:
        gold, system, aligned = pair.gold_sentences, pair.system_sentences, pair.bead.aligned
        return SentenceCounts(
            1,
            len(gold),
            len(system),
            int(not aligned and not (gold and system and pair.status == NO_PARSE)),
            0 if aligned or system else len(gold),
            0 if aligned or gold else len(system),
            sum([sentence.error is not None for sentence in gold]),
            sum([sentence.error is not None for sentence in system]),
            length(pair),
            int(pair.equal_share is not None),
        )


class Scorer:
    """Scores pairs with the metrics of a run."""

    def __init__(self, settings: Settings, *, node_pairs: bool = False) -> None:
        """Make the metrics; with ``node_pairs`` each pair keeps the nodes that Struct-IoU aligns."""
        self.settings = settings
        self.rules = RunRules(settings)
        self.metrics = tuple(make_metrics(settings, self.rules))
        for metric in self.metrics:
            metric.keeps_pairs = node_pairs
        self.same_words = settings.identical_words
        self.uncounted = (UNREADABLE, SHORT, EXCLUDED) if self.same_words else ()
        every = (_Beads(settings, self.rules), *self.metrics)
        self.zero = Record.of({metric.name: metric.zero() for metric in every})
        # The first metrics, whose numbers of a plain pair are picked from what is counted, and the others
        head = list(takewhile(attrgetter("plain"), every if settings.has_trees else ()))
        self._every, self._others = every, every[len(head) :]
        columns = [(metric.plain, columns_of(metric.counts)) for metric in head]
        names = [plain.get(number, "zero") for plain, one in columns for number in one.numbers]
        self._places = array("i", map(COUNTED.index, names))
        self._tables = tuple(chain.from_iterable([one.empty for _, one in columns]))

    def compare(self, golds: Sequence[Sentence], systems: Sequence[Sentence]) -> list[Any]:
        """Return what is counted of each of the first pairs of sentences that have the same words."""
        names = current_names()
        sides = [[one.tree.columns.moved(names) for one in side] for side in (golds, systems)]
        counted: list[Any] = self.rules.kernel(names).count_all(*sides)
        return counted

    def with_metric(self, metric: Metric) -> Scorer:
        """Return a scorer with one more metric, the last."""
        from copy import copy

        scorer = copy(self)
        scorer.metrics = (*self.metrics, metric)
        scorer.zero = Record.of({**self.zero.by_name(), metric.name: metric.zero()})
        return scorer

    def score(self, pair: Pair) -> Record:
        """Return the record of one pair."""
        if self.uncounted and pair.status in self.uncounted:
            if not self.settings.answers:
                return self.zero
            return self.zero.schema.record({metric.name: metric.uncounted(pair) for metric in self._every})
        others, numbers, tables = self._every, (), ()
        if self._places and pair.is_plain:
            others, numbers, tables = self._others, picked(pair.counted, self._places), self._tables
        counts = {metric.name: metric.count(pair) for metric in others}
        return self.zero.schema.record(counts, numbers, tables)


# Status, reason and id of a pair
State: TypeAlias = "tuple[str, str | None, str | None]"


class Unparsed(NamedTuple):
    """A sentence that could not be read and was skipped."""

    side: str  #: "gold" or "system"
    number: int  #: number of the sentence in its file, from 1
    error: str  #: error message


class SentenceResult:
    """Result of one pair of a run.

    Trees, constituents and corrections are computed on demand.
    """

    __slots__ = ("_pair", "_scorer", "_state", "_tags", "bead", "number", "record")

    def __init__(
        self,
        number: int,
        record: Record,
        scorer: Scorer,
        pair: Pair | Callable[[], Pair],
        state: State | None = None,
        bead: Bead | None = None,
    ) -> None:
        """Create a result from a pair, or from its bead and a function that returns the pair on demand."""
        self.number = number  #: number of the pair in the run, from 1
        self.record = record  #: its counts, which add up to those of the corpus
        #: ranges of its gold and system sentences
        self.bead: Bead = bead or pair.bead  # type: ignore[union-attr]
        self._scorer = scorer
        self._pair = pair
        self._state = state
        self._tags: list[Any] | None = None

    def with_pair(self, pair: Pair) -> SentenceResult:
        """Return the result of another pair in the same place, scored."""
        return SentenceResult(self.number, self._scorer.score(pair), self._scorer, pair)

    def counted_as(self, number: int, record: Record) -> SentenceResult:
        """Return a result of the same pair with another number and record."""
        return SentenceResult(number, record, self._scorer, self._pair, self._state, self.bead)

    def __repr__(self) -> str:
        return brief(self, number=self.number, status=self.status, f1=self.f1)

    def __getitem__(self, name: str) -> Any:
        """Return the record of a metric."""
        return self.record[name]

    @property
    def aligned(self) -> bool:
        """True if both sides have text, or neither has."""
        return self.bead.aligned

    @property
    def f1(self) -> float | None:
        """Bracketing F1; ``None`` without brackets on both sides."""
        f1: float | None = self.record.brackets.f1
        return f1

    @property
    def pair(self) -> Pair:
        """The pair that the metrics count."""
        if not isinstance(self._pair, Pair):
            self._pair = self._pair()
        return self._pair

    @property
    def status(self) -> str:
        """Status: ``"ok"``, ``"no parse"``, ``"missing"``, ``"extra"``, ``"unreadable"`` or ``"short"``.

        Pairs without a parse, or missing, are scored: all gold constituents are missed.  In
        runs whose words must agree, pairs whose gold tree is unreadable or short are not counted.
        """
        return self.state[0]

    @property
    def reason(self) -> str | None:
        """Reason for the status, if there is one."""
        return self.state[1]

    @property
    def id(self) -> str | None:
        """Id of the first gold sentence, if the file has ids."""
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
        """The id, or else the number."""
        return str(self.number) if self.id is None else self.id

    @property
    def length(self) -> int:
        """Number of units, or of gold words if words must agree, except DELETE_LABEL_FOR_LENGTH."""
        return self.record.picked(("sentences.length",))[0]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SentenceResult) and self.to_dict() == other.to_dict()

    __hash__ = None  # type: ignore[assignment]

    @property
    def gold(self) -> Tree:
        """The gold tree as scored; several sentences are joined under a root ``@S``."""
        return self.pair.gold

    @property
    def system(self) -> Tree:
        """The system tree as scored."""
        return self.pair.system

    @property
    def units(self) -> tuple[Unit, ...]:
        """The word alignment."""
        return self.pair.units

    @property
    def matched(self) -> list[tuple[Constituent, Constituent]]:
        """Gold and system constituent of each match."""
        return self.pair.matching.matched

    @property
    def missed(self) -> list[Constituent]:
        """Gold constituents without a match."""
        return self.pair.matching.missed

    @property
    def extra(self) -> list[Constituent]:
        """System constituents without a match."""
        return self.pair.matching.extra

    @property
    def crossing(self) -> list[Constituent]:
        """System constituents that cross a gold constituent."""
        return self.pair.matching.crossing

    @property
    def other_tags(self) -> Sequence[tuple[tuple[int, str], tuple[int, str]]]:
        """(Word, tag) of both sides for words that are aligned one to one and differ in tags."""
        if self._tags is None:
            from ..metrics.brackets import other_tags

            self._tags = other_tags(self.pair)
        return self._tags

    @property
    def unparsed(self) -> list[Unparsed]:
        """The sentences of this bead that could not be read."""
        bead = self.bead
        return [
            Unparsed(side, first + index, str(sentence.error))
            for side, first, group in (
                ("gold", bead.gold[0] + 1, self.pair.gold_sentences),
                ("system", bead.system[0] + 1, self.pair.system_sentences),
            )
            for index, sentence in enumerate(group)
            if sentence.error is not None
        ]

    def analysis_counts(self, classes: errors.Classes | None = None) -> errors.AnalysisCounts:
        """Return the counts of the sentence in an error analysis.

        Args:
            classes: Classes of labels; default: those of the Penn Treebank.
        """
        from ..errors.analysis import analysis_counts

        if "analysis" in self.record:
            known: errors.AnalysisCounts = self.record["analysis"]
            return known
        return analysis_counts(self.pair, classes, self.length)

    def corrections(self, classes: errors.Classes | None = None) -> list[errors.Correction]:
        """Return the steps that turn the system's constituents into those of gold, with their causes.

        Args:
            classes: Classes of labels (``jpevalb.errors.causes.load_classes``); default: those of the
                Penn Treebank.
        """
        from ..errors.corrections import corrections_of

        return corrections_of(self.pair, classes)

    def marks(self) -> tuple[dict[int, str], dict[int, str]]:
        """Return the marks of gold and system nodes, see ``jpevalb.trees.drawing``."""
        from ..trees.drawing import CROSSING, EXTRA, MATCHED, MATCHED_CROSSING, MISSED, OTHER_TAG

        match = self.pair.matching
        of_gold, of_system = [side.nodes for side in match.sides]
        gold = dict.fromkeys(of_gold, MATCHED)
        system = dict.fromkeys(of_system, MATCHED)
        gold |= dict.fromkeys([item.node for item in match.missed], MISSED)
        system |= dict.fromkeys([item.node for item in match.extra], EXTRA)
        for node in compress(of_system, match.crossed):
            system[node] = CROSSING if system[node] == EXTRA else MATCHED_CROSSING
        for (gold_index, _), (system_index, _) in self.other_tags:
            gold[self.gold.word_parents[gold_index]] = OTHER_TAG
            system[self.system.word_parents[system_index]] = OTHER_TAG
        return gold, system

    def _repr_svg_(self) -> str | None:
        """Return a drawing of both trees for notebooks; ``None`` for very large ones."""
        from ..trees.drawing import svg

        return svg([self.gold, self.system], self.marks(), self.pair.all_units)

    def _repr_html_(self) -> str:
        """Return the counts and the drawing of both trees, for notebooks."""
        from html import escape

        from ..base.text import visible

        brackets = self.record.brackets
        missed, extra = brackets.gold - brackets.matched, brackets.system - brackets.matched
        parts = [
            f"sentence {self.number}" + (f" ({visible(self.id)})" if self.id is not None else ""),
            *([visible(": ".join(filter(None, self.state[:2])))] if self.state[0] != OK else []),
            f"{brackets.matched} matched, {missed} missed, {extra} extra, {brackets.crossing} crossing",
            "no F1" if self.f1 is None else f"F1 {100 * self.f1:.2f}",
        ]
        drawn = self._repr_svg_()
        if drawn is None:
            parts.append("too large to be drawn")
        about = escape(" · ".join(parts))
        return f'<div><small>{about}</small><div style="overflow-x: auto">{drawn or ""}</div></div>'

    def to_dict(self, metrics: Sequence[Metric] = ()) -> dict[str, Any]:
        """Return number, id, status, sentences and counts, JSON-ready.

        With the metrics of the run, ``node_pairs`` lists the nodes that Struct-IoU aligns and their overlap.
        """
        return {**self.place(), **self.record.of_bead(), **self.listed(metrics)}

    def place(self) -> dict[str, Any]:
        """Return number, id, status and sentences, JSON-ready."""
        bead, (status, reason, id) = self.bead, self.state
        return {
            "number": self.number,
            "id": id,
            "status": status,
            "reason": reason,
            "gold": list(bead.gold),
            "system": list(bead.system),
            "aligned": bead.aligned,
        }

    def listed(self, metrics: Iterable[Metric]) -> dict[str, Any]:
        """Return what the metrics list of the pair in addition to their counts, JSON-ready."""
        return {key: item for metric in metrics for key, item in metric.listed(self.pair).items()}

    def details(self) -> dict[str, Any]:
        """Return words, units and constituents matched, missed and extra, JSON-ready.

        Spans are half-open and in units; constituents with gaps have ``blocks`` as well.  A match has a
        ``system_label`` if it differs from the gold label, since labels may be equated or ignored.
        Sentences that are not counted have no constituents.
        """
        counted = self.record.sentences.groups > 0
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


def _spanned(item: Constituent) -> dict[str, Any]:
    spanned: dict[str, Any] = {"label": item.label, "span": [item.start, item.end]}
    if item.gaps:
        spanned["blocks"] = [list(block) for block in item.blocks]
    return spanned
