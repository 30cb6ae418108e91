"""Action ids and the tokens of the notation, both ways."""

from __future__ import annotations

from ka_env.blackpoker.cards import CARDS, NAMES
from ka_env.blackpoker.codes import (
    ACTION_CODE,
    FIRST_CARD,
    FIRST_ENEMY,
    FIRST_OWN,
    FIRST_REQUEST,
    ME,
    NUM_ACTIONS,
    PLAYERS,
    SLOTS,
    STAGE,
    VERBS,
    WORDS,
)
from ka_env.errors import NotationError, nearest

TOKENS: dict[int, str] = dict(enumerate(WORDS))
TOKENS |= {ACTION_CODE[verb]: verb for verb in VERBS}
TOKENS |= {ME + i: word for i, word in enumerate(PLAYERS)}
TOKENS |= {FIRST_CARD + i: NAMES[i] for i in range(CARDS)}
TOKENS |= {FIRST_OWN + i: f"u{i}" for i in range(SLOTS)}
TOKENS |= {FIRST_ENEMY + i: f"e{i}" for i in range(SLOTS)}
TOKENS |= {FIRST_REQUEST + i: f"#{i}" for i in range(STAGE)}
IDS = {token: i for i, token in TOKENS.items()}


def token(action_id: int) -> str:
    """The token of an action id."""
    try:
        return TOKENS[action_id]
    except KeyError:
        what = "unused" if 0 <= action_id < NUM_ACTIONS else "out of range"
        raise NotationError(f"action id {action_id} is {what}: expected 0 to {NUM_ACTIONS - 1}") from None


def action_id(token: str) -> int:
    """The action id of a token."""
    try:
        return IDS[token]
    except KeyError:
        raise NotationError(
            f"unknown token {token!r}: expected a word, verb, card, u0-u31, e0-e31 or #0-#31{nearest(token, IDS)}"
        ) from None
