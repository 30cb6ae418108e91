"""How many examples Hypothesis draws: as many as KA_EXAMPLES says, at random, or a few fixed ones."""

import os

from hypothesis import settings

MANY = int(os.environ.get("KA_EXAMPLES", "0"))
USUAL = 12


def examples(number: int) -> settings:
    """For a test that needs more (or fewer) of them than others."""
    return settings(max_examples=max(number, MANY))
