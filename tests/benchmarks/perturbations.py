"""Struct-IoU against worse and worse word boundaries, as in Figure 5 of Shi et al. 2024.

    python -m tests.benchmarks.perturbations [GOLD TIMES] [--sentences 200] [--runs 5] [--out siou.svg]

For each perturbation (noise, insert, delete) and each delta the mean score of the perturbed
gold trees is printed, with its standard deviation over the runs, and drawn.  TIMES is a
CTM file or TextGrids; without files a made-up treebank is spoken at an even pace.
matplotlib draws if it is installed and OUT is no .svg; otherwise the SVG is written here.
"""

from __future__ import annotations

import argparse
import random
import statistics
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path

from jpevalb import Tree, perturb
from jpevalb.formats.read import read
from jpevalb.formats.timings import read_timings
from jpevalb.metrics.struct_iou import StructIouCounts, struct_iou_counts
from jpevalb.metrics.times import Timings

from .treebank import make_treebank

DELTAS = tuple(step / 10 for step in range(11))
COLOURS = {"noise": "#0072b2", "insert": "#d55e00", "delete": "#009e73"}
DASHES = {"noise": "", "insert": "6 3", "delete": "2 3"}

Timed = tuple[Tree, list[tuple[float, float]]]
Curve = list[tuple[float, float, float]]


def spoken(tree: Tree, rng: random.Random) -> list[tuple[float, float]]:
    """Times as if the words were read out: 60 ms a letter and now and then a pause."""
    found = []
    clock = 0.2
    for word in tree.words:
        if rng.random() < 0.1:
            clock += rng.uniform(0.05, 0.6)
        end = clock + (0.05 + 0.06 * len(word)) * rng.uniform(0.7, 1.4)
        found.append((clock, end))
        clock = end
    return found


def made(sentences: int) -> Iterator[Timed]:
    """A made-up treebank with made-up times."""
    rng = random.Random(1)
    for line in make_treebank(sentences, seed=1):
        tree = Tree.parse(line)
        yield tree, spoken(tree, rng)


def curve(kind: str, corpus: Sequence[Timed], runs: int) -> Curve:
    """(delta, mean, deviation over the runs) of the mean score of the perturbed gold trees."""
    found: Curve = []
    for delta in DELTAS:
        scores = []
        for run in range(runs):
            records = []
            for number, (tree, times) in enumerate(corpus):
                other = perturb.KINDS[kind](tree, times, delta, run * len(corpus) + number)
                records.append(
                    struct_iou_counts(tree, other.tree, gold_times=times, system_times=other.times)
                )
            mean = StructIouCounts.sum(records).mean
            scores.append(0.0 if mean is None else mean)
        found.append((delta, statistics.fmean(scores), statistics.stdev(scores) if runs > 1 else 0.0))
    return found


def draw_svg(curves: dict[str, Curve]) -> str:
    """The curves as an SVG file, deviations as bars."""
    width, height, left, top, right, bottom = 520, 360, 56, 16, 110, 44

    def x(delta: float) -> float:
        return left + delta * (width - left - right)

    def y(score: float) -> float:
        return top + (1 - score) * (height - top - bottom)

    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        'font-family="sans-serif" font-size="12">',
        "<title>Struct-IoU of perturbed boundaries</title>",
        f'<rect width="{width}" height="{height}" fill="white"/>',
    ]
    for step in range(6):
        share = step / 5
        out += [
            f'<path d="M{x(0):.1f} {y(share):.1f}H{x(1):.1f}" stroke="#dddddd"/>',
            f'<text x="{left - 8}" y="{y(share) + 4:.1f}" text-anchor="end">{share:.1f}</text>',
            f'<text x="{x(share):.1f}" y="{height - bottom + 18}" text-anchor="middle">{share:.1f}</text>',
        ]
    middle = (top + height - bottom) / 2
    out += [
        f'<text x="{x(0.5):.1f}" y="{height - 8}" text-anchor="middle">delta</text>',
        f'<text transform="translate(16 {middle:.1f}) rotate(-90)" text-anchor="middle">Struct-IoU</text>',
    ]
    for place, (kind, points) in enumerate(curves.items()):
        colour = COLOURS[kind]
        line = "L".join(f"{x(delta):.1f} {y(mean):.1f}" for delta, mean, _ in points)
        out.append(
            f'<path d="M{line}" fill="none" stroke="{colour}" stroke-width="2" '
            f'stroke-dasharray="{DASHES[kind]}"/>'
        )
        out += [
            f'<path d="M{x(delta):.1f} {y(min(1, mean + spread)):.1f}V{y(max(0, mean - spread)):.1f}" '
            f'stroke="{colour}" stroke-width="1"/>'
            for delta, mean, spread in points
        ]
        at = top + 16 + 20 * place
        out += [
            f'<path d="M{width - right + 14} {at - 4}h24" stroke="{colour}" stroke-width="2" '
            f'stroke-dasharray="{DASHES[kind]}"/>',
            f'<text x="{width - right + 44}" y="{at}">{escape(kind)}</text>',
        ]
    return "\n".join([*out, "</svg>", ""])


def draw(curves: dict[str, Curve], path: Path) -> None:
    """Writes the plot: an SVG of our own, or whatever the name asks matplotlib for."""
    if path.suffix != ".svg":
        try:
            import matplotlib.pyplot as plt
        except ImportError:
            path = path.with_suffix(".svg")
        else:
            figure, axes = plt.subplots(figsize=(5.2, 3.6))
            for kind, points in curves.items():
                deltas, means, spreads = zip(*points)
                axes.errorbar(deltas, means, yerr=spreads, label=kind, color=COLOURS[kind])
            axes.set(xlabel="delta", ylabel="Struct-IoU", ylim=(0, 1.02))
            axes.legend()
            figure.savefig(path)
            print(f"written: {path}")
            return
    path.write_text(draw_svg(curves), encoding="utf-8")
    print(f"written: {path}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path, metavar="GOLD TIMES")
    parser.add_argument("--sentences", type=int, default=200)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--out", type=Path, default=Path("siou.svg"))
    options = parser.parse_args()
    if options.files:
        gold, timings = options.files
        trees = list(read(gold))
        fitted = Timings(read_timings(timings))
        corpus = [(tree, fitted.times(tree)) for tree in trees]
        fitted.finish()
    else:
        corpus = list(made(options.sentences))
    curves = {kind: curve(kind, corpus, options.runs) for kind in perturb.KINDS}
    print("delta " + "".join(f"{kind:>18}" for kind in curves))
    for place, delta in enumerate(DELTAS):
        cells = "".join(f"{points[place][1]:9.4f} ± {points[place][2]:.4f}" for points in curves.values())
        print(f"{delta:5.1f} {cells}")
    draw(curves, options.out)


if __name__ == "__main__":
    main()
