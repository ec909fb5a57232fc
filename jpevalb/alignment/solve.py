"""Solve: the path through a stretch of both files, by anchors and, between them, by the kernel."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate, pairwise
from math import sqrt

from .._core.path import align_runs
from ..model.words import BRACKETS, NO_EXCEPTIONS, NOTHING, read_as, texts
from .beads import AlignedBead, Piece, Point, Unit, beads_of, units_of

GRAM = 16
"""Characters of an anchor: text that both sides have once."""

SHORTEST = 4
"""Characters of the shortest anchor that is looked for."""

DIRECT = 1 << 16
"""Pairs of characters up to which no anchors are looked for."""

MOST = 4_000_000
"""Pairs of characters that the kernel gets at once."""

REACH = 500
"""Characters on either side of a jump that its place may depend on."""

CHANCE = 4
"""How many times the root of the number of links a chain of shorter anchors is long; chance gives 2."""

JUMP = 16
"""Characters that one side has more between two anchors from which their place is in doubt."""

LIKE = 0.35
"""Share of equal characters from which two sentences have to do with each other: of unrelated
English sentences 99 % have less than 0.34, of those with 30 % word errors 95 % more than 0.53."""

SHAPE = 4
"""Sentences in a row with equally many tokens each that tell which tokens belong together."""


class Run:
    """The sentences of one side as one run of characters.

    Attributes:
        tokens: Comparison texts of the tokens.
        text: All characters.
        starts: Where each token starts, and the end of the last.
        levels: A byte for each place: 0 inside a token, 1 between two, 2 where a sentence ends.
        ends: Numbers of tokens up to the end of each sentence that has some, from 0 on.
    """

    __slots__ = ("ends", "levels", "starts", "text", "tokens")

    def __init__(self, tokens: list[str], lengths: Sequence[int]) -> None:
        self.tokens = tokens
        self.text = "".join(tokens)
        self.starts = [0, *accumulate(map(len, tokens))]
        levels = bytearray(len(self.text) + 1)
        for start in self.starts:
            levels[start] = 1
        self.ends = [0, *accumulate([length for length in lengths if length])]
        for end in self.ends:
            levels[self.starts[end]] = 2
        self.levels = bytes(levels)

    @classmethod
    def of(cls, sentences: Sequence[Sequence[str]]) -> Run:
        """The run of some sentences, from their words."""
        return cls(
            [text for words in sentences for text in texts(words)], [len(words) for words in sentences]
        )


def solve(
    gold: Sequence[Sequence[str]],
    system: Sequence[Sequence[str]],
    exceptions: Mapping[str, str] = NO_EXCEPTIONS,
) -> list[AlignedBead]:
    """Aligns the sentences and tokens of a stretch whose ends belong together.

    Both sides are one run of characters each.  Grams of 16 characters that both have once are
    anchors; between two of them the kernel finds the cheapest path, with gaps that are cheap at
    sentence ends (:mod:`jpevalb._core.path`).  Beads end where the path is at a sentence end of
    both sides, units where it is between tokens of both.

    Args:
        gold: The words of each gold sentence.
        system: The words of each of the system's sentences.
        exceptions: Comparison texts of tokens and what they are read as.

    Returns:
        The beads, numbered from 0; each sentence is in one of them, each token in one unit.

    Cost: O(n log n) for n characters where the texts agree, O(n * m) up to ``MOST`` pairs of
    characters between two anchors.

    >>> beads = solve([["I", "saw", "it", "."], ["Go", "!"]], [["I", "saw", "it", ".", "Go", "!"]])
    >>> [(bead.gold, bead.system, len(bead.units)) for bead in beads]
    [((0, 2), (0, 1), 6)]
    """
    mine, other = Run.of(gold), Run.of(system)
    points = path(mine, other, exceptions)
    lengths = [len(words) for words in gold], [len(words) for words in system]
    found = beads_of(points, *lengths, _Unlike(mine, other).among)
    if NOTHING in mine.text or NOTHING in other.text:
        found = [
            replace(bead, aligned=_written(gold[slice(*bead.gold)]) == _written(system[slice(*bead.system)]))
            for bead in found
        ]
    return found


class _Unlike:
    """Tells pieces of a path whose two sides have nothing to do with each other.

    Where few characters are equal, sentences are paired by their place all the same: one that
    stands alone between two that are aligned, and others that have as many words.  But not where
    the text of one side stands elsewhere on the other, as where sentences changed places.
    """

    def __init__(self, gold: Run, system: Run) -> None:
        self._gold = gold
        self._system = system
        self._grams: tuple[dict[str, int], dict[str, int]] | None = None

    def among(self, pieces: Sequence[Piece]) -> list[bool]:
        """Which of the pieces these are; none has text on one side only."""
        paired = [a < b and c < d for (a, b), (c, d), _, _ in pieces]
        like = [pair and self._like(piece) for pair, piece in zip(paired, pieces)]
        around = [True, *like, True]
        return [
            pair and not alike and self._apart(piece, between=around[k] and around[k + 2])
            for k, (pair, alike, piece) in enumerate(zip(paired, like, pieces))
        ]

    def _like(self, piece: Piece) -> bool:
        (a, b), (c, d), _, equal = piece
        if equal == 0:
            return False
        mine, other = self._gold, self._system
        sizes = (
            mine.starts[mine.ends[b]] - mine.starts[mine.ends[a]],
            other.starts[other.ends[d]] - other.starts[other.ends[c]],
        )
        return equal >= LIKE * max(sizes)

    def _apart(self, piece: Piece, *, between: bool) -> bool:
        (a, b), (c, d), _, _ = piece
        i, n, j, m = self._gold.ends[a], self._gold.ends[b], self._system.ends[c], self._system.ends[d]
        if min(b - a, d - c) > 1:
            return True
        if n - i != m - j and (b - a + d - c > 2 or not between):
            return True
        return self._elsewhere(i, n, j, m)

    def _elsewhere(self, i: int, n: int, j: int, m: int) -> bool:
        if self._grams is None:
            mine, other = self._gold, self._system
            self._grams = (
                grams(mine, 0, len(mine.tokens), GRAM, inside=True),
                grams(other, 0, len(other.tokens), GRAM, inside=True),
            )
        for run, begin, end, known in (
            (self._gold, i, n, self._grams[1]),
            (self._system, j, m, self._grams[0]),
        ):
            its = grams(run, begin, end, GRAM, inside=True)
            if its and 2 * len(its.keys() & known.keys()) >= len(its):
                return True
        return False


def _written(sentences: Sequence[Sequence[str]]) -> bool:
    """Whether sentences have any text."""
    return any(text != NOTHING for words in sentences for text in texts(words))


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
    from .beads import one_to_one

    if len(gold) == len(system) and list(gold) == list(system):
        return one_to_one(len(gold))
    points = path(Run.of([gold]), Run.of([system]), exceptions)
    return units_of(points, 0, len(points) - 1)


def path(gold: Run, system: Run, exceptions: Mapping[str, str] = NO_EXCEPTIONS) -> list[Point]:
    """The places of the cheapest path that are between tokens on both sides; see :func:`solve`."""
    return list(_Search(gold, system, exceptions).points())


Place = tuple[int, int]
"""Numbers of gold and of system tokens."""


class _Search:
    """The search for a path, piece by piece."""

    def __init__(self, gold: Run, system: Run, exceptions: Mapping[str, str]) -> None:
        self.gold = gold
        self.system = system
        known = {**BRACKETS, **exceptions}
        self.exceptions = known if known.keys() & {*gold.tokens, *system.tokens} else {}
        self.equal = 0

    def points(self) -> Iterator[Point]:
        yield 0, 0, 0
        # Pieces still to come, the next one last: their ends, and the length of anchors to look for.
        todo = [(0, 0, len(self.gold.tokens), len(self.system.tokens), GRAM)]
        while todo:
            i, j, n, m, gram = todo.pop()
            if i == n or j == m:
                yield from [(k, j, self.equal) for k in range(i + 1, n + 1)]
                yield from [(n, k, self.equal) for k in range(j + 1, m + 1)]
                continue
            found = self._equal(i, j, n, m) or self._alike(i, j, n, m)
            if found:
                yield from found
                continue
            sizes = self.gold.starts[n] - self.gold.starts[i], self.system.starts[m] - self.system.starts[j]
            cells, short = sizes[0] * sizes[1], min(sizes)
            if cells > DIRECT and gram >= SHORTEST and (cells > MOST or gram == GRAM):
                places = self._anchors(i, j, n, m, gram)
                if places or cells > MOST:
                    ends = [(i, j), *places, (n, m)]
                    todo += [(*a, *b, gram // 2) for a, b in zip(reversed(ends[:-1]), reversed(ends[1:]))]
                    continue
            if cells <= MOST:
                yield from self._kernel(i, j, n, m)
                continue
            if short * short * 5 < 2 * MOST:
                yield from self._kernel(i, j, n, m)
                continue
            half = self._half(i, j, n, m)
            if half is None:
                yield n, m, self.equal
            else:
                todo += [(*half, n, m, 0), (i, j, *half, 0)]

    # -- pieces that need no search --------------------------------------------------

    def _equal(self, i: int, j: int, n: int, m: int) -> list[Point]:
        """The cuts that both sides have where their characters are equal."""
        mine, other = self.gold.starts, self.system.starts
        p, q = mine[i], other[j]
        size = mine[n] - p
        if size != other[m] - q or self.gold.text[p : p + size] != self.system.text[q : q + size]:
            return []
        before = self.equal - p
        self.equal += size
        shift = q - p
        if n - i == m - j and [start + shift for start in mine[i : n + 1]] == other[j : m + 1]:
            move = j - i
            return [(k, k + move, before + mine[k]) for k in range(i + 1, n + 1)]
        numbers = {other[k] - shift: k for k in range(j + 1, m + 1)}
        return [(k, numbers[mine[k]], before + mine[k]) for k in range(i + 1, n + 1) if mine[k] in numbers]

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
        found = []
        for k in range(i, n):
            x, y = mine.tokens[k], other.tokens[k + move]
            self.equal += len(x) if x == y else sum([one == two for one, two in zip(x, y)])
            found.append((k + 1, k + 1 + move, self.equal))
        return found

    # -- anchors ---------------------------------------------------------------------

    def _anchors(self, i: int, j: int, n: int, m: int, gram: int) -> list[Place]:
        """Places where a gram starts that both sides have once, ascending on both sides."""
        for inside in (True, False):
            mine = grams(self.gold, i, n, gram, inside=inside)
            other = grams(self.system, j, m, gram, inside=inside)
            links = [(k, other[text]) for text, k in mine.items() if k >= 0 and other.get(text, -1) >= 0]
            chain = longest_chain(links)
            if gram == GRAM:
                return [place for place in self._thinned(self._sure(chain)) if place != (i, j)]
            if len(chain) > CHANCE * sqrt(len(links)):
                return [place for place in self._thinned(chain) if place != (i, j)]
        return []

    def _thinned(self, chain: list[Place]) -> list[Place]:
        """Of anchors in a row with equal text between them only the first and the last."""
        mine, other = self.gold, self.system
        text, starts, text2, starts2 = mine.text, mine.starts, other.text, other.starts
        kept: list[Place] = []
        first = None
        p = q = 0
        last: Place | None = None
        for place in chain:
            r, s = starts[place[0]], starts2[place[1]]
            if last is not None and r - p == s - q and text[p:r] == text2[q:s]:
                last = place
            else:
                if last is not None and last != first:
                    kept.append(last)
                kept.append(place)
                first = last = place
            p, q = r, s
        if last is not None and last != first:
            kept.append(last)
        return kept

    def _sure(self, chain: list[Place]) -> list[Place]:
        """Leaves out anchors near a jump: which copy a text goes with is for the kernel to find out."""
        mine, other = self.gold.starts, self.system.starts
        spots = [(mine[i], other[j]) for i, j in chain]
        jumps = [
            k
            for k in range(1, len(spots))
            if abs(spots[k][0] - spots[k - 1][0] - spots[k][1] + spots[k - 1][1]) >= JUMP
        ]
        if not jumps:
            return chain
        doubtful = [False] * len(chain)
        for before, at, behind in zip([0, *jumps], jumps, [*jumps[1:], len(chain)]):
            (p, q), (r, s) = spots[at - 1], spots[at]
            reach = min(REACH, abs(r - p - s + q))
            # What stands between two jumps keeps its middle, unless it is a single anchor.
            left = min(reach, (p - spots[before][0]) // 3)
            right = min(reach, (spots[behind - 1][0] - r) // 3)
            short, long = sorted((r - p + left + right, s - q + left + right))
            if short * long > MOST and short * short * 5 >= 2 * MOST:
                continue
            k = at - 1
            while k >= before and spots[k][0] >= p - left:
                doubtful[k] = True
                k -= 1
            k = at
            while k < behind and spots[k][0] <= r + right:
                doubtful[k] = True
                k += 1
        return [place for place, doubt in zip(chain, doubtful) if not doubt]

    # -- the kernel --------------------------------------------------------------------

    def _kernel(self, i: int, j: int, n: int, m: int) -> Iterator[Point]:
        """The cheapest path of a piece: as it is written, or as the exceptions say."""
        gold, system = self.gold, self.system
        p, q, r, s = gold.starts[i], system.starts[j], gold.starts[n], system.starts[m]
        known = self.exceptions
        plain = not known or (
            known.keys().isdisjoint(gold.tokens[i:n]) and known.keys().isdisjoint(system.tokens[j:m])
        )
        if plain and (r - p) * (s - q) <= MOST:
            before = self.equal
            _, found = align_runs(
                gold.text[p:r], system.text[q:s], gold.levels[p : r + 1], system.levels[q : s + 1]
            )
            self.equal += found[-1][2]
            yield from [(i + a, j + b, before + equal) for a, b, equal in found[1:]]
            return
        mine, other = _Part(self.gold, i, n), _Part(self.system, j, m)
        # The middle of a side that is far longer than the other has no counterpart, wherever the
        # rest has one: it is left out, and put back where the path comes by.
        if mine.size * other.size > MOST:
            short, long = (mine, other) if mine.size < other.size else (other, mine)
            long.leave_out(MOST // short.size)
        cost, points = _cheapest(mine, other)
        if self.exceptions:
            for_mine, for_other = mine.read_as(self.exceptions), other.read_as(self.exceptions)
            if for_mine is not mine or for_other is not other:
                again = _cheapest(for_mine, for_other)
                if again[0] < cost:
                    points = again[1]
        before = self.equal
        self.equal += points[-1][2]
        for number, (a, b, equal) in enumerate(points):
            x, y = mine.number(a), other.number(b)
            if number:
                yield x, y, before + equal
            behind = points[number + 1][:2] if number + 1 < len(points) else (a, b)
            if x == mine.stop and behind[0] > a:
                for k in range(x + 1, mine.again + 1):
                    yield k, y, before + equal
            if y == other.stop and behind[1] > b:
                for k in range(y + 1, other.again + 1):
                    yield x, k, before + equal

    # -- nothing in common -------------------------------------------------------------

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


class _Part:
    """Tokens of one side for the kernel, without those in the middle where they are too many.

    Attributes:
        run: The side.
        begin: The first token.
        stop: The first token that is left out.
        again: The first token behind those.
        end: The token behind the last one.
        tokens: Their texts.
    """

    __slots__ = ("again", "begin", "end", "run", "stop", "tokens")

    def __init__(self, run: Run, begin: int, end: int, tokens: list[str] | None = None) -> None:
        self.run = run
        self.begin = begin
        self.stop = self.again = self.end = end
        self.tokens = run.tokens[begin:end] if tokens is None else tokens

    @property
    def size(self) -> int:
        """The number of characters."""
        return self.run.starts[self.end] - self.run.starts[self.begin]

    def leave_out(self, most: int) -> None:
        """Leaves out tokens in the middle, best whole sentences, so that so many characters are left."""
        starts, ends = self.run.starts, self.run.ends
        first, last = starts[self.begin] + most // 2, starts[self.end] - most // 2
        self.stop = bisect_right(starts, first) - 1
        self.again = bisect_left(starts, last)
        end = ends[bisect_right(ends, self.stop) - 1]
        if starts[end] > first - most // 4:
            self.stop = end
        end = ends[bisect_left(ends, self.again)]
        if starts[end] < last + most // 4:
            self.again = end
        self.tokens = self.run.tokens[self.begin : self.stop] + self.run.tokens[self.again : self.end]

    def read_as(self, exceptions: Mapping[str, str]) -> _Part:
        """The part as the exceptions say; this one if they say nothing of it."""
        tokens = read_as(self.tokens, exceptions)
        if tokens is self.tokens:
            return self
        part = _Part(self.run, self.begin, self.end, tokens)
        part.stop, part.again = self.stop, self.again
        return part

    def number(self, tokens: int) -> int:
        """The number of the token that has so many tokens of the part before it."""
        number = self.begin + tokens
        return number if number <= self.stop else number + self.again - self.stop

    def levels(self) -> bytes:
        """The level of each place."""
        run, starts = self.run, self.run.starts
        found = bytearray([run.levels[starts[self.begin]]])
        places = [*range(self.begin + 1, self.stop + 1), *range(self.again + 1, self.end + 1)]
        for text, k in zip(self.tokens, places):
            found += bytes(len(text) - 1)
            found.append(run.levels[starts[k]])
        return bytes(found)


def _cheapest(gold: _Part, system: _Part) -> tuple[int, list[Point]]:
    found: tuple[int, list[Point]] = align_runs(
        "".join(gold.tokens), "".join(system.tokens), gold.levels(), system.levels()
    )
    return found


def grams(run: Run, begin: int, end: int, size: int, *, inside: bool) -> dict[str, int]:
    """For each text of so many characters at the start of a token its number; -1 if it comes again.

    Args:
        run: The run.
        begin: The first token.
        end: The token after the last.
        size: Characters of a gram.
        inside: Whether it must lie inside one sentence: what follows a sentence end is another copy
            where a sentence was dropped or doubled.
    """
    found: dict[str, int] = {}
    text, starts = run.text, run.starts
    ends = run.ends if inside else [begin, end]
    at = bisect_left(ends, begin + 1)
    first = begin
    while first < end:
        last = min(ends[at], end)
        most = starts[last] - size
        for k in range(first, last):
            p = starts[k]
            if p > most:
                break
            gram = text[p : p + size]
            found[gram] = -1 if gram in found else k
        first = last
        at += 1
    return found


def longest_chain(links: Sequence[Place]) -> list[Place]:
    """The longest part of some links, which ascend on the first side, that ascends on the other side too.

    Cost: O(n log n).

    >>> longest_chain([(0, 5), (1, 1), (2, 2), (3, 9), (4, 3)])
    [(1, 1), (2, 2), (4, 3)]
    """
    tops: list[int] = []
    ends: list[int] = []
    before = [-1] * len(links)
    for number, (_, q) in enumerate(links):
        height = bisect_left(tops, q)
        if height:
            before[number] = ends[height - 1]
        if height == len(tops):
            tops.append(q)
            ends.append(number)
        else:
            tops[height] = q
            ends[height] = number
    chain: list[Place] = []
    at = ends[-1] if ends else -1
    while at >= 0:
        chain.append(links[at])
        at = before[at]
    chain.reverse()
    return chain
