"""A part of a tree under repair: which step mends most, and the tree after it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

STEPS = 100
"""Steps in a part of a tree, and one more a leaf; what is left then is added and removed one by one."""

LEVELS = 12
"""Levels that a run moves beyond the node that is mended, up and down."""


class Part(NamedTuple):
    """One child in a run, or the neighbour of one."""

    label: str
    """A constituent's label, or a word's tag; empty for a word without one."""
    word: bool
    """Whether it is a word."""


class Step(NamedTuple):
    """One repair.

    Constituents are numbers in the lists of :class:`jpevalb.metrics.repairs.Side`.
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


_Key: TypeAlias = "tuple[str, int]"


class Work:
    """How much work is left."""

    __slots__ = ("left",)

    def __init__(self, left: int) -> None:
        self.left = left


class _Move(NamedTuple):
    """A move that has been tried."""

    gain: int
    source: int
    first: int
    last: int
    out: list[int]
    """Nodes that lose the run, from the one it hangs from upwards."""
    into: list[int]
    """Nodes that get it, downwards."""
    right: bool
    """Whether it hangs behind the other children then."""
    top: int
    """The node above all these."""
    around: _Key | None
    """The missing node to put around it."""
    drop: bool
    """Whether the node that it leaves goes."""


class RepairTree:
    """A part of the system's tree, and the gold constituents that it lacks.

    Node 0 is its top, which is no error.  A leaf is a word or a matched constituent,
    whose inside is another part.  The mask of a node has a bit for each of its leaves
    (for each unit, where leaves may share units), lower ones at the left.

    Args:
        label: The top's label; ``None`` for the top of the tree.
        place: Number of the top.
        overlap: Whether leaves may share bits.
        work: How many masks may be looked at yet, in this part and in others; what is left
            when these are up is added and removed one by one.
    """

    def __init__(
        self, label: str | None = None, place: int | None = None, *, work: Work, overlap: bool = False
    ) -> None:
        self._above = label
        self._overlap = overlap
        self._gaps = False
        self._label: list[str] = [label or ""]
        self._name: list[str] = [label or ""]
        self._gold_names: dict[int, str] = {}
        self._parent: list[int] = [-1]
        self._children: list[list[int] | None] = [[]]
        self._mask: list[int] = [0]
        self._word: list[bool] = [False]
        self._single: list[bool] = [False]
        self._place: list[int | None] = [place]
        self._first_key: dict[int, _Key] = {}
        self._leaf: dict[int, int] = {}
        self._balance: dict[_Key, int] = {}
        self._missing: dict[_Key, list[int]] = {}
        self._spare: dict[_Key, list[int]] = {}
        self._clear: set[int] = set()
        self._work = work
        self._cost = 1

    # -- making -------------------------------------------------------------------

    def add_leaf(self, parent: int, label: str, mask: int, place: int, *, word: bool, single: bool) -> None:
        """Adds a leaf behind the parent's children.

        Args:
            parent: Number of its parent.
            label: Label of a constituent, tag of a word.
            mask: Its bits.
            place: Number of the constituent, ``~w`` for word ``w``.
            word: Whether it is a word.
            single: Whether it has one word.
        """
        node = self._new(parent, "", label, place)
        self._children[node] = None
        self._mask[node] = mask
        self._word[node] = word
        self._single[node] = single
        self._leaf.setdefault(mask & -mask, node)

    def add_node(self, parent: int, label: str, name: str, place: int) -> int:
        """Adds a node behind the parent's children.

        Args:
            parent: Number of its parent.
            label: What it counts as.
            name: Its label.
            place: Number of the constituent.

        Returns:
            Its number here.
        """
        return self._new(parent, label, name, place)

    def _new(self, parent: int, label: str, name: str, place: int | None) -> int:
        node = len(self._label)
        self._label.append(label)
        self._name.append(name)
        self._parent.append(parent)
        self._children.append([])
        self._mask.append(0)
        self._word.append(False)
        self._single.append(False)
        self._place.append(place)
        if parent >= 0:
            self._children[parent].append(node)  # type: ignore[union-attr]
        return node

    def grown(self, extra: Sequence[int] | None = None) -> None:
        """Ends the making; ``extra`` are the places of the nodes that are errors, all if not given."""
        masks, parents = self._mask, self._parent
        for node in range(len(masks) - 1, 0, -1):
            masks[parents[node]] |= masks[node]
        wrong = None if extra is None else set(extra)
        for node in range(1, len(masks)):
            if self._children[node] is not None:
                key = self._label[node], masks[node]
                self._first_key[node] = key
                self._balance[key] = self._balance.get(key, 0) + 1
                place = self._place[node]
                assert place is not None
                if wrong is None or place in wrong:
                    self._spare.setdefault(key, []).append(place)
                self._gaps = self._gaps or not _solid(masks[node])

    def mask(self, node: int) -> int:
        """The leaves of a node, as bits."""
        return self._mask[node]

    def want(self, place: int, label: str, name: str, mask: int) -> None:
        """Says that a gold constituent is missing; arguments as of :meth:`add_node`."""
        key = label, mask
        self._gold_names[place] = name
        self._balance[key] = self._balance.get(key, 0) - 1
        self._missing.setdefault(key, []).append(place)
        self._gaps = self._gaps or not _solid(mask)

    def known(self, node: int) -> None:
        """Says that gold has a node too."""
        self._balance[self._label[node], self._mask[node]] -= 1

    # -- steps --------------------------------------------------------------------

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

    def _worked(self, masks: int) -> None:
        self._work.left -= masks * self._cost

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

    def _extras(self) -> list[int]:
        balance, labels, masks, children = self._balance, self._label, self._mask, self._children
        self._worked(len(labels))
        return [
            node
            for node in range(1, len(labels))
            if children[node] is not None and balance.get((labels[node], masks[node]), 0) > 0
        ]

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

    def _best_move(self, extras: list[int], least: int) -> _Move | None:
        """The first of the moves that mend most, and more than ``least`` brackets."""
        masks, labels = self._mask, self._label
        groups: dict[tuple[str, int], list[int]] = {}
        for node in extras:
            mask = masks[node]
            if self._gaps:
                groups.setdefault((labels[node], 0), []).append(node)
            else:
                # A run at an edge changes one end.
                groups.setdefault((labels[node], mask & -mask), []).append(node)
                groups.setdefault((labels[node], -mask.bit_length()), []).append(node)
        best = None
        for label, mask in self._missing:
            if self._gaps:
                nodes = groups.get((label, 0), [])
            else:
                nodes = groups.get((label, mask & -mask), []) + groups.get((label, -mask.bit_length()), [])
            for node in nodes:
                self._worked(1)
                if self._work.left < 0:
                    return best
                for move in self._moves(node, mask):
                    if move.gain > least:
                        best, least = move, move.gain
        return best

    def _moves(self, node: int, wanted: int) -> list[_Move]:
        """The moves of one run that give an extra node the leaves ``wanted``."""
        mask = self._mask[node]
        if mask & ~wanted == 0:
            run = wanted & ~mask
            found = self._find(run)
            return self._into(node, run, *found) if found else []
        if wanted & ~mask == 0:
            run = mask & ~wanted
            found = self._find(run)
            return self._out_of(node, run, *found) if found else []
        return []

    def _find(self, run: int) -> tuple[int, int, int] | None:
        """The node whose children, but not all of them, are the leaves ``run``, and which ones."""
        masks, parents = self._mask, self._parent
        node = self._leaf.get(run & -run, -1)
        if node < 0 or masks[node] & ~run:
            return None
        while masks[parents[node]] & ~run == 0:
            node = parents[node]
            self._worked(1)
            if node == 0:
                return None
        above = parents[node]
        group = self._children[above]
        assert group is not None
        first = last = group.index(node)
        union = 0
        while last < len(group) and masks[group[last]] & ~run == 0:
            union |= masks[group[last]]
            last += 1
        return (above, first, last) if union == run else None

    def _is_extra(self, node: int) -> bool:
        return (
            node > 0
            and self._children[node] is not None
            and self._balance.get((self._label[node], self._mask[node]), 0) > 0
        )

    def _into(self, node: int, run: int, source: int, first: int, last: int) -> list[_Move]:
        """Moves into an extra node, and deeper."""
        parents = self._parent
        into = [node]
        tops = {parents[node]: 1}
        above = parents[node]
        while len(into) < LEVELS and self._is_extra(above):
            into.append(above)
            above = parents[above]
            tops[above] = len(into)
        out: list[int] = []
        top = source
        while top not in tops:
            if len(out) == LEVELS or not self._is_extra(top) or top == node:
                return []
            out.append(top)
            top = parents[top]
        into = into[: tops[top]][::-1]
        right = run & -run > self._mask[node] & -self._mask[node]
        return self._deeper(source, first, last, run, out, into, right, top)

    def _out_of(self, node: int, run: int, source: int, first: int, last: int) -> list[_Move]:
        """Moves out of an extra node, and further up, and from there into its sisters."""
        parents = self._parent
        out = [source]
        while out[-1] != node:
            if len(out) > LEVELS or not self._is_extra(out[-1]) or parents[out[-1]] < 0:
                return []
            out.append(parents[out[-1]])
        found: list[_Move] = []
        rest = self._mask[node] & ~run
        right = run & -run > rest & -rest
        for _ in range(LEVELS):
            child = out[-1]
            top = parents[child]
            found += self._tried(source, first, last, run, out, [], right, top)
            group = self._children[top]
            assert group is not None
            at = group.index(child) + (1 if right else -1)
            if 0 <= at < len(group) and self._is_extra(group[at]):
                found += self._deeper(source, first, last, run, out, [group[at]], not right, top)
            if not self._is_extra(top) or (0 <= at < len(group) and not self._gaps):
                break
            out = [*out, top]
        return found

    def _deeper(
        self,
        source: int,
        first: int,
        last: int,
        run: int,
        out: list[int],
        into: list[int],
        right: bool,
        top: int,
    ) -> list[_Move]:
        """A move into a node, and those into what stands at its edge."""
        found: list[_Move] = []
        for _ in range(LEVELS):
            found += self._tried(source, first, last, run, out, into, right, top)
            group = self._children[into[-1]]
            assert group is not None
            child = group[-1 if right else 0]
            if not self._is_extra(child) or child in out:
                break
            into = [*into, child]
        return found

    def _tried(
        self,
        source: int,
        first: int,
        last: int,
        run: int,
        out: list[int],
        into: list[int],
        right: bool,
        top: int,
    ) -> list[_Move]:
        """What a move mends; nothing where it would leave a gap that gold has nowhere."""
        masks, labels, balance = self._mask, self._label, self._balance
        self._worked(4 * (len(out) + len(into)))
        changes = self._changes(source, first, last, run, out, into)
        if not self._gaps:
            for _, mask in changes:
                if not _solid(mask):
                    return []
        gain = 0
        matched = False
        undo: list[tuple[_Key, int]] = []
        for node, mask in changes:
            key, new = (labels[node], masks[node]), (labels[node], mask)
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
        group = self._children[source]
        assert group is not None
        drop = False
        if len(group) - (last - first) == 1 and source > 0:
            mask = changes[0][1] if out else masks[source]
            drop = balance.get((labels[source], mask), 0) > 0
            gain += drop
        around = self._around(run, into[-1] if into else top, out, changes, last - first)
        gain += around is not None
        for key, by in undo:
            balance[key] += by
        if matched:
            return []
        return [_Move(gain, source, first, last, out, into, right, top, around, drop)]

    def _changes(
        self, source: int, first: int, last: int, run: int, out: list[int], into: list[int]
    ) -> list[tuple[int, int]]:
        """For each node that a move changes the leaves that it has then."""
        masks = self._mask
        if not self._overlap:
            return [(node, masks[node] & ~run) for node in out] + [(node, masks[node] | run) for node in into]
        changes: list[tuple[int, int]] = []
        gone = set(self._children[source][first:last])  # type: ignore[index]
        below = -1
        mask = 0
        for node in out:
            mask = mask if below >= 0 else 0
            for child in self._children[node] or ():
                if child != below and child not in gone:
                    mask |= masks[child]
            changes.append((node, mask))
            below = node
        return changes + [(node, masks[node] | run) for node in into]

    def _around(
        self, run: int, target: int, out: list[int], changes: list[tuple[int, int]], size: int
    ) -> _Key | None:
        """The smallest missing node that a run and some of its new sisters can stand under."""
        masks, balance = self._mask, self._balance
        self._worked(len(self._missing))
        whole = masks[target] | run
        best: _Key | None = None
        for key in self._missing:
            mask = key[1]
            if run & ~mask or mask & ~whole or mask == whole or (mask == run and size == 1):
                continue
            if balance[key] >= 0 or (best is not None and mask.bit_count() >= best[1].bit_count()):
                continue
            union = run
            self._worked(len(self._children[target] or ()))
            for child in self._children[target] or ():
                leaves = masks[child]
                if out and child == out[-1]:
                    leaves = changes[len(out) - 1][1]
                if leaves & ~mask == 0:
                    union |= leaves
                elif leaves & mask and not self._overlap:
                    union = 0
                    break
            if union == mask:
                best = key
        return best

    # -- making steps ------------------------------------------------------------

    def _key(self, node: int) -> _Key:
        return self._label[node], self._mask[node]

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

    def _there(self, key: _Key) -> int:
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

    def _relabelled(self, node: int, key: _Key) -> Step:
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

    def _put(self, key: _Key, parent: int, first: int, last: int) -> int:
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

    def _added(self, key: _Key, parent: int, first: int, last: int) -> Step:
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

    def _moved(self, move: _Move) -> Step:
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


def _solid(mask: int) -> bool:
    """Whether the bits of a mask stand side by side.

    >>> _solid(0b0110), _solid(0b101)
    (True, False)
    """
    return mask & (mask + (mask & -mask)) == 0
