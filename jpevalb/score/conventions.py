"""The figures of systems under several conventions, with each file read once."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Any

from ..alignment.pair import Pair
from ..base.claims import Claim, kinds
from ..base.counts import brief, ratio
from ..base.errors import SettingsError
from ..base.plugins import late
from ..formats.read import Source
from ..kernels.columns import Columns, Names, current_names
from ..kernels.counting import COUNTED, F1_UNIT, UNLIKE, Rules
from ..metrics.record import Record
from ..settings.convention import OF_FIGURES, TOOLS, Convention
from ..settings.rules import RunRules, of_tool
from ..settings.settings import ALIGNED, Settings
from ..trees.tree import Tree
from .evaluate import evaluate
from .inputs import Input, Replayable, names_of
from .pairing import Side
from .sentence import SentenceResult

_TOGETHER = 512  # rows that are added up at once
NEAR = 0.0005  # distance of an F1 that is a published one, rounded

kinds(
    "conventions",
    ranked_alike="the {count} conventions that score all systems rank them alike: {ranks}",
    rankings="the ranking of the systems changes: {count} rankings",
    ranking="{ranks}: {conventions:,}",
    published="published {f1:%}, within 0.05 (*): {conventions:,}",
    unpublished="published {f1:%}, within 0.05 (*): no convention",
    separated="{first} ({f1:%}), {second} ({other:%}): {count} of {rules} rules that differ {verb} F1 alone:",
    separating="{rule}: {f1:%}",
    stopped="no figure of {name}: {why} ({conventions:,})",
    of_tools="F1 by the rules of other tools",
    by_tools="F1 by the rules of other tools: {rates:to}",
)


@dataclass(frozen=True, slots=True)
class ConventionResult:
    """Counts of one system under one convention."""

    convention: Convention  #: the convention
    system: str = ""  #: name of the system
    sentences: int = 0  #: sentences that count
    left_out: int = 0  #: sentences that the convention leaves out
    gold: int = 0  #: brackets of gold
    predicted: int = 0  #: brackets of the system
    matched: int = 0  #: matched brackets
    complete: int = 0  #: sentences whose brackets all match
    f1_sum: int = 0  #: sum of the sentences' F1, in units of 1 / 10**12
    tagged: int = 0  #: words whose tags are compared
    correct_tags: int = 0  #: words with the same tag
    dropped: tuple[int, int] = (0, 0)  #: words dropped from gold and from the system
    stopped: str = ""  #: why the tool gives no figure; empty if it gives one

    def _rate(self, part: int, whole: int) -> float | None:
        return None if self.stopped else ratio(part, whole)

    @property
    def recall(self) -> float | None:
        """Share of gold's brackets that matched; ``None`` if undefined."""
        return self._rate(self.matched, self.gold)

    @property
    def precision(self) -> float | None:
        """Share of the system's brackets that matched; ``None`` if undefined."""
        return self._rate(self.matched, self.predicted)

    @property
    def f1(self) -> float | None:
        """F1 of the corpus, or the mean of the sentences' F1; ``None`` if undefined."""
        if self.convention.mean == "sentences":
            return self._rate(self.f1_sum, self.sentences * F1_UNIT)
        return self._rate(2 * self.matched, self.gold + self.predicted)

    @property
    def complete_match(self) -> float | None:
        """Share of sentences whose brackets all match; ``None`` if undefined."""
        return self._rate(self.complete, self.sentences)

    @property
    def tag_accuracy(self) -> float | None:
        """Share of words with the same tag; ``None`` if undefined or not counted."""
        return self._rate(self.correct_tags, self.tagged)

    def to_dict(self) -> dict[str, Any]:
        """Return names, rates in [0, 1] and counts, ready for JSON."""
        rates = ("recall", "precision", "f1", "complete_match", "tag_accuracy")
        counts = ("sentences", "left_out", "gold", "predicted", "matched")
        content = {"name": self.convention.name, "system": self.system}
        standardised = [
            {"side": side, "what": "words dropped", "count": count}
            for side, count in zip(("gold", "system"), self.dropped)
            if count
        ]
        how = {name: getattr(self.convention, name) for name in ("tool", "source", "figure", "signature")}
        content |= {name: getattr(self, name) for name in (*rates, *counts)}
        return {**content, "standardised": standardised, "stopped": self.stopped or None, **how}


_COUNTS = COUNTED[1:]
_SUMS: dict[str, Any] = {
    **{"sentences": "one", "gold": "gold", "predicted": "system", "matched": "matched"},
    **{"complete": "complete", "f1_sum": "f1", "tagged": "gold_tagged", "correct_tags": "correct_tags"},
}
"""The names in the kernel of the counts of a result."""


class _Counted:
    """The sums of one system under one convention."""

    def __init__(self, convention: Convention) -> None:
        self.convention = convention
        self._rules: tuple[Names, Rules] | None = None  # compiled for a table of texts
        self._rows = [[0] * len(_COUNTS)]  # the sums so far, then the counts of some pairs
        self._left_out = 0
        self.stopped = ""  # why the tool gives no figure

    def add(self, gold: Columns, system: Columns, number: int) -> None:
        """Count a pair; both trees have the same table of texts."""
        if self.stopped:
            return
        if self._rules is None or self._rules[0] is not gold.names:
            self._rules = gold.names, of_tool(self.convention, gold.names)
        reason, *row = self._rules[1].count(gold, system)
        if reason == UNLIKE and self.convention.unlike == "stop":
            self.stopped = f"words differ in sentence {number}"
        elif reason:
            self._left_out += 1
        else:
            self._rows.append(row)
            if len(self._rows) > _TOGETHER:
                self._rows = [self._sums()]

    def _sums(self) -> list[int]:
        return list(map(sum, zip(*self._rows)))

    def result(self, system: str) -> ConventionResult:
        """Return the counts so far."""
        sums = dict(zip(_COUNTS, self._sums()))
        return ConventionResult(
            self.convention,
            system,
            left_out=self._left_out,
            **{name: sums[counted] for name, counted in _SUMS.items()},
            dropped=(sums["gold_dropped"], sums["system_dropped"]),
            stopped=self.stopped,
        )


class _SystemSums:
    """The figures of one system under some conventions."""

    def __init__(self, conventions: Sequence[Convention], system: str) -> None:
        self.system = system
        self._counted = [_Counted(one) for one in conventions]
        self._in_order = [one for one in self._counted if one.convention.compare != "aligned"]
        self._aligned = ConventionResult(Convention(), system)  # counts of all conventions that align words

    def add(self, gold: Columns, system: Columns, number: int) -> None:
        """Count a pair."""
        for one in self._in_order:
            one.add(gold, system, number)

    def stop(self, reason: str) -> None:
        """Note why the tools that pair sentences in order give no figure."""
        for one in self._in_order:
            one.stopped = one.stopped or reason

    def align(self, total: Record) -> None:
        """Take the counts of a run for the conventions that align words."""
        brackets, tags = total.brackets, total.tags
        self._aligned = replace(
            self._aligned,
            sentences=brackets.sentences,
            gold=brackets.gold,
            predicted=brackets.system,
            matched=brackets.matched,
            complete=brackets.complete,
            tagged=tags.gold,
            correct_tags=tags.correct,
        )

    def results(self) -> list[ConventionResult]:
        """Return the counts so far under each convention."""
        return [
            replace(self._aligned, convention=one.convention)
            if one.convention.compare == "aligned"
            else one.result(self.system)
            for one in self._counted
        ]


class ConventionTable:
    """Figures of systems under conventions.

    Attributes:
        results: The counts of each system under each convention; the F1 of the first system descends.
        systems: Names of the systems.
        conventions: The conventions in this order.
        published: A published F1 in [0, 1], or ``None``.
        separating: For the two conventions whose F1 is nearest to the published one, a claim for each rule
            that on its own changes the figure.
    """

    def __init__(
        self, tables: Sequence[_SystemSums], published: float | None = None, separating: Sequence[Claim] = ()
    ) -> None:
        self.systems = [table.system for table in tables]
        every = [table.results() for table in tables]
        ranked = sorted(every[0], key=lambda row: -1.0 if row.f1 is None else row.f1, reverse=True)
        self.conventions = [row.convention for row in ranked]
        self.published = published
        self.separating = tuple(separating)
        places = {convention.signature: place for place, convention in enumerate(self.conventions)}
        self.results = [sorted(rows, key=lambda row: places[row.convention.signature]) for rows in every]

    def report(self, format: str = "text") -> str:
        """Return the table in a format of ``jpevalb.report.FORMATS``."""
        text: str = late("report of conventions").render_conventions(self, format)
        return text

    def __repr__(self) -> str:
        return brief(self, conventions=len(self.conventions), systems=self.systems)

    def is_near(self, row: ConventionResult) -> bool:
        """Return True if an F1 is within 0.05 points of the published one."""
        return (
            self.published is not None and row.f1 is not None and abs(row.f1 - self.published) < NEAR + 1e-9
        )

    def rankings(self) -> dict[tuple[tuple[str, ...], ...], list[str]]:
        """Return the conventions by the ranking of the systems that they give, best systems first.

        Systems with equal figures share a rank.  Conventions without a figure for one of the systems are left
        out.
        """
        found: dict[tuple[tuple[str, ...], ...], list[str]] = {}
        for index, convention in enumerate(self.conventions):
            column = [rows[index] for rows in self.results]
            if any(row.f1 is None for row in column):
                continue
            figures = sorted({row.f1 or 0.0 for row in column}, reverse=True)
            ranks = [tuple([row.system for row in column if (row.f1 or 0.0) == f1]) for f1 in figures]
            found.setdefault(tuple(ranks), []).append(convention.name)
        return found

    def to_dict(self) -> dict[str, Any]:
        """Return a row for each convention and system, ready for JSON."""
        content: dict[str, Any] = {
            "conventions": [row.to_dict() for column in zip(*self.results) for row in column]
        }
        if len(self.systems) > 1:
            content["rankings"] = [
                {"systems": list(map(list, ranks)), "conventions": names}
                for ranks, names in self.rankings().items()
            ]
        if self.published is not None:
            near = [row.convention.name for row in self.results[0] if self.is_near(row)]
            separating = [one.text for one in self.separating]
            content["published"] = {"f1": self.published, "near": near, "separating": separating}
        return {**content, "claims": late("claims")(self)}


def conventions(
    gold: Source,
    systems: Any,
    names: str | Iterable[str | Convention] = "all",
    *,
    published: float | None = None,
    settings: Settings | None = None,
    **options: Any,
) -> ConventionTable:
    """Score systems under several conventions, reading each file once.

    Sentences pair up in order, as in the tools; jpevalb's own convention aligns them.

    Args:
        gold: The gold trees, as for :func:`jpevalb.evaluate`.
        systems: The system's file, or a list or mapping of systems as for :func:`jpevalb.compare`.
        names: ``"all"``, or names of conventions or conventions of your own.
        published: F1 in [0, 1] of a paper, to mark the conventions that give it and to search for the rules
            that separate the nearest ones.
        settings: How to read the files.
        **options: Single fields of the settings, on top of ``settings``.

    Raises:
        JpevalbError: a file cannot be read, or a convention is unknown.

    >>> gold = ["(ROOT (S (NP-SBJ (NN a)) (VP (VB b)) (. .)))"]
    >>> table = conventions(gold, {"sys": ["(ROOT (S (NP (NN a)) (VP (VB b)) (. .)))"]}, ["supar", "evalb"])
    >>> [(row.convention.name, row.f1) for row in table.results[0]]
    [('evalb', 1.0), ('supar', 0.75)]
    """
    chosen = chosen_conventions(names)
    if isinstance(systems, (str, os.PathLike)) or hasattr(systems, "read"):
        systems = [systems]
    given = Settings.of(settings, options)
    named = names_of(systems)
    replayed = Replayable(gold, given.reading("gold")[1])
    sources = [(name, Replayable(source, given.reading("sys")[1])) for name, source in named]
    counts = _Totals(chosen, [name for name, _ in sources])
    counts.read([replayed, *[source for _, source in sources]], given)
    if any(one.compare == "aligned" for one in chosen):
        for table, (_, source) in zip(counts.tables, sources):
            two_metrics = given.replace(metrics=("brackets", "tags"))
            table.align(evaluate(replayed.open(), source.open(), settings=two_metrics).total)
    found = ConventionTable(counts.tables, published)
    if published is None:
        return found
    return ConventionTable(counts.tables, published, tuple(_separating(found, replayed, sources[:1], given)))


def chosen_conventions(names: str | Iterable[str | Convention]) -> list[Convention]:
    """Return the conventions of these names, each once; raise a SettingsError for an unknown one."""
    if names == "all":
        return list(map(Convention.of, TOOLS))
    listed = names.split(",") if isinstance(names, str) else names
    chosen = list(dict.fromkeys(map(Convention.of, listed)))
    if not chosen:
        raise SettingsError(f"no convention is named; expected all, or some of {', '.join(TOOLS)}")
    return chosen


def _trees(source: Replayable, side: str, settings: Settings) -> Iterable[Tree]:
    """Yield the trees of a file as they are written."""
    rules = RunRules(settings.replace(convention=ALIGNED))
    reader = Side(Input(source.open(), "gold" if side == "gold" else "sys", settings), side, settings, rules)
    for sentence in reader:
        yield sentence.source


class _Totals:
    """The figures of systems under some conventions, from the trees of all files in step."""

    def __init__(self, conventions: Sequence[Convention], systems: Sequence[str]) -> None:
        self.tables = [_SystemSums(conventions, name) for name in systems]
        self._lengths = [0] * (1 + len(systems))  # sentences of gold and of the systems

    def add(self, trees: Iterable[Tree | None]) -> None:
        """Count the next tree of gold and of each system; ``None`` after the end of a file."""
        names = current_names()
        gold, *systems = [None if tree is None else tree.columns.moved(names) for tree in trees]
        for index, columns in enumerate((gold, *systems)):
            self._lengths[index] += columns is not None
        for table, system in zip(self.tables, systems):
            if gold is not None and system is not None:
                table.add(gold, system, self._lengths[0])

    def end(self) -> None:
        """Note which systems have more or fewer sentences than gold."""
        for table, length in zip(self.tables, self._lengths[1:]):
            if length != self._lengths[0]:
                table.stop(f"{self._lengths[0]} gold sentences, {length} of the system")

    def read(self, files: Sequence[Replayable], settings: Settings) -> None:
        """Count all trees of gold and of the systems."""
        sides = ["gold", *["system"] * len(self.tables)]
        for trees in zip_longest(*[_trees(source, side, settings) for source, side in zip(files, sides)]):
            self.add(trees)
        self.end()


class RunConventions:
    """The figures of a run's system under all conventions, counted as the results of the run pass."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._counts = _Totals(chosen_conventions("all"), [name])
        self._waiting: tuple[deque[Tree], deque[Tree]] = deque(), deque()  # trees without partner yet
        self._read = [0, 0]
        self.in_order = True  #: False if the sentences do not come in the order of the files

    def follow(self, results: Iterable[SentenceResult]) -> Iterator[SentenceResult]:
        """Yield the results, and count their sentences."""
        for result in results:
            if self.in_order:
                self._add(result.pair)
            yield result

    def _add(self, pair: Pair) -> None:
        for side, sentences in enumerate((pair.gold_sentences, pair.system_sentences)):
            for sentence in sentences:
                self._read[side] += 1
                self.in_order = self.in_order and sentence.number == self._read[side]
                self._waiting[side].append(sentence.source)
        while all(self._waiting):
            self._counts.add([trees.popleft() for trees in self._waiting])

    def table(self, total: Record) -> ConventionTable:
        """Return the table, given the sums of the run."""
        for trees in zip_longest(*self._waiting):
            self._counts.add(trees)
        self._counts.end()
        self._counts.tables[0].align(total)
        return ConventionTable(self._counts.tables)


def _separating(
    table: ConventionTable, gold: Replayable, systems: Sequence[tuple[str, Replayable]], settings: Settings
) -> Iterable[Claim]:
    """Yield which rules separate the two figures nearest to the published one, and what each changes."""
    published = table.published or 0.0
    rows = [row for row in table.results[0] if row.f1 is not None and row.convention.compare != "aligned"]
    rows.sort(key=lambda row: abs((row.f1 or 0.0) - published))
    first = rows[0] if rows else None
    other = next((row for row in rows[1:] if f"{row.f1:.4f}" != f"{rows[0].f1:.4f}"), None)
    if first is None or other is None:
        return
    both = first.convention, other.convention
    changed = [name for name in OF_FIGURES if getattr(both[0], name) != getattr(both[1], name)]
    variants = [first.convention.replace(**{name: getattr(other.convention, name)}) for name in changed]
    counts = _Totals(variants, [""])
    counts.read([gold, *[source for _, source in systems]], settings)
    matter = [
        row
        for row in counts.tables[0].results()
        if row.f1 is not None and f"{row.f1:.4f}" != f"{first.f1:.4f}"
    ]
    numbers = {"first": both[0].name, "f1": first.f1, "second": both[1].name, "other": other.f1}
    verb = "changes" if len(matter) == 1 else "change"
    yield Claim("separated", {**numbers, "count": len(matter), "rules": len(changed), "verb": verb})
    for row in matter:
        rule = row.convention.differences(first.convention)[0]
        yield Claim("separating", {"rule": rule, "f1": row.f1, "first": both[0].name})
