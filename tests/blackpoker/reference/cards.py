"""Moving cards, and what the opponent sees of it (R1)."""

from .state import Unit
from .tables import SLOTS, is_court


class Cards:
    def _show(self, owner, card):
        self.s.learn(1 - owner, [card])

    def _to_grave(self, owner, card):
        self.s.grave[owner].append(card)
        self._show(owner, card)

    def _to_hand_shown(self, owner, card):
        self.s.hand[owner].add(card)
        self._show(owner, card)

    def _take_top(self, owner):
        """Take the top card off a life."""
        card = self.s.life[owner].pop(0)
        self.s.own[owner].discard(card)
        return card

    def _packet_to_grave(self, owner, cards):
        """Several cards at once: only the last is shown."""
        self.s.grave[owner] += cards
        if cards:
            self._show(owner, cards[-1])

    def _damage(self, player, n):
        n = min(n, len(self.s.life[player]))
        self._packet_to_grave(player, [self._take_top(player) for _ in range(n)])

    def _discard(self, player, card):
        self.s.hand[player].remove(card)
        self._to_grave(player, card)

    def _draw(self, player):
        if self.s.life[player]:
            self.s.hand[player].add(self._take_top(player))

    def _succession(self, player):
        s = self.s
        packet = []
        while s.life[player] and not is_court(s.life[player][0]):
            packet.append(self._take_top(player))
        self._packet_to_grave(player, packet)
        self._draw(player)

    def _search(self, player, cards):
        """These cards of the own life go to hand, shown; the rest is shuffled and all places are forgotten."""
        s = self.s
        s.known[1 - player] -= set(s.life[player])
        s.own[player].clear()
        for card in cards:
            s.life[player].remove(card)
            self._to_hand_shown(player, card)
        s.life[player] = self._shuffled(player, s.life[player])
        self.last_shuffle = (player, list(s.life[player]))

    # ---- units ----

    def _free_slot(self, player):
        """The lowest one, None if the field is full."""
        return min(set(range(SLOTS)) - set(self.s.field[player]), default=None)

    def _come(self, player, card, soldier, driven=False, came=True):
        slot = self._free_slot(player)
        if slot is None:  # R71
            self._to_grave(player, card)
            return
        unit = Unit(player, slot, [card], soldier)
        unit.came = came
        unit.driven = driven
        self.s.field[player][slot] = unit
        if soldier:
            self._show(player, card)

    def _end_fog_links(self, unit):
        for p in (0, 1):
            for card in self.s.fog[p]:
                if self.s.fog[p][card] is unit:
                    self._end_link(p, card)

    def _end_link(self, owner, card):
        self.s.fog[owner][card] = None
        self.s.plus[owner].discard(card)  # R68

    def _release(self, unit):
        """No attacker and no blocker any more; whoever blocked it is free."""
        unit.attacker = False
        unit.blocks = None
        for u in self.s.units(1 - unit.owner):
            if u.blocks is unit:
                u.blocks = None

    def _end_combat(self):
        for p in (0, 1):
            for u in self.s.units(p):
                u.attacker = False
                u.blocks = None

    def _leave(self, unit):
        """Take a unit off the field; the caller puts its cards somewhere."""
        del self.s.field[unit.owner][unit.slot]
        self._end_fog_links(unit)
        self._release(unit)

    def _die(self, unit):
        self._leave(unit)
        for card in unit.cards:
            self._to_grave(unit.owner, card)
            if is_court(card):
                self._successions[unit.owner] += 1

    def _turn_up(self, bulwark):
        """It becomes the soldier of its card."""
        bulwark.soldier = True
        self._show(bulwark.owner, bulwark.cards[0])
