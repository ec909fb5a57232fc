"""What ``--version`` says, and the version of the JSON reports."""

from __future__ import annotations

__version__ = "0.1.0"

SCHEMA_VERSION = 1
"""Version of the JSON reports: one more when a key goes, or comes to mean something else.

New keys do not change it.
"""


def version_line() -> str:
    """Version, kernels in use and Python."""
    import sys

    from ..kernels import implementation

    python = ".".join(map(str, sys.version_info[:3]))
    return f"jpevalb {__version__} ({implementation()} kernels, Python {python})"
