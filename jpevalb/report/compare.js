/* Compare: the sentences of several systems, by how far the systems are apart; each opens to their trees. */
"use strict";

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
      // Differences that are equal must be equal as numbers too, for the order of the file to decide.
      spread: known.length > 1 ? Math.round((Math.max(...known) - Math.min(...known)) * 1e9) / 1e9 : null,
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
  return itemOf(data.fields, row, data.ids[k]);
}

const List = (() => {
  function create(data, root, storage) {
    const $ = (name) => root.querySelector(`[data-part="${name}"]`);
    const drawn = data.sentences.some((unit) => unit.rows.some((rows) => rows.length));
    const many = data.names.length > 1;
    const state = { query: "", shown: "all", key: many ? "spread" : "number", down: many };

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
      // A stretch is written as most of its words are.
      const size = (direction_) => items.filter((item) => direction(item) === direction_).reduce((sum, item) => sum + item.length, 0);
      unit.direction = size("rtl") > size("ltr") ? "rtl" : "ltr";
      unit.text = items.map((item) => textOf(item, item.goldWords.length ? "gold" : "system")).join(" ");
      return unit.text;
    }

    function choose() {
      const query = visible(state.query.trim());
      const wanted = query.toLowerCase();
      const test = shown(state.shown);
      let pattern = null;
      try {
        pattern = patternOf(query);
      } catch (reason) {
        return [[], String(reason)];
      }
      const fits = (text) => (pattern ? pattern.test(text) : text.toLowerCase().includes(wanted));
      return [data.sentences.filter((unit) => test(unit) && (!wanted || fits(textOfUnit(unit)))), ""];
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
        for (const item of items) Pair.fill(place, pairOf(data, item), item, state.across, storage);
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
      return panel;
    }

    const rows = Rows.create(data, root, storage, state, {
      row, detail, keyOf, choose,
      // Spreads are looked for from the most, numbers and rates from the least.
      mostFirst: (name) => name === "spread",
      reset: () => {
        Object.assign(state, { query: "", shown: "all", last: null });
        if ($("query")) $("query").value = "";
        $("filters").value = "all";
      },
      restore: (asked) => {
        const wanted = asked.get("show") ?? "all";
        if ([...$("filters").options].some((one) => one.value === wanted)) { $("filters").value = wanted; state.shown = wanted; }
      },
      opens: drawn,
    });
    rows.search();
    return { showSentence: rows.showSentence, restore: rows.restore };
  }

  return { create };
})();
