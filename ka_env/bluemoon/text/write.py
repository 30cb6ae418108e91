"""Position text: writing (notation, section 3)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ka_env.bluemoon.cards import CODES, DECKS, GANG_GROUPS, GROUPS, PAIR_GROUPS, members
from ka_env.bluemoon.codes import AT_SUPPORT, COUNTERS, FIGHTS, KINDS, MARKS, PHASES, POINTS
from ka_env.bluemoon.rulesets import RULESETS
from ka_env.engine.loops import RUNNING, WON_0

State = Any
RESULTS = {WON_0: "1 0", WON_0 + 1: "0 1"}


def _names(s: State, q: int, cards: int) -> list[str]:
    return [CODES[s.deck[q]][c] for c in members(cards)]


def line_of(s: State, q: int) -> list[int]:
    """The combat area in the order played."""
    return [int(c) for c in s.line[q, : s.line_count[q]]]


def row_of(s: State, q: int) -> list[int]:
    """The support area in the order played."""
    return [int(c) for c in s.row[q, : s.row_count[q]]]


def pile_of(s: State, q: int) -> list[int]:
    """The deck, top first."""
    return [int(c) for c in s.pile[q, : s.pile_count[q]][::-1]]


def has(cards: Any, card: int) -> bool:
    return bool(int(cards) >> int(card) & 1)


def face_down_of(s: State, q: int) -> list[int]:
    return [c for c in row_of(s, q) if has(s.down[q], c)]


def _marks(s: State, q: int, card: int) -> str:
    return ("!" if has(s.used[q], card) else "") + ("#" if s.doubled[q] == card else "")


def _combat_card(s: State, q: int, card: int) -> str:
    code = CODES[s.deck[q]][card]
    return f"({code})" if has(s.covered[q], card) else code + _marks(s, q, card)


def _support_card(s: State, q: int, card: int) -> str:
    return ("?" if has(s.down[q], card) else "") + CODES[s.deck[q]][card] + _marks(s, q, card)


def _ship(s: State, q: int, i: int) -> str:
    codes = CODES[s.deck[q]]
    ship = int(s.fleet[q, i])
    cargo = ",".join(codes[c] for c in s.cargo[q, i, : s.cargo_count[q, i]])
    return codes[ship] + ("^" if has(s.landed[q], ship) else "") + (f":{cargo}" if cargo else "")


def hidden_places(s: State, q: int) -> dict[int, str]:
    """Where q's hidden cards lie, as the notation writes it; in card order."""
    places = dict.fromkeys(members(int(s.hand[q]) & ~int(s.open[q])), "hand")
    places |= {c: f"f{n}" for n, c in enumerate(face_down_of(s, q))}
    places |= {c: f"deck.{k}" for k, c in enumerate(pile_of(s, q))}
    return dict(sorted(places.items()))


def _known(s: State, p: int) -> list[str]:
    """What p can follow (B3): hidden cards of the opponent, then cards of the own deck."""
    q = 1 - p
    theirs = [f"{CODES[s.deck[q]][c]}@{place}" for c, place in hidden_places(s, q).items() if has(s.seen[q], c)]
    own = sorted((c, k) for k, c in enumerate(pile_of(s, p)) if has(s.placed[p], c))
    return theirs + [f"{CODES[s.deck[p]][c]}@own.{k}" for c, k in own]


def did_words(s: State) -> list[str]:
    words = [f"{name}={value}" for name, value in zip(COUNTERS, s.did)]
    words += [name for name, value in zip(MARKS, s.mark) if value]
    groups = [GROUPS[g] for g in members(s.groups)]
    opened = [f"pair:{g}" for g in groups if g in PAIR_GROUPS] + [f"gang:{g}" for g in groups if g in GANG_GROUPS]
    return words + sorted(opened)


def owner_of_question(s: State) -> int:
    """Whose card `card` is: a demand is on the card of the opponent of the one who settles it."""
    return 1 - int(s.player) if KINDS[s.kind] == "meet" else int(s.turn)


def pending_words(s: State) -> list[str]:
    """The decision under way: everything that is not in the other lines."""
    words = [KINDS[s.kind], f"player={s.player}", f"point={POINTS[s.point]}"]
    if s.card >= 0:
        words.append(f"card={CODES[s.deck[owner_of_question(s)]][s.card]}")
    words += [f"{name}={value}" for name, value in (("room", s.room), ("left", s.left)) if value]
    sets = [("picked", s.player, s.picked), ("drawn", s.turn, s.drawn), ("due", s.turn, s.due)]
    sets += [(f"settled{q}", q, s.settled[q]) for q in range(2)]
    words += [f"{name}={','.join(_names(s, q, cards))}" for name, q, cards in sets if cards]
    if s.retreater >= 0:
        words.append(f"retreater={s.retreater}")
    return words


def write_position(s: State) -> str:
    """The whole position; at decisions that are not main ones with a `pending` line."""

    def line(name: str, words: Iterable[str]) -> str:
        return f"{name} {' '.join(words) or '-'}"

    over = s.result != RUNNING
    lines = [
        "bm 1",
        f"rules {RULESETS[s.ruleset]}",
        f"decks {DECKS[s.deck[0]]} {DECKS[s.deck[1]]}",
        f"turn {'-' if over else s.turn}",
        f"phase {'-' if over else PHASES[s.phase]}",
        f"fight {FIGHTS[s.fight]}",
        f"dragons {s.dragons[0]} {s.dragons[1]}",
        f"crystals {s.crystals[0]} {s.crystals[1]}",
        f"out {'-' if s.out < 0 else s.out}",
        line("did", did_words(s)),
        f"hyla {'-' if s.hyla < 0 else f'{s.hyla_owner}.{CODES[s.deck[s.hyla_owner]][s.hyla]}'}",
    ]
    for q in range(2):
        codes = CODES[s.deck[q]]
        lead = [int(c) for c in s.lead[q, : s.lead_count[q]]]
        lines += [
            line(f"deck{q}", [codes[c] for c in pile_of(s, q)]),
            line(f"hand{q}", [codes[c] + ("!" if has(s.open[q], c) else "") for c in members(s.hand[q])]),
            line(f"combat{q}", [_combat_card(s, q, c) for c in line_of(s, q)]),
            line(f"support{q}", [_support_card(s, q, c) for c in row_of(s, q)]),
            line(f"ships{q}", [_ship(s, q, i) for i in range(s.fleet_count[q])]),
            line(f"lead{q}", [codes[c] + ("*" if s.leader[q] == c else "") for c in lead]),
            line(f"discard{q}", _names(s, q, s.discard[q])),
            line(f"feats{q}", _names(s, q, s.feats[q])),
        ]
    lines += [line(f"known{p}", _known(s, p)) for p in range(2)]
    if over:
        lines.append(f"result {RESULTS[int(s.result)]}")
    elif s.kind > AT_SUPPORT:
        lines.append(line("pending", pending_words(s)))
    return "\n".join(lines) + "\n"
