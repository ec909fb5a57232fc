"""A made-up treebank, the same for the same seed, and parser-like errors on it.

Sentence lengths, labels and bytes per word are like the Wall Street Journal part
of the Penn Treebank: about 24 words a sentence.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

# Weight and right-hand side.  A symbol in upper case without a rule is a tag; "X|y"
# is a variant of X that is written as X; parentheses fix a piece of the tree.
RULES = """
TOP|long: 60 S|top; 4 SINV|top; 3 S|coord; 2 SQ|top; 2 NP|top
TOP|short: 3 S|top; 4 FRAG|top; 2 NP|top; 2 INTJ|top
S|top: 50 NP VP .; 10 PP , NP VP .; 6 ADVP , NP VP .; 6 SBAR , NP VP .; 6 `` S , '' NP VP|said .
S|top: 3 NP ADVP VP .
S|top: 3 NP PRN VP .; 4 CC NP VP .; 2 NP VP : S .; 1 S : S .; 3 `` NP VP . ''
S|coord: 5 S CC S .; 5 S , CC S .
SINV|top: 3 `` S , '' VP|said NP .; 2 S , VP|said NP .
SQ|top: 1 MD NP VP|base .
NP|top: 5 NP .; 2 NP : NP .; 1 NP PP .
FRAG|top: 3 NP .; 2 ADVP .; 2 ADJP .; 1 PP .; 1 WHNP .
INTJ|top: 3 UH .; 1 UH UH .; 1 UH , NP .
S: 50 NP VP; 5 ADVP NP VP; 4 PP , NP VP; 3 NP ADVP VP
S|to: 1 VP|to
S|ing: 1 VP|ing
VP|said: 10 VBD; 1 VBD ADVP; 2 VBD PP; 1 VBD NP ADVP
VP: 12 VBD NP; 8 VBD NP PP; 5 VBD PP; 6 VBD SBAR; 4 VBD S|to; 3 VBD S|ing; 2 VBD; 4 VBD ADVP; 5 VBZ NP
VP: 5 VBZ ADJP
VP: 4 VBZ NP|pred; 8 MD VP|base; 3 MD RB VP|base; 2 MDN N'T VP|base; 1 DON N'T VP|base; 6 VBD VP|pass
VP: 5 VBZ VP|perf
VP: 3 VBD NP SBAR; 3 VP CC VP; 1 VP , VP CC VP; 3 VBD NP PP PP; 2 VBD PP , S|ing
VP|base: 8 VB NP; 4 VB NP PP; 3 VB PP; 2 VB; 2 VB ADJP; 2 VB SBAR; 2 VB VP|pass; 1 VB S|to
VP|base: 1 ADVP VB NP
VP|pass: 5 VBN PP; 3 VBN; 2 VBN PP PP; 2 VBN S|to; 1 ADVP VBN PP; 1 VBN NP
VP|perf: 5 VBN NP; 3 VBN PP; 1 VBN; 2 VBN NP PP; 2 VBN VP|pass
VP|to: 8 TO VP|base
VP|ing: 5 VBG NP; 2 VBG PP; 1 VBG; 2 VBG NP PP; 1 VBG SBAR
NP: 100 NN; 40 NNS; 50 PRP; 110 DT NN; 45 NNP; 45 NNP NNP; 25 NNP NNP NNP; 40 JJ NNS; 60 DT JJ NN
NP: 25 NN NNS; 25 DT NN NN
NP: 20 PRP$ NN; 15 CD NNS; 10 DT JJ JJ NN; 10 DT NN NNS; 25 CD; 10 NNS CC NNS; 10 (QP $ CD CD)
NP: 10 (QP RB CD) NNS
NP: 5 (QP IN CD CC CD) NNS; 10 DT (ADJP RB JJ) NN; 20 (NP NNP POS) NN; 10 (NP DT NN POS) JJ NN
NP: 5 (NP NNP NNP POS) NN NN; 5 EX
NP: 30 NP PP; 6 NP SBAR|rel; 5 NP VP|pass; 4 NP , NP ,; 5 NP CC NP; 2 NP , NP CC NP; 2 NP PP PP
NP: 1 NP : NP; 1 NP PRN
NP: 2 NP , SBAR|rel ,; 1 (NP NP); 1 DT ADJP NN; 1 NP ADJP
NP|pred: 3 DT NN; 2 DT JJ NN; 3 NP PP
PP: 60 IN NP; 3 TO NP; 2 IN S|ing; 2 ADVP IN NP; 1 PP CC PP
SBAR: 6 IN S; 3 S; 2 (WHADVP WRB) S
SBAR|rel: 4 (WHNP WDT) VP|rel; 2 WHNP S|gap; 2 S|gap
VP|rel: 3 VP
S|gap: 1 NP VP
WHNP: 3 WP; 1 WDT NN; 1 WP PP
ADJP: 6 JJ; 3 RB JJ; 3 JJ PP; 2 JJ S|to; 1 JJ CC JJ; 2 RB VBN PP
ADVP: 9 RB; 2 RB RB; 1 RB PP; 1 NP RB
PRN: 2 , S ,; 2 -LRB- NP -RRB-; 1 : NP :
"""

SHARES = {"NP": 1.0, "VP": 2.5, "S": 2.5, "SBAR": 2.0, "PP": 1.0, "ADJP": 0.4, "ADVP": 0.2, "PRN": 0.4}

CLOSED = {
    "DT": "the the the the a a an this that these some all no any each",
    "IN": "of of of in in for to on with by at from as that that if because while about after than under",
    "TO": "to",
    "CC": "and and and or but",
    "PRP": "it he they we I she you them him us",
    "PRP$": "its his their our my her your",
    "MD": "will would could may can should might must 'll",
    "MDN": "ca wo could would should",
    "DON": "do does did",
    "N'T": "n't",
    "POS": "'s 's 's '",
    "WDT": "which that",
    "WP": "who what",
    "WRB": "when where why how",
    "EX": "there",
    "UH": "well yes no oh",
    "RB": "not also n't only now even still more most too very just about so never again later",
    ".": ". . . . . . . . . . . . ? !",
    ",": ",",
    ":": "-- : ; ...",
    "``": "``",
    "''": "''",
    "$": "$",
    "-LRB-": "-LRB-",
    "-RRB-": "-RRB-",
}
"""Words of the closed classes; a word given twice comes twice as often."""

WRITTEN_TAGS = {"MDN": "MD", "DON": "VBD", "N'T": "RB"}

OPEN = {
    "NN": (4000, ""),
    "NNS": (2000, "s"),
    "NNP": (3000, ""),
    "JJ": (1500, ""),
    "VBD": (600, "ed"),
    "VBZ": (300, "s"),
    "VBN": (500, "ed"),
    "VBG": (400, "ing"),
    "VB": (500, ""),
    "RB": (300, "ly"),
    "CD": (600, ""),
}
"""Open classes: how many words, and how they end."""

Piece = Any
"""A symbol, or a list ``[label, piece, ...]`` that fixes a piece of the tree."""


def _grammar() -> dict[str, list[tuple[float, list[Piece]]]]:
    rules: dict[str, list[tuple[float, list[Piece]]]] = {}
    for line in RULES.strip().splitlines():
        left, _, rights = line.partition(": ")
        for right in rights.split("; "):
            weight, *symbols = right.replace("(", " ( ").replace(")", " ) ").split()
            stack: list[list[Piece]] = [[]]
            for symbol in symbols:
                if symbol == "(":
                    stack.append([])
                elif symbol == ")":
                    done = stack.pop()
                    stack[-1].append(done)
                else:
                    stack[-1].append(symbol)
            rules.setdefault(left, []).append((float(weight), stack[0]))
    return rules


def _sizes(rules: dict[str, list[tuple[float, list[Piece]]]]) -> Callable[[Piece], int]:
    """The fewest words that a piece can have."""
    fewest = dict.fromkeys(rules, 10**6)

    def size(piece: Piece) -> int:
        if isinstance(piece, list):
            return sum(size(child) for child in piece[1:])
        return fewest.get(piece, 1)

    changed = True
    while changed:
        changed = False
        for left, rights in rules.items():
            best = min(sum(map(size, right)) for _, right in rights)
            if best < fewest[left]:
                fewest[left], changed = best, True
    return size


def _lexicon(rng: random.Random) -> dict[str, tuple[list[str], list[float]]]:
    """For each tag its words and their cumulated weights: 1 / rank for open classes."""
    onsets = ["", "", *"bbcdfghjklmnnpprrsssttvw", "ch", "gr", "pr", "sh", "st", "tr"]
    vowels = [*"aaaeeeeiiiooouu", "ea"]
    codas = ["", "", "", "", "n", "n", "r", "r", "l", "s", "t", "m", "nd", "ck"]
    lexicon: dict[str, tuple[list[str], list[float]]] = {}
    for tag, words in CLOSED.items():
        listed = words.split()
        lexicon[tag] = (listed, [float(place + 1) for place in range(len(listed))])
    for tag, (number, ending) in OPEN.items():
        seen: dict[str, None] = {}
        while len(seen) < number:
            if tag == "CD":
                word = rng.choice(
                    [f"{rng.randrange(1, 1000)}", f"{rng.random() * 99:.1f}", f"{rng.randrange(1900, 2000)}"]
                )
            else:
                word = "".join(
                    rng.choice(onsets) + rng.choice(vowels) + rng.choice(codas)
                    for _ in range(rng.choice((1, 1, 1, 2, 2, 2)))
                )
                word = word.capitalize() if tag == "NNP" else word + ending
            seen[word] = None
        closed, weights = lexicon.get(tag, ([], []))
        scale = 4.0 / (weights[-1] if weights else 1.0)
        cumulated = [weight * scale for weight in weights]
        total = cumulated[-1] if cumulated else 0.0
        for rank in range(number):
            total += 1.0 / (rank + 3)
            cumulated.append(total)
        lexicon[tag] = (closed + list(seen), cumulated)
    return lexicon


class _Generator:
    """Expands the grammar to trees of a wanted number of words."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.rules = _grammar()
        self.size = _sizes(self.rules)
        self.lexicon = _lexicon(random.Random(f"lexicon {rng.random()}"))
        # What fits n words changes only below the largest least size.
        self.largest = max(self.size(symbol) for symbol in self.rules) + 12
        self.fits: dict[tuple[str, int], tuple[list[list[Piece]], list[float]]] = {}

    def fitting(self, symbol: str, n: int) -> tuple[list[list[Piece]], list[float]]:
        key = (symbol, min(n, self.largest))
        if key not in self.fits:
            rights, weights = [], []
            for weight, right in self.rules[symbol]:
                least = sum(map(self.size, right))
                grows = any(isinstance(piece, str) and piece in self.rules for piece in right)
                if least == n or (least < n and grows):
                    rights.append(right)
                    weights.append(weight)
            self.fits[key] = (rights, list(itertools.accumulate(weights)))
        return self.fits[key]

    def shares(self, right: list[Piece], n: int) -> list[int]:
        """Split n words into pieces at random."""
        sizes = [self.size(piece) for piece in right]
        left = n - sum(sizes)
        if left:
            growing = [i for i, piece in enumerate(right) if isinstance(piece, str) and piece in self.rules]
            wanted = [SHARES.get(right[i].partition("|")[0], 1.0) * self.rng.random() for i in growing]
            total, given = sum(wanted) or 1.0, 0
            for i, share in zip(growing[:-1], wanted):
                extra = min(left - given, int(left * share / total))
                sizes[i] += extra
                given += extra
            sizes[growing[-1]] += left - given
        return sizes

    def tree(self, symbol: str, n: int) -> str:
        out: list[str] = []
        stack: list[tuple[Piece, int]] = [(symbol, n)]
        rng, rules, lexicon = self.rng, self.rules, self.lexicon
        while stack:
            piece, n = stack.pop()
            if piece is None:
                out.append(")")
            elif isinstance(piece, list):
                out.append(f" ({piece[0]}")
                stack.append((None, 0))
                stack.extend((child, self.size(child)) for child in reversed(piece[1:]))
            elif piece in rules:
                rights, weights = self.fitting(piece, n)
                right = rng.choices(rights, cum_weights=weights)[0]
                out.append(f" ({piece.partition('|')[0]}")
                stack.append((None, 0))
                stack.extend(zip(reversed(right), reversed(self.shares(right, n))))
            else:
                words, weights = lexicon[piece]
                word = rng.choices(words, cum_weights=weights)[0]
                out.append(f" ({WRITTEN_TAGS.get(piece, piece)} {word})")
        return "".join(out)[1:]


def make_treebank(sentences: int, seed: int) -> Iterator[str]:
    """Trees in bracket text, one a line without its newline; the same for the same seed.

    Args:
        sentences: How many.
        seed: Of the random numbers; the lexicon changes with it too.
    """
    rng = random.Random(seed)
    generator = _Generator(rng)
    for _ in range(sentences):
        n = max(2, round(rng.gammavariate(4.5, 23.5 / 4.5)))
        yield generator.tree("TOP|long" if n > 5 else "TOP|short", n)


def make_trees(words: int, number: int, seed: int) -> list[str]:
    """Trees of about so many words each, in bracket text."""
    generator = _Generator(random.Random(seed))
    return [generator.tree("TOP|long", words) for _ in range(number)]


# -- parser-like errors -------------------------------------------------------------

CONFUSED_TAGS = {
    "NN": ["NNP", "JJ", "VB"],
    "NNS": ["NNPS", "VBZ", "NN"],
    "NNP": ["NN", "NNPS", "JJ"],
    "JJ": ["NN", "VBN", "RB"],
    "VBD": ["VBN"],
    "VBN": ["VBD", "JJ"],
    "VB": ["VBP", "NN"],
    "VBZ": ["NNS"],
    "VBG": ["NN", "JJ"],
    "RB": ["IN", "JJ"],
    "IN": ["RB", "WDT"],
    "DT": ["IN"],
}
CONFUSED_LABELS = {
    "NP": ["ADJP", "NX"],
    "ADVP": ["PP", "NP"],
    "ADJP": ["NP", "VP"],
    "PP": ["SBAR", "ADVP"],
    "S": ["SBAR", "FRAG"],
    "SBAR": ["S", "PP"],
    "VP": ["S", "ADJP"],
    "FRAG": ["NP", "X"],
    "PRN": ["S", "NP"],
}


def perturb_parse(line: str, rng: random.Random, rate: float = 0.15) -> str:
    """The tree in ``line`` with errors such as a parser makes; the words stay the same.

    Args:
        line: One tree in bracket text.
        rng: Source of the random numbers.
        rate: Errors for each constituent: attached too high or too low, left out,
            made up, of another label.  Tags are wrong at a third of that rate.
            0.15 gives an F1 near 0.93.
    """
    root: list[Any] = []
    stack = [root]
    for token in line.replace("(", " ( ").replace(")", " ) ").split():
        if token == "(":
            node: list[Any] = []
            stack[-1].append(node)
            stack.append(node)
        elif token == ")":
            stack.pop()
        else:
            stack[-1].append(token)
    nodes = [child for child in root if isinstance(child, list)]
    for node in nodes:
        nodes.extend(child for child in node if isinstance(child, list))
    dissolved: set[int] = set()
    for node in nodes:
        if id(node) in dissolved:
            continue
        if len(node) == 2 and isinstance(node[1], str):
            if node[0] in CONFUSED_TAGS and rng.random() < rate / 3:
                node[0] = rng.choice(CONFUSED_TAGS[node[0]])
            continue
        places = [i for i, child in enumerate(node) if isinstance(child, list)]
        if not places or rng.random() >= rate:
            continue
        phrases = [i for i in places if isinstance(node[i][-1], list)]
        last = node[places[-1]]
        kind = rng.random()
        if kind < 0.2 and node[0] in CONFUSED_LABELS:
            node[0] = rng.choice(CONFUSED_LABELS[node[0]])
        elif kind < 0.4 and phrases:
            place = rng.choice(phrases)
            dissolved.add(id(node[place]))
            node[place : place + 1] = node[place][1:]
        elif kind < 0.6 and len(places) > 2:
            first = rng.choice(places[:-1])
            node[first : first + 2] = [[rng.choice(["NP", "VP", "PP", "ADJP"]), *node[first : first + 2]]]
        elif kind < 0.8 and len(last) > 2 and isinstance(last[-1], list):
            node.append(last.pop())
        elif len(places) > 1 and isinstance(node[places[-2]][-1], list) and isinstance(last[-1], list):
            node[places[-2]].append(node.pop(places[-1]))
    out: list[str] = []
    work: list[Any] = list(reversed(root))
    while work:
        item = work.pop()
        if isinstance(item, list):
            out.append(" (")
            work.append(None)
            work.extend(reversed(item))
        elif item is None:
            out.append(")")
        else:
            out.append(item if out and out[-1] == " (" else f" {item}")
    return "".join(out)[1:]


def write_lines(path: Path, lines: Iterable[str]) -> None:
    """Writes the lines, each with its newline."""
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(f"{line}\n" for line in lines)
