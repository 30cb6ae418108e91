"""What `ka rules` and `ka glossary` print of BlackPoker: tables made from the engine's own data."""

from __future__ import annotations

from ka_env.blackpoker import RULESETS
from ka_env.blackpoker.cards import JOKERS
from ka_env.blackpoker.codes import ACTION_CODE, VERBS
from ka_env.blackpoker.deal import FIXED_LISTS, FRAMES, default_frame
from ka_env.blackpoker.people import study as study  # a room of its own: what `ka study` asks
from ka_env.blackpoker.people.glossary import ENTRIES, SECTIONS, Entry
from ka_env.blackpoker.rulesets import LETTERS, RULES, actions_of, ruleset_index, split
from ka_env.blackpoker.rulesets.rows import Action, Edition
from ka_env.tables import print_list, print_table

__all__ = ["ENTRIES", "SECTIONS", "list_rulesets", "print_entries", "show_ruleset"]

HEAD = "verb, Japanese, timing, speed, once a turn, cost, with a magician, keys, target, type".split(", ")
WHO = {"turn": "on turn", "other": "not on turn"}
LEGEND = "Costs, paid left to right: B drive a charged bulwark, L take 1 damage, D discard a card, S give up a unit."


def print_entries(entries: list[Entry], markdown: bool) -> None:
    rows = [[e.word, e.japanese, e.meaning, f"`{e.file}`" if markdown else e.file] for e in entries]
    print_table(["word", "Japanese", "meaning", "file"], rows, markdown)


# ---- rulesets -------------------------------------------------------------------------------------------------------


def list_rulesets(markdown: bool) -> None:
    rows = []
    for name in RULESETS:
        edition, fmt, _ = split(name)
        verbs = [a.verb for a in actions_of(name) if a.verb in VERBS]
        rows.append([name, edition.name, fmt, str(len(verbs)), default_frame(name)])
    print_table(["ruleset", "edition", "format", "verbs", "usual frame"], rows, markdown)
    print()
    print_table(["frame", "deck of each player", "start"], [frame_row(name) for name in FRAMES], markdown)


def frame_row(name: str) -> list[str]:
    drawn, preset = FRAMES[name]
    deck = f"{drawn} of the 54 cards, at random or given" if drawn else f"{FIXED_LISTS[name].bit_count()} fixed cards"
    if not drawn and not FIXED_LISTS[name] & JOKERS:
        deck += ", no Joker"
    return [name, deck, "a bulwark and a soldier each, then the common start" if preset else "common start"]


def show_ruleset(name: str, markdown: bool) -> None:
    index = ruleset_index(name)
    edition = split(name).edition
    rows = [action_row(action, index) for action in actions_of(name)]
    magicians = any(action.verb == "magician" for action in actions_of(name))
    keep = [i for i, title in enumerate(HEAD) if magicians or title != "with a magician"]
    print(f"{'## ' if markdown else ''}{name}\n")
    print_table([HEAD[i] for i in keep], [[row[i] for i in keep] for row in rows], markdown)
    print_list([LEGEND, *flow_in_words(edition, magicians), *exempt_in_words(name), *set_up_in_words(index)])


def action_row(action: Action, ruleset: int) -> list[str]:
    once = "yes" if action.once else ""
    cheaper = cost_with_magician(action, ruleset)
    cells = [action.cost or "-", cheaper, action.keys, action.target, action.type]
    timing = f"{action.timing}, {WHO[action.who]}" if action.who in WHO else action.timing
    return [action.verb, action.official, timing, action.speed, once, *cells]


def cost_with_magician(action: Action, ruleset: int) -> str:
    """As the kernels charge it."""
    if action.verb not in VERBS:
        return "-"
    letters = {code: letter for letter, code in LETTERS.items()}
    return "".join(letters[int(c)] for c in RULES[ruleset].cost[1, ACTION_CODE[action.verb]] if c) or "-"


def exempt_in_words(name: str) -> list[str]:
    """Which actions no counter reaches, if there are any."""
    exempt = [action.verb for action in actions_of(name) if not action.counterable]
    return [f"No counter can be aimed at {', '.join(exempt)}."] if exempt else []


def set_up_in_words(ruleset: int) -> list[str]:
    """What a frame of the ruleset adds to the deal."""
    rules = RULES[ruleset]
    if not rules.pack:
        return []
    chosen = ["three cards of the first hand"] * int(rules.strategy) + ["a rare card"] * int(rules.rare)
    words = [f"Before the deal each player chooses {' and '.join(chosen)}."] if chosen else []
    return [*words, "The top 14 cards of the shuffled deck are the pack, closed; what is left is the life."]


def flow_in_words(edition: Edition, magicians: bool) -> list[str]:
    """One sentence for each flag of the edition."""
    words = [
        "The turn player may pass on an empty stage (R8: not again after both have passed)."
        if edition.pass_on_empty_stage
        else "Nobody passes on an empty stage: the turn player must request something.",
        "Keys of up and down go to the fog and lie there until their owner's end of turn."
        if edition.fog
        else "There is no fog: keys of up and down go to the grave.",
        "Both lives at 0 at a win check: the game is a draw."
        if edition.both_at_zero_draws
        else "Both lives at 0 at a win check: the turn player loses.",
    ]
    if magicians:
        waived = [letter for letter in LETTERS if letter in edition.magician_waives]
        part = "nothing" if len(waived) == len(LETTERS) else f"no {' and no '.join(waived)}"
        words.append(f"With a magician on the field, quick magic costs its controller {part}.")
    return words
