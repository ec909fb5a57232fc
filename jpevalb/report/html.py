"""HTML report of one system: a single file that opens without a network."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count
from typing import Any

from ..errors.analysis import F1_STEPS
from ..metrics import Line
from ..metrics.alignment import KINDS, Alignment
from ..metrics.measures import PRECISION, RECALL
from ..score.evaluation import WORST, Evaluation
from ..settings.labels import LabelPolicy
from . import Format, Write
from .figures import bracket_sections, left_out, lines_in
from .findings import LISTED, Findings
from .html_data import groups_data, sentences_data
from .page import UNDEFINED, page, percent
from .references import reference_tables
from .table import number

ASSETS = (
    "page.css",
    *("tree.js", "picture.js", "charts.js", "pair.js", "explain.js"),
    *("terms.js", "rows.js", "single.js", "list.js", "page.js"),
)
TEMPLATE = "template.html"


class Html(Format):
    """The format ``html``."""

    needs_sentences = True
    choices = ()
    settings = (*Format.settings, "error_classes")

    def comparison(self, comparison: Any, **how: Any) -> str:
        from .comparison_html import html

        return html(comparison, gold_name=how.get("gold_name", "gold"), worst=how.get("worst", WORST))

    def write(self, run: Any, sentences: Any, write: Write, *, quiet: bool = False, **names: Any) -> None:
        gold_name, system_name = names.get("gold_name", "gold"), names.get("system_name", "system")
        worst = 0 if quiet else names.get("worst", WORST)
        for metric in run.metrics:
            metric.keeps_pairs = not quiet  # of nodes, for the rows
        findings = Findings(sentences, run.settings, run.metrics, worst)
        evaluation = run.evaluation()
        total = evaluation.total
        analysis = findings.analysis
        numbers = {row.cells[0] for row in findings.shown}
        groups = {
            name: listed
            for name, sentences, _ in _groups(findings)
            if (listed := [number for number in sentences if number in numbers])
        }
        interval, *by_length = findings.intervals()
        content = {
            "all": findings.seen,
            "byLength": [
                [item.name, len(item.sentences), item.brackets.f1, *(ends or (None, None))]
                for item, ends in zip(analysis.lengths, by_length)
            ],
            "byLabel": [
                [item.label, item.counts.gold, item.counts.recall, item.counts.precision]
                for item in analysis.labels
                if item.counts.gold
            ],
            "groups": groups_data(groups),
            "about": {name: texts for name, _, texts in _groups(findings) if texts},
            "system": system_name,
            **sentences_data(findings.shown, evaluation.metrics),
        }
        beads = None
        if "alignment" in total and total["alignment"].shown:
            kinds = [(name, title, total["alignment"].kinds[name]) for name, title in KINDS]
            beads = {"counts": total["alignment"], "kinds": [kind for kind in kinds if kind[2].beads]}
        text = page(
            TEMPLATE,
            ASSETS,
            content,
            kind="single",
            columns=content["columns"],
            gold_name=gold_name,
            system_name=system_name,
            evaluation=evaluation,
            total=total,
            by_state=evaluation.settings.conventions.rows == "sentences",
            items_of={
                state: [item for item in evaluation.left_out if item.state == state]
                for state in evaluation.states
            },
            left_out=left_out(evaluation),
            interval=interval,
            alignment=beads,
            figures=_figures(evaluation),
            references=[table.titled() for table in reference_tables(evaluation.metrics, total)],
            analysis=analysis,
            findings=findings,
            groups=set(groups),
            bins=_bins(findings),
            top=_ceiling(max([item.count for item in analysis.f1], default=0)),
            # Sentences that count nowhere are listed too.
            kept=findings.seen >= total.beads.beads,
            quiet=quiet,
            rows=LISTED,
            deletes=bool(LabelPolicy.of(evaluation.settings).deleted) and evaluation.settings.prm is not None,
        )
        write(text)


HTML = Html()


_NAMES = {RECALL.line: "Recall", PRECISION.line: "Precision"}


def _figures(evaluation: Evaluation) -> list[tuple[str, str, str]]:
    """Return name, value over all sentences and value over the short ones, without the F1 of the heading."""
    total, short = (
        {
            _NAMES.get(item.line.name, item.line.name): _shown(item.line)
            for section in bracket_sections(evaluation, record)
            if section.title != Alignment.heading
            for item in lines_in(section, "page")
        }
        for record in (evaluation.total, evaluation.cutoff)
    )
    return [(name, value, short.get(name, UNDEFINED)) for name, value in total.items()]


def _shown(line: Line) -> str:
    if line.form == "count" and line.value is not None:
        return f"{line.value:,}"
    return percent(line.value) if line.form == "percent" else number(line, line.value) or UNDEFINED


def _bins(findings: Findings) -> list[dict[str, Any]]:
    """Return the bars of the histogram of sentence F1."""
    step = 100 // F1_STEPS
    names = [f"{index * step} to under {(index + 1) * step}" for index in range(F1_STEPS)]
    return [
        {"group": f"f1-{index}", "name": name, "count": item.count, "exact": index == F1_STEPS}
        for index, (name, item) in enumerate(zip([*names, "100"], findings.analysis.f1))
    ]


def _ceiling(number: int) -> int:
    """Return a round number at or above a number, which the four steps of the axis divide."""
    steps: Iterator[int] = (4 * factor * 10**power for power in count() for factor in (1, 2, 3, 4, 5, 6, 8))
    return next(step for step in steps if step >= number)


def _groups(findings: Findings) -> Iterator[tuple[str, Sequence[int], list[str]]]:
    """Yield the buttons of the template, their sentences, and the texts of both sides that they are about."""
    analysis = findings.analysis
    for i, bar in enumerate(analysis.f1):
        yield f"f1-{i}", bar.sentences, []
    yield "f1-none", analysis.without_f1_in, []
    for i, length in enumerate(analysis.lengths):
        yield f"length-{i}", length.sentences, []
    for i, label in enumerate(analysis.labels):
        yield f"missed-{i}", label.missed_in, [label.label, ""]
        yield f"extra-{i}", label.extra_in, ["", label.label]
    confusions = {"confusion": analysis.confusions, "tags": findings.tags, "words": findings.words}
    for name, items in confusions.items():
        for i, item in enumerate(items[:LISTED]):
            yield f"{name}-{i}", item.sentences, [item.gold, item.system]
    if len(findings.kinds) > 1:
        yield from [(f"bead-{kind}", numbers, []) for kind, numbers in findings.kinds.items()]
    for i, cause in enumerate(analysis.causes):
        yield f"cause-{i}", cause.sentences, [cause.cause, ""]
