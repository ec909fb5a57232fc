"""The page of one system or several: its sections, its figures, its policy, and text of the files in it."""

from __future__ import annotations

import html
import itertools
import json
import random
import re
import shlex

import pytest

from jpevalb import compare, evaluate
from jpevalb.base.text import Markup, tag, visible
from jpevalb.claims.systems import shortened
from jpevalb.cli import main
from jpevalb.page.collected import Collected
from jpevalb.page.parts import Axis
from jpevalb.report import write_report
from jpevalb.score.run import Run
from jpevalb.score.sentence import SentenceResult
from jpevalb.settings.params import Params
from jpevalb.settings.settings import Settings
from jpevalb.trees.sentence import Answer
from tests.benchmarks.treebank import make_treebank
from tests.support.commands import ROOT, jpevalb
from tests.support.files import write_files
from tests.support.report_pages import (
    GOLD,
    HOSTILE,
    SYSTEM,
    Page,
    assets_of,
    compared_page,
    hostile_trees,
    html_report,
    made_page,
    noisy_copies,
    page_data,
    treebank_pair,
    words_of,
)

ANSWERS = [str(ROOT / "examples" / name) for name in ("gold.mrg", "answers.jsonl")]
AS_ANSWERS = {"format": "jsonl", "field": "choices.0.message.content"}

# Two gold sentences are one of the system, a word is cut in two, and a word is changed.
JOINED = (
    ["(S (A a) (B b))", "(S (C c) (D d))", "(S (E (F ef) (G g)) (H h))", "(S (F same) (G other))"],
    [
        "(S (S (A a) (B b)) (S (C c) (D d)))",
        "(S (E (F e)) (X (F f) (G g)) (H h))",
        "(S (F same) (G another))",
    ],
)


def page_of(count: int, sentences: int = 60, **options) -> str:
    """The page of a number of parser-like copies of a made-up treebank."""
    options = {"samples": 200, "analysis": True, **options}
    gold, systems = noisy_copies(count, sentences)
    return compare(gold, systems, keep=True, **options).report("html")


@pytest.fixture(scope="module")
def pages():
    """Pages by name, made when they are asked for."""
    made = {
        "one": made_page,
        "answers": lambda: html_report(evaluate(*ANSWERS, **AS_ANSWERS)),
        "gaps": lambda: html_report(
            evaluate(*[str(ROOT / "examples" / f"{name}.discbracket") for name in ("gold", "sys")])
        ),
        "words": lambda: html_report(evaluate(*JOINED)),
        "two": lambda: page_of(2),
        "three": compared_page,
        "six": lambda: page_of(6),
        "twelve": lambda: page_of(12, 30, test="permutation", samples=2000),
        "untested": lambda: page_of(2, test=None, confidence=None),
    }
    kept: dict[str, str] = {}

    def page(name: str) -> str:
        if name not in kept:
            kept[name] = made[name]()
        return kept[name]

    return page


NAMES = ("one", "answers", "gaps", "words", "two", "three", "six", "twelve", "untested")

SECTIONS = {
    "one": "score errors where cite",
    "answers": "score answers errors where cite",
    "gaps": "score errors where cite",
    "words": "score errors words where cite",
    "two": "score errors where cite",
    "three": "score pairs errors where cite",
    "six": "score pairs errors where cite",
    "twelve": "score pairs errors where cite",
    "untested": "score errors where cite",
}


@pytest.mark.parametrize("name", NAMES)
def test_one_list_of_sections(pages, name):
    page = Page(pages(name))
    assert [one["id"] for one in page.named("section")] == SECTIONS[name].split()
    links = [one["href"] for one in page.named("a") if one["href"].startswith("#")]
    assert links == [f"#{id}" for id in SECTIONS[name].split()]
    ids = [attributes["id"] for _, attributes in page.elements if attributes.get("id")]
    assert len(set(ids)) == len(ids)


@pytest.mark.parametrize("name", NAMES)
def test_a_page_needs_no_network_and_no_inline_style(pages, name):
    text = pages(name)
    page = Page(text)
    script, style = assets_of(text)
    assert not any("style" in attributes for _, attributes in page.elements)
    assert not any(key.startswith("on") for _, attributes in page.elements for key in attributes)
    sources = [one.get(key) for _, one in page.elements for key in ("src", "href") if one.get(key)]
    assert all(source.startswith(("#", "data:")) for source in sources)
    assert not re.search(r"https?://(?!www\.w3\.org)", script + style)
    assert "nan" not in re.findall("[a-z]+", page.text.lower())
    assert "NaN" not in re.sub("<(script|style)[^>]*>.*?</|'sha256-[^']*'", "", text, flags=re.DOTALL)
    assert "None" not in page.text


def test_lines_of_the_script_are_short():
    for file in (ROOT / "jpevalb" / "page").glob("*.js"):
        assert max(map(len, file.read_text(encoding="utf-8").splitlines())) <= 110, file.name


def numbers_of(content: object) -> set[str]:
    """All numbers of a JSON report, as a page writes them."""
    if isinstance(content, bool) or content is None:
        return set()
    if isinstance(content, (int, float)):
        size = abs(content)
        return {f"{size:.2f}", f"{size:.3f}", f"{100 * size:.2f}", f"{100 * size:.1f}"}
    if isinstance(content, dict):
        return set().union(*map(numbers_of, content.values()))
    if isinstance(content, (list, tuple)):
        return set().union(*map(numbers_of, content))
    return set()


def derived_from(systems) -> set[str]:
    """Numbers of a page that JSON lacks: sums and rests of the costs of causes, and differences."""
    found = []
    for one in systems:
        rates = one["rates"]
        costs = [value or 0 for name, value in rates.items() if name.startswith("cause_")]
        ranked = sorted(costs, reverse=True)
        lost = sum(costs)
        found += [lost, *[lost - sum(ranked[:k]) for k in range(len(ranked))], 1 - (rates["f1"] or 0)]
        brackets = one["counts"]["brackets"]
        words = one["counts"].get("segmentation", {}).get("token_errors", 0)
        words /= brackets["gold"] + brackets["system"]
        ends = rates.get("cause_sentence_boundary") or 0
        found += [words, ends, ends + words, max(0, lost - ends - words)]
        for cause in costs:
            found.append(lost - cause)
        for other in systems:
            found += [
                (value or 0) - (other["rates"][name] or 0)
                for name, value in rates.items()
                if other["rates"].get(name) is not None
            ]
    return numbers_of(found)


def with_rest(systems, shown: str, known: set[str]) -> set[str]:
    """The figures that are in no report."""
    text = re.sub(r"\\(?:begin|end|resizebox).*", "", shown)
    figures = set(re.findall(r"(?<![\d.\w])\d+\.\d\d?(?![\d.])", text))
    return figures - known - derived_from(systems) - {"0.05", "95.00"}


@pytest.mark.parametrize(("count", "options"), [(2, {}), (3, {}), (6, {}), (8, {"test": "permutation"})])
def test_every_figure_of_a_comparison_is_in_json(count, options):
    gold, systems = noisy_copies(count, 60)
    result = compare(gold, systems, keep=True, analysis=True, **{"samples": 1500, **options})
    report = json.loads(result.report("json"))
    # Causes that have no row are summed up: their order is that of the page.
    rest = with_rest(report["systems"], shown_figures(result.report("html")), numbers_of(report))
    assert rest <= sums_of_rest(report["systems"])


def shown_figures(text: str) -> str:
    """The text of a page without its signature and versions, and without the ticks of its axes."""
    text = re.sub(r'<svg class="tk".*?</svg>', "", text, flags=re.DOTALL)
    text = re.sub(r'<div role="row" aria-hidden="true".*?</div>', "", text, flags=re.DOTALL)
    return re.sub(r"jpevalb:?[ :][0-9.]+|confidence:\S+|1\.5pt", "", Page(text).text.replace("−", "-"))


def sums_of_rest(systems) -> set[str]:
    """All sums of costs behind some causes, whatever the order of the page."""
    names = [name for name in systems[0]["rates"] if name.startswith("cause_")]
    known = [name for name in names if any(one["rates"][name] for one in systems)]
    found = []
    for one in systems:
        costs = [one["rates"][name] or 0 for name in known]
        for size in range(len(known) - 9, len(known) - 8):
            found += [sum(some) for some in itertools.combinations(costs, max(0, size))]
    return numbers_of(found)


def test_every_figure_of_one_system_is_in_json():
    gold, system = treebank_pair()
    evaluation = evaluate(gold, system, analysis=True)
    report = json.loads(evaluation.report("json"))
    only = json.loads(compare(gold, {"s": system}, test=None, analysis=True).report("json"))
    shown = shown_figures(html_report(evaluation))
    rest = with_rest(only["systems"], shown, numbers_of(report) | numbers_of(only))
    assert rest <= sums_of_rest(only["systems"]) | {f"{100 * share:.0f}" for share in (0, 1)}


def figures_in(text: str) -> set[str]:
    """The figures that a page shows."""
    shown = re.sub(r"\\(?:begin|end|resizebox).*", "", shown_figures(text))
    return set(re.findall(r"(?<![\d.\w])\d+\.\d\d?(?![\d.])", shown)) - {"95.00"}


def test_every_figure_of_answers_is_in_json():
    """Figures of the repaired trees are those of a run that repairs answers."""
    reports = [json.loads(evaluate(*ANSWERS, **AS_ANSWERS, analysis=True).report("json"))]
    how = {**AS_ANSWERS, "analysis": True, "repair": True}
    reports.append(json.loads(evaluate(*ANSWERS, **how).report("json")))
    reports.append(json.loads(compare(ANSWERS[0], ANSWERS[1:], test=None, **how).report("json")))
    known = set().union(*map(numbers_of, reports))
    steps = [step["f1"] for step in reports[0]["total"]["answers"]["ladder"]]
    gains = numbers_of([after - before for before, after in itertools.pairwise(steps)])
    shown = figures_in(html_report(evaluate(*ANSWERS, **AS_ANSWERS)))
    assert len(shown) > 12
    assert shown <= known | gains


def test_every_figure_of_trees_with_gaps_is_in_json():
    files = [str(ROOT / "examples" / f"{name}.discbracket") for name in ("gold", "sys")]
    report = json.loads(evaluate(*files, analysis=True).report("json"))
    shown = figures_in(html_report(evaluate(*files)))
    assert len(shown) > 5
    assert shown <= numbers_of(report)


def test_exported_figures_are_those_of_json():
    gold, systems = noisy_copies(3, 60)
    result = compare(gold, systems, keep=True, analysis=True)
    report = json.loads(result.report("json"))
    titles = {one["name"]: one["title"] for one in report["measures"]}
    exports = page_data(result.report("html"))["exports"]
    for section, prefix in (("errors", "cause_"), ("where", "label_")):
        lines = {line.split(",")[0]: line.split(",")[1:] for line in exports[section]["csv"].splitlines()}
        names = [name for name in titles if name.startswith(prefix) and titles[name] in lines]
        assert names
        for name in names:
            expected = []
            for one in report["systems"]:
                for value in (one["rates"][name], *(one["intervals"][name] or (None, None))):
                    expected.append("" if value is None else f"{100 * value:.2f}")
            assert lines[titles[name]] == expected


@pytest.mark.parametrize(("count", "best"), [(3, False), (8, True)])
def test_sort_sorts_the_tables(count, best):
    gold, systems = noisy_copies(count, 60)
    result = compare(gold, systems, keep=True, analysis=True)
    rows = r'role="rowheader" class="cell name">.*?<bdi>([^<]*)'

    def order(**how) -> list[str]:
        return re.findall(rows, result.report("html", **how))

    by = {one.name: one["complete_match"] for one in result.systems}
    assert [by[name] for name in order(sort="complete_match")] == sorted(by.values(), reverse=True)
    f1 = sorted(systems, key=lambda name: -result.f1[name])
    assert order() == (f1 if best else list(systems))
    assert order(sort="f1") == f1
    # What is said does not depend on it.
    pages = [Page(result.report("html", **how)) for how in ({}, {"sort": "complete_match"})]
    assert pages[0].texts["h1"] == pages[1].texts["h1"]


@pytest.mark.parametrize("name", ["one", "words", "two", "three"])
def test_points_of_causes_add_up(pages, name):
    """The rows of causes and the sum below them, as the page writes them."""
    found = r'aria-label="Points of F1 lost by cause">(.*?)class="right"'
    rows = re.search(found, pages(name), re.DOTALL)
    values = [
        [float(x) for x in re.findall(r'class="v[^"]*">(\d+\.\d\d)<', row)]
        for row in re.findall(r'<div role="row">(.*?)</div>', rows[1], re.DOTALL)
    ]
    *parts, total = [row for row in values if row]
    for k, whole in enumerate(total):
        assert sum(row[k] for row in parts) == pytest.approx(whole, abs=0.006 * len(parts))


def test_the_interval_is_that_of_a_comparison():
    gold, system = treebank_pair(40)
    only = compare(gold, [system], test=None, metrics=("brackets",)).systems[0]
    low, high = only.intervals["f1"]
    evaluation = evaluate(gold, system, metrics=("brackets",))
    assert f"{100 * low:.2f} to {100 * high:.2f}" in Page(html_report(evaluation)).text
    # Nothing can be drawn from one sentence.
    assert "interval to" not in Page(html_report(evaluate(gold[:1], system[:1]))).text


def test_one_system_has_one_page_whatever_asked_for_it():
    """A comparison of one system has the sections and the sentences of its evaluation."""
    gold, system = treebank_pair(40)
    single = html_report(evaluate(gold, system), system_name="s")
    compared = compare(gold, {"s": system}, test=None, keep=True, analysis=True).report("html")
    for of in (lambda text: Page(text).named("section"), lambda text: page_data(text)["rows"]):
        assert of(single) == of(compared)
    assert Page(single).texts["h1"] == Page(compared).texts["h1"]


# -- texts of the files ------------------------------------------------------------------------


def test_hostile_words_and_labels_and_names():
    gold = hostile_trees(HOSTILE, HOSTILE)
    system = hostile_trees(HOSTILE[1:] + HOSTILE[:1], HOSTILE)
    name = "<script>alert('name')</script>\x00\udc80&amp;"
    text = html_report(evaluate(gold, system), gold_name=name, system_name=name)
    text.encode("utf-8")
    assert "\x00" not in text
    page = Page(text)
    assert page.comments == []
    assert [attributes.get("type") for attributes in page.named("script")] == ["text/plain", None]
    assert "img" not in [tag for tag, _ in page.elements]
    assert visible(name) in page.text
    data = page_data(text)
    assert [words_of(row, "gold") for row in data["rows"][0]] == [HOSTILE] * len(gold)
    assert set(HOSTILE) <= set(data["labels"])


def test_text_is_escaped_unless_it_is_markup():
    assert tag("p", "a<b", Markup("<i>"), title='"&') == '<p title="&quot;&amp;">a&lt;b<i></p>'
    assert tag("input", disabled=True, value=None, hidden=False) == "<input disabled>"


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["sys.mrg"], ["sys.mrg"]),
        (["a/sys.mrg", "b/sys.mrg"], ["a/sys.mrg", "b/sys.mrg"]),
        (["a" * 20 + "/sys.mrg", "b" * 20 + "/sys.mrg"], ["a" * 20, "b" * 20]),
        (["p-a_large_of_all_models.mrg", "p-b_large_of_all_models.mrg"], ["p-a", "p-b"]),
        (["x", "x.y"], ["x", "x.y"]),
        (["model_" + "very_" * 6 + f"lr{k}" for k in (1, 2)], ["…lr1", "…lr2"]),
        (
            [f"{'x' * 30}{k}{'y' * 30}" for k in (1, 2)],
            ["1 " + "x" * 13 + "…" + "y" * 13, "2 " + "x" * 13 + "…" + "y" * 13],
        ),
    ],
)
def test_names_are_short_and_differ(names, expected):
    assert shortened(names) == expected


# -- what a page keeps -------------------------------------------------------------------------


def test_a_page_keeps_the_clearest_sentences_and_counts_all():
    gold = ["(S (A (T a)) (T b) (T c) (T d) (T e))"] * 5
    right, one, two = gold[0], "(S (T a) (T b) (T c) (T d) (T e))", "(S (B (T a)) (T b) (T c) (T d) (T e))"
    evaluation = evaluate(gold, [one, right, two, two, one], metrics=("brackets",))
    for worst, numbers in ((1, [3]), (2, [3, 4]), (None, [1, 2, 3, 4, 5])):
        collected = Collected(evaluation.sentences, evaluation.settings, evaluation.metrics, worst)
        kept = {row.cells[0] for row in collected.rows}
        assert (kept >= set(numbers), collected.seen) == (True, 5)
        assert collected.brackets == evaluation.total.brackets
    data = page_data(html_report(evaluation, worst=None))
    assert [row["number"] for row in data["rows"][0]] == [1, 2, 3, 4, 5]


def test_a_page_of_several_keeps_the_first_of_each_cause_and_length():
    gold, systems = noisy_copies(2, 60)
    result = compare(gold, systems, keep=True, analysis=True)
    every = page_data(result.report("html", worst=None))["units"]
    few = page_data(result.report("html", worst=1))
    assert few["seen"] == len(every) == 60
    # Each sentence has a length, and fewer than 200 have the same.
    assert few["units"] == every


def test_the_figures_of_causes_and_labels_have_intervals():
    run = evaluate(*treebank_pair(30), metrics="brackets")
    collected = Collected(run.sentences, run.settings, run.metrics, 0)
    assert {one.name for one in collected.measures(run.total)[0]} <= collected.intervals().keys()


def test_low_figures_are_dark_and_systems_that_differ_most_come_first():
    right, wrong = ["(S (X (N a) (N b)) (N c))"], ["(S (N a) (N b) (N c))"]
    systems = {"a": right * 20, "b": wrong * 20, "c": right * 5 + wrong * 15, "d": right * 20}
    text = compare(right * 20, systems, keep=True, analysis=True).report("html")
    assert page_data(text)["pair"] == [0, 1]
    assert 'q9" data-tip="b, X: 0.00' in text


def test_a_page_of_a_run_under_way_holds_the_rows_it_keeps_only():
    """Results are gone once they have been counted."""
    import gc

    gold, system = treebank_pair(60)
    run = Run(gold, system, Settings(metrics=("brackets",)))
    most = 0

    def follow(results):
        nonlocal most
        for result in results:
            yield result
            gc.collect()
            most = max(most, sum(isinstance(one, SentenceResult) for one in gc.get_objects()))

    pieces: list[str] = []
    gc.collect()
    gc.freeze()
    try:
        write_report(run, "html", pieces.append, follow=follow)
    finally:
        gc.unfreeze()
    assert most <= 3
    assert "".join(pieces) == html_report(evaluate(gold, system, metrics=("brackets",)))


def test_quiet_skips_the_sentences():
    gold, system = treebank_pair()
    text = html_report(evaluate(gold, system), quiet=True)
    assert "units" not in page_data(text)
    assert "data-show" not in [key for _, attributes in Page(text).elements for key in attributes]
    assert not Page(text).named("select")


def test_size():
    """A sentence takes a few hundred bytes, and the page without sentences less than 200 KB."""
    gold, system = treebank_pair(400)
    text = html_report(evaluate(gold, system))
    quiet = html_report(evaluate(gold, system), quiet=True)
    assert len(quiet) < 200_000
    assert (len(text) - len(quiet)) / 400 < 400


# -- cases -------------------------------------------------------------------------------------

CASES = {
    "no sentences": (
        lambda: html_report(evaluate(["(A a)"], ["(A a)"])),
        "neither gold nor the system has brackets",
    ),
    "no brackets": (lambda: html_report(evaluate(["(N a)"], ["(N a)"])), "neither gold nor the system"),
    "one sentence": (lambda: html_report(evaluate(GOLD[:1], SYSTEM[:1])), "scores F1"),
    "all right": (lambda: html_report(evaluate(GOLD[:3], GOLD[:3])), "gives every bracket of gold"),
    "all unparsed": (
        lambda: html_report(evaluate(GOLD[:3], ["(TOP)"] * 3)),
        "has no parse of any sentence",
    ),
    "two equal": (
        lambda: compare(GOLD * 9, {"a": SYSTEM * 9, "b": SYSTEM * 9}, keep=True, analysis=True).report(
            "html"
        ),
        "a and b have equal F1",
    ),
    "twelve equal": (
        lambda: compare(
            GOLD * 9, {f"s{k}": SYSTEM * 9 for k in range(12)}, keep=True, analysis=True, samples=2000
        ).report("html"),
        "No two of 12 systems are distinguished in F1",
    ),
    "too few resamples": (lambda: page_of(12, 60, samples=100), "has the highest F1"),
    "too few sentences": (lambda: page_of(3, 8), "too few sentences to compare"),
    "legacy": (
        lambda: compare(GOLD[:2] * 30, [SYSTEM[:2] * 30] * 2, settings=Params()).report("html"),
        "equal",
    ),
    "answers": (lambda: html_report(evaluate(*ANSWERS, **AS_ANSWERS)), "answers are trees as written"),
    "right answers": (
        lambda: html_report(evaluate(GOLD, GOLD, format="answers", gold_format="bracket")),
        "answers are trees as written",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_cases_are_right_pages(name):
    make, expected = CASES[name]
    page = Page(make())
    assert expected in " ".join(page.texts["h1"])


def test_unparsed_sentences_and_warnings_are_told():
    page = Page(html_report(evaluate(GOLD, SYSTEM)))
    assert "system has no parse for 1 sentence." in page.text
    assert "no parse: gold sentence 4, system sentence 4" in page.text


def test_an_evaluation_without_sentences_mentions_it():
    from dataclasses import replace

    page = Page(html_report(replace(evaluate(GOLD, SYSTEM), sentences=())))
    assert "did not keep its sentences" in page.text


def test_unaligned_sentences_without_trees_of_gold():
    text = html_report(evaluate(GOLD[:1], [*SYSTEM[:1], "(S (NP (NN more)) (VP (VB text)))"]))
    assert [unit[:2] for unit in page_data(text)["units"]] == [[0, 1], [1, 1]]


def test_the_title_is_the_headline_and_the_kicker_names_the_files(folder):
    (folder / "a").mkdir()
    write_files(folder, {"a/<b>.mrg": "(S (A a))\n", "sys\t1": "(S (A a))\n"})
    assert main(["a/<b>.mrg", "sys\t1", "--output", "html", "--out", "r.html"]) == 0
    page = Page((folder / "r.html").read_text(encoding="utf-8"))
    assert page.texts["title"] == ["sys\\x091 gives every bracket of gold – jpevalb"]
    assert page.texts["p"][1].startswith("sys\\x091 against <b>.mrg · 1 gold sentence ·")


def test_the_name_of_standard_input(tmp_path):
    (tmp_path / "gold").write_text("(S (A a))\n")
    done = jpevalb("gold", "-", "--output", "html", cwd=tmp_path, stdin=b"(S (A a))\n")
    assert "standard input against gold" in done.stdout.decode()


def test_the_command_of_a_page_is_that_of_its_call(tmp_path):
    """Copied into a shell, it makes the same page; a call of Python has none."""
    (tmp_path / "a b").mkdir()
    trees = {"g.mrg": "(S (A a))\n", "a b/s.mrg": "(S (A a))\n", "t.mrg": "(S (A a))\n"}
    for name, text in trees.items():
        (tmp_path / name).write_text(text)
    for systems in (["a b/s.mrg"], ["a b/s.mrg", "t.mrg"]):
        call = ["g.mrg", *systems, "--tags", "yes", "-o", "r.html"]
        assert jpevalb(*call, cwd=tmp_path).returncode == 0
        page = (tmp_path / "r.html").read_text()
        assert html.unescape(re.search('id="c-cmd">([^<]*)', page)[1]) == shlex.join(["jpevalb", *call])
    # A quiet one has no sentences.
    assert jpevalb(*call, "--quiet", cwd=tmp_path).returncode == 0
    quiet = (tmp_path / "r.html").read_text()
    assert [len(page_data(text).get("units", ())) for text in (page, quiet)] == [1, 0]
    assert 'id="c-cmd"' not in evaluate(["(S (A a))"], ["(S (A a))"]).report("html")


# -- exports -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["one", "answers", "gaps", "three", "twelve"])
def test_exports_are_made_by_the_writers_of_reports(pages, name):
    data = page_data(pages(name))
    assert set(data["exports"]) == set(SECTIONS[name].split())
    assert len(data["file"]) <= 24
    for section, texts in data["exports"].items():
        lines = texts["csv"].splitlines()
        assert len({line.count(",") for line in lines}) == 1 or section in ("cite", "where")
        assert not re.search(r"\d\.\d{9,}", texts["csv"])
        assert texts["latex"].startswith("% \\usepackage{booktabs,graphicx}\n")
        assert not re.search("[≤−–±]", texts["latex"].replace("\\textpm", ""))


# -- parts -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("values", "how", "expected"),
    [
        # Equal figures have an axis, too; rates stay between 0 and 100.
        ([1, 1], {"rates": True}, (0.994, 1.0)),
        ([0, 0], {"rates": True, "zero": True}, (0, 0.01)),
        ([0, 0], {"zero": True}, (0, 0.01)),
        ([], {"zero": True}, (0, 0.01)),
        ([-0.004], {"zero": True}, (-0.01, 0.005)),
        ([0, 0], {"rates": True}, (0, 0.006)),
        ([0.1, 0.7], {"rates": True}, (0.0, 0.8)),
        ([-0.02, 0.01], {"zero": True}, (-0.02, 0.01)),
    ],
)
def test_an_axis_has_few_round_steps(values, how, expected):
    axis = Axis(values, **how)
    assert (axis.low, axis.high) == pytest.approx(expected)
    assert 2 <= len(axis.ticks) <= 7
    assert all(0 <= float(axis.at(value).rstrip("%")) <= 100 for value in values)


@pytest.mark.parametrize(
    ("answer", "faithful", "state"),
    [
        (Answer("(S (A a))"), 1, "valid"),
        (Answer("(S (A a))"), 0, "words"),
        (Answer("(S (A a))", ("fence", "unclosed")), 1, "around"),
        (Answer("(S (A a))", ("unclosed",)), 1, "brackets"),
        (Answer("(S (A a))", ("unclosed",), truncated=True), 1, "cut"),
        (Answer("", reason="no bracket"), 0, "none"),
    ],
)
def test_states_of_answers(answer, faithful, state):
    assert answer.state(faithful) == state


def test_pieces_of_an_answer():
    raw, text = "```\n(S (A a)\n", "(S (A a))"
    pieces = Answer(text, ("fence", "unclosed"), raw=raw).pieces()
    assert pieces == [("-", "```\n"), ("=", "(S (A a)"), ("-", "\n"), ("+", ")")]
    assert "".join(part for kind, part in pieces if kind != "+") == raw


def test_lists_of_answers_have_the_sentences_of_each_state_and_repair():
    evaluation = evaluate(*ANSWERS, **AS_ANSWERS)
    data = page_data(html_report(evaluation))
    counts = evaluation.total["answers"]
    for name, times in counts.repairs.items():
        assert len(data["groups"][f"repair:{name.replace('_', ' ')}"]) == times
    states = [number for name, some in data["groups"].items() if name.startswith("state:") for number in some]
    assert len(states) == counts.answers


def test_random_comparisons_are_right_pages():
    """Whatever systems there are, equal, empty or bad, the page closes its elements and has no NaN."""
    rng = random.Random(5)
    gold = list(make_treebank(12, 3))
    for _ in range(12):
        kinds = [gold, gold[::-1], ["(TOP)"] * 12, noisy_copies(1, 12)[1]["s00"]]
        systems = {f"s{k}": list(rng.choice(kinds)) for k in range(rng.choice((2, 3, 4, 7, 9)))}
        test = rng.choice((None, "bootstrap", "permutation", "sign"))
        how = {"test": test, "confidence": rng.choice((None, 0.9)), "samples": 50}
        text = compare(gold, systems, keep=True, analysis=True, **how).report("html")
        shown = Page(text)
        assert "nan" not in re.findall("[a-z]+", shown.text.lower())
        page_data(text)
