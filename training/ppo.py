"""Masked PPO on the batch engine: collect, judge, improve. The story of one update, top to bottom."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import numpy as np
import torch

from ka_env.agents import sparse
from ka_env.training.arena.seeds import seed_of
from ka_env.training.config import Config
from ka_env.training.league import League
from ka_env.training.networks import Leaves, frozen, make_network, playable, start_from
from ka_env.training.players import make_players
from ka_env.training.rollout import Rows, advantages, joined, outcomes


class FastTrainer:
    """The learner: network, optimiser, league and the games under way."""

    name = "fast"

    def __init__(self, config: Config) -> None:
        self.config = config
        torch.set_num_threads(1)  # its own threads wait for each other by spinning: ours share each step out instead
        self._pool = ThreadPoolExecutor(config.threads, initializer=torch.set_num_threads, initargs=(1,))
        torch.manual_seed(seed_of("network", config.seed))
        self.net = make_network(config)
        self._parameters = list(self.net.parameters())
        folded = self.net.body.folded
        self._direct = [p for name, p in self.net.body.named_parameters() if not name.startswith(folded)]
        self._direct += [*self.net.policy.parameters(), *self.net.value.parameters()]
        self.optimizer = torch.optim.Adam(self._parameters, lr=config.learning_rate, eps=1e-5)
        if config.start:
            start_from(config.start, config, self.net.arrays())
        self.player = playable(self.net.arrays(), config, config.threads)
        self.league = League(config)
        self.players = make_players(config, self.league)
        self.rng = np.random.default_rng(seed_of("minibatches", config.seed))
        self.steps = self.updates = 0

    def update(self, progress: float) -> dict[str, float]:
        """One update; `progress` goes from 0 to 1 over the run. Returns what there is to know about it."""
        began = time.perf_counter()
        self.league.choose_active(self.rng)
        parts = self.players.collect(self.player, self.config.rollout, self.advice_weight > 0)
        searching = {"seconds_searching": self.players.seconds_searching} if self.config.search_share else {}
        self.league.forget()
        for result in self.players.results():
            self.league.record(*result)
        played = time.perf_counter()
        facts = self.learn(parts, progress)
        self.updates += 1
        ended = time.perf_counter()
        return facts | {
            "games": self.players.finished,
            "seconds": ended - began,
            "seconds_playing": played - began,
            **searching,
        }

    def add_snapshot(self, label: str) -> None:
        self.league.add_snapshot(frozen(self.player), label, self.players.in_play)

    @property
    def advice_weight(self) -> float:
        """How much the teacher's advice counts: less and less."""
        config = self.config
        fades = 1 - self.steps / config.imitate_steps if config.imitate and config.imitate_steps else 0.0
        return config.imitate_weight * max(0.0, fades)

    def learn(self, parts: list[Rows], progress: float) -> dict[str, float]:
        """From rows of one or more players."""
        config = self.config
        judged = [advantages(one, config.gamma, config.gae_lambda) for one in parts]
        gain, targets = (np.concatenate(some) for some in zip(*judged))
        real = np.concatenate([outcomes(one) for one in parts])
        rows = joined(parts)
        closed = np.flatnonzero(~rows.open)
        searched = rows.searched
        drawn = closed[~searched[closed]]  # decisions of the policy itself: others have no advantages
        if drawn.size:
            gain = (gain - gain[drawn].mean()) / (gain[drawn].std() + 1e-8)
        gain[searched] = 0
        widest = int(rows.masks.sum(axis=1).max())
        rate = config.learning_rate + progress * (config.learning_rate_end - config.learning_rate)
        entropy_weight = config.entropy + progress * (config.entropy_end - config.entropy)
        weights = (entropy_weight, self.advice_weight)
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        pieces = max(1, len(closed) // config.minibatch)
        facts: dict[str, list[float]] = {}
        stopped = False
        for _ in range(config.epochs):
            for which in np.array_split(self.rng.permutation(closed), pieces):
                legal = np.empty((len(which), widest), np.int16)
                sparse.list_legal(rows.masks, which, legal)
                one = self._step(rows, which, legal, gain[which], targets[which], *weights)
                for name, value in one.items():
                    facts.setdefault(name, []).append(value)
                stopped = 0 < config.target_kl < one["kl"]
                if stopped:
                    break
            if stopped:
                break
        self.steps += len(closed)
        self.player.refresh()
        return {
            **_means(facts),
            "explained_variance": explained(targets[closed], rows.estimates[closed]),
            "explained_outcomes": explained(real[closed], rows.estimates[closed]),
            "learning_rate": rate,
            "entropy_weight": entropy_weight,
        }

    def _step(
        self,
        rows: Rows,
        which: np.ndarray,
        legal: np.ndarray,
        gain: np.ndarray,
        targets: np.ndarray,
        entropy_weight: float,
        advice_weight: float,
    ) -> dict[str, float]:
        """One gradient step. Each thread works on its share of the rows; torch itself is kept to one thread."""
        made = self.net.body.leaves()
        leaves = {name: tensor.detach().requires_grad_() for name, tensor in made.items()}
        wanted = [*leaves.values(), *self._direct]

        def part(span: slice) -> tuple[tuple[torch.Tensor, ...], dict[str, float]]:
            share = (span.stop - span.start) / len(which)
            loss, facts = self._loss(
                leaves, rows, which[span], legal[span], gain[span], targets[span], entropy_weight, advice_weight
            )
            return torch.autograd.grad(loss * share, wanted), {k: v * share for k, v in facts.items()}

        edges = np.linspace(0, len(which), self.config.threads + 1).astype(int)
        spans = [slice(int(a), int(b)) for a, b in pairwise(edges) if b > a]
        parts = list(self._pool.map(part, spans)) if len(spans) > 1 else [part(spans[0])]
        gradients = [sum(several[1:], several[0]) for several in zip(*(found for found, _ in parts))]
        self.optimizer.zero_grad()
        for parameter, gradient in zip(self._direct, gradients[len(leaves) :]):
            parameter.grad = gradient
        torch.autograd.backward(list(made.values()), gradients[: len(leaves)])
        torch.nn.utils.clip_grad_norm_(self._parameters, self.config.max_gradient)
        self.optimizer.step()
        return {name: sum(facts[name] for _, facts in parts) for name in parts[0][1]}

    def _loss(
        self,
        leaves: Leaves,
        rows: Rows,
        which: np.ndarray,
        legal: np.ndarray,
        gain: np.ndarray,
        targets: np.ndarray,
        entropy_weight: float,
        advice_weight: float,
    ) -> tuple[torch.Tensor, dict[str, float]]:
        config = self.config
        logits, values = self.net.judge(leaves, rows, which, legal)
        log_probabilities = torch.log_softmax(logits, dim=1)
        chosen = torch.from_numpy((legal == rows.actions[which][:, None]).argmax(axis=1))
        logp = log_probabilities.gather(1, chosen[:, None])[:, 0]
        change = logp - torch.from_numpy(rows.logps[which])
        ratio = change.exp()
        a = torch.from_numpy(gain)
        policy_loss = -torch.min(ratio * a, ratio.clamp(1 - config.clip, 1 + config.clip) * a).mean()
        value_loss = (values - torch.from_numpy(targets)).square().mean()
        there = torch.from_numpy(legal >= 0)
        finite = log_probabilities.masked_fill(~there, 0)
        entropy = -(log_probabilities.exp() * finite).sum(1)
        drawn = torch.from_numpy(~rows.improved[which].any(axis=1))  # by the policy; the others by a search
        loss = policy_loss + config.value_weight * value_loss - entropy_weight * (entropy * drawn).mean()
        facts = {}
        if rows.improved.shape[1]:
            better = torch.from_numpy(improved_of(rows, which, legal))
            gap = torch.special.xlogy(better, better).sum(1) - (better * finite).sum(1)  # Kullback and Leibler's
            loss = loss + config.search_weight * gap.mean()
            alike = (log_probabilities.argmax(1) == better.argmax(1)) & ~drawn
            facts = {"searched": (~drawn).float().mean().item(), "search_kl": gap.mean().item()}
            facts["search_agreement"] = alike.float().mean().item()
        if advice_weight:
            given = torch.from_numpy(rows.advice[which] >= 0)  # not in games begun before there was a teacher
            advised = torch.from_numpy((legal == rows.advice[which][:, None]).argmax(axis=1))
            followed = log_probabilities.gather(1, advised[:, None])[:, 0][given]
            loss = loss - advice_weight * followed.sum() / len(which)
            facts["agreement"] = (log_probabilities.argmax(1) == advised).float().mean().item()
        with torch.no_grad():
            own = drawn.sum().clamp(min=1)
            kl = (((ratio - 1) - change) * drawn).sum() / own
            clipped = (((ratio - 1).abs() > config.clip) & drawn).sum() / own
        return loss, facts | {
            "policy_loss": policy_loss.item(),
            "value_loss": value_loss.item(),
            "entropy": entropy.mean().item(),
            "kl": kl.item(),
            "clipped": clipped.item(),
        }

    def close(self) -> None:
        """Let go of everything outside this process."""
        self.players.close()

    # ---- keeping it

    def facts(self) -> dict[str, Any]:
        return {
            "steps": self.steps,
            "updates": self.updates,
            "rng": self.rng.bit_generator.state,
            "league": self.league.facts(),
            "players": self.players.facts(),
        }

    def arrays(self) -> dict[str, np.ndarray]:
        found = {f"net.{name}": array for name, array in self.net.arrays().items()}
        found |= self.players.arrays()
        return found | self.league.arrays()

    def optimizer_state(self) -> dict[str, Any]:
        return self.optimizer.state_dict()

    def restore(self, facts: dict[str, Any], arrays: dict[str, np.ndarray], optimizer: dict[str, Any]) -> None:
        self.steps, self.updates = facts["steps"], facts["updates"]
        self.rng.bit_generator.state = facts["rng"]
        for name, own in self.net.arrays().items():
            own[...] = arrays[f"net.{name}"]
        self.player.refresh()
        self.optimizer.load_state_dict(optimizer)
        self.league.restore(facts["league"], arrays, self.player)
        self.players.restore(facts["players"], arrays)


def improved_of(rows: Rows, which: np.ndarray, legal: np.ndarray) -> np.ndarray:
    """The improved policies of some rows over their legal actions, as listed."""
    found = np.take_along_axis(rows.improved[which], np.maximum(legal, 0).astype(np.int64), axis=1)
    found[legal < 0] = 0
    return found


def _means(facts: dict[str, list[float]]) -> dict[str, float]:
    """Over the steps of an update; what is told of searched decisions is the mean of those alone."""
    found = {name: float(np.mean(values)) for name, values in facts.items()}
    for name in ("search_kl", "search_agreement"):
        if name in found:
            found[name] /= max(1e-8, found["searched"])
    return found


def explained(real: np.ndarray, estimates: np.ndarray) -> float:
    """The share of the variance of what is known of `real` that the estimates explain; 0 if nothing is known."""
    known = np.isfinite(real)
    if not known.any():
        return 0.0
    return float(1 - np.var(real[known] - estimates[known]) / (np.var(real[known]) + 1e-8))
