"""Pairings that need both files as a whole: by words in any order, and by shape where words are hidden."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from operator import eq

from ..alignment.stream import Stretch
from ..base.errors import TreeError
from ..trees.sentence import Sentence
from ..trees.tree import Tree
from ..trees.words import texts

Words = Callable[[Sentence], Sequence[str]]

_HIDDEN = re.compile(r"[<\[*_(]?unk[>\]*_)]?(?:-.*)?|XX+", re.IGNORECASE)
_MOST = 0.5  # share of the words that are hidden, or that a sentence needs in common with its partner
_FREQUENT = 50  # sentences with a word; more frequent words find no partner
_SURE = 0.5  # mean agreement of the pairs by shape


def has_hidden_words(trees: Iterable[Tree]) -> bool:
    """Return True if most words of some trees are ``XX``, ``UNK``, ``<unk>`` or the like."""
    words = Counter([word for tree in trees for word in tree.words])
    hidden = sum([count for word, count in words.items() if _HIDDEN.fullmatch(word)])
    return hidden > _MOST * words.total()


def by_words(golds: Sequence[Sentence], systems: Sequence[Sentence], words: Words) -> Iterator[Stretch]:
    """Pair each sentence with the first one of the same words, then with the most similar one."""
    keys = [[tuple(texts(words(one))) for one in side] for side in (golds, systems)]
    waiting: defaultdict[tuple[str, ...], list[int]] = defaultdict(list)
    for index in range(len(systems) - 1, -1, -1):
        waiting[keys[1][index]].append(index)
    partners = {index: waiting[key].pop() for index, key in enumerate(keys[0]) if waiting.get(key)}
    left = [index for found in waiting.values() for index in found]
    places: defaultdict[str, list[int]] = defaultdict(list)
    for index in sorted(left):
        for word in set(keys[1][index]):
            places[word].append(index)
    taken = set(partners.values())
    for index, key in enumerate(keys[0]):
        if index in partners:
            continue
        shared = Counter(
            [
                other
                for word in set(key)
                if len(places[word]) <= _FREQUENT
                for other in places[word]
                if other not in taken
            ]
        )
        best = max(shared, key=lambda other: _common(key, keys[1][other]), default=None)
        if best is not None and _common(key, keys[1][best]) >= _MOST:
            partners[index] = best
            taken.add(best)
    return _stretches(golds, systems, partners)


def _common(one: Sequence[object], other: Sequence[object]) -> float:
    """Return the share of words, or of other items, that two sentences have in common."""
    return 2 * (Counter(one) & Counter(other)).total() / (len(one) + len(other) or 1)


def by_shape(golds: Sequence[Sentence], systems: Sequence[Sentence], words: Words) -> Iterator[Stretch]:
    """Pair sentences of as many words, in order, so that most tags, brackets and words agree.

    Hidden words are then those of the other side.

    Raises:
        TreeError: the shapes do not show which sentences belong together.
    """
    by_length: defaultdict[int, list[int]] = defaultdict(list)
    for index, one in enumerate(systems):
        by_length[len(words(one))].append(index)
    has_tags = all(any(any(one.tree.tags) for one in side) for side in (golds, systems))
    shapes = [[_shape(one.tree, has_tags) for one in side] for side in (golds, systems)]
    # The heaviest chain of pairs in order: for each weight so far, the smallest last system sentence
    best: list[tuple[int, float]] = []  # last system sentence and weight, both ascending
    chain: list[tuple[int, int, float, int]] = []  # gold, system, agreement, link before or -1
    link_of: dict[int, int] = {}
    for gold, one in enumerate(golds):
        added = []
        for system in by_length[len(words(one))]:
            agreement = _common(shapes[0][gold], shapes[1][system])
            same = sum(map(eq, words(one), words(systems[system])))
            place = bisect_left(best, (system, 0.0)) - 1
            before = best[place] if place >= 0 else (-1, 0.0)
            weight = before[1] + agreement * (len(words(one)) + 1) + 2 * same
            added.append((system, weight, agreement, link_of.get(before[0], -1)))
        for system, weight, agreement, link in added:
            place = bisect_left(best, (system, 0.0))
            if place and best[place - 1][1] >= weight:
                continue
            if place < len(best) and best[place][0] == system and best[place][1] >= weight:
                continue
            chain.append((gold, system, agreement, link))
            end = place
            while end < len(best) and best[end][1] <= weight:
                end += 1
            best[place:end] = [(system, weight)]
            link_of[system] = len(chain) - 1
    partners: dict[int, int] = {}
    agreements: list[float] = []
    link = link_of[best[-1][0]] if best else -1
    while link >= 0:
        gold, system, agreement, link = chain[link]
        partners[gold] = system
        agreements.append(agreement)
    least = min(len(golds), len(systems))
    if 4 * len(partners) < 3 * least or sum(agreements) < _SURE * len(agreements):
        raise TreeError(
            "most words are hidden, and tags and brackets do not show which sentences belong together; "
            "give the sentences ids, or use pair='order' if none is missing"
        )
    golds, systems = list(golds), list(systems)
    for gold, system in partners.items():
        golds[gold], systems[system] = _with_words(golds[gold], systems[system])
    return _stretches(golds, systems, partners)


def _with_words(gold: Sentence, system: Sentence) -> tuple[Sentence, Sentence]:
    """Return two sentences of as many words, the hidden words of each as on the other side."""
    words = [list(gold.tree.words), list(system.tree.words)]
    for own, other in ((0, 1), (1, 0)):
        hidden = [index for index, word in enumerate(words[own]) if _HIDDEN.fullmatch(word)]
        if len(words[own]) == len(words[other]):
            for index in hidden:
                words[own][index] = words[other][index]
    trees = [one.tree.replace(words=tuple(new)) for one, new in zip((gold, system), words)]
    return gold._replace(tree=trees[0], source=trees[0]), system._replace(tree=trees[1], source=trees[1])


def _shape(tree: Tree, has_tags: bool) -> list[object]:
    """Return the tags of a tree with their places, and the spans of its brackets over several words."""
    _, _, left, right, *_ = tree.columns.lists()
    spans = [(begin, end) for begin, end in zip(left, right) if end > begin + 1]
    return [*(enumerate(tree.tags) if has_tags else ()), *spans]


def _stretches(
    golds: Sequence[Sentence], systems: Sequence[Sentence], partners: dict[int, int]
) -> Iterator[Stretch]:
    """Yield gold in order, each sentence with its partner, then the other system sentences."""
    for index, gold in enumerate(golds):
        system = partners.get(index)
        if system is None:
            yield Stretch([gold], [], False, gold.number - 1, 0)
        else:
            yield Stretch([gold], [systems[system]], True, gold.number - 1, systems[system].number - 1)
    paired = set(partners.values())
    for index, one in enumerate(systems):
        if index not in paired:
            yield Stretch([], [one], False, len(golds), one.number - 1)
