"""The rows of the command's options, and the parser made from them."""

from __future__ import annotations

from jpevalb.commands.options import LEGACY_ROWS, ROWS, parser


def test_everyday_options():
    # The first screen of the help lists these.
    assert [name for name, row in ROWS.items() if row.everyday and row.group != "other"] == [
        *("output", "out", "quiet", "fail_under", "view", "jobs", "test"),
        *("metrics", "convention", "prm"),
        *("unlabeled", "format", "on_error", "analysis", "evalb"),
    ]


def test_values_of_options_for_several_systems():
    accepts = {name: row.values.accepts for name, row in ROWS.items()}
    assert [accepts["samples"](number) for number in (0, 1)] == [False, True]
    assert [accepts["seed"](number) for number in (-1, 0)] == [False, True]
    for name, values in (
        ("test", ("permutation", "bootstrap", "sign", "none")),
        ("correction", ("pairs", "baseline", "none")),
    ):
        assert ROWS[name].values.choices() == list(values)


def test_options_of_legacy_mode_are_declared_for_pages():
    assert list(parser().rows.values()) == [*ROWS.values(), *LEGACY_ROWS.values()]


def test_the_short_help_has_everyday_options_only():
    made = parser()
    short, whole = made.help(everything=False), made.help(everything=True)
    assert "--convention [LIST]" in short
    assert "--seed N" not in short
    assert "--seed N" in whole
