"""How the commands' options are shown and what is said of bad ones."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable
from typing import Any, NoReturn

from ..model.errors import SettingsError
from ..model.plugins import FORMATS, REPORTS, plugin_names
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
            formatter_class=_formatter,
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
        add = self.add_argument_group("other").add_argument
        add("-h", "--help", action="help", default=argparse.SUPPRESS, help="show this help")
        add(
            "--completion",
            action=_Completion,
            const=whole,
            metavar="SHELL",
            help="print a script for bash, zsh or tcsh",
        )
        add("--version", action=_Version, help="show the version and the kernels in use")

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


def _formatter(prog: str) -> argparse.HelpFormatter:
    return argparse.RawDescriptionHelpFormatter(prog, max_help_position=_COLUMN)


class _Version(argparse.Action):
    """``--version``, which is put together only when asked for."""

    def __init__(self, option_strings: list[str], dest: str, help: str | None = None) -> None:
        super().__init__(option_strings, argparse.SUPPRESS, nargs=0, default=argparse.SUPPRESS, help=help)

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> NoReturn:
        from ..model.version import version_line

        print(version_line())
        raise SystemExit(0)


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


class InputFormats(list[str]):
    """The names of formats that are read; those of other packages are looked for only when one is met."""

    def __contains__(self, name: object) -> bool:
        return super().__contains__(name) or name in plugin_names(FORMATS)


class OutputFormats(list[str]):
    """The names of formats that are written; those of other packages are looked for only when one is met."""

    def __contains__(self, name: object) -> bool:
        return super().__contains__(name) or name in plugin_names(REPORTS)


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
