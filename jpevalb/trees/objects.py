"""Nodes of trees of nltk, Stanza, and objects like them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

_END = object()  # on a stack, the end of a node


def is_node(item: Any) -> bool:
    """Return True for a tree of nltk or Stanza, or an object like them."""
    label = getattr(item, "label", None)
    return callable(label) or (label is not None and hasattr(item, "children"))


def flatten(root: Any) -> tuple[Sequence[Any], ...]:
    """Return labels, parents, starts, ends, words and word parents of a tree of nested objects.

    An object with a method ``label`` is a node, and its items are its children.  One with the attributes
    ``label`` and ``children`` is a node, or a word if it has no child.  All others are words.
    """
    stack = [root]
    labels, parents, starts, ends = list[str](), list[int](), list[int](), list[int]()
    words, word_parents = list[str](), list[int]()
    top = -1
    children: Any
    while stack:
        item = stack.pop()
        if item is _END:
            ends[top] = len(words)
            top = parents[top]
            continue
        # Most words are strings, which have no label.
        name = None if type(item) is str else getattr(item, "label", None)
        if callable(name):
            name, children = name(), item
        else:
            children = None if type(item) is str else getattr(item, "children", None)
            if not children:
                word = item if children is None or name is None else name
                words.append(word if type(word) is str else str(word))
                word_parents.append(top)
                continue
        stack.append(_END)
        stack.extend(reversed(list(children)))
        labels.append("" if name is None else str(name))
        parents.append(top)
        starts.append(len(words))
        ends.append(len(words))
        top = len(labels) - 1
    return labels, parents, starts, ends, words, word_parents
