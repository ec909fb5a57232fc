"""Sentences: which gold sentences and which system sentences carry the same text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from .words import NO_EXCEPTIONS, plain, replaced

if TYPE_CHECKING:
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
        aligned: False where one side has text and the other has none.
    """

    gold: tuple[int, int]
    system: tuple[int, int]
    aligned: bool


def _words_of(item: Any) -> Sequence[str]:
    words: Sequence[str] = item.words
    return words


def beads(
    gold: Iterable[Item],
    system: Iterable[Item],
    *,
    words: Callable[[Item], Sequence[str]] = _words_of,
    ratio: float = RATIO,
    exceptions: Mapping[str, str] = NO_EXCEPTIONS,
) -> Iterator[tuple[Bead, Sequence[Item], Sequence[Item]]]:
    """Aligns sentences; each sentence of both sides is in exactly one bead, in order."""
    mine = _Side(gold, words, exceptions)
    other = _Side(system, words, exceptions)
    walk: Walk | None = None
    i = j = 0
    while True:
        if not mine.items and not other.items:
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
            from .regions import Walk

            walk = Walk(mine, other, ratio)
        for n, m in walk.next_beads():
            bead = Bead((i, i + n), (j, j + m), mine.blank(n) == other.blank(m))
            yield bead, mine.take(n), other.take(m)
            i += n
            j += m


class _Side(Generic[Item]):
    """One file from its first sentence that is in no bead yet, read as far as was needed."""

    __slots__ = ("exceptions", "items", "source", "texts", "words", "written")

    def __init__(
        self, source: Iterable[Item], words: Callable[[Item], Sequence[str]], exceptions: Mapping[str, str]
    ) -> None:
        self.source = iter(source)
        self.words = words
        self.exceptions = exceptions
        self.items: list[Item] = []
        self.texts: list[str] = []
        self.written: list[str] = []

    def append(self, item: Item) -> None:
        self.items.append(item)
        words = plain(self.words(item))
        read = replaced(words, self.exceptions)
        text = "".join(words)
        self.written.append(text)
        self.texts.append(text if read is words else "".join(read))

    def has(self, k: int) -> bool:
        while len(self.items) <= k:
            item = next(self.source, _END)
            if item is _END:
                return False
            self.append(item)
        return True

    def take(self, n: int) -> list[Item]:
        taken = self.items[:n]
        del self.items[:n], self.texts[:n], self.written[:n]
        return taken

    def blank(self, n: int) -> bool:
        return not any(self.texts[:n])
