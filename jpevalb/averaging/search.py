"""Which constituents the average tree has: exact searches over all trees.

A tree counts as the set ``C(T)`` of its constituents' yields: every single word,
the whole sentence, and whatever else one of its nodes dominates, once.  With
``h(c)`` the weight of the trees that have ``c``, the sum of the weighted F1
scores is twice ::

    sum over k of  w_k |C(T) & C(T_k)| / (|C(T)| + |C(T_k)|)

Where all inputs have the same size D (binary trees do: 2n - 1) that is the one
ratio ``sum of h(c) / (|C(T)| + D)`` (Shayegh et al. 2024, section 3).
Otherwise the denominators differ, but for trees of one size tau they are
constants, so there is one linear problem for each size (ibid., A.2).

With labels a constituent is a yield with one of the labels over it, and the single words and the
sentence count where a label stands over them.  Constituents over one yield never conflict, so each
is chosen on its own; all that is said of yields here holds for them.

Trees tie where the sums are equal.  The tree with fewer constituents wins, then the
one that comes first: of the yields that one of the two has and the other has
not, look at the first, ordered by its first word, longer ones before shorter
ones, at equal length by the first word that only one of them has, and over one yield
by their labels.  Nothing is rounded: scores are compared as fractions.
"""

from __future__ import annotations

from ..kernels.chart import atoms, heaviest_nested
from ..kernels.cover import best_above, named, number_choices
from ..kernels.cut import two_sides
from ..kernels.yields import bit_set
from .candidates import Candidates, Part
from .ensemble import Choice, Ensemble, best_known
from .sizes import best_of_sizes


def best_yields(ensemble: Ensemble, deadline: float) -> Choice:
    """The constituents of the tree with the greatest sum of weighted F1 scores, over all trees.

    Args:
        ensemble: The input; each of its trees has a constituent.
        deadline: Time of the monotonic clock at which to give up and return the
            best tree found; 0 for never.

    Cost: linear in the input where few yields conflict.  The problem is NP-hard
    for discontinuous trees; what conflicts is left to ``_core.cover``.
    """
    # A yield that all trees have conflicts with none of the others, and every best
    # tree has it (ibid., Theorem 6).  No best tree has one that lowers its score,
    # which is how most of the others fall away below (Theorem 5).
    shared, others = ensemble.split()
    if len(set(ensemble.sizes)) == 1:
        return _best_ratio(ensemble, shared, others, deadline)
    return best_of_sizes(ensemble, shared, others, deadline)


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
    # a tree.  Each raises the ratio, which is at most half of the weight.
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
    # The better the tree that the search begins with, the fewer candidates are left.
    for keys in graph.known() if graph.hard else ():
        hit, size = total * base, base + ensemble.sizes[0]
        for count, key in enumerate(keys, 1):
            hit, size = hit + graph.weights[key], size + 1
            if hit * q > p * size:
                p, q, best = hit, size, shared + keys[:count]
    while True:
        chosen = [key for key in graph.free if graph.weights[key] * q > p]
        for part in graph.parts:
            found = best_above(part.neighbours, part.weights, p, q, deadline, part.owners)
            if found is None:
                known = [best, *graph.greedy(shared)]
                return Choice(best_known(ensemble, known), exact=False, conflicting=graph.conflicting)
            chosen += [part.keys[place] for place in found]
        size = base + len(chosen)
        hit = total * base + sum([graph.weights[key] for key in chosen])
        best = shared + chosen
        if hit * q == p * (size + ensemble.sizes[0]):
            return Choice(best, conflicting=graph.conflicting)
        p, q = hit, size + ensemble.sizes[0]


def most_hits(ensemble: Ensemble, deadline: float) -> Choice:
    """The yields of the binary trees with the greatest sum of hit counts ``h(c)``, without completion.

    Any set of yields without conflict can be completed to a binary tree, and the heaviest
    has no candidate left to complete it with.  Ties: the fewest yields, then the first.

    Args and cost as for :func:`best_yields`, but every yield is a candidate: the
    conflicting ones are left to ``_core.chart``, which takes polynomial time where
    yields have no gaps.
    """
    shared, others = ensemble.split()
    graph = Candidates(ensemble, others)
    chosen = shared + graph.free
    exact = True
    for part in graph.parts:
        found = _most_of_part(part, ensemble.n_words, deadline)
        if found is None:
            exact = False
            found = part.greedy()
        chosen += found
    if not exact:
        # What all trees have is hit by all of them.
        whole = sum(ensemble.weights)
        chosen = best_known(
            ensemble, [chosen], lambda keys: sum([graph.weights.get(key, whole) for key in keys])
        )
    return Choice(chosen, exact=exact, conflicting=graph.conflicting)


def _most_of_part(part: Part, n_words: int, deadline: float) -> list[int] | None:
    m = len(part.keys)
    if two_sides(part.neighbours, (1 << m) - 1) is not None:  # as with two inputs
        places = best_above(part.neighbours, part.weights, 0, 1, deadline)
    else:
        sets = atoms([bit_set(key, n_words) for key in part.keys])
        found = heaviest_nested(sets, number_choices(part.weights), deadline)
        places = None if found is None else named(found, m)
    return None if places is None else [part.keys[place] for place in places]
