"""jpevalb scores constituency parse trees.

Names are imported when they are first used, so that a command line which needs
only some of them starts fast.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from . import legacy as legacy
    from . import perturb as perturb
    from .alignment import AlignedBead as AlignedBead
    from .alignment import align as align
    from .averaging import average as average
    from .comparison import compare as compare
    from .comparison.result import Comparison as Comparison
    from .errors.analysis import Analysis as Analysis
    from .metrics.discontinuous import discontinuous_f1 as discontinuous_f1
    from .metrics.mapping import Mapping as Mapping
    from .metrics.mapping import tree_mapping as tree_mapping
    from .metrics.node_accuracy import NodeCounts as NodeCounts
    from .metrics.node_accuracy import concept_accuracy as concept_accuracy
    from .metrics.node_accuracy import tree_node_accuracy as tree_node_accuracy
    from .metrics.node_accuracy import word_accuracy as word_accuracy
    from .metrics.struct_iou import struct_iou as struct_iou
    from .score.evaluate import evaluate as evaluate
    from .score.evaluation import Evaluation as Evaluation
    from .score.evaluator import Evaluator as Evaluator
    from .trees.answer import Answer as Answer
    from .trees.errors import InputError as InputError
    from .trees.errors import JpevalbError as JpevalbError
    from .trees.errors import ParamsError as ParamsError
    from .trees.errors import SettingsError as SettingsError
    from .trees.errors import TimingError as TimingError
    from .trees.errors import TooLargeError as TooLargeError
    from .trees.errors import TreeError as TreeError
    from .trees.errors import WorkerError as WorkerError
    from .trees.formats import read as read
    from .trees.params import Params as Params
    from .trees.repair import repair as repair
    from .trees.settings import Settings as Settings
    from .trees.tree import Tree as Tree
    from .trees.version import __version__ as __version__
    from .trees.writers import write as write

# The public names by the module that each is at home in; "" for those that are modules.
_NAMES = {
    "": ("legacy", "perturb"),
    "alignment": ("AlignedBead", "align"),
    "comparison": ("compare",),
    "comparison.result": ("Comparison",),
    "score.evaluate": ("evaluate",),
    "score.evaluation": ("Evaluation",),
    "averaging": ("average",),
    "score.evaluator": ("Evaluator",),
    "trees.formats": ("read",),
    "trees.repair": ("repair",),
    "trees.writers": ("write",),
    "metrics.discontinuous": ("discontinuous_f1",),
    "errors.analysis": ("Analysis",),
    "metrics.mapping": ("Mapping", "tree_mapping"),
    "metrics.node_accuracy": ("NodeCounts", "concept_accuracy", "tree_node_accuracy", "word_accuracy"),
    "metrics.struct_iou": ("struct_iou",),
    "trees.answer": ("Answer",),
    "trees.errors": (
        *("InputError", "JpevalbError", "ParamsError", "SettingsError", "TimingError", "TooLargeError"),
        *("TreeError", "WorkerError"),
    ),
    "trees.params": ("Params",),
    "trees.settings": ("Settings",),
    "trees.tree": ("Tree",),
    "trees.version": ("__version__",),
}
_HOMES = {name: home for home, names in _NAMES.items() for name in names}

__all__ = [*_HOMES]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    home = import_module(f"{__name__}.{_HOMES[name] or name}")
    value = getattr(home, name) if _HOMES[name] else home
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(set(globals()) | set(_HOMES))
