"use strict";

/**
 * What every table on a page needs, whether a recorded game is looked at or one is played: nodes, words, who may see what,
 * cards, names, piles, weights, gliding cards. `state.view` is whose eyes we look through, `state.shown` shows all;
 * `now()` is the position on the table; `names` are other words for the players than their numbers.
 */
const makePieces = ({ words, players, state, now, names = null }) => {
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const $ = (id) => document.getElementById(id);
  const say = (key, parts = {}) => (words[key] ?? key).replace(/\{(\w+)\}/g, (_, name) => parts[name]);
  const label = (player) => names?.[player] ?? say("player", { player });

  function el(tag, attributes = {}, ...children) {
    const node = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) if (value != null) node.setAttribute(name, value);
    node.append(...children.filter((child) => child != null));
    return node;
  }

  function svg(tag, attributes = {}) {
    const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
    return node;
  }

  function icon(name) {
    const picture = svg("svg", { class: "icon", "aria-hidden": "true" });
    picture.append(svg("use", { href: `#${name}` }));
    return picture;
  }

  // ---- who may see what

  /** Cards are written with who knows them at the end: 1 player 0, 2 player 1, 3 both. */
  const knows = (code, player) => (Number(code.at(-1)) >> player) & 1;

  function visible(code) {
    if (state.shown) return true;
    return state.view === "all" ? code.at(-1) === "3" : Boolean(knows(code, Number(state.view)));
  }

  /** May the view look into the head of this player? */
  const inside = (player) => state.shown || state.view === String(player);

  // ---- pieces that every table has

  /** Backs last: their places must not tell anything. */
  const handCards = (codes) => [...codes.filter(visible), ...codes.filter((code) => !visible(code))];

  const cardBack = () => el("span", { class: "card back", role: "img", "aria-label": say("face down") });

  const eye = () => {
    const picture = icon("eye");
    picture.classList.add("eye");
    return picture;
  };

  /** The line with a player's name and what is to be said of the player now; `chips`: words of the game. */
  function nameLine(owner, chips = []) {
    const position = now();
    const chip = (word, kind) => el("span", { class: `chip ${kind}` }, word);
    const line = el("div", { class: "name" }, el("b", {}, label(owner)), el("span", { class: "agent" }, players[owner]));
    if (position.turn === owner) line.append(chip(say("turn mark"), "turn"));
    if (position.player === owner) line.append(chip(say("decides mark"), "decides"));
    for (const [word, kind] of chips) line.append(chip(word, kind));
    if (position.result?.[owner] === 1) line.append(chip("★", "decides"));
    return line;
  }

  /** A player's hand; `card` draws one of `codes`. */
  function handNode(owner, codes, card) {
    const count = codes.length;
    const hand = el("div", {
      class: "hand",
      "data-zone": "hand",
      "data-count": count,
      role: "group",
      "aria-label": `${label(owner)}, ${say("hand")}: ${say("cards", { count })}`,
    });
    hand.style.setProperty("--count", Math.max(1, count));
    hand.append(...handCards(codes).map(card));
    return hand;
  }

  /** A pile with its top card and count; a click opens it. */
  function pileNode(owner, zone, count, top, open) {
    const node = el("button", {
      class: `pile ${zone}`,
      type: "button",
      "data-zone": zone,
      "data-count": count,
      "aria-label": `${label(owner)}, ${say(zone)}: ${say("cards", { count })}`,
    });
    node.style.setProperty("--depth", Math.min(5, Math.ceil(count / 6)));
    node.append(top ?? el("span", { class: "card none" }), el("span", { class: "count" }, `${say(zone)} ${count}`));
    node.addEventListener("click", open);
    return node;
  }

  /** A box over the table. */
  function openBox(title, nodes) {
    const dialog = $("pile");
    dialog.querySelector("h2").textContent = title;
    dialog.querySelector(".cards").replaceChildren(...(nodes.length ? nodes : [say("empty")]));
    dialog.showModal();
  }

  // ---- how choices were weighed

  function weights(choices) {
    const values = choices.filter((choice) => choice.length > 2).map((choice) => choice[2]);
    if (!values.length) return null;
    const sum = values.reduce((a, b) => a + b, 0);
    const [low, high] = [Math.min(...values), Math.max(...values)];
    const share = low >= 0 && sum > 0;
    const number = (value) => (Number.isInteger(value) ? String(value) : value.toFixed(3));
    return {
      text: (value) => (share ? `${((100 * value) / sum).toFixed(1)} %` : number(value)),
      title: number,
      width: (value) => (share ? value / sum : high > low ? (value - low) / (high - low) : 1),
    };
  }

  function choiceNode([token, text, value], chosen, scale) {
    const node = el("li", { class: chosen ? "chosen" : null, "data-token": token, "aria-current": chosen ? "true" : null });
    node.append(el("span", { class: "words" }, text));
    if (scale && value !== undefined) {
      node.dataset.value = value;
      node.append(el("span", { class: "value", title: scale.title(value) }, scale.text(value)));
      node.style.setProperty("--share", scale.width(value));
    }
    return node;
  }

  // ---- cards that move

  const centre = (node) => {
    const place = node.getBoundingClientRect();
    return [place.left + place.width / 2, place.top + place.height / 2];
  };
  const places = () => {
    const found = new Map();
    for (const node of $("board").querySelectorAll("[data-card]")) {
      found.set(node.dataset.owner + node.dataset.card, [node, ...centre(node)]);
    }
    return found;
  };

  /** Let the cards that have changed their place glide there. */
  function glide(before, table) {
    for (const [key, [node, x, y]] of places()) {
      const old = before.get(key);
      if (!old) continue;
      let [dx, dy] = [old[1] - x, old[2] - y];
      if (Math.abs(dx) + Math.abs(dy) < 4) continue;
      if (table.turned?.(node)) [dx, dy] = [dy, -dx];
      node.animate([{ transform: `translate(${dx}px, ${dy}px)` }, { transform: "none" }], { duration: 260, easing: "ease-out" });
    }
  }

  /** Light or dark, as the system is set. */
  function beginTheme() {
    const dark = matchMedia("(prefers-color-scheme: dark)").matches;
    document.documentElement.dataset.theme = dark ? "dark" : "light";
  }

  function toggleTheme() {
    const root = document.documentElement;
    root.dataset.theme = root.dataset.theme === "dark" ? "light" : "dark";
  }

  function listenToBox() {
    const dialog = $("pile");
    dialog.addEventListener("click", (event) => (event.target === dialog ? dialog.close() : null));
    const button = dialog.querySelector("button");
    button.textContent = say("close");
    button.addEventListener("click", () => dialog.close());
  }

  return {
    $, el, svg, icon, say, label, knows, visible, inside, cardBack, eye, nameLine, handNode, pileNode, openBox, calm,
    weights, choiceNode, places, glide, beginTheme, toggleTheme, listenToBox,
  };
};
