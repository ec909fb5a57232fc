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

from .errors import InputError

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
        InputError: the file cannot be written, or the encoding has no such character.
    """
    if hasattr(path_or_file, "write"):
        if isinstance(path_or_file, (io.RawIOBase, io.BufferedIOBase)):
            yield _encoded(cast(IO[bytes], path_or_file), encoding)
        else:
            yield path_or_file.write
        return
    place = Path(os.path.realpath(os.fspath(path_or_file)))
    direct = place.exists() and not place.is_file()
    target = place if direct else place.with_name(f"{place.name}.{os.getpid()}.part")
    done = False
    try:
        with target.open("wb") as raw:
            compressed = None if direct else _COMPRESSED.get(place.suffix)
            with compressed(raw) if compressed else nullcontext(raw) as stream:
                yield _encoded(stream, encoding)
        if not direct:
            if place.exists():
                shutil.copymode(place, target)
            target.replace(place)
        done = True
    except OSError as error:
        reason = error.strerror or str(error)
        raise InputError(f"cannot write the file: {reason}", source=os.fspath(path_or_file)) from None
    finally:
        if not done and not direct:
            target.unlink(missing_ok=True)


def _encoded(file: IO[bytes], encoding: str) -> Callable[[str], object]:
    def put(text: str) -> None:
        try:
            file.write(text.encode(encoding))
        except UnicodeEncodeError as error:
            raise InputError(
                f"{encoding} has no character {text[error.start]!r}; choose another encoding"
            ) from None

    return put
