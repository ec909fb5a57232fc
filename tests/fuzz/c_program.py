"""Fuzzes legacy mode against the C programs: stdout, stderr, their order in one file, and the status.

``EVALB_SOURCE`` names a folder with evalb.c, evalb_spmrl.c, or both::

    EVALB_SOURCE=~/EVALB python -m tests.fuzz.c_program --seconds 600

Input beyond the buffers of the C programs is not generated.  A run is not compared if C is killed by a signal
or reads memory that it has not written.
"""

from __future__ import annotations

import functools
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from itertools import accumulate
from pathlib import Path
from typing import Any

from .driver import Choices, instrumented, main
from .legacy import LABELS, WORDS, line, pair

with instrumented():
    from jpevalb.commands import evalb as command
    from jpevalb.settings import params as prm

SOURCE = os.environ.get("EVALB_SOURCE", "")
# Files in memory where possible: each run opens a dozen.
FOLDER = Path(tempfile.mkdtemp(prefix="fuzz-c-", dir="/dev/shm" if os.path.isdir("/dev/shm") else None))
NUMBERS = ("0", "1", "2", "5", "10", "40", "1000", "-1", "-2", "x", "", " 7", "3 4", "+4", "08", "12x", "1e3")
KEYWORDS = (
    *("DELETE_LABEL", "DELETE_LABEL", "DELETE_LABEL_FOR_LENGTH", "QUOTE_LABEL", "EQ_LABEL", "EQ_WORD"),
    *("DEBUG", "MAX_ERROR", "CUTOFF_LEN", "LABELED", "DELETE_LABELX", "labeled"),
    *("#", " DELETE_LABEL", "", "Q"),
)
BLANKS = (b" ", b" ", b" ", b"\t", b"  ", b" \t ", b"\f", b"")

outcomes: Counter[str] = Counter()
"""Number of runs by outcome: compared, or why not."""


@functools.cache
def programs() -> dict[str, Path]:
    """Compile the C programs found in SOURCE; return them by name."""
    found = {}
    for name in ("evalb", "evalb_spmrl"):
        source = Path(SOURCE, f"{name}.c")
        if SOURCE and source.exists():
            found[name] = FOLDER / f"{name}.program"
            subprocess.run(["gcc", "-w", "-O2", "-std=gnu89", "-o", found[name], source], check=True)
    if not found:
        sys.exit("EVALB_SOURCE names no folder with evalb.c or evalb_spmrl.c")
    return found


def _files(choices: Choices) -> tuple[bytes, bytes]:
    """Return gold and test: pairs of lines, sometimes truncated, with extra lines or with bytes inserted."""
    texts = [b"", b""]
    for _ in range(choices.number(5) if choices.flag(3) else choices.number(20)):
        for side, text in enumerate(pair(choices, 25)):
            texts[side] += text.replace(b"\n", b"") + (b"\r\n" if choices.flag(20) else b"\n")
    for side in (0, 1):
        if choices.flag(6):
            texts[side] += line(choices) + b"\n"
        if choices.flag(3):
            # A program that was killed while it wrote
            texts[side] = texts[side][: choices.number(len(texts[side]))]
        for _ in range(choices.number(2) if choices.flag(6) else 0):
            at = choices.number(len(texts[side]))
            texts[side] = (
                texts[side][:at] + choices.pick((b"\n", b"\0", b"(S\n", b"(", b")")) + texts[side][at:]
            )
    gold, test = (b"\n".join([each for each in text.split(b"\n") if fits(each)]) for text in texts)
    return gold, test


def _prm(choices: Choices) -> bytes:
    lines = []
    for _ in range(choices.number(12)):
        keyword = choices.pick(KEYWORDS).encode()
        values = choices.several(LABELS, 3) if choices.flag(2) else choices.several(WORDS, 3)
        if keyword in (b"DEBUG", b"MAX_ERROR", b"CUTOFF_LEN", b"LABELED"):
            values = [choices.pick(NUMBERS).encode()]
        text = keyword + b"".join([choices.pick(BLANKS) + value for value in values]) + choices.pick(BLANKS)
        if choices.flag(40):
            text += b"x" * choices.number(600)
        if choices.flag(40):
            text = text.replace(b" ", b"\0", 1)
        lines.append(text)
    return b"\n".join(lines) + choices.pick((b"\n", b"\n", b""))


def _arguments(choices: Choices, name: str) -> list[str]:
    """Options of evalb between the names of the files, in any order."""
    words = []
    for _ in range(choices.number(4)):
        letter = choices.pick("ppddDDceeKXLlV" if name == "evalb_spmrl" else "ppddDDcee")
        if letter in "ceKp":
            value = choices.pick(("a.prm", "b.prm") if letter == "p" else NUMBERS)
            # An empty value is an argument of its own.
            words.append([f"-{letter}{value}"] if value and choices.flag(2) else [f"-{letter}", value])
        else:
            words.append([f"-{letter}{choices.pick(('', '', 'D', 'x'))}"])
    if len([word for word in words if word[0].startswith("-p")]) > 1:
        # C reads a number on the stack, over what the first .prm has left there for the second.
        words.sort(key=lambda word: word[0].startswith(("-c", "-e", "-K")))
    words.insert(choices.number(len(words)), ["gold"])
    place = words.index(["gold"]) + 1
    words.insert(place + choices.number(len(words) - place), ["test"])
    if choices.flag(20):
        words.append(choices.pick((["-"], ["third"])))
    return [text for word in words for text in word]


def fits(line: bytes) -> bool:
    """Return True if C's buffers hold a line, also together with what earlier lines have left behind."""
    depths = accumulate((byte == 40) - (byte == 41) for byte in line)
    return (
        len(line) < 450
        and line.count(b"(") < 60
        and len(re.findall(rb"['\"/]", line)) < 10
        and max(map(len, re.split(rb"[\s()]", line))) < 10
        and min(depths, default=0) > -4
    )


def _run_c(name: str, arguments: list[str], out: Path, err: Path | None) -> int:
    with open(out, "wb") as stdout, open(err or os.devnull, "wb") as stderr:
        return subprocess.run(
            [name, *arguments],
            executable=programs()[name],
            cwd=FOLDER,
            stdin=subprocess.DEVNULL,
            stdout=stdout,
            stderr=stderr if err else subprocess.STDOUT,
            env={},
            check=False,
        ).returncode


def _run_here(name: str, arguments: list[str], out: Path, err: Path | None) -> tuple[int, bool]:
    """Return the status, and whether C reads memory that it has not written."""
    made: list[Any] = []
    values: list[str | None] = []
    new_scorer, earlier_value = command.new_scorer, prm._earlier_value
    command.new_scorer = lambda *given, **more: made.append(new_scorer(*given, **more)) or made[-1]
    prm._earlier_value = lambda pieces: values.append(earlier_value(pieces)) or values[-1]
    saved = sys.stdout, sys.stderr
    os.chdir(FOLDER)
    try:
        with (
            open(out, "w") as stdout,
            open(err, "w") if err else open(os.dup(stdout.fileno()), "w") as stderr,
        ):
            sys.stdout, sys.stderr = stdout, stderr
            status = command.main(name, arguments)
    finally:
        sys.stdout, sys.stderr = saved
        command.new_scorer, prm._earlier_value = new_scorer, earlier_value
    return status, None in values or any(scorer.ran_out for scorer in made)


def target(choices: Choices) -> None:
    name = choices.pick(sorted(programs()))
    gold, test = _files(choices)
    prms = [_prm(choices), _prm(choices)]
    arguments = _arguments(choices, name)
    for file, text in (("gold", gold), ("test", test), ("a.prm", prms[0]), ("b.prm", prms[1])):
        (FOLDER / file).write_bytes(text)
    names = ["out", "err"] if choices.flag(2) else ["out"]
    theirs, ours = ([FOLDER / f"{side}.{each}" for each in names] for side in ("c", "here"))
    status = _run_c(name, arguments, theirs[0], theirs[1] if theirs[1:] else None)
    found, unknown = _run_here(name, arguments, ours[0], ours[1] if ours[1:] else None)
    if status < 0:
        outcomes["C was killed"] += 1
        return
    pairs = [(a.read_bytes(), b.read_bytes()) for a, b in zip(theirs, ours)]
    if unknown:
        outcomes["undefined in C"] += 1
        return
    outcomes["compared"] += 1
    assert found == status, (name, arguments)
    for expected, printed in pairs:
        assert printed == expected, (name, arguments)


if __name__ == "__main__":
    main(target)
    print(dict(outcomes))
