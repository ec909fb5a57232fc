"""The public names of jpevalb."""

from __future__ import annotations

import inspect
import subprocess
import sys
from types import FunctionType
from typing import get_type_hints

import pytest

import jpevalb
from tests.support.commands import ROOT


@pytest.mark.parametrize("name", jpevalb.__all__)
def test_every_public_name_is_there(name):
    value = getattr(jpevalb, name)
    assert callable(value) == (name not in ("__version__", "legacy", "perturb"))
    assert name in dir(jpevalb)


def functions_of(value):
    """A public function, or a class with its public methods and properties."""
    if isinstance(value, FunctionType):
        return [value]
    if inspect.ismodule(value):
        return [one for one in vars(value).values() if getattr(one, "__module__", "") == value.__name__]
    parts = [one for name, one in vars(value).items() if not name.startswith("_")]
    found = [getattr(one, "__func__", getattr(one, "fget", one)) for one in parts]
    return [value, *[one for one in found if isinstance(one, FunctionType)]]


@pytest.mark.parametrize("name", [name for name in jpevalb.__all__ if name != "__version__"])
def test_type_hints_of_public_names_can_be_read(name):
    found = functions_of(getattr(jpevalb, name))
    assert found
    for one in found:
        get_type_hints(one)


def test_a_function_is_not_hidden_by_a_module_of_its_name():
    """Importing every module leaves the public functions callable."""
    code = (
        "import pkgutil, importlib, jpevalb\n"
        "for module in pkgutil.walk_packages(jpevalb.__path__, 'jpevalb.'):\n"
        "    if not module.name.endswith('__main__'): importlib.import_module(module.name)\n"
        "for name in jpevalb.__all__:\n"
        "    value = getattr(jpevalb, name)\n"
        "    if name not in ('__version__', 'legacy', 'perturb') and not callable(value): print(name)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    assert done.stdout == ""


def test_no_such_name():
    with pytest.raises(AttributeError, match="has no attribute 'colour'"):
        jpevalb.colour  # noqa: B018


def test_docstrings():
    """Each public function and class has a docstring."""
    for name in jpevalb.__all__:
        value = getattr(jpevalb, name)
        if callable(value):
            assert value.__doc__, name
