"""The table as plain data for pages: a recorded game for the viewer, a game under way for a player at the table.

What each player knows comes from `look`. A card is written as its code and who knows it: `K103` is K10, where 1 is
player 0, 2 is player 1 and 3 both. To a player who may not know a card it is `?0`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from ka_env.bluemoon import FRAMES
from ka_env.bluemoon.cards import CODES, members
from ka_env.bluemoon.codes import WORDS
from ka_env.bluemoon.game import Game
from ka_env.bluemoon.people.first_steps import LESSONS as LESSONS
from ka_env.bluemoon.people.look import Card, Side, View, knows, look
from ka_env.bluemoon.people.phrases import phrases
from ka_env.bluemoon.people.screens import change_notes
from ka_env.bluemoon.people.story import Names, Teller
from ka_env.bluemoon.people.story import result_words as result_words
from ka_env.bluemoon.people.story import turn_words as turn_words
from ka_env.bluemoon.people.texts import ROW, about_card, icons_of
from ka_env.bluemoon.rulesets import LISTS
from ka_env.bluemoon.text.write import line_of, pile_of, row_of
from ka_env.record import Step
from ka_env.viewer.still import Still

Json = dict[str, Any]
UNKNOWN_CARD = "?0"
PASSES = False  # every question wants an answer
SIGNS = "◆ ◆ ◆"  # on the game's button in the lobby

SECRET_HEADERS: list[str] = []  # all headers may be shown
TABLE = "table "  # keys of the phrase book that only the table uses
SHARED = (
    "hand deck discard ships lead feats hyla crystals dragons total held covered landed used active fire earth empty"
).split() + ["first out", "open card", "doubled demand"]


def table_words(language: str) -> dict[str, str]:
    """The words of the table, as the page's script asks for them."""
    book = phrases(language)
    words = {key.removeprefix(TABLE): text for key, text in book.items() if key.startswith(TABLE)}
    parts = {key: text for key, text in book.items() if key.startswith(("phase ", "fight "))}
    return words | parts | {key: book[key] for key in SHARED}


def table_facts(game: Game, language: str) -> Json:
    """What the table's script needs beside positions; nothing of it depends on the deal."""
    return {"words": table_words(language), "cards": card_facts(game, language)}


def card_facts(game: Game, language: str) -> Json:
    """What is printed on the cards of both decks, and what it means."""
    s = game.state
    codes = {CODES[deck][card] for deck in s.deck for card in members(LISTS[deck, s.ruleset])}
    return {code: _facts(code, language) for code in sorted(codes)}


def _facts(code: str, language: str) -> Json:
    row = ROW[code]
    return {
        "type": row["type"],
        "values": [row["fire"], row["earth"]] if row["fire"] or row["earth"] else None,
        "icons": icons_of(code, language),
        "text": bool(row["ability"]),
        "about": about_card(code, language),
    }


# ---- moves ----------------------------------------------------------------------------------------------------------


def told(step: Step, names: Names, teller: Teller) -> Json:
    """What a move brought, besides the move itself; and how it is told to those who can't see it."""
    before: Any = step.before
    s = before.state
    said = names.say("told", who=names.who(int(s.player)), what=names.did(s, step.token))
    lines = teller.tell(before, step.token, step.chance)
    move: Json = {"facts": [line.text for line in lines if not line.heading and line.text != said]}
    hidden = names.hidden(s, step.token)
    if hidden is not None:
        move["hidden"] = hidden
        move["facts"] = [fact for fact in move["facts"] if not fact.endswith(hidden)]
    return move


# ---- positions ------------------------------------------------------------------------------------------------------


def position(game: Game, names: Names, viewer: int | None = None) -> Json:
    """All that lies on the table; for a viewer, what that player may know of it."""
    game = cast(Game, Still(game))  # read many times, by Python alone
    s = game.state
    view = look(game, viewer)
    asked = not game.over and viewer in (None, game.player)
    return {
        "turn": None if game.over else game.turn,
        "player": game.player,
        "ask": names.ask(s) if asked else None,
        "hidden": None if game.over else names.ask(s, told=False),
        "phase": view.phase,
        "fight": view.fight,
        "hyla": view.hyla,
        "sides": [_side(game, view, q, names, viewer) for q in range(2)],
        "result": game.result,
    }


def _side(game: Game, view: View, q: int, names: Names, viewer: int | None) -> Json:
    s, side = game.state, view.sides[q]
    codes = CODES[s.deck[q]]
    knowers = [p for p in range(2) if viewer in (None, p, q)]  # what the owner knows is no business of the other one

    def mark(c: int) -> str:
        """A card with who knows it."""
        if not knows(s, viewer, q, c):
            return UNKNOWN_CARD
        return codes[c] + str(sum(1 << p for p in knowers if knows(s, p, q, c)))

    def marked(cards: Sequence[int]) -> list[str]:
        return [mark(c) for c in cards]

    return {
        "people": side.people,
        "deck": marked(pile_of(s, q)),
        "hand": sorted(marked(members(s.hand[q])), key=UNKNOWN_CARD.__eq__),  # the places of backs tell nothing
        "open": [card.code for card in side.hand if card.open],
        "combat": [_card(view, card, code, names) for card, code in zip(side.combat, marked(line_of(s, q)))],
        "support": [_card(view, card, code, names) for card, code in zip(side.support, marked(row_of(s, q)))],
        "ships": [
            {"code": ship.code, "landed": ship.landed, "cargo": ship.cargo, "capacity": ship.capacity}
            for ship in side.ships
        ],
        "lead": side.lead,
        "leader": side.leader,
        "discard": side.discard,
        "feats": side.feats,
        "dragons": side.dragons,
        "crystals": side.crystals,
        "total": _total(view, side, names),
        "out": side.first_out,
    }


def _total(view: View, side: Side, names: Names) -> str:
    """In the contested element; what either would be while a fight is opened; empty without a fight."""
    if view.fight == "-":
        return ""
    if view.element is None:
        return names.say("totals open", fire=side.totals[0], earth=side.totals[1])
    held = side.least[view.element]
    return str(side.totals[view.element]) + (f" ({names.say('held', card=held)})" if held else "")


def _card(view: View, card: Card, code: str, names: Names) -> Json:
    values = None if card.values is None else [[value.printed, value.now] for value in card.values]
    contested = [] if card.values is None else card.values if view.element is None else [card.values[view.element]]
    why = change_notes(names, contested)
    if card.silenced:
        why.append(names.say("text off", cards=names.list(card.silenced)))
    if card.stripped:
        why.append(names.say("icons off", cards=names.list(card.stripped)))
    return {
        "code": code,
        "covered": card.covered,
        "down": card.face_down,
        "number": card.number,
        "values": values,
        "why": why,
        "used": card.used,
        "doubled": card.doubled,
    }


# ---- a player at the table ------------------------------------------------------------------------------------------


def table_data(game: Game, viewer: int, language: str = "en") -> Json:
    """The position as one player may know it."""
    return position(game, Names(viewer, language), viewer)


def spot(game: Game, token: str) -> str:
    """Where on the table lies the card that a choice names; empty if nowhere."""
    p = game.player
    assert p is not None
    if token in WORDS:
        return ""
    if token[0] == "f" and token[1:].isdigit():
        return f"down {1 - p} {token[1:]}"
    if token[0] == "e":
        return f"card {1 - p} {token[1:]}"
    return f"card {p} {token.lstrip('~+')}"


def handles(game: Game, token: str) -> list[tuple[str, list[str]]]:
    """Places on the table that stand for a choice, with all that clicking on each says."""
    place = spot(game, token)
    return [(place, [token])] if place else []


def quiet_answer(game: Game) -> str:
    """Every question of Blue Moon wants an answer of its own."""
    return ""


def frames(ruleset: str) -> dict[str, str]:
    """The frames of a ruleset, and whether players bring decks: never, the frame says which."""
    return dict.fromkeys(FRAMES, "no")


def mirrored(frame: str) -> str:
    """The frame with the players' decks exchanged."""
    return "-".join(reversed(frame.split("-")))
