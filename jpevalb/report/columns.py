"""Tables of plain text: columns that stand one under another, whatever the script."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence


def columns_of(text: str) -> int:
    """The columns that a text takes on a terminal.

    >>> columns_of("NP"), columns_of("명사구"), columns_of("e\u0301")
    (2, 6, 1)
    """
    if text.isascii():
        return len(text)
    return sum(
        0
        if unicodedata.combining(sign) or unicodedata.category(sign) == "Cf"
        else 2
        if unicodedata.east_asian_width(sign) in "WF"
        else 1
        for sign in text
    )


def padded(text: str, width: int, *, right: bool = False) -> str:
    """The text with blanks behind it, or before it, up to a width.

    >>> padded("구", 4), padded("7", 3, right=True)
    ('구  ', '  7')
    """
    blanks = " " * (width - columns_of(text))
    return blanks + text if right else text + blanks


def aligned(head: Sequence[str], rows: Sequence[Sequence[str]], sides: str, gap: str = " ") -> list[str]:
    """The lines of a table, head first, as wide as its cells need; no blanks at the ends of lines.

    Args:
        head: The headings.
        rows: Cells, as many as there are headings.
        sides: For each column ``l`` or ``r``: where its cells stand.
        gap: What stands between columns.

    >>> print("\\n".join(aligned(["Label", "gold"], [["NP", "12"], ["ADVP", "3"]], "lr")))
    Label gold
    NP      12
    ADVP     3
    """
    widths = [max(map(columns_of, column)) for column in zip(head, *rows)]
    return [
        gap.join(
            [padded(cell, width, right=side == "r") for cell, width, side in zip(row, widths, sides)]
        ).rstrip()
        for row in (head, *rows)
    ]
