/* Picture: two trees face to face as SVG, gold at the left, their words between them, a row for each word.
   Text from right to left is mirrored. */
"use strict";

/* Create an element; strings become text nodes, so no word can be markup.  `click` is a function. */
function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  if (name === "button") element.type = name;
  for (const [key, value] of Object.entries(attributes)) {
    if (key === "click") element.addEventListener(key, value);
    else if (value !== null && value !== false) element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children);
  return element;
}

function draw(name, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/* Escape characters without a glyph. */
const visible = (text) =>
  text.replace(
    /[\p{Cc}\p{Cs}\u2028\u2029]/gu,
    (sign) => "\\u" + sign.charCodeAt(0).toString(16).padStart(4, "0")
  );

/* Return a label without its function tags, which are shown but not scored. */
const coreLabel = (label) => label.replace(/[-=].*$/s, "");

const KINDS = {
  [MARKS.matched]: { name: "matched", sign: "" },
  [MARKS.missed]: { name: "missed", sign: "−" },
  [MARKS.extra]: { name: "extra", sign: "+" },
  [MARKS.crossing]: { name: "crossing", sign: "×" },
  [MARKS.matchedCrossing]: { name: "crossing", sign: "×" },
  [MARKS.right]: { name: "right", sign: "✓" },
  [MARKS.wrong]: { name: "wrong", sign: "✗" },
  [MARKS.otherTag]: { name: "other-tag", sign: "!" },
  "": { name: "plain", sign: "" }
};

/* Return the sign behind the label of a node with gaps: three dots for each, or their number. */
const gapSign = (gaps) => (!gaps ? "" : gaps > 3 ? ` ⋯${gaps}` : ` ${"⋯".repeat(gaps)}`);

const Picture = (() => {
  const ROW = 25; // between words
  const PILL = 19; // height of a node
  const GAP = 17; // between a node and its parent, for the lines
  const BREAK = 24; // room of the line where a sentence ends
  const measured = new Map();
  let pen = null;

  const most = (sizes) => sizes.reduce((one, two) => Math.max(one, two), 0);

  function width(text, font) {
    const key = font + "\n" + text;
    if (!measured.has(key)) {
      pen ??= document.createElement("canvas").getContext("2d");
      pen.font = font;
      if (measured.size > 50000) measured.clear();
      measured.set(key, pen.measureText(text).width);
    }
    return measured.get(key);
  }

  function fonts() {
    const style = getComputedStyle(document.documentElement);
    const [sans, serif] = ["--sans", "--serif"].map((name) => style.getPropertyValue(name).trim());
    return { node: `600 12px ${sans}`, tag: `500 11px ${sans}`, word: `15px ${serif}` };
  }

  /* Return one side of the picture: its tree, and the sizes of its texts. */
  function side(name, tree, font, title) {
    const tags = tree.labels.map((_, node) => Trees.isTag(tree, node));
    // Nodes at the top that never count, such as TOP and @S, are not drawn.
    const hidden = [];
    tree.marks.forEach((mark, node) => {
      hidden[node] = mark === "" && !tags[node] && (tree.parents[node] < 0 || hidden[tree.parents[node]]);
    });
    const kinds = tree.marks.map((mark) => KINDS[mark]);
    const gapsOf = Trees.gaps(tree);
    const texts = tree.labels.map((label, node) => {
      const text = visible(label) || "∅";
      const sign = kinds[node].sign;
      return (sign ? `${sign} ${text}` : text) + gapSign(gapsOf[node]);
    });
    const boxes = texts.map(
      (text, node) => width(text, tags[node] ? font.tag : font.node) + (kinds[node].name === "plain" ? 8 : 15)
    );
    const words = tree.words.map((word) => visible(word) || "∅");
    return {
      name,
      title,
      tree,
      tags,
      hidden,
      kinds,
      texts,
      gapsOf,
      boxes,
      words,
      wordWidths: words.map((word) => width(word, font.word))
    };
  }

  /* Return the distance of each node from the words: as small as the nodes below it allow.
     Short labels have equal widths, so that nodes are aligned; a folded tree is dense. */
  function distances(one, dense) {
    const SHORT = dense ? 24 : 34;
    const apart = dense ? 9 : GAP;
    const tags = one.boxes.filter((_, node) => one.tags[node]);
    const tagRoom = most(tags);
    const room = one.boxes.map((box, node) => (one.tags[node] ? tagRoom : Math.max(box, SHORT)));
    const found = room.map((size) => size / 2 + 4);
    const raise = (node, over) => {
      found[node] = Math.max(found[node], found[over] + room[over] / 2 + apart + room[node] / 2);
    };
    const nodes = found.map((_, node) => node).reverse();
    if (!one.gaps.length) {
      for (const node of nodes) if (node) raise(one.tree.parents[node], node);
    } else {
      // A node with gaps is farther away than the nodes inside them.
      const range = (node) => one.end[node] - one.first[node];
      const done = [];
      for (const node of nodes.sort((a, b) => range(a) - range(b) || b - a)) {
        for (const child of one.tree.children[node]) if (child >= 0) raise(node, child);
        if (one.gaps.includes(node)) {
          for (const over of done)
            if (one.first[over] >= one.first[node] && one.end[over] <= one.end[node]) raise(node, over);
        }
        done.push(node);
      }
    }
    return {
      middles: found,
      room,
      total: most(found.map((middle, node) => (one.hidden[node] ? 0 : middle + room[node] / 2)))
    };
  }

  function shape(kind, x, y, box, tag) {
    const h = tag ? 16 : PILL;
    const [left, right, top, bottom] = [x - box / 2, x + box / 2, y - h / 2, y + h / 2];
    if (kind === "crossing") {
      const cut = 6;
      const points = [
        [left, y],
        [left + cut, top],
        [right - cut, top],
        [right, y],
        [right - cut, bottom],
        [left + cut, bottom]
      ];
      return draw("polygon", { class: "shape", points: points.map((point) => point.join(",")).join(" ") });
    }
    const round = ["extra", "wrong"].includes(kind) ? 1.5 : h / 2;
    return draw("rect", { class: "shape", x: left, y: top, width: box, height: h, rx: round });
  }

  /* Draw the lines of nodes with gaps over the others, which are interrupted where they cross. */
  function bridge(one, edges) {
    const below = one.tree.labels.map(() => []);
    one.edgeOf.forEach((path, node) => below[one.tree.parents[node]].push(path));
    one.wordEdge.forEach((path, place) => below[one.tree.wordParents[place]].push(path));
    const over = (node) => (one.gapsOf[node] ? one.level[node] : 0);
    for (const paths of below
      .map((found, node) => [over(node), found])
      .sort(([a], [b]) => a - b)
      .map(([, found]) => found)) {
      const clear = paths.map((path) => draw("path", { class: "clear", d: path.getAttribute("d") }));
      edges.append(...clear, ...paths);
    }
  }

  const KIND_WORDS = {
    matched: "matched",
    missed: "missed by the system",
    extra: "extra in the system’s tree",
    crossing: "crosses a gold constituent",
    right: "only in this tree, and right",
    wrong: "only in this tree, and wrong",
    "other-tag": "the other side has another tag",
    plain: "not scored"
  };

  function describe(one, node) {
    const kind = one.kinds[node].name;
    const label = visible(one.tree.labels[node]) || "no label";
    const { words } = Trees.below(one.tree, node);
    const texts = words.map((word) => one.words[word]);
    const text =
      texts.length > 12
        ? [...texts.slice(0, 6), "…", ...texts.slice(-5)].join(" ")
        : Trees.phrase(words, texts);
    const places = Trees.placesOf(one.tree, words);
    const blocks = Trees.blocks(places).map(([from, to]) =>
      from === to ? `${from + 1}` : `${from + 1}–${to + 1}`
    );
    const span = words.length ? `${places.length > 1 ? "words" : "word"} ${blocks.join(", ")}` : "no words";
    const gaps = one.gapsOf[node]
      ? `, with ${one.gapsOf[node] > 1 ? `${one.gapsOf[node]} gaps` : "a gap"}`
      : "";
    const state =
      one.tree.marks[node] === MARKS.matchedCrossing
        ? "matched, but crosses a gold constituent"
        : one.tags[node] && kind === "plain"
          ? "tag"
          : one.tree.folds?.has(node)
            ? "matched, with all that is in it"
            : KIND_WORDS[kind];
    return { label, state: state + gaps, span, text, side: one.title };
  }

  /* Return the units before which a sentence ends, with the sides where it does. */
  function breaksOf(pair) {
    const found = new Map();
    for (const [name, at] of [
      ["gold", 0],
      ["system", 2]
    ]) {
      for (const word of Trees.sentenceEnds(pair[name])) {
        const unit = pair.units.findIndex((one) => one[at] >= word);
        if (unit > 0) found.set(unit, [...(found.get(unit) ?? []), name]);
      }
    }
    return found;
  }

  /* Draw a pair: {gold, system, units, pairs, rightToLeft, number}.  Return the frame of the SVG, its size,
     the position of the words, and go(side, node), which moves the focus to a node.  `open` is called with
     the gold node to unfold. */
  function picture(pair, open) {
    const font = fonts();
    const gold = side("gold", pair.gold, font, pair.names.gold);
    const system = side("system", pair.system, font, pair.names.system);
    const sides = { gold, system };
    const breaks = breaksOf(pair);
    const {
      starts,
      ends,
      total: length,
      gold: goldMiddles,
      system: systemMiddles
    } = Trees.spread(
      pair.units,
      gold.words.map(() => ROW),
      system.words.map(() => ROW),
      new Map([...breaks.keys()].map((unit) => [unit, BREAK]))
    );
    gold.middles = goldMiddles;
    system.middles = systemMiddles;
    for (const one of [gold, system]) {
      Object.assign(one, Trees.place(one.tree, one.middles));
      one.away = distances(one, pair.whole);
    }
    // Identical words are drawn once, between the trees.
    const shared = pair.units.every(
      ([g1, g2, s1, s2]) => g2 - g1 === 1 && s2 - s1 === 1 && gold.words[g1] === system.words[s1]
    );
    const only = !system.words.length ? gold : !gold.words.length ? system : null;
    const lane = (one) => most(one.wordWidths) + 20;
    const gap = shared || only ? 0 : 48;
    const lanes = shared
      ? [lane(gold) / 2, lane(gold) / 2]
      : [gold.words.length ? lane(gold) : 0, system.words.length ? lane(system) : 0];
    const HEAD = 30;
    const PAD = 14;
    // Distances of each side's tree and words from the middle line.
    for (const [one, i] of [
      [gold, 0],
      [system, 1]
    ]) {
      one.base = gap / 2 + lanes[i];
      one.wordAt = shared ? 0 : gap / 2 + lanes[i] / 2;
    }
    const away = [gold.base + gold.away.total, system.base + system.away.total].map((size) => size + PAD);
    const start = HEAD;
    const middle = away[0];
    const high = length + HEAD + PAD;
    const totalWidth = Math.max(away[0] + away[1], 220);
    const mirror = (x) => (pair.rightToLeft ? totalWidth - x : x);
    const point = (one, along, distance) => {
      const apart = middle + (one === gold ? -distance : distance);
      return [mirror(apart), start + along];
    };
    const svg = draw("svg", {
      class: "trees",
      width: Math.ceil(totalWidth),
      height: Math.ceil(high),
      viewBox: `0 0 ${Math.ceil(totalWidth)} ${Math.ceil(high)}`,
      role: "group",
      "aria-label":
        `Trees of sentence ${pair.number}: ${gold.title} and ${system.title}. ` +
        "Arrow keys walk from node to node, Enter goes to the aligned node."
    });
    const layer = (name) => {
      const group = draw("g", { class: name });
      svg.append(group);
      return group;
    };
    const bands = layer("bands");
    const links = layer("links");
    const linkOf = [];

    // Bands: one for each unit, visible only if it is highlighted.
    const bandOf = pair.units.map((_, unit) => {
      const [from, to] = [start + starts[unit], start + ends[unit]];
      const box = { x: 0, y: from, width: totalWidth, height: to - from };
      const band = draw("rect", { class: "band", ...box });
      bands.append(band);
      return band;
    });

    // Where a sentence ends on one side, a line runs across the words and that side.
    for (const [unit, names] of breaks) {
      const at = start + starts[unit] - BREAK / 2;
      const group = draw("g", { class: "break" });
      for (const name of names) {
        const one = sides[name];
        const [x1, y1] = point(
          sides[name === "gold" ? "system" : "gold"],
          at - start,
          shared ? lanes[0] : gap / 2 + lanes[1 - (name === "gold" ? 0 : 1)]
        );
        const [x2, y2] = point(one, at - start, away[name === "gold" ? 0 : 1] - 4);
        const text = `sentence ends here in ${one.title}`;
        const size = width(text, font.tag) + 8;
        const corner = x2 > x1 ? x2 - size : x2;
        group.append(
          draw("line", { x1, y1, x2, y2 }),
          draw("rect", { x: corner, y: y2 - 9, width: size, height: 18 }),
          draw("text", { x: corner + 4, y: y2 + 4, direction: "ltr" }, text)
        );
      }
      svg.append(group);
    }

    // The word alignment, where there are two rows of words.
    if (!shared && !only) {
      pair.units.forEach(([g1, g2, s1, s2], unit) => {
        if (g1 === g2 || s1 === s2) return;
        const plain = g2 - g1 === 1 && s2 - s1 === 1;
        const same = plain && gold.words[g1] === system.words[s1];
        const group = draw("g", { class: `link ${plain ? (same ? "same" : "other") : "many"}` });
        const centre = (starts[unit] + ends[unit]) / 2;
        for (const [one, from, to] of [
          [gold, g1, g2],
          [system, s1, s2]
        ]) {
          for (let word = from; word < to; word++) {
            const [x1, y1] = point(one, one.middles[word], gap / 2 + 3);
            const [x2, y2] = point(one, centre, 0);
            const bend = (x1 + x2) / 2;
            const path = `M${x1},${y1}C${bend},${y1} ${bend},${y2} ${x2},${y2}`;
            group.append(draw("path", { d: path }));
          }
        }
        if (!plain) {
          const [cx, cy] = point(gold, centre, 0);
          group.append(draw("circle", { cx, cy, r: 3 }));
        }
        links.append(group);
        linkOf[unit] = group;
      });
    }

    const unitOf = { gold: [], system: [] };
    pair.units.forEach(([g1, g2, s1, s2], unit) => {
      for (let i = g1; i < g2; i++) unitOf.gold[i] = unit;
      for (let i = s1; i < s2; i++) unitOf.system[i] = unit;
    });

    for (const one of [gold, system]) {
      const group = layer(`side ${one.name} ${pair.classes?.[one.name] ?? ""}`.trim());
      const edges = draw("g", { class: "edges" });
      const words = draw("g");
      const nodes = draw("g");
      group.append(edges, words, nodes);
      one.edgeOf = [];
      one.nodeOf = [];
      one.wordOf = [];
      one.wordEdge = [];
      const at = (node) => point(one, one.along[node], one.base + one.away.middles[node]);
      one.at = at;
      const inward = (one === gold ? 1 : -1) * (pair.rightToLeft ? -1 : 1);
      const edge = (node, [x2, y2], reach) => {
        const [x1, y1] = at(node);
        const bus = x1 + inward * (one.away.room[node] / 2 + (pair.whole ? 3 : 7));
        const bend = Math.min(pair.whole ? 4 : 6, Math.abs(y2 - y1) / 2);
        const turn = Math.sign(y2 - y1) * bend;
        const path =
          `M${x1 + (inward * one.boxes[node]) / 2},${y1}H${bus}` +
          (turn ? `V${y2 - turn}Q${bus},${y2} ${bus + inward * bend},${y2}` : "") +
          `H${x2 - inward * reach}`;
        return draw("path", { d: path });
      };
      /* The triangle between a folded node and its words. */
      const roof = (node, [x2, y2], place) => {
        const [x1, y1] = at(node);
        const half = 9;
        const end = x2 - inward * (one.wordWidths[place] / 2 + 5);
        return draw("path", {
          d: `M${x1 + (inward * one.boxes[node]) / 2},${y1}L${end},${y2 - half}V${y2 + half}Z`
        });
      };
      one.tree.parents.forEach((parent, node) => {
        if (parent < 0 || one.hidden[parent]) return;
        const path = edge(parent, at(node), one.boxes[node] / 2);
        path.classList.add("edge");
        if (one.tags[node]) path.classList.add("to-tag");
        one.edgeOf[node] = path;
        edges.append(path);
      });
      one.words.forEach((word, place) => {
        const [x, y] = point(one, one.middles[place], one.wordAt);
        const parent = one.tree.wordParents[place];
        if (parent !== undefined && !one.hidden[parent]) {
          const folded = one.tree.folds?.has(parent);
          const path = folded
            ? roof(parent, [x, y], place)
            : edge(parent, [x, y], one.wordWidths[place] / 2 + 5);
          path.classList.add("edge", folded ? "roof" : "to-word");
          if (folded) path.dataset.fold = parent;
          one.wordEdge[place] = path;
          edges.append(path);
        }
        const unit = unitOf[one.name][place];
        const text = draw(
          "text",
          {
            class: "word",
            x,
            y: y + 5,
            "text-anchor": "middle",
            direction: pair.rightToLeft ? "rtl" : "ltr",
            "data-unit": unit
          },
          word
        );
        if (one.tree.folds?.has(parent)) {
          text.classList.add("folded");
          text.dataset.fold = parent;
          text.append(draw("title", {}, one.tree.full[place]));
        }
        if (!shared || one === gold) words.append(text);
        one.wordOf[place] = text;
        if (!shared && !only) {
          const [g1, g2, s1, s2] = pair.units[unit];
          if (g2 - g1 !== 1 || s2 - s1 !== 1 || gold.words[g1] !== system.words[s1])
            text.classList.add("differs");
        }
      });
      if (one.gaps.length) bridge(one, edges);
      one.tree.labels.forEach((label, node) => {
        if (one.hidden[node]) return;
        const [x, y] = at(node);
        const kind = one.kinds[node].name;
        const about = describe(one, node);
        const group = draw(
          "g",
          {
            class: `node ${kind}${one.tags[node] ? " tag" : ""}`,
            tabindex: -1,
            role: "img",
            "data-side": one.name,
            "data-node": node,
            "aria-label": `${one.title} ${about.label}, ${about.state}, ${about.span}: ${about.text}`
          },
          shape(kind, x, y, one.boxes[node], one.tags[node])
        );
        const text = draw("text", { x, y: y + 4, "text-anchor": "middle", direction: "ltr" });
        const sign = one.kinds[node].sign;
        if (sign) text.append(draw("tspan", { class: "sign" }, sign), " ");
        const core = one.tags[node] ? visible(label) || "∅" : visible(coreLabel(label));
        text.append(core || visible(label) || "∅");
        if (core && visible(label) !== core && core !== "∅") {
          text.append(draw("tspan", { class: "function" }, visible(label).slice(core.length)));
        }
        if (one.gapsOf[node]) text.append(draw("tspan", { class: "gaps" }, gapSign(one.gapsOf[node])));
        group.append(text);
        one.nodeOf[node] = group;
        nodes.append(group);
      });
    }

    const heading = (one, text) => {
      const x = mirror(one === gold ? PAD : totalWidth - PAD);
      const left = (one === gold) !== pair.rightToLeft;
      svg.append(draw("text", { class: "heading", x, y: 16, "text-anchor": left ? "start" : "end" }, text));
    };
    heading(gold, gold.title.toUpperCase());
    heading(system, system.title.toUpperCase());

    // -- highlighting ---------------------------------------------------------------

    const partners = { gold: new Map(), system: new Map() };
    for (const [g, s] of pair.pairs) {
      for (const [name, from, to] of [
        ["gold", g, s],
        ["system", s, g]
      ]) {
        if (!partners[name].has(from)) partners[name].set(from, []);
        partners[name].get(from).push(to);
      }
    }
    const other = (name) => (name === "gold" ? "system" : "gold");
    let pinned = null;

    function clear() {
      for (const lit of svg.querySelectorAll(".hot, .linked, .on"))
        lit.classList.remove("hot", "linked", "on");
      svg.classList.remove("lit");
    }

    function lightBelow(one, node) {
      const { nodes, words } = Trees.below(one.tree, node);
      for (const child of nodes) if (child !== node) one.edgeOf[child]?.classList.add("on");
      for (const word of words) one.wordEdge[word]?.classList.add("on");
      return words;
    }

    function lightUnit(unit) {
      bandOf[unit].classList.add("on");
      linkOf[unit]?.classList.add("on");
      const [g1, g2, s1, s2] = pair.units[unit];
      for (let i = g1; i < g2; i++) gold.wordOf[i].classList.add("on");
      for (let i = s1; i < s2; i++) system.wordOf[i].classList.add("on");
    }

    function show(name, node) {
      clear();
      const one = sides[name];
      svg.classList.add("lit");
      one.nodeOf[node].classList.add("hot");
      for (const word of lightBelow(one, node)) lightUnit(unitOf[name][word]);
      const found = partners[name].get(node) ?? [];
      for (const partner of found) {
        sides[other(name)].nodeOf[partner].classList.add("linked");
        lightBelow(sides[other(name)], partner);
      }
    }

    function showWord(unit) {
      clear();
      svg.classList.add("lit");
      lightUnit(unit);
    }

    function rest() {
      if (pinned) show(...pinned);
      else clear();
    }

    const unfold = (name, node) => open(pair.opens[name].get(node));
    const target = (event) => event.target.closest(".node");
    svg.addEventListener("pointerover", (event) => {
      const node = target(event);
      const word = event.target.closest(".word");
      if (node) show(node.dataset.side, Number(node.dataset.node));
      else if (word) showWord(Number(word.dataset.unit));
    });
    svg.addEventListener("pointerout", (event) => {
      if (target(event) || event.target.closest(".word")) rest();
    });
    svg.addEventListener("click", (event) => {
      const node = target(event);
      const folded = event.target.closest("[data-fold]");
      if (folded) {
        unfold(
          folded.closest(".side").classList.contains("gold") ? "gold" : "system",
          Number(folded.dataset.fold)
        );
        return;
      }
      const key = node && [node.dataset.side, Number(node.dataset.node)];
      pinned = key && !(pinned && pinned[0] === key[0] && pinned[1] === key[1]) ? key : null;
      rest();
    });

    // -- keys: one stop for Tab, arrows inside -----------------------------------------

    const first = gold.nodeOf.some(Boolean) ? gold : system;
    let current = first.nodeOf.find(Boolean) ?? null;
    current?.setAttribute("tabindex", "0");

    function go(name, node) {
      const element = sides[name].nodeOf[node];
      if (!element) return;
      current?.setAttribute("tabindex", "-1");
      current = element;
      current.setAttribute("tabindex", "0");
      current.focus();
    }
    // An SVG element that listens to focus would be another stop for Tab.
    const frame = make("div", { class: "frame" }, svg);
    frame.addEventListener("focusin", (event) => {
      const node = target(event);
      if (node) show(node.dataset.side, Number(node.dataset.node));
    });
    frame.addEventListener("focusout", rest);
    svg.addEventListener("keydown", (event) => {
      const element = target(event);
      if (!element) return;
      const [name, node] = [element.dataset.side, Number(element.dataset.node)];
      const one = sides[name];
      const vectors = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
      if (event.key in vectors) {
        const next = neighbour(one, node, vectors[event.key]);
        if (next !== null) go(name, next);
      } else if (event.key === "Enter" || event.key === " ") {
        const found = partners[name].get(node);
        if (found) go(other(name), found[0]);
      } else if (event.key === "+" && one.tree.folds?.has(node)) {
        unfold(name, node);
      } else if (event.key === "Home") {
        go(name, one.nodeOf.findIndex(Boolean));
      } else if (event.key === "Escape") {
        pinned = null;
      } else {
        return;
      }
      event.preventDefault();
    });

    /* Return the parent away from the words, a child towards them, or the nearest node along them. */
    function neighbour(one, node, [dx, dy]) {
      let outward = pair.rightToLeft ? -dx : dx;
      const forward = dy;
      if (one === system) outward = -outward;
      if (outward < 0) return one.nodeOf[one.tree.parents[node]] ? one.tree.parents[node] : null;
      if (outward > 0) return one.tree.children[node].find((child) => child >= 0) ?? null;
      let best = null;
      for (let sister = 0; sister < one.along.length; sister++) {
        const step = (one.along[sister] - one.along[node]) * forward;
        if (one.hidden[sister] || one.level[sister] !== one.level[node] || step <= 0) continue;
        if (best === null || step < (one.along[best] - one.along[node]) * forward) best = sister;
      }
      return best;
    }

    // -- corrections: numbers at nodes, the edges where a phrase hangs, and its words --------------

    const want = (name, node, on = true) => sides[name].nodeOf[node]?.classList.toggle("wanted", on);

    function number(name, node, text) {
      const [one, element] = [sides[name], sides[name].nodeOf[node]];
      if (!element) return;
      const [x, y] = one.at(node);
      const before = element.querySelectorAll(".numeral").length;
      const away_ = (name === "gold") !== pair.rightToLeft ? 1 : -1;
      const badge = draw(
        "g",
        { class: "numeral" },
        draw("circle", { cx: x + away_ * (one.boxes[node] / 2 + 1 - 15 * before), cy: y - 11, r: 7.5 })
      );
      badge.append(
        draw(
          "text",
          { x: x + away_ * (one.boxes[node] / 2 + 1 - 15 * before), y: y - 7.2, "text-anchor": "middle" },
          text
        )
      );
      element.append(badge);
    }

    function hang(name, node) {
      const edge = sides[name].edgeOf[node];
      if (!edge) return;
      edge.classList.add("thick");
      edge.parentNode.append(edge);
    }

    const tint = (units, i) => {
      for (const unit of units) bandOf[unit]?.classList.add(`tint-${i % 2}`);
    };
    return {
      frame,
      svg,
      width: Math.ceil(totalWidth),
      height: Math.ceil(high),
      words: mirror(middle),
      go,
      want,
      number,
      hang,
      tint
    };
  }

  return { picture };
})();
