"""Made treebanks, kept: making one takes longer than most of what is tested on it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from tests.benchmarks import treebank

_made: dict[int, tuple[list[str], Iterator[str]]] = {}


def make_treebank(sentences: int, seed: int) -> Iterator[str]:
    """As ``tests.benchmarks.treebank`` has it; what a seed gives begins the same, whatever the number."""
    lines, more = _made.setdefault(seed, ([], treebank.make_treebank(1 << 40, seed)))
    lines.extend(islice(more, max(0, sentences - len(lines))))
    return iter(lines[:sentences])
