"""HTML pages: a template with its style, scripts and data in one file."""

from __future__ import annotations

import base64
import hashlib
import os
import re
import shlex
from collections.abc import Sequence
from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from ..base.text import right_to_left
from ..settings.settings import OPTIONS, Settings
from .html_data import script_json

UNDEFINED = "–"

_LAYOUT = re.compile(r"^\s*/\*(?s:.*?)\*/\n|^\s*//.*\n|^\s+", re.MULTILINE)
"""Indentation, empty lines and comments of scripts and styles, which pages leave out."""

_INVISIBLE = "[\x00-\x1f\x7f-\x9f\ud800-\udfff\u2028\u2029]"


def command_of(gold: str, systems: Sequence[str], settings: Settings) -> str:
    """Return the command that makes the page; empty if a setting cannot be written in a command."""
    words = ["jpevalb", gold, *systems, "-o", "report.html"]
    for name, value in settings.given().items():
        if name == "analysis":  # of every page
            continue
        parts = value if isinstance(value, tuple) else (value,)
        if not all(isinstance(part, (str, int, float)) for part in parts):
            return ""
        words += [OPTIONS[name].spellings(name)[-1], *([] if value is True else [",".join(map(str, parts))])]
    return shlex.join(words)


def page(template: str, assets: Sequence[str], data: Any, **content: Any) -> str:
    """Return a page from its template, its scripts and styles in order, and the data of the scripts."""
    script, style = (
        _LAYOUT.sub("", "\n".join([_read(name) for name in assets if name.endswith(ending)]))
        for ending in (".js", ".css")
    )
    # The Content-Security-Policy allows the inline script and style by their digests.
    digests = [base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in (script, style)]
    return (
        environment()
        .get_template(template)
        .render(
            content,
            digests=[f"sha256-{digest}" for digest in digests],
            script=Markup(script),
            style=Markup(style),
            data=Markup(script_json(data)),
        )
    )


@cache
def environment() -> Environment:
    """Return the environment of the templates."""
    made = Environment(
        loader=PackageLoader("jpevalb.report", "."),
        autoescape=True,
        optimized=False,  # a template is rendered once, so its constants are not folded before
        undefined=StrictUndefined,
        finalize=lambda value: value if isinstance(value, Markup) else visible(value),
        # Statements and comments leave no space: neither their indentation nor the line end.
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals.update(
        percent=percent,
        newline=Markup("\n"),  # others are escaped
        thousands="{:,}".format,
        direction=lambda text: "rtl" if right_to_left([text]) else "ltr",
    )
    return made


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
    shown = str(text)
    # The pattern takes long to compile, and few texts need it.
    return shown if shown.isprintable() else re.sub(_INVISIBLE, lambda found: ascii(found[0])[1:-1], shown)


def _read(name: str) -> str:
    with open(os.path.join(os.path.dirname(__file__), name), encoding="utf-8") as file:
        return file.read()
