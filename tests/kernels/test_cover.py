"""The kernels of averaging, compiled and interpreted, compared with an exhaustive search."""

from __future__ import annotations

import random
import time
from itertools import product

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jpevalb import Tree
from tests.support.averages import conflict, key_of, members
from tests.support.random_trees import trees

both = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)


def graph_of(sets: list[int]) -> list[int]:
    return [sum(1 << j for j, b in enumerate(sets) if conflict(a, b)) for a in sets]


def independent(neighbours: list[int]):
    """Every choice of vertices no two of which are neighbours, as a bit set."""
    for choice in range(1 << len(neighbours)):
        if not any(neighbours[v] & choice for v in members(choice)):
            yield choice


def weight_of(choice: int, weights: list[int]) -> int:
    return sum(weights[v] for v in members(choice))


@st.composite
def graphs(draw, *, bipartite=False):
    """A random graph of up to 11 vertices, sparse or dense, as neighbours in bit sets."""
    n = draw(st.integers(1, 11))
    rng = random.Random(draw(st.integers(0, 10**9)))
    dense = rng.random()
    side = [rng.random() < 0.5 for _ in range(n)]
    neighbours = [0] * n
    for i in range(n):
        for j in range(i):
            if rng.random() < dense and not (bipartite and side[i] == side[j]):
                neighbours[i] |= 1 << j
                neighbours[j] |= 1 << i
    values = [rng.randint(1, draw(st.sampled_from([1, 3, 1000, 10**40]))) for _ in range(n)]
    return neighbours, values, sum(1 << i for i in range(n) if side[i])


class TestCover:
    @both
    @given(graph=graphs())
    def test_heaviest(self, kernel, graph):
        cover = kernel("cover")
        neighbours, values, _ = graph
        weights = cover.number_choices(values)
        best = max(independent(neighbours), key=lambda choice: weight_of(choice, weights))
        found = cover.heaviest(neighbours, weights)
        assert found == weight_of(best, weights)
        assert cover.named(found, len(values)) == members(best)

    @both
    @given(graph=graphs(bipartite=True))
    def test_heaviest_by_cuts(self, kernel, graph):
        """With no part too small for a cut."""
        cover = kernel("cover")
        neighbours, values, _ = graph
        weights = cover.number_choices(values)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(cover, "_SMALL", 0)
            found = cover.heaviest(neighbours, weights)
        assert found == max(weight_of(choice, weights) for choice in independent(neighbours))

    @both
    @given(graph=graphs())
    def test_ties(self, kernel, graph):
        """The sum decides, then the fewer vertices, then the first."""
        cover = kernel("cover")
        neighbours, values, _ = graph

        def better(choice):
            return -weight_of(choice, values), len(members(choice)), members(choice)

        expected = min(independent(neighbours), key=better)
        found = cover.heaviest(neighbours, cover.number_choices(values))
        assert cover.named(found, len(values)) == members(expected)

    @both
    @given(graph=graphs(), p=st.integers(0, 20), q=st.integers(1, 5))
    def test_best_above(self, kernel, graph, p, q):
        neighbours, values, _ = graph
        values = [value % 9 for value in values]

        def better(choice):
            rest = [q * values[v] - p for v in members(choice)]
            return -sum(rest), len(rest), members(choice)

        expected = min(
            (choice for choice in independent(neighbours) if all(q * values[v] > p for v in members(choice))),
            key=better,
        )
        assert kernel("cover").best_above(neighbours, values, p, q) == members(expected)

    @both
    @given(graph=graphs(), p=st.integers(0, 20), q=st.integers(1, 5), case=st.data())
    def test_best_above_with_several_constituents_over_a_yield(self, kernel, graph, p, q, case):
        neighbours, _, _ = graph
        owners = sorted(case.draw(st.lists(st.integers(0, len(neighbours) - 1), min_size=1, max_size=9)))
        values = [case.draw(st.integers(0, 8)) for _ in owners]
        near = [sum(1 << j for j, b in enumerate(owners) if neighbours[a] >> b & 1) for a in owners]

        def better(choice):
            rest = [q * values[v] - p for v in members(choice)]
            return -sum(rest), len(rest), members(choice)

        expected = min(
            (choice for choice in independent(near) if all(q * values[v] > p for v in members(choice))),
            key=better,
        )
        assert kernel("cover").best_above(neighbours, values, p, q, 0.0, owners) == members(expected)

    def test_two_constituents_conflict_only_if_their_yields_do(self, kernel):
        best_above = kernel("cover").best_above
        assert best_above([2, 1], [1, 1], 0, 1, 0.0, [0, 0]) == [0, 1]
        assert best_above([2, 1], [1, 1], 0, 1, 0.0, [0, 1]) == [0]
        assert best_above([4, 0, 1], [1, 1], 0, 1, 0.0, [0, 1]) == [0, 1]
        assert best_above([0, 0], [1, 1], 0, 1) == [0, 1]

    @both
    @given(graph=graphs(), case=st.data())
    def test_heaviest_by_size_with_several_constituents_over_a_yield(self, kernel, graph, case):
        neighbours, _, _ = graph
        own = [sorted(case.draw(st.lists(st.integers(1, 9), max_size=2)), reverse=True) for _ in neighbours]
        expected: dict[int, int] = {}
        for choice in independent(neighbours):
            for counts in product(*[range(len(own[v]) + 1) for v in members(choice)]):
                total = sum(sum(own[v][:count]) for v, count in zip(members(choice), counts))
                expected[sum(counts)] = max(expected.get(sum(counts), 0), total)
        sums = [[sum(weights[:count]) for count in range(len(weights) + 1)] for weights in own]
        found = kernel("cover").heaviest_by_size(neighbours, sums)
        assert found == [expected[size] for size in range(len(expected))]

    @both
    @given(graph=graphs())
    def test_heaviest_by_size(self, kernel, graph):
        neighbours, values, _ = graph
        expected: dict[int, int] = {}
        for choice in independent(neighbours):
            size = len(members(choice))
            expected[size] = max(expected.get(size, 0), weight_of(choice, values))
        found = kernel("cover").heaviest_by_size(neighbours, [[0, value] for value in values])
        assert found == [expected[size] for size in range(len(expected))]

    @both
    @given(
        a=st.lists(st.integers(0, 9), min_size=1, max_size=5),
        b=st.lists(st.integers(0, 9), min_size=1, max_size=5),
    )
    def test_combine(self, kernel, a, b):
        a, b = [0, *a], [0, *b]
        found = kernel("cover").combine(a, b)
        assert found == [
            max(x + y for i, x in enumerate(a) for j, y in enumerate(b) if i + j == size)
            for size in range(len(a) + len(b) - 1)
        ]

    @both
    @given(case=st.data())
    def test_conflicts(self, kernel, case):
        n = case.draw(st.integers(3, 9))
        sets = case.draw(st.sets(st.integers(1, (1 << n) - 1), min_size=1, max_size=12))
        keys = kernel("yields").in_order([key_of(bits, n) for bits in sets], n)
        cover = kernel("cover")
        found = cover.conflicts(keys, n, 100)
        ordered = [kernel("yields").bit_set(key, n) for key in keys]
        assert [sorted(near) for near in found] == [members(near) for near in graph_of(ordered)]
        pairs = sum(map(len, found)) // 2
        assert cover.conflicts(keys, n, pairs) == found
        if pairs:
            assert cover.conflicts(keys, n, pairs - 1) is None

    def test_conflicts_of_many_blocks(self, kernel):
        """More yields than are looked at in one step."""
        n = 400
        blocks = [(i, n) for i in range(1, n - 1)] + [(0, 200), (0, 300)]
        keys = kernel("yields").in_order([start * (n + 1) + end for start, end in blocks], n)
        found = kernel("cover").conflicts(keys, n, 10**6)
        for i, key in enumerate(keys):
            start, end = divmod(key, n + 1)
            expected = [
                j
                for j, other in enumerate(keys)
                if start < other // (n + 1) < end < other % (n + 1)
                or other // (n + 1) < start < other % (n + 1) < end
            ]
            assert sorted(found[i]) == expected

    @both
    @given(graph=graphs())
    def test_parts(self, kernel, graph):
        near = [members(around) for around in graph[0]]
        found = kernel("cover").parts(near)
        assert sorted(v for part in found for v in part) == [v for v, around in enumerate(near) if around]
        for part in found:
            assert part == sorted(part)
            assert {u for v in part for u in near[v]} == set(part)
            reached = {part[0]}
            for _ in part:
                reached |= {u for v in reached for u in near[v]}
            assert reached == set(part)

    def test_gives_up(self, kernel):
        """A tangle of 200 vertices with odd cycles everywhere."""
        cover = kernel("cover")
        rng = random.Random(1)
        n = 200
        neighbours = [0] * n
        for _ in range(4 * n):
            i, j = rng.sample(range(n), 2)
            neighbours[i] |= 1 << j
            neighbours[j] |= 1 << i
        weights = cover.number_choices([1] * n)
        assert cover.heaviest(neighbours, weights, time.monotonic()) is None
        assert (
            cover.heaviest_by_size(neighbours, [[0, weight] for weight in weights], time.monotonic()) is None
        )
        assert cover.best_above(neighbours, [1] * n, 0, 1, time.monotonic()) is None

    def test_a_long_path(self, kernel):
        """No recursion: 3,000 vertices in a row."""
        cover = kernel("cover")
        n = 3000
        path = [(1 << i >> 1) | (1 << i + 1 if i + 1 < n else 0) for i in range(n)]
        assert cover.heaviest(path, [2] * n) == n
        assert cover.heaviest_by_size(path[:60], [[0, 2]] * 60) == [2 * size for size in range(31)]


class TestCut:
    @both
    @given(graph=graphs(bipartite=True))
    def test_heaviest_of_sides(self, kernel, graph):
        cut = kernel("cut")
        neighbours, values, left = graph
        right = ((1 << len(values)) - 1) ^ left
        weights = kernel("cover").number_choices(values)
        assert cut.heaviest_of_sides(neighbours, weights, left, right) == max(
            weight_of(choice, weights) for choice in independent(neighbours)
        )

    @both
    @given(graph=graphs())
    def test_two_sides(self, kernel, graph):
        neighbours = graph[0]
        live = 1
        for _ in neighbours:
            for v in members(live):
                live |= neighbours[v]
        found = kernel("cut").two_sides(neighbours, live)
        inside = members(live)
        colourings = [
            colours
            for colours in range(1 << len(inside))
            if all(
                (colours >> i & 1) != (colours >> j & 1)
                for i, v in enumerate(inside)
                for j, u in enumerate(inside)
                if neighbours[v] >> u & 1
            )
        ]
        assert (found is None) == (not colourings)
        if found is not None:
            left, right = found
            assert left | right == live
            assert left & right == 0
            assert not any(neighbours[v] & left for v in members(left))
            assert not any(neighbours[v] & right for v in members(right))

    def test_a_large_one(self, kernel):
        """Against the branching, on a part of 60 vertices."""
        cover, cut = kernel("cover"), kernel("cut")
        rng = random.Random(3)
        n = 60
        neighbours = [0] * n
        for _ in range(3 * n):
            i, j = rng.randrange(0, n, 2), rng.randrange(1, n, 2)
            neighbours[i] |= 1 << j
            neighbours[j] |= 1 << i
        weights = cover.number_choices([rng.randint(1, 9) for _ in range(n)])
        left = sum(1 << i for i in range(0, n, 2))
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(cover, "_SMALL", n)
            expected = cover.heaviest(neighbours, weights)
        assert cut.heaviest_of_sides(neighbours, weights, left, left << 1) == expected


class TestChart:
    @both
    @given(case=st.data())
    def test_heaviest_nested(self, kernel, case):
        n = case.draw(st.integers(1, 8))
        sets = sorted(case.draw(st.sets(st.integers(1, (1 << n) - 1), min_size=1, max_size=11)))
        sets = case.draw(st.permutations(sets))
        shift = case.draw(st.sampled_from([0, 5, 60, 100]))
        values = case.draw(st.lists(st.integers(1, 4), min_size=len(sets), max_size=len(sets)))
        weights = kernel("cover").number_choices(values)
        expected = max(weight_of(choice, weights) for choice in independent(graph_of(sets)))
        moved = [bits << shift for bits in sets]
        assert kernel("chart").heaviest_nested(moved, weights) == expected

    @both
    @given(case=st.data())
    def test_atoms(self, kernel, case):
        sets = case.draw(st.lists(st.integers(1, 1 << 20), min_size=1, max_size=8))
        found = kernel("chart").atoms(sets)
        assert graph_of(found) == graph_of(sets)
        assert [[a & b == a for b in found] for a in found] == [[a & b == a for b in sets] for a in sets]
        n = max(found).bit_length()
        signatures = {tuple(bits >> i & 1 for bits in found) for i in range(n)}
        assert len(signatures) == n

    def test_gives_up(self, kernel):
        rng = random.Random(2)
        sets = [1 << a | 1 << b for a, b in {tuple(sorted(rng.sample(range(40), 2))) for _ in range(150)}]
        weights = kernel("cover").number_choices([1] * len(sets))
        assert kernel("chart").heaviest_nested(sets, weights, time.monotonic()) is None

    def test_the_clock_is_looked_at_every_256th_time(self, kernel):
        def solve(count, *deadline):
            return kernel("chart").heaviest_nested([1 << i for i in range(count)], [1] * count, *deadline)

        now = time.monotonic()
        assert solve(150) == solve(150, now + 3600) == 150
        assert solve(150, now) is None
        assert solve(100, now) == 100

    @pytest.mark.parametrize("shift", [0, 64])
    def test_sets_next_to_one_with_a_gap(self, kernel, shift):
        sets = [bits << shift for bits in (0b1001, 0b10, 0b10000)]
        assert kernel("chart").heaviest_nested(sets, [1, 1, 1]) == 3

    def test_atoms_are_numbered_by_their_first_words(self, kernel):
        assert kernel("chart").atoms([0b11100, 0b00111]) == [0b110, 0b011]

    def test_nothing(self, kernel):
        assert kernel("chart").heaviest_nested([], []) == 0


class TestYields:
    @both
    @given(tree=trees(tagged=False, max_words=9), shift=st.sampled_from([0, 70]))
    def test_yields(self, kernel, tree, shift):
        if shift:  # a long sentence, whose bit sets take more than one word of memory
            tree = Tree.build(
                [*tree.labels, "S"],
                [parent if parent >= 0 else len(tree) for parent in tree.parents] + [-1],
                [*["w"] * shift, *tree.words],
                [*[len(tree)] * shift, *tree.word_parents],
            )
        n = len(tree.words)
        fields = tree.labels, tree.parents, tree.starts, tree.ends, tree.word_parents
        chains, root_chain, unaries, tags = kernel("yields").tree_yields(*fields)
        expected: dict[int, tuple[str, ...]] = {}
        unary: list[tuple[str, ...]] = [()] * n
        root: tuple[str, ...] = ()
        for label, bits in tree.constituents():
            if bits.bit_count() == 1:
                unary[bits.bit_length() - 1] += (label,)
            elif bits == (1 << n) - 1:
                root += (label,)
            else:
                expected[bits] = (*expected.get(bits, ()), label)
        assert list(chains.items()) == [(key_of(bits, n), chain) for bits, chain in expected.items()]
        assert root_chain == root
        assert unaries == unary
        assert tags == [() if tag is None else (tag,) for tag in tree.tags]
        again = kernel("yields").assemble(n, [*chains], [*chains.values()], root_chain, unaries, tags, False)
        labels, parents, starts, _, word_parents = again
        assert Tree.build(labels, parents, tree.words, word_parents) == tree
        assert starts is None or again == fields
        assert (starts is None) == (not tree.is_continuous or (n > 1 and not root))

    @both
    @given(case=st.data())
    def test_order(self, kernel, case):
        n = case.draw(st.integers(1, 8))
        sets = case.draw(st.sets(st.integers(1, (1 << n) - 1), max_size=20))
        yields = kernel("yields")
        found = yields.in_order([key_of(bits, n) for bits in sets], n)
        expected = sorted(sets, key=lambda bits: (members(bits)[0], -bits.bit_count(), members(bits)))
        assert [yields.bit_set(key, n) for key in found] == expected
        assert [yields.span(key, n) for key in found] == [
            (members(bits)[0], bits.bit_length(), bits.bit_count()) for bits in expected
        ]

    def test_a_node_without_words(self, kernel):
        """An empty node is in no chain, and its parent is not a preterminal."""
        tree = Tree.build(["S", "X", "E", "Y"], [-1, 0, 1, 0], ["a", "b"], [1, 3])
        found = kernel("yields").tree_yields(
            tree.labels, tree.parents, tree.starts, tree.ends, tree.word_parents
        )
        assert found == ({}, ("S",), [("X",), ()], [(), ("Y",)])
        assert tree.tags == (None, "Y")

    def test_pairs(self, kernel):
        """Equal labels over one yield are numbered; empty ones, and those over a sentence of one word, go."""
        pairs = kernel("yields").pairs
        assert pairs(3, {2: ("NP", "", "NP")}, ("S",), [("A",), ("X", "Y", "X"), ()]) == [
            *[(2, "NP", 0), (2, "NP", 1), (3, "S", 0)],
            *[(1, "A", 0), (6, "X", 0), (6, "Y", 0), (6, "X", 1)],
        ]
        assert pairs(1, {}, ("S",), [("A",)]) == [(1, "A", 0)]
        assert pairs(2, {}, ("",), [(), ()]) == []

    @pytest.mark.parametrize(
        ("binary", "labels", "parents"),
        [(False, "SABCD", [-1, 0, 0, 0, 0]), (True, "SASBSCD", [-1, 0, 0, 2, 2, 4, 4])],
    )
    def test_assemble(self, kernel, binary, labels, parents):
        tags = [(tag,) for tag in "ABCD"]
        found = kernel("yields").assemble(4, [], [], ("S",), [()] * 4, tags, binary)
        places = [labels.index(tag) for tag in "ABCD"]
        assert Tree(*found[:4], tuple("abcd"), found[4]) == Tree.build(labels, parents, "abcd", places)

    def test_supports(self, kernel):
        assert kernel("yields").supports([[5, -5], [], [5]]) == {5: 0b101, -5: 0b001}

    def test_keys_by_hits(self, kernel):
        supports = {5: 0b111, 7: 0b101, 9: 0b010, 8: 0b010, -3: 0b100}
        assert kernel("yields").by_hits(supports, (1, 4, 2)) == ([5], [(4, 9), (4, 8), (3, 7), (2, -3)])

    def test_chains_of_keys_are_voted_for(self, kernel):
        chains = [{5: ("A",), 7: ("B",)}, {5: ("C",)}, {5: ("C",), 7: ("A",)}]
        assert kernel("yields").voted(chains, [7, 5], [1, 1, 1]) == [("A",), ("C",)]

    @pytest.mark.parametrize(
        ("columns", "weights", "expected"),
        [
            ([["a", "b"], ["a", "c"]], [1, 2], ["a", "c"]),
            ([["b"], ["a"], [None]], [1, 1, 5], ["a"]),
            ([[("b",)], [("a", "a")], [("a",)]], [1, 1, 1], [("a",)]),
            ([[None], ["z"]], [9, 1], ["z"]),
            ([[]], [1], []),
            ([], [], []),
        ],
    )
    def test_majority(self, kernel, columns, weights, expected):
        assert kernel("yields").majority(columns, weights) == expected


def test_compiled_kernels_are_compiled(kernel):
    module = kernel("cover")
    compiled = not module.__file__.endswith(".py")
    assert compiled == (not module.__name__.startswith("jpevalb.kernels.interpreted_"))
    for name in ("chart", "cover", "cut", "yields"):
        assert compiled == (not kernel(name).__file__.endswith(".py"))
