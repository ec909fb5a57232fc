"""evalb's command line, read as C reads it, and jpevalb's own words in it."""

from __future__ import annotations

import os

from ..trees.params import Params, atoi, find

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

DEFAULT_PRM = "COLLINS.prm"

# What each letter takes: nothing, or a value and what evalb says when it is missing.
_VALUES = {
    "c": "Missing argument: cut-off length for statistices",
    "e": "Missing argument: number of error to kill",
    "p": "Missing argument: parameter file",
}
_SPMRL_VALUES = {"K": "Missing argument: Max nb of  sentences to read"}
# What each letter without a value sets, beside -d and -D.
_FLAGS: dict[str, tuple[str, str | bool]] = {"h": ("show", "usage")}
_SPMRL_FLAGS: dict[str, tuple[str, str | bool]] = {
    "L": ("compact", "all"),
    "l": ("compact", "cutoff"),
    "V": ("names", True),
    "X": ("score_skipped", True),
}

# Words of comparisons, which evalb does not have: those that ask for one, and those that say what
# becomes of its report.
_COMPARING = (
    *("--test", "--samples", "--seed", "--confidence", "--ties"),
    *("--group", "--baseline", "--names", "--correction"),
)
_REPORTING = ("--output", "--out", "--columns", "--sort")
_WITH_VALUES = ("-c", "-e", "-p", "-K", "--dialect", "--jobs", "--dask", *_COMPARING, *_REPORTING)


class UsageError(Exception):
    """A command line that means nothing; the text says why."""


class ParamsMissingError(Exception):
    """A parameter file that cannot be opened.

    Attributes:
        name: The name asked for.
        said: What was to be said on stderr before.
    """

    def __init__(self, name: str, said: list[str]) -> None:
        super().__init__(name)
        self.name = name
        self.said = said


class LegacyOptions:
    """What a legacy command line asks for.

    Attributes:
        params: Settings, after the .prm files and -c, -e, -d and -D, in order.
        files: The names given, "-" left out in evalb's own command line.
        said: Lines for stderr: what the .prm reader and the options had to say.
        dialect: "evalb" or "spmrl".
        cutoff: Whether -c was given.
        compact: evalb_spmrl's one-line summary: "", "all" (-L) or "cutoff" (-l).
        names: evalb_spmrl's -V.
        score_skipped: evalb_spmrl's -X.
        last_line: evalb_spmrl's -K; -1 for no limit.
        jobs: Number of worker processes; 1 for none.
        dask: Address of a Dask scheduler; "" for none.
        comparing: Words of a comparison of systems and their values; ``None`` if it
            is not for one.
        show: "" or what to show instead of scoring: "usage", "help", "version".
    """

    def __init__(self, dialect: str) -> None:
        self.params = Params()
        self.files: list[str] = []
        self.said: list[str] = []
        self.dialect = dialect
        self.cutoff = False
        self.compact = ""
        self.names = False
        self.score_skipped = False
        self.last_line = -1
        self.jobs = 1
        self.dask = ""
        self.comparing: list[str] | None = None
        self.show = ""


def is_legacy(program: str, arguments: list[str]) -> bool:
    """Whether a command line is for legacy mode.

    It is if the program is called evalb or evalb_spmrl, or if the arguments have
    ``-evalb``, ``--dialect`` or one of evalb's own flags.
    """
    if program_dialect(program):
        return True
    for argument in arguments:
        if argument == "--":  # names of files follow
            return False
        if argument in ("-evalb", "--evalb") or argument.partition("=")[0] == "--dialect":
            return True
        if len(argument) > 1 and argument[0] == "-" and argument[1] in "pdDce":
            return True
    return False


def program_dialect(program: str) -> str:
    """The dialect that the program's name asks for, "" for none."""
    name = os.path.basename(program)
    name = name[:-4] if name.lower().endswith(".exe") else name
    return {"evalb": "evalb", "evalb_spmrl": "spmrl"}.get(name, "")


def parse(program: str, arguments: list[str]) -> LegacyOptions:
    """Reads a legacy command line.

    Options act in order and only the first letter of a cluster counts, as in
    evalb.  ``-evalb [PRM]`` and ``--dialect NAME`` are ours: the .prm of ``-evalb``
    comes first, wherever it stands, so that ``-e`` and ``-c`` hold on both sides.

    Raises:
        UsageError: an option that does not exist, or a value that is missing.
        ParamsMissingError: a parameter file cannot be opened.
    """
    options = LegacyOptions(program_dialect(program) or "evalb")
    evalb_itself = bool(program_dialect(program))
    words, prm = _own_words(options, arguments, evalb_itself=evalb_itself)
    if prm is not None:
        _load(options, prm or DEFAULT_PRM)
    said = options.comparing or []
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
        elif letter in values:
            value = word[2:] or next(rest, None)
            if value is None:
                options.said.append(values[letter])
            _set_value(options, letter, value or "")
        elif letter in "dD":
            options.params = options.params.replace(debug=1 if letter == "d" else 2)
        elif letter in flags:
            setattr(options, *flags[letter])
            if options.show:
                return options
        else:
            hint = ""
            if options.dialect == "evalb" and letter in (*_SPMRL_FLAGS, "K"):
                hint = "; it is an option of --dialect spmrl"
            elif _is_of_alignment(word):
                hint = "; " + _way_to_alignment(arguments, evalb_itself=evalb_itself)
            raise UsageError(f"unknown option {word!r} in legacy mode{hint}")
    # evalb ignores a third name, and so does its own command line here.
    if not (any(word in _COMPARING for word in said) or (prm is not None and len(options.files) > 2)):
        if said:
            hint = ""
            if said[0] in _REPORTING:
                hint = "; for one system " + _way_to_alignment(arguments, evalb_itself=evalb_itself)
            raise UsageError(
                f"{said[0]} is for comparisons in legacy mode: name several systems, or leave it out{hint}"
            )
        options.comparing = None
    elif options.comparing is None:
        options.comparing = []
    return options


def _is_of_alignment(word: str) -> bool:
    """Whether jpevalb without -evalb has an option."""
    # Only where something is wrong: all those options take a while to be made.
    from .options import parser

    name = word.partition("=")[0]
    return any(name in action.option_strings for action in parser()._actions)


def _way_to_alignment(arguments: Sequence[str], *, evalb_itself: bool) -> str:
    """How to come by an option that legacy mode does not have."""
    if evalb_itself:
        return "it belongs to alignment mode: call jpevalb"
    asked = [word for word in arguments if is_legacy("", [word])]
    way = f"it belongs to alignment mode: leave out {' and '.join(dict.fromkeys(asked))}"
    return f"{way}, and give the .prm with --prm" if any(word.startswith("-p") for word in asked) else way


def _own_words(
    options: LegacyOptions, arguments: list[str], *, evalb_itself: bool
) -> tuple[list[str], str | None]:
    """Takes jpevalb's own options out; what is left is evalb's.  The .prm of -evalb, "" for the default."""
    words: list[str] = []
    prm: str | None = None
    rest = list(arguments)
    while rest:
        word = rest.pop(0)
        name, equals, value = word.partition("=")
        for_comparing = name in (*_COMPARING, *_REPORTING) and not evalb_itself
        if not equals and (for_comparing or name in ("--dialect", "--jobs", "--dask")):
            if for_comparing and not rest:
                raise UsageError(f"{name} takes a value, found none")
            value = rest.pop(0) if rest else ""
        if name == "--jobs":
            if not value.isdecimal() or len(value) > 9 or int(value) < 1:
                raise UsageError(f"--jobs takes a number of processes from 1 on, found {value[:20]!r}")
            options.jobs = int(value)
        elif name == "--dask":
            if not value:
                raise UsageError("--dask takes the address of a scheduler, such as tcp://host:8786")
            options.dask = value
        elif for_comparing:
            options.comparing = [*(options.comparing or ()), name, value]
        elif word == "--verbose" and not evalb_itself:
            options.comparing = [*(options.comparing or ()), word]
        elif name == "--dialect":
            if value not in ("evalb", "spmrl"):
                raise UsageError(f"--dialect takes evalb or spmrl, found {value!r}")
            options.dialect = value
        elif word in ("--help", "--version"):
            options.show = word[2:]
        elif word == "--evalb" or (word == "-evalb" and not evalb_itself):
            prm = ""
            if rest and rest[0][:1] not in ("", "-") and _is_prm(rest[0], words, rest[1:]):
                prm = rest.pop(0)
        else:
            words.append(word)
            if word in ("-c", "-e", "-p", "-K") and rest:
                # Its value, whatever it looks like.
                words.append(rest.pop(0))
    return words, prm


def _is_prm(word: str, before: list[str], after: list[str]) -> bool:
    """Whether the word behind -evalb is a .prm.

    It is if it is called so, or if two other file names are there and it is no
    file of trees, as in ``-evalb GOLD SYS1 SYS2``.
    """
    if word.endswith(".prm"):
        return True
    others = 0
    for words in (before, after):
        takes_value = False
        for other in words:
            others += not takes_value and (other == "-" or not other.startswith("-"))
            takes_value = other in _WITH_VALUES
    return others >= 2 and not _has_trees(word)


def _has_trees(name: str) -> bool:
    """Whether a file is there and begins with a bracket, which no .prm does, or is compressed."""
    try:
        # Nothing may be taken from a pipe.
        if not os.path.isfile(name):
            return False
        with open(name, "rb") as file:
            return file.read(512).lstrip(b"\xef\xbb\xbf \t\r\n\v\f")[:1] == b"(" or name.endswith(
                (".gz", ".bz2", ".xz")
            )
    except (OSError, ValueError):
        return False


def _load(options: LegacyOptions, name: str) -> None:
    known = len(options.params.messages)
    try:
        with open(find(name), "rb") as file:
            data = file.read()
    except (OSError, ValueError):
        raise ParamsMissingError(name, options.said) from None
    options.params = options.params.parse(data, name=name)
    options.said.extend(options.params.messages[known:])


def _set_value(options: LegacyOptions, letter: str, value: str) -> None:
    if letter == "p":
        _load(options, value)
    elif letter == "c":
        options.params = options.params.replace(cutoff=atoi(value))
        options.cutoff = True
        if options.dialect == "spmrl":
            options.said.append(f"cutoff {options.params.cutoff}")
    elif letter == "e":
        options.params = options.params.replace(max_error=atoi(value))
    else:
        number = atoi(value)
        options.last_line = number if number == -1 else max(number, 1)
