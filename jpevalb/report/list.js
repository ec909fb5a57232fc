/* List: the sentences of one system, searched and filtered; each opens to a pair of trees. */
"use strict";

/* Read the page's data, with objects in place of rows. */
function readData(text) {
  const data = JSON.parse(text);
  data.sentences = data.rows.map((row) => itemOf(data.fields, row, data.ids));
  data.rows = null;
  for (const name of Object.keys(data.groups)) {
    let number = 0;
    data.groups[name] = data.groups[name].map((step) => (number += step));
  }
  data.place = new Map(data.sentences.map((item, i) => [item.number, i]));
  return data;
}

// -- search and filters ----------------------------------------------------------------

const SHOWN = {
  all: () => true,
  errors: (item) => item.missed > 0 || item.extra > 0,
  crossing: (item) => item.crossing > 0,
  tags: (item) => item.correctTags < item.tags,
  gaps: (item) => (item.flags & FLAGS.gapErrors) > 0,
  units: (item) => (item.flags & FLAGS.resegmented) > 0,
  joined: (item) => Math.max(item.goldEnd - item.goldFirst, item.systemEnd - item.systemFirst) > 1,
  words: (item) => (item.flags & FLAGS.otherWords) > 0,
  unaligned: (item) => (item.flags & FLAGS.unaligned) > 0,
  unparsed: (item) => (item.flags & (FLAGS.goldUnparsed | FLAGS.systemUnparsed)) > 0,
};

/* Return a test of sentences; throw a message if nothing can match. */
function matcher(data, text, where) {
  const query = text.trim();
  if (!query) return () => true;
  const pattern = patternOf(query);
  if (where === "words") {
    const wanted = query.toLowerCase();
    return (item) => {
      item.texts ??= [item.id ?? "", wordsOf(item, "gold").join(" "), item.systemWords === 0 ? "" : wordsOf(item, "system").join(" ")];
      if (pattern) return item.texts.some((one) => pattern.test(one));
      item.search ??= item.texts.join("\n").toLowerCase();
      return item.search.includes(wanted);
    };
  }
  const tests = (pattern ? [query] : query.split(/\s+/)).map((name) => {
    const wanted = name.toLowerCase();
    const found = data.labels.flatMap((label, i) =>
      ([label, coreLabel(label)].some((one) => (pattern ? pattern.test(one) : one.toLowerCase() === wanted)) ? [i] : []));
    if (!found.length) throw `No tree has the label “${name}”.`;
    return new RegExp(`(?<![:\\d])(?:${found.join("|")})${where === "errors" ? "[-+*~]" : "(?![0-9])"}`);
  });
  return (item) => tests.every((test) => test.test(item.goldTree) || (item.systemTree !== 0 && test.test(item.systemTree)));
}

/* Return a function from a pair of trees to the nodes that a group is about, by side. */
function nodesOfGroup(data, name) {
  const [kind] = name.split("-");
  const [gold, system] = data.about[name] ?? ["", ""];
  const labelled = (tree, label, marks) => tree.labels.flatMap((one, node) =>
    (marks.includes(tree.marks[node]) && [one, coreLabel(one)].includes(label) ? [node] : []));
  const [missed, extra] = [[MARKS.missed], [MARKS.extra, MARKS.crossing]];
  return (pair) => {
    const trees = pair.whole ?? pair;
    if (kind === "missed") return { gold: labelled(trees.gold, gold, missed) };
    if (kind === "extra") return { system: labelled(trees.system, system, extra) };
    if (kind === "tags") return { gold: labelled(trees.gold, gold, [MARKS.otherTag]), system: labelled(trees.system, system, [MARKS.otherTag]) };
    if (kind === "confusion") {
      const spans = (side, nodes) => nodes.map((node) => [`${Trees.unitsOf(trees, side, node)}`, node]);
      const [goldSpans, systemSpans] = [spans("gold", labelled(trees.gold, gold, missed)), spans("system", labelled(trees.system, system, extra))];
      const both = new Set(goldSpans.map(([span]) => span).filter((span) => systemSpans.some(([other]) => other === span)));
      const over = (nodes) => nodes.filter(([span]) => both.has(span)).map(([, node]) => node);
      return { gold: over(goldSpans), system: over(systemSpans) };
    }
    return {};
  };
}

const KEYS = {
  number: (item) => item.number,
  length: (item) => item.length,
  errors: (item) => item.missed + item.extra,
  missed: (item) => item.missed,
  extra: (item) => item.extra,
  crossing: (item) => item.crossing,
  f1: (item) => item.f1,
};
const MORE = /^(tags|\d)$/; // keys of rates that have no column unless the list is sorted by them
const rateOf = (item, key) => (key === "tags" ? item.tagRate : item.columns[key] === null ? null : item.columns[key] / 10000);

const List = (() => {
  function create(data, root, storage) {
    const $ = (name) => root.querySelector(`[data-part="${name}"]`);
    const state = { query: "", where: "words", shown: "all", group: null, length: "", key: "errors", down: true };

    function choose() {
      let message = "";
      let test = () => true;
      try {
        test = matcher(data, state.query, state.where);
      } catch (reason) {
        message = String(reason);
        test = () => false;
      }
      const members = [state.group?.name, state.length].filter(Boolean).map((name) => new Set(data.groups[name]));
      const shown = SHOWN[state.shown];
      return [data.sentences.filter((item) => shown(item) && members.every((some) => some.has(item.number)) && test(item)), message];
    }

    function reset() {
      Object.assign(state, { group: null, length: "", query: "", shown: "all", last: null });
      $("query").value = "";
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
      const chosen = isOpen && !state.query.trim() ? repairsOf(item, causeOf(state.group?.name)).chosen : [];
      const tinted = chosen.length && item.goldWords.length ? Explain.sentence(wordsOf(item, "gold"), chosen) : null;
      const number = (value, name, title) => make("td", { class: `number c-${name}${value ? "" : " nil"}`, "data-name": title }, grouped(value));
      const more = ["missed", "extra", "crossing"].includes(state.key) ? [grouped(item[state.key])] : MORE.test(state.key) ? [rate(rateOf(item, state.key))] : [];
      const button = make("button", {
        class: "opener", "aria-expanded": String(isOpen), "aria-controls": `pair-${item.number}`,
        "aria-label": `Sentence ${item.number}, trees`,
      }, make("span", { class: "twist", "aria-hidden": "true" }), grouped(item.number));
      const tr = make("tr", { id: `sentence-${item.number}`, class: isOpen ? "sentence open" : "sentence" },
        make("th", { scope: "row" }, button),
        make("td", { class: "text" }, make("div", {}, ...(item.id === null ? [] : [make("bdi", { class: "id" }, visible(item.id))]), ...badges(item),
          make("span", { class: "words", dir: direction(item) }, ...(tinted ?? (words ? marked(words, state.where === "words" ? state.query : "") : ["(no words)"]))))),
        number(item.length, "length", "words"), number(item.missed + item.extra, "errors", "wrong"), make("td", { class: "c-cause" }, ...costliestLink(item)), ...more.map((text) => make("td", { class: "number c-more" }, text)),
        make("td", { class: "number c-f1" }, bar(item.f1), make("span", {}, rate(item.f1))));
      return tr;
    }

    /* Name the chosen cause, or the one that costs a sentence most, with its brackets. */
    function costliest(item) {
      const costs = Explain.bracketsByCause(item.repairs);
      const chosen = causeOf(state.group?.name);
      const [cause, brackets] = chosen !== null ? [chosen, costs.get(chosen)] : [...costs].reduce((one, two) => (two[1] > one[1] ? two : one), [null, 0]);
      return [data.causes[cause] ?? null, brackets];
    }
    function costliestLink(item) {
      const [cause, brackets] = costliest(item);
      const group = groupOf(cause);
      return cause === null ? [] : [slugs.has(group) ? make("a", { href: addressOf(group) }, cause) : cause, " ", make("span", { class: "nil" }, grouped(brackets))];
    }

    /* Return the pair of a sentence with its repairs: those of a cause, or all, and the others. */
    function repairsOf(item, cause) {
      if (!item.pair) {
        item.pair = pairOf(data, item);
        item.pair.names = { gold: "gold", system: visible(data.system).replace(/(?<=.)\.\w{1,8}$/, "") };
        item.explained = Explain.explained({ ...item.pair, repairs: Explain.decode(item.repairs) }, item.pair, data.causes);
      }
      const chosen = item.explained.filter((repair) => cause === null || repair.cause === cause);
      return { pair: item.pair, chosen, rest: item.explained.filter((repair) => !chosen.includes(repair)) };
    }
    const causeOf = (name) => (name?.startsWith("cause-") ? data.causes.indexOf(data.about[name][0]) : null);

    /* Return F1 of a sentence after some repairs. */
    function repaired(item, repairs) {
      const [missed, extra] = ["missed", "extra"].map((name) => repairs.reduce((sum, one) => sum + one[name].length, 0));
      return (2 * (item.matched + missed)) / (item.gold + item.system - extra + missed);
    }

    /* Draw a sentence, with the repairs of a cause in words; `about` is false where a row names its figures. */
    function detail(item, cause = causeOf(state.group?.name), panel = make("div", { class: "panel", id: `pair-${item.number}` })) {
      const { pair, chosen, rest } = repairsOf(item, cause);
      Pair.about(panel, item);
      const list = make("div", { class: "explained" });
      panel.append(list);
      const group = state.group && !state.group.name.startsWith("cause-") ? nodesOfGroup(data, state.group.name) : null;
      const drawing = Pair.place(panel, pair, item, state.across, storage, chosen, { wanted: group, rest });
      if (chosen.length) {
        list.append(...Explain.list(chosen, 1, drawing.light, drawing.go, data.causes, { named: !rest.length }),
          make("p", { class: "fold-note" }, `F1 ${rate(item.f1)}; with ${chosen.length === 1 ? "this repair" : rest.length ? `these ${chosen.length} repairs` : "all repairs"} ${rate(repaired(item, chosen))}.`));
      }
      panel.append(...Explain.others(rest, data.causes, (cause) => {
        if (panel.closest('[data-part="explained"]')) explain(cause, false, item.number);
        else showGroup(groupOf(cause), cause, item.number);
      }), Pair.asText(pair, item));
      return panel;
    }

    const groupOf = (cause) => Object.keys(data.about).find((one) => one.startsWith("cause-") && data.about[one][0] === cause);

    // -- addresses: groups by what they are about ------------------------------------

    const slugs = new Map(Object.keys(data.groups).map((name) => {
      const [, kind, rest] = /^(.*?)-(.*)$/.exec(name);
      const text = kind === "length" ? data.byLength[rest]?.[0] ?? rest : kind === "f1" ? (rest === "none" ? rest : 5 * rest) : data.about[name]?.filter(Boolean).join("~") ?? rest;
      return [name, [kind, kind === "cause" ? text.replaceAll(" ", "-") : String(text)]];
    }));
    const addressOf = (name) => `#sentences?${new URLSearchParams([slugs.get(name)])}`;
    /* Choose a group of sentences; a length can be chosen with another group. */
    function setGroup(name, title = document.querySelector(`[data-group="${CSS.escape(name)}"]`)?.dataset.title) {
      if (name.startsWith("length-")) state.length = name;
      else if (title) state.group = { name, title };
    }

    // -- a cause, one sentence at a time ---------------------------------------------

    const place = document.querySelector('[data-part="explained"]');
    const shown = { cause: null, items: [], at: 0 };

    /* Choose a cause; its sentences with most brackets come first, then the shorter ones. */
    function explain(cause, scroll, number = null) {
      const index = data.causes.indexOf(cause);
      const members = new Set(data.groups[groupOf(cause)]);
      const costs = new Map(data.sentences.filter((item) => members.has(item.number)).map((item) => [item, Explain.bracketsByCause(item.repairs).get(index) ?? 0]));
      shown.cause = cause;
      shown.items = [...costs.keys()].sort((a, b) => costs.get(b) - costs.get(a) || a.length - b.length || a.number - b.number);
      shown.at = Math.max(0, shown.items.findIndex((item) => item.number === number));
      place.hidden = !shown.items.length;
      if (place.hidden) return;
      shown.pager = Charts.pager("sentence", turn);
      place.replaceChildren(make("h2", {}, `${cause}, one sentence at a time`), make("p", { class: "sub" }, "The sentences that lose most to it come first; of equal ones, the shorter. Keys: j next, k previous."),
        make("div", { class: "card" }, make("div", { class: "crumb" }, make("span", { class: "chip" }, cause), make("a", { class: "mut", href: "#sentences" }, ""), shown.pager.element),
          make("p", { class: "words" }), make("div", { class: "stage-panel" })));
      turn(0, scroll || number);
      if (scroll) place.scrollIntoView();
      if (!scroll && !number) Charts.whenSeen(place, () => { if (!place.querySelector(".drawing")) turn(0); });
    }

    /* Return the shortest sentence of a kind of alignment, best with errors at a sentence end, drawn in a card; null for none. */
    function example(kind, title) {
      const boundary = data.causes.indexOf("sentence boundary");
      const at = ({ repairs }) => Explain.bracketsByCause(repairs).has(boundary);
      const [item] = (data.groups[`bead-${kind}`] ?? []).map((number) => data.sentences[data.place.get(number)]).sort((a, b) => at(b) - at(a) || a.length - b.length || a.number - b.number);
      if (!item) return null;
      const card = make("div", { class: "card" }, make("h3", {}, title), make("p", { class: "crumb mut" }, make("a", { href: `#sentence-${item.number}` }, `Sentence ${grouped(item.number)}`),
        ...[...["gold", "system"].map((name) => Pair.range(name, item[`${name}First`], item[`${name}End`])), `F1 ${rate(item.f1)}`].map((text) => make("span", {}, text))));
      Charts.whenSeen(card, () => Pair.place(card, repairsOf(item, null).pair, item, false, storage, []));
      return card;
    }

    function turn(step, draws = true) {
      const at = shown.at + step;
      if (at < 0 || at >= shown.items.length) return;
      shown.at = at;
      const item = shown.items[at];
      const [link, words, panel] = ["a.mut", ".words", ".stage-panel"].map((one) => place.querySelector(one));
      link.textContent = `Sentence ${grouped(item.number)}`;
      link.href = `#sentence-${item.number}`;
      shown.pager.at(at, shown.items.length);
      if (!draws) return;
      const index = data.causes.indexOf(shown.cause);
      const side = item.goldWords.length ? "gold" : "system";
      words.dir = item.flags & FLAGS.rightToLeft ? "rtl" : "ltr";
      words.replaceChildren(...Explain.sentence(wordsOf(item, side), repairsOf(item, index).chosen));
      const made = make("div", { class: "stage-panel" });
      panel.replaceWith(made);
      detail(item, index, made);
    }

    /* j and k: the sentences of the cause while they are in sight, else the rows of the list. */
    addEventListener("keydown", (event) => {
      const step = { j: 1, k: -1 }[event.key];
      if (!step || event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.("input, select, textarea")) return;
      const at = place && !place.hidden && place.getBoundingClientRect();
      if (at && at.top < innerHeight / 2 && at.bottom > innerHeight / 3) turn(step);
      else rows.step(step);
    });

    const rows = Rows.create(data, root, storage, state, {
      row, detail, choose, reset,
      about: () => (state.key !== "errors" || !state.down ? "" : causeOf(state.group?.name) === null ? ", most wrong brackets first" : `, most brackets of ${state.group.title} first`),
      parameters: () => [
        ...(state.where !== "words" && state.query.trim() ? [["in", state.where]] : []),
        ...(state.shown !== "all" ? [["show", state.shown]] : []), ...[state.group?.name, state.length].filter(Boolean).map((name) => slugs.get(name)),
      ],
      keyOf: (name) => {
        const cause = name === "errors" ? causeOf(state.group?.name) : null;
        if (cause !== null) return (item) => Explain.bracketsByCause(item.repairs).get(cause) ?? 0;
        return KEYS[name] ?? ((item) => rateOf(item, name));
      },
      // Readers look for many errors, but for low rates.
      mostFirst: (name) => ["errors", "missed", "extra", "crossing", "length"].includes(name),
      rendered: () => {
        const cause = causeOf(state.group?.name) === null ? "" : state.group.name;
        for (const [name, value] of [["cause", cause], ["length", state.length], ["filters", state.shown]]) $(name).value = value;
        $("chip").hidden = !state.group || Boolean(cause);
        if (state.group) $("chip-name").textContent = state.group.title;
      },
      restore: (asked) => {
        state.where = asked.get("in") ?? "words";
        $("where").value = state.where;
        if (asked.get("show") in SHOWN) state.shown = asked.get("show");
        for (const [name, [kind, text]] of slugs) if (asked.get(kind) === text) setGroup(name);
      },
      opens: true,
    });

    // -- controls -------------------------------------------------------------------

    $("where").addEventListener("change", (event) => { state.where = event.target.value; rows.search(); rows.address(); });
    $("chip-clear").addEventListener("click", () => { state.group = null; rows.search(); rows.address(); $("query").focus(); });
    for (const name of ["cause", "length"]) $(name).addEventListener("change", ({ target }) => {
      if (name === "cause") state.group = null;
      else state.length = "";
      if (target.value) setGroup(target.value, target.selectedOptions[0].text);
      rows.search();
      rows.address();
    });
    for (const option of $("filters").options) {
      const count = data.sentences.filter(SHOWN[option.value]).length;
      option.append(` (${grouped(count)})`);
      option.disabled = option.hidden = !count && option.value !== "all";
    }

    /* Show the sentences of a group, as a step in the history; `number` opens one of them. */
    function showGroup(name, title, number = null) {
      reset();
      setGroup(name, title);
      state.last = number;
      rows.address(storage.push);
      rows.restore(new URLSearchParams([slugs.get(name), ...(number ? [["sentence", number]] : [])]));
      if (!number) $("status").focus({ preventScroll: true });
    }

    rows.search();
    return { showGroup, showSentence: rows.showSentence, restore: rows.restore, addressOf, explain: place && explain, example, drawn: (number) => detail(data.sentences[data.place.get(number)], null, make("div", { class: "stage-panel" })) };
  }

  return { create };
})();
