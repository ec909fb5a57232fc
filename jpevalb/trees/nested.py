"""Trees from nested lists, brackets without labels, and spans."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from operator import itemgetter
from typing import Any

from ..base.errors import TreeError
from ..base.text import counted, parse_json
from .parse import BLANK
from .tree import EMPTY, Tree

LABEL = "NT"  # of constituents that have none in the file: an empty label would not count
_TOKEN = re.compile(r"[()]|[^\s()]+")
_LABEL = re.compile(r"[!-`{-~]+")  # ASCII without small letters
_SPAN = re.compile(r"\(\s*([0-9]{1,9})\s*,\s*([0-9]{1,9})\s*(,\s*['\"]?([^'\"()]*)['\"]?\s*)?\)")
_END = object()  # of a node


def tree_of_lists(item: Any) -> Tree:
    """Convert nested lists of words, such as ``[["the", "cat"], "sat"]``, or of labels and words.

    Labels are ``["NP", ["DT", "the"], ["NN", "cat"]]``, or with a list for the children of each label, as
    HanLP writes them: ``["NP", [["DT", ["the"]], ["NN", ["cat"]]]]``.
    """
    return _built(_steps(item, labelled=has_labels(item)))


def has_labels(item: Any) -> bool:
    """Return True for nested lists that all begin with a label: in capitals, in front of lists or words."""
    waiting = [item]
    labels = 0
    for one in waiting:
        if not isinstance(one, (list, tuple)) or len(one) < 2 or not isinstance(one[0], str):
            return False
        children = _children(one)
        inner = [child for child in children if isinstance(child, (list, tuple))]
        if not _LABEL.fullmatch(one[0]) or len(inner) not in (0, len(children)):
            return False
        if not inner and not all(isinstance(child, str) for child in children):
            return False
        labels += one[0].isupper()
        waiting.extend(inner)
    return len(waiting) > 1 and labels > 0


def are_trees(item: Any) -> bool:
    """Return True for a list of nested lists with labels, or of texts of trees, ``None`` for missing ones."""
    if not isinstance(item, list):
        return False
    texts = [one for one in item if one is not None]
    is_text = [isinstance(one, str) and one.lstrip()[:1] == "(" for one in texts]
    return (bool(texts) and all(is_text)) or all(map(has_labels, item))


def _children(node: Sequence[Any]) -> Sequence[Any]:
    """Return what follows a label, or is in the list that follows it."""
    _, first, *others = node
    is_list = isinstance(first, (list, tuple)) and not others
    is_node = is_list and len(first) > 1 and isinstance(first[0], str) and _LABEL.fullmatch(first[0])
    return first if is_list and not is_node else node[1:]


def tree_of_unlabeled(text: str) -> Tree:
    """Parse a nested JSON list, or brackets without labels; words outside brackets belong to the root."""
    if re.match(rf"{BLANK}*\[", text):
        try:
            return tree_of_lists(parse_json(text))
        except json.JSONDecodeError as error:
            problem = f'invalid JSON: {error.msg}; write a nested list of words, as [["the", "cat"], "sat"]'
            raise TreeError(problem, column=error.colno) from None
    steps: dict[str, Any] = {"(": [LABEL], ")": _END}
    tree = _built(steps.get(token, token) for token in _TOKEN.findall(text))
    bare = 0 in tree.word_parents and not tree.labels[0]
    return tree.replace(labels=(LABEL, *tree.labels[1:])) if bare else tree


def tree_of_spans(words: Sequence[str], spans: Iterable[Sequence[Any]], id: str | None = None) -> Tree:
    """Build a tree from words and spans: the first word, the last word + 1 and, optionally, the label.

    Of equal spans the first is above the others.
    """
    expected = "expected (first word, last word + 1, label)"
    named: list[tuple[int, int, str]] = []
    for span in spans:
        ends = span[:2] if isinstance(span, (list, tuple)) else ()
        if len(ends) < 2 or len(span) > 3 or not all(type(end) is int for end in ends):
            raise TreeError(f"{span!r} is not a span; {expected}")
        start, end, label = (*span, LABEL)[:3]
        if not 0 <= start < end <= len(words):
            raise TreeError(
                f"the span {start} to {end} is outside the {counted(len(words), 'word')}; {expected}"
            )
        named.append((start, end, label or LABEL))
    # Sorting is stable, so equal spans keep their order; a set has none, so there labels decide.
    if not isinstance(spans, Sequence):
        named.sort(key=itemgetter(2))
    named.sort(key=lambda one: (one[0], -one[1]))
    labels, parents = list[str](), list[int]()
    open_spans = [(0, len(words), -1)]
    word_parents = [-1] * len(words)
    for start, end, label in named:
        while open_spans[-1][1] <= start:
            open_spans.pop()
        above_start, above_end, above = open_spans[-1]
        if end > above_end:
            raise TreeError(f"the spans {above_start} to {above_end} and {start} to {end} cross")
        node = len(labels)
        labels.append(label)
        parents.append(above)
        word_parents[start:end] = [node] * (end - start)
        open_spans.append((start, end, node))
    return Tree.build(labels, parents, words, word_parents, id)


def spans_of(text: str) -> list[tuple[int | str, ...]]:
    """Return the spans of a text such as ``[(0, 2, 'NP'), (2, 3, 'VP')]``.

    >>> spans_of("[(0, 2, 'NP'), (0, 1)]")
    [(0, 2, 'NP'), (0, 1)]
    """
    found = [(int(m[1]), int(m[2]), *([m[4]] if m[3] else [])) for m in _SPAN.finditer(text)]
    if _SPAN.sub("", text).strip("[](){}, \n\t"):
        raise TreeError(
            "'spans' is not a text such as [(0, 2, 'NP')]; expected (first word, last word + 1, label)"
        )
    return found


def tree_of_actions(words: Any, actions: str | Sequence[str]) -> Tree:
    """Build the tree of top-down actions over words, without tags.

    >>> str(tree_of_actions(["it", "rains"], "NT(S) NT(NP) SHIFT REDUCE SHIFT REDUCE"))
    '(S (NP it) rains)'
    """
    steps = actions.split() if isinstance(actions, str) else actions
    lists = isinstance(words, (list, tuple)) and isinstance(steps, (list, tuple))
    if not lists or not all(isinstance(item, str) for item in (*words, *steps)):
        raise TreeError("'words' and 'actions' are not both lists of texts; 'actions' may also be one text")
    labels, parents, homes = list[str](), list[int](), list[int]()
    node = -1
    for step in steps:
        if step.startswith("NT(") and step.endswith(")"):
            labels.append(step[3:-1])
            parents.append(node)
            node = len(labels) - 1
        elif step == "REDUCE" and node >= 0:
            node = parents[node]
        elif step in ("SHIFT", "GEN") and node >= 0 and len(homes) < len(words):
            homes.append(node)
        else:
            raise TreeError(f"the action {step!r} does not fit here; expected NT(...), SHIFT or REDUCE")
    if node >= 0 or len(homes) < len(words):
        raise TreeError(f"the actions end after {len(homes)} of {len(words)} words, or in an open bracket")
    return Tree.build(labels, parents, words, homes)


def is_spans(item: Any) -> bool:
    """Return True for a pair of words and spans."""
    if not (isinstance(item, (list, tuple)) and len(item) == 2):
        return False
    words, spans = item
    return (
        isinstance(words, (list, tuple))
        and isinstance(spans, (list, tuple, set, frozenset))
        and all(isinstance(word, str) for word in words)
        and all(isinstance(span, (list, tuple)) and type(span[:1][0]) is int for span in spans if span)
        and all(spans)
    )


def looks_unlabelled(text: str) -> bool:
    """Return True if at least half of the trees that may have labels show that they have none.

    A tree shows it by a bracket below the root that begins with another one, or by such a root with several
    children if some bracket begins like a word, with a small letter or one outside ASCII.  Trees of two words
    and other trees whose brackets begin like words count for neither.  Most brackets must begin like words.
    """
    plain = proven = depth = children = words = firsts = small = 0
    begin = 0  # number of small first tokens before the tree
    below = labelled = False
    before = ""
    for token in _TOKEN.findall(text):
        if token == "(":
            below = below or (before == "(" and depth > 1)
            children += depth == 1
            depth += 1
        elif token == ")":
            depth -= 1
            if depth == 0:
                if below or (small > begin and children > 1 and not labelled):
                    proven += 1
                elif words > 2 and small == begin:
                    plain += 1
                children = words = 0
                below = labelled = False
                begin = small
        else:
            words += 1
            if depth == 1:
                labelled = labelled or before == "("
                children += 1
            elif before == "(":
                firsts += 1
                small += token != token.upper() or not token.isascii()
        before = token
    return proven > 0 and proven >= plain and 2 * small > firsts


def _steps(item: Any, *, labelled: bool) -> Iterator[Any]:
    """Yield the words of nested lists, a list of its label for each node, and the ends of nodes."""
    waiting = [item]
    while waiting:
        one = waiting.pop()
        if isinstance(one, (list, tuple)):
            yield [one[0] if labelled else LABEL]
            waiting += [_END, *reversed(_children(one) if labelled else one)]
        elif one is _END or isinstance(one, str):
            yield one
        else:
            raise TreeError(f"{one!r} in a nested list is not a word; write words as texts")


def _built(steps: Iterable[Any]) -> Tree:
    """Build a tree of such steps; several nodes and words at the top are under a root without label."""
    labels, parents, words, homes = list[str](), list[int](), list[str](), list[int]()
    node = -1
    for step in steps:
        if isinstance(step, str):
            words.append(step)
            homes.append(node)
        elif step is not _END:
            labels += step
            parents.append(node)
            node = len(parents) - 1
        elif node < 0:
            raise TreeError("')' outside a tree: one ')' too many")
        else:
            node = parents[node]
    if node >= 0:
        raise TreeError("the tree is not closed: a ')' is missing")
    return Tree.build(labels, parents, words, homes) if words else EMPTY
