"""Each row of the tables in docs/metrics.md."""

from __future__ import annotations

import pytest

import jpevalb
from tests.support.commands import ROOT
from tests.support.with_gaps import evaluate_with_gaps, matches_of


def tables():
    """The rows of each table, without its head."""
    found = []
    text = (ROOT / "docs" / "metrics.md").read_text(encoding="utf-8")
    for line in text.partition("### Undefined rates")[2].partition("\n## ")[0].splitlines():
        if line.startswith("| gold"):
            found.append([])
        elif line.startswith("| ") and "---" not in line:
            found[-1].append(tuple(cell.strip() for cell in line.strip("|").split("|")))
    return found


ALIGNMENT, DISCONTINUOUS = tables()


def trees(cell):
    return [] if cell == "no sentence" else [cell.strip("`")]


def shown(*rates):
    return tuple("None" if rate is None else str(round(rate, 3)) for rate in rates)


def test_the_tables_have_rows():
    assert len(ALIGNMENT) == 5
    assert len(DISCONTINUOUS) == 3


@pytest.mark.parametrize("row", ALIGNMENT, ids=" / ".join)
def test_alignment(row):
    gold, system, *expected = row
    total = jpevalb.evaluate(trees(gold), trees(system)).total
    brackets = total.brackets
    found = shown(
        brackets.recall, brackets.precision, brackets.f1,
        total.tags.accuracy, total["siou"].mean, total["nodes"].nodes.accuracy,
    )  # fmt: skip
    assert found == tuple(expected)


@pytest.mark.parametrize("row", DISCONTINUOUS, ids=" / ".join)
def test_discontinuous(row):
    gold, system, *expected = row
    total = matches_of(evaluate_with_gaps(trees(gold), trees(system)).total)
    found = shown(total.overall.f1, total.continuous.f1, total.discontinuous.f1, total.tag_accuracy)
    assert found == tuple(expected)


@pytest.mark.parametrize(
    ("gold", "system", "expected"),
    [
        # Neither side has a constituent: F1 is 1 for a parse and 0 for none, if asked for.
        ("(N a)", "(N a)", (1, 1.0, 1)),
        ("(N a)", "(())", (0, 0.0, 1)),
        # One has some: F1 is 0 in any case.
        ("(N a)", "(S (N a))", (0, 0.0, 1)),
        ("(S (N a))", "(N a)", (0, 0.0, 1)),
    ],
)
def test_f1_of_sentences_without_constituents(gold, system, expected):
    total = matches_of(evaluate_with_gaps([gold], [system], empty_f1="one").total)
    assert (total.exact, total.sentence_f1, total.f1_sentences) == expected
    plain = matches_of(evaluate_with_gaps([gold], [system], empty_f1="none").total)
    has_some = "S" in gold + system
    assert (plain.sentence_f1, plain.f1_sentences) == ((0.0, 1) if has_some else (None, 0))


def test_other_claims_of_the_page():
    text = jpevalb.evaluate(["(A a)"], ["(A a)"])
    assert "Bracketing FMeasure       =      -" in text.report("text")
    assert text.to_dict()["total"]["brackets"]["f1"] is None
    both = jpevalb.evaluate(["(A a)", "(S (B b))"], ["(A a)", "(S (B b))"]).total.brackets
    assert (both.f1_sentences, both.sentence_f1) == (1, 1.0)
    assert jpevalb.average([jpevalb.Tree.parse("(())")]).words == ()
