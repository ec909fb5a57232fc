"""Text of trees and files made harmless for JSON, a spreadsheet, Markdown and LaTeX."""

from __future__ import annotations

import re

from ..trees.text import UNSEEN, visible

# The full-width forms are signs of a formula too, in Japanese spreadsheets.
_FORMULA = re.compile(r"(^|[;,\t|])([\s\"']*)(?=[=+@＝＋－＠-])")

# Signs in the middle of a line that Markdown, with tables and formulas, gives a meaning.
_MARKDOWN = re.compile(r"[\\`*_{}\[\]|~$#!]")
_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}

_LATEX = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "_": r"\_",
    "%": r"\%",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "'": r"\textquotesingle{}",
    "`": r"\textasciigrave{}",
    # At the beginning of a row these two would belong to the end of the one before.
    "[": "{[}",
    "*": "{*}",
}
_LATEX_TABLE = str.maketrans(_LATEX)


def harmless_json(text: str) -> str:
    r"""JSON with what a terminal would act on, or UTF-8 does not have, written as ``\u009b``.

    >>> print(harmless_json('["\x9b31m", "a"]'))
    ["\u009b31m", "a"]
    """
    # Line feeds stand between values; inside strings JSON has escaped them already.
    return UNSEEN.sub(lambda found: found[0] if found[0] == "\n" else f"\\u{ord(found[0]):04x}", text)


def cell(text: str) -> str:
    """The text of a spreadsheet's cell: an apostrophe stands before what would be a formula.

    So it does behind a semicolon and what else may part cells: where the decimal point is
    a comma, spreadsheets take ``a;=B1`` for two cells, whatever quotes stand around it.

    >>> cell("=HYPERLINK(A1)"), cell("-LRB-"), cell("NP"), cell("a; =B1")
    ("'=HYPERLINK(A1)", "'-LRB-", 'NP', "a;' =B1")
    """
    return _FORMULA.sub(r"\1'\2", visible(text))


def markdown(text: str) -> str:
    r"""The text in a cell or a line of Markdown.

    >>> print(markdown("PRP$|<b>"))
    PRP\$\|&lt;b&gt;
    """
    text = _MARKDOWN.sub(lambda found: "\\" + found[0], visible(text))
    return re.sub("[&<>]", lambda found: _ENTITIES[found[0]], text)


def latex(text: str) -> str:
    r"""The text in a cell or a line of LaTeX (with T1 or Unicode fonts).

    >>> print(latex("PRP$ -LRB- 50%"))
    PRP\$ -LRB- 50\%
    """
    # Two hyphens would be a dash.
    return re.sub("-(?=-)", "-{}", visible(text).translate(_LATEX_TABLE))
