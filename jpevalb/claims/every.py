"""All claims about a result."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

from ..base.claims import Claim
from ..comparison.result import Comparison
from ..errors.analysis import Analysis
from ..score.evaluation import Evaluation
from .made import broken, cited, errors, groups, interval, lead, places, ties, title, words
from .notes import main_figures, notes, notes_of_system, notes_of_table
from .reading import tests_of
from .systems import Systems, of_evaluation

if TYPE_CHECKING:
    from ..score.conventions import ConventionTable

Intervals: TypeAlias = "Mapping[str, tuple[float, float] | None]"


def claims_of(result: Evaluation | Comparison, intervals: Intervals | None = None) -> list[Claim]:
    """Return the claims about an evaluation, given its intervals if they are known, or a comparison."""
    brackets = None
    if isinstance(result, Comparison):
        known: list[Any] = [one.total for one in result.systems]
        analyses = [
            Analysis.of(one["analysis"]).to_dict() for one in known if "analysis" in getattr(one, "names", ())
        ]
        systems = Systems(result, analyses if len(analyses) == len(known) else [])
    else:
        brackets = result.total.brackets
        answers = bool(result.settings.answers)
        known_intervals = result.intervals if intervals is None else intervals
        systems = of_evaluation(result, "The system", result.figures, known_intervals, answers=answers)
    made = [*title(systems, brackets), *interval(systems), *lead(systems, brackets)]
    if systems.count > 2:
        made += ties(systems) + groups(systems)
    if systems.causes or systems.analyses:
        made += [*errors(systems, {}), *places(systems)]
    made += words(systems)
    if systems.answers:
        made += broken(systems.answers)
    made += [one for one in [cited(systems)] if one is not None]
    if isinstance(result, Evaluation):
        return [*made, *main_figures(result), *result.claimed, *notes(result)]
    return [*made, *tests_of(result)] + [
        Claim(kind, {"name": one.name, **numbers})
        for one in result.systems
        for kind, numbers in (
            *[claim for claim in one.claimed if claim.place == "warning"],
            *notes_of_system(result, one),
        )
    ]


def dicts_of(
    result: Evaluation | Comparison | ConventionTable, intervals: Intervals | None = None
) -> list[dict[str, object]]:
    """Return the claims about a result or a table of conventions, JSON-ready."""
    if isinstance(result, (Evaluation, Comparison)):
        return [one.to_dict() for one in claims_of(result, intervals)]
    return [one.to_dict() for one in notes_of_table(result)]
