"""Runs the commands as separate processes."""

from __future__ import annotations

import atexit
import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

from tests.support.nursery import AT_START, POSSIBLE, Nursery

ROOT = Path(__file__).resolve().parents[2]

AVERAGE = "jpevalb.commands.average:run"

# Code for ``python -c``.
COMMAND = "import sys; from jpevalb.cli import run; sys.exit(run())"
AVERAGE_COMMAND = "import sys; from jpevalb.commands.average import run; sys.exit(run())"

_nurseries: dict[tuple[tuple[str, str], ...], Nursery] = {}
_calls: Counter[tuple[tuple[str, str], ...]] = Counter()


def jpevalb(
    *arguments,
    cwd=None,
    stdin=b"",
    stdout=None,
    stderr=None,
    pure=None,
    unbuffered=None,
    limit=None,
    program="jpevalb",
    home="jpevalb.cli:run",
    imports=(),
):
    """Run ``program arguments``; return stdout and stderr as bytes, and the exit status.

    The first two calls start Python anew; those that follow with the same variables are forked (see
    ``nursery``), but for a measurement of coverage, which begins where Python does.

    Args:
        stdin: Bytes or an open file.
        stdout: A file for the output; kept if not given.
        stderr: A file for the messages; kept if not given.
        pure: Whether the kernels are the interpreted ones; the tests' own if not given.
        unbuffered: Whether PYTHONUNBUFFERED is set; as in the tests' own environment if not given.
        limit: The size in bytes beyond which no file may grow.
        home: The function to call.
        imports: Modules that the nursery has imported beforehand, from this call on.
    """
    environment = dict(os.environ, PYTHONPATH=str(ROOT))
    if pure is not None:
        environment["JPEVALB_PURE"] = "1" if pure else "0"
    if unbuffered is not None:
        environment.pop("PYTHONUNBUFFERED", None)
        environment.update({"PYTHONUNBUFFERED": "1"} if unbuffered else {})
    folder = os.fspath(cwd or os.getcwd())
    words = [os.fspath(argument) for argument in arguments]
    key = tuple(sorted(item for item in environment.items() if item[0].startswith(AT_START)))
    _calls[key] += 1
    streams = {"stdout": stdout, "stderr": stderr}
    if POSSIBLE and _calls[key] > 2 and "coverage" not in sys.modules:
        if key not in _nurseries:
            _nurseries[key] = nursery = Nursery(environment)
            atexit.register(nursery.close)
        return _nurseries[key].run(
            home,
            [program, *words],
            cwd=folder,
            environment=environment,
            stdin=stdin,
            **streams,
            limit=limit,
            imports=imports,
            timeout=300,
        )
    rest = {}
    if limit is not None:
        import resource

        rest["preexec_fn"] = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
        # What measures coverage has a file of its own to write.
        environment = {name: value for name, value in environment.items() if "COVERAGE" not in name}
    module, function = home.split(":")
    code = f"import sys; sys.argv[0] = {program!r}; from {module} import {function}; sys.exit({function}())"
    return subprocess.run(
        [sys.executable, "-c", code, *words],
        cwd=folder,
        env=environment,
        timeout=300,
        check=False,
        **({"input": stdin} if isinstance(stdin, bytes) else {"stdin": stdin}),
        **{name: subprocess.PIPE if file is None else file for name, file in streams.items()},
        **rest,
    )


def start(code: str, *arguments: str, cwd=None, environment=None, **options) -> subprocess.Popen:
    """Start code with arguments in a new process, with pipes for its output unless given."""
    return subprocess.Popen(
        [sys.executable, "-c", code, *arguments],
        cwd=cwd,
        env={**(os.environ if environment is None else environment), "PYTHONPATH": str(ROOT)},
        **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options},
    )


def without_hints(text: str) -> str:
    """Return a text report of the command as the library writes it, without the options to try next."""
    lines = [re.sub(r"   (worst: |causes: ).*", "", line) for line in text.split("\n")]
    hints = "# evalb's may differ", "# evalb and most tools need"
    return "\n".join([line for line in lines if not line.startswith(hints)])
