"""Text: the form in which tokens are compared, whatever their case, normal form or script variant."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from types import MappingProxyType

NO_EXCEPTIONS: Mapping[str, str] = MappingProxyType({})

NOTHING = "\U0010ffff"
"""What stands for a token that has no character but blanks, since one without any could not be
aligned; Unicode promises that no text has it."""


def _jamo() -> dict[int, str]:
    """Consonants written alone to final ones; vowels that two vowels fuse into, as those two.

    A parser writes an ending of one consonant as a letter of its own (하 ㄴ), which in 한 is the
    final one of the syllable; and 하 아 fuses to 해, 가리 어 to 가려, 주 어 to 줘.
    """
    table: dict[int, str] = {}
    for code in range(0x3131, 0x314F):
        name = unicodedata.name(chr(code)).replace("HANGUL LETTER", "HANGUL JONGSEONG")
        table[code] = unicodedata.lookup(name)
    fused = {
        "AE": "A I",
        "YA": "I A",
        "YAE": "I A I",
        "E": "EO I",
        "YEO": "I EO",
        "YE": "I EO I",
        "WA": "O A",
        "WAE": "O A I",
        "OE": "O I",
        "YO": "I O",
        "WEO": "U EO",
        "WE": "U EO I",
        "WI": "U I",
        "YU": "I U",
        "YI": "EU I",
    }
    for vowel, parts in fused.items():
        table[ord(unicodedata.lookup(f"HANGUL JUNGSEONG {vowel}"))] = "".join(
            unicodedata.lookup(f"HANGUL JUNGSEONG {part}") for part in parts.split()
        )
    return table


_JAMO = _jamo()

BRACKETS = {"-lrb-": "(", "-rrb-": ")", "-lsb-": "[", "-rsb-": "]", "-lcb-": "{", "-rcb-": "}"}
"""How treebanks write brackets, and what they are read as, in all languages and without a list too."""

_SIGMA = {ord("ς"): "σ"}


def compared(word: str) -> str:
    """The text in which a token is compared with others; never empty.

    Compatibility decomposition (so NFC, NFD and full-width letters are one), lower case, without
    blanks; final sigma is sigma, else lower-casing would depend on where a token ends; Hangul as
    letters, fused vowels as those they are made of.

    Cost: O(characters).

    >>> compared("Ca"), compared("New York"), compared("ＡＢＣ"), compared("ΟΔΟΣ")
    ('ca', 'newyork', 'abc', 'οδοσ')
    >>> compared("하") + compared("ㄴ") == compared("한")
    True
    """
    if word.isascii():
        text = word.lower()
        return text if text.isalnum() else "".join(text.split()) or NOTHING
    text = unicodedata.normalize("NFKD", word.translate(_JAMO)).translate(_JAMO).lower().translate(_SIGMA)
    return "".join(text.split()) or NOTHING


class _Known(dict[str, str]):
    """Words met so far and their comparison texts, 65,536 of them at most: a look into it is all C."""

    def __missing__(self, word: str) -> str:
        if len(self) >= 1 << 16:
            self.clear()
        found = self[word] = compared(word)
        return found


text_of = _Known().__getitem__
"""The comparison text of a token, as :func:`compared` makes it; what has been met is looked up."""


def texts(words: Sequence[str]) -> list[str]:
    """The comparison texts of some tokens.  Cost: O(characters)."""
    text = " ".join(words)
    if text.isascii() and text.isprintable():
        # Of most sentences all at once; no blank but those between tokens is printable.
        found = text.lower().split(" ")
        if len(found) == len(words) and all(found):
            return found
    return list(map(text_of, words))


def read_as(found: Sequence[str], exceptions: Mapping[str, str]) -> Sequence[str]:
    """Comparison texts, each replaced by its entry in the exception list if it has one.

    The very texts that were given, if there is nothing to replace.
    """
    if not exceptions or exceptions.keys().isdisjoint(found):
        return found
    return [exceptions.get(text, text) for text in found]
