"""Error of F1 if the system's text differs from gold in a known way, regime by regime.

The system's trees are gold's with parser-like errors; then sentences, tokens and characters are
changed, and each token remembers the gold tokens that it stands for.  So the true beads and units
are known, and with them the F1 that an aligner should lead to.  Told are, for each regime, F1 with
the alignment found; the same less F1 with the true one, in points; the true beads and units that were
not found; and seconds of processor time.  A perfect parser has gold's trees: what it loses, the aligner
or the words have lost.

    python -m tests.benchmarks.alignment_regimes [--sentences 300] [--seeds 2] [--gold TREES] [--only TEXT]

``--gold`` takes a treebank in brackets instead of made trees; Korean, Chinese and Hebrew are made of
its words in any case.
"""

from __future__ import annotations

import argparse
import random
import time
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from jpevalb import Tree, align, read
from jpevalb.alignment import Bead
from tests.benchmarks.treebank import make_treebank, perturb_parse

Span = tuple[int, int, int, int]
"""Gold start and end, system start and end."""

Bracket = tuple[str, int, int]
"""Label, first token and the token behind the last."""


@dataclass(slots=True)
class Token:
    """A system token and the numbers of its gold characters.

    One for each of its characters, unless it is written in another way than gold's.
    """

    text: str
    links: tuple[int, ...] = ()


@dataclass(slots=True)
class Sentence:
    """Tokens and the brackets over them."""

    tokens: list[Token]
    brackets: list[Bracket]

    def copy(self, *, links: bool = True) -> Sentence:
        return Sentence([Token(t.text, t.links if links else ()) for t in self.tokens], list(self.brackets))

    def link(self, number: int) -> int:
        """Link the characters to those of gold from a number on; return the number behind them."""
        for t in self.tokens:
            t.links = tuple(range(number, number + len(t.text)))
            number += len(t.text)
        return number

    def replace(self, pieces: Sequence[Sequence[Token]]) -> Sentence:
        """Each token replaced by some, or by none."""
        ends = [0]
        for piece in pieces:
            ends.append(ends[-1] + len(piece))
        brackets = [(label, ends[i], ends[j]) for label, i, j in self.brackets]
        return Sentence([t for piece in pieces for t in piece], [b for b in brackets if b[1] < b[2]])

    def join(self, k: int, text: str | None = None) -> None:
        """Token ``k`` and the next one in one."""
        first, second = self.tokens[k : k + 2]
        links = first.links + second.links
        self.tokens[k : k + 2] = [Token(first.text + second.text if text is None else text, links)]
        self.brackets = [(label, i - (i > k), j - (j > k + 1)) for label, i, j in self.brackets]

    def cut(self, k: int) -> tuple[Sentence, Sentence]:
        """The sentence in two; brackets over the place are lost."""
        left = [b for b in self.brackets if b[2] <= k]
        right = [(label, i - k, j - k) for label, i, j in self.brackets if i >= k]
        return Sentence(self.tokens[:k], left), Sentence(self.tokens[k:], right)

    def add(self, other: Sentence) -> Sentence:
        """Both in one."""
        size = len(self.tokens)
        moved = [(label, i + size, j + size) for label, i, j in other.brackets]
        return Sentence(self.tokens + other.tokens, self.brackets + moved)


Corpus = list[Sentence]

Change = Callable[[Corpus, float, random.Random], Corpus]
"""What is done to a corpus, at some rate."""


def true_beads(gold: Sequence[int], system: Sequence[int]) -> Iterator[Span]:
    """Beads from the number of linked characters in each sentence; links never cross."""
    i = j = 0
    while i < len(gold) or j < len(system):
        if i < len(gold) and gold[i] == 0:
            a, b = i + 1, j
        elif j < len(system) and system[j] == 0:
            a, b = i, j + 1
        else:
            a, b = _least_closed(gold, system, i, j)
        yield i, a, j, b
        i, j = a, b


def true_units(gold: Sequence[int], system: Sequence[int]) -> list[Span]:
    """Units likewise; tokens without links between two units are one if they are on both sides."""
    found: list[Span] = []
    if not gold or not system:
        found = [(k, k + 1, 0, 0) for k in range(len(gold))]
        return found or [(0, 0, k, k + 1) for k in range(len(system))]
    i = j = 0
    while i < len(gold) or j < len(system):
        a, b = i, j
        while a < len(gold) and not gold[a]:
            a += 1
        while b < len(system) and not system[b]:
            b += 1
        if a > i and b > j:
            found.append((i, a, j, b))
        i, j = _least_closed(gold, system, a, b)
        if i > a and j > b:
            found.append((a, i, b, j))
    return found


def _least_closed(gold: Sequence[int], system: Sequence[int], i: int, j: int) -> tuple[int, int]:
    """Return the nearest point after (i, j) that no link crosses, or the ends."""
    a, b = i, j
    if a == len(gold) or b == len(system):
        return len(gold), len(system)
    left, right = gold[a], system[b]
    a, b = a + 1, b + 1
    while left != right:
        if left < right:
            if a == len(gold):
                return len(gold), len(system)
            left += gold[a]
            a += 1
        else:
            if b == len(system):
                return len(gold), len(system)
            right += system[b]
            b += 1
    return a, b


@dataclass(slots=True)
class Case:
    """Gold, system and what truly belongs together."""

    gold: Corpus
    system: Corpus
    beads: list[Span] = field(default_factory=list)
    units: list[Span] = field(default_factory=list)

    def __post_init__(self) -> None:
        links = Counter(link for sentence in self.system for t in sentence.tokens for link in t.links)
        number = 0
        mine: list[list[int]] = []
        for sentence in self.gold:
            mine.append([])
            for t in sentence.tokens:
                mine[-1].append(sum([links[number + k] for k in range(len(t.text))]))
                number += len(t.text)
        other = [[len(t.links) for t in sentence.tokens] for sentence in self.system]
        self.beads = list(true_beads([sum(row) for row in mine], [sum(row) for row in other]))
        start = start2 = 0
        for a, b, c, d in self.beads:
            inside = [n for row in mine[a:b] for n in row]
            inside2 = [n for row in other[c:d] for n in row]
            units = true_units(inside, inside2)
            self.units += [(w + start, x + start, y + start2, z + start2) for w, x, y, z in units]
            start += len(inside)
            start2 += len(inside2)


# -- what is done to the system's text ------------------------------------------------------------


def each(change: Callable[[Token, random.Random], list[Token]]) -> Change:
    """A change of single tokens, each with the probability of the regime."""

    def run(corpus: Corpus, rate: float, rng: random.Random) -> Corpus:
        return [
            sentence.replace([change(t, rng) if rng.random() < rate else [t] for t in sentence.tokens])
            for sentence in corpus
        ]

    return run


def merge(corpus: Corpus, rate: float, rng: random.Random) -> Corpus:
    done: Corpus = []
    joining = False
    for sentence in corpus:
        if joining:
            done[-1] = done[-1].add(sentence)
        else:
            done.append(sentence)
        joining = rng.random() < rate
    return done


def split(corpus: Corpus, rate: float, rng: random.Random) -> Corpus:
    done: Corpus = []
    for sentence in corpus:
        if len(sentence.tokens) > 1 and rng.random() < rate:
            done += sentence.cut(rng.randrange(1, len(sentence.tokens)))
        else:
            done.append(sentence)
    return done


def shift(corpus: Corpus, rate: float, rng: random.Random) -> Corpus:
    """The last words of a sentence go to the next one."""
    done: Corpus = []
    waiting: Sentence | None = None
    for sentence in corpus:
        here = sentence if waiting is None else waiting.add(sentence)
        waiting = None
        if len(sentence.tokens) > 2 and rng.random() < rate:
            here, waiting = here.cut(len(here.tokens) - rng.randrange(1, min(5, len(sentence.tokens))))
        done.append(here)
    return done if waiting is None else [*done, waiting]


def drop(corpus: Corpus, rate: float, rng: random.Random) -> Corpus:
    return [sentence for sentence in corpus if rng.random() >= rate]


def double(corpus: Corpus, rate: float, rng: random.Random) -> Corpus:
    done: Corpus = []
    for sentence in corpus:
        done.append(sentence)
        if rng.random() < rate:
            done.append(sentence.copy(links=False))
    return done


def swap(corpus: Corpus, rate: float, rng: random.Random) -> Corpus:
    """Neighbours change places; the shorter one then has no counterpart in order."""
    done: Corpus = []
    k = 0
    while k < len(corpus):
        if k + 1 < len(corpus) and rng.random() < rate:
            pair = corpus[k], corpus[k + 1]
            short = min(pair, key=lambda one: sum(len(t.text) for t in one.tokens))
            left, right = (one.copy(links=one is not short) for one in pair)
            done += [right, left]
            k += 2
        else:
            done.append(corpus[k])
            k += 1
    return done


def move(corpus: Corpus, rate: float, rng: random.Random) -> Corpus:
    """Move a block of so many sentences."""
    count = int(rate)
    begin = rng.randrange(len(corpus) // 2 - count)
    block = [sentence.copy(links=False) for sentence in corpus[begin : begin + count]]
    rest = corpus[:begin] + corpus[begin + count :]
    place = min(len(rest), begin + max(count * 2, 40))
    return rest[:place] + block + rest[place:]


def invent(corpus: Corpus, rate: float, rng: random.Random) -> Corpus:
    """Sentences of 3 to 30 words that gold lacks."""
    vocabulary = [t.text for sentence in corpus for t in sentence.tokens]
    done: Corpus = []
    for sentence in corpus:
        if rng.random() < rate:
            done.append(Sentence([Token(rng.choice(vocabulary)) for _ in range(rng.randint(3, 30))], []))
        done.append(sentence)
    return done


def lines_of(corpus: Corpus, rate: float, rng: random.Random) -> Corpus:
    """All lines of so many words."""
    whole = Sentence([], [])
    for sentence in corpus:
        for t in sentence.tokens:
            whole.tokens.append(t)
    done: Corpus = []
    brackets = []
    start = 0
    for sentence in corpus:
        brackets += [(label, i + start, j + start) for label, i, j in sentence.brackets]
        start += len(sentence.tokens)
    size = int(rate)
    for begin in range(0, len(whole.tokens), size):
        end = begin + size
        inside = [(label, i - begin, j - begin) for label, i, j in brackets if begin <= i and j <= end]
        done.append(Sentence(whole.tokens[begin:end], inside))
    return done


def joined(corpus: Corpus, rate: float, rng: random.Random) -> Corpus:
    """So many sentences on a line; 0 for all."""
    size = int(rate) or len(corpus)
    done: Corpus = []
    for begin in range(0, len(corpus), size):
        line = corpus[begin]
        for sentence in corpus[begin + 1 : begin + size]:
            line = line.add(sentence)
        done.append(line)
    return done


def words_wrong(corpus: Corpus, rate: float, rng: random.Random) -> Corpus:
    """As a recogniser: six of ten errors another word, two none, two one more."""
    vocabulary = [t.text for sentence in corpus for t in sentence.tokens]

    def change(t: Token, rng: random.Random) -> list[Token]:
        kind = rng.random()
        if kind < 0.6:
            return [Token(rng.choice(vocabulary), t.links)]
        return [] if kind < 0.8 else [t, Token(rng.choice(vocabulary))]

    return each(change)(corpus, rate, rng)


def misspelt(t: Token, rng: random.Random) -> list[Token]:
    at, kind, text = rng.randrange(len(t.text)), rng.random(), t.text
    letter = rng.choice("abcdefghijklmnopqrstuvwxyz")
    if kind < 0.4 or len(text) == 1:
        text = text[:at] + letter + text[at + 1 :]
    elif kind < 0.7:
        text = text[:at] + text[at + 1 :]
    else:
        text = text[:at] + letter + text[at:]
    return [Token(text, t.links)]


def halved(t: Token, rng: random.Random) -> list[Token]:
    """A token of two characters or more in two."""
    if len(t.text) < 2:
        return [t]
    at = rng.randrange(1, len(t.text))
    return [Token(t.text[:at], t.links[:at]), Token(t.text[at:], t.links[at:])]


def together(corpus: Corpus, rate: float, rng: random.Random) -> Corpus:
    """Neighbouring tokens joined."""
    done = []
    for sentence in corpus:
        made = sentence.copy()
        for k in range(len(made.tokens) - 2, -1, -1):
            if rng.random() < rate:
                made.join(k)
        done.append(made)
    return done


def recut(corpus: Corpus, rate: float, rng: random.Random) -> Corpus:
    """Tokens joined, split, or their boundary moved by a character."""
    done = []
    for sentence in corpus:
        made = sentence.copy()
        k = 0
        while k < len(made.tokens):
            here = made.tokens[k]
            if rng.random() < rate:
                kind = rng.random()
                if kind < 0.4 and k + 1 < len(made.tokens):
                    made.join(k)
                elif kind < 0.7 and len(here.text) > 1:
                    pieces = [[t] for t in made.tokens]
                    pieces[k] = halved(here, rng)
                    made = made.replace(pieces)
                    k += 1
                elif k + 1 < len(made.tokens) and len(here.text) > 1:
                    after = made.tokens[k + 1]
                    after.text, after.links = here.text[-1] + after.text, here.links[-1:] + after.links
                    here.text, here.links = here.text[:-1], here.links[:-1]
            k += 1
        done.append(made)
    return done


def ends_moved(*, across: bool) -> Change:
    """The last character of a word of two or more moved to the front of the next one."""

    def run(corpus: Corpus, rate: float, rng: random.Random) -> Corpus:
        done = [sentence.copy() for sentence in corpus]
        places = [(k, t) for k, sentence in enumerate(done) for t in sentence.tokens]
        for (k, here), (n, after) in pairwise(places):
            if len(here.text) > 1 and (across or n == k) and rng.random() < rate:
                after.text, after.links = here.text[-1] + after.text, here.links[-1:] + after.links
                here.text, here.links = here.text[:-1], here.links[:-1]
        return done

    return run


WRITTEN = {"``": '"', "''": '"', "-LRB-": "(", "-RRB-": ")", "--": "\u2014", "...": "\u2026"}
ENDS = {".", ",", "!", "?", ";", ":", "'s", "n't", "'", "'ll"}


def conventions(corpus: Corpus, rate: float, rng: random.Random) -> Corpus:
    """Other quotes, brackets and dashes, lower case, marks and contractions joined to the word before."""
    done = []
    for sentence in corpus:
        made = sentence.replace(
            [[Token(WRITTEN.get(t.text, t.text).lower(), t.links)] for t in sentence.tokens]
        )
        for k in range(len(made.tokens) - 2, -1, -1):
            if made.tokens[k + 1].text in ENDS:
                made.join(k)
        done.append(made)
    return done


def spelt(normal: Callable[[str], str]) -> Change:
    """All tokens written in another way."""
    return lambda corpus, rate, rng: each(lambda t, rng: [Token(normal(t.text), t.links)])(corpus, rate, rng)


def wide(text: str) -> str:
    return "".join(chr(ord(char) + 0xFEE0) if "!" <= char <= "~" else char for char in text)


def decomposed(text: str) -> str:
    return unicodedata.normalize("NFD", text)


def fused(corpus: Corpus, rate: float, rng: random.Random) -> Corpus:
    """Korean endings in one syllable with what is before them."""
    done = []
    for sentence in corpus:
        made = sentence.copy()
        for k in range(len(made.tokens) - 2, -1, -1):
            text = korean_fused(made.tokens[k].text, made.tokens[k + 1].text)
            if text and rng.random() < rate:
                made.join(k, text)
        done.append(made)
    return done


def eojeol(corpus: Corpus, rate: float, rng: random.Random) -> Corpus:
    """Korean stems and endings in one token, fused where they can be."""
    done = []
    for sentence in corpus:
        made = sentence.copy()
        for k in range(len(made.tokens) - 2, -1, -1):
            stem, ending = made.tokens[k].text, made.tokens[k + 1].text
            if ending in ENDINGS and stem not in ENDINGS and rng.random() < rate:
                made.join(k, korean_fused(stem, ending) or stem + ending)
        done.append(made)
    return done


def clitics(corpus: Corpus, rate: float, rng: random.Random) -> Corpus:
    """Hebrew prepositions in one token with the word behind, the article between them left out."""
    done = []
    for sentence in corpus:
        pieces = [[t] for t in sentence.tokens]
        chosen = []
        for k, t in enumerate(sentence.tokens[:-1]):
            if t.text == "\u05d1" and rng.random() < rate:
                article = sentence.tokens[k + 1].text == "\u05d4" and k + 2 < len(pieces)
                if article:
                    pieces[k + 1] = []
                chosen.append(t)
        made = sentence.replace(pieces)
        for k in range(len(made.tokens) - 2, -1, -1):
            if any(made.tokens[k] is t for t in chosen):
                made.join(k)
        done.append(made)
    return done


def pieces(first: str = "", rest: str = "", last: str = "", unfinished: str = "", size: int = 4) -> Change:
    """Words cut into pieces, each with the mark of its place in the word."""

    def change(t: Token, rng: random.Random) -> list[Token]:
        cut = [Token(t.text[k : k + size], t.links[k : k + size]) for k in range(0, len(t.text), size)]
        for k, piece in enumerate(cut):
            at_end = k == len(cut) - 1
            piece.text = (rest if k else first) + piece.text + (last if at_end else unfinished)
        return cut

    return lambda corpus, rate, rng: each(change)(corpus, 1, rng)


def accented(t: Token, rng: random.Random) -> list[Token]:
    return [Token("".join(c + "\u0301" if c.isalpha() else c for c in t.text), t.links)]


def without_letter(*, first: bool) -> Change:
    """Words of two letters or more without their first or their last one."""
    kept = slice(1, None) if first else slice(-1)

    def change(t: Token, rng: random.Random) -> list[Token]:
        return [Token(t.text[kept], t.links[kept]) if len(t.text) > 1 else t]

    return lambda corpus, rate, rng: each(change)(corpus, 1, rng)


def truncated(corpus: Corpus, rate: float, rng: random.Random) -> Corpus:
    """Sentences end early, as answers of a language model do."""
    return [
        sentence.cut(rng.randrange(1, len(sentence.tokens)))[0]
        if len(sentence.tokens) > 1 and rng.random() < rate
        else sentence
        for sentence in corpus
    ]


def looping(corpus: Corpus, rate: float, rng: random.Random) -> Corpus:
    """Sentences go on with their last words again and again, as answers of a language model do."""
    done = []
    for sentence in corpus:
        if rng.random() < rate:
            loop = [Token(t.text) for t in sentence.tokens[-rng.randrange(2, 6) :]]
            sentence = sentence.add(Sentence(loop * rng.randrange(3, 9), []))
        done.append(sentence)
    return done


def romanised(corpus: Corpus, rate: float, rng: random.Random) -> Corpus:
    """Other letters throughout, a third more of them: no character is on both sides."""
    rows = ("bo", "ga", "nu", "de", "ri", "mi", "so", "ha", "je", "chu")

    def change(t: Token, rng: random.Random) -> list[Token]:
        own = random.Random(f"roman {t.text}")
        return [Token("".join(chr(0x430 + ord(c) % 32) for c in own.choice(rows) + t.text), t.links)]

    return each(change)(corpus, 1, rng)


_PRINTABLE = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
_OTHERS = [byte for byte in range(0x100) if byte not in _PRINTABLE]
BYTES = {byte: chr(byte) for byte in _PRINTABLE} | {byte: chr(0x100 + i) for i, byte in enumerate(_OTHERS)}


def byte_pairs(words: Sequence[str], rng: random.Random, size: int = 6) -> list[str]:
    """Tokens of byte-level BPE, as GPT-2 prints them: cut anywhere, also inside a character."""
    tokens = []
    for number, word in enumerate(words):
        text = "".join([BYTES[byte] for byte in f"{' ' * (number > 0)}{word}".encode()])
        begin = 0
        while begin < len(text):
            end = begin + rng.randint(1, size)
            tokens.append(text[begin:end])
            begin = end
    return tokens


def in_bytes(corpus: Corpus, rate: float, rng: random.Random) -> Corpus:
    """Each sentence in byte-level BPE of whole words, so that each token has its gold word's links."""
    blank = BYTES[0x20]

    def change(t: Token, rng: random.Random) -> list[Token]:
        return [Token(blank + "".join([BYTES[byte] for byte in t.text.encode()]), t.links)]

    return each(change)(corpus, 1, rng)


def in_order(*changes: tuple[Change, float]) -> Change:
    """Several changes one after the other, each at its rate."""

    def run(corpus: Corpus, rate: float, rng: random.Random) -> Corpus:
        for change, share in changes:
            corpus = change(corpus, share, rng)
        return corpus

    return run


# -- text in other scripts, made of the treebank's words ---------------------------------------------

ENDINGS = ("ㄴ", "ㄹ", "ㅁ", "어", "아", "었다", "았다", "은", "을", "에서", "다")
_FUSED = {("ㅏ", "ㅏ"): "ㅐ", ("ㅣ", "ㅓ"): "ㅕ", ("ㅗ", "ㅏ"): "ㅘ", ("ㅜ", "ㅓ"): "ㅝ", ("ㅡ", "ㅓ"): "ㅓ"}
_VOWELS = "ㅏㅐㅑㅒㅓㅔㅕㅖㅗㅘㅙㅚㅛㅜㅝㅞㅟㅠㅡㅢㅣ"
_FINALS = " ㄱㄲㄳㄴㄵㄶㄷㄹㄺㄻㄼㄽㄾㄿㅀㅁㅂㅄㅅㅆㅇㅈㅊㅋㅌㅍㅎ"


def korean_fused(stem: str, ending: str) -> str | None:
    """Stem and ending as they are written in one, where the ending fuses with the last syllable."""
    code = ord(stem[-1]) - 0xAC00
    if not 0 <= code < 11172 or code % 28:
        return None
    if len(ending) == 1 and ending in "ㄴㄹㅁ":
        return stem[:-1] + chr(0xAC00 + code + _FINALS.index(ending))
    if ending[0] not in "아어았었":
        return None
    vowel = _FUSED.get((_VOWELS[code // 28 % 21], "ㅏ" if ending[0] in "아았" else "ㅓ"))
    if vowel is None:
        return None
    final = _FINALS.index("ㅆ") if ending[0] in "았었" else 0
    return stem[:-1] + chr(0xAC00 + (code // 588 * 21 + _VOWELS.index(vowel)) * 28 + final) + ending[1:]


def _numbered(word: str) -> random.Random:
    return random.Random(f"word {word}")


def in_korean(word: str) -> list[str]:
    rng = _numbered(word)
    heads = [
        chr(0xAC00 + (rng.randrange(19) * 21 + rng.randrange(21)) * 28 + rng.choice((0, 0, 4, 8)))
        for _ in "ab"
    ]
    last = chr(0xAC00 + (rng.randrange(19) * 21 + _VOWELS.index(rng.choice("ㅏㅣㅗㅜㅡ"))) * 28)
    stem = "".join(heads[: rng.randrange(3)]) + last
    if rng.random() < 0.3:
        return [stem]
    return [stem, rng.choice(ENDINGS)]


def in_chinese(word: str) -> list[str]:
    rng = _numbered(word)
    # A third of all characters are a tenth of the signs.
    return [
        "".join(chr(0x4E00 + int(3000 * rng.random() ** 2.5)) for _ in range(rng.choice((1, 1, 2, 2, 2, 3))))
    ]


def in_hebrew(word: str) -> list[str]:
    rng = _numbered(word)
    text = "".join(chr(0x5D0 + rng.randrange(27)) for _ in range(rng.randrange(2, 6)))
    kind = rng.random()
    return ["\u05d1", "\u05d4", text] if kind < 0.15 else ["\u05d1", text] if kind < 0.3 else [text]


@dataclass(frozen=True, slots=True)
class Regime:
    """A kind of difference between gold and system, with its rates."""

    name: str
    rates: tuple[float, ...]
    changes: tuple[Change, ...]
    before: tuple[tuple[Change, float], ...] = ()
    script: Callable[[str], list[str]] | None = None
    lang: str = "en"
    types: int = 0  # number of different sentences, each with one parse; 0: all are different
    template: bool = False  # these differ in one word
    perfect: bool = False  # the system's trees are gold's


FEW = (words_wrong, 0.05)
UNK = each(lambda t, rng: [Token("<unk>", t.links)])
XX = each(lambda t, rng: [Token("XX", t.links)])


def unpunctuated(corpus: Corpus, rate: float, rng: random.Random) -> Corpus:
    """Tokens without letters or digits left out."""
    return [
        sentence.replace([[t] if any(map(str.isalnum, t.text)) else [] for t in sentence.tokens])
        for sentence in corpus
    ]


_ONES = [
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven"),
    *("twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
]
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]


def number_words(number: int) -> list[str]:
    if number < 20:
        return [_ONES[number]]
    for size, name in ((10**9, "billion"), (10**6, "million"), (1000, "thousand"), (100, "hundred")):
        if number >= size:
            rest = number_words(number % size) if number % size else []
            return [*number_words(number // size), name, *rest]
    return [_TENS[number // 10 - 2], *([_ONES[number % 10]] if number % 10 else [])]


def spoken(corpus: Corpus, rate: float, rng: random.Random) -> Corpus:
    """Numbers in words, lower case, no punctuation."""

    def said(t: Token, rng: random.Random) -> list[Token]:
        whole, _, rest = t.text.replace(",", "").partition(".")
        if whole.isdecimal() and (rest.isdecimal() or not rest):
            tail = ["point", *[_ONES[int(digit)] for digit in rest]] if rest else []
            return [Token(word) for word in (*number_words(int(whole)), *tail)]
        return [Token(t.text.lower(), t.links)]

    return unpunctuated(each(said)(corpus, 1, rng), rate, rng)


NOISE = in_order((merge, 0.1), (split, 0.1), (words_wrong, 0.1))

REGIMES = (
    Regime("perfect parser: word errors", (0.05, 0.1, 0.2, 0.3), (words_wrong,), perfect=True),
    Regime("perfect parser: no punctuation", (1,), (unpunctuated,), perfect=True),
    Regime("perfect parser: spoken", (1,), (spoken,), perfect=True),
    Regime("merged", (0.1, 0.5), (merge,)),
    Regime("split", (0.1, 0.5), (split,)),
    Regime("shifted", (0.1, 0.5), (shift,)),
    Regime("dropped", (0.05, 0.3), (drop,)),
    Regime("doubled", (0.05, 0.3), (double,)),
    Regime("near-doubled, 10 % typos", (0.05,), (double,), ((each(misspelt), 0.0),)),
    Regime("swapped", (0.05, 0.3), (swap,)),
    Regime("block moved", (5, 20, 60), (move,)),
    Regime("tokens cut anew", (0.1, 0.3, 0.6), (recut,)),
    Regime("word ends moved", (0.5,), (ends_moved(across=False),)),
    Regime("also across sentences", (0.5,), (ends_moved(across=True),)),
    Regime("conventions", (1,), (conventions,)),
    Regime("word errors", (0.05, 0.1, 0.2, 0.3), (words_wrong,)),
    Regime("typos", (0.05, 0.1, 0.3), (each(misspelt),)),
    Regime("words a line, 5 % word errors", (8, 15, 30, 100), (lines_of,), (FEW,)),
    Regime("sentences a line (0: all)", (20, 40, 60, 100, 0), (joined,)),
    Regime("sentences a line, 5 % word errors", (60, 100, 300), (joined,), (FEW,)),
    Regime("<unk>", (0.1, 0.5, 0.7, 0.9), (each(lambda t, rng: [Token("<unk>", t.links)]),)),
    Regime("all words XX", (1,), (each(lambda t, rng: [Token("XX", t.links)]),)),
    Regime("all words XX, merged, split", (0.1,), (in_order((merge, 0.1), (split, 0.1), (XX, 1)),)),
    Regime("70 % <unk>, merged, split", (0.1,), (in_order((merge, 0.1), (split, 0.1), (UNK, 0.7)),)),
    Regime("full-width", (1,), (spelt(wide),)),
    *(
        Regime(f"{mark} sentences a line", (1, 8, 60, 0), (change, joined))
        for mark, change in (
            ("▁pieces", pieces("▁")),
            ("Ġpieces", pieces("Ġ")),
            ("##pieces", pieces(rest="##")),
            ("@@pieces", pieces(unfinished="@@")),
            ("pieces</w>", pieces(last="</w>")),
            ("￭pieces", pieces(rest="￭")),
            ("▁words", pieces("▁", size=999)),
            ("|words", pieces("|", size=999)),
            ("~pieces", pieces("~")),
            ("accents,", lambda corpus, rate, rng: each(accented)(corpus, 1, rng)),
            ("first letters lost,", without_letter(first=True)),
            ("last letters lost,", without_letter(first=False)),
        )
    ),
    Regime("Chinese cut anew", (0.2, 0.5), (recut,), script=in_chinese, lang="none"),
    Regime("Hebrew clitics", (0.3, 1), (clitics,), script=in_hebrew, lang="he"),
    Regime("Korean fused", (0.3, 0.6, 1), (fused,), script=in_korean, lang="ko"),
    Regime("Korean eojeol", (1,), (eojeol,), script=in_korean, lang="ko"),
    Regime("romanised, sentences a line", (1, 8, 60, 0), (romanised, joined), script=in_korean, lang="ko"),
    Regime("doubled, 5 % word errors", (0.03,), (double,), (FEW,)),
    Regime("Korean, byte-level BPE", (1, 8, 0), (in_bytes, joined), script=in_korean, lang="ko"),
    Regime(
        "Korean NFD",
        (1,),
        (spelt(decomposed),),
        script=in_korean,
        lang="ko",
    ),
)


# Few types of sentences: nothing, or nearly nothing, is unique.
REPETITIVE = tuple(
    Regime(f"{kind}: {name}", (rate,), changes, before, types=types, template=template)
    for kind, types, template in (("30 types", 30, False), ("template", 30, True), ("one sentence", 1, False))
    for name, rate, changes, before in (
        ("dropped", 0.05, (drop,), ()),
        ("doubled", 0.05, (double,), ()),
        ("sentences a line", 8, (joined,), ()),
        ("a line, 5 % word errors", 8, (joined,), (FEW,)),
        ("a line, 5 % word errors", 0, (joined,), (FEW,)),
        ("a line, 5 % dropped", 8, (joined,), ((drop, 0.05),)),
        ("merged, split, word errors", 0.1, (NOISE,), ()),
        ("tokens cut anew", 0.3, (recut,), ()),
        ("truncated", 0.3, (truncated,), ()),
        ("looping", 0.1, (looping,), ()),
        ("a line, typos 10 %", 8, (joined,), ((each(misspelt), 0.1),)),
    )
)


def in_script(sentence: Sentence, script: Callable[[str], list[str]]) -> Sentence:
    return sentence.replace([[Token(text) for text in script(t.text)] for t in sentence.tokens])


def repeated(
    pairs: Sequence[tuple[Sentence, Sentence]], regime: Regime, rng: random.Random
) -> list[tuple[Sentence, Sentence]]:
    """As many sentences, of few types; equal sentences have equal parses, so any copy is the right one."""
    chosen = [pair for pair in pairs if 8 <= len(pair[0].tokens) <= 20][
        : 1 if regime.template else regime.types
    ]
    if regime.template:
        words = sorted({t.text for one, _ in pairs for t in one.tokens if t.text.isalpha()})
        types = []
        for word in rng.sample(words, regime.types):
            gold, system = (side.copy() for side in chosen[0])
            gold.tokens[2].text = system.tokens[2].text = word
            types.append((gold, system))
        chosen = types
    return [rng.choice(chosen) for _ in pairs]


def make_case(pairs: Iterable[tuple[Sentence, Sentence]], regime: Regime, rate: float, seed: int) -> Case:
    """Gold and what the regime makes of the system's trees."""
    rng = random.Random(f"{regime.name} {rate} {seed}")
    if regime.types:
        pairs = repeated(list(pairs), regime, rng)
    gold, system = [], []
    number = 0
    for one, other in pairs:
        left, right = one.copy(), (one if regime.perfect else other).copy()
        if regime.script:
            left, right = in_script(left, regime.script), in_script(right, regime.script)
        number = right.link(number)
        gold.append(left)
        system.append(right)
    for change, share in regime.before:
        system = change(system, share, rng)
    for change in regime.changes:
        system = change(system, rate, rng)
    if "typos" in regime.name and regime.name != "typos":
        system = each(misspelt)(system, 0.1, rng)
    return Case(gold, [sentence for sentence in system if sentence.tokens])


# -- what is found --------------------------------------------------------------------------------------


def f1_of(case: Case, beads: Iterable[Span], units: Iterable[Span]) -> float:
    """F1 of labelled brackets under an alignment; units number tokens through the whole corpus.

    A bracket is over the units of its words; without any it matches nothing.
    """
    of_gold, of_system = {}, {}
    for number, (a, b, c, d) in enumerate(units):
        of_gold.update(dict.fromkeys(range(a, b), number))
        of_system.update(dict.fromkeys(range(c, d), number))

    def spans(side: Corpus, numbers: dict[int, int]) -> list[Counter[tuple[str, int, int]]]:
        found, start = [], 0
        for sentence in side:
            brackets: Counter[tuple[str, int, int]] = Counter()
            for label, i, j in sentence.brackets:
                of_words = [numbers[k] for k in range(start + i, start + j) if k in numbers]
                place = (of_words[0], of_words[-1]) if of_words else (-1 - (side is case.gold), start + i)
                brackets[(label, *place)] += 1
            found.append(brackets)
            start += len(sentence.tokens)
        return found

    mine, other = spans(case.gold, of_gold), spans(case.system, of_system)
    matched = 0
    for a, b, c, d in beads:
        left: Counter[tuple[str, int, int]] = sum(mine[a:b], Counter())
        matched += (left & sum(other[c:d], Counter())).total()
    total = sum(c.total() for c in mine) + sum(c.total() for c in other)
    return 200 * matched / total if total else 0.0


@dataclass(slots=True)
class Score:
    """Sums of results over cases."""

    error: float = 0.0
    found: float = 0.0  # F1 under the alignment found
    lost: int = 0
    beads: int = 0
    wrong: int = 0
    units: int = 0
    seconds: float = 0.0
    cases: int = 0

    def align(self, case: Case, lang: str) -> None:
        """Align a case and add what is found."""
        began = time.process_time()
        answer = align(
            *[[[t.text for t in sentence.tokens] for sentence in side] for side in (case.gold, case.system)],
            lang=lang,
        )
        self.add(case, time.process_time() - began, answer)

    def add(self, case: Case, seconds: float, answer: Sequence[Bead]) -> None:
        beads = [(*bead.gold, *bead.system) for bead in answer]
        units: list[Span] = []
        start = start2 = 0
        for bead in answer:
            units += [(a + start, b + start, c + start2, d + start2) for a, b, c, d in bead.units]
            start += sum(len(s.tokens) for s in case.gold[slice(*bead.gold)])
            start2 += sum(len(s.tokens) for s in case.system[slice(*bead.system)])
        found = f1_of(case, beads, units)
        self.found += found
        self.error += found - f1_of(case, case.beads, case.units)
        self.lost += len(set(case.beads) - set(beads))
        self.beads += len(case.beads)
        self.wrong += len(set(case.units) - set(units))
        self.units += len(case.units)
        self.seconds += seconds
        self.cases += 1

    def __str__(self) -> str:
        return (
            f"{self.found / self.cases:7.2f} {self.error / self.cases:+8.2f}"
            f" {100 * self.lost / self.beads:7.2f} {100 * self.wrong / self.units:7.2f} {self.seconds:7.2f}"
        )


def of_tree(tree: Tree) -> Sentence:
    brackets = []
    for label, words in tree.constituents():
        if label not in ("TOP", "ROOT", ""):
            brackets.append((label, (words & -words).bit_length() - 1, words.bit_length()))
    return Sentence([Token(word) for word in tree.words], brackets)


def pairs_of(lines: Iterable[str], seed: int) -> Iterator[tuple[Sentence, Sentence]]:
    """Gold and what a parser might make of the same words."""
    rng = random.Random(f"parser {seed}")
    for line in lines:
        gold = Tree.parse(line)
        system = Tree.parse(perturb_parse(line, rng))
        if gold.words and gold.words == system.words:
            yield of_tree(gold), of_tree(system)


def treebank(path: str | None, sentences: int, seed: int) -> list[tuple[Sentence, Sentence]]:
    if path is None:
        return list(pairs_of(make_treebank(sentences, seed), seed))
    lines = [tree.to_bracket() for tree in read(path)]
    begin = (seed - 1) * sentences % max(1, len(lines) - sentences + 1)
    return list(pairs_of(lines[begin : begin + sentences], seed))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--sentences", type=int, default=300)
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--gold", metavar="TREES", help="a treebank in brackets instead of made trees")
    parser.add_argument("--hard", action="store_true", help="repetitive text instead")
    parser.add_argument("--only", default="", metavar="TEXT", help="regimes whose name has this")
    options = parser.parse_args()
    banks = {seed: treebank(options.gold, options.sentences, seed) for seed in range(1, options.seeds + 1)}
    print(f"{'regime':36} {'rate':>5} {'F1':>7} {'error':>8} {'beads%':>7} {'units%':>7} {'s':>7}")
    began = time.perf_counter()
    total = 0.0
    for regime in REPETITIVE if options.hard else REGIMES:
        if options.only not in regime.name:
            continue
        for rate in regime.rates:
            score = Score()
            for seed, bank in banks.items():
                score.align(make_case(bank, regime, rate, seed), regime.lang)
            print(f"{regime.name:36} {rate:5g} {score}", flush=True)
            total += abs(score.error)
    print(f"sum of errors: {total:.1f}")
    print(f"{time.perf_counter() - began:.0f} s")


if __name__ == "__main__":
    main()
