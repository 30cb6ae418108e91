"use strict";

(() => {
  const page = JSON.parse(document.getElementById("data").textContent);
  const $ = (id) => document.getElementById(id);
  const SEATS = ["random", "first", "second"];
  const PAIR = /^(\w+)-(\w+)$/; // a frame that names both decks
  const chosen = { game: null, seat: kept.get("seat", "random"), opponent: null };

  let language = kept.get("language", page.language);
  let offers = null;
  let people = null; // the opponents offered

  const say = (key, parts = {}) => (page.words[language][key] ?? key).replace(/\{(\w+)\}/g, (_, name) => parts[name]);

  function el(tag, attributes = {}, ...children) {
    const node = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) if (value != null) node.setAttribute(name, value);
    node.append(...children);
    return node;
  }

  const socket = openSocket({
    open: () => {
      tell("");
      socket.send({ do: "lobby", language });
    },
    receive(message) {
      if (message.is === "lobby") fill(message);
      else if (message.is === "opponents") fillOpponents(message);
      else if (message.is === "seated") location.assign(`/table/${message.table}`);
      else if (message.is === "error") refuse(message.text);
    },
    lost: () => tell(say("lost connection")),
  });

  function tell(text) {
    $("status").textContent = text;
  }

  function refuse(text) {
    $("sit").disabled = false;
    tell(text);
  }

  // ---- choosing one of some

  /** A row of buttons of which one is chosen; arrows walk through them. */
  function radios(root, rows, chosenKey, choose) {
    const buttons = rows.map(([key, ...content]) => {
      const on = key === chosenKey;
      const node = el("button", { type: "button", role: "radio", "aria-checked": on, "data-key": key, tabindex: on ? 0 : -1 }, ...content);
      node.addEventListener("click", () => choose(key));
      return node;
    });
    if (buttons.length && !rows.some(([key]) => key === chosenKey)) buttons[0].tabIndex = 0;
    const focused = root.contains(document.activeElement);
    root.replaceChildren(...buttons);
    if (focused) root.querySelector('[tabindex="0"]')?.focus();
    root.onkeydown = (event) => {
      const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      if (!step) return;
      event.preventDefault();
      const at = rows.findIndex(([key]) => key === document.activeElement?.dataset.key);
      choose(rows[(at + step + rows.length) % rows.length][0]);
    };
  }

  function select(node, rows, value) {
    node.replaceChildren(...rows.map(([key, text]) => el("option", { value: key }, text)));
    if (value !== undefined && rows.some(([key]) => key === value)) node.value = value;
  }

  const title = (word) => word.charAt(0).toUpperCase() + word.slice(1);
  const game = () => offers.games.find((one) => one.name === chosen.game) ?? offers.games[0];
  const ruleset = () => game().rulesets.find((one) => one.name === $("ruleset").value) ?? game().rulesets[0];

  // ---- filling

  function fill(message) {
    offers = message;
    const home = offers.games.find((one) => one.rulesets.some((rules) => rules.name === offers.default));
    chosen.game ??= kept.get("game", home?.name);
    fillWords();
    fillGames();
    fillTables();
  }

  function fillWords() {
    document.documentElement.lang = language;
    document.title = `${say("title")} · ka_env`;
    document.querySelector("h1").textContent = say("title");
    document.querySelector("#lobby header .lead").textContent = say("lead");
    for (const node of document.querySelectorAll("[data-word]")) node.textContent = say(node.dataset.word);
    const heads = { new: "new game", lessons: "first steps", tables: "your games" };
    for (const [id, word] of Object.entries(heads)) $(id).querySelector("h2").textContent = say(word);
    $("lessons").querySelector(".lead").textContent = say("lessons lead");
    $("sit").textContent = say("sit down");
    $("language").value = language;
    $("language").setAttribute("aria-label", say("language"));
    $("theme").setAttribute("aria-label", say("theme"));
    document.querySelector(".games").setAttribute("aria-label", say("game"));
    const choose = (seat) => {
      chosen.seat = seat;
      kept.set("seat", seat);
      radios($("seat"), SEATS.map((one) => [one, say(`seat ${one}`)]), seat, choose);
    };
    choose(chosen.seat);
  }

  function fillGames() {
    const choose = (name) => {
      chosen.game = name;
      kept.set("game", name);
      fillGames();
    };
    const rows = offers.games.map((one) => [one.name, el("span", {}, one.title, el("small", { "aria-hidden": "true" }, one.signs))]);
    radios(document.querySelector(".games"), rows, game().name, choose);
    for (const node of document.querySelectorAll(".games button")) node.classList.add("game");
    select($("ruleset"), game().rulesets.map((one) => [one.name, one.name]), kept.get(`rules ${game().name}`));
    fillFrames();
    fillLessons();
  }

  function fillFrames() {
    const { frames, frame } = ruleset();
    const pairs = frames.map(([name]) => PAIR.exec(name)).filter(Boolean);
    const mine = [...new Set(pairs.map((pair) => pair[1]))];
    const rows = frames.filter(([name]) => !PAIR.test(name)).map(([name]) => [name, name]);
    if (pairs.length) rows.push(["", `${say("your people")} / ${say("their people")} …`]);
    select($("frame"), rows, frame);
    select($("mine"), mine.map((name) => [name, title(name)]));
    select($("theirs"), [...new Set(pairs.map((pair) => pair[2]))].map((name) => [name, title(name)]), mine[1]);
    showDecks();
  }

  const frameName = () => $("frame").value || `${$("mine").value}-${$("theirs").value}`;

  function showDecks() {
    const pair = !$("frame").value;
    for (const id of ["mine-row", "theirs-row"]) $(id).hidden = !pair;
    const decks = ruleset().frames.find(([name]) => name === frameName())?.[1] ?? "no";
    for (const id of ["deck-row", "their-deck-row"]) $(id).hidden = decks === "no";
    socket.send({ do: "opponents", ruleset: ruleset().name, frame: frameName(), language });
  }

  function fillOpponents(message) {
    if (message.ruleset !== ruleset().name || message.frame !== frameName()) return;
    people = message;
    const specs = people.opponents.map((one) => one.spec);
    const level = people.opponents.find((one) => one.word && one.word === kept.get("level"));
    if (!specs.includes(chosen.opponent)) chosen.opponent = level?.spec ?? people.default;
    showOpponents();
  }

  function showOpponents() {
    const levels = people.opponents.filter((one) => one.word);
    const row = (one) => [one.spec, el("b", {}, one.title), el("span", { title: one.spec }, one.strength)];
    radios($("levels"), levels.map(row), chosen.opponent, chooseOpponent);
    select($("opponent"), people.opponents.map((one) => [one.spec, `${one.spec} — ${one.strength}`]), chosen.opponent);
  }

  function chooseOpponent(spec) {
    chosen.opponent = spec;
    const level = people.opponents.find((one) => one.spec === spec);
    if (level.word) kept.set("level", level.word);
    showOpponents();
  }

  function fillLessons() {
    const { lessons, name } = game();
    $("lessons").hidden = !lessons.length;
    const rows = lessons.map((text, number) => {
      const node = el("button", { type: "button", "data-lesson": number }, el("span", { class: "count" }, String(number + 1)), text);
      node.addEventListener("click", () => socket.send({ do: "lesson", game: name, number, language }));
      return node;
    });
    $("lessons").querySelector(".list").replaceChildren(...rows);
  }

  function fillTables() {
    const rows = offers.tables.map((one) => {
      const words = el("span", {}, one.about.join(" · "), el("small", {}, say("against", { opponent: one.opponent })));
      return el("a", { href: `/table/${one.table}` }, words, el("span", { class: "mark" }, say(one.running ? "go on" : "over")));
    });
    $("tables").querySelector(".list").replaceChildren(...rows);
  }

  // ---- sitting down

  function sit() {
    const message = { do: "new", ruleset: ruleset().name, frame: frameName(), seat: chosen.seat, opponent: chosen.opponent, language };
    const texts = { deck: $("deck"), their_deck: $("their-deck") };
    for (const [key, node] of Object.entries(texts)) {
      const text = node.value.split(/[\s,]+/).filter(Boolean).join(" ");
      if (text && !node.closest(".field-row").hidden) message[key] = text;
    }
    $("sit").disabled = true;
    tell(say("preparing"));
    socket.send(message);
  }

  $("ruleset").addEventListener("change", () => {
    kept.set(`rules ${game().name}`, $("ruleset").value);
    fillFrames();
  });
  for (const id of ["frame", "mine", "theirs"]) $(id).addEventListener("change", showDecks);
  $("opponent").addEventListener("change", () => chooseOpponent($("opponent").value));
  $("sit").addEventListener("click", sit);
  $("language").addEventListener("change", () => {
    language = $("language").value;
    kept.set("language", language);
    socket.send({ do: "lobby", language });
  });
  $("theme").addEventListener("click", () => {
    const root = document.documentElement;
    root.dataset.theme = root.dataset.theme === "dark" ? "light" : "dark";
    kept.set("theme", root.dataset.theme);
  });
  const dark = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  document.documentElement.dataset.theme = kept.get("theme", dark);
})();
