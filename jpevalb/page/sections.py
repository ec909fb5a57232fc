"""The sections of a page, in order: score, pairs, answers, errors, words, lengths and labels, cite."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..base.elements import Markup, classes, join, tag
from ..base.numbers import ends, p_value, percent, signed
from ..claims import made as claims
from ..claims import reading
from ..claims.kinds import joined
from ..claims.systems import Systems, ranked
from ..comparison.decided import ALIKE, DIFFERS
from ..metrics import Figure
from ..report import Shown, format_named
from ..report.comparison import pair_tables, sheet
from ..report.table import Cell, Field, Sheet, Table
from .answers import answers_section
from .board import board
from .figures import Sum, axis_of, columns, in_grid, in_rows
from .parts import Content, Item, PageSection, card, fold, section, table, table_of
from .plots import TIGHT, Shaded, glyph, grid, key, legend, strip

CAUSES = 9  # causes that have a row of their own
CONFUSIONS = 7
WORDS = 5  # words that differ most


def sections(content: Content) -> list[PageSection]:
    """Return the sections that a page has."""
    made = (_score, _pairs, answers_section, _errors, _words, _where, _cite)
    return [one for make in made if (one := make(content)) is not None]


# -- score ------------------------------------------------------------------------------------------------


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
    title = f"All {len(figures)} figures"
    title += (
        f", with {reading.level(systems.comparison)} intervals" if systems.comparison.interval_samples else ""
    )
    folds = [fold(title, table(every, "All figures"))]
    folds += [fold(*one) for one in content.folds]
    parts = (
        tag("p", reading.kicker(systems, content.gold), cls="kicker"),
        tag("h1", heading),
        tag("div", lead, keys, cls="lede"),
        card(board(systems)),
        tag("div", *folds, cls="folds"),
    )
    return PageSection("score", "Score", tag("section", *parts, id="score"), [every])


def _key(systems: Systems, text: str) -> Markup:
    """Return a line of the key of the board, behind the mark that it is about."""
    drawn = glyph(1, hollow=text.startswith("Hollow")) if text.startswith(("Filled", "Hollow")) else ""
    return tag("li", drawn if not systems.many else "", " " if drawn else "", text)


# -- pairs ------------------------------------------------------------------------------------------------


def _pairs(content: Content) -> PageSection | None:
    """Return all differences of three or more systems in one grid."""
    systems = content.systems
    if systems.count < 3:
        return None
    names, order, tight = systems.names, systems.rows, systems.count > TIGHT
    items: list[tuple[object, list[Shaded | None]]] = []
    for row in range(1, systems.count):
        cells: list[Shaded | None] = []
        for column in range(systems.count - 1):
            one = systems.between(order[row], order[column])
            stats = [text for text in (ends(one.interval, signed), p_value(one.p)) if text]
            tip = ", ".join([f"{names[order[column]]} − {names[order[row]]}: {signed(one.points)}", *stats])
            text, small = signed(one.points), ", ".join(stats)
            if systems.many:
                small = ""
                text = percent(None if one.points is None else abs(one.points), 1 if tight else 2)
            cls = {DIFFERS: "" if systems.many else "real", ALIKE: "tie"}.get(one.outcome, "")
            shade = 2 if one.outcome == DIFFERS else None
            cells.append(Shaded(text, shade, cls, tip, small) if column < row else None)
        items.append((key(names[order[row]], None if systems.many else order[row]), cells))
    heads, widest = columns(systems)
    figure = grid(heads[:-1], widest, items, "Differences of all pairs", 1180 if tight else 900)
    return section(
        *("pairs", "Pairs", "over" if tight else "beside", "Which differ from which?"),
        *(claims.ties(systems), reading.of_pairs(systems), card(figure)),
        tables=pair_tables(systems.comparison),
    )


# -- errors -----------------------------------------------------------------------------------------------


def _errors(content: Content) -> PageSection | None:
    """Return the causes of errors, and beside them the sentences that they choose."""
    systems = content.systems
    causes = sorted_causes(systems)
    if not causes and not content.listed:
        return None
    left = _causes(content, causes) if causes else tag("p", "Nothing is wrong in the brackets.", cls="mut")
    one = systems.count == 1
    kind = "stacked" if systems.dense else None if one else "wide"
    reader = tag("div", tag("div", left, cls="left"), *_reader(content), cls=classes("instrument", kind))
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
    items = []
    for cause in causes:
        name, tip, more = cause.title, "", ("",)
        if systems.count == 1:
            corrected = systems.analyses[0]["causes"].get(name, {}).get("corrected_f1")
            tip = f"with it alone corrected F1 {percent(corrected)}"
            more = (f"{count:,}" if (count := content.sentences.get(name)) else "",)
        items.append(Item(name, cause.name, f"cause:{name}", more=more, tip=tip))
    rest = causes[CAUSES:] if len(causes) > CAUSES + 1 else []
    items = items[: len(items) - len(rest)]
    sums = []
    if rest:
        most = max([systems.cost(cause, i) for cause in rest for i in systems.range])
        name = tag("small", f"{len(rest)} more, each at most {percent(most)}")
        sums.append(Sum(name, [sum([systems.cost(cause, i) for cause in rest]) for i in systems.range]))
    name = "100 − F1 repaired" if systems.answers else "100 − F1"
    sums.append(Sum(name, [systems.lost(i) for i in systems.range]))
    label = "Points of F1 lost by cause"
    if systems.dense:
        return in_grid(content, items, f"{label} and system", costs=True, sums=sums)
    axis = axis_of(systems, items, costs=True)
    return in_rows(content, items, axis, label, ("points", f"{systems.unit.split()[-1]}s"), "causes", sums)


def _reader(content: Content) -> list[Markup]:
    """Return the places of the list of sentences and of the trees, which the script fills."""
    if not content.listed:
        return []
    message = "Sentences and trees need scripts; ", tag("code", "--view"), " prints those of one system."
    return [tag("div", cls="right"), tag("div", tag("noscript", *message), cls="one-sentence")]


# -- words ------------------------------------------------------------------------------------------------

_LOST = {
    "f-ends": ("Sentence ends", "across a wrong sentence end"),
    "f-words": ("Words", "match only since words are aligned"),
    "f-parser": ("Parser", "the parser"),
}
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
    rest = [i for i in systems.order if i not in some]
    return section(
        *("words", "Words", "beside", "Is it the tokeniser or the parser?"),
        claims.blame(systems, some, rest),
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
        fields = (Field("gold", "gold", text=True), Field("system", "system", text=True), Field("n", "times"))
        tables["Words that differ most"] = Table("", fields, words)
    halves = [tag("div", tag("h3", title), table(one, title)) for title, one in tables.items()]
    return [tag("div", *halves, cls="halves inner")]


# -- lengths and labels -------------------------------------------------------------------------------------


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
            cards.append(_confusions(confused))
        body = tag("div", *cards, cls="thirds" if len(cards) > 2 else "halves")
    return section(
        *("where", "Lengths, labels", "over"),
        "Where is it good, and where bad?" if one else "Where do they differ?",
        *(claims.places(systems), reading.of_places(systems, both=bool(lengths and labels)), body),
        tables=[table_of(systems, "place", items)],
    )


def _confusions(confused: Sequence[Mapping[str, Any]]) -> Markup:
    fields = (Field("gold", "gold", text=True), Field("system", "system", text=True), Field("n", "times"))
    lines = [[one["gold"] or "()", one["system"] or "()", f"{one['count']:,}"] for one in confused]
    return card(tag("h3", "Wrong labels"), table(Table("", fields, lines), "Wrong labels"))


# -- for a paper --------------------------------------------------------------------------------------------


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
    ]
    if content.command:
        parts.append(("Command", tag("pre", content.command, id="c-cmd")))
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
    best = systems.main if systems.many else None
    return sheet(systems.comparison, Shown(tuple(names), best)).shown[0]
