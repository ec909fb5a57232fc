"""The text table of brackets label by label."""

from __future__ import annotations

from ..metrics.by_label import LabelCounts
from .escape import visible

_CONFUSIONS = 3


def table(counts: LabelCounts) -> str:
    """A line a label, the most frequent gold labels first, with what they are taken for.

    Confusions are the labels of the system's unmatched constituents over the
    spans of missed gold constituents; the three most frequent are named.
    """
    confusions = counts.all_confusions()
    labels = sorted(counts.labels, key=lambda label: (-counts.labels[label].gold, label))
    shown = {label: visible(label) for label in labels}
    width = max([5, *map(len, shown.values())])
    lines = [
        "\n-- Labels --\n",
        f"{'Label':<{width}}   gold system matched  Recal  Prec. FMeas. confused with\n",
    ]
    for label in labels:
        item = counts.labels[label]
        rates = " ".join([f"{100 * (rate or 0):6.2f}" for rate in (item.recall, item.precision, item.f1)])
        taken_for = confusions.get(label, [])
        named = " ".join([f"{visible(other)}:{times}" for other, times in taken_for[:_CONFUSIONS]])
        line = f"{shown[label]:<{width}} {item.gold:6d} {item.system:6d} {item.matched:7d} {rates} {named}"
        lines.append(line.rstrip() + "\n")
    return "".join(lines)
