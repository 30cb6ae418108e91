"""The game itself: one generator that asks every decision, replayed from the start for copies."""

import itertools
import random

from . import text as position_text
from .errors import RefIllegalMove
from .state import Request, Unit
from .tables import (
    COST,
    IMMEDIATE,
    QUICK,
    SLOTS,
    STAGE_MAX,
    UNIT_TARGET,
    VERBS,
    has_verb,
    in_card_order,
    is_court,
    is_joker,
    is_quick_magic,
    key_count,
    keys_fit,
    number,
    suit,
)


class _GameOver(Exception):
    pass


def _random_shuffle(player, cards):
    cards = list(cards)
    random.shuffle(cards)
    return cards


class RefGame:
    def __init__(self, start, shuffler=_random_shuffle):
        self.shuffler = shuffler
        self._start = start
        self._restart([], [])

    @classmethod
    def from_text(cls, text):
        return cls(text)

    # ---- outside ----

    @property
    def over(self):
        return self.s.result is not None

    @property
    def result(self):
        return self.s.result

    @property
    def player(self):
        return None if self.over else self._question[0]

    @property
    def decision(self):
        return None if self.over else self._question[1]

    def legal(self):
        return [] if self.over else list(self._question[2])

    def to_text(self):
        s = self.s
        if self.decision == "chance":
            return position_text.write(s, s.holder, "both" if s.both else s.passed)
        return position_text.write(s, self.player, None)

    def copy(self):
        other = RefGame(self._start, self.shuffler)
        other._restart(self._tokens, self._shuffles)
        return other

    def play(self, tokens):
        before = list(self._tokens), list(self._shuffles)
        try:
            for token in tokens.split():
                if token not in self.legal():
                    raise RefIllegalMove(
                        f"{token}: legal are {' '.join(self.legal()) or 'no tokens, the game is over'}"
                    )
                self._tokens.append(token)
                self._answer(token)
        except BaseException:
            self._restart(*before)
            raise

    # ---- driving the generator ----

    def _restart(self, tokens, shuffles):
        """Read the start text and play these tokens, with these results of shuffles."""
        self.s = position_text.read(self._start)
        self.last_shuffle = None
        self._successions = [0, 0]  # triggered, not yet resolved
        self._charge = False  # triggered
        self._push = []  # triggered normal requests
        self._tokens = list(tokens)
        self._shuffles = []
        self._replay = list(shuffles)
        self._question = None
        self._run = self._flow()
        if not self.over:
            self._answer(None)
            for token in tokens:
                self._answer(token)
        assert not self._replay

    def _answer(self, token):
        """Answer the question asked, and all forced ones after it."""
        while True:
            try:
                self._question = self._run.send(token)
            except StopIteration:
                assert self.over
                return
            options = self._question[2]
            assert options and len(set(options)) == len(options)
            if len(options) > 1:
                return
            token = options[0]

    # ---- section 6: the flow ----

    def _flow(self):
        try:
            while True:
                yield from self._chance()
        except _GameOver:
            return

    def _chance(self):
        s = self.s
        holder = s.holder
        token = yield holder, "chance", self._chance_options(holder)
        if token != "pass":
            s.passed = None
            s.both = False
            yield from self._request(holder, token)
        elif s.passed is None:
            s.passed = holder
            s.holder = 1 - holder
        else:  # both have passed
            s.passed = None
            if s.stage:
                yield from self._resolve(s.stage[-1])
                self._win_check()
                self._trigger_check()
            else:
                s.both = True
            s.holder = s.turn

    def _chance_options(self, player):
        s = self.s
        options = []
        if s.stage or (s.edition == "8.0" and not s.both):
            options.append("pass")
        return options + [verb for verb in VERBS if self._may_request(player, verb)]

    def _win_check(self):
        s = self.s
        dead = [not s.life[0], not s.life[1]]
        if not any(dead):
            return
        if all(dead):
            if s.edition == "6.1":
                s.result = (0.5, 0.5)
            else:
                s.result = (0, 1) if s.turn == 0 else (1, 0)
        else:
            s.result = (0, 1) if dead[0] else (1, 0)
        raise _GameOver

    def _trigger_check(self):
        s = self.s
        while self._charge or any(self._successions):
            if self._charge:
                self._charge = False
                for u in s.units(s.turn):
                    u.driven = False
                self._push.append("draw")
            else:
                player = s.turn if self._successions[s.turn] else 1 - s.turn
                self._successions[player] -= 1
                self._succession(player)
            self._win_check()
        for verb in self._push:
            s.stage.append(Request(s.turn, verb))
        self._push = []

    # ---- section 5: requests ----

    def _cost(self, player, verb):
        cost = COST.get(verb, "")
        if is_quick_magic(self.s.edition, verb) and any(u.magician() for u in self.s.units(player)):
            return "" if self.s.edition == "6.1" else cost.replace("D", "")  # R4
        return cost

    def _may_request(self, player, verb):
        s = self.s
        if not has_verb(s.edition, s.format, verb):
            return False
        if verb not in QUICK and (player != s.turn or s.stage):
            return False
        if verb in ("attack", "bulwark") and verb in s.used:
            return False
        if verb not in IMMEDIATE and len(s.stage) >= STAGE_MAX:
            return False  # R28
        cost = self._cost(player, verb)
        if cost.count("B") > len(self._charged_bulwarks(player)):
            return False
        if "L" in cost and not s.life[player]:
            return False
        if "D" in cost:
            return bool(self._discards(player, verb))
        return bool(self._key_choices(player, verb, s.hand[player]))

    def _charged_bulwarks(self, player):
        return [u for u in self.s.units(player) if not u.soldier and not u.driven]

    def _discards(self, player, verb):
        """Hand cards that may be discarded for this action (R6)."""
        hand = self.s.hand[player]
        return [c for c in in_card_order(hand) if self._key_choices(player, verb, hand - {c})]

    def _key_choices(self, player, verb, hand):
        """All tuples of keys from these cards for which a target exists, each in the order asked."""
        return [
            keys
            for keys in itertools.permutations(in_card_order(hand), key_count(verb))
            if keys_fit(verb, keys) and self._targets(player, verb, keys) != []
        ]

    def _targets(self, player, verb, keys):
        """Target tokens, None if the action names no target."""
        s = self.s
        if verb == "counter":
            return [f"#{i}" for i, r in enumerate(s.stage) if r.keys]
        if verb not in UNIT_TARGET:
            return None
        return [
            f"{letter}{u.slot}"
            for letter, p in (("u", player), ("e", 1 - player))
            for u in s.units(p)
            if self._unit_fits(player, verb, keys, u)
        ]

    def _unit_fits(self, player, verb, keys, unit):
        own = unit.owner == player
        if verb == "equip":
            return own and unit.soldier and unit.suit() == suit(keys[0])
        if verb in ("return", "reanimate"):
            return own
        if verb in ("up", "down", "lance"):
            return unit.soldier
        if verb == "destroy":
            return not unit.soldier
        return True  # twist, reverse

    def _named(self, player, token):
        """The unit or request a token names."""
        if token[0] == "#":
            return self.s.stage[int(token[1:])]
        owner = player if token[0] == "u" else 1 - player
        return self.s.field[owner][int(token[1:])]

    def _request(self, player, verb):
        s = self.s
        if verb in ("attack", "bulwark"):
            s.used.add(verb)
        cost = self._cost(player, verb)
        slot = -1
        for i, letter in enumerate(cost):
            if letter == "B":
                more = cost[i + 1 :].count("B")
                free = [u.slot for u in self._charged_bulwarks(player) if u.slot > slot]
                token = yield player, "pay_bulwark", [f"u{n}" for n in free[: len(free) - more]]
                unit = self._named(player, token)
                unit.driven = True
                slot = unit.slot
            elif letter == "L":
                self._damage(player, 1)
            elif letter == "D":
                card = yield player, "pay_discard", self._discards(player, verb)
                self._discard(player, card)
        request = Request(player, verb)
        choices = self._key_choices(player, verb, s.hand[player])
        for i in range(key_count(verb)):
            card = yield player, "key", in_card_order({keys[i] for keys in choices})
            choices = [keys for keys in choices if keys[i] == card]
            s.hand[player].remove(card)
            self._show(player, card)
            request.keys.append(card)
        targets = self._targets(player, verb, request.keys)
        if targets is not None:
            token = yield player, "target", targets
            request.target = self._named(player, token)
        if verb in IMMEDIATE:
            yield from self._resolve(request)
            self._win_check()
        else:
            s.stage.append(request)
        self._trigger_check()

    def _resolve(self, request):
        s = self.s
        if self._target_still_good(request):
            effect = getattr(self, "_do_" + request.verb)(request)
            if effect is not None:  # it asks something
                yield from effect
        if request in s.stage:
            s.stage.remove(request)
        self._keys_to_grave(request)

    def _target_still_good(self, r):
        s = self.s
        if r.verb in UNIT_TARGET:
            return s.on_field(r.target) and self._unit_fits(r.player, r.verb, r.keys, r.target)
        if r.verb == "counter":
            return r.target in s.stage and bool(r.target.keys)
        return True

    def _keys_to_grave(self, request):
        for card in request.keys:
            self._to_grave(request.player, card)
        request.keys = []

    # ---- moving cards, and what the opponent sees of it (R1) ----

    def _show(self, owner, card):
        self.s.known[1 - owner].add(card)

    def _to_grave(self, owner, card):
        self.s.grave[owner].append(card)
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

    def _free_slot(self, player):
        return min(set(range(SLOTS)) - set(self.s.field[player]))

    def _come(self, player, card, soldier, driven=False):
        unit = Unit(player, self._free_slot(player), [card], soldier)
        unit.came = True
        unit.driven = driven
        self.s.field[player][unit.slot] = unit
        if soldier:
            self._show(player, card)

    def _end_fog_links(self, unit):
        for fog in self.s.fog:
            for card in fog:
                if fog[card] is unit:
                    fog[card] = None

    def _leave(self, unit):
        """Take a unit off the field; the caller puts its cards somewhere."""
        del self.s.field[unit.owner][unit.slot]
        self._end_fog_links(unit)
        for u in self.s.units(1 - unit.owner):
            if u.blocks is unit:
                u.blocks = None

    def _die(self, unit):
        self._leave(unit)
        for card in unit.cards:
            self._to_grave(unit.owner, card)
            if is_court(card):
                self._successions[unit.owner] += 1

    # ---- section 7: basic actions ----

    def _do_end(self, r):
        s = self.s
        player = r.player
        while len(s.hand[player]) > 7:
            card = yield player, "discard", in_card_order(s.hand[player])
            self._discard(player, card)
        for card in in_card_order(s.fog[player]):
            self._to_grave(player, card)
        s.fog[player] = {}
        s.turn = 1 - player
        s.used = set()
        for p in (0, 1):
            for u in s.units(p):
                u.came = False
                u.change = 0
            for card in s.fog[p]:
                s.fog[p][card] = None
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
        s = self.s
        other = 1 - r.player
        outcomes = []  # (dying units in order, damage), all from the position before
        for a in [u for u in s.units(r.player) if u.attacker]:
            blockers = [u for u in s.units(other) if u.blocks is a]
            dying, damage = [], 0
            if not blockers:
                damage = max(0, a.size())
            elif blockers[0].soldier:
                total = sum(u.size() for u in blockers)
                if total <= a.size():
                    dying += blockers
                if a.size() <= total:
                    dying.append(a)
            else:
                card = blockers[0].cards[0]
                dying += blockers
                if is_joker(card) or number(card) in [number(c) for c in a.cards]:
                    dying.append(a)
            outcomes.append((dying, damage))
        for dying, damage in outcomes:
            for u in dying:
                self._die(u)
            self._damage(other, damage)
        for p in (0, 1):
            for u in s.units(p):
                u.attacker = False
                u.blocks = None

    # ---- summoning ----

    def _do_bulwark(self, r):
        s = self.s
        hand = s.hand[r.player]
        if not hand:
            return
        card = yield r.player, "bulwark_card", in_card_order(hand)
        if len(hand) > 1:
            s.known[1 - r.player] -= hand
        hand.remove(card)
        self._come(r.player, card, soldier=False)

    def _do_soldier(self, r):
        self._come(r.player, r.keys.pop(), soldier=True)

    _do_hero = _do_ace = _do_magician = _do_soldier

    def _do_equip(self, r):
        r.target.cards.append(r.keys.pop())

    # ---- quick magic ----

    def _key_to_fog(self, r):
        if self.s.edition == "8.0":
            self.s.fog[r.player][r.keys.pop()] = r.target

    def _do_up(self, r):
        r.target.change += number(r.keys[0])
        self._key_to_fog(r)

    def _do_down(self, r):
        r.target.change -= number(r.keys[0])
        if r.target.size() <= 0:
            self._die(r.target)
        else:
            self._key_to_fog(r)

    def _do_twist(self, r):
        token = yield r.player, "twist", ["drive", "charge"]
        r.target.driven = token == "drive"

    def _do_counter(self, r):
        keys = r.target.keys
        if len(keys) == 2 or number(keys[0]) <= number(r.keys[0]):
            self.s.stage.remove(r.target)
            self._keys_to_grave(r.target)

    def _do_search(self, r):
        s = self.s
        p = r.player
        if not s.life[p]:
            return
        card = yield p, "search_card", in_card_order(s.life[p])
        s.known[1 - p] -= set(s.life[p])
        s.own[p].clear()
        s.life[p].remove(card)
        s.hand[p].add(card)
        self._show(p, card)
        rest = s.life[p]
        new = self._replay.pop(0) if self._replay else list(self.shuffler(p, list(rest)))
        if sorted(new) != sorted(rest):
            raise ValueError(f"not a shuffle of {rest}: {new}")
        s.life[p] = list(new)
        self._shuffles.append(list(new))
        self.last_shuffle = (p, list(new))

    def _do_return(self, r):
        hand = self.s.hand[r.player]
        if not r.target.driven:
            self._leave(r.target)
            hand.update(r.target.cards)
        hand.update(r.keys)
        r.keys = []

    # ---- normal magic ----

    def _do_destroy(self, r):
        self._die(r.target)

    def _do_throw(self, r):
        self._damage(1 - r.player, number(r.keys[0]))

    def _do_lance(self, r):
        s = self.s
        unit = r.target
        owner = unit.owner
        if unit.size() == 0 or unit.size() % number(r.keys[1]) != 0:
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
        s.known[r.player] |= s.hand[other]
        if s.hand[other]:
            card = yield r.player, "strip_card", in_card_order(s.hand[other])
            self._discard(other, card)

    def _do_reverse(self, r):
        s = self.s
        token = yield r.player, "reverse_state", ["drive", "charge"]
        unit = r.target
        unit.driven = token == "drive"
        if unit.soldier:
            self._end_fog_links(unit)
            unit.soldier = False
            unit.change = 0
            rest = unit.cards[1:]
            unit.cards = unit.cards[:1]
            for card in rest:
                new = Unit(unit.owner, self._free_slot(unit.owner), [card], False)
                new.driven, new.came = unit.driven, unit.came
                s.field[unit.owner][new.slot] = new
        else:
            unit.soldier = True
            self._show(unit.owner, unit.cards[0])
