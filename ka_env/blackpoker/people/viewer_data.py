"""A recorded game as plain data for the viewer page: every position of the table, and every move in words.

What each player knows comes from `look`. A card is written as its name and who knows it: `7h3`, where 1 is player 0,
2 is player 1 and 3 both.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from ka_env.blackpoker.cards import NAMES, members
from ka_env.blackpoker.codes import (
    FIRST_PLAYER_TARGET,
    FIRST_STAGE_TARGET,
    GONE,
    LINK_ALL,
    NO_TARGET,
    PASSED_0,
    PASSED_BOTH,
    SLOTS,
    TRIGGERED,
    VERBS,
    WORDS,
)
from ka_env.blackpoker.decisions import ROW
from ka_env.blackpoker.game import Game
from ka_env.blackpoker.people.board import Request, Side, Unit, View, look, verb_name
from ka_env.blackpoker.people.phrases import phrases
from ka_env.blackpoker.people.story import OUTSIDER, Names, Teller, result_words, turn_words
from ka_env.blackpoker.rulesets import actions_of
from ka_env.blackpoker.text.notation import place_name
from ka_env.record import UNKNOWN, Record, Step

Json = dict[str, Any]

TABLE = "table "  # keys of the phrase book that only the table uses
SECRET = re.compile("(firsthand|rare|deck)[01]$")  # headers that not every view may know, or that say nothing alone
SHARED = "life hand grave fog pack rare closed opened stage driven attacks picked blocks gone".split()


def table_words(language: str) -> dict[str, str]:
    """The words of the table, as the page's script asks for them."""
    book = phrases(language)
    words = {key.removeprefix(TABLE): text for key, text in book.items() if key.startswith(TABLE)}
    return words | {key: book[key] for key in SHARED} | {"came": book["new"]}


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
        "headers": {key: value for key, value in record.headers.items() if value != UNKNOWN and not SECRET.match(key)},
        "players": player_names(record),
        "words": {**table_words(language), **_verbs(record.headers["ruleset"], language)},
        "result": result_words(game, language),
        "positions": positions,
        "moves": moves,
    }


def player_names(record: Record) -> list[str]:
    names = record.headers["players"].split()
    return names if len(names) == 2 else ["", ""]


def _verbs(ruleset: str, language: str) -> dict[str, str]:
    official = {action.verb: action.official for action in actions_of(ruleset)}
    verbs = [*VERBS, *TRIGGERED]
    return {f"verb {verb}": official.get(verb, verb) if language == "ja" else verb_name(verb) for verb in verbs}


# ---- moves ----------------------------------------------------------------------------------------------------------


def _move(step: Step, notes: dict[str, float], names: Names, teller: Teller) -> Json:
    before: Any = step.before
    s, kind = before.state, before.decision
    lines = teller.tell(before, step.token, step.chance)
    move: Json = {
        "player": before.player,
        "token": step.token,
        "text": names.did(s, step.token),
        "facts": [line.text for line in lines if not line.heading],
        "choices": [
            [token, names.did(s, token), *([notes[token]] if token in notes else [])] for token in before.legal()
        ],
    }
    if kind is not None and ROW[kind].hidden and step.token not in WORDS:
        move["hidden"] = names.say(f"did {kind} hidden")
    return move


# ---- positions ------------------------------------------------------------------------------------------------------


def position(game: Game, names: Names) -> Json:
    """All that lies on the table."""
    s = game.state
    view, seen = look(game), [look(game, player) for player in range(2)]
    return {
        "turn": game.turn,
        "player": game.player,
        "ask": None if game.over else names.ask(s),
        "passed": _passed(int(s.passed)),
        "sides": [_side(game, side(view, q), [side(other, q) for other in seen]) for q in range(2)],
        "stage": [_request(request) for request in view.stage],
        "making": None if view.making is None else _request(view.making),
        "result": game.result,
    }


def side(view: View, player: int) -> Side:
    return view.above if view.above.player == player else view.below


def _passed(passed: int) -> list[int]:
    if passed == PASSED_BOTH:
        return [0, 1]
    return [passed - PASSED_0] if passed >= PASSED_0 else []


def _marked(cards: Sequence[int], seen: Sequence[Sequence[int]]) -> list[str]:
    """Cards with who knows them; `seen`: what each player sees in their places."""
    shown = [set(some) for some in seen]
    return [NAMES[c] + str(sum(1 << player for player in range(2) if c in shown[player])) for c in cards]


def _side(game: Game, full: Side, seen: list[Side]) -> Json:
    return {
        "life": _marked(full.life, [one.life for one in seen]),
        "hand": _marked(full.hand, [one.hand for one in seen]),
        "grave": _marked(full.grave, [one.grave for one in seen]),
        "fog": [[NAMES[card] + "3", _link(unit)] for card, unit, _ in full.fog],
        "pack": None if full.pack is None else _marked(full.pack, [one.pack or [] for one in seen]),
        "closed": full.pack_closed,
        "rare": None if full.rare is None else _marked(full.rare, [one.rare or [] for one in seen]),
        "units": [_unit(game, unit, [one.units[i] for one in seen]) for i, unit in enumerate(full.units)],
    }


def _link(unit: int) -> str | None:
    """The unit a fog card acts on, `all`, or None."""
    return "all" if unit == LINK_ALL else place_name(unit) if unit >= 0 else None


def _unit(game: Game, unit: Unit, seen: list[Unit]) -> Json:
    s = game.state
    return {
        "place": place_name(unit.place),
        "cards": _marked(unit.cards, [one.cards for one in seen]),
        "soldier": unit.soldier,
        "size": unit.size,
        "change": unit.change,
        "driven": unit.driven,
        "came": unit.slot in members(s.came[unit.player]),
        "attacks": unit.attacker,
        "picked": unit.player == game.turn and unit.slot in members(s.picked),
        "blocks": place_name((1 - unit.player) * SLOTS + unit.blocks) if unit.blocks >= 0 else None,
    }


def _request(request: Request) -> Json:
    return {
        "index": request.index,
        "player": request.player,
        "verb": request.verb,
        "keys": [NAMES[card] + "3" for card in request.keys],
        "target": _target(request),
    }


def _target(request: Request) -> str | None:
    """`0.3` a unit, `#1` a request, `1` a player, `gone`, or None."""
    if request.at_opponent:
        return str(1 - request.player)
    if request.target == NO_TARGET:
        return None
    if request.target == GONE:
        return "gone"
    if request.target >= FIRST_PLAYER_TARGET:
        return str(request.target - FIRST_PLAYER_TARGET)
    if request.target >= FIRST_STAGE_TARGET:
        return f"#{request.target - FIRST_STAGE_TARGET}"
    return place_name(request.target)
