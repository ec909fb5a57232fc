"""All trees over a few words, random ensembles, and definitions of yields in plain Python."""

from __future__ import annotations

import random
from functools import cache

from tests.benchmarks.averaging import ensemble

Yield = tuple[int, ...]
Family = frozenset[Yield]


def blocks(words: Yield):
    """All ways to cut words into sets."""
    if not words:
        yield []
        return
    first, *rest = words
    for mask in range(1 << len(rest)):
        block = (first, *[word for i, word in enumerate(rest) if mask >> i & 1])
        for others in blocks(tuple(word for i, word in enumerate(rest) if not mask >> i & 1)):
            yield [block, *others]


@cache
def families(words: Yield) -> list[Family]:
    """All trees over words, as the sets of their yields: single words and the whole in each."""
    if len(words) == 1:
        return [frozenset([words])]
    found = []
    for cut in blocks(words):
        if len(cut) > 1:
            made: list[Family] = [frozenset([words])]
            for block in cut:
                made = [family | inner for family in made for inner in families(block)]
            found += made
    return found


@cache
def all_trees(n: int, continuous: bool = False) -> list[Family]:
    every = families(tuple(range(n)))
    return [tree for tree in every if is_continuous(tree)] if continuous else every


def is_continuous(family: Family) -> bool:
    return all(words[-1] - words[0] + 1 == len(words) for words in family)


def hard_ensembles(seed: int, count: int):
    """Ensembles of up to 40 words, with parties, gaps and several arities; and weights."""
    rng = random.Random(seed)
    for _ in range(count):
        n_systems = rng.choice([2, 3, 4, 5, 7, 10])
        made = ensemble(
            rng.randint(5, 40),
            n_systems,
            rng,
            heads=rng.choice([2, 3]),
            gaps=rng.random(),
            apart=rng.random(),
            noise=rng.random() * 0.2,
            arity=rng.choice([0, 0.1, 0.3]),
        )
        yield made, rng.choice([None, [rng.randint(1, 3) for _ in made]]), rng


def members(bits: int) -> list[int]:
    return [i for i in range(bits.bit_length()) if bits >> i & 1]


def conflict(a: int, b: int) -> bool:
    return a & b not in (0, a, b)
