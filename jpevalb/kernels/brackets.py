"""Kernel: constituents of any tree, with gaps or not, their matching, crossing brackets and correct tags.

A tree comes as the flat sequences of ``Tree``.  A yield is a set of units: where it is one
block it is known by its half-open range of units, and only yields with gaps are made bit
sets, so that a sentence of 100,000 words without gaps needs no set at all.
Nothing here knows which labels count: that is asked of a table.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from jpevalb.kernels import cython_shim as cython

COMPILED: bool = cython.compiled


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
) -> tuple:
    """The constituents of a tree that count, in preorder.

    A node is none if it is a preterminal (its one child is a word), has no word
    below it, or its label does not count.  A yield is the set of units that hold any
    of the node's words; a unit without a word of this side belongs to it if the units
    with words on both sides of it do.

    Args:
        labels: As in ``Tree``.
        parents: As in ``Tree``.
        starts: As in ``Tree``.
        ends: As in ``Tree``.
        word_parents: As in ``Tree``.
        units: A list of the unit of each word, never falling; ``None`` where
            word ``i`` is unit ``i``.
        size: The number of units.
        counted: For labels the one they count as, or ``None``; grows.
        resolve: Called with a label that is not in ``counted`` yet.
        exclude_trivial: Leave out constituents of one unit and of all units.
        max_fanout: Leave out constituents of more blocks of units; 0 for no limit.

    Returns:
        ``(labels, starts, ends, nodes, ordered, gaps)``: lists of the label, the first
        unit, the last unit + 1 and the number in the tree of each constituent;
        whether they come in order: by start, those of one start from long to short;
        and ``None`` if no yield has gaps, else a list with the bit set of each yield
        that has, and 0 for the others.

    Cost: O(nodes + words), and O(size / 64) for each node with gaps and each node below one.
    """
    n: cython.Py_ssize_t = len(word_parents)
    i: cython.Py_ssize_t
    parent: cython.Py_ssize_t
    last: cython.Py_ssize_t = -1
    # A subtree is a range of nodes, so words in the order of their nodes leave no gaps.
    for i in range(n):
        parent = word_parents[i]
        if parent < last:
            return _with_gaps(
                labels,
                parents,
                starts,
                ends,
                word_parents,
                units,
                size,
                counted,
                resolve,
                exclude_trivial,
                max_fanout,
            )
        last = parent
    return _without_gaps(labels, parents, starts, ends, units, size, counted, resolve, exclude_trivial)


def unit_numbers(units: tuple) -> tuple:
    """For each gold token the number of its unit, and for each token of the system.

    Args:
        units: Each the first and the last token + 1 of gold and of the system; every token of both sides is
            in one of them.

    Cost: O(tokens).
    """
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
def _without_gaps(
    labels: tuple,
    parents: tuple,
    starts: tuple,
    ends: tuple,
    units,
    size: cython.Py_ssize_t,
    counted: dict,
    resolve,
    exclude_trivial: cython.bint,
) -> tuple:
    """The constituents of a tree in which every yield is one block of words."""
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
        if not identity:
            start = unit_of[start]
            end = unit_of[end - 1]
            end += 1
        if exclude_trivial and (end - start == 1 or end - start == size):
            continue
        found.append(label)
        if identity:
            found_starts.append(starts[i])
            found_ends.append(ends[i])
        else:
            found_starts.append(start)
            found_ends.append(end)
        nodes.append(i)
        if start < last_start or (start == last_start and end > last_end):
            ordered = len(nodes) == 1
        last_start = start
        last_end = end
    return found, found_starts, found_ends, nodes, ordered, None


@cython.cfunc
def _with_gaps(
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
) -> tuple:
    """The constituents of a tree whose yields may have gaps."""
    n: cython.Py_ssize_t = len(labels)
    n_words: cython.Py_ssize_t = len(word_parents)
    i: cython.Py_ssize_t
    parent: cython.Py_ssize_t
    words: cython.Py_ssize_t
    start: cython.Py_ssize_t
    end: cython.Py_ssize_t
    width: cython.Py_ssize_t
    unit_of: list = list(range(n_words)) if units is None else units
    sizes: list = [0] * n
    found: list = []
    found_starts: list = []
    found_ends: list = []
    nodes: list = []
    gaps: list = []
    some: cython.bint = False
    for node in word_parents:
        i = node
        sizes[i] += 1
    for i in range(n - 1, 0, -1):
        parent = parents[i]
        sizes[parent] += sizes[i]
    sets: list = _bit_sets(n, parents, starts, ends, word_parents, unit_of, sizes)
    missing: list = _without_words(unit_of, n_words)
    for i in range(n):
        words = sizes[i]
        if words == 0:
            continue
        if words == 1 and (i + 1 == n or parents[i + 1] != i):
            continue
        label = counted.get(labels[i], counted)
        if label is counted:
            label = counted[labels[i]] = resolve(labels[i])
        if label is None:
            continue
        start = starts[i]
        end = ends[i]
        bits = sets[i]
        start = unit_of[start]
        end = unit_of[end - 1]
        end += 1
        width = end - start
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
        if bits:
            some = True
        found.append(label)
        found_starts.append(start)
        found_ends.append(end)
        nodes.append(i)
        gaps.append(bits)
    return found, found_starts, found_ends, nodes, False, gaps if some else None


@cython.cfunc
def _without_words(unit_of: list, n_words: cython.Py_ssize_t) -> list:
    """For each run of units without a word between two with words its bit set, and that of those two."""
    i: cython.Py_ssize_t
    unit: cython.Py_ssize_t
    last: cython.Py_ssize_t
    one: object = 1
    runs: list = []
    for i in range(1, n_words):
        last = unit_of[i - 1]
        unit = unit_of[i]
        if unit > last + 1:
            runs.append(((one << unit) - (one << (last + 1)), (one << unit) | (one << last)))
    return runs


@cython.cfunc
def _bit_sets(
    n: cython.Py_ssize_t,
    parents: tuple,
    starts: tuple,
    ends: tuple,
    word_parents: tuple,
    unit_of: list,
    sizes: list,
) -> list:
    """For each node whose words have gaps the bit set of its units; 0 for the others."""
    i: cython.Py_ssize_t
    place: cython.Py_ssize_t
    parent: cython.Py_ssize_t
    size: cython.Py_ssize_t
    start: cython.Py_ssize_t
    end: cython.Py_ssize_t
    gaps: list = [False] * n
    sets: list = [0] * n
    one: object = 1
    for i in range(n):
        size = sizes[i]
        start = starts[i]
        end = ends[i]
        gaps[i] = size != end - start
    for place in range(len(word_parents)):
        parent = word_parents[place]
        if gaps[parent]:
            sets[parent] |= one << unit_of[place]
    for i in range(n - 1, 0, -1):
        parent = parents[i]
        size = sizes[i]
        if gaps[parent] and size > 0:
            if gaps[i]:
                sets[parent] |= sets[i]
            else:
                start = starts[i]
                end = ends[i]
                sets[parent] |= (one << (unit_of[end - 1] + 1)) - (one << unit_of[start])
    return sets


def matches(gold: tuple, system: tuple, equal: dict) -> list:
    """Matches gold constituents with system constituents, each at most once.

    Each gold constituent in order takes the first free system constituent that
    has the same yield and an equal label, so n gold and m system copies of one
    constituent match min(n, m) times.

    Args:
        gold: What :func:`constituents` returns for the gold tree.
        system: What :func:`constituents` returns for the system's tree.
        equal: For a label the other labels that are equal to it, as a tuple.

    Returns:
        For each gold constituent the number of the system constituent it takes, or -1.

    Cost: O(gold + system), times the labels that are equal to one.

    Source: the order of evalb (Sekine & Collins 1997), found without its search.
    """
    if gold[4] and system[4] and not equal:
        return _merge(gold[0], gold[1], gold[2], system[0], system[1], system[2])
    return _look_up(gold[0], gold[1], _far_ends(gold), system[0], system[1], _far_ends(system), equal)


@cython.cfunc
def _far_ends(side: tuple) -> list:
    """The end of each yield that is one block, and something of its own for each that has gaps."""
    ends: list = side[2]
    if side[5] is None:
        return ends
    return [-bits if bits else end for end, bits in zip(ends, side[5])]


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


def crossings(gold: tuple, system: tuple, size: cython.Py_ssize_t, partners: list) -> list:
    """For each system constituent, whether it crosses at least one gold constituent.

    Two yields cross if they overlap and neither holds the other.  A matched constituent
    does not cross: over units, constituents of one tree can share a unit, but what gold
    has as well is no error.

    Args:
        gold: What :func:`constituents` returns for the gold tree.
        system: What :func:`constituents` returns for the system's tree.
        size: The number of units.
        partners: What :func:`matches` returns for both.

    Cost: O(gold + system + size); and where yields have gaps, O(size / 64) for each of them
    and each constituent of the other side.
    """
    m: cython.Py_ssize_t = len(system[1])
    i: cython.Py_ssize_t
    place: cython.Py_ssize_t
    matched: cython.Py_ssize_t = 0
    crossed: list = [False] * m
    for i in range(len(partners)):
        place = partners[i]
        if place >= 0:
            matched += 1
    if matched == m:
        return crossed
    if gold[5] is not None or system[5] is not None:
        _crossed_sets(gold, system, size, crossed, partners)
    elif _crossed_blocks(gold[1], gold[2], system[1], system[2], size, crossed) > 0:
        for i in range(len(partners)):
            place = partners[i]
            if place >= 0:
                crossed[place] = False
    return crossed


@cython.cfunc
def _crossed_sets(gold: tuple, system: tuple, size: cython.Py_ssize_t, crossed: list, partners: list):
    """Crossings where some yields have gaps, of the constituents without a match."""
    n: cython.Py_ssize_t = len(gold[1])
    m: cython.Py_ssize_t = len(system[1])
    i: cython.Py_ssize_t
    gold_gaps: list = [0] * n if gold[5] is None else gold[5]
    system_gaps: list = [0] * m if system[5] is None else system[5]
    matched: set = set(partners)
    one: object = 1
    # Blocks against blocks are known by their ends.
    blocks: list = [place for place in range(n) if not gold_gaps[place]]
    _crossed_blocks(
        [gold[1][place] for place in blocks],
        [gold[2][place] for place in blocks],
        system[1],
        system[2],
        size,
        crossed,
    )
    sets: list = [
        bits if bits else (one << end) - (one << start)
        for start, end, bits in zip(gold[1], gold[2], gold_gaps)
    ]
    holes: list = [bits for bits in gold_gaps if bits]
    for i in range(m):
        bits = system_gaps[i]
        if i in matched:
            crossed[i] = False
        elif bits or not crossed[i]:
            mine = bits if bits else (one << system[2][i]) - (one << system[1][i])
            crossed[i] = False
            for other in sets if bits else holes:
                both = mine & other
                if both and both != mine and both != other:
                    crossed[i] = True
                    break


@cython.cfunc
def _crossed_blocks(
    gold_starts: list,
    gold_ends: list,
    system_starts: list,
    system_ends: list,
    size: cython.Py_ssize_t,
    crossed: list,
) -> cython.Py_ssize_t:
    """Notes of each system block whether it crosses at least one gold block; the number of those that do.

    For a place s let ``right[s]`` be the smallest end behind s of a gold span
    that begins before s: the span (s, e) is crossed at its left side if and only
    if ``right[s] < e``.  The other side is its mirror image.
    """
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
    found: cython.Py_ssize_t = 0
    for i in range(m):
        start = system_starts[i]
        end = system_ends[i]
        place = right[start]
        if place < end:
            crossed[i] = True
            found += 1
            continue
        place = left[end]
        if place > start:
            crossed[i] = True
            found += 1
    return found


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
        system_tags: The tag of each word of the system's, or ``None``.
        system_words: The system's words as written.
        equal_tags: For a tag the other tags that are equal to it, as a tuple.
        equal_words: For a word the other words that are equal to it, as a tuple.

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
    # For each tag how often each word has it.
    free: dict = {}
    words: dict
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
            _count(free, other_tag, other_word)
    for i in range(shared, m):
        _count(free, system_tags[i], system_words[i])
    rest.extend(range(shared, n))
    if not free:
        return count
    nothing: dict = {}
    for place in rest:
        i = place
        tag = gold_tags[i]
        word = gold_words[i]
        words = free.get(tag, nothing)
        left = words.get(word, 0)
        if left == 0 and (equal_tags or equal_words):
            for other_tag in (tag, *equal_tags.get(tag, ())):
                for other_word in (gold_words[i], *equal_words.get(gold_words[i], ())):
                    if left == 0:
                        word = other_word
                        words = free.get(other_tag, nothing)
                        left = words.get(word, 0)
        if left > 0:
            words[word] = left - 1
            count += 1
    return count


@cython.cfunc
@cython.exceptval(check=True)
def _count(found: dict, tag, word) -> cython.void:
    """Counts a word of a tag."""
    words: dict = found.get(tag)
    if words is None:
        words = found[tag] = {}
    words[word] = words.get(word, 0) + 1
