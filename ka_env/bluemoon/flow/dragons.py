"""Dragons, the end of a game and of a match (section 3)."""

from __future__ import annotations

from ka_env.bluemoon.chance import State
from ka_env.bluemoon.codes import GAME_END, MAX_DRAGONS
from ka_env.engine.jit import kernel


@kernel
def attract(s: State, p: int) -> bool:
    """p attracts one dragon. True if that wins the game."""
    if s.dragons[1 - p] > 0:
        s.dragons[1 - p] -= 1
    elif s.dragons[p] < MAX_DRAGONS:
        s.dragons[p] += 1
    else:
        end_game(s, p)
        return True
    return False


@kernel
def end_game(s: State, winner: int) -> None:
    """The flow goes on with the end of the game, and with nothing else."""
    s.winner = winner
    s.point = GAME_END


@kernel
def end_by_empty_hand(s: State) -> None:
    """The player with dragons wins; with all dragons neutral whoever was first out loses."""
    if s.dragons[0] > 0:
        end_game(s, 0)
    elif s.dragons[1] > 0:
        end_game(s, 1)
    else:
        end_game(s, 1 - max(s.out, 0))
