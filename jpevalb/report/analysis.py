"""The error analysis in tables: causes, labels, confusions and scores by length."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ..metrics import TABLES
from ..model.text import visible
from .columns import aligned
from .table import Cell, Field, Table, percent

if TYPE_CHECKING:
    from ..metrics.by_label import LabelCounts
    from ..metrics.errors import Analysis

CONFUSIONS = 3
"""How many confusions stand behind a label in the text report."""

ROWS = 20
"""Most rows of the table of confusions; CSV, TSV and JSON have all of them."""

_RATES = (
    Field("recall", "Recall", short=" Recal"),
    Field("precision", "Precision", short=" Prec."),
    Field("f1", "F1", short="FMeas."),
)


def has_tables(metrics: Any) -> bool:
    """Whether an evaluation with these metrics has more tables than that of its sentences."""
    return any(metric.name in TABLES for metric in metrics)


def analysis_tables(total: Any, confusions: int | None = None) -> list[Table]:
    """The tables of the labels, and of the error analysis, as far as a sum of records has them.

    Args:
        total: The sum.
        confusions: Most confusions behind a label; ``None`` for all.
    """
    names = getattr(total, "names", ())
    if "analysis" in names:
        # Only where one was asked for: it takes as long to import as a small file to score.
        from ..metrics.errors import Analysis

        counts = total["analysis"]
        found = Analysis.of(counts)
        return [_causes(found), _labels(counts.labels, confusions), *_errors(found)]
    return [_labels(total["labels"], confusions)] if "labels" in names else []


def text(total: Any) -> str:
    """The tables of :func:`analysis_tables` as they stand in the text report.

    Behind a label are the labels of the system's unmatched constituents over the spans of its
    missed ones, the three most frequent; an error analysis has a table of them instead.
    """
    pieces = []
    several = "analysis" in getattr(total, "names", ())
    for table in analysis_tables(total, CONFUSIONS):
        title, names = _IN_TEXT[table.name]
        if table.name == "labels" and not several:
            names = (*names, "confused")
        places = [[field.name for field in table.fields].index(name) for name in names]
        rows = [[_shown(table.fields[place], row[place]) for place in places] for row in table.for_reading()]
        head = [table.fields[place].short for place in places]
        sides = "".join(["l" if table.fields[place].text else "r" for place in places])
        lines = ["", f"-- {title} --", *(aligned(head, rows, sides) if rows else ["none"])]
        if note := table.more():
            lines.append(f"# {note}")
        pieces.append("\n".join(lines) + "\n")
    return "".join(pieces)


_IN_TEXT = {
    "causes": (
        "Causes: what errors come from, and F1 without them",
        ("cause", "times", "brackets", "share", "repaired_f1"),
    ),
    "labels": (
        "Labels",
        ("label", "gold", "system", "matched", "missed", "extra", "recall", "precision", "f1"),
    ),
    "confusions": ("Confusions: the same words, another label", ("count", "gold", "system")),
    "lengths": (
        "Length of the sentence",
        ("length", "sentences", "gold", "system", "matched", "recall", "precision", "f1"),
    ),
}
"""For each table its title and its columns in the text report."""


def _shown(field: Field, cell: Cell) -> str:
    if field.text:
        return visible(str(cell)) or ("()" if field.name != "confused" else "")
    # As everywhere in the text report 0/0 is 0.00.
    return "0.00" if cell is None else str(cell)


def _labels(counts: LabelCounts, most: int | None) -> Table:
    """A row a label, the most frequent gold labels first."""
    rows: list[list[Cell]] = []
    confusions = counts.all_confusions()
    for label in sorted(counts.labels, key=lambda label: (-counts.labels[label].gold, label)):
        item = counts.labels[label]
        numbers = (item.gold, item.system, item.matched, item.missed, item.extra)
        confused = " ".join([f"{other}:{times}" for other, times in confusions.get(label, [])[:most]])
        rates = [percent(rate) for rate in (item.recall, item.precision, item.f1)]
        rows.append([label, *map(str, numbers), *rates, confused])
    fields = (
        Field("label", "Label", text=True, short="Label"),
        Field("gold", "Gold", short="gold"),
        Field("system", "System", short="system"),
        Field("matched", "Matched", short="matched"),
        Field("missed", "Missed", short="missed"),
        Field("extra", "Extra", short="extra"),
        *_RATES,
        Field("confused", "Confused with", text=True, short="confused with"),
    )
    return Table("Labels", fields, rows, name="labels")


def _causes(found: Analysis) -> Table:
    """A row a cause, those with most brackets first."""
    fields = (
        Field("cause", "Cause", text=True, short="Cause"),
        Field("times", "Times", short="times"),
        Field("brackets", "Brackets", short="brackets"),
        Field("share", "% of errors", short="% of errors"),
        Field("repaired_f1", "F1 repaired", short="F1 repaired"),
    )
    rows = [
        [item.cause, str(item.times), str(item.brackets), percent(item.share), percent(item.repaired_f1)]
        for item in found.causes
    ]
    return Table("Causes", fields, rows, name="causes")


def _errors(found: Analysis) -> Iterator[Table]:
    yield Table(
        "Confusions",
        (
            Field("gold", "Gold", text=True, short="gold"),
            Field("system", "System", text=True, short="system"),
            Field("count", "Constituents", short="count"),
        ),
        [[item.gold, item.system, str(item.count)] for item in found.confusions],
        name="confusions",
        most=ROWS,
    )
    rows: list[list[Cell]] = []
    for item in found.lengths:
        brackets = item.brackets
        counts = (brackets.sentences, brackets.gold, brackets.system, brackets.matched)
        rates = (brackets.recall, brackets.precision, brackets.f1)
        rows.append([item.name, *map(str, counts), *map(percent, rates)])
    yield Table(
        "Length of the sentence",
        (
            Field("length", "Length", text=True, short="Length"),
            Field("sentences", "Sentences", short="sentences"),
            Field("gold", "Gold", short="gold"),
            Field("system", "System", short="system"),
            Field("matched", "Matched", short="matched"),
            *_RATES,
        ),
        rows,
        name="lengths",
    )
