"""Recall of true beads and units in noisy copies of a treebank.

The truth is known because each character of the noisy copy remembers the gold
character that it comes from.  Three kinds of noise, each at 1 to 30 %:

    characters kept   sentences merged and split, tokens joined and split
    + 5 % errors      and 5 % of the tokens misspelt or dropped
    + extra           and 2 % of the tokens inserted, 2 % of the sentences missing,
                      2 % made up

    python -m tests.benchmarks.alignment_noise [--sentences 400] [--seeds 10] [--lang en]
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tests.benchmarks.treebank import make_treebank

RATES = (0.01, 0.02, 0.05, 0.1, 0.2, 0.3)

Span = tuple[int, int, int, int]
"""Gold start and end, system start and end."""


@dataclass(frozen=True, slots=True)
class Noise:
    """Probabilities: per sentence, per token, or per neighbouring pair of them."""

    merge: float = 0.0
    split: float = 0.0
    join_tokens: float = 0.0
    split_token: float = 0.0
    misspell: float = 0.0
    drop: float = 0.0
    insert: float = 0.0
    lose: float = 0.0
    invent: float = 0.0


@dataclass(frozen=True, slots=True)
class Sample:
    """A gold corpus, its noisy copy, and what truly belongs together.

    Attributes:
        gold: Sentences of tokens.
        system: The same of the noisy copy.
        beads: True beads, as ranges of sentence numbers.
        units: True units, as ranges of tokens counted through the whole corpus.
    """

    gold: list[list[str]]
    system: list[list[str]]
    beads: list[Span]
    units: list[Span]


@dataclass(slots=True)
class _Token:
    """A system token; for each character the number of its gold character, or -1."""

    text: str
    origin: list[int]


def make_sample(gold: Sequence[Sequence[str]], noise: Noise, rng: random.Random) -> Sample:
    """A noisy copy of ``gold`` with its true alignment."""
    system: list[list[_Token]] = [[]]
    number = 0
    letters = "abcdefghijklmnopqrstuvwxyz"
    vocabulary = [word for words in gold for word in words]
    last = len(gold) - 1
    for place, words in enumerate(gold):
        if system[-1] and rng.random() < noise.invent:
            system += [[_foreign(rng.choice(vocabulary)) for _ in range(rng.randint(3, 30))], []]
        lost = bool(system[-1] or place) and place < last and rng.random() < noise.lose
        tokens: list[_Token] = []
        kept = rng.randrange(len(words))
        for k, word in enumerate(words):
            origin = list(range(number, number + len(word)))
            number += len(word)
            if lost or (k != kept and rng.random() < noise.drop):
                continue
            token = _Token(word, origin)
            if rng.random() < noise.misspell:
                _misspell(token, rng.choice(letters), rng)
            tokens.append(token)
            if rng.random() < noise.insert:
                tokens.append(_foreign(rng.choice(vocabulary)))
        if not tokens:
            continue
        if len(tokens) > 1 and rng.random() < noise.split:
            at = rng.randrange(1, len(tokens))
            system[-1].extend(tokens[:at])
            system.append(tokens[at:])
        else:
            system[-1].extend(tokens)
        if rng.random() >= noise.merge:
            system.append([])
    if not system[-1]:
        system.pop()
    noisy = [_retokenise(tokens, noise, rng) for tokens in system]
    present = {origin for tokens in noisy for token in tokens for origin in token.origin}
    number = 0
    links: list[list[int]] = []
    for words in gold:
        links.append([])
        for word in words:
            links[-1].append(sum(number + k in present for k in range(len(word))))
            number += len(word)
    system_links = [[sum(o >= 0 for o in token.origin) for token in tokens] for tokens in noisy]
    beads = list(true_beads([sum(row) for row in links], [sum(row) for row in system_links]))
    units: list[Span] = []
    start = system_start = 0
    for g1, g2, s1, s2 in beads:
        inside = [count for row in links[g1:g2] for count in row]
        system_inside = [count for row in system_links[s1:s2] for count in row]
        units.extend(
            (a + start, b + start, c + system_start, d + system_start)
            for a, b, c, d in true_units(inside, system_inside)
        )
        start += len(inside)
        system_start += len(system_inside)
    texts = [[token.text for token in tokens] for tokens in noisy]
    return Sample([list(words) for words in gold], texts, beads, units)


def _foreign(word: str) -> _Token:
    return _Token(word, [-1] * len(word))


def _misspell(token: _Token, letter: str, rng: random.Random) -> None:
    at = rng.randrange(len(token.text))
    kind = rng.random()
    text = token.text
    if kind < 0.4 or len(text) == 1:
        token.text = text[:at] + letter + text[at + 1 :]
    elif kind < 0.7:
        token.text = text[:at] + text[at + 1 :]
        del token.origin[at]
    else:
        token.text = text[:at] + letter + text[at:]
        token.origin.insert(at, -1)


def _retokenise(tokens: Sequence[_Token], noise: Noise, rng: random.Random) -> list[_Token]:
    done: list[_Token] = []
    joining = False
    for token in tokens:
        pieces = [token]
        if len(token.text) > 1 and rng.random() < noise.split_token:
            at = rng.randrange(1, len(token.text))
            pieces = [_Token(token.text[:at], token.origin[:at]), _Token(token.text[at:], token.origin[at:])]
        if joining:
            done[-1] = _Token(done[-1].text + pieces[0].text, done[-1].origin + pieces[0].origin)
            del pieces[0]
        done.extend(pieces)
        joining = rng.random() < noise.join_tokens
    return done


def true_beads(gold: Sequence[int], system: Sequence[int]) -> Iterator[Span]:
    """Beads from the number of linked characters in each sentence; links never cross."""
    i = j = 0
    while i < len(gold) or j < len(system):
        if i < len(gold) and gold[i] == 0:
            a, b = i + 1, j
        elif j < len(system) and system[j] == 0:
            a, b = i, j + 1
        else:
            a, b = _least_closed(gold, system, i, j)
        yield i, a, j, b
        i, j = a, b


def true_units(gold: Sequence[int], system: Sequence[int]) -> list[Span]:
    """Units likewise; a token without links joins the next unit, or the last one at the end."""
    found: list[Span] = []
    if not gold or not system:
        found = [(k, k + 1, 0, 0) for k in range(len(gold))]
        return found or [(0, 0, k, k + 1) for k in range(len(system))]
    i = j = 0
    while i < len(gold) or j < len(system):
        a, b = _least_closed(gold, system, i, j)
        if a == i or b == j:
            first = found.pop()
            found.append((first[0], a, first[2], b))
        else:
            found.append((i, a, j, b))
        i, j = a, b
    return found


def _least_closed(gold: Sequence[int], system: Sequence[int], i: int, j: int) -> tuple[int, int]:
    """Return the nearest point after (i, j) that no link crosses, or the ends."""
    a, b = i, j
    if a == len(gold) or b == len(system):
        return len(gold), len(system)
    left, right = gold[a], system[b]
    a, b = a + 1, b + 1
    while left != right:
        if left < right:
            if a == len(gold):
                return len(gold), len(system)
            left += gold[a]
            a += 1
        else:
            if b == len(system):
                return len(gold), len(system)
            right += system[b]
            b += 1
    return a, b


@dataclass(frozen=True, slots=True)
class Found:
    """Counts of true beads and units found, added over samples."""

    beads: int = 0
    true_beads: int = 0
    units: int = 0
    true_units: int = 0
    failures: int = 0
    sentences: int = 0
    seconds: float = 0.0

    def __add__(self, other: Found) -> Found:
        return Found(*(getattr(self, name) + getattr(other, name) for name in self.__slots__))


Aligner = Callable[[list[list[str]], list[list[str]]], Iterable[tuple[Span, Sequence[Span]]]]
"""From two corpora to the beads, each with its units as token ranges inside the bead."""


def aligner(lang: str = "en") -> Aligner:
    """jpevalb's own alignment in the form that :func:`score` takes."""
    from jpevalb import align

    def run(gold: list[list[str]], system: list[list[str]]) -> Iterator[tuple[Span, Sequence[Span]]]:
        for bead in align(gold, system, lang=lang):
            yield (*bead.gold, *bead.system), bead.units

    return run


def score(sample: Sample, align: Aligner) -> Found:
    """Aligns a sample and counts the true beads and units among those found."""
    began = time.perf_counter()
    try:
        answer = list(align(sample.gold, sample.system))
    except Exception:  # whatever a peer raises is one failure
        return Found(0, len(sample.beads), 0, len(sample.units), 1, len(sample.gold))
    seconds = time.perf_counter() - began
    units: set[Span] = set()
    start = system_start = 0
    for (g1, g2, s1, s2), inside in answer:
        units.update((a + start, b + start, c + system_start, d + system_start) for a, b, c, d in inside)
        start += sum(len(words) for words in sample.gold[g1:g2])
        system_start += sum(len(words) for words in sample.system[s1:s2])
    return Found(
        len({span for span, _ in answer} & set(sample.beads)),
        len(sample.beads),
        len(units & set(sample.units)),
        len(sample.units),
        0,
        len(sample.gold),
        seconds,
    )


def kinds(rate: float) -> dict[str, Noise]:
    """The three kinds of noise at one rate."""
    kept = Noise(merge=rate, split=rate, join_tokens=rate, split_token=rate)
    errors = replace(kept, misspell=0.025, drop=0.025)
    return {
        "characters kept": kept,
        "+ 5 % errors": errors,
        "+ extra": replace(errors, insert=0.02, lose=0.02, invent=0.02),
    }


def samples(noise: Noise, sentences: int, seeds: Iterable[int]) -> Iterator[Sample]:
    """One sample a seed, each of another treebank."""
    for seed in seeds:
        gold = [words_of(line) for line in make_treebank(sentences, seed)]
        yield make_sample(gold, noise, random.Random(f"noise {seed}"))


def words_of(line: str) -> list[str]:
    """The words of a tree in bracket text as :func:`make_treebank` writes it."""
    return [piece.rstrip(")") for piece in line.split() if not piece.startswith("(")]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--sentences", type=int, default=400)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--lang", default="en")
    options = parser.parse_args()
    align = aligner(options.lang)
    print(f"{'noise':16} {'rate':>5} {'beads %':>8} {'units %':>8} {'failures':>8} {'sentences/s':>12}")
    for kind in kinds(0.0):
        for rate in RATES:
            total = sum_found(
                score(sample, align)
                for sample in samples(kinds(rate)[kind], options.sentences, range(1, options.seeds + 1))
            )
            speed = total.sentences / total.seconds if total.seconds else 0.0
            print(
                f"{kind:16} {rate:5.0%} {100 * total.beads / total.true_beads:8.3f}"
                f" {100 * total.units / total.true_units:8.3f} {total.failures:8d} {speed:12,.0f}",
                flush=True,
            )


def sum_found(parts: Iterable[Found]) -> Found:
    """The sum of any number of records."""
    total: Any = Found()
    for part in parts:
        total = total + part
    return total


if __name__ == "__main__":
    main()
