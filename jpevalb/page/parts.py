"""Parts of a page: what it shows, its sections, boxes, tables, and names that list their sentences."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from ..base.claims import Claim
from ..base.elements import Markup, classes, join, tag
from ..claims.kinds import joined
from ..claims.systems import Systems
from ..metrics.brackets import BracketCounts
from ..report import format_named
from ..report.markup import html_of
from ..report.table import Cell, Field, Sheet, Table
from .collected import Collected


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
        line: list[Cell] = [item.name.replace("–", "-"), *map(plain, item.more)]
        for i in systems.range:
            low, high = systems.interval(item.figure, i) or (None, None)
            for value in (systems.value(item.figure, i), low, high):
                line.append(None if value is None else plain(systems.shown(item.figure, value)))
        lines.append(line)
    return Table("", tuple(fields), lines)


def plain(text: str) -> str:
    """Return a number as reports write it."""
    return text.replace("−", "-").replace("±", "").replace(",", "")
