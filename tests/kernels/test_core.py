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


@pytest.mark.parametrize("kernel", KERNELS)
def test_interpreted_on_request(kernel):
    code = f"import jpevalb.kernels.{kernel} as k; print(k.cython.compiled, k.__file__.endswith('.py'))"
    assert run(code, JPEVALB_PURE="1") == "False True"


@pytest.mark.parametrize("kernel", KERNELS)
def test_interpreted_without_cython(kernel):
    """The replacement of the cython module has every name that the kernels use."""
    code = f"import jpevalb.kernels.{kernel} as k; print(k.cython.compiled)"
    code = f"import sys; sys.modules['cython'] = None; {code}"
    assert run(code, JPEVALB_PURE="1") == "False"


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
