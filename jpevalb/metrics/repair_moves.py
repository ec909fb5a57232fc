"""Moves: which runs of children of a tree under repair can hang elsewhere, and what that mends."""

from __future__ import annotations

from typing import NamedTuple

from .repair_nodes import Key, RepairNodes, solid

LEVELS = 12
"""Levels that a run moves beyond the node that is mended, up and down."""


class Move(NamedTuple):
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
    around: Key | None
    """The missing node to put around it."""
    drop: bool
    """Whether the node that it leaves goes."""


class RepairMoves(RepairNodes):
    """A part of a tree with the search for its best move."""

    def _best_move(self, extras: list[int], least: int) -> Move | None:
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
        self._least = least
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
                    if move.gain > self._least:
                        best, self._least = move, move.gain
        return best

    def _moves(self, node: int, wanted: int) -> list[Move]:
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

    def _into(self, node: int, run: int, source: int, first: int, last: int) -> list[Move]:
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

    def _out_of(self, node: int, run: int, source: int, first: int, last: int) -> list[Move]:
        """Moves out of an extra node, and further up, and from there into its sisters."""
        parents = self._parent
        out = [source]
        while out[-1] != node:
            if len(out) > LEVELS or not self._is_extra(out[-1]) or parents[out[-1]] < 0:
                return []
            out.append(parents[out[-1]])
        found: list[Move] = []
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
    ) -> list[Move]:
        """A move into a node, and those into what stands at its edge."""
        found: list[Move] = []
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
    ) -> list[Move]:
        """What a move mends; nothing where it would leave a gap that gold has nowhere."""
        masks, labels, balance = self._mask, self._label, self._balance
        self._worked(4 * (len(out) + len(into)))
        changes = self._changes(source, first, last, run, out, into)
        if not self._gaps:
            for _, mask in changes:
                if not solid(mask):
                    return []
        gain = 0
        matched = False
        undo: list[tuple[Key, int]] = []
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
        around = None
        if not matched and gain >= self._least:
            # A node around the run mends one bracket more; what mends less than the best so far is nothing.
            around = self._around(run, into[-1] if into else top, out, changes, last - first)
            gain += around is not None
        for key, by in undo:
            balance[key] += by
        if matched or gain <= self._least:
            return []
        return [Move(gain, source, first, last, out, into, right, top, around, drop)]

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
    ) -> Key | None:
        """The smallest missing node that a run and some of its new sisters can stand under."""
        masks, balance = self._mask, self._balance
        self._worked(len(self._missing))
        whole = masks[target] | run
        best: Key | None = None
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
