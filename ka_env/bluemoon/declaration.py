"""Blue Moon as the rest of the house sees it."""

from __future__ import annotations

from typing import Any

import numpy as np

from ka_env.bluemoon import FRAMES, NAME, RULESETS, SUFFIX, TITLE, kernels
from ka_env.bluemoon.cards import DECKS
from ka_env.bluemoon.codes import KINDS, NUM_ACTIONS, WORDS
from ka_env.bluemoon.game import Game
from ka_env.bluemoon.knowledge.entities import ENTITIES
from ka_env.bluemoon.knowledge.observe import SECTIONS
from ka_env.bluemoon.rulesets import setting_of
from ka_env.bluemoon.state import blank
from ka_env.games import Cost, KaGame, Sides


def margins(records: np.ndarray) -> np.ndarray:
    """By how many crystals the winner of each finished game or match leads."""
    return np.abs(records["crystals"][:, 0].astype(int) - records["crystals"][:, 1])


def check(records: np.ndarray) -> None:
    from ka_env.bluemoon.text.check import check

    check(records)


def facts(records: np.ndarray) -> dict[str, np.ndarray]:
    """The crystals of both players."""
    return {"crystals": records["crystals"].astype(np.int64)}


def styles() -> Any:
    from ka_env.bluemoon import players

    return players


def search() -> Any:
    from ka_env.bluemoon.players import search

    return search


def things() -> Any:
    from ka_env.bluemoon.knowledge import things

    return things


def people() -> Any:
    from ka_env.bluemoon.people import screens

    return screens


def board() -> Any:
    from ka_env.bluemoon.people import board

    return board


def viewer() -> Any:
    from ka_env.bluemoon.people import viewer_data

    return viewer_data


def pages() -> Any:
    from ka_env.bluemoon.people import pages

    return pages


# What the numbers of an observation mean: `python -m tests.observed` makes this hash from fixed positions. When it
# changes, policies trained before are refused, and the environments' version goes up.
MEANING = "6f7f82f871c83767"

GAME = KaGame(
    name=NAME,
    title=TITLE,
    rulesets=RULESETS,
    frames=FRAMES,
    default_frame=lambda ruleset: "random",
    setting=setting_of,
    num_actions=NUM_ACTIONS,
    words=dict(enumerate(WORDS)),
    kinds=KINDS,
    blank=blank,
    sections=lambda ruleset: SECTIONS,
    entities=ENTITIES,
    kernels=kernels,
    Game=Game,
    suffix=SUFFIX,
    meaning=lambda ruleset: MEANING,
    styles=styles,
    search=search,
    things=things,
    people=people,
    board=board,
    viewer=viewer,
    pages=pages,
    margins=margins,
    check=check,
    facts=facts,
    costs=[Cost("completability", kernels.count_options, ["engage", "character", "support"])],
    sides=Sides("people", DECKS, lambda records: records["deck"].astype(np.int64)),
)
