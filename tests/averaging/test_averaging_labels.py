"""Labels of averages and weighted votes."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given, strategies as st

from jpevalb import SettingsError
from jpevalb.averaging import agreement, average, exact_weights

XY = "(S (X (Y (A a) (B b))) (C c))"
XZ = "(S (X (Z (A a) (B b))) (C c))"


@pytest.mark.parametrize(
    ("trees", "expected"),
    [
        pytest.param(["(S (A a) (B b))", "(T (A a) (B b))", "(T (A a) (C b))"], "(T (A a) (B b))", id="most"),
        pytest.param(["(T (B a) (B b))", "(S (A a) (C b))"], "(S (A a) (B b))", id="ties: the first"),
        pytest.param([XY, XY, "(S (Z (A a) (B b)) (C c))"], XY, id="a chain travels as one"),
        pytest.param(
            [XZ, XY, "(S (X (A a) (B b)) (C c))"],
            "(S (X (A a) (B b)) (C c))",
            id="chains tie: the shorter before the longer",
        ),
        pytest.param(
            ["(S (NP (N a)) (B b))", "(S (NP (M a)) (B b))", "(S (N a) (B b))"],
            "(S (NP (N a)) (B b))",
            id="tag and chain are voted for on their own",
        ),
        pytest.param(["(S (N a) b)", "(S (N a) b)", "(S (NP (N a)) b)"], "(S (N a) b)", id="no chain"),
        pytest.param(["(S a (B b))", "(S a (B b))", "(S (A a) (B b))"], "(S a (B b))", id="no tag"),
        pytest.param(["(S a (X b) (E))", "(S a (X b) (E))"], "(S a (X b))", id="nodes without words"),
        pytest.param(["(S (X a (E)) b)"] * 2, "(S (X a) b)", id="a parent that is no preterminal"),
        pytest.param(["( (A a) b)", "( (A a) b)", "(S (A a) b)"], "( (A a) b)", id="no label"),
        pytest.param(
            ["(S (P (A a) (B b)) (C c))", "(S (Q (A a) (B b)) (C c))", "(S (A a) (Q (B b) (C c)))"],
            "(S (P (A a) (B b)) (C c))",
            id="only those that have the constituent vote",
        ),
    ],
)
def test_labels(trees, expected):
    assert average(trees).to_bracket() == expected


def test_weights_vote():
    trees = ["(S (A a) (B b))", "(T (A a) (B b))", "(T (C a) (B b))"]
    assert average(trees, [5, 1, 1]).to_bracket() == "(S (A a) (B b))"
    assert average(trees, [1, 0, 0]).to_bracket() == "(S (A a) (B b))"
    assert average(trees, [1, 1, 3]).to_bracket() == "(T (C a) (B b))"


def test_labels_with_gaps():
    """The worked example: three parsers, one verb phrase with a gap, one without, one flat."""
    first = "(S (VP (VB 0=wake) (RP 2=up)) (NP (PRP 1=me)))"
    second = "(S (VP (VB 0=wake) (PRT 2=up)) (NP (PRP 1=me)))"
    third = "(S (VP (VB 0=wake) (PRP 1=me)) (RP 2=up))"
    found = average([first, second, third])
    assert found == average([first])
    assert [(label, bits) for label, bits in found.constituents()] == [
        ("S", 0b111),
        ("VP", 0b101),
        ("NP", 0b010),
    ]
    assert found.tags == ("VB", "PRP", "RP")


class TestWeights:
    @pytest.mark.parametrize(
        ("weights", "expected"),
        [
            (None, (1, 1, 1)),
            ([2, 4, 6], (1, 2, 3)),
            ([0, 0, 9], (0, 0, 1)),
            (["5.9", "5.8", "6"], (59, 58, 60)),
            ([5.9, 5.8, 6], (59, 58, 60)),
            ([0.1, 0.2, 0.1 + 0.2], (1, 2, 3)),
            ([1 / 7, 2 / 7, 4 / 7], (1, 2, 4)),
            ([1e-300, 3e-300, 1e-300], (1, 3, 1)),
            ([Fraction(1, 3), Decimal("0.5"), 1], (2, 3, 6)),
            ([True, False, 1], (1, 0, 1)),
            ([10**30, 10**30 + 1, 1], (10**30, 10**30 + 1, 1)),
        ],
    )
    def test_ratios(self, weights, expected):
        assert exact_weights(weights, 3) == expected

    @given(
        ratios=st.lists(st.integers(0, 1000), min_size=1, max_size=8).filter(any),
        scale=st.floats(1e-6, 1e6),
    )
    def test_floats_of_any_scale(self, ratios, scale):
        assert exact_weights([ratio * scale for ratio in ratios], len(ratios)) == exact_weights(
            ratios, len(ratios)
        )

    @given(st.lists(st.floats(0, 1e9, allow_subnormal=False), min_size=1, max_size=6).filter(any))
    def test_any_floats_are_close(self, weights):
        found = exact_weights(weights, len(weights))
        largest = max(weights)
        for number, weight in zip(found, weights):
            expected = Fraction(weight) / Fraction(largest)
            assert abs(Fraction(number, max(found)) - expected) <= expected / 10**14

    @pytest.mark.parametrize(
        "bad", [-1, -0.5, float("nan"), float("inf"), "x", "nan", "-1", None, "1/0", [1]]
    )
    def test_bad_weights(self, bad):
        with pytest.raises(SettingsError, match=r"^weight 2 is .*; expected a number, 0 or more$"):
            exact_weights([1, bad], 2)

    def test_numbers_of_weights(self):
        with pytest.raises(SettingsError, match=r"^weights: got 1 for 2 systems; expected one for each$"):
            average(["(S a)", "(S a)"], [1])

    def test_nothing_but_zeros(self):
        with pytest.raises(SettingsError, match=r"^all weights are 0; expected one or more above 0$"):
            average(["(S a)", "(S a)"], [0, 0.0])
        with pytest.raises(SettingsError, match=r"^all weights are 0; expected one or more above 0$"):
            exact_weights([], 0)


def test_examples():
    assert exact_weights(["5.9", "5.8", "6"], 3) == (59, 58, 60)
    assert exact_weights([0.1 * 3, 0.1, 0.2], 3) == (3, 1, 2)
    assert agreement("(S a (X b c))", ["(S a (X b c))", "(S a b c)"], weights=[1, 3]) == Fraction(11, 12)
    labelled = agreement("(S a (Y b c))", ["(S a (X b c))", "(S a (Y b c))"], weights=[1, 3], labeled=True)
    assert labelled == Fraction(7, 8)
