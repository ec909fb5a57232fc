"""Inventory: what the first trees of both sides have, and what one side has that the other never has.

Labels, tags, roots, shapes of brackets and words are counted in one way.  A row of ``_KINDS`` says what it
means if a side has them, as a rule alone.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import repeat
from typing import NamedTuple, TypeAlias

from ..base.claims import Claim
from ..base.text import visible
from ..settings.rules import DUMMY_ROOT, TRACE, UNCOUNTED, RunRules, cut
from ..trees.prepare import is_binarised, name_of, parts_of
from ..trees.tree import Tree
from ..trees.words import spelling

LABEL, TAG, ROOT, ADDED, SHAPE, WORD = "label", "tag", "root", "root above one bracket", "shape", "word"
SIDES = "gold", "the system"
NARY = "brackets with more than two children"
_SHAPES = ("brackets without children", "brackets over one word", "brackets with two children", NARY)
_UNARY = "brackets over one bracket"
_FEW = 15  # with fewer things of a kind, the other side may lack it by chance

Item: TypeAlias = "tuple[str, str]"
"""A kind of things and a text: a label, a shape."""
Inventory: TypeAlias = "Counter[Item]"
"""What the trees of a side have, with counts."""
Sides: TypeAlias = "tuple[Inventory, Inventory]"

_SUFFIXES = ("##", "#", "_", "|", "^", "~", "*", ":", "-")  # at which treebanks begin the suffixes of labels
_NUMBERED = re.compile(r"[^-=]+[-=][0-9]+")
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
    yield from zip(repeat(WORD), tree.words)
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


class _Side:
    """What a side has, of what counts, and what of that the other side never has."""

    def __init__(
        self, seen: Sides, named: Sequence[dict[Item, Item]], own: int, rules: RunRules, answers: bool
    ) -> None:
        names, others = named[own], named[1 - own]
        self.name, self.rules = SIDES[own], rules
        self.is_answers = answers and own == 1
        self.root: str | None = added_root(seen[own])
        self.seen, self.against = [
            Counter({item: seen[side][item] for item in counted})
            for side, counted in ((own, names), (1 - own, others))
        ]
        has = {*others.values()}
        self.alone = {item for item, name in names.items() if name not in has} - {(LABEL, self.root)}
        # Of the other side
        labels, self.tags, self.words = [
            {text for of, text in has if of == kind} for kind in (LABEL, TAG, WORD)
        ]
        self.names, self.labels = {name_of(label) for label in labels}, labels | self.tags

    def mark(self, label: str) -> str:
        """Return the mark of the suffix that alone makes a label differ, or an empty text."""
        for mark in _SUFFIXES:
            stem, found, _ = label.partition(mark)
            if stem and found and any(stem == text.partition(mark)[0] for text in self.labels):
                return mark
        return ""

    def compares(self, item: Item) -> bool:
        """Return True for what this side has alone, and labels only if they count."""
        return item in self.alone and not (self.rules.unlabeled and item[0] == LABEL)


def _is_binarised(item: Item, side: _Side) -> bool:
    """Return True for labels of common tools for binarisation, and for others that one side has alone."""
    label = item[1]
    return "|<" in label or label[:1] == "@" != label or (item in side.alone and is_binarised(label))


def _is_collapsed(item: Item, side: _Side) -> bool:
    """Return True for a tag that joins labels of constituents and a tag; tags alone are one word's."""
    parts = parts_of(item[1], side.names | side.tags) if item in side.alone else ()
    is_chain = len(parts) > 1 and {*parts[:-1]} <= side.names and parts[-1] in side.tags
    return is_chain and not {*parts} <= side.tags


def _is_numbered(item: Item, side: _Side) -> bool:
    return not side.rules.unlabeled and _NUMBERED.fullmatch(item[1]) is not None


def _is_suffixed(item: Item, side: _Side) -> bool:
    """Return True for a label with a suffix, unless the side looks binarised."""
    is_binary = (SHAPE, NARY) not in side.seen and side.against[SHAPE, NARY] > _FEW
    return side.compares(item) and not is_binary and side.mark(item[1]) != ""


def _is_other(item: Item, side: _Side) -> bool:
    """Return True for what one side has alone, unless the other side has it with a suffix, or its parts."""
    of, text = item
    if not side.compares(item) or parts_of(text, side.tags if of == TAG else side.names):
        return False
    return not any(label.startswith((f"{text}_", f"{text}#")) for label in side.labels)


def _is_new_word(item: Item, side: _Side) -> bool:
    """Return True for a frequent word of the system that is no part of a word of gold."""
    is_frequent = side.name != "gold" and item in side.alone and side.seen[item] > _FEW
    return is_frequent and not any(spelling(item[1]) in word for word in side.words)


def _are_of_one_name(found: Inventory, side: _Side) -> bool:
    """Return True if all labels of the side are cut to one name."""
    names = {name_of(label) for label in {*texts_of(side.seen, LABEL)} - {"", "TOP", "ROOT"}}
    return len(found) > 1 and len(names) == 1


def _are_a_rule(found: Inventory, side: _Side) -> bool:
    """Return True if a suffix is no exception: it is frequent, or the labels have no form without one."""
    has_stems = any((of, text.partition(side.mark(text))[0]) in side.seen for of, text in found)
    rest = [side.seen[item] for item in side.alone - {*found} if item[0] in (LABEL, TAG, SHAPE)]
    return found.total() > _FEW or (not has_stems and len(found) > 1 and found.total() > sum(rest))


def _are_telling(found: Inventory, side: _Side) -> bool:
    """Return True if neither chance nor the errors of a parser explain what one side alone has.

    A few things are enough if nothing of their kind is on both sides, and one label of a model's answer.
    """
    ((of, _), most), *_ = found.most_common(1)
    # A parser may err in shapes that gold never has, and tools delete words of one side's tags.
    if (of == SHAPE and side.name != "gold") or (of == TAG and side.rules.standardises):
        return False
    texts, others = texts_of(side.seen, of), texts_of(side.against, of)
    if len(found) == len(texts) > 1 and len(others) > 1 and found.total() > 2:
        return True
    number = sum(texts.values())
    is_frequent = most * min(1, sum(others.values()) / number) > _FEW and 10 * found.total() >= number
    return is_frequent or side.is_answers


class _Kind(NamedTuple):
    """What it means that a side has some things."""

    of: tuple[str, ...]
    what: str
    is_meant: Callable[[Item, _Side], bool]
    are_enough: Callable[[Inventory, _Side], bool]
    advice: str


def _are_any(found: Inventory, side: _Side) -> bool:
    return True


_BINARISED = "it looks binarised: to remove such brackets use binarised='undo'"
_COLLAPSED = "they look like collapsed chains: to make brackets of them use chains='split'"
_INDUCED = "all are cut to {name!r}, so they always match; use unlabeled=True"
_SUFFIX = "use convention='{convention} cut-at:{mark}' to compare labels without the suffix"
_LABELS = "check that both have the labels of one treebank, or use unlabeled=True"
_TAGS = "check that both have the tags of one treebank"
_CONVERTED = "check how the trees of the system were converted"
_WORDS = "check if a tool put such words in place of others"
_ROOTS = "such a root counts as a constituent; to leave it out give a .prm with DELETE_LABEL {name}"
_KINDS = (
    _Kind((LABEL,), "brackets", _is_binarised, _are_any, _BINARISED),
    _Kind((TAG,), "tags", _is_collapsed, _are_any, _COLLAPSED),
    _Kind((LABEL,), "brackets", _is_numbered, _are_of_one_name, _INDUCED),
    _Kind((LABEL, TAG), "labels", _is_suffixed, _are_a_rule, _SUFFIX),
    _Kind((LABEL,), "brackets", _is_other, _are_telling, _LABELS),
    _Kind((TAG,), "tags", _is_other, _are_telling, _TAGS),
    _Kind((SHAPE,), "brackets", _is_other, _are_telling, _CONVERTED),
    _Kind((WORD,), "words", _is_new_word, _are_any, _WORDS),
    _Kind((ROOT,), "roots", lambda item, side: item[1] == side.root, _are_any, _ROOTS),
)


def one_sided(seen: Sides, rules: RunRules, kinds: Collection[str], answers: bool) -> Iterator[Claim]:
    """Yield what a side has, and as a rule the other never has: a claim for each kind, with counts.

    Args:
        seen: What the first trees of gold and of the system have.
        rules: The rules of the run.
        kinds: The kinds that count.
        answers: True if the system is a language model.
    """
    named = [_names_of(side, rules, kinds) for side in seen]
    sides = [_Side(seen, named, own, rules, answers) for own in (0, 1)]
    for kind in _KINDS:
        told: dict[str, list[str]] = {}
        for side in sides:
            some = [item for item in side.seen if item[0] in kind.of]
            found = Counter({item: side.seen[item] for item in some if kind.is_meant(item, side)})
            if not found or not kind.are_enough(found, side):
                continue
            (((_, label), _), *_) = first = found.most_common(4)
            names = ", ".join([visible(text) for (_, text), _ in first])
            alone = " alone" if side.alone.issuperset(found) else ""
            number = sum([side.seen[item] for item in some])
            convention = side.rules.convention.name
            advice = kind.advice.format(name=cut(label), mark=side.mark(label), convention=convention)
            told.setdefault(advice, []).append(
                f"{side.name}{alone} has {names} ({found.total()} of {number} first {kind.what})"
            )
            side.alone -= found.keys()
        for advice, texts in told.items():
            yield Claim("one_sided", {"sides": texts, "advice": advice})


def _names_of(seen: Inventory, rules: RunRules, kinds: Collection[str]) -> dict[Item, Item]:
    """Return what counts of a side, and the names under which it counts."""

    def name_as(of: str, text: str) -> str | None:
        if of == LABEL:
            text = text if rules.standardises else rules.tag_name(text)
            return cut(text) if rules.unlabeled else rules.resolve(text)
        if of == TAG:
            return None if text == TRACE else rules.tag_name(text)
        if of == ROOT:
            return rules.resolve(text)
        return spelling(text) if of == WORD else text

    named = {(of, text): name_as(of, text) for of, text in seen if of in kinds}
    return {(of, text): (of, name) for (of, text), name in named.items() if name is not None}
