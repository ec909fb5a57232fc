"""Anchors: where two lists of strings have a boundary at the same place of their characters."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate

from rapidfuzz.distance import Levenshtein

LONG = 500
HINT = 31
"""Texts longer than ``LONG`` are expected to differ in ``HINT`` edits: for texts that are nearly
equal that makes the cost linear in their length; others cost at most twice as much."""

WINDOW = 100_000
NEAR = 2_000
"""Texts longer than ``WINDOW`` characters (the geometric mean of both) are not compared as a whole
unless they differ in ``NEAR`` edits at most: that would take minutes."""

MOST_WORK = 20_000_000
"""Pairs of characters, times places for a cut, above which a piece is not looked into."""

ALONE_WORK = 50
"""How many times that is allowed for a side that is more than twice as long as the other."""

Block = tuple[str, int, int, int, int]
"""Kind of edit, then the half-open ranges of characters of the gold and the system run."""


def distance(a: str, b: str, limit: int | None = None) -> int:
    """The fewest edits from ``a`` to ``b``; more than ``limit`` is ``limit + 1``.

    Texts of more than ``WINDOW`` characters with more than ``NEAR`` edits are compared
    piece by piece, which may find some edits more than the fewest.

    Cost: O(n * k / 64) for n characters and k edits, k at most ``WINDOW``.
    """
    if len(a) * len(b) <= WINDOW**2:
        hint = HINT if len(a) > LONG else None
        return Levenshtein.distance(a, b, score_cutoff=limit, score_hint=hint)
    found = Levenshtein.distance(a, b, score_cutoff=NEAR, score_hint=HINT)
    if found > NEAR:
        count = -(-max(len(a), len(b)) // WINDOW)
        found = sum(
            [
                Levenshtein.distance(_piece(a, k, count), _piece(b, k, count), score_hint=HINT)
                for k in range(count)
            ]
        )
    return found if limit is None or found <= limit else limit + 1


def _piece(text: str, k: int, count: int) -> str:
    """The ``k``-th of so many pieces of one length."""
    return text[len(text) * k // count : len(text) * (k + 1) // count]


def _edits(a: str, b: str) -> list[Block]:
    """The edits from one text to another, and what is equal between them.

    Longer texts are compared through windows: the edits that end in the first half of one
    hold, and the next window begins behind them.
    """
    if len(a) * len(b) <= WINDOW**2:
        return list(Levenshtein.opcodes(a, b, score_hint=HINT if len(a) > LONG else None))  # type: ignore[arg-type]
    found: list[Block] = []
    i = j = 0
    while i < len(a) or j < len(b):
        one, other = a[i : i + WINDOW], b[j : j + WINDOW]
        edits: list[Block] = list(Levenshtein.opcodes(one, other, score_hint=HINT))  # type: ignore[arg-type]
        if i + len(one) < len(a) or j + len(other) < len(b):
            half = [edit for edit in edits if max(edit[2], edit[4]) <= WINDOW // 2]
            edits = half or edits[:1]
        found += [(tag, a1 + i, a2 + i, b1 + j, b2 + j) for tag, a1, a2, b1, b2 in edits]
        i, j = found[-1][2], found[-1][4]
    return found


def anchors(gold: Sequence[str], system: Sequence[str]) -> list[tuple[int, int]]:
    """Cuts two lists of strings into pieces that carry the same characters, as far as they do.

    Both lists are read as one run of characters each, and the edit alignment of the
    two runs maps places of one to places of the other.  A cut is a place where a
    boundary of ``gold`` maps to a boundary of ``system`` and both sides have moved on
    since the last cut; the first such place is taken.  So a string that has no
    counterpart joins the piece after it; what is left at the end joins the last piece.

    Of the alignments with fewest edits it is the one that rapidfuzz gives, except
    that characters only one side has are taken to be whole strings where they may
    be (the "to" of "want to go" against "want go", not the "t to" less its last "t").

    Args:
        gold: Strings, of sentences or of words; none of them holds a blank.
        system: The same of the other side.

    Returns:
        The ends of the pieces in order, as counts of strings on both sides; the last
        is ``(len(gold), len(system))``.  Empty if either list is.

    Cost: O(n * k / 64) for n characters and k edits, k at most ``WINDOW``; the common head
    and tail are free.

    Source: the published tool aligns sentences and words by two greedy walks (Jo et
    al. 2024, section 3); this is one rule for both that never loses a string.

    >>> anchors(["ca", "n't", "go"], ["can", "not", "go"])
    [(2, 2), (3, 3)]
    >>> anchors("B H CL FL HM H NEIM".split(), "B CL FL HM HNEIM".split())
    [(1, 1), (3, 2), (4, 3), (5, 4), (7, 5)]
    """
    n, m = len(gold), len(system)
    if not n or not m:
        return []
    if n == 1 or m == 1:
        return [(n, m)]
    a, b = "".join(gold), "".join(system)
    gold_ends = list(accumulate(map(len, gold)))
    system_ends = list(accumulate(map(len, system)))
    gold_at = _places(gold_ends)
    system_at = _places(system_ends)
    blocks = _edits(a, b)
    _slide(blocks, a, b, gold_at, system_at)
    found: list[tuple[int, int]] = []
    i = j = k = 0
    for tag, a1, a2, b1, b2 in blocks:
        if tag == "insert":
            # One place of gold stands against several of the system: its first boundary there.
            here = gold_at.get(a1, 0)
            if here > i:
                there = bisect_right(system_ends, b1, j)
                if there < m and system_ends[there] <= b2:
                    i, j = here, there + 1
                    found.append((i, j))
            continue
        shift = b1 - a1
        while k < n and gold_ends[k] <= a2:
            there = system_at.get(b1 if tag == "delete" else gold_ends[k] + shift, 0)
            k += 1
            if k > i and there > j:
                i, j = k, there
                found.append((i, j))
    if not found:
        return [(n, m)]
    found[-1] = (n, m)
    return found


def _places(ends: Iterable[int]) -> dict[int, int]:
    """For each end, the number of strings up to it; the least where empty strings share it."""
    places: dict[int, int] = {}
    for count, end in enumerate(ends, 1):
        places.setdefault(end, count)
    return places


def _slide(blocks: list[Block], a: str, b: str, gold_at: dict[int, int], system_at: dict[int, int]) -> None:
    """Moves deletions and insertions, at no cost, to where they are whole strings.

    A deleted run may move left past a character that equals the run's last one, and
    right past one that equals its first; an inserted run likewise.
    """
    for k, (tag, a1, a2, b1, b2) in enumerate(blocks):
        if tag == "delete":
            text, first, last, at, other, facing = a, a1, a2, gold_at, b1, system_at
        elif tag == "insert":
            text, first, last, at, other, facing = b, b1, b2, system_at, a1, gold_at
        else:
            continue
        before = blocks[k - 1] if k else None
        after = blocks[k + 1] if k + 1 < len(blocks) else None
        left = before[2] - before[1] if before and before[0] == "equal" else 0
        right = after[2] - after[1] if after and after[0] == "equal" else 0
        if (not first or first in at) and last in at and (not other or other in facing):
            continue
        step = 0
        for move in (-1, 1):
            for step in range(move, -left - 1 if move < 0 else right + 1, move):
                edge = first + step
                if text[edge if move < 0 else edge - 1] != text[last + step if move < 0 else last + step - 1]:
                    step = 0
                    break
                if (
                    (not edge or edge in at)
                    and last + step in at
                    and (not other + step or other + step in facing)
                ):
                    break
            else:
                step = 0
            if step:
                break
        if step:
            blocks[k] = (tag, a1 + step, a2 + step, b1 + step, b2 + step)
            if before:
                blocks[k - 1] = (before[0], before[1], before[2] + step, before[3], before[4] + step)
            if after:
                blocks[k + 1] = (after[0], after[1] + step, after[2], after[3] + step, after[4])


def refine(
    gold: Sequence[str],
    system: Sequence[str],
    ends: Iterable[tuple[int, int]],
    *,
    slack: int,
    alone: float,
) -> list[tuple[int, int]]:
    """Splits pieces that :func:`anchors` found where that costs hardly an edit more.

    The alignment that :func:`anchors` follows is one of many with as few edits, or
    nearly so; a boundary of both sides that lies on another of them is a cut as well.
    And strings that have no counterpart become pieces of their own.

    Args:
        gold: The strings that were given to ``anchors``.
        system: The same of the other side.
        ends: What it returned.
        slack: Edits that a cut may cost more.
        alone: What strings may cost more that become a piece without a counterpart,
            in edits for each of their characters.

    Returns:
        Ends of pieces as before; where one does not grow on a side, that side has no
        string in the piece.

    Cost: O(n * m / 64) for n and m characters, times the places where the lengths
    allow a cut; a piece where that is more than ``MOST_WORK`` is left as it is.

    >>> refine(["abc.", "xyz!", "def."], ["abcdef."], [(3, 1)], slack=1, alone=0.25)
    [(3, 1)]
    >>> refine(["abc.", "xyz!", "def."], ["abc.def."], [(3, 1)], slack=1, alone=0.25)
    [(3, 1)]
    >>> refine(["abcde.", "xyz!"], ["abcde."], [(2, 1)], slack=1, alone=0.25)
    [(1, 1), (2, 1)]
    """
    refined: list[tuple[int, int]] = []
    i = j = 0
    for end in ends:
        stack = [(i, j, *end)]
        while stack:
            i, j, n, m = stack.pop()
            split = _split(gold[i:n], system[j:m], slack, alone)
            if split is None:
                refined.append((n, m))
            else:
                x, y = i + split[0], j + split[1]
                stack += [(x, y, n, m), (i, j, x, y)]
        i, j = end
    return refined


def _split(gold: Sequence[str], system: Sequence[str], slack: int, alone: float) -> tuple[int, int] | None:
    """The place to split a piece that leaves most of what it may cost; the first of several."""
    n, m = len(gold), len(system)
    if not n or not m or n + m == 2:
        return None
    a, b = "".join(gold), "".join(system)
    total = distance(a, b)
    if not total and all(gold) and all(system):
        return None
    gold_ends = [0, *accumulate(map(len, gold))]
    system_ends = [0, *accumulate(map(len, system))]
    places: list[tuple[float, float, int, int]] = []
    for i, p in enumerate(gold_ends):
        for j, q in enumerate(system_ends):
            # All of one side against nothing and then the other's: that is a substitution.
            if i + j in (0, n + m) or (i == 0 and j == m) or (i == n and j == 0):
                continue
            rest = len(a) - p, len(b) - q
            if i == 0 or j == 0:
                room = total + alone * (p + q)
            elif i == n or j == m:
                room = total + alone * sum(rest)
            else:
                room = float(total + slack)
            most = room - abs(p - q) - abs(rest[0] - rest[1])
            if most >= 0:
                places.append((most, room, i, j))
    if len(places) * len(a) * len(b) > MOST_WORK:
        if min(len(a), len(b)) > max(len(a), len(b)) // 2:
            return None
        # Much of one side has no counterpart: only that is looked for.
        places = [place for place in places if place[2] in (0, n) or place[3] in (0, m)]
        if len(places) * len(a) * len(b) > MOST_WORK * ALONE_WORK:
            return None
    best, found = 0.0, None
    for most, room, i, j in places:
        if most < best or (most == best and found):
            continue
        p, q = gold_ends[i], system_ends[j]
        gain = room - distance(a[:p], b[:q]) - distance(a[p:], b[q:])
        if gain > best or (gain == best and not found):
            best, found = gain, (i, j)
    return found
