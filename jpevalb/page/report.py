"""HTML report: a single file for one system or several, that opens without a network."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from ..comparison import Testing
from ..comparison.result import Comparison, ComparisonDetails
from ..comparison.sources import f1_of_units
from ..errors.causes import CAUSES, load_classes
from ..errors.metric import repair_codes
from ..metrics.significance import CONFIDENCE, SEED
from ..report import Format, Write
from ..report.by_system import group_lines
from ..report.comparison import chosen_figure, headline
from ..report.figures import changes, left_out
from ..report.markup import html_of
from ..report.references import reference_tables, tables_of_systems
from ..score.evaluation import WORST
from ..score.run import Outcome
from ..settings.settings import OPTIONS, Settings
from .collected import STATES, Collected, clearness, pieces
from .frame import frame
from .markup import Markup, percent, tag
from .plots import key
from .rows import FIELDS, Row, row_of, sentences_data, shorten
from .sections import Content, sections, sorted_causes
from .systems import Systems, of_evaluation

_TERMS = {
    "F1": "2 · right / (gold + system), over all sentences. Sentence F1 is the mean of the sentences’ F1.",
    "Right": "A bracket of gold and one of the system over the same words with the same label.",
    "Points lost": "100 − F1. Each wrong bracket is assigned to the correction that removes it, and the "
    "correction to one cause.",
    "Struct-IoU": "Times 100 on this page.",
}


class Html(Format):
    """The format ``html``."""

    needs_sentences = True
    choices = ("sort",)
    settings = (*Format.settings, "error_classes")

    def comparison(self, comparison: Any, **how: Any) -> str:
        shown = how.get("shown")
        if shown and shown.sort:
            chosen_figure(comparison, shown.sort)
        return _comparison_page(comparison, how.get("gold_name", "gold"), how.get("worst", WORST))

    def tables(self, content: Any) -> str:
        title = content.shown[0].title
        body = tag("section", tag("h1", title), Markup(html_of(content)))
        return frame(title, (), (), [body], ())

    def write(self, run: Outcome, sentences: Any, write: Write, *, quiet: bool = False, **names: Any) -> None:
        gold, system = names.get("gold_name", "gold"), names.get("system_name", "system")
        worst = 0 if quiet else names.get("worst", WORST)
        confidence = names.get("confidence", CONFIDENCE)
        collected = Collected(sentences, run.settings, run.metrics, worst)
        evaluation = run.evaluation()
        total = evaluation.total
        figures, values = collected.measures(total)
        systems = of_evaluation(
            evaluation,
            system,
            values,
            collected.intervals(figures, confidence),
            confidence=confidence,
            figures=figures,
            analysis=collected.analysis,
            answers=bool(collected.answers),
        )
        conventions = names["conventions"]() if "conventions" in names else None
        sheet, shown = None, ""
        if conventions is not None:
            from ..report.conventions import sheet_of

            sheet = sheet_of(conventions)
            # Only tools that score all sentences are compared.
            rates = [row.f1 for row in conventions.results[0] if row.f1 is not None and not row.left_out]
            shown = f": {percent(min(rates))} to {percent(max(rates))}" if len(rates) > 1 else ""
        warnings = [f"Warning: {text}" for text in evaluation.warnings]
        notes = [*warnings, *changes(evaluation), *left_out(evaluation)]
        if not collected.seen and total.beads.beads:
            notes.append("This evaluation did not keep its sentences, so this page has its sums only.")
        content = Content(
            systems,
            gold,
            command_of(gold, [system], run.settings, systems.comparison),
            bool(collected.rows),
            collected.brackets,
            {item.cause: len(item.sentences) for item in collected.analysis.causes},
            collected,
            notes,
            [table.titled() for table in reference_tables(evaluation.metrics, total)],
            sheet,
            shown,
        )
        write(_page(content, _data_of_one(content, collected)))


HTML = Html()


def _comparison_page(comparison: Comparison, gold: str, worst: int | None) -> str:
    """Return the page of a comparison, also of one system."""
    details = comparison.details
    totals: list[Any] = [one.total for one in comparison.systems]
    analyses = [total["analysis"].to_dict() for total in totals if "analysis" in total]
    systems = Systems(comparison, analyses if len(analyses) == len(totals) else [])
    kept = details is not None and isinstance(details.settings, Settings) and bool(details.systems[0].results)
    data = _data_of_several(details, worst) if kept and details is not None else None
    head = headline(comparison)
    notes = [f"{one.name}: {note}" for one in comparison.systems for note in (*one.warnings, *one.notes)]
    settings = details.settings if details is not None else None
    command = ""
    if isinstance(settings, Settings):
        command = command_of(gold, systems.full, settings, comparison)
    content = Content(
        systems,
        gold,
        command,
        kept,
        getattr(comparison.baseline.total, "brackets", None) if systems.count == 1 else None,
        _sentences_of(details) if systems.count == 1 and kept and details is not None else {},
        notes=[*notes, *group_lines(comparison, head)],
        tables=tables_of_systems(comparison, head),
    )
    return _page(content, data)


def _sentences_of(details: ComparisonDetails) -> Mapping[str, int]:
    """Return the number of sentences of each cause of the only system."""
    classes = _classes(details)
    found: Counter[str] = Counter()
    for result in details.systems[0].results:
        found.update(result.analysis_counts(classes).causes.keys())
    return found


def _classes(details: ComparisonDetails) -> Any:
    settings: Any = details.settings
    return load_classes(settings.error_classes, lang=settings.lang)


def command_of(
    gold: str, systems: Sequence[str], settings: Settings, comparison: Comparison | None = None
) -> str:
    """Return the command that makes the page; empty if a setting cannot be written in a command."""
    words = ["jpevalb", gold, *systems, "-o", "report.html"]
    for name, value in settings.given().items():
        if name == "analysis":  # of every page
            continue
        parts = value if isinstance(value, tuple) else (value,)
        if not all(isinstance(part, (str, int, float)) for part in parts):
            return ""
        words += [OPTIONS[name].spellings(name)[-1], *([] if value is True else [",".join(map(str, parts))])]
    if comparison is not None:
        usual: dict[str, Any] = {"confidence": CONFIDENCE}
        if len(systems) > 1:
            usual |= {"test": "permutation", "correction": "pairs", "seed": SEED}
            test, seed, correction = comparison.test, comparison.seed, comparison.correction
            usual["test_samples"] = Testing(test, seed, None, None, "", correction).test_samples(len(systems))
        for name, default in usual.items():
            value = getattr(comparison, name) or "none"
            if value != default and (value != "none" or name == "test"):
                words += [f"--{name.removeprefix('test_')}", str(value)]
    return shlex.join(words)


def _page(content: Content, data: dict[str, Any] | None) -> str:
    """Return the page of a content; ``data`` are its sentences."""
    systems = content.systems
    made = sections(content)
    note = systems.comparison.signature
    exports = {one.id: texts for one in made if (texts := one.exports(note))}
    keys = [] if systems.many else [key(name, k) for k, name in enumerate(systems.names)]
    terms = [part for name, text in _TERMS.items() for part in (tag("dt", name), tag("dd", text))]
    foot = [tag("details", tag("summary", "How the figures are counted"), tag("dl", *terms, cls="terms"))]
    from .claims import title

    text = "; ".join([one.text for one in title(systems, content.brackets)])
    return frame(
        text,
        keys,
        [(one.id, one.name) for one in made],
        [one.markup for one in made],
        foot,
        {"names": systems.names, "exports": exports, "file": _file_name(systems), **(data or {})}
        | (_start(content, data) if data else {}),
        "single" if systems.count == 1 else "comparison",
    )


def _file_name(systems: Systems) -> str:
    """Return the beginning of the names of exported files, which name the system."""
    name = (
        systems.names[0] if systems.count == 1 else f"{systems.names[systems.base]}-and-{systems.count - 1}"
    )
    return "".join([letter if letter.isalnum() or letter in "-_." else "-" for letter in name])[:24].strip(
        "-."
    )


def _start(content: Content, data: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the list of sentences shows at first: the pair of trees, and the cause."""
    systems, causes = content.systems, sorted_causes(content.systems)
    rows = 8 if systems.many else min(12, max(8, min(len(causes), 10)))
    found = {"pair": systems.order[:2] if systems.count > 1 else [-1, 0], "page": rows, "unit": systems.unit}
    show = f"cause:{causes[0].title}" if causes else ""
    if systems.count > 1 and not systems.many:  # the system that differs most in a cause, with the first
        real = [
            (abs(one.points or 0), i, cause.title)
            for cause in causes
            for i in systems.range[1:]
            if (one := systems.apart(cause.name, i)).real
        ]
        if real:
            _, other, cause = max(real)
            found["pair"], show = [0, other], f"cause:{cause}"
    if systems.answers and content.collected is not None:
        steps = systems.answers["ladder"]
        gains = [((b["f1"] or 0) - (a["f1"] or 0), b["repair"]) for a, b in pairwise(steps)]
        if gains and (not causes or max(gains)[0] > systems.cost(causes[0], 0)):
            show = f"repair:{max(gains)[1].replace('_', ' ')}"
    return {**found, "start": show, "order": systems.order, "many": systems.many}


def _data_of_one(content: Content, collected: Collected) -> dict[str, Any] | None:
    """Return the sentences of one system."""
    if not collected.rows:
        return None
    data = sentences_data(collected.rows)
    rows = data.pop("rows")
    units = [[row[1], row[2], 2 * row[8], row[6] + row[7]] for row in rows]
    groups: dict[str, list[int]] = {}
    raw: dict[int, Any] = {}
    numbers = {row[0] for row in rows}
    for number, state, answer in collected.answers:
        groups.setdefault(f"state:{state}", []).append(number)
        if number in numbers and (answer.repairs or answer.reason is not None):
            raw[number] = [
                list(answer.repairs),
                answer.reason,
                pieces(answer.raw or answer.text, answer.text),
            ]
    for name, defect in collected.defects.items():
        groups[f"repair:{name}"] = defect
    data |= {"units": units, "rows": [rows], "beads": [[0, *[1] * (len(rows) - 1)]], "ids": [data["ids"]]}
    return {**data, "groups": groups, "raw": raw, "seen": collected.seen, "states": STATES}


def _data_of_several(details: ComparisonDetails, worst: int | None) -> dict[str, Any]:
    """Return all units of gold with the systems' matches, and the rows of those that lists show first."""
    ends = details.units.ends or ((0,) if len(details.units) else ())
    scores = [f1_of_units(one, of, len(ends)) for one, of in zip(details.systems, details.units.of)]
    units = [
        [start, end, *[part for score in scores for part in score[k]]]
        for k, (start, end) in enumerate(zip((0, *ends), ends))
    ]
    lengths = [0] * len(units)
    for result, of in zip(details.systems[0].results, details.units.of[0]):
        lengths[of] += result.record.beads.length
    wrong = [[total - matched for matched, total in column] for column in zip(*scores)]
    apart = [max(errors) - (min(errors) if len(errors) > 1 else 0) for errors in wrong]
    order = sorted(range(len(units)), key=lambda k: (-clearness(apart[k], lengths[k]), k))
    chosen = set(order if worst is None else order[:worst])
    place = {k: at for at, k in enumerate(sorted(chosen))}
    classes = _classes(details)
    lists: dict[str, list[Any]] = {"rows": [], "beads": [], "ids": []}
    data = {"fields": FIELDS, "causes": CAUSES, "seen": len(units), "groups": {}, **lists}
    data["units"] = [units[k] for k in sorted(chosen)]
    numbers: dict[str, str] = {}
    baseline: dict[int, list[Any]] = {}
    for one, every in zip(details.systems, details.units.of):
        known = {result.number: codes for result, codes in zip(one.results, one.repairs)}
        made: list[Row] = []
        places: list[int] = []
        for result, unit in zip(one.results, every):
            if unit in chosen:
                codes = known.get(result.number)
                # Struct-IoU's mapping is left out: two systems' trees have none to each other.
                made.append(
                    row_of(result, repair_codes(result.caused_steps(classes)) if codes is None else codes)
                )
                places.append(place[unit])
        stored = sentences_data(made, numbers)
        sizes = Counter(places)
        alone = {unit: row for unit, row in zip(places, stored["rows"]) if sizes[unit] == 1}
        for unit in alone.keys() & baseline.keys():
            shorten(alone[unit], baseline[unit])
        baseline = baseline or alone
        lists["ids"].append(stored["ids"])
        lists["rows"].append(stored["rows"])
        # The unit of each row, as the difference from the row before.
        lists["beads"].append([unit - before for before, unit in zip((0, *places), places)])
    return {**data, "labels": list(numbers)}
