"""The options of the command line, each declared once; legacy mode reads its own in ``legacy.options``."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

from ..formats import FORMATS as INPUT_FORMATS
from ..model.answer import SEVERAL
from ..model.presets import PRESETS
from ..model.registry import METRICS
from ..model.values import EMPTY_F1, PAIRINGS, SILENCE, TRACES, UNITS, UNLIKE
from ..report import FORMATS as OUTPUT_FORMATS
from . import comparison
from .arguments import (
    CommandParser,
    InputFormats,
    OutputFormats,
    decimal_number,
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


_LEGACY = (
    ("-evalb", "PRM", "be evalb (default: COLLINS.prm)"),
    ("-p", "PRM", "evalb's own command line, with -d -D -c N -e N"),
    ("-c", "N", "longest sentence of the second summary (default: 40)"),
    ("-e", "N", "give up with the second message beyond N (default: 10)"),
    ("-d", "", "tables of words and brackets after each row"),
    ("-D", "", "the search for them as well"),
    ("--dialect", "DIALECT", "evalb (default) or spmrl, which is evalb_spmrl"),
    ("-L", "", "spmrl: one line for the summary of all sentences"),
    ("-l", "", "spmrl: one line for the summary up to the cut-off"),
    ("-K", "N", "spmrl: read N lines at most; -1 for all (default)"),
    ("-V", "", "spmrl: name the files in the summary"),
    ("-X", "", "spmrl: brackets of sentences without a parse are missed"),
)


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

    add = made.add_argument_group("files").add_argument
    add("gold", metavar="GOLD", help="gold trees; '-' is stdin; .gz, .bz2 and .xz are read")
    add("system", metavar="SYSTEM", nargs="+", help="a system's trees; several systems are compared")
    add(
        "--more-gold",
        action="append",
        metavar="FILE",
        help="another reference: each sentence counts against the nearest",
    )

    add = _settings(made, "alignment")
    add("--lang", metavar="CODE", help="language of the contractions list (default: en)")
    add("--exceptions", metavar="FILE", help="a contractions list of your own instead")
    add(
        "--align-ratio",
        type=decimal_number,
        metavar="R",
        help="edit distance of similar sentences (default: 0.15)",
    )
    add(
        "--unlike",
        choices=UNLIKE,
        metavar="HOW",
        help="beads beyond it: pair (default), or alone: missed, extra",
    )
    add(
        "--pair",
        choices=tuple(PAIRINGS),
        metavar="HOW",
        help="align, order, id, or auto: ids if there (default: by mode)",
    )

    add = _settings(made, "metrics")
    add("--preset", choices=list(PRESETS), default=None, metavar="NAME", help=",".join(PRESETS))
    add("--metrics", type=names, metavar="LIST", help="what is computed: " + ",".join(METRICS))
    add("--prm", metavar="PRM", help="labels and words as in this .prm, bundled or a path")
    add(
        "--traces",
        choices=TRACES,
        metavar="WHAT",
        help="words tagged -NONE-: keep, drop, auto: drop if in one file",
    )
    add("--unlabeled", action="store_true", help="brackets match whatever their labels")
    add(
        "--cutoff",
        type=whole_number(),
        metavar="N",
        help="longest sentence of the second summary (default: 40)",
    )
    add(
        "--unit",
        choices=UNITS,
        metavar="UNIT",
        help="Struct-IoU in word, char, or auto: char if words differ",
    )
    add("--strict-terminals", action="store_true", help="Struct-IoU aligns tags only to equal tags")
    add(
        "--node-types",
        metavar="WHAT",
        help="node accuracy maps by position, label, none or a FILE",
    )
    add("--gold-times", metavar="F", help="times of words: CTM, TextGrid, folder of TextGrids")
    add("--sys-times", metavar="F", help="times of the system's words")
    add(
        "--most-memory",
        type=memory_size,
        metavar="SIZE",
        help="memory of a tree metric for one pair (default: 1G)",
    )
    add(
        "--silence",
        choices=SILENCE,
        metavar="WHAT",
        help="time between words: keep, drop, shared: of both sides",
    )
    add("--remove-silence", action="store_true", help="the same as --silence shared")

    add = _settings(made, "trees with gaps")
    add(
        "--discontinuous",
        action="store_true",
        default=False,
        help="count as for trees with gaps, whatever the format",
    )
    add("--exclude-trivial", action="store_true", help="leave out constituents of one word and of all words")
    add("--max-fanout", type=whole_number(), metavar="N", help="leave out constituents of more than N blocks")
    add("--punctuation", metavar="TAGS", help="leave out words with these tags, blanks between them")
    add(
        "--empty-f1",
        choices=EMPTY_F1,
        metavar="F1",
        help="of sentences without brackets: none (default), or one",
    )
    add("--least-words", type=whole_number(), metavar="N", help="leave out sentences of fewer words")

    add = _settings(made, "input")
    formats = InputFormats(["auto", *INPUT_FORMATS])
    add("--format", choices=formats, metavar="FORMAT", help=f"{', '.join(INPUT_FORMATS)} (default: auto)")
    add("--gold-format", choices=formats, metavar="FMT", help="of the gold file, where it is another")
    add("--sys-format", choices=formats, metavar="FMT", help="of the system's file, where it is another")
    add("--encoding", metavar="NAME", help="encoding of the files (default: UTF-8)")
    add("--gold-encoding", metavar="ENC", help="of the gold file, where it is another")
    add("--sys-encoding", metavar="ENC", help="of the system's file, where it is another")
    add(
        "--on-error",
        choices=["stop", "skip"],
        metavar="WHAT",
        help="an unreadable sentence: stop (default), or skip it",
    )

    add = _settings(made, "answers of a language model")
    add("--repair", action="store_true", help="make a tree of what is not one as written")
    add(
        "--several",
        choices=SEVERAL,
        metavar="WHAT",
        help="of several trees take the first (default), or join",
    )
    add("--field", metavar="NAME", help="the field of jsonl with the tree (default: output)")
    add("--gold-field", metavar="NAME", help="the same in the gold file, where it is another")
    add("--id-field", metavar="NAME", help="the field of jsonl with the sentence's id")
    add("--separator", metavar="LINE", help="the line between two answers (default: each is a line)")

    add = made.add_argument_group("report").add_argument
    add(
        "--output",
        choices=OutputFormats(OUTPUT_FORMATS),
        metavar="FORMAT",
        help=f"{', '.join(OUTPUT_FORMATS)}",
    )
    add("--out", metavar="FILE", help="write to FILE, which appears once it is whole")
    add("--quiet", action="store_true", help="the summary only")
    add("--details", action="store_true", help="JSON: words, units and constituents of each sentence")
    add("--score-only", action="store_true", help="F1 and nothing else, a line for each system")
    add(
        "--fail-under", type=decimal_number, metavar="F1", help="exit status 3 if F1 is below it, in per cent"
    )
    off = argparse.SUPPRESS
    add("--by-label", action="store_true", default=off, help="add a table of labels and their confusions")
    add(
        "--analysis",
        action="store_true",
        default=off,
        help="add an error analysis: causes, labels, lengths",
    )
    add(
        "--error-classes",
        metavar="F",
        default=off,
        help="label classes of causes: ptb, sejong, tiger or a file",
    )
    add(
        "--worst",
        type=how_many,
        metavar="N",
        default=off,
        help="HTML: list N sentences, or all (default: 2000 worst)",
    )
    add("--view", metavar="N", help="show trees: 3,5-9, gold:3, sys:5-9, worst:10 or NP/S")

    add = made.add_argument_group("speed").add_argument
    add("--jobs", type=whole_number(1), default=1, metavar="N", help="score on N processes (default: 1)")
    add("--dask", metavar="ADDRESS", help="score on a Dask scheduler's workers: tcp://host:8786")

    comparison.add_options(made)

    # Calls with these never come here; they are declared for the help, the manual and completion.
    legacy_group = made.add_argument_group("legacy mode (its options: jpevalb -evalb --help)")
    for name, metavar, text in _LEGACY if legacy else _LEGACY[:2]:
        hidden = argparse.SUPPRESS
        if metavar:
            nargs = "?" if name == "-evalb" else None
            legacy_group.add_argument(
                name, dest=hidden, default=hidden, nargs=nargs, metavar=metavar, help=text
            )
        else:
            legacy_group.add_argument(name, dest=hidden, default=hidden, action="store_true", help=text)
    made.add_help_and_version(lambda: parser(legacy=True))
    return made


def _settings(made: CommandParser, group: str) -> Callable[..., argparse.Action]:
    """What adds options to a group that are settings: one that is not given has the default of its mode."""
    add = made.add_argument_group(group).add_argument

    def setting(name: str, **how: Any) -> argparse.Action:
        return add(name, **{"default": argparse.SUPPRESS, **how})

    return setting
