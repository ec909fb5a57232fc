"""``action.yml``, the GitHub action: its steps are run as the runner would."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest

from tests.support.commands import ROOT

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the steps are for bash")
yaml = pytest.importorskip("yaml")

GOLD, SYSTEM = (str(ROOT / "examples" / name) for name in ("gold.mrg", "sys.mrg"))
PROGRAM = '#!/bin/sh\nexec "{python}" -m jpevalb "$@"\n'
GH = '#!/bin/sh\nprintf "%s\\n" "$@" > "$RUNNER_TEMP/gh.txt"\n'


def _filled(text, values):
    return re.sub(r"\$\{\{ (.*?) \}\}", lambda match: values[match[1]], text)


def steps_of(inputs, folder):
    """Run the steps behind the installation; return their exit statuses by name, up to the first failure."""
    action = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    given = {name: row.get("default", "") for name, row in action["inputs"].items()} | inputs
    values = {f"inputs.{name}": value for name, value in given.items()}
    values |= {"github.token": "x", "github.repository": "a/b", "github.event.pull_request.number": "7"}
    for name, text in (("jpevalb", PROGRAM.format(python=sys.executable)), ("gh", GH)):
        (folder / name).write_text(text)
        (folder / name).chmod(0o755)
    environment = dict(os.environ, PYTHONPATH=str(ROOT), RUNNER_TEMP=str(folder))
    environment["PATH"] = f"{folder}:{environment['PATH']}"
    environment |= {name: str(folder / name) for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
    found = {}
    for step in action["runs"]["steps"][1:]:
        if "if" in step and given["comment"] != "true":
            continue
        output = folder / "GITHUB_OUTPUT"
        lines = output.read_text().splitlines() if output.exists() else []
        values |= {f"steps.score.outputs.{line.partition('=')[0]}": line.partition("=")[2] for line in lines}
        own = {name: _filled(text, values) for name, text in step["env"].items()}
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
            env=environment | own, cwd=folder, check=False,
        )  # fmt: skip
        found[step["name"]] = done.returncode
        if done.returncode:
            break
    return found


@pytest.mark.parametrize(
    ("inputs", "statuses"),
    [
        ({}, {"Score": 0, "Check the score": 0}),
        ({"fail-under": "80", "options": "--convention evalb"}, {"Score": 0, "Check the score": 0}),
        ({"fail-under": "99", "comment": "true"}, {"Score": 0, "Comment": 0, "Check the score": 3}),
        ({"system": f"{SYSTEM} {GOLD}", "comment": "true"}, {"Score": 0, "Comment": 0, "Check the score": 0}),
        ({"system": "none.mrg"}, {"Score": 1}),
        ({"options": "--colour"}, {"Score": 2}),
    ],
)
def test_the_steps(inputs, statuses, tmp_path):
    assert steps_of({"gold": GOLD, "system": SYSTEM, **inputs}, tmp_path) == statuses
    table = tmp_path / "jpevalb.md"
    assert table.exists() == (statuses["Score"] == 0)
    if table.exists():
        text = table.read_text(encoding="utf-8")
        assert re.search(r"\| +[0-9]+\.[0-9][0-9] \|", text)
        assert (tmp_path / "GITHUB_STEP_SUMMARY").read_text(encoding="utf-8") == text
    if "Comment" in statuses:
        assert (tmp_path / "gh.txt").read_text().splitlines()[-2:] == ["--body-file", str(table)]


def test_the_package_is_installed_from_the_action():
    first = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))["runs"]["steps"][0]
    assert first["env"] == {"ACTION": "${{ github.action_path }}"}
    assert first["run"].endswith('pip install --quiet "$ACTION"')
