"""Decides how the trees of both sides are prepared, by what only one side has: traces, chains, wide tags."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from itertools import chain, islice
from typing import Any, NamedTuple

from ..base.errors import InputError
from ..base.files import lines_of
from ..settings.settings import Settings
from ..trees.prepare import CERTAIN_EMPTY, JOINTS, TRACE, Preparation, is_empty_element, parts_of
from ..trees.tree import Tree, is_node
from .inputs import FILE, ITEMS, ONCE, SEEKABLE, Input

_TAG = TRACE.encode()

# A tag -NONE- after a bracket, a tab (export) or a quotation mark (TIGER XML)
_TAGGED_TRACE = rb'(?m)[(\t"]\s*-NONE-(?:[\s"(]|$)'
# Words of empty elements by what they begin with, and the label before one
_EMPTY_WORDS = {b"*": rb"\*[^\s()]{0,60}(?=[\s)])", b"0": rb"0(?=[\s)])"}
_LABEL_BEFORE = re.compile(rb"\(([^\s()]+)\s+\(?\Z")
# A mark and the rest of a constituent's label, and the label before it: texts rarely have the mark
_JOINED = {mark.encode(): rb"(%s[^\s()]+)\s*\(" % re.escape(mark.encode()) for mark in JOINTS}
_LABEL_SO_FAR = re.compile(rb"\(([^\s()]+)\Z")

_LONGEST_LABEL = 100
_BEFORE = frozenset([b" ", b"\t", b"\n", b"\r", b"("])  # characters before a word
_FIRST = 200  # number of items of a generator that are searched
_UNREADABLE = (InputError, OSError, ValueError, AttributeError, EOFError)  # the reader raises them

# What a side has of traces
NO_TRACE, LIKELY, CERTAIN, TAGGED = range(4)


class Found(NamedTuple):
    """What the text of a side has."""

    tagged: bool = False  # True if a bracket has the label -NONE-, usually a tag
    leaves: frozenset[tuple[str, str]] = frozenset()  # labels and words that look like empty elements
    joined: frozenset[str] = frozenset()  # labels of constituents that may be collapsed chains

    def __or__(self, other: Any) -> Found:
        return Found(self.tagged or other.tagged, self.leaves | other.leaves, self.joined | other.joined)

    def traces(self, phrases: frozenset[str], untagged: bool) -> int:
        """Return how sure it is that there are traces; without tags, ``(NP 0)`` is a constituent."""
        if self.tagged:
            return TAGGED
        words = [word for label, word in self.leaves if is_empty_element(label, word, phrases)]
        if any(re.fullmatch(CERTAIN_EMPTY, word) for word in words):
            return CERTAIN
        return LIKELY if words and not untagged else NO_TRACE


def decide_preparation(
    settings: Settings, inputs: tuple[Input, Input]
) -> tuple[list[Preparation], tuple[bool | None, bool | None]]:
    """Return how the trees of both inputs are prepared, and which of them alone has traces.

    ``None`` stands for a pipe that may have traces while the other side has none; other pipes are read into
    memory first.  Files and lists are searched as a whole, generators only in their first sentences.
    """
    plans = [settings.preparation(item.side) for item in inputs]
    if settings.tool or not settings.has_trees:
        return plans, (False, False)
    deletes = TRACE in settings.rules().drop_tags
    searches = (
        deletes
        or settings.traces == "auto"
        or {settings.of_side("chains", item.side) for item in inputs} != {"keep"}
    )
    found = _search(inputs) if searches else [_NOTHING, _NOTHING]
    phrases: frozenset[str] = frozenset()
    if any(one is None or one.leaves for one in found):
        phrases = phrases.union(*[item.labels(settings).names for item in inputs])
    traces: list[bool | None] = [False, False]
    sure = [one and one.traces(phrases, plan.untagged) for one, plan in zip(found, plans)]
    for own, other in ((0, 1), (1, 0)):
        has, against = sure[own], sure[other]
        if has is None or against is None:
            is_open = inputs[own].kind == ONCE and against == NO_TRACE
            if is_open and settings.traces == "auto" and not deletes:
                traces[own] = None
            continue
        is_alone = has > NO_TRACE and against < (LIKELY if has == LIKELY else CERTAIN)
        if is_alone and settings.traces == "auto" and not deletes:
            traces[own] = True
        if is_alone and has < TAGGED and (deletes or settings.traces == "auto"):
            plans[own] = plans[own]._replace(empties=phrases)
    chains = _chains(settings, inputs, found)
    for own, item in enumerate(inputs):
        wide = frozenset[str]() if plans[own].untagged else item.wide_tags(settings, inputs[1 - own])
        plans[own] = plans[own]._replace(wide=wide, chains=chains[own])
    return plans, (traces[0], traces[1])


def _chains(
    settings: Settings, inputs: tuple[Input, Input], found: Sequence[Found | None]
) -> list[dict[str, Sequence[str]]]:
    """Return the labels of each side that are split."""
    asked = [settings.of_side("chains", item.side) for item in inputs]
    chosen: list[dict[str, Sequence[str]]] = [{}, {}]
    if "split" not in asked and not any(one is None or one.joined for one in found):
        return chosen
    first = [item.labels(settings) for item in inputs]
    joined = [
        {label for label in labels.constituents if any(joint in label for joint in JOINTS)}
        | (one.joined if one else frozenset())
        for labels, one in zip(first, found)
    ]
    for own, other in ((0, 1), (1, 0)):
        known = first[other].names | (first[own].names if asked[own] == "split" else frozenset())
        likely = any(parts_of(label, known) for label in joined[own] - first[other].constituents)
        if asked[own] != "keep" and likely:
            others = inputs[other].labels(settings, whole=True)
            mine = (
                inputs[own].labels(settings, whole=True).names if asked[own] == "split" else frozenset[str]()
            )
            known = others.names | mine
            chosen[own] = _Chains(known, others.constituents)
    return chosen


class _Chains(dict[str, Sequence[str]]):
    """The parts of each label of a collapsed chain, also of labels after the first trees of a generator."""

    def __init__(self, known: frozenset[str], others: frozenset[str]) -> None:
        super().__init__(dict.fromkeys(others, ()))
        self._known = known

    def __missing__(self, label: str) -> Sequence[str]:
        self[label] = parts_of(label, self._known)
        return self[label]


def _search(inputs: Sequence[Input]) -> list[Found | None]:
    """Return what each side has; ``None`` for a pipe, and for what cannot be read."""
    for item in inputs:
        item.found = item.found or _search_one(item)
    for item, other in (inputs, inputs[::-1]):
        against = other.found
        is_open = against is None and other.kind == ONCE
        if item.kind == ONCE and (is_open or (against and (against.tagged or against.leaves))):
            item.keep()
            item.found = _search_one(item)
    return [item.found for item in inputs]


def _search_one(item: Input) -> Found | None:
    source: Any = item.source
    if item.kind == FILE:
        with suppress(*_UNREADABLE):
            # A plain str: the path of a progress bar would count what is read here.
            return _in_texts(lines_of(str(os.fspath(source)), item.encoding, together=True))
    if item.kind == SEEKABLE:
        with suppress(*_UNREADABLE):
            start = source.tell()
            # Not by iteration, which disables tell() on text files.
            found = _in_texts(iter(source.readline, source.read(0)))
            source.seek(start)
            return found
    if item.kind != ITEMS:
        return None
    found = Found()
    with suppress(Exception):  # the reader raises it
        for one in source if isinstance(source, Sequence) else islice(item.ahead, _FIRST):
            found |= _in_item(one)
    return found


def _in_texts(texts: Iterable[Any]) -> Found:
    found = Found()
    for text in texts:
        if (one := _in_text(text)) is not _NOTHING:
            found |= one
    return found


def _in_text(text: Any) -> Found:
    """Search a text; most have none of the marks, which are looked for first."""
    data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else bytes(text)
    tagged = _TAG in data and re.search(_TAGGED_TRACE, data) is not None
    leaves: set[tuple[bytes, bytes]] = set()
    joined: set[bytes] = set()
    words = [re.finditer(pattern, data) for mark, pattern in _EMPTY_WORDS.items() if mark in data]
    for match in chain.from_iterable(words if not tagged else ()):
        begin = match.start()
        if data[begin - 1 : begin] in _BEFORE:
            label = _LABEL_BEFORE.search(data, max(0, begin - _LONGEST_LABEL), begin)
            if label:
                leaves.add((label[1], match[0]))
    marked = [re.finditer(pattern, data) for mark, pattern in _JOINED.items() if mark in data]
    for match in chain.from_iterable(marked):
        label = _LABEL_SO_FAR.search(data, max(0, match.start() - _LONGEST_LABEL), match.start())
        if label:
            joined.add(label[1] + match[1])
    if not (tagged or leaves or joined):
        return _NOTHING
    texts = [(label.decode("utf-8", "replace"), word.decode("utf-8", "replace")) for label, word in leaves]
    return Found(tagged, frozenset(texts), frozenset([label.decode("utf-8", "replace") for label in joined]))


def _in_item(item: Any) -> Found:
    """Search a text, a tree, or an object like a tree."""
    if isinstance(item, (str, bytes)):
        return _in_text(item)
    tree = Tree.from_nltk(item) if is_node(item) else item
    if not isinstance(tree, Tree):
        return Found()
    leaves = [
        (tree.labels[home], word)
        for index, (word, home) in enumerate(zip(tree.words, tree.word_parents))
        if word[:1] in "*0" and tree.starts[home] == index
    ]
    joined = [label for label in tree.labels if any(joint in label for joint in JOINTS)]
    # As in a text, a bracket with this label is one, too.
    return Found(TRACE in tree.labels, frozenset(leaves), frozenset(joined))


_NOTHING = Found()
