"""The promo ship U31, which is in no deck: the worked cases of promo.txt, with U31 in the place of U30.

Run as a module, this file exchanges the two in the card table before the rules are made, and plays the cases; that is
done interpreted, so that no compiled rules with another deck are ever kept.
"""

import csv
import os
import subprocess
import sys
from pathlib import Path

from . import scenario

HERE = Path(__file__).parent


def test_promo_ship():
    done = subprocess.run(
        [sys.executable, "-m", "tests.bluemoon.test_promo"],
        cwd=HERE.parents[1],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    assert done.stdout.split() == [case.name for case in scenario.load("../promo.txt")]


def rows_with_promo(file, read=csv.DictReader):
    """The card table: U31 lies where U30 lay."""
    rows = list(read(file))
    one, other = (next(row for row in rows if row["code"] == code) for code in ("U30", "U31"))
    for column in ("deck", "slot"):
        one[column], other[column] = other[column], one[column]
    return rows


if __name__ == "__main__":
    csv.DictReader = rows_with_promo
    from ka_env.bluemoon import Game

    for case in scenario.load("../promo.txt"):
        scenario.run(case, Game)
        print(case.name)
