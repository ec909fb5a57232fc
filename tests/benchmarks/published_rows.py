"""Rows of published alignments that are reproduced: beads, and units of words.

    python -m tests.benchmarks.published_rows [--section23 GOLD SYSTEM [ANSWERS]]
        [--bugs GOLD SYSTEM [ANSWERS]] [--korean GOLD SYSTEM ANSWERS] [--gold TREES]

The published data cannot be shipped.  Each table is measured where its files are given, and said to have no
data where they are not; made trees, or those of ``--gold``, are measured in any case, against a copy with
errors such as a parser makes.

GOLD and SYSTEM are treebanks, or have the words of one sentence a line with blanks between them.  ANSWERS has
a row a line: what stands for each other, gold, a TAB, system.  For ``--section23`` and ``--bugs`` these are
numbers of sentences from 1 on, as ``12`` or ``12-13``, nothing for none; without the file sentence ``k``
goes with sentence ``k``.  For ``--korean`` they are tokens with blanks between them, and a row is found if a
unit has these tokens on both sides that is of no earlier row.  Lines that begin with ``#`` are comments.

Section 23 of the Penn Treebank has 2,416 beads, of which all are to be found; evalb's examples of sentences
with other words have 5; the Korean table of Jo et al. (2024) has 118 units, of which at least 107.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from jpevalb import Tree, align, read
from tests.benchmarks.treebank import make_treebank, perturb_parse

Corpus = Sequence[Sequence[str]]

AIMS = {"section 23": "all", "bugs": "all", "Korean": "107"}


class Row(NamedTuple):
    """A published row: its position, the gold side and the system side."""

    line: int
    gold: str
    system: str


def corpus_of(path: str) -> Corpus:
    """The words of each sentence of a file of trees, or of lines of words."""
    text = Path(path).read_text(encoding="utf-8")
    if text.lstrip().startswith("("):
        return [tree.words for tree in read(path)]
    return [line.split() for line in text.splitlines()]


def rows_of(path: str) -> list[Row]:
    """The rows of a file of answers."""
    rows = []
    for number, line in enumerate(Path(path).read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        fields = line.split("\t")
        if len(fields) != 2:
            raise SystemExit(f"{path}:{number}: got {len(fields) - 1} TABs; expected gold, one TAB, system")
        rows.append(Row(number, *(" ".join(field.split()) for field in fields)))
    return rows


def side_by_side(gold: Corpus, system: Corpus) -> list[Row]:
    """A row for each sentence that has one of its number on the other side."""
    return [Row(k, str(k), str(k)) for k in range(1, min(len(gold), len(system)) + 1)]


def _numbers(span: tuple[int, int]) -> str:
    first, last = span[0] + 1, span[1]
    return "" if last < first else str(first) if first == last else f"{first}-{last}"


def beads(gold: Corpus, system: Corpus, lang: str) -> Iterator[tuple[str, str]]:
    """The beads, as answers have them."""
    for bead in align(gold, system, lang=lang):
        yield _numbers(bead.gold), _numbers(bead.system)


def units(gold: Corpus, system: Corpus, lang: str) -> Iterator[tuple[str, str]]:
    """The units, as answers have them."""
    for bead in align(gold, system, lang=lang):
        mine = [word for words in gold[slice(*bead.gold)] for word in words]
        other = [word for words in system[slice(*bead.system)] for word in words]
        for a, b, c, d in bead.units:
            yield " ".join(mine[a:b]), " ".join(other[c:d])


def missed(rows: Sequence[Row], found: Iterable[tuple[str, str]]) -> list[Row]:
    """The rows that nothing of what was found answers; each answers one row."""
    left = Counter(found)
    lost = []
    for row in rows:
        if left[row.gold, row.system]:
            left[row.gold, row.system] -= 1
        else:
            lost.append(row)
    return lost


def report(name: str, rows: Sequence[Row], lost: Sequence[Row]) -> str:
    """A line for the table and one for each row that was not found."""
    aim = f" (aim: {AIMS[name]})" if name in AIMS else ""
    text = [f"{name:12} {len(rows) - len(lost):6,d} of {len(rows):,d}{aim}"]
    text += [
        f"    row in line {row.line}: {row.gold or 'nothing'} ~ {row.system or 'nothing'}" for row in lost
    ]
    return "\n".join(text)


def made(path: str | None) -> tuple[Corpus, Corpus]:
    """A treebank and a copy of it with errors, whose words stay."""
    lines = make_treebank(2416, 23) if path is None else [tree.to_bracket() for tree in read(path)]
    rng = random.Random(23)
    pairs = [(Tree.parse(line).words, Tree.parse(perturb_parse(line, rng)).words) for line in lines]
    return [gold for gold, _ in pairs], [system for _, system in pairs]


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    files = ("GOLD", "SYSTEM", "ANSWERS")
    parser.add_argument("--section23", nargs="+", metavar="FILE", help=" ".join(files))
    parser.add_argument("--bugs", nargs="+", metavar="FILE", help=" ".join(files))
    parser.add_argument("--korean", nargs=3, metavar=files)
    parser.add_argument("--gold", metavar="TREES", help="a treebank instead of made trees")
    options = parser.parse_args(argv)
    gold, system = made(options.gold)
    rows = side_by_side(gold, system)
    print(
        report(
            "made trees" if options.gold is None else "--gold", rows, missed(rows, beads(gold, system, "en"))
        )
    )
    tables = (
        ("section 23", "--section23", options.section23, beads, "en"),
        ("bugs", "--bugs", options.bugs, beads, "en"),
        ("Korean", "--korean", options.korean, units, "ko"),
    )
    for name, option, given, look, lang in tables:
        if given is None:
            print(f"{name:12}     no data; give {option} {' '.join(files)}")
            continue
        if len(given) not in (2, 3):
            parser.error(
                f"{option}: got {len(given)} files; expected GOLD SYSTEM and, where they are known, ANSWERS"
            )
        gold, system = corpus_of(given[0]), corpus_of(given[1])
        rows = rows_of(given[2]) if len(given) == 3 else side_by_side(gold, system)
        print(report(name, rows, missed(rows, look(gold, system, lang))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
