"""Cards and the table of actions."""

RANKS = "A23456789TJQK"
SUITS = "shdc"
CARDS = [r + s for s in SUITS for r in RANKS] + ["X1", "X2"]
INDEX = {c: i for i, c in enumerate(CARDS)}

RULESETS = ["8.0-lite", "8.0-std", "6.1-lite", "6.1-std"]
SLOTS = 32
STAGE_MAX = 32

WORDS = ["pass", "done", "yes", "no", "drive", "charge", "one", "two"]
VERBS = (
    "end attack bulwark soldier hero ace magician equip up down twist counter search return "
    "destroy throw lance fortify reanimate strip reverse"
).split()
TRIGGERED = ["draw", "block", "damage"]  # normal-speed triggered requests
STD_ONLY = ["magician", "return", "lance", "fortify", "reanimate", "strip", "reverse"]
QUICK = ["up", "down", "twist", "counter", "search", "return"]  # all others: main timing
IMMEDIATE = ["bulwark", "search"]  # all others: normal speed
COST = {
    "bulwark": "L",
    "soldier": "BL",
    "hero": "BBL",
    "ace": "L",
    "magician": "BD",
    "equip": "BL",
    "up": "D",
    "down": "D",
    "twist": "D",
    "counter": "D",
    "return": "B",
}
ONE_KEY = ["soldier", "hero", "ace", "magician", "equip", "up", "down", "twist", "counter", "search"]
KEY_SUITS = {  # two keys of these suits, in this order
    "destroy": "hd",
    "throw": "sc",
    "lance": "sd",
    "fortify": "hc",
    "reanimate": "sh",
    "strip": "dc",
}
UNIT_TARGET = ["equip", "up", "down", "twist", "return", "destroy", "lance", "reanimate", "reverse"]


def number(card):
    return 0 if card[0] == "X" else RANKS.index(card[0]) + 1


def suit(card):
    return None if card[0] == "X" else card[1]


def is_joker(card):
    return card[0] == "X"


def is_court(card):
    return card[0] in "XAJQK"


def in_card_order(cards):
    return sorted(cards, key=INDEX.__getitem__)


def has_verb(edition, fmt, verb):
    if verb == "reverse" and edition == "8.0":
        return False  # pro and up there
    return fmt == "std" or verb not in STD_ONLY


def is_quick_magic(edition, verb):
    if verb == "return":
        return edition == "8.0"
    return verb in QUICK


def key_count(verb):
    if verb in ONE_KEY:
        return 1
    if verb in KEY_SUITS or verb in ("return", "reverse"):
        return 2
    return 0


def keys_fit(verb, keys):
    """Are these the key cards of that action, in the order in which they are asked?"""
    if len(keys) != key_count(verb):
        return False
    if not keys:
        return True
    n, s = number(keys[0]), suit(keys[0])
    if verb == "soldier":
        return 2 <= n <= 10
    if verb == "hero":
        return 11 <= n <= 13
    if verb == "ace":
        return n == 1
    if verb in ("magician", "search"):
        return is_joker(keys[0])
    if verb == "equip":
        return not is_joker(keys[0])
    if verb in ("up", "down", "twist", "counter"):
        return s == {"up": "h", "down": "s", "twist": "d", "counter": "c"}[verb] and 1 <= n <= 10
    if verb in KEY_SUITS:
        return s == KEY_SUITS[verb][0] and suit(keys[1]) == KEY_SUITS[verb][1]
    ascending = INDEX[keys[0]] < INDEX[keys[1]]
    if verb == "return":
        return ascending and s is not None and s == suit(keys[1])
    if verb == "reverse":
        return ascending and n == number(keys[1])
    raise ValueError(verb)
