"""Kernel: the cheapest alignment of two sequences, for word and concept accuracy."""

from __future__ import annotations

from array import array

try:
    import cython
except ImportError:
    from jpevalb.kernels import cython_shim as cython

COMPILED: bool = cython.compiled


@cython.cfunc
def _store(values: list):
    return array("q", values) if cython.compiled else list(values)


TOO_LARGE = -1  # in place of a result: the alignment would take more steps than allowed


def map_sequences(
    slots1: list, values1: list, slots2: list, values2: list, most_steps: cython.double
) -> tuple:
    """Counts the cheapest alignment: substitution 4, deletion and insertion 3.

    Items may be aligned only if their slots are equal; they are correct if their
    values are equal too.  Of several cheapest alignments the one with most correct
    items counts, which is the one with fewest substitutions (see `map_labels`).

    Args:
        slots1: A number per item of gold.
        values1: A number per item of gold.
        slots2: A number per item of the system.
        values2: A number per item of the system.
        most_steps: The most pairs of items that may be looked at.

    Returns:
        ``(correct, substituted)``; ``(TOO_LARGE, steps)`` where more steps are needed.

    Cost: O(n) where they agree; O(n * m) time and O(m) memory between the first
    and the last difference.
    """
    begin: cython.Py_ssize_t = 0
    end1: cython.Py_ssize_t = len(slots1)
    end2: cython.Py_ssize_t = len(slots2)
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    # Equal items at either end are aligned in some cheapest alignment.
    while (
        begin < end1 and begin < end2 and slots1[begin] == slots2[begin] and values1[begin] == values2[begin]
    ):
        begin += 1
    correct: cython.longlong = begin
    while (
        end1 > begin
        and end2 > begin
        and slots1[end1 - 1] == slots2[end2 - 1]
        and values1[end1 - 1] == values2[end2 - 1]
    ):
        end1 -= 1
        end2 -= 1
        correct += 1
    count: cython.Py_ssize_t = end2 - begin
    if end1 == begin or count == 0:
        return correct, 0
    if (end1 - begin) * cython.cast(cython.double, count) > most_steps:
        return TOO_LARGE, (end1 - begin) * count
    base: cython.longlong = min(end1 - begin, count) + 1
    match: cython.longlong = 3 * base + 1
    slot: cython.longlong
    value: cython.longlong
    best: cython.longlong
    above: cython.longlong
    left: cython.longlong
    others = _store(slots2[begin:end2])
    other_values = _store(values2[begin:end2])
    row = _store([0] * (count + 1))
    slots: cython.p_longlong
    values: cython.p_longlong
    weights: cython.p_longlong
    if cython.compiled:
        slot_view: cython.longlong[::1] = others
        value_view: cython.longlong[::1] = other_values
        row_view: cython.longlong[::1] = row
        slots = cython.address(slot_view[0])
        values = cython.address(value_view[0])
        weights = cython.address(row_view[0])
    else:
        slots, values, weights = others, other_values, row
    for i in range(begin, end1):
        slot = slots1[i]
        value = values1[i]
        above = 0
        best = 0
        for j in range(count):
            left = best
            if slots[j] == slot:
                best = above + (match if values[j] == value else base)
                if left > best:
                    best = left
            above = weights[j + 1]
            if above > best:
                best = above
            weights[j + 1] = best
    best = weights[count]
    return correct + best % base, best // base - 3 * (best % base)


def slot_numbers(labels: tuple, parents: tuple, word_parents: tuple, names: tuple, skip, paths: dict) -> list:
    """For each word a number for the labels above it; equal numbers mean equal labels in equal order.

    Args:
        labels: Label of each node, in preorder.
        parents: Parent of each node, -1 for the root.
        word_parents: The node that each word hangs from.
        names: Numbers of labels, as in `map_labels`; the labels right above a word
            are looked up in the second table if they are preterminals.
        skip: Labels of roots that do not count, with all such roots right below them.
        paths: Numbers of the paths met so far, shared by both sides.

    Cost: O(nodes + words).
    """
    table: dict = names[0]
    tag_table: dict = names[2]
    count: cython.Py_ssize_t = len(labels)
    below: list = [0] * count
    path: list = [-1] * count
    x: cython.Py_ssize_t
    for x in range(1, count):
        below[parents[x]] += 2
    for x in range(len(word_parents)):
        below[word_parents[x]] += 1
    for x in range(count):
        up = parents[x]
        if up >= 0:
            up = path[up]
        label = labels[x]
        found = -1
        if up >= 0 or skip is None or label not in skip:
            if below[x] == 1:
                found = tag_table.get(label)
                if found is None:
                    found = names[3](label)
            else:
                found = table.get(label)
                if found is None:
                    found = names[1](label)
        if found >= 0:
            key = (up, found)
            up = paths.get(key)
            if up is None:
                up = len(paths)
                paths[key] = up
        path[x] = up
    return [path[word_parents[x]] for x in range(len(word_parents))]
