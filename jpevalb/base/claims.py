"""Claims: sentences as records of a kind and its numbers, and the sentence of each kind.

Text, pages, notebooks and JSON print the text of claims.  The code that makes a claim checks its condition:
``jpevalb.claims`` for results, ``jpevalb.score.warnings`` for the files of a run.  From the JSON report
alone, ``tests/claims/checker.py`` checks each condition again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from .text import counted, ends, listing, p_value, percent, signed


class Claim(NamedTuple):
    """A sentence, or a clause of a headline."""

    kind: str  #: one of ``KINDS``
    numbers: Mapping[str, Any]  #: names, counts and figures of the sentence, JSON-ready; rates in [0, 1]

    @property
    def place(self) -> str:
        """The part of a report that prints it."""
        return KINDS[self.kind][0]

    @property
    def text(self) -> str:
        """The sentence."""
        return self.written(str).replace("<b>", "").replace("</b>", "")

    def written(self, name: Callable[[str], str]) -> str:
        """Return the sentence with marks of what it is about; ``name`` escapes names."""
        return KINDS[self.kind][1].format(**{key: _Shown(value, name) for key, value in self.numbers.items()})

    def __str__(self) -> str:
        return self.text

    def to_dict(self) -> dict[str, Any]:
        """Return the claim, JSON-ready."""
        return {
            "kind": self.kind,
            "place": self.place,
            "text": self.text,
            "numbers": _plain(dict(self.numbers)),
        }


def at(claims: Iterable[Claim], *places: str) -> str:
    """Return the sentences of some places, in order; clauses of one line are joined by semicolons."""
    between = "; " if places in (("headline",), ("sample",)) else " "
    return between.join([one.text for one in claims if one.place in places])


KINDS: dict[str, tuple[str, str]] = {}
"""Place and sentence of each kind.

Fields: ``{f1:%}`` and ``{f1:0%}`` rate in per cent, ``{d:+}`` difference in points, ``{d:abs}`` its size,
``{n:,}`` count, ``{n:sentences}`` and ``{n:gold}`` count with a noun, ``{names:&}`` list, ``{c:up}`` with a
capital, ``{x:()}`` and ``{x:[]}`` interval, ``{x:to}`` ends, ``{p:p}`` p-value in brackets; :class:`_Shown`
has the others.
"""


def kinds(place: str, **sentences: str) -> None:
    """Add kinds of claims of a place."""
    KINDS.update({kind: (place, sentence) for kind, sentence in sentences.items()})


def _plain(value: Any) -> Any:
    """Return a value with lists in place of tuples."""
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return list(map(_plain, value)) if isinstance(value, (list, tuple)) else value


class _Shown:
    """A number of a claim, formatted by its field."""

    def __init__(self, value: Any, name: Callable[[str], str]) -> None:
        self.value, self._name = value, name

    def __repr__(self) -> str:
        return repr(self.value)

    def __format__(self, how: str) -> str:
        value, name = self.value, self._name
        if how in ("", "up"):
            return name(str(value[:1].upper() + value[1:] if how else value))
        if how == "%":
            return "-" if value is None else percent(value)
        if how == "0%":
            return f"{100 * value:.0f} %"
        if how == "+":
            return signed(value)
        if how == "abs":
            return percent(abs(value))
        if how == "to":
            low, high = map(percent, value)
            return low if low == high else f"{low} to {high}"
        if how == "p":
            return f" ({p_value(value)})" if value is not None else ""
        if how in ("()", "[]", "[+]", "(+)"):
            text = ends(value, signed if "+" in how else percent)
            text = text.replace(" to ", ", ") if how[0] == "[" else text
            return f" {how[0]}{text}{how[-1]}" if text else ""
        if how == "gold":
            return counted(value, "sentence").replace(" ", " gold ")
        if how in ("sentences", "answers", "tests", "words"):
            return counted(value, how)
        if how == "," and isinstance(value, (list, tuple)):
            return ", ".join(map(name, value))
        if how in _LISTS:
            return _LISTS[how](value, name)
        return format(value, how)


def _verb(names: list[str], one: str, more: str) -> str:
    return f"{listing(names)} {one if len(names) == 1 else more}"


def _apart(value: Any, name: Callable[[str], str]) -> str:
    """Return names with differences, and intervals if there are any."""
    shown = [
        f"{name(n)} {signed(d)}" + "".join([f" ({ends(e, signed)})" for e in rest]) for n, d, *rest in value
    ]
    return "; ".join(shown) if any(rest for _, _, *rest in value) else listing(shown)


_LISTS: dict[str, Callable[[Any, Callable[[str], str]], str]] = {
    "&": lambda value, name: listing(list(map(name, value))),
    "verb": lambda value, name: _verb(list(map(name, value)), "is", "are"),
    "has": lambda value, name: _verb(list(map(name, value)), "has", "have"),
    # Names with the sizes of their differences
    "is": lambda value, name: listing(
        [f"{name(n)} {'' if k else 'is '}{percent(abs(d))}" for k, (n, d) in enumerate(value)]
    ),
    "cost": lambda value, name: listing([f"{name(n)} costs {percent(cost)}" for n, cost in value]),
    "less": lambda value, name: listing(
        [f"{percent(abs(d))} points {'less' if d < 0 else 'more'} to {name(n)}" for n, d in value]
    ),
    "apart": _apart,
}
