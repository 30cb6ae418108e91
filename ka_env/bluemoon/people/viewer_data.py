"""A recorded game as plain data for the viewer page: every position of the table, and every move in words.

What each player knows comes from `look`. A card is written as its code and who knows it: `K103` is K10, where 1 is
player 0, 2 is player 1 and 3 both.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ka_env.bluemoon.cards import CODES, members
from ka_env.bluemoon.game import Game
from ka_env.bluemoon.people.look import OUTSIDER, Card, Side, View, knows, look
from ka_env.bluemoon.people.phrases import phrases
from ka_env.bluemoon.people.screens import change_notes
from ka_env.bluemoon.people.story import Names, Teller, result_words, turn_words
from ka_env.bluemoon.people.texts import ROW, about_card, icons_of
from ka_env.bluemoon.rulesets import LISTS
from ka_env.bluemoon.text.write import line_of, pile_of, row_of
from ka_env.record import UNKNOWN, Record, Step

Json = dict[str, Any]

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


def replay_data(record: Record, language: str = "en") -> Json:
    """The whole game: headers, names, positions (the first is the deal) and the moves between them."""
    game: Any = record.start()
    names, teller = Names(OUTSIDER, language), Teller(OUTSIDER, language)
    positions, moves = [position(game, names)], []
    line = -1
    for step in record.steps():
        move = _move(step, record.notes.get(step.number, {}), names, teller)
        if step.line != line:
            line = step.line
            move["turn"] = turn_words(game, line + 1, language)
        moves.append(move)
        game = step.after
        positions.append(position(game, names))
    return {
        "headers": {key: value for key, value in record.headers.items() if value != UNKNOWN},
        "players": player_names(record),
        "words": table_words(language),
        "cards": card_facts(game, language),
        "result": result_words(game, language),
        "positions": positions,
        "moves": moves,
    }


def player_names(record: Record) -> list[str]:
    names = record.headers["players"].split()
    return names if len(names) == 2 else ["", ""]


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


def _move(step: Step, notes: dict[str, float], names: Names, teller: Teller) -> Json:
    before: Any = step.before
    s = before.state
    told = names.did(s, step.token)
    said = names.say("told", who=names.who(int(s.player)), what=told)
    lines = teller.tell(before, step.token, step.chance)
    move: Json = {
        "player": before.player,
        "token": step.token,
        "text": told,
        "facts": [line.text for line in lines if not line.heading and line.text != said],
        "choices": [
            [token, names.did(s, token), *([notes[token]] if token in notes else [])] for token in before.legal()
        ],
    }
    hidden = names.hidden(s, step.token)
    if hidden is not None:
        move["hidden"] = hidden
        move["facts"] = [fact for fact in move["facts"] if not fact.endswith(hidden)]
    return move


# ---- positions ------------------------------------------------------------------------------------------------------


def position(game: Game, names: Names) -> Json:
    """All that lies on the table."""
    s = game.state
    view = look(game)
    return {
        "turn": None if game.over else game.turn,
        "player": game.player,
        "ask": None if game.over else names.ask(s),
        "hidden": None if game.over else names.ask(s, told=False),
        "phase": view.phase,
        "fight": view.fight,
        "hyla": view.hyla,
        "sides": [_side(game, view, q, names) for q in range(2)],
        "result": game.result,
    }


def _side(game: Game, view: View, q: int, names: Names) -> Json:
    s, side = game.state, view.sides[q]
    codes = CODES[s.deck[q]]

    def marked(cards: Sequence[int]) -> list[str]:
        """Cards with who knows them."""
        return [codes[c] + str(sum(1 << p for p in range(2) if knows(s, p, q, c))) for c in cards]

    return {
        "people": side.people,
        "deck": marked(pile_of(s, q)),
        "hand": marked(members(s.hand[q])),
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
