"""Masked PPO on the batch engine: collect, judge, improve. The story of one update, top to bottom."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import torch

from ka_env.agents import sparse
from ka_env.training.adam import Adam
from ka_env.training.arena.seeds import seed_of
from ka_env.training.config import Config
from ka_env.training.league import League
from ka_env.training.networks import Leaves, frozen, make_network, playing_as_it_learns, start_from
from ka_env.training.players import make_players
from ka_env.training.rollout import Rows, advantages, joined, outcomes
from ka_env.training.team import Team, make_team, padded

SEARCHED = ("searched", "search_kl", "search_agreement")
# of a gradient step
FACTS = ("policy_loss", "value_loss", "auxiliary_loss", "entropy", "kl", "clipped", "agreement", *SEARCHED)


class FastTrainer:
    """The learner: network, optimiser, league and the games under way."""

    name = "fast"

    def __init__(self, config: Config, team: Team | None = None) -> None:
        self.config = config
        torch.set_num_threads(1)  # more cores are used by more processes
        torch.manual_seed(seed_of("network", config.seed))
        self.net = make_network(config)
        if config.start:
            start_from(config.start, config, self.net.arrays())
        parameters = list(self.net.parameters())
        self.team = team or make_team(config, sum(padded(p.numel()) for p in parameters))
        lay_out(parameters, self.team)
        self.adam = Adam(self.team, config.max_gradient)
        self.player = playing_as_it_learns(self.net, config)
        self.league = League(config)
        self.players = make_players(config, self.league, self.team)
        self.rng = np.random.default_rng(seed_of("minibatches", config.seed))  # the same for all members
        self.order = np.random.default_rng(seed_of("rows", config.seed, self.team.rank))
        self.steps = self.updates = 0
        self._forward = self._backward = 0.0

    def update(self, progress: float) -> dict[str, float]:
        """One update; `progress` goes from 0 to 1 over the run. Returns what there is to know about it."""
        self.team.tell("update", progress)
        began = time.perf_counter()
        self.league.choose_active(self.rng)
        parts = self.players.collect(self.player, self.config.rollout, self.advice_weight > 0)
        searching = {"seconds_searching": self.players.seconds_searching} if self.config.search_share else {}
        self.league.forget()
        told = self.team.gather((self.players.results(), self.players.finished))
        for result in (result for results, _ in told for result in results):
            self.league.record(*result)
        played = time.perf_counter()
        self._forward = self._backward = 0.0  # seconds
        facts = self.learn(parts, progress)
        self.updates += 1
        ended = time.perf_counter()
        return facts | {
            "games": sum(finished for _, finished in told),
            "seconds": ended - began,
            "seconds_playing": played - began,
            "seconds_forward": self._forward,
            "seconds_backward": self._backward,
            **searching,
        }

    def add_snapshot(self, label: str) -> None:
        self.team.tell("add_snapshot", label)
        in_play = set().union(*self.team.gather(self.players.in_play))
        self.league.add_snapshot(frozen(self.player), label, in_play)

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
        drawn = gain[closed[~searched[closed]]].astype(np.float64)  # by the policy itself: others have no advantages
        widest = int(rows.masks.sum(axis=1).max())
        own = (len(closed), len(drawn), drawn.sum(), (drawn**2).sum(), widest)
        counts, numbers, sums, squares, widths = zip(*self.team.gather(own))
        mean = sum(sums) / max(1, sum(numbers))
        spread = np.sqrt(max(0.0, sum(squares) / max(1, sum(numbers)) - mean**2))
        gain = ((gain - mean) / (spread + 1e-8)).astype(np.float32)
        gain[searched] = 0
        rate = config.learning_rate + progress * (config.learning_rate_end - config.learning_rate)
        entropy_weight = config.entropy + progress * (config.entropy_end - config.entropy)
        weights = (entropy_weight, self.advice_weight)
        pieces = max(1, sum(counts) // config.minibatch)
        all_rows = np.sum([_sizes(count, pieces) for count in counts], axis=0)
        facts: list[dict[str, float]] = []
        stopped = False
        for _ in range(config.epochs):
            for number, which in enumerate(np.array_split(self.order.permutation(closed), pieces)):
                legal = np.empty((len(which), max(widths)), np.int16)
                sparse.list_legal(rows.masks, which, legal)
                share = len(which) / all_rows[number]
                facts.append(self._gradient(rows, which, legal, gain[which], targets[which], share, *weights))
                self.adam.step(rate)
                stopped = 0 < config.target_kl < facts[-1]["kl"]
                if stopped:
                    break
            if stopped:
                break
        self.steps += sum(counts)
        self.player.refresh()
        known = {
            "explained_variance": explained(targets[closed], rows.estimates[closed]),
            "explained_outcomes": explained(real[closed], rows.estimates[closed]),
        }
        several = self.team.gather(known)
        asked = {"agreement": self.advice_weight, "auxiliary_loss": config.auxiliary_weight}
        asked |= dict.fromkeys(SEARCHED, config.search_share)
        return {
            **_means(facts, [name for name in FACTS if asked.get(name, 1)]),
            **{name: float(np.average([one[name] for one in several], weights=counts)) for name in known},
            "learning_rate": rate,
            "entropy_weight": entropy_weight,
        }

    def _gradient(
        self,
        rows: Rows,
        which: np.ndarray,
        legal: np.ndarray,
        gain: np.ndarray,
        targets: np.ndarray,
        share: float,
        entropy_weight: float,
        advice_weight: float,
    ) -> dict[str, float]:
        """The gradient of our share of the rows; returns facts of the whole."""
        self.team.gradient[:] = 0
        facts = dict.fromkeys(FACTS, 0.0)
        if len(which):
            began = time.perf_counter()
            leaves = self.net.body.leaves()
            loss, found = self._loss(leaves, rows, which, legal, gain, targets, entropy_weight, advice_weight)
            judged = time.perf_counter()
            (loss * share).backward()
            self._forward += judged - began
            self._backward += time.perf_counter() - judged
            facts |= {name: share * value for name, value in found.items()}
        several = self.team.gather(facts)
        return {name: sum(one[name] for one in several) for name in FACTS}

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
        logits, values, foreseen = self.net.judge(leaves, rows, which, legal)
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
        if foreseen is not None:
            real = torch.from_numpy(rows.outlook[which])
            off = (foreseen - real.nan_to_num()).square() * real.isfinite()
            loss = loss + config.auxiliary_weight * off.sum(1).mean()
            facts["auxiliary_loss"] = off.sum(1).mean().item()
        if rows.improved.shape[1]:
            better = torch.from_numpy(improved_of(rows, which, legal))
            gap = torch.special.xlogy(better, better).sum(1) - (better * finite).sum(1)  # Kullback and Leibler's
            loss = loss + config.search_weight * gap.mean()
            alike = (log_probabilities.argmax(1) == better.argmax(1)) & ~drawn
            facts |= {"searched": (~drawn).float().mean().item(), "search_kl": gap.mean().item()}
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
        self.team.close()

    # ---- keeping it

    def facts(self) -> dict[str, Any]:
        self.team.tell("facts")
        own = {"order": self.order.bit_generator.state, "players": self.players.facts()}
        return {
            "steps": self.steps,
            "gradient_steps": self.adam.steps,
            "updates": self.updates,
            "rng": self.rng.bit_generator.state,
            "league": self.league.facts(),
            "members": self.team.gather(own),
        }

    def arrays(self) -> dict[str, np.ndarray]:
        self.team.tell("arrays")
        found = {f"net.{name}": array for name, array in self.net.all_arrays().items()}
        for own in self.team.gather(self.players.arrays() | self._moments):
            found |= own
        return found | self.league.arrays()

    @property
    def _moments(self) -> dict[str, np.ndarray]:
        return {f"adam.{self.team.rank}.{name}": getattr(self.adam, name) for name in ("mean", "square")}

    def optimizer_state(self) -> dict[str, Any]:
        return {}

    def restore(self, facts: dict[str, Any], arrays: dict[str, np.ndarray], optimizer: dict[str, Any]) -> None:
        self.team.tell("restore", facts, arrays, optimizer)
        self.steps, self.updates = facts["steps"], facts["updates"]
        self.rng.bit_generator.state = facts["rng"]
        for name, weights in self.net.all_arrays().items():
            weights[...] = arrays[f"net.{name}"]
        self.player.refresh()
        self.adam.steps = facts["gradient_steps"]
        for name, moment in self._moments.items():
            moment[...] = arrays[name]
        self.league.restore(facts["league"], arrays, self.player)
        own = facts["members"][self.team.rank]
        self.order.bit_generator.state = own["order"]
        self.players.restore(own["players"], arrays)


def lay_out(parameters: list[torch.nn.Parameter], team: Team) -> None:
    """Into the team's memory; the captain's weights are everybody's."""
    at = 0
    for parameter in parameters:
        place = slice(at, at + parameter.numel())
        if team.rank == 0:
            team.weights[place] = parameter.detach().numpy().ravel()
        parameter.data = torch.from_numpy(team.weights[place]).view_as(parameter)
        parameter.grad = torch.from_numpy(team.gradient[place]).view_as(parameter)
        at += padded(parameter.numel())


def _sizes(count: int, pieces: int) -> np.ndarray:
    """Of the pieces that np.array_split makes of so many rows."""
    return count // pieces + (np.arange(pieces) < count % pieces)


def improved_of(rows: Rows, which: np.ndarray, legal: np.ndarray) -> np.ndarray:
    """The improved policies of some rows over their legal actions, as listed."""
    found = np.take_along_axis(rows.improved[which], np.maximum(legal, 0).astype(np.int64), axis=1)
    found[legal < 0] = 0
    return found


def _means(facts: list[dict[str, float]], names: list[str]) -> dict[str, float]:
    """Over the steps of an update; what is told of searched decisions is the mean of those alone."""
    found = {name: float(np.mean([one[name] for one in facts])) for name in names}
    for name in SEARCHED[1:]:
        if name in found:
            found[name] /= max(1e-8, found["searched"])
    return found


def explained(real: np.ndarray, estimates: np.ndarray) -> float:
    """The share of the variance of what is known of `real` that the estimates explain; 0 if nothing is known."""
    known = np.isfinite(real)
    if not known.any():
        return 0.0
    return float(1 - np.var(real[known] - estimates[known]) / (np.var(real[known]) + 1e-8))
