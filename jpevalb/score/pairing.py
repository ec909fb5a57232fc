"""Pairing: cut both files into stretches of sentences, by text, by position, by id, by words or by shape."""

from __future__ import annotations

import os
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import chain, islice, tee, zip_longest
from math import inf
from operator import eq
from typing import Any

from ..alignment.stream import Stretch, raising, stretches
from ..base.errors import ReaderOptionError, TreeError, reported
from ..formats.bracket import LineReader
from ..formats.lines import IdSet, LineBlock, tree_part
from ..formats.read import read
from ..settings.rules import TRACE, RunRules
from ..settings.settings import Settings
from ..trees.parse import NO_RECORD, NO_TREE
from ..trees.prepare import NO_PREPARATION, Preparation
from ..trees.sentence import Answer, Sentence
from ..trees.tree import EMPTY, Tree, flat_tree
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
        hidden = [index for index, word in enumerate(words[own]) if HIDDEN.fullmatch(word)]
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
        yield _stretch_of(gold, systems[partners[index]] if index in partners else None)
    paired = set(partners.values())
    for index, one in enumerate(systems):
        if index not in paired:
            yield Stretch([], [one], False, len(golds), one.number - 1)


BY_SHAPE = "shape"  # how sentences are paired where words are hidden


class Side:
    """Reader of one file of a run, sentence by sentence.

    With ``unread``, a file of lines is read in blocks, which workers may read.  The sentences of given blocks
    end before a line around trees, so that each line before is a sentence.  If ``traces`` is ``None``, the
    trees are searched for words tagged ``-NONE-`` as they are read.
    """

    def __init__(
        self,
        source: Input | Sequence[LineBlock],
        name: str,
        settings: Settings,
        rules: RunRules,
        *,
        unread: bool = False,
        traces: bool | None = False,
        preparation: Preparation = NO_PREPARATION,
    ) -> None:
        self._side = "gold" if name == "gold" else "sys"
        self._answers = settings.answers and self._side == "sys"
        self._asked_format = settings.reading(self._side)[0]
        self._input: Any = None
        self.name = ""
        self._waiting: list[Any] = []  # items before the rest of the file: lines that may be read again
        self._rest: Iterator[Sentence | LineBlock] | None = None
        self._ends_early = not isinstance(source, Input)
        if isinstance(source, Input):
            self._source, self.name, self._input = source.source, source.name, source
            self._asked_format = source.items_format or self._asked_format
        else:
            self._rest = iter(source)
        self._settings = settings
        self.asks_for_ids = settings.id_field is not None
        self._rules = rules
        self._flat = not settings.has_trees
        self._preparation = preparation
        # Lines do not say how their trees are prepared.
        self._unread = unread and preparation == NO_PREPARATION and not self._flat
        self.watched, self.has_traces = traces is None, bool(traces)
        self.empty = True  # until a tree with words that are no traces

    def share(self, others: Sequence[Side]) -> None:
        """Read the file once for several runs, which must all advance together."""
        sides = [self, *others]
        for side, items in zip(sides, tee(self._items(), len(sides))):
            side._rest = items

    def __iter__(self) -> Iterator[Sentence]:
        """Yield the sentences."""
        items: Iterator[Any] = iter(lambda: self._waiting.pop(0) if self._waiting else self._read(), None)
        for item in items:
            if isinstance(item, LineBlock):
                yield from self._of_lines(item, items)  # the rest of the file is blocks, too
                return
            self._look_at(item.tree)
            yield item

    def _read(self) -> Sentence | LineBlock | None:
        """Read the next item of the file; ``None`` at the end."""
        if self._rest is None:
            self._rest = self._items()
        try:
            return next(self._rest, None)
        except Exception as error:
            self._rest = raising(error)  # again, once the lines before it are scored
            raise

    def lines(self, begin: int, *, least: float = inf, most: float = inf) -> LineBlock | None:
        """Return whole lines from line ``begin`` on: about ``least`` bytes or ``most`` lines, or all.

        They can be read again until they are dropped.  ``None`` at the end of the file, or of its lines.
        """
        waiting = self._waiting
        first = end = self._cut(begin)
        while least > 0 and most > 0:
            if end == len(waiting):
                with suppress(Exception):  # the next read raises it again
                    waiting.extend(filter(None, [self._read()]))
            if end == len(waiting) or not isinstance(block := waiting[end], LineBlock):
                break
            count = most
            if len(block.data) > 2 * least:  # without need, a block is not cut
                count = max(1, block.size * least // len(block.data))
            if block.size > count:
                self._cut(block.line + int(count))
                block = waiting[end]
            least, most, end = least - len(block.data), most - block.size, end + 1
        if first == end:
            return None
        waiting[first:end] = [block := LineBlock.joined(waiting[first:end])]
        for text in block.lines() if self.empty else ():
            with suppress(ValueError):
                self._look_at(block.parse(text))
            if not self.empty:
                break
        return block

    def drop(self, begin: int) -> None:
        """Drop the lines before line ``begin``."""
        del self._waiting[: self._cut(begin)]

    def _cut(self, line: int) -> int:
        """Cut the waiting block that has a line, and return the index of the block that begins there."""
        for index, block in enumerate(self._waiting):
            if not isinstance(block, LineBlock) or line <= block.line:
                return index
            if line < block.line + block.size:
                self._waiting[index : index + 1] = block.split(line - block.line)
                return index + 1
        return len(self._waiting)

    def _look_at(self, tree: Tree) -> None:
        """Note if a tree has words, and traces if this side is watched for them."""
        if self.empty and tree.words:
            self.empty = self._settings.traces != "keep" and set(tree.tags) == {TRACE}
        if self.watched and not self.has_traces:
            self.has_traces = TRACE in tree.tags

    def _of_lines(self, first: LineBlock, others: Iterator[Any]) -> Iterator[Sentence]:
        """Yield the sentences of a file's lines."""
        line_reader = LineReader(first.parse, first.origin)
        number = first.line  # each line before is a sentence
        for block in chain([first], others):
            lines, index, offset = block.lines(), 0, block.offset
            while index < len(lines):
                trees = line_reader.trees(lines, index)
                for found in trees:
                    number += 1
                    if self.empty or self.watched:
                        self._look_at(found)
                    yield Sentence(number, found, found)
                offset += sum(map(len, lines[index : index + len(trees)]))
                index += len(trees)
                for text in lines[index : index + 1]:
                    if self._ends_early and text[:1] != b"(" and tree_part(text) is None:
                        return
                    for item in line_reader.read(text, block.line + index + 1, offset):
                        number += 1
                        tree: Any = item.result
                        error: TreeError | None = None
                        if isinstance(tree, TreeError):
                            # Lines that were looked at for workers are not before this one.
                            tree, error = EMPTY, self._on_error(tree, first=number == 1)
                        self._look_at(tree)
                        yield Sentence(number, tree, tree, error)
                    offset += len(text)
                    index += 1

    def aligned_words(self, sentence: Sentence) -> tuple[str, ...]:
        """Return the words of a sentence that are aligned."""
        return self._rules.aligned_words(sentence.tree)

    def _on_error(self, error: TreeError, *, first: bool | None = None) -> TreeError:
        """Raise the error of a sentence, the ``first`` one or another, or return it if it is skipped."""
        error = self._with_option(error)
        if error.source is not None and error.source.startswith("sentence "):
            # One of a list of sentences
            error = reported(error, source=f"{'gold' if self._side == 'gold' else 'system'} {error.source}")
        if self._settings.on_error == "skip":
            return error
        advice = (
            "" if isinstance(error, ReaderOptionError) else "; use on_error='skip' to skip such sentences"
        )
        at_begin = self.empty if first is None else first
        if at_begin and error.message.endswith(NO_TREE) and self._is_plain_text():
            advice = f"; if it is plain text, give {self._side}_format='text'"
        elif at_begin and error.message.endswith((NO_TREE, NO_RECORD)):
            advice = f"; if the file is a treebank, name its format with {self._side}_format"
        raise reported(error, after=advice) from None

    def _is_plain_text(self) -> bool:
        """Return True if the first lines of the file have no brackets of any kind."""
        first = getattr(getattr(self._input, "ahead", None), "first", None) or ["("]
        return not any(sign in str(line) for line in first for sign in "()[]{}<>")

    def _items(self) -> Iterator[Sentence | LineBlock]:
        """Yield the sentences as read, or lines of them."""
        settings = self._settings
        errors: list[TreeError] = []
        answers: list[Answer] = []

        try:
            trees = read(
                self._input.to_read(self._source),
                self._asked_format,
                encoding=self._input.encoding,
                on_error=lambda error: errors.append(self._on_error(error)),
                on_answer=answers.append if self._answers else None,
                unread=self._unread,
                **settings.answer_options(self._side),
            )
            times = settings.gold_times if self._side == "gold" else settings.sys_times
            if times is not None and settings.pair == "id":
                trees = self._with_ids(trees, times)
            number = 1
            item: Any
            for item in trees:
                if type(item) is LineBlock:
                    yield item
                    continue
                item = self._preparation.of(item)
                if self._flat:
                    item = flat_tree(item.words, item.tags if item.tagged else None, item.id)
                error = errors.pop() if errors else None
                yield Sentence(number, item, item, error, answers.pop() if answers else None)
                number += 1
        except ReaderOptionError as error:
            raise self._with_option(error) from None

    def _with_option(self, error: TreeError) -> TreeError:
        """Suggest this side's option, such as ``sys_encoding``, where the reader suggests its own."""
        if isinstance(error, ReaderOptionError) and hasattr(self._settings, f"{self._side}_{error.option}"):
            return error.of_side(self._side)
        return error

    def _with_ids(self, trees: Iterator[Tree], times: str | os.PathLike[str]) -> Iterator[Tree]:
        """Yield the trees, with the name of the utterance in place of a missing id.

        Utterances belong to the sentences with words in order, as in :class:`Timings`.
        """
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

    A sentence waits for its partner and for all gold sentences before it.  Both files are read in
    step, so that few sentences wait if the ids are in about the same order.
    """
    gold_ids, system_ids = IdSet(), IdSet()
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


def _id(sentence: Sentence, seen: IdSet, source: str) -> str:
    """Return the id of the next sentence of a file; raise a TreeError if it is missing or repeated."""
    name = sentence.source.id
    if sentence.error is not None and (name is None or name in seen):
        return f"\0{sentence.number}"  # unique, so that it has no partner
    if name is None:
        problem = f"sentence {sentence.number} has no id; expected one on each sentence"
    elif not seen.add(name):
        problem = f"the sentence id {name!r} occurs twice; expected a different one on each sentence"
    else:
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
    begin: tuple[int, int] = (0, 0),
    *,
    unfinished: bool = False,
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
    return pair, stretches(
        golds,
        systems,
        words=gold.aligned_words,
        same=compare,
        begin=begin,
        unfinished=unfinished,
        by_order=pair == "order",
    )
