/* Terms: what the list of terms at the foot says is shown where the causes and figures occur. */
"use strict";

const Terms = (() => {
  const terms = new Map([...document.querySelectorAll("footer .terms dt")].map((dt) => [dt.dataset.name ?? dt.textContent, dt.nextElementSibling.textContent]));

  function create() {
    for (const th of document.querySelectorAll("thead th, .causes tbody th, #causes .systems tbody th")) {
      const text = terms.get(th.textContent);
      if (text) Object.assign(th.dataset, { tip: text, term: "" });
    }
    Charts.tips();
  }

  return { of: (name) => terms.get(name) ?? null, create };
})();
