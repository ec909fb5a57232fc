"""The systems that claims and pages are about, and how to read what pages show of them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from .. import errors
from ..alignment.pair import EXCLUDED, SHORT
from ..base.claims import Claim
from ..base.text import percent
from ..comparison.result import UNDEFINED, UNTESTED, Comparison, Decision, SystemScores, difference_of
from ..comparison.sources import F_GROUP, RECALL_GROUP
from ..metrics import CAUSES_GROUP, LENGTHS_GROUP, Figure
from ..metrics.significance import CONFIDENCE, INTERVAL_SAMPLES, SEED
from ..metrics.unit_table import tries_all
from ..score.evaluation import Evaluation, figures_of

MANY = 7  # systems that are sorted by F1 and have no colours of their own
DENSE = 4  # systems whose causes are a grid

FREQUENT = 0.01  # share of gold's brackets that a label needs to be shown

_BRACKETS = ("recall", "precision", "sentence_f1", "complete_match")
_BOARD = (*_BRACKETS, "tag_accuracy", "struct_iou", "node_accuracy")
_OF_GAPS = ("continuous_f1", "discontinuous_f1", *_BRACKETS)
_OF_ANSWERS = ("repaired_f1", "valid", "faithful", "recall", "precision", "complete_match", "struct_iou")


class Length(NamedTuple):
    """A class of lengths."""

    name: str
    figure: str
    sentences: int
    ends: tuple[int, int | None]


class Systems:
    """The systems of a comparison, also of one, with everything that a page shows of them.

    ``analyses`` are their error analyses as in JSON, or empty; ``answers`` is True if the first system has a
    language model's answers; ``sort`` is the figure by which tables sort the systems, ``None`` keeps their
    order.
    """

    def __init__(
        self,
        comparison: Comparison,
        analyses: Sequence[Mapping[str, Any]],
        *,
        answers: bool = False,
        sort: Figure | None = None,
    ) -> None:
        self.comparison, self.analyses = comparison, analyses
        self.full = [one.name for one in comparison.systems]
        self.names = shortened(self.full)
        self.count = len(self.names)
        self.many, self.dense = self.count >= MANY, self.count >= DENSE
        self.range = range(self.count)
        self.main = "sentence_f1" if comparison.is_mean else "f1"
        self.order = list(self.range)
        if self.many:
            self.order.sort(key=lambda i: -(self.value(self.main, i) or 0))
        self.base, *self.others = self.order
        self.rows = list(self.range)  # the order in tables: the best first, those without the figure last
        if sort is not None:
            sign, values = -1 if sort.larger_is_better else 1, [self.value(sort.name, i) for i in self.range]
            self.rows.sort(key=lambda i: (values[i] is None, sign * (values[i] or 0.0)))
        self.totals: list[dict[str, Any]] = [one.total.to_dict() for one in comparison.systems]
        self.answers = self.totals[0]["answers"] if answers else None
        # Aligned words have no figure of constituents without gaps.
        self.gaps = any(one.name == "continuous_f1" for one in comparison.measures)
        self.unlabeled = comparison.unlabeled
        self.figures = [one for one in comparison.measures if not one.group]
        self.causes = self._group(CAUSES_GROUP)
        self.of_lengths = self._group(LENGTHS_GROUP)
        self.of_labels = self._group(F_GROUP, RECALL_GROUP)
        self._numbers = {one.name for one in self.figures if one.form == "number"}
        self._pairs = {one.systems: one.decision for one in comparison.pairs}

    def _group(self, *groups: str) -> list[Figure]:
        return [one for one in self.comparison.measures if one.group in groups]

    def value(self, name: str, i: int) -> float | None:
        """Return a figure of a system; ``None`` if it is undefined."""
        return self.comparison.systems[i].rates.get(name)

    def interval(self, name: str, i: int) -> tuple[float, float] | None:
        return self.comparison.systems[i].intervals.get(name)

    def apart(self, name: str, i: int) -> Decision:
        """Return the decision on the difference of a system from the base."""
        if name == self.main:
            return self.between(self.base, i)
        unknown = Decision(UNDEFINED, None)
        # Only differences from the baseline are tested in all figures.
        return unknown if self.base else self.comparison.systems[i].decisions.get(name, unknown)

    def between(self, first: int, second: int) -> Decision:
        """Return the decision on F1 of the second system minus that of the first."""
        one, two = self.full[first], self.full[second]
        if (one, two) in self._pairs:
            return self._pairs[one, two]
        if (two, one) in self._pairs:
            return self._pairs[two, one].turned()
        points = difference_of(self.value(self.main, first), self.value(self.main, second))
        return Decision(UNDEFINED if first == second else UNTESTED, points)

    def pairs(self) -> list[tuple[int, int, Decision]]:
        """Return the decisions on all pairs: the second system minus the first, in the order of the page."""
        order = self.order
        return [(order[a], order[b], self.between(order[a], order[b])) for b in self.range for a in range(b)]

    def letters(self) -> list[str]:
        """Return the letters of each system: two that share one are not distinguished."""
        return list(self.comparison.letters.values())

    def board(self) -> list[Figure]:
        """Return the figures of the board; the first is that of the headline."""
        names = _OF_ANSWERS if self.answers else _OF_GAPS if self.gaps else _BOARD
        figures = {one.name: one for one in self.figures}
        known = [name for name in names if any(self.value(name, i) is not None for i in self.range)]
        return [figures[name] for name in ("strict_answer_f1" if self.answers else self.main, *known)]

    def shown(self, name: str, value: float | None) -> str:
        """Return a value of a figure as pages write it: shares are times 100, as on the board."""
        return percent(value) if value is None or name not in self._numbers else f"{value:.2f}"

    def cost(self, figure: Figure, i: int) -> float:
        """Return the points of F1 that a cause costs a system."""
        return self.value(figure.name, i) or 0.0

    def lost(self, i: int) -> float:
        """Return the points of F1 that a system loses, which are those of all causes."""
        return sum([self.cost(one, i) for one in self.causes])

    def text_costs(self, i: int) -> tuple[float, float]:
        """Return the points of F1 lost to sentence ends and to words."""
        total = self.totals[i]
        ends = self.value("cause_sentence_boundary", i) or 0.0
        counts = total.get("brackets", total)  # those of evalb's report are the total
        words = total.get("segmentation", {}).get("token_errors", 0)
        return ends, words / (counts["gold"] + counts["system"]) if words else 0.0

    def text_is_equal(self, i: int) -> bool | None:
        """Return True if words and sentence ends are those of gold, except in failed parses.

        ``None`` if they were not compared, or words are missing that may be those of failed parses.
        """
        alignment = self.totals[i].get("alignment")
        if not alignment or "segmentation" not in self.totals[i]:
            return None
        units = alignment["units"]
        plain = alignment["groups"].keys() <= {"one_to_one", "no_parse"}
        differing = units["changed"] + units["resegmented"] + alignment["system_words_alone"]
        missing = bool(alignment["gold_words_alone"])
        if plain and not differing and missing and "no_parse" in alignment["groups"]:
            return None  # the words of failed parses, and maybe others
        return bool(plain and not differing and not missing)

    def lengths(self) -> list[Length]:
        """Return the classes of lengths, the shortest first."""
        longest: Sequence[Any] = max([one["lengths"] for one in self.analyses], key=len, default=())
        found = []
        for k, item in enumerate(longest):
            sentences = [one["lengths"][k]["sentences"] for one in self.analyses if k < len(one["lengths"])]
            ends = item["shortest"], item["longest"]
            name = f"{ends[0]}+" if ends[1] is None else f"{ends[0]}–{ends[1]}"
            found.append(Length(name, f"length_{ends[0]}", max(sentences), ends))
        return found

    def labels(self) -> list[tuple[str, Figure, int]]:
        """Return the labels that are frequent in gold: label, figure, times in gold."""
        if not self.analyses:
            return []
        known = self.analyses[0]["labels"]
        every = sum([item["gold"] for item in known.values()])
        names = {one.title: one for one in self.of_labels}
        return [
            (label or "()", names[label or "()"], item["gold"])
            for label, item in known.items()
            if (label or "()") in names and item["gold"] and item["gold"] >= FREQUENT * every
        ]

    @property
    def unit(self) -> str:
        """The items that are scored: sentences, or pairs of them where the alignment joins or splits some."""
        plain = all(
            one["sentences"]["groups"] == one["sentences"]["gold"] == one["sentences"]["system"]
            for one in self.totals
            if "brackets" in one
        )
        return "sentence" if plain else "sentence pair"


def of_evaluation(
    evaluation: Evaluation,
    name: str,
    rates: Mapping[str, float | None],
    intervals: Mapping[str, tuple[float, float] | None],
    *,
    figures: Sequence[Figure] = (),
    analysis: errors.Analysis | None = None,
    answers: bool = False,
    confidence: float = CONFIDENCE,
) -> Systems:
    """Return an evaluation as a comparison of one system, which nothing tests."""
    total, settings = evaluation.total, evaluation.settings
    left_out = sum([evaluation.states.get(state, 0) for state in (EXCLUDED, SHORT)])
    if analysis is None and "analysis" in total:
        analysis = errors.Analysis.of(total["analysis"])
    comparison = Comparison(
        measures=tuple(figures or figures_of(evaluation.metrics, settings)),
        systems=(
            SystemScores(
                *(name, total, rates, intervals, {}, {}, total.sentences.groups, ()),
                excluded=evaluation.excluded_share,
                unparsed=evaluation.unparsed,
            ),
        ),
        test=None,
        test_samples=0,
        confidence=confidence,
        interval_samples=INTERVAL_SAMPLES if intervals else 0,
        seed=SEED,
        gold_sentences=total.sentences.gold + (left_out if settings.identical_words else 0),
        signature=evaluation.signature,
        convention=str(settings.convention),
        unlabeled=settings.unlabeled,
        is_mean=settings.is_mean,
    )
    return Systems(comparison, [] if analysis is None else [analysis.to_dict()], answers=answers)


_LONGEST = 26  # letters of a name


def shortened(names: Sequence[str]) -> list[str]:
    """Return names as tables have them, or shorter if one is longer than 26 letters.

    These lack what all share: folders, a long beginning, what follows; a long middle is cut.

    >>> shortened(["parser.large", "out/tagger.mrg"])
    ['parser.large', 'out/tagger.mrg']
    >>> shortened(["output/of/parser-a_large.mrg", "output/of/parser-b_large.mrg"])
    ['parser-a', 'parser-b']
    >>> shortened(["a" * 40])
    ['aaaaaaaaaaaaa…aaaaaaaaaaaaa']
    """
    if max(map(len, names), default=0) <= _LONGEST:
        return list(names)
    stems = [name.rpartition("/")[2] or name for name in names]
    if len(set(stems)) < len(stems):
        stems = list(names)
    if len(stems) > 1:
        for size in range(1, max(map(len, stems)) + 1):
            cut = [stem[:size].rstrip() for stem in stems]
            # A number in brackets is whole.
            at_ends = not any(
                stem[size : size + 1].isalnum() or stem[size : size + 1] == ")" for stem in stems
            )
            if at_ends and len(set(cut)) == len(cut):
                stems = cut
                break
        if max(map(len, stems)) > _LONGEST:
            same = next((k for k, letters in enumerate(zip(*stems)) if len(set(letters)) > 1), 0)
            start = max((found.end() for found in re.finditer(r"[^0-9A-Za-z.]", stems[0][:same])), default=0)
            if start > 3:
                stems = ["…" + stem[start:] for stem in stems]
    half = _LONGEST // 2
    short = [s if len(s) <= _LONGEST + 4 else f"{s[:half]}…{s[-half:]}" for s in stems]
    return short if len(set(short)) == len(short) else [f"{k} {name}" for k, name in enumerate(short, 1)]


def ranked(value: float | None) -> float:
    """Return a value for sorting; undefined ones come last."""
    return 2.0 if value is None else value


FEW_SENTENCES = 30  # below, claims do not rest on the F1 of a length

_TESTS = {
    "bootstrap": "paired bootstrap, {:,} resamples",
    "permutation": "paired permutation, {:,} shuffles",
    "sign": "sign test on single sentences, exact",
}
_FAMILIES = {"pairs": "pairs", "baseline": "systems"}

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
