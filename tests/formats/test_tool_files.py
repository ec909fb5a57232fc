"""Files as tools write them: CoreNLP JSON, CoNLL-U of Stanza, CoNLL-2012, Alpino XML."""

from __future__ import annotations

import io
import json

import pytest
from hypothesis import given, settings, strategies as st

from jpevalb import JpevalbError, Tree, TreeError, evaluate, read
from jpevalb.formats.read import detect_format
from tests.support.random_trees import trees
from tests.support.treebanks import alpino_xml

CORENLP = json.dumps(
    {
        "docId": "a",
        "sentences": [
            {
                "index": 0,
                "parse": "(ROOT\r\n  (S\r\n    (NP (PRP I))\r\n    (VP (VBP am))))",
                "basicDependencies": [{"dep": "ROOT", "gloss": 'a "], {"'}],
                "tokens": [{"index": 1, "word": "I"}],
            },
            {"index": 1, "line": 1, "parse": "SENTENCE_SKIPPED_OR_UNPARSABLE\n"},
        ],
        "corefs": {"1": [{"text": "I"}]},
    },
    indent=2,
)
CONLLU = """\
# newdoc id = a

# sent_id = a1
# text = I am
# constituency = (ROOT (S (NP (PRP I)) (VP (VBP am))))
1\tI\t_\tPRON\tPRP\t_\t0\t_\t_\t_
2\tam\t_\tAUX\tVBP\t_\t1\t_\t_\t_

# sent_id = a2
# constituency = None
1\tHm\t_\tX\tUH\t_\t0\t_\t_\t_
"""
CONLL2012 = """\
#begin document (bc/a/00/a_0000); part 000
bc/a/00/a_0000   0   0   (   -LRB-  (TOP(S(NP*   -   -   -   Speaker#1   *   -
bc/a/00/a_0000   0   1   I     PRP           *)  -   -   -   Speaker#1   *   (0)
bc/a/00/a_0000   0   2   am    VBP      (VP*)))  be  01  1   Speaker#1   *   -

bc/a/00/a_0000   0   0   Hm    UH  (TOP(INTJ*))  -   -   -   Speaker#1   *   -

#end document
"""
ALPINO = """\
<?xml version="1.0" encoding="UTF-8"?>
<alpino_ds version="1.3">
  <node begin="0" cat="top" end="6" id="0" rel="top">
    <node begin="0" cat="sv1" end="5" id="1" rel="--">
      <node begin="0" cat="ppart" end="5" id="2" rel="vc">
        <node begin="0" end="1" id="3" pt="bw" rel="mod" word="Daar"/>
        <node begin="4" end="5" id="4" pt="ww" rel="hd" word="gezien"/>
        <node begin="2" end="4" id="5" index="1" rel="su"/>
        <node begin="2" cat="inf" end="4" id="6" rel="obj1">
          <node begin="2" end="4" id="7" index="1" rel="su"/></node>
      </node>
      <node begin="1" end="2" id="8" pt="ww" rel="hd" word="is"/>
      <node begin="2" cat="np" end="4" id="9" index="1" rel="su">
        <node begin="3" end="4" id="11" pos="noun" rel="hd" word="man"/>
        <node begin="2" end="3" id="10" pt="lid" pos="det" rel="det" word="de"/>
      </node>
    </node>
    <node begin="5" end="6" id="12" pt="let" rel="--" word="."/>
  </node>
  <sentence sentid="wr-7">Daar is de man gezien .</sentence>
</alpino_ds>"""  # fmt: skip

BLLIP = "2 0\n-1.5\n(S (NN a))\n-2\n(X (NN a))\n\n1 1\n-3\n(S (NN b))\n"

FILES = [
    ("corenlp", CORENLP, ["(ROOT (S (NP (PRP I)) (VP (VBP am))))", "( ())"]),
    ("corenlp", CORENLP + "\n" + CORENLP, 2 * ["(ROOT (S (NP (PRP I)) (VP (VBP am))))", "( ())"]),
    ("corenlp", '[{"sentences": []}, {"sentences": [{"parse": "(X (Y z))"}, null, {"parse": null}]}]',
     ["(X (Y z))", "", ""]),
    ("conllu", CONLLU, ["(ROOT (S (NP (PRP I)) (VP (VBP am))))", "( ())"]),
    ("conll2012", CONLL2012, ["(TOP (S (NP (-LRB- -LRB-) (PRP I)) (VP (VBP am))))", "(TOP (INTJ (UH Hm)))"]),
]  # fmt: skip


@pytest.mark.parametrize(("format", "text", "expected"), FILES)
def test_trees(format, text, expected, tmp_path):
    path = tmp_path / "file"
    path.write_text(text, encoding="utf-8")
    sources = (
        path,
        io.StringIO(text),
        io.BytesIO(b"\xef\xbb\xbf" + text.encode()),
        io.BytesIO(text.encode()),
    )
    for source in sources:
        formats = []
        assert [str(tree) for tree in read(source, on_format=formats.append)] == expected
        assert formats == [format]
    assert evaluate(path, io.StringIO("".join(f"{tree}\n" for tree in expected))).f1 == 1.0


def test_ids_of_conllu():
    assert [tree.id for tree in read(io.StringIO(CONLLU))] == ["a1", "a2"]


def test_gaps_of_alpino(tmp_path):
    # Files are joined without a line end between them; the second is in another encoding.
    second = ALPINO.replace("UTF-8", "ISO-8859-1").replace("man", "café").replace("wr-7", "wr-8")
    for declared in (second, second.replace(' encoding="ISO-8859-1"', "")):
        (named,) = read(io.BytesIO(declared.encode("cp850")), encoding="cp850")
        assert named.words[3] == "café"
    data = ALPINO.encode() + second.encode("latin-1")
    path = tmp_path / "file"
    path.write_bytes(data)
    for source in (path, io.BytesIO(data)):
        first, other = read(source)
        assert first.id == "wr-7"
        assert first.words == ("Daar", "is", "de", "man", "gezien", ".")
        assert other.words == ("Daar", "is", "de", "café", "gezien", ".")
        assert first.tags == ("bw", "ww", "lid", "noun", "ww", "let")
        # The phrase "inf" has only a repeated node.
        assert first.constituents() == [
            ("TOP", 0b111111),
            ("sv1", 0b11111),
            ("ppart", 0b10001),
            ("np", 0b1100),
        ]
    result = evaluate(path, path)
    assert result.settings.convention == "discontinuous"
    assert result.total.gaps.gold == 2


def test_words_that_alpino_repeats():
    """A word of a repeated node may be spelled out as well; it counts once."""
    repeated = ALPINO.replace('id="8" pt', 'id="8" index="3" pt').replace(
        '<node begin="2" end="4" id="5"',
        '<node begin="1" id="14" index="3" word="is"/><node begin="2" id="5"',
    )
    assert list(read(io.StringIO(repeated))) == list(read(io.StringIO(ALPINO)))
    with pytest.raises(TreeError, match="the words 'is' and 'was' both begin at 1"):
        list(read(io.StringIO(repeated.replace('"14" index="3" word="is"', '"14" index="3" word="was"'))))


@given(trees())
def test_alpino_holds_any_tree(tree):
    (again,) = read(io.StringIO(alpino_xml([tree])))
    assert again.words == tree.words
    assert sorted(again.constituents()) == sorted(tree.constituents())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (CORENLP.replace('"parse": "S', '"text": "S'),
         "f:20: sentence 2: no 'parse', but 'index', 'line', 'text'; "
         "run CoreNLP with the annotator parse"),
        ('{"sentences": [{"parse": 3}]}',
         "f:1: sentence 1: got a number as 'parse'; expected the text of a tree"),
        ('{"sentences": [{"parse": "(S (X y)"}]}',
         "f:1: the tree that begins here is not closed: 1 ')' is missing"),
        ('{"sentences": [{"parse": "(X y)"}',
         "f:1: the JSON array ends in record 1; expected ']', is the file whole?"),
        (CONLLU.replace("# constituency = None\n", ""),
         "f:10: sentence 'a2' has no tree; expected a line '# constituency = (ROOT ...)' before its words"),
        (CONLLU.replace("VP (VBP am)", "VP (VBP am"),
         "f:5: the tree that begins here is not closed: 1 ')' is missing"),
        (CONLL2012.replace("(TOP(INTJ*))", "(TOP(INTJ))"),
         "f:6: '(TOP(INTJ))' in column 6; expected a part of a tree, such as (NP*"),
        (CONLL2012.replace("I     PRP           *)", "I"),
         "f:3: '-' in column 6; expected a part of a tree, such as (NP*"),
        (CONLL2012 + "bc/a 0 0 x\n",
         "f:9: got 4 columns; expected a word, its tag and (NP* in columns 4 to 6"),
        (CONLL2012 + "bc/a 0 0 x NN (A\n",
         "f:9: '(A' in column 6; expected a part of a tree, such as (NP*"),
        (CONLL2012.replace("(VP*)))", "(VP*))"),
         "f:2: the tree that begins here is not closed: 1 ')' is missing"),
        (ALPINO.replace('begin="1" ', ""),
         "f:2: sentence 'wr-7': the word 'is' has begin=''; expected its position"),
        (ALPINO.replace('begin="1" ', 'begin="3" '),
         "f:2: sentence 'wr-7': the words 'man' and 'is' both begin at 3"),
        (ALPINO.replace("</sentence>", ""),
         "f:21:3: not well-formed XML: mismatched tag; correct the sentence"),
        (ALPINO.replace("Daar is", "&a;"),
         "f:20:27: not well-formed XML: undefined entity; correct the sentence"),
        (ALPINO[:-1], "f:2: the <alpino_ds> that begins here is not closed; is the file whole?"),
        (ALPINO + ALPINO, "f:22: sentence 'wr-7': the id occurs twice; give each sentence a unique id"),
    ],
)  # fmt: skip
def test_errors_name_the_place(text, message):
    file = io.StringIO(text)
    file.name = "f"
    with pytest.raises(TreeError) as caught:
        list(read(file))
    assert str(caught.value) == message
    file.seek(0)
    if "closed; is" in message or "whole" in message:
        return
    errors = []
    found = list(read(file, on_error=errors.append))
    assert [str(error) for error in errors] == [message]
    assert Tree.parse("") in found


def test_bytes_of_another_encoding():
    data = CONLLU.replace("# text = I am", "# text = \xe9").encode("latin-1")
    message = r":4:10: byte 0xe9 is not UTF-8; try encoding='latin-1'"
    with pytest.raises(TreeError, match=message):
        list(read(io.BytesIO(data)))
    assert len(list(read(io.BytesIO(data), encoding="latin-1"))) == 2
    message = r"the document's encoding cannot be read \(unknown encoding: x-no\); try encoding='utf-8'"
    with pytest.raises(TreeError, match=message):
        list(read(io.BytesIO(ALPINO.replace("UTF-8", "x-no").encode())))
    utf16 = io.BytesIO(ALPINO.encode("utf-16"))
    (tree,) = read(utf16, "alpino", encoding="utf-16")
    assert tree.words[0] == "Daar"


@pytest.mark.slow
@given(st.data())
@settings(max_examples=300)
def test_damaged_files(data):
    """A damaged file has one clear error, or the same trees whether errors are skipped or not."""
    text = data.draw(st.sampled_from([CORENLP, CONLLU, CONLL2012, ALPINO, BLLIP])).encode()
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(text)))
        pieces = [b"(", b")", b"\n\n", b'"', b"{", b"]", b"<", b"*", b"# ", b"2 0\n", b"\xff"]
        new = data.draw(st.sampled_from(pieces))
        text = text[:place] + new + text[place + data.draw(st.integers(0, 20)) :]
    found = []
    messages = []
    for errors in (None, []):
        try:
            found.append(list(read(io.BytesIO(text), on_error=None if errors is None else errors.append)))
        except JpevalbError as error:
            found.append(None)
            messages.append(str(error))
    assert not any("\n" in message for message in messages)
    assert found[0] is None or found[0] == found[1]


CORENLP_TEXT = """\
Document: ID=in.txt (2 sentences, 4 tokens)

Sentence #1 (2 tokens):
(It rains

Tokens:
[Text=It CharacterOffsetBegin=0 CharacterOffsetEnd=2 PartOfSpeech=PRP]
[Text=rains CharacterOffsetBegin=3 CharacterOffsetEnd=8 PartOfSpeech=VBZ]

Constituency parse:\x20
(ROOT
  (S (NP (PRP It))
    (VP (VBZ rains))))


Dependency Parse (enhanced plus plus dependencies):
root(ROOT-0, rains-2)

Sentence #2 (1 tokens):
Hm

Tokens:
[Text=Hm]

Sentence #3 (1 tokens):
Hm
[Text=Hm]
(ROOT (X (UH Hm)))
"""


def test_plain_text_of_corenlp(tmp_path):
    assert detect_format(CORENLP_TEXT) == "corenlp-text"
    (tmp_path / "out").write_text(CORENLP_TEXT)
    words = [("It", "rains"), (), ("Hm",)]
    assert [tree.words for tree in read(tmp_path / "out")] == words
    gold = ["(ROOT (S (NP (PRP It)) (VP (VBZ rains))))", "(ROOT (X (UH Hm)))", "(ROOT (X (UH Hm)))"]
    found = evaluate(gold, str(tmp_path / "out"), pair="order").total.brackets
    assert (found.gold, found.system, found.matched) == (5, 4, 4)
    unparsed = CORENLP_TEXT + "\nSentence #4 (1 tokens):\nHm\n\nTokens:\n[Text=Hm]\n"
    assert [tree.words for tree in read(io.StringIO(unparsed))] == [*words, ()]
    message = r":28: the tree that begins here is not closed: 1 '\)' is missing"
    with pytest.raises(TreeError, match=message):
        list(read(io.StringIO(CORENLP_TEXT[:-2])))
