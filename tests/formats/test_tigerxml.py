"""TIGER XML: reading, error messages, and hostile files."""

from __future__ import annotations

import io
import tracemalloc

import pytest
from hypothesis import given, strategies as st

from jpevalb import Tree, TreeError
from jpevalb.base.errors import InputError
from jpevalb.formats.read import detect_format
from jpevalb.formats.xml import read_tigerxml
from tests.support.random_trees import trees

WAKE = Tree.build(
    ["S", "VP", "VB", "RP", "NP", "PRP", "$."],
    [-1, 0, 1, 1, 0, 4, -1],
    ["wake", "me", "up", "!"],
    [2, 5, 3, 6],
)
HEAD = """\
<?xml version='1.0' encoding='{}'?>
<corpus id='c'><head><meta><name>t &lt; s</name></meta></head><body>
"""
TAIL = "</body></corpus>\n"
SENTENCE = """\
<s id="s1">
<graph root="s1_502" discontinuous="true">
<terminals>
<t id="s1_1" word="wake" lemma="wake" pos="VB" morph="--"><secedge label="SB" idref="s1_501"/></t>
<t id="s1_2" word="me" pos="PRP"/>
<t id="s1_3" word="up" pos="RP"/>
<t id="s1_4" word="!" pos="$."/>
</terminals>
<nonterminals>
<nt id="s1_502" cat="S"><edge label="HD" idref="s1_500"/><edge label="OA" idref="s1_501"/></nt>
<nt id="s1_500" cat="VP"><edge label="HD" idref="s1_1"/><edge label="SVP" idref="s1_3"/></nt>
<nt id="s1_501" cat="NP"><edge idref="s1_2"/></nt>
</nonterminals>
</graph>
<matches><match subgraph="x"/></matches>
</s>
"""
DOCUMENT = HEAD.format("utf-8") + SENTENCE + "<s id='s2'/>\n" + TAIL


def written(tree: Tree, id: str) -> str:
    """A sentence in TIGER XML, nodes in reverse order and parents before or after children."""
    from xml.sax.saxutils import quoteattr

    preterminal = tree.preterminals
    terminals = "".join(
        f"<t id='w{place}' word={quoteattr(word)} pos={quoteattr(tree.labels[node])}/>\n"
        for place, (word, node) in enumerate(zip(tree.words, tree.word_parents))
    )
    name = {node: f"w{place}" for place, node in enumerate(tree.word_parents)}
    nodes = ""
    for node in reversed(range(len(tree))):
        if not preterminal[node]:
            edges = "".join(
                f"<edge idref='{name.get(child, f'n{child}')}'/>"
                for child in range(len(tree))
                if tree.parents[child] == node
            )
            nodes += f"<nt id='n{node}' cat={quoteattr(tree.labels[node])}>{edges}</nt>\n"
    return f"<s id={quoteattr(id)}><graph>\n{terminals}{nodes}</graph></s>\n"


@pytest.mark.parametrize("size", [1, 7, 100, 10_000])
@pytest.mark.parametrize("encoding", ["utf-8", "iso-8859-1", "utf-16", "windows-1252"])
def test_any_cut_and_any_encoding(size, encoding):
    text = DOCUMENT.replace("utf-8", encoding).replace("wake", "wäke")
    data = text.encode(encoding)
    for pieces in (
        [data[place : place + size] for place in range(0, len(data), size)],
        [text[place : place + size] for place in range(0, len(text), size)],
    ):
        first, second = read_tigerxml(pieces)
        assert first.words == ("wäke", "me", "up", "!")
        assert (first.id, first.labels, first.yields()) == ("s1", WAKE.labels, WAKE.yields())
        assert (second.id, second.words) == ("s2", ())


def test_files():
    assert next(read_tigerxml(io.StringIO(DOCUMENT))) == WAKE
    assert next(read_tigerxml(io.BytesIO(b"\xef\xbb\xbf" + DOCUMENT.encode()))) == WAKE
    assert next(read_tigerxml(["\ufeff" + DOCUMENT])) == WAKE
    assert list(read_tigerxml(["\ufeff"])) == []
    assert next(read_tigerxml([DOCUMENT.replace(' root="s1_502"', "")])) == WAKE
    assert next(read_tigerxml([DOCUMENT.encode("latin-1")], encoding="latin-1")) == WAKE
    assert list(read_tigerxml([])) == []
    assert list(read_tigerxml(["\n", " "])) == []
    assert detect_format(DOCUMENT) == detect_format("\ufeff " + DOCUMENT) == "tigerxml"


def test_the_virtual_root():
    # As in the TIGER treebank: VROOT, and punctuation below it.
    text = SENTENCE.replace('root="s1_502"', 'root="s1_VROOT"').replace(
        "<nonterminals>",
        '<nonterminals><nt id="s1_VROOT" cat="VROOT"><edge idref="s1_4"/><edge idref="s1_502"/></nt>',
    )
    [tree] = read_tigerxml([text])
    assert tree.labels == ("VROOT", *WAKE.labels[1:])


@given(st.lists(trees(), max_size=3))
def test_random_trees(some):
    text = "<corpus>" + "".join(written(tree, str(number)) for number, tree in enumerate(some)) + "</corpus>"
    assert list(read_tigerxml([text])) == some


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        (
            'idref="s1_2"',
            'idref="s9_9"',
            12,
            "the edge from 's1_501' leads to 's9_9', which is not in the sentence",
        ),
        ('idref="s1_2"', 'idref="s1_3"', 12, "'s1_3' has two parents, 's1_500' and 's1_501'; keep one edge"),
        ('<edge idref="s1_2"/>', "<edge/>", 12, "an <edge> of 's1_501' has no idref"),
        (
            'id="s1_2" word',
            'id="s1_1" word',
            5,
            "the id 's1_1' occurs twice, first in line 4; make it unique",
        ),
        ('id="s1_2" word', "word", 5, "got an element without id; <t> and <nt> need one"),
        ('word="me"', "", 5, "the <t> 's1_2' has no word"),
        ('root="s1_502"', 'root="s1_7"', 2, "the root is 's1_7', which is not in the sentence"),
        ("<terminals>", '<terminals><edge idref="s1_2"/>', 3, "an <edge> outside an <nt>"),
        (
            'idref="s1_2"',
            'idref="s1_502"',
            10,
            "the edges s1_502 -> s1_501 -> s1_502 form a cycle; "
            "every node needs a way up to the root, correct one of these parents",
        ),
    ],
)
def test_bad_sentences(old, new, line, message):
    assert SENTENCE.count(old) == 1
    text = "<corpus>" + SENTENCE.replace(old, new) + "<s id='s2'/></corpus>"
    trees = read_tigerxml([text], source="dev.xml")
    with pytest.raises(TreeError) as caught:
        next(trees)
    assert str(caught.value) == f"dev.xml:{line}: sentence 's1': {message}"
    errors: list[TreeError] = []
    read = list(read_tigerxml([text], on_error=errors.append))
    assert [(tree.id, tree.words) for tree in read] == [("s1", ()), ("s2", ())]
    assert [error.message for error in errors] == [f"sentence 's1': {message}"]


def test_a_sentence_id_twice():
    with pytest.raises(TreeError) as caught:
        list(read_tigerxml(["<corpus>\n", SENTENCE, SENTENCE, "</corpus>"], source="f"))
    assert str(caught.value) == "f:18: sentence 's1': the id occurs twice; give each sentence a unique id"


def test_sentences_before_an_error_are_read():
    trees = read_tigerxml(["<corpus>" + SENTENCE + "<s id='s2'><graph></s></corpus>"], source="f")
    assert next(trees) == WAKE
    with pytest.raises(
        TreeError, match=r"^f:17:21: not well-formed XML: mismatched tag; is the file whole\?$"
    ):
        next(trees)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "<corpus><s id='s1'><graph>",
            r"^f:1:27: not well-formed XML: no element found; it ends inside sentence 's1'",
        ),
        ("<corpus>", r"^f:1:9: not well-formed XML: no element found; is the file whole\?$"),
        ("<html>\n<body/></html>", r"^f:2: <html> and no sentence in it; expected TIGER XML"),
        ("<corpus></body>", r"^f:1:11: not well-formed XML: mismatched tag"),
        ("<corpus><s id='1'><s id='2'/></s></corpus>", r"^f:1: sentence '2' is inside sentence '1'$"),
        ("<corpus a=&x;/>", r"^f:1:11: not well-formed XML"),
        ("<corpus>&x;</corpus>", r"^f:1:9: not well-formed XML: undefined entity"),
        (
            "<?xml version='1.0' encoding='no-such'?><corpus/>",
            r"^f:1(:\d+)?: (not well-formed XML: unknown encoding|the document's encoding)",
        ),
        (
            "<?xml version='1.0' encoding='big5'?><corpus/>",
            r"^f:1(:\d+)?: (not well-formed XML|the document's encoding)",
        ),
    ],
)
def test_bad_documents(text, message):
    with pytest.raises(TreeError, match=message):
        list(read_tigerxml([text.encode()], source="f"))


def test_a_wrong_encoding_is_an_error():
    with pytest.raises(TreeError, match=r"^f:1: the document's encoding cannot be read"):
        list(read_tigerxml([b"<a/>"], source="f", encoding="no-such"))
    with pytest.raises(TreeError, match=r"not well-formed XML \(invalid token\)|invalid token"):
        list(read_tigerxml([b"<a b='\xe9'/>"], source="f"))


BOMB = (
    "<!DOCTYPE corpus [<!ENTITY a0 'aaaaaaaaaaaaaaaaaaaa'>"
    + "".join(f"<!ENTITY a{n} '{f'&a{n - 1};' * 20}'>" for n in range(1, 10))
    + "]>\n<corpus><s id='s1'><graph><t id='w' word='&a9;' pos='N'/></graph></s></corpus>"
)


@pytest.mark.parametrize(
    "text",
    [
        BOMB,
        # one long entity, used often: quadratic
        f"<!DOCTYPE c [<!ENTITY a '{'a' * 50_000}'>]><corpus>{'&a;' * 50_000}</corpus>",
        "<!DOCTYPE c [<!ENTITY a SYSTEM 'file:///etc/passwd'>]><corpus>&a;</corpus>",
        "<!DOCTYPE c [<!ENTITY a SYSTEM 'http://localhost:9/x'>]><corpus>&a;</corpus>",
        "<!DOCTYPE c [<!ENTITY % a SYSTEM 'file:///etc/passwd'>%a;]><corpus/>",
        "<!DOCTYPE c [<!ENTITY a SYSTEM 'x.gif' NDATA gif>]><corpus/>",
    ],
    ids=["billion laughs", "quadratic", "file", "network", "parameter", "unparsed"],
)
def test_documents_that_declare_entities_are_refused_before_they_cost_anything(text):
    tracemalloc.start()
    try:
        with pytest.raises(
            TreeError, match=r"^f:1: the document declares the entity 'a0?'; entities are not supported"
        ):
            list(read_tigerxml([text.encode()], source="f"))
        assert tracemalloc.get_traced_memory()[1] < 2_000_000
    finally:
        tracemalloc.stop()


def test_a_document_type_is_not_fetched(tmp_path, monkeypatch):
    """An external DTD would be looked up by an ``open`` or a socket; neither is touched."""
    dtd = tmp_path / "evil.dtd"
    dtd.write_text("<!ENTITY a 'expanded'>")
    import socket

    def refuse(*_args, **_rest):
        raise AssertionError("something was opened")

    monkeypatch.setattr(socket, "socket", refuse)
    monkeypatch.setattr("builtins.open", refuse)
    for name in (dtd.as_uri(), "http://localhost:9/x.dtd"):
        text = f"<!DOCTYPE corpus SYSTEM '{name}'><corpus>{SENTENCE}</corpus>"
        assert list(read_tigerxml([text])) == [WAKE]
        # A reference that the unread document type would define is refused, never fetched.
        spoilt = text.replace('word="wake"', 'word="&a;"')
        with pytest.raises(TreeError, match=r"got the undeclared entity '&a;'"):
            list(read_tigerxml([spoilt]))


@pytest.mark.parametrize("encoding", ["utf-8", "latin-1", "utf-16", "utf-16-be", None])
@pytest.mark.parametrize("long", [0, 100_000])
def test_no_letter_is_lost_where_an_entity_is_declared_elsewhere(encoding, long):
    """``f&uuml;r`` was read as ``fr``: expat leaves out what a document type may declare."""

    def document(word):
        text = (
            f'<!DOCTYPE corpus SYSTEM "tiger.dtd">\n<corpus><!-- &uuml; and <b "> -->'
            f"<s id='s&amp;1'><graph root='w'>\n<t id='w' lemma='{'x' * long}>' word=\"{word}\" pos='APPR'/>"
            "</graph></s></corpus>"
        )
        if encoding is None:
            return text[:70], text[70:]
        declared = "utf-16" if encoding.startswith("utf-16") else encoding
        data = f"<?xml version='1.0' encoding='{declared}'?>{text}".encode(encoding)
        if encoding == "utf-16-be":
            data = b"\xfe\xff" + data
        return data[:70], data[70:]

    [tree] = read_tigerxml(document("f&#252;r&lt;&quot;&amp;uuml;&apos;>"))
    assert (tree.id, tree.words) == ("s&1", ("für<\"&uuml;'>",))
    for word, entity in (("f&uuml;r", "&uuml;"), ("&uuml;", "&uuml;"), ("a&amp;&Ouml;&lt;", "&Ouml;")):
        with pytest.raises(TreeError) as caught:
            list(read_tigerxml(document(word), source="f"))
        assert str(caught.value) == (
            f"f:3: got the undeclared entity '{entity}'; document types are not read, "
            "write the character itself"
        )


@pytest.mark.parametrize(("size", "pieces_a_block"), [(64, 1024), (65_536, 1), (70_000, 1)])
def test_a_document_is_parsed_in_blocks_of_64_kib(size, pieces_a_block):
    asked = []

    def pieces():
        yield "<corpus>".ljust(size)
        for number in range(3000):
            asked.append(number)
            yield f"<s id='{number}'/>".ljust(size)

    read = read_tigerxml(pieces())
    # A sentence comes once its block is complete, and before anything behind that is asked for.
    for _ in range(pieces_a_block - 1 or 1):
        next(read)
        assert len(asked) == (pieces_a_block - 1 or 1)
    next(read)
    assert len(asked) == (2 * pieces_a_block - 1 if pieces_a_block > 1 else 2)


def test_how_long_a_sentence_or_a_comment_may_be(monkeypatch):
    monkeypatch.setattr("jpevalb.base.files.LONGEST", 100_000)
    sentence = f"<s id='{{}}'>{' ' * 60_000}</s>"
    whole = ["<corpus>", *[sentence.format(number) for number in range(9)], "</corpus>"]
    assert len(list(read_tigerxml(whole))) == 9
    for long in ("<!--" + "x" * 100_000, "<s id='1'>" + " <t/>" * 20_000):
        with pytest.raises(InputError, match="the sentence, tag or comment that begins here is longer than"):
            list(read_tigerxml(["<corpus>", *[sentence.format(number) for number in range(2, 9)], long]))


@pytest.mark.slow
def test_memory_is_that_of_one_sentence():
    def pieces():
        yield "<corpus>"
        for number in range(3_000):
            yield SENTENCE.replace("s1", f"s{number}")
        yield "</corpus>"

    count = 0
    tracemalloc.start()
    try:
        for tree in read_tigerxml(pieces()):
            count += len(tree.words)
        assert tracemalloc.get_traced_memory()[1] < 1_500_000
    finally:
        tracemalloc.stop()
    assert count == 12_000


def test_deep_elements_need_no_recursion():
    n = 50_000
    [tree] = read_tigerxml(
        ["<x>" * n + "<s id='1'><graph><t id='w' word='a' pos='N'/></graph></s>" + "</x>" * n]
    )
    assert tree.to_bracket() == "(N a)"
