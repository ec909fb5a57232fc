/* Overview: the charts of a comparison, each with a sentence that states its result. */
"use strict";

/* Return names as a list in a sentence. */
const listing = (names) => (names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names[names.length - 1]}`);

const RANKED = 7; // systems that are ranked, and not compared with the baseline

const Overview = (() => {
  const LEVEL = 0.05; // p-values below it are called differences
  const APART = 0.002; // differences of F1 that are shown though they may be chance
  const ROWS = 9; // causes drawn at once
  const LEAST = 0.01; // step of an axis in units of its own, for equal figures
  const SOME = 0.005; // of F1 that a cause costs each system at least
  const SMALL = 5; // systems that have small charts by length
  const SOME_CAUSES = 12; // of two systems
  const NAMED = 3; // systems or figures that a sentence names
  const TITLES = {
    precision: "Precision", recall: "Recall", f1: "F1", sentence_f1: "Sentence-mean F1", complete_match: "Complete match",
    tag_accuracy: "Tags", average_crossing: "Crossing", token_f1: "Tokens", sentence_end_f1: "Sentence ends F1",
    strict_f1: "Strict F1", struct_iou: "Struct-IoU", node_accuracy: "Node accuracy",
  };

  function create(data, link, list) {
    const { classOf, placed, percent, row, axis, axisRow, grid, mark, cell, figure, lines, tickText } = Charts;
    const $ = (name) => document.querySelector(`[data-part="${name}"]`);
    const names = data.names.map(visible);
    const [base, many] = [names[0], names.length > 1];
    const key = (k) => Charts.key(k, names[k], true, data.fullNames[k]);
    const systems = names.map((_, k) => k);
    const others = systems.slice(1);
    const level = data.confidence === null ? "" : `${+(100 * data.confidence).toFixed(2)} %`;
    const confidence = level ? `, with ${level} interval` : "";
    /* Return the two whose sentences a mark of a system opens. */
    const opened = (k) => (k ? [0, k] : many ? [0, 1] : [GOLD, 0]);
    const f1 = data.measures.find((measure) => measure.name === "f1");

    /* Return a figure of a system with its difference from the baseline. */
    function of(measure, k) {
      const [value, low, high, from, to, p] = measure.systems[k];
      const first = measure.systems[0][0];
      const apart = k && value !== null && first !== null ? value - first : null;
      const real = apart !== null && p !== null && p < LEVEL;
      return { value, low, high, from, to, p, apart, real, better: apart !== null && apart !== 0 && (apart > 0) === measure.up };
    }
    const title = (measure) => TITLES[measure.name] ?? measure.title;
    const inText = (text) => (/^(?!Struct)[A-Z][a-z]+([ -]|$)/.test(text) ? text[0].toLowerCase() + text.slice(1) : text);
    const shownValue = (measure, value) => (value === null ? "–" : measure.form === "number" ? minus(value.toFixed(2)) : points(value));
    const signed = (measure, value) => (measure.form === "number" ? `${value > 0 ? "+" : ""}${minus(value.toFixed(2))}` : signedPoints(value));
    const pText = (p) => (p < 0.0001 ? "p < 0.0001" : `p = ${p.toFixed(4)}`);
    function tip(measure, k, value = true) {
      const { value: own, low, high, from, to, p, apart } = of(measure, k);
      const lines = [`${title(measure)}, ${names[k]}: ${shownValue(measure, own)}`];
      if (value && low !== null) lines.push(`${level} interval ${shownValue(measure, low)} to ${shownValue(measure, high)}`);
      if (apart !== null) {
        lines.push(`${signed(measure, apart)} from ${base}`);
        if (from !== null) lines.push(`interval ${signed(measure, from)} to ${signed(measure, to)}`);
        if (p !== null) lines.push(pText(p));
      }
      return lines;
    }
    // Columns of values, with room for the names above them.
    const wide = `${Math.min(120, Math.max(64, 24 + 7.4 * Math.max(...names.map((name) => name.length))))}px`;
    const values = systems.map(() => wide);
    const heads = (...ks) => row("head", "", null, ...ks.map((k) => (typeof k === "string" ? k : cell("v", key(k)))));
    /* Say what filled marks and bold numbers are, and how many tests there are. */
    const byTest = (count) => (data.tested ? `filled and bold: p < ${LEVEL}, ${data.tested}, ${data.correction === "holm" ? `Holm over ${plural(others.length, "system")}` : `not corrected for ${plural(count, "test")}`}` : "not tested");
    /* A mark is filled if it is the baseline's, or differs from it; without tests all are. */
    const filled = (k, real) => !k || real || !data.tested;
    const laneOf = (k, count) => k - (count - 1) / 2;

    // -- the verdict ------------------------------------------------------------------

    // Orders of the systems: by a figure, the best first, or as on the command line.
    const figureOf = (name) => data.measures.find((measure) => measure.name === name);
    const ordered = (by) => {
      const measure = figureOf(by);
      const value = (k) => (measure ? measure.systems[k][0] : null);
      return [...systems].sort((a, b) => (value(a) === null) - (value(b) === null) || (measure?.up ? 1 : -1) * ((value(b) ?? 0) - (value(a) ?? 0)) || a - b);
    };
    const orders = { f1: "F1", ...(figureOf("precision") ? { precision: "precision" } : {}), ...(figureOf("recall") ? { recall: "recall" } : {}), given: "command line" };
    if (data.sort && !orders[data.sort]) orders[data.sort] = title(figureOf(data.sort));
    const ranks = names.length >= RANKED && data.letters.length === names.length;
    const best = ranks ? ordered("f1") : systems; // order of the columns
    /* Return the difference of a system from another in F1, from the tests of all pairs. */
    function between(k, ref) {
      const found = data.pairs.find(([a, b]) => (a === k && b === ref) || (a === ref && b === k));
      if (!found) return null;
      const [, second, apart, low, high, p, corrected] = found;
      return second === k ? { apart, low, high, p, corrected } : { apart: apart === null ? null : -apart, low: high === null ? null : -high, high: low === null ? null : -low, p, corrected };
    }

    function forest() {
      const all = systems.map((k) => of(f1, k));
      if (all.every(({ value }) => value === null)) return;
      const draw = ranks ? ranking : differences;
      const place = cell("");
      let [by, ref] = [data.sort ?? (ranks ? "f1" : "given"), ordered("f1")[0]];
      const fill = () => place.replaceChildren(...draw(all, ordered(by), by, ref));
      const controls = cell("controls");
      if (ranks) {
        const select = make("select", {}, ...ordered("f1").map((k) => make("option", { value: k }, names[k])));
        select.addEventListener("change", () => { ref = Number(select.value); fill(); });
        controls.append(make("label", { class: "choice" }, make("span", {}, "Differences from"), " ", select));
      }
      if (names.length > 2) controls.append(Charts.choice("Sort by", "systems-sort", Object.fromEntries([by, ...Object.keys(orders).filter((one) => one !== by)].map((one) => [one, orders[one]])), (one) => { by = one; fill(); }));
      fill();
      $("forest").append(...(controls.children.length ? [controls] : []), place);
    }

    /* Many systems: one row each, with the groups that are not distinguished. */
    function ranking(all, order, by, ref) {
      const scale = axis(all.flatMap(({ value, low, high }) => [value, low, high]), { rate: true, steps: 6 });
      const groups = [...new Set(data.letters.join(""))].sort();
      const chart = figure({ title: "F1", about: `per cent${confidence}; systems that share a letter are not distinguished`, names: "150px", values: ["56px", "68px", "58px", "58px", "80px", "64px"], least: [2, 3, 5] },
        row("head", "", null, "group", "F1", "P", "R", cell("v", `from ${names[ref]}`), "p, Holm"),
        ...order.map((k) => {
          const { value, low, high } = all[k];
          const one = between(k, ref);
          const differs = one !== null && one.corrected !== null && one.corrected < LEVEL;
          const tips = [...tip(f1, k).slice(0, 2), ...(one && one.apart !== null ? [`${signedPoints(one.apart)} from ${names[ref]}`, ...(one.corrected === null ? [] : [`p = ${one.p.toFixed(4)}, Holm ${one.corrected.toFixed(4)}`])] : [])];
          const plot = cell("plot", ...grid(scale), ...(low === null ? [] : [Charts.range("ci", k, scale.at(low), scale.at(high))]),
            ...(value === null ? [] : [mark({ k, at: scale.at(value), filled: k === ref || differs, tip: tips, href: k === ref ? null : link({ pair: [ref, k] }) })]));
          // A bar for each group; it joins the rows of the group where the best come first.
          const bars = by === "f1" ? groups.map((letter) => make("i", { class: data.letters[k].includes(letter) ? "joined" : "" })) : [];
          return row("", key(k), plot, cell("v group-letters", ...bars, make("span", {}, data.letters[k])), cell("v big", points(value)), points(figureOf("precision")?.systems[k][0] ?? null), points(figureOf("recall")?.systems[k][0] ?? null),
            cell(`v${differs ? " real" : ""}`, one?.apart === undefined || one.apart === null ? "–" : signedPoints(one.apart)), one?.corrected === undefined || one.corrected === null ? "" : one.corrected.toFixed(3));
        }),
        axisRow(scale, 6));
      return [cell("card", chart), make("p", { class: "how" }, `Filled and bold: differs from ${names[ref]} (p < ${LEVEL}, ${data.tested}, Holm over ${data.pairs.length} pairs). Hollow: not distinguished.`)];
    }

    function differences(all, order) {
      const line = (k, ...cells) => row("", key(k), ...cells);
      const room = { names: "clamp(60px, 26%, 150px)", values: ["68px"], room: 0 };
      const scale = axis(all.flatMap(({ value, low, high }) => [value, low, high]), { rate: true, steps: 5 });
      const scores = figure({ title: "F1", about: `per cent${confidence}`, ...room },
        ...order.map((k) => [all[k], k]).map(([{ value, low, high }, k]) => line(k,
          cell("plot", ...grid(scale), ...(low === null ? [] : [Charts.range("ci", k, scale.at(low), scale.at(high))]),
            ...(value === null ? [] : [mark({ k, at: scale.at(value), tip: tip(f1, k), href: link({ pair: [k ? 0 : GOLD, k] }) })])),
          cell("v big", shownValue(f1, value)))),
        axisRow(scale, 1));
      const plots = [scores];
      if (many) {
        const apart = axis(all.flatMap(({ apart, from, to }) => [apart, from, to]), { zero: true, steps: 4 });
        plots.push(figure({ title: `Difference from ${base}`, about: `points of F1${confidence}`, ...room },
          ...order.map((k) => [all[k], k]).map(([{ apart: value, from, to, real }, k]) => line(k,
            cell("plot", ...grid(apart), ...(k && from !== null ? [Charts.range("ci", k, apart.at(from), apart.at(to))] : []),
              ...(k === 0 || value !== null ? [mark({ k, at: apart.at(value ?? 0), filled: filled(k, real), tip: k ? tip(f1, k, false) : `${base}, the baseline`, href: k ? link({ pair: [0, k] }) : null })] : [])),
            k ? cell(`v big${real ? " real" : ""}`, value === null ? "–" : signedPoints(value)) : cell("v quiet-v", "baseline"))),
          axisRow(apart, 1, tickText(apart, 100, true))));
      }
      const found = [cell(`card${many ? " pair-of-plots" : ""}`, ...plots)];
      if (many && data.tested) {
        const sample = (filled) => make("span", { class: `key ${classOf(1)}` }, Charts.glyph(1, filled));
        found.push(make("p", { class: "how" }, sample(true), " ", sample(false), ` From ${base}; ${byTest(others.length)}; hollow: not distinguished. Point at a mark for its interval and p.`));
      }
      return found;
    }

    /* The matrix of all pairs, and the pairs that are not distinguished with their intervals. */
    function apartTable() {
      if (!$("apart") || !data.pairs.length) return;
      const order = ordered("f1");
      const differs = (one) => one?.corrected !== null && one?.corrected < LEVEL;
      const matrix = make("table", { class: "matrix" }, make("caption", {}, "Points of F1 by which the column is above the row; filled: p < 0.05 after Holm, framed: not distinguished"),
        make("thead", {}, make("tr", {}, make("th", { scope: "col" }, make("span", { class: "hidden" }, "System")), ...order.slice(0, -1).map((k) => make("th", { scope: "col", class: "number" }, key(k))))),
        make("tbody", {}, ...order.slice(1).map((k, i) => make("tr", {}, make("th", { scope: "row" }, key(k)), ...order.slice(0, -1).map((other, j) => {
          const one = j <= i ? between(other, k) : null;
          return make("td", { class: one ? `number ${differs(one) ? "differs" : "alike"}` : "" }, one ? points(one.apart) : "");
        })))));
      const alike = data.pairs.filter((pair) => !differs({ corrected: pair[6] }) && pair[2] !== null).sort((a, b) => Math.abs(a[2]) - Math.abs(b[2]));
      const p = (value) => (value === null ? "–" : value.toFixed(3));
      const list = make("table", {}, make("caption", {}, "Not distinguished: how far apart they may still be"), make("thead", {}, make("tr", {}, ...["Pair", "Difference", `${level} interval`, "p", "p, Holm"].map((text, i) => make("th", { scope: "col", ...(i ? { class: "number" } : {}) }, text)))),
        make("tbody", {}, ...alike.map(([a, b, apart, low, high, one, corrected]) => make("tr", {}, make("th", { scope: "row" }, `${names[b]} − ${names[a]}`), ...[signedPoints(apart), low === null ? "–" : `${signedPoints(low)} to ${signedPoints(high)}`, p(one), p(corrected)].map((text) => make("td", { class: "number" }, text))))));
      $("apart").append(...[matrix, ...(alike.length ? [list] : [])].map((table) => cell("", make("div", { class: "scroller", tabindex: 0, role: "group", "aria-label": table.caption.textContent }, table))));
    }

    // -- systems in the course of a training ----------------------------------------------

    /* Return the series of a learning curve: systems by the number at the end of their names. */
    function checkpoints() {
      const series = new Map();
      const groupOf = (k) => Object.entries(data.groups).find(([, members]) => members.includes(data.names[k]))?.[0];
      for (const k of systems) {
        const found = /^(.*?)(\d+)$/.exec(data.names[k]);
        if (!found) continue;
        const name = groupOf(k) ?? found[1].replace(/[-_. ]+$/, "");
        if (!series.has(name)) series.set(name, []);
        series.get(name).push({ k, at: Number(found[2]) });
      }
      return [...series].filter(([, items]) => items.length > 2 && new Set(items.map(({ at }) => at)).size === items.length)
        .map(([name, items]) => [visible(name), items.sort((a, b) => a.at - b.at)]);
    }

    function curve() {
      const series = checkpoints();
      if (!series.length) return;
      const every = series.flatMap(([, items]) => items.map(({ at }) => at));
      const [first, last] = [Math.min(...every), Math.max(...every)];
      const place = (at) => 4 + (92 * (at - first)) / (last - first);
      const best = series.map(([name, items]) => [name, items.reduce((one, two) => (of(f1, two.k).value > of(f1, one.k).value ? two : one))]);
      const section = $("curve");
      section.hidden = false;
      section.append(make("h2", {}, "Learning curve"), make("p", { class: "sub" },
        `${best.map(([name, { k, at }]) => `${name || "F1"} is best at ${at} (${points(of(f1, k).value)})`).join("; ")}.`),
      cell("card", figure({ title: "F1", about: `per cent${confidence}`, room: 0 }, lines(
        [...new Set(every)].sort((a, b) => a - b).map((at) => ({ at: place(at), name: String(at) })),
        series.map(([name, items]) => ({ k: items[0].k, name, items: items.map(({ k, at }) => ({ k, at: place(at), ...of(f1, k), filled: filled(k, of(f1, k).real), tip: tip(f1, k), href: link({ pair: [k ? 0 : GOLD, k] }) })) })),
      ))));
    }

    // -- the other measures ----------------------------------------------------------------

    function aboutMeasures(measures) {
      const texts = others.map((k) => {
        const all = measures.map((measure) => ({ measure, ...of(measure, k) })).filter(({ real, apart }) => real && apart !== 0);
        const text = (better) => {
          const some = all.filter((one) => one.better === better);
          const largest = Math.max(...some.filter(({ measure }) => measure.form === "percent").map(({ apart }) => Math.abs(apart)));
          return listing(some.map(({ measure, apart }) => inText(title(measure)) + (some.length > 1 && measure.form === "percent" && Math.abs(apart) === largest ? ` (${signedPoints(apart)})` : "")));
        };
        const [good, bad] = [text(true), text(false)];
        if (!good && !bad) return `${names[k]} differs in none (p < 0.05).`;
        return `${names[k]} is ${[good && `better in ${good}`, bad && `worse in ${bad}`].filter(Boolean).join(", ")}.`;
      });
      if (!texts.length || (!data.tested && !level)) return many ? "The differences were not tested." : "";
      return texts.slice(0, NAMED).join(" ") + (texts.length > NAMED ? ` The table has the other ${texts.length - NAMED}.` : "");
    }

    /* Draw differences of figures in lanes: those of the systems `ks`, as `diff` returns them; rates share an axis, and
       other units have their own ticks on the same grid.  `cells` are the values of a figure. */
    function lanes(how, measures, ks, diff, cells, head) {
      const extent = (some) => some.flatMap((measure) => ks.flatMap((k) => {
        const { apart, from, to } = diff(measure, k);
        return [apart, from, to].map((value) => (value === null ? null : measure.up ? value : -value));
      })).filter((value) => value !== null);
      const rates = measures.filter(({ form }) => form !== "number");
      const scale = { ...axis(extent(rates), { zero: true, steps: ks.length > 1 ? 6 : 4 }), flipped: rates.length > 0 && !rates[0].up };
      const scaleOf = (measure) => {
        if (measure.form !== "number") return scale;
        const values = extent([measure]);
        const size = Math.max(...values.map((value) => (value > 0 ? value / scale.last : value / scale.first)), LEAST);
        return { ...Charts.fixed(scale.first, scale.last, Charts.niceStep(size)), flipped: !measure.up };
      };
      const line = (measure) => {
        const own = scaleOf(measure);
        const sign = measure.up ? 1 : -1;
        const plot = cell("plot", ...grid(own));
        ks.forEach((k, i) => {
          const { apart, from, to, real, tip: text, pair } = diff(measure, k);
          if (apart === null) return;
          const lane = laneOf(i, ks.length);
          if (from !== null) plot.append(Charts.range("ci", k, own.at(sign * from), own.at(sign * to), lane));
          plot.append(mark({ k, at: own.at(sign * apart), lane, filled: real || !data.tested, tip: text, href: link({ pair, cause: measure.name.startsWith("cause_") ? measure.title : "" }) }));
        });
        const note = measure.form === "share" ? "× 100" : measure.form === "number" ? "per sentence" : "";
        return row("", [title(measure), ...(note ? [" ", make("span", {}, note)] : [])], plot, ...cells(measure));
      };
      const axisOf = (own) => axisRow(own, how.values.length, (tick) => tickText(own, own === scale ? 100 : 1, true)(own.flipped ? -tick : tick));
      const chart = figure({ name: "lanes", ...how }, head, ...rates.map(line), ...(rates.length ? [axisOf(scale)] : []),
        ...measures.filter(({ form }) => form === "number").flatMap((measure) => [line(measure), axisOf(scaleOf(measure))]));
      return placed(chart, { lane: `${ks.length > 3 ? 9 : 17}px`, tall: `${Math.max(ks.length > 1 ? 42 : 36, 9 * ks.length + 14)}px` });
    }

    function measuresChart() {
      const measures = data.measures.filter((measure) => measure.name !== "f1" && measure.systems.some(([value]) => value !== null));
      if (ranks) { twoChart(measures); return; }
      $("measures-about").textContent = aboutMeasures(measures);
      if (!many || !measures.length) { $("measures").parentElement.querySelector("details").open = true; return; }
      // What all systems have equal needs no row.
      const differs = (measure) => measure.systems.some(([value]) => value !== measure.systems[0][0]);
      const equal = measures.filter((measure) => !differs(measure));
      const diff = (measure, k) => ({ ...of(measure, k), tip: tip(measure, k), pair: [0, k] });
      const cells = (measure) => systems.map((k) => {
        const { value, real } = of(measure, k);
        return Charts.value(shownValue(measure, value), { name: k ? (real ? "real" : "") : "first", k });
      });
      if (equal.length < measures.length) {
        $("measures").append(cell("card", lanes({ title: `Difference from ${base}`, about: `points${confidence}; right is better; ${byTest(others.length * (measures.length - equal.length))}`, names: "170px", values },
          measures.filter(differs), others, diff, cells, heads(...systems))));
      }
      if (equal.length) $("measures").append(make("p", { class: "how" }, `Equal: ${listing(equal.map((measure) => `${title(measure)} ${shownValue(measure, measure.systems[0][0])}`))}.`));
    }

    /* Two of many systems: their figures and causes; the pair is that of the list of sentences. */
    function twoChart(measures) {
      const place = cell("two even");
      const selects = [0, 1].map((i) => {
        const select = make("select", { "aria-label": i ? "Second system" : "First system" });
        select.addEventListener("change", () => { const pair = selects.map((one) => Number(one.value)); if (list) list.choosePair(pair); else draw(pair); });
        return select;
      });
      const draw = (pair) => {
        const [a, b] = pair;
        const found = a < 0 ? null : data.pairs.find((one) => pair.includes(one[0]) && pair.includes(one[1]));
        selects.forEach((select, i) => select.replaceChildren(...best.filter((k) => k !== pair[1 - i]).map((k) => make("option", { value: k, selected: k === pair[i] }, names[k]))));
        $("measures-title").textContent = found ? `How do ${names[a]} and ${names[b]} differ?` : "How do two systems differ?";
        if (!found) { place.replaceChildren(); $("measures-about").textContent = "Choose two systems."; return; }
        const sign = found[1] === a ? 1 : -1;
        const diff = (measure) => {
          const [low, high, p] = found[7][measure.name] ?? [null, null, null];
          const values = pair.map((k) => measure.systems[k][0]);
          const apart = values.includes(null) ? null : values[0] - values[1];
          const [from, to] = low === null ? [null, null] : sign > 0 ? [low, high] : [-high, -low];
          const texts = apart === null ? [] : [`${title(measure)}: ${signed(measure, apart)} from ${names[b]}`, ...(from === null ? [] : [`interval ${signed(measure, from)} to ${signed(measure, to)}`]), ...(p === null ? [] : [pText(p)])];
          return { apart, from, to, p, real: p !== null && p < LEVEL, better: apart > 0 === measure.up, tip: texts, pair };
        };
        const shown = (measure) => [...pair.map((k) => Charts.value(shownValue(measure, measure.systems[k][0]), { name: "first", k })),
          cell(`v${diff(measure).real ? " real" : ""}`, diff(measure).apart === null ? "–" : signed(measure, diff(measure).apart))];
        const withP = (measure) => [...shown(measure), diff(measure).p === null ? "" : diff(measure).p.toFixed(3)];
        const known = measures.filter((measure) => diff(measure).apart !== null);
        const causes = data.byCause.filter((measure) => diff(measure).apart).sort((x, y) => Math.abs(diff(y).apart) - Math.abs(diff(x).apart));
        const about = (some) => `right is better for ${names[a]}; ${byTest(some.length)}`;
        place.replaceChildren(
          cell("card", lanes({ title: "Measures", about: `${names[a]} minus ${names[b]}${confidence}; ${about(known)}`, names: "120px", values: [...values.slice(0, 2), "62px", "52px"], least: [3], room: 140 }, known, [a], diff, withP, heads(a, b, "difference", "p"))),
          ...(causes.length ? [cell("card", lanes({ title: "Causes", about: `points of F1 lost, the ${Math.min(SOME_CAUSES, causes.length)} furthest apart; ${about(causes)}`, names: "130px", values: [...values.slice(0, 2), "62px"], room: 120 }, causes.slice(0, SOME_CAUSES), [a], diff, shown, heads(a, b, "difference")))] : []));
        const all = known.filter((measure) => diff(measure).real);
        const part = (text, some) => (some.length ? [`${text} in ${listing(some.map((measure) => `${inText(title(measure))} (${signed(measure, diff(measure).apart)})`))}`] : []);
        const parts = [...part("better", all.filter((measure) => diff(measure).better)), ...part("worse", all.filter((measure) => !diff(measure).better))];
        const real = causes.filter((measure) => diff(measure).real).length;
        $("measures-about").textContent = !data.tested ? "The differences were not tested." : `${names[a]} is ${parts.length ? `${parts.join(", and ")}, at p < ${LEVEL} in ${all.length} of ${plural(known.length, "test")}` : `not distinguished from ${names[b]} in any of ${plural(known.length, "measure")}`}. Of ${plural(causes.length, "cause")} ${real || "none"} ${real > 1 ? "differ" : "differs"}.`;
      };
      $("measures").append(make("p", { class: "pair-choice" }, make("span", {}, "Compare"), selects[0], make("span", {}, "with"), selects[1]), place);
      draw(best.slice(0, 2));
      addEventListener("pair", (event) => draw(event.detail));
    }

    // -- causes ------------------------------------------------------------------------------

    function causesChart() {
      if (!$("causes")) return;
      const causes = data.byCause.map((measure) => ({ measure, all: systems.map((k) => of(measure, k)) }));
      for (const one of causes) {
        one.apart = Math.max(0, ...one.all.map(({ apart }) => Math.abs(apart ?? 0)));
        one.lost = Math.max(...one.all.map(({ value }) => value ?? 0));
        one.real = one.all.some(({ real }) => real);
      }
      aboutCauses(causes);
      const scale = axis(causes.flatMap(({ all }) => all.map(({ value }) => value)), { zero: true, rate: true });
      // Many systems are marks on one line.
      const lane = (k) => (ranks ? 0 : laneOf(k, names.length));
      const address = (cause, k, who) => link({ pair: opened(k), cause, who });
      const line = ({ measure, all }) => {
        const first = all[0].value ?? 0;
        const plot = cell("plot", ...grid(scale));
        if (many && !ranks) plot.append(placed(make("i", { class: `base ${classOf(0)}` }), { x: percent(scale.at(first)) }));
        if (!many) plot.append(Charts.range("stem real", 0, scale.at(0), scale.at(first)));
        for (const k of systems) {
          const { value, real } = all[k];
          if (value === null) continue;
          if (k && !ranks) plot.append(Charts.range(real ? "stem real" : "stem", k, scale.at(first), scale.at(value), lane(k)));
          plot.append(mark({ k, at: scale.at(value), lane: lane(k), filled: filled(k, real), tip: tip(measure, k), href: address(measure.title, k, "") }));
        }
        return row("", make("span", { class: "term", "data-tip": Terms.of(measure.title), "data-term": Terms.of(measure.title) !== null }, measure.title), plot, ...best.map((k) => {
          const { value, real } = all[k];
          const href = value ? address(measure.title, k, k || !many ? "second" : "first") : null;
          return Charts.value(points(value), { name: k ? (real ? "real" : "") : "first", href, label: `${measure.title} by ${names[k]}, ${points(value)} points: show the sentences`, k });
        }));
      };
      const sums = (some) => best.map((k) => Charts.value(points(some.reduce((sum, { all }) => sum + (all[k].value ?? 0), 0)), { k }));
      const tests = byTest(others.length * causes.length);
      const chart = figure({ name: "lanes", title: "Points of F1 lost", about: many ? `left is better; ${tests}` : "", names: "172px", values });
      const [caption, tools] = chart.children;
      const orders = many ? { ...(ranks ? {} : { apart: "difference" }), lost: ranks ? "hardest" : "points lost", ...(ranks ? { apart: "most apart" } : {}), name: "name" } : { lost: "points lost" };
      let [by, open] = [Object.keys(orders)[0], false];
      const fill = () => {
        const ordered = [...causes].sort((a, b) => (by === "name" ? (a.measure.title < b.measure.title ? -1 : 1) : b[by] - a[by] || b.lost - a.lost));
        const kept = by === "apart" && !ranks ? ordered.filter((one) => one.real || one.apart >= APART) : by === "name" ? ordered : ordered.slice(0, ROWS);
        const rest = ordered.filter((one) => !kept.includes(one));
        const more = make("button", { class: "show", "aria-expanded": String(open), click: () => { open = !open; fill(); chart.querySelector("button.show").focus(); } }, open ? "fewer causes" : `${rest.length} more ${rest.length === 1 ? "cause" : "causes"}`);
        const beyond = rest.some(({ real }) => real) ? "" : ", none with p < 0.05";
        const note = !many ? "" : by === "lost" ? `each at most ${points(Math.max(0, ...rest.map(({ lost }) => lost)))}` : `each within ±${points(Math.max(0, ...rest.map(({ apart }) => apart)))} of ${base}${data.tested ? beyond : ""}`;
        const drawn = open ? ordered : kept;
        chart.replaceChildren(caption, heads(...best), ...drawn.map(line), axisRow(scale, names.length),
          ...(rest.length ? [row("sum", more, cell("plot note-in", open ? "" : note), ...(open ? systems.map(() => "") : sums(rest)))] : []),
          row("sum total", "all = 100 − F1", null, ...sums(causes)), tools);
      };
      placed(chart, { lane: `${names.length > 3 ? 8 : 11}px`, tall: `${ranks ? 38 : Math.max(46, 8 * names.length + 14)}px` });
      fill();
      if (many) $("causes-sort").append(Charts.choice("Sort by", "causes-sort", orders, (order) => { [by, open] = [order, false]; fill(); }));
      $("causes").append(cell("card", chart), ...(many ? [make("p", { class: "how" }, ranks ? `The best system is first. Marks are filled, and numbers bold, if they differ from ${base}. Each opens its sentences.` : `The stroke is ${base}; each mark and each number opens its sentences.`)] : []));
    }

    function aboutCauses(causes) {
      const texts = ranks ? [] : others.slice(0, NAMED).flatMap((k) => {
        const found = causes.map(({ measure, all }) => ({ title: measure.title, ...all[k] })).filter(({ real, apart }) => real && apart !== 0)
          .sort((a, b) => Math.abs(b.apart) - Math.abs(a.apart));
        const [less, more] = [found.find(({ apart }) => apart < 0), found.find(({ apart }) => apart > 0)];
        const part = (one, sign, first) => `${Math.abs(100 * one.apart).toFixed(2)} ${first ? "points " : ""}${sign}${first ? ` than ${base}` : ""} to ${one.title}`;
        const parts = [less, more].filter(Boolean).sort((a, b) => Math.abs(b.apart) - Math.abs(a.apart));
        if (!parts.length) return [];
        return [`${names[k]} loses ${listing(parts.map((one, i) => part(one, one.apart < 0 ? "less" : "more", !i)))}.`];
      });
      const about = $("causes-about");
      about.textContent = texts.length ? `${texts.join(" ")} ` : many && data.tested && !ranks ? "No cause differs (p < 0.05). " : "";
      const [worst] = [...causes].sort((a, b) => b.lost - a.lost);
      if (!worst) return;
      const values = worst.all.map(({ value }) => value ?? 0).sort((a, b) => a - b);
      const href = link({ pair: opened(0), cause: worst.measure.title });
      const [low, high] = [values[0], values[values.length - 1]].map((value) => points(value));
      const first = systems.filter((k) => causes.every(({ all }) => (all[k].value ?? 0) <= (worst.all[k].value ?? 0))).length;
      if (!values[values.length - 1] || !first || worst.measure.title === "other") return;
      const every = first === names.length && values[0] >= SOME;
      const who = !many ? `${base} loses` : every ? `${["Both", "All three", "All four"][names.length - 2] ?? `All ${names.length}`} lose` : `Of ${names.length} systems ${first} ${first === 1 ? "loses" : "lose"}`;
      about.append(`${who} most to `, href ? make("a", { href }, worst.measure.title) : worst.measure.title,
        many && !every ? "." : low === high ? `, ${low} points${many ? " each" : ""}.` : `, ${low} to ${high} points.`);
    }

    // -- lengths and labels --------------------------------------------------------------------

    /* Say at which items each system gains and loses beyond chance. */
    const aboutItems = (items, at) => {
      const parts = others.slice(0, NAMED).flatMap((k) => {
        const found = items.map((measure) => ({ measure, ...of(measure, k) })).filter(({ real, apart }) => real && apart !== 0);
        const part = (verb, some) => (some.length ? [`${verb} at ${listing(some.slice(0, NAMED).map(at))}`] : []);
        const both = [...part("gains", found.filter(({ better }) => better)), ...part("loses", found.filter(({ better }) => !better))];
        return both.length ? [`${names[k]} ${both.join(", and ")}`] : [];
      });
      return parts.length ? `${parts.join("; ")}.` : many && data.tested ? "No difference has p < 0.05." : "";
    };

    function lengthsChart() {
      if (!$("lengths")) return;
      const lengths = data.byLength;
      $("lengths-about").textContent = aboutItems(lengths, ({ measure, apart }) => `${measure.title.replace("-", "–")} words (${signedPoints(apart)})`);
      const place = (i) => (100 * (i + 0.5)) / lengths.length;
      const biggest = Math.max(0, ...lengths.flatMap((measure) => others.map((k) => (of(measure, k).real ? Math.abs(of(measure, k).apart) : 0))));
      const bins = lengths.map((measure, i) => ({ at: place(i), name: measure.title.replace("-", "–"), count: grouped(measure.count), sub: plural(measure.count, "sentence"), href: link({ pair: opened(0), length: measure.title }) }));
      const series = systems.map((k) => ({ k, name: names[k], items: lengths.map((measure, i) => {
        const one = of(measure, k);
        const note = one.real && Math.abs(one.apart) === biggest ? signedPoints(one.apart) : "";
        return { ...one, k, at: place(i), few: measure.count < FEW, filled: filled(k, one.real), note, tip: tip(measure, k), href: link({ pair: opened(k), length: measure.title }) };
      }) }));
      const few = lengths.some(({ count }) => count < FEW) ? `Hollow and dashed: fewer than ${FEW} sentences. ` : "";
      if (names.length >= SMALL) { smallCharts(lengths, bins, series, few); return; }
      $("lengths").append(figure({ title: "F1", about: `per cent${confidence}; ${byTest(others.length * lengths.length)}`, room: 0 }, lines(bins, series)),
        make("p", { class: "how" }, few, "Below: words of the sentence, and number of sentences."));
    }

    /* A small chart for each of many systems, over the range of all. */
    function smallCharts(lengths, bins, series, few) {
      const range = lengths.map((measure) => { const known = measure.systems.map(([value]) => value).filter((value) => value !== null); return known.length ? [Math.min(...known), Math.max(...known)] : null; });
      const enough = lengths.map(({ count }, i) => i).filter((i) => lengths[i].count >= FEW && range[i]);
      const [from, to] = [enough[0], enough[enough.length - 1]];
      const charts = best.map((k) => {
        const items = series[k].items.map((item, i) => ({ ...item, low: null, filled: true, note: i === from || (i === to && i !== from) ? points(item.value) : "" }));
        return cell("", make("p", { class: "fig-title" }, key(k)), lines(bins.filter((_, i) => i % 2 === 0).map(({ count, ...bin }) => bin), [{ k, name: "", items }], { height: 110, band: range, all: range.flat() }));
      });
      if (from !== to) {
        const falls = best.map((k) => [lengths[from].systems[k][0] - lengths[to].systems[k][0], names[k]]).sort(([a], [b]) => a - b);
        const [[least, one], [most, other]] = [falls[0], falls[falls.length - 1]];
        const words = (i) => lengths[i].title.replace("-", "–");
        $("lengths-about").textContent = least > 0 ? `All fall with length: from ${words(from)} to ${words(to)} words ${one} loses least (${points(least)}) and ${other} most (${points(most)}).` : `From ${words(from)} to ${words(to)} words ${one} changes by ${signedPoints(-least)} and ${other} by ${signedPoints(-most)}.`;
      }
      $("lengths").append(figure({ title: "F1 by length", about: "words of the sentence; grey: from the worst to the best system", room: 0 }, cell("smalls", ...charts)),
        make("p", { class: "how" }, few, `Sentences: ${lengths.map((measure) => `${measure.title.replace("-", "–")} ${grouped(measure.count)}`).join(", ")}.`));
    }

    function labelsChart() {
      if (!$("labels")) return;
      const all = data.byLabel.reduce((sum, { count }) => sum + count, 0);
      const size = (measure) => Math.max(...others.map((k) => Math.abs(of(measure, k).apart ?? 0)), 0);
      const labels = data.byLabel.filter(({ count }) => count >= SHARE * all).sort((a, b) => (many ? size(b) - size(a) : b.count - a.count));
      $("labels-about").textContent = aboutItems(labels, ({ measure }) => measure.title);
      if (ranks) { strips(labels); return; }
      if (!many) { $("labels").nextElementSibling.open = true; $("labels").hidden = true; return; }
      const scale = axis(labels.flatMap((measure) => others.flatMap((k) => { const { apart, from, to } = of(measure, k); return [apart, from, to]; })), { zero: true, steps: 5 });
      const chart = figure({ name: "lanes", title: `Difference from ${base}`, about: `points of F1${confidence}; label, times in gold; ${byTest(others.length * labels.length)}`, names: "96px", values: ["62px"], room: 0 },
        row("head", "", null, cell("v", key(0))),
        ...labels.map((measure) => {
          const plot = cell("plot", ...grid(scale));
          for (const k of others) {
            const { apart, from, to, real } = of(measure, k);
            if (apart === null) continue;
            const lane = laneOf(k - 1, others.length);
            if (from !== null) plot.append(Charts.range("ci", k, scale.at(from), scale.at(to), lane));
            plot.append(mark({ k, at: scale.at(apart), lane, filled: filled(k, real), tip: tip(measure, k), href: link({ pair: [0, k], label: measure.title }) }));
          }
          const href = link({ pair: [0, 1], label: measure.title, who: "first" });
          const value = points(of(measure, 0).value);
          return row("", [make("b", {}, make("bdi", {}, visible(measure.title))), " ", make("span", {}, grouped(measure.count))], plot,
            Charts.value(value, { href, label: `${measure.title} by ${base}, F1 ${value}: show the sentences with errors` }));
        }),
        axisRow(scale, 1, tickText(scale, 100, true)));
      placed(chart, { lane: `${others.length > 3 ? 9 : 14}px`, tall: `${Math.max(43, 9 * others.length + 14)}px` });
      $("labels").append(chart);
    }

    /* Labels of many systems: marks on one line, and all values. */
    function strips(labels) {
      const scale = axis(labels.flatMap((measure) => measure.systems.map(([value]) => value)), { rate: true });
      const mean = (measure) => measure.systems.reduce((sum, [value]) => sum + (value ?? 0), 0);
      labels.sort((a, b) => mean(a) - mean(b));
      const chart = figure({ name: "lanes", title: "F1 by label", about: `label, times in gold, at least ${100 * SHARE} % of the brackets; right is better; ${byTest(others.length * labels.length)}`, names: "120px", values }, heads(...best),
        ...labels.map((measure) => row("", [make("b", {}, make("bdi", {}, visible(measure.title))), " ", make("span", {}, grouped(measure.count))],
          cell("plot", ...grid(scale), ...systems.filter((k) => of(measure, k).value !== null).map((k) => mark({ k, at: scale.at(of(measure, k).value), filled: filled(k, of(measure, k).real), tip: tip(measure, k), href: link({ pair: opened(k), label: measure.title }) }))),
          ...best.map((k) => Charts.value(points(of(measure, k).value), { name: k ? (of(measure, k).real ? "real" : "") : "first", k })))),
        axisRow(scale, names.length));
      const first = labels.length > 1 && systems.every((k) => labels.every((measure) => (measure.systems[k][0] ?? 1) >= (labels[0].systems[k][0] ?? 1)));
      const ends = labels.length ? labels[0].systems.map(([value]) => value).sort((a, b) => a - b) : [];
      $("labels-about").textContent = first ? `${visible(labels[0].title)} is the worst of the ${labels.length} frequent labels for all ${names.length} systems (${points(ends[0])} to ${points(ends[ends.length - 1])}).` : "";
      $("labels").append(placed(chart, { tall: "38px" }));
    }

    function beadsTable() {
      const rows = (data.byBead ?? []).filter(([, ...counts]) => counts.some(Boolean));
      if (!rows.length) return;
      const section = $("beads");
      section.hidden = false;
      section.append(make("h2", {}, "Sentences joined and split"), make("p", { class: "sub" }, "A bead is a group of aligned sentences: one, several or none of gold and of the system."),
        cell("card scroller", make("table", { class: "compared" }, make("caption", { class: "hidden" }, "Beads by system"),
          make("thead", {}, make("tr", {}, make("th", { scope: "col" }, "Gold : system"), ...systems.map((k) => make("th", { scope: "col", class: "number" }, key(k))))),
          make("tbody", {}, ...rows.map(([title, ...counts]) => make("tr", {}, make("th", { scope: "row" }, title), ...counts.map((count, k) => {
            const href = count && link({ pair: opened(k), bead: title, who: k || !many ? "second" : "first" });
            return make("td", { class: `number${count ? "" : " nil"}` }, href ? make("a", { href, "aria-label": `${title} by ${names[k]}: show ${plural(count, "sentence")}` }, grouped(count)) : grouped(count));
          })))))));
    }

    $("keys").append(...systems.slice(0, 8).flatMap((k) => [key(k), ...(k || !many ? [] : [make("span", { class: "mut" }, "baseline")])]),
      ...(names.length > 8 ? [make("span", { class: "mut" }, `and ${names.length - 8} more`)] : []));
    forest();
    apartTable();
    curve();
    measuresChart();
    causesChart();
    lengthsChart();
    labelsChart();
    beadsTable();
  }

  return { create };
})();
