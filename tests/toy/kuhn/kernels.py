"""The rules bound to the neutral loops: what Python calls."""

from kuhn.knowledge import determinize, entities, observe
from kuhn.rules import answer, deal, find_legal, first_id

from ka_env.engine import loops
from ka_env.engine.jit import entry, kernel
from ka_env.engine.loops import Rules


@kernel
def rules():
    return Rules(first_id, deal, answer, find_legal, observe, entities, determinize)


@entry
def seed_games(games, seed, first):
    loops.seed_slice(games, seed, first)


@entry
def deal_games(games, threads, setting, only_done, mask, to_play, done, rewards, seen):
    loops.deal_slice(games, 0, games.size, rules(), setting, only_done, mask, to_play, done, rewards, seen)


@entry
def step_games(games, threads, actions, mask, to_play, done, rewards, seen):
    wrong = loops.first_illegal(games, rules(), actions)
    if wrong < 0:
        loops.step_slice(games, 0, games.size, rules(), actions, mask, to_play, done, rewards, seen)
    return wrong


@entry
def answer_games(games, actions, left):
    loops.answer_slice(games, rules(), actions, left)


@entry
def observe_games(games, threads, players, seen):
    loops.observe_slice(games, 0, games.size, rules(), players, seen)


@entry
def entities_games(games, players, groups):
    loops.entities_slice(games, rules(), players, groups)


@entry
def determinize_games(games, players, seeds):
    loops.determinize_slice(games, rules(), players, seeds)


@entry
def random_actions(games, threads, rng, actions):
    loops.random_slice(games, 0, games.size, rules(), rng, actions)


@entry
def perft(scratch, depth):
    return loops.leaves(scratch, rules(), depth)
