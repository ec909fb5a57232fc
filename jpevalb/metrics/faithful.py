"""Faithfulness: how the words of an answer's tree differ from the words of the sentence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from ..base.counts import Counts

MOST_PAIRS = 1_000_000  # Maximum number of word pairs for which a longest common subsequence is computed


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class WordCounts(Counts):
    """Gold words (each is the same, changed, reordered or missing) and words of the answer."""

    gold: int = 0  #: gold words
    system: int = 0  #: words of the answers
    same: int = 0  #: gold words that the answer has at their place, case included
    changed: int = 0  #: gold words that the answer spells or splits differently
    missing: int = 0  #: gold words that the answer lacks
    added: int = 0  #: answer words that gold has nowhere
    repeated: int = 0  #: additional copies of gold words
    reordered: int = 0  #: gold words that the answer has elsewhere

    def is_faithful(self) -> bool:
        """Return True if the words are the same in the same order."""
        return self.same == self.gold == self.system


def compare_words(gold: Sequence[str], system: Sequence[str]) -> WordCounts:
    """Compare the words of a sentence with those of an answer.

    The words of a longest common subsequence are the same.  Of the others, gold words that the answer
    has elsewhere are reordered.  The rest between two of the same words is changed, one word for one,
    or entirely if only the cuts between words differ.  Words left on one side are missing, repeated (if
    gold has the word) or added.

    >>> counts = compare_words(["the", "old", "cat", "sat", "there"], ["the", "cat", "sit", "there", "there"])
    >>> counts.same, counts.changed, counts.missing, counts.added, counts.repeated, counts.reordered
    (3, 1, 1, 0, 1, 0)
    """
    n, m = len(gold), len(system)
    if list(gold) == list(system):
        return WordCounts(n, m, n)
    gaps = _gaps(gold, system)
    recut = ["".join(gold_words) == "".join(system_words) for gold_words, system_words in gaps]
    moved = Counter([word for (words, _), cut in zip(gaps, recut) if not cut for word in words])
    moved &= Counter([word for (_, words), cut in zip(gaps, recut) if not cut for word in words])
    reordered = moved.total()
    from_gold, to_system = moved.copy(), moved
    changed = missing = added = repeated = unmatched = 0
    known = set(gold)
    for (gold_words, system_words), cut in zip(gaps, recut):
        unmatched += len(gold_words)
        if cut:
            changed += len(gold_words)
            continue
        gold_words, system_words = _without(gold_words, from_gold), _without(system_words, to_system)
        both = min(len(gold_words), len(system_words))
        changed += both
        missing += len(gold_words) - both
        # Words that gold has elsewhere are spare first, then the last ones.
        order = sorted(range(len(system_words)), key=lambda index: (system_words[index] not in known, -index))
        spare = [system_words[index] in known for index in order[: len(system_words) - both]]
        repeated += sum(spare)
        added += len(spare) - sum(spare)
    return WordCounts(n, m, n - unmatched, changed, missing, added, repeated, reordered)


def _gaps(gold: Sequence[str], system: Sequence[str]) -> list[tuple[list[str], list[str]]]:
    """Return the words of both sides between matches of a longest common subsequence or of equal ends."""
    begin, n, m = 0, len(gold), len(system)
    while begin < n and begin < m and gold[begin] == system[begin]:
        begin += 1
    while n > begin and m > begin and gold[n - 1] == system[m - 1]:
        n -= 1
        m -= 1
    left, right = list(gold[begin:n]), list(system[begin:m])
    if not left or not right or len(left) * len(right) > MOST_PAIRS:
        return [(left, right)]
    # lengths[i][j]: length of a longest common subsequence of left[i:] and right[j:].
    lengths = [[0] * (len(right) + 1)]
    for word in reversed(left):
        below, row = lengths[-1], [0]
        for j in range(len(right) - 1, -1, -1):
            row.append(below[j + 1] + 1 if word == right[j] else max(below[j], row[-1]))
        lengths.append(row[::-1])
    lengths.reverse()
    gaps: list[tuple[list[str], list[str]]] = [([], [])]
    i = j = 0
    while i < len(left) and j < len(right):
        if left[i] == right[j]:
            gaps.append(([], []))
            i += 1
            j += 1
        elif lengths[i + 1][j] >= lengths[i][j + 1]:
            gaps[-1][0].append(left[i])
            i += 1
        else:
            gaps[-1][1].append(right[j])
            j += 1
    gaps[-1][0].extend(left[i:])
    gaps[-1][1].extend(right[j:])
    return gaps


def _without(words: Sequence[str], taken: Counter[str]) -> list[str]:
    """Return the words except those of a multiset, which is used up."""
    kept = []
    for word in words:
        if taken[word] > 0:
            taken[word] -= 1
        else:
            kept.append(word)
    return kept
