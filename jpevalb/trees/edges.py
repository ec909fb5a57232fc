"""Trees out of named nodes and the edges between them: what export and TIGER XML have in common."""

from __future__ import annotations

from collections.abc import Sequence

from .errors import TreeError
from .frozen import replace
from .tree import EMPTY, Tree


class NamedSentence:
    """A sentence that is read to its end whatever is wrong with it.

    Args:
        id: Its id in the file; empty where it has none.
        source: Name of the file.
    """

    def __init__(self, id: str, source: str | None) -> None:
        self.id = id
        self.source = source
        self.broken: TreeError | None = None

    def error(self, message: str, line: int) -> TreeError:
        """What is wrong with a line of the sentence."""
        return TreeError(f"sentence {self.id!r}: {message}", source=self.source, line=line)

    def wrong(self, message: str, line: int) -> None:
        """Notes the first thing that is wrong."""
        if self.broken is None:
            self.broken = self.error(message, line)

    def empty(self) -> Tree:
        """The tree of a sentence that cannot be read."""
        return replace(EMPTY, id=self.id or None)

    def build(
        self,
        names: Sequence[str],
        labels: Sequence[str],
        parents: Sequence[int],
        words: Sequence[str],
        word_parents: Sequence[int],
        lines: Sequence[int],
    ) -> Tree:
        """:meth:`Tree.build`, but a cycle is told by the nodes' names in the file and their lines.

        Raises:
            TreeError: a cycle.

        Cost: O(nodes + words).
        """
        try:
            return Tree.build(labels, parents, words, word_parents, self.id or None)
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


def find_cycle(parents: Sequence[int]) -> list[int]:
    """The nodes of one cycle, child before parent; empty where there is none.

    Cost: O(nodes).

    >>> find_cycle([2, -1, 3, 2]), find_cycle([1, -1])
    ([2, 3], [])
    """
    met = [-1] * len(parents)  # the start of the walk that came by
    for start in range(len(parents)):
        node = start
        while node >= 0 and met[node] < 0:
            met[node] = start
            node = parents[node]
        if node >= 0 and met[node] == start:
            cycle = [node]
            while parents[cycle[-1]] != node:
                cycle.append(parents[cycle[-1]])
            return cycle
    return []
