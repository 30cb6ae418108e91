"""One file per action (summonings share one): what happens when it resolves.

`resolve(s)` starts the effect of the request on top of the stage (of an immediate action: of the request being made).
It returns True when the effect is over, False when it asks for a decision; then `answer(s, choice)` goes on with what
was chosen and returns the same. Where the row of that decision (decisions.py) can't say it, `options(s)` is what may be
chosen, and `fits(s)` whether a decision read from a text fits its position. When an action may be
requested, and at what it may be aimed, is data: see rulesets/.

Below, each of the four finds the action's file: the only place that knows them all.
"""

from __future__ import annotations

from ka_env.blackpoker import codes, decisions
from ka_env.blackpoker.actions import (
    attack,
    bj,
    block,
    bulwark,
    counter,
    damage,
    destroy,
    down,
    draw,
    end,
    equip,
    force,
    fortify,
    kill,
    lance,
    open,
    quick,
    rain,
    raredraw,
    reanimate,
    recruit,
    redirect,
    return_,
    reunion,
    reverse,
    rsf,
    search,
    setup,
    strip,
    summon,
    surprise,
    throw,
    trap,
    truce,
    twist,
    up,
)
from ka_env.blackpoker.flow.stage import asking
from ka_env.blackpoker.flow.zones import State
from ka_env.engine.jit import kernel


@kernel
def resolve(s: State, action: int) -> bool:
    """True when the effect is over, False when it waits for an answer."""
    if action == codes.END:
        return end.resolve(s)
    if action == codes.ATTACK:
        return attack.resolve(s)
    if action == codes.DRAW:
        return draw.resolve(s)
    if action == codes.BLOCK:
        return block.resolve(s)
    if action == codes.DAMAGE:
        return damage.resolve(s)
    if action == codes.BULWARK:
        return bulwark.resolve(s)
    if codes.SOLDIER <= action <= codes.MAGICIAN or action == codes.RARESUMMON:
        return summon.resolve(s)
    if action == codes.EQUIP:
        return equip.resolve(s)
    if action == codes.UP:
        return up.resolve(s)
    if action == codes.DOWN:
        return down.resolve(s)
    if action == codes.TWIST:
        return twist.resolve(s)
    if action == codes.COUNTER:
        return counter.resolve(s)
    if action == codes.SEARCH:
        return search.resolve(s)
    if action == codes.RETURN:
        return return_.resolve(s)
    if action == codes.DESTROY:
        return destroy.resolve(s)
    if action == codes.THROW:
        return throw.resolve(s)
    if action == codes.LANCE:
        return lance.resolve(s)
    if action == codes.FORTIFY:
        return fortify.resolve(s)
    if action == codes.REANIMATE:
        return reanimate.resolve(s)
    if action == codes.STRIP:
        return strip.resolve(s)
    if action == codes.REVERSE:
        return reverse.resolve(s)
    if action == codes.QUICK:
        return quick.resolve(s)
    if action == codes.REUNION:
        return reunion.resolve(s)
    if action == codes.KILL:
        return kill.resolve(s)
    if action == codes.TRUCE:
        return truce.resolve(s)
    if action == codes.REDIRECT:
        return redirect.resolve(s)
    if action == codes.BJ:
        return bj.resolve(s)
    if action == codes.RSF:
        return rsf.resolve(s)
    if action == codes.FORCE:
        return force.resolve(s)
    if action == codes.RAIN:
        return rain.resolve(s)
    if action == codes.RECRUIT:
        return recruit.resolve(s)
    if action == codes.SURPRISE:
        return surprise.resolve(s)
    if action == codes.OPEN:
        return open.resolve(s)
    if action == codes.RAREDRAW:
        return raredraw.resolve(s)
    if action == codes.TRAP:
        return trap.resolve(s)
    return setup.resolve(s)


@kernel
def answer(s: State, kind: int, action: int) -> bool:
    """The same, after an answer: words keep their id, cards and slots count from 0, done is -1."""
    if kind == decisions.AT_BULWARK_CARD:
        return bulwark.answer(s, action - codes.FIRST_CARD)
    if kind == decisions.AT_DISCARD:
        return end.answer(s, action - codes.FIRST_CARD)
    if kind == decisions.AT_DRAW_MORE:
        return draw.answer(s, action)
    if kind == decisions.AT_ATTACKERS:
        return attack.answer(s, max(action - codes.FIRST_OWN, -1))
    if kind == decisions.AT_BLOCKERS:
        return block.answer(s, max(action - codes.FIRST_OWN, -1))
    if kind == decisions.AT_TWIST:
        return twist.answer(s, action)
    if kind == decisions.AT_SEARCH_CARD:
        if asking(s) == codes.BJ:
            return bj.answer(s, max(action - codes.FIRST_CARD, -1))
        return search.answer(s, action - codes.FIRST_CARD)
    if kind == decisions.AT_FORTIFY:
        return fortify.answer(s, action)
    if kind == decisions.AT_GRAVE_CARD:
        if asking(s) == codes.REUNION:
            return reunion.answer(s, action - codes.FIRST_CARD)
        return reanimate.answer(s, action - codes.FIRST_CARD)
    if kind == decisions.AT_STRIP_CARD:
        return strip.answer(s, action - codes.FIRST_CARD)
    if kind == decisions.AT_LANCE_ORDER:
        return lance.answer(s, action - codes.FIRST_CARD)
    if kind == decisions.AT_QUICK_FORM:
        return quick.answer(s, action)
    if kind == decisions.AT_NEW_TARGET:
        return redirect.answer(s, action)
    if kind == decisions.AT_RECRUIT_ORDER:
        return recruit.answer(s, action - codes.FIRST_CARD)
    if kind == decisions.AT_PACK_CARD:
        return open.answer(s, action - codes.FIRST_CARD)
    return reverse.answer(s, action)


@kernel
def options(s: State, kind: int) -> int:
    """Units or cards that an action offers."""
    if kind == decisions.AT_ATTACKERS:
        return attack.options(s)
    if kind == decisions.AT_BLOCKERS:
        return block.options(s)
    if kind == decisions.AT_SEARCH_CARD:
        return bj.options(s) if asking(s) == codes.BJ else search.options(s)
    if kind == decisions.AT_RECRUIT_ORDER:
        return recruit.options(s)
    if kind == decisions.AT_PACK_CARD:
        return open.options(s)
    return lance.options(s)


@kernel
def may_stop(s: State, kind: int) -> bool:
    """May the decider also say that it is enough, though the row has no `done`?"""
    return kind == decisions.AT_SEARCH_CARD and asking(s) == codes.BJ and bj.may_stop(s)


@kernel
def fits(s: State, kind: int) -> bool:
    """The request that asks this is there, and the right player is asked: could it be asked now?"""
    if kind == decisions.AT_DISCARD:
        return end.fits(s)
    if kind == decisions.AT_DRAW_MORE:
        return draw.fits(s)
    if kind == decisions.AT_ATTACKERS:
        return attack.fits(s)
    if kind == decisions.AT_BLOCKERS:
        return block.fits(s)
    if kind == decisions.AT_LANCE_ORDER:
        return lance.fits(s)
    if kind == decisions.AT_SEARCH_CARD:
        return bj.fits(s) if asking(s) == codes.BJ else s.ordered == 0
    if kind == decisions.AT_RECRUIT_ORDER:
        return recruit.fits(s)
    if kind == decisions.AT_PACK_CARD:
        return open.fits(s)
    return True
