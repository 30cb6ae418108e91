"""The plots of docs/strength.md, drawn from docs/results.

python -m ka_env.training.plots_docs runs/NAME ...   # keeps the curves of these runs first
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ka_env.agents.registry import parse_spec
from ka_env.errors import KaError
from ka_env.training.config import BEFORE, EXPLOITER
from ka_env.training.results_docs import RESULTS, ROOT, Result, between, load

if TYPE_CHECKING:
    from matplotlib.axes import Axes

IMAGES = ROOT / "docs" / "images"
CURVES = RESULTS / "training"
Point = tuple[float, float, float, float]  # where, rate, low, high


def keep_run(directory: Path) -> Path:
    """The measurements of a training run, as a result that can be drawn; what was trained before it comes first.

    Its exploiters take their time and decisions, too, and are not drawn.
    """
    try:
        settings = json.loads((directory / "config.json").read_text(encoding="utf-8"))
        parts = [(_history(place), place == part) for part in _parts(directory) for place in _with_exploiter(part)]
    except OSError as error:
        raise KaError(f"{directory}: expected the directory of a training run: {error}") from None
    points: list[dict[str, Any]] = []
    seconds = steps = 0
    for rows, drawn in parts:
        points += [
            {
                "minutes": round((seconds + row["time"]) / 60, 2),
                "steps": steps + row["steps"],
                "winrates": row["winrates"],
            }
            for row in rows
            if drawn and "winrates" in row
        ]
        seconds, steps = seconds + rows[-1]["time"], steps + rows[-1]["steps"]
    path = CURVES / f"{directory.name}.json"
    path.parent.mkdir(exist_ok=True)
    kept = {"command": settings["command"], "points": points}
    path.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
    return path


def _parts(directory: Path) -> list[Path]:
    """The run and those before it, the first one first."""
    before = directory / BEFORE
    return [*(_parts(before) if before.exists() else []), directory]


def _with_exploiter(directory: Path) -> list[Path]:
    exploiter = directory / EXPLOITER
    return [*([exploiter] if exploiter.exists() else []), directory]


def _history(directory: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (directory / "history.jsonl").read_text(encoding="utf-8").splitlines()]


def over_time(result: Result, opponent: str) -> list[Point]:
    """Win rates against an agent over the minutes of a training."""
    return [(point["minutes"], *point["winrates"][opponent]) for point in result["points"]]


def over_budget(result: Result, with_net: bool) -> list[Point]:
    """Win rates of searches against the one agent that all of them met, over their iterations."""
    (one, *searches), found = result["standings"][0]["agents"], []
    for search in searches:
        *_, options = parse_spec(search)
        rate = between(result["standings"][0], search, one)
        if rate and (options.get("net", "shipped") is not None) == with_net:
            found.append((options["iterations"], *rate[:3]))
    return sorted(found)


def draw(path: Path, lines: Mapping[str, Sequence[Point]], title: str, across: str, logarithmic: bool = False) -> None:
    """Curves with their 95 % intervals as bands."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 4.5), layout="constrained")
    axes: Axes = figure.subplots()
    for name, points in lines.items():
        where, rates, lows, highs = zip(*points)
        axes.plot(where, [100 * rate for rate in rates], marker=".", label=name)
        axes.fill_between(where, [100 * low for low in lows], [100 * high for high in highs], alpha=0.15)
    axes.set(title=title, xlabel=across, ylabel="win rate, %", ylim=(0, 100))
    if logarithmic:
        axes.set_xscale("log")
    axes.grid(alpha=0.3)
    axes.legend(loc="lower right")
    figure.savefig(path, dpi=110)


def draw_all() -> None:
    trained = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in sorted(CURVES.glob("*.json"))}
    curves = {f"policy:{name}": over_time(curve, "greedy") for name, curve in trained.items()}
    draw(IMAGES / "strength_training.png", curves, "Against greedy, during the training", "minutes on one core")
    for path in sorted(RESULTS.glob("search-budget-*.json")):
        result: dict[str, Any] = load(path.stem)
        standing = result["standings"][0]
        both = {"search with the network": over_budget(result, True), "plain search": over_budget(result, False)}
        title = f"{standing['rules']}: searches against {standing['agents'][0]}"
        name = path.stem.replace("-", "_")
        draw(IMAGES / f"{name}.png", both, title, "iterations per decision", logarithmic=True)


if __name__ == "__main__":
    for run in sys.argv[1:]:
        print(keep_run(Path(run)))
    draw_all()
