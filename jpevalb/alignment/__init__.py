"""Alignment of two treebanks whose sentences and words differ."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ..base.errors import JpevalbError
from ..trees.tree import Tree, is_node
from .beads import AlignedBead, Bead, Unit, one_to_one
from .exceptions import exceptions_of
from .stream import stretches

__all__ = ["AlignedBead", "Bead", "Unit", "align"]


def align(
    gold: Iterable[Any],
    system: Iterable[Any],
    *,
    lang: str = "en",
    exceptions: Mapping[str, str] | str | os.PathLike[str] | None = None,
) -> list[AlignedBead]:
    """Align the sentences and the words of two treebanks.

    Args:
        gold: Sentences: trees, bracketed texts, nltk trees, or lists of words.
        system: The system's sentences, in any of these forms.
        lang: Language of the built-in exception list, such as ``"en"``; ``"none"`` for no list.
        exceptions: Exception list to use instead: a file, or a mapping from tokens to what they are read as.

    Returns:
        The beads in order.  Each sentence of both sides is in one bead, each of its tokens in one unit.

    Raises:
        JpevalbError: A sentence of another type, an unknown language, or a list that cannot be read.

    Time is linear in the text; it grows with the product of both sides only between two places that match.

    Source: Jo et al. 2024, whose text has "less than 0.1" but whose published results use 0.15.

    >>> gold = ["(S (A I) (B ca) (C n't))", "(S (A Go) (B !))"]
    >>> for bead in align(gold, ["(S (A I) (B can) (C not) (D Go!))"]):
    ...     print(bead.gold, bead.system, [tuple(unit) for unit in bead.units])
    (0, 2) (0, 1) [(0, 1, 0, 1), (1, 2, 1, 2), (2, 3, 2, 3), (3, 5, 3, 4)]
    """
    # Imported late: it takes as long as scoring a small file.
    from .solve import solve

    entries = exceptions_of(lang, exceptions)
    beads: list[AlignedBead] = []
    for stretch in stretches(_sentences(gold, "gold"), _sentences(system, "system"), words=tuple):
        i, j = stretch.gold_start, stretch.system_start
        if stretch.in_step:
            for k, words in enumerate(stretch.gold):
                beads.append(
                    AlignedBead((i + k, i + k + 1), (j + k, j + k + 1), True, one_to_one(len(words)))
                )
        else:
            beads += [bead.moved(i, j) for bead in solve(stretch.gold, stretch.system, entries, stretch.runs)]
    return beads


def _sentences(source: Iterable[Any], side: str) -> Iterator[tuple[str, ...]]:
    """Yield the words of each sentence, of any accepted type."""
    single = isinstance(source, str | bytes | os.PathLike | Tree) or is_node(source)
    if single or not isinstance(source, Iterable):
        raise JpevalbError(
            f"got an object of type {type(source).__name__}; expected an iterable of sentences, "
            "such as a list or jpevalb.read(PATH)",
            source=side,
        )
    for number, item in enumerate(source, 1):
        try:
            if isinstance(item, str):
                item = Tree.parse(item)
            elif is_node(item):
                item = Tree.from_nltk(item)
        except JpevalbError as error:
            raise type(error)(f"sentence {number}: {error}", source=side) from None
        words = item.words if isinstance(item, Tree) else item
        if not isinstance(words, list | tuple) or not all(isinstance(word, str) for word in words):
            raise JpevalbError(
                f"sentence {number}: got an object of type {type(item).__name__}; expected a tree, "
                "bracket text, an nltk tree or a list of words",
                source=side,
            )
        yield tuple(words)
