"""Input files as lines: plain, compressed or standard input, in any encoding."""

from __future__ import annotations

import io
import os
import stat
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from itertools import chain
from typing import Any, TypeAlias

from .errors import InputError, SettingsError
from .streams import Frames, is_damage, open_binary, read_small, same_pipe
from .text import count_lines

Path: TypeAlias = str | os.PathLike[str]

_BUFFER = 1 << 18
LONGEST = 1 << 28
"""Maximum number of bytes of a sentence or line: a few kilobytes of compressed zeros can decompress to an
endless line, and a sentence is in memory as a whole."""
MOST_BLANK = 1 << 22
"""Maximum number of successive line feeds; a few kilobytes of compressed ones can take minutes to read."""


@contextmanager
def open_lines(
    path: Path, *, encoding: str | None = None, together: bool = False
) -> Iterator[Iterable[bytes] | Iterable[str]]:
    """Open a file, decompressed, as lines of bytes, or of text in UTF-16 and UTF-32; ``-`` is stdin.

    With ``together``, lines of bytes come in blocks of whole lines.
    """
    name = input_name(path)
    wide = is_wide(encoding)
    with open_bytes(path) as raw:
        is_stdin = raw is getattr(sys.stdin, "buffer", None)
        stream: Any = raw if is_stdin else io.BufferedReader(raw, _BUFFER)
        if not wide:
            yield _followed(path, guarded(stream, name, together))
            return
        with decoded(stream, encoding) as text:
            yield _followed(path, guarded(text, name))


@contextmanager
def decoded(stream: Any, encoding: str | None) -> Iterator[io.TextIOWrapper]:
    """Decode a binary stream as lines; the stream stays open."""
    text = io.TextIOWrapper(stream, encoding, newline="\n")
    try:
        yield text
    finally:
        text.detach()


@contextmanager
def open_bytes(path: Path) -> Iterator[Any]:
    """Open a file, decompressed, for reading bytes; ``-`` is stdin."""
    name = os.fspath(path)
    if name == "-":
        if sys.stdin is None:
            raise InputError("the standard input is closed; give the name of a file", source="<stdin>")
        stdin: Any = sys.stdin.buffer
        head = stdin.peek(4) if hasattr(stdin, "peek") else b""
        yield _decompressed(stdin, head, name)
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
    """Return the name of an input in messages."""
    name = os.fspath(path)
    return "<stdin>" if name == "-" else name


def _followed(path: Path, lines: Any) -> Any:
    """Wrap the lines if the path counts them (:mod:`jpevalb.commands.arguments`)."""
    follow = getattr(path, "lines", None)
    return lines if follow is None else follow(lines)


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
            number += count_lines(rest) + bool(held)
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
