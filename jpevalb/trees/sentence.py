"""Sentences: one sentence of a file, as it was read and as it is scored."""

from __future__ import annotations

from typing import NamedTuple

from .answer import Answer
from .errors import TreeError
from .tree import Tree


class Sentence(NamedTuple):
    """A sentence of one side."""

    number: int
    """Its place in its file, from 1."""
    tree: Tree
    """What is scored: without the words that its own tags say to leave out."""
    source: Tree
    """What the file has."""
    outside: int = 0
    """Words left out that count for the length."""
    error: TreeError | None = None
    """Why it has no parse, if it could not be read."""
    text: bytes | None = None
    """The text that ``source`` was read from, where it was kept for workers."""
    answer: Answer | None = None
    """What is known of the answer that ``source`` was read from, where a language model wrote the file."""

    @property
    def words(self) -> tuple[str, ...]:
        """The words that are scored."""
        return self.tree.words

    @property
    def name(self) -> str:
        """What messages call it: its id, or else its number."""
        return f"sentence {self.number}" if self.source.id is None else f"sentence {self.source.id!r}"
