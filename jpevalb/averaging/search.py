"""Exact searches for the constituents of the average tree, over all trees.

A tree counts as the set ``C(T)`` of its yields: every single word, the whole sentence, and the yields of
its other nodes.  With ``h(c)`` the weight of the trees that have
``c``, half the sum of the weighted F1 scores is ::

    sum over k of  w_k |C(T) & C(T_k)| / (|C(T)| + |C(T_k)|)

If all inputs have the same size D (binary trees do: 2n - 1), that is one ratio,
``sum of h(c) / (|C(T)| + D)`` (Shayegh et al. 2024, section 3).  Otherwise the denominators differ, but
they are constants for trees of one size tau: one linear problem for each size (ibid., A.2).

In labelled averages a constituent is a yield and one of the labels over it, and single words and the
sentence count only if they have a label.  Constituents over one yield never conflict, so each is
chosen by itself; all that holds for yields holds for them.

Ties: the tree with fewer constituents wins, then the one that comes first.  Of the yields that only
one of the two trees has, compare the first, ordered by its first word, longer before shorter, at equal
length by the first word that only one of them has, and over one yield by label.  Nothing is rounded:
scores are compared as fractions.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate
from math import lcm
from operator import itemgetter

from ..kernels.columns import hits
from .heaviest import BY_SIZE, Candidates, combine, heaviest, named
from .yields import Choice, Ensemble, Pair, best_known, labeled_ensemble


def best_yields(ensemble: Ensemble, deadline: float) -> Choice:
    """Return the constituents with the greatest sum of weighted F1 scores over all trees.

    Each input must have a constituent.  At the deadline, a time of the monotonic clock (0 for never), the
    best tree found so far is returned.
    """
    # A yield that all trees have conflicts with no other, and every best tree has it (ibid., Theorem 6).
    shared, others = hits(ensemble.supports, ensemble.weights)
    total, smallest, largest = sum(ensemble.weights), min(ensemble.sizes), max(ensemble.sizes)
    base = ensemble.trivial + len(shared)
    # A constituent in trees of so much weight raises the score of a tree that it is added to: F1 is at most
    # 1.  It is more than half of the weight: any two such constituents are in a common tree, so they do not
    # conflict.  They are the first ones in ``others``.
    near, far = base + smallest, base + largest
    sure = [item for item in others if item[0] * near > (total - item[0]) * far]
    best = shared + [key for _, key in sure]
    # Half of the score of the tree of these is at least p/q.  If the heaviest other one weighs p/q * near/far
    # or less, no best tree has any of them: without it, all denominators are lower by 1 (ibid., Theorem 5).
    p = total * base + sum([weight for weight, _ in sure])
    q = base + len(sure) + largest
    if len(sure) == len(others) or others[len(sure)][0] * far * q <= p * near:
        return Choice(best)
    if smallest != largest:
        return best_of_sizes(ensemble, shared, others, best_known(ensemble, [best]), deadline)
    # Inputs of one size are solved by Dinkelbach's iteration.
    # A set has a ratio above p/q if and only if q h(c) - p over its yields sums to more than a constant.
    # The heaviest set gives the next ratio, which can only rise; if it stays, it is the best.
    graph = Candidates(ensemble, [item for item in others if item[0] * q > p])
    while True:
        try:
            chosen = graph.above(graph.weights, p, q, deadline)
        except TimeoutError:
            return Choice(best_known(ensemble, [best, *graph.prefixes(shared)]), exact=False)
        size = base + len(chosen)
        hit = total * base + sum([graph.weights[key] for key in chosen])
        best = shared + chosen
        if hit * q == p * (size + largest):
            return Choice(best)
        p, q = hit, size + largest


def most_hits(ensemble: Ensemble, deadline: float) -> Choice:
    """Return the yields of the binary trees with the greatest sum of hit counts ``h(c)``, uncompleted.

    Any set of yields without conflict can be completed to a binary tree, and no candidate is left that
    would fit into the heaviest set.  Ties: the fewest yields, then the first.
    """
    shared, others = hits(ensemble.supports, ensemble.weights)
    graph = Candidates(ensemble, others)
    try:
        return Choice(shared + graph.above(graph.weights, 0, 1, deadline))
    except TimeoutError:
        whole = sum(ensemble.weights)  # the hit count of what all trees have
        best = best_known(
            ensemble,
            [shared + graph.greedy()],
            lambda keys: sum([graph.weights.get(key, whole) for key in keys]),
        )
        return Choice(best, exact=False)


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
    return [ensemble.pairs[key] for key in choice.keys], choice


_MARGIN = 1e-11  # relative margin of bounds in floats, whose own error is about 1e-14


def best_of_sizes(
    ensemble: Ensemble, shared: list[int], others: list[tuple[int, int]], start: list[int], deadline: float
) -> Choice:
    """Return the best choice for inputs of several sizes.

    The best score for one size of the average bounds the scores for all other sizes: from size to size, the
    weight of a yield grows at most by the largest ratio of the F1 denominators.  The size with the highest
    bound is solved next, until no bound is above the best tree found.  The first size is that of ``start``,
    a good tree.
    """
    base, smallest, largest = ensemble.trivial + len(shared), min(ensemble.sizes), max(ensemble.sizes)
    # Without one of its constituents, a tree has all denominators lower by 1, so it scores better unless the
    # value of the constituent at the lower size, times the largest denominator there, is above half of the
    # score.  This product falls as the size grows, so it is highest at ``base``.
    half = ensemble.score(start) / 2
    by_support, _, common = values_at(ensemble, base)
    least = half * common / (base + largest)
    graph = Candidates(ensemble, [item for item in others if by_support[ensemble.supports[item[1]]] > least])
    total = sum(ensemble.weights)
    known = float(half / total)
    best: tuple[Fraction, int, list[int]] | None = None
    bounds = {ensemble.trivial + len(start): 1.0}
    done: set[int] = set()
    while True:
        size, bound = max(bounds.items(), key=itemgetter(1), default=(0, 0.0))
        if bound < known * (1 - _MARGIN):
            break
        del bounds[size]
        done.add(size)
        by_support, of_shared, common = values_at(ensemble, size)
        values = {key: by_support[ensemble.supports[key]] for key in graph.keys}
        try:
            keys, sums = best_of_count(graph, size - base, values, base * of_shared, deadline)
        except TimeoutError:
            choices = graph.prefixes(shared) if best is None else [best[2], *graph.prefixes(shared)]
            return Choice(best_known(ensemble, choices), exact=False)
        unit = common * total
        score = Fraction(0 if keys is None else sums[size - base], unit)
        if keys is not None and (best is None or (score, -size) > best[:2]):
            best = score, -size, shared + keys
            known = max(known, float(score))
        for other, value in enumerate(sums, base):
            if other not in done:
                edge = largest if other > size else smallest
                # Half of the highest mean F1 of so many, weighted as in trees of this size
                bounds[other] = min(value / unit * (size + edge) / (other + edge), bounds.get(other, 1.0))
    assert best is not None  # the size of the best tree is never skipped
    return Choice(best[2])


def values_at(ensemble: Ensemble, size: int) -> tuple[dict[int, int], int, int]:
    """Return half of what a constituent adds to the score of trees of a size, by the inputs that have it.

    Then come this value for a constituent that all inputs have, and the number that multiplies all values.
    """
    common = lcm(*[size + other for other in set(ensemble.sizes)])
    each = [weight * (common // (size + other)) for weight, other in zip(ensemble.weights, ensemble.sizes)]
    values = {
        support: sum([value for k, value in enumerate(each) if support >> k & 1])
        for support in set(ensemble.supports.values())
    }
    return values, sum(each), common


def best_of_count(
    graph: Candidates, count: int, values: dict[int, int], offset: int, deadline: float
) -> tuple[list[int] | None, list[int]]:
    """Return the heaviest choice of ``count`` candidates, and the weight of the heaviest one of each count.

    The weights begin with ``offset``.  The choice is None if no choice has so many; of equal ones it is the
    first in order.
    """
    free = sorted(graph.free, key=lambda key: -values[key])
    free_sums = list(accumulate([values[key] for key in free], initial=offset))
    m = len(graph.crossing)
    weights = {key: values[key] << m | 1 << (m - 1 - name) for name, key in enumerate(graph.crossing)}
    numbers = [0]
    for component in graph.components:
        numbers = combine(numbers, heaviest(component.sums(weights), BY_SIZE, deadline))
    sums = combine([number >> m for number in numbers], free_sums)
    if count >= len(sums):
        return None, sums
    equal = [
        [graph.crossing[name] for name in named(number, m)] + free[: count - taken]
        for taken, number in enumerate(numbers)
        if 0 <= count - taken <= len(free) and (number >> m) + free_sums[count - taken] == sums[count]
    ]
    rank = {key: index for index, key in enumerate(graph.keys)}
    return min(equal, key=lambda keys: sorted([rank[key] for key in keys])), sums
