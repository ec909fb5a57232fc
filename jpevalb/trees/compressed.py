"""Opens files for reading bytes; ``.gz``, ``.bz2`` and ``.xz`` are decompressed on the way."""

from __future__ import annotations

import io

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import IO, Any

_BLOCK = 1 << 16


def open_binary(name: str) -> IO[bytes]:
    """Opens a file; a compressed one, known by the end of its name, as what it holds.

    Raises:
        OSError, ValueError: as ``open``; also where this Python was built without
            the library that decompresses.
    """
    try:
        if name.endswith(".gz"):
            import gzip

            return gzip.open(name, "rb")  # type: ignore[return-value]  # typeshed: not an IO
        if name.endswith(".bz2"):
            from bz2 import BZ2Decompressor

            return _Members(name, BZ2Decompressor)  # type: ignore[return-value]
        if name.endswith(".xz"):
            from lzma import LZMADecompressor

            return _Members(name, LZMADecompressor)  # type: ignore[return-value]
    except ImportError as error:
        raise OSError(f"this Python cannot decompress it: {error}") from None
    return open(name, "rb", buffering=0)


def is_damage(error: BaseException) -> bool:
    """Whether an exception says that a file cannot be read or decompressed.

    The decompressors' own errors are known by their modules, which need not be
    imported for that.
    """
    return isinstance(error, (OSError, EOFError)) or type(error).__module__ in ("zlib", "_lzma", "lzma")


class _Members(io.RawIOBase):
    """What the members of a compressed file hold, one behind the other; zeros may stand between them.

    Python's own readers of bz2 and xz take whatever is wrong behind the first
    member for the end of the file, and lose the rest without a word.

    Raises (from ``read``):
        EOFError: the file ends inside a member, or has none.
        OSError, LZMAError: bytes that are no such member.
    """

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
