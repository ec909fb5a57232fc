"""Comparisons as tables and as text, with notes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import compress, zip_longest
from typing import Any, NamedTuple, TypeAlias

from ..base.claims import Claim, at
from ..base.errors import SettingsError
from ..base.text import folded, padded, visible
from ..claims import made
from ..claims.notes import notes_of_system
from ..claims.systems import Systems, families, level, resampled, shortened, tested, tests_of
from ..comparison.result import Comparison, Decision, SystemScores, difference_of
from ..comparison.sources import F_GROUP, RECALL_GROUP, gold_counts, label_figure, labels_in
from ..metrics import LENGTHS_GROUP, Figure
from . import Choices
from .sheet import tables_of_systems
from .table import Cell, Field, MarkedNumber, Sheet, Table, aligned, fields_of, number, percent, widths_of

LEVELS = (("***", 0.001), ("**", 0.01), ("*", 0.05))
"""Marks of differences and the corrected p-values that they are below, the strictest first."""

CellOf: TypeAlias = Callable[[SystemScores, Figure], Cell]  # makes the cell of a system and a figure


def stars(decision: Decision | None) -> str:
    """Return the mark of a difference; an empty text unless the systems differ."""
    if decision is None or not decision.real:
        return ""
    return next(marks for marks, level in LEVELS if (decision.p or 0) < level)


def shown_p(p: float | None) -> str | None:
    return None if p is None else f"{p:.4f}" if p >= LEVELS[0][1] else f"< {LEVELS[0][1]:g}"


def ends_of(ends: tuple[float, float] | None, measure: Figure) -> Cell:
    return None if ends is None else " to ".join([str(number(measure, end)) for end in ends])


def half(ends: tuple[float, float] | None, measure: Figure) -> str:
    """Return half the width of an interval; empty without one."""
    return "" if ends is None else number(measure, (ends[1] - ends[0]) / 2) or ""


def outcome(system: SystemScores, measure: Figure) -> str:
    """Return wins, ties and losses of the sign test; a win is a better figure."""
    test = system.outcomes[measure.name]
    wins, losses = (test.wins, test.losses) if measure.larger_is_better else (test.losses, test.wins)
    return f"{wins}/{test.ties}/{losses}"


def value(system: SystemScores, measure: Figure) -> Cell:
    return number(measure, system[measure.name])


def signed(measure: Figure, difference: float) -> str:
    shown = number(measure, difference) or ""
    return shown if shown.startswith("-") else f"+{shown}"


STATISTICS = ("low", "high", "p", "p_holm", "difference", "difference_low", "difference_high")
"""Columns of a spreadsheet after a figure: interval, p-values, difference from the baseline, its interval."""


def plain_figures(comparison: Comparison, system: SystemScores, measure: Figure) -> dict[str, Cell]:
    """Return the cells of a figure in a spreadsheet: its value (``""``) and its :data:`STATISTICS`."""
    figure, base = system[measure.name], comparison.baseline[measure.name]
    decision = system.decisions.get(measure.name)
    values = [
        *(figure, *(system.intervals.get(measure.name) or (None, None))),
        None if system is comparison.baseline else difference_of(base, figure),
        *(system.differences.get(measure.name) or (None, None)),
    ]
    cells: list[Cell] = [number(measure, one) for one in values]
    p_values = system.p_values.get(measure.name), decision and decision.p
    cells[3:3] = [None if p is None else f"{p:.6g}" for p in p_values]
    return dict(zip(("", *STATISTICS), cells))


class Group(NamedTuple):
    """The constituents of a label, or the errors of a cause, in all systems."""

    name: str
    measure: Figure | None = None  # the figure of them that is compared, if there is one
    gold: int | None = None  # number of gold constituents, if known
    rates: Mapping[str, float | None] = {}  # F, or recall, by system


def groups_by_label(comparison: Comparison) -> list[Group]:
    """Return F or recall by label if labels were counted, the most frequent gold labels first."""
    counted = {system.name: labels_in(system.total) or {} for system in comparison.systems}
    known = {measure.name: measure for measure in comparison.measures}
    rate = "recall" if comparison.unlabeled else "f1"
    groups = []
    for label, gold in gold_counts([*counted.values()]).items():
        if gold or not comparison.unlabeled:
            rates = {name: getattr(counts.get(label), rate, None) for name, counts in counted.items()}
            name = label_figure(label, unlabeled=comparison.unlabeled).name
            groups.append(Group(label, known.get(name), gold, rates))
    return groups


def by_length(comparison: Comparison) -> list[Table]:
    """Return the table of F by length of the sentence, if there is an error analysis."""
    totals: list[Any] = [system.total for system in comparison.systems]
    if not all("analysis" in total for total in totals):
        return []
    from ..errors.analysis import Analysis

    rows = []
    for items in zip_longest(*[Analysis.of(total["analysis"]).lengths for total in totals]):
        known = [item for item in items if item is not None]
        rates = [item and percent(item.brackets.f1) for item in items]
        rows.append([known[0].name, str(max([item.brackets.sentences for item in known])), *rates])
    systems = [Field(system.name, system.name) for system in comparison.systems]
    fields = (Field("length", "Length", text=True), Field("sentences", "Sentences"), *systems)
    return [Table(LENGTHS_GROUP, fields, rows, name="lengths")]


def tables_of_groups(comparison: Comparison, measures: list[Figure]) -> list[Table]:
    rows = [
        [group.name, name, *[number(measure, getattr(group, name)[measure.name]) for measure in measures]]
        for group in comparison.groups
        for name in ("mean", "deviation", "best")
    ]
    names = (Field("group", "Group", text=True), Field("figure", "Figure", text=True))
    fields = (*names, *fields_of(measures))
    title = "Groups of systems (sample standard deviation)"
    return [Table(title, fields, rows, name="groups", heads=2)] if rows else []


def group_lines(comparison: Comparison, measures: list[Figure]) -> list[str]:
    lines = []
    for group in comparison.groups:
        parts = []
        for measure in measures:
            columns = (group.mean, group.deviation, group.best)
            mean, deviation, best = [number(measure, one[measure.name]) for one in columns]
            if mean is not None:
                parts.append(f"{measure.title} {mean} ± {deviation or '-'} (best {best})")
        lines.append(f"{group.name} ({', '.join(group.systems)}): {', '.join(parts)}")
    return lines


IN_ORDER = "none"  # in place of a figure: the systems stay in the order of the call
LABELS = 20  # maximum number of labels in the table of labels; CSV, TSV and JSON have all


def sheet(comparison: Comparison, how: Choices | None = None) -> Sheet:
    how = how or Choices()
    measures = _chosen(comparison, how.columns)
    ordered = Systems(comparison, [], sort=sort_figure(comparison, how.sort))
    systems = [comparison.systems[index] for index in ordered.rows]
    lines = (*notes(ordered, short=not how.verbose), f"signature: {comparison.signature}")
    further = (*tables_of_groups(comparison, ordered.figures), *by_length(comparison))
    against = tables_of_systems(comparison, ordered.figures)
    tables = _tables(comparison, systems, measures, verbose=how.verbose)
    pairs = pair_tables(ordered) if how.verbose else ()
    shown = (*tables, *pairs, *against, *grouped_tables(comparison, verbose=how.verbose), *further)
    wide = _wide(comparison, systems, measures)
    return Sheet((wide, *against, *grouped_rows(comparison), *further), shown, lines, headings=False)


def _chosen(comparison: Comparison, columns: Sequence[str]) -> list[Figure]:
    """Return the figures of the main table with these names or titles; all figures if none are given."""
    known = [measure for measure in comparison.measures if not measure.group]
    if not columns:
        return known
    by_name = {name.lower(): measure for measure in known for name in (measure.title, measure.name)}
    unknown = [column for column in columns if column.lower() not in by_name]
    if unknown:
        titles = ", ".join([f"{measure.title} ({measure.name})" for measure in known])
        raise SettingsError(f"unknown measure {unknown[0]!r}; expected one of {titles}")
    return list(dict.fromkeys([by_name[column.lower()] for column in columns]))


def sort_figure(comparison: Comparison, name: str | None) -> Figure | None:
    """Return the figure by which systems are sorted; ``None`` for their own order."""
    main = "sentence_f1" if comparison.is_mean else "f1"
    return None if name == IN_ORDER else _chosen(comparison, [name or main])[0]


def _tables(
    comparison: Comparison, systems: Sequence[SystemScores], measures: Sequence[Figure], *, verbose: bool
) -> list[Table]:
    """Return the scores with marks and intervals; with ``verbose`` p-values and intervals in more tables."""
    fields = (Field("system", "System", text=True), *fields_of(measures))
    best: dict[str, str | None] = {}  # the best value of each figure as printed, if systems differ in it
    for measure in measures:
        values = [system[measure.name] for system in comparison.systems]
        defined = [value for value in values if value is not None]
        if len({number(measure, value) for value in defined}) > 1:
            best[measure.name] = number(measure, (max if measure.larger_is_better else min)(defined))

    def table(title: str, some: Sequence[SystemScores], cell: CellOf) -> Table:
        rows = [[system.name, *[cell(system, measure) for measure in measures]] for system in some]
        return Table(title, fields, rows)

    def score(system: SystemScores, measure: Figure) -> Cell:
        shown = number(measure, system[measure.name])
        if shown is None:
            return None
        marks = stars(system.decisions.get(measure.name))
        margin = "" if verbose else half(system.intervals.get(measure.name), measure)
        return MarkedNumber(shown, marks, margin, shown == best.get(measure.name))

    statistics = _statistics(comparison, systems) if verbose else ()
    return [table("", systems, score), *[table(title, some, cell) for title, _, some, cell in statistics]]


def pair_tables(systems: Systems) -> list[Table]:
    """Return the table of all pairs in F1, the closest first; none without tests of all pairs."""
    comparison = systems.comparison
    measure = next(one for one in systems.figures if one.name == systems.main)
    rows: list[list[Cell]] = []
    is_corrected = comparison.correction != "none"
    for pair in sorted(comparison.pairs, key=lambda pair: abs(pair.decision.points or 0)):
        apart, ends = pair.decision.points, pair.decision.interval
        p_values = [shown_p(pair.decision.p_alone), *([shown_p(pair.decision.p)] if is_corrected else [])]
        if apart is not None:
            rows.append([*pair.systems, signed(measure, apart), ends_of(ends, measure), *p_values])
    fields = (
        *[Field(name, name.capitalize(), text=True) for name in ("first", "second")],
        Field("difference", "Difference"),
        Field("interval", "Interval"),
        Field("p", "p"),
        *([Field("corrected", "p (Holm)")] if is_corrected else []),
    )
    how = f", with Holm's correction for {comparison.tests} tests" if is_corrected else ""
    title = f"Second minus first in {measure.title}{how}"
    return [Table(title, fields, rows, name="pairs", heads=2)] if len(rows) > 1 else []


def _statistics(
    comparison: Comparison, systems: Sequence[SystemScores]
) -> Iterator[tuple[str, str, Sequence[SystemScores], CellOf]]:
    """Yield for each table of ``verbose`` its title, what follows the title of a group, and its cells."""
    baseline = comparison.baseline
    others = [system for system in systems if system is not baseline]
    apart = f"of the difference from {baseline.name}"
    if comparison.test is not None:
        title = f"p-values {apart} ({tested(comparison)}, {families(comparison)})"
        yield title, ": p-values", others, lambda one, measure: shown_p(one.decisions[measure.name].p)
    if comparison.test == "sign":
        yield f"Wins, ties and losses against {baseline.name}", "", others, outcome
    if comparison.interval_samples:
        title = f"{level(comparison)} confidence intervals"
        how = f"{title} ({resampled(comparison)})"
        yield how, ": intervals", systems, lambda one, measure: ends_of(one.intervals[measure.name], measure)
        if others:
            how = (
                f"{tested(comparison)}, as for p, but not corrected"
                if comparison.test_samples
                else f"paired bootstrap, {comparison.interval_samples:,} resamples"
            )
            yield (
                f"{title} {apart} ({how})",
                f": intervals {apart}",
                others,
                lambda one, measure: ends_of(one.differences[measure.name], measure),
            )


def _wide(comparison: Comparison, systems: Sequence[SystemScores], measures: Sequence[Figure]) -> Table:
    """Return a row for each system, for a spreadsheet: figures, intervals and p-values, notes, signature."""
    rated, tested = comparison.confidence is not None, comparison.test is not None
    apart = rated and len(systems) > 1
    kept = ["", *compress(STATISTICS, (rated, rated, tested, tested, False, apart, apart))]
    fields = [
        Field("system", text=True),
        *[Field("_".join(filter(None, (one.name, kind)))) for one in measures for kind in kept],
        Field("notes", text=True),
        Field("signature", text=True),
    ]
    rows = []
    for system in systems:
        figures = [plain_figures(comparison, system, measure) for measure in measures]
        cells = [cells[kind] for cells in figures for kind in kept]
        rows.append([system.name, *cells, ", ".join(system.notes), comparison.signature])
    return Table("", tuple(fields), rows, name="systems")


def notes(systems: Systems, *, short: bool) -> list[str]:
    """Return the notes; with ``short`` they describe the intervals in place of tables."""
    comparison = systems.comparison
    said: list[Claim] = []
    if systems.count > 1:
        said = [*made.title(systems, None), *made.groups(systems), *made.cautions(systems)]
    said += [one for one in tests_of(comparison) if short or one.kind != "margins"]
    lines = list(filter(None, [at(said, place) for place in ("headline", "pairs", "lead", "test", "sample")]))
    for system in comparison.systems:
        if added := [one.text for one in notes_of_system(comparison, system)]:
            lines.append(f"{system.name}: {', '.join(added)}")
    return lines


def grouped(comparison: Comparison) -> dict[str, list[Figure]]:
    """Return the figures of each heading except labels and lengths, largest first; omit constant zeros."""
    groups: dict[str, list[Figure]] = {}
    for measure in comparison.measures:
        if measure.group in ("", F_GROUP, RECALL_GROUP, LENGTHS_GROUP):
            continue
        if any(system[measure.name] for system in comparison.systems):
            groups.setdefault(measure.group, []).append(measure)
    for measures in groups.values():
        measures.sort(key=lambda measure: -max(system[measure.name] or 0 for system in comparison.systems))
    return groups


def grouped_tables(comparison: Comparison, *, verbose: bool) -> list[Table]:
    """Return the values of each group with differences; with ``verbose`` also p-values and intervals."""
    tables: list[Table] = []
    for title, measures in grouped(comparison).items():
        rows = [Group(measure.title, measure) for measure in measures]
        tables += _tables_of_rows(comparison, title, "Cause", rows, verbose=verbose)
    labels = groups_by_label(comparison)
    if labels:
        title = RECALL_GROUP if comparison.unlabeled else F_GROUP
        title += f" (the {LABELS} most frequent of {len(labels)})" if len(labels) > LABELS else ""
        tables += _tables_of_rows(comparison, title, "Label", labels[:LABELS], verbose=verbose)
    return tables


def _tables_of_rows(
    comparison: Comparison, title: str, head: str, rows: Sequence[Group], *, verbose: bool
) -> list[Table]:
    baseline, is_rated = comparison.baseline, any(row.measure is not None for row in rows)

    def difference(system: SystemScores, measure: Figure) -> Cell:
        points = difference_of(baseline[measure.name], system[measure.name])
        if points is None:
            return None
        ends = None if verbose else system.differences.get(measure.name)
        marks = stars(system.decisions.get(measure.name))
        return MarkedNumber(signed(measure, points), marks, half(ends, measure))

    values: list[tuple[str, SystemScores, CellOf]] = []
    for system in comparison.systems:
        values.append((system.name, system, value))
        if is_rated and system is not baseline:
            values.append(("difference", system, difference))
    wanted = [("", values)]
    for _, subtitle, systems, make in _statistics(comparison, comparison.systems) if verbose else ():
        if subtitle:
            wanted.append((subtitle, [(system.name, system, make) for system in systems]))
    counted = any(row.gold is not None for row in rows)

    def cell(row: Group, system: SystemScores, make: CellOf) -> Cell:
        if row.measure is not None:
            return make(system, row.measure)
        return percent(row.rates[system.name]) if make is value else None

    tables = []
    for subtitle, shown in wanted:
        # Only the table of values has gold constituents, and labels that are not figures.
        gold = (Field("gold", "Gold"),) if counted and not subtitle else ()
        fields = (Field(head.lower(), head, text=True), *gold, *[Field(name, name) for name, _, _ in shown])
        cells = [
            [row.name or "()", *[str(row.gold) for _ in gold], *[cell(row, *column[1:]) for column in shown]]
            for row in rows
            if not subtitle or row.measure is not None
        ]
        if cells:
            tables.append(Table(title + subtitle, fields, cells))
    return tables


def grouped_rows(comparison: Comparison) -> list[Table]:
    """Return the causes and the labels for a spreadsheet, with a row for each figure and system."""
    causes = [Group(one.title, one) for group in grouped(comparison).values() for one in group]
    tables = []
    for table, first, figure, given in (
        ("causes", "cause", "points", causes),
        ("labels", "label", "recall" if comparison.unlabeled else "f1", groups_by_label(comparison)),
    ):
        rows: list[list[Cell]] = []
        for row in given:
            gold = [] if row.gold is None else [str(row.gold)]
            for system in comparison.systems:
                if row.measure is None:
                    figures: list[Cell] = [percent(row.rates[system.name]), *[None] * len(STATISTICS)]
                else:
                    figures = [*plain_figures(comparison, system, row.measure).values()]
                rows.append([row.name or "()", *gold, system.name, *figures])
        fields = (
            Field(first, text=True),
            *([Field("gold")] if table == "labels" else []),
            Field("system", text=True),
            *[Field(name) for name in (figure, *STATISTICS)],
        )
        if rows:
            tables.append(Table("", fields, rows, name=table))
    return tables


WIDTH = 100  # maximum width of a text table, if the output is not a terminal


def text(comparison: Comparison, width: int | None = None, how: Choices | None = None) -> str:
    """Return the text report; with ``width`` names of systems may be shortened, and notes continue below."""
    how = how or Choices()
    content = sheet(comparison, how)
    narrow = width is not None
    width = WIDTH if width is None else width
    main, *others = content.shown
    notes = list(content.notes)
    if narrow and _width(main) > width:
        names = [system.name for system in comparison.systems]
        short: dict[Cell, str] = dict(zip(names, shortened(names)))
        main = main._replace(rows=[[short[row[0]], *row[1:]] for row in main.rows])
    if comparison.confidence is not None and not how.verbose and not how.columns:
        main, hidden = _fitting(main, width)
        if hidden:
            notes.insert(
                -1,
                f"not shown (table too wide): {', '.join(hidden)}; select with --columns, or use --verbose",
            )
    pieces = []
    for table in (main, *[other.titled() for other in others]):
        blocks = "\n".join(map(_block_text, _blocks(table, width)))
        pieces.append(f"{visible(table.title)}\n{blocks}" if table.title else blocks)
    lines = [f"# {visible(line)}" for line in notes]
    if narrow:
        lines = [piece for line in lines for piece in folded(line, width)]
    pieces.append("".join([f"{line}\n" for line in lines]))
    return "\n".join(pieces)


def _block_text(table: Table) -> str:
    head, *rows = _cells(table)
    rule = ["-" * width for width in widths_of([head, *rows])]
    lines = aligned(head, [rule, *rows], "l" + "r" * (len(head) - 1), "  ")
    return "".join([f"{line}\n" for line in lines])


def _width(table: Table) -> int:
    widths = widths_of(_cells(table))
    return sum(widths) + 2 * (len(widths) - 1)


def _fitting(table: Table, width: int) -> tuple[Table, list[str]]:
    """Return the table with the columns that fit (at least F1), and the titles of the others."""
    kept = list(range(len(table.fields)))
    main = next((place for place in kept if table.fields[place].name == "f1"), 1)
    while len(kept) > 2 and _width(table.with_columns(kept)) > width:
        del kept[-2 if kept[-1] == main else -1]
    return table.with_columns(kept), [
        field.title for place, field in enumerate(table.fields) if place not in kept
    ]


def _blocks(table: Table, width: int) -> list[Table]:
    """Cut a table into pieces of at most a width, if possible; each begins with its head columns."""
    widths = widths_of(_cells(table))
    heads = table.heads
    room = width - sum(widths[:heads]) - 2 * (heads - 1)
    others, size = len(widths) - heads, 1
    for pieces in range(1, others + 1):
        size = -(-others // pieces)
        cuts = [(start, min(start + size, len(widths))) for start in range(heads, len(widths), size)]
        if size == 1 or all(sum(widths[a:b]) + 2 * (b - a) <= room for a, b in cuts):
            break
    return table.split(size)


def _cells(table: Table) -> list[list[str]]:
    """Return headings and rows as text; numbers are aligned, and marks follow them."""
    columns = []
    for index, field in enumerate(table.fields):
        cells = [row[index] for row in table.rows]
        pairs = [(one.plain, one.marks) if isinstance(one, MarkedNumber) else (one, "") for one in cells]
        hang = max([len(marks) for _, marks in pairs], default=0)
        column = [visible("-" if text is None else text) + padded(marks, hang) for text, marks in pairs]
        columns.append([visible(field.title), *column])
    return list(map(list, zip(*columns)))
