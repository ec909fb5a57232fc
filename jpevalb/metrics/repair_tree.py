"""A part of a tree under repair: which step mends most, and the tree after it."""

from __future__ import annotations

from collections.abc import Sequence

from .repair_moves import Move, RepairMoves
from .repair_nodes import Key
from .repair_steps import Part, Step

STEPS = 100
"""Steps in a part of a tree, and one more a leaf; what is left then is added and removed one by one."""


class RepairTree(RepairMoves):
    """A part of a tree that repairs itself; see :class:`RepairNodes` for how it is made."""

    def solve(self) -> list[Step]:
        """The steps that can be made; what has no place among the leaves stays missing."""
        for places in self._missing.values():
            places.reverse()
        found: list[Step] = []
        # Long masks take longer.
        self._cost = 1 + self._mask[0].bit_length() // 512
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
            relabelled = next((node for node in extras if self._mask[node] in by_mask), None)
            best = self._best_move(extras, 2 if relabelled is not None else 1)
            if best is not None:
                return self._moved(best)
            if relabelled is not None:
                return self._relabelled(relabelled, by_mask[self._mask[relabelled]])
        for node in extras:
            if self._crosses(self._mask[node]):
                return self._removed(node)
        for key in self._missing:
            self._worked(4)
            at = self._room(key[1])
            if at is not None:
                return self._added(key, *at)
        return self._removed(extras[0]) if extras else None

    # -- making steps ------------------------------------------------------------

    def _part(self, node: int) -> Part:
        return Part(self._name[node], self._word[node])

    def _above_of(self, node: int) -> str | None:
        return self._name[node] if node > 0 else self._above

    def _parts(self, nodes: Sequence[int]) -> tuple[tuple[Part, ...], tuple[int, ...]]:
        if self._above is not None and sum([self._mask[node] for node in nodes]) == self._mask[0]:
            # A node over all that its top is over hangs from that, or the other way round.
            nodes = [0]
        places = [self._place[node] for node in nodes]
        return tuple(map(self._part, nodes)), tuple([place for place in places if place is not None])

    def _beside(self, parent: int, first: int, last: int) -> tuple[Part, ...]:
        group = self._children[parent]
        assert group is not None
        return tuple(map(self._part, (*group[max(first - 1, 0) : first], *group[last : last + 1])))

    def _one_word(self, nodes: Sequence[int]) -> bool:
        while len(nodes) == 1:
            below = self._children[nodes[0]]
            if below is None:
                return self._single[nodes[0]]
            nodes = below
        return False

    def _there(self, key: Key) -> int:
        """The gold constituent that a node is now."""
        places = self._missing[key]
        place = places.pop()
        if not places:
            del self._missing[key]
        return place

    def _mended(self, node: int) -> tuple[int, ...]:
        """The system's constituent that is an error no more; none for a node that was added on the way."""
        key = self._first_key.get(node)
        if key is None:
            # It was added; one that has become like it since stays in its place.
            alike = self._key(node)
            twins = [twin for twin in self._first_key if self._key(twin) == alike]
            if not twins:
                return ()
            key = self._first_key.pop(twins[0])
        if key not in self._spare:
            # One of several alike nodes went before.
            key = next(iter(self._spare))
        places = self._spare[key]
        place = places.pop()
        if not places:
            del self._spare[key]
        return (place,)

    def _relabelled(self, node: int, key: Key) -> Step:
        old = self._key(node)
        self._balance[old] -= 1
        self._balance[key] += 1
        parts, run = self._parts(self._children[node] or ())
        parent = self._parent[node]
        at = (self._children[parent] or []).index(node)
        extra, missed, was = self._mended(node), (self._there(key),), self._name[node]
        self._label[node], self._name[node] = key[0], self._gold_names[missed[0]]
        return Step(
            "relabel",
            self._name[node],
            was,
            self._above_of(parent),
            parts,
            self._beside(parent, at, at + 1),
            None,
            self._one_word([node]),
            missed,
            extra,
            run,
        )

    def _room(self, mask: int) -> tuple[int, int, int] | None:
        """Where a missing node goes: its parent and the run of children."""
        masks, parents = self._mask, self._parent
        node = self._leaf.get(mask & -mask, -1)
        if node < 0 or masks[node] & ~mask:
            return None
        while node > 0 and masks[parents[node]] & ~mask == 0:
            node = parents[node]
            self._worked(1)
        if node == 0:
            return 0, 0, len(self._children[0] or ())
        above = parents[node]
        run = self._gathered(above, mask)
        return run and (above, *run)

    def _gathered(self, parent: int, mask: int) -> tuple[int, int] | None:
        """The run of a node's children that are the leaves ``mask``; with gaps they are put side by side."""
        group = self._children[parent]
        assert group is not None
        self._worked(len(group))
        masks = self._mask
        inside = [place for place, child in enumerate(group) if masks[child] & ~mask == 0]
        union = 0
        for place in inside:
            union |= masks[group[place]]
        if union != mask:
            return None
        first, last = inside[0], inside[-1] + 1
        if last - first > len(inside):
            nodes = [group[place] for place in inside]
            group[first:last] = nodes + [child for child in group[first:last] if child not in nodes]
            last = first + len(nodes)
        return first, last

    def _put(self, key: Key, parent: int, first: int, last: int) -> int:
        node = self._new(-1, key[0], self._gold_names[self._missing[key][-1]], None)
        group = self._children[parent]
        assert group is not None
        inside = group[first:last]
        group[first:last] = [node]
        self._parent[node] = parent
        self._children[node] = inside
        self._mask[node] = key[1]
        for child in inside:
            self._parent[child] = node
        self._balance[key] += 1
        return node

    def _added(self, key: Key, parent: int, first: int, last: int) -> Step:
        parts, run = self._parts((self._children[parent] or [])[first:last])
        beside = self._beside(parent, first, last)
        node = self._put(key, parent, first, last)
        return Step(
            "add",
            self._name[node],
            self._name[node],
            self._above_of(parent),
            parts,
            beside,
            None,
            self._one_word([node]),
            (self._there(key),),
            (),
            run,
        )

    def _removed(self, node: int) -> Step:
        parent = self._parent[node]
        at = (self._children[parent] or []).index(node)
        parts, run = self._parts(self._children[node] or ())
        step = Step(
            "remove",
            self._name[node],
            self._name[node],
            self._above_of(parent),
            parts,
            self._beside(parent, at, at + 1),
            None,
            self._one_word([node]),
            (),
            self._mended(node),
            run,
        )
        self._balance[self._key(node)] -= 1
        self._drop(node)
        return step

    def _drop(self, node: int) -> None:
        parent, below = self._parent[node], self._children[node]
        group = self._children[parent]
        assert group is not None
        assert below is not None
        at = group.index(node)
        group[at : at + 1] = below
        for child in below:
            self._parent[child] = parent
        self._children[node] = None
        self._mask[node] = 0

    def _moved(self, move: Move) -> Step:
        group = self._children[move.source]
        assert group is not None
        nodes = group[move.first : move.last]
        run = 0
        for node in nodes:
            run |= self._mask[node]
        beside = self._beside(move.source, move.first, move.last)
        parts, places = self._parts(nodes)
        target = move.into[-1] if move.into else move.top
        was, label = self._above_of(move.source) or "", self._above_of(target) or ""
        above = self._above_of(move.top)
        missed: tuple[int, ...] = ()
        extra: tuple[int, ...] = ()
        changes = self._changes(move.source, move.first, move.last, run, move.out, move.into)
        for node, mask in changes:
            if mask != self._mask[node]:
                self._balance[self._key(node)] -= 1
                self._mask[node] = mask
                key = self._key(node)
                there = self._balance.get(key, 0)
                self._balance[key] = there + 1
                if there < 0:
                    missed += (self._there(key),)
                    extra += self._mended(node)
        before = move.out[-1] if move.out else -1
        added = None
        del group[move.first : move.last]
        new = self._children[target]
        assert new is not None
        if not move.into:
            at = new.index(before) + move.right
        else:
            at = len(new) if move.right else 0
        new[at:at] = nodes
        for node in nodes:
            self._parent[node] = target
        if move.around is not None:
            place = self._gathered(target, move.around[1])
            assert place is not None
            added = self._name[self._put(move.around, target, *place)]
            missed += (self._there(move.around),)
        parent = self._parent[nodes[0]]
        at = (self._children[parent] or []).index(nodes[0])
        beside += self._beside(parent, at, at + len(nodes))
        if move.drop:
            self._balance[self._key(move.source)] -= 1
            extra += self._mended(move.source)
            self._drop(move.source)
        return Step(
            "move",
            label,
            was,
            above,
            parts,
            beside,
            added,
            self._one_word(nodes),
            missed,
            extra,
            places,
        )
