# cython: infer_types=True
"""Kernel: the labels of constituents that match or are confused."""

from __future__ import annotations

try:
    import cython
except ImportError:
    from jpevalb.kernels import cython_shim as cython

COMPILED: bool = cython.compiled


@cython.cfunc
def _far_ends(side: tuple) -> list:
    """Return the end of each yield that is one block, a unique negative number for one with gaps."""
    ends: list = side[2]
    if side[4] is None:
        return ends
    return [-bits if bits else end for end, bits in zip(ends, side[4])]


@cython.locals(j=cython.Py_ssize_t)
def count_labels(gold_names: list, system_names: list, gold: tuple, system: tuple, partners: list) -> tuple:
    """Return ``[gold, system, matched gold, matched system]`` constituents of each label, and confusions.

    Over one span missed and extra constituents pair up in preorder, unless it is empty.
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
            if system[1][i] == ends[i]:
                continue
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
