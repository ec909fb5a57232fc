"""Sentence: one sentence of a file, as read and as scored."""

from typing import NamedTuple

from ..base.errors import TreeError
from .answer import Answer
from .tree import Tree


class Sentence(NamedTuple):
    """A sentence of one side."""

    number: int  # in its file, from 1
    tree: Tree  # the tree to score: that of the file, or the empty tree without a usable parse
    source: Tree  # the tree in the file
    error: TreeError | None = None  # why the sentence could not be read
    answer: Answer | None = None  # of a language model

    @property
    def words(self) -> tuple[str, ...]:
        """The words to score."""
        return self.tree.words

    @property
    def name(self) -> str:
        """Name in messages: the id, or else the number."""
        return f"sentence {self.number}" if self.source.id is None else f"sentence {self.source.id!r}"
