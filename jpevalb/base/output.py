"""Output files that are written completely or not at all."""

from __future__ import annotations

import codecs
import io
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from typing import IO, Any, cast

from .errors import InputError
from .streams import unbuffered, write_whole
from .values import ENCODING, check

# Never opens a file or link that exists already.
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)


@contextmanager
def whole_file(path_or_file: Any, encoding: str = "utf-8") -> Iterator[Callable[[str], object]]:
    """Yield a function that writes text to a path, compressed by its suffix, or to an open file."""
    if hasattr(path_or_file, "write"):
        if isinstance(path_or_file, (io.RawIOBase, io.BufferedIOBase)):
            yield encoded(cast(IO[bytes], path_or_file), encoding)
        elif isinstance(getattr(path_or_file, "buffer", None), io.RawIOBase):
            text = unbuffered(path_or_file)
            try:
                yield text.write
            finally:
                # From Python 3.13 on, a wrapper that is collected reports an error that nobody has seen.
                text.detach()
        else:
            yield path_or_file.write
        return
    if not isinstance(path_or_file, (str, os.PathLike)):
        raise InputError(f"got the object {path_or_file!r}; expected a path, or a file open for writing")
    name = os.fspath(path_or_file)
    # A temporary file in the folder replaces the path at the end, so nobody sees a partial file.
    try:
        target = _regular_file(name)
        if target is None:
            with open(name, "wb") as raw:
                yield encoded(raw, encoding)
            return
        folder, target_name = os.path.split(target)
        part = os.path.join(folder, f"{target_name[:40]}.{os.urandom(8).hex()}.part")
        descriptor = os.open(part, _NEW, 0o666)
        with _removed_at_the_end(part):
            with open(descriptor, "wb") as raw, _compressed(raw, os.path.splitext(target)[1]) as stream:
                yield encoded(stream, encoding)
            if os.path.exists(target):
                os.chmod(part, stat.S_IMODE(os.stat(target).st_mode))
            os.replace(part, target)
    except OSError as error:
        raise InputError(f"cannot write the file: {error.strerror or error}", source=name) from None


def _compressed(raw: IO[bytes], suffix: str) -> AbstractContextManager[IO[bytes]]:
    """Return a file that compresses what is written to it, or the file itself."""
    if suffix == ".gz":
        import gzip

        return cast(IO[bytes], gzip.GzipFile("", "wb", fileobj=raw, mtime=0))
    if suffix == ".bz2":
        import bz2

        return cast(IO[bytes], bz2.BZ2File(raw, "wb"))
    if suffix == ".xz":
        import lzma

        return cast(IO[bytes], lzma.LZMAFile(raw, "wb"))
    return nullcontext(raw)


def _regular_file(name: str) -> str | None:
    """Resolve links; return ``None`` for a device, a pipe or a file without a name; folders raise."""
    try:
        status = os.stat(name)
    except ValueError as error:
        raise OSError(str(error)) from None  # a NUL byte
    except FileNotFoundError:
        return os.path.realpath(name)
    path = os.path.realpath(name)
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError(0, "Is a directory")
    # /dev/stdout may lead to "pipe:[17]", or to a file that was deleted.
    if not stat.S_ISREG(status.st_mode) or not os.path.exists(path):
        return None
    return path if os.path.samestat(status, os.stat(path)) else None


@contextmanager
def _removed_at_the_end(part: str) -> Iterator[None]:
    """Remove the unfinished file after an error, SIGTERM or SIGHUP."""
    import signal
    import threading

    process = os.getpid()

    def end(number: int, _frame: object) -> None:
        # Worker processes inherit the handler, but must not remove the file.
        if os.getpid() == process:
            _remove(part)
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)

    numbers = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    ours = []
    if threading.current_thread() is threading.main_thread():
        # Handlers of the caller, and ignored signals, are left alone.
        ours = [number for number in numbers if signal.getsignal(number) is signal.SIG_DFL]
    for number in ours:
        signal.signal(number, end)
    try:
        yield
    finally:
        _remove(part)
        for number in ours:
            signal.signal(number, signal.SIG_DFL)


def _remove(path: str) -> None:
    with suppress(FileNotFoundError):
        os.unlink(path)


def encoded(file: IO[bytes], encoding: str) -> Callable[[str], object]:
    """Return a function that encodes text to a binary file, or raises ``InputError`` for a character."""
    check("encoding", encoding, ENCODING)
    # An incremental encoder writes the byte order mark only once.
    encoder = codecs.getincrementalencoder(encoding)()

    def put(text: str) -> None:
        try:
            data = encoder.encode(text)
        except UnicodeEncodeError as error:
            problem = f"{encoding} has no character {error.object[error.start]!r}; choose another encoding"
            raise InputError(problem) from None
        write_whole(file, data)

    return put
