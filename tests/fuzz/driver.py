"""Runs a fuzz target: with atheris where it is installed, with seeded random bytes elsewhere.

A target is a function of :class:`Choices`.  It makes its input out of them, and
raises whatever is wrong.  So one target serves a coverage-guided fuzzer, a seeded run
in CI, and the replay of a finding::

    python -m tests.fuzz.readers --seconds 600            # atheris if it is there
    python -m tests.fuzz.readers --seconds 60 --engine random --seed 7
    python -m tests.fuzz.readers --replay finding.bin

A run begins with ``tests/fuzz/corpus/NAME``: small inputs that between them reach most of what a target
can reach.  Then come random inputs and changed ones of the corpus in turn.  ``--distill 500`` makes a corpus
anew, out of that many random inputs.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

T = TypeVar("T")

CORPUS = Path(__file__).parent / "corpus"

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
    """Instrument the imports inside for atheris, if it is used."""
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


def corpus_of(target: Target) -> list[bytes]:
    """The inputs that are kept for a target, by its module's name."""
    return [path.read_bytes() for path in sorted((CORPUS / name_of(target)).glob("*.bin"))]


def name_of(target: Target) -> str:
    """The name of a target's module, run as a program or imported; that of a command is ``-c``."""
    module = sys.modules[target.__module__]
    return Path(getattr(module, "__file__", None) or "-c").stem


def inputs(seed: int, corpus: Sequence[bytes]) -> Iterator[bytes]:
    """The corpus, then random inputs and changed ones of the corpus in turn."""
    yield from corpus
    for number, data in enumerate(random_inputs(seed)):
        yield data
        if corpus:
            yield _changed(random.Random(f"{seed} {number} changed"), corpus)


def _changed(rng: random.Random, corpus: Sequence[bytes]) -> bytes:
    """An input of the corpus with some bytes set, taken out, put in, or followed by another's."""
    data = bytearray(rng.choice(corpus))
    for _ in range(rng.randrange(1, 6)):
        place = rng.randrange(len(data) + 1)
        kind = rng.randrange(4)
        if kind == 0:
            data[place : place + 1] = rng.randbytes(1)
        elif kind == 1:
            del data[place : place + rng.randrange(1, 9)]
        elif kind == 2:
            data[place:place] = rng.randbytes(rng.randrange(1, 9))
        else:
            other = rng.choice(corpus)
            data[place:] = other[rng.randrange(len(other)) :]
    return bytes(data[:LONGEST])


def distill(target: Target, *, seed: int, runs: int) -> list[bytes]:
    """Of random inputs a few that together reach every line of the package that all of them reach."""
    reached: list[tuple[set[tuple[str, int]], bytes]] = []
    for _, data in zip(range(runs), random_inputs(seed)):
        reached.append((_lines(target, data), data))
    wanted = set().union(*(lines for lines, _ in reached))
    kept = []
    while wanted:
        lines, data = max(reached, key=lambda item: (len(item[0] & wanted), -len(item[1])))
        new = lines & wanted
        wanted -= lines
        if len(new) < 3:
            # What one line more is worth, the random inputs find.
            continue
        while len(data) > 8 and new <= _lines(target, data[: len(data) // 2]):
            data = data[: len(data) // 2]
        kept.append(data)
    return kept


def _lines(target: Target, data: bytes) -> set[tuple[str, int]]:
    """The lines of the package that an input reaches."""
    found: set[tuple[str, int]] = set()

    def watch(frame: Any, event: str, _: Any) -> Any:
        if f"{os.sep}jpevalb{os.sep}" not in frame.f_code.co_filename:
            return None
        if event == "line":
            found.add((frame.f_code.co_filename, frame.f_lineno))
        return watch

    sys.settrace(watch)
    try:
        target(Choices(data))
    finally:
        sys.settrace(None)
    return found


def run_random(target: Target, *, seed: int, runs: int | None = None, seconds: float | None = None) -> int:
    """Runs a target on its corpus, then on changed and random inputs, until a number of runs, or of seconds,
    is over; returns the runs.

    Raises:
        Whatever the target does, with a note that says how to come back to it.
    """
    end = None if seconds is None else time.monotonic() + seconds
    count = 0
    for data in inputs(seed, corpus_of(target)):
        if (runs is not None and count >= runs) or (end is not None and time.monotonic() > end):
            break
        begin = time.process_time()  # others may be at work on the machine
        try:
            target(Choices(data))
        except BaseException:
            if isinstance(sys.exc_info()[1], KeyboardInterrupt):
                raise
            place = _keep(data)
            print(f"finding in run {count} of seed {seed}, kept as {place}", file=sys.stderr)
            raise
        took = time.process_time() - begin
        if took > 20:
            raise AssertionError(f"a run took {took:.0f} s of CPU, kept as {_keep(data)}")
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
    parser.add_argument("--distill", type=int, metavar="RUNS", help="write the corpus anew, and nothing else")
    options = parser.parse_args()
    if options.replay is not None:
        target(Choices(options.replay.read_bytes()))
        print("no finding")
        return
    if options.distill is not None:
        folder = CORPUS / name_of(target)
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        for number, data in enumerate(distill(target, seed=options.seed, runs=options.distill)):
            (folder / f"{number:02}.bin").write_bytes(data)
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

    place = options.corpus or tempfile.mkdtemp(prefix="corpus-")
    seeds = Path(place)
    if not any(seeds.iterdir()):
        for number, data in zip(range(200), inputs(options.seed, corpus_of(target))):
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
            place,
        ],
        one,
    )
    atheris.Fuzz()
