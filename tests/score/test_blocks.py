"""Workers give the results of one process, wherever a file is cut into blocks and chunks."""

from __future__ import annotations

import pickle
import random

import pytest

from jpevalb import Params, Settings
from jpevalb.base import files
from jpevalb.formats import bracket, lines as formats_lines
from jpevalb.score import run as run_module
from jpevalb.score.outcome import no_rows
from jpevalb.score.run import Run
from jpevalb.score.workers import WorkerPool
from tests.support.executors import Elsewhere, Here, Late, outcome

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
    {"on_error": "skip", "convention": "jpevalb cut-at:-"},
    {"pair": "order", "on_error": "skip", "prm": Params(delete_labels=("D",))},
]


@pytest.fixture(params=[90, 1 << 18], ids=["small", "large"])
def blocks(request, monkeypatch):
    """Read files in small pieces, or large ones, and send small chunks."""
    monkeypatch.setattr(run_module, "FIRST_CHUNK", 7)
    monkeypatch.setattr(run_module, "CHUNK", 16)
    for module, name in ((bracket, "SAMPLE_BYTES"), (files, "_BUFFER"), (formats_lines, "BLOCK")):
        monkeypatch.setattr(module, name, request.param)


@pytest.mark.slow
@pytest.mark.parametrize("blocks", [90], indirect=True, ids=["small"])
@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("case", CASES)
def test_the_same_on_workers(tmp_path, blocks, case, options):
    paths = [tmp_path / "gold", tmp_path / "sys"]
    for path, data in zip(paths, CASES[case]):
        path.write_bytes(data)
    for sides in (paths, paths[::-1]):
        assert outcome(*sides, Elsewhere(), **options) == outcome(*sides, **options)


@pytest.mark.parametrize("format", FORMATS)
def test_the_same_in_each_format(tmp_path, blocks, format):
    paths = [tmp_path / "gold", tmp_path / "sys"]
    for path, data in zip(paths, CASES["other words"]):
        path.write_bytes(data)
    assert outcome(*paths, Elsewhere(), format) == outcome(*paths, None, format)


@pytest.mark.parametrize("case", ["in step", "other words", "blank line", "comment", "fewer of gold"])
def test_workers_are_sent_lines(tmp_path, blocks, case):
    """A tree is sent as its line, and the worker reads the line again."""
    paths = [tmp_path / "gold", tmp_path / "sys"]
    for path, data in zip(paths, CASES[case]):
        path.write_bytes(data)
    here = Here()
    run = Run(*paths, Settings(), WorkerPool.of(here))
    assert sum(rows.size for rows in run.rows(no_rows)) == 60
    chunks = [chunk for (_, chunk), _ in here.done]
    for side, data in enumerate(CASES[case]):
        sentences = [sentence for chunk in chunks for stretch in chunk for sentence in stretch[side]]
        lines = [sentence.line[1] for sentence in sentences if sentence.tree.words]
        assert lines == [line for line in data.splitlines(True) if line[:1] == b"("]
        for sentence in sentences:
            assert pickle.loads(pickle.dumps(sentence))[:3] == sentence[:3]


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
@pytest.mark.parametrize("seed", range(6))
def test_blocks_after_a_shift(tmp_path, blocks, seed):
    paths = [tmp_path / "gold", tmp_path / "sys"]
    for path, data in zip(paths, shifted(seed)):
        path.write_bytes(data)
    for options in ({"on_error": "skip"}, {}, {"on_error": "skip", "pair": "order"}):
        alone = outcome(*paths, **options)
        for executor in (Elsewhere(), Late()):
            assert outcome(*paths, executor, **options) == alone
