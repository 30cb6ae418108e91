"""Random positions for lockstep tests: they reach what random play from a deal hardly ever does
(armed soldiers, lances, known life cards, long stages, fog without links, battles in progress)."""

import itertools

from . import text as position_text
from .pro_positions import random_pro_position
from .state import Request, State, Unit
from .tables import (
    CARDS,
    IMMEDIATE,
    NEW_RULESETS,
    QUICK,
    UNIT_TARGET,
    VERBS,
    has_verb,
    in_card_order,
    is_joker,
    key_count,
    keys_fit,
    number,
    suit,
)


def random_position(ruleset, rng):
    """A text that reading accepts (it may begin with forced decisions)."""
    if ruleset in NEW_RULESETS:
        return random_pro_position(ruleset, rng)
    s = State(ruleset)
    s.turn = rng.randrange(2)
    pools = [rng.sample(CARDS, rng.choice([27, 40, 54])) for _ in (0, 1)]
    for p in (0, 1):
        for _ in range(rng.randrange(7)):
            _add_unit(s, p, pools[p], rng)
    _changes(s, pools, rng)
    _stage(s, pools, rng)
    for p in (0, 1):
        pool = pools[p]
        s.hand[p] = {pool.pop() for _ in range(min(rng.randrange(10), len(pool) - 1))}
        n = rng.randint(1, len(pool)) if rng.random() < 0.7 else rng.randint(1, min(5, len(pool)))
        s.life[p] = pool[:n]
        if rng.random() < 0.8:
            s.grave[p] = pool[n:]
    s.used = {w for w in ("bulwark", "attack") if rng.random() < 0.3}
    s.holder, passed = s.turn, None
    if s.stage or s.edition == "8.0":
        s.holder = rng.randrange(2)
        passed = rng.choice([None, 1 - s.holder])
        if not s.stage and s.holder == s.turn and rng.random() < 0.3:
            passed = "both"
    _knowledge(s, rng)
    s.show_visible()
    return position_text.write(s, s.holder, passed)


def _add_unit(s, p, pool, rng):
    slot = rng.choice([n for n in range(10) if n not in s.field[p]])
    soldier = rng.random() < 0.6
    first = pool.pop()
    if soldier and is_joker(first) and s.format == "lite":
        soldier = False
    cards = [first]
    if soldier and not is_joker(first) and rng.random() < 0.4:
        cards += [c for c in pool if suit(c) == suit(first)][: rng.randint(1, 3)]
    pool[:] = [c for c in pool if c not in cards]
    unit = Unit(p, slot, cards, soldier)
    unit.driven = rng.random() < 0.3
    unit.came = p == s.turn and rng.random() < 0.3
    s.field[p][slot] = unit


def _changes(s, pools, rng):
    soldiers = [u for p in (0, 1) for u in s.units(p) if u.soldier]
    for p in (0, 1):
        for _ in range(rng.choice([0, 0, 0, 1, 2, 3])):
            cards = [c for c in pools[p] if suit(c) in ("s", "h") and number(c) <= 10]
            if not cards:
                continue
            unit = rng.choice(soldiers + [None])
            change = number(cards[0]) * (1 if suit(cards[0]) == "h" else -1)
            if s.edition == "8.0":
                pools[p].remove(cards[0])
                s.fog[p][cards[0]] = unit
            if unit is not None:
                unit.change += change


def _stage(s, pools, rng):
    kind = rng.choice(["quiet", "quiet", "main", "main", "block", "damage", "draw", "responses"])
    if kind == "quiet":
        return
    if kind == "main":
        verbs = [v for v in VERBS if v not in QUICK and v not in IMMEDIATE]
        _push(s, s.turn, verbs, pools, rng)
    elif kind != "responses":
        s.stage.append(Request(s.turn, kind))
    if kind in ("block", "damage"):
        attackers = [u for u in s.units(s.turn) if u.soldier and rng.random() < 0.7]
        for a in attackers:
            a.attacker = True
            a.driven = rng.random() < 0.9
        if kind == "damage" and attackers:
            for u in s.units(1 - s.turn):
                a = rng.choice(attackers)
                others = [v for v in s.units(1 - s.turn) if v.blocks is a]
                if rng.random() < 0.6 and (not others or (u.soldier and others[0].soldier)):
                    u.blocks = a
                    u.driven = rng.random() < 0.2
    for _ in range(rng.choice([0, 0, 1, 1, 2, 3])):
        _push(s, rng.randrange(2), [v for v in QUICK if v not in IMMEDIATE], pools, rng)


def _push(s, player, verbs, pools, rng):
    verbs = [v for v in verbs if has_verb(s.edition, s.format, s.extra, v)]
    verb = rng.choice(verbs)
    few = rng.sample(pools[player], min(20, len(pools[player])))
    choices = [k for k in itertools.permutations(few, key_count(verb)) if keys_fit(verb, k)]
    targets = [None]
    if verb in UNIT_TARGET:
        units = [u for p in (0, 1) for u in s.units(p)]
        if verb in ("equip", "return", "reanimate") and rng.random() < 0.9:
            units = [u for u in units if u.owner == player]
        targets = units or [None]
    elif verb == "counter":
        targets = list(s.stage) or [None]
    if not choices:
        return
    keys = rng.choice(choices)
    pools[player][:] = [c for c in pools[player] if c not in keys]
    s.stage.append(Request(player, verb, keys, rng.choice(targets)))


def _knowledge(s, rng):
    for p in (0, 1):
        other = 1 - p
        share = rng.choice([0, 0.2, 0.6, 1])
        hidden = s.life[other] + s.grave[other] + in_card_order(s.hand[other])
        hidden += [u.cards[0] for u in s.units(other) if not u.soldier]
        s.known[p] = {c for c in hidden if rng.random() < share}
        share = rng.choice([0, 0, 0.2, 0.6])
        s.own[p] = {c for c in s.life[p] if rng.random() < share}
