/* Export: figures as they stand, as one SVG file; and the saving of files. */
"use strict";

const Export = (() => {
  const SHAPE = ["fill", "stroke", "stroke-width", "stroke-dasharray", "opacity"];
  const TEXT = [
    "fill",
    "font-family",
    "font-size",
    "font-weight",
    "font-style",
    "letter-spacing",
    "text-anchor"
  ];
  const PAD = 12;

  function file(text, type, name) {
    const url = URL.createObjectURL(new Blob([text], { type }));
    make("a", { href: url, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(url), 1000);
  }

  const number = (value) => String(Math.round(100 * value) / 100);
  const styled = (element, names) => {
    const style = getComputedStyle(element);
    return Object.fromEntries(names.map((name) => [name, style.getPropertyValue(name)]));
  };

  /* Return a shape or a text of an SVG with its place on the figure. */
  function shapeOf(element, left, top) {
    const { a, b, c, d, e, f } = element.getScreenCTM();
    const isText = element.localName === "text";
    const made = element.cloneNode(isText);
    for (const { name } of [...made.attributes])
      if (["class", "role", "tabindex", "transform", "aria-label"].includes(name) || name.startsWith("data-"))
        made.removeAttribute(name);
    for (const name of ["x", "y", "width", "height", "x1", "x2", "y1", "y2", "rx"])
      if (element[name]?.baseVal?.value !== undefined && element.hasAttribute(name))
        made.setAttribute(name, number(element[name].baseVal.value));
    const style = styled(element, isText ? TEXT : SHAPE);
    for (const [name, value] of Object.entries(style))
      if (value !== "none" || name === "fill") made.setAttribute(name, value.replace(/"/g, "'"));
    made.setAttribute("transform", `matrix(${[a, b, c, d, e - left, f - top].map(number).join(" ")})`);
    return made;
  }

  /* Return the lines of a text node of the page as texts. */
  function textsOf(node, left, top) {
    const range = document.createRange();
    const style = styled(node.parentElement, ["font-family", "font-size", "font-weight", "font-style"]);
    const fill = getComputedStyle(node.parentElement).color;
    const lines = new Map();
    for (let i = 0; i < node.length; i++) {
      range.setStart(node, i);
      range.setEnd(node, i + 1);
      const box = range.getBoundingClientRect();
      if (!box.width) continue;
      const line = lines.get(box.top) ?? { x: box.left, y: box.bottom - 0.24 * box.height, text: "" };
      line.text += node.data[i];
      lines.set(box.top, line);
    }
    return [...lines.values()].map(({ x, y, text }) => {
      const family = style["font-family"].replace(/"/g, "'");
      const how = { ...style, "font-family": family, fill, x: number(x - left), y: number(y - top) };
      return draw("text", how, text.trimEnd());
    });
  }

  /* Return what is seen of some elements of the page as SVG, in light colours. */
  function svg(...roots) {
    const html = document.documentElement;
    const theme = html.dataset.theme;
    html.dataset.theme = "light";
    const boxes = roots.map((root) => root.getBoundingClientRect());
    const left = Math.min(...boxes.map((box) => box.left)) - PAD;
    const top = Math.min(...boxes.map((box) => box.top)) - PAD;
    const width = Math.ceil(Math.max(...boxes.map((box) => box.right)) - left + PAD);
    const height = Math.ceil(Math.max(...boxes.map((box) => box.bottom)) - top + PAD);
    const made = draw("svg", { xmlns: "http://www.w3.org/2000/svg", width, height });
    made.append(draw("rect", { width, height, fill: "#fff" }));
    const walk = (node) => {
      if (node.nodeType === Node.TEXT_NODE)
        return node.data.trim() && made.append(...textsOf(node, left, top));
      if (node.nodeType !== Node.ELEMENT_NODE || !node.checkVisibility?.({ visibilityProperty: true }))
        return null;
      if (node.matches(".hidden, .menu, select, input, .scale-only, title, .bands")) return null;
      if (node.matches("rect, path, polygon, line, circle, text"))
        return made.append(shapeOf(node, left, top));
      const ground = getComputedStyle(node).backgroundColor;
      if (node instanceof HTMLElement && !/, 0\)$|transparent/.test(ground) && node.matches("td, button")) {
        const box = node.getBoundingClientRect();
        const place = {
          x: number(box.left - left),
          y: number(box.top - top),
          width: box.width,
          height: box.height
        };
        made.append(draw("rect", { ...place, fill: ground }));
      }
      for (const child of node.childNodes) walk(child);
      return null;
    };
    roots.forEach(walk);
    html.dataset.theme = theme;
    return new XMLSerializer().serializeToString(made);
  }

  return { file, svg };
})();
