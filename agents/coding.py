"""From columns of an observation to features, and what actions name: a game's things as the kernels want them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from ka_env.engine.net import NO_CHOOSERS, no_things
from ka_env.engine.things import NOTHING
from ka_env.games import KaGame

MOST_FEATURES = 1 << 16


class Coding(NamedTuple):
    """Columns come one after another; those whose meaning is chosen have as many features as there are choices."""

    base: np.ndarray  # [column]: its first feature
    chooser: np.ndarray  # [column]
    choosers: np.ndarray
    column: np.ndarray  # [feature]
    facts: np.ndarray  # [row, fact]
    zones: int
    verbs: int
    policy_row: np.ndarray  # [action]
    things: tuple[np.ndarray, ...]  # named, verb, thing, zone, card, card_chooser, step: see engine/net.py
    about: np.ndarray  # features that tell of a thing
    alike: tuple[tuple[np.ndarray, np.ndarray], ...]  # zones of equally many features; [zone, n]: their rows of facts
    place: np.ndarray  # [n]: where in `alike`, one after another, the features in `about` are

    @property
    def features(self) -> int:
        return len(self.column)

    @property
    def rows(self) -> int:
        """Of the first layer's own weights: one for each column, and one for each action that may be advised."""
        return int(self.column[-1]) + 1

    @property
    def policy_rows(self) -> int:
        return int(self.policy_row.max()) + 1


@cache
def plain_coding(columns: int, actions: int) -> Coding:
    """Each column is a feature and nothing is a thing."""
    none, every = np.full(columns, NOTHING), np.arange(columns)
    things = no_things(columns, actions)[:7]
    nothing = np.zeros(0, np.int64)
    no_facts = np.zeros((0, 0), np.float32)
    rows = np.arange(actions)
    return Coding(every, none, NO_CHOOSERS, every, no_facts, 0, 0, rows, things, nothing, (), nothing)


@cache
def coding_of(game: KaGame, ruleset: str) -> Coding:
    """Of the game's things, as observed under a ruleset."""
    things = game.room("things").things_of(ruleset)
    chooser = np.where(things.thing >= 0, things.chooser[things.thing], NOTHING)
    counts = np.where(chooser >= 0, things.choosers[chooser, 1] if len(things.choosers) else 1, 1)
    base = np.cumsum(counts) - counts
    column = np.repeat(np.arange(len(counts)), counts)
    assert len(column) <= MOST_FEATURES
    choice = np.arange(len(column)) - base[column]
    thing, zone = things.thing[column], things.zone[column]
    about = np.flatnonzero(thing >= 0)
    rows = things.row[thing[about]] + choice[about] * things.step[thing[about]]
    alike, place = _alike(zone[about], rows)
    return Coding(
        *(base, chooser, things.choosers, column, things.facts, int(zone.max()) + 1, int(things.verb.max()) + 1),
        _policy_rows(things.named, things.chooser, things.verb),
        (things.named, things.verb, thing, zone, things.row, things.chooser, things.step),
        *(about, alike, place),
    )


def _alike(zone: np.ndarray, rows: np.ndarray) -> tuple[tuple[tuple[np.ndarray, np.ndarray], ...], np.ndarray]:
    """The zones in tables of equal length, so that each table is one product; and where each row is in them."""
    count = np.bincount(zone)
    order = np.argsort(zone, kind="stable")
    ends = np.cumsum(count)
    found, place, at = [], np.empty(len(zone), np.int64), 0
    for size in np.unique(count):
        zones = np.flatnonzero(count == size)
        which = np.stack([order[ends[z] - size : ends[z]] for z in zones])
        found.append((zones, rows[which]))
        place[which.ravel()] = at + np.arange(which.size)
        at += which.size
    return tuple(found), place


def _policy_rows(named: np.ndarray, chooser: np.ndarray, verb: np.ndarray) -> np.ndarray:
    """A row for each action; those that name a thing that is another one in another deck share their verb's."""
    shared = (named >= 0) & (chooser[named] >= 0)
    labels = np.where(shared, len(named) + verb, np.arange(len(named)))
    return np.unique(labels, return_inverse=True)[1].astype(np.int64)


@cache
def with_advice(coding: Callable[..., Coding], *facts: Any) -> Coding:
    """The coding of these facts, and after its features one for each action that may be advised."""
    plain = coding(*facts)
    named, verb, thing, zone, *rest = plain.things
    extra = np.arange(len(named))
    nothing = np.full(len(named), NOTHING)
    things = (named, verb, np.concatenate([thing, nothing]), np.concatenate([zone, nothing]), *rest)
    column = np.concatenate([plain.column, len(plain.base) + extra])
    assert len(column) <= MOST_FEATURES
    return plain._replace(column=column, things=things)


def coding_for(network: str, game: KaGame, ruleset: str, advised: bool) -> Coding:
    """Of a kind of network."""
    coding: Callable[..., Coding]
    facts: tuple[Any, Any]
    if network == "entity":
        coding, facts = coding_of, (game, ruleset)
    else:
        coding, facts = plain_coding, (game.observation_size(ruleset), game.num_actions)
    return with_advice(coding, *facts) if advised else coding(*facts)
