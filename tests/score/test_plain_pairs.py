"""Pairs with the same words are counted on their texts; the counts are those of their trees."""

from __future__ import annotations

import io
import json
import pickle
import random

from hypothesis import given, settings
from hypothesis import strategies as st

from jpevalb import Params, Settings, Tree, evaluate
from jpevalb.alignment.pair import PlainPair
from jpevalb.commands.evaluate import main
from jpevalb.metrics import struct_iou
from jpevalb.report import write_report
from jpevalb.score.run import Run
from jpevalb.settings.registry import DEFAULT, NAMED, REGISTRY

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
    {"exclude_trivial": True},
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
    return gold, system


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 1 << 30), st.sampled_from(RUNS))
def test_texts_have_the_counts_of_their_trees(seed, options):
    gold, system = corpus(random.Random(seed))
    options = {"mode": "alignment", "traces": "keep", **options}
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
    options = {"mode": "alignment", "traces": "keep", **options}

    def files():
        return [io.StringIO("".join(f"{line}\n" for line in side)) for side in (gold, system)]

    pieces = []
    write_report(Run(*files(), Settings(**options)), "json", pieces.append)
    assert "".join(pieces) == evaluate(*files(), **options).report("json")


def test_pairs_with_the_same_words_are_plain():
    lines = [
        "(S (NP (N a)) (VP (V b)))",
        "(S (NP (N a)) (V b))",
        "(S (N a) (V b))",
        "( S (N a))",
        "(S (N c))",
    ]
    system = [*lines[:3], lines[3], "(S (N d))"]
    gold, system = (io.StringIO("".join(f"{line}\n" for line in side)) for side in (lines, system))
    kinds = [isinstance(result.pair, PlainPair) for result in evaluate(gold, system).sentences]
    # A blank after the bracket, and words that differ, need the trees.
    assert kinds == [True, True, True, False, False]


def test_a_plain_pair_is_read_on_demand():
    gold, system = "(S (NP (N a)) (VP (V b)))\n", "(S (NP (N a)) (X (V b)))\n"
    (result,) = evaluate(io.StringIO(gold), io.StringIO(system), metrics=("brackets", "tags")).sentences
    assert (result.status, result.f1, result["tags"].correct) == ("ok", 2 / 3, 2)
    assert (result.gold, result.system) == (Tree.parse(gold), Tree.parse(system))
    assert repr(result.gold) == repr(Tree.parse(gold))
    assert [str(item) for item in result.missed] == ["VP[1:2]"]
    assert pickle.loads(pickle.dumps(result)) == result


def test_json_maps_the_nodes_of_a_pair_once(tmp_path, monkeypatch, capsys):
    gold = tmp_path / "gold.mrg"
    gold.write_text("(S (NP (N a)) (VP (V b)))\n" * 3)
    system = tmp_path / "system.mrg"
    system.write_text("(S (NP (N a)) (V b))\n" * 3)
    monkeypatch.setattr(struct_iou, "overlapping_nodes", None)
    assert main([str(gold), str(system), "--output", "json"]) == 0
    found = json.loads(capsys.readouterr().out)["sentences"]
    assert [row["node_pairs"][0] for row in found] == [[0, 0, 1.0]] * 3
