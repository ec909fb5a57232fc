"""The HTML report: one page that needs nothing but itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from ..errors.analysis import F1_STEPS, Analysis
from ..metrics import Figure
from ..metrics.alignment import KINDS, Alignment
from ..score.evaluation import WORST, Evaluation
from ..score.sentence import SentenceResult
from ..trees.labels import LabelPolicy
from . import Format, Write
from .figures import by_brackets, left_out, shown
from .findings import LISTED, Findings
from .html_data import groups_data, repairs_data, sentences_data
from .page import UNDEFINED, page, percent
from .references import reference_tables

SCRIPTS = ("tree.js", "picture.js", "pair.js", "rows.js", "list.js", "page.js")
TEMPLATE = "template.html"


class Html(Format):
    """A page that opens without a network."""

    needs_sentences = True
    choices = ()
    settings = (*Format.settings, "error_classes")

    def comparison(self, comparison: Any, **how: Any) -> str:
        from .comparison_html import html

        return html(comparison, gold_name=how.get("gold_name", "gold"), worst=how.get("worst", WORST))

    def write(
        self,
        run: Any,
        sentences: Iterable[Any],
        write: Write,
        *,
        quiet: bool = False,
        worst: int | None = WORST,
        writing: Callable[[Sequence[Any]], Iterable[Any]] = iter,
        **names: str,
    ) -> None:
        findings = Findings(run.settings, 0 if quiet else worst)
        findings.look(sentences)
        write(_page(run.evaluation(), findings, quiet=quiet, writing=writing, **names))


HTML = Html()


def _page(
    evaluation: Evaluation,
    findings: Findings,
    *,
    quiet: bool,
    gold_name: str = "gold",
    system_name: str = "system",
    writing: Callable[[Sequence[Any]], Iterable[Any]] = iter,
) -> str:
    total = evaluation.total
    analysis = findings.analysis
    labels = LabelPolicy.of(evaluation.settings)
    numbers = {sentence.number for sentence in findings.shown}
    groups = {
        name: [number for number in sentences if number in numbers]
        for name, sentences in _groups(findings).items()
    }
    repairs: dict[int, list[int | list[int]]] = {}
    places = {item.cause: place for place, item in enumerate(analysis.causes)}

    def listed() -> Iterator[SentenceResult]:
        for sentence in writing(findings.shown):
            if found := repairs_data(sentence, places, findings.classes):
                repairs[sentence.number] = found
            yield sentence

    content = {
        "all": findings.seen,
        "groups": groups_data({name: sentences for name, sentences in groups.items() if sentences}),
        "about": _about(findings),
        "repairs": repairs,
        **sentences_data(listed(), evaluation.metrics),
    }
    return page(
        TEMPLATE,
        SCRIPTS,
        content,
        columns=content["columns"],
        gold_name=gold_name,
        system_name=system_name,
        evaluation=evaluation,
        total=total,
        signature=evaluation.signature,
        by_state=evaluation.settings.conventions.identical_words,
        items_of={
            state: [item for item in evaluation.left_out if item.state == state]
            for state in evaluation.states
        },
        left_out=left_out(evaluation),
        interval=findings.interval(),
        alignment=_beads(total),
        figures=_figures(evaluation),
        references=reference_tables(evaluation.metrics, total),
        analysis=analysis,
        findings=findings,
        groups={name for name, sentences in groups.items() if sentences},
        bins=_bins(analysis),
        top=_ceiling(max([item.count for item in analysis.f1], default=0)),
        # A sentence that counts nowhere is in the list all the same.
        kept=findings.seen >= total.beads.beads,
        quiet=quiet,
        rows=LISTED,
        gaps=bool(findings.fan_outs),
        deletes=bool(labels.deleted) and evaluation.settings.prm is not None,
    )


def _beads(total: Any) -> Any:
    """What is aligned with what, where words or sentence ends differ anywhere; else ``None``."""
    if "alignment" not in total.names or not total["alignment"].shown:
        return None
    counts = total["alignment"]
    kinds = [(title, counts.kinds[name]) for name, title in KINDS if counts.kinds[name].beads]
    return {"counts": counts, "kinds": kinds}


def _figures(evaluation: Evaluation) -> list[tuple[str, str, str]]:
    """Name, value over all sentences and over the short ones, as they are shown; F1 stands above them."""
    total, short = (
        {
            item.short or item.figure.name: _shown(item.figure)
            for section in some
            if section.title != Alignment.heading
            for item in shown(section.figures, "page")
            if item.key != "f1"
        }
        for some in (
            by_brackets(evaluation, evaluation.total),
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


def _groups(findings: Findings) -> dict[str, Sequence[int]]:
    """The sentences that the buttons of the tables ask for; the template uses the same names."""
    analysis = findings.analysis
    groups: dict[str, Sequence[int]] = {f"f1-{i}": item.sentences for i, item in enumerate(analysis.f1)}
    groups["f1-none"] = analysis.without_f1_in
    for i, length in enumerate(analysis.lengths):
        groups[f"length-{i}"] = length.sentences
    for i, label in enumerate(analysis.labels):
        groups[f"missed-{i}"] = label.missed_in
        groups[f"extra-{i}"] = label.extra_in
    for name, items in _confused(findings).items():
        for i, item in enumerate(items):
            groups[f"{name}-{i}"] = item.sentences
    for i, cause in enumerate(analysis.causes):
        groups[f"cause-{i}"] = cause.sentences
    return groups


def _confused(findings: Findings) -> dict[str, Sequence[Any]]:
    """The most frequent confusions of each kind."""
    return {
        "confusion": findings.analysis.confusions[:LISTED],
        "tags": findings.tags[:LISTED],
        "words": findings.words[:LISTED],
    }


def _about(findings: Findings) -> dict[str, list[str]]:
    """For groups by label, tag or word what the sentences are in them for: gold's and the system's."""
    about = {}
    for i, label in enumerate(findings.analysis.labels):
        about[f"missed-{i}"] = [label.label, ""]
        about[f"extra-{i}"] = ["", label.label]
    for name, items in _confused(findings).items():
        for i, item in enumerate(items):
            about[f"{name}-{i}"] = [item.gold, item.system]
    return about
