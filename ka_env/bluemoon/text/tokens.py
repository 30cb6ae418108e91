"""Tokens and action ids (notation, sections 1 and 6). Ids speak of deck slots, tokens of card codes."""

from __future__ import annotations

from ka_env.bluemoon.cards import CARD_OF, CODES, DECKS
from ka_env.bluemoon.codes import (
    CARDS,
    FACE_DOWN,
    FIRST_BLUFF,
    FIRST_CARD,
    FIRST_ENEMY,
    FIRST_FACE_DOWN,
    FIRST_LOAD,
    NUM_ACTIONS,
    WORDS,
)
from ka_env.errors import NotationError, nearest

_OWN = {"": FIRST_CARD, "~": FIRST_BLUFF, "+": FIRST_LOAD}
_FACE_DOWN = [f"f{number}" for number in range(FACE_DOWN)]


def token(action: int, own: int, enemy: int) -> str:
    """The token of an action id for a player with deck `own` against deck `enemy`."""
    if 0 <= action < len(WORDS):
        return WORDS[action]
    if FIRST_FACE_DOWN <= action < NUM_ACTIONS:
        return f"f{action - FIRST_FACE_DOWN}"
    for sign, first in (*_OWN.items(), ("e", FIRST_ENEMY)):
        deck = enemy if sign == "e" else own
        if first <= action < first + CARDS and CODES[deck][action - first]:
            return sign + CODES[deck][action - first]
    raise NotationError(f"action id {action} names no card of the decks {DECKS[own]} and {DECKS[enemy]}")


def action_id(word: str, own: int, enemy: int) -> int:
    """The id of a token for a player with deck `own` against deck `enemy`."""
    if word in WORDS:
        return WORDS.index(word)
    if word in _FACE_DOWN:
        return FIRST_FACE_DOWN + _FACE_DOWN.index(word)
    if word[:1] == "e" and word[1:] in CARD_OF[enemy]:
        return FIRST_ENEMY + CARD_OF[enemy][word[1:]]
    sign = word[:1] if word[:1] in ("~", "+") else ""
    if word[len(sign) :] in CARD_OF[own]:
        return _OWN[sign] + CARD_OF[own][word[len(sign) :]]
    known = [*WORDS, *CARD_OF[own], *(f"e{code}" for code in CARD_OF[enemy])]
    raise NotationError(
        f"unknown token {word!r}: expected a word, a card of the deck {DECKS[own]} (also with ~ or +), an enemy card "
        f"like e{CODES[enemy][0]} of the deck {DECKS[enemy]}, or f0-f{FACE_DOWN - 1}{nearest(word, known)}"
    )
