"""The board as a picture: where everything lies on a table of 1280 x 800 points, and how it looks there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeVar

import numpy as np

from ka_env.blackpoker.codes import FIRST_STAGE_TARGET, LINK_ALL, SLOTS
from ka_env.blackpoker.people.board import (
    HIDDEN,
    Request,
    Side,
    Unit,
    View,
    card_text,
    player_name,
    say,
    target_text,
    verb_name,
)
from ka_env.blackpoker.people.painter import BACK_COLOR, BACK_LINE, CARD_SHAPE, INK, PALE, Box, Painter, Point, fan_size
from ka_env.blackpoker.text.notation import place_name

T = TypeVar("T")

BOARD = (1280, 800)
LEFT, RIGHT = 150, 1046  # of fields, hands and stage; piles lie left of them, words right of them
HAND_HEIGHT = 74
HAND_TOP = {"above": 8, "below": 718}
FIELD_TOP = {"above": 90, "below": 510}
FIELD_HEIGHT = 200
STAGE_TOP, STAGE_HEIGHT = 302, 196
UNIT_HEIGHTS = (134, 120, 104, 94, 84, 74, 66, 58, 50, 44, 38, 32, 26)  # the first that fits is taken

TABLE, CLOTH, EDGE, FAINT = "#17352b", "#1f4638", "#2f6150", "#8fb0a1"
PLAYER_COLORS = ("#58b6ff", "#ffa94d")
CHOICE, ATTACK, BLOCKING, PLUS, MINUS = "#ffe066", "#ff6b6b", "#74c0fc", "#8ce99a", "#ffa8a8"


def paint_board(view: View, scale: float = 1) -> np.ndarray:
    painter = Painter(BOARD, scale, TABLE)
    _paint_cloth(painter, view)
    places = {"above": view.above, "below": view.below}
    spots: dict[int, Box] = {}
    for where, side in places.items():
        _paint_plate(painter, view, side, where)
        _paint_piles(painter, side, where)
        _paint_hand(painter, side, where)
        _paint_fog(painter, side, where)
        spots |= _place_units(side, where)
    _paint_blocks(painter, view, spots)
    for side in places.values():
        for unit in side.units:
            _paint_unit(painter, unit, spots[unit.place])
    _paint_stage(painter, view, spots)
    _paint_panel(painter, view)
    return painter.picture()


# ---- the parts of the board


def _paint_cloth(painter: Painter, view: View) -> None:
    for where in ("above", "below"):
        top = FIELD_TOP[where]
        painter.box((LEFT - 6, top - 4, RIGHT + 6, top + FIELD_HEIGHT + 4), CLOTH, EDGE)
    painter.box((LEFT - 6, STAGE_TOP - 4, RIGHT + 6, STAGE_TOP + STAGE_HEIGHT + 4), TABLE, EDGE)
    if not view.stage and view.making is None:
        painter.text((LEFT + RIGHT) / 2, STAGE_TOP + STAGE_HEIGHT / 2, say("stage"), 22, EDGE, "m")


def _paint_plate(painter: Painter, view: View, side: Side, where: str) -> None:
    """The player's name; a rim for the one who decides, the word for the one whose turn it is."""
    top = HAND_TOP[where]
    color = PLAYER_COLORS[side.player]
    decides = view.player == side.player
    painter.box((10, top, 136, top + HAND_HEIGHT), CLOTH, CHOICE if decides else EDGE, 4 if decides else 1)
    painter.text(22, top + 28, player_name(side.player), 34, color)
    if view.turn == side.player:
        painter.text(74, top + 28, say("turn mark"), 17, CHOICE)
    painter.text(22, top + 59, f"{say('hand')} {len(side.hand)}", 15, FAINT)
    if side.pack is not None:
        rare = "".join(f" · {card_text(c)}" for c in side.rare or [])
        state = say("closed" if side.pack_closed else "opened")
        beside = top + HAND_HEIGHT + 14 if where == "above" else top - 14
        painter.text(12, beside, f"{say('pack')} {len(side.pack)} {state}{rare}", 13, FAINT)


def _paint_piles(painter: Painter, side: Side, where: str) -> None:
    piles = [(say("life"), side.life[:1], len(side.life)), (say("grave"), side.grave[-1:], len(side.grave))]
    tops = [FIELD_TOP[where], FIELD_TOP[where] + 102]
    height = 92.0
    for (name, shown, count), top in zip(piles if where == "above" else piles[::-1], tops):
        layers = min(6, count // 6)
        for i in range(layers):
            painter.card(HIDDEN, 14 + 2 * (layers - i), top + 4 - 1.2 * (layers - i) + 4, height - 6)
        if shown:
            painter.card(shown[0], 14, top + 8, height - 6)
        else:
            painter.box((14, top + 8, 14 + (height - 6) * CARD_SHAPE, top + height + 2), None, EDGE, 2)
        painter.text(94, top + 22, name, 15, FAINT)
        painter.text(94, top + 46, str(count), 28)
    _paint_known_life(painter, side, tops[0 if where == "above" else 1] + 66)


def _paint_known_life(painter: Painter, side: Side, top: float) -> None:
    """The next cards of the life that the viewer knows, by their place from the top."""
    known = [(i, c) for i, c in enumerate(side.life) if c != HIDDEN and i > 0]
    for row, (i, card) in enumerate(known[:2]):
        more = " …" if row == 1 and len(known) > 2 else ""
        painter.text(94, top + 15 * row, f"{i + 1}. {card_text(card)}{more}", 13)


def _paint_hand(painter: Painter, side: Side, where: str) -> None:
    width = HAND_HEIGHT * CARD_SHAPE
    count = len(side.hand)
    step = min(width + 6, (RIGHT - LEFT - width) / max(1, count - 1))
    x = (LEFT + RIGHT - width - step * (count - 1)) / 2
    for card in side.hand:
        painter.card(card, x, HAND_TOP[where], HAND_HEIGHT)
        if card in side.choices:
            painter.box((x, HAND_TOP[where], x + min(step, width), HAND_TOP[where] + HAND_HEIGHT), None, CHOICE, 3)
        x += step


def _paint_fog(painter: Painter, side: Side, where: str) -> None:
    """Fog cards with the units they act on, in the column right of the field."""
    if not side.fog:
        return
    left, top = RIGHT + 20, FIELD_TOP[where]
    painter.text(left, top + 6, say("fog"), 15, FAINT)
    for i, (card, unit, _) in enumerate(side.fog[:12]):
        x, y = left + 72 * (i % 3), top + 18 + 46 * (i // 3)
        painter.card(card, x, y, 42)
        painter.text(x + 32, y + 21, "→ ∀" if unit == LINK_ALL else f"→{place_name(unit)}" if unit >= 0 else "-", 12)


# ---- units


def _place_units(side: Side, where: str) -> dict[int, Box]:
    """Where each unit's cards lie: rows across the field, as large as fits."""
    top = FIELD_TOP[where]
    height, rows = _unit_rows(side.units)
    row_height = height + _caption_height(height)
    y = top + (FIELD_HEIGHT - len(rows) * row_height) / 2
    if where == "above":
        y += _caption_height(height)  # captions are above the cards
    spots = {}
    for row in rows:
        x = (LEFT + RIGHT - sum(_cell_width(unit, height) for unit in row)) / 2
        for unit in row:
            cell = _cell_width(unit, height)
            wide, high, _ = fan_size(len(unit.cards), height, unit.driven)
            left, upper = x + (cell - wide) / 2, y + (height - high) / 2
            spots[unit.place] = (left, upper, left + wide, upper + high)
            x += cell
        y += row_height
    return spots


def _unit_rows(units: list[Unit]) -> tuple[float, list[list[Unit]]]:
    """The greatest height of cards with which all fit, and the rows."""
    for height in UNIT_HEIGHTS:
        width_of = partial(_cell_width, height=height)
        rows = len(_flow(units, width_of, RIGHT - LEFT))
        if rows * (height + _caption_height(height)) <= FIELD_HEIGHT:
            break
    return height, _balanced(units, width_of, rows)


def _flow(things: Sequence[T], width_of: Callable[[T], float], width: float) -> list[list[T]]:
    rows: list[list[T]] = [[]]
    used = 0.0
    for thing in things:
        if rows[-1] and used + width_of(thing) > width:
            rows.append([])
            used = 0.0
        rows[-1].append(thing)
        used += width_of(thing)
    return rows


def _balanced(things: Sequence[T], width_of: Callable[[T], float], count: int) -> list[list[T]]:
    """The same number of rows, as even as they get."""
    width = sum(map(width_of, things)) / count
    rows = _flow(things, width_of, width)
    while len(rows) > count:
        width *= 1.02
        rows = _flow(things, width_of, width)
    return rows


def _caption_size(height: float) -> float:
    return 15 if height >= 66 else 12 if height >= 44 else 10


def _caption_height(height: float) -> float:
    return 2.5 * _caption_size(height) + 2


def _cell_width(unit: Unit, height: float) -> float:
    wide, _, _ = fan_size(len(unit.cards), height, unit.driven)
    letters = max(sum(len(text) for text, _ in _caption(unit)), len(_short_marks(unit)))
    return max(wide + 10, letters * 0.56 * _caption_size(height)) + 6


def _unit_height(unit: Unit, spot: Box) -> float:
    """Height of its cards, standing."""
    return (spot[3] - spot[1]) / (CARD_SHAPE if unit.driven else 1)


def _paint_unit(painter: Painter, unit: Unit, spot: Box) -> None:
    left, top, right, bottom = spot
    height = _unit_height(unit, spot)
    count = len(unit.cards)
    _, _, step = fan_size(count, height, unit.driven)
    for i, card in enumerate(unit.cards):
        x = left + step * (count - 1 - i if unit.driven else i)
        painter.card(card, x, top, height, unit.driven)
    if unit.attacker:
        painter.box((left - 3, top - 3, right + 3, bottom + 3), None, ATTACK, 3)
    if unit.choice:
        painter.box((left - 6, top - 6, right + 6, bottom + 6), None, CHOICE, 3)
    if not unit.soldier and unit.cards[0] != HIDDEN:
        _paint_shield(painter, unit, spot)
    _paint_caption(painter, unit, spot, height)


def _paint_shield(painter: Painter, unit: Unit, spot: Box) -> None:
    """The viewer knows this bulwark; rim and shield say that it lies face down all the same."""
    _, top, right, bottom = spot
    painter.box(spot, None, BACK_COLOR, (bottom - top) / 18)
    r = min(12.0, (bottom - top) / 7)
    x, y = right - r * 0.6, bottom - r * 0.6 if unit.driven else top + r * 0.6
    for part, color in ((1.0, INK), (0.78, BACK_LINE)):
        a = r * part
        painter.polygon([(x - a, y - a), (x + a, y - a), (x + a, y), (x, y + a * 1.2), (x - a, y)], color)


def _caption(unit: Unit) -> list[tuple[str, str]]:
    """Place and size, each with its colour."""
    parts = [(place_name(unit.place), PLAYER_COLORS[unit.player])]
    if unit.soldier:
        parts.append((f"  {unit.size}", PALE))
    if unit.change:
        parts.append((f" ({unit.change:+d})", PLUS if unit.change > 0 else MINUS))
    return parts


def _short_marks(unit: Unit) -> str:
    """A driven unit lies on its side: no word needed."""
    return " ".join(mark for mark in unit.marks if mark != say("driven"))


def _paint_caption(painter: Painter, unit: Unit, spot: Box, height: float) -> None:
    """Place and size, then the marks, on the side away from the stage."""
    size = _caption_size(height)
    middle = (spot[0] + spot[2]) / 2
    outward = -1 if spot[1] < STAGE_TOP else 1
    y = (spot[1] + spot[3]) / 2 + outward * (height / 2 + size * 0.8)
    parts = _caption(unit)
    x = middle - sum(painter.text_width(text, size) for text, _ in parts) / 2
    for text, color in parts:
        painter.text(x, y, text, size, color)
        x += painter.text_width(text, size)
    color = ATTACK if unit.attacker else BLOCKING if unit.blocks >= 0 else CHOICE
    painter.text(middle, y + outward * size * 1.1, _short_marks(unit), size * 0.85, color, "m")


def _inner_edge(spot: Box) -> Point:
    """The middle of the edge that faces the stage."""
    left, top, right, bottom = spot
    return (left + right) / 2, bottom + 4 if top < STAGE_TOP else top - 4


def _paint_blocks(painter: Painter, view: View, spots: dict[int, Box]) -> None:
    for side in (view.above, view.below):
        for unit in side.units:
            attacker = (1 - unit.player) * SLOTS + unit.blocks
            if unit.blocks >= 0 and attacker in spots:
                painter.arrow([_inner_edge(spots[unit.place]), _inner_edge(spots[attacker])], BLOCKING, 4)


# ---- the stage


def _stage_grid(count: int) -> tuple[int, int]:
    """Rows and columns."""
    return (1, 8) if count <= 8 else (2, 8) if count <= 16 else (3, 11)


def _tiles(count: int) -> list[Box]:
    rows, columns = _stage_grid(count)
    wide, high = (RIGHT - LEFT) / columns, STAGE_HEIGHT / rows
    indent = (RIGHT - LEFT - wide * min(count, columns)) / 2
    return [
        (
            LEFT + indent + wide * (i % columns) + 3,
            STAGE_TOP + high * (i // columns) + 2,
            LEFT + indent + wide * (i % columns + 1) - 3,
            STAGE_TOP + high * (i // columns + 1) - 2,
        )
        for i in range(count)
    ]


def _paint_stage(painter: Painter, view: View, spots: dict[int, Box]) -> None:
    """Arrows to units run over one row of requests, but under several rows: those must stay readable."""
    requests = view.stage + ([view.making] if view.making else [])
    tiles = _tiles(len(requests))
    crowded = _stage_grid(len(requests))[0] > 1
    to_units = [(r, tile) for r, tile in zip(view.stage, tiles) if r.target in spots]
    if crowded:
        _paint_arrows(painter, to_units, tiles, spots, 2)
    for request, tile in zip(requests, tiles):
        _paint_request(painter, request, tile, request is view.making, f"#{request.index}" in view.choices)
    if not crowded:
        _paint_arrows(painter, to_units, tiles, spots, 3)
    to_requests = [(r, tile) for r, tile in zip(view.stage, tiles) if r.target >= FIRST_STAGE_TARGET]
    _paint_arrows(painter, to_requests, tiles, spots, 2 if crowded else 3)


def _paint_arrows(
    painter: Painter, aimed: list[tuple[Request, Box]], tiles: list[Box], spots: dict[int, Box], width: float
) -> None:
    for request, tile in aimed:
        painter.arrow(_arrow_points(request.target, tile, tiles, spots), PLAYER_COLORS[request.player], width)


def _paint_request(painter: Painter, request: Request, tile: Box, unfinished: bool, choice: bool) -> None:
    left, top, right, bottom = tile
    color = PLAYER_COLORS[request.player]
    size = 15 if bottom - top > 150 else 13 if bottom - top > 80 else 11
    painter.box(tile, TABLE if unfinished else CLOTH, CHOICE if choice else color, 4 if choice else 2)
    title = verb_name(request.verb) + (" …" if unfinished else "")
    number = "" if unfinished else f"#{request.index} "
    while painter.text_width(number + title, size) > right - left - 8:
        size -= 1
    painter.text((left + right) / 2, top + size * 0.85, number + title, size, color, "m")
    tall = bottom - top > 150
    height = min(bottom - top - size * 1.6 - 6 - 26 * tall, (right - left - 10) / fan_size(2, 1, False)[0])
    wide, _, step = fan_size(len(request.keys), height, False)
    x = (left + right - wide) / 2 if tall else left + 6
    for i, key in enumerate(request.keys):
        painter.card(key, x + i * step, top + size * 1.6, height)
    if tall:
        painter.text((left + right) / 2, bottom - 30, target_text(request), size, PALE, "m")
    else:
        painter.text(right - 4, (top + bottom) / 2 + 6, target_text(request).replace(" ", ""), size - 1, PALE, "r")


def _arrow_points(target: int, tile: Box, tiles: list[Box], spots: dict[int, Box]) -> list[Point]:
    left, top, right, bottom = tile
    middle = (left + right) / 2
    if target >= FIRST_STAGE_TARGET:
        other = tiles[target - FIRST_STAGE_TARGET]
        return _bow((middle, bottom - 6), ((other[0] + other[2]) / 2 + 10, other[3] - 4), 16)
    end = _inner_edge(spots[target])
    upward = end[1] < STAGE_TOP + STAGE_HEIGHT / 2
    return _bow((middle, top + 2 if upward else bottom - 2), end, 0)


def _bow(start: Point, end: Point, sag: float) -> list[Point]:
    """From start to end, hanging through by `sag`."""
    steps = [i / 16 for i in range(17)]
    return [
        (
            start[0] + (end[0] - start[0]) * t,
            start[1] + (end[1] - start[1]) * t + sag * 4 * t * (1 - t),
        )
        for t in steps
    ]


# ---- words


def _paint_panel(painter: Painter, view: View) -> None:
    left, top = RIGHT + 20, STAGE_TOP
    width = BOARD[0] - left - 14
    painter.text(left, HAND_TOP["above"] + 10, view.ruleset, 15, FAINT)
    painter.box((left - 8, top - 4, BOARD[0] - 8, top + STAGE_HEIGHT + 4), CLOTH, EDGE)
    y = painter.lines(left, top + 10, width, [view.headline], 16, CHOICE if view.player is None else PALE)
    for detail in view.details:
        y = painter.lines(left, y + 4, width, [detail], 14, FAINT)
    _paint_choices(painter, view, left, y + 6, width)


def _paint_choices(painter: Painter, view: View, x: float, y: float, width: float) -> None:
    """As many as the panel holds."""
    words = list(view.choices)
    room = STAGE_TOP + STAGE_HEIGHT - y
    lines = _flow(words, lambda word: painter.text_width(word + "  ", 14), width)
    for line in lines[: max(1, int(room // 18))]:
        painter.text(x, y + 6, "  ".join(line), 14, CHOICE)
        y += 18
