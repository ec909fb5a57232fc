"""How numbers are written in sentences and on pages."""

from __future__ import annotations

from collections.abc import Callable, Iterable

UNDEFINED = "–"


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


def measured(
    value: float | None, interval: Iterable[float] | None, shown: Callable[[float | None], str] = percent
) -> str:
    """Return a value with its interval.

    >>> measured(0.2, (0.1, 0.25)), measured(None, None)
    ('20.00, 10.00 to 25.00', '–')
    """
    return shown(value) if interval is None else f"{shown(value)}, {ends(interval, shown)}"


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
