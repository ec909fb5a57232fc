"""Kernel: the cheapest alignment of two runs of characters, with gaps that are cheap where sentences end;
and what it says of their tokens.

A run is a string; each of its places, from 0 before the first character to its length behind
the last, has a level: 0 inside a token, 1 between tokens, 2 where a sentence ends.  An alignment
is a path from place (0, 0) to the ends of both runs, of steps that pair two characters or pass
one character of one side.  Costs are whole numbers, in quarters of an edit.

Source: affine gaps in O(n * m), Gotoh 1982, with a cost of opening that depends on the place.
"""

from __future__ import annotations

from array import array
from itertools import accumulate

try:
    import cython
except ImportError:
    from jpevalb.kernels import cython_shim as cython

COMPILED: bool = cython.compiled

GAP = 4
"""Passing a character of one side."""
UNLIKE = 8
"""Pairing two characters that differ: as much as passing both, so that only shared cuts pair them."""
OPEN = 2
"""Beginning to pass characters, for each side; one less for each level of its place."""
CUT = 16
"""What a pair of characters earns that ends a token on both sides: as much as a boundary that was
moved by one character could cost, so that no equal characters are parted for one."""
SENTENCE = 12
"""What any step earns that arrives at a sentence end of both sides."""

FAR = 1 << 29
"""More than any path costs."""


@cython.cfunc
@cython.exceptval(check=False)
def _pass_gold(
    downs: cython.p_int,
    row: cython.p_int,
    opens: cython.p_int,
    steps: cython.p_uchar,
    opening: cython.int,
    earned: cython.p_int,
    at: cython.Py_ssize_t,
    m: cython.Py_ssize_t,
) -> cython.void:
    """Passing a gold character, at all places of the system.  No step needs another: several go at once.

    The shift is -1 below 0 and else 0: which way is the cheaper is hard to foresee, so branches
    would cost five times as much, here and below.
    """
    j: cython.Py_ssize_t
    other: cython.int
    less: cython.int
    for j in range(m + 1):
        other = row[j] + opening + opens[j] - downs[j]
        less = other >> 31
        downs[j] += (other & less) + 4 - earned[j]
        steps[at + j] = less & 4


@cython.cfunc
@cython.exceptval(check=False)
def _pair(
    found: cython.p_int,
    downs: cython.p_int,
    row: cython.p_int,
    codes: cython.p_int,
    steps: cython.p_uchar,
    code: cython.int,
    earned: cython.p_int,
    at: cython.Py_ssize_t,
    m: cython.Py_ssize_t,
) -> cython.void:
    """Pairing both characters, or passing gold's, whichever is cheaper."""
    j: cython.Py_ssize_t
    other: cython.int
    here: cython.int
    less: cython.int
    for j in range(1, m + 1):
        other = codes[j] - code
        here = row[j - 1] - earned[j] + (((other | -other) >> 31) & 8)
        other = downs[j] - here - 1
        less = other >> 31
        found[j] = here + ((other + 1) & less)
        steps[at + j] |= less & 1


@cython.cfunc
@cython.exceptval(check=False)
def _pass_system(
    found: cython.p_int,
    row: cython.p_int,
    opens: cython.p_int,
    steps: cython.p_uchar,
    opening: cython.int,
    earned: cython.p_int,
    at: cython.Py_ssize_t,
    m: cython.Py_ssize_t,
    far: cython.int,
) -> cython.void:
    """Or passing the system's, from left to right."""
    j: cython.Py_ssize_t
    right: cython.int = far
    here: cython.int = found[0]
    other: cython.int
    less: cython.int
    flags: cython.int
    row[0] = here
    for j in range(1, m + 1):
        other = here + opening + opens[j - 1] - right
        less = other >> 31
        right += (other & less) + 4 - earned[j]
        flags = less & 8
        here = found[j]
        other = right - here - 1
        less = other >> 31
        here += (other + 1) & less
        row[j] = here
        steps[at + j] = (steps[at + j] & (4 | (~less & 1))) | flags | (less & 2)


def align_runs(
    gold: str, system: str, gold_levels: bytes, system_levels: bytes, before: tuple = (0, 0, 0)
) -> tuple:
    """Finds the cheapest path and the places on it where both sides are between tokens.

    Among paths of one cost the one is taken that passes characters as late as possible, the
    system's after gold's.

    Args:
        gold: Gold characters; not empty.
        system: The system's characters; not empty.
        gold_levels: The level of each gold place, one byte each, one more than characters; neither
            the first nor the last is 0.
        system_levels: The level of each place of the system, in the same form.
        before: Gold tokens, system tokens and equal characters before the first place.

    Returns:
        ``(cost, points)``: each point is ``(gold tokens, system tokens, equal characters)`` up to
        a place of the path that is between tokens on both sides, from ``before`` to the ends.

    Cost: O(n * m) time and bytes for n and m characters.

    >>> align_runs("cannot", "canot", bytes([2, 0, 0, 1, 0, 0, 2]), bytes([2, 0, 0, 1, 0, 2]))
    (-38, [(0, 0, 0), (1, 1, 3), (2, 2, 5)])
    """
    found: tuple = _search(gold, system, gold_levels, system_levels, before)
    return found[:2]


def starts_of(tokens: list) -> list:
    """Where each of some tokens in a row starts, and the end of the last.

    Args:
        tokens: Their texts.

    Cost: O(tokens).

    >>> starts_of(["a", "bc", "d"])
    [0, 1, 3, 4]
    """
    text: str
    place: cython.Py_ssize_t = 0
    found: list = [0]
    for text in tokens:
        place += len(text)
        found.append(place)
    return found


def both_end(points: list, ends: list, others: list) -> list:
    """The numbers of the points of a path at which a sentence ends on both sides; never that of the first.

    Args:
        points: The path, as :func:`align_runs` gives it, from (0, 0, 0) to the numbers of all tokens.
        ends: How many gold tokens there are up to the end of each sentence with any, 0 first.
        others: How many of the system's tokens there are up to the end of each sentence with any, 0 first.

    Returns:
        For each such point its number, and how many sentences of either side end up to there.

    Cost: O(points + sentences).

    >>> both_end([(0, 0, 0), (1, 1, 4), (2, 1, 4), (3, 2, 9)], [0, 1, 3], [0, 2])
    [(3, 2, 1)]
    """
    k: cython.Py_ssize_t
    a: cython.Py_ssize_t
    b: cython.Py_ssize_t
    n: cython.Py_ssize_t = 0
    m: cython.Py_ssize_t = 0
    end: cython.Py_ssize_t = 0
    other: cython.Py_ssize_t = 0
    found: list = []
    for k in range(1, len(points)):
        point: tuple = points[k]
        a = point[0]
        b = point[1]
        while end < a:
            n += 1
            end = ends[n]
        while other < b:
            m += 1
            other = others[m]
        if end == a and other == b:
            found.append((k, n, m))
    return found


def levels_of(tokens, begin: cython.Py_ssize_t, ends: list) -> bytes:
    """The level of each place of some tokens in a row, one byte each.

    Args:
        tokens: Their texts, none of them empty.
        begin: How many tokens of its side are before them.
        ends: How many tokens of its side there are up to the end of each sentence; ascending.

    Cost: O(characters + sentences).

    >>> list(levels_of(["a", "bc", "d"], 4, [2, 5, 9]))
    [1, 2, 0, 1, 1]
    """
    text: str
    place: cython.Py_ssize_t = 0
    at: cython.Py_ssize_t = 0
    sentences: cython.Py_ssize_t = len(ends)
    number: cython.Py_ssize_t = begin
    end: cython.Py_ssize_t = 0
    for text in tokens:
        place += len(text)
    found = bytearray(place + 1)
    levels: cython.uchar[::1] = found
    place = 0
    while at < sentences and ends[at] < begin:
        at += 1
    for k in range(-1, len(tokens)):
        if k >= 0:
            text = tokens[k]
            place += len(text)
            number += 1
        while end < number and at < sentences:
            end = ends[at]
            at += end <= number
        levels[place] = 2 if number in (0, end) else 1
    return bytes(found)


def grams(
    text: str,
    starts: list,
    ends: list,
    begin: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    size: cython.Py_ssize_t,
) -> dict:
    """For each text of so many characters at the start of a token its number; -1 if it comes again.

    Args:
        text: The characters of a side.
        starts: Where each token starts, and the end of the last.
        ends: How many tokens there are up to places that no gram goes across, 0 first; ascending.
        begin: The first token.
        end: The token after the last.
        size: Characters of a gram.

    Cost: O(characters).
    """
    found: dict = {}
    first: cython.Py_ssize_t = begin
    last: cython.Py_ssize_t
    most: cython.Py_ssize_t
    at: cython.Py_ssize_t = 0
    k: cython.Py_ssize_t
    p: cython.Py_ssize_t
    while first < end:
        while ends[at] <= first:
            at += 1
        last = min(ends[at], end)
        most = starts[last] - size
        for k in range(first, last):
            p = starts[k]
            if p > most:
                break
            gram = text[p : p + size]
            if found.setdefault(gram, k) != k:
                found[gram] = -1
        first = last
    return found


def links(gold: dict, system: dict) -> list:
    """The numbers of the tokens of either side that begin with the same text, which both sides have once.

    Args:
        gold: What :func:`grams` finds of gold.
        system: What it finds of the system.

    Cost: O(grams).
    """
    found: list = []
    for text, k in gold.items():
        if k >= 0:
            place = system.get(text, -1)
            if place >= 0:
                found.append((k, place))
    return found


def thinned(gold: tuple, system: tuple, chain: list) -> list:
    """Of places in a row with equal text between them only the first and the last.

    Args:
        gold: Gold's characters, and where each gold token starts.
        system: The system's, in the same form.
        chain: Pairs of the numbers of a gold token and of one of the system, ascending on both sides.

    Cost: O(characters).
    """
    text: str = gold[0]
    other: str = system[0]
    starts: list = gold[1]
    other_starts: list = system[1]
    kept: list = []
    k: cython.Py_ssize_t
    p: cython.Py_ssize_t = 0
    q: cython.Py_ssize_t = 0
    r: cython.Py_ssize_t
    s: cython.Py_ssize_t
    first: cython.Py_ssize_t = 0
    for k in range(len(chain)):
        place: tuple = chain[k]
        r = starts[place[0]]
        s = other_starts[place[1]]
        if k == 0 or r - p != s - q or text[p:r] != other[q:s]:
            if k - 1 > first:
                kept.append(chain[k - 1])
            kept.append(place)
            first = k
        p = r
        q = s
    if len(chain) - 1 > first:
        kept.append(chain[len(chain) - 1])
    return kept


def equal_cuts(gold: tuple, system: tuple, piece: tuple, equal: cython.Py_ssize_t) -> list:
    """The places that both sides of a piece have between tokens, where its characters are equal; else none.

    Args:
        gold: Gold's characters, and where each gold token starts, and the end of the last.
        system: The system's, in the same form.
        piece: The first token of either side and the token behind the last of either.
        equal: Pairs of equal characters before the piece.

    Returns:
        The points, as of :func:`align_runs`, but for the one before the first token.

    Cost: O(characters).
    """
    text: str = gold[0]
    other: str = system[0]
    starts: list = gold[1]
    other_starts: list = system[1]
    found: list = []
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    n: cython.Py_ssize_t
    m: cython.Py_ssize_t
    k: cython.Py_ssize_t
    p: cython.Py_ssize_t
    q: cython.Py_ssize_t
    place: cython.Py_ssize_t
    i, j, n, m = piece
    p = starts[i]
    q = other_starts[j]
    place = starts[n]
    if place - p != other_starts[m] - q or text[p:place] != other[q : q + place - p]:
        return found
    for k in range(i + 1, n + 1):
        place = starts[k]
        j += 1
        while other_starts[j] - q < place - p:
            j += 1
        if other_starts[j] - q == place - p:
            found.append((k, j, equal + place - p))
        else:
            j -= 1
    return found


def shared_cuts(gold: tuple, system: tuple, piece: tuple, equal: cython.Py_ssize_t) -> list:
    """Token for token up to the last sentence end before which both sides of a piece are the same in all.

    Args:
        gold: Gold's characters, where each gold token starts, and the end of the last; and the level of
            each place.
        system: The system's, in the same form.
        piece: The first token of either side and the token behind the last of either.
        equal: Pairs of equal characters before the piece.

    Returns:
        The points, as of :func:`align_runs`, but for the one before the first token.

    Cost: O(characters that are the same).
    """
    text: str = gold[0]
    other: str = system[0]
    starts: list = gold[1]
    other_starts: list = system[1]
    levels: bytes = gold[2]
    other_levels: bytes = system[2]
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    n: cython.Py_ssize_t
    m: cython.Py_ssize_t
    k: cython.Py_ssize_t
    p: cython.Py_ssize_t
    q: cython.Py_ssize_t
    most: cython.Py_ssize_t
    last: cython.Py_ssize_t = 0
    i, j, n, m = piece
    p = starts[i]
    q = other_starts[j]
    most = min(
        cython.cast(cython.Py_ssize_t, starts[n]) - p, cython.cast(cython.Py_ssize_t, other_starts[m]) - q
    )
    for k in range(1, most + 1):
        if text[p + k - 1] != other[q + k - 1] or levels[p + k] != other_levels[q + k]:
            break
        if levels[p + k] == 2:
            last = k
    found: list = []
    k = i + 1
    while last and k <= n and starts[k] <= p + last:
        found.append((k, k + j - i, equal + starts[k] - p))
        k += 1
    return found


def units_between(points: list, begin: cython.Py_ssize_t, end: cython.Py_ssize_t, kind) -> list:
    """The units of the tokens between two points of a path, counted from the first.

    A unit ends at a point where both sides have moved on since the last one; what is left at the
    end joins the last unit.

    Args:
        points: The path, as :func:`align_runs` gives it.
        begin: The number of the first point.
        end: The number of the last; both sides have moved on up to there.
        kind: The class of the units, a named tuple of the first and the last token + 1 of gold and
            of the system.

    Cost: O(points).
    """
    found: list = []
    new = tuple.__new__  # what kind() does, in half the time
    i: cython.Py_ssize_t = points[begin][0]
    j: cython.Py_ssize_t = points[begin][1]
    a: cython.Py_ssize_t
    b: cython.Py_ssize_t
    x: cython.Py_ssize_t = 0
    y: cython.Py_ssize_t = 0
    k: cython.Py_ssize_t
    for k in range(begin + 1, end + 1):
        point: tuple = points[k]
        a = point[0] - i
        b = point[1] - j
        if a > x and b > y:
            found.append(new(kind, (x, a, y, b)))
            x = a
            y = b
    a = points[end][0] - i
    b = points[end][1] - j
    if x < a or y < b:
        x = y = 0
        if found:
            last = found.pop()
            x = last[0]
            y = last[2]
        found.append(new(kind, (x, a, y, b)))
    return found


def common_cuts(
    units: tuple,
    gold: tuple,
    system: tuple,
    gold_ends: list,
    system_ends: list,
    exceptions,
    most_cells: int,
    texts,
) -> tuple:
    """Where both sides of a bead are cut, and which tokens are each other's counterparts.

    Args:
        units: The units of the bead, each the first and the last token + 1 of gold and of the system.
        gold: Gold words.
        system: The system's words.
        gold_ends: How many gold tokens there are up to the end of each sentence; ascending.
        system_ends: How many of the system's tokens there are up to the end of each sentence; ascending.
        exceptions: Texts of tokens and what they are read as.
        most_cells: Pairs of characters of a unit up to which the path through it is looked for.
        texts: Gives for some words a list of the texts in which they are compared; none of them is empty.

    Returns:
        For each place before, between and behind gold tokens its number among the cuts of both sides,
        or -1; how many gold tokens before it the other side does not have; both lists of the system;
        and for each gold token the number of its counterpart, or -1.

    Cost: O(tokens), and that of :func:`align_runs` for units of several tokens whose texts differ.
    """
    places: list = [-1] * (len(gold) + 1)
    others: list = [-1] * (len(system) + 1)
    bare = bytearray(len(gold))
    bare_too = bytearray(len(system))
    partners: list = [-1] * len(gold)
    number: cython.Py_ssize_t = 0
    a: cython.Py_ssize_t
    b: cython.Py_ssize_t
    c: cython.Py_ssize_t
    d: cython.Py_ssize_t
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    x: cython.Py_ssize_t
    y: cython.Py_ssize_t
    k: cython.Py_ssize_t
    places[0] = others[0] = 0
    for unit in units:
        ends = cython.cast(tuple, unit)  # one with names is read as fast as one without
        a = ends[0]
        b = ends[1]
        c = ends[2]
        d = ends[3]
        if b - a == 1 and d - c == 1:
            number += 1
            partners[a] = ends[2]
            places[b] = others[d] = number
            continue
        searched: tuple = None
        if a == b or c == d:
            points = [(k, c, 0) for k in range(a + 1, b + 1)] or [(a, k, 0) for k in range(c + 1, d + 1)]
        else:
            mine = texts(gold[a:b])
            other = texts(system[c:d])
            points = _same_places(mine, other, a, c)
            if not points:
                searched = _searched(mine, other, a, c, gold_ends, system_ends, exceptions, most_cells)
                points = searched[1][1:] if searched else [(b, d, 0)]
        i = a
        j = c
        for point in points:
            x = point[0]
            y = point[1]
            if x > i and y > j:
                number += 1
                if x - i == 1 and y - j == 1:
                    partners[i] = j
                elif searched and (x - i > 2 or y - j > 2):
                    # Of two tokens both are paired: they are the first and the last.
                    bare[i:x] = searched[2][i - a : x - a]
                    bare_too[j:y] = searched[3][j - c : y - c]
            else:
                bare[i:x] = b"\1" * (x - i)
                bare_too[j:y] = b"\1" * (y - j)
            places[x] = others[y] = number
            i = x
            j = y
    return places, _sums(bare), others, _sums(bare_too), partners


@cython.cfunc
def _sums(flags: bytearray) -> list:
    """How many flags are set before each place; most often none is."""
    return [0, *accumulate(flags)] if 1 in flags else [0] * (len(flags) + 1)


@cython.cfunc
def _same_places(
    gold: list, system: list, before: cython.Py_ssize_t, system_before: cython.Py_ssize_t
) -> list:
    """The cuts of both sides but the first, where they have the same characters; else none."""
    n: cython.Py_ssize_t = len(gold)
    m: cython.Py_ssize_t = len(system)
    k: cython.Py_ssize_t
    if "".join(gold) != "".join(system):
        return []
    if n == 1 or m == 1:
        return [(before + n, system_before + m, 0)]
    numbers = {place: k for k, place in enumerate(accumulate(map(len, system)), system_before + 1)}
    return [
        (k, numbers[place], 0)
        for k, place in enumerate(accumulate(map(len, gold)), before + 1)
        if place in numbers
    ]


@cython.cfunc
def _searched(
    gold: list,
    system: list,
    before: cython.Py_ssize_t,
    system_before: cython.Py_ssize_t,
    gold_ends: list,
    system_ends: list,
    exceptions,
    most_cells: cython.Py_ssize_t,
) -> tuple:
    """What the search finds of a unit, as it is written or as the exceptions say, whichever is cheaper."""
    text: str = "".join(gold)
    other: str = "".join(system)
    if len(text) * len(other) > most_cells:
        return None
    counts = before, system_before, 0
    found: tuple = _search(
        text, other, levels_of(gold, before, gold_ends), levels_of(system, system_before, system_ends), counts
    )
    read = [exceptions.get(token, token) for token in gold]
    read_too = [exceptions.get(token, token) for token in system]
    if read != gold or read_too != system:
        again: tuple = _search(
            "".join(read),
            "".join(read_too),
            levels_of(read, before, gold_ends),
            levels_of(read_too, system_before, system_ends),
            counts,
        )
        if again[0] < found[0]:
            found = again
    return found


def differing(units: tuple, gold: tuple, system: tuple, bare: list, bare_too: list) -> tuple:
    """Tells units apart by whether their words differ, and how.

    Args:
        units: The units of a bead, each the first and the last token + 1 of gold and of the system.
        gold: Gold words.
        system: The system's words.
        bare: For each place between gold words how many before it the other side does not have.
        bare_too: For each place between words of the system how many before it gold does not have.

    Returns:
        How many units that have words of both sides, where words that the other side does not have
        are left aside, have one word on each that are the same; one on each that differ; more; and how
        often which gold words stand for which of the system, joined by blanks, where they differ.
        Words that the other side does not have stand alone beside an empty text.

    Cost: O(tokens).
    """
    words: dict = {}
    equal: cython.Py_ssize_t = 0
    changed: cython.Py_ssize_t = 0
    more: cython.Py_ssize_t = 0
    a: cython.Py_ssize_t
    b: cython.Py_ssize_t
    c: cython.Py_ssize_t
    d: cython.Py_ssize_t
    k: cython.Py_ssize_t
    for unit in units:
        ends = cython.cast(tuple, unit)  # one with names is read as fast as one without
        a = ends[0]
        b = ends[1]
        c = ends[2]
        d = ends[3]
        if b - a == 1 and d - c == 1 and gold[a] == system[c]:
            equal += 1
            continue
        keys: list = []
        mine = gold[a:b]
        other = system[c:d]
        if bare[a] != bare[b]:
            keys += [(gold[k], "") for k in range(a, b) if bare[k] != bare[k + 1]]
            mine = [gold[k] for k in range(a, b) if bare[k] == bare[k + 1]]
        if bare_too[c] != bare_too[d]:
            keys += [("", system[k]) for k in range(c, d) if bare_too[k] != bare_too[k + 1]]
            other = [system[k] for k in range(c, d) if bare_too[k] == bare_too[k + 1]]
        if mine and other:
            key = " ".join(mine), " ".join(other)
            differs = key[0] != key[1]
            if len(mine) + len(other) > 2:
                more += 1
            elif differs:
                changed += 1
            else:
                equal += 1
            if differs:
                keys.append(key)
        for key in keys:
            words[key] = words.get(key, 0) + 1
    return equal, changed, more, words


@cython.cfunc
def _search(gold: str, system: str, gold_levels: bytes, system_levels: bytes, before: tuple) -> tuple:
    """Cost and points of the cheapest path, and the tokens of either side that it pairs nothing of."""
    n: cython.Py_ssize_t = len(gold)
    m: cython.Py_ssize_t = len(system)
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    level: cython.int
    opening: cython.int
    opening_above: cython.int
    here: cython.int
    far: cython.int = FAR
    gap: cython.int = GAP
    cut: cython.int = CUT
    sentence: cython.int = SENTENCE
    open_inside: cython.int = OPEN
    flags: cython.int
    o: cython.p_int
    c: cython.p_int
    zero: cython.p_int
    cut_1: cython.p_int
    cut_2: cython.p_int
    end_2: cython.p_int
    best: cython.p_int
    falls: cython.p_int
    least: cython.p_int
    earned: cython.p_int
    earned_gap: cython.p_int
    steps: cython.p_uchar
    trace: cython.uchar[::1] = bytearray((n + 1) * (m + 1))
    steps = cython.address(trace[0]) if cython.compiled else trace
    # Rows of one number for each place of the system, all zero at first.
    if cython.compiled:
        rows: cython.int[::1] = array("i", bytes(36 * (m + 1)))
        o = cython.address(rows[0])
        c = cython.address(rows[m + 1])
        zero = cython.address(rows[2 * (m + 1)])
        cut_1 = cython.address(rows[3 * (m + 1)])
        cut_2 = cython.address(rows[4 * (m + 1)])
        end_2 = cython.address(rows[5 * (m + 1)])
        best = cython.address(rows[6 * (m + 1)])
        falls = cython.address(rows[7 * (m + 1)])
        least = cython.address(rows[8 * (m + 1)])
    else:
        o, c, zero, cut_1, cut_2, end_2, best, falls, least = ([0] * (m + 1) for _ in range(9))
    tokens: cython.Py_ssize_t = 0
    others: cython.Py_ssize_t = 0
    for j in range(m + 1):
        level = system_levels[j]
        falls[j] = far
        if j:
            c[j] = ord(system[j - 1])
            others += level > 0
        # What it costs to begin passing here, and what an arrival earns, by gold's level.
        o[j] = open_inside - level
        if level:
            cut_1[j] = cut_2[j] = cut
        if level == 2:
            cut_2[j] = cut + sentence
            end_2[j] = sentence
    level = gold_levels[0]
    opening = open_inside - level
    earned_gap = end_2 if level == 2 else zero
    here = opening + o[0]
    for j in range(1, m + 1):
        here += gap - earned_gap[j]
        best[j] = here
    for i in range(1, n + 1):
        opening_above = opening
        level = gold_levels[i]
        tokens += level > 0
        opening = open_inside - level
        earned = cut_2 if level == 2 else cut_1 if level == 1 else zero
        earned_gap = end_2 if level == 2 else zero
        _pass_gold(falls, best, o, steps, opening_above, earned_gap, i * (m + 1), m)
        least[0] = falls[0]
        _pair(least, falls, best, c, steps, ord(gold[i - 1]), earned, i * (m + 1), m)
        _pass_system(least, best, o, steps, opening, earned_gap, i * (m + 1), m, far)
    cost: cython.int = best[m]
    # Back from the ends: which tokens are behind, and how many pairs of equal characters.
    alone = bytearray(b"\1" * tokens)
    others_alone = bytearray(b"\1" * others)
    marks: cython.p_int
    if cython.compiled:
        marks_view: cython.int[::1] = array("i", bytes(12 * (tokens + others + 1)))
        marks = cython.address(marks_view[0])
    else:
        marks = [0] * (3 * (tokens + others + 1))
    count: cython.Py_ssize_t = 0
    equal: cython.int = 0
    way: cython.int = 0  # 1 and 2: the step here belongs to a run of passed characters
    i, j = n, m
    while True:
        gold_level: cython.int = gold_levels[i]
        system_level: cython.int = system_levels[j]
        if gold_level and system_level:
            marks[count] = tokens
            marks[count + 1] = others
            marks[count + 2] = equal
            count += 3
        if i == 0 and j == 0:
            break
        if i == 0:
            way = 2
            flags = 0
        elif j == 0:
            way = 1
            flags = 0
        else:
            flags = steps[i * (m + 1) + j]
            if way == 0:
                way = flags & 3
        if way != 2:
            i -= 1
            if gold_level:
                tokens -= 1
        if way != 1:
            j -= 1
            if system_level:
                others -= 1
        if way == 0:
            alone[tokens] = 0
            others_alone[others] = 0
            if gold[i] == system[j]:
                equal += 1
        elif (way == 1 and flags & 4) or (way == 2 and flags & 8):
            way = 0
    tokens, others, i = before
    equal += i
    points: list = []
    while count > 0:
        count -= 3
        points.append((tokens + marks[count], others + marks[count + 1], equal - marks[count + 2]))
    return cost, points, alone, others_alone
