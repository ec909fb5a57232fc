"""The board: the only table of scores, with a row for each system and a column for each figure."""

from __future__ import annotations

from .markup import Markup, classes, ends, hidden, p_value, percent, signed, tag
from .plots import Axis, key, mark, plot, span, tile
from .systems import TITLES, Systems

FAR = 5  # figures of the board on narrow screens


def board(systems: Systems) -> Markup:
    """Return the scores: tiles for one system, otherwise a table with F1 and the differences as plots."""
    return _tiles(systems) if systems.count == 1 else _table(systems)


def _tiles(systems: Systems) -> Markup:
    names = [systems.first, *systems.board()]
    tiles = [
        tile(TITLES[name][1], systems.value(name, 0), ends(systems.interval(name, 0)), first=not k)
        for k, name in enumerate(names)
    ]
    return tag("div", *tiles, cls=f"board one m{len(tiles) - 1}", role="list", aria_label="Scores")


def _cell(*content: object, cls: str | None = "", tip: str = "") -> Markup:
    return tag("span", *content, role="cell", cls=classes("cell", cls), data_tip=tip or None)


def _table(systems: Systems) -> Markup:
    many, names = systems.many, systems.board()
    main, base, order = systems.main, systems.base, systems.order
    letters = systems.letters()
    known = [systems.interval(main, i) or (systems.value(main, i) or 0,) for i in order]
    of_f1 = Axis([end for one in known for end in one], 8 if many else 5, rates=True)
    apart = [systems.apart(main, i) for i in order]
    of_differences = Axis([x for d in apart for x in d.interval or (d.points or 0,)], 4, zero=True)

    def head(text: object, cls: str | None = "") -> Markup:
        return tag("span", text, role="columnheader", cls=classes("hd", cls))

    heads = [head(hidden("system"))]
    heads += [head("group")] if many else []
    heads.append(head(TITLES[systems.first][1]))
    heads.append(head("from best", "r") if many else head(f"from {systems.names[base]}"))
    heads += [head("p", "r pp")] if many else []
    heads += [head(TITLES[name][1], classes("r m", k >= FAR and "far")) for k, name in enumerate(names)]
    lines = [tag("div", *heads, role="row")]
    for row, i in enumerate(order):
        k = 0 if many else i
        one, f1, interval = apart[row], systems.value(main, i), systems.interval(main, i)
        cells = [tag("span", key(systems.names[i], None if many else i), role="rowheader", cls="cell name")]
        if many:
            cells.append(_group(letters, order, row))
        inside = span(of_f1, interval, f"ci s{k}") if interval else ""
        filled = not many or i == base or one.real
        drawn = "" if f1 is None else mark(of_f1, f1, k, filled=filled)
        tip = f"{systems.names[i]}: F1 {percent(f1)}" + (f", {ends(interval)}" if interval else "")
        value = tag("b", percent(f1), cls=None if many else "big")
        cells.append(_cell(tag("span", plot(of_f1, inside, drawn, cls="mp", tip=tip), value, cls="pv")))
        p = p_value(one.p)
        if many:
            shown = "best" if i == base else signed(one.points)
            cells.append(_cell(shown, cls=classes("num", i != base and not one.real and "mut")))
            cells.append(_cell(p.removeprefix("p = ").removeprefix("p "), cls="num mut pp"))
        else:
            cells.append(_difference(systems, i, of_differences, p))
        for j, name in enumerate(names):
            cells.append(_figure(systems, name, i, "far" if j >= FAR else ""))
        lines.append(tag("div", *cells, role="row"))
    empty = tag("span", cls="tk")
    scales = [empty, *([empty] if many else []), _scale(of_f1)]
    scales += [] if many else [_scale(of_differences, sign=True)]
    lines.append(tag("div", *scales, role="row", aria_hidden="true", cls="scale"))
    kind = "many" if many else "mid" if systems.dense else "few"
    cls = f"board {kind} m{len(names)} n{systems.count}"
    return tag("div", *lines, cls=cls, role="table", aria_label="Scores")


def _scale(axis: Axis, *, sign: bool = False) -> Markup:
    return tag("span", tag("span", axis.labels(sign=sign)), cls="tk pv")


def _group(letters: list[str], order: list[int], row: int) -> Markup:
    """Return the letters of a system, with a bar to the systems that share one."""
    own = set(letters[order[row]])
    above, below = (bool(0 <= at < len(order) and own & set(letters[order[at]])) for at in (row - 1, row + 1))
    tied = (above or below) and "tied"
    cls = classes("grp", tied, not above and "start", not below and "end")
    return _cell(letters[order[row]], cls=cls)


def _difference(systems: Systems, i: int, axis: Axis, p: str) -> Markup:
    one = systems.apart(systems.main, i)
    if i == systems.base:
        zero = plot(axis, mark(axis, 0, i), cls="mp")
        return _cell(tag("span", zero, tag("span", "baseline", cls="sub num"), cls="pv"))
    inside = span(axis, one.interval, f"ci s{i}") if one.interval else ""
    drawn = "" if one.points is None else mark(axis, one.points, i, filled=one.real)
    tip = ", ".join([text for text in (signed(one.points), ends(one.interval, signed), p) if text])
    value = tag("b", signed(one.points), cls=f"big {'real' if one.real else 'soft'}")
    return _cell(tag("span", plot(axis, inside, drawn, cls="mp", tip=tip), value, cls="pv"))


def _figure(systems: Systems, name: str, i: int, far: str) -> Markup:
    value, one = systems.value(name, i), systems.apart(name, i)
    cls = classes("num m", far, value is None and "mut")
    if systems.many or value is None:
        return _cell(percent(value), cls=cls)
    second = Markup("&nbsp;") if i == systems.base or one.points is None else signed(one.points)
    real = "real" if one.real else None
    tip = f"{TITLES[name][1]}: {second}, {ends(one.interval, signed)}" if one.interval else ""
    parts = tag("span", percent(value), cls=real), tag("span", second, cls=classes("sub", real))
    return _cell(*parts, cls=cls, tip=tip)
