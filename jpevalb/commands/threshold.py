"""Figures alone (``--score-only``), and the exit status below a threshold or a stored report."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from ..base.errors import InputError, SettingsError
from ..base.streams import read_small
from ..base.text import parse_json
from ..metrics import Figure
from ..report.table import number
from . import say
from .arguments import Namespace

BELOW = 3  # exit status of a run with a figure below a threshold
F1 = "f1"
OPTIONS = ("score_only", "fail_under", "max_drop")


class Scores(NamedTuple):
    """The figures of the systems of a call."""

    systems: Sequence[tuple[str, Mapping[str, float | None]]]  # names and figures by name
    signature: str = ""  # empty for several systems
    #: of each system the share of gold sentences that a convention left out, and True if none has a parse
    parts: Sequence[tuple[float, bool]] = ()


def with_figures(words: Sequence[str]) -> list[str]:
    """Return a command line in which each ``--score-only`` has its figure, F1 if none follows.

    >>> with_figures(["gold.mrg", "sys.mrg", "--score-only"])
    ['gold.mrg', 'sys.mrg', '--score-only=f1']
    >>> with_figures(["--score-only", "tags", "gold.mrg", "sys.mrg"])
    ['--score-only=tags', 'gold.mrg', 'sys.mrg']
    """
    found: list[str] = []
    end = words.index("--") if "--" in words else len(words)  # names of files follow
    rest = iter(zip(words[:end], [*words[1:end], ""]))
    for word, following in rest:
        if word == "--score-only":
            named = re.fullmatch(r"[A-Za-z][\w-]*", following) and not os.path.exists(following)
            word += f"={following if named else F1}"
            if named:
                next(rest)
        found.append(word)
    return [*found, *words[end:]]


def wanted(options: Namespace) -> list[str]:
    """Return the names of the figures that options ask for."""
    limits = [*(options.fail_under or ()), *(options.max_drop or ())]
    return [*(options.score_only or ()), *[name for name, _ in limits]]


def check(options: Namespace, figures: Sequence[Figure]) -> None:
    """Set ``options.asked``, the figures and limits of each option, found by name or title."""
    if options.max_drop is not None:  # before a report can replace the file
        options.stored = _stored(options.baseline)
    known = {key.lower(): figure for figure in figures for key in (figure.title, figure.name)}
    options.asked = {option: [] for option in OPTIONS}
    for option, asked in options.asked.items():
        for item in getattr(options, option) or ():
            name, limit = (item, 100) if option == "score_only" else item
            if name.lower() not in known:
                names = ", ".join([figure.name for figure in figures])
                flag = option.replace("_", "-")
                raise SettingsError(f"--{flag}: no figure {name!r} in this run; it has {names}")
            figure = known[name.lower()]
            asked.append((figure, limit))
            if option == "fail_under" and figure.form == "percent" and not 1 < limit <= 100:
                raise SettingsError(
                    f"--fail-under: {limit:g} is not above 1 and up to 100; give per cent, such as 92.5"
                )
            if option == "fail_under" and figure.form == "share" and limit > 1:
                raise SettingsError(f"--fail-under: {figure.name} is at most 1; give a share, such as 0.85")


def lines(options: Namespace, scores: Scores) -> str:
    """Return the figures of ``--score-only``, one line each; ``-`` for an undefined one."""
    figures = [figure for figure, _ in options.asked["score_only"]]
    return "".join(
        [f"{number(one, rates[one.name]) or '-'}\n" for _, rates in scores.systems for one in figures]
    )


def status(options: Namespace, scores: Scores) -> int:
    """Return the exit status, and report figures that are below a threshold, or undefined, on stderr."""
    below = [*_partial(options, scores), *_below(options, scores), *_dropped(options, scores)]
    for line in below:
        say("jpevalb", line)
    if below:
        return BELOW
    lacking = undefined(options, scores)
    for title, system in lacking:
        say("jpevalb", f"{title} of {system} is undefined: nothing to divide by")
    return int(bool(lacking))


def undefined(options: Namespace, scores: Scores) -> list[tuple[str, str]]:
    """Return the titles of the figures of ``--score-only`` that have no value, with their systems."""
    return [
        (_title(figure), system)
        for system, rates in scores.systems
        for figure, _ in options.asked["score_only"]
        if rates[figure.name] is None
    ]


def _partial(options: Namespace, scores: Scores) -> Iterable[str]:
    """Yield why a threshold fails whatever the figures are."""
    if options.fail_under is None and options.max_drop is None:
        return
    allowed = options.allow_excluded or 0
    for (system, _), (excluded, unparsed) in zip(scores.systems, scores.parts):
        if unparsed:
            yield f"{system} has no parse of any sentence"
        if 100 * excluded > allowed:
            share = f"{100 * excluded:.2f} % of the sentences of {system} are excluded"
            yield f"{share}, more than {allowed:g} (--allow-excluded)"


def _below(options: Namespace, scores: Scores) -> Iterable[str]:
    for figure, limit in options.asked["fail_under"]:
        for system, rates in scores.systems:
            value = _shown(figure, rates[figure.name])
            less = figure.larger_is_better
            if value is None or (value < limit if less else value > limit):
                text = "undefined" if value is None else f"{value:.4f}"
                word = "below" if less else "above"
                yield f"{_title(figure)} of {system} is {text}, {word} {limit:g} (--fail-under)"


def _dropped(options: Namespace, scores: Scores) -> Iterable[str]:
    if options.max_drop is None:
        return
    before, signature = options.stored
    words = [one.split(" ")[1:] for one in (signature, scores.signature)]  # the first is the version
    if words[0] != words[1]:
        both = (words, words[::-1])
        then, now = [" ".join([word for word in one if word not in other]) or "-" for one, other in both]
        raise SettingsError(
            f"{options.baseline}: made with other settings ({then}; now {now}); "
            f"write it again by this call with --as json --quiet -o {options.baseline} in place of the gate"
        )
    for figure, limit in options.asked["max_drop"]:
        for system, rates in scores.systems:
            old, value = (_shown(figure, rate) for rate in (before.get(figure.name), rates[figure.name]))
            if old is None:
                raise SettingsError(
                    f"{options.baseline}: no figure {figure.name}; write it again with these metrics"
                )
            drop = None if value is None else (old - value) * (1 if figure.larger_is_better else -1)
            if drop is None or drop > limit + 1e-9:
                text = "undefined" if value is None else f"{value:.4f}"
                yield (
                    f"{_title(figure)} of {system} is {text}, more than {limit:g} worse than {old:.4f} "
                    f"in {options.baseline} (--max-drop)"
                )


def _title(figure: Figure) -> str:
    return "F1" if figure.name == F1 else figure.name


def _shown(figure: Figure, value: float | None) -> float | None:
    """Return a value as reports show it: in per cent or unchanged."""
    return 100 * value if value is not None and figure.form == "percent" else value


def _stored(path: str) -> tuple[Mapping[str, Any], str]:
    """Return the figures of a stored JSON report of one system, and its signature."""
    try:
        content = parse_json(read_small(path).decode())
        figures = {name: value and float(value) for name, value in content["figures"].items()}
        return figures, f"{content['signature']}"
    except OSError as error:
        why = f"cannot read the baseline: {error.strerror or error}"
        raise InputError(f"{why}; write it with --as json --quiet -o {path}", source=path) from None
    except (ValueError, KeyError, TypeError, AttributeError):
        message = "not a JSON report of one system; write one with --as json --quiet -o FILE"
        raise InputError(message, source=path) from None
