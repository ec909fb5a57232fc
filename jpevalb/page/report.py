"""HTML report: a single file for one system or several, that opens without a network."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from itertools import pairwise
from typing import Any

from ..comparison import Testing
from ..comparison.result import Comparison, ComparisonDetails
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
from ..score.sentence import SentenceResult
from ..settings.settings import OPTIONS, Settings
from . import claims
from .collected import STATES, Collected, Kept, pieces
from .frame import frame
from .markup import Markup, percent, tag
from .parts import Content
from .plots import key
from .rows import FIELDS, row_of
from .sections import sections, sorted_causes
from .systems import Systems, of_evaluation


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
        return frame(title, [tag("section", tag("h1", title), Markup(html_of(content)))])

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
            collected.intervals(confidence),
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
            collected.causes,
            collected,
            notes,
            [table.titled() for table in reference_tables(evaluation.metrics, total)],
            sheet,
            shown,
        )
        write(_page(content, _data_of_one(collected) if collected.rows else None))


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
    exports = {one.id: one.exports(systems.comparison.signature) for one in made if one.tables}
    more = {**data, **_start(content)} if data else {}
    return frame(
        "; ".join([one.text for one in claims.title(systems, content.brackets)]),
        [one.markup for one in made],
        keys=[] if systems.many else [key(name, k) for k, name in enumerate(systems.names)],
        links={one.id: one.name for one in made},
        data={"names": systems.names, "exports": exports, "file": _file_name(systems), **more},
        kind="single" if systems.count == 1 else "comparison",
    )


def _file_name(systems: Systems) -> str:
    """Return the beginning of the names of exported files, which name the system."""
    name = (
        systems.names[0] if systems.count == 1 else f"{systems.names[systems.base]}-and-{systems.count - 1}"
    )
    return "".join([letter if letter.isalnum() or letter in "-_." else "-" for letter in name])[:24].strip(
        "-."
    )


def _start(content: Content) -> dict[str, Any]:
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


def _data_of_one(collected: Collected) -> dict[str, Any]:
    """Return the sentences of one system, and those of each state and each defect of answers."""
    rows = {row.cells[0]: row for row in collected.rows}
    groups: dict[str, list[int]] = {f"repair:{name}": numbers for name, numbers in collected.defects.items()}
    raw: dict[int, Any] = {}
    for number, state, answer in collected.answers:
        groups.setdefault(f"state:{state}", []).append(number)
        if number in rows and (answer.repairs or answer.reason is not None):
            parts = pieces(answer.raw or answer.text, answer.text)
            raw[number] = [list(answer.repairs), answer.reason, parts]
    units = [(*row.cells[1:3], [row]) for row in rows.values()]
    return {**_data_of(units, collected.seen), "groups": groups, "raw": raw, "states": STATES}


def _data_of_several(details: ComparisonDetails, worst: int | None) -> dict[str, Any]:
    """Return the units of gold whose sentences lists show first, with the rows of all systems."""
    ends = details.units.ends or ((0,) if len(details.units) else ())
    classes = _classes(details)
    beads: list[list[list[tuple[SentenceResult, str]]]] = [[[] for _ in details.systems] for _ in ends]
    for k, (one, units) in enumerate(zip(details.systems, details.units.of)):
        codes = one.repairs or [repair_codes(result.caused_steps(classes)) for result in one.results]
        for result, unit, code in zip(one.results, units, codes):
            beads[unit][k].append((result, code))
    kept = Kept(worst)
    for number, (start, end, systems) in enumerate(zip((0, *ends), ends, beads)):
        records = [[result.record for result, _ in some] for some in systems]
        wrong = [sum([record.brackets.wrong() for record in some]) for some in records]
        apart = max(wrong) - (min(wrong) if len(wrong) > 1 else 0)
        length = sum([record.beads.length for record in records[0]])
        kept.add(number, length, {"": apart}, partial(_unit, start, end, systems))
    return _data_of(kept.rows(), len(beads))


def _unit(start: int, end: int, systems: Any) -> tuple[Any, ...]:
    # Struct-IoU's mapping is left out: two systems' trees have none to each other.
    return (start, end, *[[row_of(*one) for one in some] for some in systems])


def _data_of(units: Iterable[tuple[Any, ...]], seen: int) -> dict[str, Any]:
    """Return units of gold, each with the rows of each system, for the script."""
    numbers: dict[str, str] = {}
    complete = [
        (start, end, *[[row.complete(numbers) for row in rows] for rows in systems])
        for start, end, *systems in units
    ]
    return {"fields": FIELDS, "causes": CAUSES, "labels": list(numbers), "units": complete, "seen": seen}
