"""Section 7, summoning."""

from .tables import in_card_order


class Summoning:
    def _do_bulwark(self, r):
        s = self.s
        hand = s.hand[r.player]
        if not hand:
            return
        card = yield r.player, "bulwark_card", in_card_order(hand)
        if len(hand) > 1 and self._free_slot(r.player) is not None:  # else it is shown: nothing leaves face down
            s.known[1 - r.player] -= hand
        hand.remove(card)
        self._come(r.player, card, soldier=False)

    def _do_soldier(self, r):
        self._come(r.player, r.keys.pop(), soldier=True)

    _do_hero = _do_ace = _do_magician = _do_soldier

    def _do_equip(self, r):
        r.target.cards.append(r.keys.pop())
