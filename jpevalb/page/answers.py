"""The section of a language model's answers: their states, F1 after each repair, and what is lost."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from ..base.elements import Markup, join, tag
from ..base.numbers import percent, signed
from ..claims import made as claims
from ..claims.reading import ANSWERS
from ..claims.systems import Systems
from ..trees.answer import REPAIRS, STATES
from .collected import Collected
from .figures import axis_of, in_rows
from .parts import Content, Item, PageSection, card, section, table_of
from .plots import legend, strip

_SIGNS = {"valid": "", "around": "f", "brackets": "b", "cut": "…", "none": "×", "words": "~"}
_LOST = {
    "format": ("f-format", "format: repairs bring them back"),
    "labels": ("f-labels", "labels that gold lacks"),
    "rest": ("f-parser", "syntax"),
}


def answers_section(content: Content) -> PageSection | None:
    """Return the section; ``None`` without answers."""
    counts, found = content.systems.answers, content.collected
    if counts is None or found is None:
        return None
    about = tag("h3", "States by length ", tag("small", "F1 as written → repaired"))
    lengths = tag("div", *_states_by_length(content.systems, found), cls="strips")
    items = _ladder(content.systems, counts)
    heads = ("gain", "with it", "made trees")
    label = "F1 after each repair, one after the other"
    ladder = in_rows(content, items, axis_of(content.systems, items), label, ("F1", *heads), "ladder")
    return section(
        *("answers", "Answers", "over", "What is wrong with the answers?", claims.broken(counts), ANSWERS),
        tag("div", _squares(found), card(about, lengths, *_lost(counts["lost"] or {})), cls="halves"),
        card(tag("h3", label), ladder),
        tables=[table_of(content.systems, "repair", items, heads)],
    )


def _squares(found: Collected) -> Markup:
    """Return a square for each answer, and the meaning of the squares."""
    squares, times = [], dict.fromkeys(STATES, 0)
    for number, state, _ in found.answers:
        times[state] += 1
        tip = f"sentence {number}: {STATES[state]}"
        square = tag(
            *("button", _SIGNS[state]),
            type="button",
            cls=f"sq st-{state}",
            data_show=f"state:{state}",
            data_number=number,
            data_tip=tip,
            aria_label=f"{_SIGNS[state]} {tip}".strip(),
        )
        squares.append(square)
    meaning = [
        (f"st-{state}", join(f"{_SIGNS[state]} ", tag("b", f"{count:,}"), f" {STATES[state]}"))
        for state, count in times.items()
        if count
    ]
    heading = tag("h3", f"{len(squares):,} answers")
    return card(heading, tag("div", *squares, cls="squares"), legend(meaning))


def _lost(lost: Mapping[str, float]) -> list[Markup]:
    """Return the parts of the points lost, unless a repair loses points."""
    total = sum(lost.values())
    if not total or min(lost.values()) < 0:
        return []
    bars = [(lost[name] / total, cls, percent(lost[name])) for name, (cls, _) in _LOST.items()]
    heading = tag("h3", f"{percent(total)} points of F1 lost", cls="lost")
    return [heading, strip(bars, "points of F1 lost"), legend(_LOST.values())]


def _states_by_length(systems: Systems, found: Collected) -> list[Markup]:
    made = []
    for k, length in enumerate(systems.lengths()):
        if not (sums := found.written.get(k)):
            continue
        every = sum([sums[state] for state in STATES]) or 1
        bars = [(sums[state] / every, f"st-{state}", str(sums[state])) for state in STATES]
        total = sums["gold"] + sums["system"]
        f1 = 2 * sums["matched"] / total if total else None
        after = f"{percent(f1)} → {percent(systems.value(length.figure, 0))}"
        name = f"{length.name} words"
        made += [tag("span", name), strip(bars, name), tag("span", after, cls="mut")]
    return made


def _ladder(systems: Systems, counts: Mapping[str, Any]) -> list[Item]:
    """Return the answers as written, after each repair, and those that are trees as written alone."""
    first, *steps = counts["ladder"]
    last = counts["valid_only"]
    items = [Item("as written", "strict_answer_f1", more=("", "", f"{first['answers']:,}"))]
    for before, step in pairwise([first, *steps]):
        name = step["repair"]
        gain = None if None in (before["f1"], step["f1"]) else step["f1"] - before["f1"]
        more = (signed(gain), f"{counts['repairs'][name]:,}", f"{step['answers']:,}")
        shown = name.replace("_", " ")
        items.append(Item(shown, f"step {name}", f"repair:{shown}", REPAIRS[name], more))
    more = ("", "", f"{last['sentences']:,}")
    note = "the other sentences left out: not comparable"
    return [*items, Item("trees as written only", "valid_only_f1", note=note, more=more, few=True)]
