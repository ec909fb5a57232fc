"""Scores real tokenisers and sentence splitters, and compares the figures with those of character offsets.

    python -m tests.tools [--environment FOLDER] [--tools NAME...]

makes a virtual environment, installs the tools there, and tokenises the texts of :mod:`tests.tools.texts`.
The trees of a tool have its tokens and sentences, and the constituents of gold over the same characters,
some of which are dropped or relabelled as a parser's errors.  The status is 1 if a figure differs.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
import venv
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import chain, pairwise
from pathlib import Path

import jpevalb
from tests.tools.texts import BLANKS, Sentence, sentences
from tests.tools.tokenise import TOOLS

PACKAGES = {
    "spacy": "spacy",
    "syntok": "syntok",
    "nltk": "nltk",
    "pysbd": "pysbd",
    "sacremoses": "sacremoses",
    "blingfire": "blingfire",
    "kiwipiepy": "kiwipiepy",
    "mecab": "python-mecab-ko",
    "jieba": "jieba",
    "fugashi": "fugashi unidic-lite",
}
"""Packages of each part of a tool's name."""

FIGURES = ("precision", "recall", "f1", "token_f1", "sentence_end_f1")
EXACT = 0.00005
"""Largest difference, as tables have two decimals in per cent."""

Span = tuple[int, int]
Token = tuple[str, int, int]
Bracket = tuple[str, int, int]


def python_of(folder: Path) -> Path:
    """Return the Python of the tools' environment, which is made if it is not there."""
    python = folder / "bin" / "python"
    if not python.exists():
        venv.create(folder, with_pip=True)
    return python


def installed(folder: Path, names: Iterable[str]) -> dict[str, str]:
    """Install the packages of the tools, and return for those that cannot be installed the reason."""
    pip = [python_of(folder), "-m", "pip", "install", "-q", "--disable-pip-version-check"]
    missing = {}
    for part in dict.fromkeys(part for name in names for part in name.rpartition("-")[0].split("+")):
        done = subprocess.run([*pip, *PACKAGES[part].split()], capture_output=True, text=True)
        if done.returncode:
            missing[part] = done.stderr.strip().splitlines()[-1]
    return missing


def tokenised(folder: Path, tool: str, text: str) -> list[list[Token]]:
    """Return the tokens of each sentence that a tool finds in a text."""
    script = Path(__file__).with_name("tokenise.py")
    command = [folder / "bin" / "python", script, tool]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=True, encoding="utf-8")
    return [[tuple(token) for token in sentence] for sentence in json.loads(done.stdout)]


def projected(
    tokens: Sequence[Token], gold: Iterable[Sentence], rng: random.Random
) -> tuple[str, list[Bracket]]:
    """Return the tree of a tool's sentence, and its constituents as labels and ranges of characters.

    A constituent has the tokens that begin in it.
    """
    starts = [start for _, start, _ in tokens]
    found: list[Bracket] = []
    pieces: list[list[str]] = [[] for _ in tokens]
    for label, first, last in (one for sentence in gold for one in sentence.constituents):
        begin, end = bisect_left(starts, first), bisect_left(starts, last)
        error = rng.random()
        if begin < end and error > 0.1:
            name = label if error > 0.2 else "X"
            found.append((name, tokens[begin][1], max(end for _, _, end in tokens[begin:end])))
            pieces[begin].append(f"({name}")
            pieces[end - 1].append(")")
    written = []
    for (word, _, _), brackets in zip(tokens, pieces):
        text = {"(": "-LRB-", ")": "-RRB-"}.get(word, word)
        opened = [piece for piece in brackets if piece != ")"]
        written += [*opened, f"(T {text})", ")" * (len(brackets) - len(opened))]
    return f"(TOP {' '.join(written)})", found


def expected(
    text: str,
    gold: tuple[Sequence[Sequence[Span]], Sequence[Bracket]],
    system: tuple[Sequence[Sequence[Span]], Sequence[Bracket]],
) -> dict[str, float]:
    """Return the figures that follow from the places of tokens and constituents in the text.

    A unit is the text between two places where both sides are cut.
    """
    place = [0]
    for character in text:
        place.append(place[-1] + (not character.isspace()))
    cuts, ends, tokens = [], [], []
    for side, _ in (gold, system):
        spans = [(place[start], place[end]) for sentence in side for start, end in sentence]
        tokens.append(Counter(spans))
        # No cut is inside a token; a tool may let tokens overlap.
        within = {cut for start, end in spans for cut in range(start + 1, end)}
        cuts.append({cut for span in spans for cut in span} - within)
        ends.append([place[max(end for _, end in sentence)] for sentence in side])
    common = sorted(cuts[0] & cuts[1])
    brackets = [
        Counter(
            (label.partition("-")[0], bisect_right(common, place[start]) - 1, bisect_left(common, place[end]))
            for label, start, end in side
        )
        for _, side in (gold, system)
    ]
    shared = set(ends[0]) & set(ends[1])
    whole = [{span for span in pairwise([0, *side]) if shared.issuperset({*span} - {0})} for side in ends]
    matched = (brackets[0] & brackets[1]).total()
    n, m = (side.total() for side in brackets)
    # Units that are one token on each side: no other token overlaps it.
    inside = [Counter(bisect_right(common, start) - 1 for start, _ in side.elements()) for side in tokens]
    one_to_one = sum(inside[0][unit] == inside[1][unit] == 1 for unit in range(len(common) - 1))
    return {
        "precision": matched / m,
        "recall": matched / n,
        "f1": 2 * matched / (n + m),
        "token_f1": 2 * one_to_one / sum(side.total() for side in tokens),
        "sentence_end_f1": 2 * len(whole[0] & whole[1]) / (len(ends[0]) + len(ends[1])),
    }


def compared(tool: str, lang: str, found: Sequence[Sequence[Token]]) -> tuple[list[float], float]:
    """Return the figures of the sentences that a tool found, and the largest difference from the offsets'.

    The same must hold if the tool's sentences are joined, 20 to a line.
    """
    gold = sentences(lang)
    text = BLANKS[lang].join(sentence.text for sentence in gold)
    brackets = [one for sentence in gold for one in sentence.constituents]
    figures, differences = [], []
    joined = [list(chain(*found[first : first + 20])) for first in range(0, len(found), 20)]
    for lines in (found, joined):
        rng = random.Random(tool)
        made = [projected(tokens, gold, rng) for tokens in lines]
        places = [[(start, end) for _, start, end in tokens] for tokens in lines]
        of_tool = places, [one for _, own in made for one in own]
        true = expected(text, ([sentence.words for sentence in gold], brackets), of_tool)
        result = jpevalb.evaluate(
            [sentence.tree for sentence in gold],
            [tree for tree, _ in made],
            lang=lang if lang in ("en", "ko") else "none",
            metrics="brackets,segmentation",
        )
        figures.append([result.figures[name] for name in FIGURES])
        differences += [abs(figure - true[name]) for name, figure in zip(FIGURES, figures[-1])]
    return figures[0], max(differences)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.tools")
    parser.add_argument("--environment", type=Path, help="folder of the environment; kept for the next run")
    parser.add_argument("--tools", nargs="*", choices=TOOLS, default=list(TOOLS))
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.environment or Path(temporary) / "tools"
        missing = installed(folder, options.tools)
        figures = ("P", "R", "F1", "token F1", "sentence F1", "difference")
        heads = ("language", "tool", "tokens", "sentences", *figures)
        print("| " + " | ".join(heads) + " |\n|" + " --- |" * len(heads))
        different = 0
        for tool in options.tools:
            reasons = [reason for part, reason in missing.items() if part in tool]
            if reasons:
                print(f"| {tool} is left out: {reasons[0]} |")
                continue
            name, _, lang = tool.rpartition("-")
            text = BLANKS[lang].join(sentence.text for sentence in sentences(lang))
            found = tokenised(folder, tool, text)
            scores, difference = compared(tool, lang, found)
            different += difference > EXACT
            cells = [lang, name.replace("+", ", "), str(sum(map(len, found))), str(len(found))]
            cells += [f"{100 * figure:.2f}" for figure in (*scores, difference)]
            print("| " + " | ".join(cells) + " |", flush=True)
    print(f"{different} of {len(options.tools)} tools have other figures than their offsets give")
    return int(different > 0)


if __name__ == "__main__":
    sys.exit(main())
