"""Texts of trees for fuzzing: mostly right, wrong in places, in every format."""

from __future__ import annotations

from .driver import Choices

LABELS = (
    "S",
    "NP",
    "VP-SBJ",
    "X=1",
    "",
    "TOP",
    "-NONE-",
    "`",
    "é",
    "절",
    "A|B",
    "S1",
    "#",
    "=cmd",
    "\x1b[31m",
    "--",
)
WORDS = (
    *("a", "b", "the", "can't", "n't", "wo", "#LRB#", "0=1", "=", "1", "=SUM(A1)", "\x1b]0;x\x07", "개가"),
    *("e\u0301", "\u202eabc", "\u00a0", "''", "``", "<b>", "&amp;", "\\end{document}", "|", "\u200d", "$,"),
)
TAGS = ("NN", "V", ",", "$,", ":", "-NONE-", "``", "POS", "", "#")
BLANKS = (" ", " ", " ", " ", "\t", "  ", "\v", "\f", "\r")
PIECES = (
    *("(", ")", " ", "(S ", "(NN a)", "))", "\n", "\r\n", "\n ", "(())", "( (S (NN a)) )\n", "0=a", "\t"),
    *("#BOS 1\n", "#EOS 1\n", "#500\tS\t--\t--\t0\n", "a\tNN\t--\t--\t500\n", "%% x\n", "#BOS 2\n"),
    *("#EOS 2\n",),
    *("<s id='1'>", "<graph>", "<t id='a' word='w' pos='N'/>", "<nt id='n' cat='S'>", "<edge idref='a'/>"),
    *("</nt>", "</graph>", "</s>", "<!DOCTYPE x [<!ENTITY e 'ee'>]>", "&e;", "<!--", "-->", "<x>", "</x>"),
    *("u 1 0.0 0.5 a\n", ";; c\n", "u 1 nan 1e999 a\n", "-1", "\ufeff", "\x00", "\x85", "\u2028"),
    *("a\tb\t# c\n",),
)


def tree(choices: Choices, words: list[str], *, indexed: bool = False) -> str:
    """Bracket text over the words; discbracket if ``indexed``."""
    depth = 0
    pieces: list[str] = []
    open_nodes = 0
    for place, word in enumerate(words):
        while choices.flag(3) and depth < 30:
            pieces.append(f"({choices.pick(LABELS)}{choices.pick(BLANKS)}")
            open_nodes += 1
            depth += 1
        if not open_nodes:
            pieces.append("(S ")
            open_nodes = depth = 1
        leaf = f"{place}={word}" if indexed else word
        pieces.append(leaf if choices.flag(12) else f"({choices.pick(TAGS)}{choices.pick(BLANKS)}{leaf})")
        while open_nodes > 1 and choices.flag(4):
            pieces.append(")")
            open_nodes -= 1
            depth -= 1
        pieces.append(" ")
    text = "".join(pieces) + ")" * open_nodes
    return text if words else choices.pick(("", "(())", "(S)", "()", "(S (NP))", "(TOP)"))


def words(choices: Choices, most: int = 8) -> list[str]:
    """Some words; few of them again and again."""
    return choices.several(WORDS, most)


def changed(choices: Choices, some: list[str]) -> list[str]:
    """The words as another tokenizer, or a careless copy, might have them."""
    found: list[str] = []
    for word in some:
        if choices.flag(8):
            continue
        if choices.flag(6) and found:
            found[-1] += word
        elif choices.flag(6) and len(word) > 1:
            found += [word[:1], word[1:]]
        else:
            found.append(choices.pick(WORDS) if choices.flag(10) else word)
    return found


def bracket_file(choices: Choices, sentences: list[list[str]], *, indexed: bool = False) -> str:
    """One sentence a line."""
    ends = choices.pick(("\n", "\n", "\n", "\r\n"))
    lines = [tree(choices, some, indexed=indexed) for some in sentences]
    return ends.join(lines) + (ends if choices.flag(2) else "")


def export_file(choices: Choices, sentences: list[list[str]]) -> str:
    """Export sentences with parents that are mostly nodes."""
    lines = []
    for number, some in enumerate(sentences):
        lines.append(f"#BOS {number if not choices.flag(20) else 0}")
        nodes = choices.number(4)
        for word in some:
            above = 500 + choices.number(nodes - 1) if nodes and not choices.flag(6) else 0
            lines.append("\t".join([word, choices.pick(TAGS) or "--", "--", "--", str(above)]))
        for node in range(nodes):
            above = 501 + node + choices.number(3) if not choices.flag(3) else 0
            if above >= 500 + nodes and not choices.flag(15):
                above = 0
            lines.append("\t".join([f"#{500 + node}", choices.pick(LABELS) or "--", "--", "--", str(above)]))
        lines.append(f"#EOS {number}")
    return "\n".join(lines) + "\n"


def xml_file(choices: Choices, sentences: list[list[str]]) -> str:
    """TIGER XML with edges that are mostly right."""
    pieces = ["<?xml version='1.0' encoding='UTF-8'?><corpus><body>"]
    for number, some in enumerate(sentences):
        pieces.append(f'<s id="s{number}"><graph root="n0"><terminals>')
        for place, word in enumerate(some):
            text = "".join(f"&#{ord(sign)};" for sign in word if sign >= " ")
            pieces.append(f'<t id="t{place}" word="{text}" pos="N"/>')
        pieces.append("</terminals><nonterminals>")
        nodes = 1 + choices.number(3)
        for node in range(nodes):
            pieces.append(f'<nt id="n{node}" cat="S">')
            for place in range(len(some)):
                if place % nodes == node and not choices.flag(10):
                    pieces.append(f'<edge label="X" idref="t{place}"/>')
            if node + 1 < nodes:
                pieces.append(f'<edge label="X" idref="n{node + 1 if not choices.flag(9) else 0}"/>')
            pieces.append("</nt>\n")
        pieces.append("</nonterminals></graph></s>\n")
    return "".join([*pieces, "</body></corpus>"])


def damaged(choices: Choices, data: bytes) -> bytes:
    """The data, with bytes taken out, put in or changed now and then."""
    if not choices.flag(3):
        return data
    found = bytearray(data)
    for _ in range(1 + choices.number(3)):
        place = choices.number(max(0, len(found) - 1) or 1)
        kind = choices.number(3)
        if kind == 0:
            del found[place : place + 1 + choices.number(8)]
        elif kind == 1:
            found[place:place] = choices.pick(PIECES).encode()
        elif kind == 2:
            found[place:place] = choices.raw(8)
        else:
            del found[place:]
    return bytes(found)


def soup(choices: Choices) -> bytes:
    """Pieces of all formats in any order, and raw bytes."""
    if choices.flag(4):
        return choices.raw(400)
    return "".join(choices.several(PIECES, 60)).encode()


def corpus(choices: Choices, sentences: list[list[str]], format: str) -> bytes:
    """A file in a format, damaged now and then."""
    if format == "soup":
        return soup(choices)
    if format == "export":
        text = export_file(choices, sentences)
    elif format == "tigerxml":
        text = xml_file(choices, sentences)
    else:
        text = bracket_file(choices, sentences, indexed=format == "discbracket")
    return damaged(choices, text.encode("utf-8", "surrogatepass"))
