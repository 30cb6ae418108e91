"""Redirect (対象変更): the caster names a new target for another request, among those it could have (R36, R37)."""

from __future__ import annotations

from ka_env.blackpoker.codes import FIRST_PLAYER_TARGET, FIRST_STAGE_TARGET, FOE, ME, SLOTS
from ka_env.blackpoker.decisions import AT_NEW_TARGET
from ka_env.blackpoker.flow.stage import caster, target_of_top
from ka_env.blackpoker.flow.targets import enemy_targets, own_targets, request_targets, target_code
from ka_env.blackpoker.flow.zones import State
from ka_env.blackpoker.rulesets import RULES
from ka_env.blackpoker.rulesets.rows import A_PLAYER
from ka_env.engine.bits import BIT
from ka_env.engine.jit import kernel


@kernel
def moved(s: State) -> int:
    """Index of the request that gets a new target."""
    return target_of_top(s) - FIRST_STAGE_TARGET


@kernel
def resolve(s: State) -> bool:
    caster_ = caster(s)
    units = new_units(s, caster_) | new_units(s, 1 - caster_)
    if not units | new_requests(s) | new_players(s):
        return True
    s.kind = AT_NEW_TARGET
    return False


@kernel
def new_units(s: State, q: int) -> int:
    """Slots of q's units that may be the new target."""
    i = moved(s)
    controller = s.stage_player[i]
    target = RULES[s.ruleset].target[s.stage_action[i]]
    if q == controller:
        slots = own_targets(s, q, target, s.stage_key[i, 0])
    else:
        slots = enemy_targets(s, controller, target)
    old = s.stage_target[i]
    if 0 <= old < FIRST_STAGE_TARGET and old // SLOTS == q:
        slots &= ~BIT[old % SLOTS]
    return slots


@kernel
def new_requests(s: State) -> int:
    i = moved(s)
    found = request_targets(s, RULES[s.ruleset].target[s.stage_action[i]]) & ~BIT[i]
    old = s.stage_target[i]
    if FIRST_STAGE_TARGET <= old < FIRST_PLAYER_TARGET:
        found &= ~BIT[old - FIRST_STAGE_TARGET]
    return found


@kernel
def new_players(s: State) -> int:
    """The other player, as a word from the caster's side."""
    i = moved(s)
    if RULES[s.ruleset].target[s.stage_action[i]] != A_PLAYER:
        return 0
    return BIT[FOE] if s.stage_target[i] == FIRST_PLAYER_TARGET + caster(s) else BIT[ME]


@kernel
def answer(s: State, action: int) -> bool:
    s.stage_target[moved(s)] = target_code(caster(s), action)
    return True
