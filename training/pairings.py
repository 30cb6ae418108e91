"""How an agent fares with each deck against each: `python -m ka_env.training.pairings policy:NAME greedy --on RULESET`.

For games with frames like `one-other`, which say what the first and the second player play. Each pairing is played in
pairs of games: one deal, and then the other side of it, so a pair counts for two cells of the table.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

import numpy as np

from ka_env.agents import make_agent
from ka_env.agents.nets import PolicyNet
from ka_env.errors import KaError
from ka_env.games import Setup, game_of
from ka_env.training.evaluate import seat_scores
from ka_env.training.ratings import winrate_interval


def names_of(ruleset: str) -> list[str]:
    """What frames like `one-other` are made of."""
    frames = [frame.split("-") for frame in game_of(ruleset).frames if frame.count("-") == 1]
    names = list(dict.fromkeys(one for one, _ in frames))
    if {(a, b) for a in names for b in names} != {(a, b) for a, b in frames} or not names:
        raise KaError(f"{ruleset}: expected a ruleset with a frame for each pair of decks, such as one-other")
    return names


def pairings(agent: str, other: str, ruleset: str, pairs: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """table[i, j]: the agent's mean score with i against j, over 2 * pairs games; and its score in every pair."""
    names = names_of(ruleset)
    players = make_agent(agent), make_agent(other)
    table, scores = np.zeros((len(names), len(names))), []
    for i, own in enumerate(names):
        for j, theirs in enumerate(names):
            setup = Setup.of(ruleset, f"{own}-{theirs}")
            first, second = seat_scores(players, setup, pairs, 0, seed)
            table[i, j] += first.mean() / 2
            table[j, i] += second.mean() / 2
            scores.append(first + second)
    return table, np.concatenate(scores)


def as_text(names: Sequence[str], table: np.ndarray) -> str:
    """In Markdown, per cent: rows are what the agent plays, columns what it plays against."""
    lines = ["| | " + " | ".join(names) + " | all |", "|---" * (len(names) + 2) + "|"]
    for name, row in zip(names, table):
        lines.append(f"| {name} | " + " | ".join(f"{100 * x:.0f}" for x in (*row, row.mean())) + " |")
    lines.append("| all | " + " | ".join(f"{100 * x:.0f}" for x in (*table.mean(axis=0), table.mean())) + " |")
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m ka_env.training.pairings", description=__doc__)
    parser.add_argument("agent")
    parser.add_argument("other")
    parser.add_argument("--on", required=True, metavar="RULESET")
    parser.add_argument("--pairs", type=int, default=10, help="pairs of games for each frame")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--card", metavar="FILE", help="a policy file whose card gets the table")
    args = parser.parse_args(arguments)
    table, scores = pairings(args.agent, args.other, args.on, args.pairs, args.seed)
    names = names_of(args.on)
    rate = winrate_interval(scores)
    print(as_text(names, table))
    print(f"{args.agent} against {args.other}: {100 * rate[0]:.1f} % ({100 * rate[1]:.1f} to {100 * rate[2]:.1f})")
    if args.card:
        net = PolicyNet.load(args.card)
        found = {"names": names, "pairs": args.pairs, "winrates": table.round(3).tolist()}
        net.card["pairings"] = {**net.card.get("pairings", {}), args.other: found}
        net.save(args.card)


if __name__ == "__main__":
    main()
