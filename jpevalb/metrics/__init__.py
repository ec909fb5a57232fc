"""Metrics: each makes a record of additive counts of a pair, and reads figures from their sum."""

from collections.abc import Callable, Iterable, Mapping as AbstractMapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, NamedTuple

from ..alignment.pair import Pair
from ..base.claims import Claim
from ..base.counts import Counts, Fields, Sums, ratio, sums
from ..base.plugins import METRICS, METRICS_HERE, imported, load_plugin
from ..settings.rules import RunRules
from ..settings.settings import ALWAYS, DEFAULT, IF_ALIGNED, NAMED, REGISTRY, UNNAMED, Settings


class Line(NamedTuple):
    """A line ``Name = value`` of a summary."""

    name: str  #: name
    value: float | None  #: ``None`` if undefined
    form: str = "percent"  #: as in :class:`Figure`, or ``"count"`` for a whole number


def _no_counts(record: Any) -> tuple[int, int]:
    raise TypeError("this figure has no functions, as after pickling; take it from its metric")


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Figure(Fields):
    """One named number of a metric, for every report, comparison and significance test.

    Figures compare, hash and pickle by their data.  A pickled figure loses its functions.
    """

    name: str  #: key in results and in JSON
    title: str = ""  #: heading in tables of systems; empty if systems are not compared by it
    #: ``"percent"`` for a value in [0, 1], shown times 100; ``"share"`` for one in [0, 1], shown with four
    #: decimals; ``"number"`` for one shown with two
    form: str = "percent"
    larger_is_better: bool = True  #: False if a smaller value is better
    group: str = ""  #: heading of the separate table that lists it; empty for the main table
    line: str = ""  #: name in the summary; empty if the summary does not list it
    column: str = ""  #: heading of its column in the rows of sentences; empty if it has none
    page: str = ""  #: name on pages; empty if it is that of the summary, or the heading
    evalb: str = ""  #: name in evalb's summary, if different
    #: Returns numerator and denominator of one record, or of a sum of records; both are below 2**63 for a
    #: sentence. Significance tests resample them. If both are sums of fields, use
    #: :func:`jpevalb.base.counts.sums`, since columns are read faster than records.
    counts: Callable[[Any], tuple[int, int]] = field(default=_no_counts)
    #: returns the value of a sum of records; ``None`` for the quotient of the counts
    value_of: Callable[[Any], float | None] | None = None
    #: returns False for a sum of records if the figure only repeats other figures
    shown: Callable[[Any], bool] = field(default=lambda record: True)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (*self.to_dict().values(), self.line, self.column, self.page, self.evalb)

    @property
    def on_pages(self) -> str:
        """The name on pages."""
        return self.page or self.line or self.title

    def to_dict(self) -> dict[str, Any]:
        """Return the data that a comparison has in JSON."""
        return {key: getattr(self, key) for key in ("name", "title", "form", "larger_is_better", "group")}

    def value(self, record: Any) -> float | None:
        """Return the value of a sum of records; ``None`` if undefined."""
        return ratio(*self.counts(record)) if self.value_of is None else self.value_of(record)

    def line_of(self, record: Any, name: str = "") -> Line:
        """Return its line in a summary, with another name if given."""
        return Line(name or self.line, self.value(record), self.form)

    def read_from(self, metric: str) -> "Figure":
        """Return the figure as read from the records of a run, which hold those of a metric."""
        counts = self.counts
        return replace(
            self,
            counts=counts.of(metric) if isinstance(counts, Sums) else lambda record: counts(record[metric]),
            value_of=lambda record: self.value(record[metric]),
            shown=lambda record: record[metric].shown and self.shown(record[metric]),
        )


F1_COUNTS = sums("2 * matched", "gold + system")


def f1_figure(name: str, title: str, part: str = "", **data: Any) -> Figure:
    """Return the F1 of a record, or of a part of it."""
    return Figure(name, title, counts=F1_COUNTS.of(part), **data)


def matched_figures(
    name: str, title: str, part: str = "", *, line: str, **data: Any
) -> tuple[Figure, Figure, Figure]:
    """Return recall and precision of a record or a part of it, for summaries only, and its F1."""
    recall, precision = [sums("matched", whole).of(part) for whole in ("gold", "system")]
    lines = [line.format(rate) for rate in ("recall", "precision", "F1")]
    lines = [text[:1].upper() + text[1:] for text in lines]
    return (
        Figure(name.replace("f1", "recall"), line=lines[0], counts=recall),
        Figure(name.replace("f1", "precision"), line=lines[1], counts=precision),
        f1_figure(name, title, part, line=lines[2], **data),
    )


LENGTHS_GROUP = "F by length of the sentence"
"""Group of the figures by length, which reports show in a table without tests."""
CAUSES_GROUP = "Points of F1 lost by cause"  # Heading of the causes in a comparison of systems


class Mapping(NamedTuple):
    """Corresponding nodes of the gold and the system tree, and nodes without a counterpart.

    Ancestors stay ancestors, left stays left, and every node is in at most one pair.
    Nodes are numbered in preorder as in :class:`Tree`, words in sentence order.
    Dummy roots, and nodes that the metric ignores, are in no list.
    """

    pairs: tuple[tuple[int, int], ...]  #: (gold node, system node), in gold's preorder
    gold_only: tuple[int, ...]  #: gold nodes without a counterpart
    system_only: tuple[int, ...]  #: system nodes without a counterpart
    word_pairs: tuple[tuple[int, int], ...] = ()  #: (gold word, system word); empty for Struct-IoU
    gold_words_only: tuple[int, ...] = ()  #: gold words without a counterpart
    system_words_only: tuple[int, ...] = ()  #: system words without a counterpart
    #: For each of ``pairs`` the intersection of the two intervals over their union, in (0, 1]; ``None``
    #: unless mapped by overlap.
    overlaps: tuple[float, ...] | None = None
    #: (gold node, system word); only nodes without types map to words.
    node_word_pairs: tuple[tuple[int, int], ...] = ()
    word_node_pairs: tuple[tuple[int, int], ...] = ()  #: (gold word, system node)

    def to_dict(self) -> dict[str, Any]:
        """Return the lists by name, JSON-ready."""
        return {
            name: [list(item) if isinstance(item, tuple) else item for item in items]
            for name, items in self._asdict().items()
            if items or (items is not None and name not in ("node_word_pairs", "word_node_pairs"))
        }


TREES = "Trees"  # Heading of figures of whole trees


class Metric:
    """Base class of metrics; a run makes each with ``Metric(settings, rules)``.

    Reports and comparisons of systems show what a metric declares here.
    """

    name: ClassVar[str]  #: name in ``--metrics``, and key in records and in JSON
    counts: ClassVar[type[Counts]]  #: class of its records; it can be called without arguments
    heading: ClassVar[str] = TREES  #: heading of its lines in the summary
    figures: ClassVar[Sequence[Figure]] = ()  #: its numbers, read from its records
    #: Names of the settings that it uses, except those that every run uses
    #: (``jpevalb.score.signature.EVERY_RUN``). A setting that no part of a run uses is rejected.
    settings: ClassVar[Sequence[str]] = ()
    has_table: ClassVar[bool] = False  #: True if reports show it in a separate table
    #: True if it is about spans alone: reports of its runs leave out tags, labels and gaps
    spans_only: ClassVar[bool] = False
    #: Where the numbers of a plain pair are in :data:`jpevalb.kernels.counting.COUNTED`; other numbers are 0.
    #: A plain pair has one sentence a side, the same words, and brackets in gold.  It is not passed to
    #: :meth:`count`, unless this is empty.
    plain: ClassVar[AbstractMapping[str, str]] = {}
    keeps_pairs: bool = False  #: True if it must store in each pair what the report lists
    #: a word ``key:value`` of the signature, for anything that its figures depend on apart from the files and
    #: the settings; empty for nothing
    signature: str = ""

    def __init__(self, settings: Settings, rules: RunRules) -> None:
        self._settings, self._rules = settings, rules

    def zero(self) -> Counts:
        """Return the record of no pair."""
        return self.counts.zero()

    def count(self, pair: Pair) -> Counts:
        """Return the record of one pair."""
        raise NotImplementedError

    def uncounted(self, pair: Pair) -> Counts:
        """Return the record of a pair that is not counted."""
        return self.zero()

    def listed(self, pair: Pair) -> AbstractMapping[str, Any]:
        """Return more keys for the JSON of a pair, JSON-ready."""
        return {}

    def mapping(self, pair: Pair) -> Mapping | None:
        """Return the mapping of a pair's nodes; raise a ``KeyError`` if the metric maps no nodes."""
        raise KeyError(self.name)

    def finish(self) -> None:
        """Check, after all pairs, that additional input has been used up.

        Raises:
            JpevalbError: some of it is left.
        """
        return

    def warnings(self) -> Iterable[str | Claim]:
        """Return warnings, after all pairs, about additional input."""
        return ()

    def lines(self, record: Any) -> Sequence[Line]:
        """Return the lines below its heading in the summary; by default those of its figures."""
        return [figure.line_of(record) for figure in self.figures if figure.line]

    def notes(self, record: Any) -> Iterable[str | Claim]:
        """Return notes that a report prints below its summary, one line each."""
        return ()

    def left_out(self, record: Any) -> Sequence[tuple[int, str]]:
        """Return numbers of sentences without a value, with the reason; zero counts are omitted."""
        return ()

    def described(self, total: Any) -> AbstractMapping[str, Any]:
        """Return more keys for the JSON report, given the sum of the run's records."""
        return {}


def row_figures(metrics: Iterable[Metric]) -> list[tuple[str, Figure]]:
    """Return the figures that are columns in the rows of sentences, with the names of their metrics."""
    return [(metric.name, figure) for metric in metrics for figure in metric.figures if figure.column]


def signed(signature: str, metrics: Iterable[Metric]) -> str:
    """Return a signature with the words of the metrics."""
    return " ".join([signature, *[metric.signature for metric in metrics if metric.signature]])


def metric_of(name: str) -> type[Metric]:
    """Return the class of a metric of jpevalb or of another package; raises a ``SettingsError``."""
    kind: type[Metric] = (
        imported(METRICS_HERE[name][1]) if name in METRICS_HERE else load_plugin(METRICS, name)
    )
    return kind


def computed(settings: Settings) -> list[str]:
    """Return the names of the metrics of a run: those of every run, and those that the settings name."""

    def wanted(name: str, when: str) -> bool:
        if when in (ALWAYS, UNNAMED):
            return True
        if when == IF_ALIGNED:
            return not settings.identical_words
        return name in settings.metrics if when in (DEFAULT, NAMED) else bool(getattr(settings, when))

    names = [name for name, when in REGISTRY.items() if wanted(name, when)]
    return [*names, *[name for name in settings.metrics if name not in REGISTRY]]


def make_metrics(settings: Settings, rules: RunRules) -> list[Metric]:
    """Return the metrics of a run: metrics of other packages after those with lines, before the tables."""
    metrics = [metric_of(name)(settings, rules) for name in computed(settings)]
    return sorted(metrics, key=lambda metric: metric.has_table)
