"""Stands in for the ``cython`` module where the kernels run interpreted.

A kernel begins with::

    try:
        import cython
    except ImportError:
        from jpevalb.kernels import cython_shim as cython

Annotations are never evaluated (``from __future__ import annotations``), so types are
needed in decorators and declarations only, where any stand-in will do.
"""

compiled = False


def _unchanged(thing):
    return thing


def _decorator(*_args, **_kwargs):
    return _unchanged


cfunc = ccall = cclass = inline = final = nogil = _unchanged
locals = returns = exceptval = boundscheck = wraparound = cdivision = _decorator


class _Type:
    """Stands for any C type; ``cython.uchar[:]`` is one too."""

    def __getitem__(self, _item):
        return self


_TYPE = _Type()


def __getattr__(name):
    # Names with two underscores are asked for by the import system.
    if name.startswith("__"):
        raise AttributeError(name)
    return _TYPE


def cast(_kind, value, **_kwargs):
    return value


def declare(*_args, **_kwargs):
    """Declares C variables; nothing to do interpreted."""
