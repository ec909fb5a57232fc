"""How to read a page: its kicker, the key of the board, and captions; each with its condition."""

from __future__ import annotations

from ..base.claims import Claim, kinds
from ..base.text import percent
from ..comparison.result import Comparison
from ..metrics.unit_table import tries_all
from .systems import Systems

FEW_SENTENCES = 30  # below, claims do not rest on the F1 of a length

_TESTS = {
    "bootstrap": "paired bootstrap, {:,} resamples",
    "permutation": "paired permutation, {:,} shuffles",
    "sign": "sign test on single sentences, exact",
}
_FAMILIES = {"pairs": "pairs", "baseline": "systems"}

kinds("test", marks="* p < 0.05, ** p < 0.01, *** p < 0.001 ({how}, against {base}); two-sided, {corrected}")
kinds(
    "sample",
    sentences="{count:gold}",
    mean_of_all="Sent. F over {count:,}",
    margins="± half the {level:g} % confidence interval ({how})",
)

_CAUSES = {
    "one": "Each wrong bracket has one cause, so the points add up. Choose a cause: its sentences are "
    "listed, and the first is drawn below.",
    "few": "Points of F1 lost, left is better; they add up to 100 − F1. Marks as above, from {base}. Choose "
    "a cause: the sentences in which the two differ most by it are listed, and the first is drawn.",
    "dense": "Points of F1 lost; darker is more, bold differs from {base}. Choose a cause, and two systems, "
    "to see their sentences.",
    "many": "Points of F1 lost, best system first; darker is more. Choose a cause, and two systems, to see "
    "their sentences.",
    "sorted": "Points of F1 lost; darker is more. Choose a cause, and two systems, to see their sentences.",
}
ANSWERS = (
    "A square is an answer; press one to read it below. An answer may need several repairs (“with it”); "
    "“made trees” counts it at the step that makes it one."
)


def tested(comparison: Comparison) -> str:
    """Return how differences are tested; empty without a test."""
    if comparison.test is None:
        return ""
    others, samples = comparison.systems[1:], comparison.test_samples
    if comparison.test == "permutation" and all(tries_all(one.units, samples) for one in others):
        return "paired permutation, all shuffles"
    return _TESTS[comparison.test].format(samples)


def corrected(systems: Systems) -> str:
    """Return what the p-values of F1 are corrected for."""
    family = _FAMILIES.get(systems.comparison.correction)
    return "not corrected" if family is None else f"Holm over {systems.comparison.tests} {family}"


def families(comparison: Comparison) -> str:
    """Return what the p-values of all figures are corrected for."""
    if comparison.correction == "none":
        return "not corrected for the number of tests"
    family = f"F over all {_FAMILIES[comparison.correction]}" if len(comparison.systems) > 2 else "F alone"
    return f"Holm over each table, {family}"


def resampled(comparison: Comparison) -> str:
    """Return how the intervals of the systems are computed."""
    return f"expanded bootstrap percentiles, {comparison.interval_samples:,} resamples"


def tests_of(comparison: Comparison) -> list[Claim]:
    """Return how differences are tested, and the sentences and intervals of a comparison."""
    found = []
    if comparison.test is not None:
        how = {"how": tested(comparison), "base": comparison.baseline.name}
        found.append(Claim("marks", {**how, "corrected": families(comparison)}))
    found.append(Claim("sentences", {"count": comparison.gold_sentences}))
    counts = {system.f1_sentences for system in comparison.systems} - {None}
    if len(counts) == 1:
        found.append(Claim("mean_of_all", {"count": counts.pop()}))
    if comparison.interval_samples:
        numbers = {"level": 100 * (comparison.confidence or 0), "how": resampled(comparison)}
        found.append(Claim("margins", numbers))
    return found


def level(comparison: Comparison) -> str:
    """Return the level of the intervals."""
    return f"{100 * (comparison.confidence or 0):g} %"


def kicker(systems: Systems, gold: str) -> str:
    """Return what was scored against what: files, sentences and brackets."""
    totals, sentences = systems.totals[0], systems.comparison.gold_sentences
    who = systems.full[0] if systems.count == 1 else f"{systems.count} systems"
    parts = [f"{who} against {gold}", Claim("sentences", {"count": sentences}).text]
    if systems.count == 1 and systems.unit != "sentence" and (counts := totals.get("alignment")):
        if counts["system_sentences"] != sentences:
            parts[-1] += f", {counts['system_sentences']:,} of the system"
        parts[-1] += f", {totals['sentences']['groups']:,} aligned pairs"
    if "brackets" in totals:
        brackets = totals["brackets"]["gold"]
        parts.append(f"{brackets:,} gold bracket{'s' * (brackets != 1)}")
    if systems.count > 1 and any("…" in name for name in systems.names):
        parts.append(f"names are shortened: {systems.full[0]}")
    return " · ".join(parts)


def keys(systems: Systems) -> list[str]:
    """Return how to read the board: the intervals, and what is tested, corrected, filled and bold."""
    how, base, found = tested(systems.comparison), systems.names[systems.base], []
    if samples := systems.comparison.interval_samples:
        found.append(
            f"Intervals: {level(systems.comparison)}, {samples:,} bootstrap samples of the {systems.unit}s."
        )
    if systems.answers:
        text = "Recall and what follows count answers as written, where an answer that is no tree is empty."
        return [*found, text]
    if systems.count == 1:
        return [*found, "Nothing is tested: name a second system to compare it."]
    if not how:
        return [*found, "Nothing is tested (--test none)."]
    hollow = f"Hollow: not distinguished from {base}."
    if systems.many:
        if not any(systems.letters()):
            return [*found, f"p: {how}, {corrected(systems)}.", hollow]
        text = "Systems that share a letter are not distinguished in F1"
        return [*found, f"{text} ({how}, p < 0.05, {corrected(systems)}).", hollow]
    found += [f"Filled, bold: differs from {base} (p < 0.05, {how}).", hollow]
    if systems.comparison.correction == "none":
        return [*found, "p is not corrected for the number of tests."]
    f1 = f"F1: {corrected(systems)}; the other" if systems.count > 2 else "The other"
    return [*found, f"{f1} figures are corrected for all tests of their section."]


def of_pairs(systems: Systems) -> str:
    """Return how to read the grid of all pairs."""
    text = "Points of F1 by which the column is above the row."
    if not tested(systems.comparison):
        return text
    return f"{text} Shaded: p < 0.05, {corrected(systems)}. Framed: not distinguished."


def of_causes(systems: Systems) -> str:
    """Return how to read the causes of errors."""
    kind = "many" if systems.rows == systems.order else "sorted"
    if not systems.many:
        kind = "one" if systems.count == 1 else "dense" if systems.dense else "few"
    more = " Causes are those of the repaired trees." if systems.answers else ""
    return _CAUSES[kind].format(base=systems.names[0]) + more


def of_words(systems: Systems) -> str:
    """Return how many words of one system differ, and the scores of words and sentence ends."""
    if systems.count > 1:
        return "Tokens F1 and sentence ends F1 are among all figures above."
    if not (counts := systems.totals[0].get("alignment")):
        return ""
    units = counts["units"]
    differ = f"{units['changed']:,} words differ and {units['resegmented']:,} are cut or joined"
    wanted = [one for one in systems.figures if one.name in ("token_f1", "sentence_end_f1")]
    figures = [(one.on_pages, systems.value(one.name, 0)) for one in wanted]
    scores = [f" {title} {percent(value)}." for title, value in figures if value is not None]
    return f"{differ}, of {sum(units.values()):,}.{''.join(scores)}"


def of_places(systems: Systems, *, both: bool) -> str:
    """Return how to read F1 by length and label; ``both`` is True if the page has both."""
    base = systems.names[systems.base]
    if systems.dense:
        best = ", best system first" if systems.many and systems.rows == systems.order else ""
        bold = "" if systems.many else f", bold differs from {base}"
        text = f"Darker is lower{best}{bold}. Beside each name: sentences, or times in gold."
    else:
        text = "Both axes are the same. " if both else ""
        how = f"Stems start at {base}; filled: p < 0.05."
        text += f"Hollow: fewer than {FEW_SENTENCES} sentences." if systems.count == 1 else how
    labels = " Labels: at least 1 % of gold’s brackets." if systems.labels() else ""
    return text + labels + (" Of the repaired trees." if systems.answers else "")
