"""Settings of a training run: one flat table, from a preset, a TOML file and the command line, in this order."""

from __future__ import annotations

import tomllib
import typing
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

from ka_env.agents.registry import AgentError, agent_names, parse_spec
from ka_env.engine.sections import begins
from ka_env.errors import KaError, nearest
from ka_env.games import DEFAULT_RULESET, Setup, all_rulesets, game_names, load_game


class ConfigError(KaError):
    """A setting that does not exist, or a value it can't have."""


ALL = "all"
USUAL = "usual"
BEFORE = "before"  # in the directory of a run: the one that `after` names
EXPLOITER = "exploiter"  # and the one who learned to beat what the run begins with


def _is(meaning: str, default: Any, low: float | None = None, high: float | None = None) -> Any:
    details = {"meaning": meaning, "low": low, "high": high}
    return field(default=default, metadata=details)


@dataclass(frozen=True)
class Config:
    """All settings, in the order in which docs/training.md tells them."""

    # what is learned
    rules: tuple[str, ...] = _is(
        "rulesets of one game, each with its frame or for its usual one; a game's name: all of its rulesets with all "
        "their frames; games are shared out evenly",
        (DEFAULT_RULESET,),
    )
    seed: int = _is("the same seed and settings give the same curve", 0)
    # how long
    steps: int = _is("decisions to learn from", 20_000_000, 1)
    minutes: float = _is("stop after this time, 0: no limit; rates then decay with the time", 0.0, 0)
    # network
    network: Literal["mlp", "entity"] = _is(
        "mlp: layers of ReLUs; entity: the same, with weights shared by like things (cards, units) and actions scored "
        "by the things they name",
        "mlp",
    )
    hidden: tuple[int, ...] = _is("sizes of the layers", (256, 256), 1, 4096)
    width: int = _is("entity: numbers per thing", 32, 1, 1024)
    advised: bool = _is("the network is told what the game's first rules-based player would do", False)
    lead_temperature: float = _is(
        "on the policy's card: what a search that it leads divides its logits by, if not told otherwise", 1.0, 0.01, 100
    )
    # PPO
    trainer: Literal["sb3", "fast"] = _is(
        "sb3: sb3-contrib's MaskablePPO; fast: the same algorithm on the batch engine", "fast"
    )
    games: int = _is("games side by side", 512, 2)
    rollout: int = _is("decisions per update", 8192, 64)
    epochs: int = _is("passes over them", 3, 1, 100)
    minibatch: int = _is("decisions per gradient step", 1024, 8)
    learning_rate: float = _is("of Adam, at the start", 1e-3, 0, 1)
    learning_rate_end: float = _is("at the end; straight in between", 1e-4, 0, 1)
    gamma: float = _is("discount per decision", 1.0, 0, 1)
    gae_lambda: float = _is("how far advantages look ahead", 0.95, 0, 1)
    clip: float = _is("how far a probability may move in one update", 0.2, 0, 10)
    entropy: float = _is("bonus for undecided play, at the start", 0.02, 0, 10)
    entropy_end: float = _is("at the end", 0.005, 0, 10)
    value_weight: float = _is("weight of the value loss", 0.5, 0, 100)
    auxiliary_weight: float = _is(
        "weight of foreseeing how the game will stand after the turn and at its end, 0: not asked", 0.0, 0, 100
    )
    max_gradient: float = _is("longest gradient", 0.5, 0)
    target_kl: float = _is("an update stops when the policy has moved this far, 0: never", 0.0, 0)
    # league
    self_share: float = _is("share of games against the current policy; it learns from both seats", 0.6, 0, 1)
    past_share: float = _is("share against past snapshots; the rest is against built-in agents", 0.25, 0, 1)
    agents: tuple[str, ...] = _is(
        "built-in agents to learn against; all: random and the game's rules-based ones", (ALL,)
    )
    snapshot_every: int = _is("updates between two snapshots", 60, 1)
    pool_size: int = _is("snapshots kept; the easiest goes first", 24, 1, 1000)
    at_once: int = _is("snapshots in play at one time", 3, 1, 100)
    hardness: float = _is("opponents are drawn by (1 - win rate) to this power", 2.0, 0, 20)
    # head start
    start: str = _is(
        "policy to go on from, by name or file: the same network, or an mlp with smaller layers; empty: from nothing",
        "",
    )
    after: str = _is("preset that is trained first, to go on from what it makes; empty: none", "")
    exploiter: int = _is(
        "decisions of a best response to the policy that this run goes on from, trained first; it is then among the "
        "opponents, like those of the parts before; 0: none",
        0,
        0,
    )
    imitate: str = _is("teacher: an agent whose advice counts at first; empty: none", "")
    imitate_weight: float = _is("weight of its advice at the start", 1.0, 0, 100)
    imitate_steps: int = _is("decisions until it no longer counts; falls evenly", 10_000_000, 0)
    # search as a teacher
    search_share: float = _is(
        "share of games in which a search with the current network decides for the learner, who learns what it found",
        0.0,
        0,
        1,
    )
    search_iterations: int = _is("iterations of it per decision", 32, 1, 100_000)
    search_actions: int = _is("actions it tries, the likeliest with some luck", 8, 1, 256)
    search_sharpness: float = _is("how far the logits move for a certain win instead of a certain loss", 10.0, 0, 1000)
    search_trust: float = _is(
        "the network's share in judging a leaf; for the rest a rules-based player plays on", 1.0, 0, 1
    )
    search_weight: float = _is("weight of what is learned from it", 1.0, 0, 100)
    # keeping watch
    baselines: tuple[str, ...] = _is(
        "agents the policy is measured against; usual: random and the game's first rules-based one", (USUAL,)
    )
    evaluate_every: int = _is("updates between two measurements", 120, 1)
    evaluate_pairs: int = _is("pairs of games in each", 128, 2)
    final_pairs: int = _is("pairs of games in the last one", 512, 2)
    checkpoint_every: int = _is("updates between two checkpoints", 60, 1)
    tensorboard: bool = _is("write TensorBoard logs", True)
    # machine
    threads: int = _is("cores for games and learning; trainer fast: a process for each", 2, 1, 1024)
    workers: int = _is("Ray actors that play, 0: play in this process (trainer fast)", 0, 0, 10_000)

    def __post_init__(self) -> None:
        for setting in fields(self):
            _check(setting, getattr(self, setting.name))
        _check_names(self)

    def setups(self) -> list[Setup]:
        games = set(game_names()) - set(all_rulesets())  # a ruleset may bear its game's name
        found = (load_game(text).setups() if text in games else [Setup.parse(text)] for text in self.rules)
        return [setup for several in found for setup in several]

    @property
    def widest(self) -> Setup:
        """The rules whose players see most: what they see is what the network sees."""
        return max(self.setups(), key=lambda s: s.game.observation_size(s.ruleset))

    def built_in(self) -> list[str]:
        """The built-in agents to learn against."""
        return [spec for name in self.agents for spec in (["random", *self._styles()] if name == ALL else [name])]

    def measured(self) -> list[str]:
        """The agents the policy is measured against."""
        usual = ["random", *self._styles()[:1]]
        return [spec for name in self.baselines for spec in (usual if name == USUAL else [name])]

    def _styles(self) -> Sequence[str]:
        game = self.setups()[0].game
        return game.room("styles").STYLES if game.styles else []

    @property
    def table(self) -> dict[str, Any]:
        return {key: list(value) if isinstance(value, tuple) else value for key, value in asdict(self).items()}


GENERAL: dict[str, dict[str, Any]] = {
    "quick": {
        "steps": 1_200_000,
        "hidden": [64, 64],
        "evaluate_every": 15,
        "checkpoint_every": 25,
        "snapshot_every": 10,
    },
    "standard": {"steps": 60_000_000},
}


def presets() -> dict[str, dict[str, Any]]:
    """Those for any game, and those that games declare."""
    games = (load_game(name) for name in game_names())
    return GENERAL | {name: dict(table) for game in games for name, table in game.presets.items()}


# ---- checking -------------------------------------------------------------------------------------------------------


def _wanted(kind: Any) -> str:
    if get_origin(kind) is Literal:
        return " or ".join(map(repr, get_args(kind)))
    if get_origin(kind) is tuple:
        return f"a list of {'whole numbers' if get_args(kind)[0] is int else 'texts'}"
    return {int: "a whole number", float: "a number", bool: "true or false", str: "a text"}[kind]


def _fits(kind: Any, value: Any) -> bool:
    if get_origin(kind) is Literal:
        return value in get_args(kind)
    if get_origin(kind) is tuple:
        return isinstance(value, tuple) and len(value) > 0 and all(_fits(get_args(kind)[0], one) for one in value)
    if kind is float:
        return isinstance(value, int | float) and not isinstance(value, bool) and value == value
    return type(value) is kind


def _check(setting: Any, value: Any) -> None:
    kind = typing.get_type_hints(Config)[setting.name]
    if not _fits(kind, value):
        hint = nearest(value, get_args(kind)) if get_origin(kind) is Literal and isinstance(value, str) else ""
        raise ConfigError(f"setting {setting.name!r}: expected {_wanted(kind)}, not {value!r}{hint}")
    low, high = setting.metadata["low"], setting.metadata["high"]
    for number in value if isinstance(value, tuple) else (value,):
        if (low is not None and number < low) or (high is not None and number > high):
            bounds = f"at least {low}" if high is None else f"{low} to {high}"
            raise ConfigError(f"setting {setting.name!r}: expected {bounds}, not {number}")


def _specs(config: Config, name: str) -> tuple[str, ...]:
    """The agents a setting names."""
    value = getattr(config, name)
    return tuple(s for s in ((value,) if isinstance(value, str) else value) if s and s not in (ALL, USUAL))


def _check_names(config: Config) -> None:
    try:
        setups = config.setups()
    except KaError as error:
        raise ConfigError(f"setting 'rules': {error}") from None
    widest = config.widest
    layout = widest.game.sections(widest.ruleset)
    if any(s.game is not widest.game or not begins(s.game.sections(s.ruleset), layout) for s in setups):
        raise ConfigError(f"setting 'rules': players of {', '.join(config.rules)} see different things: train apart")
    if config.trainer == "sb3" and len({s.game.observation_size(s.ruleset) for s in setups}) > 1:
        raise ConfigError(f"setting 'rules': {', '.join(config.rules)} together are only for the trainer 'fast'")
    known = agent_names()
    for name in ("agents", "baselines", "imitate"):
        for spec in _specs(config, name):
            found = parse_spec(spec)[0]
            if found not in known and found != "python":
                names = f"{', '.join(known)}{nearest(found, known)}"
                raise ConfigError(f"setting {name!r}: unknown agent {found!r}: expected one of {names}")
    if config.after and config.start:
        raise ConfigError("settings 'after' and 'start': only one of them says what to go on from")
    if config.after:
        _known_preset(config.after)
    if config.exploiter and not (config.after or config.start):
        raise ConfigError("setting 'exploiter': nobody to exploit: expected 'start' or 'after' beside it")
    if config.self_share + config.past_share > 1 + 1e-9:
        raise ConfigError(
            f"settings 'self_share' and 'past_share': together at most 1, not {config.self_share + config.past_share:g}"
        )
    if config.minibatch > config.rollout:
        raise ConfigError(f"setting 'minibatch': at most 'rollout' ({config.rollout}), not {config.minibatch}")
    if config.games > config.rollout:
        raise ConfigError(f"setting 'games': at most 'rollout' ({config.rollout}), not {config.games}")
    for name in ("advised", "imitate", "search_share", "auxiliary_weight", "workers"):
        if getattr(config, name) and config.trainer != "fast":
            raise ConfigError(f"setting {name!r}: only for the trainer 'fast'")
    if config.search_share and setups[0].game.search is None:
        raise ConfigError(f"setting 'search_share': {setups[0].game.title} brings no search")
    if config.network == "entity" and setups[0].game.things is None:
        raise ConfigError(f"setting 'network': {setups[0].game.title} declares no things: expected 'mlp'")
    if config.auxiliary_weight and setups[0].game.standing is None:
        raise ConfigError(f"setting 'auxiliary_weight': {setups[0].game.title} does not tell how a game stands")
    if config.advised and not setups[0].game.styles:
        raise ConfigError(f"setting 'advised': {setups[0].game.title} has no rules-based players")
    if config.network == "entity" and config.trainer != "fast":
        raise ConfigError("setting 'network': 'entity' is only for the trainer 'fast'")


# ---- reading --------------------------------------------------------------------------------------------------------


def load_config(
    preset: str | None = None, file: str | Path | None = None, overrides: Sequence[str] | Mapping[str, Any] = ()
) -> Config:
    """A preset, then a TOML file, then `key=value` overrides. A file may name its preset itself."""
    table: dict[str, Any] = {}
    if file is not None:
        try:
            table = tomllib.loads(Path(file).read_text(encoding="utf-8"))
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise ConfigError(f"{file}: {error}") from None
    preset = preset or table.pop("preset", None)
    table.pop("preset", None)
    more = overrides if isinstance(overrides, Mapping) else parse_overrides(overrides)
    return from_table({**(_known_preset(preset) if preset is not None else {}), **table, **more})


def _known_preset(name: str) -> dict[str, Any]:
    known = presets()
    if name not in known:
        raise ConfigError(f"unknown preset {name!r}: expected one of {', '.join(known)}{nearest(str(name), known)}")
    return known[name]


def from_table(table: Mapping[str, Any]) -> Config:
    known = {setting.name for setting in fields(Config)}
    for key in table:
        if key not in known:
            raise ConfigError(f"unknown setting {key!r}{nearest(key, known)}; docs/training.md lists them")
    return Config(**{key: _as_setting(key, value) for key, value in table.items()})


def _as_setting(key: str, value: Any) -> Any:
    """Lists become tuples; a single value stands for a list of one; whole numbers may stand for others."""
    kind = typing.get_type_hints(Config)[key]
    if get_origin(kind) is tuple:
        return tuple(value) if isinstance(value, list | tuple) else (value,)
    if kind is float and type(value) is int:
        return float(value)
    if kind is int and type(value) is float and value.is_integer():
        return int(value)
    return value


def parse_overrides(texts: Sequence[str]) -> dict[str, Any]:
    return dict(_override(text) for text in texts)


def _override(text: str) -> tuple[str, Any]:
    """`key=value` as on the command line; lists by commas. In a list of agents `name:a=1,b=2` is one of them."""
    key, equals, value = text.partition("=")
    key = key.strip()
    if not equals:
        raise ConfigError(f"--set {text}: expected key=value")
    kind = typing.get_type_hints(Config).get(key)
    if kind is not None and get_origin(kind) is tuple:
        return key, [_word(get_args(kind)[0], part) for part in _parts(value)]
    return key, _word(kind, value.strip())


def _parts(value: str) -> list[str]:
    """Between commas; an option, `b=2`, belongs to what comes before it."""
    found: list[str] = []
    for part in filter(None, map(str.strip, value.split(","))):
        if found and "=" in part and ":" not in part:
            found[-1] += f",{part}"
        else:
            found.append(part)
    return found


def _word(kind: Any, text: str) -> Any:
    """A word as what the setting wants, if it can be read so."""
    try:
        if kind is int:
            return int(text.replace("_", "")) if "e" not in text else float(text)
        if kind is float:
            return float(text)
    except ValueError:
        return text
    if kind is bool:
        return {"true": True, "false": False}.get(text.lower(), text)
    return text


def check_agents(config: Config) -> None:
    """Make each agent once: wrong options should be found before the training, not in its middle."""
    from ka_env.agents.registry import make_agent

    for name in ("agents", "baselines", "imitate"):
        for spec in _specs(config, name):
            try:
                make_agent(spec)
            except AgentError as error:
                raise ConfigError(f"setting {name!r}: {error}") from None
