"""Counts of systems, sentence by sentence, and the units in which they are compared."""

from __future__ import annotations

import os
import re
from array import array
from bisect import bisect_left
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeAlias

from ..alignment.pair import CHANGES, EXCLUDED, EXTRA, MISSING, NO_PARSE, OK, SHORT, UNREADABLE
from ..alignment.stream import TOGETHER
from ..base.claims import Claim
from ..base.counts import Fields, ratio
from ..base.errors import InputError, SettingsError, reported
from ..base.files import lines_of, source_name
from ..formats.read import Source, format_named
from ..kernels.counting import F1_UNIT
from ..metrics import Figure
from ..metrics.brackets import LEGACY, SENTENCE_F1
from ..metrics.unit_table import UnitTable
from ..score.evaluation import Cells, figures_of
from ..score.inputs import ASK_FOR_ANSWERS, Input
from ..score.run import Run
from ..score.sentence import SentenceResult
from ..settings.params import Params
from ..settings.settings import Settings

if TYPE_CHECKING:
    from ..metrics.labels import LabelCount
    from ..metrics.references import ReferenceScores
    from ..score.references import NamedReferences, ReferencesRun
    from ..score.workers import WorkerPool


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Units(Fields):
    """Units of resampling: stretches of gold sentences that are the same for several systems."""

    ends: tuple[int, ...]  # number of gold sentences up to the end of each unit
    of: tuple[tuple[int, ...], ...]  # for each system, the unit of each of its beads

    def __len__(self) -> int:
        return max(len(self.ends), any(self.of))

    @property
    def gold(self) -> int:
        """The number of gold sentences."""
        return self.ends[-1] if self.ends else 0


def common_units(alignments: Sequence[Sequence[tuple[int, int]]]) -> Units:
    """Return the smallest stretches of gold that consist of whole beads for every system.

    Systems may split and merge sentences differently, so bead i of one is not bead i of another; a paired
    test needs units that are the same gold sentences for all.  A unit ends between two gold sentences if
    and only if no system has a bead across that point.  A bead without gold sentences belongs to the unit
    before it, or to the first; if gold is empty, there is one unit.

    ``alignments`` has for each system the half-open ranges of gold sentences of its beads, in order.  A
    SettingsError is raised if they do not cover the same gold sentences one after the other.

    >>> common_units([[(0, 1), (1, 3), (3, 4)], [(0, 2), (2, 3), (3, 3), (3, 4)]])
    Units(ends=(3, 4), of=((0, 0, 1), (0, 0, 0, 1)))
    """
    ends = set[int]()
    gold = 0
    for number, ranges in enumerate(alignments, 1):
        if number > 1 and ranges == alignments[0]:
            continue
        at = 0
        for start, end in ranges:
            if not at == start <= end:
                raise SettingsError(
                    f"system {number} has a bead of the gold sentences from {start} to {end}; "
                    f"expected one that begins at {at}"
                )
            at = end
        if number > 1 and at != gold:
            raise SettingsError(
                f"system 1 was scored against {gold} gold sentences and system {number} against {at}; "
                "a comparison needs the same gold sentences for all"
            )
        gold = at
        own = {end for _, end in ranges} - {0}
        ends = own if number == 1 else ends & own
    cuts = sorted(ends)
    of = [
        # As many beads as units: each bead is one.
        range(len(cuts)) if len(ranges) == len(cuts) else [bisect_left(cuts, end) for _, end in ranges]
        for ranges in alignments
    ]
    return Units(tuple(cuts), tuple(map(tuple, of)))


TESTED = 30  # maximum number of labels that are tested, the most frequent ones of gold
# Headings of these figures; if labels are not compared, a label has only a recall.
F_GROUP = "F by label"
RECALL_GROUP = "Recall by gold label"


def labels_in(record: Any) -> Mapping[str, LabelCount] | None:
    """Return the counts by label of a record, ``None`` if they were not counted."""
    if "labels" in record:
        return record["labels"].labels  # type: ignore[no-any-return]
    return record["analysis"].labels.labels if "analysis" in record else None


def gold_counts(counted: Sequence[Mapping[str, LabelCount]]) -> dict[str, int]:
    """Return the number of gold constituents by label, the most frequent labels first."""
    gold: dict[str, int] = {}
    for counts in counted:
        for label, item in counts.items():
            # Gold constituents are the same for all systems, however they join sentences.
            gold[label] = max(gold.get(label, 0), item.gold)
    return dict(sorted(gold.items(), key=lambda item: (-item[1], item[0])))


class LabelRows:
    """The counts by label of each record, in flat arrays to save memory."""

    def __init__(self) -> None:
        # For each label: number of the record, matched, gold, system, again and again
        self._counts: defaultdict[str, array[int]] = defaultdict(lambda: array("q"))
        # Labels whose F is not a quotient of sums: precision and recall have different numerators
        self.equated: set[str] = set()

    def add(self, number: int, record: Any) -> None:
        """Add a record; ``number`` is its index."""
        for label, counts in (labels_in(record) or {}).items():
            self._counts[label].extend((number, counts.matched, counts.gold, counts.system))
            if counts.matched != counts.system_matched:
                self.equated.add(label)

    def columns(self, label: str, size: int, *, recall: bool) -> list[array[int]]:
        """Return numerators and denominators of the F of a label, or its recall, for ``size`` records."""
        numerators, denominators = (array("q", bytes(8 * size)) for _ in range(2))
        counts = self._counts.get(label, ())
        for number, matched, gold, system in zip(*[counts[place::4] for place in range(4)]):
            numerators[number] = matched if recall else 2 * matched
            denominators[number] = gold if recall else gold + system
        return [numerators, denominators]


def label_figure(label: str, *, unlabeled: bool) -> Figure:
    """Return the F of a label, or its recall, read from the records of a run.

    >>> label_figure("NP", unlabeled=False).name
    'label_NP'
    """

    def counts(record: Any) -> tuple[int, int]:
        count = (labels_in(record) or {}).get(label)
        if count is None:
            return 0, 0
        return (count.matched, count.gold) if unlabeled else (2 * count.matched, count.gold + count.system)

    group = RECALL_GROUP if unlabeled else F_GROUP
    return Figure(f"label_{label}", label or "()", group=group, counts=counts)


AnySettings: TypeAlias = Settings | Params  # ``Params`` are those of evalb's report


@dataclass(slots=True, eq=False, repr=False)
class SystemRows(Fields):
    """One system's counts, record by record, and their total."""

    format: str | None = None  # of its file
    # Half-open range of gold sentences of each record; they cover the file
    gold: list[tuple[int, int]] = field(default_factory=list)
    columns: dict[Figure, list[array[int]]] = field(default_factory=dict)  # numerators and denominators
    total: Any = None  # the sum of the records
    claimed: tuple[Claim, ...] = ()  # counts of the sentences left out, and warnings
    signature: str = ""
    results: list[SentenceResult] = field(default_factory=list)  # if kept; never with ``Params``
    references: tuple[ReferenceScores, ...] = ()  # with several references: each, their mean, the best
    labels: LabelRows = field(default_factory=LabelRows)  # constituents by label, if labels are counted
    # Indices of records without brackets on either side and without a usable parse
    unparsed: set[int] = field(default_factory=set)
    left_out: set[int] = field(default_factory=set)  # indices of records that a convention does not count
    # Of each result that is kept, as a page has them; none if workers counted
    corrections: list[str] = field(default_factory=list)
    problem: str = ""  # why it has no figures; empty if it has some
    excluded: float = 0.0  # share of the gold sentences that a convention left out for their words
    no_parse: bool = False  # True if no sentence has a parse

    def table(self, unit_of: Sequence[int], units: int) -> UnitTable:
        """Return the numerators and denominators, alternating, summed by unit."""
        return UnitTable.summed([column for pair in self.columns.values() for column in pair], unit_of, units)

    @property
    def f1_sentences(self) -> int | None:
        """Number of sentences in the mean of sentence F1; ``None`` with ``Params``."""
        return sum(self.columns[SENTENCE_F1][1]) // F1_UNIT if SENTENCE_F1 in self.columns else None

    def rates(self) -> dict[str, float | None]:
        # A figure that only other systems have has denominators of 0, and is not in the total.
        rates = {
            figure.name: figure.value(self.total) if any(denominators) else None
            for figure, (_, denominators) in self.columns.items()
        }
        if (sentences := self.f1_sentences) is not None:
            # Other systems decide which sentences without brackets count.
            rates[SENTENCE_F1.name] = ratio(sum(self.columns[SENTENCE_F1][0]) / F1_UNIT, sentences)
        return rates


def score_systems(
    gold: Input,
    systems: Sequence[Input],
    settings: Settings,
    *,
    pool: WorkerPool | None,
    keep: bool,
    references: NamedReferences,
    follow: Callable[[Iterator[Any]], Iterable[Any]],
) -> list[SystemRows]:
    """Score the systems in parallel, so that gold is read once.

    Memory holds the counts of each sentence, and the gold trees between the fastest and the slowest
    system.
    """
    runs: list[Any] = []
    formats = [format_named(one.format or "").settings for one in systems]
    for system, own in zip(systems, formats):
        # A parser's trees beside answers have no field.
        unused = [name for name in ASK_FOR_ANSWERS if name not in own and any(name in one for one in formats)]
        unset: Any = {one.name: one.default for one in fields(Settings) if one.name in unused}
        if references:
            from ..score.references import ReferencesRun

            runs.append(ReferencesRun(references, system.source, settings.replace(**unset), pool))
        else:
            runs.append(Run(gold, system, settings.replace(**unset), pool))
    if len({run.settings.has_trees for run in runs}) > 1:
        raise SettingsError("some systems have trees and others words alone; compare them separately")
    if len(runs) > 1 and not references:
        runs[0].sides[0].share([run.sides[0] for run in runs[1:]])
    scored = [SystemRows(system.format) for system in systems]
    walks = [_score(run, rows, keep, pool is None) for run, rows in zip(runs, scored)]
    behind = dict.fromkeys(range(len(runs)), 0)

    def in_step() -> Iterator[int]:
        while behind:
            index = min(behind, key=behind.__getitem__)
            ends = list(islice(walks[index], TOGETHER))
            yield from ends
            if ends:
                behind[index] = ends[-1]
            else:
                del behind[index]

    deque(follow(in_step()), 0)
    return scored


def _score(run: Run | ReferencesRun, rows: SystemRows, keep: bool, here: bool) -> Iterator[int]:
    """Score a system; yield the number of gold sentences up to the end of each result."""
    cells = Cells(figures_of(run.metrics, run.settings))
    place = cells.names.index("brackets.f1_sentences")
    has_labels = any(one.name in ("labels", "analysis") for one in run.metrics)
    analysis: Any = next((one for one in run.metrics if one.name == "analysis"), None)
    classes = analysis.classes if keep and here and analysis else None
    for number, result in enumerate(run.results(kept=keep) if isinstance(run, Run) else run):
        if keep:
            rows.results.append(result)
        if classes is not None:
            from ..errors.corrections import correction_codes

            rows.corrections.append(correction_codes(result.corrections(classes)))
        record, gold = result.record, result.bead.gold
        row = record.picked(cells.names)
        if not row[place] and result.status not in (OK, UNREADABLE):
            (rows.left_out if result.status in (EXCLUDED, SHORT) else rows.unparsed).add(number)
        if has_labels:
            rows.labels.add(number, record)
        cells.add(record, row)
        rows.gold.append(gold)
        yield gold[1]
    found, rows.problem = run.evaluation(check=False), run.problem()
    rows.columns, rows.total, rows.signature = cells.columns(), found.total, found.signature
    rows.excluded, rows.no_parse = found.excluded_share, found.unparsed
    rows.references = () if isinstance(run, Run) else run.scores()
    least = found.settings.rules().words[0]
    counts = {**found.states, **found.total.sentences.to_dict()}
    notes = (_SENTENCE_NOTES if found.settings.identical_words else _BEAD_NOTES).items()
    rows.claimed = (
        *_notes(
            *[(counts[key], text.format(least_words=least)) for key, text in notes],
            *[item for one in found.metrics for item in one.left_out(found.total[one.name])],
            *[
                (item.count, item.what)
                for item in found.standardised
                if item.side == "system" and item.what in CHANGES
            ],
        ),
        *([Claim("no_figures", {"problem": rows.problem})] if rows.problem else found.claimed),
    )


# Descriptions of sentences left out, by state or by count of beads
_BEAD_NOTES = {
    "unaligned": "unaligned sentences",
    NO_PARSE: "sentences without a parse",
    "gold_unparsed": "gold sentences that cannot be read",
    "system_unparsed": "system sentences that cannot be read",
}
_SENTENCE_NOTES = {
    MISSING: "gold sentences without a parse in the file",
    NO_PARSE: "gold sentences without a usable parse",
    UNREADABLE: "gold sentences that cannot be read",
    EXTRA: "system sentences without gold",
    SHORT: "gold sentences of fewer than {least_words} words",
    EXCLUDED: "sentences that the rules leave out",
}


def settle(scored: Sequence[SystemRows], *, unlabeled: bool) -> None:
    """Give all systems the same figures over the same sentences, all undefined for a system with a problem.

    Raise an InputError if every system has a problem.
    """
    if all(one.problem for one in scored):
        raise InputError(scored[0].problem)
    _give_same_figures(scored, unlabeled=unlabeled)
    _fill_sentence_f1(scored)
    for one in scored:
        if one.problem:
            zeros = array("q", bytes(8 * len(one.gold)))
            one.columns = {figure: [zeros, zeros] for figure in one.columns}


def _give_same_figures(scored: Sequence[SystemRows], *, unlabeled: bool) -> None:
    """Give all systems the figures that one of them shows, beginning with the main table.

    A measure that a system lacks has denominators of 0.  F of the most frequent labels is added, if they
    are counted; labels whose F is not a quotient of additive counts, such as equated labels, are omitted.
    """
    shown = {figure for one in scored for figure in one.columns if figure.shown(one.total)}
    every = dict.fromkeys([figure for one in scored for figure in one.columns if figure in shown])
    figures = sorted(every, key=lambda figure: bool(figure.group))
    columns: list[dict[Figure, list[array[int]]]] = []
    for one in scored:
        zeros = array("q", bytes(8 * len(one.gold)))
        columns.append({figure: one.columns.get(figure, [zeros, zeros]) for figure in figures})
    counted = [counts for one in scored if (counts := labels_in(one.total)) is not None]
    if len(counted) == len(scored):
        known = [
            label
            for label, gold in gold_counts(counted).items()
            if gold and (unlabeled or not any(label in one.labels.equated for one in scored))
        ]
        for label in known[:TESTED]:
            figure = label_figure(label, unlabeled=unlabeled)
            for one, own in zip(scored, columns):
                own[figure] = one.labels.columns(label, len(one.gold), recall=unlabeled)
    for one, own in zip(scored, columns):
        one.columns = own


def _fill_sentence_f1(scored: Sequence[SystemRows]) -> None:
    """Count a sentence in the sentence-mean F1 of all systems if it has an F1 for any of them.

    A system without brackets on a sentence without gold brackets has F1 1 there, and 0 without a parse.
    """
    if SENTENCE_F1 not in scored[0].columns or all(all(one.columns[SENTENCE_F1][1]) for one in scored):
        return
    counted = bytearray(max([one.gold[-1][1] for one in scored if one.gold], default=0))
    for one in scored:
        for (start, end), denominator in zip(one.gold, one.columns[SENTENCE_F1][1]):
            if denominator:
                counted[start:end] = b"\1" * (end - start)
    for one in scored:
        sums, denominators = [column[:] for column in one.columns[SENTENCE_F1]]
        for index, (start, end) in enumerate(one.gold):
            if not denominators[index] and index not in one.left_out and any(counted[start:end]):
                sums[index], denominators[index] = 0 if index in one.unparsed else F1_UNIT, F1_UNIT
        one.columns[SENTENCE_F1] = [sums, denominators]


def score_legacy(gold: Source, system: Source, params: Params, dialect: str, name: str) -> SystemRows:
    from .. import legacy

    try:
        result = legacy.evaluate(list(lines_of(gold)), list(lines_of(system)), params, dialect=dialect)
    except InputError as error:
        if error.source not in ("gold", "system"):
            raise
        raise reported(error, "gold: " if error.source == "gold" else "", source=name) from None
    total = result.total
    notes = _notes((total.errors, "sentences in error"), (total.skipped, "sentences skipped"))
    cells = Cells(LEGACY)
    for sentence in result.sentences:
        cells.add(sentence.counts)
    ranges = [(index, index + 1) for index in range(len(result.sentences))]
    return SystemRows(None, ranges, cells.columns(), total, notes, result.signature)


def _notes(*counts: tuple[int, str]) -> tuple[Claim, ...]:
    notes = []
    for count, what in counts:
        if count == 1:
            what = re.sub(r"\b(bead|sentence|word|trace|root|label|subtree)s\b", r"\1", what, count=1)
        if count:
            notes.append(Claim("not_scored", {"count": count, "what": what}))
    return tuple(notes)


def baseline_first(
    name: str, named: Sequence[tuple[str, Source]], members: Mapping[str, Sequence[int]]
) -> tuple[list[tuple[str, Source]], dict[str, tuple[int, ...]]]:
    """Move the baseline to the front, and renumber the groups; its path or file name names it, too."""
    names = [one for one, _ in named]
    paths = [(one, source_name(source) or one) for one, source in named]
    found = [one for one, path in paths if name in (path, os.path.basename(path))]
    if len(found) == 1:
        (name,) = found
    if name not in names:
        raise SettingsError(f"unknown system {name!r}; expected one of {', '.join(names)}")
    order = sorted(range(len(names)), key=lambda index: names[index] != name)
    renumbered = {
        group: tuple([order.index(number - 1) + 1 for number in numbers])
        for group, numbers in members.items()
    }
    return [named[index] for index in order], renumbered
