"""Run: the sentences of one side as one run of characters, and parts of it."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from itertools import accumulate, chain
from typing import AnyStr

from ..kernels.path import levels_of, starts_of
from ..trees.words import read_as, texts

MOST = 4_000_000
"""Pairs of characters that the kernel gets at once."""


def shared_prefix(one: AnyStr, other: AnyStr, most: int) -> int:
    """How many characters or bytes two texts share from their beginning on.

    Args:
        one: A text.
        other: Another one of its type.
        most: How many are looked at.

    Cost: O(length), by comparing slices.

    >>> shared_prefix("aligned", "alignment", 9), shared_prefix("aligned", "alignment", 3)
    (5, 3)
    """
    low, high = 0, min(len(one), len(other), most)
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


class Run:
    """The sentences of one side as one run of characters.

    Attributes:
        tokens: Comparison texts of the tokens.
        text: All characters.
        starts: Where each token starts, and the end of the last.
        levels: A byte for each place: 0 inside a token, 1 between two, 2 where a sentence ends.
        ends: Numbers of tokens up to the end of each sentence that has some, from 0 on.
    """

    __slots__ = ("ends", "levels", "starts", "text", "tokens")

    def __init__(self, tokens: list[str], lengths: Sequence[int]) -> None:
        self.tokens = tokens
        self.text = "".join(tokens)
        self.starts: list[int] = starts_of(tokens)
        self.ends = [0, *accumulate([length for length in lengths if length])]
        self.levels = levels_of(tokens, 0, self.ends)

    @classmethod
    def of(cls, sentences: Sequence[Sequence[str]]) -> Run:
        """The run of some sentences, from their words."""
        return cls(list(chain.from_iterable(map(texts, sentences))), list(map(len, sentences)))

    @property
    def parts(self) -> tuple[str, list[int], bytes]:
        """What the kernel gets of it: the text, the starts and the levels."""
        return self.text, self.starts, self.levels

    def size(self, begin: int, end: int) -> int:
        """Characters of sentences, by their places among those with words: from one to before another."""
        return self.starts[self.ends[end]] - self.starts[self.ends[begin]]

    def head(self, sentences: int) -> Run:
        """The run of the first sentences, as many of those that have words."""
        found = Run.__new__(Run)
        found.ends = self.ends[: sentences + 1]
        found.tokens = self.tokens[: found.ends[-1]]
        found.starts = self.starts[: found.ends[-1] + 1]
        found.text = self.text[: found.starts[-1]]
        found.levels = self.levels[: found.starts[-1] + 1]
        return found


def at_once(n: int, m: int) -> bool:
    """Whether the kernel takes so many gold and system characters as they are."""
    return n * m <= MOST


def fits(n: int, m: int) -> bool:
    """Whether it takes them at least without the middle of the side that is far longer."""
    short = min(n, m)
    return n * m <= MOST or short * short * 5 < 2 * MOST


class Part:
    """Tokens of one side for the kernel, without those in the middle where they are too many.

    Attributes:
        run: The side.
        begin: The first token.
        stop: The first token that is left out.
        again: The first token behind those.
        end: The token behind the last one.
        tokens: Their texts.
    """

    __slots__ = ("again", "begin", "end", "run", "stop", "tokens")

    def __init__(self, run: Run, begin: int, end: int, tokens: Sequence[str] | None = None) -> None:
        self.run = run
        self.begin = begin
        self.stop = self.again = self.end = end
        self.tokens = run.tokens[begin:end] if tokens is None else tokens

    @property
    def size(self) -> int:
        """The number of characters."""
        return self.run.starts[self.end] - self.run.starts[self.begin]

    def leave_out(self, beside: int) -> None:
        """Leaves out tokens in the middle, best whole sentences, so that the kernel can take it.

        Args:
            beside: Characters of the other side.
        """
        most = MOST // beside
        starts, ends = self.run.starts, self.run.ends
        first, last = starts[self.begin] + most // 2, starts[self.end] - most // 2
        self.stop = bisect_right(starts, first) - 1
        self.again = bisect_left(starts, last)
        end = ends[bisect_right(ends, self.stop) - 1]
        if starts[end] > first - most // 4:
            self.stop = end
        end = ends[bisect_left(ends, self.again)]
        if starts[end] < last + most // 4:
            self.again = end
        self.tokens = self.run.tokens[self.begin : self.stop] + self.run.tokens[self.again : self.end]

    def read_as(self, exceptions: Mapping[str, str]) -> Part:
        """The part as the exceptions say; this one if they say nothing of it."""
        tokens = read_as(self.tokens, exceptions)
        if tokens is self.tokens:
            return self
        part = Part(self.run, self.begin, self.end, tokens)
        part.stop, part.again = self.stop, self.again
        return part

    def number(self, tokens: int) -> int:
        """The number of the token that has so many tokens of the part before it."""
        number = self.begin + tokens
        return number if number <= self.stop else number + self.again - self.stop

    def at_end(self, tokens: int) -> bool:
        """Whether a sentence ends behind so many tokens of the part."""
        return self.run.levels[self.run.starts[self.number(tokens)]] == 2

    def levels(self) -> bytes:
        """The level of each place."""
        run, starts = self.run, self.run.starts
        found = bytearray([run.levels[starts[self.begin]]])
        places = [*range(self.begin + 1, self.stop + 1), *range(self.again + 1, self.end + 1)]
        for text, k in zip(self.tokens, places):
            found += bytes(len(text) - 1)
            found.append(run.levels[starts[k]])
        return bytes(found)
