"""The text of the HTML report: complete contents, and user text escaped."""

from __future__ import annotations

import html
import itertools
import json
import re
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jinja2 import UndefinedError

from jpevalb import compare, evaluate
from jpevalb.cli import main
from jpevalb.errors.causes import CAUSES, load_classes
from jpevalb.errors.metric import repair_codes
from jpevalb.report import render, write_report
from jpevalb.report.findings import Findings
from jpevalb.report.html_data import (
    GOLD_UNPARSED,
    OTHER_WORDS,
    RESEGMENTED,
    SYSTEM_UNPARSED,
    UNALIGNED,
    Row,
    groups_data,
    row_of,
    script_json,
    sentences_data,
    tree_text,
)
from jpevalb.report.page import environment, visible
from jpevalb.score.run import Run
from jpevalb.score.sentence import SentenceResult
from jpevalb.score.signature import signature_of
from jpevalb.settings.params import Params
from jpevalb.settings.settings import Settings
from jpevalb.trees.tree import Tree
from tests.support.commands import jpevalb
from tests.support.files import write_files
from tests.support.kernels import load_kernel
from tests.support.random_trees import trees
from tests.support.report_pages import (
    GOLD,
    HOSTILE,
    SYSTEM,
    Page,
    assets_of,
    hostile_trees,
    html_report,
    made_page,
    page_data,
    row_dict,
    treebank_pair,
    words_of,
)


@pytest.fixture(scope="module")
def made():
    return made_page()


@pytest.fixture(scope="module")
def small():
    return html_report(evaluate(GOLD, SYSTEM), gold_name="gold.mrg", system_name="sys.mrg")


# -- the page -------------------------------------------------------------------


def test_one_file_without_a_network(made):
    page = Page(made)
    for tag, attributes in page.elements:
        for name in ("src", "srcset", "data", "action", "poster", "background"):
            assert name not in attributes, (tag, attributes)
        for name in ("href", "xlink:href"):
            assert re.match(r"#|data:image/svg\+xml,", attributes.get(name) or "#"), (tag, attributes)
        assert not [name for name in attributes if name.startswith("on")]
        assert "style" not in attributes, "the policy forbids style attributes"
    assert "@import" not in made
    assert not re.search(r"url\(", made)


def test_policy_names_the_script_and_the_style(made):
    policy = Page(made).named("meta")[1]
    assert policy["http-equiv"] == "Content-Security-Policy"
    rules = dict(rule.split(" ", 1) for rule in policy["content"].split("; "))
    assert rules["default-src"] == "'none'"
    assert (rules["base-uri"], rules["form-action"]) == ("'none'", "'none'")
    assert re.fullmatch("'sha256-[^' ]+'", rules["script-src"])
    assert re.fullmatch("'sha256-[^' ]+'", rules["style-src"])
    # The digests are compared with the contents.
    assets_of(made)


def test_ids_are_unique_and_references_lead_somewhere(made):
    page = Page(made)
    ids = [attributes["id"] for _, attributes in page.elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    for _, attributes in page.elements:
        for name in ("aria-labelledby", "aria-describedby", "for"):
            for target in (attributes.get(name) or "").split():
                assert target in ids
        href = attributes.get("href") or ""
        if href.startswith("#") and not href.startswith("#sentence-"):
            assert href[1:] in ids


def test_tables_have_captions_and_headers_with_scope(made):
    page = Page(made)
    assert len(page.named("table")) == len(page.named("caption")) == 11
    assert all(th.get("scope") in ("col", "row") for th in page.named("th"))
    assert page.named("html")[0]["lang"] == "en"
    assert len(page.named("h1")) == len(page.named("main")) == 1


def test_groups_of_buttons_exist(made):
    data = page_data(made)
    asked = [attributes["data-group"] for _, attributes in Page(made).elements if "data-group" in attributes]
    assert set(asked) == set(data["groups"])


def test_the_same_page_for_the_same_evaluation():
    assert html_report(evaluate(GOLD, SYSTEM)) == html_report(evaluate(GOLD, SYSTEM))


def test_figures(small):
    evaluation = evaluate(GOLD, SYSTEM)
    text = Page(small).text
    brackets = evaluation.total.brackets
    assert f"sys scores F1 {100 * brackets.f1:.2f}; no cause stands out" in text
    assert f"Recall {100 * brackets.recall:.2f}" in text
    assert f"Struct-IoU, sentence mean {100 * evaluation.total['siou'].mean:.2f}" in text
    assert f"Tree node accuracy {100 * evaluation.total['nodes'].nodes.accuracy:.2f}" in text
    assert f"Crossing per sentence {brackets.average_crossing:.2f}" in text
    assert "sys has no parse for 1 sentence : 4 gold brackets are missed." in text
    assert "sys.mrg against gold.mrg" in text
    assert signature_of(evaluation.settings) in text


def test_errors_are_in_the_tables(small):
    text = Page(small).text
    assert "NP ADVP 1" in text
    assert "ADVP NP 1" in text
    assert "1, show 1 sentence: NP taken for ADVP" in text
    assert "1, show 1 sentence: NN tagged RB" in text
    assert "1, show 1 sentence: ca n't ~ cannot" in text
    assert "show 2 sentences: PP attachment" in text


def test_figures_of_too_few_sentences_do_not_shift():
    # No sentence is within the cut-off, so no figure of it is defined.
    evaluation = evaluate(GOLD[:1], SYSTEM[:1], cutoff=1)
    rows = re.findall(
        r'<th scope="row">([^<]*)</th><td class="number">([^<]*)</td><td class="number nil">([^<]*)</td>',
        html_report(evaluation),
    )
    table = {name: (all_, short) for name, all_, short in rows}
    assert table["Sentences"] == ("1", "0")
    assert table["Recall"][1] == table["Struct-IoU, corpus"][1] == table["Crossing per sentence"][1] == "–"


def test_an_accuracy_below_zero_has_no_bar():
    evaluation = evaluate(["(S (NP (N a) (N b)) (V c))"], ["(X (Y (A d) (B e) (C f) (D g)) (E h) (F i))"])
    assert evaluation.total["nodes"].nodes.accuracy < 0
    text = html_report(evaluation)
    shown = f"{100 * evaluation.total['nodes'].nodes.accuracy:.2f}".replace("-", "−")
    assert shown in Page(text).text
    widths = [float(rect["width"]) for rect in Page(text).named("rect") if rect.get("class") == "fill"]
    assert min(widths) == 0.0


def test_quiet_skips_the_sentences_and_mentions_it():
    text = render(evaluate(GOLD, SYSTEM), "html", quiet=True)
    assert "made without the sentences" in Page(text).text
    assert page_data(text)["rows"] == []
    assert page_data(text)["groups"] == {}
    assert "dogs" not in text


def test_an_evaluation_without_sentences_mentions_it():
    run = Run(GOLD, SYSTEM, Settings())
    for _ in run:
        pass
    text = html_report(run.evaluation())
    assert "did not keep its sentences" in Page(text).text
    assert f"{100 * run.evaluation().total.brackets.f1:.2f}" in text
    assert page_data(text)["rows"] == []


@pytest.mark.parametrize(
    ("gold", "system"),
    [([], []), (["(TOP (T a))"], ["(TOP (T a))"]), (["(S (T a))"], []), ([], ["(S (T a))"]), ([""], [""])],
)
def test_empty_cases(gold, system):
    page = Page(html_report(evaluate(gold, system)))
    assert len(page.named("main")) == 1


def test_unparsed_sentences_are_named():
    evaluation = evaluate(["(S (T a))", "(S (T b))"], ["(S (T a))", "(S (T <b>)"], on_error="skip")
    text = html_report(evaluation)
    assert "1 could not be read" in Page(text).text
    row = page_data(text)["rows"][1]
    assert row["flags"] & 4
    assert len(row["notes"]) == 1
    assert row["notes"][0].startswith("system sentence 2: ")


def test_long_lists_say_how_long_they_are():
    gold = [f"(S (X{i} (T a)) (T b))" for i in range(40)]
    system = [f"(S (Y{i} (T a)) (T b))" for i in range(40)]
    assert "The 30 most frequent of 40." in Page(html_report(evaluate(gold, system))).text


def test_size():
    # 2,416 sentences may take 10 MB; the page without any is a tenth of one.
    empty = len(html_report(evaluate([], [])).encode())
    assert empty < 200_000
    made = len(made_page(240).encode())
    assert empty + (made - empty) * 2416 / 240 < 3_000_000


def test_a_template_escapes_all_but_its_own_markup():
    template = environment().from_string("""\
{# Not in the page: {{ number }} #}
{% macro heading() %}
<b>{{ name }}</b>
  {% for item in [1, "'\x00"] %}
  {% if not loop.first %}{{ item }};{% elif name %}{{ loop.index0 }} {% else %}no{% endif %}
  {% endfor %}
{% endmacro %}
<p>{{ heading() }}</p>{{ thousands(number) }}
""")
    assert template.render(name="<&>", number=1234) == "<p><b>&lt;&amp;&gt;</b>\n0 &#39;\\x00;</p>1,234"


def test_a_name_that_a_template_lacks_is_an_error():
    with pytest.raises(UndefinedError, match="'nothing' is undefined"):
        environment().from_string("{{ nothing }}").render()


# -- text that is no markup --------------------------------------------------------


def test_hostile_words_and_labels_and_names():
    gold = hostile_trees(HOSTILE, HOSTILE)
    system = hostile_trees(HOSTILE[1:] + HOSTILE[:1], HOSTILE)
    name = "<script>alert('name')</script>\x00\udc80&amp;"
    text = html_report(evaluate(gold, system), gold_name=name, system_name=name)
    text.encode("utf-8")
    assert "\x00" not in text
    page = Page(text)
    assert page.comments == []
    assert [attributes.get("type") for attributes in page.named("script")] == ["application/json", None]
    assert "img" not in [tag for tag, _ in page.elements]
    assert visible(name) in page.texts["title"][0]
    for label in HOSTILE:
        if label.split("-")[0].split("=")[0]:
            assert visible(re.split("[-=]", label)[0]) in page.text
    data = page_data(text)
    assert [words_of(row, "gold") for row in data["rows"]] == [HOSTILE] * len(gold)
    assert set(HOSTILE) <= set(data["labels"])


@given(st.text(), st.dictionaries(st.text(), st.text()))
def test_script_json_is_json_and_no_markup(text, table):
    content = [text, table, "\ud800", "\x00", "\x9b31m\u202e"]
    written = script_json(content)
    assert json.loads(written) == content
    assert not re.search("[<>&\u2028\u2029\x00\x80-\x9f\u202e]", written)
    written.encode("utf-8")


# -- the data -----------------------------------------------------------------------


def tree_of(text, words, labels):
    """Reads a ``tree_text`` back, in another way than the page does."""
    names, marks, parents, word_parents = [], [], [], [-1] * len(words)
    node, following = -1, 0
    pattern = r"(\))|\((\d+)([-=+*#~]?)_?|(?:(\d+)([-=+*#~]?))?(?::(\d+))?\."
    for closed, opened, mark, tag, tag_mark, place in re.findall(pattern, text):
        if closed:
            node = parents[node]
            continue
        above = node
        if opened or tag:
            parents.append(node)
            above = len(names)
            names.append(labels[int(opened or tag)])
            marks.append(mark or tag_mark)
        if opened:
            node = above
        else:
            following = int(place) if place else following
            word_parents[following] = above
            following += 1
    return names, marks, parents, word_parents


@pytest.mark.parametrize("kind", ["compiled", "interpreted"])
@given(trees(tagged=False), st.data())
@settings(max_examples=60)
def test_trees_come_back(kind, tree, data):
    columns = load_kernel("columns", kind)
    marks = data.draw(st.dictionaries(st.sampled_from(range(len(tree))), st.sampled_from("=-+*#~")))
    numbers = {"unused": "0"}
    of_nodes = "".join([marks.get(node, " ") for node in range(len(tree))])
    fields = tuple([getattr(tree, name) for name in Tree.__match_args__[:6]])
    made = columns.of_nodes(columns.Names(), fields, data.draw(st.booleans()))
    text = columns.compact_text(made, of_nodes, numbers)
    names, found, parents, word_parents = tree_of(text, tree.words, list(numbers))
    assert tuple(names) == tree.labels
    assert tuple(parents) == tree.parents
    assert tuple(word_parents) == tree.word_parents
    assert {node: mark for node, mark in enumerate(found) if mark} == marks


def text_of(tree, marks, numbers):
    return tree_text(tree.columns, "".join([marks.get(node, " ") for node in range(len(tree))]), numbers)


def test_a_tree_of_any_depth():
    depth = 50_000
    tree = Tree.parse("(X " * depth + "(T a)" + ")" * depth)
    assert text_of(tree, {}, {}) == "(0_" * depth + "1." + ")" * depth


def test_a_word_has_a_number_where_it_does_not_follow_the_one_before():
    assert text_of(Tree.parse("(S (A a) b (C c))"), {}, {}) == "(0_1..2.)"
    gap = Tree.build(["S", "X", "Y"], [-1, 0, 0], ["a", "b", "c"], [1, 2, 1])
    assert text_of(gap, {1: "+"}, {"S": "0"}) == "(0_(1+.:2.)2:1.)"


def test_nodes_without_words_keep_their_number():
    tree = Tree.parse("(S (A) (B (T a)) (C) c (D))")
    numbers = {}
    names, _, parents, _ = tree_of(text_of(tree, {}, numbers), tree.words, list(numbers))
    assert (tuple(names), tuple(parents)) == (tree.labels, tree.parents)


def rows_of(gold, system, **options):
    return page_data(html_report(evaluate(gold, system, **options)))


def test_marks_and_words(small):
    data = page_data(small)
    assert [row["number"] for row in data["rows"]] == [1, 2, 3, 4, 5, 6]
    row = data["rows"][0]
    names, marks, _, _ = tree_of(row["goldTree"], words_of(row, "gold"), data["labels"])
    assert [name for name, mark in zip(names, marks) if mark == "-"] == ["NP", "NP"]
    assert [name for name, mark in zip(names, marks) if mark == "~"] == ["NN"]
    names, marks, _, _ = tree_of(row["systemTree"], words_of(row, "system"), data["labels"])
    assert [name for name, mark in zip(names, marks) if mark == "+"] == ["ADVP"]
    assert [name for name, mark in zip(names, marks) if mark == "*"] == ["VP"]
    assert [name for name, mark in zip(names, marks) if mark == "~"] == ["RB"]
    assert (row["gold"], row["system"], row["matched"], row["crossing"]) == (7, 7, 5, 1)
    assert data["rows"][1]["systemTree"] == data["rows"][1]["systemWords"] == 0
    assert data["rows"][2]["units"] == [1, 1, 2, 1, 1, 1, 1, 1]
    assert [row["flags"] for row in data["rows"]] == [0, 0, 64, 4, 72, 8]


def test_equal_tags_are_no_other_tags():
    params = Params(eq_labels=(("NN", "NNP"),))
    gold, system = ["(S (NN a) (VB b))"], ["(S (NNP a) (NN b))"]
    row = rows_of(gold, system, prm=params)["rows"][0]
    assert (row["goldTree"].count("~"), row["systemTree"].count("~")) == (1, 1)
    assert rows_of(gold, system)["rows"][0]["goldTree"].count("~") == 2


def test_counts_in_the_rows_add_up(made):
    gold_total = sum(row["gold"] for row in page_data(made)["rows"])
    for row in page_data(made)["rows"]:
        system = row["systemTree"] or row["goldTree"]
        signs = {
            side: {sign: text.count(sign) for sign in "=-+*#"}
            for side, text in (("g", row["goldTree"]), ("s", system))
        }
        assert signs["g"]["="] == signs["s"]["="] + signs["s"]["#"] == row["matched"]
        assert signs["g"]["="] + signs["g"]["-"] == row["gold"]
        assert sum(signs["s"].values()) == row["system"]
        assert signs["s"]["*"] + signs["s"]["#"] == row["crossing"]
    assert f"{gold_total:,} gold brackets" in Page(made).text


def unrolled(runs):
    return [(g + k, s + k) for g, s, n in zip(runs[::3], runs[1::3], runs[2::3]) for k in range(n)]


def test_pairs_are_those_of_struct_iou():
    evaluation = evaluate(GOLD, SYSTEM)
    metric = next(metric for metric in evaluation.metrics if metric.name == "siou")
    rows = page_data(html_report(evaluation))["rows"]
    for row, sentence in zip(rows, evaluation.sentences, strict=True):
        assert unrolled(row["pairs"]) == list(metric.mapping(sentence.pair).pairs)
    # Nodes that do not match may be aligned all the same.
    row = rows_of(["(S (A a) (B bcd))"], ["(S (C abcd))"])["rows"][0]
    assert unrolled(row["pairs"]) == [(0, 0), (2, 1)]


def test_pairs_without_struct_iou_are_the_matches():
    gold = ["(S (A (B (T a))) (C (T b) (U c)))"]
    system = ["(S (B (A (T a))) (C (T b) (U c)))"]
    row = rows_of(gold, gold, metrics=("brackets",))["rows"][0]
    assert row["pairs"] == 0
    # The k-th match of one side is not that of the other, so all pairs are told, tags too.
    row = rows_of(gold, system, metrics=("brackets",))["rows"][0]
    assert unrolled(row["pairs"]) == [(0, 0), (1, 2), (2, 1), (3, 3), (4, 4), (5, 5), (6, 6)]


def quick_rows(gold, system, metrics="brackets", **options):
    """The rows of a page without the page, and its ids."""
    evaluation = evaluate(gold, system, metrics=metrics, **options)
    rows = [row_of(sentence, evaluation.metrics, "") for sentence in evaluation.sentences]
    data = sentences_data(rows, evaluation.metrics)
    return [row_dict(row) for row in data["rows"]], data["ids"]


@pytest.mark.parametrize(
    ("gold", "system", "flags", "units", "pairs"),
    [
        # Words that stand for each other one by one, and words that do not.
        ("(S (A a) (B b))", "(S (A a) (B x))", OTHER_WORDS, 0, 0),
        ("(S (A ab) (B c))", "(S (A a) (A b) (B c))", RESEGMENTED, [1, 2, 1, 1], 0),
        ("(S (A a) (A b) (B c))", "(S (A ab) (B c))", RESEGMENTED, [2, 1, 1, 1], 0),
        # The matches are in the same order, whatever else there is.
        ("(S (A (T a)) (B (T b)))", "(S (X (Y (A (T a)))) (B (T b)))", 0, 0, 0),
        # They are not, and tags count of words that stand alone for each other, where both have one.
        (
            "(S (A (B (T ab) (U cd))) (V e))",
            "(S (B (A (T abc) (U d))) (V e))",
            RESEGMENTED,
            [2, 2, 1, 1],
            [(0, 0), (1, 2), (2, 1), (5, 5)],
        ),
        ("(S (A (B (T a))) b)", "(S (B (A (T a))) (U b))", 0, 0, [(0, 0), (1, 2), (2, 1), (3, 3)]),
    ],
)
def test_units_and_matches_of_a_row(gold, system, flags, units, pairs):
    ((row,), _) = quick_rows([gold], [system], tags="yes")
    assert (row["flags"], row["units"]) == (flags, units)
    assert (unrolled(row["pairs"]) if row["pairs"] else 0) == pairs


def test_rows_of_sentences_that_cannot_be_read():
    trees = ["(S (A a))", "(S", "(S (C c))"], ["(S (A a))", "(S (B b))", "(S"]
    rows, _ = quick_rows(*trees, on_error="skip", pair="order")
    assert [row["flags"] for row in rows] == [0, UNALIGNED | GOLD_UNPARSED, SYSTEM_UNPARSED]
    assert [[note.partition(":")[0] for note in row["notes"]] for row in rows] == [
        [],
        ["gold sentence 2"],
        ["system sentence 3"],
    ]


def test_trees_too_large_to_align_have_their_matches():
    trees = ["(S (A (B (T a))) (T b))"], ["(S (B (A (T a))) (T b))"]
    ((row,), _) = quick_rows(*trees, metrics="brackets,siou", most_memory=1)
    assert unrolled(row["pairs"]) == [(0, 0), (1, 2), (2, 1), (3, 3), (4, 4)]


def test_a_sentence_has_the_id_of_gold_or_else_of_the_system():
    def named(id):
        return Tree.build(["S"], [-1], ["a"], [0], id=id)

    pairs = [("g", "s"), (None, "s"), ("g", None), (None, None)]
    gold, system = zip(*[(named(one), named(other)) for one, other in pairs])
    assert quick_rows(gold, system, pair="order")[1] == {1: "g", 2: "s", 3: "g"}


def test_causes_have_their_nodes():
    result = evaluate(["(S (A (T a)) (T b))"], ["(S (B (T a)) (T b))"], metrics="brackets")
    classes = load_classes(None, lang="en")
    ((cause, step),) = result.sentences[0].caused_steps(classes)
    # What is missed is gold's A, node 1, and B is extra.
    assert repair_codes([(cause, step)] * 2) == ";".join([f"{CAUSES.index(cause)}l-1+1"] * 2)
    gold = "(S (V a) (VP (V b) (NP (N c) (PP (P d) (N e)) (Q q))))"
    system = "(S (V a) (VP (V b) (NP (N c)) (PP (P d) (N e) (Q q))))"
    codes = repair_codes(evaluate([gold], [system], metrics="brackets").sentences[0].caused_steps(classes))
    # A move has the system nodes that move in front: the tag Q, node 9 or so, or the PP above it.
    assert re.fullmatch(r"(\d+[a-z][\d,]*-[\d,]*\+[\d,]*;?)+", codes)
    assert any(re.match(r"\d+m\d", code) for code in codes.split(";"))
    assert script_json("é") == '"é"'


def test_times_leave_the_matches(tmp_path):
    times = tmp_path / "times.ctm"
    times.write_text("u1 1 0.0 0.5 a\nu1 1 0.5 0.5 b\n")
    row = rows_of(["(S (T a) (T b))"], ["(S (T a) (T b))"], gold_times=times, sys_times=times)["rows"][0]
    assert row["pairs"] == 0
    assert row["columns"][0] == 10_000


def test_columns_of_other_metrics():
    data = rows_of(GOLD, SYSTEM)
    evaluation = evaluate(GOLD, SYSTEM)
    assert data["columns"] == [
        {"header": "S-IoU", "percent": False},
        {"header": "NodeAcc", "percent": True},
    ]
    expected = [round(10_000 * sentence.record["siou"].mean) for sentence in evaluation.sentences]
    assert [row["columns"][0] for row in data["rows"]] == expected
    assert rows_of(GOLD, SYSTEM, metrics=("brackets",))["columns"] == []


def test_words_with_blanks_stay_whole():
    tree = hostile_trees(["X"], ["a b", "", "c"])
    (row,), _ = quick_rows(tree, tree)
    assert row["goldWords"] == ["a b", "", "c"]


@given(st.lists(st.integers(1, 10**6), unique=True).map(sorted))
def test_groups_come_back(numbers):
    steps = groups_data({"g": numbers})["g"]
    assert [sum(steps[: k + 1]) for k in range(len(steps))] == numbers


def test_pairs_that_count_up_are_one_run():
    row = rows_of(GOLD[1:2], SYSTEM[1:2])["rows"][0]
    # The root is no node of Struct-IoU.
    assert row["pairs"] == [1, 1, 5]


@pytest.mark.parametrize(
    ("gold", "system", "title"),
    [
        ("gold.mrg", "sys.mrg", "sys.mrg against gold.mrg – jpevalb"),
        ("+gold", "sys", "sys against +gold – jpevalb"),
        ("a/x.mrg", "b/x.mrg", "b/x.mrg against a/x.mrg – jpevalb"),
        ("b/y", "a/x", "x against y – jpevalb"),
        ("<b>.mrg", "sys\t1", "sys\\t1 against <b>.mrg – jpevalb"),
    ],
)
def test_the_command_names_the_files(folder, gold, system, title):
    for name in (gold, system):
        (folder / name).parent.mkdir(exist_ok=True)
    write_files(folder, {gold: "(S (A a))\n", system: "(S (A a))\n"})
    assert main([gold, system, "--output", "html", "--out", "r.html"]) == 0
    page = Page((folder / "r.html").read_text(encoding="utf-8"))
    assert page.texts["title"][0] == title
    _, *names = page.texts["bdi"][:3]  # the first is in the bar at the top
    assert names == title.split(" – ")[0].split(" against ")


def test_the_name_of_standard_input(tmp_path):
    (tmp_path / "gold").write_text("(S (A a))\n")
    done = jpevalb("gold", "-", "--output", "html", cwd=tmp_path, stdin=b"(S (A a))\n")
    assert "<title>standard input against gold – jpevalb</title>" in done.stdout.decode()


# -- the worst sentences ---------------------------------------------------------------


def test_a_page_lists_the_worst_sentences_and_counts_all():
    """Of 1, 0, 2, 2 and 1 errors the two worst are 3 and 4, and of equals the first comes first."""
    gold = ["(S (A (T a)) (T b))", "(S (T a) (T b))", *["(S (A (T a)) (T b))"] * 3]
    system = ["(S (T a) (T b))", "(S (T a) (T b))", *["(S (B (T a)) (T b))"] * 2, "(S (T a) (T b))"]
    evaluation = evaluate(gold, system, metrics=("brackets",))
    for worst, numbers in ((2, [3, 4]), (3, [1, 3, 4]), (None, [1, 2, 3, 4, 5]), (9, [1, 2, 3, 4, 5])):
        text = html_report(evaluation, worst=worst)
        data = page_data(text)
        assert ([row["number"] for row in data["rows"]], data["all"]) == (numbers, 5)
        shown = Page(text).text
        # Four gold A are missed whatever is listed, and what is asked for is in the list.
        assert "A 4 0 4" in shown
        assert all(set(itertools.accumulate(steps)) <= set(numbers) for steps in data["groups"].values())
        assert ("sentences with most missed and extra constituents, of 5" in shown) == (len(numbers) < 5)


def found_in(gold, system, worst=None):
    evaluation = evaluate(gold, system, metrics=("brackets",))
    return Findings(evaluation.sentences, evaluation.settings, evaluation.metrics, worst)


def test_confusions_have_the_most_frequent_first_and_each_sentence_once():
    gold = ["(S (A a) (A b))", "(S (A a) (B b))", "(S (A c) (A d))"]
    system = ["(S (X a) (X b))", "(S (A a) (Y b))", "(S (X c) (X d))"]
    found = found_in(gold, system)
    assert [(one.gold, one.system, one.count, tuple(one.sentences)) for one in found.tags] == [
        ("A", "X", 4, (1, 3)),
        ("B", "Y", 1, (2,)),
    ]
    assert (found.words, found.fan_outs, found.seen) == ([], [], 3)


def test_the_worst_sentences_are_kept():
    gold = ["(S (A (T a)) (T b))", "(S (T a) (T b))", *["(S (A (T a)) (T b))"] * 3]
    system = ["(S (T a) (T b))", "(S (T a) (T b))", *["(S (B (T a)) (T b))"] * 2, "(S (T a) (T b))"]
    kept = {worst: found_in(gold, system, worst).shown for worst in (0, 1, 2, 3, 5, None)}
    assert {worst: [row.cells[0] for row in some] for worst, some in kept.items()} == {
        0: [],
        1: [3],
        2: [3, 4],
        3: [1, 3, 4],
        5: [1, 2, 3, 4, 5],
        None: [1, 2, 3, 4, 5],
    }
    rows = [row_dict(row.complete({})) for row in kept[None]]
    assert [row["gold"] + row["system"] - 2 * row["matched"] for row in rows] == [1, 0, 2, 2, 1]


def test_the_page_of_one_system_has_intervals_of_any_confidence(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    gold, system = (
        "(S (A a) (X (B b) (C c)))\n" * 6,
        "(S (A a) (X (B b) (C c)))\n(S (Y (A a) (B b)) (C c))\n" * 3,
    )
    write_files(tmp_path, {"gold": gold.encode(), "sys": system.encode()})
    ends = {}
    for level in ("50 %", "95 %"):
        given = ["--confidence", "0.5"] if level == "50 %" else []
        assert main(["gold", "sys", *given, "-o", "r.html"]) == 0
        text = (tmp_path / "r.html").read_text(encoding="utf-8")
        assert f"the middle {level} of their F1" in text
        ends[level] = re.search(rf"{level} bootstrap interval ([\d.]+) to ([\d.]+), 1,000", text).groups()
    (low, high), (least, most) = [map(float, ends[level]) for level in ("50 %", "95 %")]
    assert least < low < high < most


def test_one_sentence_has_no_interval():
    assert found_in(["(S (A a))"], ["(S (A a))"]).intervals(0.95) == {}
    found = found_in(["(S (A a))"] * 2, ["(S (A a))"] * 2).intervals(0.95)
    keys = ("figure", "f1"), ("length", "1-10"), ("label", "S")
    assert [found[key] for key in keys] == [(1.0, 1.0)] * 3
    assert not [key for key in found if key[0] == "cause"]


def test_the_interval_is_that_of_a_comparison():
    gold, system = treebank_pair(40)
    evaluation = evaluate(gold, system, metrics=("brackets",))
    only = compare(gold, [system], test=None, metrics=("brackets",)).systems[0]
    low, high = only.intervals["f1"]
    assert f"{100 * low:.2f} to {100 * high:.2f}" in Page(html_report(evaluation)).text
    # Nothing can be drawn from one sentence.
    assert "interval" not in Page(html_report(evaluate(gold[:1], system[:1]))).text


def test_the_command_takes_how_many_sentences(folder, capsys):
    write_files(folder, {"gold": GOLD, "system": SYSTEM})
    assert main(["gold", "system", "--output", "html", "--worst", "2", "--out", "r.html"]) == 0
    assert len(page_data(Path("r.html").read_text(encoding="utf-8"))["rows"]) == 2
    assert main(["gold", "system", "--worst", "2"]) == 2
    assert "--worst needs --output html" in capsys.readouterr().err
    assert main(["gold", "system", "--output", "html", "--worst", "0"]) == 2
    assert "expected a whole number from 1, or all" in capsys.readouterr().err


def test_a_page_of_a_run_under_way_holds_the_rows_of_the_worst_sentences_only():
    """Results are gone once they have been counted."""
    import gc

    gold, system = treebank_pair(60)
    run = Run(gold, system, Settings(metrics=("brackets",)))
    most = {SentenceResult: 0, Row: 0}

    def follow(results):
        for result in results:
            yield result
            gc.collect()
            for kind, count in Counter(map(type, gc.get_objects())).items():
                if kind in most:
                    most[kind] = max(most[kind], count)

    pieces = []
    # What was there before is not looked through again and again.
    gc.collect()
    gc.freeze()
    try:
        write_report(run, "html", pieces.append, follow=follow, worst=5)
    finally:
        gc.unfreeze()
    assert most[SentenceResult] <= 3
    assert most[Row] == 5
    assert "".join(pieces) == html_report(evaluate(gold, system, metrics=("brackets",)), worst=5)


# -- the alignment ----------------------------------------------------------------------


def test_the_alignment_has_a_card_where_anything_differs():
    """By hand: two gold sentences in one, a word cut in two, a word changed."""
    gold = ["(S (A a) (B b))", "(S (C c) (D d))", "(S (E efg))", "(S (F same) (G other))"]
    system = ["(S (S (A a) (B b)) (S (C c) (D d)))", "(S (E ef) (E g))", "(S (F same) (G another))"]
    page = Page(html_report(evaluate(gold, system, metrics=("brackets",))))
    text = page.text
    assert "4 gold and 3 system sentences" in text
    assert "1:1 2 2, show 2 sentences: beads 1:1 100.00 100.00 100.00" in text
    assert "n:1 1 1, show 1 sentence: beads n:1 100.00 66.67 80.00" in text
    assert "4 gold and 3 system sentences make 3 beads" in text
    assert "Units: 5 alike, 1 changed, 1 re-segmented" in text
    assert "1, show 1 sentence: efg ~ ef g" in text
    assert "1, show 1 sentence: other ~ another" in text
    # Each count stands there once.
    assert text.count("1 re-segmented") == 1
    assert "Units changed" not in text
    same = Page(html_report(evaluate(gold, gold, metrics=("brackets",))))
    assert "Words that differ" not in same.text


def test_a_run_without_errors_and_one_without_sentences_are_right_pages():
    same = Page(html_report(evaluate(GOLD[:3], GOLD[:3]))).text
    assert "Nothing to repair: every bracket is matched." in same
    assert "system gives every bracket of gold" in same
    nothing = Page(html_report(evaluate([], []))).text
    assert "system has no F1" in nothing
    assert "Gold has no bracket." in nothing
    assert "scores F1" not in nothing


# -- what the page gets to show -------------------------------------------------------------------


@pytest.fixture
def shown(page_content):
    """Return a function that evaluates and returns the content of the page."""

    def show(gold, system, **options):
        how = {name: options.pop(name) for name in ("quiet", "worst") if name in options}
        html_report(evaluate(gold, system, **options), **how)
        return dict(page_content)

    return show


def test_the_sentences_that_a_table_asks_for(shown):
    got = shown(GOLD, SYSTEM)
    groups, about = got["content"]["groups"], got["content"]["about"]
    assert got["groups"] == set(groups)
    # Steps from one number to the next: NP is missed in sentences 1, 4 and 5, and ADVP taken for it in 3.
    for name, steps, sides in (
        ("missed-0", [1, 3, 1], ["NP", ""]),
        ("extra-0", [3, 3], ["", "NP"]),
        ("confusion-0", [3], ["ADVP", "NP"]),
        ("confusion-1", [1], ["NP", "ADVP"]),
        ("tags-0", [1], ["NN", "RB"]),
        ("words-1", [3], ["ca n't", "cannot"]),
    ):
        assert (groups[name], about[name]) == (steps, sides)
    assert groups["cause-0"] == [1, 2]
    assert groups["length-0"] == [1] * 6
    # A label that is nowhere extra has no button.
    assert "extra-2" not in groups
    assert about["extra-2"] == ["", "S"]
    # Only sentences of the list can be asked for.
    assert set(shown(GOLD, SYSTEM, worst=1)["groups"]) == {
        name for name, steps in groups.items() if 1 in itertools.accumulate(steps)
    }
    quiet = shown(GOLD, SYSTEM, quiet=True)
    assert (quiet["groups"], quiet["content"]["groups"], quiet["quiet"]) == (set(), {}, True)


def test_sentences_by_their_f1(shown):
    got = shown(GOLD, SYSTEM)
    bins = got["bins"]
    assert [item["group"] for item in bins] == [f"f1-{place}" for place in range(21)]
    assert [bins[place]["name"] for place in (0, 1, 19, 20)] == [
        *("0 to under 5", "5 to under 10", "95 to under 100", "100")
    ]
    assert [place for place, item in enumerate(bins) if item["count"]] == [0, 14, 16, 17, 18, 20]
    assert [item["exact"] for item in bins] == [False] * 20 + [True]
    assert got["content"]["groups"]["f1-0"] == [4]
    # A sentence without constituents has no F1.
    assert shown(["(N a)"], ["(N a)"])["content"]["groups"]["f1-none"] == [1]


def test_figures_are_written_by_their_kind(shown):
    gold = ["(S (A (N a) (N b)) (N c))"] * 1000
    system = [*gold[:999], "(S (N a) (X (N b) (N c)))"]
    figures = {
        name: (value, short)
        for _, rows in shown(gold, system, cutoff=2, metrics="brackets", worst=1)["figures"]
        for name, value, short in rows
    }
    assert figures["Sentences"] == ("1,000", "0")
    # 1999 of 2000, and one of 1000 crosses.
    assert figures["Recall"] == ("99.95", "–")
    assert figures["Crossing per sentence"] == ("0.00", "–")
    groups = dict(shown(GOLD, SYSTEM)["figures"])
    assert list(groups) == ["Brackets", "Words and sentences", "Trees", "Counts"]
    assert ("Struct-IoU, corpus", "81.90", "81.90") in groups["Trees"]
    assert {"Sentence-mean F1", "F1"} <= {name for name, *_ in groups["Brackets"]}
    assert {"Sentence ends F1", "Tagging accuracy"} <= {name for name, *_ in groups["Words and sentences"]}


def test_text_next_to_the_tables(shown):
    got = shown(GOLD, SYSTEM)
    states = got["evaluation"].states
    assert (
        states["no parse"],
        got["kept"],
        got["deletes"],
        bool(got["findings"].fan_outs),
        got["by_state"],
    ) == (*(1, True, False, False, False),)
    assert [(title, counts.beads) for _, title, counts in got["alignment"]["kinds"]] == [
        ("1:1", 5),
        ("no parse", 1),
    ]
    assert shown(GOLD[:2], GOLD[:2])["alignment"] is None
    assert shown(GOLD[:2], GOLD[:2], prm="COLLINS")["deletes"] is True
    # Words that are left out without a .prm are told of by the run.
    traces = ["(S (N a) (NP (-NONE- *)))"], ["(S (N a))"]
    assert shown(*traces)["deletes"] is False
    assert not any(shown(GOLD[:1], GOLD[:1])["evaluation"].states.values())


def test_the_command_of_a_page_has_its_settings():
    """Copied into a shell, it makes the same page; without one there is no line for it."""
    trees = ["(S (NP (N a)) (VP (V b)))"]

    def command(**options):
        text = evaluate(trees, trees, **options).report("html", gold_name="g.mrg", system_name="s s.mrg")
        found = re.search('aria-label="Command">([^<]*)', text)
        return found and html.unescape(found[1])

    assert command() == "jpevalb g.mrg 's s.mrg' -o report.html"
    assert command(lang="de", metrics=("brackets", "tags"), tags="yes").endswith(
        "-o report.html --metrics brackets,tags --lang de --tags yes"
    )
    assert command(convention="supar least:2").endswith("--convention 'supar least:2'")
    assert command(node_types={"A": "b"}, metrics=("brackets", "nodes")) is None
