"""Output files that are written completely or not at all."""

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
from contextlib import ExitStack, contextmanager, nullcontext
from pathlib import Path
from typing import IO, Any, cast

from .errors import InputError
from .streams import unbuffered, write_whole
from .values import ENCODING, check

_COMPRESSED: dict[str, Callable[[IO[bytes]], IO[bytes]]] = {
    ".gz": lambda raw: cast(IO[bytes], gzip.GzipFile("", "wb", fileobj=raw, mtime=0)),
    ".bz2": lambda raw: cast(IO[bytes], bz2.BZ2File(raw, "wb")),
    ".xz": lambda raw: cast(IO[bytes], lzma.LZMAFile(raw, "wb")),  # noqa: SIM115
}

# Where Linux has links to the open files of a process
_OPEN_FILES = "/proc/self/fd"
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
        part = target.with_name(f"{target.name[:40]}.{os.urandom(8).hex()}.part")
        unnamed = _unnamed(target.parent)
        descriptor = os.open(part, _NEW, 0o666) if unnamed is None else unnamed
        with ExitStack() as stack:
            if unnamed is None:
                stack.enter_context(_removed_at_the_end(part))
            with open(descriptor, "wb") as raw:
                compressed = _COMPRESSED.get(target.suffix)
                with compressed(raw) if compressed else nullcontext(raw) as stream:
                    yield encoded(stream, encoding)
                if unnamed is not None:
                    raw.flush()
                    # With a folder given, Python calls the function that follows this link.
                    os.link(f"{_OPEN_FILES}/{unnamed}", part, src_dir_fd=unnamed)
                    stack.enter_context(_removed_at_the_end(part))
            if target.exists():
                shutil.copymode(target, part)
            part.replace(target)
    except OSError as error:
        raise InputError(f"cannot write the file: {error.strerror or error}", source=name) from None


def _unnamed(folder: Path) -> int | None:
    """Open a file without a name, which a crash cannot leave behind; ``None`` if that fails."""
    if not os.path.isdir(_OPEN_FILES):
        return None
    try:
        return os.open(folder, os.O_WRONLY | os.O_TMPFILE, 0o666)
    except (AttributeError, OSError):
        return None


def _regular_file(name: str) -> Path | None:
    """Resolve links; return ``None`` for a device, a pipe or a file without a name; folders raise."""
    try:
        status = os.stat(name)
    except ValueError as error:
        raise OSError(str(error)) from None  # a NUL byte
    except FileNotFoundError:
        return Path(os.path.realpath(name))
    path = Path(os.path.realpath(name))
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError(0, "Is a directory")
    # /dev/stdout may lead to "pipe:[17]", or to a file that was deleted.
    if not stat.S_ISREG(status.st_mode) or not path.exists() or not os.path.samestat(status, path.stat()):
        return None
    return path


@contextmanager
def _removed_at_the_end(part: Path) -> Iterator[None]:
    """Remove the unfinished file after an error, SIGTERM or SIGHUP."""
    process = os.getpid()

    def end(number: int, _frame: object) -> None:
        # Worker processes inherit the handler, but must not remove the file.
        if os.getpid() == process:
            part.unlink(missing_ok=True)
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
        part.unlink(missing_ok=True)
        for number in ours:
            signal.signal(number, signal.SIG_DFL)


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
