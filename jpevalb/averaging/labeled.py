"""Averages of labelled trees: constituents are yields with labels, which are ordered into chains again."""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heapify, heappop, heappush
from typing import TypeAlias

from .ensemble import Choice, Ensemble
from .search import best_yields
from .yields import Chain, Yields, supports

Pair: TypeAlias = tuple[int, str, int]
"""Yield, label, and number of equal labels over the yield above this one."""


def pairs_of(tree: Yields) -> list[Pair]:
    """Return the labelled constituents of a tree, from the top down."""
    return [
        (words, label, chain[:index].count(label))
        for words, chain in tree.chains.items()
        for index, label in enumerate(chain)
        if label
    ]


def labeled_ensemble(n_words: int, weights: Sequence[int], pairs_of_trees: list[list[Pair]]) -> Ensemble:
    """Return trees as sets of labelled constituents, numbered in the order of their appearance."""
    numbers: dict[Pair, int] = {}
    keys = [[numbers.setdefault(pair, len(numbers)) for pair in tree] for tree in pairs_of_trees]
    sizes = tuple(map(len, keys))
    return Ensemble(n_words, tuple(weights), sizes, supports(keys), 0, list(numbers))


def best_pairs(
    n_words: int, weights: Sequence[int], trees: list[list[Pair]], deadline: float
) -> tuple[list[Pair], Choice]:
    """Return the labelled constituents with the greatest sum of weighted labelled F1 scores."""
    # A tree without labelled constituents agrees only with others like it, which the search leaves
    # out: the average is such a tree if they weigh at least as much as the best score.
    labelled = [k for k, tree in enumerate(trees) if tree]
    bare = sum(weights) - sum([weights[k] for k in labelled])
    if not labelled:
        return [], Choice([])
    ensemble = labeled_ensemble(n_words, [weights[k] for k in labelled], [trees[k] for k in labelled])
    choice = best_yields(ensemble, deadline)
    if bare and ensemble.score(choice.keys) <= bare:
        return [], choice
    numbered = ensemble.pairs or ()
    return [numbered[key] for key in choice.keys], choice


def labeled_chains(
    weights: Sequence[int], read: Sequence[Yields], trees: list[list[Pair]], chosen: list[Pair]
) -> dict[int, Chain]:
    """Return the chains of the tree with the chosen constituents."""
    wanted = set(chosen)
    voters: dict[int, list[tuple[int, list[tuple[str, int]]]]] = {words: [] for words, _, _ in chosen}
    for weight, tree in zip(weights, trees):
        chains: dict[int, list[tuple[str, int]]] = {}
        for pair in tree:
            if pair in wanted:
                chains.setdefault(pair[0], []).append(pair[1:])
        for words, chain in chains.items():
            voters[words].append((weight, chain))
    chain_of = {words: chain_order(votes) for words, votes in voters.items()}
    whole = (1 << len(read[0].tags)) - 1
    bare = [weight for weight, tree in zip(weights, read) if tree.chains.get(whole, ())[:1] == ("",)]
    if 2 * sum(bare) > sum(weights):
        chain_of[whole] = ("", *chain_of.get(whole, ()))
    return chain_of


def chain_order(chains: list[tuple[int, list[tuple[str, int]]]]) -> Chain:
    """Order the labels over one yield from the top down; each chain has a weight and numbered labels."""
    # The next label is the one that the least weight of trees has below another label that is still left.
    # Two labels keep the order on which all trees with both agree, unless the orders form a cycle.
    if all(chain == chains[0][1] for _, chain in chains):
        return tuple([label for label, _ in chains[0][1]])
    against: dict[tuple[str, int], int] = {}
    for weight, chain in chains:
        for item in chain:
            against[item] = against.get(item, 0) + weight
    first_of: dict[tuple[str, int], list[int]] = {}
    positions = [0] * len(chains)
    for k, (weight, chain) in enumerate(chains):
        against[chain[0]] -= weight
        first_of.setdefault(chain[0], []).append(k)
    heap = [(weight, item) for item, weight in against.items()]
    heapify(heap)
    order: list[str] = []
    placed: set[tuple[str, int]] = set()
    while heap:
        _, item = heappop(heap)
        if item in placed:
            continue
        placed.add(item)
        order.append(item[0])
        for k in first_of.pop(item, ()):
            weight, chain = chains[k]
            while positions[k] < len(chain) and chain[positions[k]] in placed:
                positions[k] += 1
            if positions[k] < len(chain):
                following = chain[positions[k]]
                first_of.setdefault(following, []).append(k)
                against[following] -= weight
                heappush(heap, (against[following], following))
    return tuple(order)
