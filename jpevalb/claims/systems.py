"""The systems that claims and pages are about: their names, order, figures, intervals and differences."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from ..alignment.pair import EXCLUDED, SHORT
from ..base.text import percent
from ..comparison.decided import UNDEFINED, UNTESTED, Decision
from ..comparison.labels import F_GROUP, RECALL_GROUP
from ..comparison.result import Comparison, SystemScores, difference_of
from ..errors.analysis import CAUSES_GROUP, Analysis
from ..metrics import LENGTHS_GROUP, Figure
from ..metrics.significance import CONFIDENCE, INTERVAL_SAMPLES, SEED
from ..score.evaluation import Evaluation, figures_of

MANY = 7  # systems that are sorted by F1 and have no colours of their own
DENSE = 4  # systems whose causes are a grid

FREQUENT = 0.01  # share of gold's brackets that a label needs to be shown

_BOARD = (
    "recall",
    "precision",
    "sentence_f1",
    "complete_match",
    "tag_accuracy",
    "struct_iou",
    "node_accuracy",
)
_OF_GAPS = ("continuous_f1", "discontinuous_f1", "recall", "precision", "sentence_f1", "complete_match")
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
        self.base = self.order[0]
        self.rows = list(self.range) if sort is None else self._sorted(sort)  # the order in tables
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

    def _sorted(self, figure: Figure) -> list[int]:
        """Return the systems by a figure, the best first; those without it come last."""
        sign = -1 if figure.larger_is_better else 1
        values = [self.value(figure.name, i) for i in self.range]
        return sorted(self.range, key=lambda i: (values[i] is None, sign * (values[i] or 0.0)))

    def _group(self, *groups: str) -> list[Figure]:
        return [one for one in self.comparison.measures if one.group in groups]

    # -- figures ------------------------------------------------------------------------------------

    def value(self, name: str, i: int) -> float | None:
        """Return a figure of a system; ``None`` if it is undefined."""
        return self.comparison.systems[i].rates.get(name)

    def interval(self, name: str, i: int) -> tuple[float, float] | None:
        """Return the interval of a figure."""
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

    def scored(self, i: int) -> int:
        """Return the number of sentences that count."""
        total = self.totals[i]
        counts = total.get("brackets", total)
        return int(counts.get("sentences", 0))

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
    analysis: Analysis | None = None,
    answers: bool = False,
    confidence: float = CONFIDENCE,
) -> Systems:
    """Return an evaluation as a comparison of one system, which nothing tests."""
    total, settings = evaluation.total, evaluation.settings
    left_out = sum([evaluation.states.get(state, 0) for state in (EXCLUDED, SHORT)])
    if analysis is None and "analysis" in total:
        analysis = Analysis.of(total["analysis"])
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


_ENDING = re.compile(r"(?<=.)\.\w{1,8}$")
_LONGEST = 26  # letters of a name


def shortened(names: Sequence[str]) -> list[str]:
    """Return names without what all share: their endings, folders, a long beginning; a long middle is cut.

    >>> shortened(["out/parser-a_large.mrg", "out/parser-b_large.mrg"])
    ['parser-a', 'parser-b']
    >>> shortened(["a" * 40 + ".mrg"])
    ['aaaaaaaaaaaaa…aaaaaaaaaaaaa']
    """
    stems = [_ENDING.sub("", name.rpartition("/")[2]) or name for name in names]
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
