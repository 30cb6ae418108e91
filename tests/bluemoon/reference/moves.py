"""Cards that move, what of it can be followed (B3), the first-out mark, dragons and the end (sections 2 and 3)."""

from __future__ import annotations

import bisect

from .layers import layers
from .state import Placed, Record, Ship, Side, State

HAND_SIZE = 6
DRAGONS = 3
MATCH_CRYSTALS = 5


class GameEnds(Exception):
    """Nothing more happens in this game."""


def check_out(s: State, player: int) -> None:
    side = s.sides[player]
    if s.out is None and not side.hand and not side.deck:
        s.out = player


# ---- hand ----


def into_hand(s: State, player: int, slot: int, shown: bool) -> None:
    side = s.sides[player]
    bisect.insort(side.hand, slot)
    if shown:
        side.seen_hand.add(slot)
    s.changed()


def out_of_hand(s: State, player: int, slot: int) -> None:
    """Face up: whatever else was known of the hand stays known."""
    side = s.sides[player]
    side.hand.remove(slot)
    side.open.discard(slot)
    side.seen_hand.discard(slot)
    check_out(s, player)
    s.changed()


def out_of_hand_face_down(s: State, player: int, slot: int) -> bool:
    """Whether the opponent can still follow the card."""
    side = s.sides[player]
    if slot in side.open:
        followed = True
    else:
        followed = side.closed == [slot] and slot in side.seen_hand
        side.seen_hand.clear()
    side.hand.remove(slot)
    side.open.discard(slot)
    s.changed()
    return followed


def lay_open(s: State, player: int) -> None:
    side = s.sides[player]
    side.open = set(side.hand)
    side.seen_hand.clear()
    s.changed()


# ---- discarding ----


def to_pile(s: State, player: int, slot: int) -> None:
    """A card that has left its zone goes to the discard pile, a leadership card to the leadership pile."""
    side = s.sides[player]
    if s.card(player, slot).type == "leadership":
        side.lead.append(slot)
    else:
        side.discard.add(slot)
    s.changed()


def discard_from_hand(s: State, player: int, slot: int) -> None:
    out_of_hand(s, player, slot)
    to_pile(s, player, slot)


def off_table(s: State, player: int, slot: int) -> Placed:
    side = s.sides[player]
    for area in (side.combat, side.support):
        for placed in area:
            if placed.slot == slot:
                area.remove(placed)
                s.changed()
                return placed
    raise AssertionError(f"slot {slot} is not on the table of player {player}")


def discard_from_table(s: State, player: int, slot: int) -> None:
    off_table(s, player, slot)
    s.sides[player].seen_down.discard(slot)
    to_pile(s, player, slot)


def discard_landed(s: State, player: int) -> None:
    side = s.sides[player]
    for ship in side.ships:
        if ship.landed:
            side.discard.update((ship.slot, *ship.cargo))
    side.ships = [ship for ship in side.ships if not ship.landed]
    s.changed()


def return_to_hand(s: State, player: int, slot: int) -> None:
    """A table card goes to hand; a face-down one unseen, unless it was followed up to there."""
    side = s.sides[player]
    placed = off_table(s, player, slot)
    shown = not placed.down or slot in side.seen_down
    side.seen_down.discard(slot)
    into_hand(s, player, slot, shown)


# ---- deck ----


def can_take(s: State, player: int, gone: int = 0) -> bool:
    """Whether a card may come into the hand, `gone` cards having left it."""
    held = len(s.sides[player].hand) - gone
    return all(held < cap for cap in layers(s).numbers(1 - player, "opp_hand_cap", "max"))


def deck_not_barred(s: State, player: int) -> bool:
    taken = s.did.n["took"] if player == s.turn else 0
    return all(taken < limit for limit in layers(s).numbers(1 - player, "opp_draw_limit", "max_per_turn"))


def can_draw(s: State, player: int, gone: int = 0) -> bool:
    return bool(s.sides[player].deck) and deck_not_barred(s, player) and can_take(s, player, gone)


def out_of_deck(s: State, player: int, slot: int) -> bool:
    """Whether the opponent knew the place of the card."""
    side = s.sides[player]
    side.deck.remove(slot)
    followed = slot in side.seen_deck
    side.seen_deck.discard(slot)
    side.own_deck.discard(slot)
    return followed


def count_taken(s: State, player: int) -> None:
    if player == s.turn:
        s.did.n["took"] += 1


def draw(s: State, player: int, shown: bool = False) -> int:
    slot = s.sides[player].deck[0]
    followed = out_of_deck(s, player, slot)
    into_hand(s, player, slot, shown or followed)
    count_taken(s, player)
    return slot


def draw_up_to(s: State, player: int, size: int) -> None:
    while len(s.sides[player].hand) < size and can_draw(s, player):
        draw(s, player)


def under_deck(s: State, player: int, slot: int) -> None:
    """A hand card goes face down under the own deck."""
    side = s.sides[player]
    followed = out_of_hand_face_down(s, player, slot)
    side.deck.append(slot)
    side.own_deck.add(slot)
    if followed:
        side.seen_deck.add(slot)


def shuffle(s: State, player: int) -> None:
    side = s.sides[player]
    codes = s.chance.shuffle(player, s.codes(player, side.deck))
    by_code = {s.code(player, slot): slot for slot in side.deck}
    side.deck = [by_code[code] for code in codes]
    side.seen_deck.clear()
    side.own_deck.clear()
    s.events.append(("shuffle", player, list(codes)))


# ---- ships ----


def replace_ship(s: State, player: int, slot: int, **changes: object) -> None:
    side = s.sides[player]
    side.ships = [ship._replace(**changes) if ship.slot == slot else ship for ship in side.ships]  # type: ignore[arg-type]
    s.changed()


def has_room(s: State, player: int, ship: Ship) -> bool:
    return len(ship.cargo) < s.card(player, ship.slot).capacity


def put_on_ship(s: State, player: int, ship_slot: int, slot: int) -> None:
    """A card that has left its zone goes on a ship."""
    ship = next(ship for ship in s.sides[player].ships if ship.slot == ship_slot)
    replace_ship(s, player, ship_slot, cargo=(*ship.cargo, slot))


def out_of_landed(s: State, player: int, slot: int) -> None:
    for ship in s.sides[player].ships:
        if slot in ship.cargo:
            replace_ship(s, player, ship.slot, cargo=tuple(c for c in ship.cargo if c != slot))


# ---- dragons and the end ----


def attract(s: State, player: int) -> None:
    if s.dragons[1 - player]:
        s.dragons[1 - player] -= 1
    elif s.dragons[player] < DRAGONS:
        s.dragons[player] += 1
    else:
        end_game(s, player, crystals=DRAGONS + 1)


def end_by_empty_hand(s: State) -> None:
    """The cases 2 and 3 of section 3."""
    if s.dragons != [0, 0]:
        winner = 0 if s.dragons[0] else 1
    else:
        assert s.out is not None
        winner = 1 - s.out
    end_game(s, winner, crystals=s.dragons[winner] + 1)


def feats_value(s: State, player: int, ability: str) -> int:
    cards = [s.card(player, slot) for slot in s.sides[player].feats]
    return sum(int(card.args["value"]) for card in cards if card.ability == ability)


def end_game(s: State, winner: int, crystals: int) -> None:
    """Ends the game, in a match perhaps with the next deal; never returns."""
    if s.searching:
        raise GameEnds
    if s.match:
        crystals += feats_value(s, winner, "achieve_win_plus")
        crystals = max(1, crystals - feats_value(s, 1 - winner, "achieve_loss_minus"))
    s.crystals[winner] += crystals
    if s.match:
        s.crystals[winner] = min(s.crystals[winner], MATCH_CRYSTALS)
    s.stack.clear()
    empty_record(s)
    if s.match and s.crystals[winner] < MATCH_CRYSTALS:
        deal(s)
    else:
        s.result = (1, 0) if winner == 0 else (0, 1)
        s.turn = None
        s.phase = "-"
    raise GameEnds


def empty_record(s: State) -> None:
    s.did = Record()
    s.settled.clear()
    for side in s.sides:
        for area in (side.combat, side.support):
            area[:] = [placed._replace(used=False) for placed in area]
    s.changed()


def deal(s: State) -> None:
    s.sides = (Side(), Side())
    s.dragons = [0, 0]
    s.fight = "-"
    s.out = None
    s.hyla = None
    for p in (0, 1):
        s.sides[p].deck = [card.slot for card in s.cards[p] if card]
        shuffle(s, p)
    for side in s.sides:
        side.hand = sorted(side.deck[:HAND_SIZE])
        del side.deck[:HAND_SIZE]
    starter = s.chance.starter()
    s.events.append(("starter", starter))
    s.changed()
    s.push("turn", starter)
