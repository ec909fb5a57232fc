"""Inventory: what the first trees of both sides have, and what one side has that the other never has.

Labels, tags, roots and shapes of brackets are counted in one way.  A row of ``_KINDS`` says what it means if
one side alone has them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

from ..base.claims import Claim
from ..settings.labels import DUMMY_ROOT, TRACE, UNCOUNTED, cut
from ..settings.rules import RunRules
from ..trees.prepare import is_binarised, name_of, parts_of
from ..trees.tree import Tree

LABEL, TAG, ROOT, ADDED, SHAPE = "label", "tag", "root", "root above one bracket", "shape"
NARY = "brackets with more than two children"
_SHAPES = ("brackets without children", "brackets over one word", "brackets with two children", NARY)
_UNARY = "brackets over one bracket"

Item: TypeAlias = "tuple[str, str]"
"""A kind of things and a text: a label, a shape."""
Inventory: TypeAlias = "Counter[Item]"
"""What the trees of a side have, with counts."""

_SUFFIXES = ("##", "#", "_", "|", "^", "~", "*", ":", "-")  # at which treebanks begin the suffixes of labels
# Names of roots that tools add, such as S1, VROOT, -TOP- and Root2
_ROOT_NAME = re.compile(r"[\W_]*(?:s1|[a-z]?root|top)[\W_\d]*")
_PHRASES = frozenset(
    ["S", "SQ", "SINV", "SBARQ", "SBAR", "NP", "VP", "FRAG", "INTJ", "UCP", "IP", "CP", "SENT"]
)
"""Labels that a small corpus may have at every root by right, even with one child: imperatives are a VP."""


def items_of(tree: Tree) -> Iterator[Item]:
    """Yield what a tree has; nothing of a tree without words."""
    if not tree.words:
        return
    children = Counter([*tree.parents, *tree.word_parents])
    is_tag = (*tree.preterminals, True)
    top = 0 if tree.labels[0] is DUMMY_ROOT else -1
    for node, (label, parent) in enumerate(zip(tree.labels, tree.parents)):
        if label is DUMMY_ROOT:
            continue
        yield TAG if is_tag[node] else LABEL, label
        is_unary = not is_tag[node] and children[node] == 1 and tree.parents[node + 1 : node + 2] == (node,)
        is_unary = is_unary and not is_tag[node + 1]
        if not is_tag[node] and parent != top:
            yield SHAPE, _UNARY if is_unary else _SHAPES[min(children[node], 3)]
        if parent == top:
            yield ROOT, label
            if is_unary:
                yield ADDED, label


def texts_of(seen: Inventory, kind: str) -> dict[str, int]:
    """Return the texts of a kind, with their counts."""
    return {text: count for (of, text), count in seen.items() if of == kind}


def added_root(seen: Inventory) -> str | None:
    """Return a label that every tree has at its root and nowhere else, if a tool seems to have added it.

    Such a root (``S1``, ``VROOT``) matches in every sentence and raises the scores.  It is recognised by its
    name, or, unless it has the name of a phrase, by having a single constituent as its child in each of at
    least three trees.
    """
    roots = texts_of(seen, ROOT)
    if len(roots) != 1:
        return None
    ((label, trees),) = roots.items()
    if cut(label) in UNCOUNTED or seen[LABEL, label] + seen[TAG, label] > trees:
        return None
    is_added = trees > 2 and seen[ADDED, label] == trees and cut(label) not in _PHRASES
    return label if is_added or _ROOT_NAME.fullmatch(label.lower()) else None


class _Other(NamedTuple):
    """What the other side has, of what counts."""

    items: frozenset[Item]
    names: frozenset[str]  # of constituents, without function tags
    tags: frozenset[str]

    def mark(self, label: str) -> str:
        """Return the mark of the suffix that alone makes a label differ, or an empty text.

        >>> other = _Other(frozenset([(LABEL, "NP"), (TAG, "NN##b")]), frozenset(), frozenset())
        >>> other.mark("NP_SBJ"), other.mark("NN##a"), other.mark("VP_X")
        ('_', '##', '')
        """
        for mark in _SUFFIXES:
            stem, found, _ = label.partition(mark)
            if stem and found and any(stem == text.partition(mark)[0] for _, text in self.items):
                return mark
        return ""

    def has_joined(self, of: str, text: str) -> bool:
        """Return True if there are labels with a suffix behind a label, or all the labels that it joins."""
        suffixed = any(label.startswith((f"{text}_", f"{text}#")) for _, label in self.items)
        return suffixed or bool(parts_of(text, self.tags if of == TAG else self.names))


def _is_marked(label: str, other: _Other) -> bool:
    """Return True for the labels of common tools for binarisation, which are none of a treebank."""
    return "|<" in label or (len(label) > 1 and label[0] == "@")


def _is_collapsed(label: str, other: _Other) -> bool:
    """Return True for a tag that joins labels of constituents and a tag; tags alone are one word's."""
    parts = parts_of(label, other.names | other.tags)
    is_chain = len(parts) > 1 and {*parts[:-1]} <= other.names and parts[-1] in other.tags
    return is_chain and not {*parts} <= other.tags


class _Kind(NamedTuple):
    """What labels of one side mean."""

    of: tuple[str, ...]
    alone: bool  # True if the other side must never have the label
    is_meant: Callable[[str, _Other], object]
    kind: str  # of the claim


_SUFFIX = _Kind((LABEL, TAG), True, lambda label, other: other.mark(label), "suffix")
_KINDS = (
    _Kind((LABEL,), False, _is_marked, "marked"),
    _Kind((LABEL,), True, lambda label, other: is_binarised(label), "binarised"),
    _Kind((TAG,), True, _is_collapsed, "collapsed"),
    _SUFFIX,
)
_OTHERS = {LABEL: "other_labels", TAG: "other_tags", SHAPE: "other_shapes"}  # kinds of claims
_SIDES = "gold", "the system"
_FEW = 15  # with fewer things of a kind, the other side may lack it by chance


def one_sided(seen: tuple[Inventory, Inventory], rules: RunRules) -> Iterator[Claim]:
    """Yield what one side has and the other never has, a claim for each kind, with counts."""
    others: dict[str, list[str]] = {of: [] for of in _OTHERS}
    names = [_names_of(side, rules) for side in seen]
    for own, against in ((0, 1), (1, 0)):
        side, other = _SIDES[own], _SIDES[against]
        known = _Other(
            frozenset(names[against]),
            frozenset([name_of(text) for of, text in names[against] if of == LABEL]),
            frozenset([text for of, text in names[against] if of == TAG]),
        )
        has = {*names[against].values()}
        root = added_root(seen[own])
        alone = [item for item, name in names[own].items() if name not in has and item != (LABEL, root)]
        is_binary = (SHAPE, NARY) not in seen[own] and seen[against][SHAPE, NARY] > _FEW
        for kind in _KINDS:
            if kind is _SUFFIX and rules.unlabeled:
                alone = [item for item in alone if item[0] == TAG]
            if kind is _SUFFIX and is_binary:
                continue
            some = alone if kind.alone else names[own]
            found = [item for item in some if item[0] in kind.of and kind.is_meant(item[1], known)]
            counts = Counter({item: seen[own][item] for item in found})
            rest = [item for item in alone if item not in counts]
            if not counts or (kind is _SUFFIX and not _is_rule(counts, rest, seen[own], known)):
                continue
            alone = rest
            ((_, label), _), *_ = counts.most_common(1)
            numbers = {"label": label, "count": counts.total(), "mark": known.mark(label)}
            if kind is _SUFFIX:
                numbers["convention"] = rules.convention.name
            yield Claim(kind.kind, {"side": side, "other": other, **numbers})
        for of, told in others.items():
            texts = [text for one, text in alone if one == of and not known.has_joined(of, text)]
            few = Counter({text: seen[own][of, text] for text in texts})
            counts, against_all = [
                Counter({item: seen[k][item] for item in names[k] if item[0] == of}) for k in (own, against)
            ]
            # A parser may err in shapes that gold never has, and tools delete words of one side's tags.
            is_open = own == 1 if of == SHAPE else of == TAG and rules.standardises
            if _is_telling(few, counts, against_all) and not is_open:
                first = ", ".join([text for text, _ in few.most_common(4)])
                told.append(f"{side} has {first} ({few.total()} of {counts.total()} first {_PLURALS[of]})")
    for of, told in others.items():
        if told:
            yield Claim(_OTHERS[of], {"sides": told})


_PLURALS = {LABEL: "brackets", TAG: "tags", SHAPE: "brackets"}


def _names_of(seen: Inventory, rules: RunRules) -> dict[Item, Item]:
    """Return the names under which the labels, tags and shapes of a side count."""

    def name_as(of: str, text: str) -> str | None:
        if of == LABEL:
            text = text if rules.standardises else rules.tag_name(text)
            return cut(text) if rules.unlabeled else rules.resolve(text)
        if of == TAG:
            return None if text == TRACE else rules.tag_name(text)
        return text if of == SHAPE and not rules.unlabeled else None

    named = {(of, text): name_as(of, text) for of, text in seen}
    return {(of, text): (of, name) for (of, text), name in named.items() if name is not None}


def _is_rule(suffixed: Inventory, rest: Sequence[Item], own: Inventory, known: _Other) -> bool:
    """Return True if a suffix is no exception: it is frequent, or the labels have no form without one."""
    has_stems = any((of, text.partition(known.mark(text))[0]) in own for of, text in suffixed)
    others = sum([own[item] for item in rest])
    return suffixed.total() > _FEW or (not has_stems and len(suffixed) > 1 and suffixed.total() > others)


def _is_telling(alone: Counter[str], own: Inventory, against: Inventory) -> bool:
    """Return True if neither chance nor the errors of a parser explain what one side alone has.

    A few things are enough if nothing of their kind is on both sides.
    """
    if len(alone) == len(own) > 1 and len(against) > 1:
        return alone.total() > 2
    most = max(alone.values(), default=0)
    expected = most * min(1, against.total() / own.total()) if most else 0  # on the other side
    return expected > _FEW and 10 * alone.total() >= own.total()
