"""Byte streams, for evalb's report too: compressed files, pipes, and output without a buffer."""

from __future__ import annotations

import errno
import io
import os
import stat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import IO, Any, TextIO

_MAX_BYTES = 1 << 26  # a device or a wrong file may be endless


def open_binary(name: str) -> IO[bytes]:
    """Open a file for reading, decompressed; raise OSError or ValueError like ``open``."""
    try:
        if name.endswith(".gz"):
            import gzip

            return gzip.open(name, "rb")  # type: ignore[return-value]  # typeshed: not an IO
        if name.endswith(".bz2"):
            from bz2 import BZ2Decompressor

            return Frames(open(name, "rb", buffering=0), BZ2Decompressor)  # type: ignore[return-value]
        if name.endswith(".xz"):
            from lzma import LZMADecompressor

            return Frames(open(name, "rb", buffering=0), LZMADecompressor)  # type: ignore[return-value]
    except ImportError as error:
        raise OSError(f"this Python cannot decompress it: {error}") from None
    return open(name, "rb", buffering=0)


def is_damage(error: BaseException) -> bool:
    """Return True if an exception means that a file cannot be read or decompressed."""
    # The decompressors' own errors are recognised by module, which avoids importing them.
    modules = ("zlib", "_lzma", "lzma", "zstandard", "zstandard.backend_c", "_zstd", "compression.zstd")
    return isinstance(error, (OSError, EOFError)) or type(error).__module__ in modules


class Frames(io.RawIOBase):
    """Reader of compressed frames, possibly with zero bytes in between; all damage is an error."""

    # The readers of bz2, xz and zstandard silently end after the first frame, or at damage behind it.

    def __init__(self, stream: IO[bytes], new: Callable[[], Any]) -> None:
        self._stream, self._new = stream, new
        self._input = b""
        self._data = memoryview(b"")
        self._frame = new()  # None between frames

    def readable(self) -> bool:
        return True

    def close(self) -> None:
        self._stream.close()
        super().close()

    def readinto(self, buffer: Any) -> int:
        while not self._data:
            # bz2 and xz hold back what exceeds the buffer; zstandard gives all data at once.
            needs_input = getattr(self._frame, "needs_input", True)
            data = self._input or (self._stream.read(1 << 12) if needs_input else b"")
            self._input = b""
            if needs_input and not data:
                if self._frame is not None:
                    raise EOFError("the compressed file ends too early; is it whole?")
                return 0
            if self._frame is None:
                data = data.lstrip(b"\0")
                if not data:
                    continue
                self._frame = self._new()
            most = (len(buffer),) if hasattr(self._frame, "needs_input") else ()
            self._data = memoryview(self._frame.decompress(data, *most))
            if self._frame.eof:
                self._input, self._frame = self._frame.unused_data, None
        size = min(len(buffer), len(self._data))
        buffer[:size], self._data = self._data[:size], self._data[size:]
        return size


def is_pipe(name: str) -> bool:
    """Return True for an input that can be read only once, such as ``<(...)`` of the shell."""
    try:
        return stat.S_ISFIFO(os.stat(name).st_mode)
    except (OSError, ValueError):
        return False


def same_pipe(names: Sequence[str]) -> tuple[str, str] | None:
    """Return the first two inputs that are the same pipe or both ``-``: each would get part of the data."""
    # Other files may be given twice, even as /dev/stdin.
    seen: dict[tuple[int, int], str] = {}
    for number, name in enumerate(names):
        if name == "-" and "-" in names[:number]:
            return name, name
        try:
            status = os.fstat(0) if name == "-" else os.stat(name)
        except (OSError, ValueError):
            continue
        if stat.S_ISFIFO(status.st_mode) or stat.S_ISSOCK(status.st_mode):
            file = status.st_dev, status.st_ino
            if file in seen:
                return seen[file], name
            seen[file] = name
    return None


def write_whole(file: IO[bytes], data: bytes) -> None:
    """Write all of the data, or raise ``OSError``; a raw ``file.write`` may write only part of it."""
    written = file.write(data)
    while written is None or written < len(data):
        if not written:
            raise OSError(errno.EAGAIN, "the file takes no more")
        data = data[written:]
        written = file.write(data)


class _WholeWriter(io.BufferedIOBase):
    """Binary layer of :func:`unbuffered`: keeps nothing back and does not close the raw stream."""

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
        """Raise the last write error again, once: argparse ignores errors of ``write``."""
        error, self._error = self._error, None
        if error is not None:
            raise error


def unbuffered(stream: TextIO) -> io.TextIOWrapper:
    """Wrap a text stream of ``python -u``, which may write only the beginning of a text to a full disk."""
    writer: Any = _WholeWriter(stream.buffer)
    newline = None if os.name == "nt" else "\n"
    return io.TextIOWrapper(writer, stream.encoding, stream.errors, newline, write_through=True)


def beginning(path: str, size: int) -> bytes:
    """Return the first bytes of a regular file; nothing of a pipe, which cannot be read again."""
    try:
        if not os.path.isfile(path):
            return b""
        with open(path, "rb", buffering=0) as file:
            return file.read(size)
    except (OSError, ValueError):
        return b""


def read_small(path: str | os.PathLike[str]) -> bytes:
    """Read a file that should be small, such as a list of labels; ``OSError`` above 64 MiB."""
    with open(path, "rb") as file:
        data = file.read(_MAX_BYTES + 1)
    if len(data) > _MAX_BYTES:
        raise OSError(f"it has more than {_MAX_BYTES >> 20} MiB")
    return data
