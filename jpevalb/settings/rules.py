"""Rules: the rules of counting of a run, one row of ``Convention``, compiled for the kernel ``counting``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..kernels.columns import Names
from ..kernels.counting import Rules, Table
from .convention import Convention, classes, cutter
from .labels import DUMMY_ROOT, cut

QUOTES = ("'", '"', "/")
VIRTUAL_ROOTS = frozenset(("", "TOP", "ROOT", "VROOT"))
# Brackets cannot hold the tag $( of German treebanks, so tools write it as $[.
_SAME_TAG = ("$(", "$[")


def of_tool(row: Convention, names: Names) -> Rules:
    """Return the compiled rules of a tool; texts are numbers of ``names``."""
    return _compiled(row, names, drops=_drops(row), tag=_tag_namer(row), **_lengths(row))


def _compiled(
    row: Convention,
    names: Names,
    *,
    drops: Callable[[str], bool],
    is_tool: bool = True,
    never: frozenset[str] = frozenset(),  # more labels that are never brackets
    tag: Callable[[str], str] | None = None,
    measured: Callable[[str], bool] | None = None,
    never_aligned: frozenset[str] = frozenset(),
    seen: Callable[[], None] = lambda: None,  # called once a label or tag occurs that is deleted
    **rules: Any,
) -> Rules:
    """Return the tables and rules of a row, as the kernel takes them."""
    cut_label = cutter(row.cut, row.cut_at)
    equal = {} if "equal" in rules else classes(row.equal)
    as_written = row.no_bracket if row.root_children == "first" else frozenset[str]()
    deleted = never | (row.no_bracket & row.drop_tags)

    def namer(never: frozenset[str]) -> Callable[[str], int]:
        def name(label: str) -> int:
            short = cut_label(label)
            if short in deleted:
                seen()
            if label is DUMMY_ROOT or short in never or label in as_written:
                return -1
            return int(names.number(equal.get(short, short) if row.labeled else ""))

        return name

    def drops_tag(text: str) -> bool:
        if drops(text):
            seen()
            return True
        return False

    def is_among(texts: frozenset[str], cut: Callable[[str], str] = str) -> Callable[[str], bool]:
        def found(text: str) -> bool:
            if cut(text) not in texts:
                return False
            seen()
            return True

        return found

    below = cutter("^-=")
    tables: dict[str, Callable[[str], int] | None] = {
        "name": namer(never | row.no_bracket),
        "system_name": namer(never | row.no_bracket | row.no_bracket_system)
        if row.no_bracket_system
        else None,
        "dropped": drops_tag if row.drop_tags or row.only_tags else None,
        "dropped_word": is_among(row.drop_words) if row.drop_words else None,
        "never_aligned": never_aligned.__contains__ if never_aligned else None,
        "hidden_root": (lambda label: below(label) in VIRTUAL_ROOTS) if row.drop_below_root else None,
        "whole": is_among(row.drop_whole, str if is_tool else cut) if row.drop_whole else None,
        "first": row.no_bracket.__contains__ if row.root_children == "first" else None,
        "quote": row.quote_tags.__contains__ if row.quote_tags and is_tool else None,
        "quote_word": QUOTES.__contains__ if row.quote_tags and is_tool else None,
        "tag": (lambda text: names.number(tag(text))) if tag else None,
        "measured": measured,
    }
    given: dict[str, Any] = {
        "drop_below_root": row.drop_below_root,
        "decided_by": row.decided_by,
        "compare": row.compare,
        "alike": _equal_words(row) if row.equal_words else None,
        "least": row.least,
        "whole": row.whole,
        "most_gaps": row.most_gaps,
        "only_gaps": row.only_gaps,
        "repeats": row.repeats,
        "no_parse": row.no_parse,
        "words": row.words,
        "subtrees_last": is_tool,
    }
    learnt = {name: Table(names.texts, learn) for name, learn in tables.items() if learn is not None}
    return Rules(learnt, **{**given, **rules})


def _drops(row: Convention) -> Callable[[str], bool]:
    """Return the function that says whether words with a tag are dropped."""
    short = cutter(row.cut if row.cut_tags == "all" else "", row.cut_at)

    def drops(tag: str) -> bool:
        name = short(tag)
        return name in row.drop_tags or bool(row.only_tags and name not in row.only_tags)

    return drops


def _tag_namer(row: Convention) -> Callable[[str], str] | None:
    """Return the function that names a tag for comparison; ``None`` if tags do not count."""
    if row.tags == "none":
        return None
    short = cutter(row.cut if row.cut_tags else "", row.cut_at)
    equal = classes(row.equal) if row.tags == "equal labels" else {}
    return lambda tag: equal.get(short(tag), short(tag))


def _lengths(row: Convention) -> dict[str, Any]:
    """Return the rules of the length."""
    return {"own_length": True}


def _equal_words(row: Convention) -> Callable[[list[str], list[str]], bool]:
    """Return the function that compares words as a tool does."""
    equal = classes(row.equal_words)

    def agree(gold: list[str], system: list[str]) -> bool:
        return [equal.get(word, word) for word in gold] == [equal.get(word, word) for word in system]

    return agree
