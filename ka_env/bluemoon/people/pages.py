"""What `ka rules` and `ka glossary` print of Blue Moon: tables made from the engine's own data."""

from __future__ import annotations

from ka_env.bluemoon import PEOPLES, RULESETS
from ka_env.bluemoon.cards import CODES, DECKS, TYPE, TYPES, members
from ka_env.bluemoon.people import study as study  # a room of its own: what `ka study` asks
from ka_env.bluemoon.people.glossary import ENTRIES, SECTIONS, Entry
from ka_env.bluemoon.people.texts import ROW, TYPE_WORDS, capacity_text, group_name, icons_of, text_of, values_of
from ka_env.bluemoon.rulesets import LISTS, MATCH, OPTIONAL_RULES, ruleset_index
from ka_env.errors import RulesetError, nearest
from ka_env.tables import print_list, print_table

__all__ = ["ENTRIES", "SECTIONS", "list_rulesets", "print_entries", "show_deck", "show_ruleset"]

FLOW = [
    "Start: two or more own storms attract a dragon.",
    "Beginning: retrieve cards, land ships, turn up own face-down cards.",
    "Leadership: one leadership card or one ship; texts that may be used once in a turn also in the next phases.",
    "Engagement: open a fight or decline; in a running fight go on or retreat.",
    "Characters: at least one; the first one covers what lies in the own combat area.",
    "Boosters and supports: one in a running fight, none in the turn that opens it, more as icons and texts allow; "
    "cards with a bluff icon may be played face down, cards may be loaded on ships.",
    "Power: name fire or earth when opening; later the total must reach the opponent's, or a shield holds. Then "
    "face-down cards may be challenged.",
    "Refresh: draw up to six cards. End of the turn: texts; two floods make the opponent retreat.",
    "A retreat gives the winner one dragon, two with six or more cards on the winner's table.",
    "The game ends when a fourth dragon is attracted or a hand stays empty after drawing; dragons decide, else whoever "
    "was first out loses.",
]


def print_entries(entries: list[Entry], markdown: bool) -> None:
    rows = [[e.word, e.japanese, e.meaning, f"`{e.file}`" if markdown else e.file] for e in entries]
    print_table(["word", "Japanese", "meaning", "file"], rows, markdown)


def list_rulesets(markdown: bool) -> None:
    rows = []
    for i, name in enumerate(RULESETS):
        played = "to five crystals" if MATCH[i] else "one game"
        rows.append([name, str(int(LISTS[0, i]).bit_count()), "yes" if OPTIONAL_RULES[i] else "", played])
    print_table(["ruleset", "cards in a deck", "optional rules", "played"], rows, markdown)
    print_list([f"Frames: random, or two of the decks {', '.join(PEOPLES)}, for example khind-buka."])


def show_ruleset(name: str, markdown: bool) -> None:
    """The decks in short, and how a turn goes."""
    index = ruleset_index(name)
    print(f"{'## ' if markdown else ''}{name}\n")
    rows = [deck_row(deck, index) for deck in range(len(DECKS))]
    print_table(["deck", "letter", *(TYPE_WORDS["en"][t] for t in _types(index)), "with text"], rows, markdown)
    print_list([*FLOW, f"The cards of a deck: ka rules {name} --deck {PEOPLES[0]}"])


def _types(ruleset: int) -> list[str]:
    present = {int(TYPE[deck, card]) for deck in range(len(DECKS)) for card in members(LISTS[deck, ruleset])}
    return [TYPES[i] for i in sorted(present)]


def deck_row(deck: int, ruleset: int) -> list[str]:
    codes = [CODES[deck][card] for card in members(LISTS[deck, ruleset])]
    counts = [sum(ROW[code]["type"] == name for code in codes) for name in _types(ruleset)]
    texts = sum(bool(ROW[code]["ability"]) for code in codes)
    letter = next(code[0] for code in codes)
    return [PEOPLES[deck], letter, *map(str, counts), str(texts)]


def show_deck(ruleset: str, name: str, markdown: bool) -> None:
    """The card table of a deck."""
    index = ruleset_index(ruleset)
    if name.lower() not in PEOPLES:
        raise RulesetError(
            f"unknown deck {name!r}: expected one of {', '.join(PEOPLES)}{nearest(name.lower(), PEOPLES)}"
        )
    deck = PEOPLES.index(name.lower())
    print(f"{'## ' if markdown else ''}{DECKS[deck]} ({ruleset})\n")
    rows = [card_row(card + 1, CODES[deck][card]) for card in members(LISTS[deck, index])]
    print_table(["slot", "card", "type", "fire/earth", "icons", "text"], rows, markdown)


def card_row(slot: int, code: str) -> list[str]:
    row = ROW[code]
    group = row["group"]
    shown = icons_of(code)
    if group.startswith("pair"):
        shown = [f"{icon} {group.removeprefix('pair_')}" if icon == "PAIR" else icon for icon in shown]
    elif not group.startswith("gang"):
        shown.append(group_name(group, "en"))
    shown.append(capacity_text(row["capacity"], "en"))
    return [str(slot), code, row["type"], values_of(code), ", ".join(filter(None, shown)), text_of(code)]
