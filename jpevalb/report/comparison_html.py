"""The HTML page of a comparison: systems by measures, and the sentences where they differ."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from ..comparison.result import Comparison, Details, SystemScores
from ..comparison.sources import Scored
from ..errors.analysis import Analysis, analyse
from ..metrics import Measure
from ..score.evaluation import WORST
from ..trees.settings import Settings
from .by_system import Group, counted_of, ends_of, group_lines, labels_of, lengths_of, outcome, signed, stars
from .comparison import headline, how_tested, notes
from .grouped import grouped, label_measures
from .html_data import FIELDS, MARKS_OF_NODES, sentences_data
from .page import UNDEFINED, page
from .references import tables_of_systems
from .table import number

SCRIPTS = ("tree.js", "picture.js", "pair.js", "rows.js", "compare.js", "page.js")
TEMPLATE = "comparison.html"

SIDE_BY_SIDE = 6
"""Most systems that stand side by side."""

LABELS = 30
"""Most rows of the table of labels."""

_NODE = re.compile(rf"\((\d+)([{re.escape(MARKS_OF_NODES)}]?)")
_PLAIN = "."
"""Stands for a node without a mark in the marks of a tree that is given elsewhere."""


def html(comparison: Comparison, *, gold_name: str = "gold", worst: int | None = WORST) -> str:
    """The comparison as one HTML page that opens without a network.

    The page has the systems by measures with differences, p-values and intervals,
    F by label and by length, and, if the sentences were kept, the F1 of each sentence by
    two systems, and a list that opens to what of gold which system finds and to each
    system's tree beside the gold one.

    Args:
        comparison: What to show.
        gold_name: What the page calls the gold side.
        worst: How many stretches of gold the list has: those where the systems' errors
            differ most; ``None`` for all.

    Raises:
        JpevalbError: jinja2 is not installed.

    Cost: O(nodes + tokens) of all systems, and O(1,000 * sentences * labels).
    """
    details = comparison.details
    content: dict[str, Any] = {"names": [system.name for system in comparison.systems], "units": []}
    analyses: list[Analysis] = []
    if details is not None:
        content.update(_sentences(details, worst))
    found = [counted_of(system, "analysis") for system in comparison.systems]
    if None not in found:
        analyses = list(map(Analysis.of, found))
    elif details is not None and details.scored[0].results:
        analyses = [analyse(one.results) for one in details.scored]
    counted = [{item.label: item.counts for item in one.labels} for one in analyses]
    return page(
        TEMPLATE,
        SCRIPTS,
        content,
        gold_name=gold_name,
        comparison=comparison,
        head=headline(comparison),
        systems=list(_rows(comparison)),
        # Whatever there is less of stands side by side.
        across=len(comparison.systems) < len(headline(comparison))
        and len(comparison.systems) <= SIDE_BY_SIDE,
        groups=list(_groups(comparison)),
        how=how_tested(comparison),
        notes=[*notes(comparison), *group_lines(comparison, headline(comparison))],
        labels=_labels(comparison, labels_of(counted)[:LABELS]),
        lengths=[_by(group) for group in lengths_of(analyses)],
        references=tables_of_systems(comparison, headline(comparison), plain=False),
        listed=len(content.get("listed", ())),
        stretches=len(content["units"]),
        kept=details is not None,
        gaps=bool(details and any(result.pair.has_gaps for one in details.scored for result in one.results)),
        trees=bool(details and details.scored[0].results),
        baseline=comparison.baseline.name,
    )


# -- the table of systems -----------------------------------------------------------


def _rows(comparison: Comparison) -> Iterator[dict[str, Any]]:
    """For each system its cells as the page shows them."""
    scales = {measure.name: _scale(comparison, measure) for measure in comparison.measures}
    for system in comparison.systems:
        cells = [_cell(comparison, system, measure, scales[measure.name]) for measure in headline(comparison)]
        yield {"name": system.name, "cells": cells}


def _groups(comparison: Comparison) -> Iterator[dict[str, Any]]:
    """For each group of measures its title, and a row a measure with each system's cell."""
    for place, (title, measures) in enumerate(grouped(comparison).items()):
        rows = []
        for measure in measures:
            scale = _scale(comparison, measure)
            cells = [_cell(comparison, system, measure, scale) for system in comparison.systems]
            rows.append({"name": measure.title, "cells": cells})
        yield {"id": f"group-{place}", "title": title, "rows": rows}


def _apart(comparison: Comparison, system: SystemScores, measure: Measure) -> dict[str, Any] | None:
    """A difference from the baseline, its p-value and its interval; ``None`` where there is none."""
    value, base = system[measure.name], comparison.baseline[measure.name]
    if system is comparison.baseline or value is None or base is None:
        return None
    p = system.p_values.get(measure.name)
    ends = system.differences.get(measure.name)
    return {
        "text": _minus(signed(measure, value - base)),
        "marks": stars(p),
        "p": "" if p is None else f"p = {p:.4f}" if p >= 0.0001 else "p < 0.0001",
        "good": (value > base) == measure.larger_is_better if value != base else None,
        "real": p is not None and p < 0.05,
        "interval": "" if ends is None else " to ".join([_minus(signed(measure, end)) for end in ends]),
    }


def _minus(text: str) -> str:
    return text.replace("-", "−")


def _cell(
    comparison: Comparison, system: SystemScores, measure: Measure, scale: tuple[float, float]
) -> dict[str, Any]:
    value, base = system[measure.name], comparison.baseline[measure.name]
    known = [other for one in comparison.systems if (other := one[measure.name]) is not None]
    best = (max if measure.larger_is_better else min)(known) if known else None
    ends = system.intervals.get(measure.name)
    tested = system.outcomes.get(measure.name)
    counts = ""
    if tested is not None:
        wins, ties, losses = str(outcome(system, measure)).split("/")
        counts = f"{wins} won, {ties} tied, {losses} lost"
    return {
        "value": number(measure, value) or UNDEFINED,
        "best": value is not None and value == best and len(set(known)) > 1,
        "apart": _apart(comparison, system, measure),
        "outcome": counts,
        "interval": ends_of(ends, measure) or "",
        "drawn": None if ends is None or value is None else [_at(end, scale) for end in (*ends, value)],
        "base": None if base is None else _at(base, scale),
    }


def _scale(comparison: Comparison, measure: Measure) -> tuple[float, float]:
    """The least and the greatest value that a measure's intervals take, with a margin."""
    values = [value for system in comparison.systems if (value := system[measure.name]) is not None]
    for system in comparison.systems:
        values += system.intervals.get(measure.name) or ()
    if not values:
        return 0.0, 1.0
    low, high = min(values), max(values)
    margin = (high - low) * 0.06 or 1.0
    return low - margin, high + margin


def _at(value: float, scale: tuple[float, float]) -> str:
    return f"{100 * (value - scale[0]) / (scale[1] - scale[0]):.1f}"


# -- labels and lengths ---------------------------------------------------------------


def _labels(comparison: Comparison, groups: Sequence[Group]) -> list[dict[str, Any]]:
    """F by label with the differences from the baseline of those that are measures."""
    found = [_by(group) for group in groups]
    measures = label_measures(comparison)
    for group, row in zip(groups, found):
        measure = measures.get(group.name)
        for place, system in enumerate(comparison.systems):
            if measure is not None and place:
                row["differences"][place] = _apart(comparison, system, measure)
    return found


def _by(group: Group) -> dict[str, Any]:
    known = [rate for rate in group.rates if rate is not None]
    best = max(known) if len(set(known)) > 1 else None
    return {
        "name": group.name,
        "count": group.gold,
        "rates": [(rate, rate is not None and rate == best) for rate in group.rates],
        "differences": [None] * len(group.rates),
    }


# -- the list of sentences --------------------------------------------------------------


def _sentences(details: Details, worst: int | None) -> dict[str, Any]:
    """For each unit its gold sentences and the systems' matches; for each system the rows listed."""
    ends = details.units.ends or ((0,) if len(details.units) else ())
    scores = [_scores(one, of, len(ends)) for one, of in zip(details.scored, details.units.of)]
    units = [
        [start, end, *[part for score in scores for part in score[place]]]
        for place, (start, end) in enumerate(zip((0, *ends), ends))
    ]
    apart = [
        max(errors) - min(errors)
        for errors in ([total - matched for matched, total in found] for found in zip(*scores))
    ]
    # Of equals the first.
    order = sorted(range(len(units)), key=lambda place: (-apart[place], place))
    listed = sorted(order if worst is None else order[:worst])
    chosen = set(listed)
    content: dict[str, Any] = {
        "units": units,
        "listed": listed,
        "fields": FIELDS,
        "labels": [],
        "rows": [],
        "beads": [],
        "ids": [],
    }
    if not details.scored[0].results or not isinstance(details.settings, Settings):
        return content
    numbers: dict[str, int] = {}
    base: dict[int, list[Any]] = {}
    for place, (one, every) in enumerate(zip(details.scored, details.units.of)):
        of = [unit for unit in every if unit in chosen]
        results = [result for result, unit in zip(one.results, every) if unit in chosen]
        made = sentences_data(results, one.metrics, numbers=numbers)
        rows = made["rows"]
        content["ids"].append(made["ids"])
        alone = _alone(of)
        if place:
            for bead, row in enumerate(rows):
                if of[bead] in alone and of[bead] in base:
                    _shorten(row, base[of[bead]])
        else:
            base = {of[bead]: row for bead, row in enumerate(rows) if of[bead] in alone}
        content["rows"].append(rows)
        # Which unit a row belongs to, as steps from one to the next.
        content["beads"].append([unit - before for before, unit in zip((0, *of), of)])
    content["labels"] = list(numbers)
    return content


def _scores(scored: Scored, of: Sequence[int], size: int) -> list[list[int]]:
    """For each unit the numerator and the denominator of its F."""
    at = next(place for place, rate in enumerate(scored.rates) if rate.measure.name == "f1")
    sums = [[0, 0] for _ in range(size)]
    for unit, row in zip(of, scored.rows):
        sums[unit][0] += row[2 * at]
        sums[unit][1] += row[2 * at + 1]
    return sums


def _alone(of: Sequence[int]) -> set[int]:
    """The units that have one bead."""
    seen: dict[int, int] = {}
    for unit in of:
        seen[unit] = seen.get(unit, 0) + 1
    return {unit for unit, times in seen.items() if times == 1}


def _shorten(row: list[Any], base: Sequence[Any]) -> None:
    """Takes from a row what the baseline's has too: the gold words, and the gold tree but its marks."""
    words, tree = FIELDS.index("goldWords"), FIELDS.index("goldTree")
    if row[words] == base[words] and _unmarked(row[tree]) == _unmarked(base[tree]):
        row[words] = 0
        row[tree] = "@" + "".join([mark or _PLAIN for _, mark in _NODE.findall(row[tree])])


def _unmarked(tree: str) -> str:
    return _NODE.sub(r"(\1", tree)
