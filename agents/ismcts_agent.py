"""`ismcts`: information-set Monte-Carlo tree search. The game binds the search kernels (room `search`)."""

from __future__ import annotations

import time
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from ka_env.agents.base import Agent
from ka_env.agents.fitting import policies
from ka_env.agents.nets import PolicyError, PolicyNet
from ka_env.engine.ismcts import MAX_DEPTH, NODE, How, Search
from ka_env.engine.loops import outputs
from ka_env.engine.net import NO_NET, Net, mind
from ka_env.engine.parts import in_parts
from ka_env.game import NOT_SEEN
from ka_env.games import KaGame

CHUNK = 64  # iterations between two looks at the clock
NO_END = 1 << 40  # iterations to come when the clock decides
CHILDREN = 4  # nodes that an iteration adds, about
MAX_BYTES = 256 << 20  # trees held at once
AUTO = "auto"  # in place of a network's name: the shipped one that fits
DOUBT = 0.1  # share of a network's opinion that goes to all moves alike


class Advice(NamedTuple):
    """What the search goes by under some rules."""

    name: str | None  # of the network; None: by playing on
    net: Net
    exploration: float


class IsmctsAgent(Agent):
    """Searches `iterations` times per decision, or for `milliseconds` if given, and plays what it visited most.

    It stops sooner when the iterations left can't change the choice.
    `exploration` weighs trying against trusting. Leaves are judged by a trained network: `net` names a policy as
    `policy:` does, `auto` is the shipped one that fits the rules at hand, if any. Where there is none, or with `none`,
    they are judged by playing on, at the end of the turn and some `turns` later (0: at the end of the game).
    `temperature` above 1 makes a network's opinion of moves milder (without it, as the network's card says), `doubt`
    gives a part of it to all moves alike, and `trust` below 1 lets leaves be played on, too. What was found below the
    own last move is kept when nothing hidden came into play since.
    """

    name = "ismcts"
    needs_observations = False
    needs_views = True

    def __init__(
        self,
        iterations: int = 1000,
        milliseconds: float | None = None,
        exploration: float | None = None,
        turns: int = 2,
        net: str | None = AUTO,
        threads: int = 1,
        temperature: float | None = None,
        trust: float = 1.0,
        doubt: float = DOUBT,
    ) -> None:
        if iterations < 1 or (milliseconds is not None and milliseconds <= 0):
            raise ValueError("ismcts needs at least one iteration, or a positive number of milliseconds")
        if exploration is not None and exploration < 0:
            raise ValueError(f"ismcts: exploration can't be negative: {exploration}")
        self.iterations = int(iterations)
        self.milliseconds = milliseconds
        self.exploration = None if exploration is None else float(exploration)
        if turns < 0:
            raise ValueError(f"ismcts: turns can't be negative: {turns}")
        self.turns = int(turns)
        if (temperature is not None and temperature <= 0) or not 0 <= trust <= 1 or not 0 <= doubt <= 1:
            told = f"{temperature}, {trust} and {doubt}"
            raise ValueError(f"ismcts: temperature must be above 0, trust and doubt from 0 to 1, not {told}")
        if net is None and (temperature, trust, doubt) != (None, 1.0, DOUBT):
            raise ValueError("ismcts: temperature, trust and doubt are about a network: name one by net")
        self.net = None if net is None else str(net)
        self._named = None if self.net in (None, AUTO) else PolicyNet.load(str(net))
        self._advice: dict[tuple[str, str | None], Advice] = {}  # by ruleset and frame
        self.temperature = None if temperature is None else float(temperature)
        self.trust, self.doubt = float(trust), float(doubt)
        self.threads = int(threads)
        self.visits: dict[int, np.ndarray] = {}  # of the latest decision in each game
        self.spent = 0  # iterations in all
        self._rng: dict[int, np.uint64] = {}
        self._last: dict[int, tuple[np.ndarray, int, np.ndarray]] = {}  # root, action chosen, tree

    def begin(self, games: np.ndarray, seats: np.ndarray, seeds: np.ndarray) -> None:
        for game, seed in zip(games, seeds):
            self._rng[int(game)] = np.uint64(seed)
            self.visits.pop(int(game), None)
            self._last.pop(int(game), None)

    def act(
        self,
        games: np.ndarray,
        observations: np.ndarray | None,
        masks: np.ndarray,
        views: Sequence[Any] | None = None,
    ) -> np.ndarray:
        assert views is not None
        search = views.about.room("search")  # type: ignore[attr-defined]
        at_once = max(1, MAX_BYTES // (self._nodes() * NODE.itemsize))
        rulesets = views.records["ruleset"]  # type: ignore[attr-defined]
        edges = [0, *np.flatnonzero(np.diff(rulesets)) + 1, len(games)]  # each has its own network
        parts = [slice(i, min(i + at_once, high)) for low, high in pairwise(edges) for i in range(low, high, at_once)]
        return np.concatenate([self._act_some(search, games[part], masks[part], views, part.start) for part in parts])

    def advice(self, ruleset: str, frame: str | None = None) -> Advice:
        """What it goes by under these rules."""
        if (ruleset, frame) not in self._advice:
            self._advice[ruleset, frame] = self._advise(ruleset, frame)
        return self._advice[ruleset, frame]

    def _advise(self, ruleset: str, frame: str | None) -> Advice:
        fit = policies(ruleset, frame)[:1] if self.net == AUTO else [] if self.net is None else [self.net]
        exploration = self.exploration
        if exploration is None:  # what a guide suggests needs more trying than what a network does
            exploration = 1.0 if fit else 2.5
        if not fit:
            return Advice(None, NO_NET, exploration)
        found = self._named or PolicyNet.load(fit[0])
        if ruleset not in found.rulesets:
            raise PolicyError(f"net {fit[0]!r} was trained on another game or another ruleset than {ruleset}")
        temperature = found.lead_temperature if self.temperature is None else self.temperature
        return Advice(fit[0], tempered(found.net, temperature), exploration)

    def called(self, ruleset: str, frame: str | None = None) -> str:
        name = self.advice(ruleset, frame).name
        if self.net != AUTO or name is None:
            return self.name
        plain, mark, tag = self.name.partition("#")
        return f"{plain}{',' if ':' in plain else ':'}net={name}{mark}{tag}"

    def notes(self, game: int) -> dict[int, float] | None:
        """How often each action was visited."""
        visits = self.visits.get(game)
        return None if visits is None else {int(action): float(visits[action]) for action in np.flatnonzero(visits)}

    def _nodes(self) -> int:
        """Room for a tree: the iterations of this decision and what was kept of the last."""
        expected = self.iterations if self.milliseconds is None else int(self.milliseconds * 100)
        return 2 * CHILDREN * expected + 64

    def _act_some(self, search: Any, games: np.ndarray, masks: np.ndarray, views: Any, first: int) -> np.ndarray:
        n = len(games)
        roots = views.records[first : first + n]
        players = views.players[first : first + n]
        trees = np.zeros((n, self._nodes()), NODE)
        used = np.array([self._regraft(search, int(g), roots[i : i + 1], trees[i], views) for i, g in enumerate(games)])
        rng = np.array([self._rng[int(g)] for g in games], np.uint64)
        kept = trees[:, 0]["visits"].sum()
        advice = self.advice(views.about.rulesets[roots[0].ruleset], views.frame)
        self._search(search, self.prepare(advice, views.about, roots, players, trees, used, rng), advice)
        self.spent += int(trees[:, 0]["visits"].sum() - kept)
        visits = np.zeros((n, views.about.num_actions), np.int64)
        search.root_visits(roots, trees, visits)
        visits[~masks.astype(bool)] = 0  # a tree that was kept may hold what only other re-draws allowed
        actions = visits.argmax(axis=1)
        for i, game in enumerate(games):
            self._rng[int(game)] = rng[i]
            self.visits[int(game)] = visits[i]
            self._last[int(game)] = (roots[i : i + 1].copy(), int(actions[i]), trees[i, : used[i]].copy())
        return actions

    def _search(self, search: Any, state: Search, advice: Advice) -> None:
        def run(iterations: int, later: int) -> None:
            in_parts(
                lambda lo, hi: self.search_on(advice, search, state, lo, hi, iterations, later),
                len(state.roots),
                self.threads,
                least=2,
            )

        if self.milliseconds is None:
            run(self.iterations, 0)
            return
        until = time.perf_counter() + self.milliseconds / 1000
        run(1, NO_END)
        while time.perf_counter() < until:
            run(CHUNK, NO_END)

    def prepare(
        self,
        advice: Advice,
        about: KaGame,
        roots: np.ndarray,
        players: np.ndarray,
        trees: np.ndarray,
        used: np.ndarray,
        rng: np.ndarray,
    ) -> Search:
        """Searches that `search_on` goes on with; a new tree has one node, its root, all zeros."""
        paths = np.zeros((len(roots), MAX_DEPTH), np.int64)
        columns = about.observation_size(about.rulesets[roots[0].ruleset])
        return Search(roots, players, trees, used, rng, paths, roots.copy(), mind(advice.net, len(roots), columns))

    def search_on(
        self, advice: Advice, search: Any, state: Search, lo: int, hi: int, iterations: int, later: int = NO_END
    ) -> None:
        """So many iterations more in the searches from number `lo` up to `hi`."""
        how = How(iterations, later, advice.exploration, self.turns, advice.net, self.trust, self.doubt)
        search.search_games(state, lo, hi, how)

    def _regraft(self, search: Any, game: int, root: np.ndarray, tree: np.ndarray, views: Any) -> int:
        """Begin the tree with what the last search found, if the position is the one it foresaw; 1 for a bare root."""
        if game not in self._last:
            return 1
        before, action, old = self._last.pop(game)
        if not self._foreseen(before, action, root, views.about):
            return 1
        room = len(tree) // 2
        return max(1, search.graft(old, action, tree[:room]))

    def _foreseen(self, before: np.ndarray, action: int, root: np.ndarray, about: KaGame) -> bool:
        """Does the own last move lead here whatever the hidden cards are? Tried on two re-draws of them."""
        kernels = about.kernels
        player = np.repeat(before["player"], 3).astype(np.int8)
        trials = np.concatenate([before, before])
        kernels.determinize_games(trials, player[:2], np.array([1, 2], np.uint64))
        after = outputs(2, about.num_actions)
        kernels.step_games(trials, 1, np.full(2, action), *after, NOT_SEEN)
        if (after.to_play != player[0]).any() or root[0].player != player[0]:
            return False
        size = about.observation_size(about.rulesets[before[0].ruleset])
        seen = np.empty((3, size), np.float32)
        kernels.observe_games(np.concatenate([trials, root]), 1, player, seen)
        return bool((seen == seen[2]).all())


def tempered(net: Net, temperature: float) -> Net:
    """The same network with its logits divided by the temperature."""
    if temperature == 1.0:
        return net
    heads = ("policy", "policy_bias", "query", "query_bias", "skip")
    return net._replace(**{name: getattr(net, name) / np.float32(temperature) for name in heads})


def root_options(tree: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The options at the root of a tree: their nodes and their action ids."""
    nodes = []
    node = int(tree[0]["child"])
    while node:
        nodes.append(node)
        node = int(tree[node]["sibling"])
    found = np.array(nodes, np.int64)
    return found, tree["key"][found] & 255  # as action_of in engine/ismcts.py
