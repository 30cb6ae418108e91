"""Everything beyond std: which action of pro, mast or a frame pays best, and the answers while it is announced."""

from __future__ import annotations

from ka_env.blackpoker.codes import (
    BJ,
    FOE,
    FORCE,
    KILL,
    LEGAL_CARDS,
    LEGAL_WORDS,
    ME,
    OPEN,
    QUICK,
    RAIN,
    RAREDRAW,
    RARESUMMON,
    RECRUIT,
    REDIRECT,
    REUNION,
    REVERSE,
    RSF,
    SURPRISE,
    TRAP,
    TRUCE,
)
from ka_env.blackpoker.flow.zones import State
from ka_env.blackpoker.players.appraise import (
    Temper,
    dearest,
)
from ka_env.blackpoker.players.frames import raresummon_value, trap_plan
from ka_env.blackpoker.players.magic import Pair
from ka_env.blackpoker.players.mast import plan_bj, plan_force, plan_rain, plan_recruit, plan_surprise
from ka_env.blackpoker.players.pro import plan_kill, plan_redirect, plan_release, plan_reunion, plan_truce, quick_value
from ka_env.blackpoker.players.temper import WON
from ka_env.engine.bits import BIT, lowest
from ka_env.engine.jit import kernel

MAIN_VERBS = (KILL, REUNION, FORCE, RAIN, RECRUIT, SURPRISE, BJ)
QUICK_VERBS = (KILL, TRUCE, REDIRECT, REVERSE, REUNION)
MAIN_WORDS = sum(1 << verb for verb in (*MAIN_VERBS, RSF, OPEN, RAREDRAW, RARESUMMON))
QUICK_WORDS = sum(1 << verb for verb in (*QUICK_VERBS, QUICK, RSF, TRAP))


@kernel
def plan_grand(s: State, p: int, verb: int, first: int, second: int, t: Temper) -> Pair:
    """The best way to use a verb of pro or mast that has two keys."""
    if verb == KILL:
        return plan_kill(s, p, first, second, t)
    if verb == TRUCE:
        return plan_truce(s, p, first, second, t)
    if verb == REDIRECT:
        return plan_redirect(s, p, first, second, t)
    if verb == REVERSE:
        return plan_release(s, p, first, second, t)
    if verb == REUNION:
        return plan_reunion(s, p, first, second, t)
    if verb == FORCE:
        return plan_force(s, p, first, second, t)
    if verb == RAIN:
        return plan_rain(s, p, first, second, t)
    if verb == RECRUIT:
        return plan_recruit(s, p, first, second, t)
    if verb == SURPRISE:
        return plan_surprise(s, p, first, second, t)
    if verb == BJ:
        return plan_bj(s, p, first, second, t)
    return 0, -1, -1, -1


@kernel
def free_choice(s: State, p: int) -> int:
    """What costs nothing and always pays: the pack, the rare card to hand, 40 damage; -1 if there is nothing."""
    words = s.legal[LEGAL_WORDS]
    if words & BIT[RSF]:
        return RSF
    if words & BIT[OPEN]:
        return OPEN
    if words & BIT[RAREDRAW]:
        return RAREDRAW
    return -1


@kernel
def grand_choice(s: State, p: int, t: Temper) -> tuple[int, int]:
    """In the own turn: points, verb; -1 if none pays."""
    best, choice = 0, -1
    words = s.legal[LEGAL_WORDS]
    for verb in MAIN_VERBS:
        if words & BIT[verb]:
            value, key, _, _ = plan_grand(s, p, verb, s.hand[p], s.hand[p], t)
            if key >= 0 and value > best:
                best, choice = value, verb
    if words & BIT[RARESUMMON]:
        value = raresummon_value(s, p, t)
        if value > best:
            best, choice = value, RARESUMMON
    return best, choice


@kernel
def grand_response(s: State, p: int, t: Temper) -> tuple[int, int]:
    """At other times."""
    best, choice = 0, -1
    words = s.legal[LEGAL_WORDS]
    if words & BIT[RSF]:
        return WON, RSF
    for verb in QUICK_VERBS:
        if words & BIT[verb]:
            value, key, _, _ = plan_grand(s, p, verb, s.hand[p], s.hand[p], t)
            if key >= 0 and value > best:
                best, choice = value, verb
    if words & BIT[QUICK]:
        value = quick_value(s, p, t)
        if value > best:
            best, choice = value, QUICK
    if words & BIT[TRAP]:
        value, target = trap_plan(s, p, s.rare[p], t)
        if target >= 0 and value > best:
            best, choice = value, TRAP
    return best, choice


@kernel
def grand_target(s: State, p: int, t: Temper) -> int:
    verb = int(s.verb)
    if verb == RSF:
        return FOE if s.legal[LEGAL_WORDS] & BIT[FOE] else ME
    if verb == TRAP:
        _, target = trap_plan(s, p, s.key[0], t)
        return target
    second = BIT[s.key[1]] if s.key[1] >= 0 else 0
    _, _, _, target = plan_grand(s, p, verb, BIT[s.key[0]], second, t)
    return target


@kernel
def choose_card(s: State, p: int, wanted: int, t: Temper) -> int:
    """The lowest of the wanted cards that may be named now, else the dearest that may."""
    cards = s.legal[LEGAL_CARDS]
    return lowest(cards & wanted) if cards & wanted else dearest(cards, t)
