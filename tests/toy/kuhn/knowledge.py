"""What a player knows: the own card, and all that is open."""

from ka_env.engine.jit import kernel
from ka_env.engine.rng import roll
from ka_env.engine.sections import lay_out

SECTIONS = lay_out(
    ("card", 3, "own card: J, Q, K"),
    ("kind", 2, "kind of decision"),
    ("decides", 1, "1 if this player decides"),
    ("began", 1, "1 if this player began the hand"),
    ("chips", 1, "own chips ahead / 8"),
    ("left", 1, "hands after this one / 8"),
)
ENTITIES = {"table": ((6,), ["own card", "kind", "decides", "began", "own chips ahead", "hands left"])}


@kernel
def observe(s, p, row):
    row[:] = 0.0
    row[s.cards[p]] = 1.0
    row[3 + s.kind] = 1.0
    row[5] = s.player == p
    row[6] = s.turn == p
    row[7] = (s.chips if p == 0 else -s.chips) / 8
    row[8] = s.left / 8


@kernel
def entities(s, p, i, groups):
    table = groups[0][i]
    table[0] = s.cards[p]
    table[1] = s.kind
    table[2] = s.player == p
    table[3] = s.turn == p
    table[4] = s.chips if p == 0 else -s.chips
    table[5] = s.left


@kernel
def determinize(s, p):
    s.cards[1 - p] = (s.cards[p] + 1 + roll(s, 2)) % 3
