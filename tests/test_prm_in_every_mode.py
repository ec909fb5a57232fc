"""A .prm means what it says in every mode: what is not understood is told, and what is no .prm is refused."""

from __future__ import annotations

import gzip

import pytest

from jpevalb import Params, ParamsError

from .commands import jpevalb

TREE = "(TOP (S (NP (NN a)) (VP (VB b))))\n"
MODES = {"alignment": (), "discontinuous": ("--discontinuous",), "comparison": ("sys2",)}


@pytest.fixture
def folder(tmp_path):
    for name in ("gold", "sys", "sys2"):
        (tmp_path / name).write_text(TREE)
    return tmp_path


@pytest.mark.parametrize("mode", MODES)
def test_unknown_keywords_are_told(folder, mode):
    (folder / "x.prm").write_text("DELETE_LABEL TOP\nDELETE_LABLE NP\nEQ_LABEL A\n# a comment\n\nLABELED\n")
    done = jpevalb("gold", "sys", *MODES[mode], "--prm", "x.prm", "--quiet", cwd=folder)
    assert done.returncode == 0
    assert done.stderr.decode() == (
        "jpevalb: warning: x.prm: Unknown keyword (DELETE_LABLE NP) in parameter file\n"
        "jpevalb: warning: x.prm: EQ_LABEL requires two values\n"
        "jpevalb: warning: x.prm: LABELED requires a value, line ignored\n"
    )


def test_five_are_told_one_by_one(folder):
    lines = "".join(f"X{number} {'y' * 200}\n" for number in range(9))
    (folder / "x.prm").write_text("DELETE_LABEL TOP\n" + lines)
    done = jpevalb("gold", "sys", "--prm", "x.prm", "--quiet", cwd=folder)
    said = done.stderr.decode().splitlines()
    assert len(said) == 6
    assert said[4].startswith("jpevalb: warning: x.prm: Unknown keyword (X4 yyy")
    assert said[4].endswith("yyy...")
    assert said[5] == "jpevalb: warning: x.prm: and 4 more such lines"


@pytest.mark.parametrize(
    "data", [TREE.encode(), gzip.compress(TREE.encode(), mtime=0), b"delete_label TOP\n"]
)
@pytest.mark.parametrize("mode", MODES)
def test_a_file_that_is_no_prm_is_refused(folder, mode, data):
    (folder / "x.prm").write_bytes(data)
    done = jpevalb("gold", "sys", *MODES[mode], "--prm", "x.prm", cwd=folder)
    assert done.returncode == 1
    assert done.stdout == b""
    assert done.stderr.decode() == (
        "jpevalb: x.prm: no line begins with a keyword of a parameter file; "
        "expected lines such as 'DELETE_LABEL TOP'\n"
    )
    with pytest.raises(ParamsError, match="no line begins with a keyword"):
        Params.load(folder / "x.prm")
    legacy = jpevalb("-p", "x.prm", "gold", "sys", cwd=folder)
    assert legacy.returncode == 0


@pytest.mark.parametrize("text", ["", "# nothing\n", "\n\n", "DELETE_LABEL\n"])
def test_a_file_that_says_nothing_is_none_the_less_one(folder, text):
    (folder / "x.prm").write_text(text)
    assert Params.load(folder / "x.prm") == Params()
