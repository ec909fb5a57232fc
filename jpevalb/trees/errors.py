"""The errors that jpevalb raises for bad input: one family, one line each."""

from __future__ import annotations


class JpevalbError(ValueError):
    """Bad input or a request that cannot be met.

    The text is one line that says where (``file:line:column`` as far as known),
    what was found, what was expected and what to do.

    Args:
        message: What is wrong and what to do, without the place.
        source: Name of the file, or of whatever the input came from.
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
        place = ":".join(str(part) for part in parts if part is not None)
        return f"{place}: {self.message}" if place else self.message


class TreeError(JpevalbError):
    """A tree that cannot be read, or that the asked-for operation cannot take."""


class InputError(JpevalbError):
    """A file that cannot be opened, read or written."""


class ParamsError(JpevalbError):
    """A parameter file that cannot be found or read."""


class SettingsError(JpevalbError):
    """Options that contradict each other or have no meaning."""


class WorkerError(JpevalbError):
    """Workers that cannot be reached, have died, or do not fit this jpevalb."""


class TimingError(JpevalbError):
    """Times that do not fit the words, or a file of times that cannot be read."""


class TooLargeError(JpevalbError):
    """Trees so large and so different that mapping them would take too much memory or time."""
