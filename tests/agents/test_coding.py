"""What networks see of an observation."""

import numpy as np
import pytest

from ka_env import BatchEngine
from ka_env.agents.coding import level_coding
from ka_env.agents.nets import LevelNet, make_card
from ka_env.engine.things import columns_of
from ka_env.games import Setup

SETUPS = [Setup.parse(text) for text in ("8.0-lite/entry20", "6.1-std/full54", "8.0-mast/full54", "base/random")]
WHERE = {"own_piles", "enemy_piles"}  # their levels tell the pile of a card, not how deep it lies


def seen_in_play(setup):
    """Observations and masks of random games."""
    engine = BatchEngine(setup.ruleset, setup.frame, num_games=64, seed=1)
    rng = np.arange(1, 65, dtype=np.uint64)
    for turn in range(200):
        engine.step(engine.random_actions(rng))
        engine.reset_done()
        if turn % 20 == 19:
            yield engine.observe().copy(), engine.action_mask


def features_of(setup, observations, masks):
    """Dense."""
    net = LevelNet({}, make_card(setup.ruleset, {"kind": "levels", "hidden": [4]}))
    net.arrays = {name: np.zeros(shape, np.float32) for name, shape in net.shapes().items()}
    kept = net.judged_and_kept(observations, masks)[3]
    out = np.zeros((len(observations), net.coding.features), np.float32)
    out[np.repeat(np.arange(len(out)), kept.lengths), kept.features] = kept.amounts
    return out


@pytest.mark.parametrize("setup", SETUPS, ids=lambda setup: setup.label)
def test_levels_are_the_whole_numbers_that_columns_tell(setup):
    coding, sections = level_coding(setup.game, setup.ruleset), setup.game.sections(setup.ruleset)
    piles = [columns_of(sections, section.name) for section in sections if section.name in WHERE]
    exact = np.setdiff1d(np.flatnonzero(coding.levels.many), np.concatenate([[], *piles]))
    expected = np.zeros((1, coding.features), np.float32)
    met = 0
    for observations, masks in seen_in_play(setup):
        numbers = observations[:, exact] * coding.levels.grain[exact]
        np.testing.assert_allclose(numbers, np.round(numbers), atol=1e-3)
        expected = np.zeros((len(observations), coding.features), np.float32)
        expected[:, coding.base] = observations
        rows, which = np.nonzero(numbers)
        columns = exact[which]
        place = np.round(numbers[rows, which]).astype(int) - coding.levels.low[columns]
        level = coding.base[columns] + 1 + np.clip(place, 0, coding.levels.many[columns] - 1)
        expected[rows, level] = 1
        here = np.isin(coding.column, np.concatenate([[], *piles]), invert=True)
        np.testing.assert_array_equal(features_of(setup, observations, masks)[:, here], expected[:, here])
        met += len(set(level.tolist()))
    assert met > 300


def test_levels_of_piles_tell_where_a_card_lies():
    setup = SETUPS[1]
    coding, sections = level_coding(setup.game, setup.ruleset), setup.game.sections(setup.ruleset)
    for observations, masks in seen_in_play(setup):
        found = features_of(setup, observations, masks)
        for name, piles in (
            ("own_piles", (lambda x: x < 0, lambda x: x > 0)),  # field, grave
            ("enemy_piles", (lambda x: x < 0, lambda x: (x > 0) & (x < 0.5), lambda x: x >= 0.5)),  # and life
        ):
            columns = columns_of(sections, name)
            for number, there in enumerate(piles):
                level = found[:, coding.base[columns] + 1 + number]
                np.testing.assert_array_equal(level == 1, there(observations[:, columns]))
