"""Exception lists: tokens that are read as something else before texts are compared.

A list is a UTF-8 file with one entry a line: the token, a TAB, what it is read as,
and, after another TAB, a comment that begins with ``#`` and gives the reason:

    du<TAB>de le<TAB># preposition and article

Blanks in what a token is read as do not count.  A line that is empty or begins with
``#`` is a comment.  Case does not count.  An entry is applied once, to whole tokens.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping

from ..trees.errors import JpevalbError
from ..trees.files import table_lines
from ..trees.values import LISTS, NO_LIST, check_language, languages
from ..trees.words import compared, texts

__all__ = ["exceptions_of", "languages", "load_exceptions", "parse_exceptions", "read_exceptions"]


def load_exceptions(lang: str = "en") -> dict[str, str]:
    """The exception list of a language that comes with the package.

    Args:
        lang: One of :func:`languages`, or ``"none"`` for the empty list.

    Returns:
        Tokens and what they are read as, both in the form in which words are compared.

    Raises:
        SettingsError: there is no list for ``lang``.

    >>> load_exceptions("en")["n't"], load_exceptions("fr")["du"]
    ('not', 'dele')
    """
    if lang == NO_LIST:
        return {}
    check_language(lang)
    return read_exceptions(os.path.join(LISTS, f"{lang}.tsv"))


def read_exceptions(path: str | os.PathLike[str]) -> dict[str, str]:
    """Reads an exception list from a file.

    Returns:
        Tokens and what they are read as, both in the form in which words are compared.

    Raises:
        JpevalbError: the file cannot be read, is not UTF-8, or a line of it is no entry.

    Cost: O(characters).
    """
    name = os.fspath(path)
    return parse_exceptions(table_lines(name, "the exception list"), name)


def parse_exceptions(lines: Iterable[str], source: str | None = None) -> dict[str, str]:
    r"""Reads an exception list from its lines; ``source`` is what errors call it.

    Raises:
        JpevalbError: a line is no entry.

    >>> parse_exceptions(["# German", "Zum\tzu dem\t# preposition and article"])
    {'zum': 'zudem'}
    >>> parse_exceptions(["zum zu"], "m.tsv")
    Traceback (most recent call last):
    jpevalb.trees.errors.JpevalbError: m.tsv:1: found 'zum zu' without a TAB; expected token, TAB, replacement
    """
    found: dict[str, str] = {}
    first_line: dict[str, int] = {}
    for number, raw in enumerate(lines, 1):
        line = raw.rstrip("\r\n")
        if not line.strip() or line.startswith("#"):
            continue
        fields = [field.strip(" ") for field in line.split("\t")]
        problem = _problem(fields)
        token = compared(fields[0])
        if problem is None and token in found:
            problem = (
                f"found {fields[0]!r} again, which line {first_line[token]} has already; take one of them out"
            )
        if problem is not None:
            raise JpevalbError(problem, source=source, line=number)
        found[token] = compared(fields[1])
        first_line[token] = number
    return found


def _problem(fields: list[str]) -> str | None:
    if len(fields) == 1:
        return f"found {fields[0]!r} without a TAB; expected token, TAB, replacement"
    token, replacement, *rest = fields
    if not token.split():  # a no-break space is nothing either
        return "found no token before the TAB; expected token, TAB, replacement"
    if len(token.split()) > 1:
        return f"found the token {token!r} with a blank in it; an entry is for one token"
    if not replacement.split() or replacement.startswith("#"):
        return f"found no replacement for {token!r}; expected what it is read as after the TAB"
    if rest and (len(rest) > 1 or (rest[0] and not rest[0].startswith("#"))):
        return f"found {rest[0] or rest[-1]!r} after the replacement; expected '# reason' and no more columns"
    return None


def exceptions_of(
    lang: str = "en", exceptions: Mapping[str, str] | str | os.PathLike[str] | None = None
) -> dict[str, str]:
    """The exception list that the options ``lang`` and ``exceptions`` ask for.

    Args:
        lang: One of :func:`languages`, or ``"none"``.
        exceptions: A file or a mapping that stands instead of the language's list.

    Raises:
        JpevalbError: there is no such list, or it cannot be read.

    >>> exceptions_of("en", {"Gonna": "going to"})
    {'gonna': 'goingto'}
    """
    if exceptions is None:
        return load_exceptions(lang)
    if isinstance(exceptions, Mapping):
        return dict(zip(texts(list(exceptions)), texts(list(exceptions.values()))))
    return read_exceptions(exceptions)
