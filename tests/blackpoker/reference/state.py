"""What a position consists of."""

from .tables import is_joker, number, suit


class Unit:
    def __init__(self, owner, slot, cards, soldier):
        self.owner = owner
        self.slot = slot
        self.cards = list(cards)  # bottom first
        self.soldier = soldier  # else a bulwark
        self.driven = False
        self.came = False  # this turn
        self.attacker = False
        self.blocks = None  # the attacking unit
        self.change = 0  # sum of size changes

    def size(self):
        return sum(number(c) for c in self.cards) + self.change

    def haste(self):
        return any(is_joker(c) or c[0] == "A" for c in self.cards)

    def magician(self):
        return self.soldier and is_joker(self.cards[0])

    def suit(self):
        return suit(self.cards[0])


class Request:
    def __init__(self, player, verb, keys=(), target=None):
        self.player = player
        self.verb = verb
        self.keys = list(keys)
        self.target = target  # a Unit, a Request or None


class State:
    def __init__(self):
        self.edition = self.format = None
        self.turn = None
        self.holder = None  # of the chance
        self.passed = None  # player who has passed
        self.both = False  # R8 holds
        self.used = set()
        self.life = [[], []]  # top first
        self.hand = [set(), set()]
        self.grave = [[], []]  # top last
        self.field = [{}, {}]  # slot -> Unit
        self.fog = [{}, {}]  # card -> Unit or None
        self.stage = []  # bottom first
        # known[p]: the opponent's cards that p has seen and can still follow, wherever they lie, visible ones included.
        self.known = [set(), set()]
        # own[p]: cards of p's own life whose place p knows.
        self.own = [set(), set()]
        self.result = None

    def on_field(self, unit):
        return unit is not None and self.field[unit.owner].get(unit.slot) is unit

    def units(self, player):
        return [self.field[player][slot] for slot in sorted(self.field[player])]

    def show_visible(self):
        """Everything that lies open is known to the other player."""
        for p in (0, 1):
            seen = self.known[1 - p]
            seen.update(self.grave[p][-1:])
            seen.update(self.fog[p])
            for u in self.units(p):
                if u.soldier:
                    seen.update(u.cards)
        for r in self.stage:
            self.known[1 - r.player].update(r.keys)
