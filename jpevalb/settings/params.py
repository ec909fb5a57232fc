"""Parameter files (.prm): evalb's settings, parsed exactly as evalb parses them."""

from __future__ import annotations

import io
import os

from ..base.errors import ParamsError, SettingsError
from ..base.streams import read_small

# Every legacy run needs this module.  Importing `typing` and `dataclasses` would take
# longer than scoring section 23 of the Penn Treebank.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

DEFAULT_PRM = "COLLINS.prm"
"""Bundled file that evalb's report uses if no file is named."""
BLANKS = " \t\n\v\f\r"
_BLANK_BYTES = BLANKS.encode()
_PIECE = 499  # evalb reads a line of a .prm in pieces of this many bytes

# One for each field of :class:`Params`, in their order
_KEYWORDS = (
    *("DELETE_LABEL", "DELETE_LABEL_FOR_LENGTH", "QUOTE_LABEL", "EQ_LABEL", "EQ_WORD", "LABELED"),
    *("CUTOFF_LEN", "MAX_ERROR", "DEBUG", "DELETE_WORD", "DELETE_ROOT_PRETERMS", "DISC_ONLY"),
)
_DISCO_DOP = _KEYWORDS[-3:]  # evalb reports these keywords of disco-dop as unknown
_PAIRS = ("eq_labels", "eq_words")


class Params:
    """The settings of a parameter file; frozen and hashable.

    The defaults are evalb's settings without a file: nothing deleted, nothing equated, labels compared.
    Strings may hold bytes that are not UTF-8 (as ``surrogateescape`` keeps them).  ``name`` and
    ``messages`` are ignored by ``==``.

    Raises:
        SettingsError: a value of a wrong type, or a number that does not fit C's int.

    >>> params = Params.load("COLLINS.prm")
    >>> params.eq_labels, params.cutoff, "TOP" in params.delete_labels
    ((('ADVP', 'PRT'),), 40, True)
    >>> Params().replace(cutoff=70) == Params(cutoff=70)
    True
    """

    #: labels of brackets and tags of words that are deleted (DELETE_LABEL)
    delete_labels: tuple[str, ...] = ()
    #: tags of words that do not count for a sentence's length (DELETE_LABEL_FOR_LENGTH)
    delete_labels_for_length: tuple[str, ...] = ()
    #: tags of quotation marks that may be restored if only one side has deleted them (QUOTE_LABEL)
    quote_labels: tuple[str, ...] = ()
    #: pairs of labels that count as equal; symmetric, not transitive (EQ_LABEL)
    eq_labels: tuple[tuple[str, str], ...] = ()
    eq_words: tuple[tuple[str, str], ...] = ()  #: pairs of words that count as equal (EQ_WORD)
    labeled: bool = True  #: True if labels of brackets must match (LABELED)
    cutoff: int = 40  #: maximum length of sentences in the second summary, in words (CUTOFF_LEN)
    max_error: int = 10  #: number of error messages after which the next one ends the run (MAX_ERROR)
    debug: int = 0  #: 0 for none, 1 for tables, 2 or more for the trace as well (DEBUG)
    #: words that are deleted (DELETE_WORD); this keyword and the next two are disco-dop's, evalb and legacy
    #: mode do not know them
    delete_words: tuple[str, ...] = ()
    #: True to delete words whose preterminal is a child of the root (DELETE_ROOT_PRETERMS)
    delete_root_preterms: bool = False
    disc_only: bool = False  #: True if only constituents with gaps count (DISC_ONLY)
    name: str | None  #: name of the file as it was given; ``None`` without a file
    messages: tuple[str, ...]  #: evalb's messages about the file, one line each

    def __init__(self, *, name: str | None = None, messages: tuple[str, ...] = (), **values: Any) -> None:
        unknown = sorted(set(values) - set(_DEFAULTS))
        if unknown:
            raise TypeError(f"Params has no setting {unknown[0]!r}; it has {', '.join(_DEFAULTS)}")
        for field, default in _DEFAULTS.items():
            object.__setattr__(self, field, _checked(field, values.get(field, default)))
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "messages", messages)

    def __setattr__(self, field: str, value: object) -> None:
        raise AttributeError(f"Params is frozen; use replace({field}=...)")

    def __delattr__(self, field: str) -> None:
        raise AttributeError("Params is frozen")

    def _values(self) -> dict[str, Any]:
        return {field: getattr(self, field) for field in _DEFAULTS}

    def __eq__(self, other: object) -> bool:
        return self._values() == other._values() if isinstance(other, Params) else NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(self._values().values()))

    def __repr__(self) -> str:
        values = [f"{name}={value!r}" for name, value in self._values().items() if value != _DEFAULTS[name]]
        return f"Params({', '.join(values)})"

    def replace(self, **values: object) -> Params:
        """Return a copy with some settings changed."""
        kept: dict[str, Any] = {"name": self.name, "messages": self.messages, **self._values()}
        return Params(**{**kept, **values})

    @property
    def warnings(self) -> tuple[str, ...]:
        """Messages, except about disco-dop's keywords, which only evalb does not know."""
        disco_dop = tuple([f"{_UNKNOWN}{keyword} " for keyword in _DISCO_DOP])
        return tuple([text for text in self.messages if not " ".join(text.split()).startswith(disco_dop)])

    @classmethod
    def load(cls, name_or_path: str | os.PathLike[str]) -> Params:
        """Read a parameter file: an existing path or a bundled file.

        Bundled are COLLINS, ctb, negra, new, nk, sample, spmrl and spmrl_hebrew, with or without ``.prm``.

        Raises:
            ParamsError: the file does not exist, cannot be read, or has no line with a known keyword.
        """
        return cls().extend(name_or_path)

    def extend(self, name_or_path: str | os.PathLike[str]) -> Params:
        """Read another file on top of these settings: lists grow, single values are replaced."""
        name = os.fspath(name_or_path)
        try:
            data = read_small(find(name))
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            known = ", ".join(bundled())
            problem = f"cannot read this parameter file ({reason}); expected a path or one of {known}"
            raise ParamsError(problem, source=name) from None
        params = self.parse(data, name=name)
        keywords = {line.split(maxsplit=1)[0] for line in data.split(b"\n") if line.strip()}
        if len(params.messages) > len(self.messages) and keywords.isdisjoint(map(str.encode, _KEYWORDS)):
            raise ParamsError(
                "no line begins with a keyword of a parameter file; "
                "expected lines such as 'DELETE_LABEL TOP'",
                source=name,
            )
        return params

    def parse(self, data: bytes, *, name: str | None = None, earlier: tuple[bytes, ...] = ()) -> Params:
        """Parse the text of a parameter file on top of these settings.

        Nothing is raised: unknown keywords and missing values are reported in ``messages``.  ``earlier`` are
        the texts of files parsed before, in which evalb finds the value of a keyword alone.
        """
        values = {key: list(old) if isinstance(old, tuple) else old for key, old in self._values().items()}
        field_of = dict(zip(_KEYWORDS, _DEFAULTS, strict=True))
        messages = list(self.messages)
        pieces = _pieces(data)
        for index, piece in enumerate(pieces):
            raw = piece.partition(b"\0")[0].rstrip(_BLANK_BYTES)
            if len(raw) < 3 or raw.startswith(b"#"):
                continue
            line = raw.decode("utf-8", "surrogateescape")
            keyword, value = _split(line)
            field = field_of.get(keyword, "")
            if not value and keyword not in _DISCO_DOP:
                before = [each for text in earlier for each in _pieces(text)]
                found = _earlier_value(before + pieces[: index + 1])
                if found == "":
                    messages.append(f"Empty value in parameter file ({index + 1})")
                elif found is None and field and field not in _PAIRS:
                    messages.append(f"{keyword} requires a value, line ignored")
                    continue
                value = found or ""
            if not field or keyword in _DISCO_DOP:
                messages.append(f"{_UNKNOWN}{line}) in parameter file")
                if not field or not value:
                    continue
            if field in _PAIRS:
                first, second = _split(value.rstrip(BLANKS))
                if not second or any(blank in second for blank in BLANKS):
                    messages.append(f"{keyword} requires two values")
                else:
                    values[field].append((first, second))
            elif isinstance(values[field], list):
                values[field].append(value)
            else:
                values[field] = atoi(value)
        return Params(name=name, messages=tuple(messages), **values)


_DEFAULTS = {name: value for name, value in vars(Params).items() if name in Params.__annotations__}
_UNKNOWN = "Unknown keyword ("


def _checked(field: str, value: Any) -> Any:
    """Check the type of a setting; convert lists to tuples and switches to bool."""
    if isinstance(_DEFAULTS[field], bool):
        return bool(value)
    if isinstance(_DEFAULTS[field], int):
        if not isinstance(value, int) or not -(2**31) <= value < 2**31:
            problem = f"{field} is {value!r}; expected a whole number from -2147483648 to 2147483647"
            raise SettingsError(problem)
        return value
    pairs = field in _PAIRS
    expected = "a list of pairs of strings" if pairs else "a list of strings"
    if isinstance(value, (str, bytes)):
        raise SettingsError(f"{field} is the one string {value!r}; expected {expected}")
    try:
        items = tuple(item if isinstance(item, str) or not pairs else tuple(item) for item in value)
    except TypeError:
        raise SettingsError(f"{field} is {value!r}; expected {expected}") from None
    for item in items:
        texts = item if pairs and isinstance(item, tuple) and len(item) == 2 else (item,)
        if len(texts) != 1 + pairs or not all(isinstance(text, str) for text in texts):
            raise SettingsError(f"{field} holds {item!r}; expected {expected}")
    return items


def _pieces(data: bytes) -> list[bytes]:
    """Split a file into lines, and long lines into pieces, as evalb does."""
    return [line[at : at + _PIECE] for line in io.BytesIO(data) for at in range(0, len(line), _PIECE)]


def _earlier_value(pieces: list[bytes]) -> str | None:
    """Return evalb's value for the last piece, a keyword without value; ``None`` if evalb has none."""
    buffer = bytearray()
    for piece in pieces:
        text, nul, more = piece.partition(b"\0")
        buffer[: len(piece) + 1] = text.rstrip(_BLANK_BYTES).ljust(len(text), b"\0") + nul + more + b"\0"
    blank = next((at for at, byte in enumerate(buffer) if byte in _BLANK_BYTES), len(buffer))
    rest = bytes(buffer[blank:]).lstrip(_BLANK_BYTES)
    return rest.partition(b"\0")[0].decode("utf-8", "surrogateescape") if rest else None


def _split(text: str) -> tuple[str, str]:
    for index, character in enumerate(text):
        if character in BLANKS:
            return text[:index], text[index:].lstrip(BLANKS)
    return text, ""


def atoi(text: str) -> int:
    """Parse a number as C's atoi does: leading blanks, a sign, digits; anything else is 0."""
    text = text.lstrip(BLANKS)
    unsigned = text[1:] if text[:1] in ("+", "-") else text
    digits = unsigned[: len(unsigned) - len(unsigned.lstrip("0123456789"))].lstrip("0")[:20] or "0"
    number = -int(digits) if text[:1] == "-" else int(digits)
    number = max(-(2**63), min(2**63 - 1, number))
    return (number + 2**31) % 2**32 - 2**31


def folder() -> str:
    """Return the folder of the bundled parameter files: in the package, or next to it in a checkout."""
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    installed = os.path.join(package, "prm")
    return installed if os.path.isdir(installed) else os.path.join(os.path.dirname(package), "params")


def bundled() -> list[str]:
    try:
        return sorted(name for name in os.listdir(folder()) if name.endswith(".prm"))
    except OSError:
        return []


def find(name: str) -> str:
    """Return the path of a parameter file: ``name`` itself if that file exists, else the bundled one."""
    if not name or os.path.basename(name) != name or (os.path.exists(name) and not os.path.isdir(name)):
        return name
    for candidate in (name, name + ".prm"):
        path = os.path.join(folder(), candidate)
        if candidate.endswith(".prm") and os.path.exists(path):
            return path
    return name
