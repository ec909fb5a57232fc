"""Notes on an evaluation: what was changed in its files, and which sentences are left out or unaligned.

Also its main figures, for the last line of a report.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING, Any

from ..alignment.pair import EXTRA, MISSING, UNREADABLE
from ..base.claims import Claim
from ..base.text import counted, visible
from ..score.evaluation import UNLIKE, Evaluation, LeftOut

if TYPE_CHECKING:
    from ..comparison.result import Comparison, SystemScores
    from ..score.conventions import ConventionTable

_KINDS = {MISSING: "missing", EXTRA: "extra", UNLIKE: "dissimilar"}


def main_figures(evaluation: Evaluation) -> list[Claim]:
    """Return the figure that a paper reports first, and those that belong to it."""
    record, brackets = evaluation.total, evaluation.total.brackets
    f1 = Claim("figure", {"name": "F1", "value": brackets.f1})
    if any(metric.spans_only for metric in evaluation.metrics):
        return [Claim("figure", {"name": "sentence-mean F1", "value": brackets.sentence_f1}), f1]
    if "answers" in record and record["answers"].asked:
        counts = record["answers"]
        both = ("repaired", counts.with_repairs.f1), ("usable only", counts.valid_only.f1)
        return [
            Claim("written", {"value": counts.strict.f1}),
            *[Claim("figure", {"name": name, "value": value}) for name, value in both],
            Claim("usable", {"value": counts.valid_share}),
        ]
    of_gaps = []
    if record.gaps.shown:
        from ..metrics.discontinuous import DiscontinuousCounts

        parts = DiscontinuousCounts.of(brackets, record.tags, record["gaps"])
        named = ("continuous", parts.continuous), ("discontinuous", parts.discontinuous)
        of_gaps = [Claim("figure", {"name": kind, "value": part.f1}) for kind, part in named]
    name, figure = ("mean F1", "sentence_f1") if evaluation.settings.is_mean else ("F1", "f1")
    cutoffs = [*evaluation.more_cutoffs, (evaluation.cutoff_length, evaluation.cutoff)]
    return [Claim("figure", {"name": name, "value": getattr(brackets, figure)}), *of_gaps] + [
        Claim("up_to", {"length": length, "value": getattr(short.brackets, figure)})
        for length, short in cutoffs
    ]


def notes(evaluation: Evaluation) -> list[Claim]:
    of_metrics = [
        note if isinstance(note, Claim) else Claim("metric_note", {"text": visible(note)})
        for metric in evaluation.metrics
        if (counts := evaluation.total[metric.name]).shown
        for note in metric.notes(counts)
    ]
    return [*_changed(evaluation), *_left_out(evaluation), *of_metrics]


def notes_of_system(comparison: Comparison, system: SystemScores) -> list[Claim]:
    """Return the notes on a system of a comparison."""
    counts = {one.f1_sentences for one in comparison.systems} - {None}
    found = []
    if len(counts) > 1 and system.f1_sentences is not None:
        found.append(Claim("mean_over", {"count": system.f1_sentences}))
    if system.units != comparison.gold_sentences:
        found.append(Claim("resampled", {"units": system.units}))
    found += [one for one in system.claimed if one.place == "note"]
    total: Any = system.total
    if "answers" in total and (answers := total["answers"]).asked:
        numbers = {"valid": answers.valid_only.sentences, "every": answers.strict.sentences}
        found.append(Claim("valid_over", numbers))
    if system.format is not None and len({one.format for one in comparison.systems}) > 1:
        found.append(Claim("of_format", {"format": system.format}))
    return found


def notes_of_table(table: ConventionTable) -> list[Claim]:
    """Return the notes on a table of conventions: rankings, a published figure, and figures that it lacks."""
    found = []
    ranks = sorted(table.rankings().items(), key=lambda item: -len(item[1])) if len(table.systems) > 1 else []
    shown = [(" > ".join(map(" = ".join, order)), names) for order, names in ranks]
    if len(shown) > 1:
        found = [Claim("rankings", {"count": len(shown)})]
        found += [Claim("ranking", {"ranks": text, "conventions": names}) for text, names in shown]
    elif shown and len(shown[0][1]) > 1:
        found = [Claim("ranked_alike", {"count": len(shown[0][1]), "ranks": shown[0][0]})]
    if table.published is not None:
        near = [row.convention.name for row in table.results[0] if table.is_near(row)]
        numbers = {"f1": table.published, "conventions": near}
        found += [Claim("published" if near else "unpublished", numbers), *table.separating]
    reasons: dict[tuple[str, str], list[str]] = {}
    for row in chain.from_iterable(table.results):
        if row.stopped:
            reasons.setdefault((row.system, row.stopped), []).append(row.convention.name)
    return found + [
        Claim("stopped", {"name": name, "why": why, "conventions": names})
        for (name, why), names in reasons.items()
    ]


def _changed(evaluation: Evaluation) -> Iterator[Claim]:
    """Tell what was assumed about trees, and what the rules have changed in them."""
    sides: dict[tuple[str, int], list[str]] = {}
    for item in evaluation.standardised:
        sides.setdefault((item.what, item.count), []).append(item.side)
    for (what, count), names in sides.items():
        text, colon, rest = what.partition(":")
        shown = f"{counted(count, text)}{' each' * (len(names) > 1)}{colon}{rest}"
        yield Claim("changed", {"sides": names, "what": what, "count": count, "shown": shown})


def _left_out(evaluation: Evaluation) -> Iterator[Claim]:
    """Name the first sentences of each state, and say how many more there are."""
    by_sentence = evaluation.settings.identical_words
    for state, count in evaluation.states.items():
        items = [item for item in evaluation.left_out if item.state == state]
        for item in items:
            sides = _sentence(item) if by_sentence else _sides(item)
            kind = _KINDS.get(state, "set_aside")
            numbers: dict[str, Any] = {"state": state, "sides": sides}
            if kind == "set_aside" and (by_sentence or state == UNREADABLE):
                kind = "set_aside_for"
                numbers["reason"] = visible(item.reason.removeprefix(f"{sides}: "))
            if kind == "dissimilar":
                numbers["equal"] = item.equal or 0
            yield Claim(kind, {**numbers, "gold": item.gold, "system": item.system})
        if more := count - sum([item.size for item in items]):
            yield Claim("more_set_aside", {"state": state, "count": more})


def _sentence(item: LeftOut) -> str:
    if item.id is not None:
        return visible(f"sentence {item.id!r}")
    return f"sentence {item.system[1] if item.state == EXTRA else item.gold[1]}"


def _sides(item: LeftOut) -> str:
    return ", ".join(
        [
            f"{side} {sentences_text(*ends)}"
            for side, ends in (("gold", item.gold), ("system", item.system))
            if ends[0] < ends[1] or item.state == UNLIKE
        ]
    )


def sentences_text(begin: int, end: int) -> str:
    """Return the numbers from 1 of a half-open range of sentences from 0."""
    if begin == end:
        return "no sentence"
    return f"sentence {end}" if end - begin == 1 else f"sentences {begin + 1}-{end}"
