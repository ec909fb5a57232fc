"""Option rows: the one declaration of an option, for the command line, help, checks and signatures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .frozen import field, frozen
from .typed import TYPE_CHECKING, Any, TypeVar
from .values import SWITCH, Values

if TYPE_CHECKING:
    from typing_extensions import dataclass_transform
else:
    from .frozen import dataclass_transform

T = TypeVar("T")

# Values of ``used_by``
EVERY_RUN = ("every run",)
ALIGNED_WORDS, IDENTICAL_WORDS, WORD_TIMES = ("aligned words",), ("identical words",), ("word times",)


@frozen
class Option:
    """One option.

    Attributes:
        group: Heading of the help that lists it.
        metavar: The name of its value in the help; empty for a switch.
        help: One line of at most 54 characters.
        values: The values that it accepts.
        flags: Spellings on the command line, if not ``--name``.
        short: A short spelling, such as ``-o``.
        everyday: True if the first screen of the help lists it.
        used_by: The runs that use it, besides metrics, formats, pairings and reports that declare it.
        signed: True if signatures show it when it is used and not the default.
        setting: True for a field of ``Settings``.
        argparse: Further arguments of ``add_argument``.
    """

    group: str
    metavar: str
    help: str
    values: Values = SWITCH
    flags: tuple[str, ...] = ()
    short: str = ""
    everyday: bool = False
    used_by: Sequence[str] = ()
    signed: bool = True
    setting: bool = False
    argparse: Mapping[str, Any] = field(default_factory=dict)

    def spellings(self, name: str) -> tuple[str, ...]:
        """Return the spellings of the option of this name on the command line."""
        return self.flags or (*filter(None, [self.short]), "--" + name.replace("_", "-"))


def option(*row: Any, default: T, **more: Any) -> T:
    """Declare a field of ``Settings`` with its row; ``row`` and ``more`` are arguments of :class:`Option`."""
    metadata = {"option": Option(*row, **{**more, "setting": True})}
    return field(default=default, metadata=metadata)  # type: ignore[no-any-return]


@dataclass_transform(frozen_default=True, field_specifiers=(option,))
def with_options(cls: type[T]) -> type[T]:
    """Class decorator: make a frozen record of options, and list them in its docstring."""
    record = frozen(cls)
    rows = options_of(record)
    listed = [f"        {name}: {row.help}." for name, row in rows.items()]
    record.__doc__ = (record.__doc__ or "").format(options="\n".join(listed).lstrip())
    return record


def options_of(cls: type) -> dict[str, Option]:
    """Return the rows of a record's fields by name."""
    fields = cls._frozen[0]  # type: ignore[attr-defined]
    return {name: one["metadata"]["option"] for name, one in fields.items() if "metadata" in one}
