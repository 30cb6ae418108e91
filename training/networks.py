"""Networks as they are trained (torch). Their weights have the names and shapes that ka_env.agents.nets plays with."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import torch
from torch import nn

from ka_env.agents import sparse
from ka_env.agents.nets import AttentionNet, PolicyNet, checked, make_card, observation_groups
from ka_env.games import game_of
from ka_env.training.config import Config, ConfigError
from ka_env.training.rollout import Rows


class _First(torch.autograd.Function):
    """Compressed rows times a dense weight."""

    @staticmethod
    def forward(ctx: Any, weight: Any, bias: Any, rows: Rows, which: np.ndarray) -> Any:
        out = torch.empty(len(which), weight.shape[1])
        compressed = (rows.starts, rows.columns, rows.values, which)
        sparse.first_layer(*compressed, weight.detach().numpy(), bias.detach().numpy(), out.numpy())
        ctx.compressed, ctx.shape = compressed, weight.shape
        return out

    @staticmethod
    def backward(ctx: Any, gradient: Any) -> Any:
        to_weight = torch.zeros(ctx.shape)
        starts, columns, values, which = ctx.compressed
        g = gradient.contiguous().numpy()
        sparse.first_layer_gradient(starts, columns, values, which, g, to_weight.numpy())
        return to_weight, gradient.sum(0), None, None


class _Last(torch.autograd.Function):
    """The logits of the legal actions only."""

    @staticmethod
    def forward(ctx: Any, hidden: Any, weight: Any, bias: Any, legal: np.ndarray) -> Any:
        out = torch.empty(legal.shape)
        sparse.last_layer(hidden.detach().numpy(), weight.detach().numpy(), bias.detach().numpy(), legal, out.numpy())
        ctx.save_for_backward(hidden, weight)
        ctx.legal = legal
        return out

    @staticmethod
    def backward(ctx: Any, gradient: Any) -> Any:
        hidden, weight = ctx.saved_tensors
        to_hidden, to_weight = torch.empty_like(hidden), torch.zeros_like(weight)
        to_bias = torch.zeros(len(weight))
        sparse.last_layer_gradient(
            hidden.detach().numpy(),
            weight.detach().numpy(),
            ctx.legal,
            gradient.contiguous().numpy(),
            to_hidden.numpy(),
            to_weight.numpy(),
            to_bias.numpy(),
        )
        return to_hidden, to_weight, to_bias, None


class Layer(nn.Module):
    """Linear, with its weight laid out by input."""

    def __init__(self, inputs: int, outputs: int, gain: float = 2**0.5) -> None:
        super().__init__()
        weight = torch.empty(inputs, outputs)
        nn.init.orthogonal_(weight, gain)
        self.weight, self.bias = nn.Parameter(weight), nn.Parameter(torch.zeros(outputs))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x @ self.weight + self.bias


class Body(nn.Module):
    """From an observation to what the heads see."""

    def __init__(self, inputs: int, features: int) -> None:
        super().__init__()
        self.inputs, self.features = inputs, features

    def of_rows(self, rows: Rows, which: np.ndarray) -> torch.Tensor:
        """From compressed rows; `forward` takes them in full."""
        full = np.empty((len(which), self.inputs), np.float32)
        sparse.decompress(rows.starts, rows.columns, rows.values, which, full)
        return self(torch.from_numpy(full))


class Mlp(Body):
    """Layers of ReLUs."""

    def __init__(self, inputs: int, hidden: tuple[int, ...]) -> None:
        super().__init__(inputs, hidden[-1])
        self.first = Layer(inputs, hidden[0])
        self.hidden = nn.ModuleList(Layer(a, b) for a, b in pairwise(hidden))

    def _rest(self, x: torch.Tensor) -> torch.Tensor:
        x = torch.relu(x)
        for layer in self.hidden:
            x = torch.relu(layer(x))
        return x

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        return self._rest(self.first(observations))

    def of_rows(self, rows: Rows, which: np.ndarray) -> torch.Tensor:
        return self._rest(_First.apply(self.first.weight, self.first.bias, rows, which))


class Block(nn.Module):
    """Attention and a small network, each added to what it worked on."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = Layer(width, 3 * width, 1.0), Layer(width, width, 0.5)
        self.up, self.down = Layer(width, 2 * width), Layer(2 * width, width, 0.5)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        rows, things, width = x.shape
        q, k, v = self.qkv(self.norm1(x)).view(rows, things, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        seen = nn.functional.scaled_dot_product_attention(q, k, v)
        x = x + self.out(seen.transpose(1, 2).reshape(rows, things, width))
        return x + self.down(torch.relu(self.up(self.norm2(x))))


class Attention(Body):
    """The same as ka_env.agents.nets.AttentionNet."""

    def __init__(self, ruleset: str, width: int, layers: int, heads: int) -> None:
        game = game_of(ruleset)
        super().__init__(game.observation_size(ruleset), AttentionNet.LAST)
        groups = observation_groups(game.name, game.observation_size(ruleset))
        self.groups = {name: torch.from_numpy(places) for name, places in groups.items()}
        things = sum(len(places) for places in self.groups.values())
        self.identity = nn.Parameter(torch.randn(things, width) * 0.1)
        self.embed = nn.ModuleDict({name: Layer(p.shape[1], width, 1.0) for name, p in self.groups.items()})
        self.blocks = nn.ModuleList(Block(width, heads) for _ in range(layers))
        self.norm = nn.LayerNorm(width)
        self.say = Layer(width, AttentionNet.SAYS, 1.0)
        self.last = Layer(width + AttentionNet.SAYS * things, AttentionNet.LAST)

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        x = torch.cat([self.embed[name](observations[:, places]) for name, places in self.groups.items()], dim=1)
        x = x + self.identity
        for block in self.blocks:
            x = block(x)
        x = self.norm(x)
        return torch.relu(self.last(torch.cat([x[:, -1], self.say(x).flatten(1)], dim=1)))


class Network(nn.Module):
    """A body with the heads for policy and value."""

    def __init__(self, body: Body, actions: int) -> None:
        super().__init__()
        self.body = body
        self.policy, self.value = nn.Linear(body.features, actions), nn.Linear(body.features, 1)
        for head, gain in ((self.policy, 0.01), (self.value, 1.0)):
            nn.init.orthogonal_(head.weight, gain)
            nn.init.zeros_(head.bias)

    def judge(self, rows: Rows, which: np.ndarray, legal: np.ndarray) -> tuple[torch.Tensor, torch.Tensor]:
        """Logits of the legal actions (as listed) and values."""
        hidden = self.body.of_rows(rows, which)
        logits = _Last.apply(hidden, self.policy.weight, self.policy.bias, legal)
        return logits, self.value(hidden)[:, 0]

    def arrays(self) -> dict[str, np.ndarray]:
        return shared_arrays(self.body, self.policy, self.value)


def shared_arrays(body: nn.Module, policy: nn.Module, value: nn.Module) -> dict[str, np.ndarray]:
    """The weights by the names of ka_env.agents.nets; themselves, not copies."""
    parts = (("", body), ("policy.", policy), ("value.", value))
    return {prefix + name: p.detach().numpy() for prefix, part in parts for name, p in part.named_parameters()}


def network_facts(config: Config) -> dict[str, Any]:
    """The card's description of a network."""
    if config.network == "attention":
        return {"kind": "attention", "width": config.width, "layers": config.layers, "heads": config.heads}
    return {"kind": "mlp", "hidden": list(config.hidden)}


def make_body(config: Config) -> Body:
    if config.network == "attention":
        return Attention(config.setups()[0].ruleset, config.width, config.layers, config.heads)
    setup = config.setups()[0]
    return Mlp(setup.game.observation_size(setup.ruleset), config.hidden)


def make_network(config: Config) -> Network:
    return Network(make_body(config), config.setups()[0].game.num_actions)


def playable(arrays: dict[str, np.ndarray], config: Config, threads: int = 1) -> PolicyNet:
    """A network for playing with these weights; it follows them as they change."""
    found = checked(arrays, make_card(config.setups()[0].ruleset, network_facts(config)), "the network in training")
    found.threads = threads
    return found


def start_from(name: str, config: Config, own: dict[str, np.ndarray]) -> None:
    """Begin with the weights of a policy that is there already."""
    net = PolicyNet.load(name)
    wanted = network_facts(config)
    if net.card["game"] != config.setups()[0].game.name or net.card["network"] != wanted:
        found = net.card["network"]
        told = ", ".join(f"{key}={value}" for key, value in found.items() if value != wanted.get(key))
        raise ConfigError(f"setting 'start': {name} has another network ({told}): set the same")
    for key, array in own.items():
        array[...] = net.arrays[key]


def frozen(net: PolicyNet) -> PolicyNet:
    """A copy that stays as it is."""
    arrays = {name: array.copy() for name, array in net.arrays.items()}
    twin = type(net)(arrays, dict(net.card))
    twin.threads = net.threads
    return twin
