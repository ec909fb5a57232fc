"""HTML pages for tests, and a parser of their contents."""

from __future__ import annotations

import base64
import hashlib
import json
import random
import re
import zlib
from html.parser import HTMLParser

from jpevalb import Tree, compare, evaluate
from jpevalb.page.collected import FIELDS
from jpevalb.page.report import packed
from tests.benchmarks.treebank import make_treebank, perturb_parse


def html_report(evaluation, **names):
    return evaluation.report("html", **names)


VOID = {"meta", "link", "input", "br", "hr", "img"}

# Trees in which every kind of mark comes up: sentence 1 has a missed, an extra and a
# crossing constituent and another tag; 2 is complete; 3 has other tokens; 4 has no
# system text; 5 and 6 are written from right to left.
GOLD = [
    "(TOP (S (NP-SBJ (DT the) (NN cat)) (VP (VBD saw) (NP (NP (DT a) (NN dog))"
    " (PP (IN with) (NP (NN glee))))) (. .)))",
    "(TOP (S (NP (NNS dogs)) (VP (VBP bark))))",
    "(TOP (S (NP (PRP we)) (VP (MD ca) (RB n't) (VP (VB wait) (ADVP (RB longer))))))",
    "(TOP (S (NP (NN nobody)) (VP (VBD answered) (NP (DT the) (JJ urgent) (NN question)))))",
    "(TOP (S (NP (DT ה) (NN ילד)) (VP (VB אכל) (NP (AT את) (NP (DT ה) (NN תפוח)))) (PU .)))",
    "(ROOT (S (VP (VBD كتب) (NP-SBJ (NN الولد)) (NP (NN الدرس)) (PP (IN في) (NP (NN البيت)))) (PU .)))",
]
SYSTEM = [
    "(TOP (S (NP (DT the) (NN cat)) (VP (VP (VBD saw) (NP (DT a) (NN dog)))"
    " (PP (IN with) (ADVP (RB glee)))) (. .)))",
    "(TOP (S (NP (NNS dogs)) (VP (VBP bark))))",
    "(TOP (S (NP (PRP we)) (VP (MD cannot) (VP (VB wait) (NP (RB longer))))))",
    "(TOP)",
    "(TOP (S (NP (DT ה) (NN ילד)) (VP (VB אכל) (NP (AT את) (NN התפוח))) (PU .)))",
    "(ROOT (S (VP (VBD كتب) (NP-SBJ (NN الولد)) (NP (NP (NN الدرس)) (PP (IN في) (NP (NN البيت))))) (PU .)))",
]

# The phrase "on tv" hangs at the verb or at the noun.
WAR = "(S (NP (N we)) (VP (V saw) (NP (D a) (N war)) (PP (P on) (NP (N tv)))))"
TV_WAR = "(S (NP (N we)) (VP (V saw) (NP (NP (D a) (N war)) (PP (P on) (NP (N tv))))))"

HOSTILE = [
    "<script>alert(1)</script>",
    "</script><img/src=x/onerror=alert(1)>",
    "<!--",
    "--><script>",
    "]]>",
    '"quoted"',
    "it's",
    "&amp;&lt;",
    "{{7*7}}",
    "{%raw%}",
    "a\u2028b\u2029c",
    "nul\x00byte",
    "bell\x07",
    "\udc80lone",
    "\u202ereversed",
    "\\u003c",
    "`${7*7}`",
]
"""Words and labels that a careless page would take for markup."""


def treebank_pair(sentences: int = 60, seed: int = 3) -> tuple[list[str], list[str]]:
    """A made-up treebank and a parser-like copy of it."""
    gold = list(make_treebank(sentences, seed))
    rng = random.Random(f"page {seed}")
    return gold, [perturb_parse(line, rng) for line in gold]


def made_page(sentences: int = 60, seed: int = 3, **options) -> str:
    """The page of a made-up treebank and a parser-like copy of it."""
    return html_report(evaluate(*treebank_pair(sentences, seed)), **options)


def compared_page(sentences: int = 60, seed: int = 3, **options) -> str:
    """The page of three parser-like copies of a made-up treebank."""
    gold = list(make_treebank(sentences, seed))
    systems = {}
    for name in ("one", "two", "three"):
        rng = random.Random(f"page {seed} {name}")
        systems[name] = [perturb_parse(line, rng) for line in gold]
    options = {"samples": 100, "analysis": True, **options}
    return compare(gold, systems, keep=True, **options).report("html")


class Page(HTMLParser):
    """Reads a page; its elements must close as they open."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, list[str]] = {}
        self.seen: list[str] = []
        self.comments: list[str] = []
        self._open: list[str] = []
        self.feed(text)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag, attrs):
        names = [name for name, _ in attrs]
        assert len(names) == len(set(names)), f"<{tag}> has an attribute twice: {names}"
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self._open, f"</{tag}> closes nothing"
        assert self._open.pop() == tag

    def handle_data(self, data):
        if self._open:
            self.texts.setdefault(self._open[-1], []).append(data)
            if self._open[-1] not in ("script", "style"):
                self.seen.append(data)

    def handle_comment(self, data):
        self.comments.append(data)

    def named(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.elements if name == tag]

    @property
    def text(self) -> str:
        """The visible text, with single blanks."""
        return " ".join(" ".join(self.seen).split())


_DATA = re.compile('(<script type="text/plain" id="data">)(.*?)(</script>)', re.DOTALL)


def page_data(text: str) -> dict:
    """The data in a page, and the rows of each system as dicts."""
    found = _DATA.search(text)
    assert found is not None
    data = json.loads(zlib.decompress(base64.b64decode(found[2])))
    units = data.get("units", ())
    data["rows"] = [
        [row_dict(row) for unit in units for row in unit[2 + k]] for k in range(len(data["names"]))
    ]
    return data


def with_data(text: str, **changes) -> str:
    """The page with other values in its data, so that a test of its script states its own figures."""
    data = json.loads(zlib.decompress(base64.b64decode(_DATA.search(text)[2])))
    return _DATA.sub(lambda found: f"{found[1]}{packed({**data, **changes})}{found[3]}", text)


def row_dict(row: list) -> dict:
    """Return a row of a sentence by field, with the zeros that it leaves out at its end."""
    found = dict(zip(FIELDS, [*row, *[0] * (len(FIELDS) - len(row))], strict=True))
    return {**found, "notes": found["notes"] or []}


def assets_of(text: str) -> tuple[str, str]:
    """Return the script and the style of a page; its policy must allow these two and no others."""
    assets = []
    for tag in ("script", "style"):
        (asset,) = re.findall(f"<{tag}>(.*?)</{tag}>", text, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(asset.encode()).digest()).decode()
        assert re.findall(f"; {tag}-src ([^;]*);", text) == [f"'sha256-{digest}'"]
        assets.append(asset)
    return assets[0], assets[1]


def without_assets(text: str) -> str:
    """Return a page without its script, its style and their digests: its data as text, and its markup."""
    assets_of(text)
    # Versions of zlib compress to other bytes.
    text = _DATA.sub(lambda found: zlib.decompress(base64.b64decode(found[2])).decode(), text)
    text = re.sub("-src 'sha256-[^']*'", "-src 'sha256-'", text)
    return re.sub("<(script|style)>.*?</", r"<\1></", text, flags=re.DOTALL)


def words_of(row: dict, side: str) -> list[str]:
    """The words of one side of a row."""
    words = row["goldWords"] if side == "gold" or row["systemWords"] == 0 else row["systemWords"]
    return words.split(" ") if isinstance(words, str) else words


def hostile_trees(labels, words):
    """One flat tree a label, over all the words."""
    count = len(words)
    return [
        Tree(
            ("TOP", label, *["NN"] * count),
            (-1, 0, *[1] * count),
            (0, 0, *range(count)),
            (count, count, *range(1, count + 1)),
            tuple(words),
            tuple(range(2, count + 2)),
        )
        for label in labels
    ]


def noisy_copies(count: int, sentences: int) -> tuple[list[str], dict[str, list[str]]]:
    """A made-up treebank and parser-like copies of it, each worse than the one before."""
    gold = list(make_treebank(sentences, 3))
    systems = {}
    for k in range(count):
        rng = random.Random(f"copy {k}")
        systems[f"s{k:02d}"] = [perturb_parse(line, rng, 0.04 + 0.02 * k) for line in gold]
    return gold, systems
