"""The input trees of one sentence as sets of constituents, and those chosen for the average."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from .yields import in_order

if TYPE_CHECKING:
    from fractions import Fraction


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
    pairs: Sequence[tuple[int, str, int]] | None = None  # yield, label, equal labels over the yield before

    def ordered(self, keys: list[int]) -> tuple[list[int], list[int], Sequence[int]]:
        """Return ordered keys, their yields, and each key's index of its yield."""
        if self.pairs is None:
            keys = in_order(keys)
            return keys, keys, range(len(keys))
        pairs = self.pairs
        yields = in_order({pairs[key][0] for key in keys})
        index_of = {key: index for index, key in enumerate(yields)}
        ranked = sorted([(index_of[pairs[key][0]], pairs[key][1:], key) for key in keys])
        return [key for _, _, key in ranked], yields, [owner for owner, _, _ in ranked]

    def by_hits(self) -> tuple[list[int], list[tuple[int, int]]]:
        """Return the keys that all trees have, and ``(hit count, key)`` of the others, most hits first."""
        everyone = (1 << len(self.weights)) - 1
        hits = {
            support: sum([weight for k, weight in enumerate(self.weights) if support >> k & 1])
            for support in set(self.supports.values())
        }
        shared = [key for key, support in self.supports.items() if support == everyone]
        others = [(hits[support], key) for key, support in self.supports.items() if support != everyone]
        return shared, sorted(others, reverse=True)

    def keys_of(self, k: int) -> list[int]:
        """Return the constituents of a tree."""
        return [key for key, support in self.supports.items() if support >> k & 1]

    def score(self, keys: Iterable[int]) -> Fraction:
        """Return the sum of the weighted F1 scores of a tree; F1 is 1 if neither tree has constituents."""
        from fractions import Fraction

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
    conflicting: int = 0  # constituents in conflict at the start of the search: how hard the sentence is


def best_known(
    ensemble: Ensemble, choices: Iterable[list[int]], value_of: Callable[[list[int]], Any] | None = None
) -> list[int]:
    """Return the best of some choices and the input trees, by score unless ``value_of`` is given."""
    value_of = value_of or ensemble.score
    inputs = [ensemble.keys_of(k) for k in range(len(ensemble.weights))]
    return max([*choices, *inputs], key=lambda keys: (value_of(keys), -len(keys)))
