"""Answer: the tree in the text of a language model, and the repairs that it needed."""

from typing import NamedTuple

REPAIRS = {
    "characters": "half a surrogate pair is read as U+FFFD, a no-break space at a label as a blank",
    "escapes": r"\n, \r, \t are read as blanks, \" and \' as quotes, \( and \) as brackets that are words",
    "fence": "code fences are left out, and the text outside of them",
    "end_mark": "end marks such as </s> are left out, and the text after them",
    "prefix": "a heading before the tree, such as Tree:, is left out",
    "prose": "other text before or after the tree is left out",
    "several": "of several trees one is taken, by default the first, or all are put under one root",
    "other_brackets": "square or full-width brackets are read as round ones",
    "word_brackets": "round brackets inside words are read as -LRB- and -RRB-",
    "unopened": "the bracket before a label is added",
    "unclosed": "brackets that are missing at the end are added",
    "extra": "superfluous closing brackets are left out",
    "cut_leaf": "a last leaf that is cut off keeps the beginning of its word",
    "empty_nodes": "nodes without a word are left out",
}
"""Names and descriptions of the repairs, in the order in which answers list them."""

SEVERAL = ("first", "last", "longest", "join")  # the choices for an answer with several trees


class Answer(NamedTuple):
    """The tree in an answer of a language model."""

    text: str  #: text of one tree; empty without a tree
    repairs: tuple[str, ...] = ()  #: names of the repairs that were needed
    reason: str | None = None  #: why there is no tree; ``None`` if there is one
    truncated: bool = False  #: True if the answer ends inside the tree
    raw: str = ""  #: the answer as written, if it is not valid and was read from a file
    #: the further answers to the same prompt, as written, if there is a list of answers
    others: tuple[str, ...] = ()

    @property
    def valid(self) -> bool:
        """True if the answer is exactly one tree and needed no repair."""
        return not self.repairs and self.reason is None

    @property
    def trouble(self) -> str | None:
        """Reason why the unrepaired answer is not a tree; ``None`` if it is one."""
        if self.reason is not None or not self.repairs:
            return self.reason
        return f"the answer is not one tree; it would be with repairs: {', '.join(self.repairs)}"
