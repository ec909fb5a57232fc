"""HTML pages: a template with its style, scripts and data in one file."""

from __future__ import annotations

import base64
import hashlib
import os
import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from types import CodeType
from typing import Any

from ..trees.text import right_to_left
from .html_data import script_json

UNDEFINED = "–"

_LAYOUT = re.compile(r"^\s*/\*(?s:.*?)\*/\n|^\s*//.*\n|^\s+", re.MULTILINE)
"""Indentation, empty lines and comments of scripts and styles, which pages leave out."""

_INVISIBLE = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff\u2028\u2029]")


_TAG = re.compile(
    r"(?:^[ \t]*)?(?:\{#.*?#\}|\{% (?P<statement>.*?) %\})\n?|\{\{ (?P<value>.*?) \}\}", re.MULTILINE
)

_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&#34;", "'": "&#39;"})


class SafeText(str):
    """Text that is HTML already."""


def page(template: str, assets: Sequence[str], data: Any, **content: Any) -> str:
    """Return a page from its template, its scripts and styles in order, and the data of the scripts."""
    script, style = (
        _LAYOUT.sub("", "\n".join([_read(name) for name in assets if name.endswith(ending)]))
        for ending in (".js", ".css")
    )
    # The Content-Security-Policy allows the inline script and style by their digests.
    digests = [base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in (script, style)]
    names = {
        **content,
        "digests": [f"sha256-{digest}" for digest in digests],
        "script": SafeText(script),
        "style": SafeText(style),
        "data": SafeText(script_json(data)),
        "escaped": _escaped,
        "markup": _markup,
        "percent": percent,
        "thousands": "{:,}".format,
        "direction": lambda text: "rtl" if right_to_left([text]) else "ltr",
    }
    exec(_code_of(template), names)  # the package's own code
    return "".join(names["page"]())


@cache
def _code_of(template: str) -> CodeType:
    """Compile a template, and the frame that calls its parts, to a function ``page`` that yields the text.

    A statement of Python is in ``{% %}``; ``{% end %}`` ends a block.  An expression is in ``{{ }}``, and its
    value is escaped.  A function that is defined in a template returns markup.  Statements and comments,
    which are in ``{# #}``, leave no space: neither their indentation nor the line end.
    """
    text = _read(template) + _read("frame.html")
    lines, depth, end = ["def page():"], 1, 0
    for tag in _TAG.finditer(text):
        if tag.start() > end:
            lines.append(f"{' ' * depth}yield {text[end : tag.start()]!r}")
        end = tag.end()
        statement = tag["statement"] or (tag["value"] and f"yield escaped({tag['value']})")
        if not statement:
            continue
        keyword = statement.split(" ")[0]
        if keyword in ("end", "else", "elif"):
            depth -= 1
        if keyword == "def":
            lines.append(f"{' ' * depth}@markup")
        if keyword in ("def", "for", "if", "else", "elif"):
            lines.append(f"{' ' * depth}{statement}:")
            depth += 1
        elif keyword != "end":
            lines.append(f"{' ' * depth}{statement}")
    lines.append(f" yield {text[end:-1]!r}")
    return compile("\n".join(lines), template, "exec")


def _markup(function: Callable[..., Iterator[str]]) -> Callable[..., SafeText]:
    return lambda *arguments: SafeText("".join(function(*arguments)))


def _escaped(value: object) -> str:
    return value if type(value) is SafeText else visible(value).translate(_ESCAPES)


def percent(value: float | None) -> str:
    """Return a rate times 100 with two decimals; a dash for ``None``.

    >>> percent(0.5), percent(None)
    ('50.00', '–')
    """
    return UNDEFINED if value is None else f"{100 * value:.2f}".replace("-", "−")


def visible(text: object) -> str:
    r"""Return the text with characters escaped that a page cannot hold or show.

    >>> visible("a\x00b\udc80")
    'a\\x00b\\udc80'
    """
    return _INVISIBLE.sub(lambda found: ascii(found[0])[1:-1], str(text))


def _read(name: str) -> str:
    with open(os.path.join(os.path.dirname(__file__), name), encoding="utf-8") as file:
        return file.read()
