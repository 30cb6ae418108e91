"use strict";

/** BlackPoker's table: two sides with life, field, fog and grave, the stage between them, arrows. */
const makeTable = ({ state, $, el, svg, icon, say, label, knows, visible, cardBack, eye, nameLine, handNode, pileNode, openBox }) => {
  // ---- cards

  const rank = (name) => (name[0] === "T" ? "10" : name[0]);
  const cardWords = (name) => (name[0] === "X" ? `${say("joker")} ${name[1]}` : `${rank(name)} ${say(name[1])}`);

  /** `place`: hand, life, grave, bulwark, or nothing for cards that lie open. */
  function card(code, owner, place) {
    if (!visible(code)) return cardBack();
    const name = code.slice(0, 2);
    const joker = name[0] === "X";
    const known = place && knows(code, 1 - owner);
    const placed = place === "life" && knows(code, owner);
    const notes = [known && say("known"), placed && say("owner knows")].filter(Boolean);
    const node = el("span", {
      class: `card ${"hd".includes(name[1]) || name === "X2" ? "red" : "black"}`,
      role: "img",
      "data-card": name,
      "data-owner": owner,
      "data-spot": place && place !== "bulwark" ? `card ${owner} ${name}` : null,
      "aria-label": [cardWords(name), ...notes].join(", "),
      title: [cardWords(name), ...notes].join(", "),
    });
    node.append(
      el("span", { class: "corner" }, joker ? "★" : rank(name)),
      icon(joker ? "X" : name[1]),
    );
    if (place === "bulwark" || place === "life") node.classList.add("face-down");
    if (notes.length) {
      node.classList.add("known");
      node.append(eye());
    }
    return node;
  }

  // ---- the table

  function pile(zone, codes, owner) {
    const top = zone === "life" ? codes[0] : codes.at(-1);
    const shown = codes.length ? card(top, owner, zone === "life" ? "life" : null) : null;
    const node = pileNode(owner, zone, codes.length, shown, () => openPile(zone, codes, owner));
    if (zone === "life") node.dataset.spot = `player ${owner}`; // a player is named by the life
    return node;
  }

  function openPile(zone, codes, owner) {
    const topFirst = zone === "life" ? codes : [...codes].reverse();
    const shown = topFirst.map((code, i) => card(code, owner, zone === "grave" && i === 0 ? null : zone));
    openBox(`${label(owner)}: ${say(zone)}, ${say("cards", { count: codes.length })} (${say("top")} →)`, shown);
  }

  function unitMarks(unit) {
    const marks = ["came", "attacks", "picked"].filter((mark) => unit[mark]).map((mark) => say(mark));
    if (unit.blocks) marks.push(say("blocks", { unit: unit.blocks }));
    return marks;
  }

  function unitNode(unit, owner) {
    const kind = unit.soldier ? "soldier" : "bulwark";
    const marks = unitMarks(unit);
    const about = [`${say(kind)} ${unit.place}`];
    if (unit.soldier) about.push(say("size", { size: unit.size }));
    if (unit.driven) about.push(say("driven"));
    const node = el("div", {
      class: `unit ${kind}${unit.driven ? " driven" : ""}${unit.attacks || unit.picked ? " attacks" : ""}`,
      role: "group",
      "data-unit": unit.place,
      "data-spot": `unit ${unit.place}`,
      "data-driven": unit.driven,
      "aria-label": [...about, ...marks].join(", "),
    });
    const stack = el("div", { class: "stack" });
    stack.style.setProperty("--n", unit.cards.length - 1);
    node.style.setProperty("--n", unit.cards.length - 1);
    unit.cards.forEach((code, i) => {
      const one = card(code, owner, unit.soldier ? null : "bulwark");
      one.style.setProperty("--i", i);
      stack.append(one);
    });
    const spot = el("div", { class: "spot" }, stack);
    if (unit.soldier) {
      const change = unit.change ? (unit.change > 0 ? "more" : "less") : "";
      spot.append(el("span", { class: `size ${change}`, title: say("size", { size: unit.size }) }, String(unit.size)));
    }
    const tags = [el("span", { class: "slot" }, unit.place), ...marks.map((mark) => el("span", { class: "mark" }, mark))];
    node.append(spot, el("div", { class: "marks" }, ...tags));
    return node;
  }

  function fogNode(side, owner) {
    if (!side.fog.length) return null;
    const cards = side.fog.map(([code, unit]) => {
      const one = card(code, owner);
      one.dataset.fog = unit ?? "-";
      return one;
    });
    return el("div", { class: "fog", "data-zone": "fog" }, el("span", { class: "zone" }, say("fog")), ...cards);
  }

  /** Pack and rare card, where the rules have them. */
  function packNode(side, owner) {
    if (!side.pack) return null;
    const words = `${say("pack")} ${side.pack.length}, ${say(side.closed ? "closed" : "opened")}`;
    const node = el("div", { class: "fog pack", "data-zone": "pack" }, el("span", { class: "zone" }, words));
    for (const code of side.rare ?? []) node.append(card(code, owner, "hand"));
    if (!side.closed || state.shown) node.append(...side.pack.filter(visible).map((code) => card(code, owner, "hand")));
    return node;
  }

  function fillSide(node, position, owner) {
    const side = position.sides[owner];
    const name = nameLine(owner, position.passed.includes(owner) ? [[say("passed"), "passed"]] : []);
    name.append(el("span", { class: "hand-count" }, `${say("hand")} ${side.hand.length}`));
    const field = el("div", { class: "field", "data-zone": "field" });
    field.append(...side.units.map((unit) => unitNode(unit, owner)));
    const mat = el("div", { class: "mat" }, pile("life", side.life, owner), field, fogNode(side, owner), packNode(side, owner));
    mat.append(pile("grave", side.grave, owner));
    node.dataset.player = owner;
    node.replaceChildren(name, handNode(owner, side.hand, (code) => card(code, owner, "hand")), mat);
  }

  // ---- the stage

  function targetWords(target) {
    if (target === null) return "";
    if (target === "gone") return `→ ${say("gone")}`;
    return `→ ${/^[01]$/.test(target) ? label(target) : target}`;
  }

  function requestNode(request, making) {
    const words = [say(`verb ${request.verb}`), making ? "…" : targetWords(request.target)];
    const node = el("div", {
      class: `request player${request.player}${making ? " making" : ""}`,
      role: "group",
      "data-verb": request.verb,
      "data-target": request.target,
      "aria-label": [label(request.player), ...words].join(" "),
    });
    if (!making) {
      node.dataset.request = request.index;
      node.dataset.spot = `request ${request.index}`;
    }
    node.append(
      el("div", { class: "verb" }, el("small", {}, making ? "" : `#${request.index} `), words[0], making ? " …" : ""),
      el("div", { class: "keys" }, ...request.keys.map((code) => card(code, request.player))),
      el("div", { class: "target" }, making ? "" : words[1]),
    );
    return node;
  }

  function fillStage({ stage, making }) {
    const title = el("span", { class: "zone" }, say("stage"));
    const nodes = stage.map((request) => requestNode(request, false));
    if (making) nodes.push(requestNode(making, true));
    if (!nodes.length) nodes.push(el("span", { class: "nothing" }, say("empty")));
    $("stage").replaceChildren(title, ...nodes);
  }

  // ---- arrows

  const box = (node) => {
    const outer = $("board").getBoundingClientRect();
    const inner = node.getBoundingClientRect();
    const [left, top] = [inner.left - outer.left, inner.top - outer.top];
    return { left, top, right: left + inner.width, bottom: top + inner.height, x: left + inner.width / 2, y: top + inner.height / 2 };
  };

  function targetNode(target) {
    if (/^[01]$/.test(target)) return document.querySelector(`.side[data-player="${target}"] .life`);
    if (target.startsWith("#")) return document.querySelector(`[data-request="${target.slice(1)}"]`);
    return document.querySelector(`[data-unit="${target}"] .spot`);
  }

  function arrow(from, to, kind) {
    const [a, b] = [box(from), box(to)];
    let path;
    if (Math.abs(a.y - b.y) < 8) {
      const lift = Math.min(a.top, b.top) - 14;
      path = `M${a.x} ${a.top} C${a.x} ${lift} ${b.x + 8} ${lift} ${b.x + 8} ${b.top}`;
    } else {
      const down = b.y > a.y;
      const [y0, y1] = down ? [a.bottom, b.top] : [a.top, b.bottom];
      const mid = (y0 + y1) / 2;
      path = `M${a.x} ${y0} C${a.x} ${mid} ${b.x} ${mid} ${b.x} ${y1}`;
    }
    $("arrows").querySelector("g").append(svg("path", { d: path, class: kind, "marker-end": "url(#head)" }));
  }

  function drawArrows(position) {
    $("arrows").querySelector("g").replaceChildren();
    for (const request of position.stage) {
      if (request.target === null || request.target === "gone") continue;
      const from = document.querySelector(`[data-request="${request.index}"]`);
      const to = targetNode(request.target);
      if (from && to) arrow(from, to, `player${request.player}`);
    }
    for (const unit of position.sides.flatMap((side) => side.units)) {
      if (!unit.blocks) continue;
      const [from, to] = [targetNode(unit.place), targetNode(unit.blocks)];
      if (from && to) arrow(from, to, "blocks");
    }
  }

  return {
    draw(position, below) {
      fillSide(document.querySelector(".side.above"), position, 1 - below);
      fillSide(document.querySelector(".side.below"), position, below);
      fillStage(position);
    },
    settle: drawArrows,
    turned: (node) => node.closest(".driven"),
  };
};
