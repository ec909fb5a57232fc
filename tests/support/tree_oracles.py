"""Slow tree mappings, and random trees to compare on."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from typing import NamedTuple

import pytest
from hypothesis import strategies as st

from jpevalb.metrics import mapping, node_accuracy, struct_iou
from jpevalb.trees.tree import Tree

ROOTS = ("", "TOP", "ROOT", "@S")

# Worked example of the paper on tree node accuracy.
# Thomae et al. 2003, Figure 1.
FLIGHT = (
    "(TOP (AFlightCode (AAirlineCode d_i) (AFlightNumber (ADigit drei) (ADigit sieben) (ADigit drei)))"
    " (AOrigin von (APlace hamburg)))"
)
OTHER_FLIGHT = (
    "(TOP (AFlightNumber (ADigit drei) (ADigit zwei) (ADigit sieben) (ADigit drei))"
    " (ADestination nach (APlace hamburg)))"
)


class Item(NamedTuple):
    """A node or a word of a tree; ``parent`` is the place of another item in their preorder."""

    parent: int
    kind: str
    label: str
    node: int
    word: int
    begin: Fraction = Fraction(0)
    end: Fraction = Fraction(0)


@pytest.fixture
def both(kernel, monkeypatch):
    """Runs a test's metrics on the compiled and on the interpreted kernels."""
    for module, names in [
        (mapping, ("map_labels", "typed_nodes", "LabelledNodes")),
        (struct_iou, ("map_intervals", "interval_nodes")),
        (node_accuracy, ("map_labels", "slot_numbers", "typed_nodes")),
    ]:
        for name in names:
            monkeypatch.setattr(module, name, getattr(kernel("mapping"), name))


@st.composite
def brackets(draw, most: int = 7, labels: str = "AB", words: str = "xy", mixed: bool = True) -> str:
    """Bracket text with at most ``most`` nodes and words together; nodes without words come up too."""
    out = ["(" + draw(st.sampled_from(["A", "TOP", "", "S-X"]))]
    depth = 1
    preterminal = False  # whether the last thing opened is only to hold a word
    for _ in range(draw(st.integers(0, most - 1))):
        act = draw(st.integers(0, 2 if mixed else 3))
        if act == 0:
            out.append("(" + draw(st.sampled_from(labels)))
            depth += 1
        elif act == 1 and depth > 1 and not preterminal:
            out.append(")")
            depth -= 1
        elif act == 2 and mixed:
            out.append(draw(st.sampled_from(words)))
        else:
            out.append(f"({draw(st.sampled_from(labels))} {draw(st.sampled_from(words))})")
    return " ".join(out) + ")" * depth


def random_bracket(rng, leaves: int, bend: float = 0.5, labels: str = "ABC") -> str:
    """A larger tree; ``bend`` near 0 branches to the right, near 1 to the left."""
    out = []
    stack: list = [leaves]
    while stack:
        item = stack.pop()
        if isinstance(item, str):
            out.append(item)
        elif item == 1:
            out.append(f"({rng.choice('TU')} {rng.choice('vwxyz')})")
        else:
            out.append("(" + rng.choice(labels))
            left = item - 1 if rng.random() < bend else 1
            if rng.random() < 0.3:
                left = rng.randrange(1, item)
            stack += [")", item - left, left]
    return " ".join(out)


def constituents(tree: Tree, axis: list | None = None, drop_roots: bool = False) -> list[Item]:
    """The nodes that Struct-IoU looks at; ``axis`` has (begin, end) of each word."""
    axis = axis or [(i, i + 1) for i in range(len(tree.words))]
    found: list[Item] = []
    number: dict[int, int] = {-1: -1}
    for node, (label, parent) in enumerate(zip(tree.labels, tree.parents)):
        up = number[node] = number[parent]
        start, end = tree.starts[node], tree.ends[node]
        if start == end:
            continue
        begin, stop = Fraction(axis[start][0]), Fraction(axis[end - 1][1])
        tag = tree.preterminals[node]
        if drop_roots and up < 0 and label in ROOTS and not tag:
            continue
        # A node over no time overlaps nothing, and counts.
        if begin < stop:
            number[node] = len(found)
        found.append(Item(up, "tag" if tag else "phrase", label, node, -1, begin, stop))
    return found


def nodes_and_words(tree: Tree, types: Callable[[str, str], object] | None = None) -> list[Item]:
    """List the nodes and words that tree node accuracy maps."""
    of = types or (lambda label, kind: kind)
    found: list[Item] = []
    number: dict[int, int] = {-1: -1}
    # Words and nodes in one preorder: a word stands behind every node that begins at or before it.
    order = sorted(
        [(start, 0, node) for node, start in enumerate(tree.starts)]
        + [(place, 1, place) for place in range(len(tree.words))]
    )
    for _, is_word, at in order:
        if is_word:
            label = tree.words[at]
            found.append(Item(number[tree.word_parents[at]], f"w{of(label, 'word')}", label, -1, at))
            continue
        label, up = tree.labels[at], number[tree.parents[at]]
        number[at] = up
        if up < 0 and label in ROOTS:
            continue
        number[at] = len(found)
        kind = of(label, "tag" if tree.preterminals[at] else "phrase")
        found.append(Item(up, f"n{kind}", label, at, -1))
    return found


def without_types(items: list[Item]) -> list[Item]:
    """The same where any node or word may map to any; a label equals no word."""
    return [item._replace(kind="", label=("w" if item.node < 0 else "n") + item.label) for item in items]


def is_above(items: list[Item], i: int, j: int) -> bool:
    """True if item ``i`` is an ancestor of item ``j``."""
    while j >= 0:
        j = items[j].parent
        if j == i:
            return True
    return False


def is_valid(one: list[Item], two: list[Item], pairs: list[tuple[int, int]]) -> bool:
    """True if a mapping keeps ancestors and order."""
    pairs = sorted(pairs)
    return all(
        j < other_j and i < other_i and is_above(one, i, other_i) == is_above(two, j, other_j)
        for at, (i, j) in enumerate(pairs)
        for other_i, other_j in pairs[at + 1 :]
    )


def all_mappings(one: list[Item], two: list[Item], may: Callable[[Item, Item], bool]) -> Iterator[list]:
    """Every valid mapping of pairs that may map, as pairs of places."""
    chosen: list[tuple[int, int]] = []

    def extend(i: int) -> Iterator[list]:
        if i == len(one):
            yield list(chosen)
            return
        yield from extend(i + 1)
        for j in range(chosen[-1][1] + 1 if chosen else 0, len(two)):
            if may(one[i], two[j]) and all(
                is_above(one, other_i, i) == is_above(two, other_j, j) for other_i, other_j in chosen
            ):
                chosen.append((i, j))
                yield from extend(i + 1)
                chosen.pop()

    return extend(0)


def overlap(a: Item, b: Item, strict: bool = False) -> Fraction:
    """Return the weight of a pair of nodes in Struct-IoU."""
    if a.label != b.label and (strict or "tag" not in (a.kind, b.kind)):
        return Fraction(0)
    shared = min(a.end, b.end) - max(a.begin, b.begin)
    return shared / (max(a.end, b.end) - min(a.begin, b.begin)) if shared > 0 else Fraction(0)


def best_overlap(one: list[Item], two: list[Item], strict: bool = False) -> Fraction:
    """The greatest sum of overlaps, by trying everything."""
    return max(
        sum((overlap(one[i], two[j], strict) for i, j in pairs), Fraction(0))
        for pairs in all_mappings(one, two, lambda a, b: overlap(a, b, strict) > 0)
    )


def best_counts(one: list[Item], two: list[Item]) -> tuple[int, int, int, int]:
    """(C, S, D, I) of the cheapest mapping by the rule for ties, by trying everything."""
    best: tuple[int, ...] = (10**9,)
    for pairs in all_mappings(one, two, lambda a, b: a.kind == b.kind):
        correct = sum(one[i].label == two[j].label for i, j in pairs)
        other = len(pairs) - correct
        deleted, inserted = len(one) - len(pairs), len(two) - len(pairs)
        cost = 4 * other + 3 * deleted + 3 * inserted
        best = min(best, (cost, -correct, other, deleted, inserted))
    return -best[1], best[2], best[3], best[4]


def heaviest(one: list[Item], two: list[Item], weight: Callable[[Item, Item], float]) -> float:
    """The weight of the heaviest mapping, by recursion over forests; takes larger trees than the above.

    A forest is a tuple of places of its roots; the last root is taken off, or mapped.
    """
    below1, below2 = _children(one), _children(two)

    @cache
    def best(forest: tuple[int, ...], other: tuple[int, ...]) -> float:
        if not forest or not other:
            return 0
        x, y = forest[-1], other[-1]
        found = max(
            best(forest[:-1] + below1[x], other),
            best(forest, other[:-1] + below2[y]),
        )
        value = weight(one[x], two[y])
        if value:
            found = max(found, best(forest[:-1], other[:-1]) + best(below1[x], below2[y]) + value)
        return found

    return best(_children(one)[-1], _children(two)[-1])


def _children(items: list[Item]) -> dict[int, tuple[int, ...]]:
    below: dict[int, list[int]] = {place: [] for place in range(-1, len(items))}
    for place, item in enumerate(items):
        below[item.parent].append(place)
    return {place: tuple(children) for place, children in below.items()}


def close(a: float, b: float) -> bool:
    """Equal up to the rounding of overlaps to 2**-40."""
    return math.isclose(a, b, rel_tol=0, abs_tol=1e-10)
