"""Solve: the path through a stretch of both files, by anchors and, between them, by the kernel."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

from ..kernels.path import CUT, GAP, SENTENCE, align_runs, both_end, equal_cuts, shared_cuts, units_between
from ..trees.words import BRACKETS, NO_EXCEPTIONS, NOTHING, texts
from .anchors import GRAM, Place, anchors
from .beads import AlignedBead, Piece, Point, Unit, alone_units, beads_of, one_to_one, with_blanks
from .run import Part, Run, at_once, fits, shared_prefix
from .similar import Unlike

SHORTEST = 4
"""Characters of the shortest anchor that is looked for."""

DIRECT = 1 << 16
"""Pairs of characters up to which no anchors are looked for."""

HALVED = 0
"""What stands for the length of anchors where pieces without any, of all lengths, were halved."""

FEW = 1 << 18
"""Pairs of characters of such a piece that are searched: there is little to be found."""

SHAPE = 4
"""Sentences in a row with equally many tokens each that tell which tokens belong together."""


def solve(
    gold: Sequence[Sequence[str]],
    system: Sequence[Sequence[str]],
    exceptions: Mapping[str, str] = NO_EXCEPTIONS,
    runs: tuple[Run, Run] | None = None,
) -> list[AlignedBead]:
    """Aligns the sentences and tokens of a stretch whose ends belong together.

    Both sides are one run of characters each.  Grams of 16 characters that both have once are
    anchors; between two of them the kernel finds the cheapest path, with gaps that are cheap at
    sentence ends (:mod:`jpevalb.kernels.path`).  Beads end where the path is at a sentence end of
    both sides, units where it is between tokens of both.

    Args:
        gold: The words of each gold sentence.
        system: The words of each of the system's sentences.
        exceptions: Comparison texts of tokens and what they are read as.
        runs: Both sides as runs of characters, where there are any yet.

    Returns:
        The beads, numbered from 0; each sentence is in one of them, each token in one unit.

    Cost: O(n log n) for n characters where the texts agree, O(n * m) up to 4 million pairs of
    characters between two anchors.

    >>> beads = solve([["I", "saw", "it", "."], ["Go", "!"]], [["I", "saw", "it", ".", "Go", "!"]])
    >>> [(bead.gold, bead.system, len(bead.units)) for bead in beads]
    [((0, 2), (0, 1), 6)]
    """
    mine, other = runs or (Run.of(gold), Run.of(system))
    if NOTHING not in mine.text and NOTHING not in other.text:
        return _beads(mine, other, gold, system, exceptions)
    # A sentence whose tokens are all of blanks is one without words; these are put back afterwards.
    kept, kept_too = ([words if _written(words) else () for words in side] for side in (gold, system))
    found = _beads(Run.of(kept), Run.of(kept_too), kept, kept_too, exceptions)
    return [with_blanks(bead, (gold, kept), (system, kept_too)) for bead in found]


def _beads(
    mine: Run,
    other: Run,
    gold: Sequence[Sequence[str]],
    system: Sequence[Sequence[str]],
    exceptions: Mapping[str, str],
) -> list[AlignedBead]:
    pieces = pieces_of(path(mine, other, exceptions), mine, other)
    return beads_of(pieces, Unlike(mine, other).among(pieces), list(map(len, gold)), list(map(len, system)))


def _written(words: Sequence[str]) -> bool:
    """Whether a sentence has any text."""
    return any(text != NOTHING for text in texts(words))


def units_of(points: list[Point], begin: int, end: int) -> tuple[Unit, ...]:
    """The units of the tokens between two points of a path, counted from the first.

    A unit ends at a point where both sides have moved on since the last one; what is left at the
    end joins the last unit.  If one side has no token, each token of the other is a unit.

    Cost: O(points).
    """
    i, j, _ = points[begin]
    n, m = points[end][0] - i, points[end][1] - j
    if not m or not n:
        return alone_units(n or m, gold=not m)
    if end - begin == n == m and [a - b for a, b, _ in points[begin:end]].count(i - j) == n:
        # As many points as tokens, and as many tokens of either side before each of them.
        return one_to_one(n)
    return tuple(units_between(points, begin, end, Unit))


def pieces_of(points: list[Point], gold: Run, system: Run) -> list[Piece]:
    """Cuts a path wherever a sentence ends on both sides.  Cost: O(points + sentences).

    Args:
        points: The path, from (0, 0, 0) to the numbers of all tokens.
        gold: Gold's run.
        system: The system's run.
    """
    found: list[Piece] = []
    begin = i = j = 0
    for at, n, m in both_end(points, gold.ends, system.ends):
        sizes = gold.size(i, n), system.size(j, m)
        units = units_of(points, begin, at)
        found.append(Piece((i, n), (j, m), units, points[at][2] - points[begin][2], sizes))
        begin, i, j = at, n, m
    return found


def word_units(
    gold: Sequence[str], system: Sequence[str], exceptions: Mapping[str, str] = NO_EXCEPTIONS
) -> tuple[Unit, ...]:
    """Aligns the tokens of two sentences that belong together.

    Args:
        gold: Gold tokens.
        system: The system's tokens.
        exceptions: Comparison texts of tokens and what they are read as.

    Returns:
        Units in order that hold every token of both sides once.  If one side has no token, each
        token of the other is a unit.

    Cost: O(tokens) for equal lists, else as :func:`solve`.

    >>> word_units(["I", "can", "not"], ["I", "cannot"])[1:]
    (Unit(gold_start=1, gold_end=3, system_start=1, system_end=2),)
    """
    if len(gold) == len(system) and list(gold) == list(system):
        return one_to_one(len(gold))
    points = path(Run.of([gold]), Run.of([system]), exceptions)
    return units_of(points, 0, len(points) - 1)


def path(gold: Run, system: Run, exceptions: Mapping[str, str] = NO_EXCEPTIONS) -> list[Point]:
    """The places of the cheapest path that are between tokens on both sides; see :func:`solve`."""
    return _Search(gold, system, exceptions).points()


class _Search:
    """The search for a path, piece by piece."""

    def __init__(self, gold: Run, system: Run, exceptions: Mapping[str, str]) -> None:
        self.gold = gold
        self.system = system
        self.exceptions = {**BRACKETS, **exceptions}
        self.equal = 0

    def points(self) -> list[Point]:
        gold, system = self.gold, self.system
        path = [(0, 0, 0)]
        # Pieces still to come, the next one last: their ends, and the length of anchors to look for.
        todo = [(0, 0, len(gold.tokens), len(system.tokens), GRAM)]
        while todo:
            i, j, n, m, gram = todo.pop()
            if i == n or j == m:
                path += [(k, j, self.equal) for k in range(i + 1, n + 1)]
                path += [(n, k, self.equal) for k in range(j + 1, m + 1)]
                continue
            found = self._passed(equal_cuts, i, j, n, m) or self._alike(i, j, n, m)
            if found:
                path += found
                continue
            sizes = gold.starts[n] - gold.starts[i], system.starts[m] - system.starts[j]
            small = at_once(*sizes)
            if sizes[0] * sizes[1] > DIRECT and gram >= SHORTEST and (gram == GRAM or not small):
                places = anchors(gold, system, (i, j, n, m), gram)
                if places or not small:
                    ends = [(i, j), *places, (n, m)]
                    todo += [(*a, *b, gram // 2) for a, b in zip(reversed(ends[:-1]), reversed(ends[1:]))]
                    continue
            half = None
            if not fits(*sizes) or (gram == HALVED and sizes[0] * sizes[1] > FEW):
                half = self._half(i, j, n, m)
            if half is not None:
                todo += [(*half, n, m, HALVED), (i, j, *half, HALVED)]
            elif fits(*sizes):
                # Token for token up to the last sentence end before which both sides are the same in all:
                # a cheapest path goes there, the one that the kernel would take, since what a side has
                # more is passed as late as possible.
                found = self._passed(shared_cuts, i, j, n, m)
                if found:
                    todo.append((*found[-1][:2], n, m, min(gram, 1)))
                path += found or self._kernel(i, j, n, m)
            else:
                self.equal += self._at_the_ends(i, j, n, m)
                path.append((n, m, self.equal))
        return path

    # -- pieces that need no search --------------------------------------------------

    def _passed(self, cuts: Callable[..., list[Point]], *piece: int) -> list[Point]:
        """The cuts of a piece that are found without a search, and whose equal characters are counted."""
        points = cuts(self.gold.parts, self.system.parts, piece, self.equal)
        if points:
            self.equal = points[-1][2]
        return points

    def _alike(self, i: int, j: int, n: int, m: int) -> list[Point]:
        """Token for token, where several sentences in a row have equally many on both sides."""
        if n - i != m - j:
            return []
        mine, other = self.gold, self.system
        a, b = bisect_left(mine.ends, i + 1), bisect_left(other.ends, j + 1)
        c, d = bisect_left(mine.ends, n), bisect_left(other.ends, m)
        if c - a < SHAPE or c - a != d - b:
            return []
        move = j - i
        ends = mine.ends[a:c]
        if [end + move for end in ends] != other.ends[b:d]:
            return []
        if len({end - begin for begin, end in pairwise(ends)}) < SHAPE // 2:
            return []  # lines of one length everywhere
        if self._moved(i, j, n):
            return []
        found = []
        for k in range(i, n):
            x, y = mine.tokens[k], other.tokens[k + move]
            self.equal += len(x) if x == y else sum([one == two for one, two in zip(x, y)])
            found.append((k + 1, k + 1 + move, self.equal))
        return found

    def _moved(self, i: int, j: int, n: int) -> bool:
        """Whether tokens differ by where they end rather than by what is written: a half and more of them.

        Then gold's token is in the text of the system's token of its number and of its neighbours.
        """
        mine, starts, text = self.gold.tokens, self.system.starts, self.system.text
        last = len(starts) - 1
        moved = other = 0
        for k in range(i, n):
            token, at = mine[k], k + j - i
            if len(token) > 1 and token != self.system.tokens[at]:
                if token in text[starts[max(0, at - 1)] : starts[min(last, at + 2)]]:
                    moved += 1
                else:
                    other += 1
        return moved > 0 and moved >= other

    # -- the kernel --------------------------------------------------------------------

    def _kernel(self, i: int, j: int, n: int, m: int) -> list[Point]:
        """The cheapest path of a piece: as it is written, or as the exceptions say."""
        gold, system = self.gold, self.system
        p, q, r, s = gold.starts[i], system.starts[j], gold.starts[n], system.starts[m]
        known = self.exceptions
        plain = known.keys().isdisjoint(gold.tokens[i:n]) and known.keys().isdisjoint(system.tokens[j:m])
        found: list[Point]
        if plain and at_once(r - p, s - q):
            _, found = align_runs(
                gold.text[p:r],
                system.text[q:s],
                gold.levels[p : r + 1],
                system.levels[q : s + 1],
                (i, j, self.equal),
            )
            self.equal = found[-1][2]
            return found[1:]
        mine, other = Part(self.gold, i, n), Part(self.system, j, m)
        # The middle of a side that is far longer than the other has no counterpart, wherever the
        # rest has one: it is left out, and put back where the path comes by.
        if not at_once(mine.size, other.size):
            short, long = (mine, other) if mine.size < other.size else (other, mine)
            long.leave_out(short.size)
        cost, points = _cheapest(mine, other)
        if not plain and not _found_whole(cost, points, mine, other):
            for_mine, for_other = mine.read_as(self.exceptions), other.read_as(self.exceptions)
            if for_mine is not mine or for_other is not other:
                again = _cheapest(for_mine, for_other)
                if again[0] < cost:
                    points = again[1]
        before = self.equal
        self.equal += points[-1][2]
        found = []
        for number, (a, b, equal) in enumerate(points):
            x, y = mine.number(a), other.number(b)
            if number:
                found.append((x, y, before + equal))
            behind = points[number + 1][:2] if number + 1 < len(points) else (a + 1, b + 1)
            if x == mine.stop and behind[0] > a:
                found += [(k, y, before + equal) for k in range(x + 1, mine.again + 1)]
            if y == other.stop and behind[1] > b:
                found += [(x, k, before + equal) for k in range(y + 1, other.again + 1)]
        return found

    # -- nothing in common -------------------------------------------------------------

    def _at_the_ends(self, i: int, j: int, n: int, m: int) -> int:
        """How many characters are equal from either end on, of tokens that are too long to search."""
        mine, other = self.gold, self.system
        a = mine.text[mine.starts[i] : mine.starts[n]]
        b = other.text[other.starts[j] : other.starts[m]]
        found = 0
        for _ in range(2):
            found += shared_prefix(a, b, min(len(a), len(b)) - found)
            a, b = a[::-1], b[::-1]
        return found

    def _half(self, i: int, j: int, n: int, m: int) -> Place | None:
        """A place about halfway: by tokens where both sides have as many, else by sentences.

        In proportion where these are not as many either.
        """
        if n - i < 2 or m - j < 2:
            return None
        half = (n - i) // 2
        if n - i == m - j:
            return i + half, j + half
        mine, other = self.gold.ends, self.system.ends
        a, b = bisect_left(mine, i + 1), bisect_left(other, j + 1)
        c, d = bisect_left(mine, n), bisect_left(other, m)
        if c > a and d > b:
            if c - a == d - b:
                return mine[a + (c - a) // 2], other[b + (d - b) // 2]
            middle = mine[a + (c - a) // 2]
            place = j + (middle - i) * (m - j) // (n - i)
            at = min(max(bisect_left(other, place), b), d - 1)
            if at > b and place - other[at - 1] < other[at] - place:
                at -= 1
            return middle, other[at]
        return i + half, j + max(1, (m - j) // 2)


def _found_whole(cost: int, points: Sequence[Point], gold: Part, system: Part) -> bool:
    """Whether no path can cost less: one side is found whole in the other, which has whole sentences more.

    Then there is nothing to be read in another way.
    """
    ends = sum([gold.at_end(a) and system.at_end(b) for a, b, _ in points[1:]])
    least = GAP * abs(gold.size - system.size) - CUT * min(len(gold.tokens), len(system.tokens))
    return cost == least - SENTENCE * ends


def _cheapest(gold: Part, system: Part) -> tuple[int, list[Point]]:
    found: tuple[int, list[Point]] = align_runs(
        "".join(gold.tokens), "".join(system.tokens), gold.levels(), system.levels()
    )
    return found
