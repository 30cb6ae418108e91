"""Can the chances be trusted? What was predicted, against what came of it."""

from __future__ import annotations

from typing import Any

import numpy as np

from ka_env.training.study.sample import Judged
from ka_env.training.study.statistics import mean_of, share_of

BINS = 10


def calibration(rows: list[Judged]) -> dict[str, Any] | None:
    """By tenths of the predicted chances of what was played: how many, predicted and actual mean. None without rows.

    `gap` is actual minus predicted over all, `error` how far they are apart on average over the tenths, `brier` the
    mean square of predicted minus actual, and `slope` how much the odds of winning grow with the odds predicted: below
    1 the judge is too sure of itself, above 1 not sure enough.
    """
    if len(rows) < 2:
        return None
    chance = np.clip(np.array([row.chance for row in rows]), 0, 1)
    score = np.array([row.score for row in rows])
    deal = np.array([row.deal for row in rows])
    number = np.minimum((chance * BINS).astype(int), BINS - 1)
    bins, apart = [], 0.0
    for b in range(BINS):
        here = number == b
        actual = share_of(score[here], deal[here])
        if actual is None:
            continue
        predicted = float(chance[here].mean())
        apart += here.sum() / len(rows) * abs(actual.value - predicted)
        bins.append(
            {"from": b / BINS, "to": (b + 1) / BINS, "predicted": round(predicted, 5), "actual": actual.numbers()}
        )
    gap = mean_of(score - chance, deal)
    assert gap is not None or len(set(deal.tolist())) < 2
    return {
        "n": len(rows),
        "judged_by": {"agent": rows[0].agent, "budget": rows[0].budget, "seed": rows[0].seed},
        "bins": bins,
        "gap": None if gap is None else gap.numbers(),
        "error": round(float(apart), 5),
        "brier": round(float(((chance - score) ** 2).mean()), 5),
        "brier_of_half": round(float(((0.5 - score) ** 2).mean()), 5),
        "slope": _slope(chance, score),
    }


def _slope(chance: np.ndarray, score: np.ndarray) -> dict[str, float] | None:
    """Logistic regression of the score on the logit of the chance through Newton's steps; slope and 95 % interval."""
    x = np.log(np.clip(chance, 0.005, 0.995) / (1 - np.clip(chance, 0.005, 0.995)))
    design = np.stack([np.ones_like(x), x], axis=1)
    beta = np.array([0.0, 1.0])
    for _ in range(25):
        p = 1 / (1 + np.exp(-np.clip(design @ beta, -30, 30)))
        information = design.T @ (design * (p * (1 - p))[:, None]) + 1e-9 * np.eye(2)
        step = np.linalg.solve(information, design.T @ (score - p))
        beta = beta + np.clip(step, -2, 2)
    error = float(np.sqrt(np.linalg.inv(information)[1, 1]))
    if not np.isfinite(error) or error > 5:
        return None
    slope = float(beta[1])
    return {"value": round(slope, 4), "low": round(slope - 1.96 * error, 4), "high": round(slope + 1.96 * error, 4)}
