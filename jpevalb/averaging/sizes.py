"""The best average of trees of several sizes: one search for each size that the average can have."""

from __future__ import annotations

from itertools import accumulate
from math import lcm
from operator import itemgetter
from typing import NamedTuple

from .candidates import Candidates
from .ensemble import Choice, Ensemble, best_known
from .heaviest import combine, heaviest_by_size, named

_MARGIN = 1e-11  # relative margin of bounds in floats, whose own error is about 1e-14


def best_of_sizes(
    ensemble: Ensemble, shared: list[int], others: list[tuple[int, int]], deadline: float
) -> Choice:
    """Return the best choice for inputs of several sizes.

    The best score for one size of the average bounds the scores for all other sizes: from size to size, the
    weight of a yield grows at most by the largest ratio of the F1 denominators.  The size with the highest
    bound is solved next, until no bound is above the best tree found.
    """
    surely = _majority_if_best(ensemble, len(shared), others)
    if surely is not None:
        return Choice(shared + surely)
    from fractions import Fraction

    inputs = _Inputs(ensemble, len(shared))
    base, smallest, largest = inputs.base, min(ensemble.sizes), max(ensemble.sizes)
    total_weight = sum(ensemble.weights)
    # Yields in trees of more than half of the total weight do not conflict: any two are in a common tree.
    majority = [key for weight, key in others if 2 * weight > total_weight]
    start, known = inputs.best_prefix(majority)
    graph = inputs.candidates_above(others, base, known)
    conflicting = len(graph.crossing)
    if graph.hard:
        # The better the first tree, the fewer candidates and sizes are left.
        for keys in graph.starts():
            count, reached = inputs.best_prefix(keys)
            if reached > known:
                start, known = count, reached
        size = base
        while inputs.upper_bound(size) < known * (1 - _MARGIN):
            size += 1
        graph = inputs.candidates_above(others, max(base, size - 1), known)
    hard = graph.hard
    best: tuple[Fraction, int, list[int]] | None = None
    bounds = {base + start: 1.0}
    gaps: dict[int, float] = {}
    done: set[int] = set()
    while True:
        threshold = known * (1 - _MARGIN)
        # Tables last: bounds that prices give for other sizes may make them unnecessary.
        queue = bounds if max(bounds.values(), default=0.0) >= threshold else gaps
        size, bound = max(queue.items(), key=itemgetter(1), default=(0, 0.0))
        if bound < threshold:
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
                known = max(known, float(ensemble.score(shared + keys) / (2 * total_weight)))
            gaps[size] = solution.bounds[size - base]
        for other, bound in enumerate(solution.bounds, base):
            if other not in done:
                edge = largest if other > size else smallest
                cap = bounds[other] if other in bounds else inputs.upper_bound(other)
                bounds[other] = min(bound * (size + edge) / (other + edge), cap)
    assert best is not None  # the size of the best tree is never skipped
    return Choice(best[2], conflicting=conflicting)


def _majority_if_best(ensemble: Ensemble, shared: int, others: list[tuple[int, int]]) -> list[int] | None:
    """Return the yields of more than half of the weight; ``None`` unless they certainly are the best choice.

    No other yield is in the best tree if none can raise the score that these reach (see
    :meth:`_Inputs.candidates_above`).  They do not conflict.  If a tree of tau yields lacks one of them, of
    weight w, adding it raises half the sum of F1 by w / (tau + 1 + the largest D) or more.  The hits that the
    tree has are divided by tau + 1 + D_k instead of tau + D_k.  That lowers the sum by half of the total
    weight over (tau + 1 + the smallest D) at most, since the sum is at most half of the total weight.
    """
    weights, sizes, supports = ensemble.weights, ensemble.sizes, ensemble.supports
    base, total, smallest, largest = ensemble.trivial + shared, sum(weights), min(sizes), max(sizes)
    majority = [item for item in others if 2 * item[0] > total]
    least = majority[-1][0] if majority else total
    if 2 * least * (base + 1 + smallest) <= total * (base + 1 + largest):
        return None
    if len(majority) < len(others):
        found = [supports[key] for _, key in majority]
        size = base + len(found)
        known = sum(
            [
                weight * (base + sum([support >> k & 1 for support in found])) / (size + other)
                for k, (weight, other) in enumerate(zip(weights, sizes))
            ]
        )
        heaviest = others[len(majority)][0]
        if heaviest * (base + largest) > known * (base + smallest) * (1 - _MARGIN):
            return None
    return [key for _, key in majority]


class _Inputs:
    """The input trees, with their weights in averages of different sizes."""

    def __init__(self, ensemble: Ensemble, shared: int) -> None:
        total_weight = sum(ensemble.weights)
        self.base = ensemble.trivial + shared
        self._ensemble = ensemble
        self._shares = [weight / total_weight for weight in ensemble.weights]
        self._members = {
            support: [k for k in range(len(self._shares)) if support >> k & 1]
            for support in set(ensemble.supports.values())
        }

    def candidates_above(self, others: list[tuple[int, int]], least: int, known: float) -> Candidates:
        """Return the yields that trees whose mean F1 is above twice ``known`` may have.

        Let an average have tau yields, and input k D_k yields and the share w_k of the weight.  Removing a
        yield c lowers tau by 1, which raises the fraction of each input, most for small inputs.  So the best
        average has c only if the sum of w_k / (tau - 1 + D_k) over the inputs with c, times (tau - 1 + the
        largest D), is above its score.  This product falls as tau grows; ``least`` is the lower bound of
        tau - 1.
        """
        sizes, supports = self._ensemble.sizes, self._ensemble.supports
        largest = max(sizes)
        rates = [share * (least + largest) / (least + size) for share, size in zip(self._shares, sizes)]
        possible = {
            support: sum([rates[k] for k in trees]) > known * (1 - _MARGIN)
            for support, trees in self._members.items()
        }
        return Candidates(self._ensemble, [item for item in others if possible[supports[item[1]]]])

    def upper_bound(self, size: int) -> float:
        """Return half of an upper bound on the mean F1 of trees of a size."""
        shares = zip(self._shares, self._ensemble.sizes)
        return sum([share * min(size, other) / (size + other) for share, other in shares])

    def best_prefix(self, keys: list[int]) -> tuple[int, float]:
        """Return the length of the best prefix of yields without conflict, and half of its mean F1 score."""
        sizes, base = self._ensemble.sizes, self.base
        counts = [base] * len(sizes)
        best = -1.0, 0
        for size, key in enumerate([None, *keys], base):  # None is the empty prefix
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
        inputs = zip(ensemble.weights, ensemble.sizes)
        rates = [weight * (common // (size + other)) for weight, other in inputs]
        of_support = {support: sum([rates[k] for k in trees]) for support, trees in self._members.items()}
        values = {key: of_support[ensemble.supports[key]] for key in graph.keys}
        unit = common * sum(ensemble.weights)
        return SizeProblem(graph, size - self.base, values, self.base * sum(rates), unit)


class SizeSolution(NamedTuple):
    """The best tree of one size found so far."""

    keys: list[int] | None  # the best choice of candidates; None if it cannot be the best tree
    total: int  # its sum of weights, with the constituents that all trees have
    bounds: list[float]  # for each number of candidates, half of an upper bound on the mean F1
    nearest: tuple[list[int], ...] = ()  # if no price selects `n_chosen`: the best with fewer, more


class SizeProblem(NamedTuple):
    """The best choice of ``n_chosen`` candidates, weighted as in trees of one size."""

    graph: Candidates
    n_chosen: int  # number of candidates to choose
    values: dict[int, int]  # their weights
    offset: int  # the weight of the constituents that all trees have
    unit: int  # divisor that turns a sum of weights into half of a mean F1

    def by_table(self, deadline: float) -> SizeSolution | None:
        """Solve the problem for all counts at once, by max-plus convolution; ``None`` after the deadline."""
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
        if self.n_chosen >= len(sums):
            return SizeSolution(None, 0, bounds)
        equal = [
            [graph.crossing[name] for name in named(number, m)] + free[: self.n_chosen - taken]
            for taken, number in enumerate(numbers)
            if 0 <= self.n_chosen - taken <= len(free)
            and (number >> m) + free_sums[self.n_chosen - taken] == sums[self.n_chosen]
        ]
        best = equal[0]
        if len(equal) > 1:
            rank = {key: index for index, key in enumerate(graph.keys)}
            best = min(equal, key=lambda keys: sorted([rank[key] for key in keys]))
        return SizeSolution(best, sums[self.n_chosen], bounds)

    def by_price(self, deadline: float) -> SizeSolution | None:
        """Solve the problem by Lagrangian relaxation; return ``None`` after the deadline."""
        # Every yield costs a price; a best choice with `n_chosen` yields at a price is the best of its count.
        # Each price also bounds the sums for all counts.  Some counts are not best at any price.
        low: tuple[int, int, list[int]] = 0, 0, []
        high = self._best_at_price(0, 1, deadline)
        if high is None:
            return None
        # For each price p/q: no choice of c yields sums to more than (most + p c) / q.
        lines = [(0, 1, high[1])]
        gap = False  # True if no price selects this count
        while low[0] < self.n_chosen < high[0] and not gap:
            p, q = high[1] - low[1], high[0] - low[0]
            middle = self._best_at_price(p, q, deadline)
            if middle is None:
                return None
            count, value, _ = middle
            lines.append((p, q, q * value - p * count))
            gap = q * value - p * count == q * low[1] - p * low[0]
            if not gap and count <= self.n_chosen:
                low = middle
            if not gap and count >= self.n_chosen:
                high = middle
        bounds = [
            min([(most + p * count + q * self.offset) / (q * self.unit) for p, q, most in lines])
            for count in range(len(self.graph.keys) + 1)
        ]
        if gap:
            return SizeSolution(None, 0, bounds, (low[2], high[2]))
        for count, value, keys in (low, high):
            if count == self.n_chosen:
                return SizeSolution(keys, value + self.offset, bounds)
        # The choice with the greatest sum has fewer yields, so it scores higher as a smaller tree.
        return SizeSolution(None, 0, bounds)

    def _best_at_price(self, p: int, q: int, deadline: float) -> tuple[int, int, list[int]] | None:
        """Return count, sum and keys of the best choice at the price p/q; ``None`` after the deadline."""
        chosen = self.graph.above(self.values, p, q, deadline)
        if chosen is None:
            return None
        return len(chosen), sum([self.values[key] for key in chosen]), chosen
