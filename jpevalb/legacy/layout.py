"""The report of evalb: functions from rows and sums to bytes."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

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


def f_measure(matched: int, gold: int, test: int) -> str:
    """Return evalb's F in width 6; 0/0 is ``-nan``, as glibc prints it on x86-64."""
    recall, precision = percent(matched, gold), percent(matched, test)
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
        f"Bracketing FMeasure       = {f_measure(sums[MATCHED], sums[GOLD], sums[TEST])}",
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
    return (
        (b"" if quiet else totals_line(sums))
        + title
        + block("All", sums[:SUMS])
        + block(f"len<={cutoff}", sums[SUMS:])
    )


def one_line(sums: Sequence[int], system_name: bytes) -> bytes:
    """Return the line of evalb_spmrl for ``-L`` and ``-l``; its Prec is recall and its Rec precision."""
    valid = sums[SENTENCES] - sums[ERRORS] - sums[SKIPPED]
    parts = [
        f"F1: {f_measure(sums[MATCHED], sums[GOLD], sums[TEST])} %",
        f"Prec: {percent(sums[MATCHED], sums[GOLD]):6.2f} %",
        f"Rec: {percent(sums[MATCHED], sums[TEST]):6.2f} %",
        f"POS: {percent(sums[TAGS], sums[WORDS]):6.2f} %",
        f"EX: {percent(sums[COMPLETE], valid):6.2f} %",
        f"Unparsed: {sums[SENTENCES] - valid:6d}",
        f"Sent: {sums[SENTENCES]:6d}",
        "file: ",
    ]
    return "\t".join(parts).encode() + system_name + b"\n"
