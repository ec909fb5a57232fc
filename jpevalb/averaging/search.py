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

from .candidates import Candidates
from .ensemble import Choice, Ensemble, best_known
from .sizes import best_of_sizes


def best_yields(ensemble: Ensemble, deadline: float) -> Choice:
    """Return the constituents with the greatest sum of weighted F1 scores over all trees.

    Each input must have a constituent.  At the deadline, a time of the monotonic clock (0 for never), the
    best tree found so far is returned.  Without gaps the search takes polynomial time.  For discontinuous
    trees the problem is NP-hard: the time is linear in the input if few yields conflict, and exponential in
    the number of yields in conflict that overlap at one word at worst.
    """
    # A yield that all trees have conflicts with no other, and every best tree has it (ibid., Theorem 6).
    # No best tree has a yield that lowers its score, which rules out most others below (Theorem 5).
    shared, others = ensemble.by_hits()
    if len(set(ensemble.sizes)) > 1:
        return best_of_sizes(ensemble, shared, others, deadline)
    # Inputs of one size are solved by Dinkelbach's iteration.
    # A set has a ratio above p/q if and only if q h(c) - p over its yields sums to more than a constant.
    # The heaviest set gives the next ratio, which can only rise; if it stays, it is the best.
    total = sum(ensemble.weights)
    base = ensemble.trivial + len(shared)
    # Yields in trees of more than half of the total weight do not conflict: any two are in a common tree.
    # Each raises the ratio, which is at most half of the total weight.
    p, q = total * base, base + ensemble.sizes[0]
    majority = 0
    for weight, _ in others:
        if 2 * weight <= total:
            break
        p, q = p + weight, q + 1
        majority += 1
    keys = [key for _, key in others[:majority]]
    if majority == len(others) or others[majority][0] * q <= p:
        return Choice(shared + keys)
    graph = Candidates(ensemble, [item for item in others if item[0] * q > p])
    best = shared + keys
    conflicting = len(graph.crossing)
    while True:
        chosen = graph.above(graph.weights, p, q, deadline)
        if chosen is None:
            known = best_known(ensemble, [best, *graph.prefixes(shared)])
            return Choice(known, exact=False, conflicting=conflicting)
        size = base + len(chosen)
        hit = total * base + sum([graph.weights[key] for key in chosen])
        best = shared + chosen
        if hit * q == p * (size + ensemble.sizes[0]):
            return Choice(best, conflicting=conflicting)
        p, q = hit, size + ensemble.sizes[0]


def most_hits(ensemble: Ensemble, deadline: float) -> Choice:
    """Return the yields of the binary trees with the greatest sum of hit counts ``h(c)``, uncompleted.

    Any set of yields without conflict can be completed to a binary tree, and no candidate is left that
    would fit into the heaviest set.  Ties: the fewest yields, then the first.  Every yield is a candidate;
    the search takes polynomial time for yields without gaps.
    """
    shared, others = ensemble.by_hits()
    graph = Candidates(ensemble, others)
    chosen = shared + graph.free
    exact = True
    for component in graph.components:
        keys = component.nested(deadline)
        if keys is None:
            exact, keys = False, component.greedy()
        chosen += keys
    if not exact:
        whole = sum(ensemble.weights)  # the hit count of what all trees have
        chosen = best_known(
            ensemble, [chosen], lambda keys: sum([graph.weights.get(key, whole) for key in keys])
        )
    return Choice(chosen, exact=exact, conflicting=len(graph.crossing))
