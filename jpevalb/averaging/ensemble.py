"""The input of averaging as sets of yields, and the yields chosen for the average."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class Ensemble:
    """The input trees of one sentence, as sets of yields.

    Attributes:
        n_words: Length of the sentence, at least 1.
        weights: Of the trees, positive integers.
        sizes: How many constituents each tree has, single words and the sentence
            included.
        supports: For each yield of more than one and fewer than all words the
            trees that have it, as a bit set.
    """

    n_words: int
    weights: tuple[int, ...]
    sizes: tuple[int, ...]
    supports: dict[int, int]

    @property
    def trivial(self) -> int:
        """How many constituents every tree has: the words, and the sentence of more than one."""
        return self.n_words + (self.n_words > 1)

    def hits(self) -> dict[int, int]:
        """The weight of each support: that of its trees."""
        return {support: self.weigh(support) for support in set(self.supports.values())}

    def weigh(self, support: int) -> int:
        """The weight of some trees, given as a bit set."""
        return sum(weight for k, weight in enumerate(self.weights) if support >> k & 1)

    def keys_of(self, k: int) -> list[int]:
        """The yields of one of the trees."""
        return [key for key, support in self.supports.items() if support >> k & 1]

    def score(self, keys: Iterable[int]) -> Fraction:
        """The sum of the weighted F1 scores of the tree with these yields and the trivial ones."""
        supports = [self.supports.get(key, 0) for key in keys]
        size = self.trivial + len(supports)
        return sum(
            (
                Fraction(2 * weight * (self.trivial + sum(s >> k & 1 for s in supports)), size + tree_size)
                for k, (weight, tree_size) in enumerate(zip(self.weights, self.sizes))
            ),
            Fraction(0),
        )


@dataclass(frozen=True, slots=True)
class Choice:
    """The yields of an average tree.

    Attributes:
        keys: Those of more than one and fewer than all words.
        exact: Whether the choice is proven best; not so only where time was up.
        conflicting: How many yields were in conflict with another where the search
            began: what makes a sentence hard.
    """

    keys: list[int]
    exact: bool = True
    conflicting: int = 0


def best_known(ensemble: Ensemble, families: Iterable[list[int]]) -> list[int]:
    """The best of some sets of yields and of the input trees."""
    inputs = [ensemble.keys_of(k) for k in range(len(ensemble.weights))]
    return max([*families, *inputs], key=lambda keys: (ensemble.score(keys), -len(keys)))
