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
from .._core.cover import best_above, combine, conflicts, heaviest_by_size, named, number_choices, parts
from .._core.yields import bit_set, in_order

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
    base = ensemble.trivial + len(shared)
    # Yields that more than half of the weight has do not conflict: any two share
    # a tree.  The best of what they can make is where the search begins.
    p, q = total * base, base + ensemble.sizes[0]
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
        chosen = [key for key in graph.free if graph.weights[key] * q > p]
        for part in graph.parts:
            found = best_above(part.neighbours, part.weights, p, q, deadline)
            if found is None:
                known = [best, *graph.greedy(shared)]
                return Choice(_best_known(ensemble, known), exact=False, conflicting=graph.conflicting)
            chosen += [part.keys[place] for place in found]
        size = base + len(chosen)
        hit = total * base + sum([graph.weights[key] for key in chosen])
        best = shared + chosen
        if hit * q == p * (size + ensemble.sizes[0]):
            return Choice(best, conflicting=graph.conflicting)
        p, q = hit, size + ensemble.sizes[0]


@dataclass(frozen=True, slots=True)
class _Part:
    """A connected part of the conflict graph.

    Attributes:
        keys: Its yields in order.
        names: Their places among all yields in conflict.
        neighbours: For each of them, those that it conflicts with, as a bit set.
        weights: Their hit counts.
    """

    keys: list[int]
    names: list[int]
    neighbours: list[int]
    weights: list[int]


class _Conflicts:
    """Candidates, cut into those without conflict and the connected parts of the others.

    Attributes:
        weights: Of the candidates.
        keys: The candidates in order.
        free: Those without conflict, in order.
        crossing: The others, in order.
        parts: The same, cut up.
    """

    def __init__(self, n_words: int, candidates: Iterable[tuple[int, int]]) -> None:
        self.weights = {key: weight for weight, key in candidates}
        self.keys = in_order(list(self.weights), n_words)
        near = conflicts(self.keys, n_words)
        self.free = [key for key, others in zip(self.keys, near) if not others]
        self.crossing = [key for key, others in zip(self.keys, near) if others]
        names = {key: name for name, key in enumerate(self.crossing)}
        self.parts = []
        for places in parts(near):
            bits = {place: 1 << i for i, place in enumerate(places)}
            keys = [self.keys[place] for place in places]
            neighbours = [sum([bits[other] for other in near[place]]) for place in places]
            weights = [self.weights[key] for key in keys]
            self.parts.append(_Part(keys, [names[key] for key in keys], neighbours, weights))

    @property
    def conflicting(self) -> int:
        """How many candidates conflict with another."""
        return len(self.crossing)

    def greedy(self, shared: list[int]) -> Iterator[list[int]]:
        """Trees to fall back on: heaviest yields first, each taken that fits, up to any number."""
        taken = [(self.weights[key], key) for key in self.free]
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
    smallest, largest = min(sizes), max(sizes)
    base = ensemble.trivial + len(shared)
    members = {
        support: [k for k in range(len(sizes)) if support >> k & 1]
        for support in set(ensemble.supports.values())
    }
    majority, known = _majority(ensemble, others, base, shares, members)
    # A best tree loses by giving up any of its yields c.  With one constituent fewer
    # every fraction is the larger the smaller its own tree, so c must have
    # sum of w_k / (tau - 1 + D_k), times (tau - 1 + the largest D), above the score.
    rates = [share * (base + largest) / (base + size) for share, size in zip(shares, sizes)]
    enough = {
        support: sum([rates[k] for k in trees]) > known * (1 - _MARGIN) for support, trees in members.items()
    }
    graph = _Conflicts(ensemble.n_words, [item for item in others if enough[ensemble.supports[item[1]]]])
    best: tuple[Fraction, int, list[int]] | None = None
    bounds = {base + majority: 1.0}
    done: set[int] = set()
    while bounds:
        size = max(bounds, key=bounds.__getitem__)
        if bounds[size] < known * (1 - _MARGIN):
            break
        del bounds[size]
        done.add(size)
        table = _SizeTable.make(ensemble, graph, members, base, size, deadline)
        if table is None:
            families = graph.greedy(shared) if best is None else [best[2]]
            return Choice(_best_known(ensemble, families), exact=False, conflicting=graph.conflicting)
        score = Fraction(table.sums[size - base], table.unit * everything)
        if best is None or (score, -size) > best[:2]:
            best = score, -size, shared + table.choice(size - base)
            known = max(known, float(score))
        for other, value in enumerate(table.sums, base):
            if other not in done:
                edge = largest if other > size else smallest
                bound = value / (table.unit * everything) * (size + edge) / (other + edge)
                bounds[other] = min(bound, bounds.get(other, bound))
    assert best is not None  # the first size is always looked at
    return Choice(best[2], conflicting=graph.conflicting)


def _majority(
    ensemble: Ensemble,
    others: list[tuple[int, int]],
    base: int,
    shares: list[float],
    members: dict[int, list[int]],
) -> tuple[int, float]:
    """How many yields, from the heaviest on, of those that more than half of the weight has, do best.

    They do not conflict, since any two share a tree.  Also half of the mean F1 score with them.
    """
    everything = sum(ensemble.weights)
    score = sum([share * base / (base + size) for share, size in zip(shares, ensemble.sizes)])
    best = score, 0
    counts = [base] * len(shares)
    for number, (weight, key) in enumerate(others, 1):
        if 2 * weight <= everything:
            break
        for k in members[ensemble.supports[key]]:
            counts[k] += 1
        size = base + number
        score = sum(
            [share * count / (size + other) for share, count, other in zip(shares, counts, ensemble.sizes)]
        )
        if score > best[0]:
            best = score, number
    return best[1], best[0]


@dataclass(frozen=True, slots=True)
class _SizeTable:
    """The best choices of any number of candidates, weighed as in trees of one size.

    Attributes:
        graph: The candidates.
        free: Those without conflict, the best first: of equal ones, the first in order.
        free_sums: For each number of them the sum of the best.
        numbers: For each number of candidates in conflict the sum of the best choice, and in
            the lowest bits their names.
        sums: For each number of all candidates the sum of the best choice, and of the
            constituents that all trees have.
        unit: What the sums are fractions of.
    """

    graph: _Conflicts
    free: list[int]
    free_sums: list[int]
    numbers: list[int]
    sums: list[int]
    unit: int

    @classmethod
    def make(
        cls,
        ensemble: Ensemble,
        graph: _Conflicts,
        members: dict[int, list[int]],
        base: int,
        size: int,
        deadline: float,
    ) -> _SizeTable | None:
        """The table for trees of ``size``, ``base`` of which all trees have; ``None`` when time is up."""
        unit = lcm(*[size + other for other in set(ensemble.sizes)])
        rates = [weight * (unit // (size + other)) for weight, other in zip(ensemble.weights, ensemble.sizes)]
        values = {support: sum([rates[k] for k in trees]) for support, trees in members.items()}
        supports = ensemble.supports
        free = sorted(graph.free, key=lambda key: -values[supports[key]])
        free_sums = [base * sum(rates)]
        for key in free:
            free_sums.append(free_sums[-1] + values[supports[key]])
        if not graph.parts:
            return cls(graph, free, free_sums, [0], free_sums, unit)
        m = graph.conflicting
        numbers = [0]
        for part in graph.parts:
            numbered = [
                values[supports[key]] << m | 1 << (m - 1 - name) for key, name in zip(part.keys, part.names)
            ]
            found = heaviest_by_size(part.neighbours, numbered, deadline)
            if found is None:
                return None
            numbers = combine(numbers, found)
        sums = combine([number >> m for number in numbers], free_sums)
        return cls(graph, free, free_sums, numbers, sums, unit)

    def choice(self, count: int) -> list[int]:
        """The best choice of so many candidates; of equal ones, the first."""
        m = self.graph.conflicting
        equal = [
            [self.graph.crossing[name] for name in named(number, m)] + self.free[: count - taken]
            for taken, number in enumerate(self.numbers)
            if 0 <= count - taken <= len(self.free)
            and (number >> m) + self.free_sums[count - taken] == self.sums[count]
        ]
        if len(equal) == 1:
            return equal[0]
        place = {key: place for place, key in enumerate(self.graph.keys)}
        return min(equal, key=lambda keys: sorted(place[key] for key in keys))


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
    chosen = shared + graph.free
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
    sets = atoms([bit_set(key, n_words) for key in part.keys])
    found = heaviest_nested(sets, number_choices(part.weights), deadline)
    return None if found is None else [part.keys[place] for place in named(found, len(sets))]
