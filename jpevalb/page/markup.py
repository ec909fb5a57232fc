"""Markup of pages: elements whose text is escaped, and how figures are written."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from html import escape

from ..base.text import visible

UNDEFINED = "–"


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


# -- figures ----------------------------------------------------------------------------------------


def percent(rate: float | None, digits: int = 2) -> str:
    """Return a rate times 100; a dash for ``None``.

    >>> percent(0.5), percent(None), percent(-0.01)
    ('50.00', '–', '−1.00')
    """
    return UNDEFINED if rate is None else f"{100 * rate:.{digits}f}".replace("-", "−")


def signed(difference: float | None) -> str:
    """Return a difference of rates times 100 with its sign.

    >>> signed(0.0123), signed(-0.5), signed(0.00001)
    ('+1.23', '−50.00', '±0.00')
    """
    if difference is None:
        return UNDEFINED
    shown = f"{100 * difference:+.2f}"
    return "±0.00" if float(shown) == 0 else shown.replace("-", "−")


def ends(interval: Iterable[float] | None, shown: Callable[[float], str] = percent) -> str:
    """Return an interval as text; empty without one.

    >>> ends((0.1, 0.25)), ends((-0.1, 0.1), signed)
    ('10.00 to 25.00', '−10.00 to +10.00')
    """
    return "" if interval is None else " to ".join(map(shown, interval))


def p_value(p: float | None) -> str:
    """Return a p-value, never as 0.

    >>> p_value(0.0001), p_value(0.0345), p_value(0.5)
    ('p < 0.001', 'p = 0.035', 'p = 0.50')
    """
    if p is None:
        return ""
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}" if p < 0.1 else f"p = {p:.2f}"


def listing(names: list[str]) -> str:
    """Return names as a list in a sentence.

    >>> listing(["a", "b", "c"])
    'a, b and c'
    """
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
