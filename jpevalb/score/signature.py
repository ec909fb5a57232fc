"""Signatures: everything that a score depends on apart from the two files, in one line."""

from __future__ import annotations

import os
from typing import Any

from ..base import plugins
from ..base.streams import read_small
from ..base.values import FILE
from ..base.version import __version__
from ..formats.read import FORMATS
from ..settings.convention import Convention
from ..settings.params import Params
from ..settings.settings import METRICS, NODE_TYPES, OPTIONS, RULES_OF_OPTIONS, TIMES, TYPES, Settings
from .uses import used_settings


def signature_of(settings: Settings, paired_by: str | None = None) -> str:
    """Return the convention of a run, and the options that it uses and that are not the defaults.

    >>> signature_of(Settings(convention="jpevalb", lang="fr"))
    'jpevalb:0.1.0 convention:jpevalb prm:none lang:fr'
    >>> signature_of(Settings(convention="discontinuous", punctuation="$. $,"), "id")
    'jpevalb:0.1.0 convention:discontinuous prm:none pair:id punctuation:$,|$.'
    """
    paired_by = paired_by or settings.pair
    parts = [f"jpevalb:{__version__}"]
    rules = settings.rules() if settings.tool else None
    if rules:
        parts.append(rules.signature)
    else:
        named = Convention.named(str(settings.convention))
        parts.append(named.signature)
        if settings.prm is not None:
            parts.append(f"prm:{prm_name(settings.params())}")
        elif not named.changed:
            parts.append("prm:none")
    if settings.discontinuous or paired_by != "align":
        parts.append(f"pair:{paired_by}")
    if settings.exceptions is None and not (settings.identical_words and settings.lang == "en"):
        parts.append(f"lang:{settings.lang}")
    used = used_settings(settings)
    for name, value in settings.given().items():
        shown = OPTIONS[name].signed and name in used and name != "convention"
        if shown and not (rules and name in RULES_OF_OPTIONS):
            parts.append(f"{name.replace('_', '-')}:{_text(name, value)}")
    others = [(plugins.METRICS, name) for name in settings.metrics if name not in METRICS]
    formats = dict.fromkeys([settings.reading(side)[0] for side in ("gold", "sys")])
    others += [(plugins.FORMATS, name) for name in formats if name != "auto" and name not in FORMATS]
    if others:
        parts.append(f"plugins:{'|'.join([plugins.plugin_version(*one) for one in others])}")
    if settings.answers:
        parts.append(f"answers:{'strict' if not settings.repair else f'repaired-{settings.several}'}")
    return " ".join(parts)


def prm_name(params: Params) -> str:
    """Return the name of a .prm in signatures: that of the file, and a digest of its content."""
    name = _base(params.name) if params.name else "given"
    content: list[object] = [params.delete_labels, params.delete_labels_for_length]
    content += [params.eq_labels, params.eq_words, params.labeled]
    added = (params.delete_words, params.delete_root_preterms, params.disc_only)
    if any(added):
        content += added
    return f"{name}#{_digest(repr(content).encode('utf-8', 'surrogatepass'))}"


def _text(name: str, value: Any) -> str:
    values = OPTIONS[name].values
    if values is TIMES:
        return _base(value)
    if values is TYPES and isinstance(value, tuple):
        return f"given#{_digest(repr(sorted(value)).encode('utf-8', 'surrogatepass'))}"
    if values is FILE or (values is TYPES and value not in NODE_TYPES):
        # A table that comes with the package, such as ptb, has a name only.
        if name == "error_classes" and not os.path.exists(value):
            return _base(value)
        return f"{_base(value)}#{_digest(read_small(value))}"
    if isinstance(value, bool):
        return "yes" if value else "no"
    # Words of the signature have no blanks.
    return "_".join(("|".join(value) if isinstance(value, tuple) else str(value)).split())


def _digest(data: bytes) -> str:
    from hashlib import sha256

    return sha256(data).hexdigest()[:8]


def _base(path: str | os.PathLike[str]) -> str:
    # The signature is a list of words; a name must stay one of them.
    return "_".join(os.path.basename(os.fspath(path)).split())
