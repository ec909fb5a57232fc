"""Struct-IoU and tree node accuracy: how long they take, and how long zss and apted take for the same.

    python -m tests.benchmarks.tree_metrics [GOLD SYS] [--sentences 2416] [--sample 60]

Without files a made-up treebank of the size of section 23 is scored.  Reading is not
timed.  The peers (pip install zss apted) map every n-th pair with the same types and
costs and must find the same cost; a peer that is not installed is left out.
Times are CPU seconds of this process.
"""

from __future__ import annotations

import argparse
import random
import resource
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from jpevalb import Tree
from jpevalb.formats.read import read
from jpevalb.kernels import implementation
from jpevalb.metrics.mapping import LabelNumbers
from jpevalb.metrics.node_accuracy import NodeCounts, concept_accuracy, tree_node_accuracy, word_accuracy
from jpevalb.metrics.struct_iou import StructIouCounts, struct_iou_counts
from jpevalb.settings.labels import UNCOUNTED, cut

from .treebank import make_treebank, perturb_parse

Pairs = list[tuple[Tree, Tree]]


def made_pairs(sentences: int, seed: int = 1) -> Iterator[tuple[Tree, Tree]]:
    """Gold and system trees of a made-up treebank."""
    rng = random.Random(seed)
    for line in make_treebank(sentences, seed):
        yield Tree.parse(line), Tree.parse(perturb_parse(line, rng))


def random_tree(nodes: int, rng: random.Random) -> Tree:
    """A binary tree in which every shape is as likely as any other (Remy's algorithm)."""
    children: dict[int, list[int]] = {}
    parent = {0: -1}
    root, count = 0, 1
    while count + 2 <= nodes:
        node, above, leaf = rng.randrange(count), count, count + 1
        count += 2
        top = parent[node]
        parent.update({above: top, node: above, leaf: above})
        children[above] = [node, leaf] if rng.random() < 0.5 else [leaf, node]
        if top < 0:
            root = above
        else:
            children[top][children[top].index(node)] = above
    out: list[str] = []
    stack: list[int | str] = [root]
    while stack:
        item = stack.pop()
        if isinstance(item, str):
            out.append(item)
        elif item in children:
            out.append("(" + rng.choice("ABCD"))
            stack += [")", children[item][1], children[item][0]]
        else:
            out.append(f"({rng.choice('TUV')} w{rng.randrange(200)})")
    return Tree.parse(" ".join(out))


def timed(run: Callable[[], Any], least: int = 3) -> tuple[float, Any]:
    """The shortest CPU time of several runs, and what the last one gave."""
    best, result = float("inf"), None
    for _ in range(least):
        begin = time.process_time()
        result = run()
        best = min(best, time.process_time() - begin)
        if best > 2:
            break
    return best, result


def score(pairs: Pairs) -> None:
    """Prints how long each metric takes for all pairs."""
    names = LabelNumbers(cut)

    def siou() -> StructIouCounts:
        return StructIouCounts.sum([struct_iou_counts(g, s, drop_roots=True, names=names) for g, s in pairs])

    def nodes() -> NodeCounts:
        return NodeCounts.sum([tree_node_accuracy(g, s, names=names) for g, s in pairs])

    def words() -> tuple[NodeCounts, NodeCounts]:
        return (
            NodeCounts.sum([word_accuracy(g, s) for g, s in pairs]),
            NodeCounts.sum([concept_accuracy(g, s, names=names) for g, s in pairs]),
        )

    spent = []
    for name, run in (("Struct-IoU", siou), ("tree nodes", nodes), ("words and concepts", words)):
        seconds, result = timed(run)
        spent.append(seconds)
        shown = result.to_dict() if hasattr(result, "to_dict") else [part.to_dict() for part in result]
        print(f"{name:20} {seconds:8.3f} s   {shown}")
    print(f"{'both tree metrics':20} {spent[0] + spent[1]:8.3f} s")


def nested(tree: Tree) -> tuple[tuple[str, str], list[Any]]:
    """The tree as ((kind, label), children), words included, under one dummy root."""
    top: tuple[tuple[str, str], list[Any]] = (("root", ""), [])
    made: list[Any] = []
    order = sorted(
        [(start, 0, node) for node, start in enumerate(tree.starts)]
        + [(place, 1, place) for place in range(len(tree.words))]
    )
    tags = tree.preterminals
    for _, is_word, at in order:
        if is_word:
            made[tree.word_parents[at]][1].append((("word", tree.words[at]), []))
            continue
        above = made[tree.parents[at]] if tree.parents[at] >= 0 else top
        if above is top and tree.labels[at] in UNCOUNTED:
            made.append(top)
            continue
        label = tree.labels[at] if tags[at] else cut(tree.labels[at])
        made.append((("tag" if tags[at] else "phrase", label), []))
        above[1].append(made[-1])
    return top


def substitution(one: tuple[str, str], two: tuple[str, str]) -> int:
    """Return the cost of changing a node; another type costs as much as deletion and insertion."""
    return 6 if one[0] != two[0] else 4 if one[1] != two[1] else 0


def zss_costs(pairs: list[tuple[Any, Any]]) -> list[int]:
    import zss

    return [
        zss.distance(
            gold,
            system,
            lambda node: node[1],
            insert_cost=lambda node: 3,
            remove_cost=lambda node: 3,
            update_cost=lambda one, two: substitution(one[0], two[0]),
        )
        for gold, system in pairs
    ]


def apted_costs(pairs: list[tuple[Any, Any]]) -> list[int]:
    from apted import APTED, Config

    class Costs(Config):  # type: ignore[misc]
        def delete(self, node: Any) -> int:
            return 3

        def insert(self, node: Any) -> int:
            return 3

        def rename(self, one: Any, two: Any) -> int:
            return substitution(one[0], two[0])

        def children(self, node: Any) -> Any:
            return node[1]

    return [APTED(gold, system, Costs()).compute_edit_distance() for gold, system in pairs]


def against_peers(pairs: Pairs) -> None:
    """Prints how much longer the peers take for the same pairs."""
    names = LabelNumbers(cut)
    ours, counts = timed(lambda: [tree_node_accuracy(g, s, names=names) for g, s in pairs], 5)
    expected = [record.cost for record in counts]
    trees = [(nested(gold), nested(system)) for gold, system in pairs]
    for name, run in (("apted", apted_costs), ("zss", zss_costs)):
        try:
            seconds, found = timed(lambda run=run: run(trees), 1)
        except ImportError:
            print(f"{name:20} not installed")
            continue
        if [round(cost) for cost in found] != expected:
            sys.exit(f"{name} finds other costs: {found} instead of {expected}")
        print(
            f"{name:20} {seconds:8.3f} s for {len(pairs)} pairs, ours {ours:.4f} s: "
            f"{seconds / ours:,.0f} times; same costs"
        )


def large_pairs() -> None:
    """Prints time and memory for pairs of 1,000-node trees."""
    rng = random.Random(1)
    for _ in range(3):
        gold, system = random_tree(1000, rng), random_tree(1000, rng)
        siou, _ = timed(lambda g=gold, s=system: struct_iou_counts(g, s), 1)
        nodes, _ = timed(lambda g=gold, s=system: tree_node_accuracy(g, s), 1)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(
            f"{len(gold)} and {len(system)} nodes    Struct-IoU {siou:.3f} s, tree nodes {nodes:.3f} s; "
            f"peak memory so far {peak:.0f} MB"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path, metavar="GOLD SYS")
    parser.add_argument("--sentences", type=int, default=2416)
    parser.add_argument("--sample", type=int, default=60, help="pairs that the peers are given")
    options = parser.parse_args()
    print(f"kernels: {implementation()}")
    if implementation() == "compiled":  # interpreted, each takes minutes
        large_pairs()
    if options.files:
        pairs = list(zip(*[read(path) for path in options.files]))
        pairs = [pairs[i % len(pairs)] for i in range(options.sentences)]
    else:
        pairs = list(made_pairs(options.sentences))
    words, nodes = (sum(len(part) for part in parts) for parts in zip(*[(g.words, g) for g, _ in pairs]))
    print(
        f"{len(pairs)} pairs; gold {words / len(pairs):.1f} words, {nodes / len(pairs):.1f} nodes a sentence"
    )
    score(pairs)
    against_peers(pairs[:: max(1, len(pairs) // options.sample)])


if __name__ == "__main__":
    main()
