"""The reference of options and the manual pages agree with the parsers."""

from __future__ import annotations

import argparse
import importlib.util
import re
import shutil
import subprocess
import sys
from dataclasses import fields

import pytest

from jpevalb.commands import average as average_command, options
from jpevalb.settings.settings import MOST_MEMORY, Settings
from tests.support.commands import ROOT

PARSERS = {"jpevalb": options.parser, "jpevalb-average": average_command.parser}
PAGES = ROOT / "docs" / "man"
DEFAULTS = {one.name: one.default for one in fields(Settings)}


@pytest.fixture(scope="module")
def manual():
    spec = importlib.util.spec_from_file_location("manual", ROOT / "docs" / "manual.py")
    assert spec is not None
    assert spec.loader is not None
    path = list(sys.path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    sys.path[:] = path
    return module


def actions(program):
    parser = PARSERS[program]()
    return [action for title in parser.groups for action, row in parser.rows.items() if row.group == title]


@pytest.mark.parametrize("program", PARSERS)
def test_every_option_is_in_the_reference_in_the_order_of_the_help(manual, program):
    calls = [manual.invocation(action) for action in actions(program)]
    assert list(manual.texts(program)) == calls


@pytest.mark.parametrize("program", PARSERS)
def test_the_reference_names_every_choice_and_default(manual, program):
    texts = manual.texts(program)
    formats = manual.texts("jpevalb")["--format FORMAT"]
    for action, row in PARSERS[program]().rows.items():
        text = texts[manual.invocation(action)]
        # One list of formats is for all options that name it.
        choices = (
            f"{text} {formats}" if "as for `--format`" in text or "`--format` of `jpevalb`" in text else text
        )
        for choice in row.values.choices():
            assert f"`{choice}`" in choices, action.option_strings
        default = DEFAULTS[action.dest] if row.setting else action.default
        if default in (None, False, argparse.SUPPRESS, (), []):
            continue
        shown = re.escape("1G" if default == MOST_MEMORY else str(default))
        assert re.search(rf"\(default: `?{shown}\b|`{shown}` [^`]*\(default\)", text), action.option_strings


def test_defaults_that_only_the_library_knows(manual):
    from jpevalb import comparison
    from jpevalb.metrics import significance
    from jpevalb.settings.params import Params
    from jpevalb.settings.settings import DEFAULT_CUTOFF

    texts = manual.texts("jpevalb")
    assert f"(default: {significance.SEED})" in texts["--seed N"]
    samples = f"`auto` is {significance.TEST_SAMPLES}, or {comparison.TESTS_OF_PAIR} for each pair"
    assert samples in texts["--samples N"]
    assert f"{significance.INTERVAL_SAMPLES} for the intervals" in texts["--samples N"]
    assert f"(default: {DEFAULT_CUTOFF}, or the CUTOFF_LEN of the .prm)" in texts["--cutoff N"]
    assert f"(default: {Params().cutoff})" in texts["-c N"]
    assert f"(default: {Params().max_error}, " in texts["-e N"]


@pytest.mark.parametrize("program", PARSERS)
def test_manual_pages_are_up_to_date(manual, program):
    name = f"{program}.1"
    assert (PAGES / name).read_text(encoding="utf-8") == manual.pages()[name], "run `make man`"


def test_an_entry_of_several_lines_is_whole(manual):
    """The second line of a definition in ``options.md``, which begins with blanks, was lost."""
    assert manual.texts("jpevalb")["--view N"].count("\n- ") == 4
    text = (PAGES.parent / "options.md").read_text(encoding="utf-8")
    wrapped = [line.strip() for line in text.splitlines() if line.startswith("  ")]
    every = " ".join(entry for program in PARSERS for entry in manual.texts(program).values())
    assert wrapped
    assert [line for line in wrapped if line not in every] == []


@pytest.mark.parametrize("program", PARSERS)
def test_man_can_show_the_page(manual, program):
    groff = shutil.which("groff") or pytest.skip("no groff here")
    done = subprocess.run(
        [groff, "-man", "-Tascii", "-P-c", "-ww", PAGES / f"{program}.1"],
        capture_output=True, text=True, check=True, timeout=60,
    )  # fmt: skip
    assert done.stderr == ""
    shown = re.sub(r".\x08", "", done.stdout)
    headings = re.findall(r"^([A-Z][A-Z ]+)$", shown, re.MULTILINE)
    assert headings[:4] == ["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS"]
    assert headings[-3:] == ["EXIT STATUS", "EXAMPLES", "SEE ALSO"]
    for action in actions(program):
        for option in action.option_strings:
            assert re.search(rf"^ +(?:-\w, )?{re.escape(option)}\b", shown, re.MULTILINE), option
    # Examples and options come out as they have to be typed.
    for line in PARSERS[program]().epilog.strip().splitlines()[1:]:
        assert f"\n       {line.strip().partition('  ')[0]}\n" in shown


def test_manual_pages_are_installed():
    text = (ROOT / "setup.py").read_text(encoding="utf-8")
    for page in PAGES.glob("*.1"):
        assert f'"docs/man/{page.name}"' in text
