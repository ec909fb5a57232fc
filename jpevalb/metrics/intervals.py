"""Common axis for the words of two sentences: by number, by characters, or in time."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence, Sized
from itertools import accumulate
from math import isfinite
from typing import TypeAlias

from ..base.errors import SettingsError, TimingError
from ..base.text import counted
from ..base.values import ROUNDING
from ..settings.settings import SILENCE
from ..trees.tree import Tree
from ..trees.words import alike

Times: TypeAlias = Sequence[tuple[float, float]]  # Start and end of each word in seconds

Axis: TypeAlias = tuple[list[float], list[float]]  # Starts and ends of the words

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
    """Return the axis of each tree, with the options of ``struct_iou``; ``None``: word i is i to i + 1."""
    if unit not in UNITS:
        raise SettingsError(f"unknown unit {unit!r}; expected 'word', 'char' or 'auto'")
    if silence not in SILENCE:
        raise SettingsError(f"unknown silence {silence!r}; expected one of {', '.join(SILENCE)}")
    if gold_times is None and system_times is None:
        if silence != "keep":
            raise SettingsError("silence can be removed only if the words have times; give times")
        if unit == "word":
            return None, None
        words = alike(gold.words, system.words)
        if unit == "auto" and words[0] == words[1]:
            return None, None
        return character_axes(*words)
    if gold_times is None or system_times is None:
        if gold.words != system.words:
            side, other = ("gold", "system") if gold_times is None else ("system", "gold")
            raise SettingsError(f"only the {other} words have times, and the words differ; give {side} times")
        gold_times = system_times = gold_times if gold_times is not None else system_times
    assert gold_times is not None
    assert system_times is not None
    gold_axis = time_axis(gold_times, gold.words, "gold")
    system_axis = time_axis(system_times, system.words, "system")
    if silence == "drop":
        return without_gaps(gold_axis), without_gaps(system_axis)
    return without_silence(gold_axis, system_axis) if silence == "shared" else (gold_axis, system_axis)


def character_axes(gold: Sequence[str], system: Sequence[str]) -> tuple[Axis, Axis]:
    """Lay words end to end, each as long as its grapheme clusters; the system is scaled to gold's length."""
    sizes = [
        [len(word) if word.isascii() else len(clusters(word)) for word in side] for side in (gold, system)
    ]
    n, m = map(sum, sizes)
    # The product of the lengths keeps all numbers integers.
    if n != m and n and m:
        sizes = [[m * size for size in sizes[0]], [n * size for size in sizes[1]]]
    return _end_to_end(sizes[0]), _end_to_end(sizes[1])


def clusters(word: str) -> list[str]:
    """Return the grapheme clusters of a word, that is its characters as a reader sees them.

    >>> clusters("cafe\u0301"), len(clusters("\u1112\u1161\u11ab"))
    (['c', 'a', 'f', 'é'], 1)
    """
    if word.isascii():
        return list(word)
    import regex  # type: ignore[import-untyped,unused-ignore]

    return regex.findall(r"\X", word)  # type: ignore[no-any-return]


def _end_to_end(lengths: Iterable[float]) -> Axis:
    bounds = list(accumulate(lengths, initial=0))
    return bounds[:-1], bounds[1:]


def time_axis(times: Times, words: Sequence[str], side: str) -> Axis:
    """Check the times of a sentence's words; overlaps of up to 0.02 s, due to rounding, are closed."""
    if not isinstance(times, Sized):
        raise TimingError(f"got the {side} times {times!r}; expected one (start, end) per word")
    if len(times) != len(words):
        raise TimingError(
            f"got {counted(len(times), 'time')} for {len(words)} {side} words; "
            "expected one (start, end) per word"
        )
    starts: list[float] = []
    ends: list[float] = []
    for index, (word, time) in enumerate(zip(words, times)):
        name = f"{side} word {index + 1} ({word!r})"
        try:
            start, end = (float(x) for x in time)
        except (TypeError, ValueError):
            raise TimingError(f"{name} has the time {time!r}; expected (start, end) in seconds") from None
        if not (isfinite(start) and isfinite(end)):
            raise TimingError(f"{name} lies from {start} to {end}; expected finite seconds")
        if end < start:
            raise TimingError(f"{name} begins at {start:g} s and ends at {end:g} s; expected start <= end")
        if ends:
            if start < starts[-1] or start < ends[-1] - ROUNDING:
                raise TimingError(
                    f"{name} begins at {start:g} s, before word {index} "
                    f"({words[index - 1]!r}, {starts[-1]:g} to {ends[-1]:g} s) ends; expected words in order"
                )
            ends[-1] = min(ends[-1], start)
        starts.append(start)
        ends.append(end)
    return starts, ends


def without_silence(gold: Axis, system: Axis) -> tuple[Axis, Axis]:
    """Cut out the time in which neither side has a word.

    >>> without_silence(([1.0, 4.0], [2.0, 5.0]), ([1.5, 4.0], [2.5, 4.5]))
    (([0.0, 1.5], [1.0, 2.5]), ([0.5, 1.5], [1.5, 2.0]))
    """
    # Starts and ends of stretches of speech, and the amount of speech before each.
    starts: list[float] = []
    ends: list[float] = []
    before: list[float] = []
    for start, end in sorted([*zip(*gold), *zip(*system)]):
        if ends and start <= ends[-1]:
            ends[-1] = max(ends[-1], end)
        else:
            before.append(before[-1] + ends[-1] - starts[-1] if ends else 0.0)
            starts.append(start)
            ends.append(end)

    def moved(times: list[float]) -> list[float]:
        stretches = [bisect_right(starts, time) - 1 for time in times]
        return [before[index] + time - starts[index] for index, time in zip(stretches, times)]

    return (moved(gold[0]), moved(gold[1])), (moved(system[0]), moved(system[1]))


def without_gaps(axis: Axis) -> Axis:
    """Lay the words of one side end to end with their lengths (Shi et al. 2024, footnote 4)."""
    return _end_to_end([end - start for start, end in zip(*axis)])


def joined(sentences: Sequence[Times]) -> list[tuple[float, float]]:
    """Concatenate the times of consecutive sentences."""
    joint: list[tuple[float, float]] = []
    shift = 0.0
    for times in sentences:
        # Every utterance may count from 0.
        if joint and times and times[0][0] + shift < joint[-1][1] - ROUNDING:
            shift = joint[-1][1]
        joint.extend((start + shift, end + shift) for start, end in times)
    return joint
