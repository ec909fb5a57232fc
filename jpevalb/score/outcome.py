"""Outcome of a run: its results as they arrive, its sums so far, and warnings of likely mistakes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, Protocol, TypeAlias

from ..alignment.exceptions import other_language
from ..alignment.pair import BY_POSITION, CHANGES, EXCLUDED, EXTRA, NO_PARSE, OTHER_LENGTH, SHORT
from ..base.claims import Claim
from ..base.errors import InputError, JpevalbError
from ..base.text import counted, listing
from ..kernels.columns import LABEL, ROOT, SHAPE, TAG, WORD
from ..kernels.counting import UNLIKE as UNLIKE_WORDS, UNPARSED
from ..metrics import Metric
from ..settings.convention import Convention
from ..settings.rules import TRACE
from ..settings.settings import NO_LIST, Settings
from ..trees.words import has_marks
from .evaluation import UNLIKE, Evaluation, Standardised
from .inputs import Input
from .pairing import Side
from .sentence import Scorer, SentenceResult
from .tally import SIDES, Tally, one_sided

LEAST = 50  # minimum number of words for a reason
SHARE = 0.1  # minimum share of all words that a reason concerns
LOOP = 50  # maximum number of different words of repeated text
REPEATS = 10  # mean number of occurrences of unaligned words of repeated text

Differing = Mapping[tuple[str, str], int]


NO_TAGS = "trees without tags: a bracket over one word is a constituent"
NO_TREES = "sentences without trees: words, tags and sentence boundaries are compared"
NO_LABELS = "trees without labels: each bracket counts as NT"

FAR = 0.2  # least difference of F1 and strict F1 for a warning about large units
LARGE = 3.0  # least mean number of words of a side in a unit for that warning

_EVALB_DELETES = frozenset([",", ":", "``", "''", "."])  # tags of COLLINS.prm


class Scoring(Protocol):
    """Protocol: the settings and metrics of a run, which a run, its scorer and an evaluation have."""

    @property
    def settings(self) -> Settings: ...
    @property
    def metrics(self) -> tuple[Metric, ...]: ...


RowMaker: TypeAlias = "Callable[[Sequence[SentenceResult], Scoring], list[Any]]"
"""Makes the row of each result without its number; a function of a module, so that it can be pickled."""


def no_rows(results: Sequence[SentenceResult], run: Scoring) -> list[str]:
    """Return no rows, for reports that show sums only."""
    return []


class ChunkResult(NamedTuple):
    """Consecutive sentences, scored."""

    number: int  # of the first sentence; in a worker's result an estimate
    size: int  # number of sentences
    rows: list[Any]  # what the row maker returns for them
    tally: Tally | None = None  # their sums, in a worker's answer
    error: JpevalbError | None = None  # what ended the work after these sentences, in a worker's answer


class Outcome:
    """The results of a run as they arrive, and its sums so far."""

    paired_by: str  # "align", "order", "id", or "auto" until the files are read
    scorer: Scorer
    metrics: tuple[Metric, ...]
    tally: Tally
    inputs: tuple[Input, ...] = ()  # gold and system; none if the run is several runs
    sides: tuple[Side, ...] = ()

    @property
    def settings(self) -> Settings:
        """The settings, with everything decided that the files decide."""
        raise NotImplementedError

    def __iter__(self) -> Iterator[SentenceResult]:
        """Yield the results in order."""
        raise NotImplementedError

    def rows(self, make: RowMaker) -> Iterator[ChunkResult]:
        """Yield the rows of a report in order."""
        number = 1
        for results in self._results():
            yield ChunkResult(number, len(results), make(results, self))
            number += len(results)

    def _results(self) -> Iterator[Sequence[SentenceResult]]:
        """Yield the results in parts."""
        return ([result] for result in self)

    @property
    def is_empty(self) -> bool:
        """True if a file has no tree with words."""
        return any(side.empty for side in self.sides)

    @property
    def unparsed(self) -> bool:
        """True if the system has sentences, and none has a parse."""
        return bool(self.sides) and self.sides[1].empty and bool(self.tally.total.sentences.system)

    def warnings(self) -> list[Claim]:
        """Return claims about likely mistakes in the files or the settings."""
        same_words = self.scorer.same_words
        of_words = _reasons(self)
        counts = {
            LABEL: True,
            TAG: True,
            SHAPE: not self.scorer.rules.unlabeled,
            ROOT: not same_words,
            WORD: not (same_words or of_words),
        }
        kinds = [kind for kind, is_counted in counts.items() if is_counted]
        found = [
            *_of_files(self),
            *_of_left_out(self),
            *one_sided(self.tally.inventories, self.scorer.rules, kinds, self.settings.answers),
        ]
        for source in self.inputs:
            if source.format == "jsonl" and source.spans_end_early(self.settings):
                found.append(Claim("inclusive", {"side": "gold" if source.side == "gold" else "the system"}))
        if same_words:
            return found
        found += of_words or ([] if self.is_empty else _of_texts(self))
        found += _large_units(self)
        of_metrics = [told for metric in self.scorer.metrics for told in metric.warnings()]
        return found + [
            told if isinstance(told, Claim) else Claim("of_metric", {"text": told}) for told in of_metrics
        ]

    def problem(self) -> str:
        """Return why there is no figure; empty if there is one."""
        names = [side.name for side in self.sides] or ["gold", "system"]
        left_out, beads, counts = self.tally.left_out, self.tally.total.sentences, self.tally.excluded
        if self.sides and self.sides[0].empty:
            return f"{names[0]}: no sentence of gold has words, so there is nothing to score"
        if not (beads.system or any(left_out[state][0] for state in (EXTRA, EXCLUDED, SHORT))):
            return f"{names[1]}: no sentence of the system, so there is nothing to score"
        others = self.tally.done["system", OTHER_LENGTH]
        convention = self.scorer.rules.convention
        return excluded_problem(convention, self.settings, counts, beads.groups, names[1], others)

    def evaluation(self, results: Sequence[SentenceResult] = (), *, check: bool = True) -> Evaluation:
        """Return the sums so far, with the results if they are to be kept.

        Raises:
            InputError: there is nothing to score, or a convention leaves out too many sentences.
        """
        tally = self.tally
        if check and (problem := self.problem()):
            raise InputError(problem)
        *others, (cutoff, short) = tally.short
        return Evaluation(
            self.settings,
            self.paired_by,
            tally.total,
            short,
            cutoff,
            tuple(results),
            {state: count for state, (count, _) in tally.left_out.items()},
            tuple([item for _, first in tally.left_out.values() for item in first]),
            (*self.warnings(), *_differs_from_evalb(self)),
            self.metrics,
            tuple(_standardised(self)),
            tuple(others),
            tally.excluded.total(),
            self.unparsed,
        )


class EndedRun(Outcome):
    """A completed run: an evaluation with the sentences that were kept."""

    def __init__(self, evaluation: Evaluation) -> None:
        self.metrics = evaluation.metrics
        self._evaluation = evaluation

    @property
    def settings(self) -> Settings:
        return self._evaluation.settings

    def __iter__(self) -> Iterator[SentenceResult]:
        return iter(self._evaluation.sentences)

    def problem(self) -> str:
        return ""

    def evaluation(self, results: Sequence[SentenceResult] = (), *, check: bool = True) -> Evaluation:
        return replace(self._evaluation, sentences=tuple(results))


# -- warnings ----------------------------------------------------------------------------------------


def _of_files(run: Outcome) -> Iterator[Claim]:
    """Warn of files that are read otherwise than expected."""
    done = run.tally.done
    untagged = [
        f"{item.side} ({counted(item.count, 'sentence')})"
        for item in _standardised(run)
        if item.what == NO_TAGS
    ]
    if untagged:
        yield Claim("untagged", {"sides": untagged})
    for side, source in zip(("gold", "system"), run.inputs):
        tags = run.settings.of_side("tags", source.side)
        few, how = (source.tagged, "no") if tags == "none" else (source.bare, "some")
        if few and source.bare and tags != "yes":
            listed = ", ".join(map(str, few[:5])) + (", ..." if len(few) > 5 else "")
            number = len(source.tagged) + len(source.bare)
            numbers = {"side": side, "count": len(few), "number": number, "how": how, "listed": listed}
            yield Claim("partly_tagged", numbers)
    if differ := done["system", BY_POSITION]:
        yield Claim("by_position", {"count": differ})
    removed = [
        f"{name} alone has words tagged {TRACE} ({counted(done[key, 'traces removed'], 'word')})"
        for side, name, key in zip(run.sides, SIDES, ("gold", "system"))
        if side.has_traces
    ]
    if removed:
        advice = "they are removed; use traces='keep' to count them"
        yield Claim("one_sided", {"sides": removed, "advice": advice})


def _of_left_out(run: Outcome) -> Iterator[Claim]:
    """Warn of labels that no file has, and of sentences without a parse or left out."""
    rules, tally = run.scorer.rules, run.tally
    deleted = (rules.deleted | rules.dropped) - {TRACE}  # they may be left out of any trees, to be safe
    if deleted and not (rules.seen_deleted or tally.seen_deleted) and tally.count:
        is_prm = not (run.scorer.same_words or run.settings.punctuation or rules.dropped)
        what = "a DELETE_LABEL of the .prm" if is_prm else "among those to leave out"
        yield Claim("nothing_deleted", {"what": what, "names": " ".join(sorted(deleted))})
    if run.unparsed:
        yield Claim("no_answer" if run.settings.answers else "nothing_parsed", {})
    if counts := tally.excluded:
        scored = tally.total.sentences.groups
        kinds = ((counts[UNLIKE_WORDS], "other words"), (counts[UNPARSED], "no parse"))
        whys = [f"{count} {'has' if count == 1 else 'have'} {what}" for count, what in kinds if count]
        yield Claim("left_out", {"scored": scored, "gold": scored + counts.total(), "whys": ", ".join(whys)})


def _reasons(run: Outcome) -> list[Claim]:
    """Return reasons why many words differ."""
    settings, total = run.settings, run.tally.total
    if run.scorer.same_words or run.is_empty or "alignment" not in total:
        return []
    counts = total["alignment"]
    units = sum(counts.units.to_dict().values())
    alone = counts.gold_words_alone, counts.system_words_alone
    found = list(reasons(counts.differing, *[units + number for number in alone]))
    if settings.exceptions is None and settings.lang != NO_LIST:
        found += filter(None, [other_language(counts.differing, settings.lang)])
    return found


def _of_texts(run: Outcome) -> list[Claim]:
    """Return a warning of texts that differ for no reason that is known."""
    total = run.tally.total
    beads = total.sentences
    sides = ("gold", beads.gold_alone, beads.gold), ("system", beads.system_alone, beads.system)
    if alone := [f"{alone} of {count} {side} sentences" for side, alone, count in sides if 2 * alone > count]:
        return [Claim("one_alone" if len(alone) == 1 else "both_alone", {"sides": alone})]
    if 2 * beads.unlike > beads.groups:
        # The first of the dissimilar pairs show whether it is the spelling.
        shares = sorted([item.equal or 0.0 for item in run.tally.left_out[UNLIKE][1]])
        kind = "other_spelling" if shares[len(shares) // 2] >= 0.5 else "other_texts"
        return [Claim(kind, {"unlike": beads.unlike, "pairs": beads.groups})]
    if run.settings.pair != "align" and "alignment" in total:
        equal, changed = total["alignment"].spelled_alike
        if changed > equal:
            return [Claim("shifted", {"changed": changed, "words": changed + equal})]
    return []


def reasons(differing: Differing, gold_words: int, system_words: int) -> Iterator[Claim]:
    """Yield the reasons that explain most of the words that differ, as shares of all words of a side."""
    paired = {pair: times for pair, times in differing.items() if all(pair)}
    gold_alone = Counter({gold: times for (gold, system), times in differing.items() if not system})
    system_alone = Counter({system: times for (gold, system), times in differing.items() if not gold})
    sides = ("gold", gold_words, gold_alone), ("system", system_words, system_alone)
    number = sum(paired.values())
    for index, (side, words, _) in enumerate(sides):
        marked = {
            pair: times
            for pair, times in paired.items()
            if has_marks(pair[index]) and not has_marks(pair[not index])
        }
        if _explains(count := sum(marked.values()), number, words):
            example = max(marked, key=lambda pair: marked[pair])[index].split()[0]
            yield Claim("tokeniser_marks", {"side": side, "share": _share(count, words), "example": example})
    scripts = Counter[tuple[str, str]]()
    for (gold, system), times in paired.items():
        pair = _script(gold), _script(system)
        if pair[0] and pair[1] and pair[0] != pair[1]:
            scripts[pair] += times
    if _explains(count := scripts.total(), number, gold_words):
        (gold, system), _ = scripts.most_common(1)[0]
        numbers = {"share": _share(count, gold_words), "gold": gold, "system": system}
        yield Claim("other_script", numbers)
    common = (gold_alone & system_alone).total()
    if all(_explains(common, alone.total(), words) for _, words, alone in sides):
        yield Claim("other_order", {"share": _share(common, gold_words)})
        return
    # Words of gold have no counterpart if sentences are missing; a vocabulary repeats in any large file.
    total = system_alone.total()
    few = len(system_alone) <= LOOP and total >= REPEATS * len(system_alone)
    if few and _explains(total, total, system_words):
        yield Claim("repeats", {"share": _share(total, system_words), "words": len(system_alone)})


def _explains(count: int, differing: int, words: int) -> bool:
    """Return True if a reason concerns most of the words that differ, and a good part of all."""
    return count >= LEAST and 2 * count > differing and count >= SHARE * words


def _share(count: int, words: int) -> float:
    return min(1.0, count / words)


def _script(text: str) -> str:
    """Return the script of the first letter, as Unicode names it; empty for a text without letters."""
    from unicodedata import name

    letter = next(filter(str.isalpha, text), "")
    return name(letter, "").partition(" ")[0] if letter else ""


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


def _large_units(run: Outcome) -> Iterator[Claim]:
    total = run.tally.total
    if not {"alignment", "segmentation"} <= {metric.name for metric in run.scorer.metrics}:
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


def _standardised(run: Outcome) -> Iterator[Standardised]:
    """Yield what was assumed about the files, or changed in them."""
    beads = run.tally.total.sentences
    for source, name, count in zip(run.inputs, ("gold", "system"), (beads.gold, beads.system)):
        assumed = (
            (source.lacks_labels, NO_LABELS),
            (source.lacks_trees, NO_TREES),
            (run.settings.of_side("tags", source.side) == "none", NO_TAGS),
        )
        changed = [(run.tally.done[name, what], what) for what in CHANGES]
        yield from [Standardised(name, what, count) for is_so, what in assumed if is_so]
        yield from [Standardised(name, what, times) for times, what in changed if times]


def _differs_from_evalb(run: Outcome) -> Iterator[Claim]:
    """Tell what the files have and evalb, with its default .prm, counts in another way."""
    if run.scorer.same_words or "convention" in run.settings.given() or run.settings.answers:
        return
    if not run.settings.has_trees:
        return
    rules, tally, total = run.scorer.rules, run.tally, run.tally.total
    brackets, tags = total.brackets, total.tags
    # What evalb counts in another way matches there, too, if all matches here.
    perfect = 0 < brackets.gold == brackets.matched == brackets.system and tags.correct == tags.gold
    roots = [seen[LABEL, "ROOT"] for seen in tally.inventories]
    labels = {text for seen in tally.inventories for of, text in seen if of in (LABEL, TAG)}
    equal = {"ADVP", "PRT"}  # evalb counts them as one label
    merged = equal <= labels and rules.resolve("ADVP") != rules.resolve("PRT")
    deleted = labels & _EVALB_DELETES and not rules.deleted & _EVALB_DELETES
    has_root = "ROOT" in labels and rules.resolve("ROOT") is None
    differs: dict[str, object] = {
        "labels": run.settings.unlabeled or (merged and not perfect),
        "roots": has_root and not (perfect and roots[0] == roots[1]),
        "punctuation": deleted and not perfect,
    }
    beads = total.sentences
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
