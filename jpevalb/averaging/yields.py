"""Yields and the labels over them: constituents of several trees, and how they are put together to a tree.

A yield is a set of words, as a bit set: bit ``i`` is word ``i``.  The labels over one yield are its chain, a
tuple from the top down; it has several labels if a constituent's only child is a constituent.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from heapq import heappop, heappush
from typing import Any, NamedTuple, TypeAlias

from ..kernels import columns as kernel
from ..trees.tree import Tree, has_gaps

Chain: TypeAlias = tuple[str, ...]
Pair: TypeAlias = tuple[int, str, int]
"""Yield, label, and number of equal labels over the yield above this one."""


def labeled_pairs(chains: Mapping[int, Chain]) -> list[Pair]:
    """Return the labelled constituents of a tree, which have a label that is not empty."""
    return [
        (words, label, chain[:index].count(label))
        for words, chain in chains.items()
        for index, label in enumerate(chain)
        if label
    ]


def in_order(yields: Iterable[int]) -> list[int]:
    """Order yields by first word, then longer before shorter, then by the first word not in both."""

    def rank(words: int) -> tuple[int, int, str]:
        start, end = (words & -words).bit_length() - 1, words.bit_length()
        # From the first word on, 0 for a word of the yield and 1 for a gap
        gaps = f"{(1 << end) - 1 ^ words:0{end}b}"[::-1][start:] if has_gaps(words) else ""
        return start, -words.bit_count(), gaps

    return sorted(yields, key=rank)


def assembled(
    words: Sequence[str],
    chains: Mapping[int, Chain],
    tags: Sequence[str | None],
    id: str | None = None,
    *,
    binary: bool = False,
) -> Tree:
    """Return the tree with these yields, which are disjoint or nested, and tags.

    With ``binary``, children c1 c2 c3 ... become c1 and a new constituent of c2 c3 ... with the lowest label
    of the old one.
    """
    over = completed(chains, len(words)) if binary else dict(chains)
    whole = (1 << len(words)) - 1
    if len(words) > 1 and not over.get(whole):
        over[whole] = ("",)
    tags = list(tags)
    for word, tag in enumerate(tags):
        # The lowest label over a word without a tag is its tag; the only word of a sentence has one.
        if tag is None and (over.get(1 << word) or whole == 1):
            *above, tags[word] = over.get(1 << word) or ("",)
            over[1 << word] = tuple(above)
    return Tree.of_columns(kernel.of_chains(kernel.current_names(), over, words, tags), id)


def completed(chains: Mapping[int, Chain], n_words: int) -> dict[int, Chain]:
    """Return chains with those of the constituents that make the tree binary."""
    found = dict(chains)
    tops = [1 << word for word in range(n_words)]  # the largest yield so far by its first word
    for bits in sorted([bits for bits, chain in chains.items() if chain], key=int.bit_count):
        children: list[int] = []
        rest = bits
        while rest:
            children.append(tops[(rest & -rest).bit_length() - 1])
            rest ^= children[-1]
        while len(children) > 2:
            children[-2:] = [children[-2] | children[-1]]
            found[children[-1]] = chains[bits][-1:]
        tops[(bits & -bits).bit_length() - 1] = bits
    return found


class Ensemble(NamedTuple):
    """The input trees of one sentence as sets of constituents.

    A constituent is a yield, or in labelled averages a yield and one of the labels over it.  Its *key*
    is the yield, or in labelled averages its index in ``pairs``.
    """

    n_words: int  # at least 1
    weights: tuple[int, ...]  # of the trees, positive
    sizes: tuple[int, ...]  # number of constituents of each tree, with the trivial ones
    supports: dict[int, int]  # for each key, but trivial ones, the trees that have it, as a bit set
    trivial: int  # number of constituents that every tree has: single words and the sentence, without labels
    pairs: Sequence[Pair] = ()  # only of labelled averages

    def ordered(self, keys: list[int]) -> tuple[list[int], list[int], Sequence[int]]:
        """Return ordered keys, their yields, and each key's index of its yield."""
        if not self.pairs:
            keys = in_order(keys)
            return keys, keys, range(len(keys))
        pairs = self.pairs
        yields = in_order({pairs[key][0] for key in keys})
        index_of = {key: index for index, key in enumerate(yields)}
        ranked = sorted([(index_of[pairs[key][0]], pairs[key][1:], key) for key in keys])
        return [key for _, _, key in ranked], yields, [owner for owner, _, _ in ranked]

    def keys_of(self, k: int) -> list[int]:
        return [key for key, support in self.supports.items() if support >> k & 1]

    def score(self, keys: Iterable[int]) -> Fraction:
        """Return the sum of the weighted F1 scores of a tree; F1 is 1 if neither tree has constituents."""
        supports = [self.supports.get(key, 0) for key in keys]
        size = self.trivial + len(supports)
        total = Fraction(0)
        for k, (weight, tree_size) in enumerate(zip(self.weights, self.sizes)):
            if size + tree_size:
                hits = self.trivial + sum([support >> k & 1 for support in supports])
                total += Fraction(2 * weight * hits, size + tree_size)
            else:
                total += weight
        return total


class Choice(NamedTuple):
    """The constituents of an average tree."""

    keys: list[int]  # without the trivial ones
    exact: bool = True  # proven best, which only a time limit can prevent


def best_known(
    ensemble: Ensemble, choices: Iterable[list[int]], value_of: Callable[[list[int]], Any] | None = None
) -> list[int]:
    """Return the best of some choices and the input trees, by score unless ``value_of`` is given."""
    value_of = value_of or ensemble.score
    inputs = [ensemble.keys_of(k) for k in range(len(ensemble.weights))]
    return max([*choices, *inputs], key=lambda keys: (value_of(keys), -len(keys)))


def labeled_ensemble(n_words: int, weights: Sequence[int], pairs_of_trees: list[list[Pair]]) -> Ensemble:
    """Return trees as sets of labelled constituents, numbered in the order of their appearance."""
    numbers: dict[Pair, int] = {}
    supports: dict[int, int] = {}
    for tree, pairs in enumerate(pairs_of_trees):
        for pair in pairs:
            key = numbers.setdefault(pair, len(numbers))
            supports[key] = supports.get(key, 0) | 1 << tree
    return Ensemble(n_words, tuple(weights), tuple(map(len, pairs_of_trees)), supports, 0, list(numbers))


def labeled_chains(
    weights: Sequence[int], trees: list[dict[int, Chain]], chosen: list[Pair], n_words: int
) -> dict[int, Chain]:
    wanted = set(chosen)
    chain_of: dict[int, Chain] = {}
    for words in {words for words, _, _ in chosen}:
        pairs = [labeled_pairs({words: chains.get(words, ())}) for chains in trees]
        kept = [[pair[1:] for pair in chain if pair in wanted] for chain in pairs]
        chain_of[words] = chain_order([(weight, chain) for weight, chain in zip(weights, kept) if chain])
    whole = (1 << n_words) - 1
    bare = [weight for weight, chains in zip(weights, trees) if chains.get(whole, ())[:1] == ("",)]
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
    heap = sorted([(weight, item) for item, weight in against.items()])
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
