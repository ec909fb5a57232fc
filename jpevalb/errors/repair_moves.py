"""A part of the system's tree under repair, and the search for the move that repairs most brackets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from ..trees.frozen import NamedTuple

LEVELS = 12
"""Maximum number of levels that a run moves beyond the repaired node, up and down."""

Key: TypeAlias = "tuple[str, int]"
"""Identity of a constituent: the name under which it counts, and its leaves as bits."""


class Work:
    """The amount of work left."""

    __slots__ = ("left",)

    def __init__(self, left: int) -> None:
        self.left = left


class Node:
    """A node of the part, or a leaf: a word or a matched constituent, whose inside is another part."""

    __slots__ = ("children", "first", "free", "index", "label", "mask", "name", "parent", "single")

    def __init__(self, parent: Node | None, label: str, name: str, index: int | None, *, free: bool) -> None:
        self.label = label  # the name under which it counts; empty for a leaf
        self.name = name  # label of a constituent, tag of a word
        self.index = index  # of the constituent, ~w for word w; None if a step has added it
        self.parent = parent or self  # the top is its own parent
        self.children: list[Node] = []
        self.mask = 0  # its leaves as bits
        self.single = False  # a leaf of one word
        self.free = free  # may be an error: in the tree, and neither the top nor a leaf
        # Its key before the first step, until a constituent of that key is repaired.
        self.first: Key | None = None
        if parent is not None:
            parent.children.append(self)

    @property
    def key(self) -> Key:
        return self.label, self.mask


class ChildRun(NamedTuple):
    """Some adjacent children of a node, but not all of them."""

    source: Node
    """Their parent."""
    first: int
    last: int
    """Their half-open range among its children."""
    mask: int
    """Their leaves."""


class Move(NamedTuple):
    """A possible move of a run, and its effect."""

    gain: int
    """Bracket errors that it repairs."""
    run: ChildRun
    out: list[Node]
    """Nodes that lose the run, from its parent upwards."""
    into: list[Node]
    """Nodes that gain it, downwards."""
    right: bool
    """True if it becomes the last child rather than the first."""
    top: Node
    """The node above all of these."""
    around: Key | None
    """Missing node that is put around the run."""
    drop: bool
    """True if the node that it leaves is removed."""


class RepairMoves:
    """A part of the system's tree, the gold constituents that it lacks, and the search for its best move.

    The mask of a node has a bit for each of its leaves (for each unit if leaves may share units), lower
    ones further left.  ``label`` and ``index`` are those of the top, which is no error; ``None`` for the
    top of the tree.  ``overlap`` means that leaves may share bits.  When ``work`` is used up, the remaining
    errors of this and other parts are added and removed one by one.
    """

    def __init__(
        self, label: str | None = None, index: int | None = None, *, work: Work, overlap: bool = False
    ) -> None:
        self.top = Node(None, label or "", label or "", index, free=False)
        self._above = label
        self._overlap = overlap
        self._gaps = False
        self._nodes = [self.top]
        self._gold_names: dict[int, str] = {}
        self._leaf: dict[int, Node] = {}  # by lowest bit
        self._balance: dict[Key, int] = {}  # system nodes minus gold nodes
        self._missing: dict[Key, list[int]] = {}
        self._spare: dict[Key, list[int]] = {}
        self._clear: set[int] = set()  # masks that cross no missing node
        self._work = work
        self._least = 0
        self._cost = 1

    def add_leaf(self, parent: Node, name: str, mask: int, index: int, *, single: bool) -> Node:
        """Add a leaf after the parent's children."""
        leaf = Node(parent, "", name, index, free=False)
        leaf.mask, leaf.single = mask, single
        self._nodes.append(leaf)
        self._leaf.setdefault(mask & -mask, leaf)
        return leaf

    def add_node(self, parent: Node | None, label: str, name: str, index: int | None) -> Node:
        """Add a node after the parent's children."""
        node = Node(parent, label, name, index, free=True)
        self._nodes.append(node)
        return node

    def complete(self, extra: Sequence[int] | None = None) -> None:
        """Finish the nodes and leaves; ``extra`` are the indices of the errors, by default of all nodes."""
        nodes = self._nodes[1:]
        for node in reversed(nodes):
            node.parent.mask |= node.mask
        wrong = None if extra is None else set(extra)
        for node in nodes:
            if node.free:
                key = node.first = node.key
                self._balance[key] = self._balance.get(key, 0) + 1
                assert node.index is not None
                if wrong is None or node.index in wrong:
                    self._spare.setdefault(key, []).append(node.index)
                self._gaps = self._gaps or not is_solid(node.mask)

    def add_missing(self, index: int, label: str, name: str, mask: int) -> None:
        """Add a missing gold constituent."""
        key = label, mask
        self._gold_names[index] = name
        self._balance[key] = self._balance.get(key, 0) - 1
        self._missing.setdefault(key, []).append(index)
        self._gaps = self._gaps or not is_solid(mask)

    def add_matched(self, node: Node) -> None:
        """Mark a node as matched."""
        self._balance[node.key] -= 1

    def _spend(self, masks: int) -> None:
        self._work.left -= masks * self._cost

    def _extras(self) -> list[Node]:
        balance = self._balance
        self._spend(len(self._nodes))
        return [node for node in self._nodes if node.free and balance.get((node.label, node.mask), 0) > 0]

    def _is_extra(self, node: Node) -> bool:
        return node.free and self._balance.get((node.label, node.mask), 0) > 0

    def _best_move(self, extras: list[Node], least: int) -> Move | None:
        """Return the first of the moves that repair most brackets, and more than ``least``."""
        groups: dict[tuple[str, int], list[Node]] = {}
        for node in extras:
            for edge in self._edges(node.mask):
                groups.setdefault((node.label, edge), []).append(node)
        best = None
        self._least = least
        for label, mask in self._missing:
            for edge in self._edges(mask):
                for node in groups.get((label, edge), ()):
                    self._spend(1)
                    if self._work.left < 0:
                        return best
                    for move in self._moves(node, mask):
                        if move.gain > self._least:
                            best, self._least = move, move.gain
        return best

    def _edges(self, mask: int) -> tuple[int, ...]:
        """Return the edges of which a move leaves one unchanged; with gaps there is no such edge."""
        return (0,) if self._gaps else (mask & -mask, -mask.bit_length())

    def _moves(self, node: Node, wanted: int) -> list[Move]:
        """Return the moves of one run that give an extra node the leaves ``wanted``."""
        mask = node.mask
        if mask & ~wanted == 0:
            run = self._find(wanted & ~mask)
            return self._into(node, run) if run else []
        if wanted & ~mask == 0:
            run = self._find(mask & ~wanted)
            return self._out_of(node, run) if run else []
        return []

    def _find(self, mask: int) -> ChildRun | None:
        """Return the run that has the leaves ``mask``."""
        node = self._leaf.get(mask & -mask)
        if node is None or node.mask & ~mask:
            return None
        while node.parent.mask & ~mask == 0:
            node = node.parent
            self._spend(1)
            if node is self.top:
                return None
        group = node.parent.children
        first = last = group.index(node)
        union = 0
        while last < len(group) and group[last].mask & ~mask == 0:
            union |= group[last].mask
            last += 1
        return ChildRun(node.parent, first, last, mask) if union == mask else None

    def _into(self, node: Node, run: ChildRun) -> list[Move]:
        """Return the moves into an extra node, and deeper."""
        above = node.parent
        into = [node]
        tops = {above: 1}
        while len(into) < LEVELS and self._is_extra(above):
            into.append(above)
            above = above.parent
            tops[above] = len(into)
        out: list[Node] = []
        top = run.source
        while top not in tops:
            if len(out) == LEVELS or not self._is_extra(top) or top is node:
                return []
            out.append(top)
            top = top.parent
        into = into[: tops[top]][::-1]
        right = run.mask & -run.mask > node.mask & -node.mask
        return self._deeper(run, out, into, right, top)

    def _out_of(self, node: Node, run: ChildRun) -> list[Move]:
        """Return the moves out of an extra node, further up, and from there into its sisters."""
        out = [run.source]
        while out[-1] is not node:
            if len(out) > LEVELS or not self._is_extra(out[-1]):
                return []
            out.append(out[-1].parent)
        moves: list[Move] = []
        rest = node.mask & ~run.mask
        right = run.mask & -run.mask > rest & -rest
        for _ in range(LEVELS):
            child = out[-1]
            top = child.parent
            moves += self._tried(run, out, [], right, top)
            group = top.children
            at = group.index(child) + (1 if right else -1)
            if 0 <= at < len(group) and self._is_extra(group[at]):
                moves += self._deeper(run, out, [group[at]], not right, top)
            if not self._is_extra(top) or (0 <= at < len(group) and not self._gaps):
                break
            out = [*out, top]
        return moves

    def _deeper(self, run: ChildRun, out: list[Node], into: list[Node], right: bool, top: Node) -> list[Move]:
        """Return the move into a node, and those into extra nodes at its edge."""
        moves: list[Move] = []
        for _ in range(LEVELS):
            moves += self._tried(run, out, into, right, top)
            child = into[-1].children[-1 if right else 0]
            if not self._is_extra(child) or child in out:
                break
            into = [*into, child]
        return moves

    def _tried(self, run: ChildRun, out: list[Node], into: list[Node], right: bool, top: Node) -> list[Move]:
        """Return a move with its gain; nothing if it would leave a gap and gold has none."""
        balance = self._balance
        self._spend(4 * (len(out) + len(into)))
        changes = self._changes(run, out, into)
        if not self._gaps and not all(is_solid(mask) for _, mask in changes):
            return []
        gain = 0
        matched = False
        undo: list[tuple[Key, int]] = []
        for node, mask in changes:
            key, new = (node.label, node.mask), (node.label, mask)
            if key == new:
                continue
            # Of several equal nodes some may match; then only the others are extra.
            matched = matched or balance[key] <= 0
            gain += 1
            balance[key] -= 1
            there = balance.get(new, 0)
            gain += 1 if there < 0 else -1
            balance[new] = there + 1
            undo.append((key, 1))
            undo.append((new, -1))
        source = run.source
        size = run.last - run.first
        drop = False
        if len(source.children) - size == 1 and source is not self.top:
            mask = changes[0][1] if out else source.mask
            drop = balance.get((source.label, mask), 0) > 0
            gain += drop
        around = None
        if not matched and gain >= self._least:
            # A node around the run repairs one more bracket; moves that gain less than the best are useless.
            around = self._around(run.mask, into[-1] if into else top, out, changes, size)
            gain += around is not None
        for key, by in undo:
            balance[key] += by
        if matched or gain <= self._least:
            return []
        return [Move(gain, run, out, into, right, top, around, drop)]

    def _changes(self, run: ChildRun, out: list[Node], into: list[Node]) -> list[tuple[Node, int]]:
        """Return the nodes that a move changes, with their leaves after it."""
        more = [(node, node.mask | run.mask) for node in into]
        if not self._overlap:
            return [(node, node.mask & ~run.mask) for node in out] + more
        changes: list[tuple[Node, int]] = []
        gone = set(run.source.children[run.first : run.last])
        below = None
        mask = 0
        for node in out:
            for child in node.children:
                if child is not below and child not in gone:
                    mask |= child.mask
            changes.append((node, mask))
            below = node
        return changes + more

    def _around(
        self, run: int, target: Node, out: list[Node], changes: list[tuple[Node, int]], size: int
    ) -> Key | None:
        """Return the smallest missing node that can be put around a run and some of its new sisters."""
        balance = self._balance
        self._spend(len(self._missing))
        whole = target.mask | run
        best: Key | None = None
        for key in self._missing:
            mask = key[1]
            if run & ~mask or mask & ~whole or mask == whole or (mask == run and size == 1):
                continue
            if balance[key] >= 0 or (best is not None and mask.bit_count() >= best[1].bit_count()):
                continue
            union = run
            self._spend(len(target.children))
            for child in target.children:
                leaves = child.mask
                if out and child is out[-1]:
                    leaves = changes[len(out) - 1][1]
                if leaves & ~mask == 0:
                    union |= leaves
                elif leaves & mask and not self._overlap:
                    union = 0
                    break
            if union == mask:
                best = key
        return best


def is_solid(mask: int) -> bool:
    """Return True if the bits of a mask are adjacent.

    >>> is_solid(0b0110), is_solid(0b101)
    (True, False)
    """
    return mask & (mask + (mask & -mask)) == 0
