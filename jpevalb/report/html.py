"""HTML report of one system: a single file that opens without a network."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ..base.counts import f1
from ..base.version import __version__
from ..errors.analysis import F1_STEPS, LENGTHS
from ..metrics import Line
from ..metrics.alignment import KINDS, Alignment
from ..metrics.figures import F1, PRECISION, RECALL
from ..metrics.significance import CONFIDENCE
from ..score.conventions import ConventionTable
from ..score.evaluation import WORST, Evaluation
from ..score.run import Outcome
from ..settings.rules import RunRules
from . import Format, Write, verdict
from .escape import latex
from .figures import bracket_sections, changes, left_out, lines_in
from .findings import ANSWER_STATES, LISTED, SHARE, Findings, pieces
from .html_data import groups_data, sentences_data
from .page import UNDEFINED, command_of, page, percent
from .references import reference_tables
from .table import number

if TYPE_CHECKING:
    from ..metrics.answers import AnswerCounts

ASSETS = (
    "page.css",
    *("tree.js", "picture.js", "charts.js", "pair.js", "explain.js"),
    *("terms.js", "rows.js", "single.js", "list.js", "page.js"),
)
TEMPLATE = "template.html"


class Html(Format):
    """The format ``html``."""

    needs_sentences = True
    choices = ("sort",)
    settings = (*Format.settings, "error_classes")
    node_pairs = True

    def comparison(self, comparison: Any, **how: Any) -> str:
        from .comparison_html import html

        shown = how.get("shown")
        names = {"gold_name": how.get("gold_name", "gold"), "worst": how.get("worst", WORST)}
        return html(comparison, sort=shown and shown.sort, **names)

    def tables(self, content: Any) -> str:
        from markupsafe import Markup

        from .markup import html_of

        title = content.shown[0].title
        tables = Markup(html_of(content))  # it has escaped the texts
        return page("conventions.html", ("page.css",), {}, title=title, tables=tables)

    def write(self, run: Outcome, sentences: Any, write: Write, *, quiet: bool = False, **names: Any) -> None:
        gold_name, system_name = names.get("gold_name", "gold"), names.get("system_name", "system")
        worst = 0 if quiet else names.get("worst", WORST)
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
        confidence = names.get("confidence", CONFIDENCE)
        level = f"{100 * confidence:g} %"
        intervals = findings.intervals(confidence)
        answers = total["answers"] if findings.answers else None
        brackets = findings.brackets if answers else total.brackets
        content = {
            "all": findings.seen,
            "level": level,
            "figures": _charted(findings, evaluation, intervals),
            "cutoff": evaluation.cutoff_length,
            "byLength": [
                [item.name, len(item.sentences), item.brackets.f1, *_ends(intervals, "length", item.name)]
                for item in analysis.lengths
            ],
            "byLabel": [
                [
                    *(
                        item.label,
                        item.counts.gold,
                        item.counts.recall,
                        item.counts.precision,
                        item.counts.f1,
                    ),
                    *(*_ends(intervals, "label", item.label), item.missed + item.extra),
                ]
                for item in analysis.labels
                if item.counts.gold
            ],
            "byF1": [item.count for item in analysis.f1],
            "confusions": [[item.gold, item.system, item.count] for item in analysis.confusions[:LISTED]],
            "byCause": [
                [
                    *(item.cause, verdict.cost(item, brackets), *_ends(intervals, "cause", item.cause)),
                    *((item.repaired_f1 or 0) - (brackets.f1 or 0), item.brackets, len(item.sentences)),
                ]
                for item in analysis.causes
            ],
            "groups": groups_data(groups),
            "about": {name: texts for name, _, texts in _groups(findings) if texts},
            "system": system_name,
            **sentences_data(findings.shown, evaluation.metrics),
        }
        if answers is not None:
            content["answers"] = _answers(findings, answers, intervals)
            content["columns"].append({"header": "As written", "percent": True})
        beads = None
        if "alignment" in total and total["alignment"].shown and answers is None:
            kinds = [(name, title, total["alignment"].kinds[name]) for name, title in KINDS]
            beads = {"counts": total["alignment"], "kinds": [kind for kind in kinds if kind[2].beads]}
            content["byBead"] = [[name, title, kind.beads, kind.f1] for name, title, kind in beads["kinds"]]
        by_text = _lost_by_text(evaluation) if beads else None
        lost = 1 - (brackets.f1 or 0)
        stem = _STEM.sub("", system_name)
        text = page(
            TEMPLATE,
            ASSETS,
            content,
            kind="single",
            columns=content["columns"],
            gold_name=gold_name,
            system_name=system_name,
            stem=stem,
            evaluation=evaluation,
            total=total,
            by_state=evaluation.settings.identical_words,
            items_of={
                state: [item for item in evaluation.left_out if item.state == state]
                for state in evaluation.states
            },
            changes=changes(evaluation),
            left_out=left_out(evaluation),
            headline=verdict.answers_headline(answers)
            if answers
            else verdict.headline(
                stem, brackets, analysis.causes, evaluation.f1 if evaluation.settings.is_mean else None
            ),
            answers=answers,
            defects=verdict.defects(answers) if answers else [],
            broken=verdict.broken(answers) if answers else [],
            defect_places={name: place for place, name in enumerate(findings.defects())},
            brackets=brackets,
            lead=verdict.answers_lead(answers)
            if answers
            else verdict.lead(brackets, analysis.causes, by_text and sum(by_text)),
            where=verdict.where(analysis, findings.median_f1(), SHARE),
            dearest=verdict.dearest(analysis.causes, brackets, findings.seen),
            costliest=verdict.costliest(findings.wrong()),
            format_or_syntax=verdict.format_or_syntax(answers, analysis.causes, brackets) if answers else [],
            by_text=by_text,
            blamed=by_text and verdict.blamed(sum(by_text), lost),
            lost=lost,
            cost=verdict.cost,
            alignment=beads,
            figures=_figures(evaluation),
            **_of_conventions(names["conventions"]() if "conventions" in names else None),
            level=level,
            cite=_cite(stem, evaluation, intervals, level),
            command=command_of(gold_name, [system_name], evaluation.settings),
            references=[table.titled() for table in reference_tables(evaluation.metrics, total)],
            analysis=analysis,
            findings=findings,
            groups=set(groups),
            bins=_bins(findings),
            # Sentences that count nowhere are listed too.
            kept=findings.seen >= total.beads.beads,
            quiet=quiet,
            rows=LISTED,
            deletes=bool(RunRules(evaluation.settings).deleted) and evaluation.settings.prm is not None,
        )
        write(text)


HTML = Html()


_STEM = re.compile(r"(?<=.)\.\w{1,8}$")

_CHARTED = {  # figures by name: group, name and remark
    "f1": ("Brackets", "F1", ""),
    "precision": ("Brackets", "Precision", ""),
    "recall": ("Brackets", "Recall", ""),
    "sentence_f1": ("Brackets", "Sentence-mean F1", ""),
    "complete_match": ("Brackets", "Complete match", ""),
    "continuous_f1": ("Brackets", "Without gaps", "F1"),
    "discontinuous_f1": ("Brackets", "With gaps", "F1"),
    "sentence_end_f1": ("Words and sentences", "Sentence ends", "F1"),
    "token_f1": ("Words and sentences", "Words", "F1"),
    "unit_tag_accuracy": ("Words and sentences", "Tags", "of aligned words"),
    "tag_accuracy": ("Words and sentences", "Tags", "of gold words"),
    "struct_iou": ("Trees", "Struct-IoU", "× 100"),
    "node_accuracy": ("Trees", "Node accuracy", ""),
}
_UNCHARTED = ("strict_f1",)
_GROUPS = ("Brackets", "Words and sentences", "Answers", "Trees", "Counts")


def _ends(intervals: dict[Any, Any], *key: str) -> tuple[float | None, float | None]:
    return intervals.get(key) or (None, None)


def _charted(findings: Findings, evaluation: Evaluation, intervals: dict[Any, Any]) -> list[list[Any]]:
    """Return the figures of the chart: group, name, remark, value, interval, and value of short sentences."""
    headings = {figure.name: metric.heading for metric in evaluation.metrics for figure in metric.figures}
    names = {figure.name for figure in findings.figures if figure.shown(evaluation.total)}
    rows = []
    for figure in findings.figures:
        value = figure.value(evaluation.total)
        if value is None or figure.form == "number" or not figure.shown(evaluation.total):
            continue
        if figure.name in _UNCHARTED or (figure.name == "tag_accuracy" and "unit_tag_accuracy" in names):
            continue
        heading = headings.get(figure.name, "")
        group = heading if heading in _GROUPS else _GROUPS[1] if heading == "Segmentation" else "Trees"
        group, name, remark = _CHARTED.get(figure.name, (group, figure.line or figure.title, ""))
        ends = _ends(intervals, "figure", figure.name)
        rows.append([group, name, remark, value, *ends, figure.value(evaluation.cutoff)])
    order = {key[:2]: k for k, key in enumerate(_CHARTED.values())}
    return sorted(rows, key=lambda row: (_GROUPS.index(row[0]), order.get((row[0], row[1]), len(order))))


_NAMES = {
    RECALL.line: "Recall",
    PRECISION.line: "Precision",
    F1.line: "F1",
    "Average crossing": "Crossing per sentence",
    **{f"Sentence {name}": f"Sentence ends {name}" for name in ("recall", "precision", "F1")},
}


def _figures(evaluation: Evaluation) -> list[tuple[str, list[tuple[str, str, str]]]]:
    """Return groups of name, value over all sentences and value over the short ones."""
    groups: dict[str, list[tuple[str, str, str]]] = {name: [] for name in _GROUPS}
    short = {
        (section.title, item.line.name): _shown(item.line)
        for section in bracket_sections(evaluation, evaluation.cutoff)
        for item in lines_in(section, "page")
    }
    for section in bracket_sections(evaluation, evaluation.total):
        if section.title == Alignment.heading:  # the page has a table of these
            continue
        for item in lines_in(section, "page"):
            line = item.line
            words = line.name.startswith(("Token", "Sentence ", "Tag"))
            title = section.title if section.title in _GROUPS else "Brackets"
            title = "Counts" if line.form == "count" else "Words and sentences" if words else title
            name = _NAMES.get(line.name, line.name)
            groups[title].append((name, _shown(line), short.get((section.title, line.name), UNDEFINED)))
    both = evaluation.total.brackets, evaluation.cutoff.brackets
    for name in ("gold", "system", "matched"):
        all_, few = (f"{getattr(brackets, name):,}" for brackets in both)
        groups["Counts"].append((f"{name.capitalize()} brackets", all_, few))
    return [(name, rows) for name, rows in groups.items() if rows]


def _of_conventions(table: ConventionTable | None) -> dict[str, Any]:
    """Return the table of conventions as HTML, and the lowest and highest F1."""
    rates = [row.f1 for row in table.results[0] if row.f1 is not None] if table else []
    if table is None or not rates:
        return {"conventions": "", "convention_range": ()}
    from markupsafe import Markup

    from .conventions import sheet_of
    from .markup import html_of

    return {"conventions": Markup(html_of(sheet_of(table))), "convention_range": (min(rates), max(rates))}


def _answers(findings: Findings, counts: AnswerCounts, intervals: dict[Any, Any]) -> dict[str, Any]:
    """Return the state of each answer, F1 by repair and by length, and the first answers of each defect."""
    shown: dict[int, list[Any]] = {}
    for name, numbers in findings.defects().items():
        for sentence in numbers[:LISTED]:
            shown.setdefault(sentence, []).append(name)
    figures = [("figure", "strict_answer_f1"), *[("step", step.repair) for step in counts.ladder[1:]]]
    return {
        "states": [[sentence, ANSWER_STATES.index(state)] for sentence, state, _ in findings.answers],
        "ladder": [
            [step.repair, step.answers, step.f1, *_ends(intervals, *key)]
            for step, key in zip(counts.ladder, figures)
        ],
        "validOnly": [
            *(counts.valid_only.sentences, counts.valid_only.f1),
            *_ends(intervals, "figure", "valid_only_f1"),
        ],
        "renamed": counts.renamed_f1,
        "lost": counts.lost and [*counts.lost.values()],
        "byLength": [
            [
                length.name,
                [sums[state] for state in ANSWER_STATES],
                f1(sums["matched"], sums["gold"], sums["system"]),
                findings.analysis.lengths[index].brackets.f1,
            ]
            for index, length in enumerate(LENGTHS)
            for sums in [findings.written.get(index)]
            if sums
        ],
        "raw": [
            [sentence, shown[sentence], answer.reason, pieces(answer.raw or answer.text, answer.text)]
            for sentence, _, answer in findings.answers
            if sentence in shown
        ],
    }


def _lost_by_text(evaluation: Evaluation) -> tuple[float, float] | None:
    """Return the F1 lost to sentence ends and to words, in [0, 1]; ``None`` if they are not scored."""
    metric = next((one for one in evaluation.metrics if one.name == "segmentation"), None)
    if metric is None:
        return None
    values = {figure.name: figure.value(evaluation.total[metric.name]) for figure in metric.figures}
    return values["strict_f1_lost_sentences"] or 0, values["strict_f1_lost_tokens"] or 0


def _cite(stem: str, evaluation: Evaluation, intervals: dict[Any, Any], level: str) -> list[str]:
    """Return the sentence and the LaTeX table of a paper; empty without F1."""
    brackets, beads = evaluation.total.brackets, evaluation.total.beads
    is_mean = evaluation.settings.is_mean
    ends, name = intervals.get(("figure", "sentence_f1" if is_mean else "f1")), "mean F1" if is_mean else "F1"
    if evaluation.f1 is None:
        return []
    interval = ends and f"{level} bootstrap interval {percent(ends[0])} to {percent(ends[1])}, 1,000 samples"
    settings = evaluation.settings
    prm = "no parameter file" if settings.prm is None else "with a parameter file"
    rules = f"{settings.mode} mode" if settings.convention is None else f"convention {settings.convention}"
    sentence = (
        f"We score with jpevalb {__version__} ({rules}, {prm}): "
        f"{name} {percent(evaluation.f1)}{f' ({interval})' if interval else ''}, "
        f"precision {percent(brackets.precision)}, recall {percent(brackets.recall)}, over {beads.beads:,} "
        f"sentence pairs of {beads.gold:,} gold and {beads.system:,} system sentences."
    )
    half = "" if ends is None else rf"\,{{\scriptsize$\pm${50 * (ends[1] - ends[0]):.2f}}}"
    cells = [
        ("P", percent(brackets.precision)),
        ("R", percent(brackets.recall)),
        (name, percent(evaluation.f1) + half),
        ("Complete", percent(evaluation.figures["complete_match"])),
        *[
            (title, percent(value))
            for name, title in (("struct_iou", "S-IoU"), ("node_accuracy", "NodeAcc"))
            if (value := evaluation.figures.get(name)) is not None
        ],
    ]
    names, values = (" & ".join(column) for column in zip(*cells))
    table = [
        rf"\begin{{tabular}}{{l{'r' * len(cells)}}}",
        r"\toprule",
        rf"System & {names} \\",
        r"\midrule",
        rf"{latex(stem)} & {values} \\",
        r"\bottomrule",
        r"\end{tabular}",
    ]
    return [sentence, "\n".join(table)]


def _shown(line: Line) -> str:
    if line.form == "count" and line.value is not None:
        return f"{line.value:,}"
    # A page has shares times 100, as its charts.
    return percent(line.value) if line.form != "number" else number(line, line.value) or UNDEFINED


def _bins(findings: Findings) -> list[dict[str, Any]]:
    """Return the bars of the histogram of sentence F1."""
    step = 100 // F1_STEPS
    names = [f"{index * step} to under {(index + 1) * step}" for index in range(F1_STEPS)]
    return [
        {"group": f"f1-{index}", "name": name, "count": item.count, "exact": index == F1_STEPS}
        for index, (name, item) in enumerate(zip([*names, "100"], findings.analysis.f1))
    ]


def _groups(findings: Findings) -> Iterator[tuple[str, Sequence[int], list[str]]]:
    """Yield the buttons of the template, their sentences, and the texts of both sides."""
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
    for i, (name, numbers) in enumerate(findings.defects().items()):
        yield f"defect-{i}", numbers, [name, ""]
