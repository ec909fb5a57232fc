"""The sections of a page, in order: score, pairs, answers, errors, words, lengths and labels, cite."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from ..base.claims import joined
from ..base.text import Markup, classes, ends, hidden, join, measured, p_value, percent, signed, tag
from ..claims import made as claims, systems as reading
from ..claims.systems import ANSWERS, Systems, ranked
from ..comparison.result import ALIKE, DIFFERS
from ..metrics import Figure
from ..report import Choices, format_named
from ..report.comparison import pair_tables, sheet
from ..report.table import Cell, Field, Sheet, Table
from ..trees.sentence import REPAIRS, STATES
from .collected import Collected
from .parts import (
    TIGHT,
    Axis,
    Content,
    Item,
    PageSection,
    Shaded,
    Sum,
    axis_of,
    card,
    columns,
    fold,
    glyph,
    grid,
    in_grid,
    in_rows,
    key,
    legend,
    mark,
    plot,
    point,
    section,
    span,
    strip,
    table,
    table_of,
)

CAUSES = 9  # causes that have a row of their own
CONFUSIONS = 7
WORDS = 5  # words that differ most


def sections(content: Content) -> list[PageSection]:
    made = (_score, _pairs, answers_section, _errors, _words, _where, _cite)
    return [one for make in made if (one := make(content)) is not None]


def _score(content: Content) -> PageSection:
    systems = content.systems
    heading = joined(claims.title(systems, content.brackets), "; ")
    if interval := joined(claims.interval(systems)):
        heading = join(heading, " ", tag("small", interval))
    lead = tag("p", joined(claims.lead(systems, content.brackets)))
    keys = tag("ul", *[_key(systems, one) for one in reading.keys(systems)], cls="reading-key")
    figures = [
        Item(one.on_pages, one.name)
        for one in systems.figures
        if any(systems.value(one.name, i) is not None for i in systems.range)
    ]
    every = table_of(systems, "figure", figures)
    comparison = systems.comparison
    also = f", with {reading.level(comparison)} intervals" if comparison.interval_samples else ""
    whole = fold(f"All {len(figures)} figures{also}", table(every, "All figures"))
    parts = (
        tag("p", reading.kicker(systems, content.gold), cls="kicker"),
        tag("h1", heading),
        tag("div", lead, keys, cls="lede"),
        card(_tiles(systems) if systems.count == 1 else _score_table(systems)),
        tag("div", whole, *[fold(*one) for one in content.folds], cls="folds"),
    )
    return PageSection("score", "Score", tag("section", *parts, id="score"), [every])


def _key(systems: Systems, text: str) -> Markup:
    """Return a line of the key of the board, behind the mark that it is about."""
    drawn = glyph(1, hollow=text.startswith("Hollow")) if text.startswith(("Filled", "Hollow")) else ""
    return tag("li", drawn if not systems.many else "", " " if drawn else "", text)


def _pairs(content: Content) -> PageSection | None:
    """Return all differences of three or more systems in one grid."""
    systems = content.systems
    if systems.count < 3:
        return None
    order, tight = systems.rows, systems.count > TIGHT
    heads, widest = columns(systems)
    items = [
        (head, [_pair(systems, i, j) if j in order[:row] else None for j in order[:-1]])
        for row, (head, i) in enumerate(zip(heads, order))
    ]
    figure = grid(heads[:-1], widest, items[1:], "Differences of all pairs", 1180 if tight else 900)
    return section(
        *("pairs", "Pairs", "over" if tight else "beside", "Which differ from which?"),
        *(claims.ties(systems), reading.of_pairs(systems), card(figure)),
        tables=pair_tables(systems),
    )


def _pair(systems: Systems, first: int, second: int) -> Shaded:
    """Return the difference of the second system from the first."""
    one = systems.between(first, second)
    text, stats = signed(one.points), [text for text in (ends(one.interval, signed), p_value(one.p)) if text]
    tip = ", ".join([f"{systems.names[second]} − {systems.names[first]}: {text}", *stats])
    if systems.many:
        points = None if one.points is None else abs(one.points)
        text, stats = percent(points, 1 if systems.count > TIGHT else 2), []
    cls = {DIFFERS: "" if systems.many else "real", ALIKE: "tie"}.get(one.outcome, "")
    return Shaded(text, 2 if one.outcome == DIFFERS else None, cls, tip, ", ".join(stats))


def _errors(content: Content) -> PageSection | None:
    """Return the causes of errors, and beside them the sentences that they choose."""
    systems = content.systems
    causes = sorted_causes(systems)
    if not causes and not content.data:
        return None
    left = _causes(content, causes) if causes else tag("p", "Nothing is wrong in the brackets.", cls="mut")
    one = systems.count == 1
    # The script fills the places of the list of sentences and of the trees.
    note = "Sentences and trees need scripts; ", tag("code", "--view"), " prints those of one system."
    places = tag("div", cls="right"), tag("div", tag("noscript", *note), cls="one-sentence")
    kind = "stacked" if systems.dense else None if one else "wide"
    right = places if content.data else ()
    reader = tag("div", tag("div", left, cls="left"), *right, cls=classes("instrument", kind))
    exported = table_of(systems, "cause", [Item(cause.title, cause.name) for cause in causes])
    return section(
        *("errors", "Errors", "over"),
        "What kind of error costs most?" if one else "Which errors make the difference?",
        claims.errors(systems, content.sentences) if causes or one else [],
        reading.of_causes(systems) if causes else "",
        card(reader, cls="tree"),
        tables=[exported] if causes else [],
    )


def sorted_causes(systems: Systems) -> list[Figure]:
    """Return the causes that cost anything: the dearest first, or those in which few systems differ most."""
    known = [one for one in systems.causes if any(systems.cost(one, i) > 0 for i in systems.range)]
    if systems.count == 1 or systems.many:
        return sorted(known, key=lambda one: -sum([systems.cost(one, i) for i in systems.range]))

    def order(one: Figure) -> tuple[bool, float]:
        apart = [systems.apart(one.name, i) for i in systems.range if i != systems.base]
        return not any(d.real for d in apart), -max([abs(d.points or 0) for d in apart])

    return sorted(known, key=order)


def _causes(content: Content, causes: Sequence[Figure]) -> Markup:
    systems = content.systems
    rest = causes[CAUSES:] if len(causes) > CAUSES + 1 else []
    items = []
    for cause in causes[: len(causes) - len(rest)]:
        name, tip, more = cause.title, "", ("",)
        if systems.count == 1:
            corrected = systems.analyses[0]["causes"].get(name, {}).get("corrected_f1")
            tip = f"with it alone corrected F1 {percent(corrected)}"
            more = (f"{count:,}" if (count := content.sentences.get(name)) else "",)
        items.append(Item(name, cause.name, f"cause:{name}", more=more, tip=tip))
    sums: list[Sum] = []
    if rest:
        most = max([systems.cost(cause, i) for cause in rest for i in systems.range])
        name = tag("small", f"{len(rest)} more, each at most {percent(most)}")
        sums.append((name, [sum([systems.cost(cause, i) for cause in rest]) for i in systems.range]))
    name = "100 − F1 repaired" if systems.answers else "100 − F1"
    sums.append((name, [systems.lost(i) for i in systems.range]))
    label = "Points of F1 lost by cause"
    if systems.dense:
        return in_grid(content, items, f"{label} and system", costs=True, sums=sums)
    axis = axis_of(systems, items, costs=True)
    return in_rows(content, items, axis, label, ("points", f"{systems.unit.split()[-1]}s"), "causes", sums)


_LOST = {
    "f-ends": ("Sentence ends", "across a wrong sentence end"),
    "f-words": ("Words", "match only since words are aligned"),
    "f-parser": ("Parser", "the parser"),
}
_PAIRED = (Field("gold", "gold", text=True), Field("system", "system", text=True), Field("n", "times"))
_ALIGNED = {
    "one_to_one": "as in gold",
    "one_to_many": "split by the system",
    "many_to_one": "joined by the system",
}


def _words(content: Content) -> PageSection | None:
    """Return what other words and sentence ends cost; ``None`` if they cost nothing."""
    systems = content.systems
    texts = {i: systems.text_costs(i) for i in systems.rows}
    costs = {i: (*some, systems.lost(i) + some[1]) for i, some in texts.items()}
    some = [i for i, (at_ends, in_words, _) in costs.items() if percent(at_ends + in_words) != "0.00"]
    if systems.answers or not some:
        return None
    most = max([lost for *_, lost in costs.values()])
    bars: list[Markup] = []
    lines: list[list[Cell]] = []
    for i, (at_ends, in_words, lost) in costs.items():
        parts = (at_ends, in_words, max(0.0, lost - at_ends - in_words))
        shown = [(part / most, cls, percent(part)) for part, cls in zip(parts, _LOST)]
        drawn = strip(shown, f"points lost by {systems.names[i]}")
        name = key(systems.names[i], None if systems.many else i)
        bars += [drawn] if systems.count == 1 else [name, drawn, tag("span", percent(lost))]
        lines.append([systems.full[i], *[f"{100 * part:.2f}" for part in parts]])
    strips = tag("div", *bars, cls="strips" if systems.count > 1 else None)
    meaning = legend([(cls, text) for cls, (_, text) in _LOST.items()])
    fields = [Field(cls.removeprefix("f-"), title) for cls, (title, _) in _LOST.items()]
    return section(
        *("words", "Words", "beside", "Is it the tokeniser or the parser?"),
        claims.blame(systems, some, [i for i in systems.order if i not in some]),
        reading.of_words(systems),
        card(tag("h3", "Points of strict F1 lost"), strips, meaning, *_words_of_one(systems)),
        tables=[Table("", (Field("system", "System", text=True), *fields), lines)],
    )


def _words_of_one(systems: Systems) -> list[Markup]:
    """Return F1 by the kind of alignment, and the words that differ most."""
    counts = systems.totals[0].get("alignment")
    if systems.count > 1 or not counts:
        return []
    groups = counts["groups"]
    aligned: list[list[Cell]] = [
        [text, str(groups[name]["groups"]), percent(groups[name]["f1"])]
        for name, text in _ALIGNED.items()
        if name in groups
    ]
    fields = (Field("ends", "sentence ends", text=True), Field("pairs", "pairs"), Field("f1", "F1"))
    tables = {"F1 by sentence ends": Table("", fields, aligned)}
    if words := [[one["gold"], one["system"], str(one["times"])] for one in counts["words"][:WORDS]]:
        tables["Words that differ most"] = Table("", _PAIRED, words)
    halves = [tag("div", tag("h3", title), table(one, title)) for title, one in tables.items()]
    return [tag("div", *halves, cls="halves inner")]


def _where(content: Content) -> PageSection | None:
    """Return F1 by length and by label, and the labels that are confused."""
    systems = content.systems
    one = systems.count == 1
    known = {figure.name for figure in systems.of_lengths}
    lengths = [
        Item(
            *(length.name, length.figure, f"length:{length.ends[0]}-{length.ends[1] or ''}"),
            note=f"{length.sentences:,}",
            few=one and length.sentences < reading.FEW_SENTENCES,
        )
        for length in systems.lengths()
        if length.figure in known and length.sentences
    ]
    labels = [
        Item(label, figure.name, f"label:{label}", note=f"{times:,}")
        for label, figure, times in systems.labels()
    ]
    if one:
        labels.sort(key=lambda item: ranked(systems.value(item.figure, 0)))
    items = [*lengths, *labels]
    if not items:
        return None
    rate = "Recall" if systems.unlabeled else "F1"
    if systems.dense:
        body = card(in_grid(content, items, f"{rate} by length and label"))
    else:
        axis = axis_of(systems, items)
        groups = (("length", "words, sentences", lengths), ("label", "times in gold", labels))
        cards = [
            card(
                tag("h3", f"{rate} by {title} ", tag("small", about)),
                in_rows(content, group, axis, f"{rate} by {title}", [rate]),
            )
            for title, about, group in groups
            if group
        ]
        if one and (confused := systems.analyses[0]["confusions"][:CONFUSIONS]):
            times = [[one["gold"] or "()", one["system"] or "()", f"{one['count']:,}"] for one in confused]
            title = "Wrong labels"
            cards.append(card(tag("h3", title), table(Table("", _PAIRED, times), title)))
        body = tag("div", *cards, cls="thirds" if len(cards) > 2 else "halves")
    return section(
        *("where", "Lengths, labels", "over"),
        "Where is it good, and where bad?" if one else "Where do they differ?",
        *(claims.places(systems), reading.of_places(systems, both=bool(lengths and labels)), body),
        tables=[table_of(systems, "place", items)],
    )


def _cite(content: Content) -> PageSection | None:
    """Return the sentence and the table of a paper, the signature and the command."""
    systems = content.systems
    comparison = systems.comparison
    how = []
    if samples := comparison.interval_samples:
        how.append(f"{reading.level(systems.comparison)} intervals, {samples:,} bootstrap samples")
    if systems.count > 1 and (test := reading.tested(systems.comparison)):
        how.append(f"p: {test}{f', {reading.corrected(systems)}' if systems.count > 2 else ''}")
    cited = claims.cited(systems, f" ({'; '.join(how)})" if how else "")
    if cited is None:
        return None
    title = "; ".join(["± half of " * bool(comparison.interval_samples) + how[0], *how[1:]]) if how else ""
    paper = _paper(systems)._replace(title=title)
    latex = format_named("latex").tables(Sheet((), (paper,), (), headings=False)).strip()
    parts = [
        ("Sentence", tag("p", cited.text, cls="prose", id="c-text")),
        ("LaTeX", tag("pre", latex, id="c-tex", tabindex=0)),
        ("Signature", tag("pre", comparison.signature, id="c-sig")),
        *([("Command", tag("pre", content.command, id="c-cmd"))] if content.command else []),
    ]
    made = [tag("div", tag("p", name, cls="lab"), shown) for name, shown in parts]
    body = card(tag("div", *made, cls="cite"))
    return section("cite", "Cite", "over", "For a paper", [], "", body, tables=[paper])


def _paper(systems: Systems) -> Table:
    """Return the table of a paper: that of reports with the figures that matter for the task."""
    names = ["precision", "recall", systems.main]
    if systems.answers:
        names = ["valid", "strict_answer_f1", "repaired_f1"]
    elif systems.gaps:
        names += ["continuous_f1", "discontinuous_f1"]
    elif systems.count == 1:
        names.append("complete_match")
    shown = Choices(tuple(names), systems.main if systems.many else None)
    return sheet(systems.comparison, shown).shown[0]


FAR = 5  # figures of the board on narrow screens


def _tiles(systems: Systems) -> Markup:
    """Return each figure of one system with its place between 0 and 1."""
    axis = Axis([0.0, 1.0], 1)
    tiles: list[Markup] = []
    for figure in systems.board():
        value = systems.value(figure.name, 0)
        lines = span(axis, (0, 1), "rail s0"), span(axis, (0, value or 0), "ci s0")
        parts = (
            tag("span", figure.on_pages, cls="hd"),
            tag("span", percent(value), cls="big"),
            plot(axis, *lines, cls="mp"),
            tag("span", ends(systems.interval(figure.name, 0)), cls="sub"),
        )
        tiles.append(tag("div", *parts, role="listitem", cls=classes("cell", not tiles and "first")))
    return tag("div", *tiles, cls=f"board one m{len(tiles) - 1}", role="list", aria_label="Scores")


def _cell(*content: object, cls: str | None = "", tip: str = "") -> Markup:
    return tag("span", *content, role="cell", cls=classes("cell", cls), data_tip=tip or None)


def _score_table(systems: Systems) -> Markup:
    """Return a table of several systems with F1 and the differences as plots."""
    many = systems.many
    main, base, order = systems.main, systems.base, systems.rows
    first, *figures = systems.board()
    letters = systems.letters()
    every = sorted(set("".join(letters)))
    known = [systems.interval(main, i) or (systems.value(main, i) or 0,) for i in order]
    of_f1 = Axis([end for one in known for end in one], 8 if many else 5, rates=True)
    apart = [systems.apart(main, i) for i in order]
    of_differences = Axis([x for d in apart for x in d.interval or (d.points or 0,)], 4, zero=True)

    def head(text: object, cls: str | None = "") -> Markup:
        return tag("span", text, role="columnheader", cls=classes("hd", cls))

    heads = [
        head(hidden("system")),
        *([head("group")] if many else []),
        head(first.on_pages),
        *([head("from best", "r"), head("p", "r pp")] if many else [head(f"from {systems.names[base]}")]),
        *[head(one.on_pages, classes("r m", k >= FAR and "far")) for k, one in enumerate(figures)],
    ]
    lines = [tag("div", *heads, role="row")]
    for i, one in zip(order, apart):
        k = 0 if many else i
        f1, interval = systems.value(main, i), systems.interval(main, i)
        name = tag("span", key(systems.names[i], None if many else i), role="rowheader", cls="cell name")
        drawn = point(of_f1, f1, interval, k, filled=not many or i == base or one.real)
        tip = f"{systems.names[i]}: F1 {measured(f1, interval)}"
        value = tag("b", percent(f1), cls=None if many else "big")
        plotted = _cell(tag("span", plot(of_f1, drawn, cls="mp", tip=tip), value, cls="pv"))
        p = p_value(one.p)
        if many:
            # Each letter has a column of its own.
            own = "".join([letter if letter in letters[i] else " " for letter in every])
            difference = "best" if i == base else signed(one.points)
            cells = [
                *(_cell(own, cls="grp"), plotted),
                _cell(difference, cls=classes("num", i != base and not one.real and "mut")),
                _cell(p.removeprefix("p = ").removeprefix("p "), cls="num mut pp"),
            ]
        else:
            cells = [plotted, _difference(systems, i, of_differences, p)]
        cells += [_figure(systems, figure, i, "far" if j >= FAR else "") for j, figure in enumerate(figures)]
        lines.append(tag("div", name, *cells, role="row"))
    empty = tag("span", cls="tk")
    last = _scale(of_f1) if many else _scale(of_differences, sign=True)
    scales = [empty, empty if many else _scale(of_f1), last]
    lines.append(tag("div", *scales, role="row", aria_hidden="true", cls="scale"))
    kind = "many" if many else "mid" if systems.dense else "few"
    cls = f"board {kind} m{len(figures)} n{systems.count}"
    return tag("div", *lines, cls=cls, role="table", aria_label="Scores")


def _scale(axis: Axis, *, sign: bool = False) -> Markup:
    return tag("span", tag("span", axis.labels(sign=sign)), cls="tk pv")


def _difference(systems: Systems, i: int, axis: Axis, p: str) -> Markup:
    one = systems.apart(systems.main, i)
    if i == systems.base:
        zero = plot(axis, mark(axis, 0, i), cls="mp")
        return _cell(tag("span", zero, tag("span", "baseline", cls="sub num"), cls="pv"))
    drawn = point(axis, one.points, one.interval, i, filled=one.real)
    tip = measured(one.points, one.interval, signed) + (f", {p}" if p else "")
    value = tag("b", signed(one.points), cls=f"big {'real' if one.real else 'soft'}")
    return _cell(tag("span", plot(axis, drawn, cls="mp", tip=tip), value, cls="pv"))


def _figure(systems: Systems, figure: Figure, i: int, far: str) -> Markup:
    value, one = systems.value(figure.name, i), systems.apart(figure.name, i)
    cls = classes("num m", far, value is None and "mut")
    if systems.many or value is None:
        return _cell(percent(value), cls=cls)
    second = Markup("&nbsp;") if i == systems.base or one.points is None else signed(one.points)
    real = "real" if one.real else None
    tip = f"{figure.on_pages}: {second}, {ends(one.interval, signed)}" if one.interval else ""
    parts = tag("span", percent(value), cls=real), tag("span", second, cls=classes("sub", real))
    return _cell(*parts, cls=cls, tip=tip)


_SIGNS = {"valid": "", "around": "f", "brackets": "b", "cut": "…", "none": "×", "words": "~"}
_LOST_ANSWERS = {
    "format": ("f-format", "format: repairs bring them back"),
    "labels": ("f-labels", "labels that gold lacks"),
    "rest": ("f-parser", "syntax"),
}


def answers_section(content: Content) -> PageSection | None:
    counts, found = content.systems.answers, content.collected
    if counts is None or found is None:
        return None
    about = tag("h3", "States by length ", tag("small", "F1 as written → repaired"))
    lengths = tag("div", *_states_by_length(content.systems, found), cls="strips")
    items = _ladder(counts)
    heads = ("gain", "with it", "made trees")
    label = "F1 after each repair, one after the other"
    ladder = in_rows(content, items, axis_of(content.systems, items), label, ("F1", *heads), "ladder")
    return section(
        *("answers", "Answers", "over", "What is wrong with the answers?", claims.broken(counts), ANSWERS),
        tag("div", _squares(found), card(about, lengths, *_points_lost(counts["lost"] or {})), cls="halves"),
        card(tag("h3", label), ladder),
        tables=[table_of(content.systems, "repair", items, heads)],
    )


def _squares(found: Collected) -> Markup:
    """Return a square for each answer, and the meaning of the squares."""
    squares, times = [], dict.fromkeys(STATES, 0)
    for number, state, _ in found.answers:
        times[state] += 1
        tip = f"sentence {number}: {STATES[state]}"
        data = {"data_show": f"state:{state}", "data_number": number, "data_tip": tip}
        label = f"{_SIGNS[state]} {tip}".strip()
        cls = f"sq st-{state}"
        squares.append(tag("button", _SIGNS[state], type="button", cls=cls, **data, aria_label=label))
    meaning = [
        (f"st-{state}", join(f"{_SIGNS[state]} ", tag("b", f"{count:,}"), f" {STATES[state]}"))
        for state, count in times.items()
        if count
    ]
    parts = tag("div", *squares, cls="squares"), legend(meaning)
    return card(tag("h3", f"{len(squares):,} answers"), *parts)


def _points_lost(lost: Mapping[str, float]) -> list[Markup]:
    """Return the parts of the points lost, unless a repair loses points."""
    total = sum(lost.values())
    if not total or min(lost.values()) < 0:
        return []
    bars = [(lost[name] / total, cls, percent(lost[name])) for name, (cls, _) in _LOST_ANSWERS.items()]
    heading = tag("h3", f"{percent(total)} points of F1 lost", cls="lost")
    return [heading, strip(bars, "points of F1 lost"), legend(_LOST_ANSWERS.values())]


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


def _ladder(counts: Mapping[str, Any]) -> list[Item]:
    """Return the answers as written, after each repair, and those that are trees as written alone."""
    first, *steps = counts["ladder"]
    items = [Item("as written", "strict_answer_f1", more=("", "", f"{first['answers']:,}"))]
    for before, step in pairwise([first, *steps]):
        name = step["repair"]
        gain = None if None in (before["f1"], step["f1"]) else step["f1"] - before["f1"]
        more = (signed(gain), f"{counts['repairs'][name]:,}", f"{step['answers']:,}")
        shown = name.replace("_", " ")
        items.append(Item(shown, f"step {name}", f"repair:{shown}", REPAIRS[name], more))
    more = ("", "", f"{counts['valid_only']['sentences']:,}")
    note = "the other sentences left out: not comparable"
    return [*items, Item("trees as written only", "valid_only_f1", note=note, more=more, few=True)]
