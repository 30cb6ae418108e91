"""A recorded game as plain data for pages; how its table looks and what is told of a move is the game's own."""

from __future__ import annotations

from typing import Any

from ka_env.games import game_of_text
from ka_env.record import UNKNOWN, Record, Step
from ka_env.story import OUTSIDER

Json = dict[str, Any]


def replay_data(record: Record, language: str = "en") -> Json:
    """The whole game: headers, names, positions (the first is the deal) and the moves between them."""
    room: Any = game_of_text(record.deal).room("viewer")
    game: Any = record.start()
    names, teller = room.Names(OUTSIDER, language), room.Teller(OUTSIDER, language)
    positions, moves = [room.position(game, names)], []
    line = -1
    for step in record.steps():
        move = _move(step, record.notes.get(step.number, {}), names) | room.told(step, names, teller)
        if step.line != line:
            line = step.line
            move["turn"] = room.turn_words(game, line + 1, language)
        moves.append(move)
        game = step.after
        positions.append(room.position(game, names))
    shown = {k: text for k, text in record.headers.items() if text != UNKNOWN and k not in room.SECRET_HEADERS}
    return {
        "headers": shown,
        "players": player_names(record),
        **room.table_facts(game, language),
        "result": room.result_words(game, language),
        "positions": positions,
        "moves": moves,
    }


def player_names(record: Record) -> list[str]:
    names = record.headers["players"].split()
    return names if len(names) == 2 else ["", ""]


def _move(step: Step, notes: dict[str, float], names: Any) -> Json:
    before: Any = step.before
    did = {token: names.did(before.state, token) for token in before.legal()}
    return {
        "player": before.player,
        "token": step.token,
        "text": did[step.token],
        "choices": [[token, text, *([notes[token]] if token in notes else [])] for token, text in did.items()],
    }
