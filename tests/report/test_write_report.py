"""How the report of a run is written, whatever its format."""

from __future__ import annotations

import pytest

from jpevalb import SettingsError, compare, evaluate
from jpevalb.report import (
    FORMATS,
    Choices,
    Format,
    check_shown,
    format_named,
    render_comparison,
    used_by,
    write_report,
)
from jpevalb.score.evaluation import WORST

GOLD = ["(S (N a))"]


class Recording(Format):
    """A format that writes down what it is called with."""

    def __init__(self, needs_sentences=None, row_ends=None):
        if needs_sentences is not None:
            self.needs_sentences = needs_sentences
        self.row_ends = row_ends

    def write(self, run, sentences, write, *, quiet=False, **names):
        write((list(sentences), quiet, {name: value for name, value in names.items() if name != "writing"}))

    def comparison(self, comparison, **how):
        return how


class Run:
    """A run of two sentences."""

    def __init__(self):
        self.asked = []

    def __iter__(self):
        return iter([1, 2])

    def rows(self, make):
        for row in ("a", "b"):
            self.asked.append(make and make.__name__)
            yield row


def some_rows(results, run):
    return results


PLAIN, ROWS, NEEDS = Recording(), Recording(row_ends=some_rows), Recording(needs_sentences=True)


@pytest.fixture(autouse=True)
def formats(monkeypatch):
    for name in ("PLAIN", "ROWS", "NEEDS"):
        monkeypatch.setitem(FORMATS, name, f"{__name__}:{name}")


def written(format, **options):
    run, pieces, followed = Run(), [], []

    def follow(items):
        for item in items:
            followed.append(item)
            yield item

    write_report(run, format, pieces.append, follow=follow, **options)
    return pieces[0], followed, run.asked


def test_sentences_and_rows_reach_the_format():
    assert written("PLAIN") == (([1, 2], False, {}), [1, 2], [])
    assert written("ROWS") == ((["a", "b"], False, {}), ["a", "b"], ["some_rows"] * 2)
    assert written("NEEDS") == (([1, 2], False, {}), [1, 2], [])
    # Quiet reports still run to the end.
    assert written("PLAIN", quiet=True) == (([], True, {}), ["a", "b"], ["no_rows"] * 2)
    assert written("NEEDS", quiet=True) == (([1, 2], True, {}), [1, 2], [])
    with pytest.raises(SettingsError):
        written("PLAIN", details=True)


def test_formats_get_only_what_is_not_a_default():
    given = {"gold_name": "g", "system_name": None, "worst": WORST}
    assert written("PLAIN", **given)[0][2] == {"gold_name": "g"}
    assert written("PLAIN", worst=None, gold_name=None)[0][2] == {"worst": None}
    assert written("PLAIN", worst=1, gold_name=WORST)[0][2] == {"worst": 1, "gold_name": WORST}
    assert render_comparison(None, "PLAIN", shown=Choices(sort="f1"), worst=WORST) == {
        "shown": Choices(sort="f1")
    }
    assert render_comparison(None, "PLAIN", shown=None) == {}


@pytest.mark.parametrize("worst", [0, -1, 1.5, "3"])
def test_numbers_of_sentences_that_a_page_cannot_list(worst):
    with pytest.raises(SettingsError, match=f"worst={worst!r}; expected a whole number from 1, or None"):
        written("PLAIN", worst=worst)


def test_names_of_formats():
    assert format_named("PLAIN") is PLAIN
    with pytest.raises(SettingsError, match="unknown output format 'plain'; expected one of text, "):
        format_named("plain")
    assert (used_by("PLAIN").name, tuple(used_by("PLAIN").settings)) == ("PLAIN", tuple(Format.settings))


def test_choices_of_a_format():
    check_shown("json", Choices())
    check_shown("text", Choices(("f1",), "f1", verbose=True))
    for shown, message in (
        (Choices(columns=("f1",)), r"columns=\('f1',\), which json cannot use"),
        (Choices(sort="f1"), "sort='f1', which json cannot use"),
        (Choices(verbose=True), "verbose=True, which json cannot use"),
    ):
        with pytest.raises(SettingsError, match=message):
            check_shown("json", shown)
        with pytest.raises(SettingsError, match=message):
            render_comparison(None, "json", shown=shown)
    assert Choices() == ((), None, False)


def test_reports_by_default():
    result = evaluate(GOLD, GOLD)
    assert result.report() == result.report("text", quiet=False, details=False)
    assert result.report(quiet=True) != result.report()
    comparison = compare(GOLD, [GOLD, GOLD], test=None)
    assert render_comparison(comparison) == render_comparison(comparison, "text", shown=Choices())
