"""Words, labels and file names that a terminal, spreadsheet, LaTeX or browser would interpret."""

from __future__ import annotations

import csv
import io
import json
import re

import pytest

from jpevalb.commands.average import main as average
from jpevalb.commands.evaluate import main
from tests.support.commands import jpevalb
from tests.support.files import write_files
from tests.support.report_pages import Page

# Everything that a terminal acts on, but for the line feed.
CONTROLS = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")

TEXTS = [
    "\x1b[31mred\x1b[0m",
    "\x1b]0;title\x07",
    "\x9b2J",
    "a\x7fb",
    "\u202etxt.exe",
    "\u2028line",
    "=HYPERLINK('x')",
    "+1",
    "@SUM",
    "\\input{/etc/passwd}",
    "a&b%c",
    "<script>alert",
    "|a|",
    "{{x}}",
]
NAMES = [
    "two\nlines",
    "\x1b[31mred",
    "=1+1",
    "@x",
    "-1",
    "tab\tbed",
    "a b",
    "_*_",
    "%",
    "</title><script>",
    "\udcff",
    "\\end{tabular}",
]
FORMATS = ("text", "json", "csv", "tsv", "markdown", "latex")


@pytest.fixture
def folder(folder):
    gold = "".join(f"(S ({text.replace('=', ':')} (NN {text}) (NN x)) (VB y))\n" for text in TEXTS)
    return write_files(folder, {"gold": gold, "sys": gold.replace("(NN x)) (VB y)", "(NN x) (VB y))")})


def check(text: str, output: str) -> None:
    found = CONTROLS.search(text.replace("\t", "") if output == "tsv" else text)
    assert found is None, text[max(0, found.start() - 80) : found.start() + 20]


@pytest.mark.parametrize("output", FORMATS)
@pytest.mark.parametrize(
    "options",
    [[], ["--by-label"], ["--convention", "discontinuous"], ["sys"], ["--on-error", "skip"], ["--quiet"]],
    ids=" ".join,
)
def test_reports_send_a_terminal_nothing_to_act_on(folder, output, options, capsys):
    if "skip" in options:
        broken = (folder / "sys").read_text(encoding="utf-8").replace(" (VB y)", "", 1)
        (folder / "sys").write_text(f"(S \x1b[31m(\n{broken}(S (NN a)) \x9b31m\n", encoding="utf-8")
    status = main(["gold", "sys", *options, "--output", output])
    captured = capsys.readouterr()
    if status == 2:
        assert output in ("csv", "tsv")
        assert options == ["--by-label"]
        return
    assert status == 0, captured.err
    check(captured.out, output)
    check(captured.err, "text")
    assert captured.out


@pytest.mark.parametrize("place", range(1, len(TEXTS) + 1))
def test_views_send_a_terminal_nothing_to_act_on(folder, place, capsys):
    assert main(["gold", "sys", "--view", str(place)]) == 0
    check(capsys.readouterr().out, "text")


@pytest.mark.parametrize("output", FORMATS)
def test_names_of_files_are_shown_harmlessly(folder, output):
    """Names in a table, a note, a comment line of LaTeX, a formula's place in a spreadsheet."""
    names = [name.replace("/", "_") for name in NAMES]
    for name in names:
        (folder / name).write_bytes((folder / "sys").read_bytes())
    systems = [f"./{name}" for name in names]
    done = jpevalb("gold", *systems, "sys", "--output", output, "--samples", "5", cwd=folder)
    assert done.returncode == 0, done.stderr
    text = done.stdout.decode("utf-8")
    check(text, output)
    check(done.stderr.decode("utf-8"), "text")
    if output in ("csv", "tsv"):
        rows = list(csv.reader(io.StringIO(text), delimiter="\t" if output == "tsv" else ","))
        assert len({len(row) for row in rows}) == 1
        assert len(rows) == 1 + len(names) + 1
        assert all(not cell.startswith(("=", "+", "@")) for row in rows for cell in row)
        assert all(not row[0].startswith("-") for row in rows)
    elif output == "json":
        json.loads(text)
    elif output == "latex":
        # Whatever is no table and no comment would be typeset or run.
        assert "\\end{tabular}" not in text.replace("\n\\end{tabular}\n", "") or "% " in text
        assert all(line.startswith(("%", "\\")) or "&" in line for line in text.splitlines() if line)
    elif output == "markdown":
        assert "<script>" not in text


def test_names_of_files_above_a_table_of_conventions(folder, capsys):
    for name in NAMES:
        (folder / name.replace("/", "_")).write_bytes((folder / "sys").read_bytes())
    systems = [f"./{name.replace('/', '_')}" for name in NAMES]
    assert main(["gold", *systems, "--conventions", "evalb,supar"]) == 0
    captured = capsys.readouterr()
    check(captured.out, "text")
    check(captured.err, "text")


@pytest.mark.parametrize("name", NAMES, ids=ascii)
@pytest.mark.parametrize("systems", [(), ("sys",)])
def test_names_of_files_on_a_page(folder, name, systems):
    name = name.replace("/", "_")
    (folder / name).write_bytes((folder / "sys").read_bytes())
    options = ["--samples", "5"] if systems else []
    assert main(["gold", f"./{name}", *systems, "--output", "html", *options, "--out", "page"]) == 0
    # Elements that do not close as they open are an error there, scripts of others too.
    page = Page((folder / "page").read_text(encoding="utf-8"))
    assert not page.comments
    assert page.text


@pytest.mark.parametrize("name", NAMES, ids=ascii)
@pytest.mark.parametrize("command", [main, average])
def test_messages_are_one_harmless_line(folder, name, command, capsys):
    # A folder, a file that is not there, a file with damage in it, and an argument that means nothing.
    name = name.replace("/", "_")
    assert command(["gold", f"./{name}"]) == 1
    (folder / name).write_bytes(b"(S \x1b[31m(\n")
    assert command(["gold", f"./{name}"]) == 1
    (folder / name).write_bytes(b"(S (NN a)) \x1b[31m\xc2\x9b\n")
    assert command(["gold", f"./{name}"]) == 1
    err = capsys.readouterr().err
    check(err, "text")
    assert err.count("\n") == 3
    assert command(["gold", "sys", f"--{name}"]) in (1, 2)  # with a blank it is a name
    check(capsys.readouterr().err, "text")


def test_warnings_are_one_harmless_line(folder, capsys):
    (folder / "rooted").write_text("".join(f"(\x1b[31mS1 (S (NN w{i})))\n" for i in range(12)))
    assert main(["rooted", "rooted", "--quiet"]) == 0
    err = capsys.readouterr().err
    assert err.startswith("jpevalb: warning: gold has \\x1b[31mS1 (")
    assert err.count("\n") == 1
    check(err, "text")


def test_legacy_mode_prints_the_bytes_that_evalb_prints(folder):
    """There the report is not ours to change."""
    (folder / "gold").write_bytes(b"(S (NN \x1b[31ma))\n")
    (folder / "sys").write_bytes(b"(S (NN \x1b[32mb))\n")
    done = jpevalb("gold", "sys", "-evalb", cwd=folder)
    assert done.stderr == b"1 : Words unmatch (\x1b[31ma|\x1b[32mb)\n"


@pytest.mark.parametrize("text", ['["\\u0000\\u009b\\ud800\\u2028"]', '["a"]'])
def test_json_keeps_its_value(text):
    from jpevalb.report.json import harmless_json

    value = json.loads(text)
    assert json.loads(harmless_json(json.dumps(value, ensure_ascii=False))) == value
    assert json.loads(harmless_json(json.dumps(value, ensure_ascii=False, indent=1))) == value
    assert harmless_json(json.dumps(value, ensure_ascii=False)).isprintable()


@pytest.mark.parametrize("sign", "=+-@＝＋－＠")
def test_every_sign_of_a_formula_is_disarmed(sign):
    """At the beginning of a cell, and behind what parts cells in some locale, blanks and quotes or not."""
    from jpevalb.report.writers import spreadsheet_cell

    assert spreadsheet_cell(f"{sign}A1") == f"'{sign}A1"
    for before in (";", ",", "|", "; ", ';"', ",'"):
        assert spreadsheet_cell(f"a{before}{sign}A1") == f"a{before[0]}'{before[1:]}{sign}A1"
    assert spreadsheet_cell(f"a{sign}A1") == f"a{sign}A1"


def test_signs_of_latex():
    from jpevalb.report.writers import latex

    assert latex("--- -LRB-") == "-{}-{}- -LRB-"
    assert latex("[a*b]") == "{[}a{*}b]"
    assert latex("\\{}$&#_%^~") == (r"\textbackslash{}\{\}\$\&\#\_\%\textasciicircum{}\textasciitilde{}")
    assert latex("<>|\"'`") == (
        r"\textless{}\textgreater{}\textbar{}\textquotedbl{}\textquotesingle{}\textasciigrave{}"
    )


def test_json_keeps_line_feeds_and_no_other_control():
    from jpevalb.report.json import line_of, text_of

    for number in (*range(0x20), 0x7F, 0x85, 0x9B, 0x2028, 0x202E, 0xD800):
        assert line_of(f"a{chr(number)}").isprintable()
        assert json.loads(line_of(f"a{chr(number)}")) == f"a{chr(number)}"
    assert text_of(["\x7f", "\n"]) == '[\n "\\u007f",\n "\\n"\n]'
