"""Section 7: what T may play, and where it finds room."""

from __future__ import annotations

import math

from .cards import Card
from .layers import Layers, layers
from .moves import has_room
from .state import State

# ---- place ----


def hand_is_barred(s: State) -> bool:
    """Whether this is a landing turn on which fight cards can't come from hand."""
    return "landing" in s.did.marks and not _landed_texts(s, "landing_keeps_hand_playable")


def _landed_texts(s: State, ability: str) -> int:
    assert s.turn is not None
    landed = {ship.slot for ship in s.sides[s.turn].ships if ship.landed}
    return sum(slot in landed and card.ability == ability for slot, card in layers(s).working(s.turn))


def fight_cards(s: State, loading: bool = False) -> list[int]:
    """The fight cards that may be played (or loaded), as far as their place goes."""
    assert s.turn is not None
    side = s.sides[s.turn]
    slots = list(side.landed)
    extra = _landed_texts(s, "load_from_hand_and_landing_allows_one_hand_card")
    if not hand_is_barred(s) or (not loading and s.did.n["h"] < extra):
        slots += [slot for slot in side.hand if s.card(s.turn, slot).is_fight_card]
    return slots


# ---- conditions of when_playing texts ----


def holds(s: State, condition: str) -> bool:
    assert s.turn is not None
    t, o = s.turn, s.opponent
    view = layers(s)
    for sign in (">=", "=="):
        if sign in condition:
            name, number = condition.split(sign)
            break
    if name.startswith("attacked_"):
        element = name.removeprefix("attacked_")
        return s.running and element in (s.fight, "any") and view.total(o) >= int(number)
    types = view.active_types(o)
    count = {
        "opp_active_fight_cards": lambda: len(types),
        "opp_active_characters": lambda: types.count("character"),
        "opp_active_boosters": lambda: types.count("booster"),
        "opp_active_supports": lambda: types.count("support"),
        "opp_active_cards_with_icon": lambda: sum(
            not down and bool(s.card(o, slot).icons) for slot, down in view.active[o]
        ),
        "opp_table_cards": lambda: len(s.sides[o].table),
        "own_table_cards": lambda: len(s.sides[t].table),
        "own_ships_in_influence": lambda: sum(not ship.landed for ship in s.sides[t].ships),
        "opp_dragons": lambda: s.dragons[o],
        "opp_hand-own_hand": lambda: len(s.sides[o].hand) - len(s.sides[t].hand),
    }[name]()
    return count >= int(number) if sign == ">=" else count == int(number)


def own_condition_holds(s: State, slot: int) -> bool:
    """Its own playable_only_if… text, if it works, is fulfilled."""
    assert s.turn is not None
    card = s.card(s.turn, slot)
    if card.ability != "playable_only_if_then_swap_element" or not layers(s).status(s.turn, slot).text:
        return True
    return holds(s, card.args["condition"])


# ---- room ----


def is_free(s: State, view: Layers, slot: int, bluff: bool) -> bool:
    assert s.turn is not None
    card = s.card(s.turn, slot)
    status = view.status(s.turn, slot)
    if "free" in status.icons and not bluff:
        return True
    if status.icons_off:
        return False  # gained FREE is taken as well
    if "next" in s.did.marks:
        return True
    if bluff:
        return False
    if card.ability == "free_if" and status.text and holds(s, card.args["condition"]):
        return True
    return card.people == "Buka" and card.type == "character" and slot in s.sides[s.turn].landed  # B26


def _extra(s: State, view: Layers, kind: str) -> float:
    assert s.turn is not None
    amounts = [card.args["amount"] for card in view.texts(s.turn, "extra_plays") if card.args["type"] == kind]
    return sum(math.inf if amount == "any" else int(amount) for amount in amounts)


def has_counted_room(s: State, view: Layers, kind: str) -> bool:
    """Room by d, for a booster or a support, bluff or load."""
    n = s.did.n
    stopped = "stop" in s.did.marks
    boosters, supports = (n["B"], n["S"] + n["L"]) if stopped else (n["b"], n["s"])
    if kind == "booster":
        boosters += 1
    else:
        supports += 1
    over = max(0, boosters - _extra(s, view, "booster")) + max(0, supports - _extra(s, view, "support"))
    return over <= (1 if s.running and not stopped else 0)


def room(s: State, slot: int, bluff: bool = False) -> str:
    """How a fight card finds room: free, group, counted, or '' for no room."""
    assert s.turn is not None
    view = layers(s)
    card = s.card(s.turn, slot)
    kind = "support" if bluff else card.type
    if "stop" not in s.did.marks:
        if is_free(s, view, slot, bluff):
            return "free"
        if not bluff and working_group(s, slot) in s.did.groups:
            return "group"
        if kind == "character":
            return "counted" if s.did.n["c"] == 0 else ""
    elif kind == "character":
        return ""
    return "counted" if has_counted_room(s, view, kind) else ""


def working_group(s: State, slot: int) -> str:
    """The group of a card whose pair or gang icon works, else ''."""
    assert s.turn is not None
    card = s.card(s.turn, slot)
    key = card.group_key
    return key if key and card.group_icon in layers(s).status(s.turn, slot).icons else ""


# ---- prohibitions and limits ----


def is_hit(rule: Card, card: Card, bluff: bool) -> bool:
    """Whether this opp_play_forbidden hits the card. It looks at type and print."""
    kind = "support" if bluff else card.type
    types = rule.args["types"].split("+")
    if types != ["any"] and kind not in types:
        return False
    has_text = bool(card.ability) and not bluff
    condition = rule.args["condition"]
    if condition == "has_text":
        return has_text
    if condition == "no_text":
        return not has_text
    if condition == "any_value_above_4":
        return max(card.fire, card.earth) > 4
    assert condition == "any"
    return True


def is_forbidden(s: State, slot: int, bluff: bool = False) -> bool:
    assert s.turn is not None
    view = layers(s)
    card = s.card(s.turn, slot)
    kind = "support" if bluff else card.type
    if any(is_hit(rule, card, bluff) for rule in view.texts(s.opponent, "opp_play_forbidden")):
        return True
    for rule in view.texts(s.opponent, "opp_play_limit"):
        if rule.args["scope"] == "all":
            played = s.did.n["all"]
        elif kind in ("character", "booster"):
            played = s.did.n["area"]
        else:
            continue
        if played >= int(rule.args["max"]):
            return True
    return kind == "leadership" and any(view.texts(p, "hyla_no_leadership") for p in (0, 1))


# ---- what may be played ----


def may_play(s: State, slot: int, bluff: bool = False) -> bool:
    return bool(room(s, slot, bluff)) and not is_forbidden(s, slot, bluff) and (bluff or own_condition_holds(s, slot))


def phase_two_cards(s: State) -> list[int]:
    """Leadership cards and ships (optional rules: Hyla cards, achievements) that may be played."""
    assert s.turn is not None
    if "lead" in s.did.marks or "stop" in s.did.marks:
        return []
    types = ("leadership", "ship", "hyla", "achievement")
    return [slot for slot in s.sides[s.turn].hand if s.card(s.turn, slot).type in types and not is_forbidden(s, slot)]


def may_bluff(s: State, slot: int) -> bool:
    assert s.turn is not None
    icons = layers(s).status(s.turn, slot).icons
    return any(icon.startswith("bluff_") for icon in icons) and may_play(s, slot, bluff=True)


def ships_with_room(s: State, landed_too: bool = False) -> list[int]:
    assert s.turn is not None
    ships = s.sides[s.turn].ships
    return [ship.slot for ship in ships if has_room(s, s.turn, ship) and (landed_too or not ship.landed)]
