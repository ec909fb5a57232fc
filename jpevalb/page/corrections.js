/* Corrections: what corrects a sentence, in words, and where it is in the trees. */
"use strict";

const Corrections = (() => {
  const SHOWN = 6; // corrections listed at once
  const NAMED = 3; // other causes
  const QUOTED = 5; // words of a phrase that are quoted in full

  /* Read the corrections of a row; nodes are counted from an offset if several trees are joined. */
  function decode(codes, [gold, system] = [0, 0]) {
    if (!codes) return [];
    return codes.split(";").map((code) => {
      const [, cause, kind, moved, missed, extra] = /^(\d+)([a-z])([\d,]*)-([\d,]*)\+([\d,]*)$/.exec(code);
      const nodes = (text, offset) => (text ? text.split(",").map((node) => Number(node) + offset) : []);
      const [added, removed] = [nodes(missed, gold), nodes(extra, system)];
      return {
        cause: Number(cause),
        kind,
        moved: nodes(moved, system),
        missed: added,
        extra: removed,
        brackets: added.length + removed.length
      };
    });
  }

  /* Return the number of brackets of each cause, without decoding nodes. */
  function byCause(codes) {
    const found = new Map();
    if (!codes) return found;
    for (const code of codes.split(";")) {
      const [, cause, missed, extra] = /^(\d+)[a-z][\d,]*-([\d,]*)\+([\d,]*)$/.exec(code);
      const count = (text) => (text ? text.split(",").length : 0);
      found.set(Number(cause), (found.get(Number(cause)) ?? 0) + count(missed) + count(extra));
    }
    return found;
  }

  /* Return the words of the other side that are aligned with some words. */
  function translate(units, words, from) {
    const [at, to] = from === "gold" ? [0, 2] : [2, 0];
    const wanted = new Set(words);
    const found = new Set();
    for (const unit of units) {
      let hit = false;
      for (let word = unit[at]; word < unit[at + 1]; word++) hit = hit || wanted.has(word);
      if (hit) for (let word = unit[to]; word < unit[to + 1]; word++) found.add(word);
    }
    return [...found].sort((a, b) => a - b);
  }

  /* Return the highest node over exactly some words, if possible with a label; null if there is none. */
  function nodeOver(tree, words, label) {
    if (!words.length) return null;
    const wanted = words.join();
    const found = [];
    let node = tree.wordParents[words[0]];
    for (; node >= 0; node = tree.parents[node]) {
      const below = Trees.below(tree, node).words;
      if (below.length > words.length) break;
      if (below.join() === wanted) found.unshift(node);
    }
    return found.find((one) => coreLabel(tree.labels[one]) === label) ?? found[0] ?? null;
  }

  /* Return the lowest scored node that has more than some words, and its other words; null for none. */
  function above(tree, words) {
    if (!words.length) return null;
    const inside = new Set(words);
    for (let node = tree.wordParents[words[0]]; node >= 0; node = tree.parents[node]) {
      const below = Trees.below(tree, node).words;
      if (below.length <= words.length || !isScored(tree.marks[node])) continue;
      const held = new Set(below);
      if (words.every((word) => held.has(word)))
        return { node, rest: below.filter((word) => !inside.has(word)) };
    }
    return null;
  }

  const text = (tree, words) => words.map((word) => visible(tree.words[word]));
  const phrase = (tree, words) => {
    const texts = text(tree, words);
    return texts.length > QUOTED
      ? `${texts.slice(0, 3).join(" ")} … ${texts[texts.length - 1]}`
      : Trees.phrase(words, texts);
  };
  const host = (tree, words) => {
    const texts = text(tree, words);
    return texts.length > 3 ? `${texts[0]} …` : Trees.phrase(words, texts);
  };
  const label = (tree, node) => visible(coreLabel(tree.labels[node]) || tree.labels[node]) || "∅";

  /* Return the phrase that is attached elsewhere because a node is added or removed: the children behind the
     first.  Null if the correction is not about an attachment, or gold has the phrase at the same place. */
  function attachedBy({ gold, system, units }, { kind, cause, missed, extra }, causes) {
    if (
      !/attachment$/.test(causes[cause]) ||
      !["a", "r"].includes(kind) ||
      missed.length + extra.length !== 1
    )
      return null;
    const [tree, node] = kind === "r" ? [system, extra[0]] : [gold, missed[0]];
    const phrases = tree.children[node].slice(1).filter((child) => child >= 0 && !Trees.isTag(tree, child));
    if (!phrases.length) return null;
    const [wanted] = causes[cause].split(" ");
    const child = phrases.find((one) => label(tree, one).startsWith(wanted)) ?? phrases[phrases.length - 1];
    const below = Trees.below(tree, child).words;
    const words = kind === "r" ? below : translate(units, below, "gold");
    const own = kind === "r" ? child : nodeOver(system, words, label(gold, child));
    if (own === null) return null;
    const [here, there] = [above(system, words), above(gold, translate(units, words, "system"))];
    const same =
      here &&
      there &&
      label(system, here.node) === label(gold, there.node) &&
      host(system, here.rest) === host(gold, there.rest);
    return same ? null : { nodes: [own], words };
  }

  /* Explain the corrections of a system.  `source` has its trees {gold, system, units} and corrections;
     `own` is its side in
     the drawn pair, "system" unless two systems are drawn. */
  function explained(source, pair, causes, own = "system") {
    const other = own === "system" ? "gold" : "system";
    const isGold = pair.gold === source.gold;
    const toOther = (words) => translate(pair.units, words, own);
    const { gold, system } = source;
    const left = new Set(); // words that earlier corrections have moved away
    const made = source.corrections.map((correction) => {
      const nodes = { gold: [], system: [] };
      const edges = { gold: [], system: [] };
      let words = [];
      let parts = [];
      const name = (tree, node) => make("b", {}, make("bdi", {}, label(tree, node)));
      const quote = (content) => make("q", {}, make("bdi", {}, content));
      const named = (tree, list, over) => [
        ...list.slice(0, 3).flatMap((node, i) => [i ? " " : "", name(tree, node)]),
        list.length > 3 ? " … " : " ",
        quote(phrase(tree, over))
      ];
      const overOf = (tree, list) =>
        [...new Set(list.flatMap((node) => Trees.below(tree, node).words))].sort((a, b) => a - b);
      const attached = attachedBy(source, correction, causes);
      const moved = correction.kind === "m" ? correction.moved : (attached?.nodes ?? []);
      if (moved.length) {
        words = attached?.words ?? overOf(system, moved);
        const here = above(system, words);
        const whole = nodeOver(gold, translate(source.units, words, "system"));
        // A phrase is what remains of a node after earlier corrections, if gold has no such node.
        const rest = words.filter((word) => !left.has(word));
        if (whole === null && rest.length && rest.length < words.length) words = rest;
        for (const word of words) left.add(word);
        const goldWords = translate(source.units, words, "system");
        const there = above(gold, goldWords);
        const at = (tree, found) =>
          found ? [name(tree, found.node), " ", quote(host(tree, found.rest))] : ["the top of the tree"];
        const same =
          here &&
          there &&
          label(system, here.node) === label(gold, there.node) &&
          host(system, here.rest) === host(gold, there.rest);
        parts = [
          ...named(system, moved, words),
          moved.length > 1 ? " are attached to " : " is attached to ",
          ...at(system, here),
          ...(same ? [", but at another level than in gold"] : ["; in gold to ", ...at(gold, there)])
        ];
        nodes[own].push(...moved);
        edges[own].push(...moved);
        const counterpart = nodeOver(pair[other], toOther(words), label(system, moved[0]));
        if (counterpart !== null) {
          nodes[other].push(counterpart);
          edges[other].push(counterpart);
        }
      } else if (correction.kind === "n") {
        parts = ["The sentence has no counterpart, so all its brackets are wrong"];
      } else if (correction.kind === "u") {
        parts = ["There is no parse: all gold brackets are missing"];
      } else if (correction.kind === "x") {
        parts = ["There is no gold parse: all system brackets are extra"];
      } else if (correction.kind === "b") {
        const joined = Trees.sentenceEnds(gold).length > Trees.sentenceEnds(system).length;
        parts = [
          joined ? "Sentences of gold are joined" : "A sentence of gold is split",
          ", so brackets cross or miss a sentence end"
        ];
        nodes[own].push(...correction.extra);
        if (isGold) nodes[other].push(...correction.missed);
      } else {
        const [missed, extra] = [correction.missed, correction.extra];
        if (correction.kind === "l" && missed.length && extra.length) {
          words = overOf(system, extra);
          parts = [
            quote(phrase(system, words)),
            " is labelled ",
            name(system, extra[0]),
            "; in gold ",
            name(gold, missed[0])
          ];
        } else if (missed.length) {
          const over = overOf(gold, missed);
          words = translate(source.units, over, "gold");
          parts = [...named(gold, missed, over), missed.length > 1 ? " are missing" : " is missing"];
        } else {
          words = overOf(system, extra);
          parts = [...named(system, extra, words), extra.length > 1 ? " are not in gold" : " is not in gold"];
        }
        nodes[own].push(...extra);
        if (isGold) nodes[other].push(...missed);
        else
          for (const node of missed) {
            const found = nodeOver(
              pair[other],
              toOther(translate(source.units, Trees.below(gold, node).words, "gold")),
              label(gold, node)
            );
            if (found !== null) nodes[other].push(found);
          }
      }
      const units = moved.length
        ? pair.units.flatMap((unit, i) =>
            words.some((word) => word >= unit[own === "gold" ? 0 : 2] && word < unit[own === "gold" ? 1 : 3])
              ? [i]
              : []
          )
        : [];
      const goldWords = words.length ? translate(source.units, words, "system") : [];
      return {
        ...correction,
        moves: moved.length > 0,
        parts,
        nodes,
        edges,
        units,
        goldWords,
        first: words[0] ?? Infinity
      };
    });
    return made.sort((a, b) => a.first - b.first || b.brackets - a.brackets);
  }

  /* List corrections in words, numbered from `start`; `light` lights up their nodes, `go` moves to them. */
  function list(corrections, start, light, go, causes, { named = true } = {}) {
    const top = make("ol", { class: "corrections" });
    const item = (correction, i) => {
      const number = make(
        "button",
        {
          class: `badge-number${correction.units.length ? ` tint-${i % 2}` : ""}`,
          "aria-label": `${start + i}: show in the tree`,
          click: () => go(correction)
        },
        String(start + i)
      );
      const li = make(
        "li",
        {},
        number,
        make("span", {}, ...correction.parts),
        " ",
        make(
          "span",
          { class: "size" },
          `corrects ${plural(correction.brackets, "bracket")}`,
          named ? ` · ${causes[correction.cause]}` : ""
        )
      );
      li.addEventListener("pointerenter", () => light(correction, true));
      li.addEventListener("pointerleave", () => light(correction, false));
      number.addEventListener("focus", () => light(correction, true));
      number.addEventListener("blur", () => light(correction, false));
      return li;
    };
    top.append(...corrections.slice(0, SHOWN).map(item));
    if (corrections.length <= SHOWN) return [top];
    const more = make(
      "button",
      {
        class: "show",
        click: () => {
          more.remove();
          top.append(...corrections.slice(SHOWN).map((correction, i) => item(correction, i + SHOWN)));
        }
      },
      `${corrections.length - SHOWN} more`
    );
    return [top, more];
  }

  /* Name the other causes of a sentence, the three largest as buttons. */
  function others(rest, causes, choose) {
    const sums = new Map();
    for (const { cause, brackets } of rest) sums.set(cause, (sums.get(cause) ?? 0) + brackets);
    if (!sums.size) return [];
    const ranked = [...sums].sort((a, b) => b[1] - a[1]);
    const items = ranked.slice(0, NAMED).flatMap(([cause, brackets], i) => {
      const button = make("button", { class: "show", click: () => choose(causes[cause]) }, causes[cause]);
      return [i ? ", " : "", button, `, ${plural(brackets, "bracket")}`];
    });
    if (ranked.length > NAMED) items.push(` and ${ranked.length - NAMED} more`);
    return [make("p", { class: "rest" }, `Other cause${sums.size === 1 ? "" : "s"} here: `, ...items)];
  }

  /* Return the words of a sentence, with the moved phrases tinted and numbered. */
  function sentence(words, corrections) {
    const starts = new Map();
    corrections.forEach((correction, i) => {
      if (!correction.moves || !correction.goldWords.length) return;
      const [from, to] = [correction.goldWords[0], correction.goldWords[correction.goldWords.length - 1]];
      if ([...starts.values()].every((one) => to < one.from || from > one.to))
        starts.set(from, { from, to, i });
    });
    const parts = [];
    for (let word = 0; word < words.length; word++) {
      const found = starts.get(word);
      if (!found) {
        parts.push(visible(words[word]), " ");
        continue;
      }
      parts.push(
        make(
          "mark",
          { class: `tint-${found.i % 2}` },
          make("sup", {}, String(found.i + 1)),
          visible(words.slice(found.from, found.to + 1).join(" "))
        ),
        " "
      );
      word = found.to;
    }
    return parts;
  }

  return { decode, byCause, explained, list, others, sentence };
})();
