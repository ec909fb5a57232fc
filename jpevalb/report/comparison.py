"""Comparisons: systems by measures as tables, and what has to be known of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..comparison import Comparison, SystemScores
from ..metrics import Measure
from ..model.errors import SettingsError
from . import Shown
from .by_system import by_label, by_length
from .groups import group_tables
from .references import tables_of_systems
from .table import Cell, Field, Marked, Sheet, Table, number

LEVELS = (("***", 0.001), ("**", 0.01), ("*", 0.05))
"""Marks of significance, the strictest first: p is below the number."""

_TESTS = {
    "bootstrap": "paired bootstrap, {} resamples",
    "permutation": "paired permutation, {} shuffles",
    "sign": "sign test on single sentences, exact",
}


_CellOf = Callable[[SystemScores, Measure], Cell]
"""What makes the cell of a system and a measure."""


def sheet(comparison: Comparison, how: Shown | None = None) -> Sheet:
    """All tables of a comparison: for CSV and TSV the systems are one row each.

    Args:
        comparison: The comparison.
        how: What the tables show; everything if not given.

    Raises:
        SettingsError: an unknown measure.
    """
    how = how or Shown()
    measures = _chosen(comparison, how.columns)
    systems = _sorted(comparison, how.sort)
    told = notes(comparison) if how.verbose else _short_notes(comparison)
    lines = (*told, f"signature: {comparison.signature}")
    groups = group_tables(comparison, headline(comparison))
    further = (*groups, *by_label(comparison), *by_length(comparison))
    against, against_plain = (
        tables_of_systems(comparison, headline(comparison), plain=plain) for plain in (False, True)
    )
    tables = _tables(comparison, systems, measures, verbose=how.verbose)
    shown = (*tables, *against, *_grouped_tables(comparison, verbose=how.verbose), *further)
    wide = _wide(comparison, systems, measures)
    return Sheet((wide, *against_plain, *_grouped_rows(comparison), *further), shown, lines, headings=False)


def _chosen(comparison: Comparison, columns: Sequence[str]) -> list[Measure]:
    """The measures of the main table that are asked for, in that order."""
    known = headline(comparison)
    if not columns:
        return known
    by_name = {name.lower(): measure for measure in known for name in (measure.title, measure.name)}
    unknown = [column for column in columns if column.lower() not in by_name]
    if unknown:
        titles = ", ".join([f"{measure.title} ({measure.name})" for measure in known])
        raise SettingsError(f"found the measure {unknown[0]!r}; expected one of {titles}")
    return list(dict.fromkeys([by_name[column.lower()] for column in columns]))


def _sorted(comparison: Comparison, measure: str | None) -> list[SystemScores]:
    """The systems, by a measure the best first, as far as it is defined; of equals the first."""
    if measure is None:
        return list(comparison.systems)
    (by,) = _chosen(comparison, [measure])

    def place(system: SystemScores) -> tuple[bool, float]:
        value = system[by.name]
        return value is None, 0.0 if value is None else -value if by.larger_is_better else value

    return sorted(comparison.systems, key=place)


def headline(comparison: Comparison) -> list[Measure]:
    """The measures of the main table."""
    return [measure for measure in comparison.measures if not measure.group]


def grouped(comparison: Comparison) -> dict[str, list[Measure]]:
    """For each heading the measures below it that are not 0 for every system, the largest first."""
    found: dict[str, list[Measure]] = {}
    for measure in comparison.measures:
        if measure.group and any(system[measure.name] for system in comparison.systems):
            found.setdefault(measure.group, []).append(measure)
    for measures in found.values():
        measures.sort(key=lambda measure: -max(system[measure.name] or 0 for system in comparison.systems))
    return found


def how_tested(comparison: Comparison) -> str:
    """The test of a comparison in words; empty without one."""
    if comparison.test is None:
        return ""
    return _TESTS[comparison.test].format(f"{comparison.test_samples:,}")


def _tables(
    comparison: Comparison, systems: Sequence[SystemScores], measures: Sequence[Measure], *, verbose: bool
) -> list[Table]:
    """The scores with marks of significance and intervals; with ``verbose`` these in tables of their own."""
    fields = (
        Field("system", "System", text=True),
        *[Field(measure.name, measure.title) for measure in measures],
    )
    baseline = comparison.baseline
    others = [system for system in systems if system is not baseline]
    best = _best(comparison, measures)

    def made(title: str, some: Sequence[SystemScores], cell: _CellOf) -> Table:
        rows = [[system.name, *[cell(system, measure) for measure in measures]] for system in some]
        return Table(title, fields, rows)

    def score(system: SystemScores, measure: Measure) -> Cell:
        shown = number(measure, system[measure.name])
        if shown is None:
            return None
        marks = stars(system.p_values.get(measure.name))
        half = "" if verbose else _half(system, measure)
        return Marked(shown, marks, half, shown == best.get(measure.name))

    found = [made("", systems, score)]
    if not verbose:
        return found
    if comparison.test is not None:
        title = f"p-values of the difference from {baseline.name} ({how_tested(comparison)})"
        found.append(made(title, others, _p_value))
    if comparison.test == "sign":
        found.append(made(f"Wins, ties and losses against {baseline.name}", others, _outcome))
    if comparison.confidence is not None:
        title = f"{_confidence(comparison)} confidence intervals ({_bootstrap(comparison)})"
        found.append(made(title, systems, _interval))
    return found


def _best(comparison: Comparison, measures: Sequence[Measure]) -> dict[str, str | None]:
    """For each measure the best figure as it is shown, where systems differ in it."""
    found: dict[str, str | None] = {}
    for measure in measures:
        values = [system[measure.name] for system in comparison.systems]
        defined = [value for value in values if value is not None]
        if len({number(measure, value) for value in defined}) > 1:
            found[measure.name] = number(measure, (max if measure.larger_is_better else min)(defined))
    return found


def _half(system: SystemScores, measure: Measure) -> str:
    """Half the interval of a figure; empty if there is none."""
    ends = system.intervals.get(measure.name)
    return "" if ends is None else number(measure, (ends[1] - ends[0]) / 2) or ""


def _confidence(comparison: Comparison) -> str:
    return f"{100 * (comparison.confidence or 0):g} %"


def _bootstrap(comparison: Comparison) -> str:
    return f"bootstrap percentiles, {comparison.interval_samples:,} resamples"


def _wide(comparison: Comparison, systems: Sequence[SystemScores], measures: Sequence[Measure]) -> Table:
    """A row a system, for a spreadsheet.

    For each measure the figure as in the other tables, and as far as there are any the ends of its
    interval and its p-value; then what was left out, and the signature.
    """
    fields = [Field("system", text=True)]
    for measure in measures:
        fields.append(Field(measure.name))
        if comparison.confidence is not None:
            fields += [Field(f"{measure.name}_low"), Field(f"{measure.name}_high")]
        if comparison.test is not None:
            fields.append(Field(f"{measure.name}_p"))
    rows = []
    for system in systems:
        row: list[Cell] = [system.name]
        for measure in measures:
            row.append(number(measure, system[measure.name]))
            if comparison.confidence is not None:
                ends = system.intervals[measure.name] or (None, None)
                row += [number(measure, end) for end in ends]
            if comparison.test is not None:
                p = system.p_values.get(measure.name)
                row.append(None if p is None else f"{p:.6g}")
        rows.append([*row, ", ".join(system.notes), comparison.signature])
    return Table(
        "", (*fields, Field("notes", text=True), Field("signature", text=True)), rows, name="systems"
    )


def notes(comparison: Comparison) -> list[str]:
    """What has to be known of the tables, a line each."""
    lines = []
    if comparison.test is not None:
        lines.append(f"{_levels()}; two-sided, {_correction(comparison)}")
    lines.append(f"{comparison.gold_sentences:,} gold sentences")
    return [*lines, *_left_out(comparison)]


def _short_notes(comparison: Comparison) -> list[str]:
    """What has to be known where scores, intervals and marks stand in one table."""
    lines = []
    if comparison.test is not None:
        how = f"{how_tested(comparison)}, against {comparison.baseline.name}"
        lines.append(f"{_levels()} ({how}); two-sided, {_correction(comparison)}")
    told = f"{comparison.gold_sentences:,} gold sentences"
    if comparison.confidence is not None:
        told += f"; ± half the {_confidence(comparison)} confidence interval ({_bootstrap(comparison)})"
    return [*lines, told, *_left_out(comparison)]


def _levels() -> str:
    return ", ".join(f"{marks} p < {level:g}" for marks, level in reversed(LEVELS))


def _correction(comparison: Comparison) -> str:
    if comparison.correction == "holm":
        return "corrected for the number of systems (Holm)"
    return "not corrected for the number of tests"


def _left_out(comparison: Comparison) -> list[str]:
    """What was left out of each system's scores, and how it was resampled, if otherwise than by sentences."""
    lines = []
    for system in comparison.systems:
        said = list(system.notes)
        if system.units != comparison.gold_sentences:
            said.insert(0, f"resampled in {system.units:,} units, as the alignment joins sentences")
        if said:
            lines.append(f"{system.name}: {', '.join(said)}")
    return lines


def stars(p: float | None) -> str:
    """The mark of a p-value as it is shown, with four decimals; nothing where it is not below any level."""
    if p is None:
        return ""
    printed = p if p < LEVELS[0][1] else round(p, 4)
    return next((marks for marks, level in LEVELS if printed < level), "")


# -- cells ------------------------------------------------------------------------


def _p_value(system: SystemScores, measure: Measure) -> Cell:
    p = system.p_values[measure.name]
    return None if p is None else f"{p:.4f}" if p >= LEVELS[0][1] else f"< {LEVELS[0][1]:g}"


def _interval(system: SystemScores, measure: Measure) -> Cell:
    ends = system.intervals[measure.name]
    return None if ends is None else " to ".join([str(number(measure, end)) for end in ends])


def _outcome(system: SystemScores, measure: Measure) -> Cell:
    found = system.outcomes[measure.name]
    wins, losses = (found.wins, found.losses) if measure.larger_is_better else (found.losses, found.wins)
    return f"{wins}/{found.ties}/{losses}"


def _value(system: SystemScores, measure: Measure) -> Cell:
    return number(measure, system[measure.name])


def _difference_from(baseline: SystemScores) -> _CellOf:
    def cell(system: SystemScores, measure: Measure) -> Cell:
        value, base = system[measure.name], baseline[measure.name]
        if value is None or base is None:
            return None
        shown = number(measure, value - base) or ""
        marks = stars(system.p_values.get(measure.name))
        return Marked(shown if shown.startswith("-") else f"+{shown}", marks)

    return cell


# -- groups of measures -------------------------------------------------------------


def _grouped_tables(comparison: Comparison, *, verbose: bool) -> list[Table]:
    """Tables of each group of measures, a row a measure: values and differences, p-values, intervals."""
    baseline, others = comparison.baseline, comparison.systems[1:]
    values: list[tuple[str, SystemScores, _CellOf]] = [(baseline.name, baseline, _value)]
    for system in others:
        values.append((system.name, system, _value))
        values.append(("difference", system, _difference_from(baseline)))
    wanted = [("", values)]
    if comparison.test is not None and verbose:
        wanted.append((": p-values", [(system.name, system, _p_value) for system in others]))
    if comparison.confidence is not None and verbose:
        wanted.append((": intervals", [(one.name, one, _interval) for one in comparison.systems]))
    return [
        Table(
            title + what,
            (Field("cause", "Cause", text=True), *[Field(name, name) for name, _, _ in columns]),
            [
                [measure.title, *[cell(system, measure) for _, system, cell in columns]]
                for measure in measures
            ],
        )
        for title, measures in grouped(comparison).items()
        for what, columns in wanted
    ]


def _grouped_rows(comparison: Comparison) -> list[Table]:
    """The groups of measures for a spreadsheet, a row a measure and system."""
    rows: list[list[Cell]] = []
    for measures in grouped(comparison).values():
        for measure in measures:
            for system in comparison.systems:
                low, high = system.intervals.get(measure.name) or (None, None)
                p = system.p_values.get(measure.name)
                figures = [number(measure, value) for value in (system[measure.name], low, high)]
                rows.append([measure.title, system.name, *figures, None if p is None else f"{p:.6g}"])
    names = ("points", "low", "high", "p")
    fields = (Field("cause", text=True), Field("system", text=True), *[Field(name) for name in names])
    return [Table("", fields, rows, name="causes")] if rows else []
