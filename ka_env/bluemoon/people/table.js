"use strict";

/** Blue Moon's table: two sides with hand, ships, support and combat area; between them the fight and the dragons. */
const makeTable = ({ data, $, el, say, label, knows, visible, cardBack, eye, nameLine, handNode, pileNode, openBox }) => {
  const ELEMENTS = ["fire", "earth"];
  const nameOf = (code) => code.slice(0, -1);

  // ---- cards

  /** Ask about a card: what it is, and why it counts what it counts. */
  function ask(name, why = []) {
    const lines = [data.cards[name].about, ...why].map((line) => el("p", {}, line));
    openBox(name, lines);
  }

  function valueNodes(values, element) {
    return values.map(([printed, now], e) => {
      const changed = printed !== now;
      const words = changed ? `${printed}→${now}` : String(now);
      const kind = changed ? (now > printed ? " more" : " less") : "";
      const contested = element === e ? " contested" : "";
      return el("span", { class: `value ${ELEMENTS[e]}${kind}${contested}`, "data-element": ELEMENTS[e] }, words);
    });
  }

  /** The face of a card; `values`: what counts now, or nothing for the print. */
  function face(name, owner, { values, element = null, why = [], classes = "", marks = [], known = false } = {}) {
    const facts = data.cards[name];
    const printed = facts.values?.map((value) => [value || 0, value || 0]);
    const node = el("button", {
      class: `card bm ${facts.type}${facts.text ? " text" : ""} ${classes}`,
      type: "button",
      "data-card": name,
      "data-people": name[0],
      "data-owner": owner,
      "data-spot": `card ${owner} ${name}`,
      title: [facts.about, ...why].join("\n"),
      "aria-label": [name, ...marks, ...why].join(", "),
    });
    node.append(el("span", { class: "code" }, name));
    const shown = values === undefined ? printed : values;
    if (shown) node.append(el("span", { class: "values" }, ...valueNodes(shown, element)));
    node.append(el("span", { class: "icons" }, facts.icons.join(" · ")));
    if (marks.length) node.append(el("span", { class: "marks" }, marks.join(" ")));
    if (known) {
      node.classList.add("known");
      node.append(eye());
    }
    node.addEventListener("click", () => ask(name, why));
    return node;
  }

  function handCard(code, owner, side) {
    if (!visible(code)) return cardBack();
    const open = side.open.includes(nameOf(code));
    return face(nameOf(code), owner, {
      known: !open && Boolean(knows(code, 1 - owner)),
      marks: open ? [say("open card")] : [],
      classes: open ? "open" : "",
    });
  }

  function deckCard(code, owner) {
    return visible(code) ? face(nameOf(code), owner, { classes: "face-down" }) : cardBack();
  }

  /** A card of the combat or support area with what it counts. */
  function tableCard(card, owner, element) {
    const shown = visible(card.code);
    const marks = [];
    if (card.covered) marks.push(say("covered"));
    if (card.used) marks.push(say("used"));
    if (card.doubled) marks.push(say("doubled demand"));
    if (card.down) marks.push(`f${card.number}`);
    const spot = el("div", { class: `spot${card.covered ? " covered" : ""}`, "data-place": card.down ? `f${card.number}` : null });
    if (card.down) spot.dataset.spot = `down ${owner} ${card.number}`;
    if (card.down && !shown) {
      const back = cardBack();
      back.append(el("span", { class: "values" }, ...valueNodes(card.values, element)));
      back.append(el("span", { class: "marks" }, marks.join(" ")));
      spot.append(back);
    } else {
      const classes = `${card.covered ? "covered" : ""} ${card.down ? "face-down" : ""}`;
      const known = card.down && Boolean(knows(card.code, 1 - owner));
      spot.append(face(nameOf(card.code), owner, { values: card.values, element, why: card.why, classes, marks, known }));
    }
    if (card.why.length) spot.append(el("span", { class: "why" }, card.why.join("; ")));
    return spot;
  }

  // ---- one player

  function area(zone, cards, owner, element) {
    const nodes = cards.map((card) => tableCard(card, owner, element));
    if (!nodes.length) nodes.push(el("span", { class: "nothing" }, say("empty")));
    const names = { class: `area ${zone}`, "data-zone": zone, role: "group", "aria-label": `${label(owner)}, ${say(zone)}` };
    return el("div", names, el("span", { class: "zone" }, say(zone)), el("div", { class: "row" }, ...nodes));
  }

  function shipNode(ship, owner) {
    const holds = say("holds", { n: ship.cargo.length, capacity: ship.capacity });
    const words = [ship.landed ? say("landed") : null, holds].filter(Boolean);
    return el(
      "div",
      { class: `ship${ship.landed ? " landed" : ""}`, "data-ship": ship.code },
      face(ship.code, owner, { marks: words }),
      ...ship.cargo.map((name) => face(name, owner, { classes: "cargo" })),
    );
  }

  function pile(zone, names, owner) {
    const top = names.length ? el("span", { class: "card bm" }, el("span", { class: "code" }, names.at(-1))) : null;
    const open = () => openBox(`${label(owner)}: ${say(zone)}`, names.map((name) => face(name, owner)));
    return pileNode(owner, zone, names.length, top, open);
  }

  function deckPile(side, owner) {
    const title = `${label(owner)}: ${say("deck")} (${say("top")} →)`;
    const open = () => openBox(title, side.deck.map((code) => deckCard(code, owner)));
    return pileNode(owner, "deck", side.deck.length, side.deck.length ? cardBack() : null, open);
  }

  function fillSide(node, position, owner) {
    const side = position.sides[owner];
    const element = ELEMENTS.indexOf(position.fight);
    const chips = [[side.people, "people"]];
    if (side.out) chips.push([say("first out"), "out"]);
    if (side.crystals) chips.push([`${say("crystals")} ${side.crystals}`, "crystals"]);
    const name = nameLine(owner, chips);
    if (side.total) name.append(el("span", { class: "total", "data-total": side.total }, `${say("total")} ${side.total}`));
    name.append(el("span", { class: "hand-count" }, `${say("hand")} ${side.hand.length}`));
    const rest = el("div", { class: "rest" }, deckPile(side, owner), pile("discard", side.discard, owner));
    if (side.lead.length) rest.append(pile("lead", side.lead, owner));
    if (side.feats.length) rest.append(pile("feats", side.feats, owner));
    if (side.leader) rest.append(el("span", { class: "chip", "data-leader": side.leader }, `${side.leader} ${say("active")}`));
    const ships = el("div", { class: "ships", "data-zone": "ships" }, ...side.ships.map((ship) => shipNode(ship, owner)));
    const hand = handNode(owner, side.hand, (code) => handCard(code, owner, side));
    const areas = el("div", { class: "areas" }, area("combat", side.combat, owner, element), area("support", side.support, owner, element));
    node.dataset.player = owner;
    node.replaceChildren(name, el("div", { class: "holding" }, rest, hand, ships), areas);
  }

  // ---- between the players

  function dragons(n, where, words) {
    const signs = Array.from({ length: n }, () => el("span", { class: "dragon", "aria-hidden": "true" }, "◆"));
    return el("div", { class: `den ${where}`, "data-dragons": n, role: "img", "aria-label": words }, ...signs);
  }

  function fillBetween(position, below) {
    const [mine, theirs] = [position.sides[below].dragons, position.sides[1 - below].dragons];
    const middle = 3 - mine - theirs;
    const track = el(
      "div",
      { class: "track", role: "group", "aria-label": say("dragons") },
      dragons(theirs, `player${1 - below}`, `${label(1 - below)}: ${say("has dragons", { n: theirs })}`),
      dragons(middle, "neutral", say("neutral", { n: middle })),
      dragons(mine, `player${below}`, `${label(below)}: ${say("has dragons", { n: mine })}`),
    );
    const words = [say(`fight ${position.fight}`), position.player === null ? null : say(`phase ${position.phase}`)];
    const fight = el("div", { class: `fight ${position.fight}`, "data-fight": position.fight }, words.filter(Boolean).join(" · "));
    const hyla = position.hyla && face(position.hyla[1], position.hyla[0], { marks: [say("hyla")] });
    $("between").replaceChildren(...[fight, hyla, track].filter(Boolean));
  }

  return {
    draw(position, below) {
      fillSide(document.querySelector(".side.above"), position, 1 - below);
      fillSide(document.querySelector(".side.below"), position, below);
      fillBetween(position, below);
    },
  };
};
