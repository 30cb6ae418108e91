"""Small charts as inline SVG. Colours come from the page's style, so that they follow its light or dark theme."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from math import floor, log10

import numpy as np

WIDTH, ROW, FOOT = 720, 30, 34
Interval = tuple[float, float, float]  # value, low, high


def signed(value: float) -> str:
    """A whole number with its sign, and no minus zero."""
    return f"{round(value):+d}"


def ticks(low: float, high: float, about: int = 6) -> list[float]:
    """Round numbers between low and high."""
    span = max(high - low, 1e-9)
    rough = span / about
    power = 10.0 ** floor(log10(rough))
    step = next(power * m for m in (1, 2, 5, 10) if power * m >= rough * 0.999)
    first = np.ceil(low / step - 1e-9)
    last = np.floor(high / step + 1e-9)
    return [float(step * k) + 0.0 for k in np.arange(first, last + 1)]  # + 0.0: no minus zero


class _Axis:
    """From values to places on a line."""

    def __init__(self, low: float, high: float, left: float, right: float) -> None:
        self.low, self.high, self._left, self._right = low, high, left, right

    def __call__(self, value: float) -> float:
        share = (value - self.low) / max(self.high - self.low, 1e-9)
        return round(self._left + share * (self._right - self._left), 1)


def _svg(width: float, height: float, parts: Sequence[str], title: str) -> str:
    return (
        f'<svg viewBox="0 0 {width:g} {height:g}" role="img" aria-label="{escape(title, quote=True)}">'
        f"<title>{escape(title)}</title>{''.join(parts)}</svg>"
    )


def _text(x: float, y: float, text: str, kind: str = "", anchor: str = "start") -> str:
    return f'<text x="{x:g}" y="{y:g}" class="{kind}" text-anchor="{anchor}">{escape(text)}</text>'


def _line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    return f'<line x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}" class="{kind}"/>'


def _grid(axis: _Axis, bottom: float, at: Sequence[float], zero: float, unit: str = "") -> list[str]:
    parts = []
    for tick in at:
        parts.append(_line(axis(tick), 4, axis(tick), bottom, "zero" if tick == zero else "grid"))
        parts.append(_text(axis(tick), bottom + 18, f"{tick:g}{unit}", "small", "middle"))
    return parts


def _left_of(names: Sequence[str]) -> float:
    return min(300, 16 + 7.6 * max(len(name) for name in names))


def _short(name: str, most: int = 38) -> str:
    return name if len(name) <= most else name[: most - 1] + "…"


def error_bars(names: Sequence[str], values: Sequence[Interval], title: str) -> str:
    """One row per name: a dot with its interval."""
    low, high = min(v[1] for v in values), max(v[2] for v in values)
    pad = 0.05 * max(high - low, 1)
    left = _left_of([_short(name) for name in names])
    axis = _Axis(low - pad, high + pad, left, WIDTH - 80)
    bottom = ROW * len(names) + 8
    parts = _grid(axis, bottom, ticks(axis.low, axis.high), 0)
    for row, (name, (value, lo, hi)) in enumerate(zip(names, values)):
        y = ROW * row + 22
        parts += [
            _text(0, y + 4, _short(name)),
            _line(axis(lo), y, axis(hi), y, "bar"),
            f'<circle cx="{axis(value):g}" cy="{y}" r="5" class="dot"><title>{value:+.1f} ({lo:+.1f} to {hi:+.1f})'
            "</title></circle>",
            _text(WIDTH, y + 4, f"{signed(value)} ± {(hi - lo) / 2:.0f}", "small", "end"),
        ]
    return _svg(WIDTH, bottom + FOOT, parts, title)


def dumbbells(names: Sequence[str], values: Sequence[tuple[float, float]], title: str) -> str:
    """One row per name: two shares on a line from 0 to 100 %, the first filled, the second hollow."""
    left = _left_of([_short(name) for name in names])
    axis = _Axis(0, 100, left, WIDTH - 110)
    bottom = ROW * len(names) + 8
    parts = _grid(axis, bottom, (0, 25, 50, 75, 100), 50, " %")
    for row, (name, (first, second)) in enumerate(zip(names, values)):
        y, one, two = ROW * row + 22, axis(100 * first), axis(100 * second)
        parts += [
            _text(0, y + 4, _short(name)),
            _line(one, y, two, y, "bar"),
            f'<circle cx="{two:g}" cy="{y}" r="5" class="hollow"/><circle cx="{one:g}" cy="{y}" r="5" class="dot"/>',
            _text(WIDTH, y + 4, f"{100 * first:.1f} / {100 * second:.1f} %", "small", "end"),
        ]
    return _svg(WIDTH, bottom + FOOT, parts, title)


def histogram(values: np.ndarray, title: str, about: int = 40) -> str:
    """How often each length occurs, in bins of whole numbers."""
    low, high = int(values.min()), int(values.max())
    step = max(1, -(-(high - low + 1) // about))
    edges = np.arange(low, high + step + 1, step)
    counts, _ = np.histogram(values, edges)
    axis = _Axis(low, float(edges[-1]), 44, WIDTH - 10)
    height, bottom = 150, 164
    up = _Axis(0, float(counts.max()), bottom, bottom - height)
    parts = []
    for tick in ticks(0, float(counts.max()), 4):
        parts += [
            _line(44, up(tick), WIDTH - 10, up(tick), "grid"),
            _text(38, up(tick) + 4, f"{tick:g}", "small", "end"),
        ]
    for lo, count in zip(edges, counts):
        x, y = axis(float(lo)), up(float(count))
        wide = max(axis(float(lo + step)) - x - 1.5, 0.8)
        label = f"{lo}" if step == 1 else f"{lo} to {lo + step - 1}"
        parts.append(
            f'<rect x="{x:g}" y="{y:g}" width="{wide:g}" height="{bottom - y:g}" class="column">'
            f"<title>{label}: {count} games</title></rect>"
        )
    parts += [_text(axis(t), bottom + 18, f"{t:g}", "small", "middle") for t in ticks(low, float(edges[-1]), 8)]
    middle = float(np.median(values))
    parts += [_line(axis(middle), 6, axis(middle), bottom, "median")]
    parts.append(_text(axis(middle) + 6, 14, f"median {middle:g}", "small"))
    return _svg(WIDTH, bottom + 26, parts, title)
