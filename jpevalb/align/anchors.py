"""Anchors: where two lists of strings have a boundary at the same place of their characters."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate


def anchors(gold: Sequence[str], system: Sequence[str]) -> list[tuple[int, int]]:
    """Cuts two lists of strings into pieces that carry the same characters, as far as they do.

    Both lists are read as one run of characters each, and the edit alignment of the
    two runs maps places of one to places of the other.  A cut is a place where a
    boundary of ``gold`` maps to a boundary of ``system`` and both sides have moved on
    since the last cut; the first such place is taken.  So a string that has no
    counterpart joins the piece after it; what is left at the end joins the last piece.

    Args:
        gold: Strings, of sentences or of words; none of them holds a blank.
        system: The same of the other side.

    Returns:
        The ends of the pieces in order, as counts of strings on both sides; the last
        is ``(len(gold), len(system))``.  Empty if either list is.

    Cost: O(n * m / 64) for n and m characters; the common head and tail are free.

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
    from rapidfuzz.distance import Levenshtein

    gold_ends = list(accumulate(map(len, gold)))
    system_ends = list(accumulate(map(len, system)))
    system_at = _places(system_ends)
    gold_at = _places(gold_ends)
    found: list[tuple[int, int]] = []
    done_gold = done_system = 0
    k = 0
    for tag, a1, a2, b1, b2 in Levenshtein.opcodes("".join(gold), "".join(system)):
        if tag == "insert":
            i = gold_at.get(a1, 0)
            if i > done_gold:
                for j in range(done_system, m):
                    if system_ends[j] > b2:
                        break
                    if system_ends[j] > b1:
                        done_gold, done_system = i, j + 1
                        found.append((done_gold, done_system))
                        break
            continue
        shift = b1 - a1
        fixed = tag == "delete"
        while k < n and gold_ends[k] <= a2:
            j = system_at.get(b1 if fixed else gold_ends[k] + shift, 0)
            k += 1
            if j > done_system:
                done_gold, done_system = k, j
                found.append((done_gold, done_system))
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


SLACK = 1
ONE_SIDED = 0.5


def refine(gold: Sequence[str], system: Sequence[str], ends: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Splits pieces further where that costs no more edits, and sets strings apart that have no counterpart."""
    refined: list[tuple[int, int]] = []
    i = j = 0
    for end in ends:
        stack = [(i, j, *end)]
        while stack:
            i, j, n, m = stack.pop()
            split = _split(gold[i:n], system[j:m])
            if split is None:
                refined.append((n, m))
            else:
                a, b = split
                stack.append((i + a, j + b, n, m))
                stack.append((i, j, i + a, j + b))
        i, j = end
    return refined


def _split(gold: Sequence[str], system: Sequence[str]) -> tuple[int, int] | None:
    n, m = len(gold), len(system)
    if n < 2 and m < 2 or not n or not m:
        return None
    from rapidfuzz.distance import Levenshtein

    left, right = "".join(gold), "".join(system)
    distance = Levenshtein.distance
    total = distance(left, right)
    if not total and all(gold) and all(system):
        return None
    gold_ends = [0, *accumulate(map(len, gold))]
    system_ends = [0, *accumulate(map(len, system))]
    all_gold, all_system = gold_ends[-1], system_ends[-1]
    if n * m > 1000:
        return None
    best = 0.0
    found = None
    for i in range(n + 1):
        a = gold_ends[i]
        for j in range(m + 1):
            if (i == 0 and j == 0) or (i == n and j == m):
                continue
            b = system_ends[j]
            bonus = total + 0.0
            if i and j:
                if i < n and j < m:
                    bonus += SLACK
                else:
                    bonus += ONE_SIDED * (all_gold - a + all_system - b)
            else:
                bonus += ONE_SIDED * (a + b)
            if (i == 0 and j == m) or (i == n and j == 0):
                continue
            bound = bonus - abs(a - b) - abs(all_gold - a - all_system + b)
            if bound < best or (bound == best and found):
                continue
            gain = bonus - distance(left[:a], right[:b]) - distance(left[a:], right[b:])
            if gain > best or (gain == best and not found):
                best, found = gain, (i, j)
    return found
