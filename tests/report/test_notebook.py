"""Results in a notebook: tables as HTML, trees as SVG."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given

from jpevalb import Tree, compare, evaluate, legacy
from jpevalb.formats.read import as_tree
from jpevalb.metrics.record import Record
from jpevalb.report.notebooks import ROWS
from jpevalb.report.table import Field, MarkedNumber, Sheet, Table
from jpevalb.report.writers import html_of
from jpevalb.score.evaluator import Evaluator
from jpevalb.trees.drawing import MOST
from tests.support.random_trees import trees
from tests.support.with_gaps import evaluate_with_gaps

NOTEBOOK = Path(__file__).with_name("notebook.ipynb")
SVG = "{http://www.w3.org/2000/svg}"

RIGHT = "(S (NP (N a)) (VP (V b) (NP (N c))))"
WRONG = "(S (NP (N a) (V b)) (NP (N c)))"


class Cells(HTMLParser):
    """The texts of the cells, row by row; every tag is closed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.rows: list[list[str]] = []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if {"td", "th"} & set(self.open):
            self.rows[-1][-1] += data


def test_an_evaluation_is_a_table_of_its_figures():
    for result in (evaluate([RIGHT], [WRONG]), evaluate_with_gaps([RIGHT], [WRONG])):
        rows = Cells(result._repr_html_()).rows
        shown = f"{100 * result.f1:.2f}"
        assert any(shown in row for row in rows)
        assert result.signature in result._repr_html_()


def test_a_result_begins_with_its_verdict():
    result = evaluate([RIGHT] * 10, [WRONG, RIGHT] * 5)
    found, f1, (low, high) = result._repr_html_(), result.f1, result.intervals["f1"]
    assert found.startswith(
        f"<p><b>The system scores F1 {100 * f1:.2f}.</b> 95 % interval {100 * low:.2f} to {100 * high:.2f}. "
    )
    alone = evaluate([RIGHT], [RIGHT])._repr_html_()
    assert alone.startswith("<p><b>The system gives every bracket of gold.</b>")
    names = {"<x": [RIGHT] * 9, "c": [RIGHT] * 9}
    compared = compare([RIGHT] * 9, names)._repr_html_()
    assert compared.startswith("<p><b>&lt;x and c have equal F1.</b>")
    assert not evaluate([RIGHT], [RIGHT]).total._repr_html_().startswith("<p>")


def test_a_comparison_is_its_table():
    result = compare([RIGHT] * 10, {"<b>&": [WRONG] * 10, "good": [RIGHT] * 10}, metrics="brackets")
    rows = Cells(result._repr_html_()).rows
    assert rows[0][:4] == ["System", "P", "R", "F"]
    assert [row[0] for row in rows[1:]] == ["good", "<b>&"]
    assert rows[1][3].startswith("100.00 ± 0.00")
    assert "<b>&<" not in result._repr_html_()


def test_a_total_is_a_table_of_matches_and_one_of_counts():
    result = evaluate([RIGHT], [WRONG], metrics=["brackets", "segmentation"], by_label=True, analysis=True)
    text = result.total._repr_html_()
    rows = Cells(text).rows
    brackets = result.total.brackets
    assert ["brackets", "4", "3", "2", "0.5000", "0.6667", f"{brackets.f1:.4f}"] in rows
    assert ["labels.NP", "2", "2", "1", "0.5000", "0.5000", "0.5000"] in rows
    assert ["segmentation.sentences", "1", "1", "1", *["1.0000"] * 3] in rows
    tags = "gold 3 · system 3 · correct 3 · units 3 · units_correct 3"
    assert any(row[0] == "tags" and row[1].startswith(tags) for row in rows)
    assert any(row[0] == "brackets" and row[1].startswith("sentences 1 · ") for row in rows)
    assert "analysis: see Evaluation.analysis()" in text
    assert Cells(Record()._repr_html_()).rows == [
        ["Metric", "gold", "system", "matched", "recall", "precision", "f1"],
        ["Metric", "Counts"],
    ]


def test_an_analysis_is_its_tables():
    labels = [f"L{index:02}" for index in range(ROWS + 3)]
    gold = [f"(S ({label} (A a) (B b)) (C c))" for label in labels]
    system = [text.replace("(L", "(M", 1) for text in gold]
    result = evaluate(gold, system, by_label=True)
    text = result.analysis()._repr_html_()
    rows = Cells(text).rows
    assert ["different label", str(ROWS + 3), str(2 * ROWS + 6), "100.00", "100.00"] in rows
    confusions = [row for row in rows if row[-1] == "1"]
    assert confusions == [[label, label.replace("L", "M"), "1"] for label in labels[:ROWS]]
    assert "Confusions: and 3 more" in text
    # The labels are S and those of both sides.
    assert f"Labels: and {2 * len(labels) + 1 - ROWS} more" in text
    assert "labels: and 17 more" in result.total._repr_html_()


def test_a_table_is_html():
    fields = (Field("a", "A<", text=True), Field("hidden"), Field("b", "B"))
    rows = (
        ("x&\x1b", "never", MarkedNumber("1.00", "*", "0.50", best=True)),
        (None, "never", MarkedNumber("<", "")),
        ("y", "never", "2>"),
        ("z", "never", None),
    )
    text = html_of(Sheet((), (Table("T<", fields, rows), Table("", fields[2:], ())), ("note <", "# &")))
    assert text == (
        "<div><table><caption>T&lt;</caption>"
        '<thead><tr><th scope="col">A&lt;</th><th scope="col">B</th></tr></thead><tbody>'
        '<tr><th scope="row">x&amp;\\x1b</th><td><b>1.00 ± 0.50</b><sup>*</sup></td></tr>'
        '<tr><th scope="row"></th><td>&lt;<sup></sup></td></tr>'
        '<tr><th scope="row">y</th><td>2&gt;</td></tr>'
        '<tr><th scope="row">z</th><td>-</td></tr></tbody></table>'
        '<table><thead><tr><th scope="col">B</th></tr></thead><tbody></tbody></table>'
        "<div><small>note &lt;</small></div><div><small># &amp;</small></div></div>"
    )


class Drawn:
    """An SVG: its size, its texts with their places, and its shapes."""

    def __init__(self, text: str) -> None:
        root = ElementTree.fromstring(text)
        self.width, self.height = float(root.get("width")), float(root.get("height"))
        self.texts = [
            ("".join(one.itertext()), float(one.get("x")), float(one.get("y")))
            for one in root.iter(f"{SVG}text")
        ]
        self.names = [text for text, _, _ in self.texts]
        self.titles = [one.text for one in root.iter(f"{SVG}title")]
        self.polygons = len(list(root.iter(f"{SVG}polygon")))
        # Left, top, right and bottom of what stands behind a label, in the order of the nodes.
        self.shapes: list[tuple[float, float, float, float]] = []
        for one in root.iter():
            if one.tag == f"{SVG}rect" and one.get("x"):
                left, top, wide, high = (float(one.get(key)) for key in ("x", "y", "width", "height"))
                self.shapes.append((left, top, left + wide, top + high))
                assert float(one.get("rx")) in (1, high / 2)
            elif one.tag == f"{SVG}polygon":
                xs, ys = zip(*(map(float, point.split(",")) for point in one.get("points").split()))
                self.shapes.append((min(xs), min(ys), max(xs), max(ys)))
        paths = [one for one in root.iter(f"{SVG}path") if "C" not in one.get("d")]
        self.links = [one for one in root.iter(f"{SVG}path") if "C" in one.get("d")]
        self.lines, self.dotted = (
            [
                [tuple(map(float, point.split(","))) for point in line.split("L")]
                for one in paths
                if bool(one.get("stroke-dasharray")) is dotted
                for line in one.get("d").split("M")[1:]
            ]
            for dotted in (False, True)
        )
        for _, x, y in self.texts:
            assert 0 <= x <= self.width
            assert 0 <= y <= self.height

    def at(self, name: str) -> tuple[float, float]:
        ((_, x, y),) = [one for one in self.texts if one[0] == name]
        return x, y


def test_a_tree_is_drawn_from_its_root_down():
    drawn = Drawn(Tree.parse("(S (NP (N a)) (VP (V b)))")._repr_svg_())
    # A node stands over the middle of its children, and parents above children above words.
    (s, top), (np, second), (vp, _) = drawn.at("S"), drawn.at("NP"), drawn.at("VP")
    (n, third), (a, last) = drawn.at("N"), drawn.at("a")
    assert a == n == np < vp
    assert s == pytest.approx((np + vp) / 2, abs=0.1)
    assert top < second < third < last
    # The middle of a label is 4 pixels above its line; lines end as near to it as they begin.
    heights = {x: y - 4 for name, x, y in drawn.texts if name in ("NP", "VP")}
    down = [line for line in drawn.lines if line[0][1] < second - 4]
    assert [line[-1][0] for line in down] == list(heights)
    for line in down:
        assert heights[line[-1][0]] - line[-1][1] == pytest.approx(line[0][1] - (top - 4), abs=0.11) == 9.5
        assert line[1][1] - line[0][1] == pytest.approx(7, abs=0.11)
    assert (drawn.width, drawn.height) == (89, 146)


def test_a_sentence_is_both_trees_face_to_face_with_marks():
    sentence = evaluate([RIGHT], [WRONG]).sentences[0]
    drawn = Drawn(sentence._repr_svg_())
    assert [name for name in drawn.names if name[0] in "−+×"] == ["− NP", "− VP", "× NP"]
    assert drawn.names[-2:] == ["GOLD", "SYSTEM"]
    assert drawn.at("GOLD")[0] < drawn.at("− NP")[0] < drawn.at("× NP")[0] < drawn.at("SYSTEM")[0]
    assert drawn.at("− VP")[0] < drawn.at("a")[0] < drawn.at("× NP")[0]
    assert drawn.polygons == 1
    assert drawn.titles.count("matched") == 2 * len(sentence.matched)
    # The same words are written once, one below the other.
    (a, above), (b, below) = drawn.at("a"), drawn.at("b")
    assert a == b
    assert above < below
    shown = sentence._repr_html_()
    assert "2 matched, 2 missed, 1 extra, 1 crossing · F1 57.14" in shown
    assert sentence._repr_svg_() in shown
    # The room of all shapes and words
    assert (drawn.width, drawn.height) == (363, 119)


@pytest.mark.parametrize("words", ["abc", "שלם"])
def test_lines_lead_from_the_side_of_a_shape_to_the_side_of_the_next(words):
    """All tags are wrong and so marked: every node has a shape."""
    a, b, c = words
    gold, system = f"(S (NP (A {a}) (B {b})) (C {c}))", f"(S (X {a}) (VP (Y {b}) (Z {c})))"
    drawn = Drawn(evaluate([gold], [system], convention="jpevalb").sentences[0]._repr_svg_())
    assert drawn.names[3:-2] == ["S", "− NP", "! A", "! B", "! C", "S", "! X", "× VP", "! Y", "! Z"]
    shapes = drawn.shapes
    assert len(shapes) == 10
    for label, (left, top, right, bottom) in zip(drawn.names[3:], shapes):
        x, y = next((x, y) for text, x, y in drawn.texts[3:] if text == label and left < x < right)
        assert ((left + right) / 2, (top + bottom) / 2 + 4) == pytest.approx((x, y), abs=0.11)
        assert bottom - top == (16 if label[0] == "!" else 19)
        # About six pixels a sign, and as much room at the sides for every label.
        assert 5 * len(label) + 12 < right - left < 12 * len(label) + 16
    sides = [(0, 1), (1, 2), (1, 3), (0, 4), (5, 6), (5, 7), (7, 8), (7, 9)]
    # Gold is on the left, but on the right where words run from right to left.
    right_hand = (lambda node: node >= 5) if words == "abc" else (lambda node: node < 5)
    expected = []
    for parent, child in sides:
        ends = [
            (shapes[node][0 if right_hand(node) is inner else 2])
            for node, inner in ((parent, True), (child, False))
        ]
        heights = [(shapes[node][1] + shapes[node][3]) / 2 for node in (parent, child)]
        expected.append([(ends[0], heights[0]), (ends[1], heights[1])])
    found = [[line[0], line[-1]] for line in drawn.lines]
    assert sorted(found) == [[pytest.approx(end, abs=0.11) for end in line] for line in sorted(expected)]
    for line in drawn.lines:
        # Every line goes on in one direction, and turns at right angles.
        xs = [x for x, _ in line]
        assert xs in (sorted(xs), sorted(xs, reverse=True))
        assert all(x1 == x2 or y1 == y2 for (x1, y1), (x2, y2) in pairwise(line))


def test_differing_words_are_in_two_columns():
    drawn = Drawn(
        evaluate(["(S (A can) (B not) (V go))"], ["(S (A cannot) (V go))"]).sentences[0]._repr_svg_()
    )
    assert drawn.at("can")[0] == drawn.at("not")[0] < drawn.at("cannot")[0]
    assert drawn.at("can")[1] < drawn.at("cannot")[1] < drawn.at("not")[1]
    # Lines between the columns meet in the middle of a unit, at the height of its longer side's middle.
    ends = [one.get("d").split() for one in drawn.links]
    heights = {name: y - 5 for name, _, y in drawn.texts}
    begins = [float(end[0].split("C")[0].split(",")[1]) for end in ends]
    assert begins == [heights["can"], heights["not"], heights["cannot"], heights["go"], heights["go"]]
    meet = [tuple(map(float, end[-1].split(","))) for end in ends]
    assert [y for _, y in meet] == [heights["cannot"]] * 3 + [heights["go"]] * 2
    assert len({x for x, _ in meet}) == 1
    assert drawn.at("not")[0] < meet[0][0] < drawn.at("cannot")[0]
    # A dotted line leads from a tag to its word, gold's to the right and the system's to the left.
    assert [line[0][0] < line[-1][0] for line in drawn.dotted] == [True] * 3 + [False] * 2
    # Words that differ have other lines than words that are the same.
    assert [bool(one.get("stroke-dasharray")) for one in drawn.links] == [True] * 3 + [False] * 2


def test_a_node_with_a_gap_stands_over_the_first_of_its_words_above_what_is_in_the_gap():
    label = "THROUGHANDTHROUGH"
    drawn = Drawn(as_tree(f"(S ({label} 0=a 3=d) (B (C 1=b) (D 2=c)))")._repr_svg_())
    (x, y), (b, between), (a, bottom) = drawn.at(f"{label} ⋯"), drawn.at("B"), drawn.at("a")
    assert x == a < b == pytest.approx((drawn.at("C")[0] + drawn.at("D")[0]) / 2, abs=0.1)
    assert drawn.at("S")[1] < y < between < bottom
    # The label has room on both sides: some 8 pixels a sign.
    assert x > 4 * len(label)
    assert drawn.at("b")[0] - x > 4 * len(label)
    assert drawn.at("d")[0] - drawn.at("c")[0] < 4 * len(label)
    # A dotted line goes to each word, from the side of its parent that looks there.
    assert sorted((line[-1][0], line[-1][1] < bottom) for line in drawn.dotted) == [
        (drawn.at(word)[0], True) for word in "abcd"
    ]
    assert all(line[0][1] > drawn.at(f"{label} ⋯")[1] for line in drawn.dotted)
    # As many dots as gaps, up to three
    gaps = Drawn(as_tree("(S (W 0=a 2=c 4=e 6=g 8=i) (X 1=b 3=d 5=f 7=h 9=j 11=l) (Y 10=k))")._repr_svg_())
    assert {"W ⋯⋯⋯", "X ⋯⋯⋯", "Y"} <= {*gaps.names}


def test_a_label_has_the_room_of_all_its_words():
    drawn = Drawn(Tree.parse("(S (LONGLABELOFTHREEWORDS (A a) (B b) (C c)))")._repr_svg_())
    a, b, c = (drawn.at(word)[0] for word in "abc")
    assert b - a == pytest.approx(c - b, abs=0.11)
    # Where it begins with two words and has a gap, the first of them has the room.
    label = "THROUGHANDTHROUGH"
    drawn = Drawn(as_tree(f"(S ({label} 0=a 1=b 3=d) (C 2=c))")._repr_svg_())
    assert drawn.at("b")[0] - drawn.at("a")[0] > 4 * len(label)


def test_nodes_without_words_lift_no_sister():
    drawn = Drawn(as_tree("(S (VP 0=a 2=c) (NP 1=b) (PP 3=d) (X))")._repr_svg_())
    assert drawn.at("VP ⋯")[1] < drawn.at("NP")[1] == drawn.at("PP")[1]


def test_text_from_right_to_left_begins_at_the_right():
    drawn = Drawn(Tree.parse("(S (N שלום) (V עולם))")._repr_svg_())
    assert drawn.at("שלום")[0] > drawn.at("עולם")[0]
    text = "(S (NP (N שלום)) (VP (V עולם)))"
    pair = Drawn(evaluate([text], ["(S (N שלום) (V עולם))"]).sentences[0]._repr_svg_())
    assert pair.at("− NP")[0] > pair.at("שלום")[0]


def test_text_of_the_files_is_escaped():
    tree = Tree.parse("(S (</text> <script>) (A &amp;\x01))")
    assert "</text>" in Drawn(tree._repr_svg_()).names
    result = evaluate([tree], ["(S (A x) (B y))"], metrics="brackets")
    assert "<script>" in Drawn(result.sentences[0]._repr_svg_()).names
    assert "<script>" not in result.sentences[0]._repr_html_()


def test_without_a_parse_and_without_words():
    assert Drawn(Tree.parse("")._repr_svg_()).names == ["∅"]
    sentence = evaluate(["(S (A b))"], ["(())"]).sentences[0]
    assert "no parse" in sentence._repr_html_()
    drawn = Drawn(sentence._repr_svg_())
    assert "− S" in drawn.names
    assert drawn.links == []


def test_very_large_trees_are_reported_and_not_drawn():
    wide = Tree.parse(f"(S {'(A b)' * (MOST // 2)})")
    assert wide._repr_svg_() is None
    sentence = evaluate([wide], [wide], metrics="brackets").sentences[0]
    assert sentence._repr_svg_() is None
    assert "too large to be drawn" in sentence._repr_html_()
    deep = Tree.parse("(S" * 1900 + " (A b)" + ")" * 1900)
    assert Drawn(deep._repr_svg_()).names.count("S") == 1900


@given(trees(), trees())
def test_any_trees_are_drawn_whole(gold, system):
    for tree in (gold, system):
        drawn = Drawn(tree._repr_svg_())
        assert len(drawn.names) == len(tree.labels) + len(tree.words)
        assert any("⋯" in name for name in drawn.names) is not tree.is_continuous
    found = Drawn(
        evaluate([gold], [system], convention="jpevalb", metrics="brackets").sentences[0]._repr_svg_()
    )
    assert {"GOLD", "SYSTEM"} <= set(found.names)


def attributes_shown(result: object) -> dict[str, object]:
    call = ast.parse(repr(result), mode="eval").body
    return {given.arg: ast.literal_eval(given.value) for given in call.keywords}


def test_whatever_is_shown_in_a_line_is_an_attribute():
    evaluator = Evaluator(metrics="brackets")
    evaluator.update(RIGHT, WRONG)
    results = (
        evaluate([RIGHT], [WRONG]),
        evaluate([RIGHT], [WRONG]).sentences[0],
        evaluate_with_gaps([RIGHT], [WRONG]),
        compare([RIGHT] * 9, [[WRONG] * 9, [RIGHT] * 9], samples=10),
        legacy.evaluate([RIGHT], [WRONG], "COLLINS.prm"),
        evaluator,
    )
    for result in results:
        shown = attributes_shown(result)
        assert len(shown) > 1
        for name, value in shown.items():
            has = getattr(result, name)
            if name == "params":
                has = has.name
            if name == "f1" and isinstance(has, dict):
                has = {system: round(rate, 4) for system, rate in has.items()}
            assert value == (pytest.approx(has, abs=5e-5) if isinstance(has, float) else has), name


def outputs_without_ipython() -> list[dict[str, str]]:
    """Runs the cells here and asks what the last line of each gives as a notebook does."""
    names: dict[str, object] = {}
    found = []
    for cell in json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] == "code":
            tree = ast.parse("".join(cell["source"]))
            last = ast.Expression(tree.body.pop().value)
            exec(compile(tree, NOTEBOOK.name, "exec"), names)
            value = eval(compile(last, NOTEBOOK.name, "eval"), names)
            asked = {"text/html": "_repr_html_", "image/svg+xml": "_repr_svg_"}
            shown = {mime: getattr(value, name)() for mime, name in asked.items() if hasattr(value, name)}
            found.append({**shown, "text/plain": repr(value)})
    return found


def test_a_notebook_shows_results_trees_and_figures():
    evaluation, sentence, tree, comparison, figures = outputs_without_ipython()
    assert ["Bracketing F1", "57.14"] in [row[:2] for row in Cells(evaluation["text/html"]).rows]
    assert Drawn(sentence["image/svg+xml"]).polygons == 1
    assert sentence["image/svg+xml"] in sentence["text/html"]
    assert Drawn(tree["image/svg+xml"]).names.count("NP") == 2
    assert [row[0] for row in Cells(comparison["text/html"]).rows] == ["System", "right", "wrong"]
    assert figures["text/plain"].startswith("(0.5714285714285714, 20, 'jpevalb:")


_EXECUTE = """
import json, sys, nbformat
from nbclient import NotebookClient
book = nbformat.read(sys.argv[1], as_version=4)
nbformat.validate(book)
NotebookClient(book, timeout=120, kernel_name="python3").execute()
cells = [cell for cell in book.cells if cell.cell_type == "code"]
print(json.dumps([output.data for cell in cells for output in cell.outputs]))
"""


@pytest.mark.slow
def test_a_kernel_executes_the_notebook(tmp_path):
    for package in ("nbclient", "nbformat", "ipykernel"):
        pytest.importorskip(package) if not os.environ.get("CI") else __import__(package)
    shown = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", _EXECUTE, str(NOTEBOOK)],
        capture_output=True,
        text=True,
        encoding="utf-8",
        cwd=tmp_path,
        env={**os.environ, "JUPYTER_RUNTIME_DIR": str(tmp_path), "IPYTHONDIR": str(tmp_path)},
        timeout=300,
    )
    assert shown.returncode == 0, shown.stderr
    found = [{mime: "".join(text) for mime, text in one.items()} for one in json.loads(shown.stdout)]
    # Long lines of plain text a kernel breaks as it likes.
    assert [one.pop("text/plain").split() for one in found][1] == [
        "SentenceResult(number=1,",
        "status='ok',",
        "f1=0.5714)",
    ]
    assert found == [
        {mime: one[mime] for mime in one if mime != "text/plain"} for one in outputs_without_ipython()
    ]
