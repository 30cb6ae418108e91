"""Setting up with random choices: deal(ruleset, frame, rng) -> position text."""

from . import text as position_text
from .setup import Setup, draw_list, setting_up


def deal(ruleset, frame, rng):
    def shuffled(player, cards):
        rng.shuffle(cards)
        return cards

    setup = Setup(ruleset, [draw_list(frame, rng) for _ in (0, 1)], preset=frame == "entry20")
    s = _answered(setting_up(setup, [{}, {}], shuffled), rng)
    return position_text.write(s, s.holder, None)


def _answered(questions, rng):
    """What the generator gives when its questions are answered at random."""
    token = None
    while True:
        try:
            _, _, options = questions.send(token)
        except StopIteration as end:
            return end.value
        token = rng.choice(options)
