"""The weights of systems as exact integers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import gcd, lcm
from typing import TYPE_CHECKING, Any

from ..base.errors import SettingsError
from ..base.text import counted

if TYPE_CHECKING:
    from fractions import Fraction


def exact_weights(weights: Sequence[Any] | None, count: int) -> tuple[int, ...]:
    """Return the smallest integers in the same ratios as the weights of ``count`` systems."""
    if weights is None:
        return (1,) * count
    if not isinstance(weights, Iterable):
        raise SettingsError(f"weights={weights!r}; expected one for each of {counted(count, 'system')}")
    given = list(weights)
    if len(given) != count:
        raise SettingsError(
            f"weights: got {len(given)} for {counted(count, 'system')}; expected one for each"
        )
    if all(type(weight) is int and weight >= 0 for weight in given) and any(given):
        divisor = gcd(*given)
        return tuple([weight // divisor for weight in given])
    from decimal import Decimal
    from fractions import Fraction

    exact = []
    for number, weight in enumerate(given, 1):
        try:
            # Fraction refuses infinity and NaN, too.
            value = Fraction(weight if isinstance(weight, (int, Fraction, Decimal, str)) else float(weight))
        except (TypeError, ValueError, ZeroDivisionError, OverflowError):
            value = Fraction(-1)
        if value < 0:
            raise SettingsError(f"weight {number} is {weight!r}; expected a number, 0 or more")
        exact.append(value)
    largest = max(exact, default=Fraction(0))
    if not largest:
        raise SettingsError("all weights are 0; expected one or more above 0")
    if not all(isinstance(weight, (int, Fraction, Decimal, str)) for weight in given):
        # With floats, 0.1, 0.2 and 0.3 are 1, 2 and 3, and so are their multiples, whatever the rounding.
        exact = [_simplest(weight / largest) for weight in exact]
    scale = lcm(*[weight.denominator for weight in exact])
    whole = [int(weight * scale) for weight in exact]
    divisor = gcd(*whole)
    return tuple(weight // divisor for weight in whole)


def _simplest(value: Fraction) -> Fraction:
    """Return the fraction with the smallest denominator within a relative distance of 1e-14."""
    from fractions import Fraction

    noise = Fraction(1, 10**14)  # some units in the 16th digit of a float
    low, high = value * (1 - noise), value * (1 + noise)
    # Continued fractions: while both ends have the same whole part, the simplest fraction has it, too.
    parts = []
    while low.denominator != 1 and low.numerator // low.denominator == high.numerator // high.denominator:
        whole = low.numerator // low.denominator
        parts.append(whole)
        low, high = 1 / (high - whole), 1 / (low - whole)
    simplest = Fraction(-(-low.numerator // low.denominator))
    for whole in reversed(parts):
        simplest = whole + 1 / simplest
    return simplest
