/* Compare: the sentences of several systems, those with the largest differences first; each opens to two trees. */
"use strict";

/* Read the page's data: for each stretch of gold the F1 and the rows of each system. */
function readData(text) {
  const data = JSON.parse(text);
  const count = data.names.length;
  data.sentences = data.units.map((unit) => {
    const f1 = data.names.map((_, k) => (unit[3 + 2 * k] ? unit[2 + 2 * k] / unit[3 + 2 * k] : null));
    const errors = data.names.map((_, k) => unit[3 + 2 * k] - unit[2 + 2 * k]);
    // The number of a stretch is that of its last sentence.
    return { number: unit[1] || 1, goldFirst: unit[0], goldEnd: unit[1], f1, errors, rows: Array.from({ length: count }, () => []) };
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
  data.sentences = (data.listed ?? []).map((place) => data.sentences[place]);
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
    row[tree] = base[tree].replace(/(?<![:\d])(\d+)[-=+*#~_]?/g, (_, label) => {
      const mark = marks[next++];
      return mark === "." ? label : label + mark;
    });
  }
  return itemOf(data.fields, row, data.ids[k]);
}

/* The choice of sentences in an address: two of gold and the systems, and what to count. */
const CHOICES = ["cause", "label", "length", "bead", "dot", "who"];
const sideName = (k) => (k === GOLD ? "gold" : String(k + 1));
const sideOf = (text) => (text === "gold" ? GOLD : Number(text) - 1);

/* Return the address of some sentences. */
function addressOf({ pair, ...choice }) {
  const asked = new URLSearchParams({ pair: pair.map(sideName).join(" ") });
  for (const name of CHOICES) if (choice[name]) asked.set(name, choice[name]);
  return `#sentences?${asked}`;
}

const List = (() => {
  const WHO = { "": "by either", first: "by {a}", second: "by {b}", "first-only": "by {a}, not by {b}", "second-only": "by {b}, not by {a}", both: "by both" };
  const SHOW = { all: "all sentences", differ: "where both differ", better: "{b} better than {a}", worse: "{b} worse than {a}", tied: "{b} as good as {a}", wrong: "both with errors" };

  function create(data, root, storage) {
    const $ = (name) => document.querySelector(`[data-part="${name}"]`);
    const drawn = data.sentences.some((unit) => unit.rows.some((rows) => rows.length));
    const many = data.names.length > 1;
    const names = data.names.map(visible);
    const nameOf = (k) => (k === GOLD ? "gold" : names[k]);
    // Many systems are ranked: the best two are compared.
    const f1 = data.measures.find(({ name }) => name === "f1")?.systems.map(([value]) => value ?? -1);
    const best = f1 && data.names.length >= RANKED ? [...f1.keys()].sort((a, b) => f1[b] - f1[a] || a - b).slice(0, 2) : [0, 1];
    const start = many ? best : [GOLD, 0];
    const state = { query: "", shown: "all", key: many ? "apart" : "number", down: many, pair: start, choice: {}, width: 6 };

    // -- what is counted -----------------------------------------------------------------

    const fieldOf = (name) => data.fields.indexOf(name);
    const rowsOf = (unit, k) => unit.rows[k].map((_, i) => rowOf(data, unit, k, i));
    const counted = new Map();

    /* Return how many brackets of a stretch a system gets wrong, of the chosen cause and label. */
    function wrong(unit, k) {
      if (k === GOLD) return 0;
      const { cause, label } = state.choice;
      if (!cause && !label) return unit.errors[k];
      const key = `${k} ${unit.number} ${cause ?? ""} ${label ?? ""}`;
      if (!counted.has(key)) counted.set(key, cause ? ofCause(unit, k, data.causes.indexOf(cause)) : ofLabel(unit, k, label));
      return counted.get(key);
    }
    const ofCause = (unit, k, cause) => unit.rows[k].reduce((sum, row) => sum + (Explain.bracketsByCause(row[fieldOf("repairs")]).get(cause) ?? 0), 0);
    function ofLabel(unit, k, label) {
      const ids = data.labels.flatMap((one, i) => ([one, coreLabel(one)].includes(label) ? [i] : []));
      if (!ids.length) return 0;
      const count = (text, marks) => (text.match(new RegExp(`(?<![:\\d])(?:${ids.join("|")})[${marks}]`, "g")) ?? []).length;
      return rowsOf(unit, k).reduce((sum, { goldTree, systemTree }) => sum + count(goldTree, "-") + count(systemTree === 0 ? goldTree : systemTree, "+*"), 0);
    }
    const apart = (unit) => wrong(unit, state.pair[1]) - wrong(unit, state.pair[0]);
    const sizeOf = (unit, k) => unit.rows[k].reduce((sum, row) => sum + row[fieldOf("length")], 0);
    const inLength = (text) => {
      const [, from, to] = /^(\d+)(?:-(\d+)|\+)$/.exec(text) ?? [];
      // Empty sentences are in the first class.
      return (size) => (size || 1) >= Number(from) && (to === undefined || (size || 1) <= Number(to));
    };
    function beadsOf(unit, k) {
      return rowsOf(unit, k).map((item) => [
        item.goldWords.length ? item.goldEnd - item.goldFirst : 0,
        item.systemWords === "" ? 0 : item.systemEnd - item.systemFirst, Boolean(item.flags & FLAGS.systemUnparsed),
      ]);
    }
    const isKind = (text) => {
      // Two sides with one sentence, several or none; "no parse" is a system's sentence without words.
      const wanted = { "gold only": "1:0", "system only": "0:1", "no parse": "n:0" }[text] ?? text;
      const fits = (count, size) => ({ 0: count === 0, 1: count === 1 }[size] ?? count > 1);
      return ([gold, system, empty]) => (text === "no parse" ? empty : !empty && wanted.split(":").every((size, i) => fits([gold, system][i], size)));
    };

    // -- filters --------------------------------------------------------------------------

    const less = (a, b) => a !== null && b !== null && a < b;
    const f1Of = (unit, k) => (k === GOLD ? 1 : unit.f1[k]);
    function tests() {
      const [a, b] = state.pair;
      const { cause, label, length, bead, dot, who } = state.choice;
      const found = [{
        all: () => true,
        differ: (unit) => f1Of(unit, a) !== f1Of(unit, b),
        better: (unit) => less(f1Of(unit, a), f1Of(unit, b)),
        worse: (unit) => less(f1Of(unit, b), f1Of(unit, a)),
        tied: (unit) => f1Of(unit, a) !== null && f1Of(unit, a) === f1Of(unit, b),
        wrong: (unit) => less(f1Of(unit, a), 1) && less(f1Of(unit, b), 1),
      }[state.shown]];
      const byWho = (test) => (unit) => {
        const [first, second] = [a, b].map((k) => k !== GOLD && test(unit, k));
        return { first, second, "first-only": first && !second, "second-only": second && !first, both: first && second }[who] ?? (first || second);
      };
      if (cause || label) found.push(byWho((unit, k) => wrong(unit, k) > 0));
      if (length) found.push((unit) => inLength(length)(sizeOf(unit, unit.rows.findIndex((rows) => rows.length))));
      if (bead) found.push(byWho((unit, k) => beadsOf(unit, k).some(isKind(bead))));
      if (dot) found.push((unit) => unit.f1[a] !== null && unit.f1[b] !== null && placeOf(unit).join(" ") === dot);
      return found;
    }
    const placeOf = (unit) => state.pair.map((k) => Math.round(10000 * f1Of(unit, k)));

    function choose() {
      const query = visible(state.query.trim());
      const wanted = query.toLowerCase();
      let pattern = null;
      try {
        pattern = patternOf(query);
      } catch (reason) {
        return [[], String(reason)];
      }
      const fits = (text) => (pattern ? pattern.test(text) : text.toLowerCase().includes(wanted));
      const every = tests();
      return [data.sentences.filter((unit) => every.every((test) => test(unit)) && (!wanted || fits(textOfUnit(unit)))), ""];
    }

    const KEYS = {
      number: (unit) => unit.number,
      first: (unit) => wrong(unit, state.pair[0]),
      second: (unit) => wrong(unit, state.pair[1]),
      apart: (unit) => Math.abs(apart(unit)),
      f1: (unit) => { const [a, b] = state.pair.map((k) => f1Of(unit, k)); return a === null || b === null ? null : b - a; },
    };

    // -- rows -------------------------------------------------------------------------------

    /* Return the words of a stretch, from the first system that has rows for it. */
    function wordsOfUnit(unit) {
      if (unit.words) return unit.words;
      const k = unit.rows.findIndex((rows) => rows.length);
      const items = k < 0 ? [] : rowsOf(unit, k);
      // The direction of most words is that of the stretch.
      const size = (direction_) => items.filter((item) => direction(item) === direction_).reduce((sum, item) => sum + item.length, 0);
      unit.direction = size("rtl") > size("ltr") ? "rtl" : "ltr";
      unit.words = items.flatMap((item) => wordsOf(item, item.goldWords.length ? "gold" : "system"));
      return unit.words;
    }
    const textOfUnit = (unit) => { unit.text ??= visible(wordsOfUnit(unit).join(" ")); return unit.text; };
    const rangeOf = (unit) => (unit.goldEnd - unit.goldFirst > 1 ? `${unit.goldFirst + 1}–${unit.goldEnd}` : grouped(unit.number));

    function strip(unit) {
      const lanes = data.names.length;
      const plot = Charts.placed(make("div", { class: "plot" }, ...[0, 50, 100].map((x) => Charts.placed(make("i", { class: "g" }), { x: `${x}%` }))), { lane: `${Math.min(7, 24 / lanes)}px` });
      unit.f1.forEach((value, k) => {
        if (value === null) return;
        const one = make("span", { class: `mark ${Charts.classOf(k)}` }, Charts.glyph(k));
        plot.append(Charts.placed(one, { x: `${100 * value}%`, l: k - (lanes - 1) / 2 }));
      });
      plot.setAttribute("role", "img");
      const texts = unit.f1.map((value, k) => `${names[k]} ${rate(value)}`);
      plot.setAttribute("aria-label", texts.join(", "));
      plot.dataset.tip = texts.join("\n");
      return plot;
    }

    function row(unit) {
      const isOpen = state.open.has(unit.number);
      const text = drawn ? textOfUnit(unit) : "";
      const name = rangeOf(unit);
      const label = drawn
        ? make("button", {
          class: "opener", "aria-expanded": String(isOpen), "aria-controls": `pair-${unit.number}`,
          "aria-label": `Sentence ${name}, trees`,
        }, make("span", { class: "twist", "aria-hidden": "true" }), name)
        : name;
      const [a, b] = state.pair;
      const number = (k) => make("td", { class: `number c-wrong${k === GOLD ? " nil" : ""}`, "data-name": nameOf(k) }, k === GOLD ? "–" : grouped(wrong(unit, k)));
      const difference = apart(unit);
      const chosen = isOpen ? chosenRepairs(unit).flatMap(({ chosen: some }) => some) : [];
      const words = chosen.length && !state.query.trim() ? Explain.sentence(wordsOfUnit(unit), chosen) : text ? marked(text, state.query) : drawn ? ["(no words)"] : [];
      return make("tr", { id: `sentence-${unit.number}`, class: isOpen ? "sentence open" : "sentence" },
        make("th", { scope: "row", class: "number" }, label),
        make("td", { class: "text" }, make("div", {}, make("span", { class: "words", dir: unit.direction ?? "ltr" }, ...words))),
        number(a), number(b),
        make("td", { class: `number c-apart${difference ? "" : " nil"}` }, difference ? `${difference > 0 ? "+" : "−"}${grouped(Math.abs(difference))}` : "0"),
        make("td", { class: "c-strip" }, strip(unit)));
    }

    /* Return the repairs of both systems in the drawn pair: those of the chosen cause, and the others. */
    function chosenRepairs(unit) {
      const two = state.pair;
      const pair = Two.pair(data, unit, two);
      if (!pair) return [];
      return pair.sources.map((source, i) => {
        if (!source) return { pair, chosen: [], rest: [] };
        const every = Explain.explained(source, pair, data.causes, i === 0 ? "gold" : "system");
        const cause = state.choice.cause ? data.causes.indexOf(state.choice.cause) : null;
        const chosen = cause === null ? every : every.filter((repair) => repair.cause === cause);
        return { pair, k: two[i], chosen, rest: every.filter((repair) => !chosen.includes(repair)) };
      });
    }

    function detail(unit) {
      const panel = make("div", { class: "panel", id: `pair-${unit.number}` });
      const both = chosenRepairs(unit);
      const two = state.pair;
      if (many) panel.append(pairChoice(unit, two));
      if (!both.length) {
        panel.append(make("p", { class: "note" }, `${listing(two.filter((k) => k !== GOLD && !unit.rows[k].length).map(nameOf))} has nothing here.`));
        return panel;
      }
      const [{ pair }] = both;
      panel.append(make("p", { class: "sides" }, ...two.map((k, i) => {
        const about = k === GOLD ? [make("b", {}, "gold"), make("span", { class: "mut" }, Pair.range("", unit.goldFirst, unit.goldEnd).trim())] : sideAbout(unit, k, both[i]);
        return make("span", { class: "side" }, ...(i ? about.reverse() : about));
      })));
      for (const source of pair.sources) for (const item of source?.items ?? []) for (const note of item.notes) panel.append(make("p", { class: "note" }, make("bdi", {}, visible(note))));
      const item = (pair.sources[1] ?? pair.sources[0]).items[0];
      const drawing = Pair.place(panel, pair, item, state.across, storage, both.flatMap(({ chosen }) => chosen), { rest: both.flatMap(({ rest }) => rest) });
      let start_ = 1;
      for (const { k, chosen, rest } of both) {
        const same = new Set(chosen.map(({ brackets }) => brackets)).size === 1 && chosen.length > 1;
        if (chosen.length) {
          panel.append(make("p", { class: "rep-h" }, `What mends ${nameOf(k)}`, ...(same ? [make("span", {}, `each repair ${plural(chosen[0].brackets, "bracket")}`)] : [])),
            ...Explain.list(chosen, start_, drawing.light, drawing.go, data.causes));
        }
        start_ += chosen.length;
        panel.append(...Explain.others(rest, data.causes, (cause) => jump({ ...state.choice, cause, who: "" }, unit.number)));
      }
      panel.append(Pair.asText(pair, item));
      return panel;
    }

    /* Two selections above the trees of a sentence; a change is one of the whole list. */
    function pairChoice(unit, two) {
      const selects = two.map((own, i) => {
        const select = make("select", { "aria-label": i ? "Second" : "First" }, ...[GOLD, ...data.names.keys()].filter((k) => k !== two[1 - i] && (!i || k !== GOLD)).map((k) => option(k, nameOf(k), k === own)));
        select.addEventListener("change", () => {
          Object.assign(state, { pair: two.map((k, j) => (i === j ? Number(select.value) : k)) });
          scatter();
          rows.search();
          rows.showSentence(unit.number);
        });
        return select;
      });
      return make("p", { class: "pair-choice small" }, selects[0], " against ", selects[1]);
    }

    function sideAbout(unit, k, { chosen, rest }) {
      const [errors, repairs] = [unit.errors[k], chosen.length + rest.length];
      const about = !errors ? "every bracket as in gold" : `${plural(errors, "bracket")} wrong${repairs ? `, ${plural(repairs, "repair")}` : ""}`;
      return [Charts.key(k, names[k]), make("b", {}, rate(unit.f1[k])), make("span", { class: "mut" }, about)];
    }

    // -- the plot of two systems ---------------------------------------------------------------

    /* Plot F1 of both systems. */
    function scatter() {
      const plot = $("plot");
      if (!plot || !$("scatter").open) return;
      const [a, b] = state.pair;
      const known = data.every.filter((unit) => f1Of(unit, a) !== null && f1Of(unit, b) !== null);
      const outcome = { better: 0, tied: 0, worse: 0 };
      for (const unit of known) outcome[f1Of(unit, b) > f1Of(unit, a) ? "better" : f1Of(unit, b) < f1Of(unit, a) ? "worse" : "tied"]++;
      const colour = (kind) => (kind === "tied" ? "tied" : [a, b][kind === "better" ? 1 : 0] === GOLD ? "tied" : Charts.classOf([a, b][kind === "better" ? 1 : 0]));
      plot.replaceChildren(Charts.figure({ title: `F1 of ${nameOf(b)}`, about: `from the bottom up, by that of ${nameOf(a)} from left to right`, room: 0 },
        Charts.scatter(known, placeOf, {
          colour: (x, y) => colour(y > x ? "better" : y < x ? "worse" : "tied"),
          title: (x, y, units) => `${plural(units.length, "sentence")}: ${x.toFixed(2)}, ${y.toFixed(2)}`,
          act: (units, key) => { if (units.length > 1 || !rows.showSentence(units[0].number, true)) jump({ dot: key }); },
        })));
      const all = outcome.better + outcome.tied + outcome.worse;
      const share = (count) => (100 * count) / (all || 1);
      const title = { better: `${nameOf(b)} better`, tied: "equal", worse: `${nameOf(b)} worse` };
      const without = data.every.length - all;
      $("outcome").replaceChildren(...Object.entries(outcome).map(([name, count]) => {
        const button = make("button", { class: `part ${colour(name)}`, "data-show": name },
          draw("svg", { class: "bar", viewBox: "0 0 100 8", preserveAspectRatio: "none", "aria-hidden": "true" }, draw("rect", { class: "rail", width: 100, height: 8 }), draw("rect", { class: "fill", width: share(count), height: 8 })),
          make("b", {}, grouped(count)), " ", make("bdi", {}, title[name]), " ", make("span", { class: "count" }, `${share(count).toFixed(1)} %`));
        button.addEventListener("click", () => { state.shown = name; jump({}); });
        return button;
      }), ...(without > 0 ? [make("p", { class: "mut" }, `${plural(without, "sentence")} without a constituent on either side ${without === 1 ? "has" : "have"} no F1.`)] : []));
    }

    // -- choices -----------------------------------------------------------------------------------

    /* Show the sentences of a choice, as a step in the history; `number` opens one of them. */
    function jump(choice, number = null) {
      Object.assign(state, { query: "", choice, last: number });
      if ($("query")) $("query").value = "";
      const asked = new URLSearchParams(parameters());
      if (number) asked.set("sentence", number);
      storage.push(`#sentences?${asked}`);
      rows.restore(asked);
      if (!number) $("status").focus({ preventScroll: true });
    }

    function parameters() {
      const asked = [];
      if (state.pair.join() !== start.join() || Object.values(state.choice).some(Boolean)) asked.push(["pair", state.pair.map(sideName).join(" ")]);
      for (const name of CHOICES) if (state.choice[name]) asked.push([name, state.choice[name]]);
      if (state.shown !== "all") asked.push(["show", state.shown]);
      return asked;
    }

    const worded = (text) => text.replace("{a}", nameOf(state.pair[0])).replace("{b}", nameOf(state.pair[1]));
    const option = (value, text, selected) => make("option", { value, selected }, text);

    let told = start;
    function controls() {
      const [a, b] = state.pair;
      if (told.join() !== state.pair.join()) dispatchEvent(new CustomEvent("pair", { detail: told = state.pair }));
      const all = [GOLD, ...data.names.keys()];
      $("first").replaceChildren(...all.filter((k) => k !== b).map((k) => option(k, nameOf(k), k === a)));
      $("second").replaceChildren(...all.filter((k) => k !== GOLD && k !== a).map((k) => option(k, nameOf(k), k === b)));
      $("first-name").replaceChildren(a === GOLD ? "gold" : Charts.key(a, names[a]));
      $("second-name").replaceChildren(Charts.key(b, names[b]));
      $("filters").replaceChildren(...Object.entries(SHOW).filter(([name]) => a !== GOLD || ["all", "differ", "tied"].includes(name)).map(([name, text]) => option(name, a === GOLD ? { all: "all sentences", differ: "with errors", tied: "without errors" }[name] : worded(text), name === state.shown)));
      if ($("cause")) $("cause").value = state.choice.cause ?? "";
      const { cause, label, length, bead, dot, who } = state.choice;
      $("title").textContent = !many ? "Sentences" : a === GOLD ? `Where ${nameOf(b)} differs from gold` : `Where ${nameOf(a)} and ${nameOf(b)} differ most`;
      const titles = { cause, label: label && `errors at ${label}`, length: length && `${length.replace("-", "–")} words`, bead: bead && `beads ${bead}`, dot: dot && `F1 ${dot.split(" ").map((x) => (x / 100).toFixed(2)).join(" and ")}` };
      $("chips").replaceChildren(...Object.entries(titles).filter(([, title]) => title).flatMap(([name, title]) => {
        const clear = make("button", { "aria-label": `Remove the filter ${title}`, click: () => jump({ ...state.choice, [name]: "", who: "" }) }, "×");
        return [make("span", { class: "chip" }, make("bdi", {}, visible(title)), " ", clear)];
      }), ...(a !== GOLD && (cause || label || bead) ? [whoChoice(who)] : []));
    }

    function whoChoice(who) {
      const select = make("select", { "data-part": "who", "aria-label": "Whose errors" }, ...Object.entries(WHO).map(([value, text]) => option(value, worded(text), value === (who ?? ""))));
      select.addEventListener("change", () => { state.choice = { ...state.choice, who: select.value }; change(); });
      return select;
    }

    const change = () => { rows.search(); rows.address(); };
    /* Choose two systems; the chart of two systems shows the same ones. */
    const choosePair = (pair) => { state.pair = pair; scatter(); change(); };

    const rows = Rows.create(data, root, storage, state, {
      row, detail, choose, parameters,
      keyOf: (name) => KEYS[name],
      // Readers look for large differences and many errors.
      mostFirst: (name) => name !== "number",
      rendered: controls,
      about: () => (state.key === "apart" && state.down && many ? `, most ${state.choice.cause ? `${state.choice.cause} ` : ""}brackets apart first` : ""),
      reset: () => {
        Object.assign(state, { query: "", shown: "all", last: null, choice: {}, pair: start });
        if ($("query")) $("query").value = "";
      },
      restore: (asked) => {
        const pair = (asked.get("pair") ?? "").split(" ").map(sideOf);
        const valid = pair.length === 2 && pair[0] !== pair[1] && pair.every((k) => Number.isInteger(k) && k >= GOLD && k < data.names.length) && pair[1] !== GOLD;
        if (valid) Object.assign(state, { pair });
        for (const name of CHOICES) state.choice[name] = asked.get(name);
        const shown = asked.get("show");
        if (shown in SHOW) state.shown = shown;
        scatter();
      },
      opens: drawn,
    });

    for (const [name, i] of [["first", 0], ["second", 1]]) {
      $(name)?.addEventListener("change", (event) => {
        choosePair(state.pair.map((k, j) => (i === j ? Number(event.target.value) : k)));
        $(name).focus();
      });
    }
    if ($("cause")) {
      $("cause").append(...(data.byCause ?? []).map(({ title }) => option(title, title)));
      $("cause").addEventListener("change", (event) => { state.choice = { ...state.choice, cause: event.target.value }; change(); });
    }
    $("scatter")?.addEventListener("toggle", scatter);
    rows.search();
    return { showSentence: rows.showSentence, restore: rows.restore, choosePair };
  }

  return { create };
})();
