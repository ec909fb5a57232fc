"""The HTML report: one page that needs nothing but itself."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterator, Sequence
from importlib.resources import files
from typing import Any

from ..flow.summary import Evaluation, SentenceResult
from ..flow.unaligned import beads_in
from ..metrics import Figure
from ..metrics.analysis import F1_STEPS
from ..metrics.errors import Analysis, analyse
from ..metrics.trees import StructIou
from ..model.errors import JpevalbError
from ..model.labels import Labels
from ..model.record import Record
from .html_data import NodePairs, groups_data, script_json, sentences_data

SCRIPTS = ("tree.js", "picture.js", "pair.js", "rows.js", "list.js", "page.js")
STYLE = "page.css"
TEMPLATE = "template.html"

ROWS = 30
"""Longest list of confusions and attachments; the page says how many there are."""

UNDEFINED = "–"

_INVISIBLE = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff\u2028\u2029]")


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
        system_name: The same of the system's.
        quiet: Whether to leave out the sentences.

    Returns:
        The page; the same for the same evaluation.  Lone surrogates and control
        characters are escaped or shown as such, so it can be written in UTF-8.

    Raises:
        JpevalbError: jinja2 is not installed.

    Cost: O(nodes + tokens), and with Struct-IoU once more its own cost.
    """
    analysis = analyse(evaluation.sentences)
    kept = len(evaluation.sentences) == evaluation.total.beads.beads
    params = evaluation.settings.params()
    labels = Labels(params, unlabeled=evaluation.settings.unlabeled)
    shown: Sequence[SentenceResult] = () if quiet else evaluation.sentences
    content = {
        "groups": {} if quiet else groups_data(_groups(analysis)),
        **sentences_data(shown, evaluation.metrics, labels, _alignment(evaluation)),
    }
    return page(
        TEMPLATE,
        SCRIPTS,
        content,
        columns=content["columns"],
        gold_name=gold_name,
        system_name=system_name,
        evaluation=evaluation,
        total=evaluation.total,
        rates=list(_rates(evaluation)),
        figures=_figures(evaluation),
        analysis=analysis,
        bins=_bins(analysis),
        top=_ceiling(max([item.count for item in analysis.f1], default=0)),
        kept=kept,
        quiet=quiet,
        rows=ROWS,
        deletes=bool(params.delete_labels) and evaluation.settings.prm is not None,
    )


def page(template: str, scripts: Sequence[str], data: Any, **content: Any) -> str:
    """A page with its scripts, its style and its data in it.

    Args:
        template: Name of its template, which extends ``frame.html``.
        scripts: Names of its scripts, in order.
        data: What the scripts read.
        **content: What the template asks for.

    Raises:
        JpevalbError: jinja2 is not installed.
    """
    made = _environment().get_template(template)
    script = "\n".join([_read(name) for name in scripts])
    style = _read(STYLE)
    text = made.render(
        digests=(_digest(script), _digest(style)),
        script=_markup(script),
        style=_markup(style),
        data=_markup(script_json(data)),
        **content,
    )
    return str(text)


def percent(value: float | None) -> str:
    """A rate times 100 with two decimals; a dash where it is undefined.

    >>> percent(0.5), percent(None)
    ('50.00', '–')
    """
    return UNDEFINED if value is None else f"{100 * value:.2f}".replace("-", "−")


def visible(text: object) -> str:
    r"""The text with characters that a page cannot hold or show as their escapes.

    >>> visible("a\x00b\udc80")
    'a\\x00b\\udc80'
    """
    return _INVISIBLE.sub(lambda found: ascii(found[0])[1:-1], str(text))


def require_jinja2() -> None:
    """Looks whether a page can be made, before much is computed for it.

    Raises:
        JpevalbError: jinja2 is not installed.
    """
    try:
        import jinja2  # noqa: F401
    except ImportError:
        raise JpevalbError(
            "the HTML report needs jinja2, which is not installed: pip install 'jpevalb[html]'"
        ) from None


def _environment() -> Any:
    require_jinja2()
    import jinja2

    environment = jinja2.Environment(
        loader=jinja2.FunctionLoader(_read),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_finalize,
    )
    environment.filters.update(percent=percent, count="{:,}".format, beads_in=beads_in)
    return environment


def _finalize(value: Any) -> Any:
    # Every text that is not markup already goes through here on its way into the page.
    return visible(value) if type(value) is str else value


def _markup(text: str) -> Any:
    from markupsafe import Markup

    return Markup(text)


def _read(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def _digest(text: str) -> str:
    """What a Content-Security-Policy calls an inline script or style."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _alignment(evaluation: Evaluation) -> NodePairs | None:
    """What pairs the nodes of a sentence; ``None`` where only the matches can."""
    for metric in evaluation.metrics:
        if isinstance(metric, StructIou):
            return metric.mapping
    return None


def _rates(evaluation: Evaluation) -> Iterator[tuple[str, float | None, str]]:
    """Name, value and text of what stands first: the headline of each metric."""
    record = evaluation.total
    brackets = record.brackets
    for name, value in (
        ("Recall", brackets.recall),
        ("Precision", brackets.precision),
        ("Sentence-mean F1", brackets.sentence_f1),
        ("Complete match", brackets.complete_match),
        ("Tagging accuracy", record.tags.accuracy),
    ):
        yield name, value, percent(value)
    for metric, other in zip(evaluation.metrics, record.others):
        for figure in metric.figures(other)[:1]:
            yield figure.name.partition(",")[0], figure.value, _shown(figure)


def _figures(evaluation: Evaluation) -> list[tuple[str, str, str]]:
    """Name, value over all sentences and value over the short ones, as they are shown."""
    total, short = (dict(_column(evaluation, part)) for part in (evaluation.total, evaluation.cutoff))
    return [(name, value, short.get(name, "–")) for name, value in total.items()]


def _column(evaluation: Evaluation, record: Record) -> Iterator[tuple[str, str]]:
    brackets, beads = record.brackets, record.beads
    yield "Sentences", f"{beads.beads:,}"
    yield "Recall", percent(brackets.recall)
    yield "Precision", percent(brackets.precision)
    yield "F1", percent(brackets.f1)
    yield "Sentence-mean F1", percent(brackets.sentence_f1)
    yield "Complete match", percent(brackets.complete_match)
    crossing = brackets.average_crossing
    yield "Average crossing", UNDEFINED if crossing is None else f"{crossing:.2f}"
    yield "No crossing", percent(brackets.no_crossing_share)
    yield "2 or less crossing", percent(brackets.two_or_less_crossing_share)
    yield "Tagging accuracy", percent(record.tags.accuracy)
    for metric, other in zip(evaluation.metrics, record.others):
        for figure in metric.figures(other):
            yield figure.name, _shown(figure)


def _shown(figure: Figure) -> str:
    if figure.value is None:
        return UNDEFINED
    if figure.form == "count":
        return f"{figure.value:,}"
    return percent(figure.value) if figure.form == "percent" else f"{figure.value:.4f}"


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
    for i, attachment in enumerate(analysis.attachments[:ROWS]):
        groups[f"attachment-{i}"] = attachment.sentences
    return {name: numbers for name, numbers in groups.items() if numbers}
