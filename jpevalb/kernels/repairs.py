# cython: infer_types=True
"""Kernel: the repairs of the error analysis.

The steps are explained in ``jpevalb.errors.repairs``.  Sets of leaves are bit masks of any length.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from jpevalb.kernels import cython_shim as cython

# Maximum number of masks processed per sentence, and in addition per word.
WORK = 1_000_000
WORK_A_WORD = 100

# Maximum size of a part, nodes times leaves, in which moves are tried.
MOST_BITS = 1 << 26

# Maximum number of steps in a part, plus one per leaf; the remaining errors are added and removed.
STEPS = 100

# Maximum number of levels that a run moves beyond the repaired node, up and down.
LEVELS = 12


def steps(gold_side: tuple, system_side: tuple, partners: list, units) -> list:
    """Return steps that turn the system's constituents into gold's: tuples of the fields of ``Step``.

    A side has the constituents of a tree in preorder: their labels; the names under which they count, equal
    if the labels are equal; their nodes; and ``labels``, ``parents``, ``starts``, ``ends`` and
    ``word_parents`` as in ``Tree``.  ``partners`` has for each gold constituent the matching system
    constituent, or -1, ``units`` the unit of each word of both sides, -1 for none: ``None`` if each unit has
    one word of each.
    """
    gold: ConstituentTree = ConstituentTree(gold_side, partners)
    system: ConstituentTree = ConstituentTree(system_side, [-1] * len(system_side[0]))
    left: cython.longlong = WORK + WORK_A_WORD * (len(gold.tree[4]) + len(system.tree[4]))
    made: list = []
    for index in range(len(partners)):
        partner = partners[index]
        if partner >= 0:
            system.partners[partner] = index
    if units is None:
        system.find_homes(None)
        gold.find_homes(system.homes)
        _repair_parts(gold, system, left, made)
    elif (len(gold.names) + len(system.names)) * (max(units[1], default=0) + 1) <= MOST_BITS:
        _whole(gold, system, units, left).solve(made)
    missed: set = set()
    extra: set = set()
    for step in made:
        missed.update(step[8])
        extra.update(step[9])
    # Errors that are left, and gold constituents that have no place among the system's words, are added and
    # removed as they are in their own trees.
    for index in range(len(system.names)):
        if system.partners[index] < 0 and system.nodes[index] not in extra:
            made.append(_alone("remove", system, index))
    for index in range(len(gold.names)):
        if gold.partners[index] < 0 and gold.nodes[index] not in missed:
            made.append(_alone("add", gold, index))
    return made


@cython.cclass
class ConstituentTree:
    """The constituents of one side in preorder, and the tree that they form."""

    names: list
    labels: list
    nodes: list
    partners: list
    parents: list
    below: list
    homes: list
    settled: list
    single: list  # whether the constituent has one word
    tree: tuple

    def __init__(self, side: tuple, partners: list):
        self.names, self.labels, self.nodes, tree_labels, parents, starts, ends, word_parents = side
        self.tree = tree_labels, parents, starts, ends, word_parents
        self.partners = partners
        self.parents, self.below = constituent_tree(parents, word_parents, self.nodes)
        # From the words upwards: to walk down from each constituent is quadratic in a unary chain.
        self.single = [False] * len(self.names)
        for index in range(len(self.names) - 1, -1, -1):
            children: list = self.below[index]
            self.single[index] = len(children) == 1 and self.is_one_word(children[0])

    @cython.cfunc
    @cython.locals(parent=cython.Py_ssize_t, partner=cython.Py_ssize_t)
    def find_homes(self, other_homes):
        """Find for each constituent the part that it is in, and whether a matched one has its yield.

        The part is the smallest matched yield that contains its own or equals it, so the order of the labels
        in a unary chain does not matter.  Its name is the first of the system's matched constituents with
        that yield, or -1 for the top part; gold finds it in ``other_homes``, those of the system.
        """
        n: cython.Py_ssize_t = len(self.names)
        first: cython.Py_ssize_t = 0
        self.homes = [-1] * n
        self.settled = [False] * n
        while first < n:
            # A unary chain
            end = first + 1
            while end < n and len(self.below[end - 1]) == 1 and self.below[end - 1][0] == end:
                end += 1
            parent = self.parents[first]
            home = self.homes[parent] if parent >= 0 else -1
            settled = False
            for i in range(first, end):
                partner = self.partners[i]
                if partner >= 0:
                    home = i if other_homes is None else other_homes[partner]
                    settled = True
                    break
            for i in range(first, end):
                self.homes[i] = home
                self.settled[i] = settled
            first = end

    @cython.cfunc
    def name_of(self, child: cython.Py_ssize_t):
        """Return the label of a constituent, or the tag of a word; it is empty for a word without one."""
        if child >= 0:
            return self.names[child]
        labels, parents, starts, ends, word_parents = self.tree
        node: cython.Py_ssize_t = word_parents[~child]
        if ends[node] - starts[node] > 1 or (node + 1 < len(parents) and parents[node + 1] == node):
            return ""
        return labels[node]

    @cython.cfunc
    def node_of(self, child: cython.Py_ssize_t):
        """Return the node of a constituent, or the parent of a word."""
        return self.nodes[child] if child >= 0 else self.tree[4][~child]

    @cython.cfunc
    def children_of(self, index: cython.Py_ssize_t) -> list:
        """Return the children of a constituent; for -1, the nodes without a parent."""
        return self.below[index if index >= 0 else len(self.names)]

    @cython.cfunc
    def is_one_word(self, child: cython.Py_ssize_t) -> cython.bint:
        return child < 0 or self.single[child]


@cython.cfunc
def _alone(kind: str, side: ConstituentTree, index: cython.Py_ssize_t) -> tuple:
    """Return the step that adds or removes a constituent of its tree without other changes."""
    name = side.names[index]
    parent: cython.Py_ssize_t = side.parents[index]
    run: list = side.children_of(index)
    group: list = side.children_of(parent)
    at: cython.Py_ssize_t = group.index(index)
    beside: list = [*group[max(at - 1, 0) : at], *group[at + 1 : at + 2]]
    return (
        kind,
        name,
        name,
        None if parent < 0 else side.names[parent],
        tuple([(side.name_of(child), child < 0) for child in run]),
        tuple([(side.name_of(child), child < 0) for child in beside]),
        None,
        len(run) == 1 and side.is_one_word(run[0]),
        (side.nodes[index],) if kind == "add" else (),
        (side.nodes[index],) if kind == "remove" else (),
        tuple([side.node_of(child) for child in run]) if kind == "remove" else (),
    )


@cython.cfunc
@cython.locals(index=cython.Py_ssize_t, child=cython.Py_ssize_t)
def _repair_parts(gold: ConstituentTree, system: ConstituentTree, left: cython.longlong, made: list):
    """Repair each part between matched nodes that has errors."""
    missing: dict = {}
    for index in range(len(system.names)):
        if system.partners[index] < 0:
            missing[system.homes[index]] = []
    for index in range(len(gold.names)):
        if gold.partners[index] < 0:
            missing.setdefault(gold.homes[index], []).append(index)
    for home, indices in missing.items():
        part: Part = Part(gold, system, left)
        leaves: list = _leaves(part, system, home)
        if (len(part.nodes) - 1 - len(leaves) + len(indices)) * len(leaves) > MOST_BITS:
            continue
        bits: dict = {}
        bit: object = 1
        leaf: Node
        for leaf in leaves:
            bits[leaf.index if leaf.index < 0 else system.homes[leaf.index]] = bit
            part.set_leaf(leaf, bit)
            bit <<= 1
        part.complete(None)
        masks: dict = {}
        for index in reversed(indices):
            mask: object = 0
            if gold.settled[index]:
                mask = part.top.mask
            else:
                for child in gold.below[index]:
                    if child < 0:
                        mask |= bits[child]
                    elif gold.partners[child] < 0 and gold.homes[child] == home:
                        mask |= masks[child]
                    else:
                        mask |= bits[gold.homes[child]]
            masks[index] = mask
        for index in indices:
            part.add_missing(index, gold.labels[index], masks[index])
        part.solve(made)
        left = part.left


@cython.cfunc
@cython.locals(index=cython.Py_ssize_t, first=cython.Py_ssize_t, is_leaf=cython.bint)
def _leaves(part: Part, system: ConstituentTree, home: cython.Py_ssize_t) -> list:
    """Add the nodes of a part in preorder, and return its leaves."""
    start: cython.Py_ssize_t = home
    leaves: list = []
    parent: Node = part.top
    if home >= 0:
        parent.name = part.above = system.names[start]
        parent.index = start
        # Constituents with the yield of the whole part, in whichever order, hang from its top.
        while len(system.children_of(start)) == 1 and system.children_of(start)[0] >= 0:
            start = system.children_of(start)[0]
        first = start
        while system.parents[first] >= 0 and len(system.children_of(system.parents[first])) == 1:
            first = system.parents[first]
        for index in range(first, start + 1):
            if system.partners[index] < 0:
                parent = part.add_node(parent, system.labels[index], system.names[index], index, True)
    waiting: list = [(child, parent) for child in reversed(system.children_of(start))]
    while waiting:
        index, above = waiting.pop()
        is_leaf = index < 0 or system.partners[index] >= 0 or system.homes[index] != home
        label = "" if is_leaf else system.labels[index]
        node: Node = part.add_node(above, label, system.name_of(index), index, not is_leaf)
        if is_leaf:
            node.single = system.is_one_word(index)
            leaves.append(node)
        else:
            waiting.extend([(child, node) for child in reversed(system.children_of(index))])
    return leaves


@cython.cfunc
@cython.locals(index=cython.Py_ssize_t, unit=cython.Py_ssize_t)
def _whole(gold: ConstituentTree, system: ConstituentTree, units: tuple, left: cython.longlong) -> Part:
    """Return the whole tree as one part, whose nodes have sets of units that may overlap."""
    part: Part = Part(gold, system, left)
    part.overlap = True
    one: object = 1
    nodes: list = [None] * len(system.names)
    node: Node
    waiting: list = [(child, part.top) for child in reversed(system.children_of(-1))]
    while waiting:
        index, above = waiting.pop()
        if index < 0:
            unit = units[1][~index]
            if unit >= 0:
                node = part.add_node(above, "", system.name_of(index), index, False)
                node.single = True
                part.set_leaf(node, one << unit)
        else:
            node = nodes[index] = part.add_node(above, system.labels[index], system.names[index], index, True)
            waiting.extend([(other, node) for other in reversed(system.children_of(index))])
    part.complete(system.partners)
    masks: list = [0] * (len(gold.names) + 1)
    for index in range(len(masks)):
        for child in gold.below[index]:
            if child < 0:
                unit = units[0][~child]
                if unit >= 0:
                    masks[index] |= one << unit
    for index in range(len(gold.names) - 1, -1, -1):
        parent = gold.parents[index]
        masks[parent if parent >= 0 else len(gold.names)] |= masks[index]
    for partner in gold.partners:
        if partner >= 0:
            node = nodes[partner]
            part.balance[node.key()] -= 1
    for index in range(len(gold.names)):
        if gold.partners[index] < 0:
            part.add_missing(index, gold.labels[index], masks[index])
    return part


@cython.cclass
class Node:
    """A node of a part, or a leaf: a word or a matched constituent, whose inside is another part."""

    label: object  # the name under which it counts; empty for a leaf
    name: object  # label of a constituent, tag of a word
    index: object  # of the constituent, ~w for word w; None if a step has added it
    parent: Node
    children: list
    mask: object  # its leaves as bits
    single: cython.bint  # a leaf of one word
    free: cython.bint  # may be an error: in the tree, and neither the top nor a leaf
    first: object  # its key before the first step, until a constituent of that key is repaired

    def __init__(self, label, name, index, free: cython.bint):
        self.label, self.name, self.index, self.free = label, name, index, free
        self.children = []
        self.mask = 0
        self.single = False
        self.first = None

    @cython.cfunc
    def key(self) -> tuple:
        """Return the identity of a constituent: the name under which it counts, and its leaves."""
        return self.label, self.mask


@cython.cclass
class Part:
    """A part of the system's tree, the gold constituents that it lacks, and its repair.

    The mask of a node has a bit for each of its leaves (for each unit if leaves may share units), lower ones
    further left.  The top is no error.
    """

    above: object  # label of the top; None for the top of the tree
    top: Node
    gold: ConstituentTree
    system: ConstituentTree
    left: cython.longlong  # work left; without any, the remaining errors are added and removed one by one
    overlap: cython.bint  # leaves may share bits
    gaps: cython.bint
    nodes: list
    leaf_of: dict  # by lowest bit
    balance: dict  # by key: system nodes minus gold nodes
    missing: dict
    spare: dict
    clear: set  # masks that cross no missing node
    cost: cython.longlong
    # The run that a move is looked for: some adjacent children of a node, but not all of them
    source: Node
    first: cython.Py_ssize_t
    last: cython.Py_ssize_t
    run: object  # its leaves
    # The best move so far, and its gain: bracket errors that it repairs
    best: tuple
    gain: cython.Py_ssize_t
    least: cython.Py_ssize_t  # gain of the best move of other runs

    def __init__(self, gold: ConstituentTree, system: ConstituentTree, left: cython.longlong):
        self.above = None
        self.top = Node("", "", None, False)
        self.top.parent = self.top
        self.gold, self.system = gold, system
        self.left = left
        self.overlap = self.gaps = False
        self.nodes = [self.top]
        self.leaf_of = {}
        self.balance = {}
        self.missing = {}
        self.spare = {}
        self.clear = set()

    @cython.cfunc
    def add_node(self, parent: Node, label, name, index, free: cython.bint) -> Node:
        """Add a node after the parent's children."""
        node: Node = Node(label, name, index, free)
        node.parent = parent
        parent.children.append(node)
        self.nodes.append(node)
        return node

    @cython.cfunc
    def set_leaf(self, leaf: Node, mask):
        leaf.mask = mask
        self.leaf_of.setdefault(mask & -mask, leaf)

    @cython.cfunc
    def complete(self, partners):
        """Finish the nodes and leaves; with ``partners`` only nodes without one are errors."""
        node: Node
        for i in range(len(self.nodes) - 1, 0, -1):
            node = self.nodes[i]
            node.parent.mask |= node.mask
        for i in range(1, len(self.nodes)):
            node = self.nodes[i]
            if node.free:
                key = node.first = node.key()
                self.balance[key] = self.balance.get(key, 0) + 1
                if partners is None or partners[node.index] < 0:
                    self.spare.setdefault(key, []).append(node.index)
                self.gaps = self.gaps or not is_solid(node.mask)

    @cython.cfunc
    def add_missing(self, index: cython.Py_ssize_t, label, mask):
        """Add a missing gold constituent."""
        key = label, mask
        self.balance[key] = self.balance.get(key, 0) - 1
        self.missing.setdefault(key, []).append(index)
        self.gaps = self.gaps or not is_solid(mask)

    @cython.cfunc
    def solve(self, made: list):
        """Append the possible steps; missing nodes that fit nowhere among the leaves stay missing."""
        for indices in self.missing.values():
            indices.reverse()
        # Operations on long masks take longer.
        self.cost = 1 + self.top.mask.bit_length() // 512
        most: cython.Py_ssize_t = len(made) + STEPS + len(self.leaf_of)
        while len(made) < most and self.left > 0:
            step = self.next_step()
            if step is None:
                break
            made.append(step)

    @cython.cfunc
    def next_step(self) -> tuple:
        """Make the step that repairs most brackets."""
        extras: list = [item for item in self.nodes if self.is_extra(item)]
        self.left -= len(self.nodes) * self.cost
        node: Node
        if self.missing and extras:
            by_mask: dict = {}
            for key in self.missing:
                by_mask.setdefault(key[1], key)
            relabelled: Node = None
            for node in extras:
                if node.mask in by_mask:
                    relabelled = node
                    break
            self.find_best(extras, 1 if relabelled is None else 2)
            if self.best is not None:
                return self.move()
            if relabelled is not None:
                return self.relabel(relabelled, by_mask[relabelled.mask])
        for node in extras:
            if self.crosses(node.mask):
                return self.remove(node)
        for key in self.missing:
            self.left -= 4 * self.cost
            room = self.room(key[1])
            if room is not None:
                node = self.put(key, room)
                return self.step_of("add", node, node.name, (self.gold.nodes[self.found(key)],), ())
        return self.remove(extras[0]) if extras else None

    @cython.cfunc
    def is_extra(self, node: Node) -> cython.bint:
        return node.free and self.balance.get((node.label, node.mask), 0) > 0

    @cython.cfunc
    def crosses(self, mask) -> cython.bint:
        """Return True if a node crosses a missing one."""
        # Missing nodes only become fewer, so a clear mask stays clear.
        if mask in self.clear:
            return False
        self.left -= len(self.missing) * self.cost
        for _, other in self.missing:
            if mask & other and mask & ~other and other & ~mask:
                return True
        self.clear.add(mask)
        return False

    @cython.cfunc
    def step_of(self, kind: str, node: Node, was, missed: tuple, extra: tuple) -> tuple:
        parent: Node = node.parent
        at: cython.Py_ssize_t = parent.children.index(node)
        parts, run = self.parts(node.children)
        above, beside = self.name_of(parent), _neighbours(parent, at, at + 1)
        return kind, node.name, was, above, parts, beside, None, _one_word([node]), missed, extra, run

    @cython.cfunc
    def name_of(self, node: Node):
        return self.above if node is self.top else node.name

    @cython.cfunc
    def parts(self, nodes: list) -> tuple:
        """Return a run as children, and their nodes in the system's tree."""
        node: Node
        if self.above is not None:
            mask: object = 0
            for node in nodes:
                mask |= node.mask
            if mask == self.top.mask:
                # A node with the yield of its top and the top form a unary chain, in either order.
                nodes = [self.top]
        run: list = []
        for node in nodes:
            if node.index is not None:
                run.append(self.system.node_of(node.index))
        return tuple([_child(node) for node in nodes]), tuple(run)

    @cython.cfunc
    def found(self, key: tuple):
        """Remove a gold constituent from the missing ones, and return its index."""
        indices: list = self.missing[key]
        index = indices.pop()
        if not indices:
            del self.missing[key]
        return index

    @cython.cfunc
    def repaired(self, node: Node) -> tuple:
        """Remove a constituent from the errors; return its node in a tuple, empty for one that was added."""
        key = node.first
        if key is None:
            # A node that has become like the added one may stay in its place.
            twin: Node
            for twin in self.nodes:
                if twin.first is not None and twin.label == node.label and twin.mask == node.mask:
                    key, twin.first = twin.first, None
                    break
            else:
                return ()
        if key not in self.spare:
            # One of several equal nodes was repaired before.
            key = next(iter(self.spare))
        indices: list = self.spare[key]
        index = indices.pop()
        if not indices:
            del self.spare[key]
        return (self.system.nodes[index],)

    @cython.cfunc
    def relabel(self, node: Node, key: tuple) -> tuple:
        self.balance[node.key()] -= 1
        self.balance[key] += 1
        extra, missed, was = self.repaired(node), self.found(key), node.name
        node.label, node.name = key[0], self.gold.names[missed]
        return self.step_of("relabel", node, was, (self.gold.nodes[missed],), extra)

    @cython.cfunc
    def remove(self, node: Node) -> tuple:
        step = self.step_of("remove", node, node.name, (), self.repaired(node))
        self.drop(node)
        return step

    @cython.cfunc
    def room(self, mask) -> tuple:
        """Return the parent for a missing node and the range of its children that it takes."""
        node: Node = self.leaf_of.get(mask & -mask)
        if node is None or node.mask & ~mask:
            return None
        while node is not self.top and not node.parent.mask & ~mask:
            node = node.parent
            self.left -= self.cost
        if node is self.top:
            return node, 0, len(node.children)
        return self.gathered(node.parent, mask)

    @cython.cfunc
    def gathered(self, parent: Node, mask) -> tuple:
        """As :meth:`room`, for a known parent; with gaps, the children are made adjacent first."""
        group: list = parent.children
        self.left -= len(group) * self.cost
        first: cython.Py_ssize_t = -1
        last: cython.Py_ssize_t = 0
        union: object = 0
        inside: list = []
        for i in range(len(group)):
            child: Node = group[i]
            if not child.mask & ~mask:
                union |= child.mask
                inside.append(child)
                last = i + 1
                if first < 0:
                    first = i
        if union != mask:
            return None
        if last - first > len(inside):
            group[first:last] = inside + [item for item in group[first:last] if item not in inside]
        return parent, first, first + len(inside)

    @cython.cfunc
    def put(self, key: tuple, room: tuple) -> Node:
        """Put a missing node over some children of a node."""
        parent: Node = room[0]
        first: cython.Py_ssize_t = room[1]
        last: cython.Py_ssize_t = room[2]
        indices: list = self.missing[key]
        node: Node = Node(key[0], self.gold.names[indices[len(indices) - 1]], None, True)
        self.nodes.append(node)
        node.parent, node.mask = parent, key[1]
        node.children = parent.children[first:last]
        parent.children[first:last] = [node]
        _set_parent(node.children, node)
        self.balance[key] += 1
        return node

    @cython.cfunc
    def drop(self, node: Node):
        """Take a node out; its parent gets its children."""
        self.balance[node.key()] -= 1
        group: list = node.parent.children
        at: cython.Py_ssize_t = group.index(node)
        group[at : at + 1] = node.children
        _set_parent(node.children, node.parent)
        node.children, node.mask, node.free = [], 0, False

    @cython.cfunc
    @cython.locals(right=cython.bint, dropped=cython.bint, there=cython.Py_ssize_t, at=cython.Py_ssize_t)
    def move(self) -> tuple:
        """Make the best move."""
        top: Node
        node: Node
        self.source, self.first, self.last, self.run, out, into, right, top, around, dropped = self.best
        source = self.source
        target: Node = _last(into) if into else top
        nodes: list = source.children[self.first : self.last]
        beside: tuple = _neighbours(source, self.first, self.last)
        parts, moved = self.parts(nodes)
        was, label, above = self.name_of(source) or "", self.name_of(target) or "", self.name_of(top)
        missed: tuple = ()
        extra: tuple = ()
        for node, mask in self.changes(out, into):
            if mask != node.mask:
                self.balance[node.key()] -= 1
                node.mask = mask
                there = self.balance.get(node.key(), 0)
                self.balance[node.key()] = there + 1
                if there < 0:
                    missed += (self.gold.nodes[self.found(node.key())],)
                    extra += self.repaired(node)
        del source.children[self.first : self.last]
        group: list = target.children
        if into:
            at = len(group) if right else 0
        else:
            at = group.index(_last(out)) + right
        group[at:at] = nodes
        _set_parent(nodes, target)
        added = None
        if around is not None:
            node = self.put(around, self.gathered(target, around[1]))
            added = node.name
            missed += (self.gold.nodes[self.found(around)],)
        node = nodes[0]
        at = node.parent.children.index(node)
        beside += _neighbours(node.parent, at, at + len(nodes))
        if dropped:
            extra += self.repaired(source)
            self.drop(source)
        return "move", label, was, above, parts, beside, added, _one_word(nodes), missed, extra, moved

    @cython.cfunc
    def find_best(self, extras: list, least: cython.Py_ssize_t):
        """Find the first of the moves that repair most brackets, and more than ``least``."""
        groups: dict = {}
        node: Node
        for node in extras:
            for edge in self.edges(node.mask):
                groups.setdefault((node.label, edge), []).append(node)
        self.best = None
        self.gain = self.least = least
        for label, mask in self.missing:
            for edge in self.edges(mask):
                for node in groups.get((label, edge), ()):
                    self.left -= self.cost
                    if self.left < 0:
                        return
                    self.try_run(node, mask)
                    self.least = self.gain

    @cython.cfunc
    def edges(self, mask) -> tuple:
        """Return both edges of the leaves; a move keeps one of them, unless there are gaps."""
        return (0,) if self.gaps else (mask & -mask, -mask.bit_length())

    @cython.cfunc
    def try_run(self, node: Node, wanted):
        """Try the moves of one run that give an extra node the leaves ``wanted``."""
        mask = node.mask
        if not mask & ~wanted:
            if self.find_run(wanted & ~mask):
                self.into(node)
        elif not wanted & ~mask and self.find_run(mask & ~wanted):
            self.out_of(node)

    @cython.cfunc
    def find_run(self, mask) -> cython.bint:
        """Find the run that has the leaves ``mask``."""
        node: Node = self.leaf_of.get(mask & -mask)
        if node is None or node.mask & ~mask:
            return False
        while not node.parent.mask & ~mask:
            node = node.parent
            self.left -= self.cost
            if node is self.top:
                return False
        group: list = node.parent.children
        last: cython.Py_ssize_t = group.index(node)
        self.source, self.first, self.run = node.parent, last, mask
        union: object = 0
        while last < len(group):
            node = group[last]
            if node.mask & ~mask:
                break
            union |= node.mask
            last += 1
        self.last = last
        return union == mask

    @cython.cfunc
    def into(self, node: Node):
        """Try the moves into an extra node, and deeper."""
        above: Node = node.parent
        into: list = [node]
        tops: list = [above]
        while len(into) < LEVELS and self.is_extra(above):
            into.append(above)
            above = above.parent
            tops.append(above)
        out: list = []
        top: Node = self.source
        while top not in tops:
            if len(out) == LEVELS or not self.is_extra(top) or top is node:
                return
            out.append(top)
            top = top.parent
        into = into[: tops.index(top) + 1]
        into.reverse()
        self.deeper(out, into, self.run & -self.run > node.mask & -node.mask, top)

    @cython.cfunc
    def out_of(self, node: Node):
        """Try the moves out of an extra node, further up, and from there into its sisters."""
        top: Node = self.source
        out: list = [top]
        while top is not node:
            if len(out) > LEVELS or not self.is_extra(top):
                return
            top = top.parent
            out.append(top)
        rest = node.mask & ~self.run
        right: cython.bint = self.run & -self.run > rest & -rest
        for _ in range(LEVELS):
            child: Node = _last(out)
            top = child.parent
            self.try_move(out, [], right, top)
            group: list = top.children
            at = group.index(child) + (1 if right else -1)
            if 0 <= at < len(group) and self.is_extra(group[at]):
                self.deeper(out, [group[at]], not right, top)
            if not self.is_extra(top) or (0 <= at < len(group) and not self.gaps):
                break
            out = [*out, top]

    @cython.cfunc
    def deeper(self, out: list, into: list, right: cython.bint, top: Node):
        """Try to move into a node, and into extra nodes at its edge."""
        for _ in range(LEVELS):
            self.try_move(out, into, right, top)
            group: list = _last(into).children
            child: Node = group[len(group) - 1 if right else 0]
            if not self.is_extra(child) or child in out:
                break
            into = [*into, child]

    @cython.cfunc
    def try_move(self, out: list, into: list, right: cython.bint, top: Node):
        """Keep a move if it is the best; reject it if it would leave a gap and gold has none.

        ``out`` are the nodes that lose the run, from its parent upwards, ``into`` those that gain it,
        downwards, with ``right`` as the last child; ``top`` is the node above all of these.
        """
        balance: dict = self.balance
        self.left -= 4 * (len(out) + len(into)) * self.cost
        changes: list = self.changes(out, into)
        if not self.gaps:
            for _, mask in changes:
                if not is_solid(mask):
                    return
        gain: cython.Py_ssize_t = 0
        there: cython.Py_ssize_t
        matched: cython.bint = False
        undo: list = []
        node: Node
        for node, mask in changes:
            if node.mask == mask:
                continue
            key, new = node.key(), (node.label, mask)
            # Of several equal nodes some may match; then only the others are extra.
            there = balance[key]
            matched = matched or there <= 0
            balance[key] = there - 1
            there = balance.get(new, 0)
            gain += 2 if there < 0 else 0
            balance[new] = there + 1
            undo.append((key, 1))
            undo.append((new, -1))
        source: Node = self.source
        size: cython.Py_ssize_t = self.last - self.first
        drop: cython.bint = False
        if len(source.children) - size == 1 and source is not self.top:
            mask = changes[0][1] if out else source.mask
            drop = balance.get((source.label, mask), 0) > 0
            gain += drop
        around = None
        if not matched and gain >= self.least:
            # A node around the run repairs one more bracket; moves that gain less than the best are useless.
            around = self.around(_last(into) if into else top, out, changes, size)
            gain += around is not None
        for key, by in undo:
            balance[key] += by
        if not matched and gain > self.gain:
            self.gain = gain
            self.best = source, self.first, self.last, self.run, out, into, right, top, around, drop

    @cython.cfunc
    def changes(self, out: list, into: list) -> list:
        """Return the nodes that a move changes, with their leaves after it."""
        changes: list = []
        node: Node
        child: Node
        below: Node = None
        mask: object = 0
        gone: list = self.source.children[self.first : self.last] if self.overlap else []
        for node in out:
            if not self.overlap:
                mask = node.mask & ~self.run
            else:
                for child in node.children:
                    if child is not below and child not in gone:
                        mask |= child.mask
                below = node
            changes.append((node, mask))
        for node in into:
            changes.append((node, node.mask | self.run))
        return changes

    @cython.cfunc
    def around(self, target: Node, out: list, changes: list, size: cython.Py_ssize_t) -> tuple:
        """Return the smallest missing node that can be put around a run and some of its new sisters."""
        run: object = self.run
        self.left -= len(self.missing) * self.cost
        whole: object = target.mask | run
        best: tuple = None
        for key in self.missing:
            mask = key[1]
            if run & ~mask or mask & ~whole or mask == whole or (mask == run and size == 1):
                continue
            if self.balance[key] >= 0 or (best is not None and mask.bit_count() >= best[1].bit_count()):
                continue
            union = run
            self.left -= len(target.children) * self.cost
            child: Node
            for child in target.children:
                leaves = child.mask
                if out and child is _last(out):
                    leaves = changes[len(out) - 1][1]
                if not leaves & ~mask:
                    union |= leaves
                elif leaves & mask and not self.overlap:
                    union = 0
                    break
            if union == mask:
                best = key
        return best


@cython.cfunc
def is_solid(mask) -> cython.bint:
    """Return True if the bits of a mask are adjacent."""
    return not mask & (mask + (mask & -mask))


@cython.cfunc
def _last(nodes: list) -> Node:
    return nodes[len(nodes) - 1]


@cython.cfunc
def _set_parent(nodes: list, parent: Node):
    node: Node
    for node in nodes:
        node.parent = parent


@cython.cfunc
def _child(node: Node) -> tuple:
    return node.name, node.index is not None and node.index < 0


@cython.cfunc
def _neighbours(parent: Node, first: cython.Py_ssize_t, last: cython.Py_ssize_t) -> tuple:
    group: list = parent.children
    return tuple([_child(node) for node in [*group[max(first - 1, 0) : first], *group[last : last + 1]]])


@cython.cfunc
def _one_word(nodes: list) -> cython.bint:
    while len(nodes) == 1:
        node: Node = nodes[0]
        if not node.children:
            return node.single
        nodes = node.children
    return False


def constituent_tree(parents: tuple, word_parents: tuple, nodes: list) -> tuple:
    """Return the tree that selected nodes form: their parents, and children by first word.

    The nodes are in ascending order, and none is without words.  The parents are indices into ``nodes``, -1
    for none.  The children are indices, or ``~w`` for word ``w``; the last list is of those without a parent.
    """
    n: cython.Py_ssize_t = len(parents)
    m: cython.Py_ssize_t = len(nodes)
    index: cython.Py_ssize_t = 0
    parent: cython.Py_ssize_t
    next_node: cython.Py_ssize_t = nodes[0] if m else -1
    # For each node the index of the nearest selected one, itself included.
    nearest_of: list = [-1] * n
    above: list = []
    below: list = [[] for _ in range(m + 1)]
    for i in range(n):
        parent = parents[i]
        nearest = nearest_of[parent] if parent >= 0 else -1
        if i == next_node:
            above.append(nearest)
            nearest_of[i] = index
            index += 1
            next_node = nodes[index] if index < m else -1
        else:
            nearest_of[i] = nearest
    for i in range(len(word_parents)):
        parent = word_parents[i]
        index = nearest_of[parent]
        child = ~i
        while True:
            group: list = below[index if index >= 0 else m]
            group.append(child)
            if index < 0 or len(group) > 1:
                break
            child = index
            index = above[index]
    return above, below
