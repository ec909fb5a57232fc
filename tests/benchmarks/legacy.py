"""Times legacy mode as a whole process, on input the size of section 23 and on fifty copies of it.

    python -m tests.benchmarks.legacy [--runs 7] [--copies 50]

Prints seconds (the median of the runs), peak memory, and the ratio to ``md5sum``
of the same files, timed in turn with it.  The C program evalb takes 10.7 times
``md5sum`` on both inputs.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from .treebank import make_treebank, perturb_parse

SENTENCES = 2416
EVALB = 10.7
RUN = "import sys; from jpevalb.cli import run; sys.exit(run())"


def make_input(folder: Path, copies: int) -> tuple[Path, Path]:
    """Writes a gold and a system file, each ``copies`` times over."""
    import random

    rng = random.Random(1)
    gold = list(make_treebank(SENTENCES, 1))
    texts = {"gold": gold, "sys": [perturb_parse(line, rng) for line in gold]}
    paths = []
    for name, lines in texts.items():
        block = "".join(line + "\n" for line in lines)
        path = folder / f"{name}{copies}.mrg"
        with open(path, "w", encoding="utf-8", newline="\n") as file:
            for _ in range(copies):
                file.write(block)
        paths.append(path)
    return paths[0], paths[1]


def timed(command: list[str], **environment: str) -> tuple[float, float]:
    """Seconds and peak MiB of one run."""
    started = time.perf_counter()
    with open(os.devnull, "wb") as null:
        process = subprocess.Popen(command, stdout=null, env={**os.environ, **environment})
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    seconds = time.perf_counter() - started
    if process.returncode:
        sys.exit(f"{command} ended with {process.returncode}")
    return seconds, usage.ru_maxrss / 1024


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=7, help="runs of each command (7)")
    parser.add_argument("--copies", type=int, default=50, help="copies in the large input (50)")
    options = parser.parse_args()
    md5sum = shutil.which("md5sum") or sys.exit("md5sum, the yardstick, is not installed")
    print(f"{'input':<22}{'kernels':<14}{'seconds':>9}{'MiB':>7}{'x md5sum':>10}{'x evalb':>9}")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for copies, kinds in ((1, ("compiled", "interpreted")), (options.copies, ("compiled",))):
            gold, system = map(str, make_input(folder, copies))
            for kind in kinds:
                command = [sys.executable, "-c", RUN, "-p", "COLLINS.prm", gold, system]
                pure = "1" if kind == "interpreted" else "0"
                runs = []
                for _ in range(options.runs + 1):
                    seconds, memory = timed(command, JPEVALB_PURE=pure)
                    yardstick, _ = timed([md5sum, gold, system])
                    runs.append((seconds, memory, seconds / yardstick))
                seconds, memory, ratio = (statistics.median(column) for column in zip(*runs[1:]))
                size = os.path.getsize(gold) + os.path.getsize(system)
                label = f"{copies * SENTENCES} x 2, {size / 1e6:.1f} MB"
                print(
                    f"{label:<22}{kind:<14}{seconds:>9.3f}{memory:>7.1f}{ratio:>10.1f}{ratio / EVALB:>9.2f}"
                )


if __name__ == "__main__":
    main()
