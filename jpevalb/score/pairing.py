"""Pairing: cuts both files into stretches of sentences that are paired and scored on their own.

There are three ways to pair: by text (``align``), by place (``order``) and by name (``id``).
Each gives the same kind of stretch, in the order in which the results are reported, so that what
comes after it, here or on workers, is the same for all of them.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice, zip_longest
from operator import attrgetter
from typing import TypeAlias

from ..alignment.stream import TOGETHER, Stretch, stretches
from ..kernels.scan import same_words
from ..trees.answer import Answer
from ..trees.bracket import Unread
from ..trees.edges import IdSet
from ..trees.errors import JpevalbError, ReaderOptionError, TreeError
from ..trees.formats import read, text_parser
from ..trees.frozen import replace
from ..trees.labels import TRACE, LabelPolicy
from ..trees.sentence import Sentence
from ..trees.settings import Settings
from ..trees.tree import EMPTY, Tree
from .inputs import Input

MOST_WAITING = 1000
"""Sentences that wait for their turn with their trees; of those behind them only the texts wait."""


class Side:
    """One file of a run, read sentence by sentence.

    Args:
        source: The input.
        name: ``"gold"`` or ``"system"``: what messages call a source that is no file.
        settings: How it is read.
        labels: Say which words are left out of each tree at once.
        keep_text: Whether sentences keep the text they were read from.
        words_alone: Whether nothing but their words is looked at here, since workers read them again.

    Attributes:
        name: What messages call it.
        format: The format that it is in, once that is known.
        watched: Whether it is looked for words tagged ``-NONE-``.
        has_traces: Whether one was met then, or is known to be there.
    """

    def __init__(
        self,
        source: Input,
        name: str,
        settings: Settings,
        labels: LabelPolicy,
        *,
        keep_text: bool = False,
        words_alone: bool = False,
    ) -> None:
        self.name = source.name
        self.format: str | None = None
        self._side = "gold" if name == "gold" else "sys"
        self._answers = settings.answers and self._side == "sys"
        self._asked_format, self.encoding = settings.reading(self._side)
        self.source = source.source
        self._settings = settings
        self._labels = labels
        self._keep_text = keep_text
        self._words_alone = words_alone
        self.watched = self.has_traces = False
        self._parse: Callable[[bytes], Tree] | None = None
        # Names of utterances that sentences without an id go by, by the number of the sentence.
        self._utterances: dict[int, str] = {}

    def __iter__(self) -> Iterator[Sentence]:
        """Yields the sentences."""
        settings, labels = self._settings, self._labels
        errors: list[TreeError] = []
        texts: list[bytes] = []
        answers: list[Answer] = []
        pruned = labels.deletes_words and not settings.conventions.gold_deletes

        def on_error(error: TreeError) -> None:
            self._name_option(error)
            if settings.on_error == "stop":
                error.message += "; or skip the sentence with on_error='skip' (--on-error skip)"
                raise error
            errors.append(error)

        trees = read(
            self.source,
            self._asked_format,
            encoding=self.encoding,
            on_error=on_error,
            on_format=self._note_format,
            on_text=texts.append if self._keep_text else None,
            on_answer=answers.append if self._answers else None,
            words_alone=self._words_alone and not (pruned or self.watched),
            **settings.answer_options(self._side),
        )
        times = settings.gold_times if self._side == "gold" else settings.sys_times
        if times is not None and settings.pair == "id":
            trees = self._with_ids(trees, times)
        try:
            for number, tree in enumerate(trees, 1):
                if self.watched and TRACE in tree.tags:
                    self.has_traces = True
                scored, outside = labels.prune(tree) if pruned else (tree, 0)
                if not (outside or errors or texts or answers):
                    yield Sentence(number, scored, tree)
                    continue
                error = errors.pop() if errors else None
                text = texts.pop() if texts else None
                yield Sentence(number, scored, tree, outside, error, text, answers.pop() if answers else None)
        except ReaderOptionError as error:
            self._name_option(error)
            raise

    def _name_option(self, error: TreeError) -> None:
        """Suggest this side's option, such as ``sys_encoding``, where the reader suggests its own."""
        if isinstance(error, ReaderOptionError) and hasattr(self._settings, f"{self._side}_{error.option}"):
            error.name_option(f"{self._side}_{error.option}")

    def _with_ids(self, trees: Iterator[Tree], times: str | os.PathLike[str]) -> Iterator[Tree]:
        """The trees, those without an id by the name of the utterance that has their times.

        Utterances and sentences that have words go together in order, as in :class:`Timings`.
        """
        from ..trees.timings import read_timings

        utterances = read_timings(times)
        names = iter([utterance.name for utterance in utterances])
        for number, tree in enumerate(trees, 1):
            name = next(names, None) if tree.words else None
            if number == len(utterances) == 1 and len(utterances[0].words) != len(tree.words):
                name = None  # a whole recording
            if name is not None and tree.id is None:
                self._utterances[number] = name
                tree = replace(tree, id=name)
            yield tree

    def _note_format(self, format: str) -> None:
        self.format = format

    def without_tree(self, sentence: Sentence) -> Sentence:
        """A sentence that has to wait for long: where it has a text, the text alone waits."""
        if sentence.text is None or sentence.error is not None:
            return sentence
        return sentence._replace(tree=_GONE, source=_GONE)

    def with_tree(self, sentence: Sentence) -> Sentence:
        """A sentence that waited, as it was read.  Cost: that of reading it, where its text alone waited."""
        if sentence.source is not _GONE or sentence.text is None or self.format is None:
            return sentence
        if self._parse is None:
            self._parse = text_parser(self.format)
        tree = self._parse(sentence.text)
        if sentence.number in self._utterances:
            tree = replace(tree, id=self._utterances[sentence.number])
        scored = tree if self._settings.conventions.gold_deletes else self._labels.prune(tree)[0]
        return sentence._replace(tree=scored, source=tree)


_GONE = Tree(EMPTY.labels, EMPTY.parents, EMPTY.starts, EMPTY.ends, EMPTY.words, EMPTY.word_parents)
"""Stands for the tree of a sentence whose text alone waits."""


def _same(gold: Sentence, system: Sentence) -> bool:
    """Whether two sentences have the same words.  Cost: O(bytes) where neither has been read."""
    mine, other = gold.tree, system.tree
    if type(mine) is Unread is type(other):
        found: bool = same_words(mine.data, other.data)
        return found
    return mine.words == other.words


Found: TypeAlias = "tuple[Sentence, Sentence] | Stretch"
"""Two sentences that belong together, or a sentence that stands alone."""


def ordered(gold: Iterator[Sentence], system: Iterator[Sentence]) -> Iterator[Found]:
    """Sentences at the same place of both files; the rest of the longer one is alone."""
    pairs = 0
    for place, (mine, other) in enumerate(zip_longest(gold, system)):
        if mine is None:
            yield Stretch([], [other], False, pairs, place)
        elif other is None:
            yield Stretch([mine], [], False, place, pairs)
        else:
            yield mine, other
            pairs += 1


def in_stretches(found: Iterable[Found]) -> Iterator[Stretch]:
    """Stretches of several pairs each; those before an error are handed out before it."""
    pairs: list[tuple[Sentence, Sentence]] = []

    def waiting() -> Iterator[Stretch]:
        if pairs:
            gold, system = map(list, zip(*pairs))
            pairs.clear()
            yield Stretch(gold, system, True, gold[0].number - 1, system[0].number - 1)

    try:
        for one in found:
            if isinstance(one, Stretch):
                yield from waiting()
                yield one
            else:
                pairs.append(one)
                if len(pairs) == TOGETHER:
                    yield from waiting()
    except JpevalbError:
        yield from waiting()
        raise
    yield from waiting()


class ById:
    """Pairs sentences that have the same id, in the order of gold.

    A sentence waits until its partner and all gold sentences before it have come.  Both files are
    read in step, so that few wait where the ids come in about the same order.
    """

    def __init__(self, gold: Side, system: Side) -> None:
        self._sides = gold, system
        self._seen = IdSet(), IdSet()
        # Sentences that wait for a partner, by id.
        self._left: dict[str, int] = {}
        self._right: dict[str, Sentence] = {}
        # Gold sentences that have not been handed out, with their partners once they have come.
        self._waiting: dict[int, tuple[Sentence, Sentence | None]] = {}
        self._following = 1
        self._paired = False

    def pairs(self, gold: Iterator[Sentence], system: Iterator[Sentence]) -> Iterator[Found]:
        """Yields the pairs, and gold sentences without a partner; sentences that gold lacks come last.

        Raises:
            TreeError: a sentence without an id, an id that stands twice, or no id that is in both files.
            JpevalbError: a sentence that cannot be read.
        """
        waiting = self._waiting
        for first, second in zip_longest(gold, system):
            if first is not None:
                self._take_gold(first)
            if second is not None:
                self._take_system(second)
            while (found := waiting.get(self._following)) is not None and found[1] is not None:
                del waiting[self._following]
                self._following += 1
                yield self._with_trees(*found)
        if self._left and self._right and not self._paired:
            raise TreeError(
                f"no sentence id is in both files: gold has {_some(self._left)}, the system "
                f"{_some(self._right)}; pair='order' (--pair order) pairs sentences by their order"
            )
        while waiting:
            number = next(iter(waiting))
            self._following = number + 1
            yield self._with_trees(*waiting.pop(number))
        for sentence in self._right.values():
            extra = self._sides[1].with_tree(sentence)
            yield Stretch([], [extra], False, self._following - 1, sentence.number - 1)

    def _with_trees(self, gold: Sentence, system: Sentence | None) -> Found:
        gold = self._sides[0].with_tree(gold)
        if system is None:
            return Stretch([gold], [], False, gold.number - 1, 0)
        return gold, self._sides[1].with_tree(system)

    def _take_gold(self, sentence: Sentence) -> None:
        name = self._id(sentence, 0)
        partner = self._right.pop(name, None)
        if partner is None:
            self._left[name] = sentence.number
        else:
            self._paired = True
        if len(self._waiting) >= MOST_WAITING:
            sentence = self._sides[0].without_tree(sentence)
        self._waiting[sentence.number] = sentence, partner

    def _take_system(self, sentence: Sentence) -> None:
        name = self._id(sentence, 1)
        number = self._left.pop(name, None)
        if len(self._waiting) + len(self._right) >= MOST_WAITING:
            sentence = self._sides[1].without_tree(sentence)
        if number is None:
            self._right[name] = sentence
        else:
            self._paired = True
            self._waiting[number] = self._waiting[number][0], sentence

    def _id(self, sentence: Sentence, side: int) -> str:
        seen = self._seen[side]
        name = sentence.source.id
        if sentence.error is not None and (name is None or name in seen):
            return f"\0{sentence.number}"  # of no use as a name, so it has no partner
        source = self._sides[side].name
        if name is None:
            raise TreeError(
                f"sentence {sentence.number} has no id; expected one on each, "
                "or pair='order' (--pair order) to pair sentences by their order",
                source=source,
            )
        if not seen.add(name):
            raise TreeError(
                f"the sentence id {name!r} stands twice; each sentence needs one of its own",
                source=source,
            )
        return name


def _some(names: Iterable[str]) -> str:
    """The first three names of several."""
    first = [repr(name) for name in islice(names, 4)]
    return ", ".join(first[:3]) + (", ..." if len(first) > 3 else "")


def paired(gold: Side, system: Side, how: str) -> tuple[str, Iterator[Stretch]]:
    """Both files cut into stretches.

    Args:
        gold: The gold file.
        system: The system's file.
        how: ``"align"``, ``"order"``, ``"id"``, or ``"auto"``: by id where the first sentences of both
            files have ids, else by order.

    Returns:
        How the sentences are paired, and the stretches in the order of the report.

    Cost: O(sentences); memory for one stretch, and by id for the sentences that wait for their turn.
    """
    left, right = iter(gold), iter(system)
    if how == "align":
        return how, stretches(left, right, words=attrgetter("tree.words"), same=_same)
    if how == "auto":
        first, second = list(islice(left, 1)), list(islice(right, 1))
        named = all(one and one[0].source.id is not None for one in (first, second))
        how = "id" if named else "order"
        left, right = chain(first, left), chain(second, right)
    return how, in_stretches(ById(gold, system).pairs(left, right) if how == "id" else ordered(left, right))
