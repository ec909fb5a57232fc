/* Charts: the engine of all figures: marks of systems, axes, rows of name, plot and values, lines and columns;
   tips.  Text is never scaled: SVG has lines and shapes only. */
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

  const key = (k, name, filled = true, title = "") => make("span", { class: `key ${classOf(k)}`, ...(title && title !== name ? { title } : {}) }, glyph(k, filled), make("bdi", {}, visible(name)));

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

  /* Return an axis over some values, rounded outwards to at most `steps` nice steps, and at least `span` wide.
     `zero` includes 0; a `rate` stays within 0 and 1. */
  function axis(values, { zero = false, rate = false, steps = 6, span = 0.01 } = {}) {
    const known = values.filter(Number.isFinite);
    if (zero || !known.length) known.push(0);
    let [low, high] = [Math.min(...known), Math.max(...known)];
    const lack = Math.max(0, span - (high - low)) / 2;
    [low, high] = [low - lack, high + lack];
    if (rate && low < 0) [low, high] = [0, Math.min(1, high - low)];
    if (rate && high > 1) [low, high] = [Math.max(0, low - high + 1), 1];
    for (let step = niceStep((high - low) / steps); ; step = niceStep(1.1 * step)) {
      const [first, last] = [Math.floor(low / step + 1e-6), Math.ceil(high / step - 1e-6)];
      if (last - first <= steps) return fixed(first, last, step);
    }
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

  const tickText = (scale, factor, sign) => (tick) => {
    const digits = Math.max(0, -Math.floor(Math.log10(scale.step * factor) + 1e-9));
    const text = (tick * factor).toFixed(digits);
    return Number(text) === 0 ? "0" : minus(sign && tick > 0 ? `+${text}` : text);
  };

  /* A mark of a system: a link if there is an address, else only a stop for Tab. */
  function mark({ k, at, lane = 0, filled = true, tip, href }) {
    const lines = Array.isArray(tip) ? tip : [tip];
    const name = { class: `mark ${classOf(k)}`, "data-tip": lines.join("\n"), "aria-label": lines.join("; ") };
    const element = href ? make("a", { ...name, href }, glyph(k, filled)) : make("span", { ...name, role: "img", tabindex: 0 }, glyph(k, filled));
    return placed(element, { x: percent(at), l: lane });
  }

  const range = (name, k, from, to, lane = 0) =>
    placed(make("i", { class: `${name} ${classOf(k)}` }), { a: percent(Math.min(from, to)), b: percent(Math.max(from, to)), l: lane });

  const cell = (name, ...content) => make("div", { class: name }, ...content);

  /* A row of a figure: the name, the plot, and the values as elements or texts. */
  const row = (name, title, plot, ...values) => make("div", { class: `row ${name}`.trim() }, cell("nm", ...[title].flat()),
    plot ?? cell("plot"), ...values.map((value) => (value instanceof Element ? value : cell("v", value ?? ""))));
  const axisRow = (scale, count = 0, text = tickText(scale, 100)) => row("axis", "", cell("plot", ticks(scale, text)), ...Array(count).fill(""));
  /* A value; `k` gives it the shape of a system where values leave their columns. */
  const value = (text, { name = "", href = null, label = text, k = null } = {}) => cell(`v ${name}`.trim(),
    ...(k === null ? [] : [make("span", { class: `key ${classOf(k)}` }, glyph(k))]), href ? make("a", { href, "aria-label": label }, text) : text);

  /* A figure in rows.  `names` is the room of the names, `values` that of each column of values; those in `least`
     are left out on a phone.  Where the plot has less than `room` pixels, it moves below its row, and where the values
     have no room beside the name, they move below the plot. */
  function figure({ name = "", title = "", about = "", names = "120px", values = [], least = [], room = 260 }, ...rows) {
    const caption = make("figcaption", {}, title, ...(about ? [" ", make("span", {}, about)] : []));
    const made = make("figure", { class: `fig ${name}` }, ...(title || about ? [caption] : []), ...rows);
    const kept = values.filter((_, i) => !least.includes(i));
    const [size, smallest] = [values, kept].map((some) => some.reduce((sum, one) => sum + parseFloat(one) + 16, 16));
    for (const [layout, wide] of [["below", room && size + parseFloat(names) + room], ["wrap", smallest > 300 && size + 100]]) {
      if (wide) made.classList.add(`${layout}-${BELOW.find((one) => one >= wide) ?? BELOW[BELOW.length - 1]}`);
    }
    for (const one of made.querySelectorAll(".row")) for (const i of least) one.children[i + 2]?.classList.add("opt");
    return placed(made, {
      cols: [names, "minmax(0, 1fr)", ...values].join(" "), below: ["minmax(0, 1fr)", ...values].join(" "),
      least: ["minmax(0, 1fr)", ...kept].join(" "), "least-inline": [names, "minmax(0, 1fr)", ...kept].join(" "),
    });
  }
  const BELOW = [520, 700, 900, 1100]; // widths of a card that the style has layouts for


  /* Buttons for the item before and after; `turn(step)` moves, and `at` shows the place. */
  function pager(what, turn) {
    const status = make("span", { class: "status", role: "status" });
    const [back, on] = [["‹", "Previous", -1], ["›", "Next", 1]].map(([text, name, step]) => make("button", { class: "quiet", "aria-label": `${name} ${what}`, click: () => turn(step) }, text));
    const at = (place, count) => {
      status.textContent = `${grouped(place + 1)} of ${grouped(count)}`;
      [back.disabled, on.disabled] = [!place, place >= count - 1];
    };
    return { element: make("span", { class: "steps" }, back, status, on), at };
  }

  /* Call a function once an element comes into sight or is printed: large pages open fast. */
  function whenSeen(element, act) {
    const done = () => { seen.disconnect(); removeEventListener("beforeprint", done); act(); };
    const seen = new IntersectionObserver((entries) => { if (entries.some((entry) => entry.isIntersecting)) done(); });
    seen.observe(element);
    addEventListener("beforeprint", done);
  }

  /* A choice of one of several orders or views. */
  function choice(legend, name, items, act) {
    const made = make("fieldset", { class: "segments" }, make("legend", {}, legend), ...Object.entries(items).map(([key, text], i) =>
      make("label", {}, make("input", { type: "radio", name, value: key, checked: !i }), make("span", {}, text))));
    made.addEventListener("change", (event) => act(event.target.value));
    return made;
  }

  // -- lines and columns over bins ---------------------------------------------------------------

  const HEIGHT = 230;
  const levels = (scale, text) => scale.ticks.map((tick) => placed(make("i", { class: "level" }, make("span", {}, text(tick))), { y: percent(100 - scale.at(tick)) }));
  const under = (bins) => cell("bins", ...bins.map((bin) => placed(make("span", {},
    bin.href ? make("a", { href: bin.href, "aria-label": `${bin.name}: ${bin.sub}, show them` }, bin.name) : bin.name,
    ...(bin.count === undefined ? [] : [make("small", {}, bin.count)])), { x: percent(bin.at) })));

  /* Draw series of values with intervals over bins; `items` of fewer sentences are dashed and hollow.
     A `band` has the lowest and highest value at each item; the axis holds `all` values. */
  function lines(bins, series, { height = HEIGHT, band = null, all = [] } = {}) {
    const scale = axis([...all, ...series.flatMap(({ items }) => items.flatMap(({ value, low, high }) => [value, low, high]))], { rate: true, steps: height < HEIGHT ? 4 : 6 });
    const top = (value) => 100 - scale.at(value);
    const svg = draw("svg", { viewBox: "0 0 100 100", preserveAspectRatio: "none", "aria-hidden": "true" });
    const plot = placed(cell("lines", ...levels(scale, tickText(scale, 100)), svg), { h: `${height}px` });
    if (band) {
      const edge = (side) => series[0].items.flatMap(({ at }, i) => (band[i] ? [`${at},${top(band[i][side])}`] : []));
      svg.append(draw("polygon", { class: "area", points: [...edge(0), ...edge(1).reverse()].join(" ") }));
    }
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
        const dot = mark({ ...item, filled: item.filled && !item.few });
        dot.classList.add("pt");
        plot.append(placed(dot, { y: percent(top(item.value)) }));
        if (item.note) plot.append(placed(make("span", { class: "ann" }, item.note), { x: percent(item.at), y: percent(top(item.value)) }));
      }
      if (name && known.length) ends.push({ k, name, y: (height * top(known[known.length - 1].value)) / 100 });
    });
    // Labels at the ends of the lines keep their distance.
    ends.sort((a, b) => a.y - b.y).forEach((end, i) => { if (i) end.y = Math.max(end.y, ends[i - 1].y + 16); });
    plot.append(...ends.map(({ k, name, y }) => placed(make("span", { class: "end", title: name }, key(k, name)), { y: `${y}px` })));
    return cell(`lenchart${ends.length ? " named" : ""}`, plot, under(bins));
  }

  /* Draw counts as columns: `bars` have a count, a tip and an address; `names` are marks below, at a column's left edge. */
  function columns(bars, names) {
    const scale = axis([5, ...bars.map(({ count }) => count)], { zero: true });
    const share = 100 / bars.length;
    const plot = placed(cell("lines", ...levels(scale, (tick) => grouped(Math.round(tick))), ...bars.map(({ count, tip, href }, i) => {
      const name = { class: "vb s0", "data-tip": tip, "aria-label": tip };
      return placed(href ? make("a", { ...name, href }, make("i")) : make("span", { ...name, role: "img", tabindex: 0 }, make("i")), { a: percent(i * share), b: percent(share), y: percent(scale.at(count)) });
    })), { h: `${HEIGHT - 40}px` });
    return cell("lenchart", plot, under(names.map(({ at, name }) => ({ at: at * share, name }))));
  }

  /* Plot items by two rates, which `place` returns in units of 1 / 10,000; those with the same ones share a dot. */
  function scatter(items, place, { colour, title, act }) {
    const dots = new Map();
    for (const item of items) {
      const key = place(item).join(" ");
      if (!dots.has(key)) dots.set(key, []);
      dots.get(key).push(item);
    }
    const svg = draw("svg", { "aria-hidden": "true" }, draw("line", { class: "equal", x1: 0, y1: "100%", x2: "100%", y2: 0 }));
    for (const [key, some] of [...dots].sort(([, one], [, two]) => two.length - one.length)) {
      const [x, y] = key.split(" ").map((value) => value / 100);
      const dot = draw("circle", { class: `dot ${colour(x, y)}`, cx: `${x}%`, cy: `${100 - y}%`, r: Math.min(9, 2.6 + Math.sqrt(some.length)) }, draw("title", {}, title(x, y, some)));
      dot.addEventListener("click", () => act(some, key));
      svg.append(dot);
    }
    return cell("lines xy", ...[0, 20, 40, 60, 80, 100].flatMap((tick) => [
      placed(make("i", { class: "level" }, make("span", {}, tick)), { y: `${100 - tick}%` }), placed(make("span", { class: "x-tick" }, tick), { x: percent(tick) }),
    ]), svg);
  }

  // -- tips ------------------------------------------------------------------------------------------

  /* Show the tips of marks while they are pointed at or have the focus.  A first tap shows the tip with a link,
     a second one follows the mark; Escape or a tap elsewhere hides it. */
  function tips() {
    const box = make("div", { class: "tip", hidden: true });
    document.body.append(box);
    let [touched, shown] = [false, null];
    const show = (target) => {
      box.hidden = !target;
      shown = target;
      if (!target) return;
      const href = touched && target.getAttribute("href");
      box.replaceChildren(target.dataset.tip, ...(href ? ["\n", make("a", { href }, target.dataset.go ?? "Show the sentences")] : []));
      box.classList.toggle("touch", Boolean(href));
      box.ariaHidden = href ? null : "true";
      const [at, size] = [target.getBoundingClientRect(), box.getBoundingClientRect()];
      const left = at.left + at.width / 2 - size.width / 2;
      box.style.left = `${Math.max(6, Math.min(left, document.documentElement.clientWidth - size.width - 6))}px`;
      box.style.top = `${at.top > size.height + 56 ? at.top - size.height - 2 : at.bottom + 4}px`;
    };
    const of = (event) => event.target.closest?.("[data-tip]") ?? null;
    addEventListener("pointerdown", (event) => {
      touched = event.pointerType === "touch" || box.contains(event.target);
      if (!of(event) && !box.contains(event.target)) show(null);
    }, true);
    addEventListener("pointerover", (event) => { if (event.pointerType !== "touch" && !box.contains(event.target)) show(of(event)); });
    addEventListener("focusin", (event) => { if (!touched) show(of(event)); });
    addEventListener("focusout", () => { if (!touched) show(null); });
    addEventListener("click", (event) => {
      const target = touched ? of(event) : null;
      if (target && target !== shown) { event.preventDefault(); event.stopPropagation(); show(target); }
      else show(null);
    }, true);
    // The tip follows its mark until that is out of sight.
    addEventListener("scroll", () => { if (shown) { const { top, bottom } = shown.getBoundingClientRect(); show(!touched && bottom > 0 && top < innerHeight ? shown : null); } }, { passive: true });
    addEventListener("keydown", (event) => { touched = false; if (event.key === "Escape") show(null); });
  }

  return { glyph, key, classOf, placed, percent, axis, fixed, niceStep, grid, ticks, mark, range, row, axisRow, value, cell, figure, choice, pager, whenSeen, lines, scatter, columns, tickText, tips };
})();
