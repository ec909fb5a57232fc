"""Reasons why many words differ: marks of a tokeniser, another script, another order, repeated text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from ..base.claims import Claim
from ..trees.words import has_marks

LEAST = 50  # minimum number of words for a reason
SHARE = 0.1  # minimum share of all words that a reason concerns
LOOP = 50  # maximum number of different words of repeated text
REPEATS = 10  # mean number of occurrences of unaligned words of repeated text

Differing = Mapping[tuple[str, str], int]


def reasons(differing: Differing, gold_words: int, system_words: int) -> Iterator[Claim]:
    """Yield the reasons that explain most of the words that differ, with the share of words concerned.

    Args:
        differing: Numbers of (gold, system) texts of units; one is empty for a word without a counterpart.
        gold_words: Number of units of both sides and of gold words without a counterpart.
        system_words: The same for the system.
    """
    paired = {pair: times for pair, times in differing.items() if all(pair)}
    gold_alone = Counter({gold: times for (gold, system), times in differing.items() if not system})
    system_alone = Counter({system: times for (gold, system), times in differing.items() if not gold})
    sides = ("gold", gold_words, gold_alone), ("system", system_words, system_alone)
    number = sum(paired.values())
    for index, (side, words, _) in enumerate(sides):
        marked = {
            pair: times
            for pair, times in paired.items()
            if has_marks(pair[index]) and not has_marks(pair[not index])
        }
        if _explains(count := sum(marked.values()), number, words):
            example = max(marked, key=lambda pair: marked[pair])[index].split()[0]
            yield Claim("tokeniser_marks", {"side": side, "share": _share(count, words), "example": example})
    scripts = Counter[tuple[str, str]]()
    for (gold, system), times in paired.items():
        pair = _script(gold), _script(system)
        if pair[0] and pair[1] and pair[0] != pair[1]:
            scripts[pair] += times
    if _explains(count := scripts.total(), number, gold_words):
        (gold, system), _ = scripts.most_common(1)[0]
        numbers = {"share": _share(count, gold_words), "gold": gold, "system": system}
        yield Claim("other_script", numbers)
    common = (gold_alone & system_alone).total()
    if all(_explains(common, alone.total(), words) for _, words, alone in sides):
        yield Claim("other_order", {"share": _share(common, gold_words)})
        return
    # Words of gold have no counterpart if sentences are missing; a vocabulary repeats in any large file.
    total = system_alone.total()
    few = len(system_alone) <= LOOP and total >= REPEATS * len(system_alone)
    if few and _explains(total, total, system_words):
        yield Claim("repeats", {"share": _share(total, system_words), "words": len(system_alone)})


def _explains(count: int, differing: int, words: int) -> bool:
    """Return True if a reason concerns most of the words that differ, and a good part of all."""
    return count >= LEAST and 2 * count > differing and count >= SHARE * words


def _share(count: int, words: int) -> float:
    return min(1.0, count / words)


def _script(text: str) -> str:
    """Return the script of the first letter, as Unicode names it; empty for a text without letters."""
    from unicodedata import name

    letter = next(filter(str.isalpha, text), "")
    return name(letter, "").partition(" ")[0] if letter else ""
