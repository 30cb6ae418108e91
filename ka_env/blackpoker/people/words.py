"""Moves told in plain words. All phrases stand in one table per language."""

from __future__ import annotations

from itertools import groupby
from typing import Any

from ka_env.blackpoker.cards import NAMES
from ka_env.blackpoker.codes import ACTION_NAME, SLOTS, VERBS, WORDS
from ka_env.blackpoker.decisions import AT_BLOCKERS, AT_REVERSE_STATE, AT_TWIST, KINDS
from ka_env.blackpoker.game import Game
from ka_env.blackpoker.people.glossary import SECTIONS
from ka_env.blackpoker.text.notation import unit_cards
from ka_env.blackpoker.text.tokens import action_id
from ka_env.record import Record, Step

ENGLISH = {
    # sentences
    "move": "Player {player} {what}",
    "and": ", ",
    "turn": "Turn {number}: player {player} (life {life0}-{life1}, hand {hand0}-{hand1})",
    "won": "Player {player} wins",
    "drawn": "The game is a draw",
    "unfinished": "The game is not over",
    # units and requests
    "bulwark": "bulwark in slot {slot}",
    "soldier": "soldier {cards} in slot {slot}",
    "unit of": "player {player}'s {unit}",
    "request": "player {player}'s {verb}",
    "request with keys": "player {player}'s {verb} with {cards}",
    "joker": "Joker {number}",
    # decisions: "kind", or "kind token" for a token of its own
    "chance": "announces {verb}",
    "chance pass": "passes",
    "chance end": "announces the end of the turn",
    "chance attack": "announces an attack",
    "pay_bulwark": "pays with the {unit}",
    "pay_discard": "pays by discarding {card}",
    "key": "names {card} as the key",
    "target": "aims at {target}",
    "bulwark_card": "sets {card} as a bulwark",
    "discard": "discards {card}",
    "draw_more yes": "draws one more card",
    "draw_more no": "draws no more",
    "attackers": "attacks with the {unit}",
    "attackers done": "names no more attackers",
    "blockers": "blocks {aim} with the {unit}",
    "blockers done": "names no more blockers of {aim}",
    "twist drive": "drives {aim}",
    "twist charge": "charges {aim}",
    "search_card": "takes {card} from the life and shuffles the rest",
    "fortify one": "sets the top life card as a charged bulwark",
    "fortify two": "sets the top two life cards as driven bulwarks",
    "grave_card": "chooses {card} in the grave",
    "strip_card": "discards {card} from player {opponent}'s hand",
    "lance_order": "puts {card} on top of the life",
    "reverse_state drive": "turns over {aim}, driven",
    "reverse_state charge": "turns over {aim}, charged",
    # what follows from a move
    "on the stage": "on the stage: {request}",
    "life": "player {player}'s life: {before} to {after}",
    "comes": "{unit} comes",
    "leaves": "{unit} leaves",
}
JAPANESE = {
    "move": "プレイヤー{player}：{what}",
    "and": "、",
    "turn": "ターン{number}：プレイヤー{player}（ライフ {life0}-{life1}、手札 {hand0}-{hand1}）",
    "won": "プレイヤー{player}の勝ち",
    "drawn": "引き分け",
    "unfinished": "ゲームはまだ終わっていない",
    "bulwark": "防壁{slot}",
    "soldier": "兵士{slot}（{cards}）",
    "unit of": "プレイヤー{player}の{unit}",
    "request": "プレイヤー{player}の{verb}",
    "request with keys": "プレイヤー{player}の{verb}（{cards}）",
    "joker": "ジョーカー{number}",
    "chance": "{verb}を起動宣言",
    "chance pass": "パス",
    "chance end": "エンドを起動宣言",
    "chance attack": "アタックを起動宣言",
    "pay_bulwark": "コストとして{unit}をドライブ",
    "pay_discard": "コストとして{card}を捨てる",
    "key": "キーカードは{card}",
    "target": "対象は{target}",
    "bulwark_card": "{card}を防壁として置く",
    "discard": "{card}を捨てる",
    "draw_more yes": "もう1枚引く",
    "draw_more no": "もう引かない",
    "attackers": "{unit}でアタック",
    "attackers done": "アタッカーはここまで",
    "blockers": "{aim}を{unit}でブロック",
    "blockers done": "{aim}のブロッカーはここまで",
    "twist drive": "{aim}をドライブ",
    "twist charge": "{aim}をチャージ",
    "search_card": "ライフから{card}を手札に加え、残りをシャッフル",
    "fortify one": "ライフの上から1枚をチャージ状態の防壁にする",
    "fortify two": "ライフの上から2枚をドライブ状態の防壁にする",
    "grave_card": "墓地の{card}を選ぶ",
    "strip_card": "プレイヤー{opponent}の手札から{card}を捨てさせる",
    "lance_order": "{card}をライフの上に置く",
    "reverse_state drive": "{aim}を裏返してドライブ",
    "reverse_state charge": "{aim}を裏返してチャージ",
    "on the stage": "ステージ：{request}",
    "life": "プレイヤー{player}のライフ：{before}から{after}",
    "comes": "{unit}が登場",
    "leaves": "{unit}が場を離れる",
}
JAPANESE |= {f"verb {entry.word}": entry.japanese for entry in SECTIONS["actions"]}  # the official names
PHRASES = {"en": ENGLISH, "ja": JAPANESE}
SUIT_SIGNS = dict(zip("shdc", "♠♥♦♣"))


class _Teller:
    """Names for what a game holds, in one language."""

    def __init__(self, game: Game, language: str) -> None:
        self.s: Any = game.state
        self.phrases = PHRASES[language]

    def say(self, key: str, **words: object) -> str:
        return self.phrases[key].format(**words)

    def verb(self, name: str) -> str:
        return self.phrases.get(f"verb {name}", name)

    def card(self, name: str) -> str:
        if name[0] == "X":
            return self.say("joker", number=name[1])
        return name[0].replace("T", "10") + SUIT_SIGNS[name[1]]

    def cards(self, cards: list[int]) -> str:
        return "+".join(self.card(NAMES[c]) for c in cards)

    def unit(self, q: int, slot: int) -> str:
        if int(self.s.bulwarks[q]) >> slot & 1:
            return self.say("bulwark", slot=slot)
        return self.say("soldier", slot=slot, cards=self.cards(unit_cards(self.s, q, slot)))

    def unit_of(self, q: int, slot: int) -> str:
        return self.say("unit of", player=q, unit=self.unit(q, slot))

    def units(self) -> list[str]:
        slots = [int(self.s.bulwarks[q]) | int(self.s.soldiers[q]) for q in range(2)]
        return [self.unit_of(q, slot) for q in range(2) for slot in range(SLOTS) if slots[q] >> slot & 1]

    def request(self, i: int) -> str:
        verb, player = self.verb(ACTION_NAME[int(self.s.stage_action[i])]), self.s.stage_player[i]
        keys = [int(k) for k in self.s.stage_key[i] if k >= 0]
        return self.say("request with keys" if keys else "request", player=player, verb=verb, cards=self.cards(keys))

    def requests(self) -> list[str]:
        return [self.request(i) for i in range(self.s.stage_count)]

    def aim(self) -> str:
        """What the decision is about: the attacker to block, or the target of the request being resolved."""
        s = self.s
        if s.kind == AT_BLOCKERS:
            return self.unit_of(int(s.turn), int(s.attacker))
        if s.kind in (AT_TWIST, AT_REVERSE_STATE):
            return self.unit_of(*divmod(int(s.stage_target[s.stage_count - 1]), SLOTS))
        return ""

    def token(self, token: str) -> dict[str, str]:
        """The names a token stands for."""
        player = int(self.s.player)
        if token in VERBS:
            return {"verb": self.verb(token)}
        if token in WORDS:
            return {}
        if token[0] == "#":
            return {"target": self.request(int(token[1:]))}
        if token[0] in "ue":
            q = player if token[0] == "u" else 1 - player
            slot = int(token[1:])
            return {"unit": self.unit(q, slot), "target": self.unit_of(q, slot)}
        return {"card": self.card(token)}


def phrase(game: Game, token: str, language: str = "en") -> str:
    """What the decider does with this token, without saying who."""
    game.copy().step(action_id(token))  # refuses what is illegal here
    teller = _Teller(game, language)
    kind = KINDS[game.state.kind]
    key = f"{kind} {token}" if f"{kind} {token}" in teller.phrases else kind
    return teller.say(key, opponent=1 - int(game.state.player), aim=teller.aim(), **teller.token(token))


def describe(game: Game, token: str, language: str = "en") -> str:
    """One short line about a move; `game` is the game before it."""
    return PHRASES[language]["move"].format(player=game.player, what=phrase(game, token, language))


def consequences(before: Game, after: Game, language: str = "en") -> list[str]:
    """What both players see follow from moves: new requests, units that come and leave, lives that change."""
    old, new = _Teller(before, language), _Teller(after, language)
    stage_before, stage_after = old.requests(), new.requests()
    same = 0
    while same < min(len(stage_before), len(stage_after)) and stage_before[same] == stage_after[same]:
        same += 1
    facts = [new.say("on the stage", request=request) for request in stage_after[same:]]
    units_before, units_after = old.units(), new.units()
    facts += [new.say("leaves", unit=unit) for unit in units_before if unit not in units_after]
    facts += [new.say("comes", unit=unit) for unit in units_after if unit not in units_before]
    for q in range(2):
        lives = int(old.s.life_count[q]), int(new.s.life_count[q])
        if lives[0] != lives[1]:
            facts.append(new.say("life", player=q, before=lives[0], after=lives[1]))
    return facts


def turn_words(game: Game, number: int, language: str = "en") -> str:
    """A heading for a turn."""
    s = game.state
    hands = [int(cards).bit_count() for cards in s.hand]
    return PHRASES[language]["turn"].format(
        number=number, player=s.turn, life0=s.life_count[0], life1=s.life_count[1], hand0=hands[0], hand1=hands[1]
    )


def result_words(game: Game, language: str = "en") -> str:
    phrases = PHRASES[language]
    if game.result is None:
        return phrases["unfinished"]
    if game.result[0] == game.result[1]:
        return phrases["drawn"]
    return phrases["won"].format(player=game.result.index(1))


# ---- whole records --------------------------------------------------------------------------------------------------


def _requests(steps: list[Step]) -> list[list[Step]]:
    """Moves that belong together: a player's answers up to the next chance."""
    groups: list[list[Step]] = []
    for step in steps:
        last = groups[-1][-1] if groups else None
        goes_on = last and last.token != "pass" and last.before.player == step.before.player
        if not goes_on or step.before.decision == "chance":
            groups.append([])
        groups[-1].append(step)
    return groups


def _sentence(steps: list[Step], language: str) -> str:
    phrases = PHRASES[language]
    what = phrases["and"].join(phrase(step.before, step.token, language) for step in steps)
    sentence = phrases["move"].format(player=steps[0].before.player, what=what)
    facts = consequences(steps[0].before, steps[-1].after, language)
    return sentence + (f" ({'; '.join(facts)})" if facts else "")


def told(record: Record, language: str = "en") -> str:
    """The text of a record with the game told in comment lines above each turn."""
    comments: list[list[str]] = []
    last = record.start()
    for line, group in groupby(record.steps(), key=lambda step: step.line):
        steps = list(group)
        last = steps[-1].after
        comments.append([turn_words(steps[0].before, line + 1, language)])
        comments[-1] += ["  " + _sentence(request, language) for request in _requests(steps)]
    return record.to_text(comments) + f"# {result_words(last, language)}\n"
