"""Sentences with an id, given as named nodes and edges: the common part of export and TIGER XML."""

from __future__ import annotations

from collections.abc import Sequence

from ..base.errors import ReaderOptionError, TreeError
from ..trees.tree import Tree


class GraphSentence:
    """A sentence that is read to its end even after an error; ``id`` is empty if the file has none."""

    def __init__(self, id: str, line: int) -> None:
        self.id = id
        self.line = line
        self.first_error: TreeError | None = None
        self.names: list[str] = []  # of the nodes, for messages
        self.labels: list[str] = []
        self.functions: list[str] = []  # of the edges to their parents
        self.lines: list[int] = []
        self.words: list[str] = []
        self.word_parents: list[int] = []

    def error(self, message: str, line: int) -> TreeError:
        """Return an error in a line of the sentence."""
        return TreeError(f"sentence {self.id!r}: {message}", line=line)

    def note_id(self, seen: IdSet) -> None:
        """Keep an error if the sentence has the id of an earlier one."""
        if self.id and not seen.add(self.id):
            self.note_error("the id occurs twice; give each sentence a unique id", self.line)

    def note_error(self, message: str, line: int) -> None:
        """Keep the error if it is the first."""
        if self.first_error is None:
            self.first_error = self.error(message, line)

    def add_node(self, name: str, label: str, line: int, word: str | None = None, function: str = "") -> None:
        """Add a node, and the word below it; ``--`` is an empty label or function."""
        if word is not None:
            self.words.append(word)
            self.word_parents.append(len(self.labels))
        self.names.append(name)
        self.labels.append("" if label == "--" else label)
        self.functions.append("" if function == "--" else function)
        self.lines.append(line)

    def parents(self) -> list[int]:
        """Return the parent of each node, after all nodes and words were added."""
        raise NotImplementedError

    def tree(self) -> Tree:
        """Build the tree, or raise the first error; the one for a cycle has the nodes' names in the file."""
        parents = self.parents() if self.first_error is None else []
        if self.first_error is not None:
            raise self.first_error
        try:
            tree = Tree.build(
                self.labels, parents, self.words, self.word_parents, self.id or None, self.functions
            )
            # Several top nodes are under a root without label, which is a node of the tree.
            return tree.replace(below_root=True) if len(tree) == len(parents) else tree
        except TreeError:
            cycle = find_cycle(parents)
            if not cycle:
                raise
            names = [self.names[node] for node in cycle]
            shown = [name if name.isprintable() else repr(name) for name in names]
            shown = [*shown[:5], *["..."][: len(cycle) > 5], shown[0]]
            raise self.error(
                f"the edges {' -> '.join(shown)} form a cycle; "
                "every node needs a way up to the root, correct one of these parents",
                self.lines[cycle[0]],
            ) from None


def undeclared_encoding(error: Exception, line: int) -> ReaderOptionError:
    """Return the error for XML in an encoding that expat or Python does not know."""
    problem = f"the document's encoding cannot be read ({error})"
    return ReaderOptionError(problem, "try", "encoding", "utf-8", line=line)


def find_cycle(parents: Sequence[int]) -> list[int]:
    """Return the nodes of one cycle, child before parent; empty without a cycle."""
    visited = {-1}
    for node in range(len(parents)):
        path: list[int] = []
        while node not in visited:
            visited.add(node)
            path.append(node)
            node = parents[node]
        if node in path:
            return path[path.index(node) :]
    return []


class IdSet(set[str]):
    """A set of sentence ids; the first run of each prefix, such as s1, s2, s3, takes no memory."""

    def __init__(self) -> None:
        self._runs: dict[str, range] = {}  # numbers by prefix

    def add(self, id: str) -> bool:  # type: ignore[override]
        """Add an id; return True if it is new."""
        if id in self:
            return False
        prefix, number = _split(id)
        if number >= 0 and self._runs.setdefault(prefix, range(number, number)).stop == number:
            self._runs[prefix] = range(self._runs[prefix].start, number + 1)
        else:
            super().add(id)
        return True

    def __contains__(self, id: object) -> bool:
        prefix, number = _split(str(id))
        return number in self._runs.get(prefix, ()) or super().__contains__(id)


def _split(id: str) -> tuple[str, int]:
    """Split off the number; it is -1 if missing, long, or written with leading zeros (another id)."""
    prefix = id.rstrip("0123456789")
    digits = id[len(prefix) :]
    if not digits or len(digits) > 18 or (digits[0] == "0" and digits != "0"):
        return prefix, -1
    return prefix, int(digits)
