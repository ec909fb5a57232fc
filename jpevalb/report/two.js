/* Two: the trees of any two of gold and the systems, as a pair that can be drawn. */
"use strict";

const GOLD = -1; // gold in the choice of two

const Two = (() => {
  /* Return the trees of a system over a whole stretch; several sentences are joined below a node without score. */
  function joined(data, unit, k) {
    unit.joined ??= [];
    if (unit.joined[k]) return unit.joined[k];
    const parts = unit.rows[k].map((_, i) => { const item = rowOf(data, unit, k, i); return { item, ...pairOf(data, item) }; });
    if (!parts.length) return null;
    const made = parts.length === 1
      ? { ...parts[0], items: [parts[0].item], repairs: Explain.decode(parts[0].item.repairs) }
      : { gold: forest(parts.map(({ gold }) => gold)), system: forest(parts.map(({ system }) => system)), ...concatenated(parts), items: parts.map(({ item }) => item), rightToLeft: parts[0].rightToLeft };
    unit.joined[k] = made;
    return made;
  }

  function forest(trees) {
    const made = { labels: ["@S"], marks: [""], parents: [-1], children: [[]], words: [], wordParents: [], order: [] };
    for (const tree of trees) {
      const [nodes, words] = [made.labels.length, made.words.length];
      if (tree.labels.length) made.children[0].push(nodes);
      made.labels.push(...tree.labels);
      made.marks.push(...tree.marks);
      made.parents.push(...tree.parents.map((parent) => (parent < 0 ? 0 : parent + nodes)));
      made.children.push(...tree.children.map((children) => children.map((child) => (child < 0 ? ~(~child + words) : child + nodes))));
      made.words.push(...tree.words);
      for (let word = 0; word < tree.words.length; word++) made.wordParents[words + word] = tree.wordParents[word] === undefined ? undefined : tree.wordParents[word] + nodes;
      made.order.push(...tree.order.map((place) => place + words));
    }
    return made.words.length || made.labels.length > 1 ? made : { ...made, labels: [], marks: [], parents: [], children: [] };
  }

  function concatenated(parts) {
    const made = { units: [], pairs: [], repairs: [] };
    let [goldWords, systemWords, goldNodes, systemNodes] = [0, 0, 1, 1];
    for (const { gold, system, units, pairs, item } of parts) {
      made.units.push(...units.map(([a, b, c, d]) => [a + goldWords, b + goldWords, c + systemWords, d + systemWords]));
      made.pairs.push(...pairs.map(([g, s]) => [g + goldNodes, s + systemNodes]));
      made.repairs.push(...Explain.decode(item.repairs, [goldNodes, systemNodes]));
      goldWords += gold.words.length;
      systemWords += system.words.length;
      goldNodes += gold.labels.length;
      systemNodes += system.labels.length;
    }
    return made;
  }

  /* Return the units of two systems, given those of gold with each: they end where both do. */
  function composed(first, second) {
    const cuts = (units) => {
      const found = new Map([[0, [0, 0]]]);
      for (const [, gold, , system] of units) found.set(gold, [found.get(gold)?.[0] ?? system, system]);
      return found;
    };
    const [a, b] = [cuts(first), cuts(second)];
    const made = [];
    let before = null;
    for (const gold of [...a.keys()].filter((key) => b.has(key)).sort((x, y) => x - y)) {
      if (before !== null) made.push([a.get(before)[1], a.get(gold)[0], b.get(before)[1], b.get(gold)[0]]);
      const [[a1, a2], [b1, b2]] = [a.get(gold), b.get(gold)];
      if (a2 > a1 || b2 > b1) made.push([a1, a2, b1, b2]);
      before = gold;
    }
    return made;
  }

  /* Mark the nodes of two systems' trees: in both, or in one only and there right or wrong. */
  function compared(data, first, second) {
    const units = composed(first.units, second.units);
    const [one, two] = [first.system, second.system];
    const unitOf = [[], []];
    units.forEach(([a, b, c, d], unit) => {
      for (let word = a; word < b; word++) unitOf[0][word] = unit;
      for (let word = c; word < d; word++) unitOf[1][word] = unit;
    });
    const keysOf = (tree, side) => tree.labels.map((label, node) => (isScored(tree.marks[node])
      ? `${data.unlabeled ? "" : coreLabel(label)} ${[...new Set(Trees.below(tree, node).words.map((word) => unitOf[side][word]))]}` : null));
    const keys = [keysOf(one, 0), keysOf(two, 1)];
    const waiting = new Map();
    keys[1].forEach((key, node) => { if (key !== null) { if (!waiting.has(key)) waiting.set(key, []); waiting.get(key).push(node); } });
    const pairs = [];
    keys[0].forEach((key, node) => { const partner = key === null ? undefined : waiting.get(key)?.shift(); if (partner !== undefined) pairs.push([node, partner]); });
    const inBoth = [new Set(pairs.map(([node]) => node)), new Set(pairs.map(([, node]) => node))];
    const marksOf = (tree, side) => tree.marks.map((mark, node) => {
      if (!isScored(mark)) return "";
      if (inBoth[side].has(node)) return MARKS.matched;
      return mark === MARKS.matched || mark === MARKS.matchedCrossing ? MARKS.right : MARKS.wrong;
    });
    const marks = [marksOf(one, 0), marksOf(two, 1)];
    for (const [a, b, c, d] of units) {
      if (b - a !== 1 || d - c !== 1) continue;
      const [x, y] = [one.wordParents[a], two.wordParents[c]];
      if (x === undefined || y === undefined || !Trees.isTag(one, x) || !Trees.isTag(two, y)) continue;
      pairs.push([x, y]);
      if (one.labels[x] !== two.labels[y]) marks[0][x] = marks[1][y] = MARKS.otherTag;
    }
    return { gold: { ...one, marks: marks[0] }, system: { ...two, marks: marks[1] }, units, pairs };
  }

  /* Return a pair to draw for two of gold and the systems; null if one of them has nothing here. */
  function pair(data, unit, [a, b]) {
    const sources = [a, b].map((k) => (k === GOLD ? null : joined(data, unit, k)));
    if ([a, b].some((k, i) => k !== GOLD && !sources[i])) return null;
    const [first, second] = sources;
    const made = first ? compared(data, first, second) : { gold: second.gold, system: second.system, units: second.units, pairs: second.pairs };
    const name = (k) => (k === GOLD ? "gold" : visible(data.names[k]));
    return {
      ...made, compared: Boolean(first), rightToLeft: second.rightToLeft, number: unit.number, names: { gold: name(a), system: name(b) },
      classes: { gold: a === GOLD ? "" : Charts.classOf(a), system: Charts.classOf(b) }, sources,
    };
  }

  return { pair };
})();
