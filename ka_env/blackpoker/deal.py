"""Setting up (section 9 of the rules): frames, deck lists, the deal and who starts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ka_env.blackpoker.cards import ALL, CARDS, ENTRY20, NAMES, NUMBER, card, card_set
from ka_env.blackpoker.codes import PASSED_NONE
from ka_env.blackpoker.decisions import AT_CHANCE, AT_FIRST_HAND, AT_RARE
from ka_env.blackpoker.flow.zones import State, bury, draw, make_soldier, place, shuffle_life, take_life
from ka_env.blackpoker.rulesets import PACK_FRAMES, RULES, ruleset_index, split
from ka_env.engine.bits import BIT, count, highest, lowest, without_lowest
from ka_env.engine.jit import kernel
from ka_env.engine.loops import RUNNING
from ka_env.engine.rng import roll
from ka_env.errors import NotationError, RulesetError, nearest

HAND = 7
CHOSEN = 3  # cards of the first hand that are chosen in the set-up of strategy
PACK = 14
MIN_DECK = 12
MIN_DECK_WITH_PACK = 40

ENTRY20_CARDS = card_set(card(name) for name in ENTRY20)

# frame: cards drawn at random for each player and game (0: a fixed list), and whether two units are preset
FRAMES = {"entry20": (0, True), "full54": (0, False), "deck40": (40, False), "half27": (27, False)}
FIXED_LISTS = {"entry20": ENTRY20_CARDS, "full54": ALL}
PUBLIC_LISTS = (ENTRY20_CARDS, ALL)  # deck lists that both players know


def read_deck(cards: str | Sequence[str | int], size: int = 0, least: int = MIN_DECK) -> int:
    """A deck list as a set. `size`: the frame wants exactly so many cards, `least`: at least so many."""
    words = cards.split() if isinstance(cards, str) else list(cards)
    deck = 0
    for word in words:
        try:
            index = card(word) if isinstance(word, str) else int(word)
        except NotationError as error:
            raise RulesetError(f"deck: {error}") from None
        if not 0 <= index < CARDS:
            raise RulesetError(f"deck: unknown card number {index}: expected 0 to {CARDS - 1}")
        if deck >> index & 1:
            raise RulesetError(f"deck: card {NAMES[index]} occurs twice; a deck has at most one of each card")
        deck |= 1 << index
    if size and len(words) != size:
        raise RulesetError(f"deck: {len(words)} cards given, but this frame has decks of exactly {size}")
    if len(words) < least:
        raise RulesetError(f"deck: {len(words)} cards given, expected at least {least}")
    return deck


def frames_of(ruleset: str) -> list[str]:
    """The frames a ruleset is dealt with: entry20 is lite's and std's; packs need decks of at least 40 cards."""
    parts = split(ruleset)
    if parts.frame in PACK_FRAMES:
        return ["full54", "deck40", "custom"]
    frames = [*FRAMES, "custom"]
    return frames if parts.format in ("lite", "std") else frames[1:]


def default_frame(ruleset: str) -> str:
    """entry20 is 8.0 lite's one official frame; everything else is played with full decks."""
    edition, fmt, _ = split(ruleset)
    return "entry20" if (edition.name, fmt) == ("8.0", "lite") else "full54"


def setting_of(
    ruleset: str,
    frame: str,
    deck0: str | Sequence[str | int] | None = None,
    deck1: str | Sequence[str | int] | None = None,
) -> np.ndarray:
    """The frame as the deal wants it: both lists (0 = drawn at random), how many cards to draw, preset units?"""
    ruleset_index(ruleset)
    choices = frames_of(ruleset)
    if frame not in (*FRAMES, "custom"):
        raise RulesetError(f"unknown frame {frame!r}: expected one of {', '.join(choices)}{nearest(frame, choices)}")
    if frame not in choices:
        raise RulesetError(f"{ruleset} is not dealt as {frame!r}: expected one of {', '.join(choices)}")
    drawn, preset = FRAMES.get(frame, (0, False))
    packs = split(ruleset).frame in PACK_FRAMES
    lists = [FIXED_LISTS.get(frame, 0)] * 2
    for i, given in enumerate((deck0, deck1)):
        if given is not None:
            if frame in FIXED_LISTS:
                raise RulesetError(
                    f"frame {frame!r} has a fixed deck list, but deck{i} was given; use frame 'custom' for own lists"
                )
            lists[i] = read_deck(given, drawn, MIN_DECK_WITH_PACK if packs else MIN_DECK)
        elif frame == "custom":
            raise RulesetError(f"frame 'custom' needs both deck lists; deck{i} is missing")
    return np.array([*lists, drawn, preset or packs], dtype=np.int64)


@kernel
def random_list(s: State, size: int) -> int:
    """`size` of the 54 cards."""
    cards = ALL
    for left in range(CARDS, size, -1):
        drop = roll(s, left)
        rest = cards
        for _ in range(drop):
            rest = without_lowest(rest)
        cards &= ~BIT[lowest(rest)]
    return cards


@kernel
def clear(s: State) -> None:
    """Back to an empty record; the ruleset, the decks and the random numbers stay."""
    s.used = 0
    s.picked = 0
    for q in range(2):
        s.hand[q] = 0
        s.fog[q] = 0
        s.fog_plus[q] = 0
        s.pack[q] = 0
        s.pack_closed[q] = 0
        s.rare[q] = -1
        s.seen[q] = 0
        s.placed[q] = 0
        s.bulwarks[q] = 0
        s.soldiers[q] = 0
        s.charged[q] = 0
        s.came[q] = 0
        s.haste[q] = 0
        s.attackers[q] = 0
        s.successions[q] = 0
        s.life_count[q] = 0
        s.grave_count[q] = 0
        s.sizes[q, :] = 0
        s.change[q, :] = 0
        s.bottom[q, :] = -1
        s.blocks[q, :] = -1
        s.life[q, :] = -1
        s.grave[q, :] = -1
        s.above[q, :] = -1
        s.fog_link[q, :] = -1
    s.force = 0
    s.kind = AT_CHANCE
    s.passed = PASSED_NONE
    s.result = RUNNING
    s.charge_due = 0
    s.push_due = -1
    s.verb = -1
    s.paid = 0
    s.paid_slot = -1
    s.attacker = -1
    s.ordered = 0
    s.order[:] = -1
    s.stage_count = 0
    s.stage_action[:] = -1
    s.stage_player[:] = -1
    s.stage_target[:] = -1
    s.stage_key[:, :] = -1
    s.key[:] = -1
    s.shuffled_by = -1
    s.shuffled_count = 0
    s.shuffled[:] = -1


@kernel
def preset_units(s: State, q: int) -> None:
    """The top life card is a bulwark, the next a soldier; both charged and not come this turn (R26)."""
    slot = place(s, q, take_life(s, q), True)
    s.bulwarks[q] |= BIT[slot]
    slot = place(s, q, take_life(s, q), True)
    make_soldier(s, q, slot)


@kernel
def lay_out(s: State, q: int, preset: bool) -> None:
    rules = RULES[s.ruleset]
    cards = s.deck[q] & ~s.first_hand[q]
    if s.rare_chosen[q] >= 0:
        cards &= ~BIT[s.rare_chosen[q]]
    n = 0
    while cards:
        s.life[q, n] = lowest(cards)
        cards = without_lowest(cards)
        n += 1
    s.life_count[q] = n
    shuffle_life(s, q)
    if rules.pack:
        lay_pack(s, q)
    if preset:
        preset_units(s, q)
    for _ in range(HAND - count(s.first_hand[q])):
        draw(s, q)
    s.hand[q] |= s.first_hand[q]
    s.rare[q] = s.rare_chosen[q]


@kernel
def lay_pack(s: State, q: int) -> None:
    for _ in range(PACK):
        s.pack[q] |= BIT[take_life(s, q)]
    s.pack_closed[q] = 1


@kernel
def decide_start(s: State) -> bool:
    """Both flip the top life card; the higher number starts and draws 1. False: it can't be decided (R25)."""
    while s.life_count[0] > 0 and s.life_count[1] > 0:
        flip0 = take_life(s, 0)
        bury(s, 0, flip0)
        flip1 = take_life(s, 1)
        bury(s, 1, flip1)
        if NUMBER[flip0] != NUMBER[flip1]:
            s.turn = 0 if NUMBER[flip0] > NUMBER[flip1] else 1
            s.player = s.turn
            draw(s, s.turn)
            return s.life_count[0] > 0 and s.life_count[1] > 0
    return False


@kernel
def deal(s: State, deck0: int, deck1: int, drawn: int, preset: bool) -> None:
    """A new game up to its first decision. A deck of 0 is drawn at random."""
    s.deck[0] = deck0 if deck0 else random_list(s, drawn)
    s.deck[1] = deck1 if deck1 else random_list(s, drawn)
    for q in range(2):
        s.first_hand[q] = 0
        s.rare_chosen[q] = -1
        s.surely[q] = 0
        s.never[q] = 0
        s.list_unknown[q] = 0
    if RULES[s.ruleset].rare:
        clear(s)
        s.turn = 0
        ask_choices(s, 0)
    else:
        lay_out_both(s, preset)


@kernel
def lay_out_both(s: State, preset: bool) -> None:
    """R25: a deal that fails is made again."""
    clear(s)
    for q in range(2):
        lay_out(s, q, preset)
    while not decide_start(s):
        clear(s)
        for q in range(2):
            lay_out(s, q, preset)


@kernel
def deal_setting(s: State, setting: Any) -> None:
    deal(s, setting[0], setting[1], setting[2], setting[3] != 0)


# ---- decisions of the set-up: player 0 makes them all, then player 1 (R55) -------------------------------------------


@kernel
def ask_choices(s: State, q: int) -> None:
    s.player = q
    s.kind = AT_FIRST_HAND if RULES[s.ruleset].strategy else AT_RARE


@kernel
def cards_to_choose(s: State) -> int:
    """Cards of the own deck not yet chosen; those of the first hand are named in ascending order."""
    chosen = s.first_hand[s.player]
    cards = s.deck[s.player] & ~chosen
    if s.kind == AT_RARE:
        return cards
    if chosen:
        cards &= ~(BIT[highest(chosen) + 1] - 1)
    for _ in range(CHOSEN - 1 - count(chosen)):
        cards &= ~BIT[highest(cards)]
    return cards


@kernel
def choose(s: State, card: int) -> None:
    p = s.player
    if s.kind == AT_FIRST_HAND:
        s.first_hand[p] |= BIT[card]
        if count(s.first_hand[p]) == CHOSEN:
            s.kind = AT_RARE
        return
    s.rare_chosen[p] = card
    if p == 0:
        ask_choices(s, 1)
    else:
        lay_out_both(s, True)
