"""Pairing: cut both files into stretches of sentences, by text, by position, by id, by words or by shape."""

from __future__ import annotations

import os
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, islice, tee, zip_longest
from operator import eq
from typing import Any

from ..alignment.stream import Stretch, stretches
from ..base.errors import ReaderOptionError, TreeError, reported
from ..formats.lines import Parse
from ..formats.read import read
from ..settings.rules import TRACE, RunRules
from ..settings.settings import Settings
from ..trees.parse import NO_RECORD, NO_TREE
from ..trees.prepare import NO_PREPARATION, Preparation
from ..trees.sentence import Answer, Sentence
from ..trees.tree import Tree, flat_tree
from ..trees.words import texts
from .inputs import HIDDEN, Input

Words = Callable[[Sentence], Sequence[str]]

_MOST = 0.5  # share of the words that are hidden, or that a sentence needs in common with its partner
_FREQUENT = 50  # sentences with a word; more frequent words find no partner
_SURE = 0.5  # mean agreement of the pairs by shape


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
        near = [places[word] for word in dict.fromkeys(key) if len(places[word]) <= _FREQUENT]
        shared = Counter([other for some in near for other in some if other not in taken])
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

    Hidden words are then those of the other side.  If too little agrees, a TreeError is raised.
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
        hidden = [index for index, word in enumerate(words[own]) if HIDDEN.fullmatch(word)]
        if len(words[own]) == len(words[other]):
            for index in hidden:
                words[own][index] = words[other][index]
    trees = [one.tree.replace(words=tuple(new)) for one, new in zip((gold, system), words)]
    both = [one._replace(tree=tree, source=tree, line=None) for one, tree in zip((gold, system), trees)]
    return both[0], both[1]


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
        yield _stretch_of(gold, systems[partners[index]] if index in partners else None)
    paired = set(partners.values())
    for index, one in enumerate(systems):
        if index not in paired:
            yield Stretch([], [one], False, len(golds), one.number - 1)


BY_SHAPE = "shape"  # how sentences are paired where words are hidden


class Side:
    """Reader of one file of a run, sentence by sentence.

    If ``traces`` is ``None``, the trees are searched for words tagged ``-NONE-`` as they are read.  With
    ``keeps_lines`` sentences keep the lines that they are read from: workers get lines, not trees.
    """

    def __init__(
        self,
        source: Input,
        name: str,
        settings: Settings,
        rules: RunRules,
        *,
        keeps_lines: bool = False,
        traces: bool | None = False,
        preparation: Preparation = NO_PREPARATION,
    ) -> None:
        self._side = "gold" if name == "gold" else "sys"
        self._input, self.name = source, source.name
        self._items: Iterator[Sentence] | None = None  # if the file is read for several runs
        self._settings = settings
        self.asks_for_ids = settings.id_field is not None
        self._rules = rules
        self._flat = not settings.has_trees
        self._preparation = preparation
        # Lines do not say how their trees are prepared.
        self._keeps_lines = keeps_lines and preparation == NO_PREPARATION and not self._flat
        self.watched, self.has_traces = traces is None, bool(traces)
        self.empty = True  # until a tree with words that are no traces

    def share(self, others: Sequence[Side]) -> None:
        """Read the file once for several runs, which must all advance together."""
        sides = [self, *others]
        for side, items in zip(sides, tee(self._read(), len(sides))):
            side._items = items

    def __iter__(self) -> Iterator[Sentence]:
        for sentence in self._items or self._read():
            if self.empty or self.watched:
                self._look_at(sentence.tree)
            yield sentence

    def _look_at(self, tree: Tree) -> None:
        """Note if a tree has words, and traces if this side is watched for them."""
        if self.empty and tree.words:
            self.empty = self._settings.traces != "keep" and set(tree.tags) == {TRACE}
        if self.watched and not self.has_traces:
            self.has_traces = TRACE in tree.tags

    def aligned_words(self, sentence: Sentence) -> tuple[str, ...]:
        return self._rules.aligned_words(sentence.tree)

    def _on_error(self, error: TreeError) -> TreeError:
        """Raise the error of a sentence, or return it if it is skipped."""
        error = self._with_option(error)
        if error.source is not None and error.source.startswith("sentence "):
            # One of a list of sentences
            error = reported(error, source=f"{'gold' if self._side == 'gold' else 'system'} {error.source}")
        if self._settings.on_error == "skip":
            return error
        skip = "; use on_error='skip' to skip such sentences"
        advice = "" if isinstance(error, ReaderOptionError) else skip
        if self.empty and error.message.endswith(NO_TREE) and self._is_plain_text():
            advice = f"; if it is plain text, give {self._side}_format='text'"
        elif self.empty and error.message.endswith((NO_TREE, NO_RECORD)):
            advice = f"; if the file is a treebank, name its format with {self._side}_format"
        raise reported(error, after=advice) from None

    def _is_plain_text(self) -> bool:
        """Return True if the first lines of the file have no brackets of any kind."""
        first = getattr(self._input.ahead, "first", None) or ["("]
        return not any(sign in str(line) for line in first for sign in "()[]{}<>")

    def _read(self) -> Iterator[Sentence]:
        settings, source = self._settings, self._input
        errors: list[TreeError] = []
        answers: list[Answer] = []
        lines: list[tuple[Parse, bytes]] = []
        try:
            trees = read(
                source.to_read(),
                source.items_format or settings.reading(self._side)[0],
                encoding=source.encoding,
                on_error=lambda error: errors.append(self._on_error(error)),
                on_answer=answers.append if settings.answers and self._side == "sys" else None,
                on_line=(lambda *line: lines.append(line)) if self._keeps_lines else None,
                **settings.answer_options(self._side),
            )
            times = settings.gold_times if self._side == "gold" else settings.sys_times
            if times is not None and settings.pair == "id":
                trees = self._with_ids(trees, times)
            if self._preparation != NO_PREPARATION:
                trees = map(self._preparation.of, trees)
            for number, item in enumerate(trees, 1):
                if self._flat:
                    item = flat_tree(item.words, item.tags if item.tagged else None, item.id)
                error = errors.pop() if errors else None
                answer = answers.pop() if answers else None
                yield Sentence(number, item, item, error, answer, lines.pop() if lines else None)
        except ReaderOptionError as error:
            raise self._with_option(error) from None

    def _with_option(self, error: TreeError) -> TreeError:
        """Suggest this side's option, such as ``sys_encoding``, where the reader suggests its own."""
        if isinstance(error, ReaderOptionError) and hasattr(self._settings, f"{self._side}_{error.option}"):
            return error.of_side(self._side)
        return error

    def _with_ids(self, trees: Iterator[Tree], times: str | os.PathLike[str]) -> Iterator[Tree]:
        """Yield the trees, with the name of the utterance in place of a missing id, as in ``Timings``."""
        from ..formats.timings import read_timings

        utterances = read_timings(times, self._settings.tier)
        names = iter([utterance.name for utterance in utterances])
        for number, tree in enumerate(trees, 1):
            name = next(names, None) if tree.words else None
            if number == len(utterances) == 1 and len(utterances[0].words) != len(tree.words):
                name = None  # the utterance is a whole recording
            if name is not None and tree.id is None:
                tree = tree.replace(id=name)
            yield tree


def _pairs_by_id(gold: Side, system: Side, sentences: Iterable[Any]) -> Iterator[Stretch]:
    """Pair sentences with the same id, in the order of gold; then yield the single system sentences.

    Both files are read in step, so that few sentences wait if the ids are in about the same order.
    """
    gold_ids, system_ids = set[str](), set[str]()
    gold_numbers: dict[str, int] = {}  # of sentences without a partner yet
    system_sentences: dict[str, Sentence] = {}
    # Gold sentences that have not been yielded, by number, and their partners.
    waiting: dict[int, tuple[Sentence, Sentence | None]] = {}
    following = 1  # number of the next gold sentence to yield
    for first, second in sentences:
        if first is not None:
            name = _id(first, gold_ids, gold.name)
            partner = system_sentences.pop(name, None)
            if partner is None:
                gold_numbers[name] = first.number
            waiting[first.number] = first, partner
        if second is not None:
            name = _id(second, system_ids, system.name)
            number = gold_numbers.pop(name, None)
            if number is None:
                system_sentences[name] = second
            else:
                waiting[number] = waiting[number][0], second
        while (pair := waiting.get(following)) is not None and pair[1] is not None:
            del waiting[following]
            following += 1
            yield _stretch_of(*pair)
    if system_sentences and following == 1 and 0 < len(gold_numbers) == len(waiting):
        raise TreeError(
            f"no sentence id is in both files: gold has {_first_names(gold_numbers)}, the system "
            f"{_first_names(system_sentences)}; use pair='order' to pair "
            "sentences by their order"
        )
    for pair in waiting.values():
        yield _stretch_of(*pair)
    count = following - 1 + len(waiting)
    for sentence in system_sentences.values():
        yield Stretch([], [sentence], False, count, sentence.number - 1)


def _stretch_of(gold: Sentence, system: Sentence | None) -> Stretch:
    if system is None:
        return Stretch([gold], [], False, gold.number - 1, 0)
    return Stretch([gold], [system], True, gold.number - 1, system.number - 1)


def _id(sentence: Sentence, seen: set[str], source: str) -> str:
    """Return the id of the next sentence of a file; raise a TreeError if it is missing or repeated."""
    name = sentence.source.id
    if sentence.error is not None and (name is None or name in seen):
        return f"\0{sentence.number}"  # unique, so that it has no partner
    if name is None:
        problem = f"sentence {sentence.number} has no id; expected one on each sentence"
    elif name in seen:
        problem = f"the sentence id {name!r} occurs twice; expected a different one on each sentence"
    else:
        seen.add(name)
        return name
    advice = ", or pair='order' to pair sentences by their order"
    raise TreeError(problem + advice, source=source)


def _first_names(names: Iterable[str]) -> str:
    """Quote the first three names."""
    first = [repr(name) for name in islice(names, 4)]
    return ", ".join(first[:3]) + (", ..." if len(first) > 3 else "")


def pair_sides(
    gold: Side,
    system: Side,
    pair: str,
    compare: Callable[[Sequence[Sentence], Sequence[Sentence]], Sequence[object]],
) -> tuple[str, Iterator[Stretch]]:
    """Return how the sentences are paired, and the stretches in the order of the report.

    ``"auto"`` pairs by id if the first sentences of both files have ids, else by order.  The other arguments
    are those of :func:`jpevalb.alignment.stream.stretches`.
    """
    golds: Iterator[Any] = iter(gold)
    systems: Iterator[Any] = iter(system)
    if pair == "auto":
        first = [list(islice(side, 1)) for side in (golds, systems)]
        has_ids = [bool(one) and one[0].source.id is not None for one in first]
        if has_ids == [False, True] and first[0] and system.asks_for_ids:
            raise TreeError(
                "sentence 1 has no id, but the system's sentences are read with ids; add ids to gold, or "
                "sort the system's sentences as in gold and use pair='order'",
                source=gold.name,
            )
        pair = "id" if all(has_ids) else "order"
        golds, systems = chain(first[0], golds), chain(first[1], systems)
    if pair == "words":
        return pair, by_words(list(golds), list(systems), gold.aligned_words)
    if pair == BY_SHAPE:
        return "align", by_shape(list(golds), list(systems), gold.aligned_words)
    if pair == "id":
        return pair, _pairs_by_id(gold, system, zip_longest(golds, systems))
    return pair, stretches(golds, systems, words=gold.aligned_words, same=compare, by_order=pair == "order")
