# cython: infer_types=True
"""Kernel: the cheapest alignment of two character sequences, with gaps that are cheap at sentence ends.

Each position, from 0 before the first character to the length behind the last, has a level: 0 inside a token,
1 between tokens, 2 at a sentence end; 4 more behind a token that earns nothing for its end.  An alignment is
a path from (0, 0) to both ends.  A step pairs two characters or skips one character of one side.  Costs are
integers, four per edit.

Source: affine gaps in O(n * m), Gotoh 1982, with an opening cost that depends on the position.
"""

from __future__ import annotations

from array import array
from itertools import accumulate

try:
    import cython
except ImportError:
    from jpevalb.kernels import cython_shim as cython

# Cost of skipping a character
GAP = 4
# Cost of beginning to skip, for each side; one less for each level of its position
OPEN = 2
# Gain of a pair that ends a token on both sides: as much as a boundary that is moved by one character could
# cost, so that no equal characters are separated for one
CUT = 16
# Gain of a pair that ends the same token on both sides, in addition
SAME = 12
# Gain of a pair that ends a sentence on both sides
SENTENCE = 12
# Gain of a skipped character at a sentence end of both sides: the greatest with which two sentences of one
# word, without common letters, are paired.  A doubled sentence with errors is then skipped as a whole.
SKIPPED = 13
# More than any path costs
FAR = 1 << 29


def align_runs(
    gold: str, system: str, gold_levels: bytes, system_levels: bytes, before: tuple = (0, 0, 0)
) -> tuple:
    """Return the cost of the cheapest path, and its points where both sides are between tokens.

    A point is ``(gold tokens, system tokens, equal characters)`` up to it; ``before`` is the first one.
    Ties: skip characters as late as possible, the system's after gold's.

    >>> align_runs("cannot", "canot", bytes([2, 0, 0, 1, 0, 0, 2]), bytes([2, 0, 0, 1, 0, 2]))
    (-38, [(0, 0, 0), (1, 1, 3), (2, 2, 5)])
    """
    result: tuple = _search(gold, system, gold_levels, system_levels, before)
    return result[:2]


def counts_of(text: str) -> dict:
    """Return how often each code point occurs.

    >>> counts_of("abca")
    {97: 2, 98: 1, 99: 1}
    """
    # A table for all alphabets and Hangul letters, which a dict would count in ten times as long
    table: cython.int[::1] = array("i", bytes(4 * 0x1200))
    counts: dict = {}
    code: cython.int
    for k in range(len(text)):
        code = ord(text[k])
        if code < 0x1200:
            table[code] += 1
        else:
            counts[code] = counts.get(code, 0) + 1
    for code in range(0x1200):
        if table[code]:
            counts[code] = table[code]
    return counts


@cython.locals(a=cython.Py_ssize_t, b=cython.Py_ssize_t)
def both_end(points: list, gold_ends: list, system_ends: list) -> list:
    """Return the points of a path at which a sentence ends on both sides: index, gold and system sentences.

    >>> both_end([(0, 0, 0), (1, 1, 4), (2, 1, 4), (3, 2, 9)], [0, 1, 3], [0, 2])
    [(3, 2, 1)]
    """
    n: cython.Py_ssize_t = 0
    m: cython.Py_ssize_t = 0
    gold_end: cython.Py_ssize_t = 0
    system_end: cython.Py_ssize_t = 0
    result: list = []
    for k in range(1, len(points)):
        a, b, _ = cython.cast(tuple, points[k])
        while gold_end < a:
            n += 1
            gold_end = gold_ends[n]
        while system_end < b:
            m += 1
            system_end = system_ends[m]
        if gold_end == a and system_end == b:
            result.append((k, n, m))
    return result


def marks_of(count: cython.Py_ssize_t, ends) -> bytearray:
    """Return the level before the first of some tokens and behind each, given the ends of sentences.

    >>> list(marks_of(3, [2]))
    [2, 1, 2, 1]
    """
    marks = bytearray(b"\1") * (count + 1)
    marks[0] = 2
    for end in ends:
        marks[end] = 2
    return marks


@cython.locals(text=str, k=cython.Py_ssize_t)
def levels_of(tokens: list, marks: bytearray) -> bytes:
    """Return the level of each position of some tokens, given their marks, one byte each.

    >>> list(levels_of(["a", "bc", "d"], bytearray([1, 2, 1, 1])))
    [1, 2, 0, 1, 1]
    """
    position: cython.Py_ssize_t = 0
    for text in tokens:
        position += len(text)
    buffer = bytearray(position + 1)
    levels: cython.uchar[::1] = buffer
    position = 0
    levels[0] = marks[0]
    for k in range(len(tokens)):
        text = tokens[k]
        position += len(text)
        levels[position] = marks[k + 1]
    return bytes(buffer)


@cython.locals(last=cython.Py_ssize_t, most=cython.Py_ssize_t, k=cython.Py_ssize_t, p=cython.Py_ssize_t)
def grams(
    text: str, starts, ends: list, begin: cython.Py_ssize_t, end: cython.Py_ssize_t, size: cython.Py_ssize_t
) -> dict:
    """Return the token that each text of ``size`` characters starts at; -1 if it occurs again.

    No gram crosses one of ``ends``, ascending numbers of tokens (0 first).
    """
    tokens_of: dict = {}
    first: cython.Py_ssize_t = begin
    at: cython.Py_ssize_t = 0
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
            if tokens_of.setdefault(gram, k) != k:
                tokens_of[gram] = -1
        first = last
    return tokens_of


@cython.locals(gold_text=str, system_text=str, gold_starts=list, system_starts=list)
@cython.locals(i=cython.Py_ssize_t, j=cython.Py_ssize_t, n=cython.Py_ssize_t, m=cython.Py_ssize_t)
@cython.locals(k=cython.Py_ssize_t, p=cython.Py_ssize_t, q=cython.Py_ssize_t, end=cython.Py_ssize_t)
def equal_cuts(gold: tuple, system: tuple, piece: tuple, equal: cython.Py_ssize_t) -> list:
    """Return the points of a piece, without the first; empty if the characters of the sides differ.

    A side is its text and the starts of its tokens; ``equal`` counts equal characters before the piece.
    """
    gold_text, gold_starts = gold
    system_text, system_starts = system
    points: list = []
    i, j, n, m = piece
    p = gold_starts[i]
    q = system_starts[j]
    end = gold_starts[n]
    if end - p != system_starts[m] - q or gold_text[p:end] != system_text[q : q + end - p]:
        return points
    for k in range(i + 1, n + 1):
        end = gold_starts[k]
        j += 1
        while system_starts[j] - q < end - p:
            j += 1
        if system_starts[j] - q == end - p:
            points.append((k, j, equal + end - p))
        else:
            j -= 1
    return points


@cython.locals(i=cython.Py_ssize_t, j=cython.Py_ssize_t, equal=cython.Py_ssize_t)
@cython.locals(a=cython.Py_ssize_t, b=cython.Py_ssize_t, now_equal=cython.Py_ssize_t)
def units_between(points: list, begin: cython.Py_ssize_t, end: cython.Py_ssize_t, kind) -> list:
    """Return the units between two points of a path, counted from the first, as named tuples ``kind``.

    A step on which both sides advance is a unit.  Tokens between two such steps are a unit if they are on
    both sides, and in no unit otherwise.  Where no characters are equal, units are joined by :func:`_join`.
    """
    units: list = []
    i, j, equal = points[begin]
    x: cython.Py_ssize_t = 0  # end of the last step on which both sides advance
    y: cython.Py_ssize_t = 0
    p: cython.Py_ssize_t = 0  # the last point
    q: cython.Py_ssize_t = 0
    unlike: tuple = (0, 0, 0)  # number of units and of tokens up to the last step with equal characters
    for k in range(begin + 1, end + 1):
        a, b, now_equal = cython.cast(tuple, points[k])
        a -= i
        b -= j
        if a > p and b > q:
            if p > x and q > y:
                units.append(kind(x, p, y, q))
            if now_equal > equal:
                _join(units, unlike, p, q, kind)
                unlike = (len(units) + 1, a, b)
            units.append(kind(p, a, q, b))
            x = a
            y = b
        p = a
        q = b
        equal = now_equal
    if p > x and q > y:
        units.append(kind(x, p, y, q))
    _join(units, unlike, p, q, kind)
    return units


@cython.cfunc
def _join(units: list, unlike: tuple, p: cython.Py_ssize_t, q: cython.Py_ssize_t, kind) -> cython.void:
    """Join the last units, without equal characters, if the numbers of tokens differ and one is above 2.

    ``238 ,`` against ``two hundred thirty eight`` does not show which word corresponds to which.
    """
    first, x, y = unlike
    if p - x != q - y and p > x and q > y and (p - x > 2 or q - y > 2):
        units[first:] = [kind(x, p, y, q)]


@cython.locals(a=cython.Py_ssize_t, b=cython.Py_ssize_t, c=cython.Py_ssize_t, d=cython.Py_ssize_t)
@cython.locals(i=cython.Py_ssize_t, j=cython.Py_ssize_t, x=cython.Py_ssize_t, y=cython.Py_ssize_t)
@cython.locals(k=cython.Py_ssize_t)
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
    """Find the common token boundaries of a bead's sides, and the tokens that correspond to each other.

    Returns for each boundary of gold tokens its number among the common ones, or -1, and the number of tokens
    before it that the system lacks; the same two lists for the system; and for each gold token its system
    counterpart, or -1.
    """
    # The path is that of the alignment: its units, and inside a unit of several tokens the path between them.
    # Between two adjacent common cuts, if both sides advance, some characters are paired: skipping characters
    # of one side and then of the other costs more than pairing two of them.  So two tokens are counterparts
    # if and only if each is the only token between two such cuts.
    gold_cuts: list = [-1] * (len(gold) + 1)
    system_cuts: list = [-1] * (len(system) + 1)
    gold_alone = bytearray(len(gold))
    system_alone = bytearray(len(system))
    partners: list = [-1] * len(gold)
    number: cython.Py_ssize_t = 0
    gold_cuts[0] = system_cuts[0] = 0
    gold_marks: bytearray = marks_of(len(gold), gold_ends)
    system_marks: bytearray = marks_of(len(system), system_ends)
    for unit in units:
        a, b, c, d = cython.cast(tuple, unit)  # reads a named tuple as fast as a plain one
        if b - a == 1 and d - c == 1:
            number += 1
            partners[a] = c
            gold_cuts[b] = system_cuts[d] = number
            continue
        searched: tuple = None
        if a == b or c == d:
            points = [(k, c, 0) for k in range(a + 1, b + 1)] or [(a, k, 0) for k in range(c + 1, d + 1)]
        else:
            gold_texts = texts(gold[a:b])
            system_texts = texts(system[c:d])
            points = _same_places(gold_texts, system_texts, a, c)
            if not points:
                searched = _searched(
                    gold_texts,
                    system_texts,
                    a,
                    c,
                    gold_marks[a : b + 1],
                    system_marks[c : d + 1],
                    exceptions,
                    most_cells,
                )
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
                    # If there are two tokens, both are paired: they are the first and the last.
                    gold_alone[i:x] = searched[2][i - a : x - a]
                    system_alone[j:y] = searched[3][j - c : y - c]
            else:
                gold_alone[i:x] = b"\1" * (x - i)
                system_alone[j:y] = b"\1" * (y - j)
            gold_cuts[x] = system_cuts[y] = number
            i = x
            j = y
    return gold_cuts, _sums(gold_alone), system_cuts, _sums(system_alone), partners


@cython.cfunc
def _sums(flags: bytearray) -> list:
    """Return the number of flags before each position."""
    return [0, *accumulate(flags)] if 1 in flags else [0] * (len(flags) + 1)


@cython.cfunc
def _same_places(
    gold: list, system: list, before: cython.Py_ssize_t, system_before: cython.Py_ssize_t
) -> list:
    """Return the common cuts of two sides with equal characters, without the first; empty if they differ."""
    n, m = len(gold), len(system)
    k: cython.Py_ssize_t
    if "".join(gold) != "".join(system):
        return []
    if n == 1 or m == 1:
        return [(before + n, system_before + m, 0)]
    numbers = {position: k for k, position in enumerate(accumulate(map(len, system)), system_before + 1)}
    return [
        (k, numbers[position], 0)
        for k, position in enumerate(accumulate(map(len, gold)), before + 1)
        if position in numbers
    ]


@cython.cfunc
def _searched(
    gold: list,
    system: list,
    before: cython.Py_ssize_t,
    system_before: cython.Py_ssize_t,
    gold_marks: bytearray,
    system_marks: bytearray,
    exceptions,
    most_cells: cython.Py_ssize_t,
) -> tuple:
    """Search a unit as written and as the exceptions read it; return the cheaper path, or ``None``."""
    gold_text: str = "".join(gold)
    system_text: str = "".join(system)
    if len(gold_text) * len(system_text) > most_cells:
        return None
    counts: tuple = (before, system_before, 0)
    best: tuple = _search(
        gold_text, system_text, levels_of(gold, gold_marks), levels_of(system, system_marks), counts
    )
    gold_read = [exceptions.get(token, token) for token in gold]
    system_read = [exceptions.get(token, token) for token in system]
    if gold_read != gold or system_read != system:
        levels: tuple = (levels_of(gold_read, gold_marks), levels_of(system_read, system_marks))
        again: tuple = _search("".join(gold_read), "".join(system_read), levels[0], levels[1], counts)
        if again[0] < best[0]:
            best = again
    return best


@cython.locals(a=cython.Py_ssize_t, b=cython.Py_ssize_t, c=cython.Py_ssize_t, d=cython.Py_ssize_t)
@cython.locals(k=cython.Py_ssize_t)
def differing(units: tuple, gold: tuple, system: tuple, gold_alone: list, system_alone: list) -> tuple:
    """Count units of one word each that are equal, that differ, and of more words; and texts that differ.

    Words that the other side lacks are in none of these units; they replace an empty text.
    """
    words: dict = {}
    equal: cython.Py_ssize_t = 0
    changed: cython.Py_ssize_t = 0
    more: cython.Py_ssize_t = 0
    for unit in units:
        a, b, c, d = cython.cast(tuple, unit)  # reads a named tuple as fast as a plain one
        if b - a == 1 and d - c == 1 and gold[a] == system[c]:
            equal += 1
            continue
        keys: list = []
        gold_words = gold[a:b]
        system_words = system[c:d]
        if gold_alone[a] != gold_alone[b]:
            keys += [(gold[k], "") for k in range(a, b) if gold_alone[k] != gold_alone[k + 1]]
            gold_words = [gold[k] for k in range(a, b) if gold_alone[k] == gold_alone[k + 1]]
        if system_alone[c] != system_alone[d]:
            keys += [("", system[k]) for k in range(c, d) if system_alone[k] != system_alone[k + 1]]
            system_words = [system[k] for k in range(c, d) if system_alone[k] == system_alone[k + 1]]
        if gold_words and system_words:
            key = " ".join(gold_words), " ".join(system_words)
            differs = key[0] != key[1]
            if len(gold_words) + len(system_words) > 2:
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
@cython.exceptval(check=False)
def _row(rows: cython.int[::1], number: cython.Py_ssize_t, size: cython.Py_ssize_t) -> cython.p_int:
    """Return one of several rows of zeros; or a list, which is faster when interpreted."""
    return cython.address(rows[number * size]) if cython.compiled else [0] * size


@cython.cfunc
@cython.locals(level=cython.int, opening=cython.int, opening_above=cython.int, here=cython.int)
@cython.locals(difference=cython.int, less=cython.int, right=cython.int, code=cython.int)
@cython.locals(i=cython.Py_ssize_t, j=cython.Py_ssize_t, at=cython.Py_ssize_t, flags=cython.int)
@cython.locals(steps=cython.p_uchar, earned=cython.p_int, earned_gap=cython.p_int)
def _search(gold: str, system: str, gold_levels: bytes, system_levels: bytes, before: tuple) -> tuple:
    """Return cost and points of the cheapest path, and flags for the tokens of each side without any pair."""
    n, m = len(gold), len(system)
    size: cython.Py_ssize_t = m + 1
    # C variables: a constant of the module would be looked up again for each character.
    far: cython.int = FAR
    gap: cython.int = GAP
    cut: cython.int = CUT
    sentence: cython.int = SENTENCE
    skipped: cython.int = SKIPPED
    open_inside: cython.int = OPEN
    trace: cython.uchar[::1] = bytearray((n + 1) * size)
    steps = cython.address(trace[0]) if cython.compiled else trace
    # Rows with one number for each position of the system.
    rows: cython.int[::1] = array("i", bytes(44 * size if cython.compiled else 4))
    opens: cython.p_int = _row(rows, 0, size)
    codes: cython.p_int = _row(rows, 1, size)
    zero: cython.p_int = _row(rows, 2, size)
    cut_1: cython.p_int = _row(rows, 3, size)
    cut_2: cython.p_int = _row(rows, 4, size)
    end_2: cython.p_int = _row(rows, 5, size)
    best: cython.p_int = _row(rows, 6, size)
    falls: cython.p_int = _row(rows, 7, size)
    least: cython.p_int = _row(rows, 8, size)
    cuts: cython.p_int = _row(rows, 9, size)
    # Number of the token that ends at each position of the system, 0 where none ends
    ids: cython.p_int = _row(rows, 10, size)
    same: cython.int = SAME
    numbers: dict = {}
    start: cython.Py_ssize_t = 0
    number: cython.int
    gold_tokens: cython.Py_ssize_t = 0
    system_tokens: cython.Py_ssize_t = 0
    for j in range(size):
        level = system_levels[j]
        falls[j] = far
        if j:
            codes[j] = ord(system[j - 1])
            system_tokens += level > 0
        # The cost of beginning to skip here, and the gain of arriving here, by gold's level.
        opens[j] = open_inside - (level & 3)
        if level and not level & 4:
            cut_1[j] = cut_2[j] = cut
            if j:
                ids[j] = numbers.setdefault(system[start:j], len(numbers) + 1)
        if level:
            start = j
        if level & 3 == 2:
            cut_2[j] += sentence
            end_2[j] = skipped
    start = 0
    level = gold_levels[0] & 3
    opening = open_inside - level
    earned_gap = end_2 if level == 2 else zero
    here = opening + opens[0]
    for j in range(1, size):
        here += gap - earned_gap[j]
        best[j] = here
    for i in range(1, n + 1):
        at = i * size
        code = ord(gold[i - 1])
        opening_above = opening
        level = gold_levels[i]
        gold_tokens += level > 0
        opening = open_inside - (level & 3)
        earned_gap = end_2 if level & 3 == 2 else zero
        earned = earned_gap
        if level == 1 or level == 2:
            earned = cut_2 if level == 2 else cut_1
            number = numbers.get(gold[start:i], 0)
            if number:
                for j in range(size):
                    cuts[j] = earned[j] + (same if ids[j] == number else 0)
                earned = cuts
        if level:
            start = i
        # Skip gold's character.  The steps are independent, so C vectorises them.  The shift gives -1 for
        # negative numbers and 0 otherwise.  Which way is cheaper is hard to predict, so branches would take
        # five times as long, here and below.
        for j in range(size):
            difference = best[j] + opening_above + opens[j] - falls[j]
            less = difference >> 31
            falls[j] += (difference & less) + 4 - earned_gap[j]
            steps[at + j] = less & 4
        least[0] = falls[0]
        # Pair both characters if that is cheaper.  Different ones cost 8, as much as skipping both, so that
        # only shared cuts pair them.
        for j in range(1, size):
            difference = codes[j] - code
            here = best[j - 1] - earned[j] + (((difference | -difference) >> 31) & 8)
            difference = falls[j] - here - 1
            less = difference >> 31
            least[j] = here + ((difference + 1) & less)
            steps[at + j] |= less & 1
        # Skip the system's character if that is cheaper, from left to right.
        right = far
        best[0] = here = least[0]
        for j in range(1, size):
            difference = here + opening + opens[j - 1] - right
            less = difference >> 31
            right += (difference & less) + 4 - earned_gap[j]
            flags = less & 8
            here = least[j]
            difference = right - here - 1
            less = difference >> 31
            here += (difference + 1) & less
            best[j] = here
            steps[at + j] = (steps[at + j] & (4 | (~less & 1))) | flags | (less & 2)
    cost: cython.int = best[m]
    # Back from the ends: the tokens and the pairs of equal characters passed so far.
    gold_alone = bytearray(b"\1" * gold_tokens)
    system_alone = bytearray(b"\1" * system_tokens)
    if cython.compiled:
        marks_view: cython.int[::1] = array("i", bytes(12 * (gold_tokens + system_tokens + 1)))
        marks = cython.address(marks_view[0])
    else:
        marks = [0] * (3 * (gold_tokens + system_tokens + 1))
    count: cython.Py_ssize_t = 0
    equal: cython.int = 0
    way: cython.int = 0  # 1 or 2: this step belongs to a gap of gold's or the system's characters
    i, j = n, m
    while True:
        gold_level: cython.int = gold_levels[i]
        system_level: cython.int = system_levels[j]
        if gold_level and system_level:
            marks[count] = gold_tokens
            marks[count + 1] = system_tokens
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
            flags = steps[i * size + j]
            if way == 0:
                way = flags & 3
        if way != 2:
            i -= 1
            if gold_level:
                gold_tokens -= 1
        if way != 1:
            j -= 1
            if system_level:
                system_tokens -= 1
        if way == 0:
            gold_alone[gold_tokens] = 0
            system_alone[system_tokens] = 0
            if gold[i] == system[j]:
                equal += 1
        elif (way == 1 and flags & 4) or (way == 2 and flags & 8):
            way = 0
    gold_tokens, system_tokens, i = before
    equal += i
    points: list = []
    while count > 0:
        count -= 3
        points.append(
            (gold_tokens + marks[count], system_tokens + marks[count + 1], equal - marks[count + 2])
        )
    return cost, points, gold_alone, system_alone
