"""One sentence on a terminal: both trees with their constituents told apart, and the words that differ."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ..score.sentence import SentenceResult
from ..trees.text import columns_of, visible
from ..trees.tree import Tree
from .figures import sentences_text

MATCHED, MISSED, EXTRA, CROSSING = "=", "-", "+", "x"

_COLORS = {MATCHED: "32", MISSED: "31", EXTRA: "33", CROSSING: "35"}
"""Green, red, yellow, magenta (ECMA-48); the marks stand there in any case."""

_INDENT = 40
"""Columns of indentation at most: constituents deeper than that have their depth before them instead."""


_HANG = 4
"""Columns by which a line that goes on is indented more than its beginning."""


def view(result: SentenceResult, *, width: int = 80, color: bool = False) -> str:
    """Both trees of a sentence as outlines, and the alignment of the words that differ.

    A line is a constituent with its half-open range of units and the words that it
    begins with, as long as they hang from it directly; words that follow other
    constituents have lines of their own.  A constituent with gaps has its blocks of units,
    ``[0,3:5]``, and a word that does not stand behind the one shown before it has its
    place in the sentence, from 0, as in discbracket: ``3=up``.  Before a line stands ``=`` for a match,
    ``-`` for a gold constituent that is missed, ``+`` for one of the system that is
    extra, ``x`` beside it for one of the system that crosses a gold one; nothing for
    what does not count, such as TOP.  ``[1]`` at words on both sides says that they
    stand for each other; ``!`` before a tag that it differs from the other side's.

    Args:
        result: A sentence of an evaluation.
        width: Columns after which lines are wrapped where they can be.
        color: Whether marks and labels have colours.

    Cost: O(nodes + words).
    """
    matched, crossing = result.matched, {item.node for item in result.crossing}
    gold = {item.node: (MATCHED, item.place) for item, _ in matched}
    gold.update({item.node: (MISSED, item.place) for item in result.missed})
    system = {}
    for mark, items in ((MATCHED, [other for _, other in matched]), (EXTRA, result.extra)):
        for item in items:
            system[item.node] = (mark + CROSSING * (item.node in crossing), item.place)
    words, differing = _linked(result)
    deepest = max(_depth(result.gold), _depth(result.system))
    step = 2 if 2 * deepest <= _INDENT else 1
    outlines = [
        _outline(tree, marks, shown, step, width, color)
        for tree, marks, shown in zip((result.gold, result.system), (gold, system), words)
    ]
    lines = [*_head(result), "", "gold", *outlines[0], "", "system", *outlines[1]]
    if differing:
        lines += ["", "words that differ", *differing]
    return "\n".join(lines) + "\n"


def _head(result: SentenceResult) -> Iterator[str]:
    brackets, tags, bead = result.record.brackets, result.record.tags, result.bead
    sides = [
        f"{side} {sentences_text(*ends)}" for side, ends in (("gold", bead.gold), ("system", bead.system))
    ]
    id = result.gold.id if result.gold.id is not None else result.system.id
    name = f"Sentence {result.number}" if id is None else f"Sentence {result.number}, {visible(id)}"
    nearest = ""
    if "references" in result.record:
        taken = [one.taken for one in result.record["references"].each]
        nearest = f"; nearest of the references is number {taken.index(1) + 1}"
    yield f"{name}: {', '.join(sides)}{nearest}"
    rates = ", ".join(
        [
            f"{name} {'undefined' if rate is None else f'{100 * rate:.2f}'}"
            for name, rate in (
                ("recall", brackets.recall),
                ("precision", brackets.precision),
                ("F1", brackets.f1),
            )
        ]
    )
    yield f"{rates}; {tags.correct} of {tags.gold} tags correct"
    yield (
        f"{MATCHED} {brackets.matched} matched, {MISSED} {brackets.gold - brackets.matched} missed, "
        f"{EXTRA} {brackets.system - brackets.matched} extra, {CROSSING} {brackets.crossing} crossing"
    )
    for item in result.unparsed:
        yield f"{item.side} sentence {item.number} cannot be read: {visible(item.error)}"


def _linked(result: SentenceResult) -> tuple[list[list[tuple[str, str]]], list[str]]:
    """The words of each side as they are shown, and a line for each unit whose words differ.

    A word is shown with its tag, and with the number of its unit where the sides differ.
    """
    trees = (result.gold, result.system)
    tags = [tree.tags for tree in trees]
    lines: list[str] = []
    links: tuple[dict[int, int], dict[int, int]] = ({}, {})
    odd: tuple[set[int], set[int]] = (set(), set())
    for unit in result.units:
        ranges = (range(unit.gold_start, unit.gold_end), range(unit.system_start, unit.system_end))
        ours, theirs = ([tree.words[place] for place in places] for tree, places in zip(trees, ranges))
        if ours != theirs:
            shown = [" ".join(map(visible, words)) or "(no word)" for words in (ours, theirs)]
            lines.append(f"[{len(lines) + 1}] {shown[0]} ~ {shown[1]}")
            for side, places in zip(links, ranges):
                side.update(dict.fromkeys(places, len(lines)))
        if len(ours) == len(theirs) == 1 and tags[0][unit.gold_start] != tags[1][unit.system_start]:
            for differ, places in zip(odd, ranges):
                differ.update(places)
    return [_words(tree, side, differ) for tree, side, differ in zip(trees, links, odd)], lines


def _words(tree: Tree, links: Mapping[int, int], differ: set[int]) -> list[tuple[str, str]]:
    """For each word how it is shown, and how it is with its place."""
    shown = []
    for place, (word, tag) in enumerate(zip(tree.words, tree.tags)):
        sign = "!" if place in differ else ""
        link = f"[{links[place]}]" if place in links else ""
        forms = [
            f"{sign}{text}{link}" if tag is None else f"({sign}{visible(tag)} {text}){link}"
            for text in (visible(word), f"{place}={visible(word)}")
        ]
        shown.append((forms[0], forms[1]))
    return shown


def _outline(
    tree: Tree,
    marks: Mapping[int, tuple[str, str]],
    words: Sequence[tuple[str, str]],
    step: int,
    width: int,
    color: bool,
) -> Iterator[str]:
    """The lines of a tree.  Cost: O(nodes + words)."""
    if not len(tree):
        yield "   (no tree)"
        return
    children, tags = tree.children(), tree.preterminals
    following = 0
    # A node, or words that hang from the node before, and the depth.
    stack: list[tuple[int, list[int], int]] = [(0, [], 0)]
    if tags[0]:
        stack = [(-1, [0], 0)]
    while stack:
        node, run, depth = stack.pop()
        mark = name = ""
        if node >= 0:
            parts: list[tuple[int, list[int], int]] = []
            for child in children[node]:
                if child >= 0 and not tags[child]:
                    parts.append((child, [], depth + 1))
                    continue
                # A word, or a preterminal with its word.
                place = -1 - (child if child < 0 else children[child][0])
                if parts and parts[-1][0] < 0:
                    parts[-1][1].append(place)
                else:
                    parts.append((-1, [place], depth + 1))
            if parts and parts[0][0] < 0:
                run = parts.pop(0)[1]
            stack.extend(reversed(parts))
            mark, span = marks.get(node, ("", ""))
            name = f"{visible(tree.labels[node]) or '()'}{span}"
        columns = step * depth
        indent = " " * columns if columns <= _INDENT else f"{' ' * _INDENT}{depth}: "
        texts = [name] * bool(name)
        for place in run:
            texts.append(words[place][place != following])
            following = place + 1
        pieces = _wrapped(texts, width - 3 - len(indent))
        lead = f"{_painted(f'{mark:<2}', mark, color)} {indent}"
        for number, piece in enumerate(pieces):
            if not number:
                yield (lead + _painted(name, mark, color) + piece[len(name) :]).rstrip()
            else:
                yield " " * (3 + len(indent) + _HANG) + piece


def _depth(tree: Tree) -> int:
    """The depth of the deepest node that is no preterminal; the root has 0."""
    if not len(tree):
        return 0
    depths = [0] * len(tree)
    for node in range(1, len(tree)):
        depths[node] = depths[tree.parents[node]] + 1
    return max(depth for depth, leaf in zip(depths, (False, *tree.preterminals[1:])) if not leaf)


def _wrapped(pieces: Sequence[str], width: int) -> Iterator[str]:
    """The pieces with blanks between them on lines of at most so many columns, if no piece is wider."""
    line, columns = "", 0
    for piece in pieces:
        more = columns_of(piece)
        if line and columns + 1 + more > width:
            yield line
            # What follows hangs to the right of the label.
            line, columns = piece, more + _HANG
        else:
            line, columns = (f"{line} {piece}", columns + 1 + more) if line else (piece, more)
    yield line


def _painted(text: str, mark: str, color: bool) -> str:
    # Crossing is the last mark and wins.
    return f"\x1b[{_COLORS[mark[-1]]}m{text}\x1b[0m" if color and mark else text
