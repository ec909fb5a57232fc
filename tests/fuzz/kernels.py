"""Fuzzes the kernels: what a compiled one answers inside an evaluation, the interpreted one answers too."""

from __future__ import annotations

import copy
import inspect
import sys
from collections.abc import Callable
from functools import wraps
from typing import Any

from tests.support.kernels import CORE, load_kernel

from .driver import Choices, instrumented, main
from .text import changed, words

with instrumented():
    from jpevalb import (
        JpevalbError,
        Tree,
        average,
        concept_accuracy,
        discontinuous_f1,
        evaluate,
        struct_iou,
        tree_mapping,
        tree_node_accuracy,
        word_accuracy,
    )

# The legacy engine's kernel keeps state, and is compared in tests.fuzz.legacy.
KERNELS = sorted({path.stem for path in CORE.glob("*.py")} - {"__init__", "cython_shim", "evalb"})
LABELS = ("S", "NP", "VP", "NP-SBJ", "X=1", "", "TOP", "A|B", "-NONE-", "é")
TAGS = ("NN", "V", ",", "$,", "-NONE-", "S", "")


def install() -> int:
    """Puts a check around every kernel function wherever the package has its name; returns how many."""
    checked: dict[int, Any] = {}
    for name in KERNELS:
        compiled = load_kernel(name, "compiled")
        interpreted = load_kernel(name, "interpreted")
        for function_name in dir(compiled):
            function = getattr(compiled, function_name)
            if function_name.startswith("_") or inspect.isclass(function) or not callable(function):
                continue
            if getattr(function, "__module__", compiled.__name__) != compiled.__name__:
                continue
            checked[id(function)] = _checked(name, function, getattr(interpreted, function_name))
    places = 0
    for module_name, module in list(sys.modules.items()):
        if not module_name.startswith("jpevalb.") or module_name.startswith("jpevalb.kernels"):
            continue
        for key, value in list(vars(module).items()):
            if id(value) in checked:
                setattr(module, key, checked[id(value)])
                places += 1
    return places


calls: dict[str, int] = {}
"""How often each kernel function has been compared."""


def _checked(
    kernel: str, compiled: Callable[..., Any], interpreted: Callable[..., Any]
) -> Callable[..., Any]:
    name = f"{kernel}.{compiled.__name__}"

    @wraps(compiled)
    def both(*arguments: Any) -> Any:
        if any(type(one).__module__.startswith("jpevalb.kernels.") for one in arguments):
            return compiled(*arguments)  # objects of a kernel are of another class where it is interpreted
        calls[name] = calls.get(name, 0) + 1
        copies = _copied(arguments)
        answer, other = _answer(compiled, arguments), _answer(interpreted, copies)
        assert _plain(answer) == _plain(other), (name, arguments, answer, other)
        assert _plain(arguments) == _plain(copies), (name, "arguments were changed differently")
        if isinstance(answer, BaseException):
            raise answer
        return answer

    return both


def _copied(arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    """Copies of what a kernel may write into."""
    return tuple(
        memoryview(bytearray(item)).cast(item.format)
        if isinstance(item, memoryview)
        else copy.deepcopy(item)
        if isinstance(item, (list, dict, set, bytearray))
        else item
        for item in arguments
    )


def _answer(function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
    try:
        return function(*arguments)
    except (ValueError, TypeError, UnicodeError, OverflowError) as error:
        return error


def _plain(value: Any) -> Any:
    """A value as something that ``==`` compares by what is in it."""
    if isinstance(value, BaseException):
        return type(value).__name__, str(value)
    if isinstance(value, memoryview):
        return bytes(value)
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if type(value).__module__.startswith("jpevalb.kernels"):
        return type(value).__name__
    return value


def _tree(choices: Choices, tokens: list[str], *, gaps: bool) -> Tree:
    """A random tree over the words, with gaps if asked for."""
    names: list[str] = []
    parents: list[int] = []
    word_parents: list[int] = []
    parts: list[tuple[bool, int]] = []
    for place in range(len(tokens)):
        if choices.flag(12):
            word_parents.append(-1)
            parts.append((False, place))
        else:
            word_parents.append(len(names))
            parts.append((True, len(names)))
            names.append(choices.pick(TAGS))
            parents.append(-1)
    while parts and (len(parts) > 1 or choices.flag(3) or not names) and len(names) < 60:
        size = min(len(parts), 1 + choices.number(3))
        first = choices.number(len(parts) - size)
        chosen = list(range(first, first + size))
        if gaps and choices.flag(4):
            chosen = sorted({choices.number(len(parts) - 1) for _ in range(size)})
        node = len(names)
        names.append(choices.pick(LABELS))
        parents.append(-1)
        for place in chosen:
            is_node, number = parts[place]
            (parents if is_node else word_parents)[number] = node
        parts[chosen[0]] = (True, node)
        for place in reversed(chosen[1:]):
            del parts[place]
    return Tree.build(names, parents, tokens, word_parents)


def target(choices: Choices) -> None:
    if not calls:
        calls["installed"] = install()
        assert calls["installed"] >= 20
    kind = choices.number(5)
    tokens = words(choices, 9)
    try:
        if kind <= 1:
            _evaluation(choices)
        elif kind == 2:
            gold, system = _tree(choices, tokens, gaps=True), _tree(choices, tokens, gaps=True)
            rules = " least:2 whole:drop-all" if choices.flag(2) else ""
            discontinuous_f1(gold, system, unlabeled=choices.flag(2), convention=f"discontinuous{rules}")
            gold.constituents()
        elif kind == 3:
            _average(choices, tokens)
        else:
            gold = _tree(choices, tokens, gaps=False)
            system = _tree(choices, changed(choices, tokens), gaps=False)
            struct_iou(gold, system, unit=choices.pick(("word", "char")), strict_terminals=choices.flag(2))
            tree_node_accuracy(gold, system)
            word_accuracy(gold, system)
            concept_accuracy(gold, system)
            tree_mapping(gold, system)
            Tree.parse(gold.to_bracket()) if all(gold.words) else None
    except JpevalbError:
        pass


def _evaluation(choices: Choices) -> None:
    gold = [_tree(choices, words(choices, 6), gaps=False) for _ in range(1 + choices.number(3))]
    system = [_tree(choices, changed(choices, list(tree.words)), gaps=False) for tree in gold]
    result = evaluate(
        gold,
        system,
        by_label=choices.flag(2),
        unlabeled=choices.flag(3),
        strict_terminals=choices.flag(3),
        prm=choices.pick((None, None, "COLLINS", "nk")),
        unit=choices.pick(("auto", "word", "char")),
    )
    for sentence in result.sentences:
        _ = sentence.matched, sentence.missed, sentence.extra, sentence.crossing, sentence.units
    for format in ("text", "json", "csv", "html") if choices.flag(8) else ("text",):
        result.report(format)


def _average(choices: Choices, tokens: list[str]) -> None:
    some = [_tree(choices, tokens, gaps=choices.flag(2)) for _ in range(1 + choices.number(4))]
    weights = [choices.number(5) for _ in some] if choices.flag(3) else None
    binary = choices.flag(2)
    assert average(some, weights, binary=binary).words == some[0].words
    if not binary:
        assert average(some, weights, labeled=True).words == some[0].words


if __name__ == "__main__":
    main(target)
