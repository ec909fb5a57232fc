"""Exceptions for invalid input; each message is one line."""

from __future__ import annotations

import codecs
import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeVar

    E = TypeVar("E", bound="JpevalbError")


class JpevalbError(ValueError):
    """Base class: invalid input or a request that cannot be met.

    The text is one line: where (``file:line:column`` as far as known), what was found, what was expected
    and what to do.

    Args:
        message: What was found, what was expected and what to do.
        source: Name of the file or other input.
        line: Line number, counted from 1.
        column: Column in characters, counted from 1.

    >>> str(JpevalbError("expected ')', found the end of the line", source="dev.mrg", line=3, column=17))
    "dev.mrg:3:17: expected ')', found the end of the line"
    """

    def __init__(
        self, message: str, *, source: str | None = None, line: int | None = None, column: int | None = None
    ) -> None:
        self.message = message
        self.source = source
        self.line = line
        self.column = column
        super().__init__(message)

    def __str__(self) -> str:
        parts = (self.source, self.line, self.column if self.line is not None else None)
        where = ":".join(str(part) for part in parts if part is not None)
        return f"{where}: {self.message}" if where else self.message


class TreeError(JpevalbError):
    """A tree that cannot be read, or that an operation does not support."""


class LeftOutError(TreeError):
    """A pair that a convention leaves out; the message is the reason."""


class ReaderOptionError(TreeError):
    """A tree that could be read with another value of a reader's option."""

    # The defaults are for unpickling, which passes the message only.
    def __init__(
        self, problem: str, advice: str = "", option: str = "-", value: str = "", **where: Any
    ) -> None:
        self.option, self._value = option, f"={value!r}"
        super().__init__(f"{problem}; {advice} {option}{self._value}", **where)

    def of_side(self, side: str) -> ReaderOptionError:
        """Return the error with one side's option, such as ``gold_encoding``, in place of the reader's."""
        option = f"{side}_{self.option}"
        head, _, tail = self.message.rpartition(self.option + self._value)
        return reported(self, message=head + option + self._value + tail, option=option)


def reported(error: E, before: str = "", after: str = "", **changes: Any) -> E:
    """Return a copy of an error with text around its message, or with another source, line or column."""
    # Not by ``copy``, which passes the arguments to ``__init__``: subclasses may take others.
    copied = type(error).__new__(type(error), *error.args)
    vars(copied).update({**vars(error), "message": before + error.message + after, **changes})
    return copied


def encoding_error(problem: str, encoding: str, head: bytes, **where: Any) -> ReaderOptionError:
    """Return the error for bytes of a line or file that are not in the encoding."""
    value = "utf-8"
    if head[:2] in (b"\xff\xfe", b"\xfe\xff"):
        value = "utf-16"
    elif codecs.lookup(encoding).name.startswith("utf-8"):
        # Are most pairs of bytes common characters of GB 2312?
        runs = re.findall(rb"[\x80-\xff]+", head)
        pairs = [run[i : i + 2] for run in runs for i in range(0, len(run), 2)]
        common = sum([len(pair) == 2 and b"\xb0\xa1" <= pair < b"\xf8" and pair[1] >= 0xA1 for pair in pairs])
        value = "gb18030" if pairs and 4 * common >= 3 * len(pairs) else "latin-1"
    return ReaderOptionError(problem, "try", "encoding", value, **where)


class InputError(JpevalbError):
    """A file that cannot be opened, read or written."""


class ParamsError(JpevalbError):
    """A parameter file that cannot be found or read."""


class SettingsError(JpevalbError):
    """Options that are invalid or contradict each other."""


class WorkerError(JpevalbError):
    """Workers that cannot be reached, have died, or run another version of jpevalb."""


class TimingError(JpevalbError):
    """Word times that do not match the words, or a file of times that cannot be read."""


class TooLargeError(JpevalbError):
    """Trees that are too large and too different to be mapped in reasonable memory and time."""
