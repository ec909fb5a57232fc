"""Selection of compiled or interpreted kernels."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from jpevalb import kernels as _core
from jpevalb.kernels import implementation
from tests.support.commands import ROOT
from tests.support.kernels import CORE

KERNELS = sorted(p.stem for p in CORE.glob("*.py") if p.stem not in ("__init__", "cython_shim"))


def run(code, **environment):
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
        check=False,
    )
    assert done.stderr == ""
    return done.stdout.strip()


def test_the_compiled_kernels_are_really_loaded():
    """With JPEVALB_EXT=1, as in CI, an interpreted kernel is a failure."""
    if os.environ.get("JPEVALB_EXT") != "1" or _core.PURE:
        pytest.skip("this environment does not promise compiled kernels")
    assert implementation() == "compiled"


@pytest.mark.parametrize("before", ["", "sys.modules['cython'] = None"], ids=["Cython", "no Cython"])
def test_interpreted_on_request(before):
    """The replacement of the cython module has every name that the kernels use."""
    code = f"""
import importlib, sys
{before}
for name in {KERNELS}:
    kernel = importlib.import_module(f"jpevalb.kernels.{{name}}")
    assert not kernel.cython.compiled and kernel.__file__.endswith(".py"), name
print("all")
"""
    assert run(code, JPEVALB_PURE="1") == "all"


def test_scoring_without_cython():
    gold = ROOT / "examples" / "gold.mrg"
    code = (
        "import sys; {}"
        "from jpevalb import legacy, Params;"
        f"lines = open({str(gold)!r}, encoding='utf-8').readlines();"
        "print(legacy.evaluate(lines, lines, Params.load('COLLINS')).report())"
    )
    without = run(code.format("sys.modules['cython'] = None;"), JPEVALB_PURE="1")
    assert without == run(code.format(""), JPEVALB_PURE="0")
    assert "Bracketing FMeasure       = 100.00" in without
