/* Rows: a table of sentences, sorted and paged, with its controls; each row opens to its details. */
"use strict";

const PAGE = 50;

const Rows = (() => {
  /* The table in `root`.  `state` holds the search (`query`, `key`, `down`) and the open rows, by number.
   * `kind` has the parts that differ between pages:
   *   row(item), detail(item)  a row, and its details when it is open
   *   keyOf(name)              the sort key of a column
   *   mostFirst(name)          true if a column is sorted in descending order first
   *   choose()                 the items that fit the search, and a message if there are none
   *   reset()                  clears the search
   *   parameters()             the parts of the search that only this page has, for an address
   *   restore(asked)           sets them from an address
   *   about()                  a text behind the number of sentences
   *   rendered()               called after each change
   *   opens                    true if rows can be opened
   */
  function create(data, root, storage, state, kind) {
    const $ = (name) => root.querySelector(`[data-part="${name}"]`);
    const table = $("table");
    const body = $("rows");
    Object.assign(state, { page: 0, open: new Set(), across: storage.get("layout") === "across" });
    const initial = { key: state.key, down: state.down };
    let found = data.sentences;
    let message = "";
    let waiting = 0;

    function search() {
      [found, message] = kind.choose();
      sort();
      state.page = 0;
      render();
    }

    /* Put the search and the sentence opened last into the page's address, so that it can be sent. */
    function address(change = storage.replace) {
      const asked = new URLSearchParams();
      if (state.query.trim()) asked.set("q", state.query.trim());
      for (const [name, value] of kind.parameters()) asked.set(name, value);
      if (state.key !== initial.key || state.down !== initial.down) asked.set("sort", `${state.down ? "-" : ""}${state.key}`);
      const alone = !asked.toString();
      if (state.last) asked.set("sentence", state.last);
      change(!state.last && alone ? "#sentences" : alone ? `#sentence-${state.last}` : `#sentences?${asked}`);
    }

    /* Repeat the search of an address; `scroll` is false on the way back, which the browser scrolls. */
    function restore(asked, scroll = true) {
      kind.reset();
      state.open.clear();
      state.query = asked.get("q") ?? "";
      if ($("query")) $("query").value = state.query;
      const sort = asked.get("sort") ?? `${initial.down ? "-" : ""}${initial.key}`;
      const key = sort.replace(/^-/, "");
      if (table.querySelector(`th[data-key="${CSS.escape(key)}"]`)) Object.assign(state, { key, down: sort[0] === "-" });
      kind.restore(asked);
      search();
      const number = Number(asked.get("sentence"));
      if (number && found.some((item) => item.number === number)) showSentence(number, false, scroll);
      else if (scroll) root.scrollIntoView();
    }

    function sort() {
      const key = kind.keyOf(state.key);
      const sign = state.down ? -1 : 1;
      // Items without a value are last in both directions; ties keep the order of the file.
      found = found.map((item) => [key(item), item]).sort(([a, one], [b, two]) =>
        (a === null) - (b === null) || (a === b ? (state.key === "errors" ? one.length - two.length : 0) || one.number - two.number : sign * (a < b ? -1 : 1))).map(([, item]) => item);
    }

    function render() {
      const pages = Math.max(1, Math.ceil(found.length / PAGE));
      state.page = Math.min(state.page, pages - 1);
      const from = state.page * PAGE;
      const items = found.slice(from, from + PAGE);
      body.replaceChildren(...items.flatMap((item) => (state.open.has(item.number) ? [kind.row(item), below(item)] : [kind.row(item)])));
      for (const th of table.querySelectorAll("th[data-key]")) {
        if (th.dataset.key === state.key) th.setAttribute("aria-sort", state.down ? "descending" : "ascending");
        else th.removeAttribute("aria-sort");
      }
      if ($("sort")) $("sort").value = state.key;
      const range = items.length ? ` · showing ${grouped(from + 1)}–${grouped(from + items.length)}` : "";
      $("status").textContent = message || (found.length === data.sentences.length
        ? `${plural(found.length, "sentence")}${range}`
        : `${grouped(found.length)} of ${plural(data.sentences.length, "sentence")}${range}`) + (message || !found.length ? "" : kind.about?.() ?? "");
      $("empty").hidden = items.length > 0;
      $("empty").textContent = message || "No sentence fits. Clear the search or choose another filter.";
      $("pager").hidden = pages === 1;
      $("page").value = state.page + 1;
      $("page").max = pages;
      $("pages").textContent = `of ${grouped(pages)}`;
      $("previous").disabled = state.page === 0;
      $("next").disabled = state.page === pages - 1;
      kind.rendered?.();
    }

    function below(item) {
      return make("tr", { class: "detail" }, make("td", { colspan: table.tHead.querySelectorAll("th").length }, kind.detail(item)));
    }

    function toggle(number, focus) {
      if (state.open.has(number)) state.open.delete(number);
      else state.open.add(number);
      const tr = document.getElementById(`sentence-${number}`);
      const item = data.sentences[data.place.get(number)];
      if (tr.nextElementSibling?.classList.contains("detail")) tr.nextElementSibling.remove();
      const fresh = kind.row(item);
      tr.replaceWith(fresh);
      if (state.open.has(number)) fresh.after(below(item));
      state.last = state.open.has(number) ? number : state.last === number ? null : state.last;
      address();
      if (focus) fresh.querySelector(".opener").focus();
    }

    /* Open a sentence and scroll to it; `step` makes it a step in the history. */
    function showSentence(number, step = false, scroll = true) {
      if (kind.opens && !data.place.has(number)) {
        $("status").textContent = `This page does not list sentence ${grouped(number)}.`;
        root.scrollIntoView();
        return true;
      }
      if (!kind.opens) return false;
      // A delayed search would hide the sentence.
      clearTimeout(waiting);
      if (!found.some((item) => item.number === number)) {
        kind.reset();
        search();
      }
      state.page = Math.floor(found.findIndex((item) => item.number === number) / PAGE);
      state.open.add(number);
      state.last = number;
      address(step ? storage.push : storage.replace);
      render();
      const tr = document.getElementById(`sentence-${number}`);
      if (scroll) tr.scrollIntoView();
      tr.querySelector(".opener").focus({ preventScroll: true });
      return true;
    }

    /* Close the sentence that was opened last, and open the next one of the list, or the one before it. */
    function step(by) {
      if (!kind.opens || !found.length) return;
      const at = found.findIndex((item) => item.number === state.last);
      const next = found[at < 0 ? 0 : at + by];
      if (!next) return;
      state.open.delete(state.last);
      showSentence(next.number);
    }

    // -- controls -------------------------------------------------------------------

    if (kind.opens) {
      body.addEventListener("click", (event) => {
        const tr = event.target.closest("tr.sentence");
        if (!tr || event.target.closest("a")) return;
        // The click may end a selection of text.
        if (!event.target.closest("button") && !getSelection().isCollapsed) return;
        const number = Number(tr.id.slice("sentence-".length));
        toggle(number, Boolean(event.target.closest("button")));
      });
    }
    $("query")?.addEventListener("input", (event) => {
      clearTimeout(waiting);
      waiting = setTimeout(() => { state.query = event.target.value; search(); address(); }, 120);
    });
    $("filters").addEventListener("change", (event) => { state.shown = event.target.value; search(); address(); });
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
    $("page").addEventListener("change", (event) => turn(Math.floor(Number(event.target.value) || 1) - 1));
    const sortBy = (key) => {
      Object.assign(state, { down: state.key === key ? !state.down : kind.mostFirst(key), key, page: 0 });
      sort();
      render();
      address();
    };
    for (const th of table.querySelectorAll("th[data-key]")) th.querySelector("button").addEventListener("click", () => sortBy(th.dataset.key));
    $("sort")?.addEventListener("change", (event) => sortBy(event.target.value));

    return { search, render, showSentence, address, restore, step };
  }

  return { create };
})();
