"""Faithfulness: what became of the words of a sentence in the tree of an answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ..trees.counts import Counts
from ..trees.frozen import frozen

MOST_PAIRS = 1_000_000
"""Pairs of words that are compared at most."""


@frozen
class WordCounts(Counts):
    """What became of the gold words, and which words came in.

    Every gold word is the same, changed, reordered or missing.

    Attributes:
        gold: Gold words.
        system: The answers' words.
        same: Gold words that the answer has as written, case included, at their place.
        changed: Gold words that the answer writes otherwise, or cuts otherwise.
        missing: Gold words that the answer lacks.
        added: The answer's words that gold has nowhere.
        repeated: Words of gold that the answer has more often.
        reordered: Gold words that the answer has at another place.
    """

    gold: int = 0
    system: int = 0
    same: int = 0
    changed: int = 0
    missing: int = 0
    added: int = 0
    repeated: int = 0
    reordered: int = 0

    def is_faithful(self) -> bool:
        """Whether the words are the same in the same order."""
        return self.same == self.gold == self.system


def compare_words(gold: Sequence[str], system: Sequence[str]) -> WordCounts:
    """Compares the words of a sentence with those of an answer.

    The words of a longest common sequence are the same.  Of the others, gold words that the answer
    has anywhere else are reordered.  What is left between two of the same is changed, one word for
    one, and all of it where only the cuts between words differ; what is left on one side is missing,
    or repeated if gold has the word, or else added.

    Cost: O(n * m) between the first and the last difference; O(n + m) where that is more than
    :data:`MOST_PAIRS`, and a common sequence is not looked for.

    >>> found = compare_words(["the", "old", "cat", "sat", "there"], ["the", "cat", "sit", "there", "there"])
    >>> found.same, found.changed, found.missing, found.added, found.repeated, found.reordered
    (3, 1, 1, 0, 1, 0)
    """
    n, m = len(gold), len(system)
    if list(gold) == list(system):
        return WordCounts(n, m, n)
    left = _gaps(gold, system)
    recut = [("".join(mine) == "".join(other)) for mine, other in left]
    # Words of one side that stand at another place of the other.
    moved = Counter([word for (mine, _), cut in zip(left, recut) if not cut for word in mine])
    moved &= Counter([word for (_, other), cut in zip(left, recut) if not cut for word in other])
    reordered = moved.total()
    from_gold, to_system = moved.copy(), moved
    changed = missing = added = repeated = 0
    there = set(gold)
    unmatched = 0
    for (mine, other), cut in zip(left, recut):
        unmatched += len(mine)
        if cut:
            changed += len(mine)
            continue
        mine, other = _without(mine, from_gold), _without(other, to_system)
        both = min(len(mine), len(other))
        changed += both
        missing += len(mine) - both
        for word in _spare(other, len(other) - both, there):
            if word in there:
                repeated += 1
            else:
                added += 1
    return WordCounts(n, m, n - unmatched, changed, missing, added, repeated, reordered)


def _gaps(gold: Sequence[str], system: Sequence[str]) -> list[tuple[list[str], list[str]]]:
    """The words of both sides between those of a longest common sequence.

    Between their first and their last difference sentences of more than :data:`MOST_PAIRS` pairs of
    words are one gap.
    """
    begin, n, m = 0, len(gold), len(system)
    while begin < n and begin < m and gold[begin] == system[begin]:
        begin += 1
    while n > begin and m > begin and gold[n - 1] == system[m - 1]:
        n -= 1
        m -= 1
    mine, other = list(gold[begin:n]), list(system[begin:m])
    if not mine or not other or len(mine) * len(other) > MOST_PAIRS:
        return [(mine, other)]
    # lengths[i][j]: of a longest common sequence of mine[i:] and other[j:].
    lengths = [[0] * (len(other) + 1)]
    for word in reversed(mine):
        below, row = lengths[-1], [0]
        for j in range(len(other) - 1, -1, -1):
            row.append(below[j + 1] + 1 if word == other[j] else max(below[j], row[-1]))
        lengths.append(row[::-1])
    lengths.reverse()
    found: list[tuple[list[str], list[str]]] = [([], [])]
    i = j = 0
    while i < len(mine) and j < len(other):
        if mine[i] == other[j]:
            found.append(([], []))
            i += 1
            j += 1
        elif lengths[i + 1][j] >= lengths[i][j + 1]:
            found[-1][0].append(mine[i])
            i += 1
        else:
            found[-1][1].append(other[j])
            j += 1
    found[-1][0].extend(mine[i:])
    found[-1][1].extend(other[j:])
    return found


def _without(words: Sequence[str], taken: Counter[str]) -> list[str]:
    """The words but for those of a multiset, which are used up."""
    kept = []
    for word in words:
        if taken[word] > 0:
            taken[word] -= 1
        else:
            kept.append(word)
    return kept


def _spare(words: Sequence[str], count: int, there: set[str]) -> list[str]:
    """Those of the words that stand for no gold word: first such as gold has elsewhere, then the last."""
    order = sorted(range(len(words)), key=lambda place: (words[place] not in there, -place))
    return [words[place] for place in order[:count]]
