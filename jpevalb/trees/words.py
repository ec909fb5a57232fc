"""Comparison texts of tokens, independent of case, normal form and script variant."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from itertools import islice, pairwise
from types import MappingProxyType
from typing import Any

NO_EXCEPTIONS: Mapping[str, str] = MappingProxyType({})

NOTHING = "\U0010ffff"  # text of a blank token, since empty ones cannot be aligned; a noncharacter


@cache
def _jamo() -> dict[int, str]:
    """Map single consonants to final ones, and fused vowels to their two parts."""
    import unicodedata

    # Parsers write an ending of one consonant as a letter (하 ㄴ for 한), and split fused vowels: 하 아 is
    # 해, 가리 어 is 가려, 주 어 is 줘.
    table: dict[int, str] = {}
    for code in range(0x3131, 0x314F):
        name = unicodedata.name(chr(code)).replace("HANGUL LETTER", "HANGUL JONGSEONG")
        table[code] = unicodedata.lookup(name)
    fused = (
        "AE:A I, YA:I A, YAE:I A I, E:EO I, YEO:I EO, YE:I EO I, WA:O A, WAE:O A I, OE:O I, YO:I O, "
        "WEO:U EO, WE:U EO I, WI:U I, YU:I U, YI:EU I"
    )
    for vowel, _, parts in (item.partition(":") for item in fused.split(", ")):
        letters = [unicodedata.lookup(f"HANGUL JUNGSEONG {part}") for part in parts.split()]
        table[ord(unicodedata.lookup(f"HANGUL JUNGSEONG {vowel}"))] = "".join(letters)
    return table


ENCLITICS = ""
"""Key of an exception list: its value holds the tokens, joined by blanks, that join the unit before them."""

BRACKETS = {"-lrb-": "(", "-rrb-": ")", "-lsb-": "[", "-rsb-": "]", "-lcb-": "{", "-rcb-": "}"}
"""Names of brackets in treebanks, which are compared as the brackets themselves in all languages."""

_SIGMA = {ord("ς"): "σ"}  # final sigma depends on where a token ends

# Marks of subword tokenisers at the start and at the end of a token
_LEADING = ("▁", "Ġ", "￭", "##")
_TRAILING = ("@@", "</w>", "￭")


def has_marks(text: str) -> bool:
    """Return True if some token of a text joined by blanks has a tokeniser's mark, or is byte-level BPE."""
    tokens = text.split()
    return any(
        token.startswith(_LEADING) or token.endswith(_TRAILING) for token in tokens if len(token) > 1
    ) or (not text.isascii() and _of_bytes(tokens) is not None)


@lru_cache(maxsize=1 << 16)
def compared(word: str) -> str:
    """Return the comparison text of a token: decomposed, lower-cased, without blanks; never empty."""
    if word.endswith(_TRAILING):
        word = word.removesuffix("@@").removesuffix("</w>").removesuffix("￭") or word
    if word.startswith(_LEADING):
        word = word.removeprefix("##").lstrip("▁Ġ￭") or word
    if word.isascii():
        text = word.lower()
        return text if text.isalnum() else "".join(text.split()) or NOTHING
    from unicodedata import normalize

    text = normalize("NFKD", word.translate(_jamo())).translate(_jamo()).lower().translate(_SIGMA)
    return "".join(text.split()) or NOTHING


def texts(words: Sequence[str]) -> list[str]:
    """Return the comparison texts of some tokens.  Several places ask for those of a sentence."""
    return _texts(tuple(words))


@lru_cache(maxsize=512)
def _texts(words: tuple[str, ...]) -> list[str]:
    decoded = None if "".join(words).isascii() else _of_bytes(words)
    return list(map(compared, words)) if decoded is None else decoded


@cache
def _alphabet() -> dict[str, int]:
    """Map the letters of byte-level BPE to bytes: printable ones of Latin-1, then U+0100 and following."""
    printable = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(0x100) if byte not in set(printable)]
    return {chr(byte): byte for byte in printable} | {chr(0x100 + i): byte for i, byte in enumerate(others)}


_LAST = "\u0143"  # last letter of that alphabet


def _of_bytes(words: Sequence[str]) -> list[str] | None:
    """Return comparison texts of tokens of byte-level BPE, ``None`` if these are other tokens.

    The tokenisers of GPT-2, RoBERTa and Llama 3 print each byte of UTF-8 as a letter: ëĮĢ for 대.  The bytes
    of all tokens must be UTF-8 with characters outside ASCII, which other text is only by rare chance.
    A character whose bytes are in two tokens is divided between them.
    """
    text = "".join(words)
    if max(text, default="") > _LAST:
        return None
    alphabet = _alphabet()
    try:
        characters = bytes([alphabet[letter] for letter in text]).decode("utf-8")
    except (KeyError, UnicodeDecodeError):
        return None
    if characters.isascii():
        return None
    of_letters: list[str] = []
    for character in characters:
        part = compared(character).replace(NOTHING, "")
        size = len(character.encode("utf-8"))
        cuts = [len(part) * index // size for index in range(size + 1)]
        of_letters += [part[begin:end] for begin, end in pairwise(cuts)]
    pieces = iter(of_letters)
    return ["".join(islice(pieces, len(word))) or NOTHING for word in words]


_QUOTES = str.maketrans({"`": "'", **dict.fromkeys("‘’‚‛", "'"), **dict.fromkeys("“”„‟«»", '"')})


def alike(gold: tuple[str, ...], system: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the words of two sentences; each word has the spelling of its first occurrence."""
    if gold == system:
        return gold, system
    first: dict[str, str] = {}
    sides = []
    for words in (gold, system):
        sides.append(tuple([first.setdefault(_key(text), word) for text, word in zip(texts(words), words)]))
    return sides[0], sides[1]


def word_numbers(gold: Any, system: Any) -> list[array[int]]:
    """Return the numbers of the words of two trees; words that :func:`alike` writes as one share theirs."""
    one, other = gold.columns, system.columns
    texts = [tree.cells[4 * tree.brackets : 4 * tree.brackets + tree.words] for tree in (one, other)]
    if texts[0] == texts[1] and one.names is other.names:
        return texts
    numbers: dict[str, int] = {}
    return [
        array("i", [numbers.setdefault(word, len(numbers)) for word in side])
        for side in alike(gold.words, system.words)
    ]


@lru_cache(maxsize=1 << 16)
def _key(text: str) -> str:
    """Return a comparison text with one form of brackets, quotation marks, and what treebanks escape."""
    key = BRACKETS.get(text, text).translate(_QUOTES).replace("''", '"')
    return key.replace("\\/", "/").replace("\\*", "*")


def spelling(word: str) -> str:
    """Return the text by which words of both sides are alike."""
    return _key(compared(word))


def read_as(compared_texts: Sequence[str], exceptions: Mapping[str, str]) -> Sequence[str]:
    """Replace comparison texts by their entries in the exception list; may return the argument."""
    if not exceptions or exceptions.keys().isdisjoint(compared_texts):
        return compared_texts
    return [exceptions.get(text, text) for text in compared_texts]
