"""Tests of all pairs of systems, systems that are not distinguished, and systems in different formats."""

from __future__ import annotations

import json
from itertools import combinations, product
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

import jpevalb
from jpevalb import compare, evaluate
from jpevalb.base.errors import SettingsError
from jpevalb.comparison import holm
from jpevalb.comparison.result import Comparison
from jpevalb.trees.tree import Tree
from tests.support.commands import jpevalb as command

RIGHT = "(S (NP (N a)) (VP (V b) (NP (N c))))"
FLAT = "(S (N a) (V b) (NP (N c)))"
WRONG = "(S (NP (N a) (V b)) (NP (N c)))"
GOLD = [RIGHT] * 40
SYSTEMS = {
    "poor": [WRONG] * 30 + [RIGHT] * 10,
    "flat": [FLAT] * 20 + [RIGHT] * 20,
    "near": [FLAT] * 19 + [RIGHT] * 20 + [WRONG],
    "good": [RIGHT] * 38 + [FLAT] * 2,
}


@pytest.mark.parametrize("test", ["bootstrap", "permutation", "sign"])
def test_each_pair_is_tested_as_if_it_were_alone(test):
    result = compare(GOLD, SYSTEMS, test=test, samples=200, metrics="brackets")
    assert [pair.systems for pair in result.pairs] == list(combinations(SYSTEMS, 2))
    for pair in result.pairs:
        first, second = pair.systems
        alone = compare(
            GOLD,
            {name: SYSTEMS[name] for name in pair.systems},
            test=test,
            samples=200,
            metrics="brackets",
        )
        assert pair.p_values == alone.p_values[second]
        assert pair.intervals == alone.systems[1].differences
        assert pair.differences["f1"] == alone.f1[second] - alone.f1[first]
        assert alone.pairs == ()
    for key in ("f1", "recall", "average_crossing"):
        assert [pair.corrected[key] for pair in result.pairs] == holm(
            [pair.p_values[key] for pair in result.pairs]
        )


def test_a_page_has_the_pairs_of_all_figures():
    options = {"analysis": True, "by_label": True, "samples": 50, "metrics": "brackets"}
    plain = compare(GOLD, SYSTEMS, **options)
    kept = compare(GOLD, SYSTEMS, keep=True, **options)
    assert list(kept.pairs[3].p_values) == [measure.name for measure in kept.measures]
    headline = [measure.name for measure in plain.measures if not measure.group]
    assert list(plain.pairs[3].p_values) == headline
    for one, other in zip(plain.pairs, kept.pairs):
        assert {name: other.corrected[name] for name in headline} == one.corrected


def test_units_that_differ_between_pairs():
    """The third system joins two sentences, so only its pairs have fewer units."""
    gold = [RIGHT, FLAT] * 10
    joined = [f"(T {RIGHT} {FLAT})", *gold[2:]]
    systems = {"one": [WRONG] * 20, "two": [FLAT] * 20, "joined": joined}
    result = compare(gold, systems, samples=100, metrics="brackets")
    for pair in result.pairs:
        alone = compare(gold, {name: systems[name] for name in pair.systems}, samples=100, metrics="brackets")
        assert pair.p_values["f1"] == alone.p_values[pair.systems[1]]["f1"]


def test_systems_that_are_not_distinguished_share_a_letter():
    result = compare(GOLD, SYSTEMS, metrics="brackets")
    assert result.undistinguished == [("good",), ("flat", "near"), ("poor",)]
    assert result.letters == {"poor": "c", "flat": "b", "near": "b", "good": "a"}
    assert json.loads(result.report("json"))["undistinguished"] == [["good"], ["flat", "near"], ["poor"]]
    text = result.report(verbose=True)
    assert "# systems that share a letter are not distinguished in F: good a, flat b, near b, poor c" in text
    assert "Second minus first in F, with Holm's correction for 6 pairs" in text
    row = next(line for line in text.splitlines() if line.split()[:2] == ["flat", "near"])
    [pair] = [pair for pair in result.pairs if pair.systems == ("flat", "near")]
    assert row.split()[-2:] == [f"{one['f1']:.4f}" for one in (pair.p_values, pair.corrected)]
    untested = compare(GOLD, SYSTEMS, metrics="brackets", test=None)
    assert (untested.pairs, untested.undistinguished) == ((), [])
    assert set(untested.letters.values()) == {""}


@given(
    st.integers(1, 7).flatmap(
        lambda size: st.tuples(st.just(size), st.sets(st.tuples(*[st.integers(0, size - 1)] * 2)))
    )
)
def test_undistinguished_systems_are_the_largest_cliques(case):
    """The definition, over all subsets of the systems."""
    size, apart = case
    names = [str(k) for k in range(size)]
    distinct = {frozenset({str(a), str(b)}) for a, b in apart if a != b}
    pairs = [
        SimpleNamespace(systems=pair, corrected={"f1": 0.01 if frozenset(pair) in distinct else 0.5})
        for pair in combinations(names, 2)
    ]
    ranked = [SimpleNamespace(name=name) for name in names]
    found = Comparison.undistinguished.fget(SimpleNamespace(pairs=pairs, ranked=ranked))
    cliques = [
        set(some)
        for count in range(1, size + 1)
        for some in combinations(names, count)
        if not any(frozenset(pair) in distinct for pair in combinations(some, 2))
    ]
    largest = [tuple(sorted(one)) for one in cliques if not any(one < other for other in cliques)]
    assert found == (sorted(largest) if pairs else [])


def test_too_few_resamples_for_the_number_of_pairs():
    eleven = {f"s{k}": GOLD[k:] + [FLAT] * k for k in range(11)}
    result = compare(GOLD, eleven, samples=1000, metrics="brackets")
    # 55 / 1001 is above 0.05, and 45 / 1001 is below.
    assert result.samples_needed == 10_000
    assert "# 1,000 resamples are too few for 55 tests; use --samples 10000\n" in result.report(verbose=True)
    ten = compare(GOLD, dict(list(eleven.items())[:10]), samples=1000, metrics="brackets")
    assert ten.samples_needed is None
    assert "too few" not in ten.report(verbose=True)
    assert compare(GOLD, eleven, test="sign", confidence=None, metrics="brackets").samples_needed is None


# -- systems in different formats ----------------------------------------------------------------

TREES = [Tree.parse(text) for text in (RIGHT, FLAT, WRONG)] * 2


@pytest.fixture(scope="module")
def formats(tmp_path_factory):
    """The same trees in every format that can be detected."""
    folder = tmp_path_factory.mktemp("formats")
    brackets = [tree.to_bracket() for tree in TREES]
    found = {}
    for name in ("bracket", "discbracket", "export"):
        found[name] = folder / name
        jpevalb.write(TREES, found[name], format=name)
    sentences = [{"index": k, "parse": f"(ROOT {text})", "tokens": []} for k, text in enumerate(brackets)]
    columns = [
        "".join(
            [
                f"{k}\t{word}\t_\t{tag}\t_\t_\t0\t_\t_\t_\n"
                for k, (word, tag) in enumerate(zip(one.words, one.tags), 1)
            ]
        )
        for one in TREES
    ]
    texts = {
        "jsonl": "\n".join([json.dumps({"output": text}) for text in brackets]),
        "field": "\n".join(
            [json.dumps({"content": text}) for text in [f"Tree: {brackets[0]}", *brackets[1:]]]
        ),
        "corenlp": json.dumps({"sentences": sentences}),
        "conllu": "\n".join([f"# constituency = {text}\n{rows}" for text, rows in zip(brackets, columns)])
        + "\n",
    }
    for name, text in texts.items():
        found[name] = folder / name
        found[name].write_text(text)
    return found


NAMES = ("bracket", "discbracket", "export", "jsonl", "corenlp", "conllu")


@pytest.mark.parametrize(("gold", "first", "second"), [*product(NAMES[::2], NAMES, NAMES)])
def test_systems_of_any_two_formats_are_compared(formats, gold, first, second):
    result = compare(
        formats[gold],
        {"one": formats[first], "two": formats[second]},
        samples=5,
        pair="order",
        metrics="brackets",
    )
    assert [system.format for system in result.systems] == [first, second]
    assert list(result.f1.values()) == [1.0, 1.0]
    for system in result.systems:
        assert (system.rates.get("valid") is None) == (system.format != "jsonl")


@pytest.mark.parametrize("output", ["text", "json", "csv", "markdown", "latex", "html"])
def test_a_parser_beside_a_model(formats, output, tmp_path):
    """``--field`` is for the model's answers only; figures of answers are undefined for the parser."""
    files = [str(formats[name]) for name in ("bracket", "discbracket", "field")]
    for order in (files[1:], files[:0:-1]):
        done = command(files[0], *order, "--field", "content", "--output", output, "--samples", "9")
        assert (done.returncode, done.stderr) == (0, b"")


def test_the_figures_of_a_parser_beside_a_model_are_its_own(formats):
    systems = {"parser": formats["discbracket"], "model": formats["field"]}
    result = compare(formats["bracket"], systems, field="content", samples=9)
    alone = {
        "parser": evaluate(formats["bracket"], systems["parser"], mode="alignment").figures,
        "model": evaluate(formats["bracket"], systems["model"], field="content").figures,
    }
    for system in result.systems:
        for measure in result.measures:
            assert system[measure.name] == alone[system.name].get(measure.name)
    assert result.p_values["model"]["valid"] is None
    assert result.p_values["model"]["f1"] is not None
    notes = "\n".join(result.report().splitlines())
    assert "# parser: format discbracket" in notes
    assert "F valid over 5 of 6 sentences, not comparable with other figures, format jsonl" in notes
    repaired = compare(formats["bracket"], systems, field="content", repair=True, samples=9)
    assert list(repaired.f1.values()) == [1.0, 1.0]
    with pytest.raises(SettingsError, match="field='content' has no effect with the gold format bracket"):
        compare(
            formats["bracket"], {"parser": formats["bracket"], "other": formats["export"]}, field="content"
        )
