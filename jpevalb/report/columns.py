"""Tables of plain text: columns that stand one under another, whatever the script."""

from __future__ import annotations

from collections.abc import Sequence

from ..model.text import columns_of, padded


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
