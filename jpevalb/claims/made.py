"""Who makes claims, and when: the condition of each kind is where it is made."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, TypeAlias

from ..base.claims import Claim
from ..base.version import __version__
from ..comparison.result import ALIKE, DIFFERS, FEW, MIXED, REACH, UNDEFINED, UNTESTED, Comparison
from ..metrics import Figure
from ..metrics.brackets import BracketCounts
from ..score.evaluation import Evaluation
from .notes import main_figures, notes, notes_of_system, notes_of_table
from .systems import FEW_SENTENCES, FREQUENT, Systems, of_evaluation, tests_of

if TYPE_CHECKING:
    from ..score.conventions import ConventionTable

STANDS_OUT = 0.001  # points of F1 by which a cause leads or differs, in [0, 1]
BY_LENGTH = 0.02  # F1 by which lengths differ


# -- headlines -----------------------------------------------------------------------------------------


def title(systems: Systems, brackets: BracketCounts | None) -> list[Claim]:
    """Return the clauses of the headline; ``brackets`` are those of one system."""
    if systems.count == 1:
        return [_answers_title(systems.answers) if systems.answers else _one_title(systems, brackets)]
    found = [*(_many_title(systems) if systems.many else _several_title(systems))]
    lacking = [systems.names[i] for i in systems.order if systems.value(systems.main, i) is None]
    return [*found, Claim("without", {"names": lacking})] if lacking else found


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
    if counts["valid"] == counts["answers"]:
        kind = "answers_all"
    elif counts["valid"]:
        kind = "answers_some" if counts["repaired"] else "answers_rest"
    else:
        kind = "answers_none" if counts["repaired"] else "answers_lost"
    return Claim(kind, {name: counts[name] for name in ("answers", "valid", "repaired")})


def _several_title(systems: Systems) -> Iterator[Claim]:
    """Yield who is better, worse, equal and not distinguished; each system is in one clause."""
    base = systems.names[systems.base]
    known = [
        (systems.names[i], one)
        for i in systems.others
        if (one := systems.apart(systems.main, i)).points is not None
    ]
    if not known:
        return
    if all(one.outcome == UNTESTED for _, one in known):
        name, most = max(known, key=lambda item: abs(item[1].points or 0))
        if most.points:
            kind = "above" if most.points > 0 else "below"
            yield Claim(kind, {"name": name, "points": most.points, "base": base})
        else:
            yield Claim("equal", {"names": [base, *[name for name, _ in known]]})
        return
    for kind, sign in (("better", 1), ("worse", -1)):
        items = [(name, one.points) for name, one in known if one.real and sign * (one.points or 0) > 0]
        sizes = [abs(points or 0) for _, points in items]
        if len(items) > 3:
            span = min(sizes), max(sizes)
            yield Claim(f"many_{kind}", {"count": len(items), "sizes": span, "base": base})
        elif items:
            yield Claim(kind, {"items": items, "base": base})
    rest = [(name, one) for name, one in known if not one.real]
    if same := [name for name, one in rest if one.points == 0 and one.outcome != MIXED]:
        yield Claim("equal", {"names": [base, *same]})
    for kind in (ALIKE, FEW, REACH, MIXED):
        if some := [name for name, one in rest if one.outcome == kind and name not in same]:
            yield Claim(kind, {"names": some, "base": base})


def _many_title(systems: Systems) -> Iterator[Claim]:
    """Yield the best system, with all that are not distinguished from it."""
    names, main = systems.names, systems.main
    known = [i for i in systems.order if systems.value(main, i) is not None]
    if len(known) < 2:
        return
    first, second = known[:2]
    points = systems.between(second, first).points
    numbers = {"first": names[first], "second": names[second], "points": points}
    decisions = {i: systems.between(first, i) for i in known[1:]}
    outcomes = {one.outcome for one in decisions.values()}
    if outcomes <= {DIFFERS, ALIKE}:
        alike = [names[i] for i, one in decisions.items() if one.outcome == ALIKE]
        if {one.outcome for _, _, one in systems.pairs()} - {UNDEFINED} == {ALIKE}:
            yield Claim("all_alike", {"count": len(known)})
        elif not alike:
            yield Claim("best", numbers)
        elif len(alike) <= 3:
            yield Claim("leads", {"first": names[first], "names": alike})
        else:
            yield Claim("leads_many", {"first": names[first], "count": len(alike)})
    elif not points:
        tied = [names[i] for i in known if systems.value(main, i) == systems.value(main, first)]
        yield Claim("tied_highest", {"names": tied})
    else:
        yield Claim("highest", numbers)
        if outcomes == {FEW}:
            yield Claim("few_of_many", {"count": len(known)})


# -- leads ---------------------------------------------------------------------------------------------


def lead(systems: Systems, brackets: BracketCounts | None) -> list[Claim]:
    """Return the sentences below the headline."""
    if systems.answers:
        return [*_answers_lead(systems)]
    if systems.count == 1:
        return [*_excluded(systems), *_one_lead(systems, brackets), *_unparsed(systems)]
    found = [*_excluded(systems), *(_many_lead(systems) if systems.many else _several_lead(systems))]
    return [*found, *cautions(systems), *_unparsed(systems)]


def cautions(systems: Systems) -> Iterator[Claim]:
    """Say that F1 is a mean and not the F of tables, and that resamples are too few for any claim."""
    if systems.main != "f1":
        yield Claim("of_mean", {})
    tests, samples = systems.comparison.tests, systems.comparison.test_samples
    needed = systems.comparison.samples_needed
    if needed is not None and REACH in {one.outcome for _, _, one in systems.pairs()}:
        numbers = {"samples": samples, "tests": tests, "least": tests / (samples + 1), "needed": needed}
        yield Claim("resamples", numbers)


def _excluded(systems: Systems) -> list[Claim]:
    """Say of how many sentences the figures are, if a convention left some out for their words."""
    found = []
    for i in systems.order:
        system = systems.comparison.systems[i]
        if system.excluded and not system.problem:
            scored = systems.totals[i]["brackets"]["sentences"]
            share = 1 - system.excluded
            gold = round(scored / share) if share else systems.comparison.gold_sentences
            kind = "excluded" if systems.count == 1 else "excluded_for"
            found.append(Claim(kind, {"name": systems.names[i], "scored": scored, "gold": gold}))
    return found[:3]


def _one_lead(systems: Systems, brackets: BracketCounts | None) -> Iterator[Claim]:
    if brackets and brackets.recall is not None and brackets.precision is not None:
        missed, extra = brackets.gold - brackets.matched, brackets.system - brackets.matched
        # By the counts: 100 % and 99.5 % are not alike.
        kind = "misses" if missed > 1.1 * extra else "invents" if extra > 1.1 * missed else "balanced"
        if missed or extra:
            yield Claim(kind, {"recall": brackets.recall, "precision": brackets.precision})
    gaps = systems.totals[0].get("gaps") or {}
    if systems.gaps and gaps.get("gold"):
        numbers = {name: systems.value(f"{name}_f1", 0) for name in ("continuous", "discontinuous")}
        yield Claim("gaps", {**numbers, "gold": gaps["gold"], "system": gaps["system"]})
    ranked, lost = ranked_causes(systems, 0), systems.lost(0)
    if ranked and "other" not in [name for name, _, _ in ranked[:2]]:
        costs = [(name, cost) for name, cost, _ in ranked[:2]]
        (cause, cost), *others = costs
        if others and cost - others[0][1] < STANDS_OUT:
            yield Claim("no_dearest", {"lost": lost, "causes": costs})
        else:
            yield Claim("dearest", {"cause": cause, "cost": cost, "lost": lost})
    if lost > 0 and (equal := systems.text_is_equal(0)) is not None:
        at_ends, in_words = systems.text_costs(0)
        if equal:
            yield Claim("text_equal", {})
        elif at_ends + in_words > 0:
            yield Claim("text_costs", {"ends": at_ends, "words": in_words})


def ranked_causes(systems: Systems, i: int) -> list[tuple[str, float, Figure]]:
    """Return the causes that cost a system something, the dearest first."""
    costs = [(one.title, systems.cost(one, i), one) for one in systems.causes]
    return sorted([item for item in costs if item[1] > 0], key=lambda item: -item[1])


def _answers_lead(systems: Systems) -> Iterator[Claim]:
    counts = systems.answers or {}
    yield Claim(
        "as_written",
        {
            "strict": counts["strict"]["f1"],
            "strict_ends": systems.interval("strict_answer_f1", 0),
            "repaired": counts["with_repairs"]["f1"],
            "repaired_ends": systems.interval("repaired_f1", 0),
        },
    )
    lost = counts["lost"]
    if not lost:
        return
    total, of_format = sum(lost.values()), lost["format"]
    if of_format < 0:
        yield Claim("repairs_lose", {"loss": -of_format})
    elif min(lost.values()) < 0 or total <= 0:
        return
    elif absent := counts["invalid"]:  # what they lose is no fault of the syntax
        numbers = {"lost": total, "format": of_format, "rest": total - of_format}
        yield Claim("stay_lost", {**numbers, "absent": absent})
    else:
        most = max(lost, key=lambda name: lost[name])
        kind = "mostly"
        if lost["labels"] > 0:
            kind = "mostly_labels" if lost[most] > total / 2 else "both_labels"
        yield Claim(kind, {"what": "syntax" if most == "rest" else most, "lost": total, **lost})


def _several_lead(systems: Systems) -> Iterator[Claim]:
    others = systems.others
    if systems.count > 4:
        others = sorted(others, key=lambda i: -abs(systems.apart(systems.main, i).points or 0))
    for i in others[:3]:
        one = systems.apart(systems.main, i)
        if one.points is None:
            continue
        both = [systems.apart(name, i) for name in ("recall", "precision")]
        recall, precision = (part.points for part in both)
        numbers = {"name": systems.names[i], "points": one.points, "interval": one.interval, "p": one.p}
        kind = "difference"
        if recall is None or precision is None:
            kind += "_alone"
        else:
            numbers |= {"recall": recall, "precision": precision}
            if all(part.real for part in both):
                kind += "_both" if recall * precision > 0 else "_more" if recall > 0 else "_less"
        yield Claim(kind, numbers)


def _unparsed(systems: Systems) -> list[Claim]:
    found = []
    for i in systems.order:
        groups = systems.totals[i].get("alignment", {}).get("groups", {})
        if count := groups.get("no_parse", {}).get("groups", 0):
            found.append(Claim("unparsed", {"name": systems.names[i], "count": count}))
    return found[:3]


def _many_lead(systems: Systems) -> Iterator[Claim]:
    names, (a, b) = systems.names, systems.order[:2]
    one = systems.between(b, a)
    if one.points is None:
        return
    numbers = {"first": names[a], "f1": systems.value(systems.main, a), "second": names[b]}
    numbers |= {"other": systems.value(systems.main, b), "points": one.points}
    yield Claim("first_two", {**numbers, "interval": one.interval, "p": one.p})
    outcomes = [pair.outcome for _, _, pair in systems.pairs() if pair.outcome != UNDEFINED]
    if set(outcomes) <= {DIFFERS, ALIKE}:
        told, tied = outcomes.count(DIFFERS), outcomes.count(ALIKE)
        yield Claim("pairs_told" if tied else "pairs_all", {"told": told, "tests": told + tied, "tied": tied})


def groups(systems: Systems) -> list[Claim]:
    """Give the letters of the systems, the best first, if every pair was decided."""
    letters = systems.letters()
    order = sorted(systems.range, key=lambda i: -(systems.value(systems.main, i) or 0))
    shown = ", ".join([f"{systems.names[i]} {letters[i]}" for i in order])
    return [Claim("groups", {"letters": shown})] if any(letters) else []


def ties(systems: Systems) -> list[Claim]:
    """Say which pairs are not distinguished, the closest first, six at most."""
    pairs = systems.pairs()
    tied = [
        (f"{systems.names[b]} − {systems.names[a]}:", one.points, one.interval)
        for a, b, one in pairs
        if one.outcome == ALIKE and one.interval is not None
    ]
    tied.sort(key=lambda item: abs(item[1] or 0))
    if not tied:
        return [Claim("every_pair", {})] if {one.outcome for *_, one in pairs} == {DIFFERS} else []
    if len(tied) == 1:
        return [Claim("one_tie", {"pairs": tied})]
    more = max(0, len(tied) - 6)
    return [Claim("ties_more" if more else "ties", {"count": len(tied), "pairs": tied[:6], "more": more})]


# -- errors, lengths and labels ------------------------------------------------------------------------


def errors(systems: Systems, sentences: Mapping[str, int]) -> list[Claim]:
    """Say what costs most; ``sentences`` are the numbers of sentences of each cause of one system."""
    if systems.count == 1:
        return [*_errors_of_one(systems, sentences)]
    if not systems.many:
        causes = [(one.title, one.name) for one in systems.causes]
        kinds = "cause_differs", "no_cause_differs"
        return [*_that_differ(systems, causes, kinds, "causes", 2), *_all_lose(systems)]
    a, b = systems.order[:2]
    apart = [(one.title, systems.cost(one, b) - systems.cost(one, a)) for one in systems.causes]
    apart = sorted([item for item in apart if abs(item[1]) >= STANDS_OUT], key=lambda item: -abs(item[1]))[:2]
    numbers = {"name": systems.names[b], "base": systems.names[a], "causes": apart}
    return [*_all_lose(systems), Claim("cause_differs" if apart else "no_cause_apart", numbers)]


def _errors_of_one(systems: Systems, sentences: Mapping[str, int]) -> Iterator[Claim]:
    ranked, total = ranked_causes(systems, 0), systems.totals[0]
    if not ranked:
        counts = total.get("brackets", {})
        if counts.get("gold") and counts["gold"] == counts["system"] == counts["matched"]:
            yield Claim("nothing", {})
        return
    name, cost, _ = ranked[0]
    if times := sentences.get(name, 0):
        numbers = {"cause": name, "cost": cost, "in_": times, "unit": systems.unit}
        numbers |= {"of": total["brackets"]["sentences"]}
        numbers |= {"f1": systems.analyses[0]["causes"].get(name, {}).get("corrected_f1")}
        yield Claim("cause_repaired" if systems.answers else "cause", numbers)
    if len(ranked) > 3:
        lost = systems.lost(0)
        share = 100 * sum([cost for _, cost, _ in ranked[:3]]) / lost
        yield Claim("first_three", {"share": share, "lost": lost})


def _that_differ(
    systems: Systems, named: Sequence[tuple[str, str]], kinds: tuple[str, str], what: str, most: int
) -> Iterator[Claim]:
    """Say in which causes or places systems differ from the first; ``named`` are names and figures."""
    for i in systems.others[:3]:
        decisions = [(name, systems.apart(figure, i)) for name, figure in named]
        real = sorted([(n, d.points) for n, d in decisions if d.real], key=lambda item: -abs(item[1] or 0))
        outcomes = {one.outcome for _, one in decisions} - {UNDEFINED}
        if real or outcomes == {ALIKE}:
            numbers = {"name": systems.names[i], "base": systems.names[systems.base], what: real[:most]}
            yield Claim(kinds[0] if real else kinds[1], numbers)


def _all_lose(systems: Systems) -> list[Claim]:
    """Say which cause is the first of most systems that lose anything."""
    first = []
    for i in systems.range:
        ranked = ranked_causes(systems, i)
        leads = len(ranked) == 1 or (ranked and ranked[0][1] > ranked[1][1])
        if leads and ranked[0][0] != "other":
            first.append(ranked[0][:2])
    names = [name for name, _ in first]
    cause = max(names, key=names.count, default="")
    costs = [cost for name, cost in first if name == cause]
    if len(costs) < 2 or min(costs) < 0.005:
        return []
    every = "Both" if systems.count == 2 else f"All {systems.count}"
    who = every if len(costs) == systems.count else f"{len(costs)} of {systems.count} systems"
    return [Claim("all_lose", {"who": who, "cause": cause, "costs": (min(costs), max(costs))})]


def places(systems: Systems) -> list[Claim]:
    """Say at which lengths and labels one system is good or bad, or several differ."""
    if systems.count == 1 or systems.many:
        return [*_by_length(systems), *_by_label(systems)]
    named = [(f"{one.name} words", one.figure) for one in systems.lengths() if one.sentences >= FEW_SENTENCES]
    named += [(label, figure.name) for label, figure, _ in systems.labels()]
    return [*_that_differ(systems, named, ("where_differs", "where_alike"), "places", 3)]


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
    if high - low < BY_LENGTH:
        return [Claim("no_length", {"rates": (low, high)})]
    return [Claim("by_length", {"high": high, "low": low, "best": best.name, "worst": worst.name})]


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
    for i in systems.others[: 1 if systems.many else 3]:
        one = systems.apart(main, i)
        if one.points is None:
            continue
        of = {"f1": systems.value(main, i), "ends": systems.interval(main, i)}
        apart = {"points": one.points, "apart": one.interval, "p": one.p}
        others.append(Claim("cite_other", {"name": systems.names[i], **of, **apart}).text)
    if not others:
        return Claim("cite_base", {**numbers, "base": systems.names[base]})
    return Claim("cite_several", {**numbers, "base": systems.names[base], "others": "; ".join(others)})


Intervals: TypeAlias = "Mapping[str, tuple[float, float] | None]"


def claims_of(result: Evaluation | Comparison, intervals: Intervals | None = None) -> list[Claim]:
    """Return the claims about an evaluation, given its intervals if they are known, or a comparison."""
    brackets = None
    if isinstance(result, Comparison):
        known: list[Any] = [one.total for one in result.systems]
        analyses = [one["analysis"].to_dict() for one in known if "analysis" in getattr(one, "names", ())]
        systems = Systems(result, analyses if len(analyses) == len(known) else [])
    else:
        brackets = result.total.brackets
        answers = bool(result.settings.answers)
        known_intervals = result.intervals if intervals is None else intervals
        systems = of_evaluation(result, "The system", result.figures, known_intervals, answers=answers)
    made = [*title(systems, brackets), *interval(systems), *lead(systems, brackets)]
    if systems.count > 2:
        made += ties(systems) + groups(systems)
    if systems.causes or systems.analyses:
        made += [*errors(systems, {}), *places(systems)]
    made += words(systems)
    if systems.answers:
        made += broken(systems.answers)
    made += [one for one in [cited(systems)] if one is not None]
    if isinstance(result, Evaluation):
        return [*made, *main_figures(result), *result.claimed, *notes(result)]
    return [*made, *tests_of(result)] + [
        Claim(kind, {"name": one.name, **numbers})
        for one in result.systems
        for kind, numbers in (
            *[claim for claim in one.claimed if claim.place == "warning"],
            *notes_of_system(result, one),
        )
    ]


def dicts_of(
    result: Evaluation | Comparison | ConventionTable, intervals: Intervals | None = None
) -> list[dict[str, object]]:
    """Return the claims about a result or a table of conventions, JSON-ready."""
    if isinstance(result, (Evaluation, Comparison)):
        return [one.to_dict() for one in claims_of(result, intervals)]
    return [one.to_dict() for one in notes_of_table(result)]
