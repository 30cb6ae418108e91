"use strict";

(() => {
  const page = JSON.parse(document.getElementById("data").textContent);
  const PACES = [0, 300, 800, 1600];
  const KEYS = "123456789bcdefgijklmnopqrvwxyz"; // of the choices; the other letters are for the controls
  const HOLD = 550; // milliseconds: a card held so long is read, not chosen
  const state = { view: "0", shown: false };
  const $ = (id) => document.getElementById(id);

  let language = page.language;
  let pieces = null;
  let table = null;
  let hello = null; // what stays of a game
  let now = null; // the message on the table
  let actions = new Map(); // what a click on a spot says: lists of { label, tokens }
  let waiting = false; // an answer is on its way
  let keyboard = false; // the last thing touched: then the first choice is focused
  let reading = false; // the next click on a lit card reads it
  let queue = [];
  let timer = null;
  let finished = null; // the number of the change that the end was told at

  const say = (key, parts = {}) => (page.words[language][key] ?? key).replace(/\{(\w+)\}/g, (_, name) => parts[name]);
  const pace = () => Number(kept.get("pace", "800"));

  // ---- messages

  const socket = openSocket({
    open(again) {
      tell(again ? say("back again") : "");
      socket.send({ do: "sit", table: page.table, language });
    },
    receive(message) {
      if (message.is === "table") take(message);
      else if (message.is === "hint") showHint(message);
      else if (message.is === "seated") location.assign(`/table/${message.table}`);
      else if (message.is === "error") refuse(message);
    },
    lost: () => tell(say("lost connection"), true),
  });

  function send(message) {
    if (!socket.send(message)) tell(say("lost connection"), true);
  }

  function tell(text, lasting = false) {
    $("status").textContent = text;
    $("status").classList.toggle("lasting", lasting);
    if (text && !lasting) setTimeout(() => ($("status").textContent === text ? tell("") : null), 5000);
  }

  function refuse(message) {
    waiting = false;
    if (now) fillChoices();
    if (message.kind === "OtherMove") $("why").textContent = message.text;
    else tell(message.text);
  }

  function take(message) {
    if (message.facts) {
      queue = [];
      clearTimeout(timer);
      timer = null;
      begin(message);
      show(message);
      return;
    }
    queue.push(message);
    if (!timer) next();
  }

  /** The next change; those that follow wait, so that each can be seen. */
  function next() {
    timer = null;
    const message = queue.shift();
    if (!message) return;
    show(message);
    const wait = pieces.calm.matches ? Math.min(pace(), 300) : pace();
    if (queue.length && !wait) next();
    else timer = setTimeout(next, wait);
  }

  // ---- a game begins

  function begin(message) {
    hello = message;
    language = message.language;
    state.view = String(message.seat);
    document.documentElement.lang = language;
    const { facts, players, names } = message;
    pieces = makePieces({ words: facts.words, players, state, names, now: () => now.position });
    const openBox = (title, nodes) => {
      pieces.openBox(title, nodes);
      light($("pile"));
    };
    table = makeTable({ data: facts, state, ...pieces, openBox });
    document.querySelector("h1").textContent = message.about[0];
    $("about").textContent = message.about.slice(1).join(" · ");
    $("story").querySelector("ol").replaceChildren();
    fillWords();
    fillLesson(message.lesson);
  }

  function fillWords() {
    const texts = { undo: "undo", hint: "hint", resign: "resign", stop: "stop" };
    for (const [id, word] of Object.entries(texts)) {
      $(id).querySelector(".text").textContent = say(word);
      $(id).title = $(id).dataset.key ? `${say(`${word} title`)} (${$(id).dataset.key})` : say(`${word} title`);
    }
    $("home").querySelector("span").textContent = say("lobby");
    $("home").setAttribute("aria-label", say("to lobby"));
    $("theme").setAttribute("aria-label", say("theme"));
    $("language").setAttribute("aria-label", say("language"));
    $("language").value = language;
    $("board").setAttribute("aria-label", say("table"));
    $("board").setAttribute("role", "region");
    $("controls").setAttribute("aria-label", say("more"));
    $("choices").querySelector("h2").textContent = say("choices");
    $("story").querySelector("h2").textContent = say("story");
    $("help").querySelector("h2").textContent = say("keys");
    $("keys").textContent = say("keys text");
    $("legend").textContent = say("legend");
    $("pile").querySelector("button").textContent = say("close");
    $("pace-label").querySelector("span").textContent = say("pace");
    $("pace").replaceChildren(...PACES.map((n) => pieces.el("option", { value: n }, say(`pace ${n}`))));
    $("pace").value = String(pace());
    $("menu").querySelector(".close").textContent = say("close");
    $("finish").querySelector(".close").textContent = say("close");
  }

  function fillLesson(lesson) {
    $("lesson").hidden = !lesson;
    document.documentElement.dataset.lesson = Boolean(lesson);
    for (const id of ["passing", "stop"]) $(id).hidden = Boolean(lesson) || !hello.passes;
    $("resign").hidden = Boolean(lesson);
    if (!lesson) return;
    $("lesson").querySelector("h2").textContent = say("lesson", { number: lesson.number + 1, count: lesson.count });
    $("lesson").querySelector("h3").textContent = lesson.title;
    $("lesson").querySelector("p").textContent = lesson.intro;
  }

  // ---- showing a change

  function show(message) {
    const glides = now && !pieces.calm.matches ? pieces.places() : null;
    now = message;
    waiting = false;
    const last = !queue.length;
    table.draw(message.position, hello.seat);
    fillQuestion(message);
    tellStory(message);
    fillChoices();
    fillControls(message);
    scrollStory();
    table.settle?.(message.position);
    if (glides) pieces.glide(glides, table);
    Object.assign(document.documentElement.dataset, { number: message.number, end: message.end, asked: last && message.options.length > 0 });
    if (message.end !== "running" && last) finish(message);
    else finished = null;
  }

  function fillQuestion(message) {
    const ended = hello.lesson ? say("solved") : message.result;
    $("ask").textContent = message.end === "running" ? message.ask : ended;
    $("question").className = message.options.length ? "mine" : message.end === "running" ? "theirs" : "over";
    const told = message.told.filter(([, , heading]) => !heading).slice(-3).map(([text]) => text);
    if (told.length) {
      $("happened").textContent = told.join("  ·  ");
      if (!pieces.calm.matches) $("happened").animate([{ opacity: 0 }, { opacity: 1 }], { duration: 350 });
    }
  }

  function tellStory(message) {
    const list = $("story").querySelector("ol");
    while (list.children.length > message.from) list.lastChild.remove();
    for (const [text, player, heading] of message.told) {
      const whose = player === null ? "" : player === hello.seat ? " mine" : " theirs";
      list.append(pieces.el("li", { class: `${heading ? "heading" : "line"}${whose}` }, text));
    }
    scrollStory();
  }

  function scrollStory() {
    const list = $("story").querySelector("ol");
    list.scrollTop = list.scrollHeight;
  }

  function fillControls(message) {
    $("undo").disabled = !message.can.undo;
    $("hint").disabled = !message.can.hint;
    $("resign").disabled = !message.can.resign;
    $("passing").querySelector(".text").textContent = `${say("passing")}: ${say(`passing ${message.passing}`)}`;
    $("passing").setAttribute("aria-pressed", message.passing !== "ask");
    $("stop").disabled = message.passing !== "auto" || message.end !== "running";
  }

  // ---- choices

  function fillChoices() {
    const list = $("choices").querySelector("ul");
    const had = keyboard && (list.contains(document.activeElement) || document.activeElement === document.body);
    $("draft").textContent = now.draft ? say("so far", { text: now.draft.text }) : "";
    $("why").textContent = "";
    list.replaceChildren(...now.options.map(choiceNode));
    actions = new Map();
    for (const option of now.options) {
      for (const [spot, tokens] of option.handles) {
        const words = { label: option.label, tokens };
        actions.set(spot, [...(actions.get(spot) ?? []), words]);
      }
    }
    light($("board"));
    if (had && now.options.length) list.querySelector("button").focus({ preventScroll: true });
  }

  function choiceNode(option, i) {
    const key = KEYS[i] ?? "";
    const { el } = pieces;
    const button = el(
      "button",
      { type: "button", class: "choice", "data-token": option.token, title: option.about || null, "aria-keyshortcuts": key || null },
      el("kbd", { "aria-hidden": "true" }, key),
      el("span", { class: "words" }, option.label),
      el("span", { class: "value" }),
    );
    button.addEventListener("click", () => choose([option.token]));
    const show = (on) => () => mark(option, on);
    for (const event of ["pointerenter", "focus"]) button.addEventListener(event, show(true));
    for (const event of ["pointerleave", "blur"]) button.addEventListener(event, show(false));
    return el("li", {}, button);
  }

  /** Where a choice lies on the table, while it is looked at in the list. */
  function mark(option, on) {
    for (const [spot] of option.handles) for (const node of atSpot($("board"), spot)) node.classList.toggle("pointed", on);
  }

  const atSpot = (root, spot) => root.querySelectorAll(`[data-spot="${CSS.escape(spot)}"]`);

  /** Light what can be chosen. */
  function light(root) {
    const lit = !waiting && now.options.length > 0;
    for (const spot of now.draft?.spots ?? []) for (const node of atSpot(root, spot)) node.classList.add("picked");
    for (const [spot, ways] of lit ? actions : []) {
      for (const node of atSpot(root, spot)) {
        node.classList.add("lit");
        node.dataset.lit = "";
        node.tabIndex = 0;
        node.setAttribute("role", "button");
        const labels = ways.map((way) => way.label).join(", ");
        node.setAttribute("aria-label", `${node.getAttribute("aria-label") ?? ""}: ${labels}`);
      }
    }
  }

  function choose(tokens) {
    if (waiting || queue.length || timer && !now.options.length) return;
    waiting = true;
    for (const node of document.querySelectorAll("[data-lit]")) {
      node.classList.remove("lit");
      delete node.dataset.lit;
    }
    for (const button of $("choices").querySelectorAll("button")) button.classList.add("sent");
    send({ do: "choose", at: now.number, tokens });
  }

  function chooseAt(spot) {
    const ways = actions.get(spot) ?? [];
    if (ways.length === 1) return choose(ways[0].tokens);
    const { el } = pieces;
    const rows = ways.map((way) => {
      const button = el("button", { type: "button" }, way.label);
      button.addEventListener("click", () => {
        $("menu").close();
        choose(way.tokens);
      });
      return button;
    });
    $("menu").querySelector("h2").textContent = say("what with");
    $("menu").querySelector(".rows").replaceChildren(...rows);
    $("menu").showModal();
  }

  function showHint(message) {
    if (!now || message.number !== now.number) return;
    const list = $("choices").querySelector("ul");
    const weighed = message.weights.map(([token, value]) => [token, "", value]);
    const scale = pieces.weights(weighed);
    for (const button of list.querySelectorAll("button")) {
      const found = weighed.find(([token]) => token === button.dataset.token);
      button.classList.toggle("hinted", button.dataset.token === message.token);
      if (!found || !scale) continue;
      button.querySelector(".value").textContent = scale.text(found[2]);
      button.dataset.value = found[2];
      button.style.setProperty("--share", scale.width(found[2]));
    }
    const option = now.options.find((one) => one.token === message.token);
    for (const [spot] of option?.handles ?? []) for (const node of atSpot($("board"), spot)) node.classList.add("hinted");
    list.querySelector(".hinted")?.scrollIntoView({ block: "nearest" });
    $("why").textContent = message.text;
    scrollStory();
  }

  // ---- the end

  function finish(message) {
    if (finished === message.number) return;
    finished = message.number;
    const { el } = pieces;
    const { lesson } = hello;
    const button = (word, action) => {
      const node = el("button", { type: "button", "data-do": word }, say(word));
      node.addEventListener("click", action);
      return node;
    };
    const link = (word, href) => el("a", { href, class: "button", "data-do": word }, say(word));
    const rows = [];
    if (lesson) {
      const open = (number) => () => send({ do: "lesson", game: lesson.game, number, language });
      if (lesson.number + 1 < lesson.count) rows.push(button("next lesson", open(lesson.number + 1)));
      rows.push(button("again", open(lesson.number)));
    } else {
      rows.push(button("rematch", () => send({ do: "rematch" })));
      rows.push(link("analysis", `/analysis/${page.table}`));
      rows.push(link("replay", `/replay/${page.table}`), link("record", `/record/${page.table}`));
    }
    rows.push(link("to lobby", "/"));
    $("finish").querySelector("h2").textContent = lesson ? say("solved") : message.result;
    $("finish").querySelector("p").textContent = lesson ? message.result : message.told.at(-1)?.[0] ?? "";
    $("finish").querySelector(".rows").replaceChildren(...rows);
    $("finish").className = message.won === 1 || lesson ? "won" : "";
    if (!$("finish").open) $("finish").showModal();
  }

  function askToResign() {
    const { el } = pieces;
    const yes = el("button", { type: "button", "data-do": "yes" }, say("yes"));
    yes.addEventListener("click", () => {
      $("menu").close();
      send({ do: "resign" });
    });
    $("menu").querySelector("h2").textContent = say("resign?");
    $("menu").querySelector(".rows").replaceChildren(yes);
    $("menu").showModal();
  }

  // ---- controls

  const undo = () => now?.can.undo && send({ do: "undo", at: now.number });
  function hint() {
    if (!now?.can.hint) return;
    $("why").textContent = `${say("thinking")} …`;
    send({ do: "hint", at: now.number });
  }
  const togglePassing = () => send({ do: "passing", mode: now.passing === "ask" ? "auto" : "ask" });
  const stopOnce = () => send({ do: "passing", mode: "once" });

  function walk(step) {
    const buttons = [...$("choices").querySelectorAll("button")];
    if (!buttons.length) return;
    const at = buttons.indexOf(document.activeElement);
    buttons[(at + step + buttons.length) % buttons.length].focus();
  }

  const CONTROLS = { u: undo, Backspace: undo, h: hint, a: togglePassing, s: stopOnce, ArrowDown: () => walk(1), ArrowUp: () => walk(-1) };

  function pressed(event) {
    keyboard = true;
    if (event.ctrlKey || event.metaKey || event.altKey || !now) return;
    if (document.querySelector("dialog[open]") || event.target.closest?.("select, input, textarea")) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const lit = event.target.closest?.("[data-lit]");
    if (lit && (key === "Enter" || key === " ")) {
      event.preventDefault();
      return chooseAt(lit.dataset.spot);
    }
    if (key === "t") return changeTheme();
    const action = CONTROLS[key] ?? (KEYS.includes(key) && now.options[KEYS.indexOf(key)] ? () => choose([now.options[KEYS.indexOf(key)].token]) : null);
    if (!action) return;
    event.preventDefault();
    action();
  }

  function changeTheme() {
    pieces.toggleTheme();
    kept.set("theme", document.documentElement.dataset.theme);
  }

  /** A click on what is lit chooses it; elsewhere the table answers as in the viewer. Held or right-clicked, it is read. */
  function listenToTable() {
    let hold = null;
    const release = () => clearTimeout(hold);
    const read = (target) => {
      if (!target || target.tagName !== "BUTTON") return;
      reading = true;
      target.click();
      reading = false;
    };
    for (const root of [$("board"), $("pile")]) {
      root.addEventListener(
        "click",
        (event) => {
          const lit = event.target.closest("[data-lit]");
          if (!lit || reading) return;
          event.preventDefault();
          event.stopPropagation();
          if ($("pile").open) $("pile").close();
          chooseAt(lit.dataset.spot);
        },
        true,
      );
    }
    $("board").addEventListener("contextmenu", (event) => {
      const lit = event.target.closest("[data-lit]");
      if (!lit) return;
      event.preventDefault();
      read(lit);
    });
    $("board").addEventListener("pointerdown", (event) => {
      release();
      const lit = event.target.closest("[data-lit]");
      if (lit && event.pointerType !== "mouse") hold = setTimeout(() => read(lit), HOLD);
    });
    for (const event of ["pointerup", "pointercancel", "pointermove"]) $("board").addEventListener(event, release);
  }

  function listen() {
    const clicks = { undo, hint, passing: togglePassing, stop: stopOnce, resign: askToResign, theme: changeTheme };
    for (const [id, action] of Object.entries(clicks)) $(id).addEventListener("click", action);
    $("pace").addEventListener("change", () => kept.set("pace", $("pace").value));
    $("language").addEventListener("change", () => {
      language = $("language").value;
      kept.set("language", language);
      now = null;
      send({ do: "sit", table: page.table, language });
    });
    for (const id of ["pile", "menu", "finish"]) {
      const dialog = $(id);
      dialog.addEventListener("click", (event) => (event.target === dialog ? dialog.close() : null));
      dialog.querySelector(":scope > button").addEventListener("click", () => dialog.close());
    }
    addEventListener("keydown", pressed);
    addEventListener("pointerdown", () => (keyboard = false), true);
    addEventListener("resize", () => now && table.settle?.(now.position));
    listenToTable();
  }

  const dark = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  document.documentElement.dataset.theme = kept.get("theme", dark);
  tell(say("connecting"), true);
  listen();
})();
