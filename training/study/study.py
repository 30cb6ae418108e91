"""A study from beginning to end: play, judge a sample, compute, report. Interrupted, it goes on where it stopped."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ka_env.agents.fitting import policies
from ka_env.agents.ismcts_agent import AUTO
from ka_env.errors import KaError
from ka_env.games import Setup
from ka_env.training.arena.plan import Plan
from ka_env.training.arena.progress import Meter
from ka_env.training.arena.store import Store
from ka_env.training.arena.tournament import play_tournament
from ka_env.training.study.figures import all_figures
from ka_env.training.study.judge import Judge
from ka_env.training.study.report import write_study
from ka_env.training.study.sample import judge_sample, samples_of

BUDGET = 400  # iterations per decision: many decisions are judged, so each may be noisy
WARMTH = 0.3  # of the second agent: else both games of a pair would be the same


def usual_agents(setup: Setup) -> tuple[str, str]:
    """The strongest fast agents there are: a network and the same with some chance in it, or a rules-based player."""
    fit = policies(*setup[:2])
    if fit:
        return f"policy:{fit[0]}", f"policy:{fit[0]},temperature={WARMTH:g}"
    style = setup.game.room("styles").STYLES[0]
    return style, f"{style}#2"


def make_plan(rules: list[Setup], agents: tuple[str, ...], games: int, seed: int) -> Plan:
    pairings = len(agents) * (len(agents) - 1) // 2
    if games < 2 or games % 2:
        raise KaError(f"games {games}: expected an even number, as every deal is played twice with the seats swapped")
    return Plan(agents, tuple(rules), max(1, -(-games // (2 * max(1, pairings)))), seed=seed)


def play_games(plan: Plan, store: str | Path, workers: int | None, quiet: bool) -> None:
    play_tournament(plan, store, workers, None, quiet)


def judge_games(
    store: Store,
    count: int,
    budget: int = BUDGET,
    net: str = AUTO,
    seed: int = 0,
    threads: int = 1,
    quiet: bool = False,
) -> None:
    """Judge `count` decisions of every sample under all rules."""
    for rules, setup in enumerate(store.plan.rules):
        judge = Judge(setup, budget, net, seed)
        samples = samples_of(store, rules)
        meter = Meter(count * len(samples), 0, quiet, f"study {setup.label}", "decisions")
        done = 0

        def after(meter: Meter = meter) -> None:
            nonlocal done
            done += 1
            meter.show(done, None)

        try:
            for sample in samples:
                judge_sample(store, rules, sample, count, judge, threads, after)
            meter.show(done, None, last=True)
        finally:
            meter.close()


def stored_decks(path: str | Path) -> dict[str, Any]:
    """What a search for decks found: the JSON file that `ka study decks` writes beside its store."""
    path = Path(path).with_suffix(".json")
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        if not {"cards", "final", "deck"} <= set(found):
            raise ValueError("it tells no decks")
    except (ValueError, TypeError) as error:
        raise KaError(f"{path}: not written by ka study decks: {error}") from None
    return found


def report(store: Store, path: str | Path, command: str = "", decks: dict[str, Any] | None = None) -> dict[str, Any]:
    """Compute all figures and write the page."""
    figures = all_figures(store)
    if decks is not None:
        figures["decks"] = decks
    write_study(figures, path, command)
    return figures
