"""What importing the kernels says of a checkout whose kernels are not compiled."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from jpevalb import kernels
from jpevalb.kernels import evalb

SOURCE = Path(kernels.__file__).read_text("utf-8")


def imported(tmp_path, monkeypatch, files, *, checkout=True, environ=None):
    """Import the package from a folder with some files; return the variable for other processes."""
    folder = tmp_path / "jpevalb" / "kernels"
    other = tmp_path / "other" / "package" / "kernels"
    for path in (folder, other):
        path.mkdir(parents=True)
    for name in files:
        (folder / name).touch()
    if checkout:
        (tmp_path / "setup.py").touch()
    monkeypatch.setattr(os, "environ", environ or {})
    exec(compile(SOURCE, "kernels", "exec"), {"__name__": "kernels", "__path__": [str(folder), str(other)]})
    return os.environ.get("JPEVALB_PURE")


@pytest.mark.parametrize("files", [["evalb.py"], ["evalb.py", "evalb.c"], ["evalb.py", "scan.abi3.so"], []])
def test_a_checkout_without_compiled_kernels_warns_once(tmp_path, monkeypatch, capsys, files):
    assert imported(tmp_path, monkeypatch, files) == "0"
    assert capsys.readouterr().err == (
        f"jpevalb: the kernels in {tmp_path} are not compiled and run many times slower; compile them "
        "with make build, or start Python in another folder (JPEVALB_PURE=1 silences this warning)\n"
    )


@pytest.mark.parametrize(
    ("files", "options"),
    [
        (["evalb.py", "evalb.abi3.so"], {}),
        (["evalb.py"], {"checkout": False}),
        (["evalb.py"], {"environ": {"JPEVALB_PURE": "0"}}),
        (["evalb.py", "evalb.abi3.so"], {"environ": {"JPEVALB_PURE": ""}}),
    ],
)
def test_others_do_not_warn(tmp_path, monkeypatch, capsys, files, options):
    assert imported(tmp_path, monkeypatch, files, **options) == options.get("environ", {}).get("JPEVALB_PURE")
    assert capsys.readouterr().err == ""


def test_the_implementation_is_that_of_the_file():
    assert kernels.implementation() == ("interpreted" if evalb.__file__.endswith(".py") else "compiled")
