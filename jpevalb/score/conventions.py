"""The figures of systems under several conventions, with each file read once."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, zip_longest
from typing import Any

from ..base.claims import Claim
from ..base.counts import brief, ratio
from ..base.errors import SettingsError
from ..base.plugins import late
from ..formats.read import Source
from ..kernels.columns import Columns, Names, current_names
from ..kernels.counting import COUNTED, F1_UNIT, Rules
from ..metrics.record import Record
from ..settings.convention import OF_FIGURES, TOOLS, Convention
from ..settings.rules import RunRules, of_tool
from ..settings.settings import ALIGNED, Settings
from ..trees.tree import Tree
from .inputs import Input, Replayable, names_of
from .pairing import Side
from .sentence import SentenceResult

_TOGETHER = 64  # sentences that are counted at once
NEAR = 0.0005  # distance of an F1 that is a published one, rounded


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


_SUMS = {
    **{"sentences": "one", "gold": "gold", "predicted": "system", "matched": "matched"},
    **{"complete": "complete", "f1_sum": "f1", "tagged": "gold_tagged", "correct_tags": "correct_tags"},
    **{"gold_dropped": "gold_dropped", "system_dropped": "system_dropped"},
}
"""The names in the kernel of the counts of a result."""
_PLACES = list(map(COUNTED.index, _SUMS.values()))  # of these in what the kernel returns

_ABOUT = dict.fromkeys(("name", "tool", "source", "figure"), "")
_NOT_COUNTED: dict[str, Any] = {**_ABOUT, "max_errors": None, "mean": "corpus"}
"""Fields of a convention on which its counts do not depend, with one value for all."""


class _ConventionSums:
    """The sums of one system under one convention, or under several with the same rules for counting."""

    def __init__(self, convention: Convention) -> None:
        self._convention = convention
        self._rules: tuple[Names, Rules] | None = None  # compiled for a table of texts
        self._sums = dict.fromkeys(_SUMS, 0)
        self._pairs = 0  # also those that are left out
        self.stopped = ""  # why the tool gives no figure

    def add(self, golds: list[Columns], systems: list[Columns], first: int) -> None:
        """Count pairs of trees with one table of texts; ``first`` is the number of the first pair."""
        if self.stopped or self._convention.compare == "aligned" or not golds:
            return
        if self._rules is None or self._rules[0] is not golds[0].names:
            self._rules = golds[0].names, of_tool(self._convention, golds[0].names)
        pairs, *sums = self._rules[1].sums(golds, systems, _PLACES, self._convention.unlike == "stop")
        if pairs < min(len(golds), len(systems)):
            self.stopped = f"words differ in sentence {first + pairs}"
        self._pairs += pairs
        for name, count in zip(_SUMS, sums):
            self._sums[name] += count

    def align(self, total: Record) -> None:
        """Take the sums of a run, for a convention that aligns words."""
        brackets, tags = total.brackets, total.tags
        self._pairs = brackets.sentences
        self._sums |= {name: getattr(brackets, name) for name in ("sentences", "gold", "matched", "complete")}
        self._sums |= {"predicted": brackets.system, "tagged": tags.gold, "correct_tags": tags.correct}

    def result(self, convention: Convention, system: str) -> ConventionResult:
        """Return the counts so far as those of a convention with these rules."""
        left_out = self._pairs - self._sums["sentences"]
        sums: dict[str, Any] = {**self._sums, "left_out": left_out, "stopped": self.stopped}
        dropped = sums.pop("gold_dropped"), sums.pop("system_dropped")
        return ConventionResult(convention, system, **sums, dropped=dropped)


class _Totals:
    """The figures of systems under some conventions, from the trees of all files in step."""

    def __init__(self, conventions: Sequence[Convention], systems: Sequence[str]) -> None:
        self._systems = systems
        # Conventions with the same rules for counting share their sums.
        self._counted_as = {one: one.replace(**_NOT_COUNTED) for one in conventions}
        self._counts = [{one: _ConventionSums(one) for one in self._counted_as.values()} for _ in systems]
        self._lengths = [0] * (1 + len(systems))  # sentences of gold and of the systems

    def add(self, rows: Iterable[Iterable[Tree | None]]) -> None:
        """Count the next trees of gold and of each system, row by row; ``None`` after the end of a file."""
        names = current_names()
        sides = [[tree.columns.moved(names) for tree in side if tree is not None] for side in zip(*rows)]
        for counts, system in zip(self._counts, sides[1:]):
            for one in counts.values():
                one.add(sides[0], system, self._lengths[0] + 1)
        for index, side in enumerate(sides):
            self._lengths[index] += len(side)

    def read(self, files: Sequence[Replayable], settings: Settings) -> None:
        """Count all trees of gold and of the systems, as they are written."""
        rules = RunRules(settings.replace(convention=ALIGNED))
        sides = [("gold", "gold"), *[("sys", "system")] * (len(files) - 1)]
        readers = [
            Side(Input(source.open(), key, settings), name, settings, rules)
            for source, (key, name) in zip(files, sides)
        ]
        rows = zip_longest(*readers)
        while some := list(islice(rows, _TOGETHER)):
            self.add([[one and one.source for one in sentences] for sentences in some])

    def align(self, system: int, total: Record) -> None:
        """Take the sums of a run of a system for the conventions that align words."""
        for convention, sums in self._counts[system].items():
            if convention.compare == "aligned":
                sums.align(total)

    def results(self) -> list[list[ConventionResult]]:
        """Return the counts of each system under each convention.

        Tools that pair sentences in order give no figure of a system with more or fewer sentences than gold.
        """
        gold, *lengths = self._lengths
        for counts, length in zip(self._counts, lengths):
            for convention, sums in counts.items():
                if length != gold and convention.compare != "aligned":
                    sums.stopped = sums.stopped or f"{gold} gold sentences, {length} of the system"
        return [
            [counts[counted].result(one, name) for one, counted in self._counted_as.items()]
            for counts, name in zip(self._counts, self._systems)
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

    def __init__(self, every: Sequence[Sequence[ConventionResult]], published: float | None = None) -> None:
        self.systems = [rows[0].system for rows in every]
        ranked = sorted(every[0], key=lambda row: -1.0 if row.f1 is None else row.f1, reverse=True)
        self.conventions = [row.convention for row in ranked]
        self.published = published
        self.separating: tuple[Claim, ...] = ()
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
        from .evaluator import evaluate

        two_metrics = given.replace(metrics=("brackets", "tags"))
        for index, (_, source) in enumerate(sources):
            counts.align(index, evaluate(replayed.open(), source.open(), settings=two_metrics).total)
    found = ConventionTable(counts.results(), published)
    if published is not None:
        found.separating = tuple(_separating(found, [replayed, sources[0][1]], given))
    return found


def chosen_conventions(names: str | Iterable[str | Convention]) -> list[Convention]:
    """Return the conventions of these names, each once; raise a SettingsError for an unknown one."""
    if names == "all":
        return list(map(Convention.of, TOOLS))
    listed = names.split(",") if isinstance(names, str) else names
    chosen = list(dict.fromkeys(map(Convention.of, listed)))
    if not chosen:
        raise SettingsError(f"no convention is named; expected all, or some of {', '.join(TOOLS)}")
    return chosen


class RunConventions:
    """The figures of a run's system under all conventions, counted as the results of the run pass."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._counts = _Totals(chosen_conventions("all"), [name])
        self._waiting: list[list[Tree]] = [[], []]  # trees of both sides that are not counted yet
        self._read = [0, 0]
        self.in_order = True  #: False if the sentences do not come in the order of the files

    def follow(self, results: Iterable[SentenceResult]) -> Iterator[SentenceResult]:
        """Yield the results, and count their sentences."""
        for result in results:
            both = (result.pair.gold_sentences, result.pair.system_sentences) if self.in_order else ()
            for side, sentences in enumerate(both):
                for sentence in sentences:
                    self._read[side] += 1
                    self.in_order = self.in_order and sentence.number == self._read[side]
                    self._waiting[side].append(sentence.source)
            if (length := min(map(len, self._waiting))) >= _TOGETHER:
                self._counts.add(zip(*self._waiting))
                self._waiting = [trees[length:] for trees in self._waiting]
            yield result

    def table(self, total: Record) -> ConventionTable:
        """Return the table, given the sums of the run."""
        self._counts.add(zip_longest(*self._waiting))
        self._counts.align(0, total)
        return ConventionTable(self._counts.results())


def _separating(table: ConventionTable, files: Sequence[Replayable], settings: Settings) -> Iterable[Claim]:
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
    counts.read(files, settings)
    matter = [
        row for row in counts.results()[0] if row.f1 is not None and f"{row.f1:.4f}" != f"{first.f1:.4f}"
    ]
    numbers = {"first": both[0].name, "f1": first.f1, "second": both[1].name, "other": other.f1}
    verb = "changes" if len(matter) == 1 else "change"
    yield Claim("separated", {**numbers, "count": len(matter), "rules": len(changed), "verb": verb})
    for row in matter:
        rule = row.convention.differences(first.convention)[0]
        yield Claim("separating", {"rule": rule, "f1": row.f1, "first": both[0].name})
