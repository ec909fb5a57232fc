"""Escaping of text from trees and files for JSON, spreadsheets, Markdown and LaTeX."""

from __future__ import annotations

import re

from ..base.text import UNSEEN, visible

# Japanese spreadsheets accept the full-width forms, too.
_FORMULA = re.compile(r"(^|[;,\t|])([\s\"']*)(?=[=+@＝＋－＠-])")

# Characters with a meaning in the middle of a line of Markdown with tables and formulas.
_MARKDOWN = re.compile(r"[\\`*_{}\[\]|~$#!]")
_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}

_LATEX_NAMES = {
    **{"\\": "backslash", "^": "asciicircum", "~": "asciitilde", "<": "less", ">": "greater", "|": "bar"},
    **{'"': "quotedbl", "'": "quotesingle", "`": "asciigrave"},
}
_LATEX = {
    **{char: f"\\{char}" for char in "{}$&#_%"},
    **{char: f"\\text{name}{{}}" for char, name in _LATEX_NAMES.items()},
    # Signs that fonts with T1 encoding lack
    **{char: f"\\ensuremath{{{sign}}}" for char, sign in {"≤": "\\le", "±": "\\pm", "−": "-"}.items()},
    "…": "\\dots{}",
    # At the beginning of a row these two would be arguments of the line break before it.
    **{char: f"{{{char}}}" for char in "[*"},
}
_LATEX_TABLE = str.maketrans(_LATEX)


def harmless_json(text: str) -> str:
    r"""Escape the characters of JSON that control a terminal or that UTF-8 lacks.

    >>> print(harmless_json('["\x9b31m", "a"]'))
    ["\u009b31m", "a"]
    """
    if text.isascii() and "\x7f" not in text:
        return text
    # Line feeds separate values; inside strings they are already escaped.
    return re.sub(UNSEEN, lambda found: found[0] if found[0] == "\n" else f"\\u{ord(found[0]):04x}", text)


def cell(text: str) -> str:
    """Escape the text of a spreadsheet cell: an apostrophe precedes a formula.

    This includes formulas after a semicolon or another separator: where the decimal point is a
    comma, spreadsheets read ``a;=B1`` as two cells, even in quotes.

    >>> cell("=HYPERLINK(A1)"), cell("-LRB-"), cell("NP"), cell("a; =B1")
    ("'=HYPERLINK(A1)", "'-LRB-", 'NP', "a;' =B1")
    """
    return _FORMULA.sub(r"\1'\2", visible(text))


def markdown(text: str) -> str:
    r"""Escape the text of a cell or a line of Markdown.

    >>> print(markdown("PRP$|<b>"))
    PRP\$\|&lt;b&gt;
    """
    text = _MARKDOWN.sub(lambda found: "\\" + found[0], visible(text))
    return re.sub("[&<>]", lambda found: _ENTITIES[found[0]], text)


def latex(text: str) -> str:
    r"""Escape the text of a cell or a line of LaTeX (with T1 or Unicode fonts).

    >>> print(latex("PRP$ -LRB- 50%"))
    PRP\$ -LRB- 50\%
    """
    # Two hyphens would be a dash.
    return re.sub("-(?=-)", "-{}", visible(text).translate(_LATEX_TABLE))
