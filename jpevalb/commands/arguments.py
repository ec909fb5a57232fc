"""What both commands share: the parser made from option rows, help and errors, output, and progress."""

from __future__ import annotations

import argparse
import os
import re
import shlex
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from typing import Any, NoReturn, TypeVar

from ..base.errors import InputError, JpevalbError, SettingsError
from ..base.values import FILE, NAME, SWITCH, OptionError, Values, whole_number
from ..base.version import CITATION, version_line
from ..settings.options import Option
from . import say

Namespace = argparse.Namespace

MEANT = {
    **dict.fromkeys(("--labeled", "--labelled"), "labels count unless --unlabeled is given"),
    "--gold": "the gold file is the first argument, without an option",
    **dict.fromkeys(("--sys", "--system"), "the system's file is the second argument, without an option"),
    "--json": "for a JSON report give --as json",
    **dict.fromkeys(("--discontinuous", "--mode"), "give --convention discontinuous"),
    "--csv": "for a CSV report give --as csv",
    "--html": "for an HTML report give --out report.html",
    "--legacy": "for evalb's report give -evalb",
    "--score": "for F1 alone give --score-only",
    "--exclude-trivial": "give --convention '{name} least:2 whole:drop-all'",
    "--max-fanout": "give --convention '{name} most-gaps:{less}'",
    "--least-words": "give --convention '{name} words:{value}|'",
    "--most-words": "give --convention '{name} words:0|{value}'",
    "--table": "to write each table to a file give --out FOLDER/",
    "-c": "for evalb's report give -evalb -c N, for figures of sentences up to N words --cutoff N",
    **dict.fromkeys(("-e", "--max-error"), "for evalb's report, which ends after N errors, give -evalb -e N"),
    "-P": "for a parameter file give --prm PRM, or for evalb's report -evalb PRM",
    "-q": "for the summary only give --quiet",
    "-v": "for all counters give --verbose",
    "-f": "for the format of the files give --format, for that of the report --as",
}
"""What is meant by options of other programs and of earlier versions."""


class _HelpFormatter(argparse.RawDescriptionHelpFormatter):
    """Writes an option as ``-o, --out FILE``."""

    def _format_action_invocation(self, action: argparse.Action) -> str:
        return invocation(action)


class CommandParser(argparse.ArgumentParser):
    """A parser with a dense help and errors of one line."""

    # With ``brief``, ``--help`` lists everyday options only.  ``texts`` are usage, description and epilog.
    def __init__(
        self,
        prog: str,
        rows: Mapping[str, Option],
        groups: Sequence[str],
        *,
        brief: bool = False,
        **texts: Any,
    ) -> None:
        # Abbreviations are errors: a new option must not change an old command line.
        super().__init__(prog, formatter_class=_HelpFormatter, allow_abbrev=False, add_help=False, **texts)
        self.rows: dict[argparse.Action, Option] = {}  # of each declared option
        self.spellings: set[str] = set()  # of all options that are read
        self.groups = groups
        self._brief = brief
        self._words: list[str] = []  # of the command line
        sections = {title: self.add_argument_group(title) for title in groups}
        for name, row in rows.items():
            # A setting that is not given has the default of its convention.
            how: dict[str, Any] = {"help": row.help, "default": argparse.SUPPRESS if row.setting else None}
            if row.values is not SWITCH:
                how |= {"metavar": row.metavar, "type": _reader(row.values)}
            elif not row.metavar:
                how |= {"action": "store_true", "default": how["default"] or False}
            spellings = row.spellings(name)
            action = sections[row.group].add_argument(*spellings, *row.old, **{**how, **row.argparse})
            if row.old:
                action.option_strings = [*spellings]  # those that help and errors show
            self.rows[action] = row
            self.spellings |= {*spellings, *row.old}

    def help(self, *, everything: bool) -> str:
        """Return the help, without blank lines between the groups: their titles separate them."""
        for action, row in self.rows.items():
            shown = everything or not self._brief or row.everyday or not action.option_strings
            action.help = row.help if shown else argparse.SUPPRESS
        usage, description, *groups, epilog = self.format_help().split("\n\n")
        return "\n\n".join((usage, description, "\n".join(groups), epilog))

    def run(self, words: Sequence[str] | None, work: Callable[[Namespace], int]) -> int:
        """Run a command line and return its exit status; input errors are printed in one line."""
        try:
            self._words = list(sys.argv[1:] if words is None else words)
            options = self.parse_args(self._words)
            # The output is the same for any number of processes.
            options.command = re.sub(r" --jobs[ =]\S+", "", shlex.join([self.prog, *self._words]))
            from ..kernels import implementation

            if "JPEVALB_PURE" not in os.environ and implementation() == "interpreted":
                say(
                    self.prog,
                    "the kernels are not compiled, so a run takes about ten times as long; install a C "
                    f"compiler, then {self.prog} again (JPEVALB_PURE=1 silences this warning)",
                )
            return work(options)
        except SystemExit as end:
            return int(end.code or 0)
        except OptionError as error:
            say(self.prog, f"{_spelled(error.option, error.value)}{error.problem}")
            return 2
        except JpevalbError as error:
            say(self.prog, error)
            return 2 if isinstance(error, SettingsError) else 1

    def error(self, message: str) -> NoReturn:
        """Report a bad command line in one line and end with status 2."""
        message = message.removeprefix("argument ")
        kind = re.match(r"--(?:gold-|sys-)?format: got '(\w+)'", message)
        file = re.match(r"--as: got '(.*\.\w+)'", message)
        unknown = re.match(r"unrecognized arguments: (-[^ =]+)", message)
        option = unknown[1] if unknown else ""
        if message.startswith("the following arguments are required"):
            message += f"; usage: {self.usage}"
            given = [word.partition("=")[0] for word in self._words if word.startswith("--")]
            option = next((word for word in given if word not in self.spellings), "")
        if option:
            advice = self._advice(option) or (unknown and f"{self.prog} --help all lists all options")
            message = f"unknown option {option}; {advice}" if advice else message
        elif file:
            message = f"--as is the format of the report; to write it to a file give -o {file[1]}"
        elif kind and "--as" in self.spellings:
            from ..report import FORMATS  # imports all of the scoring, which jpevalb-average does not need

            if kind[1] in FORMATS:
                report = f"for the format of the report give --as {kind[1]}"
                message = f"--format is the format of the files; {report}"
        elif message.endswith("expected one argument"):
            option = message.partition(":")[0].rpartition("/")[2]
            message = f"{option} needs a value; write {option}=VALUE if it begins with -"
        elif stray := re.match(r"unrecognized arguments: (\S+)", message):
            message = f"unexpected word {stray[1]!r}; {self._advice_on_word(stray[1])}"
        elif "ignored explicit argument" in message:
            message = f"{message.partition(':')[0]} takes no value; leave the value out"
        say(self.prog, message)
        raise SystemExit(2)

    def _advice(self, option: str) -> str:
        """Return what to write in place of an unknown option; an empty text if nothing is near."""
        if "--convention" in self.spellings:
            from ..settings.convention import RULES
            from ..settings.settings import ALIGNED, DISCONTINUOUS, OPTIONS

            value: Any = self._value(option)
            # Few rules can change where words are aligned.
            plain = ALIGNED if option == "--cut-at" else DISCONTINUOUS
            name = self._value("--convention").partition(" ")[0] or plain
            if option in MEANT:
                less = int(value) - 1 if value.isdecimal() else "N"
                return MEANT[option].format(value=value or "N", less=less, name=name)
            setting = option[2:].replace("-", "_")
            if setting in OPTIONS:
                with suppress(ValueError, SettingsError):
                    value = OPTIONS[setting].values.read(value)
                return f"only Python has it: jpevalb.evaluate(GOLD, SYSTEM, {setting}={value or True!r})"
            if setting in RULES:
                return f"give --convention '{name} {option[2:]}:{value or 'VALUE'}' (--help rules)"
        from difflib import get_close_matches

        known = [spelling for action in self.rows for spelling in action.option_strings]
        near = get_close_matches(option, known, n=1, cutoff=0.75)
        return f"did you mean {near[0]}?" if near else ""

    def _advice_on_word(self, word: str) -> str:
        """Return what to do with a word that belongs to no option: join it with a value before it."""
        place = self._words.index(word) if word in self._words else 0
        option, value = self._words[place - 2 : place] if place > 1 else ("", "")
        for action, row in self.rows.items():
            if option in action.option_strings and row.metavar in ("LIST", "TAGS", "N"):
                joined = f"{value}{' ' if ':' in word or row.metavar == 'TAGS' else ','}{word}"
                with suppress(ValueError, SettingsError):
                    if row.values.accepts(row.values.read(joined)):
                        return f"give {option} {shlex.quote(joined)}"
        return "leave it out, or give all files together"

    def _value(self, option: str) -> str:
        """Return the value of an option on the command line; an empty text without one."""
        for word, following in zip(self._words, [*self._words[1:], "-"]):
            name, equals, value = word.partition("=")
            if name == option:
                return value if equals or following.startswith("-") else following
        return ""


def _reader(values: Values) -> Callable[[str], Any]:
    def read(text: str) -> Any:
        try:
            value = values.read(text)
            accepted = values.accepts(value)
        except SettingsError as error:
            raise argparse.ArgumentTypeError(str(error)) from None
        except ValueError:
            accepted = False
        if not accepted:
            raise argparse.ArgumentTypeError(f"got {text!r}; expected {values.expected}")
        return value

    return read


def _spelled(option: str, value: object) -> str:
    """Return an option as a command line spells it.

    >>> _spelled("by_label", True), _spelled("columns", ("P", "R")), _spelled("cutoff", (10, 20))
    ('--by-label', '--columns P,R', '--cutoff 10,20')
    """
    text = ",".join(map(str, value)) if isinstance(value, tuple) else str(value)
    return f"--{option.replace('_', '-')}{'' if value is True else f' {text}'}"


def invocation(action: argparse.Action) -> str:
    """Return how an option is called, as ``--prm PRM``."""
    if not action.option_strings:
        return str(action.metavar)
    value = f"[{action.metavar}]" if action.nargs == "?" else action.metavar
    return " ".join(filter(None, (", ".join(action.option_strings), str(value or ""))))


OFF = {"default": argparse.SUPPRESS}  # the parsed options have the attribute only if it is given


class _Show(argparse.Action):
    """Prints the text that a function returns for a value, and exits; without a text stores the value."""

    def __init__(self, *args: Any, text: Callable[[CommandParser, Any], str | None], **how: Any) -> None:
        super().__init__(*args, **how)
        self._text = text

    def __call__(self, parser: Any, namespace: Any, value: Any, *_: Any) -> None:
        text = self._text(parser, value)
        if text is None:
            setattr(namespace, self.dest, value)
        else:
            print(text, end="")
            raise SystemExit(0)


def _conventions(_: CommandParser, given: str | None) -> str | None:
    """Return the list of conventions for ``--convention`` without a value."""
    if given is not None:
        return None
    from ..report.conventions import render_list
    from ..score.conventions import chosen_conventions

    return render_list(chosen_conventions("all"))


LISTS_CONVENTIONS: dict[str, Any] = {"action": _Show, "text": _conventions, "nargs": "?"}


def _show(text: Callable[[CommandParser, Any], str], **how: Any) -> dict[str, Any]:
    return {"action": _Show, "text": text, "dest": argparse.SUPPRESS, **OFF, **how}


def _help(parser: CommandParser, topic: str | None) -> str:
    has_rules = "--convention" in parser.spellings
    if topic == "rules" and has_rules:
        from ..settings.convention import rules_text

        return rules_text()
    if topic not in (None, "all"):
        topics = "--help, --help all or --help rules" if has_rules else "--help or --help all"
        parser.error(f"--help {topic}: no such topic; give {topics}")
    return parser.help(everything=topic == "all")


OUT = Option(
    "report", "FILE", "write to FILE, which is replaced once complete", FILE, short="-o", everyday=True
)
JOBS = Option(
    "speed", "N", "number of processes (default: 1)", whole_number(1), everyday=True, argparse={"default": 1}
)
OTHER = {
    "help": Option(
        *("other", "all", "this help; all: all options; rules: of conventions", NAME),
        flags=("-h", "--help"), everyday=True, argparse=_show(_help, nargs="?"),
    ),
    "version": Option(
        *("other", "", "show the version and the kernels in use"), everyday=True,
        argparse=_show(lambda *_: f"{version_line()}\n", nargs=0),
    ),
    "cite": Option(
        *("other", "", "print the BibTeX entry of jpevalb"),
        argparse=_show(lambda *_: CITATION, nargs=0),
    ),
}  # fmt: skip


@contextmanager
def output(options: Namespace) -> Iterator[tuple[Callable[[str], object], dict[str, Any]]]:
    """Yield a function that writes to stdout or a file, which is complete or absent, and report arguments."""
    path = options.out
    if path is None or path == "-":
        yield sys.stdout.write, {}
        return
    from ..base.files import reject_inputs, whole_file
    from ..report import format_named

    with ExitStack() as stack:
        if not is_folder(path) or not format_named(options.output).separate:
            yield stack.enter_context(whole_file(path)), {}
            return

        def opened(table: str) -> Callable[[str], object]:
            file = os.path.join(path, f"{table}.{options.output}")
            reject_inputs(file, (options.gold, *options.more_gold, *options.system))
            try:
                if not os.path.isdir(path):
                    os.makedirs(path)
                    stack.callback(_remove_if_empty, path)
            except (OSError, ValueError) as error:
                reason = getattr(error, "strerror", None) or error
                raise InputError(f"cannot make the folder: {reason}", source=path) from None
            return stack.enter_context(whole_file(file))

        yield sys.stdout.write, {"opened": opened}


def _remove_if_empty(folder: str) -> None:
    """Remove a folder whose files were not completed."""
    with suppress(OSError):
        os.rmdir(folder)


def reject_given(options: Namespace, names: Iterable[str], problem: str) -> None:
    """Raise a SettingsError for the first of some options that is given."""
    for name in names:
        if getattr(options, name, None) not in (None, False, []):
            raise SettingsError(f"--{name.replace('_', '-')} {problem}")


def named_systems(names: Sequence[str] | None, systems: Any) -> Any:
    """Return the systems by their ``--names``, one different name for each; unchanged without names."""
    if names is None:
        return systems
    found = len(set(names))
    if not found == len(names) == len(systems):
        some = f"{found} different name{'s' * (found != 1)}"
        wanted = f"{len(systems)} system{'s' * (len(systems) != 1)}"
        raise SettingsError(f"--names {','.join(names)}: got {some} for {wanted}; give one for each")
    return dict(zip(names, systems))


def gold_title(options: Namespace) -> str:
    """Return the title of the gold side on a page: the name of the file, or of each reference."""
    if not options.more_gold:
        return "standard input" if options.gold == "-" else os.path.basename(options.gold) or options.gold
    from ..score.inputs import names_of

    return " or ".join([name for name, _ in names_of([options.gold, *options.more_gold], "reference")])


def screen(options: Namespace) -> tuple[int, int] | None:
    """Return width and height of the terminal that the report goes to; ``None`` without one."""
    if options.out not in (None, "-") or not sys.stdout.isatty():
        return None
    from shutil import get_terminal_size

    return get_terminal_size()


def is_folder(path: str | None) -> bool:
    """Return True for an existing folder, or a name that ends as one."""
    return path is not None and (path.endswith(("/", os.sep)) or os.path.isdir(path))


T = TypeVar("T")

PATIENCE = 1.0  # seconds before the bar appears
_OFTEN = 32  # number of results between two updates


class Followed(str):
    """A path that counts how much of its file has been read."""

    def __init__(self, path: str) -> None:
        self.size = os.path.getsize(path)
        self.done = 0  # bytes read

    def lines(self, lines: Iterable[Any]) -> Iterator[Any]:
        for line in lines:
            self.done += len(line)
            yield line


class Watch:
    """Shows the progress of a run, if there is a bar."""

    def __init__(self, paths: Sequence[Any], bar: Callable[..., Any] | None) -> None:
        self.paths: list[Any] = list(paths)  # to be read instead of the given paths
        self._bar = bar
        # The bytes that are read show the progress of plain files.
        plain = [isinstance(path, str) and not path.endswith((".gz", ".bz2", ".xz")) for path in paths]
        if bar is not None and all(plain) and "-" not in paths and all(map(os.path.isfile, paths)):
            self.paths = [Followed(path) for path in paths]

    def results(self, results: Iterable[T], unit: str = " sentences") -> Iterator[T]:
        """Yield the results, with a bar that counts them in a unit."""
        if self._bar is None:
            yield from results
            return
        files = [path for path in self.paths if isinstance(path, Followed)]
        how: dict[str, Any] = {"unit": unit}
        if files:
            how = {"unit": "B", "unit_scale": True, "total": sum(file.size for file in files)}
        # A terminal of unknown size reports 0 and would hide the bar.
        known = all(os.get_terminal_size(sys.stderr.fileno()))
        how |= {"dynamic_ncols": True} if known else {"ncols": 80, "nrows": 24}
        with self._bar(delay=PATIENCE, leave=False, file=sys.stderr, **how) as bar:
            count = shown = 0
            for result in results:
                yield result
                count += getattr(result, "size", 1)  # rows of a report come in blocks
                if count - shown >= _OFTEN or unit == " tests":  # which take long
                    shown = count
                    bar.update((sum(file.done for file in files) if files else count) - bar.n)


def watching(options: Namespace, paths: Sequence[Any]) -> Watch:
    """Return the watch of a call; without a bar if the rows on the terminal show the progress."""
    rows = options.rows and options.output == "text" and not options.quiet and screen(options)
    return Watch(paths, None if rows else terminal_bar())


def terminal_bar() -> Callable[..., Any] | None:
    """Return tqdm, or ``None`` if stderr is not a terminal."""
    if not sys.stderr.isatty():
        return None
    from tqdm import tqdm

    # tqdm's thread would not survive a fork.
    tqdm.monitor_interval = 0
    return tqdm  # type: ignore[no-any-return]
