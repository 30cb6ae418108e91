"""What a player may know of a position: section 2, R1, R53, R54, R58."""

from . import text as position_text
from .tables import has_pack, has_rare, in_card_order


def view(s, p):
    """Facts by name, all from the side of player p."""
    q = 1 - p
    facts = {
        "rules": s.ruleset,
        "on turn": s.turn == p,
        "chance": None if s.holder is None else s.holder == p,
        "passed": "both" if s.both else None if s.passed is None else s.passed == p,
        "used": sorted(s.used),
        "force": s.force,
        "stage": position_text.stage_words(s),
        "result": s.result,
        "life": [len(s.life[p]), len(s.life[q])],
        "own unseen": own_unseen(s, p),
        "own hand": in_card_order(s.hand[p]),
        "own grave": list(s.grave[p]),
        "own field": position_text.field_words(s, p),
        "own fog": position_text.fog_words(s, p),
        "enemy hand": len(s.hand[q]),
        "enemy grave": [len(s.grave[q]), s.grave[q][-1:]],
        "enemy field": [_hidden(word) for word in position_text.field_words(s, q)],
        "enemy fog": position_text.fog_words(s, q),
        "known": position_text.known_words(s, p),
    }
    if has_pack(s.extra):
        facts["packs"] = [("closed" if s.closed[x] else "open", len(s.pack[x])) for x in (p, q)]
        facts["own pack"] = None if s.closed[p] else in_card_order(s.pack[p])
    if has_rare(s.extra):
        facts["own rare"] = s.rare[p]
        facts["enemy rare"] = s.rare[q] is not None
    return facts


def own_unseen(s, p):
    """The own cards that lie in the life or in the closed pack: the owner can't tell which is where."""
    return in_card_order(set(s.life[p]) | (s.pack[p] if s.closed[p] else set()))


def _hidden(word):
    """A bulwark's card is its owner's business."""
    slot, unit = word.split(":")
    return f"{slot}:b??{unit[3:]}" if unit[0] == "b" else word
