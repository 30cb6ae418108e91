"""The numbers of tokens (section 8)."""

from .tables import ACTION_ID, ACTIONS, TOKENS, UNUSED, VERBS

PINNED = {
    "pass": 0,
    "done": 1,
    "one": 6,
    "two": 7,
    "end": 8,
    "bulwark": 10,
    "ace": 13,
    "reverse": 28,
    "quick": 29,
    "reunion": 30,
    "kill": 31,
    "truce": 32,
    "redirect": 33,
    "bj": 34,
    "rsf": 35,
    "force": 36,
    "rain": 37,
    "recruit": 38,
    "surprise": 39,
    "open": 40,
    "raredraw": 41,
    "raresummon": 42,
    "trap": 43,
    "setup": 44,
    "me": 45,
    "foe": 46,
    "As": 48,
    "X2": 101,
    "u0": 102,
    "u31": 133,
    "e0": 134,
    "e31": 165,
    "#0": 166,
    "#31": 197,
}


def test_numbers():
    assert {token: ACTION_ID[token] for token in PINNED} == PINNED
    assert len(TOKENS) == ACTIONS == 198
    assert TOKENS[UNUSED] is None and len(ACTION_ID) == 197
    assert len(VERBS) == 37
