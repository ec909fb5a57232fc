"""Runs a fuzz target: with atheris where it is installed, with seeded random bytes elsewhere.

A target is a function of :class:`Choices`.  It makes its input out of them, and
raises whatever is wrong.  So one target serves a coverage-guided fuzzer, a seeded run
in CI, and the replay of a finding::

    python -m tests.fuzz.readers --seconds 600            # atheris if it is there
    python -m tests.fuzz.readers --seconds 60 --engine random --seed 7
    python -m tests.fuzz.readers --replay finding.bin
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

T = TypeVar("T")

LONGEST = 4096
"""Bytes of choices that one run has."""


class Choices:
    """Decisions read off a string of bytes; zeros follow behind its end."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    @property
    def left(self) -> int:
        """Bytes that are not used up."""
        return len(self._data) - self._at

    def number(self, most: int) -> int:
        """A number from 0 to ``most``."""
        size = max(1, (most.bit_length() + 7) // 8)
        piece = self._data[self._at : self._at + size]
        self._at = min(len(self._data), self._at + size)
        return int.from_bytes(piece, "little") % (most + 1)

    def flag(self, odds: int = 2) -> bool:
        """True once in ``odds`` times; never where no bytes are left."""
        return self.number(odds - 1) == odds - 1

    def pick(self, items: Sequence[T]) -> T:
        return items[self.number(len(items) - 1)]

    def several(self, items: Sequence[T], most: int) -> list[T]:
        return [self.pick(items) for _ in range(self.number(most))]

    def raw(self, most: int) -> bytes:
        """Bytes as they come."""
        size = self.number(most)
        piece = self._data[self._at : self._at + size]
        self._at += len(piece)
        return piece


Target = Callable[[Choices], Any]


@contextmanager
def instrumented() -> Iterator[None]:
    """What is imported inside is watched by atheris, if a run with it is about to begin."""
    if "--engine" in sys.argv and "random" in sys.argv:
        yield
        return
    try:
        import atheris
    except ImportError:
        yield
        return
    with atheris.instrument_imports(include=["jpevalb"]):
        yield


def random_inputs(seed: int) -> Iterator[bytes]:
    """Strings of bytes, short and long; the same for the same seed."""
    for number in range(1 << 62):
        rng = random.Random(f"{seed} {number}")
        yield rng.randbytes(rng.choice((16, 64, 256, 1024, LONGEST)))


def run_random(target: Target, *, seed: int, runs: int | None = None, seconds: float | None = None) -> int:
    """Runs a target on random inputs until a number of runs, or of seconds, is over; returns the runs.

    Raises:
        Whatever the target does, with a note that says how to come back to it.
    """
    end = None if seconds is None else time.monotonic() + seconds
    count = 0
    for data in random_inputs(seed):
        if (runs is not None and count >= runs) or (end is not None and time.monotonic() > end):
            break
        begin = time.monotonic()
        try:
            target(Choices(data))
        except BaseException:
            if isinstance(sys.exc_info()[1], KeyboardInterrupt):
                raise
            place = _keep(data)
            print(f"finding in run {count} of seed {seed}, kept as {place}", file=sys.stderr)
            raise
        took = time.monotonic() - begin
        if took > 20:
            raise AssertionError(f"a run took {took:.0f} s, kept as {_keep(data)}")
        count += 1
    return count


def _keep(data: bytes) -> str:
    handle, place = tempfile.mkstemp(prefix="finding-", suffix=".bin")
    with os.fdopen(handle, "wb") as file:
        file.write(data)
    return place


def main(target: Target) -> None:
    """The command line of a fuzzing module."""
    parser = argparse.ArgumentParser(description=sys.modules["__main__"].__doc__)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--engine", choices=("auto", "atheris", "random"), default="auto")
    parser.add_argument("--replay", type=Path, help="a file that a finding was kept as")
    parser.add_argument("--corpus", help="a folder in which atheris keeps what it finds interesting")
    options = parser.parse_args()
    if options.replay is not None:
        target(Choices(options.replay.read_bytes()))
        print("no finding")
        return
    engine = options.engine
    if engine == "auto":
        engine = "atheris" if "atheris" in sys.modules else "random"
    if engine == "random":
        count = run_random(target, seed=options.seed, seconds=options.seconds)
        print(f"{count} runs, no finding")
        return
    import atheris

    def one(data: bytes) -> None:
        try:
            target(Choices(data))
        except BaseException:
            traceback.print_exc()
            raise

    folder = options.corpus or tempfile.mkdtemp(prefix="corpus-")
    seeds = Path(folder)
    if not any(seeds.iterdir()):
        for number, data in zip(range(200), random_inputs(options.seed)):
            (seeds / f"{number}").write_bytes(data)
    atheris.Setup(
        [
            sys.argv[0],
            f"-max_total_time={options.seconds}",
            f"-seed={options.seed}",
            f"-max_len={LONGEST}",
            "-timeout=30",
            "-rss_limit_mb=3000",
            "-print_final_stats=1",
            "-verbosity=1",
            f"-artifact_prefix={tempfile.gettempdir()}/finding-",
            folder,
        ],
        one,
    )
    atheris.Fuzz()
