"""The metrics of jpevalb, one row each; other packages may add more."""

from __future__ import annotations

from typing import NamedTuple

from ..base.errors import SettingsError

ALWAYS, UNNAMED, ALIGNED, DEFAULT, NAMED = "always", "unnamed", "aligned", "default", "named"
"""Runs that compute a metric: every run; every run, without a public name; those that align words;
alignment mode without ``metrics``; those that name it."""


class Registered(NamedTuple):
    """Location of a metric, and the runs that compute it."""

    module: str
    kind: str  # the name of its class in the module
    when: str  # one of the five constants above, or the attribute of the settings that adds it


REGISTRY: dict[str, Registered] = {
    "brackets": Registered("jpevalb.metrics.brackets", "Brackets", ALWAYS),
    "tags": Registered("jpevalb.metrics.tags", "Tags", ALWAYS),
    "gaps": Registered("jpevalb.metrics.brackets", "Gaps", UNNAMED),
    "alignment": Registered("jpevalb.metrics.alignment", "Alignment", ALIGNED),
    "segmentation": Registered("jpevalb.metrics.segmentation", "Segmentation", DEFAULT),
    "unlabeled": Registered("jpevalb.metrics.unlabeled", "Unlabeled", NAMED),
    "functions": Registered("jpevalb.metrics.functions", "Functions", NAMED),
    "leaf": Registered("jpevalb.metrics.leaf_ancestor", "LeafAncestor", NAMED),
    "tedeval": Registered("jpevalb.metrics.ted_eval", "TedEval", NAMED),
    "siou": Registered("jpevalb.metrics.struct_iou", "StructIou", DEFAULT),
    "nodes": Registered("jpevalb.metrics.node_accuracy", "NodeAccuracy", DEFAULT),
    "concepts": Registered("jpevalb.metrics.node_accuracy", "Concepts", NAMED),
    "baselines": Registered("jpevalb.metrics.baselines", "Baselines", NAMED),
    "oracle": Registered("jpevalb.metrics.oracle", "Oracle", "nbest"),
    "answers": Registered("jpevalb.metrics.answers", "Answers", "rated"),
    "labels": Registered("jpevalb.metrics.by_label", "ByLabel", "by_label"),
    "analysis": Registered("jpevalb.errors.metric", "ErrorAnalysis", "analysis"),
}
"""The metrics by name, in the order of the report."""


def _computed(*when: str) -> tuple[str, ...]:
    return tuple([name for name, metric in REGISTRY.items() if metric.when in when])


METRICS = _computed(ALWAYS, DEFAULT, NAMED)  # in the order of the report; evalb's columns are the first two's
DEFAULT_METRICS = _computed(ALWAYS, DEFAULT)  # metrics of alignment mode by default
ALWAYS_NAMED = _computed(ALWAYS)  # metrics of discontinuous mode by default
IN_EVERY_RUN = _computed(ALWAYS, UNNAMED)  # the first columns of a report come from these


def metric_names(given: object) -> tuple[str, ...]:
    """Return metrics, or a text with commas between them, in the order of the report, plugins last."""
    names = given.split(",") if isinstance(given, str) else given
    if not isinstance(names, (list, tuple, set, frozenset)):
        raise SettingsError(f"got metrics {names!r}; expected some of {', '.join(METRICS)}")
    others = sorted({name for name in names if name not in METRICS}, key=str)
    if others:
        from ..base.plugins import METRICS as GROUP
        from ..base.plugins import plugin_names

        installed = plugin_names(GROUP)
        for name in others:
            if name not in installed:
                problem = f"unknown metric {name!r}; expected some of {', '.join([*METRICS, *installed])}"
                raise SettingsError(problem)
    return (*(name for name in METRICS if name in names), *others)
