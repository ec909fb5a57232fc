"""Check the claims of a JSON report against its figures.  Nothing of jpevalb is imported here.

    python -m tests.claims.checker REPORT.json ...

There is a method for each kind of claim; it says from the report alone whether a claim is true.
"""

from __future__ import annotations

import json
import re
import sys
from itertools import combinations, pairwise

LEVEL, LEAST = 0.05, {"bootstrap": 50, "permutation": 10, "sign": 10}
MANY, FEW_SENTENCES, OF_GOLD = 7, 30, 0.01
FOUND = ("recall", "precision")


def holm(p_values):
    known = sorted(p for p in p_values if p is not None)
    top, steps = 0.0, {}
    for rank, p in enumerate(known):
        top = max(top, min(1.0, (len(known) - rank) * p))
        steps[p] = top
    return [None if p is None else steps[p] for p in p_values]


def near(a, b):
    return a is not None and b is not None and abs(a - b) < 1e-9


class TableChecker:
    """The figures of a table of conventions."""

    def __init__(self, report):
        self.report, self.rows = report, report["conventions"]
        self.systems = list(dict.fromkeys(row["system"] for row in self.rows))
        self.of = {}
        for row in self.rows:
            self.of.setdefault(row["name"], {})[row["system"]] = row["f1"]

    def _rankings(self):
        found = {}
        for name, figures in self.of.items():
            if None not in figures.values():
                ranks = sorted(set(figures.values()), reverse=True)
                text = " > ".join(" = ".join(s for s in self.systems if figures[s] == f1) for f1 in ranks)
                found.setdefault(text, []).append(name)
        return found

    def is_ranked_alike(self, n):
        ((ranks, names),) = self._rankings().items()
        return (n["ranks"], n["count"]) == (ranks, len(names)) and len(names) > 1

    def is_rankings(self, n):
        return n["count"] == len(self._rankings()) > 1

    def is_ranking(self, n):
        return self._rankings()[n["ranks"]] == n["conventions"]

    def is_published(self, n):
        first = {name: figures[self.systems[0]] for name, figures in self.of.items()}
        near = [k for k, f1 in first.items() if f1 is not None and abs(f1 - n["f1"]) <= 0.0005 + 1e-9]
        return near == n["conventions"] and n["f1"] == self.report["published"]["f1"]

    def is_unpublished(self, n):
        return not n["conventions"] and self.is_published(n)

    def is_separated(self, n):
        figures = [self.of[n[name]][self.systems[0]] for name in ("first", "second")]
        rules = [one for one in self.report["claims"] if one["kind"] == "separating"]
        return figures == [n["f1"], n["other"]] and n["count"] == len(rules) <= n["rules"]

    def is_separating(self, n):
        """The figure with one rule changed is not in the report, but it differs from the first."""
        return n["f1"] is not None and f"{n['f1']:.4f}" != f"{self.of[n['first']][self.systems[0]]:.4f}"

    def is_stopped(self, n):
        rows = [row for row in self.rows if (row["system"], row["stopped"]) == (n["name"], n["why"])]
        return [row["name"] for row in rows] == n["conventions"] and not any(row["f1"] for row in rows)


class Checker:
    """The figures of a report of any number of systems."""

    def __init__(self, report):
        self.report = report
        several = "systems" in report
        systems = report["systems"] if several else [{"name": "The system", "rates": report["figures"]}]
        self.names = [re.sub(r"\.\w+$", "", one["name"]) for one in systems]
        self.rates = dict(zip(self.names, [one["rates"] for one in systems]))
        totals = [one["counts"] for one in systems] if several else [report["total"]]
        self.totals = dict(zip(self.names, totals))
        self.systems = dict(zip(self.names, systems))
        rules = report["signature"].partition("convention:")[2].split(" ")[0]
        self.main = "sentence_f1" if self._is_mean(rules) else "f1"
        self.f1 = {name: rates.get(self.main) for name, rates in self.rates.items()}
        self.test = report.get("test")
        self.many = len(self.names) >= MANY
        self.order = list(self.names)
        if self.many:
            self.order.sort(key=lambda name: -(self.f1[name] or 0))
        self.base = self.order[0]
        if several:
            self._decide()
        self.answers = totals[0].get("answers") if not several else None
        self.analyses = [one["analysis"] for one in totals if "analysis" in one]
        self.figures = report["measures"] if several else []

    def _is_mean(self, rules):
        return rules in ("kim", "tnpcfg", "on-lstm", "prpn-wsj10")

    # -- what the test says, from raw p-values ------------------------------------------------------

    def _decide(self):
        report, full = self.report, {one["name"]: name for name, one in self.systems.items()}
        self.correct = report.get("correction", "pairs") != "none"
        self.pairs = {tuple(full[name] for name in one["systems"]): one for one in report.get("pairs", ())}
        found = self._outcomes(
            [(one["p"], one["units"], one["difference"], one.get("won")) for one in self.pairs.values()]
        )
        self.tests, self.outcomes = found[0], {}
        for (a, b), one, outcome in zip(self.pairs, self.pairs.values(), found[1]):
            assert one["outcome"] == outcome
            assert near(one["difference"], self.apart(a, b)) or None in (self.f1[a], self.f1[b])
            self.outcomes[a, b] = self.outcomes[b, a] = outcome
        self.sections = {}
        for group in {one["group"] for one in report["measures"]} if self.test else ():
            names = [one["name"] for one in report["measures"] if one["group"] == group]
            keys = [(s, f) for s in self.names[1:] for f in names if f != self.main]
            rows = [self._row(*key) for key in keys]
            self.sections |= dict(zip(keys, self._outcomes(rows)[1]))
        for (system, figure), outcome in self.sections.items():
            assert self.systems[system]["decisions"][figure] == outcome

    def _row(self, system, figure):
        one, base = self.systems[system], self.rates[self.names[0]][figure]
        own, counted = self.rates[system][figure], one["outcomes"].get(figure)
        won = None if counted is None else counted["wins"] - counted["losses"]
        points = None if None in (own, base) else own - base
        return one["p_values"].get(figure), one["units"], points, won

    def _outcomes(self, rows):
        p_values = [p for p, *_ in rows]
        tests = sum(p is not None for p in p_values) if self.correct else 1
        samples, found = self.report["test_samples"], []
        for p, (_, units, points, won) in zip(holm(p_values) if self.correct else p_values, rows):
            least = 0 if self.test == "bootstrap" else 2 * 0.5**units
            if self.test is None:
                found.append("untested")
            elif points is None or p is None:
                found.append("undefined")
            elif units < LEAST[self.test] or tests * least >= LEVEL:
                found.append("few")
            elif samples and tests >= LEVEL * (samples + 1):
                found.append("reach")
            elif p >= LEVEL:
                found.append("alike")
            else:
                found.append("mixed" if won is not None and won * points <= 0 else "differs")
        return tests, found

    def apart(self, a, b):
        return None if None in (self.f1[a], self.f1[b]) else self.f1[b] - self.f1[a]

    def outcome(self, a, b):
        return self.outcomes.get((a, b), "untested")

    def of(self, group):
        return [one for one in self.figures if one["group"].startswith(group)]

    def real(self, system, figure):
        return not self.many and self.sections.get((system, figure)) == "differs"

    def none_differs(self, system, figures):
        outcomes = {self.sections.get((system, one["name"])) for one in figures}
        return "alike" in outcomes and outcomes <= {"alike", "undefined"}

    def gap(self, system, figure, base=None):
        return self.rates[system][figure] - self.rates[base or self.base][figure]

    # -- headlines of several -----------------------------------------------------------------------

    def _side(self, n, sign):
        return [
            (name, self.apart(self.base, name))
            for name in self.order
            if self.outcome(self.base, name) == "differs" and sign * self.apart(self.base, name) > 0
        ]

    def _items(self, n, sign):
        found = self._side(n, sign)
        return n["base"] == self.base and [[a, b] for a, b in found] == list(map(list, n["items"]))

    def is_better(self, n):
        return self._items(n, 1)

    def is_worse(self, n):
        return self._items(n, -1)

    def _many_items(self, n, sign):
        sizes = [abs(points) for _, points in self._side(n, sign)]
        return (n["count"], n["sizes"], n["base"]) == (len(sizes), [min(sizes), max(sizes)], self.base)

    def is_many_better(self, n):
        return self._many_items(n, 1)

    def is_many_worse(self, n):
        return self._many_items(n, -1)

    def is_above(self, n):
        return self.test is None and n["points"] == self.apart(n["base"], n["name"]) > 0

    def is_below(self, n):
        return self.test is None and n["points"] == self.apart(n["base"], n["name"]) < 0

    def is_equal(self, n):
        return len(n["names"]) > 1 and len({self.f1[name] for name in n["names"]} - {None}) == 1

    def _outcome_is(self, n, outcome):
        return bool(n["names"]) and all(self.outcome(n["base"], name) == outcome for name in n["names"])

    def is_alike(self, n):
        return self._outcome_is(n, "alike")

    def is_few(self, n):
        return self._outcome_is(n, "few")

    def is_reach(self, n):
        return self._outcome_is(n, "reach")

    def is_mixed(self, n):
        return self._outcome_is(n, "mixed")

    def is_without(self, n):
        return n["names"] == [name for name in self.order if self.f1[name] is None]

    def _ranked(self):
        return sorted([one for one in self.names if self.f1[one] is not None], key=lambda one: -self.f1[one])

    def _leader(self, n, alike):
        others = [name for name in self.order if name != n["first"] and self.f1[name] is not None]
        found = [name for name in others if self.outcome(n["first"], name) == "alike"]
        rest = {self.outcome(n["first"], name) for name in others} <= {"alike", "differs"}
        top = self.f1[n["first"]] == max(self.f1[one] for one in self._ranked())
        return top and rest and (found == alike if isinstance(alike, list) else len(found) == alike)

    def is_best(self, n):
        gap = self.f1[n["first"]] - self.f1[n["second"]]
        second = self.f1[n["second"]] == self.f1[self._ranked()[1]]
        return self._leader(n, []) and second and near(abs(n["points"]), gap)

    def is_leads(self, n):
        return self._leader(n, n["names"]) and 0 < len(n["names"]) <= 3

    def is_leads_many(self, n):
        return self._leader(n, n["count"]) and n["count"] > 3

    def is_all_alike(self, n):
        known = self._ranked()
        return n["count"] == len(known) and all(
            self.outcome(*pair) == "alike" for pair in combinations(known, 2)
        )

    def is_highest(self, n):
        a, b = self._ranked()[:2]
        return self.f1[n["first"]] == self.f1[a] > self.f1[n["second"]] == self.f1[b] and near(
            abs(n["points"]), self.f1[a] - self.f1[b]
        )

    def is_tied_highest(self, n):
        top = self.f1[self._ranked()[0]]
        return n["names"] == [name for name in self.order if self.f1[name] == top] and len(n["names"]) > 1

    # -- leads of several ---------------------------------------------------------------------------

    def _difference(self, n, kind):
        if n["points"] != self.apart(self.base, n["name"]):
            return False
        if kind == "difference_alone":
            return "recall" not in n
        both = [self.gap(n["name"], figure) for figure in FOUND]
        real = all(self.real(n["name"], figure) for figure in FOUND)
        expected = "difference"
        if real:
            same = both[0] * both[1] > 0
            expected = "difference_both" if same else f"difference_{'more' if both[0] > 0 else 'less'}"
        return kind == expected and [n["recall"], n["precision"]] == both

    def is_difference(self, n):
        return self._difference(n, "difference")

    def is_difference_alone(self, n):
        return self._difference(n, "difference_alone")

    def is_difference_both(self, n):
        return self._difference(n, "difference_both")

    def is_difference_more(self, n):
        return self._difference(n, "difference_more")

    def is_difference_less(self, n):
        return self._difference(n, "difference_less")

    def is_of_mean(self, n):
        return self.main == "sentence_f1" and len(self.names) > 1

    def is_first_two(self, n):
        a, b = (self.f1[name] for name in (n["first"], n["second"]))
        return (
            (a, b) == (n["f1"], n["other"])
            and near(n["points"], a - b)
            and a == max(one for one in self.f1.values() if one is not None)
        )

    def is_resamples(self, n):
        samples = self.report["test_samples"]
        least = self.tests / (samples + 1)
        enough = self.tests < LEVEL * (n["needed"] + 1)
        right = (n["samples"], n["tests"]) == (samples, self.tests) and near(n["least"], least)
        return right and least >= LEVEL and enough and "differs" not in self.outcomes.values()

    def _told(self):
        known = combinations(self._ranked(), 2)
        return [self.outcome(*pair) for pair in known]

    def is_pairs_told(self, n):
        told = self._told()
        counts = told.count("differs"), told.count("alike"), len(told)
        return (
            (n["told"], n["tied"], n["tests"]) == counts and counts[0] + counts[1] == counts[2] and counts[1]
        )

    def is_pairs_all(self, n):
        told = self._told()
        return set(told) == {"differs"} and n["tests"] == len(told)

    def is_every_pair(self, n):
        return all(self.outcome(*pair) == "differs" for pair in combinations(self.names, 2))

    def _ties(self, n, more=0):
        tied = [
            pair for pair, one in self.pairs.items() if self.outcome(*pair) == "alike" and one["interval"]
        ]
        sizes = sorted(abs(self.apart(*pair)) for pair in tied)
        shown = [abs(points) for _, points, _ in n["pairs"]]
        for text, points, ends in n["pairs"]:
            a, b = text.rstrip(":").split(" − ")
            one = self.pairs.get((b, a)) or self.pairs[a, b]
            own = one["interval"] if (b, a) in self.pairs else [-one["interval"][1], -one["interval"][0]]
            if not (near(points, self.apart(b, a)) and ends == own and self.outcome(a, b) == "alike"):
                return False
        return shown == sizes[: len(shown)] and len(shown) + more == len(tied) and len(shown) <= 6

    def is_one_tie(self, n):
        return len(n["pairs"]) == 1 and self._ties(n)

    def is_ties(self, n):
        return n["count"] == len(n["pairs"]) > 1 and self._ties(n)

    def is_ties_more(self, n):
        return n["count"] == len(n["pairs"]) + n["more"] and self._ties(n, n["more"])

    def is_groups(self, n):
        letters = dict(item.rsplit(" ", 1) for item in n["letters"].split(", "))

        def relation(given):
            return {
                pair: bool(set(given[pair[0]]) & set(given[pair[1]])) for pair in combinations(self.names, 2)
            }

        share = relation(letters)
        right = all(share[pair] == (self.outcome(*pair) == "alike") for pair in share)
        decided = {self.outcome(*pair) for pair in share} <= {"alike", "differs"}
        for letter in set("".join(letters.values())):
            rest = {name: text.replace(letter, "") for name, text in letters.items()}
            if all(rest.values()) and relation(rest) == share:
                return False  # a needless letter
        return set(letters) == set(self.names) and right and decided

    # -- causes, lengths and labels -----------------------------------------------------------------

    def _costs(self, name):
        if self.figures:
            known = [(self.rates[name][one["name"]] or 0.0, one["title"]) for one in self.of("Points of F1")]
        else:
            brackets = self.report["total"]["brackets"]
            whole = brackets["gold"] + brackets["system"]
            causes = self.analyses[0]["causes"]
            known = [((one["missed"] + one["extra"]) / whole, cause) for cause, one in causes.items()]
        return sorted([item for item in known if item[0] > 0], reverse=True)

    def _lost(self, name):
        return sum(cost for cost, _ in self._costs(name))

    def is_cause_differs(self, n):
        causes = {one["title"]: one["name"] for one in self.of("Points of F1")}
        for title, points in n["causes"]:
            if not near(
                points,
                (self.rates[n["name"]][causes[title]] or 0) - (self.rates[n["base"]][causes[title]] or 0),
            ):
                return False
        if self.many:
            return all(abs(points) >= 0.001 for _, points in n["causes"])
        real = sorted(
            [-abs(self.gap(n["name"], one)) for one in causes.values() if self.real(n["name"], one)]
        )
        shown = [-abs(points) for _, points in n["causes"]]
        return shown == real[:2] and all(self.real(n["name"], causes[title]) for title, _ in n["causes"])

    def is_no_cause_differs(self, n):
        return not self.many and self.none_differs(n["name"], self.of("Points of F1"))

    def is_no_cause_apart(self, n):
        sizes = [
            abs((self.rates[n["name"]][one["name"]] or 0) - (self.rates[n["base"]][one["name"]] or 0))
            for one in self.of("Points of F1")
        ]
        return self.many and all(size < 0.001 for size in sizes)

    def is_all_lose(self, n):
        first = {}
        for name in self.names:
            costs = self._costs(name)
            if costs and (len(costs) == 1 or costs[0][0] > costs[1][0]):
                first[name] = costs[0]
        own = [cost for cost, cause in first.values() if cause == n["cause"]]
        count = len(self.names)
        every = "Both" if count == 2 else f"All {count}"
        who = every if len(own) == count else f"{len(own)} of {count} systems"
        return n["who"] == who and n["costs"] == [min(own), max(own)] and len(own) > 1

    def _lengths(self):
        classes = max([one["lengths"] for one in self.analyses], key=len)
        found = {}
        for k, item in enumerate(classes):
            sentences = max(
                one["lengths"][k]["sentences"] for one in self.analyses if k < len(one["lengths"])
            )
            end = f"–{item['longest']}" if item["longest"] is not None else "+"
            rate = self.rates[self.base].get(f"length_{item['shortest']}", item["f1"])
            found[f"{item['shortest']}{end}"] = sentences, rate
        return found

    def _long(self):
        return {
            name: rate
            for name, (sentences, rate) in self._lengths().items()
            if sentences >= FEW_SENTENCES and rate is not None
        }

    def is_by_length(self, n):
        rates = self._long()
        return (
            (rates[n["best"]], rates[n["worst"]])
            == (n["high"], n["low"])
            == (max(rates.values()), min(rates.values()))
        )

    def is_no_length(self, n):
        rates = self._long().values()
        return len(rates) > 1 and n["rates"] == [min(rates), max(rates)]

    def is_few_lengths(self, n):
        return len(self._long()) < 2 <= len(self._lengths())

    def _labels(self):
        labels = self.analyses[0]["labels"]
        gold = sum(one["gold"] for one in labels.values())
        known = {}
        for label, one in labels.items():
            rate = self.rates[self.base].get(f"label_{label}", one.get("f1"))
            if one["gold"] and one["gold"] >= OF_GOLD * gold and rate is not None:
                known[label or "()"] = rate
        return known

    def is_labels(self, n):
        rates = self._labels()
        ends = min(rates.values()), max(rates.values())
        return (
            n["count"] == len(rates)
            and (rates[n["worst"]], rates[n["best"]]) == (n["low"], n["high"]) == ends
        )

    def is_labels_equal(self, n):
        rates = self._labels()
        return n["count"] == len(rates) > 1 and set(rates.values()) == {n["low"]}

    def _places(self):
        lengths = {f"{name} words": f"length_{name.rstrip('+').split('–')[0]}" for name in self._lengths()}
        few = {f"{name} words" for name, (count, _) in self._lengths().items() if count < FEW_SENTENCES}
        titles = {one["title"] for one in [*self.of("F by label"), *self.of("Recall by gold label")]}
        labels = {label: f"label_{label}" for label in self._labels_of_gold() if label in titles}
        return {name: figure for name, figure in lengths.items() if name not in few} | labels

    def _labels_of_gold(self):
        labels = self.analyses[0]["labels"]
        gold = sum(one["gold"] for one in labels.values())
        return [label for label, one in labels.items() if one["gold"] and one["gold"] >= OF_GOLD * gold]

    def is_where_differs(self, n):
        known = self._places()
        real = [(-abs(self.gap(n["name"], f)), p) for p, f in known.items() if self.real(n["name"], f)]
        shown = [(-abs(points), place) for place, points in n["places"]]
        sizes = sorted(size for size, _ in real)[: len(shown)]
        return (
            set(shown) <= set(real)
            and [size for size, _ in shown] == sizes
            and len(shown) == min(3, len(real))
        )

    def is_where_alike(self, n):
        figures = [{"name": figure} for figure in self._places().values()]
        return not self.many and self.none_differs(n["name"], figures)

    # -- one system ---------------------------------------------------------------------------------

    @property
    def brackets(self):
        return self.report["total"]["brackets"]

    def is_all_right(self, n):
        one = self.brackets
        return one["gold"] == one["system"] == one["matched"] > 0

    def is_none_right(self, n):
        return not self.brackets["matched"] and self.brackets["gold"] + self.brackets["system"] > 0

    def is_no_parse(self, n):
        return not self.brackets["system"] and self.report["total"]["tags"]["correct"] == 0

    def is_no_brackets(self, n):
        return not self.brackets["gold"] and not self.brackets["system"]

    def is_scores(self, n):
        return self.main == "f1" and n["f1"] == self.brackets["f1"] > 0

    def is_scores_mean(self, n):
        return self.main == "sentence_f1" and n["f1"] == self.report["figures"]["sentence_f1"]

    def is_interval(self, n):
        ends = self.report["intervals"][self.main]
        return [n["low"], n["high"]] == ends and n["level"] == 95

    def is_excluded(self, n):
        if "systems" in self.report:
            share = self.systems[n["name"]]["excluded"]
            return n["scored"] == self.totals[n["name"]]["brackets"]["sentences"] and near(
                share, 1 - n["scored"] / n["gold"]
            )
        out = self.report["excluded"]
        return n["gold"] - n["scored"] == out > 0 and n["scored"] == self.brackets["sentences"]

    def _errors(self):
        return self.brackets["gold"] - self.brackets["matched"], self.brackets["system"] - self.brackets[
            "matched"
        ]

    def is_excluded_for(self, n):
        return len(self.names) > 1 and self.is_excluded(n)

    def is_few_of_many(self, n):
        known = self._ranked()
        return n["count"] == len(known) and {self.outcome(known[0], name) for name in known[1:]} == {"few"}

    def is_misses(self, n):
        return self._errors()[0] > self._errors()[1]

    def is_invents(self, n):
        return self._errors()[0] < self._errors()[1]

    def is_balanced(self, n):
        return min(self._errors()) > 0 and max(self._errors()) <= 1.1 * min(self._errors())

    def is_gaps(self, n):
        gaps = self.report["total"]["gaps"]
        rates = self.report["figures"]
        return (n["gold"], n["system"]) == (gaps["gold"], gaps["system"]) and (
            n["continuous"],
            n["discontinuous"],
        ) == (rates["continuous_f1"], rates["discontinuous_f1"])

    def is_unparsed(self, n):
        beads = self.totals[n["name"]]["alignment"]["groups"]
        return n["count"] == beads["no_parse"]["groups"] > 0

    def is_text_equal(self, n):
        total = self.report["total"]["alignment"]
        alone = total["gold_words_alone"] + total["system_words_alone"]
        return (
            set(total["groups"]) <= {"one_to_one"}
            and not alone
            and set(total["units"].values()) <= {*(0, total["units"]["equal"])}
        )

    def is_text_costs(self, n):
        whole = self.brackets["gold"] + self.brackets["system"]
        words = self.report["total"]["segmentation"]["token_errors"] / whole
        return not self.is_text_equal(n) and near(n["words"], words) and n["ends"] + n["words"] > 0

    def is_dearest(self, n):
        costs = self._costs(self.base)
        return (
            costs[0][1] == n["cause"]
            and near(costs[0][0], n["cost"])
            and near(n["lost"], self._lost(self.base))
        )

    def is_no_dearest(self, n):
        costs = self._costs(self.base)
        return costs[0][0] - costs[1][0] < 0.001 and near(n["lost"], self._lost(self.base))

    def is_nothing(self, n):
        return self.brackets["f1"] == 1 and not self._costs(self.base)

    def is_first_three(self, n):
        costs = self._costs(self.base)
        return len(costs) > 3 and near(n["share"], 100 * sum(cost for cost, _ in costs[:3]) / n["lost"])

    def _blame(self, n):
        strict = self.report["total"]["segmentation"]["brackets"]
        if not near(n["lost"], 1 - 2 * strict["matched"] / (strict["gold"] + strict["system"])):
            return False, 0
        by = n["ends"] + n["words"]
        return near(by + n["rest"], n["lost"]) and by > 0 and not self.is_text_equal(n), by / n["lost"]

    def is_parser(self, n):
        right, share = self._blame(n)
        return right and share < 0.1

    def is_tokeniser(self, n):
        right, share = self._blame(n)
        return right and share > 0.5

    def is_both_blamed(self, n):
        right, share = self._blame(n)
        return right and 0.1 <= share <= 0.5

    def is_blamed(self, n):
        return near(n["ends"] + n["words"] + n["rest"], n["lost"]) and n["ends"] + n["words"] > 0

    def _unblamed(self, n):
        return all(
            not self.rates[name].get("cause_sentence_boundary")
            and not self.totals[name]["segmentation"]["token_errors"]
            for name in n["names"]
        )

    def is_one_unblamed(self, n):
        return len(n["names"]) == 1 and self._unblamed(n)

    def is_none_blamed(self, n):
        return len(n["names"]) > 1 and self._unblamed(n)

    def is_ends_alike(self, n):
        return n["f1"] == self.report["total"]["alignment"]["groups"]["one_to_one"]["f1"]

    # -- answers ------------------------------------------------------------------------------------

    def _counts(self, n):
        return all(n[name] == self.answers[name] for name in ("answers", "valid", "repaired"))

    def is_answers_all(self, n):
        return self._counts(n) and n["valid"] == n["answers"]

    def is_answers_none(self, n):
        return self._counts(n) and not n["valid"] and n["repaired"] > 0

    def is_answers_lost(self, n):
        return self._counts(n) and not n["valid"] and not n["repaired"]

    def is_answers_some(self, n):
        return self._counts(n) and 0 < n["valid"] < n["answers"] and n["repaired"] > 0

    def is_answers_rest(self, n):
        return self._counts(n) and 0 < n["valid"] < n["answers"] and not n["repaired"]

    def is_as_written(self, n):
        return (n["strict"], n["repaired"]) == (
            self.answers["strict"]["f1"],
            self.answers["with_repairs"]["f1"],
        )

    def _parts(self, n):
        lost = self.answers["lost"]
        parts = {"syntax": n["rest"], "format": n["format"], "labels": n["labels"]}
        most = max(parts, key=parts.get)
        right = (
            near(sum(parts.values()), n["lost"]) and min(parts.values()) >= 0 and not self.answers["invalid"]
        )
        return right and near(n["format"], lost["format"]), parts[most] > n["lost"] / 2, most

    def is_mostly(self, n):
        right, _half, most = self._parts(n)
        return right and n["what"] == most and not n["labels"]

    def is_mostly_labels(self, n):
        right, half, most = self._parts(n)
        return right and half and n["what"] == most and n["labels"] > 0

    def is_both_labels(self, n):
        right, half, _ = self._parts(n)
        return right and not half and n["labels"] > 0

    def is_stay_lost(self, n):
        return n["absent"] == self.answers["invalid"] > 0 and near(n["format"] + n["rest"], n["lost"])

    def is_repairs_lose(self, n):
        return (
            near(n["loss"], self.answers["strict"]["f1"] - self.answers["with_repairs"]["f1"])
            and n["loss"] > 0
        )

    def is_best_repair(self, n):
        steps = self.answers["ladder"]
        gains = {b["repair"]: b["f1"] - a["f1"] for a, b in pairwise(steps)}
        name = n["repair"].replace(" ", "_")
        others = [gain for repair, gain in gains.items() if repair != name]
        return (
            gains[name] == n["gain"] > max([0.0, *others]) and n["answers"] == self.answers["repairs"][name]
        )

    def is_no_tree(self, n):
        return n["count"] == self.answers["invalid"] > 0

    def is_foreign(self, n):
        return bool(self.answers["foreign_labels"]) and n["f1"] == self.answers["renamed_f1"]

    # -- for a paper --------------------------------------------------------------------------------

    def _rules(self, n):
        gold = n["gold"]
        known = [one for name, one in self.totals.items() if self.f1[name] is not None and "brackets" in one]
        scored = [one["sentences"]["gold"] for one in known] or [gold]
        least, most = min(scored), max(scored)
        text = f"{gold:,} gold sentence{'s' * (gold != 1)}"
        if least < gold:
            text = f"{least:,}{f' to {most:,}' * (least < most)} of {gold:,} gold sentences"
        convention = self.report["signature"].partition("convention:")[2].partition(" ")[0]
        names = {"jpevalb": "words aligned", "discontinuous": "equal words", "": "evalb's rules"}
        rules = names.get(convention, f"convention {convention}")
        if len(self.names) > 1 and self.main == "sentence_f1":
            rules += ", mean F1 of sentences"
        if "references" in self.report or any("references" in one for one in self.systems.values()):
            given = self.report.get("references") or next(iter(self.systems.values()))["references"]
            rules += f", nearest of {len(given['scores']) - 2} references"
        return (n["rules"], n["scored"]) == (rules, text)

    def is_cite_one(self, n):
        return self._rules(n) and (n["f1"], n["precision"], n["recall"]) == tuple(
            self.report["figures"][name] for name in ("f1", "precision", "recall")
        )

    def is_cite_mean(self, n):
        return self._rules(n) and n["f1"] == self.report["figures"]["sentence_f1"]

    def is_cite_gaps(self, n):
        rates = self.report["figures"]
        own = [n[name] for name in ("f1", "continuous", "discontinuous")]
        return self._rules(n) and own == [rates[name] for name in ("f1", "continuous_f1", "discontinuous_f1")]

    def is_cite_answers(self, n):
        counts = (n["answers"], n["valid"], n["made"]) == tuple(
            self.answers[name] for name in ("answers", "valid", "repaired")
        )
        return counts and self.is_as_written(n)

    def is_cite_base(self, n):
        others = [name for name in self.names if name != self.base]
        return self.is_cite_several(n) and all(self.f1[name] is None for name in others)

    def is_cite_several(self, n):
        return self._rules(n) and n["base"] == self.base and n["f1"] == self.f1[self.base]

    # -- warnings and notes -------------------------------------------------------------------------

    def _own(self, n):
        """Return the sums of the run that a warning is about, and its keys of the report."""
        if not self.figures:
            return self.report["total"], self.report
        name = re.sub(r"\.\w+$", "", n["name"])
        return self.totals[name], self.systems[name]

    def _is_changed(self, side, what, count):
        return {"side": side, "what": what, "count": count} in self.report["standardised"]

    def is_untagged(self, n):
        found = [
            f"{one['side']} ({one['count']} sentence{'s' * (one['count'] != 1)})"
            for one in self.report.get("standardised", ())
            if one["what"].startswith("trees without tags")
        ]
        return self.figures or found == n["sides"]

    def is_partly_tagged(self, n):
        return 0 < n["count"] < n["number"] and n["count"] >= min(5, len(n["listed"].split(", ")))

    def is_by_position(self, n):
        return self.figures or self._is_changed(
            "system", "words that differ from gold at their position", n["count"]
        )

    def is_nothing_deleted(self, n):
        return not {*n["names"].split(" ")} & {*self._own(n)[0].get("labels", {})}

    def is_no_answer(self, n):
        return self._own(n)[0]["answers"]["strict"]["matched"] == 0

    def is_nothing_parsed(self, n):
        total = self._own(n)[0]
        return not total["tags"]["correct"] and not total["brackets"]["matched"]

    def is_left_out(self, n):
        total, run = self._own(n)
        out = n["gold"] - n["scored"]
        share = out / n["gold"] if self.figures else out
        whys = sum(int(why.split(" ")[0]) for why in n["whys"].split(", "))
        return n["scored"] == total["sentences"]["groups"] and whys == out and near(run["excluded"], share)

    def _labels_of(self, n):
        """Return the numbers of each label in gold and in the system; empty if they were not counted."""
        total = self._own(n)[0]
        labels = (total.get("analysis") or {}).get("labels") or {}
        return {label: (one["gold"], one["system"]) for label, one in labels.items()}

    def is_one_sided(self, n):
        """Check texts such as "gold alone has A, B (3 of 9 first brackets)"."""
        labels = self._labels_of(n)
        for text in n["sides"]:
            side, names, few, every, what = re.fullmatch(
                r"(.*?) has (.*) \(([\d,]+)(?: of (\d+) first)? (\w+)\)", text
            ).groups()
            if every is None:
                run = self._own(n)[1]
                right = "traces:drop" in run.get("signature", self.report["signature"]) and few != "0"
            else:
                right = 0 < int(few) <= int(every)
            if side.endswith(" alone") and what == "brackets":
                other = side == "gold alone"  # index of the system
                right = right and not any(labels.get(name, (0, 0))[other] for name in names.split(", "))
            if not right:
                return False
        return 0 < len(n["sides"]) < 3

    def is_inclusive(self, n):
        return n["side"] in ("gold", "the system")

    def _is_share(self, n):
        alignment = self._own(n)[0]["alignment"]
        differ = sum(alignment["units"].values()) - alignment["units"]["equal"]
        alone = alignment["gold_words_alone"], alignment["system_words_alone"]
        return 0.1 <= n["share"] <= 1 and differ + max(alone) >= 50

    is_tokeniser_marks = is_other_script = is_other_order = is_repeats = _is_share

    def is_other_language(self, n):
        units = self._own(n)[0]["alignment"]["units"]
        return n["count"] / 2 < n["listed"] <= n["count"] <= units["changed"] + units["resegmented"]

    def _alone(self, n):
        beads = self._own(n)[0]["sentences"]
        sides = [(beads[f"{side}_alone"], beads[side], side) for side in ("gold", "system")]
        return [f"{a} of {count} {side} sentences" for a, count, side in sides if 2 * a > count] == n["sides"]

    def is_one_alone(self, n):
        return len(n["sides"]) == 1 and self._alone(n)

    def is_both_alone(self, n):
        return len(n["sides"]) == 2 and self._alone(n)

    def _unlike(self, n):
        total, run = self._own(n)
        beads = total["sentences"]
        right = (n["unlike"], n["pairs"]) == (beads["unlike"], beads["groups"]) and 2 * n["unlike"] > n[
            "pairs"
        ]
        shares = sorted(one["equal"] for one in run.get("left_out", ()) if one["state"] == "unlike")
        return right, shares[len(shares) // 2] if shares else None

    def is_other_spelling(self, n):
        right, share = self._unlike(n)
        return right and (share is None or share >= 0.5)

    def is_other_texts(self, n):
        right, share = self._unlike(n)
        return right and (share is None or share < 0.5)

    def is_shifted(self, n):
        units = self._own(n)[0]["alignment"]["units"]
        return (
            n["words"] == units["equal"] + units["changed"]
            and n["words"] / 2 < n["changed"] <= units["changed"]
        )

    def is_large_units(self, n):
        total = self._own(n)[0]
        units, segments = sum(total["alignment"]["units"].values()), total["segmentation"]
        sizes = {
            side: (segments["tokens"][side] - total["alignment"][f"{side}_words_alone"]) / units
            for side in ("gold", "system")
        }
        right = (n["f1"], n["strict"]) == (total["brackets"]["f1"], segments["brackets"]["f1"])
        return right and n["f1"] - n["strict"] >= 0.2 and near(n["size"], sizes[n["side"]]) and n["size"] >= 3

    def is_against(self, n):
        return len(n["names"]) > 0 and bool(n["text"])

    def is_of_metric(self, n):
        """The text of a plugin: it can be read, but not checked."""
        return bool(n["text"])

    is_metric_note = is_of_metric

    def is_other_times(self, n):
        return n["words"] / 2 < n["count"] <= n["words"] >= 10

    def is_nearest(self, n):
        names = [one["name"] for one in self.report["references"]["scores"][:-2]]
        return n["files"] == ", ".join(f"{k} is {name}" for k, name in enumerate(names, 1))

    # -- the last line of a run, and the tests of a comparison --------------------------------------

    def _gaps(self):
        """Return the constituents without and with gaps: matched, and all of both sides."""
        gaps, every = self.report["total"]["gaps"], self.brackets
        with_gaps = gaps["matched"], gaps["gold"] + gaps["system"]
        return every["matched"] - with_gaps[0], every["gold"] + every["system"] - with_gaps[1], *with_gaps

    def is_figure(self, n):
        if n["name"] in ("continuous", "discontinuous"):
            matched, whole = self._gaps()[2 * (n["name"] == "discontinuous") :][:2]
            return n["value"] is None if not whole else near(n["value"], 2 * matched / whole)
        readings = {"repaired": "with_repairs", "usable only": "valid_only"}
        if n["name"] in readings:
            return n["value"] == self.answers[readings[n["name"]]]["f1"]
        of_mean = {"sentence-mean F1": True, "mean F1": True, "F1": False}[n["name"]]
        return n["value"] == self.brackets["sentence_f1" if of_mean else "f1"] and (
            self.main == "f1" or of_mean or self._has_mean()
        )

    def _has_mean(self):
        return any(one["numbers"].get("name") == "sentence-mean F1" for one in self.report["claims"])

    def is_written(self, n):
        return n["value"] == self.answers["strict"]["f1"]

    def is_usable(self, n):
        return near(n["value"], self.answers["valid"] / self.answers["answers"])

    def is_up_to(self, n):
        cutoffs = {one["length"]: one["counts"] for one in self.report.get("more_cutoffs", ())}
        cutoffs[self.report["cutoff_length"]] = self.report["cutoff"]
        return n["value"] == cutoffs[n["length"]]["brackets"][self.main]

    def is_same_words(self, n):
        return n["names"] == self._other_words()

    def _other_words(self):
        beads, alignment = (self.report["total"].get(name) for name in ("sentences", "alignment"))
        tokens = ends = False
        if alignment:
            kinds, units = alignment["groups"], alignment["units"]
            tokens = units["changed"] + units["resegmented"] > 0
            plain = sum(kinds.get(kind, {"groups": 0})["groups"] for kind in ("one_to_one", "no_parse"))
            ends = plain < beads["groups"]
        return [name for name, holds in {"tokens": tokens, "sentences": ends}.items() if holds]

    def is_not_evalb(self, n):
        total, names = self.report["total"], set(n["names"])
        beads = total["sentences"]
        failed = beads["gold_unparsed"] + beads["system_unparsed"] + self.report["states"]["no parse"]
        known = {"failed parses": failed > 0, "tokens": False, "sentences": False}
        right = all((name in names) == holds for name, holds in known.items())
        brackets, tags = self.brackets, total["tags"]
        equal = 0 < brackets["gold"] == brackets["system"] == brackets["matched"]
        if equal and tags["gold"] == tags["correct"]:  # evalb's brackets match, too
            labels = ["labels"] if "unlabeled" in self.report["signature"] else []
            right = right and names <= {*known, *labels, "roots"}
        verb = "counts differently" if n["names"] == ["punctuation"] else "count differently"
        return right and bool(names) and not self._other_words() and n["verb"] in (verb, "differ")

    def is_marks(self, n):
        samples, count = self.report["test_samples"], len(self.names)
        every = all(2 ** self.systems[name]["units"] <= samples for name in self.names[1:])
        how = {
            "bootstrap": f"paired bootstrap, {samples:,} resamples",
            "permutation": f"paired permutation, {'all' if every else f'{samples:,}'} shuffles",
            "sign": "sign test on single sentences, exact",
        }
        families = {"pairs": "F over all pairs", "baseline": "F over all systems"}
        corrected = "not corrected for the number of tests"
        if self.correct:
            family = families[self.report["correction"]] if count > 2 else "F alone"
            corrected = f"Holm over each table, {family}"
        return (n["how"], n["corrected"], n["base"]) == (
            how[self.test],
            corrected,
            self.report["baseline"],
        )

    def is_sentences(self, n):
        return n["count"] == self.report["gold_sentences"]

    def is_mean_of_all(self, n):
        return {one["f1_sentences"] for one in self.systems.values() if "f1_sentences" in one} == {n["count"]}

    def is_margins(self, n):
        samples = self.report["interval_samples"]
        how = f"expanded bootstrap percentiles, {samples:,} resamples"
        return samples > 0 and n["how"] == how and near(n["level"], 100 * self.report["confidence"])

    def is_no_figures(self, n):
        run = self._own(n)[1]
        return run["problem"] == n["problem"] and run["rates"]["f1"] is None

    def is_not_scored(self, n):
        total, run = self._own(n)
        counts = {"unaligned sentence": "unaligned", "system sentences that": "system_unparsed"}
        known = [key for text, key in counts.items() if n["what"].startswith(text)]
        right = not known or total["sentences"][known[0]] == n["count"]
        return right and f"{n['count']:,} {n['what']}" in run["notes"]

    def is_mean_over(self, n):
        return self._own(n)[1]["f1_sentences"] == n["count"]

    def is_resampled(self, n):
        return self._own(n)[1]["units"] == n["units"] != self.report["gold_sentences"]

    def is_valid_over(self, n):
        answers = self._own(n)[0]["answers"]
        counts = answers["valid_only"]["sentences"], answers["strict"]["sentences"]
        return (n["valid"], n["every"]) == counts

    def is_of_format(self, n):
        return self._own(n)[1]["format"] == n["format"]

    def is_changed(self, n):
        return all(self._is_changed(side, n["what"], n["count"]) for side in n["sides"])

    def _item(self, n, state):
        """Return the sentences of a note."""
        (item,) = [
            one
            for one in self.report["left_out"]
            if (one["state"], one["gold"], one["system"]) == (state, n["gold"], n["system"])
        ]
        if n["sides"].startswith("sentence "):  # in discontinuous mode, and under conventions
            return item
        texts = []
        for side in ("gold", "system"):
            first, last = item[side]
            if first < last or state == "unlike":
                text = f"sentence {last}" if last - first == 1 else f"sentences {first + 1}-{last}"
                texts.append(f"{side} {text if first < last else 'no sentence'}")
        return item if n["sides"] == ", ".join(texts) else {}

    def is_missing(self, n):
        return bool(self._item(n, "missing"))

    def is_extra(self, n):
        return bool(self._item(n, "extra"))

    def is_dissimilar(self, n):
        return self._item(n, "unlike").get("equal") == n["equal"]

    def is_set_aside(self, n):
        return bool(self._item(n, n["state"]))

    def is_set_aside_for(self, n):
        return n["reason"].split(" ")[-1] in self._item(n, n["state"]).get("reason", "")

    def is_more_set_aside(self, n):
        items = [one for one in self.report["left_out"] if one["state"] == n["state"]]
        sizes = [max(one[s][1] - one[s][0] for s in ("gold", "system")) for one in items]
        listed = len(items) if n["state"] == "unlike" else sum(sizes)
        return n["count"] == self.report["states"][n["state"]] - listed > 0

    def is_of_kind(self, n):
        answers = self.answers
        unfaithful = answers["answers"] - answers["invalid"] - answers["faithful"]
        known = {"unfaithful": unfaithful, **answers["repairs"]}
        return n["count"] == known.get(n["defect"], answers.get(n["defect"])) > 0

    def is_valid_only(self, n):
        return (
            n["valid"]
            == self.answers["valid_only"]["sentences"]
            < n["every"]
            == self.answers["strict"]["sentences"]
        )


def wrong_claims(report):
    """Return the claims of a report that are not true, or not well written."""
    checker = (TableChecker if "conventions" in report else Checker)(report)
    found = []
    for claim in report["claims"]:
        text = claim["text"]
        written = not re.search(r"p = 0\.000|\bnan\b|None(?! of)|<b>|\{|  ", text) and text[:1] != " "
        if not (written and getattr(checker, f"is_{claim['kind']}")(claim["numbers"])):
            found.append(claim)
    said = [claim["text"] for claim in report["claims"] if claim["place"] == "warning"]
    told = [text for one in report.get("systems", [report]) for text in one.get("warnings", ())]
    return found if said == told else [*found, {"warnings": told}]


if __name__ == "__main__":
    for path in sys.argv[1:]:
        with open(path, encoding="utf-8") as file:
            content = json.load(file)
        print(f"{path}: {len(content['claims'])} claims, wrong: {wrong_claims(content)}")
