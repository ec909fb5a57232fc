"""Run the evalb kernel over two byte streams, block by block, in constant memory, and print its report."""

from __future__ import annotations

from ..kernels.evalb import DEAD, LAST, EvalbScorer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from ..settings.params import Params

    # Bytes, repetitions, and number of rows (with debugging: items of the trace) that are printed before
    Message = tuple[bytes, int, int]
    # Result of scoring some lines: messages; nine 64-bit numbers a row (line, length, status, matched, gold,
    # system, crossing, words, correct tags); with debugging, trace and tables as bytes, and numbers of rows
    # that come in between; and True if there are too many errors.
    ScoredLines = tuple[list[Message], memoryview[int], list[bytes | int], bool]

BLOCK = 1 << 18
# Maximum number of bytes of a line: a few kilobytes can decompress to an endless line, and each bracket of it
# takes 160 bytes of memory.
LONGEST = 1 << 23
UNMATCH = b"Number of lines unmatch (too many lines in %s file)"
DIALECTS = ("evalb", "spmrl")


class ReadError(Exception):
    """A file that cannot be read to its end; ``side`` is 0 for gold, 1 for the system."""

    def __init__(self, error: BaseException, side: int) -> None:
        super().__init__(getattr(error, "strerror", None) or str(error) or type(error).__name__)
        self.side = side


class Stream:
    """Bytes of one side (0 is gold, 1 the system), with those that are read but not scored yet."""

    def __init__(self, source: Any, side: int) -> None:
        self.source = source  # has a method ``read``: a file, or lines that are joined while reading
        self.side = side
        self.data = b""
        self.position = 0
        self.ended = False

    def fill(self) -> None:
        """Read until there is a whole line, of LONGEST bytes at most, or the file ends.

        The pieces are joined once: a pipe gives a giant line in small pieces.  After a ReadError, data read
        before stays available.
        """
        size = len(self.data) - self.position
        whole = self.data.find(b"\n", self.position) >= 0
        if self.ended or whole:
            return
        pieces = [self.data[self.position :]]
        try:
            while not (self.ended or whole):
                more = self.source.read(BLOCK)
                pieces.append(more)
                size += len(more)
                whole = whole or b"\n" in more
                self.ended = not more
                if size > LONGEST and not whole:
                    raise OSError(f"a line is longer than {LONGEST >> 20} MiB; is this a treebank?")
        except Exception as error:
            # Imported late: it takes longer than scoring a small file.
            from ..base.streams import is_damage

            if not is_damage(error):
                raise
            raise ReadError(error, self.side) from None
        finally:
            self.data = b"".join(pieces)
            self.position = 0

    @property
    def empty(self) -> bool:
        """True if every line has been scored."""
        return self.ended and self.position == len(self.data)


def new_scorer(
    params: Params, *, dialect: str = "evalb", score_skipped: bool = False, last_line: int = -1
) -> EvalbScorer:
    """Make a kernel with these settings; texts are passed as bytes."""

    def raw(text: str) -> bytes:
        return text.encode("utf-8", "surrogateescape")

    labels = params.delete_labels, params.delete_labels_for_length, params.quote_labels
    pairs = params.eq_labels, params.eq_words
    lists = (
        *[tuple(map(raw, texts)) for texts in labels],
        *[tuple([(raw(first), raw(second)) for first, second in equal]) for equal in pairs],
    )
    spmrl = dialect == "spmrl"
    return EvalbScorer(lists, params.labeled, params.max_error, params.debug, spmrl, score_skipped, last_line)


def run(scorer: EvalbScorer, gold: Stream, system: Stream) -> Iterator[ScoredLines]:
    """Score two streams of lines from where they are; yield the results of successive blocks."""
    while True:
        gold.fill()
        system.fill()
        if gold.empty or system.empty:
            if not (gold.empty and system.empty):
                longer = b"test" if gold.empty else b"gold"
                yield taken(scorer, scorer.fail(UNMATCH % longer, gold.data, gold.position))
            return
        code = scorer.run(gold.data, gold.position, gold.ended, system.data, system.position, system.ended)
        gold.position, system.position = scorer.gold_place, scorer.test_place
        yield taken(scorer, code == DEAD)
        if code in (DEAD, LAST):
            return


def taken(scorer: EvalbScorer, killed: bool) -> ScoredLines:
    return scorer.take_messages(), scorer.take_rows(), scorer.take_trace(), killed


HEADER = (
    b"  Sent.                        Matched  Bracket   Cross        Correct Tag\n"
    b" ID  Len.  Stat. Recal  Prec.  Bracket gold test Bracket Words  Tags Accracy\n"
    b"============================================================================\n"
)
RULE = b"=" * 76 + b"\n"

# Indices of a list of sums, over all sentences or up to the cut-off length
SENTENCES, ERRORS, SKIPPED, MATCHED, GOLD, TEST, CROSSING, WORDS, TAGS, COMPLETE, NO_CROSSING, TWO = range(12)
SUMS = 12


def percent(part: int, whole: int) -> float:
    """Return 100 * part / whole, 0 for 0/0, computed as C does."""
    return 100.0 * part / whole if whole > 0 else 0.0


def f_measure(sums: Sequence[int]) -> str:
    """Return evalb's F in width 6; 0/0 is ``-nan``, as glibc prints it on x86-64."""
    recall, precision = percent(sums[MATCHED], sums[GOLD]), percent(sums[MATCHED], sums[TEST])
    if recall + precision == 0:
        return "  -nan"
    return f"{2 * precision * recall / (precision + recall):6.2f}"


def totals_line(sums: Sequence[int]) -> bytes:
    """Return the line below the rows, without its first half if a side has no brackets."""
    line = ""
    matched, gold, test = sums[MATCHED], sums[GOLD], sums[TEST]
    if gold > 0 and test > 0:
        line = f"{'':16}{percent(matched, gold):6.2f} {percent(matched, test):6.2f}"
        line += f" {matched:6d} {gold:5d} {test:5d}  {sums[CROSSING]:5d}"
    line += f"  {sums[WORDS]:5d} {sums[TAGS]:5d}   {percent(sums[TAGS], sums[WORDS]):6.2f}\n"
    return RULE + line.encode()


def block(title: str, sums: Sequence[int]) -> bytes:
    """Return one ``-- title --`` part of the summary."""
    valid = sums[SENTENCES] - sums[ERRORS] - sums[SKIPPED]
    average = sums[CROSSING] / valid if valid > 0 else 0.0
    lines = [
        f"\n-- {title} --",
        f"Number of sentence        = {sums[SENTENCES]:6d}",
        f"Number of Error sentence  = {sums[ERRORS]:6d}",
        f"Number of Skip  sentence  = {sums[SKIPPED]:6d}",
        f"Number of Valid sentence  = {valid:6d}",
        f"Bracketing Recall         = {percent(sums[MATCHED], sums[GOLD]):6.2f}",
        f"Bracketing Precision      = {percent(sums[MATCHED], sums[TEST]):6.2f}",
        f"Bracketing FMeasure       = {f_measure(sums)}",
        f"Complete match            = {percent(sums[COMPLETE], valid):6.2f}",
        f"Average crossing          = {average:6.2f}",
        f"No crossing               = {percent(sums[NO_CROSSING], valid):6.2f}",
        f"2 or less crossing        = {percent(sums[TWO], valid):6.2f}",
        f"Tagging accuracy          = {percent(sums[TAGS], sums[WORDS]):6.2f}",
        "",
    ]
    return "\n".join(lines).encode()


def summary(sums: Sequence[int], cutoff: int, files: tuple[bytes, ...] = (), *, quiet: bool = False) -> bytes:
    """Return the text after the rows; ``files`` has both file names for option ``-V`` of evalb_spmrl.

    Without rows, if ``quiet``, there is no line of their totals either.
    """
    # Twelve sums over all sentences, then twelve up to the cut-off length
    title = b"=== Summary%s ===\n" % (b": %s\tvs\t%s" % files if files else b"")
    blocks = block("All", sums[:SUMS]) + block(f"len<={cutoff}", sums[SUMS:])
    return (b"" if quiet else totals_line(sums)) + title + blocks


def one_line(sums: Sequence[int], system_name: bytes) -> bytes:
    """Return the line of evalb_spmrl for ``-L`` and ``-l``; its Prec is recall and its Rec precision."""
    valid = sums[SENTENCES] - sums[ERRORS] - sums[SKIPPED]
    parts = [
        f"F1: {f_measure(sums)} %",
        f"Prec: {percent(sums[MATCHED], sums[GOLD]):6.2f} %",
        f"Rec: {percent(sums[MATCHED], sums[TEST]):6.2f} %",
        f"POS: {percent(sums[TAGS], sums[WORDS]):6.2f} %",
        f"EX: {percent(sums[COMPLETE], valid):6.2f} %",
        f"Unparsed: {sums[SENTENCES] - valid:6d}",
        f"Sent: {sums[SENTENCES]:6d}",
        "file: ",
    ]
    return "\t".join(parts).encode() + system_name + b"\n"
