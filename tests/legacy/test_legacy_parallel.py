"""Legacy mode prints the same with several processes as with one."""

from __future__ import annotations

import io
import random
from concurrent.futures import ThreadPoolExecutor

import pytest

from jpevalb import Params, SettingsError, legacy
from jpevalb.legacy import engine, parallel
from tests.support.commands import ROOT, jpevalb


def lines(rng, number, trouble):
    """Gold and system lines, some of them with errors of every kind."""
    gold, system = [], []
    for i in range(number):
        line = f"(S (NP (DT the) (NN cat{i % 7})) (VP (VBD slept)))"
        gold.append(line)
        other = line if rng.random() < 0.5 else line.replace("(NP (DT the)", "(NP (NP (DT the))")
        if rng.random() < trouble:
            other = rng.choice(["", "(())", line[:-1], line + ")", line.replace("cat", "dog"), "(S (X a))"])
        system.append(other)
    return gold, system


NO_FILE = Params()


def scored(gold, system, params=NO_FILE, executor=None, **options):
    """Score lines or texts as the command does; return rows, messages with their numbers, and the end."""
    texts = [
        one if isinstance(one, bytes) else "".join(f"{line}\n" for line in one).encode()
        for one in (gold, system)
    ]
    if executor is None:
        sides = [engine.Stream(io.BytesIO(text), side) for side, text in enumerate(texts)]
        chunks = list(engine.run(engine.new_scorer(params, **options), *sides))
    else:
        chunks = list(parallel.run_parallel(params, *map(io.BytesIO, texts), executor, **options))
    rows = [number for chunk in chunks for number in chunk.rows]
    messages = [
        text.decode().rstrip("\n")
        for chunk in chunks
        for text, count, _ in chunk.messages
        for _ in range(count)
    ]
    return rows, messages, any(chunk.killed for chunk in chunks)


@pytest.mark.parametrize("trouble", [0.0, 0.002, 0.02, 0.3])
@pytest.mark.parametrize("max_error", [10, 100, 100_000])
@pytest.mark.parametrize("surplus", [(0, 0), (1, 0), (0, 30)])
def test_same_result(monkeypatch, trouble, max_error, surplus):
    monkeypatch.setattr(parallel, "SHARE", 2000)
    gold, system = lines(random.Random(7), 700, trouble)
    gold += ["(S (X a))"] * surplus[0]
    system += ["(S (X a))"] * surplus[1]
    params = Params(max_error=max_error)
    expected = scored(gold, system, params)
    with ThreadPoolExecutor(3) as pool:
        assert scored(gold, system, params, pool) == expected
    if not any(surplus) and not expected[2]:
        with ThreadPoolExecutor(3) as pool:
            found = legacy.evaluate(gold, system, params, executor=pool)
        assert found == legacy.evaluate(gold, system, params)
        assert (len(found.sentences), list(found.messages)) == (700, expected[1])


def test_text_outside_brackets_ends_the_run(monkeypatch):
    monkeypatch.setattr(parallel, "SHARE", 500)
    gold = ["(S (X a))"] * 300
    system = ["(S (X a))"] * 200 + ["stray"] + ["(S (X a))"] * 99
    rows, messages, killed = scored(gold, system)
    assert (len(rows), messages, killed) == (9 * 200, ["201 : Reading sentence"] * 12, True)
    with ThreadPoolExecutor(2) as pool:
        assert scored(gold, system, executor=pool) == (rows, messages, killed)


def test_the_lines_behind_a_long_one_go_to_the_workers_too(monkeypatch):
    monkeypatch.setattr(parallel, "SHARE", 500)
    monkeypatch.setattr(engine, "BLOCK", 2000)
    text = b"(S (X a))\n" * 60 + b"(S " + b"(X a) " * 1000 + b")\n" + b"(S (X a))\n" * 500
    given = []

    class Counting(ThreadPoolExecutor):
        def submit(self, function, *arguments):
            given.append(arguments[-2].count(b"\n"))
            return super().submit(function, *arguments)

    with Counting(2) as pool:
        chunks = list(parallel.run_parallel(Params(), io.BytesIO(text), io.BytesIO(text), pool))
    assert sum(len(chunk.rows) // 9 for chunk in chunks) == 561
    assert sum(given) == 561


@pytest.mark.slow
@pytest.mark.parametrize("dialect", ["evalb", "spmrl"])
def test_command(tmp_path, dialect):
    gold, system = lines(random.Random(3), 60_000, 0.01)
    (tmp_path / "gold").write_text("\n".join(gold) + "\n")
    (tmp_path / "sys").write_text("\n".join(system))
    for limit in ("5000", "300", "10"):
        arguments = ["--dialect", dialect, "-e", limit, "gold", "sys"]
        one = jpevalb(*arguments, cwd=tmp_path)
        two = jpevalb(*arguments, "--jobs", "2", cwd=tmp_path)
        assert (two.stdout, two.stderr, two.returncode) == (one.stdout, one.stderr, one.returncode)


@pytest.mark.parametrize("share", [1, 40, 120, 10_000])
@pytest.mark.parametrize("first_bracket", [0, 1, 7, 20])
def test_the_deletion_list_is_cut_by_the_first_bracket_that_is_scored(monkeypatch, share, first_bracket):
    """Until evalb_spmrl has scored a bracket, P-Q is in its list; then the list has P."""
    monkeypatch.setattr(parallel, "SHARE", share)
    monkeypatch.setattr(engine, "BLOCK", share)
    gold = ["(P-Q ') (A a) (B b)"] * 20
    system = ["(R ') (A a) (B b) (C c)"] * 20
    gold.insert(first_bracket, "(S (A a))")
    system.insert(first_bracket, "(S (A a))")
    params = Params(max_error=100, delete_labels=("P-Q",), quote_labels=("P-Q", "R"))
    expected = legacy.evaluate(gold, system, params, dialect="spmrl")
    # Put back, the mark stands twice: as many words on both sides, and the second is another.
    assert expected.messages == (
        *(f"{line} : Words unmatch ('|a)" for line in range(1, first_bracket + 1)),
        *(f"{line} : Length unmatch (3|4)" for line in range(first_bracket + 2, 22)),
    )
    with ThreadPoolExecutor(2) as pool:
        found = legacy.evaluate(gold, system, params, dialect="spmrl", executor=pool)
    assert found == expected


def test_a_line_without_its_end_finds_the_list_as_it_was_read():
    params = Params(delete_labels=("P-Q",), quote_labels=("P-Q", "R"))
    gold, system = io.BytesIO(b"(P-Q ') (A a) (B b)"), io.BytesIO(b"(R ') (A a) (B b) (C c)")
    with ThreadPoolExecutor(1) as pool:
        chunks = list(parallel.run_parallel(params, gold, system, pool, dialect="spmrl"))
    assert [text for chunk in chunks for text, *_ in chunk.messages] == [b"1 : Words unmatch ('|a)\n"]


@pytest.mark.parametrize("surplus", ["(S (A a)", "2", "(S (A b(C c)))", "(S (A a))"])
def test_errors_in_surplus_gold_lines_are_reported(monkeypatch, surplus):
    monkeypatch.setattr(parallel, "SHARE", 50)
    gold = ["(S (X a))"] * 20 + [surplus, "stray"]
    rows, messages, killed = scored(gold, gold[:20])
    with ThreadPoolExecutor(2) as pool:
        assert scored(gold, gold[:20], executor=pool) == (rows, messages, killed)
    assert killed == (surplus in ("2", "(S (A b(C c)))"))
    assert len(rows) == 9 * 20
    assert messages[-1] == (
        "21 : Reading sentence" if killed else "21 : Number of lines unmatch (too many lines in gold file)"
    )


def test_bad_requests():
    with ThreadPoolExecutor(1) as pool, pytest.raises(SettingsError, match="last_line"):
        legacy.evaluate(["(S (X a))"], ["(S (X a))"], last_line=3, executor=pool)
    done = jpevalb("-d", "gold", "sys", "--jobs", "none")
    assert done.returncode == 2
    assert b"--jobs: got 'none'; expected a whole number from 1" in done.stderr


@pytest.mark.parametrize("options", [["-d"], ["-D"], ["-K", "2", "--dialect", "spmrl"]], ids=" ".join)
def test_options_for_one_process_exclude_a_scheduler(options):
    gold = str(ROOT / "examples/gold.mrg")
    done = jpevalb(gold, gold, *options, "--dask", "tcp://127.0.0.1:1")
    message = f"jpevalb: {options[0]} works in one process only; leave out --dask\n".encode()
    assert (done.returncode, done.stdout, done.stderr) == (2, b"", message)


class Damaged:
    """A file that can be read only so far."""

    def __init__(self, data):
        self._data = io.BytesIO(data)

    def read(self, size):
        data = self._data.read(min(size, 700))
        if not data:
            raise EOFError("cut off")
        return data


@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("max_error", [10, 1000])
def test_sentences_before_damage_are_scored_first(monkeypatch, side, max_error):
    monkeypatch.setattr(parallel, "SHARE", 2000)
    monkeypatch.setattr(engine, "BLOCK", 1000)
    params = Params(max_error=max_error)
    texts = ["\n".join(one).encode() for one in lines(random.Random(3), 500, 0.05)]

    def found(executor):
        sources = [io.BytesIO(text) for text in texts]
        sources[side] = Damaged(texts[side])
        if executor is None:
            chunks = engine.run(engine.new_scorer(params), *map(engine.Stream, sources, (0, 1)))
        else:
            chunks = parallel.run_parallel(params, *sources, executor)
        rows, messages, error = [], [], None
        try:
            for chunk in chunks:
                rows += chunk.rows
                messages += [message[:2] for message in chunk.messages]
        except engine.ReadError as caught:
            error = caught.args
        return rows, messages, str(error)

    with ThreadPoolExecutor(2) as pool:
        expected = found(None)
        assert found(pool) == expected
    assert ("cut off" in expected[2]) == (max_error == 1000)
    assert len(expected[0]) > (9 * 400 if max_error == 1000 else 0)


@pytest.mark.parametrize("share", [1, 40, 120, 10_000])
def test_a_cut_line_reads_on_in_a_line_of_an_earlier_share(monkeypatch, share):
    """Later lines find the tags and close brackets that the first, the longest, has left in the buffer."""
    monkeypatch.setattr(parallel, "SHARE", share)
    monkeypatch.setattr(engine, "BLOCK", share)
    gold = "(S (NP (DT the) (NN cat)) (VP (VBD slept) (ADVP (RB well))))\n" + "(S (A a))\n" * 30
    system = gold.replace("(A a))", "(A a)) (B") + "(S (N b"
    texts = [(gold + "(S (N b\0c) (A d))\n").encode(), system.encode()]
    params = Params(max_error=100)
    rows, messages, killed = scored(*texts, params)
    assert (len(rows), killed) == (9 * 32, False)
    assert messages[1] == "2 : Bracketing is unbalanced (too many open bracket)"
    with ThreadPoolExecutor(2) as pool:
        assert scored(*texts, params, pool) == (rows, messages, killed)


@pytest.mark.parametrize("share", [1, 40, 10_000])
def test_a_surplus_close_bracket_ends_one_of_an_earlier_share(monkeypatch, share):
    """The slot below the empty stack still has the bracket that was pushed there; checked against C."""
    monkeypatch.setattr(parallel, "SHARE", share)
    monkeypatch.setattr(engine, "BLOCK", share)
    gold = ["(S (A a) (B b))"] * 6
    system = ["(S (A a))) (S (B b)", *gold[:4], "(A a)) (S (X (B b)"]
    params = Params(max_error=100, delete_labels=("X",))
    expected = legacy.evaluate(gold, system, params)
    assert [(row.status, row.system) for row in expected.sentences] == [(0, 2), *[(0, 1)] * 4, (1, 1)]
    with ThreadPoolExecutor(2) as pool:
        assert legacy.evaluate(gold, system, params, executor=pool) == expected


def test_the_last_line_of_a_parser_that_was_killed(tmp_path):
    """Its brackets are closed by the gold line, which is read into the same buffer."""
    (tmp_path / "gold").write_text("(S (NP (DT the) (NN cat)) (VP (VBD slept)))\n")
    (tmp_path / "sys").write_text("(S (NP (DT the) (NN cat")
    found = legacy.evaluate(tmp_path / "gold", tmp_path / "sys", Params())
    assert found.messages == ("1 : Bracketing is unbalanced (too many open bracket)",)
    assert [(row.status, row.words, row.matched) for row in found.sentences] == [(1, 3, 1)]
