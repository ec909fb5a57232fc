"""Inputs: files, compressed files and standard input, in any encoding, as lines."""

from __future__ import annotations

import codecs
import io
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TypeAlias

from .compressed import is_damage, open_binary
from .errors import InputError

Path: TypeAlias = "str | os.PathLike[str]"

_BUFFER = 1 << 18


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
                yield guarded(_followed(path, text), name)
            finally:
                text.detach()
        else:
            yield guarded(_followed(path, stream), name)
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
    """The lines, counted on their way where the path asks for it (:mod:`jpevalb.progress`)."""
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
    except (LookupError, UnicodeError):
        raise InputError(
            f"the encoding {encoding!r} is unknown; expected one that Python knows, such as latin-1"
        ) from None


def is_utf8(encoding: str | None) -> bool:
    """Whether bytes need no recoding.  ``None`` stands for UTF-8."""
    return encoding is None or codecs.lookup(encoding).name in ("utf-8", "utf-8-sig")


def guarded(lines: Any, name: str) -> Iterator[Any]:
    """The lines, with whatever goes wrong in reading them told as an InputError."""
    try:
        yield from lines
    except UnicodeError as error:
        raise InputError(f"the text is not in the encoding named: {error}", source=name) from None
    except Exception as error:
        if is_damage(error):
            raise _unreadable(error, name) from None
        raise


def _unreadable(error: Exception, name: str) -> InputError:
    reason = (error.strerror if isinstance(error, OSError) else None) or str(error) or type(error).__name__
    return InputError(f"cannot read the file: {reason}", source=name)
