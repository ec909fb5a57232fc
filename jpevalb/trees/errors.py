"""Exceptions for invalid input; each message is one line."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


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


class EncodingError(TreeError):
    """Bytes that are not in the encoding of the file.

    Args:
        problem: What was found.
        head: The first bytes of the line or file; a UTF-16 byte order mark changes the suggestion.
    """

    def __init__(self, problem: str, head: bytes = b"", **where: Any) -> None:
        super().__init__(problem, **where)
        self._problem = problem
        self._suggested = "utf-16" if head[:2] in (b"\xff\xfe", b"\xfe\xff") else "latin-1"
        self.name_option("encoding")

    def name_option(self, option: str) -> None:
        """Suggest ``gold_encoding`` or ``sys_encoding`` for the side that failed."""
        flag, name = option.replace("_", "-"), self._suggested
        self.message = f"{self._problem}; name the encoding, such as {option}={name!r} (--{flag} {name})"


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
