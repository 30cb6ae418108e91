"""Section 5: what may be requested, how it is paid for, aimed and resolved."""

from .state import Request
from .tables import (
    COST,
    FROM_RARE,
    HAS_TARGET,
    NO_COUNTER,
    PLAYER_TARGET,
    RARE_DRAW_LIFE,
    REQUEST_TARGET,
    STAGE_MAX,
    UNIT_TARGET,
    canonical,
    has_verb,
    in_card_order,
    is_immediate,
    is_quick,
    is_quick_magic,
    key_choices,
    key_count,
    suit,
)


class Requests:
    # ---- may it be announced? ----

    def _cost(self, player, verb):
        cost = COST.get(verb, "")
        if is_quick_magic(self.s.edition, verb) and any(u.magician() for u in self.s.units(player)):
            return "" if self.s.edition == "6.1" else cost.replace("D", "")  # R4
        return cost

    def _may_request(self, player, verb):
        s = self.s
        if not has_verb(s.edition, s.format, s.extra, verb):
            return False
        if not is_quick(s.edition, verb) and (player != s.turn or s.stage):
            return False
        if verb in ("attack", "bulwark") and verb in s.used:
            return False
        if not is_immediate(s.edition, verb) and len(s.stage) >= STAGE_MAX:
            return False  # R28
        if not self._own_condition(player, verb):
            return False
        cost = self._cost(player, verb)
        if cost.count("B") > len(self._charged_bulwarks(player)):
            return False
        if cost.count("S") > len(s.units(player)):
            return False
        if "L" in cost and not s.life[player]:
            return False
        if "D" in cost:
            return bool(self._discards(player, verb))
        return bool(self._key_choices(player, verb, s.hand[player]))

    def _own_condition(self, player, verb):
        """What the row of this one action asks for."""
        s = self.s
        if verb == "quick":
            return player != s.turn
        if verb == "open":
            return s.closed[player]
        if verb == "raredraw":
            return s.rare[player] is not None and len(s.life[player]) <= RARE_DRAW_LIFE
        return True

    def _charged_bulwarks(self, player):
        return [u for u in self.s.units(player) if not u.soldier and not u.driven]

    def _discards(self, player, verb):
        """Hand cards that may be discarded for this action (R6)."""
        hand = self.s.hand[player]
        return [c for c in in_card_order(hand) if self._key_choices(player, verb, hand - {c})]

    def _key_choices(self, player, verb, hand):
        """All tuples of keys for which a target exists, each in the order asked."""
        rare = self.s.rare[player]
        source = ({rare} if rare else set()) if verb in FROM_RARE else hand
        return [keys for keys in key_choices(verb, source) if self._targets(player, verb, keys) != []]

    # ---- targets ----

    def _targets(self, player, verb, keys, itself=None):
        """The units, requests or players that may be named; None if the action names no target."""
        s = self.s
        if verb in PLAYER_TARGET:
            return [player, 1 - player]
        if verb in REQUEST_TARGET:
            return [r for r in s.stage if r is not itself and self._request_fits(verb, r)]
        if verb not in UNIT_TARGET:
            return None
        return [u for p in (0, 1) for u in s.units(p) if self._unit_fits(player, verb, keys, u)]

    def _request_fits(self, verb, r):
        if verb == "truce":
            return r.verb == "damage"
        if verb == "redirect":
            return r.verb in HAS_TARGET
        if verb == "counter" and r.verb in NO_COUNTER:
            return False  # R38
        return 1 <= len(r.keys) <= 2  # counter, trap

    def _unit_fits(self, player, verb, keys, unit):
        own = unit.owner == player
        if verb == "equip":
            return own and unit.soldier and unit.suit() == suit(keys[0])
        if verb in ("return", "reanimate"):
            return own
        if verb in ("up", "down", "lance", "kill", "setup"):
            return unit.soldier
        if verb == "destroy":
            return not unit.soldier
        return True  # twist, reverse

    def _target_still_good(self, r):
        s = self.s
        if r.verb in UNIT_TARGET:
            return s.on_field(r.target) and self._unit_fits(r.player, r.verb, r.keys, r.target)
        if r.verb in REQUEST_TARGET:
            return r.target in s.stage and self._request_fits(r.verb, r.target)
        return True

    def _token(self, player, target):
        """How that player names a target."""
        if isinstance(target, int):
            return "me" if target == player else "foe"
        if isinstance(target, Request):
            return f"#{self.s.stage.index(target)}"
        return f"{'u' if target.owner == player else 'e'}{target.slot}"

    def _tokens_of(self, player, targets):
        return canonical(self._token(player, t) for t in targets)

    def _named(self, player, token):
        """The player, unit or request a token names."""
        if token in ("me", "foe"):
            return player if token == "me" else 1 - player
        if token[0] == "#":
            return self.s.stage[int(token[1:])]
        owner = player if token[0] == "u" else 1 - player
        return self.s.field[owner][int(token[1:])]

    # ---- making a request ----

    def _request(self, player, verb):
        s = self.s
        if verb in ("attack", "bulwark"):
            s.used.add(verb)
        yield from self._pay(player, verb)
        request = Request(player, verb)
        choices = self._key_choices(player, verb, s.hand[player])
        for i in range(key_count(verb)):
            card = yield player, "key", in_card_order({keys[i] for keys in choices})
            choices = [keys for keys in choices if keys[i] == card]
            if verb in FROM_RARE:
                s.rare[player] = None
            else:
                s.hand[player].remove(card)
            self._show(player, card)
            request.keys.append(card)
        targets = self._targets(player, verb, request.keys)
        if targets is not None:
            token = yield player, "target", self._tokens_of(player, targets)
            request.target = self._named(player, token)
        if is_immediate(s.edition, verb):
            yield from self._resolve(request)
            self._win_check()
        else:
            s.stage.append(request)
        self._trigger_check()  # R30: the successions of an S come here, in 6.1 after the immediate bj

    def _pay(self, player, verb):
        cost = self._cost(player, verb)
        slot = -1
        for i, letter in enumerate(cost):
            more = cost[i + 1 :].count(letter)
            if letter == "B":
                unit = yield from self._pick_unit(player, "pay_bulwark", self._charged_bulwarks(player), slot, more)
                unit.driven = True
                slot = unit.slot
            elif letter == "S":
                unit = yield from self._pick_unit(player, "pay_sacrifice", self.s.units(player), slot, more)
                self._die(unit)
                slot = unit.slot
            elif letter == "L":
                self._damage(player, 1)
            elif letter == "D":
                card = yield player, "pay_discard", self._discards(player, verb)
                self._discard(player, card)

    def _pick_unit(self, player, kind, units, slot, more):
        """One of these above that slot, leaving enough higher ones for what is still to be paid."""
        free = [u.slot for u in units if u.slot > slot]
        token = yield player, kind, [f"u{n}" for n in free[: len(free) - more]]
        return self._named(player, token)

    # ---- resolving it ----

    def _resolve(self, request):
        s = self.s
        if self._target_still_good(request):
            effect = getattr(self, "_do_" + request.verb)(request)
            if effect is not None:  # it asks something
                yield from effect
        if request in s.stage:
            s.stage.remove(request)
        self._keys_to_grave(request)

    def _cancel(self, request):
        self.s.stage.remove(request)
        self._keys_to_grave(request)

    def _keys_to_grave(self, request):
        for card in request.keys:
            self._to_grave(request.player, card)
        request.keys = []
