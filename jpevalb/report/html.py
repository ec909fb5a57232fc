"""The HTML report: one page that needs nothing but itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..flow.summary import Evaluation, SentenceResult
from ..metrics import Figure
from ..metrics.causes import load_classes
from ..metrics.errors import F1_STEPS, Analysis, analyse
from ..metrics.trees import StructIou
from ..model.labels import Labels
from . import Format
from .figures import by_brackets, left_out, record_of, shown, signature_of
from .gaps import FanOutCounts, by_fan_out
from .html_data import FIELDS, GAPS, NodePairs, groups_data, sentences_data
from .page import UNDEFINED, page, percent

SCRIPTS = ("tree.js", "picture.js", "pair.js", "rows.js", "list.js", "page.js")
TEMPLATE = "template.html"

ROWS = 30
"""Longest list of confusions; the page says how many there are."""


class Html(Format):
    """A page that opens without a network."""

    keeps_sentences = True

    def evaluation(self, evaluation: Any, *, quiet: bool = False, **names: str) -> str:
        return html_report(evaluation, quiet=quiet, **names)

    def comparison(self, comparison: Any, **how: Any) -> str:
        from .comparison_html import html

        return html(comparison, gold_name=how.get("gold_name", "gold"))


HTML = Html()


def html_report(
    evaluation: Evaluation,
    *,
    gold_name: str = "gold",
    system_name: str = "system",
    quiet: bool = False,
) -> str:
    """The evaluation as one HTML page that opens without a network.

    The page shows the summary, how sentence F1 is distributed, the score by
    length, labels and errors, and a list of the sentences; a sentence opens to
    its two trees.  Nothing is left out but with ``quiet``, and what an
    evaluation did not keep; the page says so.

    Args:
        evaluation: What to show.
        gold_name: What the page calls the gold side, say the file's name.
        system_name: What the page calls the system's side.
        quiet: Whether to leave out the sentences.

    Returns:
        The page; the same for the same evaluation.  Lone surrogates and control
        characters are escaped or shown as such, so it can be written in UTF-8.

    Raises:
        JpevalbError: jinja2 is not installed.

    Cost: O(nodes + tokens), and with Struct-IoU once more its own cost.
    """
    settings = evaluation.settings
    # A gold sentence that cannot be read counts nowhere in some modes.
    counted = [one for one in evaluation.sentences if one.record.beads.beads]
    analysis = analyse(counted, load_classes(settings.error_classes, lang=settings.lang))
    total = record_of(evaluation)
    # A sentence that counts nowhere is in the list all the same.
    kept = len(evaluation.sentences) >= total.beads.beads
    labels = Labels.of(evaluation.settings)
    shown: Sequence[SentenceResult] = () if quiet else evaluation.sentences
    content = {
        "groups": {} if quiet else groups_data(_groups(analysis)),
        **sentences_data(shown, evaluation.metrics, labels, _alignment(evaluation)),
    }
    flags = FIELDS.index("flags")
    # The rows know already where there is nothing to look for.
    gaps = quiet or any(row[flags] & GAPS for row in content["rows"])
    fan_outs = _fan_outs(evaluation) if gaps else []
    return page(
        TEMPLATE,
        SCRIPTS,
        content,
        columns=content["columns"],
        gold_name=gold_name,
        system_name=system_name,
        evaluation=evaluation,
        total=total,
        signature=signature_of(evaluation),
        unaligned=getattr(evaluation, "unaligned", ()),
        unreadable=getattr(evaluation, "unparsed", ()),
        left_out=left_out(evaluation) if evaluation.settings.conventions.same_words else (),
        rates=_rates(evaluation),
        figures=_figures(evaluation),
        analysis=analysis,
        bins=_bins(analysis),
        top=_ceiling(max([item.count for item in analysis.f1], default=0)),
        kept=kept,
        quiet=quiet,
        rows=ROWS,
        fan_outs=fan_outs,
        gaps=bool(fan_outs),
        deletes=bool(labels.deleted) and evaluation.settings.prm is not None,
    )


def _alignment(evaluation: Evaluation) -> NodePairs | None:
    """What pairs the nodes of a sentence; ``None`` where only the matches can."""
    for metric in evaluation.metrics:
        if isinstance(metric, StructIou):
            return metric.mapping
    return None


_HEADLINES = ("recall", "precision", "sentence_f1", "complete_match", "tag_accuracy")
"""The figures that stand beside the F1 at the top, and behind them the first one of each other metric."""


def _rates(evaluation: Evaluation) -> list[tuple[str, float | None, str]]:
    """Name, value and text of what stands first."""
    items = {
        item.key: item
        for section in by_brackets(evaluation, record_of(evaluation))
        for item in section.figures
        if item.key
    }
    keys = (*_HEADLINES, *[metric.name for metric in evaluation.metrics])
    found = []
    for item in [items[key] for key in keys if key in items]:
        name, value, _ = item.figure
        found.append(((item.short or name).partition(",")[0], value, _shown(item.figure)))
    return found


def _figures(evaluation: Evaluation) -> list[tuple[str, str, str]]:
    """Name, value over all sentences and value over the short ones, as they are shown."""
    total, short = (
        {
            item.short or item.figure.name: _shown(item.figure)
            for section in some
            for item in shown(section.figures, "page")
        }
        for some in (
            by_brackets(evaluation, record_of(evaluation)),
            by_brackets(evaluation, evaluation.cutoff),
        )
    )
    return [(name, value, short.get(name, UNDEFINED)) for name, value in total.items()]


def _shown(figure: Figure) -> str:
    if figure.value is None:
        return UNDEFINED
    if figure.form == "count":
        return f"{figure.value:,}"
    if figure.form == "percent":
        return percent(figure.value)
    return f"{figure.value:.2f}" if figure.form == "number" else f"{figure.value:.4f}"


def _fan_outs(evaluation: Evaluation) -> list[tuple[int, FanOutCounts]]:
    """The scores by fan-out; none where no constituent has gaps."""
    found = by_fan_out(evaluation.sentences)
    return list(found.items()) if max(found, default=1) > 1 else []


def _bins(analysis: Analysis) -> list[dict[str, Any]]:
    """The classes of sentence F1 as the histogram shows them."""
    step = 100 // F1_STEPS
    found = []
    for place, item in enumerate(analysis.f1):
        exact = place == F1_STEPS
        found.append(
            {
                "group": f"f1-{place}",
                "name": "100" if exact else f"{place * step} to under {(place + 1) * step}",
                "count": item.count,
                "exact": exact,
            }
        )
    return found


def _ceiling(count: int) -> int:
    """A round number at or above a count that four steps of the axis divide."""
    step = 1
    while True:
        for factor in (1, 2, 3, 4, 5, 6, 8):
            if 4 * step * factor >= count:
                return 4 * step * factor
        step *= 10


def _groups(analysis: Analysis) -> dict[str, Sequence[int]]:
    """The sentences that the buttons of the tables ask for; the template uses the same names."""
    groups: dict[str, Sequence[int]] = {f"f1-{i}": item.sentences for i, item in enumerate(analysis.f1)}
    groups["f1-none"] = analysis.without_f1_in
    for i, length in enumerate(analysis.lengths):
        groups[f"length-{i}"] = length.sentences
    for i, label in enumerate(analysis.labels):
        groups[f"missed-{i}"] = label.missed_in
        groups[f"extra-{i}"] = label.extra_in
    for i, confusion in enumerate(analysis.confusions[:ROWS]):
        groups[f"confusion-{i}"] = confusion.sentences
    for i, cause in enumerate(analysis.causes):
        groups[f"cause-{i}"] = cause.sentences
    return {name: numbers for name, numbers in groups.items() if numbers}
