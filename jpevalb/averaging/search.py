"""Which yields the average tree has: exact searches over all trees.

A tree counts as the set ``C(T)`` of its constituents' yields: every single word,
the whole sentence, and whatever else one of its nodes dominates, once.  With
``h(c)`` the weight of the trees that have ``c``, the sum of the weighted F1
scores is twice ::

    sum over k of  w_k |C(T) & C(T_k)| / (|C(T)| + |C(T_k)|)

Where all inputs have the same size D (binary trees do: 2n - 1) that is the one
ratio ``sum of h(c) / (|C(T)| + D)`` (Shayegh et al. 2024, section 3).
Otherwise the denominators differ, but for trees of one size tau they are
constants, so there is one linear problem for each size (ibid., A.2).

Trees tie where the sums are equal.  The tree with fewer constituents wins, then the
one that comes first: of the yields that one of the two has and the other has
not, look at the first, ordered by its first word, longer ones before shorter
ones, and at equal length by the first word that only one of them has.  Nothing is
rounded: scores are compared as fractions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

from .._core.chart import atoms, heaviest_nested
from .._core.cover import combine, conflicts, heaviest, heaviest_by_size, parts
from .._core.yields import bit_set, span

# Bounds in floats are used with this margin; their own error is some 1e-14.
_MARGIN = 1e-11


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


def best_yields(ensemble: Ensemble, deadline: float = 0.0) -> Choice:
    """The yields of the tree with the greatest sum of weighted F1 scores, over all trees.

    Args:
        ensemble: The input.
        deadline: Time of the monotonic clock at which to give up and return the
            best tree found; 0 for never.

    Cost: linear in the input where few yields conflict.  The problem is NP-hard
    for discontinuous trees; what conflicts is left to ``_core.cover``.
    """
    everyone = (1 << len(ensemble.weights)) - 1
    supports = ensemble.supports
    shared = [key for key, support in supports.items() if support == everyone]
    hits = ensemble.hits()
    # A yield that all trees have conflicts with none of the others, and is in every
    # best tree (ibid., Theorem 6).  So are, in what follows, none that would lower
    # the score (Theorem 5).
    others = sorted(
        ((hits[support], key) for key, support in supports.items() if support != everyone), reverse=True
    )
    if len(set(ensemble.sizes)) == 1:
        return _best_ratio(ensemble, shared, others, deadline)
    return _best_of_sizes(ensemble, shared, others, deadline)


def _best_ratio(
    ensemble: Ensemble, shared: list[int], others: list[tuple[int, int]], deadline: float
) -> Choice:
    """Inputs of one size: Dinkelbach's iteration.

    A set has a ratio above p/q just if its yields' ``q h(c) - p`` sum to more than a
    constant.  The heaviest set gives the next ratio, which can only rise; where
    it stays, it is the best.
    """
    total = sum(ensemble.weights)
    size = ensemble.trivial + len(shared)
    base = size, total * size
    # Yields that more than half of the weight has do not conflict: any two share
    # a tree.  The best of what they can make is where the search begins.
    hit = total * size
    q, p = size + ensemble.sizes[0], hit
    majority = 0
    for weight, _ in others:
        if 2 * weight <= total or weight * q <= p:
            break
        p, q = p + weight, q + 1
        majority += 1
    keys = [key for _, key in others[:majority]]
    if majority == len(others) or others[majority][0] * q <= p:
        return Choice(shared + keys)
    graph = _Conflicts(ensemble.n_words, [item for item in others if item[0] * q > p])
    best = shared + keys
    while True:
        chosen = [key for key, weight in graph.free if weight * q > p]
        for part in graph.parts:
            found = part.heaviest(p, q, deadline)
            if found is None:
                known = [best, *graph.greedy(shared)]
                return Choice(_best_known(ensemble, known), exact=False, conflicting=graph.conflicting)
            chosen += found
        size, hit = base
        size += len(chosen)
        hit += sum(map(graph.weights.__getitem__, chosen))
        best = shared + chosen
        if hit * q == p * (size + ensemble.sizes[0]):
            return Choice(best, conflicting=graph.conflicting)
        p, q = hit, size + ensemble.sizes[0]


@dataclass(frozen=True, slots=True)
class _Part:
    """A connected part of the conflict graph: yields in order, their neighbours as bit sets, their weights."""

    keys: list[int]
    neighbours: list[int]
    weights: list[int]

    def heaviest(self, p: int, q: int, deadline: float) -> list[int] | None:
        """The yields whose ``q h - p`` sum to most; of such, the fewest; of such, the first."""
        m = len(self.keys)
        live = [(place, q * weight - p) for place, weight in enumerate(self.weights) if q * weight > p]
        # One number has all of that in it: the value, less one for each yield,
        # and a bit for each, the first yield's highest.
        numbered = [((value * (m + 1) - 1) << m) | (1 << (m - 1 - place)) for place, value in live]
        if len(live) == m:
            neighbours = self.neighbours
        else:
            neighbours = [_renumbered(self.neighbours[place], live) for place, _ in live]
        found = heaviest(neighbours, numbered, deadline)
        return None if found is None else [self.keys[place] for place in _chosen(found, m)]


def _renumbered(neighbours: int, live: list[tuple[int, int]]) -> int:
    return sum(1 << number for number, (place, _) in enumerate(live) if neighbours >> place & 1)


def _chosen(number: int, m: int) -> Iterator[int]:
    """The places of the yields that the lowest ``m`` bits of a number name, in order."""
    bits = number & ((1 << m) - 1)
    while bits:
        high = bits.bit_length() - 1
        yield m - 1 - high
        bits ^= 1 << high


class _Conflicts:
    """Candidates, cut into those without conflict and the connected parts of the others."""

    def __init__(self, n_words: int, candidates: Iterable[tuple[int, int]]) -> None:
        self.weights = {key: weight for weight, key in candidates}
        placed = sorted((_place(key, n_words), key) for key in self.weights)
        self.keys = [key for _, key in placed]
        near = conflicts(self.keys, [(place[0], place[3]) for place, _ in placed])
        self.free = [(key, self.weights[key]) for key, others in zip(self.keys, near) if not others]
        self.places = parts(near)
        self.parts = [self._part(part, near) for part in self.places]
        self.conflicting = len(self.keys) - len(self.free)

    def _part(self, places: list[int], near: list[list[int]]) -> _Part:
        number = {place: i for i, place in enumerate(places)}
        keys = [self.keys[place] for place in places]
        neighbours = [sum(1 << number[other] for other in near[place]) for place in places]
        return _Part(keys, neighbours, [self.weights[key] for key in keys])

    def greedy(self, shared: list[int]) -> Iterator[list[int]]:
        """Trees to fall back on: heaviest yields first, each taken that fits, up to any number."""
        free = [key for key, _ in self.free]
        taken: list[tuple[int, int]] = [(self.weights[key], key) for key in free]
        for part in self.parts:
            blocked = 0
            for place in sorted(range(len(part.keys)), key=lambda place: -part.weights[place]):
                if not blocked >> place & 1:
                    blocked |= part.neighbours[place]
                    taken.append((part.weights[place], part.keys[place]))
        taken.sort(reverse=True)
        keys = [key for _, key in taken]
        for count in range(len(keys) + 1):
            yield shared + keys[:count]


def _place(key: int, n_words: int) -> tuple[int, int, str, int]:
    """What orders yields: first word, longer before shorter, then by the words; and the end, for use."""
    start, end, size = span(key, n_words)
    gaps = bin(-key)[2:].rstrip("0")[::-1].translate(_SWAP) if key < 0 else ""
    return start, -size, gaps, end


# Reads the bits of a yield such that the one with the earlier words comes first.
_SWAP = str.maketrans("01", "10")


def _best_known(ensemble: Ensemble, families: Iterable[list[int]]) -> list[int]:
    """The best of some trees and of the input trees."""
    inputs = (
        [key for key, support in ensemble.supports.items() if support >> k & 1]
        for k in range(len(ensemble.weights))
    )
    return max([*families, *inputs], key=lambda keys: (ensemble.score(keys), -len(keys)))


def _best_of_sizes(
    ensemble: Ensemble, shared: list[int], others: list[tuple[int, int]], deadline: float
) -> Choice:
    """Inputs of several sizes: for each size of the average the best sum, as far as it can matter.

    The best choices for one size bound those for the others: no weight of a yield
    grows by more than the largest ratio of denominators.  The sizes are taken from
    the one with the highest bound on, until no bound is above the best tree found.
    """
    everything = sum(ensemble.weights)
    shares = [weight / everything for weight in ensemble.weights]
    sizes = ensemble.sizes
    base = ensemble.trivial + len(shared)
    majority, known = _majority(ensemble, others, base, shares)
    # A best tree loses by giving up any of its yields c.  With one constituent fewer
    # every fraction is the larger the smaller its own tree, so c must have
    # sum of w_k / (tau - 1 + D_k), times (tau - 1 + the largest D), above the score.
    largest = max(sizes)
    rates = [share * (base + largest) / (base + size) for share, size in zip(shares, sizes)]
    enough = {
        support: sum(rate for k, rate in enumerate(rates) if support >> k & 1) > known * (1 - _MARGIN)
        for support in set(ensemble.supports.values())
    }
    graph = _Conflicts(ensemble.n_words, [item for item in others if enough[ensemble.supports[item[1]]]])
    best: tuple[Fraction, int, list[int]] | None = None
    bounds: dict[int, float] = {base + majority: 1.0}
    done: set[int] = set()
    while bounds:
        size = max(bounds, key=bounds.__getitem__)
        if bounds[size] < known * (1 - _MARGIN):
            break
        del bounds[size]
        done.add(size)
        table = _SizeTable.make(ensemble, graph, base, size, deadline)
        if table is None:
            families = graph.greedy(shared) if best is None else [best[2]]
            return Choice(_best_known(ensemble, families), exact=False, conflicting=graph.conflicting)
        score = table.score(size)
        if best is None or (score, -size) > best[:2]:
            best = score, -size, shared + table.keys(size)
            known = max(known, float(score / everything))
        for other in range(base, base + len(table.numbers)):
            if other not in done:
                bound = float(table.score(other) / everything) * table.growth(other)
                bounds[other] = min(bound, bounds.get(other, bound))
    assert best is not None
    return Choice(best[2], conflicting=graph.conflicting)


def _majority(
    ensemble: Ensemble, others: list[tuple[int, int]], base: int, shares: list[float]
) -> tuple[int, float]:
    """The best number of yields, from the heaviest on, that more than half of the weight has; its score / 2."""
    everything = sum(ensemble.weights)
    counts = [base] * len(shares)

    def score(size: int) -> float:
        return sum(
            share * count / (size + other) for share, count, other in zip(shares, counts, ensemble.sizes)
        )

    best = score(base), 0
    for number, (weight, key) in enumerate(others, 1):
        if 2 * weight <= everything:
            break
        support = ensemble.supports[key]
        for k in range(len(counts)):
            counts[k] += support >> k & 1
        found = score(base + number)
        if found > best[0]:
            best = found, number
    return best[1], best[0]


@dataclass(frozen=True, slots=True)
class _SizeTable:
    """The best choices of any number of yields, weighed as for trees of one size.

    Attributes:
        numbers: For each number of yields the weight of the best choice, its names in
            the lowest bits.
        common: What the weights are in units of: one over this.
        offset: The weight of the constituents that all trees have.
    """

    graph: _Conflicts
    base: int
    size: int
    sizes: tuple[int, ...]
    numbers: list[int]
    common: int
    offset: int

    @classmethod
    def make(
        cls, ensemble: Ensemble, graph: _Conflicts, base: int, size: int, deadline: float
    ) -> _SizeTable | None:
        """The table for trees of ``size``; ``None`` when time is up."""
        common = lcm(*[size + other for other in set(ensemble.sizes)])
        rates = [
            weight * (common // (size + other)) for weight, other in zip(ensemble.weights, ensemble.sizes)
        ]
        by_support: dict[int, int] = {}
        m = len(graph.keys)
        numbered: dict[int, int] = {}
        for place, key in enumerate(graph.keys):
            support = ensemble.supports[key]
            weight = by_support.get(support)
            if weight is None:
                weight = sum(rate for k, rate in enumerate(rates) if support >> k & 1) << m
                by_support[support] = weight
            numbered[key] = weight | (1 << (m - 1 - place))
        numbers = [0]
        for weight in sorted([numbered[key] for key, _ in graph.free], reverse=True):
            numbers.append(numbers[-1] + weight)
        conflicting = [0]
        for part in graph.parts:
            found = heaviest_by_size(part.neighbours, [numbered[key] for key in part.keys], deadline)
            if found is None:
                return None
            conflicting = combine(conflicting, found)
        return cls(
            graph, base, size, ensemble.sizes, combine(conflicting, numbers), common, base * sum(rates)
        )

    def score(self, size: int) -> Fraction:
        """The best sum of a tree of that many constituents, half the F1 scores at ``self.size``."""
        m = len(self.graph.keys)
        return Fraction(self.offset + (self.numbers[size - self.base] >> m), self.common)

    def keys(self, size: int) -> list[int]:
        """The yields of that tree, without those that all trees have."""
        m = len(self.graph.keys)
        return [self.graph.keys[place] for place in _chosen(self.numbers[size - self.base], m)]

    def growth(self, size: int) -> float:
        """How much a weight can grow at most where the tree has another size."""
        other = max(self.sizes) if size > self.size else min(self.sizes)
        return (self.size + other) / (size + other)


def most_hits(ensemble: Ensemble, deadline: float = 0.0) -> Choice:
    """The yields of the binary trees with the greatest sum of hit counts ``h(c)``, without completion.

    Any set of yields without conflict can be completed to a binary tree, and the heaviest
    has no candidate left to complete it with.  Ties: the fewest yields, then the first.

    Args and cost as for :func:`best_yields`, but every yield is a candidate: the
    conflicting ones are left to ``_core.chart``, which takes polynomial time where
    yields have no gaps.
    """
    everyone = (1 << len(ensemble.weights)) - 1
    hits = ensemble.hits()
    shared = [key for key, support in ensemble.supports.items() if support == everyone]
    graph = _Conflicts(
        ensemble.n_words,
        [(hits[support], key) for key, support in ensemble.supports.items() if support != everyone],
    )
    chosen = shared + [key for key, _ in graph.free]
    for part in graph.parts:
        found = _heaviest_nested(part, ensemble.n_words, deadline)
        if found is None:
            inputs = (
                [key for key, support in ensemble.supports.items() if support >> k & 1]
                for k in range(len(ensemble.weights))
            )
            *_, greedy = graph.greedy(shared)
            best = max(
                [greedy, *inputs],
                key=lambda keys: (sum(hits[ensemble.supports[key]] for key in keys), -len(keys)),
            )
            return Choice(best, exact=False, conflicting=graph.conflicting)
        chosen += found
    return Choice(chosen, conflicting=graph.conflicting)


def _heaviest_nested(part: _Part, n_words: int, deadline: float) -> list[int] | None:
    m = len(part.keys)
    numbered = [
        ((weight * (m + 1) - 1) << m) | (1 << (m - 1 - place)) for place, weight in enumerate(part.weights)
    ]
    found = heaviest_nested(atoms([bit_set(key, n_words) for key in part.keys]), numbered, deadline)
    return None if found is None else [part.keys[place] for place in _chosen(found, m)]
