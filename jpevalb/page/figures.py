"""Causes, lengths, labels and repairs: bars or marks of up to three systems in rows, and grids of more."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ..base.elements import Markup, join, tag
from ..base.numbers import measured, percent
from ..claims.systems import Systems
from .parts import Content, Item
from .plots import TIGHT, Axis, PlotRow, Shaded, bar, grid, key, point, rows, several, shade, span


class Sum(NamedTuple):
    """A row below the others, with the sums of several of them."""

    name: object
    values: Sequence[float]  # of each system


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
    for each in sums:
        cells = [(percent(value), "mut" if each is not sums[-1] else "") for value in each.values]
        made.append(PlotRow(each.name, None, cells + [("", "")] * (len(heads) - 1) * one))
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
    for each in sums:
        lines.append((each.name, [Shaded(percent(each.values[i], digits)) for i in systems.rows]))
    return grid(*columns(systems), lines, label)


def columns(systems: Systems) -> tuple[list[Markup], int]:
    """Return the headings of a grid of systems, and the letters of the longest name."""
    names = [key(systems.names[i], None if systems.many else i) for i in systems.rows]
    return names, max(map(len, systems.names)) + 2 * (not systems.many)
