"""evalb's command line, read as C reads it, with the long options of jpevalb."""

from __future__ import annotations

import os

from ..base.streams import read_small
from ..settings.params import BLANKS, DEFAULT_PRM, Params, atoi, find, folder
from . import is_legacy, program_dialect

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

# Letters with a value, and evalb's message if it is missing.
_VALUES = {
    "c": "Missing argument: cut-off length for statistices",
    "e": "Missing argument: number of error to kill",
    "p": "Missing argument: parameter file",
}
_SPMRL_VALUES = {"K": "Missing argument: Max nb of  sentences to read"}
# Letters without a value and the attribute they set; -d and -D change the params.
_FLAGS: dict[str, tuple[str, str | bool]] = {"h": ("show", "usage")}
_SPMRL_FLAGS: dict[str, tuple[str, str | bool]] = {
    "L": ("compact", "all"),
    "l": ("compact", "cutoff"),
    "V": ("names", True),
    "X": ("score_skipped", True),
}

# Letters that a longer word may stand for, and how their values are shown.
_MEANINGS = {"c": "N", "e": "N", "p": "PRM", "K": "N", "d": "", "D": ""}

REPORTS = ("verbose", "output", "out", "score_only", "fail_under", "baseline", "max_drop")
"""Options of jpevalb's reports that evalb's figures have, in addition to those of comparisons."""
_OF_REPORTS = frozenset(["--analysis", "--view", "--by-label", "--output", "--as"])


class UsageError(Exception):
    """An invalid command line; the text is the message."""


class ParamsMissingError(Exception):
    """A parameter file that cannot be opened: earlier messages, its name, and True if -evalb names it."""


class LegacyOptions:
    """A parsed legacy command line."""

    def __init__(self, dialect: str) -> None:
        self.params = Params()  # after the .prm files and -c, -e, -d and -D, in order
        self.prm_texts: list[bytes] = []
        self.files: list[str] = []  # without "-" in evalb's own command line
        self.messages: list[str] = []  # for stderr, from .prm files and options
        self.dialect = dialect  # "evalb" or "spmrl"
        self.cutoff = False  # True if -c was given
        self.compact = ""  # evalb_spmrl's one-line summary: "all" (-L) or "cutoff" (-l)
        self.names = False  # evalb_spmrl's -V
        self.score_skipped = False  # evalb_spmrl's -X
        self.last_line = -1  # evalb_spmrl's -K; -1 for no limit
        self.comparing: list[str] | None = None  # options of a comparison of systems, with their values
        self.quiet = False  # True for the summary alone
        self.show = ""  # instead of scoring: "usage", "help" or "version"


def parse(program: str, arguments: list[str]) -> LegacyOptions:
    """Parse a legacy command line.

    Options act in order and only the first letter of a cluster counts, as in evalb.  The .prm of
    ``-evalb [PRM]`` comes first, wherever it is, so that ``-e`` and ``-c`` hold on both sides of it.
    """
    evalb_itself = bool(program_dialect(program))
    options = LegacyOptions(program_dialect(program) or "evalb")
    words, prm = _take_long_options(options, arguments, evalb_itself=evalb_itself)
    if prm is not None:
        _load(options, prm or DEFAULT_PRM, bundled=not prm, by_evalb=True)
        if options.prm_texts[0].lstrip()[:1] == b"(":
            raise UsageError(f"{prm}: trees, not a parameter file; name the systems before -evalb")
    spmrl = options.dialect == "spmrl"
    values = {**_VALUES, **(_SPMRL_VALUES if spmrl else {})}
    flags = {**_FLAGS, **(_SPMRL_FLAGS if spmrl else {})}
    rest = iter(words)
    for word in rest:
        letter = word[1:2]
        if not word.startswith("-"):
            options.files.append(word)
        elif word == "-":
            if prm is not None:
                options.files.append(word)
        elif not evalb_itself and (advice := _advice_if_misread(word)):
            raise UsageError(f"unknown option {word!r} of evalb; {advice}")
        elif letter in values:
            value = word[2:] or next(rest, None)
            if value is None and not evalb_itself and len(options.files) < 2:
                raise UsageError(f"{word} without a value; write {word} {_MEANINGS[letter]} GOLD SYSTEM")
            if value is None:
                options.messages.append(values[letter])
                value = ""
            if letter == "p":
                _load(options, value)
            elif letter == "c":
                options.params = options.params.replace(cutoff=atoi(value))
                options.cutoff = True
                if spmrl:
                    options.messages.append(f"cutoff {options.params.cutoff}")
            elif letter == "e":
                options.params = options.params.replace(max_error=atoi(value))
            else:
                number = atoi(value)
                options.last_line = number if number == -1 else max(number, 1)
        elif letter in "dD":
            options.params = options.params.replace(debug=1 if letter == "d" else 2)
        elif letter in flags:
            if letter != "L" or not options.compact:
                # As in C, -l takes precedence in either order.
                setattr(options, *flags[letter])
            if options.show:
                return options
        else:
            advice = "jpevalb -evalb --help lists its options"
            if options.dialect == "evalb" and letter in (*_SPMRL_FLAGS, "K"):
                advice = "it is an option of --dialect spmrl"
            elif _row(word.partition("=")[0]):
                advice = _other_mode(arguments, evalb_itself=evalb_itself)
            raise UsageError(f"unknown option {word!r} of evalb; {advice}")
    # evalb ignores a third name, and so does its own command line here.
    if prm is not None and len(options.files) > 2 and options.comparing is None:
        options.comparing = []
    return options


def _advice_if_misread(word: str) -> str:
    """Return the spelling that is meant by a word that evalb would read as a letter with junk, "" for others.

    What a script may pass to evalb is no junk: ``-e10``, ``-c5x``, ``-Dz``, ``-pFILE``.
    """
    letter, rest = word[1], word[2:]
    name, _, value = word[1:].partition("=")
    if word.startswith("-evalb_spmrl"):
        return "write --dialect spmrl"
    if word.startswith("-eval"):
        return f"write -evalb {word[5:].removeprefix('b').removeprefix('=') or '[PRM]'}"
    if letter == "p":
        meant = not rest or os.path.exists(find(rest))
    elif letter in "ceK":
        unsigned = rest.lstrip(BLANKS).removeprefix("-").removeprefix("+")
        meant = not rest or unsigned[:1].isdecimal()
    else:
        clusters = {*_VALUES, *_FLAGS, *_SPMRL_FLAGS, *"dDK0123456789"}
        meant = letter == "h" or len(rest) < 3 or not set(rest) - clusters
    if meant:
        return ""
    is_long = bool(_row(f"--{name}"))
    if letter == "p" and not (is_long or value):
        return ""
    spellings = []
    if letter in _MEANINGS and (not is_long or name == "cutoff"):
        value = value if name == letter else ""
        spellings.append(f"-{letter} {value or _MEANINGS[letter]}".rstrip() + " with -evalb or -p" * is_long)
    if is_long:
        spellings.append(f"--{name}" + " without them" * bool(spellings))
    return f"write {', or '.join(spellings)}" if spellings else ""


def _row(option: str) -> Any:
    """Return the row of an option of jpevalb, or ``None``."""
    # All these options take a while to import, so this is for calls that evalb does not have.
    from .options import LEGACY_ROWS, ROWS

    rows = {**ROWS, **LEGACY_ROWS}
    return next((row for name, row in rows.items() if option in row.spellings(name)), None)


def _takes_value(option: str) -> bool:
    """Return True for an option of jpevalb that is followed by a value."""
    row = _row(option) if option.startswith("--") else None
    return bool(row and row.metavar)


def _is_of_reports(option: str) -> bool:
    """Return True for an option of jpevalb's reports that evalb's figures have."""
    from .options import OF_COMPARISONS, ROWS

    rows = {name: ROWS[name] for name in (*OF_COMPARISONS, *REPORTS)}
    return any(option in (*row.spellings(name), *row.old) for name, row in rows.items())


def _other_mode(arguments: Sequence[str], *, evalb_itself: bool) -> str:
    """Explain how to use an option that evalb lacks."""
    legacy = [word for word in arguments if is_legacy("", [word]) or word[:2] in ("-c", "-e")]
    values = [place for place, word in enumerate(arguments) if place and word in legacy]
    for place in values:
        option = arguments[place - 1]
        if _takes_value(option):
            return f"write {option}={arguments[place]}"
    if "-evalb" in legacy and not evalb_itself:
        if "--prm" in arguments[:-1]:
            return f"write -evalb {arguments[arguments.index('--prm') + 1]}"
        if {word.partition("=")[0] for word in arguments if word.startswith("--")} <= _OF_REPORTS:
            others = []
            for before, word in zip(["", *arguments], arguments):
                if word.startswith("--") or _takes_value(before):
                    others.append(word)
            return f"for the same F1 write --convention evalb {' '.join(others)} in place of -evalb"
    way = "call jpevalb" if evalb_itself else f"leave out {' and '.join(dict.fromkeys(legacy))}"
    if not evalb_itself and any(word.startswith("-p") for word in legacy):
        way += " and give the .prm with --prm"
    return f"{way} for jpevalb's own score"


def _take_long_options(
    options: LegacyOptions, arguments: list[str], *, evalb_itself: bool
) -> tuple[list[str], str | None]:
    """Set jpevalb's own options; return the other words, and the .prm of -evalb ("" for the default)."""
    if any(word.startswith("--score-only") for word in arguments) and not evalb_itself:
        from .threshold import with_figures

        arguments = with_figures(arguments)
    words: list[str] = []
    files = 0  # names of files among the words
    prm: str | None = None
    rest = list(arguments)
    while rest:
        word = rest.pop(0)
        name, equals, value = word.partition("=")
        if name in ("--dialect", "--jobs"):
            value = value if equals else rest.pop(0) if rest else ""
            if name == "--jobs":
                if not value.isdecimal() or len(value) > 9 or int(value) < 1:
                    raise UsageError(f"--jobs: got {value[:20]!r}; expected a whole number from 1")
            elif value not in ("evalb", "spmrl"):
                raise UsageError(f"--dialect: got {value!r}; expected one of evalb, spmrl")
            else:
                options.dialect = value
        elif word in ("--help", "--version"):
            options.show = word[2:]
        elif name == "--evalb" or (name == "-evalb" and not evalb_itself):
            prm = prm or value
            if not (value if equals else not rest or rest[0]):
                raise UsageError(
                    f"{name}: the name of the .prm is empty; name a file, or leave it out for {DEFAULT_PRM}"
                )
            if not equals and rest and rest[0][0] != "-" and _is_prm(rest[0], files):
                prm = rest.pop(0)
        elif not evalb_itself and word == "--quiet":
            options.quiet = True
        elif not evalb_itself and (name == "-o" or name[:2] == "--") and _is_of_reports(name):
            options.comparing = [*(options.comparing or ()), name]
            if name != "--verbose":
                if not equals and not rest:
                    raise UsageError(f"{name} without a value; expected one behind it")
                options.comparing.append(value if equals else rest.pop(0))
        else:
            words.append(word)
            files += word == "-" or not word.startswith("-")
            if word in ("-c", "-e", "-p", "-K") and rest:
                # Its value, whatever it looks like.
                words.append(rest.pop(0))
    return words, prm


def _is_prm(name: str, files: int) -> bool:
    """Return True if the word behind -evalb is a .prm: by its name, or because both files came before."""
    return name.endswith(".prm") or find(name) != name or files >= 2


def _load(options: LegacyOptions, name: str, *, bundled: bool = False, by_evalb: bool = False) -> None:
    known = len(options.params.messages)
    try:
        data = read_small(os.path.join(folder(), name) if bundled else find(name))
    except (OSError, ValueError):
        raise ParamsMissingError(options.messages, name, by_evalb) from None
    options.params = options.params.parse(data, name=name, earlier=tuple(options.prm_texts))
    options.prm_texts.append(data)
    options.messages.extend(options.params.messages[known:])
