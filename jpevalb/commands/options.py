"""Options of the command: rows of the options that are not settings, and the parser of all options."""

from __future__ import annotations

from ..base import plugins
from ..base.values import COUNT, FILE, LIST, NAME, decimal, one_of, whole_number
from ..report import FORMATS as OUTPUT_FORMATS
from ..settings.options import Option
from ..settings.settings import LIMIT, OPTIONS, PERCENT, PRM, SHARE
from .arguments import JOBS, LISTS_CONVENTIONS, OFF, OTHER, OUT, CommandParser

COMPARISON = "several systems"
LEGACY = "evalb's report (its options: jpevalb -evalb --help)"

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
    "output": Option(
        "report", "FORMAT", ", ".join(OUTPUT_FORMATS), _OUTPUT, flags=("--as",), old=("--output",),
        everyday=True, argparse={"dest": "output"}),
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
    "baseline": Option("report", "FILE", "the JSON report of an earlier run, for --max-drop", FILE),
    "max_drop": Option(
        "report", "[FIG=]X", "status 3 if it is X worse than in --baseline FILE", LIMIT,
        argparse={"action": "append"}),
    "allow_excluded": Option(
        "report", "P", "per cent that --convention may exclude (default: 0)", SHARE),
    "view": Option(
        "report", "N", "show trees: 3,5-9, gold:3, sys:5-9, worst:10 or NP/S", NAME, everyday=True),
    "published": Option("metrics", "F1", "mark the conventions that give this F1, in per cent", PERCENT),
    "jobs": JOBS,
    # The tests are written out: a short run does not load their module.
    "test": Option(
        COMPARISON, "TEST", "permutation (default), bootstrap, sign or none",
        one_of("permutation", "bootstrap", "sign", "none"), everyday=True),
    "samples": Option(
        COMPARISON, "N", "resamples (default: auto: 10000, or 100 a pair)", COUNT),
    "seed": Option(COMPARISON, "N", "seed of the random numbers (default: 12345)", whole_number()),
    "confidence": Option(
        COMPARISON, "C", "of intervals, also of one system (default: 0.95)",
        decimal("a number such as 0.95")),
    "group": Option(
        COMPARISON, "NAME=N,N", "runs of one system: mean, deviation and best", NAME,
        argparse={"action": "append"}),
    "against": Option(COMPARISON, "NAME", "compare with this system (default: the first)", NAME),
    "names": Option(COMPARISON, "LIST", "names of the systems, as many as systems", LIST),
    "correction": Option(
        COMPARISON, "HOW", "p of F1 for all pairs (default), baseline or none",
        one_of("pairs", "baseline", "none")),
    "columns": Option(COMPARISON, "LIST", "measures of the tables: P,R,F", LIST),
    "sort": Option(COMPARISON, "MEASURE", "sort the systems by it (default: F1), or none", NAME),
    **{name: row for name, row in OPTIONS.items() if row.in_command},
    "convention": OPTIONS["convention"]._replace(
        metavar="LIST", values=NAME, old=("--conventions", "--preset"),
        argparse={**LISTS_CONVENTIONS, **OFF}),
    # Calls with these print evalb's report; they are declared for the help and the manual.
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
        LEGACY, "DIALECT", "evalb (default) or spmrl: with -L -l -K -V -X, too", one_of("evalb", "spmrl")),
}
"""Options of evalb's report alone; :mod:`jpevalb.commands.evalb` parses them, and the manual lists them."""
# fmt: on

OF_COMPARISONS = tuple([name for name, row in ROWS.items() if row.group == COMPARISON])
"""Options that only comparisons have; none is a setting."""

_OF_REPORTS = ("verbose", "output", "out", "score_only", "fail_under", "baseline", "max_drop")
OF_EVALB = {name: ROWS[name] for name in (*OF_COMPARISONS, *_OF_REPORTS)}
"""Options of comparisons and reports that evalb's figures have."""

GROUPS = (
    *("files", "alignment", "metrics", "trees with gaps", "input", "answers of a language model", "report"),
    *("speed", COMPARISON, LEGACY, "other"),
)

_EPILOG = """\
examples:
  jpevalb dev.gold dev.sys --metrics brackets     any tokens, any sentence ends
  jpevalb dev.gold dev.sys -evalb COLLINS.prm     what evalb prints, to the byte
  jpevalb dev.gold a.sys b.sys -o report.html     all side by side, with tests
"""


def parser() -> CommandParser:
    return CommandParser(
        "jpevalb",
        {**ROWS, **LEGACY_ROWS},
        GROUPS,
        usage="jpevalb [options] GOLD SYSTEM [SYSTEM ...]",
        description="Scores a system's parse trees against gold trees. Results go to stdout.",
        epilog=_EPILOG,
        brief=True,
    )
