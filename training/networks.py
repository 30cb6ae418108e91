"""Networks as they are trained (torch). Their weights have the names and shapes that ka_env.agents.nets plays with."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import torch
from torch import nn

from ka_env.agents import sparse
from ka_env.agents.coding import Coding
from ka_env.agents.nets import Compressed, PolicyNet, checked, make_card
from ka_env.engine.batch import BatchEngine
from ka_env.engine.net import NO_NET
from ka_env.training.arena.seeds import seed_of
from ka_env.training.config import Config, ConfigError
from ka_env.training.rollout import Rows, config_coding

COMMON = 0.25  # a feature that a larger share of the rows has goes into a matrix: what is dense is computed so
HEED = 3.0  # at first an advised action is e ** 3 times as likely as another
Leaves = dict[str, torch.Tensor]


class _Parted:
    """Some compressed rows: features that many of them have as a matrix, the others as lists."""

    def __init__(self, rows: Rows | Compressed, which: np.ndarray, features: int) -> None:
        counts = np.empty(features, np.int64)
        sparse.count_features(rows.starts, rows.features, which, counts)
        common = np.flatnonzero(counts > COMMON * len(which))
        place = np.full(features, -1)
        place[common] = np.arange(len(common))
        left = counts.sum() - counts[common].sum()
        dense = np.zeros((len(which), len(common)), np.float32)
        self.rest = (np.empty(len(which) + 1, np.int64), np.empty(left, np.int64), np.empty(left, np.float32))
        sparse.part_rows(rows.starts, rows.features, rows.amounts, which, place, dense, *self.rest)
        self.common, self.dense = torch.from_numpy(common), torch.from_numpy(dense)


class _First(torch.autograd.Function):
    """Compressed rows times a dense weight: a product of matrices for common features, one by one for the others."""

    @staticmethod
    def forward(ctx: Any, weight: Any, bias: Any, rows: Rows, which: np.ndarray) -> Any:
        ctx.parted, ctx.shape = _Parted(rows, which, len(weight)), weight.shape
        out = torch.addmm(bias, ctx.parted.dense, weight[ctx.parted.common])
        starts, features, amounts = ctx.parted.rest
        sparse.add_first_layer(starts, features, amounts, weight.detach().numpy(), out.numpy())
        return out

    @staticmethod
    def backward(ctx: Any, gradient: Any) -> Any:
        to_weight, gradient = torch.zeros(ctx.shape), gradient.contiguous()
        to_weight[ctx.parted.common] = ctx.parted.dense.T @ gradient
        starts, features, amounts = ctx.parted.rest
        sparse.first_layer_gradient(starts, features, amounts, gradient.numpy(), to_weight.numpy())
        return to_weight, gradient.sum(0), None, None


class _Last(torch.autograd.Function):
    """The logits of the legal actions only."""

    @staticmethod
    def forward(ctx: Any, hidden: Any, weight: Any, bias: Any, row: np.ndarray, legal: np.ndarray) -> Any:
        out = torch.empty(legal.shape)
        arrays = (hidden.detach().numpy(), row, weight.detach().numpy())
        sparse.last_layer(*arrays, bias.detach().numpy(), legal, out.numpy())
        ctx.save_for_backward(hidden, weight)
        ctx.row, ctx.legal = row, legal
        return out

    @staticmethod
    def backward(ctx: Any, gradient: Any) -> Any:
        hidden, weight = ctx.saved_tensors
        to_hidden, to_weight = torch.empty_like(hidden), torch.zeros_like(weight)
        to_bias = torch.zeros(len(weight))
        arrays = (hidden.detach().numpy(), ctx.row, weight.detach().numpy(), ctx.legal)
        found = (to_hidden.numpy(), to_weight.numpy(), to_bias.numpy())
        sparse.last_layer_gradient(*arrays, gradient.contiguous().numpy(), *found)
        return to_hidden, to_weight, to_bias, None, None


class _Point(torch.autograd.Function):
    """How well the things that legal actions name answer the queries."""

    @staticmethod
    def forward(ctx: Any, queries: Any, keys: Any, states: Any, net: Any, rows: Rows, which: Any, legal: Any) -> Any:
        out = torch.empty(legal.shape)
        net = net._replace(keys=keys.detach().numpy(), states=states.detach().numpy())
        seen = (rows.starts, rows.features, rows.amounts, rows.chosen)
        ctx.arrays = (net, seen, which, legal)
        ctx.save_for_backward(queries, keys, states)
        sparse.point(net, seen, which, queries.detach().numpy(), legal, out.numpy())
        return out

    @staticmethod
    def backward(ctx: Any, gradient: Any) -> Any:
        queries, keys, states = ctx.saved_tensors
        to_queries, to_keys, to_states = torch.empty_like(queries), torch.zeros_like(keys), torch.zeros_like(states)
        net, seen, which, legal = ctx.arrays
        found = (to_queries.numpy(), to_keys.numpy(), to_states.numpy())
        sparse.point_gradient(net, seen, which, queries.detach().numpy(), legal, gradient.contiguous().numpy(), *found)
        return to_queries, to_keys, to_states, None, None, None, None


class Layer(nn.Module):
    """Linear, with its weight laid out by input."""

    def __init__(self, inputs: int, outputs: int, gain: float = 2**0.5) -> None:
        super().__init__()
        weight = torch.empty(inputs, outputs)
        nn.init.orthogonal_(weight, gain)
        self.weight, self.bias = nn.Parameter(weight), nn.Parameter(torch.zeros(outputs))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x @ self.weight + self.bias


class Mlp(nn.Module):
    """Layers of ReLUs: from an observation to what the heads see."""

    def __init__(self, coding: Coding, hidden: tuple[int, ...]) -> None:
        super().__init__()
        self.coding, self.features = coding, hidden[-1]
        self.first = Layer(coding.rows, hidden[0])
        self.hidden = nn.ModuleList(Layer(a, b) for a, b in pairwise(hidden))

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        return self.rest(self.first(observations))

    def rest(self, x: torch.Tensor) -> torch.Tensor:
        x = torch.relu(x)
        for layer in self.hidden:
            x = torch.relu(layer(x))
        return x

    def leaves(self) -> Leaves:
        """What differs from the weights when rows are judged; `first.weight` is by feature."""
        return {"first.weight": self.first.weight}

    def points(
        self, leaves: Leaves, hidden: Any, rows: Rows | Compressed, which: Any, legal: Any
    ) -> torch.Tensor | None:
        """What the things that actions name add to their logits."""
        return None


class Entity(Mlp):
    """The same as ka_env.agents.nets.EntityNet."""

    def __init__(self, coding: Coding, hidden: tuple[int, ...], width: int, usual: np.ndarray) -> None:
        super().__init__(coding, hidden)
        self.facts = Layer(coding.facts.shape[1], width, 1.0)
        nn.init.normal_(self.facts.weight, std=0.5)
        self.scale = width**-0.5
        self.zones = nn.Parameter(torch.randn(coding.zones, width, hidden[0]) * 0.02 / self.scale)
        self.keys = Layer(width, width, 1.0 / self.scale)
        self.states = nn.Parameter(torch.randn(coding.zones, width) * 0.5)
        self.query = nn.Linear(hidden[-1], coding.verbs * width)
        nn.init.orthogonal_(self.query.weight, 0.01)
        nn.init.zeros_(self.query.bias)
        self.register_buffer("usual", torch.from_numpy(usual))
        self._facts = torch.from_numpy(coding.facts)
        self._alike = [(torch.from_numpy(zones), torch.from_numpy(rows)) for zones, rows in coding.alike]
        names = "named verb thing zone card card_chooser step".split()
        self._net = NO_NET._replace(**dict(zip(names, coding.things)))  # as much of it as tells of things
        with torch.no_grad():  # what a column means is chosen by the observation: nothing is to be had from it alone
            self.first.weight[torch.from_numpy(np.flatnonzero(coding.chooser >= 0))] = 0

    def leaves(self) -> Leaves:
        """The first layer's weights by feature, and the keys by row of facts: made anew for each gradient step."""
        coding = self.coding
        known = torch.relu(self.facts(self._facts)) * self.scale
        shared = torch.cat([torch.bmm(known[rows], self.zones[zones]).flatten(0, 1) for zones, rows in self._alike])
        own = self.first.weight[torch.from_numpy(coding.column)]
        weight = own.index_add(0, torch.from_numpy(coding.about), shared[torch.from_numpy(coding.place)])
        return {"first.weight": weight, "keys": self.keys(known)}

    def points(
        self, leaves: Leaves, hidden: Any, rows: Rows | Compressed, which: Any, legal: Any
    ) -> torch.Tensor | None:
        return _Point.apply(self.query(hidden) * self.scale, leaves["keys"], self.states, self._net, rows, which, legal)


class Network(nn.Module):
    """A body with the heads for policy and value."""

    def __init__(self, body: Mlp, foreseen: int = 0, advised: int = 0) -> None:
        """`foreseen`: how many auxiliary numbers are learned; they have no part in playing. `advised`: how many actions
        an adviser may name."""
        super().__init__()
        self.body = body
        self.policy, self.value = nn.Linear(body.features, body.coding.policy_rows), nn.Linear(body.features, 1)
        for head, gain in ((self.policy, 0.01), (self.value, 1.0)):
            nn.init.orthogonal_(head.weight, gain)
            nn.init.zeros_(head.bias)
        self.auxiliary = nn.Linear(body.features, foreseen) if foreseen else None
        self.skip = nn.Parameter(torch.full((advised,), HEED)) if advised else None

    def judge(self, leaves: Leaves, rows: Rows | Compressed, which: np.ndarray, legal: np.ndarray) -> Any:
        """Logits of the legal actions (as listed), values, and the auxiliary numbers if there are any."""
        body = self.body
        hidden = body.rest(_First.apply(leaves["first.weight"], body.first.bias, rows, which))
        logits = _Last.apply(hidden, self.policy.weight, self.policy.bias, body.coding.policy_row, legal)
        points = body.points(leaves, hidden, rows, which, legal)
        foreseen = None if self.auxiliary is None else self.auxiliary(hidden)
        if points is not None:
            logits = logits + points
        if self.skip is not None:
            heeded = rows.heeded[which]
            logits = logits + torch.from_numpy(legal == heeded[:, None]) * self.skip[heeded][:, None]
        return logits, self.value(hidden)[:, 0], foreseen

    def arrays(self) -> dict[str, np.ndarray]:
        """What is played with."""
        heeded = {} if self.skip is None else {"skip": self.skip.detach().numpy()}
        return shared_arrays(self.body, self.policy, self.value) | heeded

    def all_arrays(self) -> dict[str, np.ndarray]:
        """What is learned."""
        only_learned = {} if self.auxiliary is None else dict(self.auxiliary.named_parameters(prefix="auxiliary"))
        return self.arrays() | {name: p.detach().numpy() for name, p in only_learned.items()}


def shared_arrays(body: nn.Module, policy: nn.Module, value: nn.Module) -> dict[str, np.ndarray]:
    """The weights by the names of ka_env.agents.nets; themselves, not copies."""
    parts = (("", body), ("policy.", policy), ("value.", value))
    found = {prefix + name: p.detach().numpy() for prefix, part in parts for name, p in part.named_parameters()}
    return found | {name: p.numpy() for name, p in body.named_buffers()}


def network_facts(config: Config) -> dict[str, Any]:
    """The card's description of a network."""
    facts: dict[str, Any] = {"kind": config.network, "hidden": list(config.hidden)}
    facts |= {"width": config.width} if config.network == "entity" else {}
    return facts | ({"advised": True} if config.advised else {})


def make_body(config: Config) -> Mlp:
    coding = config_coding(config)
    if config.network == "entity":
        return Entity(coding, config.hidden, config.width, usual_observation(config))
    return Mlp(coding, config.hidden)


def make_network(config: Config) -> Network:
    game = config.setups()[0].game
    foreseen = 2 * len(game.standing.names) if config.auxiliary_weight and game.standing else 0
    return Network(make_body(config), foreseen, game.num_actions if config.advised else 0)


def usual_observation(config: Config) -> np.ndarray:
    """What each column mostly is, in some random games; 0 where nothing is usual."""
    seen = []
    for setup in config.setups():
        engine = BatchEngine(setup.ruleset, setup.frame, num_games=64, seed=seed_of("usual", config.seed))
        rng = np.arange(1, 65, dtype=np.uint64)
        for decision in range(200):
            engine.step(engine.random_actions(rng))
            engine.reset_done()
            if decision % 10 == 9:
                seen.append(engine.observe().copy())
    out = np.zeros(max(some.shape[1] for some in seen), np.float32)
    for i in range(out.size):
        column = np.concatenate([some[:, i] for some in seen if i < some.shape[1]])
        values, counts = np.unique(column, return_counts=True)
        out[i] = values[counts.argmax()] if 2 * counts.max() > column.size else 0
    return out


def playable(arrays: dict[str, np.ndarray], config: Config) -> PolicyNet:
    """A network for playing with these weights; it follows them as they change."""
    return checked(arrays, make_card(config.widest.ruleset, network_facts(config)), "the network in training")


def playing_as_it_learns(net: Network, config: Config) -> PolicyNet:
    """The same, which judges the many rows of a round as gradient steps do: faster than row by row."""
    player = playable(net.arrays(), config)

    def judge(kept: Compressed, legal: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        leaves = {"first.weight": torch.from_numpy(player.net.first), "keys": torch.from_numpy(player.net.keys)}
        with torch.no_grad():
            logits, values, _ = net.judge(leaves, kept, np.arange(len(legal)), legal)
        return logits.numpy(), values.numpy()

    player.judge_kept = judge
    return player


def start_from(name: str, config: Config, own: dict[str, np.ndarray]) -> None:
    """Begin with the weights of a policy that is there already."""
    net = PolicyNet.load(name)
    wanted = network_facts(config)
    plain = {"kind": "mlp", "hidden": wanted["hidden"]}
    same_game = net.card["game"] == config.setups()[0].game.name
    seen = config.widest.game.observation_size(config.widest.ruleset)
    if same_game and net.inputs != seen:
        raise ConfigError(
            f"setting 'start': {name} was trained on rules that show {net.inputs} numbers, {config.widest.ruleset} "
            f"shows {seen}: expected a network of the same rules"
        )
    if (
        same_game
        and net.card["network"] == plain != wanted
        and not config.advised
        and own["policy.bias"].shape == net.arrays["policy.bias"].shape
    ):
        _grow(net, own)
        return
    if same_game and _is_wider(wanted, net.card["network"]):
        _widen(net, own)
        return
    if not same_game or net.card["network"] != wanted:
        found = net.card["network"]
        other = [key for key in {**found, **wanted} if found.get(key, False) != wanted.get(key, False)]
        told = ", ".join(f"{key}={found.get(key, False)}" for key in other)
        raise ConfigError(f"setting 'start': {name} has another network ({told}): set the same, or wider layers (mlp)")
    for key, array in own.items():
        array[...] = net.arrays[key]


def _is_wider(wanted: dict[str, Any], found: dict[str, Any]) -> bool:
    """An MLP of as many layers, none of them smaller."""
    sizes = wanted["hidden"], found["hidden"]
    others = [{key: value for key, value in facts.items() if key != "hidden"} for facts in (wanted, found)]
    alike = others[0] == others[1] and wanted["kind"] == "mlp" and len(sizes[0]) == len(sizes[1])
    return alike and sizes[0] != sizes[1] and all(more >= fewer for more, fewer in zip(*sizes))


def _widen(net: PolicyNet, own: dict[str, np.ndarray]) -> None:
    """A network with more units that plays exactly as a smaller one does: nothing listens to the new ones yet."""
    for key, array in net.arrays.items():
        if key.endswith("weight"):
            heads = key.startswith(("policy", "value"))  # these are laid out by output
            weight, known = (own[key].T, array.T) if heads else (own[key], array)
            weight[len(known) :, : known.shape[1]] = 0
        own[key][tuple(map(slice, array.shape))] = array


def _grow(net: PolicyNet, own: dict[str, np.ndarray]) -> None:
    """An entity network that plays exactly as an MLP does: what things add begins with nothing."""
    for key, array in net.arrays.items():
        own[key][...] = array
    own["first.bias"] += own["usual"] @ net.arrays["first.weight"]
    for key in ("zones", "query.weight", "query.bias"):
        own[key][...] = 0


def frozen(net: PolicyNet) -> PolicyNet:
    """A copy that stays as it is."""
    arrays = {name: array.copy() for name, array in net.arrays.items()}
    twin = type(net)(arrays, dict(net.card))
    twin.threads = net.threads
    return twin
