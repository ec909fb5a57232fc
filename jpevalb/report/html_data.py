"""Data of HTML pages that their scripts draw: sentences as compact rows, as JSON inside the page."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from ..alignment.pair import NO_PARSE
from ..base.text import right_to_left
from ..errors.causes import CAUSES
from ..kernels.columns import Columns, compact_text
from ..metrics import Metric, columns_of
from ..metrics.struct_iou import StructIou
from ..score.sentence import SentenceResult
from ..trees.drawing import CROSSING, EXTRA, MATCHED, MATCHED_CROSSING, MISSED, OTHER_TAG

FIELDS = (
    *("number", "goldFirst", "goldEnd", "systemFirst", "systemEnd", "length", "gold", "system", "matched"),
    *("crossing", "tags", "correctTags", "goldTree", "systemTree", "goldWords", "repairs", "columns"),
    *("flags", "pairs", "systemWords", "units", "notes"),
)
"""The fields of a sentence's complete row, in order; zeros at its end are left out.

- ``columns``: figures of other metrics in units of 1 / 10,000, or null; 0 for none.
- ``goldWords``: the words joined by blanks, or a list if a word contains a blank; ``goldTree``:
  :func:`tree_text`.  ``systemWords`` and ``systemTree`` are 0 if they equal those of gold.
- ``units``: numbers of gold and system tokens in turn; 0 if all are one.
- ``pairs``: aligned nodes as runs of gold node, system node and length; 0 if the k-th matched constituent
  of gold belongs to the k-th one of the system, and tags to the words that are aligned one to one.
- ``notes``: why a sentence has no parse; 0 for none.
- ``repairs``: text of :func:`jpevalb.errors.metric.repair_codes`; 0 for none.
"""

_GOLD_TREE, COLUMNS = FIELDS.index("goldTree"), FIELDS.index("columns")

UNALIGNED, GOLD_UNPARSED, SYSTEM_UNPARSED, RIGHT_TO_LEFT, GAPS, GAP_ERRORS = 1, 2, 4, 8, 16, 32
RESEGMENTED, OTHER_WORDS = 64, 128
"""Bits of ``flags``.  ``GAPS``: a tree has gaps; ``GAP_ERRORS``: a constituent with gaps is missed or extra;
``RESEGMENTED``: a unit has several words of a side; ``OTHER_WORDS``: two words aligned one to one differ."""

MARKS_OF_NODES = MATCHED + MISSED + EXTRA + CROSSING + MATCHED_CROSSING + OTHER_TAG
"""The marks behind the labels of scored nodes in a :func:`tree_text`."""

_UNSAFE = "[<>&\u2028\u2029\u202a-\u202e\u2066-\u2069\x7f-\x9f\ud800-\udfff]"


class Row(NamedTuple):
    """A sentence's row, which needs a fraction of the memory of its result.

    The texts of its trees need the numbers of labels, which depend on the other rows.
    """

    cells: list[Any]
    trees: list[tuple[Columns, str]]  # both trees, each with a mark or blank for each node
    id: str | None

    def complete(self, numbers: dict[str, str]) -> list[Any]:
        """Return the cells with the texts of the trees."""
        gold, system = (tree_text(tree, marks, numbers) for tree, marks in self.trees)
        row = list(self.cells)
        row[_GOLD_TREE : _GOLD_TREE + 2] = gold, 0 if gold == system else system
        while row[-1] == 0:
            row.pop()
        return row


def sentences_data(
    sentences: Sequence[Row], metrics: Sequence[Metric], *, numbers: dict[str, str] | None = None
) -> dict[str, Any]:
    """Return the rows of the sentences with their labels, the headers of their columns, and their ids.

    ``numbers`` are numbers of labels that other rows use; new labels are added.
    """
    numbers = {} if numbers is None else numbers
    rows = [sentence.complete(numbers) for sentence in sentences]
    columns = [
        {"header": figure.column, "percent": figure.form == "percent"} for _, figure in columns_of(metrics)
    ]
    return {
        "fields": FIELDS,
        "columns": columns,
        "labels": list(numbers),
        "rows": rows,
        "ids": {sentence.cells[0]: sentence.id for sentence in sentences if sentence.id is not None},
        "causes": CAUSES,
    }


def script_json(content: Any) -> str:
    r"""Return JSON that is safe in a script element and in any encoding.

    >>> script_json({"word": "</script>"})
    '{"word":"\\u003c/script\\u003e"}'
    """
    text = json.dumps(content, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    if text.isprintable():
        # The pattern takes long to compile, and few texts need it.
        return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
    return re.sub(_UNSAFE, lambda found: f"\\u{ord(found[0]):04x}", text)


def tree_text(tree: Columns, marks: str, numbers: dict[str, str]) -> str:
    """Return a tree as brackets without blanks: label numbers, marks, and a dot for each word.

    A preterminal has no brackets, and a node without mark ``_``.  A word that does not follow the one
    before it has a colon and its index in front of the dot.

    >>> from jpevalb import Tree
    >>> tree = Tree.parse("(S (NP (PRP I)) (VP (VBP run)))")
    >>> tree_text(tree.columns, " =   ", {})
    '(0_(1=2.)(3_4.))'
    """
    text: str = compact_text(tree, marks, numbers)
    return text


def row_of(sentence: SentenceResult, metrics: Sequence[Metric], repairs: str) -> Row:
    """Return the row of a sentence, given the codes of its repairs."""
    gold, system, bead = sentence.gold, sentence.system, sentence.bead
    record = sentence.record  # made on demand
    beads, brackets, tags = record.beads, record.brackets, record.tags
    same_words = gold.words == system.words
    columns = [
        None if (value := figure.value(record[name])) is None else round(10_000 * value)
        for name, figure in columns_of(metrics)
    ]
    gaps = sentence.pair.has_gaps
    # An empty parse of the system may stand in a bead that is not aligned.
    no_parse = not bead.aligned and sentence.status == NO_PARSE
    flags = (
        UNALIGNED * bool(beads.unaligned)
        | GOLD_UNPARSED * bool(beads.gold_unparsed)
        | SYSTEM_UNPARSED * (bool(beads.system_unparsed) or no_parse)
        | RIGHT_TO_LEFT * right_to_left(gold.words or system.words)
        | GAPS * gaps
        | GAP_ERRORS * (gaps and any(item.gaps for item in (*sentence.missed, *sentence.extra)))
    )
    sizes: list[int] = []
    if not same_words:
        for unit in sentence.units:
            size = unit.gold_end - unit.gold_start, unit.system_end - unit.system_start
            sizes += size
            if gold.words and system.words:
                if size != (1, 1):
                    flags |= RESEGMENTED
                elif gold.words[unit.gold_start] != system.words[unit.system_start]:
                    flags |= OTHER_WORDS
    struct_iou = next((metric for metric in metrics if isinstance(metric, StructIou)), None)
    cells = [
        sentence.number,
        *bead.gold,
        *bead.system,
        beads.length,
        brackets.gold,
        brackets.system,
        brackets.matched,
        brackets.crossing,
        tags.gold,
        tags.correct,
        *("", ""),  # the trees
        _words(gold.words),
        repairs or 0,
        columns or 0,
        flags,
        _pairs(sentence, struct_iou),
        0 if same_words else _words(system.words),
        0 if all(size == 1 for size in sizes) else sizes,
        [
            # Errors in a file name it and the line, those of a list the side and the sentence.
            item.error
            if item.error.startswith(item.side)
            else f"{item.side} sentence {item.number}: {item.error}"
            for item in sentence.unparsed
        ]
        or 0,
    ]
    trees = []
    for tree, marks in zip((gold, system), sentence.marks()):
        of_nodes = [" "] * len(tree)
        for node, mark in marks.items():
            of_nodes[node] = mark
        trees.append((tree.columns, "".join(of_nodes)))
    return Row(cells, trees, gold.id if gold.id is not None else system.id)


def _words(words: Sequence[str]) -> str | list[str]:
    text = " ".join(words)
    return text if text.split(" ") == list(words) else list(words)


def _pairs(sentence: SentenceResult, struct_iou: StructIou | None) -> int | list[int]:
    """Return the nodes that Struct-IoU maps to each other; without Struct-IoU, the matching nodes."""
    aligned = struct_iou.overlaps(sentence.pair) if struct_iou else None
    if aligned is not None:
        return _runs([pair[:2] for pair in aligned])
    matched = sorted((gold.node, system.node) for gold, system in sentence.matched)
    if all(before[1] < after[1] for before, after in pairwise(matched)):
        return 0
    gold, system = sentence.gold, sentence.system
    gold_tags, system_tags = gold.preterminals, system.preterminals
    for unit in sentence.units:
        if unit.gold_end - unit.gold_start == unit.system_end - unit.system_start == 1:
            pair = gold.word_parents[unit.gold_start], system.word_parents[unit.system_start]
            if gold_tags[pair[0]] and system_tags[pair[1]]:
                matched.append(pair)
    return _runs(sorted(matched))


def _runs(pairs: Iterable[tuple[int, int]]) -> list[int]:
    """Return gold node, system node and length of each run in which both nodes count up by one."""
    runs: list[int] = []
    following = None
    for pair in pairs:
        if pair == following:
            runs[-1] += 1
        else:
            runs += [*pair, 1]
        following = pair[0] + 1, pair[1] + 1
    return runs


def groups_data(groups: Mapping[str, Sequence[int]]) -> dict[str, list[int]]:
    """Return for each group the number of its first sentence, then the differences.

    >>> groups_data({"f1-20": [3, 4, 9]})
    {'f1-20': [3, 1, 5]}
    """
    return {
        name: [number - before for before, number in zip([0, *numbers], numbers)]
        for name, numbers in groups.items()
    }
