"""What `ka study` asks of BlackPoker: see ka_env/training/study/room.py."""

from __future__ import annotations

import numpy as np

from ka_env.blackpoker.cards import CARDS as CARD_COUNT
from ka_env.blackpoker.cards import NAMES
from ka_env.blackpoker.codes import ACTION_CODES, BLOCK, DAMAGE, DRAW, FIRST_CARD
from ka_env.blackpoker.codes import ATTACK as ATTACK_CODE
from ka_env.blackpoker.codes import THROW as THROW_CODE
from ka_env.blackpoker.deal import FRAMES
from ka_env.blackpoker.decisions import AT_ATTACKERS, AT_BLOCKERS, AT_DRAW_MORE
from ka_env.training.study.room import Ask, DeckSpace

CARDS = list(NAMES)
ENDINGS = ["an attack", "a throw", "drawing a card", "paying a cost", "something else"]
ATTACK, THROW, DRAWING, PAYING, OTHER = range(5)


def _members(sets: np.ndarray) -> np.ndarray:
    """Sets of cards (games x players) as games x players x cards."""
    return (sets[:, :, None] >> np.arange(CARD_COUNT, dtype=np.int64) & 1).astype(bool)


def first_hands(records: np.ndarray) -> np.ndarray:
    """Which cards each player holds."""
    return _members(records["hand"])


def decks(records: np.ndarray) -> np.ndarray:
    return _members(records["deck"])


DECKS = {frame: DeckSpace(CARDS, size, decks) for frame, (size, _) in FRAMES.items() if frame == "deck40"}


def endings(before: np.ndarray, actions: np.ndarray, after: np.ndarray) -> np.ndarray:
    """What took the last life: by what was under way at the last decision, after which there was nothing to decide."""
    involved = _involved(before, actions)
    loser = np.where(after["life_count"][:, 0] > after["life_count"][:, 1], 1, 0)
    begun = (before["turn"] != after["turn"]) & (after["turn"] == loser)
    found = np.full(len(before), OTHER)
    found[after["turn"] == loser] = PAYING
    found[involved[:, THROW_CODE]] = THROW
    fighting = np.isin(before["kind"], (AT_ATTACKERS, AT_BLOCKERS))
    found[involved[:, [ATTACK_CODE, BLOCK, DAMAGE]].any(axis=1) | fighting] = ATTACK
    found[begun | involved[:, DRAW] | (before["kind"] == AT_DRAW_MORE)] = DRAWING
    return found


def _involved(before: np.ndarray, actions: np.ndarray) -> np.ndarray:
    """Games x action codes: on the stage, being made, or announced just now."""
    found = np.zeros((len(before), ACTION_CODES), bool)
    games = np.arange(len(before))
    for i in range(before["stage_action"].shape[1]):
        there = before["stage_count"] > i
        found[games[there], before["stage_action"][there, i]] = True
    for codes in (before["verb"].astype(int), np.where(actions < FIRST_CARD, actions, -1)):
        found[games[codes >= 0], codes[codes >= 0]] = True
    return found


def _own(records: np.ndarray) -> dict[str, np.ndarray]:
    games, player = np.arange(len(records)), records["player"].astype(int)
    hand = np.bitwise_count(records["hand"][games, player])
    return {"life": records["life_count"][games, player].astype(int), "hand": hand.astype(int)}


QUESTIONS = [Ask("draw_more", "When to draw two", "yes", "draw the second card", _own)]
