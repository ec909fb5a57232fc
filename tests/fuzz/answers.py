"""Fuzzes the repairs of a language model's answers, and the files that answers come in."""

from __future__ import annotations

import io
import json
import re
from typing import Any

from .driver import Choices, instrumented, main
from .readers import check_tree
from .text import corpus, damaged, soup, words

with instrumented():
    from jpevalb import JpevalbError, Tree, read
    from jpevalb.formats.answers import is_one_tree, parse_answer, read_answer, repair
    from jpevalb.trees.sentence import REPAIRS, Answer

AROUND = (
    *("```", "```lisp\n", "\n```\n", "</s>", "<|im_end|>", "<s>", "Tree: ", "(see below) "),
    *("\n\nI hope this helps", "\n\n"),
    *("<think>", "</think>", "\\n", '\\"', "\\(", "(-LRB- ()", "f(x)", ":(", "()", ")", "(", "(("),
    *("))", " ", "S ("),
    *("[", "]", "\uff08", "\uff09", "\ud800", "\x00", "\u00a0", "\v", "-RRB-", "(. ("),
)
BLANKS = " \t\n\v\f\r"


def target(choices: Choices) -> None:
    text = _answer(choices)
    several = choices.pick(("first", "join"))
    found = repair(text, several)
    check_answer(text, several, found)
    if choices.flag(4):
        _file(choices, [text, *(_answer(choices) for _ in range(choices.number(3)))], several)


def _answer(choices: Choices) -> str:
    if choices.flag(8):
        return soup(choices).decode("utf-8", "replace")
    sentences = [words(choices) for _ in range(choices.number(2))]
    data = corpus(choices, sentences, choices.pick(("bracket", "discbracket", "soup")))
    if choices.flag(3):
        data = damaged(choices, data)
    text = data.decode("utf-8", "surrogateescape")
    if choices.flag(6):
        text = text.replace("(", "[").replace(")", "]")
    for _ in range(choices.number(5)):
        place = choices.number(len(text))
        text = text[:place] + choices.pick(AROUND) + text[place:]
    return text[: choices.number(len(text))] if choices.flag(4) else text


def check_answer(text: str, several: str, found: Answer) -> None:
    """Check the invariants of an answer."""
    assert found == repair(text, several)
    assert found.valid == is_one_tree(text), (text, found)
    assert list(found.repairs) == [name for name in REPAIRS if name in found.repairs]
    if found.reason is not None:
        assert (found.text, found.repairs) == ("", ()), (text, found)
        return
    if found.valid:
        assert (found.text, found.truncated) == (text, False)
    assert repair(found.text, several) == Answer(found.text), (text, found)
    tree = Tree.parse(found.text)
    check_tree(tree)
    assert tree.words, (text, found)
    if not found.valid:
        # No word is added, and none changes its place.
        signs = iter(_signs(text))
        assert all(sign in signs for sign in _signs("".join(tree.words))), (text, found)
        pieces = re.findall(r"[^ \t\n\v\f\r()\[\]\uff08\uff09]+|[()\uff08\uff09]", text)
        squares = text.count("[") + text.count("]")  # words, where round brackets make the tree
        assert len(tree.words) <= len(pieces) + squares, (text, found)


def _signs(text: str) -> str:
    """The text as it is where nothing but the listed substitutions has been made."""
    text = re.sub("[\ud800-\udfff]", "\ufffd", text)
    # The signs of -LRB- and -RRB- go one by one: in "-LRB-RRB-" either of them may be the bracket.
    return re.sub(r"[ \t\n\v\f\r()\[\]\uff08\uff09\\LRB-]", "", text)


def _file(choices: Choices, texts: list[str], several: str) -> None:
    """An answer is the same answer in a list, in records, and between separators."""
    # Two halves side by side come back from JSON as one sign.
    texts = [json.loads(json.dumps(text)) for text in texts]
    alone = [read_answer(text, several) for text in texts]
    trees = [
        parse_answer(answer.text) if answer.reason is None else Tree((), (), (), (), (), ())
        for answer in alone
    ]

    def told(source: Any, **options: Any) -> tuple[list[Answer], list[Tree]]:
        answers: list[Answer] = []
        found = list(read(source, repair=True, several=several, on_answer=answers.append, **options))
        assert len(answers) == len(found)
        # Only answers of a file have their text.
        return [answer._replace(raw="") for answer in answers], found

    # A valid tree whose only word has the index 0 is read as the answers beside it are.
    if any(one.valid and len(tree.words) == 1 and "0=" in one.text for one, tree in zip(alone, trees)):
        return
    assert told(texts) == (alone, trees)
    records = "".join(json.dumps({"id": n, "a": {"b": [text]}}) + "\n" for n, text in enumerate(texts))
    assert told(io.StringIO(records), field="a.b.0", id_field="id") == (alone, trees)
    separator = "=== 7 ==="
    # A file of plain text drops empty answers at its end, and has no line ends but its own.
    if all("\r" not in text and separator not in text for text in texts) and texts[0][:1] != "\ufeff":
        file = io.StringIO(f"\n{separator}\n".join(texts) + f"\n{separator}\n")
        answers, found = told(file, separator=separator)
        while trees and not texts[-1].strip(BLANKS):
            texts.pop()
            trees.pop()
        assert found == trees, texts
    data = damaged(choices, records.encode())
    errors: list[JpevalbError] = []
    answers = []
    count = len(
        list(read(io.BytesIO(data), "jsonl", field="a.b.0", on_error=errors.append, on_answer=answers.append))
    )
    assert count == len(answers)
    assert len(errors) <= count


if __name__ == "__main__":
    main(target)
