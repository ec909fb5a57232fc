"""Every reader on long runs of one text in every place of a file: the time grows with the length, at most."""

from __future__ import annotations

import time
from contextlib import suppress

import pytest

from jpevalb import JpevalbError, read
from jpevalb.formats.read import FORMATS

LENGTH = 10_000  # characters of a run; a quadratic reader takes half a second

PLACES = {
    "bracket": ["{}", "(S {})", "({} (N a))", "(S (N {}))", "{}(S (N a))", "(S (N a)){}", "(S (N a) {}"],
    "discbracket": ["{}", "(S 0={})", "(S {}=a)", "({} 0=a)", "(S 0=a)\t{}"],
    "export": [
        "{}",
        "#BOS 1\n{}\n#EOS 1",
        "#BOS {}\na\tN\t--\t--\t0\n#EOS 1",
        "#BOS 1\n{}\tN\t--\t--\t0\n#EOS 1",
        "#BOS 1\na\tN\t--\t--\t{}\n#EOS 1",
        "#BOS 1\n#500{}\tN\t--\t--\t0\n#EOS 1",
    ],
    "tigerxml": ["{}", '<s id="s1"><graph root="a">{}</graph></s>', '<s id="{}"><graph><t {}', "<corpus {}"],
    "alpino": [
        "{}",
        '<alpino_ds><node cat="top"><node pt="n" word="{}" begin="0" end="1"/></node></alpino_ds>',
        '<alpino_ds><node cat="top"><node pt="n" word="a" begin="{}" end="1"/></node></alpino_ds>',
        "<?xml {}",
    ],
    "nbest": [
        "{}",
        "2 0\n{}\n(S (N a))",
        "2 0\n-1\t{}\n(S (N a))",
        "2 0\n-1\n(S {})",
        "{} 0\n-1\n(S (N a))",
        "# Parse {}\n(S (N a))",
    ],
    "jsonl": [
        "{}",
        '{{"output": "{}"}}',
        '{{"output": "{}',
        '[{{"output": "{}',
        '[{{"output": "(S (N a))"}}, {}',
        '{{"output": {}}}',
    ],
    "corenlp": ["{}", '{{"sentences": [{{"parse": "{}"}}]}}', '{{"sentences"{}: [', '{{"sentences": {}'],
    "answers": ["{}", "Tree: {}(S (N a))", "(S (N {}))", "(S (N a)){}", "```{}(S (N a))```", "(S (N a) {}"],
    "tokens": ["{}", "1\t{}\ta\tN\tN\t_\t0\ta\t_\t_", "1-{}\ta\ta\tN\tN\t_\t0\ta\t_\t_"],
    "conllu": ["{}", "# sent_id = {}\n# constituency = {}\n1\ta\ta\tN\tN\t_\t0\ta\t_\t_"],
    "conll2012": ["{}", "#begin document ({}); part 0\na {} 0 {} N (S*)"],
    "corenlp-text": ["{}", "Sentence #1 (1 tokens):\n{}\n(S (N a))"],
    "unlabeled": ["{}", '["a", {}]', "(a {})"],
    "text": ["{}", "a {}"],
    "table": ["{}", "{}\t(S (N a))", "a\t(S {})", 'a,"(S {}'],
    "onf": ["{}", "Plain sentence:\nTree:\n{}", "Plain sentence:\nTree:\n(S {})"],
    "sejong": ["{}", "(S {}/NNG + a/JK)", "(S a/NNG + {})"],
    "lists": ["{}", '["S", {}]', '["S", "{}"]', '["(S {})"'],
}
RUNS = (
    *"a1 ().=\"\\<>&'-[]{}#%_`:,\t/+*|~Aé\u00a0\uff08",
    *(
        '\\"',
        "\\n",
        "<a ",
        "<a>",
        "</a>",
        "a ",
        "( ",
        "(a ",
        "a)",
        "a=",
        "1.",
        "1 ",
        "```",
        "((",
        "()",
        "\\(",
    ),
    *("(a b) ", "(A (", "1=a ", '"a":'),
)


def trees(folder, text, format):
    """Return the trees of a file with this text."""
    (folder / "file").write_text(text, encoding="utf-8")
    return list(read(folder / "file", format=format))


def test_every_format_has_places():
    assert set(PLACES) == set(FORMATS)


@pytest.mark.parametrize("detected", [False, True], ids=["named", "detected"])
@pytest.mark.parametrize("format", PLACES)
def test_time_is_linear(format, detected, tmp_path):
    if detected and format not in ("bracket", "nbest", "jsonl", "alpino", "answers"):
        pytest.skip("the readers that look furthest ahead")
    path = tmp_path / "file"
    for place in PLACES[format]:
        for run in RUNS:
            text = place.format(*[run * (LENGTH // len(run))] * 3)
            repairs = {"repair": True} if format in ("jsonl", "answers") and not detected else {}
            path.write_text(text, encoding="utf-8")
            begin = time.process_time()
            with suppress(JpevalbError):
                list(read(path, **({} if detected else {"format": format}), **repairs))
            assert time.process_time() - begin < 0.5, (place, run)


@pytest.mark.parametrize(
    ("format", "text", "message"),
    [
        (
            "alpino",
            f'<alpino_ds><node cat="top"><node word="a" begin="{"1" * 5000}"/></node></alpino_ds>',
            "has begin='1111",
        ),
        ("tokens", f"1-{'9' * 5000}\ta\ta\tN\tN\t_\t0\ta\t_\t_", "is no row of CoNLL-U"),
    ],
)
def test_numbers_of_thousands_of_digits(format, text, message, tmp_path):
    with pytest.raises(JpevalbError, match=message):
        trees(tmp_path, text, format)


def test_a_text_that_is_not_closed_hides_no_later_bracket_of_its_record(tmp_path):
    # The array ends, so the error is the record's.
    with pytest.raises(JpevalbError, match=r"record 1: invalid JSON"):
        trees(tmp_path, '[{"output": "(S a}, {"output": "(S (N a))"}]', "jsonl")


def test_a_number_and_a_tab_inside_of_a_tree_are_words(tmp_path):
    [tree] = trees(tmp_path, "1 0\n-1\n(S 5\t(N a))", "nbest")
    assert tree.words == ("5", "a")


@pytest.mark.parametrize(
    ("text", "message"),
    [("[" * 100_000, "nested too deeply"), (f"[{'9' * 5000}]", "a number has too many digits")],
)
@pytest.mark.parametrize(("format", "record"), [("jsonl", '{{"output": {}}}'), ("unlabeled", "{}")])
def test_json_beyond_python_s_limits(format, record, text, message, tmp_path):
    with pytest.raises(JpevalbError, match=f"invalid JSON: {message}"):
        trees(tmp_path, record.format(text), format)
