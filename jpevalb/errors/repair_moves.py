"""A part of a tree under repair: its nodes, which of them are errors, and the moves that mend most."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

LEVELS = 12
"""Levels that a run moves beyond the node that is mended, up and down."""

Key: TypeAlias = "tuple[str, int]"
"""What a constituent counts as, and its leaves as bits: constituents of one key are the same."""


class Work:
    """How much work is left."""

    __slots__ = ("left",)

    def __init__(self, left: int) -> None:
        self.left = left


class Node:
    """A node of the part, or a leaf: a word or a matched constituent, whose inside is another part.

    Attributes:
        label: What it counts as; empty for a leaf.
        name: A constituent's label, a word's tag.
        place: Number of the constituent, ``~w`` for word ``w``; ``None`` if it was added on the way.
        parent: The node above it; of the top the top itself.
        children: What hangs from it.
        mask: Its leaves as bits.
        single: Whether it is a leaf of one word.
        free: Whether it may be an error: neither the top nor a leaf, and in the tree.
        first: What it was before the first step, until a constituent of that key is mended.
    """

    __slots__ = ("children", "first", "free", "label", "mask", "name", "parent", "place", "single")

    def __init__(self, parent: Node | None, label: str, name: str, place: int | None, *, free: bool) -> None:
        self.label = label
        self.name = name
        self.place = place
        self.parent = parent or self
        self.children: list[Node] = []
        self.mask = 0
        self.single = False
        self.free = free
        self.first: Key | None = None
        if parent is not None:
            parent.children.append(self)

    @property
    def key(self) -> Key:
        return self.label, self.mask


class Run(NamedTuple):
    """Children of one node that are side by side, but not all of them."""

    source: Node
    """The node that they hang from."""
    first: int
    last: int
    """Their places among its children, half-open."""
    mask: int
    """Their leaves."""


class Move(NamedTuple):
    """A move that has been tried."""

    gain: int
    run: Run
    out: list[Node]
    """Nodes that lose the run, from the one it hangs from upwards."""
    into: list[Node]
    """Nodes that get it, downwards."""
    right: bool
    """Whether it hangs behind the other children then."""
    top: Node
    """The node above all these."""
    around: Key | None
    """The missing node to put around it."""
    drop: bool
    """Whether the node that it leaves goes."""


class RepairMoves:
    """A part of the system's tree, the gold constituents that it lacks, and the search for its best move.

    The mask of a node has a bit for each of its leaves (for each unit, where leaves may share
    units), lower ones at the left.

    Args:
        label: Label of the top, which is no error; ``None`` for the top of the tree.
        place: Number of the top.
        overlap: Whether leaves may share bits.
        work: How many masks may be looked at yet, in this part and in others; what is left
            when these are up is added and removed one by one.
    """

    def __init__(
        self, label: str | None = None, place: int | None = None, *, work: Work, overlap: bool = False
    ) -> None:
        self.top = Node(None, label or "", label or "", place, free=False)
        self._above = label
        self._overlap = overlap
        self._gaps = False
        self._nodes = [self.top]
        self._gold_names: dict[int, str] = {}
        self._leaf: dict[int, Node] = {}
        self._balance: dict[Key, int] = {}
        self._missing: dict[Key, list[int]] = {}
        self._spare: dict[Key, list[int]] = {}
        self._clear: set[int] = set()
        self._work = work
        self._least = 0
        self._cost = 1

    # -- making -------------------------------------------------------------------

    def add_leaf(self, parent: Node, name: str, mask: int, place: int, *, single: bool) -> Node:
        """Adds a leaf behind the parent's children; the other arguments are attributes of :class:`Node`."""
        leaf = Node(parent, "", name, place, free=False)
        leaf.mask, leaf.single = mask, single
        self._nodes.append(leaf)
        self._leaf.setdefault(mask & -mask, leaf)
        return leaf

    def add_node(self, parent: Node | None, label: str, name: str, place: int | None) -> Node:
        """Adds a node behind the parent's children; the arguments are attributes of :class:`Node`."""
        node = Node(parent, label, name, place, free=True)
        self._nodes.append(node)
        return node

    def grown(self, extra: Sequence[int] | None = None) -> None:
        """Ends the making; ``extra`` are the places of the nodes that are errors, all if not given."""
        nodes = self._nodes[1:]
        for node in reversed(nodes):
            node.parent.mask |= node.mask
        wrong = None if extra is None else set(extra)
        for node in nodes:
            if node.free:
                key = node.first = node.key
                self._balance[key] = self._balance.get(key, 0) + 1
                assert node.place is not None
                if wrong is None or node.place in wrong:
                    self._spare.setdefault(key, []).append(node.place)
                self._gaps = self._gaps or not solid(node.mask)

    def want(self, place: int, label: str, name: str, mask: int) -> None:
        """Says that a gold constituent is missing; arguments as of :meth:`add_node`."""
        key = label, mask
        self._gold_names[place] = name
        self._balance[key] = self._balance.get(key, 0) - 1
        self._missing.setdefault(key, []).append(place)
        self._gaps = self._gaps or not solid(mask)

    def known(self, node: Node) -> None:
        """Says that gold has a node too."""
        self._balance[node.key] -= 1

    # -- what is wrong ------------------------------------------------------------

    def _worked(self, masks: int) -> None:
        self._work.left -= masks * self._cost

    def _extras(self) -> list[Node]:
        balance = self._balance
        self._worked(len(self._nodes))
        return [node for node in self._nodes if node.free and balance.get((node.label, node.mask), 0) > 0]

    def _is_extra(self, node: Node) -> bool:
        return node.free and self._balance.get((node.label, node.mask), 0) > 0

    def _crosses(self, mask: int) -> bool:
        """Whether a node stands in the way of a missing one."""
        # What is missing gets less, so what is clear once stays so.
        if mask in self._clear:
            return False
        self._worked(len(self._missing))
        if any(mask & other and mask & ~other and other & ~mask for _, other in self._missing):
            return True
        self._clear.add(mask)
        return False

    # -- moves --------------------------------------------------------------------

    def _best_move(self, extras: list[Node], least: int) -> Move | None:
        """The first of the moves that mend most, and more than ``least`` brackets."""
        groups: dict[tuple[str, int], list[Node]] = {}
        for node in extras:
            for edge in self._edges(node.mask):
                groups.setdefault((node.label, edge), []).append(node)
        best = None
        self._least = least
        for label, mask in self._missing:
            for edge in self._edges(mask):
                for node in groups.get((label, edge), ()):
                    self._worked(1)
                    if self._work.left < 0:
                        return best
                    for move in self._moves(node, mask):
                        if move.gain > self._least:
                            best, self._least = move, move.gain
        return best

    def _edges(self, mask: int) -> tuple[int, ...]:
        """What a node has in common with one that a run makes of it: without gaps a run changes one end."""
        return (0,) if self._gaps else (mask & -mask, -mask.bit_length())

    def _moves(self, node: Node, wanted: int) -> list[Move]:
        """The moves of one run that give an extra node the leaves ``wanted``."""
        mask = node.mask
        if mask & ~wanted == 0:
            run = self._find(wanted & ~mask)
            return self._into(node, run) if run else []
        if wanted & ~mask == 0:
            run = self._find(mask & ~wanted)
            return self._out_of(node, run) if run else []
        return []

    def _find(self, mask: int) -> Run | None:
        """The run that has the leaves ``mask``."""
        node = self._leaf.get(mask & -mask)
        if node is None or node.mask & ~mask:
            return None
        while node.parent.mask & ~mask == 0:
            node = node.parent
            self._worked(1)
            if node is self.top:
                return None
        group = node.parent.children
        first = last = group.index(node)
        union = 0
        while last < len(group) and group[last].mask & ~mask == 0:
            union |= group[last].mask
            last += 1
        return Run(node.parent, first, last, mask) if union == mask else None

    def _into(self, node: Node, run: Run) -> list[Move]:
        """Moves into an extra node, and deeper."""
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

    def _out_of(self, node: Node, run: Run) -> list[Move]:
        """Moves out of an extra node, and further up, and from there into its sisters."""
        out = [run.source]
        while out[-1] is not node:
            if len(out) > LEVELS or not self._is_extra(out[-1]):
                return []
            out.append(out[-1].parent)
        found: list[Move] = []
        rest = node.mask & ~run.mask
        right = run.mask & -run.mask > rest & -rest
        for _ in range(LEVELS):
            child = out[-1]
            top = child.parent
            found += self._tried(run, out, [], right, top)
            group = top.children
            at = group.index(child) + (1 if right else -1)
            if 0 <= at < len(group) and self._is_extra(group[at]):
                found += self._deeper(run, out, [group[at]], not right, top)
            if not self._is_extra(top) or (0 <= at < len(group) and not self._gaps):
                break
            out = [*out, top]
        return found

    def _deeper(self, run: Run, out: list[Node], into: list[Node], right: bool, top: Node) -> list[Move]:
        """A move into a node, and those into what stands at its edge."""
        found: list[Move] = []
        for _ in range(LEVELS):
            found += self._tried(run, out, into, right, top)
            child = into[-1].children[-1 if right else 0]
            if not self._is_extra(child) or child in out:
                break
            into = [*into, child]
        return found

    def _tried(self, run: Run, out: list[Node], into: list[Node], right: bool, top: Node) -> list[Move]:
        """What a move mends; nothing where it would leave a gap that gold has nowhere."""
        balance = self._balance
        self._worked(4 * (len(out) + len(into)))
        changes = self._changes(run, out, into)
        if not self._gaps:
            for _, mask in changes:
                if not solid(mask):
                    return []
        gain = 0
        matched = False
        undo: list[tuple[Key, int]] = []
        for node, mask in changes:
            key, new = (node.label, node.mask), (node.label, mask)
            if key == new:
                continue
            # Of alike nodes one may match: then the others alone are extra.
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
            # A node around the run mends one bracket more; what mends less than the best so far is nothing.
            around = self._around(run.mask, into[-1] if into else top, out, changes, size)
            gain += around is not None
        for key, by in undo:
            balance[key] += by
        if matched or gain <= self._least:
            return []
        return [Move(gain, run, out, into, right, top, around, drop)]

    def _changes(self, run: Run, out: list[Node], into: list[Node]) -> list[tuple[Node, int]]:
        """For each node that a move changes the leaves that it has then."""
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
        """The smallest missing node that a run and some of its new sisters can stand under."""
        balance = self._balance
        self._worked(len(self._missing))
        whole = target.mask | run
        best: Key | None = None
        for key in self._missing:
            mask = key[1]
            if run & ~mask or mask & ~whole or mask == whole or (mask == run and size == 1):
                continue
            if balance[key] >= 0 or (best is not None and mask.bit_count() >= best[1].bit_count()):
                continue
            union = run
            self._worked(len(target.children))
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


def solid(mask: int) -> bool:
    """Whether the bits of a mask stand side by side.

    >>> solid(0b0110), solid(0b101)
    (True, False)
    """
    return mask & (mask + (mask & -mask)) == 0
