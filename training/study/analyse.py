"""A recorded game judged decision by decision: chances, what was thrown away, by whom."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ka_env.errors import KaError
from ka_env.games import Setup, game_of
from ka_env.record import UNKNOWN, Record, Step
from ka_env.training.study.judge import AUTO, BUDGET, Chance, Judge, Judgement, Question, describe

FORMAT = "ka-analysis-1"
MARKS = (0.20, 0.10)  # what a decision must throw away to be marked; the heavier mark first
SURE = 2.0  # standard errors that a loss must be above 0 to be marked
SHOWN = 5  # options of a decision in JSON and on the page, besides the one played


@dataclass(frozen=True)
class Decision:
    """One decision of the game. Chances are those of the player who decides."""

    number: int  # of the move, from 1
    player: int
    kind: str
    token: str
    judgement: Judgement
    tokens: dict[int, str]  # of the options

    @property
    def before(self) -> float:
        """What the position is worth to the decider: the chances of the best option."""
        return self.judgement.best.chance

    @property
    def after(self) -> float:
        return self.judgement.played.chance

    @property
    def mark(self) -> int:
        """Points thrown away at least, 0 if the loss is smaller or might be noise."""
        found = self.judgement
        if found.loss <= SURE * found.loss_error:
            return 0
        return next((round(100 * limit) for limit in MARKS if found.loss > limit), 0)

    def option(self, found: Chance) -> dict[str, Any]:
        return {
            "token": self.tokens[found.action],
            "chance": round(found.chance, 4),
            "error": round(found.error, 4),
            "visits": found.visits,
        }

    def to_json(self) -> dict[str, Any]:
        found = self.judgement
        shown = [one for i, one in enumerate(found.options) if i < SHOWN or one is found.played]
        return {
            "move": self.number,
            "player": self.player,
            "kind": self.kind,
            "played": self.token,
            "before": round(self.before, 4),
            "before_error": round(found.best.error, 4),
            "after": round(self.after, 4),
            "after_error": round(found.played.error, 4),
            "loss": round(found.loss, 4),
            "loss_error": round(found.loss_error, 4),
            "mark": self.mark,
            "options": [self.option(one) for one in shown],
        }


@dataclass(frozen=True)
class Analysis:
    """Of a whole record."""

    record: Record
    judged_by: dict[str, Any]
    decisions: list[Decision]

    def of(self, player: int) -> list[Decision]:
        return [decision for decision in self.decisions if decision.player == player]

    def summary(self, player: int) -> dict[str, Any]:
        """Average loss per decision with its standard error (over the decisions), and how many were marked."""
        own = self.of(player)
        losses = np.array([decision.judgement.loss for decision in own])
        error = float(losses.std(ddof=1) / np.sqrt(len(losses))) if len(losses) > 1 else None
        marks = {str(round(100 * limit)): sum(d.mark == round(100 * limit) for d in own) for limit in MARKS}
        return {
            "player": player,
            "name": names_of(self.record)[player],
            "decisions": len(own),
            "average_loss": round(float(losses.mean()), 5) if len(losses) else None,
            "average_loss_error": None if error is None else round(error, 5),
            "marked": marks,
        }

    def curve(self) -> list[dict[str, Any]]:
        """Player 0's chances before every decision, as judged from what its decider could know."""
        return [
            {
                "move": d.number,
                "judged_by": d.player,
                "chance": round(d.before if d.player == 0 else 1 - d.before, 4),
                "error": round(d.judgement.best.error, 4),
            }
            for d in self.decisions
        ]

    def to_json(self) -> dict[str, Any]:
        return {
            "format": FORMAT,
            "headers": {key: value for key, value in self.record.headers.items() if value != UNKNOWN},
            "judged_by": self.judged_by,
            "players": [self.summary(player) for player in range(2)],
            "curve": self.curve(),
            "decisions": [decision.to_json() for decision in self.decisions],
        }


def names_of(record: Record) -> list[str]:
    names = record.headers["players"].split()
    return names if len(names) == 2 else ["", ""]


def setup_of(record: Record) -> Setup:
    """What was played; of own decks the record tells the cards, and no list is needed."""
    ruleset = record.start().ruleset
    frame = record.headers.get("frame", UNKNOWN)
    return Setup(ruleset, game_of(ruleset).default_frame(ruleset) if frame == UNKNOWN else frame)


def analyse(
    record: Record,
    budget: int = BUDGET,
    net: str = AUTO,
    seed: int = 0,
    threads: int = 1,
    after: Callable[[int, int], None] | None = None,
) -> Analysis:
    """Judge every decision. The same record, seed and budget give the same numbers, with any number of threads.

    `after` is told how many of how many decisions are judged.
    """
    steps = list(record.steps())
    if not steps:
        raise KaError("the record has no move: there is nothing to judge")
    judge = Judge(setup_of(record), budget, net, seed)
    questions = [Question(step.before.records(), step.before.action_id(step.token), step.number) for step in steps]
    decisions: list[Decision] = []
    for step, found in zip(steps, judge.judge_all(questions, threads)):
        decisions.append(_decision(step, found))
        if after:
            after(len(decisions), len(steps))
    return Analysis(record, describe(judge), decisions)


def _decision(step: Step, found: Judgement) -> Decision:
    before = step.before
    tokens = {one.action: before.token(one.action) for one in found.options}
    return Decision(step.number, before.player, before.decision, step.token, found, tokens)
