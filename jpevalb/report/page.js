/* Page: starts everything; theme, sortable tables, buttons that show sentences, addresses. */
"use strict";

(() => {
  const KEEP = "jpevalb-report-";
  const storage = {
    // A page opened from a file may have no storage; then choices last as long as the page.
    get(name) { try { return localStorage.getItem(KEEP + name); } catch { return null; } },
    set(name, value) { try { localStorage.setItem(KEEP + name, value); } catch { /* not kept */ } },
    address(hash) { try { history.replaceState(null, "", hash); } catch { /* not shown */ } },
  };

  // -- light and dark -----------------------------------------------------------------

  const themes = ["auto", "light", "dark"];
  const themeButton = document.getElementById("theme");
  let theme = storage.get("theme") ?? "auto";
  function setTheme(name) {
    theme = themes.includes(name) ? name : "auto";
    document.documentElement.dataset.theme = theme;
    themeButton.querySelector("span").textContent = theme[0].toUpperCase() + theme.slice(1);
    themeButton.setAttribute("aria-label", `Colours: ${theme}. Change`);
    storage.set("theme", theme);
  }
  themeButton.addEventListener("click", () => setTheme(themes[(themes.indexOf(theme) + 1) % themes.length]));
  themeButton.hidden = false;
  setTheme(theme);

  // -- tables of the page ---------------------------------------------------------------

  const value = (tr, column) => {
    const cell = tr.cells[column];
    const given = cell.dataset.value;
    if (given === undefined) return cell.textContent.trim();
    return given === "" ? null : Number(given);
  };

  for (const table of document.querySelectorAll("table.sortable")) {
    for (const th of table.tHead.rows[0].cells) {
      const button = make("button", { type: "button" }, ...th.childNodes);
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
      button = make("button", { type: "button", class: "quiet more", "aria-expanded": "false" });
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
  const list = root?.querySelector('[data-part="table"]') ? List.create(readData(source.textContent), root, storage) : null;
  source.textContent = ""; // 20,000 sentences take much memory, once is enough

  for (const button of document.querySelectorAll("button[data-group]")) {
    if (list) button.addEventListener("click", () => list.showGroup(button.dataset.group, button.dataset.title));
    else button.disabled = true;
  }
  for (const bar of document.querySelectorAll("rect[data-group]")) {
    if (list) bar.addEventListener("click", () => list.showGroup(bar.dataset.group, bar.dataset.title));
  }
  for (const link of document.querySelectorAll("a[href^='#sentence-']")) {
    link.addEventListener("click", (event) => {
      if (list?.showSentence(Number(link.hash.slice("#sentence-".length)))) event.preventDefault();
    });
  }

  function follow() {
    const found = /^#sentence-(\d+)$/.exec(location.hash);
    if (found && list) list.showSentence(Number(found[1]));
    const asked = /^#sentences\?(.*)$/s.exec(location.hash);
    if (asked && list) list.restore(new URLSearchParams(asked[1]));
  }
  addEventListener("hashchange", follow);
  follow();
  document.documentElement.dataset.ready = "true";
})();
