"""Causes: the linguistic name of each repair, by a table of rules and a table of label classes.

Names and meanings follow Kummerfeld et al. 2012 (EMNLP, section 3.2), with these differences: a node that is
added or removed is also named after the phrase that is attached elsewhere because of it (a noun phrase over a
noun phrase and a prepositional phrase is an attachment of the prepositional phrase); punctuation next to or
in what moves is ignored; and every rule requires some configuration: constituents that are only missing,
extra or moved are ``other``.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping

from ..trees.errors import JpevalbError, SettingsError
from ..trees.files import table_lines
from ..trees.labels import cut
from .repair_tree import Child, Step

FOLDER = os.path.join(os.path.dirname(__file__), "error_classes")

CLASSES = (
    "clause",
    "noun",
    "quantity",
    "verb",
    "preposition",
    "modifier",
    "conjunction",
    "subordinator",
    "insertion",
    "punctuation",
    "coordination",
)
"""Classes of labels and tags.  A label of ``coordination`` may be in another class, too."""

OTHER = "other"

_MOST_LABELS = 100_000


class Classes:
    """The class of each label and tag.

    >>> classes = Classes({"noun": ["NP", "NN"], "coordination": ["CNP"]})
    >>> classes.of("NP-SBJ"), classes.of("NN+JKS"), classes.of("CNP"), classes.of("VP")
    ('noun', 'noun', 'coordination', '')
    """

    __slots__ = ("_coordinating", "_known", "_of")

    def __init__(self, labels: Mapping[str, Iterable[str]]) -> None:
        self._of: dict[str, str] = {}
        for name in CLASSES:
            for label in labels.get(name, ()):
                self._of.setdefault(label, name)
        self._coordinating = frozenset((*labels.get("conjunction", ()), *labels.get("coordination", ())))
        self._known: dict[str, str] = {}

    def of(self, label: str) -> str:
        """Return the class of a label, or an empty string.

        Anything after the first ``-``, ``=``, ``_`` or ``+`` matters only if the whole label is listed.
        """
        name = self._known.get(label)
        if name is None:
            name = self._of.get(label)
            if name is None:
                short = cut(label).split("_")[0].split("+")[0]
                name = self._of.get(short, "")
            if len(self._known) < _MOST_LABELS:
                self._known[label] = name
        return name

    def coordinates(self, child: Child) -> bool:
        """Return True for a conjunction, or a phrase whose label marks it as coordinated."""
        return child.label in self._coordinating or self.of(child.label) == "conjunction"


_NOMINAL = frozenset(("noun", "quantity"))


class _Case:
    """A step and its properties that the rules use."""

    __slots__ = ("above", "classes", "kinds", "label", "moved", "node", "parts", "phrases", "step", "was")

    def __init__(self, step: Step, classes: Classes) -> None:
        self.step = step
        self.classes = classes
        # Punctuation does not show where a phrase belongs.
        self.parts = [part for part in step.parts if classes.of(part.label) != "punctuation"]
        self.kinds = [classes.of(part.label) for part in self.parts]
        self.phrases = [kind for kind, part in zip(self.kinds, self.parts) if not part.word]
        self.label = classes.of(step.label)
        self.was = classes.of(step.was)
        self.above = classes.of(step.above or "")
        self.node = step.kind in _NODE  # a node is added or removed
        # (class, is a word) of what is attached elsewhere: the run; of a node everything except its head, the
        # first phrase of its class, and nothing if it has no head.
        self.moved = [(kind, part.word) for kind, part in zip(self.kinds, self.parts)]
        if self.node:
            head = (self.label, False)
            if head in self.moved:
                self.moved.remove(head)
            else:
                self.moved = []


def _coordination(case: _Case) -> bool:
    """A conjunction in the added or removed node, or at an end of or next to the run that moves."""
    step = case.step
    around = step.parts if case.node else (*step.parts[:1], *step.parts[-1:], *step.beside)
    return any(map(case.classes.coordinates, around))


def _conjunct(case: _Case) -> bool:
    """A conjunction next to the added or removed node, or in the run that moves."""
    return any(map(case.classes.coordinates, case.step.beside if case.node else case.step.parts))


def _noun_internal(case: _Case) -> bool:
    """Words, and phrases of numbers and modifiers, grouped differently in a noun phrase."""
    if not case.parts or not all(
        part.word or kind in ("quantity", "modifier") for kind, part in zip(case.kinds, case.parts)
    ):
        return (
            case.node
            and case.above in _NOMINAL
            and case.label in _NOMINAL
            and not (set(case.kinds) - _NOMINAL - {"modifier"})
        )
    if case.node:
        return (case.above in _NOMINAL and case.label in (*_NOMINAL, "modifier")) or (
            case.label in _NOMINAL and case.above == "modifier"
        )
    sides = {case.was, case.label}
    return bool(sides & _NOMINAL) and sides <= {"noun", "quantity", "modifier"}


def _all_are(kind: str) -> Callable[[_Case], bool]:
    """Only phrases of one class move."""
    return lambda case: bool(case.moved) and all(part == (kind, False) for part in case.moved)


def _begins(kind: str) -> Callable[[_Case], bool]:
    """The first phrase that moves is of one class."""
    return lambda case: case.moved[:1] == [(kind, False)]


def _modifier(case: _Case) -> bool:
    return bool(case.moved) and all(kind == "modifier" for kind, _ in case.moved)


def _predication(case: _Case) -> bool:
    """A subject and its predicate move, without a node over them."""
    return not case.node and "noun" in case.phrases and "verb" in case.phrases


def _verb_arguments(case: _Case) -> bool:
    """A verb gains or loses several children, or a word."""
    if case.node:
        return case.label == "verb" and "verb" in case.kinds
    return "verb" in (case.was, case.label) and len(case.parts) > 1


def _clause(case: _Case) -> bool:
    """A clause over its verb phrase, or over a subordinator and the clause."""
    return case.node and case.label == "clause" and ("verb" in case.kinds or "clause" in case.kinds)


def _preposition(case: _Case) -> bool:
    """A prepositional phrase over a preposition and its complement."""
    return case.node and case.label == "preposition" and "preposition" in case.kinds and len(case.parts) > 1


def _noun_edge(case: _Case) -> bool:
    """Words at the edge of a noun phrase are outside it."""
    if case.node:
        return case.label in _NOMINAL and bool(set(case.kinds) & _NOMINAL)
    return (
        bool({case.was, case.label} & _NOMINAL)
        and all(part.word for part in case.parts)
        and all(kind in (*_NOMINAL, "modifier") for kind in case.kinds)
    )


_NODE = ("add", "remove")
"""Kinds of steps that add or remove a node."""

_OF_STEPS: tuple[tuple[str, Callable[[Step], bool]], ...] = (
    ("no parse", lambda step: step.kind == "unparsed"),
    ("no gold parse", lambda step: step.kind == "unexpected"),
    ("different label", lambda step: step.kind == "relabel"),
    ("single-word phrase", lambda step: step.one_word and step.kind in _NODE),
    ("unary", lambda step: len(step.parts) == 1 and step.kind in _NODE),
)
"""Causes that need no label classes; they cover a third of all steps."""

_ATTACHED = {
    "preposition": "PP attachment",
    "noun": "NP attachment",
    "verb": "VP attachment",
    "clause": "clause attachment",
}
"""Attachment causes, by the class of the phrase."""

_OF_CASES: tuple[tuple[str, Callable[[_Case], bool]], ...] = (
    ("coordination", _coordination),
    ("NP-internal structure", _noun_internal),
    *[(cause, _all_are(kind)) for kind, cause in _ATTACHED.items()],
    ("modifier attachment", _modifier),
    ("insertion attachment", _all_are("insertion")),
    ("punctuation", lambda case: bool(case.step.parts) and not case.parts),
    ("clause attachment", _predication),
    ("verb arguments", _verb_arguments),
    ("clause structure", _clause),
    ("PP structure", _preposition),
    ("coordination", _conjunct),
    ("NP boundary", _noun_edge),
    *[(cause, _begins(kind)) for kind, cause in _ATTACHED.items()],
)
"""All other causes; the first rule that fits wins.  ``docs/metrics.md`` explains each cause."""

CAUSES: tuple[str, ...] = tuple(
    dict.fromkeys([*[cause for cause, _ in _OF_STEPS], *[cause for cause, _ in _OF_CASES], OTHER])
)


def cause_of(step: Step, classes: Classes) -> str:
    """Return the cause of a step.

    >>> children = (Child("NP", False), Child("PP", False))
    >>> step = Step("remove", "NP", "NP", "VP", children, (), None, False, (), (3,), (4, 5))
    >>> cause_of(step, load_classes("ptb"))
    'PP attachment'
    """
    for cause, applies in _OF_STEPS:
        if applies(step):
            return cause
    case = _Case(step, classes)
    return next((cause for cause, fits in _OF_CASES if fits(case)), OTHER)


def tables() -> list[str]:
    """Return the names of the packaged tables of label classes.

    >>> tables()
    ['ptb', 'sejong', 'tiger']
    """
    return sorted(entry[:-4] for entry in os.listdir(FOLDER) if entry.endswith(".txt"))


def load_classes(name: str | os.PathLike[str] | None = None, *, lang: str = "en") -> Classes:
    """Load the label classes of a packaged table or a file; by default the table of the language.

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
    jpevalb.trees.errors.JpevalbError: my.txt:1: found the class 'phrase'; expected one of clause, noun, \
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
            problem = f"found the class {name!r}; expected one of {', '.join(CLASSES)}"
        elif not labels:
            problem = f"found the class {name!r} without labels; expected them after it, separated by blanks"
        for label in labels:
            if problem is None and name != "coordination":
                before = first.setdefault(label, (name, number))
                if before[0] != name:
                    problem = (
                        f"found {label!r} in the class {name!r}, and in {before[0]!r} in line {before[1]}; "
                        "expected one class for a label (or one and coordination)"
                    )
        if problem is not None:
            raise JpevalbError(problem, source=source, line=number)
        labels_of.setdefault(name, []).extend(labels)
    if not labels_of:
        raise SettingsError(
            f"found no class in {source or 'the table of error classes'}; expected lines such as 'noun NP NN'"
        )
    return Classes(labels_of)
