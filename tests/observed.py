"""Observations written by hand from a page of the docs, and what a game's observations mean, as one number.

`told` names the numbers that are not 0, by section, as the page describes them; offsets and lengths are the page's.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from ka_env.agents.nets import PolicyNet, layouts
from ka_env.errors import NotationError
from ka_env.games import KaGame, load_game
from tests.project.docs import between_markers

FOLDER = Path(__file__).parent
Told = Mapping[str, Mapping[int, float]]


def page_sections(page: str) -> dict[str, tuple[int, int]]:
    """Offset and length of each section, as the table of a page has them."""
    rows = re.findall(r"^\| `(\w+)` \| (\d+) \| (\d+) \|", between_markers("observation", page), re.M)
    return {name: (int(offset), int(length)) for name, offset, length in rows}


def vector(sections: Mapping[str, tuple[int, int]], size: int, told: Told) -> np.ndarray:
    """All numbers of an observation."""
    row = np.zeros(size, np.float32)
    for name, numbers in told.items():
        offset, length = sections[name]
        for place, value in numbers.items():
            assert 0 <= place < length, f"{name} has {length} numbers"
            row[offset + place] = value
    return row


def differences(sections: Mapping[str, tuple[int, int]], seen: np.ndarray, expected: np.ndarray) -> list[str]:
    """Where two observations differ, in the words of the page."""
    found = []
    for name, (offset, length) in sections.items():
        for place in range(length):
            if offset + place < len(seen) and seen[offset + place] != expected[offset + place]:
                found.append(f"{name}[{place}]: {seen[offset + place]!r}, by the page {expected[offset + place]!r}")
    return found


def entity_differences(seen: Mapping[str, np.ndarray], told: Mapping[str, Mapping[Any, Iterable[int]]]) -> list[str]:
    """The same by entity: `told` has the rows that are not all 0."""
    found = []
    for name, array in seen.items():
        expected = np.zeros_like(array)
        for place, numbers in told.get(name, {}).items():
            expected[place][: len(list(numbers))] = list(numbers)
        for place in np.argwhere(array != expected):
            at = tuple(int(k) for k in place)
            found.append(f"{name}{list(at)}: {array[at]}, by the page {expected[at]}")
    return found


# ---- what all numbers mean ------------------------------------------------------------------------------------------


def positions(game: KaGame) -> list[Any]:
    """The fixed positions of a game: tests/<game>/observed.txt."""
    text = (FOLDER / game.name / "observed.txt").read_text(encoding="utf-8")
    return [game.Game.from_text(part) for part in text.split("\n\n") if not part.startswith("#")]


def meaning(game: KaGame, ruleset: str) -> str:
    """A hash of what both players see in the positions with this ruleset's layout, and of the actions' words."""
    size = game.observation_size(ruleset)
    digest = hashlib.blake2b(digest_size=8)
    for position in positions(game):
        if game.observation_size(position.ruleset) == size:
            for player in range(2):
                digest.update(position.observation(player).astype("<f4").tobytes())
            digest.update(" ".join(_word(position, action) for action in range(game.num_actions)).encode())
    return digest.hexdigest()


def _word(position: Any, action: int) -> str:
    try:
        return position.token(action)
    except NotationError:
        return "-"


def mark(path: str) -> None:
    """Write today's meaning on the card of a policy that was trained on it before cards had one."""
    with np.load(path) as file:
        arrays = {key: file[key] for key in file.files if key != "card"}
        card = json.loads(file["card"].tobytes().decode())
    (layout,) = {layouts(load_game(card["game"]))[card["layout"]]}
    PolicyNet(arrays, {**card, "meaning": layout.meaning}).save(path)


def main(paths: list[str]) -> None:
    """`python -m tests.observed` prints the meanings; with policy files it marks them with those declared."""
    for path in paths:
        mark(path)
    if not paths:
        for name in ("blackpoker", "bluemoon"):
            game = load_game(name)
            rulesets = {game.observation_size(ruleset): ruleset for ruleset in game.rulesets}
            for size, ruleset in rulesets.items():
                print(name, size, "numbers:", meaning(game, ruleset))


if __name__ == "__main__":
    main(sys.argv[1:])
