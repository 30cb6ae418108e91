"""The words of the game: ours, the Japanese rule word, what it means, and the file where it lives."""

from __future__ import annotations

from dataclasses import dataclass

from ka_env.blackpoker.rulesets import EDITIONS


@dataclass(frozen=True)
class Entry:
    word: str
    japanese: str
    meaning: str
    file: str  # below ka_env/blackpoker/


ZONES = [
    Entry(
        "life", "ライフ", "the pile one draws from and takes damage from; a player without life loses", "flow/zones.py"
    ),
    Entry("hand", "手札", "cards that only their owner sees", "flow/zones.py"),
    Entry("grave", "墓地", "pile of used cards; both see its top card, the owner sees all", "flow/zones.py"),
    Entry("field", "場", "where a player's units are, each in a slot", "flow/zones.py"),
    Entry(
        "fog",
        "フォグ",
        "8.0: keys of up and down lie here, linked to a unit, until their owner's turn ends",
        "flow/zones.py",
    ),
    Entry("pack", "パック", "14 cards laid aside at the start; one may be taken", "flow/zones.py"),
    Entry("rare card", "レアカード", "a card chosen before the deal and laid aside", "deal.py"),
    Entry(
        "stage", "ステージ", "the stack of requests; the top one is resolved when both players pass", "flow/stage.py"
    ),
]

UNITS = [
    Entry("unit", "キャラクター", "a bulwark or a soldier on the field", "flow/zones.py"),
    Entry("bulwark", "防壁", "a unit of one card, face down; pays B and blocks", "flow/zones.py"),
    Entry("soldier", "兵士", "a unit face up; attacks and blocks. Also: one of a single card 2-10", "flow/zones.py"),
    Entry("hero", "英雄", "a soldier of a single J, Q or K", "rulesets/rows.py"),
    Entry("ace", "エース", "a soldier of a single A; has haste", "rulesets/rows.py"),
    Entry("magician", "魔術士", "a soldier of a Joker; makes its controller's quick magic cheaper", "flow/costs.py"),
    Entry(
        "armed soldier", "装備兵士", "a soldier of several cards of one suit; its size is their sum", "flow/zones.py"
    ),
    Entry(
        "size",
        "サイズ",
        "sum of a soldier's numbers plus the ups and minus the downs of this turn",
        "actions/damage.py",
    ),
    Entry("charged", "チャージ状態", "upright, ready to attack, block and pay", "state.py"),
    Entry("driven", "ドライブ状態", "lying on its side, used", "state.py"),
    Entry("came", "登場ターン", "came this turn: it may not attack unless it has haste", "state.py"),
    Entry("haste", "速攻", "may attack on the turn it comes", "state.py"),
    Entry("slot", "位置", "a unit's place on the field, 0 to 31; it keeps it until it leaves", "codes.py"),
    Entry("attacker", "アタッカー", "a soldier named by attack", "actions/attack.py"),
    Entry("blocker", "ブロッカー", "a unit named by block", "actions/block.py"),
]

FLOW = [
    Entry("turn player", "ターンプレイヤー", "the player whose turn it is", "state.py"),
    Entry("chance", "チャンス", "the right to act now: its holder passes or announces an action", "flow/flow.py"),
    Entry(
        "pass", "パス", "hand the chance on; when both have passed, the top of the stage is resolved", "flow/flow.py"
    ),
    Entry("action", "アクション", "anything a player can request, one row of a ruleset's table", "rulesets/rows.py"),
    Entry("verb", "アクション名", "the token that announces an action", "codes.py"),
    Entry("request", "リクエスト", "an action announced, paid for, shown with its keys and aimed", "flow/flow.py"),
    Entry("announce", "リクエスト宣言", "the first step of a request", "flow/flow.py"),
    Entry("resolve", "解決", "carry out a request's effect and take it off the stage", "flow/flow.py"),
    Entry("trigger", "誘発", "an action that starts by itself when its condition comes true", "flow/flow.py"),
    Entry("main", "メイン", "timing: the own turn, the own chance, an empty stage", "flow/legal.py"),
    Entry("quick", "クイック", "timing: whenever one has the chance", "flow/legal.py"),
    Entry("normal", "通常", "speed: goes on the stage first", "flow/flow.py"),
    Entry("immediate", "即時", "speed: resolved at once, never on the stage", "flow/flow.py"),
    Entry("win check", "勝敗判定", "who has no life now has lost; made only at certain points", "flow/flow.py"),
    Entry("decision", "選択", "one question to one player, answered with one token", "decisions.py"),
]

REQUESTS = [
    Entry("key card", "キーカード", "a hand card shown for a request; it lies face up with it", "flow/keys.py"),
    Entry("target", "対象", "the unit or request that a request is aimed at", "flow/targets.py"),
    Entry("cost", "コスト", "what is paid for a request, letter by letter", "flow/costs.py"),
    Entry("B", "B", "cost: drive one of the own charged bulwarks", "flow/costs.py"),
    Entry("L", "L", "cost: take 1 damage", "flow/costs.py"),
    Entry("D", "D", "cost: discard a card", "flow/costs.py"),
    Entry("S", "S", "cost: put an own unit into the grave (bj, raresummon)", "flow/costs.py"),
    Entry("discard", "捨てる", "put a hand card into the grave", "flow/zones.py"),
    Entry("summoning", "召喚", "type of the actions that bring units", "rulesets/rows.py"),
    Entry("quick magic", "クイックマジック", "type of action that a magician makes cheaper", "rulesets/rows.py"),
    Entry("normal magic", "ノーマルマジック", "type of action with two keys and no cost", "rulesets/rows.py"),
]

CARDS = [
    Entry("card", "カード", "52 cards and two Jokers, numbered 0 to 53", "cards.py"),
    Entry("court card", "絵札", "Joker, A, J, Q, K: they trigger succession", "cards.py"),
    Entry("number", "数字", "A 1, J 11, Q 12, K 13, Joker 0", "cards.py"),
    Entry("suit", "スート", "spades, hearts, diamonds, clubs; a Joker has none", "cards.py"),
    Entry("deck", "デッキ", "the list of cards a player owns", "deal.py"),
    Entry("frame", "フレーム", "which decks are played and how the game starts", "deal.py"),
    Entry("edition", "バージョン", "a version of the official rules", "rulesets/rows.py"),
    Entry(
        "format",
        "フォーマット",
        "a set of actions: lite, std, pro, mast, each inside the next",
        "rulesets/rows.py",
    ),
    Entry("ruleset", "ルール", "an edition in a format", "rulesets/__init__.py"),
    Entry("match", "マッチ", "a series of games: best of some, or half27x2 with two decks each", "match.py"),
]

# The Japanese names of actions are those of the rulesets.
ACTIONS = {
    "end": ("end.py", "discard down to 7; the turn passes to the opponent"),
    "charge": ("charge.py", "all units of the new turn player become charged"),
    "draw": ("draw.py", "the turn player draws 1 card, then may draw 1 more"),
    "attack": ("attack.py", "name own soldiers as attackers; they become driven"),
    "block": ("block.py", "the opponent names blockers, attacker by attacker"),
    "damage": ("damage.py", "fights are decided; attackers without blocker damage the opponent's life"),
    "succession": ("succession.py", "a court card died: turn up life cards until the next one, which goes to hand"),
    "bulwark": ("bulwark.py", "set a hand card face down as a bulwark"),
    "soldier": ("summon.py", "a card 2-10 comes as a soldier"),
    "hero": ("summon.py", "a J, Q or K comes as a hero"),
    "ace": ("summon.py", "an A comes as an ace"),
    "magician": ("summon.py", "a Joker comes as a magician"),
    "equip": ("equip.py", "add a card to an own soldier of its suit"),
    "up": ("up.py", "a soldier's size grows by the key's number until the turn ends"),
    "down": ("down.py", "a soldier's size shrinks by the key's number until the turn ends; at 0 or less it dies"),
    "twist": ("twist.py", "drive or charge a unit"),
    "counter": ("counter.py", "cancel a request whose key is no higher than the own one, or that has two keys"),
    "search": ("search.py", "take a card of the own life, show it, shuffle the rest"),
    "return": ("return_.py", "an own charged unit returns to hand, and so do the keys"),
    "destroy": ("destroy.py", "a bulwark goes to the grave"),
    "throw": ("throw.py", "the opponent takes damage of the spade key's number"),
    "lance": ("lance.py", "a soldier whose size the diamond key divides goes on its owner's life, then damage"),
    "fortify": ("fortify.py", "life cards come as bulwarks: one charged or two driven"),
    "reanimate": ("reanimate.py", "an own unit dies, a card of the own grave comes as a soldier"),
    "strip": ("strip.py", "look at the opponent's hand and discard a card of it"),
    "reverse": ("reverse.py", "a soldier becomes bulwarks, or a bulwark a soldier"),
    "quick": ("quick.py", "on the enemy's turn an A comes as an ace or as a bulwark"),
    "reunion": ("reunion.py", "a card of the own grave returns to hand"),
    "kill": ("kill.py", "a soldier goes to the grave"),
    "truce": ("truce.py", "damage is taken off the stage: the combat is over"),
    "redirect": ("redirect.py", "another request gets a new target"),
    "bj": ("bj.py", "take two cards of the own life, show them, shuffle the rest"),
    "rsf": ("rsf.py", "a player takes 40 damage"),
    "force": ("force.py", "all own soldiers grow by the sum of the keys until the turn ends"),
    "rain": ("rain.py", "all soldiers whose size is not above the sum of the keys die"),
    "recruit": ("recruit.py", "of the top four life cards the low ones come as soldiers, the rest go under the life"),
    "surprise": ("surprise.py", "all own bulwarks become soldiers, all own soldiers become charged"),
    "open": ("open.py", "take a card of the own closed pack, or the rare card"),
    "raredraw": ("raredraw.py", "with 9 or fewer life cards the rare card goes to hand"),
    "raresummon": ("summon.py", "the rare card comes as a soldier"),
    "trap": ("trap.py", "cancel a request one of whose keys is the own rare card"),
    "setup": ("setup.py", "a soldier's size grows by the spade's number until the turn ends (a variant)"),
}
_OFFICIAL = {action.verb: action.official for edition in EDITIONS.values() for action in edition.actions}

SECTIONS: dict[str, list[Entry]] = {
    "zones": ZONES,
    "units": UNITS,
    "flow": FLOW,
    "requests": REQUESTS,
    "cards and decks": CARDS,
    "actions": [Entry(verb, _OFFICIAL[verb], text, f"actions/{file}") for verb, (file, text) in ACTIONS.items()],
}
ENTRIES = [entry for section in SECTIONS.values() for entry in section]


def official_name(verb: str) -> str:
    """The Japanese name of an action."""
    return _OFFICIAL[verb]
