"""What a game tells of itself besides its result: the sides of its players, and its facts."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

import numpy as np


class Telling(NamedTuple):
    side_first: str | None  # None where the game has no sides
    side_second: str | None
    facts: str | None  # JSON, None where there are none


def tellings(engine: Any) -> list[Telling]:
    """Of each game of a batch."""
    games, about = engine.games, engine.about
    facts = {name: values.tolist() for name, values in about.facts_of(games).items()}
    texts = [
        json.dumps({name: values[i] for name, values in facts.items()}) if facts else None for i in range(len(games))
    ]
    if about.sides is None:
        return [Telling(None, None, text) for text in texts]
    names = np.array(about.sides.names, object)[about.sides.of(games)].tolist()
    return [Telling(one, two, text) for (one, two), text in zip(names, texts)]
