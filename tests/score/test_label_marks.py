"""Labels with suffixes of treebanks, and subtrees that are removed with their words."""

from __future__ import annotations

import pytest

from jpevalb import Params, Settings, Tree, evaluate
from jpevalb.cli import main
from jpevalb.settings.rules import shortened

SPMRL = "(S##h=1|x=y (NP##a (DT##b=c|d=e le) (NN##f chat)) (VP##g-SBJ (VB##h dort)))"
RIGHT = "(S (NP (NN a)) (VP (VB b) (NP (NN c))))"
SEJONG = "(S (NP_SBJ (NNG 고양이) (JKS 가)) (VP_MOD (VV 자)))"


@pytest.mark.parametrize(
    ("marked", "plain", "preset", "before"),
    [
        (SPMRL, "(S (NP (DT le) (NN chat)) (VP (VB dort)))", "spmrl", (0, 0)),
        (SEJONG, "(S (NP (NNG 고양이) (JKS 가)) (VP (VV 자)))", "sejong", (1, 3)),
    ],
)
@pytest.mark.parametrize("convention", ["jpevalb", "discontinuous"])
def test_presets_cut_labels_and_tags(marked, plain, preset, before, convention):
    for gold, system in ((marked, plain), (plain, marked)):
        total = evaluate([gold], [system], convention=convention).total
        assert (total.brackets.matched, total.tags.correct) == before
        settings = Settings().replace(convention=preset, lang="en")
        settings = settings.replace(convention=str(settings.convention).replace("jpevalb", convention))
        total = evaluate([gold], [system], settings=settings).total
        assert (total.brackets.matched, total.brackets.gold, total.brackets.system) == (3, 3, 3)
        assert (total.tags.correct, total.tags.gold) == (3, 3)


def test_every_metric_sees_cut_labels(tmp_path, capsys):
    names = "brackets,tags,functions,leaf,siou,nodes"
    (tmp_path / "gold").write_text(SEJONG, encoding="utf-8")
    (tmp_path / "sys").write_text(SEJONG.replace("_", "-"), encoding="utf-8")
    files = str(tmp_path / "gold"), str(tmp_path / "sys")
    result = evaluate(*files, convention="jpevalb cut-at:_", metrics=names, strict_terminals=True)
    assert {value for name, value in result.figures.items() if value not in (None, 0)} == {1.0}
    assert result.total["functions"].tags.matched == 2
    assert main([*files, "--convention", "jpevalb cut-at:_", "--score-only"]) == 0
    assert capsys.readouterr().out == "100.00\n"


@pytest.mark.parametrize(
    ("label", "is_tag", "short"),
    [
        ("NP_SBJ_X", False, "NP-SBJ-X"),
        ("NP_SBJ", True, "NP"),
        ("_SP", True, "_SP"),
        ("#", True, "#"),
        ("NN##a_b", True, "NN"),
        ("NN##a_b", False, "NN-a_b"),
        ("NP-SBJ", False, "NP-SBJ"),
    ],
)
def test_where_labels_end(label, is_tag, short):
    tree = Tree.parse(f"(X ({label} a))" if is_tag else f"({label} (X a))")
    assert shortened(tree, frozenset(("_", "##"))).labels[int(is_tag)] == short


def test_cut_labels_are_deleted():
    gold, system = "(S (NN##x a) (PUNC##y .))", "(S (NN a) (PUNC .))"
    total = evaluate(
        [gold], [system], convention="jpevalb cut-at:##", prm=Params(delete_labels=("PUNC",))
    ).total
    assert (total.tags.gold, total.sentences.length) == (1, 2)


SPEECH = "(S (EDITED-1 (NP (PRP I)) (, ,)) (NP (PRP I)) (VP (VBP am)))"
FLAT = "(S (NP (PRP I)) (REPARANDUM (, ,)) (VP (NP (PRP I)) (VBP am)))"


def test_subtrees_are_removed_with_their_words():
    # Gold's tree decides: I am.
    total = evaluate([SPEECH], [FLAT], drop_subtrees="EDITED,REPARANDUM").total
    assert (total.brackets.gold, total.brackets.system, total.tags.gold, total.sentences.length) == (
        3,
        3,
        2,
        2,
    )
    total = evaluate(
        [SPEECH], [FLAT], drop_subtrees=("REPARANDUM", "EDITED"), convention="discontinuous"
    ).total
    assert (total.brackets.matched, total.brackets.gold, total.brackets.system) == (2, 3, 3)
    assert (total.tags.correct, total.tags.gold, total.sentences.length) == (2, 2, 2)
    # DELETE_LABEL leaves the words.
    total = evaluate([SPEECH], [FLAT], prm=Params(delete_labels=("EDITED", "REPARANDUM"))).total
    assert (total.brackets.gold, total.tags.gold) == (4, 4)


def test_subtrees_that_are_nowhere():
    (warning,) = evaluate(["(S (NN a))"], ["(S (NN a))"], drop_subtrees="EDITED").warnings
    assert warning == "no label or tag of either file is among those to leave out: EDITED"


@pytest.mark.parametrize(
    ("gold", "system", "names", "mark"),
    [
        (SEJONG, "(S (NP (NNG 고양이) (JKS 가)) (VP (VV 자)))", "NP_SBJ, VP_MOD (2", "_"),
        (
            SPMRL,
            "(S (NP (DT le) (NN chat)) (VP (VB dort)))",
            "S##h=1|x=y, NP##a, DT##b=c|d=e, NN##f (6",
            "##",
        ),
        ("(S (NN-HD a) (VB-X b))", "(S (NN a) (VB b))", "NN-HD, VB-X (2", "-"),
        ("(S (NP|x (NN a)) (VP|y (VB b)))", "(S (NP|z (NN a)) (VP|z (VB b)))", "NP|x, VP|y (2", "|"),
    ],
)
def test_labels_that_differ_by_a_suffix_get_a_warning(gold, system, names, mark):
    for convention in ("jpevalb", "discontinuous"):
        (text,) = evaluate([gold], [system], convention=convention).warnings
        assert text.startswith(f"gold alone has {names} of ")
        assert text.endswith(
            f"; use convention='{convention} cut-at:{mark}' to compare labels without the suffix"
        )
        told = evaluate([gold], [system], convention=f"{convention} cut-at:{mark}").warnings
        assert not any("suffix" in text for text in told)
    assert not any("suffix" in text for text in evaluate([gold], [gold]).warnings)


@pytest.mark.parametrize(
    ("options", "advice"),
    [
        ({"convention": "evalb words:0|2"}, None),  # labels of sentences that do not count are not cut
        ({"convention": "evalb", "on_error": "skip"}, None),
        ({"convention": "supar"}, "supar cut-at:-"),
    ],
)
def test_suffixes_under_a_convention(options, advice):
    gold = [RIGHT, *[RIGHT.replace("NP", "NP-SBJ").replace("(VP", "(RB c) (VP")] * 20]
    other = "d" if "on_error" in options else "c"
    system = [RIGHT, *[RIGHT.replace("(VP", f"(RB {other}) (VP")] * 20]
    told = [text for text in evaluate(gold, system, **options).warnings if "suffix" in text]
    assert [f"use convention={advice!r} to" in text for text in told] == [True] * (advice is not None)
    if advice:
        assert not any("suffix" in text for text in evaluate(gold, system, convention=advice).warnings)


def test_usual_errors_of_labels_get_no_warning():
    gold, system = (
        "(S (NP (NN a)) (VP (VB b)) (ADJP (JJ c)))",
        "(S (VP (NNS a)) (NP (VBD b)) (ADJP_X (JJ c)))",
    )
    assert evaluate([gold], [system]).warnings == ()


def test_the_warning_is_the_same_on_workers(tmp_path):
    from concurrent.futures import ThreadPoolExecutor

    gold = [SEJONG] * 300
    system = ["(S (NP (NNG 고양이) (JKS 가)) (VP (VV 자)))"] * 300
    with ThreadPoolExecutor(2) as executor:
        assert evaluate(gold, system, executor=executor).warnings == evaluate(gold, system).warnings != ()


def test_labels_of_binarised_trees_count_and_get_a_warning():
    gold = ["(TOP (@S (NP (N a)) (VP (V b))))"]
    other = ["(TOP (X (NP (N a)) (VP (V b))))"]
    for jobs in (1, 2):
        found = evaluate(gold, other, jobs=jobs)
        assert (found.total.brackets.gold, found.total.brackets.matched) == (3, 2)
        assert [text for text in found.warnings if "binarised" in text] == [
            "gold alone has @S (1 of 3 first brackets); it looks binarised: to remove such brackets "
            "use binarised='undo'"
        ]
    # The root over the sentences of a bead is a mark, not a label.
    found = evaluate(["(@S (N a))", "(@S (N b))"], ["(@S (@S (N a)) (@S (N b)))"])
    assert (found.total.brackets.gold, found.total.brackets.system, found.total.brackets.matched) == (2, 3, 2)
    chomsky = ["(S (NP (N a)) (S|<VP-PP> (VP (V b)) (PP (P c))))"]
    found = evaluate(chomsky, chomsky)
    both = "gold has S|<VP-PP> (1 of 5 first brackets), the system has S|<VP-PP> (1 of 5 first brackets); "
    assert found.warnings[-1].startswith(both)
    # The advice of the warning works.
    assert not any("binarised" in text for text in evaluate(chomsky, chomsky, binarised="undo").warnings)
    for mark in ("NP*", "NP'", "NP~", "NULL"):
        flat = ["(S (NP (D a) (J b) (N c)) (VP (V d)))"]
        found = evaluate(flat, [flat[0].replace("(J b) (N c)", f"({mark} (J b) (N c))")])
        (text,) = [text for text in found.warnings if "binarised" in text]
        assert text.startswith(f"the system alone has {mark} (1 of 4 first brackets); it looks binarised")
    tagged = "(S (NP (N a)) (VP (V b) (NP (N c))))"
    collapsed = tagged.replace("(NP (N c))", "(NP+N c)")
    (text,) = [text for text in evaluate([tagged], [collapsed]).warnings if "collapsed" in text]
    assert text.startswith("the system alone has NP+N (1 of 3 first tags); they look like collapsed chains")
    assert evaluate([tagged], [collapsed], chains="split").f1 == 1
    # A tag of tags is that of a word of several morphemes.
    morphemes = "(S (NP (NP a) (N b)) (VP (V c)))"
    assert not evaluate([morphemes], ["(S (NP (NP+N ab)) (VP (V c)))"]).warnings
    induced = "(NT-1 (NT-2 (N a) (N b)) (N c))"
    (text,) = [text for text in evaluate([tagged], [induced]).warnings if "are cut to" in text]
    assert text.startswith("the system alone has NT-1, NT-2 (2 of 2 first brackets); all are cut to 'NT', so")
    assert not evaluate([tagged], [induced], unlabeled=True).warnings
    assert not any("binarised" in text for text in evaluate(other, other).warnings)
