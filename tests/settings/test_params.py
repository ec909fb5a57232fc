"""The .prm reader: evalb's rules and the Python interface."""

from __future__ import annotations

import pickle
import re
import time

import pytest

from jpevalb import JpevalbError, Params, ParamsError, SettingsError
from jpevalb.settings.params import atoi, bundled


@pytest.mark.parametrize(
    ("text", "expected", "messages"),
    [
        ("", Params(), ()),
        ("# DELETE_LABEL X\n\nAB\n", Params(), ()),
        ("ABC", Params(), ("Unknown keyword (ABC) in parameter file",)),
        ("DELETE_LABEL TOP\nDELETE_LABEL S1  \t\r\n", Params(delete_labels=("TOP", "S1")), ()),
        ("DELETE_LABEL two words", Params(delete_labels=("two words",)), ()),
        ("DELETE_LABEL X # note", Params(delete_labels=("X # note",)), ()),
        ("EQ_LABEL ADVP PRT\nEQ_WORD\ta \t b", Params(eq_labels=[("ADVP", "PRT")], eq_words=[("a", "b")]),
         ()),
        ("EQ_LABEL A", Params(), ("EQ_LABEL requires two values",)),
        ("EQ_WORD a b c", Params(), ("EQ_WORD requires two values",)),
        (" DELETE_LABEL X", Params(), ("Unknown keyword ( DELETE_LABEL X) in parameter file",)),
        ("COLOUR  blue ", Params(), ("Unknown keyword (COLOUR  blue) in parameter file",)),
        ("LABELED 0", Params(labeled=False), ()),
        ("LABELED -1\nCUTOFF_LEN 12.7\nMAX_ERROR x\nDEBUG 2", Params(cutoff=12, max_error=0, debug=2), ()),
        ("CUTOFF_LEN 10\nCUTOFF_LEN 70", Params(cutoff=70), ()),
        ("DELETE_LABEL", Params(), ("DELETE_LABEL requires a value, line ignored",)),
        ("QUOTE_LABEL ``\nDELETE_LABEL_FOR_LENGTH -NONE-",
         Params(quote_labels=("``",), delete_labels_for_length=("-NONE-",)), ()),
    ],
)  # fmt: skip
def test_reads_as_evalb_reads(text, expected, messages):
    found = Params().parse(text.encode())
    assert found == expected
    assert found.messages == messages


def test_a_keyword_alone_takes_the_rest_of_an_earlier_longer_line():
    """As the C program, which reads on in its line buffer; checked against it."""
    long = b"DELETE_LABEL_FOR_LENGTH NN\n"
    for text, expected, messages in (
        (long + b"DELETE_LABEL\n", {"delete_labels": ("NN",)}, ()),
        (long + b"X\nDELETE_LABEL", {"delete_labels": ("NN",)}, ()),
        (long + b"EQ_LABEL\n", {}, ("EQ_LABEL requires two values",)),
        (
            b"EQ_LABEL  A B\nDEBUG\nEQ_LABEL\n",
            {"eq_labels": (("A", "B"),)},
            ("EQ_LABEL requires two values",),
        ),
        (long + b"COLOUR\n", {}, ("Unknown keyword (COLOUR) in parameter file",)),
        (b"# a b c \0 \nLABELED \n", {"labeled": False}, ("Empty value in parameter file (2)",)),
    ):
        found = Params().parse(text)
        kept = dict(expected)
        if text.startswith(long):
            kept["delete_labels_for_length"] = ("NN",)
        assert (found, found.messages) == (Params(**kept), messages), text
    one = Params().parse(long)
    assert one.parse(b"DELETE_LABEL\n", earlier=(long,)).delete_labels == ("NN",)
    assert one.parse(b"DELETE_LABEL\n").delete_labels == ()


def test_a_line_of_a_prm_is_read_in_pieces_of_499_bytes():
    for size, labels in ((486, ("x" * 486,)), (487, ("x" * 486,)), (500, ("x" * 486,))):
        found = Params().parse(b"DELETE_LABEL " + b"x" * size + b"\n")
        assert found.delete_labels == labels
        rest = "x" * (size - 486)
        assert found.messages == ((f"Unknown keyword ({rest}) in parameter file",) if len(rest) > 2 else ())


@pytest.mark.parametrize(
    ("text", "number"),
    [("12", 12), (" +7x", 7), ("-3", -3), ("x", 0), ("", 0), ("- 1", 0), ("007", 7), ("2147483648", -(2**31)),
     ("9" * 5000, -1), ("-" + "9" * 30, 0), (str(2**62 + 5), 5), (str(2**63 - 1), -1), (str(-(2**70)), 0)],
)  # fmt: skip
def test_atoi(text, number):
    assert atoi(text) == number


def test_bundled_files_are_found_by_name():
    assert bundled() == [
        "COLLINS.prm", "ctb.prm", "negra.prm", "new.prm",
        "nk.prm", "sample.prm", "spmrl.prm", "spmrl_hebrew.prm",
    ]  # fmt: skip
    for name in bundled():
        params = Params.load(name)
        # evalb does not know DELETE_WORD, and says so; nobody else does.
        assert params.warnings == ()
        assert all("(DELETE_WORD " in text or "(DISC_ONLY" in text for text in params.messages)
        assert params == Params.load(name.removesuffix(".prm"))
        assert params.name == name


def test_known_values():
    collins = Params.load("COLLINS.prm")
    assert collins.delete_labels == ("TOP", "-NONE-", ",", ":", "``", "''", ".")
    assert collins.eq_labels == (("ADVP", "PRT"),)
    assert (collins.cutoff, collins.max_error) == (Params().cutoff, Params().max_error) == (40, 10)
    new = Params.load("new.prm")
    assert new.delete_labels == ("TOP", "S1", "-NONE-", ",", ":", "``", "''", ".", "?", "!")
    assert new.quote_labels == ("``", "''", "POS", "NN", "CD", "VBZ", ":")
    assert Params.load("nk.prm") == new.replace(max_error=10000)
    spmrl = Params.load("spmrl.prm")
    assert spmrl.delete_labels == ("TOP", "ROOT", "S1", "-NONE-", "VROOT")
    assert (spmrl.cutoff, spmrl.max_error) == (70, 10000)
    assert len(Params.load("spmrl_hebrew").delete_labels) == 31


def test_a_file_without_keywords_is_rejected_unless_it_has_only_comments(tmp_path):
    path = tmp_path / "x.prm"
    for text in ("", "# nothing is left out\n\n"):
        path.write_text(text)
        assert Params.load(path) == Params()
    path.write_text("(S (NN a))\n")
    with pytest.raises(ParamsError, match="no line begins with a keyword of a parameter file"):
        Params.load(path)


def test_path_wins_over_bundled_name(folder):
    (folder / "COLLINS.prm").write_text("LABELED 0\n")
    assert Params.load("COLLINS.prm") == Params(labeled=False)
    assert Params.load(folder / "COLLINS.prm") == Params(labeled=False)


def test_a_directory_does_not_hide_a_bundled_file(folder):
    expected = Params.load("new")
    (folder / "new").mkdir()
    (folder / "sample.prm").mkdir()
    assert Params.load("new") == expected
    assert Params.load("sample.prm").messages == ()
    with pytest.raises(ParamsError, match="directory"):
        Params.load("./new")


def test_long_lists_are_read_in_linear_time():
    text = b"".join(b"DELETE_LABEL L%d\nEQ_LABEL A%d B%d\n" % (i, i, i) for i in range(50_000))
    begin = time.process_time()
    params = Params().parse(text)
    assert time.process_time() - begin < 5
    assert (len(params.delete_labels), params.eq_labels[-1]) == (50_000, ("A49999", "B49999"))


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"delete_labels": "TOP"}, "delete_labels is the one string 'TOP'; expected a list of strings"),
        ({"quote_labels": None}, "quote_labels is None; expected a list of strings"),
        (
            {"delete_labels_for_length": [b"X"]},
            "delete_labels_for_length holds b'X'; expected a list of strings",
        ),
        ({"eq_labels": ["AB"]}, "eq_labels holds 'AB'; expected a list of pairs of strings"),
        ({"eq_labels": [("A",)]}, "eq_labels holds ('A',); expected a list of pairs of strings"),
        ({"eq_words": [1]}, "eq_words is [1]; expected a list of pairs of strings"),
        ({"cutoff": "40"}, "cutoff is '40'; expected a whole number from -2147483648 to 2147483647"),
        ({"max_error": 2**31}, "max_error is 2147483648; expected a whole number from"),
    ],
)
def test_values_of_another_kind(values, message):
    with pytest.raises(SettingsError, match="^" + re.escape(message)):
        Params(**values)
    with pytest.raises(SettingsError):
        Params().replace(**values)


def test_lists_may_be_any_iterable():
    params = Params(delete_labels=iter(["A"]), eq_labels=(pair.split() for pair in ["A B"]))
    assert params == Params(delete_labels=("A",), eq_labels=(("A", "B"),))


def test_frozen_hashable_and_picklable():
    params = Params.load("COLLINS")
    assert len({params, Params.load("COLLINS.prm"), params.replace(cutoff=3)}) == 2
    assert pickle.loads(pickle.dumps(params)) == params
    with pytest.raises(AttributeError, match="replace"):
        params.cutoff = 3
    with pytest.raises(AttributeError):
        del params.cutoff
    with pytest.raises(TypeError, match="colour"):
        Params(colour=1)
    assert eval(repr(params), {"Params": Params}) == params


def test_no_such_file(tmp_path):
    with pytest.raises(
        ParamsError, match=re.escape("nowhere.prm: cannot read this parameter file")
    ) as caught:
        Params.load("nowhere.prm")
    assert "COLLINS.prm" in str(caught.value)
    assert isinstance(caught.value, JpevalbError)
    with pytest.raises(ParamsError, match="directory"):
        Params.load(tmp_path)
    with pytest.raises(ParamsError, match="null"):
        Params.load("a\0b")


def test_numbers_are_those_of_c():
    for number in (2**31 - 1, -(2**31)):
        assert Params(max_error=number).max_error == atoi(str(number)) == number
    for number in (2**31, -(2**31) - 1):
        with pytest.raises(SettingsError, match="from -2147483648 to 2147483647"):
            Params(max_error=number)


def test_a_file_as_large_as_it_may_be(tmp_path, monkeypatch):
    monkeypatch.setattr("jpevalb.base.streams._MAX_BYTES", 3 << 20)
    line = b"DELETE_LABEL TOP\n"
    (tmp_path / "a.prm").write_bytes(line + b"#" * ((3 << 20) - len(line)))
    assert Params.load(tmp_path / "a.prm").delete_labels == ("TOP",)
    (tmp_path / "a.prm").write_bytes(line + b"#" * ((3 << 20) - len(line) + 1))
    with pytest.raises(ParamsError, match="it has more than 3 MiB"):
        Params.load(tmp_path / "a.prm")


def test_the_first_unknown_setting_is_reported():
    with pytest.raises(TypeError, match="Params has no setting 'aa'"):
        Params(zz=1, aa=2)


def test_keywords_of_disco_dop_are_no_unknown_ones_outside_of_legacy_mode():
    params = Params().parse(b"DELETE_WORDS x\nDELETE_WORD .\nNONSENSE y\n")
    assert params.messages[1] == "Unknown keyword (DELETE_WORD .) in parameter file"
    assert params.warnings == (params.messages[0], params.messages[2])


def test_without_the_folder_there_are_no_bundled_files(monkeypatch, tmp_path):
    monkeypatch.setattr("jpevalb.settings.params.folder", lambda: str(tmp_path / "nothing"))
    assert bundled() == []
    with pytest.raises(ParamsError, match="COLLINS"):
        Params.load("COLLINS")
