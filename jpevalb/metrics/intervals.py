"""Where the words of two sentences lie on one common axis: by number, by characters, or in time."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence, Sized
from itertools import accumulate
from math import isfinite
from typing import TypeAlias

from ..trees.errors import SettingsError, TimingError
from ..trees.tree import Tree
from ..trees.values import ROUNDING, SILENCE

Times: TypeAlias = Sequence[tuple[float, float]]
"""Start and end of each word in seconds."""

Axis: TypeAlias = tuple[list[float], list[float]]
"""The beginnings and the ends of the words, one number per word each."""

UNITS = ("word", "char", "auto")


def axes(
    gold: Tree,
    system: Tree,
    *,
    unit: str = "word",
    gold_times: Times | None = None,
    system_times: Times | None = None,
    silence: str = "keep",
) -> tuple[Axis | None, Axis | None]:
    """Places the words of both trees.

    The arguments are those of :func:`jpevalb.metrics.struct_iou.struct_iou`.

    Returns:
        For both sides beginnings and ends; ``None`` stands for (i, i + 1).

    Raises:
        SettingsError: an unknown unit or silence, or times of one side only.
        TimingError: times that do not fit the words.

    Cost: O(characters), or O(words log words) without silence.
    """
    if unit not in UNITS:
        raise SettingsError(f"found the unit {unit!r}; expected 'word', 'char' or 'auto'")
    if silence not in SILENCE:
        raise SettingsError(f"found the silence {silence!r}; expected one of {', '.join(SILENCE)}")
    if gold_times is None and system_times is None:
        if silence != "keep":
            raise SettingsError("silence can be removed only where times are given; give the words' times")
        if unit == "word" or (unit == "auto" and gold.words == system.words):
            return None, None
        return character_axes(gold.words, system.words)
    if gold_times is None or system_times is None:
        if gold.words != system.words:
            side, other = ("gold", "system") if gold_times is None else ("system", "gold")
            raise SettingsError(f"only the {other} words have times, and the words differ; give {side} times")
        gold_times = system_times = gold_times if gold_times is not None else system_times
    assert gold_times is not None
    assert system_times is not None
    one = time_axis(gold_times, gold.words, "gold")
    two = time_axis(system_times, system.words, "system")
    if silence == "drop":
        return without_gaps(one), without_gaps(two)
    return without_silence(one, two) if silence == "shared" else (one, two)


def character_axes(gold: Sequence[str], system: Sequence[str]) -> tuple[Axis, Axis]:
    """The words laid end to end, each as long as its grapheme clusters.

    Where the sides differ in length they are stretched to the same one, the
    product of both, so that every number stays whole and exact.

    Cost: O(characters).

    >>> character_axes(["ab", "c"], ["a", "bc"])
    (([0, 2], [2, 3]), ([0, 1], [1, 3]))
    >>> character_axes(["ab"], ["a", "b", "c"])
    (([0], [6]), ([0, 2, 4], [2, 4, 6]))
    """
    one, two = (
        _laid_out([len(word) if word.isascii() else len(clusters(word)) for word in words])
        for words in (gold, system)
    )
    length1, length2 = max(one[1], default=0), max(two[1], default=0)
    if length1 != length2 and length1 and length2:
        one = [x * length2 for x in one[0]], [x * length2 for x in one[1]]
        two = [x * length1 for x in two[0]], [x * length1 for x in two[1]]
    return one, two


def clusters(word: str) -> list[str]:
    """The grapheme clusters of a word: what a reader takes for one character each.

    >>> clusters("cafe\u0301"), len(clusters("\u1112\u1161\u11ab"))
    (['c', 'a', 'f', 'é'], 1)
    """
    if word.isascii():
        return list(word)
    import regex  # type: ignore[import-untyped,unused-ignore]

    found: list[str] = regex.findall(r"\X", word)
    return found


def _laid_out(lengths: Iterable[float]) -> Axis:
    """Words end to end, by their lengths."""
    places = list(accumulate(lengths, initial=0))
    return places[:-1], places[1:]


def time_axis(times: Times, words: Sequence[str], side: str) -> Axis:
    """Checks the times of a sentence's words.

    Overlaps of up to 0.02 s, as rounding makes them, are closed where the later word begins.

    Raises:
        TimingError: a wrong number of times, a time that is no number, a
            word that ends before it begins, or words that are not in order.
    """
    if not isinstance(times, Sized):
        raise TimingError(f"found the {side} times {times!r}; expected one (start, end) per word")
    if len(times) != len(words):
        raise TimingError(
            f"found {len(times)} times for {len(words)} {side} words; expected one (start, end) per word"
        )
    begins: list[float] = []
    ends: list[float] = []
    for place, (word, time) in enumerate(zip(words, times)):
        begin, end = _seconds(time, place, word, side)
        if ends:
            if begin < begins[-1] or begin < ends[-1] - ROUNDING:
                raise TimingError(
                    f"{side} word {place + 1} ({word!r}) begins at {begin:g} s, before word {place} "
                    f"({words[place - 1]!r}, {begins[-1]:g} to {ends[-1]:g} s) ends; expected words in order"
                )
            ends[-1] = min(ends[-1], begin)
        begins.append(begin)
        ends.append(end)
    return begins, ends


def _seconds(time: object, place: int, word: str, side: str) -> tuple[float, float]:
    try:
        begin, end = (float(x) for x in time)  # type: ignore[attr-defined]
    except (TypeError, ValueError):
        raise TimingError(
            f"{side} word {place + 1} ({word!r}) has the time {time!r}; expected (start, end) in seconds"
        ) from None
    if not (isfinite(begin) and isfinite(end)):
        raise TimingError(
            f"{side} word {place + 1} ({word!r}) lies from {begin} to {end}; expected finite seconds"
        )
    if end < begin:
        raise TimingError(
            f"{side} word {place + 1} ({word!r}) has a negative length: it begins at {begin:g} s and "
            f"ends at {end:g} s"
        )
    return begin, end


def without_silence(gold: Axis, system: Axis) -> tuple[Axis, Axis]:
    """Cuts out the time in which neither side has a word; what is left moves together.

    Cost: O(words log words).

    >>> without_silence(([1.0, 4.0], [2.0, 5.0]), ([1.5, 4.0], [2.5, 4.5]))
    (([0.0, 1.5], [1.0, 2.5]), ([0.5, 1.5], [1.5, 2.0]))
    """
    # Where a stretch of speech begins, where it ends, and how much speech is before it.
    begins: list[float] = []
    ends: list[float] = []
    before: list[float] = []
    for begin, end in sorted([*zip(*gold), *zip(*system)]):
        if ends and begin <= ends[-1]:
            ends[-1] = max(ends[-1], end)
        else:
            before.append(before[-1] + ends[-1] - begins[-1] if ends else 0.0)
            begins.append(begin)
            ends.append(end)

    def moved(times: list[float]) -> list[float]:
        places = [bisect_right(begins, time) - 1 for time in times]
        return [before[place] + time - begins[place] for place, time in zip(places, times)]

    return (moved(gold[0]), moved(gold[1])), (moved(system[0]), moved(system[1]))


def without_gaps(axis: Axis) -> Axis:
    """The words of one side end to end, each as long as it is.

    Cost: O(words).

    Source: Shi et al. 2024, footnote 4.

    >>> without_gaps(([1.0, 4.0], [1.5, 5.0]))
    ([0, 0.5], [0.5, 1.5])
    """
    return _laid_out([end - begin for begin, end in zip(*axis)])


def joined(sentences: Sequence[Times]) -> list[tuple[float, float]]:
    """The times of several sentences in a row as those of one.

    A sentence that begins before the one before it ends, as where every utterance
    counts from 0, is moved to begin 0 s of its own there, and so are those after it.

    >>> joined([[(0.5, 1.0)], [(0.25, 0.5)], [(3.0, 4.0)]])
    [(0.5, 1.0), (1.25, 1.5), (4.0, 5.0)]
    """
    found: list[tuple[float, float]] = []
    shift = 0.0
    for times in sentences:
        if found and times and times[0][0] + shift < found[-1][1] - ROUNDING:
            shift = found[-1][1]
        found.extend((begin + shift, end + shift) for begin, end in times)
    return found
