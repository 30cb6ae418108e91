"""Trained networks as small files, and playing with them: NumPy only.

A policy file is an .npz without pickles: float32 arrays and a JSON card that says what was trained, on what and how.
The network sees an observation and gives a logit for every action and a value, the expected result between -1 and 1.
"""

from __future__ import annotations

import io
import json
import os
import zipfile
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ka_env.agents import sparse
from ka_env.engine.parts import in_parts
from ka_env.engine.rng import GOLDEN, mix_array
from ka_env.engine.sections import fingerprint
from ka_env.errors import KaError, nearest
from ka_env.games import KaGame, game_of, load_game

FORMAT = "ka-policy-1"
TRAINED = Path(__file__).parent / "trained"
AT_ONCE = 4096  # rows in one go
MOST_BYTES = 1 << 30  # of a policy file, unpacked
MOST_WIDTH, MOST_LAYERS = 65_536, 1024  # of a network
FACTS = {  # what every card says
    "game": str,
    "network": dict,
    "layout": str,
    "meaning": str,
    "observation_size": int,
    "num_actions": int,
}


class PolicyError(KaError):
    """A policy file that can't be read, or that is made for something else."""


class Layout(NamedTuple):
    """Of an observation: how many numbers, and what they mean."""

    size: int
    meaning: str


@cache
def layouts(game: KaGame) -> dict[str, Layout]:
    """The layouts of the observation under a game's rulesets, by fingerprint."""
    return {
        fingerprint(game.sections(r), game.num_actions): Layout(game.observation_size(r), game.meaning_of(r))
        for r in game.rulesets
    }


def trained_names() -> list[str]:
    """The policies that come with the package."""
    return sorted(path.stem for path in TRAINED.glob("*.npz"))


def policy_path(name: str) -> Path:
    """A shipped policy by its name, or a file by its path."""
    path = Path(name)
    if path.suffix == ".npz" or len(path.parts) > 1:
        if not path.is_file():
            raise PolicyError(f"policy {name!r}: no such file")
        return path
    shipped = TRAINED / f"{name}.npz"
    if not shipped.is_file():
        names = trained_names()
        raise PolicyError(
            f"unknown policy {name!r}: expected one of {', '.join(names) or '(none shipped)'}, or a file "
            f"such as runs/mine/policy.npz{nearest(name, names)}"
        )
    return shipped


class PolicyNet:
    """A network's weights and its card. Subclasses know how to compute."""

    kind = ""
    kinds: dict[str, type[PolicyNet]] = {}

    def __init_subclass__(cls) -> None:
        PolicyNet.kinds[cls.kind] = cls

    def __init__(self, arrays: dict[str, np.ndarray], card: dict[str, Any]) -> None:
        """The arrays are not copied: a trainer's own weights can be played with while they change."""
        self.arrays = arrays
        self.card = card
        self.threads = 1

    @property
    def inputs(self) -> int:
        return int(self.card["observation_size"])

    @property
    def actions(self) -> int:
        return int(self.card["num_actions"])

    @classmethod
    def odd_facts(cls, network: dict[str, Any]) -> str | None:
        """What is wrong with the card's network."""
        raise NotImplementedError

    # ---- computing

    def hidden(self, observations: np.ndarray) -> np.ndarray:
        """What the heads see, one row per observation."""
        raise NotImplementedError

    def values(self, hidden: np.ndarray) -> np.ndarray:
        out = np.empty((len(hidden), 1), np.float32)
        only = np.zeros((len(hidden), 1), np.int16)
        sparse.last_layer(hidden, self.arrays["value.weight"], self.arrays["value.bias"], only, out)
        return out[:, 0]

    def forward(self, observations: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Logits of all actions, legal or not, and values."""
        hidden = self.hidden(observations)
        logits = hidden @ self.arrays["policy.weight"].T + self.arrays["policy.bias"]
        return logits, self.values(hidden)

    def legal_logits(self, observations: np.ndarray, masks: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """For each row its legal actions (then -1), their logits (then a very negative number), and the value."""
        hidden = self.hidden(observations)
        legal = legal_lists(masks)
        logits = np.empty(legal.shape, np.float32)
        sparse.last_layer(hidden, self.arrays["policy.weight"], self.arrays["policy.bias"], legal, logits)
        return legal, logits, self.values(hidden)

    # ---- files

    def save(self, path: str | Path) -> Path:
        """Write the file in one go: a reader never sees half of it."""
        path = Path(path)
        path.parent.mkdir(parents=True, exist_ok=True)
        content = io.BytesIO()
        card = np.frombuffer(json.dumps(self.card, ensure_ascii=False).encode(), np.uint8)
        np.savez_compressed(content, card=card, **self.arrays)  # type: ignore[arg-type]
        part = path.with_name(path.name + ".part")
        part.write_bytes(content.getvalue())
        os.replace(part, path)
        return path

    @classmethod
    def load(cls, name: str | Path) -> PolicyNet:
        """By name (shipped) or path. Executes nothing that is in the file."""
        path = policy_path(str(name))
        try:
            _refuse_bombs(path)
            with np.load(path, allow_pickle=False) as file:
                arrays = {key: np.ascontiguousarray(file[key]) for key in file.files if key != "card"}
                card = json.loads(file["card"].tobytes().decode())
        except PolicyError:
            raise
        except Exception as error:  # NumPy, zip and JSON raise many kinds; memory and recursion may end, too
            raise PolicyError(f"{path} is no policy file: {str(error) or type(error).__name__}") from None
        return checked(arrays, card, str(path))


def _refuse_bombs(path: Path) -> None:
    """A small file may unpack to a huge one: ask before."""
    with zipfile.ZipFile(path) as file:
        size = sum(member.file_size for member in file.infolist())
    if size > MOST_BYTES:
        raise PolicyError(f"{path} is no policy file: {size} bytes when unpacked, at most {MOST_BYTES} are taken")


def checked(arrays: dict[str, np.ndarray], card: dict[str, Any], source: str) -> PolicyNet:
    """The network, if the card is whole and fits this version of the game."""
    if not isinstance(card, dict) or card.get("format") != FORMAT:
        found = card.get("format") if isinstance(card, dict) else None
        raise PolicyError(f"{source} is no policy file: its format is {found!r}, expected {FORMAT!r}")
    missing = [key for key in FACTS if key not in card]
    if missing:
        raise PolicyError(f"{source}: the card lacks {', '.join(missing)}, which this version needs: train it anew")
    odd = _odd_facts(card)
    if odd:
        raise PolicyError(f"{source}: the card is wrong: {odd}")
    game = load_game(card["game"])
    known = layouts(game)
    found_sizes = {layout.size for layout in known.values()}
    if card["observation_size"] not in found_sizes or card["num_actions"] != game.num_actions:
        sizes = " or ".join(map(str, sorted(found_sizes)))
        raise PolicyError(
            f"{source} was trained on {card['observation_size']} observed numbers and {card['num_actions']} actions; "
            f"{card['game']} has {sizes} and {game.num_actions} now: train it anew"
        )
    layout = known.get(card["layout"])
    if layout is None or layout.size != card["observation_size"]:
        raise PolicyError(f"{source} was trained on another layout of the observation: train it anew")
    if layout.meaning != card["meaning"]:
        raise PolicyError(f"{source} was trained when the observation's numbers meant something else: train it anew")
    net = PolicyNet.kinds[card["network"]["kind"]](arrays, card)
    expected = net.shapes()  # type: ignore[attr-defined]
    found_shapes = {key: array.shape for key, array in arrays.items()}
    if found_shapes != expected or any(array.dtype != np.float32 for array in arrays.values()):
        wrong = sorted(key for key in {*expected, *found_shapes} if expected.get(key) != found_shapes.get(key))
        raise PolicyError(f"{source}: damaged: {', '.join(wrong) or 'numbers'} not as the card says")
    if not all(np.isfinite(array).all() for array in arrays.values()):
        raise PolicyError(f"{source}: damaged: some weights are no numbers")
    return net


def _odd_facts(card: dict[str, Any]) -> str | None:
    """The first thing on a card that can't be."""
    network = card["network"]
    for key, kind in FACTS.items():
        if type(card[key]) is not kind:
            return f"{key} is {str(card[key])[:60]!r}, expected {kind.__name__}"
    kind = network.get("kind")
    if not isinstance(kind, str) or kind not in PolicyNet.kinds:
        expected = ", ".join(PolicyNet.kinds)
        return f"unknown network {str(kind)[:60]!r}: expected one of {expected}{nearest(str(kind), PolicyNet.kinds)}"
    return PolicyNet.kinds[kind].odd_facts(network)


def _is_whole(value: Any, most: int) -> bool:
    return type(value) is int and 1 <= value <= most


def make_card(ruleset: str, network: dict[str, Any], **more: Any) -> dict[str, Any]:
    """The card of a network that sees what players of this ruleset see."""
    game = game_of(ruleset)
    return {
        "format": FORMAT,
        "game": game.name,
        "layout": fingerprint(game.sections(ruleset), game.num_actions),
        "meaning": game.meaning_of(ruleset),
        "observation_size": game.observation_size(ruleset),
        "num_actions": game.num_actions,
        "network": network,
        **more,
    }


class MlpNet(PolicyNet):
    """Layers of `hidden` ReLUs, then the two heads. The card's network: {"kind": "mlp", "hidden": [256, 256]}."""

    kind = "mlp"

    @classmethod
    def odd_facts(cls, network: dict[str, Any]) -> str | None:
        sizes = network.get("hidden")
        fine = (
            isinstance(sizes, list) and 1 <= len(sizes) <= MOST_LAYERS and all(_is_whole(n, MOST_WIDTH) for n in sizes)
        )
        return None if fine else f"hidden is {str(sizes)[:60]!r}, expected sizes of layers"

    def shapes(self) -> dict[str, tuple[int, ...]]:
        sizes = [int(size) for size in self.card["network"]["hidden"]]
        found: dict[str, tuple[int, ...]] = {"first.weight": (self.inputs, sizes[0]), "first.bias": (sizes[0],)}
        for i, (before, after) in enumerate(pairwise(sizes)):
            found |= {f"hidden.{i}.weight": (before, after), f"hidden.{i}.bias": (after,)}
        found |= {"policy.weight": (self.actions, sizes[-1]), "policy.bias": (self.actions,)}
        return found | {"value.weight": (1, sizes[-1]), "value.bias": (1,)}

    def hidden(self, observations: np.ndarray) -> np.ndarray:
        names = ["first", *(f"hidden.{i}" for i in range(len(self.card["network"]["hidden"]) - 1))]
        out = np.empty((len(observations), self.arrays[f"{names[-1]}.bias"].size), np.float32)

        def part(low: int, high: int) -> None:
            x = observations[low:high]
            for name in names:
                x = relu_layer(x, self.arrays[f"{name}.weight"], self.arrays[f"{name}.bias"])
            out[low:high] = x

        in_parts(part, len(out), self.threads)
        return out


class AttentionNet(PolicyNet):
    """The things in a game attend to each other. The card's network: {"kind": "attention", "width": ...}.

    Each thing is embedded, with a vector of its own that says which one it is; then come blocks of attention and a
    small network, each added to what it worked on. The heads see the table's vector and a few numbers of each thing.
    """

    kind = "attention"
    SAYS, LAST, EPSILON = 4, 256, 1e-5

    @classmethod
    def odd_facts(cls, network: dict[str, Any]) -> str | None:
        for name, most in (("width", MOST_WIDTH), ("layers", MOST_LAYERS), ("heads", MOST_WIDTH)):
            if not _is_whole(network.get(name), most):
                return f"{name} is {str(network.get(name))[:60]!r}, expected a number from 1 to {most}"
        if network["width"] % network["heads"]:
            return f"width {network['width']} can't be shared by {network['heads']} heads"
        return None

    def shapes(self) -> dict[str, tuple[int, ...]]:
        facts = self.card["network"]
        width, layers = int(facts["width"]), int(facts["layers"])
        found: dict[str, tuple[int, ...]] = {}

        def layer(name: str, inputs: int, outputs: int) -> None:
            found[f"{name}.weight"], found[f"{name}.bias"] = (inputs, outputs), (outputs,)

        groups = observation_groups(self.card["game"], self.card["observation_size"])
        things = sum(len(places) for places in groups.values())
        found["identity"] = (things, width)
        for name, places in groups.items():
            layer(f"embed.{name}", places.shape[1], width)
        for i in range(layers):
            for norm in ("norm1", "norm2"):
                found |= {f"blocks.{i}.{norm}.weight": (width,), f"blocks.{i}.{norm}.bias": (width,)}
            layer(f"blocks.{i}.qkv", width, 3 * width)
            layer(f"blocks.{i}.out", width, width)
            layer(f"blocks.{i}.up", width, 2 * width)
            layer(f"blocks.{i}.down", 2 * width, width)
        found |= {"norm.weight": (width,), "norm.bias": (width,)}
        layer("say", width, self.SAYS)
        layer("last", width + self.SAYS * things, self.LAST)
        found |= {"policy.weight": (self.actions, self.LAST), "policy.bias": (self.actions,)}
        return found | {"value.weight": (1, self.LAST), "value.bias": (1,)}

    def _layer(self, name: str, x: np.ndarray) -> np.ndarray:
        # A stack of matrices is multiplied one by one, so a row's result does not depend on its neighbours.
        return x @ self.arrays[f"{name}.weight"] + self.arrays[f"{name}.bias"]

    def _norm(self, name: str, x: np.ndarray) -> np.ndarray:
        x = x - x.mean(axis=-1, keepdims=True)
        x /= np.sqrt((x * x).mean(axis=-1, keepdims=True) + np.float32(self.EPSILON))
        return x * self.arrays[f"{name}.weight"] + self.arrays[f"{name}.bias"]

    def _attend(self, name: str, x: np.ndarray) -> np.ndarray:
        rows, things, width = x.shape
        heads = int(self.card["network"]["heads"])
        split = self._layer(f"{name}.qkv", x).reshape(rows, things, 3, heads, width // heads)
        q, k, v = split.transpose(2, 0, 3, 1, 4)
        weights = q @ k.swapaxes(-1, -2) / np.float32(np.sqrt(width // heads))
        weights = np.exp(weights - weights.max(axis=-1, keepdims=True))
        weights /= weights.sum(axis=-1, keepdims=True)
        return self._layer(f"{name}.out", (weights @ v).transpose(0, 2, 1, 3).reshape(rows, things, width))

    def _some(self, observations: np.ndarray) -> np.ndarray:
        groups = observation_groups(self.card["game"], self.card["observation_size"])
        x = np.concatenate([self._layer(f"embed.{name}", observations[:, p]) for name, p in groups.items()], axis=1)
        x += self.arrays["identity"]
        for i in range(int(self.card["network"]["layers"])):
            block = f"blocks.{i}"
            x = x + self._attend(block, self._norm(f"{block}.norm1", x))
            up = np.maximum(self._layer(f"{block}.up", self._norm(f"{block}.norm2", x)), 0)
            x = x + self._layer(f"{block}.down", up)
        x = self._norm("norm", x)
        said = self._layer("say", x).reshape(len(x), 1, -1)
        last = self._layer("last", np.concatenate([x[:, -1:], said], axis=2))
        return np.maximum(last[:, 0], 0)

    def hidden(self, observations: np.ndarray) -> np.ndarray:
        out = np.empty((len(observations), self.LAST), np.float32)

        def part(low: int, high: int) -> None:
            for first in range(low, high, 64):  # what is in between should fit into the cache
                some = slice(first, min(first + 64, high))
                out[some] = self._some(observations[some])

        in_parts(part, len(out), self.threads)
        return out


@cache
def observation_groups(game: str, size: int) -> dict[str, np.ndarray]:
    """The places of like things in an observation of that size; the last group is the table as a whole.

    What a ruleset's observation has beyond the sections that all rulesets share belongs to the table.
    """
    groups = dict(load_game(game).room("groups"))
    rest = np.setdiff1d(np.arange(size), np.concatenate([places.ravel() for places in groups.values()]))
    if rest.size:
        table = next(reversed(groups))
        groups[table] = np.concatenate([groups[table], rest[None]], axis=1)
    return groups


# ---- helpers --------------------------------------------------------------------------------------------------------


def relu_layer(x: np.ndarray, weight: np.ndarray, bias: np.ndarray) -> np.ndarray:
    """Row by row, skipping zeros: a row's result does not depend on the rows beside it, as it would with BLAS."""
    out = np.empty((len(x), bias.size), np.float32)
    sparse.layer(x, weight, bias, out)
    return np.maximum(out, 0, out=out)


def legal_lists(masks: np.ndarray) -> np.ndarray:
    """Each row's legal actions, then -1: as wide as the longest needs."""
    out = np.empty((len(masks), int(masks.sum(axis=1).max(initial=1))), np.int16)
    sparse.list_legal(masks, np.arange(len(masks)), out)
    return out


def choose(
    legal: np.ndarray, logits: np.ndarray, uniform: np.ndarray, temperature: float = 1.0
) -> tuple[np.ndarray, np.ndarray]:
    """One place in each list, drawn by the softmax of the logits (the best for temperature 0); its log probability."""
    scaled = logits - logits.max(axis=1, keepdims=True)
    if temperature == 0:
        places = logits.argmax(axis=1)
        return places, np.zeros(len(places), np.float32)
    with np.errstate(over="ignore"):  # what is illegal may go to minus infinity
        weights = np.exp(scaled / np.float32(temperature))
    running = weights.cumsum(axis=1)
    total = running[:, -1]
    places = (running <= (uniform * total)[:, None]).sum(axis=1)
    places = np.minimum(places, (legal >= 0).sum(axis=1) - 1)
    return places, np.log(weights[np.arange(len(places)), places] / total)


def uniforms(states: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A number from 0 to 1 out of each generator state (uint64, splitmix64), and the states after it."""
    states = states + GOLDEN
    return (mix_array(states) >> np.uint64(40)).astype(np.float32) * np.float32(2.0**-24), states
