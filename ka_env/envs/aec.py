"""The PettingZoo AEC environment: a batch of one game.

`env()` is wrapped as PettingZoo's own classic games are: an illegal move ends the game and costs its player 1.
`raw_env()` is bare and fast: an illegal move raises IllegalMove and changes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from ka_env import plain
from ka_env.engine.batch import BatchEngine
from ka_env.games import DEFAULT_RULESET, copy_records, game_of
from ka_env.luck import fresh_seed
from ka_env.match import MatchEngine

AGENTS = ["player_0", "player_1"]
RENDER_MODES = ["ansi", "human", "rgb_array"]


def observation_box(size: int) -> spaces.Box:
    """Nearly all numbers lie between -1 and 1; some may go beyond."""
    return spaces.Box(-128.0, 128.0, (size,), np.float32)


def check_render_mode(mode: str | None, modes: Sequence[str] = RENDER_MODES) -> None:
    if mode is not None and mode not in modes:
        raise ValueError(f"unknown render_mode {mode!r}: expected one of {', '.join(modes)} or None")


class raw_env(AECEnv):
    """One game for two agents, `player_0` and `player_1`; the same agent may decide several times in a row.

    Observations are dicts: `observation` (float32) and `action_mask` (int8; zeros for the agent that isn't deciding).
    The reward is 1 for the winner and -1 for the loser when the game ends, 0 for a draw and before. With `match`
    (`best3`, `half27x2`, …: see ka_env/match.py) it is a series of games, and the reward is that of the match.
    """

    metadata: dict[str, Any] = {
        "name": "ka_v0",
        "render_modes": RENDER_MODES,
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(
        self,
        ruleset: str = DEFAULT_RULESET,
        frame: str | None = None,
        deck0: Any = None,
        deck1: Any = None,
        render_mode: str | None = None,
        match: str | None = None,
    ) -> None:
        super().__init__()
        check_render_mode(render_mode)
        self.render_mode = render_mode
        self.metadata = {**self.metadata, "name": f"{game_of(ruleset).name}_{ruleset}_v0"}
        self.engine: Any = (
            BatchEngine(ruleset, frame, 1, fresh_seed(), deck0=deck0, deck1=deck1)
            if match is None
            else MatchEngine(match, ruleset, frame, fresh_seed(), deck0, deck1)
        )
        self._fresh = True
        self._seen: np.ndarray | None = None  # by the decider, until somebody takes it
        self._viewers = {agent: np.array([player], np.int8) for player, agent in enumerate(AGENTS)}
        self.possible_agents = AGENTS[:]
        self.agents = AGENTS[:]
        mask = spaces.Box(0, 1, (self.engine.num_actions,), np.int8)
        box = observation_box(self.engine.observation_size)
        self.observation_spaces = {a: spaces.Dict({"observation": box, "action_mask": mask}) for a in AGENTS}
        self.action_spaces = {a: spaces.Discrete(self.engine.num_actions) for a in AGENTS}
        self.state_space = spaces.Box(0, 255, (self.engine.games.dtype.itemsize,), np.uint8)

    def observation_space(self, agent: str) -> spaces.Space:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space:
        return self.action_spaces[agent]

    @property
    def game(self) -> Any:
        """The game as a readable `Game` (a copy)."""
        return self.engine.game(0)

    def reset(self, seed: int | None = None, options: dict | None = None) -> None:
        if seed is not None or not self._fresh:
            self.engine.reset(seed)
        self._fresh = False
        self._seen = None
        self.agents = AGENTS[:]
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self._publish()

    def _publish(self) -> None:
        """Whose move it is, and both masks, which observations and infos share."""
        decider = int(self.engine.to_play[0])
        first, second = AGENTS
        self._masks = {
            first: np.zeros(self.engine.num_actions, np.int8),
            second: np.zeros(self.engine.num_actions, np.int8),
        }
        if decider >= 0:
            self.agent_selection = AGENTS[decider]
            self._masks[self.agent_selection][:] = self.engine.action_mask[0]
        self.infos = {first: {"action_mask": self._masks[first]}, second: {"action_mask": self._masks[second]}}
        if decider < 0:
            for info in self.infos.values():
                info.update(facts_of_game(self.engine, 0))

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        if agent == self.agent_selection and self._seen is not None:
            observation, self._seen = self._seen, None
        else:
            observation = self.engine.observe(players=self._viewers[agent])[0]
        return {"observation": observation, "action_mask": self._masks[agent]}

    def state(self) -> np.ndarray:
        """The full position: the bytes of the game's record, without its random numbers."""
        record = copy_records(self.engine.games)
        record["rng"] = 0
        return record.view(np.uint8)

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._seen = self.engine.step_one(action)
        self._cumulative_rewards[agent] = 0.0
        if self.engine.done[0]:
            self._seen = None  # nobody decides any more, but both may look
            for player, name in enumerate(AGENTS):
                self.rewards[name] = float(self.engine.rewards[0, player])
                self.terminations[name] = True
            self._accumulate_rewards()
        self._publish()
        if self.render_mode == "human":
            self.render()

    def render(self) -> Any:
        if self.render_mode is None:
            return None
        return render_game(self.game, self.render_mode)

    def close(self) -> None:
        pass


def facts_of_game(engine: BatchEngine, i: int) -> dict[str, np.ndarray]:
    """What the infos of game i, which is over, tell besides the result."""
    return {name: values[0] for name, values in engine.facts_of(np.array([i])).items()}


def render_game(game: Any, mode: str) -> Any:
    """A board as text (`ansi`, printed for `human`) or as a picture (`rgb_array`)."""
    board = game.about.room("board", plain)
    if mode == "rgb_array":
        return board.board_image(game)
    text = board.board_text(game)
    if mode == "ansi":
        return text
    print(text, flush=True)
    return None


def env(**options: Any) -> AECEnv:
    """The environment for everyday use; takes the options of `raw_env`."""
    wrapped: Any = raw_env(**options)
    wrapped = wrappers.TerminateIllegalWrapper(wrapped, illegal_reward=-1)
    wrapped = wrappers.AssertOutOfBoundsWrapper(wrapped)
    return wrappers.OrderEnforcingWrapper(wrapped)
