"""The figures of a study: everything a report says, computed from the store and from nothing else."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np

from ka_env.games import KaGame
from ka_env.training.arena.faults import ArenaError
from ka_env.training.arena.store import Store
from ka_env.training.study.calibration import calibration
from ka_env.training.study.played import Games, play_through
from ka_env.training.study.room import Ask, names, study_room
from ka_env.training.study.sample import ANY, WORDS, Judged, judged_rows
from ka_env.training.study.statistics import Interval, mean_of, share_of

FORMAT = "ka-study-1"
LEAST = 20  # observations below which a figure is left out
MOST_GROUPS = 8  # of a question's facts


def all_figures(store: Store) -> dict[str, Any]:
    numbers = [number for (number,) in store.query("SELECT DISTINCT rules FROM games ORDER BY rules")]
    if not numbers:
        raise ArenaError(f"{store.path}: no games yet")
    return {
        "format": FORMAT,
        "date": store.settings.get("date"),
        "ka_env": store.settings.get("ka_env"),
        "agents": list(store.plan.agents),
        "rules": [figures(store, rules) for rules in numbers],
    }


def figures(store: Store, rules: int) -> dict[str, Any]:
    setup = store.plan.rules[rules]
    games, room = play_through(store, rules), study_room(setup.game)
    judged = judged_rows(store, rules, ANY)
    return {
        "rules": setup.label,
        "game": setup.game.title,
        "games": len(games),
        "deals": len(np.unique(games.deal)),
        "start": start(games),
        "turns": lengths(games.turns, games.deal),
        "decisions": lengths(games.decisions, games.deal),
        "endings": endings(games, room.ENDINGS),
        "actions": actions(games, judged_rows(store, rules, WORDS), setup.game),
        "cards": cards(games, room.CARDS),
        "camps": camps(games, names(room, "CAMPS")),
        "questions": [
            question(games, i, ask, judged_rows(store, rules, ask.kind), setup.game)
            for i, ask in enumerate(room.QUESTIONS)
        ],
        "losses": losses(judged, store.plan.agents),
        "calibration": calibration(judged),
    }


def _told(found: Interval | None) -> dict[str, Any] | None:
    return None if found is None else found.numbers()


# ---- from the games alone -------------------------------------------------------------------------------------------


def start(games: Games) -> dict[str, Any] | None:
    """How often the player who begins wins."""
    return _told(share_of(np.where(games.starter == 0, games.score, 1 - games.score), games.deal))


def lengths(values: np.ndarray, deal: np.ndarray) -> dict[str, Any]:
    low, high = (float(edge) for edge in np.quantile(values, [0.05, 0.95]))
    there, times = np.unique(values, return_counts=True)
    return {
        "n": len(values),
        "mean": _told(mean_of(values, deal)),
        "median": float(np.median(values)),
        "from": low,
        "to": high,
        "histogram": [[int(v), int(t)] for v, t in zip(there, times)],
    }


def endings(games: Games, words: Sequence[str]) -> list[dict[str, Any]]:
    found = []
    for i, word in enumerate(words):
        share = share_of((games.ending == i).astype(float), games.deal)
        if share is not None and share.value > 0:
            found.append({"ending": word, "share": share.numbers(), "count": int((games.ending == i).sum())})
    return sorted(found, key=lambda one: -one["count"])


def actions(games: Games, judged: list[Judged], game: KaGame) -> list[dict[str, Any]]:
    """Of each word: how often, when, how often its user wins where the other one did not use it, what it gained."""
    found = []
    for i, (action, word) in enumerate(game.words.items()):
        uses = games.uses[:, :, i]
        total = int(uses.sum())
        if total < LEAST:
            continue
        only = (uses[:, 0] > 0) != (uses[:, 1] > 0)
        score = np.where(uses[:, 0] > 0, games.score, 1 - games.score)
        parts = games.parts[:, i].sum(axis=0)
        one = {
            "word": word,
            "uses": total,
            "per_game": _told(mean_of(uses.sum(axis=1), games.deal)),
            "players": _told(share_of((uses > 0).mean(axis=1), games.deal)),
            "won_by_only_user": _told(share_of(score[only], games.deal[only])) if only.sum() >= LEAST else None,
            "parts": [round(float(part / max(1, parts.sum())), 4) for part in parts],
            "gain": gain([row for row in judged if row.played == action]),
        }
        found.append(one)
    return sorted(found, key=lambda one: -one["uses"])


def cards(games: Games, words: Sequence[str]) -> list[dict[str, Any]]:
    """Of each card: how often a player with it in the first hand wins."""
    found = []
    score = np.stack([games.score, 1 - games.score], axis=1)
    for i, word in enumerate(words):
        held = games.hands[:, :, i]
        if held.sum() < LEAST:
            continue
        where = held.any(axis=1)
        value = (score * held).sum(axis=1)[where]
        rate = share_of(value, games.deal[where], held.sum(axis=1)[where])
        if rate is not None:
            found.append({"card": word, "won": {**rate.numbers(), "n": int(held.sum())}})
    return sorted(found, key=lambda one: -one["won"]["value"])


def camps(games: Games, words: Sequence[str]) -> dict[str, Any] | None:
    """Each against each, and against all."""
    if not words:
        return None
    score = np.concatenate([games.score, 1 - games.score])
    own, other = games.camps.T.reshape(-1), games.camps[:, ::-1].T.reshape(-1)
    deal = np.tile(games.deal, 2)
    table = [
        [
            _told(share_of(score[(own == a) & (other == b)], deal[(own == a) & (other == b)]))
            if a != b and ((own == a) & (other == b)).sum() >= LEAST
            else None
            for b in range(len(words))
        ]
        for a in range(len(words))
    ]
    overall = [
        _told(share_of(score[(own == a) & (other != a)], deal[(own == a) & (other != a)])) for a in range(len(words))
    ]
    if all(one is None for one in overall):
        return None
    return {"names": list(words), "table": table, "overall": overall}


# ---- from the judged decisions --------------------------------------------------------------------------------------


def advantage(row: Judged, action: int) -> float | None:
    """What an option is worth more than the best other one.

    Of the others those count that were searched to the end: the most of many noisy chances would be too high.
    """
    options = json.loads(row.options)
    most = max(visits for *_, visits in options)
    own = [chance for a, chance, _, _ in options if a == action]
    others = [chance for a, chance, _, visits in options if a != action and visits == most]
    return own[0] - max(others) if own and others else None


def gain(rows: list[Judged]) -> dict[str, Any] | None:
    """Chances gained per use over the best other option, as search judges."""
    found = [(value, row.deal) for row in rows if (value := advantage(row, row.played)) is not None]
    if len(found) < LEAST:
        return None
    return _told(mean_of(np.array([value for value, _ in found]), np.array([deal for _, deal in found])))


def question(games: Games, number: int, ask: Ask, rows: list[Judged], game: KaGame) -> dict[str, Any]:
    choice = next(action for action, word in game.words.items() if word == ask.choice)
    asked, chosen = games.asked[:, number], games.chosen[:, number]
    values = [advantage(row, choice) for row in rows]
    known = [(row, value) for row, value in zip(rows, values) if value is not None]
    return {
        "title": ask.title,
        "kind": ask.kind,
        "choice": ask.choice,
        "words": ask.words,
        "asked": int(asked.sum()),
        "chosen": _told(share_of(chosen.astype(float), games.deal, asked)),
        "gain": _over(known),
        "by": {name: _groups(known, name) for name in (json.loads(rows[0].facts) if rows else {})},
    }


def _over(known: list[tuple[Judged, float]]) -> dict[str, Any] | None:
    if len(known) < LEAST:
        return None
    return _told(mean_of(np.array([value for _, value in known]), np.array([row.deal for row, _ in known])))


def _groups(known: list[tuple[Judged, float]], name: str) -> list[dict[str, Any]]:
    """The decisions by a fact, in neighbouring groups of enough decisions each."""
    facts = np.array([json.loads(row.facts)[name] for row, _ in known])
    wanted = max(LEAST, len(facts) / MOST_GROUPS)
    groups: list[list[int]] = []
    for fact in sorted(set(facts.tolist())):
        if groups and np.isin(facts, groups[-1]).sum() < wanted:
            groups[-1].append(fact)
        else:
            groups.append([fact])
    if len(groups) > 1 and np.isin(facts, groups[-1]).sum() < LEAST:
        few = groups.pop()
        groups[-1] += few
    found = []
    for group in groups:
        value = _over([one for one, fact in zip(known, facts) if fact in group])
        if value is not None:
            found.append({"from": int(group[0]), "to": int(group[-1]), "gain": value})
    return found


def losses(rows: list[Judged], agents: Sequence[str]) -> list[dict[str, Any]]:
    """What each agent loses per decision, as search judges."""
    found = []
    for number, agent in enumerate(agents):
        own = [row for row in rows if (row.first if row.player == 0 else row.second) == number]
        if len(own) >= LEAST:
            loss = mean_of(np.array([row.loss for row in own]), np.array([row.deal for row in own]))
            found.append({"agent": agent, "loss": _told(loss)})
    return found
