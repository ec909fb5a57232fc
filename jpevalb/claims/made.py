"""Who makes claims, and when: the condition of each kind is where it is made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from ..base.claims import Claim
from ..base.version import __version__
from ..comparison.decided import ALIKE, DIFFERS, FEW, MIXED, REACH, UNDEFINED, UNTESTED, Decision
from ..metrics import Figure
from ..metrics.brackets import BracketCounts
from .reading import FEW_SENTENCES
from .systems import FREQUENT, Systems

STANDS_OUT = 0.001  # points of F1 by which a cause leads or differs, in [0, 1]
BY_LENGTH = 0.02  # F1 by which lengths differ


def _stats(one: Decision) -> dict[str, Any]:
    """Return the interval and the p-value of a difference."""
    return {"interval": one.interval, "p": one.p}


def _decided(decisions: Sequence[Decision]) -> bool:
    """Return True if the test finds no difference; undefined figures are ignored."""
    outcomes = {one.outcome for one in decisions}
    return ALIKE in outcomes and outcomes <= {ALIKE, UNDEFINED}


# -- headlines -----------------------------------------------------------------------------------------


def title(systems: Systems, brackets: BracketCounts | None) -> list[Claim]:
    """Return the clauses of the headline; ``brackets`` are those of one system."""
    if systems.answers:
        return [_answers_title(systems.answers)]
    if systems.count == 1:
        return [_one_title(systems, brackets)]
    return _many_title(systems) if systems.many else _several_title(systems)


def _one_title(systems: Systems, brackets: BracketCounts | None) -> Claim:
    name, f1 = systems.names[0], systems.value(systems.main, 0)
    if systems.comparison.systems[0].unparsed:
        return Claim("no_parse", {"name": name})
    if f1 is None or (brackets and not brackets.gold + brackets.system):
        return Claim("no_brackets", {"name": name})
    if brackets and brackets.gold and brackets.matched == brackets.gold == brackets.system:
        return Claim("all_right", {"name": name})
    if brackets and not brackets.matched:
        return Claim("none_right", {"name": name})
    return Claim("scores" if systems.main == "f1" else "scores_mean", {"name": name, "f1": f1})


def interval(systems: Systems) -> list[Claim]:
    """Return the interval of the only system’s F1, which stands behind the headline."""
    found = systems.interval(systems.main, 0)
    if systems.count > 1 or systems.answers or found is None or found[0] == found[1]:
        return []
    level = 100 * (systems.comparison.confidence or 0)
    return [Claim("interval", {"level": level, "low": found[0], "high": found[1]})]


def _answers_title(counts: Mapping[str, Any]) -> Claim:
    numbers = {name: counts[name] for name in ("answers", "valid", "repaired")}
    if counts["valid"] == counts["answers"]:
        return Claim("answers_all", numbers)
    if not counts["valid"]:
        return Claim("answers_none" if counts["repaired"] else "answers_lost", numbers)
    return Claim("answers_some" if counts["repaired"] else "answers_rest", numbers)


def _several_title(systems: Systems) -> list[Claim]:
    """Return who is better, worse, equal and not distinguished; each system is in one clause."""
    base = systems.names[systems.base]
    found = [(systems.names[i], systems.apart(systems.main, i)) for i in systems.order if i != systems.base]
    known = [(name, one) for name, one in found if one.points is not None]
    lacking = [systems.names[i] for i in systems.range if systems.value(systems.main, i) is None]
    without = [Claim("without", {"names": lacking})] if lacking else []
    if not known:
        return without
    if all(one.outcome == UNTESTED for _, one in known):
        name, most = max(known, key=lambda item: abs(item[1].points or 0))
        numbers = {"name": name, "points": most.points, "base": base}
        if not most.points:
            return [Claim("equal", {"names": [base, *[name for name, _ in known]]}), *without]
        return [Claim("above" if most.points > 0 else "below", numbers), *without]
    clauses: list[Claim] = []
    for kind, sign in (("better", 1), ("worse", -1)):
        items = [(name, one.points) for name, one in known if one.real and sign * (one.points or 0) > 0]
        sizes = [abs(points or 0) for _, points in items]
        if len(items) > 3:
            span = min(sizes), max(sizes)
            clauses.append(Claim(f"many_{kind}", {"count": len(items), "sizes": span, "base": base}))
        elif items:
            clauses.append(Claim(kind, {"items": items, "base": base}))
    rest = [(name, one) for name, one in known if not one.real]
    if same := [name for name, one in rest if one.points == 0 and one.outcome != MIXED]:
        clauses.append(Claim("equal", {"names": [base, *same]}))
    for kind in (ALIKE, FEW, REACH, MIXED):
        if some := [name for name, one in rest if one.outcome == kind and name not in same]:
            clauses.append(Claim(kind, {"names": some, "base": base}))
    return clauses + without


def _many_title(systems: Systems) -> list[Claim]:
    """Return the best system, with all that are not distinguished from it."""
    names, order, main = systems.names, systems.order, systems.main
    known = [i for i in order if systems.value(main, i) is not None]
    lacking = [names[i] for i in order if i not in known]
    without = [Claim("without", {"names": lacking})] if lacking else []
    if len(known) < 2:
        return without
    first = known[0]
    points = systems.between(known[1], first).points
    numbers = {"first": names[first], "second": names[known[1]], "points": points}
    decisions = {i: systems.between(first, i) for i in known[1:]}
    if {one.outcome for one in decisions.values()} <= {DIFFERS, ALIKE}:
        alike = [names[i] for i, one in decisions.items() if one.outcome == ALIKE]
        every = [one.outcome for _, _, one in systems.pairs() if one.outcome != UNDEFINED]
        if set(every) == {ALIKE}:
            return [Claim("all_alike", {"count": len(known)}), *without]
        if not alike:
            return [Claim("best", numbers), *without]
        if len(alike) <= 3:
            return [Claim("leads", {"first": names[first], "names": alike}), *without]
        return [Claim("leads_many", {"first": names[first], "count": len(alike)}), *without]
    if not points:
        tied = [names[i] for i in known if systems.value(main, i) == systems.value(main, first)]
        return [Claim("tied_highest", {"names": tied}), *without]
    few = {one.outcome for one in decisions.values()} == {FEW}
    too_few = [Claim("few_of_many", {"count": len(known)})] if few else []
    return [Claim("highest", numbers), *too_few, *without]


# -- leads ---------------------------------------------------------------------------------------------


def lead(systems: Systems, brackets: BracketCounts | None) -> list[Claim]:
    """Return the sentences below the headline."""
    if systems.answers:
        return _answers_lead(systems)
    if systems.count == 1:
        return _one_lead(systems, brackets)
    found = _many_lead(systems) if systems.many else _several_lead(systems)
    return _excluded(systems) + found + mean(systems) + resamples(systems) + _unparsed(systems)


def mean(systems: Systems) -> list[Claim]:
    """Say that F1 is that of a convention that takes the mean, and not the F of tables."""
    return [Claim("of_mean", {})] if systems.main != "f1" else []


def resamples(systems: Systems) -> list[Claim]:
    """Say that the given number of resamples is too small for any claim about who differs."""
    tests, samples = systems.comparison.tests, systems.comparison.test_samples
    needed = systems.comparison.samples_needed
    if needed is None or REACH not in {one.outcome for _, _, one in systems.pairs()}:
        return []
    least = tests / (samples + 1)
    return [Claim("resamples", {"samples": samples, "tests": tests, "least": least, "needed": needed})]


def _excluded(systems: Systems) -> list[Claim]:
    """Say of how many sentences the figures are, if a convention left some out for their words."""
    found = []
    for i in systems.order:
        system = systems.comparison.systems[i]
        if system.excluded and not system.problem:
            scored = systems.scored(i)
            share = 1 - system.excluded
            gold = round(scored / share) if share else systems.comparison.gold_sentences
            kind = "excluded" if systems.count == 1 else "excluded_for"
            found.append(Claim(kind, {"name": systems.names[i], "scored": scored, "gold": gold}))
    return found[:3]


def _one_lead(systems: Systems, brackets: BracketCounts | None) -> list[Claim]:
    found = _excluded(systems)
    if brackets and brackets.recall is not None and brackets.precision is not None:
        missed, extra = brackets.gold - brackets.matched, brackets.system - brackets.matched
        # By the counts: 100 % and 99.5 % are not alike.
        kind = "misses" if missed > 1.1 * extra else "invents" if extra > 1.1 * missed else "balanced"
        if missed or extra:
            found.append(Claim(kind, {"recall": brackets.recall, "precision": brackets.precision}))
    gaps = systems.totals[0].get("gaps") or {}
    if systems.gaps and gaps.get("gold"):
        numbers = {name: systems.value(f"{name}_f1", 0) for name in ("continuous", "discontinuous")}
        found.append(Claim("gaps", {**numbers, "gold": gaps["gold"], "system": gaps["system"]}))
    found += _dearest(systems)
    if systems.lost(0) > 0 and (equal := systems.text_is_equal(0)) is not None:
        at_ends, in_words = systems.text_costs(0)
        if equal:
            found.append(Claim("text_equal", {}))
        elif at_ends + in_words > 0:
            found.append(Claim("text_costs", {"ends": at_ends, "words": in_words}))
    return found + _unparsed(systems)


def ranked_causes(systems: Systems, i: int) -> list[tuple[str, float, Figure]]:
    """Return the causes that cost a system something, the dearest first."""
    costs = [(one.title, systems.cost(one, i), one) for one in systems.causes]
    return sorted([item for item in costs if item[1] > 0], key=lambda item: -item[1])


def _dearest(systems: Systems) -> list[Claim]:
    """Say which cause costs most, if it has a name and leads."""
    ranked = [(name, cost) for name, cost, _ in ranked_causes(systems, 0)]
    if not ranked or "other" in [name for name, _ in ranked[:2]]:
        return []
    lost = systems.lost(0)
    if len(ranked) > 1 and ranked[0][1] - ranked[1][1] < STANDS_OUT:
        return [Claim("no_dearest", {"lost": lost, "causes": ranked[:2]})]
    return [Claim("dearest", {"cause": ranked[0][0], "cost": ranked[0][1], "lost": lost})]


def _answers_lead(systems: Systems) -> list[Claim]:
    counts = systems.answers or {}
    numbers = {
        "strict": counts["strict"]["f1"],
        "strict_ends": systems.interval("strict_answer_f1", 0),
        "repaired": counts["with_repairs"]["f1"],
        "repaired_ends": systems.interval("repaired_f1", 0),
    }
    found = [Claim("as_written", numbers)]
    lost = counts["lost"]
    if not lost:
        return found
    if lost["format"] < 0:
        return [*found, Claim("repairs_lose", {"loss": -lost["format"]})]
    if min(lost.values()) < 0 or sum(lost.values()) <= 0:
        return found
    total = sum(lost.values())
    if counts["invalid"]:  # what they lose is no fault of the syntax
        numbers = {"lost": total, "format": lost["format"], "rest": total - lost["format"]}
        return [*found, Claim("stay_lost", {**numbers, "absent": counts["invalid"]})]
    most = max(lost, key=lambda name: lost[name])
    what = {"rest": "syntax", "format": "format", "labels": "labels"}[most]
    kind = "mostly"
    if lost["labels"] > 0:
        kind = "mostly_labels" if lost[most] > total / 2 else "both_labels"
    return [*found, Claim(kind, {"what": what, "lost": total, **lost})]


def _several_lead(systems: Systems) -> list[Claim]:
    others = [i for i in systems.order if i != systems.base]
    if systems.count > 4:
        others.sort(key=lambda i: -abs(systems.apart(systems.main, i).points or 0))
    found = []
    for i in others[:3]:
        one = systems.apart(systems.main, i)
        if one.points is None:
            continue
        both = [systems.apart(name, i) for name in ("recall", "precision")]
        recall, precision = (part.points for part in both)
        numbers = {"name": systems.names[i], "points": one.points, **_stats(one)}
        if recall is None or precision is None:
            found.append(Claim("difference_alone", numbers))
            continue
        kind = "difference"
        if all(part.real for part in both):
            same = recall * precision > 0
            kind += "_both" if same else "_more" if recall > 0 else "_less"
        found.append(Claim(kind, {**numbers, "recall": recall, "precision": precision}))
    return found


def _unparsed(systems: Systems) -> list[Claim]:
    found = []
    for i in systems.order:
        groups = systems.totals[i].get("alignment", {}).get("groups", {})
        if count := groups.get("no_parse", {}).get("groups", 0):
            found.append(Claim("unparsed", {"name": systems.names[i], "count": count}))
    return found[:3]


def _many_lead(systems: Systems) -> list[Claim]:
    names, (a, b) = systems.names, systems.order[:2]
    one = systems.between(b, a)
    if one.points is None:
        return []
    numbers = {"first": names[a], "f1": systems.value(systems.main, a), "second": names[b]}
    numbers |= {"other": systems.value(systems.main, b), "points": one.points, **_stats(one)}
    found = [Claim("first_two", numbers)]
    outcomes = [pair.outcome for _, _, pair in systems.pairs() if pair.outcome != UNDEFINED]
    if not set(outcomes) <= {DIFFERS, ALIKE}:
        return found
    told = outcomes.count(DIFFERS)
    tied = len(outcomes) - told
    return [
        *found,
        Claim("pairs_told" if tied else "pairs_all", {"told": told, "tests": len(outcomes), "tied": tied}),
    ]


def groups(systems: Systems) -> list[Claim]:
    """Give the letters of the systems, the best first, if every pair was decided."""
    letters = systems.letters()
    order = sorted(systems.range, key=lambda i: -(systems.value(systems.main, i) or 0))
    shown = ", ".join([f"{systems.names[i]} {letters[i]}" for i in order])
    return [Claim("groups", {"letters": shown})] if any(letters) else []


def ties(systems: Systems) -> list[Claim]:
    """Say which pairs are not distinguished, the closest first, six at most."""
    tied = [
        ((f"{systems.names[b]} − {systems.names[a]}:", one.points, one.interval), one)
        for a, b, one in systems.pairs()
        if one.outcome == ALIKE and one.interval is not None
    ]
    tied.sort(key=lambda item: abs(item[1].points or 0))
    if not tied:
        outcomes = {one.outcome for *_, one in systems.pairs()}
        return [Claim("every_pair", {})] if outcomes == {DIFFERS} else []
    pairs = [item for item, _ in tied[:6]]
    if len(tied) == 1:
        return [Claim("one_tie", {"pairs": pairs})]
    more = len(tied) - len(pairs)
    return [Claim("ties_more" if more else "ties", {"count": len(tied), "pairs": pairs, "more": more})]


# -- errors, lengths and labels ------------------------------------------------------------------------


def errors(systems: Systems, sentences: Mapping[str, int]) -> list[Claim]:
    """Say what costs most; ``sentences`` are the numbers of sentences of each cause of one system."""
    if systems.count == 1:
        return _errors_of_one(systems, sentences)
    shared = _all_lose(systems)
    if not systems.many:
        return [*_causes_that_differ(systems), *shared]
    a, b = systems.order[:2]
    apart = [(one.title, systems.cost(one, b) - systems.cost(one, a)) for one in systems.causes]
    apart = sorted([item for item in apart if abs(item[1]) >= STANDS_OUT], key=lambda item: -abs(item[1]))[:2]
    numbers = {"name": systems.names[b], "base": systems.names[a], "causes": apart}
    return [*shared, Claim("cause_differs" if apart else "no_cause_apart", numbers)]


def _errors_of_one(systems: Systems, sentences: Mapping[str, int]) -> list[Claim]:
    ranked = ranked_causes(systems, 0)
    if not ranked:
        counts = systems.totals[0].get("brackets", {})
        right = counts.get("gold") and counts["gold"] == counts["system"] == counts["matched"]
        return [Claim("nothing", {})] if right else []
    name, cost, _ = ranked[0]
    known = systems.analyses[0]["causes"].get(name, {})
    numbers = {"cause": name, "cost": cost, "in_": sentences.get(name, 0), "unit": systems.unit}
    numbers |= {"of": systems.totals[0]["brackets"]["sentences"], "f1": known.get("corrected_f1")}
    found = [Claim("cause_repaired" if systems.answers else "cause", numbers)] if numbers["in_"] else []
    if len(ranked) > 3:
        lost = systems.lost(0)
        share = 100 * sum([cost for _, cost, _ in ranked[:3]]) / lost
        found.append(Claim("first_three", {"share": share, "lost": lost}))
    return found


def _causes_that_differ(systems: Systems) -> list[Claim]:
    found, base = [], systems.names[systems.base]
    tested = False
    for i in [i for i in systems.order if i != systems.base][:3]:
        decisions = [(one.title, systems.apart(one.name, i)) for one in systems.causes]
        real = sorted([(n, d.points) for n, d in decisions if d.real], key=lambda item: -abs(item[1] or 0))
        numbers = {"name": systems.names[i], "base": base, "causes": real[:2]}
        tested = _decided([one for _, one in decisions])
        if real or tested:
            found.append(Claim("cause_differs" if real else "no_cause_differs", numbers))
    return found


def _all_lose(systems: Systems) -> list[Claim]:
    """Say which cause is the first of most systems that lose anything."""
    first = {}
    for i in systems.range:
        ranked = ranked_causes(systems, i)
        leads = len(ranked) == 1 or (ranked and ranked[0][1] > ranked[1][1])
        if leads and ranked[0][0] != "other":
            first[i] = ranked[0][:2]
    names = [name for name, _ in first.values()]
    if not names:
        return []
    cause = max(names, key=names.count)
    costs = [cost for name, cost in first.values() if name == cause]
    if len(costs) < 2 or min(costs) < 0.005:
        return []
    every = "Both" if systems.count == 2 else f"All {systems.count}"
    who = every if len(costs) == systems.count else f"{len(costs)} of {systems.count} systems"
    return [Claim("all_lose", {"who": who, "cause": cause, "costs": (min(costs), max(costs))})]


def places(systems: Systems) -> list[Claim]:
    """Say at which lengths and labels one system is good or bad, or several differ."""
    if systems.count == 1 or systems.many:
        return [*_by_length(systems), *_by_label(systems)]
    found = []
    named = [(f"{one.name} words", one.figure) for one in systems.lengths() if one.sentences >= FEW_SENTENCES]
    named += [(label, figure.name) for label, figure, _ in systems.labels()]
    for i in [i for i in systems.order if i != systems.base][:3]:
        decisions = [(name, systems.apart(figure, i)) for name, figure in named]
        real = sorted([(n, d.points) for n, d in decisions if d.real], key=lambda item: -abs(item[1] or 0))
        numbers = {"name": systems.names[i], "base": systems.names[systems.base], "places": real[:3]}
        if real or _decided([one for _, one in decisions]):
            found.append(Claim("where_differs" if real else "where_alike", numbers))
    return found


def _by_length(systems: Systems) -> list[Claim]:
    every = systems.lengths()
    known = [
        (value, one)
        for one in every
        if one.sentences >= FEW_SENTENCES and (value := systems.value(one.figure, systems.base)) is not None
    ]
    if len(known) < 2:
        return [Claim("few_lengths", {})] if len(every) > 1 else []
    (high, best), (low, worst) = max(known, key=lambda x: x[0]), min(known, key=lambda x: x[0])
    numbers = {"high": high, "low": low}
    if high - low < BY_LENGTH:
        return [Claim("no_length", {"rates": (low, high)})]
    return [Claim("by_length", {**numbers, "best": best.name, "worst": worst.name})]


def _by_label(systems: Systems) -> list[Claim]:
    labels = systems.analyses[systems.base]["labels"] if systems.analyses else {}
    least = FREQUENT * sum([item["gold"] for item in labels.values()])
    known = [
        (item["f1"], label or "()")
        for label, item in labels.items()
        if item["gold"] and item["gold"] >= least and item["f1"] is not None
    ]
    if len(known) < 2 or systems.unlabeled:
        return []
    (low, worst), (high, best) = min(known), max(known)
    numbers = {"count": len(known), "low": low, "worst": worst, "high": high, "best": best}
    return [Claim("labels" if low < high else "labels_equal", numbers)]


# -- words, answers --------------------------------------------------------------------------------------


def blame(systems: Systems, some: Sequence[int], rest: Sequence[int]) -> list[Claim]:
    """Say what words and sentence ends cost ``some`` systems, and that they cost the ``rest`` nothing."""
    found = []
    rest = [i for i in rest if not any(systems.text_costs(i))]
    for i in some[:3]:
        at_ends, in_words = systems.text_costs(i)
        # Brackets that match only because words are aligned are lost by strict F1 alone.
        lost = systems.lost(i) + in_words
        by = at_ends + in_words
        numbers = {"lost": lost, "ends": at_ends, "words": in_words, "rest": max(0.0, lost - by)}
        if systems.count == 1:
            kind = "parser" if by < 0.1 * lost else "tokeniser" if by > 0.5 * lost else "both_blamed"
            found.append(Claim(kind, numbers))
        else:
            found.append(Claim("blamed", {"name": systems.names[i], **numbers}))
    if rest and len(rest) < 4:
        kind = "one_unblamed" if len(rest) == 1 else "none_blamed"
        found.append(Claim(kind, {"names": [systems.names[i] for i in rest]}))
    kinds = systems.totals[0].get("alignment", {}).get("groups", {})
    if systems.count == 1 and len(kinds) > 1 and kinds.get("one_to_one", {}).get("f1") is not None:
        found.append(Claim("ends_alike", {"f1": kinds["one_to_one"]["f1"]}))
    return found


def words(systems: Systems) -> list[Claim]:
    """Say what words and sentence ends cost each system, if they cost some anything that is shown."""
    some = [i for i in systems.order if sum(systems.text_costs(i)) >= 0.00005]
    if any(2 * (systems.value("cause_no_counterpart", i) or 0) > systems.lost(i) for i in some):
        return []  # the texts differ
    if systems.answers or not some or not systems.causes:  # the costs of sentence ends are those of a cause
        return []
    return blame(systems, some, [i for i in systems.order if i not in some])


def broken(counts: Mapping[str, Any]) -> list[Claim]:
    """Say which repair of answers brings most, and what no repair helps."""
    found = []
    steps = counts["ladder"]
    gains = [
        (step["f1"] - before["f1"], step["repair"])
        for before, step in pairwise(steps)
        if None not in (step["f1"], before["f1"])
    ]
    best = max(gains, default=(0.0, ""))
    if best[0] > 0 and [gain for gain, _ in gains].count(best[0]) == 1:
        gain, repair = best
        numbers = {"repair": repair.replace("_", " "), "gain": gain, "answers": counts["repairs"][repair]}
        found.append(Claim("best_repair", numbers))
    if counts["invalid"]:
        found.append(Claim("no_tree", {"count": counts["invalid"]}))
    if foreign := counts["foreign_labels"]:
        labels = ", ".join([f"{label} {times}" for label, times in list(foreign.items())[:4]])
        found.append(Claim("foreign", {"labels": labels, "f1": counts["renamed_f1"]}))
    return found


# -- for a paper -----------------------------------------------------------------------------------------


_WORDS = {"jpevalb": "words aligned", "discontinuous": "equal words", "": "evalb's rules"}


def cited(systems: Systems, how: str = "") -> Claim | None:
    """Return the sentence for a paper: the result that matters for the task; ``None`` without F1."""
    main, every = systems.main, systems.comparison.gold_sentences
    rules = systems.comparison.signature.partition("convention:")[2].partition(" ")[0]
    rules = _WORDS.get(rules, f"convention {rules}")
    if systems.count > 1 and main != "f1":
        rules += ", mean F1 of sentences"
    if references := systems.comparison.signature.partition("references:")[2].partition(" ")[0]:
        rules += f", nearest of {references} references"
    numbers: dict[str, Any] = {"version": __version__, "rules": rules, "how": how}
    numbers |= {"gold": every, "scored": Claim("sentences", {"count": every}).text}
    totals = [systems.totals[i] for i in systems.range if systems.value(main, i) is not None]
    scored = [one["sentences"]["gold"] if "brackets" in one else every for one in totals]
    if scored and min(scored) < every:
        some = f"{min(scored):,}" if min(scored) == max(scored) else f"{min(scored):,} to {max(scored):,}"
        numbers["scored"] = f"{some} of {numbers['scored']}"
    if counts := systems.answers:
        numbers |= {name: counts[name] for name in ("answers", "valid")}
        numbers |= {"share": counts["valid_share"], "made": counts["repaired"]}
        numbers |= {"strict": counts["strict"]["f1"], "repaired": counts["with_repairs"]["f1"]}
        for name, figure in (("strict", "strict_answer_f1"), ("repaired", "repaired_f1")):
            numbers[f"{name}_ends"] = systems.interval(figure, 0)
        return Claim("cite_answers", numbers)
    base = systems.base
    numbers |= {"f1": systems.value(main, base), "ends": systems.interval(main, base)}
    if numbers["f1"] is None:
        return None
    if systems.count == 1:
        numbers |= {name: systems.value(name, 0) for name in ("precision", "recall")}
        if not (systems.gaps and systems.totals[0]["gaps"]["gold"]):
            return Claim("cite_one" if main == "f1" else "cite_mean", numbers)
        for name in ("continuous", "discontinuous"):
            numbers[name] = systems.value(f"{name}_f1", 0)
            numbers[f"{name}_ends"] = systems.interval(f"{name}_f1", 0)
        return Claim("cite_gaps", {**numbers, "gaps": systems.totals[0]["gaps"]["gold"]})
    others = []
    for i in [i for i in systems.order if i != base][: 1 if systems.many else 3]:
        one = systems.apart(main, i)
        if one.points is None:
            continue
        of = {"f1": systems.value(main, i), "ends": systems.interval(main, i)}
        apart = {"points": one.points, "apart": one.interval, "p": one.p}
        others.append(Claim("cite_other", {"name": systems.names[i], **of, **apart}).text)
    if not others:
        return Claim("cite_base", {**numbers, "base": systems.names[base]})
    return Claim("cite_several", {**numbers, "base": systems.names[base], "others": "; ".join(others)})
