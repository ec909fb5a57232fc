"""Perturbed word boundaries: how a score changes as a segmentation gets worse.

The three perturbations of Shi et al. 2024, section 5, Figure 5.  What becomes of the tree
where a word is cut or two are joined is said at each function.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from .metrics.intervals import clusters, time_axis
from .trees.detect import as_tree
from .trees.errors import SettingsError
from .trees.frozen import replace
from .trees.labels import without_words
from .trees.tree import Tree

Times = list[tuple[float, float]]


class Perturbed(NamedTuple):
    """A tree and the times of its words."""

    tree: Tree
    times: Times


def noise(tree: Any, times: Sequence[tuple[float, float]], delta: float, seed: int) -> Perturbed:
    """Moves the boundaries between words.

    Going from left to right, for each two neighbouring words a number is drawn
    evenly from [-delta, delta]; the end of the first word and the beginning of the second
    move by it, in lengths of the word that gets shorter: forwards in lengths of the
    second, backwards in lengths of the first as it is by then.

    Args:
        tree: A tree, its text or an nltk tree; it stays as it is.
        times: Start and end of each word in seconds.
        delta: How much, in [0, 1].
        seed: The same seed gives the same result.

    Raises:
        SettingsError: a delta outside [0, 1].
        TimingError: times that do not fit the words.
        TreeError: a tree that cannot be read.

    Cost: O(words).

    Source: Shi et al. 2024, section 5; gaps between words keep their length.

    >>> noise("(S (A a) (B b))", [(0.0, 1.0), (1.0, 3.0)], 0.5, seed=1).times
    [(0.0, 0.6343642441124012), (0.6343642441124012, 3.0)]
    """
    parsed, (begins, ends) = _checked(tree, times, delta)
    rng = random.Random(seed)
    for i in range(len(begins) - 1):
        share = rng.uniform(-delta, delta)
        move = share * (ends[i + 1] - begins[i + 1] if share > 0 else ends[i] - begins[i])
        ends[i] = max(begins[i], ends[i] + move)
        begins[i + 1] = min(ends[i + 1], begins[i + 1] + move)
    return Perturbed(parsed, list(zip(begins, ends)))


def insert(tree: Any, times: Sequence[tuple[float, float]], delta: float, seed: int) -> Perturbed:
    """Cuts words in two.

    Each word is cut with probability ``delta``, at an even random place.  Its
    preterminal becomes two sisters with the same label; a word without one becomes
    two words.  The characters are shared out in the order and proportion of the
    times; a part that gets none is written ``_``.

    The arguments and errors are those of :func:`noise`.

    Cost: O(nodes + words).

    >>> found = insert("(S (A a) (B bcd))", [(0.0, 1.0), (1.0, 3.0)], 0.7, seed=3)
    >>> found.tree.to_bracket(), [round(end, 2) for _, end in found.times]
    ('(S (A a) (A _) (B bc) (B d))', [0.54, 1.0, 2.21, 3.0])
    """
    parsed, (begins, ends) = _checked(tree, times, delta)
    rng = random.Random(seed)
    labels, parents = list(parsed.labels), list(parsed.parents)
    tags = parsed.preterminals
    words: list[str] = []
    word_parents: list[int] = []
    found: Times = []
    for word, node, begin, end in zip(parsed.words, parsed.word_parents, begins, ends):
        chance, share = rng.random(), rng.random()
        if chance >= delta:
            words.append(word)
            word_parents.append(node)
            found.append((begin, end))
            continue
        cut = begin + share * (end - begin)
        letters = clusters(word)
        first = round(share * len(letters))
        words += ["".join(letters[:first]) or "_", "".join(letters[first:]) or "_"]
        found += [(begin, cut), (cut, end)]
        word_parents.append(node)
        if tags[node]:
            labels.append(labels[node])
            parents.append(parents[node])
            node = len(labels) - 1
        word_parents.append(node)
    if len(words) == len(parsed.words):
        return Perturbed(parsed, found)
    return Perturbed(Tree.build(labels, parents, words, word_parents, id=parsed.id), found)


def delete(tree: Any, times: Sequence[tuple[float, float]], delta: float, seed: int) -> Perturbed:
    """Joins neighbouring words.

    Each boundary between two words falls with probability ``delta``.  The words around
    it become one, which lies where the first of them lay in the tree and lasts from
    its beginning to the end of the last; nodes that have no word then go.

    The arguments and errors are those of :func:`noise`.

    Cost: O(nodes + words).

    >>> delete("(S (NP (D a) (N b)) (V c))", [(0.0, 1.0), (1.0, 2.0), (2.5, 3.0)], 0.5, seed=0)[1]
    [(0.0, 1.0), (1.0, 2.0), (2.5, 3.0)]
    >>> found = delete("(S (NP (D a) (N b)) (V c))", [(0.0, 1.0), (1.0, 2.0), (2.5, 3.0)], 1, seed=0)
    >>> found.tree.to_bracket(), found.times
    ('(S (NP (D abc)))', [(0.0, 3.0)])
    """
    parsed, (begins, ends) = _checked(tree, times, delta)
    rng = random.Random(seed)
    kept: list[bool] = []
    words: list[str] = []
    found: Times = []
    for i, word in enumerate(parsed.words):
        # Drawn for the boundary before the word; there is none before the first.
        joins = i > 0 and rng.random() < delta
        kept.append(not joins)
        if joins:
            words[-1] += word
            found[-1] = (found[-1][0], ends[i])
        else:
            words.append(word)
            found.append((begins[i], ends[i]))
    if all(kept):
        return Perturbed(parsed, found)
    return Perturbed(replace(without_words(parsed, kept), words=tuple(words), id=parsed.id), found)


KINDS: dict[str, Callable[[Any, Sequence[tuple[float, float]], float, int], Perturbed]] = {
    "noise": noise,
    "insert": insert,
    "delete": delete,
}
"""The perturbations by name."""


def _checked(
    tree: Any, times: Sequence[tuple[float, float]], delta: float
) -> tuple[Tree, tuple[list[float], list[float]]]:
    if not 0 <= delta <= 1:
        raise SettingsError(f"found the delta {delta}; expected a number from 0 to 1")
    parsed = as_tree(tree)
    return parsed, time_axis(times, parsed.words, "given")
