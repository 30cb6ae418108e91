"""A search for better decks. Both sides are played by one agent, so that only the decks differ.

First random decks meet: which cards do the winners have? A regression on the difference of the decks gives each card's
worth. The best cards make the first deck. Then small changes of the best deck so far play against it; the best of a
round is taken if it also wins against it on fresh deals, with its interval above one half. In the end the deck found
plays against random decks and against the first deck, on deals of their own: choosing can't have flattered that.

Every trial is kept in an SQLite file under what it is, so an interrupted search goes on where it stopped.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from ka_env.agents import Agent, ask, make_agent
from ka_env.engine.batch import BatchEngine
from ka_env.engine.loops import SKIP
from ka_env.errors import KaError, nearest
from ka_env.games import Setup
from ka_env.luck import separate_rng
from ka_env.training.study.room import DeckSpace, study_room
from ka_env.training.study.statistics import Interval, share_of

APPLICATION_ID = 0x6B616465  # "kade"
SIDE_BY_SIDE = 512
RANDOM = ""  # in place of a deck: drawn at random for every game
Deck = tuple[int, ...]  # cards by number, ascending


@dataclass(frozen=True)
class Search:
    """What is searched for, and how long."""

    rules: str
    agent: str
    seed: int = 0
    first_games: int = 6000  # with random decks
    rounds: int = 5
    changes: int = 8  # tried in a round
    trial_games: int = 200  # of each
    proof_games: int = 800  # before a change is taken
    final_games: int = 2000

    def check(self) -> None:
        for name in ("first_games", "trial_games", "proof_games", "final_games"):
            if getattr(self, name) < 2 or getattr(self, name) % 2:
                raise KaError(f"{name} {getattr(self, name)}: expected an even number, 2 or more")

    @property
    def setup(self) -> Setup:
        return Setup.parse(self.rules)

    def space(self) -> DeckSpace:
        """The decks there are to choose."""
        setup = self.setup
        spaces = study_room(setup.game).DECKS
        if setup.frame not in spaces:
            known = [f"{setup.ruleset}/{frame}" for frame in spaces]
            raise KaError(
                f"{self.rules}: no decks to choose there: expected {', '.join(known) or 'another game'}"
                f"{nearest(self.rules, known)}"
            )
        return spaces[setup.frame]

    @property
    def most_games(self) -> int:
        return (
            self.first_games + self.rounds * (self.changes * self.trial_games + self.proof_games) + 2 * self.final_games
        )


class Trials:
    """The trials of a search, those that were played before and those to come."""

    def __init__(self, path: str | Path, search: Search, after: Callable[[int], None] = lambda games: None) -> None:
        search.check()
        self.path, self.search, self.after = Path(path), search, after
        self.space = search.space()
        self._agents = [make_agent(search.agent) for _ in range(2)]
        self._db = _opened(self.path)
        settings = {key: value for key, value in asdict(search).items() if key in ("rules", "agent", "seed")}
        with self._db:
            self._db.execute("CREATE TABLE IF NOT EXISTS settings (value TEXT NOT NULL)")
            self._db.execute("CREATE TABLE IF NOT EXISTS trials (key TEXT PRIMARY KEY, scores BLOB, decks BLOB)")
            self._db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            there = self._db.execute("SELECT value FROM settings").fetchone()
            if there is None:
                self._db.execute("INSERT INTO settings VALUES (?)", [json.dumps(settings)])
            elif json.loads(there[0]) != settings:
                raise KaError(f"{self.path} holds another search: {there[0]}; choose another --store")

    def close(self) -> None:
        self._db.close()

    def play(self, what: str, one: Deck | str, two: Deck | str, games: int) -> tuple[np.ndarray, np.ndarray]:
        """Scores of deck `one` in so many games, half of them in each seat, and the decks of both (random ones too)."""
        text = [json.dumps(self.search.rules), self.search.agent, what, self.names(one), self.names(two), str(games)]
        key = "\n".join([*text, str(self.search.seed)])
        found = self._db.execute("SELECT scores, decks FROM trials WHERE key = ?", [key]).fetchone()
        if found is None:
            scores, decks = self._played(key, one, two, games)
            with self._db:
                packed = np.packbits(decks.reshape(-1)).tobytes()
                self._db.execute(
                    "INSERT INTO trials VALUES (?, ?, ?)", [key, scores.astype(np.uint8).tobytes(), packed]
                )
        else:
            scores = np.frombuffer(found[0], np.uint8)
            size = len(self.space.cards)
            decks = np.unpackbits(np.frombuffer(found[1], np.uint8))[: games * 2 * size].reshape(games, 2, size)
        self.after(games)
        return scores / 2, decks.astype(bool)

    def names(self, deck: Deck | str) -> str:
        return deck if isinstance(deck, str) else " ".join(self.space.cards[card] for card in deck)

    def _played(self, key: str, one: Deck | str, two: Deck | str, games: int) -> tuple[np.ndarray, np.ndarray]:
        """Twice the scores, so whole numbers, and the decks; deck `one` always first."""
        scores, decks = [], []
        for seat in range(2):
            left, part = games // 2, 0
            while left:
                count = min(left, SIDE_BY_SIDE)
                seed = int.from_bytes(
                    hashlib.blake2b(f"{key}\n{seat}\n{part}".encode(), digest_size=7).digest(), "little"
                )
                lists = [self.names(deck) or None for deck in ((one, two) if seat == 0 else (two, one))]
                setup = self.search.setup
                engine = BatchEngine(*setup[:2], num_games=count, seed=seed, deck0=lists[0], deck1=lists[1])
                held = self.space.held(engine.games)
                won = play_out(engine, self._agents, seed)
                scores.append(2 * (won if seat == 0 else 1 - won))
                decks.append(held if seat == 0 else held[:, ::-1])
                left, part = left - count, part + 1
        return np.concatenate(scores).round().astype(int), np.concatenate(decks)


def _opened(path: Path) -> sqlite3.Connection:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        db = sqlite3.connect(path)
        tables = db.execute("SELECT 1 FROM sqlite_master").fetchone()
        if tables and db.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
            raise KaError(f"{path}: an SQLite file, but no search for decks")
    except (sqlite3.Error, OSError) as error:
        raise KaError(f"{path}: {error}") from None
    return db


def play_out(engine: BatchEngine, agents: list[Agent], seed: int) -> np.ndarray:
    """Play all games to their end, agents by seat; the scores of seat 0."""
    luck = [separate_rng(seed, f"player {seat}") for seat in range(2)]
    every = np.arange(engine.num_games)
    for seat, agent in enumerate(agents):
        seeds = luck[seat].integers(2**64, size=len(every), dtype=np.uint64)
        agent.begin(every, np.full(len(every), seat, np.int8), seeds)
    while not engine.done.all():
        actions = np.full(engine.num_games, SKIP, np.int64)
        for seat, agent in enumerate(agents):
            games = np.flatnonzero(~engine.done & (engine.to_play == seat))
            if games.size:
                actions[games] = ask(agent, engine, games, partial(_seeds, luck[seat]))
        engine.step(actions)
    return (engine.rewards[:, 0].astype(float) + 1) / 2


def _seeds(luck: np.random.Generator, count: int) -> np.ndarray:
    return luck.integers(2**64, size=count, dtype=np.uint64)


def card_effects(scores: np.ndarray, decks: np.ndarray) -> list[Interval]:
    """What it is worth to have a card in the deck in place of an average one, by linear regression."""
    x = decks[:, 0].astype(float) - decks[:, 1].astype(float)
    y = scores - scores.mean()
    inverse = np.linalg.pinv(x.T @ x)
    effect = inverse @ (x.T @ y)
    rest = y - x @ effect
    error = np.sqrt(np.diag(inverse @ ((x * (rest**2)[:, None]).T @ x) @ inverse))
    count = decks.any(axis=1).sum(axis=0)
    return [
        Interval(float(e), float(e - 1.96 * s), float(e + 1.96 * s), int(n)) for e, s, n in zip(effect, error, count)
    ]


def search_decks(trials: Trials) -> dict[str, Any]:
    """The whole search; what it found, as figures."""
    search, space = trials.search, trials.space
    rng = separate_rng(search.seed, "changes of decks")
    scores, decks = trials.play("random decks", RANDOM, RANDOM, search.first_games)
    effects = card_effects(scores, decks)
    order = sorted(range(len(effects)), key=lambda card: -effects[card].value)
    first = best = tuple(sorted(order[: space.size]))
    taken = []
    for number in range(search.rounds):
        changes = [_changed(best, [effect.value for effect in effects], rng) for _ in range(search.changes)]
        rates = [trials.play(f"round {number}", deck, best, search.trial_games)[0].mean() for deck in changes]
        hopeful = changes[int(np.argmax(rates))]
        proof = _rate(trials.play(f"proof {number}", hopeful, best, search.proof_games)[0])
        if proof.low > 0.5:
            taken.append(
                {
                    "round": number + 1,
                    "in": _minus(hopeful, best, space),
                    "out": _minus(best, hopeful, space),
                    "won": proof.numbers(),
                }
            )
            best = hopeful
    final = {
        "random": _rate(trials.play("final, random decks", best, RANDOM, search.final_games)[0]).numbers(),
        "start": _rate(trials.play("final, first deck", best, first, search.final_games)[0]).numbers(),
    }
    return {
        "rules": search.rules,
        "agent": search.agent,
        "games": search.first_games,
        "cards": [{"card": space.cards[card], "effect": effects[card].numbers()} for card in order],
        "first_deck": [space.cards[card] for card in first],
        "taken": taken,
        "deck": [space.cards[card] for card in best],
        "left_out": [space.cards[card] for card in range(len(space.cards)) if card not in best],
        "final": final,
    }


def _rate(scores: np.ndarray) -> Interval:
    found = share_of(scores, np.arange(len(scores)))
    assert found is not None
    return found


def _minus(one: Deck, two: Deck, space: DeckSpace) -> list[str]:
    return [space.cards[card] for card in one if card not in two]


def _changed(deck: Deck, effects: list[float], rng: np.random.Generator) -> Deck:
    """One to three cards exchanged, sooner those whose worth speaks for it."""
    worth = np.array(effects)
    inside = np.array(deck)
    outside = np.array([card for card in range(len(effects)) if card not in deck])
    scale = worth.std() + 1e-9
    count = int(rng.integers(1, 4))

    def some(cards: np.ndarray, sign: float) -> np.ndarray:
        weight = np.exp(sign * worth[cards] / scale)
        return rng.choice(cards, size=min(count, len(cards)), replace=False, p=weight / weight.sum())

    gone, come = some(inside, -1.0), some(outside, 1.0)
    return tuple(sorted((set(deck) - set(gone.tolist())) | set(come.tolist())))


def find_decks(path: str | Path, search: Search, after: Callable[[int], None] = lambda games: None) -> dict[str, Any]:
    with closing(Trials(path, search, after)) as trials:
        return search_decks(trials)
