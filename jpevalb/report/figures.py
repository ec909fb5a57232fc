"""The figures of a summary, each listed once for text, tables and pages, and what was left out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from ..alignment.pair import EXTRA, MISSING, NO_PARSE, SHORT, UNREADABLE
from ..metrics import TREES, Figure, Metric
from ..metrics.record import Record
from ..score.evaluation import UNLIKE, LeftOut
from ..trees.registry import IN_EVERY_RUN
from ..trees.text import visible
from .rows import STATES, matches_of
from .table import decimals, percent

if TYPE_CHECKING:
    from ..metrics.discontinuous import MatchCounts

EVERYWHERE = frozenset({"text", "tables", "page"})
TABLES = frozenset({"tables"})
TEXT = frozenset({"text"})
OUTSIDE_EVALB = frozenset({"tables", "page"})
"""For figures that evalb's own block of the text report has already."""
BESIDE_LISTS = frozenset({"text", "tables"})
"""For figures that a page shows with its list of sentences."""


class Listed(NamedTuple):
    """A figure of a summary, and where it is shown."""

    key: str
    """What reports that pick single figures call it; empty for those of other metrics."""
    figure: Figure
    shown: frozenset[str] = EVERYWHERE
    """The kinds of reports that have it: ``text``, ``tables`` (Markdown, LaTeX) and ``page`` (HTML)."""
    line: str = ""
    """Its name in the text report, if that is another one."""
    short: str = ""
    """Its name on a page, if that is another one."""


class Section(NamedTuple):
    """Some figures under a title."""

    title: str
    figures: tuple[Listed, ...]
    constituents: bool = False
    """Whether they are the counts and rates of a kind of constituents: a row of the table of those."""
    evalb: bool = False
    """Whether the text report has evalb's own block of them."""


def sections(evaluation: Any) -> tuple[Section, ...]:
    """The summary of an evaluation over all its sentences."""
    return tuple(
        _of_matches(evaluation) if _by_matches(evaluation) else _of_brackets(evaluation, evaluation.total)
    )


def short_sections(evaluation: Any) -> tuple[Section, ...]:
    """The summary over the sentences up to the cut-off; empty for an evaluation that has none."""
    return () if _by_matches(evaluation) else tuple(_of_brackets(evaluation, evaluation.cutoff))


def by_brackets(evaluation: Any, record: Record) -> tuple[Section, ...]:
    """The summary of a record of an evaluation of any mode, with the figures that evalb has."""
    return tuple(_of_brackets(evaluation, record))


def shown(figures: Sequence[Listed], where: str) -> list[Listed]:
    """Those of some figures that a kind of report has."""
    return [item for item in figures if where in item.shown]


def text_of(figure: Figure) -> str | None:
    """The value of a figure as tables show it; ``None`` where it is undefined."""
    if figure.form == "percent":
        return percent(figure.value)
    return decimals(figure.value, {"share": 4, "number": 2}.get(figure.form, 0))


def _by_matches(evaluation: Any) -> bool:
    return bool(evaluation.settings.conventions.identical_words)


def _of_brackets(evaluation: Any, record: Record) -> Iterator[Section]:
    """The figures of evalb's summary, and those of other metrics."""
    brackets, beads = record.brackets, record.beads

    def rate(key: str, name: str, value: float | None, short: str = "") -> Listed:
        return Listed(key, Figure(name, value), OUTSIDE_EVALB, short=short)

    yield Section(
        "All",
        (
            Listed("sentences", Figure("Sentences", brackets.sentences, "count"), OUTSIDE_EVALB),
            rate("recall", "Bracketing recall", brackets.recall, "Recall"),
            rate("precision", "Bracketing precision", brackets.precision, "Precision"),
            rate("f1", "Bracketing F1", brackets.f1, "F1"),
            Listed("sentence_f1", Figure("Sentence-mean F1", brackets.sentence_f1)),
            rate("complete_match", "Complete match", brackets.complete_match),
            Listed("", Figure("Average crossing", brackets.average_crossing, "number"), OUTSIDE_EVALB),
            rate("", "No crossing", brackets.no_crossing_share),
            rate("", "2 or less crossing", brackets.two_or_less_crossing_share),
            rate("tag_accuracy", "Tagging accuracy", record.tags.accuracy),
        ),
        evalb=True,
    )
    unparsed = beads.gold_unparsed + beads.system_unparsed
    found = list(_of_metrics(evaluation.metrics, record))
    sides = TEXT if evaluation.settings.on_error == "skip" else frozenset()
    yield Section(
        TREES,
        (
            *[item for heading, item in found if heading == TREES],
            Listed("", Figure("Unaligned beads", beads.unaligned, "count"), BESIDE_LISTS),
            Listed("", Figure("Unparsed gold sentences", beads.gold_unparsed, "count"), sides),
            Listed("", Figure("Unparsed system sentences", beads.system_unparsed, "count"), sides),
            Listed("", Figure("Unparsed sentences", unparsed, "count"), TABLES if unparsed else frozenset()),
        ),
    )
    yield from _by_heading([item for item in found if item[0] != TREES])


def _of_metrics(metrics: Sequence[Metric], record: Record) -> Iterator[tuple[str, Listed]]:
    """The figures of other metrics, with the heading that each stands below."""
    for metric in metrics:
        counts = record[metric.name]
        for place, figure in enumerate(metric.figures(counts) if counts.shown else ()):
            # The first is the one that the metric is known by.
            yield metric.heading, Listed("" if place else metric.name, figure)


def _of_matches(evaluation: Any) -> Iterator[Section]:
    """The figures of trees with gaps: what was paired, constituents of each kind, sentences."""
    total, states = matches_of(evaluation.total), evaluation.states

    def count(name: str, value: int, where: frozenset[str] = EVERYWHERE, line: str = "") -> Listed:
        return Listed("", Figure(name, value, "count"), where, line=line)

    kinds = [
        count("Sentences", total.sentences, line="Number of sentence"),
        count("Missing sentences", states[MISSING]),
        count("Unparsed sentences", states[NO_PARSE]),
        count("Extra system sentences", states[EXTRA]),
    ]
    rare = (
        ("Short sentences", states[SHORT]),
        ("Unreadable gold sentences", states[UNREADABLE]),
    )
    yield Section("All", (*kinds, *[count(*item, EVERYWHERE if item[1] else frozenset()) for item in rare]))
    for title in ("Overall", "Continuous", "Discontinuous"):
        counts: MatchCounts = getattr(total, title.lower())
        numbers = [
            count(name, getattr(counts, name.lower()), line=f"{title} {name}") for name in ("TP", "FP", "FN")
        ]
        rates = (("Recall", counts.recall), ("Precision", counts.precision), ("F1", counts.f1))
        lines = [f"{title} Recall", f"{title} Precision", f"{title} FMeasure"]
        shares = [Listed("", Figure(*rate), line=line) for rate, line in zip(rates, lines)]
        yield Section(title, (*numbers, *shares), constituents=True)
    yield Section(
        "Sentences",
        (
            Listed("sentence_f1", Figure("Sentence-mean F1", total.sentence_f1)),
            Listed("complete_match", Figure("Exact match", total.exact_match)),
            Listed("tag_accuracy", Figure("Tagging accuracy", total.tag_accuracy)),
        ),
    )
    if evaluation.settings.cutoff is not None:
        yield _up_to(evaluation.cutoff_length, evaluation.cutoff)
    metrics = [metric for metric in evaluation.metrics if metric.name not in IN_EVERY_RUN]
    yield from _by_heading(list(_of_metrics(metrics, evaluation.total)))


def _up_to(length: int, record: Record) -> Section:
    """The figures of trees with gaps over the sentences up to a length."""
    brackets = record.brackets
    rates = (
        ("Recall", brackets.recall),
        ("Precision", brackets.precision),
        ("FMeasure", brackets.f1),
        ("Sentence-mean F1", brackets.sentence_f1),
        ("Exact match", brackets.complete_match),
    )
    sentences = Listed("", Figure("Sentences", brackets.sentences, "count"), line="Number of sentence")
    return Section(f"len<={length}", (sentences, *[Listed("", Figure(name, rate)) for name, rate in rates]))


def _by_heading(found: Sequence[tuple[str, Listed]]) -> Iterator[Section]:
    """A section for each heading, in the order of the metrics."""
    for title in dict.fromkeys([heading for heading, _ in found]):
        yield Section(title, tuple([item for heading, item in found if heading == title]))


# -- what was left out ------------------------------------------------------------


def left_out(evaluation: Any) -> tuple[str, ...]:
    """Return a line for each of the first sentences of a state, and how many more there are."""
    by_state = _by_matches(evaluation)
    lines: list[str] = []
    for state, count in evaluation.states.items():
        if not count:
            continue
        items = [item for item in evaluation.left_out if item.state == state]
        shown = STATES[state] if by_state else "unparsed" if state == UNREADABLE else state
        lines += [f"{shown}: {_matched_line(item) if by_state else _bead_line(item)}" for item in items]
        more = count - sum([1 if by_state or state in (UNLIKE, UNREADABLE) else item.size for item in items])
        if more:
            lines.append(f"{shown}: and {more} more")
    return (*lines, *_metric_notes(evaluation.metrics, evaluation.total))


def _matched_line(item: LeftOut) -> str:
    end = item.system[1] if item.state == EXTRA else item.gold[1]
    name = f"sentence {end}" if item.id is None else f"sentence {item.id!r}"
    if item.state == MISSING:
        return visible(f"{name} has no parse in the system's file")
    if item.state == EXTRA:
        return visible(f"{name} of the system's file has no gold")
    return visible(f"{name}: {item.reason}")


def _bead_line(item: LeftOut) -> str:
    sides = [
        f"{side} {sentences_text(*ends)}"
        for side, ends in (("gold", item.gold), ("system", item.system))
        if ends[0] < ends[1] or item.state == UNLIKE
    ]
    if item.state == UNREADABLE:
        return f"{sides[0]}: {visible(item.reason)}"
    if item.state == UNLIKE:
        share = f"{100 * (item.equal or 0):.0f} % of the characters are equal"
        return f"bead {item.number} ({', '.join(sides)}): {share}"
    first, size = item.number, item.size
    beads = f"bead {first}" if size == 1 else f"{size} beads, {first}-{first + size - 1}"
    return f"{beads} ({', '.join(sides)})"


def _metric_notes(metrics: Sequence[Metric], record: Record) -> Iterator[str]:
    for metric in metrics:
        counts = record[metric.name]
        yield from map(visible, metric.notes(counts) if counts.shown else ())


def sentences_text(begin: int, end: int) -> str:
    """Sentence numbers from 1 of a half-open range from 0."""
    if begin == end:
        return "no sentence"
    return f"sentence {end}" if end - begin == 1 else f"sentences {begin + 1}-{end}"
