"""The table as plain data for pages: a recorded game for the viewer, a game under way for a player at the table.

What each player knows comes from `look`. A card is written as its name and who knows it: `7h3`, where 1 is player 0,
2 is player 1 and 3 both. To a player who may not know a card it is `?0`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import takewhile
from typing import Any, cast

from ka_env.blackpoker.cards import NAMES, members
from ka_env.blackpoker.codes import (
    FIRST_PLAYER_TARGET,
    FIRST_STAGE_TARGET,
    GONE,
    LINK_ALL,
    NO_TARGET,
    PASSED_0,
    PASSED_BOTH,
    PLAYERS,
    SLOTS,
    TRIGGERED,
    VERBS,
    WORDS,
)
from ka_env.blackpoker.deal import FRAMES, frames_of
from ka_env.blackpoker.decisions import AT_CHANCE, AT_KEY, ENEMY_HAND, REQUESTER, ROW, ROWS
from ka_env.blackpoker.game import Game
from ka_env.blackpoker.people.board import HIDDEN, Request, Side, Unit, View, look, verb_name
from ka_env.blackpoker.people.first_steps import LESSONS as LESSONS
from ka_env.blackpoker.people.phrases import phrases
from ka_env.blackpoker.people.story import Names, Teller
from ka_env.blackpoker.people.story import result_words as result_words
from ka_env.blackpoker.people.story import turn_words as turn_words
from ka_env.blackpoker.rulesets import actions_of
from ka_env.blackpoker.text.notation import place_name
from ka_env.blackpoker.text.tokens import action_id
from ka_env.moments import moments
from ka_env.record import Step
from ka_env.viewer.still import Still

Json = dict[str, Any]
UNKNOWN_CARD = "?0"
PASSES = True  # there are questions that ask nothing
SIGNS = "♠ ♥ ♦ ♣"  # on the game's button in the lobby
PAYMENTS = ("pay_bulwark", "pay_discard", "pay_sacrifice")
MAKING_KINDS = [kind for kind, row in enumerate(ROWS) if row.asked == REQUESTER]

TABLE = "table "  # keys of the phrase book that only the table uses
# Not every view may know them, or they say nothing alone.
SECRET_HEADERS = [f"{word}{player}" for word in ("firsthand", "rare", "deck") for player in range(2)]
SHARED = "life hand grave fog pack rare closed opened stage driven attacks picked blocks gone".split()


def table_words(language: str) -> dict[str, str]:
    """The words of the table, as the page's script asks for them."""
    book = phrases(language)
    words = {key.removeprefix(TABLE): text for key, text in book.items() if key.startswith(TABLE)}
    return words | {key: book[key] for key in SHARED} | {"came": book["new"]}


def table_facts(game: Game, language: str) -> Json:
    """What the table's script needs beside positions; nothing of it depends on the deal."""
    return {"words": {**table_words(language), **_verbs(game.ruleset, language)}}


def _verbs(ruleset: str, language: str) -> dict[str, str]:
    official = {action.verb: action.official for action in actions_of(ruleset)}
    verbs = [*VERBS, *TRIGGERED]
    return {f"verb {verb}": official.get(verb, verb) if language == "ja" else verb_name(verb) for verb in verbs}


# ---- moves ----------------------------------------------------------------------------------------------------------


def told(step: Step, names: Names, teller: Teller) -> Json:
    """What a move brought; and how it is told to those who can't see it."""
    before: Any = step.before
    kind = before.decision
    lines = teller.tell(before, step.token, step.chance)
    move: Json = {"facts": [line.text for line in lines if not line.heading]}
    if kind is not None and ROW[kind].hidden and step.token not in WORDS:
        move["hidden"] = names.say(f"did {kind} hidden")
    return move


# ---- positions ------------------------------------------------------------------------------------------------------


def position(game: Game, names: Names, viewer: int | None = None) -> Json:
    """All that lies on the table; for a viewer, what that player may know of it."""
    game = cast(Game, Still(game))  # read many times, by Python alone
    s = game.state
    view = look(game, viewer)
    asked = not game.over and viewer in (None, game.player)
    looks = [look(game, player) for player in range(2)]

    def one_side(q: int) -> Json:
        """Which cards the owner knows is no business of the other player."""
        return _side(game, side(view, q), {p: side(looks[p], q) for p in range(2) if viewer in (None, p, q)})

    return {
        "turn": game.turn,
        "player": game.player,
        "ask": names.ask(s) if asked else None,
        "passed": _passed(int(s.passed)),
        "sides": [one_side(q) for q in range(2)],
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


def _marked(cards: Sequence[int], seen: Mapping[int, Sequence[int]]) -> list[str]:
    """Cards with who knows them; `seen`: what players see in their places."""
    shown = {player: set(some) for player, some in seen.items()}

    def mark(c: int) -> str:
        return UNKNOWN_CARD if c == HIDDEN else NAMES[c] + str(sum(1 << p for p, some in shown.items() if c in some))

    return [mark(c) for c in cards]


def _side(game: Game, full: Side, seen: dict[int, Side]) -> Json:
    def marked(zone: str) -> list[str] | None:
        cards = getattr(full, zone)
        return None if cards is None else _marked(cards, {p: getattr(one, zone) or [] for p, one in seen.items()})

    return {
        **{zone: marked(zone) for zone in ("life", "hand", "grave", "pack", "rare")},
        "fog": [[NAMES[card] + "3", _link(unit)] for card, unit, _ in full.fog],
        "closed": full.pack_closed,
        "units": [
            _unit(game, unit, {p: one.units[i].cards for p, one in seen.items()}) for i, unit in enumerate(full.units)
        ],
    }


def _link(unit: int) -> str | None:
    """The unit a fog card acts on, `all`, or None."""
    return "all" if unit == LINK_ALL else place_name(unit) if unit >= 0 else None


def _unit(game: Game, unit: Unit, seen: dict[int, list[int]]) -> Json:
    s = game.state
    return {
        "place": place_name(unit.place),
        "cards": _marked(unit.cards, seen),
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


# ---- a player at the table ------------------------------------------------------------------------------------------


def table_data(game: Game, viewer: int, language: str = "en") -> Json:
    """The position as one player may know it."""
    return position(game, Names(viewer, language), viewer)


def spot(game: Game, token: str) -> str:
    """Where on the table lies what a choice names: a card, a unit, a request, a player; empty if nowhere."""
    p = game.player
    assert p is not None and game.decision is not None
    if token in PLAYERS:
        return f"player {p if token == 'me' else 1 - p}"
    if token in NAMES:
        return f"card {1 - p if ROW[game.decision].offers == ENEMY_HAND else p} {token}"
    if token[0] == "#":
        return f"request {token[1:]}"
    if token[0] in "ue" and token[1:].isdigit():
        return f"unit {p if token[0] == 'u' else 1 - p}.{token[1:]}"
    return ""


def handles(game: Game, token: str) -> list[tuple[str, list[str]]]:
    """Places on the table that stand for a choice, with all that clicking on each says.

    A verb is taken up by the cards that can be its key.
    """
    if game.state.kind != AT_CHANCE or token not in VERBS:
        place = spot(game, token)
        return [(place, [token])] if place else []
    trial = game.copy()
    trial.play(token)
    if trial.player == game.player and trial.decision == "key":
        return [(spot(trial, word), [token, word]) for word in trial.legal()]
    return [
        (f"card {game.player} {key}", [token]) for key in sorted(_forced_keys(game, token) | _keys_after(game, trial))
    ]


def _forced_keys(game: Game, token: str) -> set[str]:
    """The keys that are named by themselves. What comes after the request may depend on cards that nobody has seen."""
    making = takewhile(lambda m: m.before.kind in (AT_CHANCE, *MAKING_KINDS), moments(game, action_id(token)))
    own = [m for m in making if m.before.player == game.player and m.before.stage_count == game.state.stage_count]
    return {game.token(m.action) for m in own if m.before.kind == AT_KEY}


def _keys_after(game: Game, trial: Game) -> set[str]:
    """The keys of a request whose payment is asked for first. One card pays or is the key: two ways to pay tell all."""
    if trial.player != game.player or trial.decision not in PAYMENTS:
        return set()
    found: set[str] = set()
    for word in trial.legal()[:2]:
        after = trial.copy()
        after.play(word)
        found |= _forced_keys(trial, word)
        if after.player == game.player:
            found |= set(after.legal()) if after.decision == "key" else _keys_after(game, after)
    return found


def quiet_answer(game: Game) -> str:
    """Pass, if there is nothing to answer: the top of the stage is one's own, or the other one's turn is calm."""
    s = game.state
    if s.kind != AT_CHANCE or "pass" not in game.legal():
        return ""
    calm = s.stage_player[s.stage_count - 1] == s.player if s.stage_count else s.turn != s.player
    return "pass" if calm else ""


def frames(ruleset: str) -> dict[str, str]:
    """The frames of a ruleset, and whether players bring decks: `no`, `may` or `must`."""
    return {name: "must" if name not in FRAMES else "may" if FRAMES[name][0] else "no" for name in frames_of(ruleset)}


def mirrored(frame: str) -> str:
    """The frame with the players' decks exchanged."""
    return frame
