"""Legacy mode as a library: sums, the report, and what it refuses."""

from __future__ import annotations

import gzip
import io

import pytest

from jpevalb import Params, SettingsError, TreeError, legacy
from jpevalb.errors import InputError

from .commands import ROOT, jpevalb

CASE = ROOT / "golden_outputs" / "evalb" / "corpus-noisy-debug"
TREE = "(S (NP (DT the) (NN cat)) (VP (VBD slept)))"


@pytest.fixture
def lines():
    return [(CASE / name).read_text(encoding="utf-8").splitlines() for name in ("gold", "sys")]


@pytest.mark.parametrize("params", [Params(), Params.load("COLLINS"), Params.load("nk").replace(cutoff=10)])
@pytest.mark.parametrize("dialect", ["evalb", "spmrl"])
def test_totals_are_the_sums_of_the_sentences(lines, params, dialect):
    result = legacy.evaluate(*lines, params, dialect=dialect)
    counts = [sentence.counts for sentence in result.sentences]
    assert result.total == legacy.LegacyCounts.sum(counts)
    short = [count for count, row in zip(counts, result.sentences) if row.length <= params.cutoff]
    assert result.cutoff == legacy.LegacyCounts.sum(short)


def test_reports_what_the_command_prints(lines):
    done = jpevalb("-evalb", CASE / "gold", CASE / "sys")
    result = legacy.evaluate(*lines, Params.load("COLLINS"))
    assert result.report().encode() == done.stdout
    assert "".join(message + "\n" for message in result.messages).encode() == done.stderr


@pytest.mark.parametrize("ending", ["", "\n", "\r\n"])
@pytest.mark.parametrize("kind", [str, str.encode])
def test_lines_with_and_without_ends(ending, kind):
    result = legacy.evaluate([kind(TREE + ending)] * 3, io.StringIO(f"{TREE}\n" * 3))
    assert (result.total.sentences, result.total.matched, result.messages) == (3, 9, ())


def test_a_line_end_inside_a_line():
    """Two lines out of one would score every later tree against another one's."""
    with pytest.raises(TreeError, match=r"^system:2: found a line end inside a line; write each tree on one"):
        legacy.evaluate([TREE, TREE], [TREE, TREE.replace(" (VP", "\n  (VP")])


@pytest.mark.parametrize("side", [0, 1])
def test_lines_of_a_damaged_file(tmp_path, side):
    (tmp_path / "lines.gz").write_bytes(gzip.compress(f"{TREE}\n".encode() * 3)[:-9])
    with gzip.open(tmp_path / "lines.gz") as damaged:
        both = [[TREE] * 3, [TREE] * 3]
        both[side] = damaged
        with pytest.raises(InputError, match=f"^{('gold', 'system')[side]}: cannot read on: "):
            legacy.evaluate(*both)


def test_bad_requests():
    with pytest.raises(SettingsError, match="dialect is 'evalc'; expected evalb or spmrl"):
        legacy.evaluate([TREE], [TREE], dialect="evalc")
    with pytest.raises(TypeError, match="found one string"):
        legacy.evaluate(TREE, [TREE])
    with pytest.raises(TypeError, match="found int"):
        legacy.evaluate([TREE], [1])
