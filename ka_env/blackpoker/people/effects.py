"""For those who learn the game: what a choice brings, in one line, and the game in short.

Nothing here looks at a card that the asking player can't know.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from ka_env.blackpoker.cards import JOKER, NAMES, NUMBER, SUIT
from ka_env.blackpoker.codes import ACTION_NAME, PASSED_0, VERBS, WORDS
from ka_env.blackpoker.game import Game
from ka_env.blackpoker.people.board import size_of, verb_asking
from ka_env.blackpoker.people.story import Names
from ka_env.blackpoker.people.teaching import TEACHING
from ka_env.blackpoker.rulesets import actions_of
from ka_env.blackpoker.rulesets.rows import Action
from ka_env.blackpoker.text.notation import unit_cards

# Letters that always mean the same choice; none is that of a command of the screens (h m q u v w).
KEYS = {
    "pass": "p",
    "end": "e",
    "attack": "a",
    "bulwark": "b",
    "soldier": "s",
    "hero": "o",
    "equip": "i",
    "up": "g",
    "down": "d",
    "twist": "t",
    "counter": "c",
    "search": "f",
    "destroy": "x",
    "throw": "r",
    "lance": "l",
    "kill": "k",
    "done": "d",  # never asked together with down
    "yes": "y",
    "no": "n",
    "drive": "d",
    "charge": "c",
}
ADDING = ("up", "setup")


def cost_words(letters: str, names: Names) -> str:
    """`2 bulwarks, 1 life`"""
    told = []
    for letter, n in Counter(letters).items():
        told.append(names.say(f"cost {letter}") if n == 1 else names.say(f"costs {letter}", n=n))
    return names.list(told)


# ---- the game in short ----------------------------------------------------------------------------------------------


def lesson(ruleset: str, language: str = "en") -> str:
    """Goal, turn, stage and chance, units, fights, and what each action of the ruleset does."""
    words = TEACHING[language]
    parts = [words[key] for key in "goal turn stage units fight succession".split()]
    parts.append(words["actions"].format(ruleset=ruleset))
    names = Names(None, language)
    parts += [_action_line(action, names) for action in actions_of(ruleset) if action.verb in VERBS]
    return (
        "\n\n".join([words["title"], *parts[:7]])
        + "\n"
        + "\n".join([*parts[7:], "", words["more"]]).format(ruleset=ruleset)
    )


def _action_line(action: Action, names: Names) -> str:
    words = TEACHING[names.language]
    keys = names.phrases.get(f"keys {action.keys}", action.keys)
    price = words["shows"].format(keys=keys) if keys != "-" else ""
    price += words["pays"].format(cost=cost_words(action.cost, names)) if action.cost else ""
    return words["action"].format(
        key=KEYS.get(action.verb, "·"),
        name=names.verb(action.verb),
        quick=words["is quick"] if action.timing == "quick" else "",
        price=price,
        does=words[f"does {action.verb}"],
    )


# ---- one choice -----------------------------------------------------------------------------------------------------


def effect(game: Game, token: str, viewer: int, language: str = "en") -> str:
    """What choosing this brings, in one line."""
    names = Names(viewer, language)
    words, s = TEACHING[language], game.state
    kind = str(game.decision)
    if kind == "chance":
        return _passing(s, names) if token == "pass" else words[f"does {token}"]
    if kind in _MEASURED:
        return _MEASURED[kind](s, token, names)
    key = f"effect {kind} {token}"
    text = words[key if key in words else f"effect {kind}"]
    life = int(s.life_count[s.player])
    does = words.get(f"does {verb_asking(s)}", "")
    return text.format(does=does, life=life, less=max(0, life - 1))


def _passing(s: Any, names: Names) -> str:
    words = TEACHING[names.language]
    last = s.passed == PASSED_0 + 1 - s.player
    if s.stage_count == 0:
        return words["passing back" if last else "passing to other"]
    top = int(s.stage_count) - 1
    does = _done(s, top, words)
    return words["passing resolves" if last else "passing on"].format(request=names.request(s, top), does=does)


def _done(s: Any, i: int, words: dict[str, str]) -> str:
    """What a request on the stage does, as the decider sees it."""
    verb = ACTION_NAME[int(s.stage_action[i])]
    if s.stage_player[i] == s.player or f"from {verb}" not in words:
        return words[f"does {verb}"]
    n, life = int(NUMBER[s.stage_key[i][0]]), int(s.life_count[s.player])
    return words[f"from {verb}"].format(n=n, life=life, less=max(0, life - n))


def _key(s: Any, token: str, names: Names) -> str:
    """A key tells its number where the number matters."""
    words, verb = TEACHING[names.language], verb_asking(s)
    card = NAMES.index(token)
    spade_wanted = verb != "throw" or SUIT[card] == 0
    text = words.get(f"key {verb}") if spade_wanted else None
    return text.format(n=int(NUMBER[card])) if text else words[f"does {verb}"]


def _target(s: Any, token: str, names: Names) -> str:
    words, verb = TEACHING[names.language], verb_asking(s)
    n = int(NUMBER[s.key[0]]) if s.key[0] >= 0 else 0
    if verb == "counter":
        i = int(token[1:])
        keys = [int(k) for k in s.stage_key[i] if k >= 0]
        enough = len(keys) == 2 or NUMBER[keys[0]] <= n
        return words["target cancels" if enough else "target too low"].format(n=n)
    if verb not in (*ADDING, "down", "equip"):
        return words[f"does {verb}"]
    size = size_of(s, *_unit(s, token))
    after = size - n if verb == "down" else size + n
    key = "target grows" if verb != "down" else "target dies" if after <= 0 else "target shrinks"
    return words[key].format(size=size, sum=after)


def _unit(s: Any, token: str) -> tuple[int, int]:
    p = int(s.player)
    return (p if token[0] == "u" else 1 - p), int(token[1:])


def _attacker(s: Any, token: str, names: Names) -> str:
    words = TEACHING[names.language]
    if token == "done":
        return words["effect attackers done" if s.picked else "effect attackers nobody"]
    return words["effect attackers"].format(size=size_of(s, *_unit(s, token)))


def _blocker(s: Any, token: str, names: Names) -> str:
    words = TEACHING[names.language]
    p, t, attacker = int(s.player), int(s.turn), int(s.attacker)
    size = size_of(s, t, attacker)
    named = [slot for slot in range(s.blocks.shape[1]) if s.blocks[p, slot] == attacker]
    if token in WORDS:
        life = int(s.life_count[p])
        less = max(0, life - max(0, size))
        key = "effect blockers done" if named else "effect blockers nobody"
        return words[key].format(size=max(0, size), life=life, less=less)
    slot = _unit(s, token)[1]
    if int(s.bulwarks[p]) >> slot & 1:
        card = int(s.bottom[p, slot])
        numbers = {int(NUMBER[c]) for c in unit_cards(s, t, attacker)}
        matches = card >= JOKER or int(NUMBER[card]) in numbers
        return words["effect blockers spring" if matches else "effect blockers bulwark"]
    total = sum(size_of(s, p, blocker) for blocker in [*named, slot])
    key = "wins" if total > size else "even" if total == size else "loses"
    return words[f"effect blockers {key}"].format(sum=total, size=size)


_MEASURED = {"key": _key, "target": _target, "attackers": _attacker, "blockers": _blocker}


# ---- passing on -----------------------------------------------------------------------------------------------------

DULL = ("draw", "end")  # requests of the other player that hardly anybody answers


def waiting(since: Game | None, game: Game, viewer: int, goal: str) -> str:
    """The token of somebody who waits; empty when the wait is over. `since`: the game at the pass before.

    `turn` passes all chances up to the own turn, `event` until something worth an answer lies on the stage.
    """
    s = game.state
    if game.decision != "chance" or "pass" not in game.legal() or (s.turn == viewer and s.stage_count == 0):
        return ""
    if goal == "turn" or since is None or s.stage_count == 0 or _top(game) == _top(since):
        return "pass"
    return "pass" if _top(game)[1] in DULL else ""


def _top(game: Game) -> tuple[Any, ...]:
    """How many requests lie on the stage, and the topmost one."""
    s = game.state
    top = int(s.stage_count) - 1
    return (top, "", ()) if top < 0 else (top, ACTION_NAME[int(s.stage_action[top])], tuple(s.stage_key[top]))
