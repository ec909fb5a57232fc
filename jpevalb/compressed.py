"""Opens files for reading bytes; ``.gz``, ``.bz2`` and ``.xz`` are decompressed on the way."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO


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
            import bz2

            return bz2.open(name, "rb")
        if name.endswith(".xz"):
            import lzma

            return lzma.open(name, "rb")
    except ImportError as error:
        raise OSError(f"this Python cannot decompress it: {error}") from None
    return open(name, "rb", buffering=0)


def is_damage(error: BaseException) -> bool:
    """Whether an exception says that a file cannot be read or decompressed.

    The decompressors' own errors are known by their modules, which need not be
    imported for that.
    """
    return isinstance(error, (OSError, EOFError)) or type(error).__module__ in ("zlib", "_lzma", "lzma")
