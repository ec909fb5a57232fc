# cython: infer_types=True
"""Kernel: the cheapest alignment of two sequences, for word and concept accuracy."""

from __future__ import annotations

from array import array

try:
    import cython
except ImportError:
    from jpevalb.kernels import cython_shim as cython


@cython.cfunc
def _store(values: list):
    return array("q", values) if cython.compiled else list(values)


TOO_LARGE = -1  # result code: the alignment needs more steps than allowed


@cython.locals(slot=cython.longlong, value=cython.longlong)
def map_sequences(
    slots1: list, values1: list, slots2: list, values2: list, most_steps: cython.double
) -> tuple:
    """Return ``(correct, substituted)`` of two sequences of slots and values, or ``(TOO_LARGE, steps)``.

    Items align only if their slots are equal, and are correct if their values are equal too.  Substitution
    costs 4, deletion and insertion 3.  Ties: most correct items, that is fewest substitutions.
    """
    begin: cython.Py_ssize_t = 0
    end1: cython.Py_ssize_t = len(slots1)
    end2: cython.Py_ssize_t = len(slots2)
    # Some cheapest alignment aligns equal items at either end.
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
    system_slots = _store(slots2[begin:end2])
    system_values = _store(values2[begin:end2])
    row = _store([0] * (count + 1))
    if cython.compiled:
        slot_view: cython.longlong[::1] = system_slots
        value_view: cython.longlong[::1] = system_values
        row_view: cython.longlong[::1] = row
        slots = cython.address(slot_view[0])
        values = cython.address(value_view[0])
        weights = cython.address(row_view[0])
    else:
        slots, values, weights = system_slots, system_values, row
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
    """Return a number for the labels above each word; ``paths`` has those known, for both sides.

    ``names`` and ``skip`` are those of ``nodes.interval_nodes``.
    """
    label_numbers, tag_numbers = names
    count: cython.Py_ssize_t = len(labels)
    below: list = [0] * count
    path: list = [-1] * count
    for x in range(1, count):
        below[parents[x]] += 2
    for x in range(len(word_parents)):
        below[word_parents[x]] += 1
    for x in range(count):
        up = parents[x]
        if up >= 0:
            up = path[up]
        label = labels[x]
        number = -1
        if up >= 0 or skip is None or label not in skip:
            number = (tag_numbers if below[x] == 1 else label_numbers)[label]
        if number >= 0:
            key = (up, number)
            up = paths.get(key)
            if up is None:
                up = len(paths)
                paths[key] = up
        path[x] = up
    return [path[word_parents[x]] for x in range(len(word_parents))]
