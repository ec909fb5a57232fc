"""Averages of labelled trees: constituents are yields with labels, which are ordered into chains again."""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heapify, heappop, heappush
from typing import Any

from ..kernels.yields import assemble, majority, pairs, supports
from .ensemble import Choice, Ensemble
from .search import best_yields

# A tree as the kernel reads it: chains by key, the sentence's chain, the words' chains, tags.
Chain = tuple[str, ...]
Read = tuple[dict[int, Chain], Chain, list[Chain], list[Chain]]
Made = tuple[Any, ...]  # a tree as the kernel makes it
# Yield, label, and number of equal labels over the yield above this one.
Pair = tuple[int, str, int]


def pairs_of(n_words: int, read: Sequence[Read]) -> list[list[Pair]]:
    """Return the labelled constituents of each tree, from the top down."""
    return [pairs(n_words, *tree[:3]) for tree in read]


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


def labeled_tree(
    n_words: int, weights: Sequence[int], read: Sequence[Read], trees: list[list[Pair]], chosen: list[Pair]
) -> Made:
    """Return the tree with the chosen constituents."""
    wanted = set(chosen)
    voters: dict[int, list[tuple[int, list[tuple[str, int]]]]] = {key: [] for key, _, _ in chosen}
    for weight, tree in zip(weights, trees):
        chains: dict[int, list[tuple[str, int]]] = {}
        for pair in tree:
            if pair in wanted:
                chains.setdefault(pair[0], []).append(pair[1:])
        for key, chain in chains.items():
            voters[key].append((weight, chain))
    chain_of = {key: chain_order(votes) for key, votes in voters.items()}
    root_chain = chain_of.pop(n_words, ())  # the key of all words, and of a single word
    tops = [(root if n_words > 1 else unaries[0])[:1] for _, root, unaries, _ in read]
    if 2 * sum([weight for weight, top in zip(weights, tops) if top == ("",)]) > sum(weights):
        root_chain = ("", *root_chain)
    unaries: list[tuple[str, ...]] = [()] * n_words
    if n_words == 1:
        unaries, root_chain = [root_chain], ()
    tags = majority([tree[3] for tree in read], list(weights))
    keys = list(chain_of)
    made: Made = assemble(n_words, keys, [chain_of[key] for key in keys], root_chain, unaries, tags, False)
    return made


def chain_order(chains: list[tuple[int, list[tuple[str, int]]]]) -> tuple[str, ...]:
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
