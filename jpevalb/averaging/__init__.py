"""Averages: the tree with the greatest sum of weighted F1 scores against several trees."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal
from fractions import Fraction
from math import gcd, lcm
from time import monotonic
from typing import Any, NamedTuple

from ..base.errors import SettingsError, TreeError
from ..base.text import counted
from ..formats.read import as_tree
from ..kernels import columns as kernel
from ..kernels.columns import Columns
from ..trees.tree import EMPTY, Tree
from .search import best_pairs, best_yields, most_hits
from .yields import Chain, Ensemble, assembled, labeled_chains, labeled_ensemble, labeled_pairs


def exact_weights(weights: Sequence[Any] | None, count: int) -> tuple[int, ...]:
    """Return the smallest integers in the same ratios as the weights of ``count`` systems."""
    if weights is None:
        return (1,) * count
    if not isinstance(weights, Iterable):
        raise SettingsError(f"weights={weights!r}; expected one for each of {counted(count, 'system')}")
    given = list(weights)
    if len(given) != count:
        raise SettingsError(
            f"weights: got {len(given)} for {counted(count, 'system')}; expected one for each"
        )
    exact = []
    for number, weight in enumerate(given, 1):
        try:
            # Fraction refuses infinity and NaN, too.
            value = Fraction(weight if isinstance(weight, (int, Fraction, Decimal, str)) else float(weight))
        except (TypeError, ValueError, ZeroDivisionError, OverflowError):
            value = Fraction(-1)
        if value < 0:
            raise SettingsError(f"weight {number} is {weight!r}; expected a number, 0 or more")
        exact.append(value)
    largest = max(exact, default=Fraction(0))
    if not largest:
        raise SettingsError("all weights are 0; expected one or more above 0")
    if not all(isinstance(weight, (int, Fraction, Decimal, str)) for weight in given):
        # With floats, 0.1, 0.2 and 0.3 are 1, 2 and 3, and so are their multiples, whatever the rounding.
        exact = [_simplest(weight / largest) for weight in exact]
    divisor = gcd(*[weight.numerator for weight in exact])
    unit = Fraction(divisor, lcm(*[weight.denominator for weight in exact]))
    return tuple([int(weight / unit) for weight in exact])


def _simplest(value: Fraction) -> Fraction:
    """Return the fraction with the smallest denominator within a relative distance of 1e-14."""
    noise = Fraction(1, 10**14)  # some units in the 16th digit of a float
    low, high = value * (1 - noise), value * (1 + noise)
    # Continued fractions: while both ends have the same whole part, the simplest fraction has it, too.
    parts = []
    while low.denominator != 1 and low.numerator // low.denominator == high.numerator // high.denominator:
        whole = low.numerator // low.denominator
        parts.append(whole)
        low, high = 1 / (high - whole), 1 / (low - whole)
    simplest = Fraction(-(-low.numerator // low.denominator))
    for whole in reversed(parts):
        simplest = whole + 1 / simplest
    return simplest


class Average(NamedTuple):
    """An average tree; ``exact`` as in :class:`Choice`."""

    tree: Tree
    exact: bool = True


def average(
    trees: Sequence[Any], weights: Sequence[Any] | None = None, *, binary: bool = False, labeled: bool = False
) -> Tree:
    """Return the tree that agrees best with several trees over the same words.

    Of *all* trees over the words, not only those given, the average has the greatest sum of
    ``weight * F1``.  Its constituents may have gaps and any number of children.  A tree counts as the set
    of its constituents' yields.  Every tree has the single words and the whole sentence, with or without
    a node for them, and a unary chain counts once.

    Labels: a constituent gets the chain of labels with the most weight among the trees that have the
    constituent.  All trees vote for a word's tag and for the chain above it; no chain is a vote, too.
    Ties: the first in code point order, a shorter chain before a longer one.  Nodes that dominate no word
    are left out.

    Ties between trees: the tree with fewer constituents wins, then the one whose constituents come first
    by (first word, longer before shorter, earlier words).  So neither the order of the trees nor the
    scale of the weights changes the average.

    The problem is NP-hard for discontinuous trees: the time is exponential in the number of yields in
    conflict that overlap at one word at worst.  Averages of trees without gaps take polynomial time.
    Sentences with dozens of conflicts take milliseconds.

    Args:
        trees: Trees, bracket texts or nltk trees, at least one.
        weights: One for each tree, 0 or more (default: all equal).  Ratios of floats are exact up to
            1e-14, other numbers are exact.  A tree of weight 0 does not count, but must have the same
            words.
        binary: Return a binary tree: the one with the greatest sum of weighted hits (constituents it
            shares with the trees).  If all inputs have equally many constituents, as binary trees have,
            it also has the greatest sum of F1 over all binary trees.  What the hits leave open is
            completed right-branching: of the children c1 c2 c3 ..., by first words, c2 c3 ... become a
            constituent with the label above them.  It may have gaps if its parent has or if children
            interleave.  Not for labelled evaluation: no system gave such a constituent its label.
        labeled: Maximise labelled F1.  A tree counts as the multiset of the (yield, label) pairs of all
            nodes that dominate a word, without tags and nodes without a label; F1 is 1 if neither tree
            has any.  Any pairs of the inputs whose yields do not conflict can be combined, so several
            labels over one yield are chosen one by one.  From the top down, the next of these is the
            label that the least weight of trees has below another one that is still left; ties go by
            code point.  Tags are voted for as above.  Ties between trees: as above, and over one yield
            the labels that come first.  If no label over the sentence increases the score, the root has
            none; a root without label that more than half of the weight has is kept.  ROOT and TOP count
            as any label, since the labels that a score leaves out depend on its convention and .prm.

    Returns:
        The average, with the id of the first tree that has one.

    Raises:
        TreeError: The words differ, a tree cannot be parsed, or ``trees`` is one tree instead of a list.
        SettingsError: Weights are too many, too few, negative, not finite, or all 0; or both ``binary``
            and ``labeled`` are given.
        TooLargeError: More than ten million pairs of constituents conflict.

    Source: Shayegh et al. 2024; weights of systems and labelled averages are ours.

    >>> tree = average(["(S (A a) (X (B b) (C c)))"] * 2 + ["(T (Y (A a) (B b)) (C c))"])
    >>> tree.to_bracket()
    '(S (A a) (X (B b) (C c)))'
    >>> trees = ["(S (NP (A a) (B b)) (C c))", "(S (VP (A a) (B b)) (C c))"]
    >>> trees += ["(S (A a) (X (B b) (C c)))"] * 2
    >>> average(trees).to_bracket(), average(trees, labeled=True).to_bracket()
    ('(S (NP (A a) (B b)) (C c))', '(S (A a) (X (B b) (C c)))')
    """
    return find_average(trees, weights, binary=binary, labeled=labeled).tree


def find_average(
    trees: Sequence[Any],
    weights: Sequence[Any] | None = None,
    *,
    binary: bool = False,
    labeled: bool = False,
    limit: float | None = None,
    names: Sequence[str] | None = None,
) -> Average:
    """Return the average, or the best tree found in ``limit`` seconds; ``names`` are those of the systems."""
    if isinstance(trees, str | Tree):
        raise TreeError("got one tree; expected a list of trees")
    if not isinstance(trees, Iterable):
        raise TreeError(f"got an object of type {type(trees).__name__}; expected a list of trees")
    check_kind(binary, labeled)
    given = [as_tree(tree) for tree in trees]
    if not given:
        raise SettingsError("no trees to average; expected one or more")
    check_words([tree.words for tree in given], names)
    scaled = exact_weights(weights, len(given))
    words = given[0].words
    id = next((tree.id for tree in given if tree.id is not None), None)
    if not words:
        return Average(EMPTY.replace(id=id))
    deadline = 0.0 if limit is None else monotonic() + limit
    read = [tree.with_tags for tree, weight in zip(given, scaled) if weight]
    numbers = list(filter(None, scaled))
    if labeled:
        chains_of = list(map(kernel.chains, read))
        chosen, choice = best_pairs(len(words), numbers, list(map(labeled_pairs, chains_of)), deadline)
        chains = labeled_chains(numbers, chains_of, chosen, len(words))
    else:
        ensemble, votes = _ensemble(numbers, read)
        choice = (most_hits if binary else best_yields)(ensemble, deadline)
        chains = kernel.elected(votes, set(choice.keys), ensemble.supports, numbers)
    tags = kernel.elected_tags(read, numbers)
    return Average(assembled(words, chains, tags, id, binary=binary), choice.exact)


def agreement(
    tree: Any, trees: Sequence[Any], weights: Sequence[Any] | None = None, *, labeled: bool = False
) -> Fraction:
    """Return the weighted mean F1 of one tree against others, as :func:`average` counts."""
    wanted, *given = map(as_tree, [tree, *trees])
    if not given:
        raise SettingsError("no trees to compare with; expected one or more")
    check_words([other.words for other in [wanted, *given]])
    scaled = exact_weights(weights, len(given))
    if not wanted.words:
        return Fraction(1)
    # The tree itself comes last, with weight 0, so that its own constituents have keys.
    read = [other.with_tags for other in [*given, wanted]]
    weighted = [*scaled, 0]
    if labeled:
        pairs = [labeled_pairs(kernel.chains(tree)) for tree in read]
        ensemble = labeled_ensemble(len(wanted.words), weighted, pairs)
    else:
        ensemble, _ = _ensemble(weighted, read)
    return ensemble.score(ensemble.keys_of(len(scaled))) / sum(scaled)


def check_kind(binary: bool, labeled: bool) -> None:
    if binary and labeled:
        raise SettingsError(
            "got both binary and labeled; labelled F1 counts the constituents that complete a binary "
            "average as errors: leave one of the two out"
        )


def check_words(sentences: Sequence[tuple[str, ...]], names: Sequence[str] | None = None) -> None:
    """Raise a TreeError unless all sentences have the same words; ``names`` are those of the systems."""
    first = sentences[0]
    for k, words in enumerate(sentences):
        if words is first or words == first:
            continue
        one, other = (names[0], names[k]) if names else ("tree 1", f"tree {k + 1}")
        if len(words) == len(first):
            index = next(index for index, (a, b) in enumerate(zip(first, words)) if a != b)
            found = f"word {index + 1} is {words[index]!r} in {other} and {first[index]!r} in {one}"
        else:
            found = f"the number of words is {len(words)} in {other} and {len(first)} in {one}"
        raise TreeError(f"{found}; expected the same words; leave one of them out")


def _ensemble(
    weights: Sequence[int], trees: list[Columns]
) -> tuple[Ensemble, dict[int, Sequence[Chain | None]]]:
    n_words = trees[0].words
    trivial = n_words + (n_words > 1)
    votes, supports, inner = kernel.votes(trees)
    sizes = tuple([trivial + size for size in inner])
    return Ensemble(n_words, tuple(weights), sizes, supports, trivial), votes
