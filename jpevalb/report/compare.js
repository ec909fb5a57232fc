/* Compare: the sentences of several systems, by how far the systems are apart; each opens to their trees. */
"use strict";

const PAGE = 50;

/* The page's data: for each stretch of gold each system's F1, and its rows. */
function readData(text) {
  const data = JSON.parse(text);
  const count = data.names.length;
  data.sentences = data.units.map((unit) => {
    const f1 = data.names.map((_, k) => (unit[3 + 2 * k] ? unit[2 + 2 * k] / unit[3 + 2 * k] : null));
    const known = f1.filter((value) => value !== null);
    return {
      // A stretch is called by its last sentence.
      number: unit[1] || 1, goldFirst: unit[0], goldEnd: unit[1], f1,
      spread: known.length > 1 ? Math.max(...known) - Math.min(...known) : null,
      rows: Array.from({ length: count }, () => []),
    };
  });
  (data.rows ?? []).forEach((rows, k) => {
    let unit = 0;
    rows.forEach((row, i) => {
      unit += data.beads[k][i];
      data.sentences[unit].rows[k].push(row);
    });
  });
  data.rows = data.beads = null;
  data.place = new Map(data.sentences.map((unit, i) => [unit.number, i]));
  return data;
}

/* A row of a system as an object; what the baseline's has too is taken from there. */
function rowOf(data, unit, k, place) {
  const row = [...unit.rows[k][place]];
  const [words, tree] = ["goldWords", "goldTree"].map((name) => data.fields.indexOf(name));
  if (typeof row[tree] === "string" && row[tree][0] === "@") {
    const base = unit.rows[0][0];
    const marks = row[tree].slice(1);
    let next = 0;
    row[words] = base[words];
    row[tree] = base[tree].replace(/\((\d+)[-=+*#~]?/g, (_, label) => {
      const mark = marks[next++];
      return `(${label}${mark === "." ? "" : mark}`;
    });
  }
  return itemOf(data.fields, row);
}

const List = (() => {
  function create(data, root, storage) {
    const $ = (name) => root.querySelector(`[data-part="${name}"]`);
    const table = $("table");
    const body = $("rows");
    const drawn = data.sentences.some((unit) => unit.rows.some((rows) => rows.length));
    const many = data.names.length > 1;
    const state = {
      query: "", shown: "all", key: many ? "spread" : "number", down: many, page: 0,
      open: new Map(), across: storage.get("layout") === "across",
    };
    let found = data.sentences;

    const keyOf = (name) => (name === "number" || name === "spread" ? (unit) => unit[name] : (unit) => unit.f1[Number(name)]);
    const less = (a, b) => a !== null && b !== null && a < b;
    function shown(name) {
      const [kind, k] = name.split("-");
      if (name === "differ") return (unit) => unit.spread > 0;
      if (kind === "better") return (unit) => less(unit.f1[0], unit.f1[k]);
      if (kind === "worse") return (unit) => less(unit.f1[k], unit.f1[0]);
      if (name === "all-wrong") return (unit) => unit.f1.every((value) => value !== 1);
      return () => true;
    }

    /* The words of a stretch, as the first system that has any was aligned with. */
    function textOfUnit(unit) {
      if (unit.text !== undefined) return unit.text;
      const k = unit.rows.findIndex((rows) => rows.length);
      const items = k < 0 ? [] : unit.rows[k].map((_, i) => rowOf(data, unit, k, i));
      unit.direction = items.length ? direction(items[0]) : "ltr";
      unit.text = items.map((item) => textOf(item, item.goldWords.length ? "gold" : "system")).join(" ");
      return unit.text;
    }

    function search() {
      const wanted = visible(state.query.trim()).toLowerCase();
      const test = shown(state.shown);
      found = data.sentences.filter((unit) => test(unit) && (!wanted || textOfUnit(unit).toLowerCase().includes(wanted)));
      sort();
      state.page = 0;
      render();
    }

    function sort() {
      const key = keyOf(state.key);
      const sign = state.down ? -1 : 1;
      found = found.map((unit) => [key(unit), unit]).sort(([a, one], [b, two]) =>
        (a === null) - (b === null) || (a === b ? one.number - two.number : sign * (a < b ? -1 : 1))).map(([, unit]) => unit);
    }

    function render() {
      const pages = Math.max(1, Math.ceil(found.length / PAGE));
      state.page = Math.min(state.page, pages - 1);
      const from = state.page * PAGE;
      const units = found.slice(from, from + PAGE);
      body.replaceChildren(...units.flatMap((unit) => (state.open.has(unit.number) ? [row(unit), detail(unit)] : [row(unit)])));
      for (const th of table.querySelectorAll("th[data-key]")) {
        if (th.dataset.key === state.key) th.setAttribute("aria-sort", state.down ? "descending" : "ascending");
        else th.removeAttribute("aria-sort");
      }
      const range = units.length ? ` · showing ${grouped.format(from + 1)}–${grouped.format(from + units.length)}` : "";
      $("status").textContent = found.length === data.sentences.length
        ? `${plural(found.length, "sentence")}${range}`
        : `${grouped.format(found.length)} of ${plural(data.sentences.length, "sentence")}${range}`;
      $("empty").hidden = units.length > 0;
      $("empty").textContent = "No sentence fits. Clear the search or choose another filter.";
      $("pager").hidden = pages === 1;
      $("page").value = state.page + 1;
      $("page").max = pages;
      $("pages").textContent = `of ${grouped.format(pages)}`;
      $("previous").disabled = state.page === 0;
      $("next").disabled = state.page === pages - 1;
    }

    function row(unit) {
      const isOpen = state.open.has(unit.number);
      const text = drawn ? textOfUnit(unit) : "";
      const name = unit.goldEnd - unit.goldFirst > 1 ? `${unit.goldFirst + 1}–${unit.goldEnd}` : grouped.format(unit.number);
      const label = drawn
        ? make("button", {
          type: "button", class: "opener", "aria-expanded": String(isOpen), "aria-controls": `pair-${unit.number}`,
          "aria-label": `Sentence ${name}, trees`,
        }, make("span", { class: "twist", "aria-hidden": "true" }), name)
        : name;
      const worst = Math.min(...unit.f1.filter((value) => value !== null));
      return make("tr", { id: `sentence-${unit.number}`, class: isOpen ? "sentence open" : "sentence" },
        make("th", { scope: "row", class: "number" }, label),
        make("td", { class: "text" }, make("div", {},
          make("span", { class: "words", dir: unit.direction ?? "ltr" }, ...(text ? marked(text, state.query) : drawn ? ["(no words)"] : [])))),
        ...unit.f1.map((value) => make("td", { class: "number c-system" },
          make("span", { class: unit.spread > 0 && value === worst ? "low" : "" }, rate(value)))),
        ...(many ? [make("td", { class: `number c-f1 c-spread${unit.spread ? "" : " nil"}` }, bar(unit.spread), make("span", {}, rate(unit.spread)))] : []));
    }

    function detail(unit) {
      const panel = make("div", { class: "panel", id: `pair-${unit.number}` });
      const place = make("div", {});
      const fill = () => {
        const k = state.open.get(unit.number);
        const items = unit.rows[k].map((_, i) => rowOf(data, unit, k, i));
        place.replaceChildren();
        if (!items.length) place.append(make("p", { class: "note" }, "This system has nothing here."));
        for (const item of items) Pair.fill(place, pairOf(data, item), item, state.across);
      };
      if (many) {
        const choice = make("fieldset", { class: "segments" }, make("legend", { class: "hidden" }, "System"));
        data.names.forEach((name, k) => {
          const input = make("input", { type: "radio", name: `system-${unit.number}`, value: k, checked: k === state.open.get(unit.number) });
          input.addEventListener("change", () => { state.open.set(unit.number, k); fill(); });
          choice.append(make("label", {}, input, make("span", {}, make("bdi", {}, visible(name)), " ", make("span", { class: "count" }, rate(unit.f1[k])))));
        });
        panel.append(choice);
      }
      panel.append(place);
      fill();
      return make("tr", { class: "detail" }, make("td", { colspan: table.tHead.rows[0].cells.length }, panel));
    }

    function toggle(number, focus = false) {
      if (state.open.has(number)) state.open.delete(number);
      else state.open.set(number, 0);
      const tr = document.getElementById(`sentence-${number}`);
      const unit = data.sentences[data.place.get(number)];
      if (tr.nextElementSibling?.classList.contains("detail")) tr.nextElementSibling.remove();
      const fresh = row(unit);
      tr.replaceWith(fresh);
      if (state.open.has(number)) fresh.after(detail(unit));
      if (focus) fresh.querySelector(".opener").focus();
    }

    if (drawn) {
      body.addEventListener("click", (event) => {
        const tr = event.target.closest("tr.sentence");
        if (!tr || !body.contains(tr)) return;
        // A click that ends a selection of text is not meant for the row.
        if (!event.target.closest("button") && !getSelection().isCollapsed) return;
        const number = Number(tr.id.slice("sentence-".length));
        toggle(number, Boolean(event.target.closest("button")));
        if (state.open.has(number)) storage.address(`#sentence-${number}`);
      });
    }

    // -- controls -------------------------------------------------------------------

    let waiting = 0;
    $("query")?.addEventListener("input", (event) => {
      clearTimeout(waiting);
      waiting = setTimeout(() => { state.query = event.target.value; search(); }, 120);
    });
    $("filters").addEventListener("change", (event) => { state.shown = event.target.value; search(); });
    const layout = $("layout");
    layout?.addEventListener("change", (event) => {
      state.across = event.target.value === "across";
      storage.set("layout", event.target.value);
      render();
    });
    if (layout) layout.querySelector(`input[value="${state.across ? "across" : "down"}"]`).checked = true;
    const turn = (page) => { state.page = Math.max(0, page); render(); root.scrollIntoView(); };
    $("previous").addEventListener("click", () => turn(state.page - 1));
    $("next").addEventListener("click", () => turn(state.page + 1));
    $("page").addEventListener("change", (event) => turn((Number(event.target.value) || 1) - 1));
    for (const th of table.querySelectorAll("th[data-key]")) {
      th.querySelector("button").addEventListener("click", () => {
        const same = state.key === th.dataset.key;
        // Spreads are looked for from the most, numbers and rates from the least.
        state.down = same ? !state.down : th.dataset.key === "spread";
        state.key = th.dataset.key;
        state.page = 0;
        sort();
        render();
      });
    }

    function showSentence(number) {
      if (!drawn || !data.place.has(number)) return false;
      if (!found.some((unit) => unit.number === number)) {
        Object.assign(state, { query: "", shown: "all" });
        $("query").value = "";
        $("filters").value = "all";
        search();
      }
      state.page = Math.floor(found.findIndex((unit) => unit.number === number) / PAGE);
      if (!state.open.has(number)) state.open.set(number, 0);
      render();
      const tr = document.getElementById(`sentence-${number}`);
      tr.scrollIntoView();
      tr.querySelector(".opener").focus({ preventScroll: true });
      return true;
    }

    sort();
    render();
    return { showSentence };
  }

  return { create };
})();
