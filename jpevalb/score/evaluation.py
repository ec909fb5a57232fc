"""Evaluations: the scores of one system, and the rates that are read from its records."""

from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from struct import Struct
from typing import Any, NamedTuple

from .. import errors
from ..alignment.pair import EXCLUDED, EXTRA, MISSING, NO_PARSE, SHORT, UNREADABLE
from ..base.claims import Claim, texts
from ..base.counts import Counts, Quotient, Sums, brief, notebook
from ..base.errors import SettingsError, TooLargeError
from ..base.plugins import late
from ..base.version import SCHEMA_VERSION
from ..metrics import Figure, Mapping as NodeMapping, Metric, signed
from ..metrics.brackets import ALIGNMENT, DISCONTINUOUS
from ..metrics.record import Record
from ..settings.settings import Settings
from .sentence import SentenceResult
from .signature import signature_of

# States of beads: with text on one side only; of texts that are not similar
UNALIGNED, UNLIKE = "unaligned", "unlike"
# States in which sentences are left out, or scored without a counterpart, in the order of the report
LEFT_OUT = (MISSING, UNALIGNED, NO_PARSE, UNLIKE, UNREADABLE, SHORT, EXCLUDED, EXTRA)
# Default number of sentences whose trees a page shows
WORST = 2_000
LEVEL = 0.05  # p-values below it are called differences


class Standardised(NamedTuple):
    """Something that was assumed about the trees or words of one side."""

    side: str  #: "gold" or "system"
    what: str  #: name of the item in reports and JSON
    #: number of sentences, or of what is named
    count: int  # type: ignore[assignment]


class LeftOut(NamedTuple):
    """Sentences that were left out, or scored without a counterpart: one bead, or consecutive beads."""

    #: "missing": the system has no such sentence; "unaligned": text on one side only; "no parse": no usable
    #: system tree; "unlike": texts that are not similar; "unreadable": the sentence could not be parsed;
    #: "short": too few words; "excluded": left out by a convention; "extra": gold has no such sentence.
    state: str
    number: int  #: number of the first bead, from 1
    gold: tuple[int, int]  #: half-open range of 0-based gold sentence numbers
    system: tuple[int, int]  #: half-open range of 0-based system sentence numbers
    id: str | None = None  #: id of the sentence, if it has one
    reason: str = ""  #: the error message, or more about the state
    equal: float | None = None  #: share of equal characters of dissimilar texts, in [0, 1]

    @property
    def size(self) -> int:
        """The number of beads."""
        sizes = [end - begin for begin, end in (self.gold, self.system)]
        return 1 if self.state == UNLIKE else max(sizes)

    def joined(self, other: "LeftOut") -> "LeftOut | None":
        """Return both as one, if ``other`` is the next bead and text is on the same side.

        >>> one = LeftOut("unaligned", 3, (2, 3), (2, 2))
        >>> one.joined(LeftOut("unaligned", 4, (3, 4), (2, 2))).gold
        (2, 4)
        >>> one.joined(LeftOut("unaligned", 9, (8, 9), (2, 2)))
        """
        first, second = [[begin < end for begin, end in (one.gold, one.system)] for one in (self, other)]
        end = self.number + self.size, self.gold[1], self.system[1]
        follows = first == second and end == (other.number, other.gold[0], other.system[0])
        if self.state not in (UNALIGNED, NO_PARSE) or not follows:
            return None
        return self._replace(gold=(self.gold[0], other.gold[1]), system=(self.system[0], other.system[1]))


@dataclass(frozen=True, slots=True, repr=False)
class Evaluation:
    """The scores of a system file against a gold file."""

    settings: Settings  #: how it was made, with the convention chosen
    paired_by: str  #: ``"align"``, ``"id"`` or ``"order"``, the way in which sentences were paired
    #: the sum over all sentences, with ``.brackets``, ``.tags``, ``.gaps`` (brackets whose yield has gaps)
    #: and the counts of other metrics by name
    total: Record
    cutoff: Record  #: the sum over the sentences of at most ``cutoff_length`` units
    cutoff_length: int  #: longest sentence of ``cutoff``, in units
    #: one result a sentence or bead, in order; empty if they were not kept
    sentences: Sequence[SentenceResult]
    states: dict[str, int]  #: number of sentences in each state of :class:`LeftOut`
    left_out: tuple[LeftOut, ...]  #: the first five sentences, or stretches of them, in each of these states
    claimed: tuple[Claim, ...]  #: warnings as claims, and what evalb counts in another way
    metrics: tuple[Metric, ...] = field(compare=False)  #: the metrics that were computed
    standardised: tuple[Standardised, ...] = ()  #: what was assumed about either side
    #: length and sum for each other cut-off; ``cutoff`` is the longest
    more_cutoffs: tuple[tuple[int, Record], ...] = ()
    #: gold sentences that a convention left out, as their words differ or they have no parse
    excluded: int = 0
    unparsed: bool = False  #: True if no sentence of the system has a parse

    def __repr__(self) -> str:
        try:
            signature = self.signature
        except OSError:
            # The exception list, whose digest is part of it, is gone.
            signature = "?"
        return brief(self, f1=self.f1, n_sentences=self.n_sentences, signature=signature)

    @property
    def signature(self) -> str:
        """Everything that a score depends on apart from the two files, in one line."""
        return signed(signature_of(self.settings, self.paired_by), self.metrics)

    @property
    def warnings(self) -> tuple[str, ...]:
        """Likely mistakes in the input or the settings."""
        return texts(self.claimed, "warning")

    @property
    def n_sentences(self) -> int:
        """Number of sentences, or beads of sentences, that count, whether they were kept or not."""
        beads: int = self.total.sentences.groups
        return beads

    @property
    def excluded_share(self) -> float:
        """Share of the gold sentences that a convention left out for their words, in [0, 1]."""
        return self.excluded / max(1, self.excluded + self.n_sentences)

    precision = Quotient(
        "total.brackets.matched",
        "total.brackets.system",
        "Precision over all constituents; ``None`` if the system has none.",
    )
    recall = Quotient(
        "total.brackets.matched",
        "total.brackets.gold",
        "Recall over all constituents; ``None`` if gold has none.",
    )

    @property
    def f1(self) -> float | None:
        """F1 over all constituents, or under some conventions the mean of the sentences' F1."""
        brackets = self.total.brackets
        return brackets.sentence_f1 if self.settings.is_mean else brackets.f1

    def report(
        self,
        format: str = "text",
        *,
        quiet: bool = False,
        verbose: bool = False,
        gold_name: str | None = None,
        system_name: str | None = None,
        worst: int | None = WORST,
        details: bool = False,
        table: str | None = None,
    ) -> str:
        """Return the evaluation as text.

        Args:
            format: One of ``jpevalb.report.FORMATS``.
            quiet: Leave out the sentences.
            verbose: Write all counters in the text report.
            gold_name: Name of the gold side on an HTML page, such as the name of the file.
            system_name: Name of the system side on an HTML page.
            worst: Number of sentences that an HTML page lists, those with most errors; ``None`` for all.
            details: Give the sentences of JSON their words, units and constituents.
            table: The only table of CSV or TSV, such as ``causes``; ``None`` for all of them.

        Raises:
            SettingsError: an unknown format or table, or details in a format without them.
        """
        how = {"gold_name": gold_name, "system_name": system_name, "worst": worst, "table": table}
        text: str = late("report").render(
            self, format, quiet=quiet, details=details, verbose=verbose or None, **how
        )
        return text

    _repr_html_ = notebook

    def to_dict(self) -> dict[str, Any]:
        """Return everything counted as ints, floats in [0, 1], strings, ``None``, lists and dicts."""
        sentences = [sentence.to_dict(self.metrics) for sentence in self.sentences]
        return {**self.sums(self.intervals), "sentences": sentences}

    def sums(self, intervals: Mapping[str, tuple[float, float] | None]) -> dict[str, Any]:
        """Return everything counted but the sentences, JSON-ready, with intervals of the figures if any."""
        return {
            "version": SCHEMA_VERSION,
            "convention": self.settings.convention,
            "signature": self.signature,
            "paired_by": self.paired_by,
            "figures": self.figures,
            **({"intervals": listed_intervals(intervals)} if intervals else {}),
            "total": self.total.to_dict(),
            "cutoff_length": self.cutoff_length,
            "cutoff": self.cutoff.to_dict(),
            **(
                {"more_cutoffs": [{"length": n, "counts": one.to_dict()} for n, one in self.more_cutoffs]}
                if self.more_cutoffs
                else {}
            ),
            "states": dict(self.states),
            **({"excluded": self.excluded} if self.excluded else {}),
            "left_out": [
                {**item._asdict(), "gold": list(item.gold), "system": list(item.system)}
                for item in self.left_out
            ],
            "warnings": list(self.warnings),
            "standardised": [item._asdict() for item in self.standardised],
            **{key: item for one in self.metrics for key, item in one.described(self.total).items()},
            "claims": late("claims")(self, intervals),
        }

    @property
    def figures(self) -> dict[str, float | None]:
        """Rates of the total in [0, 1] by name, as comparisons name them; ``None`` where undefined."""
        figures = figures_of(self.metrics, self.settings)
        return {figure.name: figure.value(self.total) for figure in figures}

    @property
    def intervals(self) -> dict[str, tuple[float, float] | None]:
        """95 % bootstrap intervals of the figures by name; empty if the sentences were not kept.

        They are expanded percentiles of 1,000 resamples of the sentences with the default seed.
        ``None`` if a figure is undefined, or with fewer than ten sentences.
        """
        if not self.sentences:
            return {}
        cells = Cells(figures_of(self.metrics, self.settings))
        for one in self.sentences:
            cells.add(one.record)
        from ..metrics.significance import named_intervals

        return named_intervals(cells.columns())

    def node_mapping(self, sentence: SentenceResult, metric: str = "siou") -> NodeMapping | None:
        """Return which nodes of a sentence's trees a tree metric maps to each other.

        Args:
            sentence: One of ``sentences``.
            metric: ``"siou"`` or ``"nodes"``.

        Returns:
            The mapping; for Struct-IoU with the overlap of each pair.  ``None`` where the trees are too
            large to map, and with times, which are read once only.

        Raises:
            KeyError: the evaluation has no such metric.
        """
        for one in self.metrics:
            if one.name == metric:
                try:
                    return one.mapping(sentence.pair)
                except TooLargeError:
                    return None
        raise KeyError(metric)

    def analysis(self) -> "errors.Analysis":
        """Return the error analysis: causes, labels, confusions, scores by length.

        It names the sentences that have each error if the sentences were kept, as ``evaluate`` does.

        Raises:
            SettingsError: the sentences were not kept, and ``analysis`` was not asked for.
        """
        from ..errors.analysis import Analysis, analyse
        from ..errors.causes import load_classes

        if len(self.sentences) == self.total.sentences.groups:
            settings = self.settings
            return analyse(self.sentences, load_classes(settings.error_classes, lang=settings.lang))
        if "analysis" in self.total:
            return Analysis.of(self.total["analysis"])
        raise SettingsError("the sentences were not kept; evaluate with analysis=True for the sums")


def figures_of(metrics: Iterable[Metric], settings: Settings) -> list[Figure]:
    """Return the figures of a run, read from its records."""
    own = [
        figure.read_from(metric.name)
        for metric in metrics
        for figure in metric.figures
        if figure.title and not (settings.identical_words and metric.name in ("gaps", "tags"))
    ]
    return [*(DISCONTINUOUS if settings.identical_words else ALIGNMENT), *own]


class Cells:
    """The counts of figures, record by record."""

    def __init__(self, figures: Iterable[Figure]) -> None:
        #: of each record in turn, the numbers from which the counts of the figures are computed
        self.numbers = array("q")
        self._counts = {figure: figure.counts for figure in figures}
        named = [one.names for one in self._counts.values() if isinstance(one, Sums)]
        self.names = tuple(dict.fromkeys(chain.from_iterable(named)))
        self._others = [one for one in self._counts.values() if not isinstance(one, Sums)]
        self._packed = Struct(f"{len(self.names)}q").pack

    def add(self, record: Counts, row: Iterable[int] | None = None) -> None:
        """Add the next record; ``row`` has its numbers of these ``names``, if they are known."""
        # Numbers that are appended one by one take five times as long.
        self.numbers.frombytes(self._packed(*(row or record.picked(self.names))))
        for counts in self._others:
            self.numbers.extend(counts(record))

    def columns(self) -> "dict[Figure, list[array[int]]]":
        """Return the numerators and the denominators of each figure."""
        width = len(self.names) + 2 * len(self._others)
        columns = [self.numbers[k::width] for k in range(width)]
        named, others = dict(zip(self.names, columns)), iter(columns[len(self.names) :])
        return {
            figure: counts.of_columns(named) if isinstance(counts, Sums) else [next(others), next(others)]
            for figure, counts in self._counts.items()
        }


def listed_intervals(named: Mapping[str, tuple[float, float] | None]) -> dict[str, list[float] | None]:
    """Return intervals JSON-ready."""
    return {name: ends and list(ends) for name, ends in named.items()}
