"""Warnings of a run: claims about likely mistakes in its files or settings.

A condition is a function that yields a claim each time that it holds.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from ..alignment.exceptions import other_language
from ..alignment.pair import BY_POSITION, CHANGES, EXCLUDED, EXTRA, NO_PARSE, OTHER_LENGTH, SHORT
from ..base.claims import Claim
from ..base.text import counted, listing
from ..kernels.counting import UNLIKE as UNLIKE_WORDS
from ..kernels.counting import UNPARSED
from ..metrics.record import SentenceCounts
from ..settings.convention import Convention
from ..settings.rules import TRACE, RunRules
from ..settings.settings import NO_LIST, Settings
from .evaluation import UNLIKE, Standardised
from .inventory import LABEL, ROOT, SHAPE, SIDES, TAG, WORD, one_sided
from .reasons import reasons
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
    def beads(self) -> SentenceCounts:
        """The counts of sentences."""
        return self.tally.total.sentences

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
    def reasons(self) -> tuple[Claim, ...]:
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
        if run.settings.of_side("tags", source.side) == "none":
            yield Standardised(name, NO_TAGS, count)
        for what in CHANGES:
            if times := run.tally.done[name, what]:
                yield Standardised(name, what, times)


# -- files read otherwise than expected ------------------------------------------------------------


def _untagged(run: RunFacts) -> Iterator[Claim]:
    sides = [
        f"{item.side} ({counted(item.count, 'sentence')})"
        for item in run.standardised
        if item.what == NO_TAGS
    ]
    if sides:
        yield Claim("untagged", {"sides": sides})


def _partly_tagged(run: RunFacts) -> Iterator[Claim]:
    for side, source in zip(("gold", "system"), run.inputs):
        untagged = run.settings.of_side("tags", source.side) == "none"
        few, how = (source.tagged, "no") if untagged else (source.bare, "some")
        if few and source.bare and run.settings.of_side("tags", source.side) != "yes":
            listed = ", ".join(map(str, few[:5])) + (", ..." if len(few) > 5 else "")
            number = len(source.tagged) + len(source.bare)
            numbers = {"side": side, "count": len(few), "number": number, "how": how, "listed": listed}
            yield Claim("partly_tagged", numbers)


def _by_position(run: RunFacts) -> Iterator[Claim]:
    if differ := run.tally.done["system", BY_POSITION]:
        yield Claim("by_position", {"count": differ})


def _nothing_deleted(run: RunFacts) -> Iterator[Claim]:
    rules, tally = run.rules, run.tally
    seen = rules.seen_deleted or tally.seen_deleted
    deleted = (rules.deleted | rules.dropped) - {TRACE}  # they may be left out of any trees, to be safe
    if deleted and not seen and tally.count:
        is_prm = not (run.same_words or run.settings.punctuation or rules.dropped)
        what = "a DELETE_LABEL of the .prm" if is_prm else "among those to leave out"
        yield Claim("nothing_deleted", {"what": what, "names": " ".join(sorted(deleted))})


def _unparsed(run: RunFacts) -> Iterator[Claim]:
    if run.unparsed:
        yield Claim("no_answer" if run.settings.answers else "nothing_parsed", {})


def _excluded(run: RunFacts) -> Iterator[Claim]:
    if counts := run.tally.excluded:
        scored = run.beads.groups
        kinds = ((counts[UNLIKE_WORDS], "other words"), (counts[UNPARSED], "no parse"))
        whys = [f"{count} {'has' if count == 1 else 'have'} {what}" for count, what in kinds if count]
        yield Claim("left_out", {"scored": scored, "gold": scored + counts.total(), "whys": ", ".join(whys)})


def problem_of(run: RunFacts) -> str:
    """Return why a run has no figure; empty if it has one."""
    names = [side.name for side in run.sides] or ["gold", "system"]
    left_out, beads, counts = run.tally.left_out, run.beads, run.tally.excluded
    if run.sides and run.sides[0].empty:
        return f"{names[0]}: no sentence of gold has words, so there is nothing to score"
    if not (beads.system or any(left_out[state][0] for state in (EXTRA, EXCLUDED, SHORT))):
        return f"{names[1]}: no sentence of the system, so there is nothing to score"
    others = run.tally.done["system", OTHER_LENGTH]
    return excluded_problem(run.rules.convention, run.settings, counts, beads.groups, names[1], others)


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
    if not (total or others) or (settings.on_error == "skip" and scored):
        return ""
    most = convention.max_errors
    if most is not None and unlike > most:
        why = f"{unlike} sentences have other words than gold, and {convention.name} stops after {most}"
    elif total > scored:
        faults = ((UNLIKE_WORDS, "other words than gold"), (UNPARSED, "no parse or no word that counts"))
        what = ", ".join([text for reason, text in faults if counts.get(reason)])
        why = f"{total} of {scored + total} sentences have {what}"
    else:
        return ""
    others_too = ", or give on_error='skip' to score the others" if scored else ""
    return f"{name}: {why}, so there is no figure; leave out the convention to align words{others_too}"


# -- labels that differ ----------------------------------------------------------------------------


def _traces_removed(run: RunFacts) -> Iterator[Claim]:
    names = zip(run.sides, SIDES, ("gold", "system"))
    removed = {name: run.tally.done[key, "traces removed"] for side, name, key in names if side.has_traces}
    told = [
        f"{name} alone has words tagged {TRACE} ({counted(count, 'word')})" for name, count in removed.items()
    ]
    if told:
        yield Claim(
            "one_sided", {"sides": told, "advice": "they are removed; use traces='keep' to count them"}
        )


def _one_sided(run: RunFacts) -> Iterator[Claim]:
    counts = {
        LABEL: True,
        TAG: True,
        SHAPE: not run.rules.unlabeled,
        ROOT: not run.same_words,
        WORD: not (run.same_words or run.reasons),
    }
    kinds = [kind for kind, is_counted in counts.items() if is_counted]
    return one_sided(run.tally.inventories, run.rules, kinds, run.settings.answers)


def _inclusive(run: RunFacts) -> Iterator[Claim]:
    for source in run.inputs:
        if source.format == "jsonl" and source.spans_end_early(run.settings):
            yield Claim("inclusive", {"side": "gold" if source.side == "gold" else "the system"})


# -- texts that differ -----------------------------------------------------------------------------


def _reasons(run: RunFacts) -> Iterator[Claim]:
    yield from run.reasons


def _may_differ(run: RunFacts) -> bool:
    """Return True if texts may differ, for no reason that is known."""
    return not (run.same_words or run.empty or run.reasons)


def _alone(run: RunFacts) -> list[str]:
    """Return the sides on which most sentences have no counterpart, for no reason that is known."""
    beads = run.beads
    sides = ("gold", beads.gold_alone, beads.gold), ("system", beads.system_alone, beads.system)
    found = [f"{alone} of {count} {side} sentences" for side, alone, count in sides if 2 * alone > count]
    return found if _may_differ(run) else []


def _most_alone(run: RunFacts) -> Iterator[Claim]:
    if sides := _alone(run):
        yield Claim("one_alone" if len(sides) == 1 else "both_alone", {"sides": sides})


def _most_unlike(run: RunFacts) -> Iterator[Claim]:
    """Tell that most pairs are dissimilar; the first of them show whether it is the spelling."""
    beads = run.beads
    if _may_differ(run) and not _alone(run) and 2 * beads.unlike > beads.groups:
        shares = sorted([item.equal or 0.0 for item in run.tally.left_out[UNLIKE][1]])
        kind = "other_spelling" if shares[len(shares) // 2] >= 0.5 else "other_texts"
        yield Claim(kind, {"unlike": beads.unlike, "pairs": beads.groups})


def _shifted(run: RunFacts) -> Iterator[Claim]:
    total = run.tally.total
    by_order = run.settings.pair != "align" and "alignment" in total
    if by_order and _may_differ(run) and not _alone(run) and not any(_most_unlike(run)):
        equal, changed = total["alignment"].spelled_alike
        if changed > equal:
            yield Claim("shifted", {"changed": changed, "words": changed + equal})


def _large_units(run: RunFacts) -> Iterator[Claim]:
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
        numbers = {"side": ("gold", "system")[side], "size": sizes[side], "other": ("system", "gold")[side]}
        yield Claim("large_units", {**numbers, "f1": f1, "strict": strict})


# -- metrics -----------------------------------------------------------------------------------


def _of_metrics(run: RunFacts) -> Iterator[Claim]:
    for metric in run.scorer.metrics if not run.same_words else ():
        for told in metric.warnings():
            yield told if isinstance(told, Claim) else Claim("of_metric", {"text": told})


CONDITIONS: Sequence[Callable[[RunFacts], Iterator[Claim]]] = (
    *(_untagged, _partly_tagged, _by_position, _traces_removed, _nothing_deleted, _unparsed, _excluded),
    *(_one_sided, _inclusive),
    *(_reasons, _most_alone, _most_unlike, _shifted, _large_units),
    _of_metrics,
)
"""The conditions, in the order of the warnings."""


def warnings_of(run: RunFacts) -> list[Claim]:
    """Return the warnings of a run."""
    return [claim for condition in CONDITIONS for claim in condition(run)]


# -- what evalb counts in another way --------------------------------------------------------------


def differs_from_evalb(run: RunFacts) -> Iterator[Claim]:
    """Tell what the files have and evalb, with its default .prm, counts in another way."""
    if run.same_words or "convention" in run.settings.given() or run.settings.answers:
        return
    if not run.settings.has_trees:
        return
    rules, tally, beads, total = run.rules, run.tally, run.beads, run.tally.total
    brackets, tags = total.brackets, total.tags
    # What evalb counts in another way matches there, too, if all matches here.
    perfect = 0 < brackets.gold == brackets.matched == brackets.system and tags.correct == tags.gold
    roots = [seen[LABEL, "ROOT"] for seen in tally.inventories]
    equal = {"ADVP", "PRT"}  # evalb counts them as one label
    merged = equal <= tally.labels and rules.resolve("ADVP") != rules.resolve("PRT")
    deleted = tally.labels & _EVALB_DELETES and not rules.deleted & _EVALB_DELETES
    has_root = "ROOT" in tally.labels and rules.resolve("ROOT") is None
    differs: dict[str, object] = {
        "labels": run.settings.unlabeled or (merged and not perfect),
        "roots": has_root and not (perfect and roots[0] == roots[1]),
        "punctuation": deleted and not perfect,
    }
    differs["failed parses"] = beads.gold_unparsed or beads.system_unparsed or tally.left_out[NO_PARSE][0]
    if "alignment" in total and total["alignment"].groups_differing:
        units, kinds = total["alignment"].units, total["alignment"].kinds
        differs["tokens"] = units.changed or units.resegmented
        differs["sentences"] = kinds["one_to_one"].groups + kinds["no_parse"].groups < beads.groups
    names = [name for name, holds in differs.items() if holds]
    if words := [name for name in ("tokens", "sentences") if name in names]:
        yield Claim("same_words", {"names": words})
    elif names:
        verb = "counts differently" if names == ["punctuation"] else "count differently"
        yield Claim("not_evalb", {"names": names, "verb": verb if len(listing(names)) < 23 else "differ"})
