"""The memory limit of tree metrics: a formula of the sizes of the two trees, equal on every machine."""

from __future__ import annotations

import pytest

from jpevalb import SettingsError, TooLargeError, evaluate, struct_iou, tree_mapping, tree_node_accuracy
from jpevalb.metrics.struct_iou import overlap_mapping
from jpevalb.score.signature import signature_of
from jpevalb.settings.settings import Settings

# Three phrases that none of the system's nodes is equal to, and four preterminals.
GOLD = "(A (B (C (x a) (x b)) (x c)) (x d))"
SYSTEM = "(P (y a) (Q (y b) (R (y c) (y d))))"


def bytes_for(nodes: int) -> int:
    return 16 * (nodes + 1) ** 2


@pytest.mark.parametrize("function", [struct_iou, overlap_mapping, tree_node_accuracy, tree_mapping])
def test_the_bound_is_met_to_the_byte(function):
    nodes = 7
    assert function(GOLD, SYSTEM, most_memory=bytes_for(nodes)) == function(GOLD, SYSTEM)
    with pytest.raises(
        TooLargeError, match=f"parts of {nodes} and {nodes} nodes.* allow more memory, or cut"
    ):
        function(GOLD, SYSTEM, most_memory=bytes_for(nodes) - 1)
    # Equal trees need no tables.
    function(GOLD, GOLD, most_memory=1)


def test_pairs_beyond_the_limit_are_undefined_and_listed():
    gold, system = [GOLD, "(S (N e))"], [SYSTEM, "(S (N e))"]
    total = evaluate(gold, system, most_memory=bytes_for(7)).total
    assert (total["siou"].undefined, total["nodes"].nodes.undefined) == (0, 0)
    total = evaluate(gold, system, most_memory=bytes_for(7) - 1).total
    assert (total["siou"].undefined, total["nodes"].nodes.undefined) == (1, 1)
    ted_eval = evaluate(gold, system, metrics="tedeval", most_memory=bytes_for(7) - 1).total["tedeval"]
    assert (ted_eval.undefined, ted_eval.sentences) == (1, 1)
    # The other sentence is scored, and the brackets of both.
    assert (total["siou"].sentences, total["nodes"].nodes.correct, total["brackets"].gold) == (1, 3, 4)
    out = evaluate(gold, system, most_memory=1000).report(quiet=True)
    assert "Too large for Struct-IoU  =      1 " in out
    assert "Too large for node accuracy =      1 " in out
    assert "most-memory:1000" in out
    out = evaluate(gold, system, most_memory=10**9).report(quiet=True)
    assert "Too large" not in out
    assert "most-memory" not in out


def test_a_mapping_beyond_the_limit_is_none():
    result = evaluate([GOLD, "(S (N e))"], [SYSTEM, "(S (N e))"], most_memory=bytes_for(7) - 1)
    first, second = result.sentences
    for name in ("siou", "nodes"):
        assert result.node_mapping(first, name) is None
        assert result.node_mapping(second, name).pairs
    for name in ("colour", "zzz"):
        with pytest.raises(KeyError, match=name):
            result.node_mapping(second, name)
    first, second = (sentence["node_pairs"] for sentence in result.to_dict()["sentences"])
    assert (first, second) == (None, [[0, 0, 1.0], [1, 1, 1.0]])


def test_settings():
    assert Settings().most_memory == 1_000_000_000
    assert "most-memory:7" in signature_of(Settings(convention="jpevalb", most_memory=7))
    assert "most-memory:7" in signature_of(Settings(convention="jpevalb", most_memory=7, metrics="tedeval"))
    assert "most-memory" not in signature_of(
        Settings(convention="jpevalb", most_memory=7, metrics="brackets")
    )
    with pytest.raises(SettingsError, match="most_memory=0; expected a number of bytes from 1, or a size"):
        Settings(most_memory=0)
