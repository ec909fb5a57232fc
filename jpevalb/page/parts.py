"""Parts of a page: sections, boxes and tables; causes, lengths, labels and repairs in rows and grids."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from ..base.claims import Claim
from ..base.elements import Markup, classes, join, tag
from ..base.numbers import measured, percent
from ..claims.kinds import joined
from ..claims.systems import Systems
from ..metrics.brackets import BracketCounts
from ..report import format_named
from ..report.table import Cell, Field, Sheet, Table
from ..report.writers import html_of
from .collected import Collected
from .plots import TIGHT, Axis, PlotRow, Shaded, bar, grid, key, point, rows, several, shade, span


class Content(NamedTuple):
    """Everything that the sections of a page show."""

    systems: Systems
    gold: str  # name of the gold file
    command: str  # that made the page; empty if a call of Python did
    listed: bool  # True if the page has sentences
    brackets: BracketCounts | None = None  # of one system, of the trees that are shown
    sentences: Mapping[str, int] = {}  # number of sentences of each cause of one system
    collected: Collected | None = None  # of one system, from its sentences
    folds: Sequence[tuple[str, Markup]] = ()  # titles and contents of further tables and notes


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
    said = joined(found)
    say = tag(
        "div",
        tag("h2", question),
        tag("p", said) if said else "",
        tag("p", caption, cls="cap") if caption else "",
        cls="say",
    )
    return PageSection(id, name, tag("section", say, *body, id=id, cls=kind), tables)


def card(*parts: object, cls: str | None = None) -> Markup:
    """Return a figure in its box."""
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
        if content.listed and self.shows:
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
    lines: list[list[Cell]] = []
    for item in items:
        values = [
            value
            for i in systems.range
            for value in (systems.value(item.figure, i), *(systems.interval(item.figure, i) or (None, None)))
        ]
        shown = [None if value is None else plain(systems.shown(item.figure, value)) for value in values]
        lines.append([item.name.replace("–", "-"), *map(plain, item.more), *shown])
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
    """Return items of one to three systems in rows, with bars if there are sums, else with marks.

    ``heads`` are the headings of one system: of its value and of the further cells.
    """
    systems = content.systems
    one = systems.count == 1
    made = []
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
                line = span(axis, interval, "w") if interval else ""
                inside = join(bar(axis, values[0] or 0, "s0"), line)
            lines = [f"{item.name}: {measured(values[0], interval)}"]
            cells += [(cell, "mut") for cell in item.more]
        else:
            inside = several(axis, list(zip(values, real)))
            lines = [item.name, *[f"{systems.names[i]} {percent(value)}" for i, value in enumerate(values)]]
        made.append(PlotRow(item.label(content), inside, cells, "\n".join([*lines, item.tip]).rstrip()))
    for k, (name, values_of) in enumerate(sums, 1):
        cells = [(percent(value), "mut" if k < len(sums) else "") for value in values_of]
        made.append(PlotRow(name, None, cells + [("", "")] * (len(heads) - 1) * one))
    marks = [key(tag("span", name, cls="hidden"), k) for k, name in enumerate(systems.names)]
    return rows(made, heads if one else marks, axis, kind, label, total=bool(sums))


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
