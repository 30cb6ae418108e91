"""The words of the game: ours, a Japanese word, what it means, and the file where it lives."""

from __future__ import annotations

from dataclasses import dataclass

from ka_env.bluemoon.people.texts import ICON_WORDS, TYPE_WORDS


@dataclass(frozen=True)
class Entry:
    word: str
    japanese: str
    meaning: str
    file: str  # below ka_env/bluemoon/


def _type(name: str, meaning: str) -> Entry:
    return Entry(TYPE_WORDS["en"][name], TYPE_WORDS["ja"][name], meaning, "flow/playing.py")


def _icon(name: str, meaning: str, file: str = "flow/room.py") -> Entry:
    return Entry(ICON_WORDS["en"][name], ICON_WORDS["ja"][name], meaning, file)


SECTIONS = {
    "zones": [
        Entry("deck", "山札", "the cards to draw, face down; it is not refilled", "zones.py"),
        Entry("hand", "手札", "cards that their owner sees; laid open, both do", "zones.py"),
        Entry("combat area", "戦闘エリア", "characters and boosters, in the order played", "zones.py"),
        Entry("support area", "支援エリア", "supports and face-down cards, in the order played", "zones.py"),
        Entry("influence area", "影響エリア", "ships with the cards on them", "zones.py"),
        Entry(
            "leadership pile", "リーダーシップの山", "leadership cards played or discarded; none comes back", "zones.py"
        ),
        Entry("discard pile", "捨て札", "open to both players", "zones.py"),
    ],
    "cards": [
        _type("character", "fights: every turn of a fight needs a new one, which covers the old cards"),
        _type("booster", "laid on the characters; covered with them"),
        _type("support", "stays until the fight is over"),
        _type("leadership", "one in a turn, before the fight; active until the turn ends"),
        _type("ship", "carries cards that are played when it lands"),
        _type("hyla", "optional rules: one card that acts on both players"),
        _type("interference", "optional rules: cancels a card that the opponent plays"),
        _type("achievement", "optional rules, in a match: changes the crystals of a game"),
        Entry("text", "テキスト", "a card's ability", "abilities/dispatch.py"),
        Entry("storm", "嵐", "two of them attract a dragon at the start of the turn", "flow/turn.py"),
        Entry("flood", "洪水", "two of them make the opponent retreat after the turn", "flow/turn.py"),
        Entry("caterpillar", "芋虫", "a booster that demands hand cards of the opponent each turn", "flow/demands.py"),
    ],
    "icons": [
        _icon("shield_fire", "the announcement in fire holds with any total", "flow/completable.py"),
        _icon("shield_earth", "the announcement in earth holds with any total", "flow/completable.py"),
        _icon("stop", "after it nothing more is played in this turn"),
        _icon("retrieve", "may go back to hand at the beginning of a turn", "flow/options.py"),
        _icon("free", "not counted against the limits of the turn"),
        _icon("pair", "two of one pair count as one card"),
        _icon("gang1", "any number of one gang in a turn; a gang doesn't cover itself"),
        _icon("protected", "not ignored or discarded by the opponent's texts", "layers/ignored.py"),
        _icon("bluff_fire", "may be played face down; true in a fire fight", "flow/bluffs.py"),
        _icon("bluff_earth", "may be played face down; true in an earth fight", "flow/bluffs.py"),
        _icon("bluff_blank", "may be played face down; never true", "flow/bluffs.py"),
        _icon("replace", "optional rules: discarded for a new card in the leadership phase", "flow/turn.py"),
    ],
    "the fight": [
        Entry("fight", "戦闘", "announcements in fire or earth in turn, until somebody retreats", "flow/turn.py"),
        Entry("fire", "火", "the left number of a card", "layers/power.py"),
        Entry("earth", "土", "the right number of a card", "layers/power.py"),
        Entry("total", "合計", "the sum of the active cards in the contested element", "layers/power.py"),
        Entry("active", "有効", "counts and acts: uncovered cards, supports, ships", "layers/ignored.py"),
        Entry("covered", "覆われた", "lies under a newer character: no value, icon or text", "zones.py"),
        Entry("blank", "白紙", "a card whose values, icons and text are ignored", "layers/ignored.py"),
        Entry("announce", "宣言", "say the element of the fight, or that the total is enough", "flow/turn.py"),
        Entry(
            "retreat",
            "撤退",
            "give up the fight; the winner attracts one dragon, with six cards two",
            "flow/retreat.py",
        ),
        Entry("decline", "見送り", "open no fight: discard up to three cards and draw", "flow/turn.py"),
        Entry("bluff", "ブラフ", "a card played face down as a support of value 2", "flow/bluffs.py"),
        Entry("challenge", "看破", "turn the bluffs up; whoever is wrong loses a dragon", "flow/bluffs.py"),
        Entry(
            "landing",
            "上陸",
            "a ship lays out its cards; this turn they are played instead of the hand",
            "flow/turn.py",
        ),
        Entry("demand", "要求", "cards that the opponent has to play or discard", "flow/demands.py"),
        Entry(
            "completable", "完了可能", "the turn can still be finished; nothing else is offered", "flow/completable.py"
        ),
    ],
    "winning": [
        Entry("dragon", "ドラゴン", "three of them; a fourth attracted wins at once", "flow/dragons.py"),
        Entry("first out", "先切れ", "whose hand and deck were empty first loses without dragons", "zones.py"),
        Entry("crystal", "クリスタル", "one for the win and one for each own dragon", "deal.py"),
        Entry("match", "マッチ", "games with the same decks until somebody has five crystals", "deal.py"),
    ],
}
ENTRIES = [entry for entries in SECTIONS.values() for entry in entries]
