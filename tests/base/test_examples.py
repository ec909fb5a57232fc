"""Examples of small functions that have no test of their own."""

from __future__ import annotations

from jpevalb.base.counts import rounded
from jpevalb.formats.answers import parse_answer
from jpevalb.formats.export import is_node_mark
from jpevalb.settings.rules import representatives
from jpevalb.trees.words import compared


def test_parse_answer():
    assert [
        parse_answer(text).words for text in ("(S (VB 0=wake) (RP 2=up) (NP 1=me))", "(S (NN 0=a) (NN b))")
    ] == [("wake", "me", "up"), ("0=a", "b")]


def test_rounded():
    assert (rounded(5, 2), rounded(4, 3)) == (3, 1)


def test_is_node_mark():
    assert (
        is_node_mark("#500", 0),
        is_node_mark("#1000", 500),
        is_node_mark("#1000", 2),
        is_node_mark("#1", 0),
    ) == (True, True, False, False)


def test_representatives():
    assert representatives({"PRT": ("ADVP",), "ADVP": ("PRT", "AVP"), "AVP": ("ADVP",)}) == {
        "ADVP": "ADVP",
        "PRT": "ADVP",
        "AVP": "ADVP",
    }


def test_compared():
    assert (compared("Ca"), compared("New York"), compared("ＡＢＣ"), compared("ΟΔΟΣ")) == (
        "ca",
        "newyork",
        "abc",
        "οδοσ",
    )
    assert compared("하") + compared("ㄴ") == compared("한")
