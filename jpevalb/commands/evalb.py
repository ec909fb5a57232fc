"""The legacy command line, read as C reads it: evalb's output, its messages and its exit status."""

from __future__ import annotations

import os
import sys
from itertools import pairwise

from ..base.errors import SettingsError
from ..base.streams import beginning, read_small, same_pipe
from ..kernels.evalb import add_rows, format_rows
from ..legacy.engine import HEADER, SUMS, ReadError, Stream, new_scorer, one_line, run, summary, taken
from ..settings.params import BLANKS, DEFAULT_PRM, Params, atoi, bundled, find, folder
from . import is_legacy, program_dialect, say

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import IO, Any

    from ..legacy.engine import ScoredLines
    from .arguments import Namespace

# Letters with a value: the value in help and advice, and evalb's message if it is missing.
_VALUES = {
    "c": ("N", "Missing argument: cut-off length for statistices"),
    "e": ("N", "Missing argument: number of error to kill"),
    "p": ("PRM", "Missing argument: parameter file"),
    "K": ("N", "Missing argument: Max nb of  sentences to read"),
}
# Letters without a value and the attribute they set; -d and -D change the params.
_FLAGS: dict[str, tuple[str, str | bool]] = {
    "h": ("show", "usage"),
    "L": ("compact", "all"),
    "l": ("compact", "cutoff"),
    "V": ("names", True),
    "X": ("score_skipped", True),
}
_SPMRL = frozenset("KLlVX")  # letters of evalb_spmrl only

_OF_REPORTS = frozenset(["--analysis", "--view", "--by-label", "--output", "--as"])


class UsageError(Exception):
    """An invalid command line; the text is the message."""


class OpenError(Exception):
    """A file that cannot be opened; the arguments are the message and the messages before it."""


class LegacyOptions:
    """A parsed legacy command line."""

    def __init__(self, program: str) -> None:
        self.evalb_itself = bool(program_dialect(program))  # True if the program is called evalb
        self.params = Params()  # after the .prm files and -c, -e, -d and -D, in order
        self.prm_texts: list[bytes] = []
        self.files: list[str] = []  # without "-" in evalb's own command line
        self.messages: list[str] = []  # for stderr, from .prm files and options
        self.dialect = program_dialect(program) or "evalb"  # or "spmrl"
        self.cutoff = False  # True if -c was given
        self.compact = ""  # evalb_spmrl's one-line summary: "all" (-L) or "cutoff" (-l)
        self.names = False  # evalb_spmrl's -V
        self.score_skipped = False  # evalb_spmrl's -X
        self.last_line = -1  # evalb_spmrl's -K; -1 for no limit
        self.comparing: list[str] | None = None  # options of a comparison of systems, with their values
        self.quiet = False  # True for the summary alone
        self.show = ""  # instead of scoring: "usage", "help" or "version"


def parse(program: str, arguments: list[str]) -> LegacyOptions:
    """Parse a legacy command line.

    Options act in order and only the first letter of a cluster counts, as in evalb.  The .prm of
    ``-evalb [PRM]`` comes first, wherever it is, so that ``-e`` and ``-c`` hold on both sides of it.
    """
    options = LegacyOptions(program)
    words, prm = _take_long_options(options, arguments)
    if prm is not None:
        _load(options, prm or DEFAULT_PRM, in_package=not prm, by_evalb=True)
        if options.prm_texts[0].lstrip()[:1] == b"(":
            raise UsageError(f"{prm}: trees, not a parameter file; name the systems before -evalb")
    spmrl = options.dialect == "spmrl"
    unknown = frozenset() if spmrl else _SPMRL
    rest = iter(words)
    for word in rest:
        letter = word[1:2]
        if not word.startswith("-"):
            options.files.append(word)
        elif word == "-":
            if prm is not None:
                options.files.append(word)
        elif not options.evalb_itself and (advice := _advice_if_misread(word)):
            raise UsageError(f"unknown option {word!r} of evalb; {advice}")
        elif letter in _VALUES and letter not in unknown:
            value = word[2:] or next(rest, None)
            if value is None and not options.evalb_itself and len(options.files) < 2:
                raise UsageError(f"{word} without a value; write {word} {_VALUES[letter][0]} GOLD SYSTEM")
            if value is None:
                options.messages.append(_VALUES[letter][1])
                value = ""
            if letter == "p":
                _load(options, value)
            elif letter == "c":
                options.params = options.params.replace(cutoff=atoi(value))
                options.cutoff = True
                if spmrl:
                    options.messages.append(f"cutoff {options.params.cutoff}")
            elif letter == "e":
                options.params = options.params.replace(max_error=atoi(value))
            else:
                number = atoi(value)
                options.last_line = number if number == -1 else max(number, 1)
        elif letter in "dD":
            options.params = options.params.replace(debug=1 if letter == "d" else 2)
        elif letter in _FLAGS and letter not in unknown:
            if letter != "L" or not options.compact:
                # As in C, -l takes precedence in either order.
                setattr(options, *_FLAGS[letter])
            if options.show:
                return options
        else:
            advice = "jpevalb -evalb --help lists its options"
            if letter in unknown:
                advice = "it is an option of --dialect spmrl"
            elif _row(word.partition("=")[0]):
                advice = _other_mode(arguments, evalb_itself=options.evalb_itself)
            raise UsageError(f"unknown option {word!r} of evalb; {advice}")
    # evalb ignores a third name, and so does its own command line here.
    if prm is not None and len(options.files) > 2 and options.comparing is None:
        options.comparing = []
    return options


def _advice_if_misread(word: str) -> str:
    """Return the spelling that is meant by a word that evalb would read as a letter with junk, "" for others.

    What a script may pass to evalb is no junk: ``-e10``, ``-c5x``, ``-Dz``, ``-pFILE``.
    """
    letter, rest = word[1], word[2:]
    name, _, value = word[1:].partition("=")
    if word.startswith("-evalb_spmrl"):
        return "write --dialect spmrl"
    if word.startswith("-eval"):
        return f"write -evalb {word[5:].removeprefix('b').removeprefix('=') or '[PRM]'}"
    if letter == "p":
        meant = not rest or os.path.exists(find(rest))
    elif letter in "ceK":
        meant = not rest or rest.lstrip(BLANKS).removeprefix("-").removeprefix("+")[:1].isdecimal()
    else:
        meant = letter == "h" or len(rest) < 3 or set(rest) <= {*_VALUES, *_FLAGS, *"dD0123456789"}
    if meant:
        return ""
    is_long = bool(_row(f"--{name}"))
    if letter == "p" and not (is_long or value):
        return ""
    spellings = []
    if letter in (*_VALUES, "d", "D") and (not is_long or name == "cutoff"):
        shown = value if name == letter and value else _VALUES.get(letter, ("",))[0]
        spellings.append(f"-{letter} {shown}".rstrip() + " with -evalb or -p" * is_long)
    if is_long:
        spellings.append(f"--{name}" + " without them" * bool(spellings))
    return f"write {', or '.join(spellings)}" if spellings else ""


def _row(option: str) -> Any:
    """Return the row of an option of jpevalb, or ``None``."""
    # All these options take a while to import, so this is for calls that evalb does not have.
    from .options import LEGACY_ROWS, ROWS

    return next((row for name, row in {**ROWS, **LEGACY_ROWS}.items() if option in row.spellings(name)), None)


def _takes_value(option: str) -> bool:
    row = _row(option) if option.startswith("--") else None
    return bool(row and row.metavar)


def _is_of_reports(option: str) -> bool:
    """Return True for an option of jpevalb's reports that evalb's figures have."""
    from .options import OF_EVALB

    return any(option in (*row.spellings(name), *row.old) for name, row in OF_EVALB.items())


def _other_mode(arguments: Sequence[str], *, evalb_itself: bool) -> str:
    """Explain how to use an option that evalb lacks."""
    legacy = [word for word in arguments if is_legacy("", [word]) or word[:2] in ("-c", "-e")]
    for option, word in pairwise(arguments):
        if word in legacy and _takes_value(option):
            return f"write {option}={word}"
    if "-evalb" in legacy and not evalb_itself:
        if "--prm" in arguments[:-1]:
            return f"write -evalb {arguments[arguments.index('--prm') + 1]}"
        if {word.partition("=")[0] for word in arguments if word.startswith("--")} <= _OF_REPORTS:
            others = [
                word
                for before, word in zip(["", *arguments], arguments)
                if word.startswith("--") or _takes_value(before)
            ]
            return f"for the same F1 write --convention evalb {' '.join(others)} in place of -evalb"
    way = "call jpevalb" if evalb_itself else f"leave out {' and '.join(dict.fromkeys(legacy))}"
    if not evalb_itself and any(word.startswith("-p") for word in legacy):
        way += " and give the .prm with --prm"
    return f"{way} for jpevalb's own score"


def _take_long_options(options: LegacyOptions, arguments: list[str]) -> tuple[list[str], str | None]:
    """Set jpevalb's own options; return the other words, and the .prm of -evalb ("" for the default)."""
    evalb_itself = options.evalb_itself
    if any(word.startswith("--score-only") for word in arguments) and not evalb_itself:
        from .threshold import with_figures

        arguments = with_figures(arguments)
    words: list[str] = []
    files = 0  # names of files among the words
    prm: str | None = None
    rest = list(arguments)
    while rest:
        word = rest.pop(0)
        name, equals, value = word.partition("=")
        if name in ("--dialect", "--jobs"):
            value = value if equals else rest.pop(0) if rest else ""
            if name == "--jobs":
                if not value.isdecimal() or len(value) > 9 or int(value) < 1:
                    raise UsageError(f"--jobs: got {value[:20]!r}; expected a whole number from 1")
            elif value not in ("evalb", "spmrl"):
                raise UsageError(f"--dialect: got {value!r}; expected one of evalb, spmrl")
            else:
                options.dialect = value
        elif word in ("--help", "--version"):
            options.show = word[2:]
        elif name == "--evalb" or (name == "-evalb" and not evalb_itself):
            prm = prm or value
            if not (value if equals else not rest or rest[0]):
                raise UsageError(
                    f"{name}: the name of the .prm is empty; name a file, or leave it out for {DEFAULT_PRM}"
                )
            # The word behind it is a .prm by its name, or because both files came before.
            follows = not equals and rest and rest[0][0] != "-"
            if follows and (rest[0].endswith(".prm") or find(rest[0]) != rest[0] or files >= 2):
                prm = rest.pop(0)
        elif not evalb_itself and word == "--quiet":
            options.quiet = True
        elif not evalb_itself and (name == "-o" or name[:2] == "--") and _is_of_reports(name):
            options.comparing = [*(options.comparing or ()), name]
            if name != "--verbose":
                if not equals and not rest:
                    raise UsageError(f"{name} without a value; expected one behind it")
                options.comparing.append(value if equals else rest.pop(0))
        else:
            words.append(word)
            files += word == "-" or not word.startswith("-")
            if word in ("-c", "-e", "-p", "-K") and rest:
                # Its value, whatever it looks like.
                words.append(rest.pop(0))
    return words, prm


def _load(options: LegacyOptions, name: str, *, in_package: bool = False, by_evalb: bool = False) -> None:
    known = len(options.params.messages)
    try:
        data = read_small(os.path.join(folder(), name) if in_package else find(name))
    except (OSError, ValueError):
        also = f"; expected a path or one of {', '.join(bundled())}" if by_evalb else ""
        raise OpenError(f"Can't open parameter file ({name}){also}", options.messages) from None
    options.params = options.params.parse(data, name=name, earlier=tuple(options.prm_texts))
    options.prm_texts.append(data)
    options.messages.extend(options.params.messages[known:])


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
        if options.show:
            return _show(options)
        _write_lines(options.messages)
        files = options.files[:2]
        if len(files) < 2:
            found = "one file name" if files else "no file name"
            advice = "jpevalb -evalb --help lists the options"
            raise UsageError(f"{found}; expected two: GOLD SYSTEM; {advice}")
        begins = (b"#FORMAT", b"#BOS", b"%%", b"<?xml")  # of files in export format and XML
        for name in () if options.evalb_itself else files:
            if beginning(name, 8).startswith(begins):
                raise UsageError(
                    f"{name}: evalb reads bracket trees only; for other formats leave out -p and "
                    "-evalb, and give the parameter file with --prm"
                )
        if options.comparing is not None:
            return _compare(options)
        if same_pipe(files):
            raise UsageError("both files are standard input, which can be read once; name a file")
        with _open(files[0], "gold") as gold, _open(files[1], "test") as test:
            return _score(options, gold, test)
    except UsageError as error:
        return _fail(f"jpevalb: {error}", 2)
    except OpenError as error:
        _write_lines(error.args[1])
        return _fail(error.args[0])
    except ReadError as error:
        return _fail(f"jpevalb: {options.files[error.side]}: cannot read the file: {error}")


def _show(options: LegacyOptions) -> int:
    """Write the version or the options instead of scoring."""
    if options.show == "version":
        from ..base.version import version_line

        print(version_line())
    elif options.show == "help":
        print(f"{USAGE}\nwith --dialect spmrl also:\n{SPMRL_USAGE}", end="")
    else:
        _write(os.fsencode(USAGE + (SPMRL_USAGE if options.dialect == "spmrl" else "")))
    return 0


def _compare(options: LegacyOptions) -> int:
    from ..base.files import reject_inputs
    from .arguments import CommandParser
    from .evaluate import choose_format, compares
    from .options import GROUPS, OF_EVALB
    from .tables import run_comparison

    usage = "jpevalb GOLD SYSTEM SYSTEM ... -evalb [PRM] [options]"
    made = CommandParser("jpevalb", OF_EVALB, GROUPS, usage=usage)
    made.set_defaults(
        more_gold=[], quiet=options.quiet, view=None, rows=None, details=None, allow_excluded=None
    )

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
        return run_comparison(found, found.gold, found.system, options.params, dialect=options.dialect)

    return made.run(options.comparing or [], compared)


def _report(options: LegacyOptions, found: Namespace) -> int:
    """Write evalb's figures of one system as JSON or alone, or its report, and return the exit status."""
    import json

    from ..legacy.result import evaluate
    from ..metrics.brackets import LEGACY
    from . import threshold
    from .arguments import output
    from .evaluate import check_together

    if found.output not in ("text", "json"):
        raise SettingsError(f"--as {found.output} needs several systems with -evalb; give text or json")
    if found.verbose:
        raise SettingsError("--verbose needs several systems with -evalb; leave it out")
    check_together(found, many=False)
    threshold.check(found, LEGACY)
    gold, system = options.files
    with output(found) as (write, _):
        result = evaluate(
            *(gold, system, options.params),
            dialect=options.dialect,
            score_skipped=options.score_skipped,
            last_line=options.last_line,
        )
        for message in result.messages:
            say("jpevalb", message)
        content = result.to_dict()
        scores = threshold.Scores([(os.path.basename(system), content["figures"])], content["signature"])
        if found.score_only:
            write(threshold.lines(found, scores))
        elif found.output == "json":
            write(json.dumps(content, indent=1, ensure_ascii=False) + "\n")
        else:
            write(result.report(quiet=options.quiet))
    return threshold.status(found, scores)


def _score(options: LegacyOptions, gold: IO[bytes], test: IO[bytes]) -> int:
    params = options.params
    scorer = new_scorer(
        params, dialect=options.dialect, score_skipped=options.score_skipped, last_line=options.last_line
    )
    debugging = params.debug > 0
    sums = memoryview(bytearray(8 * 2 * SUMS)).cast("q")

    def show(chunk: ScoredLines) -> bool:
        """Print a part of the report; return True if it is the last one because of errors."""
        messages, rows, trace, killed = chunk
        text = format_rows(rows)
        pieces = text.splitlines(keepends=True) if debugging or messages else [text]
        if debugging:
            # Rows are between traces and tables.
            pieces = [item if isinstance(item, bytes) else pieces[item] for item in trace]
        if options.quiet:
            pieces = [b""] * len(pieces)
        done = 0
        for message, times, place in messages:
            out.write(pieces[done:place])
            out.message(message, times)
            done = place
        out.write(pieces[done:])
        if not killed:
            add_rows(rows, params.cutoff, sums)
        return killed

    # Other inputs than regular files may be slow, such as the output of a parser.
    at_once = any(name == "-" or not os.path.isfile(name) for name in options.files[:2])
    with _BlockWriter(at_once=at_once) as out:
        if not options.quiet:
            out.write([HEADER])
        scorer.drain = lambda: show(taken(scorer, False))
        for chunk in run(scorer, Stream(gold, 0), Stream(test, 1)):
            if show(chunk):
                return 1
        if options.compact:
            chosen = sums[:SUMS] if options.compact == "all" else sums[SUMS:]
            out.write([one_line(chosen, os.fsencode(options.files[1]))])
        else:
            names = tuple(map(os.fsencode, options.files[:2])) if options.names else ()
            out.write([summary(sums, params.cutoff, names, quiet=options.quiet)])
    return 0


class _BlockWriter:
    """Standard output in the blocks of C's library, so that both streams in one file are in evalb's order.

    C writes to a terminal after each line, elsewhere whenever more than a block is waiting.  Only messages
    show what is written at that time, so without messages all is written at once.  With ``at_once``, for
    input that may be slow, rows are written as they are scored.
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


def _open(name: str, side: str) -> IO[bytes]:
    """Open a file of trees, which may be compressed; "-" is standard input."""
    try:
        if name == "-":
            # Without a buffer, which would wait until it is full.
            return open(0, "rb", buffering=0, closefd=False)
        if not name.endswith((".gz", ".bz2", ".xz")):
            return open(name, "rb", buffering=0)
        from ..base.streams import open_binary

        return open_binary(name)
    except (OSError, ValueError):
        raise OpenError(f"Can't open {side} file ({name})", []) from None


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
