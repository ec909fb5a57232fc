"""Rows of sentences for the script of a page: trees, words, alignment and corrections as compact JSON."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from ..base.text import right_to_left
from ..kernels.columns import Columns, compact_text
from ..score.sentence import SentenceResult

FIELDS = (
    *("number", "goldFirst", "goldEnd", "systemFirst", "systemEnd", "length", "gold", "system", "matched"),
    *("goldTree", "systemTree", "goldWords", "corrections", "rightToLeft", "pairs", "systemWords", "units"),
    *("notes", "id"),
)
"""The fields of a sentence's row, in order; zeros at its end are left out.

- ``goldWords``: the words joined by blanks, or a list if a word contains a blank; ``goldTree``: the tree as
  brackets without blanks: label numbers, marks, and a dot for each word.  A preterminal has no brackets, and
  a node without mark ``_``.  A word that does not follow the one before it has a colon and its index in front
  of the dot.  ``systemWords`` and ``systemTree`` are 0 if they equal those of gold.
- ``units``: numbers of gold and system tokens in turn; 0 if all are one.
- ``pairs``: matching nodes as runs of gold node, system node and length; 0 if the k-th matched constituent
  of gold belongs to the k-th one of the system, and tags to the words that are aligned one to one.
- ``notes``: why a sentence has no parse; 0 for none.
- ``corrections``: text of :func:`jpevalb.errors.metric.correction_codes`; 0 for none.
- ``id``: the id of gold, or else of the system; 0 for none.
"""

_GOLD_TREE = FIELDS.index("goldTree")


class SentenceRow(NamedTuple):
    """A sentence's row, which needs a fraction of the memory of its result.

    The texts of its trees need the numbers of labels, which depend on the other rows.
    """

    cells: list[Any]
    trees: list[tuple[Columns, str]]  # both trees, each with a mark or blank for each node

    def complete(self, numbers: dict[str, str]) -> list[Any]:
        """Return the cells with the texts of the trees; ``numbers`` of labels grow with new labels."""
        gold, system = (compact_text(tree, marks, numbers) for tree, marks in self.trees)
        row = list(self.cells)
        row[_GOLD_TREE : _GOLD_TREE + 2] = gold, 0 if gold == system else system
        while row[-1] == 0:
            row.pop()
        return row


def row_of(sentence: SentenceResult, corrections: str) -> SentenceRow:
    """Return the row of a sentence, given the codes of its corrections."""
    gold, system, bead = sentence.gold, sentence.system, sentence.bead
    brackets = sentence.record.brackets  # made on demand
    same_words = gold.words == system.words
    sizes: list[int] = []
    for unit in () if same_words else sentence.pair.all_units:
        sizes += unit.gold_end - unit.gold_start, unit.system_end - unit.system_start
    notes = [
        # Errors in a file name it and the line, those of a list the side and the sentence.
        item.error
        if item.error.startswith(item.side)
        else f"{item.side} sentence {item.number}: {item.error}"
        for item in sentence.unparsed
    ]
    cells = [
        *(sentence.number, *bead.gold, *bead.system, sentence.record.sentences.length),
        *(brackets.gold, brackets.system, brackets.matched),
        *("", ""),  # the trees
        *(_words(gold.words), corrections or 0, int(right_to_left(gold.words or system.words))),
        *(_pairs(sentence), 0 if same_words else _words(system.words)),
        *(0 if all(size == 1 for size in sizes) else sizes, notes or 0),
        next((one.id for one in (gold, system) if one.id is not None), 0),
    ]
    trees = []
    for tree, marks in zip((gold, system), sentence.marks()):
        of_nodes = [" "] * len(tree)
        for node, mark in marks.items():
            of_nodes[node] = mark
        trees.append((tree.columns, "".join(of_nodes)))
    return SentenceRow(cells, trees)


def _words(words: Sequence[str]) -> str | list[str]:
    text = " ".join(words)
    return text if text.split(" ") == list(words) else list(words)


def _pairs(sentence: SentenceResult) -> int | list[int]:
    """Return the matching nodes as runs of gold node, system node and length."""
    matched = sorted([(one.node, other.node) for one, other in sentence.matched])
    if all(before[1] < after[1] for before, after in pairwise(matched)):
        return 0
    gold, system = sentence.gold, sentence.system
    gold_tags, system_tags = gold.preterminals, system.preterminals
    for unit in sentence.units:
        if unit.gold_end - unit.gold_start == unit.system_end - unit.system_start == 1:
            pair = gold.word_parents[unit.gold_start], system.word_parents[unit.system_start]
            if gold_tags[pair[0]] and system_tags[pair[1]]:
                matched.append(pair)
    runs: list[int] = []
    following = None
    for node, other in sorted(matched):
        if (node, other) == following:
            runs[-1] += 1
        else:
            runs += node, other, 1
        following = node + 1, other + 1
    return runs
