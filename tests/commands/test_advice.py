"""Messages that advise an option: the call with that option works, and the message is gone."""

from __future__ import annotations

import json
import re
import shlex

import pytest

import jpevalb
from jpevalb import cli
from jpevalb.commands import arguments, as_options, average
from tests.support.files import write_files

TREE = "(S (NP (DT the) (NN cat)) (VP (VBD sat)))\n"
OTHER = "(S (NP (DT the) (NN dog)) (VP (VBD sat)))\n"
LATIN = "(S (NP (NN café)) (VP (VBD sat)))\n"
EXPORT = """\
#FORMAT 3
#BOS ID
the\tDT\t--\t--\t500
cat\tNN\t--\t--\t500
#500\tS\t--\t--\t0
#EOS ID
"""
FILES = {
    "gold": TREE * 2,
    "sys": TREE * 2,
    "unclosed": TREE + "(S (NN a)\n",
    "other": OTHER * 2,
    "plain": "the cat sat\n",
    "answers.jsonl": '{"text": "(S (NP (DT the) (NN cat)) (VP (VBD sat)))"}\n' * 2,
    "bare": "(S (NP the cat) (VP sat) .)\n",
    "marked": "(S_X (NP_Y (DT the) (NN cat)) (VP_Z (VBD sat)))\n" * 2,
    "rules.prm": "DELETE_LABEL TOP\n",
    "ids.export": EXPORT.replace("ID", "a"),
    "ids2.export": EXPORT.replace("ID", "b"),
    "trace": "(S (NP (DT the) (NN cat)) (VP (VBD sat) (NP (-NONE- *))))\n" * 2,
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    write_files(tmp_path, FILES)
    (tmp_path / "latin").write_bytes(LATIN.encode("latin-1"))
    (tmp_path / "utf8").write_text(LATIN, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("call", "advice"),
    [
        ("gold unclosed", "--on-error skip"),
        ("utf8 latin", "--sys-encoding latin-1"),
        ("latin utf8", "--gold-encoding latin-1"),
        ("gold other --convention discontinuous", "--on-error skip"),
        ("gold other --convention discontinuous", "--convention 'discontinuous compare:number'"),
        ("gold other --convention discontinuous", "--pair align"),
        ("ids.export ids2.export", "--pair order"),
        ("bare bare", "--tags yes"),
        ("gold marked", "--convention 'jpevalb cut-at:_'"),
        ("gold trace", "--traces keep"),
        ("gold sys --json", "--as json"),
        ("gold sys --csv", "--as csv"),
        ("gold sys --html", "--out report.html"),
        ("gold sys -q", "--quiet"),
        ("gold sys -v", "--verbose"),
        ("gold sys --labeled", "--unlabeled"),
        ("gold sys --format json", "--as json"),
        ("gold sys rules.prm", "--prm rules.prm"),
        ("gold sys --details", "--as json"),
        ("gold sys sys --lang xx", "--exceptions FILE"),
        ("gold answers.jsonl", "--field text"),
    ],
)
def test_advice_helps(call, advice, folder, capfd):
    status = cli.main(call.split())
    err = capfd.readouterr().err
    option = advice.split()[0]
    assert option in err, err
    words = [
        word for word in call.split() if word not in ("--json", "--csv", "--html", "-q", "-v", "--labeled")
    ]
    if option == "--exceptions":
        (folder / "FILE").write_text("cannot\tcan not\n")
        words = words[:-2]
    if "rules.prm" in words:
        words.remove("rules.prm")
    if "--format json" in call:
        words = words[:-2]
    if "html" not in advice or option == "--out":
        assert advice in err
    assert cli.main([*words, *shlex.split(advice)]) == 0
    again = capfd.readouterr().err
    assert err not in again
    # Status 0 with the message is a warning, and without it nothing.
    assert status in (0, 1, 2)
    assert err.count("\n") == 1


WRONG = {
    "gold sys --output r.html": ("to write it to a file give -o r.html", "gold sys -o r.html"),
    "gold sys -cutoff 40": (
        "write -c N with -evalb or -p, or --cutoff without them",
        "gold sys -evalb -c 40",
    ),
    "gold sys --fail-under 90%": ("expected a number such as 92.5", "gold sys --fail-under 90"),
    "gold sys --fail-under 0": ("0 is not above 1 and up to 100", "gold sys --fail-under 2"),
    "gold sys --max-drop 1 --baseline b.json": (
        "write it with --as json --quiet -o b.json",
        "gold sys --as json --quiet -o b.json",
    ),
    "gold sys --lang korean": ("did you mean ko?", "gold sys --lang ko"),
    "gold nested.jsonl": ("set --field reply.0.text", "gold nested.jsonl --field reply.0.text"),
    "gold nested.jsonl --field reply": (
        "got a list in the field 'reply'; expected a text; set --field reply.0.text",
        "gold nested.jsonl --field reply.0.text",
    ),
    "-p": ("-p without a value; write -p PRM GOLD SYSTEM", "-p COLLINS.prm gold sys"),
    "gold -evalb": ("one file name; expected two: GOLD SYSTEM", "gold sys -evalb"),
    "gold empty": ("no sentence of the system, so there is nothing to score", ""),
    "empty gold": ("no sentence of gold has words, so there is nothing to score", ""),
    "gold sys --convention 'jpevalb only-tags:NN'": (
        "rule only-tags needs words that are compared in order; give --convention",
        "gold sys --convention 'discontinuous only-tags:NN'",
    ),
    "gold sys --convention 'supar root-children:x'": (
        "rule root-children of a convention: 'x'; expected one of all, first",
        "gold sys --convention 'supar root-children:first'",
    ),
    "gold sys --convention 'supar whole:all'": (
        "expected one of keep, drop-all, drop-gold, drop-root",
        "gold sys --convention 'supar whole:drop-all'",
    ),
    "gold sys --convention 'supar compare:aligned'": (
        "only jpevalb aligns words; leave out compare:aligned",
        "gold sys --convention supar",
    ),
    "gold sys --lang de --convention supar": (
        "no effect with identical words; it needs aligned words or",
        "gold sys --convention supar",
    ),
    "dot dot --convention stanza": (
        "1 of 1 sentences have no parse or no word that counts, so there is no figure",
        "dot dot",
    ),
    "gold sys --metrics brackets tags": ("give --metrics brackets,tags", "gold sys --metrics brackets,tags"),
    "gold sys --cutoff 10 20": ("give --cutoff 10,20", "gold sys --cutoff 10,20"),
    "gold sys --punctuation . ,": ("give --punctuation '. ,'", "gold sys --punctuation '. ,'"),
    "gold sys --convention supar least:2": (
        "give --convention 'supar least:2'",
        "gold sys --convention 'supar least:2'",
    ),
    "gold sys --unlabeled 1": ("unexpected word '1'; leave it out", "gold sys --unlabeled"),
    "gold sys --quiet sys": ("or give all files together", "gold sys sys --quiet"),
    "gold sys --mode discontinuous": (
        "give --convention discontinuous",
        "gold sys --convention discontinuous",
    ),
    "gold sys sys --names a": (
        "got 1 different name for 2 systems; give one for each",
        "gold sys sys --names a,b",
    ),
    "gold sys -evalb --score-only f2": (
        "no figure 'f2' in this run; it has precision, ",
        "gold sys -evalb --score-only f1",
    ),
}


@pytest.mark.parametrize("call", WRONG)
def test_a_wrong_call_has_one_line_and_its_advice_runs(call, folder, capfd):
    (folder / "nested.jsonl").write_text(json.dumps({"reply": [{"text": TREE}]}) + "\n")
    (folder / "empty").write_text("")
    (folder / "dot").write_text("(S (. .))\n")
    message, right = WRONG[call]
    assert cli.main(shlex.split(call)) in (1, 2)
    out, err = capfd.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert message in err
    if right:
        assert cli.main(shlex.split(right)) == 0


def test_words_that_differ_are_not_to_be_aligned_by_another_comparison(folder, capfd):
    call = ["gold", "longer", "--convention", "discontinuous compare:number"]
    (folder / "longer").write_text("(S (NN a) (NN b))\n" * 2)
    assert cli.main(call) == 1
    assert "--pair align" not in capfd.readouterr().err


def test_files_without_trees_are_not_compared_with_evalb(folder, capfd):
    (folder / "words").write_text("the cat sat\n" * 2)
    assert cli.main(["gold", "words", "--sys-format", "text"]) == 0
    assert "-evalb" not in capfd.readouterr().out


def test_legacy_mode_is_asked_for_by_its_name(folder, capfd):
    assert cli.main(["gold", "sys", "--legacy"]) == 2
    assert capfd.readouterr().err == "jpevalb: unknown option --legacy; for evalb's report give -evalb\n"
    assert cli.main(["gold", "sys", "-evalb"]) == 0


@pytest.mark.parametrize(
    ("option", "advice"),
    [
        ("--cut-at _", "--convention 'jpevalb cut-at:_'"),
        ("--discontinuous", "--convention discontinuous"),
        ("--least=2", "--convention 'discontinuous least:2'"),
        ("--least 2 --convention supar", "--convention 'supar least:2'"),
        ("--whole=drop-all", "--convention 'discontinuous whole:drop-all'"),
        ("--repeats=once", "--convention 'discontinuous repeats:once'"),
        ("--only-tags=NN", "--convention 'discontinuous only-tags:NN'"),
        ("--compare=number", "--convention 'discontinuous compare:number'"),
        ("--least-words=3", "--convention 'discontinuous words:3|'"),
        ("--most-words=40", "--convention 'discontinuous words:0|40'"),
        ("--exclude-trivial", "--convention 'discontinuous least:2 whole:drop-all'"),
        ("--max-fanout=2", "--convention 'discontinuous most-gaps:1'"),
        ("--score", "--score-only"),
        ("--align-ratio=0.1", "jpevalb.evaluate(GOLD, SYSTEM, align_ratio=0.1)"),
        ("--align-ratio=x", "jpevalb.evaluate(GOLD, SYSTEM, align_ratio='x')"),
        ("--unlike=alone", "jpevalb.evaluate(GOLD, SYSTEM, unlike='alone')"),
        ("--gold-tags=none", "jpevalb.evaluate(GOLD, SYSTEM, gold_tags='none')"),
    ],
)
def test_an_option_that_is_gone_has_another_spelling(option, advice, folder, capfd):
    files = ["gold", "sys"]
    assert cli.main([*files, *option.split()]) == 2
    err = capfd.readouterr().err
    assert err.startswith(f"jpevalb: unknown option {option.split('=')[0].split()[0]}; ")
    assert err.count("\n") == 1
    assert advice in err
    if "x" not in option.partition("=")[2]:
        if advice.startswith("--"):
            assert cli.main([*files, *shlex.split(advice)]) == 0
        else:
            result = jpevalb.evaluate(*files)
            eval(advice, {"jpevalb": jpevalb, "result": result, "GOLD": "gold", "SYSTEM": "sys"})


@pytest.mark.parametrize(
    ("call", "message", "better"),
    [
        (
            "rules.prm gold sys",
            "rules.prm is a parameter file, not a file of trees; give it with",
            "--prm rules.prm",
        ),
        ("gold sys -o", "--out needs a value; write --out=VALUE if it begins with -", "-o -"),
        ("gold sys --quiet=1", "--quiet takes no value; leave the value out", "--quiet"),
        ("gold sys --fail-under struct_iou=80", "at most 1; give a share", "--fail-under struct_iou=0.8"),
        ("gold sys --max-error 9", "give -evalb -e N", "-evalb -e 9"),
        (
            "gold sys -evalb --view 1",
            "--view' of evalb; for the same F1 write",
            "--convention evalb --view 1",
        ),
        ("gold sys -evalb --prm rules.prm", "'--prm' of evalb; write", "-evalb rules.prm"),
        ("gold sys -evalb --metrics siou", "'--metrics' of evalb; leave out -evalb for", "--metrics siou"),
        ("gold sys --drop-subtrees -DFL-", "'--drop-subtrees' of evalb; write", "--drop-subtrees=-DFL-"),
        ("gold sys -c 10", "unknown option -c; for evalb's report give -evalb -c N, ", "-evalb -c 10"),
        ("gold sys -evalb sys", "sys: trees, not a parameter file; name the systems before", "sys -evalb"),
    ],
)
def test_a_wrong_call_is_one_line_and_its_advice_runs(call, message, better, folder, capfd):
    assert cli.main(call.split()) == 2
    out, err = capfd.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert message in err
    assert cli.main(["gold", "sys", *better.split()]) == 0


def test_topics_of_the_help(folder, capfd):
    said = "--help metrics: no such topic; give --help"
    assert cli.main(["--help", "metrics"]) == 2
    assert capfd.readouterr() == ("", f"jpevalb: {said}, --help all or --help rules\n")
    assert average.main(["--help", "metrics"]) == 2
    assert capfd.readouterr() == ("", f"jpevalb-average: {said} or --help all\n")


@pytest.mark.parametrize("option", [["-p", "rules.prm"], ["-evalb", "rules.prm"]])
def test_legacy_mode_reads_brackets_only(option, folder, capfd):
    assert cli.main(["ids.export", "ids.export", *option]) == 2
    out, err = capfd.readouterr()
    assert (out, err) == (
        "",
        "jpevalb: ids.export: evalb reads bracket trees only; for other formats leave out -p and "
        "-evalb, and give the parameter file with --prm\n",
    )
    assert cli.main(["ids.export", "ids.export", "--prm", "rules.prm"]) == 0


@pytest.mark.parametrize("side", ["gold", "system"])
def test_a_file_that_is_no_treebank_has_no_advice_to_skip_it(side, folder, capfd):
    files = ["plain", "gold"] if side == "gold" else ["gold", "plain"]
    assert cli.main(files) == 1
    assert capfd.readouterr().err == (
        "jpevalb: plain:1:1: 'the' outside a tree; expected '('; if it is plain text, "
        f"give --{'gold' if side == 'gold' else 'sys'}-format text\n"
    )
    with pytest.raises(jpevalb.TreeError, match=r"give (gold|sys)_format='text'$"):
        jpevalb.evaluate(*files)


def test_the_library_spells_options_as_arguments(folder):
    with pytest.raises(jpevalb.TreeError) as caught:
        jpevalb.evaluate("gold", "unclosed")
    assert str(caught.value).endswith("; use on_error='skip' to skip such sentences")
    assert "--" not in str(caught.value)
    with pytest.raises(
        jpevalb.TreeError, match=r"^system sentence 1: the tree that begins here is not closed"
    ):
        jpevalb.evaluate([TREE], ["(S (NN a)"])
    with pytest.raises(jpevalb.TreeError, match=r"^gold sentence 2: "):
        jpevalb.evaluate([TREE, "(S (NN a)"], [TREE] * 2)


def test_no_message_begins_with_found():
    """A message begins with what is wrong, not with the word that every message had."""
    from pathlib import Path

    package = Path(jpevalb.__file__).parent
    pattern = re.compile(r"""(?:Error|problem|message)\(?\s*=?\s*f?["']found """)
    assert [
        path.name for path in package.rglob("*.py") if pattern.search(path.read_text(encoding="utf-8"))
    ] == []


def test_spelling():
    assert as_options("use lang='fr'") == "use --lang fr"
    assert as_options("prm='a b' or prm='_'") == "--prm 'a b' or --prm _"
    assert as_options("keep=True and unlabeled=True") == "keep=True and --unlabeled"
    for same in ("a/gold_format.mrg: bad", "'gold_format' is a word", "f1=0.5", "tag_accuracy of a"):
        assert as_options(same) == same


def test_kernels_that_are_not_compiled_are_announced_once(folder, monkeypatch, capfd):
    monkeypatch.delenv("JPEVALB_PURE", raising=False)
    monkeypatch.setattr("jpevalb.kernels.implementation", lambda: "interpreted")
    assert cli.main(["gold", "sys", "--score-only"]) == 0
    out, err = capfd.readouterr()
    assert out == "100.00\n"
    assert err == (
        "jpevalb: the kernels are not compiled, so a run takes about ten times as long; install a C "
        "compiler, then jpevalb again (JPEVALB_PURE=1 silences this warning)\n"
    )
    monkeypatch.setenv("JPEVALB_PURE", "1")
    assert cli.main(["gold", "sys", "--score-only"]) == 0
    assert capfd.readouterr().err == ""


def test_what_is_meant_names_options_that_exist():
    from jpevalb.commands.options import parser

    known = {option for action in parser()._actions for option in action.option_strings}
    for text in arguments.MEANT.values():
        assert set(re.findall(r"(?<=\s)--?[a-z][a-z-]*", text)) - {"-o", "-oe", "-W"} <= known, text
