"""The numbers behind the words: tokens (= action ids), decision kinds, phases, points of the flow, the turn record.

Action ids, the same for every deck: 0-12 words, 16-55 own card in slot 1-40, 56-95 the same face down (`~`),
96-135 loaded (`+`), 136-175 enemy card in slot 1-40 (`e`), 176-195 the enemy's face-down card 0-19 (`f`).
A card is its owner's slot minus one, so that sets of cards are the bits 0-39 of one int64.
"""

from __future__ import annotations

# 0-12: words
DONE, YES, NO, FIGHT, RETREAT, DECLINE, FIRE, EARTH, CHALLENGE, ACCEPT, HIDDEN, BOOSTERS, SUPPORTS = range(13)
WORDS = "done yes no fight retreat decline fire earth challenge accept hidden boosters supports".split()

CARDS = 40
FACE_DOWN = 20
FIRST_CARD, FIRST_BLUFF, FIRST_LOAD, FIRST_ENEMY, FIRST_FACE_DOWN, NUM_ACTIONS = 16, 56, 96, 136, 176, 196
STARTS = (0, 56, 96, 136, 196)  # first action id of each word of `legal`, and the end

# decision kinds, in the order of the notation; the first five are the main ones, one per phase
KINDS = (
    "begin leadership engage character support announce challenge may target keep which strip discard decline meet "
    "sacrifice shed bottom cargo ship take_back deck_card discard_card drop put_back caterpillar interfere feat"
).split()
(
    AT_BEGIN,
    AT_LEADERSHIP,
    AT_ENGAGE,
    AT_CHARACTER,
    AT_SUPPORT,
    AT_ANNOUNCE,
    AT_CHALLENGE,
    AT_MAY,
    AT_TARGET,
    AT_KEEP,
    AT_WHICH,
    AT_STRIP,
    AT_DISCARD,
    AT_DECLINE,
    AT_MEET,
    AT_SACRIFICE,
    AT_SHED,
    AT_BOTTOM,
    AT_CARGO,
    AT_SHIP,
    AT_TAKE_BACK,
    AT_DECK_CARD,
    AT_DISCARD_CARD,
    AT_DROP,
    AT_PUT_BACK,
    AT_CATERPILLAR,
    AT_INTERFERE,
    AT_FEAT,
) = range(28)
NO_QUESTION = -1  # between two decisions
AT_END = 28  # the game is over

# phases in which T decides; each has its main decision kind
PHASES = KINDS[:5]
BEGIN, LEADERSHIP, ENGAGE, CHARACTERS, SUPPORTING = range(5)
NO_PHASE = -1

# the fight
FIGHTS = "- open fire earth".split()
NO_FIGHT, OPENING, IN_FIRE, IN_EARTH = range(4)

# where the flow goes on when no question is open (flow/turn.py)
POINTS = (
    "start main played out demands texts_begin texts landed caterpillar power refresh turn_texts_begin turn_texts "
    "turn_end floods decline retreat retreat_demands retreat_end retreat_draw game_end"
).split()
(
    START,  # phase 0
    MAIN,  # the main decision of the phase
    PLAYED,  # a card lies in its area: steps 2-4 of playing it
    OUT,  # a ship taken out of the deck is played
    DEMANDS,  # step 6a
    TEXTS_BEGIN,  # step 6b
    TEXTS,
    LANDED,  # step 6c
    CATERPILLAR,  # step 6d
    POWER,  # phase 7
    REFRESH,  # phase 8
    TURN_TEXTS_BEGIN,  # step 9a
    TURN_TEXTS,
    TURN_END,  # step 9b
    FLOODS,  # step 9c
    DECLINED,  # the discards of a decline are done
    RETREATING,  # step 1 of a retreat
    RETREAT_DEMANDS,  # step 2
    RETREAT_END,  # steps 3-5
    RETREAT_DRAW,  # steps 6-8
    GAME_END,
) = range(21)

# the turn record: counters, marks
COUNTERS = "all area char c b s B S L h took".split()
D_ALL, D_AREA, D_CHAR, D_C, D_B, D_S, D_BOOSTERS, D_SUPPORTS, D_LOADS, D_HAND, D_TOOK = range(11)
MARKS = "lead stop next again landing".split()
M_LEAD, M_STOP, M_NEXT, M_AGAIN, M_LANDING = range(5)

# how a card found room (section 7), as flags
BY_FREE, BY_GROUP, COUNTED, GROUP_WORKS, FROM_SHIP = 1, 2, 4, 8, 16
BEGUN = 32  # the text has already done something: it can't be declined any longer

# chance events
SHUFFLE, HIT, FOUND, STARTER = range(1, 5)
EVENTS = ["", "shuffle", "hit", "found", "starter"]
EVENT_BYTES = 192  # room for the events between two decisions: at most three shuffles, a few single cards

HAND_SIZE = 6
MAX_DRAGONS = 3
MATCH_CRYSTALS = 5
