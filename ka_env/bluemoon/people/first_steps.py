"""A first game that teaches: five short positions, one idea each."""

from __future__ import annotations

import re
from typing import NamedTuple

from ka_env.bluemoon.cards import CODES, DECKS, members
from ka_env.bluemoon.rulesets import LISTS
from ka_env.viewer.lesson import Lesson


class _Side(NamedTuple):
    people: str
    hand: str
    combat: str = "-"
    support: str = "-"

    def lines(self, q: int) -> list[str]:
        """Its zones; what lies nowhere else is the deck."""
        used = re.findall(r"[A-Z]\d+", f"{self.hand} {self.combat} {self.support}")
        number = DECKS.index(self.people)
        deck = [CODES[number][card] for card in members(LISTS[number, 0])]
        zones = {"deck": " ".join(code for code in deck if code not in used), **self._asdict(), "discard": "-"}
        return [f"{zone}{q} {cards}" for zone, cards in zones.items() if zone != "people"]


def _position(turn: int, phase: str, fight: str, own: _Side, theirs: _Side, did: str = "") -> str:
    """The learner is player 0."""
    lines = ["bm 1", "rules base", f"decks {own.people} {theirs.people}", f"turn {turn}", f"phase {phase}"]
    lines += [f"fight {fight}", "dragons 0 0", *([f"did {did}"] if did else []), *own.lines(0), *theirs.lines(1)]
    return "\n".join(lines) + "\n"


LESSONS = [
    Lesson(
        "fight",
        title={"en": "A fight", "ja": "戦闘"},
        intro={
            "en": "Every card has a fire value (red) and an earth value (green). Open a fight with your character of "
            "the highest value, and name the element in which it is strong.",
            "ja": "カードには火の値(赤)と土の値(緑)があります。最も高い値のキャラクターで戦闘を始め、"
            "強い方の元素を宣言しましょう。",
        },
        nudge={
            "en": "Fight, play H1 (fire 5), and announce fire.",
            "ja": "戦闘を選び、H1(火5)を出して、火を宣言しましょう。",
        },
        done={
            "en": "The opponent must reach your 5 in fire, or retreat, and retreats: you attract a dragon. "
            "With all three dragons on your side, one more wins the game.",
            "ja": "相手は火で5に届かせるか撤退です。撤退したので、ドラゴンを1体引き寄せました。"
            "3体すべてを得て、さらにもう1体で勝ちです。",
        },
        position=_position(0, "engage", "-", _Side("Hoax", "H1 H9 H5 H6"), _Side("Vulca", "V9 V16 V18 V24")),
        line="fight H1 fire retreat",
    ),
    Lesson(
        "support",
        title={"en": "Power together", "ja": "力を合わせる"},
        intro={
            "en": "A fight in fire is running, and the opponent stands at 6. You need at least 6. Besides one "
            "character you may play a booster or a support: a support stays until the fight is over.",
            "ja": "火の戦闘中で、相手の合計は6。6以上が必要です。"
            "キャラクターのほかにブースターかサポートを1枚出せます。サポートは戦闘が終わるまで残ります。",
        },
        nudge={
            "en": "Fight on with H3 (fire 4) and the support H20 (fire 3): 4 + 3 is enough.",
            "ja": "H3(火4)とサポートH20(火3)で戦闘を続けましょう。4+3で足ります。",
        },
        done={
            "en": "7 against 6: the opponent can't answer and retreats. Next turn a new character would cover H3, "
            "but H20 would still count.",
            "ja": "7対6で相手は応えられず撤退。次のターンの新しいキャラクターはH3を覆いますが、H20は数えられ続けます。",
        },
        position=_position(
            0, "engage", "fire", _Side("Hoax", "H3 H20 H9 H21 H6"), _Side("Vulca", "V14 V15 V16 V9", "V3")
        ),
        line="fight H3 H20",
    ),
    Lesson(
        "shield",
        title={"en": "A shield", "ja": "盾"},
        intro={
            "en": "The opponent stands at 7 in fire. H4 and H20 together would reach it. But H18 has a fire shield: "
            "with it any total holds this turn. Save your strong support.",
            "ja": "相手は火で7。H4とH20を合わせれば届きます。しかしH18には火の盾があり、このターンは合計を問いません。"
            "強いサポートは取っておきましょう。",
        },
        nudge={"en": "Fight with H4, then play the booster H18.", "ja": "H4で戦闘し、ブースターH18を出しましょう。"},
        done={
            "en": "4 against 7, and the fight went on: the shield holds. H20 is still in your hand.",
            "ja": "4対7でも戦闘は続きました。盾のおかげです。H20は手札に残っています。",
        },
        position=_position(0, "engage", "fire", _Side("Hoax", "H4 H18 H20 H9"), _Side("Vulca", "V14 V15 V16 V9", "V1")),
        line="fight H4 H18",
    ),
    Lesson(
        "decline",
        title={"en": "A weak hand", "ja": "弱い手札"},
        intro={
            "en": "Your only characters are weak, and no fight is running. You may decline: discard up to three "
            "cards and draw up to six. Throw away H8, H12 and H18.",
            "ja": "キャラクターが弱く、戦闘もありません。戦わずに、3枚まで捨てて6枚になるまで引けます。"
            "H8、H12、H18を捨てましょう。",
        },
        nudge={
            "en": "Decline, then choose H8, H12 and H18 one after the other.",
            "ja": "「戦わない」を選び、H8、H12、H18を順に選びましょう。",
        },
        done={
            "en": "H1, H2 and H3: much better. But when a hand stays empty after drawing the game ends, so the deck "
            "is your time.",
            "ja": "H1、H2、H3、ずっと良くなりました。ただし引いても手札が空のままならゲーム終了。山札は時間です。",
        },
        position=_position(0, "engage", "-", _Side("Hoax", "H8 H12 H18 H21 H22 H24"), _Side("Vulca", "V14 V15 V16 V9")),
        line="decline H8 H12 H18",
    ),
    Lesson(
        "bluff",
        title={"en": "A bluff, and the challenge", "ja": "ブラフと看破"},
        intro={
            "en": "Buka may play cards with a bluff icon face down, as supports of value 2. You may challenge: if one "
            "of them lacks the icon of the element, the bluffer loses the fight. Two at once? You don't believe it.",
            "ja": "ブカはブラフのアイコンのあるカードを、値2のサポートとして伏せて出せます。看破して、元素のアイコンの"
            "ないカードが1枚でもあれば、相手は戦闘に負けます。2枚も本当でしょうか？",
        },
        nudge={"en": "Challenge the bluffs.", "ja": "ブラフを看破しましょう。"},
        done={
            "en": "U8 has an earth bluff, but the fight is in fire. The opponent retreats: one dragon for the "
            "challenge, one for the fight. Had both been true, a dragon would have gone to the bluffer.",
            "ja": "U8は土のブラフで、戦闘は火。相手は撤退し、看破で1体、戦闘で1体のドラゴンを得ました。"
            "両方本当なら、ドラゴンは相手のものでした。",
        },
        position=_position(
            1,
            "support",
            "fire",
            _Side("Hoax", "H1 H3 H27", "H9"),
            _Side("Buka", "U1 U9", "U2", "?U7 ?U8"),
            did="all=1 area=1 char=1 c=1 h=1",
        ),
        line="done challenge",
    ),
]
