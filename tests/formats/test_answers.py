"""Answers of language models in files: plain text and JSON Lines."""

from __future__ import annotations

import io
import json

import pytest

import jpevalb
from jpevalb import InputError, SettingsError, Tree, TreeError
from jpevalb.formats.read import as_tree

FENCED = "```\n(S (NN a))\n```"


def words(source, *args, **options):
    return [tree.words for tree in jpevalb.read(source, *args, **options)]


def jsonl(*records):
    return io.StringIO("".join(json.dumps(record) + "\n" for record in records))


def test_a_line_is_an_answer():
    file = io.StringIO("Tree: (S (NN a))\n\n(S (NN b)\n\n\n")
    assert words(file, repair=True, on_error=[].append) == [("a",), (), ("b",)]


def test_a_separator_ends_an_answer_of_several_lines():
    text = FENCED + "\n###\n\n### \n(S\n(NN b)\n )\n###\n\n"
    assert words(io.StringIO(text), separator="###", repair=True, on_error=[].append) == [("a",), (), ("b",)]
    # As it stands an answer of several lines is one sentence too.
    assert words(io.StringIO("(S\n(NN a))\n---\n(S (NN b)) (S (NN c))"), separator="---") == [
        ("a",),
        ("b", "c"),
    ]
    # An empty line may be the separator.
    assert words(io.StringIO("(S (NN a)\n\n(S (NN b)\n"), separator="", repair=True) == [("a",), ("b",)]


def test_where_an_answer_begins_and_how_long_it_may_be(monkeypatch):
    for before, line in (("(S\n(A a))\n--\n(B b)\n--\n", 6), ("(A a)\n(B b)\n--\n", 4)):
        with pytest.raises(TreeError, match=rf"^<file>:{line}: the tree that begins here is not closed"):
            words(io.StringIO(before + "(S\n(C c)\n"), separator="--")
    # With their line ends these answers have 10 signs, and the last 6 or 10.
    for last in ("(C c)", "(S\n(C c))"):
        file = f"(S\n(A a))\n--\n{last}\n"
        monkeypatch.setattr("jpevalb.base.files.LONGEST", 11)
        assert words(io.StringIO(file), separator="--") == [("a",), ("c",)]
        file = f"(B b)\n--\n{last}\n"
        monkeypatch.setattr("jpevalb.base.files.LONGEST", 10)
        if "S" in last:
            with pytest.raises(InputError, match="<file>:3: the answer that begins here is longer than"):
                words(io.StringIO(file), separator="--")
        else:
            assert words(io.StringIO(file), separator="--") == [("b",), ("c",)]
    assert words(io.StringIO(""), separator="--") == []


def test_a_record_is_a_sentence_whatever_its_text():
    file = jsonl({"output": FENCED}, {"output": "(S (NN a)) (S (NN b))"}, {"output": "no"}, {"output": None})
    errors = []
    assert words(file, repair=True, on_error=errors.append) == [("a",), ("a",), (), ()]
    assert [str(error) for error in errors] == [
        "<file>:3: no tree in the answer: it has no bracket",
        "<file>:4: the answer is empty",
    ]
    file.seek(0)
    assert words(file, "jsonl", repair=True, several="join", on_error=errors.append)[1] == ("a", "b")


def test_records_without_repair_are_read_as_lines_of_brackets():
    file = jsonl({"output": "(S (NN a)) (S (NN b))"}, {"output": ""}, {"output": "(S\n(NN c))"})
    assert words(file) == [("a", "b"), (), ("c",)]
    with pytest.raises(TreeError, match=r"^<file>:2: the tree that begins here is not closed"):
        words(jsonl({"output": "(S (NN a))"}, {"output": "(S (NN a)"}))


@pytest.mark.parametrize(
    ("field", "found"),
    [
        ("a", "plain"),
        ("b.c", "inner"),
        ("b.d.e", "as it stands"),
        ("choices.1.text", "second"),
        ("list.0", "first"),
        ("x.y", "dotted"),
    ],
)
def test_names_of_fields(field, found):
    record = {
        "a": "plain",
        "b": {"c": "inner", "d.e": "as it stands"},
        "choices": [{}, {"text": "second"}],
        "list": ["first"],
        "x.y": "dotted",
        "x": {"y": "not this"},
    }
    record = json.loads(json.dumps(record), object_hook=_as_trees)
    assert words(jsonl(record), field=field) == [tuple(found.split())]


def _as_trees(value):
    return {
        key: [_tree(item) for item in item] if isinstance(item, list) else _tree(item)
        for key, item in value.items()
    }


def _tree(value):
    return f"(S {value})" if isinstance(value, str) else value


ARRAY = [{"output": "(S (NN a))", "id": 7}, {"output": None, "id": "b"}, {"output": "(S (NN c))", "id": 9}]


@pytest.mark.parametrize("indent", [None, 0, 2])
@pytest.mark.parametrize("before", ["", "\n \n", "\ufeff"])
@pytest.mark.parametrize("after", ["", "\n", "\n\n  \n"])
def test_an_array_of_records(indent, before, after):
    text = before + json.dumps(ARRAY, indent=indent) + after
    for source in (io.StringIO(text), io.BytesIO(text.encode())):
        trees = list(jpevalb.read(source, id_field="id"))
        assert [(tree.id, tree.words) for tree in trees] == [("7", ("a",)), ("b", ()), ("9", ("c",))]
    assert list(jpevalb.read(io.StringIO("[ ]\n"), "jsonl")) == []


def test_brackets_and_quotes_inside_the_texts_of_an_array():
    words_ = ["[", "]", "{", "}", ",", '"', "\\", '\\"', "],[", "\u2028"]
    records = [{"x": [[], {"y": [1, 2]}], "output": f"(S (NN {word}))"} for word in words_]
    for indent in (None, 1):
        assert words(io.StringIO(json.dumps(records, indent=indent)), "jsonl") == [(word,) for word in words_]


@pytest.mark.parametrize("indent", [None, 2])
def test_a_record_of_an_array_that_cannot_be_read(indent):
    records = [ARRAY[0], {"tree": ""}, 3, [], {"output": 5}, {"output": "(S"}, ARRAY[2]]
    text = json.dumps(records, indent=indent)
    with pytest.raises(TreeError, match=r"^<file>:\d: record 2: no field 'output', but 'tree'; set"):
        words(io.StringIO(text))
    errors = []
    assert words(io.StringIO(text), on_error=errors.append) == [("a",), (), (), (), (), (), ("c",)]
    lines = [1] * 5 if indent is None else [6, 9, 10, 11, 14]
    assert [str(error).partition(", such")[0].partition("; set")[0] for error in errors] == [
        f"<file>:{line}: {message}"
        for line, message in zip(
            lines,
            (
                "record 2: no field 'output', but 'tree'",
                "record 3: got a number instead of a record; expected a record",
                "record 4: got a list instead of a record; expected a record",
                "record 5: got a number in the field 'output'; expected a text",
                "the tree that begins here is not closed: 1 ')' is missing",
            ),
        )
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        # An array that is not whole
        ('[{"output": "(S (NN a))"}', "1: the JSON array ends in record 1; expected ']', is the file whole?"),
        ('[\n{"output": "(S (N', "1: the JSON array ends in record 1; expected ']', is the file whole?"),
        ('[{"output": ""}]\n{"x": 1}', "2: '{\"x\": 1}' after the JSON array of 1 records; expected the end"),
        ('[{"output": ""}] 3', "1: '3' after the JSON array of 1 records; expected the end"),
        ('[{"output": ""}]\n[', "2: '[' after the JSON array of 1 records; expected the end"),
        # Records that are no JSON
        ('[{"output": "(S (NN a))"},]', "1: record 2: invalid JSON: Expecting value"),
        ('[{"output": "(S (NN a))"} {"output": ""}]', "1: record 1: invalid JSON: Extra data"),
        ('[{"output": "(S (NN a))"}}]', "1: record 1: invalid JSON: Extra data"),
        ('[{"output": "(S (NN a))"]]', "1: record 1: invalid JSON: Expecting ',' delimiter"),
        ('[{"output": "(S (NN a)) }, {}]', "1: record 1: invalid JSON: Unterminated string"),
    ],
)
def test_arrays_that_cannot_be_read(text, message):
    with pytest.raises(TreeError) as caught:
        words(io.StringIO(text), "jsonl")
    assert str(caught.value).startswith(f"<file>:{message}")
    if "is the file" in message or "after the" in message:
        with pytest.raises(TreeError):
            words(io.StringIO(text), "jsonl", on_error=[].append)


def test_a_long_record_of_an_array(monkeypatch):
    monkeypatch.setattr("jpevalb.base.files.LONGEST", 50)
    lines = ["[\n", *['{"output": "(S (NN a))"},\n'] * 100, "{\n", *['"x": 1,\n'] * 10, "}]"]
    with pytest.raises(InputError, match=r"^<file>:101: the record that begins here is longer than"):
        words(io.StringIO("".join(lines)))


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("(S (NN a))", "'(S' outside a record; expected '{'"),
        ('{"output": "(S (NN a))"', "invalid JSON: Expecting ',' delimiter"),
        ("[1]", "got a list instead of a record; expected a record, such as {...}"),
        ("3", "got a number instead of a record"),
        ("", "the line is empty; expected a record, such as {...}"),
        ('{"text": "a"}', "no field 'output', but 'text'; set field='NAME'"),
        ("{}", "no field 'output', but no field; set field='NAME'"),
        ('{"output": 3}', "got a number in the field 'output'; expected a text"),
        ('{"output": ["a", 1]}', "got a list in the field 'output'; expected a text"),
        ('{"output": "(S (NN a))", "x": ' + "[" * 100_000, "invalid JSON: nested too deeply"),
        ('{"x": ' + "9" * 5000 + "}", "invalid JSON: "),
    ],
)
def test_records_that_cannot_be_read(line, message):
    text = f'{{"output": "(S (NN a))"}}\n{line}\n{{"output": "(S (NN b))"}}\n'
    with pytest.raises(TreeError) as caught:
        words(io.StringIO(text), "jsonl")
    assert str(caught.value).startswith("<file>:2:")
    assert message in str(caught.value)
    errors, answers = [], []
    assert words(io.StringIO(text), "jsonl", on_error=errors.append, on_answer=answers.append) == [
        ("a",),
        (),
        ("b",),
    ]
    assert len(errors) == 1
    assert [answer.reason is None for answer in answers] == [True, False, True]


@pytest.mark.parametrize(
    ("record", "options", "message"),
    [
        ({"a": {"b": 1}}, {"field": "a.c"}, "no field 'c' of 'a.c', but 'b'; set"),
        ({"a": [1]}, {"field": "a.1"}, "no field '1' of 'a.1', but a list; set"),
        # A text is searched for in eight levels.
        ({"a": [[[[[[[1, "(S (N b))"]]]]]]]}, {"field": "b"}, "'; set field='a.0.0.0.0.0.0.1'"),
        ({"a": [[[[[[[1, ["(S (N b))"]]]]]]]]}, {"field": "b"}, "no field 'b', but 'a'; set field='NAME'"),
        ({"a": "xb"}, {"field": "a.b"}, "no field 'b' of 'a.b', but a text; set"),
        ({"a": ["b", "c"]}, {"field": "a.b"}, "no field 'b' of 'a.b', but a list; set"),
        ({"a": {"b": 1, "c": 2}}, {"field": "a.1"}, "no field '1' of 'a.1', but 'b', 'c'; set"),
        ({"a": {"b": 1}}, {"field": "z.b"}, "no field 'z', but 'a'; set"),
        (
            dict.fromkeys("012345678", 1),
            {},
            "no field 'output', but '0', '1', '2', '3', '4', '5', '6', '7'; set",
        ),
        ({"output": "(S (NN a))"}, {"id_field": "id"}, "no field 'id', but 'output'; set id_field="),
        ({"id": None, "output": ""}, {"id_field": "id"}, "got null in the field 'id'; expected an id"),
        ({"id": True, "output": ""}, {"id_field": "id"}, "got true in the field 'id'; expected an id"),
        ({"id": "", "output": ""}, {"id_field": "id"}, "got an empty text in the field 'id'; expected an id"),
        ({"id": 1.5, "output": ""}, {"id_field": "id"}, "got a number in the field 'id'; expected an id"),
    ],
)
def test_fields_that_are_not_there(record, options, message):
    with pytest.raises(TreeError, match=message):
        words(jsonl(record), **options)


def test_bytes_that_are_not_in_the_encoding():
    data = b'{"output": "(S (NN a))"}\n{"output": "(S (NN \xff))"}\n{"output": "(S (NN b))"}\n'
    with pytest.raises(TreeError, match=r"^<file>:2:20: byte 0xff is not UTF-8"):
        words(io.BytesIO(data))
    assert words(io.BytesIO(data), on_error=[].append) == [("a",), (), ("b",)]
    data = b"(S (NN a))\n(S (NN \xff))\n"
    assert words(io.BytesIO(data), repair=True, on_error=[].append) == [("a",), ()]
    assert words(io.BytesIO(data), separator="--", on_error=[].append) == [()]


def test_texts_in_a_list_are_answers():
    assert words(["Tree: (S (NN a))", Tree.parse("(S (NN b))"), "(S (NN c)"], repair=True) == [
        ("a",),
        ("b",),
        ("c",),
    ]
    with pytest.raises(TreeError, match=r"^sentence 2: no tree in the answer: it has no bracket"):
        words(["(S (NN a))", "no"], repair=True)
    told, errors = [], []
    assert words(["no", "(S (NN a))"], repair=True, on_answer=told.append, on_error=errors.append) == [
        (),
        ("a",),
    ]
    assert ([answer.valid for answer in told], errors) == ([False, True], [])


@pytest.mark.parametrize(
    ("format", "options", "message"),
    [
        ("export", {"repair": True}, "repair=True for the format export; it is for answers or jsonl"),
        ("bracket", {"field": "a"}, "field='a' for the format bracket; it is for jsonl"),
        ("jsonl", {"separator": "-"}, "separator='-' for the format jsonl; it is for answers"),
        ("auto", {"several": "all"}, "several='all'; expected one of first, last, longest, join"),
    ],
)
def test_options_that_a_format_does_not_have(format, options, message):
    with pytest.raises(SettingsError, match=message):
        words(io.StringIO(""), format, **options)


def test_a_record_is_no_tree():
    with pytest.raises(TreeError, match="outside a tree"):
        as_tree('{"output": "(S (NN a))"}')
