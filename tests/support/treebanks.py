"""Generated treebanks: cached ones, and pairs of random ones."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from functools import cache
from itertools import islice

from jpevalb import Tree
from tests.benchmarks import treebank
from tests.benchmarks.alignment_noise import words_of

WORDS = ["the", "cat", "dog", "slept", "ca", "n't", "house", "Straße", "über", "old", "ferry", "crossed"]

_made: dict[int, tuple[list[str], Iterator[str]]] = {}


def make_treebank(sentences: int, seed: int) -> Iterator[str]:
    """As ``tests.benchmarks.treebank`` has it; what a seed gives begins the same, whatever the number."""
    lines, more = _made.setdefault(seed, ([], treebank.make_treebank(1 << 40, seed)))
    lines.extend(islice(more, max(0, sentences - len(lines))))
    return iter(lines[:sentences])


@cache
def treebank_words(sentences: int, seed: int = 1) -> list[list[str]]:
    """Return the words of a made treebank."""
    return [words_of(line) for line in make_treebank(sentences, seed)]


def random_bracket(rng, words):
    """Bracket text over some words."""
    half = rng.randrange(len(words) + 1)
    leaves = [f"({rng.choice('NVD')} {word})" for word in words]
    parts = [
        f"({label} {' '.join(part)})"
        for label, part in (("NP", leaves[:half]), ("VP", leaves[half:]))
        if part
    ]
    return f"({rng.choice(['S', 'S', 'TOP'])} {' '.join(parts)})" if parts else "(())"


def noisy_treebanks(seed, number, noise):
    """Two sides: each sentence's words, with a share of them merged, split, misspelt, dropped or blank."""
    rng = random.Random(seed)
    gold = [
        [rng.choice(WORDS) + str(rng.randrange(30)) for _ in range(rng.randrange(1, 12))]
        for _ in range(number)
    ]
    system = []
    for words in gold:
        chance = rng.random()
        if chance < noise / 5:
            continue
        if chance < 2 * noise / 5 and system:
            system[-1] = system[-1] + words
        elif chance < 3 * noise / 5 and len(words) > 1:
            half = rng.randrange(1, len(words))
            system += [words[:half], words[half:]]
        elif chance < 4 * noise / 5:
            place = rng.randrange(len(words))
            system.append([*words[:place], words[place][::-1], *words[place + 1 :]])
        elif chance < noise:
            system.append([])
        else:
            system.append(words)
    rng = random.Random(seed + 1)
    return [[random_bracket(rng, words) for words in side] for side in (gold, system)]


def gapped_tree(rng, id, words):
    """A tree over some words, with gaps more often than not."""
    n = len(words)
    labels, parents, word_parents = ["S", "NP", "VP"], [-1, 0, 0], []
    for _ in words:
        word_parents.append(len(labels))
        labels.append(rng.choice(["N", "V", "D"]))
        parents.append(rng.randrange(3))
    assert n
    return Tree.build(labels, parents, words, word_parents, id)


def gapped_treebanks(seed, number):
    """Two sides of random trees over the same words, with gaps."""
    rng = random.Random(seed)
    words = [[f"w{rng.randrange(50)}" for _ in range(rng.randrange(2, 9))] for _ in range(number)]
    return [[gapped_tree(rng, f"s{place + 1}", some) for place, some in enumerate(words)] for _ in range(2)]


def tiger_xml(trees, first: int = 1) -> str:
    """Trees in TIGER XML, with ids from the first on; a root without label is no node there."""
    sentences = []
    for number, tree in enumerate(trees, first):
        preterminal = tree.preterminals
        nodes = [node for node in tree if not preterminal[node] and (node or tree.labels[0])]
        edges: dict[int, list[str]] = {node: [] for node in tree}
        terminals = []
        for index, (word, node) in enumerate(zip(tree.words, tree.word_parents)):
            tag = tree.labels[node] if preterminal[node] else "--"
            terminals.append(f'<t id="w{index}" word="{word}" pos="{tag}"/>')
            above = tree.parents[node] if preterminal[node] else node
            if above >= 0:
                edges[above].append(f"w{index}")
        for node in nodes:
            if tree.parents[node] >= 0:
                edges[tree.parents[node]].append(f"n{node}")
        graph = "".join(terminals)
        for node in nodes:
            inner = "".join([f'<edge idref="{child}"/>' for child in edges[node]])
            graph += f'<nt id="n{node}" cat="{tree.labels[node] or "--"}">{inner}</nt>'
        sentences.append(f'<s id="s{number}"><graph>{graph}</graph></s>\n')
    return "<corpus><body>\n" + "".join(sentences) + "</body></corpus>\n"


def alpino_xml(trees, first: int = 1) -> str:
    """Trees in Alpino XML, one document after another."""
    texts = []
    for number, tree in enumerate(trees, first):
        pieces = []
        preterminal = tree.preterminals
        stack: list[int | None] = [0] if tree.labels else []
        children = tree.children()
        while stack:
            item = stack.pop()
            if item is None:
                pieces.append("</node>")
            elif item < 0:
                pieces.append(f'<node begin="{-1 - item}" pos="" word="{tree.words[-1 - item]}"/>')
            elif preterminal[item]:
                word = -1 - children[item][0]
                pieces.append(f'<node begin="{word}" pt="{tree.labels[item]}" word="{tree.words[word]}"/>')
            else:
                pieces.append(f'<node cat="{tree.labels[item]}">\n')
                stack.append(None)
                stack.extend(reversed(children[item]))
        sentence = f'<sentence sentid="s{number}">{" ".join(tree.words)}</sentence>'
        texts.append(f"<?xml version='1.0'?>\n<alpino_ds>{''.join(pieces)}{sentence}</alpino_ds>\n")
    return "".join(texts)


def conll2012(trees) -> str:
    """Trees in columns, as in OntoNotes."""
    sentences = []
    for tree in trees:
        rows = []
        for number, piece in enumerate(re.findall(r"(.*?)\(([^\s()]*) ([^\s()]*)\)([^(]*)", str(tree))):
            before, tag, word, after = piece
            bit = before.replace(" ", "") + "*" + after.replace(" ", "")
            rows.append(f"doc/a 0 {number} {word} {tag} {bit} - - * -\n")
        sentences.append("".join(rows))
    return "\n".join(sentences)
