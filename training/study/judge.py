"""Judging decisions by search: the chances of every option, from what the player to decide can know.

Every option gets a search of its own, and all of them the same re-draws of what the player can't know, so that their
differences are less noisy than the chances themselves. The options share the budget by halving: each round the worse
half drops out, the one that was played never does. So the best and the played option rest on equally many iterations.
How sure a chance is comes from the means of short stretches of the search. That is the noise of the search; how far its
judgement as a whole can be trusted is what calibration measures.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from math import ceil, log2, sqrt
from typing import Any, NamedTuple

import numpy as np

from ka_env.agents.ismcts_agent import AUTO, CHILDREN, IsmctsAgent, root_options
from ka_env.engine.ismcts import NODE
from ka_env.errors import KaError
from ka_env.games import Setup, copy_records
from ka_env.training.arena.seeds import streams

BUDGET = 3000  # iterations per decision
LEAST = 64
STRETCH = 20  # iterations whose mean is one sample of the noise
MOST_OPTIONS = 16  # that are judged; more are there only in huge positions
FORCED = 1.0e6  # as a prior: beyond all that the search could prefer
NO_NET = "none"


class Chance(NamedTuple):
    """Of one option: the expected result of the player who decides, from 0 to 1, and its standard error."""

    action: int
    chance: float
    error: float
    visits: int


class Judgement(NamedTuple):
    """Of one decision. `options` are sorted, the best first; `played` is one of them."""

    options: list[Chance]
    played: Chance
    loss: float  # what the best option would have been worth more, never below 0
    loss_error: float  # its standard error
    over: tuple[float, float] | None = None  # how much more the played one is worth than `other`, and the error of that

    @property
    def best(self) -> Chance:
        return self.options[0]


class Question(NamedTuple):
    """A decision to be judged: a record (a batch of one) and what was played."""

    record: np.ndarray
    played: int
    number: int  # its luck: the same number under the same seed gives the same judgement
    other: int | None = None  # another option to be judged as thoroughly


class Judge:
    """Judges decisions under one ruleset. `net`: a policy's name, `auto` for the shipped one that fits, `none`."""

    def __init__(self, setup: Setup, budget: int = BUDGET, net: str = AUTO, seed: int = 0) -> None:
        if budget < LEAST:
            raise KaError(f"budget {budget}: expected at least {LEAST} iterations per decision")
        self.game, self.budget, self.seed = setup.game, int(budget), int(seed)
        self.search = self.game.room("search")
        self.agent = IsmctsAgent(net=None if net == NO_NET else net)
        self.advice = self.agent.advice(setup.ruleset, setup.frame)
        self.name = f"ismcts:net={self.advice.name or NO_NET}"

    def judge_all(
        self, questions: Iterable[Question], threads: int = 1, after: Callable[[], None] | None = None
    ) -> Iterator[Judgement]:
        """In the order of the questions; `after` is called for each."""
        if threads < 1:
            raise KaError(f"threads {threads}: expected at least 1")
        pool = ThreadPoolExecutor(threads)
        try:
            for judgement in pool.map(self.judge, questions):
                if after:
                    after()
                yield judgement
        finally:
            pool.shutdown(cancel_futures=True)  # who stops early waits for no more than is under way

    def judge(self, question: Question) -> Judgement:
        root = copy_records(question.record)
        player = root["player"].copy()
        luck = streams(self.seed, np.array([2 * question.number, 2 * question.number + 1]))
        self.game.kernels.determinize_games(root, player, luck[:1])  # from here on nobody knows the hidden cards
        tree = self._first_look(root, player, luck[1:])
        nodes, actions = root_options(tree)
        order = np.argsort(-tree["prior"][nodes], kind="stable")
        chosen = [int(actions[i]) for i in order[:MOST_OPTIONS]]
        kept = [question.played] if question.other is None else [question.played, question.other]
        missing = [action for action in kept if action not in chosen]
        chosen = [action for action in chosen if action in kept or len(missing) + chosen.index(action) < MOST_OPTIONS]
        chosen += missing
        runs = _Runs(self, root, player, luck[1], tree, [int(nodes[actions == a][0]) for a in chosen])
        self._share(runs, [chosen.index(action) for action in kept])
        return runs.judgement(chosen, *(chosen.index(action) for action in kept))

    def _first_look(self, root: np.ndarray, player: np.ndarray, luck: np.ndarray) -> np.ndarray:
        """A tree with all options at its root, and none of them tried."""
        trees = np.zeros((1, MOST_ROOT), NODE)
        state = self.agent.prepare(self.advice, self.game, root, player, trees, np.ones(1, np.int64), luck.copy())
        self.agent.search_on(self.advice, self.search, state, 0, 1, 1)
        tree = trees[0]
        tree["visits"] = tree["open"] = 0
        tree["score"] = 0
        below = int(tree[0]["child"])
        while below:  # what the first try found below is found again
            tree[below]["child"] = 0
            below = int(tree[below]["sibling"])
        return tree

    def _share(self, runs: _Runs, kept: list[int]) -> None:
        left = list(range(len(runs)))
        rounds = max(1, ceil(log2(len(left))))
        for _ in range(rounds):
            stretches = max(1, round(self.budget / rounds / len(left) / STRETCH))
            for option in left:
                runs.go_on(option, stretches)
            best = sorted(left, key=lambda option: -runs.chance(option))[: max(2, ceil(len(left) / 2))]
            left = [option for option in left if option in best or option in kept]


MOST_ROOT = 256 + 64  # nodes of a first look: an option for every action, and those below one of them


class _Runs:
    """The searches of one decision, one for each option."""

    def __init__(
        self, judge: Judge, root: np.ndarray, player: np.ndarray, luck: np.uint64, tree: np.ndarray, nodes: list[int]
    ) -> None:
        count, used = len(nodes), 1 + int(np.max(nodes))
        self._judge, self._nodes = judge, nodes
        self._trees = np.zeros((count, used + CHILDREN * judge.budget + 64), NODE)
        self._trees[:, :used] = tree[:used]
        every = root_options(tree)[0]
        for i, node in enumerate(nodes):
            self._trees["prior"][i, every] = -FORCED
            self._trees["prior"][i, node] = FORCED
        roots = copy_records(np.repeat(root, count))
        self._state = judge.agent.prepare(
            judge.advice,
            judge.game,
            roots,
            np.repeat(player, count),
            self._trees,
            np.full(count, used),
            np.full(count, luck, np.uint64),
        )
        self._means: list[list[float]] = [[] for _ in nodes]

    def __len__(self) -> int:
        return len(self._nodes)

    def go_on(self, option: int, stretches: int) -> None:
        node, judge = self._trees[option, self._nodes[option]], self._judge
        for _ in range(stretches):
            before = float(node["score"])
            judge.agent.search_on(judge.advice, judge.search, self._state, option, option + 1, STRETCH)
            self._means[option].append((float(node["score"]) - before) / STRETCH)

    def chance(self, option: int) -> float:
        return float(np.mean(self._means[option]))

    def judgement(self, actions: list[int], played: int, other: int | None = None) -> Judgement:
        found = [
            Chance(action, self.chance(i), _error(self._means[i]), STRETCH * len(self._means[i]))
            for i, action in enumerate(actions)
        ]
        most = max(len(means) for means in self._means)
        lasting = [i for i, means in enumerate(self._means) if len(means) == most]
        best = max(lasting, key=lambda i: (found[i].chance, i == played))
        loss = max(0.0, found[best].chance - found[played].chance)
        both = self._differences(best, played)
        over = None
        if other is not None:
            over = found[played].chance - found[other].chance, _error(self._differences(played, other))
        first = found[best]
        rest = sorted((one for one in found if one is not first), key=lambda one: -min(one.chance, first.chance))
        return Judgement([first, *rest], found[played], loss, 0.0 if best == played else _error(both), over)

    def _differences(self, one: int, two: int) -> np.ndarray:
        return np.array(self._means[one]) - np.array(self._means[two])


def _error(means: Iterable[float]) -> float:
    """The standard error of the mean of stretches; of one alone, as of coin flips."""
    values = np.array(list(means))
    if len(values) > 1:
        return float(values.std(ddof=1) / sqrt(len(values)))
    chance = min(max(float(values[0]), 0.0), 1.0)
    return sqrt(max(chance * (1 - chance), 0.01) / STRETCH)


def describe(judge: Judge) -> dict[str, Any]:
    """What was judged by, for JSON and pages."""
    return {"agent": judge.name, "budget": judge.budget, "seed": judge.seed}
