"""Painting cards, words and arrows with Pillow, which is only needed here (and so imported late).

Lengths are in points of the board; the painter multiplies them. It paints twice as large and shrinks: smooth edges.
Suits and arrows are drawn as shapes, so no font has to have them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from ka_env.blackpoker.cards import JOKER, NAMES, SUIT
from ka_env.blackpoker.people.board import HIDDEN, SUIT_SIGNS
from ka_env.hints import install_extra

SMOOTH = 2
CARD_SHAPE = 0.71  # width : height

INK, PALE = "#16211d", "#eef3ea"
RED, BLACK, PURPLE, CARD_WHITE, BACK_COLOR, BACK_LINE = (
    "#c92a2a",
    "#212529",
    "#7048a8",
    "#fbfaf5",
    "#34507e",
    "#86a3d6",
)
TEXT_RED = "#ff8787"

Point = tuple[float, float]
Box = tuple[float, float, float, float]  # left, top, right, bottom


def _pillow() -> Any:
    try:
        from PIL import Image, ImageDraw, ImageFont
    except ImportError:
        raise ImportError(f"pictures of boards need Pillow: {install_extra('render')}") from None
    return Image, ImageDraw, ImageFont


# ---- shapes


def _round(x: float, y: float, r: float) -> list[Point]:
    turns = [2 * math.pi * i / 24 for i in range(24)]
    return [(x + r * math.cos(t), y + r * math.sin(t)) for t in turns]


def _heart(upside: int) -> list[Point]:
    turns = [2 * math.pi * i / 40 for i in range(40)]
    return [
        (
            0.5 + math.sin(t) ** 3 * 0.48,
            0.46 - upside * (13 * math.cos(t) - 5 * math.cos(2 * t) - 2 * math.cos(3 * t) - math.cos(4 * t)) / 34,
        )
        for t in turns
    ]


_STEM = [(0.46, 0.5), (0.54, 0.5), (0.66, 1.0), (0.34, 1.0)]
SUIT_SHAPES: list[list[list[Point]]] = [  # polygons in a square of side 1
    [_heart(-1), _STEM],
    [_heart(1)],
    [[(0.5, 0.0), (0.88, 0.5), (0.5, 1.0), (0.12, 0.5)]],
    [_round(0.5, 0.26, 0.24), _round(0.25, 0.6, 0.24), _round(0.75, 0.6, 0.24), _STEM],
]
_STAR = [
    (0.5 + r * math.sin(math.pi * i / 5), 0.52 - r * math.cos(math.pi * i / 5)) for i, r in enumerate([0.5, 0.2] * 5)
]


def _suit_shape(suit: int) -> list[list[Point]]:
    return SUIT_SHAPES[suit] if suit < len(SUIT_SHAPES) else [_STAR]


def _fill_shape(draw: Any, shape: list[list[Point]], x: float, y: float, side: float, fill: str) -> None:
    for polygon in shape:
        draw.polygon([(x + px * side, y + py * side) for px, py in polygon], fill=fill)


@lru_cache(maxsize=64)
def _font(size: int) -> Any:
    return _pillow()[2].load_default(size)


# ---- cards


@lru_cache(maxsize=1024)
def _card_picture(card: int, height: int, driven: bool) -> Any:
    """A card of that many pixels, with round corners; a driven one lies on its side."""
    image_module, draw_module, _ = _pillow()
    width = round(height * CARD_SHAPE)
    picture = image_module.new("RGBA", (width, height), (0, 0, 0, 0))
    draw = draw_module.Draw(picture)
    frame = (0, 0, width - 1, height - 1)
    line = max(1, height // 60)
    if card == HIDDEN:
        draw.rounded_rectangle(frame, height * 0.07, fill=BACK_COLOR, outline=INK, width=line)
        _draw_back(draw, width, height, line)
    else:
        draw.rounded_rectangle(frame, height * 0.07, fill=CARD_WHITE, outline=INK, width=line)
        _draw_face(draw, card, width, height)
    return picture.rotate(-90, expand=True) if driven else picture


def _draw_back(draw: Any, width: int, height: int, line: int) -> None:
    edge = height * 0.08
    draw.rounded_rectangle((edge, edge, width - edge, height - edge), edge / 2, outline=BACK_LINE, width=line)
    for i in range(3):
        for j in range(4):
            x, y = width * (0.26 + 0.24 * i), height * (0.22 + 0.187 * j)
            r = height * 0.055
            draw.polygon([(x, y - r), (x + r, y), (x, y + r), (x - r, y)], fill=BACK_LINE)


def _draw_face(draw: Any, card: int, width: int, height: int) -> None:
    """Rank and suit in the corner, where a fan shows them, and a large suit."""
    suit = int(SUIT[card])
    color = RED if suit in (1, 2) else BLACK if card < JOKER else PURPLE
    rank = NAMES[card] if card >= JOKER else {"T": "10"}.get(NAMES[card][0], NAMES[card][0])
    corner = width * 0.36
    size = round(height * 0.3)
    while size > 6 and _font(size).getlength(rank) > corner:
        size -= 1
    draw.text((width * 0.06 + corner / 2, height * 0.19), rank, font=_font(size), fill=color, anchor="mm",
              stroke_width=max(0, height // 90), stroke_fill=color)  # fmt: skip
    small = width * 0.28
    _fill_shape(draw, _suit_shape(suit), width * 0.06 + (corner - small) / 2, height * 0.34, small, color)
    large = width * 0.5
    _fill_shape(draw, _suit_shape(suit), width * 0.43, height * 0.55, large, color)


def fan_size(cards: int, height: float, driven: bool) -> tuple[float, float, float]:
    """Width and height of a unit's cards, and the step from card to card."""
    width = height * CARD_SHAPE
    step = width * 0.42
    return (height if driven else width) + step * (cards - 1), width if driven else height, step


# ---- the painter


_DRAWN_SIGNS = SUIT_SIGNS + "→"
_RUNS = re.compile(f"[{_DRAWN_SIGNS}]|[^{_DRAWN_SIGNS}]+")


class Painter:
    """Draws in points of the board."""

    def __init__(self, board: tuple[int, int], scale: float, fill: str) -> None:
        if scale <= 0:
            raise ValueError(f"scale must be above 0, not {scale!r}")
        image_module, draw_module, _ = _pillow()
        self.k = scale * SMOOTH
        self.image = image_module.new("RGB", (round(board[0] * scale) * SMOOTH, round(board[1] * scale) * SMOOTH), fill)
        self.draw = draw_module.Draw(self.image)

    def picture(self) -> np.ndarray:
        return np.array(self.image.reduce(SMOOTH), dtype=np.uint8)

    def _scaled(self, values: Iterable[float]) -> list[float]:
        return [v * self.k for v in values]

    def line_width(self, width: float) -> int:
        return max(1, round(width * self.k))

    def box(
        self, box: Box, fill: str | None = None, outline: str | None = None, width: float = 1, r: float = 6
    ) -> None:
        self.draw.rounded_rectangle(
            self._scaled(box), r * self.k, fill=fill, outline=outline, width=self.line_width(width)
        )

    def card(self, card: int, x: float, y: float, height: float, driven: bool = False) -> None:
        picture = _card_picture(card, round(height * self.k), driven)
        self.image.paste(picture, (round(x * self.k), round(y * self.k)), picture)

    def polygon(self, points: Iterable[Point], fill: str) -> None:
        self.draw.polygon([(x * self.k, y * self.k) for x, y in points], fill=fill)

    def path(self, points: Sequence[Point], fill: str, width: float) -> None:
        self.draw.line(
            [(x * self.k, y * self.k) for x, y in points], fill=fill, width=self.line_width(width), joint="curve"
        )

    def arrow(self, points: Sequence[Point], fill: str, width: float = 3) -> None:
        """Along the points; the head is at the last one. A dark rim keeps crossing arrows apart."""
        (x0, y0), (x, y) = points[-2], points[-1]
        length = math.hypot(x - x0, y - y0) or 1
        dx, dy = (x - x0) / length, (y - y0) / length
        for rim, color in ((3, INK), (0, fill)):
            head, half = 13 + rim, 6.5 + rim
            tail = (x - dx * 9, y - dy * 9)
            self.path([*points[:-1], tail], color, width + rim)
            tip = (x + dx * rim / 2, y + dy * rim / 2)
            base = (x - dx * head, y - dy * head)
            self.polygon([tip, (base[0] - dy * half, base[1] + dx * half), (base[0] + dy * half, base[1] - dx * half)],
                         color)  # fmt: skip

    def text_width(self, text: str, size: float) -> float:
        font = _font(max(1, round(size * self.k)))
        return sum(0.8 * size if c in _DRAWN_SIGNS else font.getlength(c) / self.k for c in text)

    def text(self, x: float, y: float, text: str, size: float, fill: str = PALE, anchor: str = "l") -> None:
        """`anchor` l, m or r says where x is; y is the middle of the line. Suits and arrows are drawn."""
        x -= self.text_width(text, size) * {"l": 0, "m": 0.5, "r": 1}[anchor]
        font = _font(max(1, round(size * self.k)))
        for run in _RUNS.findall(text):
            if run in _DRAWN_SIGNS:
                self.sign(run, x, y, size, fill)
                x += 0.8 * size
            else:
                self.draw.text((x * self.k, y * self.k), run, font=font, fill=fill, anchor="lm")
                x += sum(font.getlength(c) for c in run) / self.k

    def sign(self, sign: str, x: float, y: float, size: float, fill: str) -> None:
        if sign == "→":
            middle = [(x + size * 0.05, y), (x + size * 0.5, y)]
            self.path(middle, fill, size * 0.1)
            self.polygon([(x + size * 0.45, y - size * 0.22), (x + size * 0.75, y), (x + size * 0.45, y + size * 0.22)],
                         fill)  # fmt: skip
            return
        suit = SUIT_SIGNS.index(sign)
        color = TEXT_RED if suit in (1, 2) else fill
        side = 0.72 * size * self.k
        _fill_shape(self.draw, SUIT_SHAPES[suit], x * self.k, y * self.k - side / 2, side, color)

    def lines(self, x: float, y: float, width: float, texts: Iterable[str], size: float, fill: str = PALE) -> float:
        """Words wrapped to a width, from y down; returns the y below them."""
        line = ""
        for word in " ".join(texts).split():
            if line and self.text_width(f"{line} {word}", size) > width:
                self.text(x, y, line, size, fill)
                line, y = "", y + size * 1.3
            line = f"{line} {word}".strip()
        if line:
            self.text(x, y, line, size, fill)
            y += size * 1.3
        return y
