"""HTML report: a single file for one system or several, that opens without a network."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, partial
from itertools import pairwise
from pathlib import Path
from string import Template
from typing import Any

from ..base.claims import Claim
from ..base.text import Markup, join, tag
from ..claims import made as claims
from ..claims.notes import notes
from ..claims.systems import Systems, of_evaluation
from ..comparison.result import ComparisonDetails
from ..errors.analysis import length_class
from ..errors.causes import CAUSES, Classes, load_classes
from ..errors.corrections import correction_codes
from ..metrics.record import Record
from ..metrics.significance import CONFIDENCE
from ..report import Format, Write
from ..report.comparison import group_lines, sort_figure
from ..report.sheet import reference_tables, tables_of_systems
from ..report.table import Table
from ..report.writers import html_of
from ..score.conventions import ConventionTable
from ..score.evaluation import WORST
from ..score.outcome import Outcome
from ..score.sentence import SentenceResult
from ..settings.settings import Settings
from ..trees.sentence import STATES
from .collected import FIELDS, Collected, Kept, row_of
from .parts import SHAPES, Content, key, table
from .sections import sections, sorted_causes

STYLES = ("page.css", "tree.css")
SCRIPTS = ("tree.js", "picture.js", "corrections.js", "sentence.js", "export.js", "page.js")

_LAYOUT = re.compile(r"^\s*/\*(?s:.*?)\*/\n|^\s*//.*\n|^\s+", re.MULTILINE)
"""Indentation, empty lines and comments of scripts and styles, which pages leave out."""


@cache
def _text(*names: str) -> Markup:
    """Return files of this folder as one text without layout."""
    texts = [Path(__file__).with_name(name).read_text(encoding="utf-8") for name in names]
    return Markup(_LAYOUT.sub("", "\n".join(texts)))


def _digest(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def packed(data: Mapping[str, Any]) -> Markup:
    """Return data for the script: JSON, compressed, in letters that are safe in any element.

    >>> zlib.decompress(base64.b64decode(packed({"word": "</script>"})))
    b'{"word":"</script>"}'
    """
    text = json.dumps(data, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    return Markup(base64.b64encode(zlib.compress(text.encode())).decode())


def frame(title: str, *main: Markup, data: Mapping[str, Any] | None = None, **parts: str) -> str:
    """Return a page, without a script if there is no data for it; ``title`` is the headline as text."""
    style, script = _text(*STYLES), _text(*SCRIPTS)
    scripts = ""
    if data is not None:
        content = packed({**data, "shapes": SHAPES})
        scripts = tag("script", content, type="text/plain", id="data") + tag("script", script)
    given = {"title": join(title), "main": join(*main), "data": scripts, "keys": "", "links": "", "kind": ""}
    digests = {"style_digest": _digest(style), "script_digest": _digest(script)}
    return Template(_text("page.html")).substitute({**given, **parts}, style=style, **digests)


class Html(Format):
    needs_sentences = True
    choices = ("sort",)
    settings = (*Format.settings, "error_classes")

    def comparison(self, comparison: Any, **how: Any) -> str:
        shown = how.get("shown")
        sort = sort_figure(comparison, shown.sort if shown else None)
        details = comparison.details
        totals: list[Any] = [one.total for one in comparison.systems]
        analyses = [total["analysis"].to_dict() for total in totals if "analysis" in total]
        systems = Systems(comparison, analyses if len(analyses) == len(totals) else [], sort=sort)
        told = [f"{one.name}: {note}" for one in comparison.systems for note in (*one.warnings, *one.notes)]
        told += group_lines(comparison, systems.figures)
        folds = _folds(tables_of_systems(comparison, systems.figures), told)
        content = Content(systems, how.get("gold_name", "gold"), how.get("command", ""), folds)
        if systems.count == 1:
            content = content._replace(brackets=getattr(totals[0], "brackets", None))
        if details is not None and isinstance(details.settings, Settings) and details.systems[0].results:
            classes = load_classes(details.settings.error_classes, lang=details.settings.lang)
            content = content._replace(data=_data_of_several(details, classes, how.get("worst", WORST)))
            if systems.count == 1:
                counts = [one.analysis_counts(classes) for one in details.systems[0].results]
                content = content._replace(
                    sentences=Counter([cause for one in counts for cause in one.causes])
                )
        return _page(content)

    def tables(self, content: Any, **how: Any) -> str:
        title = content.shown[0].title
        return frame(title, tag("section", tag("h1", title), Markup(html_of(content))))

    def write(self, run: Outcome, sentences: Any, write: Write, *, quiet: bool = False, **names: Any) -> None:
        system = names.get("system_name", "system")
        confidence = names.get("confidence", CONFIDENCE)
        worst = 0 if quiet else names.get("worst", WORST)
        collected = Collected(sentences, run.settings, run.metrics, worst)
        evaluation = run.evaluation()
        figures, values = collected.measures(evaluation.total)
        how: Any = {"figures": figures, "analysis": collected.analysis, "answers": bool(collected.answers)}
        intervals = collected.intervals(confidence)
        systems = of_evaluation(evaluation, system, values, intervals, confidence=confidence, **how)
        told = [f"Warning: {text}" for text in evaluation.warnings]
        told += [one.text for one in notes(evaluation)]
        if not collected.seen and evaluation.n_sentences:
            told.append("This evaluation did not keep its sentences, so this page has its sums only.")
        folds = _folds(reference_tables(evaluation), told)
        if "conventions" in names and (conventions := names["conventions"]()) is not None:
            folds.insert(0, _conventions(conventions))
        data = _data_of_one(collected) if collected.rows else None
        gold, command = names.get("gold_name", "gold"), names.get("command", "")
        counts = collected.brackets, collected.causes
        write(_page(Content(systems, gold, command, folds, data, *counts, collected)))


HTML = Html()


def _folds(tables: Iterable[Table], notes: Sequence[str]) -> list[tuple[str, Markup]]:
    found = [(one.title, table(one, one.title)) for one in tables]
    if notes:
        items = [tag("li", tag("bdi", note)) for note in notes]
        found.append((f"Notes ({len(notes)})", tag("ul", *items, cls="notes")))
    return found


def _conventions(conventions: ConventionTable) -> tuple[str, Markup]:
    from ..report.conventions import sheet_of

    # Only tools that score all sentences are compared.
    rates = [row.f1 for row in conventions.results[0] if row.f1 is not None and not row.left_out]
    some = len(rates) > 1
    claim = Claim("by_tools", {"rates": (min(rates), max(rates))}) if some else Claim("of_tools", {})
    return claim.text, Markup(html_of(sheet_of(conventions)))


def _page(content: Content) -> str:
    systems = content.systems
    made = sections(content)
    exports = {one.id: one.exports(systems.comparison.signature) for one in made if one.tables}
    more = {**content.data, **_start(content)} if content.data else {}
    # Exported files have the name of the system.
    name = systems.names[systems.base] + (f"-and-{systems.count - 1}" if systems.count > 1 else "")
    file = re.sub(r"[^\w.-]", "-", name)[:24].strip("-.")
    keys = [key(name, k) for k, name in enumerate(systems.names)]
    return frame(
        "; ".join([one.text for one in claims.title(systems, content.brackets)]),
        *[one.markup for one in made],
        data={"names": systems.names, "exports": exports, "file": file, **more},
        keys="" if systems.many else tag("p", *keys, cls="keys"),
        links=join(*[tag("a", one.name, href=f"#{one.id}") for one in made]),
        kind=f' class="{"single" if systems.count == 1 else "comparison"}"',
    )


def _start(content: Content) -> dict[str, Any]:
    """Return what the list of sentences shows at first: the pair of trees, and the cause."""
    systems, causes = content.systems, sorted_causes(content.systems)
    rows = 8 if systems.many else max(8, min(len(causes), 10))
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
            raw[number] = [list(answer.repairs), answer.reason, answer.pieces()]
    units = [(*row.cells[1:3], [row]) for row in rows.values()]
    return {**_data_of(units, collected.seen), "groups": groups, "raw": raw, "states": STATES}


def _data_of_several(details: ComparisonDetails, classes: Classes, worst: int | None) -> dict[str, Any]:
    """Return the units of gold whose sentences lists show first, with the rows of all systems."""
    ends = details.units.ends or ((0,) if len(details.units) else ())
    beads: list[list[list[tuple[SentenceResult, str]]]] = [[[] for _ in details.systems] for _ in ends]
    for k, (one, units) in enumerate(zip(details.systems, details.units.of)):
        codes = one.corrections or [correction_codes(result.corrections(classes)) for result in one.results]
        for result, unit, code in zip(one.results, units, codes):
            beads[unit][k].append((result, code))
    kept = Kept(worst)
    for number, (start, end, systems) in enumerate(zip((0, *ends), ends, beads)):
        records = [[result.record for result, _ in some] for some in systems]
        length = sum([record.sentences.length for record in records[0]])
        kept.add(number, length, _groups(records, length), partial(_unit, start, end, systems))
    return _data_of(kept.rows(), len(beads))


def _groups(records: Sequence[Sequence[Record]], length: int) -> dict[str, int]:
    """Return by how many wrong brackets the systems differ in a unit, for each list that it belongs to."""

    def apart(errors: list[int]) -> int:
        return max(errors) - (min(errors) if len(errors) > 1 else 0)

    wrong = apart([sum([record.brackets.wrong() for record in some]) for some in records])
    groups = {"": wrong, f"length {length_class(length)}": wrong}
    if all("analysis" in record for some in records for record in some):
        of = [[record["analysis"].causes for record in some] for some in records]
        for cause in {cause for some in of for one in some for cause in one}:
            errors = [sum([one[cause].brackets for one in some if cause in one]) for some in of]
            groups[f"cause {cause}"] = apart(errors)
    return groups


def _unit(start: int, end: int, systems: Any) -> tuple[Any, ...]:
    # Struct-IoU's mapping is left out: two systems' trees have none to each other.
    return (start, end, *[[row_of(*one) for one in some] for some in systems])


def _data_of(units: Iterable[tuple[Any, ...]], seen: int) -> dict[str, Any]:
    """Return units of gold, each with the rows of each system, for the script."""
    numbers: defaultdict[str, str] = defaultdict(lambda: str(len(numbers)))  # a new label gets the next
    complete = [
        (start, end, *[[row.complete(numbers) for row in rows] for rows in systems])
        for start, end, *systems in units
    ]
    return {"fields": FIELDS, "causes": CAUSES, "labels": list(numbers), "units": complete, "seen": seen}
