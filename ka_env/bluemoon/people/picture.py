"""The board as a picture, painted with Pillow, which is only needed here (and so imported late).

Lengths are in points of a board of 1280 x 800. It is painted twice as large and shrunk: smooth edges.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from ka_env.bluemoon.people.look import ELEMENTS, Card, HandCard, Ship, Side, View
from ka_env.bluemoon.people.phrases import ENGLISH
from ka_env.bluemoon.people.screens import change_notes
from ka_env.bluemoon.people.story import Names
from ka_env.bluemoon.people.texts import ROW
from ka_env.hints import install_extra

WIDTH, HEIGHT = 1280, 800
SMOOTH = 2
CARD_W, CARD_H = 74, 100
NIGHT, SEA, MAT, LINE = "#16243c", "#1d3150", "#24406a", "#5d7fb3"
PALE, SOFT, INK, PAPER = "#eef3fa", "#a9bddb", "#1b2433", "#f7f4ea"
FIRE, EARTH, GOLD = "#c8402b", "#3f7d3a", "#f0c24b"
TYPE_COLORS = {"character": "#f7f4ea", "booster": "#fbe3c5", "support": "#d9ead2", "leadership": "#e6dcf5"}
OTHER_COLOR = "#d5e3f2"
SYMBOLS = {"shield_fire": "shF", "shield_earth": "shE", "retrieve": "ret", "protected": "prot", "replace": "repl"}


def _pillow() -> Any:
    try:
        from PIL import Image, ImageDraw, ImageFont
    except ImportError:
        raise ImportError(f"pictures of boards need Pillow: {install_extra('render')}") from None
    return Image, ImageDraw, ImageFont


@lru_cache(maxsize=64)
def _font(size: int) -> Any:
    return _pillow()[2].load_default(size)


def paint_board(view: View, below: int, headline: str, scale: float) -> np.ndarray:
    if scale <= 0:
        raise ValueError(f"scale must be above 0, not {scale!r}")
    painter = _Painter(view, scale)
    painter.side(view.sides[1 - below], 0)
    painter.side(view.sides[below], HEIGHT - 340)
    painter.middle(below, headline)
    return np.array(painter.image.reduce(SMOOTH), dtype=np.uint8)


class _Painter:
    def __init__(self, view: View, scale: float) -> None:
        image_module, draw_module, _ = _pillow()
        self.k = scale * SMOOTH
        self.view = view
        self.names = Names(None, "en")
        size = (round(WIDTH * scale) * SMOOTH, round(HEIGHT * scale) * SMOOTH)
        self.image = image_module.new("RGB", size, NIGHT)
        self.draw = draw_module.Draw(self.image)

    # ---- pieces

    def box(self, x: float, y: float, w: float, h: float, fill: str | None, outline: str | None = None) -> None:
        k = self.k
        shape = (x * k, y * k, (x + w) * k, (y + h) * k)
        self.draw.rounded_rectangle(shape, 6 * k, fill=fill, outline=outline, width=max(1, round(k)))

    def text(self, x: float, y: float, text: str, size: float, fill: str = PALE, anchor: str = "lm") -> None:
        font = _font(max(1, round(size * self.k)))
        self.draw.text((x * self.k, y * self.k), text, font=font, fill=fill, anchor=anchor)

    def fitted(self, x: float, y: float, text: str, size: float, width: float, fill: str = PALE) -> None:
        """Text that is cut where it would be too wide."""
        font = _font(max(1, round(size * self.k)))
        while text and font.getlength(text) > width * self.k:
            text = text[:-2].rstrip() + "…"
        self.text(x, y, text, size, fill)

    def face(self, x: float, y: float, code: str) -> None:
        """Frame, code and icons of a card."""
        row = ROW[code]
        self.box(x, y, CARD_W, CARD_H, TYPE_COLORS.get(row["type"], OTHER_COLOR), INK)
        self.text(x + CARD_W / 2, y + 13, code, 15, INK, "mm")
        icons = [SYMBOLS.get(icon, icon.replace("_", " ")) for icon in row["icons"].split("+") if icon]
        icons += [row["group"]] if row["group"] in ("storm", "flood", "caterpillar", "chosen") else []
        for i, icon in enumerate(icons[:3]):
            self.text(x + CARD_W / 2, y + 62 + 11 * i, icon, 9.5, "#5b6578", "mm")
        if row["ability"]:
            self.text(x + 5, y + CARD_H - 7, "text", 8.5, "#7a4fa0")

    def numbers(self, x: float, y: float, values: list[str]) -> None:
        for i, (value, color) in enumerate(zip(values, (FIRE, EARTH))):
            self.box(x + 5 + 33 * i, y + 24, 31, 26, color)
            self.text(x + 20.5 + 33 * i, y + 37, value, 16 if len(value) < 3 else 12, "#ffffff", "mm")

    def back(self, x: float, y: float, w: float = CARD_W, h: float = CARD_H) -> None:
        self.box(x, y, w, h, "#31527f", "#86a3d6")
        self.box(x + 8, y + 8, w - 16, h - 16, None, "#86a3d6")

    # ---- cards

    def table_card(self, card: Card, x: float, y: float) -> None:
        if card.face_down:
            self.back(x, y)
            self.text(x + CARD_W / 2, y + 15, f"f{card.number} {card.code}".strip(), 14, PALE, "mm")
        else:
            self.face(x, y, card.code)
        if card.covered:
            self.text(x + CARD_W / 2, y + 37, ENGLISH["covered"], 12, "#7b8494", "mm")
            return
        assert card.values is not None
        words = [str(v.printed) if v.printed == v.now else f"{v.printed}→{v.now}" for v in card.values]
        self.numbers(x, y, [word.replace("→", ">") for word in words])
        contested = list(card.values) if self.view.element is None else [card.values[self.view.element]]
        notes = change_notes(self.names, contested)
        if card.silenced:
            notes.append(self.names.say("text off", cards=", ".join(card.silenced)))
        for i, note in enumerate(notes[:2]):
            self.fitted(x, y + CARD_H + 9 + 12 * i, note, 10, CARD_W + 14, GOLD)

    def hand_card(self, card: HandCard, x: float, y: float) -> None:
        if not card.code:
            self.back(x, y)
            return
        self.face(x, y, card.code)
        row = ROW[card.code]
        if row["fire"] or row["earth"]:
            self.numbers(x, y, [row["fire"] or "-", row["earth"] or "-"])
        if card.open:
            self.text(x + CARD_W - 5, y + CARD_H - 7, ENGLISH["open card"], 8.5, FIRE, "rm")

    def ship(self, ship: Ship, x: float, y: float) -> None:
        self.box(x, y, 142, 44, "#3b6aa0", GOLD if ship.landed else LINE)
        landed = f" {ENGLISH['landed']}" if ship.landed else ""
        self.text(x + 8, y + 13, f"{ship.code}{landed}  {len(ship.cargo)}/{ship.capacity}", 13)
        self.fitted(x + 8, y + 31, " ".join(ship.cargo) or ENGLISH["empty"], 12, 128, SOFT)

    # ---- one player

    def side(self, side: Side, top: float) -> None:
        """340 points high: counts, hand, both areas. The hand is on the outer edge."""
        upper = top == 0
        self.box(8, top + 6, WIDTH - 16, 328, SEA)
        counts = top + (22 if upper else 318)
        hand = top + (38 if upper else 200)
        areas = top + (172 if upper else 34)
        turn = self.view.turn == side.player and self.view.result is None
        name = f"P{side.player} {side.people}{'  (turn)' if turn else ''}"
        self.text(22, counts, name, 18, GOLD if turn else PALE)
        lead = f"   leadership {' '.join(side.lead)}" if side.lead else ""
        about = f"hand {len(side.hand)}   deck {len(side.deck)}   discards {len(side.discard)}{lead}"
        if side.crystals:
            about += f"   crystals {side.crystals}"
        self.fitted(260, counts, about, 14, 600, SOFT)
        self.row(side.hand, 22, hand, 860, self.hand_card)
        for i, ship in enumerate(side.ships[:4]):
            self.ship(ship, 930 + 160 * (i % 2), hand + 50 * (i // 2))
        self.area("combat", side.combat, 22, areas, 760)
        self.area("support", side.support, 800, areas, 458)

    def area(self, name: str, cards: list[Card], x: float, y: float, width: float) -> None:
        self.box(x - 6, y - 14, width + 6, 156, MAT)
        self.text(x, y - 4, ENGLISH[name], 11, SOFT)
        self.row(cards, x, y + 8, width - 10, self.table_card)

    def row(self, cards: list[Any], x: float, y: float, width: float, paint: Any) -> None:
        """Cards beside each other, closer where there are many."""
        step = min(CARD_W + 18, (width - CARD_W) / max(1, len(cards) - 1))
        for i, card in enumerate(cards):
            paint(card, x + i * step, y)

    # ---- between the players

    def middle(self, below: int, headline: str) -> None:
        view = self.view
        y = HEIGHT / 2
        self.fitted(22, y - 38, headline, 17, 780)
        phase = f" · {self.names.say(f'phase {view.phase}')}" if view.result is None else ""
        self.text(22, y - 8, self.names.say(f"fight {view.fight}") + phase, 15, SOFT)
        if view.fight != "-":
            self.fitted(
                22, y + 18, " · ".join(f"P{q} {self.total(view.sides[q])}" for q in (1 - below, below)), 18, 780
            )
        if view.choices:
            self.fitted(22, y + 44, f"choices: {' '.join(view.choices)}", 13, 780, SOFT)
        self.track(below)
        if view.hyla:
            self.text(850, y + 44, f"Hyla: {view.hyla[1]} (P{view.hyla[0]})", 13, SOFT)

    def total(self, side: Side) -> str:
        if self.view.element is None:
            return self.names.say("totals open", **dict(zip(ELEMENTS, side.totals)))
        return f"total {side.totals[self.view.element]}"

    def track(self, below: int) -> None:
        """The dragons between the players: three places on each side, three in the middle."""
        view = self.view
        x, y = 850.0, HEIGHT / 2
        left, right = view.sides[1 - below], view.sides[below]
        counts = [left.dragons, 3 - left.dragons - right.dragons, right.dragons]
        for part, (count, name) in enumerate(zip(counts, (f"P{left.player}", "dragons", f"P{right.player}"))):
            px = x + 136 * part
            self.box(px, y - 30, 128, 56, MAT, GOLD if part != 1 and count else LINE)
            self.text(px + 64, y - 20, name, 11, SOFT, "mm")
            for i in range(count):
                self.dragon(px + 26 + 38 * i, y + 8)

    def dragon(self, x: float, y: float) -> None:
        points = [(0, -14), (5, -4), (15, -8), (9, 3), (12, 12), (0, 7), (-12, 12), (-9, 3), (-15, -8), (-5, -4)]
        self.draw.polygon([((x + px) * self.k, (y + py) * self.k) for px, py in points], fill=GOLD)
