"""Readers of word times: CTM files and Praat TextGrids."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import chain, islice
from typing import Any

from ..base.errors import InputError, TimingError
from ..base.files import Path, input_name, lines_of
from ..base.text import counted
from ..base.values import ROUNDING

# Labels of silence in the output of forced aligners: Kaldi, MFA, WebMAUS, MAUS, Festival
SILENCE = frozenset(
    ("", "<eps>", "<sil>", "<SIL>", "sil", "SIL", "sp", "<sp>", "<p:>", "<p>", "pau", "<pau>")
)
_WORD_TIERS = ("words", "word")
_UTTERANCE_TIERS = ("utterances", "utterance", "sentences", "sentence")


@dataclass(slots=True)
class Utterance:
    """The words of one utterance with times in seconds, and with lines unless from a TextGrid."""

    name: str
    words: list[str] = field(default_factory=list)
    times: list[tuple[float, float]] = field(default_factory=list)
    lines: list[int | None] = field(default_factory=list)
    source: str | None = None

    def add(self, word: str, begin: float, end: float, line: int | None = None) -> None:
        """Add a word; its times must not be negative or precede those of the word before."""
        problem = ""
        if end < begin:
            problem = f"has the negative length {end - begin:g} s"
        elif self.times and (begin < self.times[-1][0] or begin < self.times[-1][1] - ROUNDING):
            before = f"{self.words[-1]!r} ({self.times[-1][0]:g} to {self.times[-1][1]:g} s)"
            problem = f"begins at {begin:g} s, before {before} ends; expected words in order"
        if problem:
            message = f"word {word!r} of utterance {self.name!r} {problem}"
            raise TimingError(message, source=self.source, line=line)
        self.words.append(word)
        self.times.append((begin, end))
        self.lines.append(line)


def read_timings(path: Path, tier: str | None = None) -> list[Utterance]:
    """Read a CTM file, a Praat TextGrid, or a folder of TextGrids in the order of their names."""
    name = os.fspath(path)
    if os.path.isdir(name):
        grids = [entry for entry in os.listdir(name) if entry.lower().endswith(".textgrid")]
        if not grids:
            raise TimingError("no .TextGrid file in the folder", source=name)
        paths = [os.path.join(name, grid) for grid in sorted(grids, key=_natural)]
        return [utterance for path in paths for utterance in read_textgrid(path, tier)]
    if name.lower().endswith(".textgrid"):
        return read_textgrid(name, tier)
    lines = lines_of(path)
    head = list(islice(lines, 3))
    if b"ooTextFile" not in b"".join(head).replace(b"\0", b""):
        return read_ctm(chain(head, lines), source=input_name(path))
    return read_textgrid(name, tier)


def read_ctm(lines: Iterable[str] | Iterable[bytes], *, source: str | None = None) -> list[Utterance]:
    """Read CTM: lines ``utterance channel start duration word``, optionally with a confidence."""
    utterances: dict[str, Utterance] = {}
    for number, line in enumerate(lines, 1):
        where: Any = {"source": source, "line": number}
        if isinstance(line, bytes):
            try:
                line = line.decode("utf-8-sig" if number == 1 else "utf-8")
            except UnicodeDecodeError as error:
                problem = f"byte {error.object[error.start]:#04x} is not UTF-8; save the file as UTF-8"
                raise TimingError(problem, column=error.start + 1, **where) from None
        fields = str(line).split()
        if not fields or fields[0].startswith(";;"):
            continue
        if not 5 <= len(fields) <= 6:
            message = f"got {counted(len(fields), 'field')}; expected 'utterance channel start duration word'"
            raise TimingError(message, **where)
        name, _, start, duration, word = fields[:5]
        seconds = []
        for what, text in (("start", start), ("duration", duration)):
            try:
                value = float(text)
            except ValueError:
                value = math.nan
            if not math.isfinite(value):
                message = f"word {word!r} has the {what} {text!r}; expected a number of seconds"
                raise TimingError(message, **where)
            seconds.append(value)
        if word in SILENCE:
            continue
        begin, length = seconds
        if name not in utterances:
            utterances[name] = Utterance(name, source=source)
        # Ends are rounded to a microsecond, so that adjacent words share their boundary exactly.
        end = round(begin + length, 6) if length >= 0 else begin + length
        utterances[name].add(word, begin, end, number)
    return list(utterances.values())


def read_textgrid(path: Path, tier: str | None = None) -> list[Utterance]:
    """Read the words of a Praat TextGrid, in long or short form; ``tier`` names their tier."""
    name = os.fspath(path)
    try:
        from praatio import textgrid
    except ImportError:
        problem = "reading TextGrids needs praatio; install it with: pip install 'jpevalb[speech]'"
        raise TimingError(problem, source=name) from None
    try:
        grid = textgrid.openTextgrid(
            name, includeEmptyIntervals=False, reportingMode="silence", duplicateNamesMode="rename"
        )
    except OSError as error:
        raise InputError(f"cannot read the file: {error.strerror or error}", source=name) from None
    except Exception as error:
        # praatio's parser raises IndexError, ValueError and more.
        reason = " ".join(str(error).split()) or type(error).__name__
        raise TimingError(f"praatio cannot read this TextGrid: {reason}", source=name) from None
    tiers = {key: grid.getTier(key) for key in grid.tierNames}
    tiers = {key: tier for key, tier in tiers.items() if isinstance(tier, textgrid.IntervalTier)}
    entries = [entry for entry in _word_tier(tiers, name, tier).entries if entry.label not in SILENCE]
    parts = next((tiers[key] for key in tiers if key.lower() in _UTTERANCE_TIERS), None)
    spans = [(os.path.splitext(os.path.basename(name))[0], -math.inf, math.inf)]
    if parts is not None:
        spans = [(part.label, part.start, part.end) for part in parts.entries if part.label not in SILENCE]
    utterances = [Utterance(label, source=name) for label, _, _ in spans]
    index = 0
    for entry in entries:
        middle = (entry.start + entry.end) / 2
        while index < len(spans) and spans[index][2] <= middle:
            index += 1
        if parts is not None and (index == len(spans) or middle < spans[index][1]):
            place = f"is in no utterance of the tier {parts.name!r}"
            raise TimingError(f"word {entry.label!r} at {entry.start:g} s {place}", source=name)
        utterances[index].add(entry.label, entry.start, entry.end)
    return utterances


def _word_tier(tiers: dict[str, Any], source: str, tier: str | None) -> Any:
    names = ", ".join(map(repr, tiers)) or "none"
    if tier is not None:
        if tier not in tiers:
            raise TimingError(
                f"no interval tier {tier!r}; the file's interval tiers are {names}", source=source
            )
        return tiers[tier]
    for key in tiers:
        if key.lower().rpartition(" - ")[2] in _WORD_TIERS:
            return tiers[key]
    others = [key for key in tiers if key.lower() not in _UTTERANCE_TIERS]
    if len(others) == 1:
        return tiers[others[0]]
    problem = f"no interval tier 'words'; the file's interval tiers are {names}"
    raise TimingError(
        f"{problem}; name one, such as tier={others[0]!r}" if others else problem, source=source
    )


def _natural(name: str) -> list[Any]:
    """Return a sort key of texts and numbers in turn, so that u10 comes after u9."""
    return [int(part) if index % 2 else part for index, part in enumerate(re.split(r"([0-9]+)", name))]
