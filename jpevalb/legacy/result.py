"""evalb's report as a library: results per sentence, totals, and evalb's report of them."""

from __future__ import annotations

import os
from array import array
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cached_property
from os import PathLike
from typing import Any

from ..base.counts import MatchedCounts, Quotient, brief
from ..base.errors import InputError, SettingsError, TreeError
from ..base.files import input_name, open_bytes
from ..base.version import __version__
from ..kernels.evalb import add_rows, format_rows
from ..settings.params import DEFAULT_PRM, Params, folder
from ..trees.tree import Tree, is_node
from .engine import BLOCK, DIALECTS, HEADER, SUMS, UNMATCH, ReadError, Stream, new_scorer, run, summary

Lines = str | PathLike[str] | Iterable[Any]
ROW = 9
REPEATS = 1000


@dataclass(slots=True, eq=False, repr=False)
class LegacyCounts(MatchedCounts):
    """Counts of evalb over any number of sentences; ``+`` adds them.

    A sentence in error or skipped counts in ``sentences`` and in its own column only.  Rates are in [0, 1],
    or ``None`` where evalb would divide by 0.
    """

    sentences: int = 0  #: rows of the report
    errors: int = 0  #: sentences of status 1
    skipped: int = 0  #: sentences of status 2
    matched: int = 0  #: matched brackets
    gold: int = 0  #: gold brackets
    system: int = 0  #: system brackets
    crossing: int = 0  #: system brackets that cross a gold bracket
    words: int = 0  #: words
    tags: int = 0  #: words with equal tags
    complete: int = 0  #: sentences whose brackets all match, on both sides
    no_crossing: int = 0  #: sentences without crossing brackets
    two_or_less_crossing: int = 0  #: sentences with at most two crossing brackets

    @property
    def valid(self) -> int:
        """Number of sentences that are scored."""
        return self.sentences - self.errors - self.skipped

    complete_match = Quotient("complete", "valid", "Share of valid sentences whose brackets all match.")
    average_crossing = Quotient("crossing", "valid", "Crossing brackets per valid sentence.")
    tagging_accuracy = Quotient("tags", "words", "Share of words with equal tags.")

    def to_dict(self) -> dict[str, Any]:
        """Return counts and rates for JSON."""
        rates = ("recall", "precision", "f1", "complete_match", "average_crossing", "tagging_accuracy")
        return {name: getattr(self, name) for name in (*self.__match_args__, "valid", *rates)}


@dataclass(frozen=True, slots=True)
class LegacySentence:
    """One row of the report."""

    line: int  #: line number, from 1
    length: int  #: gold words without those of DELETE_LABEL_FOR_LENGTH
    status: int  #: 0 scored, 1 error, 2 skipped, 3 scored without a parse (option ``-X`` of evalb_spmrl)
    matched: int  #: matched brackets
    gold: int  #: gold brackets
    system: int  #: system brackets
    crossing: int  #: system brackets that cross a gold bracket
    words: int  #: words
    tags: int  #: words with equal tags

    @property
    def counts(self) -> LegacyCounts:
        """The row as counts that can be added up."""
        sums = _zeros()
        row = array("q", [getattr(self, name) for name in self.__match_args__])
        add_rows(memoryview(row), -1, sums)
        return LegacyCounts(*sums[:SUMS])


@dataclass(frozen=True)
class LegacyResult:
    """Result of a legacy run."""

    total: LegacyCounts  #: counts over all sentences
    cutoff: LegacyCounts  #: counts over the sentences of up to ``params.cutoff`` words
    #: messages of evalb on stderr, one line each; one that is repeated, at most a thousand times
    messages: tuple[str, ...]
    params: Params  #: the settings used
    dialect: str  #: "evalb" or "spmrl"
    _rows: bytes

    def __repr__(self) -> str:
        return brief(
            self, f1=self.f1, n_sentences=self.n_sentences, params=self.params.name, dialect=self.dialect
        )

    @property
    def signature(self) -> str:
        """Everything that a score depends on apart from the two files, in one line."""
        from ..score.signature import prm_name

        return f"jpevalb:{__version__} dialect:{self.dialect} prm:{prm_name(self.params)}"

    @property
    def n_sentences(self) -> int:
        """Number of sentences: scored, skipped or in error."""
        return self.total.sentences

    precision = Quotient(
        "total.matched", "total.system", "Precision over all constituents; ``None`` if the system has none."
    )
    recall = Quotient(
        "total.matched", "total.gold", "Recall over all constituents; ``None`` if gold has none."
    )

    @property
    def f1(self) -> float | None:
        """F1 over all constituents; ``None`` if both sides have none."""
        return self.total.f1

    @cached_property
    def sentences(self) -> tuple[LegacySentence, ...]:
        """The rows of the report, in order."""
        numbers = memoryview(self._rows).cast("q").tolist()
        return tuple(LegacySentence(*numbers[at : at + ROW]) for at in range(0, len(numbers), ROW))

    def report(self, *, quiet: bool = False) -> str:
        """Return evalb's report; the summary alone if ``quiet``."""
        both, names = (self.total, self.cutoff), LegacyCounts.__match_args__
        sums = [getattr(counts, name) for counts in both for name in names]
        rows = b"" if quiet else HEADER + format_rows(memoryview(self._rows).cast("q"))
        return (rows + summary(sums, self.params.cutoff, quiet=quiet)).decode("utf-8", "surrogateescape")

    def to_dict(self) -> dict[str, Any]:
        """Return totals, cut-off totals and sentences for JSON."""
        from ..metrics.brackets import LEGACY

        return {
            "convention": self.dialect,
            "signature": self.signature,
            "figures": {figure.name: figure.value(self.total) for figure in LEGACY},
            "dialect": self.dialect,
            "params": self.params.name,
            "killed": False,  # kept for readers of older versions: such a run raises an error
            "total": self.total.to_dict(),
            "cutoff": {"length": self.params.cutoff, **self.cutoff.to_dict()},
            "sentences": [
                {name: getattr(sentence, name) for name in LegacySentence.__match_args__}
                for sentence in self.sentences
            ],
            "messages": list(self.messages),
        }


def evaluate(
    gold_lines: Lines,
    sys_lines: Lines,
    params: Params | str | PathLike[str] | None = None,
    *,
    dialect: str = "evalb",
    score_skipped: bool = False,
    last_line: int = -1,
) -> LegacyResult:
    """Score lines as evalb does; raise an error if evalb would give up.

    Args:
        gold_lines: One gold tree per line: a path, an open file, or an iterable of str or bytes (with or
            without line ends), of :class:`jpevalb.Tree` or of nltk trees.  The lines of a tree that spans
            several lines of one text are joined with blanks.
        sys_lines: The system's trees.
        params: Settings, or the name or path of a .prm file; default: the bundled COLLINS.prm, as for
            ``-evalb``.  ``Params()`` are those of evalb without a file.  ``debug`` is ignored.
        dialect: "evalb", or "spmrl" for evalb_spmrl.
        score_skipped: Option ``-X`` of evalb_spmrl.
        last_line: Option ``-K`` of evalb_spmrl; -1 for no limit.

    Raises:
        SettingsError: Invalid dialect, type of ``params`` or ``last_line``.
        ParamsError: The .prm file cannot be read.
        TreeError: A text continues behind a line end where its brackets are closed.
        InputError: A file cannot be opened, the lines cannot be read to the end, or they are not lines; one
            side has more lines; or there are more errors than ``params.max_error`` allows.

    Nine numbers per sentence are kept in memory.

    Source: Sekine & Collins (1997), evalb.
    """
    if dialect not in DIALECTS:
        raise SettingsError(f"dialect is {dialect!r}; expected {' or '.join(DIALECTS)}")
    if isinstance(params, (str, PathLike)):
        params = Params.load(params)
    elif params is None:
        params = Params.load(os.path.join(folder(), DEFAULT_PRM)).replace(name=DEFAULT_PRM)
    elif not isinstance(params, Params):
        raise SettingsError(
            f"params is a {type(params).__name__}; expected Params, or the name or path of a .prm file"
        )
    if not isinstance(last_line, int):
        raise SettingsError(f"last_line={last_line!r}; expected the number of a line, or -1")
    sums = _zeros()
    rows = bytearray()
    messages: list[str] = []
    with ExitStack() as stack:
        gold_name, gold = _source("gold", gold_lines, stack)
        system_name, system = _source("system", sys_lines, stack)
        scorer = new_scorer(
            params.replace(debug=0), dialect=dialect, score_skipped=score_skipped, last_line=last_line
        )
        streams, names = (Stream(gold, 0), Stream(system, 1)), (gold_name, system_name)
        try:
            for texts, lines, _, killed in run(scorer, *streams):
                for text, count, _ in texts:
                    line = text.decode("utf-8", "surrogateescape").rstrip("\n")
                    for side, stream in zip((b"gold", b"test"), streams):
                        if line.endswith((UNMATCH % side).decode()) and not _is_blank(stream):
                            raise InputError(
                                f"more lines than {names[1 - stream.side]} ({int(line.split()[0]) - 1}); "
                                "evalb scores line by line, so write each tree on one line, on both sides; "
                                "leave out -evalb if the sentences differ",
                                source=names[stream.side],
                            )
                    messages.extend([line] * min(count, REPEATS))
                if killed:
                    raise InputError(
                        "evalb gives up, because of more errors than MAX_ERROR "
                        f"({params.max_error}) allows; the last one is {messages[-1]!r}; "
                        "correct the lines, or raise MAX_ERROR (-e N)",
                        source=system_name,
                    )
                add_rows(lines, params.cutoff, sums)
                rows += lines.cast("B")
        except ReadError as error:
            raise InputError(f"cannot read to the end: {error}", source=names[error.side]) from error
    total, cutoff = LegacyCounts(*sums[:SUMS]), LegacyCounts(*sums[SUMS:])
    return LegacyResult(total, cutoff, tuple(messages), params, dialect, bytes(rows))


def _is_blank(stream: Stream) -> bool:
    """Return True if a stream has only blank lines left, as an editor may leave behind the last tree."""
    rest = stream.data[stream.position :]
    while rest and not rest.strip():
        rest = stream.source.read(BLOCK)
    return not rest


def _source(name: str, lines: Lines, stack: ExitStack) -> tuple[str, Any]:
    """Return the name of a file or lines in messages, and their bytes."""
    if isinstance(lines, (str, bytes)):
        shown = ascii(lines[:40])
        if lines.lstrip()[:1] in ("(", b"("):
            raise InputError(f"got one string, {shown}; expected a list of lines: [{shown}]", source=name)
        if isinstance(lines, bytes):
            raise InputError(f"got bytes, {shown}; expected a path as str or a list of lines", source=name)
    if isinstance(lines, (str, PathLike)):
        name = input_name(lines)
        if name == "<stdin>":
            return name, stack.enter_context(open(0, "rb", closefd=False))
        return name, stack.enter_context(open_bytes(lines))
    try:
        return name, _LineSource(name, iter(lines))
    except TypeError:
        raise InputError(
            f"got an object of type {type(lines).__name__}; expected a path, an open file or a list of lines",
            source=name,
        ) from None


class _LineSource:
    """Lines as a stream of bytes."""

    def __init__(self, name: str, lines: Iterator[Any]) -> None:
        self.name = name
        self._number = 0
        self._lines = lines

    def read(self, size: int, /) -> bytes:
        data = bytearray()
        while len(data) < size and (item := next(self._lines, self)) is not self:
            self._number += 1
            data += self._raw(item)
        return bytes(data)

    def _raw(self, item: Any) -> bytes:
        """Return an item as one line with its end."""
        if isinstance(item, Tree):
            item = item.to_bracket()
        elif callable(getattr(item, "label", None)) and callable(getattr(item, "leaves", None)):
            # An nltk tree; a long one is printed on several lines.
            item = str(item)
        elif is_node(item) and hasattr(item, "children"):
            item = Tree.from_nltk(item).to_bracket()
        problem = ""
        if isinstance(item, str):
            try:
                item = item.encode("utf-8", "surrogateescape")
            except UnicodeEncodeError as error:
                problem = f"{item[error.start]!a}, half of a character; expected whole ones"
        elif not isinstance(item, bytes):
            kind = type(item).__name__
            problem = f"got an object of type {kind}; expected a line of str or bytes, or a tree"
        if problem:
            raise InputError(problem, source=self.name, line=self._number)
        lines = item.removesuffix(b"\n").split(b"\n")
        depth = 0
        for line in lines[:-1]:
            depth += line.count(b"(") - line.count(b")")
            # An additional line would shift all later trees.
            if depth <= 0:
                message = "a line end inside a line; write each tree on one line"
                raise TreeError(message, source=self.name, line=self._number)
        return b" ".join(lines) + b"\n"


def _zeros() -> memoryview[int]:
    return memoryview(bytearray(8 * 2 * SUMS)).cast("q")
