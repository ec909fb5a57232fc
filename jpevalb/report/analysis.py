"""The error analysis in tables: labels, confusions, attachments and scores by length."""

from __future__ import annotations

from collections.abc import Sequence

from ..metrics.analysis import AnalysisCounts
from ..metrics.by_label import LabelCount, LabelCounts
from ..metrics.errors import Analysis, Attachment, Confusion
from .columns import aligned
from .escape import visible

CONFUSIONS = 3
"""How many confusions stand behind a label."""

ROWS = 20
"""Most rows of a table of confusions or attachments; JSON has all of them."""


def labels_text(counts: LabelCounts, *, confusions: bool = True) -> str:
    """A line a label, the most frequent gold labels first, with what they are taken for.

    Confusions are the labels of the system's unmatched constituents over the
    spans of missed gold constituents; the three most frequent are named.
    """
    head = ["Label", "gold", "system", "matched", "missed", "extra", " Recal", " Prec.", "FMeas."]
    rows = []
    confused = counts.all_confusions()
    for label in in_order(counts):
        item = counts.labels[label]
        taken_for = confused.get(label, [])[:CONFUSIONS]
        named = " ".join([f"{visible(other)}:{times}" for other, times in taken_for])
        rows.append(
            [_shown(label), *label_counts(item), *map(_rate, (item.recall, item.precision, item.f1)), named]
        )
    if confusions:
        return _section("Labels", [*head, "confused with"], rows, "lrrrrrrrrl")
    return _section("Labels", head, [row[:-1] for row in rows], "lrrrrrrrr")


def text(counts: AnalysisCounts) -> str:
    """All tables of an error analysis, for reading."""
    found = Analysis.of(counts)
    parts = [labels_text(counts.labels, confusions=False)]
    confused = [[str(item.count), _shown(item.gold), _shown(item.system)] for item in found.confusions[:ROWS]]
    parts.append(
        _section(
            "Confusions: the same words, another label",
            ["count", "gold", "system"],
            confused,
            "rll",
            more(found.confusions),
        )
    )
    attached = [
        [str(item.count), _shown(item.label), parent(item.gold_parent), parent(item.system_parent)]
        for item in found.attachments[:ROWS]
    ]
    parts.append(
        _section(
            "Attachments: found, but under a parent that spans other words",
            ["count", "label", "gold parent", "system parent"],
            attached,
            "rlll",
            more(found.attachments),
        )
    )
    lengths = [
        [
            item.name,
            str(item.brackets.sentences),
            str(item.brackets.gold),
            str(item.brackets.system),
            str(item.brackets.matched),
            *map(_rate, (item.brackets.recall, item.brackets.precision, item.brackets.f1)),
        ]
        for item in found.lengths
    ]
    head = ["Length", "sentences", "gold", "system", "matched", " Recal", " Prec.", "FMeas."]
    parts.append(_section("Length of the sentence", head, lengths, "lrrrrrrr"))
    return "".join(parts)


def in_order(counts: LabelCounts) -> list[str]:
    """The labels, the most frequent gold labels first."""
    return sorted(counts.labels, key=lambda label: (-counts.labels[label].gold, label))


def label_counts(item: LabelCount) -> list[str]:
    """The counts of a label as cells."""
    return [str(number) for number in (item.gold, item.system, item.matched, item.missed, item.extra)]


def parent(label: str | None) -> str:
    """A parent's label; a constituent that has none hangs from the root."""
    return "(root)" if label is None else _shown(label)


def more(items: Sequence[Confusion] | Sequence[Attachment]) -> str:
    """What a table of :data:`ROWS` rows leaves out, or nothing."""
    rest = [item.count for item in items[ROWS:]]
    return f"and {len(rest)} more kinds, {sum(rest)} constituents" if rest else ""


def _section(title: str, head: list[str], rows: list[list[str]], sides: str, note: str = "") -> str:
    lines = ["", f"-- {title} --", *(aligned(head, rows, sides) if rows else ["none"])]
    if note:
        lines.append(f"# {note}")
    return "\n".join(lines) + "\n"


def _shown(label: str) -> str:
    return visible(label) or "()"


def _rate(value: float | None) -> str:
    # As everywhere in the text report 0/0 is 0.00.
    return f"{100 * (value or 0):.2f}"
