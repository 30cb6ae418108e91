"""The arena: tournaments of agents, judged by pairs of games (one deal, seats swapped).

The names are imported when they are first used: workers start faster without the statistics.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ka_env.training.arena.faults import ArenaError
    from ka_env.training.arena.plan import Plan, SprtSettings
    from ka_env.training.arena.records import export_games
    from ka_env.training.arena.report import write_report
    from ka_env.training.arena.standings import Standings, all_standings
    from ka_env.training.arena.store import Store
    from ka_env.training.arena.tournament import Outcome, play_tournament

__all__ = [
    "ArenaError",
    "Outcome",
    "Plan",
    "SprtSettings",
    "Standings",
    "Store",
    "all_standings",
    "export_games",
    "play_tournament",
    "write_report",
]

_HOME = {
    "faults": ["ArenaError"],
    "plan": ["Plan", "SprtSettings"],
    "records": ["export_games"],
    "report": ["write_report"],
    "standings": ["Standings", "all_standings"],
    "store": ["Store"],
    "tournament": ["Outcome", "play_tournament"],
}


def __getattr__(name: str) -> Any:
    for module, names in _HOME.items():
        if name in names:
            return getattr(import_module(f"{__name__}.{module}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
