"""The tables of docs/environment.md that describe observations and actions, made from the code.

`python -m ka_env.blackpoker.people.environment_docs docs/environment.md` writes them between their markers.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from ka_env.blackpoker.codes import (
    FIRST_CARD,
    FIRST_ENEMY,
    FIRST_OWN,
    FIRST_REQUEST,
    FIRST_VERB,
    FOE,
    ME,
    NUM_ACTIONS,
    VERBS,
    WORDS,
)
from ka_env.blackpoker.decisions import KINDS
from ka_env.blackpoker.knowledge.observe import (
    ENTITIES,
    FIRST_RULESETS,
    MORE_ENTITIES,
    MORE_SECTIONS,
    REQUEST_FEATURES,
    SECTIONS,
    SIZE,
    UNIT_FEATURES,
)
from ka_env.tables import markdown_table, write_tables


def numbered(features: Sequence[str]) -> str:
    return markdown_table(["number", "meaning"], enumerate(features))


def sections_markdown() -> str:
    """The flat vector: its sections, and the numbers of a unit and of a request."""
    rows = [(f"`{s.name}`", s.offset, s.length, s.meaning) for s in SECTIONS]
    more = [(f"`{s.name}`", s.offset, s.length, s.meaning) for s in MORE_SECTIONS[len(SECTIONS) :]]
    kinds = ", ".join(f"{i} `{kind}`" for i, kind in enumerate(KINDS))
    return "\n".join(
        [
            markdown_table(["section", "offset", "length", "meaning"], rows)
            + f"\n{SIZE} numbers in all for {', '.join(FIRST_RULESETS)}. Decision kinds: {kinds}.",
            "\nAll other rulesets have the same numbers, and after them:\n",
            markdown_table(["section", "offset", "length", "meaning"], more)
            + f"\n{MORE_SECTIONS[-1].offset + MORE_SECTIONS[-1].length} numbers in all.",
            "\nUnit features:\n",
            numbered(UNIT_FEATURES),
            "Request features:\n",
            numbered(REQUEST_FEATURES),
        ]
    )


def entities_markdown() -> str:
    """The same knowledge by entity."""
    parts = []
    for name, (shape, meanings) in MORE_ENTITIES.items():
        first = ENTITIES[name][0]
        note = "" if first == shape else f" ({first} for {', '.join(FIRST_RULESETS)}, which end there)"
        parts.append(f"`{name}`, shape {shape}{note}; the numbers of its last axis:\n\n{numbered(meanings)}")
    return "\n".join(parts)


def actions_markdown() -> str:
    last_verb = FIRST_VERB + len(VERBS) - 1
    rows = [
        (f"0–{FIRST_VERB - 1}", " ".join(f"`{word}`" for word in WORDS)),
        (f"{FIRST_VERB}–{last_verb}", "verbs: " + " ".join(f"`{verb}`" for verb in VERBS)),
        (f"{ME}–{FOE}", "`me` `foe`: the decider and the other player as targets"),
        (f"{FOE + 1}", "unused, never legal"),
        (f"{FIRST_CARD}–{FIRST_OWN - 1}", "card 0–53: A–K of ♠, ♥, ♦, ♣, then `X1` `X2` (the enemy's at `strip_card`)"),
        (f"{FIRST_OWN}–{FIRST_ENEMY - 1}", "own unit in slot 0–31: `u0` … `u31`"),
        (f"{FIRST_ENEMY}–{FIRST_REQUEST - 1}", "enemy unit in slot 0–31: `e0` … `e31`"),
        (f"{FIRST_REQUEST}–{NUM_ACTIONS - 1}", "request 0–31 on the stage, 0 at the bottom: `#0` … `#31`"),
    ]
    return markdown_table(["ids", "meaning"], rows)


TABLES = {"observation": sections_markdown, "entities": entities_markdown, "actions": actions_markdown}


if __name__ == "__main__":
    write_tables(Path(sys.argv[1]), TABLES)
