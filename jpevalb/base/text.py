"""Text and numbers on one line, on a terminal, in sentences and as HTML."""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

UNSEEN = "[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
"""Pattern of controls, line separators, direction overrides and half surrogate pairs; not of joiners and
single direction marks, which Persian, Hindi and Hebrew words contain."""

# Ending of a file name, such as .mrg, .mrg.gz and .jsonl, but not that of parser-1.5
ENDING = r"(?<=.)\.[a-zA-Z]\w{0,7}(?:\.(?:gz|xz|bz2|zst))?$"
NAMED = 5  # maximum number of sentences, beads or stretches that a report names for each kind
HANG = 4  # indentation of a line that continues, in columns
_STRONG = {"L": -1, "R": 1, "AL": 1}


def visible(text: str) -> str:
    r"""Return the text on one line, with controls written as ``\x1b`` or ``\u202e``."""
    if text.isprintable():
        return text

    def escape(match: re.Match[str]) -> str:
        number = ord(match[0])
        return f"\\x{number:02x}" if number < 0x100 else f"\\u{number:04x}"

    return re.sub(UNSEEN, escape, text)


def counted(number: int, noun: str) -> str:
    """Return a number and a noun, or a text that begins with one in the plural.

    >>> counted(1, "word"), counted(1200, "word"), counted(1, "words dropped")
    ('1 word', '1,200 words', '1 word dropped')
    """
    first, blank, rest = noun.partition(" ")
    return f"{number:,} {first.removesuffix('s')}{'s' * (number != 1)}{blank}{rest}"


def number_of(text: str) -> int | None:
    """Return the number that ASCII digits write; ``None`` for another text and for more than 15 digits.

    Python refuses to convert thousands of digits, and no file has so many sentences, words or nodes.
    """
    return int(text) if len(text) <= 15 and text.isascii() and text.isdecimal() else None


def parse_json(text: str) -> Any:
    """Parse JSON; raise JSONDecodeError for deep nesting and numbers of thousands of digits, too."""
    import json

    try:
        return json.loads(text)
    except json.JSONDecodeError:
        raise
    except RecursionError:
        raise json.JSONDecodeError("nested too deeply", text, 0) from None
    except ValueError:
        raise json.JSONDecodeError("a number has too many digits", text, 0) from None


def width_of(text: str) -> int:
    """Return the width of a text on a terminal, in columns."""
    if text.isascii():
        return len(text)
    import unicodedata

    return sum(
        0
        if unicodedata.combining(character) or unicodedata.category(character) == "Cf"
        else 2
        if unicodedata.east_asian_width(character) in "WF"
        else 1
        for character in text
    )


def padded(text: str, width: int, *, right: bool = False) -> str:
    """Pad a text with blanks to a width, on its right side or, with ``right``, on its left."""
    blanks = " " * (width - width_of(text))
    return blanks + text if right else text + blanks


def wrapped(pieces: Iterable[str], width: int) -> Iterator[str]:
    """Join pieces with blanks into lines of a maximum width; later ones leave room for an indent."""
    line, columns = "", 0
    for piece in pieces:
        more = width_of(piece)
        if line and columns + 1 + more > width:
            yield line
            line, columns = piece, more + HANG
        else:
            line, columns = (f"{line} {piece}", columns + 1 + more) if line else (piece, more)
    yield line


def folded(line: str, width: int) -> list[str]:
    """Return a line in pieces of a maximum width, cut at blanks; those after the first are indented.

    >>> folded("# signature: jpevalb:0.1.0 prm:none", 20)
    ['# signature:', '#   jpevalb:0.1.0', '#   prm:none']
    """
    indent = "#   " if line.startswith("# ") else " " * HANG
    if width_of(line) <= width:
        return [line]
    first, *others = wrapped(line.split(" "), width)
    return [first, *[indent + piece for piece in others]]


def right_to_left(words: Iterable[str]) -> bool:
    """Return True if most letters are of a script that is written from right to left."""
    words = list(words)
    if all(map(str.isascii, words)):
        return False
    import unicodedata

    return sum([_STRONG.get(unicodedata.bidirectional(letter), 0) for word in words for letter in word]) > 0


def is_utf8(encoding: str | None) -> bool:
    """Return True if an encoding is UTF-8, the default."""
    return encoding is None or codecs.lookup(encoding).name in ("utf-8", "utf-8-sig")


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
    shown = "\n".join(map(visible, str(content).split("\n")))
    return shown.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")


def join(*parts: object) -> Markup:
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
    return " ".join([name for name in names if isinstance(name, str) and name]) or None


def hidden(content: object) -> Markup:
    return tag("span", content, cls="hidden")
