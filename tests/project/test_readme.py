"""README.md, CONTRIBUTING.md and docs/: commands print the output shown, Python blocks are doctests.

The blocks of a page run in their order, in a folder of its own that looks like the
checkout.  ``python -m tests.project.test_readme`` writes what examples print into the pages, for
those that print something else than what stands there.
"""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

import jpevalb
from tests.support.commands import ROOT

pytestmark = pytest.mark.slow

PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"^```([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)

# Commands that would change the machine or take long, and where they are tried instead.
NOT_RUN = {
    "pip install": ".ci/run installs the package in two ways",
    "python -m venv": ".ci/run",
    "python3 -m venv": ".ci/run runs both commands of the README",
    ".venv/bin/pip install": ".ci/run runs both commands of the README",
    "make ": "the Makefile's targets are CI's own",
    "git ": "not ours",
    "python -m tests.benchmarks": "timings differ",
    "cibuildwheel": "takes hours",
    "python -m build": "the release",
    "pre-commit ": "runs the linters",
    "man jpevalb": "tests/project/test_manual.py",
    "cd jpevalb": "after git clone",
    "ln -s": "tests/commands/test_legacy_command.py",
    "./EVALB/evalb": "the C program",
    "jpevalb -p COLLINS.prm dev.gold": "tests/commands/test_legacy_command.py has all of evalb's options",
    "python -m tests.": "writes files of the checkout",
}

OTHER_PROGRAMS = {"--seconds", "--replay", "--section23", "--bugs", "--korean", "--write"}
"""Options of the fuzz targets, which CONTRIBUTING.md tells of, and of the benchmarks in docs/speed.md."""


class Page:
    """A page of Markdown and what its blocks do."""

    def __init__(self, path: Path, folder: Path) -> None:
        self.path = path
        self.text = path.read_text(encoding="utf-8")
        self.folder = folder
        self.environment = self._install()

    def _install(self) -> dict[str, str]:
        """The commands on the path, as pip would put them there, and links to the checkout's folders."""
        for name in ("examples", "golden_outputs", "params", "tests"):
            os.symlink(ROOT / name, self.folder / name)
        os.symlink(Path(jpevalb.__file__).parent, self.folder / "jpevalb")
        bin = self.folder / ".bin"
        bin.mkdir()
        for name, home in (
            ("jpevalb", "jpevalb.cli:run"),
            ("jpevalb-average", "jpevalb.commands.average:run"),
        ):
            module, function = home.split(":")
            script = bin / name
            script.write_text(
                f"#!{sys.executable}\nimport sys\nsys.path.insert(0, {str(ROOT)!r})\n"
                f"from {module} import {function}\nif __name__ == '__main__':\n    sys.exit({function}())\n"
            )
            script.chmod(0o755)
        packages = self.folder / ".packages"
        programs = {
            "python": sys.executable,
            "pip": f"{sys.executable} {ROOT / 'tests/support/pip.py'} {packages}",
        }
        for name, call in programs.items():
            (bin / name).write_text(f'#!/bin/sh\nexec {call} "$@"\n')
            (bin / name).chmod(0o755)
        path = f"{bin}:{os.environ['PATH']}"
        python_path = f"{ROOT}{os.pathsep}{packages}"
        return dict(os.environ, PATH=path, COLUMNS="110", PYTHONPATH=python_path, PYTHONIOENCODING="utf-8")

    def run(self) -> tuple[list[str], str]:
        """Runs all blocks; what went wrong, and the text with the output that was found."""
        wrong: list[str] = []
        names: dict[str, object] = {}

        def replaced(match: re.Match[str]) -> str:
            language, block = match.groups()
            if language == "console":
                return f"```console\n{self._console(block, wrong)}```"
            if language == "python":
                return f"```python\n{self._python(block, names, wrong)}```"
            return match[0]

        return wrong, BLOCK.sub(replaced, self.text)

    def _console(self, block: str, wrong: list[str]) -> str:
        """Runs a block of ``$ command`` lines, each with its output; lines that go on begin with ``> ``."""
        assert block.startswith("$ "), f"{self.path.name}: a console block begins with a command: {block}"
        shown = []
        for example in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            lines = example.splitlines(keepends=True)
            size = 1
            while size < len(lines) and re.match(r">(?: |$)", lines[size]):
                size += 1
            command = lines[0] + "".join(re.sub(r"^> ?", "", line) for line in lines[1:size])
            expected = "".join(lines[size:])
            done = subprocess.run(
                ["bash", "-c", command],
                cwd=self.folder, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                check=False, timeout=120,
            )  # fmt: skip
            found = done.stdout.decode()
            # A line of three dots stands for any number of lines.
            pattern = r"(?:.*\n)*?".join(map(re.escape, re.split(r"^\.\.\.\n", expected, flags=re.MULTILINE)))
            if not re.fullmatch(pattern, found):
                wrong.append(f"$ {command}printed:\n{found}expected:\n{expected}")
                expected = found
            shown.append(f"$ {''.join(lines[:size])}{expected}")
        return "".join(shown)

    def _python(self, block: str, names: dict[str, object], wrong: list[str]) -> str:
        """Runs a block of ``>>>`` examples; names go from block to block."""
        test = doctest.DocTestParser().get_doctest(block, names, self.path.name, str(self.path), 0)
        assert test.examples, f"{self.path.name}: a Python block without an example: {block}"
        test.globs = names
        runner = _Recorder(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
        here = Path.cwd()
        os.chdir(self.folder)
        try:
            runner.run(test, out=wrong.append, clear_globs=False)
        finally:
            os.chdir(here)
        lines = block.splitlines(keepends=True)
        for example in reversed(test.examples):
            if example.lineno in runner.found:
                start = example.lineno + example.source.count("\n")
                lines[start : start + example.want.count("\n")] = [runner.found[example.lineno]]
        return "".join(lines)


class _Recorder(doctest.DocTestRunner):
    """Remembers what was printed instead of what was expected, by line."""

    def __init__(self, **options: int) -> None:
        super().__init__(**options)
        self.found: dict[int, str] = {}

    def report_failure(self, out, test, example, got):
        self.found[example.lineno] = got
        super().report_failure(out, test, example, got)


@pytest.mark.skipif(os.name == "nt", reason="the examples are for a POSIX shell")
@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_page(path: Path, tmp_path: Path):
    wrong, _ = Page(path, tmp_path).run()
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_every_block_is_run_or_known_not_to_be(path: Path):
    fences = re.findall(r"^ *(?:```|:::|~~~).*", path.read_text(encoding="utf-8"), re.MULTILINE)
    assert len(fences) == 2 * len(BLOCK.findall(path.read_text(encoding="utf-8"))), (
        "an indented block is not run"
    )
    for language, block in BLOCK.findall(path.read_text(encoding="utf-8")):
        if language == "sh":
            for line in block.splitlines():
                known = any(line.startswith(words) for words in NOT_RUN)
                assert known or not line or line.startswith("#"), (
                    f"{line!r} is not run: make it a console block"
                )
        else:
            assert language in ("console", "python", "text", "toml", "yaml") or language.startswith("{"), (
                language
            )


def test_options_that_pages_name_exist():
    """That ``docs/options.md`` has every option is tested in ``test_manual``."""
    from jpevalb.commands import average, options

    known: set[str] = set()
    for parser in (options.parser(), average.parser()):
        known |= {option for action in parser._actions for option in action.option_strings}
    for path in PAGES:
        text = BLOCK.sub("", path.read_text(encoding="utf-8"))
        named = set(re.findall(r"`(?:jpevalb[^`]* )?(--[a-z0-9-]+)[^`]*`", text))
        assert named - known - OTHER_PROGRAMS == set(), path.name


def test_every_page_is_in_the_contents():
    text = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    contents = re.findall(r"^([\w-]+)$", text, re.MULTILINE)
    assert sorted(contents) == sorted(
        page.stem for page in PAGES if page.parent == ROOT / "docs" and page.stem != "index"
    )


if __name__ == "__main__":
    for path in PAGES:
        if len(sys.argv) > 1 and path.name not in sys.argv[1:]:
            continue
        with tempfile.TemporaryDirectory() as folder:
            page = Page(path, Path(folder))
            wrong, text = page.run()
        if text != page.text:
            path.write_text(text, encoding="utf-8")
        print(f"{path.name}: {len(wrong)} examples differed")
        print("\n".join(wrong))
