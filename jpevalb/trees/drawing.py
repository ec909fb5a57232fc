"""Trees as static SVG: one tree from its root down to its words, or two trees face to face.

Shapes, colours and signs are those of the script of the HTML page.  Widths of texts are estimated.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any, NamedTuple, TypeAlias

from ..base.text import right_to_left, visible, width_of

MATCHED, MISSED, EXTRA, CROSSING, MATCHED_CROSSING, OTHER_TAG = "=", "-", "+", "*", "#", "~"
"""Marks of nodes: matched, missed, extra, extra and crossing, matched and crossing, and a tag that differs.
A node that is not scored has no mark."""

MOST = 4_000  # maximum number of nodes and words of a drawing
_ROW, _PILL, _TAG, _GAP, _LEVEL, _PAD, _HEAD = 25.0, 19.0, 16.0, 17.0, 35.0, 14.0, 30.0
_SHORT = 34.0  # minimum width of a label's column, so that nodes are aligned

_INK, _MUTED, _EDGE, _PAPER = "#1e2530", "#5d6573", "#b9bec8", "#faf9f6"
_SANS = "-apple-system, Segoe UI, Roboto, Noto Sans, Arial, sans-serif"
_SERIF = "Charter, Palatino Linotype, Palatino, Noto Serif, Georgia, serif"

_Unit: TypeAlias = "tuple[int, int, int, int]"  # first word and last word + 1 of gold, then of the system
_Marks: TypeAlias = "Mapping[int, str]"  # by node


class _NodeStyle(NamedTuple):
    sign: str
    ink: str
    stroke: str
    fill: str
    dashes: str
    title: str


_CROSSES = _NodeStyle("× ", "#9c1a66", "#9c1a66", "#fcecf5", "", "crosses a gold constituent")
_STYLES = {
    MATCHED: _NodeStyle("", _INK, _EDGE, "#ffffff", "", "matched"),
    MISSED: _NodeStyle("− ", "#a9480c", "#a9480c", "#fdf1e7", "3.5 2.5", "missed by the system"),
    EXTRA: _NodeStyle("+ ", "#2557b8", "#2557b8", "#edf2fc", "", "extra in the system’s tree"),
    CROSSING: _CROSSES,
    MATCHED_CROSSING: _CROSSES._replace(title="matched, but crosses a gold constituent"),
    OTHER_TAG: _NodeStyle("! ", _INK, _MUTED, "#ffffff", "1 2", "the other side has another tag"),
}
_PLAIN = _NodeStyle("", _MUTED, "none", "none", "", "")


def svg(trees: Sequence[Any], marks: Sequence[_Marks], units: Sequence[_Unit] = ()) -> str | None:
    """Draw a tree with its root on top, or two face to face, words in one column if identical.

    It is ``None`` above :data:`MOST` nodes and words.
    """
    if sum([len(tree.labels) + len(tree.words) for tree in trees]) > MOST:
        return None
    sides = [_TreeLayout(tree, own, across=len(trees) == 1) for tree, own in zip(trees, marks)]
    return _Drawing(sides, units).svg("tree" if len(trees) == 1 else "gold tree and system tree")


def _width(text: str, size: float) -> float:
    narrow = sum(map(text.count, "iljtfrI.,:;'|!()[] "))
    wide = sum(map(text.count, "mwMW@%"))
    return size * (0.6 * width_of(text) - 0.26 * narrow + 0.28 * wide)


def _number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


class _TreeLayout:
    """Sizes of the texts of one tree, and positions of its nodes."""

    def __init__(self, tree: Any, marks: _Marks, *, across: bool) -> None:
        self.tree = tree
        self.styles = [_STYLES.get(marks.get(node, ""), _PLAIN) for node in range(len(tree.labels))]
        self.tags = tree.preterminals
        self.blocks = tree.blocks()
        self.texts = [
            style.sign + (visible(label) or "∅") + (" " + "⋯" * min(len(blocks) - 1, 3)) * (len(blocks) > 1)
            for style, label, blocks in zip(self.styles, tree.labels, self.blocks)
        ]
        self.boxes = [
            _width(text, 11 if tag else 12) + (8 if style is _PLAIN else 15)
            for text, tag, style in zip(self.texts, self.tags, self.styles)
        ]
        self.words = [visible(word) or "∅" for word in tree.words]
        self.word_widths = [_width(word, 15) for word in self.words]
        # All tags have the room of the widest.
        widest = max([box for box, tag in zip(self.boxes, self.tags) if tag], default=0.0)
        boxes = zip(self.boxes, self.tags)
        self.room = [_LEVEL - _GAP if across else widest if tag else max(box, _SHORT) for box, tag in boxes]
        self.sizes = [width + 14 if across else _ROW for width in self.word_widths]  # of words along the page
        for blocks, box in zip(self.blocks, self.boxes) if across else ():
            # A node above a single word, or above the first of its blocks, may be wider than the word.
            if len(blocks) > 1 or (blocks and blocks[0][1] - blocks[0][0] == 1):
                self.sizes[blocks[0][0]] = max(self.sizes[blocks[0][0]], box + 8)
        self.away = self._distances()
        self.depth = max([away + room / 2 for away, room in zip(self.away, self.room)], default=0.0)

    def place(self, middles: list[float]) -> None:
        """Centre each node between the first and the last child of its first block."""
        tree, self.middles = self.tree, middles
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
                # A node without words is centred between the neighbouring words.
                first = tree.starts[node]
                near = middles[max(0, first - 1) : first + 1] or [0.0]
                low[node], high[node] = near[0], near[-1]
            self.along[node] = (low[node] + high[node]) / 2
            if node:
                below(tree.parents[node], tree.starts[node], self.along[node])

    def _distances(self) -> list[float]:
        """Return the distance of each node from the words: as small as its descendants allow."""
        tree, room = self.tree, self.room
        distances = [size / 2 + 4 for size in room]

        def raise_over(node: int, other: int) -> None:
            distances[node] = max(distances[node], distances[other] + (room[other] + room[node]) / 2 + _GAP)

        order = sorted(range(len(room)), key=lambda node: (tree.ends[node] - tree.starts[node], -node))
        for index, node in enumerate(order):
            # A node with gaps is farther away than the nodes inside them.
            if len(self.blocks[node]) > 1:
                for other in order[:index]:
                    if tree.starts[node] <= tree.starts[other] and tree.ends[other] <= tree.ends[node]:
                        raise_over(node, other)
            if node:
                raise_over(tree.parents[node], node)
        return distances


class _Drawing:
    """One tree across the page, or two face to face, on two axes: along the words and away from them."""

    def __init__(self, sides: list[_TreeLayout], units: Sequence[_Unit]) -> None:
        self._sides = sides
        self._across = across = len(sides) == 1
        first, last = sides[0], sides[-1]
        self._mirrored = right_to_left(first.tree.words or last.tree.words)
        self._ends = self._spread(units or [(k, k + 1, 0, 0) for k in range(len(first.words))])
        self._units = units
        self._shared = all(
            unit[1] - unit[0] == unit[3] - unit[2] == 1 and first.words[unit[0]] == last.words[unit[2]]
            for unit in units
        )
        self._gap = 0.0 if self._shared or not first.words or not last.words else 48.0
        lanes = [26.0 if across else max(side.word_widths, default=0.0) + 20 for side in sides]
        if self._shared and not across:
            lanes = [lane / 2 for lane in lanes]
        self._bases = [self._gap / 2 + lane for lane in lanes]
        self._word_at = [0.0 if self._shared else self._gap / 2 + lane / 2 for lane in lanes]
        away = [base + side.depth + _PAD for base, side in zip(self._bases, sides)]
        self._start = _PAD if across else _HEAD
        self._middle = away[0]
        self.width, self.height = away[0] + away[-1], self._ends[-1] + _HEAD + _PAD
        if across:
            self.width, self.height = self._ends[-1] + 2 * _PAD, away[0] + _PAD
        self.width = max(self.width, 60.0 if across else 220.0)

    def _spread(self, units: Sequence[_Unit]) -> list[float]:
        """Place the words; a unit is as wide as its longer side.  Return the ends of the units."""
        sizes = [side.sizes for side in self._sides]
        middles: list[list[float]] = [[0.0] * len(one) for one in sizes]
        ends = [0.0]
        for unit in units:
            ranges = [unit[2 * k : 2 * k + 2] for k in range(len(sizes))]
            sums = [sum(one[first:end]) for one, (first, end) in zip(sizes, ranges)]
            for one, side_middles, total, (first, end) in zip(sizes, middles, sums, ranges):
                start = ends[-1]
                for word in range(first, end):
                    size = one[word] * max(sums) / total
                    side_middles[word] = start + size / 2
                    start += size
            ends.append(ends[-1] + max(sums))
        for side, side_middles in zip(self._sides, middles):
            side.place(side_middles)
        return ends

    def _point(self, index: int, along: float, distance: float) -> tuple[float, float]:
        apart = self._middle + (distance if index else -distance)
        x, y = (self._start + along, apart) if self._across else (apart, self._start + along)
        return (self.width - x if self._mirrored else x), y

    def svg(self, title: str) -> str:
        pieces = [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{self.width:.0f}" height="{self.height:.0f}" '
            f'viewBox="0 0 {self.width:.0f} {self.height:.0f}" role="img" aria-label="{title}">'
            f'<rect width="100%" height="100%" rx="6" fill="{_PAPER}"/>'
        ]
        if not any(side.tree.labels for side in self._sides):
            pieces.append(f'<text x="12" y="20" font-size="12" fill="{_MUTED}">∅</text>')
        if not self._shared and self._gap:
            pieces += self._links()
        for index, side in enumerate(self._sides):
            pieces += self._edges(index, side)
            if not (self._shared and index):
                pieces += self._words(index, side)
            pieces += self._nodes(index, side)
        if not self._across:
            names = ["GOLD", "SYSTEM"][:: -1 if self._mirrored else 1]
            pieces += [
                f'<text x="{_number(x)}" y="16" text-anchor="{anchor}" font-family="{_SANS}" font-size="11" '
                f'font-weight="600" fill="{_MUTED}">{name}</text>'
                for name, anchor, x in zip(names, ("start", "end"), (_PAD, self.width - _PAD))
            ]
        return "".join([*pieces, "</svg>"])

    def _links(self) -> list[str]:
        """Draw lines between aligned words; lines between different words are darker."""
        gold, system = self._sides
        pieces = ['<g fill="none" stroke-width="1.3">']
        for number, (start, end, system_start, system_end) in enumerate(self._units):
            if start == end or system_start == system_end:
                continue
            single = end - start == system_end - system_start == 1
            same = single and gold.words[start] == system.words[system_start]
            centre = (self._ends[number] + self._ends[number + 1]) / 2
            style = f'stroke="{_EDGE}"' if same else 'stroke="#a9480c" stroke-dasharray="4 3"'
            for index, words in ((0, range(start, end)), (1, range(system_start, system_end))):
                for word in words:
                    x1, y1 = self._point(index, self._sides[index].middles[word], self._gap / 2 + 3)
                    x2, y2 = self._point(index, centre, 0)
                    bend = _number((x1 + x2) / 2)
                    ends = [_number(value) for value in (x1, y1, y2, x2, y2)]
                    path = f"M{ends[0]},{ends[1]}C{bend},{ends[1]} {bend},{ends[2]} {ends[3]},{ends[4]}"
                    pieces.append(f'<path {style} d="{path}"/>')
        return [*pieces, "</g>"]

    def _edges(self, index: int, side: _TreeLayout) -> list[str]:
        tree = side.tree
        base = self._bases[index]
        at = [self._point(index, along, base + away) for along, away in zip(side.along, side.away)]
        half = [_PILL / 2] * len(at) if self._across else [box / 2 for box in side.boxes]
        ends = [(parent, at[node], half[node]) for node, parent in enumerate(tree.parents[1:], 1)]
        for word, parent in enumerate(tree.word_parents):
            reach = 11.0 if self._across else side.word_widths[word] / 2 + 5
            ends.append((parent, self._point(index, side.middles[word], self._word_at[index]), reach))
        inward = (-1 if index else 1) * (-1 if self._mirrored and not self._across else 1)
        paths = []  # from a node to each child, with one bend
        for parent, end, reach in ends:
            (x1, y1), (x2, y2) = (at[parent][::-1], end[::-1]) if self._across else (at[parent], end)
            room = half[parent] if self._across else side.room[parent] / 2
            bus, stop, begin = x1 + inward * (room + 7), x2 - inward * reach, x1 + inward * half[parent]
            if (stop - bus) * inward < 0:
                bus = (begin + stop) / 2
            bend = [(bus, y1), (bus, y2)] if y1 != y2 else []
            points = [(begin, y1), *bend, (stop, y2)]
            if self._across:
                points = [(y, x) for x, y in points]
            paths.append("M" + "L".join([f"{_number(x)},{_number(y)}" for x, y in points]))
        style = f'fill="none" stroke="{_EDGE}" stroke-width="1.2"'
        solid, dotted = "".join(paths[: len(at) - 1]), "".join(paths[len(at) - 1 :])
        drawn = (solid, ""), (dotted, ' stroke-dasharray="1 3"')
        return [f'<path {style}{dashes} d="{path}"/>' for path, dashes in drawn if path]

    def _words(self, index: int, side: _TreeLayout) -> list[str]:
        turned = ' direction="rtl"' if self._mirrored else ""
        pieces = [f'<g font-family="{_SERIF}" font-size="15" fill="{_INK}" text-anchor="middle"{turned}>']
        for word, middle in zip(side.words, side.middles):
            x, y = self._point(index, middle, self._word_at[index])
            pieces.append(f'<text x="{_number(x)}" y="{_number(y + 5)}">{escape(word)}</text>')
        return [*pieces, "</g>"]

    def _nodes(self, index: int, side: _TreeLayout) -> list[str]:
        pieces = [f'<g font-family="{_SANS}" text-anchor="middle">']
        for node, (text, box, style, tag) in enumerate(zip(side.texts, side.boxes, side.styles, side.tags)):
            x, y = self._point(index, side.along[node], self._bases[index] + side.away[node])
            title = f"<title>{escape(style.title)}</title>" if style.title else ""
            shape = "" if style is _PLAIN else _shape(style, x, y, box, _TAG if tag else _PILL)
            font = "11" if tag else '12" font-weight="600'
            pieces.append(
                f'<g>{title}{shape}<text x="{_number(x)}" y="{_number(y + 4)}" font-size="{font}" '
                f'fill="{style.ink}">{escape(text)}</text></g>'
            )
        return [*pieces, "</g>"]


def _shape(style: _NodeStyle, x: float, y: float, box: float, height: float) -> str:
    """Draw the shape of a node: extra nodes have corners, crossing ones points."""
    dashes = f' stroke-dasharray="{style.dashes}"' if style.dashes else ""
    attributes = f'fill="{style.fill}" stroke="{style.stroke}" stroke-width="1.4"{dashes}'
    left, top, right, bottom = x - box / 2, y - height / 2, x + box / 2, y + height / 2
    if style.sign == _CROSSES.sign:
        a, b = left + 6, right - 6
        points = [(left, y), (a, top), (b, top), (right, y), (b, bottom), (a, bottom)]
        corners = " ".join([f"{_number(px)},{_number(py)}" for px, py in points])
        return f'<polygon points="{corners}" {attributes}/>'
    size = f'width="{_number(box)}" height="{_number(height)}"'
    bend = 1 if style.sign == "+ " else _number(height / 2)
    return f'<rect x="{_number(left)}" y="{_number(top)}" {size} rx="{bend}" {attributes}/>'
