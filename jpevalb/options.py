"""The options of the command line, legacy mode's excepted: each is declared once, here."""

from __future__ import annotations

import argparse

from . import comparison_command as comparison
from . import discontinuous_command as discontinuous
from .readers import FORMATS as INPUT_FORMATS
from .report import FORMATS as OUTPUT_FORMATS
from .settings import METRICS, UNITS, Settings


def parser() -> argparse.ArgumentParser:
    """The options; those that change a score are named as the fields of ``Settings``."""
    default = Settings()
    made = argparse.ArgumentParser(
        prog="jpevalb",
        description="Scores a file of system trees against a file of gold trees. "
        "Sentences and words are aligned first, so the files may differ in both.",
        epilog="Legacy mode, byte for byte evalb: jpevalb GOLD SYSTEM -evalb [PRM], or evalb's own options.",
        allow_abbrev=False,
    )
    add = made.add_argument
    add("gold", metavar="GOLD", help="gold trees; '-' is standard input, .gz .bz2 .xz are decompressed")
    add("system", metavar="SYSTEM", nargs="+", help="the system's trees; several systems are compared")
    add("--prm", help="a .prm file, bundled or by path: its labels and words as evalb means them")
    add("--lang", default=default.lang, metavar="CODE", help="exception list of contractions (default: en)")
    add("--exceptions", metavar="FILE", help="an exception list of your own instead")
    add(
        "--align-ratio",
        type=float,
        default=default.align_ratio,
        metavar="R",
        help="largest edit distance of similar sentences, over the gold length (default: 0.15)",
    )
    add(
        "--metrics",
        type=_names,
        default=default.metrics,
        metavar="LIST",
        help=f"comma-separated: {','.join(METRICS)} (default: all); brackets and tags are always counted",
    )
    add(
        "--unit",
        choices=UNITS,
        default=default.unit,
        help="length of a word for Struct-IoU: 1, or its characters (default: characters where words differ)",
    )
    add("--gold-times", metavar="F", help="times of the gold words: CTM, TextGrid, or a folder of TextGrids")
    add("--sys-times", metavar="F", help="times of the system's words")
    add("--remove-silence", action="store_true", help="cut out time in which neither side has a word")
    add("--strict-terminals", action="store_true", help="Struct-IoU aligns tags only to equal tags")
    add("--unlabeled", action="store_true", help="brackets match whatever their labels")
    add("--cutoff", type=int, metavar="N", help="longest sentence of the second summary (default: 40)")
    add("--by-label", action="store_true", help="add a table of labels and what they are confused with")
    add(
        "--format",
        choices=["auto", *INPUT_FORMATS],
        default=default.format,
        help="format of both files (default: auto)",
    )
    add("--encoding", metavar="NAME", help="encoding of both files (default: UTF-8)")
    add(
        "--on-error",
        choices=["stop", "skip"],
        default=default.on_error,
        help="stop at a sentence that cannot be read, or count it as one without a parse (default: stop)",
    )
    add("--output", choices=list(OUTPUT_FORMATS), default="text", help="format of the report (default: text)")
    add("--out", metavar="FILE", help="write the report to FILE, which appears once it is whole")
    add("--quiet", action="store_true", help="the summary only")
    add(
        "--view",
        metavar="N",
        help="show both trees of the sentences N of the report, such as 3 or 3,5-9, "
        "or of a file's, such as gold:3 or sys:5-9",
    )
    add("--jobs", type=_jobs, default=1, metavar="N", help="score on N processes (default: 1)")
    add("--dask", metavar="ADDRESS", help="score on the workers of a Dask scheduler, such as tcp://host:8786")
    comparison.add_options(made)
    discontinuous.add_options(made)
    return made


def _jobs(text: str) -> int:
    if not text.isdecimal() or len(text) > 9 or int(text) < 1:
        raise argparse.ArgumentTypeError(f"expected a number of processes from 1 on, found {text[:20]!r}")
    return int(text)


def _names(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(",") if name.strip())
