"""HTML report of a comparison: the verdict, its charts and tables, and the sentences where systems differ."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ..comparison.result import Comparison, ComparisonDetails, SystemPair, SystemScores, difference_of
from ..comparison.sources import f1_of_units
from ..errors.analysis import analyse
from ..errors.causes import CAUSES, Classes, load_classes
from ..errors.metric import repair_codes
from ..metrics import Figure
from ..metrics.alignment import KINDS
from ..metrics.significance import BOOTSTRAP_SAMPLES, SEED
from ..score.evaluation import LEVEL, WORST
from ..settings.settings import Settings
from . import format_named
from .by_system import (
    Group,
    analyses_of,
    ends_of,
    group_lines,
    half,
    labels_of,
    lengths_of,
    outcome,
    signed,
    stars,
)
from .comparison import chosen_figure, grouped, headline, how_tested, notes
from .html_data import FIELDS, MARKS_OF_NODES, row_of, sentences_data
from .page import UNDEFINED, command_of, page
from .references import tables_of_systems
from .table import Cell, Field, MarkedNumber, Sheet, Table, number
from .verdict import RANKED, told_apart, verdict

ASSETS = (
    *("page.css", "comparison.css"),
    *("tree.js", "picture.js", "charts.js", "pair.js", "explain.js", "terms.js", "rows.js"),
    *("overview.js", "two.js", "compare.js", "page.js"),
)
TEMPLATE = "comparison.html"

LONG = 16  # characters of the longest name that is not cut

PAPER = ("precision", "recall", "f1", "complete_match", "struct_iou", "node_accuracy")

LABELS = 30  # maximum number of rows of the table of labels

_NODE = re.compile(rf"(?<![:\d])(\d+)([{re.escape(MARKS_OF_NODES)}_]?)")
_PLAIN = "."  # mark of a node without one, in a list of marks alone


def html(
    comparison: Comparison, *, gold_name: str = "gold", worst: int | None = WORST, sort: str | None = None
) -> str:
    """Return the comparison as one page, with the ``worst`` stretches of gold, where errors differ most."""
    details, head = comparison.details, headline(comparison)
    full = [system.name for system in comparison.systems]
    names = _short(full)
    settings = details.settings if details is not None else None
    aligned = settings if isinstance(settings, Settings) else Settings()
    classes = load_classes(aligned.error_classes, lang=aligned.lang)
    analyses = analyses_of(comparison)
    if not analyses and details is not None and details.systems[0].results:
        analyses = [analyse(one.results, classes) for one in details.systems]
    counted = [{item.label: item.counts for item in one.labels} for one in analyses]
    labels = labels_of(comparison, counted)[:LABELS]
    lengths = lengths_of(comparison, analyses)
    causes = grouped(comparison)
    content: dict[str, Any] = {
        "names": names,
        "fullNames": full,
        "units": [],
        "measures": [_drawn(comparison, measure) for measure in head],
        "byCause": [_drawn(comparison, measure) for group in causes.values() for measure in group],
        "byLabel": [_drawn_group(comparison, group) for group in labels if group.gold],
        "byLength": [_drawn_group(comparison, group) for group in lengths],
        "byBead": _beads(comparison),
        "groups": {
            group.name: [name for name, one in zip(names, comparison.systems) if one.name in group.systems]
            for group in comparison.groups
        },
        "tested": how_tested(comparison),
        "confidence": comparison.confidence,
        "pairs": _pairs(comparison),
        "letters": [comparison.letters[system.name] for system in comparison.systems]
        if comparison.pairs
        else [],
        "correction": comparison.correction,
        "sort": sort and chosen_figure(comparison, sort).name,
        "unlabeled": comparison.unlabeled,
    }
    if details is not None:
        content.update(_sentences(details, worst, classes))
    title, lead = verdict(comparison, names)
    short = dict(zip(full, names))
    return page(
        TEMPLATE,
        ASSETS,
        content,
        kind="comparison",
        ranked=len(names) >= RANKED and bool(comparison.pairs),
        cite=_cite(comparison, short, gold_name),
        gold_name=gold_name,
        comparison=comparison,
        names=names,
        title=title,
        lead=lead,
        told_apart=told_apart(comparison, short) if comparison.pairs else "",
        brackets=getattr(getattr(comparison.baseline.total, "brackets", None), "gold", None),
        head=[_row(comparison, measure) for measure in head],
        groups=[
            {"id": f"group-{index}", "title": title, "rows": [_row(comparison, one) for one in measures]}
            for index, (title, measures) in enumerate(causes.items())
        ],
        how=how_tested(comparison),
        notes=[*notes(comparison), *group_lines(comparison, head)],
        labels=[_rates(comparison, group) for group in labels],
        lengths=[_rates(comparison, group._replace(measure=None)) for group in lengths],
        references=[table.titled() for table in tables_of_systems(comparison, head)],
        listed=len(content.get("listed", ())),
        stretches=len(content["units"]),
        kept=details is not None,
        gaps=bool(details and any(result.pair.has_gaps for one in details.systems for result in one.results)),
        trees=bool(details and details.systems[0].results),
    )


def _short(names: list[str]) -> list[str]:
    """Return the names without an ending that all share; long ones end at a separator where all differ."""
    if len({os.path.splitext(name)[1] for name in names}) == 1:
        names = [os.path.splitext(name)[0] for name in names]
    parts = [re.split(r"(?<=[^-_./\s])(?=[-_./\s])", name) for name in names]
    if max(map(len, names)) > LONG:
        for count in range(1, max(map(len, parts))):
            cut = ["".join(some[:count]) for some in parts]
            if len(set(cut)) == len(names):
                return cut
    return names


def _cite(comparison: Comparison, short: Mapping[str, str], gold: str) -> list[tuple[str, str]]:
    """Return the texts for a paper: the table in three formats, the signature and the command."""
    if comparison.baseline["f1"] is None:
        return []
    known = {measure.name: measure for measure in headline(comparison)}
    measures = [known[name] for name in PAPER if name in known]
    systems = comparison.ranked if comparison.pairs else comparison.systems
    letters = comparison.letters if comparison.pairs else {}
    fields = [Field("system", "System", text=True), *[Field(one.name, one.title) for one in measures]]
    ends = ("f1_low", "f1_high")  # of CSV alone
    rows: list[list[Cell]] = []
    for system in systems:
        cells: list[Cell] = [short[system.name]]
        for measure in measures:
            text = number(measure, system[measure.name])
            margin = half(system.intervals.get(measure.name), measure) if measure.name == "f1" else ""
            marks = "" if letters else stars(system.p_values.get(measure.name))
            cells.append(None if text is None else MarkedNumber(text, marks, margin))
        cells += [number(known["f1"], end) for end in system.intervals.get("f1") or (None, None)]
        if letters:
            cells.insert(1, letters[system.name])
        rows.append(cells)
    note = notes(comparison, short=True)[0]
    if letters:
        fields.insert(1, Field("group", "Group", text=True))
        note = (
            f"systems that share a letter are not distinguished in F: {how_tested(comparison)}, "
            f"p < {LEVEL:g} after Holm over {len(comparison.pairs)} pairs"
        )
    table = Table("", (*fields, *map(Field, ends)), rows, heads=1 + bool(letters))
    content = Sheet((table,), (table,), (note,), headings=False)
    return [
        *[(title, format_named(title.lower()).tables(content)) for title in ("LaTeX", "Markdown", "CSV")],
        ("Signature", comparison.signature),
        ("Command", _command(comparison, gold)),
    ]


def _command(comparison: Comparison, gold: str) -> str:
    """Return the command that makes the page; empty if a setting cannot be written in a command."""
    settings = comparison.details and comparison.details.settings
    if not isinstance(settings, Settings):
        return ""
    command = command_of(gold, [system.name for system in comparison.systems], settings)
    usual = {"test": "bootstrap", "correction": "none", "seed": SEED, "test_samples": BOOTSTRAP_SAMPLES}
    given = {
        name.replace("test_", ""): getattr(comparison, name) or "none"
        for name, default in usual.items()
        if getattr(comparison, name) not in (default, 0)
    }
    return command and " ".join([command, *[f"--{name} {value}" for name, value in given.items()]])


def _drawn(comparison: Comparison, measure: Figure) -> dict[str, Any]:
    """Return a figure of all systems: value, interval, interval of the difference, p-value."""
    none = None, None
    values = [
        (
            system[measure.name],
            *(system.intervals.get(measure.name) or none),
            *(system.differences.get(measure.name) or none),
            system.p_values.get(measure.name),
        )
        for system in comparison.systems
    ]
    return {
        "name": measure.name,
        "title": measure.title,
        "form": measure.form,
        "up": measure.larger_is_better,
        "systems": [[None if value is None else round(value, 6) for value in one] for one in values],
    }


def _pairs(comparison: Comparison) -> list[list[Any]]:
    """Return the tests of F1 of all pairs: both systems, difference, interval, p-value, Holm's p-value.

    Many systems have also the interval and the p-value of the other figures by name.
    """
    measures = [*headline(comparison), *[one for group in grouped(comparison).values() for one in group]]
    many = len(comparison.systems) >= RANKED
    place = {system.name: k for k, system in enumerate(comparison.systems)}
    return [
        [
            *[place[name] for name in pair.systems],
            *(pair.differences["f1"], *(pair.intervals.get("f1") or (None, None))),
            *(pair.p_values["f1"], pair.corrected["f1"]),
            *([_tests_of(pair, measures)] if many else []),
        ]
        for pair in comparison.pairs
    ]


def _tests_of(pair: SystemPair, measures: Sequence[Figure]) -> dict[str, list[float | None]]:
    """Return the interval and the p-value of the difference of two systems in some figures."""
    found = {}
    for measure in measures:
        if pair.p_values.get(measure.name) is not None:
            values = *(pair.intervals.get(measure.name) or (None, None)), pair.p_values[measure.name]
            found[measure.name] = [None if value is None else round(value, 6) for value in values]
    return found


def _drawn_group(comparison: Comparison, group: Group) -> dict[str, Any]:
    """Return the F1 of a label or a length as :func:`_drawn`; values alone if it is not tested."""
    if group.measure is not None:
        drawn = _drawn(comparison, group.measure)
    else:
        drawn = {"form": "percent", "up": True, "systems": [[rate, *[None] * 5] for rate in group.rates]}
    return {**drawn, "title": group.name, "count": group.gold}


def _beads(comparison: Comparison) -> list[list[Any]]:
    """Return the kinds of beads with their number in each system, if sentences are joined or split."""
    totals: list[Any] = [system.total for system in comparison.systems]
    if not all("alignment" in total for total in totals):
        return []
    rows = [[title, *[total["alignment"].kinds[name].beads for total in totals]] for name, title in KINDS]
    return rows if any(any(row[1:]) for row in rows[1:4]) else []


def _row(comparison: Comparison, measure: Figure) -> dict[str, Any]:
    """Return the cells of a measure, one for each system; shares times 100, as in the charts."""
    measure = replace(measure, form="percent") if measure.form == "share" else measure
    known = {value for system in comparison.systems if (value := system[measure.name]) is not None}
    best = (max if measure.larger_is_better else min)(known) if len(known) > 1 else None
    cells = []
    for system in comparison.systems:
        value = system[measure.name]
        counted = outcome(system, measure).split("/") if measure.name in system.outcomes else ()
        cells.append(
            {
                "value": number(measure, value) or UNDEFINED,
                "best": value is not None and value == best,
                "apart": _difference(comparison, system, measure),
                "outcome": ", ".join(map(" ".join, zip(counted, ("won", "tied", "lost")))),
                "interval": ends_of(system.intervals.get(measure.name), measure) or "",
            }
        )
    return {"name": measure.title, "cells": cells}


def _difference(comparison: Comparison, system: SystemScores, measure: Figure) -> dict[str, Any] | None:
    """Return the difference from the baseline with its p-value and interval; ``None`` without one."""
    apart = difference_of(comparison.baseline[measure.name], system[measure.name])
    if system is comparison.baseline or apart is None:
        return None
    p = system.p_values.get(measure.name)
    ends = system.differences.get(measure.name) or ()
    text, *interval = [signed(measure, one).replace("-", "−") for one in (apart, *ends)]
    return {
        "text": text,
        "marks": stars(p),
        "p": "" if p is None else f"p = {p:.4f}" if p >= 0.0001 else "p < 0.0001",
        "real": p is not None and p < LEVEL,
        "interval": " to ".join(interval),
    }


def _rates(comparison: Comparison, group: Group) -> dict[str, Any]:
    """Return the F1 of a label or a length, with the differences from the baseline if it is a measure."""
    measure = group.measure
    known = {rate for rate in group.rates if rate is not None}
    best = max(known) if len(known) > 1 else None
    return {
        "name": group.name,
        "count": group.gold,
        "rates": [(rate, rate is not None and rate == best) for rate in group.rates],
        "differences": [measure and _difference(comparison, one, measure) for one in comparison.systems],
    }


def _sentences(details: ComparisonDetails, worst: int | None, classes: Classes) -> dict[str, Any]:
    """Return all stretches of gold with the systems' matches, and the rows of those that are listed."""
    ends = details.units.ends or ((0,) if len(details.units) else ())
    scores = [f1_of_units(one, of, len(ends)) for one, of in zip(details.systems, details.units.of)]
    units = [
        [start, end, *[part for score in scores for part in score[index]]]
        for index, (start, end) in enumerate(zip((0, *ends), ends))
    ]
    apart = [
        max(errors) - min(errors)
        for errors in ([total - matched for matched, total in column] for column in zip(*scores))
    ]
    # The first of those that are equally far apart is listed.
    order = sorted(range(len(units)), key=lambda index: (-apart[index], index))
    listed = sorted(order if worst is None else order[:worst])
    chosen = set(listed)
    content: dict[str, Any] = {
        "units": units,
        "listed": listed,
        "fields": FIELDS,
        **{name: [] for name in ("labels", "rows", "beads", "ids")},
        "causes": CAUSES,
    }
    if not details.systems[0].results or not isinstance(details.settings, Settings):
        return content
    numbers: dict[str, str] = {}
    baseline: dict[int, list[Any]] = {}
    for one, every in zip(details.systems, details.units.of):
        of = [stretch for stretch in every if stretch in chosen]
        results = [result for result, stretch in zip(one.results, every) if stretch in chosen]
        known = {result.number: codes for result, codes in zip(one.results, one.repairs)}
        rows = []
        for result in results:
            counted = known.get(result.number)
            repairs = repair_codes(result.caused_steps(classes)) if counted is None else counted
            # Struct-IoU's mapping is left out: two systems' trees have none to each other.
            rows.append(row_of(result, (), repairs))
        data = sentences_data(rows, (), numbers=numbers)
        content["ids"].append(data["ids"])
        sizes = Counter(of)
        alone = {stretch: row for stretch, row in zip(of, data["rows"]) if sizes[stretch] == 1}
        if not content["rows"]:
            baseline = alone
        else:
            for stretch in alone.keys() & baseline.keys():
                _shorten(alone[stretch], baseline[stretch])
        content["rows"].append(data["rows"])
        # The stretch of each row, as the difference from the row before.
        content["beads"].append([stretch - before for before, stretch in zip((0, *of), of)])
    content["labels"] = list(numbers)
    return content


def _shorten(row: list[Any], baseline: Sequence[Any]) -> None:
    """Drop the gold words and the gold tree, except its marks, if they are those of the baseline."""
    words, tree = FIELDS.index("goldWords"), FIELDS.index("goldTree")
    # In turn: text, the number of a node, its mark
    parts, baseline_parts = (_NODE.split(one[tree]) for one in (row, baseline))
    marks = parts[2::3]
    del parts[2::3], baseline_parts[2::3]
    if row[words] == baseline[words] and parts == baseline_parts:
        row[words] = 0
        row[tree] = "@" + "".join([mark or _PLAIN for mark in marks])
