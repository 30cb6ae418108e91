"""The rules bound to the neutral loops: what Python calls."""

from kuhn.knowledge import determinize, entities, observe
from kuhn.rules import STARTS, answer, deal, find_legal

from ka_env.engine import loops
from ka_env.engine.jit import entry, kernel
from ka_env.engine.loops import Rules


@kernel
def rules():
    return Rules(STARTS, deal, answer, find_legal, observe, entities, determinize)


@entry
def seed_games(games, seed, first):
    loops.seed_slice(games, seed, first)


@entry
def deal_games(games, lo, hi, setting, only_done, out, seen):
    loops.deal_slice(games, lo, hi, rules(), setting, only_done, out, seen)


@entry
def first_illegal(games, actions):
    return loops.first_illegal_in(games, rules(), actions)


@entry
def step_games(games, lo, hi, actions, out, seen):
    loops.step_slice(games, lo, hi, rules(), actions, out, seen)


@entry
def answer_games(games, actions, left):
    loops.answer_slice(games, rules(), actions, left)


@entry
def observe_games(games, lo, hi, players, out):
    loops.observe_slice(games, lo, hi, rules(), players, out)


@entry
def entities_games(games, players, groups):
    loops.entities_slice(games, rules(), players, groups)


@entry
def determinize_games(games, players, seeds):
    loops.determinize_slice(games, rules(), players, seeds)


@entry
def random_actions(games, lo, hi, rng, out):
    loops.random_slice(games, lo, hi, rules(), rng, out)


@entry
def perft(scratch, depth):
    return loops.leaves(scratch, rules(), depth)
