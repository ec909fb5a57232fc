"""Matching: the constituents of both sides of a pair that count, and which correspond."""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Callable, Sequence
from itertools import compress
from typing import Any, NamedTuple

from ..kernels.columns import bracket_nodes
from ..settings.rules import DUMMY_ROOT, RunRules, cut, of_brackets, shortened, without_words
from ..trees.tree import Constituent, Tree


class Matching(NamedTuple):
    """The constituents of both sides of a pair and their matches; labels are as written."""

    gold: list[Constituent]
    system: list[Constituent]
    partners: list[int]  # for each gold constituent the index of its system constituent, or -1
    crossed: list[bool]  # for each system constituent True if it crosses a gold one

    @property
    def matched(self) -> list[tuple[Constituent, Constituent]]:
        """Gold and system constituent of each match."""
        pairs = zip(self.gold, self.partners)
        return [(item, self.system[partner]) for item, partner in pairs if partner >= 0]

    @property
    def missed(self) -> list[Constituent]:
        """Gold constituents without a match."""
        return [item for item, partner in zip(self.gold, self.partners) if partner < 0]

    @property
    def extra(self) -> list[Constituent]:
        """System constituents without a match."""
        taken = set(self.partners)
        return [item for index, item in enumerate(self.system) if index not in taken]

    @property
    def has_gaps(self) -> bool:
        """True if a constituent has gaps."""
        return any(item.gaps for items in (self.gold, self.system) for item in items)

    @property
    def crossing(self) -> list[Constituent]:
        """System constituents that cross a gold constituent, matched or not."""
        return list(compress(self.system, self.crossed))

    def picked(self, keep: Callable[[int, Constituent], object]) -> Matching:
        """Return a matching with some constituents only; keep or drop both constituents of a match.

        ``keep`` is called with a side, 0 for gold, and a constituent.
        """
        gold, system = [
            [index for index, item in enumerate(items) if keep(side, item)]
            for side, items in enumerate((self.gold, self.system))
        ]
        new = {index: number for number, index in enumerate(system)}
        return Matching(
            [self.gold[index] for index in gold],
            [self.system[index] for index in system],
            [new.get(self.partners[index], -1) for index in gold],
            [self.crossed[index] for index in system],
        )


class ScoredPair(NamedTuple):
    """Both trees as scored, and their matched constituents."""

    gold: Tree
    system: Tree
    matching: Matching


def scored_tree(tree: Tree, kept: Sequence[bool] | None, rules: RunRules) -> tuple[Tree, list[int] | None]:
    """Return the tree of the words that stay, and the node that each node was if these have changed."""
    nodes = None
    if kept is not None and not all(kept):
        tree, nodes = without_words(tree, kept)
    return shortened(tree, rules.convention.cut_at), nodes


def scored_pair(
    trees: Sequence[Tree],
    kept: tuple[list[bool], list[bool]] | None,
    brackets: tuple[Any, Any],
    rules: RunRules,
) -> ScoredPair:
    """Return the scored trees of a pair, and its constituents by their nodes.

    Args:
        trees: The trees as read.
        kept: For each word of both sides True if it stays; ``None`` if all do.
        brackets: What the kernel's ``Rules.brackets`` returns.
        rules: The rules of the run.
    """
    chosen, partners = [*range(len(brackets[0][0]))], brackets[0][4]
    if rules.convention.repeats == "any":
        chosen, partners = _repeated(*brackets)
    made = [
        _scored_side(trees[side], kept and kept[side], brackets[side], indices, rules)
        for side, indices in ((0, chosen), (1, range(len(brackets[1][0]))))
    ]
    (gold, of_gold, order), (system, of_system, system_order) = made
    place = {index: new for new, index in enumerate(system_order)}
    return ScoredPair(
        gold,
        system,
        Matching(
            of_gold,
            of_system,
            [place.get(partners[index], -1) for index in order],
            [brackets[1][5][index] for index in system_order],
        ),
    )


def _scored_side(
    tree: Tree, kept: Sequence[bool] | None, brackets: Any, chosen: Sequence[int], rules: RunRules
) -> tuple[Tree, list[Constituent], list[int]]:
    """Return the scored tree of a side, its constituents, and the place in ``chosen`` of each."""
    # The bracket of a tree that is one tag has the node of the tag.
    node_of = bracket_nodes(tree.columns) or [0]
    sources = [node_of[brackets[0][index]] for index in chosen]
    old: list[int] | None  # the node that each node was, if these have changed
    if rules.standardises:
        flags = [True] * len(tree.words) if kept is None else kept
        scored, old = of_brackets(tree, flags, Counter(sources), rules.convention, rules.tag_name)
    else:
        scored, old = scored_tree(tree, kept, rules)
    nodes = sources
    if old is not None:
        numbers: defaultdict[int, deque[int]] = defaultdict(deque)
        for node, source in enumerate(old):
            if scored.labels[node] is not DUMMY_ROOT:
                numbers[source].append(node)
        nodes = [numbers[source].popleft() for source in sources]
    _, starts, ends, bits, *_ = brackets
    # In the order of the nodes, but brackets over dropped words only come last.
    order = sorted(range(len(chosen)), key=nodes.__getitem__)
    if not rules.convention.least:
        order.sort(key=lambda place: starts[chosen[place]] == ends[chosen[place]])
    short: Callable[[str], str] = str if rules.standardises and not rules.unlabeled else cut
    labels = scored.labels
    found = [
        Constituent(short(labels[node]), starts[index], ends[index], node, bits[index] if bits else 0)
        for node, index in [(nodes[place], chosen[place]) for place in order]
    ]
    return scored, found, order


def _repeated(gold: Any, system: Any) -> tuple[list[int], list[int]]:
    """Return gold's constituents if each of the system that gold has is matched, and their matches, by index.

    The first of some equal ones that are matched is repeated as often as the system has it.
    """
    wanted: dict[int, list[int]] = {}
    for index, partner in enumerate(system[4]):
        if partner >= 0:
            wanted.setdefault(partner, []).append(index)
    chosen: list[int] = []
    partners: list[int] = []
    for index, partner in enumerate(gold[4]):
        mine = [-1] if partner < 0 else wanted.get(index, ())
        chosen += [index] * len(mine)
        partners += mine
    return chosen, partners
