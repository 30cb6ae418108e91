"""The numbers behind the words: tokens and verbs (= action ids), requests on the stage.

Action ids, the same for every BlackPoker ruleset:
0-7 plain tokens, 8-44 verbs, 45-46 players, 47 unused, 48-101 cards, 102-133 own units, 134-165 enemy units,
166-197 requests on the stage.
"""

from __future__ import annotations

# 0-7: plain tokens
PASS, DONE, YES, NO, DRIVE, CHARGE, ONE, TWO = range(8)

# 8-44: verbs
END, ATTACK, BULWARK, SOLDIER, HERO, ACE, MAGICIAN, EQUIP = range(8, 16)
UP, DOWN, TWIST, COUNTER, SEARCH, RETURN = range(16, 22)
DESTROY, THROW, LANCE, FORTIFY, REANIMATE, STRIP, REVERSE = range(22, 29)
QUICK, REUNION, KILL, TRUCE, REDIRECT = range(29, 34)  # pro
BJ, RSF, FORCE, RAIN, RECRUIT, SURPRISE = range(34, 40)  # mast
OPEN, RAREDRAW, RARESUMMON, TRAP = range(40, 44)  # frames
SETUP = 44  # a variant
# 45, 46: the decider and the other player as targets; 47 is unused
ME, FOE = 45, 46

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
_VERBS = (
    "end attack bulwark soldier hero ace magician equip up down twist counter search return "
    "destroy throw lance fortify reanimate strip reverse quick reunion kill truce redirect "
    "bj rsf force rain recruit surprise open raredraw raresummon trap setup"
).split()  # ids 8-44
PLAYERS = "me foe".split()
TRIGGERED = "draw block damage".split()
ACTION_NAME = dict(enumerate(_VERBS, FIRST_VERB)) | dict(zip((DRAW, BLOCK, DAMAGE), TRIGGERED))
VERBS = [name for code, name in sorted(ACTION_NAME.items()) if code < FIRST_CARD]
ACTION_CODE = {name: code for code, name in ACTION_NAME.items()}

# who has passed since the last request or resolution; PASSED_BOTH only holds on an empty stage (R8)
PASSED_NONE, PASSED_0, PASSED_1, PASSED_BOTH = range(4)

# targets of requests: a unit is player * 32 + slot, a request 64 + index, a player 96 + number
NO_TARGET, GONE, FIRST_STAGE_TARGET, FIRST_PLAYER_TARGET = -1, -2, 64, 96
LINK_ALL = 64  # of a fog card: it acts on all soldiers of its owner (force)
