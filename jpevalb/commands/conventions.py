"""Figures under several conventions, from the command line."""

from __future__ import annotations

from ..base.errors import SettingsError
from ..settings.settings import OPTIONS, Settings
from .arguments import Namespace, named_systems, output
from .options import ROWS

_USED = ("gold", "system", "output", "out", "conventions", "published", "names")
_INPUT = ("input", "answers of a language model")  # groups of options that say how to read files


def run(options: Namespace) -> int:
    """Score systems under conventions and write the table."""
    from ..score.conventions import chosen_conventions, conventions

    for name, row in ROWS.items():
        value = getattr(options, name, None)
        is_given = value not in (None, False, []) and not (name == "jobs" and value == 1)
        if is_given and name not in _USED and row.group not in _INPUT:
            flag = f"--{name.replace('_', '-')}"
            raise SettingsError(f"{flag} does not go with a table of conventions; leave one of them out")
    given = {name: value for name, value in vars(options).items() if name in OPTIONS}
    systems = named_systems(options.names, options.system)
    names = options.conventions or ("all",)
    table = conventions(
        options.gold,
        systems,
        chosen_conventions("all" if names == ("all",) else names),
        published=None if options.published is None else options.published / 100,
        settings=Settings(**given),
    )
    with output(options) as (write, _):
        write(table.report(options.output))
    return 0
