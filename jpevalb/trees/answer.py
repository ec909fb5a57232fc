"""Answer: what is to be read of the text with which a language model answered."""

from __future__ import annotations

from typing import NamedTuple

REPAIRS = {
    "characters": "half a surrogate pair is read as U+FFFD",
    "escapes": r"\n, \r, \t are read as blanks, \" and \' as quotes, \( and \) as brackets that are words",
    "fence": "code fences are left out, and what stands outside of them",
    "end_mark": "end marks such as </s> are left out, and what stands behind them",
    "prefix": "a heading before the tree, such as Tree:, is left out",
    "prose": "other text before or behind the tree is left out",
    "several": "of several trees the first is taken, or all are put under one root",
    "other_brackets": "square or full-width brackets are read as round ones",
    "word_brackets": "round brackets inside words are read as -LRB- and -RRB-",
    "unopened": "the bracket before the root's label is added",
    "unclosed": "brackets that are missing at the end are added",
    "extra": "closing brackets too many are left out",
    "cut_leaf": "a last leaf that is cut off keeps what there is of its word",
    "empty_nodes": "nodes without a word are left out",
}
"""For each repair, by its name, what is done.  Answers name their repairs in this order."""

SEVERAL = ("first", "join")
"""What may be done with an answer of several trees."""


class Answer(NamedTuple):
    """What is to be read of one answer.

    Attributes:
        text: A text of one tree; empty where there is none.
        repairs: The names of the :data:`REPAIRS` that were needed, in their order.
        reason: Why no tree can be had; ``None`` where there is one.
        truncated: Whether the answer ends inside the tree.
    """

    text: str
    repairs: tuple[str, ...] = ()
    reason: str | None = None
    truncated: bool = False

    @property
    def valid(self) -> bool:
        """Whether the answer is one tree as written, and nothing else."""
        return not self.repairs and self.reason is None

    @property
    def trouble(self) -> str | None:
        """Why the answer as written is no tree; ``None`` where it is one."""
        if self.reason is not None or not self.repairs:
            return self.reason
        return f"the answer is not one tree; it would be with repairs: {', '.join(self.repairs)}"
