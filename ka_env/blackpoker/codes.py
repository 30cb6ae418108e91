"""The numbers behind the words: tokens and verbs (= action ids), requests on the stage.

Action ids, the same for every BlackPoker ruleset:
0-7 plain tokens, 8-47 verbs, 48-101 cards, 102-133 own units, 134-165 enemy units, 166-197 requests on the stage.
"""

from __future__ import annotations

# 0-7: plain tokens
PASS, DONE, YES, NO, DRIVE, CHARGE, ONE, TWO = range(8)

# 8-28: verbs; 29-47 are kept free for the verbs of pro and mast
END, ATTACK, BULWARK, SOLDIER, HERO, ACE, MAGICIAN, EQUIP = range(8, 16)
UP, DOWN, TWIST, COUNTER, SEARCH, RETURN = range(16, 22)
DESTROY, THROW, LANCE, FORTIFY, REANIMATE, STRIP, REVERSE = range(22, 29)

# requests that nobody announces: they are triggered and lie on the stage
DRAW, BLOCK, DAMAGE = range(48, 51)
ACTION_CODES = 51

FIRST_VERB, FIRST_CARD, FIRST_OWN, FIRST_ENEMY, FIRST_REQUEST, NUM_ACTIONS = 8, 48, 102, 134, 166, 198
SLOTS = 32
# `legal` of a record: one word of bits for each range of ids
LEGAL_WORDS, LEGAL_CARDS, LEGAL_OWN, LEGAL_ENEMY, LEGAL_REQUESTS = range(5)
STARTS = (0, FIRST_CARD, FIRST_OWN, FIRST_ENEMY, FIRST_REQUEST, NUM_ACTIONS)
STAGE = 32  # the stage holds at most this many requests (R28)
MAX_KEYS = 5  # of one request

WORDS = "pass done yes no drive charge one two".split()
VERBS = (
    "end attack bulwark soldier hero ace magician equip up down twist counter search return "
    "destroy throw lance fortify reanimate strip reverse"
).split()
TRIGGERED = "draw block damage".split()
ACTION_NAME = dict(enumerate(VERBS, FIRST_VERB)) | dict(zip((DRAW, BLOCK, DAMAGE), TRIGGERED))
ACTION_CODE = {name: code for code, name in ACTION_NAME.items()}

# who has passed since the last request or resolution; PASSED_BOTH only holds on an empty stage (R8)
PASSED_NONE, PASSED_0, PASSED_1, PASSED_BOTH = range(4)

# targets of requests: a unit is player * 32 + slot, a request 64 + index
NO_TARGET, GONE, FIRST_STAGE_TARGET = -1, -2, 64
