"""Actions of pro (section 3 of the pro page)."""

from .tables import HAS_TARGET, OPPONENT_TARGET, in_card_order


class ProActions:
    def _do_quick(self, r):
        form = yield r.player, "quick_form", ["bulwark", "ace"]
        self._come(r.player, r.keys.pop(), soldier=form == "ace")

    def _do_reunion(self, r):
        grave = self.s.grave[r.player]
        if grave:  # R33
            card = yield r.player, "grave_card", in_card_order(grave)
            grave.remove(card)
            self._to_hand_shown(r.player, card)
            if grave:
                self._show(r.player, grave[-1])

    def _do_kill(self, r):
        self._die(r.target)

    def _do_truce(self, r):
        self.s.stage.remove(r.target)
        self._end_combat()

    def _do_redirect(self, r):
        moved = r.target
        targets = self._new_targets(moved)
        if targets:
            token = yield r.player, "new_target", self._tokens_of(r.player, targets)
            moved.target = self._named(r.player, token)

    def _new_targets(self, moved):
        """What its controller could name for it now, other than what it is aimed at (R36)."""
        assert moved.verb in HAS_TARGET
        if moved.verb in OPPONENT_TARGET:
            return []
        targets = self._targets(moved.player, moved.verb, moved.keys, itself=moved)
        return [t for t in targets if t != moved.target]
