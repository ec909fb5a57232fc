"""HTML pages: a template with its style, scripts and data in one file."""

from __future__ import annotations

import base64
import hashlib
import os
import re
from collections.abc import Sequence
from functools import cache
from typing import Any

from ..trees.errors import JpevalbError
from ..trees.text import right_to_left
from .html_data import script_json

UNDEFINED = "–"

_LAYOUT = re.compile(r"^\s*/\*(?s:.*?)\*/\n|^\s*//.*\n|^\s+", re.MULTILINE)
"""Indentation, empty lines and comments of scripts and styles, which pages leave out."""

_INVISIBLE = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff\u2028\u2029]")


def page(template: str, assets: Sequence[str], data: Any, **content: Any) -> str:
    """Return a page from its template, its scripts and styles in order, and the data of the scripts."""
    require_jinja2()
    from markupsafe import Markup

    made = _environment().get_template(template)
    script, style = (
        _LAYOUT.sub("", "\n".join([_read(name) for name in assets if name.endswith(ending)]))
        for ending in (".js", ".css")
    )
    # The Content-Security-Policy allows the inline script and style by their digests.
    digests = [base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in (script, style)]
    text = made.render(
        digests=[f"sha256-{digest}" for digest in digests],
        script=Markup(script),
        style=Markup(style),
        data=Markup(script_json(data)),
        **content,
    )
    return str(text)


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


def require_jinja2() -> None:
    """Raise ``JpevalbError`` if jinja2 is not installed; called before anything is computed for a page."""
    try:
        import jinja2  # noqa: F401
    except ImportError:
        raise JpevalbError(
            "the HTML report needs jinja2, which is not installed: pip install 'jpevalb[html]'"
        ) from None


@cache
def _environment() -> Any:
    """Return the environment of the templates; compiling them takes longer than a short page."""
    import jinja2

    environment = jinja2.Environment(
        loader=jinja2.FunctionLoader(_read),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        # Applied to every text on its way into the page; markup is a subclass of str.
        finalize=lambda value: visible(value) if type(value) is str else value,
    )
    environment.filters.update(
        percent=percent,
        count="{:,}".format,
        direction=lambda text: "rtl" if right_to_left([text]) else "ltr",
    )
    return environment


def _read(name: str) -> str:
    with open(os.path.join(os.path.dirname(__file__), name), encoding="utf-8") as file:
        return file.read()
