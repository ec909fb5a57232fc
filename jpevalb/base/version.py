"""Version of jpevalb and of its JSON reports."""

from __future__ import annotations

__version__ = "0.1.0"
SCHEMA_VERSION = 2  # version of the JSON reports; increased when a key is removed or changes its meaning

CITATION = f"""\
@software{{jpevalb,
  title = {{jpevalb: scores of constituency parse trees}},
  author = {{{{the jpevalb authors}}}},
  year = {{2026}},
  version = {{{__version__}}},
}}
"""


def version_line() -> str:
    """Return the output of ``--version``: version, kernels and Python."""
    import sys

    from ..kernels import implementation

    python = ".".join(map(str, sys.version_info[:3]))
    return f"jpevalb {__version__} ({implementation()} kernels, Python {python})"
