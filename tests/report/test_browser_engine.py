"""The engine of the charts in a real browser: axes, layouts, files, tips, and pages without their script."""

from __future__ import annotations

import json

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
