"""Pages of many systems in a real browser: order, the chosen two, all values, the table for a paper."""

from __future__ import annotations

import random

import pytest

from jpevalb import compare
from tests.benchmarks.treebank import perturb_parse
from tests.support.report_pages import page_data, treebank_pair

NAMES = [f"parser-of-size-{k}-trained-long.mrg" for k in range(8)]


@pytest.fixture(scope="module")
def result():
    """Eight systems, each with more errors than the one before it, except that the last is the best."""
    gold, system = treebank_pair(60)
    rng = random.Random(1)
    systems = [system]
    for _ in NAMES[2:]:
        systems.append([perturb_parse(tree, rng) if rng.random() < 0.4 else tree for tree in systems[-1]])
    best = [one if k % 2 else other for k, (one, other) in enumerate(zip(gold, system))]
    return compare(gold, dict(zip(NAMES, [*systems, best])), keep=True, samples=200, analysis=True)


@pytest.fixture(scope="module")
def page(result):
    return result.report("html")


def test_long_names_end_where_all_differ(browser, page):
    assert page_data(page)["names"] == [f"parser-of-size-{k}" for k in range(8)]
    assert page_data(page)["fullNames"] == NAMES
    browser.open(page)
    assert browser.one(".keys .key").get_attribute("title") == NAMES[0]


def test_the_best_two_are_compared_and_drawn(browser, result, page):
    first, second = [NAMES.index(one.name) for one in result.ranked[:2]]
    browser.open(page)
    pair = f"#sentences?pair={first + 1}+{second + 1}"
    assert {one.get_dom_attribute("href") for one in browser.all('#measures .mark[data-tip^="Recall"]')} == {
        pair
    }
    short = [f"parser-of-size-{k}" for k in range(8)]
    title = f"{short[first]} and {short[second]} differ"
    assert browser.one("#measures-title").text == f"How do {title}?"
    assert browser.one("#sentences-title").text == f"Where {title} most"
    measures, _ = browser.all("#measures .fig")
    assert "not corrected for 8 tests" in measures.text
    one, two = result.ranked[:2]
    recall = next(
        row.text.split("\n") for row in browser.all("#measures .row") if row.text.startswith("Recall")
    )
    apart = 100 * (one["recall"] - two["recall"])
    assert recall[1:4] == [
        f"{100 * one['recall']:.2f}",
        f"{100 * two['recall']:.2f}",
        f"{apart:+.2f}".replace("-", "−"),
    ]
    (tests,) = [one for one in result.pairs if set(one.systems) == {NAMES[first], NAMES[second]}]
    assert recall[4] == f"{tests.p_values['recall']:.3f}"
    # A choice here is one of the list, and the other way round.
    choose = (
        "arguments[0].value = arguments[1]; arguments[0].dispatchEvent(new Event('change', {bubbles: true}))"
    )
    browser.js(choose, browser.all("#measures select")[1], "0" if 0 not in (first, second) else "3")
    other = 0 if 0 not in (first, second) else 3
    assert browser.one("#sentences-title").text == f"Where {short[first]} and {short[other]} differ most"
    assert browser.one("#measures-title").text == f"How do {short[first]} and {short[other]} differ?"
    browser.js(choose, browser.one('[data-part="second"]'), str(second))
    assert browser.one("#measures-title").text == f"How do {title}?"
    browser.js(choose, browser.one('[data-part="first"]'), "-1")
    assert browser.one("#measures-title").text == "How do two systems differ?"


def test_all_values_stand_beside_their_marks_best_first(browser, result, page):
    browser.open(page)
    order = [NAMES.index(one.name) for one in result.ranked]
    short = [f"parser-of-size-{k}" for k in order]
    for part, groups in (("causes", page_data(page)["byCause"]), ("labels", page_data(page)["byLabel"])):
        head, *rows = browser.all(f"#{part} .fig .row:not(.axis, .sum)")
        assert [one.text for one in head.find_elements("css selector", ".v")] == short
        values = {one["title"]: one["systems"] for one in groups}
        assert len(rows) > 3
        for row in rows:
            name = row.find_element("css selector", ".nm b, .nm .term").text
            shown = [one.text for one in row.find_elements("css selector", ".v")]
            assert shown == [f"{100 * values[name][k][0]:.2f}" for k in order]
            assert len(row.find_elements("css selector", ".mark")) == 8
    totals = browser.texts("#causes .row.total .v")
    assert totals == [f"{100 * (1 - one['f1']):.2f}" for one in result.ranked]
    assert browser.texts("#lengths .smalls .key") == short


def test_the_table_for_a_paper(browser, result, page):
    browser.open(page)
    texts = {
        one.get_attribute("aria-label"): one.get_attribute("textContent") for one in browser.all(".cite pre")
    }
    assert list(texts) == ["LaTeX", "Markdown", "CSV", "Signature", "Command"]
    head, *rows = texts["CSV"].splitlines()
    assert head == "system,group,precision,recall,f1,complete_match,struct_iou,node_accuracy,f1_low,f1_high"
    best = result.ranked[0]
    low, high = best.intervals["f1"]
    first = rows[0].split(",")
    assert first[1] == result.letters[best.name]
    assert [first[4], *first[-2:]] == [f"{100 * value:.2f}" for value in (best["f1"], low, high)]
    assert len(rows) == 8
    assert "\n\\midrule\n" in texts["LaTeX"]
    assert "200 resamples, p < 0.05 after Holm over 28 pairs" in texts["LaTeX"]
    assert texts["Signature"] == result.signature
    assert texts["Command"] == f"jpevalb gold {' '.join(NAMES)} -o report.html --samples 200"


def test_without_tests_nothing_is_filled_or_bold(browser):
    gold, system = treebank_pair(60)
    systems = {"one": gold, "two": system, "three": system}
    browser.open(compare(gold, systems, keep=True, test=None, analysis=True).report("html"))
    assert browser.all(".v.real") == []
    assert browser.all("main section:not(#lengths) .mark .mk:not(.filled)") == []
    assert "not tested" in browser.one("#causes figcaption").text
    assert browser.all(".group-letters") == []
