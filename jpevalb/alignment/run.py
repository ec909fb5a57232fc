"""Character runs: the sentences of one side as one text; anchors in two runs, and their similarity."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from itertools import accumulate, chain, islice
from operator import lt
from typing import TypeAlias

from ..kernels import path as kernel
from ..kernels.path import counts_of, levels_of, marks_of
from ..trees.words import NO_EXCEPTIONS, read_as, texts

ONE_SIDED = 8  # ratio of frequencies on both sides above which a character is one-sided
FREQUENT = 100  # a one-sided character is at least one of so many characters
LEAST = 500  # minimum number of characters of a text for these frequencies
SINGLE = 1.15  # mean length below which tokens are single characters, whose ends show nothing


class CharacterRun:
    """The sentences of one side as one text."""

    __slots__ = ("ends", "levels", "marks", "starts", "text", "tokens")

    def __init__(self, tokens: list[str], ends: list[int], marks: bytearray | None = None) -> None:
        self.tokens = tokens  # comparison texts
        self.text = "".join(tokens)
        self.starts = [0, *accumulate(map(len, tokens))]  # of each token, and the end of the last
        self.ends = ends  # number of tokens up to the end of each sentence with words, 0 first
        # A byte before the first token and behind each: 1 between tokens, 2 at a sentence end; 4 more behind
        # a token of characters that only this side has.
        self.marks: bytearray = marks or marks_of(len(tokens), self.ends)
        self.levels = levels_of(tokens, self.marks)  # the mark at each such position, 0 inside a token

    @classmethod
    def of(cls, sentences: Sequence[Sequence[str]]) -> CharacterRun:
        """Make a run of the words of some sentences."""
        ends = [0, *accumulate([len(words) for words in sentences if words])]
        return cls(list(chain.from_iterable(map(texts, sentences))), ends)

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
        return CharacterRun(tokens, self.ends, marks)

    def without_ends(self) -> CharacterRun:
        """Return the run with tokens that earn nothing for their ends."""
        return CharacterRun(self.tokens, self.ends, bytearray([mark | 4 for mark in self.marks]))

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


GRAM = 16  # length in characters of an anchor's text
BLOCK = 5  # minimum length in characters of a block with an anchor of edits
REST = 2  # minimum number of characters behind such an anchor in its block
AROUND = 60  # number of characters before and behind such an anchor that are examined
SHARE = 0.65  # minimum share of equal ones among them: 0.5 pairs unrelated texts
TokenPair: TypeAlias = tuple[int, int]  # numbers of gold and of system tokens


def anchors(gold: CharacterRun, system: CharacterRun, piece: tuple[int, int, int, int]) -> list[TokenPair]:
    """Return token starts, ascending, whose next :data:`GRAM` characters are unique on both sides and equal.

    ``piece`` has the first gold and system token, and the ends (last token + 1).
    """
    i, j, n, m = piece
    system_grams = grams(system, j, m)
    # A gram that occurs several times has -1 in place of its token.
    links = [
        (k, other)
        for text, k in grams(gold, i, n).items()
        if k >= 0 and (other := system_grams.get(text, -1)) >= 0
    ]
    return [link for link in longest_chain(links) if link != (i, j)]


def edit_anchors(
    gold: CharacterRun, system: CharacterRun, piece: tuple[int, int, int, int]
) -> list[TokenPair]:
    """Return token starts on both sides within equal blocks of the fewest edits of both texts.

    Chance makes short blocks equal, so most characters around an anchor have to be in equal blocks.
    Memory is linear in both texts.
    """
    # Imported late: most files need no search.
    from rapidfuzz.distance import Levenshtein

    i, j, n, m = piece
    p, q = gold.starts[i], system.starts[j]
    pair = gold.text[p : gold.starts[n]], system.text[q : system.starts[m]]
    blocks = Levenshtein.opcodes(*pair).as_matching_blocks()
    gold_flags, system_flags = map(bytearray, map(len, pair))
    for block in blocks:
        gold_flags[block.a : block.a + block.size] = b"\1" * block.size
        system_flags[block.b : block.b + block.size] = b"\1" * block.size
    gold_equal, system_equal = ([0, *accumulate(flags)] for flags in (gold_flags, system_flags))
    system_tokens = {start - q: number for number, start in enumerate(system.starts[j + 1 : m], j + 1)}
    links = []
    for block in blocks:
        first = bisect_left(gold.starts, p + block.a, i + 1, n)
        last = bisect_right(gold.starts, p + block.a + block.size - REST, first, n)
        for number in range(first, last if block.size >= BLOCK else first):
            start = gold.starts[number] - p
            at = start - block.a + block.b
            if at in system_tokens and _mostly_equal(gold_equal, start) and _mostly_equal(system_equal, at):
                links.append((number, system_tokens[at]))
                break
    return links


def _mostly_equal(sums: Sequence[int], at: int) -> bool:
    """Return True if most characters around a position are equal; ``sums`` are prefix counts of these."""
    low, high = max(0, at - AROUND), min(len(sums) - 1, at + AROUND)
    return sums[high] - sums[low] >= SHARE * (high - low)


def grams(run: CharacterRun, begin: int, end: int) -> dict[str, int]:
    """Return the token that each text of :data:`GRAM` characters starts at; -1 if it occurs again.

    The texts lie inside one sentence: the text across a sentence end is different on the other side if a
    sentence was dropped or doubled.
    """
    return kernel.grams(run.text, run.starts, run.ends, begin, end, GRAM)  # type: ignore[no-any-return]


def longest_chain(links: Sequence[TokenPair]) -> list[TokenPair]:
    """Return the longest subsequence of links that ascends on both sides, in O(n log n)."""
    seconds = [q for _, q in links]
    if all(map(lt, seconds, islice(seconds, 1, None))):
        return list(links)
    tops: list[int] = []
    ends: list[int] = []
    before = [-1] * len(links)
    for number, (_, q) in enumerate(links):
        height = bisect_left(tops, q)
        if height:
            before[number] = ends[height - 1]
        if height == len(tops):
            tops.append(q)
            ends.append(number)
        else:
            tops[height] = q
            ends[height] = number
    chain: list[TokenPair] = []
    at = ends[-1] if ends else -1
    while at >= 0:
        chain.append(links[at])
        at = before[at]
    chain.reverse()
    return chain


# Longer texts (in characters) are judged by the edits of the alignment: the fewest edits would take minutes.
LONG = 100_000
HINT = 31  # expected edits, which makes the cost linear for nearly equal texts


def share_of_equal(gold: Sequence[str], system: Sequence[str], equal: int) -> float:
    """Return the share of the longer text's characters with equal partners; 1 for empty texts."""
    longest = max(sum(map(len, texts(gold))), sum(map(len, texts(system))))
    # Texts with exceptions applied may be longer than as written.
    return min(1.0, equal / longest) if longest else 1.0


def is_similar(
    gold: Sequence[str],
    system: Sequence[str],
    ratio: float,
    exceptions: Mapping[str, str] = NO_EXCEPTIONS,
    equal: int | None = None,
    sizes: tuple[int, int] | None = None,
) -> bool:
    """Return True if the edit distance of two texts is at most ``ratio`` of the gold text's length.

    Texts are compared as written and with exceptions applied.  ``equal``, the pairs of equal characters in
    some alignment, and ``sizes``, the lengths of the texts as written, are optional shortcuts.

    Source: Jo et al. 2024, section 3, whose text has "less than 0.1" but whose published results use 0.15.
    """
    if sizes is not None and equal is not None and sum(sizes) - 2 * equal <= _limit(sizes[0], ratio):
        return True
    gold_texts, system_texts = texts(gold), texts(system)
    if _near("".join(gold_texts), "".join(system_texts), ratio, equal):
        return True
    gold_read, system_read = read_as(gold_texts, exceptions), read_as(system_texts, exceptions)
    changed = gold_read is not gold_texts or system_read is not system_texts
    return changed and _near("".join(gold_read), "".join(system_read), ratio, None)


def _limit(size: int, ratio: float) -> int:
    """Return the maximum number of edits for a gold text of ``size`` characters."""
    return int(ratio * size + 1e-9)


def _near(a: str, b: str, ratio: float, equal: int | None) -> bool:
    if a == b:
        return True
    limit = _limit(len(a), ratio)
    if abs(len(a) - len(b)) > limit:
        return False
    if equal is not None and len(a) + len(b) - 2 * equal <= limit:
        return True
    if max(len(a), len(b)) > LONG:
        return equal is not None and max(len(a), len(b)) - equal <= limit
    # Imported late: it takes as long as scoring a small file.
    from rapidfuzz.distance import Levenshtein

    return Levenshtein.distance(a, b, score_cutoff=limit, score_hint=HINT) <= limit
