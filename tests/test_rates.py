"""The two numbers that a comparison resamples have as their quotient the figure that a report shows."""

from __future__ import annotations

import pytest

from jpevalb import evaluate, evaluate_discontinuous, legacy
from jpevalb.metrics import measures, metric_of

from .commands import ROOT

README = ROOT / "golden_outputs" / "readme"
GOLD = (README / "gold.mrg").read_text().splitlines()
# A third system differs in tags, in function tags and in a bracket of one word.
POOR = [line.replace("NP-SBJ", "NP").replace("(DT the)", "(XX the)") for line in GOLD]


@pytest.fixture(scope="module")
def totals():
    chosen = "functions,leaf,tedeval,siou,nodes,segmentation"
    return [
        evaluate(GOLD, (README / name).read_text().splitlines(), metrics=chosen).total
        for name in ("e2e.mrg", "sys.mrg")
    ] + [evaluate(GOLD, POOR, metrics=chosen).total]


def check(rates, records):
    """Returns how many of the quotients say something: they are neither 0 nor 1."""
    telling = 0
    for rate in rates:
        parts, value = rate.counts, rate.value
        for record in records:
            part, whole = parts(record)
            assert (value(record) is None) == (whole == 0), rate
            if whole:
                assert part / whole == pytest.approx(value(record), rel=1e-9), rate
                telling += part not in (0, whole)
    return telling


@pytest.mark.parametrize("name", ["segmentation", "functions", "leaf", "tedeval", "siou", "nodes"])
def test_each_metric(totals, name):
    rates = metric_of(name).rates
    assert rates
    assert check(rates, [total[name] for total in totals]) >= len(rates)


def test_brackets_and_tags(totals):
    assert check(measures.ALIGNMENT, totals) > len(measures.ALIGNMENT)


def test_legacy():
    system = (README / "sys.mrg").read_text().splitlines()
    record = legacy.evaluate(GOLD, system, "COLLINS").total
    assert check(measures.LEGACY, [record, legacy.evaluate(GOLD, POOR, None).total]) >= 5


def test_discontinuous():
    record = evaluate_discontinuous(README / "gold.discbracket", README / "sys.discbracket").total
    assert check(measures.DISCONTINUOUS, [record]) >= 5
