"""The HTML report's data: what its script draws, as JSON that may stand in a page."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from collections.abc import Mapping as AbstractMapping
from itertools import pairwise
from typing import Any

from ..alignment.pair import NO_PARSE
from ..errors.causes import Classes
from ..kernels.hanging import written
from ..metrics import Metric
from ..metrics.struct_iou import StructIou
from ..score.sentence import SentenceResult
from ..trees.drawing import CROSSING, EXTRA, MATCHED, MATCHED_CROSSING, MISSED, OTHER_TAG
from ..trees.errors import TooLargeError
from ..trees.text import right_to_left
from ..trees.tree import Tree

FIELDS = (
    "number",
    "goldFirst",
    "goldEnd",
    "systemFirst",
    "systemEnd",
    "length",
    "gold",
    "system",
    "matched",
    "crossing",
    "tags",
    "correctTags",
    "flags",
    "columns",
    "goldWords",
    "systemWords",
    "goldTree",
    "systemTree",
    "units",
    "pairs",
    "notes",
)
"""What a sentence's row holds, in this order.

``columns`` are the figures of other metrics in units of 1 / 10,000, or null.
``goldWords`` is one text of words with blanks between them, or a list where that
would be ambiguous; ``goldTree`` is :func:`tree_text`.  ``systemWords``
and ``systemTree`` are those of the system, 0 where they equal the gold ones.  ``units``: numbers of
gold and system tokens in turn, 0 where all are one.  ``pairs``: the aligned nodes as
runs of gold node, system node and how many follow one another on both sides; 0 where
they are the k-th matched constituent of one side and of the other, and the tags of
words that are aligned one to one.  ``notes``: why a sentence has no parse.
"""

UNALIGNED, GOLD_UNPARSED, SYSTEM_UNPARSED, RIGHT_TO_LEFT, GAPS, GAP_ERRORS = 1, 2, 4, 8, 16, 32
RESEGMENTED, OTHER_WORDS = 64, 128
"""Bits of ``flags``.  ``GAPS``: a tree has gaps; ``GAP_ERRORS``: a constituent with gaps is missed or extra;
``RESEGMENTED``: a unit has several words of a side; ``OTHER_WORDS``: two words aligned one to one differ."""

MARKS_OF_NODES = MATCHED + MISSED + EXTRA + CROSSING + MATCHED_CROSSING + OTHER_TAG
"""What stands behind a node's label in a :func:`tree_text`; nothing behind a node that is not scored."""

_UNSAFE = re.compile("[<>&\u2028\u2029\u202a-\u202e\u2066-\u2069\x7f-\x9f\ud800-\udfff]")


def sentences_data(
    sentences: Iterable[SentenceResult],
    metrics: Sequence[Metric],
    *,
    numbers: dict[str, int] | None = None,
) -> dict[str, Any]:
    """The rows of the sentences, the labels they refer to, the headers of their columns, and their ids.

    Args:
        sentences: What to show.
        metrics: The metrics of the run: for their columns, and Struct-IoU for the nodes that belong
            together, which without it are the matched ones.
        numbers: The numbers of labels that other sentences have; new ones are added.

    Cost: O(nodes + tokens).
    """
    numbers = {} if numbers is None else numbers
    rows: list[list[Any]] = []
    ids: dict[int, str] = {}
    aligned = next((metric for metric in metrics if isinstance(metric, StructIou)), None)
    for sentence in sentences:
        rows.append(_row(sentence, metrics, numbers, aligned))
        id = sentence.gold.id if sentence.gold.id is not None else sentence.system.id
        if id is not None:
            ids[sentence.number] = id
    columns = [
        {"header": column.header, "percent": column.percent}
        for metric in metrics
        for column in metric.columns(metric.zero())
    ]
    return {"fields": FIELDS, "columns": columns, "labels": list(numbers), "rows": rows, "ids": ids}


def script_json(content: Any) -> str:
    r"""JSON that is safe inside a script element, and in any encoding: markup and lone surrogates escaped.

    >>> script_json({"word": "</script>"})
    '{"word":"\\u003c/script\\u003e"}'
    """
    text = json.dumps(content, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return _UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def tree_text(tree: Tree, marks: dict[int, str], numbers: dict[str, int]) -> str:
    """A tree as brackets without blanks: label numbers, marks, and a dot for each word.

    A word out of order, as a discontinuous tree has, is a dot and its place.

    Args:
        tree: The tree.
        marks: What stands behind the labels of some nodes.
        numbers: For each label its number; labels not in it are added.

    Cost: O(nodes + words).

    >>> tree_text(Tree.parse("(S (NP (PRP I)) (VP (VBP run)))"), {1: "="}, {})
    '(0(1=(2.))(3(4.)))'
    """
    text: str = written(tree.labels, tree.parents, tree.starts, tree.word_parents, marks, numbers)
    return text


def _row(
    sentence: SentenceResult,
    metrics: Sequence[Metric],
    numbers: dict[str, int],
    aligned: StructIou | None,
) -> list[Any]:
    gold, system, bead = sentence.gold, sentence.system, sentence.bead
    beads, brackets, tags = sentence.record.beads, sentence.record.brackets, sentence.record.tags
    same_words = gold.words == system.words
    gold_marks, system_marks = sentence.marks()
    gold_text = tree_text(gold, gold_marks, numbers)
    system_text = tree_text(system, system_marks, numbers)
    columns = [
        None if column.value is None else round(10_000 * column.value)
        for metric in metrics
        for column in metric.columns(sentence.record[metric.name])
    ]
    gaps = sentence.pair.has_gaps
    # The system may have parses without any word.
    no_parse = not bead.aligned and sentence.status == NO_PARSE
    flags = (
        UNALIGNED * bool(beads.unaligned)
        | GOLD_UNPARSED * bool(beads.gold_unparsed)
        | SYSTEM_UNPARSED * (bool(beads.system_unparsed) or no_parse)
        | RIGHT_TO_LEFT * right_to_left(gold.words or system.words)
        | GAPS * gaps
        | GAP_ERRORS * (gaps and any(item.gaps for item in (*sentence.missed, *sentence.extra)))
        | (0 if same_words else _other_words(sentence))
    )
    return [
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
        flags,
        columns,
        _words(gold.words),
        0 if same_words else _words(system.words),
        gold_text,
        0 if gold_text == system_text else system_text,
        0 if same_words else _units(sentence),
        _pairs(sentence, aligned),
        [f"{item.side} sentence {item.number}: {item.error}" for item in sentence.unparsed],
    ]


def _other_words(sentence: SentenceResult) -> int:
    """How the words of the two sides differ, where both have any."""
    gold, system = sentence.gold.words, sentence.system.words
    flags = 0
    if gold and system:
        for unit in sentence.units:
            if unit.gold_end - unit.gold_start != 1 or unit.system_end - unit.system_start != 1:
                flags |= RESEGMENTED
            elif gold[unit.gold_start] != system[unit.system_start]:
                flags |= OTHER_WORDS
    return flags


def _words(words: Sequence[str]) -> str | list[str]:
    text = " ".join(words)
    return text if text.split(" ") == list(words) else list(words)


def _units(sentence: SentenceResult) -> int | list[int]:
    sizes = [
        size
        for unit in sentence.units
        for size in (unit.gold_end - unit.gold_start, unit.system_end - unit.system_start)
    ]
    return 0 if all(size == 1 for size in sizes) else sizes


def _pairs(sentence: SentenceResult, aligned: StructIou | None) -> int | list[int]:
    try:
        mapping = aligned.mapping(sentence.pair) if aligned else None
    except TooLargeError:
        # The summary counts such sentences; their matches are still known.
        mapping = None
    if mapping is not None:
        return _runs(mapping.pairs)
    matched = sorted((item.node, other.node) for item, other in sentence.matched)
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
    """Pairs as gold node, system node and length of each run in which both count up by one."""
    runs: list[int] = []
    following = None
    for pair in pairs:
        if pair == following:
            runs[-1] += 1
        else:
            runs += [*pair, 1]
        following = pair[0] + 1, pair[1] + 1
    return runs


def groups_data(groups: AbstractMapping[str, Sequence[int]]) -> dict[str, list[int]]:
    """For each name the numbers of its sentences: the first one, then the differences.

    >>> groups_data({"f1-20": [3, 4, 9]})
    {'f1-20': [3, 1, 5]}
    """
    return {
        name: [number - before for before, number in zip([0, *numbers], numbers)]
        for name, numbers in groups.items()
    }


def repairs_data(
    sentence: SentenceResult, places: AbstractMapping[str, int], classes: Classes
) -> list[int | list[int]]:
    """What each cause of errors has to do with in a sentence.

    Args:
        sentence: The sentence.
        places: For each cause its place among the causes of the page.
        classes: What labels are.

    Returns:
        Place of the cause, gold nodes, nodes of the system, and so on; empty without errors.

    Cost: that of the repairs, unless the sentence has them already.
    """
    by_cause: dict[int, tuple[list[int], list[int]]] = {}
    for repair in sentence.repairs(classes):
        gold, system = by_cause.setdefault(places[repair.cause], ([], []))
        gold.extend([item.node for item in repair.missed])
        system.extend([item.node for item in repair.extra])
        system.extend(repair.nodes)
    found: list[int | list[int]] = []
    for place, (gold, system) in sorted(by_cause.items()):
        found += [place, sorted(set(gold)), sorted(set(system))]
    return found
