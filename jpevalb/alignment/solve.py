"""Alignment of a stretch of both files: finds anchors, and the cheapest path between them."""

from __future__ import annotations

import os
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import islice, zip_longest
from operator import eq
from typing import Any, NamedTuple, TypeAlias

from ..base.errors import JpevalbError
from ..kernels.path import align_runs, both_end, counts_of, equal_cuts, levels_of, units_between
from ..trees.tree import Tree, is_node
from ..trees.words import BRACKETS, ENCLITICS, NO_EXCEPTIONS, read_as
from . import Unit, one_to_one, with_unaligned
from .exceptions import exceptions_of
from .run import CharacterRun, TokenPair, anchors, edit_anchors, grams, without_one_sided
from .stream import stretches

DIRECT = 1 << 16  # maximum number of character pairs that are searched without anchors
MOST = 4_000_000  # maximum number of character pairs in one call of the kernel
EDITS = 10**11  # maximum number of character pairs whose fewest edits are searched for anchors
LEAST = 8  # minimum number of tokens that are paired one by one without a search
# Minimum share of equal characters of related sentences: 99 % of unrelated English sentences have less than
# 0.34, 95 % of those with 30 % word errors have more than 0.53.
RELATED = 0.35
# Minimum share of the shorter side's characters that are in equal units, if one side has more sentences
CONTAINED = 0.5
FOREIGN = 20  # texts of two scripts have fewer than one of so many letters in common

# Gold tokens, system tokens and equal characters before a point of a path that is between tokens on both
# sides
Point: TypeAlias = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class AlignedBead:
    """Gold and system sentences that carry the same text, with aligned words."""

    gold: tuple[int, int]  #: half-open range of 0-based gold sentence numbers; may be empty
    system: tuple[int, int]  #: half-open range of 0-based system sentence numbers; may be empty
    aligned: bool  #: False if exactly one side has text
    #: half-open ranges of corresponding tokens, in order, counted through the bead's sentences
    units: tuple[Unit, ...]
    #: characters of the comparison texts that are aligned with equal ones; ``None`` if all words are equal
    #: and nothing was compared
    equal: int | None = field(default=None, compare=False)
    #: lengths in characters of the comparison texts of gold and system, if known
    sizes: tuple[int, int] | None = field(default=None, compare=False, repr=False)

    def moved(self, gold: int, system: int) -> AlignedBead:
        """Return the same bead with more sentences before it on either side."""
        (a, b), (c, d) = self.gold, self.system
        return replace(self, gold=(a + gold, b + gold), system=(c + system, d + system))


class Piece(NamedTuple):
    """Sentences between two sentence ends of both sides; sentences without words do not count."""

    gold: tuple[int, int]  # half-open range of sentences
    system: tuple[int, int]
    units: tuple[Unit, ...]  # tokens are counted from the first of the piece
    equal: int  # pairs of equal characters
    sizes: tuple[int, int]  # characters of gold and of the system


def beads_of(
    pieces: Sequence[Piece], unrelated_pieces: Sequence[bool], gold: Sequence[int], system: Sequence[int]
) -> list[AlignedBead]:
    """Return the beads of a path, with each sentence of both sides in one bead, in order.

    A sentence without words is paired with the sentence at its position if only the other side has that, or
    if it has no words either; otherwise it stays alone, and so do the sentences of unrelated pieces.
    ``gold`` and ``system`` are the numbers of tokens of the sentences.
    """
    beads: list[AlignedBead] = []
    lengths = gold, system
    full = [[number for number, tokens in enumerate(side) if tokens] for side in lengths]
    at = [0, 0]  # the first sentence of each side that is in no bead yet
    # Units of the next sentences, which have no counterpart; () for one without words.
    waiting: tuple[list[tuple[Unit, ...]], list[tuple[Unit, ...]]] = [], []

    def wait_for_blanks(side: int, number: int) -> None:
        # All sentences before that number that do not wait yet have no words.
        waiting[side].extend([()] * (number - at[side] - len(waiting[side])))

    def flush() -> None:
        """Make beads of the waiting sentences, each with the empty sentence at its position, if any."""
        for both in zip_longest(*waiting):
            starts = list(at)
            for side, one in enumerate(both):
                at[side] += one is not None
            units = both[0] or both[1] or ()
            spans = (starts[0], at[0]), (starts[1], at[1])
            beads.append(AlignedBead(*spans, not units, units, 0 if units else None))
        for one in waiting:
            one.clear()

    for piece, unrelated in zip(pieces, unrelated_pieces):
        ranges = piece.gold, piece.system
        if unrelated:
            for side, (begin, end) in enumerate(ranges):
                wait_for_blanks(side, full[side][begin])
                flush()
                for number in full[side][begin:end]:
                    wait_for_blanks(side, number)
                    tokens = lengths[side][number]
                    waiting[side].append(with_unaligned((), *((0, tokens) if side else (tokens, 0))))
            continue
        sides = [side for side, (begin, end) in enumerate(ranges) if begin < end]
        for side in sides:
            wait_for_blanks(side, full[side][ranges[side][0]])
        if len(sides) == 2:
            flush()
            i, j = at
            at = [full[side][end - 1] + 1 for side, (_, end) in enumerate(ranges)]
            beads.append(AlignedBead((i, at[0]), (j, at[1]), True, piece.units, piece.equal, piece.sizes))
            continue
        (side,) = sides
        if any(waiting[1 - side]):
            # Sentences that wait on both sides are unrelated; an empty sentence pairs with one of them.
            flush()
        waiting[side].append(piece.units)
    for side, numbers in enumerate(lengths):
        wait_for_blanks(side, len(numbers))
    flush()
    return beads


def are_unrelated(pieces: Sequence[Piece], gold: CharacterRun, system: CharacterRun) -> list[bool]:
    """Return for each piece of a path whether its sides are unrelated; False if only one side has text.

    With few equal characters, a single sentence between two related ones is still paired by position, and so
    are sentences with the same number of words, unless the text of one side occurs elsewhere on the other, as
    after a change of order.
    """
    paired = [a < b and c < d for (a, b), (c, d), *_ in pieces]
    related = [
        pair and piece.equal > 0 and _are_related(piece, gold, system) for pair, piece in zip(paired, pieces)
    ]
    around = [True, *related, True]

    @cache
    def grams_of(run: CharacterRun) -> dict[str, int]:
        return grams(run, 0, len(run.tokens))

    def apart(piece: Piece, between: bool) -> bool:
        (a, b), (c, d), *_ = piece
        i, n, j, m = gold.ends[a], gold.ends[b], system.ends[c], system.ends[d]
        if n - i != m - j and (b - a + d - c > 2 or not between):
            return True
        # Is the text of one side elsewhere on the other?
        for run, begin, end, other in ((gold, i, n, system), (system, j, m, gold)):
            found = grams(run, begin, end)
            if found and 2 * len(found.keys() & grams_of(other).keys()) >= len(found):
                return True
        return False

    return [
        pair and not like and apart(piece, around[k] and around[k + 2])
        for k, (pair, like, piece) in enumerate(zip(paired, related, pieces))
    ]


def _are_related(piece: Piece, gold: CharacterRun, system: CharacterRun) -> bool:
    """Return True if more characters are equal than in unrelated sentences of these files."""
    if piece.equal >= RELATED * max(piece.sizes):
        return True
    (a, b), (c, d), *_ = piece
    if b - a + d - c == 2:
        return False
    # One side may have sentences that the other lacks: do most words of the shorter side occur there?
    words, others = gold.tokens[gold.ends[a] : gold.ends[b]], system.tokens[system.ends[c] : system.ends[d]]
    texts = [("".join(words[i:j]), "".join(others[x:y])) for i, j, x, y in piece.units]
    return sum([len(one) for one, other in texts if one == other]) >= CONTAINED * min(piece.sizes)


def align(
    gold: Iterable[Any],
    system: Iterable[Any],
    *,
    lang: str = "en",
    exceptions: Mapping[str, str] | str | os.PathLike[str] | None = None,
) -> list[AlignedBead]:
    """Align the sentences and the words of two treebanks.

    Args:
        gold: Sentences: trees, bracketed texts, nltk trees, or lists of words.
        system: The system's sentences, in any of these forms.
        lang: Language of the built-in exception list, such as ``"en"``; ``"none"`` for no list.
        exceptions: Exception list to use instead: a file, or a mapping from tokens to what they are read as.

    Returns:
        The beads in order.  Each sentence of both sides is in one bead.  Each of its tokens is in one unit; a
        token without a counterpart is in none, or a unit of its own if its whole bead has no counterpart.

    Raises:
        JpevalbError: A sentence of another type, an unknown language, or a list that cannot be read.

    Time is linear in the text; it grows with the product of both sides only between two places that match.

    Source: Jo et al. 2024, whose text has "less than 0.1" but whose published results use 0.15.

    >>> gold = ["(S (A I) (B ca) (C n't))", "(S (A Go) (B !))"]
    >>> for bead in align(gold, ["(S (A I) (B can) (C not) (D Go!))"]):
    ...     print(bead.gold, bead.system, [tuple(unit) for unit in bead.units])
    (0, 2) (0, 1) [(0, 1, 0, 1), (1, 2, 1, 2), (2, 3, 2, 3), (3, 5, 3, 4)]
    """
    entries = exceptions_of(lang, exceptions)
    beads: list[AlignedBead] = []
    for stretch in stretches(_sentences(gold, "gold"), _sentences(system, "system"), words=tuple):
        i, j = stretch.gold_start, stretch.system_start
        if stretch.in_step:
            for k, words in enumerate(stretch.gold):
                beads.append(
                    AlignedBead((i + k, i + k + 1), (j + k, j + k + 1), True, one_to_one(len(words)))
                )
        else:
            beads += [bead.moved(i, j) for bead in solve(stretch.gold, stretch.system, entries)]
    return beads


def _sentences(source: Iterable[Any], side: str) -> Iterator[tuple[str, ...]]:
    """Yield the words of each sentence, of any accepted type."""
    single = isinstance(source, str | bytes | os.PathLike | Tree) or is_node(source)
    if single or not isinstance(source, Iterable):
        raise JpevalbError(
            f"got an object of type {type(source).__name__}; expected an iterable of sentences, "
            "such as a list or jpevalb.read(PATH)",
            source=side,
        )
    for number, item in enumerate(source, 1):
        try:
            if isinstance(item, str):
                item = Tree.parse(item)
            elif is_node(item):
                item = Tree.from_nltk(item)
        except JpevalbError as error:
            raise type(error)(f"sentence {number}: {error}", source=side) from None
        words = item.words if isinstance(item, Tree) else item
        if not isinstance(words, list | tuple) or not all(isinstance(word, str) for word in words):
            raise JpevalbError(
                f"sentence {number}: got an object of type {type(item).__name__}; expected a tree, "
                "bracket text, an nltk tree or a list of words",
                source=side,
            )
        yield tuple(words)


def solve(
    gold: Sequence[Sequence[str]],
    system: Sequence[Sequence[str]],
    exceptions: Mapping[str, str] = NO_EXCEPTIONS,
) -> list[AlignedBead]:
    """Align the sentences and tokens of a stretch whose starts and ends correspond.

    Texts of 16 characters that are unique on both sides are anchors.  Between two anchors the kernel
    (:mod:`jpevalb.kernels.path`) finds the cheapest path, with gaps that are cheap at sentence ends.  Beads
    end at common sentence ends on the path, units at common token boundaries.  Every sentence is in one
    bead, every token in one unit or, without a counterpart, in none.
    """
    runs = gold_run, system_run = without_one_sided(CharacterRun.of(gold), CharacterRun.of(system))
    points = path(*runs, exceptions)
    pieces: list[Piece] = []
    begin = i = j = 0
    for at, n, m in both_end(points, gold_run.ends, system_run.ends):
        sizes = gold_run.size(i, n), system_run.size(j, m)
        units = units_of(points, begin, at)
        pieces.append(Piece((i, n), (j, m), units, points[at][2] - points[begin][2], sizes))
        begin, i, j = at, n, m
    return beads_of(pieces, are_unrelated(pieces, *runs), list(map(len, gold)), list(map(len, system)))


def units_of(points: list[Point], begin: int, end: int) -> tuple[Unit, ...]:
    """Return the units between two points of a path; if one side has no tokens, each of the other is one."""
    i, j, _ = points[begin]
    n, m = points[end][0] - i, points[end][1] - j
    if not m or not n:
        return with_unaligned((), n, m)
    if end - begin == n == m and [a - b for a, b, _ in points[begin:end]].count(i - j) == n:
        # One point per token, and the same number of tokens on both sides before each point.
        return one_to_one(n)
    return tuple(units_between(points, begin, end, Unit))


def word_units(
    gold: Sequence[str], system: Sequence[str], exceptions: Mapping[str, str] = NO_EXCEPTIONS
) -> tuple[Unit, ...]:
    """Align the tokens of two sentences that belong together: return their units in order."""
    if len(gold) == len(system) and list(gold) == list(system):
        return one_to_one(len(gold))
    points = path(*without_one_sided(CharacterRun.of([gold]), CharacterRun.of([system])), exceptions)
    return units_of(points, 0, len(points) - 1)


def path(
    gold: CharacterRun, system: CharacterRun, exceptions: Mapping[str, str] = NO_EXCEPTIONS
) -> list[Point]:
    """Return the points of the cheapest path that are between tokens on both sides; see :func:`solve`."""
    points = _Search(gold, system, exceptions).points()
    enclitics = set(exceptions.get(ENCLITICS, "").split())
    return _joined_back(points, gold, system, enclitics) if enclitics else points


def _joined_back(
    points: list[Point], gold: CharacterRun, system: CharacterRun, enclitics: set[str]
) -> list[Point]:
    """Return a path on which enclitic tokens without a counterpart belong to the unit before them.

    If the other side has single letters there, with which the next word begins, they are its prefixes.
    """
    kept = points[:1]
    for i, j, equal in points[1:]:
        a, b, before = kept[-1]
        ended = gold.marks[i] & system.marks[j] & 2
        for run, begin, end, opposite, point in (
            (gold, a, i, system.tokens[b:j], (i, b, before)),
            (system, b, j, gold.tokens[a:i], (a, j, before)),
        ):
            if begin < end and run.marks[begin] & 3 == 1:
                rest = (token for token in islice(run.tokens, end, None) if token not in enclitics)
                prefixes = all(len(text) == 1 for text in opposite)
                if prefixes and opposite:
                    prefixes = next(rest, "").startswith(opposite[0])
                if prefixes and enclitics.issuperset(run.tokens[begin:end]):
                    kept[-1] = point
                    break
        if kept[-1] == (a, b, before) or (ended and kept[-1] != (i, j, equal)):
            kept.append((i, j, equal))
    return kept


class _Search:
    """Search piece by piece; a piece (i, j, n, m) is gold tokens i to n and system tokens j to m."""

    def __init__(self, gold: CharacterRun, system: CharacterRun, exceptions: Mapping[str, str]) -> None:
        self.gold = gold
        self.system = system
        self.exceptions = {**BRACKETS, **exceptions}
        self.equal = 0  # equal characters on the path so far

    def points(self) -> list[Point]:
        gold, system = self.gold, self.system
        path = [(0, 0, 0)]
        whole = (0, 0, len(gold.tokens), len(system.tokens))
        todo = [whole]
        while todo:
            i, j, n, m = piece = todo.pop()
            if i == n or j == m:
                path += [(k, j, self.equal) for k in range(i + 1, n + 1)]
                path += [(n, k, self.equal) for k in range(j + 1, m + 1)]
                continue
            sides = (gold.text, gold.starts), (system.text, system.starts)
            cuts = equal_cuts(*sides, piece, self.equal) or self._one_to_one(i, j, n, m)
            if cuts:
                path += cuts
                self.equal = path[-1][2]
                continue
            pairs = (gold.starts[n] - gold.starts[i]) * (system.starts[m] - system.starts[j])
            links = anchors(gold, system, piece) if piece == whole and pairs > DIRECT else []
            if not links and pairs > MOST:
                links = self._around_middle(i, j, n, m)
            if not links and MOST < pairs < EDITS:
                links = edit_anchors(gold, system, piece)
            if not links and pairs > MOST:
                links = self._half(i, j, n, m)
            if links:
                ends = [(i, j), *links, (n, m)]
                todo += [(*a, *b) for a, b in zip(reversed(ends[:-1]), reversed(ends[1:]))]
            elif pairs <= MOST:
                path += self._kernel(i, j, n, m)
            else:
                path.append((n, m, self.equal))
        return path

    def _one_to_one(self, i: int, j: int, n: int, m: int) -> list[Point]:
        """Pair as many tokens one by one if their order is better evidence than their letters."""
        if n - i != m - j or n - i < LEAST:
            return []
        pairs = list(zip(self.gold.tokens[i:n], self.system.tokens[j:m]))
        # Does one side lack only last letters of tokens, or only first letters?
        ends = str.startswith, str.endswith
        shared = any(all(agree(x, y) or agree(y, x) for x, y in pairs) for agree in ends)
        if not (shared or self._in_another_script(i, j, n, m)):
            return []
        points = []
        for k, (x, y) in enumerate(pairs, 1):
            # Letters are counted from the edge at which more are equal.
            self.equal += max(sum(map(eq, x, y)), sum(map(eq, reversed(x), reversed(y))))
            points.append((i + k, j + k, self.equal))
        return points

    def _in_another_script(self, i: int, j: int, n: int, m: int) -> bool:
        """Return True if the sides have hardly any letter in common."""
        gold, system = self.gold, self.system
        texts = gold.text[gold.starts[i] : gold.starts[n]], system.text[system.starts[j] : system.starts[m]]
        if all(map(str.isascii, texts)):
            return False
        letters = [counts_of("".join(filter(str.isalpha, text))) for text in texts]
        common = sum([min(times, letters[1].get(code, 0)) for code, times in letters[0].items()])
        fewest = min([sum(counts.values()) for counts in letters])
        return bool(FOREIGN * common < fewest)

    def _kernel(self, i: int, j: int, n: int, m: int) -> list[Point]:
        """Return the cheapest path of a piece, as written or with exceptions applied."""
        gold, system = self.gold, self.system
        p, q, r, s = gold.starts[i], system.starts[j], gold.starts[n], system.starts[m]
        before = i, j, self.equal
        cost, path = align_runs(
            gold.text[p:r], system.text[q:s], gold.levels[p : r + 1], system.levels[q : s + 1], before
        )
        written = gold.tokens[i:n], system.tokens[j:m]
        gold_read, system_read = [read_as(tokens, self.exceptions) for tokens in written]
        if gold_read is not written[0] or system_read is not written[1]:
            levels = (
                levels_of(gold_read, gold.marks[i : n + 1]),
                levels_of(system_read, system.marks[j : m + 1]),
            )
            read_cost, read_path = align_runs("".join(gold_read), "".join(system_read), *levels, before)
            if read_cost < cost:
                path = read_path
        points: list[Point] = path[1:]
        self.equal = points[-1][2]
        return points

    def _around_middle(self, i: int, j: int, n: int, m: int) -> list[TokenPair]:
        """Return both ends of the sentences in the middle of a far longer side, which have no counterpart.

        The shorter side is searched in as much of both ends as the kernel takes.
        """
        sides = (self.gold, i, n), (self.system, j, m)
        sizes = [run.starts[end] - run.starts[begin] for run, begin, end in sides]
        longer = sizes[0] < sizes[1]
        (run, begin, end), (other, first, last) = sides[longer], sides[not longer]
        starts, half = run.starts, MOST // min(sizes) // 2
        stop = run.ends[bisect_right(run.ends, bisect_right(starts, starts[begin] + half) - 1) - 1]
        resume = run.ends[bisect_left(run.ends, bisect_left(starts, starts[end] - half))]
        if half < min(sizes) or not begin < stop < resume < end:
            return []
        p, q, r, s = starts[begin], starts[stop], starts[resume], starts[end]
        rest = run.text[p:q] + run.text[r:s], run.levels[p:q] + run.levels[r : s + 1]
        p, q = other.starts[first], other.starts[last]
        whole = other.text[p:q], other.levels[p : q + 1]
        (text, levels), (system_text, system_levels) = (whole, rest) if longer else (rest, whole)
        _, path = align_runs(text, system_text, levels, system_levels)
        x, y, _ = [point for point in path if point[longer] <= stop - begin][-1]
        return [(i + x, j + y), (i + x, resume) if longer else (resume, j + y)]

    def _half(self, i: int, j: int, n: int, m: int) -> list[TokenPair]:
        """Return a point about halfway: by equal numbers of tokens or sentences, else in proportion."""
        if n - i < 2 or m - j < 2:
            return []
        half = (n - i) // 2
        if n - i == m - j:
            return [(i + half, j + half)]
        gold_ends, system_ends = self.gold.ends, self.system.ends
        a, b = bisect_left(gold_ends, i + 1), bisect_left(system_ends, j + 1)
        c, d = bisect_left(gold_ends, n), bisect_left(system_ends, m)
        if c > a and d > b:
            if c - a == d - b:
                return [(gold_ends[a + (c - a) // 2], system_ends[b + (d - b) // 2])]
            middle = gold_ends[a + (c - a) // 2]
            target = j + (middle - i) * (m - j) // (n - i)
            nearest = min(max(bisect_left(system_ends, target), b), d - 1)
            if nearest > b and target - system_ends[nearest - 1] < system_ends[nearest] - target:
                nearest -= 1
            return [(middle, system_ends[nearest])]
        return [(i + half, j + max(1, (m - j) // 2))]
