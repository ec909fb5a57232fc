""".prm files in every mode: unknown lines are reported, and other files are rejected."""

from __future__ import annotations

import gzip

import pytest

from jpevalb import Params, ParamsError
from jpevalb.commands.evaluate import main
from tests.support.commands import jpevalb
from tests.support.files import write_files

TREE = "(TOP (S (NP (NN a)) (VP (VB b))))\n"
MODES = {
    "alignment": (),
    "discontinuous": (
        "--convention",
        "discontinuous",
    ),
    "comparison": ("sys2",),
}


@pytest.fixture
def folder(tmp_path):
    return write_files(tmp_path, dict.fromkeys(("gold", "sys", "sys2"), TREE))


@pytest.fixture
def call(folder, monkeypatch, capsys):
    """Calls the command in the folder: status, stdout and the lines of stderr."""
    monkeypatch.chdir(folder)

    def called(*words):
        status = main(list(words))
        out, err = capsys.readouterr()
        return status, out, err.splitlines()

    return called


@pytest.mark.parametrize("mode", MODES)
def test_unknown_keywords_are_reported(folder, call, mode):
    (folder / "x.prm").write_text("DELETE_LABEL TOP\nDELETE_LABLE NP\nEQ_LABEL A\n# a comment\n\nLABELED\n")
    status, _, said = call("gold", "sys", *MODES[mode], "--prm", "x.prm", "--quiet")
    assert status == 0
    assert said == [
        "jpevalb: warning: x.prm: Unknown keyword (DELETE_LABLE NP) in parameter file",
        "jpevalb: warning: x.prm: EQ_LABEL requires two values",
        "jpevalb: warning: x.prm: LABELED requires a value, line ignored",
    ]


@pytest.mark.parametrize(("length", "end"), [(120, "file"), (121, "fil...")])
def test_a_message_quotes_120_characters_of_a_line(folder, call, length, end):
    keyword = "X" * (length - len("Unknown keyword () in parameter file"))
    (folder / "x.prm").write_text(f"DELETE_LABEL TOP\n{keyword}\n")
    (told,) = call("gold", "sys", "--prm", "x.prm", "--quiet")[2]
    assert told == f"jpevalb: warning: x.prm: Unknown keyword ({keyword}) in parameter {end}"


def test_a_label_that_no_tree_has_is_reported(folder, call):
    (folder / "x.prm").write_text("DELETE_LABEL XX\n")
    assert call("gold", "sys", "--prm", "x.prm", "--quiet")[2] == [
        "jpevalb: warning: no label or tag of either file is a DELETE_LABEL of the .prm: XX"
    ]
    # Of several systems it is told once.
    assert call("gold", "sys", "sys2", "--prm", "x.prm", "--samples", "9")[2] == [
        "jpevalb: warning: sys: no label or tag of either file is a DELETE_LABEL of the .prm: XX"
    ]


def test_five_messages_are_printed_one_by_one(folder, call):
    lines = "".join(f"X{number} {'y' * 200}\n" for number in range(9))
    (folder / "x.prm").write_text("DELETE_LABEL TOP\n" + lines)
    said = call("gold", "sys", "--prm", "x.prm", "--quiet")[2]
    assert len(said) == 6
    told = f"Unknown keyword (X4 {'y' * 200}"[:120]
    assert said[4] == f"jpevalb: warning: x.prm: {told}..."
    assert said[5] == "jpevalb: warning: x.prm: and 4 more such lines"


@pytest.mark.parametrize(
    "data", [TREE.encode(), gzip.compress(TREE.encode(), mtime=0), b"delete_label TOP\n"]
)
@pytest.mark.parametrize("mode", MODES)
def test_a_file_that_is_not_a_prm_is_rejected(folder, call, mode, data):
    (folder / "x.prm").write_bytes(data)
    assert call("gold", "sys", *MODES[mode], "--prm", "x.prm") == (
        1,
        "",
        [
            "jpevalb: x.prm: no line begins with a keyword of a parameter file; "
            "expected lines such as 'DELETE_LABEL TOP'"
        ],
    )
    with pytest.raises(ParamsError, match="no line begins with a keyword"):
        Params.load(folder / "x.prm")
    legacy = jpevalb("-p", "x.prm", "gold", "sys", cwd=folder)
    assert legacy.returncode == 0


@pytest.mark.parametrize("text", ["", "# nothing\n", "\n\n", "DELETE_LABEL\n"])
def test_an_empty_prm_is_accepted(folder, text):
    (folder / "x.prm").write_text(text)
    assert Params.load(folder / "x.prm") == Params()
