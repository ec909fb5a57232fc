"""Mutation testing of one module: would its tests notice if the code were wrong?

``make mutants MODULE=metrics/times`` changes one place of ``jpevalb/metrics/times.py`` at a time, in a copy
of the checkout, and runs the tests of the module (:func:`module_tests`).  A mutant is killed if one fails.
The changes are those of `cosmic-ray <https://cosmic-ray.readthedocs.io>`_, and for a page script
(``MODULE=page/page.js``) those of :data:`SCRIPT_CHANGES`.  The sample is seeded, with one mutant per place,
so the same text always gives the same sample.  The tests of a kernel run interpreted.

The run writes the row of the module and its survivors to ``tests/mutants.md``.  Text that is added there
after the colon of a survivor explains why no test can kill it; later runs keep the text.

``--matrix FILE`` shows which test kills which mutant.  A mutant is tried until :data:`FAILURES` tests have
failed, the quickest first, and the answers are added to FILE.  For each test file it prints how many mutants
no other file kills, and the tests that can go together without a loss.  Such a test may still document
something.
"""

from __future__ import annotations

import argparse
import ast
import dataclasses
import gc
import hashlib
import importlib
import inspect
import json
import math
import os
import random
import re
import resource
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pytest

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "tests" / "mutants.md"
SEED = 15
COUNT = 40
FAILURES = 5

TESTS_BY_MODULE = """
metrics/tree_similarity: rates leaf_ancestor report_files leaf_ancestor ted_eval ted_eval
metrics/variants: report_files unlabeled oracle presets
metrics/labels: rates analysis functions report_files functions
averaging/heaviest: heaviest averaging
kernels/counting: counting one_count gaps
kernels/columns: columns build bracket_reader discbracket
kernels/evalb: plain_evalb evalb_kernel legacy_result golden_evalb
kernels/mapping: mapping node_accuracy node_types struct_iou
kernels/path: path_kernel
alignment/__init__: align_words align_sentences align_path
alignment/exceptions: align_exceptions align_words wrong_language
alignment/pair: pair gaps standardised convention_runs
alignment/run: align_path unlike align_marks
alignment/solve: align_path align_words
alignment/stream: align_stream align_bad_input
averaging/__init__: averaging averaging_labels
averaging/search: averaging
averaging/yields: yields averaging_labels averaging averaging_labeled
comparison/__init__: comparison_tables comparison
comparison/result: comparison_tables comparison pairs repr page
comparison/sources: comparison_tables comparison threshold
metrics/significance: significance
metrics/resampling: resampling significance
metrics/unit_table: significance resampling
claims/made: sentences claims
claims/notes: tables claims comparison
claims/systems: sentences claims page
score/pairing: discontinuous_corpus corpus timings real_files
score/references: references
score/run: timings runs workers traces corpus chunk unlike discontinuous_corpus real_files
score/sentence: corpus most_memory repr view texts_and_trees timings traces unaligned
score/inputs: untagged sources runs read_errors inputs traces two_doors command evaluator
score/evaluation: evaluation corpus repr rates
score/tally: inventory chunk unaligned workers labels
score/prepared: traces
score/outcome: sentences unlike traces untagged label_marks corpus
score/workers: workers
formats/read: detection tigerxml untagged inputs tokens answers plugins real_files
settings/options: values settings refusals options
settings/settings: values settings wrong_types node_types threshold plugins presets
formats/answers: repair answers answer_counts detection
formats/bracket: bracket_reader discbracket
formats/export: export tigerxml roots
base/text: tables claims sentences page hostile_text
base/files: inputs timings whole_output hostile_files
formats/jsonl: answers answer_counts detection unlabeled real_files tool_files
formats/lines: inputs bracket_reader unlabeled around tool_files
formats/xml: tigerxml tool_files writers detection
formats/timings: timings
formats/writers: writers export discbracket
legacy/__init__: legacy_result legacy_command
legacy/engine: legacy_result plain_evalb legacy_command
legacy/result: legacy_result rates repr
metrics/__init__: rates plugins repr tables
metrics/alignment: alignment_counts report_files boundaries rates segmentation
metrics/answers: rates answers answer_counts report_files faithful faithful
metrics/brackets: rates gaps empty_cases analysis tags deleted_words functions alignment_counts discontinuous
errors/causes: causes
metrics/discontinuous: rates discontinuous
errors/analysis: analysis causes
errors/corrections: analysis causes page page_rows
errors/__init__: public_names
metrics/mapping: node_types mapping most_memory node_accuracy
metrics/node_accuracy: rates node_accuracy node_types most_memory gaps report_files
metrics/record: rates repr empty_cases
metrics/references: rates references report_files
errors/search: corrections causes analysis page
metrics/struct_iou: rates analysis struct_iou timings most_memory aligned_gaps silence_oracle
metrics/times: timings
trees/sentence: repair answers pair page
base/counts: counts settings gaps
trees/drawing: notebook
base/errors: pair labels bracket_reader real_files read_errors
settings/rules: labels disco_oracle one_count conventions standardised convention_runs label_marks presets
settings/params: params roots
trees/parse: real_files bracket_reader tree
base/plugins: plugins repr analysis
settings/convention: presets conventions convention
score/signature: plugins settings presets node_types json_schema refusals
base/streams: inputs whole_output
trees/tree: build tree labels discontinuous tool_files tokens
base/values: values settings wrong_types node_types timings
base/version: commands json_schema
trees/words: align_words reasons same_words align_marks
cli: commands
commands/__init__: commands legacy_command
commands/arguments: threshold refusals command commands advice
commands/average: averaging_command
commands/tables: folders conventions_command comparison_tables threshold prm_in_every_mode page
commands/evalb: legacy_command commands
commands/evaluate: threshold view prm_in_every_mode refusals
commands/threshold: threshold
commands/options: options refusals threshold
page/sections: page report_files
page/collected: page page_rows
page/parts: page
page/report: page report_files report_stream
report/__init__: write_report report_stream tables plugins
report/sheet: tables analysis report_files references
report/comparison: comparison_tables tables analysis
report/writers: tables report_files hostile_text latex notebook comparison_tables
report/json: threshold json_schema report_files report_stream json_rows
report/notebooks: notebook
report/table: convention_runs tables report_files notebook comparison_tables
report/text: report_stream tables plugins report_files summary screen same_words
report/view: view report_gaps threshold
__init__: public_names
score/evaluator: evaluator references workers tables
perturb: perturb
base/claims: sentences claims
formats/around: oracle tool_files detection
formats/conll: tool_files detection tokens
formats/treebanks: real_files tool_files detection oracle folders
trees/prepare: real_files traces
kernels/__init__: import core build
kernels/cython_shim: path_kernel core
report/conventions: conventions_command conventions
score/conventions: convention_runs conventions_command
trees/nested: unlabeled real_files
__main__: commands
page/corrections.js: browser
page/export.js: browser
page/page.js: browser
page/picture.js: browser
page/sentence.js: browser
page/tree.js: browser
"""
"""Tests of a module in addition to its doctests and to the test of its name (tests/x/test_y.py for x/y)."""

TESTS = {
    module: [f"test_{name}" for name in names.split()]
    for module, _, names in (line.partition(":") for line in TESTS_BY_MODULE.split("\n") if line)
}


def module_tests(module: str) -> list[Path]:
    """Return the test files of a module: the one with its name, and those that :data:`TESTS` names."""
    room, _, name = module.rpartition("/")
    own = ROOT / "tests" / room / f"test_{name}.py"
    named = [path for test in TESTS.get(module, ()) for path in (ROOT / "tests").glob(f"*/{test}.py")]
    return list(dict.fromkeys([*([own] if room and own.exists() else []), *named]))


# Changes of these kinds say nothing: an annotation to Cython, or an identity test that equality does as well.
WITHOUT = re.compile("Variable|_(Eq|NotEq)_Is|_(Is|IsNot)_(Eq|NotEq|Lt|Gt)|_(Lt|LtE|Gt|GtE|Eq|NotEq)_Is")


@dataclass(frozen=True, slots=True)
class Mutant:
    """A text with one change.

    Attributes:
        line: Line of the change, from 1.
        before: That line as it is.
        after: The line as the change leaves it.
        text: The whole changed text.
    """

    line: int
    before: str
    after: str
    text: str

    @property
    def states(self) -> bool:
        """True if the line is outside functions and classes, where documented numbers are."""
        return not re.match(r"\s", self.text.splitlines()[self.line - 1])


class _Behaviour(ast.NodeTransformer):
    """Takes off what has no say in what a module does."""

    def visit_arg(self, node: ast.arg) -> ast.arg:
        node.annotation = None
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        node.returns = None
        node.decorator_list = [
            one for one in node.decorator_list if not ast.unparse(one).startswith("cython.")
        ]
        self.generic_visit(node)
        ends = [place for place, statement in enumerate(node.body) if isinstance(statement, ast.Return)]
        if ends:
            del node.body[ends[0] + 1 :]
        return node

    def visit_If(self, node: ast.If) -> ast.AST | list[ast.stmt]:
        """Interpreted kernels never go where only compiled ones do."""
        self.generic_visit(node)
        if ast.unparse(node.test) == "cython.compiled":
            return node.orelse or ast.Pass()
        if re.match("not cython.compiled( or |$)", ast.unparse(node.test)):
            return node.body
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AnnAssign:
        node.annotation = ast.Constant(None)
        self.generic_visit(node)
        return node


def behaviour(text: str) -> str:
    """The module without annotations and comments: equal texts are mutants that change nothing."""
    return ast.dump(_Behaviour().visit(ast.parse(text)))


def digest(module: str, text: str) -> str:
    """Return a short hash of a module's code, which comments and annotations do not change."""
    if not module.endswith(".js"):
        tree = _Behaviour().visit(ast.parse(text))
        for node in ast.walk(tree):
            body = getattr(node, "body", None)
            if isinstance(body, list) and body and _is_docstring(body[0]):
                body[0] = ast.Pass()
        text = ast.unparse(ast.fix_missing_locations(tree))
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def _is_docstring(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


SCRIPT_CHANGES = {
    "===": "!==",
    "!==": "===",
    "&&": "||",
    "||": "&&",
    "??": "&&",
    "<": "<=",
    "<=": "<",
    ">": ">=",
    ">=": ">",
    "+": "-",
    "-": "+",
    "*": "/",
    "/": "*",
    "true": "false",
    "false": "true",
    "if (": "if (!",
}
_SCRIPT_TOKEN = re.compile(
    r"//[^\n]*|/\*.*?\*/"  # comments
    r"|\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`"  # strings
    r"|(?<=[(,=:!&|?{};\[])\s*/(?:\\.|\[(?:\\.|[^\]])*\]|[^/\n\\\[])+/[a-z]*"  # regular expressions
    r"|\bif \((?![^\n]*(?:&&|\|\||\?))|[\w$]+|[=!<>+\-*/&|?.%^]+",
    re.DOTALL,
)


def script_mutants(text: str, *, seed: int, count: int) -> list[Mutant]:
    """Return a seeded sample of mutants of a page script, in the order of the text."""
    places = [
        (token.span(), SCRIPT_CHANGES.get(token[0]) or str(int(token[0]) + 1))
        for token in _SCRIPT_TOKEN.finditer(text)
        if token[0] in SCRIPT_CHANGES or re.fullmatch(r"\d{1,9}", token[0])
    ]
    random.Random(seed).shuffle(places)
    return [_mutant(text, text[:begin] + new + text[end:]) for (begin, end), new in sorted(places[:count])]


def mutants(text: str, *, seed: int, count: int) -> list[Mutant]:
    """Return a seeded sample of mutants, at most one per place, in the order of the text."""
    from cosmic_ray.ast import get_ast
    from cosmic_ray.mutating import MutationVisitor
    from cosmic_ray.operators.provider import OperatorProvider

    provider = OperatorProvider()
    operators = {name: provider[name]() for name in provider if not WITHOUT.search(name)}
    places: dict[tuple[int, int], list[tuple[str, int]]] = {}
    nodes = list(_nodes(get_ast(text)))
    for name, operator in operators.items():
        occurrence = 0
        for node in nodes:
            for position in operator.mutation_positions(node):
                places.setdefault(position[0], []).append((name, occurrence))
                occurrence += 1
    rng = random.Random(seed)
    order = sorted(places)
    rng.shuffle(order)
    same = behaviour(text)
    found: list[Mutant] = []
    for place in order:
        if len(found) == count:
            break
        # A kind of change first, so that the many replacements of an operator weigh as much as one.
        kinds: dict[str, list[tuple[str, int]]] = {}
        for choice in places[place]:
            kinds.setdefault(choice[0].split("_")[0], []).append(choice)
        name, occurrence = rng.choice(kinds[rng.choice(sorted(kinds))])
        changed = MutationVisitor.mutate_code(text, operators[name], occurrence)
        try:
            if changed is None or behaviour(changed) == same:
                continue
        except SyntaxError:
            continue
        mutant = _mutant(text, changed)
        # An import for types only that runs changes nothing.
        if mutant.before != "if TYPE_CHECKING:":
            found.append(mutant)
    return sorted(found, key=lambda mutant: mutant.line)


def _nodes(tree: object) -> Iterator[object]:
    yield tree
    for child in getattr(tree, "children", ()):
        yield from _nodes(child)


def _mutant(text: str, changed: str) -> Mutant:
    old, new = text.splitlines(), changed.splitlines()
    at = next(
        (place for place, (one, other) in enumerate(zip(old, new)) if one != other),
        min(len(old), len(new)) - 1,
    )
    return Mutant(at + 1, old[at].strip(), new[at].strip(), changed)


class _Quickest:
    """Run the quickest tests first: a run ends with the first failure.

    Args:
        place: File with the duration of each test.
        write: True if this run writes that file.
        longest: Maximum duration of a test in seconds; longer ones are skipped.
        known: Durations of tests that passed before; a run that writes leaves them out.
    """

    def __init__(
        self, place: Path, write: bool, longest: float = math.inf, known: dict[str, float] | None = None
    ) -> None:
        self.place = place
        self.write = write
        self.longest = longest
        self.known = known or {}
        self.failed = place.with_name("failed")
        self.took: dict[str, float] = {} if write else json.loads(place.read_text("utf-8"))

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        if self.write:
            names = {item.nodeid for item in items}
            self.took = {name: took for name, took in self.known.items() if name in names}
            items[:] = [item for item in items if item.nodeid not in self.took]
            return
        items[:] = [item for item in items if self.took.get(item.nodeid, 0) <= self.longest]
        items.sort(key=lambda item: self.took.get(item.nodeid, 0))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if self.write:
            self.took[report.nodeid] = self.took.get(report.nodeid, 0) + report.duration
        if report.failed:
            with self.failed.open("a", encoding="utf-8") as out:
                out.write(f"{report.nodeid}\n")

    def pytest_sessionfinish(self) -> None:
        if self.write:
            self.place.write_text(json.dumps(self.took), encoding="utf-8")


class _Exchange(_Quickest):
    """Tries mutants of functions in forks of a process that has collected the tests.

    A fork puts the wrong code into the functions that have the right one, runs the tests that take less than
    half a second, and ends; processes that those tests start find the wrong text.  What is outside of
    functions, and what only a longer test can tell, is left to :meth:`Scratch.run`.

    Args:
        scratch: Where the module is.
        tries: The mutants by their numbers.
        seconds: CPU seconds that a fork may take.
        every: True if a fork runs the longer tests, too.
    """

    SHORT = 0.5

    def __init__(self, scratch: Scratch, tries: dict[int, Mutant], seconds: float, every: bool) -> None:
        super().__init__(scratch.folder / "took", False, scratch.longest)
        self.scratch = scratch
        self.tries = tries
        self.seconds = seconds
        self.every = every

    def pytest_runtestloop(self, session: pytest.Session) -> bool | None:
        """Runs no test itself; in a fork it leaves them to pytest."""
        name = ".".join(("jpevalb", *self.scratch.module.removesuffix("/__init__").split("/")))
        importlib.import_module(name)
        functions: dict[tuple[str, int], list[FunctionType]] = {}
        for thing in gc.get_objects():
            if isinstance(thing, FunctionType) and thing.__code__.co_filename == str(self.scratch.place):
                key = thing.__code__.co_name, thing.__code__.co_firstlineno
                functions.setdefault(key, []).append(thing)
        killed: dict[int, bool] = {}
        for number, mutant in self.tries.items():
            exchanged = _exchanged(self.scratch.original, mutant.text, str(self.scratch.place))
            found = [(functions.get((old.co_name, old.co_firstlineno)), new) for old, new in exchanged or []]
            if not found or any(
                not now or now[0].__code__.co_freevars != new.co_freevars for now, new in found
            ):
                continue
            self.scratch.mutate(mutant.text)
            self.failed = self.scratch.failed(number)
            child = os.fork()
            if not child:
                os.setsid()
                resource.setrlimit(resource.RLIMIT_CPU, (int(self.seconds) + 1, int(self.seconds) + 2))
                resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))
                for now, new in found:
                    for function in now or []:
                        function.__code__ = new
                longest = math.inf if self.every else self.SHORT
                session.items[:] = [item for item in session.items if self.took.get(item.nodeid, 0) < longest]
                return None
            status, _ = _wait(child, self.seconds)
            killed[number] = status != 0
        self.scratch.mutate(self.scratch.original)
        (self.scratch.folder / "killed").write_text(json.dumps(killed), encoding="utf-8")
        return True


def _exchanged(text: str, changed: str, place: str) -> list[tuple[CodeType, CodeType]] | None:
    """The outermost functions that two texts of a module have different code for; None if more differs."""
    pairs: list[tuple[CodeType, CodeType]] = []
    levels = [(compile(text, place, "exec"), compile(changed, place, "exec"))]
    while levels:
        old, new = levels.pop()
        inner = [[const for const in code.co_consts if isinstance(const, CodeType)] for code in (old, new)]
        if _flat(old) != _flat(new) or len(inner[0]) != len(inner[1]):
            return None
        for one, other in zip(*inner):
            if one.co_flags & inspect.CO_OPTIMIZED:
                pairs += [(one, other)] if one != other else []
            else:
                levels.append((one, other))
    return pairs


def _flat(code: CodeType) -> tuple[object, ...]:
    """Return the module-level code of a module, without functions and classes."""
    consts = [(type(const), const) for const in code.co_consts if not isinstance(const, CodeType)]
    return code.co_name, code.co_firstlineno, code.co_code, code.co_names, code.co_varnames, repr(consts)


def _wait(child: int, seconds: float) -> tuple[int, float]:
    """Wait for a process; return its exit status and CPU seconds.

    A test that waits for what never comes uses no CPU; its process is killed in the end.
    """
    limit = time.monotonic() + 60 + 20 * seconds
    while True:
        done, status, used = os.wait4(child, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status), used.ru_utime + used.ru_stime
        if time.monotonic() > limit:
            os.killpg(child, signal.SIGKILL)
        time.sleep(0.02)


class Scratch:
    """A copy of the checkout, in which a module may be wrong.

    Args:
        module: The module, as ``metrics/brackets``.
        longest: Seconds beyond which a test is left out.
        known: Durations of tests that passed before.
    """

    def __init__(self, module: str, longest: float, known: dict[str, float]) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="mutants-"))
        self.folder.chmod(0o755)  # one test runs as another user
        self.module = module
        self.longest = longest
        self.known = known
        for name in ("jpevalb", "tests", "params", "golden_outputs", "examples", "docs"):
            left_out = shutil.ignore_patterns("__pycache__", "_build", "*.c")
            shutil.copytree(ROOT / name, self.folder / name, ignore=left_out)
        for path in ROOT.iterdir():
            if path.is_file() and not path.name.startswith("."):
                shutil.copy(path, self.folder / path.name)
        self.script = module.endswith(".js")
        self.place = self.folder / "jpevalb" / (module if self.script else f"{module}.py")
        self.original = self.place.read_text(encoding="utf-8")

    def failed(self, number: int) -> Path:
        """The file with the names of the tests that a mutant failed."""
        return self.folder / f"failed-{number}"

    def failures(self, number: int) -> list[str]:
        """Return the tests that a mutant failed."""
        path = self.failed(number)
        return path.read_text("utf-8").splitlines() if path.exists() else []

    def run(
        self,
        *,
        seconds: float,
        limits: bool = True,
        write: bool = False,
        number: int = 0,
        every: bool = False,
    ) -> tuple[int, float, str]:
        """Runs the tests in a process of their own.

        Args:
            seconds: CPU seconds that the process may take.
            limits: Whether the numbers that the pages state are tested too.
            write: Whether it keeps bytecode for those that come.
            number: The number of the mutant, from 1.
            every: Whether it goes on after the first failures.

        Returns:
            The exit status (negative: the signal that ended it), the CPU seconds, and the output.
        """
        plugin = _Quickest(self.folder / "took", write, self.longest, self.known)
        plugin.failed = self.failed(number)
        return self._fork(limits, plugin, seconds, every)

    def exchange(self, tries: dict[int, Mutant], *, seconds: float, every: bool = False) -> dict[int, bool]:
        """Tries mutants of functions without a process and a collection for each.

        Args:
            tries: The mutants by their numbers.
            seconds: CPU seconds that one of them may take.
            every: Whether the longer tests and those after the first failures run, too.

        Returns:
            For the number of each that could be tried whether it is killed; the others need :meth:`run`.
        """
        (self.folder / "killed").unlink(missing_ok=True)
        status, _, log = self._fork(False, _Exchange(self, tries, seconds, every), 3600, every)
        if status not in (0, 5):
            print(log[-2000:], file=sys.stderr)
        killed = self.folder / "killed"
        found = json.loads(killed.read_text("utf-8")) if killed.exists() else {}
        return {int(number): dead for number, dead in found.items()}

    def _fork(self, limits: bool, plugin: _Quickest, seconds: float, every: bool) -> tuple[int, float, str]:
        log = self.folder / "log"
        child = os.fork()
        if not child:
            status = 70
            try:
                os.setsid()
                out = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
                os.dup2(out, 1)
                os.dup2(out, 2)
                resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, -1))
                if not self.script:  # Chromium reserves more addresses
                    resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))
                status = self._test(limits, plugin, every)
            except BaseException:
                traceback.print_exc()
            finally:
                sys.stdout.flush()
                sys.stderr.flush()
                os._exit(status)
        return *_wait(child, seconds), log.read_text("utf-8", "replace")

    def _test(self, limits: bool, plugin: _Quickest, every: bool) -> int:
        import pytest

        os.chdir(self.folder)
        for name in [name for name in sys.modules if name.split(".")[0] in ("tests", "jpevalb")]:
            del sys.modules[name]
        sys.path[:] = [str(self.folder), *(path for path in sys.path if Path(path or ".").resolve() != ROOT)]
        os.environ["PYTHONPATH"] = str(self.folder)  # for processes that tests start
        sys.dont_write_bytecode = not plugin.write
        if not plugin.write:
            os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
        if self.module.startswith("kernels/"):
            os.environ["JPEVALB_PURE"] = "1"
        tests = [path.relative_to(ROOT) for path in module_tests(self.module)]
        tests += [Path("tests/project/test_limits.py")] if limits else []
        # Of hypothesis, imported beforehand, pytest would rewrite the assertions.
        options = [
            "-q",
            *(["--timeout=10", f"--maxfail={FAILURES}"] if every else ["-x"]),
            "-p",
            "no:cacheprovider",
            "-W",
            "ignore::pytest.PytestAssertRewriteWarning",
        ]
        # Nor is a class or function a test whose name begins like one, where the doctests are looked for.
        options += ["-W", "ignore::pytest.PytestCollectionWarning", "--override-ini=python_functions=test_*"]
        options.append("--override-ini=addopts=-m 'not packages'")
        options += map(str, tests)
        if not self.module.startswith(("kernels/", "__main__")) and not self.script:
            options += ["--doctest-modules", f"jpevalb/{self.module}.py"]
        return int(pytest.main(options, plugins=[plugin]))

    def mutate(self, text: str) -> None:
        """Puts a text in the module's place, and takes its bytecode away."""
        self.place.write_text(text, encoding="utf-8")
        for path in (self.place.parent / "__pycache__").glob(f"{self.place.stem}.*.pyc"):
            path.unlink()

    def remove(self) -> None:
        shutil.rmtree(self.folder)


def _preload() -> None:
    """Imports what the tests need and no mutant touches, once."""
    import hypothesis
    import pytest  # noqa: F401
    import rapidfuzz.distance  # noqa: F401
    import regex  # noqa: F401
    import tabulate  # noqa: F401
    import tqdm  # noqa: F401

    # A failure is enough; which example is the shortest does not matter.
    hypothesis.settings.register_profile(
        "mutants",
        phases=[hypothesis.Phase.explicit, hypothesis.Phase.generate],
        database=None,
        deadline=None,
        derandomize=True,
    )
    hypothesis.settings.load_profile("mutants")


@dataclass(frozen=True, slots=True)
class Result:
    """A row of ``tests/mutants.md`` and the lines about its survivors.

    Attributes:
        code: Hash of the code that was changed, or an empty string if it is not known.
        survivors: One line for each survivor: number, change, and the reason if no test can kill it.
    """

    mutants: int
    killed: int
    equivalent: int
    code: str
    survivors: tuple[str, ...] = ()

    @property
    def open(self) -> int:
        return self.mutants - self.killed - self.equivalent


_ROW = re.compile(r"\| `([^`]+)` \| (\d+) \| (\d+) \| (\d+) \| \d+ \| (\w*) ?\|")
_SURVIVOR = re.compile(r"  - (\d+): (`.*`) → (`.*?`):(?: (.*))?")
_HEAD = "| module | mutants | killed | equivalent | open | code |\n| --- | --- | --- | --- | --- | --- |\n"


def read_results(text: str) -> tuple[str, dict[str, Result]]:
    """Split ``tests/mutants.md`` into the text before the table and the results by module."""
    results = {row[1]: Result(int(row[2]), int(row[3]), int(row[4]), row[5]) for row in _ROW.finditer(text)}
    for part in text.partition("\n## Survivors\n")[2].split("\n- `")[1:]:
        name, *lines = part.rstrip().split("\n")
        module = name.partition("`")[0]
        results[module] = dataclasses.replace(results[module], survivors=tuple(lines))
    return text.partition(_HEAD)[0], results


def write_results(head: str, results: dict[str, Result]) -> str:
    """Return the text of ``tests/mutants.md``."""
    rows = [
        f"| `{name}` | {one.mutants} | {one.killed} | {one.equivalent} | {one.open} | {one.code} |\n"
        for name, one in sorted(results.items())
    ]
    survivors = [
        f"- `{name}`\n" + "".join(f"{line}\n" for line in one.survivors)
        for name, one in sorted(results.items())
        if one.survivors
    ]
    return f"{head}{_HEAD}{''.join(rows)}\n## Survivors\n\n{''.join(survivors)}"


def _result(before: Result | None, made: list[Mutant], survivors: list[int], code: str) -> Result:
    """Return the result of a run; survivors that were explained before keep their reasons."""
    known = [_SURVIVOR.fullmatch(line) for line in (before.survivors if before else ())]
    reasons = {(one[2], one[3]): one[4] for one in known if one and one[4]}
    lines = []
    for number in survivors:
        change = _quoted(made[number - 1].before), _quoted(made[number - 1].after)
        reason = reasons.get(change)
        lines.append(f"  - {number}: {change[0]} → {change[1]}:" + (f" {reason}" if reason else ""))
    equivalent = sum(not line.endswith(":") for line in lines)
    return Result(len(made), len(made) - len(survivors), equivalent, code, tuple(lines))


def _quoted(text: str) -> str:
    return f"`` {text} ``" if "`" in text else f"`{text}`"


def path_of(module: str) -> Path:
    return ROOT / "jpevalb" / (module if module.endswith(".js") else f"{module}.py")


def stale() -> list[str]:
    """Return the modules and page scripts whose code no run has seen as it is."""
    package = ROOT / "jpevalb"
    _, results = read_results(RESULTS.read_text("utf-8"))
    names = [str(path.relative_to(package).with_suffix("")) for path in package.rglob("*.py")]
    names += [str(path.relative_to(package)) for path in package.rglob("*.js")]
    return sorted(
        name
        for name in names
        if name not in results or results[name].code != digest(name, path_of(name).read_text("utf-8"))
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "modules", nargs="*", metavar="MODULE", help="without one: list the modules without a current row"
    )
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--count", type=int, default=COUNT)
    parser.add_argument("--only", type=int, nargs="+", metavar="NUMBER", help="mutants by number, from 1")
    parser.add_argument(
        "--again",
        action="store_true",
        help="try the open survivors of the row once more; the code must be the same",
    )
    parser.add_argument(
        "--matrix",
        type=Path,
        metavar="FILE",
        help="go on after the first failure of a mutant, and add the failures to FILE",
    )
    parser.add_argument(
        "--longest", type=float, default=math.inf, metavar="SECONDS", help="leave out tests that take longer"
    )
    options = parser.parse_args()
    if not options.modules and not options.matrix:
        print("\n".join(stale()))
        return 0
    _preload()
    known: dict[str, float] = {}
    status = max([run_module(module, options, known) for module in options.modules], default=0)
    if options.matrix:
        print(matrix_report(json.loads(options.matrix.read_text("utf-8"))))
    return status


def _functions(tests: Iterable[str]) -> list[str]:
    """Return the names of tests without their parameters."""
    return sorted({test.partition("[")[0] for test in tests})


def add_to_matrix(path: Path, module: str, row: dict[str, object]) -> None:
    """Add the tests of a module and the failures of its mutants to a file of other modules."""
    table = json.loads(path.read_text("utf-8")) if path.exists() else {}
    table[module] = row
    path.write_text(json.dumps(table, indent=1), "utf-8")


def matrix_report(table: dict[str, dict[str, Any]]) -> str:
    """Return for each test file what it kills alone, and the tests that can go together without a loss."""
    kills = {test: set[tuple[str, str]]() for row in table.values() for test in row["tests"]}
    left: dict[tuple[str, str], int] = {}
    for module, row in table.items():
        for number, failures in row["mutants"].items():
            left[module, number] = len(failures)
            for test in failures:
                kills[test].add((module, number))
    spare = set()
    for test in sorted(kills, key=lambda test: (len(kills[test]), test)):
        if all(left[mutant] > 1 for mutant in kills[test]):
            left.update({mutant: left[mutant] - 1 for mutant in kills[test]})
            spare.add(test)
    files: dict[str, list[str]] = {}
    for test in sorted(kills):
        files.setdefault(test.partition("::")[0], []).append(test)
    killed = {file: set().union(*(kills[test] for test in tests)) for file, tests in files.items()}
    lines = [f"{sum(map(bool, left.values()))} of {len(left)} mutants killed"]
    for file, tests in files.items():
        alone = killed[file].difference(*(killed[other] for other in files if other != file))
        lines.append(f"{file}: {len(killed[file])} killed, {len(alone)} by no other file; tests that can go:")
        lines += [f"  {len(kills[test]):3} {test.partition('::')[2]}" for test in tests if test in spare]
    return "\n".join(lines)


def run_module(module: str, options: argparse.Namespace, known: dict[str, float]) -> int:
    """Try the mutants of a module, print the survivors and write its row.

    Args:
        module: The module, as ``metrics/brackets``.
        options: What the command line says.
        known: Durations of the tests that passed without a mutant for the modules before; added to.
    """
    text = path_of(module).read_text(encoding="utf-8")
    code = digest(module, text)
    before = read_results(RESULTS.read_text("utf-8"))[1].get(module)
    count = options.count
    only = options.only
    explained: list[int] = []
    if options.again:
        if before is None or before.code != code:
            print(f"{module}: the code is not that of the row", file=sys.stderr)
            return 1
        count = before.mutants
        numbers = {int(line.split(":")[0].strip(" -")): line.endswith(":") for line in before.survivors}
        only = [number for number, is_open in numbers.items() if is_open]
        explained = [number for number, is_open in numbers.items() if not is_open]
    make = script_mutants if module.endswith(".js") else mutants
    made = make(text, seed=options.seed, count=count)
    kernel = module.startswith("kernels/")
    scratch = Scratch(module, options.longest, {} if kernel else known)
    try:
        status, _, log = scratch.run(seconds=600, limits=not kernel and not scratch.script, write=True)
        if status not in (0, 5):
            print(log, file=sys.stderr)
            print(f"the tests of {module} fail without a mutant", file=sys.stderr)
            return 1
        durations: dict[str, float] = json.loads((scratch.folder / "took").read_text("utf-8"))
        scratch.known.update(durations)
        took = sum(seconds for seconds in durations.values() if seconds <= options.longest)
        print(f"{module}: {len(made)} mutants, {took:.1f} s for the tests", flush=True)
        tries = {number: mutant for number, mutant in enumerate(made, 1) if only is None or number in only}
        every = options.matrix is not None
        seconds = (20 if every else 5) + 3 * took
        killed = {} if scratch.script else scratch.exchange(tries, seconds=seconds, every=every)
        survivors = []
        for number, mutant in tries.items():
            status, log = int(killed.get(number, False)), ""
            if not status and not (every and number in killed):
                scratch.mutate(mutant.text)
                limits = mutant.states and not kernel and not scratch.script
                status, _, log = scratch.run(seconds=seconds, limits=limits, number=number, every=every)
            if status == 0:
                survivors.append(number)
                print(
                    f"{number} survives, line {mutant.line}\n  - {mutant.before}\n  + {mutant.after}",
                    flush=True,
                )
            elif status not in (1, 2, 3, 4) and status > 0:
                print(f"{number} ends with status {status}\n{log[-2000:]}", flush=True)
        print(f"{module}: {len(tries) - len(survivors)} of {len(tries)} killed", flush=True)
        if every:
            row = {number: _functions(scratch.failures(number)) for number in tries}
            add_to_matrix(options.matrix, module, {"tests": _functions(durations), "mutants": row})
    finally:
        scratch.remove()
    if not options.only:
        head, results = read_results(RESULTS.read_text("utf-8"))
        results[module] = _result(before, made, sorted([*explained, *survivors]), code)
        RESULTS.write_text(write_results(head, results), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
