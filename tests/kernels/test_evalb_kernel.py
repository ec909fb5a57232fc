"""The evalb kernel, compared with a slow scorer written from the definitions."""

from __future__ import annotations

import itertools
import random

import pytest
from hypothesis import given, settings, strategies as st

from jpevalb import Params, legacy
from jpevalb.legacy import engine
from jpevalb.legacy.engine import new_scorer

LABELS = ["S", "NP", "NP-SBJ", "VP", "PRT", "ADVP", "TOP", "X=1"]
TAGS = ["DT", "NN", "VB", ",", "-NONE-", "RB"]
WORDS = ["a", "b", "c"]


def read(line):
    """The tree as nested lists; a bracket is [label, children], a word (tag, word)."""
    root = ["", []]
    stack = [root]
    for token in line.replace("(", " ( ").replace(")", " ) ").split():
        if token == "(":
            node = [None, []]
            stack[-1][1].append(node)
            stack.append(node)
        elif token == ")":
            stack.pop()
        elif stack[-1][0] is None:
            stack[-1][0] = token
        else:
            stack[-1][1].append(token)
    return root[1]


def flatten(trees, params):
    """Words with tags, and brackets (label, start, end), as evalb counts them."""
    words, brackets = [], []

    def same(a, b):
        return a == b or (a, b) in params.eq_labels or (b, a) in params.eq_labels

    def walk(node):
        label, children = node
        if children and isinstance(children[0], str):
            if label not in params.delete_labels:
                words.append((label, children[0]))
            return
        place = len(brackets)
        brackets.append(None)
        start = len(words)
        for child in children:
            walk(child)
        short = label.split("-")[0].split("=")[0]
        if len(words) > start and not any(same(short, other) for other in params.delete_labels):
            brackets[place] = (short, start, len(words))

    for tree in trees:
        walk(tree)
    return words, [bracket for bracket in brackets if bracket]


def slow_score(gold_line, system_line, params):
    """(matched, gold, system, crossing, words, tags) by comparing everything with everything."""

    def same(a, b):
        return a == b or (a, b) in params.eq_labels or (b, a) in params.eq_labels

    gold_words, gold = flatten(read(gold_line), params)
    system_words, system = flatten(read(system_line), params)
    free = list(range(len(system)))
    matched = 0
    for label, start, end in gold:
        for j in free:
            if system[j][1:] == (start, end) and (not params.labeled or same(label, system[j][0])):
                free.remove(j)
                matched += 1
                break
    crossing = sum(any(s1 < s2 < e1 < e2 or s2 < s1 < e2 < e1 for _, s1, e1 in gold) for _, s2, e2 in system)
    tags = sum(same(a, b) for (a, _), (b, _) in zip(gold_words, system_words))
    return matched, len(gold), len(system), crossing, len(gold_words), tags


@st.composite
def tree_over(draw, words, tags):
    """A random tree over given words, as text."""
    items = [f"({tag} {word})" for tag, word in zip(tags, words)]

    def build(low, high, depth):
        label = draw(st.sampled_from(LABELS))
        if high - low == 1 and draw(st.booleans()):
            inside = items[low]
        elif depth > 6 or high - low == 1:
            inside = " ".join(items[low:high])
        else:
            cut = draw(st.integers(low, high))
            inside = " ".join(build(a, b, depth + 1) for a, b in ((low, cut), (cut, high)) if a < b)
        return f"({label} {inside})"

    return build(0, len(items), 0)


@st.composite
def tree_pairs(draw):
    n = draw(st.integers(1, 8))
    words = draw(st.lists(st.sampled_from(WORDS), min_size=n, max_size=n))
    tags = draw(st.lists(st.sampled_from(TAGS), min_size=n, max_size=n))
    # Deleted tags must agree, or the lengths differ.
    others = [
        tag if tag in (",", "-NONE-") else draw(st.sampled_from(["DT", "NN", "VB", "RB"])) for tag in tags
    ]
    return draw(tree_over(words, tags)), draw(tree_over(words, others))


PARAMS = [
    Params(),
    Params.load("COLLINS"),
    Params.load("COLLINS").replace(labeled=False),
    Params(eq_labels=(("NP", "VP"), ("VP", "ADVP"), ("DT", "NN")), delete_labels=("PRT", ",", "S")),
    Params(eq_labels=(("ADVP", "PRT"),), delete_labels=("ADVP", "-NONE-")),
]


@given(pair=tree_pairs(), which=st.integers(0, len(PARAMS) - 1))
@settings(max_examples=110, deadline=None)
def test_agrees_with_the_definitions(pair, which):
    gold, system = pair
    params = PARAMS[which]
    (row,) = legacy.evaluate([gold], [system], params).sentences
    if row.status == 2:
        assert not flatten(read(system), params)[0]
        return
    assert row.status == 0
    found = (row.matched, row.gold, row.system, row.crossing, row.words, row.tags)
    assert found == slow_score(gold, system, params)


def chain(rng, labels, inside):
    """A part under a chain of up to 20 brackets."""
    for _ in range(rng.randrange(20)):
        inside = f"({rng.choice(labels)} {inside})"
    return inside


@pytest.mark.parametrize("params", [*PARAMS, Params(eq_labels=(("A", "B"), ("B", "C")))])
def test_many_brackets_over_one_span(params):
    """Chains of labels that are equal, deleted and cut."""
    rng = random.Random(7)
    for _ in range(12):
        lines = []
        for labels in ([*"ABC", "NP", "VP-X"], [*"ABBD", "ADVP", "VP", "S"]):
            parts = [chain(rng, labels, f"(NN {word})") for word in "ab"]
            lines.append(chain(rng, labels, f"(X {' '.join(parts)} (NN c))"))
        (row,) = legacy.evaluate([lines[0]], [lines[1]], params).sentences
        found = (row.matched, row.gold, row.system, row.crossing, row.words, row.tags)
        assert found == slow_score(*lines, params)


def test_more_brackets_than_before_behind_marks_put_back():
    """One mark of gold is put back for each of the system's: there is room for more words than brackets."""
    params = Params(delete_labels=("``",), quote_labels=("``", "POS"))
    gold = ["(S (`` ') (NN a))", "(" * 30 + "(N a)" + ")" * 30]
    system = ["(S " + "(POS ') " * 60 + "(NN a))", gold[1]]
    first, second = legacy.evaluate(gold, system, params).sentences
    assert (first.status, first.words, first.matched) == (0, 61, 1)
    assert (second.status, second.words, second.matched) == (0, 1, 30)


def test_only_marks_of_the_c_program_are_put_back():
    """A tag for quotation marks makes none of another word, of one letter or of two marks."""
    params = Params(max_error=100, delete_labels=("``",), quote_labels=("``", "POS"))
    words = [chr(number) for number in range(33, 127) if number not in (40, 41)] + ["''", "``"]
    gold = [f"(S (`` {word}) (NN a))" for word in words]
    system = [f"(S (POS {word}) (NN a))" for word in words]
    rows = legacy.evaluate(gold, system, params).sentences
    assert [word for word, row in zip(words, rows, strict=True) if row.status == 0] == ['"', "'", "/"]
    assert {row.status for row in rows} == {0, 1}


@pytest.mark.parametrize("depth", [250, 5000])
def test_deeper_than_the_buffers_of_the_c_program(depth):
    line = "(S " * depth + "(NN a)" + ")" * depth
    other = "(S " * (depth - 1) + "(X (NN a))" + ")" * (depth - 1)
    (row,) = legacy.evaluate([line], [other]).sentences
    assert (row.matched, row.gold, row.system, row.crossing) == (depth - 1, depth, depth, 0)


def test_longer_than_the_buffers_of_the_c_program():
    words = 10_000
    line = "(S " + " ".join(f"(NN {'w' * 300}{i})" for i in range(words)) + ")"
    (row,) = legacy.evaluate([line], [line]).sentences
    assert (row.length, row.words, row.tags, row.matched) == (words, words, words, 1)
    label = "L" * 5000
    (row,) = legacy.evaluate([f"({label} (NN a))"], [f"({label} (NN a))"]).sentences
    assert row.matched == 1


def rows_and_messages(module, gold, system, params, spmrl, debug):
    scorer = module.EvalbScorer(params, True, 10, debug, spmrl, spmrl, -1)
    code = scorer.run(gold, 0, True, system, 0, True)
    return (
        code,
        scorer.take_rows().tolist(),
        scorer.take_messages(),
        scorer.take_trace(),
        (scorer.gold_place, scorer.test_place),
    )


ALPHABET = [
    "(",
    ")",
    " ",
    "\n",
    "S",
    "NP-X",
    "-NONE-",
    "=",
    "#",
    "'",
    '"',
    "/",
    "``",
    ",",
    "a",
    "\0",
    "\t",
    "é",
]


@given(
    gold=st.lists(st.sampled_from(ALPHABET), max_size=60).map("".join),
    system=st.lists(st.sampled_from(ALPHABET), max_size=60).map("".join),
    spmrl=st.booleans(),
    debug=st.sampled_from([0, 2]),
)
@settings(max_examples=100, deadline=None)
def test_both_implementations_agree_on_anything(gold, system, spmrl, debug):
    from tests.support.kernels import load_kernel

    params = (
        (b"-NONE-", b",", b"``"),
        (b"-NONE-",),
        (b"``", b"a", b"NP-X"),
        ((b"S", b"NP"),),
        ((b"a", b"b"),),
    )
    results = [
        rows_and_messages(load_kernel("evalb", kind), gold.encode(), system.encode(), params, spmrl, debug)
        for kind in ("compiled", "interpreted")
    ]
    assert results[0] == results[1]


# With three labels each more than the table takes.
LINES = 24_000


@pytest.mark.slow
@pytest.mark.parametrize("spmrl", [False, True])
def test_many_labels(kernel, spmrl):
    """The label table grows, and is emptied when it is full of labels that never come again."""
    lines = "\n".join(f"(L{i} (T{i} a) (T{i + 1}-x b))" for i in range(LINES)).encode()
    scorer = kernel("evalb").EvalbScorer(((b"T7",), (), (), (), ()), True, 10, 0, spmrl, False, -1)
    rows = []
    place = 0
    while scorer.run(lines, place, True, lines, place, True) == 1:
        rows += scorer.take_rows().tolist()
        place = scorer.gold_place
    rows += scorer.take_rows().tolist()
    status = [rows[at + 2 : at + 9] for at in range(0, len(rows), 9)]
    assert len(status) == LINES
    words = [2 if spmrl or i != 7 else 1 for i in range(LINES)]
    assert status == [[0, 1, 1, 1, 0, n, n] for n in words]


MARKS = ["``", "''", "POS", ":", "NN"]


def slow_repair(gold, system, deleted):
    """Both sides' tags after the repair of quotation marks, by trying every mark of gold with every mark
    of the system.  The sides are lists of tags; NN is a word, everything else a mark."""
    words = [[tag for tag in side if tag not in deleted] for side in (gold, system)]
    if len(words[0]) == len(words[1]):
        return words
    marks = [
        [
            [sum(other not in deleted for other in side[:at]), tag]
            for at, tag in enumerate(side)
            if tag != "NN"
        ]
        for side in (gold, system)
    ]

    def put_back(side, at):
        words[side].insert(marks[side][at][0], marks[side][at][1])
        for mark in marks[side][at:]:
            mark[0] += 1

    for j in range(len(marks[1])):
        for i in range(len(marks[0])):
            (place, tag), (other_place, other_tag) = marks[0][i], marks[1][j]
            if place == other_place and (tag in deleted) != (other_tag in deleted):
                put_back(*((0, i) if tag in deleted else (1, j)))
                break
    return words


def tables(scorer):
    """The words and the brackets of the last pair, for each side the rows of the tables of ``-d``."""
    *_, text = scorer.take_trace()
    words, _, brackets = text.decode().removesuffix("\n========\n").partition("\n\n")
    for lines, width in ((words.split("\n")[1:], 40), (brackets.split("\n"), 32)):
        sides = [line[:width] for line in lines], [line[width:] for line in lines]
        yield [[row.split() for row in side if row.strip()] for side in sides]


@given(
    gold=st.lists(st.sampled_from(MARKS), max_size=14),
    system=st.lists(st.sampled_from(MARKS), max_size=14),
    deleted=st.sets(st.sampled_from(MARKS[:4])),
    debug=st.sampled_from([1, 2]),
)
@settings(max_examples=100, deadline=None)
@pytest.mark.parametrize("kind", ["compiled", "interpreted"])
def test_quotation_marks_go_back_as_if_each_pair_were_tried(kind, gold, system, deleted, debug):
    from tests.support.kernels import load_kernel

    params = tuple(tag.encode() for tag in deleted), (), tuple(tag.encode() for tag in MARKS[:4]), (), ()
    scorer = load_kernel("evalb", kind).EvalbScorer(params, True, 10, debug, False, False, -1)
    lines = [" ".join(f"({tag} ')" for tag in [*side, "NN"]).encode() for side in (gold, system)]
    scorer.run(lines[0], 0, True, lines[1], 0, True)
    expected = slow_repair([*gold, "NN"], [*system, "NN"], deleted)
    words, _ = tables(scorer)
    assert [[row[4] for row in side] for side in words] == expected


def test_brackets_move_with_the_marks_put_back(kernel):
    """Inside a bracket a mark makes it longer, before it moves it; one mark at a time or all at once."""
    gold = b"(S (A (`` ') (NN a)) (B (NN b) (`` ')) (C (NN c)) (`` '))"
    system = b"(S (A (POS ') (NN a)) (B (NN b) (POS ')) (C (NN c)) (POS '))"
    for debug in (1, 2):
        params = (b"``",), (), (b"``", b"POS"), (), ()
        scorer = kernel("evalb").EvalbScorer(params, True, 10, debug, False, False, -1)
        scorer.run(gold, 0, True, system, 0, True)
        assert scorer.take_rows().tolist() == [1, 6, 0, 4, 4, 4, 0, 6, 3]
        _, (brackets, _) = tables(scorer)
        assert [row[4:6] for row in brackets] == [["0", "6"], ["0", "2"], ["2", "4"], ["4", "5"]]


def seconds(kernel, gold, system, *, delete=(), quote=(), eq_labels=(), eq_words=(), spmrl=False):
    """The rows of some lines, and the processor time they took."""
    import time

    raw = [tuple(text.encode() for text in texts) for texts in (delete, (), quote)]
    raw += [tuple((a.encode(), b.encode()) for a, b in pairs) for pairs in (eq_labels, eq_words)]
    scorer = kernel("evalb").EvalbScorer(tuple(raw), True, 10**6, 0, spmrl, spmrl, -1)
    rows = []
    begin = time.process_time()
    places = 0, 0
    while scorer.run(gold.encode(), places[0], True, system.encode(), places[1], True) == 1:
        rows += scorer.take_rows().tolist()
        places = scorer.gold_place, scorer.test_place
    rows += scorer.take_rows().tolist()
    return [tuple(rows[at : at + 9]) for at in range(0, len(rows), 9)], time.process_time() - begin


# Labels and words are looked up in tables, however many there are.
LINEAR = {
    "labels of one hash": (
        "(S " + " ".join(f"({''.join(two)} a)" for two in itertools.product(("Aa", "BB"), repeat=16)) + ")",
        "(S " + " ".join(f"({''.join(two)} a)" for two in itertools.product(("BB", "Aa"), repeat=16)) + ")",
        {},
        (1, 65_536, 0, 1, 1, 1, 0, 65_536, 0),
    ),
    "deleted labels, equal labels": (
        "\n".join(f"(A{i} (T{i} a))" for i in range(8000)),
        "\n".join(f"(A{i} (T{i} a))" for i in range(8000)),
        {
            "delete": [f"D{i}" for i in range(5000)],
            "eq_labels": [(f"E{i}", f"F{i}") for i in range(5000)],
        },
        (1, 1, 0, 1, 1, 1, 0, 1, 1),
    ),
    "more equal labels than the label table holds": (
        "(S (NN a))\n" * 300,
        "(S (NN a))\n" * 300,
        {"eq_labels": [(f"E{i}", f"F{i}") for i in range(40_000)]},
        (1, 1, 0, 1, 1, 1, 0, 1, 1),
    ),
    "equal words": (
        "(S " + "(A a) " * 50_000 + ")",
        "(S " + "(A b) " * 50_000 + ")",
        {"eq_words": [*((f"v{i}", f"w{i}") for i in range(5000)), ("b", "a")]},
        (1, 50_000, 0, 1, 1, 1, 0, 50_000, 50_000),
    ),
    "brackets of skipped lines": (
        "(S " + "(A (NN a)) " * 5000 + ")",
        "",
        {"delete": [f"D{i}" for i in range(5000)], "spmrl": True},
        (1, 5000, 3, 0, 5001 * 5001, 0, 0, 5000, 0),
    ),
}


@pytest.mark.parametrize("case", LINEAR)
def test_time_grows_with_the_length_only(kernel, case):
    gold, system, settings, expected = LINEAR[case]
    rows, time = seconds(kernel, gold, system or "\n", **settings)
    assert rows[0] == expected
    assert len(rows) == len(gold.splitlines())
    assert time < 15


# Brackets and marks are compared each with each, as in C: cases of n brackets or marks.
SQUARE = {
    "nested brackets": lambda n: (
        "(X " * n + "(NN a)" + ")" * n,
        "(X " * n + "(NN a)" + ")" * n,
        {},
        (1, 1, 0, n, n, n, 0, 1, 1),
    ),
    "long spans that cross": lambda n: (
        "(X " * n + "(NN a)" + " (NN a))" * n,
        "(X (NN a) " * n + "(NN a)" + ")" * n,
        {},
        (1, n + 1, 0, 1, n, n, n - 1, n + 1, n + 1),
    ),
    "labels of one span, the other way round": lambda n: (
        "".join(f"(L{521 * i} " for i in range(n)) + "(T a)" + ")" * n,
        "".join(f"(L{521 * i} " for i in reversed(range(n))) + "(T a)" + ")" * n,
        {"eq_labels": [(f"L{521 * i}", "X") for i in range(0, n, 100)]},
        (1, 1, 0, n, n, n, 0, 1, 1),
    ),
    "marks put back": lambda n: (
        "(S " + "(`` ') (NN a) " * n + ")",
        "(S " + "(POS ') (NN a) " * n + ")",
        {"delete": ["``"], "quote": ["``", "POS"]},
        (1, 2 * n, 0, 1, 1, 1, 0, 2 * n, n),
    ),
    "marks that stay": lambda n: (
        "(S (NN x) " + "(`` ') " * n + "(NN y))",
        "(S (NN x) " + "(`` ') " * n + ")",
        {"delete": ["``"], "quote": ["``"]},
        (1, n + 2, 1, 0, 0, 0, 0, 0, 0),
    ),
}


@pytest.mark.parametrize("case", SQUARE)
def test_ten_thousand_brackets_in_a_line(kernel, case):
    """They take less than a second, compiled, where no other process runs."""
    gold, system, settings, expected = SQUARE[case](10_000 if kernel("evalb").COMPILED else 300)
    rows, time = seconds(kernel, gold, system, **settings)
    assert rows == [expected]
    assert time < 5


def test_rates_are_printed_as_c_prints_them(kernel):
    """Whole-number rounding gives what %6.2f of the quotient gives, ties included."""
    rows = kernel("evalb")
    pairs = [
        (part, whole) for whole in [*range(1, 130), 160, 800, 1600, 32000] for part in range(0, whole + 1, 3)
    ]
    pairs += [(1, 32), (3, 32), (1, 160), (3, 800), (625, 20000), (1, 20000), (3, 20000), (7, 4_000_000)]
    numbers = memoryview(bytearray(72 * len(pairs))).cast("q")
    for at, (part, whole) in enumerate(pairs):
        numbers[9 * at + 7], numbers[9 * at + 8] = whole, part
    lines = rows.format_rows(numbers).decode().splitlines()
    for line, (part, whole) in zip(lines, pairs):
        assert line.split()[-3:] == [str(whole), str(part), f"{100.0 * part / whole:.2f}"]


def test_lines_may_end_anywhere_in_a_block(monkeypatch):
    """Blocks of a few bytes give what one block gives."""
    import io

    gold = b"(S (NP (DT the) (NN cat)) (VP (VBD slept)))\n(S (X (Y a)))\n\n(S (A b) (C d)" * 3
    system = b"(S (NP (DT the)) (VP (NN cat) (VBD slept)))\r\n(S (X (Y a)))\n()\n(S (A b) (C d))" * 3
    expected = None
    for size in (1 << 18, 1, 2, 7, 64):
        monkeypatch.setattr(engine, "BLOCK", size)
        scorer = new_scorer(Params())
        chunks = list(
            engine.run(
                scorer, *[engine.Stream(io.BytesIO(text), side) for side, text in enumerate((gold, system))]
            )
        )
        found = (
            [number for _, rows, *_ in chunks for number in rows.tolist()],
            [message[:2] for messages, *_ in chunks for message in messages],
        )
        expected = expected or found
        assert found == expected
    assert len(expected[0]) > 9 * 3


def test_a_giant_line_from_a_pipe_is_read_in_linear_time():
    """A pipe hands out a little at a time; what has been read must not be copied and searched again."""
    import time

    class Pipe:
        def __init__(self, size):
            self.left = size

        def read(self, _size):
            piece = b"x" * min(self.left, 1000)
            self.left -= len(piece)
            return piece

    stream = engine.Stream(Pipe(8_000_000), 0)
    begin = time.process_time()
    stream.fill()
    assert time.process_time() - begin < 5
    assert (len(stream.data), stream.ended, stream.empty) == (8_000_000, True, False)
