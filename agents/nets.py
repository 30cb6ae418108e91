"""Trained networks as small files, and playing with them: no torch.

A policy file is an .npz without pickles: float32 arrays and a JSON card that says what was trained, on what and how.
The network sees an observation and gives a logit for every action and a value, the expected result between -1 and 1.
How it computes stands in ka_env/engine/net.py; here its arrays are made from those in the file.
"""

from __future__ import annotations

import io
import json
import os
import zipfile
from collections.abc import Callable, Sequence
from functools import cache, cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ka_env.agents import sparse
from ka_env.agents.coding import Coding, coding_for
from ka_env.engine.net import Mind, Net, mind, no_things
from ka_env.engine.parts import in_parts
from ka_env.engine.rng import GOLDEN, mix_array
from ka_env.engine.sections import begins, fingerprint
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


class Compressed(NamedTuple):
    """Observations as a network's features: those of row i from starts[i] to starts[i + 1]."""

    starts: np.ndarray
    features: np.ndarray
    amounts: np.ndarray
    chosen: np.ndarray  # [row]: what chose among the features of a column
    heeded: np.ndarray  # [row]: the advised action, -1 without an adviser


class Layout(NamedTuple):
    """Of an observation: how many numbers, what they mean, and a ruleset that has it."""

    size: int
    meaning: str
    ruleset: str


@cache
def layouts(game: KaGame) -> dict[str, Layout]:
    """The layouts of the observation under a game's rulesets, by fingerprint."""
    return {
        fingerprint(game.sections(r), game.num_actions): Layout(game.observation_size(r), game.meaning_of(r), r)
        for r in reversed(game.rulesets)
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
        """The arrays are not copied: a trainer's own weights can be played with; it says when they have changed."""
        self.arrays = arrays
        self.card = card
        self.threads = 1
        self.judge_kept: Callable[[Compressed, np.ndarray], tuple[np.ndarray, np.ndarray]] | None = None
        self._net: Net | None = None
        self._mind: Mind | None = None

    @property
    def inputs(self) -> int:
        return int(self.card["observation_size"])

    @cached_property
    def rulesets(self) -> list[str]:
        """Those whose observations it can judge: of its own layout, and of those that are a beginning of it."""
        game = load_game(self.card["game"])
        own = game.sections(layouts(game)[self.card["layout"]].ruleset)
        return [r for r in game.rulesets if begins(game.sections(r), own)]

    @cached_property
    def widths(self) -> set[int]:
        """Of the observations it can judge."""
        game = load_game(self.card["game"])
        return {game.observation_size(r) for r in self.rulesets}

    @property
    def actions(self) -> int:
        return int(self.card["num_actions"])

    @property
    def lead_temperature(self) -> float:
        """What a search that it leads divides its logits by, if not told otherwise."""
        return float(self.card.get("lead_temperature", 1.0))

    @property
    def advised(self) -> bool:
        """Is it told what the game's first rules-based player would do?"""
        return bool(self.card["network"].get("advised", False))

    @classmethod
    def odd_facts(cls, network: dict[str, Any]) -> str | None:
        """What is wrong with the card's network."""
        raise NotImplementedError

    # ---- computing

    @property
    def net(self) -> Net:
        """The arrays as the kernels want them."""
        if self._net is None:
            self._net = self.folded()
        return self._net

    def refresh(self) -> None:
        """The weights have changed."""
        self._net = None

    def shapes(self) -> dict[str, tuple[int, ...]]:
        """The arrays there must be."""
        raise NotImplementedError

    def folded(self) -> Net:
        raise NotImplementedError

    def forward(self, observations: np.ndarray, advice: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
        """Logits of all actions, legal or not, and values. Advised networks want the advised actions."""
        every = np.tile(np.arange(self.actions, dtype=np.int16), (len(observations), 1))
        return self._judge(observations, self._heeded(observations, advice), every)

    def legal_logits(
        self, observations: np.ndarray, masks: np.ndarray, advice: np.ndarray | None = None
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """For each row its legal actions (then -1), their logits (then a very negative number), and the value."""
        legal = legal_lists(masks)
        return legal, *self._judge(observations, self._heeded(observations, advice), legal)

    def judged_and_kept(
        self, observations: np.ndarray, masks: np.ndarray, advice: np.ndarray | None = None
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, Compressed]:
        """The same, and the observations compressed. For trainers, who may compute in a way of their own."""
        legal, advice = legal_lists(masks), self._heeded(observations, advice)
        kept = self._compressed(observations, advice)
        judged = self._judge(observations, advice, legal) if self.judge_kept is None else self.judge_kept(kept, legal)
        return legal, *judged, kept

    def _heeded(self, observations: np.ndarray, advice: np.ndarray | None) -> np.ndarray:
        """The advice for a network that is told of it, -1 for others."""
        if not self.advised:
            return np.full(len(observations), -1)
        if advice is None:
            raise PolicyError("this network wants to know what its adviser would do: the agent policy: asks for it")
        if advice.shape != (len(observations),) or not ((advice >= 0) & (advice < self.actions)).all():
            raise PolicyError(
                f"advice: expected an action (0 to {self.actions - 1}) for each of {len(observations)} rows"
            )
        return advice

    def _compressed(self, observations: np.ndarray, advice: np.ndarray) -> Compressed:
        rows, columns = observations.shape
        room = rows * (columns + 1)
        starts, chosen = np.empty(rows + 1, np.int64), np.empty((rows, len(self.net.choosers)), np.int64)
        features, amounts = np.empty(room, np.uint16), np.empty(room, np.float32)
        sparse.compress(self.net, observations, advice, starts, features, amounts, chosen)
        return Compressed(starts, features[: starts[-1]].copy(), amounts[: starts[-1]].copy(), chosen, advice)

    def _thoughts(self) -> Mind:
        """Room for a thread each."""
        if self._mind is None or len(self._mind.count) < self.threads:
            self._mind = mind(self.net, self.threads)
        return self._mind

    def _judge(self, observations: np.ndarray, advice: np.ndarray, legal: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        logits, values = np.empty(legal.shape, np.float32), np.empty(len(legal), np.float32)
        net, thoughts = self.net, self._thoughts()

        def part(low: int, high: int) -> None:
            number = -(-low * self.threads // max(1, len(legal)))  # of the thread
            some = slice(low, high)
            seen = (observations[some], advice[some], legal[some])
            sparse.judge(net, thoughts, number, *seen, logits[some], values[some])

        in_parts(part, len(legal), self.threads)
        return logits, values

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
    expected = net.shapes()
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
    temperature = card.get("lead_temperature", 1.0)
    if type(temperature) not in (int, float) or not 0.01 <= temperature <= 100:
        return f"lead_temperature is {str(temperature)[:60]!r}, expected a number from 0.01 to 100"
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
        if type(network.get("advised", False)) is not bool:
            return f"advised is {str(network['advised'])[:60]!r}, expected true or false"
        return None if fine else f"hidden is {str(sizes)[:60]!r}, expected sizes of layers"

    @property
    def sizes(self) -> list[int]:
        return [int(size) for size in self.card["network"]["hidden"]]

    @property
    def coding(self) -> Coding:
        game = load_game(self.card["game"])
        return coding_for(self.kind, game, layouts(game)[self.card["layout"]].ruleset, self.advised)

    def shapes(self) -> dict[str, tuple[int, ...]]:
        sizes = self.sizes
        found: dict[str, tuple[int, ...]] = {"first.weight": (self.coding.rows, sizes[0]), "first.bias": (sizes[0],)}
        for i, (before, after) in enumerate(pairwise(sizes)):
            found |= {f"hidden.{i}.weight": (before, after), f"hidden.{i}.bias": (after,)}
        rows = self.coding.policy_rows
        found |= {"policy.weight": (rows, sizes[-1]), "policy.bias": (rows,)}
        found |= {"value.weight": (1, sizes[-1]), "value.bias": (1,)}
        return found | ({"skip": (self.actions,)} if self.advised else {})

    def first_weight(self) -> np.ndarray:
        """By feature."""
        return self.arrays["first.weight"]

    def usual(self) -> np.ndarray:
        return np.zeros(self.inputs, np.float32)

    def things(self) -> tuple[np.ndarray, ...]:
        return no_things(self.coding.features, self.actions)

    def folded(self) -> Net:
        w, coding = self.arrays, self.coding
        layers = range(len(self.sizes) - 1)
        hidden = [w[f"hidden.{i}.{part}"].ravel() for i in layers for part in ("weight", "bias")]
        found = Net(
            *(self.usual(), coding.base, coding.chooser, coding.choosers),
            *(self.first_weight(), w["first.bias"], np.concatenate([np.zeros(0, np.float32), *hidden])),
            *(np.array(self.sizes), coding.policy_row, w["policy.weight"], w["policy.bias"]),
            *(w["value.weight"], w["value.bias"], w.get("skip", np.zeros(0, np.float32))),
            *self.things(),
        )
        return Net(*(np.require(array, requirements=("C", "W")) for array in found))


def untrained_mlp(ruleset: str, hidden: Sequence[int] = (256, 256)) -> MlpNet:
    """Small random weights: to compare speeds with."""
    net = MlpNet({}, make_card(ruleset, {"kind": "mlp", "hidden": list(hidden)}))
    rng = np.random.default_rng(0)
    net.arrays = {name: rng.normal(0, 0.05, shape).astype(np.float32) for name, shape in net.shapes().items()}
    return net


class EntityNet(MlpNet):
    """Weights are shared by like things. The card's network: {"kind": "entity", "hidden": [...], "width": 32}.

    What a thing is makes `width` numbers out of its facts. The first layer's weight of a feature is that of its column
    plus those numbers times a matrix of the feature's zone, so that all cards in hand are learned from together. An
    action that names a thing is scored by it, too: see ka_env/engine/net.py. Where `width` numbers are added up, they
    are divided by its root: one step of the optimiser moves them all, and would move the sum too far.
    """

    kind = "entity"

    @classmethod
    def odd_facts(cls, network: dict[str, Any]) -> str | None:
        width = network.get("width")
        if not _is_whole(width, MOST_WIDTH):
            return f"width is {str(width)[:60]!r}, expected a number from 1 to {MOST_WIDTH}"
        return super().odd_facts(network)

    @property
    def width(self) -> int:
        return int(self.card["network"]["width"])

    def shapes(self) -> dict[str, tuple[int, ...]]:
        coding, width, first, last = self.coding, self.width, self.sizes[0], self.sizes[-1]
        return super().shapes() | {
            "usual": (self.inputs,),
            "facts.weight": (coding.facts.shape[1], width),
            "facts.bias": (width,),
            "zones": (coding.zones, width, first),
            "keys.weight": (width, width),
            "keys.bias": (width,),
            "states": (coding.zones, width),
            "query.weight": (coding.verbs * width, last),
            "query.bias": (coding.verbs * width,),
        }

    def usual(self) -> np.ndarray:
        return self.arrays["usual"]

    def known(self) -> np.ndarray:
        """What each thing is, from its facts."""
        found = np.maximum(self.coding.facts @ self.arrays["facts.weight"] + self.arrays["facts.bias"], 0)
        return found * np.float32(self.width**-0.5)

    def first_weight(self) -> np.ndarray:
        coding = self.coding
        weight = self.arrays["first.weight"][coding.column]
        known, size = self.known(), weight.shape[1]
        shared = [(known[rows] @ self.arrays["zones"][zones]).reshape(-1, size) for zones, rows in coding.alike]
        weight[coding.about] += np.concatenate(shared)[coding.place]
        return weight

    def things(self) -> tuple[np.ndarray, ...]:
        w, coding = self.arrays, self.coding
        keys = self.known() @ w["keys.weight"] + w["keys.bias"]
        query, bias = (w[f"query.{part}"] * np.float32(self.width**-0.5) for part in ("weight", "bias"))
        return (*coding.things, keys, w["states"], query, bias)


# ---- helpers --------------------------------------------------------------------------------------------------------


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
