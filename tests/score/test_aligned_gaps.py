"""Trees with gaps over differing words: worked examples, and sets of units."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, strategies as st

from jpevalb import Tree, compare, evaluate
from jpevalb.metrics.brackets import BracketCounts, GapCounts
from jpevalb.score.signature import signature_of
from tests.support.commands import jpevalb, without_hints
from tests.support.gapped import ROOTS
from tests.support.random_trees import trees
from tests.support.with_gaps import discontinuous_settings, evaluate_with_gaps

GOLD = [
    "(S (VP (VB 0=wake) (RP 2=up)) (NP (PRP 1=me)))",
    "(S (NP (DT 0=the) (NN 1=cat)) (VP (VBD 2=slept)))",
]
SYSTEM = [
    # One word is two: VP holds units 0 and 2 all the same.
    "(S (VP (VB 0=wa) (VB 1=ke) (RP 3=up)) (NP (PRP 2=me)))",
    # One unit is the, the other both cat and slept: NP and VP hold units 0-1 and 1.
    "(S (NP (DT 0=the)) (VP (NN 1=catslept)))",
]


def test_by_hand():
    found = evaluate(GOLD, SYSTEM, metrics="siou,nodes,concepts,tedeval", by_label=True, convention="jpevalb")
    first, second = found.sentences
    assert [tuple(unit) for unit in first.units] == [(0, 1, 0, 2), (1, 2, 2, 3), (2, 3, 3, 4)]
    assert first.record.brackets == BracketCounts(1, 3, 3, 3, 0, 1, 1, 1, 10**12, 1)
    assert first.record["gaps"] == GapCounts(1, 1, 1)
    assert [str(item) for item, _ in first.matched] == ["S[0:3]", "VP[0,2]", "NP[1:2]"]
    # gold: S[0:2] NP[0:2] VP[1:2]; system: S[0:2] NP[0:1] VP[1:2].
    assert [tuple(unit) for unit in second.units] == [(0, 1, 0, 1), (1, 3, 1, 2)]
    assert second.record.brackets == BracketCounts(1, 3, 3, 2, 0, 0, 1, 1, 666_666_666_667, 1)
    assert second.record["gaps"] == GapCounts()
    assert found.total["labels"].labels["VP"].matched == 2
    for name in ("siou", "tedeval"):
        assert (found.total[name].undefined, found.total[name].sentences) == (1, 1)
    assert (found.total["siou"].with_gaps, found.total["nodes"].nodes.with_gaps) == (1, 1)
    assert found.total["concepts"].words.undefined == 0
    assert found.node_mapping(first) is None
    assert found.node_mapping(second) is not None


def test_reports_tell_gaps_only_where_there_are_any():
    told = evaluate(GOLD, SYSTEM, convention="jpevalb").report()
    assert "\nDiscontinuous             =    100.00 " in told
    assert "Gaps: no Struct-IoU       =      1 " in told
    assert "Gaps: no node accuracy    =      1 " in told
    assert "Too large" not in told
    without = evaluate(GOLD[1:], SYSTEM[1:], convention="jpevalb")
    assert "gaps" not in without.report().lower()
    for pick, told in ((slice(0, 2), True), (slice(1, 2), False)):
        found = compare(GOLD[pick], [SYSTEM[pick]] * 2, convention="jpevalb")
        assert ("Disc. F" in found.report()) is told


@pytest.mark.parametrize("output", ["text", "json", "csv", "markdown", "latex", "html"])
def test_the_command_aligns_trees_with_gaps(tmp_path, output):
    for name, lines in (("gold", GOLD), ("system", SYSTEM)):
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines))
    sides = [str(tmp_path / "gold"), str(tmp_path / "system")]
    refused = jpevalb(*sides)
    assert (refused.returncode, refused.stdout) == (1, b"")
    done = jpevalb(*sides, "--pair", "align", "--output", output)
    assert (done.returncode, done.stderr) == (0, b"")
    out = done.stdout.decode()
    assert signature_of(discontinuous_settings(pair="align")) in out.replace("\\", "")
    # Five of six constituents on both sides.
    assert ("83.33" if output != "json" else f'"f1": {5 / 6}') in out
    if output != "html":  # which has the names of the files
        found = evaluate_with_gaps(*sides, pair="align")
        assert found.report(output) == (without_hints(out) if output == "text" else out)
        assert found.f1 == 5 / 6


@st.composite
def respelled(draw) -> tuple[Tree, Tree]:
    """Two trees over one text, of which the second's words are other pieces."""
    gold = draw(trees(continuous=False))
    text = "".join(gold.words)
    other = draw(trees(continuous=False))
    words, at = [], 0
    for left in range(len(other.words), 0, -1):
        most = len(text) - at - left + 1
        size = most if left == 1 else draw(st.integers(1, max(1, most)))
        words.append(text[at : at + size] or "x")
        at += size
    return gold, Tree.build(other.labels, other.parents, tuple(words), other.word_parents)


def sets(tree: Tree, units: dict[int, int]) -> list[tuple[str, frozenset[int]]]:
    """Label and units of each constituent."""
    return [
        (label, frozenset(units[place] for place in units if words >> place & 1))
        for label, words, tag in zip(tree.labels, tree.yields(), tree.preterminals)
        if words and not tag and label not in ROOTS
    ]


def has_gaps(units: frozenset[int]) -> bool:
    return bool(units) and max(units) - min(units) >= len(units)


@given(respelled())
def test_a_yield_is_the_set_of_units_that_hold_any_of_its_words(pair):
    result = evaluate([pair[0]], [pair[1]], convention="jpevalb", metrics="brackets")
    matched = gold_gaps = system_gaps = both_gaps = golds = systems = 0
    for sentence in result.sentences:
        numbers: tuple[dict[int, int], dict[int, int]] = ({}, {})
        for number, (a, b, c, d) in enumerate(sentence.units):
            numbers[0].update(dict.fromkeys(range(a, b), number))
            numbers[1].update(dict.fromkeys(range(c, d), number))
        gold, system = (Counter(sets(*side)) for side in zip((sentence.gold, sentence.system), numbers))
        shared = Counter({one: times for one, times in (gold & system).items() if one[1]})
        golds, systems, matched = golds + gold.total(), systems + system.total(), matched + shared.total()
        gold_gaps += sum(has_gaps(units) for _, units in gold.elements())
        system_gaps += sum(has_gaps(units) for _, units in system.elements())
        both_gaps += sum(has_gaps(units) for _, units in shared.elements())
    brackets = result.total.brackets
    assert (brackets.gold, brackets.system, brackets.matched) == (golds, systems, matched)
    assert result.total["gaps"] == GapCounts(gold_gaps, system_gaps, both_gaps)
