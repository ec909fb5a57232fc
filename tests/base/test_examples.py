"""Examples of small functions that have no test of their own."""

from __future__ import annotations

from jpevalb.base.counts import rounded
from jpevalb.settings.rules import representatives


def test_rounded():
    assert (rounded(5, 2), rounded(4, 3)) == (3, 1)


def test_representatives():
    assert representatives({"PRT": ("ADVP",), "ADVP": ("PRT", "AVP"), "AVP": ("ADVP",)}) == {
        "ADVP": "ADVP",
        "PRT": "ADVP",
        "AVP": "ADVP",
    }
