"""The files that whole processes are timed on, made and seeded.

    python -m tests.benchmarks.inputs --out DIR

writes ``gold``, ``sys1`` to ``sys5``, ``noisy`` (other sentences and tokens, flat
trees), ``gold.disc`` and ``sys.disc`` (with discontinuous trees).
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterable, Iterator
from pathlib import Path

from jpevalb.formats.writers import write

from . import discontinuous
from .alignment_gaps import KINDS
from .alignment_noise import make_sample, words_of
from .treebank import make_treebank, perturb_parse, write_lines

SYSTEMS = 5


def make_files(folder: Path, sentences: int) -> None:
    """Writes one copy of every input."""
    gold = list(make_treebank(sentences, 1))
    for number in range(1, SYSTEMS + 1):
        rng = random.Random(f"system {number}")
        write_lines(folder / f"sys{number}", [perturb_parse(line, rng) for line in gold])
    write_lines(folder / "gold", gold)
    write_lines(folder / "noisy", _noisy(gold))
    pairs = list(discontinuous.make_treebank(sentences))
    write((tree for tree, _ in pairs), folder / "gold.disc", "discbracket")
    write((tree for _, tree in pairs), folder / "sys.disc", "discbracket")


def _noisy(gold: Iterable[str]) -> Iterator[str]:
    """A system's trees over other sentences and tokens: flat ones, since only the text is noisy."""
    sample = make_sample([words_of(line) for line in gold], KINDS["noisy"], random.Random(1))
    for words in sample.system:
        yield f"(S {' '.join(f'(NN {word})' for word in words)})"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--sentences", type=int, default=2416)
    parser.add_argument("--out", type=Path, required=True, help="the folder to write to")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    make_files(options.out, options.sentences)


if __name__ == "__main__":
    main()
