"""Sentence: one sentence of a file, as read and as scored."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from ..base.errors import TreeError
from .answer import Answer
from .tree import Tree
from .unread import Unread


class Sentence(NamedTuple):
    """A sentence of one side."""

    number: int  # in its file, from 1
    tree: Tree  # the tree to score: that of the file, or the empty tree without a usable parse
    source: Tree  # the tree in the file
    error: TreeError | None = None  # why the sentence could not be read
    text: bytes | None = None  # the text of `source`, if kept for workers
    answer: Answer | None = None  # of a language model

    @property
    def words(self) -> tuple[str, ...]:
        """The words to score."""
        return self.tree.words

    @property
    def name(self) -> str:
        """Name in messages: the id, or else the number."""
        return f"sentence {self.number}" if self.source.id is None else f"sentence {self.source.id!r}"


class LineSentences(Sequence[Sentence]):
    """Consecutive sentences without ids whose texts are trees; ``make`` makes an item on each access."""

    __slots__ = ("_make", "kind", "numbers", "texts")

    def __init__(
        self,
        numbers: range,
        texts: list[bytes],
        make: Callable[[int, bytes], Sentence],
        kind: type[Unread] = Unread,  # of the trees
    ) -> None:
        self.numbers = numbers
        self.texts = texts
        self.kind = kind
        self._make = make

    def __len__(self) -> int:
        return len(self.texts)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return LineSentences(self.numbers[index], self.texts[index], self._make, self.kind)
        return self._make(self.numbers[index], self.texts[index])

    def __iter__(self) -> Iterator[Sentence]:
        return map(self._make, self.numbers, self.texts)


def texts_of(sentences: Sequence[Sentence], kind: type[Unread] = Unread) -> list[Any]:
    """Return the text of each sentence; ``None`` unless its tree is of this kind, not parsed yet."""
    if isinstance(sentences, LineSentences):
        return sentences.texts if sentences.kind is kind else [None] * len(sentences)
    return [tree.data if type(tree := sentence.tree) is kind else None for sentence in sentences]


def one_by_one(items: Iterable[Sentence | LineSentences]) -> Iterator[Sentence]:
    """Yield each sentence."""
    for item in items:
        yield from item if isinstance(item, LineSentences) else [item]
