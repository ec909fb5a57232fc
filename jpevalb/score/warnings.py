"""Warnings of a run: likely mistakes in its files or settings, each with its condition and its sentence.

A condition is a function that yields the facts of its sentence, once each time that it holds.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

from ..alignment.exceptions import other_language
from ..alignment.pair import BY_POSITION, CHANGES, EXCLUDED, EXTRA, NO_PARSE, OTHER_LENGTH, SHORT
from ..alignment.reasons import reasons
from ..base.text import counted
from ..kernels.counting import UNLIKE as UNLIKE_WORDS
from ..kernels.counting import UNPARSED
from ..metrics.record import BeadCounts
from ..settings.choices import NO_LIST
from ..settings.convention import Convention
from ..settings.labels import TRACE, cut
from ..settings.rules import RunRules
from ..settings.settings import Settings
from ..trees.prepare import name_of
from .evaluation import UNLIKE, Standardised
from .inventory import LABEL, added_root, one_sided, texts_of
from .tally import Tally

if TYPE_CHECKING:
    from .inputs import Input
    from .pairing import Side
    from .scorer import Scorer

_NUMBERED = re.compile(r"[^-=]+[-=][0-9]+")


NO_TAGS = "trees without tags: a bracket over one word is a constituent"
NO_TREES = "sentences without trees: words, tags and sentence boundaries are compared"
NO_LABELS = "trees without labels: each bracket counts as NT"

FAR = 0.2  # least difference of F1 and strict F1 for a warning about large units
LARGE = 3.0  # least mean number of words of a side in a unit for that warning

_EVALB_DELETES = frozenset([",", ":", "``", "''", "."])  # tags of COLLINS.prm

Facts: TypeAlias = "dict[str, Any]"
"""Fields of a sentence, by name."""


class RunFacts:
    """What is known of a run: its settings, its files and its sums so far."""

    def __init__(
        self,
        settings: Settings,
        scorer: Scorer,
        tally: Tally,
        inputs: tuple[Input, ...] = (),  # gold and system; none if the run is several runs
        sides: tuple[Side, ...] = (),
    ) -> None:
        self.settings = settings
        self.scorer = scorer
        self.tally = tally
        self.inputs = inputs
        self.sides = sides

    @property
    def rules(self) -> RunRules:
        """The rules of the run."""
        return self.scorer.rules

    @property
    def beads(self) -> BeadCounts:
        """The counts of sentences."""
        return self.tally.total.beads

    @property
    def same_words(self) -> bool:
        """True if both sides must have the same words."""
        return self.scorer.same_words

    @cached_property
    def standardised(self) -> tuple[Standardised, ...]:
        """What was assumed about the files, or changed in them."""
        return tuple(_standardised(self))

    @cached_property
    def empty(self) -> tuple[str, ...]:
        """The files without a tree that has words."""
        named = zip(self.sides, ("gold", "system"))
        return tuple([f"{side.name} ({name})" for side, name in named if side.empty])

    @property
    def unparsed(self) -> bool:
        """True if the system has sentences, and none has a parse."""
        return bool(self.sides) and self.sides[1].empty and bool(self.beads.system)

    @cached_property
    def reasons(self) -> tuple[str, ...]:
        """Reasons why many words differ."""
        if self.same_words or self.empty or "alignment" not in self.tally.total:
            return ()
        settings, counts = self.settings, self.tally.total["alignment"]
        units = sum(counts.units.to_dict().values())
        alone = counts.gold_words_alone, counts.system_words_alone
        found = list(reasons(counts.differing, *[units + number for number in alone]))
        if settings.exceptions is None and settings.lang != NO_LIST:
            found += filter(None, [other_language(counts.differing, settings.lang)])
        return tuple(found)


def _standardised(run: RunFacts) -> Iterator[Standardised]:
    for source, name, count in zip(run.inputs, ("gold", "system"), (run.beads.gold, run.beads.system)):
        if source.lacks_labels:
            yield Standardised(name, NO_LABELS, count)
        if source.lacks_trees:
            yield Standardised(name, NO_TREES, count)
        if run.settings.tags_of(source.side) == "none":
            yield Standardised(name, NO_TAGS, count)
        for what in CHANGES:
            if times := run.tally.done[name, what]:
                yield Standardised(name, what, times)


# -- files read otherwise than expected ------------------------------------------------------------


def _untagged(run: RunFacts) -> Iterator[Facts]:
    sides = [
        f"{item.side} ({counted(item.count, 'sentence')})"
        for item in run.standardised
        if item.what == NO_TAGS
    ]
    if sides:
        yield {"sides": " and ".join(sides)}


def _partly_tagged(run: RunFacts) -> Iterator[Facts]:
    for side, source in zip(("gold", "system"), run.inputs):
        untagged = run.settings.tags_of(source.side) == "none"
        few, how = (source.tagged, "no") if untagged else (source.bare, "some")
        if few and source.bare and run.settings.tags_of(source.side) != "yes":
            listed = ", ".join(map(str, few[:5])) + (", ..." if len(few) > 5 else "")
            number = len(source.tagged) + len(source.bare)
            yield {"side": side, "count": len(few), "number": number, "how": how, "listed": listed}


def _by_position(run: RunFacts) -> Iterator[Facts]:
    if differ := run.tally.done["system", BY_POSITION]:
        yield {"words": counted(differ, "words")}


def _traces_removed(run: RunFacts) -> Iterator[Facts]:
    if any(side.has_traces for side in run.sides):
        names = ("gold", "the system") if run.sides[0].has_traces else ("the system", "gold")
        yield {"with_traces": names[0], "other": names[1], "tag": TRACE}


def _nothing_deleted(run: RunFacts) -> Iterator[Facts]:
    rules, tally = run.rules, run.tally
    seen = rules.seen_deleted or tally.seen_deleted
    deleted = (rules.deleted | rules.dropped) - {TRACE}  # they may be left out of any trees, to be safe
    if deleted and not seen and tally.count:
        is_prm = not (run.same_words or run.settings.punctuation or rules.dropped)
        what = "a DELETE_LABEL of the .prm" if is_prm else "among those to leave out"
        yield {"what": what, "names": " ".join(sorted(deleted))}


def _unparsed(run: RunFacts) -> Iterator[Facts]:
    if run.unparsed:
        yield {}


def _excluded(run: RunFacts) -> Iterator[Facts]:
    if counts := run.tally.excluded:
        scored = run.beads.beads
        kinds = ((counts[UNLIKE_WORDS], "other words"), (counts[UNPARSED], "no parse"))
        whys = [f"{count} {'has' if count == 1 else 'have'} {what}" for count, what in kinds if count]
        yield {"scored": scored, "gold": scored + counts.total(), "whys": ", ".join(whys)}


def problem_of(run: RunFacts) -> str:
    """Return why a run has no figure; empty if it has one."""
    names = [side.name for side in run.sides] or ["gold", "system"]
    left_out, beads, counts = run.tally.left_out, run.beads, run.tally.excluded
    if run.sides and run.sides[0].empty:
        return f"{names[0]}: no sentence of gold has words, so there is nothing to score"
    if not (beads.system or any(left_out[state][0] for state in (EXTRA, EXCLUDED, SHORT))):
        return f"{names[1]}: no sentence of the system, so there is nothing to score"
    others = run.tally.done["system", OTHER_LENGTH]
    return excluded_problem(run.rules.convention, run.settings, counts, beads.beads, names[1], others)


def excluded_problem(
    convention: Convention,
    settings: Settings,
    counts: Mapping[str, int],
    scored: int,
    name: str,
    others: int = 0,  # sentences of other words that count
) -> str:
    """Return why a convention that leaves out sentences gives no figure; empty if it gives one."""
    unlike, total = counts.get(UNLIKE_WORDS, 0) + others, sum(counts.values())
    if settings.on_error == "skip" or not (total or others):
        return ""
    most = convention.max_errors
    if most is not None and unlike > most:
        why = f"{unlike} sentences have other words than gold, and {convention.name} stops after {most}"
    elif total > scored:
        why = f"{total} of {scored + total} sentences have other words than gold or no parse"
    else:
        return ""
    advice = "leave out the convention to align words, or give on_error='skip' to score the others"
    return f"{name}: {why}, so there is no figure; {advice}"


# -- labels that differ ----------------------------------------------------------------------------


def _one_sided(run: RunFacts) -> Iterator[Facts]:
    for text in one_sided(run.tally.inventories, run.rules):
        yield {"text": text}


def _inclusive(run: RunFacts) -> Iterator[Facts]:
    for source in run.inputs:
        if source.format == "jsonl" and source.spans_end_early(run.settings):
            yield {"side": "gold" if source.side == "gold" else "the system"}


def _induced(run: RunFacts) -> Iterator[Facts]:
    if run.rules.unlabeled:
        return
    for side, seen in zip(("gold", "the system"), run.tally.inventories):
        labels = texts_of(seen, LABEL)
        numbered = {label for label in labels if _NUMBERED.fullmatch(label)}
        if len(numbered) > 1 and len({name_of(label) for label in set(labels) - {"", "TOP", "ROOT"}}) == 1:
            yield {"side": side, "name": name_of(min(numbered)), "label": min(numbered)}


# -- texts that differ -----------------------------------------------------------------------------


def _reasons(run: RunFacts) -> Iterator[Facts]:
    for text in run.reasons:
        yield {"text": text}


def _may_differ(run: RunFacts) -> bool:
    """Return True if texts may differ, for no reason that is known."""
    return not (run.same_words or run.empty or run.reasons)


def _alone(run: RunFacts) -> list[str]:
    """Return the sides on which most sentences have no counterpart, for no reason that is known."""
    beads = run.beads
    sides = ("gold", beads.gold_alone, beads.gold), ("system", beads.system_alone, beads.system)
    found = [f"{alone} of {count} {side} sentences" for side, alone, count in sides if 2 * alone > count]
    return found if _may_differ(run) else []


def _both_alone(run: RunFacts) -> Iterator[Facts]:
    if len(sides := _alone(run)) == 2:
        yield {"sides": " and ".join(sides)}


def _one_alone(run: RunFacts) -> Iterator[Facts]:
    if len(sides := _alone(run)) == 1:
        yield {"sides": sides[0]}


def _most_unlike(run: RunFacts) -> float | None:
    """Return the median share of equal characters of the first dissimilar pairs, if most pairs are."""
    if not _may_differ(run) or _alone(run) or 2 * run.beads.unlike <= run.beads.beads:
        return None
    shares = sorted([item.equal or 0.0 for item in run.tally.left_out[UNLIKE][1]])
    return shares[len(shares) // 2]


def _other_spelling(run: RunFacts) -> Iterator[Facts]:
    share = _most_unlike(run)
    if share is not None and share >= 0.5:
        yield {"unlike": run.beads.unlike, "beads": run.beads.beads}


def _other_texts(run: RunFacts) -> Iterator[Facts]:
    share = _most_unlike(run)
    if share is not None and share < 0.5:
        yield {"unlike": run.beads.unlike, "beads": run.beads.beads}


def _shifted(run: RunFacts) -> Iterator[Facts]:
    total = run.tally.total
    by_order = run.settings.pair != "align" and "alignment" in total
    if by_order and _may_differ(run) and not _alone(run) and _most_unlike(run) is None:
        equal, changed = total["alignment"].spelled_alike
        if changed > equal:
            yield {"changed": changed, "words": changed + equal}


def _large_units(run: RunFacts) -> Iterator[Facts]:
    total = run.tally.total
    if run.same_words or not {"alignment", "segmentation"} <= {metric.name for metric in run.scorer.metrics}:
        return
    counts, f1, strict = total["alignment"], total.brackets.f1, total["segmentation"].brackets.f1
    units = sum(counts.units.to_dict().values())
    if not units or f1 is None or strict is None or f1 - strict < FAR:
        return
    tokens = total["segmentation"].tokens
    alone = counts.gold_words_alone, counts.system_words_alone
    sizes = [(count - few) / units for count, few in zip((tokens.gold, tokens.system), alone)]
    side = int(sizes[1] > sizes[0])
    if sizes[side] >= LARGE:
        facts = {"side": ("gold", "system")[side], "size": sizes[side], "other": ("system", "gold")[side]}
        yield {**facts, "f1": f1, "strict": strict}


# -- metrics and roots -----------------------------------------------------------------------------


def _of_metrics(run: RunFacts) -> Iterator[Facts]:
    for metric in run.scorer.metrics if not run.same_words else ():
        for text in metric.warnings():
            yield {"text": text}


def _added_root(run: RunFacts) -> Iterator[Facts]:
    for side, seen in zip(("gold", "system"), run.tally.inventories):
        name = added_root(seen)
        if name and not run.same_words and run.rules.resolve(name) is not None:
            yield {"side": side, "root": cut(name)}
            return  # the same label on both sides, as a rule


WARNINGS: dict[Callable[[RunFacts], Iterator[Facts]], str] = {
    _untagged: "no tags in {sides}: a bracket over one word is a constituent; tags='yes' reads it as a tag",
    _partly_tagged: "{side}: {count} of {number} first trees have {how} words without a tag: {listed}",
    _by_position: "system: {words} different from gold at the same position, but compared; "
    "check that both files have the same sentences",
    _traces_removed: "{with_traces} has words tagged {tag} and {other} has none: they are removed; "
    "use traces='keep' to count them",
    _nothing_deleted: "no label or tag of either file is {what}: {names}",
    _unparsed: "no sentence of the system has a parse, so its figures are 0",
    _excluded: "only {scored} of {gold} gold sentences are scored, since of the others {whys}; "
    "without a convention words are aligned",
    _one_sided: "{text}",
    _inclusive: "no span of {side} reaches the last word: a span is [first word, last word + 1, label]",
    _induced: "all labels of {side} are cut to {name!r}, as {label!r}, so they always match; "
    "use unlabeled=True",
    _reasons: "{text}",
    _both_alone: "{sides} have no counterpart; the files are probably not of the same text",
    _one_alone: "{sides} have no counterpart; the files may be of different texts, or one is incomplete",
    _other_spelling: "{unlike} of {beads} pairs differ in more characters than align_ratio allows, but "
    "most of their characters are equal; check how both files spell their tokens",
    _other_texts: "{unlike} of {beads} pairs are of texts that are not similar; "
    "the files are probably not of the same text",
    # One missing sentence shifts all that follow.
    _shifted: "{changed} of {words} words differ from the gold words beside them; "
    "the files may be of different texts, or one lacks a sentence; "
    "pair='align' pairs sentences by their text",
    _large_units: "F1 is {f1:.2%}, but {strict:.2%} where token ends count: a word of the {other} holds "
    "{size:.1f} {side} words on average, and only brackets between such words are compared; "
    "check the tokens of the {other}",
    _of_metrics: "{text}",
    _added_root: "each of the first {side} trees has the root {root}, which counts as a constituent; "
    "to leave it out give a .prm with DELETE_LABEL {root}",
}
"""The sentence of each condition, with the names of its facts, in the order of the warnings."""


def warnings_of(run: RunFacts) -> Iterator[str]:
    """Yield the warnings of a run, a line each."""
    for condition, sentence in WARNINGS.items():
        for facts in condition(run):
            yield sentence.format(**facts)


# -- what evalb counts in another way --------------------------------------------------------------


def differs_from_evalb(run: RunFacts) -> tuple[str, ...]:
    """Return what the files have and evalb, with its default .prm, counts in another way."""
    if run.same_words or run.settings.convention is not None or run.settings.answers:
        return ()
    rules, tally, beads = run.rules, run.tally, run.beads
    equal = {"ADVP", "PRT"}  # evalb counts them as one label
    differs = {
        "labels": run.settings.unlabeled
        or (equal <= tally.labels and rules.resolve("ADVP") != rules.resolve("PRT")),
        "roots": "ROOT" in tally.labels and rules.resolve("ROOT") is None,
        "punctuation": tally.labels & _EVALB_DELETES and not rules.deleted & _EVALB_DELETES,
        "failed parses": beads.gold_unparsed or beads.system_unparsed or tally.left_out[NO_PARSE][0],
    }
    if "alignment" in tally.total and tally.total["alignment"].beads_differing:
        units, kinds = tally.total["alignment"].units, tally.total["alignment"].kinds
        differs["tokens"] = units.changed or units.resegmented
        differs["sentences"] = kinds["one_to_one"].beads + kinds["no_parse"].beads < beads.beads
    return tuple([name for name, holds in differs.items() if holds])
