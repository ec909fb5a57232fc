"""What ``--version`` says."""

from __future__ import annotations


def version_line() -> str:
    """Version, kernels in use and Python."""
    import sys

    from . import __version__
    from ._core import implementation

    python = ".".join(map(str, sys.version_info[:3]))
    return f"jpevalb {__version__} ({implementation()} kernels, Python {python})"
