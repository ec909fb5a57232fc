/* Single: the plots of one system: F1 by length, recall and precision by label, Struct-IoU against F1. */
"use strict";

const Single = (() => {
  const ROWS = 8;

  function create(data, list) {
    const { cell, row, placed, percent } = Charts;
    const $ = (name) => document.querySelector(`[data-part="${name}"]`);
    const link = (group) => (list && group in data.groups ? `#sentences?group=${group}` : null);

    function lengths() {
      const known = data.byLength.filter(([, , f1]) => f1 !== null);
      if (!known.length) return;
      const place = (i) => (100 * (i + 0.5)) / data.byLength.length;
      const items = data.byLength.map(([name, count, value, low, high], i) => ({
        k: 0, at: place(i), value, low, high, few: count < FEW, filled: true, href: link(`length-${i}`),
        tip: [`${name.replace("-", "–")} words: F1 ${points(value)}`, ...(low === null ? [] : [`95 % interval ${points(low)} to ${points(high)}`]), plural(count, "sentence")],
      }));
      const bins = data.byLength.map(([name, count], i) => ({ at: place(i), name: name.replace("-", "–"), sub: plural(count, "sentence"), count: grouped.format(count), href: link(`length-${i}`) }));
      const [best, worst] = [(a, b) => (b[2] > a[2] ? b : a), (a, b) => (b[2] < a[2] ? b : a)].map((pick) => known.filter(([, count]) => count >= FEW || known.length < 3).reduce(pick, known[0]));
      const words = ([name]) => `${name.replace("-", "–")} words`;
      $("lengths-about").textContent = known.length < 2 ? `F1 is ${points(known[0][2])} at ${words(known[0])}.`
        : `F1 is ${points(best[2])} at ${words(best)} and ${points(worst[2])} at ${words(worst)}.${known.some(([, count]) => count < FEW) ? ` Dashed: fewer than ${FEW} sentences.` : ""}`;
      $("lengths").append(Charts.figure({ title: "F1", about: "per cent, with 95 % interval", file: "lengths", csv: () => [["length", "sentences", "f1", "low", "high"], ...data.byLength], room: 0 }, Charts.lines(bins, [{ k: 0, name: "", items }])));
    }

    function rates() {
      const all = data.byLabel.reduce((sum, [, count]) => sum + count, 0);
      const labels = data.byLabel.map((one, i) => [...one, i]).filter(([, count]) => count >= SHARE * all).slice(0, ROWS);
      if (!labels.length) return;
      const scale = Charts.axis(labels.flatMap(([, , recall, precision]) => [recall, precision]), { rate: true });
      const kinds = [["recall", 2, true, "missed"], ["precision", 3, false, "extra"]];
      const lost = labels.filter(([, , recall, precision]) => recall !== null && precision !== null)
        .sort((a, b) => Math.abs(b[3] - b[2]) - Math.abs(a[3] - a[2]))[0];
      $("rates-about").textContent = lost ? `${visible(lost[0])} is furthest from a balance: recall ${points(lost[2])}, precision ${points(lost[3])}.` : "";
      $("rates").append(Charts.figure({ file: "labels", csv: () => [["label", "gold", "recall", "precision"], ...data.byLabel], names: "96px", room: 0 },
        row("head", "", cell("", ...kinds.map(([name, , filled]) => make("span", { class: "key rate-key" }, Charts.glyph(0, filled), name)))),
        ...labels.map((one) => {
          const plot = cell("plot", ...Charts.grid(scale));
          if (one[2] !== null && one[3] !== null) plot.append(Charts.range("stem", 0, scale.at(one[2]), scale.at(one[3])));
          for (const [name, at, filled, group] of kinds) {
            if (one[at] !== null) plot.append(Charts.mark({ k: 0, at: scale.at(one[at]), filled, tip: `${visible(one[0])}: ${name} ${points(one[at])}`, href: link(`${group}-${labelPlace(one)}`) }));
          }
          return row("", [make("b", {}, make("bdi", {}, visible(one[0]))), " ", make("span", {}, grouped.format(one[1]))], plot);
        }),
        Charts.axisRow(scale, Charts.tickText(scale, 100))));
    }
    /* Return the number of a label's row in the table, which the names of its groups have. */
    const labelPlace = ([label]) => Object.keys(data.about).find((name) => name.startsWith("missed-") && data.about[name][0] === label)?.slice("missed-".length);

    function trees() {
      const at = data.columns.findIndex(({ header }) => header === "S-IoU");
      const known = data.sentences.filter((item) => item.f1 !== null && at >= 0 && typeof item.columns[at] === "number");
      if (known.length < 2) return;
      const dots = new Map();
      for (const item of known) {
        const key = `${Math.round(100 * item.f1)} ${Math.round(item.columns[at] / 100)}`;
        if (!dots.has(key)) dots.set(key, []);
        dots.get(key).push(item);
      }
      const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
      const [x, y] = [known.map((item) => item.f1), known.map((item) => item.columns[at] / 10000)];
      const [mx, my] = [mean(x), mean(y)];
      const over = Math.sqrt(mean(x.map((value) => (value - mx) ** 2)) * mean(y.map((value) => (value - my) ** 2)));
      const r = over ? mean(x.map((value, i) => (value - mx) * (y[i] - my))) / over : null;
      const section = $("trees");
      section.hidden = false;
      const plot = cell("lines xy", ...[0, 20, 40, 60, 80, 100].flatMap((tick) => [
        placed(make("i", { class: "level" }, make("span", {}, tick)), { y: `${100 - tick}%` }),
        placed(make("span", { class: "x-tick" }, tick), { x: percent(tick) }),
      ]));
      const svg = draw("svg", { "aria-hidden": "true" });
      for (const [key, items] of dots) {
        const [f1, siou] = key.split(" ").map(Number);
        const dot = draw("circle", { class: "dot", cx: `${f1}%`, cy: `${100 - siou}%`, r: Math.min(9, 2.6 + Math.sqrt(items.length)) },
          draw("title", {}, `F1 ${f1}, Struct-IoU ${siou}: ${items.length === 1 ? `sentence ${grouped.format(items[0].number)}` : plural(items.length, "sentence")}`));
        dot.addEventListener("click", () => list.showSentence(items[0].number, true));
        svg.append(dot);
      }
      plot.append(svg);
      section.append(make("h2", {}, "Struct-IoU against F1"), make("p", { class: "sub" },
        `Of ${plural(known.length, "sentence")}${r === null ? "" : `; their correlation is ${minus(r.toFixed(2))}`}. Far above the others: small shifts of brackets. A dot opens its first sentence.`),
      Charts.figure({ title: "Struct-IoU × 100", about: "from the bottom up, by F1 from left to right", file: "sentences", csv: () => [["sentence", "f1", "struct_iou"], ...known.map((item) => [item.number, item.f1, item.columns[at] / 10000])], room: 0 }, plot));
    }

    if ($("lengths")) { lengths(); rates(); trees(); }
  }

  return { create };
})();
