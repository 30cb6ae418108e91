"""Writes the golden games: `python -m tests.bluemoon.goldens.make`. The same sources give the same files.

Games are played at random, with a liking for cards that no golden has shown yet, until together they show every card
with a text. Each turn has a comment that tells whose it is and how things stand.
"""

from __future__ import annotations

import random
from pathlib import Path

from ka_env.bluemoon import PEOPLES, Game
from ka_env.record import Record, Recorder

FOLDER = Path(__file__).parent
SEEDS = 40
SETUPS = [("base", f"{a}-{b}") for a, b in zip(PEOPLES, [*PEOPLES[4:], *PEOPLES[:4]])]
SETUPS += [("base+opt", "buka-pillar"), ("base+opt/match", "khind-aqua")]


def played(token: str) -> str:
    return token.lstrip("~+e")


def choose(game: Game, shown: set[str], rng: random.Random) -> str:
    legal = game.legal()
    weights = [
        0.3 if token in ("done", "no", "decline", "retreat") else 1 if played(token) in shown else 5 for token in legal
    ]
    return rng.choices(legal, weights)[0]


def play(ruleset: str, frame: str, seed: int, shown: set[str]) -> tuple[Record, set[str]]:
    rng = random.Random(f"{ruleset} {frame} {seed}")
    recorder = Recorder(Game.new(ruleset, frame, seed), seed=seed, players="random random")
    here: set[str] = set()
    while not recorder.game.over:
        token = choose(recorder.game, shown | here, rng)
        here |= {played(token), f"at {recorder.game.decision}"}
        recorder.play(token)
    return recorder.record(), here


def comments(record: Record) -> list[list[str]]:
    """Above each turn: whose it is, the fight, totals, dragons."""
    told: list[list[str]] = [[] for _ in record.turns]
    for step in record.steps():
        if not told[step.line]:
            s = step.before.state
            fight = ("no fight", "no fight", "in fire", "in earth")[s.fight]
            power = f" {s.total[0]}:{s.total[1]}" if s.fight > 1 else ""
            told[step.line].append(f"player {s.turn}: {fight}{power}, dragons {s.dragons[0]}:{s.dragons[1]}")
    return told


def main() -> None:
    shown: set[str] = set()
    for ruleset, frame in SETUPS:
        games = [play(ruleset, frame, seed, shown) for seed in range(SEEDS if "match" not in ruleset else 4)]
        record, here = max(games, key=lambda game: (len(game[1] - shown), -len(game[0].to_text())))
        shown |= here
        path = FOLDER / f"{ruleset.replace('/', '_')}_{frame}.bm"
        path.write_text(record.to_text(comments(record)), encoding="utf-8", newline="\n")
        print(path.name, len(here))


if __name__ == "__main__":
    main()
