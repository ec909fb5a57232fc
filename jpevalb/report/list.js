/* List: the sentences, searched, filtered, sorted and paged; each opens to its pair of trees. */
"use strict";

const PAGE = 50;

/* The page's data: objects instead of rows. */
function readData(text) {
  const data = JSON.parse(text);
  data.sentences = data.rows.map((row) => itemOf(data.fields, row));
  data.rows = null;
  for (const name of Object.keys(data.groups)) {
    let number = 0;
    data.groups[name] = data.groups[name].map((step) => (number += step));
  }
  data.place = new Map(data.sentences.map((item, i) => [item.number, i]));
  return data;
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

    function badges(item) {
      const names = [];
      if (item.flags & FLAGS.unaligned) names.push("unaligned");
      if (item.flags & FLAGS.goldUnparsed) names.push("no gold parse");
      if (item.flags & FLAGS.systemUnparsed) names.push("no system parse");
      const merged = [item.goldEnd - item.goldFirst, item.systemEnd - item.systemFirst];
      if (Math.max(...merged) > 1) names.push(`${merged[0]} gold, ${merged[1]} system sentences`);
      return names.map((name) => make("span", { class: "badge" }, name));
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
          make("span", { class: "words", dir: direction(item) }, ...(words ? marked(words, state.where === "words" ? state.query : "") : ["(no words)"])))),
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

    function detail(item) {
      const panel = make("div", { class: "panel", id: `pair-${item.number}` });
      Pair.fill(panel, pairOf(data, item), item, state.across);
      return make("tr", { class: "detail" }, make("td", { colspan: table.tHead.rows[0].cells.length }, panel));
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
