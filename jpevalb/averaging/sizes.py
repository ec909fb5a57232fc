"""The best average of trees of several sizes: one search for each size that the average can have."""

from __future__ import annotations

from fractions import Fraction
from itertools import accumulate
from math import lcm
from operator import itemgetter

from ..kernels.cover import combine, heaviest_by_size, named
from ..trees.frozen import frozen
from .candidates import Candidates
from .ensemble import Choice, Ensemble, best_known

_MARGIN = 1e-11
"""Relative margin of bounds in floats, whose own error is about 1e-14."""


def best_of_sizes(
    ensemble: Ensemble, shared: list[int], others: list[tuple[int, int]], deadline: float
) -> Choice:
    """Return the best choice for inputs of several sizes.

    The best sum for one size of the average bounds those for the others: no weight of a yield grows by
    more than the largest ratio of denominators.  The size with the highest bound is solved next, until no
    bound is above the best tree found.
    """
    inputs = _Inputs(ensemble, len(shared))
    base, smallest, largest = inputs.base, min(ensemble.sizes), max(ensemble.sizes)
    everything = sum(ensemble.weights)
    # Yields that more than half of the weight has do not conflict, since any two share a tree.
    majority = [key for weight, key in others if 2 * weight > everything]
    start, known = inputs.best_prefix(majority)
    graph = inputs.worth_it(others, base, known)
    conflicting = len(graph.crossing)
    if graph.hard:
        # The better the first tree, the fewer candidates and sizes are left.
        for keys in graph.starts():
            count, reached = inputs.best_prefix(keys)
            if reached > known:
                start, known = count, reached
        size = base
        while inputs.most(size) < known * (1 - _MARGIN):
            size += 1
        graph = inputs.worth_it(others, max(base, size - 1), known)
    hard = graph.hard
    best: tuple[Fraction, int, list[int]] | None = None
    bounds = {base + start: 1.0}
    gaps: dict[int, float] = {}
    done: set[int] = set()
    while True:
        least = known * (1 - _MARGIN)
        # Tables last: bounds that prices give for other sizes may make them unnecessary.
        queue = bounds if max(bounds.values(), default=0.0) >= least else gaps
        size, bound = max(queue.items(), key=itemgetter(1), default=(0, 0.0))
        if bound < least:
            break
        del queue[size]
        done.add(size)
        problem = inputs.problem(graph, size)
        solution = problem.by_price(deadline) if hard and queue is bounds else problem.by_table(deadline)
        if solution is None:
            choices = graph.prefixes(shared) if best is None else [best[2], *graph.prefixes(shared)]
            return Choice(best_known(ensemble, choices), exact=False, conflicting=conflicting)
        if solution.keys is not None:
            score = Fraction(solution.total, problem.unit)
            if best is None or (score, -size) > best[:2]:
                best = score, -size, shared + solution.keys
                known = max(known, float(score))
        elif solution.nearest:
            for keys in solution.nearest:
                known = max(known, float(ensemble.score(shared + keys) / (2 * everything)))
            gaps[size] = solution.bounds[size - base]
        for other, bound in enumerate(solution.bounds, base):
            if other not in done:
                edge = largest if other > size else smallest
                cap = bounds[other] if other in bounds else inputs.most(other)
                bounds[other] = min(bound * (size + edge) / (other + edge), cap)
    assert best is not None  # the size of the best tree is never skipped
    return Choice(best[2], conflicting=conflicting)


class _Inputs:
    """The input trees, with their weights in averages of different sizes."""

    def __init__(self, ensemble: Ensemble, shared: int) -> None:
        everything = sum(ensemble.weights)
        self.base = ensemble.trivial + shared
        self._ensemble = ensemble
        self._shares = [weight / everything for weight in ensemble.weights]
        self._members = {
            support: [k for k in range(len(self._shares)) if support >> k & 1]
            for support in set(ensemble.supports.values())
        }

    def worth_it(self, others: list[tuple[int, int]], least: int, known: float) -> Candidates:
        """Return the candidates of trees whose mean F1 score is above twice ``known``.

        Without a yield c, every fraction grows, the more the smaller its own tree.  So a best tree has c
        only if the sum of w_k / (tau - 1 + D_k), times (tau - 1 + the largest D), is above the score.
        That falls as tau grows; ``least`` is the smallest possible tau - 1.
        """
        sizes, supports = self._ensemble.sizes, self._ensemble.supports
        largest = max(sizes)
        rates = [share * (least + largest) / (least + size) for share, size in zip(self._shares, sizes)]
        enough = {
            support: sum([rates[k] for k in trees]) > known * (1 - _MARGIN)
            for support, trees in self._members.items()
        }
        return Candidates(self._ensemble, [item for item in others if enough[supports[item[1]]]])

    def most(self, size: int) -> float:
        """Return half of an upper bound of the mean F1 score of trees of a size."""
        shares = zip(self._shares, self._ensemble.sizes)
        return sum([share * min(size, other) / (size + other) for share, other in shares])

    def best_prefix(self, keys: list[int]) -> tuple[int, float]:
        """Return the length of the best prefix of yields without conflict, and half of its mean F1 score."""
        sizes, base = self._ensemble.sizes, self.base
        counts = [base] * len(sizes)
        best = -1.0, 0
        for size, key in enumerate([None, *keys], base):
            for k in () if key is None else self._members[self._ensemble.supports[key]]:
                counts[k] += 1
            inputs = zip(self._shares, counts, sizes)
            score = sum([share * count / (size + other) for share, count, other in inputs])
            if score > best[0]:
                best = score, size - base
        return best[1], best[0]

    def problem(self, graph: Candidates, size: int) -> SizeProblem:
        """Return the problem of choosing the candidates for trees of one size."""
        ensemble = self._ensemble
        common = lcm(*[size + other for other in set(ensemble.sizes)])
        rates = [
            weight * (common // (size + other)) for weight, other in zip(ensemble.weights, ensemble.sizes)
        ]
        of_support = {support: sum([rates[k] for k in trees]) for support, trees in self._members.items()}
        values = {key: of_support[ensemble.supports[key]] for key in graph.keys}
        unit = common * sum(ensemble.weights)
        return SizeProblem(graph, size - self.base, values, self.base * sum(rates), unit)


@frozen
class SizeSolution:
    """The best tree of one size, as far as it is known.

    Attributes:
        keys: The best choice of candidates; ``None`` if it cannot be the best tree.
        total: Its sum, with the constituents that all trees have, in units of the problem.
        bounds: For each number of candidates half of an upper bound of the mean F1 score, up to rounding.
        nearest: If no price gives the count wanted, the choices with fewer and with more.
    """

    keys: list[int] | None
    total: int
    bounds: list[float]
    nearest: tuple[list[int], ...] = ()


@frozen
class SizeProblem:
    """The best choice of ``count`` candidates, weighted as in trees of one size.

    Attributes:
        graph: The candidates.
        count: Number of candidates to choose.
        values: Their weights.
        offset: The weight of the constituents that all trees have.
        unit: Divisor that makes half of a mean F1 score of the weights.
    """

    graph: Candidates
    count: int
    values: dict[int, int]
    offset: int
    unit: int

    def by_table(self, deadline: float) -> SizeSolution | None:
        """Solve the problem for all counts at once; return ``None`` when time is up.

        Each component gives its best sum for each number of yields; max-plus convolution combines them.
        """
        graph, values = self.graph, self.values
        free = sorted(graph.free, key=lambda key: -values[key])
        free_sums = list(accumulate([values[key] for key in free], initial=self.offset))
        m = len(graph.crossing)
        numbers = [0]
        for component in graph.components:
            weights = [
                values[key] << m | 1 << (m - 1 - name) for key, name in zip(component.keys, component.names)
            ]
            by_size = heaviest_by_size(component.neighbours, component.sums(weights), deadline)
            if by_size is None:
                return None
            numbers = combine(numbers, by_size)
        sums: list[int] = combine([number >> m for number in numbers], free_sums)
        bounds = [value / self.unit for value in sums]
        if self.count >= len(sums):
            return SizeSolution(None, 0, bounds)
        equal = [
            [graph.crossing[name] for name in named(number, m)] + free[: self.count - taken]
            for taken, number in enumerate(numbers)
            if 0 <= self.count - taken <= len(free)
            and (number >> m) + free_sums[self.count - taken] == sums[self.count]
        ]
        best = equal[0]
        if len(equal) > 1:
            rank = {key: index for index, key in enumerate(graph.keys)}
            best = min(equal, key=lambda keys: sorted([rank[key] for key in keys]))
        return SizeSolution(best, sums[self.count], bounds)

    def by_price(self, deadline: float) -> SizeSolution | None:
        """Solve the problem by a price on each yield at which exactly ``count`` are worth it.

        The smallest best choice for a price is the best of its count, and each price bounds all counts.
        Not every count has a price.  Return ``None`` when time is up.
        """
        low: tuple[int, int, list[int]] = 0, 0, []
        high = self._worth(0, 1, deadline)
        if high is None:
            return None
        # For each price p/q: no choice of c yields sums to more than (most + p c) / q.
        lines = [(0, 1, high[1])]
        gap = False
        while low[0] < self.count < high[0] and not gap:
            p, q = high[1] - low[1], high[0] - low[0]
            middle = self._worth(p, q, deadline)
            if middle is None:
                return None
            count, value, _ = middle
            lines.append((p, q, q * value - p * count))
            gap = q * value - p * count == q * low[1] - p * low[0]
            if not gap and count <= self.count:
                low = middle
            if not gap and count >= self.count:
                high = middle
        bounds = [
            min([(most + p * count + q * self.offset) / (q * self.unit) for p, q, most in lines])
            for count in range(len(self.graph.keys) + 1)
        ]
        if gap:
            return SizeSolution(None, 0, bounds, (low[2], high[2]))
        for count, value, keys in (low, high):
            if count == self.count:
                return SizeSolution(keys, value + self.offset, bounds)
        # The count exceeds that of the heaviest choice, which scores higher in its own, smaller tree.
        return SizeSolution(None, 0, bounds)

    def _worth(self, p: int, q: int, deadline: float) -> tuple[int, int, list[int]] | None:
        """Return count, sum and keys of the best choice for the price p/q, ``None`` when time is up."""
        chosen = self.graph.above(self.values, p, q, deadline)
        if chosen is None:
            return None
        return len(chosen), sum([self.values[key] for key in chosen]), chosen
