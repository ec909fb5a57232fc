/* Page: starts everything; theme, sortable tables, buttons that show sentences, addresses. */
"use strict";

(() => {
  const KEEP = "jpevalb-report-";
  const storage = {
    // A page opened from a file may have no storage; then choices last as long as the page.
    get(name) { try { return localStorage.getItem(KEEP + name); } catch { return null; } },
    set(name, value) { try { localStorage.setItem(KEEP + name, value); } catch { /* not kept */ } },
    replace(hash) { try { history.replaceState(history.state, "", hash); } catch { /* not shown */ } },
    /* Make a step in the history that Back undoes, at the place that is now shown. */
    push(hash) {
      try {
        history.replaceState({ top: scrollY }, "", location.href);
        history.pushState(null, "", hash);
      } catch { /* not shown */ }
    },
  };

  // -- light and dark -----------------------------------------------------------------

  const themes = ["auto", "light", "dark"];
  const themeButton = document.getElementById("theme");
  let theme;
  function setTheme(name) {
    theme = themes.includes(name) ? name : "auto";
    document.documentElement.dataset.theme = theme;
    themeButton.querySelector("span").textContent = theme[0].toUpperCase() + theme.slice(1);
    themeButton.setAttribute("aria-label", `Colours: ${theme}. Change`);
    storage.set("theme", theme);
  }
  themeButton.addEventListener("click", () => setTheme(themes[(themes.indexOf(theme) + 1) % themes.length]));
  themeButton.hidden = false;
  setTheme(storage.get("theme"));

  // -- tables of the page: open without this script -------------------------------------

  for (const one of document.querySelectorAll("details")) one.open = false;

  for (const one of document.querySelectorAll(".cite")) {
    const button = make("button", { class: "quiet", "aria-label": `Copy: ${one.querySelector("b").textContent}`, click: async () => { button.textContent = (await Pair.copy(one.querySelector("pre").textContent)) ? "Copied" : "Select and copy"; } }, "Copy");
    one.querySelector(".lab").append(button);
  }

  const value = (tr, column) => {
    const cell = tr.cells[column];
    const given = cell.dataset.value;
    if (given === undefined) return cell.textContent.trim();
    return given === "" ? null : Number(given);
  };

  for (const table of document.querySelectorAll("table.sortable")) {
    for (const th of table.tHead.rows[0].cells) {
      const button = make("button", {}, ...th.childNodes);
      th.append(button);
      const numeric = th.classList.contains("number") || "numeric" in th.dataset;
      button.addEventListener("click", () => {
        const now = th.getAttribute("aria-sort");
        const down = now ? now === "ascending" : numeric;
        for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
        th.setAttribute("aria-sort", down ? "descending" : "ascending");
        const sign = down ? -1 : 1;
        const rows = [...table.tBodies[0].rows].map((tr) => [value(tr, th.cellIndex), tr]);
        rows.sort(([a], [b]) => (a === null) - (b === null) || (a === b ? 0 : sign * (a < b ? -1 : 1)));
        table.tBodies[0].append(...rows.map(([, tr]) => tr));
        shorten(table);
      });
    }
    shorten(table);
  }

  /* Shows the first rows of a long table, and a button for the others. */
  function shorten(table) {
    const limit = Number(table.dataset.limit);
    const rows = [...table.tBodies[0].rows];
    if (!limit || rows.length <= limit + 2) return;
    let button = table.parentElement.querySelector(":scope > .more");
    if (!button) {
      button = make("button", { class: "quiet more", "aria-expanded": "false" });
      button.addEventListener("click", () => {
        button.setAttribute("aria-expanded", String(button.getAttribute("aria-expanded") === "false"));
        shorten(table);
      });
      table.after(button);
    }
    const all = button.getAttribute("aria-expanded") === "true";
    rows.forEach((tr, i) => { tr.hidden = !all && i >= limit; });
    button.textContent = all ? `Show the first ${limit}` : `Show all ${rows.length}`;
  }

  // -- sentences ----------------------------------------------------------------------

  const root = document.getElementById("sentences");
  const source = document.getElementById("data");
  const data = readData(source.textContent);
  source.textContent = ""; // 20,000 sentences take much memory, once is enough
  const table = root.querySelector('[data-part="table"]');
  const list = table ? List.create(data, root, storage) : null;
  if (document.body.classList.contains("comparison")) Overview.create(data, table ? addressOf : () => null, list);
  else Single.create(data, list);
  Terms.create();

  for (const button of document.querySelectorAll("[data-group]")) {
    button.addEventListener("click", () => list.showGroup(button.dataset.group, button.dataset.title));
  }

  /* Follow an address: a sentence, or a search of the list. */
  function follow(hash, scroll) {
    const found = /^#sentence-(\d+)$/.exec(hash);
    if (found) return Boolean(list?.showSentence(Number(found[1]), false, scroll));
    const asked = /^#sentences\?(.*)$/s.exec(hash);
    if (asked) list?.restore(new URLSearchParams(asked[1]), scroll);
    return Boolean(asked && list);
  }
  addEventListener("click", (event) => {
    const link = event.target.closest?.("a[href^='#sentence']");
    if (!list || !link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (!/^#sentence(-\d+$|s\?)/.test(link.hash)) return;
    event.preventDefault();
    storage.push(link.hash);
    follow(link.hash, true);
  });
  addEventListener("popstate", (event) => {
    const back = event.state?.top !== undefined;
    if (!follow(location.hash, !back) && back) list?.restore(new URLSearchParams(), false);
    if (back) scrollTo(0, event.state.top);
  });
  follow(location.hash, true);
  document.documentElement.dataset.ready = "true";
})();
