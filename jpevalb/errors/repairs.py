"""Repairs: the system's tree turned into gold's, step by step.

The idea is that of Kummerfeld, Hall, Curran & Klein 2012 (Parser Showdown at the
Wall Street Corral, EMNLP, section 3): an error is what one operation on the tree
mends, however many brackets that takes, so a single prepositional phrase in the
wrong place is one error and not five.  At each step the operation is taken that
leaves fewest bracket errors.

- *relabel* a node;
- *add* a missing node over some children of one node, or *remove* an extra node;
- *move* a run of children that is not all of them: out of extra nodes that it stands
  at the edge of, into extra nodes beside it, or both, however deep; with it a missing
  node may be put around the run and some of its new sisters, and a node that is left
  with one child and is still extra goes.

Other than there: operations work on the system's own words, and constituents are equal
to gold's by units alone, so the two sides may differ in words and in sentences; trees
may have gaps; a node that matches is never touched.  So every part of the tree between
matched nodes is mended by itself, and a step never makes a new error.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import NamedTuple

from .repair_moves import Node, Work
from .repair_tree import Part, RepairTree, Step

WORK = 1_000_000
WORK_A_WORD = 100
"""Masks looked at in a sentence, and for each of its words; each takes about 0.1 microseconds."""

MOST_BITS = 1 << 26
"""Nodes times leaves of a part in which anything is moved."""


class Side(NamedTuple):
    """The constituents of one side, in preorder, and what hangs from them."""

    names: Sequence[str]
    """Their labels."""
    labels: Sequence[str]
    """What they count as: labels are equal where these are."""
    parents: Sequence[int]
    """The nearest constituent above it, -1 for none."""
    yields: Sequence[Hashable]
    """Its units, as a tuple or a number from 0: equal on both sides if and only if they are the same ones."""
    partners: Sequence[int]
    """The other side's constituent that it matches, or -1."""
    word_parents: Sequence[int]
    """For each word the lowest constituent that has it, or -1."""
    tags: Sequence[str | None]
    """For each word its tag."""
    below: Sequence[Sequence[int]]
    """For each constituent what hangs from it by first word: a constituent, or ``~w`` for word
    ``w``; a last list for what hangs from none.  :mod:`jpevalb.kernels.hanging` makes this, ``parents``
    and ``word_parents``."""


def repairs(gold: Side, system: Side, units: tuple[Sequence[int], Sequence[int]] | None = None) -> list[Step]:
    """Steps that turn the system's constituents into gold's.

    Args:
        gold: Gold's constituents.
        system: The system's.
        units: The unit of each gold word and of each of the system's; ``None`` where
            word ``i`` is unit ``i`` on both sides, or units have one word of each.

    Returns:
        Steps whose ``missed`` together are all gold constituents without a partner,
        each once, and ``extra`` all of the system's.

    Cost: O(nodes + words), and in each part between matched nodes O(errors ** 3), as far as
    :data:`WORK` allows.

    >>> names = ["VP", "NP", "PP"]
    >>> below = [[~0, 1, 2], [~1], [~2, ~3], [0]]
    >>> yields = [(0, 4), (1, 2), (2, 4)]
    >>> gold = Side(names, names, [-1, 0, 0], yields, [0, 2, 3], [0, 1, 2, 2], "VNPN", below)
    >>> names = ["VP", "NP", "NP", "PP"]
    >>> yields, below = [(0, 4), (1, 4), (1, 2), (2, 4)], [[~0, 1], [2, 3], [~1], [~2, ~3], [0]]
    >>> found = Side(names, names, [-1, 0, 1, 1], yields, [0, -1, 1, 2], [0, 2, 3, 3], "VNPN", below)
    >>> [(step.kind, step.label, [part.label for part in step.parts]) for step in repairs(gold, found)]
    [('remove', 'NP', ['NP', 'PP'])]
    """
    missed = [place for place, partner in enumerate(gold.partners) if partner < 0]
    extra = [place for place, partner in enumerate(system.partners) if partner < 0]
    if not missed and not extra:
        return []
    if not system.labels or not gold.labels:
        kind = "unexpected" if system.labels else "unparsed"
        return [Step(kind, "", "", None, (), (), None, False, tuple(missed), tuple(extra), ())]
    work = Work(WORK + WORK_A_WORD * (len(gold.word_parents) + len(system.word_parents)))
    found: list[Step] = []
    if units is None:
        for steps in _parts(gold, system, missed, extra, work):
            found += steps
    elif (len(gold.labels) + len(system.labels)) * (max(units[1], default=0) + 1) <= MOST_BITS:
        found += _whole(gold, system, units, missed, extra, work).solve()
    for kind, side, places in (("remove", system, extra), ("add", gold, missed)):
        left = set(places)
        for step in found:
            left.difference_update(step.extra if kind == "remove" else step.missed)
        found += [_alone(kind, side, place) for place in sorted(left)]
    return found


def _alone(kind: str, side: Side, place: int) -> Step:
    """A constituent that is added or removed as its own tree has it.

    So it is with one that the system's words have no place for, and after the last step.
    """
    parent = side.parents[place]
    name = side.names[place]
    above = None if parent < 0 else side.names[parent]
    around = side.below[parent]
    at = around.index(place)
    missed, extra = ((place,), ()) if kind == "add" else ((), (place,))
    step = _step(kind, side, (name, name, above), side.below[place], around, at, at + 1, missed, extra)
    return step if kind == "remove" else step._replace(run=())


def _step(
    kind: str,
    side: Side,
    labels: tuple[str, str, str | None],
    run: Sequence[int],
    around: Sequence[int],
    first: int,
    last: int,
    missed: tuple[int, ...],
    extra: tuple[int, ...],
) -> Step:
    """A step that can be read off one tree.

    Args:
        kind: What is done, by the node's own errors ``missed`` and ``extra``.
        side: The tree.
        labels: The node's label then and before, and the one above it.
        run: What hangs from the node.
        around: The children among which the node, or the run, has the places from ``first`` to ``last``.
    """
    parts = tuple([_part(side, child) for child in run])
    beside = (*around[max(first - 1, 0) : first], *around[last : last + 1])
    one_word = len(run) == 1 and _one_word(side.below, run[0])
    neighbours = tuple([_part(side, child) for child in beside])
    return Step(kind, *labels, parts, neighbours, None, one_word, missed, extra, tuple(run))


def _one_word(below: Sequence[Sequence[int]], child: int) -> bool:
    while child >= 0 and len(below[child]) == 1:
        child = below[child][0]
    return child < 0


def _part(side: Side, child: int) -> Part:
    return Part(side.names[child], False) if child >= 0 else Part(side.tags[~child] or "", True)


# -- parts of a tree ------------------------------------------------------------


def _parts(
    gold: Side,
    system: Side,
    missed: list[int],
    extra: list[int],
    work: Work,
) -> Iterator[list[Step]]:
    """The steps in each part between matched nodes that has errors."""
    homes = _homes(gold), _homes(system)
    errors: dict[Hashable, tuple[list[int], list[int]]] = {}
    for side, places in ((1, extra), (0, missed)):
        for place in places:
            errors.setdefault(homes[side][place], ([], []))[side].append(place)
    yields, partners = system.yields, system.partners
    # Of a chain over the same units the first.
    top = {yields[place]: place for place in reversed(range(len(partners))) if partners[place] >= 0}
    top[None] = -1
    for home, (of_gold, of_system) in errors.items():
        step = _only_step(gold, system, home, top[home], of_gold, of_system)
        if step is not None:
            yield [step]
            continue
        nodes = _nodes(system, top[home], homes[1], home)
        leaves = sum([leaf for _, _, leaf in nodes])
        if (len(nodes) - leaves + len(of_gold)) * leaves > MOST_BITS:
            continue
        tree, bits = _grown(system, top[home], nodes, work)
        masks = _masks(gold, of_gold, homes[0], home, bits, tree.top.mask)
        for place in of_gold:
            tree.want(place, gold.labels[place], gold.names[place], masks[place])
        yield tree.solve()


def _only_step(
    gold: Side, system: Side, home: Hashable, top: int, missed: list[int], extra: list[int]
) -> Step | None:
    """What :class:`RepairTree` does where one node is missing, extra or has another label; else ``None``.

    Most parts have no other errors, and then there is nothing to choose.
    """
    place = extra[0] if extra else missed[0]
    if len(missed) > 1 or len(extra) > 1 or (system if extra else gold).yields[place] == home:
        return None
    above = None if top < 0 else system.names[top]
    below = system.below
    if extra:
        other = missed[0] if missed else -1
        if other >= 0 and (
            gold.yields[other] != system.yields[place] or gold.labels[other] == system.labels[place]
        ):
            return None
        was = system.names[place]
        labels = was if other < 0 else gold.names[other], was, above
        around = below[system.parents[place]]
        at = around.index(place)
        kind = "remove" if other < 0 else "relabel"
        return _step(kind, system, labels, below[place], around, at, at + 1, tuple(missed), (place,))
    while top >= 0 and len(below[top]) == 1 and below[top][0] >= 0:
        top = below[top][0]
    inside = {child if child < 0 else gold.yields[child] for child in gold.below[place]}
    around = below[top]
    run = [at for at, child in enumerate(around) if (child if child < 0 else system.yields[child]) in inside]
    if len(run) != len(inside) or run[-1] - run[0] >= len(run):
        return None
    first, last = run[0], run[-1] + 1
    labels = gold.names[place], gold.names[place], above
    return _step("add", system, labels, around[first:last], around, first, last, (place,), ())


def _nodes(system: Side, start: int, homes: list[Hashable], home: Hashable) -> list[tuple[int, int, bool]]:
    """A part's nodes in preorder: constituent or ``~w``, number of the parent here, whether it is a leaf."""
    found: list[tuple[int, int, bool]] = []
    below = system.below
    top = 0
    if home is not None:
        # Constituents over the units of the whole part, in whichever order, hang from its top.
        while len(below[start]) == 1 and below[start][0] >= 0:
            start = below[start][0]
        first = start
        while system.parents[first] >= 0 and system.yields[system.parents[first]] == home:
            first = system.parents[first]
        for place in range(first, start + 1):
            if system.partners[place] < 0:
                found.append((place, top, False))
                top = len(found)
    waiting = [(child, top) for child in reversed(below[start])]
    while waiting:
        child, parent = waiting.pop()
        leaf = child < 0 or system.partners[child] >= 0 or homes[child] != home
        found.append((child, parent, leaf))
        if not leaf:
            node = len(found)
            waiting.extend([(other, node) for other in reversed(below[child])])
    return found


def _grown(
    system: Side, start: int, nodes: list[tuple[int, int, bool]], work: Work
) -> tuple[RepairTree, dict[Hashable, int]]:
    """A part with its nodes, and the bit of each leaf by yield, of a word by ``~w``."""
    tree = RepairTree(*(() if start < 0 else (system.names[start], start)), work=work)
    bits: dict[Hashable, int] = {}
    labels, names, yields, tags, below = system.labels, system.names, system.yields, system.tags, system.below
    made = [tree.top]
    bit = 1
    for child, parent, leaf in nodes:
        above = made[parent]
        if not leaf:
            made.append(tree.add_node(above, labels[child], names[child], child))
            continue
        if child < 0:
            bits[child] = bit
            made.append(tree.add_leaf(above, tags[~child] or "", bit, child, single=True))
        else:
            bits[yields[child]] = bit
            made.append(tree.add_leaf(above, names[child], bit, child, single=_one_word(below, child)))
        bit <<= 1
    tree.grown()
    return tree, bits


_MATCHED: Hashable = ()


def _homes(side: Side) -> list[Hashable]:
    """For each constituent without a partner the yield of the part it belongs to, ``None`` for the top.

    That is the smallest matched yield that holds its own, its own yield included; so it does
    not matter in which order a unary chain has its labels.
    """
    parents, yields, partners = side.parents, side.yields, side.partners
    n = len(partners)
    homes: list[Hashable] = [_MATCHED] * n
    # Whether a constituent, or one below it over the same units, is matched.
    settled = [False] * (n + 1)
    for place in range(n - 1, -1, -1):
        if partners[place] >= 0:
            settled[place] = True
        else:
            after = place + 1
            settled[place] = settled[after] and parents[after] == place and yields[after] == yields[place]
    for place in range(n):
        if partners[place] < 0:
            parent = parents[place]
            if settled[place]:
                homes[place] = yields[place]
            elif parent < 0:
                homes[place] = None
            else:
                homes[place] = yields[parent] if partners[parent] >= 0 else homes[parent]
    return homes


def _masks(
    gold: Side,
    places: list[int],
    homes: list[Hashable],
    home: Hashable,
    bits: dict[Hashable, int],
    whole: int,
) -> dict[int, int]:
    """The leaves of a part that each missing constituent of it has."""
    masks: dict[int, int] = {}
    yields = gold.yields
    for place in reversed(places):
        if yields[place] == home:
            masks[place] = whole
            continue
        mask = 0
        for child in gold.below[place]:
            if child < 0:
                mask |= bits[child]
            elif gold.partners[child] < 0 and homes[child] == home:
                mask |= masks[child]
            else:
                mask |= bits[yields[child]]
        masks[place] = mask
    return masks


def _whole(
    gold: Side,
    system: Side,
    units: tuple[Sequence[int], Sequence[int]],
    missed: list[int],
    extra: list[int],
    work: Work,
) -> RepairTree:
    """The whole tree as one part, with sets of units that may overlap."""
    tree = RepairTree(work=work, overlap=True)
    nodes: dict[int, Node] = {}
    waiting = [(child, tree.top) for child in reversed(system.below[-1])]
    while waiting:
        child, parent = waiting.pop()
        if child < 0:
            tree.add_leaf(parent, system.tags[~child] or "", 1 << units[1][~child], child, single=True)
        else:
            node = nodes[child] = tree.add_node(parent, system.labels[child], system.names[child], child)
            waiting.extend([(other, node) for other in reversed(system.below[child])])
    tree.grown(extra)
    masks = [0] * (len(gold.labels) + 1)
    for word, place in enumerate(gold.word_parents):
        masks[place] |= 1 << units[0][word]
    for place in range(len(gold.labels) - 1, -1, -1):
        masks[gold.parents[place]] |= masks[place]
    for partner in gold.partners:
        if partner >= 0:
            tree.known(nodes[partner])
    for place in missed:
        tree.want(place, gold.labels[place], gold.names[place], masks[place])
    return tree
