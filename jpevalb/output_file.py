"""Output files that are written whole or not at all."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import IO, Any, cast

from .errors import JpevalbError

_COMPRESSED: dict[str, Callable[[IO[bytes]], IO[bytes]]] = {
    ".gz": lambda raw: cast(IO[bytes], gzip.GzipFile("", "wb", fileobj=raw, mtime=0)),
    ".bz2": lambda raw: cast(IO[bytes], bz2.BZ2File(raw, "wb")),
    ".xz": lambda raw: cast(IO[bytes], lzma.LZMAFile(raw, "wb")),  # noqa: SIM115
}


@contextmanager
def whole_file(path_or_file: Any, encoding: str = "utf-8") -> Iterator[Callable[[str], object]]:
    """Gives a function that writes text to a file.

    A path is written beside its place and moved there at the end, so that whoever
    looks meanwhile, or after an error, finds the file as it was.  A device or a
    pipe is written directly, and so is an open file, which stays open.

    Args:
        path_or_file: A path, or a file open for writing, text or binary.  What a path
            that ends in ``.gz``, ``.bz2`` or ``.xz`` gets is compressed.
        encoding: Of paths and binary files.

    Raises:
        JpevalbError: text that the encoding does not have.
        OSError: the file cannot be written.
    """
    if hasattr(path_or_file, "write"):
        if isinstance(path_or_file, (io.RawIOBase, io.BufferedIOBase)):
            yield _encoded(cast(IO[bytes], path_or_file), encoding)
        else:
            yield path_or_file.write
        return
    place = Path(os.path.realpath(os.fspath(path_or_file)))
    if place.exists() and not place.is_file():
        with place.open("wb") as device:
            yield _encoded(device, encoding)
        return
    beside = place.with_name(f".{place.name}.{os.getpid()}.part")
    try:
        with beside.open("wb") as raw:
            compressed = _COMPRESSED.get(place.suffix)
            with compressed(raw) if compressed else nullcontext(raw) as stream:
                yield _encoded(stream, encoding)
        if place.exists():
            shutil.copymode(place, beside)
        beside.replace(place)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise


def _encoded(file: IO[bytes], encoding: str) -> Callable[[str], object]:
    def put(text: str) -> None:
        try:
            file.write(text.encode(encoding))
        except UnicodeEncodeError as error:
            raise JpevalbError(
                f"{encoding} has no character {text[error.start]!r}; choose another encoding"
            ) from None

    return put
