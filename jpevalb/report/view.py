"""Sentences on a terminal: those that are chosen, both trees as outlines, words that differ, corrections."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from heapq import nsmallest
from typing import NamedTuple

from ..base.errors import JpevalbError, SettingsError
from ..base.text import HANG, counted, folded, visible, wrapped
from ..claims.notes import sentences_text
from ..errors.causes import Classes
from ..errors.corrections import Correction
from ..score.sentence import SentenceResult
from ..trees.drawing import CROSSING, EXTRA, MATCHED, MATCHED_CROSSING, MISSED
from ..trees.tree import Constituent, Tree
from .table import percent

_RATES = "recall", "precision", "F1"

_SIGNS = {MATCHED: "=", MISSED: "-", EXTRA: "+", CROSSING: "+x", MATCHED_CROSSING: "=x"}
_COLORS = {"=": "32", "-": "31", "+": "33", "x": "35"}  # green, red, yellow, magenta (ECMA-48)

_INDENT = 40  # maximum indentation in columns; deeper constituents have their depth in front

_RAW = 2_000  # maximum number of characters of an answer that are shown

_CORRECTIONS, _NAMED = 20, 5  # maximum number of corrections, and of nodes or constituents named in each


def view(
    result: SentenceResult, *, width: int = 80, color: bool = False, classes: Classes | None = None
) -> str:
    """Return both trees of a sentence as outlines, the words that differ, and the corrections by cause."""
    match, trees = result.pair.matching, (result.gold, result.system)
    places = [{item.node: item.place for item in items} for items in (match.gold, match.system)]
    words, differing = _linked(result)
    step = 2 if 2 * max(map(_depth, trees)) <= _INDENT else 1
    gold, system = (_outline(*side, step, width, color) for side in zip(trees, result.marks(), places, words))
    lines = [*_head(result), *_answers(result, width), "", "gold", *gold, "", "system", *system]
    if differing:
        lines += ["", "words that differ", *differing]
    if corrections := result.corrections(classes):
        lines += ["", "corrections of the system's tree"]
        for one in corrections[:_CORRECTIONS]:
            lines += folded(_correction_text(one, result.system, places[1]), width)
        if len(corrections) > _CORRECTIONS:
            lines.append(f"and {len(corrections) - _CORRECTIONS} more")
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
    rates = ", ".join([f"{one} {percent(getattr(brackets, one.lower())) or 'undefined'}" for one in _RATES])
    yield f"{rates}; {tags.correct} of {tags.gold} tags correct"
    yield (
        f"= {brackets.matched} matched, - {brackets.gold - brackets.matched} missed, "
        f"+ {brackets.system - brackets.matched} extra, x {brackets.crossing} crossing"
    )
    for item in result.unparsed:
        yield f"{item.side} sentence {item.number} cannot be read: {visible(item.error)}"


def _answers(result: SentenceResult, width: int) -> Iterator[str]:
    """Yield the repairs of a language model's answers, why they are not trees, and their text."""
    for sentence in result.pair.system_sentences:
        answer = sentence.answer
        if answer is None or answer.valid:
            continue
        name = f"answer of system sentence {sentence.number}"
        if answer.reason is not None:
            yield f"{name}: no tree, {visible(answer.reason)}"
        if answer.repairs:
            yield f"{name}: a tree after the repairs {', '.join(answer.repairs)}"
        for line in answer.raw[:_RAW].splitlines():
            yield f"\n  |{' ' * HANG}".join(wrapped(["  |", *visible(line).split(" ")], width))
        if len(answer.raw) > _RAW:
            yield f"  | and {len(answer.raw) - _RAW:,} more characters"


def _linked(result: SentenceResult) -> tuple[list[list[tuple[str, ...]]], list[str]]:
    """Return the tagged words of each side, without and with their index, and the units that differ."""
    trees = (result.gold, result.system)
    lines: list[str] = []
    tags = [tree.tags for tree in trees]
    signs, links = ([[""] * len(tree.words) for tree in trees] for _ in range(2))
    for unit in result.pair.all_units:
        ranges = (slice(unit.gold_start, unit.gold_end), slice(unit.system_start, unit.system_end))
        gold, system = (tree.words[words] for tree, words in zip(trees, ranges))
        if gold != system:
            texts = [" ".join(map(visible, words)) or "(no word)" for words in (gold, system)]
            lines.append(f"[{len(lines) + 1}] {texts[0]} ~ {texts[1]}")
            for side, words in zip(links, ranges):
                side[words] = [f"[{len(lines)}]"] * len(side[words])
        if len(gold) == len(system) == 1 and tags[0][unit.gold_start] != tags[1][unit.system_start]:
            for side, words in zip(signs, ranges):
                side[words] = ["!"]
    shown = [
        [
            tuple(
                f"{sign}{text}{link}" if tag is None else f"({sign}{visible(tag)} {text}){link}"
                for text in (visible(word), f"{index}={visible(word)}")
            )
            for index, (word, tag, sign, link) in enumerate(zip(tree.words, *of_words))
        ]
        for tree, *of_words in zip(trees, tags, signs, links)
    ]
    return shown, lines


def _correction_text(one: Correction, tree: Tree, places: Mapping[int, str]) -> str:
    """Return cause and step in words, then the missed and extra constituents that it corrects."""
    kind, label, was, above = one.step[:4]
    # A move may start or end above all scored constituents.
    nameless = "the top" if kind == "move" else "()"
    label, was = visible(label) or nameless, visible(was) or nameless
    run = []
    for node in one.nodes[:_NAMED]:
        if node in places or not tree.preterminals[node]:
            run.append(f"{visible(tree.labels[node]) or '()'}{places.get(node, '')}")
        else:
            word = visible(tree.words[tree.word_parents.index(node)])
            run.append(f"({visible(tree.labels[node])} {word})")
    if len(one.nodes) > _NAMED:
        run.append("…")
    where = "the top" if above is None else visible(above) or "()"
    text = {
        "relabel": f"relabel {was} as {label}",
        "add": f"add {label} below {where}",
        "remove": f"remove {was} below {where}",
        "move": f"move {' '.join(run)} from {was} to {label}",
        "boundary": "join and split sentences as gold does",
        "unaligned": f"{'add' if one.missed else 'remove'} constituents over words without counterpart",
        "empty": "add and remove constituents",
        "unparsed": "add all constituents",
        "unexpected": "remove all constituents",
        "alone": f"{'add' if one.missed else 'remove'} all constituents, without a counterpart",
    }[kind]
    items = [f"- {visible(str(item))}" for item in one.missed] + [
        f"+ {visible(str(item))}" for item in one.extra
    ]
    if len(items) > _NAMED:
        items[_NAMED:] = [f"and {len(items) - _NAMED} more"]
    return f"{one.cause}: {text} ({', '.join(items)})"


def _outline(
    tree: Tree,
    marks: Mapping[int, str],
    places: Mapping[int, str],
    words: Sequence[tuple[str, ...]],
    step: int,
    width: int,
    color: bool,
) -> Iterator[str]:
    if not len(tree):
        yield "   (no tree)"
        return
    children, tags = tree.children(), tree.preterminals
    following = 0
    # Node and words to write on a line, and the depth; the node is -1 for a line of words alone.
    stack: list[tuple[int, list[int], int]] = [(-1, [0], 0) if tags[0] else (0, [], 0)]
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
                word = -1 - (child if child < 0 else children[child][0])
                if parts and parts[-1][0] < 0:
                    parts[-1][1].append(word)
                else:
                    parts.append((-1, [word], depth + 1))
            if parts and parts[0][0] < 0:
                run = parts.pop(0)[1]
            stack.extend(reversed(parts))
            mark = _SIGNS.get(marks.get(node, ""), "")
            name = f"{visible(tree.labels[node]) or '()'}{places.get(node, '')}"
        columns = step * depth
        indent = " " * columns if columns <= _INDENT else f"{' ' * _INDENT}{depth}: "
        texts = [name] * bool(name)
        for word in run:
            texts.append(words[word][word != following])
            following = word + 1
        first, *others = wrapped(texts, width - 3 - len(indent))
        lead = f"{_painted(f'{mark:<2}', mark, color)} {indent}{_painted(name, mark, color)}"
        yield (lead + first[len(name) :]).rstrip()
        yield from [" " * (3 + len(indent) + HANG) + piece for piece in others]


def _depth(tree: Tree) -> int:
    """Return the depth of the deepest node above the preterminals; the root has 0."""
    depths: list[int] = []
    for node, parent in enumerate(tree.parents):
        depths.append(depths[parent] + 1 if node else 0)
    return max([depth for depth, leaf in zip(depths, tree.preterminals) if not leaf], default=0)


def _painted(text: str, mark: str, color: bool) -> str:
    # Crossing is the last mark, and decides.
    return f"\x1b[{_COLORS[mark[-1]]}m{text}\x1b[0m" if color and mark else text


_PART = re.compile(r"(?:(gold|sys):)?([0-9]{1,18})(?:-([0-9]{1,18}))?")


def chooser(text: str) -> Callable[[Iterable[SentenceResult]], list[SentenceResult]]:
    """Return the function that selects sentences by a text: ranges, ``worst:N`` or ``GOLD/SYSTEM`` labels."""
    size = re.fullmatch(r"worst:([0-9]{1,9})", text.strip())
    if size is not None and int(size[1]):
        return partial(worst, size=int(size[1]))
    gold, _, system = text.strip().partition("/")
    if gold and system:
        return partial(confused, gold=gold, system=system)
    return partial(numbered, wanted=ranges_of(text))


def worst(results: Iterable[SentenceResult], size: int) -> list[SentenceResult]:
    """Return the sentences with the most missed and extra constituents, worst first; none without errors."""
    wrong = (result for result in results if result.record.brackets.wrong())
    return nsmallest(size, wrong, key=lambda result: (-result.record.brackets.wrong(), result.number))


def confused(results: Iterable[SentenceResult], gold: str, system: str) -> list[SentenceResult]:
    """Return the sentences with a missed ``gold`` label and an extra ``system`` label over one span."""

    def spans(items: Iterable[Constituent], label: str) -> set[object]:
        return {item.span for item in items if item.label == label}

    return [one for one in results if spans(one.missed, gold) & spans(one.extra, system)]


class Range(NamedTuple):
    """A range of sentence numbers, from 1, with its last."""

    side: str  # ``gold`` or ``sys`` for sentences of one file; empty for rows of the report
    first: int
    last: int

    def of(self, result: SentenceResult) -> tuple[int, int]:
        """Return the half-open range of a result's numbers on this side; may be empty."""
        if not self.side:
            return result.number, result.number + 1
        begin, end = result.bead.gold if self.side == "gold" else result.bead.system
        return begin + 1, end + 1


def ranges_of(text: str) -> list[Range]:
    """Read numbers and ranges with commas between them; raise a SettingsError for other texts.

    >>> [tuple(one) for one in ranges_of("3, 5-9,sys:12")]
    [('', 3, 3), ('', 5, 9), ('sys', 12, 12)]
    """
    ranges = []
    for part in text.split(","):
        match = _PART.fullmatch(part.strip())
        if match is not None:
            side, first, last = match[1] or "", int(match[2]), int(match[3] or match[2])
        if match is None or not 1 <= first <= last:
            raise SettingsError(
                f"got the selection {part.strip()!r}; expected a number from 1 such as 3, "
                "a range such as 5-9, or gold:3 or sys:5-9 for the sentences of one file; "
                "or worst:10, or NP/S for gold's NP where the system has S"
            )
        ranges.append(Range(side, first, last))
    return ranges


def numbered(results: Iterable[SentenceResult], wanted: Iterable[Range]) -> list[SentenceResult]:
    """Return the sentences in the ranges, each once, in order; read no further.  All must exist."""
    # Numbers of the ranges that are still to come: if ids pair sentences, the system's are in any order.
    waiting = {selection: selection.last - selection.first + 1 for selection in wanted}
    seen = {"": 0, "gold": 0, "sys": 0}
    selected = []
    for result in results:
        wanted_here = False
        for selection, number in [*waiting.items()]:
            begin, end = selection.of(result)
            seen[selection.side] = max(seen[selection.side], end - 1)
            if begin <= selection.last and selection.first < end:
                wanted_here = True
                waiting[selection] = number - (min(end - 1, selection.last) - max(begin, selection.first) + 1)
                if not waiting[selection]:
                    del waiting[selection]
        if wanted_here:
            selected.append(result)
        if not waiting:
            return selected
    first = next(iter(waiting))
    side = f"{first.side}:" if first.side else ""
    where = {"": "the report", "gold": "the gold file", "sys": "the system's file"}[first.side]
    missing = max(first.first, seen[first.side] + 1)
    raise JpevalbError(f"--view {side}{missing}: {where} has {counted(seen[first.side], 'sentence')}")
