"""Files as tools, treebanks and models write them: each kind is read rightly, and told with a count."""

from __future__ import annotations

import io
import json

import pytest

import jpevalb
from jpevalb.formats.read import detect_format
from jpevalb.trees.parse import BLANKS, BRACKETED, CLOSERS, SCORES, WORD_BRACKETS
from jpevalb.trees.prepare import CHAINS as CHAINS_SPLIT, WIDE_TAGS, Preparation
from tests.support.commands import jpevalb as command

GOLD = [
    "(S (NP (NN pay)) (PRN (-LRB- -LRB-) (NP (CD 5)) (-RRB- -RRB-)) (. .))",
    "(S (NP (PRP we)) (VP (VBD left)) (. .))",
]
NBSP, WIDE = "\u00a0", "\u3000"

REWRITTEN = {
    "round brackets as words": (
        ["(S (NP (NN pay)) (PRN (-LRB- () (NP (CD 5)) (-RRB- ))) (. .))", GOLD[1]],
        {WORD_BRACKETS: 2},
    ),
    "only the open bracket is a word": (
        ["(S (NP (NN pay)) (PRN (-LRB- () (NP (CD 5)) (-RRB- -RRB-)) (. .))", GOLD[1]],
        {WORD_BRACKETS: 1},
    ),
    "over several lines": (
        ["(S (NP (NN pay))", "   (PRN (-LRB- ()", "        (NP (CD 5)) (-RRB- )))", "   (. .))", GOLD[1]],
        {WORD_BRACKETS: 2},
    ),
    "no-break spaces": (
        [GOLD[0], f"(S (NP{WIDE}(PRP{NBSP}we)){NBSP}(VP (VBD{NBSP}left)) (. .))"],
        {BLANKS: 4},
    ),
    "scores": (
        [GOLD[0], "(S [9.1] (NP [-8] (PRP [1e-3] we)) (VP [5.0] (VBD [1.5] left)) (. [0.1] .))"],
        {SCORES: 6},
    ),
    "labelled closers": (
        [
            "(S (NP (NN pay )NN )NP (PRN (-LRB- -LRB- )-LRB- (NP (CD 5 )CD )NP (-RRB- -RRB- )-RRB- )PRN "
            "(. . ). )S",
            "(S (NP (PRP we )PRP )NP (VP (VBD left )VBD )VP (. . ). )S",
        ],
        {CLOSERS: 15},
    ),
    "words in brackets": ([GOLD[0], "(S (NP (PRP (we))) (VP (VBD (left))) (. (.)))"], {BRACKETED: 3}),
}


@pytest.mark.parametrize("convention", ["jpevalb", "discontinuous"])
@pytest.mark.parametrize("kind", REWRITTEN)
def test_text_that_is_rewritten(kind, convention, tmp_path):
    lines, counts = REWRITTEN[kind]
    path = tmp_path / "sys"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    result = jpevalb.evaluate(GOLD, path, convention=convention)
    assert result.f1 == 1
    assert [tree.words for tree in jpevalb.read(path)] == [tree.words for tree in jpevalb.read(GOLD)]
    assert {item.what: item.count for item in result.standardised} == counts
    assert {item.side for item in result.standardised} == {"system"}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("(S (NN file(s)) (SYM f(x)) (VB go))", ("file-LRB-s-RRB-", "f-LRB-x-RRB-", "go")),
        ("(S (NN go) (: :()))"[:-1], ("go", ":-LRB-")),
        ("(S (VB go) (NFP :-)))", ("go", ":--RRB-")),
        # Only ends that all have the labels of their brackets are left out.
        ("(S (NP it )NP (VP is )XP )", ("it", "NP", "is", "XP")),
        ("(S (NP it )NP (VP is )NP )", ("it", "NP", "is", "NP")),
        # Words in brackets are words if half of them or more are only children.
        ("(S (NP (NN (a))) (VP (VB (b))) (NP (c) (d)))", ("a", "b", "c", "d")),
        # A number in brackets is a word unless each bracket has one.
        ("(S (NP [12] (NN x)) (VP y))", ("[12]", "x", "y")),
        # Templates have brackets and no words.
        ("(S (NP) (VP))", ()),
        ("(S (CD 10\u00a0000) (NN b))", ("10\u00a0000", "b")),
        # Labels of several words, or above others, have blanks behind them, too.
        (f"(S{NBSP}(NP (NN{NBSP}tea pot)) ( NN{WIDE}is {NBSP}so))", ("tea", "pot", "is", f"{NBSP}so")),
    ],
)
def test_words_of_one_text(text, words):
    tree = jpevalb.Tree.parse(text)
    assert tree.words == words
    assert {*tree.labels} <= {"", "S", "NP", "VP", "NN", "VB", "SYM", "NFP", ":", "CD"}


FLAT = "(S (NP (DT the) (JJ big) (NN cat)) (VP (VBZ wants) (S (VP (TO to) (VP (VB sleep))))) (. .))"
CHAINS = {
    joint: FLAT.replace("(S (VP (TO", f"(S{joint}VP (TO").replace(")))))", "))))")
    for joint in ("+", "::", "@", "_")
}


@pytest.mark.parametrize("joint", CHAINS)
def test_collapsed_chains(joint):
    collapsed = CHAINS[joint]
    for gold, system, side in ((FLAT, collapsed, "system"), (collapsed, FLAT, "gold")):
        result = jpevalb.evaluate([gold] * 2, [system] * 2)
        assert (result.f1, [tuple(item) for item in result.standardised]) == (1, [(side, CHAINS_SPLIT, 2)])
    assert jpevalb.evaluate([FLAT], [collapsed], chains="keep").f1 == 8 / 11
    # A label of a chain after the first trees of a generator
    later = [FLAT, collapsed] * 150 + [collapsed.replace(f"S{joint}VP", f"VP{joint}S")]
    whole = [FLAT] * 300 + [FLAT.replace("(S (VP (TO", "(VP (S (TO")]
    for read in (list, iter):
        assert jpevalb.evaluate(read(whole), read(later)).f1 == 1
    evaluator = jpevalb.Evaluator()
    evaluator.update([FLAT, collapsed, FLAT], [collapsed, FLAT, FLAT])
    assert evaluator.f1 == 1
    # On both sides it is a label, and so is one of which a part is no label of constituents.
    assert jpevalb.evaluate([collapsed], [collapsed]).standardised == ()
    other = collapsed.replace(f"S{joint}VP", f"S{joint}XP")
    assert jpevalb.evaluate([FLAT], [other]).standardised == ()
    # Korean tags have the same form.
    tagged = FLAT.replace("NN", "NP+NN")
    assert jpevalb.evaluate([FLAT], [tagged]).total.tags.correct == 6
    split = FLAT.replace("(NN cat)", "(NP+NN cat)")
    assert jpevalb.evaluate([FLAT.replace("(NN cat)", "(NP (NN cat))")], [split], sys_chains="split").f1 == 1


@pytest.mark.parametrize("label", ["@NP", "NP|<JJ-NN>", "NP*", "NP'", "NULL"])
def test_brackets_of_a_binarisation(label):
    binarised = FLAT.replace("(JJ big) (NN cat)", f"({label} (JJ big) (NN cat))")
    assert str(jpevalb.unbinarize(jpevalb.Tree.parse(binarised))) == FLAT
    for below in (True, False):
        tree = jpevalb.Tree.parse(binarised).replace(below_root=below, tagged=below)
        expected = jpevalb.Tree.parse(FLAT).replace(below_root=below, tagged=False)
        assert repr(Preparation(undo=True, untagged=below).of(tree)) == repr(expected)
    result = jpevalb.evaluate([FLAT], [binarised], binarised="undo")
    assert (result.f1, result.standardised[0].count) == (1, 1)
    assert jpevalb.evaluate([FLAT], [binarised]).total.brackets.system == 7


def test_a_few_words_without_tags_leave_a_file_tagged():
    plain = FLAT.replace("(. .)", ".")
    assert jpevalb.evaluate([plain] * 3, [plain.replace("JJ", "XX")] * 3).f1 == 1
    apart = FLAT.replace("(JJ big) (NN cat)", "(NN tea) (NN pot) (NN lid)")
    wide = FLAT.replace("(JJ big) (NN cat)", "(NN tea pot lid)")
    for gold, system in ((apart, wide), (wide, apart)):
        result = jpevalb.evaluate([gold], [system])
        assert (result.f1, result.total.tags.correct, result.figures["node_accuracy"]) == (1, 8, 1)
        assert (result.standardised[0].what, result.standardised[0].count) == (WIDE_TAGS, 1)


LISTS = {
    "labels before lists": '["S", [["NP", [["PRP", ["it"]]]], '
    '["VP", [["VBZ", ["is"]], ["ADJP", [["JJ", ["big"]]]]]]]]',
    "labels before children": '["S", ["NP", ["PRP", "it"]], ["VP", ["VBZ", "is"], ["ADJP", ["JJ", "big"]]]]',
}
BIG = "(S (NP (PRP it)) (VP (VBZ is) (ADJP (JJ big))))"


@pytest.mark.parametrize("kind", LISTS)
def test_lists_with_labels(kind, tmp_path):
    text = LISTS[kind]
    other = text.replace("ADJP", "NP").replace('"S"', '"X"')
    as_python = json.loads(text)
    assert str(next(jpevalb.read([as_python]))) == BIG
    for name, content in {
        "lines": f"{other}\n{other}\n",
        "array": f"[{other}, {other}]\n",
        "indented": json.dumps([json.loads(other)] * 2, indent=1),
        "jsonl": f'{{"output": {other}}}\n' * 2,
    }.items():
        path = tmp_path / name
        path.write_text(content)
        assert jpevalb.evaluate([BIG] * 2, path).f1 == 0.5
        assert jpevalb.evaluate([as_python] * 2, path).f1 == 0.5


def test_a_json_array_of_the_texts_of_trees(tmp_path):
    for indent in (None, 2):
        (tmp_path / "sys").write_text(json.dumps([*GOLD, None], indent=indent))
        assert [tree.words for tree in jpevalb.read(tmp_path / "sys")][1:] == [("we", "left", "."), ()]
        assert jpevalb.evaluate(GOLD, tmp_path / "sys").f1 == 1


FENCED = ["```(S (NP pay) (PRN -LRB- (NP 5) -RRB-) .)```", "(S (NP we) (VP left) .)"]


def test_repaired_answers_have_no_tags_either():
    untagged = ["(S (NP pay) (PRN -LRB- (NP 5) -RRB-) .)", FENCED[1]]
    expected = jpevalb.evaluate(GOLD, untagged).f1
    for repair in (False, True):
        result = jpevalb.evaluate(GOLD, answers(FENCED), format="jsonl", repair=repair)
        counts = result.total["answers"]
        assert (counts.with_repairs.f1, counts.valid) == (expected, 1)
        assert f"F1 {100 * counts.strict.f1:.2f} as written" in result.report("text")
        lists = answers([[text, text] for text in FENCED])
        assert jpevalb.evaluate(GOLD, lists, repair=repair).f1 == result.f1
    # A convention that leaves out broken answers still counts them.
    result = jpevalb.evaluate(
        [*GOLD] * 4, answers([GOLD[1], *GOLD[1:] * 6, FENCED[0]]), convention="evalb", on_error="skip"
    )
    assert (result.total["answers"].answers, result.total["answers"].valid) == (8, 7)


def answers(texts):
    return io.StringIO("".join(json.dumps({"output": text}) + "\n" for text in texts))


@pytest.mark.parametrize(("several", "word"), [("first", "a"), ("last", "d"), ("longest", "b")])
def test_which_tree_of_an_answer(several, word):
    text = "First (S (NN a)), then (S (NN b) (NN c)), or (S (X (NN d)))"
    assert jpevalb.Tree.parse(jpevalb.repair(text, several).text).words[0] == word


def numbered(number, words="{}"):
    """A sentence of its own shape and words."""
    adjectives = " ".join([f"(JJ {words.format(f'big{number}{k}')})" for k in range(number % 7)])
    noun, verb, other = [words.format(f"{name}{number}") for name in ("cat", "sees", "dog")]
    return f"(S (NP {adjectives} (NN {noun})) (VP (VB {verb}) (NP (NN {other}))))"


def test_sentences_in_any_order():
    golds = [numbered(number) for number in range(30)]
    systems = [text.replace("(VP", "(X", 1) if number % 3 == 0 else text for number, text in enumerate(golds)]
    expected = jpevalb.evaluate(golds, systems).total.brackets
    for convention in ("jpevalb", "discontinuous"):
        found = jpevalb.evaluate(golds, systems[::-1], pair="words", convention=convention)
        assert found.total.brackets.matched == expected.matched
        assert [one.bead.system[0] for one in found.sentences] == list(range(29, -1, -1))
    # The advice of the warning works.
    (warning,) = [text for text in jpevalb.evaluate(golds, systems[::-1]).warnings if "another order" in text]
    assert warning.endswith("use pair='words'")
    # Sentences of other words are paired with the most similar one, or stand alone.
    other = ["(S (NN else))", systems[4].replace("dog4", "dogs"), *systems[:4:-1]]
    found = jpevalb.evaluate(golds[4:], other, pair="words")
    assert [one.bead.system for one in found.sentences[:2]] == [(1, 2), (26, 27)]
    assert found.total.sentences.system_alone == 1
    # Of equally similar sentences the one with the first word is taken.
    systems = [f"(S (A {word}{number}) (B x{word}{number}))" for number in range(10) for word in "ba"]
    found = jpevalb.evaluate([f"(S (A a{n}) (B b{n}))" for n in range(10)], systems, pair="words")
    assert [one.bead.system[0] for one in found.sentences[:10]] == list(range(1, 20, 2))


@pytest.mark.parametrize("hidden", ["XX", "UNK", "<unk>"])
def test_hidden_words_and_missing_sentences(hidden):
    golds = [numbered(number) for number in range(30)]
    systems = [numbered(number, hidden) for number in range(30) if number not in (4, 17)]
    for gold, system in ((golds, systems), (systems, golds)):
        result = jpevalb.evaluate(gold, system)
        assert result.total.brackets.matched == 28 * 4
        assert result.total.sentences.gold_alone + result.total.sentences.system_alone == 2
    assert jpevalb.evaluate(golds, [numbered(number, hidden) for number in range(30)]).f1 == 1
    unlike = [f"(X {'(NN XX) ' * (number % 7 + 3)})" for number in range(25)]
    assert jpevalb.evaluate(golds[:25], unlike, pair="order").n_sentences == 25
    with pytest.raises(jpevalb.TreeError, match="do not show which sentences belong together"):
        jpevalb.evaluate([text.replace("(S ", "(S (Q ") + ")" for text in golds], unlike)


def test_trees_over_lines_that_are_not_indented(tmp_path):
    path = tmp_path / "sys"
    path.write_text("".join(text.replace("(S ", "(S\n").replace(") (", ")\n(") + "\n" for text in GOLD * 3))
    assert jpevalb.evaluate(GOLD * 3, path).f1 == 1
    # One broken line of many is none of them.
    path.write_text("\n".join([GOLD[0], GOLD[1][:-1], *GOLD * 3]) + "\n")
    with pytest.raises(
        jpevalb.TreeError, match=r"sys:2:1: the tree that begins here is not closed: 1 '\)' is missing"
    ):
        jpevalb.evaluate([*GOLD] * 4, path)


FILES = {
    "ids": "".join(f"s{number}\t{text}\n" for number, text in enumerate(GOLD)),
    "scores": "".join(f"-{number}.5\t{text}\n" for number, text in enumerate(GOLD)),
    "csv": "id,tree\n" + "".join(f'{number},"{text}"\n' for number, text in enumerate(GOLD)),
    "header": "id\tof\ttree\tnote\n"
    + "".join(f"{number}\ta\t{text}\tchecked\n" for number, text in enumerate(GOLD)),
    "onf": "".join(
        f"Plain sentence:\n---\n  x\n\nTree:\n-----\n    {text}\n\nLeaves:\n" for text in GOLD
    ).replace(") (", ")\n     ("),
    "array": json.dumps(GOLD),
    "spans": '{"words": ["pay", "-LRB-", "5", "-RRB-", "."], '
    "\"spans\": \"[(0, 5, 'S'), (0, 1, 'NP'), (1, 4, 'PRN'), (2, 3, 'NP')]\"}\n"
    '{"words": ["we", "left", "."], "spans": "(0, 3, \'S\'), (0, 1, \'NP\'), (1, 2, \'VP\')"}\n',
    "actions": '{"words": ["pay", "-LRB-", "5", "-RRB-", "."], "actions": "NT(S) NT(NP) SHIFT REDUCE NT(PRN) '
    'SHIFT NT(NP) SHIFT REDUCE SHIFT REDUCE SHIFT REDUCE"}\n{"words": ["we", "left", "."], '
    '"actions": ["NT(S)", "NT(NP)", "SHIFT", "REDUCE", "NT(VP)", "SHIFT", "REDUCE", "SHIFT", "REDUCE"]}\n',
}


@pytest.mark.parametrize("kind", FILES)
def test_trees_among_other_text(kind, tmp_path):
    path = tmp_path / "sys"
    path.write_text(FILES[kind])
    assert jpevalb.evaluate(GOLD, path).f1 == 1
    assert jpevalb.evaluate(path, GOLD).f1 == 1


@pytest.mark.parametrize("actions", ["5", "null", "[1]", "{}"])
def test_actions_of_another_type(actions, tmp_path):
    path = tmp_path / "sys.jsonl"
    path.write_text(f'{{"words": ["a"], "actions": {actions}}}\n')
    with pytest.raises(
        jpevalb.TreeError, match=r"sys.jsonl:1: 'words' and 'actions' are not both lists of texts"
    ):
        jpevalb.evaluate(["(S (N a))"], path)


def test_a_table_names_its_column(tmp_path):
    rows = [f"{number}\t{text}\t(X (N x))" for number, text in enumerate(GOLD)]
    (tmp_path / "sys").write_text("\n".join(["id\tgood\tbad", *rows]) + "\n")
    assert jpevalb.evaluate(GOLD, tmp_path / "sys", field="good").f1 == 1
    assert jpevalb.evaluate(GOLD, tmp_path / "sys", pair="order").f1 == 0
    with pytest.raises(jpevalb.TreeError, match="no column 'better', but id, good, bad; set field='NAME'"):
        jpevalb.evaluate(GOLD, tmp_path / "sys", field="better")
    with pytest.raises(
        jpevalb.TreeError, match=r":2: the row has 1 columns, none with a tree; expected a tree"
    ):
        list(jpevalb.read(io.StringIO("a\t(S (N b))\nc\n")))


def test_raw_trees_of_sejong(tmp_path):
    path = tmp_path / "gold"
    path.write_text("; 학교의 도서관\n(NP\t(NP_MOD\t학교/NNP + 의/JKG)\n\t(NP\t(/SS + 도서관/NNG + //SP))\n")
    (tree,) = jpevalb.read(path)
    assert str(tree) == "(NP (NP_MOD (NNP 학교) (JKG 의)) (NP (SS -LRB-) (NNG 도서관) (SP /)))"
    assert jpevalb.evaluate(path, [tree], lang="ko").f1 == 1


def told(tmp_path, *arguments):
    """The one line of an error, and the arguments that it advises."""
    done = command(*arguments, cwd=tmp_path)
    lines = done.stderr.decode().splitlines()
    assert done.returncode != 0
    assert len(lines) == 1, lines
    return lines[0]


def test_advice_works(tmp_path):
    """What a message advises is run, and helps."""
    (tmp_path / "gold").write_text("\n".join(GOLD) + "\n")
    (tmp_path / "sys").write_text("\n".join(GOLD) + "\n")
    (tmp_path / "text").write_text("pay ( 5 ) .\nwe left .\n".replace("(", "-LRB-").replace(")", "-RRB-"))
    (tmp_path / "gbk").write_bytes("(IP (NP (PN 我)) (VP (VV 去)))\n".encode("gbk"))
    (tmp_path / "sinica").write_text("#1:1.[0] S(agent:NP(Head:Nhaa:我)|Head:VC2:吃)#\n" * 3)
    (tmp_path / "elf").write_bytes(b"\x7fELF\x02\x01\0\0")
    (tmp_path / "zip").write_bytes(b"PK\x03\x04abc")
    (tmp_path / "nk.prm").write_text("DELETE_LABEL TOP\n")
    (tmp_path / "c.conllu").write_text("1\tpay\tpay\tVERB\tVB\t_\t0\troot\t_\t_\n\n")
    (tmp_path / "systems").mkdir()
    for name in ("alpha.mrg", "bravo.mrg"):
        (tmp_path / "systems" / name).write_text("\n".join([*GOLD, ""]) + "\n")
    advised = {
        ("gold", "text"): ["--sys-format", "text"],
        ("gbk", "gbk"): ["--gold-encoding", "gb18030"],
        ("gold", "sys", "--drop-subtrees", "-DFL-,CODE"): ["--drop-subtrees=-DFL-,CODE"],
        ("gold", "sys", "-evalb", "--prm", "nk.prm"): ["-evalb", "nk.prm"],
        ("gold", "sys", "-evalb", "--analysis"): ["--convention", "evalb", "--analysis"],
        ("gold", "sys", "-evalb", "--view", "1"): ["--convention", "evalb", "--view"],
        ("gold", "sys", "--score"): ["--score-only"],
        ("gold", "sys", "-evalb", "COLINS.prm"): [
            "Can't open parameter file (COLINS.prm)",
            "COLLINS.prm, ctb.prm",
        ],
        ("gold", "systems"): ["write systems/*"],
        ("gold", "sys", "--max-drop", "1", "--baseline", "none.json"): [
            "none.json: cannot read the baseline:"
        ],
        ("gold", "sys", "-evalb", "--max-drop", "1", "--baseline", "none"): [
            "none: cannot read the baseline:"
        ],
        ("gold", "sys", "--baseline", "bravo"): ["--against"],
        ("c.conllu", "sys", "--score-only"): ["c.conllu: words and no trees, so F1 has no value"],
        ("gold", "c.conllu", "--score-only"): ["c.conllu: words and no trees, so F1 has no value"],
        ("--verison",): ["--version"],
    }
    for arguments, advice in advised.items():
        line = told(tmp_path, *arguments)
        assert " ".join(advice) in line or all(part in line for part in advice), line
    for works in (
        ["gold", "text", "--sys-format", "text"],
        ["gbk", "gbk", "--gold-encoding", "gb18030", "--sys-encoding", "gb18030"],
        ["gold", "sys", "--drop-subtrees=-DFL-,CODE"],
        ["gold", "sys", "-evalb", "nk.prm"],
        ["gold", "sys", "--convention", "evalb", "--analysis"],
        ["--version"],
        ["gold", "sys", "-evalb", "--quiet"],
        *[
            ["gold", "systems/alpha.mrg", "systems/bravo.mrg", "--against", name, *mode]
            for name in ("bravo.mrg", "bravo", "systems/bravo.mrg")
            for mode in ([], ["-evalb"])
        ],
    ):
        assert command(*works, cwd=tmp_path).returncode == 0
    quiet, whole = [command("gold", "sys", "-evalb", *more, cwd=tmp_path) for more in (["--quiet"], [])]
    assert quiet.stdout == whole.stdout[whole.stdout.index(b"=== Summary") :]
    assert "Sinica" in told(tmp_path, "sinica", "sys")
    for name in ("elf", "zip"):
        assert "a binary file" in told(tmp_path, "gold", name)
    with pytest.raises(jpevalb.SettingsError, match="give convention='evalb'"):
        jpevalb.evaluate(GOLD, GOLD, evalb=True)


def test_small_corrections():
    assert detect_format("(S (NN 3=z))") == "bracket"
    whole, decimal = [jpevalb.evaluate(GOLD, GOLD, align_ratio=ratio).signature for ratio in (0, 0.0)]
    assert whole == decimal
