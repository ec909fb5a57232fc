"""HTML report of a comparison: systems by measures, and the sentences where they differ."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

from ..comparison.result import Comparison, ComparisonDetails, SystemScores
from ..comparison.sources import f1_of_units
from ..errors.analysis import analyse
from ..metrics import Figure
from ..score.evaluation import WORST
from ..trees.settings import Settings
from .by_system import Group, analyses_of, ends_of, group_lines, labels_of, lengths_of, outcome, signed, stars
from .comparison import headline, how_tested, notes
from .grouped import grouped, label_measures
from .html_data import FIELDS, MARKS_OF_NODES, sentences_data
from .page import UNDEFINED, page
from .references import tables_of_systems
from .table import number

SCRIPTS = ("tree.js", "picture.js", "pair.js", "rows.js", "compare.js", "page.js")
TEMPLATE = "comparison.html"

SIDE_BY_SIDE = 6
"""Maximum number of systems that are columns of the main table."""

LABELS = 30
"""Maximum number of rows of the table of labels."""

_NODE = re.compile(rf"\((\d+)([{re.escape(MARKS_OF_NODES)}]?)")
_PLAIN = "."
"""Mark of a node without one, in a list of marks alone."""


def html(comparison: Comparison, *, gold_name: str = "gold", worst: int | None = WORST) -> str:
    """Return the comparison as one HTML page that opens without a network.

    If the sentences were kept, the page lists the ``worst`` stretches of gold, those where the systems'
    errors differ most; ``None`` lists all.
    """
    details, head = comparison.details, headline(comparison)
    content: dict[str, Any] = {"names": [system.name for system in comparison.systems], "units": []}
    if details is not None:
        content.update(_sentences(details, worst))
    analyses = analyses_of(comparison)
    if not analyses and details is not None and details.systems[0].results:
        analyses = [analyse(one.results) for one in details.systems]
    labels = labels_of([{item.label: item.counts for item in one.labels} for one in analyses])
    columns = [_row(comparison, measure)["cells"] for measure in head]
    return page(
        TEMPLATE,
        SCRIPTS,
        content,
        gold_name=gold_name,
        comparison=comparison,
        head=head,
        systems=[
            {"name": system.name, "cells": [column[index] for column in columns]}
            for index, system in enumerate(comparison.systems)
        ],
        # The shorter dimension becomes the columns.
        across=len(comparison.systems) < len(head) and len(comparison.systems) <= SIDE_BY_SIDE,
        groups=[
            {"id": f"group-{index}", "title": title, "rows": [_row(comparison, one) for one in measures]}
            for index, (title, measures) in enumerate(grouped(comparison).items())
        ],
        how=how_tested(comparison),
        notes=[*notes(comparison), *group_lines(comparison, head)],
        labels=_labels(comparison, labels[:LABELS]),
        lengths=[_rates(group) for group in lengths_of(analyses)],
        references=tables_of_systems(comparison, head, plain=False),
        listed=len(content.get("listed", ())),
        stretches=len(content["units"]),
        kept=details is not None,
        gaps=bool(details and any(result.pair.has_gaps for one in details.systems for result in one.results)),
        trees=bool(details and details.systems[0].results),
        baseline=comparison.baseline.name,
    )


# -- the table of systems -----------------------------------------------------------


def _row(comparison: Comparison, measure: Figure) -> dict[str, Any]:
    """Return the cells of a measure, one for each system, drawn on one scale."""
    values = [value for system in comparison.systems if (value := system[measure.name]) is not None]
    best = (max if measure.larger_is_better else min)(values) if values else None
    drawn = [*values]
    for system in comparison.systems:
        drawn += system.intervals.get(measure.name) or ()
    margin = ((max(drawn) - min(drawn)) * 0.06 or 1.0) if drawn else 0.0
    low, high = (min(drawn) - margin, max(drawn) + margin) if drawn else (0.0, 1.0)

    def at(value: float) -> str:
        return f"{100 * (value - low) / (high - low):.1f}"

    base = comparison.baseline[measure.name]
    cells = []
    for system in comparison.systems:
        value, ends = system[measure.name], system.intervals.get(measure.name)
        counts = ""
        if measure.name in system.outcomes:
            wins, ties, losses = str(outcome(system, measure)).split("/")
            counts = f"{wins} won, {ties} tied, {losses} lost"
        cells.append(
            {
                "value": number(measure, value) or UNDEFINED,
                "best": value is not None and value == best and len(set(values)) > 1,
                "apart": _difference(comparison, system, measure),
                "outcome": counts,
                "interval": ends_of(ends, measure) or "",
                "drawn": None if ends is None or value is None else [at(end) for end in (*ends, value)],
                "base": None if base is None else at(base),
            }
        )
    return {"name": measure.title, "cells": cells}


def _difference(comparison: Comparison, system: SystemScores, measure: Figure) -> dict[str, Any] | None:
    """Return the difference from the baseline with its p-value and interval; ``None`` without one."""
    value, base = system[measure.name], comparison.baseline[measure.name]
    if system is comparison.baseline or value is None or base is None:
        return None
    p = system.p_values.get(measure.name)
    ends = system.differences.get(measure.name) or ()
    text, *interval = [signed(measure, one).replace("-", "−") for one in (value - base, *ends)]
    return {
        "text": text,
        "marks": stars(p),
        "p": "" if p is None else f"p = {p:.4f}" if p >= 0.0001 else "p < 0.0001",
        "good": (value > base) == measure.larger_is_better if value != base else None,
        "real": p is not None and p < 0.05,
        "interval": " to ".join(interval),
    }


# -- labels and lengths ---------------------------------------------------------------


def _labels(comparison: Comparison, groups: Sequence[Group]) -> list[dict[str, Any]]:
    """Return F1 by label, with the differences from the baseline where the label is a measure."""
    rows = [_rates(group) for group in groups]
    measures = label_measures(comparison)
    for row in rows:
        if measure := measures.get(row["name"]):
            row["differences"] = [_difference(comparison, one, measure) for one in comparison.systems]
    return rows


def _rates(group: Group) -> dict[str, Any]:
    known = [rate for rate in group.rates if rate is not None]
    best = max(known) if len(set(known)) > 1 else None
    return {
        "name": group.name,
        "count": group.gold,
        "rates": [(rate, rate is not None and rate == best) for rate in group.rates],
        "differences": [None] * len(group.rates),
    }


# -- the list of sentences --------------------------------------------------------------


def _sentences(details: ComparisonDetails, worst: int | None) -> dict[str, Any]:
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
        "labels": [],
        "rows": [],
        "beads": [],
        "ids": [],
    }
    if not details.systems[0].results or not isinstance(details.settings, Settings):
        return content
    numbers: dict[str, int] = {}
    baseline: dict[int, list[Any]] = {}
    for one, every in zip(details.systems, details.units.of):
        of = [stretch for stretch in every if stretch in chosen]
        results = [result for result, stretch in zip(one.results, every) if stretch in chosen]
        data = sentences_data(results, one.metrics, numbers=numbers)
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
    unmarked, unmarked_baseline = (_NODE.sub(r"(\1", one[tree]) for one in (row, baseline))
    if row[words] == baseline[words] and unmarked == unmarked_baseline:
        row[words] = 0
        row[tree] = "@" + "".join([mark or _PLAIN for _, mark in _NODE.findall(row[tree])])
