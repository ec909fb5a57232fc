"""A part of a tree under repair: which step mends most, and the tree after it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from .repair_moves import Key, Move, Node, RepairMoves

STEPS = 100
"""Steps in a part of a tree, and one more a leaf; what is left then is added and removed one by one."""


class Part(NamedTuple):
    """One child in a run, or the neighbour of one."""

    label: str
    """A constituent's label, or a word's tag; empty for a word without one."""
    word: bool
    """Whether it is a word."""


class Step(NamedTuple):
    """One repair.

    Constituents are numbers in the lists of :class:`jpevalb.errors.repairs.Side`.
    """

    kind: str
    """``"relabel"``, ``"add"``, ``"remove"``, ``"move"``; ``"unparsed"`` where the system
    has no constituent at all, ``"unexpected"`` where gold has none."""
    label: str
    """Gold's label of the node that is relabelled or added, the system's of one that is removed;
    of a move, the label of the node that the run hangs from afterwards."""
    was: str
    """The system's label of a node that is relabelled; of a move, the label of the node that the
    run hung from; else as ``label``."""
    above: str | None
    """Label of the node above the one that is relabelled, added or removed, or above all nodes
    that a move changes; ``None`` for the top of the tree."""
    parts: tuple[Part, ...]
    """The run that moves, or the children of the node."""
    beside: tuple[Part, ...]
    """Neighbours of the run or of the node: left and right before the step, then after it."""
    added: str | None
    """Label of the node that is put around a run that moves."""
    one_word: bool
    """Whether the node, or the run, is one word."""
    missed: tuple[int, ...]
    """Gold constituents that are there now."""
    extra: tuple[int, ...]
    """The system's constituents that are mended or gone."""
    run: tuple[int, ...]
    """What ``parts`` are in the system's tree: constituents, ``~w`` for word ``w``; nodes that were
    added on the way are left out."""

    @property
    def brackets(self) -> int:
        """Bracket errors that are gone with it."""
        return len(self.missed) + len(self.extra)


class RepairTree(RepairMoves):
    """A part of a tree that repairs itself; see :class:`RepairMoves` for how it is made."""

    def solve(self) -> list[Step]:
        """The steps that can be made; what has no place among the leaves stays missing."""
        for places in self._missing.values():
            places.reverse()
        found: list[Step] = []
        # Long masks take longer.
        self._cost = 1 + self.top.mask.bit_length() // 512
        most = STEPS + len(self._leaf)
        while len(found) < most and self._work.left > 0:
            step = self._step()
            if step is None:
                break
            found.append(step)
        return found

    def _step(self) -> Step | None:
        """The step that mends most, made."""
        extras = self._extras()
        if self._missing and extras:
            by_mask = {mask: (label, mask) for label, mask in reversed(self._missing)}
            relabelled = next((node for node in extras if node.mask in by_mask), None)
            best = self._best_move(extras, 2 if relabelled is not None else 1)
            if best is not None:
                return self._moved(best)
            if relabelled is not None:
                return self._relabelled(relabelled, by_mask[relabelled.mask])
        for node in extras:
            if self._crosses(node.mask):
                return self._removed(node)
        for key in self._missing:
            self._worked(4)
            at = self._room(key[1])
            if at is not None:
                node = self._put(key, *at)
                return self._step_of("add", node, node.name, self._there(key), ())
        return self._removed(extras[0]) if extras else None

    # -- what a step says ---------------------------------------------------------

    def _step_of(
        self, kind: str, node: Node, was: str, missed: tuple[int, ...], extra: tuple[int, ...]
    ) -> Step:
        """A step about one node, whose label ``was`` that before."""
        parts, run = self._parts(node.children)
        at = node.parent.children.index(node)
        return Step(
            kind,
            node.name,
            was,
            self._name_of(node.parent),
            parts,
            self._beside(node.parent, at, at + 1),
            None,
            self._one_word([node]),
            missed,
            extra,
            run,
        )

    def _name_of(self, node: Node) -> str | None:
        return self._above if node is self.top else node.name

    def _parts(self, nodes: Sequence[Node]) -> tuple[tuple[Part, ...], tuple[int, ...]]:
        if self._above is not None and sum([node.mask for node in nodes]) == self.top.mask:
            # A node over all that its top is over hangs from that, or the other way round.
            nodes = [self.top]
        places = [node.place for node in nodes]
        return tuple(map(_part, nodes)), tuple([place for place in places if place is not None])

    def _beside(self, parent: Node, first: int, last: int) -> tuple[Part, ...]:
        group = parent.children
        return tuple(map(_part, (*group[max(first - 1, 0) : first], *group[last : last + 1])))

    def _one_word(self, nodes: Sequence[Node]) -> bool:
        while len(nodes) == 1:
            if not nodes[0].children:
                return nodes[0].single
            nodes = nodes[0].children
        return False

    # -- making steps -------------------------------------------------------------

    def _there(self, key: Key) -> tuple[int, ...]:
        """The gold constituent that a node is now."""
        places = self._missing[key]
        place = places.pop()
        if not places:
            del self._missing[key]
        return (place,)

    def _mended(self, node: Node) -> tuple[int, ...]:
        """The system's constituent that is an error no more; none for a node that was added on the way."""
        key = node.first
        if key is None:
            # It was added; one that has become like it since stays in its place.
            alike = node.key
            twin = next((one for one in self._nodes if one.first and one.key == alike), None)
            if twin is None:
                return ()
            key, twin.first = twin.first, None
        if key not in self._spare:
            # One of several alike nodes went before.
            key = next(iter(self._spare))
        places = self._spare[key]
        place = places.pop()
        if not places:
            del self._spare[key]
        return (place,)

    def _relabelled(self, node: Node, key: Key) -> Step:
        self._balance[node.key] -= 1
        self._balance[key] += 1
        extra, missed, was = self._mended(node), self._there(key), node.name
        node.label, node.name = key[0], self._gold_names[missed[0]]
        return self._step_of("relabel", node, was, missed, extra)

    def _removed(self, node: Node) -> Step:
        step = self._step_of("remove", node, node.name, (), self._mended(node))
        self._drop(node)
        return step

    def _room(self, mask: int) -> tuple[Node, int, int] | None:
        """Where a missing node goes: its parent and the run of children."""
        node = self._leaf.get(mask & -mask)
        if node is None or node.mask & ~mask:
            return None
        while node is not self.top and node.parent.mask & ~mask == 0:
            node = node.parent
            self._worked(1)
        if node is self.top:
            return node, 0, len(node.children)
        run = self._gathered(node.parent, mask)
        return run and (node.parent, *run)

    def _gathered(self, parent: Node, mask: int) -> tuple[int, int] | None:
        """The run of a node's children that are the leaves ``mask``; with gaps they are put side by side."""
        group = parent.children
        self._worked(len(group))
        inside = [place for place, child in enumerate(group) if child.mask & ~mask == 0]
        union = 0
        for place in inside:
            union |= group[place].mask
        if union != mask:
            return None
        first, last = inside[0], inside[-1] + 1
        if last - first > len(inside):
            nodes = [group[place] for place in inside]
            group[first:last] = nodes + [child for child in group[first:last] if child not in nodes]
            last = first + len(nodes)
        return first, last

    def _put(self, key: Key, parent: Node, first: int, last: int) -> Node:
        """Makes a missing node of a run."""
        node = self.add_node(None, key[0], self._gold_names[self._missing[key][-1]], None)
        node.parent, node.mask = parent, key[1]
        node.children = parent.children[first:last]
        parent.children[first:last] = [node]
        for child in node.children:
            child.parent = node
        self._balance[key] += 1
        return node

    def _drop(self, node: Node) -> None:
        """Takes a node out; its children hang from the one above."""
        self._balance[node.key] -= 1
        group = node.parent.children
        at = group.index(node)
        group[at : at + 1] = node.children
        for child in node.children:
            child.parent = node.parent
        node.children, node.mask, node.free = [], 0, False

    def _moved(self, move: Move) -> Step:
        run = move.run
        source, target = run.source, move.into[-1] if move.into else move.top
        nodes = source.children[run.first : run.last]
        beside = self._beside(source, run.first, run.last)
        parts, places = self._parts(nodes)
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
                    missed += self._there(node.key)
                    extra += self._mended(node)
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
            place = self._gathered(target, move.around[1])
            assert place is not None
            added = self._put(move.around, target, *place).name
            missed += self._there(move.around)
        parent = nodes[0].parent
        at = parent.children.index(nodes[0])
        beside += self._beside(parent, at, at + len(nodes))
        if move.drop:
            extra += self._mended(source)
            self._drop(source)
        one_word = self._one_word(nodes)
        return Step("move", label, was, above, parts, beside, added, one_word, missed, extra, places)


def _part(node: Node) -> Part:
    return Part(node.name, node.place is not None and node.place < 0)
