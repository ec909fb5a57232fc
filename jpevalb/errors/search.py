"""Corrections: turning the system's tree into gold's, step by step.

Source: Kummerfeld, Hall, Curran & Klein 2012 (Parser Showdown at the Wall Street Corral, EMNLP, section 3).
An error is whatever one operation on the tree corrects, however many brackets that takes, so a single
misplaced prepositional phrase is one error and not five.  Each step is the operation that leaves
fewest bracket errors:

- *relabel* a node;
- *add* a missing node over some children of one node, or *remove* an extra node;
- *move* a run of children, but not all children of a node: out of extra nodes at whose edge it is,
  into extra nodes next to it, or both, at any depth.  A missing
  node may be put around the run and some of its new sisters, and a node that is left
  with one child and is still extra is removed.

Unlike there, operations work on the system's own words, and constituents are equal
to gold's by units alone, so the two sides may differ in words and in sentences; trees
may have gaps; a matched node is never touched.  So every part of the tree between
matched nodes is corrected by itself, and no step makes a new error.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import reduce
from itertools import takewhile
from operator import or_
from typing import NamedTuple, TypeAlias

from ..alignment.pair import Constituents
from ..kernels.columns import chosen_tree, homes_of, tags_of
from ..trees.tree import Tree, has_gaps


class Child(NamedTuple):
    """A child in a run, or a neighbour of the run."""

    label: str  # label of a constituent, or tag of a word; empty for a word without one
    word: bool


class Step(NamedTuple):
    """One correction."""

    # ``"relabel"``, ``"add"``, ``"remove"``, ``"move"``; ``"alone"`` for a sentence without counterpart,
    # ``"unparsed"`` if the system has no constituents, ``"unexpected"`` if gold has none; ``"boundary"`` for
    # other sentence ends, ``"unaligned"`` for constituents over words without counterpart
    kind: str
    # Gold's label of the node that is relabelled or added, the system's of one that is removed; for a move,
    # the label of the run's parent afterwards
    label: str = ""
    # The system's label of a node that is relabelled; for a move, the label of the run's parent before;
    # otherwise as ``label``
    was: str = ""
    # Label of the node above the one that is relabelled, added or removed, or above all nodes that a move
    # changes; ``None`` for the top of the tree
    above: str | None = None
    parts: tuple[Child, ...] = ()  # the run that moves, or the children of the node
    # Neighbours of the run or the node: left and right before the step, then after it
    beside: tuple[Child, ...] = ()
    one_word: bool = False  # True if the node, or the run, is one word
    missed: tuple[int, ...] = ()  # gold nodes that the step adds; each unmatched one is in exactly one step
    extra: tuple[int, ...] = ()  # system nodes that it corrects or removes; likewise
    # ``parts`` in the system's tree, for a word its parent; nodes that earlier steps added are omitted
    run: tuple[int, ...] = ()


class ConstituentTree:
    """The constituents of one side in preorder, and the tree that they form.

    ``partners`` has for each the matching constituent of the other side, or -1; ``counted`` returns the name
    under which a label counts, equal for equal labels.  For gold, ``homes`` are the parts of the system.
    """

    def __init__(
        self,
        tree: Tree,
        items: Constituents,
        partners: list[int],
        counted: Callable[[str], str],
        homes: list[int] | None = None,
    ) -> None:
        self.names, self.nodes, self.partners, self.counted = items.labels, items.nodes, partners, counted
        found = chosen_tree(tree.columns, items.nodes)
        self.parents, self.below, self._word_nodes, self._has_one_word = found
        self.homes, self.settled = homes_of(self.parents, self.below, partners, homes)
        self.tags = tags_of(tree.with_tags)

    def name_of(self, child: int) -> str:
        """Return the label of a constituent, or the tag of a word; it is empty for a word without one."""
        return self.names[child] if child >= 0 else self.tags[~child] or ""

    def node_of(self, child: int) -> int:
        return self.nodes[child] if child >= 0 else self._word_nodes[~child]

    def is_one_word(self, child: int) -> bool:
        """Return True for a word, and for a constituent over one word."""
        return child < 0 or self._has_one_word[child]


# Maximum number of steps in a part, plus one per leaf; the remaining errors are added and removed.
STEPS = 100

# Maximum number of levels that a run moves beyond the corrected node, up and down.
LEVELS = 12

Key: TypeAlias = tuple[str, int]
"""Identity of a constituent: the name under which it counts, and its leaves."""


class Node:
    """A node of a part, or a leaf: a word or a matched constituent, whose inside is another part."""

    __slots__ = ("children", "first", "free", "index", "label", "mask", "name", "parent")

    def __init__(self, label: str, name: str, index: int | None, free: bool) -> None:
        self.label = label  # the name under which it counts; empty for a leaf
        self.name = name  # label of a constituent, tag of a word
        self.index = index  # of the constituent, ~w for word w; None if a step has added it
        self.free = free  # may be an error: in the tree, and neither the top nor a leaf
        self.parent = self
        self.children: list[Node] = []
        self.mask = 0  # its leaves as bits
        self.first: Key | None = None  # its key before the first step, until such a constituent is corrected

    @property
    def key(self) -> Key:
        return self.label, self.mask

    @property
    def child(self) -> Child:
        return Child(self.name, self.index is not None and self.index < 0)


class Siblings(NamedTuple):
    """Some adjacent children of a node, but not all of them."""

    source: Node
    first: int
    last: int
    mask: int  # their leaves

    @property
    def nodes(self) -> list[Node]:
        return self.source.children[self.first : self.last]


class Move(NamedTuple):
    """A move of a run."""

    run: Siblings
    out: list[Node]  # nodes that lose the run, from its parent upwards
    into: list[Node]  # nodes that gain it, downwards
    right: bool  # True if it becomes the last child
    top: Node  # the node above all of these
    around: Key | None = None  # missing node that is put around the run
    dropped: bool = False  # True if its parent is removed

    @property
    def target(self) -> Node:
        """The new parent of the run."""
        return self.into[-1] if self.into else self.top


class Part:
    """A part of the system's tree, the gold constituents that it lacks, and its correction.

    The mask of a node has a bit for each of its leaves (for each unit if leaves may share units), lower ones
    further left.  The top is no error.
    """

    def __init__(
        self, gold: ConstituentTree, system: ConstituentTree, left: int, *, overlap: bool = False
    ) -> None:
        self.gold, self.system = gold, system
        self.left = left  # work left; without any, the remaining errors are added and removed one by one
        self.overlap = overlap  # leaves may share bits
        self.gaps = False
        self.above: str | None = None  # label of the top; None for the top of the tree
        self.top = Node("", "", None, False)
        self.nodes = [self.top]
        self.leaf_of: dict[int, Node] = {}  # by lowest bit
        self.balance: defaultdict[Key, int] = defaultdict(int)  # system nodes minus gold nodes
        self.missing: dict[Key, list[int]] = {}  # gold constituents
        self._spare: dict[Key, list[int]] = {}  # system constituents that are errors
        self._clear: set[int] = set()  # masks that cross no missing node
        # The best move so far, its gain, that is bracket errors that it corrects, and that of other runs
        self._best: Move | None = None
        self._gain = self._least = 0

    def add_node(self, parent: Node, index: int, free: bool) -> Node:
        """Add a constituent or word of the system after the parent's children."""
        name = self.system.name_of(index)
        node = Node(self.system.counted(name) if free else "", name, index, free)
        node.parent = parent
        parent.children.append(node)
        self.nodes.append(node)
        return node

    def add_below(
        self, parent: Node, top: int, below: Sequence[Sequence[int]], homes: Sequence[int], home: int
    ) -> list[tuple[int, Node]]:
        """Add what is below ``top`` in preorder; return words and other parts as leaves, with indices."""
        leaves: list[tuple[int, Node]] = []
        waiting = [(child, parent) for child in reversed(below[top])]
        while waiting:
            index, above = waiting.pop()
            free = index >= 0 and homes[index] == home
            node = self.add_node(above, index, free)
            if free:
                waiting += [(child, node) for child in reversed(below[index])]
            else:
                leaves.append((index, node))
        return leaves

    def set_leaf(self, leaf: Node, mask: int) -> None:
        leaf.mask = mask
        self.leaf_of.setdefault(mask & -mask, leaf)

    def complete(self, partners: Sequence[int] | None = None) -> None:
        """Finish the nodes and leaves; with ``partners`` only nodes without one are errors."""
        for node in reversed(self.nodes[1:]):
            node.parent.mask |= node.mask
        for node in self.nodes:
            if node.free:
                assert node.index is not None
                key = node.first = node.key
                self.balance[key] += 1
                if partners is None or partners[node.index] < 0:
                    self._spare.setdefault(key, []).append(node.index)
                self.gaps = self.gaps or has_gaps(node.mask)

    def add_missing(self, index: int, mask: int) -> None:
        key = self.gold.counted(self.gold.names[index]), mask
        self.balance[key] -= 1
        self.missing.setdefault(key, []).append(index)
        self.gaps = self.gaps or has_gaps(mask)

    def solve(self, made: list[Step]) -> None:
        """Append the possible steps; missing nodes that fit nowhere among the leaves stay missing."""
        for indices in self.missing.values():
            indices.reverse()
        most = len(made) + STEPS + len(self.leaf_of)
        while len(made) < most and self.left > 0 and (step := self._next_step()):
            made.append(step)

    def _next_step(self) -> Step | None:
        """Make the step that corrects most brackets."""
        balance = self.balance
        extras = [node for node in self.nodes if node.free and balance[node.label, node.mask] > 0]
        self.left -= len(self.nodes)
        if self.missing and extras:
            by_mask: dict[int, Key] = {}
            for key in self.missing:
                by_mask.setdefault(key[1], key)
            relabelled = next((node for node in extras if node.mask in by_mask), None)
            self._find_best(extras, 1 if relabelled is None else 2)
            if self._best is not None:
                return self._move(self._best)
            if relabelled is not None:
                key, was = by_mask[relabelled.mask], relabelled.name
                balance[relabelled.key] -= 1
                balance[key] += 1
                extra = self._corrected(relabelled)
                relabelled.label, relabelled.name = key[0], self.gold.names[self.missing[key][-1]]
                return self._step_of("relabel", relabelled, was, self._found(key), extra)
        for node in extras:
            if self._crosses(node.mask):
                return self._remove(node)
        for key in self.missing:
            self.left -= 4
            room = self._room(key[1])
            if room is not None:
                node = self._put(key, room)
                return self._step_of("add", node, node.name, missed=self._found(key))
        return self._remove(extras[0]) if extras else None

    def _is_extra(self, node: Node) -> bool:
        return node.free and self.balance[node.label, node.mask] > 0

    def _crosses(self, mask: int) -> bool:
        """Return True if a node crosses a missing one."""
        # Missing nodes only become fewer, so a clear mask stays clear.
        if mask in self._clear:
            return False
        self.left -= len(self.missing)
        if any(mask & other and mask & ~other and other & ~mask for _, other in self.missing):
            return True
        self._clear.add(mask)
        return False

    def _step_of(
        self, kind: str, node: Node, was: str, missed: tuple[int, ...] = (), extra: tuple[int, ...] = ()
    ) -> Step:
        """Return the step that relabels, adds or removes a node, which is in the tree."""
        parts, run = self._parts(node.children)
        at = node.parent.children.index(node)
        above, beside = self._name_of(node.parent), neighbours(node.parent, at, at + 1)
        return Step(kind, node.name, was, above, parts, beside, self._is_one_word([node]), missed, extra, run)

    def _name_of(self, node: Node) -> str | None:
        return self.above if node is self.top else node.name

    def _parts(self, nodes: list[Node]) -> tuple[tuple[Child, ...], tuple[int, ...]]:
        """Return a run as children, and their nodes in the system's tree."""
        if self.above is not None and union(nodes) == self.top.mask:
            # A node with the yield of its top and the top form a unary chain, in either order.
            nodes = [self.top]
        run = [self.system.node_of(node.index) for node in nodes if node.index is not None]
        return tuple([node.child for node in nodes]), tuple(run)

    def _is_one_word(self, nodes: list[Node]) -> bool:
        """Return True if some nodes have one word together."""
        while len(nodes) == 1 and nodes[0].children:
            nodes = nodes[0].children
        index = nodes[0].index
        return len(nodes) == 1 and index is not None and self.system.is_one_word(index)

    def _found(self, key: Key) -> tuple[int, ...]:
        """Remove a gold constituent from the missing ones, and return its node in a tuple."""
        return (self.gold.nodes[taken(self.missing, key)],)

    def _corrected(self, node: Node) -> tuple[int, ...]:
        """Remove a constituent from the errors; return its node in a tuple, empty for one that was added."""
        key = node.first
        if key is None:
            # A node that has become like the added one may stay in its place.
            twin = next((one for one in self.nodes if one.first is not None and one.key == node.key), None)
            if twin is None:
                return ()
            key, twin.first = twin.first, None
        if key not in self._spare:
            # One of several equal nodes was corrected before.
            key = next(iter(self._spare))
        return (self.system.nodes[taken(self._spare, key)],)

    def _remove(self, node: Node) -> Step:
        step = self._step_of("remove", node, node.name, extra=self._corrected(node))
        self._drop(node)
        return step

    def _highest(self, mask: int) -> Node | None:
        """Return the highest node inside some leaves that has the first of them."""
        node = self.leaf_of.get(mask & -mask)
        if node is None or node.mask & ~mask:
            return None
        while node is not self.top and not node.parent.mask & ~mask:
            node = node.parent
            self.left -= 1
        return node

    def _room(self, mask: int) -> Siblings | None:
        """Return the children of a node that a missing node takes."""
        node = self._highest(mask)
        if node is None or node is not self.top:
            return None if node is None else self._gathered(node.parent, mask)
        return Siblings(node, 0, len(node.children), mask)

    def _gathered(self, parent: Node, mask: int) -> Siblings | None:
        """As :meth:`_room`, for a known parent; with gaps, the children are made adjacent first."""
        group = parent.children
        self.left -= len(group)
        inside = [child for child in group if not child.mask & ~mask]
        if not inside or union(inside) != mask:
            return None
        first, last = group.index(inside[0]), group.index(inside[-1]) + 1
        if last - first > len(inside):
            group[first:last] = inside + [item for item in group[first:last] if item not in inside]
        return Siblings(parent, first, first + len(inside), mask)

    def _put(self, key: Key, room: Siblings) -> Node:
        """Put a missing node over some children of a node."""
        node = Node(key[0], self.gold.names[self.missing[key][-1]], None, True)
        self.nodes.append(node)
        node.mask = key[1]
        adopt(node, 0, room.nodes)
        room.source.children[room.first : room.last] = []
        adopt(room.source, room.first, [node])
        self.balance[key] += 1
        return node

    def _drop(self, node: Node) -> None:
        """Take a node out; its parent gets its children."""
        self.balance[node.key] -= 1
        at = node.parent.children.index(node)
        del node.parent.children[at]
        adopt(node.parent, at, node.children)
        node.children, node.mask, node.free = [], 0, False

    def _move(self, move: Move) -> Step:
        run, out, into, right, top, around, dropped = move
        source, target, nodes = run.source, move.target, run.nodes
        beside = neighbours(source, run.first, run.last)
        parts, moved = self._parts(nodes)
        was, label, above = self._name_of(source) or "", self._name_of(target) or "", self._name_of(top)
        missed: tuple[int, ...] = ()
        extra: tuple[int, ...] = ()
        for node, mask in self._changes(move):
            if mask != node.mask:
                self.balance[node.key] -= 1
                node.mask = mask
                self.balance[node.key] += 1
                if self.balance[node.key] <= 0:
                    missed += self._found(node.key)
                    extra += self._corrected(node)
        del source.children[run.first : run.last]
        if into:
            at = len(target.children) if right else 0
        else:
            at = target.children.index(out[-1]) + right
        adopt(target, at, nodes)
        if around is not None:
            room = self._gathered(target, around[1])
            assert room is not None
            self._put(around, room)
            missed += self._found(around)
        parent = nodes[0].parent
        at = parent.children.index(nodes[0])
        beside += neighbours(parent, at, at + len(nodes))
        if dropped:
            extra += self._corrected(source)
            self._drop(source)
        return Step("move", label, was, above, parts, beside, self._is_one_word(nodes), missed, extra, moved)

    def _find_best(self, extras: list[Node], least: int) -> None:
        """Find the first of the moves that correct most brackets, and more than ``least``."""
        groups: dict[tuple[str, int], list[Node]] = {}
        for node in extras:
            for edge in self._edges(node.mask):
                groups.setdefault((node.label, edge), []).append(node)
        self._best = None
        self._gain = self._least = least
        for label, mask in self.missing:
            for edge in self._edges(mask):
                for node in groups.get((label, edge), ()):
                    self.left -= 1
                    if self.left < 0:
                        return
                    # The moves of one run that give an extra node the leaves of a missing one
                    grows = not node.mask & ~mask
                    run = self._find_run(mask ^ node.mask) if grows or not mask & ~node.mask else None
                    if run is not None:
                        (self._into if grows else self._out_of)(run, node)
                    self._least = self._gain

    def _edges(self, mask: int) -> tuple[int, ...]:
        """Return both edges of the leaves; a move keeps one of them, unless there are gaps."""
        return (0,) if self.gaps else (mask & -mask, -mask.bit_length())

    def _find_run(self, mask: int) -> Siblings | None:
        """Return the run that has the leaves ``mask``."""
        node = self._highest(mask)
        if node is None or node is self.top:
            return None
        group = node.parent.children
        first = group.index(node)
        run = list(takewhile(lambda child: not child.mask & ~mask, group[first:]))
        return Siblings(node.parent, first, first + len(run), mask) if union(run) == mask else None

    def _into(self, run: Siblings, node: Node) -> None:
        """Try the moves into an extra node, and deeper."""
        above = node.parent
        into = [node]
        tops = [above]
        while len(into) < LEVELS and self._is_extra(above):
            into.append(above)
            above = above.parent
            tops.append(above)
        out: list[Node] = []
        top = run.source
        while top not in tops:
            if len(out) == LEVELS or not self._is_extra(top) or top is node:
                return
            out.append(top)
            top = top.parent
        into = into[tops.index(top) :: -1]
        self._deeper(Move(run, out, into, run.mask & -run.mask > node.mask & -node.mask, top))

    def _out_of(self, run: Siblings, node: Node) -> None:
        """Try the moves out of an extra node, further up, and from there into its sisters."""
        top = run.source
        out = [top]
        while top is not node:
            if len(out) > LEVELS or not self._is_extra(top):
                return
            top = top.parent
            out.append(top)
        rest = node.mask & ~run.mask
        right = run.mask & -run.mask > rest & -rest
        for _ in range(LEVELS):
            top = out[-1].parent
            self._try_move(Move(run, out, [], right, top))
            group = top.children
            at = group.index(out[-1]) + (1 if right else -1)
            beside = group[at] if 0 <= at < len(group) else None
            if beside is not None and self._is_extra(beside):
                self._deeper(Move(run, out, [beside], not right, top))
            if not self._is_extra(top) or (beside is not None and not self.gaps):
                break
            out = [*out, top]

    def _deeper(self, move: Move) -> None:
        for _ in range(LEVELS):
            self._try_move(move)
            child = move.target.children[-1 if move.right else 0]
            if not self._is_extra(child) or child in move.out:
                break
            move = move._replace(into=[*move.into, child])

    def _try_move(self, move: Move) -> None:
        """Keep a move if it is the best; reject it if it would leave a gap and gold has none."""
        self.left -= 4 * (len(move.out) + len(move.into))
        changes = self._changes(move)
        if not self.gaps and any(has_gaps(mask) for _, mask in changes):
            return
        balance = self.balance
        gain = 0
        matched = False
        undo: list[tuple[Key, int]] = []
        for node, mask in changes:
            if node.mask == mask:
                continue
            key, new = node.key, (node.label, mask)
            # Of several equal nodes some may match; then only the others are extra.
            matched = matched or balance[key] <= 0
            balance[key] -= 1
            gain += 2 if balance[new] < 0 else 0
            balance[new] += 1
            undo += (key, 1), (new, -1)
        source = move.run.source
        size = move.run.last - move.run.first
        drop = False
        if len(source.children) - size == 1 and source is not self.top:
            drop = balance[source.label, changes[0][1] if move.out else source.mask] > 0
            gain += drop
        around = None
        if not matched and gain >= self._least:
            # A node around the run corrects one more bracket; moves that gain less than the best are useless.
            around = self._around(move, changes)
            gain += around is not None
        for key, by in undo:
            balance[key] += by
        if not matched and gain > self._gain:
            self._gain = gain
            self._best = move._replace(around=around, dropped=drop)

    def _changes(self, move: Move) -> list[tuple[Node, int]]:
        """Return the nodes that a move changes, with their leaves after it."""
        changes = []
        run = move.run.mask
        if not self.overlap:
            changes = [(node, node.mask & ~run) for node in move.out]
        else:
            # What the other children have stays, also where it is in the run.
            gone, mask = move.run.nodes, 0
            for node in move.out:
                mask |= union([child for child in node.children if child not in gone])
                changes.append((node, mask))
                gone = [node]
        return changes + [(node, node.mask | run) for node in move.into]

    def _around(self, move: Move, changes: list[tuple[Node, int]]) -> Key | None:
        """Return the smallest missing node that can be put around a run and some of its new sisters."""
        run, target = move.run.mask, move.target
        alone = move.run.last - move.run.first == 1
        self.left -= len(self.missing)
        whole = target.mask | run
        best = None
        for key in self.missing:
            mask = key[1]
            if run & ~mask or mask & ~whole or mask == whole or (mask == run and alone):
                continue
            if self.balance[key] >= 0 or (best is not None and mask.bit_count() >= best[1].bit_count()):
                continue
            found = run
            self.left -= len(target.children)
            for child in target.children:
                leaves = child.mask
                if move.out and child is move.out[-1]:
                    leaves = changes[len(move.out) - 1][1]
                if not leaves & ~mask:
                    found |= leaves
                elif leaves & mask and not self.overlap:
                    found = 0
                    break
            if found == mask:
                best = key
        return best


def taken(indices_of: dict[Key, list[int]], key: Key) -> int:
    """Take the last index of a key."""
    index = indices_of[key].pop()
    if not indices_of[key]:
        del indices_of[key]
    return index


def adopt(parent: Node, at: int, nodes: list[Node]) -> None:
    parent.children[at:at] = nodes
    for node in nodes:
        node.parent = parent


def union(nodes: Iterable[Node]) -> int:
    """Return the leaves of some nodes."""
    return reduce(or_, [node.mask for node in nodes], 0)


def neighbours(parent: Node, first: int, last: int) -> tuple[Child, ...]:
    """Return the children to the left and to the right of some children."""
    group = parent.children
    return tuple([node.child for node in [*group[max(first - 1, 0) : first], *group[last : last + 1]]])
