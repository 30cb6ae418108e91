"""The tables of docs/bluemoon_environment.md, made from the code.

`python -m ka_env.bluemoon.people.environment_docs docs/bluemoon_environment.md` writes them between their markers.
"""

from __future__ import annotations

import sys
from pathlib import Path

from ka_env.bluemoon.codes import (
    FIRST_BLUFF,
    FIRST_CARD,
    FIRST_ENEMY,
    FIRST_FACE_DOWN,
    FIRST_LOAD,
    KINDS,
    NUM_ACTIONS,
    WORDS,
)
from ka_env.bluemoon.knowledge.entities import ENTITIES
from ka_env.bluemoon.knowledge.observe import SECTIONS, SIZE
from ka_env.tables import markdown_table, write_tables


def sections_markdown() -> str:
    """The flat vector by section."""
    rows = [(f"`{s.name}`", s.offset, s.length, s.meaning) for s in SECTIONS]
    kinds = ", ".join(f"{i} `{kind}`" for i, kind in enumerate(KINDS))
    head = ["section", "offset", "length", "meaning"]
    return markdown_table(head, rows) + f"\n{SIZE} numbers in all. Decision kinds: {kinds}."


def entities_markdown() -> str:
    """The same knowledge by entity."""
    parts = []
    for name, (shape, meanings) in ENTITIES.items():
        rows = markdown_table(["number", "meaning"], enumerate(meanings))
        parts.append(f"`{name}`, shape {shape}; the numbers of its last axis:\n\n{rows}")
    return "\n".join(parts)


def actions_markdown() -> str:
    rows = [
        (f"0–{len(WORDS) - 1}", " ".join(f"`{word}`" for word in WORDS)),
        (f"{len(WORDS)}–{FIRST_CARD - 1}", "kept free, never legal"),
        (f"{FIRST_CARD}–{FIRST_BLUFF - 1}", "own card in deck slot 1–40: `K10`"),
        (f"{FIRST_BLUFF}–{FIRST_LOAD - 1}", "the same played face down: `~U7`"),
        (f"{FIRST_LOAD}–{FIRST_ENEMY - 1}", "the same loaded on a ship: `+U7`"),
        (f"{FIRST_ENEMY}–{FIRST_FACE_DOWN - 1}", "enemy card in deck slot 1–40: `eK10`"),
        (f"{FIRST_FACE_DOWN}–{NUM_ACTIONS - 1}", "the enemy's face-down card 0–19: `f0` … `f19`"),
    ]
    return markdown_table(["ids", "meaning"], rows)


TABLES = {"observation": sections_markdown, "entities": entities_markdown, "actions": actions_markdown}


if __name__ == "__main__":
    write_tables(Path(sys.argv[1]), TABLES)
