"""Parameter files (.prm): evalb's settings, read as evalb reads them."""

from __future__ import annotations

import os

from .errors import ParamsError, SettingsError

# `typing` and `dataclasses` take longer to import than section 23 of the Penn
# Treebank takes to score, so this module, which every legacy run needs, does
# without them.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

BLANKS = " \t\n\v\f\r"

# No list of labels is larger; a device or a wrong file may have no end.
_LARGEST = 1 << 26

_LISTS = {
    "DELETE_LABEL": "delete_labels",
    "DELETE_LABEL_FOR_LENGTH": "delete_labels_for_length",
    "QUOTE_LABEL": "quote_labels",
}
_PAIRS = {"EQ_LABEL": "eq_labels", "EQ_WORD": "eq_words"}
_NUMBERS = {"DEBUG": "debug", "MAX_ERROR": "max_error", "CUTOFF_LEN": "cutoff", "LABELED": "labeled"}
_WORDS = "DELETE_WORD"
_SWITCHES = {"DELETE_ROOT_PRETERMS": "delete_root_preterms", "DISC_ONLY": "disc_only"}
# Keywords that disco-dop adds: evalb does not know them, and says so.
_ADDED = (_WORDS, *_SWITCHES)
_KEYWORDS = {keyword.encode() for keyword in (*_LISTS, *_PAIRS, *_NUMBERS, *_ADDED)}
_BOOLEANS = ("labeled", *_SWITCHES.values())


class Params:
    """The settings of a parameter file; frozen and hashable.

    Without arguments these are the values that evalb has without a file: nothing
    deleted, nothing equated, labels compared.  Strings may hold bytes that are
    not UTF-8 (as Python's ``surrogateescape`` keeps them), so that any file goes
    through unchanged.

    Attributes:
        delete_labels: DELETE_LABEL: brackets with such a label, and words with
            such a tag, are left out.
        delete_labels_for_length: DELETE_LABEL_FOR_LENGTH: words with such a tag
            do not count for a sentence's length.
        quote_labels: QUOTE_LABEL: tags of quotation marks that may be put back
            where one side has deleted them and the other has not.
        eq_labels: EQ_LABEL: pairs of labels that count as one; symmetric, not
            transitive.
        eq_words: EQ_WORD: pairs of words that count as one.
        labeled: LABELED: whether brackets must agree in their labels.
        cutoff: CUTOFF_LEN: longest sentence of the second summary, in words.
        max_error: MAX_ERROR: a run ends with the message after this number plus
            one of others.
        debug: DEBUG: 0 none, 1 tables, 2 and more the trace too.
        delete_words: DELETE_WORD: words that are left out.  This keyword and the next two are
            disco-dop's; evalb, and legacy mode with it, does not know them.
        delete_root_preterms: DELETE_ROOT_PRETERMS: whether the words whose preterminal is a child of
            the root are left out.
        disc_only: DISC_ONLY: whether only constituents with gaps count.
        name: The file's name as it was asked for; None for no file.
        messages: What reading the file had to say, a line each, as evalb says it.

    ``name`` and ``messages`` do not count for equality.

    Raises:
        SettingsError: a value of another kind: one string for a list of labels,
            a label that is not a string, a number beyond C's int.

    >>> params = Params.load("COLLINS.prm")
    >>> params.eq_labels, params.cutoff, "TOP" in params.delete_labels
    ((('ADVP', 'PRT'),), 40, True)
    >>> Params().replace(cutoff=70) == Params(cutoff=70)
    True
    """

    delete_labels: tuple[str, ...] = ()
    delete_labels_for_length: tuple[str, ...] = ()
    quote_labels: tuple[str, ...] = ()
    eq_labels: tuple[tuple[str, str], ...] = ()
    eq_words: tuple[tuple[str, str], ...] = ()
    labeled: bool = True
    cutoff: int = 40
    max_error: int = 10
    debug: int = 0
    delete_words: tuple[str, ...] = ()
    delete_root_preterms: bool = False
    disc_only: bool = False
    name: str | None
    messages: tuple[str, ...]

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
        said = [f"{field}={value!r}" for field, value in self._values().items() if value != _DEFAULTS[field]]
        return f"Params({', '.join(said)})"

    def replace(self, **values: Any) -> Params:
        """A copy with some settings changed."""
        kept: dict[str, Any] = {"name": self.name, "messages": self.messages, **self._values()}
        return Params(**{**kept, **values})

    @property
    def told(self) -> tuple[str, ...]:
        """What reading the file had to say, without evalb's words on disco-dop's keywords."""
        known = tuple([f"{_UNKNOWN}{keyword}" for keyword in _ADDED])
        return tuple([text for text in self.messages if not _names(text, known)])

    @classmethod
    def load(cls, name_or_path: str | os.PathLike[str]) -> Params:
        """Reads a parameter file: an existing path, else a file that comes with jpevalb.

        Bundled are COLLINS, ctb, negra, new, nk, sample, spmrl and spmrl_hebrew,
        with or without ``.prm``.

        Raises:
            ParamsError: there is no such file, it cannot be read, or it is none: no
                line of it begins with a keyword, but others are there.
        """
        return cls().extend(name_or_path)

    def extend(self, name_or_path: str | os.PathLike[str]) -> Params:
        """Reads another file on top of these settings: lists grow, single values are replaced."""
        name = os.fspath(name_or_path)
        try:
            data = read_small(find(name))
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            known = ", ".join(bundled())
            raise ParamsError(
                f"cannot read this parameter file ({reason}); expected a path or one of {known}", source=name
            ) from None
        found = self.parse(data, name=name)
        keywords = {line.split(maxsplit=1)[0] for line in data.split(b"\n") if line.strip()}
        if len(found.messages) > len(self.messages) and not keywords & _KEYWORDS:
            raise ParamsError(
                "no line begins with a keyword of a parameter file; "
                "expected lines such as 'DELETE_LABEL TOP'",
                source=name,
            )
        return found

    def parse(self, data: bytes, *, name: str | None = None) -> Params:
        """Reads the text of a parameter file on top of these settings.

        What evalb prints about unknown keywords, and what we say of a keyword
        without value, ends up in ``messages``; nothing raises.
        """
        values = self._values()
        lists: dict[str, list[Any]] = {
            field: [] for field in (*_LISTS.values(), *_PAIRS.values(), "delete_words")
        }
        messages = list(self.messages)
        for raw in data.split(b"\n"):
            line = raw.partition(b"\0")[0].decode("utf-8", "surrogateescape").rstrip(BLANKS)
            if len(line.encode("utf-8", "surrogateescape")) < 3 or line.startswith("#"):
                continue
            keyword, value = _split(line)
            if keyword not in _LISTS and keyword not in _PAIRS and keyword not in _NUMBERS:
                messages.append(f"{_UNKNOWN}{line}) in parameter file")
                if value and keyword == _WORDS:
                    lists["delete_words"].append(value)
                elif value and keyword in _SWITCHES:
                    values[_SWITCHES[keyword]] = bool(atoi(value))
            elif not value:
                messages.append(f"{keyword} requires a value, line ignored")
            elif keyword in _NUMBERS:
                number = atoi(value)
                values[_NUMBERS[keyword]] = bool(number) if keyword == "LABELED" else number
            elif keyword in _LISTS:
                lists[_LISTS[keyword]].append(value)
            else:
                first, second = _split(value)
                if not second or any(blank in second for blank in BLANKS):
                    messages.append(f"{keyword} requires two values")
                else:
                    lists[_PAIRS[keyword]].append((first, second))
        for field, more in lists.items():
            values[field] += tuple(more)
        return Params(name=name, messages=tuple(messages), **values)


_DEFAULTS: dict[str, Any] = {
    name: value for name, value in vars(Params).items() if name in Params.__annotations__
}

_UNKNOWN = "Unknown keyword ("


def _names(message: str, beginnings: tuple[str, ...]) -> bool:
    """Whether a message begins with one of some texts that ends at a word's end, and gives it a value."""
    return any(
        message.startswith(text) and message[len(text) : len(text) + 1].isspace() for text in beginnings
    )


def _checked(field: str, value: Any) -> Any:
    """A setting as it is kept: lists as tuples, LABELED as a bool."""
    if field in _BOOLEANS:
        return bool(value)
    if field in _NUMBERS.values():
        if not isinstance(value, int) or not -(2**31) <= value < 2**31:
            raise SettingsError(
                f"{field} is {value!r}; expected a whole number from -2147483648 to 2147483647"
            )
        return value
    pairs = field in _PAIRS.values()
    expected = "a list of pairs of strings" if pairs else "a list of strings"
    if isinstance(value, (str, bytes)):
        raise SettingsError(f"{field} is the one string {value!r}; expected {expected}")
    try:
        items = tuple(item if isinstance(item, str) or not pairs else tuple(item) for item in value)
    except TypeError:
        raise SettingsError(f"{field} is {value!r}; expected {expected}") from None
    for item in items:
        if not (_is_pair(item) if pairs else isinstance(item, str)):
            raise SettingsError(f"{field} holds {item!r}; expected {expected}")
    return items


def _is_pair(item: Any) -> bool:
    return isinstance(item, tuple) and len(item) == 2 and all(isinstance(text, str) for text in item)


def _split(text: str) -> tuple[str, str]:
    """The first word, and the rest without the blanks between."""
    for place, sign in enumerate(text):
        if sign in BLANKS:
            return text[:place], text[place:].lstrip(BLANKS)
    return text, ""


def atoi(text: str) -> int:
    """A number as C's atoi reads it: leading blanks, a sign, digits; anything else is 0.

    >>> atoi(" 10words"), atoi("-3"), atoi("many"), atoi("+ 1")
    (10, -3, 0, 0)
    """
    text = text.lstrip(BLANKS)
    end = 1 if text[:1] in ("+", "-") else 0
    start = end
    while end < len(text) and "0" <= text[end] <= "9":
        end += 1
    if end == start:
        return 0
    digits = text[start:end].lstrip("0")[:20] or "0"
    number = -int(digits) if text[0] == "-" else int(digits)
    number = max(-(2**63), min(2**63 - 1, number))
    return (number + 2**31) % 2**32 - 2**31


def read_small(path: str) -> bytes:
    """All bytes of a file that should be small, such as a list of labels.

    Raises:
        OSError, ValueError: as ``open``; also where it has more than 64 MiB, or no end.
    """
    with open(path, "rb") as file:
        data = file.read(_LARGEST + 1)
    if len(data) > _LARGEST:
        raise OSError(f"it has more than {_LARGEST >> 20} MiB")
    return data


def folder() -> str:
    """Where the bundled parameter files are: in the package, or beside it in a checkout."""
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    installed = os.path.join(package, "prm")
    return installed if os.path.isdir(installed) else os.path.join(os.path.dirname(package), "params")


def bundled() -> list[str]:
    """Names of the bundled parameter files."""
    try:
        return sorted(name for name in os.listdir(folder()) if name.endswith(".prm"))
    except OSError:
        return []


def find(name: str) -> str:
    """The path of a parameter file: ``name`` itself if it exists, else the bundled one, else ``name``.

    A directory called ``new`` does not hide the bundled ``new``.
    """
    if not name or os.path.basename(name) != name or (os.path.exists(name) and not os.path.isdir(name)):
        return name
    for candidate in (name, name + ".prm"):
        path = os.path.join(folder(), candidate)
        if candidate.endswith(".prm") and os.path.exists(path):
            return path
    return name
