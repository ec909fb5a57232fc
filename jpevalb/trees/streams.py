"""Streams that write all of what they are given, or raise.

Every command needs this at once, legacy mode too, so it imports next to nothing.
"""

from __future__ import annotations

import errno
import io
import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO, Any, TextIO


def write_whole(file: IO[bytes], data: bytes) -> None:
    """Writes all of the data, also where one call of ``file.write`` takes no more than its beginning.

    Raises:
        OSError: the file does not take all of it.
    """
    written = file.write(data)
    while written is None or written < len(data):
        if not written:
            raise OSError(errno.EAGAIN, "the file takes no more")
        data = data[written:]
        written = file.write(data)


class _Whole(io.BufferedIOBase):
    """What a text stream writes to, above a raw stream that is not its own: it keeps nothing back."""

    def __init__(self, raw: IO[bytes]) -> None:
        self._raw = raw
        self._error: OSError | None = None

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        return self._raw.fileno()

    def isatty(self) -> bool:
        return self._raw.isatty()

    def write(self, data: Any, /) -> int:
        try:
            write_whole(self._raw, bytes(data))
        except OSError as error:
            self._error = error
            raise
        return len(data)

    def flush(self) -> None:
        """Raises what went wrong in writing, once: not everybody who writes looks (argparse does not)."""
        error, self._error = self._error, None
        if error is not None:
            raise error


def unbuffered(stream: TextIO) -> TextIO:
    """A text stream without a buffer, as ``python -u`` makes them, as one that writes whole texts.

    Such a stream may write the beginning of a text, on a disk that is full behind it, and say
    nothing.  The one given here writes on until everything is out or the system says why not.

    Args:
        stream: A text stream right above a raw one; nothing closes it.
    """
    whole: Any = _Whole(stream.buffer)
    return io.TextIOWrapper(
        whole,
        stream.encoding,
        stream.errors,
        newline=None if os.name == "nt" else "\n",
        write_through=True,
    )
