"""The stage: requests waiting to be resolved, last in, first out."""

from __future__ import annotations

from ka_env.blackpoker.cards import NUMBER
from ka_env.blackpoker.codes import FIRST_PLAYER_TARGET, FIRST_STAGE_TARGET, GONE, MAX_KEYS
from ka_env.blackpoker.flow.zones import State, bury
from ka_env.engine.jit import kernel


@kernel
def push(s: State, action: int, player: int, target: int) -> None:
    """Put a request on the stage; the keys named for it go with it."""
    i = s.stage_count
    s.stage_action[i] = action
    s.stage_player[i] = player
    s.stage_target[i] = target
    for k in range(MAX_KEYS):
        s.stage_key[i, k] = s.key[k]
        s.key[k] = -1
    s.stage_count = i + 1


@kernel
def bury_keys(s: State, i: int) -> None:
    """The keys that still lie with request i go to their owner's grave in the order they were shown."""
    for k in range(MAX_KEYS):
        if s.stage_key[i, k] >= 0:
            bury(s, s.stage_player[i], s.stage_key[i, k])
            s.stage_key[i, k] = -1


@kernel
def take_off(s: State, i: int) -> None:
    """Request i leaves the stage; those above move down, and targets follow."""
    last = s.stage_count - 1
    for j in range(i, last):
        s.stage_action[j] = s.stage_action[j + 1]
        s.stage_player[j] = s.stage_player[j + 1]
        s.stage_target[j] = s.stage_target[j + 1]
        for k in range(MAX_KEYS):
            s.stage_key[j, k] = s.stage_key[j + 1, k]
    for j in range(last):  # a redirect may aim a request at one above it
        if s.stage_target[j] == FIRST_STAGE_TARGET + i:
            s.stage_target[j] = GONE
        elif FIRST_STAGE_TARGET + i < s.stage_target[j] < FIRST_PLAYER_TARGET:
            s.stage_target[j] -= 1
    s.stage_action[last] = -1
    s.stage_player[last] = -1
    s.stage_target[last] = -1
    for k in range(MAX_KEYS):
        s.stage_key[last, k] = -1
    s.stage_count = last


@kernel
def top(s: State) -> int:
    """Index of the request on top: the one that is being resolved."""
    return s.stage_count - 1


@kernel
def action_of_top(s: State) -> int:
    return s.stage_action[s.stage_count - 1]


@kernel
def cancel(s: State, i: int) -> None:
    """Request i has no effect: it leaves the stage, its keys go to their owner's grave."""
    bury_keys(s, i)
    take_off(s, i)


@kernel
def caster(s: State) -> int:
    return s.stage_player[s.stage_count - 1]


@kernel
def key_of_top(s: State, k: int) -> int:
    return s.stage_key[s.stage_count - 1, k]


@kernel
def sum_of_keys(s: State) -> int:
    """Of the two keys of the request on top."""
    return NUMBER[key_of_top(s, 0)] + NUMBER[key_of_top(s, 1)]


@kernel
def asking(s: State) -> int:
    """The action that asks the decision: an immediate one being requested, or the one on top of the stage."""
    return s.verb if s.verb >= 0 else action_of_top(s)


@kernel
def keep_key(s: State, k: int) -> None:
    """The effect has put this key elsewhere: it won't go to the grave."""
    s.stage_key[s.stage_count - 1, k] = -1


@kernel
def target_of_top(s: State) -> int:
    return s.stage_target[s.stage_count - 1]
