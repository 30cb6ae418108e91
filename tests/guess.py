"""Experiment: re-draws weighted by the network's probability of the opponent's latest moves, against even ones."""

import argparse
import numpy as np
from ka_env.agents import make_agent
from ka_env.agents.nets import PolicyNet
from ka_env.blackpoker.guess import recast
from ka_env.engine.batch import paired_engine
from ka_env.engine.loops import SKIP
from ka_env.engine.view import PlayerViews
from ka_env.games import Setup, copy_records
from ka_env.training.arena.seeds import seed_of, streams
from ka_env.training.ratings import winrate_interval

AT_ONCE = 10
STATS = []


def weighted_pool(engine, g, past, net, m, beta, rng):
    about = engine.about
    now = copy_records(engine.games, np.array([g]))
    p = int(engine.to_play[g])
    q = 1 - p
    pool = np.repeat(now, m)
    about.kernels.determinize_games(pool, np.full(m, p, np.int8), rng.integers(0, 2**63, m).astype(np.uint64))
    logp = np.zeros(m)
    true = np.repeat(now, 1)
    for record, action in past:
        old = np.repeat(record, m)
        mask = np.zeros((m, about.num_actions), np.int8)
        recast(old, pool, now, q, int(rng.integers(2**62)), mask)
        legal = mask[:, action] > 0
        n = mask.sum(axis=1)
        prob = np.zeros(m)
        use = legal & (n >= 2)
        if use.any():
            some = copy_records(old, np.flatnonzero(use))
            players = np.full(len(some), q, np.int8)
            seen = np.empty((len(some), engine.observation_size), np.float32)
            about.kernels.observe_games(some, 1, players, seen)
            advice = np.zeros(len(some), np.int64)
            about.room("styles").choose_games(some, players, 0, advice)
            ids, logits, _ = net.legal_logits(seen, mask[use].astype(bool), advice)
            w = np.exp(logits - logits.max(axis=1, keepdims=True))
            w[ids < 0] = 0
            at = (ids == action).argmax(axis=1)
            prob[use] = 0.9 * w[np.arange(len(w)), at] / w.sum(axis=1) + 0.1 / n[use]
        logp += np.log(np.maximum(prob, 0.02))
    w = np.exp(beta * (logp - logp.max()))
    w /= w.sum()
    hidden = engine.games[g].hand[q] & ~engine.games[g].seen[q]
    hits = np.array([bin(int(r.hand[q]) & int(hidden)).count("1") for r in pool])
    if hidden:
        STATS.append((1 / (w**2).sum() / m, hits.mean(), (w * hits).sum(), bin(int(hidden)).count("1")))
    return pool[rng.choice(m, m, p=w)]


def pair_scores(spec, rules, first, count, seed, netname, m, k, beta):
    engine = paired_engine(rules, seed_of("evaluation", seed), first, count)
    net = PolicyNet.load(netname)
    players = (make_agent(spec), make_agent(spec))
    sits_first, every = np.repeat([0, 1], count), np.arange(2 * count)
    for number, player in enumerate(players):
        seats = (sits_first != number).astype(np.int8)
        player.begin(every, seats, streams(seed_of("player", seed, number), every + 2 * first))
    decision = 0
    rng = np.random.default_rng(seed + first)
    past = [[] for _ in every]
    while not engine.done.all():
        actions = np.full(2 * count, SKIP, np.int64)
        for number, player in enumerate(players):
            games = np.flatnonzero(~engine.done & ((sits_first ^ engine.to_play) == number))
            if games.size:
                seeds = streams(seed_of("views", seed, decision), games + 2 * first)
                seen = PlayerViews(
                    copy_records(engine.games, games), engine.to_play[games], seeds, engine.about, engine.frame
                )
                if number == 0:
                    player.pool = np.stack(
                        [
                            weighted_pool(engine, g, past[g][-k:], net, m, beta, rng)
                            if k
                            else weighted_pool(engine, g, [], net, m, beta, rng)
                            for g in games
                        ]
                    )
                actions[games] = player.act(games, None, engine.action_mask[games], seen)
        for g in np.flatnonzero(~engine.done):
            if (sits_first[g] ^ engine.to_play[g]) == 1:
                past[g].append((copy_records(engine.games, np.array([g])), int(actions[g])))
        engine.step(actions)
        decision += 1
    scores = (engine.rewards[every, sits_first] + 1) / 2
    return scores[:count] + scores[count:]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("agent")
    parser.add_argument("--net")
    parser.add_argument("--on", type=Setup.parse)
    parser.add_argument("--pairs", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--m", type=int, default=128)
    parser.add_argument("--k", type=int, default=6)
    parser.add_argument("--beta", type=float, default=1.0)
    args = parser.parse_args()
    scores = np.zeros(0)
    for first in range(0, args.pairs, AT_ONCE):
        found = pair_scores(
            args.agent, args.on, first, min(AT_ONCE, args.pairs - first), args.seed, args.net, args.m, args.k, args.beta
        )
        scores = np.concatenate([scores, found])
        rate = winrate_interval(scores)
        s = np.array(STATS).mean(axis=0)
        print(
            f"k={args.k} m={args.m} beta={args.beta} {rate.pairs} pairs: {100 * rate.rate:.1f} % ({100 * rate.low:.1f} to {100 * rate.high:.1f}); ess {s[0]:.2f}, cards right even {s[1]:.2f} weighted {s[2]:.2f} of {s[3]:.2f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
