"""Kernel modules, compiled and interpreted."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

import jpevalb.kernels

CORE = Path(jpevalb.kernels.__file__).parent


def load_kernel(name: str, kind: str) -> ModuleType:
    """Import a kernel as ``"compiled"`` or ``"interpreted"`` code; skip the test if it is not compiled."""
    if kind == "compiled":
        module = importlib.import_module(f"jpevalb.kernels.{name}")
        if module.__file__ is None or module.__file__.endswith(".py"):
            pytest.skip("no compiled kernels here")
        return module
    alias = f"jpevalb.kernels.interpreted_{name}"
    if alias not in sys.modules:
        spec = importlib.util.spec_from_file_location(alias, CORE / f"{name}.py")
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[alias] = module
        spec.loader.exec_module(module)
    return sys.modules[alias]
