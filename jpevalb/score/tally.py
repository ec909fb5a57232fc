"""Tally: the sums of a run, the first sentences left out, and what the first trees of each side have."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from math import inf
from typing import Any, NamedTuple, TypeAlias

from ..alignment.pair import EXCLUDED, EXTRA, NO_PARSE, OK, UNREADABLE
from ..base.claims import Claim
from ..base.counts import RunningSum
from ..base.text import NAMED, visible
from ..kernels.columns import ADDED, LABEL, NARY, ROOT, SHAPE, TAG, WORD, inventory
from ..kernels.counting import EXCLUDING
from ..metrics.record import Record, picked_rows
from ..settings.rules import DUMMY_ROOT, TRACE, UNCOUNTED, RunRules, cut
from ..trees.prepare import is_binarised, name_of, parts_of
from ..trees.words import spelling
from .evaluation import LEFT_OUT, UNALIGNED, UNLIKE, LeftOut
from .sentence import Scorer, SentenceResult

SIDES = "gold", "the system"
_FEW = 15  # with fewer things of a kind, the other side may lack it by chance

Item: TypeAlias = "tuple[str, str]"
"""A kind of things and a text: a label, a shape."""
Inventory: TypeAlias = "Counter[Item]"
"""What the trees of a side have, with counts."""
Sides: TypeAlias = "tuple[Inventory, Inventory]"

_SUFFIXES = ("##", "#", "_", "|", "^", "~", "*", ":", "-")  # at which treebanks begin the suffixes of labels
_NUMBERED = r"[^-=]+[-=][0-9]+"
# Names of roots that tools add, such as S1, VROOT, -TOP- and Root2
_ROOT_NAME = r"[\W_]*(?:s1|[a-z]?root|top)[\W_\d]*"
_PHRASES = frozenset(
    ["S", "SQ", "SINV", "SBARQ", "SBAR", "NP", "VP", "FRAG", "INTJ", "UCP", "IP", "CP", "SENT"]
)
"""Labels that a small corpus may have at every root by right, even with one child: imperatives are a VP."""


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
    return label if is_added or re.fullmatch(_ROOT_NAME, label.lower()) else None


class _OneSided:
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


def _is_binarised(item: Item, side: _OneSided) -> bool:
    """Return True for labels of common tools for binarisation, and for others that one side has alone."""
    label = item[1]
    return "|<" in label or label[:1] == "@" != label or (item in side.alone and is_binarised(label))


def _is_collapsed(item: Item, side: _OneSided) -> bool:
    """Return True for a tag that joins labels of constituents and a tag; tags alone are one word's."""
    parts = parts_of(item[1], side.names | side.tags) if item in side.alone else ()
    is_chain = len(parts) > 1 and {*parts[:-1]} <= side.names and parts[-1] in side.tags
    return is_chain and not {*parts} <= side.tags


def _is_numbered(item: Item, side: _OneSided) -> bool:
    return not side.rules.unlabeled and re.fullmatch(_NUMBERED, item[1]) is not None


def _is_suffixed(item: Item, side: _OneSided) -> bool:
    """Return True for a label with a suffix, unless the side looks binarised."""
    is_binary = (SHAPE, NARY) not in side.seen and side.against[SHAPE, NARY] > _FEW
    return side.compares(item) and not is_binary and side.mark(item[1]) != ""


def _is_other(item: Item, side: _OneSided) -> bool:
    """Return True for what one side has alone, unless the other side has it with a suffix, or its parts."""
    of, text = item
    if not side.compares(item) or parts_of(text, side.tags if of == TAG else side.names):
        return False
    return not any(label.startswith((f"{text}_", f"{text}#")) for label in side.labels)


def _is_new_word(item: Item, side: _OneSided) -> bool:
    """Return True for a frequent word of the system that is no part of a word of gold."""
    is_frequent = side.name != "gold" and item in side.alone and side.seen[item] > _FEW
    return is_frequent and not any(spelling(item[1]) in word for word in side.words)


def _are_of_one_name(found: Inventory, side: _OneSided) -> bool:
    """Return True if all labels of the side are cut to one name."""
    names = {name_of(label) for label in {*texts_of(side.seen, LABEL)} - {"", "TOP", "ROOT"}}
    return len(found) > 1 and len(names) == 1


def _are_a_rule(found: Inventory, side: _OneSided) -> bool:
    """Return True if a suffix is no exception: it is frequent, or the labels have no form without one."""
    has_stems = any((of, text.partition(side.mark(text))[0]) in side.seen for of, text in found)
    rest = [side.seen[item] for item in side.alone - {*found} if item[0] in (LABEL, TAG, SHAPE)]
    return found.total() > _FEW or (not has_stems and len(found) > 1 and found.total() > sum(rest))


def _are_telling(found: Inventory, side: _OneSided) -> bool:
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
    is_meant: Callable[[Item, _OneSided], bool]
    are_enough: Callable[[Inventory, _OneSided], bool]
    advice: str


def _are_any(found: Inventory, side: _OneSided) -> bool:
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
    """Yield claims about labels, tags, shapes, words and roots that one side has and the other never has."""
    gold, system = seen
    # Comparing the spelling of all words takes long; few systems have a frequent word that gold lacks.
    if not any(item[0] == WORD and count > _FEW and item not in gold for item, count in system.items()):
        kinds = {*kinds} - {WORD}
    named = [_names_of(side, rules, kinds) for side in seen]
    sides = [_OneSided(seen, named, own, rules, answers) for own in (0, 1)]
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


# Counts of beads that decide what a report lists as left out
_REPORTED = "sentences.unaligned", "sentences.unlike", "sentences.gold_unparsed", "sentences.system_unparsed"
_NONE = (0,) * len(_REPORTED)
_SIZE = "sentences.groups", "sentences.length"


LOOKED_AT = 50  # number of gold sentences, from the first, whose labels are compared


class Tally:
    """Sums of a run's results, and the first sentences that a report names; tallies of any parts add up."""

    def __init__(self, scorer: Scorer, *cutoffs: int, before: int = 0) -> None:
        self._before = before  # number of results before the first
        # Sentences that were not compared are named by their state.
        self.by_state, self._uncounted = scorer.same_words, scorer.uncounted
        self.left_out: dict[str, tuple[int, list[LeftOut]]] = {state: (0, []) for state in LEFT_OUT}
        # Sums over pairs within all cut-offs without tables in order, over the others, over these by cut-off
        self._zero = scorer.zero
        self._in_order = scorer.zero.schema.tables_in_order
        self._shared, self._total = RunningSum(scorer.zero), RunningSum(scorer.zero)
        self._short = {cutoff: RunningSum(scorer.zero) for cutoff in sorted(cutoffs)}
        self.count = 0
        self._looks = True  # while pairs are among the first
        self._looks_at_all = scorer.settings.answers  # models make single labels up
        self.seen_deleted = False
        # Of a side: what the rules have changed
        self.done: defaultdict[tuple[str, str], int] = defaultdict(int)
        self.excluded: Counter[str] = Counter()  # sentences that a convention left out for their words
        # What the first trees of gold and of the system have
        self.inventories: tuple[Inventory, Inventory] = Counter(), Counter()

    def __getstate__(self) -> dict[str, Any]:
        self._sums()
        return vars(self)

    @property
    def total(self) -> Record:
        """The sum over all results."""
        return self._sums()[0]

    @property
    def short(self) -> list[tuple[int, Record]]:
        """The cut-offs in ascending order, with the sums over the results up to each."""
        return list(zip(self._short, self._sums()[1:]))

    def _sums(self) -> list[Record]:
        """Move the shared pairs into the other sums; return the sum of all, then one for each cut-off."""
        sums = self._total, *self._short.values()
        shared, self._shared = self._shared.total(), RunningSum(self._zero)
        if shared.sentences.groups:
            for running in sums:
                running.add(shared)
        return [running.total() for running in sums]

    def add(self, results: Sequence[SentenceResult], *, look: bool = True) -> None:
        """Add the next results; unless ``look``, do not note what their trees have."""
        records = [result.record for result in results]
        self.count += len(records)
        # A pair that does not count is beyond each cut-off.
        lengths = [length if groups else inf for groups, length in picked_rows(records, _SIZE)]
        shortest, shared, others = min(self._short, default=0), [], []
        for one, length in zip(records, lengths):
            has_order = any(one.tables) and any(map(one.tables.__getitem__, self._in_order))
            if length <= shortest and not has_order:
                shared.append(one)
            else:
                others.append((one, length))
        self._shared.add(*shared)
        self._total.add(*[record for record, _ in others])
        for cutoff, running in self._short.items():
            running.add(*[record for record, length in others if length <= cutoff])
        for result, row in zip(results, picked_rows(records, _REPORTED)):
            if self.by_state or row != _NONE or not result.bead.aligned:
                self._note_left_out(result, *row)
        for result in results if look and self._looks else ():
            self._looks &= self._looks_at_all or result.bead.gold[0] < LOOKED_AT
            # The rules of a tool do not change trees that do not count.
            is_seen = self._looks and result.pair.status not in self._uncounted
            for seen, tree in zip(self.inventories, (result.pair.gold, result.pair.system)):
                if is_seen:
                    seen.update(inventory(tree.columns, DUMMY_ROOT))

    def _note_left_out(self, result: SentenceResult, unaligned: int, unlike: int, *unread: int) -> None:
        if self.by_state:
            state, reason, id = result.state
            if state == EXCLUDED and reason in EXCLUDING:
                self.excluded[reason] += 1
            if state != OK:
                self.leave_out(_item(result, state, id=id, reason=reason or ""))
            return
        if not result.aligned:
            self.leave_out(_item(result, UNALIGNED if unaligned else NO_PARSE))
        if unlike:
            self.leave_out(_item(result, UNLIKE, equal=result.pair.equal_share))
        if any(unread):
            for item in result.unparsed:
                span, none = (item.number - 1, item.number), (0, 0)
                sides = (span, none) if item.side == "gold" else (none, span)
                self.leave_out(LeftOut(UNREADABLE, result.number, *sides, None, item.error))

    @property
    def next_number(self) -> int:
        """The number of the next result."""
        return self._before + self.count + 1

    def note(self, done: Iterable[tuple[tuple[str, str], int]]) -> None:
        """Add what the rules have changed."""
        for key, count in done:
            self.done[key] += count

    def leave_out(self, item: LeftOut) -> None:
        """Count sentences that are left out; keep the names of the first ones of each state."""
        count, first = self.left_out[item.state]
        merged = first[-1].joined(item) if first and not self.by_state else None
        if merged is not None:
            first = [*first[:-1], merged]
        elif len(first) < NAMED:
            first = [*first, item]
        self.left_out[item.state] = count + 1, first

    def extend(self, other: Tally) -> None:
        """Add the tally of the next results."""
        self._total.add(other.total)
        for cutoff, record in other.short:
            self._short[cutoff].add(record)
        for state in LEFT_OUT:
            if state != EXTRA:
                self._leave_out_more(other, state, self.next_number - other._before - 1)
        self.look(other)
        for own, more in zip(self.inventories, other.inventories):
            own.update(more)
        self.excluded.update(other.excluded)
        self.count += other.count

    def _leave_out_more(self, other: Tally, state: str, before: int) -> None:
        count, items = other.left_out[state]
        total = self.left_out[state][0] + count
        for item in items:
            self.leave_out(item._replace(number=item.number + before))
        self.left_out[state] = total, self.left_out[state][1]

    def look(self, other: Tally) -> None:
        """Add another tally without its results."""
        self._leave_out_more(other, EXTRA, 0)
        self.seen_deleted = self.seen_deleted or other.seen_deleted
        self.note(other.done.items())


def _item(result: SentenceResult, state: str, **more: object) -> LeftOut:
    return LeftOut(state, result.number, result.bead.gold, result.bead.system, **more)  # type: ignore[arg-type]
