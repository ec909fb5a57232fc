"""The sentences that state the result of a comparison."""

from __future__ import annotations

import pytest

from jpevalb.comparison.result import Comparison, SystemScores
from jpevalb.metrics import Figure
from jpevalb.report.verdict import verdict

NAMES = ("recall", "precision", "f1")


def comparison(*systems, test="bootstrap"):
    """Return a comparison of systems, each with recall, precision and F1 in per cent, and p-values."""
    rows = [
        SystemScores(
            f"system {number}",
            None,
            dict(zip(NAMES, [None if rate is None else rate / 100 for rate in rates])),
            {},
            dict(zip(NAMES, p)),
            {},
            10,
            (),
            (),
        )
        for number, (rates, p) in enumerate(systems)
    ]
    confidence = None if test is None else 0.95
    return Comparison(
        tuple(Figure(name) for name in NAMES),
        tuple(rows),
        test,
        1000,
        confidence,
        1000,
        1,
        10,
        "",
        "alignment",
    )


BASE = (64.17, 67.92, 65.99), ()
MIXED = (65.42, 66.46, 65.94), (0.01, 0.01, 0.92)
CLOSE = (64.0, 67.9, 65.89), (0.7, 0.9, 0.15)
BETTER = (66.0, 69.0, 67.47), (0.01, 0.01, 0.001)
WORSE = (63.04, 66.56, 64.75), (0.001, 0.001, 0.001)
TRADED = (70.0, 66.0, 67.94), (0.001, 0.04, 0.001)


@pytest.mark.parametrize(
    ("systems", "title", "lead"),
    [
        (
            [BASE, MIXED],
            "a and b tie in F1",
            "b finds more (recall +1.25) but is less often right (precision −1.46), "
            "and gets −0.05 in F1, well within chance.",
        ),
        ([BASE, CLOSE], "a and b tie in F1", "b differs by −0.10 in F1, within chance (p = 0.15)."),
        (
            [BASE, BETTER],
            "b is 1.48 points of F1 better than a",
            "b gains in both recall (+1.83) and precision (+1.08).",
        ),
        (
            [BASE, WORSE],
            "b is 1.24 points of F1 worse than a",
            "b loses in both recall (−1.13) and precision (−1.36).",
        ),
        (
            [BASE, TRADED],
            "b is 1.95 points of F1 better than a",
            "b gains 1.95 points of F1: recall +5.83, precision −1.92.",
        ),
        (
            [BASE, WORSE, MIXED, BETTER],
            "a and c tie in F1; d is 1.48 points better; b is 1.24 points worse",
            None,
        ),
        (
            [BASE, WORSE, WORSE, BETTER],
            "d is 1.48 points of F1 better than a; b is 1.24 points worse; c is 1.24 points worse",
            None,
        ),
        (
            [BASE, *[BETTER] * 4],
            "4 systems are 1.48 to 1.48 points of F1 better than a",
            "These 3 are furthest from a.",
        ),
        ([BASE, ((None, None, None), ())], "a has F1 65.99", ""),
        ([((None, None, None), ())], "a has no F1", ""),
        ([BASE], "a has F1 65.99", ""),
    ],
)
def test_verdicts(systems, title, lead):
    found = verdict(comparison(*systems), "abcde"[: len(systems)])
    assert found[0] == title
    assert lead is None or found[1].endswith(lead)


def test_differences_without_a_test_are_no_ties():
    title, lead = verdict(comparison(BASE, (CLOSE[0], ()), test=None), "ab")
    assert title == "b is 0.10 points of F1 worse than a"
    assert lead.endswith("The differences were not tested.")
    same = verdict(comparison(BASE, (BASE[0], ()), test=None), "ab")
    assert same[0] == "a and b have the same F1"


def test_an_interval_decides_without_a_p_value():
    found = comparison(BASE, (CLOSE[0], ()))
    system = found.systems[1]
    object.__setattr__(system, "differences", {"f1": (-0.002, -0.0005)})
    assert verdict(found, "ab")[0] == "b is 0.10 points of F1 worse than a"
    object.__setattr__(system, "differences", {"f1": (-0.002, 0.0)})
    assert verdict(found, "ab")[0] == "a and b tie in F1"
