"""The legacy command line: evalb's output, its messages and its exit status."""

from __future__ import annotations

import os
import sys

from ..base.streams import beginning, same_pipe
from ..kernels.evalb import add_rows, format_rows
from ..legacy import layout as report
from ..legacy.engine import ReadError, Stream, new_scorer, run, taken
from . import program_dialect
from .evalb_options import REPORTS, LegacyOptions, ParamsMissingError, UsageError, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO, Any

    from ..legacy.engine import ScoredLines
    from .arguments import Namespace

USAGE = """\
usage: evalb [-d|-D] [-c N] [-e N] [-p PRM] GOLD SYSTEM
       jpevalb GOLD SYSTEM -evalb [PRM]
       jpevalb GOLD SYSTEM SYSTEM ... -evalb [PRM] [--test NAME]

  -p PRM   parameter file, a path or a bundled name (COLLINS.prm, new.prm, nk.prm, ...)
  -c N     longest sentence of the second summary (40)
  -e N     stop at error N + 2 (10)
  -d, -D   tables of words and brackets; trace the matching as well

  --dialect evalb|spmrl   program to be (evalb)
  --jobs N                has no effect: one process scores a million trees in seconds
  --as json               write all figures as JSON; -o FILE
  --quiet                 the summary alone
  --score-only [FIGURE], --fail-under [FIGURE=]X, --max-drop [FIGURE=]X --baseline FILE
                          figures alone; exit status 3 if a figure is too low
  --test, --samples, --seed, --confidence, --group, --against, --names, --correction, --columns,
  --sort, --verbose, --as, -o, --out
                          compare several SYSTEMs by evalb's figures; see jpevalb --help all
"""
SPMRL_HEAD = """\

with --dialect spmrl also:
"""
SPMRL_USAGE = """\
  -L, -l   one line instead of the summary: all sentences, those up to the cut-off
  -K N     read N lines at most; -1 for all
  -V       name the files in the summary
  -X       count the brackets of sentences without a parse as missed
"""
PIECE = 4096  # maximum number of repeated messages in one write
DEFAULT_BLOCK = 8192  # size of C's buffer for a file system that gives none
MOST_WAITING = 1 << 16  # bytes of output that are held back at most, about what a pipe holds


def main(program: str, arguments: list[str]) -> int:
    """Run a legacy command line and return its exit status: 0, 1 if the run failed, 2 for bad usage."""
    try:
        options = parse(program, arguments)
    except UsageError as error:
        return _fail(f"jpevalb: {error}", 2)
    except ParamsMissingError as error:
        messages, name, by_evalb = error.args
        _write_lines(messages)
        from ..settings.params import bundled

        also = f"; expected a path or one of {', '.join(bundled())}" if by_evalb else ""
        return _fail(f"Can't open parameter file ({name}){also}")
    if options.show == "version":
        from ..base.version import version_line

        print(version_line())
        return 0
    if options.show == "help":
        print(USAGE + SPMRL_HEAD + SPMRL_USAGE, end="")
        return 0
    if options.show:
        _write(os.fsencode(USAGE + (SPMRL_USAGE if options.dialect == "spmrl" else "")))
        return 0
    _write_lines(options.messages)
    if len(options.files) < 2:
        found = "one file name" if options.files else "no file name"
        advice = "jpevalb -evalb --help lists the options"
        return _fail(f"jpevalb: {found}; expected two: GOLD SYSTEM; {advice}", 2)
    if not program_dialect(program) and (name := _of_other_format(options.files[:2])):
        return _fail(
            f"jpevalb: {name}: evalb reads bracket trees only; for other formats leave out -p and "
            "-evalb, and give the parameter file with --prm",
            2,
        )
    if options.comparing is not None:
        return _compare(options)
    if same_pipe(options.files[:2]):
        return _fail("jpevalb: both files are standard input, which can be read once; name a file", 2)
    files: list[IO[bytes]] = []
    try:
        for name, side in zip(options.files, ("gold", "test")):
            try:
                files.append(_open(name))
            except (OSError, ValueError):
                return _fail(f"Can't open {side} file ({name})")
        return _score(options, *files)
    except ReadError as error:
        return _fail(f"jpevalb: {options.files[error.side]}: cannot read the file: {error}")
    finally:
        for file in files:
            file.close()


def _of_other_format(names: list[str]) -> str:
    """Return the first file that begins as an export or XML file, "" for none."""
    begins = (b"#FORMAT", b"#BOS", b"%%", b"<?xml")
    return next((name for name in names if beginning(name, 8).startswith(begins)), "")


def _compare(options: LegacyOptions) -> int:
    """Compare systems by evalb's figures and return the exit status."""
    from ..base.errors import SettingsError
    from ..base.files import reject_inputs
    from . import comparison
    from .arguments import CommandParser
    from .evaluate import choose_format, compares, gold_title
    from .options import GROUPS, OF_COMPARISONS, ROWS
    from .options import parser as options_parser

    rows = {name: ROWS[name] for name in (*OF_COMPARISONS, *REPORTS)}
    usage = "jpevalb GOLD SYSTEM SYSTEM ... -evalb [PRM] [options]"
    made = CommandParser("jpevalb", options_parser, rows, GROUPS, usage=usage)
    absent = dict.fromkeys(("view", "rows", "details", "allow_excluded"))
    made.set_defaults(more_gold=[], quiet=options.quiet, **absent)

    def compared(found: Namespace) -> int:
        found.gold, *found.system = options.files
        single = not compares(found)
        for letter, given in (
            ("-c", options.cutoff and not single),
            ("-d", options.params.debug == 1),
            ("-D", options.params.debug > 1),
            ("-K", options.last_line != -1 and not single),
            ("-L", options.compact == "all"),
            ("-l", options.compact == "cutoff"),
            ("-V", options.names),
            ("-X", options.score_skipped and not single),
        ):
            if given:
                kind = "reports of one system" if single else "comparisons of systems"
                raise SettingsError(f"{letter} has no effect in {kind}; leave it out")
        choose_format(found)
        found.jobs = 1
        reject_inputs(found.out, (*options.files, options.params.name))
        if single:
            return _report(options, found)
        return comparison.run(
            found, found.system, options.params, gold_name=gold_title(found), dialect=options.dialect
        )

    return made.run(options.comparing or [], compared)


def _report(options: LegacyOptions, found: Namespace) -> int:
    """Write evalb's figures of one system as JSON or alone, or its report, and return the exit status."""
    import json

    from ..base.errors import SettingsError
    from ..legacy.result import evaluate
    from ..metrics.figures import LEGACY
    from . import say, threshold
    from .arguments import output
    from .evaluate import check_together

    if found.output not in ("text", "json"):
        raise SettingsError(f"--as {found.output} needs several systems with -evalb; give text or json")
    if found.verbose:
        raise SettingsError("--verbose needs several systems with -evalb; leave it out")
    check_together(found, many=False)
    threshold.check(found, LEGACY)
    how: dict[str, Any] = {"dialect": options.dialect, "score_skipped": options.score_skipped}
    gold, system = options.files
    with output(found) as (write, _):
        result = evaluate(gold, system, options.params, last_line=options.last_line, **how)
        for message in result.messages:
            say("jpevalb", message)
        content = result.to_dict()
        name = os.path.basename(options.files[1])
        scores = threshold.Scores(LEGACY, [(name, content["figures"])], content["signature"])
        if found.score_only:
            write(threshold.lines(found, scores))
        elif found.output == "json":
            write(json.dumps(content, indent=1, ensure_ascii=False) + "\n")
        else:
            write(result.report(quiet=options.quiet))
    return threshold.status(found, scores)


def _score(options: LegacyOptions, gold: IO[bytes], test: IO[bytes]) -> int:
    """Score two files, print the report and return the exit status."""
    params = options.params
    scorer = new_scorer(
        params,
        dialect=options.dialect,
        score_skipped=options.score_skipped,
        last_line=options.last_line,
    )
    debugging = params.debug > 0
    sums = memoryview(bytearray(8 * 2 * report.SUMS)).cast("q")

    def show(chunk: ScoredLines) -> None:
        text = format_rows(chunk.rows)
        pieces = text.splitlines(keepends=True) if debugging or chunk.messages else [text]
        if debugging:
            # Rows are between traces and tables.
            pieces = [item if isinstance(item, bytes) else pieces[item] for item in chunk.trace]
        if options.quiet:
            pieces = [b""] * len(pieces)
        done = 0
        for message, times, place in chunk.messages:
            out.write(pieces[done:place])
            out.message(message, times)
            done = place
        out.write(pieces[done:])
        if not chunk.killed:
            add_rows(chunk.rows, params.cutoff, sums)

    # Other inputs than regular files may be slow, such as the output of a parser.
    at_once = any(name == "-" or not os.path.isfile(name) for name in options.files[:2])
    with _BlockWriter(at_once=at_once) as out:
        if not options.quiet:
            out.write([report.HEADER])
        scorer.drain = lambda: show(taken(scorer, False))
        for chunk in run(scorer, Stream(gold, 0), Stream(test, 1)):
            show(chunk)
            if chunk.killed:
                return 1
        if options.compact:
            chosen = sums[: report.SUMS] if options.compact == "all" else sums[report.SUMS :]
            out.write([report.one_line(chosen, os.fsencode(options.files[1]))])
        else:
            names = tuple(map(os.fsencode, options.files[:2])) if options.names else ()
            out.write([report.summary(sums, params.cutoff, names, quiet=options.quiet)])
    return 0


class _BlockWriter:
    """Standard output in the blocks of C's library, so that both streams in one file are in evalb's order.

    C writes to a terminal after each line, elsewhere whenever more than a block is waiting.  Only messages
    show what is written at that time, so without messages all is written at once.

    Args:
        at_once: True for input that may be slow: rows are written as they are scored.
    """

    def __init__(self, *, at_once: bool = False) -> None:
        self._out = sys.stdout.buffer
        self._waiting: list[bytes] = []
        self._size = self._written = 0
        try:
            # C takes the file system's block size, unless it is larger than its default.
            status = os.fstat(self._out.fileno())
            size = status.st_blksize
            self._block = 1 if self._out.isatty() else size if 0 < size < DEFAULT_BLOCK else DEFAULT_BLOCK
            # In one file with the messages, rows keep evalb's order.
            if at_once and not os.path.samestat(status, os.fstat(2)):
                self._block = 1
        except (AttributeError, OSError):
            self._block = DEFAULT_BLOCK

    def write(self, pieces: list[bytes]) -> None:
        self._waiting += pieces
        self._size += sum(map(len, pieces))
        if self._size > MOST_WAITING or self._block == 1:
            self._write_blocks()

    def message(self, text: bytes, times: int) -> None:
        """Write a message to stderr, after the blocks of output that are full."""
        self._write_blocks()
        _write(text, times)

    def _write_blocks(self) -> None:
        # A full block is written as soon as another byte follows.
        total = self._written + self._size
        end = total if self._block == 1 else max(total - 1, 0) // self._block * self._block
        if end > self._written:
            data = b"".join(self._waiting)
            size = end - self._written
            self._waiting, self._size, self._written = [data[size:]], len(data) - size, end
            self._out.write(data[:size])
            self._out.flush()

    def __enter__(self) -> _BlockWriter:
        return self

    def __exit__(self, *_: object) -> None:
        # The sentences before a read error are printed, too.
        self._out.write(b"".join(self._waiting))


def _open(name: str) -> IO[bytes]:
    """Open a file of trees, which may be compressed; "-" is standard input."""
    if name == "-":
        # Without a buffer, which would wait until it is full.
        return open(0, "rb", buffering=0, closefd=False)
    if not name.endswith((".gz", ".bz2", ".xz")):
        return open(name, "rb", buffering=0)
    from ..base.streams import open_binary

    return open_binary(name)


def _write(text: bytes, times: int = 1) -> None:
    """Write a message to stderr, repeatedly; stray text may repeat one a billion times."""
    err = sys.stderr.buffer
    try:
        while times > 0:
            err.write(text * min(times, PIECE))
            times -= PIECE
        err.flush()
    except BrokenPipeError:
        raise
    except OSError:
        # As in C, a stderr on a full disk does not spoil the report.
        pass


def _write_lines(lines: list[str]) -> None:
    """Write messages; messages about .prm files keep the bytes of the file."""
    _write(b"".join([line.encode("utf-8", "surrogateescape") + b"\n" for line in lines]))


def _fail(text: str, status: int = 1) -> int:
    _write(os.fsencode(text) + b"\n")
    return status
