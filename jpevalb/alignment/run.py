"""Character runs: the sentences of one side as one text."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from itertools import accumulate, chain, pairwise
from typing import AnyStr

from ..kernels.path import counts_of, levels_of, marks_of
from ..trees.words import texts

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
        self.starts = [0, *accumulate(map(len, tokens))]  # of each token, and the end of the last
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

    def without_ends(self) -> CharacterRun:
        """Return the run with tokens that earn nothing for their ends."""
        return self._with(self.tokens, bytearray([mark | 4 for mark in self.marks]))

    def size(self, begin: int, end: int) -> int:
        """Return the number of characters of a range of sentences, counted among those with words."""
        return self.starts[self.ends[end]] - self.starts[self.ends[begin]]


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
    single = [len(run.text) < SINGLE * len(run.tokens) for run in (gold, system)]
    if short or single[0] == single[1]:
        return gold, system
    return (gold.without_ends(), system) if single[0] else (gold, system.without_ends())


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
