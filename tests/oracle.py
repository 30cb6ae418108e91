"""What is it worth to know the opponent's hand? A search that is told it meets the same search that is not.

    python -m tests.oracle ismcts:iterations=200 --on 8.0-lite/entry20 --pairs 100

No agent of the project can play like this: views re-draw what the player can't know. Here the hand is marked as seen in
a copy of the game before the view is made, so every re-draw leaves it as it is. It tells how much better search could
become at most if it guessed the hand from the opponent's moves. For BlackPoker, whose records have `seen`.
"""

import argparse

import numpy as np

from ka_env.agents import make_agent
from ka_env.engine.batch import paired_engine
from ka_env.engine.loops import SKIP
from ka_env.engine.view import PlayerViews
from ka_env.games import Setup, copy_records
from ka_env.training.arena.seeds import seed_of, streams
from ka_env.training.ratings import winrate_interval

AT_ONCE = 10  # pairs


def views(engine, games, seeds, told):
    records = copy_records(engine.games, games)
    if told:
        every, enemy = np.arange(len(games)), 1 - engine.to_play[games].astype(int)
        records["seen"][every, enemy] |= records["hand"][every, enemy]
    return PlayerViews(records, engine.to_play[games], seeds, engine.about, engine.frame)


def pair_scores(spec, rules, first, count, seed):
    """Of the one who is told, in pairs number `first` and on: 0 to 2."""
    engine = paired_engine(rules, seed_of("evaluation", seed), first, count)
    players = (make_agent(spec), make_agent(spec))
    sits_first, every = np.repeat([0, 1], count), np.arange(2 * count)
    for number, player in enumerate(players):
        seats = (sits_first != number).astype(np.int8)
        player.begin(every, seats, streams(seed_of("player", seed, number), every + 2 * first))
    decision = 0
    while not engine.done.all():
        actions = np.full(2 * count, SKIP, np.int64)
        for number, player in enumerate(players):
            games = np.flatnonzero(~engine.done & ((sits_first ^ engine.to_play) == number))
            if games.size:
                seeds = streams(seed_of("views", seed, decision), games + 2 * first)
                seen = views(engine, games, seeds, told=number == 0)
                actions[games] = player.act(games, None, engine.action_mask[games], seen)
        engine.step(actions)
        decision += 1
    scores = (engine.rewards[every, sits_first] + 1) / 2
    return scores[:count] + scores[count:]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("agent", help="a search, such as ismcts:iterations=200")
    parser.add_argument("--on", type=Setup.parse, default=Setup.of("8.0-lite"), metavar="RULES")
    parser.add_argument("--pairs", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    scores = np.zeros(0)
    for first in range(0, args.pairs, AT_ONCE):
        found = pair_scores(args.agent, args.on, first, min(AT_ONCE, args.pairs - first), args.seed)
        scores = np.concatenate([scores, found])
        rate = winrate_interval(scores)
        told = f"{100 * rate.rate:.1f} % ({100 * rate.low:.1f} to {100 * rate.high:.1f})"
        print(f"{args.agent} told the hand, {args.on.label}, {rate.pairs} pairs: {told}", flush=True)


if __name__ == "__main__":
    main()
