"""Several processes that learn together."""

import os
import signal
import threading
from dataclasses import replace

import numpy as np
import pytest
import torch

from ka_env.errors import KaError
from ka_env.training.adam import Adam
from ka_env.training.ppo import FastTrainer
from ka_env.training.team import Captain, Team, members
from tests.training.test_train import collected, small


class Friends(Team):
    """Members in threads of this process."""

    def __init__(self, rank, size, memory, count, board, barrier):
        self.rank, self.size, self._board, self._barrier = rank, size, board, barrier
        self._lay_out(memory, count)

    def gather(self, own):
        self._board[self.rank] = own
        self._barrier.wait(60)
        found = list(self._board)
        self._barrier.wait(60)
        return found


def friends(size, count):
    memory = np.zeros((size + 2) * (count + 16), np.float32)
    board, barrier = [None] * size, threading.Barrier(size)
    return [Friends(rank, size, memory, count, board, barrier) for rank in range(size)]


def together(tasks):
    found = [None] * len(tasks)

    def work(i):
        found[i] = tasks[i]()

    threads = [threading.Thread(target=work, args=(i,)) for i in range(len(tasks))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return found


@pytest.mark.parametrize("network", ["mlp", "entity"])
def test_members_learn_what_one_would_learn_from_all_their_rows(network):

    config = small(network=network, rollout=2048, minibatch=2048, epochs=2, games=32)
    _, _, first = collected(config, 300)
    _, _, second = collected(replace(config, seed=1), 150)
    alone = FastTrainer(config)
    start = {name: array.copy() for name, array in alone.net.arrays().items()}
    facts = alone.learn([first, second], 0.5)
    teams = friends(2, alone.team.weights.size)
    trainers = [FastTrainer(config, team) for team in teams]
    for trainer in trainers:
        assert all(np.array_equal(array, start[name]) for name, array in trainer.net.arrays().items())
    told = together([lambda: trainers[0].learn([first], 0.5), lambda: trainers[1].learn([second], 0.5)])
    assert told[0] == told[1] and told[0].keys() == facts.keys()
    assert trainers[0].steps == trainers[1].steps == alone.steps
    for name in ("policy_loss", "value_loss", "entropy", "learning_rate"):
        assert told[0][name] == pytest.approx(facts[name], abs=1e-5), name
    moved = 0.0
    for name, array in alone.net.arrays().items():
        np.testing.assert_allclose(array, trainers[1].net.arrays()[name], atol=2e-5, err_msg=name)
        moved = max(moved, np.abs(array - start[name]).max())
    assert moved > 1e-3


def test_adam_is_adam():
    rng = np.random.default_rng(1)
    weights = torch.nn.Parameter(torch.from_numpy(rng.normal(size=37).astype(np.float32)))
    theirs = torch.optim.Adam([weights], lr=0.01, eps=1e-5)
    teams = friends(3, 37)
    teams[0].weights[:37] = weights.detach().numpy()
    ours = [Adam(team, longest=0.5) for team in teams]
    for _ in range(20):
        gradients = rng.normal(size=(3, 37)).astype(np.float32) * np.float32(rng.choice([0.01, 1.0]))
        weights.grad = torch.from_numpy(gradients.sum(axis=0))
        torch.nn.utils.clip_grad_norm_([weights], 0.5)
        theirs.step()
        teams[0].gradients[:, :37] = gradients
        together([lambda one=one: one.step(0.01) for one in ours])
        np.testing.assert_allclose(teams[2].weights[:37], weights.detach().numpy(), atol=1e-5)


def test_two_processes_give_the_same_twice_and_share_the_games():
    config = small(threads=2, games=32, agents=["random", "greedy"], self_share=0.3, past_share=0.3)
    arrays, facts = [], []
    for _ in range(2):
        trainer = FastTrainer(config)
        assert isinstance(trainer.team, Captain) and trainer.team.size == members(config) == 2
        trainer.update(0)
        trainer.add_snapshot("now")
        told = trainer.update(0)
        arrays.append(trainer.arrays())
        facts.append({key: value for key, value in told.items() if not key.startswith("seconds")})
        state = trainer.facts()
        trainer.close()
    assert facts[0] == facts[1] and arrays[0].keys() == arrays[1].keys()
    assert all(np.array_equal(array, arrays[1][name]) for name, array in arrays[0].items())
    assert len(state["members"]) == 2 and state["members"][0] != state["members"][1]
    games = [array for name, array in arrays[0].items() if name.endswith("table.0.opponents")]
    assert sum(map(len, games)) == config.games


def test_without_a_mate_training_ends_with_one_clear_line():
    trainer = FastTrainer(small(threads=2, games=32))
    try:
        os.kill(trainer.team._mates[0].pid, signal.SIGKILL)
        with pytest.raises(KaError, match=r"process 1 of the training has ended \(exit code -9\)"):
            trainer.update(0)
    finally:
        trainer.close()


def test_a_mates_error_is_told():
    trainer = FastTrainer(small(threads=2, games=32))
    try:
        trainer.team.tell("no_such_method")
        with pytest.raises(KaError, match=r"(?s)process 1 of the training has failed: .*no_such_method"):
            trainer.team.gather(None)
    finally:
        trainer.close()
