"""Options of the command: rows of the options that are not settings, and the parser of all options."""

from __future__ import annotations

from ..base import plugins
from ..base.values import FILE, LIST, NAME, count_or, decimal, one_of, whole_number
from ..report import FORMATS as OUTPUT_FORMATS
from ..settings.choices import LIMIT, PERCENT, PRM, SHARE
from ..settings.options import Option
from ..settings.presets import PRESETS
from ..settings.settings import OPTIONS
from .arguments import JOBS, LISTS_CONVENTIONS, OFF, OTHER, OUT, CommandParser

COMPARISON = "several systems (the first is the baseline)"
LEGACY = "legacy mode (its options: jpevalb -evalb --help)"

_OUTPUT = one_of(*OUTPUT_FORMATS, more=lambda: plugins.plugin_names(plugins.REPORTS))

# fmt: off
ROWS: dict[str, Option] = {
    "gold": Option(
        "files", "GOLD", "gold trees; - is stdin; .gz, .bz2 and .xz are read", FILE, flags=("gold",)),
    "system": Option(
        "files", "SYSTEM", "a system's trees; several systems are compared", FILE, flags=("system",),
        argparse={"nargs": "+"}),
    "more_gold": Option(
        "files", "FILE", "another gold file; the best-matching one counts", FILE,
        argparse={"action": "append", "default": []}),
    "preset": Option("metrics", "NAME", ", ".join(PRESETS), one_of(*PRESETS), everyday=True),
    "discontinuous": Option("trees with gaps", "", "count as for trees with gaps, whatever the format"),
    "output": Option("report", "FORMAT", ", ".join(OUTPUT_FORMATS), _OUTPUT, everyday=True),
    "out": OUT,
    "quiet": Option("report", "", "the summary only", everyday=True),
    "rows": Option("report", "", "on a terminal: all rows, not the 5 worst"),
    "verbose": Option("report", "", "all counters; of systems: p-values, intervals"),
    "details": Option("report", "", "JSON: words, units and constituents of each sentence"),
    "score_only": Option(
        "report", "FIG", "F1 or another figure only, one line per system", NAME,
        argparse={"action": "append", "nargs": "?"}),
    "fail_under": Option(
        "report", "[FIG=]X", "exit with status 3 if F1 or FIG is below X", LIMIT, everyday=True,
        argparse={"action": "append"}),
    "max_drop": Option(
        "report", "[FIG=]X", "status 3 if it is X worse than in --baseline FILE", LIMIT,
        argparse={"action": "append"}),
    "allow_excluded": Option(
        "report", "P", "per cent that --convention may exclude (default: 0)", SHARE),
    "worst": Option(
        "report", "N", "HTML: list N sentences, or all (default: 2000 worst)", count_or("all"), argparse=OFF),
    "table": Option("report", "NAME", "CSV, TSV: one table, such as causes", NAME),
    "view": Option(
        "report", "N", "show trees: 3,5-9, gold:3, sys:5-9, worst:10 or NP/S", NAME, everyday=True),
    "conventions": Option(
        "conventions", "LIST", "F1 under all, or some: evalb,supar; alone: list them", LIST, everyday=True,
        argparse=LISTS_CONVENTIONS),
    "published": Option("conventions", "F1", "mark the conventions that give this F1, in per cent", PERCENT),
    "jobs": JOBS,
    "dask": Option("speed", "ADDRESS", "score on a Dask cluster: tcp://host:8786", NAME),
    # The tests are written out: a short run does not load their module.
    "test": Option(
        COMPARISON, "TEST", "permutation (default), bootstrap, sign or none",
        one_of("permutation", "bootstrap", "sign", "none"), everyday=True),
    "samples": Option(
        COMPARISON, "N", "resamples (default: auto: 10000, or 100 a pair)", count_or("auto")),
    "seed": Option(COMPARISON, "N", "seed of the random numbers (default: 12345)", whole_number()),
    "confidence": Option(
        COMPARISON, "C", "of intervals, also of one system (default: 0.95)",
        decimal("a number such as 0.95")),
    "ties": Option(COMPARISON, "HOW", "in a sign test: drop (default) or split", one_of("drop", "split")),
    "group": Option(
        COMPARISON, "NAME=N,N", "runs of one system: mean, deviation and best", NAME,
        argparse={"action": "append"}),
    "baseline": Option(COMPARISON, "NAME", "compare with this system; --max-drop: a JSON report", NAME),
    "names": Option(COMPARISON, "LIST", "names of the systems, as many as systems", LIST),
    "correction": Option(
        COMPARISON, "HOW", "p of F1 for all pairs (default), baseline or none",
        one_of("pairs", "baseline", "none")),
    "columns": Option(COMPARISON, "LIST", "measures of the tables: P,R,F", LIST),
    "sort": Option(COMPARISON, "MEASURE", "sort the systems by it, best first", NAME),
    **OPTIONS,
    # Calls with these go to legacy mode; they are declared for the help and the manual.
    "evalb": Option(
        LEGACY, "PRM", "print evalb's report (default: COLLINS.prm)", PRM, flags=("-evalb",), everyday=True,
        argparse={"nargs": "?", **OFF}),
    "p": Option(
        LEGACY, "PRM", "parameter file; the call is then evalb's own", PRM, flags=("-p",), argparse=OFF),
    **OTHER,
}

LEGACY_ROWS = {
    "c": Option(LEGACY, "N", "longest sentence of the second summary (default: 40)", NAME, flags=("-c",)),
    "e": Option(LEGACY, "N", "stop at error N + 2 (default N: 10)", NAME, flags=("-e",)),
    "d": Option(LEGACY, "", "tables of words and brackets after each row", flags=("-d",)),
    "D": Option(LEGACY, "", "like -d, and trace the matching", flags=("-D",)),
    "dialect": Option(
        LEGACY, "DIALECT", "evalb (default) or spmrl, which is evalb_spmrl", one_of("evalb", "spmrl")),
    "L": Option(LEGACY, "", "spmrl: one line for the summary of all sentences", flags=("-L",)),
    "l": Option(LEGACY, "", "spmrl: one line for the summary up to the cut-off", flags=("-l",)),
    "K": Option(LEGACY, "N", "spmrl: read N lines at most; -1 for all (default)", NAME, flags=("-K",)),
    "V": Option(LEGACY, "", "spmrl: name the files in the summary", flags=("-V",)),
    "X": Option(LEGACY, "", "spmrl: count brackets of unparsed sentences as missed", flags=("-X",)),
}
"""Options that only legacy mode has; it parses them itself (:mod:`jpevalb.commands.evalb_options`)."""
# fmt: on

OF_COMPARISONS = tuple([name for name, row in ROWS.items() if row.group == COMPARISON])
"""Options that only comparisons have; none is a setting of a mode."""

GROUPS = (
    *("files", "alignment", "metrics", "trees with gaps", "input", "answers of a language model", "report"),
    "conventions",
    *("speed", COMPARISON, LEGACY, "other"),
)

_EPILOG = """\
examples:
  jpevalb dev.gold dev.sys --metrics brackets     any tokens, any sentence ends
  jpevalb dev.gold dev.sys -evalb COLLINS.prm     what evalb prints, to the byte
  jpevalb dev.gold a.sys b.sys -o report.html     all side by side, with tests
"""


def parser(*, legacy: bool = False) -> CommandParser:
    """Return the parser of the command, with ``legacy`` also of the options that only legacy mode has."""
    return CommandParser(
        "jpevalb",
        lambda: parser(legacy=True),
        {**ROWS, **LEGACY_ROWS} if legacy else ROWS,
        GROUPS,
        usage="jpevalb [options] GOLD SYSTEM [SYSTEM ...]",
        description="Scores a system's parse trees against gold trees. Results go to stdout.",
        epilog=_EPILOG,
        brief=True,
    )
