"""The sections of a page, in order: score, pairs, answers, errors, words, lengths and labels, cite."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from ..base.version import __version__
from ..comparison.decided import ALIKE, DIFFERS
from ..metrics import Figure
from ..metrics.brackets import BracketCounts
from ..report import format_named
from ..report.markup import html_of
from ..report.table import Cell, Field, Sheet, Table
from ..trees.answer import REPAIRS
from . import claims
from .board import board
from .claims import FEW_SENTENCES, Claim
from .collected import STATES, Collected
from .markup import UNDEFINED, Markup, classes, ends, join, p_value, percent, signed, tag
from .plots import (
    TIGHT,
    Axis,
    Row,
    Shaded,
    bar,
    glyph,
    grid,
    key,
    legend,
    mark,
    rows,
    several,
    shade,
    span,
    strip,
    table,
)
from .systems import TITLES, Length, Systems, ranked

CAUSES = 9  # causes that have a row of their own
CONFUSIONS = 7
WORDS = 5  # words that differ most

_SIGNS = {"valid": "", "around": "f", "brackets": "b", "cut": "…", "none": "×", "words": "~"}
_TESTS = {"bootstrap": "paired bootstrap", "permutation": "paired permutation", "sign": "sign test"}


class Content(NamedTuple):
    """Everything that the sections of a page show."""

    systems: Systems
    gold: str  # name of the gold file
    command: str  # that makes the page; empty if a setting cannot be written in a command
    listed: bool  # True if the page has sentences
    brackets: BracketCounts | None = None  # of one system, of the trees that are shown
    sentences: Mapping[str, int] = {}  # number of sentences of each cause of one system
    collected: Collected | None = None  # of a language model's answers
    notes: Sequence[str] = ()
    tables: Sequence[Table] = ()  # further tables, such as those of several references
    conventions: Sheet | None = None
    convention_range: str = ""  # of F1 under the conventions that score all sentences


class Section(NamedTuple):
    """A section: a question, its answer in words, a figure, and the tables of its exports."""

    id: str
    name: str  # in the bar at the top
    markup: Markup
    tables: Sequence[Table] = ()

    def exports(self, note: str) -> dict[str, str]:
        """Return the data of the section as CSV and LaTeX, by the writers of reports."""
        if not self.tables:
            return {}
        content = Sheet(tuple(self.tables), tuple(self.tables), (note,), headings=False)
        return {name: format_named(name).tables(content) for name in ("csv", "latex")}


def sections(content: Content) -> list[Section]:
    """Return the sections that a page has."""
    made: list[Callable[[Content], Section | None]] = [_score, _pairs, _answers, _errors, _words, _where]
    found = [one for make in made if (one := make(content)) is not None]
    cited = _cite(content)
    return found if cited is None else [*found, cited]


# -- parts ------------------------------------------------------------------------------------------------


def _section(id: str, name: str, kind: str, *parts: object, tables: Sequence[Table] = ()) -> Section:
    return Section(id, name, tag("section", *parts, id=id, cls=kind), tables)


def _say(question: str, found: Iterable[Claim], caption: str = "", *, export: str = "") -> Markup:
    """Return the question of a section, its answer, how to read the figure, and the menu of exports."""
    said = claims.joined(found)
    return tag(
        "div",
        tag("h2", question),
        tag("p", said) if said else "",
        tag("p", caption, cls="cap") if caption else "",
        _menu(export) if export else "",
        cls="say",
    )


def _menu(section: str) -> Markup:
    names = {"csv": "CSV", "latex": "LaTeX", "svg": "SVG"}
    items = [
        tag("button", text, type="button", data_export=name, data_of=section) for name, text in names.items()
    ]
    return tag("details", tag("summary", "Export"), tag("div", *items), cls="menu")


def card(*parts: object, cls: str | None = None) -> Markup:
    """Return a figure in its box."""
    return tag("div", *parts, cls=classes("card", cls))


def fold(title: str, body: object) -> Markup:
    """Return something that is closed at first."""
    return tag("details", tag("summary", title), card(body))


def _pick(content: Content, kind: str, value: object, name: object) -> Markup:
    """Return a name that lists its sentences."""
    if not content.listed:
        return tag("span", name)
    return tag("button", name, type="button", cls="pick", data_show=f"{kind}:{value}", aria_pressed="false")


def _heads(systems: Systems) -> list[tuple[object, str]]:
    """Return the marks of two or three systems as headings."""
    marks = [key(tag("span", name, cls="hidden"), k) for k, name in enumerate(systems.names)]
    return [(one, "") for one in marks] if 1 < systems.count < 4 else []


def _columns(systems: Systems) -> tuple[list[Markup], int]:
    """Return the headings of a grid of systems, and the letters of the longest name."""
    names = [key(systems.names[i], None if systems.many else i) for i in systems.order]
    return names, max(map(len, systems.names)) + 2 * (not systems.many)


def _exported(systems: Systems, first: str, items: Sequence[tuple[str, Figure, int | None]]) -> Table:
    """Return a table of figures: value and interval of each system."""
    counted = any(count is not None for *_, count in items)
    fields = [Field(first, first.capitalize(), text=True)]
    fields += [Field("count", "Count")] if counted else []
    for k, name in enumerate(systems.names, 1):
        fields += [Field(f"system_{k}", name), Field(f"low_{k}"), Field(f"high_{k}")]
    lines: list[list[Cell]] = []
    for name, figure, count in items:
        line: list[Cell] = [name.replace("–", "-"), *([str(count)] if counted else [])]
        for i in systems.range:
            low, high = systems.interval(figure.name, i) or (None, None)
            line += [_plain(systems, figure, one) for one in (systems.value(figure.name, i), low, high)]
        lines.append(line)
    return Table("", tuple(fields), lines)


def _plain(systems: Systems, figure: Figure, value: float | None) -> str | None:
    return None if value is None else systems.shown(figure, value).replace("−", "-")


def tested(systems: Systems) -> str:
    """Return how differences are tested; empty without a test."""
    comparison = systems.comparison
    if comparison.test is None:
        return ""
    samples = f", {comparison.test_samples:,} resamples" if comparison.test_samples else ""
    return _TESTS[comparison.test] + samples


def _level(systems: Systems) -> str:
    return f"{100 * (systems.comparison.confidence or 0):g} %"


# -- score ------------------------------------------------------------------------------------------------


def _score(content: Content) -> Section:
    systems = content.systems
    comparison = systems.comparison
    title = claims.title(systems, content.brackets)
    heading = claims.joined(title, "; ")
    if interval := claims.joined(claims.interval(systems)):
        heading = join(heading, " ", tag("small", interval))
    keys: list[object] = []
    if comparison.interval_samples:
        samples = f"{comparison.interval_samples:,} bootstrap samples of the {systems.unit}s"
        keys.append(f"Intervals: {_level(systems)}, {samples}.")
    keys += _keys(systems)
    head = [
        tag("p", _kicker(content), cls="kicker"),
        tag("h1", heading),
        tag(
            "div",
            tag("p", claims.joined(claims.lead(systems, content.brackets))),
            tag("ul", *[tag("li", one) for one in keys], cls="reading-key"),
            cls="lede",
        ),
    ]
    figures = [
        one for one in systems.figures if any(systems.value(one.name, i) is not None for i in systems.range)
    ]
    exported = _exported(systems, "figure", [(_title(one), one, None) for one in figures])
    known = any(systems.interval(one.name, i) for one in figures for i in systems.range)
    title_ = f"All {len(figures)} figures" + (", with intervals" if known else "")
    folds = [fold(title_, _all_figures(systems, figures, with_intervals=known))]
    if content.conventions is not None:
        title_ = "F1 by the rules of other tools" + content.convention_range
        folds.append(fold(title_, Markup(html_of(content.conventions))))
    for one in content.tables:
        folds.append(fold(one.title, _plain_table(one.titled())))
    if content.notes:
        notes = tag("ul", *[tag("li", tag("bdi", one)) for one in content.notes], cls="notes")
        folds.append(fold(f"Notes ({len(content.notes)})", notes))
    folds.append(_menu("score"))
    parts = [*head, card(board(systems)), tag("div", *folds, cls="folds")]
    return _section("score", "Score", "", *parts, tables=[exported])


def _title(figure: Figure) -> str:
    return TITLES.get(figure.name, (figure.line or figure.title,))[0]


def _kicker(content: Content) -> str:
    systems = content.systems
    who = systems.full[0] if systems.count == 1 else f"{systems.count} systems"
    gold = systems.comparison.gold_sentences
    parts = [f"{who} against {content.gold}", f"{gold:,} gold sentences"]
    counts = systems.totals[0].get("alignment", {})
    if systems.count == 1 and systems.unit != "sentence" and counts:
        if counts["system_sentences"] != gold:
            parts[-1] += f", {counts['system_sentences']:,} of the system"
        parts[-1] += f", {systems.totals[0]['beads']['beads']:,} aligned pairs"
    if "brackets" in systems.totals[0]:
        parts.append(f"{systems.totals[0]['brackets']['gold']:,} gold brackets")
    text = " · ".join(parts)
    shortened = any("…" in name for name in systems.names)
    return f"{text} · names are shortened: {systems.full[0]}" if shortened and systems.count > 1 else text


def _keys(systems: Systems) -> list[object]:
    """Return how to read the board: what is tested, corrected, filled and bold."""
    if systems.count == 1:
        if systems.answers:
            return [
                "Recall and what follows count answers as written, where an answer that is no tree is empty."
            ]
        return ["Nothing is tested: name a second system to compare it."]
    base = systems.names[systems.base]
    how = tested(systems)
    if not how:
        return ["Nothing is tested (--test none)."]
    tests = systems.comparison.tests
    if systems.many:
        if not any(systems.letters()):
            return [f"p: {how}, Holm over {tests} pairs.", f"Hollow: not distinguished from {base}."]
        text = f"Systems that share a letter and a bar are not distinguished in F1 ({how}, p < 0.05, Holm"
        return [f"{text} over {tests} pairs).", f"Hollow: not distinguished from {base}."]
    filled = tag("span", glyph(1), cls="key")
    hollow = tag("span", glyph(1, hollow=True), cls="key")
    words = join(
        *(filled, " filled, ", tag("b", "bold", cls="real"), f": differs from {base} (p < 0.05, {how}); "),
        *(hollow, " hollow: not distinguished."),
    )
    corrected = (
        f"F1 is corrected for {tests} pairs (Holm), " if systems.count > 2 else "F1 is not corrected, "
    )
    return [words, f"{corrected}the other figures for all tests of their section."]


def _all_figures(systems: Systems, figures: Sequence[Figure], *, with_intervals: bool) -> Markup:
    heads: list[object] = [""]
    for name in systems.names:
        heads += [name, f"{_level(systems)} interval"] if with_intervals else [name]
    lines = []
    for one in figures:
        line: list[object] = [_title(one)]
        for i in systems.range:
            line.append(systems.shown(one, systems.value(one.name, i)))
            if with_intervals:
                interval = systems.interval(one.name, i)
                line.append(" to ".join([systems.shown(one, end) for end in interval]) if interval else "")
        lines.append(line)
    return table(heads, lines, "All figures")


def _plain_table(one: Table) -> Markup:
    lines = [
        [UNDEFINED if cell is None else getattr(cell, "plain", cell) for cell in row] for row in one.rows
    ]
    return table([field.title for field in one.fields], lines, one.title)


# -- pairs ------------------------------------------------------------------------------------------------


def _pairs(content: Content) -> Section | None:
    """Return all differences of three or more systems in one grid."""
    systems = content.systems
    if systems.count < 3:
        return None
    many, order, tight = systems.many, systems.order, systems.count > TIGHT
    by = {(a, b): one for a, b, one in systems.pairs()}
    items: list[tuple[object, list[Shaded | None]]] = []
    lines = []
    for r in range(1, systems.count):
        i = order[r]
        cells: list[Shaded | None] = []
        for c in range(systems.count - 1):
            if c >= r:
                cells.append(None)
                continue
            one = by[order[c], i].turned()  # the column minus the row
            parts = [ends(one.interval, signed), p_value(one.p)]
            small = ", ".join([part for part in parts if part])
            tip = f"{systems.names[order[c]]} − {systems.names[i]}: {signed(one.points)}, {small}"
            points = None if one.points is None else abs(one.points)
            text = percent(points, 1 if tight else 2) if many else signed(one.points)
            real = one.outcome == DIFFERS
            cls = "real" if real and not many else "tie" if one.outcome == ALIKE else ""
            cells.append(Shaded(text, 2 if real else None, cls, tip, "" if many else small))
            lines.append(_pair_line(systems, order[c], i, one))
        items.append((key(systems.names[i], None if many else i), cells))
    fields = (
        *[Field(name, name.capitalize(), text=True) for name in ("first", "second")],
        *[Field(name, name.capitalize()) for name in ("difference", "low", "high")],
        Field("p", "p (Holm)"),
    )
    caption = "Points of F1 by which the column is above the row."
    if tested(systems):
        caption += " Shaded: p < 0.05 after Holm’s correction. Framed: not distinguished."
    columns, widest = _columns(systems)
    figure = grid(columns[:-1], widest, items, "Differences of all pairs", 900 if not tight else 1180)
    say = _say("Which differ from which?", claims.ties(systems), caption, export="pairs")
    exported = Table("", fields, lines, heads=2)
    kind = "over" if tight else "beside"
    return _section("pairs", "Pairs", kind, say, card(figure), tables=[exported])


def _pair_line(systems: Systems, first: int, second: int, one: Any) -> list[Cell]:
    low, high = one.interval or (None, None)
    numbers = [None if x is None else f"{100 * x:.2f}" for x in (one.points, low, high)]
    p = None if one.p is None else f"{one.p:.6g}"
    return [systems.full[first], systems.full[second], *numbers, p]


# -- answers ----------------------------------------------------------------------------------------------


def _answers(content: Content) -> Section | None:
    """Return the states of answers, F1 after each repair, and what is lost."""
    systems, found = content.systems, content.collected
    counts = systems.answers
    if counts is None or found is None:
        return None
    caption = (
        "A square is an answer; press one to read it below. An answer may need several repairs (“with it”); "
        "“made trees” counts it at the step that makes it one."
    )
    times = {state: sum([of == state for _, of, _ in found.answers]) for state in STATES}
    squares = [
        tag(
            *("button", _SIGNS[state]),
            type="button",
            cls=f"sq st-{state}",
            data_show=f"state:{state}",
            data_number=number,
            data_tip=(tip := f"sentence {number}: {STATES[state]}"),
            aria_label=f"{_SIGNS[state]} {tip}".strip(),
        )
        for number, state, _ in found.answers
    ]
    meaning = [
        (f"st-{state}", join(f"{_SIGNS[state]} ", tag("b", f"{times[state]:,}"), f" {text}"))
        for state, text in STATES.items()
        if times[state]
    ]
    every = card(
        tag("h3", f"{counts['answers']:,} answers"), tag("div", *squares, cls="squares"), legend(meaning)
    )
    lost = counts["lost"] or {}
    total = sum(lost.values())
    parts: list[object] = []
    if lost and min(lost.values()) >= 0 and total:
        colours = {"format": "f-format", "labels": "f-labels", "rest": "f-parser"}
        bars = [(lost[name] / total, cls, percent(lost[name])) for name, cls in colours.items()]
        texts = ("format: repairs bring them back", "labels that gold lacks", "syntax")
        parts = [
            tag("h3", f"{percent(total)} points of F1 lost", cls="lost"),
            strip(bars, "points of F1 lost"),
            legend(zip(colours.values(), texts)),
        ]
    about = tag("h3", "States by length ", tag("small", "F1 as written → repaired"))
    states = card(about, tag("div", *_states_by_length(systems, found), cls="strips"), *parts)
    ladder, exported = _ladder(content, counts)
    say = _say("What is wrong with the answers?", claims.broken(counts), caption, export="answers")
    lower = card(tag("h3", "F1 after each repair, one after the other"), ladder)
    return _section(
        "answers", "Answers", "over", say, tag("div", every, states, cls="halves"), lower, tables=[exported]
    )


def _states_by_length(systems: Systems, found: Collected) -> list[Markup]:
    made = []
    for k, length in enumerate(systems.lengths()):
        sums = found.written.get(k)
        if not sums:
            continue
        every = sum([sums[state] for state in STATES]) or 1
        bars = [(sums[state] / every, f"st-{state}", str(sums[state])) for state in STATES]
        total = sums["gold"] + sums["system"]
        f1 = 2 * sums["matched"] / total if total else None
        after = f"{percent(f1)} → {percent(systems.value(length.figure, 0))}"
        made += [
            tag("span", f"{length.name} words"),
            strip(bars, f"{length.name} words"),
            tag("span", after, cls="mut"),
        ]
    return made


def _ladder(content: Content, counts: Mapping[str, Any]) -> tuple[Markup, Table]:
    systems = content.systems
    steps, last = counts["ladder"], counts["valid_only"]
    names = ["strict_answer_f1", *[f"step {step['repair']}" for step in steps[1:]], "valid_only_f1"]
    values = [*[step["f1"] for step in steps], last["f1"]]
    intervals = [systems.interval(name, 0) for name in names]
    axis = Axis([x for v, e in zip(values, intervals) for x in (e or (v or 0.0,))], 6)
    items, lines = [], []
    for k, (value, interval) in enumerate(zip(values, intervals)):
        inside = join(
            span(axis, interval, "own s0") if interval else "",
            "" if value is None else mark(axis, value, 0, filled=k < len(steps)),
        )
        tip = f"F1 {percent(value)}" + (f", {ends(interval)}" if interval else "")
        gain = None
        if k == len(steps):
            name, help = "trees as written only", "the other sentences left out: not comparable"
            shown, with_it, made = tag("span", name), "", last["sentences"]
        elif k:
            repair = steps[k]["repair"]
            name, help = repair.replace("_", " "), REPAIRS[repair]
            shown, with_it, made = (
                _pick(content, "repair", name, name),
                counts["repairs"][repair],
                steps[k]["answers"],
            )
            gain = None if None in (value, values[k - 1]) else value - values[k - 1]
        else:
            name, help, with_it, made = "as written", "", "", steps[0]["answers"]
            shown = tag("span", name)
        numbers = [(f"{with_it:,}" if with_it else "", "mut opt"), (f"{made:,}", "mut opt")]
        numbers += [("" if gain is None else signed(gain), ""), (percent(value), "real")]
        text = join(shown, " ", tag("small", help, cls="opt")) if help else shown
        items.append(Row(text, inside, numbers, tip))
        low, high = interval or (None, None)
        plain = [None if x is None else f"{100 * x:.2f}" for x in (gain, value, low, high)]
        lines.append([name, str(with_it), str(made), *plain])
    heads = [("with it", "opt"), ("made trees", "opt"), ("gain", ""), ("F1", "")]
    titles = ("With it", "Made trees", "Gain", "F1", "Low", "High")
    fields = [Field(title.lower().replace(" ", "_"), title) for title in titles]
    exported = Table("", (Field("repair", "Repair", text=True), *fields), lines)
    return rows(items, heads, axis, "ladder", "F1 after each repair"), exported


# -- errors -----------------------------------------------------------------------------------------------


def _errors(content: Content) -> Section | None:
    """Return the causes of errors, and beside them the sentences that they choose."""
    systems = content.systems
    causes = sorted_causes(systems)
    if not causes and not content.listed:
        return None
    top, rest = causes[:CAUSES], causes[CAUSES:]
    if len(rest) == 1:
        top, rest = causes, []
    if not causes:
        left: Markup = tag("p", "Nothing is wrong in the brackets.", cls="mut")
    elif systems.count == 1:
        left = _causes_of_one(content, top, rest)
    elif not systems.dense:
        left = _causes_of_few(content, top, rest)
    else:
        left = _causes_of_many(content, top, rest)
    base = systems.names[0]
    captions = {
        1: "Each wrong bracket has one cause, so the points add up. Choose a cause: its sentences are "
        "listed, and the first is drawn below.",
        2: f"Points of F1 lost, left is better; they add up to 100 − F1. Marks as above, from {base}. Choose "
        "a cause: the sentences in which the two differ most by it are listed, and the first is drawn.",
        3: f"Points of F1 lost; darker is more, bold differs from {base}. Choose a cause, and two systems, "
        "to see their sentences.",
        4: "Points of F1 lost, best system first; darker is more. Choose a cause, and two systems, to see "
        "their sentences.",
    }
    caption = captions[1 if systems.count == 1 else 4 if systems.many else 3 if systems.dense else 2]
    caption += " Causes are those of the repaired trees." if systems.answers else ""
    question = "What kind of error costs most?" if systems.count == 1 else "Which errors make the difference?"
    found = claims.errors(systems, content.sentences) if causes or systems.count == 1 else []
    exported = _exported(systems, "cause", [(one.title, one, None) for one in causes])
    say = _say(question, found, caption if causes else "", export="errors" if causes else "")
    kind = "stacked" if systems.dense else "wide" if systems.count > 1 else ""
    body = card(
        tag("div", tag("div", left, cls="left"), *_reader(content), cls=classes("instrument", kind)),
        cls="tree",
    )
    tables = [exported] if causes else []
    return _section("errors", "Errors", "over", say, body, tables=tables)


def sorted_causes(systems: Systems) -> list[Figure]:
    """Return the causes that cost anything: the dearest first, or those in which few systems differ most."""
    known = [one for one in systems.causes if any(systems.cost(one, i) > 0 for i in systems.range)]
    if systems.count == 1 or systems.many:
        return sorted(known, key=lambda one: -sum([systems.cost(one, i) for i in systems.range]))

    def order(one: Figure) -> tuple[bool, float]:
        apart = [systems.apart(one.name, i) for i in systems.range if i != systems.base]
        return not any(d.real for d in apart), -max([abs(d.points or 0) for d in apart])

    return sorted(known, key=order)


def _rest(systems: Systems, rest: Sequence[Figure]) -> Markup:
    most = max([systems.cost(one, i) for one in rest for i in systems.range])
    return tag("small", f"{len(rest)} more, each at most {percent(most)}")


def _sums(systems: Systems, rest: Sequence[Figure], i: int, digits: int = 2) -> str:
    return percent(sum([systems.cost(one, i) for one in rest]), digits)


def _causes_of_one(content: Content, top: Sequence[Figure], rest: Sequence[Figure]) -> Markup:
    systems = content.systems
    costs = {one: systems.cost(one, 0) for one in top}
    axis = Axis([x for one in top for x in systems.interval(one.name, 0) or (costs[one],)], zero=True)
    known = systems.analyses[0]["causes"]
    items = []
    for one in top:
        interval = systems.interval(one.name, 0)
        inside = join(bar(axis, costs[one], "s0"), span(axis, interval, "w") if interval else "")
        corrected = percent(known.get(one.title, {}).get("repaired_f1"))
        tip = f"{one.title}: {percent(costs[one])}, {ends(interval)}; with it alone corrected F1 {corrected}"
        times = content.sentences.get(one.title)
        numbers = [(percent(costs[one]), "real"), ("" if times is None else f"{times:,}", "mut")]
        items.append(Row(_pick(content, "cause", one.title, one.title), inside, numbers, tip))
    if rest:
        items.append(Row(_rest(systems, rest), None, [(_sums(systems, rest, 0), "mut"), ("", "")]))
    name = "100 − F1 repaired" if systems.answers else "100 − F1"
    items.append(Row(name, None, [(percent(systems.lost(0)), ""), ("", "")]))
    heads = [("points", ""), (systems.unit.split()[-1] + "s", "")]
    return rows(items, heads, axis, "causes", "Points of F1 lost by cause", total=True)


def _causes_of_few(content: Content, top: Sequence[Figure], rest: Sequence[Figure]) -> Markup:
    systems = content.systems
    axis = Axis([systems.cost(one, i) for one in top for i in systems.range], zero=True)
    items = []
    for one in top:
        values = [(systems.cost(one, i), systems.apart(one.name, i).real) for i in systems.range]
        lines = [f"{systems.names[i]} {percent(cost)}" for i, (cost, _) in enumerate(values)]
        tip = "\n".join([one.title, *lines])
        name = _pick(content, "cause", one.title, one.title)
        items.append(Row(name, several(axis, values), _values(values), tip))
    if rest:
        items.append(
            Row(_rest(systems, rest), None, [(_sums(systems, rest, i), "mut") for i in systems.range])
        )
    items.append(Row("100 − F1", None, [(percent(systems.lost(i)), "") for i in systems.range]))
    return rows(items, _heads(systems), axis, "causes", "Points of F1 lost by cause", total=True)


def _values(values: Sequence[tuple[float | None, bool]]) -> list[tuple[object, str]]:
    return [(percent(v), "real" if real else "mut" if k else "") for k, (v, real) in enumerate(values)]


def _causes_of_many(content: Content, top: Sequence[Figure], rest: Sequence[Figure]) -> Markup:
    systems = content.systems
    digits = 1 if systems.count > TIGHT else 2
    most = max([systems.cost(one, i) for one in top for i in systems.range])
    items: list[tuple[object, Sequence[Shaded | None]]] = []
    for one in top:
        cells = []
        for i in systems.order:
            cost = systems.cost(one, i)
            cls = "real" if not systems.many and systems.apart(one.name, i).real else ""
            tip = f"{systems.names[i]}, {one.title}: {percent(cost)}"
            cells.append(Shaded(percent(cost, digits), shade(cost, most), cls, tip))
        items.append((_pick(content, "cause", one.title, one.title), cells))
    if rest:
        cells = [Shaded(_sums(systems, rest, i, digits)) for i in systems.order]
        items.append((_rest(systems, rest), cells))
    items.append(("100 − F1", [Shaded(percent(systems.lost(i), digits)) for i in systems.order]))
    return grid(*_columns(systems), items, "Points of F1 lost by cause and system")


def _reader(content: Content) -> list[Markup]:
    """Return the list of sentences and the place of the trees, which the script fills."""
    systems = content.systems
    if not content.listed:
        return []
    chosen: list[object] = []
    if systems.count > 1:
        for side, name in enumerate(("First tree", "Second tree")):
            options = [tag("option", text, value=k) for k, text in [(-1, "gold"), *enumerate(systems.names)]]
            chosen.append(tag("select", *options, data_side=side, aria_label=name))
        chosen = [tag("span", chosen[0], " and ", chosen[1], cls="mut")]
    orders = {"clear": "clearest first", "most": "most wrong first", "number": "by number"}
    options = [tag("option", text, value=name) for name, text in orders.items()]
    finder = tag(
        "div",
        tag("b", data_part="what"),
        tag("button", "× show all", type="button", cls="clear", data_part="clear"),
        tag("span", data_part="count", cls="mut", role="status"),
        tag("select", *options, data_part="order", aria_label="Order"),
        *chosen,
        tag("input", data_part="query", type="search", placeholder="Search words", aria_label="Search words"),
        cls="finder",
    )
    pager = tag(
        "div",
        tag("button", "‹", type="button", cls="step", data_part="back", aria_label="‹ Sentences before"),
        tag("span", data_part="range"),
        tag("button", "›", type="button", cls="step", data_part="on", aria_label="› More sentences"),
        cls="pages",
    )
    listed = tag("div", finder, tag("table", cls="sents", data_part="sents"), pager, cls="right")
    message = "Sentences and trees need scripts; ", tag("code", "--view"), " prints them."
    return [listed, tag("div", tag("noscript", *message), cls="one-sentence")]


# -- words ------------------------------------------------------------------------------------------------


def _words(content: Content) -> Section | None:
    """Return what other words and sentence ends cost; ``None`` if they cost nothing."""
    systems = content.systems
    by = {i: sum(systems.text_costs(i)) for i in systems.order}
    if systems.answers or all(percent(cost) == "0.00" for cost in by.values()):
        return None
    some = [i for i in systems.order if percent(by[i]) != "0.00"]
    rest = [i for i in systems.order if i not in some]
    lost = {i: systems.lost(i) for i in systems.order}
    most = max(lost.values())
    bars: list[Markup] = []
    for i in systems.order:
        at_ends, in_words = systems.text_costs(i)
        costs = (at_ends, in_words, max(0.0, lost[i] - at_ends - in_words))
        parts = [(x / most, cls, percent(x)) for x, cls in zip(costs, ("f-ends", "f-words", "f-parser"))]
        drawn = strip(parts, f"points lost by {systems.names[i]}")
        name = key(systems.names[i], None if systems.many else i)
        bars += [drawn] if systems.count == 1 else [name, drawn, tag("span", percent(lost[i]))]
    texts = ("across a wrong sentence end", "inside a word of gold", "the parser")
    meaning = legend(zip(("f-ends", "f-words", "f-parser"), texts))
    strips = tag("div", *bars, cls="strips" if systems.count > 1 else None)
    figure: list[object] = [tag("h3", "Points of F1 lost"), strips, meaning]
    caption = "Tokens F1 and sentence ends F1 are among all figures above."
    if systems.count == 1:
        caption, more = _words_of_one(systems)
        figure += more
    fields = [
        Field(name, title)
        for name, title in (("ends", "Sentence ends"), ("words", "Words"), ("f1_lost", "All"))
    ]
    lines = [
        [systems.full[i], *[f"{100 * x:.2f}" for x in (*systems.text_costs(i), lost[i])]]
        for i in systems.order
    ]
    exported = Table("", (Field("system", "System", text=True), *fields), lines)
    question = "Is it the tokeniser or the parser?"
    say = _say(question, claims.blame(systems, some, rest), caption, export="words")
    return _section("words", "Words", "beside", say, card(*figure), tables=[exported])


def _words_of_one(systems: Systems) -> tuple[str, list[Markup]]:
    """Return the caption, F1 by the kind of alignment, and the words that differ most."""
    counts = systems.totals[0].get("alignment")
    if not counts:
        return "", []
    units = counts["units"]
    caption = f"{units['changed']:,} words differ and {units['resegmented']:,} are cut or joined, of "
    caption += f"{sum(units.values()):,}."
    for name in ("token_f1", "sentence_end_f1"):
        if (value := systems.value(name, 0)) is not None:
            caption += f" {TITLES[name][0]} {percent(value)}."
    kinds = {
        "one_to_one": "as in gold",
        "one_to_many": "split by the system",
        "many_to_one": "joined by the system",
    }
    known = [(text, counts["beads"][name]) for name, text in kinds.items() if name in counts["beads"]]
    axis = Axis([one["f1"] for _, one in known if one["f1"] is not None], rates=True)
    items = [
        Row(
            text,
            None if one["f1"] is None else mark(axis, one["f1"], 0),
            [(f"{one['beads']:,}", "mut"), (percent(one["f1"]), "real")],
        )
        for text, one in known
    ]
    by_ends = rows(items, [("pairs", ""), ("F1", "")], axis, "ends", "F1 by alignment")
    words = [
        [one["gold"] or UNDEFINED, one["system"] or UNDEFINED, one["times"]]
        for one in counts["words"][:WORDS]
    ]
    halves = [tag("div", tag("h3", "F1 by sentence ends"), by_ends)]
    if words:
        differing = table(["gold", "system", "times"], words, "Words that differ most")
        halves.append(tag("div", tag("h3", "Words that differ most"), differing))
    return caption, [tag("div", *halves, cls="halves inner")]


# -- lengths and labels -------------------------------------------------------------------------------------


def _where(content: Content) -> Section | None:
    """Return F1 by length and by label, and the labels that are confused."""
    systems = content.systems
    lengths, labels = systems.lengths(), systems.labels()
    if systems.count == 1:
        labels.sort(key=lambda item: ranked(systems.value(item[1].name, 0)))
    named = {one.name: one for one in systems.of_lengths}
    lengths = [one for one in lengths if one.figure in named]
    if not lengths and not labels:
        return None
    rate = "Recall" if systems.unlabeled else "F1"
    if systems.dense:
        body = card(_grid_of_places(content, lengths, labels))
        caption = f"F1{', best system first' if systems.many else ''}; darker is lower"
        caption += "" if systems.many else f", bold differs from {systems.names[0]}"
        caption += ". Beside each name: sentences, or times in gold."
    else:
        cards = _rows_of_places(content, lengths, labels, rate)
        body = tag("div", *cards, cls="thirds" if len(cards) > 2 else "halves")
        how = f"Stems start at {systems.names[0]}; filled: p < 0.05."
        caption = "Both axes are the same. "
        caption += f"Hollow: fewer than {FEW_SENTENCES} sentences." if systems.count == 1 else how
    caption += " Labels: at least 1 % of gold’s brackets." + (
        " Of the repaired trees." if systems.answers else ""
    )
    items: list[tuple[str, Figure, int | None]] = [
        (one.name, named[one.figure], one.sentences) for one in lengths
    ]
    items += labels
    question = "Where is it good, and where bad?" if systems.count == 1 else "Where do they differ?"
    say = _say(question, claims.places(systems), caption, export="where")
    exported = _exported(systems, "place", items)
    return _section("where", "Lengths, labels", "over", say, body, tables=[exported])


def _places(
    content: Content, lengths: Sequence[Length], labels: Any
) -> list[list[tuple[Markup, str, str, int]]]:
    """Return names, what lists show of them, figures and counts of lengths, and of labels."""
    of_lengths = []
    for one in lengths:
        shortest, longest = one.ends
        button = _pick(content, "length", f"{shortest}-{longest or ''}", one.name)
        of_lengths.append((button, f"{one.name} words", one.figure, one.sentences))
    of_labels = [
        (_pick(content, "label", label, label), label, figure.name, times) for label, figure, times in labels
    ]
    return [of_lengths, of_labels]


def _rows_of_places(content: Content, lengths: Sequence[Length], labels: Any, rate: str) -> list[Markup]:
    systems = content.systems
    both = _places(content, lengths, labels)
    names = [name for place in both for *_, name, _ in place]
    known = [value for name in names for i in systems.range if (value := systems.value(name, i)) is not None]
    if systems.count == 1:
        known += [end for name in names for end in systems.interval(name, 0) or ()]
    axis = Axis(known, rates=True)
    cards = []
    for title, about, place in zip(("length", "label"), ("words, sentences", "times in gold"), both):
        items = []
        for button, text, name, count in place:
            shown = join(button, " ", tag("small", f"{count:,}"))
            if systems.count == 1:
                value, interval = systems.value(name, 0), systems.interval(name, 0)
                few = title == "length" and count < FEW_SENTENCES
                inside = join(
                    span(axis, interval, "own s0") if interval else "",
                    "" if value is None else mark(axis, value, 0, filled=not few),
                )
                items.append(
                    Row(shown, inside, [(percent(value), "real")], f"{percent(value)}, {ends(interval)}")
                )
            else:
                values = [(systems.value(name, i), systems.apart(name, i).real) for i in systems.range]
                lines = [f"{systems.names[i]} {percent(value)}" for i, (value, _) in enumerate(values)]
                items.append(Row(shown, several(axis, values), _values(values), "\n".join([text, *lines])))
        heads = _heads(systems) or [(rate, "")]
        heading = tag("h3", f"{rate} by {title} ", tag("small", about))
        if items:
            cards.append(card(heading, rows(items, heads, axis, "places", f"{rate} by {title}")))
    if systems.count == 1 and (confused := systems.analyses[0]["confusions"][:CONFUSIONS]):
        cards.append(_confusions(confused))
    return cards


def _confusions(confused: Sequence[Mapping[str, Any]]) -> Markup:
    most = max([one["count"] for one in confused])
    axis = Axis([0.0, 1.0], 4, zero=True)
    items = [
        Row(
            join(one["gold"] or "()", " ", tag("small", "as"), " ", one["system"] or "()"),
            bar(axis, one["count"] / most, "s0"),
            [(f"{one['count']:,}", "real")],
        )
        for one in confused
    ]
    heading = tag("h3", "Wrong labels ", tag("small", "gold as system"))
    return card(heading, rows(items, [("times", "")], axis, "places", "Wrong labels", scale=False))


def _grid_of_places(content: Content, lengths: Sequence[Length], labels: Any) -> Markup:
    systems = content.systems
    items = [item for place in _places(content, lengths, labels) for item in place]
    known = [value for *_, n, _ in items for i in systems.range if (value := systems.value(n, i)) is not None]
    most = 1 - min(known, default=0.0)
    lines: list[tuple[object, Sequence[Shaded | None]]] = []
    for button, _, name, count in items:
        cells: list[Shaded | None] = []
        for i in systems.order:
            value = systems.value(name, i)
            if value is None:
                cells.append(None)
                continue
            cls = "real" if not systems.many and systems.apart(name, i).real else ""
            interval = systems.interval(name, i)
            tip = f"{systems.names[i]}: {percent(value)}" + (f", {ends(interval)}" if interval else "")
            cells.append(Shaded(percent(value, 1 if systems.many else 2), shade(1 - value, most), cls, tip))
        lines.append((join(button, " ", tag("small", f"{count:,}")), cells))
    return grid(*_columns(systems), lines, "F1 by length and label")


# -- for a paper --------------------------------------------------------------------------------------------


def _cite(content: Content) -> Section | None:
    """Return the sentence and the table of a paper, the signature and the command."""
    systems = content.systems
    comparison = systems.comparison
    rules = comparison.signature.partition("convention:")[2].partition(" ")[0]
    rules = f"convention {rules}" if rules else f"{comparison.mode} mode"
    how = note = ""
    if comparison.interval_samples:
        how = note = f"{_level(systems)} intervals, {comparison.interval_samples:,} bootstrap samples"
    if systems.count > 1 and (test := tested(systems)):
        corrected = ""
        if systems.count > 2:
            corrected = f", Holm over {comparison.tests} pairs"
        how += f"; p: {test}{corrected}"
        note += f"; difference and p: {test}{corrected}"
    cited = claims.cited(systems, __version__, rules, f" ({how})" if how else "")
    if cited is None:
        return None
    tables = [_paper(systems, note)]
    content_ = Sheet((), tuple(tables), (), headings=False)
    parts = [
        ("c-text", "Sentence", tag("p", cited.text, cls="prose", id="c-text")),
        ("c-tex", "LaTeX", tag("pre", format_named("latex").tables(content_), id="c-tex", tabindex=0)),
        ("c-sig", "Signature", tag("pre", comparison.signature, id="c-sig")),
        ("c-cmd", "Command", tag("pre", content.command, id="c-cmd")),
    ]
    made = [
        tag("div", _label(id, name), body) for id, name, body in parts if id != "c-cmd" or content.command
    ]
    say = _say("For a paper", [], export="cite")
    return _section("cite", "Cite", "over", say, card(tag("div", *made, cls="cite")), tables=tables)


def _label(id: str, name: str) -> Markup:
    return tag("p", tag("span", name), tag("button", "Copy", type="button", data_copy=id), cls="lab")


def _paper(systems: Systems, note: str) -> Table:
    """Return the table of a paper: the figures that matter for the task, with their intervals."""

    def figure(name: str, i: int) -> str:
        interval = systems.interval(name, i)
        text = percent(systems.value(name, i))
        return text if interval is None else f"{text} [{ends(interval).replace(' to ', ', ')}]"

    heads, lines = [Field("system", "System", text=True)], [[systems.names[i]] for i in systems.order]
    letters = systems.letters()
    if any(letters):
        heads.append(Field("group", "Group", text=True))
        for line, i in zip(lines, systems.order):
            line.append(letters[i])
    if systems.answers:
        names = ["valid", "strict_answer_f1", "repaired_f1"]
    else:
        names = ["precision", "recall", systems.main]
        names += ["continuous_f1", "discontinuous_f1"] if systems.gaps else []
        names += ["complete_match"] if systems.count == 1 and not systems.gaps else []
    for name in names:
        plain = name in ("valid", "precision", "recall", "complete_match")
        heads.append(Field(name, TITLES[name][1]))
        for line, i in zip(lines, systems.order):
            line.append(percent(systems.value(name, i)) if plain else figure(name, i))
    if systems.count > 1:
        heads += [Field("difference", "Difference"), Field("p", "p")]
        for line, i in zip(lines, systems.order):
            one = systems.apart(systems.main, i)
            interval = ends(one.interval, signed).replace(" to ", ", ")
            line.append(
                "" if one.points is None else signed(one.points) + (f" [{interval}]" if interval else "")
            )
            line.append(p_value(one.p).removeprefix("p = ").removeprefix("p "))
    cells: list[list[Cell]] = [[cell.replace("−", "-").replace("±", "") for cell in line] for line in lines]
    return Table(note, tuple(heads), cells, heads=1 + any(letters))
