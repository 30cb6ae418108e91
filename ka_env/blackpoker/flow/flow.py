"""The flow of a game: chance and passing, requests, resolving, triggers, win checks (section 6 of the rules)."""

from __future__ import annotations

from ka_env.blackpoker import actions
from ka_env.blackpoker.actions import charge, succession
from ka_env.blackpoker.codes import (
    FIRST_CARD,
    FIRST_OWN,
    MAX_KEYS,
    NO_TARGET,
    PASS,
    PASSED_0,
    PASSED_BOTH,
    PASSED_NONE,
)
from ka_env.blackpoker.deal import choose
from ka_env.blackpoker.decisions import (
    AT_CHANCE,
    AT_END,
    AT_KEY,
    AT_PAY_BULWARK,
    AT_PAY_DISCARD,
    AT_PAY_SACRIFICE,
    AT_TARGET,
    MAKING,
    SETTING_UP,
)
from ka_env.blackpoker.flow.costs import next_letter
from ka_env.blackpoker.flow.keys import keys_named
from ka_env.blackpoker.flow.stage import bury_keys, push, take_off, top
from ka_env.blackpoker.flow.targets import is_aimed, target_code, target_holds
from ka_env.blackpoker.flow.zones import State, bury, discard, kill, show_key, show_rare
from ka_env.blackpoker.flow.zones import damage as take_damage
from ka_env.blackpoker.rulesets import COST_B, COST_L, COST_S, RULES
from ka_env.engine.bits import BIT
from ka_env.engine.jit import kernel
from ka_env.engine.loops import DRAWN, RUNNING, WON_0


@kernel
def answer(s: State, action: int) -> None:
    kind = s.kind
    if kind == AT_CHANCE:
        if action == PASS:
            pass_chance(s)
        else:
            announce(s, action)
    elif MAKING & BIT[kind]:
        go_on_with_request(s, kind, action)
    elif SETTING_UP & BIT[kind]:
        choose(s, action - FIRST_CARD)
    elif actions.answer(s, kind, action):
        finish(s)


# ---- passing --------------------------------------------------------------------------------------------------------


@kernel
def pass_chance(s: State) -> None:
    other = 1 - s.player
    if s.passed != PASSED_0 + other:
        s.passed = PASSED_0 + s.player
        s.player = other
    elif s.stage_count > 0:
        resolve_top(s)
    else:
        s.passed = PASSED_BOTH  # R8
        s.player = s.turn


# ---- requests -------------------------------------------------------------------------------------------------------


@kernel
def announce(s: State, verb: int) -> None:
    s.passed = PASSED_NONE
    s.used |= BIT[verb] & RULES[s.ruleset].once
    s.verb = verb
    ask_next(s)


@kernel
def go_on_with_request(s: State, kind: int, action: int) -> None:
    """The requester has answered one question of the request."""
    p = s.player
    if kind == AT_TARGET:
        complete(s, target_code(p, action))
        return
    if kind == AT_PAY_BULWARK:
        slot = action - FIRST_OWN
        s.charged[p] &= ~BIT[slot]
        s.paid_slot = slot
        s.paid += 1
    elif kind == AT_PAY_SACRIFICE:
        slot = action - FIRST_OWN
        kill(s, p, slot)
        s.paid_slot = slot
        s.paid += 1
    elif kind == AT_PAY_DISCARD:
        discard(s, p, action - FIRST_CARD)
        s.paid += 1
    else:
        card = action - FIRST_CARD
        show_key(s, p, card)
        s.key[keys_named(s)] = card
    ask_next(s)


@kernel
def ask_next(s: State) -> None:
    """Costs left to right, then keys, then the target."""
    letter = next_letter(s)
    while letter == COST_L:
        take_damage(s, s.player, 1)
        s.paid += 1
        letter = next_letter(s)
    rules = RULES[s.ruleset]
    if letter == COST_B:
        s.kind = AT_PAY_BULWARK
    elif letter == COST_S:
        s.kind = AT_PAY_SACRIFICE
    elif letter:
        s.kind = AT_PAY_DISCARD
    elif rules.rare_keyed & BIT[s.verb]:
        s.key[0] = show_rare(s, s.player)
        ask_target(s)
    elif keys_named(s) < rules.keys[s.verb]:
        s.kind = AT_KEY
    else:
        ask_target(s)


@kernel
def ask_target(s: State) -> None:
    if is_aimed(RULES[s.ruleset].target[s.verb]):
        s.kind = AT_TARGET
    else:
        complete(s, NO_TARGET)


@kernel
def complete(s: State, target: int) -> None:
    """Everything is paid, shown and named: a normal request goes on the stage, an immediate one resolves.

    What an S has triggered comes now in 8.0, where such requests go on the stage, and after bj in 6.1, where it is
    immediate (R30).
    """
    if RULES[s.ruleset].normal & BIT[s.verb]:
        push(s, s.verb, s.player, target)
        clear_request(s)
        s.kind = AT_CHANCE
        trigger_check(s)
        return
    s.paid_slot = -1
    if actions.resolve(s, s.verb):
        finish(s)


@kernel
def clear_request(s: State) -> None:
    s.verb = -1
    s.paid = 0
    s.paid_slot = -1


# ---- resolving ------------------------------------------------------------------------------------------------------


@kernel
def resolve_top(s: State) -> None:
    s.passed = PASSED_NONE
    i = top(s)
    s.player = s.stage_player[i]
    if not target_holds(s, i) or actions.resolve(s, s.stage_action[i]):
        finish(s)


@kernel
def finish(s: State) -> None:
    """An effect is over; a request still being made is an immediate one."""
    if s.verb >= 0:
        bury_named_keys(s)
        clear_request(s)
    else:
        leave_stage(s)
    s.kind = AT_CHANCE
    win_check(s)
    trigger_check(s)


@kernel
def bury_named_keys(s: State) -> None:
    for k in range(MAX_KEYS):
        if s.key[k] >= 0:
            bury(s, s.player, s.key[k])
            s.key[k] = -1


@kernel
def leave_stage(s: State) -> None:
    """The request on top has been resolved; the turn player gets the chance. (An immediate one leaves it: R7.)"""
    i = top(s)
    bury_keys(s, i)
    take_off(s, i)
    s.player = s.turn


# ---- triggers and the win check -------------------------------------------------------------------------------------


@kernel
def trigger_check(s: State) -> None:
    """Triggered immediate requests resolve, the turn player's first; then triggered normal ones go on the stage."""
    while s.result == RUNNING:
        t = s.turn
        if s.charge_due:
            s.charge_due = 0
            charge.resolve(s)
        elif s.successions[t] > 0:
            succession.resolve(s, t)
        elif s.successions[1 - t] > 0:
            succession.resolve(s, 1 - t)
        else:
            break
        win_check(s)
    if s.result == RUNNING and s.push_due >= 0:
        push(s, s.push_due, s.turn, NO_TARGET)
        s.push_due = -1


@kernel
def win_check(s: State) -> None:
    """A player without life loses; with both at 0 the edition decides."""
    if s.life_count[0] > 0 and s.life_count[1] > 0:
        return
    if s.life_count[0] > 0:
        s.result = WON_0
    elif s.life_count[1] > 0:
        s.result = WON_0 + 1
    elif RULES[s.ruleset].both_at_zero_draws:
        s.result = DRAWN
    else:
        s.result = WON_0 + 1 - s.turn
    s.kind = AT_END
    s.player = -1
    s.passed = PASSED_NONE
    s.charge_due = 0  # whatever was still due no longer comes
    s.push_due = -1
    for q in range(2):
        s.successions[q] = 0
