/* Sentence: the rows of a sentence, its trees as a pair, and the picture with its tools. */
"use strict";

const GOLD = -1; // gold in the choice of two
const DRAWN_AT_ONCE = 4000; // nodes and words
const SMALLEST = 0.65; // scale of a picture
const FOLDED_ABOVE = 30; // words

const grouped = new Intl.NumberFormat("en").format;
const plural = (count, word) => `${grouped(count)} ${word}${count === 1 ? "" : "s"}`;
const rate = (value) => (value === null ? "–" : (100 * value).toFixed(2));

/* Return a row of a system as an object, with derived figures. */
function rowOf(data, unit, k, place) {
  const item = {};
  data.fields.forEach((name, i) => {
    item[name] = unit.rows[k][place][i] ?? 0;
  });
  item.notes ||= [];
  const total = item.gold + item.system;
  item.f1 = total ? (2 * item.matched) / total : null;
  item.missed = item.gold - item.matched;
  item.extra = item.system - item.matched;
  return item;
}

const wordsOf = (item, name) => {
  const words = name === "gold" || item.systemWords === 0 ? item.goldWords : item.systemWords;
  return typeof words === "string" ? words.split(" ") : words;
};
const direction = (item) => (item.rightToLeft ? "rtl" : "ltr");

/* Return the decoded trees of a sentence, with its units and aligned nodes. */
function pairOf(data, item) {
  const gold = Trees.decode(item.goldTree, wordsOf(item, "gold"), data.labels);
  const systemText = item.systemTree === 0 ? item.goldTree : item.systemTree;
  const system = Trees.decode(systemText, wordsOf(item, "system"), data.labels);
  const units = Trees.units(item.units, gold.words.length);
  let pairs = [];
  if (item.pairs === 0) {
    const scored = (tree) =>
      tree.marks.flatMap((mark, node) =>
        mark === MARKS.matched || mark === MARKS.matchedCrossing ? [node] : []
      );
    const others = scored(system);
    pairs = scored(gold).map((node, i) => [node, others[i]]);
    // Tags are aligned if their words are.
    for (const [g1, g2, s1, s2] of units) {
      if (g2 - g1 !== 1 || s2 - s1 !== 1) continue;
      const [g, s] = [gold.wordParents[g1], system.wordParents[s1]];
      if (Trees.isTag(gold, g) && Trees.isTag(system, s)) pairs.push([g, s]);
    }
  } else {
    for (let i = 0; i < item.pairs.length; i += 3) {
      const [g, s, count] = item.pairs.slice(i, i + 3);
      for (let k = 0; k < count; k++) pairs.push([g + k, s + k]);
    }
  }
  return {
    gold,
    system,
    units,
    pairs,
    rightToLeft: Boolean(item.rightToLeft),
    number: item.number
  };
}

/* Two: the trees of any two of gold and the systems, as a pair that can be drawn. */
const Two = (() => {
  /* Return the trees of a system over a unit; several sentences are joined below a node without score. */
  function joined(data, unit, k) {
    unit.joined ??= [];
    if (unit.joined[k]) return unit.joined[k];
    const parts = unit.rows[k].map((_, i) => {
      const item = rowOf(data, unit, k, i);
      return { item, ...pairOf(data, item) };
    });
    if (!parts.length) return null;
    const made =
      parts.length === 1
        ? { ...parts[0], items: [parts[0].item], corrections: Corrections.decode(parts[0].item.corrections) }
        : {
            gold: forest(parts.map(({ gold }) => gold)),
            system: forest(parts.map(({ system }) => system)),
            ...concatenated(parts),
            items: parts.map(({ item }) => item),
            rightToLeft: parts[0].rightToLeft
          };
    unit.joined[k] = made;
    return made;
  }

  function forest(trees) {
    const made = {
      labels: ["@S"],
      marks: [""],
      parents: [-1],
      children: [[]],
      words: [],
      wordParents: [],
      order: []
    };
    for (const tree of trees) {
      const [nodes, words] = [made.labels.length, made.words.length];
      if (tree.labels.length) made.children[0].push(nodes);
      made.labels.push(...tree.labels);
      made.marks.push(...tree.marks);
      made.parents.push(...tree.parents.map((parent) => (parent < 0 ? 0 : parent + nodes)));
      made.children.push(
        ...tree.children.map((children) =>
          children.map((child) => (child < 0 ? ~(~child + words) : child + nodes))
        )
      );
      made.words.push(...tree.words);
      for (let word = 0; word < tree.words.length; word++)
        made.wordParents[words + word] =
          tree.wordParents[word] === undefined ? undefined : tree.wordParents[word] + nodes;
      made.order.push(...tree.order.map((place) => place + words));
    }
    return made.words.length || made.labels.length > 1
      ? made
      : { ...made, labels: [], marks: [], parents: [], children: [] };
  }

  function concatenated(parts) {
    const made = { units: [], pairs: [], corrections: [] };
    let [goldWords, systemWords, goldNodes, systemNodes] = [0, 0, 1, 1];
    for (const { gold, system, units, pairs, item } of parts) {
      made.units.push(
        ...units.map(([a, b, c, d]) => [a + goldWords, b + goldWords, c + systemWords, d + systemWords])
      );
      made.pairs.push(...pairs.map(([g, s]) => [g + goldNodes, s + systemNodes]));
      made.corrections.push(...Corrections.decode(item.corrections, [goldNodes, systemNodes]));
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
      // Words that only one system has take no place.
      if (a === b || c === d) return;
      for (let word = a; word < b; word++) unitOf[0][word] = unit;
      for (let word = c; word < d; word++) unitOf[1][word] = unit;
    });
    const unitsBelow = (tree, node, side) => [
      ...new Set(Trees.below(tree, node).words.flatMap((word) => unitOf[side][word] ?? []))
    ];
    const keysOf = (tree, side) =>
      tree.labels.map((label, node) => {
        const below = isScored(tree.marks[node]) ? unitsBelow(tree, node, side) : [];
        return below.length ? `${data.unlabeled ? "" : coreLabel(label)} ${below}` : null;
      });
    const keys = [keysOf(one, 0), keysOf(two, 1)];
    const waiting = new Map();
    keys[1].forEach((key, node) => {
      if (key !== null) {
        if (!waiting.has(key)) waiting.set(key, []);
        waiting.get(key).push(node);
      }
    });
    const pairs = [];
    keys[0].forEach((key, node) => {
      const partner = key === null ? undefined : waiting.get(key)?.shift();
      if (partner !== undefined) pairs.push([node, partner]);
    });
    const inBoth = [new Set(pairs.map(([node]) => node)), new Set(pairs.map(([, node]) => node))];
    const marksOf = (tree, side) =>
      tree.marks.map((mark, node) => {
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
    const made = first
      ? compared(data, first, second)
      : { gold: second.gold, system: second.system, units: second.units, pairs: second.pairs };
    const name = (k) => (k === GOLD ? "gold" : visible(data.names[k]));
    return {
      ...made,
      compared: Boolean(first),
      rightToLeft: second.rightToLeft,
      number: unit.number,
      names: { gold: name(a), system: name(b) },
      classes: { gold: a === GOLD ? "" : classOf(a), system: classOf(b) },
      sources
    };
  }

  return { pair };
})();

/* Drawing: a picture with its legend and tools. */
const Drawing = (() => {
  const KEYS = {
    matched: ["NP", 34, 8.5, (pair) => (pair.compared ? "in both trees" : "matched")],
    missed: ["− NP", 48, 8.5, (pair) => `missing in ${pair.names.system}`],
    extra: ["+ NP", 48, 1, (pair) => `extra in ${pair.names.system}`],
    crossing: ["× NP", 50, 5, () => "crosses a gold constituent"],
    right: ["✓ NP", 50, 8.5, null],
    wrong: ["✗ NP", 50, 1.5, null],
    "other-tag": ["! NN", 46, 8.5, () => "other tag"]
  };

  function sample(kind, colour) {
    const [text, size, round] = KEYS[kind];
    const box = draw("rect", { class: "shape", x: 1, y: 1, width: size - 2, height: 17, rx: round });
    const label = draw("text", { x: size / 2, y: 13.5, "text-anchor": "middle" }, text);
    const how = { width: size, height: 19, class: `sample ${colour}`, "aria-hidden": "true" };
    return draw("svg", how, draw("g", { class: `node ${kind}` }, box, label));
  }

  /* Return the marks that occur in a picture, with their meaning. */
  function legend(pair, corrections) {
    const { names, gold, system, classes } = pair;
    const items = [];
    for (const [kind, [, , , meaning]] of Object.entries(KEYS)) {
      for (const [tree, side] of [
        [gold, "gold"],
        [system, "system"]
      ]) {
        if (!tree.marks.some((mark) => KINDS[mark].name === kind)) continue;
        const text = meaning ? meaning(pair) : `only in ${names[side]}, ${kind}`;
        items.push(make("li", {}, sample(kind, classes[side]), make("bdi", {}, text)));
        if (meaning) break;
      }
    }
    const line = (name, text) =>
      items.push(make("li", {}, make("span", { class: name, "aria-hidden": "true" }), text));
    if (corrections.some(({ moves }) => moves)) line("thick-line", "where the numbered phrase hangs");
    if ([gold, system].some((tree) => Trees.gaps(tree).some(Boolean))) {
      const sign = make("b", { "aria-hidden": "true" }, "⋯");
      items.push(make("li", {}, sign, "words in between belong to another constituent"));
    }
    if (Trees.sentenceEnds(gold).length || Trees.sentenceEnds(system).length)
      line("break-line", "a sentence ends on one side");
    return make("ul", { class: "legend", "aria-label": "Marks in these trees" }, ...items);
  }

  const sizeOf = ({ gold, system }) =>
    [gold, system].reduce((sum, tree) => sum + tree.labels.length + tree.words.length, 0);

  /* Put the picture of a pair into a panel, at once unless it is very large; return functions that light up
     corrections.  `rest` are the corrections of other causes, which are folded away. */
  function place(panel, pair, corrections, rest, save) {
    const whole = sizeOf(pair);
    const size = whole > DRAWN_AT_ONCE ? Math.min(whole, sizeOf(Trees.fold(pair, new Set()))) : whole;
    const box = make("div", { class: "drawing" });
    panel.append(box);
    let made = null;
    const start = () => {
      made = draw_(box, pair, corrections, rest, save);
    };
    const note = (...parts) => box.append(make("p", { class: "mut" }, ...parts));
    if (!size) note("There is nothing to draw: no tree on either side.");
    else if (size > DRAWN_AT_ONCE) {
      const button = make("button", { class: "quiet", click: start }, "Draw it");
      note(`This pair has ${grouped(size)} nodes and words; drawing it may take a while. `, button);
    } else start();
    return { light: (one, on) => made?.light(one, on), go: (one) => made?.go(one) };
  }

  function draw_(box, whole, corrections, rest, save) {
    // With one cause chosen, the errors of the others are folded as if they were correct.
    const nodesOf = (side) => new Set(corrections.flatMap(({ nodes }) => nodes[side]));
    const relevant =
      corrections.length && rest.length ? { gold: nodesOf("gold"), system: nodesOf("system") } : null;
    const long = Math.max(whole.gold.words.length, whole.system.words.length) > FOLDED_ABOVE;
    const view = { folded: long || relevant !== null, opened: new Set(), side: null };
    const stage = make("div", { class: "stage" });
    let shown = null;
    const drawn = (side, node) => shown.pair[side].of?.[node] ?? (shown.pair[side].of ? undefined : node);
    // On a narrow screen, or where both do not fit, one tree is drawn, with a switch.
    const fits = (width) =>
      matchMedia(`(min-width: ${width}px)`).matches || !whole.gold.words.length || !whole.system.words.length;
    if (!fits(621)) view.side = "system";

    const fresh = () => {
      const both = view.folded ? Trees.fold(whole, view.opened, relevant) : whole;
      const pair = view.side ? Trees.alone(both, view.side) : both;
      const made = Picture.picture(pair, (node) => {
        view.opened.add(node);
        fresh();
      });
      const names = ["gold", "system"].map((name) =>
        view.side && name !== view.side ? "" : make("span", { class: `side-name ${name}` }, whole.names[name])
      );
      if (whole.rightToLeft) names.reverse();
      const how = {
        class: "scroller",
        dir: "ltr",
        tabindex: 0,
        role: "group",
        "aria-label": "Picture of the trees"
      };
      const scroller = make("div", how, make("div", { class: "side-names" }, ...names), made.frame);
      stage.replaceChildren(scroller);
      shown = { ...made, pair, scroller };
      requestAnimationFrame(scale);
      corrections.forEach(({ nodes, edges, units }, i) => {
        for (const side of ["gold", "system"]) {
          for (const node of nodes[side].slice(0, 1)) made.number(side, drawn(side, node), String(i + 1));
          for (const node of edges[side]) made.hang(side, drawn(side, node));
        }
        made.tint(view.folded ? foldedUnits(both, units) : units, i);
      });
    };

    /* Return the units of a folded pair that hold units of the whole one. */
    function foldedUnits(pair, units) {
      const words = new Set();
      for (const unit of units) {
        const [from, to] = whole.units[unit];
        for (let word = from; word < to; word++) words.add(pair.gold.placeOf[word]);
      }
      return pair.units.flatMap(([from, to], unit) => {
        for (let word = from; word < to; word++) if (words.has(word)) return [unit];
        return [];
      });
    }

    const light = (one, on) => {
      for (const side of ["gold", "system"])
        for (const node of one.nodes[side]) shown.want(side, drawn(side, node), on);
    };
    const go = (one) => {
      const side = one.nodes.system.length ? "system" : "gold";
      if (one.nodes[side].length) shown.go(side, drawn(side, one.nodes[side][0]));
    };

    const scale = () => {
      const { scroller, svg, width, height, words } = shown;
      const full = document.fullscreenElement === box;
      const room = [scroller.clientWidth / width, full ? scroller.clientHeight / height : 1];
      const size = Math.min(1, Math.max(SMALLEST, Math.min(...room)));
      svg.setAttribute("width", Math.floor(width * size));
      svg.setAttribute("height", Math.floor(height * size));
      // A picture that scrolls starts at its words; text from right to left starts at the right.
      if (width * size > 1.2 * scroller.clientWidth)
        scroller.scrollLeft = words * size - scroller.clientWidth / 2;
      else if (whole.rightToLeft) scroller.scrollLeft = scroller.scrollWidth;
    };

    const done = make("span", { class: "done", role: "status" });
    const tell = (text) => {
      done.textContent = text;
    };
    const button = (text, title, click) => make("button", { class: "quiet", title, click }, text);
    const folding = button("Fold correct parts", "Draw wholly correct constituents as triangles", () => {
      view.folded = !view.folded;
      view.opened.clear();
      folding.setAttribute("aria-pressed", String(view.folded));
      fresh();
    });
    folding.setAttribute("aria-pressed", String(view.folded));
    const screen = button("Full screen", "Escape ends it", () => {
      if (document.fullscreenElement) document.exitFullscreen();
      else box.requestFullscreen?.().catch(() => tell("The browser does not allow it"));
    });
    const latex = (name) =>
      button(`${whole.names[name]} LaTeX`, "Copy the tree for the package forest", async () => {
        if (whole[name].order.some((word, i) => word !== i)) return tell("forest draws no trees with gaps");
        const tree = (view.side && name !== view.side ? whole : shown.pair)[name];
        return tell((await copied(Trees.forest(tree))) ? "Copied" : "Could not be copied");
      });
    const sides = ["gold", "system"].filter((name) => whole[name].labels.length);
    const picture = button("SVG", "This picture as a file", () => save(shown.frame));
    const how = { class: "tools", role: "group", "aria-label": "The picture" };
    const tools = make("div", how, folding, screen, picture, ...sides.map(latex), done);
    const choice = make("fieldset", { class: "segments" }, make("legend", { class: "hidden" }, "Tree"));
    for (const name of ["gold", "system"]) {
      const input = make("input", { type: "radio", name: "side", value: name, checked: name === "system" });
      input.addEventListener("change", () => {
        view.side = name;
        fresh();
      });
      choice.append(make("label", {}, input, make("span", {}, whole.names[name])));
    }
    box.addEventListener("fullscreenchange", () => requestAnimationFrame(scale));
    fresh();
    if (!fits(901) && SMALLEST * shown.width > innerWidth - 80) {
      view.side = "system";
      fresh();
    }
    box.append(...(view.side ? [choice] : []), stage, legend(whole, corrections), tools);
    requestAnimationFrame(scale);
    return { light, go };
  }

  return { place };
})();

async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // A page opened from a file may lack the permission; copying a selection always works.
    const box = make("textarea", { class: "hidden", "aria-label": "Text to copy" });
    box.value = text;
    document.body.append(box);
    box.select();
    const done = document.execCommand("copy");
    box.remove();
    return done;
  }
}
