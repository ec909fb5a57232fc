"""The options of the command line, each declared once; legacy mode reads its own in ``legacy.options``."""

from __future__ import annotations

import argparse

from ..report import FORMATS as OUTPUT_FORMATS
from ..trees import plugins
from ..trees.answer import SEVERAL
from ..trees.formats import FORMATS as INPUT_FORMATS
from ..trees.presets import PRESETS
from ..trees.registry import METRICS
from ..trees.values import EMPTY_F1, PAIRINGS, SILENCE, TRACES, UNITS, UNLIKE
from . import comparison
from .arguments import (
    CommandParser,
    Formats,
    decimal_number,
    group,
    how_many,
    memory_size,
    names,
    whole_number,
)

_EPILOG = """\
examples:
  jpevalb dev.gold dev.sys --metrics brackets     any tokens, any sentence ends
  jpevalb dev.gold dev.sys -evalb COLLINS.prm     what evalb prints, to the byte
  jpevalb dev.gold a.sys b.sys --output markdown  all side by side, with tests
"""


def parser(*, legacy: bool = False) -> CommandParser:
    """The options; those that change a score are named as the fields of ``Settings``.

    Args:
        legacy: Whether to declare all options of legacy mode, for the manual and for completion.

    A help text is at most 57 characters long, so that each option is one line of ``--help``.
    """
    made = CommandParser(
        "jpevalb",
        usage="jpevalb [options] GOLD SYSTEM [SYSTEM ...]",
        description="Scores a system's parse trees against gold trees. Results go to stdout.",
        epilog=_EPILOG,
    )
    off = argparse.SUPPRESS  # a setting that is not given has the default of its mode

    add = group(made, "files")
    add("gold", "GOLD", "gold trees; '-' is stdin; .gz, .bz2 and .xz are read")
    add("system", "SYSTEM", "a system's trees; several systems are compared", nargs="+")
    what = "another reference: each sentence counts against the nearest"
    add("--more-gold", "FILE", what, action="append", default=[])

    add = group(made, "alignment", default=off)
    add("--lang", "CODE", "language of the contractions list (default: en)")
    add("--exceptions", "FILE", "a contractions list of your own instead")
    add("--align-ratio", "R", "edit distance of similar sentences (default: 0.15)", type=decimal_number)
    add("--unlike", "HOW", "beads beyond it: pair (default), or alone: missed, extra", choices=UNLIKE)
    add("--pair", "HOW", "align, order, id, or auto: ids if there (default: by mode)", choices=list(PAIRINGS))

    add = group(made, "metrics", default=off)
    add("--preset", "NAME", ",".join(PRESETS), choices=list(PRESETS), default=None)
    add("--metrics", "LIST", "what is computed: " + ",".join(METRICS), type=names)
    add("--prm", "PRM", "labels and words as in this .prm, bundled or a path")
    add("--traces", "WHAT", "words tagged -NONE-: keep, drop, auto: drop if in one file", choices=TRACES)
    add("--unlabeled", "", "brackets match whatever their labels")
    add("--cutoff", "N", "longest sentence of the second summary (default: 40)", type=whole_number())
    add("--unit", "UNIT", "Struct-IoU in word, char, or auto: char if words differ", choices=UNITS)
    add("--strict-terminals", "", "Struct-IoU aligns tags only to equal tags")
    add("--node-types", "WHAT", "node accuracy maps by position, label, none or a FILE")
    add("--gold-times", "F", "times of words: CTM, TextGrid, folder of TextGrids")
    add("--sys-times", "F", "times of the system's words")
    add("--most-memory", "SIZE", "memory of a tree metric for one pair (default: 1G)", type=memory_size)
    add("--silence", "WHAT", "time between words: keep, drop, shared: of both sides", choices=SILENCE)
    add("--remove-silence", "", "the same as --silence shared")

    add = group(made, "trees with gaps", default=off)
    add("--discontinuous", "", "count as for trees with gaps, whatever the format", default=False)
    add("--exclude-trivial", "", "leave out constituents of one word and of all words")
    add("--max-fanout", "N", "leave out constituents of more than N blocks", type=whole_number())
    add("--punctuation", "TAGS", "leave out words with these tags, blanks between them")
    add("--empty-f1", "F1", "of sentences without brackets: none (default), or one", choices=EMPTY_F1)
    add("--least-words", "N", "leave out sentences of fewer words", type=whole_number())

    add = group(made, "input", default=off)
    formats = Formats(["auto", *INPUT_FORMATS], plugins.FORMATS)
    add("--format", "FORMAT", f"{', '.join(INPUT_FORMATS)} (default: auto)", choices=formats)
    add("--gold-format", "FMT", "of the gold file, where it is another", choices=formats)
    add("--sys-format", "FMT", "of the system's file, where it is another", choices=formats)
    add("--encoding", "NAME", "encoding of the files (default: UTF-8)")
    add("--gold-encoding", "ENC", "of the gold file, where it is another")
    add("--sys-encoding", "ENC", "of the system's file, where it is another")
    add("--on-error", "WHAT", "an unreadable sentence: stop (default), or skip it", choices=["stop", "skip"])

    add = group(made, "answers of a language model", default=off)
    add("--repair", "", "make a tree of what is not one as written")
    add("--several", "WHAT", "of several trees take the first (default), or join", choices=SEVERAL)
    add("--field", "NAME", "the field of jsonl with the tree (default: output)")
    add("--gold-field", "NAME", "the one in the gold file, where it is another")
    add("--id-field", "NAME", "the field of jsonl with the sentence's id")
    add("--separator", "LINE", "the line between two answers (default: each is a line)")

    add = group(made, "report")
    add("--output", "FORMAT", ", ".join(OUTPUT_FORMATS), choices=Formats(OUTPUT_FORMATS, plugins.REPORTS))
    add("--out", "FILE", "write to FILE, which appears once it is whole")
    add("--quiet", "", "the summary only")
    add("--details", "", "JSON: words, units and constituents of each sentence")
    add("--score-only", "", "F1 and nothing else, a line for each system")
    add("--fail-under", "F1", "exit status 3 if F1 is below it, in per cent", type=decimal_number)
    add("--by-label", "", "add a table of labels and their confusions", default=off)
    add("--analysis", "", "add an error analysis: causes, labels, lengths", default=off)
    add("--error-classes", "F", "label classes of causes: ptb, sejong, tiger or a file", default=off)
    add("--worst", "N", "HTML: list N sentences, or all (default: 2000 worst)", type=how_many, default=off)
    add("--view", "N", "show trees: 3,5-9, gold:3, sys:5-9, worst:10 or NP/S")

    add = group(made, "speed")
    add("--jobs", "N", "score on N processes (default: 1)", type=whole_number(1), default=1)
    add("--dask", "ADDRESS", "score on a Dask scheduler's workers: tcp://host:8786")

    comparison.add_options(made)

    # Calls with these never come here; they are declared for the help, the manual and completion.
    add = group(made, "legacy mode (its options: jpevalb -evalb --help)", dest=off, default=off)
    add("-evalb", "PRM", "be evalb (default: COLLINS.prm)", nargs="?")
    add("-p", "PRM", "evalb's own command line, with -d -D -c N -e N")
    if legacy:
        add("-c", "N", "longest sentence of the second summary (default: 40)")
        add("-e", "N", "give up with the second message beyond N (default: 10)")
        add("-d", "", "tables of words and brackets after each row")
        add("-D", "", "the search for them as well")
        add("--dialect", "DIALECT", "evalb (default) or spmrl, which is evalb_spmrl")
        add("-L", "", "spmrl: one line for the summary of all sentences")
        add("-l", "", "spmrl: one line for the summary up to the cut-off")
        add("-K", "N", "spmrl: read N lines at most; -1 for all (default)")
        add("-V", "", "spmrl: name the files in the summary")
        add("-X", "", "spmrl: brackets of sentences without a parse are missed")
    made.add_help_and_version(lambda: parser(legacy=True))
    return made
