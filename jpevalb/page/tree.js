/* Trees: decode the page's compact text to arrays, and place the nodes along the words.

   A tree is {labels, marks, parents, children, words, wordParents, order}; nodes are numbered in
   preorder as everywhere in jpevalb.  A child below 0 is a word: ~child is its index.  `order` has the
   indices in the order of the brackets, which is another one if there are gaps. */
"use strict";

const MARKS = {
  matched: "=",
  missed: "-",
  extra: "+",
  crossing: "*",
  matchedCrossing: "#",
  otherTag: "~",
  right: "A",
  wrong: "B"
};
const isScored = (mark) => mark !== "" && mark !== MARKS.otherTag;

const Trees = (() => {
  const markSigns = Object.values(MARKS);

  function decode(text, words, labels) {
    const tree = { labels: [], marks: [], parents: [], children: [], words, wordParents: [], order: [] };
    let at = 0;
    let node = -1;
    const number = () => {
      const from = at;
      while (at < text.length && text[at] >= "0" && text[at] <= "9") at++;
      return at > from ? Number(text.slice(from, at)) : -1;
    };
    const add = () => {
      const id = tree.labels.length;
      tree.labels.push(labels[number()]);
      tree.marks.push(markSigns.includes(text[at]) ? text[at++] : "");
      tree.parents.push(node);
      tree.children.push([]);
      if (node >= 0) tree.children[node].push(id);
      return id;
    };
    while (at < text.length) {
      if (text[at] === "(") {
        at++;
        node = add();
      } else if (text[at] === ")") {
        at++;
        node = tree.parents[node];
      } else {
        // A word; trees with gaps have its index.
        if (text[at] === ":") at++;
        const given = number();
        const place = given < 0 ? tree.order.length : given;
        at++;
        tree.order.push(place);
        tree.wordParents[place] = node;
        tree.children[node].push(~place);
      }
    }
    return tree;
  }

  /* Return the nodes and words below a node, without recursion: trees may be very deep. */
  function below(tree, node) {
    const nodes = [];
    const words = [];
    const stack = [node];
    while (stack.length) {
      const item = stack.pop();
      if (item < 0) {
        words.push(~item);
      } else {
        nodes.push(item);
        const children = tree.children[item];
        for (let i = children.length - 1; i >= 0; i--) stack.push(children[i]);
      }
    }
    return { nodes, words: words.sort((a, b) => a - b) };
  }

  /* Return the number of gaps between the words of each node. */
  function gaps(tree) {
    const found = new Array(tree.labels.length).fill(0);
    if (tree.order.every((place, i) => place === i)) return found;
    return found.map((_, node) => Math.max(0, blocks(below(tree, node).words).length - 1));
  }

  const isTag = (tree, node) =>
    tree.children[node].length === 1 && tree.children[node][0] < 0 && !tree.folds?.has(node);

  /* Return the units as [goldStart, goldEnd, systemStart, systemEnd]; `sizes` is 0 if all are one to one. */
  function units(sizes, count) {
    const found = [];
    let gold = 0;
    let system = 0;
    for (let i = 0; i < (sizes ? sizes.length / 2 : count); i++) {
      const [n, m] = sizes ? [sizes[2 * i], sizes[2 * i + 1]] : [1, 1];
      found.push([gold, gold + n, system, system + m]);
      gold += n;
      system += m;
    }
    return found;
  }

  /* Return the ends of the units and the middles of the tokens, along the words; the tokens of a unit share
     the room of the longer side.  `before` has more room in front of some units. */
  function spread(pairUnits, goldSizes, systemSizes, before = new Map()) {
    const ends = [0];
    const starts = [];
    const gold = [];
    const system = [];
    for (const [unit, [g1, g2, s1, s2]] of pairUnits.entries()) {
      const start = ends[ends.length - 1] + (before.get(unit) ?? 0);
      starts.push(start);
      const sum = (sizes, from, to) => sizes.slice(from, to).reduce((total, size) => total + size, 0);
      const room = Math.max(sum(goldSizes, g1, g2), sum(systemSizes, s1, s2));
      for (const [sizes, from, to, middles] of [
        [goldSizes, g1, g2, gold],
        [systemSizes, s1, s2, system]
      ]) {
        const scale = room / (sum(sizes, from, to) || 1);
        let place = start;
        for (let i = from; i < to; i++) {
          middles[i] = place + (sizes[i] * scale) / 2;
          place += sizes[i] * scale;
        }
      }
      ends.push(start + room);
    }
    return { starts, ends: ends.slice(1), total: ends[ends.length - 1], gold, system };
  }

  /* Return for each node its position along the words, its level (1 + the highest level below it), and
     the range from its first word to its last + 1, which may have gaps. */
  function place(tree, middles) {
    const n = tree.labels.length;
    const along = new Array(n).fill(0);
    const level = new Array(n).fill(1);
    const first = new Array(n).fill(0);
    const end = new Array(n).fill(0);
    const size = new Array(n).fill(0);
    let count = 0;
    const stack = n ? [0] : [];
    while (stack.length) {
      const item = stack.pop();
      if (item < 0) {
        count = ~item + 1;
      } else {
        first[item] = end[item] = count;
        for (let i = tree.children[item].length - 1; i >= 0; i--) stack.push(tree.children[item][i]);
      }
    }
    for (let node = n - 1; node >= 0; node--) {
      const children = tree.children[node];
      if (!children.length) {
        // A node without words is drawn between its neighbours.
        const left = middles[Math.max(0, first[node] - 1)] ?? 0;
        const right = middles[Math.min(first[node], middles.length - 1)] ?? left;
        along[node] = (left + right) / 2;
        continue;
      }
      first[node] = Infinity;
      for (const child of children) {
        const isWord = child < 0;
        first[node] = Math.min(first[node], isWord ? ~child : first[child]);
        end[node] = Math.max(end[node], isWord ? ~child + 1 : end[child]);
        size[node] += isWord ? 1 : size[child];
        if (!isWord) level[node] = Math.max(level[node], level[child] + 1);
      }
      // A node with gaps is drawn at its first block, so that lines to words in a gap do not cross it.
      const block = size[node] < end[node] - first[node] ? blocks(below(tree, node).words)[0][1] : end[node];
      const places = children
        .filter((child) => (child < 0 ? ~child : first[child]) <= block)
        .map((child) => (child < 0 ? middles[~child] : along[child]));
      along[node] = (places[0] + places[places.length - 1]) / 2;
    }
    const gaps = size.flatMap((words, node) => (words && words < end[node] - first[node] ? [node] : []));
    return { along, level, first, end, gaps };
  }

  /* Return the indices of words in the whole tree; a word of a folded tree may stand for several. */
  const placesOf = (tree, words) =>
    tree.folds
      ? words.flatMap((word) => {
          const [from, to] = tree.spans[word];
          return Array.from({ length: to - from + 1 }, (_, i) => from + i);
        })
      : words;

  /* Return the units of a node's words, in order. */
  const unitsOf = (pair, side, node) => {
    const at = side === "gold" ? 0 : 2;
    const words = new Set(below(pair[side], node).words);
    return pair.units.flatMap((unit, i) => {
      for (let word = unit[at]; word < unit[at + 1]; word++) if (words.has(word)) return [i];
      return [];
    });
  };

  /* Return the blocks of consecutive words, given their indices in order. */
  function blocks(words) {
    const found = [];
    for (const word of words) {
      const last = found[found.length - 1];
      if (last && last[1] === word - 1) last[1] = word;
      else found.push([word, word]);
    }
    return found;
  }

  /* Join words to a phrase, with an ellipsis for each gap. */
  const phrase = (words, texts) =>
    texts.flatMap((text, i) => (i && words[i] !== words[i - 1] + 1 ? ["…", text] : [text])).join(" ");

  // -- folding -----------------------------------------------------------------------

  const FOLDED_WORDS = 4; // of a longer constituent the first two and the last one are shown

  const SPECIAL = { "\\": "\\textbackslash{}", "~": "\\textasciitilde{}", "^": "\\textasciicircum{}" };
  const latex = (text) => text.replace(/[\\~^]|[#$%&_{}]/g, (sign) => SPECIAL[sign] ?? `\\${sign}`);
  const STYLES = {
    [MARKS.missed]: ", draw, dashed",
    [MARKS.extra]: ", draw",
    [MARKS.crossing]: ", draw, double",
    [MARKS.matchedCrossing]: ", draw, double",
    [MARKS.wrong]: ", draw"
  };

  /* Return the largest wholly correct constituents, or those without a relevant error, except those that are
     unfolded or span all words:
     for each gold node the system node. */
  function correctNodes(pair, opened, relevant) {
    const { gold, system, units } = pair;
    // True for nodes without errors below them.
    const right = ["gold", "system"].map((side) => {
      const { marks, parents } = pair[side];
      const found = marks.map(() => true);
      for (let node = found.length - 1; node > 0; node--) {
        const own = relevant
          ? !relevant[side].has(node)
          : marks[node] === MARKS.matched || marks[node] === "";
        if (!own || !found[node]) found[parents[node]] = false;
      }
      return found;
    });
    const partner = new Map(pair.pairs);
    const unitOf = [[], []];
    units.forEach(([g1, g2, s1, s2], unit) => {
      for (let i = g1; i < g2; i++) unitOf[0][i] = unit;
      for (let i = s1; i < s2; i++) unitOf[1][i] = unit;
    });
    const same = units.map(
      ([g1, g2, s1, s2]) => g2 - g1 === 1 && s2 - s1 === 1 && gold.words[g1] === system.words[s1]
    );
    const folds = (node) => {
      const other = partner.get(node);
      if (other === undefined || gold.marks[node] !== MARKS.matched || system.marks[other] !== MARKS.matched)
        return false;
      if (!right[0][node] || !right[1][other]) return false;
      const [goldWords, systemWords] = [below(gold, node).words, below(system, other).words];
      return (
        goldWords.length > 1 &&
        goldWords.length < gold.words.length &&
        goldWords.length === systemWords.length &&
        goldWords[goldWords.length - 1] - goldWords[0] === goldWords.length - 1 &&
        systemWords[systemWords.length - 1] - systemWords[0] === systemWords.length - 1 &&
        unitOf[0][goldWords[0]] === unitOf[1][systemWords[0]] &&
        goldWords.every((word) => same[unitOf[0][word]])
      );
    };
    const found = new Map();
    const stack = gold.labels.length ? [0] : [];
    while (stack.length) {
      const node = stack.pop();
      if (!opened.has(node) && folds(node)) found.set(node, partner.get(node));
      else for (const child of gold.children[node]) if (child >= 0) stack.push(child);
    }
    return found;
  }

  /* Return a tree in which the given nodes are folded to one word each.  `of` maps each node to its node in
     the new tree, `folds` each folded node to its range of words. */
  function foldedTree(tree, tops) {
    const found = {
      labels: [],
      marks: [],
      parents: [],
      children: [],
      words: [],
      wordParents: [],
      order: [],
      of: [],
      folds: new Map(),
      spans: [],
      full: []
    };
    const topOf = [];
    const inside = new Array(tree.labels.length).fill(-1);
    tree.labels.forEach((label, node) => {
      const parent = tree.parents[node];
      const top = parent < 0 ? -1 : tops.has(parent) ? parent : inside[parent];
      inside[node] = top;
      if (top >= 0) {
        found.of[node] = found.of[top];
        return;
      }
      found.of[node] = found.labels.length;
      found.labels.push(label);
      found.marks.push(tree.marks[node]);
      found.parents.push(parent < 0 ? -1 : found.of[parent]);
      found.children.push([]);
    });
    const placeOf = [];
    tree.words.forEach((word, place) => {
      const parent = tree.wordParents[place];
      const top = parent === undefined ? -1 : tops.has(parent) ? parent : inside[parent];
      if (top >= 0 && topOf[top] !== undefined) {
        placeOf[place] = topOf[top];
        found.spans[topOf[top]][1] = place;
        return;
      }
      const fresh = found.words.length;
      if (top >= 0) topOf[top] = fresh;
      placeOf[place] = fresh;
      found.words.push(word);
      found.spans.push([place, place]);
      if (parent !== undefined) found.wordParents[fresh] = found.of[top >= 0 ? top : parent];
    });
    found.spans.forEach(([from, to], place) => {
      const texts = tree.words.slice(from, to + 1);
      found.full[place] = texts.join(" ");
      if (from === to) return;
      found.words[place] =
        texts.length > FOLDED_WORDS
          ? `${texts.slice(0, 2).join(" ")} … ${texts[texts.length - 1]}`
          : texts.join(" ");
    });
    tree.children.forEach((children, node) => {
      if (inside[node] >= 0) return;
      found.children[found.of[node]] = tops.has(node)
        ? [~topOf[node]]
        : children.map((child) => (child < 0 ? ~placeOf[~child] : found.of[child]));
      if (tops.has(node)) found.folds.set(found.of[node], found.spans[topOf[node]]);
    });
    found.order = [...new Set(tree.order.map((place) => placeOf[place]))];
    found.placeOf = placeOf;
    return found;
  }

  /* Return a pair with its wholly correct constituents folded, except the gold nodes in `opened`. */
  function fold(pair, opened, relevant = null) {
    const tops = correctNodes(pair, opened, relevant);
    const gold = foldedTree(pair.gold, new Set(tops.keys()));
    const system = foldedTree(pair.system, new Set(tops.values()));
    const units = [];
    for (const [g1, g2, s1, s2] of pair.units) {
      const ends = [
        gold.placeOf[g1],
        g2 > g1 ? gold.placeOf[g2 - 1] + 1 : undefined,
        system.placeOf[s1],
        s2 > s1 ? system.placeOf[s2 - 1] + 1 : undefined
      ];
      const last = units[units.length - 1] ?? [0, 0, 0, 0];
      const unit = [
        g2 > g1 ? ends[0] : last[1],
        ends[1] ?? last[1],
        s2 > s1 ? ends[2] : last[3],
        ends[3] ?? last[3]
      ];
      // The words of what is folded are one unit.
      if (units.length && g2 > g1 && unit[0] < last[1]) continue;
      units.push(unit);
    }
    const seen = new Set();
    const pairs = [];
    for (const [g, s] of pair.pairs) {
      const [one, other] = [gold.of[g], system.of[s]];
      const key = `${one} ${other}`;
      if (seen.has(key) || gold.folds.has(one) !== system.folds.has(other)) continue;
      seen.add(key);
      pairs.push([one, other]);
    }
    const nodeOf = new Map([...tops.keys()].map((node) => [gold.of[node], node]));
    return {
      ...pair,
      whole: pair,
      gold,
      system,
      units,
      pairs,
      opens: { gold: nodeOf, system: new Map([...tops].map(([g, s]) => [system.of[s], g])) }
    };
  }

  /* Return a tree for the LaTeX package forest: errors have frames, folded constituents roofs. */
  function forest(tree) {
    const pieces = [];
    const stack = tree.labels.length ? [[0, 1]] : [];
    while (stack.length) {
      const [item, depth] = stack.pop();
      const blanks = "\n" + "  ".repeat(depth);
      if (item === null) pieces.push("]");
      else if (item < 0) {
        const place = ~item;
        const folded = tree.folds?.has(tree.wordParents[place]);
        pieces.push(
          ` [{${latex(visible(folded ? tree.full[place] : tree.words[place]))}}${folded ? ", roof" : ""}]`
        );
      } else {
        pieces.push(`${blanks}[{${latex(visible(tree.labels[item]))}}${STYLES[tree.marks[item]] ?? ""}`);
        stack.push([null, depth]);
        for (let i = tree.children[item].length - 1; i >= 0; i--)
          stack.push([tree.children[item][i], depth + 1]);
      }
    }
    return `\\begin{forest}${pieces.join("")}\n\\end{forest}\n`;
  }

  /* Return a pair with one side only. */
  function alone(pair, side) {
    const other = side === "gold" ? "system" : "gold";
    const empty = {
      labels: [],
      marks: [],
      parents: [],
      children: [],
      words: [],
      wordParents: [],
      order: [],
      of: []
    };
    const units = pair.units.map(([a, b, c, d]) => (side === "gold" ? [a, b, 0, 0] : [0, 0, c, d]));
    return { ...pair, [other]: empty, units, pairs: [] };
  }

  /* Return the words before which a sentence ends: trees of several sentences hang below a node `@S`. */
  function sentenceEnds(tree) {
    if (tree.labels[0] !== "@S" || tree.marks[0] !== "") return [];
    const starts = tree.children[0].map((child) =>
      child < 0 ? ~child : (below(tree, child).words[0] ?? null)
    );
    return starts.slice(1).filter((word) => word !== null);
  }

  return {
    sentenceEnds,
    alone,
    decode,
    below,
    gaps,
    isTag,
    units,
    spread,
    place,
    placesOf,
    unitsOf,
    blocks,
    phrase,
    fold,
    forest
  };
})();
