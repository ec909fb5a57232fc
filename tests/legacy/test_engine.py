"""State that a run carries from line to line, whatever the size of the blocks that are read."""

from __future__ import annotations

import io

import pytest

from jpevalb import Params, legacy
from jpevalb.legacy import engine

NO_FILE = Params(max_error=100)
TREE = "(S (X a))"


@pytest.fixture(params=[1, 40, 1 << 18], autouse=True)
def _block(request, monkeypatch):
    monkeypatch.setattr(engine, "BLOCK", request.param)


def scored(gold, system, params=NO_FILE, **options):
    """Return the rows, the messages, and True if the errors end the run."""
    sides = [engine.Stream(source, side) for side, source in enumerate((gold, system))]
    rows, messages, killed = [], [], False
    for texts, lines, _, last in engine.run(engine.new_scorer(params, **options), *sides):
        rows += lines
        for text, count, _ in texts:
            messages += [text.decode().rstrip("\n")] * count
        killed = killed or last
    return rows, messages, killed


def source(lines):
    return io.BytesIO("".join(f"{line}\n" for line in lines).encode())


def test_text_outside_brackets_ends_the_run():
    rows, messages, killed = scored(source([TREE] * 30), source([TREE] * 20 + ["stray"]), Params())
    assert (len(rows), messages, killed) == (9 * 20, ["21 : Reading sentence"] * 12, True)


@pytest.mark.parametrize("first_bracket", [0, 7, 20])
def test_the_deletion_list_is_cut_by_the_first_bracket_that_is_scored(first_bracket):
    """Until evalb_spmrl has scored a bracket, P-Q is in its list; then the list has P."""
    gold = ["(P-Q ') (A a) (B b)"] * 20
    system = ["(R ') (A a) (B b) (C c)"] * 20
    gold.insert(first_bracket, "(S (A a))")
    system.insert(first_bracket, "(S (A a))")
    params = Params(max_error=100, delete_labels=("P-Q",), quote_labels=("P-Q", "R"))
    # Put back, the mark stands twice: as many words on both sides, and the second is another.
    assert legacy.evaluate(gold, system, params, dialect="spmrl").messages == (
        *(f"{line} : Words unmatch ('|a)" for line in range(1, first_bracket + 1)),
        *(f"{line} : Length unmatch (3|4)" for line in range(first_bracket + 2, 22)),
    )


@pytest.mark.parametrize("surplus", ["(S (A a)", "2", "(S (A b(C c)))", "(S (A a))"])
def test_errors_in_surplus_gold_lines_are_reported(surplus):
    gold = [TREE] * 20 + [surplus, "stray"]
    rows, messages, killed = scored(source(gold), source(gold[:20]), Params())
    assert (len(rows), killed) == (9 * 20, surplus in ("2", "(S (A b(C c)))"))
    assert messages[-1] == (
        "21 : Reading sentence" if killed else "21 : Number of lines unmatch (too many lines in gold file)"
    )


class Damaged(io.BytesIO):
    """A file that can be read only so far."""

    def read(self, size=-1):
        data = super().read(min(size, 700))
        if not data:
            raise EOFError("cut off")
        return data


@pytest.mark.parametrize("side", [0, 1])
def test_sentences_before_damage_are_scored_first(side):
    sources = [source([TREE] * 500), source([TREE] * 500)]
    sources[side] = Damaged(sources[side].getvalue())
    streams = [engine.Stream(one, number) for number, one in enumerate(sources)]
    rows = []
    chunks = (rows.extend(lines) for _, lines, *_ in engine.run(engine.new_scorer(NO_FILE), *streams))
    with pytest.raises(engine.ReadError, match="cut off") as caught:
        any(chunks)
    assert caught.value.side == side
    assert len(rows) == 9 * 500


def test_a_cut_line_reads_on_in_earlier_lines():
    """Later lines find the tags and close brackets that the first, the longest, has left in the buffer."""
    gold = "(S (NP (DT the) (NN cat)) (VP (VBD slept) (ADVP (RB well))))\n" + "(S (A a))\n" * 30
    system = gold.replace("(A a))", "(A a)) (B") + "(S (N b"
    rows, messages, killed = scored(
        io.BytesIO((gold + "(S (N b\0c) (A d))\n").encode()), io.BytesIO(system.encode())
    )
    assert (len(rows), killed) == (9 * 32, False)
    assert messages[1] == "2 : Bracketing is unbalanced (too many open bracket)"


def test_a_surplus_close_bracket_ends_one_of_an_earlier_line():
    """The slot below the empty stack still has the bracket that was pushed there; checked against C."""
    gold = ["(S (A a) (B b))"] * 6
    system = ["(S (A a))) (S (B b)", *gold[:4], "(A a)) (S (X (B b)"]
    params = Params(max_error=100, delete_labels=("X",))
    found = legacy.evaluate(gold, system, params)
    assert [(row.status, row.system) for row in found.sentences] == [(0, 2), *[(0, 1)] * 4, (1, 1)]


def test_the_last_line_of_a_parser_that_was_killed(tmp_path):
    """Its brackets are closed by the gold line, which is read into the same buffer."""
    (tmp_path / "gold").write_text("(S (NP (DT the) (NN cat)) (VP (VBD slept)))\n")
    (tmp_path / "sys").write_text("(S (NP (DT the) (NN cat")
    found = legacy.evaluate(tmp_path / "gold", tmp_path / "sys", Params())
    assert found.messages == ("1 : Bracketing is unbalanced (too many open bracket)",)
    assert [(row.status, row.words, row.matched) for row in found.sentences] == [(1, 3, 1)]
