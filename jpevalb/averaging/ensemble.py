"""The input of averaging as sets of constituents, and those chosen for the average."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any

from ..kernels.yields import in_order
from ..trees.frozen import frozen


@frozen
class Ensemble:
    """The input trees of one sentence, as sets of constituents.

    A constituent is a yield, or, with labels, a yield with one of the labels over it.  Its *key* is
    the yield's, or the place of the labelled constituent in ``pairs``.

    Attributes:
        n_words: Length of the sentence, at least 1.
        weights: Of the trees, positive integers.
        sizes: How many constituents each tree has; without labels, single words and the sentence
            included.
        supports: For each key the trees that have it, as a bit set; without labels, yields of one
            word and of all words are left out.
        trivial: How many constituents every tree has beside those.
        pairs: With labels the constituents: yield, label, and how many equal labels
            are over the yield before this one.
    """

    n_words: int
    weights: tuple[int, ...]
    sizes: tuple[int, ...]
    supports: dict[int, int]
    trivial: int
    pairs: Sequence[tuple[int, str, int]] | None = None

    def split(self) -> tuple[list[int], list[tuple[int, int]]]:
        """The constituents that all trees have, and hit count and key of the others, the most hits first."""
        everyone = (1 << len(self.weights)) - 1
        hits = {
            support: sum([weight for k, weight in enumerate(self.weights) if support >> k & 1])
            for support in set(self.supports.values())
        }
        shared = [key for key, support in self.supports.items() if support == everyone]
        others = [(hits[support], key) for key, support in self.supports.items() if support != everyone]
        return shared, sorted(others, reverse=True)

    def ordered(self, keys: list[int]) -> tuple[list[int], list[int], list[int] | None]:
        """Constituents in order: by their yields, then their labels in the order of code points.

        Returns:
            The keys, their yields, and for each key the place of its yield, ``None``
            where each has one of its own.
        """
        if self.pairs is None:
            keys = in_order(keys, self.n_words)
            return keys, keys, None
        pairs = self.pairs
        yields = in_order(list({pairs[key][0] for key in keys}), self.n_words)
        place = {key: number for number, key in enumerate(yields)}
        placed = sorted([(place[pairs[key][0]], pairs[key][1:], key) for key in keys])
        return [key for _, _, key in placed], yields, [owner for owner, _, _ in placed]

    def keys_of(self, k: int) -> list[int]:
        """The constituents of one of the trees."""
        return [key for key, support in self.supports.items() if support >> k & 1]

    def score(self, keys: Iterable[int]) -> Fraction:
        """The sum of the weighted F1 scores of the tree with these constituents and the trivial ones.

        F1 is 1 where neither tree has any.
        """
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


@frozen
class Choice:
    """The constituents of an average tree.

    Attributes:
        keys: Theirs; without labels those of more than one and fewer than all words.
        exact: Whether the choice is proven best; not so only where time was up.
        conflicting: How many constituents were in conflict with another where the search
            began: what makes a sentence hard.
    """

    keys: list[int]
    exact: bool = True
    conflicting: int = 0


def best_known(
    ensemble: Ensemble, families: Iterable[list[int]], worth: Callable[[list[int]], Any] | None = None
) -> list[int]:
    """The best of some sets of constituents and of the input trees, by their scores if not told otherwise."""
    of = worth or ensemble.score
    inputs = [ensemble.keys_of(k) for k in range(len(ensemble.weights))]
    return max([*families, *inputs], key=lambda keys: (of(keys), -len(keys)))
