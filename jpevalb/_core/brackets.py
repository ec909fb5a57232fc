"""Kernel: constituents of a tree, their matching, crossing brackets and correct tags.

A tree comes as the flat sequences of ``Tree``; a span is a half-open range of
units.  Nothing here knows which labels count: that is asked of a table.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from jpevalb._core import cython_shim as cython

COMPILED: bool = cython.compiled


def constituents(
    labels: tuple, parents: tuple, starts: tuple, ends: tuple, units, counted: dict, resolve
) -> tuple:
    """The constituents of a tree that count, in preorder.

    A node is none if it is a preterminal (its one child is a word), has no word
    below it, or its label does not count.

    Args:
        labels: As in ``Tree``.
        parents: As in ``Tree``.
        starts: As in ``Tree``.
        ends: As in ``Tree``.
        units: A list of the unit of each word, never falling; ``None`` where
            word ``i`` is unit ``i``.
        counted: For labels the one they count as, or ``None``; grows.
        resolve: Called with a label that is not in ``counted`` yet.

    Returns:
        ``(labels, starts, ends, nodes, ordered)``: lists of the label, the span
        in units and the number in the tree of each constituent, and whether
        spans come in order: by start, those of one start from long to short.

    Cost: O(nodes).
    """
    n: cython.Py_ssize_t = len(labels)
    i: cython.Py_ssize_t
    start: cython.Py_ssize_t
    end: cython.Py_ssize_t
    identity: cython.bint = units is None
    unit_of: list = units
    found: list = []
    found_starts: list = []
    found_ends: list = []
    nodes: list = []
    ordered: cython.bint = True
    last_start: cython.Py_ssize_t = 0
    last_end: cython.Py_ssize_t = 0
    for i in range(n):
        start = starts[i]
        end = ends[i]
        if end <= start:
            continue
        if end - start == 1 and (i + 1 == n or parents[i + 1] != i):
            continue
        label = counted.get(labels[i], counted)
        if label is counted:
            label = counted[labels[i]] = resolve(labels[i])
        if label is None:
            continue
        found.append(label)
        if identity:
            found_starts.append(starts[i])
            found_ends.append(ends[i])
        else:
            start = unit_of[start]
            end = unit_of[end - 1]
            end += 1
            found_starts.append(start)
            found_ends.append(end)
        nodes.append(i)
        if start < last_start or (start == last_start and end > last_end):
            ordered = len(nodes) == 1
        last_start = start
        last_end = end
    return found, found_starts, found_ends, nodes, ordered


def matches(gold: tuple, system: tuple, equal: dict) -> list:
    """Matches gold constituents with system constituents, each at most once.

    Each gold constituent in order takes the first free system constituent that
    has the same span and an equal label, so n gold and m system copies of one
    constituent match min(n, m) times.

    Args:
        gold: What :func:`constituents` returns for the gold tree.
        system: The same for the system's.
        equal: For a label the other labels that are equal to it, as a tuple.

    Returns:
        For each gold constituent the number of the system constituent it takes, or -1.

    Cost: O(gold + system), times the labels that are equal to one.

    Source: the order of evalb (Sekine & Collins 1997), found without its search.
    """
    if gold[4] and system[4] and not equal:
        return _merge(gold[0], gold[1], gold[2], system[0], system[1], system[2])
    return _look_up(gold[0], gold[1], gold[2], system[0], system[1], system[2], equal)


@cython.cfunc
def _merge(
    gold_labels: list,
    gold_starts: list,
    gold_ends: list,
    system_labels: list,
    system_starts: list,
    system_ends: list,
) -> list:
    """Matching where both sides come in order: one walk, equal spans side by side."""
    n: cython.Py_ssize_t = len(gold_labels)
    m: cython.Py_ssize_t = len(system_labels)
    i: cython.Py_ssize_t = 0
    j: cython.Py_ssize_t = 0
    start: cython.Py_ssize_t
    end: cython.Py_ssize_t
    other_start: cython.Py_ssize_t
    other_end: cython.Py_ssize_t
    partners: list = [-1] * n
    free: dict = {}
    while i < n and j < m:
        start = gold_starts[i]
        other_start = system_starts[j]
        if start != other_start:
            if start < other_start:
                i += 1
            else:
                j += 1
            continue
        end = gold_ends[i]
        other_end = system_ends[j]
        if end != other_end:
            if end > other_end:
                i += 1
            else:
                j += 1
            continue
        label = gold_labels[i]
        if system_labels[j] == label:
            # The first of a span on both sides: nothing before it is free.
            partners[i] = j
            i += 1
            j += 1
            continue
        # A chain: the system's constituents of this span, by label, first ones last.
        free = {}
        other_start = j
        while j < m and start == cython.cast(cython.Py_ssize_t, system_starts[j]):
            if end != cython.cast(cython.Py_ssize_t, system_ends[j]):
                break
            j += 1
        for place in range(j - 1, other_start - 1, -1):
            waiting = free.get(system_labels[place])
            if waiting is None:
                free[system_labels[place]] = [place]
            else:
                waiting.append(place)
        while i < n and start == cython.cast(cython.Py_ssize_t, gold_starts[i]):
            if end != cython.cast(cython.Py_ssize_t, gold_ends[i]):
                break
            waiting = free.get(gold_labels[i])
            if waiting:
                partners[i] = waiting.pop()
            i += 1
    return partners


@cython.cfunc
def _look_up(
    gold_labels: list,
    gold_starts: list,
    gold_ends: list,
    system_labels: list,
    system_starts: list,
    system_ends: list,
    equal: dict,
) -> list:
    """Matching in any order and with labels equated: by hash."""
    n: cython.Py_ssize_t = len(gold_labels)
    m: cython.Py_ssize_t = len(system_labels)
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    other: cython.Py_ssize_t
    # For each label and span the first free constituent; behind[j] is the next of the same.
    free: dict = {}
    behind: list = [-1] * m
    partners: list = [-1] * n
    for j in range(m - 1, -1, -1):
        key = (system_labels[j], system_starts[j], system_ends[j])
        behind[j] = free.get(key, -1)
        free[key] = j
    for i in range(n):
        label = gold_labels[i]
        key = (label, gold_starts[i], gold_ends[i])
        j = free.get(key, -1)
        if label in equal:
            for alias in equal[label]:
                alias_key = (alias, gold_starts[i], gold_ends[i])
                other = free.get(alias_key, -1)
                if other >= 0 and (j < 0 or other < j):
                    j = other
                    key = alias_key
        if j >= 0:
            partners[i] = j
            free[key] = behind[j]
    return partners


def crossings(gold: tuple, system: tuple, size: cython.Py_ssize_t) -> list:
    """For each system constituent, whether it crosses at least one gold constituent.

    Two spans cross if they overlap and neither holds the other.

    Args:
        gold: What :func:`constituents` returns for the gold tree.
        system: The same for the system's.
        size: The number of units.

    For a place s let ``right[s]`` be the smallest end behind s of a gold span
    that begins before s: the span (s, e) is crossed at its left side if and only
    if ``right[s] < e``.  The other side is its mirror image.

    Cost: O(gold + system + size).
    """
    gold_starts: list = gold[1]
    gold_ends: list = gold[2]
    system_starts: list = system[1]
    system_ends: list = system[2]
    n: cython.Py_ssize_t = len(gold_starts)
    m: cython.Py_ssize_t = len(system_starts)
    i: cython.Py_ssize_t
    place: cython.Py_ssize_t
    start: cython.Py_ssize_t
    end: cython.Py_ssize_t
    limit: cython.Py_ssize_t
    top: cython.Py_ssize_t
    # least[e]: the least start of a gold span that ends at e; most[s]: the
    # greatest end of one that begins at s.
    least: list = list(range(size + 1))
    most: list = list(range(size + 1))
    for i in range(n):
        start = gold_starts[i]
        end = gold_ends[i]
        limit = least[end]
        if start < limit:
            least[end] = gold_starts[i]
        limit = most[start]
        if end > limit:
            most[start] = gold_ends[i]
    right: list = [size + 1] * (size + 1)
    left: list = [-1] * (size + 1)
    # Places that no span has reached yet; those a span reaches are on top.
    waiting: list = [0] * (size + 1)
    top = 0
    for place in range(size + 1):
        limit = least[place]
        while top > 0:
            i = waiting[top - 1]
            if i <= limit:
                break
            right[i] = place
            top -= 1
        waiting[top] = place
        top += 1
    top = 0
    for place in range(size, -1, -1):
        limit = most[place]
        while top > 0:
            i = waiting[top - 1]
            if i >= limit:
                break
            left[i] = place
            top -= 1
        waiting[top] = place
        top += 1
    crossed: list = [False] * m
    for i in range(m):
        start = system_starts[i]
        end = system_ends[i]
        place = right[start]
        if place < end:
            crossed[i] = True
            continue
        place = left[end]
        if place > start:
            crossed[i] = True
    return crossed


def tags(labels: tuple, parents: tuple, starts: tuple, ends: tuple, word_parents: tuple) -> list:
    """For each word the label of its preterminal, ``None`` for a word that has none.

    Cost: O(words).
    """
    n: cython.Py_ssize_t = len(labels)
    node: cython.Py_ssize_t
    start: cython.Py_ssize_t
    end: cython.Py_ssize_t
    found: list = []
    for parent in word_parents:
        node = parent
        start = starts[node]
        end = ends[node]
        if end - start == 1 and (node + 1 == n or parents[node + 1] != node):
            found.append(labels[node])
        else:
            found.append(None)
    return found


def matching_tags(
    gold_tags: list,
    gold_words: tuple,
    system_tags: list,
    system_words: tuple,
    equal_tags: dict,
    equal_words: dict,
) -> cython.Py_ssize_t:
    """The size of the multiset intersection of two sentences' (tag, word) pairs.

    Where tags or words are declared equal, pairs at the same place go first,
    then each gold pair in order takes a free system pair that is equal to it,
    its like before others.

    Args:
        gold_tags: The tag of each gold word, or ``None``.
        gold_words: The words as written.
        system_tags: The same of the system's.
        system_words: The same of the system's.
        equal_tags: For a tag the other tags that are equal to it, as a tuple.
        equal_words: The same of words.

    Cost: O(words), times the tags and words that are equal to one.
    """
    n: cython.Py_ssize_t = len(gold_tags)
    m: cython.Py_ssize_t = len(system_tags)
    shared: cython.Py_ssize_t = n if n < m else m
    i: cython.Py_ssize_t
    count: cython.Py_ssize_t = 0
    left: cython.Py_ssize_t
    # What pairs at the same place take away from both sides changes no minimum.
    rest: list = []
    free: dict = {}
    for i in range(shared):
        tag = gold_tags[i]
        word = gold_words[i]
        other_tag = system_tags[i]
        other_word = system_words[i]
        if (tag == other_tag or other_tag in equal_tags.get(tag, ())) and (
            word == other_word or other_word in equal_words.get(word, ())
        ):
            count += 1
        else:
            rest.append(i)
            key = (other_tag, other_word)
            free[key] = free.get(key, 0) + 1
    for i in range(shared, m):
        key = (system_tags[i], system_words[i])
        free[key] = free.get(key, 0) + 1
    rest.extend(range(shared, n))
    if not free:
        return count
    for place in rest:
        i = place
        tag = gold_tags[i]
        word = gold_words[i]
        key = (tag, word)
        left = free.get(key, 0)
        if left == 0 and (equal_tags or equal_words):
            for other_tag in (tag, *equal_tags.get(tag, ())):
                for other_word in (word, *equal_words.get(word, ())):
                    if left == 0:
                        key = (other_tag, other_word)
                        left = free.get(key, 0)
        if left > 0:
            free[key] = left - 1
            count += 1
    return count
