"""Perturbed word boundaries: how a score changes as a segmentation gets worse.

The three perturbations of Shi et al. 2024, section 5, Figure 5.  The same seed gives the same result.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any, NamedTuple

from .base.errors import SettingsError
from .formats.read import as_tree
from .metrics.struct_iou import clusters, time_axis
from .settings.rules import without_words
from .trees.tree import Tree

Times = list[tuple[float, float]]


class Perturbed(NamedTuple):
    """A tree and the (start, end) of each of its words in seconds."""

    tree: Tree  #: the tree with changed segmentation
    times: Times  #: (start, end) of each word in seconds


def noise(tree: Any, times: Sequence[tuple[float, float]], delta: float, seed: int) -> Perturbed:
    """Move the boundaries between words.

    For each two neighbouring words, from left to right, a number is drawn uniformly from [-delta, delta].
    The end of the first word and the start of the second move by it, in lengths of the word that gets
    shorter: forwards in lengths of the second, backwards in lengths of the first as it is by then.  Gaps
    between words keep their length.

    Args:
        tree: A tree, its bracketed text or an nltk tree; it is not changed.
        times: Start and end of each word in seconds.
        delta: Strength of the perturbation, in [0, 1].
        seed: Seed of the random numbers.

    Returns:
        The tree and its new times.

    Raises:
        SettingsError: ``delta`` is not in [0, 1].
        TimingError: The times do not fit the words.
        TreeError: The tree cannot be read.

    >>> noise("(S (A a) (B b))", [(0.0, 1.0), (1.0, 3.0)], 0.5, seed=1).times
    [(0.0, 0.6343642441124012), (0.6343642441124012, 3.0)]
    """
    parsed, begins, ends, rng = _checked(tree, times, delta, seed)
    for i in range(len(begins) - 1):
        share = rng.uniform(-delta, delta)
        move = share * (ends[i + 1] - begins[i + 1] if share > 0 else ends[i] - begins[i])
        ends[i] = max(begins[i], ends[i] + move)
        begins[i + 1] = min(ends[i + 1], begins[i + 1] + move)
    return Perturbed(parsed, list(zip(begins, ends)))


def insert(tree: Any, times: Sequence[tuple[float, float]], delta: float, seed: int) -> Perturbed:
    """Split words in two; arguments and errors are those of :func:`noise`.

    Each word is split with probability ``delta``, at a uniform random position.  Its preterminal becomes two
    sisters with the same label; a word without one becomes two words.  The characters are divided in
    proportion to the times; a part without characters is written ``_``.

    >>> found = insert("(S (A a) (B bcd))", [(0.0, 1.0), (1.0, 3.0)], 0.7, seed=3)
    >>> found.tree.to_bracket(), [round(end, 2) for _, end in found.times]
    ('(S (A a) (A _) (B bc) (B d))', [0.54, 1.0, 2.21, 3.0])
    """
    parsed, begins, ends, rng = _checked(tree, times, delta, seed)
    labels, parents = list(parsed.labels), list(parsed.parents)
    tags = parsed.preterminals
    words: list[str] = []
    word_parents: list[int] = []
    new_times: Times = []
    for word, node, begin, end in zip(parsed.words, parsed.word_parents, begins, ends):
        chance, share = rng.random(), rng.random()
        if chance >= delta:
            words.append(word)
            word_parents.append(node)
            new_times.append((begin, end))
            continue
        cut = begin + share * (end - begin)
        letters = clusters(word)
        first = round(share * len(letters))
        words += ["".join(letters[:first]) or "_", "".join(letters[first:]) or "_"]
        new_times += [(begin, cut), (cut, end)]
        word_parents.append(node)
        if tags[node]:
            labels.append(labels[node])
            parents.append(parents[node])
            node = len(labels) - 1
        word_parents.append(node)
    if len(words) == len(parsed.words):
        return Perturbed(parsed, new_times)
    return Perturbed(Tree.build(labels, parents, words, word_parents, id=parsed.id), new_times)


def delete(tree: Any, times: Sequence[tuple[float, float]], delta: float, seed: int) -> Perturbed:
    """Join neighbouring words; arguments and errors are those of :func:`noise`.

    Each boundary between two words is deleted with probability ``delta``.  The joined words stay at the
    position of the first one in the tree and last from its start to the end of the last one; nodes without
    words are removed.

    >>> delete("(S (NP (D a) (N b)) (V c))", [(0.0, 1.0), (1.0, 2.0), (2.5, 3.0)], 0.5, seed=0)[1]
    [(0.0, 1.0), (1.0, 2.0), (2.5, 3.0)]
    >>> found = delete("(S (NP (D a) (N b)) (V c))", [(0.0, 1.0), (1.0, 2.0), (2.5, 3.0)], 1, seed=0)
    >>> found.tree.to_bracket(), found.times
    ('(S (NP (D abc)))', [(0.0, 3.0)])
    """
    parsed, begins, ends, rng = _checked(tree, times, delta, seed)
    kept: list[bool] = []
    words: list[str] = []
    new_times: Times = []
    for i, word in enumerate(parsed.words):
        # The boundary before the word; the first word has none.
        joins = i > 0 and rng.random() < delta
        kept.append(not joins)
        if joins:
            words[-1] += word
            new_times[-1] = (new_times[-1][0], ends[i])
        else:
            words.append(word)
            new_times.append((begins[i], ends[i]))
    if all(kept):
        return Perturbed(parsed, new_times)
    return Perturbed(without_words(parsed, kept)[0].replace(words=tuple(words), id=parsed.id), new_times)


def _checked(
    tree: Any, times: Sequence[tuple[float, float]], delta: float, seed: int
) -> tuple[Tree, list[float], list[float], random.Random]:
    if not 0 <= delta <= 1:
        raise SettingsError(f"delta={delta}; expected a number from 0 to 1")
    parsed = as_tree(tree)
    return parsed, *time_axis(times, parsed.words, "given"), random.Random(seed)
