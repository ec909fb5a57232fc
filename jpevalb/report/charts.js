/* Charts: marks of systems, axes, rows of a chart, tips, and figures as CSV. */
"use strict";

const minus = (text) => text.replace("-", "−");
/* Return a rate in per cent, or a difference of rates in points with its sign. */
const points = (value) => (value === null ? "–" : minus((100 * value).toFixed(2)));
const signedPoints = (value) => `${value > 0 ? "+" : ""}${points(value)}`;

const FEW = 30; // sentences of a length: fewer are drawn dashed
const SHARE = 0.01; // of the gold brackets that a label needs to be drawn

const Charts = (() => {
  // Within 14 by 14; a system keeps its shape and its colour on the whole page.
  const SHAPES = [
    () => draw("circle", { cx: 7, cy: 7, r: 4.9 }),
    () => draw("rect", { x: 2.6, y: 2.6, width: 8.8, height: 8.8, rx: 1 }),
    () => draw("path", { d: "M7 1.6 12.4 11.6H1.6Z" }),
    () => draw("path", { d: "M7 1 12.6 7 7 13 1.4 7Z" }),
    () => draw("path", { d: "M7 12.4 12.4 2.4H1.6Z" }),
    () => draw("path", { d: "M4.8 1.5h4.4v3.3h3.3v4.4H9.2v3.3H4.8V9.2H1.5V4.8h3.3Z" }),
    () => draw("path", { d: "M4.2 2.2h5.6L12.6 7l-2.8 4.8H4.2L1.4 7Z" }),
    () => draw("path", { d: "M7 1.4 12.6 5.6 10.4 12.2H3.6L1.4 5.6Z" }),
  ];
  const classOf = (k) => `s${k % SHAPES.length}`;

  function glyph(k, filled = true) {
    const shape = SHAPES[k % SHAPES.length]();
    shape.setAttribute("class", filled ? "mk filled" : "mk");
    return draw("svg", { viewBox: "0 0 14 14", class: classOf(k), "aria-hidden": "true" }, shape);
  }

  const key = (k, name, filled = true) => make("span", { class: `key ${classOf(k)}` }, glyph(k, filled), make("bdi", {}, visible(name)));

  /* Return an element with custom properties, which the policy allows from scripts only. */
  function placed(element, properties) {
    for (const [name, value] of Object.entries(properties)) element.style.setProperty(`--${name}`, value);
    return element;
  }
  const percent = (value) => `${value.toFixed(2)}%`;

  /* Return the smallest step of 1, 2 or 5 times a power of ten that is at least a size. */
  function niceStep(size) {
    const power = 10 ** Math.floor(Math.log10(size));
    return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= size * (1 - 1e-9));
  }

  /* Return an axis over some values, rounded outwards to whole steps; `zero` includes 0. */
  function axis(values, { zero = false, steps = 6 } = {}) {
    const known = values.filter((value) => value !== null && Number.isFinite(value));
    if (zero || !known.length) known.push(0);
    let [low, high] = [Math.min(...known), Math.max(...known)];
    if (high - low < 1e-9) [low, high] = zero ? [Math.min(low, -0.01), Math.max(high, 0.01)] : [low - 0.01, high + 0.01];
    const step = niceStep((high - low) / steps);
    const [first, last] = [Math.floor(low / step + 1e-9), Math.ceil(high / step - 1e-9)];
    return fixed(first, last, step);
  }

  function fixed(first, last, step) {
    const count = Math.max(1, last - first);
    return {
      first, last, step,
      ticks: Array.from({ length: count + 1 }, (_, i) => (first + i) * step),
      at: (value) => Math.min(110, Math.max(-10, (100 * (value / step - first)) / count)),
    };
  }

  /* Return the grid lines of a plot; that of zero is darker. */
  const grid = (scale) => scale.ticks.map((tick) =>
    placed(make("i", { class: Math.abs(tick) < scale.step / 2 && scale.first < 0 ? "g zero" : "g" }), { x: percent(scale.at(tick)) }));

  const ticks = (scale, text) => make("div", { class: "ticks", "aria-hidden": "true" },
    ...scale.ticks.map((tick) => placed(make("span", {}, text(tick)), { x: percent(scale.at(tick)) })));

  /* A mark of a system: a link if there is an address, else only a stop for Tab. */
  function mark({ k, at, lane = 0, filled, tip, href }) {
    const lines = Array.isArray(tip) ? tip : [tip];
    const name = { class: `mark ${classOf(k)}`, "data-tip": lines.join("\n"), "aria-label": lines.join("; ") };
    const element = href ? make("a", { ...name, href }, glyph(k, filled)) : make("span", { ...name, role: "img", tabindex: 0 }, glyph(k, filled));
    return placed(element, { x: percent(at), l: lane });
  }

  const range = (name, k, from, to, lane = 0) =>
    placed(make("i", { class: `${name} ${classOf(k)}` }), { a: percent(Math.min(from, to)), b: percent(Math.max(from, to)), l: lane });

  const row = (name, ...cells) => make("div", { class: `row ${name}`.trim() }, ...cells);
  const cell = (name, ...content) => make("div", { class: name }, ...content);

  /* A figure with its title and a button that saves its numbers. */
  function figure(name, title, about, csv, ...rows) {
    const caption = make("figcaption", {}, title, " ", make("span", {}, about), " ");
    if (csv) {
      const button = make("button", { type: "button", class: "csv", "aria-label": `Save the numbers of “${title || name}” as CSV` }, "CSV");
      button.addEventListener("click", () => saveCsv(...csv()));
      caption.append(button);
    }
    return make("figure", { class: `fig ${name}` }, caption, ...rows);
  }

  const tickText = (scale, factor, sign) => (tick) => {
    const digits = Math.max(0, -Math.floor(Math.log10(scale.step * factor) + 1e-9));
    const text = (tick * factor).toFixed(digits);
    return Number(text) === 0 ? "0" : minus(sign && tick > 0 ? `+${text}` : text);
  };

  /* Draw series of values with intervals over bins; `items` of fewer sentences are dashed. */
  function lines(bins, series) {
    const HEIGHT = 230;
    const scale = axis(series.flatMap(({ items }) => items.flatMap(({ value, low, high }) => [value, low, high])), { steps: 6 });
    const top = (value) => HEIGHT * (1 - scale.at(value) / 100);
    const plot = placed(cell("lines", ...scale.ticks.map((tick) => placed(make("i", { class: "level" }, make("span", {}, tickText(scale, 100)(tick))), { y: `${top(tick)}px` }))), { h: `${HEIGHT}px` });
    const svg = draw("svg", { viewBox: `0 0 100 ${HEIGHT}`, preserveAspectRatio: "none", "aria-hidden": "true" });
    plot.append(svg);
    const ends = [];
    series.forEach(({ k, name, items }, i) => {
      const shift = (i - (series.length - 1) / 2) * Math.min(2, 7 / series.length);
      const known = items.filter(({ value }) => value !== null).map((item) => ({ ...item, at: item.at + shift }));
      known.slice(1).forEach((item, j) => {
        const before = known[j];
        svg.append(draw("line", { class: `path ${classOf(k)}${item.few || before.few ? " thin" : ""}`, x1: before.at, y1: top(before.value), x2: item.at, y2: top(item.value) }));
      });
      for (const item of known) {
        if (item.low !== null) svg.append(draw("line", { class: `wh ${classOf(item.k)}`, x1: item.at, x2: item.at, y1: top(item.low), y2: top(item.high) }));
        const dot = mark({ k: item.k, at: item.at, filled: item.filled, tip: item.tip, href: item.href });
        dot.classList.add("pt");
        plot.append(placed(dot, { y: `${top(item.value)}px` }));
        if (item.note) plot.append(placed(make("span", { class: "ann" }, item.note), { x: percent(item.at), y: `${top(item.value)}px` }));
      }
      if (known.length) ends.push({ name, y: top(known[known.length - 1].value) });
    });
    // Labels at the ends of the lines keep their distance.
    ends.sort((a, b) => a.y - b.y).forEach((end, i) => { if (i) end.y = Math.max(end.y, ends[i - 1].y + 16); });
    plot.append(...ends.map(({ name, y }) => placed(make("span", { class: "end" }, name), { y: `${y}px` })));
    const under = cell("bins", ...bins.map((bin) => placed(make("span", {}, bin.href ? make("a", { href: bin.href, "aria-label": `${bin.name}: ${bin.sub}, show them` }, bin.name) : bin.name,
      ...(bin.sub === undefined ? [] : [make("small", {}, bin.count)])), { x: percent(bin.at) })));
    return cell("lenchart", plot, under);
  }

  function save(text, type, name) {
    const address = URL.createObjectURL(new Blob([text], { type }));
    make("a", { href: address, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(address), 60000);
  }

  /* A text that a spreadsheet would read as a formula gets an apostrophe, as in the CSV report. */
  function csvText(rows) {
    const quoted = (value) => {
      const text = value === null || value === undefined ? "" : String(value);
      const safe = typeof value !== "number" && /^[=+\-@＝＋－＠]/u.test(text) ? `'${text}` : text;
      return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
    };
    return rows.map((cells) => cells.map(quoted).join(",") + "\n").join("");
  }
  const saveCsv = (name, rows) => save(csvText(rows), "text/csv", `${name}.csv`);

  /* Show the tips of marks while they are pointed at or have the focus; Escape hides them. */
  function tips() {
    const box = make("div", { class: "tip", "aria-hidden": "true", hidden: true });
    document.body.append(box);
    const show = (target) => {
      box.hidden = !target;
      if (!target) return;
      box.textContent = target.dataset.tip;
      const [at, size] = [target.getBoundingClientRect(), box.getBoundingClientRect()];
      const left = at.left + at.width / 2 - size.width / 2;
      box.style.left = `${Math.max(6, Math.min(left, document.documentElement.clientWidth - size.width - 6))}px`;
      box.style.top = `${at.top > size.height + 8 ? at.top - size.height - 2 : at.bottom + 4}px`;
    };
    const of = (event) => event.target.closest?.("[data-tip]") ?? null;
    addEventListener("pointerover", (event) => show(of(event)));
    addEventListener("focusin", (event) => show(of(event)));
    addEventListener("focusout", () => show(null));
    addEventListener("scroll", () => show(null), { passive: true });
    addEventListener("keydown", (event) => { if (event.key === "Escape") show(null); });
  }

  return { glyph, key, classOf, placed, percent, axis, fixed, niceStep, grid, ticks, mark, range, row, cell, figure, lines, tickText, save, tips };
})();
