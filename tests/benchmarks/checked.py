"""Checks every claim about files of the size of section 23 against the JSON report.

    python -m tests.benchmarks.checked [GOLD SYSTEM]

Without files the input is made.  The system is scored in several ways, and compared with copies of gold that
have more and more errors.  Ends with status 1 if a claim is not true.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Callable, Iterator, Mapping

from jpevalb import compare, evaluate, read
from tests.claims.checker import wrong_claims

from .alignment_gaps import KINDS
from .alignment_noise import make_sample, words_of
from .treebank import make_treebank, perturb_parse

SENTENCES = 2_416


def results(gold: list[str], system: list[str]) -> Iterator[tuple[str, Callable[[], object]]]:
    """Yield each result with its name."""
    rng = random.Random(1)
    noisy = make_sample([words_of(line) for line in gold], KINDS["noisy"], rng).system
    flat = [f"(S {' '.join([f'(NN {word})' for word in words])})" for words in noisy]
    rates = {"fine": 0.05, "fair": 0.1, "poor": 0.15}
    copies = {name: [perturb_parse(line, rng, rate) for line in gold] for name, rate in rates.items()}
    systems = {"system": system, **copies}
    twelve = {f"{name}{k}": some for k in range(3) for name, some in systems.items()}
    fenced = [
        f"```\n{line}\n```" if k % 7 == 0 else line[: -(k % 3 == 1) or None] for k, line in enumerate(system)
    ]
    ways: Mapping[str, Mapping[str, object]] = {
        "default": {},
        "evalb": {"convention": "evalb"},
        "gaps": {"convention": "discontinuous"},
    }
    for name, options in ways.items():
        yield name, lambda options=options: evaluate(gold, system, analysis=True, on_error="skip", **options)
    yield "gold", lambda: evaluate(gold, gold, analysis=True)
    yield "other words", lambda: evaluate(gold, flat, analysis=True)
    yield (
        "answers",
        lambda: evaluate(gold, fenced, format="answers", gold_format="bracket", repair=True, analysis=True),
    )
    yield "four systems", lambda: compare(gold, systems, analysis=True, by_label=True)
    yield "twelve systems", lambda: compare(gold, twelve, metrics="brackets")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("files", nargs="*", metavar="GOLD SYSTEM")
    files = parser.parse_args().files
    gold = list(make_treebank(SENTENCES, 1))
    system = [perturb_parse(line, random.Random(2)) for line in gold]
    if files:
        gold, system = ([tree.to_bracket() for tree in read(path)] for path in files)
    wrong = []
    for name, make in results(gold, system):
        report = json.loads(make().report("json"))  # type: ignore[attr-defined]
        found = wrong_claims(report)
        wrong += found
        print(f"{name:16} {len(report['claims']):3} claims, {len(found)} wrong", flush=True)
    for claim in wrong:
        print(claim)
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
