"""jpevalb scores constituency parse trees.

Names are imported when they are first used, so that a command line which needs
only some of them starts fast.
"""

from __future__ import annotations

from .base import plugins as _plugins

TYPE_CHECKING = False
if TYPE_CHECKING:
    from . import legacy as legacy, perturb as perturb
    from .alignment.solve import AlignedBead as AlignedBead, align as align
    from .averaging import average as average
    from .base.errors import (
        InputError as InputError,
        JpevalbError as JpevalbError,
        ParamsError as ParamsError,
        SettingsError as SettingsError,
        TimingError as TimingError,
        TooLargeError as TooLargeError,
        TreeError as TreeError,
        WorkerError as WorkerError,
    )
    from .base.version import __version__ as __version__
    from .comparison import compare as compare
    from .comparison.result import Comparison as Comparison
    from .errors.analysis import Analysis as Analysis
    from .formats.answers import repair as repair
    from .formats.read import read as read
    from .formats.writers import write as write
    from .metrics import Mapping as Mapping
    from .metrics.discontinuous import discontinuous_f1 as discontinuous_f1
    from .metrics.mapping import tree_mapping as tree_mapping
    from .metrics.node_accuracy import (
        NodeCounts as NodeCounts,
        concept_accuracy as concept_accuracy,
        tree_node_accuracy as tree_node_accuracy,
        word_accuracy as word_accuracy,
    )
    from .metrics.record import Record as Record
    from .metrics.struct_iou import struct_iou as struct_iou
    from .score.conventions import ConventionTable as ConventionTable, conventions as conventions
    from .score.evaluation import Evaluation as Evaluation
    from .score.evaluator import Evaluator as Evaluator, evaluate as evaluate
    from .score.sentence import SentenceResult as SentenceResult
    from .settings.convention import Convention as Convention
    from .settings.params import Params as Params
    from .settings.settings import Settings as Settings
    from .trees.prepare import unbinarize as unbinarize
    from .trees.sentence import Answer as Answer
    from .trees.tree import Constituent as Constituent, Tree as Tree

# The public names by the module that each is at home in; "" for those that are modules.
_NAMES = {
    "": ("legacy", "perturb"),
    "alignment.solve": ("AlignedBead", "align"),
    "comparison": ("compare",),
    "comparison.result": ("Comparison",),
    "score.conventions": ("ConventionTable", "conventions"),
    "score.evaluation": ("Evaluation",),
    "averaging": ("average",),
    "score.evaluator": ("Evaluator", "evaluate"),
    "formats.read": ("read",),
    "formats.answers": ("repair",),
    "formats.writers": ("write",),
    "metrics.discontinuous": ("discontinuous_f1",),
    "errors.analysis": ("Analysis",),
    "metrics.mapping": ("tree_mapping",),
    "metrics": ("Mapping",),
    "metrics.node_accuracy": ("NodeCounts", "concept_accuracy", "tree_node_accuracy", "word_accuracy"),
    "metrics.record": ("Record",),
    "metrics.struct_iou": ("struct_iou",),
    "trees.sentence": ("Answer",),
    "base.errors": (
        *("InputError", "JpevalbError", "ParamsError", "SettingsError", "TimingError", "TooLargeError"),
        *("TreeError", "WorkerError"),
    ),
    "score.sentence": ("SentenceResult",),
    "settings.convention": ("Convention",),
    "settings.params": ("Params",),
    "settings.settings": ("Settings",),
    "trees.prepare": ("unbinarize",),
    "trees.tree": ("Constituent", "Tree"),
    "base.version": ("__version__",),
}
# The metrics in the order of the report: when they are computed (``settings/settings.py``), and their class.
_plugins.METRICS_HERE |= {
    "brackets": ("always", "jpevalb.metrics.brackets:Brackets"),
    "tags": ("always", "jpevalb.metrics.brackets:Tags"),
    "gaps": ("unnamed", "jpevalb.metrics.brackets:Gaps"),
    "alignment": ("aligned", "jpevalb.metrics.alignment:Alignment"),
    "segmentation": ("default", "jpevalb.metrics.alignment:Segmentation"),
    "unlabeled": ("named", "jpevalb.metrics.variants:Unlabeled"),
    "functions": ("named", "jpevalb.metrics.labels:Functions"),
    "leaf": ("named", "jpevalb.metrics.tree_similarity:LeafAncestor"),
    "tedeval": ("named", "jpevalb.metrics.tree_similarity:TedEval"),
    "siou": ("default", "jpevalb.metrics.struct_iou:StructIou"),
    "nodes": ("default", "jpevalb.metrics.node_accuracy:NodeAccuracy"),
    "concepts": ("named", "jpevalb.metrics.node_accuracy:Concepts"),
    "baselines": ("named", "jpevalb.metrics.variants:Baselines"),
    "oracle": ("nbest", "jpevalb.metrics.variants:Oracle"),
    "answers": ("rated", "jpevalb.metrics.answers:Answers"),
    "labels": ("by_label", "jpevalb.metrics.labels:ByLabel"),
    "analysis": ("analysis", "jpevalb.errors.analysis:ErrorAnalysis"),
}
_plugins.MODULES |= {
    "claims": "jpevalb.claims.made:dicts_of",
    "languages": "jpevalb.alignment.exceptions:languages",
    "notebook": "jpevalb.report.notebooks:notebook",
    "report": "jpevalb.report",
    "report of conventions": "jpevalb.report.conventions",
}

_HOMES = {name: home for home, names in _NAMES.items() for name in names}

__all__ = [*_HOMES]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    home = f"{_HOMES[name]}:{name}" if _HOMES[name] else name
    value: object = _plugins.imported(f"{__name__}.{home}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(set(globals()) | set(_HOMES))
