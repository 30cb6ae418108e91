"""Reads and runs scenario files; the format is explained at the head of scenarios/shared.txt."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from ka_env.errors import NotationError

FOLDER = Path(__file__).parent / "scenarios"
REASONS = {  # what is wrong, where a case of the rules pages, copied as it is, does not say it
    "refuse-card-twice": "field0 twice",
    "refuse-size-mark-without-fog": "field0 fog",
}


@dataclass
class Scenario:
    name: str
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
            scenarios.append(Scenario(line.strip("[]")))
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
    assert len(set(names)) == len(names), "scenario names are unique"
    return scenarios


def seen(game: Any) -> tuple:
    return game.to_text(), game.player, game.decision, game.legal(), game.result


def check_step(game: Any, step: str) -> None:
    mark, words = step[0], step[1:].split()
    if mark == ">":
        game.play(" ".join(words))
    elif mark == "=":
        assert step[1:].strip() in game.to_text().splitlines()
    elif words[0] == "at":
        assert [game.decision, str(game.player)] == words[1:]
    elif words[:2] == ["legal", "="]:
        assert game.legal() == words[2:]
    elif words[:2] == ["legal", "has"]:
        assert set(words[2:]) <= set(game.legal())
    elif words[:2] == ["legal", "lacks"]:
        assert not set(words[2:]) & set(game.legal())
    elif words[0] == "illegal":
        before = seen(game)
        with pytest.raises(ValueError) as refused:
            game.play(" ".join(words[1:]))
        assert type(refused.value).__name__ in ("IllegalMove", "RefIllegalMove"), repr(refused.value)
        assert seen(game) == before
    elif words[0] == "result":
        assert game.over and list(game.result) == [float(w) for w in words[1:]]
    elif words == ["shuffle", "none"]:
        assert game.last_shuffle is None
    elif words[0] == "shuffle":
        player, cards = game.last_shuffle
        assert player == int(words[1]) and sorted(cards) == sorted(words[2:])
    else:
        raise AssertionError(f"unknown step: {step}")


def check_refused(scenario: Scenario, game_class: Any) -> None:
    """With an error about texts; the engine's names the line and what is wrong in it: the words after `? refused`."""
    with pytest.raises(ValueError) as refused:
        game_class.from_text("\n".join(scenario.position))
    assert type(refused.value).__name__ in ("NotationError", "RefNotationError"), repr(refused.value)
    if isinstance(refused.value, NotationError):
        words = scenario.steps[0].split()[2:] or REASONS[scenario.name].split()
        missing = [word for word in words if word not in str(refused.value)]
        assert not missing, f"{refused.value} does not say {missing}"


def run(scenario: Scenario, game_class: Any, reads_pending: bool) -> None:
    """All steps, and at each one that the written text reads back as the same game."""
    if scenario.refused:
        check_refused(scenario, game_class)
        return
    game = game_class.from_text("\n".join(scenario.position))
    for step in scenario.steps:
        check_step(game, step)
        assert seen(game.copy()) == seen(game)
        if reads_pending or game.over or game.decision == "chance":
            assert seen(game_class.from_text(game.to_text())) == seen(game)
