"""Pages: a template with its style, scripts and data as one HTML file that needs nothing but itself."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from ..trees.errors import JpevalbError
from ..trees.text import right_to_left
from .html_data import script_json

STYLE = "page.css"

UNDEFINED = "–"

_INVISIBLE = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff\u2028\u2029]")


def page(template: str, scripts: Sequence[str], data: Any, **content: Any) -> str:
    """A page with its scripts, its style and its data in it.

    Args:
        template: Name of its template, which extends ``frame.html``.
        scripts: Names of its scripts, in order.
        data: What the scripts read.
        **content: What the template asks for.

    Raises:
        JpevalbError: jinja2 is not installed.
    """
    require_jinja2()
    made = _environment().get_template(template)
    script = "\n".join([_read(name) for name in scripts])
    style = _read(STYLE)
    text = made.render(
        digests=(_digest(script), _digest(style)),
        script=_markup(script),
        style=_markup(style),
        data=_markup(script_json(data)),
        **content,
    )
    return str(text)


def percent(value: float | None) -> str:
    """A rate times 100 with two decimals; a dash where it is undefined.

    >>> percent(0.5), percent(None)
    ('50.00', '–')
    """
    return UNDEFINED if value is None else f"{100 * value:.2f}".replace("-", "−")


def visible(text: object) -> str:
    r"""The text with characters that a page cannot hold or show as their escapes.

    >>> visible("a\x00b\udc80")
    'a\\x00b\\udc80'
    """
    return _INVISIBLE.sub(lambda found: ascii(found[0])[1:-1], str(text))


def require_jinja2() -> None:
    """Looks whether a page can be made, before much is computed for it.

    Raises:
        JpevalbError: jinja2 is not installed.
    """
    try:
        import jinja2  # noqa: F401
    except ImportError:
        raise JpevalbError(
            "the HTML report needs jinja2, which is not installed: pip install 'jpevalb[html]'"
        ) from None


@cache
def _environment() -> Any:
    """What templates are compiled in, once for all pages: that takes longer than a short page."""
    import jinja2

    environment = jinja2.Environment(
        loader=jinja2.FunctionLoader(_read),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_finalize,
    )
    environment.filters.update(percent=percent, count="{:,}".format, direction=_direction)
    return environment


def _direction(text: str) -> str:
    """How a text is written, by what most of its letters are."""
    return "rtl" if right_to_left([text]) else "ltr"


def _finalize(value: Any) -> Any:
    # Every text that is not markup already goes through here on its way into the page.
    return visible(value) if type(value) is str else value


def _markup(text: str) -> Any:
    from markupsafe import Markup

    return Markup(text)


def _read(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def _digest(text: str) -> str:
    """What a Content-Security-Policy calls an inline script or style."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
