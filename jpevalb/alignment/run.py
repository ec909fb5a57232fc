"""Character runs: the sentences of one side as one text, and slices of it for the kernel."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from itertools import accumulate, chain, pairwise
from typing import AnyStr

from ..kernels.path import align_runs, counts_of, levels_of, marks_of, starts_of
from ..trees.words import read_as, texts
from .beads import Point

MOST = 4_000_000  # maximum number of character pairs in one call of the kernel
ONE_SIDED = 8  # ratio of frequencies on both sides above which a character is one-sided
FREQUENT = 100  # a one-sided character is at least one of so many characters
LEAST = 500  # minimum number of characters of a text for these frequencies
SINGLE = 1.15  # mean length below which tokens are single characters, whose ends show nothing


def shared_prefix(first: AnyStr, second: AnyStr, most: int) -> int:
    """Return the length of the common prefix of two texts, at most ``most``.

    >>> shared_prefix("aligned", "alignment", 9), shared_prefix("aligned", "alignment", 3)
    (5, 3)
    """
    low, high = 0, min(len(first), len(second), most)
    while low < high:
        middle = (low + high + 1) // 2
        if first[low:middle] == second[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


class CharacterRun:
    """The sentences of one side as one text."""

    __slots__ = ("ends", "levels", "marks", "starts", "text", "tokens")

    def __init__(self, tokens: list[str], lengths: Sequence[int], marks: bytearray | None = None) -> None:
        self.tokens = tokens  # comparison texts
        self.text = "".join(tokens)
        self.starts: list[int] = starts_of(tokens)  # of each token, and the end of the last
        # Number of tokens up to the end of each sentence with words, 0 first.
        self.ends = [0, *accumulate([length for length in lengths if length])]
        # A byte before the first token and behind each: 1 between tokens, 2 at a sentence end; 4 more behind
        # a token of characters that only this side has.
        self.marks: bytearray = marks or marks_of(len(tokens), self.ends)
        self.levels = levels_of(tokens, self.marks)  # the mark at each such position, 0 inside a token

    @classmethod
    def of(cls, sentences: Sequence[Sequence[str]]) -> CharacterRun:
        """Make a run of the words of some sentences."""
        return cls(list(chain.from_iterable(map(texts, sentences))), list(map(len, sentences)))

    def without(self, table: Mapping[int, None]) -> CharacterRun:
        """Return the run without some characters.

        A token of nothing else keeps its text.  Unless most tokens are like that, it earns nothing for its
        end: a full stop that is not spoken would take a word from the number before it.
        """
        kept = [token.translate(table) for token in self.tokens]
        tokens = [text or token for text, token in zip(kept, self.tokens)]
        marks = self.marks
        if len(kept) < 2 * sum(map(bool, kept)) < 2 * len(kept):
            behind = [mark if text else mark | 4 for mark, text in zip(marks[1:], kept)]
            marks = bytearray([marks[0], *behind])
        return self._with(tokens, marks)

    def _with(self, tokens: list[str], marks: bytearray) -> CharacterRun:
        """Return a run of the same sentences with other tokens or marks."""
        return CharacterRun(tokens, [end - begin for begin, end in pairwise(self.ends)], marks)

    @property
    def is_single(self) -> bool:
        """True if nearly all tokens are single characters."""
        return len(self.text) < SINGLE * len(self.tokens)

    def without_ends(self) -> CharacterRun:
        """Return the run with tokens that earn nothing for their ends."""
        return self._with(self.tokens, bytearray([mark | 4 for mark in self.marks]))

    @property
    def parts(self) -> tuple[str, list[int], bytes]:
        """Text, starts and levels, as the kernel takes them."""
        return self.text, self.starts, self.levels

    def size(self, begin: int, end: int) -> int:
        """Return the number of characters of a range of sentences, counted among those with words."""
        return self.starts[self.ends[end]] - self.starts[self.ends[begin]]

    def head(self, sentences: int) -> CharacterRun:
        """Return the run of the first sentences, counted among those with words."""
        run = CharacterRun.__new__(CharacterRun)
        run.ends = self.ends[: sentences + 1]
        run.tokens = self.tokens[: run.ends[-1]]
        run.starts = self.starts[: run.ends[-1] + 1]
        run.text = self.text[: run.starts[-1]]
        run.marks = self.marks[: run.ends[-1] + 1]
        run.levels = self.levels[: run.starts[-1] + 1]
        return run


def at_once(n: int, m: int) -> bool:
    """Return True if the kernel can align this many gold and system characters at once."""
    return n * m <= MOST


def fits(n: int, m: int) -> bool:
    """Return True if the kernel can take them, if need be without the middle of a far longer side."""
    short = min(n, m)
    return at_once(n, m) or short * short * 5 < 2 * MOST


def without_one_sided(gold: CharacterRun, system: CharacterRun) -> tuple[CharacterRun, CharacterRun]:
    """Return both runs without the characters that nearly only one side has, such as marks of a tokeniser.

    In short texts these are the accents and vowel signs that one side lacks altogether.  If the tokens of one
    side are single characters, their ends earn nothing: unlike ones would be spread over the other's tokens.
    """
    short = min(len(gold.text), len(system.text)) < LEAST
    if gold.text == system.text or (short and gold.text.isascii() and system.text.isascii()):
        return gold, system
    from unicodedata import combining

    counts = counts_of(gold.text), counts_of(system.text)
    unshared = counts[0].keys() ^ counts[1].keys()
    codes = [code for code in unshared if code >= 0x300 and combining(chr(code))]
    if not short:
        codes += _rare_on_one_side(*counts)
    if codes:
        one_sided = dict.fromkeys(codes)
        gold, system = gold.without(one_sided), system.without(one_sided)
    if not short and gold.is_single != system.is_single:
        return (gold.without_ends(), system) if gold.is_single else (gold, system.without_ends())
    return gold, system


def _rare_on_one_side(gold: Mapping[int, int], system: Mapping[int, int]) -> list[int]:
    """Return the code points that are frequent on one side only, at the median rate of shared ones."""
    shared = sorted([(system[code] / n, n + system[code]) for code, n in gold.items() if code in system])
    if not shared:
        return []
    weights = list(accumulate([weight for _, weight in shared]))
    rate = shared[bisect_left(weights, weights[-1] / 2)][0]
    frequent = min(sum(gold.values()) * rate, sum(system.values())) / FREQUENT
    codes = []
    for code in gold.keys() | system.keys():
        few, many = sorted([gold.get(code, 0) * rate, system.get(code, 0)])
        if many > ONE_SIDED * few and many >= frequent:
            codes.append(code)
    return codes


class RunSlice:
    """Tokens ``begin`` to ``end`` of one side for the kernel, without those from ``stop`` to ``resume``."""

    __slots__ = ("begin", "end", "resume", "run", "stop", "tokens")

    def __init__(self, run: CharacterRun, begin: int, end: int, tokens: Sequence[str] | None = None) -> None:
        self.run = run
        self.begin = begin
        self.stop = self.resume = self.end = end
        self.tokens = run.tokens[begin:end] if tokens is None else tokens

    @property
    def size(self) -> int:
        """Number of characters."""
        return self.run.starts[self.end] - self.run.starts[self.begin]

    def leave_out(self, other_size: int) -> None:
        """Leave out middle tokens, whole sentences if possible, so that the kernel can take both sides."""
        most = MOST // other_size
        starts, ends = self.run.starts, self.run.ends
        first, last = starts[self.begin] + most // 2, starts[self.end] - most // 2
        self.stop = bisect_right(starts, first) - 1
        self.resume = bisect_left(starts, last)
        end = ends[bisect_right(ends, self.stop) - 1]
        if starts[end] > first - most // 4:
            self.stop = end
        end = ends[bisect_left(ends, self.resume)]
        if starts[end] < last + most // 4:
            self.resume = end
        self.tokens = self.run.tokens[self.begin : self.stop] + self.run.tokens[self.resume : self.end]

    def read_as(self, exceptions: Mapping[str, str]) -> RunSlice:
        """Return the part with exceptions applied; unchanged if none applies."""
        tokens = read_as(self.tokens, exceptions)
        if tokens is self.tokens:
            return self
        part = RunSlice(self.run, self.begin, self.end, tokens)
        part.stop, part.resume = self.stop, self.resume
        return part

    def number(self, tokens: int) -> int:
        """Return the index in the run of the token behind the first ``tokens`` tokens."""
        number = self.begin + tokens
        return number if number <= self.stop else number + self.resume - self.stop

    def at_end(self, tokens: int) -> bool:
        """Return True if a sentence ends behind the first ``tokens`` tokens."""
        return self.run.marks[self.number(tokens)] & 3 == 2

    def levels(self) -> bytes:
        """Return the level of each position."""
        marks = self.run.marks
        kept = marks[self.begin : self.stop + 1] + marks[self.resume + 1 : self.end + 1]
        return levels_of(self.tokens, kept)  # type: ignore[no-any-return]


def cheapest(gold: RunSlice, system: RunSlice) -> tuple[int, list[Point]]:
    """Return the cost and the points of the cheapest path, counted from the first tokens."""
    result: tuple[int, list[Point]] = align_runs(
        "".join(gold.tokens), "".join(system.tokens), gold.levels(), system.levels()
    )
    return result
