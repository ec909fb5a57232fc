"""Files of texts have the counts of their trees."""

from __future__ import annotations

import io
import random

import pytest
from hypothesis import example, given, settings, strategies as st

from jpevalb import Params, Settings, Tree, evaluate
from jpevalb.formats.bracket import parse_discbracket
from jpevalb.report import write_report
from jpevalb.score.run import Run
from jpevalb.settings.settings import DEFAULT, NAMED, REGISTRY

LABELS = ["S", "NP", "VP", "NP-SBJ=2", "ADVP", "PRT", "TOP", "ROOT", "VROOT", "-NONE-", ""]
TAGS = ["N", "V", "NN", ",", ".", "-NONE-", "TOP", "S", ""]
WORDS = ["a", "b", "ab", "日本", "é", "x=y", "''", "0"]
PRM = Params(
    delete_labels=("TOP", "-NONE-", ",", "S"),
    delete_labels_for_length=("-NONE-", "."),
    eq_labels=(("ADVP", "PRT"), ("N", "V")),
)
RUNS = [
    {},
    {"metrics": ("brackets", "tags")},
    {"metrics": ("brackets", "tags"), "unlabeled": True},
    {"prm": PRM},
    {"prm": Params(delete_labels=("TOP", ",")), "cutoff": 2},
    {"prm": PRM, "unlabeled": True},
    {"punctuation": ", ."},
    {"traces": "drop"},
    {"strict_terminals": True, "by_label": True},
    {"unit": "char", "node_types": "label"},
    {"analysis": True, "empty_f1": "one"},
    {"prm": Params(eq_words=(("a", "b"),))},
    {"pair": "order"},
]


def text(rng: random.Random, words: list[str]) -> str:
    """A tree over these words, in one of the forms that a file may have."""
    parts = [f"({rng.choice(TAGS)} {word})" if rng.random() < 0.97 else word for word in words]
    if rng.random() < 0.1:
        parts.insert(rng.randrange(len(parts) + 1), rng.choice(["(NP)", "(NP )", "(X (NP))"]))
    while len(parts) > 1 or rng.random() < 0.4:
        size = rng.randint(1, min(4, len(parts)))
        at = rng.randint(0, len(parts) - size)
        blank = rng.choice([" ", " ", " ", "", "\t"])
        parts[at : at + size] = [f"({rng.choice(LABELS)}{blank}{' '.join(parts[at : at + size])})"]
    tree = parts[0] if parts[0].startswith("(") else f"(S {parts[0]})"
    return rng.choice([tree, tree, f"( {tree} )", f" {tree}", f"( S {tree})"])


def corpus(rng: random.Random) -> tuple[list[str], list[str]]:
    gold, system = [], []
    for _ in range(rng.randint(1, 12)):
        words = [rng.choice(WORDS) for _ in range(rng.randint(1, 8))]
        gold.append(text(rng, words))
        other = words if rng.random() < 0.9 else [*words, "more"]
        system.append(gold[-1] if rng.random() < 0.2 else text(rng, other))
    # Files without words are an error; "(ADVPa)" has none.
    return [*gold, "(S (N a))"], [*system, "(S (N a))"]


@settings(max_examples=150, deadline=None)
@example(185, {"prm": PRM, "unlabeled": True})  # a constituent -NONE-
@given(st.integers(0, 1 << 30), st.sampled_from(RUNS))
def test_texts_have_the_counts_of_their_trees(seed, options):
    gold, system = corpus(random.Random(seed))
    options = {"convention": "jpevalb", "traces": "keep", **options}
    files = [io.StringIO("".join(f"{line}\n" for line in side)) for side in (gold, system)]
    trees = [[Tree.parse(line) for line in side] for side in (gold, system)]
    expected = evaluate(*trees, **options)
    found = evaluate(*files, **options)
    assert found.to_dict() == expected.to_dict()
    assert [result.record for result in found.sentences] == [result.record for result in expected.sentences]


EVERY = tuple(name for name, when in REGISTRY.items() if when in (DEFAULT, NAMED))


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 1 << 30), st.sampled_from([*RUNS, {"metrics": EVERY}]))
def test_rows_of_json_are_written_from_counts_as_from_records(seed, options):
    gold, system = corpus(random.Random(seed))
    options = {"convention": "jpevalb", "traces": "keep", **options}

    def files():
        return [io.StringIO("".join(f"{line}\n" for line in side)) for side in (gold, system)]

    pieces = []
    write_report(Run(*files(), Settings(**options)), "json", pieces.append)
    assert "".join(pieces) == evaluate(*files(), **options).report("json")


WITH_GAPS = [
    {},
    {"unlabeled": True},
    {"prm": PRM},
    {"prm": Params(eq_labels=(("N", "V"), ("V", "NN"), ("ADVP", "PRT")), delete_labels_for_length=(".",))},
    {"convention": "discontinuous least:2 whole:drop-all"},
    {"convention": "discontinuous most-gaps:1"},
    {"convention": "discontinuous words:3"},
    {"analysis": True, "empty_f1": "one"},
    {"metrics": ("brackets", "unlabeled", "functions", "leaf", "siou", "nodes")},
    {"traces": "drop"},
    {"pair": "order", "cutoff": 5},
]
INDEXED = ["a", "b", "x=y", "é", "#LRB#", "0", "#", "-LRB-", "''"]


def with_gaps(rng: random.Random, words: list[str]) -> str:
    """A tree over these words whose constituents may have gaps, in one of the forms of a line."""
    parts = [f"({rng.choice(TAGS[:-1])} {index}={word})" for index, word in enumerate(words)]
    if rng.random() < 0.1:
        parts[0] = rng.choice([f"0={words[0]}", f"(N  0={words[0]})", f"($#LRB# 0={words[0]})"])
    if rng.random() < 0.2:
        parts.insert(rng.randrange(len(parts) + 1), "(NP)")
    if rng.random() < 0.5:
        rng.shuffle(parts)
    while len(parts) > 1 or rng.random() < 0.4:
        chosen = rng.sample(range(len(parts)), rng.randint(1, min(3, len(parts))))
        if rng.random() < 0.7:
            chosen.sort()
        node = f"({rng.choice(LABELS[:-1])} {' '.join([parts[index] for index in chosen])})"
        parts = [part for index, part in enumerate(parts) if index not in chosen]
        parts.insert(rng.randint(0, len(parts)) if rng.random() < 0.3 else min(chosen), node)
    return parts[0] if parts[0].startswith("(") else f"(S {parts[0]})"


def gapped_corpus(rng: random.Random) -> tuple[list[str], list[str]]:
    gold, system = ["(S (N 0=a))"], ["(S (N 0=a))"]
    for _ in range(rng.randint(1, 12)):
        words = [rng.choice(INDEXED) for _ in range(rng.choice([1, 2, 4, 6, 8, 8, 64, 65]))]
        gold.append(with_gaps(rng, words))
        other = ["(" if word == "-LRB-" and rng.random() < 0.1 else word for word in words]
        label, new = rng.choice(LABELS[:-1]), rng.choice(LABELS[:-1])
        changed = gold[-1].replace(f"({label} ", f"({new} ", 1)
        system.append(changed if rng.random() < 0.5 else with_gaps(rng, other).replace("=(", "=#LRB#"))
    return gold, system


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(st.integers(0, 1 << 30), st.sampled_from(WITH_GAPS))
def test_texts_with_indices_have_the_counts_of_their_trees(seed, options):
    gold, system = gapped_corpus(random.Random(seed))
    options = {"convention": "discontinuous", "traces": "keep", **options}
    files = [io.StringIO("".join(f"{line}\n" for line in side)) for side in (gold, system)]
    trees = [[parse_discbracket(line) for line in side] for side in (gold, system)]
    expected = evaluate(*trees, **options)
    found = evaluate(*files, **options)
    assert found.to_dict() == expected.to_dict()
    assert [result.record for result in found.sentences] == [result.record for result in expected.sentences]
    assert [result.to_dict() for result in found.sentences] == [
        result.to_dict() for result in expected.sentences
    ]
