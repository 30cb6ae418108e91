"""Boards: a text for the terminal and a picture, for a spectator or as one player may see it.

`look` decides what is shown and what stays face down, once for both. Pictures are painted in picture.py.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from ka_env.blackpoker.cards import JOKER, NAMES, SUIT, members
from ka_env.blackpoker.codes import (
    ACTION_NAME,
    FIRST_PLAYER_TARGET,
    FIRST_STAGE_TARGET,
    GONE,
    LEGAL_CARDS,
    LEGAL_ENEMY,
    LEGAL_OWN,
    LINK_ALL,
    NO_TARGET,
    PASSED_0,
    PASSED_BOTH,
    SLOTS,
)
from ka_env.blackpoker.decisions import (
    AT_BLOCKERS,
    AT_CHANCE,
    AT_NEW_TARGET,
    AT_PACK_CARD,
    AT_SEARCH_CARD,
    CARDS_TO_DISCARD,
    ENEMY_HAND,
    KEYS_TO_NAME,
    OFFERS,
    OWN_HAND,
    SETTING_UP,
)
from ka_env.blackpoker.flow.zones import State
from ka_env.blackpoker.game import Game
from ka_env.blackpoker.people.phrases import ENGLISH
from ka_env.blackpoker.people.phrases import verb_name as name_of_action
from ka_env.blackpoker.rulesets import LETTERS, RULES
from ka_env.blackpoker.rulesets.rows import OPPONENT
from ka_env.blackpoker.text.notation import grave_of, life_of, place_name, unit_cards

HIDDEN = -1  # in place of a card
FROM_HAND = (CARDS_TO_DISCARD, KEYS_TO_NAME, OWN_HAND)  # offers of decisions that choose an own hand card


def say(word: str, **parts: str) -> str:
    """Boards are in English; every word comes from the phrase book."""
    return ENGLISH[word].format(**parts)


def player_name(player: int) -> str:
    return say("player", player=str(player))


def verb_name(verb: str) -> str:
    return name_of_action(verb, "en") if verb else ""


# ---- what a viewer sees ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Unit:
    player: int
    slot: int
    cards: list[int]  # from the bottom up
    soldier: bool
    size: int
    change: int
    driven: bool
    marks: list[str]  # in words
    attacker: bool
    blocks: int  # enemy slot, or -1
    choice: bool  # may be chosen now

    @property
    def place(self) -> int:
        return self.player * SLOTS + self.slot


@dataclass(frozen=True)
class Side:
    """What one player has."""

    player: int
    life: list[int]  # top first
    hand: list[int]
    grave: list[int]  # top last
    fog: list[tuple[int, int, bool]]  # card, unit it acts on (or LINK_ALL) or -1, a spade that adds
    pack: list[int] | None  # None: the ruleset has none
    pack_closed: bool
    rare: list[int] | None
    units: list[Unit]
    choices: list[int]  # hand cards that may be chosen now


@dataclass(frozen=True)
class Request:
    index: int
    player: int
    verb: str
    keys: list[int]
    target: int  # as in the record
    at_opponent: bool = False  # aimed at the other player


@dataclass(frozen=True)
class View:
    """All that a board shows."""

    ruleset: str
    turn: int
    player: int | None
    above: Side
    below: Side
    stage: list[Request]
    making: Request | None  # being paid for, or immediate and being resolved
    headline: str
    details: list[str]
    choices: list[str]  # tokens

    def unit(self, place: int) -> Unit | None:
        sides = (self.above, self.below)
        return next((u for side in sides for u in side.units if u.place == place), None)


def look(game: Game, viewer: int | None = None) -> View:
    """What `viewer` may know of the game (R1 of the rules); None sees every card."""
    if viewer not in (None, 0, 1):
        raise ValueError(f"viewer must be 0, 1 or None, not {viewer!r}")
    s = game.state
    below = viewer or 0
    told = game.player is not None and viewer in (None, game.player)
    return View(
        ruleset=game.ruleset,
        turn=game.turn,
        player=game.player,
        above=_side(s, 1 - below, viewer, told),
        below=_side(s, below, viewer, told),
        stage=[_request(s, i) for i in range(s.stage_count)],
        making=_making(s),
        headline=_headline(game),
        details=_details(game),
        choices=game.legal() if told else [],
    )


def _side(s: State, q: int, viewer: int | None, told: bool) -> Side:
    seen, placed = int(s.seen[q]), int(s.placed[q])
    everything = viewer is None
    follows = placed if viewer == q else seen

    def shown(card: int, known: bool) -> int:
        return card if known else HIDDEN

    hand = members(s.hand[q])
    if viewer == 1 - q:  # known cards first: the places of the backs must not tell anything
        known = [c for c in hand if seen >> c & 1]
        hand = known + [HIDDEN] * (len(hand) - len(known))
    units = [_unit(s, q, slot, viewer, told) for slot in members(int(s.bulwarks[q]) | int(s.soldiers[q]))]
    return Side(
        player=q,
        life=[shown(c, everything or bool(follows >> c & 1)) for c in life_of(s, q)],
        hand=hand,
        grave=[shown(c, viewer != 1 - q or bool(seen >> c & 1)) for c in grave_of(s, q)],
        fog=[(c, int(s.fog_link[q, c]), bool(int(s.fog_plus[q]) >> c & 1)) for c in members(s.fog[q])],
        pack=_pack(s, q, viewer) if RULES[s.ruleset].pack else None,
        pack_closed=bool(s.pack_closed[q]),
        rare=_rare(s, q, viewer) if RULES[s.ruleset].rare else None,
        units=units,
        choices=members(s.legal[LEGAL_CARDS]) if told and _chosen_from(s) == q else [],
    )


def _pack(s: State, q: int, viewer: int | None) -> list[int]:
    """A closed pack is nobody's to see, an opened one its owner's."""
    cards = members(s.pack[q])
    looks = s.player == q and s.kind == AT_PACK_CARD
    shown = viewer is None or (viewer == q and (looks or not s.pack_closed[q]))
    return cards if shown else [HIDDEN] * len(cards)


def _rare(s: State, q: int, viewer: int | None) -> list[int]:
    if s.rare[q] < 0:
        return []
    return [int(s.rare[q]) if viewer in (None, q) else HIDDEN]


def _chosen_from(s: State) -> int:
    """Whose hand the decision chooses a card of, -1 if it does not."""
    offers = OFFERS[s.kind]
    if offers == ENEMY_HAND:
        return 1 - int(s.player)
    return int(s.player) if offers in FROM_HAND else -1


def _unit(s: State, q: int, slot: int, viewer: int | None, told: bool) -> Unit:
    soldier = bool(int(s.soldiers[q]) >> slot & 1)
    cards = unit_cards(s, q, slot)
    if viewer == 1 - q and not soldier:
        cards = [c if int(s.seen[q]) >> c & 1 else HIDDEN for c in cards]
    legal = s.legal[LEGAL_OWN] if s.player == q else s.legal[LEGAL_ENEMY]
    return Unit(
        player=q,
        slot=slot,
        cards=cards,
        soldier=soldier,
        size=size_of(s, q, slot),
        change=size_of(s, q, slot) - int(s.sizes[q, slot]),
        driven=not int(s.charged[q]) >> slot & 1,
        marks=_marks(s, q, slot),
        attacker=bool(int(s.attackers[q]) >> slot & 1),
        blocks=int(s.blocks[q, slot]),
        choice=told and bool(int(legal) >> slot & 1),
    )


def size_of(s: State, q: int, slot: int) -> int:
    """A soldier's current size."""
    force = int(s.force) if q == s.turn else 0
    return int(s.sizes[q, slot]) + int(s.change[q, slot]) + force


def _marks(s: State, q: int, slot: int) -> list[str]:
    def has(slots: int) -> bool:
        return bool(int(slots) >> slot & 1)

    marks = [] if has(s.charged[q]) else [say("driven")]
    if has(s.came[q]):
        marks.append(say("new"))
    if has(s.attackers[q]):
        marks.append(say("attacks"))
    if q == s.turn and has(s.picked):
        marks.append(say("picked"))
    if s.blocks[q, slot] >= 0:
        marks.append(say("blocks", unit=place_name((1 - q) * SLOTS + int(s.blocks[q, slot]))))
    return marks


def _request(s: State, i: int) -> Request:
    keys = [int(k) for k in s.stage_key[i] if k >= 0]
    code = int(s.stage_action[i])
    at_opponent = RULES[s.ruleset].target[code] == OPPONENT
    return Request(i, int(s.stage_player[i]), ACTION_NAME[code], keys, int(s.stage_target[i]), bool(at_opponent))


def _making(s: State) -> Request | None:
    if s.verb < 0 or s.player < 0:
        return None
    keys = [int(k) for k in s.key if k >= 0]
    return Request(int(s.stage_count), int(s.player), ACTION_NAME[int(s.verb)], keys, NO_TARGET)


def _asked_about(s: State) -> str:
    """The unit that the decision is about, if any."""
    if s.kind == AT_BLOCKERS:
        return place_name((1 - int(s.player)) * SLOTS + int(s.attacker))
    if s.kind != AT_CHANCE and s.stage_count and 0 <= s.stage_target[s.stage_count - 1] < FIRST_STAGE_TARGET:
        return place_name(int(s.stage_target[s.stage_count - 1]))
    return ""


def _headline(game: Game) -> str:
    """Who decides what, or how the game ended."""
    s = game.state
    if game.result is not None:
        score = game.result[0]
        return say("over drawn") if score == 0.5 else say("over", who=player_name(0 if score == 1 else 1))
    if game.over:
        return say("over illegal")
    words = {"verb": verb_name(verb_asking(s)), "unit": _asked_about(s), "request": _moved(s)}
    question = say(f"ask {game.decision}", **words)
    return f"{player_name(int(s.player))}: {question}"


def _moved(s: State) -> str:
    """The request that gets a new target."""
    return f"#{s.stage_target[s.stage_count - 1] - FIRST_STAGE_TARGET}" if s.kind == AT_NEW_TARGET else ""


def verb_asking(s: State) -> str:
    """The action that asks the decision: being requested, or on top of the stage; empty at a chance decision."""
    if s.kind == AT_CHANCE or SETTING_UP >> int(s.kind) & 1:
        return ""
    return ACTION_NAME[int(s.verb) if s.verb >= 0 else int(s.stage_action[s.stage_count - 1])]


def _details(game: Game) -> list[str]:
    """Who has passed, and what the decision under way has settled so far."""
    s = game.state
    if game.over:
        return []
    if s.passed == PASSED_BOTH:
        return [say("both passed")]
    if s.passed >= PASSED_0:
        return [say("passed", who=player_name(int(s.passed) - PASSED_0))]
    if s.ordered and s.kind != AT_SEARCH_CARD:
        return [say("has ordered", cards=cards_text(s.order[: s.ordered]))]
    making = _making(s)
    if making is None:
        return []
    parts = [say("has paid", cost=_paid(s))] if s.paid else []
    if making.keys:
        parts.append(say("has keys", cards=cards_text(making.keys)))
    return [f"{say('so far', verb=verb_name(making.verb))}: {', '.join(parts)}"] if parts else []


def _paid(s: State) -> str:
    """The cost letters paid so far, the last B with the bulwark it drove."""
    names = {code: letter for letter, code in LETTERS.items()}
    magician = any(s.bottom[s.player, slot] >= JOKER for slot in members(s.soldiers[s.player]))
    row = RULES[s.ruleset].cost[int(magician), s.verb]
    letters = [names[int(code)] for code in row[: s.paid] if code]
    words = list(letters)
    if s.paid_slot >= 0 and "B" in letters:
        last = len(letters) - 1 - letters[::-1].index("B")
        words[last] = f"B ({place_name(int(s.player) * SLOTS + int(s.paid_slot))})"
    return " ".join(words)


# ---- text -----------------------------------------------------------------------------------------------------------

WIDTH = 80
CELL = 19  # a unit takes as many of these as it needs
INDENT = " " * 3
BACK = "▒▒"
SUIT_SIGNS = "♠♥♦♣"


def card_text(card: int) -> str:
    if card == HIDDEN:
        return BACK
    return NAMES[card] if card >= JOKER else NAMES[card][0] + SUIT_SIGNS[SUIT[card]]


def cards_text(cards: Iterable[int]) -> str:
    return " ".join(card_text(int(c)) for c in cards)


def board_text(game: Game, viewer: int | None = None, color: bool = False) -> str:
    """The board in 80 columns; the viewer's side (or player 0's) is below. `color` adds ANSI colours."""
    view = look(game, viewer)
    lines = [
        f"{view.ruleset} · {say('turn', who=player_name(view.turn))}",
        *(line for block in _side_blocks(view.above) for line in block),
        *_unit_lines(view.above),
        *_stage_lines(view),
        *_unit_lines(view.below),
        *(line for block in reversed(_side_blocks(view.below)) for line in block),
        "═" * WIDTH,
        *_decision_lines(view),
        *_choice_lines(view),
    ]
    text = "\n".join(line.rstrip() for line in lines) + "\n"
    return _colored(text) if color else text


def board_image(game: Game, viewer: int | None = None, scale: float = 1) -> np.ndarray:
    """The board as a picture: uint8 of shape (800 * scale, 1280 * scale, 3), the viewer's side below. Needs Pillow."""
    from ka_env.blackpoker.people.picture import paint_board

    return paint_board(look(game, viewer), scale)


def _side_blocks(side: Side) -> list[list[str]]:
    """Counts, life, hand, fog: the outermost first, as for the side above."""
    top = f" ({say('top', card=card_text(side.grave[-1]))})" if side.grave else ""
    counts = (
        f"{player_name(side.player)}  {say('life')} {len(side.life)} · {say('hand')} {len(side.hand)}"
        f" · {say('grave')} {len(side.grave)}{top}"
    )
    blocks = [[counts]]
    if any(c != HIDDEN for c in side.life):
        blocks.append([_life_line(side.life)])
    if side.hand:
        blocks.append(_wrapped(f"{INDENT}{say('hand')}  ", [card_text(c) for c in side.hand]))
    if side.pack is not None:
        blocks.append(_wrapped(f"{INDENT}{say('pack')}  ", [*pack_words(side), *map(card_text, side.pack)]))
    if side.fog:
        blocks.append(_wrapped(f"{INDENT}{say('fog')}   ", [fog_text(*fog) for fog in side.fog], "  "))
    return blocks


def pack_words(side: Side) -> list[str]:
    """The rare card, and whether the pack is closed."""
    rare = [f"{say('rare')} {card_text(c)} ·" for c in side.rare or []]
    return [*rare, say("closed" if side.pack_closed else "opened")]


def _life_line(life: Sequence[int]) -> str:
    """From the top card down to the deepest known one, as far as the line holds."""
    deepest = max(i for i, c in enumerate(life) if c != HIDDEN) + 1
    head = f"{INDENT}{say('life')}  "
    shown = min(deepest, (WIDTH - len(head) - 2) // 3)
    return head + cards_text(life[:shown]) + (" …" if shown < len(life) else "")


def fog_text(card: int, unit: int, plus: bool = False) -> str:
    place = say("all soldiers") if unit == LINK_ALL else place_name(unit) if unit >= 0 else "-"
    return f"{'+' if plus else ''}{card_text(card)}→{place}"


def _wrapped(head: str, words: Iterable[str], gap: str = " ") -> list[str]:
    lines = [head]
    for word in words:
        if len(lines[-1]) + len(gap) + len(word) > WIDTH and lines[-1].strip():
            lines.append(" " * len(head))
        lines[-1] += word if len(lines[-1]) == len(head) else gap + word
    return lines


def _unit_cell(unit: Unit) -> tuple[str, str]:
    """Two lines: place, cards and size; then the marks."""
    if unit.soldier:
        size = f"{unit.size}" + (f" ({unit.size - unit.change}{unit.change:+d})" if unit.change else "")
        body = f"{'+'.join(card_text(c) for c in unit.cards)} = {size}"
    else:
        body = f"[{card_text(unit.cards[0])}]"
    place = place_name(unit.place)
    return f"{place} {body}", " " * (len(place) + 1) + " ".join(unit.marks)


def _unit_lines(side: Side) -> list[str]:
    if not side.units:
        return [INDENT + say("nothing")]
    rows = [["", ""]]
    for unit in side.units:
        cell = _unit_cell(unit)
        cells = -(-(max(map(len, cell)) + 1) // CELL)
        if rows[-1][0] and len(rows[-1][0]) + cells * CELL > WIDTH - len(INDENT):
            rows.append(["", ""])
        for i in range(2):
            rows[-1][i] += cell[i].ljust(cells * CELL)
    return [INDENT + line for row in rows for line in row if line.strip()]


def target_text(request: Request) -> str:
    target = request.target
    if request.at_opponent:
        return f"→ {player_name(1 - request.player)}"
    if target == NO_TARGET:
        return ""
    if target == GONE:
        return f"→ {say('gone')}"
    if target >= FIRST_PLAYER_TARGET:
        return f"→ {player_name(target - FIRST_PLAYER_TARGET)}"
    return f"→ #{target - FIRST_STAGE_TARGET}" if target >= FIRST_STAGE_TARGET else f"→ {place_name(target)}"


def _target_cards(view: View, target: int) -> str:
    unit = view.unit(target)
    if unit is None:
        return ""
    cards = [card_text(c) for c in unit.cards]
    return "+".join(cards if len(cards) <= 3 else [*cards[:2], "…"])


def request_text(view: View, request: Request) -> str:
    """`#1 P1 Counter 5♣ → #0`"""
    words = [
        f"#{request.index} {player_name(request.player)} {verb_name(request.verb)}",
        cards_text(request.keys),
        target_text(request),
        _target_cards(view, request.target),
    ]
    return " ".join(word for word in words if word)


def _stage_lines(view: View) -> list[str]:
    """The top request first: it resolves first. Two columns when there are many."""
    title = f"─ {say('stage')} "
    if not view.stage:
        return [f"{title}({say('empty')}) ".ljust(WIDTH, "─")]
    texts = [INDENT + request_text(view, r) for r in reversed(view.stage)]
    if len(texts) > 4:
        half = -(-len(texts) // 2)
        texts = [a.ljust(WIDTH // 2) + b for a, b in zip(texts[:half], [*texts[half:], ""])]
    return [title.ljust(WIDTH, "─"), *texts, "─" * WIDTH]


def _decision_lines(view: View) -> list[str]:
    line = " · ".join([view.headline, *view.details])
    return [line] if len(line) <= WIDTH else [view.headline, *(INDENT + detail for detail in view.details)]


def _choice_lines(view: View) -> list[str]:
    return _wrapped(f"{say('choices')}: ", view.choices) if view.choices else []


_RESET = "\x1b[0m"
_COLORS = [
    (r"[A2-9TJQK][♥♦]", "\x1b[31m"),
    (rf"{BACK}|[─═]{{3,}}", "\x1b[2m"),
    (rf"\b{player_name(0)}\b|\b0\.\d+\b", "\x1b[36m"),
    (rf"\b{player_name(1)}\b|\b1\.\d+\b", "\x1b[33m"),
    (rf"\b(?:{say('driven')}|{say('attacks')}|{say('picked')})\b", "\x1b[35m"),
]
_COLORED = re.compile("|".join(f"({pattern})" for pattern, _ in _COLORS))


def _colored(text: str) -> str:
    head, rest = text.split("\n", 1)  # the ruleset's name looks like a place
    return head + "\n" + _COLORED.sub(lambda m: _COLORS[(m.lastindex or 1) - 1][1] + m[0] + _RESET, rest)
