"""Section 13: what texts do when they resolve, and what they ask."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from . import actions as act
from .cards import Card
from .layers import layers
from .moves import (
    attract,
    can_draw,
    can_take,
    check_out,
    count_taken,
    deck_not_barred,
    discard_from_hand,
    discard_from_table,
    draw,
    draw_up_to,
    into_hand,
    lay_open,
    out_of_deck,
    out_of_hand,
    put_on_ship,
    return_to_hand,
    shuffle,
    to_pile,
    under_deck,
)
from .needs import minimal_sets, next_picks
from .playing import is_forbidden, ships_with_room
from .state import Placed, State
from .tasks import named, question, task

# ---- a text resolves ----


def resolve(s: State, slot: int, from_landed: bool = False) -> None:
    """The text of T's card works now: it asks or acts, or nothing where nothing could happen (B39)."""
    assert s.turn is not None
    card = s.card(s.turn, slot)
    if card.args.get("only_if_played_from_ship") == "1" and not from_landed:
        return
    if card.ability in RESOLVE:
        RESOLVE[card.ability](s, card)
    elif card.ability in MAY:
        changes, _ = MAY[card.ability]
        if changes(s, card):
            s.push("may", slot)


def _may_answer(s: State, action: int, slot: int) -> None:
    assert s.turn is not None
    card = s.card(s.turn, slot)
    if action == act.YES:
        MAY[card.ability][1](s, card)


question("may", lambda s, slot: [act.YES, act.NO], _may_answer)


def _sides(s: State) -> tuple[int, int]:
    assert s.turn is not None
    return s.turn, 1 - s.turn


# ---- drawing ----


def _draw_count(s: State, card: Card) -> None:
    t, _ = _sides(s)
    for _ in range(int(card.args["count"])):
        if not can_draw(s, t):
            break
        draw(s, t)


def _draws(s: State, card: Card) -> bool:
    return can_draw(s, _sides(s)[0])


def _draw_up(s: State, card: Card) -> None:
    draw_up_to(s, _sides(s)[0], int(card.args["size"]))


def _draws_up(s: State, card: Card) -> bool:
    t, _ = _sides(s)
    return can_draw(s, t) and len(s.sides[t].hand) < int(card.args["size"])


def _random_from_discard(s: State, card: Card) -> None:
    t, _ = _sides(s)
    side = s.sides[t]
    for _ in range(int(card.args["count"])):
        if not side.discard or not can_take(s, t):
            break
        codes = {s.code(t, slot): slot for slot in sorted(side.discard)}
        code = s.chance.found(t, list(codes))
        s.events.append(("found", t, code))
        side.discard.remove(codes[code])
        into_hand(s, t, codes[code], shown=True)


def _takes_from_discard(s: State, card: Card) -> bool:
    t, _ = _sides(s)
    return bool(s.sides[t].discard) and can_take(s, t)


def _draw_then_discard(s: State, card: Card) -> None:
    t, _ = _sides(s)
    drawn: list[int] = []
    while len(drawn) < int(card.args["count"]) and can_draw(s, t):
        drawn.append(draw(s, t, shown=True))
    s.push("drop", tuple(sorted(drawn)))


question(
    "drop",
    lambda s, drawn: [act.own(slot) for slot in drawn],
    lambda s, action, drawn: discard_from_hand(s, s.turn, act.slot_of(action)),
)


def _draw_then_return(s: State, card: Card) -> None:
    _draw_count(s, card)
    t, _ = _sides(s)
    s.push("put_back", min(2, len(s.sides[t].hand)), 0)


def _draws_or_returns(s: State, card: Card) -> bool:
    t, _ = _sides(s)
    return can_draw(s, t) or bool(s.sides[t].hand)


def _put_back_answer(s: State, action: int, left: int, last: int) -> None:
    t, _ = _sides(s)
    slot = act.slot_of(action)
    under_deck(s, t, slot)
    if left > 1:
        s.push("put_back", left - 1, slot)
    else:
        shuffle(s, t)


def ascending(hand: list[int], left: int, last: int) -> list[int]:
    """Cards above the last one picked, so that `left` can still be picked."""
    above = [slot for slot in hand if slot > last]
    return [act.own(slot) for slot in above[: len(above) - left + 1]]


question("put_back", lambda s, left, last: ascending(s.sides[s.turn].hand, left, last), _put_back_answer)


def _recycle(s: State, card: Card) -> None:
    t, _ = _sides(s)
    side = s.sides[t]
    side.deck.extend(sorted(side.discard))
    side.discard.clear()
    shuffle(s, t)


# ---- searching ----


def _search(s: State, card: Card) -> None:
    t, _ = _sides(s)
    if card.args["from"] == "own_discard":
        if _takes_from_discard(s, card):
            s.push("discard_card")
    elif s.sides[t].deck and can_take(s, t) and deck_not_barred(s, t):
        s.push("deck_card", card.slot)


def _discard_card_answer(s: State, action: int) -> None:
    t, _ = _sides(s)
    if action != act.NO:
        slot = act.slot_of(action)
        s.sides[t].discard.remove(slot)
        into_hand(s, t, slot, shown=True)


question(
    "discard_card",
    lambda s: [act.NO] + [act.own(slot) for slot in s.sides[s.turn].discard],
    _discard_card_answer,
)


def _found_by_u27(s: State) -> list[int]:
    t, _ = _sides(s)
    room = bool(ships_with_room(s, landed_too=True))
    found = []
    for slot in s.sides[t].deck:
        card = s.card(t, slot)
        if (card.type == "ship" and not is_forbidden(s, slot)) or (card.is_fight_card and room):
            found.append(slot)
    return found


def _search_ship_or_load(s: State, card: Card) -> None:
    t, _ = _sides(s)
    if deck_not_barred(s, t) and _found_by_u27(s):
        s.push("deck_card", card.slot)


def _deck_card_options(s: State, slot: int) -> list[int]:
    t, _ = _sides(s)
    found = _found_by_u27(s) if s.card(t, slot).ability == "search_deck_ship_or_load" else s.sides[t].deck
    return [act.NO] + [act.own(card) for card in found]


def take_out_and_shuffle(s: State, slot: int) -> None:
    t, _ = _sides(s)
    out_of_deck(s, t, slot)
    count_taken(s, t)
    check_out(s, t)
    shuffle(s, t)


def _deck_card_answer(s: State, action: int, text: int) -> None:
    t, _ = _sides(s)
    if action == act.NO:
        shuffle(s, t)
        return
    slot = act.slot_of(action)
    if s.card(t, text).ability == "search_to_hand":
        take_out_and_shuffle(s, slot)
        into_hand(s, t, slot, shown=True)
    elif s.card(t, slot).type == "ship":
        take_out_and_shuffle(s, slot)
        s.push("play_found_ship", slot)
    else:
        s.push("found_ship", slot)


question("deck_card", _deck_card_options, _deck_card_answer)


def _found_ship_answer(s: State, action: int, slot: int) -> None:
    take_out_and_shuffle(s, slot)
    put_on_ship(s, _sides(s)[0], act.slot_of(action), slot)


question(
    "found_ship",
    lambda s, slot: [act.own(ship) for ship in ships_with_room(s, landed_too=True)],
    _found_ship_answer,
    kind="ship",
)

# ---- loading by text ----


def _load_from_hand(s: State, card: Card) -> None:
    s.push("more_cargo", card.slot, int(card.args.get("count") or card.args["load"]), 0)


def _cargo_cards(s: State, last: int) -> list[int]:
    t, _ = _sides(s)
    return [slot for slot in s.sides[t].hand if slot > last and s.card(t, slot).is_fight_card]


@task
def more_cargo(s: State, ship: int, left: int, last: int) -> None:
    """Asks for the next card, unless the number or the capacity is reached."""
    if left and ship in ships_with_room(s) and _cargo_cards(s, last):
        s.push("cargo", ship, left, last)


def _cargo_answer(s: State, action: int, ship: int, left: int, last: int) -> None:
    if action == act.DONE:
        return
    t, _ = _sides(s)
    slot = act.slot_of(action)
    out_of_hand(s, t, slot)
    put_on_ship(s, t, ship, slot)
    s.push("more_cargo", ship, left - 1, slot)


question(
    "cargo",
    lambda s, ship, left, last: [act.DONE] + [act.own(slot) for slot in _cargo_cards(s, last)],
    _cargo_answer,
)

# ---- the own hand ----


def _discard_any(s: State, card: Card) -> None:
    s.push("more_shed", 0)


@task
def more_shed(s: State, last: int) -> None:
    if any(slot > last for slot in s.sides[_sides(s)[0]].hand):
        s.push("shed", last)


def _shed_answer(s: State, action: int, last: int) -> None:
    if action != act.DONE:
        discard_from_hand(s, _sides(s)[0], act.slot_of(action))
        s.push("more_shed", act.slot_of(action))


question(
    "shed",
    lambda s, last: [act.DONE] + [act.own(slot) for slot in s.sides[s.turn].hand if slot > last],
    _shed_answer,
)


def _hand_to_bottom(s: State, card: Card) -> None:
    s.push("more_bottom")


@task
def more_bottom(s: State) -> None:
    if s.sides[_sides(s)[0]].hand:
        s.push("bottom")


def _bottom_answer(s: State, action: int) -> None:
    if action != act.DONE:
        under_deck(s, _sides(s)[0], act.slot_of(action))
        s.push("more_bottom")


question("bottom", lambda s: [act.DONE] + [act.own(slot) for slot in s.sides[s.turn].hand], _bottom_answer)


def _dragon_for_discard(s: State, card: Card) -> None:
    if any(True for _ in minimal_sets(s, _sides(s)[0], card.args["need"], 1)):
        s.push("sacrifice", card.slot, ())


def _sacrifice_options(s: State, text: int, picked: tuple[int, ...]) -> list[int]:
    t, _ = _sides(s)
    picks = [act.own(slot) for slot in next_picks(s, t, s.card(t, text).args["need"], 1, picked)]
    return picks if picked else [act.NO, *picks]


def _sacrifice_answer(s: State, action: int, text: int, picked: tuple[int, ...]) -> None:
    t, _ = _sides(s)
    if action == act.NO:
        return
    picked = (*picked, act.slot_of(action))
    complete = picked in minimal_sets(s, t, s.card(t, text).args["need"], 1, picked)
    discard_from_hand(s, t, act.slot_of(action))
    if complete:
        attract(s, t)
    else:
        s.push("sacrifice", text, picked)


question("sacrifice", _sacrifice_options, _sacrifice_answer)

# ---- the opponent's hand ----


def _strip(s: State, card: Card) -> None:
    _, o = _sides(s)
    count = min(int(card.args["count"]), len(s.sides[o].hand))
    if count:
        s.push("strip", count, True)


def _strip_options(s: State, left: int, first: bool) -> list[int]:
    _, o = _sides(s)
    side = s.sides[o]
    options = [act.ENEMY + slot for slot in side.open]
    if side.closed:
        options.append(act.HIDDEN)
    return options + [act.NO] if first else options


def _strip_answer(s: State, action: int, left: int, first: bool) -> None:
    _, o = _sides(s)
    if action == act.NO:
        return
    if action == act.HIDDEN:
        codes = {s.code(o, slot): slot for slot in s.sides[o].closed}
        code = s.chance.hit(o, list(codes))
        s.events.append(("hit", o, code))
        discard_from_hand(s, o, codes[code])
    else:
        discard_from_hand(s, o, act.slot_of(action))
    if left > 1:
        s.push("strip", left - 1, False)


question("strip", _strip_options, _strip_answer)


def _discard_answer(s: State, action: int, player: int, left: int, last: int) -> None:
    slot = act.slot_of(action)
    discard_from_hand(s, player, slot)
    if left > 1:
        s.push("discard", player, left - 1, slot)


question(
    "discard",
    lambda s, player, left, last: ascending(s.sides[player].hand, left, last),
    _discard_answer,
    who=named,
)


def _own_choice(s: State, player: int, count: int) -> None:
    count = min(count, len(s.sides[player].hand))
    if count > 0:
        s.push("discard", player, count, 0)


def _opp_discards(s: State, card: Card) -> None:
    _own_choice(s, _sides(s)[1], int(card.args["count"]))


def _opp_discards_down(s: State, card: Card) -> None:
    _, o = _sides(s)
    _own_choice(s, o, len(s.sides[o].hand) - int(card.args["size"]))


def _each_discards(s: State, card: Card) -> None:
    """The opponent of the Chosen One goes first."""
    t, o = _sides(s)
    s.push("chosen_discard", t, int(card.args["count"]))
    s.push("chosen_discard", o, int(card.args["count"]))


@task
def chosen_discard(s: State, player: int, count: int) -> None:
    _own_choice(s, player, count)


def _mill(s: State, card: Card) -> None:
    _, o = _sides(s)
    for _ in range(int(card.args["count"])):
        if s.sides[o].deck:
            slot = s.sides[o].deck[0]
            out_of_deck(s, o, slot)
            to_pile(s, o, slot)
            check_out(s, o)


# ---- the opponent's table ----


def _is_protected(s: State, player: int, placed: Placed) -> bool:
    if placed.covered or placed.down:
        return False
    return "protected" in layers(s).status(player, placed.slot).icons


def eligible(s: State, card: Card) -> list[Placed]:
    """O's table cards that discard_opp_table_cards may hit, in table order."""
    _, o = _sides(s)
    args = card.args
    types = args["types"].split("+")
    characters = layers(s).active_characters(o)
    found = []
    for placed in s.sides[o].table:
        face = s.card(o, placed.slot)
        if ("support" if placed.down else face.type) not in types:
            continue
        if placed.covered and args["active_only"] == "1":
            continue
        if _is_protected(s, o, placed):
            continue
        if args.get("filter") == "has_icon" and (placed.down or not face.icons):
            continue
        if args.get("keep_last_active_character") == "1" and characters == [placed.slot]:
            continue
        found.append(placed)
    return found


def _discard_table_cards(s: State, card: Card) -> None:
    """count=1 and U22; those with count=all ask `may`."""
    if not eligible(s, card):
        return
    if card.args.get("choose_one_type") == "1":
        s.push("which", card.slot)
    elif card.args["count"] == "1":
        s.push("target", card.slot, True)
    else:
        s.push("may", card.slot)


def target_options(s: State, text: int, declinable: bool) -> list[int]:
    t, o = _sides(s)
    downs = s.sides[o].downs
    options = [
        act.FACE_DOWN + downs.index(placed) if placed.down else act.ENEMY + placed.slot
        for placed in eligible(s, s.card(t, text))
    ]
    return options + [act.NO] if declinable else options


def _target_answer(s: State, action: int, text: int, declinable: bool) -> None:
    _, o = _sides(s)
    if action == act.NO:
        return
    if act.is_enemy(action):
        discard_from_table(s, o, act.slot_of(action))
    else:
        discard_from_table(s, o, s.sides[o].downs[action - act.FACE_DOWN].slot)


question("target", target_options, _target_answer)


def _which_options(s: State, text: int) -> list[int]:
    types = {_type(s, placed) for placed in eligible(s, s.card(_sides(s)[0], text))}
    return [act.NO] + [word for word, kind in ((act.BOOSTERS, "booster"), (act.SUPPORTS, "support")) if kind in types]


def _type(s: State, placed: Placed) -> str:
    return "support" if placed.down else s.card(_sides(s)[1], placed.slot).type


def _which_answer(s: State, action: int, text: int) -> None:
    t, o = _sides(s)
    if action == act.NO:
        return
    kind = "booster" if action == act.BOOSTERS else "support"
    for placed in eligible(s, s.card(t, text)):
        if _type(s, placed) == kind:
            discard_from_table(s, o, placed.slot)


question("which", _which_options, _which_answer)


def _discard_all(s: State, card: Card) -> None:
    _, o = _sides(s)
    characters = [placed for placed in s.sides[o].combat if placed.slot in layers(s).active_characters(o)]
    one_stays = card.args.get("keep_last_active_character") == "1"
    if one_stays and len(characters) > 1 and not any(_is_protected(s, o, placed) for placed in characters):
        s.push("keep", card.slot)
        return
    for placed in eligible(s, card):
        discard_from_table(s, o, placed.slot)


def _keep_answer(s: State, action: int, text: int) -> None:
    t, o = _sides(s)
    for placed in eligible(s, s.card(t, text)):
        if placed.slot != act.slot_of(action):
            discard_from_table(s, o, placed.slot)


question(
    "keep",
    lambda s, text: [act.ENEMY + slot for slot in layers(s).active_characters(1 - s.turn)],
    _keep_answer,
)

# ---- the own table ----


def _returnable(s: State, card: Card) -> list[int]:
    t, _ = _sides(s)
    side = s.sides[t]
    areas = {"combat_area": side.combat, "support_area": side.support}
    return [
        placed.slot
        for name in card.args["from"].split("+")
        for placed in areas[name]
        if placed.slot != card.slot and not (placed.covered and card.args["active_only"] == "1")
    ]


def _return_own(s: State, card: Card) -> None:
    if _returnable(s, card) and can_take(s, _sides(s)[0]):
        s.push("take_back", card.slot)


def _take_back_answer(s: State, action: int, text: int) -> None:
    if action != act.NO:
        return_to_hand(s, _sides(s)[0], act.slot_of(action))


question(
    "take_back",
    lambda s, text: [act.NO] + [act.own(slot) for slot in _returnable(s, s.card(s.turn, text))],
    _take_back_answer,
)

# ---- marks ----


def _attack_again(s: State, card: Card) -> None:
    if s.running and layers(s).active_characters(_sides(s)[0]):
        s.did.marks.add("again")


def _next_free(s: State, card: Card) -> None:
    s.did.marks.add("next")


def _reveal(s: State, card: Card) -> None:
    lay_open(s, _sides(s)[1])


def _swap(s: State, card: Card) -> None:
    if s.running:
        s.fight = "earth" if s.fight == "fire" else "fire"
        s.changed()


# ---- which ability does what ----

Change = Callable[[State, Card], Any]

# Texts offered with yes and no: whether they could change anything, and what they do.
MAY: dict[str, tuple[Change, Change]] = {
    "draw": (_draws, _draw_count),
    "draw_up_to_hand_size": (_draws_up, _draw_up),
    "draw_random_from_own_discard": (_takes_from_discard, _random_from_discard),
    "draw_then_discard_one_of_them": (_draws, _draw_then_discard),
    "draw_then_return_two": (_draws_or_returns, _draw_then_return),
    "mill_opp": (lambda s, card: s.sides[1 - s.turn].deck, _mill),
    "opp_discards_own_choice": (lambda s, card: s.sides[1 - s.turn].hand, _opp_discards),
    "recycle_discard": (lambda s, card: s.sides[s.turn].discard, _recycle),
    "discard_opp_table_cards": (eligible, _discard_all),
}

# All others; they ask in their own way or not at all.
RESOLVE: dict[str, Change] = {
    "attack_again": _attack_again,
    "chosen_each_discards": _each_discards,
    "discard_from_opp_hand_blind": _strip,
    "discard_opp_table_cards": _discard_table_cards,
    "discard_own_hand": _discard_any,
    "dragon_for_discard": _dragon_for_discard,
    "hand_to_deck_bottom": _hand_to_bottom,
    "load_from_hand": _load_from_hand,
    "load_from_hand_and_landing_allows_one_hand_card": _load_from_hand,
    "next_card_free": _next_free,
    "opp_discards_down_to": _opp_discards_down,
    "opp_reveals_hand": _reveal,
    "playable_only_if_then_swap_element": _swap,
    "return_own_table_card": _return_own,
    "search_deck_ship_or_load": _search_ship_or_load,
    "search_to_hand": _search,
}
