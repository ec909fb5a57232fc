"""Alignment of two treebanks whose sentences and words differ."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ..trees.errors import JpevalbError
from ..trees.tree import Tree
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
    """Aligns the sentences and the words of two treebanks.

    Args:
        gold: Sentences: trees, bracket texts, nltk trees, or lists of words.
        system: The system's side, of the types that gold may have.
        lang: Code of the language whose exception list applies; ``"none"`` for none.
        exceptions: A list of your own instead: a file, or tokens and what they are
            read as.

    Returns:
        The beads in order; each sentence of both sides is in one bead, each of its
        tokens in one unit.

    Raises:
        JpevalbError: a sentence that is none, a language without a list, or a list that cannot be
            read.

    Cost: that of :func:`stretches` and, where words differ, of :func:`jpevalb.alignment.solve.solve`:
    O(characters) but for what is looked ahead at where nothing matches, 4 million characters of
    either side at most.

    Source: Jo et al. 2024, whose text says "less than 0.1" but whose published results
    were made with 0.15.

    >>> gold = ["(S (A I) (B ca) (C n't))", "(S (A Go) (B !))"]
    >>> for bead in align(gold, ["(S (A I) (B can) (C not) (D Go!))"]):
    ...     print(bead.gold, bead.system, [tuple(unit) for unit in bead.units])
    (0, 2) (0, 1) [(0, 1, 0, 1), (1, 2, 1, 2), (2, 3, 2, 3), (3, 5, 3, 4)]
    """
    # Only where words are aligned: it takes as long to import as many a file to score.
    from .solve import solve

    entries = exceptions_of(lang, exceptions)
    beads: list[AlignedBead] = []
    for part in stretches(_sentences(gold, "gold"), _sentences(system, "system"), words=tuple):
        i, j = part.gold_start, part.system_start
        if part.in_step:
            for k, words in enumerate(part.gold):
                beads.append(
                    AlignedBead((i + k, i + k + 1), (j + k, j + k + 1), True, one_to_one(len(words)))
                )
        else:
            beads += [bead.moved(i, j) for bead in solve(part.gold, part.system, entries, part.runs)]
    return beads


def _sentences(source: Iterable[Any], name: str) -> Iterator[tuple[str, ...]]:
    """The words of each sentence, whatever kind it is of."""
    one = isinstance(source, str | bytes | os.PathLike | Tree) or callable(getattr(source, "label", None))
    if one or not isinstance(source, Iterable):
        raise JpevalbError(
            f"found an object of type {type(source).__name__}; expected an iterable of sentences", source=name
        )
    for number, item in enumerate(source, 1):
        try:
            if isinstance(item, str):
                item = Tree.parse(item)
            elif callable(getattr(item, "label", None)):
                item = Tree.from_nltk(item)
        except JpevalbError as error:
            message = f"sentence {number}: {error}"
            raise type(error)(message, source=name) from None
        words = item.words if isinstance(item, Tree) else item
        if not isinstance(words, list | tuple) or not all(isinstance(word, str) for word in words):
            raise JpevalbError(
                f"sentence {number}: found an object of type {type(item).__name__}; expected a tree, "
                "bracket text, an nltk tree or a list of words",
                source=name,
            )
        yield tuple(words)
