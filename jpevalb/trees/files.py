"""Inputs: files, compressed files and standard input, in any encoding, as lines."""

from __future__ import annotations

import io
import os
import stat
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TypeAlias

from .compressed import is_damage, open_binary
from .errors import InputError, SettingsError
from .params import read_small

Path: TypeAlias = "str | os.PathLike[str]"

_BUFFER = 1 << 18

LONGEST = 1 << 28
"""Bytes of one sentence, or of one line, at most: a few kilobytes of compressed zeros may
hold a line without end, and a sentence is in memory as a whole."""


@contextmanager
def open_lines(path: Path, *, encoding: str | None = None) -> Iterator[Iterable[bytes] | Iterable[str]]:
    """Opens a file for its lines: bytes, or text where lines cannot be found in the bytes (UTF-16, UTF-32).

    ``-`` is standard input; ``.gz``, ``.bz2`` and ``.xz`` are decompressed.

    Raises:
        InputError: the file cannot be opened or read, or is no file, or
            ``encoding`` is unknown.
    """
    name = input_name(path)
    wide = is_wide(encoding)
    stdin = name == "<stdin>"
    try:
        if stdin:
            stream: Any = sys.stdin.buffer
        else:
            raw: Any = open_binary(os.fspath(path))
            stream = io.BufferedReader(raw, _BUFFER)
    except (OSError, ValueError) as error:
        raise _unreadable(error, name) from None
    try:
        if wide:
            text = io.TextIOWrapper(stream, encoding, newline="\n")
            try:
                yield _followed(path, guarded(text, name))
            finally:
                text.detach()
        else:
            yield _followed(path, guarded(stream, name))
    finally:
        if not stdin:
            stream.close()


@contextmanager
def open_blocks(path: Path) -> Iterator[Iterator[bytes]]:
    """Opens a file as :func:`open_lines` does, for its bytes in blocks of any size.

    Raises:
        InputError: as there.
    """
    name = input_name(path)
    stdin = name == "<stdin>"
    try:
        stream: Any = sys.stdin.buffer if stdin else open_binary(os.fspath(path))
    except (OSError, ValueError) as error:
        raise _unreadable(error, name) from None
    read = stream.read1 if stdin and hasattr(stream, "read1") else stream.read
    try:
        yield guarded(iter(lambda: read(_BUFFER), b""), name)
    finally:
        if not stdin:
            stream.close()


def input_name(path: Path) -> str:
    """What messages call an input."""
    name = os.fspath(path)
    return "<stdin>" if name == "-" else name


def _followed(path: Path, lines: Any) -> Any:
    """The lines, counted on their way where the path asks for it (:mod:`jpevalb.commands.progress`)."""
    follow = getattr(path, "lines", None)
    return lines if follow is None else follow(lines)


def is_wide(encoding: str | None) -> bool:
    """Whether a line feed is more than one byte in an encoding.

    Raises:
        InputError: no such encoding.
    """
    if encoding is None:
        return False
    try:
        return len("\n\n".encode(encoding)) - len("\n".encode(encoding)) > 1
    except (LookupError, ValueError):  # a NUL in a name is a plain ValueError
        raise InputError(
            f"the encoding {encoding!r} is unknown; expected one that Python knows, such as latin-1"
        ) from None


def guarded(lines: Any, name: str) -> Iterator[Any]:
    """The lines, with whatever goes wrong in reading them told as an InputError.

    Raises:
        InputError: also for a line of :data:`LONGEST` bytes or more.
    """
    try:
        if isinstance(lines, io.IOBase):
            number = 0
            while line := lines.readline(LONGEST):
                number += 1
                if len(line) >= LONGEST:
                    raise too_long("the line", name, number)
                yield line
        else:
            yield from lines
    except UnicodeError as error:
        raise InputError(f"the text is not in the encoding named: {error}", source=name) from None
    except Exception as error:
        if is_damage(error):
            raise _unreadable(error, name) from None
        raise


def too_long(what: str, name: str | None, line: int) -> InputError:
    """The error for a line or a sentence longer than :data:`LONGEST`."""
    return InputError(
        f"{what} that begins here is longer than {LONGEST >> 20} MiB; is this a treebank?",
        source=name,
        line=line,
    )


def table_lines(path: str, what: str, expected: str = "") -> list[str]:
    """The lines of a small file of names, such as classes of labels.

    Args:
        path: The file, in UTF-8.
        what: What errors call it: ``"the table of error classes"``.
        expected: What else might have been given in place of the path, if anything.

    Raises:
        InputError: it cannot be read, or is not UTF-8.
    """
    try:
        data = read_small(path)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        advice = f"; expected {expected}" if expected else ""
        raise InputError(f"cannot read {what}: {reason}{advice}", source=path) from None
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(
            f"byte {error.object[error.start]:#04x} is not UTF-8; save {what} as UTF-8",
            source=path,
            line=error.object.count(b"\n", 0, error.start) + 1,
        ) from None
    return text.split("\n")


def _unreadable(error: Exception, name: str) -> InputError:
    if name.lstrip().startswith("("):
        text = " ".join(name.split())
        return InputError(
            f"found the bracket text {text if len(text) <= 40 else text[:37] + '...'!r}, "
            "expected the name of a file; put text in a list, or read it with Tree.parse"
        )
    reason = (error.strerror if isinstance(error, OSError) else None) or str(error) or type(error).__name__
    return InputError(f"cannot read the file: {reason}", source=name)


def refuse_inputs(out: str | None, inputs: Iterable[str | None]) -> None:
    """Refuses to write over, or behind, what is to be read.

    Args:
        out: The path of the output; ``None`` or ``-`` for the standard output, which
            the shell may have led to a file.
        inputs: Paths; ``-`` for the standard input.  ``None`` and what cannot be
            found, as a parameter file that comes with jpevalb, is passed over.

    Raises:
        SettingsError: the output is one of the inputs, by whatever name or link.
    """
    to_stdout = out is None or out == "-"
    try:
        written = os.fstat(sys.stdout.fileno()) if out is None or out == "-" else os.stat(out)
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
        shown = "the standard output" if to_stdout else f"the output file {out!r}"
        read = "the standard input" if name == "-" else f"the input file {name!r}"
        raise SettingsError(f"{shown} is {read}; write to another file")
