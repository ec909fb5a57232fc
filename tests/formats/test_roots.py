"""Every keyword of a .prm has the same effect on the same trees in every format."""

from __future__ import annotations

import io
import random

import pytest

from jpevalb import Params, Tree, evaluate, read, write
from tests.support.treebanks import tiger_xml

pytestmark = pytest.mark.slow

KEYWORDS = {
    "none": {},
    "DELETE_ROOT_PRETERMS": {"delete_root_preterms": True},
    "DELETE_LABEL": {"delete_labels": (",", "X", "ROOT")},
    "DELETE_LABEL_FOR_LENGTH": {"delete_labels_for_length": (",",)},
    "DELETE_WORD": {"delete_words": ("a",)},
    "DISC_ONLY": {"disc_only": True},
    "EQ_LABEL": {"eq_labels": (("NP", "X"), ("V", "N"))},
    "EQ_WORD": {"eq_words": (("a", "b"),)},
    "LABELED": {"labeled": False},
    "CUTOFF_LEN": {"cutoff": 3},
    "all": {"delete_root_preterms": True, "delete_labels": (",",), "eq_labels": (("NP", "X"),)},
}


def random_tree(rng: random.Random, words: list[str]) -> Tree:
    """A tree under ROOT, from which several nodes and words may hang."""
    labels = ["ROOT"]
    parents = [-1]
    word_parents = []
    tops = []
    for _ in words:
        word_parents.append(len(labels))
        tops.append(len(labels))
        labels.append(rng.choice(["N", "V", ","]))
        parents.append(0)
    for _ in range(rng.randrange(5)):
        size = min(len(tops), rng.randint(1, 3))
        below = rng.sample(tops, size)
        tops = [node for node in tops if node not in below] + [len(labels)]
        for node in below:
            parents[node] = len(labels)
        labels.append(rng.choice(["S", "NP", "X"]))
        parents.append(0)
    return Tree.build(labels, parents, words, word_parents)


def without_root(text: str) -> str:
    """A file in export whose nodes hang from 0 instead of from ROOT."""
    lines, roots = [], {}
    sentence: list[list[str]] = []
    for line in text.splitlines():
        fields = line.split("\t")
        if line.startswith("#BOS"):
            sentence, roots = [], {}
        if len(fields) < 5:
            if line.startswith("#EOS"):
                roots = {row[0][1:] for row in sentence if row[0][0] == "#" and row[2] == "ROOT"}
                for row in sentence:
                    row[5] = "0" if row[5] in roots else row[5]
                lines += ["\t".join(row) for row in sentence if row[0][1:] not in roots or row[0][0] != "#"]
            lines.append(line)
        else:
            sentence.append(fields)
    return "\n".join(lines) + "\n"


def corpora(seed: int, *, gaps: bool = True) -> tuple[list[Tree], list[Tree]]:
    rng = random.Random(seed)
    sides: tuple[list[Tree], list[Tree]] = [], []
    while len(sides[0]) < 12:
        words = [rng.choice("abcd") for _ in range(rng.randint(1, 6))]
        pair = random_tree(rng, words), random_tree(rng, words)
        if gaps or all(tree.is_continuous for tree in pair):
            for side, tree in zip(sides, pair):
                side.append(tree)
    return sides


def written(trees: list[Tree], format: str) -> io.StringIO:
    if format.startswith("tigerxml"):
        bare = format.endswith("0")
        return io.StringIO(tiger_xml(read(io.StringIO(export(trees, bare=bare)))))
    if format.startswith("export"):
        return io.StringIO(export(trees, bare=format.endswith("0")))
    file = io.StringIO()
    write(trees, file, format)
    file.seek(0)
    return file


def export(trees: list[Tree], *, bare: bool) -> str:
    file = io.StringIO()
    write(trees, file, "export")
    return without_root(file.getvalue()) if bare else file.getvalue()


@pytest.mark.parametrize("keyword", KEYWORDS)
def test_all_figures_are_equal_across_formats(keyword):
    prm = Params(**KEYWORDS[keyword])
    for seed in range(3):
        for gaps in (True, False):
            gold, system = corpora(seed, gaps=gaps)
            formats = ["discbracket", "export", "export0", "tigerxml", "tigerxml0"]
            formats += [] if gaps else ["bracket"]
            figures = {}
            for format in formats:
                sides = [written(trees, format) for trees in (gold, system)]
                found = evaluate(*sides, prm=prm, convention="discontinuous")
                figures[format] = found.figures, found.cutoff.to_dict()
            trees = evaluate(gold, system, prm=prm, convention="discontinuous")
            expected = trees.figures, trees.cutoff.to_dict()
            assert figures == dict.fromkeys(formats, expected), (keyword, seed, gaps)


def test_words_of_a_single_top_node_do_not_hang_from_the_root():
    rows = ["it\tPRP\t--\t--\t500", "rains\tVBZ\t--\t--\t500", "#500\tS\t--\t--\t0"]
    text = "#BOS 1\n" + "\n".join(rows) + "\n#EOS 1\n"
    (tree,) = read(io.StringIO(text))
    assert tree.below_root
    prm = Params(delete_root_preterms=True)
    assert evaluate(io.StringIO(text), io.StringIO(text), prm=prm).total.tags.gold == 2
    # With a full stop that hangs from 0 the root is a node, and the full stop alone goes.
    text = text.replace("#500", ".\t.\t--\t--\t0\n#500")
    (tree,) = read(io.StringIO(text))
    assert not tree.below_root
    assert evaluate(io.StringIO(text), io.StringIO(text), prm=prm).total.tags.gold == 2
    # A word that hangs from 0 alone.
    text = "#BOS 1\nyes\tUH\t--\t--\t0\n#EOS 1\n"
    assert evaluate(io.StringIO(text), io.StringIO(text), prm=prm).total.tags.gold == 0
    assert evaluate(["(ROOT (UH yes))"], ["(ROOT (UH yes))"], prm=prm).total.tags.gold == 0
