"""Kernels: small modules of ints, floats, bytes, flat sequences and the columns of trees, never a ``Tree``.

Each kernel is one Python file, compiled by Cython in pure-Python mode or interpreted.  The environment
variable ``JPEVALB_PURE=1`` selects the interpreted files even where compiled ones are installed; no
other variable is read at run time.
"""

import os
import sys

PURE = os.environ.get("JPEVALB_PURE", "") not in ("", "0")

if PURE:
    from importlib.machinery import SOURCE_SUFFIXES, FileFinder, SourceFileLoader

    # The import system prefers an extension module to a source file of the same name, so this folder
    # gets a finder that sees sources only.
    for _folder in __path__:
        sys.path_importer_cache[_folder] = FileFinder(_folder, (SourceFileLoader, SOURCE_SUFFIXES))
elif "JPEVALB_PURE" not in os.environ and not any(
    name.startswith("evalb.") and not name.endswith((".py", ".c")) for name in os.listdir(__path__[0])
):
    _checkout = os.path.dirname(os.path.dirname(os.path.abspath(__path__[0])))
    if os.path.exists(os.path.join(_checkout, "setup.py")):
        # Python started in a checkout imports its sources instead of the compiled package that is installed.
        print(
            f"jpevalb: the kernels in {_checkout} are not compiled and run many times slower; compile them "
            "with make build, or start Python in another folder (JPEVALB_PURE=1 silences this warning)",
            file=sys.stderr,
        )
        # Worker processes inherit this and do not repeat the warning.
        os.environ["JPEVALB_PURE"] = "0"


def implementation() -> str:
    """Return ``"compiled"`` or ``"interpreted"``."""
    from . import evalb

    return "compiled" if evalb.COMPILED else "interpreted"
