/* Pair: the details of a sentence: its picture, the differences in words, and the trees as text. */
"use strict";

const FLAGS = { unaligned: 1, goldUnparsed: 2, systemUnparsed: 4, rightToLeft: 8, gaps: 16, gapErrors: 32, resegmented: 64, otherWords: 128 };
const DRAWN_AT_ONCE = 4000; // nodes and words
const LISTED_DEPTH = 150;
const SMALLEST = 0.65; // minimum scale of a picture, except with "Fit"
const FOLDED_ABOVE = 30; // words

const grouped = new Intl.NumberFormat("en").format;
const plural = (count, word) => `${grouped(count)} ${word}${count === 1 ? "" : "s"}`;
const rate = (value) => (value === null ? "–" : (100 * value).toFixed(2));

/* Return a row of the data as an object, with derived figures. */
function itemOf(names, row, ids) {
  const item = {};
  names.forEach((name, i) => { item[name] = row[i] ?? 0; });
  item.columns ||= [];
  item.notes ||= [];
  item.id = ids[item.number] ?? null;
  const total = item.gold + item.system;
  item.f1 = total ? (2 * item.matched) / total : null;
  item.missed = item.gold - item.matched;
  item.extra = item.system - item.matched;
  item.tagRate = item.tags ? item.correctTags / item.tags : null;
  return item;
}

const wordsOf = (item, name) => {
  const words = name === "gold" || item.systemWords === 0 ? item.goldWords : item.systemWords;
  return typeof words === "string" ? words.split(" ") : words;
};
const textOf = (item, name) => visible(wordsOf(item, name).join(" "));
const direction = (item) => (item.flags & FLAGS.rightToLeft ? "rtl" : "ltr");

/* Return the decoded trees of a sentence, with its units and aligned nodes. */
function pairOf(data, item) {
  const gold = Trees.decode(item.goldTree, wordsOf(item, "gold"), data.labels);
  const systemText = item.systemTree === 0 ? item.goldTree : item.systemTree;
  const system = Trees.decode(systemText, wordsOf(item, "system"), data.labels);
  const units = Trees.units(item.units, gold.words.length);
  let pairs = [];
  if (item.pairs === 0) {
    const scored = (tree) => tree.marks.flatMap((mark, node) =>
      (mark === MARKS.matched || mark === MARKS.matchedCrossing ? [node] : []));
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
  return { gold, system, units, pairs, rightToLeft: Boolean(item.flags & FLAGS.rightToLeft), number: item.number };
}

function bar(value) {
  const bar = draw("svg", { class: "bar", viewBox: "0 0 100 8", preserveAspectRatio: "none", "aria-hidden": "true" });
  bar.append(draw("rect", { class: "rail", width: 100, height: 8 }), draw("rect", { class: "fill", width: 100 * (value ?? 0), height: 8 }));
  return bar;
}

/* Return the pattern of a search between slashes, null for any other; throw a message if it is invalid. */
function patternOf(query) {
  const found = /^\/(.+)\/(i?)$/s.exec(query);
  if (!found) return null;
  try {
    return new RegExp(found[1], `${found[2]}u`);
  } catch (error) {
    throw `This is no regular expression: ${error.message}`;
  }
}

/* Return a text with the matches of a search marked. */
function marked(text, query) {
  const wanted = visible(query.trim());
  if (!wanted) return [text];
  const pattern = patternOf(wanted);
  const source = pattern ? new RegExp(pattern.source, `g${pattern.flags}`) : new RegExp(wanted.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"), "giu");
  const parts = [];
  let end = 0;
  for (const found of text.matchAll(source)) {
    if (!found[0]) continue;
    parts.push(text.slice(end, found.index), make("mark", {}, found[0]));
    end = found.index + found[0].length;
  }
  return [...parts, text.slice(end)];
}

const Pair = (() => {
  const range = (name, first, end) => {
    if (end <= first) return `no ${name} sentence`;
    return end - first === 1 ? `${name} sentence ${end}` : `${name} sentences ${first + 1}–${end}`;
  };

  /* Put sentence numbers, counts and notes of a sentence into its panel. */
  function about(panel, item) {
    const counts = [
      `${item.matched} matched`, `${item.missed} missed`, `${item.extra} extra`, `${item.crossing} crossing`,
      `recall ${rate(item.gold ? item.matched / item.gold : null)}`, `precision ${rate(item.system ? item.matched / item.system : null)}`,
    ];
    panel.append(make("p", { class: "about" },
      item.id === null ? "" : make("bdi", { class: "id" }, visible(item.id)), `${range("gold", item.goldFirst, item.goldEnd)} against ${range("system", item.systemFirst, item.systemEnd)}`,
      make("span", { class: "counts" }, counts.join(" · "))));
    for (const note of item.notes) panel.append(make("p", { class: "note" }, make("bdi", {}, visible(note))));
  }

  const KEYS = {
    matched: ["NP", 34, 8.5, (pair) => (pair.compared ? "in both trees" : "matched")], missed: ["− NP", 48, 8.5, (pair) => `missing in ${pair.names.system}`],
    extra: ["+ NP", 48, 1, (pair) => `extra in ${pair.names.system}`], crossing: ["× NP", 50, 5, () => "crosses a gold constituent"],
    right: ["✓ NP", 50, 8.5, () => "in one tree only, right"], wrong: ["✗ NP", 50, 1.5, () => "in one tree only, wrong"],
    "other-tag": ["! NN", 46, 8.5, () => "other tag"],
  };

  /* Return the marks that occur in a picture, with their meaning. */
  function legend(pair, { group, repairs }) {
    const { names, gold, system } = pair;
    const sides = [[gold, pair.classes?.gold ?? "", names.gold], [system, pair.classes?.system ?? "", names.system]];
    const items = [];
    for (const [kind, [text, size, round, meaning]] of Object.entries(KEYS)) {
      for (const [tree, colour, name] of sides) {
        if (!tree.marks.some((mark) => KINDS[mark].name === kind)) continue;
        const own = ["right", "wrong"].includes(kind);
        const sample = draw("svg", { width: size, height: 19, class: `sample ${colour}`, "aria-hidden": "true" },
          draw("g", { class: `node ${kind}` }, draw("rect", { class: "shape", x: 1, y: 1, width: size - 2, height: 17, rx: round }), draw("text", { x: size / 2, y: 13.5, "text-anchor": "middle" }, text)));
        items.push(make("li", {}, sample, make("bdi", {}, own ? `only in ${name}, ${kind}` : meaning(pair))));
        if (!own) break;
      }
    }
    const line = (name, text) => items.push(make("li", {}, make("span", { class: name, "aria-hidden": "true" }), text));
    if (repairs.some(({ moves }) => moves)) line("thick-line", "where the numbered phrase hangs");
    if (group) line("wanted-sample", "what was asked for");
    if ([gold, system].some((tree) => Trees.gaps(tree).some(Boolean))) items.push(make("li", {}, make("b", { "aria-hidden": "true" }, "⋯"), "words in between belong to another constituent"));
    if (Trees.sentenceEnds(gold).length || Trees.sentenceEnds(system).length) line("break-line", "a sentence ends on one side");
    return make("ul", { class: "legend", "aria-label": "Marks in these trees" }, ...items);
  }

  /* Put the picture of a pair into a panel, at once unless it is very large; return functions that light up repairs. */
  function place(panel, pair, item, across, storage, repairs, { wanted = null, rest = [] } = {}) {
    const sizeOf = ({ gold, system }) => [gold, system].reduce((sum, tree) => sum + tree.labels.length + tree.words.length, 0);
    const size = Math.min(sizeOf(pair), sizeOf(pair) > DRAWN_AT_ONCE ? sizeOf(Trees.fold(pair, new Set())) : Infinity);
    const place_ = make("div", { class: "drawing" });
    panel.append(place_);
    let made = null;
    const start = () => { made = drawing(place_, pair, item, across, storage, repairs, wanted, rest); };
    if (!size) {
      place_.append(make("p", { class: "note" }, "There is nothing to draw: no tree on either side."));
    } else if (size > DRAWN_AT_ONCE) {
      const button = make("button", { class: "quiet", click: start }, "Draw it");
      place_.append(make("p", { class: "note" }, `This pair has ${grouped(size)} nodes and words; drawing it may take a while. `, button));
    } else {
      start();
    }
    return { light: (repair, on) => made?.light(repair, on), go: (repair) => made?.go(repair) };
  }

  /* Draw the picture with its tools.  `view` holds the unfolded nodes and the chosen size. */
  function drawing(place, whole, item, across, storage, repairs, wanted, rest) {
    // With one cause chosen, the errors of the others are folded as if they were correct.
    const relevant = repairs.length && rest.length
      ? Object.fromEntries(["gold", "system"].map((side) => [side, new Set(repairs.flatMap(({ nodes }) => nodes[side]))])) : null;
    const long = Math.max(whole.gold.words.length, whole.system.words.length) > FOLDED_ABOVE;
    const view = { folded: long || relevant !== null, opened: new Set(), size: storage.get("size") ?? "" };
    const status = make("p", { class: "reading", role: "status" });
    const stage = make("div", { class: "stage" });
    const setStatus = (about) => status.replaceChildren(...(about ? sentenceAbout(about, item, whole.names) : [hint()]));
    let shown = null;
    const drawnNode = (side, node) => { const { of } = shown.pair[side]; return of ? of[node] : node; };

    // On a narrow screen, or where both do not fit, one tree is drawn, with a switch.
    const fits = (width) => matchMedia(`(min-width: ${width}px)`).matches || !whole.gold.words.length || !whole.system.words.length;
    view.side = fits(621) ? null : "system";

    const fresh = () => {
      const both = view.folded ? Trees.fold(whole, view.opened, relevant) : whole;
      const pair = view.side ? Trees.alone(both, view.side) : both;
      const made = Picture.picture(pair, across, setStatus, (node) => { view.opened.add(node); fresh(); });
      const heading = (name) => make("span", { class: `side-name ${name}` }, titleOf(name));
      const names = ["gold", "system"].map((name) => (view.side && name !== view.side ? "" : heading(name)));
      if (!across && whole.rightToLeft) names.reverse();
      const scroller = make("div", { class: `scroller${across ? " across" : ""}`, dir: "ltr", tabindex: 0, role: "group", "aria-label": "Picture of the trees" });
      if (across) scroller.append(names[0], made.frame, names[1]);
      else scroller.append(make("div", { class: "side-names" }, ...names), made.frame);
      stage.replaceChildren(scroller);
      shown = { ...made, pair, scroller };
      setStatus(null);
      requestAnimationFrame(scale);
      for (const [side, nodes] of Object.entries(wanted?.(pair) ?? {})) for (const node of nodes) made.want(side, drawnNode(side, node));
      repairs.forEach(({ nodes, edges, units }, i) => {
        for (const side of ["gold", "system"]) {
          for (const node of nodes[side].slice(0, 1)) made.number(side, drawnNode(side, node), String(i + 1));
          for (const node of edges[side]) made.hang(side, drawnNode(side, node));
        }
        made.tint(view.folded ? foldedUnits(both, units) : units, i);
      });
    };

    /* Return the units of a folded pair that hold units of the whole one. */
    function foldedUnits(pair, units) {
      const words = new Set(units.flatMap((unit) => { const [from, to] = whole.units[unit]; return Array.from({ length: to - from }, (_, i) => pair.gold.placeOf[from + i]); }));
      return pair.units.flatMap(([from, to], unit) => { for (let word = from; word < to; word++) if (words.has(word)) return [unit]; return []; });
    }

    const light = (repair, on) => {
      for (const side of ["gold", "system"]) for (const node of repair.nodes[side]) shown.want(side, drawnNode(side, node), on);
    };
    const goTo = (repair) => {
      const side = repair.nodes.system.length ? "system" : "gold";
      if (repair.nodes[side].length) shown.go(side, drawnNode(side, repair.nodes[side][0]));
    };

    const scale = () => {
      const { scroller, svg, width, height, words } = shown;
      const room = [scroller.clientWidth, document.fullscreenElement === place ? scroller.clientHeight : Infinity];
      // A picture that would be illegible scrolls, except with "Fit".
      const least = view.size === "fit" ? 0 : SMALLEST;
      const size = view.size === "full" ? 1 : Math.min(1, Math.max(least, Math.min(room[0] / width, room[1] / height)));
      svg.setAttribute("width", Math.floor(width * size));
      svg.setAttribute("height", Math.floor(height * size));
      // A picture that scrolls starts at its words; text from right to left starts at the right.
      const much = width * size > 1.2 * scroller.clientWidth;
      if (!across && much) scroller.scrollLeft = words * size - scroller.clientWidth / 2;
      else if (whole.rightToLeft) scroller.scrollLeft = scroller.scrollWidth;
    };

    const button = (text, title, act) => make("button", { class: "quiet", title, click: act }, text);
    const sized = (name, text, title) => {
      const made = button(text, title, () => {
        view.size = view.size === name ? "" : name;
        storage.set("size", view.size);
        for (const one of sizes) one.setAttribute("aria-pressed", String(one.dataset.size === view.size));
        scale();
      });
      made.dataset.size = name;
      made.setAttribute("aria-pressed", String(view.size === name));
      return made;
    };
    const sizes = [sized("fit", "Fit", "Shrink the picture until it fits"), sized("full", "100 %", "Full size")];
    const folding = button("Fold correct parts", "Draw wholly correct constituents as triangles", () => {
      view.folded = !view.folded;
      view.opened.clear();
      folding.setAttribute("aria-pressed", String(view.folded));
      fresh();
    });
    folding.setAttribute("aria-pressed", String(view.folded));
    const titleOf = (name) => whole.names[name];
    const sides = make("fieldset", { class: "segments sides-switch" }, make("legend", { class: "hidden" }, "Tree"), ...["gold", "system"].map((name) => {
      const input = make("input", { type: "radio", name: `side-${whole.number}`, value: name, checked: name === "system" });
      input.addEventListener("change", () => { view.side = name; fresh(); });
      return make("label", {}, input, make("span", {}, titleOf(name)));
    }));
    const done = make("span", { class: "done", role: "status" });
    const tools = make("div", { class: "tools", role: "group", "aria-label": "The picture" }, folding, ...sizes,
      button("Full screen", "Escape ends it", () => {
        if (document.fullscreenElement) document.exitFullscreen();
        else place.requestFullscreen?.().catch(() => { done.textContent = "The browser does not allow it"; });
      }), done);
    place.addEventListener("fullscreenchange", () => requestAnimationFrame(scale));
    fresh();
    if (!fits(901) && SMALLEST * shown.width > innerWidth - 80) {
      view.side = "system";
      fresh();
    }
    place.replaceChildren(tools, ...(view.side ? [sides] : []), stage, legend(whole, { group: Boolean(wanted), repairs }), status);
    return { light, go: goTo };
  }

  async function copy(text) {
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

  const hint = () => make("span", { class: "hint" }, "Point at a node or a word to see what it is aligned with; arrow keys and Enter do the same.");

  function sentenceAbout(about, item, names) {
    const quote = (text) => make("q", { dir: direction(item) }, text);
    if (about.unit) {
      const [gold, system] = about.unit;
      if (gold === system) return [quote(gold), " is the same on both sides."];
      return [gold ? quote(gold) : `no word of ${names.gold}`, " is aligned with ", system ? quote(system) : `no word of ${names.system}`, "."];
    }
    const line = [make("b", {}, make("bdi", {}, about.label)), ` in the ${about.side} tree, ${about.span}: `, quote(about.text), ` — ${about.state}`];
    if (about.partners.length) line.push("; aligned with ", make("b", {}, make("bdi", {}, about.partners.map((one) => one.label).join(", "))),
      about.partners[0].span === about.span ? "" : `, ${about.partners[0].span}`);
    return [...line, "."];
  }

  /* Return the trees as nested lists and as bracket text. */
  function asText(pair, item) {
    const details = make("details", { class: "as-text" }, make("summary", {}, "Trees as nested lists and as brackets"));
    details.addEventListener("toggle", () => {
      if (!details.open || details.children.length > 1) return;
      const columns = ["gold", "system"].map((name) => {
        const column = make("section", {}, make("h4", {}, pair.names[name]));
        column.append(nested(pair[name], item), make("pre", { dir: "ltr", tabindex: "0", "aria-label": `${name} tree as brackets` }, visible(Trees.bracketText(pair[name]))));
        return column;
      });
      details.append(make("div", { class: "columns" }, ...columns));
    });
    return details;
  }

  function nested(tree, item) {
    const top = make("ul", { class: "nested" });
    const lists = [];
    const depth = [];
    for (let node = 0; node < tree.labels.length; node++) {
      depth[node] = node ? depth[tree.parents[node]] + 1 : 0;
      if (depth[node] > LISTED_DEPTH) {
        return make("p", { class: "note" }, `This tree is more than ${LISTED_DEPTH} levels deep; it is given as brackets only.`);
      }
    }
    for (let node = 0; node < tree.labels.length; node++) {
      const kind = KINDS[tree.marks[node]];
      const label = make("span", { class: `label ${kind.name}` }, `${kind.sign ? `${kind.sign} ` : ""}${visible(tree.labels[node]) || "∅"}`);
      const li = make("li", {}, label);
      if (!["plain", "matched"].includes(kind.name)) li.append(make("span", { class: "kind" }, ` ${kind.name === "other-tag" ? "other tag" : kind.name}`));
      if (Trees.isTag(tree, node)) {
        li.append(" ", make("span", { class: "words", dir: direction(item) }, visible(tree.words[~tree.children[node][0]])));
      } else {
        lists[node] = make("ul", {});
        li.append(lists[node]);
      }
      (node ? lists[tree.parents[node]] : top).append(li);
    }
    // Words beside constituents come in at their place among the children.
    tree.children.forEach((children, node) => {
      if (!lists[node]) return;
      let before = null;
      for (let i = children.length - 1; i >= 0; i--) {
        if (children[i] >= 0) {
          before = before === null ? lists[node].lastElementChild : before.previousElementSibling;
        } else {
          const li = make("li", { class: "words", dir: direction(item) }, visible(tree.words[~children[i]]));
          lists[node].insertBefore(li, before);
          before = li;
        }
      }
    });
    return top;
  }

  return { about, place, range, asText, copy };
})();
