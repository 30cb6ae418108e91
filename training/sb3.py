"""Training with sb3-contrib's MaskablePPO on DuelVecEnv, in the same league and with the same network."""

from __future__ import annotations

import time
from collections.abc import Sequence
from itertools import chain
from typing import Any, cast

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import Logger
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from stable_baselines3.common.vec_env import VecEnv, VecEnvWrapper

from ka_env.agents.policy_agent import PolicyAgent
from ka_env.envs.sb3 import DuelVecEnv
from ka_env.errors import KaError
from ka_env.training.arena.seeds import seed_of
from ka_env.training.config import Config
from ka_env.training.league import LEARNER, League, under
from ka_env.training.masked import LeanMaskablePolicy
from ka_env.training.networks import frozen, make_body, playable, shared_arrays, start_from
from ka_env.training.rollout import within


class BodyExtractor(BaseFeaturesExtractor):
    """Our network's body in SB3's place for it; SB3 adds the two heads."""

    def __init__(self, observation_space: Any, config: Config) -> None:
        body = make_body(config)
        super().__init__(observation_space, body.features)
        self.body = body

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        return self.body(observations)


class JoinedVecEnv(VecEnv):
    """Several vector environments of the same spaces as one: one for each set of rules."""

    def __init__(self, envs: Sequence[DuelVecEnv]) -> None:
        self.envs, self.render_mode = list(envs), None
        self.edges = np.cumsum([0, *(env.num_envs for env in envs)])
        super().__init__(int(self.edges[-1]), envs[0].observation_space, envs[0].action_space)

    def _parts(self, rows: np.ndarray) -> list[np.ndarray]:
        return [rows[a:b] for a, b in zip(self.edges, self.edges[1:])]

    def reset(self) -> np.ndarray:
        self.reset_infos = [{} for _ in range(self.num_envs)]
        return np.concatenate([env.reset() for env in self.envs])

    def step_async(self, actions: np.ndarray) -> None:
        for env, part in zip(self.envs, self._parts(actions)):
            env.step_async(part)

    def step_wait(self) -> Any:
        observations, rewards, dones, infos = zip(*(env.step_wait() for env in self.envs))
        return np.concatenate(observations), np.concatenate(rewards), np.concatenate(dones), list(chain(*infos))

    def action_masks(self) -> np.ndarray:
        return np.concatenate([env.action_masks() for env in self.envs])

    def close(self) -> None:
        pass

    def has_attr(self, attr_name: str) -> bool:
        return hasattr(self, attr_name)

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        return [getattr(self, attr_name)] * len(list(self._get_indices(indices)))

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        setattr(self, attr_name, value)

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any) -> list[Any]:
        if method_name == "action_masks":
            return list(self.action_masks())
        return [getattr(self, method_name)(*args, **kwargs)] * len(list(self._get_indices(indices)))

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        return self.envs[0].env_is_wrapped(wrapper_class) * len(self.envs)


class Timed(VecEnvWrapper):
    """Counts the seconds spent in the environment, opponents included."""

    seconds = 0.0

    def reset(self) -> Any:
        return self.venv.reset()

    def step_wait(self) -> Any:
        began = time.perf_counter()
        found = self.venv.step_wait()
        self.seconds += time.perf_counter() - began
        return found


class Sb3Trainer:
    """The learner: model, league and the games under way."""

    name = "sb3"

    def __init__(self, config: Config) -> None:
        self.config = config
        self._progress = 0.0
        self.steps = self.updates = 0
        torch.set_num_threads(config.threads)
        self.league = League(config)
        first = self.league.members[0]
        rules = config.setups()
        edges = np.linspace(0, config.games, len(rules) + 1).astype(int)
        self.tables = [
            DuelVecEnv(
                int(edges[i + 1] - edges[i]),
                one.ruleset,
                one.frame,
                opponent=first.agent,
                seed=seed_of("training", config.seed, i),
            )
            for i, one in enumerate(rules)
        ]
        self._timed = Timed(self.tables[0] if len(self.tables) == 1 else JoinedVecEnv(self.tables))
        self.model = MaskablePPO(
            LeanMaskablePolicy,
            self._timed,
            learning_rate=self._rate,
            n_steps=max(1, config.rollout // config.games),
            batch_size=config.minibatch,
            n_epochs=config.epochs,
            gamma=config.gamma,
            gae_lambda=config.gae_lambda,
            clip_range=config.clip,
            ent_coef=config.entropy,
            vf_coef=config.value_weight,
            max_grad_norm=config.max_gradient,
            target_kl=config.target_kl or None,
            policy_kwargs={
                "features_extractor_class": BodyExtractor,
                "features_extractor_kwargs": {"config": config},
                "net_arch": [],
            },
            seed=seed_of("network", config.seed) % 2**32,
        )
        policy: Any = self.model.policy
        self._arrays = shared_arrays(policy.features_extractor.body, policy.action_net, policy.value_net)
        if config.start:
            start_from(config.start, config, self._arrays)
        self.player = playable(self._arrays, config)
        self.player.threads = config.threads
        self._self = PolicyAgent(self.player, temperature=1.0)
        self.rng = np.random.default_rng(seed_of("opponents", config.seed))
        self._numbers = {
            id(self._self): LEARNER,
            id(first.agent): first.number,
        }  # agents as they are known to the league
        self._set_opponents()
        self._callback = _Results(self)
        _, callback = self.model._setup_learn(config.steps, self._callback, tb_log_name="")
        self.model.set_logger(Logger(None, []))
        self._playing = callback

    def _rate(self, _: float) -> float:
        config = self.config
        return config.learning_rate + self._progress * (config.learning_rate_end - config.learning_rate)

    def _set_opponents(self) -> None:
        """The pool for games to come, drawn by hardness; games under way keep their opponent but new random numbers."""
        self.league.choose_active(self.rng)
        drawn, counts = np.unique(self.league.draw(4096, self.rng), return_counts=True)
        agents = [self._self if n == LEARNER else self.league.members[n].agent for n in drawn]
        self._numbers |= {id(agent): int(n) for agent, n in zip(agents, drawn)}
        for env in self.tables:
            env.set_opponents(agents, counts.tolist())
            self._seed_opponents(env)

    def _seed_opponents(self, env: DuelVecEnv) -> None:
        seeds = self.rng.integers(2**64, size=env.num_envs, dtype=np.uint64)
        env.duels.begin_opponents(np.arange(env.num_envs), seeds)

    def opponents_of(self, env: DuelVecEnv) -> np.ndarray:
        """The member each game is played against, by number."""
        return np.array([self._numbers[id(agent)] for agent in env.duels.opponent_of_each()])

    # ---- the same face as FastTrainer

    def update(self, progress: float) -> dict[str, float]:
        began, in_env = time.perf_counter(), self._timed.seconds
        model = self.model
        self._progress, model.ent_coef = progress, self._entropy(progress)
        self._set_opponents()
        self._callback.start()
        env = cast(VecEnv, model.env)
        model.collect_rollouts(env, self._playing, model.rollout_buffer, model.n_steps, use_masking=True)
        self.league.forget()
        for number, scores in self._callback.results.items():
            self.league.record(number, sum(scores), len(scores))
        played = time.perf_counter()
        model.train()
        self.player.refresh()
        self.updates += 1
        self.steps += model.n_steps * model.n_envs
        logged = model.logger.name_to_value
        facts = {ours: float(logged[theirs]) for ours, theirs in _LOGGED.items() if theirs in logged}
        facts["entropy"] = -facts.pop("negative_entropy", 0.0)
        return facts | {
            "learning_rate": self._rate(0),
            "entropy_weight": model.ent_coef,
            "games": self._callback.games,
            "seconds": time.perf_counter() - began,
            "seconds_playing": played - began,
            "seconds_env": self._timed.seconds - in_env,
        }

    def _entropy(self, progress: float) -> float:
        return self.config.entropy + progress * (self.config.entropy_end - self.config.entropy)

    def add_snapshot(self, label: str) -> None:
        in_play = {int(n) for env in self.tables for n in np.unique(self.opponents_of(env))}
        self.league.add_snapshot(frozen(self.player), label, in_play)

    def close(self) -> None:
        pass

    def facts(self) -> dict[str, Any]:
        name, keys, *rest = cast(Any, np.random.get_state())
        return {
            "steps": self.steps,
            "updates": self.updates,
            "rng": self.rng.bit_generator.state,
            "numpy": [name, keys.tolist(), *rest],
            "tables": [env.duels.chances() for env in self.tables],
            "league": self.league.facts(),
        }

    def arrays(self) -> dict[str, np.ndarray]:
        found = {f"net.{name}": array for name, array in self._arrays.items()}
        found["torch_rng"] = torch.get_rng_state().numpy()
        found["starts"] = cast(np.ndarray, self.model._last_episode_starts)
        for i, env in enumerate(self.tables):
            found |= {f"table.{i}.{name}": array for name, array in env.duels.engine.snapshot()}
            found |= {f"table.{i}.seats": env.duels.seats, f"table.{i}.lengths": env.duels.lengths}
            found[f"table.{i}.opponents"] = self.opponents_of(env)
        return found | self.league.arrays()

    def optimizer_state(self) -> dict[str, Any]:
        return self.model.policy.optimizer.state_dict()

    def restore(self, facts: dict[str, Any], arrays: dict[str, np.ndarray], optimizer: dict[str, Any]) -> None:
        self.steps, self.updates = facts["steps"], facts["updates"]
        self.rng.bit_generator.state = facts["rng"]
        for name, own in self._arrays.items():
            own[...] = arrays[f"net.{name}"]
        self.player.refresh()
        self.model.policy.optimizer.load_state_dict(optimizer)
        self.model._n_updates = self.updates * self.config.epochs
        self.league.restore(facts["league"], arrays, self.player)
        for i, env in enumerate(self.tables):
            self._restore_table(env, under(arrays, f"table.{i}."), facts["tables"][i])
        self.model._last_obs = np.concatenate([env.duels.observe() for env in self.tables])
        self.model._last_episode_starts = arrays["starts"].astype(bool)
        np.random.set_state((facts["numpy"][0], np.array(facts["numpy"][1], np.uint32), *facts["numpy"][2:]))
        torch.set_rng_state(torch.from_numpy(arrays["torch_rng"].copy()))

    def _restore_table(self, env: DuelVecEnv, arrays: dict[str, np.ndarray], chances: list[dict[str, Any]]) -> None:
        duels = env.duels
        duels.engine.restore(arrays)
        duels.seats[...], duels.lengths[...] = arrays["seats"], arrays["lengths"]
        if not within(duels.seats, 0, 1):
            raise KaError("the games under way don't fit together: seats")
        numbers, which = np.unique(arrays["opponents"], return_inverse=True)
        agents = [self._self if n == LEARNER else self.league.members[int(n)].agent for n in numbers]
        self._numbers |= {id(agent): int(n) for agent, n in zip(agents, numbers)}
        duels.put_opponents(agents, which)
        duels.restore_chances(chances)


_LOGGED = {
    "policy_loss": "train/policy_gradient_loss",
    "value_loss": "train/value_loss",
    "negative_entropy": "train/entropy_loss",
    "kl": "train/approx_kl",
    "clipped": "train/clip_fraction",
    "explained_variance": "train/explained_variance",
}


class _Results(BaseCallback):
    """Who won against whom. The opponents are noted before each step: a finished game is dealt anew in it."""

    def __init__(self, trainer: Sb3Trainer) -> None:
        super().__init__()
        self.trainer = trainer
        self.start()

    def start(self) -> None:
        self.results: dict[int, list[float]] = {}
        self.games = 0
        self._note()

    def _note(self) -> None:
        tables = self.trainer.tables
        self._opponents = np.concatenate([self.trainer.opponents_of(env) for env in tables])

    def _on_step(self) -> bool:
        over = np.flatnonzero(self.locals["dones"])
        for i in over:
            number = int(self._opponents[i])
            if number != LEARNER:
                reward = float(self.locals["rewards"][i])
                self.results.setdefault(number, []).append((reward + 1) / 2)
        self.games += len(over)
        if len(over):
            self._note()
        return True
