"""Legacy mode as a library: sums, the report, and invalid input."""

from __future__ import annotations

import gzip
import io
import os
import re
from array import array
from pathlib import Path

import pytest

from jpevalb import Params, SettingsError, Tree, TreeError, legacy
from jpevalb.base.errors import InputError, JpevalbError, ParamsError
from jpevalb.legacy import LegacyCounts, engine
from jpevalb.legacy.engine import ReadError, Stream
from tests.support.commands import ROOT, jpevalb

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


def test_a_result_is_immutable_and_debug_prints_nothing(lines):
    result = legacy.evaluate(*lines, Params(debug=2))
    assert result.messages == legacy.evaluate(*lines, Params()).messages
    with pytest.raises(AttributeError):
        result.dialect = "spmrl"


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


@pytest.mark.parametrize("before", ["", "(S\n(NN x))\n"])
@pytest.mark.parametrize("inside", ["\n", "\n\n", f"\n{TREE}", "\nx"])
def test_a_line_end_between_two_trees(before, inside):
    """Two lines out of one would score every later tree against another one's."""
    with pytest.raises(TreeError, match=r"^system:2: a line end inside a line; write each tree on one"):
        legacy.evaluate([TREE, TREE], [TREE, f"{before}{TREE}{inside if not before else ''}\n"])


def test_standard_input_is_read_and_stays_open(tmp_path):
    (tmp_path / "system").write_text(f"{TREE}\n" * 2)
    kept = os.dup(0)
    try:
        with open(tmp_path / "system", "rb") as file:
            os.dup2(file.fileno(), 0)
        result = legacy.evaluate([TREE] * 2, "-")
        os.fstat(0)
    finally:
        os.dup2(kept, 0)
        os.close(kept)
    assert (result.recall, result.precision, result.f1, result.n_sentences) == (1.0, 1.0, 1.0, 2)


def test_takes_what_evaluate_takes(tmp_path):
    """A path as str or Path, open files, texts over several lines, Trees, and nltk trees."""
    (tmp_path / "gold").write_text(f"{TREE}\n" * 2)

    class Nltk:
        """As nltk.Tree prints itself where it is long."""

        def label(self):
            return "S"

        def leaves(self):
            return ["the", "cat"]

        def __str__(self):
            return TREE.replace(" (", "\n  (")

    expected = legacy.evaluate([TREE] * 2, [TREE] * 2)
    assert (expected.total.matched, expected.messages) == (6, ())
    pairs = TREE.replace(" (VP", "\n  (VP")
    with open(tmp_path / "gold") as text, open(tmp_path / "gold", "rb") as raw:
        for source in (
            *(str(tmp_path / "gold"), tmp_path / "gold", text, raw),
            *([Tree.parse(TREE)] * 2, [Nltk(), Nltk()], [pairs, pairs.encode() + b"\n"]),
        ):
            assert legacy.evaluate([TREE] * 2, source) == expected, source


@pytest.mark.parametrize("side", [0, 1])
def test_lines_of_a_damaged_file(tmp_path, side):
    (tmp_path / "lines.gz").write_bytes(gzip.compress(f"{TREE}\n".encode() * 3)[:-9])
    with gzip.open(tmp_path / "lines.gz") as damaged:
        both = [[TREE] * 3, [TREE] * 3]
        both[side] = damaged
        with pytest.raises(InputError, match=f"^{('gold', 'system')[side]}: cannot read to the end: "):
            legacy.evaluate(*both)


class NoTree:
    """It has labels as an nltk tree has, and no words."""

    def label(self):
        return "S"


def test_bad_requests():
    with pytest.raises(SettingsError, match="dialect is 'evalc'; expected evalb or spmrl"):
        legacy.evaluate([TREE], [TREE], dialect="evalc")


@pytest.mark.parametrize(
    ("gold", "system", "params", "error", "message"),
    [
        (TREE, [TREE], None, InputError, "gold: got one string, '(S (NP (DT the)"),
        ([TREE], TREE, None, InputError, "; expected a list of lines: ['(S (NP"),
        ("(" + "x" * 39, [TREE], None, InputError, f"got one string, '({'x' * 39}'; expected"),
        ("(" + "x" * 40, [TREE], None, InputError, f"got one string, '({'x' * 39}'; expected"),
        (b"(" + b"x" * 40, [TREE], None, InputError, f"got one string, b'({'x' * 39}'; expected"),
        ([TREE], "!x.mrg", None, InputError, "!x.mrg: cannot read the file: No such file"),
        ([TREE], [NoTree()], None, InputError, "system:1: got an object of type NoTree; expected a line"),
        ([TREE], "no/x.mrg", None, InputError, "no/x.mrg: cannot read the file: No such file"),
        ([TREE], b"x.mrg", None, InputError, "system: got bytes, b'x.mrg'; expected a path as str"),
        ([TREE], [1], None, InputError, "system:1: got an object of type int; expected a line of str or"),
        (3, [TREE], None, InputError, "gold: got an object of type int; expected a path, an open file or"),
        (Path("/nowhere/at/all"), [TREE], None, InputError, "/nowhere/at/all: cannot read the file: No such"),
        (
            [TREE],
            [TREE],
            40,
            SettingsError,
            "params is a int; expected Params, or the name or path of a .prm",
        ),
        ([TREE], [TREE], "COLINS.prm", ParamsError, "COLINS.prm: cannot read this parameter file"),
    ],
)
def test_invalid_input(gold, system, params, error, message):
    with pytest.raises(JpevalbError) as caught:
        legacy.evaluate(gold, system, params)
    assert type(caught.value) is error
    assert message in str(caught.value)


def test_files_and_params_by_name(tmp_path, lines):
    wanted = legacy.evaluate(*lines, Params.load("COLLINS"))
    paths = [CASE / "gold", tmp_path / "sys.gz"]
    paths[1].write_bytes(gzip.compress((CASE / "sys").read_bytes()))
    (tmp_path / "mine").write_bytes((ROOT / "params" / "COLLINS.prm").read_bytes())
    for params in (
        "COLLINS.prm",
        "COLLINS",
        tmp_path / "mine",
        str(tmp_path / "mine"),
        Params.load("COLLINS"),
    ):
        found = legacy.evaluate(*paths, params)
        assert (found.total, found.sentences, found.messages) == (
            wanted.total,
            wanted.sentences,
            wanted.messages,
        )
    paths[1].write_bytes(paths[1].read_bytes()[:-9])
    with pytest.raises(InputError, match=r"sys\.gz: cannot read to the end: "):
        legacy.evaluate(*paths)


# Number, length, status, matched, gold, system, crossing, words, tags.
ROWS = [
    [1, 3, 0, 2, 2, 2, 0, 3, 3],
    [2, 11, 0, 1, 2, 4, 1, 11, 9],
    [3, 10, 0, 3, 3, 4, 2, 10, 7],
    [4, 2, 1, 9, 9, 9, 9, 9, 9],
    [5, 12, 2, 9, 9, 9, 9, 9, 9],
    [6, 0, 2, 9, 9, 9, 9, 9, 9],
    [7, 5, 0, 2, 3, 2, 3, 5, 4],
]


def flat(rows):
    return memoryview(array("q", [number for row in rows for number in row]))


def test_rows_are_summed_over_all_and_up_to_the_cutoff(kernel):
    sums = array("q", bytes(8 * 24))
    kernel("evalb").add_rows(flat(ROWS), 10, memoryview(sums))
    # Sentences, errors, skipped; the columns from matched on; complete, no crossing, two at most.
    over_all = [7, 1, 2, 8, 10, 12, 6, 29, 23, 1, 1, 3]
    up_to_ten = [5, 1, 1, 7, 8, 8, 5, 18, 14, 1, 1, 2]
    assert list(sums) == over_all + up_to_ten
    kernel("evalb").add_rows(flat(ROWS[:1]), 2, memoryview(sums))
    assert list(sums) == [8, 1, 2, 10, 12, 14, 6, 32, 26, 2, 2, 4, *up_to_ten]


def as_c_prints(row):
    """The format string of evalb, with 0.00 for 0/0."""
    number, length, status, matched, gold, system, crossing, words, tags = row
    recall, precision, right = (
        100.0 * part / whole if whole else 0.0
        for part, whole in ((matched, gold), (matched, system), (tags, words))
    )
    return (
        f"{number:4d}  {length:3d}    {status:d}  {recall:6.2f} {precision:6.2f}   {matched:3d}    {gold:3d}"
        f"  {system:3d}    {crossing:3d}   {words:4d}  {tags:4d}   {right:6.2f}\n"
    )


def test_rows_are_printed_as_c_prints_them(kernel):
    rates = [
        (1, 800),
        (3, 800),
        (5, 800),
        (2, 3),
        (1, 3),
        (1, 6),
        (999, 1000),
        (1, 1),
        (0, 7),
        (7, 0),
        (3, 2),
    ]
    # Where a tie may fall to either side, and where the numbers are large.
    rates += [
        (1, 16000),
        (1, 20000),
        (3, 20000),
        (19999, 20000),
        (1, 1000001),
        (999_999, 1_000_000),
        (5, 10**9),
    ]
    for part, whole in rates:
        for size in (0, 9, 10, 99, 100, 999, 1000, 9999, 10_000, 123_456_789):
            row = [size, size, 0, part, whole, size, size, size, part]
            tags = [size, size, 2, part, size, whole, size, whole, part]
            expected = as_c_prints(row) + as_c_prints(tags)
            assert kernel("evalb").format_rows(flat([row, tags])).decode() == expected
    assert kernel("evalb").format_rows(flat([])) == b""


class Pieces:
    """A source that hands out some pieces, then fails or ends; ``left`` are those nobody has asked for."""

    def __init__(self, *pieces, error=None):
        self.left = list(pieces)
        self.error = error

    def read(self, size):
        assert size > 0
        if self.error and not self.left:
            raise self.error
        return self.left.pop(0) if self.left else b""


def test_a_stream_reads_on_where_no_whole_line_is_left():
    source = Pieces(b"ab", b"c\nd", b"e\n", b"f")
    stream = Stream(source, 0)
    for place, data, left in ((0, b"abc\nd", 2), (0, b"abc\nd", 2), (4, b"de\n", 1), (0, b"de\n", 1)):
        stream.position = place
        stream.fill()
        assert (stream.data, stream.position, len(source.left), stream.ended) == (data, 0, left, False)
    stream.position = 3
    assert not stream.empty
    stream.fill()
    assert (stream.data, stream.position, stream.ended, stream.empty) == (b"f", 0, True, False)
    stream.position = 1
    assert stream.empty
    source.left.append(b"more")
    stream.fill()
    assert (stream.data, source.left) == (b"f", [b"more"])


def test_an_endless_line_is_not_read(monkeypatch):
    """A line may have a number of bytes before its end; the lines before a longer one are kept."""
    monkeypatch.setattr(engine, "LONGEST", 1 << 20)
    longest = b"x" * (1 << 20)
    stream = Stream(Pieces(b"a\n", longest, b"\n"), 1)
    stream.fill()
    stream.position = 2
    stream.fill()
    assert len(stream.data) == len(longest) + 1
    source = Pieces(b"a\n", longest, b"x", b"\n")
    stream = Stream(source, 1)
    stream.fill()
    stream.position = 2
    with pytest.raises(ReadError, match=r"^a line is longer than 1 MiB; is this a treebank\?$"):
        stream.fill()
    assert source.left == [b"\n"]


def test_sentences_before_an_error_are_kept():
    stream = Stream(Pieces(b"a\nb", b"c", error=OSError(5, "Input/output error")), 1)
    stream.fill()
    stream.position = 2
    for _ in range(2):
        with pytest.raises(ReadError, match=r"^Input/output error$") as caught:
            stream.fill()
        assert (caught.value.side, stream.data, stream.position) == (1, b"bc", 0)
    stream.data = b"d\n"
    stream.fill()  # a whole line is left
    assert (str(ReadError(ValueError("bad"), 0)), str(ReadError(EOFError(), 0))) == ("bad", "EOFError")
    with pytest.raises(KeyError):
        Stream(Pieces(error=KeyError("no damage")), 0).fill()


def test_rates_by_hand():
    found = LegacyCounts(10, 2, 1, 30, 40, 50, 14, 80, 60, 4, 5, 6)
    rates = {"recall": 0.75, "precision": 0.6, "f1": 60 / 90}
    rates |= {"complete_match": 4 / 7, "average_crossing": 2.0, "tagging_accuracy": 0.75}
    assert {name: getattr(found, name) for name in rates} == rates
    assert found.valid == found.to_dict()["valid"] == 7
    assert found.to_dict() | rates == found.to_dict()
    # A sentence that counts nowhere has no rates.
    none = LegacyCounts(sentences=2, errors=1, skipped=1)
    assert {getattr(none, name) for name in rates} == {None}
    assert set(LegacyCounts().to_dict().values()) == {0, None}


def test_worked_example_of_the_summary():
    # Sentences, errors, skipped; matched, gold, test, crossing; words, tags; complete, no and two crossing.
    sums = [10, 2, 1, 30, 40, 50, 14, 80, 60, 4, 5, 6]
    rule = b"=" * 76 + b"\n"
    totals = b"                 75.00  60.00     30    40    50     14     80    60    75.00\n"
    every = b"""\

-- All --
Number of sentence        =     10
Number of Error sentence  =      2
Number of Skip  sentence  =      1
Number of Valid sentence  =      7
Bracketing Recall         =  75.00
Bracketing Precision      =  60.00
Bracketing FMeasure       =  66.67
Complete match            =  57.14
Average crossing          =   2.00
No crossing               =  71.43
2 or less crossing        =  85.71
Tagging accuracy          =  75.00
"""
    nothing = re.sub(
        rb"= [ .0-9]+", lambda found: b"=      0" if b"." not in found[0] else b"=   0.00", every
    )
    nothing = nothing.replace(b"All", b"len<=9").replace(
        b"FMeasure       =   0.00", b"FMeasure       =   -nan"
    )
    for files, names in ((None, b""), ((b"g", b"s"), b": g\tvs\ts")):
        found = engine.summary([*sums, *[0] * 12], 9, files)
        assert found == rule + totals + b"=== Summary" + names + b" ===\n" + every + nothing
    assert engine.one_line(sums, b"sys") == (
        b"F1:  66.67 %\tPrec:  75.00 %\tRec:  60.00 %\tPOS:  75.00 %\tEX:  57.14 %\t"
        b"Unparsed:      3\tSent:     10\tfile: sys\n"
    )
    one = engine.block("One", [1, 0, 0, 1, 1, 1, 3, 1, 1, 1, 0, 0])
    assert one.count(b"= 100.00\n") == 5
    assert b"Average crossing          =   3.00\n" in one
    # Without brackets of one side the first half of the line is left out.
    line = b"  100.00 100.00      1     1     1      0      1     1   100.00\n"
    for gold, test, expected in ((1, 1, b" " * 14 + line), (1, 0, line[-23:]), (0, 1, line[-23:])):
        row = [1, 0, 0, gold & test, gold, test, 0, 1, 1, 0, 1, 1]
        assert engine.totals_line(row) == rule + expected


def test_without_a_line_nothing_is_wrong():
    found = legacy.evaluate([], [])
    assert (found.messages, len(found.sentences)) == ((), 0)


@pytest.mark.parametrize(
    ("gold", "system", "message"),
    [
        # evalb scores 2 of 3 sentences, and the first 10 of 30
        ([TREE] * 3, [TREE] * 2, "gold: more lines than system (2); evalb scores line by line, so write "),
        ([TREE] * 2, [TREE] * 3, "system: more lines than gold (2); evalb scores line by line, so write "),
        ([TREE], [], "gold: more lines than system (0); "),
        (
            [TREE] * 30,
            ["(S (A b))"] * 30,
            "system: evalb gives up, because of more errors than MAX_ERROR (10) allows; "
            "the last one is '12 : Length unmatch (3|1)'; correct the lines, or raise MAX_ERROR (-e N)",
        ),
        ([TREE] * 30, ["x" + TREE] * 30, "; the last one is '1 : Reading sentence'; "),
    ],
)
def test_a_part_of_the_sentences_is_no_result(gold, system, message):
    with pytest.raises(InputError) as caught:
        legacy.evaluate(gold, system)
    assert message in str(caught.value)
    if "MAX_ERROR" in message and system[0][0] == "(":
        more = legacy.evaluate(gold, system, Params(max_error=1000))
        assert (more.total.sentences, more.total.errors, len(more.messages)) == (30, 30, 30)


def test_uneven_files_are_named(tmp_path):
    for name, count in (("gold", 2), ("sys", 5)):
        (tmp_path / name).write_text(f"{TREE}\n" * count)
    with pytest.raises(InputError) as caught:
        legacy.evaluate(tmp_path / "gold", tmp_path / "sys", dialect="spmrl")
    assert str(caught.value).startswith(f"{tmp_path / 'sys'}: more lines than {tmp_path / 'gold'} (2); ")


def test_the_default_parameter_file_is_that_of_the_command(tmp_path, monkeypatch):
    """It is the bundled one, and not a file of that name in the folder."""
    (tmp_path / "COLLINS.prm").write_text("LABELED 0\n")
    monkeypatch.chdir(tmp_path)
    gold, system = ROOT / "examples/gold.mrg", ROOT / "examples/sys.mrg"
    found = legacy.evaluate(gold, system)
    assert (found.params.name, found.params) == ("COLLINS.prm", Params.load(ROOT / "params/COLLINS.prm"))
    done = jpevalb(gold, system, "-evalb", cwd=tmp_path)
    assert (found.report().encode(), round(found.f1, 4)) == (done.stdout, 0.8980)
    assert legacy.evaluate(gold, system, Params()).f1 != found.f1
