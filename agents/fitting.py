"""Which of the shipped networks fit a ruleset and frame.

A network fits if it was trained on these rules; one trained on the frame `random` has met every frame.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from ka_env.agents.nets import PolicyError, PolicyNet, trained_names
from ka_env.games import game_of

ANY_FRAME = "random"


def policies(ruleset: str, frame: str | None = None) -> list[str]:
    """Shipped networks trained on these rules, the best fit first: those for this very frame, those for few rules.

    Not those whose card says that plain search is better, with them and without: such a one teaches nobody. Without a
    frame the ruleset's usual one is meant.
    """
    label = f"{ruleset}/{frame or game_of(ruleset).default_frame(ruleset)}"
    cards = {name: card_of(name) for name in playable(ruleset)}
    rules = {name: card.get("rules", []) for name, card in cards.items() if not card.get("below_search")}
    fit = [name for name in rules if {label, f"{ruleset}/{ANY_FRAME}"} & set(rules[name])]
    return sorted(fit, key=lambda name: (label not in rules[name], len(rules[name])))


def is_specialist(name: str) -> bool:
    """Made for one set of rules: strong by itself. One for many leads a search well, but alone it is weaker."""
    return len(card_of(name).get("rules", [])) == 1


def playable(ruleset: str) -> list[str]:
    """Shipped networks that can read what players of this ruleset see."""
    return [name for name in trained_names() if ruleset in _readable(name)]


@cache
def card_of(name: str) -> dict[str, Any]:
    """Of a shipped network; nothing of a file that can't be used."""
    net = _shipped(name)
    return {} if net is None else net.card


@cache
def _readable(name: str) -> list[str]:
    net = _shipped(name)
    return [] if net is None else net.rulesets


def _shipped(name: str) -> PolicyNet | None:
    try:
        return PolicyNet.load(name)
    except PolicyError:  # of another version
        return None
