"""Cards, rulesets, the table of actions, the numbers of tokens."""

import functools
import itertools

RANKS = "A23456789TJQK"
SUITS = "shdc"
CARDS = [r + s for s in SUITS for r in RANKS] + ["X1", "X2"]
INDEX = {c: i for i, c in enumerate(CARDS)}

FORMATS = ["lite", "std", "pro", "mast"]
LITE_AND_STD = ["8.0-lite", "8.0-std", "6.1-lite", "6.1-std"]
PRO_AND_MAST = ["8.0-pro", "8.0-mast", "6.1-pro", "6.1-mast"]
FRAME_FORMATS = {"pack": ["std", "pro", "mast"], "rare": ["std", "pro", "mast"], "strategy": ["pro", "mast"]}
WITH_FRAME = [f"8.0-{fmt}+{frame}" for frame, formats in FRAME_FORMATS.items() for fmt in formats]
NEW_RULESETS = [*PRO_AND_MAST, *WITH_FRAME, "8.0-lite+setup"]
RULESETS = [*LITE_AND_STD, *NEW_RULESETS]
SLOTS = 32
STAGE_MAX = 32
RARE_DRAW_LIFE = 9

WORDS = ["pass", "done", "yes", "no", "drive", "charge", "one", "two"]
BASIC = "end attack bulwark soldier hero ace equip up down twist counter search destroy throw".split()
STD = "magician return lance fortify reanimate strip".split()
PRO = "quick reunion kill truce redirect".split()
MAST = "bj rsf force rain recruit surprise".split()
VERBS = (
    "end attack bulwark soldier hero ace magician equip up down twist counter search return "
    "destroy throw lance fortify reanimate strip reverse".split()
    + PRO
    + MAST
    + "open raredraw raresummon trap setup".split()
)
PLAYER_WORDS = ["me", "foe"]
TRIGGERED = ["draw", "block", "damage"]  # normal-speed triggered requests

# Quick and immediate in both editions; the functions below add what differs.
QUICK = (
    "up down twist counter search return quick reunion kill truce redirect open raredraw raresummon trap setup".split()
)
IMMEDIATE = ["bulwark", "search", "open", "raredraw"]
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
    "quick": "D",
    "bj": "SS",
    "rsf": "BB",
    "force": "BB",
    "rain": "BB",
    "recruit": "BB",
    "surprise": "BB",
    "raresummon": "S",
    "setup": "D",
}
ONE_KEY = "soldier hero ace magician equip up down twist counter search quick raresummon trap setup".split()
LOW_SUIT = {"up": "h", "down": "s", "twist": "d", "counter": "c", "setup": "s"}  # one key A-10 of this suit
LOW_PAIR = {  # two keys A-10 of this suit
    "reunion": "h",
    "kill": "s",
    "truce": "d",
    "redirect": "c",
    "force": "h",
    "rain": "s",
    "recruit": "d",
    "surprise": "c",
}
KEY_SUITS = {  # two keys of these suits, in this order
    "destroy": "hd",
    "throw": "sc",
    "lance": "sd",
    "fortify": "hc",
    "reanimate": "sh",
    "strip": "dc",
}
ROYAL = "ATJQK"  # the keys of rsf, in the order asked
FROM_RARE = ["raresummon", "trap"]  # the key comes from the rare zone

UNIT_TARGET = ["equip", "up", "down", "twist", "return", "destroy", "lance", "reanimate", "reverse", "kill", "setup"]
REQUEST_TARGET = ["counter", "truce", "redirect", "trap"]
PLAYER_TARGET = ["rsf"]
OPPONENT_TARGET = ["throw", "strip"]  # never asked, never written
HAS_TARGET = UNIT_TARGET + REQUEST_TARGET + PLAYER_TARGET + OPPONENT_TARGET
NO_COUNTER = ["force", "rain", "recruit", "surprise"]  # R38


def number(card):
    return 0 if card[0] == "X" else RANKS.index(card[0]) + 1


def suit(card):
    return None if card[0] == "X" else card[1]


def is_joker(card):
    return card[0] == "X"


def is_court(card):
    return card[0] in "XAJQK"


def is_low(card):
    return 1 <= number(card) <= 10


def same_card(a, b):
    """R61: any Joker is the same as any Joker."""
    return a == b or (is_joker(a) and is_joker(b))


def in_card_order(cards):
    return sorted(cards, key=INDEX.__getitem__)


# ---- rulesets ----


def split_ruleset(name):
    """(edition, format, what follows the plus sign)"""
    rest, _, extra = name.partition("+")
    edition, fmt = rest.split("-")
    return edition, fmt, extra


def has_pack(extra):
    return extra in FRAME_FORMATS


def has_rare(extra):
    return extra in ("rare", "strategy")


def has_verb(edition, fmt, extra, verb):
    if verb == "setup":
        return extra == "setup"
    if verb == "open":
        return has_pack(extra)
    if verb in ("raredraw", "raresummon", "trap"):
        return has_rare(extra)
    return FORMATS.index(fmt) >= FORMATS.index(_first_format(edition, verb))


def _first_format(edition, verb):
    if verb in BASIC:
        return "lite"
    if verb in STD:
        return "std"
    if verb == "reverse":
        return "std" if edition == "6.1" else "pro"
    return "pro" if verb in PRO else "mast"


def is_quick(edition, verb):
    """Quick timing; all others are main."""
    return verb in QUICK or (edition == "8.0" and verb in ("reverse", "bj", "rsf"))


def is_immediate(edition, verb):
    return verb in IMMEDIATE or (edition == "6.1" and verb == "bj")


def is_quick_magic(edition, verb):
    """The type, which matters for the magician (R4)."""
    if verb in ("return", "reverse", "bj", "rsf"):
        return edition == "8.0"
    return verb in "up down twist counter search setup reunion kill truce redirect".split()


# ---- keys ----


def key_count(verb):
    if verb in ONE_KEY:
        return 1
    if verb in KEY_SUITS or verb in LOW_PAIR or verb in ("return", "reverse", "bj"):
        return 2
    return 5 if verb == "rsf" else 0


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
    if verb in ("ace", "quick"):
        return n == 1
    if verb in ("magician", "search"):
        return is_joker(keys[0])
    if verb == "equip":
        return not is_joker(keys[0])
    if verb in FROM_RARE:
        return True
    if verb in LOW_SUIT:
        return s == LOW_SUIT[verb] and is_low(keys[0])
    if verb in KEY_SUITS:
        return s == KEY_SUITS[verb][0] and suit(keys[1]) == KEY_SUITS[verb][1]
    if verb in ("bj", "rsf"):
        ranks = "".join(card[0] for card in keys)
        return s is not None and ranks == ("AJ" if verb == "bj" else ROYAL) and len({suit(c) for c in keys}) == 1
    ascending = INDEX[keys[0]] < INDEX[keys[1]]
    if verb in LOW_PAIR:
        return ascending and all(suit(c) == LOW_PAIR[verb] and is_low(c) for c in keys)
    if verb == "return":
        return ascending and s is not None and s == suit(keys[1])
    if verb == "reverse":
        return ascending and n == number(keys[1])
    raise ValueError(verb)


def key_choices(verb, cards):
    """All tuples of keys among these cards, each in the order asked."""
    fitting = _all_keys(verb)
    if verb == "rsf":
        return [keys for keys in fitting if set(keys) <= set(cards)]
    return [keys for keys in itertools.permutations(in_card_order(cards), key_count(verb)) if keys in fitting]


@functools.cache
def _all_keys(verb):
    if verb == "rsf":
        return [tuple(r + s for r in ROYAL) for s in SUITS]
    return {keys for keys in itertools.permutations(CARDS, key_count(verb)) if keys_fit(verb, keys)}


# ---- numbers of tokens (Discrete(198)) ----

FIRST_CARD, FIRST_OWN, FIRST_ENEMY, FIRST_REQUEST, ACTIONS = 48, 102, 134, 166, 198
UNUSED = 47
TOKENS = (
    WORDS
    + VERBS
    + PLAYER_WORDS
    + [None]  # 47
    + CARDS
    + [f"u{n}" for n in range(SLOTS)]
    + [f"e{n}" for n in range(SLOTS)]
    + [f"#{n}" for n in range(STAGE_MAX)]
)
ACTION_ID = {token: i for i, token in enumerate(TOKENS) if token is not None}


def canonical(tokens):
    return sorted(tokens, key=ACTION_ID.__getitem__)
