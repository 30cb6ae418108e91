"""Writes the golden games: `python -m tests.blackpoker.goldens.make`; with `--words` only the comments change, with
`--new` only those that are missing are written.

For every ruleset and frame many games are played at random, with a liking for verbs that the game has not seen yet;
the one that shows most verbs and kinds of decision is kept; with a rich deck those seldom seen count most.
The same sources give the same files.
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
from tests.blackpoker.lists import GOLDENS, RICH_DECKS

FOLDER = Path(__file__).parent
SEEDS = 300
# Weights other than 1: small for tokens that cut things short, large for verbs that are seldom open.
LIKING = {"pass": 0.5, "end": 0.1, "done": 0.5, "search": 0.3, "magician": 20, "equip": 20, "lance": 20}
RARE = "quick reunion kill truce redirect bj rsf force rain recruit surprise raresummon trap setup".split()
LIKING |= dict.fromkeys(RARE, 20)
SELDOM = {"rsf", "bj", "recruit", "truce", "raredraw", "rain"}  # count most
# Of games with rich decks: cards are kept for what is rare.
PATIENT = {
    **dict.fromkeys(VERBS, 0.03),
    **{"pass": 3, "end": 1, "bulwark": 8, "attack": 1, "soldier": 0.3, "open": 0.2, "yes": 3, "no": 1, "done": 0.3},
    **dict.fromkeys(["bj", "rsf", "force", "rain", "recruit", "surprise", "truce", "raredraw"], 60),
    "rsf": 1000,
    "bj": 3,
}


def armed(game: Game, token: str) -> bool:
    """Does the token name a soldier of several cards? (Aimed at by `lance`, its owner has an order to choose.)"""
    if token[0] not in "ue" or not token[1:].isdigit():
        return False
    owner = game.player if token[0] == "u" else 1 - game.player
    return len(unit_cards(game.state, owner, int(token[1:]))) > 1


def weight(game: Game, token: str, seen: list[str], liking: dict[str, float]) -> float:
    if token in VERBS:
        return liking.get(token, 1.0) / (1 + seen.count(token))
    return liking.get(token, 10.0 if armed(game, token) else 1.0)


def choose(game: Game, seen: list[str], rng: random.Random, liking: dict[str, float]) -> str:
    legal = game.legal()
    return rng.choices(legal, [weight(game, token, seen, liking) for token in legal])[0]


def play(ruleset: str, frame: str, seed: int) -> tuple[Record, set[str]]:
    """A game, and the verbs and kinds of decision in it."""
    rng = random.Random(f"{ruleset} {frame} {seed}")
    deck = RICH_DECKS.get((ruleset, frame))
    liking = LIKING if deck is None else PATIENT
    game = Game.new(ruleset, frame, seed, deck, deck)
    recorder = Recorder(game, frame, seed, players="random random")
    tokens: list[str] = []
    kinds: set[str] = set()
    while not game.over:
        if game.setting_up:
            recorder.play(rng.choice(game.legal()))
            continue
        kinds.add(f"at {game.decision}")
        tokens.append(choose(game, tokens, rng, liking))
        recorder.play(tokens[-1])
    return recorder.record(), kinds | set(tokens) & set(VERBS)


def best_game(ruleset: str, frame: str) -> Record:
    games = [play(ruleset, frame, seed) for seed in range(SEEDS)]
    seldom = SELDOM if (ruleset, frame) in RICH_DECKS else set()

    def shows(game: tuple[Record, set[str]]) -> tuple[int, ...]:
        record, found = game
        return len({"rsf"} & seldom & found), len(seldom & found), len(found), -len(record.to_text())

    return max(games, key=shows)[0]


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
