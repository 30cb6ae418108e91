"""What a player may know of a position, worked out from its text by the rules (section 2 and R1) and by nothing else.

`view` renders it, `redraw` exchanges what the player can't know, `MUTATIONS` change one fact of a text each.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable

SUITS = "shdc"
CARDS = [rank + suit for suit in SUITS for rank in "A23456789TJQK"] + ["X1", "X2"]
ENTRY20 = "As 2s 3s 4s 5s Ah 8h 9h Th Jh Ad 3d 7d Td Qd Ac 5c 6c Tc Kc".split()
RULESETS = ["8.0-lite", "8.0-std", "6.1-lite", "6.1-std"]
UNIT = re.compile(r"(\d+):([bs])([^/*^&~]+)(/d)?(\*)?(\^)?(&\d+)?(~[+-]\d+)?")

Position = dict[str, list[str]]


def parse(text: str) -> Position:
    rows = [line.split() for line in text.splitlines()]
    return {name: [] if words == ["-"] else words for name, *words in rows}


def unparse(position: Position) -> str:
    return "".join(f"{name} {' '.join(words) or '-'}\n" for name, words in position.items())


def number(card: str) -> int:
    return 0 if card[0] == "X" else "A23456789TJQK".index(card[0]) + 1


# ---- what is where --------------------------------------------------------------------------------------------------


def soldiers_cards(position: Position, q: int) -> list[str]:
    units = [UNIT.fullmatch(word) for word in position[f"field{q}"]]
    return [card for unit in units if unit[2] == "s" for card in unit[3].split("+")]


def bulwarks(position: Position, q: int) -> dict[str, str]:
    """Slot: card."""
    units = [UNIT.fullmatch(word) for word in position[f"field{q}"]]
    return {unit[1]: unit[3] for unit in units if unit[2] == "b"}


def keys_on_stage(position: Position, q: int) -> list[str]:
    found = [re.search(r":(\d)\.\w+\(([^)]*)\)", word) for word in position["stage"]]
    return [card for match in found if match and int(match[1]) == q for card in match[2].split(",")]


def keys_named(position: Position, q: int) -> list[str]:
    if position["chance"] != [str(q)]:
        return []
    return [c for word in position.get("pending", []) if word.startswith("keys=") for c in word[5:].split(",")]


def fog_cards(position: Position, q: int) -> list[str]:
    return [word[:2] for word in position[f"fog{q}"]]


def face_up(position: Position, q: int) -> set[str]:
    found = [soldiers_cards(position, q), keys_on_stage(position, q), keys_named(position, q), fog_cards(position, q)]
    return {card for cards in found for card in cards} | set(position[f"grave{q}"][-1:])


def deck(position: Position, q: int) -> set[str]:
    zones = [position[f"{zone}{q}"] for zone in ("life", "hand", "grave")]
    return face_up(position, q) | {c for zone in zones for c in zone} | set(bulwarks(position, q).values())


def known_of_enemy(position: Position, p: int) -> list[str]:
    return [word for word in position[f"known{p}"] if "@own" not in word]


def known_of_own(position: Position, p: int) -> list[str]:
    return [word for word in position[f"known{p}"] if "@own" in word]


def list_is_public(position: Position, q: int) -> bool:
    return deck(position, q) in (set(ENTRY20), set(CARDS))


# ---- a player's view ------------------------------------------------------------------------------------------------


def view(text: str, p: int) -> str:
    """All that p may know, told from p's side."""
    position, q = parse(text), 1 - p
    side = {str(p): "own", str(q): "enemy", "-": "-", "both": "both"}

    def aim(word: str) -> str:
        return re.sub(r">([01])\.", lambda m: f">{side[m[1]]}.", word)

    def request(word: str) -> str:
        return re.sub(r":([01])\.", lambda m: f":{side[m[1]]}.", aim(word))

    def hide(word: str) -> str:
        return re.sub(r":b\w\w", ":b?", word)

    scores = position.get("result", [])
    theirs = {word[:2] for word in known_of_enemy(position, p)}
    candidates = deck(position, q) if list_is_public(position, q) else set(CARDS)
    facts = {
        "rules": position["rules"],
        "turn": [side[word] for word in position["turn"]],
        "chance": [side[word] for word in position["chance"]],
        "passed": [side[word] for word in position["passed"]],
        "used": position["used"],
        "own life": sorted(position[f"life{p}"]),
        "own places": known_of_own(position, p),
        "own hand": sorted(position[f"hand{p}"]),
        "own grave": position[f"grave{p}"],
        "own field": position[f"field{p}"],
        "own fog": [aim(word) for word in position[f"fog{p}"]],
        "enemy counts": [str(len(position[f"{zone}{q}"])) for zone in ("life", "hand", "grave")],
        "enemy grave top": position[f"grave{q}"][-1:],
        "enemy known": known_of_enemy(position, p),
        "enemy unseen": sorted(candidates - face_up(position, q) - theirs),
        "enemy field": [hide(word) for word in position[f"field{q}"]],
        "enemy fog": [aim(word) for word in position[f"fog{q}"]],
        "stage": [request(word) for word in position["stage"]],
        "pending": position.get("pending", []),
        "result": scores if p == 0 else scores[::-1],
    }
    return "".join(f"{name}: {' '.join(words)}\n" for name, words in facts.items())


def mirror(text: str) -> str:
    """The same position with the players' numbers exchanged."""
    other = {"0": "1", "1": "0"}
    rows = []
    for name, words in parse(text).items():
        if name in ("turn", "chance", "passed"):
            words = [other.get(word, word) for word in words]
        elif name == "result":
            words = words[::-1]
        elif name[:-1] == "fog" or name == "stage":
            words = [re.sub(r"(?<=[:>])[01](?=\.)", lambda m: other[m[0]], word) for word in words]
        rows.append((name[:-1] + other[name[-1]] if name[-1] in other else name, words))
    return unparse(dict(rows))


# ---- what the player can't know -------------------------------------------------------------------------------------


def redraw(text: str, p: int, rng: random.Random) -> str:
    """Exchange what p can't know: unknown cards of the enemy among each other (and, if p does not know the list,
    with cards that are not in it), and the order of the own life where p does not know it."""
    position, q = parse(text), 1 - p
    theirs = {word[:2] for word in known_of_enemy(position, p)} | face_up(position, q)
    hidden = sorted(deck(position, q) - theirs)
    supply = hidden if list_is_public(position, q) else sorted(set(CARDS) - theirs)
    new = dict(zip(hidden, rng.sample(supply, len(hidden))))
    for zone in ("life", "hand", "grave"):
        position[f"{zone}{q}"] = [new.get(card, card) for card in position[f"{zone}{q}"]]
    position[f"field{q}"] = [
        re.sub(r":b(\w\w)", lambda m: f":b{new.get(m[1], m[1])}", word) for word in position[f"field{q}"]
    ]
    grave = position[f"grave{q}"]
    grave[:-1] = rng.sample(grave[:-1], len(grave[:-1]))  # that a card lies there is known, not how deep
    life = position[f"life{p}"]
    placed = {int(word.split(".")[1]) for word in known_of_own(position, p)}
    free = [k for k in range(len(life)) if k not in placed]
    cards = rng.sample([life[k] for k in free], len(free))
    for k, card in zip(free, cards):
        life[k] = card
    # What the enemy knows of these places goes on; it is no business of p.
    for i, word in enumerate(position[f"known{q}"]):
        place, _, k = word[3:].partition(".")
        if place == "own":
            position[f"known{q}"][i] = f"{position[f'life{q}'][int(k)]}@own.{k}"
        elif place == "life":
            position[f"known{q}"][i] = f"{life[int(k)]}@life.{k}"
    return unparse(position)


# ---- one fact changed -----------------------------------------------------------------------------------------------

Mutation = Callable[[Position, int, random.Random], None]
MUTATIONS: dict[str, Mutation] = {}


class Nothing(Exception):
    """The fact to change is not there."""


def mutation(change: Mutation) -> Mutation:
    MUTATIONS[change.__name__] = change
    return change


def pick(rng: random.Random, things: list):
    if not things:
        raise Nothing
    return rng.choice(things)


def pick_index(rng: random.Random, things: list) -> int:
    return pick(rng, list(range(len(things))))


def take(rng: random.Random, things: list[str]) -> str:
    return things.pop(pick_index(rng, things))


def edit_unit(position: Position, q: int, rng: random.Random, change: Callable[[list], None], kind: str = "bs") -> None:
    """Change the parts (slot, kind, cards, /d, *, ^, &n, ~n) of one unit."""
    field = position[f"field{q}"]
    i = pick(rng, [i for i, word in enumerate(field) if UNIT.fullmatch(word)[2] in kind])
    parts = [part or "" for part in UNIT.fullmatch(field[i]).groups()]
    change(parts)
    field[i] = f"{parts[0]}:{''.join(parts[1:])}"


def toggle(mark: str, at: int) -> Callable[[list], None]:
    def change(parts: list) -> None:
        parts[at] = "" if parts[at] else mark

    return change


@mutation
def rules(position: Position, q: int, rng: random.Random) -> None:
    position["rules"] = [rng.choice([r for r in RULESETS if [r] != position["rules"]])]


@mutation
def turn(position: Position, q: int, rng: random.Random) -> None:
    position["turn"] = [str(1 - int(position["turn"][0]))]


@mutation
def chance(position: Position, q: int, rng: random.Random) -> None:
    position["chance"] = [str(1 - int(pick(rng, [c for c in position["chance"] if c != "-"])))]


@mutation
def passed(position: Position, q: int, rng: random.Random) -> None:
    values = [[], ["0"], ["1"], ["both"]]
    position["passed"] = rng.choice([v for v in values if v != position["passed"]])


@mutation
def used(position: Position, q: int, rng: random.Random) -> None:
    verb = rng.choice(["bulwark", "attack"])
    position["used"] = [w for w in ("bulwark", "attack") if (w in position["used"]) != (w == verb)]


@mutation
def result(position: Position, q: int, rng: random.Random) -> None:
    now = pick(rng, [position.get("result", [])] if "result" in position else [])
    position["result"] = rng.choice([v for v in (["1", "0"], ["0", "1"], ["0.5", "0.5"]) if v != now])


@mutation
def life_card_to_hand(position: Position, q: int, rng: random.Random) -> None:
    position[f"hand{q}"].append(take(rng, position[f"life{q}"]))


@mutation
def life_card_under_grave(position: Position, q: int, rng: random.Random) -> None:
    position[f"grave{q}"].insert(0, take(rng, position[f"life{q}"]))


@mutation
def hand_and_life_exchanged(position: Position, q: int, rng: random.Random) -> None:
    hand, life = position[f"hand{q}"], position[f"life{q}"]
    i, k = pick_index(rng, hand), pick_index(rng, life)
    hand[i], life[k] = life[k], hand[i]


@mutation
def hand_and_grave_exchanged(position: Position, q: int, rng: random.Random) -> None:
    hand, grave = position[f"hand{q}"], position[f"grave{q}"]
    i, k = pick_index(rng, hand), pick_index(rng, grave)
    hand[i], grave[k] = grave[k], hand[i]


@mutation
def bulwark_and_hand_exchanged(position: Position, q: int, rng: random.Random) -> None:
    i = pick_index(rng, position[f"hand{q}"])
    card = position[f"hand{q}"][i]

    def change(parts: list) -> None:
        position[f"hand{q}"][i], parts[2] = parts[2], card

    edit_unit(position, q, rng, change, "b")


@mutation
def order_of_life(position: Position, q: int, rng: random.Random) -> None:
    life = position[f"life{q}"]
    i, k = pick_index(rng, life), pick_index(rng, life)
    life[i], life[k] = life[k], life[i]


@mutation
def order_of_grave(position: Position, q: int, rng: random.Random) -> None:
    grave = position[f"grave{q}"]
    i = pick(rng, list(range(1, len(grave))))
    grave[i], grave[i - 1] = grave[i - 1], grave[i]


@mutation
def card_gone(position: Position, q: int, rng: random.Random) -> None:
    """In no zone: not in the deck."""
    take(rng, position[f"{rng.choice(['life', 'hand', 'grave'])}{q}"])


@mutation
def known_dropped(position: Position, q: int, rng: random.Random) -> None:
    take(rng, position[f"known{q}"])


@mutation
def known_added(position: Position, q: int, rng: random.Random) -> None:
    e = 1 - q
    words = [f"{c}@hand" for c in position[f"hand{e}"]] + [f"{c}@grave" for c in position[f"grave{e}"][:-1]]
    words += [f"{c}@field.{slot}" for slot, c in bulwarks(position, e).items()]
    words += [f"{c}@life.{k}" for k, c in enumerate(position[f"life{e}"])]
    words += [f"{c}@own.{k}" for k, c in enumerate(position[f"life{q}"])]
    position[f"known{q}"].append(pick(rng, [word for word in words if word not in position[f"known{q}"]]))


@mutation
def driven(position: Position, q: int, rng: random.Random) -> None:
    edit_unit(position, q, rng, toggle("/d", 3))


@mutation
def came_this_turn(position: Position, q: int, rng: random.Random) -> None:
    edit_unit(position, q, rng, toggle("*", 4))


@mutation
def attacker(position: Position, q: int, rng: random.Random) -> None:
    edit_unit(position, q, rng, toggle("^", 5), "s")


@mutation
def blocks(position: Position, q: int, rng: random.Random) -> None:
    attackers = [UNIT.fullmatch(word)[1] for word in position[f"field{1 - q}"] if "^" in word]

    def change(parts: list) -> None:
        parts[6] = pick(rng, [mark for mark in ["", *(f"&{slot}" for slot in attackers)] if mark != parts[6]])

    edit_unit(position, q, rng, change)


@mutation
def size_change(position: Position, q: int, rng: random.Random) -> None:
    def change(parts: list) -> None:
        parts[7] = rng.choice([mark for mark in ("", "~+1", "~-1", "~+7", "~-12") if mark != parts[7]])

    edit_unit(position, q, rng, change, "s")


@mutation
def slot(position: Position, q: int, rng: random.Random) -> None:
    taken = {UNIT.fullmatch(word)[1] for word in position[f"field{q}"]}

    def change(parts: list) -> None:
        parts[0] = rng.choice([str(n) for n in range(32) if str(n) not in taken])

    edit_unit(position, q, rng, change)
    position[f"field{q}"].sort(key=lambda word: int(word.split(":")[0]))


@mutation
def unit_gone(position: Position, q: int, rng: random.Random) -> None:
    take(rng, position[f"field{q}"])


@mutation
def kind_of_unit(position: Position, q: int, rng: random.Random) -> None:
    def change(parts: list) -> None:
        parts[1] = "s" if parts[1] == "b" else "b"

    edit_unit(position, q, rng, change)


@mutation
def equipped(position: Position, q: int, rng: random.Random) -> None:
    def change(parts: list) -> None:
        more = pick(rng, [card for card in position[f"life{q}"] if card[1] == parts[2][1]])
        position[f"life{q}"].remove(more)
        parts[2] += f"+{more}"

    edit_unit(position, q, rng, change, "s")


@mutation
def order_in_unit(position: Position, q: int, rng: random.Random) -> None:
    def change(parts: list) -> None:
        parts[2] = "+".join(pick(rng, [parts[2].split("+")[::-1]] if "+" in parts[2] else []))

    edit_unit(position, q, rng, change, "s")


@mutation
def fog_link(position: Position, q: int, rng: random.Random) -> None:
    """With the size marks that follow from it."""
    fog = position[f"fog{q}"]
    i = pick_index(rng, fog)
    soldiers = [(e, w.split(":")[0]) for e in range(2) for w in position[f"field{e}"] if UNIT.fullmatch(w)[2] == "s"]
    links = [f"{fog[i][:2]}>{aim}" for aim in ["-", *(f"{e}.{slot}" for e, slot in soldiers)]]
    fog[i] = pick(rng, [link for link in links if link != fog[i]])
    set_size_marks(position)


@mutation
def fog_card_added(position: Position, q: int, rng: random.Random) -> None:
    cards = [card for card in position[f"life{q}"] if card[1] in "sh" and 1 <= number(card) <= 10]
    card = pick(rng, cards)
    position[f"life{q}"].remove(card)
    position[f"fog{q}"].append(f"{card}>-")


def set_size_marks(position: Position) -> None:
    """8.0: the size marks are the sums of the linked fog cards."""
    sums: dict[str, int] = {}
    for q in range(2):
        for word in position[f"fog{q}"]:
            card, link = word.split(">")
            sums[link] = sums.get(link, 0) + number(card) * (1 if card[1] == "h" else -1)
    for q in range(2):
        for i, word in enumerate(position[f"field{q}"]):
            change = sums.get(f"{q}.{word.split(':')[0]}", 0)
            position[f"field{q}"][i] = re.sub(r"~.*", "", word) + (f"~{change:+d}" if change else "")


def edit_request(position: Position, rng: random.Random, pattern: str, change: Callable[[re.Match], str]) -> None:
    i = pick(rng, [i for i, word in enumerate(position["stage"]) if re.search(pattern, word)])
    position["stage"][i] = re.sub(pattern, change, position["stage"][i])


@mutation
def stage_player(position: Position, q: int, rng: random.Random) -> None:
    edit_request(position, rng, r":[01]\.", lambda m: f":{1 - int(m[0][1])}.")


@mutation
def stage_action(position: Position, q: int, rng: random.Random) -> None:
    """Another action whose keys and target have the same form."""
    pairs = {"up": "down", "soldier": "hero", "draw": "damage", "block": "damage", "end": "attack", "attack": "end"}
    pairs |= {"damage": "block"}
    edit_request(position, rng, rf"\b({'|'.join(pairs)})\b", lambda m: pairs[m[0]])


@mutation
def stage_key(position: Position, q: int, rng: random.Random) -> None:
    """Another card of the same suit from the owner's life."""
    i = pick(rng, [i for i, word in enumerate(position["stage"]) if "(" in word])
    word = position["stage"][i]
    old = rng.choice(re.search(r"\((.*)\)", word)[1].split(","))
    life = position[f"life{word.split(':')[1][0]}"]
    new = pick(rng, [card for card in life if card[1] == old[1]])
    life[life.index(new)] = old
    position["stage"][i] = word.replace(old, new)


@mutation
def stage_target(position: Position, q: int, rng: random.Random) -> None:
    units = [f">{e}.{word.split(':')[0]}" for e in range(2) for word in position[f"field{e}"]]
    aims = [">-", *units, *(f">#{i}" for i in range(len(position["stage"])))]
    edit_request(position, rng, r">.*", lambda m: rng.choice([aim for aim in aims if aim != m[0]]))


@mutation
def stage_top_gone(position: Position, q: int, rng: random.Random) -> None:
    position["stage"].pop(pick_index(rng, position["stage"][-1:]) - 1)


@mutation
def stage_grown(position: Position, q: int, rng: random.Random) -> None:
    push(position, q, rng)


def push(position: Position, q: int, rng: random.Random) -> None:
    """One more quick request of player q on the stage."""
    units = [f"{e}.{word.split(':')[0]}" for e in range(2) for word in position[f"field{e}"]]
    suit = rng.choice(SUITS)
    card = pick(rng, [card for card in position[f"life{q}"] if card[1] == suit and 1 <= number(card) <= 10])
    aims = [f"#{i}" for i in range(len(position["stage"]))] if suit == "c" else units
    verb = {"s": "down", "h": "up", "d": "twist", "c": "counter"}[suit]
    position[f"life{q}"].remove(card)
    position["stage"].append(f"{len(position['stage'])}:{q}.{verb}({card})>{rng.choice([*aims, '-'])}")


@mutation
def stage_order(position: Position, q: int, rng: random.Random) -> None:
    stage = position["stage"]
    i = pick(rng, list(range(1, len(stage))))
    below, above = stage[i - 1].split(":"), stage[i].split(":")
    stage[i - 1 : i + 1] = [f"{i - 1}:{above[1]}", f"{i}:{below[1]}"]


@mutation
def pending_gone(position: Position, q: int, rng: random.Random) -> None:
    pick(rng, position.get("pending", []))
    del position["pending"]


@mutation
def pending_word_dropped(position: Position, q: int, rng: random.Random) -> None:
    words = position.get("pending", [])
    words.pop(pick(rng, list(range(1, len(words)))))


@mutation
def pending_changed(position: Position, q: int, rng: random.Random) -> None:
    """Another number or card in one word of the decision under way."""
    words = position.get("pending", [])
    i = pick(rng, [i for i, word in enumerate(words) if "=" in word])
    name, values = words[i].split("=")
    parts = values.split(",")
    k = rng.randrange(len(parts))
    if name in ("keys", "order"):
        hand = position[f"hand{position['chance'][0]}"]
        new = pick(rng, hand if name == "keys" else [card for card in CARDS if card[1] == parts[k][1]])
        if name == "keys":
            hand[hand.index(new)] = parts[k]
    else:
        new = rng.choice([str(n) for n in range(4 if name == "paid" else 12)])
    parts[k] = new
    words[i] = f"{name}={','.join(parts)}"


@mutation
def pending_action(position: Position, q: int, rng: random.Random) -> None:
    """Another action being requested."""
    words = position.get("pending", [])
    verbs = "soldier hero ace equip up down twist counter destroy throw lance reanimate strip return reverse".split()
    pick(rng, words[1:2] if words[1:2] and words[1] in verbs else [])
    words[1] = rng.choice([verb for verb in verbs if verb != words[1]])


@mutation
def pending_kind(position: Position, q: int, rng: random.Random) -> None:
    kinds = "draw_more attackers twist fortify reverse_state discard strip_card grave_card".split()
    words = position.get("pending", [])
    pick(rng, words)
    words[0] = rng.choice([kind for kind in kinds if kind != words[0]])


def mutated(text: str, name: str, q: int, rng: random.Random) -> str | None:
    """The text with one fact changed, of player q if it is some player's; None if that fact is not there."""
    position = {line: words[:] for line, words in parse(text).items()}
    try:
        MUTATIONS[name](position, q, rng)
    except Nothing:
        return None
    return unparse(position)
