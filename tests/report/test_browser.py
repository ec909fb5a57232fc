"""The questions that a reader asks a page, in a real browser: what is listed, drawn, linked and exported."""

from __future__ import annotations

import os
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from jpevalb import compare, evaluate
from jpevalb.trees.tree import Tree
from tests.support.commands import ROOT
from tests.support.report_pages import (
    GOLD,
    HOSTILE,
    SYSTEM,
    TV_WAR,
    WAR,
    hostile_trees,
    html_report,
    noisy_copies,
    page_data,
    treebank_pair,
    with_data,
)

WIDTHS = (1440, 1024, 768, 390)


def copies(count: int, sentences: int = 40, **options) -> str:
    gold, systems = noisy_copies(count, sentences)
    options = {"samples": 2000, "test": "permutation", "analysis": True, **options}
    return compare(gold, systems, keep=True, **options).report("html")


def longest_names() -> str:
    """Two systems whose names of 80 letters have nothing in common."""
    gold, systems = noisy_copies(2, 40)
    names = ("x" * 80, "y" * 80)
    return compare(gold, dict(zip(names, systems.values())), keep=True, analysis=True).report("html")


def deep() -> str:
    """A tree 200 levels deep."""
    gold = "(S " + "(X " * 200 + "(T a)" + ")" * 200 + " (T b))"
    return html_report(evaluate([gold], [gold.replace("(T b)", "(Y (T b))")]))


def equal() -> str:
    """Three systems that are equal."""
    systems = dict.fromkeys("abc", [TV_WAR] * 20)
    return compare([WAR] * 20, systems, keep=True, analysis=True).report("html")


ANSWERS = [str(ROOT / "examples" / name) for name in ("gold.mrg", "answers.jsonl")]
MADE = {
    "one": lambda: html_report(evaluate(*treebank_pair(60))),
    "words": lambda: html_report(evaluate(GOLD, SYSTEM)),  # also Hebrew and Arabic
    "one sentence": lambda: html_report(evaluate([WAR], [TV_WAR])),
    "all right": lambda: html_report(evaluate([WAR] * 3, [WAR] * 3)),
    "all unparsed": lambda: html_report(evaluate([WAR] * 3, ["(TOP)"] * 3)),
    "answers": lambda: html_report(evaluate(*ANSWERS, format="jsonl", field="choices.0.message.content")),
    "gaps": lambda: html_report(
        evaluate(*[str(ROOT / "examples" / f"{name}.discbracket") for name in ("gold", "sys")])
    ),
    "hostile": lambda: html_report(
        evaluate(hostile_trees(HOSTILE, HOSTILE), hostile_trees(HOSTILE[1:] + HOSTILE[:1], HOSTILE))
    ),
    "deep": deep,
    "cjk": lambda: html_report(
        evaluate(["(IP (NP (NN 猫)) (VP (VV 睡觉)))"], ["(IP (NP (NN 猫) (VV 睡觉)))"])
    ),
    "two": lambda: copies(2),
    "three": lambda: copies(3),
    "six": lambda: copies(6),
    "eight": lambda: copies(8),
    "twelve": lambda: copies(12),
    "thirty": lambda: copies(30, 15),
    "equal": lambda: compare(
        [WAR] * 20, dict.fromkeys("abc", [TV_WAR] * 20), keep=True, analysis=True
    ).report("html"),
    "long names": longest_names,
}


@pytest.fixture(scope="module")
def pages():
    """Pages by name, made when they are asked for."""
    kept: dict[str, str] = {}

    def page(name: str) -> str:
        if name not in kept:
            kept[name] = MADE[name]()
        return kept[name]

    return page


# -- does everything fit, on every screen? -----------------------------------------------------

OUTSIDE = """
    const found = [];
    for (const one of document.querySelectorAll("body *")) {
      const scrolls = one.closest("svg, .scroll, .scroller, .hidden, nav, .dots, td.t > a");
      if (scrolls || !one.checkVisibility()) continue;
      const box = one.getBoundingClientRect();
      if (box.width && (box.right > innerWidth + 1 || box.left < -1)) found.push(one.outerHTML.slice(0, 90));
    }
    return [document.documentElement.scrollWidth <= innerWidth, found];
"""


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", MADE)
def test_nothing_is_wider_than_the_window(browser, pages, name, width):
    browser.open(pages(name), width=width)
    assert browser.js(OUTSIDE) == [True, []]


EMPTY_PLOTS = """
    return [...document.querySelectorAll("svg.mp, svg.pl, svg.strip")].filter((one) => one.checkVisibility()
      && (one.getBoundingClientRect().width < 40 || one.getBoundingClientRect().height < 6)).length;
"""


@pytest.mark.parametrize("name", ["one", "three", "six", "eight", "twelve", "thirty"])
def test_plots_have_room(browser, pages, name):
    browser.open(pages(name), width=1440)
    assert browser.js(EMPTY_PLOTS) == 0
    assert (
        browser.js(
            "return [...document.querySelectorAll('svg *')].filter((one) => "
            "[...one.attributes].some((a) => /NaN|undefined/.test(a.value))).length"
        )
        == 0
    )


SMALL = """
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), small = [];
    for (let node; (node = walk.nextNode());) {
      const one = node.parentElement;
      const shown = node.data.trim() && one.checkVisibility() && !one.closest("sup, .trees, .sample, script");
      const size = parseFloat(getComputedStyle(one).fontSize);
      if (shown && size && size < 11.9) small.push(one.outerHTML.slice(0, 80));
    }
    return small;
"""


@pytest.mark.parametrize("name", ["one", "answers", "three", "twelve", "thirty"])
@pytest.mark.parametrize("width", [1440, 390])
def test_text_is_legible(browser, pages, name, width):
    browser.open(pages(name), width=width)
    assert browser.js(SMALL) == []


def test_the_bar_at_the_top_is_not_clipped(browser, pages):
    """Its links are reachable at every width: they fit, or scroll."""
    for width in WIDTHS:
        browser.open(pages("three"), width=width)
        for link in browser.all("nav a"):
            browser.js("arguments[0].scrollIntoView({inline: 'nearest'})", link)
            box = browser.js("const b = arguments[0].getBoundingClientRect(); return [b.left, b.right]", link)
            assert -1 <= box[0] <= box[1] <= width + 1


def test_all_pairs_of_thirty_systems_are_in_one_grid(browser, pages):
    browser.open(pages("thirty"), width=1440)
    cells = browser.texts("#pairs td:not(.none)")
    assert len(cells) == 30 * 29 // 2
    assert browser.js(
        "const b = document.querySelector('#pairs .scroll'); return b.scrollWidth <= b.clientWidth"
    )


def test_heads_do_not_break_letter_by_letter_in_print(browser, pages):
    for name in ("three", "twelve"):
        browser.open(pages(name), width=720)
        browser.media("print")
        heights = browser.js(
            "return [...document.querySelectorAll('.board .hd')].filter((one) => one.checkVisibility())"
            ".map((one) => one.getBoundingClientRect().height / parseFloat(getComputedStyle(one).lineHeight))"
        )
        assert max(heights) < 4
        hidden = browser.js(
            "return [...document.querySelectorAll('.top, .pages, .tools, .menu')]"
            ".filter((one) => one.checkVisibility()).length"
        )
        assert hidden == 0
        browser.media()


# -- do links land where they point? -----------------------------------------------------------


@pytest.mark.parametrize("width", [1440, 390])
@pytest.mark.parametrize("name", ["one", "answers", "three", "twelve"])
def test_the_first_click_on_a_link_lands_on_its_section(browser, pages, name, width):
    for id in ("errors", "cite"):
        browser.open(pages(name), width=width)
        browser.js("document.querySelector(`nav a[href='#${arguments[0]}']`).click()", id)
        end = browser.js("return scrollY + innerHeight >= document.documentElement.scrollHeight - 2")
        assert abs(browser.top(f"#{id}") - 62) <= 2 or end


@pytest.mark.parametrize("width", [1440, 390])
def test_a_deep_link_lands_on_its_section(browser, pages, width):
    for address in ("#errors", "#errors?sentence=7", "#where", "#errors?show=&order=number&page=3"):
        browser.open(pages("one"), address=address, width=width)
        section = address[1:].partition("?")[0]
        assert abs(browser.top(f"#{section}") - 62) <= 2


def test_nothing_above_the_list_moves_when_a_sentence_is_drawn(browser, pages):
    browser.open(pages("one"), address="#errors?show=", width=1440)
    before = browser.top("#errors .finder"), browser.top(".one-sentence")
    for _ in range(4):
        browser.press("j")
        assert (browser.top("#errors .finder"), browser.top(".one-sentence")) == before
    browser.click('[data-part="on"]')
    assert browser.top(".one-sentence") - browser.top("#errors .finder") == before[1] - before[0]


# -- which sentences have this error? ----------------------------------------------------------


def test_a_cause_lists_its_sentences_and_draws_the_first(browser, pages):
    browser.open(pages("one"), width=1440)
    first = browser.one("#errors .pick").text
    assert browser.part("what") == first
    count = int(browser.one("#errors .rows [role=row]:nth-child(2) .v:last-child").text)
    assert browser.part("count") == f"{count} sentences"
    assert browser.part("range") == f"1–{min(count, len(browser.numbers()))} of {count}"
    browser.click("#errors [role=row]:nth-child(3) .pick")
    second = browser.one("#errors [role=row]:nth-child(3) .pick").text
    assert (browser.part("what"), browser.one("#errors .pick[aria-pressed=true]").text) == (second, second)
    assert browser.one(".one-sentence header b").text == f"Gold sentence {browser.numbers()[0]}"
    # A second press lists all.
    browser.click("#errors [role=row]:nth-child(3) .pick")
    assert (browser.part("what"), browser.part("count")) == ("all sentences", "60 sentences")


def test_every_page_of_the_list_is_reached(browser, pages):
    browser.open(pages("one"), address="#errors?show=&order=number", width=1440)
    seen = browser.numbers()
    while browser.one('[data-part="on"]').is_enabled():
        browser.click('[data-part="on"]')
        seen += browser.numbers()
    assert seen == [str(number) for number in range(1, 61)]


@pytest.mark.parametrize(("section", "selector"), [("where", ".rows"), ("where", ".rows:nth-of-type(1)")])
def test_lengths_and_labels_list_their_sentences(browser, pages, section, selector):
    browser.open(pages("one"), width=1440)
    rows = browser.js(
        "return [...document.querySelectorAll('#where [data-show^=length]')]"
        ".map((one) => [one.dataset.show, one.parentElement.querySelector('small').textContent])"
    )
    assert rows[0][0] == "length:1-10"
    total = 0
    for show, count in rows:
        browser.click(f'[data-show="{show}"]')
        assert browser.part("count").split()[0] == count
        total += int(count)
    assert total == 60
    label = browser.one("#where [data-show^=label]").get_attribute("data-show")
    browser.click(f'[data-show="{label}"]')
    assert browser.part("what") == label.partition(":")[2]
    wrong = [int(text) for text in browser.texts('[data-part="sents"] tbody td[data-h="wrong"]')]
    assert all(wrong)
    # The list has come into view.
    assert 0 <= browser.top("#errors .finder") < 900


def test_search_order_and_page_are_in_the_address_and_come_back(browser, pages):
    browser.open(pages("one"), width=1440)
    browser.click('[data-part="clear"]')
    browser.select("order", "number")
    browser.click('[data-part="on"]')
    assert browser.address() == "#errors?show=&order=number&page=2&sentence=11"
    listed = browser.numbers()
    browser.driver.refresh()
    browser.wait(lambda: browser.js("return document.documentElement.dataset.ready") == "true")
    assert (browser.numbers(), browser.part("range")) == (listed, "11–20 of 60")
    word = browser.texts('[data-part="sents"] tbody a')[0].split()[0]
    browser.type(word)
    browser.wait(lambda: f"q={word}" in browser.address())
    assert all(word.lower() in text.lower() for text in browser.texts('[data-part="sents"] tbody a'))
    # Behind a bracket a query is a label of either tree.
    browser.select("order", "number")
    browser.type("(sbar")
    browser.wait(lambda: "q=(sbar" in browser.address())
    trees = [[row["goldTree"], row["systemTree"] or ""] for row in page_data(pages("one"))["rows"][0]]
    sbar = [k for k, one in enumerate(page_data(pages("one"))["labels"]) if one.startswith("SBAR")]
    wanted = re.compile(rf"\((?:{'|'.join(map(str, sbar))})\D")
    count = sum(any(map(wanted.search, both)) for both in trees)
    assert browser.part("count") == f"{count} sentences"
    browser.type("no such words")
    browser.wait(lambda: browser.part("count") == "0 sentences")
    assert browser.one(".one-sentence").text == "No sentence."


def test_back_undoes_a_choice(browser, pages):
    browser.open(pages("one"), width=1440)
    first = browser.part("what")
    browser.click("#errors [role=row]:nth-child(4) .pick")
    second = browser.part("what")
    browser.click('[data-part="sents"] tbody tr:nth-child(3)')
    third = browser.one(".one-sentence header b").text
    browser.driver.back()
    browser.wait(lambda: browser.one(".one-sentence header b").text != third)
    assert browser.part("what") == second
    browser.driver.back()
    browser.wait(lambda: browser.part("what") == first)
    browser.driver.forward()
    browser.wait(lambda: browser.part("what") == second)


@pytest.mark.parametrize("name", ["one", "three", "answers"])
def test_an_address_that_means_nothing_shows_no_sentence(browser, pages, name):
    browser.open(pages(name), address="#errors?show=cause:none&pair=9+9&page=x&order=y&sentence=z")
    assert browser.part("count") == "0 sentences"
    browser.open(pages(name), address="#errors?show=nothing:known&q=(nolabel")
    assert browser.part("count") == "0 sentences"


def test_keys_go_from_sentence_to_sentence(browser, pages):
    browser.open(pages("one"), address="#errors?show=&order=number", width=1440)
    headers = []
    for key in "jjk":
        browser.press(key)
        headers.append(browser.one(".one-sentence header b").text)
    assert headers == [f"Gold sentence {number}" for number in (2, 3, 2)]
    browser.type("jk")
    browser.wait(lambda: "q=jk" in browser.address())


def test_the_clearest_sentences_come_first_and_the_shortest_last(browser, pages):
    browser.open(pages("one"), address="#errors?show=", width=1440)
    wrong, words = (
        [int(text) for text in browser.texts(f'[data-part="sents"] tbody td[data-h="{name}"]')]
        for name in ("wrong", "words")
    )
    keys = [a / (b + 10) for a, b in zip(wrong, words)]
    assert keys == sorted(keys, reverse=True)
    assert min(words) >= 5
    browser.select("order", "most")
    most = [int(text) for text in browser.texts('[data-part="sents"] tbody td[data-h="wrong"]')]
    assert most == sorted(most, reverse=True)


def test_a_page_says_how_many_sentences_it_keeps(browser, pages):
    browser.open(with_data(pages("one"), seen=20270), address="#errors?show=")
    assert browser.part("count") == "60 sentences, of 60 kept of 20,270"


def test_fifty_thousand_sentences_load_in_a_second(browser, pages):
    """Script and layout on the main thread, for 50,000 sentences of six words."""
    ((_, _, [row]),) = page_data(pages("one sentence"))["units"]
    count = 50_000
    units = [[k, k + 1, [[k + 1, k, k + 1, k, k + 1, *row[5:]]]] for k in range(count)]
    text = with_data(pages("one sentence"), units=units, seen=count)
    browser.driver.execute_cdp_cmd("Performance.enable", {})

    def spent() -> float:
        metrics = browser.driver.execute_cdp_cmd("Performance.getMetrics", {})["metrics"]
        return sum(one["value"] for one in metrics if one["name"] in ("ScriptDuration", "LayoutDuration"))

    before = spent()
    browser.open(text, width=1440)
    assert browser.part("count") == "50,000 sentences"
    assert spent() - before < 1


# -- which of two systems is right here? -------------------------------------------------------


def test_any_two_trees_are_compared(browser, pages):
    browser.open(pages("twelve"), width=1440)
    shown = [select.get_attribute("value") for select in browser.all("[data-side]")]
    assert browser.js("return [...document.querySelectorAll('[data-side]')].map((one) => one.value)") == shown
    browser.click('[data-side="1"] option[value="11"]')
    assert browser.texts(".side-name")[1] == "s11"
    assert "pair=0 11" in browser.address()
    browser.click('[data-side="0"] option[value="-1"]')
    assert browser.texts(".side-name") == ["gold", "s11"]
    # Gold is always the first tree, whichever select has it.
    browser.click('[data-side="0"] option[value="2"]')
    browser.click('[data-side="1"] option[value="-1"]')
    assert browser.texts(".side-name") == ["gold", "s02"]


def test_f1_of_all_systems_stands_in_every_row(browser, pages):
    browser.open(pages("three"), width=1440)
    assert len(browser.all('[data-part="sents"] tbody tr:first-child .dots svg')) == 3
    browser.open(pages("twelve"), width=1440)
    first = '[data-part="sents"] tbody tr:first-child .dots'
    assert (len(browser.all(f"{first} svg")), len(browser.all(f"{first} i"))) == (2, 10)


# -- what is wrong in this sentence? -----------------------------------------------------------


def test_corrections_are_in_words_and_in_the_trees(browser):
    browser.open(html_report(evaluate([WAR], [TV_WAR])), width=1440)
    (text,) = browser.texts(".corrections li")
    assert "PP on tv is attached to NP a war; in gold to VP saw" in text
    assert "corrects 1 bracket" in text
    assert browser.one(".words mark").text.endswith("on tv")
    assert len(browser.all(".trees .numeral")) == 2
    assert len(browser.all(".trees .edge.thick")) == 2
    assert browser.texts(".trees .node.extra > text") == ["+ NP"]
    browser.hover(browser.one(".corrections li"))
    assert browser.all(".trees .wanted")


def test_words_of_repair_and_correction(browser, pages):
    """Repairs are of answers; trees have corrections; nothing is called a bead."""
    for name in ("one", "words", "three", "answers", "gaps"):
        browser.open(pages(name), width=1440)
        text = browser.js("return document.body.innerText").lower()
        assert "bead" not in text.replace(browser.one("#c-sig").text, "") or "notes" in text
        assert "mend" not in text.replace("recommend", "")
        if name != "answers":
            assert "repair" not in text


def test_marks_of_both_trees(browser, pages):
    browser.open(pages("words"), address="#errors?show=&order=number&sentence=1", width=1440)
    if browser.one(".tools button").get_attribute("aria-pressed") == "true":
        browser.click(".tools button")
    found = {kind: browser.texts(f".trees .node.{kind} > text") for kind in ("missed", "extra", "crossing")}
    assert found == {"missed": ["− NP", "− NP"], "extra": ["+ ADVP"], "crossing": ["× VP"]}
    assert browser.texts(".trees .node.other-tag > text") == ["! NN", "! RB"]
    assert set(browser.texts(".legend li")) >= {"− NPmissing in system", "+ NPextra in system"}


def test_text_from_right_to_left_is_mirrored(browser, pages):
    browser.open(pages("words"), address="#errors?show=&sentence=5", width=1440)
    assert browser.texts(".side-name") == ["system", "gold"]
    assert browser.one(".one-sentence .words").get_attribute("dir") == "rtl"
    places = browser.js(
        "return ['gold', 'system'].map((side) => document.querySelector("
        "`.trees .side.${side} .node`).getBoundingClientRect().left)"
    )
    assert places[0] > places[1]


def test_correct_parts_are_folded_and_unfold(browser, pages):
    browser.open(pages("one"), address="#errors?show=&order=most", width=1440)
    folded = len(browser.all(".trees .word.folded"))
    if not folded:
        browser.click(".tools button")
        folded = len(browser.all(".trees .word.folded"))
    assert folded
    browser.js(
        "document.querySelector('.trees .word.folded').dispatchEvent("
        "new MouseEvent('click', {bubbles: true}))"
    )
    assert len(browser.all(".trees .word.folded")) < folded
    browser.click(".tools button")
    assert not browser.all(".trees .word.folded")


def test_keys_walk_in_the_trees(browser):
    browser.open(html_report(evaluate([WAR], [TV_WAR])), width=1440)
    browser.js("document.querySelector('.trees .node[tabindex=\"0\"]').focus()")
    assert browser.active().startswith("gold S, matched")
    browser.press("\ue014")  # to the right
    assert browser.active().startswith("gold NP, matched, words 1–1".replace("words 1–1", "word 1"))
    browser.press("\ue007")  # the aligned node of the other side
    assert browser.active().startswith("system NP, matched")
    assert browser.all(".trees .node.linked")


def test_a_deep_tree_and_a_very_large_one(browser, pages):
    browser.open(pages("deep"), width=1440)
    assert browser.js("const s = document.querySelector('.scroller'); return s.scrollWidth > s.clientWidth")
    wide = "(S " + "(X (T a) (T b)) " * 900 + ")"
    browser.open(
        html_report(evaluate([wide], [wide.replace("(X (T a) (T b))", "(Y (T a) (T b))")])), width=1440
    )
    assert "drawing it may take a while" in browser.one(".drawing").text
    browser.click(".drawing button")
    browser.wait(lambda: browser.all(".trees .node"))


def test_one_tree_at_a_time_on_a_phone(browser):
    browser.open(html_report(evaluate([WAR], [TV_WAR])), width=390)
    assert browser.texts(".side-name") == ["system"]
    browser.js("document.querySelector('.segments input[value=gold]').click()")
    assert browser.texts(".side-name") == ["gold"]


def test_joined_sentences_are_one_tree_with_a_line_between(browser):
    gold = ["(S (A a) (B b))", "(S (C c) (D d))"]
    browser.open(html_report(evaluate(gold, ["(S (S (A a) (B b)) (S (C c) (D d)))"])), width=1440)
    assert browser.one(".one-sentence header").text.startswith("Gold sentences 1–2")
    assert len(browser.all(".trees .break")) == 1


def test_words_of_the_files_are_text(browser, pages):
    browser.open(pages("hostile"), address="#errors?show=", width=1440)
    assert browser.js("return document.querySelectorAll('img, main script').length") == 0
    assert "alert(1)" in browser.one(".one-sentence .words").text


# -- what is wrong with the answers? -----------------------------------------------------------


def test_a_square_opens_its_answer(browser, pages):
    browser.open(pages("answers"), width=1440)
    squares = browser.js(
        "return [...document.querySelectorAll('.sq')].map((one) => [one.dataset.show, one.dataset.number])"
    )
    assert len(squares) == 4
    for show, number in squares:
        browser.js("document.querySelector(`.sq[data-number='${arguments[0]}']`).click()", number)
        assert f"show={show}" in browser.address() or show == browser.js("return 'state'")
        assert browser.one(".one-sentence header b").text == f"Gold sentence {number}"
    (broken,) = [number for show, number in squares if show == "state:cut"] or [squares[2][1]]
    browser.js("document.querySelector(`.sq[data-number='${arguments[0]}']`).click()", broken)
    assert browser.all(".raw ins, .raw del")
    browser.click("#answers .pick")
    assert browser.part("what") == browser.one("#answers .pick").text


# -- can I take it with me? --------------------------------------------------------------------

EXPORTS = """
    const files = [];
    Export.file = (text, type, name) => files.push([name, type, text]);
    for (const button of document.querySelectorAll("[data-export]")) button.click();
    return files;
"""


@pytest.mark.parametrize(
    "name", ["one", "answers", "gaps", "three", "twelve", "equal", "all right", "long names"]
)
def test_every_section_is_exported(browser, pages, name):
    browser.open(pages(name), width=1440)
    files = browser.js("const f = Export.file; try {" + EXPORTS + "} finally { Export.file = f; }")
    sections = browser.js("return [...document.querySelectorAll('section:has(.menu)')].map((one) => one.id)")
    names = [file for file, *_ in files]
    assert {file.rsplit("-", 1)[1].split(".")[0] for file in names} == set(sections)
    assert all(len(file) <= 40 for file in names)
    assert {Path(file).suffix for file in names} == {".csv", ".tex", ".svg"}
    for file, _, text in files:
        if not file.endswith(".svg"):
            continue
        assert "NaN" not in text
        root = ElementTree.fromstring(text)
        size = float(root.get("width")), float(root.get("height"))
        for element in root.iter():
            if (matrix := element.get("transform") or "").startswith("matrix("):
                x, y = map(float, matrix[7:-1].split()[4:])
                assert -1 <= x <= size[0] + 1
                assert -1 <= y <= size[1] + 1


def test_points_at_100_are_whole_in_the_svg(browser, pages):
    browser.open(pages("all right"), width=1440)
    files = browser.js("const f = Export.file; try {" + EXPORTS + "} finally { Export.file = f; }")
    (svg,) = [text for name, _, text in files if name.endswith("where.svg")]
    root = ElementTree.fromstring(svg)
    marks = [
        one for one in root.iter() if one.tag.endswith("path") and "matrix" in (one.get("transform") or "")
    ]
    assert marks
    width = float(root.get("width"))
    assert all(float(one.get("transform")[7:-1].split()[4]) + 6 <= width for one in marks)


def test_a_text_of_the_paper_is_copied(browser, pages):
    browser.open(pages("one"))
    browser.js("document.execCommand = () => true")
    browser.click('[data-copy="c-text"]')
    browser.wait(lambda: browser.one('[data-copy="c-text"]').text == "Copied")


# -- for everybody -----------------------------------------------------------------------------


def axe() -> str | None:
    """The script of axe-core; ``AXE_CORE`` names its file."""
    path = os.environ.get("AXE_CORE", "")
    return Path(path).read_text(encoding="utf-8") if path else None


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("name", [*MADE])
def test_axe_has_nothing_to_say(browser, pages, name, theme):
    script = axe()
    if script is None:
        pytest.skip("AXE_CORE does not name axe.min.js")
    browser.open(pages(name), width=1440)
    browser.js("document.documentElement.dataset.theme = arguments[0]", theme)
    browser.js(script)
    found = browser.driver.execute_async_script(
        "const done = arguments[0]; axe.run(document)"
        ".then((result) => done(result.violations.map((one) => [one.id, one.nodes[0].html])))"
    )
    assert found == []


def test_a_thousand_sentences_have_names_that_say_what_is_seen(browser, pages):
    """A button that shows 1,000 has no name with 1000."""
    browser.open(pages("one"), address="#errors?show=")
    wrong = browser.js(
        "return [...document.querySelectorAll('button[aria-label], a[aria-label]')].filter((one) => "
        "!one.getAttribute('aria-label').includes(one.textContent.trim())).map((one) => one.outerHTML)"
    )
    assert wrong == []


@pytest.mark.parametrize("name", ["one", "answers", "three", "twelve"])
def test_figures_stand_without_the_script(browser, pages, page_folder, name):
    text = pages(name)
    start = text.index("<script>")
    (page_folder / "plain.html").write_text(text[:start] + "</body></html>", encoding="utf-8")
    browser.driver.get((page_folder / "plain.html").as_uri())
    assert len(browser.all("section")) == text.count("<section")
    assert browser.js(EMPTY_PLOTS) == 0
    assert (
        browser.js(
            "return [...document.querySelectorAll('.menu')].filter((one) => one.checkVisibility()).length"
        )
        == 0
    )
    browser.errors()


def test_themes(browser, pages):
    browser.open(pages("one"))
    colours = []
    for _ in range(3):
        browser.click("#theme")
        colours.append(
            (browser.one("#theme").text, browser.js("return getComputedStyle(document.body).backgroundColor"))
        )
    assert [name for name, _ in colours] == ["Dark", "Light", "Auto"]
    assert colours[0][1] != colours[1][1]


def test_a_tip_says_the_interval(browser, pages):
    browser.open(pages("three"), width=1440)
    browser.hover(browser.one("#score .mp[data-tip]"))
    tip = browser.wait(lambda: browser.one(".tip") if browser.one(".tip").is_displayed() else None)
    assert tip.text.startswith("s00: F1 ")
    browser.press("\ue00c")
    assert not tip.is_displayed()


def test_a_tree_of_objects(browser):
    """Trees that no file has: the page decodes what the rows encode."""
    tree = Tree.build(["S", "X", "Y"], [-1, 0, 0], ["a", "b", "c"], [1, 2, 1])
    text = html_report(evaluate([tree], [tree], convention="discontinuous"))
    browser.open(text, width=1440)
    assert browser.texts(".trees .word") == ["a", "b", "c"]
    assert browser.texts(".trees .node .gaps") == [" ⋯", " ⋯"]
