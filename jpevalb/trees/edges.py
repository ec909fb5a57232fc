"""Sentences with an id, given as named nodes and edges: the common part of export and TIGER XML."""

from __future__ import annotations

from collections.abc import Sequence

from .errors import ReaderOptionError, TreeError
from .frozen import replace
from .tree import Tree

_MAX_RUNS = 16


class GraphSentence:
    """A sentence that is read to its end even after an error; ``id`` is empty if the file has none."""

    def __init__(self, id: str, line: int) -> None:
        self.id = id
        self.line = line
        self.first_error: TreeError | None = None

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

    def build(
        self,
        names: Sequence[str],
        labels: Sequence[str],
        parents: Sequence[int],
        words: Sequence[str],
        word_parents: Sequence[int],
        lines: Sequence[int],
    ) -> Tree:
        """Call :meth:`Tree.build`; the error for a cycle has the nodes' names in the file."""
        try:
            tree = Tree.build(labels, parents, words, word_parents, self.id or None)
            # Several top nodes are under a root without label, which is a node of the tree.
            return replace(tree, below_root=True) if len(tree) == len(labels) else tree
        except TreeError:
            cycle = find_cycle(parents)
            if not cycle:
                raise
            shown = [names[node] if names[node].isprintable() else repr(names[node]) for node in cycle[:5]]
            shown += ["..."] * (len(cycle) > 5) + shown[:1]
            raise self.error(
                f"the edges {' -> '.join(shown)} form a cycle; "
                "every node needs a way up to the root, correct one of these parents",
                lines[cycle[0]],
            ) from None


def undeclared_encoding(error: Exception, line: int) -> ReaderOptionError:
    """Return the error for XML in an encoding that expat or Python does not know."""
    problem = f"the document's encoding cannot be read ({error})"
    return ReaderOptionError(problem, "try", "encoding", "utf-8", line=line)


def find_cycle(parents: Sequence[int]) -> list[int]:
    """Return the nodes of one cycle, child before parent; empty if there is none."""
    walk_of = [-1] * len(parents)  # the start of the walk that visited the node
    for start in range(len(parents)):
        node = start
        while node >= 0 and walk_of[node] < 0:
            walk_of[node] = start
            node = parents[node]
        if node >= 0 and walk_of[node] == start:
            cycle = [node]
            while parents[cycle[-1]] != node:
                cycle.append(parents[cycle[-1]])
            return cycle
    return []


class IdSet:
    """A set of sentence ids that stores consecutive ids, such as s1, s2, s3, as one run."""

    __slots__ = ("_others", "_runs")

    def __init__(self) -> None:
        # For each prefix the first and last number of each run.
        self._runs: dict[str, list[list[int]]] = {}
        self._others: set[str] = set()

    def add(self, id: str) -> bool:
        """Add an id; return True if it is new."""
        prefix, number = self._split(id)
        if id in self._others:
            return False
        if number >= 0:
            runs = self._runs.setdefault(prefix, [])
            if self._within(runs, number):
                return False
            if runs and runs[-1][1] + 1 == number:
                runs[-1][1] = number
                return True
            if len(runs) < _MAX_RUNS:
                runs.append([number, number])
                return True
        self._others.add(id)
        return True

    def __contains__(self, id: str) -> bool:
        prefix, number = self._split(id)
        return id in self._others or (number >= 0 and self._within(self._runs.get(prefix, []), number))

    @staticmethod
    def _split(id: str) -> tuple[str, int]:
        """Split off the number; it is -1 if missing, long, or written with leading zeros (another id)."""
        prefix = id.rstrip("0123456789")
        digits = id[len(prefix) :]
        if not digits or len(digits) > 18 or (digits[0] == "0" and digits != "0"):
            return prefix, -1
        return prefix, int(digits)

    @staticmethod
    def _within(runs: list[list[int]], number: int) -> bool:
        return any(first <= number <= last for first, last in runs)
