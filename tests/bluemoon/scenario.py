"""Reads and runs scenario files of Blue Moon; the format is explained at the head of scenarios/shared.txt."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from ka_env.errors import NotationError

FOLDER = Path(__file__).parent / "scenarios"
REASONS = {"refused-not-completable": "finished"}  # where the page's own case, copied as it is, does not say it


@dataclass
class Scenario:
    name: str
    file: str
    covers: str = ""
    position: list[str] = field(default_factory=list)
    steps: list[str] = field(default_factory=list)

    @property
    def refused(self) -> bool:
        return len(self.steps) == 1 and self.steps[0].startswith("? refused")


def load(file: str) -> list[Scenario]:
    scenarios: list[Scenario] = []
    for raw in (FOLDER / file).read_text(encoding="utf-8").splitlines():
        line = raw.strip()
        if not line or line.startswith("#"):
            continue
        if line.startswith("["):
            scenarios.append(Scenario(line.strip("[]"), file))
        elif line.startswith("covers:"):
            scenarios[-1].covers = line.removeprefix("covers:").strip()
        elif line[0] in ">=?":
            scenarios[-1].steps.append(line)
        else:
            assert not scenarios[-1].steps, f"{scenarios[-1].name}: position line after a step: {line}"
            scenarios[-1].position.append(line)
    return scenarios


def load_all() -> list[Scenario]:
    scenarios = [scenario for path in sorted(FOLDER.glob("*.txt")) for scenario in load(path.name)]
    names = [scenario.name for scenario in scenarios]
    twice = sorted({name for name in names if names.count(name) > 1})
    assert not twice, f"scenario names are unique: {twice}"
    return scenarios


def seen(game: Any) -> tuple[Any, ...]:
    return game.to_text(), game.player, game.decision, game.legal(), game.result


def line_of(game: Any, name: str) -> str:
    return next(line for line in game.to_text().splitlines() if line.split()[0] == name)


def check_legal(game: Any, how: str, tokens: list[str]) -> None:
    legal = game.legal()
    if how == "=":
        assert legal == tokens
    elif how == "has":
        assert set(tokens) <= set(legal), f"{tokens} in {legal}"
    else:
        assert how == "lacks"
        assert not set(tokens) & set(legal), f"none of {tokens} in {legal}"


def check_question(game: Any, words: list[str]) -> None:
    what, rest = words[0], words[1:]
    if what == "at":
        assert [game.decision, str(game.player)] == rest
    elif what == "legal":
        check_legal(game, rest[0], rest[1:])
    elif what == "ids":
        ids = [game.action_id(token) for token in game.legal()]
        assert ids == [int(word) for word in rest]
        assert [game.token(action) for action in ids] == game.legal()
    elif what == "illegal":
        before = seen(game)
        with pytest.raises(ValueError) as refused:
            game.play(" ".join(rest))
        assert type(refused.value).__name__ in ("IllegalMove", "RefIllegalMove"), repr(refused.value)
        assert seen(game) == before
    elif what == "did" and rest[0] == "lacks":
        assert not set(rest[1:]) & set(line_of(game, "did").split())
    elif what == "did":
        assert set(rest) <= set(line_of(game, "did").split()), line_of(game, "did")
    elif what == "count":
        entries = line_of(game, rest[0]).split()[1:]
        assert len([entry for entry in entries if entry != "-"]) == int(rest[1])
    elif what == "random":
        events = [f"{event[0]}{event[1]}" for event in game.last_random]
        assert (events or ["none"]) == rest
    elif what == "pending":  # the engine's own; the reference writes another line
        assert not hasattr(game, "step_with") or line_of(game, "pending").split()[1:] == rest
    elif what == "result":
        assert game.over and list(game.result) == [float(word) for word in rest]
    else:
        raise AssertionError(f"unknown step: {words}")


def play(game: Any, tokens: str) -> None:
    """In one call; and one by one on a copy, where chance that is given as it fell must lead to the same game."""
    trial = game.copy()
    game.play(tokens)
    if not hasattr(trial, "step_with"):
        return  # the reference, which is always told
    for token in tokens.split():
        told = trial.copy()
        trial.play(token)
        told.step_with(told.action_id(token), trial.last_random)
        assert seen(told) == seen(trial) and told.last_random == trial.last_random
    assert seen(trial) == seen(game)


def check_step(game: Any, step: str) -> None:
    if step[0] == ">":
        play(game, step[1:].strip())
    elif step[0] == "=":
        name = step[1:].split()[0]
        assert line_of(game, name) == step[1:].strip()
    else:
        check_question(game, step[1:].split())


def check_refused(scenario: Scenario, game_class: Any) -> None:
    """With an error about texts; the engine's names the line and what is wrong in it: the words after `? refused`."""
    with pytest.raises(ValueError) as refused:
        game_class.from_text("\n".join(scenario.position))
    assert type(refused.value).__name__ in ("NotationError", "RefNotationError"), repr(refused.value)
    if isinstance(refused.value, NotationError):
        words = scenario.steps[0].split()[2:] or REASONS[scenario.name].split()
        missing = [word for word in words if word not in str(refused.value)]
        assert not missing, f"{refused.value} does not say {missing}"


def run(scenario: Scenario, game_class: Any) -> None:
    """All steps, and at each one that a copy and the written text read back are the same game."""
    if scenario.refused:
        check_refused(scenario, game_class)
        return
    game = game_class.from_text("\n".join(scenario.position))
    for step in scenario.steps:
        check_step(game, step)
        assert seen(game.copy()) == seen(game)
        assert seen(game_class.from_text(game.to_text())) == seen(game)
