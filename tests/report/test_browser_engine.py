"""The engine of the charts in a real browser: axes, layouts, files, tips, and pages without their script."""

from __future__ import annotations

import json
from xml.etree import ElementTree

import pytest

from jpevalb import compare
from tests.support.report_pages import compared_page, made_page, treebank_pair


@pytest.fixture(scope="module")
def single():
    return made_page(60)


@pytest.fixture(scope="module")
def three():
    return compared_page(60, analysis=True)


AXES = {
    # Equal figures have an axis of one point; rates stay between 0 and 100, and ticks are seven at most.
    "equal rates": ([1, 1], {"rate": True}, (0.99, 1, 0.002)),
    "no rates": ([0, 0], {"rate": True, "zero": True}, (0, 0.01, 0.002)),
    "equal differences": ([0, 0], {"zero": True}, (-0.006, 0.006, 0.002)),
    "from the first to the last step": ([0.1, 0.7], {"rate": True}, (0.1, 0.7, 0.1)),
    "over seven steps": ([0.09, 0.71], {"rate": True}, (0, 0.8, 0.2)),
    "of undefined figures": ([None, None], {"rate": True}, (0, 0.01, 0.002)),
    "in fewer steps": ([0.52, 0.98], {"rate": True, "steps": 4}, (0.4, 1, 0.2)),
}


@pytest.mark.parametrize("name", AXES)
def test_an_axis_has_few_nice_steps(browser, three, name):
    values, how, expected = AXES[name]
    browser.open(three)
    ticks = browser.js(f"return Charts.axis({json.dumps(values)}, {json.dumps(how)}).ticks")
    assert (ticks[0], ticks[-1], ticks[1] - ticks[0]) == pytest.approx(expected)
    assert len(ticks) <= 7


SIZES = """
    const small = [];
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node; (node = walk.nextNode());) {
      const one = node.parentElement;
      const size = parseFloat(getComputedStyle(one).fontSize);
      const shown = node.textContent.trim() && one.checkVisibility() && one.closest("figure");
      if (shown && size < 12) small.push(one.outerHTML);
    }
    return small;
"""


@pytest.mark.parametrize("width", [1440, 1024, 768, 390])
@pytest.mark.parametrize("systems", [1, 3, 8])
def test_figures_fit_and_are_legible(browser, single, three, width, systems):
    gold, system = treebank_pair(20)
    page = single if systems == 1 else three
    if systems == 8:
        eight = {f"a long name {k}": system for k in range(8)}
        page = compare(gold, eight, keep=True, samples=20, analysis=True).report("html")
    browser.open(page, width=width)
    assert browser.js(SIZES) == []
    assert browser.js("return document.documentElement.scrollWidth") <= width
    # Every number is beside or below its plot, and none is cut.
    cut = browser.js(
        "return [...document.querySelectorAll('figure .row:not(.head) .v')].filter((one) => "
        "one.checkVisibility() && one.scrollWidth > one.clientWidth + 1).map((one) => one.textContent)"
    )
    assert cut == []
    numbers = browser.js(
        "return [...document.querySelectorAll('figure .total .v')].map((one) => one.innerText)"
    )
    if systems > 1:
        assert len(numbers) == systems
        assert all(float(text) >= 0 for text in numbers)


FILES = """
    const done = arguments[arguments.length - 1];
    const kept = [];
    URL.createObjectURL = (blob) => { kept.push([blob.type, blob.text()]); return "#"; };
    HTMLAnchorElement.prototype.click = function () { kept[kept.length - 1].unshift(this.download); };
    for (const one of document.querySelectorAll("details")) one.open = true;
    for (const button of document.querySelectorAll(arguments[0])) button.click();
    Promise.all(kept.map(async ([name, type, text]) => [name, type, await text])).then(done);
"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_figure_is_saved_as_drawn(browser, three, single, scheme):
    for page in (three, single):
        browser.open(page)
        browser.media(prefers_color_scheme=scheme)
        figures = len(browser.all("main figure"))
        saved = browser.driver.execute_async_script(FILES, "figure .exports button:last-child")
        assert len(saved) == figures > 1
        texts = browser.texts("main figure figcaption")
        for name, kind, text in saved:
            assert name.endswith(".svg")
            assert kind == "image/svg+xml"
            root = ElementTree.fromstring(text)
            kinds = [one.tag.rpartition("}")[2] for one in root.iter()]
            assert kinds.count("text") > 3
            assert {"rect", "text"} < set(kinds)
            ground = next(one for one in root.iter() if one.tag.endswith("rect")).get("fill")
            assert ground == ("rgb(255, 255, 255)" if scheme == "light" else "rgb(27, 31, 37)")
            assert not any(word in text for word in ("color(", "var(", "light-dark", "class=", "CSV"))
            size = float(root.get("width")), float(root.get("height"))
            for one in root.iter():
                if one.tag.endswith("text"):
                    assert 0 <= float(one.get("x")) <= size[0]
                    assert 0 <= float(one.get("y")) <= size[1] + 1
        words = " ".join(text for *_, text in saved)
        assert all(text.split()[0] in words for text in texts)


def test_every_table_is_saved(browser, three):
    browser.open(three)
    tables = browser.js("return document.querySelectorAll('main table:not([data-part])').length")
    saved = browser.driver.execute_async_script(
        FILES, "main table ~ .exports button, .scroller + .exports button"
    )
    assert len(saved) == 2 * tables > 4
    of = {name: text for name, _, text in saved}
    assert of["f1-by-length.csv"].splitlines()[0] == "Length,Sentences,one,two,three"
    latex = of["f1-by-length.tex"].splitlines()
    assert latex[:3] == [r"\begin{tabular}{lrrrr}", r"\toprule", r"Length & Sentences & one & two & three \\"]
    assert latex[-2:] == [r"\bottomrule", r"\end{tabular}"]


def test_a_tap_shows_the_tip_first(browser, three):
    browser.open(three, width=390)
    mark = browser.one("#causes .mark[href]")
    browser.js("arguments[0].scrollIntoView({block: 'center'})", mark)
    box = mark.rect
    top = browser.js("return scrollY")
    at = [{"x": box["x"] + box["width"] / 2, "y": box["y"] - top + box["height"] / 2}]

    def tap():
        browser.driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": at})
        browser.driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    browser.driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True})
    try:
        tap()
        browser.wait(lambda: browser.one(".tip").is_displayed())
        assert browser.one(".tip").text.startswith(mark.get_attribute("data-tip").split("\n")[0])
        assert browser.one(".tip a").get_dom_attribute("href") == mark.get_dom_attribute("href")
        assert browser.js("return [location.hash, scrollY]") == ["", top]
        browser.press("\ue00c")
        assert not browser.one(".tip").is_displayed()
        tap()
        browser.wait(lambda: browser.one(".tip").is_displayed())
        browser.one(".tip a").click()
        browser.wait(lambda: "cause=" in browser.js("return location.hash"))
        browser.wait(lambda: not browser.one(".tip").is_displayed())
    finally:
        browser.driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": False})


def test_without_the_script_all_tables_are_open(browser, three, single):
    for page in (three, single):
        text = page[: page.rindex("<script>")]
        folds = text.count("<details")
        assert text.count("<details open") + text.count('<details class="figures-table" open') >= folds - 1
