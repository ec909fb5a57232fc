"""Reports of a comparison: tables of systems by measures, for reading, papers, spreadsheets and programs."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

from ..comparison import Comparison, SystemScores
from ..errors import SettingsError
from ..measures import Measure
from .escape import cell as sheet_cell
from .escape import harmless_json, visible

LEVELS = (("***", 0.001), ("**", 0.01), ("*", 0.05))
"""Marks of significance, the strictest first: p is below the number."""

_TESTS = {
    "bootstrap": "paired bootstrap, {} resamples",
    "permutation": "paired permutation, {} shuffles",
    "sign": "sign test on single sentences, exact",
}

# A blank that no table takes away.
_PAD = "\ue000"


class Table(NamedTuple):
    """A table before it has a format."""

    title: str
    head: list[str]
    rows: list[list[tuple[str, str]]]
    """For each row its cells: text, and marks behind it."""


def render(comparison: Comparison, format: str = "text") -> str:
    """The comparison in a format of :data:`FORMATS`.

    Raises:
        SettingsError: an unknown format.
    """
    if format not in FORMATS:
        raise SettingsError(f"found the output format {format!r}; expected one of {', '.join(FORMATS)}")
    return FORMATS[format](comparison)


def tables(comparison: Comparison) -> list[Table]:
    """The scores with marks of significance, then p-values and intervals, as far as there are any."""
    head = ["System", *[measure.title for measure in comparison.measures]]
    found = [Table("", head, [_scores(comparison, system) for system in comparison.systems])]
    if comparison.test is not None:
        how = _TESTS[comparison.test].format(f"{comparison.test_samples:,}")
        rows = [
            [(system.name, "")]
            + [(_p_value(system.p_values[measure.name]), "") for measure in comparison.measures]
            for system in comparison.systems[1:]
        ]
        found.append(Table(f"p-values of the difference from {comparison.baseline.name} ({how})", head, rows))
    if comparison.test == "sign":
        rows = [
            [(system.name, "")] + [(_outcome(system, measure), "") for measure in comparison.measures]
            for system in comparison.systems[1:]
        ]
        found.append(Table(f"Wins, ties and losses against {comparison.baseline.name}", head, rows))
    if comparison.confidence is not None:
        title = (
            f"{100 * comparison.confidence:g} % confidence intervals "
            f"(bootstrap percentiles, {comparison.interval_samples:,} resamples)"
        )
        rows = [
            [(system.name, "")] + [(_interval(system, measure), "") for measure in comparison.measures]
            for system in comparison.systems
        ]
        found.append(Table(title, head, rows))
    return found


def notes(comparison: Comparison) -> list[str]:
    """What has to be known of the tables, a line each."""
    lines = []
    if comparison.test is not None:
        levels = ", ".join(f"{marks} p < {level:g}" for marks, level in reversed(LEVELS))
        lines.append(f"{levels}; two-sided, not corrected for the number of tests")
    lines.append(f"{comparison.gold_sentences:,} gold sentences")
    for system in comparison.systems:
        said = list(system.notes)
        if system.units != comparison.gold_sentences:
            said.insert(0, f"resampled in {system.units:,} units, as the alignment joins sentences")
        if said:
            lines.append(f"{system.name}: {', '.join(said)}")
    return lines


# -- formats ----------------------------------------------------------------------


def text(comparison: Comparison) -> str:
    """Tables for reading."""
    comparison = _visible(comparison)
    pieces = []
    for table in tables(comparison):
        # Marks hang over at the right, so that the numbers stand one under another.
        widest = [max(len(cell[1]) for cell in column) for column in zip(*table.rows)]
        rows = [
            [cell + marks + _PAD * (width - len(marks)) for (cell, marks), width in zip(row, widest)]
            for row in table.rows
        ]
        head = [cell + _PAD * width for cell, width in zip(table.head, widest)]
        lines = _tabulate(rows, head, "simple").replace(_PAD, " ").splitlines()
        pieces.append("\n".join([table.title] * bool(table.title) + [line.rstrip() for line in lines]) + "\n")
    pieces.append("".join(f"# {line}\n" for line in [*notes(comparison), _signature(comparison)]))
    return "\n".join(pieces)


def markdown(comparison: Comparison) -> str:
    """Tables for a README or an issue."""
    comparison = _visible(comparison)
    pieces = []
    for table in tables(comparison):
        rows = [[_markdown(cell + marks) for cell, marks in row] for row in table.rows]
        title = f"{_markdown(table.title)}\n\n" if table.title else ""
        pieces.append(f"{title}{_tabulate(rows, [_markdown(cell) for cell in table.head], 'pipe')}\n")
    lines = [*notes(comparison), _signature(comparison)]
    pieces.append("".join(f"- {_markdown(line)}\n" for line in lines))
    return "\n".join(pieces)


def latex(comparison: Comparison) -> str:
    r"""Tables for a paper; they need ``\usepackage{booktabs}``."""
    comparison = _visible(comparison)
    pieces = []
    for table in tables(comparison):
        rows = [
            [_latex(cell) + (rf"\rlap{{$^{{{marks}}}$}}" if marks else "") for cell, marks in row]
            for row in table.rows
        ]
        rules = iter((r"\toprule", r"\midrule", r"\bottomrule"))
        lines = _tabulate(rows, [_latex(cell) for cell in table.head], "latex_raw").splitlines()
        lines = [next(rules) if line == r"\hline" else line for line in lines]
        title = [f"% {table.title}"] if table.title else []
        pieces.append("\n".join(title + lines) + "\n")
    pieces.append("".join(f"% {line}\n" for line in [*notes(comparison), _signature(comparison)]))
    return "\n".join(pieces)


def separated(comparison: Comparison, separator: str = ",") -> str:
    """One row a system, for a spreadsheet; empty where there is no number.

    For each measure the figure as in the other tables, and as far as there are
    any the ends of its interval and its p-value; then what was left out, and the
    signature.
    """
    comparison = _visible(comparison)
    head = ["system"]
    for measure in comparison.measures:
        head.append(measure.name)
        if comparison.confidence is not None:
            head += [f"{measure.name}_low", f"{measure.name}_high"]
        if comparison.test is not None:
            head.append(f"{measure.name}_p")
    head += ["notes", "signature"]
    stream = io.StringIO()
    writer = csv.writer(stream, delimiter=separator, lineterminator="\n")
    writer.writerow(head)
    for system in comparison.systems:
        row = [sheet_cell(system.name)]
        for measure in comparison.measures:
            row.append(_number(measure, system[measure.name], ""))
            if comparison.confidence is not None:
                ends = system.intervals[measure.name] or (None, None)
                row += [_number(measure, end, "") for end in ends]
            if comparison.test is not None:
                p = system.p_values.get(measure.name)
                row.append("" if p is None else f"{p:.6g}")
        row += [", ".join(system.notes), comparison.signature]
        writer.writerow(row)
    return stream.getvalue()


def as_json(comparison: Comparison) -> str:
    """Everything, rates in [0, 1], ``null`` where undefined."""
    text = json.dumps(comparison.to_dict(), ensure_ascii=False, indent=1, allow_nan=False)
    return harmless_json(text) + "\n"


FORMATS: dict[str, Callable[[Comparison], str]] = {
    "text": text,
    "json": as_json,
    "csv": separated,
    "tsv": lambda comparison: separated(comparison, "\t"),
    "markdown": markdown,
    "latex": latex,
}
"""For each format its function."""


def _visible(comparison: Comparison) -> Comparison:
    """The comparison with names and a signature that do no harm to a terminal or a comment line."""
    systems = tuple(replace(system, name=visible(system.name)) for system in comparison.systems)
    return replace(comparison, systems=systems, signature=visible(comparison.signature))


def _signature(comparison: Comparison) -> str:
    return f"signature: {comparison.signature}"


def _tabulate(rows: list[list[str]], head: list[str], format: str) -> str:
    from tabulate import tabulate

    align = ["left"] + ["right"] * (len(head) - 1)
    found: str = tabulate(rows, head, tablefmt=format, colalign=align, disable_numparse=True)
    return found


# -- cells ------------------------------------------------------------------------


def _scores(comparison: Comparison, system: SystemScores) -> list[tuple[str, str]]:
    cells = [(system.name, "")]
    for measure in comparison.measures:
        p = system.p_values.get(measure.name)
        marks = next((marks for marks, level in LEVELS if p is not None and p < level), "")
        cells.append((_number(measure, system[measure.name]), marks))
    return cells


def _number(measure: Measure, value: float | None, undefined: str = "-") -> str:
    if value is None:
        return undefined
    if measure.form == "percent":
        return f"{100 * value:.2f}"
    return f"{value:.4f}" if measure.form == "share" else f"{value:.2f}"


def _p_value(p: float | None) -> str:
    if p is None:
        return "-"
    return f"{p:.4f}" if p >= 0.0001 else "<0.0001"


def _interval(system: SystemScores, measure: Measure) -> str:
    ends = system.intervals[measure.name]
    return "-" if ends is None else " to ".join(_number(measure, end) for end in ends)


def _outcome(system: SystemScores, measure: Measure) -> str:
    found = system.outcomes[measure.name]
    wins, losses = (found.wins, found.losses) if measure.larger_is_better else (found.losses, found.wins)
    return f"{wins}/{found.ties}/{losses}"


def _markdown(cell: str) -> str:
    # An underscore inside a word is none of Markdown's business.
    return re.sub(r"[\\`*\[\]<>|]|(?<!\w)_|_(?!\w)", lambda found: "\\" + found[0], cell)


_LATEX: dict[str, str] = {
    "\\": r"\textbackslash{}",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": "$<$",
    ">": "$>$",
    "|": "$|$",
    **{character: "\\" + character for character in "&%$#_{}"},
}


def _latex(cell: str) -> str:
    if cell == "-":
        return "--"
    # A star or a bracket right behind the end of a row would be an argument of it.
    guard = "{}" if cell.startswith(("*", "[")) else ""
    return guard + "".join(_LATEX.get(character, character) for character in cell)
