/* Compare: the sentences of several systems, those with the largest differences first; each opens to their trees. */
"use strict";

const WHO = -1; // the first view of a row: which gold constituents two systems find

/* Read the page's data: for each stretch of gold the F1 and the rows of each system. */
function readData(text) {
  const data = JSON.parse(text);
  const count = data.names.length;
  data.sentences = data.units.map((unit) => {
    const f1 = data.names.map((_, k) => (unit[3 + 2 * k] ? unit[2 + 2 * k] / unit[3 + 2 * k] : null));
    const errors = data.names.map((_, k) => unit[3 + 2 * k] - unit[2 + 2 * k]);
    return {
      // The number of a stretch is that of its last sentence.
      number: unit[1] || 1, goldFirst: unit[0], goldEnd: unit[1], f1, errors,
      apart: Math.max(...errors) - Math.min(...errors),
      rows: Array.from({ length: count }, () => []),
    };
  });
  data.every = data.sentences;
  (data.rows ?? []).forEach((rows, k) => {
    let unit = 0;
    rows.forEach((row, i) => {
      unit += data.beads[k][i];
      data.sentences[unit].rows[k].push(row);
    });
  });
  data.rows = data.beads = null;
  data.sentences = data.listed.map((place) => data.sentences[place]);
  data.place = new Map(data.sentences.map((unit, i) => [unit.number, i]));
  return data;
}

/* Return a row of a system as an object; gold words and tree may be stored with the baseline only. */
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

/* Return the gold tree marked by which of two systems finds each constituent, and the extra ones of both systems;
   null if a system has several rows here, or other gold words. */
function whoFinds(data, unit, k, other) {
  if (unit.rows[k].length !== 1 || unit.rows[other].length !== 1) return null;
  const items = [k, other].map((system) => rowOf(data, unit, system, 0));
  const unmarked = items.map((item) => item.goldTree.replace(/[-=+*#~]/g, ""));
  if (unmarked[0] !== unmarked[1] || !items[0].goldWords.length) return null;
  const pairs = items.map((item) => pairOf(data, item));
  const [first, second] = pairs.map((pair) => pair.gold);
  const gold = { ...first, marks: first.marks.map((mark, node) => {
    const found = [mark, second.marks[node]].map((one) => one === MARKS.matched);
    if (![MARKS.matched, MARKS.missed].includes(mark)) return "";
    return found[0] ? (found[1] ? MARKS.matched : MARKS.onlyFirst) : found[1] ? MARKS.onlySecond : MARKS.neither;
  }) };
  const empty = { labels: [], marks: [], parents: [], children: [], words: [], wordParents: [], order: [] };
  const wrong = pairs.map((pair) => {
    const { system } = pair;
    return new Map(system.marks.flatMap((mark, node) => {
      if (![MARKS.extra, MARKS.crossing].includes(mark)) return [];
      const { words } = Trees.below(system, node);
      const label = coreLabel(system.labels[node]) || system.labels[node];
      const texts = words.map((word) => visible(system.words[word]));
      const text = texts.length > 5 ? `${texts.slice(0, 2).join(" ")} … ${texts.slice(-2).join(" ")}` : Trees.phrase(words, texts);
      return [[`${label} ${Trees.unitsOf(pair, "system", node)}`, { label: visible(label) || "∅", text }]];
    }));
  });
  const units = gold.words.map((_, i) => [i, i + 1, 0, 0]);
  return { pair: { gold, system: empty, units, pairs: [], rightToLeft: pairs[0].rightToLeft, number: unit.number, alone: true }, item: items[0], wrong };
}

const List = (() => {
  function create(data, root, storage) {
    const $ = (name) => document.querySelector(`[data-part="${name}"]`);
    const drawn = data.sentences.some((unit) => unit.rows.some((rows) => rows.length));
    const many = data.names.length > 1;
    const most = data.sentences.reduce((one, unit) => Math.max(one, unit.apart), 0);
    const signed = (value) => (value ? `${value > 0 ? "+" : "−"}${grouped.format(Math.abs(value))}` : "0");
    const state = { query: "", shown: "all", key: many ? "apart" : "number", down: many, group: null };
    let other = 1;

    const keyOf = (name) => (name === "number" || name === "apart" ? (unit) => unit[name] : (unit) => unit.f1[Number(name)]);
    const less = (a, b) => a !== null && b !== null && a < b;
    function shown(name) {
      const [kind, k] = name.split("-");
      if (name === "differ") return (unit) => unit.f1.some((value) => value !== unit.f1[0]);
      if (kind === "tied") return (unit) => unit.f1[0] !== null && unit.f1[0] === unit.f1[k];
      if (kind === "better") return (unit) => less(unit.f1[0], unit.f1[k]);
      if (kind === "worse") return (unit) => less(unit.f1[k], unit.f1[0]);
      if (name === "all-wrong") return (unit) => unit.f1.every((value) => value !== 1);
      return () => true;
    }

    /* Return a test for the sentences of a dot `at-k-x-y`; x and y are the F1 of both systems in 1 / 10,000. */
    const placeOf = (unit, k) => [unit.f1[0], unit.f1[k]].map((value) => Math.round(10000 * value));
    function dot(name) {
      const [, k, x, y] = (/^at-(\d+)-(\d+)-(\d+)$/.exec(name ?? "") ?? []).map(Number);
      if (k === undefined || k >= data.names.length) return () => true;
      return (unit) => unit.f1[0] !== null && unit.f1[k] !== null && `${placeOf(unit, k)}` === `${[x, y]}`;
    }
    const titleOf = (name) => {
      const [, k, x, y] = name.split("-").map(Number);
      return `F1 ${(x / 100).toFixed(2)} by ${data.names[0]}, ${(y / 100).toFixed(2)} by ${data.names[k]}`;
    };

    /* Return the words of a stretch, from the first system that has rows for it. */
    function textOfUnit(unit) {
      if (unit.text !== undefined) return unit.text;
      const k = unit.rows.findIndex((rows) => rows.length);
      const items = k < 0 ? [] : unit.rows[k].map((_, i) => rowOf(data, unit, k, i));
      // The direction of most words is that of the stretch.
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
      const asked = dot(state.group?.name);
      const fits = (text) => (pattern ? pattern.test(text) : text.toLowerCase().includes(wanted));
      return [data.sentences.filter((unit) => test(unit) && asked(unit) && (!wanted || fits(textOfUnit(unit)))), ""];
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
          make("span", { class: unit.f1.some((one) => one !== value) && value === worst ? "low" : "" }, rate(value)))),
        ...(many ? [make("td", { class: `number c-f1 c-spread${unit.apart ? "" : " nil"}` }, bar(unit.apart / (most || 1)),
          make("span", {}, data.names.length === 2 ? signed(unit.errors[1] - unit.errors[0]) : grouped.format(unit.apart)))] : []));
    }

    function detail(unit) {
      const panel = make("div", { class: "panel", id: `pair-${unit.number}` });
      const place = make("div", {});
      const comparable = many && whoFinds(data, unit, 0, other) !== null;
      if (!comparable && state.open.get(unit.number) === WHO) state.open.set(unit.number, 0);
      const fill = () => {
        const k = state.open.get(unit.number);
        place.replaceChildren();
        if (k === WHO) { who(place, unit); return; }
        const items = unit.rows[k].map((_, i) => rowOf(data, unit, k, i));
        if (!items.length) place.append(make("p", { class: "note" }, "This system has nothing here."));
        for (const item of items) Pair.fill(place, pairOf(data, item), item, state.across, storage);
      };
      if (many) {
        const choice = make("fieldset", { class: "segments" }, make("legend", { class: "hidden" }, "System"));
        if (comparable) {
          const input = make("input", { type: "radio", name: `system-${unit.number}`, value: "who", checked: state.open.get(unit.number) === WHO });
          input.addEventListener("change", () => { state.open.set(unit.number, WHO); fill(); });
          choice.append(make("label", {}, input, make("span", {}, "Who finds what")));
        }
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

    /* Draw the gold tree with the constituents that two systems find, and list their extra ones. */
    function who(place, unit) {
      const { pair, item, wrong } = whoFinds(data, unit, 0, other);
      const [a, b] = [data.names[0], data.names[other]].map(visible);
      const sample = (name, sign, text) => {
        const size = 24 + 9 * sign.length;
        return make("li", {}, draw("svg", { width: size, height: 19, class: `sample node ${name}`, "aria-hidden": "true" },
          draw("rect", { class: "shape", x: 1, y: 1, width: size - 2, height: 17, rx: 8.5 }),
          draw("text", { x: size / 2, y: 13.5, "text-anchor": "middle" }, sign ? `${sign} NP` : "NP")), make("bdi", {}, text));
      };
      place.append(make("ul", { class: "legend", "aria-label": "Marks of this tree" },
        sample("matched", "", "found by both"), sample("only-first", "A", `only by ${a}`),
        sample("only-second", "B", `only by ${b}`), sample("missed", "−", "by neither")));
      const list = make("dl", { class: "differences" });
      const [first, second] = wrong;
      for (const [title, keys] of [
        [`extra in both`, [...first.keys()].filter((key) => second.has(key))],
        [`extra only in ${a}`, [...first.keys()].filter((key) => !second.has(key))],
        [`extra only in ${b}`, [...second.keys()].filter((key) => !first.has(key))],
      ]) {
        if (!keys.length) continue;
        list.append(make("dt", {}, make("bdi", {}, title)), make("dd", {}, ...keys.map((key) => {
          const { label, text } = first.get(key) ?? second.get(key);
          return make("span", { class: "difference extra" }, make("b", {}, label), " ", make("span", { class: "words", dir: direction(item) }, text));
        })));
      }
      const drawing = make("div", { class: "drawing" });
      place.append(drawing);
      Pair.drawing(drawing, pair, item, state.across, storage, null, list);
    }

    /* Plot F1 of two systems; sentences with the same values share a dot. */
    function scatter() {
      const plot = $("plot");
      if (!plot) return;
      const [size, pad] = [440, 44];
      const at = (value) => pad + (value / 10000) * size;
      const dots = new Map();
      const outcome = { better: 0, tied: 0, worse: 0 };
      for (const unit of data.every) {
        if (unit.f1[0] === null || unit.f1[other] === null) continue;
        outcome[unit.f1[other] > unit.f1[0] ? "better" : unit.f1[other] < unit.f1[0] ? "worse" : "tied"]++;
        const key = placeOf(unit, other).join("-");
        if (!dots.has(key)) dots.set(key, []);
        dots.get(key).push(unit);
      }
      const svg = draw("svg", { viewBox: `0 0 ${size + 2 * pad} ${size + 2 * pad - 10}`, role: "img", "aria-label": `F1 of ${data.names[0]} against ${data.names[other]}: ${outcome.better} better, ${outcome.tied} equal, ${outcome.worse} worse` });
      const floor = size + pad;
      for (let tick = 0; tick <= 100; tick += 20) {
        const [x, y] = [at(tick * 100), floor + pad - at(tick * 100)];
        svg.append(draw("line", { class: "grid", x1: pad, x2: floor, y1: y, y2: y }), draw("line", { class: "grid", x1: x, x2: x, y1: pad, y2: floor }),
          draw("text", { class: "axis", x, y: floor + 16, "text-anchor": "middle" }, tick), draw("text", { class: "axis", x: pad - 8, y: y + 4, "text-anchor": "end" }, tick));
      }
      svg.append(draw("line", { class: "equal", x1: pad, y1: floor, x2: floor, y2: pad }),
        draw("text", { class: "axis name", x: pad + size / 2, y: floor + 32, "text-anchor": "middle" }, visible(data.names[0])),
        draw("text", { class: "axis name", x: pad, y: pad - 14 }, visible(data.names[other])));
      for (const [key, units] of [...dots].sort(([, a], [, b]) => b.length - a.length)) {
        const [x, y] = key.split("-").map(Number);
        const circle = draw("circle", { class: `dot ${y > x ? "better" : y < x ? "worse" : "tied"}`, cx: at(x), cy: floor + pad - at(y), r: Math.min(14, 2.4 + 1.3 * Math.sqrt(units.length)) },
          draw("title", {}, `${plural(units.length, "sentence")}: ${(x / 100).toFixed(2)}, ${(y / 100).toFixed(2)}`));
        circle.addEventListener("click", () => openDot(key, units));
        svg.append(circle);
      }
      plot.replaceChildren(svg);
      const all = outcome.better + outcome.tied + outcome.worse || 1;
      const title = { better: `${data.names[other]} better`, tied: "equal", worse: `${data.names[other]} worse` };
      $("outcome").replaceChildren(...Object.entries(outcome).map(([name, count]) => {
        const button = make("button", { type: "button", class: `part ${name}`, "data-show": `${name}-${other}` },
          draw("svg", { class: "bar", viewBox: "0 0 100 8", preserveAspectRatio: "none", "aria-hidden": "true" }, draw("rect", { class: "rail", width: 100, height: 8 }), draw("rect", { class: "fill", width: (100 * count) / all, height: 8 })),
          make("b", {}, grouped.format(count)), " ", make("bdi", {}, visible(title[name])), " ", make("span", { class: "count" }, `${((100 * count) / all).toFixed(1)} %`));
        button.addEventListener("click", () => ask(`${name}-${other}`, null));
        return button;
      }));
    }

    function ask(shown, group) {
      Object.assign(state, { query: "", shown, group, last: null });
      if ($("query")) $("query").value = "";
      $("filters").value = shown;
      rows.search();
      rows.address();
      root.scrollIntoView();
      $("status").focus({ preventScroll: true });
    }

    function openDot(key, units) {
      const name = `at-${other}-${key}`;
      if (units.length > 1 || !rows.showSentence(units[0].number)) ask("all", { name, title: titleOf(name) });
    }

    const rows = Rows.create(data, root, storage, state, {
      row, detail, keyOf, choose,
      // Readers look for large differences, but for low rates.
      mostFirst: (name) => name === "apart",
      first: many ? WHO : 0,
      rendered: () => {
        $("chip").hidden = !state.group;
        if (state.group) $("chip-name").textContent = state.group.title;
      },
      reset: () => {
        Object.assign(state, { query: "", shown: "all", last: null, group: null });
        if ($("query")) $("query").value = "";
        $("filters").value = "all";
      },
      restore: (asked) => {
        const wanted = asked.get("show") ?? "all";
        if ([...$("filters").options].some((one) => one.value === wanted)) { $("filters").value = wanted; state.shown = wanted; }
        const name = asked.get("group");
        if (name && /^at-\d+-\d+-\d+$/.test(name) && Number(name.split("-")[1]) < data.names.length) state.group = { name, title: titleOf(name) };
      },
      opens: drawn,
    });
    $("chip-clear").addEventListener("click", () => ask("all", null));
    document.querySelector('[data-part="other"]')?.addEventListener("change", (event) => {
      other = Number(event.target.value);
      scatter();
      rows.render();
    });
    rows.search();
    scatter();
    return { showSentence: rows.showSentence, restore: rows.restore };
  }

  return { create };
})();
