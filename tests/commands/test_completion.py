"""Completion scripts in real shells."""

from __future__ import annotations

import shutil
import subprocess
import sys

import pytest

from jpevalb import cli
from jpevalb.alignment.exceptions import languages
from jpevalb.base.errors import SettingsError
from jpevalb.commands import average, completion, options
from jpevalb.commands import average as average_command
from jpevalb.commands.completion import SHELLS
from jpevalb.commands.options import parser
from jpevalb.report import FORMATS
from jpevalb.settings.params import bundled

PROGRAMS = ("jpevalb", "jpevalb-average")


def script(program, shell):
    """The completion script of a program."""
    made = options.parser(legacy=True) if program == "jpevalb" else average.parser()
    return completion.script(made, made.rows, shell)


@pytest.fixture
def complete(tmp_path):
    """Return bash's completions of the last word of a command line."""
    pytest.importorskip("shtab")
    bash = shutil.which("bash") or pytest.skip("no bash here")

    def proposals(*words: str) -> set[str]:
        (tmp_path / "script").write_text(script(words[0], "bash"))
        code = (
            'eval "$(< ./script)"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=(); '
            'function=$(complete -p "$1"); function=${function##*-F }; ${function%% *}; '
            'printf "%s\\n" "${COMPREPLY[@]}"'
        )
        done = subprocess.run(
            [bash, "--norc", "-c", code, "bash", *words],
            cwd=tmp_path, capture_output=True, text=True, check=True, timeout=60,
        )  # fmt: skip
        assert done.stderr == ""
        return set(done.stdout.split())

    return proposals


def test_options_are_proposed(complete):
    options = {name for action in parser()._actions for name in action.option_strings}
    found = complete("jpevalb", "gold", "sys", "-")
    assert options <= found
    assert {"--dialect", "-K", "-X"} <= found
    assert complete("jpevalb", "gold", "sys", "--ali") == {"--align-ratio"}
    options = {name for action in average_command.parser()._actions for name in action.option_strings}
    assert complete("jpevalb-average", "a", "-") == options


def test_values_are_proposed(complete):
    assert complete("jpevalb", "gold", "sys", "--output", "") == set(FORMATS)
    assert complete("jpevalb", "gold", "sys", "--test", "p") == {"permutation"}
    assert complete("jpevalb", "gold", "sys", "--lang", "") == {*languages(), "none"}
    assert complete("jpevalb", "gold", "sys", "--completion", "") == set(SHELLS)
    assert complete("jpevalb-average", "a", "b", "--to", "exp") == {"export", "export3", "export4"}


@pytest.mark.parametrize("option", ["--prm", "-p", "-evalb"])
def test_parameter_files_are_proposed(complete, tmp_path, option):
    (tmp_path / "mine.prm").touch()
    (tmp_path / "mine.txt").touch()
    (tmp_path / "folder").mkdir()
    assert complete("jpevalb", "gold", "sys", option, "") >= {*bundled(), "mine.prm", "folder"}
    assert complete("jpevalb", "gold", "sys", option, "mine") == {"mine.prm"}
    assert complete("jpevalb", "gold", "sys", option, "COL") == {"COLLINS.prm"}


def test_files_are_proposed(complete, tmp_path):
    (tmp_path / "dev.gold").touch()
    (tmp_path / "dev.sys").touch()
    for words in (["jpevalb"], ["jpevalb", "dev.gold"], ["jpevalb", "a", "b", "--gold-times"]):
        assert complete(*words, "dev") == {"dev.gold", "dev.sys"}
    assert complete("jpevalb-average", "a", "dev") == {"dev.gold", "dev.sys"}


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("shell", ["zsh", "tcsh"])
def test_other_shells_can_read_their_script(program, shell, tmp_path):
    pytest.importorskip("shtab")
    found = shutil.which(shell) or pytest.skip(f"no {shell} here")
    (tmp_path / "script").write_text(script(program, shell))
    check = {
        "zsh": 'autoload -Uz compinit && compinit -D && eval "$(< script)" && print ${_comps[NAME]}',
        "tcsh": "source script && complete NAME",
    }[shell].replace("NAME", program)
    done = subprocess.run(
        [found, "-f", "-c", check], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert done.stderr == ""
    assert done.stdout.strip()


@pytest.mark.parametrize("main", [cli.main, average_command.main])
def test_the_option_prints_the_script(main, capsys):
    pytest.importorskip("shtab")
    program = "jpevalb" if main is cli.main else "jpevalb-average"
    for shell in SHELLS:
        assert main(["--completion", shell]) == 0
        assert capsys.readouterr().out == script(program, shell)


@pytest.mark.parametrize("main", [cli.main, average_command.main])
def test_errors(main, monkeypatch, capsys):
    assert main(["--completion", "csh"]) == 2
    assert "unknown shell 'csh'; expected one of bash, zsh, tcsh" in capsys.readouterr().err
    monkeypatch.setitem(sys.modules, "shtab", None)
    assert main(["--completion", "bash"]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "pip install 'jpevalb[completion]'" in captured.err
    assert captured.err.count("\n") == 1


def test_an_unknown_shell_is_an_error():
    with pytest.raises(SettingsError, match="unknown shell 'sh'; expected one of bash, zsh, tcsh"):
        script("jpevalb", "sh")


@pytest.mark.parametrize("shell", ["bash", "zsh", "tcsh"])
def test_a_script_ends_in_one_line_end(shell):
    pytest.importorskip("shtab")
    text = script("jpevalb", shell)
    assert text.endswith("\n")
    assert not text.endswith("\n\n")


def test_options_of_legacy_mode_are_declared_for_the_scripts_alone(capsys):
    for how, there in (({"legacy": True}, True), ({}, False)):
        made = options.parser(**how)
        assert ("-X" in {name for action in made._actions for name in action.option_strings}) is there
    assert made.parse_args(["gold", "sys"]).jobs == 1
    with pytest.raises(SystemExit):
        made.parse_args(["--completion", "bash"])
    assert "--dialect" in capsys.readouterr().out
