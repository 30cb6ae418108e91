"""Section 7, basic actions, and combat (section 8)."""

from .tables import in_card_order, is_joker, number


class BasicActions:
    def _do_end(self, r):
        s = self.s
        player = r.player
        while len(s.hand[player]) > 7:
            card = yield player, "discard", in_card_order(s.hand[player])
            self._discard(player, card)
        for card in in_card_order(s.fog[player]):
            self._to_grave(player, card)
        s.fog[player] = {}
        s.plus[player] = set()
        s.turn = 1 - player
        s.used = set()
        s.force = 0
        for p in (0, 1):
            for u in s.units(p):
                u.came = False
                u.change = 0
            for card in s.fog[p]:
                self._end_link(p, card)
        self._charge = True

    def _do_draw(self, r):
        self._draw(r.player)
        if self.s.life[r.player]:
            token = yield r.player, "draw_more", ["yes", "no"]
            if token == "yes":
                self._draw(r.player)

    def _do_attack(self, r):
        able = [u for u in self.s.units(r.player) if u.soldier and not u.driven and (not u.came or u.haste())]
        attackers = []
        while True:
            token = yield r.player, "attackers", ["done"] + [f"u{u.slot}" for u in able]
            if token == "done":
                break
            unit = self._named(r.player, token)
            attackers.append(unit)
            able = [u for u in able if u.slot > unit.slot]
        for u in attackers:
            u.driven = True
            u.attacker = True
        if attackers:
            self._push.append("block")

    def _do_block(self, r):
        s = self.s
        blocker = 1 - r.player
        for attacker in [u for u in s.units(r.player) if u.attacker]:
            able = [u for u in s.units(blocker) if not u.driven and u.blocks is None]
            while True:
                token = yield blocker, "blockers", ["done"] + [f"u{u.slot}" for u in able]
                if token == "done":
                    break
                unit = self._named(blocker, token)
                unit.blocks = attacker
                able = [u for u in able if unit.soldier and u.soldier and u.slot > unit.slot]
        self._push.append("damage")

    def _do_damage(self, r):
        other = 1 - r.player
        attackers = [u for u in self.s.units(r.player) if u.attacker]
        outcomes = [self._outcome(a) for a in attackers]  # all from the position before
        for dying, damage in outcomes:
            for u in dying:
                self._die(u)
            self._damage(other, damage)
        self._end_combat()

    def _outcome(self, a):
        """Of one attacker: (dying units in order, damage)."""
        size = self.s.size
        blockers = [u for u in self.s.units(1 - a.owner) if u.blocks is a]
        if not blockers:
            return [], max(0, size(a))
        dying = []
        if blockers[0].soldier:
            total = sum(size(u) for u in blockers)
            if total <= size(a):
                dying += blockers
            if size(a) <= total:
                dying.append(a)
        else:
            card = blockers[0].cards[0]
            dying += blockers
            if is_joker(card) or number(card) in [number(c) for c in a.cards]:
                dying.append(a)
        return dying, 0
