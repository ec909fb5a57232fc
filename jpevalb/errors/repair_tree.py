"""Repair of a part of a tree, step by step: each step is the one that repairs most brackets."""

from __future__ import annotations

from collections.abc import Sequence

from ..trees.frozen import NamedTuple
from .repair_moves import Key, Move, Node, RepairMoves

STEPS = 100
"""Maximum number of steps in a part, plus one per leaf; the remaining errors are added and removed."""


class Child(NamedTuple):
    """A child in a run, or a neighbour of the run."""

    label: str
    """Label of a constituent, or tag of a word; empty for a word without one."""
    word: bool


class Step(NamedTuple):
    """One repair; constituents are indices into :class:`jpevalb.errors.repairs.ConstituentTree`."""

    kind: str
    """``"relabel"``, ``"add"``, ``"remove"``, ``"move"``; ``"unparsed"`` if the system
    has no constituents, ``"unexpected"`` if gold has none; ``"boundary"`` for other sentence ends."""
    label: str
    """Gold's label of the node that is relabelled or added, the system's of one that is removed;
    for a move, the label of the run's parent afterwards."""
    was: str
    """The system's label of a node that is relabelled; for a move, the label of the run's parent
    before; otherwise as ``label``."""
    above: str | None
    """Label of the node above the one that is relabelled, added or removed, or above all nodes
    that a move changes; ``None`` for the top of the tree."""
    parts: tuple[Child, ...]
    """The run that moves, or the children of the node."""
    beside: tuple[Child, ...]
    """Neighbours of the run or the node: left and right before the step, then after it."""
    added: str | None
    """Label of the node that is put around a run that moves."""
    one_word: bool
    """True if the node, or the run, is one word."""
    missed: tuple[int, ...]
    """Gold constituents that the step adds."""
    extra: tuple[int, ...]
    """System constituents that it corrects or removes."""
    run: tuple[int, ...]
    """``parts`` in the system's tree: constituents, ``~w`` for word ``w``; nodes that earlier steps
    added are omitted."""

    @property
    def brackets(self) -> int:
        """Bracket errors that the step repairs."""
        return len(self.missed) + len(self.extra)


class RepairTree(RepairMoves):
    """A part of a tree and its repair."""

    def solve(self) -> list[Step]:
        """Return the possible steps; missing nodes that fit nowhere among the leaves stay missing."""
        for indices in self._missing.values():
            indices.reverse()
        steps: list[Step] = []
        # Operations on long masks take longer.
        self._cost = 1 + self.top.mask.bit_length() // 512
        most = STEPS + len(self._leaf)
        while len(steps) < most and self._work.left > 0:
            step = self._step()
            if step is None:
                break
            steps.append(step)
        return steps

    def _step(self) -> Step | None:
        """Make the step that repairs most brackets."""
        extras = self._extras()
        if self._missing and extras:
            by_mask = {mask: (label, mask) for label, mask in reversed(self._missing)}
            relabelled = next((node for node in extras if node.mask in by_mask), None)
            best = self._best_move(extras, 2 if relabelled is not None else 1)
            if best is not None:
                return self._move(best)
            if relabelled is not None:
                return self._relabel(relabelled, by_mask[relabelled.mask])
        for node in extras:
            if self._crosses(node.mask):
                return self._remove(node)
        for key in self._missing:
            self._spend(4)
            room = self._room(key[1])
            if room is not None:
                node = self._put(key, *room)
                return self._step_of("add", node, node.name, self._found(key), ())
        return self._remove(extras[0]) if extras else None

    def _crosses(self, mask: int) -> bool:
        """Return True if a node crosses a missing one."""
        # Missing nodes only become fewer, so a clear mask stays clear.
        if mask in self._clear:
            return False
        self._spend(len(self._missing))
        if any(mask & other and mask & ~other and other & ~mask for _, other in self._missing):
            return True
        self._clear.add(mask)
        return False

    def _step_of(
        self, kind: str, node: Node, was: str, missed: tuple[int, ...], extra: tuple[int, ...]
    ) -> Step:
        parts, run = self._parts(node.children)
        at = node.parent.children.index(node)
        above, beside = self._name_of(node.parent), _neighbours(node.parent, at, at + 1)
        return Step(kind, node.name, was, above, parts, beside, None, _one_word([node]), missed, extra, run)

    def _name_of(self, node: Node) -> str | None:
        return self._above if node is self.top else node.name

    def _parts(self, nodes: Sequence[Node]) -> tuple[tuple[Child, ...], tuple[int, ...]]:
        if self._above is not None and sum([node.mask for node in nodes]) == self.top.mask:
            # A node with the yield of its top and the top form a unary chain, in either order.
            nodes = [self.top]
        return tuple(map(_child, nodes)), tuple([node.index for node in nodes if node.index is not None])

    def _found(self, key: Key) -> tuple[int, ...]:
        """Remove a gold constituent from the missing ones, and return its index."""
        indices = self._missing[key]
        index = indices.pop()
        if not indices:
            del self._missing[key]
        return (index,)

    def _repaired(self, node: Node) -> tuple[int, ...]:
        """Remove a node from the errors, and return its index; a node that an earlier step added is none."""
        key = node.first
        if key is None:
            # A node that has become like the added one may stay in its place.
            alike = node.key
            twin = next((one for one in self._nodes if one.first and one.key == alike), None)
            if twin is None:
                return ()
            key, twin.first = twin.first, None
        if key not in self._spare:
            # One of several equal nodes was repaired before.
            key = next(iter(self._spare))
        indices = self._spare[key]
        index = indices.pop()
        if not indices:
            del self._spare[key]
        return (index,)

    def _relabel(self, node: Node, key: Key) -> Step:
        self._balance[node.key] -= 1
        self._balance[key] += 1
        extra, missed, was = self._repaired(node), self._found(key), node.name
        node.label, node.name = key[0], self._gold_names[missed[0]]
        return self._step_of("relabel", node, was, missed, extra)

    def _remove(self, node: Node) -> Step:
        step = self._step_of("remove", node, node.name, (), self._repaired(node))
        self._drop(node)
        return step

    def _room(self, mask: int) -> tuple[Node, int, int] | None:
        """Return the parent for a missing node and the range of its children that it takes."""
        node = self._leaf.get(mask & -mask)
        if node is None or node.mask & ~mask:
            return None
        while node is not self.top and node.parent.mask & ~mask == 0:
            node = node.parent
            self._spend(1)
        if node is self.top:
            return node, 0, len(node.children)
        run = self._gathered(node.parent, mask)
        return run and (node.parent, *run)

    def _gathered(self, parent: Node, mask: int) -> tuple[int, int] | None:
        """Return the range of children with the leaves ``mask``; with gaps, make them adjacent first."""
        group = parent.children
        self._spend(len(group))
        inside = [index for index, child in enumerate(group) if child.mask & ~mask == 0]
        union = 0
        for index in inside:
            union |= group[index].mask
        if union != mask:
            return None
        first, last = inside[0], inside[-1] + 1
        if last - first > len(inside):
            nodes = [group[index] for index in inside]
            group[first:last] = nodes + [child for child in group[first:last] if child not in nodes]
            last = first + len(nodes)
        return first, last

    def _put(self, key: Key, parent: Node, first: int, last: int) -> Node:
        """Put a missing node over some children of a node."""
        node = self.add_node(None, key[0], self._gold_names[self._missing[key][-1]], None)
        node.parent, node.mask = parent, key[1]
        node.children = parent.children[first:last]
        parent.children[first:last] = [node]
        for child in node.children:
            child.parent = node
        self._balance[key] += 1
        return node

    def _drop(self, node: Node) -> None:
        """Take a node out; its parent gets its children."""
        self._balance[node.key] -= 1
        group = node.parent.children
        at = group.index(node)
        group[at : at + 1] = node.children
        for child in node.children:
            child.parent = node.parent
        node.children, node.mask, node.free = [], 0, False

    def _move(self, move: Move) -> Step:
        run = move.run
        source, target = run.source, move.into[-1] if move.into else move.top
        nodes = source.children[run.first : run.last]
        beside = _neighbours(source, run.first, run.last)
        parts, indices = self._parts(nodes)
        was, label, above = self._name_of(source) or "", self._name_of(target) or "", self._name_of(move.top)
        missed: tuple[int, ...] = ()
        extra: tuple[int, ...] = ()
        for node, mask in self._changes(run, move.out, move.into):
            if mask != node.mask:
                self._balance[node.key] -= 1
                node.mask = mask
                there = self._balance.get(node.key, 0)
                self._balance[node.key] = there + 1
                if there < 0:
                    missed += self._found(node.key)
                    extra += self._repaired(node)
        del source.children[run.first : run.last]
        group = target.children
        if move.into:
            at = len(group) if move.right else 0
        else:
            at = group.index(move.out[-1]) + move.right
        group[at:at] = nodes
        for node in nodes:
            node.parent = target
        added = None
        if move.around is not None:
            room = self._gathered(target, move.around[1])
            assert room is not None
            added = self._put(move.around, target, *room).name
            missed += self._found(move.around)
        parent = nodes[0].parent
        at = parent.children.index(nodes[0])
        beside += _neighbours(parent, at, at + len(nodes))
        if move.drop:
            extra += self._repaired(source)
            self._drop(source)
        return Step("move", label, was, above, parts, beside, added, _one_word(nodes), missed, extra, indices)


def _child(node: Node) -> Child:
    return Child(node.name, node.index is not None and node.index < 0)


def _neighbours(parent: Node, first: int, last: int) -> tuple[Child, ...]:
    group = parent.children
    return tuple(map(_child, (*group[max(first - 1, 0) : first], *group[last : last + 1])))


def _one_word(nodes: Sequence[Node]) -> bool:
    while len(nodes) == 1:
        if not nodes[0].children:
            return nodes[0].single
        nodes = nodes[0].children
    return False
