"""The own turn on an empty stage: magic, a bulwark, summoning, when to attack, when to end."""

from __future__ import annotations

from ka_env.blackpoker.codes import (
    ACE,
    ATTACK,
    BULWARK,
    DESTROY,
    DOWN,
    END,
    EQUIP,
    FORTIFY,
    HERO,
    LANCE,
    LEGAL_WORDS,
    MAGICIAN,
    REANIMATE,
    REVERSE,
    SEARCH,
    SOLDIER,
    STRIP,
    THROW,
)
from ka_env.blackpoker.flow.zones import State
from ka_env.blackpoker.players import grand
from ka_env.blackpoker.players.appraise import (
    Temper,
    is_doomed,
    throw_reach,
)
from ka_env.blackpoker.players.fight import best_attack
from ka_env.blackpoker.players.magic import plan_pair, search_value
from ka_env.blackpoker.players.summon import best_summon, bulwark_value, magician_value, plan_equip
from ka_env.blackpoker.players.temper import WON
from ka_env.blackpoker.players.tricks import plan_down
from ka_env.blackpoker.rulesets import RULES
from ka_env.engine.bits import BIT
from ka_env.engine.jit import kernel


@kernel
def magic_choice(s: State, p: int, t: Temper) -> tuple[int, int]:
    """The magic that pays best in the own turn: points, verb; -1 if none pays."""
    best, choice = 0, -1
    for verb in (THROW, DESTROY, LANCE, FORTIFY, REANIMATE, STRIP, REVERSE):
        if s.legal[LEGAL_WORDS] & BIT[verb]:
            value, key, _, _ = plan_pair(s, p, verb, s.hand[p], s.hand[p], t)
            if key >= 0 and value > best:
                best, choice = value, verb
    if s.legal[LEGAL_WORDS] & BIT[DOWN]:
        value, key, _ = plan_down(s, p, s.hand[p], t)
        if key >= 0 and value > best:
            best, choice = value, DOWN
    if s.legal[LEGAL_WORDS] & BIT[SEARCH]:
        value = search_value(s, p, t)
        if value > best:
            best, choice = value, SEARCH
    return best, choice


@kernel
def summon_choice(s: State, p: int, words: int, t: Temper) -> tuple[int, int]:
    """The summoning or equipment that pays best: points, verb; -1 if none pays."""
    best, choice = 0, -1
    for verb in (SOLDIER, HERO, ACE):
        if words & BIT[verb]:
            value, _ = best_summon(s, p, verb, s.hand[p] & RULES[s.ruleset].first_key[verb], t)
            if value > best:
                best, choice = value, verb
    if words & BIT[EQUIP]:
        value, key, _ = plan_equip(s, p, s.hand[p], t)
        if key >= 0 and value > best:
            best, choice = value, EQUIP
    if words & BIT[MAGICIAN]:
        value = magician_value(s, p, t)
        if value > best:
            best, choice = value, MAGICIAN
    return best, choice


@kernel
def is_lethal_throw(s: State, p: int) -> bool:
    return is_doomed(s.life_count[1 - p] - throw_reach(s, p))


@kernel
def main_choice(s: State, p: int, t: Temper) -> int:
    """Win if you can; then magic, a bulwark, equipment, the attack, and only then those who can't attack yet."""
    words = s.legal[LEGAL_WORDS]
    if s.life_count[p] <= 1:
        words &= ~RULES[s.ruleset].needs_life[0]  # the last life card is never paid
    if words & BIT[THROW] and is_lethal_throw(s, p):
        return THROW
    attack = 0
    if words & BIT[ATTACK]:
        _, attack = best_attack(s, p, t)
        if attack >= WON:
            return ATTACK
    points, magic = magic_choice(s, p, t)
    if words & grand.MAIN_WORDS:
        free = grand.free_choice(s, p)
        if free >= 0:
            return free
        more, grand_magic = grand.grand_choice(s, p, t)
        if more > points:
            magic = grand_magic
    if magic >= 0:
        return magic
    if words & BIT[BULWARK] and bulwark_value(s, p, t) > 0:
        return BULWARK
    _, summon = summon_choice(s, p, words, t)
    if summon == EQUIP or summon == ACE:
        return summon
    if attack > t.attack:
        return ATTACK
    if summon >= 0:
        return summon
    return END
