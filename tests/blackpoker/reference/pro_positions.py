"""Random positions of pro, mast, the frames and setup.  They are made so that what hardly ever happens does:
five keys, redirect on redirect, targets above, court cards paid for an S, forces, traps, opened packs, full fields."""

from . import text as position_text
from .state import ALL, Request, State, Unit
from .tables import (
    CARDS,
    FROM_RARE,
    HAS_TARGET,
    MAST,
    NO_COUNTER,
    PLAYER_TARGET,
    PRO,
    REQUEST_TARGET,
    SLOTS,
    TRIGGERED,
    UNIT_TARGET,
    VERBS,
    has_pack,
    has_rare,
    has_verb,
    in_card_order,
    is_immediate,
    is_joker,
    is_low,
    is_quick,
    key_choices,
    key_count,
    number,
    suit,
)


def random_pro_position(ruleset, rng):
    """A text that reading accepts (it may begin with forced decisions)."""
    s = State(ruleset)
    s.turn = s.holder = rng.randrange(2)
    pools = [rng.sample(CARDS, rng.choice([36, 45, 54, 54])) for _ in (0, 1)]
    great = s.format == "mast" and rng.random() < 0.5  # the turn player can begin with a great action
    if great:
        pools[s.turn] = rng.sample(CARDS, len(CARDS))
        _great_hand(s, s.turn, pools[s.turn], rng)
    for p in (0, 1):
        _units(s, p, pools[p], rng)
    _fog(s, pools, rng)
    _force(s, pools[s.turn], rng)
    if not great:
        _stage(s, pools, rng)
    for p in (0, 1):
        _hand(s, p, pools[p], rng)
    for p in (0, 1):
        _frame_zones(s, p, pools[p], rng)
        _life_and_grave(s, p, pools[p], rng)
    s.used = {w for w in ("bulwark", "attack") if rng.random() < 0.3}
    passed = None if great else _chance(s, rng)
    _knowledge(s, rng)
    s.show_visible()
    return position_text.write(s, s.holder, passed)


def _verbs(s):
    return [v for v in VERBS if has_verb(s.edition, s.format, s.extra, v)]


def _take(pool, cards):
    pool[:] = [c for c in pool if c not in cards]
    return list(cards)


def _great_hand(s, p, pool, rng):
    """Keys of three actions of mast, and charged bulwarks to pay for them."""
    for verb in rng.sample(MAST, 3):
        keys = key_choices(verb, pool)
        if keys:
            s.hand[p].update(_take(pool, rng.choice(keys)))
    for slot in range(14, 14 + rng.randint(2, 4)):
        s.field[p][slot] = Unit(p, slot, _take(pool, [pool[-1]]), False)


# ---- field, fog, force ----


def _units(s, p, pool, rng):
    crowded = rng.random() < 0.06
    slots = range(SLOTS) if crowded else range(10)
    count = rng.choice([30, 31, 32]) if crowded else rng.randrange(8)
    for slot in rng.sample([n for n in slots if n not in s.field[p]], min(count, SLOTS - len(s.field[p]))):
        if len(pool) < 4:
            return
        _unit(s, p, slot, pool, rng, armed=0 if crowded else 0.4)
    if not crowded and rng.random() < 0.5:  # somebody who can pay BB
        for slot in rng.sample(range(10, 14), rng.randint(2, 4)):
            if len(pool) > 4:
                s.field[p][slot] = Unit(p, slot, _take(pool, [pool[-1]]), False)


def _unit(s, p, slot, pool, rng, armed):
    courts = [c for c in pool if c[0] in "XAJQK"]
    first = rng.choice(courts) if courts and rng.random() < 0.4 else pool[-1]
    soldier = rng.random() < 0.6 and not (is_joker(first) and s.format == "lite")
    cards = [first]
    if soldier and not is_joker(first) and rng.random() < armed:
        cards += [c for c in pool if suit(c) == suit(first) and c != first][: rng.randint(1, 3)]
    unit = Unit(p, slot, _take(pool, cards), soldier)
    unit.driven = rng.random() < 0.3
    unit.came = rng.random() < (0.3 if p == s.turn else 0.1)  # `quick` comes on the other's turn
    s.field[p][slot] = unit


def _fog(s, pools, rng):
    soldiers = [u for p in (0, 1) for u in s.units(p) if u.soldier]
    for p in (0, 1):
        for _ in range(rng.choice([0, 0, 0, 1, 2, 3])):
            cards = [c for c in pools[p] if suit(c) in ("s", "h") and is_low(c)]
            if len(pools[p]) < 4 or not cards:
                continue
            card, unit = cards[0], rng.choice([*soldiers, None])
            plus = s.extra == "setup" and suit(card) == "s" and unit is not None and rng.random() < 0.5
            if s.edition == "8.0":
                _take(pools[p], [card])
                s.fog[p][card] = unit
                if plus:
                    s.plus[p].add(card)
            if unit is not None:
                unit.change += number(card) if suit(card) == "h" or plus else -number(card)


def _force(s, pool, rng):
    if s.format != "mast" or rng.random() < 0.65:
        return
    if s.edition == "6.1":
        s.force = rng.choice([3, rng.randint(3, 19), rng.randint(20, 99)])
        return
    for keys in [key_choices("force", pool) for _ in range(rng.choice([1, 1, 2]))]:
        keys = [pair for pair in keys if set(pair) <= set(pool)]
        if keys and len(pool) > 5:
            for card in _take(pool, rng.choice(keys)):
                s.fog[s.turn][card] = ALL
                s.force += number(card)


def _frame_zones(s, p, pool, rng):
    if has_pack(s.extra):
        s.closed[p] = rng.random() < 0.6
        count = min(rng.choice([0, 1, 3, 14]), max(0, len(pool) - 4))
        s.pack[p] = set(_take(pool, rng.sample(pool, count)))
    used_up = any(r.player == p and r.verb in FROM_RARE for r in s.stage)  # R74
    if has_rare(s.extra) and not used_up and rng.random() < 0.7 and len(pool) > 4:
        twins = [c for c in pool if c in s.hand[1 - p] or any(c in r.keys for r in s.stage)]
        s.rare[p] = _take(pool, [rng.choice(twins if twins and rng.random() < 0.7 else pool)])[0]


# ---- stage ----


def _stage(s, pools, rng):
    kind = rng.choice(["quiet", "quiet", "main", "main", "block", "damage", "damage", "draw", "responses"])
    if kind == "quiet":
        return
    if kind == "main":
        verbs = [v for v in _verbs(s) if not is_quick(s.edition, v)]
        if rng.random() < 0.4:
            verbs = [v for v in verbs if v in MAST] or verbs
        _push(s, s.turn, verbs, pools, rng)
    elif kind != "responses":
        s.stage.append(Request(s.turn, kind))
    if kind in ("block", "damage"):
        _fight(s, kind, rng)
    for _ in range(rng.choice([0, 1, 1, 2, 3, 4])):
        _push(s, rng.randrange(2), [v for v in _verbs(s) if is_quick(s.edition, v)], pools, rng)
    for i in range(len(s.stage)):
        _aim(s, i, rng)


def _fight(s, kind, rng):
    attackers = [u for u in s.units(s.turn) if u.soldier and rng.random() < 0.7]
    for a in attackers:
        a.attacker = True
        a.driven = rng.random() < 0.9
    if kind == "block" or not attackers:
        return
    for u in s.units(1 - s.turn):
        a = rng.choice(attackers)
        others = [v for v in s.units(1 - s.turn) if v.blocks is a]
        if rng.random() < 0.6 and (not others or (u.soldier and others[0].soldier)):
            u.blocks = a
            u.driven = rng.random() < 0.2


def _push(s, player, verbs, pools, rng):
    """One of these actions, for which there are keys; its target comes later."""
    verbs = [v for v in verbs if not is_immediate(s.edition, v)]
    if player == s.turn:
        verbs = [v for v in verbs if v != "quick"]
    if rng.random() < 0.4:  # rather one that is aimed at a request, or has five keys
        verbs = [v for v in verbs if v in REQUEST_TARGET or v in PLAYER_TARGET] or verbs
    pool = pools[player]
    rng.shuffle(verbs)
    for verb in verbs:
        if verb in FROM_RARE:
            if any(r.player == player and r.verb in FROM_RARE for r in s.stage):
                continue  # R74
            theirs = [k for r in s.stage for k in r.keys if k in pool]
            keys = [(rng.choice(theirs if theirs and rng.random() < 0.85 else pool),)]
        else:
            keys = key_choices(verb, pool)
        if keys and len(pool) > key_count(verb) + 3:
            s.stage.append(Request(player, verb, _take(pool, rng.choice(keys))))
            return


def _aim(s, i, rng):
    """Mostly at what it may be aimed at; sometimes at nothing, or at what meets no condition (R77)."""
    r = s.stage[i]
    if r.verb in PLAYER_TARGET:
        r.target = rng.randrange(2)
    elif r.verb in UNIT_TARGET:
        units = [u for p in (0, 1) for u in s.units(p)]
        if r.verb in ("equip", "return", "reanimate") and rng.random() < 0.9:
            units = [u for u in units if u.owner == r.player]
        r.target = rng.choice([*units, *units, None])
    elif r.verb in REQUEST_TARGET:
        others = _requests_to_aim_at(s, i, rng)
        r.target = rng.choice([*others * 4, None])


def _requests_to_aim_at(s, i, rng):
    verb = s.stage[i].verb
    above = has_verb(s.edition, s.format, s.extra, "redirect") and rng.random() < 0.3
    others = [r for k, r in enumerate(s.stage) if k < i or (above and k > i)]
    if verb == "truce":
        return [r for r in s.stage[:i] if r.verb == "damage"]
    if verb == "counter":
        others = [r for r in others if r.verb not in NO_COUNTER]
    if rng.random() < 0.1:
        return others
    if verb == "redirect":
        return [r for r in others if r.verb in HAS_TARGET]
    return [r for r in others if r.verb not in TRIGGERED and 1 <= len(r.keys) <= 2]


# ---- the rest ----


def _hand(s, p, pool, rng):
    """Keys of a few actions of the ruleset, and some other cards."""
    hand = s.hand[p]
    verbs = _verbs(s)
    if rng.random() < 0.6:
        verbs = [v for v in verbs if v in (*PRO, *MAST, "reverse", "setup")] or verbs
    for verb in rng.sample(verbs, min(len(verbs), rng.randint(0, 4))):
        keys = key_choices(verb, pool) if verb not in FROM_RARE else []
        if keys and len(pool) > key_count(verb) + 1:
            hand.update(_take(pool, rng.choice(keys)))
    for _ in range(rng.choice([0, 1, 2, 5])):
        if len(pool) > 1:
            hand.add(pool.pop())


def _life_and_grave(s, p, pool, rng):
    short = rng.random() < 0.4
    n = rng.randint(1, min(10, len(pool)) if short else len(pool))
    s.life[p] = pool[:n]
    if rng.random() < 0.8:
        s.grave[p] = pool[n:]


def _chance(s, rng):
    """Sets the holder; who has passed."""
    if not s.stage and s.edition == "6.1":
        return None
    s.holder = rng.randrange(2)
    if not s.stage and s.holder == s.turn and rng.random() < 0.3:
        return "both"
    return rng.choice([None, 1 - s.holder])


def _knowledge(s, rng):
    for p in (0, 1):
        other = 1 - p
        share = rng.choice([0, 0.2, 0.6, 1])
        hidden = s.life[other] + s.grave[other] + in_card_order(s.hand[other])
        hidden += [u.cards[0] for u in s.units(other) if not u.soldier]
        s.known[p] = {c for c in hidden if rng.random() < share}
        share = rng.choice([0, 0, 0.2, 0.6])
        s.own[p] = {c for c in s.life[p] if rng.random() < share}
