"""What must be on the table of each game, read from the position text: the notation's own idea of who knows what.

A table is made of a game as one viewer ("0", "1" or "all") may see it; `shown`: with the hidden cards. READ is the
script that reads the same from the page.
"""

import re
from pathlib import Path
from typing import NamedTuple

from ka_env.bluemoon.people.look import look
from ka_env.record import Record
from ka_env.story import OUTSIDER
from ka_env.viewer.replay import replay_data

TESTS = Path(__file__).parents[1]

UNIT = re.compile(r"(\d+):([bs])([^/*^&~]+)(/d)?(\*)?(\^)?(?:&(\d+))?(?:~([+-]\d+))?")
REQUEST = re.compile(r"(\d+):([01])\.(\w+)(?:\(([^)]*)\))?(?:>(\S+))?")
POKER_READ = """() => {
  const names = (root) => [...root.querySelectorAll(".card:not(.none)")].map((card) => card.dataset.card ?? null);
  const side = (q) => {
    const root = document.querySelector(`.side[data-player="${q}"]`);
    const pile = (zone) => {
      const node = root.querySelector(`.pile.${zone}`);
      return [Number(node.dataset.count), names(node)];
    };
    return {
      life: pile("life"),
      hand: names(root.querySelector(".hand")),
      grave: pile("grave"),
      fog: [...root.querySelectorAll(".fog .card")].map((card) => [card.dataset.card, card.dataset.fog]),
      units: [...root.querySelectorAll(".unit")].map((unit) => ({
        place: unit.dataset.unit,
        cards: names(unit),
        driven: unit.dataset.driven === "true",
      })),
    };
  };
  const request = (node) => [
    node.dataset.request,
    node.className.match(/player([01])/)[1],
    node.dataset.verb,
    names(node),
    node.dataset.target ?? null,
  ];
  return { sides: [side(0), side(1)], stage: [...document.querySelectorAll("[data-request]")].map(request) };
}"""


class PokerTable:
    """BlackPoker's."""

    READ = POKER_READ

    def __init__(self, game, view="all", shown=True):
        lines = (line.split(" ", 1) for line in game.to_text().splitlines())
        self.facts = {key: [] if rest == "-" else rest.split() for key, rest in lines}
        self.players = [0, 1] if view == "all" else [int(view)]
        self.shown = shown

    def knows(self, player, owner, card, place):
        """Does the player know this card, which lies at `place` in the owner's zones?"""
        if player == owner:
            return (
                not place.startswith("life") or f"{card}@{place.replace('life', 'own')}" in self.facts[f"known{player}"]
            )
        return f"{card}@{place}" in self.facts[f"known{player}"]

    def see(self, owner, card, place):
        if self.shown or all(self.knows(player, owner, card, place) for player in self.players):
            return card
        return None

    def unit(self, owner, text):
        slot, kind, cards, driven, _, _, _, _ = UNIT.fullmatch(text).groups()
        cards = cards.split("+")
        if kind == "b":
            cards = [self.see(owner, cards[0], f"field.{slot}")]
        return {"place": f"{owner}.{slot}", "cards": cards, "driven": bool(driven)}

    def side(self, q):
        life, hand, grave = (self.facts[f"{zone}{q}"] for zone in ("life", "hand", "grave"))
        seen = [self.see(q, card, "hand") for card in hand]
        return {
            "life": [len(life), [self.see(q, life[0], "life.0")] if life else []],
            "hand": sorted(seen, key=lambda card: card is None),  # stable: cards, then backs
            "grave": [len(grave), grave[-1:]],
            "fog": [fog.split(">") for fog in self.facts[f"fog{q}"]],
            "units": [self.unit(q, text) for text in self.facts[f"field{q}"]],
        }

    def stage(self):
        requests = []
        for text in self.facts["stage"]:
            index, player, verb, keys, target = REQUEST.fullmatch(text).groups()
            if verb in ("throw", "strip"):
                target = str(1 - int(player))
            target = {None: None, "-": "gone"}.get(target, target)
            requests.append([index, player, verb, keys.split(",") if keys else [], target])
        return requests

    def __call__(self):
        return {"sides": [self.side(0), self.side(1)], "stage": self.stage()}


MOON_READ = """() => {
  const names = (root) => [...root.querySelectorAll(".card:not(.none)")].map((card) => card.dataset.card ?? null);
  const words = (root, what) => [...root.querySelectorAll(what)].map((node) => node.textContent);
  const side = (q) => {
    const root = document.querySelector(`.side[data-player="${q}"]`);
    const area = (zone) => [...root.querySelectorAll(`.area.${zone} .spot`)].map((spot) => ({
      card: names(spot)[0],
      covered: spot.classList.contains("covered"),
      place: spot.dataset.place ?? null,
      values: words(spot, ".value"),
    }));
    return {
      people: words(root, ".people")[0],
      deck: Number(root.querySelector(".pile.deck").dataset.count),
      discard: Number(root.querySelector(".pile.discard").dataset.count),
      hand: names(root.querySelector(".hand")),
      combat: area("combat"),
      support: area("support"),
      ships: [...root.querySelectorAll(".ships > .ship")].map(
        (ship) => [ship.classList.contains("landed"), ...names(ship)]
      ),
      dragons: Number(document.querySelector(`.den.player${q}`).dataset.dragons),
      total: root.querySelector(".total")?.dataset.total ?? "",
    };
  };
  return { sides: [side(0), side(1)], fight: document.querySelector(".fight").dataset.fight };
}"""


class MoonTable:
    """Blue Moon's. What a card counts is asked of `look`, which has tests of its own."""

    READ = MOON_READ

    def __init__(self, game, view="all", shown=True):
        lines = (line.split(" ", 1) for line in game.to_text().splitlines())
        self.facts = {key: [] if rest == "-" else rest.split() for key, rest in lines}
        self.players = [0, 1] if view == "all" else [int(view)]
        self.shown = shown
        self.seen = look(game, None if shown else OUTSIDER if view == "all" else int(view))

    def see(self, owner, card, place):
        """The card, if all who look know it where it lies."""
        known = all(player == owner or f"{card}@{place}" in self.facts[f"known{player}"] for player in self.players)
        return card if known or self.shown else None

    def hand(self, q):
        cards = [card[:-1] if card.endswith("!") else self.see(q, card, "hand") for card in self.facts[f"hand{q}"]]
        return sorted(cards, key=lambda card: card is None)  # stable: cards, then backs

    def combat(self, q):
        named = [(word.strip("()!#"), word.startswith("(")) for word in self.facts[f"combat{q}"]]
        return [
            {"card": card, "covered": covered, "place": None, "values": values_of(seen)}
            for (card, covered), seen in zip(named, self.seen.sides[q].combat)
        ]

    def support(self, q):
        found, number = [], 0
        for word, seen in zip(self.facts[f"support{q}"], self.seen.sides[q].support):
            card, place = word.strip("?!#"), None
            if word.startswith("?"):
                place, number = f"f{number}", number + 1
                card = self.see(q, card, place)
            found.append({"card": card, "covered": False, "place": place, "values": values_of(seen)})
        return found

    def total(self, q):
        """As text: in a fight the contested one, with the card that holds it up."""
        side, element = self.seen.sides[q], self.seen.element
        if element is None:
            fire, earth = side.totals
            return "" if self.seen.fight == "-" else f"fire {fire}, earth {earth}"
        return f"{side.totals[element]}" + (f" (held up by {side.least[element]})" if side.least[element] else "")

    def ships(self, q):
        parted = [word.partition(":") for word in self.facts[f"ships{q}"]]
        return [[ship.endswith("^"), ship.strip("^"), *filter(None, cargo.split(","))] for ship, _, cargo in parted]

    def side(self, q):
        return {
            "people": self.facts["decks"][q],
            "deck": len(self.facts[f"deck{q}"]),
            "discard": len(self.facts[f"discard{q}"]),
            "hand": self.hand(q),
            "combat": self.combat(q),
            "support": self.support(q),
            "ships": self.ships(q),
            "dragons": int(self.facts["dragons"][q]),
            "total": self.total(q),
        }

    def __call__(self):
        return {"sides": [self.side(0), self.side(1)], "fight": (self.facts["fight"] or ["-"])[0]}


def values_of(card):
    """Fire and earth as the page writes them: `2`, or `2→5` where they have changed; covered cards count nothing."""
    values = card.values or ()
    return [str(v.now) if v.now == v.printed else f"{v.printed}→{v.now}" for v in values]


class Viewed(NamedTuple):
    """A game in the viewer: recorded games, and what must be on its table."""

    name: str
    records: list[str]  # of the goldens, the first is the usual one
    Table: type
    pile: str  # one that can be opened
    middle: str  # what lies between the players
    japanese: list[str]  # words of its page

    def data(self, record):
        """What the page is given."""
        return replay_data(record)

    def record(self, name=None):
        folder, suffix = TESTS / self.name / "goldens", "ka" if self.name == "blackpoker" else "bm"
        return Record.from_text((folder / f"{name or self.records[0]}.{suffix}").read_text(encoding="utf-8"))


POKER = Viewed(
    name="blackpoker",
    records=["8.0-lite_entry20", "8.0-std_half27", "6.1-std_half27", "6.1-std_full54"],
    Table=PokerTable,
    pile="life",
    middle="#stage",
    japanese=["エンドをリクエスト"],
)
MOON = Viewed(
    name="bluemoon",
    records=["base_hoax-khind", "base_khind-buka", "base_aqua-mimix", "base_khind-buka"],
    Table=MoonTable,
    pile="deck",
    middle="#between",
    japanese=["手札", "山札", "捨て札"],
)
VIEWED = [POKER, MOON]
