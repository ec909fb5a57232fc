"""Replacement for the ``cython`` module where the kernels run interpreted.

Annotations are never evaluated (``from __future__ import annotations``), so only decorators and
declarations need these names, and any object serves as a type.
"""

compiled = False


def _unchanged(thing):
    return thing


def _decorator(*_args, **_kwargs):
    return _unchanged


cfunc = ccall = cclass = inline = final = _unchanged
locals = exceptval = _decorator


class _Type:
    """Any C type, also as an array: ``cython.uchar[:]``."""

    def __getitem__(self, _item):
        return self


_TYPE = _Type()


def __getattr__(name):
    # The import system asks for dunder names.
    if name.startswith("__"):
        raise AttributeError(name)
    return _TYPE


def cast(_kind, value, **_kwargs):
    return value


def declare(_kind, value=None, **_kwargs):
    """Return the value; compiled kernels make it a C variable."""
    return value
