"""Comparisons: systems by measures as tables and as text, and what has to be known of them."""

from __future__ import annotations

from collections.abc import Sequence

from ..comparison.result import Comparison, SystemScores
from ..metrics import Figure
from ..trees.errors import SettingsError
from ..trees.text import columns_of, padded, visible
from . import Shown
from .by_system import (
    BESIDE,
    LEVELS,
    CellOf,
    by_length,
    group_tables,
    half,
    interval,
    interval_of_difference,
    outcome,
    p_value,
    plain_figures,
    stars,
)
from .grouped import grouped_rows, grouped_tables
from .references import tables_of_systems
from .table import Cell, Field, MarkedNumber, Sheet, Table, aligned, number

_TESTS = {
    "bootstrap": "paired bootstrap, {} resamples",
    "permutation": "paired permutation, {} shuffles",
    "sign": "sign test on single sentences, exact",
}


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
    lines = (*notes(comparison, short=not how.verbose), f"signature: {comparison.signature}")
    groups = group_tables(comparison, headline(comparison))
    further = (*groups, *by_length(comparison))
    against, against_plain = (
        tables_of_systems(comparison, headline(comparison), plain=plain) for plain in (False, True)
    )
    tables = _tables(comparison, systems, measures, verbose=how.verbose)
    shown = (*tables, *against, *grouped_tables(comparison, verbose=how.verbose), *further)
    wide = _wide(comparison, systems, measures)
    return Sheet((wide, *against_plain, *grouped_rows(comparison), *further), shown, lines, headings=False)


def _chosen(comparison: Comparison, columns: Sequence[str]) -> list[Figure]:
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


def headline(comparison: Comparison) -> list[Figure]:
    """The measures of the main table."""
    return [measure for measure in comparison.measures if not measure.group]


def how_tested(comparison: Comparison) -> str:
    """The test of a comparison in words; empty without one."""
    if comparison.test is None:
        return ""
    return _TESTS[comparison.test].format(f"{comparison.test_samples:,}")


def _tables(
    comparison: Comparison, systems: Sequence[SystemScores], measures: Sequence[Figure], *, verbose: bool
) -> list[Table]:
    """The scores with marks of significance and intervals; with ``verbose`` these in tables of their own."""
    fields = (
        Field("system", "System", text=True),
        *[Field(measure.name, measure.title) for measure in measures],
    )
    baseline = comparison.baseline
    others = [system for system in systems if system is not baseline]
    best = _best(comparison, measures)

    def made(title: str, some: Sequence[SystemScores], cell: CellOf) -> Table:
        rows = [[system.name, *[cell(system, measure) for measure in measures]] for system in some]
        return Table(title, fields, rows)

    def score(system: SystemScores, measure: Figure) -> Cell:
        shown = number(measure, system[measure.name])
        if shown is None:
            return None
        marks = stars(system.p_values.get(measure.name))
        around = "" if verbose else half(system.intervals.get(measure.name), measure)
        return MarkedNumber(shown, marks, around, shown == best.get(measure.name))

    found = [made("", systems, score)]
    if not verbose:
        return found
    if comparison.test is not None:
        title = f"p-values of the difference from {baseline.name} ({how_tested(comparison)})"
        found.append(made(title, others, p_value))
    if comparison.test == "sign":
        found.append(made(f"Wins, ties and losses against {baseline.name}", others, outcome))
    if comparison.confidence is not None:
        title = f"{_confidence(comparison)} confidence intervals ({_bootstrap(comparison)})"
        found.append(made(title, systems, interval))
        if others:
            title = f"{_confidence(comparison)} confidence intervals of the difference from {baseline.name}"
            found.append(made(f"{title} ({how_differences(comparison)})", others, interval_of_difference))
    return found


def _best(comparison: Comparison, measures: Sequence[Figure]) -> dict[str, str | None]:
    """For each measure the best figure as it is shown, where systems differ in it."""
    found: dict[str, str | None] = {}
    for measure in measures:
        values = [system[measure.name] for system in comparison.systems]
        defined = [value for value in values if value is not None]
        if len({number(measure, value) for value in defined}) > 1:
            found[measure.name] = number(measure, (max if measure.larger_is_better else min)(defined))
    return found


def _confidence(comparison: Comparison) -> str:
    return f"{100 * (comparison.confidence or 0):g} %"


def _bootstrap(comparison: Comparison) -> str:
    return f"bootstrap percentiles, {comparison.interval_samples:,} resamples"


def how_differences(comparison: Comparison) -> str:
    """Return how the intervals of differences are made, and whether they agree with the p-values."""
    if not comparison.test_samples:
        return f"paired bootstrap, {comparison.interval_samples:,} resamples"
    corrected = "; p is corrected, intervals are not" if comparison.correction == "holm" else ""
    return f"{how_tested(comparison)}, as for p{corrected}"


def _wide(comparison: Comparison, systems: Sequence[SystemScores], measures: Sequence[Figure]) -> Table:
    """A row a system, for a spreadsheet.

    For each measure the figure as in the other tables, and as far as there are any the ends of its
    interval, its p-value, and the ends of the interval of its difference from the baseline; then what was
    left out, and the signature.
    """
    told = set()
    if comparison.confidence is not None:
        told |= {"low", "high"}
        if len(systems) > 1:
            told |= {"difference_low", "difference_high"}
    if comparison.test is not None:
        told.add("p")
    kept = [(0, ""), *[(place, f"_{name}") for place, name in enumerate(BESIDE, 1) if name in told]]
    fields = [
        Field("system", text=True),
        *[Field(measure.name + suffix) for measure in measures for _, suffix in kept],
        Field("notes", text=True),
        Field("signature", text=True),
    ]
    rows = []
    for system in systems:
        figures = [plain_figures(comparison, system, measure) for measure in measures]
        cells = [cell[place] for cell in figures for place, _ in kept]
        rows.append([system.name, *cells, ", ".join(system.notes), comparison.signature])
    return Table("", tuple(fields), rows, name="systems")


def notes(comparison: Comparison, *, short: bool = False) -> list[str]:
    """What has to be known of the tables, a line each.

    Args:
        comparison: The comparison.
        short: Whether scores, intervals and marks stand in one table, so that the test and the
            intervals are told here.
    """
    lines = []
    if comparison.test is not None:
        how = f" ({how_tested(comparison)}, against {comparison.baseline.name})" if short else ""
        levels = ", ".join([f"{marks} p < {level:g}" for marks, level in reversed(LEVELS)])
        lines.append(f"{levels}{how}; two-sided, {_correction(comparison)}")
    told = f"{comparison.gold_sentences:,} gold sentences"
    counts = {system.f1_sentences for system in comparison.systems} - {None}
    if len(counts) == 1:
        told += f"; Sent. F over {counts.pop():,}"
    if short and comparison.confidence is not None:
        told += f"; ± half the {_confidence(comparison)} confidence interval ({_bootstrap(comparison)})"
    lines.append(told)
    for system in comparison.systems:
        said = list(system.notes)
        if system.units != comparison.gold_sentences:
            said.insert(0, f"resampled in {system.units:,} units, as the alignment joins sentences")
        if counts:
            said.insert(0, f"Sent. F over {system.f1_sentences:,} sentences")
        if said:
            lines.append(f"{system.name}: {', '.join(said)}")
    return lines


def _correction(comparison: Comparison) -> str:
    if comparison.correction == "holm":
        return "corrected for the number of systems (Holm), which intervals are not"
    return "not corrected for the number of tests"


# -- text -------------------------------------------------------------------------

WIDTH = 100
"""Columns of a text table, unless a terminal says otherwise."""


def text(comparison: Comparison, width: int | None = None, how: Shown | None = None) -> str:
    """Tables for reading.

    Of scores with intervals as many measures stand in the main table as fit ``width``, 100 columns if
    not given, and the others are named below; any other table that is wider goes on below.

    Args:
        comparison: The comparison.
        width: Columns that a table may take.
        how: What the tables show; everything that fits if not given.
    """
    how = how or Shown()
    content = sheet(comparison, how)
    width = WIDTH if width is None else width
    main, *others = content.shown
    told = list(content.notes)
    if comparison.confidence is not None and not how.verbose and not how.columns:
        main, hidden = _fitting(main, width)
        if hidden:
            told.insert(-1, f"no room for {', '.join(hidden)}: --columns, or all of them by --verbose")
    pieces = []
    for table in (main, *others):
        blocks = ["\n".join(_lines(block)) + "\n" for block in _blocks(table, width)]
        title = f"{visible(table.title)}\n" if table.title else ""
        pieces.append(title + "\n".join(blocks))
    pieces.append("".join([f"# {visible(line)}\n" for line in told]))
    return "\n".join(pieces)


def _fitting(table: Table, width: int) -> tuple[Table, list[str]]:
    """The table with as many of its columns as fit, one at least, and the titles of the others."""
    widths = [max(map(columns_of, column)) for column in zip(*_cells(table))]
    size = len(widths)
    while size > 2 and sum(widths[:size]) + 2 * (size - 1) > width:
        size -= 1
    kept = Table(table.title, table.fields[:size], [row[:size] for row in table.rows])
    return kept, [field.title for field in table.fields[size:]]


def _blocks(table: Table, width: int) -> list[Table]:
    """The table in pieces no wider than that, if it can be; each begins with the first column or columns."""
    widths = [max(map(columns_of, column)) for column in zip(*_cells(table))]
    heads = table.heads
    room = width - sum(widths[:heads]) - 2 * (heads - 1)
    others = len(widths) - heads
    for pieces in range(1, others + 1):
        size = -(-others // pieces)
        cuts = [(start, min(start + size, len(widths))) for start in range(heads, len(widths), size)]
        if size == 1 or all(sum(widths[a:b]) + 2 * (b - a) <= room for a, b in cuts):
            break
    else:
        return [table]
    return [
        Table(
            table.title,
            (*table.fields[:heads], *table.fields[a:b]),
            [[*row[:heads], *row[a:b]] for row in table.rows],
            most=table.most,
        )
        for a, b in cuts
    ]


def _lines(table: Table) -> list[str]:
    head, *rows = _cells(table)
    widths = [max(map(columns_of, column)) for column in zip(head, *rows)]
    lines = aligned(head, rows, "l" + "r" * (len(head) - 1), "  ")
    return [lines[0], "  ".join(["-" * width for width in widths]), *lines[1:]]


def _cells(table: Table) -> list[list[str]]:
    """Headings and rows as text; marks hang over, so that the numbers stand one under another."""
    columns = []
    for place, field in enumerate(table.fields):
        cells = [row[place] for row in table.for_reading()]
        hang = max([len(shown.marks) for shown in cells if isinstance(shown, MarkedNumber)], default=0)
        column = []
        for shown in cells:
            content, marks = (shown.plain, shown.marks) if isinstance(shown, MarkedNumber) else (shown, "")
            column.append(visible("-" if content is None else content) + padded(marks, hang))
        columns.append([visible(field.title), *column])
    return [list(row) for row in zip(*columns)]
