"""Every question of the game, and who answers it."""

from __future__ import annotations

from ka_env.blackpoker.actions.damage import blockers_of
from ka_env.blackpoker.codes import (
    ACE,
    BJ,
    BLOCK,
    BULWARK,
    CHARGE,
    COUNTER,
    DONE,
    DRIVE,
    EQUIP,
    FIRST_CARD,
    FIRST_OWN,
    HERO,
    LEGAL_CARDS,
    LEGAL_OWN,
    LEGAL_WORDS,
    NO,
    ONE,
    REUNION,
    REVERSE,
    SETUP,
    SLOTS,
    SOLDIER,
    TWO,
    UP,
    YES,
)
from ka_env.blackpoker.decisions import (
    AT_ATTACKERS,
    AT_BLOCKERS,
    AT_BULWARK_CARD,
    AT_CHANCE,
    AT_DISCARD,
    AT_DRAW_MORE,
    AT_FIRST_HAND,
    AT_FORTIFY,
    AT_GRAVE_CARD,
    AT_KEY,
    AT_LANCE_ORDER,
    AT_NEW_TARGET,
    AT_PACK_CARD,
    AT_PAY_BULWARK,
    AT_PAY_DISCARD,
    AT_PAY_SACRIFICE,
    AT_QUICK_FORM,
    AT_RARE,
    AT_RECRUIT_ORDER,
    AT_REVERSE_STATE,
    AT_SEARCH_CARD,
    AT_STRIP_CARD,
    AT_TARGET,
    AT_TWIST,
)
from ka_env.blackpoker.flow.legal import first_id
from ka_env.blackpoker.flow.stage import asking, target_of_top
from ka_env.blackpoker.flow.zones import State, pile_cards
from ka_env.blackpoker.players import frames, grand, mast, pro
from ka_env.blackpoker.players.appraise import (
    Temper,
    bulwark_worth,
    cheapest,
    dearest,
    highest_number,
    is_doomed,
    size_of,
    soldier_worth,
)
from ka_env.blackpoker.players.fight import best_attack, defend, killers, least_unit
from ka_env.blackpoker.players.magic import plan_pair, search_pick
from ka_env.blackpoker.players.summon import best_summon, bulwark_card, plan_equip
from ka_env.blackpoker.players.tricks import best_trick, is_on_stage, plan_trick
from ka_env.blackpoker.players.turn import main_choice
from ka_env.engine.bits import BIT, count, lowest, without_lowest
from ka_env.engine.jit import kernel
from ka_env.engine.loops import first_legal, is_legal

# ---- the questions of a request -------------------------------------------------------------------------------------


@kernel
def is_trick(verb: int) -> bool:
    return UP <= verb <= COUNTER or verb == SETUP


@kernel
def is_grand(s: State) -> bool:
    """Is the request being made one that grand.py plans?"""
    return s.verb > REVERSE or (s.verb == REVERSE and s.stage_count > 0)


@kernel
def planned_keys(s: State, p: int, t: Temper) -> int:
    """The hand cards meant as keys of the request being made."""
    if is_trick(s.verb):
        _, key, _ = plan_trick(s, p, s.verb, s.hand[p], t)
        return BIT[key] if key >= 0 else 0
    return 0


@kernel
def pay_discard(s: State, p: int, t: Temper) -> int:
    spare = s.legal[LEGAL_CARDS] & ~planned_keys(s, p, t)
    return FIRST_CARD + cheapest(spare if spare else s.legal[LEGAL_CARDS], t)


@kernel
def pay_bulwark(s: State, p: int, t: Temper) -> int:
    least, _ = least_unit(s, p, p, s.legal[LEGAL_OWN], t)
    return FIRST_OWN + least


@kernel
def name_key(s: State, p: int, t: Temper) -> int:
    """The card the plan wants; the plan is the one that led to the request."""
    verb = int(s.verb)
    cards = s.legal[LEGAL_CARDS]
    key = -1
    if is_trick(verb):
        _, key, _ = plan_trick(s, p, verb, cards, t)
    elif verb == EQUIP:
        _, key, _ = plan_equip(s, p, cards, t)
    elif is_grand(s):
        if s.key[0] >= 0:
            _, _, key, _ = grand.plan_grand(s, p, verb, BIT[s.key[0]], cards, t)
        else:
            _, key, _, _ = grand.plan_grand(s, p, verb, cards, s.hand[p], t)
    elif s.key[0] >= 0:
        _, _, key, _ = plan_pair(s, p, verb, BIT[s.key[0]], cards, t)
    elif verb == SOLDIER or verb == HERO:
        _, key = best_summon(s, p, verb, cards, t)
    else:
        _, key, _, _ = plan_pair(s, p, verb, cards, s.hand[p], t)
    return FIRST_CARD + (key if key >= 0 else cheapest(cards, t))


@kernel
def name_target(s: State, p: int, t: Temper) -> int:
    verb = int(s.verb)
    if is_trick(verb):
        _, _, target = plan_trick(s, p, verb, BIT[s.key[0]], t)
    elif verb == EQUIP:
        _, _, target = plan_equip(s, p, BIT[s.key[0]], t)
    elif is_grand(s):
        target = grand.grand_target(s, p, t)
    else:
        second = BIT[s.key[1]] if s.key[1] >= 0 else 0
        _, _, _, target = plan_pair(s, p, verb, BIT[s.key[0]], second, t)
    return target


# ---- attackers and blockers -----------------------------------------------------------------------------------------


@kernel
def name_attacker(s: State, p: int, t: Temper) -> int:
    """The attack was planned as a whole; its attackers are named in ascending order."""
    attackers, _ = best_attack(s, p, t)
    left = attackers & s.legal[LEGAL_OWN]
    return FIRST_OWN + lowest(left) if left else DONE


@kernel
def life_so_far(s: State, p: int) -> int:
    """The own life less what the attackers already let through will take."""
    life = int(s.life_count[p])
    slots = s.attackers[1 - p] & (BIT[s.attacker] - 1)
    while slots:
        slot = lowest(slots)
        slots = without_lowest(slots)
        if not blockers_of(s, p, slot):
            life -= max(size_of(s, 1 - p, slot, 1), 0)
    return life


@kernel
def join_block(s: State, p: int, size: int) -> int:
    """Soldiers already block: bring as many more as it takes to kill the attacker."""
    against = 0
    slots = blockers_of(s, p, s.attacker)
    while slots:
        against += size_of(s, p, lowest(slots), 1)
        slots = without_lowest(slots)
    if against > size:
        return DONE
    more = killers(s, p, s.legal[LEGAL_OWN], size - against, 1)
    return FIRST_OWN + lowest(more) if more else DONE


@kernel
def name_blocker(s: State, p: int, t: Temper) -> int:
    attacker = int(s.attacker)
    if blockers_of(s, p, attacker):
        return join_block(s, p, size_of(s, 1 - p, attacker, 1))
    attackers = s.attackers[1 - p] & ~(BIT[attacker] - 1)
    life = life_so_far(s, p)
    _, _, _, block = defend(s, p, p, attackers, s.legal[LEGAL_OWN], life, 1, attacker, t)
    return FIRST_OWN + lowest(block) if block else DONE


# ---- effects --------------------------------------------------------------------------------------------------------


@kernel
def draw_more(s: State, p: int, t: Temper) -> int:
    """A card for a life card: when the hand is poor and life is ample."""
    poor = count(s.hand[p]) < t.draw_hand
    return YES if poor and s.life_count[p] > t.draw_life else NO


@kernel
def is_own_target(s: State, p: int) -> bool:
    return target_of_top(s) // SLOTS == p


@kernel
def fortify_size(s: State, p: int, t: Temper) -> int:
    return TWO if s.life_count[p] > t.draw_life and not is_doomed(s.life_count[p] - 2) else ONE


@kernel
def answer_effect(s: State, p: int, kind: int, t: Temper) -> int:
    if kind == AT_DRAW_MORE:
        return draw_more(s, p, t)
    if kind == AT_TWIST or kind == AT_REVERSE_STATE:
        return CHARGE if is_own_target(s, p) else DRIVE
    if kind == AT_FORTIFY:
        return fortify_size(s, p, t)
    if kind == AT_DISCARD:
        return FIRST_CARD + cheapest(s.legal[LEGAL_CARDS], t)
    if kind == AT_BULWARK_CARD:
        return FIRST_CARD + bulwark_card(s, p, s.legal[LEGAL_CARDS], t)
    if kind == AT_SEARCH_CARD and asking(s) == BJ:
        life = pile_cards(s.life[p], s.life_count[p])
        return FIRST_CARD + grand.choose_card(s, p, mast.bj_wants(s, p, life, t), t)
    if kind == AT_SEARCH_CARD:
        return FIRST_CARD + search_pick(s, p, s.legal[LEGAL_CARDS], t)
    if kind == AT_GRAVE_CARD and asking(s) == REUNION:
        return FIRST_CARD + pro.reunion_pick(s, p, s.legal[LEGAL_CARDS], t)
    if kind == AT_GRAVE_CARD:
        return FIRST_CARD + highest_number(s.legal[LEGAL_CARDS])
    if kind == AT_STRIP_CARD or kind == AT_LANCE_ORDER:
        return FIRST_CARD + dearest(s.legal[LEGAL_CARDS], t)
    if kind == AT_QUICK_FORM:
        wall = is_on_stage(s, BLOCK) or bulwark_worth(count(s.bulwarks[p]), t) > soldier_worth(1, t)
        return BULWARK if wall else ACE
    if kind == AT_NEW_TARGET:
        return pro.new_target(s, p, t)
    if kind == AT_PACK_CARD:
        return FIRST_CARD + search_pick(s, p, s.legal[LEGAL_CARDS], t)
    if kind == AT_FIRST_HAND:
        return FIRST_CARD + grand.choose_card(s, p, frames.best_three(s.deck[p], t), t)
    if kind == AT_RECRUIT_ORDER or kind == AT_RARE:
        return FIRST_CARD + dearest(s.legal[LEGAL_CARDS], t)
    return -1


# ---- everything -----------------------------------------------------------------------------------------------------


@kernel
def at_chance(s: State, p: int, t: Temper) -> int:
    if p == s.turn and s.stage_count == 0:
        return main_choice(s, p, t)
    points, choice = best_trick(s, p, t)
    if s.legal[LEGAL_WORDS] & grand.QUICK_WORDS:
        more, grand_choice = grand.grand_response(s, p, t)
        if more > points:
            return grand_choice
    return choice


@kernel
def answer(s: State, p: int, t: Temper) -> int:
    kind = int(s.kind)
    if kind == AT_CHANCE:
        return at_chance(s, p, t)
    if kind == AT_PAY_BULWARK or kind == AT_PAY_SACRIFICE:
        return pay_bulwark(s, p, t)
    if kind == AT_PAY_DISCARD:
        return pay_discard(s, p, t)
    if kind == AT_KEY:
        return name_key(s, p, t)
    if kind == AT_TARGET:
        return name_target(s, p, t)
    if kind == AT_ATTACKERS:
        return name_attacker(s, p, t)
    if kind == AT_BLOCKERS:
        return name_blocker(s, p, t)
    return answer_effect(s, p, kind, t)


@kernel
def decide(s: State, p: int, t: Temper) -> int:
    """The action of a player with temper t; a plan that came to nothing gives way to the first legal action."""
    action = answer(s, p, t)
    return action if is_legal(s, first_id, action) else first_legal(s, first_id)
