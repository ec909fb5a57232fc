"""The kernels: small modules that take and return ints, floats, bytes and flat sequences.

Each kernel is one Python file that Cython compiles in its pure-Python mode.
Where nothing was compiled the same file runs interpreted.  The environment
variable ``JPEVALB_PURE=1`` asks for the interpreted files even where compiled
ones are installed; it is the only variable that jpevalb reads at run time.
"""

import os
import sys

PURE = os.environ.get("JPEVALB_PURE", "") not in ("", "0")

if PURE:
    from importlib.machinery import SOURCE_SUFFIXES, FileFinder, SourceFileLoader

    # The import system prefers an extension module to a source file of the
    # same name; for this folder it is given a finder that knows sources only.
    for _folder in __path__:
        sys.path_importer_cache[_folder] = FileFinder(_folder, (SourceFileLoader, SOURCE_SUFFIXES))


def implementation() -> str:
    """Which kernels are in use: ``"compiled"`` or ``"interpreted"``."""
    from . import rows

    return "compiled" if rows.COMPILED else "interpreted"
