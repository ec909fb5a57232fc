"""LaTeX tables compile, and fit into a column."""

from __future__ import annotations

import re
import shutil
import subprocess

import pytest

from jpevalb import compare, evaluate
from tests.support.commands import ROOT, jpevalb
from tests.support.report_pages import noisy_copies, page_data

if shutil.which("pdflatex") is None:
    pytest.skip("pdflatex is not installed", allow_module_level=True)

README = ROOT / "examples"
GOLD, SYSTEM, E2E = (str(README / name) for name in ("gold.mrg", "sys.mrg", "e2e.mrg"))
SYSTEMS = [GOLD, SYSTEM, GOLD, E2E]


def overfull(table: str, options: str, folder) -> list[str]:
    """Return LaTeX's warnings of boxes that are too wide."""
    packages = re.match(r"% (\\usepackage\{[^}]*\})\n", table)[1]
    (folder / "paper.tex").write_text(
        f"\\documentclass{options}{{article}}\n{packages}\n\\begin{{document}}\n\\noindent\n"
        + table.replace("\n\n", "\n\n\\noindent\n")
        + "\n\\end{document}\n",
        encoding="utf-8",
    )
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "paper.tex"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace")
    assert done.returncode == 0, done.stdout[-2000:]
    return [line for line in done.stdout.splitlines() if line.startswith("Overfull")]


@pytest.mark.parametrize(
    ("arguments", "options"),
    [
        (SYSTEMS, ""),
        ([*SYSTEMS, "--columns", "P,R,F"], "[twocolumn]"),
        ([*SYSTEMS, "--verbose", "--analysis"], ""),
        ([GOLD, E2E, "--by-label"], ""),
        ([GOLD, E2E, "--quiet"], "[twocolumn]"),
        ([str(README / "gold.discbracket"), str(README / "sys.discbracket")], ""),
    ],
    ids=["systems", "columns", "verbose", "one system", "summary", "gaps"],
)
def test_no_table_is_wider_than_its_column(arguments, options, tmp_path):
    done = jpevalb(*arguments, "--output", "latex", cwd=ROOT)
    assert (done.returncode, done.stderr) == (0, b"")
    assert overfull(done.stdout.decode(), options, tmp_path) == []


def test_a_table_that_is_too_wide_is_noticed(tmp_path):
    table = "% \\usepackage{booktabs}\n\\begin{tabular}{l}" + "W" * 100 + "\\end{tabular}\n"
    assert len(overfull(table, "", tmp_path)) == 1


SIGNS = "≤ ± − … _ & % # $ { } ~ ^ \\ < > [ ]"


@pytest.mark.parametrize("count", [1, 2, 3, 8])
def test_exports_of_a_page_compile(count, tmp_path):
    """Also with names of systems and labels that LaTeX or its fonts would stumble over."""
    label = SIGNS.replace(" ", "")
    gold, systems = noisy_copies(count, 40)
    gold = [line.replace("(NP ", f"({label} ") for line in gold]
    named = {f"{name} {SIGNS}": trees for name, trees in systems.items()}
    result = compare(
        gold, named, keep=True, analysis=True, samples=2000, test=None if count == 1 else "permutation"
    )
    exports = page_data(result.report("html"))["exports"]
    assert "\\ensuremath{\\le}" in exports["where"]["latex"]
    tables = "\n\n".join(texts["latex"] for texts in exports.values())
    assert overfull(tables, "", tmp_path) == []


@pytest.mark.parametrize("kind", ["answers", "gaps"])
def test_exports_of_answers_and_gaps_compile(kind, tmp_path):
    files = [str(README / f"{side}.discbracket") for side in ("gold", "sys")]
    how = {}
    if kind == "answers":
        files = [GOLD, str(README / "answers.jsonl")]
        how = {"format": "jsonl", "field": "choices.0.message.content"}
    exports = page_data(evaluate(*files, **how).report("html"))["exports"]
    tables = "\n\n".join(texts["latex"] for texts in exports.values())
    assert overfull(tables, "", tmp_path) == []
