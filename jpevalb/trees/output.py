"""Output files that are written whole or not at all."""

from __future__ import annotations

import bz2
import codecs
import gzip
import io
import lzma
import os
import shutil
import signal
import stat
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import IO, Any, cast

from .errors import InputError
from .streams import unbuffered, write_whole
from .values import check_encoding

_COMPRESSED: dict[str, Callable[[IO[bytes]], IO[bytes]]] = {
    ".gz": lambda raw: cast(IO[bytes], gzip.GzipFile("", "wb", fileobj=raw, mtime=0)),
    ".bz2": lambda raw: cast(IO[bytes], bz2.BZ2File(raw, "wb")),
    ".xz": lambda raw: cast(IO[bytes], lzma.LZMAFile(raw, "wb")),  # noqa: SIM115
}

# Only a file that nobody else has made, under whatever name; a link there is followed nowhere either.
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)


@contextmanager
def whole_file(path_or_file: Any, encoding: str = "utf-8") -> Iterator[Callable[[str], object]]:
    """Gives a function that writes text to a file.

    A path is written beside its place, in a file of its own under a random name, and moved
    there at the end, so that whoever looks meanwhile, or after an error or a signal, finds the
    file as it was, and of several that write it at once one has written all of it.  Where the
    path is a symbolic link, the file that it leads to is replaced and the link stays; the
    file's permissions stay too.  A device or a pipe is written directly, and so is an open
    file, which stays open.

    Args:
        path_or_file: A path, or a file open for writing, text or binary.  What a path
            that ends in ``.gz``, ``.bz2`` or ``.xz`` gets is compressed.
        encoding: Of paths and binary files.

    Raises:
        InputError: the file cannot be written, or the encoding has no such character.
    """
    if hasattr(path_or_file, "write"):
        if isinstance(path_or_file, (io.RawIOBase, io.BufferedIOBase)):
            yield encoded(cast(IO[bytes], path_or_file), encoding)
        elif isinstance(getattr(path_or_file, "buffer", None), io.RawIOBase):
            yield unbuffered(path_or_file).write
        else:
            yield path_or_file.write
        return
    if not isinstance(path_or_file, (str, os.PathLike)):
        raise InputError(f"found the object {path_or_file!r}; expected a path, or a file open for writing")
    name = os.fspath(path_or_file)
    try:
        place = _regular(name)
        if place is None:
            with open(name, "wb") as raw:
                yield encoded(raw, encoding)
            return
        part = place.with_name(f"{place.name[:40]}.{os.urandom(8).hex()}.part")
        descriptor = os.open(part, _NEW, 0o666)
        with _removed_at_the_end(part):
            with open(descriptor, "wb") as raw:
                compressed = _COMPRESSED.get(place.suffix)
                with compressed(raw) if compressed else nullcontext(raw) as stream:
                    yield encoded(stream, encoding)
            if place.exists():
                shutil.copymode(place, part)
            part.replace(place)
    except OSError as error:
        raise InputError(f"cannot write the file: {error.strerror or error}", source=name) from None


def _regular(name: str) -> Path | None:
    """Where the file is that ``name`` leads to; ``None`` for a device, a pipe, or what has no name.

    Raises:
        OSError: links that lead nowhere but to each other, a folder, a name that no file can have.
    """
    try:
        found = os.stat(name)
    except ValueError as error:
        raise OSError(str(error)) from None  # a NUL byte
    except FileNotFoundError:
        return Path(os.path.realpath(name))
    place = Path(os.path.realpath(name))
    if stat.S_ISDIR(found.st_mode):
        raise IsADirectoryError(0, "Is a directory")
    # /dev/stdout may lead to "pipe:[17]", or to a file that was deleted.
    if not stat.S_ISREG(found.st_mode) or not place.exists() or not os.path.samestat(found, place.stat()):
        return None
    return place


@contextmanager
def _removed_at_the_end(part: Path) -> Iterator[None]:
    """Leaves no unfinished file behind, neither after an error nor after SIGTERM or SIGHUP."""
    process = os.getpid()

    def end(number: int, _frame: object) -> None:
        # A worker process has inherited the handler, and the file is not its own.
        if os.getpid() == process:
            part.unlink(missing_ok=True)
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)

    numbers = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    ours = []
    if threading.current_thread() is threading.main_thread():
        # Whoever has a handler of their own, or ignores the signal, knows why.
        ours = [number for number in numbers if signal.getsignal(number) is signal.SIG_DFL]
    for number in ours:
        signal.signal(number, end)
    try:
        yield
    finally:
        part.unlink(missing_ok=True)
        for number in ours:
            signal.signal(number, signal.SIG_DFL)


def encoded(file: IO[bytes], encoding: str) -> Callable[[str], object]:
    """What writes text to a binary file in an encoding; a character that it lacks is an ``InputError``.

    Raises:
        SettingsError: no such encoding.
    """
    check_encoding(encoding)
    # Of all pieces the first alone has the mark of the order of bytes.
    encoder = codecs.getincrementalencoder(encoding)()

    def put(text: str) -> None:
        try:
            data = encoder.encode(text)
        except UnicodeEncodeError as error:
            raise InputError(
                f"{encoding} has no character {error.object[error.start]!r}; choose another encoding"
            ) from None
        write_whole(file, data)

    return put
