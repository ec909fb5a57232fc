"""Pairing: cut both files into stretches of sentences, by text (``align``), by position or by id."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import chain, islice, tee, zip_longest
from math import inf
from typing import Any

from ..alignment.stream import Stretch, raising, stretches
from ..base.errors import ReaderOptionError, TreeError, reported
from ..formats.bracket import LineReader
from ..formats.lines import IdSet, LineBlock, ReadSentence, tree_part
from ..formats.read import read
from ..settings.rules import TRACE, RunRules
from ..settings.settings import Settings
from ..trees.parse import NO_RECORD, NO_TREE
from ..trees.prepare import NO_PREPARATION, Preparation
from ..trees.sentence import Answer, Sentence
from ..trees.tree import EMPTY, Tree, flat_tree
from .inputs import Input
from .whole import by_shape, by_words

_TRACE = TRACE.encode()

BY_SHAPE = "shape"  # how sentences are paired where words are hidden

# Maximum number of sentences that wait with their trees; further ones wait as text
MOST_WAITING = 1000


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
        items: Iterator[Any] = iter(self._next, None)
        for item in items:
            if isinstance(item, LineBlock):
                yield from self._of_lines(item, items)  # the rest of the file is blocks, too
                return
            self._look_at(item.tree)
            yield item

    def _next(self) -> Sentence | LineBlock | None:
        """Return the next item of the file; ``None`` at the end."""
        item: Sentence | LineBlock | None = self._waiting.pop(0) if self._waiting else self._read()
        return item

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
                for tree in trees:
                    number += 1
                    if self.empty or self.watched:
                        self._look_at(tree)
                    yield Sentence(number, tree, tree)
                offset += sum(map(len, lines[index : index + len(trees)]))
                index += len(trees)
                for text in lines[index : index + 1]:
                    if self._ends_early and text[:1] != b"(" and tree_part(text) is None:
                        return
                    for item in line_reader.read(text, block.line + index + 1, offset):
                        number += 1
                        yield self._of_line(number, item)
                    offset += len(text)
                    index += 1

    def _of_line(self, number: int, item: ReadSentence) -> Sentence:
        """Return the sentence of a line."""
        tree: Any = item.result
        error: TreeError | None = None
        if isinstance(tree, TreeError):
            # Lines that were looked at for workers are not before this one.
            tree, error = EMPTY, self._on_error(tree, first=number == 1)
        self._look_at(tree)
        return Sentence(number, tree, tree, error)

    @property
    def asks_for_ids(self) -> bool:
        """True if the run names a field with the sentences' ids."""
        return self._settings.id_field is not None

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
