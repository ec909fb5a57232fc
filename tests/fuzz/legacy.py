"""Fuzzes the legacy engine: against a second, plain implementation of evalb's rules, compiled against
interpreted, whole against dripping."""

from __future__ import annotations

import io
from types import ModuleType
from typing import Any

from tests.support.kernels import load_kernel
from tests.support.plain_evalb import PlainEvalb

from .driver import Choices, instrumented, main

with instrumented():
    from jpevalb import Params
    from jpevalb.kernels import evalb as default_kernel
    from jpevalb.kernels.evalb import format_rows
    from jpevalb.legacy import engine
    from jpevalb.legacy.result import evaluate

INTERPRETED = load_kernel("evalb", "interpreted")

LABELS = (
    *(b"S", b"NP", b"NP-SBJ", b"VP=1", b"-NONE-", b"", b"TOP", b"ADVP", b"PRT#x", b"#", b"=", b"``", b"''"),
    *(b",", b"POS", b":", b"A-B=C#D", b"\xc3\xa9", b"\xff", b"\xa0x"),
)
QUOTES = (b"``", b"''", b"POS", b":", b",")
WORDS = (b"w", b"w", b"a", b"b", b"'", b'"', b"/", b"", b"cc", b"\xff", b"-LRB-", b"\x85", b"''")
BLANKS = (b" ", b" ", b" ", b" ", b" ", b"\t", b"\v", b"\f", b"\r", b"  ")
PIECES = (
    *(b"(", b")", b" ", b"(NP ", b"(NN a)", b"(`` ')", b"(POS ')", b"(: /)", b"('' \")", b"(, ,)"),
    *(b"(-NONE- *)",),
    *(b"(S (X", b"))", b"(NP)", b"( )", b"(NP )", b"a", b"\t", b"\0", b"(A-B=C#D", b"\xff", b"(S", b" )"),
)


def _tree(choices: Choices, words: list[bytes], tags: list[bytes]) -> bytes:
    pieces = []
    depth = 0
    for word, tag in zip(words, tags):
        while choices.flag(3) or not depth:
            pieces.append(b"(" + choices.pick(LABELS) + choices.pick(BLANKS))
            depth += 1
        pieces.append(b"(" + tag + choices.pick(BLANKS) + word + b")")
        while depth > 1 and choices.flag(4):
            pieces.append(b")")
            depth -= 1
    return b"".join(pieces) + b")" * depth


def line(choices: Choices) -> bytes:
    if choices.flag(3):
        return choices.raw(40).replace(b"\n", b"")
    return b"".join(choices.several(PIECES, 25))


def pair(choices: Choices, most: int = 200) -> tuple[bytes, bytes]:
    if choices.flag(8):
        return line(choices), line(choices)
    size = choices.number(9) if not choices.flag(30) else most // 2 + choices.number(most // 2)
    quoted = choices.flag(3)
    words = [choices.pick(WORDS) for _ in range(size)]
    tags = [choices.pick(QUOTES) if quoted and choices.flag(2) else choices.pick(LABELS) for _ in range(size)]
    if quoted:
        words = [
            choices.pick((b"'", b'"', b"/")) if tag in QUOTES else word for word, tag in zip(words, tags)
        ]
    others = [choices.pick(LABELS) if choices.flag(5) else tag for tag in tags]
    copies = [choices.pick(WORDS) if choices.flag(40) else word for word in words]
    return _spoilt(choices, _tree(choices, words, tags)), _spoilt(choices, _tree(choices, copies, others))


def _spoilt(choices: Choices, text: bytes) -> bytes:
    if not choices.flag(4):
        return text
    kind = choices.number(3)
    if kind == 0:
        # Brackets that are never closed, quotation marks beside them or not.
        return text.rstrip(b")") + b")" * choices.number(2)
    if kind == 1:
        # An open bracket straight behind a word.
        places = [
            place for place in range(1, len(text)) if text[place - 1 : place + 1] in (b" (", b"((", b"))")
        ]
        place = choices.pick(places) if places else 0
        return text[:place].rstrip(b" )") + text[place:].lstrip(b" )")
    found = bytearray(text)
    for _ in range(1 + choices.number(2)):
        place = choices.number(len(found))
        if choices.flag(2):
            del found[place : place + 1]
        else:
            found[place:place] = choices.pick(PIECES)
    return bytes(found)


def _params(choices: Choices) -> Params:
    def texts(pool: tuple[bytes, ...], most: int) -> list[str]:
        return [text.decode("utf-8", "surrogateescape") for text in choices.several(pool, most)]

    def pairs(pool: tuple[bytes, ...], most: int) -> list[tuple[str, str]]:
        found = texts(pool, 2 * most)
        return list(zip(found[::2], found[1::2]))

    return Params(
        delete_labels=texts(LABELS, 5),
        delete_labels_for_length=texts(LABELS, 3),
        quote_labels=texts(QUOTES if choices.flag(2) else LABELS, 5),
        eq_labels=pairs(LABELS, 6),
        eq_words=pairs(WORDS, 4),
        labeled=not choices.flag(5),
        max_error=choices.pick((10, 10, -1, 0, 1, 3, 100, 2**31 - 1, -(2**31))),
        cutoff=choices.pick((40, 0, 1, 5, -1, 2**31 - 1)),
    )


class _Drip(io.RawIOBase):
    """Hands out a few bytes at a time, as a pipe may."""

    def __init__(self, data: bytes, size: int) -> None:
        self._data = io.BytesIO(data)
        self._size = size

    def read(self, size: int = -1) -> bytes:
        return self._data.read(min(size, self._size) if size >= 0 else self._size)


Message = tuple[bytes, int, int]
Result = tuple[list[int], list[Message], bytes, bool]


def _run(kernel: ModuleType, params: Params, choice: dict[str, Any], gold: Any, system: Any) -> Result:
    saved = engine.EvalbScorer
    engine.EvalbScorer = kernel.EvalbScorer  # type: ignore[misc]
    try:
        scorer = engine.new_scorer(params, **choice)
    finally:
        engine.EvalbScorer = saved  # type: ignore[misc]
    rows: list[int] = []
    messages: list[Message] = []
    printed = b""
    killed = False
    for texts, lines, trace, last in engine.run(scorer, engine.Stream(gold, 0), engine.Stream(system, 1)):
        rows += lines.tolist()
        killed = killed or last
        pieces = format_rows(lines).splitlines(keepends=True)
        if params.debug > 0:
            pieces = [item if isinstance(item, bytes) else pieces[item] for item in trace]
        for text, count, place in texts:
            messages.append((text, count, len(printed) + sum(map(len, pieces[:place]))))
        printed += b"".join(pieces)
    return rows, messages, printed, killed


def target(choices: Choices) -> None:
    pairs = [pair(choices) for _ in range(1 + choices.number(4))]
    # One line more on a side, broken or not: evalb reads the one of gold before it notices.
    more = [
        choices.pick((b"", b"", line(choices), *pair)) if choices.flag(4) else b"" for pair in pairs[:1] * 2
    ]
    ends = [choices.pick((b"\n", b"\n", b"", b"\n\n")), choices.pick((b"\n", b"\n", b""))]
    gold = b"\n".join([one for one, _ in pairs]) + (ends[0] if not more[0] else b"\n" + more[0] + ends[0])
    system = b"\n".join([other for _, other in pairs]) + (
        ends[1] if not more[1] else b"\n" + more[1] + ends[1]
    )
    params = _params(choices)
    spmrl = choices.flag(3)
    whole: dict[str, Any] = {"dialect": "spmrl" if spmrl else "evalb"}
    whole["score_skipped"] = spmrl and choices.flag(2)
    whole["last_line"] = choices.pick((-1, -1, -1, 1, 2)) if spmrl else -1
    size = 1 + choices.number(70)
    first = _run(default_kernel, params, whole, io.BytesIO(gold), io.BytesIO(system))
    drip = _run(default_kernel, params, whole, _Drip(gold, size), _Drip(system, size))
    assert drip == first
    assert _run(INTERPRETED, params, whole, io.BytesIO(gold), io.BytesIO(system)) == first
    debug = params.replace(debug=choices.pick((1, 2, 3)))
    traced = _run(default_kernel, debug, whole, io.BytesIO(gold), io.BytesIO(system))
    assert (traced[0], _said(traced[1]), traced[3]) == (first[0], _said(first[1]), first[3])
    assert _run(INTERPRETED, debug, whole, _Drip(gold, size), _Drip(system, size)) == traced
    for settings, found in ((params, first), (debug, traced)):
        plain = PlainEvalb(settings, **whole).run(gold, system)
        rows = [number for row in plain.rows for number in row]
        assert (rows, plain.messages, b"".join(plain.out), plain.killed) == found
    _check_library(params, whole, gold, system, first)


def _said(messages: list[Message]) -> list[tuple[bytes, int]]:
    """Join equal neighbouring messages, as the output does."""
    found: list[tuple[bytes, int]] = []
    for text, count, *_ in messages:
        if found and found[-1][0] == text:
            found[-1] = text, found[-1][1] + count
        else:
            found.append((text, count))
    return found


def _check_library(params: Params, choice: dict[str, Any], gold: bytes, system: bytes, first: Result) -> None:
    # The library adds the line end that a last line lacks.
    other_ends = b"\v" in gold + system or b"\f" in gold + system or gold[-1:] + system[-1:] != b"\n\n"
    try:
        result = evaluate(
            gold.splitlines(keepends=True) if b"\r" not in gold + system else io.BytesIO(gold),
            system.splitlines(keepends=True) if b"\r" not in gold + system else io.BytesIO(system),
            params,
            **choice,
        )
    except ValueError:
        uneven = any(b"Number of lines unmatch" in text for text, *_ in first[1])
        assert first[3] or uneven or other_ends
        return
    if not other_ends:
        assert not first[3]
        assert result.total.sentences * 9 == len(first[0])


if __name__ == "__main__":
    main(target)
