"""The picture of two trees in a real browser: places, pointing and keys."""

from __future__ import annotations

import itertools
import re

import pytest

from jpevalb import evaluate
from tests.support import gapped
from tests.support.report_pages import GOLD, SYSTEM, WAR
from tests.support.with_gaps import evaluate_with_gaps

PICTURE = """
    const svg = document.querySelector(`${arguments[0]} svg.trees`);
    const box = (one) => { const b = one.getBBox(); return [b.x, b.y, b.x + b.width, b.y + b.height]; };
    const point = (path, at) => { const p = path.getPointAtLength(at); return [p.x, p.y]; };
    const line = (path) => {
      const length = path.getTotalLength();
      const name = path.getAttribute("class") ?? "";
      return { class: name, from: point(path, 0), to: point(path, length), length };
    };
    const name = (one) => one.dataset.side + one.dataset.node;
    const sideOf = (side) => {
      const root = svg.querySelector(`.side.${side}`);
      return {
        nodes: Object.fromEntries([...root.querySelectorAll(".node")].map((one) => [one.dataset.node, {
          box: box(one.querySelector(".shape")), text: box(one.querySelector("text")),
          label: one.querySelector("text").textContent,
          numerals: [...one.querySelectorAll(".numeral")].map((badge) =>
            [badge.textContent, box(badge.querySelector("circle")), box(badge.querySelector("text"))]),
        }])),
        words: [...root.querySelectorAll(".word")].map((one) => ({
          text: one.firstChild.textContent, box: box(one), unit: Number(one.dataset.unit),
          kind: one.getAttribute("class"),
        })),
        edges: [...root.querySelectorAll(".edge")].map(line),
      };
    };
    return {
      view: svg.getAttribute("viewBox").split(" ").map(Number),
      gold: sideOf("gold"), system: sideOf("system"),
      bands: [...svg.querySelectorAll(".band")].map((one) => [box(one), one.getAttribute("class")]),
      links: [...svg.querySelectorAll(".links .link")].map((one) => ({
        kind: one.getAttribute("class"), lines: [...one.querySelectorAll("path")].map(line),
        dots: [...one.querySelectorAll("circle")].map(box),
      })),
      headings: [...svg.querySelectorAll(".heading")].map((one) => [one.textContent, box(one)]),
      breaks: [...svg.querySelectorAll(".break line")].map((one) => ({
        ends: ["x1", "y1", "x2", "y2"].map((key) => Number(one.getAttribute(key))),
        ground: box(one.nextElementSibling), text: box(one.nextElementSibling.nextElementSibling),
      })),
      all: [...svg.querySelectorAll(".shape, text, circle, line, .edge, .link path")].map(box),
    };
"""

TOKENS = "(TOP (S (NP (PRP we)) (VP (MD ca) (RB n't) (VP (VB wait) (ADVP (RB longer))))))"
JOINED = "(TOP (S (NP (PRP we)) (VP (MD cannot) (VP (VB wait) (NP (RB longer))))))"
DEEP = "(TOP (S (A (B (C (T a) (T b)) (T c)) (D (E (T d)))) (F (T e) (T f)) (T g)))"
FLAT = "(TOP (S (A (T a) (T b) (T c) (D (T d))) (G (F (T e) (T f)) (T g))))"
LONG = (
    "(TOP (S (NP (D the) (N man)) (VP (V saw) (NP (D a) (N incomprehensibilities)) (PP (P on) (NP (N tv))))))"
)
RTL, RTL_SYSTEM = GOLD[4], SYSTEM[4]
PAIRS = {
    "same words": (DEEP, FLAT),
    "other tokens": (TOKENS, JOINED),
    "right to left": (GOLD[5], SYSTEM[5]),
    "right to left, other tokens": (RTL, RTL_SYSTEM),
    "long words": (LONG, LONG.replace("(P on)", "(P upon)").replace("(D the) (N man)", "(N theman)")),
    "long labels": (
        "(TOP (S (INCOMPREHENSIBLE (T a)) (B (INDESCRIBABLE (X b)) (T c)) (T d)))",
        "(TOP (S (B (INCOMPREHENSIBLE (INDESCRIBABLE (LABEL a))) (X b)) (T c) (UNBELIEVABLY d)))",
    ),
    "gold alone": (GOLD[3], SYSTEM[3]),
}


def drawn(browser, pair, layout, **options):
    """The picture of a pair in a layout, and both trees."""
    gold, system = pair
    result = evaluate([gold], [system], pair="order", **options)
    browser.open(result.report("html"))
    browser.layout(layout)
    browser.toggle(1)
    (sentence,) = result.sentences
    return browser.js(PICTURE, "#pair-1"), (sentence.gold, sentence.system)


def flipped(box, across, mirror):
    """A box as (along the words, away from them); `mirror` is the width, for text from right to left."""
    x1, y1, x2, y2 = box
    if mirror is not None:
        x1, x2 = mirror - x2, mirror - x1
    return (x1, y1, x2, y2) if across else (y1, x1, y2, x2)


def centre(box):
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2


def near(value, by=1.6):
    return pytest.approx(value, abs=by)


def children_of(tree):
    """The children of each node, those below 0 are words."""
    found = [[] for _ in tree.labels]
    for node, parent in enumerate(tree.parents):
        if parent >= 0:
            found[parent].append(node)
    for word, parent in enumerate(tree.word_parents):
        found[parent].append(~word)
    return found


def first_word(children, node):
    return ~node if node < 0 else min(first_word(children, child) for child in children[node])


@pytest.mark.parametrize("layout", ["down", "across"])
@pytest.mark.parametrize("name", PAIRS)
def test_where_everything_is(browser, name, layout):
    """Parents are over the middle of their children, lines join them, and all of it is in the picture."""
    across, alone = layout == "across", name == "gold alone"
    picture, trees = drawn(browser, PAIRS[name], layout)
    _, _, width, height = picture["view"]
    for box in picture["all"]:
        assert -1 <= box[0] <= box[2] <= width + 1
        assert -1 <= box[1] <= box[3] <= height + 1
    mirror = width if name.startswith("right to left") else None

    def turned(box):
        return flipped(box, across, mirror)

    shared = picture["system"]["words"] == [] and not alone
    middles = []
    for side, tree in zip(("gold", "system"), trees):
        got = picture[side]
        nodes = {int(node): turned(one["box"]) for node, one in got["nodes"].items()}
        if alone and side == "system":
            assert nodes == {}
            continue
        # The root never counts.
        assert sorted(nodes) == list(range(1, len(tree.labels)))
        for one, other in itertools.combinations(nodes.values(), 2):
            apart = [max(one[k], other[k]) - min(one[k + 2], other[k + 2]) for k in (0, 1)]
            assert max(apart) >= 0
        words = [turned(one["box"]) for one in (picture["gold"] if shared else got)["words"]]
        assert len(words) == len(tree.words)
        along = [centre(box)[0] for box in words]
        assert along == sorted(along)
        children = children_of(tree)
        out = 1 if centre(nodes[1])[1] > centre(words[0])[1] else -1
        assert out == (1 if side == "system" else -1)
        middles.append(centre(words[0])[1])
        expected = []
        for node, box in nodes.items():
            below = sorted(children[node], key=lambda child: first_word(children, child))
            ends = [along[~one] if one < 0 else centre(nodes[one])[0] for one in (below[0], below[-1])]
            assert centre(box)[0] == near(sum(ends) / 2)
            # The text is in the middle of its box.
            label = turned(got["nodes"][str(node)]["text"])
            assert centre(label) == (near(centre(box)[0], 3), near(centre(box)[1], 3))
            assert box[0] <= label[0] + 3
            assert label[2] - 3 <= box[2]
            depth = box[3] - box[1] if across else box[2] - box[0]
            assert depth == near(16 if tree.preterminals[node] else 19, 0.1)
            inner = box[1] if out > 0 else box[3]
            for child in below:
                if child < 0:
                    word = words[~child]
                    middle = centre(word)[1]
                    reach = 11 if across else (word[3] - word[1]) / 2 + 5
                    end = middle + out * reach
                else:
                    outer = nodes[child][3] if out > 0 else nodes[child][1]
                    end = outer
                    # A level lies farther away than what is below it.
                    assert (inner - outer) * out >= 6
                start = centre(box)[1] - out * 9.5 if across else inner
                expected.append(
                    ((centre(box)[0], start), (along[~child] if child < 0 else centre(nodes[child])[0], end))
                )
        edges = []
        for one in got["edges"]:
            start, end = (turned((*one[key], *one[key]))[:2] for key in ("from", "to"))
            edges.append((start, end))
            # A line has two turns at most, and never goes back.
            straight = abs(start[0] - end[0]) + abs(start[1] - end[1])
            bend = 0 if abs(start[0] - end[0]) < 1 else 2.7
            assert straight - bend - 0.5 <= one["length"] <= straight + 1.2
        assert len(edges) == len(expected) == len(nodes) - 1 + len(tree.words)
        for (x1, y1), (x2, y2) in expected:
            found = [
                1
                for start, end in edges
                if abs(start[0] - x1) + abs(end[0] - x2) < 2
                and abs(start[1] - y1) < 2
                and abs(end[1] - y2) < 6
            ]
            assert found, ((x1, y1), (x2, y2), edges)
        tags = [box for node, box in nodes.items() if tree.preterminals[node]]
        assert len({round(centre(box)[1]) for box in tags}) == 1
        assert sum("to-tag" in one["class"] for one in got["edges"]) == len(tags)
        assert sum("to-word" in one["class"] for one in got["edges"]) == len(tree.words)
    check_words(picture, across, turned, shared, alone, middles)


def check_words(picture, across, turned, shared, alone, middles):
    """Check the bands, the links between words and the headings."""
    _, _, width, height = picture["view"]
    words = [one for side in ("gold", "system") for one in picture[side]["words"]]
    bands = [box for box, _ in picture["bands"]]
    for one in words:
        band, box = turned(bands[one["unit"]]), turned(one["box"])
        assert band[0] <= centre(box)[0] <= band[2]
    ends = sorted((turned(box)[0], turned(box)[2]) for box in bands)
    for (_, end), (start, _) in itertools.pairwise(ends):
        assert end == near(start, 0.1)
    for box in bands:
        _, low, _, high = flipped(box, across, None)
        assert (low, high) == (0, near(height if across else width, 1))
    places = sorted(turned(one["box"]) for one in picture["gold"]["words"])
    for before, after in itertools.pairwise(places):
        assert before[2] <= after[0] + (8 if not across else 0)
        if not across and len(bands) == len(places):
            assert centre(after)[0] - centre(before)[0] == near(25, 1)
    if shared or alone:
        assert picture["links"] == []
    else:
        assert middles[1] - middles[0] > 20
        joined = middles[0] + (middles[1] - middles[0]) / 2
        assert len(picture["links"]) == len(bands)
        for unit, link in enumerate(picture["links"]):
            own = {
                side: [one for one in picture[side]["words"] if one["unit"] == unit]
                for side in ("gold", "system")
            }
            plain = [len(one) for one in own.values()] == [1, 1]
            same = plain and own["gold"][0]["text"] == own["system"][0]["text"]
            assert link["kind"] == f"link {'same' if same else 'other' if plain else 'many'}"
            differs = {"differs" in one["kind"] for side in own.values() for one in side}
            assert differs == {not same}
            assert len(link["lines"]) == sum(map(len, own.values()))
            assert len(link["dots"]) == (not plain)
            middle = (turned(bands[unit])[0] + turned(bands[unit])[2]) / 2
            for dot in link["dots"]:
                assert centre(turned(dot)) == (near(middle, 0.2), near(joined, 60))
            for line, word in zip(link["lines"], [one for side in own.values() for one in side]):
                start, end = (turned((*line[key], *line[key]))[:2] for key in ("from", "to"))
                box = turned(word["box"])
                assert start[0] == near(centre(box)[0], 1)
                assert end[0] == near(middle, 0.2)
                # From the row of its word to the middle between the rows.
                assert abs(start[1] - end[1]) == near(21 if across else 27, 0.1)
                assert (start[1] < end[1]) == (word in own["gold"])
                direct = ((start[0] - end[0]) ** 2 + (start[1] - end[1]) ** 2) ** 0.5
                assert direct - 0.1 <= line["length"] <= 1.25 * direct + 0.1
    names = [text for text, _ in picture["headings"]]
    assert names == ["GOLD", "SYSTEM"]
    gold, system = (turned(box) for _, box in picture["headings"])
    assert gold[1] < system[1]
    # At the outer corners, where the text begins.
    if across:
        assert (gold[0], gold[3]) == (near(14), near(20, 3))
        assert (system[0], system[3]) == (near(14), near(height - 5, 4))
    else:
        assert (gold[1], gold[2]) == (near(14), near(20, 3))
        assert (system[3], system[2]) == (near(max(width, 220) - 14, 2), near(20, 3))


# -- gaps, sentence ends, repairs ------------------------------------------------------


def gapped_picture(browser, layout):
    result = evaluate_with_gaps(gapped.GOLD, gapped.SYSTEM)
    browser.open(result.report("html"))
    browser.layout(layout)
    browser.toggle(2)
    return browser.js(PICTURE, "#pair-2"), result.sentences[1].gold


@pytest.mark.parametrize("layout", ["down", "across"])
def test_nodes_with_gaps_are_over_their_first_block(browser, layout):
    across = layout == "across"
    picture, tree = gapped_picture(browser, layout)
    nodes = {int(node): flipped(one["box"], across, None) for node, one in picture["gold"]["nodes"].items()}
    words = [flipped(one["box"], across, None) for one in picture["gold"]["words"]]
    labels = {tree.labels[node]: box for node, box in nodes.items()}
    # "what did they say there about": VP has words 1, 4 and 6, its first child is word 1 alone.
    assert centre(labels["VP"])[0] == near(centre(words[0])[0])
    assert centre(labels["SQ"])[0] == near(sum(centre(words[k])[0] for k in (1, 2)) / 2)
    # It is farther from the words than what is in its gaps, and S than all.
    for inside in ("SQ", "NP", "PP", "VBD"):
        assert labels["VP"][3] < labels[inside][1] + 1
    assert labels["S"][3] < labels["VP"][1]
    assert all(word[2] <= after[0] + 8 for word, after in itertools.pairwise(words))
    if across:
        # A label over its first block has room there.
        assert labels["VP"][2] < labels["SQ"][0] or labels["VP"][3] < labels["SQ"][1]
    assert picture["gold"]["nodes"][str(tree.labels.index("VP"))]["label"] == "− VP ⋯⋯"


def test_lines_of_nodes_with_gaps_interrupt_the_others(browser):
    gapped_picture(browser, "down")
    order = """
        return [...document.querySelectorAll("#pair-2 .side.gold .edges > path")].map((one) =>
          [one.classList.contains("clear") ? "clear" : "line", one.getAttribute("d")]);
    """
    lines = browser.js(order)
    kinds = [kind for kind, _ in lines]
    assert kinds.count("clear") == kinds.count("line")
    # The ground of a node's lines is right before them.
    assert sorted(d for kind, d in lines if kind == "clear") == sorted(
        d for kind, d in lines if kind == "line"
    )
    blocks = re.findall("(?:clear )+(?:line )+", " ".join(kinds) + " ")
    assert all(block.count("clear") == block.count("line") for block in blocks)
    # The lines of the node with gaps are drawn last, over all others.
    vp = browser.js(PICTURE, "#pair-2")["gold"]["nodes"]
    (box,) = [one["box"] for one in vp.values() if one["label"] == "− VP ⋯⋯"]
    last = browser.js(PICTURE, "#pair-2")["gold"]["edges"][-3:]
    assert all(one["from"] == [near(box[2], 0.5), near(centre(box)[1], 0.5)] for one in last)


@pytest.mark.parametrize("layout", ["down", "across"])
@pytest.mark.parametrize("rtl", [False, True])
def test_the_line_where_a_sentence_ends(browser, layout, rtl):
    across = layout == "across"
    first, second = (GOLD[4], GOLD[5]) if rtl else (WAR, GOLD[1])
    gold = f"(TOP {first} {second})"
    browser.open(evaluate([first, second], [gold]).report("html", system_name="parser.mrg"))
    browser.layout(layout)
    browser.toggle(1)
    picture = browser.js(PICTURE, "#pair-1")
    width, height = picture["view"][2:]
    (line,) = picture["breaks"]
    count = len(re.findall(r"\([^() ]+ [^()]+\)", first))
    mirror = width if rtl else None
    places = sorted(flipped(one["box"], across, mirror) for one in picture["gold"]["words"])
    x1, y1, x2, y2 = line["ends"]
    a, b = (flipped((x, y, x, y), across, mirror) for x, y in ((x1, y1), (x2, y2)))
    # Between two words, farther apart than others; from the words of the system to the end of gold's side.
    assert a[0] == b[0] == near((centre(places[count - 1])[0] + centre(places[count])[0]) / 2, 8)
    assert places[count - 1][2] - 8 < a[0] < places[count][0] + 8
    assert a[1] > centre(places[0])[1] > b[1]
    ends = min(flipped(one["box"], across, mirror)[1] for one in picture["gold"]["nodes"].values())
    assert b[1] <= ends
    for box in (line["ground"], line["text"]):
        assert 0 <= box[0] < box[2] <= width
        assert 0 <= box[1] < box[3] <= height
    assert line["ground"][0] <= line["text"][0] + 1
    assert line["text"][2] <= line["ground"][2] + 1
    assert centre(line["ground"])[1] == near(centre(line["text"])[1], 3)
    assert line["ground"][1] <= y2 <= line["ground"][3]


@pytest.mark.parametrize("layout", ["down", "across"])
@pytest.mark.parametrize("rtl", [False, True])
def test_the_text_at_the_end_of_a_sentence_stays_in_the_picture(browser, layout, rtl):
    long, short = (GOLD[5], "(S (N א))") if rtl else (WAR, "(S (N x))")
    for pair in ([long, short], [short, long]):
        browser.open(evaluate(pair, [f"(TOP {' '.join(pair)})"]).report("html"))
        browser.layout(layout)
        browser.toggle(1)
        picture = browser.js(PICTURE, "#pair-1")
        (line,) = picture["breaks"]
        for box in (line["ground"], line["text"]):
            assert 0 <= box[0] < box[2] <= picture["view"][2]
        # It is as near to its line as the border allows.
        x = line["ends"][2]
        assert line["ground"][0] - 1 <= x <= line["ground"][2] + 1


@pytest.mark.parametrize("layout", ["down", "across"])
@pytest.mark.parametrize("rtl", [False, True])
def test_roofs_are_between_a_node_and_its_words(browser, layout, rtl):
    across = layout == "across"
    words = ("ה", "ילד", "בא", "עם") if rtl else ("the", "cat", "saw", "it")
    gold = "(S (NP (D {}) (N {})) (VP (V {}) (P {})))".format(*words)
    drawn(browser, (gold, gold.replace("VP", "XP").replace("(V", "(X")), layout)
    browser.js("document.querySelector('#pair-1 .tools button').click()")
    picture = browser.js(PICTURE, "#pair-1")
    mirror = picture["view"][2] if rtl else None
    word = flipped(picture["gold"]["words"][0]["box"], across, mirror)
    for side, out in (("gold", -1), ("system", 1)):
        (roof,) = [one for one in picture[side]["edges"] if "roof" in one["class"]]
        box = flipped(picture[side]["nodes"]["1"]["box"], across, mirror)
        top = flipped((*roof["from"], *roof["from"]), across, mirror)[:2]
        inner = box[1 if out > 0 else 3]
        assert top == (near(centre(box)[0]), near(inner))
        corners = """
            const path = document.querySelector(arguments[0]).getAttribute("d");
            return path.match(/-?[\\d.]+/g).map(Number);
        """
        *_, x2, y2, last = browser.js(corners, f"#pair-1 .side.{side} .roof")
        base = [(x2, y2), (last, y2) if across else (x2, last)]
        ends = [flipped((*one, *one), across, mirror)[:2] for one in base]
        low, high = sorted(end[0] for end in ends)
        half = (word[2] - word[0]) / 2 if across else 9
        assert (low, high) == (near(centre(word)[0] - half, 2), near(centre(word)[0] + half, 2))
        # The base is at the word, on the side of its node, and inside of it.
        reach = 11 if across else (word[3] - word[1]) / 2 + 5
        for end in ends:
            assert end[1] == near(centre(word)[1] + out * reach, 6)
            assert (inner - end[1]) * out > 0


@pytest.mark.parametrize("layout", ["down", "across"])
@pytest.mark.parametrize("rtl", [False, True])
def test_numbers_of_repairs_are_at_the_corners_of_nodes(browser, layout, rtl):
    words = ("ה", "ילד", "בא") if rtl else ("old", "man", "left")
    gold = "(S (NP (D the)) (NP (A {}) (N {})) (VP (V {})))".format(*words).replace(
        "the", "את" if rtl else "the"
    )
    system = "(S (NP (D the) (A {}) (N {})) (VP (V {})))".format(*words).replace(
        "the", "את" if rtl else "the"
    )
    picture, _ = drawn(browser, (system, gold), layout)
    found = []
    for side in ("gold", "system"):
        right = (side == "gold") != (rtl and layout == "down")
        for node in picture[side]["nodes"].values():
            for number, (text, circle, label) in enumerate(node["numerals"]):
                found.append(text)
                corner = node["box"][2 if right else 0]
                step = (1 - 15 * number) * (1 if right else -1)
                assert centre(circle) == (near(corner + step, 0.3), near(centre(node["box"])[1] - 11, 0.3))
                assert centre(label) == (near(centre(circle)[0], 1.5), near(centre(circle)[1], 1.5))
                assert circle[2] - circle[0] == near(15, 0.1)
    assert sorted(found) == ["1", "2"]


# -- pointing and keys -----------------------------------------------------------------

LIGHT = """
    const svg = document.querySelector("#pair-1 svg.trees");
    const all = (selector) => [...svg.querySelectorAll(selector)];
    const names = (selector) => all(selector).map((one) => one.dataset.side + one.dataset.node);
    const places = (selector) => all(selector).flatMap((one, i) => (one.matches(".on") ? [i] : []));
    return {
      lit: svg.classList.contains("lit"), hot: names(".hot"), linked: names(".linked"),
      words: places(".side.gold .word").concat(places(".side.system .word").map((place) => -1 - place)),
      bands: places(".band"), links: places(".link"),
      edges: ["gold", "system"].map((side) => svg.querySelectorAll(`.side.${side} .edge.on`).length),
      reading: document.querySelector("#pair-1 .reading").textContent,
    };
"""
HINT = "Point at a node or a word to see what it is aligned with; arrow keys and Enter do the same."
DARK = {
    **{"lit": False, "hot": [], "linked": [], "words": [], "bands": [], "links": [], "edges": [0, 0]},
    "reading": HINT,
}


def point(browser, selector, kind="pointerover"):
    browser.js(
        "document.querySelector(`#pair-1 ${arguments[0]}`)"
        ".dispatchEvent(new PointerEvent(arguments[1], { bubbles: true }))",
        *(selector, kind),
    )


def node(side, number):
    return f'.node[data-side="{side}"][data-node="{number}"]'


@pytest.mark.parametrize("layout", ["down", "across"])
def test_what_pointing_lights_up(browser, layout):
    """By hand: in gold VP is node 4, in the system 4 too; `ca n't` is aligned with `cannot`."""
    drawn(browser, (TOKENS, JOINED), layout)
    assert browser.js(LIGHT) == DARK
    point(browser, node("gold", 2))
    assert browser.js(LIGHT) == {
        **{
            "lit": True,
            "hot": ["gold2"],
            "linked": ["system2"],
            "words": [0, -1],
            "bands": [0],
            "links": [0],
        },
        **{"edges": [2, 2], "reading": "NP in the gold tree, word 1: we — matched; aligned with NP."},
    }
    point(browser, node("gold", 4))
    assert browser.js(LIGHT) == {
        **{"lit": True, "hot": ["gold4"], "linked": ["system4"]},
        **{"words": [1, 2, 3, 4, -2, -3, -4], "bands": [1, 2, 3], "links": [1, 2, 3], "edges": [10, 8]},
        "reading": "VP in the gold tree, words 2–5: ca n't wait longer — matched; aligned with VP, "
        "words 2–4.",
    }
    point(browser, node("gold", 9))
    assert browser.js(LIGHT) == {
        **{"lit": True, "hot": ["gold9"], "linked": [], "words": [4, -4], "bands": [3], "links": [3]},
        **{"edges": [2, 0], "reading": "ADVP in the gold tree, word 5: longer — missed by the system."},
    }
    point(browser, node("system", 8))
    assert (
        browser.js(LIGHT)["reading"] == "NP in the system tree, word 4: longer — extra in the system’s tree."
    )
    assert browser.js(LIGHT)["edges"] == [0, 2]
    point(browser, node("gold", 3))
    reading = "PRP in the gold tree, word 1: we — tag; aligned with PRP."
    assert browser.js(LIGHT)["reading"] == reading
    point(browser, ".side.gold .word:nth-of-type(2)")
    assert browser.js(LIGHT) == {
        **{
            "lit": True,
            "hot": [],
            "linked": [],
            "words": [1, 2, -2],
            "bands": [1],
            "links": [1],
            "edges": [0, 0],
        },
        "reading": "ca n't is aligned with cannot.",
    }
    point(browser, ".side.system .word:nth-of-type(1)")
    assert browser.js(LIGHT)["reading"] == "we is the same on both sides."
    point(browser, ".side.system .word:nth-of-type(1)", "pointerout")
    assert browser.js(LIGHT) == DARK


def test_a_click_keeps_the_light(browser):
    drawn(browser, (TOKENS, JOINED), "down")

    def click(selector):
        browser.js(
            "document.querySelector(`#pair-1 ${arguments[0]}`)"
            ".dispatchEvent(new MouseEvent('click', { bubbles: true }))",
            selector,
        )

    for selector, name in (
        (node("gold", 2), "gold2"),
        (node("gold", 4), "gold4"),
        (node("system", 4), "system4"),
    ):
        click(selector)
        point(browser, selector, "pointerout")
        assert browser.js(LIGHT)["hot"] == [name]
    point(browser, node("gold", 2))
    assert browser.js(LIGHT)["hot"] == ["gold2"]
    point(browser, node("gold", 2), "pointerout")
    assert browser.js(LIGHT)["hot"] == ["system4"]
    point(browser, ".band", "pointerout")
    # A second click ends it, and a click beside the nodes.
    click(node("system", 4))
    assert browser.js(LIGHT) == DARK
    click(node("gold", 4))
    click(".band")
    assert browser.js(LIGHT) == DARK
    click(node("gold", 4))
    browser.js(f"document.querySelector('#pair-1 {node('gold', 4)}').focus()")
    browser.press("\ue00c")
    browser.js("document.activeElement.blur()")
    assert browser.js(LIGHT) == DARK


FOCUS = (
    "const one = document.activeElement; return one.matches('.node') && one.dataset.side + one.dataset.node"
)
STOPS = """
    return [...document.querySelectorAll('#pair-1 .node[tabindex="0"]')].map((one) =>
      one.dataset.side + one.dataset.node);
"""
LEFT, UP, RIGHT, DOWN, HOME, ENTER, SPACE = "\ue012", "\ue013", "\ue014", "\ue015", "\ue011", "\ue007", " "


def walk(browser, *steps):
    """Press keys, and check which node has the focus after each of them."""
    for key, expected in steps:
        browser.press(key)
        assert browser.js(FOCUS) == expected, (key, expected)
        assert browser.js(STOPS) == [expected]
        assert browser.js(LIGHT)["hot"] == [expected]


@pytest.mark.parametrize("rtl", [False, True])
@pytest.mark.parametrize("layout", ["down", "across"])
def test_arrows_go_where_they_point(browser, layout, rtl):
    """Towards the words a child, away from them the parent, along them the next node of the level."""
    gold = "(S (A (B (T a)) (C (T b))) (D (T c)) (E (T d)))"
    if rtl:
        for letter, sign in zip("abcd", "אבגד"):
            gold = gold.replace(f"T {letter})", f"T {sign})")
    drawn(browser, (gold, gold.replace("D", "F")), layout)
    # Nodes: S 0, A 1, B 2, T 3, C 4, T 5, D 6, T 7, E 8, T 9
    if layout == "down":
        inner, outer, on, back = RIGHT, LEFT, DOWN, UP
        if rtl:
            inner, outer = outer, inner
        system_inner, system_outer = outer, inner
    else:
        inner, outer, on, back = DOWN, UP, RIGHT, LEFT
        if rtl:
            on, back = back, on
        system_inner, system_outer = UP, DOWN
    browser.js("document.querySelector('#pair-1 .node[tabindex=\"0\"]').focus()")
    walk(
        browser,
        *((inner, "gold1"), (inner, "gold2"), (on, "gold4"), (on, "gold6"), (on, "gold8"), (on, "gold8")),
        *(
            (back, "gold6"),
            (back, "gold4"),
            (back, "gold2"),
            (back, "gold2"),
            (inner, "gold3"),
            (inner, "gold3"),
        ),
        *((on, "gold5"), (outer, "gold4"), (outer, "gold1"), (outer, "gold0"), (outer, "gold0")),
        *((inner, "gold1"), (ENTER, "system1"), (system_inner, "system2"), (on, "system4"), (SPACE, "gold4")),
        *((on, "gold6"), (ENTER, "gold6"), (HOME, "gold0"), (SPACE, "system0"), (system_inner, "system1")),
        *((system_outer, "system0"), ("x", "system0")),
    )
    # Keys that do nothing here are the page's.
    taken = """
        const event = new KeyboardEvent("keydown", { key: arguments[0], bubbles: true, cancelable: true });
        document.activeElement.dispatchEvent(event);
        return event.defaultPrevented;
    """
    assert {key: browser.js(taken, key) for key in ("x", "ArrowUp", "Home", "Escape", "+")} == {
        **{"x": False, "ArrowUp": True, "Home": True, "Escape": True},
        "+": False,
    }
