"""The metrics that come with jpevalb, a line each; other packages may have more."""

from __future__ import annotations

from typing import NamedTuple

from .errors import SettingsError

ALWAYS, UNNAMED, ALIGNED, DEFAULT, NAMED = "always", "unnamed", "aligned", "default", "named"
"""When a metric is computed: in every run; in every run, and it has no name that users could give; so
where the two sides may have different words; in alignment mode if nothing is named; where it is named."""


class Registered(NamedTuple):
    """Where a metric is, and which runs compute it."""

    module: str
    kind: str
    """The name of its class in the module."""
    when: str
    """One of the five above, or the attribute of the settings that asks for it."""


REGISTRY: dict[str, Registered] = {
    "brackets": Registered("jpevalb.metrics.brackets", "Brackets", ALWAYS),
    "tags": Registered("jpevalb.metrics.tags", "Tags", ALWAYS),
    "gaps": Registered("jpevalb.metrics.brackets", "Gaps", UNNAMED),
    "alignment": Registered("jpevalb.metrics.alignment", "Alignment", ALIGNED),
    "segmentation": Registered("jpevalb.metrics.segmentation", "Segmentation", DEFAULT),
    "functions": Registered("jpevalb.metrics.functions", "Functions", NAMED),
    "leaf": Registered("jpevalb.metrics.leaf_ancestor", "LeafAncestor", NAMED),
    "tedeval": Registered("jpevalb.metrics.ted_eval", "TedEval", NAMED),
    "siou": Registered("jpevalb.metrics.struct_iou", "StructIou", DEFAULT),
    "nodes": Registered("jpevalb.metrics.node_accuracy", "NodeAccuracy", DEFAULT),
    "concepts": Registered("jpevalb.metrics.node_accuracy", "Concepts", NAMED),
    "baselines": Registered("jpevalb.metrics.baselines", "Baselines", NAMED),
    "answers": Registered("jpevalb.metrics.answers", "Answers", "rated"),
    "labels": Registered("jpevalb.metrics.by_label", "ByLabel", "by_label"),
    "analysis": Registered("jpevalb.errors.metric", "ErrorAnalysis", "analysis"),
}
"""For each metric its place, in the order of the report."""


def _computed(*when: str) -> tuple[str, ...]:
    return tuple([name for name, metric in REGISTRY.items() if metric.when in when])


METRICS = _computed(ALWAYS, DEFAULT, NAMED)
"""What ``metrics`` may name, in the order of the report; evalb's twelve columns are made of the first two."""

DEFAULT_METRICS = _computed(ALWAYS, DEFAULT)
"""What is computed if nothing is named."""

ALWAYS_NAMED = _computed(ALWAYS)
"""What is computed where nothing but brackets and tags is asked for."""

IN_EVERY_RUN = _computed(ALWAYS, UNNAMED)
"""Metrics of every run: a report's first columns are made of them; what has gaps is told where it is."""


def metric_names(given: object) -> tuple[str, ...]:
    """Names of metrics in the order of the report, those of other packages last, each once.

    Args:
        given: The names, or a text that has commas between them.

    Raises:
        SettingsError: a name that no metric has, or something else than names.
    """
    names = given.split(",") if isinstance(given, str) else given
    if not isinstance(names, (list, tuple, set, frozenset)):
        raise SettingsError(f"found metrics {names!r}; expected some of {', '.join(METRICS)}")
    others = sorted({name for name in names if name not in METRICS}, key=str)
    if others:
        from .plugins import METRICS as GROUP
        from .plugins import plugin_names

        installed = plugin_names(GROUP)
        for name in others:
            if name not in installed:
                raise SettingsError(
                    f"found the metric {name!r}; expected some of {', '.join([*METRICS, *installed])}"
                )
    return (*(name for name in METRICS if name in names), *others)
