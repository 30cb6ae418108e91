"""Setting up: section 9, and for the frames of 8.0 section 5 of the pro page."""

from .errors import RefSetupError
from .state import State, Unit
from .tables import CARDS, INDEX, RULESETS, has_pack, has_rare, in_card_order, number, split_ruleset

ENTRY20 = "As 2s 3s 4s 5s Ah 8h 9h Th Jh Ad 3d 7d Td Qd Ac 5c 6c Tc Kc".split()
DRAWN = {"full54": 54, "deck40": 40, "half27": 27}  # cards of the 54, drawn at random
FIRST_HAND = 7
CHOSEN_HAND = 3  # strategy
PACK = 14


def frames_of(ruleset):
    """The deals that a ruleset allows besides own lists (R72)."""
    _, fmt, extra = split_ruleset(ruleset)
    if has_pack(extra):
        return ["full54", "deck40"]
    return (["entry20"] if fmt in ("lite", "std") else []) + ["full54", "deck40", "half27"]


def smallest_list(ruleset):
    return 40 if has_pack(split_ruleset(ruleset)[2]) else 12


def draw_list(frame, rng):
    if frame == "entry20":
        return list(ENTRY20)
    return rng.sample(CARDS, DRAWN[frame])


class Setup:
    """A ruleset and two lists, before anything is chosen or shuffled."""

    def __init__(self, ruleset, lists, preset=False):
        if ruleset not in RULESETS:
            raise RefSetupError(f"unknown ruleset {ruleset}")
        self.ruleset = ruleset
        self.extra = split_ruleset(ruleset)[2]
        self.lists = [self._checked(cards) for cards in lists]
        self.preset = preset or has_pack(self.extra)

    def _checked(self, cards):
        cards = list(cards)
        if not set(cards) <= set(CARDS) or len(set(cards)) != len(cards):
            raise RefSetupError(f"not a list of different cards: {cards}")
        return cards

    @staticmethod
    def default_frame(ruleset):
        return "entry20" if split_ruleset(ruleset)[:2] == ("8.0", "lite") else "full54"

    @classmethod
    def of(cls, ruleset, frame, own, rng):
        """`own`: two lists, each may be None (then the frame's)."""
        if ruleset not in RULESETS:
            raise RefSetupError(f"unknown ruleset {ruleset}")
        frame = frame or cls.default_frame(ruleset)
        if frame not in frames_of(ruleset):
            raise RefSetupError(f"{ruleset} is not dealt as {frame}")
        if any(cards is not None and len(cards) < smallest_list(ruleset) for cards in own):
            raise RefSetupError(f"{ruleset}: a list has at least {smallest_list(ruleset)} cards")
        lists = [cards if cards is not None else draw_list(frame, rng) for cards in own]
        return cls(ruleset, lists, preset=frame == "entry20" and own == [None, None])


def setting_up(setup, choices, shuffled):
    """Asks the choices of the frame, then deals until a deal stands (R25); gives the State."""
    for p in (0, 1):
        yield from _choices(setup, p, choices[p])
    while True:
        s = lay_out(setup, choices, shuffled)
        if s is not None:
            return s


def _choices(setup, p, chosen):
    """R55: three cards in ascending order, then the rare card."""
    deck = in_card_order(setup.lists[p])
    if setup.extra == "strategy":
        first = chosen["first_hand"] = []
        while len(first) < CHOSEN_HAND:
            higher = [c for c in deck if not first or INDEX[c] > INDEX[first[-1]]]
            still = CHOSEN_HAND - len(first) - 1
            first.append((yield p, "first_hand", higher[: len(higher) - still]))
    if has_rare(setup.extra):
        left = [c for c in deck if c not in chosen.get("first_hand", [])]
        chosen["rare"] = yield p, "rare", left


def lay_out(setup, choices, shuffled):
    """One deal; None if it can't stand.  `shuffled(player, cards)` gives the order, top first."""
    s = State(setup.ruleset)
    for p in (0, 1):
        first = choices[p].get("first_hand", [])
        s.rare[p] = choices[p].get("rare")
        life = list(shuffled(p, [c for c in setup.lists[p] if c not in first and c != s.rare[p]]))
        if has_pack(setup.extra):
            s.pack[p] = {life.pop(0) for _ in range(PACK)}
            s.closed[p] = True
        if setup.preset:
            s.field[p] = {0: Unit(p, 0, [life.pop(0)], False), 1: Unit(p, 1, [life.pop(0)], True)}
        s.hand[p] = {*first, *(life.pop(0) for _ in range(FIRST_HAND - len(first)))}
        s.life[p] = life
    return s if _who_starts(s) else None


def _who_starts(s):
    """Flips, and the starter's draw; False if the deal must be made again (R25)."""
    while True:
        if not (s.life[0] and s.life[1]):
            return False
        for p in (0, 1):
            card = s.life[p].pop(0)
            s.grave[p].append(card)
            s.learn(1 - p, [card])
        flips = [number(s.grave[p][-1]) for p in (0, 1)]
        if flips[0] != flips[1]:
            break
    s.turn = s.holder = 0 if flips[0] > flips[1] else 1
    if s.life[s.turn]:
        s.hand[s.turn].add(s.life[s.turn].pop(0))
    s.show_visible()
    return bool(s.life[0] and s.life[1])


def order_of_deal(s, player, first_hand=()):
    """An order of the shuffled cards that leads to this deal, to feed a reference with another program's deal."""
    units = [s.field[player][slot].cards[0] for slot in sorted(s.field[player])]
    drawn = [c for c in in_card_order(s.hand[player]) if c not in first_hand]
    last = [drawn.pop()] if s.turn == player else []
    return in_card_order(s.pack[player]) + units + drawn + s.grave[player] + last + s.life[player]
