"""Values of options: how a command line spells them, and what a call may pass."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from jpevalb.alignment.exceptions import languages
from jpevalb.base.values import (
    COUNT,
    ENCODING,
    LIST,
    NAME,
    SWITCH,
    OptionError,
    check,
    decimal,
    is_encoding,
    list_of,
    one_of,
    whole_number,
)
from jpevalb.settings.options import Option, option, options_of
from jpevalb.settings.params import Params
from jpevalb.settings.settings import (
    CONVENTION,
    LANGUAGE,
    LENGTHS,
    LIMIT,
    PERCENT,
    PRM,
    SIZE,
    TYPES,
)


@pytest.mark.parametrize(
    ("values", "accepted", "rejected"),
    [
        (one_of("a", "b"), ["a", "b"], ["c", 1, None]),
        (one_of("a", more=lambda: ["b"]), ["a", "b"], ["c"]),
        (whole_number(), [0, 1, 7], [-1, 0.5, "1", None]),
        (whole_number(1), [1, 2], [0, 1.0]),
        (decimal("a number"), [-1, 0.5], ["1", None]),
        (decimal("a number", lambda value: value > 1), [2], [1]),
        (COUNT, [1, 2, None], [0, -1, 1.5, "auto"]),
        (LIST, [(), ("a",)], ["a", None]),
        (SWITCH, [True, False], [None, "yes", 2]),
        (NAME, ["a", ""], [1, None]),
        (PERCENT, [1.5, 2, 92.5, 100], [1, 0.5, 100.5, -3]),
        (SIZE, [1, 2], [0, -1, 1.5, "1"]),
        (ENCODING, ["utf-8", "latin-1"], ["no such", "a\0b", 5, None]),
        (LANGUAGE, ["en", "none", "it"], ["xx", "zz", ""]),
        (TYPES, ["position", Path("x"), (("NP", "a"),)], [5, (("NP", 1),), None]),
        (PRM, ["x", Path("x"), Params()], [5, None]),
        (LIMIT, [("f1", 0), ("f1", 92.5)], [("", 1), ("f1", -0.5), ("f1", float("inf")), 5]),
        (LENGTHS, [0, 40, (10, 20)], [-1, (), (10, -1), "40", None]),
        (CONVENTION, ["evalb", "evalb least:2"], ["", " ", 5, None]),
    ],
)
def test_values_that_a_call_may_pass(values, accepted, rejected):
    assert [value for value in accepted if not values.accepts(value)] == []
    assert [value for value in rejected if values.accepts(value)] == []


def test_values_of_a_command_line():
    sizes = {"4096": 4096, "200M": 200_000_000, "1.5G": 1_500_000_000, "2k": 2000, "1": 1}
    assert {text: SIZE.read(text) for text in sizes} == sizes
    assert [SIZE.read(text) for text in ("5T", "", "-1", "M")] == [0] * 4
    assert [COUNT.read(text) for text in ("auto", "7")] == [None, 7]
    with pytest.raises(ValueError, match="invalid literal"):
        COUNT.read("autos")
    limits = {"92.5": ("f1", 92.5), "recall=1": ("recall", 1.0)}
    assert {text: LIMIT.read(text) for text in limits} == limits
    lengths = {"40": 40, "20,10": (10, 20), "10,20,40": (10, 20, 40), "7,7": 7}
    assert {text: LENGTHS.read(text) for text in lengths} == lengths
    assert list_of("a").read(" a , b,,") == ("a", "b")
    assert list_of("a").read(" , ") is None
    assert list_of("a", "b").choices() == ("a", "b")


def test_languages_and_encodings():
    assert {"en", "it"} <= set(languages())
    assert all(2 <= len(code) <= 3 and "." not in code for code in languages())
    assert is_encoding("utf-16")
    assert not any(map(is_encoding, ("punycode", "idna")))  # they have no way to pass on invalid bytes
    check("encoding", "latin-1", ENCODING)
    with pytest.raises(OptionError, match="encoding='utf-9'"):
        check("encoding", "utf-9", ENCODING)
    check("lang", "none", LANGUAGE)
    with pytest.raises(OptionError, match="lang='xx'"):
        check("lang", "xx", LANGUAGE)


def test_rows_of_options():
    row = Option("group", "N", "some help")
    assert (row.everyday, row.signed, row.setting, row.argparse, row.values) == (
        False,
        True,
        False,
        {},
        SWITCH,
    )
    assert row.spellings("by_label") == ("--by-label",)
    assert row._replace(short="-l").spellings("by_label") == ("-l", "--by-label")
    assert row._replace(flags=("-x",), short="-l").spellings("by_label") == ("-x",)
    assert row.short == ""
    assert Option("group", "N", "some help", argparse={"nargs": 1}).argparse == {"nargs": 1}


def test_a_class_of_options():
    @dataclass(frozen=True)
    class Few:
        """A few options.

        Attributes:
            {options}
        """

        words: int = option("group", "N", "least words", whole_number(), default=3)
        plain: bool = option("group", "", "no extras", signed=False, default=False)
        other: int = 5

    rows = options_of(Few)
    assert list(rows) == ["words", "plain"]
    assert [row.setting for row in rows.values()] == [True, True]
    assert [row.signed for row in rows.values()] == [True, False]
    assert (Few().words, Few().plain, Few(words=4).words) == (3, False, 4)
    assert "    words: least words.\n        plain: no extras.\n" in Few.__doc__
