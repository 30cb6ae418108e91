"""Action ids (notation, section 6) and their tokens. Inside the reference every option is such an id."""

from __future__ import annotations

from .cards import slots_by_code
from .state import State

WORDS = "done yes no fight retreat decline fire earth challenge accept hidden boosters supports".split()
DONE, YES, NO, FIGHT, RETREAT, DECLINE, FIRE, EARTH, CHALLENGE, ACCEPT, HIDDEN, BOOSTERS, SUPPORTS = range(13)
OWN, BLUFF, LOAD, ENEMY = 15, 55, 95, 135  # + slot 1–40
FACE_DOWN, FACE_DOWNS = 176, 20
ACTIONS = 196


def own(slot: int) -> int:
    return OWN + slot


def slot_of(action: int) -> int:
    """The slot a card action speaks of."""
    return (action - OWN - 1) % 40 + 1


def is_card(action: int) -> bool:
    return OWN < action <= OWN + 40


def is_bluff(action: int) -> bool:
    return BLUFF < action <= BLUFF + 40


def is_load(action: int) -> bool:
    return LOAD < action <= LOAD + 40


def is_enemy(action: int) -> bool:
    return ENEMY < action <= ENEMY + 40


def token_of(s: State, player: int, action: int) -> str:
    if 0 <= action < len(WORDS):
        return WORDS[action]
    if FACE_DOWN <= action < FACE_DOWN + FACE_DOWNS:
        return f"f{action - FACE_DOWN}"
    if OWN < action < FACE_DOWN:
        base = (action - OWN - 1) // 40
        owner = 1 - player if base == 3 else player
        card = s.cards[owner][slot_of(action)]
        if card is not None:
            return ("", "~", "+", "e")[base] + card.code
    raise ValueError(f"action {action} names nothing for player {player}")


def action_of(s: State, player: int, token: str) -> int:
    if token in WORDS:
        return WORDS.index(token)
    if token[:1] == "f" and token[1:].isdecimal() and int(token[1:]) < FACE_DOWNS:
        return FACE_DOWN + int(token[1:])
    base = {"~": BLUFF, "+": LOAD, "e": ENEMY}.get(token[:1], OWN)
    code = token if base == OWN else token[1:]
    owner = 1 - player if base == ENEMY else player
    slots = slots_by_code(s.decks[owner], s.opt, s.match)
    if code not in slots:
        raise ValueError(f"{token} names nothing for player {player}")
    return base + slots[code]
