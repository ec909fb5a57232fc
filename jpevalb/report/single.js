/* Single: the charts of one system: its figures, where it is good and bad, what costs most, sentence ends. */
"use strict";

const Single = (() => {
  const ROWS = 8;
  const CAUSES = 9; // drawn at once
  const SQUARES = 400; // drawn
  const STATES = [["", "as written"], ["f", "with text around the tree"], ["b", "with wrong brackets"], ["…", "cut off"], ["x", "without a tree"], ["~", "with other words"]];
  const ENDS = { one_to_one: ["one to one", "ends as in gold"], one_to_many: ["split", "by the system"], many_to_one: ["joined", "by the system"] };

  function create(data, list) {
    const { cell, row, placed, percent, figure, axis, axisRow, grid, range, fixed } = Charts;
    const $ = (name) => document.querySelector(`[data-part="${name}"]`);
    const link = (group) => (list && group in data.groups ? list.addressOf(group) : null);
    const explain = list?.explain;

    const level = `${data.level} interval`;
    const tipOf = (name, value, low, high, ...more) => [`${name}: ${points(value)}`, ...(low === null ? [] : [`${level} ${points(low)} to ${points(high)}`]), ...more];
    const strong = (text) => cell("v first", make("b", {}, text));
    /* A mark at a value with its interval. */
    const spot = (scale, value, low, high, tip, href, filled) => cell("plot", ...grid(scale),
      ...(low === null ? [] : [range("ci", 0, scale.at(low), scale.at(high))]), ...(value === null ? [] : [Charts.mark({ k: 0, at: scale.at(value), tip, href, filled })]));
    const hundred = () => fixed(0, 5, 0.2);

    function figures() {
      const rows = data.figures.filter(([, , , value]) => value !== null);
      if (!rows.length) return;
      const scale = rows.some(([, , , value]) => value < 0) ? axis(rows.map((one) => one[3]), { zero: true }) : hundred();
      let last = "";
      const lines = rows.flatMap(([group, name, remark, value, low, high, short]) => {
        const head = group === last ? [] : [row("group", make("b", {}, group), null)];
        last = group;
        return [...head, row("", [make("span", { class: "term" }, name), ...(remark ? [" ", make("span", {}, remark)] : [])], spot(scale, value, low, high, tipOf(name, value, low, high)),
          cell(name === "F1" && group === "Brackets" ? "v big" : "v first", points(value)), low === null ? "" : `${points(low)} to ${points(high)}`, points(short))];
      });
      const chart = figure({ names: "180px", values: ["64px", "128px", "84px"], least: [1] },
        row("head", "", null, "all", level, `≤ ${data.cutoff} words`), ...lines, axisRow(scale, 3));
      placed(chart, { tall: "34px" });
      $("figures").append(cell("card", chart), make("p", { class: "how" }, "Point at a mark, or tap it, for its interval, from 1,000 bootstrap samples of the sentences. Nothing is tested here: name a second system on the command line, and the page compares them."));
    }

    function lengths() {
      const place = (i) => (100 * (i + 0.5)) / data.byLength.length;
      const items = data.byLength.map(([name, count, value, low, high], i) => ({
        k: 0, at: place(i), value, low, high, few: count < FEW, filled: true, href: link(`length-${i}`),
        tip: tipOf(`F1, ${name.replace("-", "–")} words`, value, low, high, plural(count, "sentence")),
      }));
      const bins = data.byLength.map(([name, count], i) => ({ at: place(i), name: name.replace("-", "–"), sub: plural(count, "sentence"), count: grouped(count), href: link(`length-${i}`) }));
      if (items.every(({ value }) => value === null)) { $("lengths").hidden = true; return; }
      const few = data.byLength.some(([, count]) => count < FEW) ? [make("p", { class: "how" }, `Hollow and dashed: fewer than ${FEW} sentences.`)] : [];
      $("lengths").append(figure({ title: "F1 by length", about: `with ${level}; words of the sentence, number of sentences`, room: 0 }, Charts.lines(bins, [{ k: 0, name: "", items }])), ...few);
    }

    function labels() {
      const all = data.byLabel.reduce((sum, [, count]) => sum + count, 0);
      const known = data.byLabel.map((one, i) => [...one, i]).filter(([, count, , , f1]) => count >= SHARE * all && f1 !== null);
      if (!known.length) { $("labels").hidden = true; return; }
      const orders = { worst: (a, b) => a[4] - b[4], "most errors": (a, b) => b[7] - a[7], frequent: (a, b) => b[1] - a[1] };
      let chart = null;
      const fill = (by) => {
        const shown = [...known].sort((a, b) => orders[by](a, b) || b[1] - a[1]).slice(0, ROWS);
        const scale = axis(shown.flatMap(([, , , , f1, low, high]) => [f1, low, high]), { rate: true, steps: 5 });
        const made = figure({ title: "F1 by label", about: "label, times in gold", names: "96px", values: ["54px", "60px", "54px"], least: [0, 1], room: 120 },
          row("head", "", null, "recall", "precision", "F1"),
          ...shown.map(([label, count, recall, precision, f1, low, high, , i]) => row("", [make("b", {}, make("bdi", {}, visible(label))), " ", make("span", {}, grouped(count))],
            spot(scale, f1, low, high, tipOf(visible(label), f1, low, high, `recall ${points(recall)}, precision ${points(precision)}`), link(`missed-${labelPlace(label)}`) ?? link(`extra-${labelPlace(label)}`)),
            points(recall), points(precision), strong(points(f1)))),
          axisRow(scale, 3));
        if (chart) chart.replaceWith(made); else $("labels").append(made);
        chart = made;
      };
      $("labels").append(Charts.choice("Sort by", "labels-sort", { worst: "worst", "most errors": "most errors", frequent: "frequent" }, fill));
      fill("worst");
    }
    /* Return the number of a label's row in the table, which the names of its groups have. */
    const labelPlace = (label) => Object.keys(data.about).find((name) => name.startsWith("missed-") && data.about[name][0] === label)?.slice("missed-".length);

    function histogram() {
      const all = data.byF1.reduce((sum, count) => sum + count, 0);
      if (!all) { $("histogram").hidden = true; return; }
      const step = 100 / (data.byF1.length - 1);
      const name = (i) => (i === data.byF1.length - 1 ? "100" : `${i * step} to under ${(i + 1) * step}`);
      $("histogram").append(figure({ title: "Sentences by F1", about: `number of sentences, in steps of ${step} points`, room: 0 },
        Charts.columns(data.byF1.map((count, i) => ({ count, tip: `F1 ${name(i)}: ${plural(count, "sentence")}`, href: count ? link(`f1-${i}`) : null })),
          data.byF1.flatMap((_, i) => (i * step % 20 ? [] : [{ at: i + (i * step === 100 ? 0.5 : 0), name: i * step }])))));
    }

    /* Rows with bars. */
    const barOf = (scale, value, low = null, high = null) => cell("plot", ...grid(scale), range("hb", 0, scale.at(0), scale.at(value)), ...(low === null ? [] : [range("ci over", 0, scale.at(low), scale.at(high))]));

    function confusions() {
      const shown = data.confusions.slice(0, ROWS);
      if (!shown.length) { $("confusions").hidden = true; return; }
      const scale = fixed(0, 1, shown[0][2]);
      const name = (text) => make("b", {}, make("bdi", {}, visible(text)));
      const chart = figure({ title: "Right words, wrong label", about: "gold as system, times", names: "150px", values: ["44px"], room: 120 },
        ...shown.map(([gold, system, count], i) => row("", [name(gold), " as ", name(system)], barOf(scale, count),
          Charts.value(grouped(count), { href: link(`confusion-${i}`), label: `${visible(gold)} as ${visible(system)}: show ${plural(count, "time")}` }))));
      placed(chart, { tall: "36px" });
      $("confusions").append(chart);
    }

    function causes() {
      const all = data.byCause.map(([cause, lost, low, high, mended, brackets, sentences], i) => ({ cause, lost, low, high, mended, brackets, sentences, i }));
      if (!$("causes")) return;
      const orders = { lost: (a, b) => a.i - b.i, sentences: (a, b) => b.sentences - a.sentences || a.i - b.i, name: (a, b) => (a.cause < b.cause ? -1 : 1) };
      let [by, open, chart] = ["lost", false, null];
      const sum = (some, name) => some.reduce((total, one) => total + one[name], 0);
      const fill = () => {
        const ordered = [...all].sort(orders[by]);
        const shown = open || all.length <= CAUSES + 1 ? ordered : ordered.slice(0, CAUSES);
        const rest = ordered.slice(shown.length);
        const scale = axis(shown.flatMap(({ lost, high }) => [lost, high]), { zero: true });
        const more = make("button", { class: "show", "aria-expanded": String(open), click: () => { open = !open; fill(); chart.querySelector("button.show").focus(); } }, open ? "fewer causes" : `${rest.length} more causes`);
        const line = ({ cause, lost, low, high, mended, brackets, sentences, i }) => {
          const term = make("button", { class: "show", "data-tip": Terms.of(cause), click: () => explain?.(cause, true) }, cause);
          const plot = barOf(scale, lost, low, high);
          plot.dataset.tip = tipOf(cause, lost, low, high).join("\n");
          return row("", link(`cause-${i}`) ? term : cause, plot, strong(points(lost)), signedPoints(mended), grouped(brackets),
            Charts.value(grouped(sentences), { href: link(`cause-${i}`), label: `${cause}: show ${plural(sentences, "sentence")}` }));
        };
        const made = figure({ names: "180px", values: ["84px", "84px", "72px", "72px"], least: [2, 3] },
          row("head", "", null, "points lost", "if mended", "brackets", "sentences"), ...shown.map(line), axisRow(scale, 4),
          ...(rest.length || open ? [row("sum", more, cell("plot note-in", rest.length && by === "lost" ? `each at most ${points(rest[0].lost)}` : ""), ...(open ? ["", "", "", ""] : [points(sum(rest, "lost")), "", grouped(sum(rest, "brackets")), ""]))] : []),
          row("sum total", "all = 100 − F1", null, points(sum(all, "lost")), "", grouped(sum(all, "brackets")), ""));
        placed(made, { tall: "36px" });
        if (chart) chart.replaceWith(made); else $("causes").append(cell("card", made));
        chart = made;
      };
      fill();
      $("causes-sort").append(Charts.choice("Sort by", "causes-sort", { lost: "points lost", sentences: "sentences", name: "name" }, (order) => { by = order; fill(); }));
    }

    // -- answers of a language model ----------------------------------------------------------

    function squares() {
      const counts = STATES.map((_, state) => data.answers.states.filter(([, one]) => one === state).length);
      const known = (number) => (list && data.place.has(number) ? `#sentence-${number}` : null);
      const key = (state) => make("span", { class: `square state-${state}`, "aria-hidden": "true" }, STATES[state][0]);
      $("squares").append(make("h2", { class: "fig-title" }, "Answers ", make("span", {}, "each square is one")), cell("squares", ...data.answers.states.slice(0, SQUARES).map(([number, state]) => {
        const href = known(number);
        const name = { class: `square state-${state}`, "data-tip": `Sentence ${grouped(number)}: ${STATES[state][1]}`, "aria-label": `Sentence ${number}: ${STATES[state][1]}` };
        return href ? make("a", { ...name, href }, STATES[state][0]) : make("span", { ...name, role: "img" }, STATES[state][0]);
      })), make("p", { class: "how keys-of-states" }, ...counts.flatMap((count, state) => (count ? [key(state), ` ${grouped(count)} ${STATES[state][1]} \u2003`] : [])),
        data.answers.states.length > SQUARES ? `The first ${grouped(SQUARES)} of ${grouped(data.answers.states.length)}.` : ""));
    }

    function ladder() {
      const { ladder: all, validOnly: [only, ...valid], renamed } = data.answers;
      const steps = all.filter(([, , f1]) => f1 !== null);
      if (!steps.length) return;
      const scale = axis([...steps.flatMap((step) => step.slice(2)), ...valid, renamed], { rate: true, steps: 5 });
      const line = (name, remark, answers, gain, f1, low, high, filled = true) => row("", remark ? [name, " ", make("span", {}, remark)] : name, spot(scale, f1, low, high, tipOf(name, f1, low, high), null, filled), answers === null ? "" : grouped(answers), gain, strong(points(f1)));
      const last = steps[steps.length - 1][2];
      $("ladder").append(figure({ title: "F1", about: `with ${level}; what each repair brings, one after the other`, names: "150px", values: ["60px", "60px", "58px"], least: [0], room: 120 },
        row("head", "", null, "answers", "gain", "F1"),
        ...steps.map(([repair, answers, ...f1], i) => line(i ? `+ ${repair.replaceAll("_", " ")}` : "as written", "", answers, i ? signedPoints(f1[0] - steps[i - 1][2]) : "", ...f1)),
        ...(renamed > last ? [line("labels renamed", "by hand", null, signedPoints(renamed - last), renamed, null, null)] : []),
        ...(valid[0] === null ? [] : [line("valid only", "others left out", only, "", ...valid, false)]), axisRow(scale, 3)));
    }

    /* A bar of parts: size, class, text and tip. */
    function stack(...parts) {
      const all = parts.reduce((sum, [size]) => sum + size, 0);
      let at = 0;
      return cell("plot stack", ...parts.filter(([size]) => size > 0).map(([size, name, text, tip]) => {
        const made = range(`hb ${name}`, 0, (100 * at) / all, (100 * (at += size)) / all);
        made.append(size > all / 25 ? text : "");
        made.dataset.tip = tip;
        return made;
      }));
    }

    function answersByLength() {
      const bars = data.answers.byLength;
      $("answers-by-length").append(figure({ title: "By length", about: "words of gold; state of the answers; F1 as written and repaired", names: "150px", values: ["54px", "84px", "72px"], room: 160 },
        row("head", "", null, "valid", "as written", "repaired"),
        ...bars.map(([name, counts, written, repaired]) => {
          const all = counts.reduce((sum, count) => sum + count, 0);
          return row("", [name.replace("-", "–"), " ", make("span", {}, plural(all, "answer"))], stack(...counts.map((count, i) => [count, `state-${i}`, grouped(count), `${grouped(count)} ${STATES[i][1]}`])),
            `${Math.round((100 * (counts[0] + counts[5])) / all)} %`, points(written), strong(points(repaired)));
        })));
    }

    /* What the points lost are made of. */
    function parts() {
      const names = ["format: text around the tree, cut off", "labels that gold lacks", "syntax, with answers without a tree and other words"];
      const lost = data.answers.lost.map((size, i) => [Math.max(0, size), `state-${[1, 2, 0][i]}`, points(size), `${points(size)} ${names[i]}`]);
      $("parts").append(cell("card", figure({ title: `${points(data.answers.lost.reduce((sum, size) => sum + size))} points of F1 lost`, about: "100 − F1 as written", room: 0 }, stack(...lost),
        make("p", { class: "how keys-of-states" }, ...lost.flatMap(([size, state, text], i) => (size ? [make("span", { class: `square ${state}`, "aria-hidden": "true" }), ` ${text} ${names[i]} \u2003`] : []))))));
    }

    /* Answers as written, with what repairs drop and add, and their trees; one at a time for each defect. */
    function raw() {
      const all = data.answers.raw;
      if (!all.length) { $("raw").hidden = true; return; }
      const names = Object.entries(data.about).flatMap(([group, [name]]) => (group.startsWith("defect-") ? [name] : []));
      let [defect, at, draws] = [names[0], 0, false];
      const crumb = [make(list ? "a" : "span", { class: "mut" }), make("span", { class: "mut" })];
      const body = cell("");
      const pager = Charts.pager("answer", (step) => { at += step; fill(); });
      const fill = () => {
        const some = all.filter(([, defects]) => defects.includes(defect));
        const [number, defects, reason, pieces] = some[at];
        const known = list && data.place.has(number);
        const item = known ? data.sentences[data.place.get(number)] : null;
        crumb[0].textContent = `Sentence ${grouped(number)}`;
        if (known) crumb[0].href = `#sentence-${number}`; else crumb[0].removeAttribute("href");
        crumb[1].textContent = [reason ?? defects.join(", "), ...(item ? [`F1 ${points(item.columns[item.columns.length - 1] / 10000)} as written, ${points(item.f1)} repaired`] : [])].join(" · ");
        pager.at(at, some.length);
        const tags = { "=": "span", "-": "del", "+": "ins" };
        body.replaceChildren(make("pre", { class: "raw", tabindex: 0, "aria-label": "The answer" }, ...pieces.map(([sign, text]) => make(tags[sign], {}, text.split("\n").map(visible).join("\n")))),
          ...(known && draws && reason === null ? [list.drawn(number)] : []));
      };
      const choice = Charts.choice("Defect", "defect", Object.fromEntries(names.map((name) => [name, name])), (one) => { [defect, at] = [one, 0]; fill(); });
      $("raw").append(cell("card", ...(names.length > 1 ? [choice] : []), cell("crumb", ...crumb, pager.element), body));
      fill();
      Charts.whenSeen(body, () => { draws = true; fill(); });
      for (const th of document.querySelectorAll("#defects tbody th")) {
        const input = choice.querySelector(`input[value="${CSS.escape(th.textContent)}"]`);
        if (!input) continue;
        const button = make("button", { class: "show", click: () => { input.click(); $("raw").scrollIntoView(); } }, th.textContent);
        th.replaceChildren(button);
      }
    }

    function ends() {
      const known = (data.byBead ?? []).filter(([, , , f1]) => f1 !== null);
      if (known.length < 2) { $("ends").hidden = true; return; }
      $("examples").append(...(list ? [list.example("many_to_one", "Joined by the system"), list.example("one_to_many", "Split by the system")] : []).filter(Boolean));
      const scale = axis(known.map((one) => one[3]), { rate: true, steps: 5 });
      $("ends").append(figure({ title: "F1 by sentence ends", about: "pairs of sentences", names: "150px", values: ["60px", "54px"], room: 120 },
        ...known.map(([kind, title, count, f1]) => row("", [ENDS[kind]?.[0] ?? title, " ", make("span", {}, ENDS[kind]?.[1] ?? "")],
          spot(scale, f1, null, null, [`F1 ${points(f1)}`, plural(count, "pair")], link(`bead-${kind}`)), grouped(count), strong(points(f1)))),
        axisRow(scale, 2)),
      ...(known.some(([kind]) => kind in ENDS && kind !== "one_to_one") ? [make("p", { class: "how" }, "Longer text has lower F1 anyway: joined and split pairs have more words than the rest, so not all of the gap is theirs.")] : []));
    }

    if (data.answers) {
      squares();
      ladder();
      if ($("raw")) { answersByLength(); raw(); }
      if ($("parts")) parts();
    }
    figures();
    if ($("lengths")) { lengths(); labels(); histogram(); confusions(); causes(); }
    if ($("ends")) ends();
    if (data.byCause.length) explain?.(data.byCause[0][0], false);
  }

  return { create };
})();
