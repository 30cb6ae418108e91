"""What a player may know of a position (notation, section 7): exactly B3, no more and no less."""

from __future__ import annotations

from typing import Any

from .layers import active_cards, layers
from .state import State


def observe(s: State, player: int, decision: str | None) -> dict[str, Any]:
    other = 1 - player
    return {
        "own": {slot: _place(s, player, slot, True) for slot in _slots(s, player)},
        "enemy": {slot: _place(s, other, slot, False) for slot in _slots(s, other)},
        "counts": [_counts(s, p) for p in (player, other)],
        "own_deck_places": _places(s, player, s.sides[player].own_deck),
        "enemy_deck_places": _places(s, other, s.sides[other].seen_deck),
        "dragons": [s.dragons[player], s.dragons[other]],
        "crystals": [s.crystals[player], s.crystals[other]],
        "out": None if s.out is None else s.out == player,
        "turn": None if s.turn is None else s.turn == player,
        "phase": s.phase,
        "decision": decision,
        "fight": s.fight,
        "totals": [layers(s).total(p) for p in (player, other)] if s.running else None,
        "did": (dict(s.did.n), sorted(s.did.marks), sorted(s.did.groups)),
        "caterpillars": [[placed.slot for placed in s.sides[p].table if placed.chosen] for p in (player, other)],
        "hyla": None if s.hyla is None else (s.hyla[0] == player, s.hyla[1]),
    }


def _slots(s: State, player: int) -> list[int]:
    return [card.slot for card in s.cards[player] if card]


def _counts(s: State, player: int) -> dict[str, int]:
    side = s.sides[player]
    return {"deck": len(side.deck), "hand": len(side.hand), "closed": len(side.closed), "down": len(side.downs)}


def _places(s: State, player: int, known: set[int]) -> dict[int, int]:
    deck = s.sides[player].deck
    return {slot: deck.index(slot) for slot in sorted(known)}


def _place(s: State, owner: int, slot: int, is_own: bool) -> dict[str, Any]:
    """Place and flags of a card as its owner or the opponent sees it; `unseen` for what can't be followed."""
    side = s.sides[owner]
    placed = side.placed(slot)
    if placed is not None:
        if placed.down and not is_own and slot not in side.seen_down:
            return {"place": "unseen"}
        return {
            "place": "support" if placed in side.support else "combat",
            "covered": placed.covered,
            "down": placed.down,
            "used": placed.used,
            "active": not placed.covered,
        }
    if slot in side.hand:
        if not is_own and slot not in side.open and slot not in side.seen_hand:
            return {"place": "unseen"}
        return {"place": "hand", "open": slot in side.open}
    if slot in side.deck:
        return {"place": "deck" if is_own or slot in side.seen_deck else "unseen"}
    place = next(name for name, slots in _open_zones(s, owner).items() if slot in slots)
    return {"place": place, "active": any(slot == active for active, _ in active_cards(s, owner))}


def _open_zones(s: State, owner: int) -> dict[str, set[int]]:
    side = s.sides[owner]
    return {
        "ship": {ship.slot for ship in side.ships if not ship.landed},
        "landed ship": {ship.slot for ship in side.ships if ship.landed},
        "cargo": {slot for ship in side.ships if not ship.landed for slot in ship.cargo},
        "landed": set(side.landed),
        "lead": set(side.lead),
        "discard": side.discard,
        "feats": side.feats,
        "hyla": {s.hyla[1]} if s.hyla is not None and s.hyla[0] == owner else set(),
    }
