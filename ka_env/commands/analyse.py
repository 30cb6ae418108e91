"""Judge a recorded game decision by decision: what were the chances, and what was thrown away?

Search goes through the game with the shipped network where one fits. Chances are judged from what the player to decide
could know. FILE is a record, a file of many (.jsonl, .parquet) or a store of the arena (.sqlite).
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING

from ka_env.commands.view import find
from ka_env.errors import KaError
from ka_env.record import names_of_files
from ka_env.viewer import LANGUAGES, page

if TYPE_CHECKING:
    from ka_env.training.study.analyse import Analysis, Decision

HELP = "judge a recorded game by search: chances, mistakes, a page with the curve"
TOLD = 8  # marked decisions in the summary


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("file", metavar="FILE", help=f"records ({names_of_files()}) or a store of the arena")
    parser.add_argument("--game", metavar="N", help="which game of the file: its number, or its id in a store")
    judging_arguments(parser)
    parser.add_argument("--json", action="store_true", help="everything as JSON to standard output, and no page")
    parser.add_argument("-o", "--out", metavar="OUT.html", help="the page to write (default: FILE-analysis.html)")
    parser.add_argument("--lang", default="en", choices=list(LANGUAGES), help="language of the page (default en)")
    parser.add_argument("--open", action="store_true", help="open the page in the browser")
    parser.add_argument("--quiet", action="store_true", help="no progress")


def judging_arguments(parser: argparse.ArgumentParser) -> None:
    """The options that say how decisions are judged."""
    parser.add_argument("--budget", type=int, metavar="N", help="iterations of search per decision (default 3000)")
    parser.add_argument("--net", default="auto", metavar="NAME", help="a policy, auto (the one that fits) or none")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="of the search (default 0)")
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1, metavar="N", help="default: all cores")


def run(args: argparse.Namespace) -> int:
    path = Path(args.file)
    found = find(path, args.game)
    analysis = judged(args, found.record, path)
    if args.json:
        json.dump(analysis.to_json(), sys.stdout, ensure_ascii=False, indent=1)
        print()
        return 0
    tell(analysis)
    out = (
        Path(args.out) if args.out else path.with_name(f"{path.stem}{'-' * bool(found.name)}{found.name}-analysis.html")
    )
    out.write_text(page(found.record, args.lang, analysis.to_json()), encoding="utf-8")
    print(f"Page: {out}")
    if args.open:
        webbrowser.open(out.resolve().as_uri())
    return 0


def judged(args: argparse.Namespace, record: object, path: Path) -> Analysis:
    from ka_env.training.arena.progress import Meter
    from ka_env.training.study.analyse import analyse
    from ka_env.training.study.judge import BUDGET

    meter: list[Meter] = []  # made when the number of decisions is known

    def after(done: int, total: int) -> None:
        if not meter:
            meter.append(Meter(total, 0, args.quiet, "analyse", "decisions"))
        meter[0].show(done, None, last=done == total)

    budget = BUDGET if args.budget is None else args.budget
    try:
        return analyse(record, budget, args.net, args.seed, args.threads, after)  # type: ignore[arg-type]
    except KaError as error:
        raise type(error)(f"{path}: {error}") from None
    finally:
        for one in meter:
            one.close()


def tell(analysis: Analysis) -> None:
    """The summary: who lost how much per decision, and the worst decisions."""
    by = analysis.judged_by
    print(f"judged by {by['agent']}, {by['budget']} iterations per decision, seed {by['seed']}")
    for player in range(2):
        facts = analysis.summary(player)
        if facts["average_loss"] is None:
            continue
        error = f" ± {196 * facts['average_loss_error']:.1f}" if facts["average_loss_error"] is not None else ""
        marked = ", ".join(f"{count} above {limit}" for limit, count in facts["marked"].items())
        print(
            f"player {player} {facts['name']}: {100 * facts['average_loss']:.1f}{error} points lost per decision over "
            f"{facts['decisions']} decisions ({marked})"
        )
    marked_ones = sorted((d for d in analysis.decisions if d.mark), key=lambda d: -d.judgement.loss)
    for decision in marked_ones[:TOLD]:
        print(f"  {_line(decision)}")
    if len(marked_ones) > TOLD:
        print(f"  and {len(marked_ones) - TOLD} more: see the page")


def _line(decision: Decision) -> str:
    found = decision.judgement
    best = decision.tokens[found.best.action]
    return (
        f"move {decision.number}, player {decision.player} at {decision.kind}: {decision.token} "
        f"{100 * decision.after:.0f} %, {best} {100 * decision.before:.0f} % "
        f"(-{100 * found.loss:.0f} ± {196 * found.loss_error:.0f})"
    )
