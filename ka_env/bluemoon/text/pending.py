"""The `pending` line: a decision inside a text, a demand, a decline, a retreat. Does it fit the position?

Asked of texts, never during play. What passes here can be played on: every card it names lies where the kernels will
look for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ka_env.bluemoon.cards import (
    ABILITIES,
    ABILITY,
    BOOSTER,
    CARD_OF,
    END_OF_SUPPORT,
    END_OF_TURN,
    FIGHT_CARDS,
    LEADERSHIP_CARD,
    MUST_DISCARD,
    SEARCH_SHIP,
    SUPPORT,
    TYPE,
    WITH_TIMING,
)
from ka_env.bluemoon.codes import ENGAGE, IN_FIRE, KINDS, LEADERSHIP, NO_FIGHT, OPENING, POINTS, SUPPORTING
from ka_env.bluemoon.text.write import has, pile_of
from ka_env.errors import nearest

if TYPE_CHECKING:
    from ka_env.bluemoon.text.read import Reader

# kind: the points at which it can be asked, the abilities that ask it
_ON_PLAY = "main"
_ANY_TEXT = "main texts turn_texts"
_MAY = (
    "draw draw_up_to_hand_size draw_then_discard_one_of_them draw_then_return_two draw_random_from_own_discard "
    "opp_discards_own_choice recycle_discard mill_opp discard_opp_table_cards"
)
ASKED: dict[str, tuple[str, str]] = {
    "announce": ("power", ""),
    "challenge": ("refresh", ""),
    "may": (_ANY_TEXT, _MAY),
    "target": (_ON_PLAY, "discard_opp_table_cards"),
    "keep": (_ON_PLAY, "discard_opp_table_cards"),
    "which": (_ON_PLAY, "discard_opp_table_cards"),
    "strip": (_ON_PLAY, "discard_from_opp_hand_blind"),
    "discard": (_ANY_TEXT, "opp_discards_own_choice opp_discards_down_to chosen_each_discards"),
    "decline": ("decline", ""),
    "meet": ("demands retreat_demands", "opp_must_discard"),
    "sacrifice": (_ON_PLAY, "dragon_for_discard"),
    "shed": (_ON_PLAY, "discard_own_hand"),
    "bottom": (_ON_PLAY, "hand_to_deck_bottom"),
    "cargo": (_ON_PLAY, "load_from_hand load_from_hand_and_landing_allows_one_hand_card"),
    "ship": (_ON_PLAY, ""),
    "take_back": (_ON_PLAY, "return_own_table_card"),
    "deck_card": (_ANY_TEXT, "search_to_hand search_deck_ship_or_load"),
    "discard_card": (_ANY_TEXT, "search_to_hand"),
    "drop": (_ANY_TEXT, "draw_then_discard_one_of_them"),
    "put_back": (_ANY_TEXT, "draw_then_return_two"),
    "caterpillar": ("power", ""),
    "interfere": ("played", ""),
    "feat": (_ON_PLAY, ""),
}
SETS = ("picked", "drawn", "due", "settled0", "settled1")
FIELDS = ["player", "point", "card", "room", "left", "retreater", *SETS]
ROOM_FLAGS = 63


def read_pending(reader: Reader) -> None:
    s = reader.s
    words = reader.words["pending"]
    if words[0] not in ASKED:
        raise reader.refuse(
            f"unknown decision {words[0]!r}: expected one of {', '.join(ASKED)}{nearest(words[0], ASKED)}"
        )
    fields: dict[str, str] = {}
    for word in words[1:]:
        name, _, value = word.partition("=")
        if name not in FIELDS or not value or name in fields:
            raise reader.refuse(
                f"can't read {word!r}: expected each of {', '.join(FIELDS)} at most once{nearest(name, FIELDS)}"
            )
        fields[name] = value
    s.kind = KINDS.index(words[0])
    for name in ("player", "retreater"):
        if name in fields:
            s[name] = reader.number(fields[name], 1)
    point = fields.get("point", "")
    if point not in ASKED[words[0]][0].split():
        raise reader.refuse(f"point {point!r}: {words[0]!r} is asked at {ASKED[words[0]][0].replace(' ', ', ')}")
    s.point = POINTS.index(point)
    s.room = reader.number(fields.get("room", "0"), ROOM_FLAGS)
    s.left = reader.number(fields.get("left", "0"), 40)
    if "card" in fields:
        s.card = _card(reader, 1 - int(s.player) if words[0] == "meet" else int(s.turn), fields["card"])
    for name, q in zip(SETS, (s.player, s.turn, s.turn, 0, 1)):
        cards = sum(1 << _card(reader, int(q), code) for code in fields[name].split(",")) if name in fields else 0
        if name.startswith("settled"):
            s.settled[q] = cards
        else:
            s[name] = cards
    if not _fits(s, words[0]):
        raise reader.refuse(f"the decision {words[0]!r} does not fit the position")


def _card(reader: Reader, q: int, code: str) -> int:
    found = CARD_OF[reader.s.deck[q]].get(code)
    if found is None:
        raise reader.refuse(f"card {code!r} is not in player {q}'s deck{nearest(code, CARD_OF[reader.s.deck[q]])}")
    return found


def _fits(s: Any, kind: str) -> bool:
    return _decider_fits(s, kind) and _card_fits(s, kind) and _moment_fits(s, kind) and _sets_fit(s, kind)


def _decider_fits(s: Any, kind: str) -> bool:
    retreating = POINTS[s.point] == "retreat_demands"
    if (s.retreater >= 0) != retreating:
        return False
    if kind == "meet":
        return bool(s.player == (s.retreater if retreating else s.turn))
    if kind in ("challenge", "interfere"):
        return bool(s.player != s.turn)
    return kind in ("discard", "feat") or bool(s.player == s.turn)


def _card_fits(s: Any, kind: str) -> bool:
    """Is the card that asks (or is being moved) where it has to be?"""
    abilities = ASKED[kind][1].split()
    t = int(s.turn)
    if kind in ("ship", "interfere"):
        return s.card >= 0 and (_ship_fits(s, t) if kind == "ship" else _interfered_fits(s, t))
    if not abilities:
        return bool(s.card < 0) or kind == "feat"
    q = 1 - int(s.player) if kind == "meet" else t
    if s.card < 0 or ABILITIES[ABILITY[s.deck[q], s.card]] not in abilities:
        return False
    here = int(s.combat[q]) | int(s.support[q]) | int(s.ships[q])
    if kind == "meet":
        return has(here & int(s.settled[q]), s.card) and ABILITY[s.deck[q], s.card] == MUST_DISCARD
    if s.leader[q] >= 0:
        here |= 1 << int(s.leader[q])
    searching = kind == "deck_card" and ABILITY[s.deck[q], s.card] == SEARCH_SHIP
    return has(here, s.card) and (not searching or s.phase == LEADERSHIP)


def _ship_fits(s: Any, t: int) -> bool:
    """A card to be loaded lies at hand; one found by a search still lies in the deck."""
    if not has(FIGHT_CARDS[s.deck[t]], s.card):
        return False
    if s.phase != SUPPORTING:
        return s.phase == LEADERSHIP and int(s.card) in pile_of(s, t)
    aboard = [
        int(c) for i in range(s.fleet_count[t]) if has(s.landed[t], s.fleet[t, i]) for c in s.cargo[t, i] if c >= 0
    ]
    return has(s.hand[t], s.card) or int(s.card) in aboard


def _interfered_fits(s: Any, t: int) -> bool:
    type_ = TYPE[s.deck[t], s.card]
    if type_ == LEADERSHIP_CARD:
        return bool(s.leader[t] == s.card)
    return type_ in (BOOSTER, SUPPORT) and has(
        (int(s.combat[t]) & ~int(s.covered[t])) | (int(s.support[t]) & ~int(s.down[t])), s.card
    )


def _moment_fits(s: Any, kind: str) -> bool:
    """Phase and fight: what comes after the booster/support phase comes in a fight, a decline in none."""
    point = POINTS[s.point]
    if kind == "decline":
        return bool(s.phase == ENGAGE and s.fight == NO_FIGHT)
    if kind == "announce":
        return bool(s.phase == SUPPORTING and s.fight == OPENING)
    if point == "retreat_demands" or kind == "challenge":
        return bool(s.fight >= IN_FIRE)
    if point == "main" or kind == "interfere":
        if s.phase == LEADERSHIP:
            return bool(s.fight != OPENING)
        return bool(s.phase > ENGAGE and s.fight != NO_FIGHT)
    return bool(s.phase == SUPPORTING and s.fight != NO_FIGHT)


def _sets_fit(s: Any, kind: str) -> bool:
    p, t = int(s.player), int(s.turn)
    timing = {"texts": END_OF_SUPPORT, "turn_texts": END_OF_TURN}.get(POINTS[s.point])
    due = int(WITH_TIMING[s.deck[t], timing]) if timing is not None else 0
    if int(s.due) & ~due or (kind == "drop") != bool(s.drawn) or int(s.drawn) & ~int(s.hand[t]):
        return False
    if any(int(s.settled[q]) & ~(int(s.combat[q]) | int(s.support[q])) for q in range(2)):
        return False
    counted = kind in ("discard", "put_back", "strip")
    held = int(s.hand[1 - t] if kind == "strip" else s.hand[p]).bit_count()
    if counted != bool(s.left) or s.left > held:
        return False
    if int(s.picked) & int(s.hand[p]):
        return False
    return kind != "feat" or bool(s.feats[p])
