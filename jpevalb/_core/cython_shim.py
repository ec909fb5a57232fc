"""Stands in for the ``cython`` module where the kernels run interpreted.

A kernel begins with::

    try:
        import cython
    except ImportError:
        from jpevalb._core import cython_shim as cython

Type annotations are never evaluated (``from __future__ import annotations``
and local annotations), so only decorators and functions need a stand-in.
"""

compiled = False


def _unchanged(thing):
    return thing


def _decorator(*_args, **_kwargs):
    return _unchanged


cfunc = ccall = cclass = inline = final = nogil = _unchanged
locals = returns = exceptval = boundscheck = wraparound = cdivision = _decorator


def cast(_kind, value, **_kwargs):
    return value


def declare(*_args, **_kwargs):
    """Declares C variables; nothing to do interpreted."""
