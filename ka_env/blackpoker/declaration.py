"""BlackPoker as the rest of the house sees it."""

from __future__ import annotations

from typing import Any

import numpy as np

from ka_env.blackpoker import FRAMES, NAME, RULESETS, SUFFIX, TITLE, kernels
from ka_env.blackpoker.codes import FIRST_CARD, NUM_ACTIONS
from ka_env.blackpoker.deal import default_frame, setting_of
from ka_env.blackpoker.decisions import KINDS
from ka_env.blackpoker.game import Game
from ka_env.blackpoker.knowledge.observe import MORE_SECTIONS, SECTIONS, entities_of, sections_of
from ka_env.blackpoker.presets import PRESETS
from ka_env.blackpoker.state import blank
from ka_env.blackpoker.text.tokens import TOKENS
from ka_env.engine.loops import WON_0
from ka_env.games import KaGame, Standing


def margins(records: np.ndarray) -> np.ndarray:
    """How far the winner of each finished game was from losing: the life cards left; 0 for a draw."""
    winner = records["result"].astype(int) - WON_0
    lives = records["life_count"][np.arange(len(records)), np.clip(winner, 0, 1)]
    return np.where((winner == 0) | (winner == 1), lives, 0)


def standing(records: np.ndarray, players: np.ndarray) -> np.ndarray:
    """Life and units of both sides."""
    every = np.arange(len(records))
    lives = records["life_count"] / np.bitwise_count(records["deck"])
    units = np.minimum(np.bitwise_count(records["bulwarks"] | records["soldiers"]) / 8, 1)
    numbers = [counts[every, side] for counts in (lives, units) for side in (players, 1 - players)]
    return np.stack(numbers, axis=1).astype(np.float32)


def check(records: np.ndarray) -> None:
    from ka_env.blackpoker.text.check import check

    check(records)


def styles() -> Any:
    from ka_env.blackpoker import players

    return players


def search() -> Any:
    from ka_env.blackpoker.players import search

    return search


def things() -> Any:
    from ka_env.blackpoker.knowledge import things

    return things


def people() -> Any:
    from ka_env.blackpoker.people import screens

    return screens


def board() -> Any:
    from ka_env.blackpoker.people import board

    return board


def viewer() -> Any:
    from ka_env.blackpoker.people import viewer_data

    return viewer_data


def pages() -> Any:
    from ka_env.blackpoker.people import pages

    return pages


def matches() -> Any:
    from ka_env.blackpoker.match import TwoDecks

    return {"half27x2": TwoDecks}


# Far beyond any game. Turns are bounded by the cards drawn from life, also those that come back to it (below 600), the
# requests of a turn by key cards and bulwarks, the decisions of a request by its cards and the units on the field.
LONGEST = 1_000_000

# What the numbers of an observation mean, by its number of sections: `python -m tests.observed` makes these hashes from
# fixed positions. When one changes, policies trained before are refused, and the environments' version goes up.
MEANING = {len(SECTIONS): "b358363c49d853b3", len(MORE_SECTIONS): "9e7713611e346912"}

GAME = KaGame(
    name=NAME,
    title=TITLE,
    rulesets=RULESETS,
    frames=FRAMES,
    default_frame=default_frame,
    setting=setting_of,
    num_actions=NUM_ACTIONS,
    words={i: word for i, word in TOKENS.items() if i < FIRST_CARD},
    kinds=KINDS,
    blank=blank,
    sections=sections_of,
    entities=entities_of,
    kernels=kernels,
    Game=Game,
    suffix=SUFFIX,
    longest=LONGEST,
    meaning=lambda ruleset: MEANING[len(sections_of(ruleset))],
    measured=("8.0-lite/entry20", "6.1-std/full54"),
    styles=styles,
    search=search,
    things=things,
    people=people,
    board=board,
    viewer=viewer,
    pages=pages,
    margins=margins,
    standing=Standing(["own life", "enemy life", "own units", "enemy units"], standing),
    presets=PRESETS,
    matches=matches,
    check=check,
)
