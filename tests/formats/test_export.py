"""NEGRA export: reading and writing both versions, and error messages."""

from __future__ import annotations

import io

import pytest
from hypothesis import given, strategies as st

from jpevalb import Tree, TreeError, evaluate, read
from jpevalb.base.errors import InputError
from jpevalb.formats.export import find_cycle, read_export
from jpevalb.formats.read import detect_format
from jpevalb.formats.writers import to_export, write
from jpevalb.trees.tree import EMPTY
from tests.support.random_trees import trees

VERSION_3 = """\
%% made by hand
#FORMAT 4
#BOT TAGS
1	#BOS is no sentence here, nor is this line read
#EOT TAGS
#BOS 17 2 876543210 1 %% a comment
wake	VB	--	HD	500	SB	501	%% another
%% and one more
me	PRP	Acc	OA	501
up	RP	--	SVP	500
!	$.	--	--	0

#500	VP	--	HD	502
#501	NP	--	OA	502
#502	S	--	--	0
#EOS 17
#BOS 18
yes UH -- -- 0
#EOS 18
"""
VERSION_4 = """\
#BOS 17
wake		wake	VB	Imp		HD	500	SB	501
me	ich	PRP	Acc	OA	501
up	up	RP	--	SVP	500
!	!	$.	--	--	0
#500	--	VP	--	HD	502
#501	--	NP	--	OA	502
#502	--	S	--	--	0
#EOS 17
#BOS 18
yes -- UH -- -- 0
#EOS 18
"""
WAKE = Tree.build(
    ["S", "VP", "VB", "RP", "NP", "PRP", "$."],
    [-1, 0, 1, 1, 0, 4, -1],
    ["wake", "me", "up", "!"],
    [2, 5, 3, 6],
)
YES = Tree.parse("(UH yes)")


def lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


@pytest.mark.parametrize(
    "text", [VERSION_3, VERSION_4, VERSION_3.replace("\n", "\r\n"), "\ufeff" + VERSION_4]
)
def test_both_versions(text):
    for given_lines in (
        lines(text),
        lines(text.encode().decode()),
        io.BytesIO(text.encode()),
        io.StringIO(text),
    ):
        read = list(read_export(given_lines))
        assert read == [WAKE, YES]
        assert [tree.id for tree in read] == ["17", "18"]
    assert WAKE.labels[0] == ""
    assert WAKE.yields()[:3] == [0b1111, 0b0111, 0b0101]


def test_the_virtual_root_is_a_node_only_over_several():
    [tree] = read_export(["#BOS 1", "a N -- -- 500", "#500 S -- -- 0", "#EOS 1"])
    assert tree.to_bracket() == "(S (N a))"
    [tree] = read_export(["#BOS 1", "a N -- -- 500", ". $ -- -- 0", "#500 S -- -- 0", "#EOS 1"])
    assert tree.to_bracket() == "( (S (N a)) ($ .))"


def test_an_unlabelled_root_is_not_written():
    one = to_export(Tree.parse("( (S (N a)))"), "1", version=3).splitlines()
    assert one[1:-1] == ["a\tN\t--\t--\t500", "#500\tS\t--\t--\t501", "#501\tROOT\t--\t--\t0"]
    several = to_export(Tree.parse("( (S (N a)) (P b))"), "1", version=3).splitlines()
    assert several[1:-1] == ["a\tN\t--\t--\t500", "b\tP\t--\t--\t0", "#500\tS\t--\t--\t0"]
    alone = to_export(Tree.build([""], [-1], ["a", "b"], [0, 0]), "1", version=3).splitlines()
    assert alone[1:-1] == ["a\t--\t--\t--\t0", "b\t--\t--\t--\t0"]
    # Elsewhere a node without label stays one.
    inner = to_export(Tree.parse("(S ( (N a) (N b)))"), "1", version=3).splitlines()
    assert inner[3] == "#500\t--\t--\t--\t501"


@given(st.lists(st.integers(-1, 5), min_size=6, max_size=6))
def test_a_cycle_is_found_where_there_is_one(parents):
    def ends(node: int) -> bool:
        for _ in parents:
            node = parents[node] if node >= 0 else -1
        return node < 0

    cycle = find_cycle(parents)
    assert bool(cycle) is not all(map(ends, range(6)))
    assert len(set(cycle)) == len(cycle)
    assert [parents[node] for node in cycle] == cycle[1:] + cycle[:1]


@pytest.mark.parametrize(
    ("nodes", "shown"),
    [
        (5, "#500 -> #501 -> #502 -> #503 -> #504 -> #500"),
        (6, "#500 -> #501 -> #502 -> #503 -> #504 -> ... -> #500"),
    ],
)
def test_a_long_cycle_is_shortened_and_reported_at_its_first_node(nodes, shown):
    lines = [f"#{500 + node}\tX\t--\t--\t{500 + (node + 1) % nodes}" for node in range(nodes)]
    errors: list[TreeError] = []
    text = ["#BOS 7", "a\tN\t--\t--\t500", *lines, "#EOS 7"]
    [tree] = read_export(text, source="f", on_error=errors.append)
    assert (tree.id, tree.words) == ("7", ())
    assert str(errors[0]).startswith(f"f:3: sentence '7': the edges {shown} form a cycle; every node ")
    assert len(errors) == 1


def test_words_that_begin_with_a_hash():
    words = ("#", "#1", "#499", "#1000", "#50x", "#BOSX", "#EOSX")
    text = ["#BOS 1", *(f"{word} N -- -- 500" for word in words), "#500 S -- -- 0", "#EOS 1"]
    [tree] = read_export(text)
    assert tree.words == words
    assert list(read_export(to_export(tree, "1").split("\n"))) == [tree]


def test_fields_between_tabs_may_hold_blanks():
    [tree] = read_export(["#BOS 1", "New York\tNE\t--\t--\t500", "#500\tNP\t--\t--\t0", "#EOS 1"])
    assert tree.words == ("New York",)
    assert list(read_export(to_export(tree, "1", version=3).split("\n"))) == [tree]
    for line in ("a \tNE  --\t--\t500", "a\vNE\v--\v--\v500"):
        [tree] = read_export(["#BOS 1", line, "#500\tNP\t--\t--\t0", "#EOS 1"])
        assert tree.words == ("a",)


def test_written_text():
    assert to_export(WAKE, "x/1", version=3) == (
        "#BOS x/1\nwake\tVB\t--\t--\t500\nme\tPRP\t--\t--\t501\nup\tRP\t--\t--\t500\n!\t$.\t--\t--\t0\n"
        "#500\tVP\t--\t--\t502\n#501\tNP\t--\t--\t502\n#502\tS\t--\t--\t0\n#EOS x/1\n"
    )
    file = io.StringIO()
    write([YES], file, "export")
    assert file.getvalue() == "#FORMAT 4\n#BOS 1\nyes\t--\tUH\t--\t--\t0\n#EOS 1\n"


@given(st.lists(trees(), max_size=4), st.sampled_from(["export", "export3", "export4"]))
def test_round_trip(some, format):
    file = io.StringIO()
    assert write([*some, EMPTY], file, format) == len(some) + 1
    read = list(read_export(io.StringIO(file.getvalue())))
    assert read == [*some, EMPTY]
    assert [tree.id for tree in read] == [str(number) for number in range(1, len(some) + 2)]
    assert list(read_export(file.getvalue().encode().split(b"\n"))) == read
    assert detect_format(file.getvalue()) == "export"


@given(trees(tagged=False))
def test_untagged_words_keep_their_constituents(tree):
    [read] = read_export(to_export(tree, "1").split("\n"))
    assert read.words == tree.words
    assert [tag or None for tag in read.tags] == [tag or None for tag in tree.tags]
    assert read.constituents() == tree.constituents()


@given(trees(words=st.text(st.sampled_from("#50 %-\tB\n\u3000"), max_size=4), max_words=3))
def test_any_word_comes_back_or_is_refused(tree):
    spoilt = any(
        not word
        or word[0] == " "
        or word[-1] == " "
        or set(word) & {"\t", "\n"}
        or word.startswith("%%")
        or (len(word) == 4 and word[:2] == "#5" and set(word[2:]) <= {"5", "0"})
        for word in tree.words
    )
    for version in (3, 4):
        if spoilt:
            with pytest.raises(TreeError, match="export cannot represent"):
                to_export(tree, "1", version=version)
        else:
            assert list(read_export(to_export(tree, "1", version=version).split("\n"))) == [tree]


@pytest.mark.parametrize(
    "word", ["#500", "#999", "%%", "%% a", "#BOS", "#BOS 2 a", "#EOS", "", "a\tb", " a", "a ", "a\n"]
)
def test_a_word_that_cannot_be_carried(word):
    with pytest.raises(TreeError, match=r"^tree 1 \(id 's'\): export cannot represent (an empty|.*the) word"):
        write([Tree.build(["S"], [-1], [word], [0], id="s")], io.StringIO(), "export")


def test_other_things_that_cannot_be_carried():
    with pytest.raises(TreeError, match="the label '--', which means no label"):
        to_export(Tree.parse("(S (-- a))"), "1")
    with pytest.raises(TreeError, match="export cannot represent the function 'a b'; write it without"):
        to_export(YES.replace(edges=("a b",)), "1")
    for name in ("a b", "", "%%"):
        with pytest.raises(TreeError, match="cannot represent the sentence id"):
            to_export(YES, name)
    named = Tree.build(["S"], [-1], ["a"], [0], id="2")
    with pytest.raises(TreeError, match=r"^tree 2: the id '2' occurs twice; give each tree a unique id$"):
        write([named, YES], io.StringIO(), "export")


def test_more_nodes_than_three_digits_number():
    n = 3_000
    deep = Tree.build(["X"] * n, list(range(-1, n - 1)), ["#1", "a"], [n - 1, 0])
    tagged = Tree.build([*deep.labels, ""], [*deep.parents, 0], deep.words, [n - 1, n])
    text = to_export(deep, "1")
    assert "\n#1000\t--\tX\t--\t--\t1001\n" in text
    assert text.count("\n#") == n + 1  # nodes but the deepest, a tag; the word #1; #EOS
    assert list(read_export(text.split("\n"))) == [tagged]


def _sentence(*middle: str, bos: str = "#BOS 7", eos: str = "#EOS 7") -> list[str]:
    return [bos, "a\tN\t--\t--\t500", *middle, "#500\tS\t--\t--\t0", eos]


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        (
            _sentence("b\tN\t--\t--\t501"),
            3,
            "sentence '7': the parent of 'b' is '501', which is not in the sentence; "
            "expected 0 or the number of one of its nodes",
        ),
        (
            _sentence("#501\tX\t--\t--\t502", "#502\tX\t--\t--\t501"),
            3,
            "sentence '7': the edges #501 -> #502 -> #501 form a cycle; "
            "every node needs a way up to the root, correct one of these parents",
        ),
        (
            ["#BOS 7", "a\tN\t--\t--\t500", "#500\tS\t--\t--\t500", "#EOS 7"],
            3,
            "sentence '7': the edges #500 -> #500 form a cycle; "
            "every node needs a way up to the root, correct one of these parents",
        ),
        (
            _sentence("#500\tX\t--\t--\t0"),
            4,
            "sentence '7': node #500 occurs twice, first in line 7; number each once",
        ),
        (
            _sentence("b\tN\t--\t--"),
            3,
            "sentence '7': got 4 fields in 'b\\tN\\t--\\t--'; expected 'word tag morph edge parent', "
            "or a lemma after the word as well",
        ),
        (
            _sentence("word" * 20),
            3,
            f"sentence '7': got 1 field in {'word' * 15!r}; expected 'word tag morph edge parent', "
            "or a lemma after the word as well",
        ),
        (
            _sentence("b\tN\t--\t--\tX"),
            3,
            "sentence '7': the parent of 'b' is 'X', which is not in the sentence; "
            "expected 0 or the number of one of its nodes",
        ),
        (_sentence(eos="#EOS 6"), 4, "sentence '7': '#EOS 6'; expected '#EOS 7', as in line 5"),
        (_sentence(eos="#EOS 8"), 4, "sentence '7': '#EOS 8'; expected '#EOS 7', as in line 5"),
        (
            _sentence()[:-1],
            1,
            "sentence '7': got the end of the file (is it cut off?); expected '#EOS 7' first",
        ),
    ],
)
def test_bad_sentences(text, line, message):
    before, after = _sentence(bos="#BOS 1", eos="#EOS 1"), _sentence(bos="#BOS 9", eos="#EOS 9")
    with pytest.raises(TreeError) as caught:
        list(read_export([*before, *text], source="dev.export"))
    assert str(caught.value) == f"dev.export:{line + 4}: {message}"
    if not text[-1].startswith("#EOS"):
        return
    errors: list[TreeError] = []
    read = list(read_export([*before, *text, *after], on_error=errors.append))
    assert [(tree.id, len(tree.words)) for tree in read] == [("1", 1), ("7", 0), ("9", 1)]
    assert [error.message for error in errors] == [message]


@pytest.mark.parametrize(
    ("text", "line", "message", "ids"),
    [
        (
            [*_sentence(), "#EOS 8", *_sentence(bos="#BOS 9", eos="#EOS 9")],
            5,
            "sentence '8': '#EOS 8' outside a sentence; expected '#BOS 8' first",
            ["7", "8", "9"],
        ),
        (
            [*_sentence()[:-1], *_sentence(bos="#BOS 8", eos="#EOS 8")],
            1,
            "sentence '7': got '#BOS 8' in line 4; expected '#EOS 7' first",
            ["7", "8"],
        ),
        (2 * _sentence(), 5, "sentence '7': the id occurs twice; give each sentence a unique id", ["7", "7"]),
        (_sentence(bos="#BOS", eos="#EOS"), 1, "sentence '': #BOS without an id; expected '#BOS 1'", [None]),
    ],
)
def test_bad_marks(text, line, message, ids):
    with pytest.raises(TreeError) as caught:
        list(read_export(text, source="f"))
    assert str(caught.value) == f"f:{line}: {message}"
    errors: list[TreeError] = []
    assert [tree.id for tree in read_export(text, on_error=errors.append)] == ids
    assert [error.message for error in errors] == [message]


def test_an_empty_sentence_and_an_empty_file():
    assert list(read_export([])) == []
    # A header, comments and other text may stand there without a sentence; not other text alone.
    assert list(read_export(["", "%% nothing", "here"])) == list(read_export(["#FORMAT 4", "text"])) == []
    assert list(read_export(["nothing", "#BOS 1", "#EOS 1", "nothing"])) == [EMPTY]
    with pytest.raises(
        TreeError, match=r"^f:2: 'nothing here' and no sentence in the file; expected '#BOS 1'"
    ):
        list(read_export(["", " nothing here", "#x"], source="f"))
    assert list(read_export(["#BOS 1", "#EOS 1"])) == [EMPTY]


@pytest.mark.parametrize(
    ("place", "where"),
    [("#BOS 2", "7:7"), ("rains", "9:4"), ("#500", "10:5"), ("#EOS 2", "11:7")],
)
def test_a_byte_that_cannot_be_read_costs_its_sentence_only(place, where):
    text = "".join(
        f"#BOS {i}\nit\tNP\t--\t--\t500\nrains\tVP\t--\t--\t500\n#500\tS\t--\t--\t0\n#EOS {i}\n"
        for i in (1, 2, 3)
    )
    begin = text.index("#BOS 2")
    at = text.index(place, begin) + len(place)
    at -= 2 if place == "rains" else 0
    data = b"%% head\n" + text[:at].encode() + b"\xff" + text[at:].encode()
    errors = []
    found = list(read(io.BytesIO(data), "export", on_error=errors.append))
    assert [tree.words for tree in found] == [("it", "rains"), (), ("it", "rains")]
    assert [str(error) for error in errors] == [
        f"<file>:{where}: byte 0xff is not UTF-8; try encoding='latin-1'"
    ]
    with pytest.raises(TreeError, match=r"byte 0xff is not UTF-8"):
        list(read(io.BytesIO(data), "export"))


@pytest.mark.parametrize("begin", ["", "#EOS 1", "#BOSX"])
def test_a_byte_between_sentences_ends_the_reading(begin):
    data = begin.encode() + b"\xff\n#BOS 1\nit\tNP\t--\t--\t0\n#EOS 1\n"
    with pytest.raises(
        TreeError,
        match=r"^<file>:1:\d: byte 0xff is not UTF-8; try encoding='latin-1'$",
    ):
        list(read(io.BytesIO(data), "export", on_error=lambda error: None))


def test_a_comment_is_not_an_id():
    with pytest.raises(TreeError, match="#BOS without an id"):
        list(read(io.StringIO("#BOS %% 7\na\tNN\t--\t--\t0\n#EOS 7\n"), "export"))


def test_how_long_a_sentence_may_be(monkeypatch):
    """The characters behind its ``#BOS`` count, those between sentences do not."""
    text = ["#BOS 1", "a\tN\t--\t--\t0", "#EOS 1", "x" * 99, "#BOS 2", "b\tN\t--\t--\t0", "#EOS 2"]
    size = sum(map(len, text[1:3]))
    monkeypatch.setattr("jpevalb.base.files.LONGEST", size)
    assert [tree.words for tree in read_export(text)] == [("a",), ("b",)]
    monkeypatch.setattr("jpevalb.base.files.LONGEST", size - 1)
    with pytest.raises(InputError, match=r"^f:1: .*sentence '1'"):
        list(read_export(text, source="f"))


def test_the_tag_of_brackets_in_brackets(folder):
    """Export has $( for brackets, bracketed text $[."""
    rows = ("-\t$(\t--\t--\t500", "a\tN\t--\t--\t500", "#500\tS\t--\t--\t0")
    (folder / "gold.export").write_text("\n".join(["#BOS 1", *rows, "#EOS 1", ""]))
    for tag, correct in (("$[", 2), ("$.", 1)):
        (folder / "sys.mrg").write_text(f"(S ({tag} -) (N a))\n")
        assert evaluate("gold.export", "sys.mrg").total.tags.correct == correct
        # The same by kernels, of texts
        (folder / "gold.mrg").write_text("(S ($[ -) (N a))\n")
        assert evaluate("gold.mrg", "sys.mrg").total.tags.correct == correct
