"""Writes the golden games: `python -m tests.blackpoker.goldens.make`; with `--words` only the comments change, with
`--new` only those that are missing are written.

For every ruleset and frame many games are played at random, with a liking for verbs that the game has not seen yet;
the one that shows most verbs and kinds of decision is kept. The same sources give the same files.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path

from ka_env import Game
from ka_env.blackpoker.codes import VERBS
from ka_env.blackpoker.people.story import told
from ka_env.blackpoker.text.notation import unit_cards
from ka_env.record import Record, Recorder, load
from tests.blackpoker.lists import GOLDENS

FOLDER = Path(__file__).parent
SEEDS = 300
# Weights other than 1: small for tokens that cut things short, large for verbs that are seldom open.
LIKING = {"pass": 0.5, "end": 0.1, "done": 0.5, "search": 0.3, "magician": 20, "equip": 20, "lance": 20}
RARE = "quick reunion kill truce redirect bj rsf force rain recruit surprise raresummon trap setup".split()
LIKING |= dict.fromkeys(RARE, 20)


def armed(game: Game, token: str) -> bool:
    """Does the token name a soldier of several cards? (Aimed at by `lance`, its owner has an order to choose.)"""
    if token[0] not in "ue" or not token[1:].isdigit():
        return False
    owner = game.player if token[0] == "u" else 1 - game.player
    return len(unit_cards(game.state, owner, int(token[1:]))) > 1


def weight(game: Game, token: str, seen: list[str]) -> float:
    if token in VERBS:
        return LIKING.get(token, 1.0) / (1 + seen.count(token))
    return LIKING.get(token, 10.0 if armed(game, token) else 1.0)


def choose(game: Game, seen: list[str], rng: random.Random) -> str:
    legal = game.legal()
    return rng.choices(legal, [weight(game, token, seen) for token in legal])[0]


def play(ruleset: str, frame: str, seed: int) -> tuple[Record, set[str]]:
    """A game, and the verbs and kinds of decision in it."""
    rng = random.Random(f"{ruleset} {frame} {seed}")
    game = Game.new(ruleset, frame, seed)
    recorder = Recorder(game, frame, seed, players="random random")
    tokens: list[str] = []
    kinds: set[str] = set()
    while not game.over:
        if game.setting_up:
            recorder.play(rng.choice(game.legal()))
            continue
        kinds.add(f"at {game.decision}")
        tokens.append(choose(game, tokens, rng))
        recorder.play(tokens[-1])
    return recorder.record(), kinds | set(tokens) & set(VERBS)


def best_game(ruleset: str, frame: str) -> Record:
    games = [play(ruleset, frame, seed) for seed in range(SEEDS)]
    return max(games, key=lambda game: (len(game[1]), -len(game[0].to_text())))[0]


def main() -> None:
    only_words = "--words" in sys.argv[1:]
    for ruleset, frame in GOLDENS:
        path = FOLDER / f"{ruleset}_{frame}.ka"
        if path.exists() and "--new" in sys.argv[1:]:
            continue
        record = load(path)[0] if only_words else best_game(ruleset, frame)
        path.write_text(told(record), encoding="utf-8", newline="\n")
        print(path.name)


if __name__ == "__main__":
    main()
