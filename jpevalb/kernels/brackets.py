# cython: infer_types=True
"""Kernel: constituents of a tree (with or without gaps), their matches, crossing brackets and correct tags.

Trees are the flat sequences of ``Tree``.  A yield is a set of units: a half-open range of units, or a bit set
where it has gaps, so that long sentences without gaps need no sets.  A table decides which labels count.
"""

from __future__ import annotations

from array import array

try:
    import cython
except ImportError:
    from jpevalb.kernels import cython_shim as cython

COMPILED: bool = cython.compiled


@cython.locals(parent=cython.Py_ssize_t, words=cython.Py_ssize_t, start=cython.Py_ssize_t)
@cython.locals(end=cython.Py_ssize_t, width=cython.Py_ssize_t)
def constituents(
    labels: tuple,
    parents: tuple,
    starts: tuple,
    ends: tuple,
    word_parents: tuple,
    units,
    size: cython.Py_ssize_t,
    counted: dict,
    resolve,
    exclude_trivial: cython.bint,
    max_fanout: cython.Py_ssize_t,
    tagged: cython.bint = True,
) -> tuple:
    """Return ``(labels, starts, ends, nodes, ordered, gaps)`` of the constituents that count, in preorder.

    Preterminals, nodes without words and labels that do not count are left out; without tags there are no
    preterminals.  A yield is the set of units with any of the node's words.  A unit without a word of this
    side belongs to the yield if the nearest units with words on both sides of it do.  ``ordered`` is True if
    starts ascend, and then ends descend;
    ``gaps`` has a bit set for each yield with gaps and 0 for others, or is ``None`` if no yield has gaps.
    """
    # Word ``i`` is unit ``i`` without ``units``.  ``counted`` is a cache of ``resolve``: the label that each
    # label counts as, or None.
    n: cython.Py_ssize_t = len(labels)
    last: cython.Py_ssize_t = -1
    identity: cython.bint = units is None
    unit_of: list = units
    sizes: cython.longlong[:] = None
    sets: list = []
    missing: list = []
    counted_labels: list = []
    unit_starts: list = []
    unit_ends: list = []
    nodes: list = []
    gaps: list = []
    any_gaps: cython.bint = False
    ordered: cython.bint = True
    last_start: cython.Py_ssize_t = 0
    last_end: cython.Py_ssize_t = 0
    # A subtree is a range of nodes, so words in the order of their nodes leave no gaps.
    for i in range(len(word_parents)):
        parent = word_parents[i]
        if parent < last:
            ordered = False
            break
        last = parent
    with_gaps: cython.bint = not ordered
    if with_gaps:
        if identity:
            identity = False
            unit_of = list(range(len(word_parents)))
        sizes = array("q", bytes(8 * n))
        for parent in word_parents:
            sizes[parent] += 1
        for i in range(n - 1, 0, -1):
            parent = parents[i]
            sizes[parent] += sizes[i]
        sets = bit_sets(parents, starts, ends, word_parents, unit_of, sizes)
        missing = _without_words(unit_of, len(word_parents))
    bits: object = 0
    for i in range(n):
        start = starts[i]
        end = ends[i]
        words = sizes[i] if with_gaps else end - start
        if words <= 0 or (tagged and words == 1 and (i + 1 == n or parents[i + 1] != i)):
            continue
        label = counted.get(labels[i], counted)
        if label is counted:
            label = counted[labels[i]] = resolve(labels[i])
        if label is None:
            continue
        if not identity:
            start = unit_of[start]
            end = unit_of[end - 1]
            end += 1
        width = end - start
        if with_gaps:
            bits = sets[i]
            if bits:
                for run, sides in missing:
                    if bits & sides == sides:
                        bits |= run
                width = bits.bit_count()
                if width == end - start:
                    bits = 0
                elif max_fanout > 0 and (bits & ~(bits << 1)).bit_count() > max_fanout:
                    continue
        if exclude_trivial and (width == 1 or width == size):
            continue
        if start < last_start or (start == last_start and end > last_end):
            ordered = ordered and not nodes
        last_start = start
        last_end = end
        counted_labels.append(label)
        unit_starts.append(start)
        unit_ends.append(end)
        nodes.append(i)
        if with_gaps:
            gaps.append(bits)
            any_gaps = any_gaps or bits != 0
    return counted_labels, unit_starts, unit_ends, nodes, ordered, gaps if any_gaps else None


def unit_numbers(units: tuple) -> tuple:
    """Return the unit of each gold token and of each system token, from the token ranges of the units."""
    gold: list = []
    system: list = []
    _k: cython.Py_ssize_t
    for number, unit in enumerate(units):
        ends = cython.cast(tuple, unit)
        for _k in range(ends[0], ends[1]):
            gold.append(number)
        for _k in range(ends[2], ends[3]):
            system.append(number)
    return gold, system


@cython.cfunc
@cython.locals(unit=cython.Py_ssize_t, last=cython.Py_ssize_t)
def _without_words(unit_of: list, n_words: cython.Py_ssize_t) -> list:
    """Return the bit set of each run of units without words, and that of the two units around it."""
    one: object = 1
    runs: list = []
    for i in range(1, n_words):
        last = unit_of[i - 1]
        unit = unit_of[i]
        if unit > last + 1:
            runs.append(((one << unit) - (one << (last + 1)), (one << unit) | (one << last)))
    return runs


@cython.locals(parent=cython.Py_ssize_t, start=cython.Py_ssize_t, end=cython.Py_ssize_t)
def bit_sets(
    parents: tuple, starts: tuple, ends: tuple, word_parents: tuple, unit_of, sizes: cython.longlong[:]
) -> list:
    """Return the bit set of units of each node whose words have gaps; 0 for the others."""
    n: cython.Py_ssize_t = len(parents)
    gaps: cython.uchar[:] = bytearray(n)
    sets: list = [0] * n
    one: object = 1
    for i in range(n):
        start = starts[i]
        end = ends[i]
        gaps[i] = sizes[i] != end - start
    for word in range(len(word_parents)):
        parent = word_parents[word]
        if gaps[parent]:
            sets[parent] |= one << unit_of[word]
    for i in range(n - 1, 0, -1):
        parent = parents[i]
        if gaps[parent] and sizes[i] > 0:
            if gaps[i]:
                sets[parent] |= sets[i]
            else:
                start = starts[i]
                end = ends[i]
                sets[parent] |= (one << (unit_of[end - 1] + 1)) - (one << unit_of[start])
    return sets


def matches(gold: tuple, system: tuple, equal: dict) -> list:
    """Return for each gold constituent the index of its system constituent, or -1."""
    # Each in order takes the first free one with the same yield and an equal label, so n gold and m system
    # copies match min(n, m) times: the order of evalb (Sekine & Collins 1997), without its search.
    if gold[4] and system[4] and not equal:
        return _merge(gold[0], gold[1], gold[2], system[0], system[1], system[2])
    return _look_up(gold[0], gold[1], _far_ends(gold), system[0], system[1], _far_ends(system), equal)


@cython.cfunc
def _far_ends(side: tuple) -> list:
    """Return the end of each yield that is one block, a unique negative number for one with gaps."""
    ends: list = side[2]
    if side[5] is None:
        return ends
    return [-bits if bits else end for end, bits in zip(ends, side[5])]


@cython.cfunc
@cython.locals(start=cython.Py_ssize_t, end=cython.Py_ssize_t, system_start=cython.Py_ssize_t)
@cython.locals(system_end=cython.Py_ssize_t, first=cython.Py_ssize_t)
def _merge(
    gold_labels: list,
    gold_starts: list,
    gold_ends: list,
    system_labels: list,
    system_starts: list,
    system_ends: list,
) -> list:
    """Match two ordered sides in one walk."""
    n: cython.Py_ssize_t = len(gold_labels)
    m: cython.Py_ssize_t = len(system_labels)
    i: cython.Py_ssize_t = 0
    j: cython.Py_ssize_t = 0
    partners: list = [-1] * n
    free: dict = {}
    while i < n and j < m:
        start = gold_starts[i]
        end = gold_ends[i]
        system_start = system_starts[j]
        system_end = system_ends[j]
        if start < system_start or (start == system_start and end > system_end):
            i += 1
            continue
        if start > system_start or end < system_end:
            j += 1
            continue
        label = gold_labels[i]
        if system_labels[j] == label:
            # The first of its span on both sides: nothing before it is free.
            partners[i] = j
            i += 1
            j += 1
            continue
        # The system's constituents of this span by label, the first one last.
        free = {}
        first = j
        while j < m and start == cython.cast(cython.Py_ssize_t, system_starts[j]):
            if end != cython.cast(cython.Py_ssize_t, system_ends[j]):
                break
            j += 1
        for index in range(j - 1, first - 1, -1):
            free.setdefault(system_labels[index], []).append(index)
        while i < n and start == cython.cast(cython.Py_ssize_t, gold_starts[i]):
            if end != cython.cast(cython.Py_ssize_t, gold_ends[i]):
                break
            waiting = free.get(gold_labels[i])
            if waiting:
                partners[i] = waiting.pop()
            i += 1
    return partners


@cython.cfunc
@cython.locals(j=cython.Py_ssize_t, index=cython.Py_ssize_t)
def _look_up(
    gold_labels: list,
    gold_starts: list,
    gold_ends: list,
    system_labels: list,
    system_starts: list,
    system_ends: list,
    equal: dict,
) -> list:
    """Match by hash, in any order and with equivalent labels."""
    n: cython.Py_ssize_t = len(gold_labels)
    m: cython.Py_ssize_t = len(system_labels)
    # The first free constituent of each label and span; behind[j] is the next one with the same key.
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
                index = free.get(alias_key, -1)
                if index >= 0 and (j < 0 or index < j):
                    j = index
                    key = alias_key
        if j >= 0:
            partners[i] = j
            free[key] = behind[j]
    return partners


@cython.locals(j=cython.Py_ssize_t)
def count_labels(gold_names: list, system_names: list, gold: tuple, system: tuple, partners: list) -> tuple:
    """Return ``[gold, system, matched gold, matched system]`` constituents of each label, and confusions.

    Over one span missed and extra constituents pair up in preorder.
    """
    counts: list
    table: dict = {}
    matched: list = [False] * len(system_names)
    for i in range(len(gold_names)):
        j = partners[i]
        if j >= 0:
            matched[j] = True
            counts = _counts_of(table, gold_names[i])
            counts[0] += 1
            counts[2] += 1
            if system_names[j] is not gold_names[i]:
                counts = _counts_of(table, system_names[j])
            counts[1] += 1
            counts[3] += 1
    # Labels of extra constituents by span, the first one last.
    extra: dict = {}
    ends: list = _far_ends(system)
    for i in range(len(system_names) - 1, -1, -1):
        if not matched[i]:
            _counts_of(table, system_names[i])[1] += 1
            extra.setdefault((system[1][i], ends[i]), []).append(system_names[i])
    confused: dict = {}
    ends = _far_ends(gold)
    for i in range(len(gold_names)):
        if partners[i] < 0:
            _counts_of(table, gold_names[i])[0] += 1
            others = extra.get((gold[1][i], ends[i]))
            if others:
                key = gold_names[i], others.pop()
                confused[key] = confused.get(key, 0) + 1
    return table, confused


@cython.cfunc
def _counts_of(table: dict, label) -> list:
    counts: list = table.get(label)
    if counts is None:
        counts = table[label] = [0, 0, 0, 0]
    return counts


def crossings(gold: tuple, system: tuple, size: cython.Py_ssize_t) -> list:
    """Return for each system constituent whether it overlaps a gold one, and neither contains the other."""
    crossed: list = [False] * len(system[1])
    if gold[5] is not None or system[5] is not None:
        _crossed_sets(gold, system, size, crossed)
    else:
        _crossed_blocks(gold[1], gold[2], system[1], system[2], size, crossed)
    return crossed


@cython.cfunc
@cython.locals(first=cython.ulonglong, second=cython.ulonglong, both=cython.ulonglong)
def _crossed_sets(gold: tuple, system: tuple, size: cython.Py_ssize_t, crossed: list):
    """Mark crossings where some yields have gaps."""
    n: cython.Py_ssize_t = len(gold[1])
    m: cython.Py_ssize_t = len(system[1])
    if size <= 64:
        sets: cython.ulonglong[:] = array("Q", bytes(8 * (n + 1)))
        for i in range(n):
            sets[i] = _narrow_set(gold, i)
        for i in range(m):
            first = _narrow_set(system, i)
            for j in range(n):
                second = sets[j]
                both = first & second
                if both and both != first and both != second:
                    crossed[i] = True
                    break
        return
    gold_sets: list = [_wide_set(gold, i) for i in range(n)]
    for i in range(m):
        wide = _wide_set(system, i)
        for other in gold_sets:
            shared = wide & other
            if shared and shared != wide and shared != other:
                crossed[i] = True
                break


@cython.cfunc
def _narrow_set(side: tuple, index: cython.Py_ssize_t) -> cython.ulonglong:
    """Return the yield of a constituent as a bit set of up to 64 units."""
    gaps: list = side[5]
    starts: list = side[1]
    ends: list = side[2]
    if side[5] is not None and gaps[index]:
        return gaps[index]
    start: cython.Py_ssize_t = starts[index]
    end: cython.Py_ssize_t = ends[index]
    two: cython.ulonglong = 2
    return ((two << (end - start - 1)) - 1) << start


@cython.cfunc
def _wide_set(side: tuple, index: cython.Py_ssize_t) -> object:
    """Return the yield of a constituent as a bit set."""
    one: object = 1
    bits = 0 if side[5] is None else side[5][index]
    return bits if bits else (one << side[2][index]) - (one << side[1][index])


@cython.cfunc
@cython.locals(i=cython.Py_ssize_t, boundary=cython.Py_ssize_t, start=cython.Py_ssize_t)
@cython.locals(end=cython.Py_ssize_t, limit=cython.Py_ssize_t, top=cython.Py_ssize_t)
def _crossed_blocks(
    gold_starts: list,
    gold_ends: list,
    system_starts: list,
    system_ends: list,
    size: cython.Py_ssize_t,
    crossed: list,
):
    """Mark the system blocks that cross a gold block, in O(gold + system + units)."""
    # Let ``right[s]`` be the smallest end behind s of a gold span that begins before s.  A span (s, e) is
    # crossed at its left side if and only if ``right[s] < e``.  The other side is its mirror image.
    n: cython.Py_ssize_t = len(gold_starts)
    m: cython.Py_ssize_t = len(system_starts)
    # least[e]: the least start of a gold span that ends at e; most[s]: the greatest end of one from s.
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
    # A stack of boundaries that no span has reached yet; the next ones to be reached are on top.
    waiting: list = [0] * (size + 1)
    top = 0
    for boundary in range(size + 1):
        limit = least[boundary]
        while top > 0 and cython.cast(cython.Py_ssize_t, waiting[top - 1]) > limit:
            top -= 1
            right[waiting[top]] = boundary
        waiting[top] = boundary
        top += 1
    top = 0
    for boundary in range(size, -1, -1):
        limit = most[boundary]
        while top > 0 and cython.cast(cython.Py_ssize_t, waiting[top - 1]) < limit:
            top -= 1
            left[waiting[top]] = boundary
        waiting[top] = boundary
        top += 1
    for i in range(m):
        start = system_starts[i]
        end = system_ends[i]
        boundary = right[start]
        limit = left[end]
        crossed[i] = boundary < end or limit > start


@cython.locals(i=cython.Py_ssize_t, left=cython.Py_ssize_t)
def matching_tags(
    gold_tags: list,
    gold_words: tuple,
    system_tags: list,
    system_words: tuple,
    equal_tags: dict,
    equal_words: dict,
) -> cython.Py_ssize_t:
    """Return the size of the multiset intersection of two sentences' (tag, word) pairs.

    If tags or words are equated, pairs at the same position match first.  Each other gold pair, in order,
    then matches a free system pair: an identical one if there is one, else an equal one.
    """
    n: cython.Py_ssize_t = len(gold_tags)
    m: cython.Py_ssize_t = len(system_tags)
    shared: cython.Py_ssize_t = n if n < m else m
    count: cython.Py_ssize_t = 0
    # Removing pairs at the same position from both sides changes no minimum.
    rest: list = []
    free: dict = {}
    for i in range(m):
        if i < shared:
            tag = gold_tags[i]
            word = gold_words[i]
            if (tag == system_tags[i] or system_tags[i] in equal_tags.get(tag, ())) and (
                word == system_words[i] or system_words[i] in equal_words.get(word, ())
            ):
                count += 1
                continue
            rest.append(i)
        key = system_tags[i], system_words[i]
        free[key] = free.get(key, 0) + 1
    rest.extend(range(shared, n))
    for index in rest:
        i = index
        tag = gold_tags[i]
        word = gold_words[i]
        key = tag, word
        if not free.get(key) and (equal_tags or equal_words):
            for system_tag in (tag, *equal_tags.get(tag, ())):
                for system_word in (word, *equal_words.get(word, ())):
                    if not free.get(key):
                        key = system_tag, system_word
        left = free.get(key, 0)
        if left > 0:
            free[key] = left - 1
            count += 1
    return count
