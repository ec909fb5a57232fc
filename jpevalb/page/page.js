/* Page: one state, which is the address; the list of sentences, the one that is drawn, menus and tips. */
"use strict";

/* Colours of the trees: of many systems only the two that are compared have one. */
let classOf = (k) => `s${k % 8}`;

async function unpacked(text) {
  const letters = atob(text);
  const bytes = new Uint8Array(letters.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = letters.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).json();
}

/* Return the data with its sentences: each has the rows of each system, F1 and wrong brackets. */
function withSentences(data) {
  const field = Object.fromEntries((data.fields ?? []).map((name, i) => [name, i]));
  data.sentences = (data.units ?? []).map(([goldFirst, goldEnd, ...rows]) => {
    const sum = (k, name) => rows[k].reduce((total, row) => total + row[field[name]], 0);
    const counts = data.names.map((_, k) => [2 * sum(k, "matched"), sum(k, "gold") + sum(k, "system")]);
    const row = rows.find((some) => some.length)?.[0] ?? [];
    return {
      // The number of gold's last sentence; of text without gold that of the system, behind a "+".
      number: goldEnd > goldFirst ? String(goldEnd) : `+${row[field.systemEnd] ?? 0}`,
      bead: row[field.number],
      goldFirst,
      goldEnd,
      rows,
      f1: counts.map(([matched, total]) => (total ? matched / total : null)),
      wrong: counts.map(([matched, total]) => total - matched)
    };
  });
  return data;
}

/* Put the controls of the list into the page, which need the script. */
function controls(data) {
  const choice = (options, how) =>
    make("select", how, ...options.map(([value, text]) => make("option", { value }, text)));
  const step = (name, sign, label) =>
    make("button", { class: "step", "data-part": name, "aria-label": label }, sign);
  const trees = [[GOLD, "gold"], ...data.names.map((name, k) => [k, visible(name)])];
  const two = ["First", "Second"].map((name, k) =>
    choice(trees, { "data-side": k, "aria-label": `${name} tree` })
  );
  const orders = Object.entries({
    clear: "clearest first",
    most: "most wrong first",
    number: "by number"
  });
  const search = "Search words or (LABEL";
  const query = { type: "search", placeholder: search, "aria-label": search };
  document.querySelector("#errors .right").append(
    make(
      "div",
      { class: "finder" },
      make("b", { "data-part": "what" }),
      make("button", { class: "clear", "data-part": "clear" }, "× show all"),
      make("span", { class: "mut", "data-part": "count", role: "status" }),
      choice(orders, { "data-part": "order", "aria-label": "Order" }),
      data.names.length > 1 ? make("span", { class: "mut" }, two[0], " and ", two[1]) : "",
      make("input", { ...query, "data-part": "query" })
    ),
    make("table", { class: "sents", "data-part": "sents" }),
    make(
      "div",
      { class: "pages" },
      step("back", "‹", "‹ Sentences before"),
      make("span", { "data-part": "range" }),
      step("on", "›", "› More sentences")
    )
  );
}

const Reader = (data) => {
  controls(data);
  const root = document.querySelector(".one-sentence");
  const part = (name) => document.querySelector(`[data-part="${name}"]`);
  const single = data.names.length === 1;
  const field = Object.fromEntries(data.fields.map((name, i) => [name, i]));
  const start = { show: data.start, query: "", order: "clear", page: 0, sentence: null, pair: data.pair };
  let state = { ...start };
  let shown = [];
  if (data.many) classOf = (k) => `s${Math.max(0, state.pair.indexOf(k))}`;

  // -- what is listed -----------------------------------------------------------------------

  const wordsOfUnit = (unit) => {
    const k = unit.rows.findIndex((rows) => rows.length);
    if (k < 0) return [];
    const items = unit.rows[unit.rows[0].length ? 0 : k].map((_, i) => rowOf(data, unit, k, i));
    return items.flatMap((item) => (item.goldWords.length ? wordsOf(item, "gold") : wordsOf(item, "system")));
  };
  const textOf = (unit) => (unit.text ??= visible(wordsOfUnit(unit).join(" ")));
  const lengthOf = (unit) =>
    (unit.length ??= Math.max(...unit.rows.map((rows) => rows.reduce((n, row) => n + row[field.length], 0))));

  /* Return the missed and extra brackets with a label, counted in the compact text of both trees. */
  function ofLabel(item, label) {
    let count = 0;
    for (const [text, pattern] of [
      [item.goldTree, /(\d+)-/g],
      [item.systemTree || "", /(\d+)[+*]/g]
    ])
      for (const found of text.matchAll(pattern))
        count += (coreLabel(data.labels[found[1]]) || "()") === label;
    return count;
  }

  /* Return the wrong brackets of a system in a sentence, of the cause or the label that is chosen. */
  function wrong(unit, k) {
    const [kind, name] = chosen();
    if (k === GOLD) return 0;
    if (kind !== "cause" && kind !== "label") return unit.wrong[k];
    const key = `${k} ${state.show}`;
    unit.memo ??= new Map();
    if (!unit.memo.has(key)) {
      const cause = data.causes.indexOf(name);
      const count = (row, i) =>
        kind === "cause"
          ? (Corrections.byCause(row[field.corrections]).get(cause) ?? 0)
          : ofLabel(rowOf(data, unit, k, i), name);
      unit.memo.set(
        key,
        unit.rows[k].reduce((sum, row, i) => sum + count(row, i), 0)
      );
    }
    return unit.memo.get(key);
  }

  const chosen = () => {
    const at = state.show.indexOf(":");
    return at < 0 ? ["", ""] : [state.show.slice(0, at), state.show.slice(at + 1)];
  };

  /* The clearest sentences lose most for their length; those of fewer than five words come last. */
  const ORDERS = {
    clear: (unit, apart) => apart / (lengthOf(unit) + 10) - (lengthOf(unit) < 5 ? 1 : 0),
    most: (_, apart) => apart,
    number: (unit) => -unit.goldEnd
  };

  /* Return a test of sentences: the query is in their words, or behind a bracket a label of their trees. */
  function matching(query) {
    if (!query.startsWith("(")) return (unit) => textOf(unit).toLowerCase().includes(query);
    const label = query.slice(1).trim();
    const named = (one) => [one, coreLabel(one)].some((name) => name.toLowerCase() === label);
    const numbers = data.labels.flatMap((one, i) => (named(one) ? [i] : []));
    const pattern = new RegExp(`(?<![:\\d])(?:${numbers.join("|")})(?!\\d)`);
    const trees = (row) => [row[field.goldTree], row[field.systemTree] || ""];
    const has = (unit) => unit.rows.flat().some((row) => trees(row).some((text) => pattern.test(text)));
    return numbers.length ? has : () => false;
  }

  function listed() {
    const [a, b] = state.pair;
    const [kind, name] = chosen();
    const query = state.query.trim().toLowerCase();
    let fits = () => true;
    if (kind === "length") {
      const [from, to] = name.split("-").map(Number);
      fits = (unit) => lengthOf(unit) >= (from > 1 ? from : 0) && (!to || lengthOf(unit) <= to);
    } else if (kind === "cause" || kind === "label") {
      fits = (unit) => wrong(unit, a) || wrong(unit, b);
    } else if (kind) {
      const numbers = new Set(data.groups?.[state.show]);
      fits = (unit) => numbers.has(unit.bead);
    }
    const key = ORDERS[state.order] ?? ORDERS.clear;
    const found = query ? matching(query) : () => true;
    return data.sentences
      .filter((unit) => fits(unit) && found(unit))
      .map((unit) => [key(unit, Math.abs(wrong(unit, b) - wrong(unit, a))), unit])
      .sort(([x, one], [y, two]) => y - x || lengthOf(one) - lengthOf(two) || one.goldEnd - two.goldEnd)
      .map(([, unit]) => unit);
  }

  /* Return what is chosen in words. */
  function titled() {
    const [kind, name] = chosen();
    if (!kind) return "all sentences";
    if (kind === "length")
      return name.endsWith("-") ? `${name.slice(0, -1)} words and more` : `${name.replace("-", "–")} words`;
    return kind === "state" ? data.states[name] : name;
  }

  // -- the list --------------------------------------------------------------------------------

  const glyph = (k) => {
    const path = draw("path", {
      class: `mk ${classOf(k)}`,
      d: data.shapes[(data.many ? state.pair.indexOf(k) : k) % 8]
    });
    return draw(
      "svg",
      { class: "gl", viewBox: "-7 -7 14 14", width: 11, height: 11, "aria-hidden": "true" },
      path
    );
  };

  /* Return F1 of all systems in a sentence as marks on a line; of many only the two have shapes. */
  function dots(unit) {
    const strip = make("span", { class: "dots", "aria-hidden": "true" });
    data.names.forEach((_, k) => {
      if (unit.f1[k] === null) return;
      const mark = data.many && !state.pair.includes(k) ? make("i") : glyph(k);
      mark.style.setProperty("--x", `${100 * unit.f1[k]}%`);
      strip.append(mark);
    });
    return strip;
  }

  function head() {
    const name = (k) => {
      if (k === GOLD) return "gold";
      return make("span", { title: data.names[k] }, glyph(k), make("bdi", {}, visible(data.names[k])));
    };
    const ends = single
      ? ["Words", "Wrong", "F1"].map((text) => [text, "q"])
      : state.pair.map((k) => [name(k), "q"]);
    const cells = [["No.", ""], ["Sentence", "t"], ...(single ? [] : [["F1, 0 to 100", "s"]]), ...ends];
    return make("tr", {}, ...cells.map(([text, cls]) => make("th", { scope: "col", class: cls }, text)));
  }

  function line(unit) {
    const cell = (cls, name, ...content) => make("td", { class: cls, "data-h": name }, ...content);
    const text = textOf(unit) || "(no words)";
    const link = make("a", { href: address({ sentence: unit.number }), dir: "auto" }, text);
    const ends = single
      ? [
          cell("q", "words", grouped(lengthOf(unit))),
          cell("q", "wrong", grouped(wrong(unit, 0))),
          cell("q", "F1", rate(unit.f1[0]))
        ]
      : [
          cell("s", null, dots(unit)),
          ...state.pair.map((k) =>
            k === GOLD ? cell("q", null, "–") : cell("q", null, glyph(k), grouped(wrong(unit, k)))
          )
        ];
    const open = unit.number === state.sentence;
    const tr = make(
      "tr",
      { class: open ? "open" : null },
      cell("", null, unit.number),
      cell("t", null, link),
      ...ends
    );
    if (open) link.setAttribute("aria-current", "true");
    tr.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey || !getSelection().isCollapsed) return;
      event.preventDefault();
      go({ sentence: unit.number }, true);
      if (innerWidth < 1020) root.scrollIntoView();
    });
    return tr;
  }

  function list() {
    const from = state.page * data.page;
    const to = Math.min(shown.length, from + data.page);
    const lines = shown.slice(from, to).map(line);
    // The last page is as high as the others: what is below does not move.
    while (lines.length < Math.min(data.page, shown.length))
      lines.push(make("tr", { class: "blank" }, make("td", { colspan: 5 }, "\u00a0")));
    part("sents").replaceChildren(make("thead", {}, head()), make("tbody", {}, ...lines));
    part("what").textContent = titled();
    part("clear").hidden = !state.show;
    const kept = data.seen > data.sentences.length;
    const of = kept ? `, of ${grouped(data.sentences.length)} kept of ${grouped(data.seen)}` : "";
    part("count").textContent = plural(shown.length, data.unit) + of;
    part("range").textContent = shown.length
      ? `${grouped(from + 1)}–${grouped(to)} of ${grouped(shown.length)}`
      : "none";
    part("back").disabled = !state.page;
    part("on").disabled = to >= shown.length;
    part("order").value = state.order;
    if (part("query") !== document.activeElement) part("query").value = state.query;
    for (const select of document.querySelectorAll("[data-side]"))
      select.value = state.pair[Number(select.dataset.side)];
    for (const button of document.querySelectorAll("[data-show].pick"))
      button.setAttribute("aria-pressed", String(button.dataset.show === state.show));
  }

  // -- the sentence that is drawn ------------------------------------------------------------------

  const range = (name, first, end) => {
    if (end <= first) return `no ${name} sentence`;
    return end - first === 1
      ? `${name} sentence ${grouped(end)}`
      : `${name} sentences ${grouped(first + 1)}–${grouped(end)}`;
  };

  function header(unit, item) {
    const at = shown.indexOf(unit);
    const step = (text, by, label) =>
      make(
        "button",
        { class: "step", "aria-label": label, click: () => move(by), disabled: !shown[at + by] },
        text
      );
    const counts = item && [
      `${item.matched} right`,
      `${item.missed} missed`,
      `${item.extra} extra`,
      `F1 ${rate(item.f1)}`
    ];
    const about = single
      ? (counts ?? []).join(" · ")
      : state.pair
          .map((k) => (k === GOLD ? "gold" : `${visible(data.names[k])} ${rate(unit.f1[k])}`))
          .join(" · ");
    const gold = range("gold", unit.goldFirst, unit.goldEnd);
    const other = item && single && (item.systemFirst !== unit.goldFirst || item.systemEnd !== unit.goldEnd);
    return make(
      "header",
      {},
      make("b", {}, gold[0].toUpperCase() + gold.slice(1)),
      item?.id ? make("bdi", { class: "id" }, visible(item.id)) : "",
      other ? make("span", {}, range("system", item.systemFirst, item.systemEnd)) : "",
      make("span", {}, about),
      make(
        "span",
        { class: "pages" },
        step("‹", -1, "‹ Sentence before (k)"),
        `${grouped(at + 1)} of ${grouped(shown.length)}`,
        step("›", 1, "› Next sentence (j)")
      )
    );
  }

  /* Return a language model's answer with what its repairs leave out and add. */
  function answer(unit) {
    const raw = data.raw?.[unit.bead];
    if (!raw) return [];
    const [repairs, reason, pieces] = raw;
    const names =
      reason === null
        ? repairs.map((name) => name.replace(/_/g, " ")).join(", ")
        : `no tree: ${visible(reason)}`;
    const about = make(
      "p",
      { class: "mut" },
      `The answer as written, ${names}: `,
      make("del", {}, "struck"),
      " is left out and ",
      make("ins", {}, "underlined"),
      " added before the tree is read."
    );
    const parts = pieces.map(([kind, text]) =>
      kind === "=" ? text : make(kind === "-" ? "del" : "ins", {}, text)
    );
    return [about, make("pre", { class: "raw", tabindex: 0 }, ...parts)];
  }

  function detail() {
    const unit = shown.find((one) => one.number === state.sentence) ?? shown[0];
    if (!unit) return root.replaceChildren(make("p", { class: "mut" }, "No sentence."));
    const pair = Two.pair(data, unit, state.pair);
    const item = pair && (pair.sources[1] ?? pair.sources[0]).items[0];
    if (!pair)
      return root.replaceChildren(
        header(unit, null),
        make("p", { class: "mut" }, "One of the two has nothing here.")
      );
    const [kind, name] = chosen();
    const cause = kind === "cause" ? data.causes.indexOf(name) : -1;
    const sides = pair.sources.flatMap((source, i) => {
      if (!source) return [];
      const every = Corrections.explained(source, pair, data.causes, i ? "system" : "gold");
      const some = cause < 0 ? every : every.filter((one) => one.cause === cause);
      return [{ k: state.pair[i], some, rest: every.filter((one) => !some.includes(one)) }];
    });
    const both = sides.flatMap(({ some }) => some);
    const panel = make("div");
    const rest = sides.flatMap((side) => side.rest);
    const save = (frame) =>
      Export.file(Export.svg(frame), "image/svg+xml", `${data.file}-sentence-${unit.number}.svg`);
    const drawn = Drawing.place(panel, pair, both, rest, save);
    let first = 1;
    const said = sides.map(({ k, some, rest: others }) => {
      const box = make("div", {}, single ? "" : make("h3", {}, `What corrects ${visible(data.names[k])}`));
      if (some.length)
        box.append(
          ...Corrections.list(some, first, drawn.light, drawn.go, data.causes, { named: cause < 0 })
        );
      else
        box.append(
          make(
            "p",
            { class: "mut" },
            cause < 0 ? "Nothing: every bracket is right." : "Nothing of this kind here."
          )
        );
      first += some.length;
      box.append(
        ...Corrections.others(others, data.causes, (other) =>
          go({ show: `cause:${other}`, sentence: unit.number }, true)
        )
      );
      return box;
    });
    const notes = item.notes.map((note) => make("p", { class: "mut" }, make("bdi", {}, visible(note))));
    const words =
      pair.gold.words.length || !pair.sources[0] ? pair.sources[1].gold.words : pair.sources[0].gold.words;
    const text = make(
      "p",
      { class: "words", dir: direction(item) },
      ...Corrections.sentence(words.length ? words : wordsOfUnit(unit), both)
    );
    return root.replaceChildren(
      header(unit, item),
      text,
      ...notes,
      ...answer(unit),
      make("div", { class: "both" }, ...said),
      panel
    );
  }

  // -- the state, which is the address -----------------------------------------------------------------

  function address(change) {
    const { show, query, order, page, sentence, pair } = { ...state, ...change };
    const asked = new URLSearchParams();
    if (show !== data.start) asked.set("show", show);
    if (query.trim()) asked.set("q", query.trim());
    if (order !== "clear") asked.set("order", order);
    if (page) asked.set("page", page + 1);
    if (pair.join() !== data.pair.join()) asked.set("pair", pair.join(" "));
    if (sentence !== null) asked.set("sentence", sentence);
    return `#errors${asked.size ? `?${asked}` : ""}`;
  }

  function stateOf(hash) {
    const [, text] = /^#errors(?:\?(.*))?$/s.exec(hash) ?? [];
    const asked = new URLSearchParams(text ?? "");
    const pair = (asked.get("pair") ?? "").split(" ").map(Number);
    const known = (k) => Number.isInteger(k) && k >= GOLD && k < data.names.length;
    const page = Math.floor(Number(asked.get("page")));
    return {
      show: asked.get("show") ?? data.start,
      query: asked.get("q") ?? "",
      order: asked.get("order") in ORDERS ? asked.get("order") : "clear",
      page: page > 1 ? page - 1 : 0,
      pair:
        pair.length === 2 && pair.every(known) && pair[0] !== pair[1] && pair[1] !== GOLD ? pair : data.pair,
      sentence: asked.get("sentence")
    };
  }

  /* Show a state; the page is that of the open sentence unless it is given. */
  function render(next, paged = false) {
    state = next;
    shown = listed();
    const at = shown.findIndex((unit) => unit.number === state.sentence);
    if (at >= 0 && !paged) state.page = Math.floor(at / data.page);
    state.page = Math.max(0, Math.min(state.page, Math.ceil(shown.length / data.page) - 1));
    if (at < 0) state.sentence = shown[state.page * data.page]?.number ?? null;
    list();
    detail();
  }

  /* Change the state; `step` makes it a step in the history, which Back undoes. */
  function go(change, step = false) {
    const fresh = "show" in change || "query" in change || "order" in change || "pair" in change;
    const next = { ...state, ...(fresh ? { page: 0, sentence: null } : {}), ...change };
    if ("page" in change) next.sentence = null;
    render(next, "page" in change);
    if (step) history.pushState(null, "", address({}));
    else history.replaceState(null, "", address({}));
  }

  function move(by) {
    const next = shown[shown.findIndex((unit) => unit.number === state.sentence) + by];
    if (next) go({ sentence: next.number });
  }

  /* Bring the list into view, if what was pressed is elsewhere or the list is below it. */
  function reveal(pressed) {
    const box = document.querySelector("#errors .finder").getBoundingClientRect();
    if (box.top > 0.7 * innerHeight || box.bottom < 60)
      (pressed.closest("#errors")
        ? part("what").parentElement
        : document.querySelector("#errors")
      ).scrollIntoView();
  }

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-show]");
    if (!button) return;
    const again = button.matches(".pick") && button.dataset.show === state.show;
    const bead = Number(button.dataset.number);
    const number = data.sentences.find((unit) => unit.bead === bead)?.number ?? null;
    go({ show: again ? "" : button.dataset.show, sentence: bead ? number : null }, true);
    reveal(button);
  });
  part("clear").addEventListener("click", () => go({ show: "" }, true));
  part("order").addEventListener("change", (event) => go({ order: event.target.value }));
  part("query").addEventListener("input", (event) => {
    clearTimeout(part.waiting);
    part.waiting = setTimeout(() => go({ query: event.target.value }), 120);
  });
  part("back").addEventListener("click", () => go({ page: state.page - 1 }));
  part("on").addEventListener("click", () => go({ page: state.page + 1 }));
  for (const select of document.querySelectorAll("[data-side]"))
    select.addEventListener("change", () => {
      const pair = [...state.pair];
      const side = Number(select.dataset.side);
      const wanted = Number(select.value);
      // Gold is always the first of two.
      if (wanted === GOLD)
        pair.splice(0, 2, GOLD, pair[1 - side] === GOLD ? state.pair[side] : pair[1 - side]);
      else if (pair[1 - side] === wanted) pair.reverse();
      else pair[side] = wanted;
      go({ pair }, true);
    });
  document.addEventListener("keydown", (event) => {
    const by = { j: 1, k: -1 }[event.key];
    if (
      by &&
      !event.ctrlKey &&
      !event.metaKey &&
      !event.altKey &&
      !event.target.closest("input, select, textarea")
    )
      move(by);
  });
  addEventListener("popstate", () => {
    if (/^#errors|^$/.test(location.hash)) render(stateOf(location.hash), /[?&]page=/.test(location.hash));
  });
  let width = innerWidth;
  addEventListener("resize", () => {
    if (innerWidth === width) return;
    width = innerWidth;
    clearTimeout(root.waiting);
    root.waiting = setTimeout(detail, 150);
  });
  render(stateOf(location.hash), /[?&]page=/.test(location.hash));
};

// -- tips, copying, exports, colours ------------------------------------------------------------------------

function tips() {
  const tip = make("div", { class: "tip", role: "tooltip", hidden: true });
  document.body.append(tip);
  const tell = (event) => {
    const on = event.target.closest?.("[data-tip]");
    tip.hidden = !on;
    if (!on) return;
    tip.textContent = on.dataset.tip;
    const at = on.getBoundingClientRect();
    tip.style.left = `${Math.max(6, Math.min(innerWidth - tip.offsetWidth - 6, at.left))}px`;
    tip.style.top = `${at.top > tip.offsetHeight + 60 ? at.top - tip.offsetHeight - 6 : at.bottom + 6}px`;
  };
  for (const name of ["pointerover", "focusin"]) document.addEventListener(name, tell);
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") tip.hidden = true;
  });
}

/* Put a menu of exports into each section that has some, and a button behind each text to copy. */
function exports(data) {
  for (const section of document.querySelectorAll("section")) {
    const texts = data.exports[section.id] ?? {};
    const name = `${data.file}-${section.id}`;
    const figures = [...section.querySelectorAll(".card")].filter((one) =>
      one.querySelector("svg.mp, svg.pl, svg.strip, .grid")
    );
    const drawn = () => Export.svg(...figures.map((one) => one.querySelector(".left") ?? one));
    const kinds = [
      ["CSV", texts.csv, "text/csv", "csv"],
      ["LaTeX", texts.latex, "text/x-tex", "tex"],
      ["SVG", figures.length ? drawn : null, "image/svg+xml", "svg"]
    ].filter(([, text]) => text);
    if (!kinds.length) continue;
    const menu = make("details", { class: "menu" }, make("summary", {}, "Export"));
    const buttons = kinds.map(([title, text, type, ending]) => {
      const click = () => {
        Export.file(typeof text === "function" ? text() : text, type, `${name}.${ending}`);
        menu.open = false;
      };
      return make("button", { "data-export": ending, click }, title);
    });
    menu.append(make("div", {}, ...buttons));
    section.querySelector(".folds, .say").append(menu);
  }
  for (const label of document.querySelectorAll(".lab")) {
    const text = label.nextElementSibling;
    const button = make("button", { "data-copy": text.id }, "Copy");
    button.addEventListener("click", async () => {
      const done = await copied(text.textContent);
      button.textContent = done ? "Copied" : "Select and copy";
    });
    label.append(button);
  }
}

function theme() {
  const button = document.getElementById("theme");
  const names = ["auto", "dark", "light"];
  button.hidden = false;
  button.addEventListener("click", () => {
    const next = names[(names.indexOf(document.documentElement.dataset.theme) + 1) % 3];
    document.documentElement.dataset.theme = next;
    button.textContent = next[0].toUpperCase() + next.slice(1);
  });
}

(async () => {
  theme();
  tips();
  const source = document.getElementById("data");
  const data = withSentences(await unpacked(source.textContent));
  source.textContent = ""; // the sentences take much memory, once is enough
  exports(data);
  if (data.sentences.length) Reader(data);
  // The list has its height now; the browser has gone to the address before.
  const id = /^#([a-z]+)/.exec(location.hash)?.[1];
  if (id) document.getElementById(id)?.scrollIntoView();
  document.documentElement.dataset.ready = "true";
})();
