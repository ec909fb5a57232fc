"""A slow tree in plain Python."""

from __future__ import annotations


class Plain:
    """A tree as children below nodes; what is left out is taken away one by one."""

    def __init__(self, tree):
        self.words = tree.words
        self.labels = tree.labels
        self.children = {node: [] for node in range(len(tree.labels))}
        for node, parent in enumerate(tree.parents):
            if parent >= 0:
                self.children[parent].append(("node", node))
        for place, parent in enumerate(tree.word_parents):
            self.children[parent].append(("word", place))
        # Before anything is left out: a node that keeps one of its words does not become a tag.
        self._tagged = {
            node: children[0][1]
            for node, children in self.children.items()
            if len(children) == 1 and children[0][0] == "word"
        }

    def tagged(self):
        """For the node of each tag, one that has a word and nothing else, the word."""
        return {node: place for node, place in self._tagged.items() if node in self.children}

    def kept(self, prm):
        """The places of the words that are scored, one condition after the other."""
        tag_of = {place: node for node, place in self.tagged().items()}
        found = set()
        for place, word in enumerate(self.words):
            node = tag_of.get(place)
            if word in prm.delete_words:
                continue
            if node is not None and self.labels[node] in prm.delete_labels:
                continue
            if prm.delete_root_preterms and node is not None and ("node", node) in self.children[0]:
                continue
            found.add(place)
        return found

    def without(self, kept):
        """Takes out the other words, and then, as long as there are some, nodes without anything."""
        gone = {("word", place) for place in range(len(self.words)) if place not in kept}
        while gone:
            self.children = {
                node: [child for child in children if child not in gone]
                for node, children in self.children.items()
                if ("node", node) not in gone
            }
            gone = {("node", node) for node, children in self.children.items() if not children}
        return self

    def below(self, node):
        """The places of the words below a node."""
        found = set()
        for kind, child in self.children[node]:
            found |= {child} if kind == "word" else self.below(child)
        return found

    @property
    def nodes(self):
        """Labels and words of the nodes that are no tags."""
        tags = self.tagged()
        return [(self.labels[node], self.below(node)) for node in self.children if node not in tags]

    @property
    def tags(self):
        """For each word that has a tag this."""
        return {place: self.labels[node] for node, place in self.tagged().items()}
