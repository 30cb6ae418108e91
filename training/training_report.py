"""The report of a training run: one HTML page with its curves, and the win rates as a PNG if matplotlib is there."""

from __future__ import annotations

import json
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ka_env.training.arena.charts import FOOT, WIDTH, _Axis, _line, _svg, _text, ticks
from ka_env.training.arena.progress import duration
from ka_env.training.arena.report import STYLE, _card
from ka_env.training.arena.tables import percent, with_interval

if TYPE_CHECKING:
    from ka_env.training.run import Run

HEIGHT = 190
MORE_STYLE = """
.curve { fill: none; stroke-width: 2; } .c0 { stroke: var(--accent); } .c1 { stroke: var(--warn); }
.c2 { stroke: #4a9a62; } .c3 { stroke: #9a5fb4; } .band { opacity: .14; stroke: none; }
.f0 { fill: var(--accent); } .f1 { fill: var(--warn); }
.f2 { fill: #4a9a62; } .f3 { fill: #9a5fb4; }
"""
Curve = tuple[str, Sequence[float], Sequence[float]]  # name, steps, values
Band = tuple[Sequence[float], Sequence[float]]


def curves(lines: Sequence[Curve], title: str, bands: Sequence[Band | None] = (), percent: bool = False) -> str:
    """Values over steps, in millions; a band is an interval around its curve."""
    every = [value for _, _, values in lines for value in values]
    low, high = (0.0, 100.0) if percent else (min(every), max(every))
    pad = 0.0 if percent else 0.05 * max(high - low, 1e-6)
    most = max(max(steps) for _, steps, _ in lines) / 1e6
    across, up = _Axis(0, most, 56, WIDTH - 12), _Axis(low - pad, high + pad, HEIGHT, 22)
    parts = []
    for tick in ticks(up.low, up.high, 5):
        parts.append(_line(56, up(tick), WIDTH - 12, up(tick), "grid"))
        parts.append(_text(50, up(tick) + 4, f"{tick:g}{' %' if percent else ''}", "small", "end"))
    parts += [_text(across(t), HEIGHT + 18, f"{t:g}", "small", "middle") for t in ticks(0, most, 8)]
    parts.append(_text(WIDTH - 12, HEIGHT + 32, "million decisions", "small", "end"))
    left = 60.0
    for number, (name, steps, values) in enumerate(lines):
        points = [f"{across(s / 1e6):g},{up(v):g}" for s, v in zip(steps, values)]
        if number < len(bands) and bands[number] is not None:
            lows, highs = bands[number]  # type: ignore[misc]
            edge = [f"{across(s / 1e6):g},{up(v):g}" for s, v in zip(steps, highs)]
            edge += [f"{across(s / 1e6):g},{up(v):g}" for s, v in zip(steps[::-1], lows[::-1])]
            parts.append(f'<polygon points="{" ".join(edge)}" class="band f{number % 4}"/>')
        parts.append(f'<polyline points="{" ".join(points)}" class="curve c{number % 4}"/>')
        if len(lines) > 1:
            parts.append(_line(left, 10, left + 18, 10, f"curve c{number % 4}"))
            parts.append(_text(left + 24, 14, name, "small"))
            left += 40 + 7.5 * len(name)
    return _svg(WIDTH, HEIGHT + FOOT, parts, title)


def write_training_report(run: Run) -> Path:
    """report.html, and winrates.png if matplotlib is there."""
    history = [row for row in run.history if "steps" in row]
    measured = [row for row in history if "winrates" in row]
    parts = [_head(run)]
    if measured:
        parts.append(_winrates(measured, _draw_png(measured, run.directory / "winrates.png")))
    if len(history) > 1:
        parts.append(_league(run))
        parts += [_one(history, key, title) for key, title in _CURVES.items() if key in history[0]]
    parts.append(_settings(run))
    numbers = json.dumps(history).replace("</", "<\\/")
    page = (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>Training report</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{STYLE}{MORE_STYLE}</style></head>\n"
        f"<body><main>{''.join(parts)}</main>\n"
        f'<script type="application/json" id="numbers">{numbers}</script></body></html>\n'
    )
    path = run.directory / "report.html"
    path.write_text(page, encoding="utf-8")
    return path


_CURVES = {
    "entropy": "Entropy of the policy",
    "kl": "Change of the policy per update (KL)",
    "value_loss": "Value loss",
    "explained_variance": "Explained variance of the value",
}


def _head(run: Run) -> str:
    trainer = run.trainer
    rules = ", ".join(rules.label for rules in run.rules)
    about = f"{trainer.steps / 1e6:.2f} million decisions in {duration(run.elapsed)}, {trainer.updates} updates, "
    about += f"trainer {run.config.trainer}, network {run.config.network}, seed {run.config.seed}."
    return f"<h1>Self-play on {escape(rules)}</h1><p class='soft'>{escape(about)}</p><pre>{escape(run.command)}</pre>"


def _against(measured: list[dict[str, Any]]) -> dict[str, tuple[list[int], np.ndarray]]:
    """For each of the latest baselines (they may have changed within the run): steps, and rates with intervals."""
    found = {}
    for name in measured[-1]["winrates"]:
        rows = [row for row in measured if name in row["winrates"]]
        found[name] = [row["steps"] for row in rows], np.array([row["winrates"][name] for row in rows]) * 100
    return found


def _winrates(measured: list[dict[str, Any]], png: bool) -> str:
    against = _against(measured)
    lines = [(name, steps, rates[:, 0].tolist()) for name, (steps, rates) in against.items()]
    bands = [(rates[:, 1].tolist(), rates[:, 2].tolist()) for _, rates in against.values()]
    cells = "".join(
        f'<tr><td class="name">{escape(name)}</td><td>{rates[-1, 0]:.1f} %</td>'
        f"<td>{rates[-1, 1]:.1f} to {rates[-1, 2]:.1f} %</td></tr>"
        for name, (_, rates) in against.items()
    )
    head = '<tr><th class="name">against</th><th>win rate</th><th>95 % interval</th></tr>'
    table = f"<table><thead>{head}</thead><tbody>{cells}</tbody></table>"
    note = "Pairs of games: one deal, seats swapped; bands are 95 % intervals, and the table is the last measurement."
    note += ' The same as a picture: <a href="winrates.png">winrates.png</a>.' if png else ""
    return _card("Win rate against the baselines", curves(lines, "win rates", bands, percent=True) + table, note)


def _league(run: Run) -> str:
    members = sorted(run.trainer.league.members.values(), key=lambda m: m.rate)
    rows = "".join(
        f'<tr><td class="name">{escape(m.label)}</td><td>{m.total}</td><td>{with_interval(m.overall)}</td>'
        f"<td>{percent(m.rate) if m.total else ''}</td></tr>"
        for m in members
    )
    head = '<tr><th class="name">member</th><th>games</th><th>learner wins</th><th>lately</th></tr>'
    note = (
        "Games of the training itself, in which the learner explores; its share of all games against each member, with "
        "the 95 % interval, and of the latest ones. The hardest are drawn most. No ratings are made of these games: "
        "members never meet, and the learner changes. <code>ka arena</code> rates what came of it."
    )
    return _card("League", f"<table><thead>{head}</thead><tbody>{rows}</tbody></table>", note)


def _one(history: list[dict[str, Any]], key: str, title: str) -> str:
    return _card(title, curves([(title, [row["steps"] for row in history], [row[key] for row in history])], title))


def _settings(run: Run) -> str:
    rows = "".join(
        f'<tr><td class="name">{escape(key)}</td><td class="name">{escape(str(value))}</td></tr>'
        for key, value in run.config.table.items()
    )
    return _card("Settings", f"<details><summary>all</summary><table>{rows}</table></details>")


def _draw_png(measured: list[dict[str, Any]], path: Path) -> bool:
    try:
        from matplotlib.figure import Figure
    except ModuleNotFoundError:
        return False
    figure = Figure(figsize=(8, 4.5), layout="constrained")
    axes = figure.subplots()
    for name, (steps, rates) in _against(measured).items():
        millions = np.array(steps) / 1e6
        axes.plot(millions, rates[:, 0], label=name)
        axes.fill_between(millions, rates[:, 1], rates[:, 2], alpha=0.15)
    axes.set(xlabel="million decisions", ylabel="win rate, %", ylim=(0, 100))
    axes.grid(alpha=0.3)
    axes.legend()
    figure.savefig(path, dpi=120)
    return True
