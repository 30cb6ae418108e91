"""Where two agents differ: they play each other, and at every decision the other one says what it would have done.

Of the decisions on which they disagree search judges a sample, one of a game: what is the first agent's choice worth
more than the second's? The positions with the greatest differences become pages to look at.
"""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ka_env.agents import Agent, ask, make_agent
from ka_env.errors import KaError
from ka_env.games import KaGame
from ka_env.training.arena.play import GameRow
from ka_env.training.arena.records import rebuild
from ka_env.training.arena.report import _card
from ka_env.training.arena.seeds import seed_of, streams
from ka_env.training.arena.store import Store, game_id
from ka_env.training.arena.verify import by_lane
from ka_env.training.ratings import winrate_interval
from ka_env.training.study.charts import intervals, percent
from ka_env.training.study.judge import Judge, Judgement, Question, describe
from ka_env.training.study.played import PARTS, Moment, rows_of, walk
from ka_env.training.study.report import _table, page_of, told, told_points
from ka_env.training.study.sample import draw
from ka_env.training.study.statistics import Interval, mean_of, share_of
from ka_env.viewer import page

FORMAT = "ka-compare-1"
PHASES = ["beginning", "middle", "end"]  # thirds of the decisions of a game
LEAST = 10  # judged decisions below which no gain is told
assert len(PHASES) == PARTS


class Difference(NamedTuple):
    """A decision on which the two disagree."""

    row: GameRow
    move: int
    kind: str
    phase: int
    record: np.ndarray
    choices: tuple[int, int]  # of the two agents


class Counted(NamedTuple):
    """Decisions by game, kind and phase: all, and those on which the two disagree."""

    deals: np.ndarray
    decisions: np.ndarray  # games x kinds x phases
    differences: np.ndarray


def find_differences(
    store: Store, after: Callable[[int], None] = lambda games: None
) -> tuple[Counted, list[Difference]]:
    """Ask through all games; of every game one difference, drawn at random, is kept."""
    rows = rows_of(store, 0)
    if not rows:
        raise KaError(f"{store.path}: no games to compare by")
    counted, kept = [], []
    for lane in by_lane(rows):
        one, some = _ask_through(store, lane)
        counted.append(one)
        kept += some
        after(len(lane))
    return Counted(*(np.concatenate([getattr(one, name) for one in counted]) for name in Counted._fields)), kept


def _ask_through(store: Store, rows: list[GameRow]) -> tuple[Counted, list[Difference]]:
    game = store.plan.rules[0].game
    advisers = [make_agent(spec) for spec in store.plan.agents]
    seats = (rows[0].first, rows[0].second)  # agents by number; all rows of a lane sit alike
    seeds = streams(seed_of("advice", rows[0].first, rows[0].pair), np.arange(rows[-1].pair - rows[0].pair + 1))
    for number, adviser in enumerate(advisers):
        seat = np.full(len(seeds), 1 - seats.index(number), np.int8)  # it advises at the other's decisions
        adviser.begin(np.arange(len(seeds)), seat, seeds)
    shape = (len(rows), len(game.kinds), PARTS)
    decisions, differences = np.zeros(shape, np.int32), np.zeros(shape, np.int32)
    length = np.array([row.decisions for row in rows])
    kept: dict[int, Difference] = {}
    for moment in walk(store, rows):
        if not isinstance(moment, Moment):
            continue
        advice = _advice(moment, advisers, seats, seeds)
        kind = moment.before["kind"].astype(int)
        phase = np.minimum((moment.number - 1) * PARTS // length[moment.rows], PARTS - 1)
        decisions[moment.rows, kind, phase] += 1
        differ = advice != moment.actions
        differences[moment.rows[differ], kind[differ], phase[differ]] += 1
        for k in np.flatnonzero(differ):
            row = int(moment.rows[k])
            seen = int(differences[row].sum())
            if draw(rows[row], 16 + seen) % seen == 0:  # each of a game's differences has the same chance to stay
                kept[row] = _difference(moment, int(k), rows[row], seats, int(advice[k]), int(phase[k]), game)
    deals = np.array([row.pair for row in rows])
    return Counted(deals, decisions, differences), list(kept.values())


def _advice(moment: Moment, advisers: list[Agent], seats: tuple[int, int], seeds: np.ndarray) -> np.ndarray:
    """What the agent who does not decide would have done."""
    found = np.zeros(len(moment.rows), np.int64)
    decider = np.array(seats)[moment.before["player"].astype(int)]
    for number, adviser in enumerate(advisers):
        here = np.flatnonzero(decider != number)
        if here.size:
            places = moment.places[here]
            found[here] = ask(
                adviser, moment.engine, places, streams(seeds[places], np.full(len(places), moment.number))
            )
    return found


def _difference(
    moment: Moment, k: int, row: GameRow, seats: tuple[int, int], advice: int, phase: int, game: KaGame
) -> Difference:
    record = moment.before[k : k + 1].copy()
    decider = seats[int(record["player"][0])]
    played = int(moment.actions[k])
    choices = (played, advice) if decider == 0 else (advice, played)
    return Difference(row, moment.number, game.kinds[int(record["kind"][0])], phase, record, choices)


# ---- judging and telling --------------------------------------------------------------------------------------------


class Found(NamedTuple):
    difference: Difference
    judgement: Judgement

    @property
    def gain(self) -> float:
        """What the first agent's choice is worth more."""
        assert self.judgement.over is not None
        return self.judgement.over[0]

    @property
    def error(self) -> float:
        assert self.judgement.over is not None
        return self.judgement.over[1]


def judge_differences(
    differences: list[Difference], count: int, judge: Judge, threads: int, after: Callable[[], None] = lambda: None
) -> list[Found]:
    order = sorted(differences, key=lambda one: (draw(one.row, 0), one.row[:4]))[:count]
    questions = [Question(one.record, one.choices[0], draw(one.row, 3), one.choices[1]) for one in order]
    return [Found(*pair) for pair in zip(order, judge.judge_all(questions, threads, after))]


def compare(store: Store, counted: Counted, found: list[Found], judge: Judge) -> dict[str, Any]:
    """All figures of a comparison."""
    game, (a, b) = store.plan.rules[0].game, store.plan.agents
    rows = rows_of(store, 0)
    kinds = {
        kind: _figures(counted, (slice(None), [i]), [one for one in found if one.difference.kind == kind])
        for i, kind in enumerate(game.kinds)
        if counted.decisions[:, i].sum()
    }
    phases = {
        name: _figures(counted, (slice(None), slice(None), [i]), [one for one in found if one.difference.phase == i])
        for i, name in enumerate(PHASES)
    }
    every = _figures(counted, (slice(None),), found)
    result = _result(rows)
    return {
        "format": FORMAT,
        "agents": [a, b],
        "rules": store.plan.rules[0].label,
        "games": len(rows),
        "result": result,
        "stronger": None if result["low"] <= 0.5 <= result["high"] else (a if result["value"] > 0.5 else b),
        "judged_by": describe(judge),
        "all": every,
        "kinds": dict(sorted(kinds.items(), key=lambda item: -item[1]["differences"])),
        "phases": phases,
        "positions": [_position(one, game) for one in _greatest(found)],
    }


def _result(rows: list[GameRow]) -> dict[str, Any]:
    """The score of the first agent in their games, in pairs."""
    pairs: dict[int, float] = {}
    for row in rows:
        pairs[row.pair] = pairs.get(row.pair, 0.0) + (row.score if row.first == 0 else 1 - row.score)
    rate = winrate_interval(np.array(list(pairs.values())))
    return Interval(rate.rate, rate.low, rate.high, 2 * rate.pairs).numbers()


def _figures(counted: Counted, where: Any, found: list[Found]) -> dict[str, Any]:
    decisions = counted.decisions[where].reshape(len(counted.deals), -1).sum(axis=1)
    differences = counted.differences[where].reshape(len(counted.deals), -1).sum(axis=1)
    share = share_of(differences.astype(float), counted.deals, decisions) if decisions.sum() else None
    gain = None
    if len(found) >= LEAST:
        gain = mean_of(np.array([one.gain for one in found]), np.array([one.difference.row.pair for one in found]))
    return {
        "decisions": int(decisions.sum()),
        "differences": int(differences.sum()),
        "share": None if share is None else {**share.numbers(), "n": int(decisions.sum())},
        "gain": None if gain is None else gain.numbers(),
    }


def _greatest(found: list[Found], count: int = 12) -> list[Found]:
    """Where the choices are furthest apart, more than noise."""
    sure = [one for one in found if abs(one.gain) > 2 * one.error]
    return sorted(sure, key=lambda one: -abs(one.gain))[:count]


def _position(one: Found, game: KaGame) -> dict[str, Any]:
    d = one.difference
    there = game.Game(d.record)
    return {
        "game": game_id(d.row),
        "move": d.move,
        "player": int(d.record["player"][0]),
        "kind": d.kind,
        "choices": [there.token(action) for action in d.choices],
        "gain": round(one.gain, 4),
        "error": round(one.error, 4),
        "page": f"{game_id(d.row)}.html#{d.move - 1}",
    }


def write_comparison(store: Store, figures: dict[str, Any], path: str | Path) -> Path:
    """The page, and beside it those of the games with the greatest differences."""
    path = Path(path)
    folder = path.parent / f"{path.stem}-games"
    if store.plan.rules[0].game.viewer is not None:
        folder.mkdir(parents=True, exist_ok=True)
        for name in sorted({position["game"] for position in figures["positions"]}):
            (folder / f"{name}.html").write_text(page(rebuild(store, store.game(name))[0]), encoding="utf-8")
    a, b = figures["agents"]
    every, result = figures["all"], figures["result"]
    lead = f"{escape(a)} scores {told(result)} against {escape(b)} in {figures['games']} games "
    lead += f"on {escape(figures['rules'])}."
    lead += f" They disagree on {told(every['share'])} of {every['decisions']} decisions."
    if every["gain"] is not None:
        gain = every["gain"]
        lead += f" Where they do, {escape(a)}'s choice is worth {told_points(gain)} more (n = {gain['n']})."
    by = figures["judged_by"]
    parts = [
        f"<h1>{escape(a)} and {escape(b)}: where they differ</h1><p class='lead'>{lead}</p>"
        f"<p class='soft'>Judged by {escape(by['agent'])}, {by['budget']} iterations per decision, from what the "
        "player to decide could know; one decision of a game.</p>",
        _part("By kind of decision", figures["kinds"], a),
        _part("By phase of the game", figures["phases"], a),
        _positions(figures, folder.name if store.plan.rules[0].game.viewer is not None else None),
    ]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(page_of(f"{a} – {b}", parts, figures), encoding="utf-8")
    return path


def _part(title: str, figures: dict[str, Any], a: str) -> str:
    rows = []
    for name, one in figures.items():
        gain, share = one["gain"], one["share"]
        rows.append(
            [
                escape(name),
                str(one["decisions"]),
                "" if share is None else told(share),
                "" if gain is None else f"{told_points(gain)}, n {gain['n']}",
            ]
        )
    body = _table(["", "decisions", "disagree", f"{escape(a)}'s choice is worth more by"], rows, "wide")
    known = {name: one["gain"] for name, one in figures.items() if one["gain"] is not None}
    if known:
        body += intervals(list(known), list(known.values()), f"What the choices of {a} gain", 0.0, True)
    return _card(title, body, "Points of a hundred, as search judges; right of 0 the first agent chooses better.")


def _positions(figures: dict[str, Any], folder: str | None) -> str:
    a, b = figures["agents"]
    rows = []
    for one in figures["positions"]:
        where = f"game {one['game']}, move {one['move']}"
        shown = f'<a href="{escape(folder)}/{escape(one["page"])}">{where}</a>' if folder else where
        points = f"{100 * one['gain']:+.0f} ± {196 * one['error']:.0f}"
        rows.append([shown, escape(one["kind"]), *map(escape, one["choices"]), points])
    if not rows:
        return _card("Positions", "<p>None in which the judgement was sure.</p>")
    heads = ["position", "decision", escape(a), escape(b), f"worth to choose as {escape(a)}"]
    return _card("Where they are furthest apart", _table(heads, rows, "wide positions"), "A click opens the position.")


def tell(figures: dict[str, Any]) -> None:
    """The same as plain lines."""
    a, b = figures["agents"]
    every = figures["all"]
    print(f"{a} scores {told(figures['result'])} against {b}, {figures['games']} games on {figures['rules']}")
    print(f"they disagree on {told(every['share'])} of {every['decisions']} decisions")
    for what in ("all", "kinds", "phases"):
        named = {"all": figures[what]} if what == "all" else figures[what]
        for name, one in named.items():
            gain = "" if one["gain"] is None else f", {a} gains {told_points(one['gain'])}, n {one['gain']['n']}"
            share = "" if one["share"] is None else percent(one["share"]["value"])
            print(f"  {name}: disagree on {share} of {one['decisions']}{gain}")
    for one in figures["positions"][:5]:
        words = " or ".join(one["choices"])
        print(
            f"  game {one['game']}, move {one['move']}, {one['kind']}: {words}: "
            f"{100 * one['gain']:+.0f} ± {196 * one['error']:.0f}"
        )
