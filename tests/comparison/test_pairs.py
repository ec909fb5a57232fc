"""Tests of all pairs of systems, systems that are not distinguished, and systems in different formats."""

from __future__ import annotations

import json
from itertools import combinations, product

import pytest
from hypothesis import given, strategies as st

import jpevalb
from jpevalb import compare, comparison, evaluate
from jpevalb.base.errors import SettingsError
from jpevalb.comparison.result import UNTESTED, Decision, decisions, holm, letters_of
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
        alone = compare(
            GOLD,
            {name: SYSTEMS[name] for name in pair.systems},
            test=test,
            samples=200,
            metrics="brackets",
        )
        ours, (other,) = pair.decision, alone.pairs
        assert ours == other.decision._replace(outcome=ours.outcome, p=ours.p, tests=ours.tests)
        assert pair.decision.p_alone == alone.p_values[pair.systems[1]]["f1"]
        assert pair.decision.points == alone.f1[pair.systems[1]] - alone.f1[pair.systems[0]]
    assert [pair.decision.p for pair in result.pairs] == holm(
        [pair.decision.p_alone for pair in result.pairs]
    )


def test_units_that_differ_between_pairs():
    """The third system joins two sentences, so only its pairs have fewer units."""
    gold = [RIGHT, FLAT] * 10
    joined = [f"(T {RIGHT} {FLAT})", *gold[2:]]
    systems = {"one": [WRONG] * 20, "two": [FLAT] * 20, "joined": joined}
    result = compare(gold, systems, samples=100, metrics="brackets")
    assert [pair.decision.units for pair in result.pairs] == [20, 19, 19]
    for pair in result.pairs:
        alone = compare(gold, {name: systems[name] for name in pair.systems}, samples=100, metrics="brackets")
        assert pair.decision.p_alone == alone.p_values[pair.systems[1]]["f1"]


def test_figures_in_blocks(monkeypatch):
    """Figures are sampled a few at a time, which changes nothing."""
    options = {"analysis": True, "by_label": True, "samples": 50, "metrics": "brackets"}
    whole = compare(GOLD, SYSTEMS, **options)
    monkeypatch.setattr("jpevalb.comparison.CELLS", 1000)
    assert compare(GOLD, SYSTEMS, **options) == whole


def test_systems_that_are_not_distinguished_share_a_letter():
    result = compare(GOLD, SYSTEMS, metrics="brackets")
    assert result.undistinguished == [("good",), ("flat", "near"), ("poor",)]
    assert result.letters == {"poor": "c", "flat": "b", "near": "b", "good": "a"}
    assert json.loads(result.report("json"))["undistinguished"] == [["good"], ["flat", "near"], ["poor"]]
    text = result.report(verbose=True)
    assert (
        "# Systems that share a letter are not distinguished in F1: good a, flat b, near b, poor c." in text
    )
    assert "Second minus first in F, with Holm's correction for 6 tests" in text
    row = next(line for line in text.splitlines() if line.split()[:2] == ["flat", "near"])
    [pair] = [pair for pair in result.pairs if pair.systems == ("flat", "near")]
    assert row.split()[-2:] == [f"{p:.4f}" for p in (pair.decision.p_alone, pair.decision.p)]
    for options in ({"test": None}, {"correction": "baseline"}, {"correction": "none"}):
        others = compare(GOLD, SYSTEMS, metrics="brackets", **options)
        assert others.undistinguished == []
        assert set(others.letters.values()) == {""}
        assert len(others.pairs) == (0 if "test" in options else 3)
    # All pairs differ, or none does.
    apart = {name: SYSTEMS[name] for name in ("poor", "flat", "good")}
    for systems, letters in ((apart, ["c", "b", "a"]), (dict.fromkeys("xyz", SYSTEMS["flat"]), ["a"] * 3)):
        assert [*compare(GOLD, systems, metrics="brackets").letters.values()] == letters


@given(
    st.integers(1, 7).flatmap(
        lambda size: st.tuples(st.just(size), st.sets(st.tuples(*[st.integers(0, size - 1)] * 2)))
    )
)
def test_letters(case):
    """Two systems share a set unless they are apart; sets are cliques, and none can be left out."""
    size, apart = case
    names = [str(k) for k in range(size)]
    distinct = sorted({frozenset({str(a), str(b)}) for a, b in apart if a != b}, key=sorted)
    found = letters_of(names, distinct)

    def relation(sets):
        return {(a, b) for one in sets for a in one for b in one}

    expected = {(a, b) for a in names for b in names if frozenset({a, b}) not in distinct}
    assert relation(found) == expected
    for one in found:
        assert not any(set(one) < set(other) for other in found)
        assert relation([other for other in found if other != one]) != expected


def test_too_few_resamples_for_the_number_of_pairs():
    eleven = {f"s{k}": GOLD[k:] + [FLAT] * k for k in range(11)}
    result = compare(GOLD, eleven, samples=1000, metrics="brackets")
    # 55 / 1001 is above 0.05, and 45 / 1001 is below.
    assert result.samples_needed == 10_000
    assert {pair.decision.outcome for pair in result.pairs} == {"reach"}
    assert result.undistinguished == []
    assert "*" not in result.report().partition("#")[0]
    assert (
        "# 1,000 resamples are too few to correct 55 tests: p is at least 0.055. Use --samples 10000."
        in result.report()
    )
    ten = compare(GOLD, dict(list(eleven.items())[:10]), samples=1000, metrics="brackets")
    assert ten.samples_needed is None
    assert "too few" not in ten.report(verbose=True)
    assert compare(GOLD, eleven, test="sign", confidence=None, metrics="brackets").samples_needed is None


@pytest.mark.parametrize(("systems", "samples"), [(2, 10_000), (14, 10_000), (15, 10_500), (30, 43_500)])
def test_the_number_of_resamples(systems, samples):
    how = comparison.Testing("permutation", 1, None, 0.95, "drop", "pairs")
    assert how.test_samples(systems) == samples
    assert how.interval_samples(systems) == 1_000
    assert how._replace(test="bootstrap").interval_samples(systems) == samples
    assert how._replace(correction="baseline").test_samples(systems) == 10_000
    assert how._replace(samples=7).test_samples(systems) == 7


def family(*p_values, units=100, points=0.1, won=None):
    return [Decision(UNTESTED, points, units=units, p_alone=p, won=won) for p in p_values]


@pytest.mark.parametrize(
    ("tested", "test", "samples", "expected"),
    [
        (family(0.01, 0.04), "permutation", 1000, ["differs", "differs"]),
        (family(0.03, 0.04), "permutation", 1000, ["alike", "alike"]),
        (family(0.01, None), "permutation", 1000, ["differs", "undefined"]),
        (family(0.01, points=None), "permutation", 1000, ["undefined"]),
        (family(None), None, 0, ["untested"]),
        (family(0.01, units=9), "permutation", 1000, ["few"]),
        (family(0.01, units=10), "permutation", 1000, ["differs"]),
        (family(0.01, units=49), "bootstrap", 1000, ["few"]),
        (family(0.01, units=50), "bootstrap", 1000, ["differs"]),
        # 26 tests at 2 / 1024 are above 0.05.
        (family(*[0.001] * 26, units=10), "permutation", 10_000, ["few"] * 26),
        (family(*[0.001] * 25, units=10), "permutation", 10_000, ["differs"] * 25),
        (family(0.05), "permutation", 19, ["reach"]),
        (family(0.04), "permutation", 20, ["differs"]),
        (family(0.001, won=5), "sign", 0, ["differs"]),
        (family(0.001, won=-5), "sign", 0, ["mixed"]),
        (family(0.001, points=0.0, won=-5), "sign", 0, ["mixed"]),
    ],
)
def test_decisions(tested, test, samples, expected):
    assert [one.outcome for one in decisions(tested, test, samples)] == expected


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
        "parser": evaluate(formats["bracket"], systems["parser"], convention="jpevalb").figures,
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
