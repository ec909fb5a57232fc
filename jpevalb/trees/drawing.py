"""Trees as static SVG: one tree from its root down to its words, or two trees face to face.

Shapes, colours and signs are those that the page's script draws; widths of texts are estimated.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any, NamedTuple

from .text import columns_of, right_to_left, visible

MATCHED, MISSED, EXTRA, CROSSING, MATCHED_CROSSING, OTHER_TAG = "=", "-", "+", "*", "#", "~"
"""Marks of nodes: matched, missing in the system's tree, extra in it, extra and crossing, matched and
crossing, tagged otherwise on the other side; a node that is not scored has none."""

MOST = 4_000
"""Nodes and words of the largest drawing."""

_ROW, _PILL, _TAG, _GAP, _LEVEL, _PAD, _HEAD = 25.0, 19.0, 16.0, 17.0, 35.0, 14.0, 30.0
_SHORT = 34.0
"""Labels that are narrower count as equally wide, so that nodes stand in columns."""

_INK, _MUTED, _EDGE, _PAPER = "#1e2530", "#5d6573", "#b9bec8", "#faf9f6"
_SANS = "-apple-system, Segoe UI, Roboto, Noto Sans, Arial, sans-serif"
_SERIF = "Charter, Palatino Linotype, Palatino, Noto Serif, Georgia, serif"


class _Kind(NamedTuple):
    """How a marked node looks."""

    sign: str
    ink: str
    stroke: str
    fill: str
    dashes: str
    title: str


_CROSSES = _Kind("× ", "#9c1a66", "#9c1a66", "#fcecf5", "", "crosses a gold constituent")
_KINDS = {
    MATCHED: _Kind("", _INK, _EDGE, "#ffffff", "", "matched"),
    MISSED: _Kind("− ", "#a9480c", "#a9480c", "#fdf1e7", "3.5 2.5", "missing in the system’s tree"),
    EXTRA: _Kind("+ ", "#2557b8", "#2557b8", "#edf2fc", "", "extra in the system’s tree"),
    CROSSING: _CROSSES,
    MATCHED_CROSSING: _CROSSES._replace(title="matched, but crosses a gold constituent"),
    OTHER_TAG: _Kind("! ", _INK, _MUTED, "#ffffff", "1 2", "tagged otherwise on the other side"),
}
_PLAIN = _Kind("", _MUTED, "none", "none", "", "")


def tree_svg(tree: Any) -> str | None:
    """A tree with its root on top and its words in a row.

    Args:
        tree: A :class:`jpevalb.Tree`, with gaps or without.

    Returns:
        An SVG element; ``None`` for a tree of more than :data:`MOST` nodes and words.

    Cost: O(nodes + words); for a tree with gaps O(nodes * words).
    """
    if len(tree.labels) + len(tree.words) > MOST:
        return None
    return _Drawing([_Side(tree, {}, across=True)], [], across=True).svg("tree")


def pair_svg(
    gold: Any,
    system: Any,
    gold_marks: Mapping[int, str],
    system_marks: Mapping[int, str],
    units: Sequence[tuple[int, int, int, int]],
) -> str | None:
    """Two trees face to face, gold on the left (on the right where words run from right to left).

    Words stand one below the other between the trees: once where they are the same, else in two
    columns with lines between those that are aligned.

    Args:
        gold: The gold tree.
        system: The system's tree.
        gold_marks: The marks of gold nodes.
        system_marks: The marks of the system's nodes.
        units: First gold word, last + 1, first and last + 1 word of the system of each aligned unit.

    Returns:
        An SVG element; ``None`` for trees of more than :data:`MOST` nodes and words together.

    Cost: O(nodes + words); with gaps O(nodes * words).
    """
    if sum([len(tree.labels) + len(tree.words) for tree in (gold, system)]) > MOST:
        return None
    sides = [_Side(gold, gold_marks, across=False), _Side(system, system_marks, across=False)]
    return _Drawing(sides, units, across=False).svg("gold tree and system tree")


def _width(text: str, size: float) -> float:
    """About how wide a text is, in pixels."""
    narrow = sum(map(text.count, "iljtfrI.,:;'|!()[] "))
    wide = sum(map(text.count, "mwMW@%"))
    return size * (0.6 * columns_of(text) - 0.26 * narrow + 0.28 * wide)


def _number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


class _Side:
    """One tree, how large its texts are, and how far from the words its nodes stand."""

    def __init__(self, tree: Any, marks: Mapping[int, str], *, across: bool) -> None:
        self.tree = tree
        self.kinds = [_KINDS.get(marks.get(node, ""), _PLAIN) for node in range(len(tree.labels))]
        self.tags = tree.preterminals
        self.blocks = tree.blocks()
        self.texts = [
            kind.sign + (visible(label) or "∅") + (" " + "⋯" * min(len(blocks) - 1, 3)) * (len(blocks) > 1)
            for kind, label, blocks in zip(self.kinds, tree.labels, self.blocks)
        ]
        self.boxes = [
            _width(text, 11 if tag else 12) + (8 if kind is _PLAIN else 15)
            for text, tag, kind in zip(self.texts, self.tags, self.kinds)
        ]
        self.words = [visible(word) or "∅" for word in tree.words]
        self.word_widths = [_width(word, 15) for word in self.words]
        self.middles: list[float] = []
        self.along: list[float] = []
        self.room = self._room(across)
        self.away = self._distances()
        self.depth = max([away + room / 2 for away, room in zip(self.away, self.room)], default=0.0)

    def sizes(self, across: bool) -> list[float]:
        """Room of each word along the words."""
        if not across:
            return [_ROW] * len(self.words)
        found = [width + 14 for width in self.word_widths]
        for blocks, box in zip(self.blocks, self.boxes):
            # What stands over a single word, or over the first of its blocks, needs its room too.
            if len(blocks) > 1 or (blocks and blocks[0][1] - blocks[0][0] == 1):
                found[blocks[0][0]] = max(found[blocks[0][0]], box + 8)
        return found

    def place(self, middles: list[float]) -> None:
        """Puts each node over the middle of the first and the last child in its first block."""
        tree = self.tree
        self.middles = middles
        low = [float("inf")] * len(tree.labels)
        high = [float("-inf")] * len(tree.labels)

        def below(parent: int, first: int, where: float) -> None:
            if self.blocks[parent] and first <= self.blocks[parent][0][1]:
                low[parent], high[parent] = min(low[parent], where), max(high[parent], where)

        for word, parent in enumerate(tree.word_parents):
            below(parent, word, middles[word])
        self.along = [0.0] * len(low)
        for node in range(len(low) - 1, -1, -1):
            if low[node] > high[node]:
                # A node without words stands between its neighbours.
                first = tree.starts[node]
                near = middles[max(0, first - 1) : first + 1] or [0.0]
                low[node], high[node] = near[0], near[-1]
            self.along[node] = (low[node] + high[node]) / 2
            if node:
                below(tree.parents[node], tree.starts[node], self.along[node])

    def _room(self, across: bool) -> list[float]:
        """Room of each node away from the words; tags have as much as the widest of them."""
        if across:
            return [_LEVEL - _GAP] * len(self.boxes)
        tags = max([box for box, tag in zip(self.boxes, self.tags) if tag], default=0.0)
        return [tags if tag else max(box, _SHORT) for box, tag in zip(self.boxes, self.tags)]

    def _distances(self) -> list[float]:
        """How far from the words the middle of each node is: as near as what is below it allows."""
        tree, room = self.tree, self.room
        found = [size / 2 + 4 for size in room]

        def raise_over(node: int, other: int) -> None:
            found[node] = max(found[node], found[other] + (room[other] + room[node]) / 2 + _GAP)

        if all(len(blocks) < 2 for blocks in self.blocks):
            for node in range(len(room) - 1, 0, -1):
                raise_over(tree.parents[node], node)
            return found
        # A node with gaps stands farther away than all that is in them.
        order = sorted(range(len(room)), key=lambda node: (tree.ends[node] - tree.starts[node], -node))
        children = tree.children()
        for place, node in enumerate(order):
            for child in children[node]:
                if child >= 0:
                    raise_over(node, child)
            if len(self.blocks[node]) > 1:
                for other in order[:place]:
                    if tree.starts[node] <= tree.starts[other] and tree.ends[other] <= tree.ends[node]:
                        raise_over(node, other)
        return found


class _Drawing:
    """One tree, or two face to face, on two axes: along the words and away from them."""

    def __init__(
        self, sides: list[_Side], units: Sequence[tuple[int, int, int, int]], *, across: bool
    ) -> None:
        self._sides = sides
        self._across = across
        self._mirrored = right_to_left(sides[0].tree.words or sides[-1].tree.words)
        self._ends = self._spread(units or [(k, k + 1, 0, 0) for k in range(len(sides[0].words))])
        self._units = units
        first, last = sides[0], sides[-1]
        self._shared = len(sides) == 1 or all(
            unit[1] - unit[0] == unit[3] - unit[2] == 1 and first.words[unit[0]] == last.words[unit[2]]
            for unit in units
        )
        alone = not first.words or not last.words
        self._gap = 0.0 if self._shared or alone else 48.0
        lanes = [26.0 if across else max(side.word_widths, default=0.0) + 20 for side in sides]
        if self._shared:
            lanes = [lane / 2 if len(sides) > 1 else lane for lane in lanes]
        self._bases = [self._gap / 2 + lane for lane in lanes]
        self._word_at = [0.0 if self._shared else self._gap / 2 + lane / 2 for lane in lanes]
        away = [base + side.depth + _PAD for base, side in zip(self._bases, sides)]
        self._start = _PAD if across else _HEAD
        self._middle = away[0]
        across_words = away[0] + (away[1] if len(sides) > 1 else _PAD)
        length = self._ends[-1] + 2 * _PAD if across else self._ends[-1] + _HEAD + _PAD
        self.width, self.height = (length, across_words) if across else (across_words, length)
        self.width = max(self.width, 60.0 if len(sides) == 1 else 220.0)

    def _spread(self, units: Sequence[tuple[int, int, int, int]]) -> list[float]:
        """Gives each word its middle; the words of a unit share the room of its longer side."""
        sizes = [side.sizes(self._across) for side in self._sides]
        middles: list[list[float]] = [[0.0] * len(one) for one in sizes]
        ends = [0.0]
        for unit in units:
            ranges = [unit[2 * k : 2 * k + 2] for k in range(len(sizes))]
            sums = [sum(one[first:end]) for one, (first, end) in zip(sizes, ranges)]
            for one, its, total, (first, end) in zip(sizes, middles, sums, ranges):
                place = ends[-1]
                for word in range(first, end):
                    size = one[word] * max(sums) / total
                    its[word] = place + size / 2
                    place += size
            ends.append(ends[-1] + max(sums))
        for side, its in zip(self._sides, middles):
            side.place(its)
        return ends

    def _point(self, place: int, along: float, distance: float) -> tuple[float, float]:
        apart = self._middle + (distance if place else -distance)
        x, y = (self._start + along, apart) if self._across else (apart, self._start + along)
        return (self.width - x if self._mirrored else x), y

    def svg(self, title: str) -> str:
        """The drawing."""
        pieces = [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{self.width:.0f}" height="{self.height:.0f}" '
            f'viewBox="0 0 {self.width:.0f} {self.height:.0f}" role="img" aria-label="{title}">'
            f'<rect width="100%" height="100%" rx="6" fill="{_PAPER}"/>'
        ]
        if not any(side.tree.labels for side in self._sides):
            pieces.append(f'<text x="12" y="20" font-size="12" fill="{_MUTED}">∅</text>')
        if not self._shared and self._gap:
            pieces += self._links()
        for place, side in enumerate(self._sides):
            pieces += self._edges(place, side)
            if not (self._shared and place):
                pieces += self._words(place, side)
            pieces += self._nodes(place, side)
        if len(self._sides) > 1:
            pieces += self._headings()
        return "".join([*pieces, "</svg>"])

    def _headings(self) -> list[str]:
        names = ["GOLD", "SYSTEM"][:: -1 if self._mirrored else 1]
        anchors = (("start", _PAD), ("end", self.width - _PAD))
        return [
            f'<text x="{_number(x)}" y="16" text-anchor="{anchor}" font-family="{_SANS}" font-size="11" '
            f'font-weight="600" fill="{_MUTED}">{name}</text>'
            for name, (anchor, x) in zip(names, anchors)
        ]

    def _links(self) -> list[str]:
        """Lines between the words that are aligned; those of words that differ are darker."""
        gold, system = self._sides
        found = ['<g fill="none" stroke-width="1.3">']
        for number, (first, end, its_first, its_end) in enumerate(self._units):
            same = end - first == its_end - its_first == 1 and gold.words[first] == system.words[its_first]
            centre = (self._ends[number] + self._ends[number + 1]) / 2
            style = f'stroke="{_EDGE}"' if same else 'stroke="#a9480c" stroke-dasharray="4 3"'
            for place, words in ((0, range(first, end)), (1, range(its_first, its_end))):
                for word in words:
                    x1, y1 = self._point(place, self._sides[place].middles[word], self._gap / 2 + 3)
                    x2, y2 = self._point(place, centre, 0)
                    bend = _number((x1 + x2) / 2)
                    ends = [_number(value) for value in (x1, y1, y2, x2, y2)]
                    path = f"M{ends[0]},{ends[1]}C{bend},{ends[1]} {bend},{ends[2]} {ends[3]},{ends[4]}"
                    found.append(f'<path {style} d="{path}"/>')
        return [*found, "</g>"]

    def _edges(self, place: int, side: _Side) -> list[str]:
        tree = side.tree
        base = self._bases[place]
        at = [self._point(place, along, base + away) for along, away in zip(side.along, side.away)]
        solid, dotted = [], []
        for node in range(1, len(at)):
            reach = _PILL / 2 if self._across else side.boxes[node] / 2
            solid.append(self._edge(place, side, tree.parents[node], at, at[node], reach))
        for word, parent in enumerate(tree.word_parents):
            end = self._point(place, side.middles[word], self._word_at[place])
            reach = 11.0 if self._across else side.word_widths[word] / 2 + 5
            dotted.append(self._edge(place, side, parent, at, end, reach))
        style = f'fill="none" stroke="{_EDGE}" stroke-width="1.2"'
        return [
            f'<path {style}{dashes} d="{"".join(paths)}"/>'
            for paths, dashes in ((solid, ""), (dotted, ' stroke-dasharray="1 3"'))
            if paths
        ]

    def _edge(
        self,
        place: int,
        side: _Side,
        parent: int,
        at: list[tuple[float, float]],
        end: tuple[float, float],
        reach: float,
    ) -> str:
        """A line from a node away to what is below it, with one bend."""
        inward = (-1 if place else 1) * (-1 if self._mirrored and not self._across else 1)
        if self._across:
            (y1, x1), (y2, x2) = at[parent], end
            half = room = _PILL / 2
        else:
            (x1, y1), (x2, y2) = at[parent], end
            half, room = side.boxes[parent] / 2, side.room[parent] / 2
        bus, stop, begin = x1 + inward * (room + 7), x2 - inward * reach, x1 + inward * half
        if (stop - bus) * inward < 0:
            bus = (begin + stop) / 2
        points = [(begin, y1), (bus, y1), (bus, y2), (stop, y2)] if y1 != y2 else [(begin, y1), (stop, y1)]
        if self._across:
            points = [(y, x) for x, y in points]
        return "M" + "L".join([f"{_number(x)},{_number(y)}" for x, y in points])

    def _words(self, place: int, side: _Side) -> list[str]:
        turned = ' direction="rtl"' if self._mirrored else ""
        found = [f'<g font-family="{_SERIF}" font-size="15" fill="{_INK}" text-anchor="middle"{turned}>']
        for word, middle in zip(side.words, side.middles):
            x, y = self._point(place, middle, self._word_at[place])
            found.append(f'<text x="{_number(x)}" y="{_number(y + 5)}">{escape(word)}</text>')
        return [*found, "</g>"]

    def _nodes(self, place: int, side: _Side) -> list[str]:
        found = [f'<g font-family="{_SANS}" text-anchor="middle">']
        for node, (text, box, kind, tag) in enumerate(zip(side.texts, side.boxes, side.kinds, side.tags)):
            x, y = self._point(place, side.along[node], self._bases[place] + side.away[node])
            title = f"<title>{escape(kind.title)}</title>" if kind.title else ""
            shape = "" if kind is _PLAIN else _shape(kind, x, y, box, _TAG if tag else _PILL)
            font = "11" if tag else '12" font-weight="600'
            found.append(
                f'<g>{title}{shape}<text x="{_number(x)}" y="{_number(y + 4)}" font-size="{font}" '
                f'fill="{kind.ink}">{escape(text)}</text></g>'
            )
        return [*found, "</g>"]


def _shape(kind: _Kind, x: float, y: float, box: float, height: float) -> str:
    """What stands behind a label: extra nodes have corners, crossing ones points."""
    dashes = f' stroke-dasharray="{kind.dashes}"' if kind.dashes else ""
    style = f'fill="{kind.fill}" stroke="{kind.stroke}" stroke-width="1.4"{dashes}'
    left, top, right, bottom = x - box / 2, y - height / 2, x + box / 2, y + height / 2
    if kind.sign == _CROSSES.sign:
        a, b = left + 6, right - 6
        points = [(left, y), (a, top), (b, top), (right, y), (b, bottom), (a, bottom)]
        corners = " ".join([f"{_number(px)},{_number(py)}" for px, py in points])
        return f'<polygon points="{corners}" {style}/>'
    size = f'width="{_number(box)}" height="{_number(height)}"'
    bend = 1 if kind.sign == "+ " else _number(height / 2)
    return f'<rect x="{_number(left)}" y="{_number(top)}" {size} rx="{bend}" {style}/>'
