"""The tables of docs/environment.md that describe observations and actions, made from the code.

`python -m ka_env.blackpoker.knowledge.observe_docs docs/environment.md` writes them between their markers.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
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


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(str(cell).replace("|", r"\|") for cell in line) + " |" for line in lines) + "\n"


def numbered(features: Sequence[str]) -> str:
    return table(["number", "meaning"], enumerate(features))


def sections_markdown() -> str:
    """The flat vector: its sections, and the numbers of a unit and of a request."""
    rows = [(f"`{s.name}`", s.offset, s.length, s.meaning) for s in SECTIONS]
    more = [(f"`{s.name}`", s.offset, s.length, s.meaning) for s in MORE_SECTIONS[len(SECTIONS) :]]
    kinds = ", ".join(f"{i} `{kind}`" for i, kind in enumerate(KINDS))
    return "\n".join(
        [
            table(["section", "offset", "length", "meaning"], rows)
            + f"\n{SIZE} numbers in all for {', '.join(FIRST_RULESETS)}. Decision kinds: {kinds}.",
            "\nAll other rulesets have the same numbers, and after them:\n",
            table(["section", "offset", "length", "meaning"], more)
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
    return table(["ids", "meaning"], rows)


TABLES = {"observation": sections_markdown, "entities": entities_markdown, "actions": actions_markdown}


def fill_in(page: str) -> str:
    """The page with the tables between their markers made anew."""
    for name, make in TABLES.items():
        before, begin, rest = page.partition(f"<!-- {name} -->")
        _, end, after = rest.partition(f"<!-- /{name} -->")
        if not end:
            raise ValueError(f"the page has no markers <!-- {name} --> and <!-- /{name} -->")
        page = f"{before}{begin}\n\n{make().strip()}\n\n{end}{after}"
    return page


if __name__ == "__main__":
    path = Path(sys.argv[1])
    path.write_text(fill_in(path.read_text(encoding="utf-8")), encoding="utf-8")
