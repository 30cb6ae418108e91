"""Section 7, quick and normal magic of lite and std; `reverse`, which 8.0 has from pro on; `setup` (R66 … R68)."""

from .tables import in_card_order, number


class QuickMagic:
    def _key_to_fog(self, r):
        if self.s.edition == "8.0":
            self.s.fog[r.player][r.keys.pop()] = r.target

    def _do_up(self, r):
        r.target.change += number(r.keys[0])
        self._key_to_fog(r)

    def _do_setup(self, r):
        self.s.plus[r.player].add(r.keys[0])
        self._do_up(r)

    def _do_down(self, r):
        r.target.change -= number(r.keys[0])
        if self.s.size(r.target) <= 0:
            self._die(r.target)
        else:
            self._key_to_fog(r)

    def _do_twist(self, r):
        token = yield r.player, "twist", ["drive", "charge"]
        r.target.driven = token == "drive"

    def _do_counter(self, r):
        keys = r.target.keys
        if len(keys) == 2 or number(keys[0]) <= number(r.keys[0]):
            self._cancel(r.target)

    def _do_search(self, r):
        life = self.s.life[r.player]
        if life:
            card = yield r.player, "search_card", in_card_order(life)
            self._search(r.player, [card])

    def _do_return(self, r):
        hand = self.s.hand[r.player]
        if not r.target.driven:
            self._leave(r.target)
            hand.update(r.target.cards)
        hand.update(r.keys)
        r.keys = []


class NormalMagic:
    def _do_destroy(self, r):
        self._die(r.target)

    def _do_throw(self, r):
        self._damage(1 - r.player, number(r.keys[0]))

    def _do_lance(self, r):
        s = self.s
        unit = r.target
        owner = unit.owner
        if s.size(unit) == 0 or s.size(unit) % number(r.keys[1]) != 0:
            return
        left, order = set(unit.cards), []
        while left:
            card = yield owner, "lance_order", in_card_order(left)
            left.remove(card)
            order.append(card)
        self._leave(unit)
        for card in order:
            s.life[owner].insert(0, card)
            s.own[owner].add(card)
        self._damage(owner, number(r.keys[0]))

    def _do_fortify(self, r):
        p = r.player
        token = yield p, "fortify", ["one", "two"]
        for _ in range(1 if token == "one" else 2):
            if self.s.life[p]:
                self._come(p, self._take_top(p), soldier=False, driven=token == "two")

    def _do_reanimate(self, r):
        s = self.s
        p = r.player
        card = None
        if s.grave[p]:
            card = yield p, "grave_card", in_card_order(s.grave[p])
        self._die(r.target)
        if card is not None:
            s.grave[p].remove(card)
            self._come(p, card, soldier=True)

    def _do_strip(self, r):
        s = self.s
        other = 1 - r.player
        s.learn(r.player, s.hand[other])
        if s.hand[other]:
            card = yield r.player, "strip_card", in_card_order(s.hand[other])
            self._discard(other, card)

    def _do_reverse(self, r):
        token = yield r.player, "reverse_state", ["drive", "charge"]
        unit = r.target
        unit.driven = token == "drive"
        self._release(unit)  # R39; 6.1's is main, so nobody fights then
        if not unit.soldier:
            self._turn_up(unit)
            return
        self._end_fog_links(unit)
        unit.soldier = False
        unit.change = 0
        rest = unit.cards[1:]
        unit.cards = unit.cards[:1]
        for card in rest:
            self._come(unit.owner, card, soldier=False, driven=unit.driven, came=unit.came)
        if rest:  # R40: a split unit is lost to every request
            for other in self.s.stage:
                if other.target is unit:
                    other.target = None
