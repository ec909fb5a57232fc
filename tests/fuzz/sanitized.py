"""Runs the fuzz targets on kernels that are compiled with sanitizers: ``make fuzz SECONDS=600``.

A copy of the checkout under ``build/fuzz`` is compiled with gcc's address and undefined-behaviour sanitizers;
what has not changed since the last time is not compiled again.  A read or write outside of a buffer, a
use after free, a signed overflow, a shift too far or a bad pointer ends a target with the place in the C
code.  Each target begins with its corpus, ``tests/fuzz/corpus/TARGET``, and goes on from there.

If ``EVALB_SOURCE`` names the folder of the C programs, legacy mode is compared with them, too.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build" / "fuzz"
TARGETS = ("kernels", "legacy", "aligner", "readers", "answers", "params", "commands")
SANITIZERS = ("-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-fno-omit-frame-pointer")


def library(name: str) -> str:
    """Return the path of one of gcc's libraries."""
    found = subprocess.run(["gcc", f"-print-file-name={name}"], capture_output=True, text=True, check=True)
    return found.stdout.strip()


def build() -> None:
    """Brings the copy up to date and compiles its kernels."""
    for name in ("jpevalb", "tests", "params", "golden_outputs", "examples"):
        left_out = shutil.ignore_patterns("__pycache__", "*.so", "*.c")
        shutil.copytree(ROOT / name, BUILD / name, ignore=left_out, dirs_exist_ok=True)
    for name in ("setup.py", "pyproject.toml", "README.md", "LICENSE"):
        shutil.copy2(ROOT / name, BUILD / name)
    # What stands last holds: setup.py asks for -O3 -g0.
    compiler = BUILD / "sanitized-gcc"
    compiler.write_text(f'#!/bin/sh\nexec gcc "$@" -O1 -g1 {" ".join(SANITIZERS)}\n')
    compiler.chmod(0o755)
    environment = dict(os.environ, CC=str(compiler), JPEVALB_EXT="1")
    command = [sys.executable, "setup.py", "-q", "build_ext", "--inplace"]
    if subprocess.run(command, cwd=BUILD, env=environment, check=False).returncode:
        # setup.py has printed the reason.
        sys.exit(1)


def run(target: str, seconds: int, seed: int) -> bool:
    """Run one target; findings are printed to stderr.

    Returns:
        Whether it found nothing.
    """
    environment = dict(
        os.environ,
        LD_PRELOAD=f"{library('libasan.so')} {library('libstdc++.so')}",
        ASAN_OPTIONS="detect_leaks=0",
        UBSAN_OPTIONS="print_stacktrace=1",
        # So that each object of Python is a piece of memory of its own.
        PYTHONMALLOC="malloc",
        PYTHONPATH=str(BUILD),
        JPEVALB_PURE="0",
    )
    begin = time.monotonic()
    done = subprocess.run(
        [
            *(sys.executable, "-m", f"tests.fuzz.{target}", "--engine", "random"),
            *("--seconds", str(seconds), "--seed", str(seed)),
        ],
        cwd=BUILD,
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    said = done.stdout.strip() if not done.returncode else f"status {done.returncode}"
    print(f"{target}: {said} ({time.monotonic() - begin:.0f} s)", flush=True)
    return not done.returncode


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seconds", type=int, default=60, help="for each target (60)")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("targets", nargs="*", default=TARGETS, metavar="TARGET")
    options = parser.parse_args()
    if not shutil.which("gcc"):
        sys.exit("make fuzz: gcc is not installed; the sanitizers need it")
    build()
    if source := os.environ.get("EVALB_SOURCE"):
        os.environ["EVALB_SOURCE"] = os.path.abspath(source)
        options.targets = [*options.targets, "c_program"]
    print(f"seed {options.seed}", flush=True)
    fine = [run(target, options.seconds, options.seed) for target in options.targets]
    return 0 if all(fine) else 1


if __name__ == "__main__":
    sys.exit(main())
