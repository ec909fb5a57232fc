"""Exception lists: tokens that are read as something else before texts are compared.

A list is a UTF-8 file with one entry per line: the token, a TAB, its replacement and, after another TAB, a
comment that gives the reason:

    du<TAB>de le<TAB># preposition and article

The replacement ``←`` marks a token that belongs to the word before it: if the other side lacks it, it joins
the unit before it.  Blanks in replacements and case are ignored, and so are empty lines and lines that begin
with ``#``.  An entry is applied once, to whole tokens.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping

from ..base.claims import Claim
from ..base.errors import JpevalbError
from ..base.files import table_lines
from ..base.values import check
from ..settings.settings import LANGUAGE, NO_LIST
from ..trees.words import ENCLITICS, compared, texts

LEAST_TOKENS = 5  # minimum number of differing tokens for a warning about the language
MOST_FREQUENT = 10  # number of most frequent differences that decide whether a list is read

LISTS = os.path.splitext(__file__)[0]
"""The folder of the lists of contractions, one file per language."""


def languages() -> list[str]:
    """Return the codes of the languages that have a list of contractions."""
    return sorted(entry[:-4] for entry in os.listdir(LISTS) if entry.endswith(".tsv"))


def read_exceptions(path: str | os.PathLike[str]) -> dict[str, str]:
    """Read an exception list from a file."""
    name = os.fspath(path)
    return parse_exceptions(table_lines(name, "the exception list"), name)


def other_language(differing: Mapping[tuple[str, str], int], lang: str) -> Claim | None:
    """Return a warning if most tokens that differ are in the list of another language.

    ``differing`` counts (gold, system) texts of units, whose words are joined by blanks.
    """
    pairs = [
        (gold, system, times)
        for (gold, system), times in differing.items()
        if (gold.isalpha() or system.isalpha()) and gold and system
    ]
    count = sum([times for *_, times in pairs])
    if count < LEAST_TOKENS:
        return None
    most = sorted(pairs, key=lambda item: -item[2])[:MOST_FREQUENT]
    expected = sum([times for *_, times in most]) / 3
    found = []
    for code in languages():
        # Reading a list takes as long as scoring many sentences: most lists have none of the tokens.
        with open(os.path.join(LISTS, f"{code}.tsv"), encoding="utf-8") as file:
            text = file.read()
        hits = [n for *sides, n in most if any(f"\n{side.lower()}\t" in text for side in sides)]
        if sum(hits) >= expected or code == lang:
            entries = exceptions_of(code)
            found.append((sum([n for gold, system, n in pairs if _explains(entries, gold, system)]), code))
    listed, code = max(found, key=lambda item: (item[0], item[1] == lang))
    if code == lang or 2 * listed <= count:
        return None
    return Claim("other_language", {"listed": listed, "count": count, "code": code})


def _explains(entries: Mapping[str, str], gold: str, system: str) -> bool:
    """Return True if the entry of a token begins with the text of the other side, or that text with it."""
    for token, other in ((gold, system), (system, gold)):
        read, written = entries.get(compared(token)), "".join(texts(other.split(" ")))
        if read and (read.startswith(written) or written.startswith(read)):
            return True
    return False


def parse_exceptions(lines: Iterable[str], source: str | None = None) -> dict[str, str]:
    r"""Parse the lines of an exception list; return replacements by token, both as comparison texts."""
    replacements: dict[str, str] = {}
    enclitics: list[str] = []
    first_line: dict[str, int] = {}
    for number, raw in enumerate(lines, 1):
        line = raw.rstrip("\r\n")
        if not line.strip() or line.startswith("#"):
            continue
        fields = [field.strip(" ") for field in line.split("\t")]
        problem = _problem(fields)
        token = compared(fields[0])
        if problem is None and token in first_line:
            problem = f"a second entry for {fields[0]!r}, after line {first_line[token]}; remove one of them"
        if problem is not None:
            raise JpevalbError(problem, source=source, line=number)
        first_line[token] = number
        if fields[1] == "←":
            enclitics.append(token)
        else:
            replacements[token] = compared(fields[1])
    return {ENCLITICS: " ".join(enclitics), **replacements} if enclitics else replacements


def _problem(fields: list[str]) -> str | None:
    if len(fields) == 1:
        return f"{fields[0]!r} without a TAB; expected token, TAB, replacement"
    token, replacement, *rest = fields
    if not token.split():  # a no-break space is not a token either
        return "no token before the TAB; expected token, TAB, replacement"
    if len(token.split()) > 1:
        return f"got blanks in the token {token!r}; expected a single token before the TAB"
    if not replacement.split() or replacement.startswith("#"):
        return f"no replacement for {token!r}; expected one after the TAB"
    if rest and (len(rest) > 1 or (rest[0] and not rest[0].startswith("#"))):
        return f"{rest[0] or rest[-1]!r} after the replacement; expected '# reason' or nothing"
    return None


def exceptions_of(
    lang: str = "en", exceptions: Mapping[str, str] | str | os.PathLike[str] | None = None
) -> dict[str, str]:
    """Return the given exception list, or the built-in one of a language, empty for ``"none"``."""
    if isinstance(exceptions, Mapping):
        return dict(zip(texts(list(exceptions)), texts(list(exceptions.values()))))
    if exceptions is not None:
        return read_exceptions(exceptions)
    if lang == NO_LIST:
        return {}
    check("lang", lang, LANGUAGE)
    return read_exceptions(os.path.join(LISTS, f"{lang}.tsv"))
