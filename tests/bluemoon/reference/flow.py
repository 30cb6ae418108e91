"""Section 6: the turn, phase by phase, and how a card is played."""

from __future__ import annotations

from . import actions as act
from . import retreat  # noqa: F401  (its tasks)
from .abilities import resolve, target_options
from .completability import completable, in_window
from .layers import layers
from .moves import (
    HAND_SIZE,
    attract,
    can_draw,
    can_take,
    check_out,
    deal,
    discard_from_hand,
    discard_from_table,
    discard_landed,
    draw,
    draw_up_to,
    empty_record,
    end_by_empty_hand,
    out_of_hand,
    out_of_hand_face_down,
    out_of_landed,
    put_on_ship,
    replace_ship,
    return_to_hand,
    to_pile,
)
from .playing import (
    fight_cards,
    has_counted_room,
    is_hit,
    may_bluff,
    may_play,
    phase_two_cards,
    room,
    ships_with_room,
    working_group,
)
from .state import Placed, Ship, State
from .tasks import named, opponent, question, task


def _t(s: State) -> int:
    assert s.turn is not None
    return s.turn


def enter(s: State, phase: str) -> None:
    s.phase = phase
    s.push(phase)


# ---- set-up and 0 start ----


@task
def first_deal(s: State) -> None:
    deal(s)


@task
def turn(s: State, player: int) -> None:
    s.turn = player
    s.phase = "begin"
    empty_record(s)
    s.push("begin")
    if len(layers(s).texts(player, "dragon_if_two_storms")) >= 2:
        attract(s, player)


# ---- 1 beginning ----


def _begin_options(s: State) -> list[int]:
    t = _t(s)
    side = s.sides[t]
    ships = [ship.slot for ship in side.ships if not ship.landed]
    downs = [placed.slot for placed in side.downs]
    return [act.DONE] + [act.own(slot) for slot in _retrievable(s) + ships + downs]


def _retrievable(s: State) -> list[int]:
    t, o = _t(s), s.opponent
    view = layers(s)
    if not can_take(s, t):
        return []
    characters_barred = any("retrieve" in s.card(o, slot).icons for slot in view.active_characters(o))
    return [
        placed.slot
        for placed in s.sides[t].table
        if not (placed.covered or placed.down)
        and "retrieve" in view.status(t, placed.slot).icons
        and not (characters_barred and s.card(t, placed.slot).type == "character")
    ]


def _begin_answer(s: State, action: int) -> None:
    t = _t(s)
    if action == act.DONE:
        enter(s, "leadership")
        return
    s.push("begin")
    slot = act.slot_of(action)
    placed = s.sides[t].placed(slot)
    if placed is None:
        replace_ship(s, t, slot, landed=True)
        s.did.marks.add("landing")
    elif placed.down:
        discard_from_table(s, t, slot)
    else:
        return_to_hand(s, t, slot)


question("begin", _begin_options, _begin_answer)


# ---- using a text ----


def _usable(s: State) -> list[int]:
    t = _t(s)
    return [
        placed.slot
        for placed in s.sides[t].table
        if not (placed.covered or placed.down or placed.used)
        and s.card(t, placed.slot).timing == "once_per_own_turn"
        and layers(s).works(t, placed.slot)
        and target_options(s, placed.slot, False)
    ]


def _use(s: State, slot: int) -> None:
    side = s.sides[_t(s)]
    side.combat = [placed._replace(used=True) if placed.slot == slot else placed for placed in side.combat]
    s.changed()
    s.push("target", slot, False)


# ---- 2 leadership ----


def _replacements(s: State) -> list[int]:
    t = _t(s)
    if "lead" in s.did.marks or not can_draw(s, t, gone=1):
        return []
    return [slot for slot in s.sides[t].hand if "replace" in layers(s).status(t, slot).icons]


def _leadership_options(s: State) -> list[int]:
    return [act.DONE] + [act.own(slot) for slot in phase_two_cards(s) + _usable(s) + _replacements(s)]


def _leadership_answer(s: State, action: int) -> None:
    t = _t(s)
    if action == act.DONE:
        enter(s, "engage")
        return
    s.push("leadership")
    slot = act.slot_of(action)
    if slot not in s.sides[t].hand:
        _use(s, slot)
    elif "replace" in s.card(t, slot).icons:
        s.did.marks.add("lead")
        discard_from_hand(s, t, slot)
        draw(s, t)
    else:
        play_card(s, slot)


question("leadership", _leadership_options, _leadership_answer)


# ---- 3 engagement ----


def _engage_answer(s: State, action: int) -> None:
    if action == act.FIGHT:
        if not s.running:
            s.fight = "open"
        s.changed()
        enter(s, "character")
    elif action == act.RETREAT:
        s.push("retreat", _t(s))
    else:
        s.push("declined")


question("engage", lambda s: [act.FIGHT, act.RETREAT if s.running else act.DECLINE], _engage_answer)


@task
def declined(s: State) -> None:
    t = _t(s)
    discard_landed(s, t)
    s.sides[t].active_lead = None
    s.changed()
    s.push("after_decline")
    if s.sides[t].hand:
        s.push("decline", 0, 0)


def _decline_options(s: State, picked: int, last: int) -> list[int]:
    cards = [act.own(slot) for slot in s.sides[_t(s)].hand if slot > last]
    return [act.DONE, *cards] if picked else cards


def _decline_answer(s: State, action: int, picked: int, last: int) -> None:
    if action == act.DONE:
        return
    slot = act.slot_of(action)
    discard_from_hand(s, _t(s), slot)
    if picked < 2:
        s.push("decline", picked + 1, slot)


question("decline", _decline_options, _decline_answer)


@task
def after_decline(s: State) -> None:
    t = _t(s)
    draw_up_to(s, t, HAND_SIZE)
    if not s.sides[t].hand:
        end_by_empty_hand(s)
    s.push("turn", 1 - t)


# ---- 4 characters ----


def _character_options(s: State) -> list[int]:
    t, o = _t(s), s.opponent
    cards = [slot for slot in fight_cards(s) if s.card(t, slot).type == "character" and may_play(s, slot)]
    options = [act.own(slot) for slot in cards + _usable(s)]
    characters = len(layers(s).active_characters(t))
    kept = all(characters <= limit for limit in layers(s).numbers(o, "opp_active_character_limit", "max"))
    if kept and (s.did.n["char"] or "again" in s.did.marks):
        options.append(act.DONE)
    return options


def _character_answer(s: State, action: int) -> None:
    if action == act.DONE:
        s.did.groups.clear()
        enter(s, "support")
        return
    s.push("character")
    _play_or_use(s, act.slot_of(action))


def _play_or_use(s: State, slot: int) -> None:
    if s.sides[_t(s)].placed(slot) is None:
        play_card(s, slot)
    else:
        _use(s, slot)


question("character", _character_options, _character_answer)


# ---- 5 boosters and supports ----


def _support_options(s: State) -> list[int]:
    t = _t(s)
    playable = fight_cards(s)
    cards = [slot for slot in playable if s.card(t, slot).type != "character" and may_play(s, slot)]
    options = [act.own(slot) for slot in cards + _usable(s)]
    options += [act.BLUFF + slot for slot in playable if may_bluff(s, slot)]
    if ships_with_room(s) and has_counted_room(s, layers(s), "support"):
        options += [act.LOAD + slot for slot in fight_cards(s, loading=True)]
    if all(_demanded_play_made(s, card.args["type"]) for card in layers(s).texts(s.opponent, "opp_must_play")):
        options.append(act.DONE)
    return options


def _demanded_play_made(s: State, kind: str) -> bool:
    return s.did.n["B" if kind == "booster" else "S"] > 0


def _support_answer(s: State, action: int) -> None:
    if action == act.DONE:
        s.did.groups.clear()
        s.push("six_b")
        s.push("demands", _t(s), False)
        return
    s.push("support")
    slot = act.slot_of(action)
    if act.is_load(action):
        s.push("load_ship", slot)
    elif act.is_bluff(action):
        play_bluff(s, slot)
    else:
        _play_or_use(s, slot)


question("support", _support_options, _support_answer)


def _load_answer(s: State, action: int, slot: int) -> None:
    t = _t(s)
    leave_for_table(s, slot)
    put_on_ship(s, t, act.slot_of(action), slot)
    s.did.n["L"] += 1
    s.did.n["s"] += 1


question("load_ship", lambda s, slot: [act.own(ship) for ship in ships_with_room(s)], _load_answer, kind="ship")


# ---- playing a card ----


def leave_for_table(s: State, slot: int) -> bool:
    """A card leaves hand or landed cards face up; whether it came from the landed cards."""
    t = _t(s)
    if slot in s.sides[t].hand:
        out_of_hand(s, t, slot)
        return False
    out_of_landed(s, t, slot)
    return True


def play_card(s: State, slot: int, found: bool = False) -> None:
    """Step 1, face up; `found` is a ship out of the deck."""
    t = _t(s)
    card = s.card(t, slot)
    n = s.did.n
    how = room(s, slot) if card.is_fight_card else ""
    group = working_group(s, slot)
    covers = card.type == "character" and n["char"] == 0 and not _gang_joins(s, slot)
    fitting = _fitting_interference(s, slot)
    from_landed = False if found else leave_for_table(s, slot)
    side = s.sides[t]
    n["all"] += 1
    if card.is_fight_card:
        _count_fight_card(s, card.type, how, from_hand=not from_landed)
    else:
        s.did.marks.add("lead")
    if card.type in ("character", "booster"):
        side.combat.append(Placed(slot))
    elif card.type == "support":
        side.support.append(Placed(slot))
    elif card.type == "leadership":
        side.lead.append(slot)
        side.active_lead = slot
    elif card.type == "ship":
        side.ships.append(Ship(slot))
    elif card.type == "hyla":
        if s.hyla is not None:
            to_pile(s, *s.hyla)
        s.hyla = (t, slot)
    else:
        side.feats.add(slot)
    s.changed()
    s.push("arrive", slot, how, group, covers, from_landed)
    if fitting:
        s.push("interfere", slot, fitting)


@task
def play_found_ship(s: State, slot: int) -> None:
    play_card(s, slot, found=True)


def _count_fight_card(s: State, kind: str, how: str, from_hand: bool) -> None:
    n = s.did.n
    if kind == "character":
        n["char"] += 1
    else:
        n["B" if kind == "booster" else "S"] += 1
    if kind != "support":
        n["area"] += 1
    if how == "counted":
        n[kind[0]] += 1
    if from_hand:
        n["h"] += 1
    s.did.marks.discard("next")


def _gang_joins(s: State, slot: int) -> bool:
    t = _t(s)
    view = layers(s)
    icon = s.card(t, slot).group
    active = [placed.slot for placed in s.sides[t].combat if not placed.covered]
    return (
        icon.startswith("gang")
        and bool(active)
        and all(icon in view.status(t, other).icons for other in [slot, *active])
    )


@task
def arrive(s: State, slot: int, how: str, group: str, covers: bool, from_landed: bool) -> None:
    """Steps 2 to 4."""
    t = _t(s)
    side = s.sides[t]
    if how == "group":
        if group.startswith("pair:"):
            s.did.groups.discard(group)
    elif how and group:
        s.did.groups.add(group)
    if covers:
        side.combat = [p if p.slot == slot else Placed(p.slot, covered=True) for p in side.combat]
    s.changed()
    status = layers(s).status(t, slot)
    if "stop" in status.icons:
        s.did.marks.add("stop")
    if s.card(t, slot).type == "achievement":
        if s.sides[1 - t].feats:
            s.push("feat", 1 - t)
            s.push("feat", t)
    elif status.text and s.card(t, slot).timing in ("on_play", "when_playing"):
        resolve(s, slot, from_landed)


def play_bluff(s: State, slot: int) -> None:
    t = _t(s)
    side = s.sides[t]
    how = room(s, slot, bluff=True)
    if slot in side.hand:
        followed = out_of_hand_face_down(s, t, slot)
        check_out(s, t)
        from_hand = True
    else:
        out_of_landed(s, t, slot)
        followed, from_hand = True, False
    side.support.append(Placed(slot, down=True))
    if followed:
        side.seen_down.add(slot)
    s.did.n["all"] += 1
    _count_fight_card(s, "support", how, from_hand)
    s.changed()


# ---- optional rules: interference and achievements ----


def _fitting_interference(s: State, slot: int) -> tuple[int, ...]:
    """O's hand cards that may cancel this card of T."""
    t, o = _t(s), s.opponent
    view = layers(s)
    rules = [rule for rule in view.texts(t, "opp_play_forbidden") if rule.args["types"] == "any"]
    return tuple(
        held
        for held in s.sides[o].hand
        if s.card(o, held).ability == "interfere"
        and s.card(t, slot).type in s.card(o, held).args["types"].split("+")
        and view.status(o, held).text
        and not any(is_hit(rule, s.card(o, held), bluff=False) for rule in rules)
    )


def _interfere_answer(s: State, action: int, slot: int, fitting: tuple[int, ...]) -> None:
    if action == act.NO:
        return
    t = _t(s)
    discard_from_hand(s, s.opponent, act.slot_of(action))
    s.stack.pop()  # it doesn't arrive
    if s.card(t, slot).type == "leadership":
        s.sides[t].active_lead = None  # it lies in its pile already
        s.changed()
    else:
        discard_from_table(s, t, slot)
    s.push("retreat_if_stuck")


question(
    "interfere",
    lambda s, slot, fitting: [act.NO] + [act.own(held) for held in fitting],
    _interfere_answer,
    who=opponent,
)


@task
def retreat_if_stuck(s: State) -> None:
    """B20: interference may leave T with no way to finish."""
    if in_window(s) and not completable(s):
        s.stack.clear()
        s.push("retreat", _t(s))


def _feat_answer(s: State, action: int, player: int) -> None:
    slot = act.slot_of(action)
    s.sides[player].feats.remove(slot)
    to_pile(s, player, slot)


question("feat", lambda s, player: [act.own(slot) for slot in s.sides[player].feats], _feat_answer, who=named)


# ---- 6 end of the booster/support phase ----


@task
def six_b(s: State) -> None:
    s.push("announcement")
    s.push("choose_caterpillar")
    s.push("landed_leave")
    push_texts(s, "end_of_booster_support_phase")


def push_texts(s: State, moment: str) -> None:
    """B11: which texts there are is fixed now."""
    t = _t(s)
    view = layers(s)
    slots = tuple(slot for slot, card in view.working(t) if card.timing == moment)
    s.push("texts", slots)


@task
def texts(s: State, slots: tuple[int, ...]) -> None:
    if slots:
        s.push("texts", slots[1:])
        if layers(s).works(_t(s), slots[0]):
            resolve(s, slots[0])


@task
def landed_leave(s: State) -> None:
    discard_landed(s, _t(s))


def caterpillars(s: State, player: int) -> list[int]:
    """The active caterpillars with working text, in table order."""
    return [slot for slot, card in layers(s).working(player) if card.group == "caterpillar"]


@task
def choose_caterpillar(s: State) -> None:
    t = _t(s)
    if layers(s).texts(t, "double_own_caterpillar") and len(caterpillars(s, t)) >= 2:
        s.push("caterpillar")


def _caterpillar_answer(s: State, action: int) -> None:
    side = s.sides[_t(s)]
    side.combat = [placed._replace(chosen=act.own(placed.slot) == action) for placed in side.combat]


question("caterpillar", lambda s: [act.own(slot) for slot in caterpillars(s, _t(s))], _caterpillar_answer)


# ---- 7 power ----


@task
def announcement(s: State) -> None:
    s.push("after_announcement")
    if not s.running:
        s.push("announce")


def _announce_answer(s: State, action: int) -> None:
    s.fight = "fire" if action == act.FIRE else "earth"
    s.changed()


question("announce", lambda s: [act.FIRE, act.EARTH], _announce_answer)


@task
def after_announcement(s: State) -> None:
    t = _t(s)
    view = layers(s)
    s.push("refresh")
    doubtful = any(not view.status(t, placed.slot, down=True).blank for placed in s.sides[t].downs)
    if doubtful and not view.texts(t, "no_bluff_challenge"):
        s.push("challenge")


def _challenge_answer(s: State, action: int) -> None:
    if action == act.ACCEPT:
        return
    t, o = _t(s), s.opponent
    slots = [placed.slot for placed in s.sides[t].downs]
    for slot in slots:
        discard_from_table(s, t, slot)
    if all(f"bluff_{s.fight}" in s.card(t, slot).icons for slot in slots):
        attract(s, t)
    else:
        attract(s, o)
        s.stack.clear()
        s.push("retreat", t)


question("challenge", lambda s: [act.CHALLENGE, act.ACCEPT], _challenge_answer, who=opponent)


# ---- 8 and 9 ----


@task
def refresh(s: State) -> None:
    sizes = [size for p in (0, 1) for size in layers(s).numbers(p, "hyla_hand_size", "size")]
    draw_up_to(s, _t(s), sizes[0] if sizes else HAND_SIZE)
    s.push("after_turn")
    push_texts(s, "end_of_own_turn")


@task
def after_turn(s: State) -> None:
    t = _t(s)
    s.sides[t].active_lead = None
    s.changed()
    if len(layers(s).texts(t, "force_retreat_if_two_floods")) >= 2:
        s.push("retreat", 1 - t)
    else:
        s.push("turn", 1 - t)
