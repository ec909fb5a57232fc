"""Times tree averaging on a corpus of made ensembles.

    python -m tests.benchmarks.averaging [--corpus 1049] [--systems 5 10 20]

An ensemble is made of one random tree, possibly discontinuous.  Some *heads* are
made from it by moving constituents elsewhere, and each system's tree from one of the
heads by moving a few more.  That is what makes averaging hard: two parties of
about half the systems each, each party agreed within itself.  Systems that differ without
parties have no majority for anything and are easy.  Times are of the search and of all that
``average()`` does for it, trees in and tree out, on one core.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Iterator

from jpevalb import Tree
from jpevalb.averaging import find_average
from jpevalb.kernels import implementation


class Sketch:
    """A tree that can be taken apart: parents and children of nodes; the first ``n`` nodes are the words."""

    def __init__(self, n_words: int) -> None:
        self.n_words = n_words
        self.parents: dict[int, int] = {}
        self.children: dict[int, list[int]] = {}
        self.next = n_words

    @classmethod
    def random(cls, n_words: int, rng: random.Random, gaps: float, arity: float) -> Sketch:
        """Join neighbouring parts until one is left, or with probability ``gaps`` distant parts."""
        made = cls(n_words)
        parts = list(range(n_words))
        while len(parts) > 1:
            at = rng.randrange(len(parts) - 1)
            count = 2
            while rng.random() < arity and count < 5:
                count += 1
            skip = rng.randint(1, 3) if rng.random() < gaps else 0
            chosen = sorted({at, *[min(len(parts) - 1, at + skip + more) for more in range(1, count)]})
            node = made.join([parts[place] for place in chosen])
            parts[at] = node
            for place in reversed(chosen[1:]):
                del parts[place]
        return made

    def join(self, parts: list[int]) -> int:
        node, self.next = self.next, self.next + 1
        self.children[node] = list(parts)
        for part in parts:
            self.parents[part] = node
        return node

    def copy(self) -> Sketch:
        made = Sketch(self.n_words)
        made.parents = dict(self.parents)
        made.children = {node: list(children) for node, children in self.children.items()}
        made.next = self.next
        return made

    def words(self, node: int) -> list[int]:
        found, stack = [], [node]
        while stack:
            node = stack.pop()
            if node < self.n_words:
                found.append(node)
            else:
                stack.extend(self.children[node])
        return found

    def moved(self, times: int, rng: random.Random, arity: float) -> Sketch:
        """A copy in which constituents were taken out and put back near by."""
        made = self.copy()
        for _ in range(times):
            made.move(rng, arity)
        return made

    def move(self, rng: random.Random, arity: float) -> None:
        node = rng.choice(list(self.parents))
        words = self.words(node)
        if len(words) > self.n_words / 2:
            return
        self.take_out(node)
        inside = set(words)
        place = rng.choice(words)
        while place in inside:
            place += rng.choice([-1, 1]) * (1 + int(rng.expovariate(0.7)))
            place = max(0, min(self.n_words - 1, place)) if len(inside) < self.n_words else place
            if place in inside and rng.random() < 0.3:
                place = rng.randrange(self.n_words)
        target = place
        while target in self.parents and rng.random() < 0.5:
            target = self.parents[target]
        above = self.parents.get(target)
        if above is not None and rng.random() < arity:
            self.children[above].append(node)
            self.parents[node] = above
            return
        new = self.join([target, node])
        if above is not None:
            children = self.children[above]
            children[children.index(target)] = new
            self.parents[new] = above
        else:
            self.parents.pop(new, None)

    def take_out(self, node: int) -> None:
        above = self.parents.pop(node)
        children = self.children[above]
        children.remove(node)
        if len(children) == 1:
            child = children[0]
            del self.children[above]
            top = self.parents.pop(above, None)
            if top is None:
                del self.parents[child]
            else:
                self.parents[child] = top
                sisters = self.children[top]
                sisters[sisters.index(above)] = child

    def tree(self) -> Tree:
        nodes = list(self.children)
        number = {node: place for place, node in enumerate(nodes)}
        n = len(nodes)
        labels = ["NP"] * n + ["N"] * self.n_words
        parents = [number[self.parents[node]] if node in self.parents else -1 for node in nodes]
        parents += [
            number[self.parents[word]] if word in self.parents else -1 for word in range(self.n_words)
        ]
        words = [f"w{place}" for place in range(self.n_words)]
        return Tree.build(labels, parents, words, list(range(n, n + self.n_words)))


def ensemble(
    n_words: int,
    n_systems: int,
    rng: random.Random,
    *,
    heads: int = 2,
    gaps: float = 0.2,
    arity: float = 0.0,
    apart: float = 0.3,
    noise: float = 0.1,
) -> list[Tree]:
    """Trees of several systems over one sentence.

    Args:
        n_words: Length of the sentence.
        n_systems: How many trees.
        rng: The chance.
        heads: How many parties.
        gaps: The chance that a constituent of the first tree has a gap.
        arity: The chance of a further child; 0 makes binary trees.
        apart: Moves per word from the first tree to each head.
        noise: Moves per word from a head to a system.
    """
    base = Sketch.random(n_words, rng, gaps, arity)
    middles = [base.moved(round(apart * n_words), rng, arity / 2) for _ in range(heads)]
    return [
        middles[k % heads].moved(round(noise * n_words + rng.random()), rng, arity / 2).tree()
        for k in range(n_systems)
    ]


def corpus(
    n_sentences: int, n_systems: int, *, seed: int = 1, arity: float = 0.0, gaps: float = 0.2
) -> Iterator[list[Tree]]:
    """Ensembles of the lengths of newspaper text (mean about 20 words, up to 60), some easy and some hard."""
    rng = random.Random(f"{seed} {n_sentences}")
    for number in range(n_sentences):
        length = max(2, min(60, round(rng.gammavariate(3.2, 6.3))))
        heads, apart = rng.choice([2, 2, 3, 5]), rng.uniform(0, 1)
        noise = rng.uniform(0, 0.3)
        yield ensemble(
            length,
            n_systems,
            random.Random(f"{seed} {number}"),
            heads=heads,
            apart=apart,
            noise=noise,
            arity=arity,
            gaps=gaps,
        )


def timed(trees: list[Tree]) -> tuple[float, bool]:
    """Seconds of CPU for one average, and whether it was finished."""
    begin = time.process_time()
    found = find_average(trees, limit=60.0)
    return time.process_time() - begin, found.exact


def whole(n_sentences: int, systems: list[int]) -> None:
    """Total and worst times of a corpus."""
    print(f"{'systems':>8} {'total s':>8} {'worst ms':>9} {'its words':>10} open")
    for n_systems in systems:
        rows = []
        for trees in corpus(n_sentences, n_systems):
            rows.append((*timed(trees), len(trees[0].words)))
        worst = max(rows)
        print(
            f"{n_systems:8} {sum(row[0] for row in rows):8.3f} {worst[0] * 1000:9.2f} {worst[2]:10} "
            f"{sum(not row[1] for row in rows):4}"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--corpus", type=int, default=1049, metavar="N", help="number of sentences")
    parser.add_argument("--systems", type=int, nargs="+", default=[5, 10, 20])
    options = parser.parse_args()
    print(f"kernels: {implementation()}")
    whole(options.corpus, options.systems)


if __name__ == "__main__":
    main()
