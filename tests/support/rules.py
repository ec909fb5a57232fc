"""Rules of runs, for tests of what takes them."""

from __future__ import annotations

from jpevalb.settings.params import Params
from jpevalb.settings.rules import RunRules
from jpevalb.settings.settings import Settings
from jpevalb.trees.tree import Tree


def rules_of(params: Params | None = None, convention: str = "jpevalb", **options) -> RunRules:
    """Return the rules of a convention with a .prm and other options."""
    return RunRules(Settings(convention=convention, prm=params, **options))


def counts_of(gold: str | Tree, system: str | Tree, rules: RunRules, units=None) -> dict[str, object]:
    """Return what the kernel counts of two trees, by name."""
    from jpevalb.kernels.columns import current_names
    from jpevalb.kernels.counting import COUNTED

    trees = [Tree.parse(tree) if isinstance(tree, str) else tree for tree in (gold, system)]
    columns = [tree.columns.moved(current_names()) for tree in trees]
    return dict(zip(COUNTED, rules.kernel().count(*columns, units)))
