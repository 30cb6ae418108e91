"""Section 9, the retreat, and section 12, the demands that are settled in it or in step 6a."""

from __future__ import annotations

from . import actions as act
from .cards import Card
from .layers import layers
from .moves import (
    HAND_SIZE,
    attract,
    discard_from_hand,
    discard_from_table,
    discard_landed,
    draw_up_to,
    end_by_empty_hand,
)
from .needs import minimal_sets, next_picks
from .state import State
from .tasks import named, question, task

MANY_CARDS = 6


@task
def retreat(s: State, player: int) -> None:
    discard_landed(s, player)
    s.push("retreat_dragons", player)
    s.push("demands", player, True)


def dragons_of_retreat(s: State, r: int) -> int:
    w = 1 - r
    view = layers(s)
    n = 2 if sum(not placed.down for placed in s.sides[w].table) >= MANY_CARDS else 1
    n += sum(view.numbers(w, "retreat_dragons_plus", "value"))
    n = max(0, n - sum(view.numbers(r, "retreat_dragons_minus", "value")))
    n = min([n, *view.numbers(r, "retreat_dragons_cap", "value")])
    return 0 if view.texts(r, "retreat_dragons_zero") else n


@task
def retreat_dragons(s: State, r: int) -> None:
    w = 1 - r
    for _ in range(dragons_of_retreat(s, r)):
        attract(s, w)
    for p in (0, 1):
        for placed in s.sides[p].table:
            discard_from_table(s, p, placed.slot)
        s.sides[p].active_lead = None
    s.fight = "-"
    s.changed()
    draw_up_to(s, w, HAND_SIZE)
    draw_up_to(s, r, HAND_SIZE)
    if not s.sides[w].hand or not s.sides[r].hand:
        end_by_empty_hand(s)
    s.push("turn", r)


# ---- demands ----


@task
def demands(s: State, player: int, dragons_only: bool) -> None:
    """The next demand of the opponent that this player has not settled this turn."""
    o = 1 - player
    for slot, card in layers(s).working(o):
        if card.ability != "opp_must_discard" or (player, slot) in s.settled:
            continue
        if dragons_only and card.args["else"] != "dragon":
            continue
        s.settled.add((player, slot))
        s.push("demands", player, dragons_only)
        if card.args["else"] == "dragon" and not next_picks(s, player, card.args["need"], 1):
            attract(s, o)
        else:
            s.push("meet", player, slot, 2 if slot == doubled_caterpillar(s, o) else 1, ())
        return


def doubled_caterpillar(s: State, owner: int) -> int | None:
    view = layers(s)
    if not view.texts(owner, "double_own_caterpillar"):
        return None
    chosen = [placed.slot for placed in s.sides[owner].combat if placed.chosen]
    working = [slot for slot, card in view.working(owner) if card.group == "caterpillar"]
    return (chosen + working + [None])[0]  # type: ignore[list-item]


def _demand(s: State, player: int, slot: int) -> Card:
    return s.card(1 - player, slot)


def _meet_options(s: State, player: int, slot: int, times: int, picked: tuple[int, ...]) -> list[int]:
    card = _demand(s, player, slot)
    picks = [act.own(c) for c in next_picks(s, player, card.args["need"], times, picked)]
    return [act.NO, *picks] if card.args["else"] == "dragon" and not picked else picks


def _meet_answer(s: State, action: int, player: int, slot: int, times: int, picked: tuple[int, ...]) -> None:
    if action == act.NO:
        attract(s, 1 - player)
        return
    picked = (*picked, act.slot_of(action))
    complete = picked in minimal_sets(s, player, _demand(s, player, slot).args["need"], times, picked)
    discard_from_hand(s, player, act.slot_of(action))
    if not complete:
        s.push("meet", player, slot, times, picked)


question("meet", _meet_options, _meet_answer, who=named)
