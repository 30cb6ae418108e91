"""What a position consists of."""

from .tables import is_joker, number, split_ruleset, suit

ALL = "all"  # the link of a fog card that is a key of *force*


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
        self.change = 0  # sum of size changes, without *force*

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
        self.target = target  # a Unit, a Request, a player's number or None


class State:
    def __init__(self, ruleset):
        self.ruleset = ruleset
        self.edition, self.format, self.extra = split_ruleset(ruleset)
        self.turn = None
        self.holder = None  # of the chance
        self.passed = None  # player who has passed
        self.both = False  # R8 holds
        self.used = set()
        self.force = 0  # of the turn player (R44)
        self.life = [[], []]  # top first
        self.hand = [set(), set()]
        self.grave = [[], []]  # top last
        self.field = [{}, {}]  # slot -> Unit
        self.fog = [{}, {}]  # card -> Unit, ALL or None
        self.plus = [set(), set()]  # linked fog cards of `setup` (R68)
        self.pack = [set(), set()]
        self.closed = [False, False]
        self.rare = [None, None]
        self.stage = []  # bottom first
        # known[p]: the opponent's cards that p has seen and can still follow, wherever they lie, visible ones included.
        self.known = [set(), set()]
        # own[p]: cards of p's own life whose place p knows.
        self.own = [set(), set()]
        # seen[p]: all cards of the opponent ever shown to p (matches remember them, R75).
        self.seen = [set(), set()]
        self.result = None

    def on_field(self, unit):
        return unit is not None and self.field[unit.owner].get(unit.slot) is unit

    def units(self, player):
        return [self.field[player][slot] for slot in sorted(self.field[player])]

    def size(self, soldier):
        """Its current size."""
        force = self.force if soldier.owner == self.turn else 0
        return sum(number(c) for c in soldier.cards) + soldier.change + force

    def learn(self, player, cards):
        """That player sees these cards of the opponent."""
        self.known[player].update(cards)
        self.seen[player].update(cards)

    def show_visible(self):
        """Everything that lies open is known to the other player."""
        for p in (0, 1):
            self.learn(1 - p, self.grave[p][-1:])
            self.learn(1 - p, self.fog[p])
            for u in self.units(p):
                if u.soldier:
                    self.learn(1 - p, u.cards)
        for r in self.stage:
            self.learn(1 - r.player, r.keys)
