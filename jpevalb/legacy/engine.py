"""Runs the evalb kernel over two byte streams, block by block, in flat memory."""

from __future__ import annotations

from ..kernels.evalb import DEAD, LAST, Scorer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Protocol

    from ..trees.params import Params

    class Source(Protocol):
        """Anything that hands out bytes: a file, or lines joined on the way."""

        def read(self, size: int, /) -> bytes: ...


BLOCK = 1 << 18
ALL_ROWS = 1 << 30
UNMATCH = b"Number of lines unmatch (too many lines in %s file)"
NO_ROWS = memoryview(b"").cast("q")

# The two dialects and evalb_spmrl's options that change what is counted.
DIALECTS = ("evalb", "spmrl")


class ReadError(Exception):
    """A file that cannot be read on; ``side`` is 0 for gold, 1 for the system."""

    def __init__(self, error: BaseException, side: int) -> None:
        super().__init__(getattr(error, "strerror", None) or str(error) or type(error).__name__)
        self.side = side


class Chunk:
    """What some lines gave: messages, rows, and with debugging the trace between the rows.

    Attributes:
        messages: Pairs of bytes and how many times they are to be said, in order.
        rows: Nine 64-bit numbers a row: line, length, status, matched, gold,
            system, crossing, words, correct tags.
        trace: Bytes, the tables with them, and numbers of rows that come in
            between; empty without debugging.
        killed: Whether the run ended here because of too many errors.
    """

    __slots__ = ("killed", "messages", "rows", "trace")

    def __init__(
        self, messages: list[tuple[bytes, int]], rows: memoryview[int], trace: list[bytes | int], killed: bool
    ) -> None:
        self.messages = messages
        self.rows = rows
        self.trace = trace
        self.killed = killed


class Stream:
    """One side's bytes, with the part of them that is read and not yet scored.

    Args:
        source: What hands them out.
        side: 0 for gold, 1 for the system.
    """

    def __init__(self, source: Source, side: int) -> None:
        self.source = source
        self.side = side
        self.data = b""
        self.place = 0
        self.ended = False
        self._error: ReadError | None = None

    def fill(self, least: int = 0) -> None:
        """Reads on where no whole line is left, and up to ``least`` bytes.

        What is read is joined once: a pipe gives a giant line in small pieces.
        Cost: O(bytes read).

        Raises:
            ReadError: the source cannot be read on, once more at each later call that would; what
                was read before stays.
        """
        size = len(self.data) - self.place
        whole = self.data.find(b"\n", self.place) >= 0
        if self.ended or (whole and size >= least):
            return
        if self._error is not None:
            raise self._error
        pieces = [self.data[self.place :]]
        try:
            while not self.ended and not (whole and size >= least):
                more = self.source.read(BLOCK)
                pieces.append(more)
                size += len(more)
                whole = whole or b"\n" in more
                self.ended = not more
        except Exception as error:
            # Not at the top: the readers of formats take longer to import than many files to score.
            from ..trees.streams import is_damage

            if not is_damage(error):
                raise
            self._error = ReadError(error, self.side)
            raise self._error from None
        finally:
            self.data = b"".join(pieces)
            self.place = 0

    @property
    def empty(self) -> bool:
        """Whether every line has been scored."""
        return self.ended and self.place == len(self.data)


def new_scorer(
    params: Params, *, dialect: str = "evalb", score_skipped: bool = False, last_line: int = -1
) -> Scorer:
    """A kernel with these settings; texts go to it as bytes."""

    def raw(text: str) -> bytes:
        return text.encode("utf-8", "surrogateescape")

    lists = (
        tuple(map(raw, params.delete_labels)),
        tuple(map(raw, params.delete_labels_for_length)),
        tuple(map(raw, params.quote_labels)),
        tuple((raw(first), raw(second)) for first, second in params.eq_labels),
        tuple((raw(first), raw(second)) for first, second in params.eq_words),
    )
    spmrl = dialect == "spmrl"
    return Scorer(lists, params.labeled, params.max_error, params.debug, spmrl, score_skipped, last_line)


def run(scorer: Scorer, gold: Source, system: Source) -> Iterator[Chunk]:
    """Scores two streams of lines; yields what each stretch of them gave.

    Raises:
        ReadError: a source cannot be read on.

    Cost: O(bytes); memory: a few blocks, or the longest line.
    """
    return run_streams(scorer, (Stream(gold, 0), Stream(system, 1)))


def run_streams(scorer: Scorer, sides: tuple[Stream, Stream]) -> Iterator[Chunk]:
    """As :func:`run`, on streams that may have been read from already."""
    left, right = sides
    while True:
        for side in sides:
            side.fill()
        if left.empty or right.empty:
            if not (left.empty and right.empty):
                if left.empty:
                    killed = scorer.fail(UNMATCH % b"test")
                else:
                    killed = scorer.fail_behind(left.data, left.place, left.ended, UNMATCH % b"gold")
                yield Chunk(scorer.take_messages(), NO_ROWS, scorer.take_trace(), killed)
            return
        code = scorer.run(left.data, left.place, left.ended, right.data, right.place, right.ended, ALL_ROWS)
        left.place, right.place = scorer.places()
        yield Chunk(scorer.take_messages(), scorer.take_rows(), scorer.take_trace(), code == DEAD)
        if code in (DEAD, LAST):
            return
