"""Causes: the linguistic name of each correction, by a table of rules and a table of label classes.

Names and meanings follow Kummerfeld et al. 2012 (EMNLP, section 3.2), with these differences: a node that is
added or removed is also named after the phrase that is attached elsewhere because of it (a noun phrase over a
noun phrase and a prepositional phrase is an attachment of the prepositional phrase); punctuation next to or
in what moves is ignored; and there is no rule for a step merely because it adds, removes or moves something:
without a matching rule the cause is ``other``.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from ..base.errors import JpevalbError, SettingsError
from ..base.files import table_lines
from ..settings.rules import cut
from .search import Child, Step

FOLDER = os.path.join(os.path.dirname(__file__), "error_classes")

CLASSES = (
    *("clause", "noun", "quantity", "verb", "preposition", "modifier", "conjunction", "subordinator"),
    *("insertion", "punctuation", "coordination"),
)
"""Classes of labels and tags.  A label of ``coordination`` may be in another class, too."""

OTHER = "other"


class Classes:
    """The class of each label and tag.

    >>> classes = Classes({"noun": ["NP", "NN"], "coordination": ["CNP"]})
    >>> classes.of("NP-SBJ"), classes.of("NN+JKS"), classes.of("CNP"), classes.of("VP")
    ('noun', 'noun', 'coordination', '')
    """

    __slots__ = ("_coordinating", "_of")

    def __init__(self, labels: Mapping[str, Iterable[str]]) -> None:
        self._of: dict[str, str] = {}
        for name in CLASSES:
            for label in labels.get(name, ()):
                self._of.setdefault(label, name)
        self._coordinating = frozenset((*labels.get("conjunction", ()), *labels.get("coordination", ())))

    def of(self, label: str) -> str:
        """Return the class of a label, or an empty string.

        Anything after the first ``-``, ``=``, ``_`` or ``+`` matters only if the whole label is listed.
        """
        short = cut(label).split("_")[0].split("+")[0]
        return self._of.get(label, self._of.get(short, ""))

    def coordinates(self, child: Child) -> bool:
        """Return True for a conjunction, or a phrase whose label marks it as coordinated."""
        return child.label in self._coordinating or self.of(child.label) == "conjunction"


_NOMINAL = frozenset(("noun", "quantity"))
_ADJUNCTS = frozenset(("preposition", "modifier", "insertion"))

_NODE = ("add", "remove")  # Kinds of steps that add or remove a node


class _Case:
    """The first six fields of a step, and the properties of these that the rules use."""

    def __init__(
        self,
        classes: Classes,
        kind: str,
        label: str,
        was: str,
        above: str | None,
        run: Sequence[Child],
        beside: Sequence[Child],
    ) -> None:
        self.classes, self.run, self.beside = classes, run, beside
        # Classes, not labels.  Punctuation is ignored: it does not show where a phrase belongs.
        self.parts = [part for part in self.run if classes.of(part.label) != "punctuation"]
        self.kinds = [classes.of(part.label) for part in self.parts]
        self.label, self.was, self.above = map(classes.of, (label, was, above or ""))
        self.changes_node: bool = kind in _NODE
        # (class, is a word) of what is attached elsewhere: the moved run, or all children but the head.
        self.moved = [(kind, part.word) for kind, part in zip(self.kinds, self.parts)]
        if self.changes_node:
            self.moved = self._without_head()
        self.phrases = [kind for kind, word in self.moved if not word]
        self.attached: str = self._attached()

    def _without_head(self) -> list[tuple[str, bool]]:
        """Return the children of a node except its head; empty if it has no head.

        The head is the first phrase of the node's class.  In a noun, modifier or verb phrase it may also be
        a word: then only phrases after it are attached, and to a verb only adjuncts.
        """
        children = self.moved
        if (self.label, False) in children:
            head = children.index((self.label, False))
            return children[:head] + children[head + 1 :]
        if self.label not in (*_NOMINAL, "modifier", "verb"):
            return []
        classes = _NOMINAL if self.label in _NOMINAL else {self.label}
        head = next((i for i, (kind, word) in enumerate(children) if word and kind in classes), len(children))
        phrases = [child for child in children[head:] if not child[1]]
        return phrases if self.label != "verb" or {kind for kind, _ in phrases} <= _ADJUNCTS else []

    def _attached(self) -> str:
        """Return the class of what is attached elsewhere, or an empty string."""
        if not self.changes_node and "noun" in self.phrases and "verb" in self.phrases:
            return "clause"  # a subject and its predicate, without a node over them
        if self.moved[:2] == [("preposition", True), ("noun", False)]:
            return "preposition"  # a preposition and its complement, without a node over them
        if self.phrases:
            return self.phrases[0]
        if self.moved:
            modifies = all(kind == "modifier" for kind, _ in self.moved)
        else:
            modifies = self.changes_node and self.label == "modifier" and "modifier" in self.kinds
        return "modifier" if modifies else ""


def _coordination(case: _Case) -> bool:
    """A conjunction in the added or removed node, at an end of the moved run, or next to the run."""
    around = case.parts if case.changes_node else (*case.parts[:1], *case.parts[-1:], *case.beside)
    return any(map(case.classes.coordinates, around))


def _noun_internal(case: _Case) -> bool:
    """Words, and phrases of numbers and modifiers, grouped differently in a noun phrase."""
    if not case.parts or not all(
        part.word or kind in ("quantity", "modifier") for kind, part in zip(case.kinds, case.parts)
    ):
        return (
            case.changes_node
            and case.above in _NOMINAL
            and case.label in _NOMINAL
            and not (set(case.kinds) - _NOMINAL - {"modifier"})
        )
    if case.changes_node:
        return (case.above in _NOMINAL and case.label in (*_NOMINAL, "modifier")) or (
            case.label in _NOMINAL and case.above == "modifier"
        )
    sides = {case.was, case.label}
    return bool(sides & _NOMINAL) and sides <= {"noun", "quantity", "modifier"}


def _verb_arguments(case: _Case) -> bool:
    """A verb phrase over its verb, or several words that move into or out of a verb phrase."""
    if case.changes_node:
        return case.label == "verb" and "verb" in case.kinds
    return "verb" in (case.was, case.label) and len(case.parts) > 1


def _noun_edge(case: _Case) -> bool:
    """Words at the edge of a noun phrase are outside it."""
    if case.changes_node:
        return case.label in _NOMINAL and not case.phrases and bool(set(case.kinds) & _NOMINAL)
    return (
        bool({case.was, case.label} & _NOMINAL)
        and not case.phrases
        and all(kind in (*_NOMINAL, "modifier") for kind in case.kinds)
    )


_KINDS = {  # causes of kinds of steps
    "alone": "no counterpart",
    "unparsed": "no parse",
    "unexpected": "no gold parse",
    "boundary": "sentence boundary",
    "relabel": "different label",
    "unaligned": "unaligned words",
}

_CASE_RULES: tuple[tuple[str, Callable[[_Case], bool]], ...] = (
    ("coordination", _coordination),
    ("NP-internal structure", _noun_internal),
    ("PP attachment", lambda case: case.attached == "preposition"),
    ("NP attachment", lambda case: case.attached in _NOMINAL),
    ("VP attachment", lambda case: case.attached == "verb"),
    ("clause attachment", lambda case: case.attached == "clause"),
    ("modifier attachment", lambda case: case.attached == "modifier"),
    ("insertion attachment", lambda case: case.attached == "insertion"),
    ("punctuation", lambda case: bool(case.run) and not case.parts),
    ("unary", lambda case: case.changes_node and len(case.parts) == 1),
    ("verb arguments", _verb_arguments),
    ("clause structure", lambda case: case.changes_node and case.label == "clause"),
    ("PP structure", lambda case: case.changes_node and case.label == "preposition"),
    # A conjunction next to the added or removed node, or in the run that moves
    (
        "coordination",
        lambda case: any(map(case.classes.coordinates, case.beside if case.changes_node else case.run)),
    ),
    ("NP boundary", _noun_edge),
)
"""All other causes; the first rule that fits wins.  ``docs/analysis.md`` explains each cause."""

CAUSES: tuple[str, ...] = tuple(
    dict.fromkeys(
        [*_KINDS.values(), "single-word phrase", "unary", *[cause for cause, _ in _CASE_RULES], OTHER]
    )
)


def cause_of(step: Step, classes: Classes) -> str:
    """Return the cause of a step; a third of all steps need no label classes."""
    if step.kind in _KINDS:
        return _KINDS[step.kind]
    if step.kind in _NODE and (step.one_word or len(step.parts) == 1):
        return "single-word phrase" if step.one_word else "unary"
    return _cause_of_case(classes, *step[:6])


@lru_cache(1 << 12)
def _cause_of_case(classes: Classes, *change: Any) -> str:
    case = _Case(classes, *change)
    return next((cause for cause, fits in _CASE_RULES if fits(case)), OTHER)


def tables() -> list[str]:
    """Return the names of the bundled tables of label classes.

    >>> tables()
    ['ptb', 'sejong', 'tiger']
    """
    return sorted(entry[:-4] for entry in os.listdir(FOLDER) if entry.endswith(".txt"))


def load_classes(name: str | os.PathLike[str] | None = None, *, lang: str = "en") -> Classes:
    """Load the label classes of a bundled table or a file; by default the table of the language.

    >>> load_classes("tiger").of("AVP"), load_classes(lang="ko").of("VNP_MOD")
    ('modifier', 'verb')
    """
    path = os.fspath(name if name is not None else {"de": "tiger", "ko": "sejong"}.get(lang, "ptb"))
    known = tables()
    if path in known:
        path = os.path.join(FOLDER, f"{path}.txt")
    expected = f"a file, or one of {', '.join(known)}"
    return parse_classes(table_lines(path, "the table of error classes", expected), path)


def parse_classes(lines: Iterable[str], source: str | None = None) -> Classes:
    """Parse lines of a class and its labels; a class may have several lines, and ``#`` begins a comment line.

    >>> parse_classes(["clause S SBAR", "noun NP"]).of("SBAR")
    'clause'
    >>> parse_classes(["phrase NP"], "my.txt")
    Traceback (most recent call last):
    jpevalb.base.errors.JpevalbError: my.txt:1: got the class 'phrase'; expected one of clause, noun, \
quantity, verb, preposition, modifier, conjunction, subordinator, insertion, punctuation, coordination
    """
    labels_of: dict[str, list[str]] = {}
    first: dict[str, tuple[str, int]] = {}
    for number, line in enumerate(lines, 1):
        fields = line.split()
        if not fields or line.startswith("#"):
            continue
        name, labels = fields[0], fields[1:]
        problem = None
        if name not in CLASSES:
            problem = f"got the class {name!r}; expected one of {', '.join(CLASSES)}"
        elif not labels:
            problem = f"the class {name!r} without labels; expected labels after it, separated by blanks"
        for label in labels:
            if problem is None and name != "coordination":
                listed = first.setdefault(label, (name, number))
                if listed[0] != name:
                    problem = (
                        f"{label!r} in the class {name!r}, and in {listed[0]!r} in line {listed[1]}; "
                        "expected one class per label (a second one only if it is coordination)"
                    )
        if problem is not None:
            raise JpevalbError(problem, source=source, line=number)
        labels_of.setdefault(name, []).extend(labels)
    if not labels_of:
        raise SettingsError(
            f"no class in {source or 'the table of error classes'}; expected lines such as 'noun NP NN'"
        )
    return Classes(labels_of)
