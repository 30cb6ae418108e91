"""The charts of a study, as inline SVG in the manner of the arena's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ka_env.training.arena.charts import FOOT, ROW, WIDTH, _Axis, _grid, _left_of, _line, _short, _svg, _text, ticks

Told = dict[str, Any]  # value, low, high, n


def percent(value: float, digits: int = 1) -> str:
    return f"{100 * value:.{digits}f} %"


def points(value: float, digits: int = 1) -> str:
    """Hundredths with their sign, and no minus zero."""
    text = f"{100 * value:+.{digits}f}"
    return text.replace("-", "+") if not float(text) else text


def intervals(
    names: Sequence[str], values: Sequence[Told], title: str, middle: float = 0.5, signed: bool = False
) -> str:
    """One row per name: a dot with its interval, and on how many observations it rests."""
    tell = points if signed else percent
    low = min(min(v["low"] for v in values), middle)
    high = max(max(v["high"] for v in values), middle)
    pad = 0.04 * max(high - low, 0.01)
    axis = _Axis(100 * (low - pad), 100 * (high + pad), _left_of([_short(name) for name in names]), WIDTH - 190)
    bottom = ROW * len(names) + 8
    parts = _grid(axis, bottom, ticks(axis.low, axis.high), 100 * middle, "" if signed else " %")
    for row, (name, v) in enumerate(zip(names, values)):
        y = ROW * row + 22
        words = f"{tell(v['value'])} ({tell(v['low'])} to {tell(v['high'])}), n = {v['n']}"
        parts += [
            _text(0, y + 4, _short(name)),
            _line(axis(100 * v["low"]), y, axis(100 * v["high"]), y, "bar"),
            f'<circle cx="{axis(100 * v["value"]):g}" cy="{y}" r="5" class="dot"><title>{words}</title></circle>',
            _text(WIDTH, y + 4, f"{tell(v['value'])} ± {50 * (v['high'] - v['low']):.1f}, n {v['n']}", "small", "end"),
        ]
    return _svg(WIDTH, bottom + FOOT, parts, title)


def columns(histogram: Sequence[Sequence[int]], title: str, median: float, about: int = 40) -> str:
    """How often each whole number occurs, in bins of equal width; what is beyond the last bin is added to it."""
    low = histogram[0][0]
    total = sum(times for _, times in histogram)
    reached, last = 0, low
    for value, times in histogram:
        reached, last = reached + times, value
        if reached >= 0.995 * total:
            break
    step = max(1, -(-(last - low + 1) // about))
    bins = [0] * ((last - low) // step + 1)
    for value, times in histogram:
        bins[min((value - low) // step, len(bins) - 1)] += times
    axis = _Axis(low, low + step * len(bins), 52, WIDTH - 10)
    bottom = 164
    up = _Axis(0, max(bins), bottom, 14)
    parts = []
    for tick in ticks(0, max(bins), 4):
        parts += [
            _line(52, up(tick), WIDTH - 10, up(tick), "grid"),
            _text(46, up(tick) + 4, f"{tick:g}", "small", "end"),
        ]
    for i, count in enumerate(bins):
        first = low + step * i
        x, y = axis(first), up(count)
        label = f"{first}" if step == 1 else f"{first} to {first + step - 1}"
        label += " and more" if i == len(bins) - 1 and last < histogram[-1][0] else ""
        parts.append(
            f'<rect x="{x:g}" y="{y:g}" width="{max(axis(first + step) - x - 1.5, 0.8):g}" height="{bottom - y:g}" '
            f'class="column"><title>{label}: {count} games</title></rect>'
        )
    parts += [_text(axis(t), bottom + 18, f"{t:g}", "small", "middle") for t in ticks(low, axis.high, 8)]
    parts += [
        _line(axis(median), 6, axis(median), bottom, "median"),
        _text(axis(median) + 6, 14, f"median {median:g}", "small"),
    ]
    return _svg(WIDTH, bottom + 26, parts, title)


def reliability(bins: Sequence[dict[str, Any]], title: str) -> str:
    """Predicted chances across, results up; on the diagonal they agree."""
    size, left = 320, 60
    across, up = _Axis(0, 100, left, left + size), _Axis(0, 100, size + 10, 10)
    parts = [_line(across(0), up(0), across(100), up(100), "zero")]
    for tick in (0, 25, 50, 75, 100):
        parts += [
            _line(across(0), up(tick), across(100), up(tick), "grid"),
            _text(left - 6, up(tick) + 4, f"{tick} %", "small", "end"),
            _text(across(tick), size + 28, f"{tick} %", "small", "middle"),
        ]
    for one in bins:
        x, actual = across(100 * one["predicted"]), one["actual"]
        words = f"predicted {percent(one['predicted'])}, won {percent(actual['value'])}, n = {actual['n']}"
        parts += [
            _line(x, up(100 * actual["low"]), x, up(100 * actual["high"]), "bar"),
            f'<circle cx="{x:g}" cy="{up(100 * actual["value"]):g}" r="5" class="dot"><title>{words}</title></circle>',
        ]
    parts.append(_text(left + size + 16, up(50), "across: predicted chance", "small"))
    parts.append(_text(left + size + 16, up(50) + 18, "up: share of games won, 95 % interval", "small"))
    return _svg(WIDTH, size + FOOT + 10, parts, title)
