"""Workers that are given blocks of lines find what one process finds, wherever the blocks are cut."""

from __future__ import annotations

import gzip
import io
import pickle
import random
from collections import Counter
from concurrent.futures import Future

import pytest

from jpevalb import InputError, JpevalbError, Params, Settings, Tree, evaluate
from jpevalb.base import files
from jpevalb.formats import bracket
from jpevalb.formats import lines as formats_lines
from jpevalb.report import write_report
from jpevalb.score import run as run_module
from jpevalb.score.chunk import no_rows
from jpevalb.score.run import Run
from jpevalb.trees.unread import LineBlock
from tests.support.commands import jpevalb
from tests.support.executors import Here

GOLD = [
    f"(S (NP-SBJ (D the) (N n{number})) (VP (V saw) (NP (N m{number}) (PP (P in) (N é{number})))))"
    for number in range(60)
]
SYSTEM = [
    line.replace("(PP (P in)", "(ADVP-X (P in)") if number % 3 else line.replace("(V saw)", "(N saw)")
    for number, line in enumerate(GOLD)
]
FORMATS = ("text", "json", "csv", "tsv", "markdown", "latex", "html")


def text(lines, end="\n", last=True):
    return (end.join(lines) + end * last).encode()


def changed(number, line, lines=SYSTEM):
    return [*lines[:number], line, *lines[number + 1 :]]


def broken(number, lines):
    """The lines with one of them cut in two."""
    return changed(number, lines[number].replace(" (VP", "\n  (VP"), lines)


CASES = {
    "in step": (text(GOLD), text(SYSTEM)),
    "longer lines": (text(GOLD), text([line.replace(" ", " " * 5) for line in SYSTEM])),
    "no last end": (text(GOLD, last=False), text(SYSTEM)),
    "neither last end": (text(GOLD, last=False), text(SYSTEM, last=False)),
    "returns": (text(GOLD), text(SYSTEM, "\r\n")),
    "only returns": (text(GOLD, "\r"), text(SYSTEM)),
    "byte order mark": (b"\xef\xbb\xbf" + text(GOLD), text(SYSTEM)),
    "byte order mark in the middle": (text(GOLD), text(changed(31, "\ufeff" + SYSTEM[31]))),
    "fewer of the system": (text(GOLD), text(SYSTEM[:-17])),
    "fewer of gold": (text(GOLD[:-17]), text(SYSTEM)),
    "empty": (text(GOLD), b""),
    "blank line": (text(GOLD), text(changed(31, ""))),
    "blank lines of both": (text(changed(31, "", GOLD)), text(changed(31, " "))),
    "blank lines at the end": (text([*GOLD, "", ""]), text(SYSTEM)),
    "blank lines between": (text(GOLD, "\n\n"), text(SYSTEM)),
    "comment": (text(GOLD), text([*SYSTEM[:31], "# no tree", "", *SYSTEM[31:]])),
    "failed parse": (text(GOLD), text(changed(31, "(())"))),
    "other words": (text(GOLD), text(changed(31, SYSTEM[31].replace("saw", "sees")))),
    "two trees": (text(GOLD), text(changed(31, f"{SYSTEM[31]} (S (N more))"))),
    "not closed": (text(GOLD), text(changed(31, SYSTEM[31][:-1]))),
    "not UTF-8": (text(GOLD), text(changed(31, "(S (N x))")).replace(b"(N x)", b"(N \xff)")),
    "over two lines": (text(broken(31, GOLD)), text(broken(31, SYSTEM))),
    "over two lines on one side": (text(GOLD), text(broken(31, SYSTEM))),
    "all over two lines": (text(GOLD).replace(b" (VP", b"\n (VP"), text(SYSTEM)),
}
OPTIONS = [
    {},
    {"on_error": "skip", "cut_at": "-"},
    {"pair": "order", "on_error": "skip", "prm": Params(delete_labels=("D",))},
]


class Elsewhere(Here):
    """An executor whose tasks and results are sent."""

    def submit(self, function, *arguments):
        return super().submit(lambda *given: _sent(function(*given)), *_sent(arguments))


def lines_of(chunk):
    """The blocks of lines of a chunk of both files, or nothing for one of sentences."""
    gold, system = chunk.stretches[0][:2]
    return (gold, system) if isinstance(gold, LineBlock) else None


def _sent(item):
    return pickle.loads(pickle.dumps(item))


def outcome(sources, executor, format, options):
    """Everything that comes of an evaluation."""
    written: list[str] = []
    run = Run(*sources, Settings(**options), executor)
    try:
        write_report(run, format, written.append)
    except JpevalbError as error:
        return "".join(written), type(error), str(error)
    found = run.evaluation()
    return "".join(written), found.warnings, found.standardised, found.left_out, found.to_dict()


@pytest.fixture(params=[90, 1 << 18], ids=["small", "large"])
def blocks(request, monkeypatch):
    """Read files in small pieces, or large ones, and send small chunks."""
    monkeypatch.setattr(run_module, "FIRST_BLOCK", 300)
    monkeypatch.setattr(run_module, "BLOCK", 700)
    monkeypatch.setattr(run_module, "CUT_HERE", 1500)
    for module, name in ((bracket, "SAMPLE_BYTES"), (files, "_BUFFER"), (formats_lines, "BLOCK")):
        monkeypatch.setattr(module, name, request.param)


@pytest.mark.slow
@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("case", CASES)
def test_the_same_on_workers(tmp_path, blocks, case, options):
    paths = [tmp_path / "gold", tmp_path / "sys"]
    for path, data in zip(paths, CASES[case]):
        path.write_bytes(data)
    for sides in (paths, paths[::-1]):
        for format in FORMATS if not options else ("json",):
            assert outcome(sides, Elsewhere(), format, options) == outcome(sides, None, format, options)


def test_the_same_of_streams(tmp_path, blocks):
    (tmp_path / "gold.gz").write_bytes(gzip.compress(CASES["in step"][0]))
    system = CASES["other words"][1]

    class Pipe(io.BytesIO):
        def seekable(self):
            return False

    def sources():
        yield tmp_path / "gold.gz", io.BytesIO(system)
        yield io.StringIO(CASES["in step"][0].decode()), Pipe(system)
        yield io.BufferedReader(io.BytesIO(CASES["in step"][0])), io.BytesIO(system)

    for one, other in zip(sources(), sources()):
        here = Here()
        options = {"traces": "keep"}  # pipes are not searched for traces
        assert outcome(other, here, "json", options) == outcome(one, None, "json", options)
        assert lines_of(here.done[0][0][1])


def test_other_encodings(tmp_path, blocks):
    for path, case in (("gold", "in step"), ("sys", "blank line")):
        data = CASES[case][path == "sys"].decode()
        (tmp_path / path).write_bytes(data.encode("latin-1"))
        (tmp_path / f"{path}.wide").write_bytes(data.encode("utf-16"))
    for suffix, encoding in (("", "latin-1"), (".wide", "utf-16"), ("", "utf-8")):
        sides = tmp_path / f"gold{suffix}", tmp_path / f"sys{suffix}"
        options = {"encoding": encoding, "on_error": "skip"}
        assert outcome(sides, Here(), "json", options) == outcome(sides, None, "json", options)


@pytest.mark.parametrize(
    ("case", "lines"), [("in step", 60), ("other words", 60), ("blank line", 60), ("comment", 31)]
)
def test_workers_have_all_lines_up_to_lines_around_trees(tmp_path, blocks, case, lines):
    """A sentence with other words is scored in its block, if both sides are in step again there."""
    paths = [tmp_path / "gold", tmp_path / "sys"]
    for path, data in zip(paths, CASES[case]):
        path.write_bytes(data)
    here = Here()
    run = Run(*paths, Settings(), here)
    assert sum(rows.size for rows in run.rows(no_rows)) == 60
    chunks = [(chunk, result) for (_, chunk), result in here.done if lines_of(chunk)]
    assert len(chunks) > 4
    used = 0
    for chunk, result in chunks:
        assert result.error is None
        gold, system = lines_of(chunk)
        assert gold.line == system.line
        assert chunk.sizes == (gold.size, gold.size) == (system.size, system.size)
        for block in (gold, system):
            assert bytes(block.data).count(b"\n") == block.size
            # The blocks say where they are.
            before = CASES[case][block is system].splitlines(True)[: block.line]
            assert block.offset == len(b"".join(before))
        if gold.line == used:
            used += result.used[0]
    assert used == lines


@pytest.mark.parametrize(("size", "before"), [(3000, 150), (60_000, 0)], ids=["small", "large"])
def test_lines_after_a_missing_sentence_go_to_workers_again(tmp_path, monkeypatch, size, before):
    monkeypatch.setattr(run_module, "FIRST_BLOCK", size)
    monkeypatch.setattr(run_module, "BLOCK", size)
    monkeypatch.setattr(run_module, "CUT_HERE", 90_000)
    gold = [line.replace("n", f"n{number}") for number in range(35) for line in GOLD]
    paths = tmp_path / "gold", tmp_path / "sys"
    for path, lines in zip(paths, (gold, [*gold[:200], *gold[201:2050], "(S (N more))", *gold[2050:]])):
        path.write_bytes(text(lines))
    here = Here()
    run = Run(*paths, Settings(), here)
    assert sum(rows.size for rows in run.rows(no_rows)) == 2101
    shifts = Counter()
    for (_, chunk), result in here.done:
        if lines := lines_of(chunk):
            shifts[lines[0].line - lines[1].line] += result.used[0]
    assert shifts[0] >= before
    assert shifts[1] > 300
    # Workers number their rows by the lines of gold, and one sentence of the system is alone.
    assert outcome(paths, Elsewhere(), "text", {}) == outcome(paths, None, "text", {})


def test_long_lines_go_to_workers(tmp_path):
    paths = tmp_path / "gold", tmp_path / "sys"
    for path, lines in zip(paths, (GOLD, SYSTEM)):
        path.write_bytes(
            text(line.replace("(N n", f"(N{'N' * 2000} n{k}x") for k in range(6) for line in lines)
        )
    here = Here()
    assert sum(rows.size for rows in Run(*paths, Settings(), here).rows(no_rows)) == 360
    assert all(lines_of(chunk) for (_, chunk), _ in here.done)


class Late(Elsewhere):
    """An executor whose tasks run when their results are asked for, so that many are sent before."""

    def submit(self, function, *arguments):
        return _LateFuture(super().submit, function, *arguments)


class _LateFuture(Future):
    def __init__(self, submit, *call):
        super().__init__()
        self._run = lambda: submit(*call)

    def result(self, timeout=None):
        return self._run().result()


def shifted(seed):
    """Two files in which sentences of one side are missing, added, split, joined, blank or unreadable."""
    rng = random.Random(seed)
    sides = [], []
    rate = rng.choice([0.002, 0.01, 0.05, 0.3])
    returns = rng.random() < 0.2
    for number in range(rng.choice([30, 100, 300])):
        words = [rng.choice(["the", "a", "n", f"w{rng.randrange(300)}"]) for _ in range(rng.randint(1, 9))]
        lines = []
        for side in sides:
            leaves = [f"({rng.choice('NVD')} {word})" for word in words]
            cut = rng.randint(0, len(leaves))
            line = f"(S {' '.join(leaves[:cut])} (X {' '.join([*leaves[cut:], '(E .)'])}))"
            kinds = [
                [],
                [line, f"(S (N more{number}) (N here))"],
                [f"(S {leaves[0]})", f"(S {' '.join([*leaves[1:], '(E .)'])})"],
                [line.replace("(X", "\n  (X")],
                [""],
                ["", "", line],
                ["(())"],
                [line.replace(words[0], "other", 1)],
                [line[:-1]],
                [f" {line}"],
                [f"{line} (S (N z))"],
                ["# text", line],
                None,
            ]
            most = 12 if rng.random() < 0.9 else 13  # a line around trees ends blocks for good
            part = rng.choice(kinds[:most]) if rng.random() < rate else [line]
            lines.append(([side.pop() + line] if side else [line]) if part is None else part)
        for side, part in zip(sides, lines):
            side += part
    end = "\r\n" if returns else "\n"
    return [text(side, end, rng.random() < 0.8) for side in sides]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12))
def test_blocks_after_a_shift(tmp_path, blocks, seed):
    paths = [tmp_path / "gold", tmp_path / "sys"]
    for path, data in zip(paths, shifted(seed)):
        path.write_bytes(data)
    for options in ({"on_error": "skip"}, {}, {"on_error": "skip", "pair": "order"}):
        alone = outcome(paths, None, "json", options)
        for executor in (Elsewhere(), Late()):
            assert outcome(paths, executor, "json", options) == alone


def test_rows_of_ids_with_a_percent_sign():
    gold = [Tree.parse(f"(S (N a{number}) (N b))").replace(id=f"{number}%d") for number in range(40)]
    found = evaluate(gold, gold, mode="discontinuous").report("text").splitlines()
    assert [row.split()[:2] for row in found[3:43]] == [
        [str(number + 1), f"{number}%d"] for number in range(40)
    ]


@pytest.mark.slow
def test_processes_search_for_traces(tmp_path):
    traces = [line.replace("(D the)", "(-NONE- *)") for line in GOLD]
    files = {
        "plain": GOLD,
        "system": SYSTEM,
        "traces": traces,
        "word": [line.replace("saw", "-NONE-") for line in GOLD],
    }
    for name, lines in files.items():
        (tmp_path / name).write_bytes(text(lines))
    found = {}
    for gold in files:
        for system in ("system", "traces", "none"):
            paths = tmp_path / gold, tmp_path / system
            found[gold, system] = []
            for jobs in (1, 2):
                try:
                    result = evaluate(*paths, jobs=jobs)
                    found[gold, system].append((result.settings.traces, result.warnings, result.to_dict()))
                except InputError as error:
                    found[gold, system].append(str(error))
            alone, parallel = found[gold, system]
            assert alone == parallel
    assert [
        found[pair][1][0] for pair in (("traces", "system"), ("plain", "traces"), ("traces", "traces"))
    ] == [*("drop", "drop", "auto")]
    assert found["word", "system"][1][0] == "auto"


@pytest.mark.slow
@pytest.mark.parametrize("output", ["text", "json", "html", "csv"])
def test_standard_input(tmp_path, output):
    gold, system = (data * 40 for data in CASES["in step"])
    system = system.replace(b"n7)", b"n77)", 70)
    (tmp_path / "sys").write_bytes(system)
    alone, *others = (
        jpevalb("-", "sys", "--output", output, "--jobs", jobs, cwd=tmp_path, stdin=gold)
        for jobs in ("1", "2", "4")
    )
    assert alone.returncode == 0
    for found in others:
        assert (found.stdout, found.stderr, found.returncode) == (alone.stdout, alone.stderr, 0)


@pytest.mark.parametrize("output", ["text", "json"])
@pytest.mark.parametrize("place", [0, 30, 49])
def test_an_error_of_a_pair_ends_the_run(tmp_path, output, place):
    """Words that must be the same are compared by workers; the error is not taken for lines that are left."""
    gold = ["(S (N 0=a) (V 1=b))"] * 50
    system = [*gold[:place], "(S (N 0=a) (V 1=b) (V 2=c))", *gold[place + 1 :]]
    for name, lines in (("gold", gold), ("sys", system)):
        (tmp_path / name).write_text("\n".join(lines) + "\n")
    one, two = [
        jpevalb("gold", "sys", "--pair", "order", "--output", output, "--jobs", jobs, cwd=tmp_path)
        for jobs in ("1", "2")
    ]
    assert one.returncode == 1
    assert f"sentence {place + 1}: word 3 is 'c'".encode() in one.stderr
    assert (two.returncode, two.stdout, two.stderr) == (one.returncode, one.stdout, one.stderr)
