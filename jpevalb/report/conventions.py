"""Tables of conventions: the figures of systems under each, and the list of all."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ..base.text import folded, visible, width_of
from ..claims.notes import notes_of_table
from ..claims.systems import shortened
from ..score.conventions import ConventionResult, ConventionTable
from ..settings.convention import PURPOSES, Convention
from . import format_named
from .table import Cell, Field, MarkedNumber, Sheet, Table, cells_of, percent

WIDTH = 80  # of the text report
_SIDE_BY_SIDE = 7  # maximum number of systems in a text table without rules
MOST_WORDS = 6  # maximum number of words on the rules of a row, for reading

_NAME = Field("convention", "Convention", text=True)
_FIGURES = (
    Field("recall", "R"),
    Field("precision", "P"),
    Field("f1", "F1"),
    Field("complete_match", "CM"),
    Field("tag_accuracy", "Tags"),
    Field("sentences", "Sentences", short="sents"),
)
_cells = cells_of(_FIGURES)
_OF = Field("of", "Settings for", text=True)
_DIFFERS = Field("differs", "Differs from evalb", text=True)


def render_conventions(table: ConventionTable, format: str = "text") -> str:
    if format == "json":
        from .json import text_of

        return text_of(table.to_dict()) + "\n"
    sheet = sheet_of(table)
    if format != "text":
        return format_named(format).tables(sheet)
    tables, notes = _short_tables(table, sheet.shown[0].title)
    text = format_named(format).tables(sheet._replace(shown=tables, notes=(*sheet.notes, *notes)))
    return "".join([f"{piece}\n" for line in text.splitlines() for piece in folded(line, WIDTH)])


def _short_tables(table: ConventionTable, title: str) -> tuple[tuple[Table, ...], list[str]]:
    """Return a table of F1 and as many rules as fit into 80 columns, and notes on its columns."""
    room = WIDTH - max([len("Convention"), *[len(one.name) for one in table.conventions]])
    if len(table.systems) == 1:
        heads, kept = ["F1", "sents"], [0, 3, 6, 7]
        notes = ["recall, precision, complete match, tags, all rules: --as csv"]
        room -= len(" 100.00* sents")
    else:
        heads, notes = shortened(table.systems), ["all rules: --as csv"]
        if sum([1 + max(7, width_of(name)) for name in heads]) > room:
            heads = [str(number) for number, _ in enumerate(table.systems, 1)]
            notes[:0] = map(": ".join, zip(heads, table.systems))
        kept = list(range(len(heads) + 2))
        room -= sum([1 + max(7, width_of(name)) for name in heads])
    made = _table(table, lambda convention: _few_rules(convention, room - 1), title).with_columns(kept)
    first, *figures, last = made.fields
    figures = [field._replace(short=visible(head)) for field, head in zip(figures, heads)]
    made = made._replace(fields=(first, *figures, last))
    if room < len(_DIFFERS.title) + 1:
        return tuple(made.with_columns(range(len(made.fields) - 1)).split(_SIDE_BY_SIDE)), notes
    return (made,), notes


def _rules(convention: Convention) -> list[str]:
    return convention.differences(Convention.of("evalb"))


def _few_rules(convention: Convention, room: int = WIDTH) -> str:
    """Return the first rules that differ from evalb's, in a few words, and the number of the others."""
    rules = _rules(convention)
    for shown in range(len(rules), 0, -1):
        rest = [f"and {len(rules) - shown} more"] if shown < len(rules) else []
        text = "; ".join([*rules[:shown], *rest])
        if len(text) <= room and len(" ".join(rules[:shown]).split()) <= MOST_WORDS:
            return text
    return f"{len(rules)} rules" if rules else "-"


def render_list(conventions: Iterable[Convention]) -> str:
    others = [Field(name, name.title(), text=True) for name in ("tool", "figure")]
    fields = (_NAME._replace(path="name"), *others)
    notes = "papers and commits: --convention all --as json", "rules: --help rules"
    rows = list(map(cells_of(fields), conventions))
    tables = Table("Conventions", fields, rows), Table("Presets", (_NAME, _OF), list(PURPOSES.items()))
    return format_named("text").tables(Sheet((), tables, notes))


def sheet_of(table: ConventionTable) -> Sheet:
    title = "F1 of each system" if len(table.systems) > 1 else "Conventions"
    plain = _table(table, lambda convention: "; ".join(_rules(convention)), title)
    notes = tuple([one.text for one in notes_of_table(table)])
    return Sheet((plain,), (_table(table, _few_rules, title),), notes)


def _table(table: ConventionTable, differences: Callable[[Convention], str], title: str) -> Table:
    """Return a row for each convention: all figures of one system, or F1 of each of several."""
    rows: list[list[Cell]] = []
    several = len(table.systems) > 1
    for convention, *results in zip(table.conventions, *table.results):
        marked = [_f1(table, row) for row in results]
        figures = marked if several else [*_cells(results[0])[:2], *marked, *_cells(results[0])[3:]]
        rows.append([convention.name, *figures, differences(convention)])
    systems = [Field(name, name) for name in table.systems]
    return Table(title, (_NAME, *(systems if several else _FIGURES), _DIFFERS), rows, name="conventions")


def _f1(table: ConventionTable, row: ConventionResult) -> Cell:
    text = percent(row.f1)
    return MarkedNumber(text, "*") if text is not None and table.is_near(row) else text
