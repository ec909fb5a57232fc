"""A slow scorer of conventions on nested lists, and a generator of noisy pairs of trees.

It follows the rules one by one, sentence by sentence, and shares no code with the package.
"""

from __future__ import annotations

import random
import re
from fractions import Fraction

# A node is [label, children]; a word is a list [word, its number in the text].


def parse(text: str):
    """Return the nested lists of a bracketed tree with labels; ``None`` for a sentence without a parse."""
    if text == "(())":
        return None
    stack: list[list] = [["top", []]]
    tokens = re.findall(r"\(|\)|[^()\s]+", text)
    number = 0
    for before, token in zip(["", *tokens], tokens):
        if token == "(":
            stack.append(["", []])
        elif token == ")":
            stack[-2][1].append(stack.pop())
        elif before == "(":
            stack[-1][0] = token
        else:
            stack[-1][1].append((token, number))
            number += 1
    return stack[0][1][0]


def is_tag(node):
    return len(node[1]) == 1 and isinstance(node[1][0], tuple)


def below(node):
    """All (word, number, tag) below a node, in order."""
    if is_tag(node):
        return [(*node[1][0], node[0])]
    return [item for child in node[1] for item in below(child)]


def basic(label, rule):
    how, marks = rule[:1], rule[1:]
    if how == "~":
        for end in range(1, len(label)):
            twin = label[end] == label[0] and end > 1 and label.find(label[end], 1) == end
            if label[end] in marks and not twin:
                return label[:end]
        return label
    known = [mark for mark in marks if how == "^" or not label.startswith(mark)]
    return re.split("|".join(map(re.escape, known)) or "$", label, maxsplit=1)[0]


def subtree_gone(tree, rules):
    """The tree without the subtrees that are not read."""
    roots = rules.no_bracket if rules.root_children == "first" else ()

    def visit(node, top):
        if node[0] in rules.drop_whole and not (top and len(node[1]) == 1):
            return None
        if is_tag(node):
            return node
        children = node[1][:1] if node[0] in roots else node[1]
        return [node[0], [new for child in children if (new := visit(child, False)) is not None]]

    return visit(tree, True) or ["", []]


def stays(word, tag, rules):
    if rules.cut_tags == "all":
        tag = basic(tag, rules.cut)
    dropped = tag in rules.drop_tags or word in rules.drop_words
    return not dropped and (not rules.only_tags or tag in rules.only_tags)


def quotes_back(gold, system, kept, rules):
    """evalb's repair: a quotation mark at the same place that only one side deletes is put back."""
    lists = []
    for words, flags in ((gold, kept[0]), (system, kept[1])):
        place, found = 0, []
        for flag, (word, _, tag) in zip(flags, words):
            if tag in rules.quote_tags and word in ("'", '"', "/"):
                found.append({"place": place, "tag": tag, "number": len(found), "word": _})
            place += flag
        lists.append(found)
    order = [{word[1]: index for index, word in enumerate(words)} for words in (gold, system)]
    for mark in lists[1]:
        start = mark["place"]
        for other in lists[0]:
            deleted = [item["tag"] in rules.drop_tags for item in (other, mark)]
            if other["place"] == start and other["tag"] != mark["tag"] and deleted[0] != deleted[1]:
                side, item = (0, other) if deleted[0] else (1, mark)
                kept[side][order[side][item["word"]]] = True
                for later in lists[side]:
                    if later["number"] >= item["number"]:
                        later["place"] += 1


def by_token(gold, system, kept):
    """What gold's next equal word says, for each word of the system; ``None`` if one has none."""
    flags, rest = [], iter(zip(gold, kept))
    for word in system:
        found = next((flag for other, flag in rest if other == word), None)
        if found is None:
            return None
        flags.append(found)
    return flags


def brackets(tree, numbers, rules, never, most, alone):
    """All (label, first, last + 1), with words numbered as they stay.

    ``most`` is the number of gold's words, ``alone`` says whether a word without a bracket is one.
    """
    if tree[1] and is_tag(tree):
        return [("", 0, 1)] if alone and numbers else []
    found = []
    unread = rules.no_bracket if rules.root_children == "first" else ()

    def visit(node, top):
        words = [number for _, number, _ in below(node)]
        inside = [numbers[number] for number in words if number in numbers]
        label = basic(node[0], rules.cut)
        if is_tag(node) or not words:
            return
        start = sum(number < words[0] for number in numbers)
        trivial = rules.whole == "drop all" and len(inside) == len(numbers)
        trivial = trivial or (rules.whole == "drop gold" and (start, len(inside)) == (0, most))
        trivial = trivial or (top and rules.whole == "drop root")
        if label not in never and node[0] not in unread and len(inside) >= rules.least and not trivial:
            for left, right in rules.equal:
                label = right if label == left else label
            found.append((label if rules.labeled else "", start, start + len(inside)))
        for child in node[1]:
            if not isinstance(child, tuple):
                visit(child, False)

    visit(tree, True)
    return found


def common(gold, system):
    rest, matched = list(system), 0
    for item in gold:
        if item in rest:
            rest.remove(item)
            matched += 1
    return matched


def sentence(gold_tree, system_tree, rules):
    """Return (matched, gold, system, complete, correct tags, words) of a pair, "left out" or "stop"."""
    whole = [tree or ["", []] for tree in (gold_tree, system_tree)]
    trees = [subtree_gone(tree, rules) for tree in whole]
    words = [below(tree) for tree in trees]
    kept = [[stays(word, tag, rules) for word, _, tag in side] for side in words]
    if rules.decided_by == "token" and rules.compare == "words":
        same = [[dict(rules.equal_words).get(word, word) for word, _, _ in side] for side in words]
        if (flags := by_token(*same, kept[0])) is None:
            return rules.unlike
        kept[1] = flags
    elif rules.decided_by != "own":
        every = (
            kept[0] if rules.root_children == "all" else [stays(w, t, rules) for w, _, t in below(whole[0])]
        )
        kept[1] = [(every + [True] * len(words[1]))[index] for index in range(len(words[1]))]
    elif rules.quote_tags and sum(kept[0]) != sum(kept[1]):
        quotes_back(*words, kept, rules)
    left = [[item for item, flag in zip(*pair) if flag] for pair in zip(words, kept)]
    least, most = rules.words
    if rules.no_parse == "left out" and not left[1]:
        return "left out"
    if len(left[0]) < least or (most is not None and len(left[0]) > most):
        return "left out"
    texts = [[dict(rules.equal_words).get(word, word) for word, _, _ in side] for side in left]
    lengths = [len(below(tree)) for tree in whole]
    if (rules.compare == "words" and texts[0] != texts[1]) or (
        rules.compare == "number" and (len(texts[0]) != len(texts[1]) or lengths[0] != lengths[1])
    ):
        if rules.unlike != "counted":
            return rules.unlike
        return "left out" if len(texts[0]) == len(texts[1]) else (0, 0, 0, 1, 0, 0)
    never = rules.no_bracket, rules.no_bracket | rules.no_bracket_system
    alone = rules.bare_tags and trees[0][0] in rules.bare_tags, rules.bare_tags
    sides = [
        brackets(tree, {item[1]: index for index, item in enumerate(side)}, rules, labels, len(left[0]), bare)
        for tree, side, labels, bare in zip(trees, left, never, alone)
    ]
    tags = [[item[2] for item in side] for side in left]
    if rules.cut_tags:
        tags = [[basic(tag, rules.cut) for tag in side] for side in tags]
    if rules.tags == "equal labels":
        tags = [[dict(rules.equal).get(tag, tag) for tag in side] for side in tags]
    tagged = (0, 0) if rules.tags == "none" else (sum(map(str.__eq__, *tags)), len(tags[0]))
    matched, gold, system = counts(*sides, rules.repeats)
    complete = matched == gold == system and (gold > 0 or rules.empty != "incomplete")
    return matched, gold, system, complete, *tagged


def counts(gold, system, repeats):
    if repeats == "once":
        gold, system = sorted(set(gold)), sorted(set(system))
    if repeats == "any":
        matched = len([item for item in system if item in gold])
        return matched, matched + len([item for item in gold if item not in system]), len(system)
    if repeats == "first":
        return common(sorted(set(gold)), sorted(set(system))), len(gold), len(system)
    return common(gold, system), len(gold), len(system)


def figures(golds, systems, rules):
    """Return recall, precision, F1, complete match, tags in per cent and sentences; ``None`` if it stops."""
    totals = [0] * 6
    counted = left_out = 0
    rates = Fraction(0)
    for pair in zip(golds, systems):
        row = sentence(*pair, rules)
        if row == "stop":
            return None
        if row == "left out":
            left_out += 1
            continue
        totals = [a + b for a, b in zip(totals, row)]
        matched, gold, system = row[:3]
        counted += 1
        rates += Fraction(2 * matched, gold + system) if gold + system else 1
    matched, gold, system, complete, correct, tagged = totals

    def share(part, every):
        return round(float(100 * Fraction(part) / every), 6) if every else None

    f1 = share(rates, counted) if rules.mean == "sentences" else share(2 * matched, gold + system)
    rest = share(complete, counted), share(correct, tagged), counted, left_out
    return [share(matched, gold), share(matched, system), f1, *rest]


NAMES = "S NP VP PP ADVP PRT NP-SBJ NP=2 NP|x S-TPC-1 -NONE- . ROOT TOP S1 VROOT SBAR_x X#a =A PSEUDO"
LABELS = NAMES.split()
WORDS = (
    "dog/NN cat/NNS sees/VBZ the/DT up/RP -LRB-/-LRB- --/: *T*/-NONE- ,/, ./. ?/. ?/? `/`` '/'' '/POS \"/'' "
    "//: 's/VBZ -/HYPH $/$ #/# !/! x/PU dog/NN-x up/ADVP cat/TOP -LRB-/NN"
)
TAGGED = [pair.rpartition("/")[::2] for pair in WORDS.split()]


def noisy_pair(chance: random.Random, differ: float):
    """Return a gold tree and a system's tree as texts, with differences in labels, tags and brackets.

    Words differ, are added or missing if ``differ`` is 1, and agree if it is 0.
    """
    words = [list(chance.choice(TAGGED)) for _ in range(chance.randint(1, 18))]
    tree = grown([[tag, [word]] for word, tag in words], chance)
    other = spoiled(tree, chance, chance.choice([0.0, 0.1, 0.3]), differ)
    for one in (tree, other):
        if chance.random() < 0.5:
            one[:] = [chance.choice(["ROOT", "TOP", "S1"]), [list(one)]]
        elif chance.random() < 0.2 * differ:
            one[:] = ["ROOT", [list(one), ["NP", [["NN", ["extra"]]]]]]
    return written(tree), written(other) if chance.random() > 0.05 * differ else "(())"


def grown(nodes, chance):
    nodes = list(nodes)
    while len(nodes) > 1 or chance.random() < 0.3 or isinstance(nodes[0][1][0], str):
        size = chance.randint(1, min(3, len(nodes)))
        start = chance.randint(0, len(nodes) - size)
        nodes[start : start + size] = [[chance.choice(LABELS), nodes[start : start + size]]]
    return nodes[0]


def spoiled(node, chance, noise, differ):
    label, children = node
    if isinstance(children[0], str):
        word, tag = (chance.choice(TAGGED)) if chance.random() < differ * noise / 4 else (children[0], label)
        if chance.random() < noise:
            tag = chance.choice(TAGGED)[1]
        return [tag, [word]]
    made = []
    for child in children:
        new = spoiled(child, chance, noise, differ)
        deeper = not isinstance(new[1][0], str)
        made += new[1] if deeper and chance.random() < noise / 2 else [new]
    if chance.random() < noise / 2:
        made = [[chance.choice(LABELS), made]]
    return [chance.choice(LABELS) if chance.random() < noise else label, made]


def written(node):
    label, children = node
    inside = " ".join([child if isinstance(child, str) else written(child) for child in children])
    return f"({label} {inside})"


def corpus(seed: int, size: int = 60):
    """Return the texts of gold and system trees of a made-up corpus; the words of every third one agree."""
    chance = random.Random(seed)
    pairs = [noisy_pair(chance, float(seed % 3 > 0)) for _ in range(size)]
    return [gold for gold, _ in pairs], [system for _, system in pairs]


def odd_corpus(seed: int, size: int = 40):
    """Return texts of pairs in which one side lacks some words, or is one word without a bracket."""
    chance = random.Random(seed)
    pairs = []
    for _ in range(size):
        gold, system = map(parse, noisy_pair(chance, 0.0))
        for one, other in ((gold, system), (system, gold)):
            if chance.random() < 0.4:
                gone = {
                    n for _, n, tag in below(other) if chance.random() < (0.6 if tag in "-NONE-.," else 0.1)
                }
                one[:] = without(one, gone) or one
        for one in (gold, system):
            if chance.random() < 0.1:
                word, tag = chance.choice([("the", "DT"), ("dog", "NN"), (".", "."), ("the", "NN")])
                one[:] = [tag, [(word, 0)]]
        pairs.append((gold, system))
    return [[written(textual(pair[side])) for pair in pairs] for side in (0, 1)]


def stops(gold, system, rules):
    """True if the words of a pair of texts end the run."""
    return sentence(parse(gold), parse(system), rules) == "stop"


def without(node, gone):
    if is_tag(node):
        return None if node[1][0][1] in gone else node
    children = [new for child in node[1] if (new := without(child, gone))]
    return [node[0], children] if children else None


def textual(node):
    return [node[0], [child[0] if isinstance(child, tuple) else textual(child) for child in node[1]]]
