"""A first game that teaches: five short positions of 8.0-lite, one idea each."""

from __future__ import annotations

from ka_env.viewer.lesson import Lesson


def _position(turn: int, own: tuple[str, str, str], theirs: tuple[str, str, str]) -> str:
    """`own`, `theirs`: life, hand and field; the learner is player 0."""
    lines = ["ka 1", "rules 8.0-lite", f"turn {turn}", f"chance {turn}"]
    for player, (life, hand, field) in enumerate((own, theirs)):
        lines += [f"life{player} {life}", f"hand{player} {hand}", f"grave{player} -", f"field{player} {field}"]
    return "\n".join(lines) + "\n"


LESSONS = [
    Lesson(
        "fight",
        title={"en": "A fight", "ja": "戦闘"},
        intro={
            "en": "Your 10♠ and 4♦ are ready, the opponent's 7♥ can block. The bigger soldier survives a fight. "
            "Attack, and send only the soldier that can't lose.",
            "ja": "10♠と4♦が出せます。相手の7♥はブロックできます。戦闘ではサイズの大きい兵士が生き残ります。"
            "アタックして、負けない兵士だけを出しましょう。",
        },
        nudge={
            "en": "Choose Attack, then 10♠, then Done: 4♦ would die against 7♥.",
            "ja": "アタックを選び、10♠、終了の順に。4♦は7♥に負けます。",
        },
        done={
            "en": "10 against 7: the 7♥ is dead and your 10♠ lives. Equal sizes kill both. "
            "Attackers are driven and can't block until your next turn.",
            "ja": "10対7で7♥は倒れ、10♠は残りました。同じサイズなら両方倒れます。"
            "アタッカーはドライブ状態になり、次の自分のターンまでブロックできません。",
        },
        position=_position(
            0,
            ("2h 3h 4h 6h 8h", "Kh Qc", "0:bJh/d 1:sTs 2:s4d"),
            ("5s 6s 7s 8s 9s", "Qd Kd", "0:s7h"),
        ),
        line="attack u1 done u0",
    ),
    Lesson(
        "bulwark",
        title={"en": "A bulwark", "ja": "防壁"},
        intro={
            "en": "The opponent attacks with 8♠. Bulwarks lie face down and can block anything. A bulwark that blocks "
            "is lost, but one with the attacker's number takes the attacker along. Which one blocks?",
            "ja": "相手が8♠でアタックします。防壁は裏向きで、何でもブロックできます。ブロックした防壁は失われますが、"
            "アタッカーと同じ数字の防壁なら相討ちです。どちらでブロックしますか？",
        },
        nudge={
            "en": "Block with the bulwark that has the number 8: bulwark 0 (8♦).",
            "ja": "数字が8の防壁0(8♦)でブロックしましょう。",
        },
        done={
            "en": "8♦ and 8♠ are both gone, and your life is untouched. "
            "A bulwark also pays: driving it is the price of soldiers.",
            "ja": "8♦と8♠は相討ち、ライフは無傷です。防壁はコストにもなります。兵士を出すにはドライブします。",
        },
        position=_position(
            1,
            ("2h 3h 4h 6h 7h", "Qc Jd", "0:b8d 1:b9h"),
            ("5s 6s 7s 9s Ts", "Qh Jh", "0:s8s"),
        ),
        line="attack u0 u0",
    ),
    Lesson(
        "answer",
        title={"en": "An answer on the stage", "ja": "ステージでの返答"},
        intro={
            "en": "The opponent's attack lies on the stage: it has not happened yet. Whoever has the chance may "
            "answer, and the answer comes first. 6♠ as Down makes a soldier smaller by 6.",
            "ja": "相手のアタックがステージにあります。まだ起きていません。チャンスを持つプレイヤーは返答でき、"
            "返答が先に解決します。6♠のダウンは兵士のサイズを6下げます。",
        },
        nudge={"en": "Don't pass: play Down with 6♠ on 5♦.", "ja": "パスせず、6♠のダウンを5♦に。"},
        done={
            "en": "5♦ died before it could attack: what is on top of the stage is resolved first. "
            "Down costs a hand card; here it was Q♣.",
            "ja": "5♦はアタックする前に倒れました。ステージの一番上から解決します。"
            "ダウンのコストは手札1枚、ここではQ♣でした。",
        },
        position=_position(
            1,
            ("2h 3h 4h 6h 8h", "6s Qc", "0:b9h"),
            ("5s 6s 7s 8s 9s", "Qh Jh", "0:s5d 1:b3h"),
        ),
        line="attack down",
    ),
    Lesson(
        "life",
        title={"en": "The deck is life", "ja": "山札がライフ"},
        intro={
            "en": "The opponent has five cards of life: the deck is drawn from and takes the damage. Only one bulwark "
            "can block. An attacker nobody blocks hits with its size. End it with one attack.",
            "ja": "相手のライフは5枚です。ライフは山札であり、ダメージもそこから受けます。"
            "ブロックできる防壁は一つだけ。ブロックされないアタッカーはサイズ分のダメージ。一度のアタックで決めましょう。",
        },
        nudge={
            "en": "One bulwark can't stop two: attack with J♠, then 6♦ as well.",
            "ja": "防壁一つでは二人を止められません。J♠、続けて6♦でもアタック。",
        },
        done={
            "en": "The blow takes the whole life: you win. Your own costs and second draws come from your life too.",
            "ja": "ライフがすべて尽き、あなたの勝ち。自分のコストや2枚目のドローもライフから払います。",
        },
        position=_position(
            0,
            ("2h 3h 4h", "Kh Qc", "0:sJs 1:s6d"),
            ("5s 6s 7s 8s 9s", "Qd Kd", "0:bQh/d 1:b2h"),
        ),
        line="attack u0 u1 u1",
    ),
    Lesson(
        "counter",
        title={"en": "A counter", "ja": "カウンター"},
        intro={
            "en": "The opponent's Down 6♠ would kill your 6♦. A counter is an answer that cancels a request: "
            "♣ with at least its number. You have 7♣.",
            "ja": "相手の6♠のダウンで6♦が倒れそうです。カウンターは起動を打ち消す返答で、"
            "数字が同じかそれ以上の♣が必要です。7♣があります。",
        },
        nudge={"en": "Don't pass: counter with 7♣.", "ja": "パスせず、7♣でカウンター。"},
        done={
            "en": "The Down is cancelled and its cost is lost all the same. "
            "A counter is a request too: it could have been countered.",
            "ja": "ダウンは打ち消され、コストは戻りません。カウンターも起動なので、それ自体カウンターされ得ます。",
        },
        position=_position(
            1,
            ("2h 3h 4h 6h 8h", "7c Qd", "0:s6d 1:b9h"),
            ("5s 7s 8s 9s Ts", "6s Kh", "0:b4h"),
        ),
        line="down counter",
    ),
]
