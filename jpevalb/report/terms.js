/* Terms: what causes and figures mean, shown where they occur and listed at the foot. */
"use strict";

const Terms = (() => {
  const CAUSES = {
    "PP attachment": "A prepositional phrase is attached to another node than in gold.",
    "NP attachment": "A noun phrase is attached to another node than in gold.",
    "VP attachment": "A verb phrase is attached to another node than in gold.",
    "clause attachment": "A clause is attached to another node than in gold.",
    "modifier attachment": "An adverb or adjective phrase is attached to another node than in gold.",
    "insertion attachment": "A parenthesis or interjection is attached to another node than in gold.",
    coordination: "The parts of a coordination, or their number, differ.",
    "different label": "The same words, another label.",
    "single-word phrase": "A phrase over a single word is missing or extra.",
    unary: "A node over one other node is missing or extra.",
    "NP-internal structure": "Nodes inside a noun phrase differ.",
    "NP boundary": "A noun phrase begins or ends at another word.",
    "PP structure": "A prepositional phrase covers more or fewer words.",
    "clause structure": "A clause or verb phrase is missing or extra.",
    "verb arguments": "A verb has other arguments than in gold.",
    punctuation: "Punctuation marks are attached to other nodes.",
    "no parse": "The system has no parse of the sentence.",
    "no gold parse": "Gold has no parse of the sentence.",
    "sentence boundary": "The system joins or splits sentences.",
    other: "No rule fits this repair.",
  };
  const FIGURES = {
    "S-IoU": "Struct-IoU: overlap of the words of aligned nodes over their union, from 0 to 100.",
    NodeAcc: "Tree node accuracy: 100 − the node edits between the trees, in per cent of their nodes.",
    Beads: "A bead is a group of aligned sentences: one, several or none on each side.",
    Crossing: "System constituents that overlap a gold one while neither contains the other.",
  };

  /* Explain the names of causes and figures in the tables, and list the causes at the foot. */
  function create(causes) {
    const explain = (element, text) => { element.dataset.tip = text; element.dataset.term = ""; };
    for (const th of document.querySelectorAll(".causes tbody th, #causes .systems tbody th")) {
      const text = CAUSES[th.textContent];
      if (text) explain(th, text);
    }
    for (const th of document.querySelectorAll("thead th")) {
      const text = FIGURES[th.textContent];
      if (text) explain(th, text);
    }
    const list = document.querySelector("footer .terms");
    for (const cause of causes ?? []) if (CAUSES[cause]) list.append(make("dt", {}, cause), make("dd", {}, CAUSES[cause]));
    Charts.tips();
  }

  return { CAUSES, create };
})();
