"""The tables of recorded results in the pages, made from docs/results/*.json.

Such a file is what `ka arena ... --json docs/results/NAME.json` writes. In a page stands, where a table belongs,

    <!-- results KIND NAME ... -->
    <!-- /results -->

and `python -m ka_env.training.results_docs` writes the table in between; a test compares the pages with the files.
Intervals are computed from the counts of pairs, so that no page can have others than the arena's.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from ka_env.errors import KaError, nearest
from ka_env.training.arena.charts import signed
from ka_env.training.arena.tables import with_interval
from ka_env.training.ratings import PAIR_SCORES, Winrate, winrate_interval

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "docs" / "results"
PAGES = [ROOT / "README.md", *(ROOT / "docs" / f"{name}.md" for name in ("agents", "strength", "training"))]
MARK = re.compile(r"(<!-- results (\w+) ([\w .-]+?) -->\n).*?(<!-- /results -->)", re.DOTALL)

Result = dict[str, Any]


@cache
def load(name: str) -> Result:
    path = RESULTS / f"{name}.json"
    if not path.is_file():
        known = sorted(file.stem for file in RESULTS.glob("*.json"))
        raise KaError(f"results {name!r}: expected one of {', '.join(known)}{nearest(name, known)}")
    return json.loads(path.read_text(encoding="utf-8"))


def rate_of(pairing: dict[str, Any]) -> Winrate:
    """From the counts of pairs that brought 0, 0.5, 1, 1.5 and 2 points."""
    return winrate_interval(np.repeat(PAIR_SCORES, pairing["pairs"]))


def between(standing: dict[str, Any], one: str, two: str) -> Winrate | None:
    """The win rate of one agent against another, whichever way round it is stored."""
    for pairing in standing["pairings"]:
        rate = rate_of(pairing)
        if (pairing["agent"], pairing["opponent"]) == (one, two):
            return rate
        if (pairing["agent"], pairing["opponent"]) == (two, one):
            return Winrate(1 - rate.rate, 1 - rate.high, 1 - rate.low, rate.pairs)
    return None


def told(result: Result) -> str:
    """Where the numbers come from."""
    return f"`{result['command']}`, {recorded(result)}"


def recorded(result: Result) -> str:
    words = f"recorded on {result['date']} at commit {short(result['commit'])}"
    return words + (f" ({result['note']})" if result.get("note") else "")


def short(commit: str) -> str:
    """Seven digits; what is said of uncommitted changes stays."""
    number, dash, rest = commit.partition("-")
    return number[:7] + dash + rest


def table(heads: list[str], rows: list[list[str]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def matrix(*names: str) -> str:
    """Ratings, and everybody against everybody."""
    result = load(names[0])
    standing = result["standings"][0]
    order = sorted(range(len(standing["agents"])), key=lambda k: -standing["elo"][k])
    agents = [standing["agents"][k] for k in order]
    heads = [standing["rules"], "Elo", *(f"against {rank}" for rank in range(1, len(agents) + 1))]
    rows = []
    for rank, k in enumerate(order, 1):
        elo = f"{signed(standing['elo'][k])} ± {standing['elo_half_width'][k]:.0f}"
        rates = [with_interval(between(standing, standing["agents"][k], other)) for other in agents]
        rows.append([f"{rank} `{standing['agents'][k]}`", elo, *rates])
    return f"{told(result)}:\n\n{table(heads, rows)}"


def against(*names: str) -> str:
    """One agent against many, a column for each of the rules."""
    result = load(names[0])
    by_rules = [standing for standing in result["standings"] if "/" in standing["rules"]]
    one, *others = result["standings"][0]["agents"]
    heads = [f"`{one}` against", *(standing["rules"] for standing in by_rules)]
    rows = [[f"`{two}`", *(with_interval(between(standing, one, two)) for standing in by_rules)] for two in others]
    return f"{told(result)}:\n\n{table(heads, rows)}"


def by_rules(*names: str) -> str:
    """One agent against others, a line for each of the rules."""
    result = load(names[0])
    one, *others = result["standings"][0]["agents"]
    rows = [[s["rules"], *(with_interval(between(s, one, two)) for two in others)] for s in result["standings"]]
    return f"{told(result)}:\n\n{table([f'`{one}` against', *(f'`{two}`' for two in others)], rows)}"


def pairings(*names: str) -> str:
    """A line for each pairing of several results."""
    rows = []
    results = [load(name) for name in names]
    for result in results:
        for standing in result["standings"]:
            for pairing in standing["pairings"]:
                rate = rate_of(pairing)
                who = [f"`{pairing['agent']}`", f"`{pairing['opponent']}`"]
                rows.append([standing["rules"], *who, str(rate.pairs), with_interval(rate), f"`{result['command']}`"])
    notes = dict.fromkeys(recorded(result) for result in results)
    made = table(["rules", "agent", "against", "pairs", "win rate", "by"], rows)
    return f"{made}\n\n{'; '.join(notes).capitalize()}."


def ladder(*names: str) -> str:
    """Ratings and overall win rates, a column for each of the rules."""
    result = load(names[0])
    standings = result["standings"]
    last = standings[-1]
    order = sorted(range(len(last["agents"])), key=lambda k: -last["elo"][k])
    rows = []
    for k in order:
        cells = [f"{signed(one['elo'][k])} ± {one['elo_half_width'][k]:.0f}{_overall(one, k)}" for one in standings]
        rows.append([f"`{last['agents'][k]}`", *cells])
    return f"{told(result)}:\n\n{table(['Elo ± 95 %', *(s['rules'] for s in standings)], rows)}"


def _overall(standing: dict[str, Any], k: int) -> str:
    """The win rate against all others together, where it is known."""
    return f", wins {with_interval(standing['win_rate'][k])}" if "win_rate" in standing else ""


KINDS: dict[str, Callable[..., str]] = {
    "matrix": matrix,
    "against": against,
    "by_rules": by_rules,
    "pairings": pairings,
    "ladder": ladder,
}


def with_results(page: str) -> str:
    """The page with its tables made anew."""

    def made(found: re.Match[str]) -> str:
        head, kind, names, foot = found.groups()
        if kind not in KINDS:
            raise KaError(f"results of kind {kind!r}: expected one of {', '.join(KINDS)}{nearest(kind, KINDS)}")
        return f"{head}\n{KINDS[kind](*names.split())}\n\n{foot}"

    return MARK.sub(made, page)


if __name__ == "__main__":
    for page in PAGES:
        page.write_text(with_results(page.read_text(encoding="utf-8")), encoding="utf-8")
