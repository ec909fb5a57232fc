"""The best average of trees of several sizes: one search for each size of the average that can matter."""

from __future__ import annotations

from fractions import Fraction
from math import lcm
from operator import itemgetter

from ..kernels.cover import best_above, combine, heaviest_by_size, named
from ..trees.frozen import frozen
from .candidates import Candidates
from .ensemble import Choice, Ensemble, best_known

# Bounds in floats are used with this margin; their own error is some 1e-14.
_MARGIN = 1e-11


def best_of_sizes(
    ensemble: Ensemble, shared: list[int], others: list[tuple[int, int]], deadline: float
) -> Choice:
    """Inputs of several sizes: for each size of the average the best sum, as far as it can matter.

    The best choices for one size bound those for the others: no weight of a yield
    grows by more than the largest ratio of denominators.  The sizes are taken from
    the one with the highest bound on, until no bound is above the best tree found.
    """
    inputs = _Inputs(ensemble, len(shared))
    base, smallest, largest = inputs.base, min(ensemble.sizes), max(ensemble.sizes)
    everything = sum(ensemble.weights)
    # Yields that more than half of the weight has do not conflict, since any two share a tree.
    majority = [key for weight, key in others if 2 * weight > everything]
    start, known = inputs.best_prefix(majority)
    graph = inputs.worth_it(others, base, known)
    conflicting = graph.conflicting
    if graph.hard:
        # The better the tree that the search begins with, the fewer candidates and sizes are left.
        for keys in graph.known():
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
        # Tables last: what prices find for other sizes may show that they are not needed.
        queue = bounds if max(bounds.values(), default=0.0) >= least else gaps
        size, bound = max(queue.items(), key=itemgetter(1), default=(0, 0.0))
        if bound < least:
            break
        del queue[size]
        done.add(size)
        problem = inputs.problem(graph, size)
        found = problem.by_price(deadline) if hard and queue is bounds else problem.by_table(deadline)
        if found is None:
            families = graph.greedy(shared) if best is None else [best[2], *graph.greedy(shared)]
            return Choice(best_known(ensemble, families), exact=False, conflicting=conflicting)
        if found.keys is not None:
            score = Fraction(found.total, problem.unit)
            if best is None or (score, -size) > best[:2]:
                best = score, -size, shared + found.keys
                known = max(known, float(score))
        elif found.beside:
            for keys in found.beside:
                known = max(known, float(ensemble.score(shared + keys) / (2 * everything)))
            gaps[size] = found.bounds[size - base]
        for other, bound in enumerate(found.bounds, base):
            if other not in done:
                edge = largest if other > size else smallest
                cap = bounds[other] if other in bounds else inputs.most(other)
                bounds[other] = min(bound * (size + edge) / (other + edge), cap)
    assert best is not None  # the size that has the best tree is looked at
    return Choice(best[2], conflicting=conflicting)


class _Inputs:
    """The input trees, and what each weighs in averages of one size and another.

    Args:
        ensemble: The inputs.
        shared: How many constituents all of them have beside the trivial ones.
    """

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
        """The candidates that a tree better than half a mean F1 score of ``known`` can have.

        A best tree loses by giving up any of its yields c.  With one constituent fewer every fraction is the
        larger the smaller its own tree, so c must have sum of w_k / (tau - 1 + D_k), times (tau - 1 + the
        largest D), above the score.  That falls as tau grows; ``least`` is the least that tau - 1 can be.
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
        """Half of a mean F1 score that no tree of a size exceeds: it shares no more than the smaller has."""
        shares = zip(self._shares, self._ensemble.sizes)
        return sum([share * min(size, other) / (size + other) for share, other in shares])

    def best_prefix(self, keys: list[int]) -> tuple[int, float]:
        """How many of some yields without conflict, from the first on, do best, and half of the mean F1."""
        sizes, base = self._ensemble.sizes, self.base
        counts = [base] * len(sizes)
        best = -1.0, 0
        for size, key in enumerate([None, *keys], base):
            for k in () if key is None else self._members[self._ensemble.supports[key]]:
                counts[k] += 1
            known = zip(self._shares, counts, sizes)
            score = sum([share * count / (size + other) for share, count, other in known])
            if score > best[0]:
                best = score, size - base
        return best[1], best[0]

    def problem(self, graph: Candidates, size: int) -> SizeProblem:
        """What is to be chosen of some candidates for trees of one size."""
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
class Found:
    """What is known of the trees of one size.

    Attributes:
        keys: The best choice of candidates; ``None`` where it cannot be the best tree.
        total: Its sum, with the constituents that all trees have, in units of the problem.
        bounds: For each number of candidates half of a mean F1 score that no choice of so many
            exceeds, up to rounding.
        beside: Where prices leave a gap at the count wanted, choices of fewer and of more.
    """

    keys: list[int] | None
    total: int
    bounds: list[float]
    beside: tuple[list[int], ...] = ()


@frozen
class SizeProblem:
    """The best choice of ``count`` candidates, weighed as in trees of one size.

    Attributes:
        graph: The candidates.
        count: How many are to be chosen.
        values: Their weights.
        offset: The weight of the constituents that all trees have.
        unit: What the weights are fractions of, to make half of a mean F1 score.
    """

    graph: Candidates
    count: int
    values: dict[int, int]
    offset: int
    unit: int

    def by_table(self, deadline: float) -> Found | None:
        """Solves it for all counts at once; ``None`` when time is up.

        Each part of the conflicts gives its best sum for each number of yields, and
        those combine by max-plus convolution.
        """
        graph, values = self.graph, self.values
        free = sorted(graph.free, key=lambda key: -values[key])
        free_sums = [self.offset]
        for key in free:
            free_sums.append(free_sums[-1] + values[key])
        m = graph.conflicting
        numbers = [0]
        for part in graph.parts:
            numbered = [values[key] << m | 1 << (m - 1 - name) for key, name in zip(part.keys, part.names)]
            found = heaviest_by_size(part.neighbours, part.sums(numbered), deadline)
            if found is None:
                return None
            numbers = combine(numbers, found)
        sums: list[int] = combine([number >> m for number in numbers], free_sums)
        bounds = [value / self.unit for value in sums]
        if self.count >= len(sums):
            return Found(None, 0, bounds)
        equal = [
            [graph.crossing[name] for name in named(number, m)] + free[: self.count - taken]
            for taken, number in enumerate(numbers)
            if 0 <= self.count - taken <= len(free)
            and (number >> m) + free_sums[self.count - taken] == sums[self.count]
        ]
        best = equal[0]
        if len(equal) > 1:
            place = {key: place for place, key in enumerate(graph.keys)}
            best = min(equal, key=lambda keys: sorted([place[key] for key in keys]))
        return Found(best, sums[self.count], bounds)

    def by_price(self, deadline: float) -> Found | None:
        """Solves it by setting a price on each yield until just ``count`` are worth it.

        A choice that is the best for some price, and the smallest such, is the best of
        its count.  Prices give bounds for all counts, too.  Not every count has a price: then
        the choices on both sides of the gap are given.  ``None`` when time is up.
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
            found = self._worth(p, q, deadline)
            if found is None:
                return None
            count, value, _ = found
            lines.append((p, q, q * value - p * count))
            gap = q * value - p * count == q * low[1] - p * low[0]
            if not gap and count <= self.count:
                low = found
            if not gap and count >= self.count:
                high = found
        bounds = [
            min([(most + p * count + q * self.offset) / (q * self.unit) for p, q, most in lines])
            for count in range(len(self.graph.keys) + 1)
        ]
        if gap:
            return Found(None, 0, bounds, (low[2], high[2]))
        for count, value, keys in (low, high):
            if count == self.count:
                return Found(keys, value + self.offset, bounds)
        # More than there are in the choice with the greatest sum of all: no such tree is
        # the best, for the yields of that choice weigh more in its own, smaller tree.
        return Found(None, 0, bounds)

    def _worth(self, p: int, q: int, deadline: float) -> tuple[int, int, list[int]] | None:
        """The choice of the greatest sum of ``q * value - p``, of such the smallest: its count, sum, keys."""
        values = self.values
        chosen = [key for key in self.graph.free if q * values[key] > p]
        for part in self.graph.parts:
            weights = [values[key] for key in part.keys]
            found = best_above(part.neighbours, weights, p, q, deadline, part.owners)
            if found is None:
                return None
            chosen += [part.keys[place] for place in found]
        return len(chosen), sum([values[key] for key in chosen]), chosen
