"""Byte streams, for legacy mode too: compressed files, pipes, and output without a buffer."""

from __future__ import annotations

import errno
import io
import os
import stat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import IO, Any, TextIO

_BLOCK = 1 << 16
_MAX_BYTES = 1 << 26  # a device or a wrong file may be endless


def open_binary(name: str) -> IO[bytes]:
    """Open a file for reading, decompressed; raise OSError or ValueError like ``open``."""
    try:
        if name.endswith(".gz"):
            import gzip

            return gzip.open(name, "rb")  # type: ignore[return-value]  # typeshed: not an IO
        if name.endswith(".bz2"):
            from bz2 import BZ2Decompressor

            return _Decompressed(name, BZ2Decompressor)  # type: ignore[return-value]
        if name.endswith(".xz"):
            from lzma import LZMADecompressor

            return _Decompressed(name, LZMADecompressor)  # type: ignore[return-value]
    except ImportError as error:
        raise OSError(f"this Python cannot decompress it: {error}") from None
    return open(name, "rb", buffering=0)


def is_damage(error: BaseException) -> bool:
    """Return True if an exception means that a file cannot be read or decompressed."""
    # The decompressors' own errors are recognised by module, which avoids importing them.
    modules = ("zlib", "_lzma", "lzma", "zstandard", "zstandard.backend_c", "_zstd", "compression.zstd")
    return isinstance(error, (OSError, EOFError)) or type(error).__module__ in modules


class _Decompressed(io.RawIOBase):
    """Reader of compressed members, possibly with zero bytes in between; all damage is an error."""

    # Python's own readers of bz2 and xz silently end at the first damage after the first member.

    def __init__(self, name: str, new: Callable[[], Any]) -> None:
        self._file = open(name, "rb", buffering=0)  # noqa: SIM115
        self._new = new
        self._input = b""
        self._member = new()

    def readable(self) -> bool:
        return True

    def close(self) -> None:
        self._file.close()
        super().close()

    def readinto(self, buffer: Any) -> int:
        while True:
            member = self._member
            if member.eof:
                rest = member.unused_data.lstrip(b"\0")
                while not rest:
                    rest = self._file.read(_BLOCK)
                    if not rest:
                        return 0
                    rest = rest.lstrip(b"\0")
                self._input = rest
                self._member = member = self._new()
            if member.needs_input and not self._input:
                self._input = self._file.read(_BLOCK)
                if not self._input:
                    raise EOFError("the compressed file ends too early; is it whole?")
            data = member.decompress(self._input, len(buffer))
            self._input = b""
            if data:
                buffer[: len(data)] = data
                return len(data)


class Frames(io.RawIOBase):
    """Reader of zstd frames with the package zstandard, whose own reader silently ends after the first."""

    def __init__(self, stream: IO[bytes], new: Callable[[], Any]) -> None:
        self._stream, self._new = stream, new
        self._input = self._data = b""
        self._frame: Any = None

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._data:
            data = self._input or self._stream.read(1 << 12)
            if not data:
                if self._frame is not None:
                    raise EOFError("the compressed file ends too early; is it whole?")
                return 0
            self._frame = self._frame or self._new()
            self._data, self._input = self._frame.decompress(data), b""
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
