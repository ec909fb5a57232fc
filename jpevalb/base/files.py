"""Input files as lines, in any encoding, and output files that are written completely or not at all."""

from __future__ import annotations

import codecs
import io
import os
import stat
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext, suppress
from importlib import import_module
from itertools import chain
from typing import IO, Any, TypeAlias, cast

from .errors import InputError, SettingsError
from .plugins import imported
from .streams import Frames, is_damage, open_binary, read_small, same_pipe, unbuffered, write_whole
from .values import ENCODING, check

Path: TypeAlias = str | os.PathLike[str]

_BUFFER = 1 << 18
LONGEST = 1 << 28
"""Maximum number of bytes of a sentence or line: a few kilobytes of compressed zeros can decompress to an
endless line, and a sentence is in memory as a whole."""
MOST_BLANK = 1 << 22
"""Maximum number of successive line feeds; a few kilobytes of compressed ones can take minutes to read."""


def lines_of(source: Any, encoding: str | None = None, *, together: bool = False) -> Iterator[Any]:
    """Yield the lines of a path, decompressed, or of an open file: bytes, or text in UTF-16 and UTF-32.

    The path ``-`` is standard input.  With ``together``, some lines of bytes come in blocks of whole lines.
    """
    is_path = isinstance(source, (str, os.PathLike))
    wide = (is_path or isinstance(source, io.BufferedIOBase)) and is_wide(encoding)
    with ExitStack() as stack:
        stream, follow = source, None
        if is_path:
            stream = stack.enter_context(open_bytes(source))
            if stream is not getattr(sys.stdin, "buffer", None):
                stream = io.BufferedReader(stream, _BUFFER)
            # The path may count the lines (:mod:`jpevalb.commands.arguments`).
            follow = getattr(source, "lines", None)
        if wide:
            text = io.TextIOWrapper(stream, encoding, newline="\n")
            stack.callback(text.detach)
        lines = guarded(text if wide else stream, source_name(source) or "<file>", together)
        yield from lines if follow is None else follow(lines)


@contextmanager
def open_bytes(path: Path) -> Iterator[Any]:
    """Open a file, decompressed, for reading bytes; ``-`` is stdin."""
    name = os.fspath(path)
    if name == "-":
        if sys.stdin is None:
            raise InputError("the standard input is closed; give the name of a file", source="<stdin>")
        stdin: Any = sys.stdin.buffer
        yield _decompressed(stdin, stdin.peek(4) if hasattr(stdin, "peek") else b"", name)
        return
    try:
        stream: Any = open_binary(name)
    except (OSError, ValueError) as error:
        raise _unreadable(error, name) from None
    with stream:
        is_plain = isinstance(stream, io.FileIO) and stat.S_ISREG(os.fstat(stream.fileno()).st_mode)
        head = b""
        if is_plain and hasattr(os, "pread"):
            with suppress(OSError):  # raised again where it is read
                head = os.pread(stream.fileno(), 4, 0)
        yield _decompressed(stream, head, name)


def _decompressed(stream: Any, head: bytes, name: str) -> Any:
    """Return a stream that decompresses gzip and zstd data, which begin with these bytes."""
    if head.startswith(b"\x1f\x8b\x08"):
        import gzip

        return gzip.GzipFile(fileobj=stream)
    if head.startswith(b"\x28\xb5\x2f\xfd"):
        with suppress(ImportError):
            return import_module("compression.zstd").open(stream, "rb")
        with suppress(ImportError):
            return io.BufferedReader(
                Frames(stream, import_module("zstandard").ZstdDecompressor().decompressobj)
            )
        problem = "the file is compressed with zstd; install the package zstandard, or decompress it first"
        raise InputError(problem, source=input_name(name))
    return stream


def input_name(path: Path) -> str:
    name = os.fspath(path)
    return "<stdin>" if name == "-" else name


def source_name(source: Any) -> str | None:
    """Return the name of a source for messages, if it has one."""
    if isinstance(source, (str, os.PathLike)):
        return input_name(source)
    name = getattr(source, "name", None)
    return name if isinstance(name, str) else None


def is_wide(encoding: str | None) -> bool:
    """Return True if a line feed is more than one byte in an encoding; unknown encodings raise."""
    if encoding is None:
        return False
    try:
        return len("\n\n".encode(encoding)) - len("\n".encode(encoding)) > 1
    except (LookupError, ValueError):  # a NUL in a name is a plain ValueError
        problem = f"the encoding {encoding!r} is unknown; expected one that Python knows, such as latin-1"
        raise InputError(problem) from None


def guarded(lines: Any, name: str, together: bool = False) -> Iterator[Any]:
    """Yield the lines; raise all read errors, and lines that are too long, as ``InputError``.

    With ``together``, the lines of a binary file come in blocks of whole lines.
    """
    try:
        if type(lines) in (io.BufferedReader, io.BytesIO):  # others may read in their own way
            blocks = _whole_lines(lines, name)
            yield from blocks if together else chain.from_iterable(map(io.BytesIO, blocks))
        elif isinstance(lines, io.IOBase):
            number = 0
            while line := lines.readline(LONGEST):
                number += 1
                if len(line) >= LONGEST:
                    check_length(len(line) + 1, "the line", number, name)
                yield line
        else:
            yield from lines
    except UnicodeError as error:
        problem = f"the file is not in the encoding that was named: {error}; name another encoding"
        raise InputError(problem, source=name) from None
    except Exception as error:
        if is_damage(error) or getattr(lines, "closed", False):
            raise _unreadable(error, name) from None
        raise


def _whole_lines(file: io.BufferedReader | io.BytesIO, name: str) -> Iterator[bytes | memoryview]:
    """Read blocks of whole lines, as much as there is at a time."""
    number, size = 1, 0  # of the line that is not whole yet
    blank = 0  # successive line feeds, in whole blocks
    held: list[bytes] = []
    while data := file.read1(_BUFFER):
        blank = 0 if data.strip(b"\n") else blank + len(data)
        if blank > MOST_BLANK:
            problem = f"more than {MOST_BLANK >> 20} MiB of blank lines before this line; is this a treebank?"
            raise InputError(problem, source=name, line=number)
        first, end = data.find(b"\n") + 1, data.rfind(b"\n") + 1
        if end:
            check_length(size + first + 1, "the line", number, name)
            if held:
                # Only this line is copied.
                yield b"".join([*held, data[:first]])
            rest = memoryview(data)[first if held else 0 : end]
            if rest:
                yield rest
            # Counting line feeds takes ten times as long before Python 3.13.
            number += len(io.BytesIO(rest).readlines()) + bool(held)
            held, size, data = [], 0, data[end:]
        if data:
            held.append(data)
            size += len(data)
            check_length(size + 1, "the line", number, name)
    if held:
        yield b"".join(held)


def check_length(size: int, what: str, line: int, name: str | None = None) -> None:
    """Raise ``InputError`` for a line or sentence longer than :data:`LONGEST`."""
    if size > LONGEST:
        problem = f"{what} that begins here is longer than {LONGEST >> 20} MiB; is this a treebank?"
        raise InputError(problem, source=name, line=line)


def table_lines(path: str, what: str, expected: str = "") -> list[str]:
    """Read the lines of a small UTF-8 file, which errors call ``what``."""
    try:
        data = read_small(path)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        advice = f"; expected {expected}" if expected else ""
        raise InputError(f"cannot read {what}: {reason}{advice}", source=path) from None
    try:
        text = data.decode().removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        problem = f"byte {error.object[error.start]:#04x} is not UTF-8; save {what} as UTF-8"
        line = error.object.count(b"\n", 0, error.start) + 1
        raise InputError(problem, source=path, line=line) from None
    return text.split("\n")


def _unreadable(error: Exception, name: str) -> InputError:
    if name.lstrip().startswith("("):
        text = " ".join(name.split())
        return InputError(
            f"got the bracket text {text if len(text) <= 40 else text[:37] + '...'!r}, "
            "expected the name of a file; put text in a list, or read it with Tree.parse"
        )
    reason = (error.strerror if isinstance(error, OSError) else None) or str(error) or type(error).__name__
    return InputError(f"cannot read the file: {reason}", source=name)


def reject_shared(sources: Iterable[Any], how_many: str = "both") -> None:
    """Raise ``SettingsError`` if two inputs are one pipe, open file or generator, which is read once."""
    kept = list(sources)
    twice = same_pipe([os.fspath(source) for source in kept if isinstance(source, (str, os.PathLike))])
    if twice == ("-", "-"):
        raise SettingsError(f"{how_many} files are '-'; only one can be the standard input")
    if twice:
        raise SettingsError(f"{twice[0]!r} and {twice[1]!r} are one pipe, which is read once; give a file")
    once = [id(source) for source in kept if hasattr(source, "read") or isinstance(source, Iterator)]
    if len(set(once)) < len(once):
        problem = "one open file or generator as two inputs, which is read once; give a path or a list"
        raise SettingsError(problem)


def reject_inputs(out: str | None, inputs: Iterable[str | None]) -> None:
    """Raise ``SettingsError`` if the output has no name, or is one of the inputs, by any name or link.

    The output ``None`` or ``-`` is standard output, which the shell may redirect to a file; the input
    ``-`` is standard input.  Inputs that are ``None`` or do not exist are ignored.
    """
    if out == "":
        raise SettingsError("--out: got ''; expected the name of a file, or - for standard output")
    if out == "-":
        out = None
    try:
        written = os.fstat(sys.stdout.fileno()) if out is None else os.stat(out)
    except (OSError, ValueError, AttributeError):
        return
    if not stat.S_ISREG(written.st_mode):
        return
    for name in inputs:
        try:
            if name is None or not os.path.samestat(written, os.fstat(0) if name == "-" else os.stat(name)):
                continue
        except (OSError, ValueError):
            continue
        shown = "the standard output" if out is None else f"the output file {out!r}"
        read = "the standard input" if name == "-" else f"the input file {name!r}"
        raise SettingsError(f"{shown} is {read}; write to another file")


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
    place = {".bz2": "bz2:BZ2File", ".xz": "lzma:LZMAFile"}.get(suffix)
    return imported(place)(raw, "wb") if place else nullcontext(raw)


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
    import pathlib
    import signal
    import threading

    process = os.getpid()
    unfinished = pathlib.Path(part)

    def end(number: int, _frame: object) -> None:
        # Worker processes inherit the handler, but must not remove the file.
        if os.getpid() == process:
            unfinished.unlink(missing_ok=True)
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)

    is_main = threading.current_thread() is threading.main_thread()
    numbers = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if is_main and hasattr(signal, name)]
    # Handlers of the caller, and ignored signals, are left alone.
    ours = [number for number in numbers if signal.getsignal(number) is signal.SIG_DFL]
    for number in ours:
        signal.signal(number, end)
    try:
        yield
    finally:
        unfinished.unlink(missing_ok=True)
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
