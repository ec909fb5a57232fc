"""Sentences: which gold sentences and which system sentences carry the same text."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from .words import NO_EXCEPTIONS, plain, replaced

if TYPE_CHECKING:
    from .pieces import Texts
    from .regions import Walk

Item = TypeVar("Item")

RATIO = 0.15
"""The largest edit distance over the gold text's length at which two texts are similar."""

_END: Any = object()


@dataclass(frozen=True, slots=True)
class Bead:
    """Gold and system sentences that carry the same text.

    Attributes:
        gold: Half-open range of 0-based gold sentence numbers; may be empty.
        system: The same of the system's sentences.
        aligned: False where one side has text and the other has none; True also where
            neither has any.
    """

    gold: tuple[int, int]
    system: tuple[int, int]
    aligned: bool


class Step:
    """Where a walk over two files stands.

    What comes after a place where no step is open depends on the sentences from there on
    and on nothing before it, so that a walk begun there finds the same beads.

    Attributes:
        open: Whether the bead handed out last was found together with the next one.
    """

    __slots__ = ("open",)

    def __init__(self) -> None:
        self.open = False


def beads(
    gold: Iterable[Item],
    system: Iterable[Item],
    *,
    words: Callable[[Item], Sequence[str]] = attrgetter("words"),
    ratio: float = RATIO,
    exceptions: Mapping[str, str] = NO_EXCEPTIONS,
    step: Step | None = None,
) -> Iterator[tuple[Bead, Sequence[Item], Sequence[Item]]]:
    """Aligns the sentences of two files; each of both files is in one bead, in order.

    A pair of sentences is a bead at once where their words, or their texts without
    blanks, are equal and not empty.  Else it is the least stretch whose texts are equal;
    else the pair, where it and the next one are similar and no text moves over the
    boundary between them; else a region is opened (:mod:`jpevalb.alignment.regions`), and
    where it does not close soon it is looked further ahead (:mod:`jpevalb.alignment.gaps`).
    A sentence that the other file lacks is a bead of its own.

    Args:
        gold: The gold file's sentences, whatever they are.
        system: The system's.
        words: Gives the words of a sentence.
        ratio: Largest edit distance over the gold text's length of similar texts.
        exceptions: Plain tokens and what they are read as.
        step: Kept up to date if given.

    Yields:
        A bead with its gold and its system sentences; it is given out as soon as it is
        known: after a sentence where the texts are equal, after 200 sentences or 100,000
        characters where they are not, and after 25,000 sentences or 4 million characters
        of either file where it takes that many to find out how they go on together.

    Cost: O(words) while both files have the same words, else linear in the sentences
    and O(characters squared / 64) inside a region.

    Source: Jo et al. 2024, section 3, whose walk this replaces.  It differs from cases 1
    and 2 there: equal stretches come before similar pairs, and a similar pair must end
    in a boundary of both sides.

    >>> gold = [["I", "saw", "it", "."], ["Go", "home", "!"], ["Yes", "."]]
    >>> system = [["I", "saw", "it", ".", "Go"], ["home", "!"], ["Yes", "."]]
    >>> [(bead.gold, bead.system) for bead, _, _ in beads(gold, system, words=list)]
    [((0, 2), (0, 2)), ((2, 3), (2, 3))]
    """
    mine = _Side(gold, words, exceptions)
    other = _Side(system, words, exceptions)
    walk: Walk | None = None
    i = j = 0
    while True:
        if not (mine.items or other.items or mine.queue or other.queue):
            # In step with nothing looked ahead: while the words are equal, no text is built.
            for first in mine.source:
                second = next(other.source, _END)
                if second is _END:
                    mine.append(first)
                    break
                tokens = words(first)
                if not tokens or tokens != words(second):
                    mine.append(first)
                    other.append(second)
                    break
                yield Bead((i, i + 1), (j, j + 1), True), (first,), (second,)
                i += 1
                j += 1
        if not mine.has(0) and not other.has(0):
            return
        if walk is None:
            from .gaps import Lookout
            from .regions import Walk

            lookout = Lookout(mine, other, ratio)
            walk = Walk(mine, other, ratio, lookout.beads)
        sizes = walk.next_beads()
        lookout.passed(sizes)
        for number, (n, m) in enumerate(sizes, 1):
            if step is not None:
                step.open = number < len(sizes) or lookout.open
            bead = Bead((i, i + n), (j, j + m), mine.blank(n) == other.blank(m))
            yield bead, mine.take(n), other.take(m)
            i += n
            j += m


class _Side(Generic[Item]):
    """One file from its first sentence that is in no bead yet, read as far as was needed."""

    __slots__ = ("exceptions", "items", "queue", "source", "texts", "words", "written")

    def __init__(
        self, source: Iterable[Item], words: Callable[[Item], Sequence[str]], exceptions: Mapping[str, str]
    ) -> None:
        self.source = iter(source)
        self.words = words
        self.exceptions = exceptions
        self.items: list[Item] = []
        self.texts: list[str] = []
        self.written: list[str] = []
        # What is behind ``items`` and was read to look far ahead; else lists would be long to cut.
        self.queue: deque[tuple[Item, str, str]] = deque()

    def _texts_of(self, item: Item) -> tuple[str, str]:
        words = plain(self.words(item))
        read = replaced(words, self.exceptions)
        text = "".join(words)
        return text if read is words else "".join(read), text

    def append(self, item: Item) -> None:
        """Takes in the next sentence of the file."""
        self.items.append(item)
        text, written = self._texts_of(item)
        self.texts.append(text)
        self.written.append(written)

    def has(self, k: int) -> bool:
        """Whether there is a sentence ``k``; reads it, so that ``texts[k]`` is there."""
        while len(self.items) <= k:
            if self.queue:
                item, text, written = self.queue.popleft()
                self.items.append(item)
                self.texts.append(text)
                self.written.append(written)
                continue
            item = next(self.source, _END)
            if item is _END:
                return False
            self.append(item)
        return True

    def ahead(self, sentences: int, characters: int) -> tuple[Texts, bool]:
        """The next sentences, of so many or so many characters; and whether the file ends with them.

        They are the same whatever has been read before: a walk begun here sees no more.
        """
        from .pieces import Texts

        texts: list[str] = []
        written: list[str] = []
        read: Iterator[tuple[str, str]] = chain(
            zip(self.texts, self.written), ((text, other) for _, text, other in self.queue)
        )
        while len(texts) < sentences and characters > 0:
            entry = next(read, None)
            if entry is None:
                item = next(self.source, _END)
                if item is _END:
                    return Texts(texts, written), True
                entry = self._texts_of(item)
                self.queue.append((item, *entry))
                read = iter(())
            texts.append(entry[0])
            written.append(entry[1])
            characters -= len(entry[0])
        return Texts(texts, written), False

    def take(self, n: int) -> list[Item]:
        """Gives away the first ``n`` sentences."""
        if n > len(self.items):
            self.has(n - 1)
        taken = self.items[:n]
        del self.items[:n], self.texts[:n], self.written[:n]
        return taken

    def blank(self, n: int) -> bool:
        """Whether the first ``n`` sentences have no text."""
        if n > len(self.items):
            self.has(n - 1)
        return not any(self.texts[:n])
