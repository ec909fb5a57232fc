"""How the commands' options are shown and what is said of bad ones."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, NoReturn

from ..trees.errors import JpevalbError, SettingsError
from ..trees.plugins import plugin_names
from ..trees.streams import same_pipe
from ..trees.version import version_line
from . import say

_COLUMN = 23
"""Where the help of an option begins: behind the longest option, so that each fits one line of 80."""


class CommandParser(argparse.ArgumentParser):
    """A parser with a dense help and errors of one line.

    Abbreviated options are errors: a new option must not change what an old command line means.
    """

    def __init__(self, prog: str, *, usage: str, description: str, epilog: str) -> None:
        super().__init__(
            prog=prog,
            usage=usage,
            description=description,
            epilog=epilog,
            formatter_class=partial(argparse.RawDescriptionHelpFormatter, max_help_position=_COLUMN),
            allow_abbrev=False,
            add_help=False,
        )

    def format_help(self) -> str:
        """The help without blank lines between the groups, whose titles stand out as they are."""
        usage, description, *groups, epilog = super().format_help().split("\n\n")
        return "\n\n".join((usage, description, "\n".join(groups), epilog))

    def add_help_and_version(self, whole: Callable[[], argparse.ArgumentParser]) -> None:
        """Adds the last group: what is done instead of scoring.

        Args:
            whole: Makes the parser with every option that completion scripts know.
        """
        add = group(self, "other")
        add("-h, --help", "", "show this help", action="help", default=argparse.SUPPRESS)
        add("--completion", "SHELL", "print a script for bash, zsh or tcsh", action=_Completion, const=whole)
        what = "show the version and the kernels in use"
        add("--version", "", what, action="version", version=version_line(), dest=argparse.SUPPRESS)

    def run(self, argv: list[str] | None, work: Callable[[argparse.Namespace], int]) -> int:
        """Does what a command line asks for and returns its exit status; errors of input are told in a line.

        Args:
            argv: The arguments without the program's name; those of the process if not given.
            work: Does it, given the options.
        """
        try:
            return work(self.parse_args(argv))
        except SystemExit as end:
            return int(end.code or 0)
        except JpevalbError as error:
            say(self.prog, error)
            return 2 if isinstance(error, SettingsError) else 1

    def error(self, message: str) -> NoReturn:
        """Says what is wrong in one line and ends with status 2."""
        say(self.prog, self._advice(message))
        raise SystemExit(2)

    def _advice(self, message: str) -> str:
        unknown = re.match(r"unrecognized arguments: (-[^ =]+)", message)
        if unknown:
            from difflib import get_close_matches

            known = [name for action in self._actions for name in action.option_strings]
            near = get_close_matches(unknown[1], known, n=1, cutoff=0.75)
            if near:
                return f"{message}; did you mean {near[0]}?"
        if message.startswith("the following arguments are required"):
            message = f"{message}; usage: {self.usage}"
        return f"{message}; {self.prog} --help shows how"


def group(parser: argparse.ArgumentParser, title: str, **common: Any) -> Callable[..., None]:
    """What adds options to a new group: their names, metavariable (empty for a switch) and help.

    Args:
        parser: What gets the group.
        title: Of the group.
        **common: What else ``add_argument`` takes, for all options of the group.
    """
    add = parser.add_argument_group(title).add_argument

    def option(names: str, metavar: str, help: str, **how: Any) -> None:
        kind = {"metavar": metavar} if metavar else {"action": "store_true"}
        add(*names.split(", "), help=help, **{**kind, **common, **how})

    return option


class _Completion(argparse.Action):
    """``--completion SHELL``: the script of the program for that shell."""

    def __init__(
        self,
        option_strings: list[str],
        dest: str,
        const: Callable[[], argparse.ArgumentParser],
        metavar: str,
        help: str,
    ) -> None:
        hidden = argparse.SUPPRESS
        super().__init__(option_strings, hidden, const=const, default=hidden, metavar=metavar, help=help)

    def __call__(self, parser: argparse.ArgumentParser, namespace: Any, shell: Any, *_: Any) -> NoReturn:
        from .completion import script

        try:
            print(script(self.const(), shell), end="")
        except SettingsError as error:
            parser.error(str(error))
        raise SystemExit(0)


class Formats(list[str]):
    """Names of formats; those of other packages, in a group of entry points, are looked for only at need."""

    def __init__(self, names: Iterable[str], group: str) -> None:
        super().__init__(names)
        self._group = group

    def __contains__(self, name: object) -> bool:
        return super().__contains__(name) or name in plugin_names(self._group)


def whole_number(least: int = 0) -> Callable[[str], int]:
    """The type of an option that takes a whole number from ``least`` on.

    >>> whole_number()("40")
    40
    """

    def number(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            value = least - 1
        if value < least:
            raise argparse.ArgumentTypeError(f"found {text!r}; expected a whole number from {least} on")
        return value

    return number


def how_many(text: str) -> int | None:
    """The type of an option that takes a whole number from 1 on, or ``all``, which is ``None``.

    >>> how_many("40"), how_many("all")
    (40, None)
    """
    try:
        return None if text == "all" else whole_number(1)(text)
    except argparse.ArgumentTypeError:
        raise argparse.ArgumentTypeError(
            f"found {text!r}; expected a whole number from 1 on, or all"
        ) from None


def decimal_number(text: str) -> float:
    """The type of an option that takes a number.

    >>> decimal_number("0.15")
    0.15
    """
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"found {text!r}; expected a number such as 0.15") from None


def memory_size(text: str) -> int:
    """The type of an option that takes bytes, or thousands (K), millions (M) or billions (G) of them.

    >>> memory_size("1.5G"), memory_size("200M"), memory_size("4096")
    (1500000000, 200000000, 4096)
    """
    found = re.fullmatch(r"([0-9]{1,15}(?:\.[0-9]{1,9})?)([KMG]?)", text.upper())
    size = int(float(found[1]) * 1000 ** " KMG".index(found[2] or " ")) if found else 0
    if size < 1:
        raise argparse.ArgumentTypeError(f"found {text!r}; expected a size such as 500M or 4G")
    return size


def names(text: str) -> tuple[str, ...]:
    """The type of an option that takes names with commas between them.

    >>> names("brackets, tags")
    ('brackets', 'tags')
    """
    found = tuple(name for name in map(str.strip, text.split(",")) if name)
    if not found:
        raise argparse.ArgumentTypeError(
            f"found {text!r}; expected one name or more, with commas between them"
        )
    return found


def refuse_one_pipe(names: list[str], how_many: str) -> None:
    """Makes sure that no two inputs are one pipe, or the standard input.

    Args:
        names: Paths, ``-`` for the standard input.
        how_many: What the message says of inputs that are all ``-``.

    Raises:
        SettingsError: two of them are.
    """
    twice = same_pipe(names)
    if twice == ("-", "-"):
        raise SettingsError(f"{how_many} files are '-'; only one can be the standard input")
    if twice:
        raise SettingsError(f"{twice[0]!r} and {twice[1]!r} are one pipe, which is read once; give a file")


@contextmanager
def output(path: str | None) -> Iterator[Callable[[str], object]]:
    """What writes text to a file, which appears once it is whole; to stdout for ``None`` and ``-``."""
    if path is None or path == "-":
        yield sys.stdout.write
        return
    from ..trees.output import whole_file

    with whole_file(path) as write:
        yield write
