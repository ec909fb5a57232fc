"""Names of ``typing`` for annotations, which are not evaluated: importing it is a tenth of a short run."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO as IO
    from typing import Any as Any
    from typing import ClassVar as ClassVar
    from typing import Generic as Generic
    from typing import NamedTuple as NamedTuple
    from typing import NoReturn as NoReturn
    from typing import TypeAlias as TypeAlias
    from typing import TypeVar as TypeVar
    from typing import cast as cast
else:
    from .frozen import NamedTuple as NamedTuple

    class _Name:
        """Stands for any type; as a base class with a parameter it is ``object``."""

        def __getitem__(self, _):
            return object

    IO = Any = ClassVar = Generic = NoReturn = TypeAlias = _Name()

    def TypeVar(_name, **_):  # noqa: N802
        return Any

    def cast(_kind, value):
        return value
