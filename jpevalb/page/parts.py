"""Figures and parts of pages: axes, marks and grids as SVG that needs no script; sections, boxes, tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import ceil, floor, log10
from typing import Any, NamedTuple, TypeAlias

from ..base.claims import Claim, joined
from ..base.text import Markup, classes, hidden, join, measured, percent, tag
from ..claims.systems import Systems
from ..metrics.brackets import BracketCounts
from ..report import format_named
from ..report.table import Cell, Field, Sheet, Table
from ..report.writers import html_of
from .collected import Collected

SHAPES = (
    "M-4.9 0a4.9 4.9 0 1 0 9.8 0a4.9 4.9 0 1 0-9.8 0Z",
    "M-4.4-4.4h8.8v8.8h-8.8Z",
    "M0-5.4 5.4 4.6H-5.4Z",
    "M0-6 5.6 0 0 6-5.6 0Z",
    "M0 5.4 5.4-4.6H-5.4Z",
    "M-2.2-5.5h4.4v3.3h3.3v4.4H2.2v3.3h-4.4V2.2h-3.3v-4.4h3.3Z",
    "M-2.8-4.8h5.6L5.6 0l-2.8 4.8h-5.6L-5.6 0Z",
    "M0-5.6 5.6-1.4 3.4 5.2h-6.8L-5.6-1.4Z",
)
"""One shape for each system; the ninth has the first one again."""

LANE = 8  # pixels between the marks of two systems in one row
TIGHT = 14  # systems from which a grid has one decimal and small cells


def glyph(k: int, *, hollow: bool = False) -> Markup:
    """Return the mark of a system in a line of text."""
    size = {"viewBox": "-7 -7 14 14", "width": 13, "height": 13}
    return tag("svg", _shape(k, hollow=hollow), cls="gl", **size, aria_hidden="true")


def key(name: object, k: int | None = None) -> Markup:
    """Return a name, behind the mark of its system."""
    return tag("span", "" if k is None else glyph(k), tag("bdi", name), cls="key")


class Axis:
    """Round ends and at most ``most`` steps over some values, in [0, 1] by default."""

    def __init__(
        self, values: Iterable[float], most: int = 5, *, zero: bool = False, rates: bool = False
    ) -> None:
        known = [*values, *([0.0] if zero else [])] or [0.0]
        low, high, least = min(known), max(known), 0.01
        if high - low < least:  # values that are all equal, or all 0
            low, high = (0.0, least) if zero and low >= 0 else (low - least / 2, high + least / 2)
        step = 10.0 ** floor(log10((high - low) / most))
        step *= next(factor for factor in (1, 2, 5, 10) if (high - low) / (step * factor) <= most)
        self.low, self.high = floor(low / step + 1e-9) * step, ceil(high / step - 1e-9) * step
        if rates:
            self.low, self.high = max(0.0, self.low), min(1.0, self.high)
        self.ticks = [k * step for k in range(round(self.low / step), round(self.high / step) + 1)]
        self._digits = max(0, -floor(log10(100 * step) + 1e-9))

    def at(self, value: float) -> str:
        return f"{max(0.0, min(100.0, 100 * (value - self.low) / (self.high - self.low))):.2f}%"

    def lines(self) -> Markup:
        lines = [(classes("g", tick == 0 and "z"), self.at(tick)) for tick in self.ticks]
        return join(*[tag("line", cls=cls, x1=at, x2=at, y2="100%") for cls, at in lines])

    def labels(self, *, sign: bool = False) -> Markup:
        inside = []
        for tick in self.ticks:
            plus = "+" if sign and round(tick, 9) else ""
            text = f"{100 * tick:{plus}.{self._digits}f}".replace("-", "−")
            inside.append(tag("text", text, x=self.at(tick), y=12, text_anchor="middle"))
        return tag("svg", *inside, cls="tk", width="100%", height=16, aria_hidden="true")


def mark(axis: Axis, value: float, k: int, *, filled: bool = True, lane: float = 0) -> Markup:
    """Return the mark of a system at a value; marks of one row stand in lanes."""
    return tag("svg", _shape(k, hollow=not filled, lane=lane), x=axis.at(value), y="50%", overflow="visible")


def _shape(k: int, *, hollow: bool, lane: float = 0) -> Markup:
    cls = classes("mk", f"s{k % 8}", hollow and "hollow")
    return tag("path", cls=cls, transform=_moved(lane), d=SHAPES[k % 8])


def span(axis: Axis, interval: Sequence[float], cls: str, lane: float = 0) -> Markup:
    """Return a line from value to value."""
    x1, x2 = map(axis.at, interval)
    return tag("line", cls=cls, x1=x1, x2=x2, y1="50%", y2="50%", transform=_moved(lane))


def point(
    axis: Axis, value: float | None, interval: Sequence[float] | None, k: int, *, filled: bool = True
) -> Markup:
    """Return the mark of a system at a value, on the line of its interval."""
    line = span(axis, interval, f"ci s{k % 8}") if interval else ""
    return join(line, "" if value is None else mark(axis, value, k, filled=filled))


def _moved(lane: float) -> str | None:
    return f"translate(0 {lane:g})" if lane else None


def bar(axis: Axis, value: float) -> Markup:
    """Return a bar from 0 to a value of the first system."""
    size = {"width": axis.at(value), "height": 12, "transform": "translate(0 -6)"}
    return tag("rect", cls="bar s0", x=axis.at(0), y="50%", **size)


def plot(axis: Axis, *inside: object, cls: str = "pl", tip: str = "") -> Markup:
    """Return a plot that is as large as its place."""
    how = {"width": "100%", "height": "100%", "data_tip": tip or None, "aria_hidden": "true"}
    return tag("svg", axis.lines(), *inside, cls=cls, **how)


def several(axis: Axis, values: Sequence[tuple[float | None, bool]]) -> Markup:
    """Return marks of two or three systems with stems from the first: value, and True if it differs."""
    base, half = values[0][0], LANE * (len(values) - 1) / 2
    known = [(k, value, real, LANE * k - half) for k, (value, real) in enumerate(values) if value is not None]
    marks = [mark(axis, value, k, filled=not k or real, lane=lane) for k, value, real, lane in known]
    if base is None:
        return join(*marks)
    stems = [
        span(axis, sorted((base, value)), f"st s{k % 8}{'' if real else ' dim'}", lane)
        for k, value, real, lane in known[1:]
    ]
    line = tag("line", cls="base s0", y1=-half, y2=half)
    return join(*stems, tag("svg", line, x=axis.at(base), y="50%", overflow="visible"), *marks)


class Shaded(NamedTuple):
    """A cell of a grid."""

    text: str
    shade: int | None = None  # of ten; None for none
    cls: str = ""
    tip: str = ""
    small: str = ""


def shade(value: float | None, high: float) -> int | None:
    """Return the shade of a value from 0 to ``high``: 0 to 9."""
    return None if value is None else round(9 * min(1.0, max(0.0, value / high))) if high > 0 else 0


def grid(
    columns: Sequence[object],
    widest: int,
    items: Sequence[tuple[object, Sequence[Shaded | None]]],
    label: str,
    room: int = 1180,
) -> Markup:
    """Return a table of shaded cells; the names of columns are turned if they are too wide together."""
    turned = len(columns) * widest * 7.6 > room
    head = [
        tag("th", hidden(label), scope="col"),
        *[tag("th", tag("div", one), scope="col") for one in columns],
    ]
    lines = [tag("tr", tag("th", name, scope="row"), *map(_shaded, cells)) for name, cells in items]
    cls = classes(
        "grid",
        "turned" if turned else "roomy" if len(columns) < 5 else "wide" if len(columns) > 7 else None,
        len(columns) > TIGHT - 1 and "tight",
    )
    whole = tag("table", tag("thead", tag("tr", *head)), tag("tbody", *lines), cls=cls)
    return tag("div", whole, cls="scroll", tabindex=0, role="group", aria_label=label)


def _shaded(cell: Shaded | None) -> Markup:
    if cell is None:
        return tag("td", cls="none")
    small = tag("small", cell.small) if cell.small else ""
    cls = classes(cell.cls, None if cell.shade is None else f"q{cell.shade}")
    return tag("td", cell.text, small, cls=cls, data_tip=cell.tip or None)


def strip(parts: Sequence[tuple[float, str, str]], label: str) -> Markup:
    """Return parts of a whole side by side: share, class and text."""
    inside, start = [], 0.0
    for share, cls, text in [part for part in parts if part[0] > 0]:
        written = tag("text", text, cls=cls, x=7, y=17.5) if share > 0.012 * len(text) + 0.01 else ""
        box = tag("rect", cls=cls, width="100%", height=26)
        gap = tag("line", cls="gap", y2=26)
        where = {"x": f"{100 * start:.3f}%", "width": f"{100 * share:.3f}%", "height": 26}
        inside.append(tag("svg", box, written, gap, **where))
        start += share
    return tag("svg", *inside, cls="strip", width="100%", height=26, role="img", aria_label=label)


def legend(items: Iterable[tuple[str, object]]) -> Markup:
    """Return the meaning of colours: class and text."""
    return tag("ul", *[tag("li", tag("i", cls=cls), text) for cls, text in items], cls="lg")


class Content(NamedTuple):
    """Everything that the sections of a page show."""

    systems: Systems
    gold: str  # name of the gold file
    command: str  # that made the page; empty if a call of Python did
    folds: Sequence[tuple[str, Markup]]  # titles and contents of further tables and notes
    data: Mapping[str, Any] | None = None  # sentences for the script; None if the page has none
    brackets: BracketCounts | None = None  # of one system, of the trees that are shown
    sentences: Mapping[str, int] = {}  # number of sentences of each cause of one system
    collected: Collected | None = None  # of one system, from its sentences


class PageSection(NamedTuple):
    """A section: a question, its answer in words, a figure, and the tables of its exports."""

    id: str
    name: str  # in the bar at the top
    markup: Markup
    tables: Sequence[Table] = ()

    def exports(self, note: str) -> dict[str, str]:
        """Return the data of the section as CSV and LaTeX, by the writers of reports."""
        content = Sheet(tuple(self.tables), tuple(self.tables), (note,), headings=False)
        return {name: format_named(name).tables(content) for name in ("csv", "latex")}


def section(
    id: str,
    name: str,
    kind: str,
    question: str,
    found: Iterable[Claim],
    caption: str,
    *body: object,
    tables: Sequence[Table] = (),
) -> PageSection:
    """Return a section: ``found`` is the result, ``caption`` how to read the figure in ``body``."""
    said = [tag("p", text)] if (text := joined(found)) else []
    read = [tag("p", caption, cls="cap")] if caption else []
    say = tag("div", tag("h2", question), *said, *read, cls="say")
    return PageSection(id, name, tag("section", say, *body, id=id, cls=kind), tables)


def card(*parts: object, cls: str | None = None) -> Markup:
    return tag("div", *parts, cls=classes("card", cls))


def fold(title: str, *body: object) -> Markup:
    """Return something that is closed at first."""
    return tag("details", tag("summary", title), card(*body))


def table(content: Table, label: str) -> Markup:
    """Return a table of a report, which scrolls where it is too wide."""
    shown = Markup(html_of(Sheet((), (content._replace(title=""),), ())))
    return tag("div", shown, cls="scroll", tabindex=0, role="group", aria_label=label)


class Item(NamedTuple):
    """A cause, a length, a label or a repair, whose figure each system has."""

    name: str
    figure: str  # its name
    shows: str = ""  # the sentences that it lists; empty for none
    note: str = ""  # behind the name
    more: tuple[str, ...] = ()  # further cells of one system
    few: bool = False  # True for a figure that claims should not rest on
    tip: str = ""  # more about it

    def label(self, content: Content) -> Markup:
        """Return the name, which lists its sentences, and the note."""
        name = tag("span", self.name)
        if content.data and self.shows:
            name = tag(
                "button", self.name, type="button", cls="pick", data_show=self.shows, aria_pressed="false"
            )
        return join(name, " ", tag("small", self.note)) if self.note else name


def table_of(systems: Systems, first: str, items: Sequence[Item], heads: Sequence[str] = ()) -> Table:
    """Return the further cells of items, and the values of all systems with their intervals."""
    fields = [Field(first, first.capitalize(), text=True)]
    fields += [Field(head.replace(" ", "_"), head.capitalize()) for head in heads]
    for k, name in enumerate(systems.names, 1):
        fields += [Field(f"system_{k}", name), Field(f"low_{k}", "low"), Field(f"high_{k}", "high")]

    def cells(figure: str) -> list[Cell]:
        values = [
            value
            for i in systems.range
            for value in (systems.value(figure, i), *(systems.interval(figure, i) or (None, None)))
        ]
        return [None if value is None else plain(systems.shown(figure, value)) for value in values]

    lines = [[one.name.replace("–", "-"), *map(plain, one.more), *cells(one.figure)] for one in items]
    return Table("", tuple(fields), lines)


def plain(text: str) -> str:
    """Return a number as reports write it."""
    return text.replace("−", "-").replace("±", "").replace(",", "")


Sum: TypeAlias = tuple[object, Sequence[float]]
"""The name of a row below the others, with the sums of several of them for each system."""


def axis_of(systems: Systems, items: Sequence[Item], *, costs: bool = False) -> Axis:
    """Return an axis for the values of items, of one system with their intervals; costs begin at 0."""
    known = [systems.value(item.figure, i) for item in items for i in systems.range]
    if systems.count == 1:
        known += [end for item in items for end in systems.interval(item.figure, 0) or ()]
    return Axis([one for one in known if one is not None], zero=costs, rates=not costs)


def in_rows(
    content: Content,
    items: Sequence[Item],
    axis: Axis,
    label: str,
    heads: Sequence[str],
    kind: str = "places",
    sums: Sequence[Sum] = (),
) -> Markup:
    """Return items of one to three systems in rows below an axis: bars if there are sums, else marks.

    ``heads`` are the headings of one system: of its value and of the further cells.  ``kind`` names the
    widths of the columns in the style sheet.
    """
    systems = content.systems
    one = systems.count == 1
    titles = heads if one else [key(hidden(name), k) for k, name in enumerate(systems.names)]
    ticks = join(hidden("plot"), axis.labels())
    lines = [_row(hidden(label), ticks, [(title, "") for title in titles], "columnheader", cls="rh")]
    for item in items:
        values = [systems.value(item.figure, i) for i in systems.range]
        real = [systems.apart(item.figure, i).real for i in systems.range]
        cells = [
            (percent(value), "real" if one or real[i] else "mut" if i else "")
            for i, value in enumerate(values)
        ]
        if one:
            interval = systems.interval(item.figure, 0)
            inside = point(axis, values[0], interval, 0, filled=not item.few)
            if sums:
                inside = join(bar(axis, values[0] or 0), span(axis, interval, "w") if interval else "")
            tips = [f"{item.name}: {measured(values[0], interval)}"]
            cells += [(cell, "mut") for cell in item.more]
        else:
            inside = several(axis, list(zip(values, real)))
            tips = [item.name, *[f"{systems.names[i]} {percent(value)}" for i, value in enumerate(values)]]
        drawn = plot(axis, inside, tip="\n".join([*tips, item.tip]).rstrip())
        lines.append(_row(item.label(content), drawn, cells))
    for k, (name, values_of) in enumerate(sums, 1):
        cells = [(percent(value), "mut" if k < len(sums) else "") for value in values_of]
        lines.append(_row(name, "", cells + [("", "")] * (len(heads) - 1) * one))
    cls = classes("rows", kind, f"n{len(titles)}", "tot" if sums else None)
    return tag("div", *lines, cls=cls, role="table", aria_label=label)


def _row(
    name: object, drawn: str, values: Iterable[tuple[object, str]], role: str = "cell", cls: str | None = None
) -> Markup:
    """Return a row of a name, a plot, and texts with their classes."""
    first = "rowheader" if role == "cell" else role
    cells = [tag("span", text, role=role, cls=classes("v", of_text)) for text, of_text in values]
    parts = tag("span", name, role=first, cls="n"), tag("span", drawn, role=role, cls="p"), *cells
    return tag("div", *parts, role="row", cls=cls)


def in_grid(
    content: Content, items: Sequence[Item], label: str, *, costs: bool = False, sums: Sequence[Sum] = ()
) -> Markup:
    """Return items of four and more systems as a grid: costs are darker if higher, rates if lower."""
    systems = content.systems
    digits = 1 if systems.count > TIGHT or (systems.many and not costs) else 2
    values = {(item, i): systems.value(item.figure, i) for item in items for i in systems.range}
    loss = {at: value if costs else 1 - value for at, value in values.items() if value is not None}
    most = max(loss.values(), default=0.0)
    lines: list[tuple[object, Sequence[Shaded | None]]] = []
    for item in items:
        cells: list[Shaded | None] = []
        for i in systems.rows:
            value, interval = values[item, i], systems.interval(item.figure, i)
            tip = f"{systems.names[i]}, {item.name}: {measured(value, interval)}"
            cls = "real" if not systems.many and systems.apart(item.figure, i).real else ""
            darkness = shade(loss.get((item, i)), most)
            cells.append(None if value is None else Shaded(percent(value, digits), darkness, cls, tip))
        lines.append((item.label(content), cells))
    for name, values_of in sums:
        lines.append((name, [Shaded(percent(values_of[i], digits)) for i in systems.rows]))
    return grid(*columns(systems), lines, label)


def columns(systems: Systems) -> tuple[list[Markup], int]:
    """Return the headings of a grid of systems, and the letters of the longest name."""
    names = [key(systems.names[i], None if systems.many else i) for i in systems.rows]
    return names, max(map(len, systems.names)) + 2 * (not systems.many)
