"""Actions of mast (section 4 of the pro page)."""

from .state import ALL
from .tables import INDEX, in_card_order, number

RECRUITS = 4
ROYAL_DAMAGE = 40


def _sum(keys):
    return sum(number(c) for c in keys)


class MastActions:
    def _do_bj(self, r):
        life = in_card_order(self.s.life[r.player])
        if not life:
            return
        taken = []
        while len(taken) < min(2, len(life)):
            higher = [c for c in life if not taken or INDEX[c] > INDEX[taken[-1]]]
            if self.s.edition == "6.1":  # two, or the only one
                still = min(2, len(life)) - len(taken) - 1
                options = higher[: len(higher) - still]
            else:
                options = ["done"] + higher
            token = yield r.player, "search_card", options
            if token == "done":
                break
            taken.append(token)
        self._search(r.player, taken)

    def _do_rsf(self, r):
        self._damage(r.target, ROYAL_DAMAGE)

    def _do_force(self, r):
        s = self.s
        s.force += _sum(r.keys)
        if s.edition == "8.0":
            for card in r.keys:
                s.fog[r.player][card] = ALL
            r.keys = []

    def _do_rain(self, r):
        s = self.s
        dead = [u for p in (s.turn, 1 - s.turn) for u in s.units(p) if u.soldier and s.size(u) <= _sum(r.keys)]
        for u in dead:
            self._die(u)

    def _do_recruit(self, r):
        s = self.s
        p = r.player
        turned_up = s.life[p][:RECRUITS]
        s.learn(1 - p, turned_up)
        s.own[p].update(turned_up)
        come = [c for c in turned_up if number(c) <= _sum(r.keys)]
        back, order = set(turned_up) - set(come), []
        while back:
            card = yield p, "recruit_order", in_card_order(back)
            back.remove(card)
            order.append(card)
        for _ in turned_up:
            self._take_top(p)
        for card in come:
            self._come(p, card, soldier=True, driven=True)
        s.life[p] += order
        s.own[p].update(order)

    def _do_surprise(self, r):
        for u in self.s.units(r.player):
            if not u.soldier:
                self._turn_up(u)
        for u in self.s.units(r.player):
            u.driven = False
