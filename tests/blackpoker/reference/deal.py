"""Setting up (section 9): deal(ruleset, frame, rng) -> position text."""

from . import text as position_text
from .state import State, Unit
from .tables import CARDS, number

ENTRY20 = "As 2s 3s 4s 5s Ah 8h 9h Th Jh Ad 3d 7d Td Qd Ac 5c 6c Tc Kc".split()


def deal(ruleset, frame, rng):
    lists = [_deck(frame, rng) for _ in (0, 1)]
    while True:
        s = _try(ruleset, frame, lists, rng)
        if s is not None:  # else R25: again with the same lists
            return position_text.write(s, s.holder, None)


def _deck(frame, rng):
    if frame == "entry20":
        return list(ENTRY20)
    return rng.sample(CARDS, {"full54": 54, "deck40": 40, "half27": 27}[frame])


def _try(ruleset, frame, lists, rng):
    s = State()
    s.edition, s.format = ruleset.split("-")
    for p in (0, 1):
        life = list(lists[p])
        rng.shuffle(life)
        if frame == "entry20":
            s.field[p] = {0: Unit(p, 0, [life.pop(0)], False), 1: Unit(p, 1, [life.pop(0)], True)}
        s.hand[p] = {life.pop(0) for _ in range(7)}
        s.life[p] = life
    while True:  # who starts
        if not (s.life[0] and s.life[1]):
            return None
        for p in (0, 1):
            card = s.life[p].pop(0)
            s.grave[p].append(card)
            s.known[1 - p].add(card)
        flips = [number(s.grave[p][-1]) for p in (0, 1)]
        if flips[0] != flips[1]:
            break
    s.turn = s.holder = 0 if flips[0] > flips[1] else 1
    if s.life[s.turn]:
        s.hand[s.turn].add(s.life[s.turn].pop(0))
    if not (s.life[0] and s.life[1]):
        return None
    s.show_visible()
    return s
