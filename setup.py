"""Builds the kernels of jpevalb/kernels; everything else is said in pyproject.toml.

The kernels are Python files that Cython compiles (its pure-Python mode).  The
variable JPEVALB_EXT says how much a build wants that:

    auto (default)   compile where Cython and a C compiler work, else install
                     the same files interpreted
    1                compile, or fail
    0                do not compile
"""

import gzip
import os
import sys
import tarfile
import tempfile
from pathlib import Path

from setuptools import Extension, find_packages, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.sdist import sdist

WANTED = os.environ.get("JPEVALB_EXT", "auto")
CORE = Path("jpevalb/kernels")
NOT_KERNELS = {"__init__", "cython_shim"}
# What the kernels share of Cython's own code (typed memory views): compiled once, not in each of them.
SHARED = "_cyutility"
DIRECTIVES = {
    "language_level": 3,
    "boundscheck": False,
    "wraparound": False,
    "initializedcheck": False,
    "cdivision": False,
    "embedsignature": True,
}


def say(text):
    print(f"jpevalb: {text}", file=sys.stderr, flush=True)


def processors():
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1


def flags(kernel):
    """Options of the C compiler; -O3 takes longer, and most kernels gain nothing by it."""
    if sys.platform == "win32":
        return ["/O2"]
    # A product and a sum that some processors round once would differ from the interpreted kernels.
    # No run is more than 1 % slower if the shared code is compiled with -O1, which takes half the time.
    level = "-O3" if kernel in ("evalb", "mapping") else "-O1" if kernel == SHARED else "-O2"
    return [level, "-g0", "-ffp-contract=off"]


def kernels():
    """The extension modules, with their C sources still to be made."""
    if WANTED not in ("auto", "0", "1"):
        sys.exit(f"setup.py: JPEVALB_EXT is {WANTED!r}; expected auto, 0 or 1")
    if WANTED == "0":
        return []
    # The largest first: what is begun last should not keep one processor busy and the others waiting.
    sources = [path for path in CORE.glob("*.py") if path.stem not in NOT_KERNELS]
    sources.sort(key=lambda path: (-path.stat().st_size, path.stem))
    made = [
        Extension(f"jpevalb.kernels.{path.stem}", [path.as_posix()], extra_compile_args=flags(path.stem))
        for path in sources
    ]
    shared = [f"{CORE.as_posix()}/{SHARED}.c"]
    made.insert(1, Extension(f"jpevalb.kernels.{SHARED}", shared, extra_compile_args=flags(SHARED)))
    return made


class BuildKernels(build_ext):
    """Compiles the kernels on all processors; without a compiler they stay interpreted."""

    def finalize_options(self):
        super().finalize_options()
        if self.parallel is None:
            self.parallel = max(1, processors())

    def build_extensions(self):
        lacking = self.lacking()
        if lacking and WANTED == "auto":
            say(f"there is {lacking}; the kernels stay interpreted, with the same results, many times slower")
            self.extensions = []
            return
        if lacking:
            sys.exit(f"setup.py: JPEVALB_EXT=1 asks for compiled kernels, and there is {lacking}")
        count = len(self.extensions)
        jobs = min(count, self.parallel)
        say(f"compiling {count} kernel modules on {jobs} processors: some twenty-five seconds in all")
        from Cython.Build import cythonize

        made = cythonize(
            list(self.extensions),
            compiler_directives=DIRECTIVES,
            shared_utility_qualified_name=f"jpevalb.kernels.{SHARED}",
            nthreads=jobs if jobs > 1 and sys.platform == "linux" else 0,
            quiet=True,
        )
        sources = {extension.name: extension.sources for extension in made}
        for extension in self.extensions:
            extension.sources = sources[extension.name]
            extension.optional = WANTED == "auto"
        super().build_extensions()
        say("the kernels are compiled")

    def lacking(self):
        """What is not there to compile with; empty if all is."""
        try:
            import Cython
        except ImportError:
            return "no Cython; pip install 'Cython>=3.1'"
        if tuple(int(part) for part in Cython.__version__.split(".")[:2]) < (3, 1):
            return (
                f"no Cython of version 3.1 or later (found {Cython.__version__}); pip install 'Cython>=3.1'"
            )
        with tempfile.TemporaryDirectory() as folder:
            probe = Path(folder) / "probe.c"
            probe.write_text("#include <Python.h>\nint probe(void) { return 0; }\n")
            try:
                self.compiler.compile([str(probe)], output_dir=folder, extra_preargs=[])
            except Exception as error:  # the compiler's own errors share no class that all versions have
                first = str(error).partition("\n")[0]
                return f"no C compiler that works ({first})"
        return ""


class SameSdist(sdist):
    """An sdist that is the same to the byte whoever packs a commit, and when."""

    def make_archive(self, base_name, format, root_dir=None, base_dir=None, owner=None, group=None):
        if format != "gztar" or root_dir is not None:
            return super().make_archive(base_name, format, root_dir, base_dir, owner, group)
        target = f"{base_name}.tar.gz"
        self.mkpath(os.path.dirname(target))
        names = [base_dir, *map(str, Path(base_dir).rglob("*"))]
        with (
            open(target, "wb") as raw,
            gzip.GzipFile("", "wb", fileobj=raw, mtime=0) as packed,
            tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive,
        ):
            for name in sorted(names):
                archive.add(name, recursive=False, filter=self.without_traces)
        return target

    @staticmethod
    def without_traces(entry):
        entry.uid = entry.gid = 0
        entry.uname = entry.gname = ""
        entry.mtime = 315532800  # 1980, where zip files begin
        entry.mode = 0o755 if entry.isdir() or entry.mode & 0o100 else 0o644
        return entry


setup(
    cmdclass={"build_ext": BuildKernels, "sdist": SameSdist},
    packages=[*find_packages(include=["jpevalb", "jpevalb.*"]), "jpevalb.prm"],
    package_dir={"jpevalb.prm": "params"},
    package_data={
        "jpevalb": ["py.typed"],
        "jpevalb.alignment": ["exceptions/*.tsv"],
        "jpevalb.errors": ["error_classes/*.txt"],
        "jpevalb.prm": ["*.prm"],
        "jpevalb.page": ["*.css", "*.html", "*.js"],
    },
    # `make man` writes them; man finds them where the environment's bin is on the path.
    data_files=[("share/man/man1", ["docs/man/jpevalb.1", "docs/man/jpevalb-average.1"])],
    ext_modules=kernels(),
)
