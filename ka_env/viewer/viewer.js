"use strict";

(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const { positions, moves, words, players } = data;
  const last = positions.length - 1;
  const judged = new Map((data.analysis?.decisions ?? []).map((decision) => [decision.move, decision]));
  const PLAY = "M7 4l12 8-12 8z";
  const PAUSE = "M6 5h4v14H6zM14 5h4v14h-4z";
  const VIEWS = ["all", "0", "1"];
  const state = { at: 0, view: "all", shown: true, flipped: false, timer: null, address: null };

  /** What every table needs, and the game's own: `draw(position, below)` fills #board; `settle`, `turned` if it needs them. */
  const pieces = makePieces({ words, players, state, now: () => positions[state.at] });
  const { $, el, svg, say, label, inside, choiceNode, weights } = pieces;
  const table = makeTable({ data, state, ...pieces });

  const moveText = (move) => (inside(move.player) ? move.text : (move.hidden ?? move.text));

  const askText = (position) => (inside(position.player) ? position.ask : (position.hidden ?? position.ask));

  // ---- the panel

  function facts(move) {
    return move.facts.length ? el("span", { class: "facts" }, ` (${move.facts.join("; ")})`) : null;
  }

  function fillNow() {
    const position = positions[state.at];
    const move = moves[state.at - 1];
    $("last-move").replaceChildren(
      ...(move
        ? [el("b", { class: `who player${move.player}` }, label(move.player)), ` ${moveText(move)}`, facts(move)].filter(Boolean)
        : [say("deal")]),
    );
    const next = position.player === null
      ? data.result
      : say("decides", { player: label(position.player), what: askText(position) });
    $("decision").textContent = next;
    fillChances(move && inside(move.player) ? judged.get(state.at) : null);
    $("decision").className = position.player === null ? "over" : `player${position.player}`;
  }

  const percent = (chance) => `${(100 * chance).toFixed(0)} %`;

  /** What the last move was worth, where an analysis says it. */
  function fillChances(decision) {
    $("chances").hidden = !decision;
    if (!decision) return;
    const error = percent(2 * Math.max(decision.before_error, decision.after_error));
    const words = [say("went", { before: percent(decision.before), after: percent(decision.after), error })];
    if (decision.mark) words.push(say("lost", { points: (100 * decision.loss).toFixed(0) }));
    $("chances").textContent = words.join(": ");
    $("chances").dataset.mark = decision.mark;
  }

  /** The chances of the options as bars, where an analysis says them. */
  function chanceNode([token, text], chosen, option) {
    const node = choiceNode([token, text], chosen, null);
    if (option) {
      node.dataset.chance = option.chance;
      const title = `± ${(200 * option.error).toFixed(1)} (${option.visits})`;
      node.append(el("span", { class: "value", title }, `${(100 * option.chance).toFixed(1)} % ${title.split(" (")[0]}`));
      node.style.setProperty("--share", option.chance);
    }
    return node;
  }

  function fillJudged(move, decision) {
    const found = new Map(decision.options.map((option) => [option.token, option]));
    const order = [...move.choices].sort((a, b) => (found.get(b[0])?.chance ?? -1) - (found.get(a[0])?.chance ?? -1));
    $("choices").querySelector("h2").textContent = say("chances", { player: label(move.player) });
    $("choices")
      .querySelector("ul")
      .replaceChildren(...order.map((choice) => chanceNode(choice, choice[0] === move.token, found.get(choice[0]))));
  }

  function fillChoices() {
    const move = moves[state.at];
    const list = $("choices").querySelector("ul");
    $("choices").hidden = !move;
    if (!move) return list.replaceChildren();
    const scale = weights(move.choices);
    $("choices").querySelector("h2").textContent = scale ? say("notes", { player: label(move.player) }) : say("choices");
    if (!inside(move.player)) return list.replaceChildren(el("li", { class: "secret" }, say("secret")));
    if (judged.has(state.at + 1)) return fillJudged(move, judged.get(state.at + 1));
    const order = scale ? [...move.choices].sort((a, b) => (b[2] ?? -Infinity) - (a[2] ?? -Infinity)) : move.choices;
    list.replaceChildren(...order.map((choice) => choiceNode(choice, choice[0] === move.token, scale)));
  }

  /** A decision that threw away much: `?` or, above 20 points, `??`. */
  function markNode(decision) {
    if (!decision?.mark) return null;
    const title = say("lost", { points: (100 * decision.loss).toFixed(0) });
    return el("span", { class: "slip", "data-mark": decision.mark, title, "aria-label": title }, decision.mark >= 20 ? "??" : "?");
  }

  function buildMoves() {
    const list = $("moves").querySelector("ol");
    const button = (at, ...children) => {
      const node = el("button", { type: "button", "data-at": at }, ...children);
      node.addEventListener("click", () => go(at));
      return el("li", {}, node);
    };
    list.append(button(0, say("deal")));
    moves.forEach((move, i) => {
      if (move.turn) list.append(el("li", { class: "turn" }, move.turn));
      list.append(
        button(
          i + 1,
          el("span", { class: "count" }, String(i + 1)),
          el("span", { class: `who player${move.player}`, title: label(move.player) }, `P${move.player}`),
          el("span", {}, el("span", { class: "text" }), facts(move)),
          markNode(judged.get(i + 1)),
        ),
      );
    });
  }

  /** The words of all moves; they depend on who looks. */
  function tellMoves() {
    for (const node of $("moves").querySelectorAll("[data-at]")) {
      const text = node.querySelector(".text");
      if (!text) continue;
      const move = moves[Number(node.dataset.at) - 1];
      text.textContent = moveText(move);
      const mark = node.querySelector(".slip");
      if (mark) mark.hidden = !inside(move.player);
    }
  }

  function markMove() {
    const list = $("moves").querySelector("ol");
    list.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const node = list.querySelector(`[data-at="${state.at}"]`);
    node.setAttribute("aria-current", "step");
    list.scrollTop = node.offsetTop - (list.clientHeight - node.offsetHeight) / 2;
  }

  // ---- the curve of an analysis: player 0's chances before every decision, as its decider could judge them

  const WIDE = 1000;
  const HIGH = 150;
  const across = (at) => ((at / Math.max(1, last)) * WIDE).toFixed(1);
  const up = (chance) => (HIGH - 8 - chance * (HIGH - 16)).toFixed(1);

  function drawCurve() {
    if (!data.analysis) return;
    const box = $("curve");
    const picture = svg("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, preserveAspectRatio: "none", role: "img" });
    picture.setAttribute("aria-label", say("curve"));
    for (const chance of [0, 0.25, 0.5, 0.75, 1]) {
      picture.append(svg("line", { x1: 0, x2: WIDE, y1: up(chance), y2: up(chance), class: chance === 0.5 ? "half" : "grid" }));
    }
    for (const judge of [0, 1].filter(inside)) {
      const points = data.analysis.curve.filter((point) => point.judged_by === judge);
      const line = points.map((point) => `${across(point.move - 1)},${up(point.chance)}`);
      const result = positions[last].result;
      if (result) line.push(`${across(last)},${up(result[0])}`);
      picture.append(svg("polyline", { points: line.join(" "), class: `line player${judge}`, "data-judge": judge }));
      for (const point of points.filter((one) => judged.get(one.move)?.mark)) {
        const mark = judged.get(point.move).mark;
        const place = { x: across(point.move - 1) - 4, y: up(point.chance) - 4, width: 8, height: 8 };
        picture.append(svg("rect", { ...place, class: "dot", "data-mark": mark, "data-move": point.move }));
      }
    }
    picture.append(svg("line", { id: "here", y1: 0, y2: HIGH, class: "here" }));
    picture.addEventListener("click", (event) => {
      const place = picture.getBoundingClientRect();
      go(Math.round(((event.clientX - place.left) / place.width) * last));
    });
    box.querySelector("div").replaceChildren(picture);
    box.hidden = false;
    document.getElementById("viewer").classList.add("analysed");
    moveHere();
  }

  function moveHere() {
    for (const end of ["x1", "x2"]) $("here")?.setAttribute(end, across(state.at));
  }

  /** Who lost how much on average, and by whose judgement. */
  function tellAnalysis() {
    if (!data.analysis) return;
    const { players: facts, judged_by: by } = data.analysis;
    const told = facts
      .filter((one) => one.average_loss !== null)
      .map((one) => {
        const marked = Object.values(one.marked).reduce((a, b) => a + b, 0);
        const points = (100 * one.average_loss).toFixed(1);
        return say("average", { player: label(one.player), points, count: one.decisions, marked });
      });
    const key = [0, 1].map((judge) => el("span", { class: `who player${judge}` }, `— ${say(`judge ${judge}`)}`));
    $("curve").querySelector("h2").replaceChildren(say("curve"), " ", ...key);
    $("curve").querySelector("p").textContent = [...told, say("judged by", by)].join(". ");
  }

  // ---- controls

  function fillControls() {
    $("slider").max = last;
    $("slider").value = state.at;
    $("slider").setAttribute("aria-valuetext", say("of", { number: state.at, count: last }));
    $("number").textContent = say("of", { number: state.at, count: last });
    $("first").disabled = $("back").disabled = state.at === 0;
    $("last").disabled = $("forward").disabled = state.at === last;
    $("play").querySelector("path").setAttribute("d", state.timer ? PAUSE : PLAY);
    name($("play"), say(state.timer ? "pause" : "play"));
    $("hands").textContent = `${say("hidden cards")}: ${say(state.shown ? "shown" : "hidden")}`;
    $("hands").setAttribute("aria-pressed", state.shown);
    $("view").textContent = `${say("view")}: ${state.view === "all" ? say("all") : label(state.view)}`;
  }

  function name(button, text) {
    button.setAttribute("aria-label", text);
    button.title = `${text} (${button.dataset.key})`;
  }

  function render() {
    const below = (state.view === "1" ? 1 : 0) ^ (state.flipped ? 1 : 0);
    table.draw(positions[state.at], below);
    fillNow();
    fillChoices();
    markMove();
    moveHere();
    fillControls();
    table.settle?.(positions[state.at]);
    const set = document.documentElement.dataset;
    Object.assign(set, { at: state.at, view: state.view, shown: state.shown });
  }

  // ---- moving through the game

  function go(to) {
    const at = Math.max(0, Math.min(last, to));
    const before = Math.abs(at - state.at) === 1 && !pieces.calm.matches ? pieces.places() : null;
    state.at = at;
    if (at === last) stop();
    render();
    if (before) pieces.glide(before, table);
    clearTimeout(state.address);
    state.address = setTimeout(writeAddress, 200); // not at every step: browsers refuse addresses that change too often
  }

  function writeAddress() {
    try {
      history.replaceState(null, "", `#${state.at}`);
    } catch {
      // some browsers keep the address of a local file as it is
    }
  }

  /** The first position of the turn before or after. */
  function goTurn(way) {
    const starts = [0, ...moves.map((move, i) => (move.turn ? i : -1)).filter((i) => i > 0), last];
    go(way > 0 ? starts.find((at) => at > state.at) ?? last : starts.findLast((at) => at < state.at) ?? 0);
  }

  function stop() {
    clearInterval(state.timer);
    state.timer = null;
  }

  function togglePlay() {
    if (state.timer) stop();
    else {
      if (state.at === last) go(0);
      state.timer = setInterval(() => go(state.at + 1), 900);
    }
    fillControls();
  }

  function toggleHands() {
    state.shown = !state.shown;
    tellMoves();
    drawCurve();
    render();
  }

  function nextView() {
    state.view = VIEWS[(VIEWS.indexOf(state.view) + 1) % VIEWS.length];
    state.shown = state.view === "all";
    tellMoves();
    drawCurve();
    render();
  }

  function flip() {
    state.flipped = !state.flipped;
    render();
  }

  const KEYS = {
    ArrowRight: () => go(state.at + 1),
    ArrowLeft: () => go(state.at - 1),
    PageDown: () => goTurn(1),
    PageUp: () => goTurn(-1),
    Home: () => go(0),
    End: () => go(last),
    " ": togglePlay,
    h: toggleHands,
    v: nextView,
    f: flip,
    t: pieces.toggleTheme,
  };

  function listen() {
    const clicks = { first: KEYS.Home, back: KEYS.ArrowLeft, play: togglePlay, forward: KEYS.ArrowRight, last: KEYS.End };
    Object.assign(clicks, { hands: toggleHands, view: nextView, flip, theme: pieces.toggleTheme });
    for (const [id, action] of Object.entries(clicks)) $(id).addEventListener("click", action);
    $("slider").addEventListener("input", () => go(Number($("slider").value)));
    addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || $("pile").open) return;
      if (event.key === " " && event.target.closest("button")) return;
      const action = KEYS[event.key.length === 1 ? event.key.toLowerCase() : event.key];
      if (!action) return;
      event.preventDefault();
      action();
    });
    addEventListener("resize", () => table.settle?.(positions[state.at]));
    addEventListener("hashchange", () => go(Number(location.hash.slice(1)) || 0));
    pieces.listenToBox();
    listenToTouch();
  }

  /** Swipe to step; a tap steps too, back in the left half of the table and forward in the right. */
  function listenToTouch() {
    const board = $("board");
    let start = null;
    board.addEventListener("pointerdown", (event) => {
      start = event.pointerType === "mouse" ? null : event;
    });
    board.addEventListener("pointercancel", () => (start = null));
    board.addEventListener("pointerup", (event) => {
      if (!start || start.pointerId !== event.pointerId) return;
      const [dx, dy] = [event.clientX - start.clientX, event.clientY - start.clientY];
      start = null;
      if (Math.abs(dx) > 40 && Math.abs(dx) > 1.5 * Math.abs(dy)) return go(state.at + (dx < 0 ? 1 : -1));
      if (Math.hypot(dx, dy) > 10 || event.target.closest("button")) return;
      const place = board.getBoundingClientRect();
      go(state.at + (event.clientX < place.left + place.width / 2 ? -1 : 1));
    });
  }

  function begin() {
    pieces.beginTheme();
    document.querySelector("h1").textContent = [0, 1].map((player) => players[player] || label(player)).join(" – ");
    const headers = Object.entries(data.headers).filter(([key]) => !["players", "result", "crystals", "hash", "wins"].includes(key));
    const { wins } = data.headers;
    const phrase = { seed: (number) => `seed ${number}`, game: (number) => say("game of match", { number, wins: wins.replace(" ", "–") }) };
    const about = headers.map(([key, value]) => phrase[key]?.(value) ?? value);
    $("about").textContent = [...about, data.result].filter(Boolean).join(" · ");
    const titles = { first: "start", back: "back", forward: "forward", last: "end", flip: "flip", theme: "theme" };
    for (const [id, word] of Object.entries(titles)) name($(id), say(word));
    $("flip").textContent = say("flip");
    $("theme").textContent = "◐";
    $("slider").setAttribute("aria-label", say("position"));
    $("board").setAttribute("aria-label", say("table"));
    $("moves").querySelector("h2").textContent = say("moves");
    $("help").querySelector("h2").textContent = say("help");
    $("keys").textContent = say("keys");
    $("legend").textContent = say("legend");
    buildMoves();
    tellMoves();
    tellAnalysis();
    drawCurve();
    listen();
    state.at = Math.max(0, Math.min(last, Number(location.hash.slice(1)) || 0));
    render();
  }

  begin();
})();
