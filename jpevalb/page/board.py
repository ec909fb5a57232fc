"""The board: the only table of scores, with a row for each system and a column for each figure."""

from __future__ import annotations

from ..base.elements import Markup, classes, hidden, tag
from ..base.numbers import ends, measured, p_value, percent, signed
from ..claims.systems import Systems
from ..metrics import Figure
from .plots import Axis, key, mark, plot, point, span

FAR = 5  # figures of the board on narrow screens


def board(systems: Systems) -> Markup:
    """Return the scores: tiles for one system, otherwise a table with F1 and the differences as plots."""
    return _tiles(systems) if systems.count == 1 else _table(systems)


def _tiles(systems: Systems) -> Markup:
    """Return each figure with its place between 0 and 1."""
    axis = Axis([0.0, 1.0], 1)
    tiles: list[Markup] = []
    for figure in systems.board():
        value = systems.value(figure.name, 0)
        lines = span(axis, (0, 1), "rail s0"), span(axis, (0, value or 0), "ci s0")
        parts = (
            tag("span", figure.on_pages, cls="hd"),
            tag("span", percent(value), cls="big"),
            plot(axis, *lines, cls="mp"),
            tag("span", ends(systems.interval(figure.name, 0)), cls="sub"),
        )
        tiles.append(tag("div", *parts, role="listitem", cls=classes("cell", not tiles and "first")))
    return tag("div", *tiles, cls=f"board one m{len(tiles) - 1}", role="list", aria_label="Scores")


def _cell(*content: object, cls: str | None = "", tip: str = "") -> Markup:
    return tag("span", *content, role="cell", cls=classes("cell", cls), data_tip=tip or None)


def _table(systems: Systems) -> Markup:
    many = systems.many
    main, base, order = systems.main, systems.base, systems.rows
    first, *figures = systems.board()
    letters = systems.letters()
    every = sorted(set("".join(letters)))
    known = [systems.interval(main, i) or (systems.value(main, i) or 0,) for i in order]
    of_f1 = Axis([end for one in known for end in one], 8 if many else 5, rates=True)
    apart = [systems.apart(main, i) for i in order]
    of_differences = Axis([x for d in apart for x in d.interval or (d.points or 0,)], 4, zero=True)

    def head(text: object, cls: str | None = "") -> Markup:
        return tag("span", text, role="columnheader", cls=classes("hd", cls))

    heads = [head(hidden("system"))]
    heads += [head("group")] if many else []
    heads.append(head(first.on_pages))
    heads.append(head("from best", "r") if many else head(f"from {systems.names[base]}"))
    heads += [head("p", "r pp")] if many else []
    heads += [head(one.on_pages, classes("r m", k >= FAR and "far")) for k, one in enumerate(figures)]
    lines = [tag("div", *heads, role="row")]
    for i, one in zip(order, apart):
        k = 0 if many else i
        f1, interval = systems.value(main, i), systems.interval(main, i)
        cells = [tag("span", key(systems.names[i], None if many else i), role="rowheader", cls="cell name")]
        if many:
            # Each letter has a column of its own.
            own = "".join([letter if letter in letters[i] else " " for letter in every])
            cells.append(_cell(own, cls="grp"))
        drawn = point(of_f1, f1, interval, k, filled=not many or i == base or one.real)
        tip = f"{systems.names[i]}: F1 {measured(f1, interval)}"
        value = tag("b", percent(f1), cls=None if many else "big")
        cells.append(_cell(tag("span", plot(of_f1, drawn, cls="mp", tip=tip), value, cls="pv")))
        p = p_value(one.p)
        if many:
            shown = "best" if i == base else signed(one.points)
            cells.append(_cell(shown, cls=classes("num", i != base and not one.real and "mut")))
            cells.append(_cell(p.removeprefix("p = ").removeprefix("p "), cls="num mut pp"))
        else:
            cells.append(_difference(systems, i, of_differences, p))
        for j, figure in enumerate(figures):
            cells.append(_figure(systems, figure, i, "far" if j >= FAR else ""))
        lines.append(tag("div", *cells, role="row"))
    empty = tag("span", cls="tk")
    scales = [empty, *([empty] if many else []), _scale(of_f1)]
    scales += [] if many else [_scale(of_differences, sign=True)]
    lines.append(tag("div", *scales, role="row", aria_hidden="true", cls="scale"))
    kind = "many" if many else "mid" if systems.dense else "few"
    cls = f"board {kind} m{len(figures)} n{systems.count}"
    return tag("div", *lines, cls=cls, role="table", aria_label="Scores")


def _scale(axis: Axis, *, sign: bool = False) -> Markup:
    return tag("span", tag("span", axis.labels(sign=sign)), cls="tk pv")


def _difference(systems: Systems, i: int, axis: Axis, p: str) -> Markup:
    one = systems.apart(systems.main, i)
    if i == systems.base:
        zero = plot(axis, mark(axis, 0, i), cls="mp")
        return _cell(tag("span", zero, tag("span", "baseline", cls="sub num"), cls="pv"))
    drawn = point(axis, one.points, one.interval, i, filled=one.real)
    tip = measured(one.points, one.interval, signed) + (f", {p}" if p else "")
    value = tag("b", signed(one.points), cls=f"big {'real' if one.real else 'soft'}")
    return _cell(tag("span", plot(axis, drawn, cls="mp", tip=tip), value, cls="pv"))


def _figure(systems: Systems, figure: Figure, i: int, far: str) -> Markup:
    value, one = systems.value(figure.name, i), systems.apart(figure.name, i)
    cls = classes("num m", far, value is None and "mut")
    if systems.many or value is None:
        return _cell(percent(value), cls=cls)
    second = Markup("&nbsp;") if i == systems.base or one.points is None else signed(one.points)
    real = "real" if one.real else None
    tip = f"{figure.on_pages}: {second}, {ends(one.interval, signed)}" if one.interval else ""
    parts = tag("span", percent(value), cls=real), tag("span", second, cls=classes("sub", real))
    return _cell(*parts, cls=cls, tip=tip)
