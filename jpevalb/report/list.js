/* List: the sentences, searched, filtered, sorted and paged; each opens to its pair of trees. */
"use strict";

const FLAGS = { unaligned: 1, goldUnparsed: 2, systemUnparsed: 4, rightToLeft: 8 };
const PAGE = 50;
const DRAWN_AT_ONCE = 4000; // nodes and words
const LISTED_DEPTH = 150;
const SMALLEST = 0.7; // scale of a picture

const grouped = new Intl.NumberFormat("en");
const plural = (count, word) => `${grouped.format(count)} ${word}${count === 1 ? "" : "s"}`;
const rate = (value) => (value === null ? "–" : (100 * value).toFixed(2));

/* The page's data with what is computed from it: objects instead of rows. */
function readData(text) {
  const data = JSON.parse(text);
  const names = data.fields;
  data.sentences = data.rows.map((row) => {
    const item = {};
    names.forEach((name, i) => { item[name] = row[i]; });
    const total = item.gold + item.system;
    item.f1 = total ? (2 * item.matched) / total : null;
    item.missing = item.gold - item.matched;
    item.extra = item.system - item.matched;
    item.tagRate = item.tags ? item.correctTags / item.tags : null;
    return item;
  });
  data.rows = null;
  for (const name of Object.keys(data.groups)) {
    let number = 0;
    data.groups[name] = data.groups[name].map((step) => (number += step));
  }
  data.place = new Map(data.sentences.map((item, i) => [item.number, i]));
  return data;
}

const wordsOf = (item, name) => {
  const words = name === "gold" || item.systemWords === 0 ? item.goldWords : item.systemWords;
  return typeof words === "string" ? words.split(" ") : words;
};
const textOf = (item, name) => visible(wordsOf(item, name).join(" "));
const direction = (item) => (item.flags & FLAGS.rightToLeft ? "rtl" : "ltr");

/* Everything that the picture of a sentence needs. */
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
    // Tags go with their words.
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

// -- what a search asks for ------------------------------------------------------------

const SHOWN = {
  all: () => true,
  errors: (item) => item.missing > 0 || item.extra > 0,
  crossing: (item) => item.crossing > 0,
  tags: (item) => item.correctTags < item.tags,
  unaligned: (item) => (item.flags & FLAGS.unaligned) > 0,
  unparsed: (item) => (item.flags & (FLAGS.goldUnparsed | FLAGS.systemUnparsed)) > 0,
};

/* A test for sentences; throws a text that says why nothing can be found. */
function matcher(data, text, where) {
  const query = text.trim();
  if (!query) return () => true;
  if (where === "words") {
    const wanted = query.toLowerCase();
    return (item) => {
      item.search ??= `${wordsOf(item, "gold").join(" ")}\n${item.systemWords === 0 ? "" : wordsOf(item, "system").join(" ")}`.toLowerCase();
      return item.search.includes(wanted);
    };
  }
  const tests = query.split(/\s+/).map((name) => {
    const wanted = name.toLowerCase();
    const found = data.labels.flatMap((label, i) =>
      ([label, coreLabel(label)].some((one) => one.toLowerCase() === wanted) ? [i] : []));
    if (!found.length) throw `No tree has the label “${name}”.`;
    return new RegExp(`\\((?:${found.join("|")})${where === "errors" ? "[-+*~]" : "(?![0-9])"}`);
  });
  return (item) => tests.every((test) => test.test(item.goldTree) || (item.systemTree !== 0 && test.test(item.systemTree)));
}

const KEYS = {
  number: (item) => item.number,
  length: (item) => item.length,
  missing: (item) => item.missing,
  extra: (item) => item.extra,
  crossing: (item) => item.crossing,
  tags: (item) => item.tagRate,
  f1: (item) => item.f1,
};

const List = (() => {
  function create(data, root, storage) {
    const $ = (name) => root.querySelector(`[data-part="${name}"]`);
    const table = $("table");
    const body = $("rows");
    const state = {
      query: "", where: "words", shown: "all", group: null, key: "number", down: false, page: 0,
      open: new Set(), across: storage.get("layout") === "across",
    };
    let found = data.sentences;
    const sortKey = (name) => KEYS[name] ?? ((item) => item.columns[Number(name)]);

    function search() {
      let message = "";
      let test = () => true;
      try {
        test = matcher(data, state.query, state.where);
      } catch (reason) {
        message = String(reason);
        test = () => false;
      }
      const members = state.group && new Set(data.groups[state.group.name]);
      const shown = SHOWN[state.shown];
      found = data.sentences.filter((item) => shown(item) && (!members || members.has(item.number)) && test(item));
      sort();
      state.page = 0;
      render(message);
    }

    function sort() {
      const key = sortKey(state.key);
      const sign = state.down ? -1 : 1;
      // What has no value stands last either way; ties keep the order of the file.
      found = found.map((item) => [key(item), item]).sort(([a, one], [b, two]) =>
        (a === null) - (b === null) || (a === b ? one.number - two.number : sign * (a < b ? -1 : 1))).map(([, item]) => item);
    }

    function render(message = "") {
      const pages = Math.max(1, Math.ceil(found.length / PAGE));
      state.page = Math.min(state.page, pages - 1);
      const from = state.page * PAGE;
      const rows = found.slice(from, from + PAGE);
      body.replaceChildren(...rows.flatMap((item) => (state.open.has(item.number) ? [row(item), detail(item)] : [row(item)])));
      for (const th of table.querySelectorAll("th[data-key]")) {
        if (th.dataset.key === state.key) th.setAttribute("aria-sort", state.down ? "descending" : "ascending");
        else th.removeAttribute("aria-sort");
      }
      const range = rows.length ? ` · showing ${grouped.format(from + 1)}–${grouped.format(from + rows.length)}` : "";
      $("status").textContent = message || (found.length === data.sentences.length
        ? `${plural(found.length, "sentence")}${range}`
        : `${grouped.format(found.length)} of ${plural(data.sentences.length, "sentence")}${range}`);
      $("empty").hidden = rows.length > 0;
      $("empty").textContent = message || "No sentence fits. Clear the search or choose another filter.";
      $("chip").hidden = !state.group;
      if (state.group) $("chip-name").textContent = state.group.title;
      $("pager").hidden = pages === 1;
      $("page").value = state.page + 1;
      $("page").max = pages;
      $("pages").textContent = `of ${grouped.format(pages)}`;
      $("previous").disabled = state.page === 0;
      $("next").disabled = state.page === pages - 1;
    }

    // -- rows ---------------------------------------------------------------------

    function marked(text) {
      const query = state.where === "words" ? visible(state.query.trim()) : "";
      if (!query) return [text];
      const parts = text.split(new RegExp(`(${query.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")})`, "giu"));
      return parts.map((part, i) => (i % 2 ? make("mark", {}, part) : part));
    }

    function badges(item) {
      const names = [];
      if (item.flags & FLAGS.unaligned) names.push("unaligned");
      if (item.flags & FLAGS.goldUnparsed) names.push("no gold parse");
      if (item.flags & FLAGS.systemUnparsed) names.push("no system parse");
      const merged = [item.goldEnd - item.goldFirst, item.systemEnd - item.systemFirst];
      if (Math.max(...merged) > 1) names.push(`${merged[0]} gold, ${merged[1]} system sentences`);
      return names.map((name) => make("span", { class: "badge" }, name));
    }

    function bar(value) {
      const bar = draw("svg", { class: "bar", viewBox: "0 0 100 8", preserveAspectRatio: "none", "aria-hidden": "true" });
      bar.append(draw("rect", { class: "rail", width: 100, height: 8 }), draw("rect", { class: "fill", width: 100 * (value ?? 0), height: 8 }));
      return bar;
    }

    function row(item) {
      const isOpen = state.open.has(item.number);
      const words = item.goldWords.length ? textOf(item, "gold") : textOf(item, "system");
      const number = (value, name) => make("td", { class: `number c-${name}${value ? "" : " nil"}` }, grouped.format(value));
      const button = make("button", {
        type: "button", class: "opener", "aria-expanded": String(isOpen), "aria-controls": `pair-${item.number}`,
        "aria-label": `Sentence ${item.number}, trees`,
      }, make("span", { class: "twist", "aria-hidden": "true" }), grouped.format(item.number));
      const tr = make("tr", { id: `sentence-${item.number}`, class: isOpen ? "sentence open" : "sentence" },
        make("th", { scope: "row", class: "number" }, button),
        make("td", { class: "text" }, make("div", {}, ...badges(item),
          make("span", { class: "words", dir: direction(item) }, ...(words ? marked(words) : ["(no words)"])))),
        number(item.length, "length"), number(item.missing, "missing"), number(item.extra, "extra"), number(item.crossing, "crossing"),
        make("td", { class: "number c-tags" }, rate(item.tagRate)),
        ...item.columns.map((value, i) => make("td", { class: "number c-column" },
          value === null ? "–" : data.columns[i].percent ? (value / 100).toFixed(2) : (value / 10000).toFixed(4))),
        make("td", { class: "number c-f1" }, bar(item.f1), make("span", {}, rate(item.f1))));
      return tr;
    }

    function toggle(number, focus = false) {
      if (state.open.has(number)) state.open.delete(number);
      else state.open.add(number);
      const tr = document.getElementById(`sentence-${number}`);
      const item = data.sentences[data.place.get(number)];
      tr.nextElementSibling?.classList.contains("detail") && tr.nextElementSibling.remove();
      const fresh = row(item);
      tr.replaceWith(fresh);
      if (state.open.has(number)) fresh.after(detail(item));
      if (focus) fresh.querySelector(".opener").focus();
    }

    body.addEventListener("click", (event) => {
      const tr = event.target.closest("tr.sentence");
      if (!tr || !body.contains(tr)) return;
      // A click that ends a selection of text is not meant for the row.
      if (!event.target.closest("button") && !getSelection().isCollapsed) return;
      const number = Number(tr.id.slice("sentence-".length));
      toggle(number, Boolean(event.target.closest("button")));
      if (state.open.has(number)) storage.address(`#sentence-${number}`);
    });

    // -- an opened sentence ---------------------------------------------------------

    const range = (name, first, end) => {
      if (end <= first) return `no ${name} sentence`;
      return end - first === 1 ? `${name} sentence ${end}` : `${name} sentences ${first + 1}–${end}`;
    };

    function detail(item) {
      const panel = make("div", { class: "panel", id: `pair-${item.number}` });
      const cell = make("td", { colspan: table.tHead.rows[0].cells.length }, panel);
      const counts = [
        `${item.matched} matched`, `${item.missing} missing`, `${item.extra} extra`, `${item.crossing} crossing`,
        `recall ${rate(item.gold ? item.matched / item.gold : null)}`, `precision ${rate(item.system ? item.matched / item.system : null)}`,
      ];
      panel.append(make("p", { class: "about" },
        `${range("gold", item.goldFirst, item.goldEnd)} against ${range("system", item.systemFirst, item.systemEnd)}`,
        make("span", { class: "counts" }, counts.join(" · "))));
      for (const note of item.notes) panel.append(make("p", { class: "note" }, make("bdi", {}, visible(note))));
      const pair = pairOf(data, item);
      const size = [pair.gold, pair.system].reduce((sum, tree) => sum + tree.labels.length + tree.words.length, 0);
      const place = make("div", { class: "drawing" });
      panel.append(place);
      if (!size) {
        place.append(make("p", { class: "note" }, "There is nothing to draw: no tree on either side."));
      } else if (size > DRAWN_AT_ONCE) {
        const button = make("button", { type: "button", class: "quiet" }, "Draw it");
        button.addEventListener("click", () => drawing(place, pair, item));
        place.append(make("p", { class: "note" }, `This pair has ${grouped.format(size)} nodes and words; drawing it may take a while. `, button));
      } else {
        drawing(place, pair, item);
      }
      panel.append(asText(pair, item));
      return make("tr", { class: "detail" }, cell);
    }

    function drawing(place, pair, item) {
      const status = make("p", { class: "reading", role: "status" });
      const say = (about) => status.replaceChildren(...(about ? told(about, item) : [hint()]));
      const { frame, svg, width, height, words, go } = Picture.picture(pair, state.across, say);
      const scroller = make("div", { class: "scroller", dir: "ltr" }, frame);
      place.replaceChildren(scroller, status, differences(pair, item, go));
      say(null);
      requestAnimationFrame(() => {
        // A picture that is a little too wide shrinks; one that is much too wide scrolls.
        const scale = Math.min(1, Math.max(SMALLEST, scroller.clientWidth / width));
        svg.setAttribute("width", Math.floor(width * scale));
        svg.setAttribute("height", Math.floor(height * scale));
        // Then the words are what is seen first; text from right to left begins at the right.
        const much = width * scale > 1.2 * scroller.clientWidth;
        if (!state.across && much) scroller.scrollLeft = words * scale - scroller.clientWidth / 2;
        else if (pair.rightToLeft) scroller.scrollLeft = scroller.scrollWidth;
      });
    }

    const hint = () => make("span", { class: "hint" }, "Point at a node or a word to see what it is aligned with; arrow keys and Enter do the same.");

    function told(about, item) {
      const quote = (text) => make("q", { dir: direction(item) }, text);
      if (about.unit) {
        const [gold, system] = about.unit;
        if (gold === system) return [quote(gold), " is the same on both sides."];
        return [gold ? quote(gold) : "no gold word", " is aligned with ", system ? quote(system) : "no system word", "."];
      }
      const line = [make("b", {}, make("bdi", {}, about.label)), ` in the ${about.side} tree, ${about.span}: `, quote(about.said), ` — ${about.state}`];
      if (about.partners.length) line.push("; aligned with ", make("b", {}, make("bdi", {}, about.partners.map((one) => one.label).join(", "))),
        about.partners[0].span === about.span ? "" : `, ${about.partners[0].span}`);
      return [...line, "."];
    }

    /* The constituents that differ, in words; each is a button that lights its node up. */
    function differences(pair, item, go) {
      const list = make("dl", { class: "differences" });
      const names = item.crossing ? { extra: "extra, not crossing", crossing: "extra and crossing" } : {};
      const kinds = [["missing", "gold", [MARKS.missed]], ["extra", "system", [MARKS.extra]], ["crossing", "system", [MARKS.crossing, MARKS.matchedCrossing]]];
      for (const [name, sideName, marks] of kinds) {
        const tree = pair[sideName];
        const nodes = tree.marks.flatMap((mark, node) => (marks.includes(mark) ? [node] : []));
        if (!nodes.length) continue;
        list.append(make("dt", { class: name }, names[name] ?? name), make("dd", {}, ...nodes.map((node) => {
          const { words } = Trees.below(tree, node);
          const texts = words.map((word) => visible(tree.words[word]));
          const text = texts.length > 5 ? `${texts.slice(0, 2).join(" ")} … ${texts.slice(-2).join(" ")}` : texts.join(" ");
          const button = make("button", { type: "button", class: `difference ${name}` },
            make("b", {}, visible(coreLabel(tree.labels[node])) || visible(tree.labels[node]) || "∅"), " ", make("span", { class: "words", dir: direction(item) }, text));
          button.addEventListener("click", () => go(sideName, node));
          return button;
        })));
      }
      return list.children.length ? list : make("p", { class: "hint" }, "Every constituent is matched.");
    }

    /* The trees without a picture: nested lists, and bracket text to copy. */
    function asText(pair, item) {
      const details = make("details", { class: "as-text" }, make("summary", {}, "Trees as nested lists and as brackets"));
      details.addEventListener("toggle", () => {
        if (!details.open || details.children.length > 1) return;
        const columns = ["gold", "system"].map((name) => {
          const column = make("section", {}, make("h4", {}, name === "gold" ? "Gold" : "System"));
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

    // -- controls -------------------------------------------------------------------

    let waiting = 0;
    $("query").addEventListener("input", (event) => {
      clearTimeout(waiting);
      waiting = setTimeout(() => { state.query = event.target.value; search(); }, 120);
    });
    $("where").addEventListener("change", (event) => { state.where = event.target.value; search(); });
    $("filters").addEventListener("change", (event) => { state.shown = event.target.value; search(); });
    $("chip-clear").addEventListener("click", () => { state.group = null; search(); $("query").focus(); });
    $("layout").addEventListener("change", (event) => {
      state.across = event.target.value === "across";
      storage.set("layout", event.target.value);
      render();
    });
    $("layout").querySelector(`input[value="${state.across ? "across" : "down"}"]`).checked = true;
    const turn = (page) => { state.page = Math.max(0, page); render(); root.scrollIntoView(); };
    $("previous").addEventListener("click", () => turn(state.page - 1));
    $("next").addEventListener("click", () => turn(state.page + 1));
    $("page").addEventListener("change", (event) => turn((Number(event.target.value) || 1) - 1));
    for (const th of table.querySelectorAll("th[data-key]")) {
      th.querySelector("button").addEventListener("click", () => {
        const same = state.key === th.dataset.key;
        // Errors are looked for from the most, numbers and rates from the least.
        state.down = same ? !state.down : ["missing", "extra", "crossing", "length"].includes(th.dataset.key);
        state.key = th.dataset.key;
        state.page = 0;
        sort();
        render();
      });
    }
    for (const input of $("filters").querySelectorAll("input")) {
      const count = data.sentences.filter(SHOWN[input.value]).length;
      input.nextElementSibling.querySelector(".count").textContent = grouped.format(count);
      input.disabled = !count && input.value !== "all";
    }

    function showGroup(name, title) {
      Object.assign(state, { group: { name, title }, query: "", shown: "all" });
      $("query").value = "";
      $("filters").querySelector('input[value="all"]').checked = true;
      search();
      root.scrollIntoView();
      $("status").focus({ preventScroll: true });
    }

    function showSentence(number) {
      if (!data.place.has(number)) return false;
      if (!found.some((item) => item.number === number)) {
        Object.assign(state, { group: null, query: "", shown: "all" });
        $("query").value = "";
        $("filters").querySelector('input[value="all"]').checked = true;
        search();
      }
      state.page = Math.floor(found.findIndex((item) => item.number === number) / PAGE);
      state.open.add(number);
      render();
      const tr = document.getElementById(`sentence-${number}`);
      tr.scrollIntoView();
      tr.querySelector(".opener").focus({ preventScroll: true });
      return true;
    }

    render();
    return { showGroup, showSentence, redraw: () => render() };
  }

  return { create };
})();
