"""Builds the kernels of jpevalb/_core; everything else is said in pyproject.toml.

The kernels are Python files that Cython compiles (its pure-Python mode).  The
variable JPEVALB_EXT says how much a build wants that:

    auto (default)   compile where Cython and a C compiler work, else install
                     the same files interpreted
    1                compile, or fail
    0                do not compile
"""

import os
import sys
from pathlib import Path

from setuptools import Extension, find_packages, setup

WANTED = os.environ.get("JPEVALB_EXT", "auto")
NOT_KERNELS = {"__init__", "cython_shim"}
DIRECTIVES = {
    "language_level": 3,
    "boundscheck": False,
    "wraparound": False,
    "initializedcheck": False,
    "cdivision": False,
    "embedsignature": True,
}


def kernels():
    if WANTED not in ("auto", "0", "1"):
        sys.exit(f"setup.py: JPEVALB_EXT is {WANTED!r}; expected auto, 0 or 1")
    if WANTED == "0":
        return []
    try:
        from Cython.Build import cythonize
    except ImportError:
        if WANTED == "1":
            sys.exit("setup.py: JPEVALB_EXT=1 needs Cython: pip install Cython")
        return []
    flags = ["/O2"] if sys.platform == "win32" else ["-O3", "-g0"]
    sources = sorted(p for p in Path("jpevalb/_core").glob("*.py") if p.stem not in NOT_KERNELS)
    extensions = cythonize(
        [Extension(f"jpevalb._core.{p.stem}", [p.as_posix()], extra_compile_args=flags) for p in sources],
        compiler_directives=DIRECTIVES,
        quiet=True,
    )
    for extension in extensions:
        # cythonize() forgets the flag, so it is set on what it returns.
        extension.optional = WANTED == "auto"
    return extensions


setup(
    packages=[*find_packages(include=["jpevalb", "jpevalb.*"]), "jpevalb.prm"],
    package_dir={"jpevalb.prm": "params"},
    package_data={
        "jpevalb": ["py.typed"],
        "jpevalb.alignment": ["exceptions/*.tsv"],
        "jpevalb.prm": ["*.prm"],
        "jpevalb.report": ["*.html", "*.css", "*.js"],
    },
    # `make man` writes them; man finds them where the environment's bin is on the path.
    data_files=[("share/man/man1", ["docs/man/jpevalb.1", "docs/man/jpevalb-average.1"])],
    ext_modules=kernels(),
)
