"""For those who learn the game: the game in short, and what a choice brings, in one line. Once per language.

Keys: `effect <act>` is what a choice brings (acts are those of `Names.act`), `type <type>` what playing a card of that
type means, `icon <icon>` what an icon does.
"""

from __future__ import annotations

from ka_env.bluemoon.codes import NO_FIGHT, WORDS
from ka_env.bluemoon.game import Game
from ka_env.bluemoon.people.story import Names
from ka_env.bluemoon.people.texts import ICON_WORDS, ROW, TYPE_WORDS, text_of

# Letters that always mean the same choice; none is that of a command of the screens (h m q u v w).
KEYS = {
    "done": "d",
    "yes": "y",
    "no": "n",
    "fight": "f",
    "retreat": "r",
    "decline": "x",
    "fire": "f",  # never asked together with fight
    "earth": "e",
    "challenge": "c",
    "accept": "a",
    "hidden": "z",
    "boosters": "b",
    "supports": "s",
}
TYPES = "character booster support leadership ship".split()
OPTIONAL_TYPES = "hyla interference achievement".split()

ENGLISH = {
    "title": "Blue Moon in short",
    "goal": "Goal. Win fights and so attract dragons: from the opponent first, then from the middle. With all three "
    "on your "
    "side one more wins at once. Otherwise the game ends when a hand stays empty after drawing: whoever has dragons "
    "wins; if "
    "nobody has, whoever first ran out of hand and deck loses.",
    "fight": "A fight is in fire or in earth, and your total is the sum of your active cards in that element. "
    "Whoever opens it "
    "names the element. Then the players take turns: each must reach at least the other's total (or show a shield of "
    "the "
    "element), or retreat. Who retreats loses the fight: the winner attracts a dragon, two with six or more cards on "
    "the table.",
    "turn": "Your turn. Beginning (take back cards with RETRIEVE, land a ship); one leadership card, if you like; "
    "fight or not; "
    "one character, which covers your earlier cards of the combat area; one booster or support; then your total is "
    "compared, and you draw up to six cards. Without a fight: decline, discard up to three cards and draw.",
    "board": "Every card has a fire value and an earth value, fire first. Covered cards count nothing. A card's text "
    "works while "
    "the card is active.",
    "bluff": "Bluffs. A card with a bluff icon may be played face down as a support of value 2. If you are "
    "challenged and every "
    "face-down card has the icon of the element, you attract a dragon; otherwise the challenger does, and you retreat.",
    "types": "Cards:",
    "icons": "Icons:",
    "match": "The winner of a game gets one crystal and one for each own dragon; the match goes to five crystals.",
    "more": "More: ka rules {ruleset} has the cards of the peoples (--deck), ka glossary --game bluemoon the words.",
    "type character": "covers the earlier cards of your combat area, except those of its own gang, and counts in the "
    "fight",
    "type booster": "counts until your next character covers it",
    "type support": "counts until the fight is over",
    "type leadership": "works at once or until the end of the turn; one in a turn, before the fight",
    "type ship": "takes cards on board in the support phase; when it lands they are played instead of the hand",
    "type hyla": "acts on both players as long as it lies there",
    "type interference": "cancels a card while the opponent plays it",
    "type achievement": "changes the crystals that the game is worth",
    "icon shield_fire": "in a fire fight any total is enough, even 0",
    "icon shield_earth": "in an earth fight any total is enough, even 0",
    "icon stop": "after it nothing more is played this turn",
    "icon retrieve": "may go back to your hand at the beginning of your turn",
    "icon free": "not counted: you may play another card as well",
    "icon pair": "two of one pair count as one card",
    "icon protected": "the opponent's texts can't ignore or discard it",
    "icon gang1": "any number of one gang in a turn",
    "icon gang2": "any number of one gang in a turn",
    "icon gang3": "any number of one gang in a turn",
    "icon gang4": "any number of one gang in a turn",
    "icon bluff_fire": "may be played face down; true in a fire fight",
    "icon bluff_earth": "may be played face down; true in an earth fight",
    "icon bluff_blank": "may be played face down; never true",
    "icon replace": "in the leadership phase it may be discarded for a new card",
    # choices
    "effect opens": "You play a character and then name fire or earth; the opponent has to match your total or "
    "retreat.",
    "effect fights on": "You play on: your total must reach at least the opponent's {other}, or you need a shield.",
    "effect retreat": "You lose this fight: the opponent attracts {dragons}. All cards of the fight are discarded.",
    "effect decline": "No fight: discard one to three cards, draw up to six; then it is the opponent's turn.",
    "effect done begin": "On to the leadership phase.",
    "effect done leadership": "On to the engagement: fight or not.",
    "effect done character": "On to boosters and supports.",
    "effect done support": "Your total is announced, you draw up to six cards, and the opponent's turn begins.",
    "effect done": "That is all.",
    "effect fire": "The fight is in fire: the opponent has to reach {fire} or show a fire shield, or retreats.",
    "effect earth": "The fight is in earth: the opponent has to reach {earth} or show an earth shield, or retreats.",
    "effect challenge": "All are turned up: if one doesn't show the element, you attract a dragon and the bluffer "
    "retreats; "
    "if all do, the bluffer attracts one.",
    "effect accept": "They stay face down and count.",
    "effect no": "You let it be.",
    "effect hits": "It goes to the opponent's discard pile. {text}",
    "effect hits hidden": "It is turned up and goes to the opponent's discard pile.",
    "effect keeps": "It stays, the others go. {text}",
    "effect boosters": "The opponent's boosters are discarded.",
    "effect supports": "The opponent's supports are discarded.",
    "effect strips": "It goes from the opponent's hand to the discard pile. {text}",
    "effect hidden": "One of the closed hand cards is discarded, chosen by chance.",
    "effect retrieves": "It goes back to your hand. {text}",
    "effect lands": "Its cards are played this turn instead of those in your hand.",
    "effect turns up": "It is turned up and discarded.",
    "effect replaces": "It is discarded and you draw a card.",
    "effect bluffs": "It lies face down as a support of value 2; the opponent may challenge it.",
    "effect loads": "It goes on the ship and is played when the ship lands.",
    "effect discards": "It goes to your discard pile. {text}",
    "effect sinks": "It goes under your deck. {text}",
    "effect sends back": "It is shuffled into your deck. {text}",
    "effect ship": "The card goes on this ship.",
    "effect takes back": "It goes back to your hand. {text}",
    "effect fetches": "It goes to your hand. {text}",
    "effect finds": "It goes to your hand. {text}",
    "effect doubles": "The opponent has to give twice as much. {text}",
    "effect interferes": "The opponent's card is cancelled. {text}",
    "effect retreat loses": "You lose this fight, and the game with it.",
    "dragons 0": "no dragon",
    "dragons 1": "one dragon",
    "dragons": "{n} dragons",
    "dragons ?": "a dragon, or more",
    "owner": "For its owner: {text}",
    "stop": ". ",
}

JAPANESE = {
    "title": "ブルームーンの遊び方(要約)",
    "goal": "目的：戦闘に勝ってドラゴンを引き寄せます(まず相手から、次に中央から)。3体とも自分の側にいるときにさらに1"
    "体引き寄せれば"
    "即座に勝ちです。そうでなければ、補充しても手札が0枚のプレイヤーが出たときに終わり、ドラゴンを持つ側の勝ち。誰も"
    "持たなければ、"
    "手札と山札が先に切れた側の負けです。",
    "fight": "戦闘は火か土で行い、合計はその元素についての自分の有効なカードの値の和です。始めたプレイヤーが元素を宣"
    "言し、"
    "以後は交互に、相手の合計以上にする(または元素の盾を見せる)か、撤退します。撤退した側の負けで、勝者はドラゴンを1体"
    "(場のカードが6枚以上なら2体)引き寄せます。",
    "turn": "自分のターン：開始(回収、船の上陸)、リーダーシップ(1枚まで)、交戦(戦うかどうか)、キャラクター1枚"
    "(戦闘エリアの以前のカードを覆う)、ブースターかサポート1枚、合計の比較、手札を6枚まで補充。戦わないときは見送り"
    "(手札を1〜3枚捨てて補充)。",
    "board": "カードには火の値(左)と土の値(右)があります。覆われたカードは数えません。テキストはカードが有効な間はた"
    "らきます。",
    "bluff": "ブラフ：ブラフのアイコンのあるカードは、値2のサポートとして伏せて出せます。看破されたとき、伏せたカード"
    "がすべてその元素の"
    "アイコンを持っていればあなたがドラゴンを引き寄せ、そうでなければ看破した側が引き寄せ、あなたは撤退します。",
    "types": "カード：",
    "icons": "アイコン：",
    "match": "対戦の勝者はクリスタル1個と、自分のドラゴン1体につき1個を得ます。5個でマッチの勝ちです。",
    "more": "詳しくは ka rules {ruleset}(--deck で各デッキのカード)、ka glossary --game bluemoon(用語)。",
    "type character": "戦闘エリアの以前のカード(同じギャングを除く)を覆い、戦闘で数えます",
    "type booster": "次のキャラクターに覆われるまで数えます",
    "type support": "戦闘が終わるまで数えます",
    "type leadership": "すぐに、またはターンの終わりまではたらきます。戦闘の前に1ターン1枚",
    "type ship": "サポート・フェイズにカードを積み、上陸すると手札の代わりにそれをプレイします",
    "type hyla": "置かれている間、両者にはたらきます",
    "type interference": "相手がプレイしたカードを打ち消します",
    "type achievement": "対戦で得るクリスタルの数を変えます",
    "icon shield_fire": "火の戦闘では合計が0でも足ります",
    "icon shield_earth": "土の戦闘では合計が0でも足ります",
    "icon stop": "この後、このターンは何もプレイできません",
    "icon retrieve": "自分のターンの開始時に手札に戻せます",
    "icon free": "枚数に数えません。他のカードもプレイできます",
    "icon pair": "同じペアの2枚を1枚と数えます",
    "icon protected": "相手のテキストで無視されたり捨てられたりしません",
    "icon gang1": "同じギャングは1ターンに何枚でも",
    "icon gang2": "同じギャングは1ターンに何枚でも",
    "icon gang3": "同じギャングは1ターンに何枚でも",
    "icon gang4": "同じギャングは1ターンに何枚でも",
    "icon bluff_fire": "伏せて出せます。火の戦闘で本物",
    "icon bluff_earth": "伏せて出せます。土の戦闘で本物",
    "icon bluff_blank": "伏せて出せます。本物にはなりません",
    "icon replace": "リーダーシップ・フェイズに捨てて1枚引けます",
    "effect opens": "キャラクターを出し、火か土を宣言します。相手は合計で並ぶか、撤退しなければなりません。",
    "effect fights on": "戦い続けます。合計を相手の{other}以上にするか、盾が必要です。",
    "effect retreat": "この戦闘に負け、相手は{dragons}。戦闘のカードはすべて捨て札になります。",
    "effect decline": "戦いません。手札を1〜3枚捨て、6枚まで補充して相手のターンになります。",
    "effect done begin": "リーダーシップ・フェイズへ進みます。",
    "effect done leadership": "交戦(戦うかどうか)へ進みます。",
    "effect done character": "ブースターとサポートへ進みます。",
    "effect done support": "合計を宣言し、6枚まで補充して、相手のターンになります。",
    "effect done": "ここまでにします。",
    "effect fire": "火の戦闘になります。相手は合計{fire}以上か火の盾が必要です。",
    "effect earth": "土の戦闘になります。相手は合計{earth}以上か土の盾が必要です。",
    "effect challenge": "すべて公開します。元素の合わないカードがあればあなたがドラゴンを引き寄せ、相手は撤退。"
    "すべて合っていれば相手が引き寄せます。",
    "effect accept": "伏せたまま数えます。",
    "effect no": "使いません。",
    "effect hits": "相手の捨て札になります。{text}",
    "effect hits hidden": "公開して相手の捨て札になります。",
    "effect keeps": "これが残り、他は捨て札になります。{text}",
    "effect boosters": "相手のブースターが捨て札になります。",
    "effect supports": "相手のサポートが捨て札になります。",
    "effect strips": "相手の手札から捨て札になります。{text}",
    "effect hidden": "非公開の手札から無作為に1枚が捨て札になります。",
    "effect retrieves": "手札に戻ります。{text}",
    "effect lands": "このターンは手札の代わりに積んだカードをプレイします。",
    "effect turns up": "公開して捨て札にします。",
    "effect replaces": "捨て札にして1枚引きます。",
    "effect bluffs": "値2のサポートとして伏せて出します。相手は看破できます。",
    "effect loads": "船に積み、上陸したときにプレイします。",
    "effect discards": "捨て札になります。{text}",
    "effect sinks": "山札の下に置きます。{text}",
    "effect sends back": "山札に戻して切ります。{text}",
    "effect ship": "カードをこの船に積みます。",
    "effect takes back": "手札に戻ります。{text}",
    "effect fetches": "手札に加えます。{text}",
    "effect finds": "手札に加えます。{text}",
    "effect doubles": "相手への要求が2倍になります。{text}",
    "effect interferes": "相手のカードを打ち消します。{text}",
    "effect retreat loses": "この戦闘に負け、対戦にも負けます。",
    "dragons 0": "ドラゴンを1体も引き寄せません",
    "dragons 1": "ドラゴンを1体引き寄せます",
    "dragons": "ドラゴンを{n}体引き寄せます",
    "dragons ?": "ドラゴンを1体以上引き寄せます",
    "owner": "持ち主にとって：{text}",
    "stop": "。",
}
TEACHING = {"en": ENGLISH, "ja": JAPANESE}


# ---- the game in short ----------------------------------------------------------------------------------------------


def lesson(ruleset: str, language: str = "en") -> str:
    """Goal, fights, the turn, bluffs, and what types and icons mean."""
    words = TEACHING[language]
    base, _, match = ruleset.partition("/")
    optional = base.endswith("+opt")
    parts = [words[key] for key in "title goal fight turn board bluff".split()] + ([words["match"]] if match else [])
    types = [*TYPES, *(OPTIONAL_TYPES if optional else [])]
    icons = [icon for icon in ICON_WORDS[language] if icon not in ("gang2", "gang3", "gang4")]
    icons = [icon for icon in icons if optional or icon != "replace"]
    parts.append("\n".join([words["types"], *(f"  {_type(name, language)}" for name in types)]))
    parts.append("\n".join([words["icons"], *(f"  {_icon(icon, language)}" for icon in icons)]))
    return "\n\n".join([*parts, words["more"].format(ruleset=ruleset)])


def _type(name: str, language: str) -> str:
    return f"{TYPE_WORDS[language][name]}: {TEACHING[language][f'type {name}']}"


def _icon(icon: str, language: str) -> str:
    return f"{ICON_WORDS[language][icon].rstrip(' 1')}: {TEACHING[language][f'icon {icon}']}"


# ---- one choice -----------------------------------------------------------------------------------------------------


def effect(game: Game, token: str, viewer: int, language: str = "en") -> str:
    """What choosing this brings, in one line; of a card what its text, icons or type do."""
    names, words, s = Names(viewer, language), TEACHING[language], game.state
    act, said = names.act(s, token)
    code = str(said.get("card", ""))
    if act in ("plays", "uses", "yes"):
        return _card(code, language, played=act == "plays")
    if act == "retreat":
        return _retreat(game, words)
    text = _card(code, language) if code and token not in WORDS else ""
    if text and token[0] == "e":
        text = words["owner"].format(text=text)
    return words[f"effect {act}"].format(text=text, other=int(s.total[1 - s.player]), **names.totals(s)).strip()


def _retreat(game: Game, words: dict[str, str]) -> str:
    """What a retreat costs: all that matters for it is open, so it is tried out."""
    p = int(game.state.player)
    after = game.copy()
    after.play("retreat")
    if after.over or sum(after.state.crystals) > sum(game.state.crystals):
        return words["effect retreat loses"]
    n: object = "?"
    if after.state.fight == NO_FIGHT:
        lead = [int(s.dragons[1 - p]) - int(s.dragons[p]) for s in (game.state, after.state)]
        n = lead[1] - lead[0]
    dragons = words.get(f"dragons {n}", words["dragons"]).format(n=n)
    return words["effect retreat"].format(dragons=dragons)


def _card(code: str, language: str, played: bool = False) -> str:
    """What the card's text and icons do; if it is played and has none of them, what its type does."""
    row, words = ROW[code], TEACHING[language]
    parts = [text_of(code, language).rstrip(".。")]
    parts += [_icon(icon, language) for icon in row["icons"].split("+") if icon]
    if played and not any(parts):
        parts = [_type(row["type"], language)]
    told = [part for part in parts if part]
    return words["stop"].join(told) + (words["stop"].strip() if told else "")
