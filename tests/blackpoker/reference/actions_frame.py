"""Actions of the frames (section 5 of the pro page)."""

from .tables import in_card_order, same_card


class FrameActions:
    def _do_open(self, r):
        s = self.s
        p = r.player
        cards = s.pack[p] | ({s.rare[p]} if s.rare[p] else set())
        if cards:  # R73
            card = yield p, "pack_card", in_card_order(cards)
            if card == s.rare[p]:
                s.rare[p] = None
            else:
                s.pack[p].remove(card)
            self._to_hand_shown(p, card)
        s.closed[p] = False

    def _do_raredraw(self, r):
        s = self.s
        s.hand[r.player].add(s.rare[r.player])
        s.rare[r.player] = None

    def _do_raresummon(self, r):
        self._come(r.player, r.keys.pop(), soldier=True)

    def _do_trap(self, r):
        if any(same_card(r.keys[0], key) for key in r.target.keys):
            self._cancel(r.target)
