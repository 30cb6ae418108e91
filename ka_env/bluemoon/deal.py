"""Setting up (section 16): decks, shuffles, the first six cards, who starts. Also the next game of a match (B6)."""

from __future__ import annotations

from ka_env.bluemoon.cards import ACHIEVE_MINUS, ACHIEVE_PLUS, AMOUNT, DECKS, WITH_ABILITY
from ka_env.bluemoon.chance import State, forget_events, pick_starter, shuffle
from ka_env.bluemoon.codes import AT_END, BEGIN, HAND_SIZE, MATCH_CRYSTALS, NO_FIGHT, NO_PHASE, START
from ka_env.bluemoon.flow.ask import forget_question
from ka_env.bluemoon.rulesets import LISTS, MATCH, RANDOM
from ka_env.bluemoon.zones import take_top
from ka_env.engine.bits import BIT, lowest, without_lowest
from ka_env.engine.jit import kernel
from ka_env.engine.loops import RUNNING, WON_0
from ka_env.engine.rng import roll

DECK_COUNT = len(DECKS)


@kernel
def choose_decks(s: State, deck_0: int, deck_1: int) -> None:
    """Decks that the frame leaves open are drawn at random, different from each other."""
    s.deck[0] = roll(s, DECK_COUNT) if deck_0 == RANDOM else deck_0
    if deck_1 == RANDOM:
        deck_1 = roll(s, DECK_COUNT - 1)
        deck_1 += deck_1 >= s.deck[0]
    s.deck[1] = deck_1


@kernel
def forget_turn(s: State) -> None:
    """The turn record is emptied."""
    for i in range(s.did.size):
        s.did[i] = 0
    for i in range(s.mark.size):
        s.mark[i] = 0
    s.groups = 0
    for q in range(2):
        s.used[q] = 0
        s.settled[q] = 0


@kernel
def clear_player(s: State, q: int) -> None:
    for zone in (s.hand, s.open, s.combat, s.covered, s.support, s.down, s.discard, s.feats, s.ships, s.landed):
        zone[q] = 0
    s.seen[q] = 0
    s.placed[q] = 0
    s.pile[q] = -1
    s.line[q] = -1
    s.row[q] = -1
    s.fleet[q] = -1
    s.cargo[q] = -1
    s.cargo_count[q] = 0
    s.lead[q] = -1
    s.pile_count[q] = 0
    s.line_count[q] = 0
    s.row_count[q] = 0
    s.fleet_count[q] = 0
    s.lead_count[q] = 0
    s.leader[q] = -1
    s.doubled[q] = -1
    s.dragons[q] = 0


@kernel
def lay_out(s: State) -> None:
    """A new game of the same decks: everything on the table is put away, both decks are shuffled, six cards drawn."""
    for q in range(2):
        clear_player(s, q)
        cards = LISTS[s.deck[q], s.ruleset]
        while cards:
            s.pile[q, s.pile_count[q]] = lowest(cards)
            s.pile_count[q] += 1
            cards = without_lowest(cards)
        shuffle(s, q)
    s.turn = pick_starter(s)
    for q in range(2):
        for _ in range(HAND_SIZE):
            s.hand[q] |= BIT[take_top(s, q)]
    s.out = -1
    s.hyla = -1
    s.hyla_owner = -1
    s.retreater = -1
    s.winner = -1
    s.fight = NO_FIGHT
    s.stale = 1
    s.due = 0
    forget_question(s)
    forget_turn(s)
    s.result = RUNNING
    s.phase = BEGIN
    s.point = START


@kernel
def new_game(s: State, deck_0: int, deck_1: int) -> None:
    """The first game, or the first of a match; the caller goes on from `point` to the first decision."""
    forget_events(s)
    s.script = -1
    s.misfit = 0
    s.trial = 0
    s.shown = 0
    s.crystals[0] = 0
    s.crystals[1] = 0
    choose_decks(s, deck_0, deck_1)
    lay_out(s)


@kernel
def feats(s: State, q: int, ability: int) -> int:
    """The sum over q's achievements in play of that kind."""
    total = 0
    cards = s.feats[q] & WITH_ABILITY[s.deck[q], ability]
    while cards:
        total += AMOUNT[s.deck[q], lowest(cards)]
        cards = without_lowest(cards)
    return total


@kernel
def close_game(s: State) -> None:
    """The winner gets crystals; then the next game of the match, or the end."""
    w = s.winner
    if s.trial:
        s.result = WON_0 + w
        return
    crystals = s.dragons[w] + 1 + feats(s, w, ACHIEVE_PLUS)
    crystals = max(1, crystals - feats(s, 1 - w, ACHIEVE_MINUS))
    s.crystals[w] += crystals
    if MATCH[s.ruleset]:
        s.crystals[w] = min(s.crystals[w], MATCH_CRYSTALS)
        if s.crystals[w] < MATCH_CRYSTALS:
            lay_out(s)
            return
    forget_question(s)
    forget_turn(s)
    s.due = 0
    s.retreater = -1
    s.result = WON_0 + w
    s.kind = AT_END
    s.player = -1
    s.turn = -1
    s.phase = NO_PHASE
    s.winner = -1
