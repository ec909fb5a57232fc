"""Removal of words tagged -NONE-, compared with plain Python that reads both files completely."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from hypothesis import given, settings, strategies as st

from jpevalb import Params, evaluate
from tests.support.plain_tree import Plain
from tests.support.random_trees import trees

TRACE = Params(delete_labels=("-NONE-",))


@st.composite
def files(draw):
    """Draw sentences of two files with distinct words and the same traces."""
    with_traces = draw(st.sampled_from([(0, 0), (0, 1), (1, 0), (1, 1), (1, 1)]))
    sides = [], []
    sentences, only_last = draw(st.integers(1, 3)), draw(st.booleans())
    for number in range(1, sentences + 1):
        size = draw(st.integers(1, 4))
        # One trace in the last sentence says something of the whole file.
        extra = int(number == sentences) if only_last else draw(st.integers(0, 2))
        places = set(draw(st.permutations(range(size + extra)))[:extra])
        for side, some in zip(sides, with_traces):
            length = size + extra * some
            tree = draw(trees(min_words=length, max_words=length, words=st.just("w"), tags="NV"))
            labels, words, real = list(tree.labels), [], 0
            for place, node in enumerate(tree.word_parents):
                if some and place in places:
                    words.append(f"*{place}*")
                    labels[node] = "-NONE-"
                else:
                    words.append("abcd"[real] * 5)
                    real += 1
            side.append(replace(tree, words=tuple(words), labels=tuple(labels)))
    return sides


def constituents(tree, drop):
    """Count (label, words), with or without words tagged -NONE-."""
    plain = Plain(tree)
    kept = plain.kept(TRACE if drop else Params())
    plain.without(kept)
    found = Counter()
    for label, places in plain.nodes:
        if label:
            found[label, frozenset([tree.words[place] for place in places])] += 1
    return found, len(kept)


def expected(gold, system, traces):
    """Matched, gold and system constituents, and gold words."""
    has = [any("-NONE-" in tree.tags for tree in side) for side in (gold, system)]
    drop = traces == "drop" or (traces == "auto" and has[0] != has[1])
    counts = [0, 0, 0, 0]
    for mine, other in zip(gold, system):
        (first, words), (second, _) = constituents(mine, drop), constituents(other, drop)
        matched = (first & second).total()
        counts = [a + b for a, b in zip(counts, (matched, first.total(), second.total(), words))]
    return counts, drop


@settings(max_examples=80)
@given(files(), st.sampled_from(["auto", "auto", "auto", "keep", "drop"]), st.booleans())
def test_traces(sides, traces, once):
    gold, system = sides
    # Of sentences that are handed out one by one, the first ones decide.
    sources = (iter(gold), iter(system)) if once else (gold, system)
    counts, drop = expected(gold, system, traces)
    found = evaluate(
        *sources, convention="jpevalb", traces=traces, pair="order", lang="none", metrics="brackets"
    )
    brackets, tags = found.total.brackets, found.total.tags
    assert [brackets.gold, brackets.system, tags.gold] == counts[1:]
    if drop or all(mine.words == other.words for mine, other in zip(gold, system)):
        # Elsewhere a trace of one side alone is in the unit of a word beside it.
        assert brackets.matched == counts[0]
    assert (found.settings.traces == "drop") == drop
    said = [line for line in found.warnings if "are removed" in line]
    assert len(said) == (drop and traces == "auto")
