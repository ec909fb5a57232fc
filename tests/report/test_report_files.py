"""Stored reports in every format, compared byte for byte, and signatures that reproduce a run.

``python -m tests.report.test_report_files`` rewrites the files of golden_outputs/reports.  HTML pages are
stored without style and script, which are compared with the files of the package.
"""

from __future__ import annotations

import os
import re
from importlib.resources import files

import pytest

from jpevalb.cli import main
from jpevalb.page.report import SCRIPTS, STYLES
from jpevalb.report import FORMATS
from tests.support.commands import ROOT, jpevalb
from tests.support.report_pages import assets_of, without_assets

FOLDER = ROOT / "golden_outputs" / "reports"
SUFFIXES = {"text": "txt", "json": "json", "csv": "csv", "tsv": "tsv", "markdown": "md", "latex": "tex"}
ALIGNMENT = ["examples/gold.mrg", "examples/e2e.mrg"]
ANALYSIS = ["examples/gold.mrg", "examples/sys.mrg", "--metrics", "brackets"]
COMPARISON = [ALIGNMENT[0], "examples/sys.mrg", ALIGNMENT[0]]
DISCONTINUOUS = ["examples/gold.discbracket", "examples/sys.discbracket"]
METRICS = ["--metrics", "brackets,tags,segmentation,unlabeled,functions,leaf,tedeval,siou,nodes,concepts"]
SCORES = [f"golden_outputs/scores/same-words.{name}" for name in ("gold", "sys", "other")]
REFERENCES = ["--more-gold", SCORES[2], "--metrics", "brackets,tags"]
ANSWERS = [ALIGNMENT[0], "examples/answers.jsonl", "--field", "choices.0.message.content"]


def commands() -> dict[str, list[str]]:
    """Map the name of each file to the arguments that make it."""
    found = {}
    for name, suffix in SUFFIXES.items():
        # CSV and TSV hold several tables with it.
        labels = [] if name in ("csv", "tsv") else ["--by-label"]
        found[f"alignment.{suffix}"] = [*ALIGNMENT, *labels, "--as", name]
        found[f"alignment-quiet.{suffix}"] = [*ALIGNMENT, *labels, "--as", name, "--quiet"]
        found[f"discontinuous.{suffix}"] = [*DISCONTINUOUS, "--as", name]
        found[f"analysis.{suffix}"] = [*ANALYSIS, "--analysis", "--quiet", "--as", name]
        found[f"comparison.{suffix}"] = [*COMPARISON, "--as", name]
        found[f"references.{suffix}"] = [*SCORES[:2], *REFERENCES, "--as", name]
        found[f"answers.{suffix}"] = [*ANSWERS, "--repair", "--quiet", "--as", name]
    found["references-comparison.txt"] = [*SCORES[:2], SCORES[0], *REFERENCES, "--samples", "100"]
    found["references-comparison.csv"] = [*found["references-comparison.txt"], "--as", "csv"]
    found["answers-strict.txt"] = [*ANSWERS, "--verbose"]
    found["nbest.txt"] = [ALIGNMENT[0], "golden_outputs/scores/nbest", "--nbest", "--verbose"]
    found["metrics.txt"] = [*ALIGNMENT, *METRICS, "--verbose"]
    found["metrics.json"] = [*ALIGNMENT, *METRICS, "--as", "json"]
    found["metrics.md"] = [*ALIGNMENT, *METRICS, "--as", "markdown"]
    found["metrics-comparison.txt"] = [*COMPARISON, *METRICS, "--test", "permutation", "--verbose"]
    found["comparison-verbose.txt"] = [*COMPARISON, "--verbose"]
    found["comparison-sign.txt"] = [*COMPARISON, "--test", "sign", "--analysis", "--metrics", "brackets"]
    found["comparison-analysis.csv"] = [*COMPARISON, "--analysis", "--as", "csv", "--test", "sign"]
    found["comparison-evalb.txt"] = [*COMPARISON, "-evalb", "--test", "permutation"]
    found["alignment.html"] = [*ALIGNMENT, "--as", "html"]
    found["comparison.html"] = [*COMPARISON, "--as", "html"]
    found["discontinuous.html"] = [*DISCONTINUOUS, "--as", "html"]
    found["discontinuous-analysis.txt"] = [*DISCONTINUOUS, "--by-label", "--analysis"]
    found["discontinuous-analysis.json"] = [*DISCONTINUOUS, "--by-label", "--analysis", "--as", "json"]
    found["discontinuous-analysis.csv"] = [*DISCONTINUOUS, "--analysis", "--as", "csv"]
    found["view-gaps.txt"] = [*DISCONTINUOUS, "--view", "1-2"]
    found["view.txt"] = [*ALIGNMENT, "--view", "1-3"]
    return found


def stored_form(name: str, output: bytes) -> str:
    """Return a report as its file holds it."""
    text = output.decode()
    return without_assets(text) if name.endswith(".html") else text


@pytest.mark.parametrize("name", commands())
def test_report_is_the_file(name, capsysbinary, monkeypatch):
    monkeypatch.chdir(ROOT)
    status = main(commands()[name])
    captured = capsysbinary.readouterr()
    assert (status, captured.err.decode()) == (0, "")
    assert stored_form(name, captured.out) == (FOLDER / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["alignment.html", "comparison.html"])
def test_style_and_script_are_those_of_the_package(name, capsys, monkeypatch):
    monkeypatch.chdir(ROOT)
    assert main(commands()[name]) == 0
    script, style = assets_of(capsys.readouterr().out)
    package = files("jpevalb.page")

    def without_layout(files):
        """Return the lines of code without indentation and comments."""
        text = "\n".join((package / name).read_text(encoding="utf-8") for name in files)
        text = re.sub(r"^ */\*.*?\*/$", "", text, flags=re.MULTILINE | re.DOTALL)
        lines = [line.strip() for line in text.split("\n")]
        return [line for line in lines if line and not line.startswith("//")]

    assert script.rstrip("\n").split("\n") == without_layout(SCRIPTS)
    assert style.rstrip("\n").split("\n") == without_layout(STYLES)


# A report of each mode, as a process of its own; the formats get the same figures from either kernels.
@pytest.mark.parametrize(
    "name",
    ["alignment.json", "discontinuous-analysis.json", "comparison-evalb.txt", "view.txt", "alignment.html"],
)
@pytest.mark.parametrize("pure", [False, True], ids=["compiled", "interpreted"])
def test_either_kernels_write_the_file(name, pure):
    if os.environ.get("JPEVALB_PURE") == "1" and not pure:
        pytest.skip("the interpreted kernels were asked for")
    done = jpevalb(*commands()[name], cwd=ROOT, pure=pure)
    assert (done.returncode, done.stderr.decode()) == (0, "")
    assert stored_form(name, done.stdout) == (FOLDER / name).read_text(encoding="utf-8")


def test_every_file_is_compared_and_every_format_has_one():
    assert {path.name for path in FOLDER.iterdir()} == set(commands())
    assert set(FORMATS) == {*SUFFIXES, "html"}


@pytest.mark.parametrize("name", [name for name in commands() if not name.startswith("view")])
def test_every_report_has_its_signature_once(name):
    text = (FOLDER / name).read_text(encoding="utf-8")
    found = re.findall(
        r"jpevalb:[0-9.]+ (?:convention:[a-z]+|dialect:evalb) prm:[^ ]+ ?(?:lang:en|pair:order|test:)", text
    )
    # CSV and TSV of a comparison have it in each row, for a row is what is copied; a page in its exports.
    rows = 2 if re.fullmatch(r"(references-)?comparison.*\.[ct]sv", name) else 1
    assert len(found) > rows if name.endswith(".html") else len(found) == rows


OPTIONS = {
    "prm": "COLLINS.prm",
    "lang": "none",
    "unit": "word",
    "format": "bracket",
    "encoding": "latin-1",
    "on-error": "skip",
}


@pytest.mark.parametrize("name", ["text", "json", "csv", "markdown"])
def test_a_second_run_with_the_same_signature_gives_the_same_figures(name):
    """The second run knows nothing but the words of the first one's signature."""
    switches = ["--unlabeled"]
    options = [word for key, value in OPTIONS.items() for word in (f"--{key}", value)]
    first = jpevalb(*ALIGNMENT, *options, *switches, "--as", name, cwd=ROOT).stdout.decode()
    plain = jpevalb(*ALIGNMENT, "--as", name, cwd=ROOT).stdout.decode()
    assert first.count("jpevalb:") == 1
    signature = re.search(r'jpevalb:[^\n",|]*', first)[0].replace("\\", "")
    assert signature not in plain
    again = []
    for word in signature.split():
        key, _, value = word.partition(":")
        if value == "yes":
            again.append(f"--{key}")
        elif key not in ("jpevalb", "convention"):
            again += [f"--{key}", value.partition("#")[0]]
    assert len(again) == len(options) + len(switches)
    second = jpevalb(*ALIGNMENT, *again, "--as", name, cwd=ROOT).stdout.decode()
    assert second == first
    numbers = [re.sub(r"jpevalb:.*", "", text) for text in (first, plain)]
    assert numbers[0] != numbers[1]


def test_legacy_mode_has_no_signature():
    done = jpevalb(ALIGNMENT[0], ALIGNMENT[0], "-evalb", cwd=ROOT)
    assert done.returncode == 0
    assert b"signature" not in done.stdout + done.stderr
    assert b"jpevalb" not in done.stdout + done.stderr


def write_files() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name, arguments in commands().items():
        done = jpevalb(*arguments, cwd=ROOT)
        assert done.returncode == 0, done.stderr.decode()
        (FOLDER / name).write_bytes(stored_form(name, done.stdout).encode())


if __name__ == "__main__":
    write_files()
