"""The cards: `cards.csv`, read once into tables that the kernels read. Nothing else knows a card by its code.

Tables are indexed [deck, card]; a card is its slot minus one. Sets of cards are the bits of an int64, indexed by deck.
Every deck has the neutral set in the slots 31-39; rulesets.py says which cards are really in.
"""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import numpy as np

from ka_env.bluemoon.codes import CARDS

TYPES = "character booster support leadership ship hyla interference achievement".split()
CHARACTER, BOOSTER, SUPPORT, LEADERSHIP_CARD, SHIP, HYLA, INTERFERENCE, ACHIEVEMENT = range(8)

ICONS = (
    "shield_fire shield_earth stop retrieve free pair protected gang1 gang2 gang3 gang4 "
    "bluff_fire bluff_earth bluff_blank replace"
).split()
SHIELD_FIRE, SHIELD_EARTH, STOP, RETRIEVE, FREE, PAIR, PROTECTED, GANG1, GANG2, GANG3, GANG4 = range(11)
BLUFF_FIRE, BLUFF_EARTH, BLUFF_BLANK, REPLACE = range(11, 15)

TIMINGS = (
    "while_active on_play when_playing once_per_own_turn start_of_own_turn end_of_booster_support_phase "
    "end_of_own_turn after_own_turn on_retreat demand interrupt end_of_game"
).split()
(
    WHILE_ACTIVE,
    ON_PLAY,
    WHEN_PLAYING,
    ONCE_PER_TURN,
    START_OF_TURN,
    END_OF_SUPPORT,
    END_OF_TURN,
    AFTER_TURN,
    ON_RETREAT,
    DEMAND,
    INTERRUPT,
    END_OF_GAME,
) = range(12)

ABILITIES = (
    "- attack_again discard_from_opp_hand_blind discard_opp_table_cards discard_own_hand double_own_caterpillar "
    "double_value dragon_for_discard dragon_if_two_storms draw draw_random_from_own_discard "
    "draw_then_discard_one_of_them draw_then_return_two draw_up_to_hand_size extra_plays force_retreat_if_two_floods "
    "free_if hand_to_deck_bottom landing_keeps_hand_playable load_from_hand "
    "load_from_hand_and_landing_allows_one_hand_card mill_opp min_total_power next_card_free no_bluff_challenge "
    "opp_active_character_limit opp_cards_ignored opp_discards_down_to opp_discards_own_choice opp_draw_limit "
    "opp_hand_cap opp_icons_ignored opp_must_discard opp_must_play opp_play_forbidden opp_play_limit opp_reveals_hand "
    "opp_texts_ignored opp_values_parity_zero playable_only_if_then_swap_element raise_own_bluffs_to raise_value_to "
    "raise_value_to_max raise_value_to_sum recycle_discard retreat_dragons_cap retreat_dragons_minus "
    "retreat_dragons_plus retreat_dragons_zero return_own_table_card search_deck_ship_or_load search_to_hand "
    "hyla_hand_size hyla_no_leadership interfere achieve_win_plus achieve_loss_minus chosen_each_discards"
).split()
(
    NO_ABILITY,
    ATTACK_AGAIN,
    DISCARD_BLIND,
    DISCARD_TABLE,
    DISCARD_OWN_HAND,
    DOUBLE_CATERPILLAR,
    DOUBLE_VALUE,
    DRAGON_FOR_DISCARD,
    STORM,
    DRAW,
    DRAW_RANDOM,
    DRAW_DROP,
    DRAW_RETURN,
    DRAW_UP_TO,
    EXTRA_PLAYS,
    FLOOD,
    FREE_IF,
    DECK_BOTTOM,
    LANDING_HAND,
    LOAD_FROM_HAND,
    LOAD_AND_LANDING_HAND,
    MILL,
    MIN_TOTAL,
    NEXT_FREE,
    NO_CHALLENGE,
    CHARACTER_LIMIT,
    CARDS_IGNORED,
    DISCARD_DOWN_TO,
    OPP_DISCARDS,
    DRAW_LIMIT,
    HAND_CAP,
    ICONS_IGNORED,
    MUST_DISCARD,
    MUST_PLAY,
    PLAY_FORBIDDEN,
    PLAY_LIMIT,
    REVEAL_HAND,
    TEXTS_IGNORED,
    PARITY_ZERO,
    ONLY_IF_SWAP,
    RAISE_BLUFFS,
    RAISE_TO,
    RAISE_TO_MAX,
    RAISE_TO_SUM,
    RECYCLE,
    RETREAT_CAP,
    RETREAT_MINUS,
    RETREAT_PLUS,
    RETREAT_ZERO,
    RETURN_CARD,
    SEARCH_SHIP,
    SEARCH_TO_HAND,
    HYLA_HAND_SIZE,
    HYLA_NO_LEADERSHIP,
    INTERFERE,
    ACHIEVE_PLUS,
    ACHIEVE_MINUS,
    CHOSEN_DISCARDS,
) = range(58)

# one-word arguments
CONDITIONS = (
    "- attacked_fire attacked_earth attacked_any opp_active_fight_cards opp_active_characters opp_active_boosters "
    "opp_active_supports opp_active_cards_with_icon opp_table_cards own_table_cards own_ships_in_influence opp_dragons "
    "opp_hand-own_hand any has_text no_text any_value_above_4"
).split()
(
    NO_CONDITION,
    ATTACKED_FIRE,
    ATTACKED_EARTH,
    ATTACKED_ANY,
    OPP_FIGHT_CARDS,
    OPP_CHARACTERS,
    OPP_BOOSTERS,
    OPP_SUPPORTS,
    OPP_ICONS,
    OPP_TABLE,
    OWN_TABLE,
    OWN_SHIPS,
    OPP_DRAGONS,
    HAND_DIFFERENCE,
    ANY_CARD,
    HAS_TEXT,
    NO_TEXT,
    ABOVE_4,
) = range(18)
NEEDS = "- fire_sum earth_sum both_sums either_sum characters".split()
NO_NEED, FIRE_SUM, EARTH_SUM, BOTH_SUMS, EITHER_SUM, COUNT_CHARACTERS = range(6)
TARGETS = "- one_own_character all_own_character all_own_booster all_own_support".split()
NO_TARGET, ONE_CHARACTER, ALL_CHARACTERS, ALL_BOOSTERS, ALL_SUPPORTS = range(5)

ANY_NUMBER = 99  # `count=all`, `count=any`, `amount=any`

with (Path(__file__).parent / "cards.csv").open(newline="", encoding="utf-8") as _file:
    ROWS: list[dict[str, str]] = list(csv.DictReader(_file))

DECKS = [row["deck"] for row in ROWS if row["slot"] == "0"]
PEOPLES = list(dict.fromkeys(row["people"] for row in ROWS))
GROUPS = sorted({row["group"] for row in ROWS if row["group"]})
PAIR_GROUPS = [g for g in GROUPS if g.startswith("pair")]
GANG_GROUPS = [g for g in GROUPS if g.startswith("gang")]
MAX_CAPACITY = max(int(row["capacity"] or 0) for row in ROWS)
SHIPS = 4  # more than any deck has
PILE_OF_LEADERS = 8

COLUMNS = (
    "type people fire earth icons group capacity timing layer ability optional amount types element target need "
    "condition odd active_only keep_last with_icon from_ship one_type else_dragon from_deck combat support "
    "except_flit keep_protected hand_plays limits_area"
).split()


def _arguments(row: dict[str, str]) -> dict[str, str]:
    return dict(word.split("=", 1) for word in row["args"].split())


def _amount(args: dict[str, str]) -> int:
    for key in ("amount", "count", "max", "max_per_turn", "value", "size", "load"):
        if key in args:
            return ANY_NUMBER if args[key] in ("any", "all") else int(args[key])
    return 0


def _need(text: str) -> tuple[int, int]:
    """`fire_sum>=3` and its like, as a code and a number."""
    if text.endswith(("_character", "_characters")):
        return COUNT_CHARACTERS, int(text.split("_")[0])
    sums = [
        part.split(">=")
        for part in text.removesuffix("_disjoint").replace("_and_", "|").replace("_or_", "|").split("|")
    ]
    number = int(sums[0][1])
    if len(sums) == 1:
        return (FIRE_SUM if sums[0][0] == "fire_sum" else EARTH_SUM), number
    return (BOTH_SUMS if "_and_" in text else EITHER_SUM), number


def _condition(text: str) -> tuple[int, int]:
    """`opp_dragons>=1` and its like, as a code and a number."""
    for sign in (">=", "=="):
        if sign in text:
            name, number = text.split(sign)
            return CONDITIONS.index(name), int(number)
    return CONDITIONS.index(text), 0


def _bits(words: str, names: list[str]) -> int:
    return sum(1 << names.index(word) for word in words.split("+") if word)


def facts(row: dict[str, str]) -> dict[str, int]:
    """A row of the csv as numbers."""
    args = _arguments(row)
    fact = dict.fromkeys(COLUMNS, 0)
    fact["type"] = TYPES.index(row["type"])
    fact["people"] = PEOPLES.index(row["people"])
    fact["fire"], fact["earth"] = int(row["fire"] or 0), int(row["earth"] or 0)
    fact["icons"] = _bits(row["icons"], ICONS)
    fact["group"] = GROUPS.index(row["group"]) if row["group"] else -1
    fact["capacity"] = int(row["capacity"] or 0)
    fact["timing"] = TIMINGS.index(row["timing"]) if row["timing"] else -1
    fact["layer"] = int(row["layer"] or 0)
    fact["ability"] = ABILITIES.index(row["ability"] or "-")
    fact["optional"] = int(row["optional"] or 0)
    fact["amount"] = _amount(args)
    types = args.get("types", args.get("type", ""))
    fact["types"] = (1 << len(TYPES)) - 1 if types == "any" else _bits(types, TYPES)
    fact["element"] = {"fire": 1, "earth": 2}.get(args.get("element", "both"), 3)
    fact["target"] = TARGETS.index(args.get("target", "-"))
    if "need" in args:
        fact["need"], fact["amount"] = _need(args["need"])
    if "condition" in args:
        fact["condition"], number = _condition(args["condition"])
        fact["amount"] = fact["amount"] or number
    areas = args.get("from", "")
    fact["odd"] = args.get("parity") == "odd"
    fact["active_only"] = args.get("active_only") == "1"
    fact["keep_last"] = args.get("keep_last_active_character") == "1"
    fact["with_icon"] = args.get("filter") == "has_icon"
    fact["from_ship"] = args.get("only_if_played_from_ship") == "1"
    fact["one_type"] = args.get("choose_one_type") == "1"
    fact["else_dragon"] = args.get("else") == "dragon"
    fact["from_deck"] = areas == "own_deck"
    fact["combat"], fact["support"] = "combat_area" in areas, "support_area" in areas
    fact["except_flit"] = args.get("except") == "flit_characters"
    fact["keep_protected"] = "protected" in args.get("keep", "")
    fact["limits_area"] = args.get("scope") == "combat_area"
    fact["hand_plays"] = int(args.get("hand_plays_on_landing", 0))
    return fact


def _tables() -> tuple[dict[str, np.ndarray], list[list[str]]]:
    tables = {name: np.zeros((len(DECKS), CARDS), np.int16) for name in COLUMNS}
    tables["type"][:] = tables["group"][:] = tables["timing"][:] = -1
    codes = [[""] * CARDS for _ in DECKS]
    for row in ROWS:
        if not row["slot"] or row["slot"] == "0":
            continue
        decks = range(len(DECKS)) if row["deck"] == "neutral" else [DECKS.index(row["deck"])]
        card = int(row["slot"]) - 1
        for deck in decks:
            codes[deck][card] = row["code"]
            for name, value in facts(row).items():
                tables[name][deck, card] = value
    return tables, codes


FACTS, CODES = _tables()  # CODES[deck][card]: "K10"; empty for a slot without a card
CARD_OF = [{code: card for card, code in enumerate(codes) if code} for codes in CODES]
ALL_CODES = {row["code"] for row in ROWS}

TYPE, GROUP, ABILITY, TIMING, LAYER = (FACTS[name] for name in "type group ability timing layer".split())
AMOUNT, TYPE_ARG, ELEMENT, TARGET = (FACTS[name] for name in "amount types element target".split())
NEED, CONDITION, CAPACITY = FACTS["need"], FACTS["condition"], FACTS["capacity"]
ODD_PARITY, ACTIVE_ONLY, KEEP_LAST, WITH_ICON = (FACTS[n] for n in "odd active_only keep_last with_icon".split())
FROM_SHIP_ONLY, ONE_TYPE, ELSE_DRAGON = (FACTS[name] for name in "from_ship one_type else_dragon".split())
FROM_DECK, FROM_COMBAT, FROM_SUPPORT = (FACTS[name] for name in "from_deck combat support".split())
EXCEPT_FLIT, KEEP_PROTECTED, HAND_PLAYS = (FACTS[n] for n in "except_flit keep_protected hand_plays".split())
OPTIONAL = FACTS["optional"]
VALUE = np.stack([FACTS["fire"], FACTS["earth"]], axis=1)  # [deck, element, card]


def members(bits: int) -> list[int]:
    """The cards of a set, ascending."""
    return [i for i in range(int(bits).bit_length()) if int(bits) >> i & 1]


def _set(wanted: Any) -> np.ndarray:
    """For each deck the set of cards for which `wanted` [deck, card] holds."""
    return (np.asarray(wanted, bool) * (np.int64(1) << np.arange(CARDS, dtype=np.int64))).sum(axis=1)


def _sets(column: np.ndarray, count: int) -> np.ndarray:
    return np.stack([_set(column == i) for i in range(count)], axis=1)


IN_DECK = _set(TYPE >= 0)
OF_TYPE = _sets(TYPE, len(TYPES))  # [deck, type]
WITH_TEXT = _set(ABILITY != NO_ABILITY)
WITH_ABILITY = _sets(ABILITY, len(ABILITIES))  # [deck, ability]
WITH_TIMING = _sets(TIMING, len(TIMINGS))
IN_GROUP = _sets(GROUP, len(GROUPS))
SHOWS = np.stack([_set(FACTS["icons"] >> i & 1) for i in range(len(ICONS))], axis=1)  # [deck, icon]
WITH_ICONS = _set(FACTS["icons"] != 0)
FIGHT_CARDS = OF_TYPE[:, CHARACTER] | OF_TYPE[:, BOOSTER] | OF_TYPE[:, SUPPORT]
BLUFFS = SHOWS[:, BLUFF_FIRE] | SHOWS[:, BLUFF_EARTH] | SHOWS[:, BLUFF_BLANK]
GANGS = SHOWS[:, GANG1] | SHOWS[:, GANG2] | SHOWS[:, GANG3] | SHOWS[:, GANG4]
GROUPED = SHOWS[:, PAIR] | GANGS
FLIT_CHARACTERS = _set((FACTS["people"] == PEOPLES.index("Flit")) & (TYPE == CHARACTER))
BUKA_CHARACTERS = _set((FACTS["people"] == PEOPLES.index("Buka")) & (TYPE == CHARACTER))
VALUE_ABOVE_4 = _set((FACTS["fire"] > 4) | (FACTS["earth"] > 4))
ODD = np.stack([_set(FACTS[name] % 2 == 1) for name in ("fire", "earth")], axis=1)  # [deck, element]
IGNORING = _set((LAYER >= 1) & (LAYER <= 4))  # texts of the layers 1-4
BOOSTING = _set(LAYER >= 5)  # texts of the layers 5-7
LIMITS_AREA = _set(FACTS["limits_area"])
CATERPILLARS = IN_GROUP[:, GROUPS.index("caterpillar")].copy()  # contiguous, so that kernels can be cached
PAIR_BITS = sum(1 << GROUPS.index(g) for g in PAIR_GROUPS)

# Playing one of these as a booster or support can't bring down a total that is enough (flow/completable.py).
_UNSAFE = [CARDS_IGNORED, TEXTS_IGNORED, ICONS_IGNORED, PARITY_ZERO, ONLY_IF_SWAP]
HARMLESS = _set(~np.isin(ABILITY, _UNSAFE) & ~np.isin(TIMING, [ON_PLAY, WHEN_PLAYING]))

_used = {row["ability"] for row in ROWS if row["ability"]}
assert _used == set(ABILITIES[1:]), _used ^ set(ABILITIES[1:])
assert max(len(codes) for codes in CARD_OF) <= CARDS
