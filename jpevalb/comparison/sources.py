"""One system's scores sentence by sentence, whatever the mode, as a comparison needs them."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from ..flow.summary import SentenceResult
from ..formats import Source
from ..formats.files import guarded, input_name, open_lines
from ..metrics import Metric, Rate
from ..metrics.measures import ALIGNMENT, DISCONTINUOUS, LEGACY
from ..model.counts import Counts
from ..model.errors import InputError, SettingsError
from ..model.params import Params
from ..model.settings import Settings
from ..model.tree import Tree

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from ..flow.workers import Team

T = TypeVar("T")

AnySettings: TypeAlias = "Settings | Params"
"""Settings of any mode; ``Params`` are those of legacy mode."""


@dataclass(frozen=True, slots=True)
class Scored:
    """One system's evaluation.

    Attributes:
        gold: For each record the half-open range of gold sentences that it is
            about; together, in order, they make up the gold file.
        rows: For each record the numerators and denominators of the measures, in
            turn.
        total: The sum of the records.
        rates: The measures that there are.
        notes: What was left out, in a few words each.
        warnings: What is likely to be wrong with the input or the settings.
        signature: Everything that a score depends on beside the files.
        results: The sentences themselves, if they were to be kept and the mode has trees
            to show.
        metrics: The metrics that were counted.
        added: What was counted on demand beside ``total``, by the names of the metrics.
        record: What the rates are read from; ``total`` if not given.
    """

    gold: Sequence[tuple[int, int]]
    rows: Sequence[list[int]]
    total: Counts
    rates: Sequence[Rate]
    notes: tuple[str, ...]
    warnings: tuple[str, ...]
    signature: str
    results: Sequence[SentenceResult] = ()
    metrics: Sequence[Metric] = ()
    added: Mapping[str, Counts] = field(default_factory=dict)
    record: Any = None

    def value(self, rate: Rate) -> float | None:
        """One of its rates."""
        return rate.value(self.total if self.record is None else self.record)

    def shows(self, rate: Rate) -> bool:
        """Whether a rate says anything of it."""
        return rate.shown(self.total if self.record is None else self.record)


def score(
    gold: Source,
    system: Source,
    settings: AnySettings,
    *,
    name: str,
    dialect: str = "evalb",
    executor: Executor | Team | None = None,
    keep: bool = False,
) -> Scored:
    """Scores a system in the mode that the settings are of.

    Args:
        gold: The gold sentences.
        system: The system's.
        settings: Of the mode.
        name: What messages call the system, where it is no file.
        dialect: Of legacy mode.
        executor: Where the work is done, if not here.
        keep: Whether to keep the sentences with their trees, but in legacy mode.

    Raises:
        JpevalbError: as the mode's own evaluation.

    Cost: that of the evaluation; memory for the counts of each sentence, not for its trees.
    """
    if isinstance(settings, Params):
        return _legacy(gold, system, settings, dialect, source_name(system) or name, executor)
    if settings.conventions.same_words:
        return _discontinuous(gold, system, settings, executor, keep)
    return _alignment(gold, system, settings, executor, keep)


def _row(rates: Sequence[Rate], record: Any) -> list[int]:
    return [number for rate in rates for number in rate.counts(record)]


def mode_of(settings: AnySettings) -> str:
    """``"legacy"``, ``"discontinuous"`` or ``"alignment"``."""
    if isinstance(settings, Params):
        return "legacy"
    return settings.mode


def _alignment(
    gold: Source, system: Source, settings: Settings, executor: Executor | Team | None, keep: bool
) -> Scored:
    from ..flow.run import Run

    run = Run(gold, system, settings, executor)
    rates = [*ALIGNMENT, *_own_rates(run.metrics)]
    ranges, rows = [], []
    results: list[SentenceResult] = []
    for result in run:
        if keep:
            results.append(result)
        ranges.append(result.bead.gold)
        rows.append(_row(rates, result.record))
    evaluation = run.evaluation()
    beads = evaluation.total.beads
    notes = _notes(
        (beads.unaligned, "unaligned beads"),
        (evaluation.total["alignment"].kinds["no_parse"].beads, "beads without a parse"),
        (beads.gold_unparsed, "gold sentences that cannot be read"),
        (beads.system_unparsed, "system sentences that cannot be read"),
        *[item for metric in run.metrics for item in metric.left_out(evaluation.total[metric.name])],
    )
    return Scored(
        ranges,
        rows,
        evaluation.total,
        rates,
        notes,
        evaluation.warnings,
        run.settings.signature(),
        results,
        run.metrics,
    )


def without_silent(scored: Sequence[Scored]) -> list[Scored]:
    """The evaluations without the measures that say nothing of any of them.

    Cost: O(records * measures) where there is such a measure.
    """
    rates = scored[0].rates
    kept = [k for k, rate in enumerate(rates) if any(one.shows(rate) for one in scored)]
    if len(kept) == len(rates):
        return list(scored)
    columns = [column for k in kept for column in (2 * k, 2 * k + 1)]
    return [
        replace(
            one,
            rates=[one.rates[k] for k in kept],
            rows=[[row[column] for column in columns] for row in one.rows],
        )
        for one in scored
    ]


def _own_rates(metrics: Iterable[Metric]) -> Iterator[Rate]:
    """The rates that metrics name themselves, read from a run's record instead of the metric's own."""
    for metric in metrics:
        part = itemgetter(metric.name)
        for rate in metric.rates:
            yield _read_from(rate, part)._replace(shown=_after(part, attrgetter("shown")))


def _read_from(rate: Rate, part: Callable[[Any], Any]) -> Rate:
    """A rate that is read from a part of a run's record, or from a view of it."""
    return rate._replace(counts=_after(part, rate.counts), value=_after(part, rate.value))


def _after(part: Callable[[Any], Any], read: Callable[[Any], T]) -> Callable[[Any], T]:
    return lambda record: read(part(record))


def _discontinuous(
    gold: Source, system: Source, settings: Settings, executor: Executor | Team | None, keep: bool
) -> Scored:
    from ..flow.discontinuous import added_to, counts_of
    from ..flow.run import Run

    def counted(record: Any) -> Any:
        return counts_of(record, 0)

    run = Run(gold, system, settings, executor)
    own = [metric for metric in run.metrics if metric.name != "gaps"]
    rates = [*[_read_from(rate, counted) for rate in DISCONTINUOUS], *_own_rates(own)]
    rows: list[list[int]] = []
    results: list[SentenceResult] = []
    for result in run:
        if keep:
            results.append(result)
        rows.append(_row(rates, result.record))
    found = run.evaluation()
    notes = _notes(
        (found.n_missing, "gold sentences without a parse in the file"),
        (found.n_unparsed, "gold sentences without a usable parse"),
        (found.n_no_gold, "gold sentences that cannot be read"),
        (found.n_extra, "system sentences without gold"),
    )
    ranges = [(place, place + 1) for place in range(len(rows))]
    return Scored(
        ranges,
        rows,
        found.total,
        rates,
        notes,
        found.warnings,
        found.signature,
        results,
        run.metrics,
        added_to(found.record),
        found.record,
    )


def _legacy(
    gold: Source,
    system: Source,
    params: Params,
    dialect: str,
    name: str,
    executor: Executor | Team | None,
) -> Scored:
    from .. import legacy
    from ..model.signature import prm_name
    from ..model.version import __version__

    gold_lines, system_lines = _lines(gold), _lines(system)
    if len(gold_lines) != len(system_lines):
        raise InputError(
            f"the system has {len(system_lines)} lines and gold has {len(gold_lines)}; "
            "in legacy mode line i of one is scored against line i of the other",
            source=name,
        )
    result = legacy.evaluate(gold_lines, system_lines, params, dialect=dialect, executor=executor)
    if result.killed:
        raise InputError(
            f"evalb gives up after more than {params.max_error} errors, the last of them: "
            f"{result.messages[-1] if result.messages else 'unknown'}; raise MAX_ERROR in the .prm",
            source=name,
        )
    total = result.total
    notes = _notes((total.errors, "sentences in error"), (total.skipped, "sentences skipped"))
    rows = [_row(LEGACY, sentence.counts) for sentence in result.sentences]
    ranges = [(place, place + 1) for place in range(len(rows))]
    signature = f"jpevalb:{__version__} mode:legacy dialect:{dialect} prm:{prm_name(Settings(prm=params))}"
    return Scored(ranges, rows, total, LEGACY, notes, (), signature)


def _notes(*counts: tuple[int, str]) -> tuple[str, ...]:
    found = []
    for count, what in counts:
        if count == 1:
            what = what.replace("beads", "bead").replace("sentences", "sentence")
        if count:
            found.append(f"{count} {what}")
    return tuple(found)


# -- sources ----------------------------------------------------------------------


def names_of(systems: Sequence[Source] | Mapping[str, Source]) -> list[tuple[str, Source]]:
    """Each system with a name of its own.

    A mapping's keys are the names.  Otherwise it is the file's name, with its
    folder where two would be alike; what is no file is called by its number.

    Raises:
        SettingsError: one system in place of a list of them.

    >>> [name for name, _ in names_of(["a/x.mrg", "b/y.mrg", ["(S (N a))"]])]
    ['x.mrg', 'y.mrg', 'system 3']
    >>> [name for name, _ in names_of(["a/x.mrg", "b/x.mrg", "b/x.mrg"])]
    ['a/x.mrg', 'b/x.mrg', 'b/x.mrg (2)']
    """
    if isinstance(systems, (str, os.PathLike, Tree)) or hasattr(systems, "read"):
        raise SettingsError("found one system; expected a list of systems, or a mapping of names to systems")
    if not isinstance(systems, Iterable):
        raise SettingsError(
            f"found an object of type {type(systems).__name__}; expected a list of systems, "
            "or a mapping of names to systems"
        )
    if isinstance(systems, Mapping):
        names, sources = [str(name) for name in systems], list(systems.values())
    else:
        sources = list(systems)
        paths = [source_name(system) or f"system {place}" for place, system in enumerate(sources, 1)]
        names = [os.path.basename(path) or path for path in paths]
        if len(set(names)) < len(names):
            names = paths
    taken: set[str] = set()
    found = []
    for name, source in zip(names, sources):
        name = plain = " ".join(name.split()) or "system"
        times = 1
        while name in taken:
            times += 1
            name = f"{plain} ({times})"
        taken.add(name)
        found.append((name, source))
    return found


def baseline_first(
    name: str, named: Sequence[tuple[str, Source]], members: Mapping[str, Sequence[int]]
) -> tuple[list[tuple[str, Source]], dict[str, tuple[int, ...]]]:
    """The systems with the baseline first, and the places of the groups among them.

    Args:
        name: The baseline's.
        named: The systems with their names.
        members: For each group of systems their places, from 1.

    Raises:
        SettingsError: no system has that name.
    """
    names = [one for one, _ in named]
    if name not in names:
        raise SettingsError(f"found the baseline {name!r}; expected the name of a system: {', '.join(names)}")
    first = names.index(name)
    order = [first, *[place for place in range(len(names)) if place != first]]
    where = {
        group: tuple([order.index(place - 1) + 1 for place in places]) for group, places in members.items()
    }
    return [named[place] for place in order], where


def source_name(source: Source) -> str | None:
    """What messages call a source, if it has a name."""
    if isinstance(source, (str, os.PathLike)):
        return input_name(source)
    name = getattr(source, "name", None)
    return name if isinstance(name, str) else None


class Again:
    """A source that can be read several times: a file is opened anew, anything else is read once and kept.

    Raises:
        InputError: what has to be kept cannot be read.
    """

    def __init__(self, source: Source, encoding: str | None = None) -> None:
        self._source = source
        self._kept: bytes | str | None = None
        if isinstance(source, (str, os.PathLike)):
            if not os.path.isfile(source) and not os.path.isdir(source) and _exists(source):
                # Standard input or a pipe.
                with open_lines(source, encoding=encoding) as lines:
                    self._kept = _joined(lines)
        elif hasattr(source, "read"):
            self._kept = _joined(guarded(source, source_name(source) or "<file>"))
        elif not isinstance(source, (Tree, Sequence)) and not callable(getattr(source, "label", None)):
            # What is no source is left to the reader's message.
            self._source = list(source) if isinstance(source, Iterable) else source

    def open(self) -> Source:
        """The source from its beginning."""
        if self._kept is None:
            return self._source
        file: Any = io.StringIO(self._kept) if isinstance(self._kept, str) else io.BytesIO(self._kept)
        file.name = source_name(self._source) or "<file>"
        return file  # type: ignore[no-any-return]


def _joined(lines: Iterable[Any]) -> bytes | str:
    pieces = list(lines)
    whole: bytes | str = pieces[0][:0].join(pieces) if pieces else ""
    return whole


def _exists(path: str | os.PathLike[str]) -> bool:
    return os.fspath(path) == "-" or os.path.exists(path)


def _lines(source: Source) -> list[Any]:
    if isinstance(source, (str, os.PathLike)):
        with open_lines(source) as lines:
            return list(lines)
    items: Iterable[Any] = source
    return [item.to_bracket() if isinstance(item, Tree) else item for item in items]
