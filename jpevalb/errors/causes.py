"""Causes: what a linguist calls each repair, by a table of rules and a table of label classes.

The names, and what they stand for, follow Kummerfeld et al. 2012 (EMNLP, section 3.2),
with these differences: a node added or removed is named too by what hangs elsewhere
for it (a noun phrase over a noun phrase and a prepositional phrase is an attachment of the
prepositional phrase), punctuation beside or in what moves does not count, and a rule
always asks for some configuration: what is only missing, extra or moved is ``other``.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping

from ..trees.errors import JpevalbError, SettingsError
from ..trees.files import table_lines
from ..trees.labels import cut
from .repair_tree import Part, Step

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
"""Classes that a label or a tag can be in.  A label of ``coordination`` may be in another one too."""

OTHER = "other"


class Classes:
    """Which class labels and tags are in.

    Args:
        labels: For a class its labels.

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
        """The class of a label; empty where it is in none.

        What is behind the first ``-``, ``=``, ``_`` or ``+`` counts only where the whole label is listed.
        """
        found = self._known.get(label)
        if found is None:
            found = self._of.get(label)
            if found is None:
                short = cut(label).split("_")[0].split("+")[0]
                found = self._of.get(short, "")
            if len(self._known) < _MOST_LABELS:
                self._known[label] = found
        return found

    def coordinates(self, part: Part) -> bool:
        """Whether a part is a conjunction, or a phrase whose label says that it is coordinated."""
        return part.label in self._coordinating or self.of(part.label) == "conjunction"


_MOST_LABELS = 100_000


# -- rules ------------------------------------------------------------------------


class _Case:
    """A step with what its rules ask for."""

    __slots__ = ("above", "classes", "kinds", "label", "moved", "node", "parts", "phrases", "step", "was")

    def __init__(self, step: Step, classes: Classes) -> None:
        self.step = step
        self.classes = classes
        # Punctuation says nothing of where a phrase belongs.
        self.parts = [part for part in step.parts if classes.of(part.label) != "punctuation"]
        self.kinds = [classes.of(part.label) for part in self.parts]
        self.phrases = [kind for kind, part in zip(self.kinds, self.parts) if not part.word]
        self.label = classes.of(step.label)
        self.was = classes.of(step.was)
        self.above = classes.of(step.above or "")
        # Whether a node is added or removed.
        self.node = step.kind in _NODE
        # What changes its place: the run, or of a node all but its head, the first phrase of its class;
        # nothing where it has no head.
        self.moved = [(kind, part.word) for kind, part in zip(self.kinds, self.parts)]
        if self.node:
            head = (self.label, False)
            if head in self.moved:
                self.moved.remove(head)
            else:
                self.moved = []


def _coordination(case: _Case) -> bool:
    """A conjunction in the node that is added or removed, or at an end of the run that moves or beside it."""
    step = case.step
    around = step.parts if case.node else (*step.parts[:1], *step.parts[-1:], *step.beside)
    return any(map(case.classes.coordinates, around))


def _conjunct(case: _Case) -> bool:
    """A conjunction beside the node that is added or removed, or in the run that moves."""
    return any(map(case.classes.coordinates, case.step.beside if case.node else case.step.parts))


_NOMINAL = frozenset(("noun", "quantity"))


def _noun_internal(case: _Case) -> bool:
    """Words, and phrases of numbers and modifiers, that are grouped otherwise in one noun phrase."""
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
    """Whether all that moves are phrases of a class."""
    return lambda case: bool(case.moved) and all(part == (kind, False) for part in case.moved)


def _begins(kind: str) -> Callable[[_Case], bool]:
    """Whether what moves begins with a phrase of a class."""
    return lambda case: case.moved[:1] == [(kind, False)]


def _modifier(case: _Case) -> bool:
    return bool(case.moved) and all(kind == "modifier" for kind, _ in case.moved)


def _predication(case: _Case) -> bool:
    """A subject and its predicate, without a node over them, in the run that moves."""
    return not case.node and "noun" in case.phrases and "verb" in case.phrases


def _verb_arguments(case: _Case) -> bool:
    """Several things, or a word, that a verb has or has not."""
    if case.node:
        return case.label == "verb" and "verb" in case.kinds
    return "verb" in (case.was, case.label) and len(case.parts) > 1


def _clause(case: _Case) -> bool:
    """A clause over its verb phrase, or over what introduces it and the clause."""
    return case.node and case.label == "clause" and ("verb" in case.kinds or "clause" in case.kinds)


def _preposition(case: _Case) -> bool:
    """A prepositional phrase over a preposition and what it governs."""
    return case.node and case.label == "preposition" and "preposition" in case.kinds and len(case.parts) > 1


def _noun_edge(case: _Case) -> bool:
    """Words that a noun phrase begins or ends with stand outside it."""
    if case.node:
        return case.label in _NOMINAL and bool(set(case.kinds) & _NOMINAL)
    return (
        bool({case.was, case.label} & _NOMINAL)
        and all(part.word for part in case.parts)
        and all(kind in (*_NOMINAL, "modifier") for kind in case.kinds)
    )


_NODE = ("add", "remove")
"""The steps that a node is added or removed by."""

_OF_STEPS: tuple[tuple[str, Callable[[Step], bool]], ...] = (
    ("no parse", lambda step: step.kind == "unparsed"),
    ("no gold parse", lambda step: step.kind == "unexpected"),
    ("different label", lambda step: step.kind == "relabel"),
    ("single-word phrase", lambda step: step.one_word and step.kind in _NODE),
    ("unary", lambda step: len(step.parts) == 1 and step.kind in _NODE),
)
"""Causes that ask for no class of a label, and whether a step is of one; a third of all steps is."""

_ATTACHED = {
    "preposition": "PP attachment",
    "noun": "NP attachment",
    "verb": "VP attachment",
    "clause": "clause attachment",
}
"""The causes of phrases that hang elsewhere, by the class of the phrase."""

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
"""The other causes, in the order in which they are tried; ``docs/metrics.md`` says what each stands for."""

CAUSES: tuple[str, ...] = tuple(
    dict.fromkeys([*[cause for cause, _ in _OF_STEPS], *[cause for cause, _ in _OF_CASES], OTHER])
)


def cause_of(step: Step, classes: Classes) -> str:
    """What a step is called.  Cost: O(children of its node).

    >>> classes = load_classes("ptb")
    >>> parts = (Part("NP", False), Part("PP", False))
    >>> cause_of(Step("remove", "NP", "NP", "VP", parts, (), None, False, (), (3,), (4, 5)), classes)
    'PP attachment'
    """
    for cause, applies in _OF_STEPS:
        if applies(step):
            return cause
    case = _Case(step, classes)
    return next((cause for cause, fits in _OF_CASES if fits(case)), OTHER)


# -- tables of classes ------------------------------------------------------------

_OF_LANGUAGE = {"de": "tiger", "ko": "sejong"}


def tables() -> list[str]:
    """The names of the tables that come with the package.

    >>> tables()
    ['ptb', 'sejong', 'tiger']
    """
    return sorted(entry[:-4] for entry in os.listdir(FOLDER) if entry.endswith(".txt"))


def load_classes(name: str | os.PathLike[str] | None = None, *, lang: str = "en") -> Classes:
    """The label classes of a table.

    Args:
        name: One of :func:`tables`, or a file with a class and its labels a line;
            the language's if not given.
        lang: ``"de"`` is tiger, ``"ko"`` sejong, anything else ptb.

    Raises:
        JpevalbError: there is no such table or file, or a line of it is no class.

    >>> load_classes("tiger").of("AVP"), load_classes(lang="ko").of("VNP_MOD")
    ('modifier', 'verb')
    """
    if name is None:
        name = _OF_LANGUAGE.get(lang, "ptb")
    path = os.fspath(name)
    if path in tables():
        path = os.path.join(FOLDER, f"{path}.txt")
    known = ", ".join(tables())
    return parse_classes(table_lines(path, "the table of error classes", f"a file, or one of {known}"), path)


def parse_classes(lines: Iterable[str], source: str | None = None) -> Classes:
    """Reads label classes from lines: a class, then its labels; ``#`` begins a comment line.

    Args:
        lines: The lines; a class may stand in several.
        source: What errors call them.

    Raises:
        JpevalbError: a class that does not exist, one without labels, or a label in two classes.

    >>> parse_classes(["clause S SBAR", "noun NP"]).of("SBAR")
    'clause'
    >>> parse_classes(["phrase NP"], "my.txt")
    Traceback (most recent call last):
    jpevalb.trees.errors.JpevalbError: my.txt:1: found the class 'phrase'; expected one of clause, noun, \
quantity, verb, preposition, modifier, conjunction, subordinator, insertion, punctuation, coordination
    """
    found: dict[str, list[str]] = {}
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
            problem = f"found the class {name!r} without labels; expected them behind it, with blanks between"
        for label in labels:
            if problem is None and name != "coordination":
                before = first.setdefault(label, (name, number))
                if before[0] != name:
                    problem = (
                        f"found {label!r} in the class {name!r}, and line {before[1]} has it in "
                        f"{before[0]!r}; a label is in one class (and in coordination beside it)"
                    )
        if problem is not None:
            raise JpevalbError(problem, source=source, line=number)
        found.setdefault(name, []).extend(labels)
    if not found:
        raise SettingsError(
            f"found no class in {source or 'the table of error classes'}; expected lines such as 'noun NP NN'"
        )
    return Classes(found)
