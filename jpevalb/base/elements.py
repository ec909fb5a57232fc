"""HTML: elements whose text is escaped."""

from __future__ import annotations

from html import escape

from .text import visible


class Markup(str):
    """Text that is HTML already; other text is escaped when it becomes the content of an element."""

    __slots__ = ()


def text(content: object) -> str:
    r"""Return content as HTML: markup as it is, other text visible and escaped.

    >>> print(text("a<b\x00"), text(Markup("<b>")))
    a&lt;b\x00 <b>
    """
    return content if isinstance(content, Markup) else _escaped(content)


def _escaped(content: object) -> str:
    lines = [escape(visible(line), quote=False) for line in str(content).split("\n")]
    return "\n".join(lines).replace('"', "&quot;")


def join(*parts: object) -> Markup:
    """Return parts one behind the other."""
    return Markup("".join(map(text, parts)))


def tag(name: str, /, *content: object, **attributes: object) -> Markup:
    """Return an element.  ``cls`` is its class; underscores of names are hyphens; ``None`` and ``False`` are
    left out.

    >>> print(tag("p", "1 < 2", cls="cap", aria_label='"'))
    <p class="cap" aria-label="&quot;">1 &lt; 2</p>
    """
    given = "".join(
        [
            f" {'class' if key == 'cls' else key.strip('_').replace('_', '-')}"
            + ("" if value is True else f'="{_escaped(value)}"')
            for key, value in attributes.items()
            if value is not None and value is not False
        ]
    )
    inside = "".join(map(text, content))
    return Markup(f"<{name}{given}>" if name in _VOID else f"<{name}{given}>{inside}</{name}>")


_VOID = {"input", "meta", "link", "br"}


def classes(*names: str | bool | None) -> str | None:
    """Return the names that are not empty as one attribute."""
    return " ".join([name for name in names if isinstance(name, str) and name]) or None


def hidden(content: object) -> Markup:
    """Return text for screen readers alone."""
    return tag("span", content, cls="hidden")
