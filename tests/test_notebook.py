"""What a notebook shows of results: tables as HTML."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest

from jpevalb import compare, evaluate, evaluate_discontinuous

RIGHT = "(S (NP (N a)) (VP (V b) (NP (N c))))"
WRONG = "(S (NP (N a) (V b)) (NP (N c)))"


class Cells(HTMLParser):
    """The texts of the cells, row by row; every tag is closed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.rows: list[list[str]] = []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if {"td", "th"} & set(self.open):
            self.rows[-1][-1] += data


def test_an_evaluation_is_a_table_of_its_figures():
    for result in (evaluate([RIGHT], [WRONG]), evaluate_discontinuous([RIGHT], [WRONG])):
        rows = Cells(result._repr_html_()).rows
        shown = f"{100 * result.f1:.2f}"
        assert any(shown in row for row in rows)
        assert result.signature in result._repr_html_()


def test_a_comparison_is_its_table():
    result = compare([RIGHT] * 9, {"<b>&": [WRONG] * 9, "good": [RIGHT] * 9}, metrics="brackets")
    rows = Cells(result._repr_html_()).rows
    assert rows[0][:4] == ["System", "P", "R", "F"]
    assert [row[0] for row in rows[1:]] == ["<b>&", "good"]
    assert rows[2][3].startswith("100.00 ± 0.00")
    assert "<b>&<" not in result._repr_html_()


def test_the_display_of_a_notebook_takes_it():
    formatters = pytest.importorskip("IPython.core.formatters")
    result = evaluate([RIGHT], [WRONG])
    shown, _ = formatters.DisplayFormatter().format(result)
    assert shown["text/html"] == result._repr_html_()
