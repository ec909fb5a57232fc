"""Write the manual pages from the parsers: ``make man``, or ``python docs/manual.py FOLDER``."""

from __future__ import annotations

import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from jpevalb import __version__
from jpevalb.commands import average as average_command, options
from jpevalb.commands.arguments import CommandParser, invocation
from jpevalb.settings.params import bundled

NAMES = {
    "jpevalb": "score constituency parse trees",
    "jpevalb-average": "average several systems' parse trees",
}

DESCRIPTIONS = {
    "jpevalb": """\
Scores a file of system parse trees against a file of gold trees.

First, sentences and words of the two files are aligned, which may differ in both. Then brackets,
crossing brackets and tags are counted, and Struct-IoU and tree node accuracy are computed.

In discbracket, NEGRA export, TIGER and Alpino XML, trees may have gaps. There words must agree, and
constituents are sets of words; F1 is reported over all of them, over those in one block, and over
those with gaps.

`-evalb` prints what evalb or evalb_spmrl prints, byte for byte, with the same messages and exit
status. One of evalb's own options, or a link to the program that is named `evalb` or `evalb_spmrl`,
does the same.

Several systems are shown in one table, with tests of the differences from the first.

One of the files may be `-`, standard input; files that end in .gz, .bz2 or .xz are decompressed.""",
    "jpevalb-average": """\
Writes for each sentence the tree that agrees best with the systems' trees: of all trees over its
words, not only those given, the one with the greatest sum of weighted, unlabelled F1 scores.
Constituents may have gaps.

All files have the same sentences in the same order. A system without a parse for a sentence is left
out there, with a warning on standard error.""",
}

STATUS = (
    ("0", "Success."),
    ("1", "The run failed, or stopped as evalb does."),
    ("2", "Invalid command line."),
    ("3", "F1 is below \\-\\-fail\\-under."),
    ("130", "Interrupted."),
)


def page(parser: CommandParser) -> str:
    """Return the manual page of a command, in roff with the man macros.

    Options and their groups are the parser's, their texts are from ``options.md``.
    """
    name = parser.prog
    explained = texts(name)
    lines = [
        f'.TH "{name.upper()}" "1" "" "jpevalb {__version__}" "User Commands"',
        ".SH NAME",
        f"{_escape(name)} \\- {NAMES[name]}",
        ".SH SYNOPSIS",
        *_synopsis(parser),
        ".SH DESCRIPTION",
        *_paragraphs(DESCRIPTIONS[name]),
        ".SH OPTIONS",
    ]
    for title in parser.groups:
        actions = [action for action, row in parser.rows.items() if row.group == title]
        if actions:
            lines.append(f'.SS "{_escape(_title(title))}"')
            for action in actions:
                key = invocation(action)
                if key not in explained:
                    raise SystemExit(f"docs/options.md lacks `{key}` of {name}; add it there")
                lines += [".TP", _bold(key), _inline(explained[key])]
    if name == "jpevalb":
        lines += [".SH FILES", "Parameter files that come with the program; give their names:"]
        lines += [_escape(", ".join(bundled())) + "."]
        lines += [".SH ENVIRONMENT", ".TP", "\\fBJPEVALB_PURE\\fR"]
        lines += ["If 1, interpreted kernels are used although compiled ones are installed."]
        lines += [".TP", "\\fBNO_COLOR\\fR", _inline("If set, `--view` uses no colours.")]
    lines.append(".SH EXIT STATUS")
    for status, meaning in STATUS:
        lines += [".TP", f"\\fB{status}\\fR", meaning]
    lines.append(".SH EXAMPLES")
    for line in (parser.epilog or "").strip().splitlines()[1:]:
        command, _, meaning = line.strip().partition("  ")
        lines.append(".PP")
        if meaning:
            lines.append(_escape(f"{meaning.strip().capitalize()}:"))
        lines += [".EX", _escape(command), ".EE"]
    lines += [".SH SEE ALSO", " ,\n".join(f".BR {_escape(other)} (1)" for other in NAMES if other != name)]
    return "\n".join(lines) + "\n"


def texts(program: str) -> dict[str, str]:
    """Return the texts of ``options.md`` on a program's options, by their calls: ``--prm PRM``."""
    text = (Path(__file__).parent / "options.md").read_text(encoding="utf-8")
    first, second = text.split("\n## jpevalb-average\n")
    part = first if program == "jpevalb" else second
    found = re.findall(r"^`([^`\n]+)`\n: (.*(?:\n\n?  .*)*)$", part, re.MULTILINE)
    return {key: re.sub(r"\n+ +(?!- )", " ", re.sub(r"\n+ +- ", "\n- ", text)) for key, text in found}


def _synopsis(parser: CommandParser) -> list[str]:
    calls = [parser.usage or ""]
    if parser.prog == "jpevalb":
        calls += ["jpevalb GOLD SYSTEM -evalb [PRM]", "jpevalb [-p PRM] [-d|-D] [-c N] [-e N] GOLD SYSTEM"]
    lines: list[str] = []
    for call in calls:
        program, rest = call.split(" ", 1)
        lines += [".br", f"\\fB{_escape(program)}\\fR {_escape(rest)}"]
    return lines[1:]


def _paragraphs(text: str) -> list[str]:
    lines: list[str] = []
    for paragraph in text.split("\n\n"):
        lines += [".PP", _inline(paragraph)]
    return lines[1:]


def _title(title: str) -> str:
    title = re.sub(r" \(its options.*", "", title)
    return title[:1].upper() + title[1:]


def _bold(invocation: str) -> str:
    """Make options bold and their values slanted."""
    words = []
    for word in invocation.split(" "):
        option = word.startswith("-")
        words.append(f"\\f{'B' if option else 'I'}{_escape(word)}\\fR")
    return " ".join(words)


def _inline(text: str) -> str:
    """Convert a paragraph of Markdown and its list: code is bold, links are replaced by their texts."""
    text = re.sub(r" See \[[^]]*\]\([^)]*\)\.", "", text)
    text = re.sub(r"\[([^]]+)\]\([^)]*\)", r"\1", text)
    text = _escape(text).replace("\n\\- ", "\n.br\n\\(bu ")
    return re.sub(r"`([^`]*)`", r"\\fB\1\\fR", text)


def _escape(text: str) -> str:
    """Escape text, so that roff prints it unchanged."""
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq")
    return f"\\&{text}" if text.startswith(".") else text


def pages() -> dict[str, str]:
    """Return the pages by their file names."""
    made = (options.parser(), average_command.parser())
    return {f"{parser.prog}.1": page(parser) for parser in made}


if __name__ == "__main__":
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent / "man")
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in pages().items():
        (folder / name).write_text(text, encoding="utf-8")
