"""The HTML page of a comparison: systems by measures, and the sentences where they differ."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from ..comparison import Comparison, Details, SystemScores
from ..comparison.significance import BOOTSTRAP_SAMPLES, intervals, rates
from ..comparison.sources import Scored
from ..metrics import Measure
from ..metrics.errors import Analysis, analyse
from ..metrics.trees import StructIou
from ..model.settings import Settings
from . import WORST
from .by_system import Group, counted_of, labels_of, lengths_of
from .comparison import grouped, headline, how_tested, notes, stars
from .gaps import has_gaps
from .groups import group_lines
from .html_data import FIELDS, MARKS_OF_NODES, NodePairs, sentences_data
from .page import UNDEFINED, page
from .references import tables_of_systems
from .table import number

SCRIPTS = ("tree.js", "picture.js", "pair.js", "rows.js", "compare.js", "page.js")
TEMPLATE = "comparison.html"

SIDE_BY_SIDE = 6
"""Most systems that stand side by side."""

LABELS = 30
"""Most rows of the table of labels."""

CONFIDENCE = 0.95
"""Of the intervals of differences by label, where the comparison has no intervals."""

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
        if details.scored[0].results:
            analyses = [analyse(one.results) for one in details.scored]
    else:
        found = [counted_of(system, "analysis") for system in comparison.systems]
        analyses = [] if None in found else list(map(Analysis.of, found))
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
        gaps=bool(details and any(has_gaps(result) for one in details.scored for result in one.results)),
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


def _cell(
    comparison: Comparison, system: SystemScores, measure: Measure, scale: tuple[float, float]
) -> dict[str, Any]:
    value, base = system[measure.name], comparison.baseline[measure.name]
    known = [other for one in comparison.systems if (other := one[measure.name]) is not None]
    best = (max if measure.larger_is_better else min)(known) if known else None
    p = system.p_values.get(measure.name)
    difference = ""
    good = None
    if system is not comparison.baseline and value is not None and base is not None:
        shown = number(measure, value - base) or ""
        difference = shown if shown.startswith("-") else f"+{shown}"
        difference = difference.replace("-", "−")
        good = (value > base) == measure.larger_is_better if value != base else None
    ends = system.intervals.get(measure.name)
    outcome = system.outcomes.get(measure.name)
    if outcome is not None:
        wins, losses = (outcome.wins, outcome.losses)
        if not measure.larger_is_better:
            wins, losses = losses, wins
    return {
        "value": number(measure, value) or UNDEFINED,
        "best": value is not None and value == best and len(set(known)) > 1,
        "marks": stars(p),
        "p": "" if p is None else f"p = {p:.4f}" if p >= 0.0001 else "p < 0.0001",
        "difference": difference,
        "good": good,
        "real": p is not None and p < 0.05,
        "outcome": "" if outcome is None else f"{wins} won, {outcome.ties} tied, {losses} lost",
        "interval": "" if ends is None else f"{number(measure, ends[0])} to {number(measure, ends[1])}",
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
    """F by label with the differences from the baseline, where the sentences are there, and intervals."""
    found = [_by(group) for group in groups]
    details = comparison.details
    if details is None or not details.scored[0].results or len(details.scored) == 1:
        return found
    names = {group.name: place for place, group in enumerate(groups)}
    tables = [
        _label_table(one.results, of, names, len(details.units))
        for one, of in zip(details.scored, details.units.of)
    ]
    confidence = CONFIDENCE if comparison.confidence is None else comparison.confidence
    for place, table in enumerate(tables[1:], 1):
        ends = intervals(
            np.concatenate((tables[0], table), axis=1),
            lambda sums: np.subtract(*reversed(np.split(rates(sums), 2, axis=-1))),
            confidence=confidence,
            samples=comparison.interval_samples or BOOTSTRAP_SAMPLES,
            seed=comparison.seed,
        )
        for group, row, interval in zip(groups, found, ends):
            base, rate = group.rates[0], group.rates[place]
            if base is not None and rate is not None and interval is not None:
                row["differences"][place] = {
                    "text": _signed(rate - base),
                    "interval": f"{_signed(interval[0])} to {_signed(interval[1])}",
                    "good": None if rate == base else rate > base,
                    "real": interval[0] > 0 or interval[1] < 0,
                }
    return found


def _label_table(results: Sequence[Any], of: Sequence[int], names: dict[str, int], units: int) -> Any:
    """For each unit twice the matched constituents of each label, and those of both sides together."""
    table = np.zeros((units, 2 * len(names)), dtype=np.int64)
    for result, unit in zip(results, of):
        for label, counts in result.analysis_counts().labels.labels.items():
            if label in names:
                place = 2 * names[label]
                table[unit, place] += 2 * counts.matched
                table[unit, place + 1] += counts.gold + counts.system
    return table


def _signed(difference: float) -> str:
    return f"{100 * difference:+.2f}".replace("-", "−")


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
        made = sentences_data(results, one.metrics, _aligned(one), numbers=numbers)
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


def _aligned(scored: Scored) -> NodePairs | None:
    for metric in scored.metrics:
        if isinstance(metric, StructIou):
            return metric.mapping
    return None


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
