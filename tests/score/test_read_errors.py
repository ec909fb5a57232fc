"""Errors of files that cannot be read suggest an option that helps, for the side that failed."""

from __future__ import annotations

import pytest

import jpevalb
from jpevalb import InputError, TreeError
from tests.support import commands

EXPORT = b"#BOS 1\ncaf\xe9\tNN\t--\t--\t500\n#500\tS\t--\t--\t0\n#EOS 1\n"
XML = b'<corpus><s id="1"><graph><terminals><t id="t" word="a" pos="N"/></terminals></graph></s>'
LATIN = {
    "bracket": b"(S (NN caf\xe9))\n",
    "bracket over several lines": b"(S\n (NN caf\xe9))\n",
    "discbracket": b"(S (NN 0=caf\xe9))\n",
    "export": EXPORT,
    "answers": b'{"output": "(S (NN caf\xe9))"}\n',
    "array": b'[{"output": "(S (NN caf\xe9))"}]\n',
}
# File, and the end of the message of each side.
OTHERS = {
    "unclosed": (b"(S (NN a)\n", "1 ')' is missing"),
    "index": (b"(S (NN 0=a) (NN 0=b))\n", "each word has one index, from 0 to 1"),
    "node": (EXPORT.replace(b"\xe9", b"e").replace(b"500\n#500", b"501\n#500"), "one of its nodes"),
    "edge": (XML.replace(b"<graph>", b'<graph root="x">') + b"</corpus>", "not in the sentence"),
    "json": (b'{"output": \n', "expected a record, such as {...}"),
}
SKIP = "; use on_error='skip' to skip such sentences"


def raised(gold, system, **options):
    with pytest.raises((TreeError, jpevalb.InputError)) as caught:
        jpevalb.evaluate(str(gold), str(system), **options)
    return str(caught.value)


@pytest.fixture
def paths(tmp_path):
    """Write a file, or its readable form, for both sides; return the paths."""

    def write(data, side, readable):
        found = {}
        for name in ("gold", "sys"):
            found[name] = tmp_path / name
            found[name].write_bytes(data if name == side else readable)
        return found["gold"], found["sys"]

    return write


@pytest.mark.parametrize("side", ["gold", "sys"])
@pytest.mark.parametrize("case", LATIN)
def test_bytes_of_another_encoding(paths, case, side):
    data = LATIN[case]
    files = paths(data, side, data.decode("latin-1").encode("utf-8"))
    message = raised(*files, pair="order")
    advice = f"; try {side}_encoding='latin-1'"
    assert advice in message
    assert message.endswith(advice)
    found = jpevalb.evaluate(*map(str, files), pair="order", **{f"{side}_encoding": "latin-1"})
    assert [sentence.f1 for sentence in found.sentences] in ([1.0], [None])
    if case == "array":
        assert raised(*files, pair="order", on_error="skip") == message
    elif side == "sys":
        assert jpevalb.evaluate(*map(str, files), pair="order", on_error="skip").f1 in (0, None)
    else:
        assert "no sentence of gold has words" in raised(*files, pair="order", on_error="skip")


def test_most_characters_of_chinese_text_are_common(paths):
    """Common ones begin at 啊; the full stop is none of them."""
    encodings = {"啊": "gb18030", "啊你好。": "gb18030", "啊你好。。": "latin-1", "睜": "latin-1"}
    for word, encoding in encodings.items():
        files = paths(f"(S (NN {word}))\n".encode("gb18030"), "sys", b"(S (NN a))\n")
        assert raised(*files).endswith(f"; try sys_encoding='{encoding}'")


@pytest.mark.parametrize("side", ["gold", "sys"])
def test_utf16(paths, side):
    text = "(S (NN a))\n"
    files = paths(text.encode("utf-16"), side, text.encode())
    message = f"the file is UTF-16; try {side}_encoding='utf-16'"
    assert raised(*files) == f"{files[side == 'sys']}: {message}"
    assert raised(*files, on_error="skip").endswith(message)
    assert jpevalb.evaluate(*map(str, files), **{f"{side}_encoding": "utf-16"}).f1 == 1
    bracket = raised(*files, format="bracket")
    assert f"try {side}_encoding='utf-16'" in bracket


@pytest.mark.parametrize("side", ["gold", "sys"])
@pytest.mark.parametrize("case", OTHERS)
def test_a_sentence_that_can_be_skipped(paths, case, side):
    data, message = OTHERS[case]
    files = paths(data, side, b"(S (NN a))\n")
    assert raised(*files, pair="order").endswith(message + SKIP)
    if side == "gold":
        assert "no sentence of gold has words" in raised(*files, pair="order", on_error="skip")
    else:
        found = jpevalb.evaluate(*map(str, files), pair="order", on_error="skip")
        assert "--on-error" not in str(found.report("json"))


@pytest.mark.parametrize("data", [XML, b"#BOSX\n\xe9\n" + EXPORT.replace(b"\xe9", b"e")])
def test_a_file_that_cannot_be_skipped(paths, data):
    files = paths(data, "sys", b"(S (NN a))\n")
    assert "on-error" not in raised(*files, pair="order")
    assert raised(*files, pair="order", on_error="skip") == raised(*files, pair="order")


def test_the_field_of_either_side(paths):
    good, bad = b'{"output": "(S (NN a))"}\n', b'{"tree": "(S (NN a))"}\n'
    # A wrong field is wrong in each record: to skip them all would leave nothing.
    assert raised(*paths(bad, "gold", good)).endswith("; set gold_field='tree'")
    assert raised(*paths(bad, "sys", good)).endswith("; set field='tree'")


@pytest.mark.parametrize("side", ["gold", "sys"])
@pytest.mark.parametrize(
    ("text", "format", "problem"),
    [
        (b"The (cat) slept.\n", "bracket", "'The' outside a tree; expected '('"),
        (b"The cat slept.\n", "bracket", "'The' outside a tree; expected '('"),
        (b"(S (NN a))\n", "jsonl", "'(S' outside a record; expected '{'"),
    ],
)
def test_text_that_is_no_file_of_the_format(paths, text, format, problem, side):
    good = b"(S (NN a))\n" if format == "bracket" else b'{"output": "(S (NN a))"}\n'
    options = {f"{side}_format": format, "pair": "order"}
    advice = f"; if the file is a treebank, name its format with {side}_format"
    if b"(" not in text:
        advice = f"; if it is plain text, give {side}_format='text'"
    assert raised(*paths(text, side, good), **options).endswith(problem + advice)
    # After a sentence that can be read, it is one of a file of trees.
    assert raised(*paths(good + text, side, good * 2), **options).endswith(problem + SKIP)


def test_a_message_of_a_skipped_sentence_names_the_option(paths):
    files = paths(LATIN["bracket"], "sys", b"(S (NN a))\n")
    report = jpevalb.evaluate(*map(str, files), on_error="skip").report()
    assert "try sys_encoding='latin-1'" in report


def test_several_systems_and_references(paths):
    gold, system = paths(LATIN["bracket"], "sys", b"(S (NN a))\n")
    for message in (
        lambda: jpevalb.compare(str(gold), [str(gold), str(system)], samples=10),
        lambda: jpevalb.evaluate(str(gold), str(gold), more_gold=[str(system)]),
    ):
        with pytest.raises(TreeError, match=r"; try (sys|gold)_encoding='latin-1'$"):
            message()


def test_an_unknown_side_has_the_options_of_the_reader(tmp_path):
    (tmp_path / "a").write_bytes(LATIN["bracket"])
    with pytest.raises(TreeError, match=r"; try encoding='latin-1'$"):
        list(jpevalb.read(tmp_path / "a"))
    done = commands.jpevalb("a", "a", cwd=tmp_path, program="jpevalb-average", home=commands.AVERAGE)
    assert done.returncode == 1
    assert done.stderr.decode().endswith(
        "; try --encoding latin-1; use --on-error skip to skip such sentences\n"
    )


def test_an_unknown_encoding_is_no_encoding_to_try(tmp_path):
    (tmp_path / "a").write_bytes(LATIN["bracket"])
    with pytest.raises(InputError, match="the encoding 'latin-99' is unknown"):
        list(jpevalb.read(tmp_path / "a", encoding="latin-99"))


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_no_tree_at_the_beginning_has_the_same_advice_on_workers(tmp_path, jobs):
    (tmp_path / "gold").write_text("(S (N a))\n" * 2)
    (tmp_path / "sys").write_text("*** text\n(S (N a))\n")
    done = commands.jpevalb("gold", "sys", "--jobs", jobs, cwd=tmp_path)
    assert done.stderr.endswith(b"if the file is a treebank, name its format with --sys-format\n")
