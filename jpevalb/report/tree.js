/* Trees: from the page's compact text to arrays, and from arrays to places along the words.

   A tree is {labels, marks, parents, children, words, wordParents, order}; nodes are numbered in
   preorder as everywhere in jpevalb, a child below 0 is a word: ~child is its place, and `order`
   has the words as the brackets have them, which is another order where there are gaps. */
"use strict";

const MARKS = { matched: "=", missed: "-", extra: "+", crossing: "*", matchedCrossing: "#", otherTag: "~" };

const Trees = (() => {
  const markSigns = Object.values(MARKS);

  function decode(text, words, labels) {
    const tree = { labels: [], marks: [], parents: [], children: [], words, wordParents: [], order: [] };
    let at = 0;
    let node = -1;
    let next = 0;
    const number = () => {
      const from = at;
      while (at < text.length && text[at] >= "0" && text[at] <= "9") at++;
      return at > from ? Number(text.slice(from, at)) : -1;
    };
    while (at < text.length) {
      const sign = text[at++];
      if (sign === "(") {
        const id = tree.labels.length;
        tree.labels.push(labels[number()]);
        tree.marks.push(markSigns.includes(text[at]) ? text[at++] : "");
        tree.parents.push(node);
        tree.children.push([]);
        if (node >= 0) tree.children[node].push(id);
        node = id;
      } else if (sign === ")") {
        node = tree.parents[node];
      } else {
        const given = number();
        const place = given < 0 ? next : given;
        next = place + 1;
        tree.order.push(place);
        tree.wordParents[place] = node;
        tree.children[node].push(~place);
      }
    }
    return tree;
  }

  /* The nodes and words below a node, without recursion: trees may be very deep. */
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

  /* For each node how many gaps are between its words, each counted once: O(words) for a node with gaps. */
  function gaps(tree) {
    const found = new Array(tree.labels.length).fill(0);
    if (tree.order.every((place, i) => place === i)) return found;
    return found.map((_, node) => Math.max(0, blocks(below(tree, node).words).length - 1));
  }

  const isTag = (tree, node) => tree.children[node].length === 1 && tree.children[node][0] < 0;

  /* Units as [goldStart, goldEnd, systemStart, systemEnd]; `sizes` is 0 where all are one to one. */
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

  /* Where each unit begins and ends and where the middle of each token is, along the words:
     the tokens of a unit share the room that the longer of its two sides needs. */
  function spread(pairUnits, goldSizes, systemSizes) {
    const ends = [0];
    const gold = [];
    const system = [];
    for (const [g1, g2, s1, s2] of pairUnits) {
      const start = ends[ends.length - 1];
      const sum = (sizes, from, to) => sizes.slice(from, to).reduce((total, size) => total + size, 0);
      const room = Math.max(sum(goldSizes, g1, g2), sum(systemSizes, s1, s2));
      for (const [sizes, from, to, middles] of [[goldSizes, g1, g2, gold], [systemSizes, s1, s2, system]]) {
        const scale = room / (sum(sizes, from, to) || 1);
        let place = start;
        for (let i = from; i < to; i++) {
          middles[i] = place + (sizes[i] * scale) / 2;
          place += sizes[i] * scale;
        }
      }
      ends.push(start + room);
    }
    return { ends, gold, system };
  }

  /* For each node its place along the words, its level (1 + the highest level below it), and
     the range of words from its first to behind its last, which may have gaps. */
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
        // A node without words stands between its neighbours.
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
      // A node with gaps stands at its first block: lines to what is in a gap do not run behind it.
      const block = size[node] < end[node] - first[node] ? blocks(below(tree, node).words)[0][1] : end[node];
      const places = children.filter((child) => (child < 0 ? ~child : first[child]) <= block)
        .map((child) => (child < 0 ? middles[~child] : along[child]));
      along[node] = (places[0] + places[places.length - 1]) / 2;
    }
    const gaps = size.flatMap((words, node) => (words && words < end[node] - first[node] ? [node] : []));
    return { along, level, first, end, gaps };
  }

  /* The blocks of words in a row, given their places in order. */
  function blocks(words) {
    const found = [];
    for (const word of words) {
      const last = found[found.length - 1];
      if (last && last[1] === word - 1) last[1] = word;
      else found.push([word, word]);
    }
    return found;
  }

  /* Words as they are read out: an ellipsis stands for what is in a gap. */
  const said = (words, texts) =>
    texts.flatMap((text, i) => (i && words[i] !== words[i - 1] + 1 ? ["…", text] : [text])).join(" ");

  /* Bracket text as it stands in treebanks; words have their places, as in discbracket, where there are gaps. */
  function bracketText(tree) {
    const gapped = tree.order.some((place, i) => place !== i);
    const pieces = [];
    const stack = tree.labels.length ? [0] : [];
    while (stack.length) {
      const item = stack.pop();
      if (item === null) pieces.push(")");
      else if (item < 0) pieces.push(" ", gapped ? `${~item}=${tree.words[~item]}` : tree.words[~item]);
      else {
        pieces.push(pieces.length ? " (" : "(", tree.labels[item]);
        stack.push(null);
        for (let i = tree.children[item].length - 1; i >= 0; i--) stack.push(tree.children[item][i]);
      }
    }
    return pieces.join("");
  }

  return { decode, below, gaps, isTag, units, spread, place, blocks, said, bracketText };
})();
