"""What a card does, in our own words: one sentence per ability, filled with the arguments of the card table."""

from __future__ import annotations

import re

from ka_env.bluemoon.cards import ROWS

ROW = {row["code"]: row for row in ROWS}  # the neutral set and the promo card too

TYPE_WORDS = {
    "en": {
        "character": "character",
        "booster": "booster",
        "support": "support",
        "leadership": "leadership",
        "ship": "ship",
        "hyla": "Hyla",
        "interference": "interference",
        "achievement": "achievement",
        "leader": "leader",
        "any": "any",
    },
    "ja": {
        "character": "キャラクター",
        "booster": "ブースター",
        "support": "サポート",
        "leadership": "リーダーシップ",
        "ship": "船",
        "hyla": "ヒュラ",
        "interference": "妨害",
        "achievement": "功績",
        "leader": "リーダー",
        "any": "すべての",
    },
}
ICON_WORDS = {
    "en": {
        "shield_fire": "fire shield",
        "shield_earth": "earth shield",
        "stop": "STOP",
        "retrieve": "RETRIEVE",
        "free": "FREE",
        "pair": "PAIR",
        "protected": "PROTECTED",
        "gang1": "gang 1",
        "gang2": "gang 2",
        "gang3": "gang 3",
        "gang4": "gang 4",
        "bluff_fire": "fire bluff",
        "bluff_earth": "earth bluff",
        "bluff_blank": "blank bluff",
        "replace": "REPLACE",
    },
    "ja": {
        "shield_fire": "火の盾",
        "shield_earth": "土の盾",
        "stop": "停止",
        "retrieve": "回収",
        "free": "フリー",
        "pair": "ペア",
        "protected": "保護",
        "gang1": "ギャング1",
        "gang2": "ギャング2",
        "gang3": "ギャング3",
        "gang4": "ギャング4",
        "bluff_fire": "火のブラフ",
        "bluff_earth": "土のブラフ",
        "bluff_blank": "白のブラフ",
        "replace": "交換",
    },
}
# words for the values that arguments of the card table have
ARGUMENTS = {
    "en": {
        "any": "any number of",
        "all": "all",
        "fire": "fire",
        "earth": "earth",
        "both": "fire and earth",
        "odd": "odd",
        "even": "even",
        "own_deck": "deck",
        "own_discard": "discard pile",
        "combat_area": "combat area",
        "combat_area+support_area": "combat or support area",
        "one_own_character": "one own character",
        "all_own_character": "all own characters",
        "all_own_booster": "all own boosters",
        "all_own_support": "all own supports",
        "stop": "STOP",
        "stop+protected": "STOP and PROTECTED",
        "retreat": "or has to retreat",
        "dragon": "or you attract a dragon",
    },
    "ja": {
        "any": "任意の枚数",
        "all": "すべて",
        "fire": "火",
        "earth": "土",
        "both": "火と土",
        "odd": "奇数",
        "even": "偶数",
        "own_deck": "山札",
        "own_discard": "捨て札",
        "combat_area": "戦闘エリア",
        "combat_area+support_area": "戦闘・支援エリア",
        "one_own_character": "自分のキャラクター1枚",
        "all_own_character": "自分の全キャラクター",
        "all_own_booster": "自分の全ブースター",
        "all_own_support": "自分の全サポート",
        "stop": "停止",
        "stop+protected": "停止と保護",
        "retreat": "さもなければ撤退する",
        "dragon": "さもなければあなたがドラゴンを1体引き寄せる",
    },
}
CONDITIONS = {
    "en": {
        "attacked_fire": "the opponent's total in a fire fight is {n} or more",
        "attacked_earth": "the opponent's total in an earth fight is {n} or more",
        "attacked_any": "the opponent's total in the fight is {n} or more",
        "opp_active_fight_cards": "the opponent has {n} or more active fight cards",
        "opp_active_characters": "the opponent has {n} or more active characters",
        "opp_active_boosters": "the opponent has {n} or more active boosters",
        "opp_active_supports": "the opponent has {n} or more active supports",
        "opp_active_cards_with_icon": "the opponent has {n} or more active cards with an icon",
        "opp_table_cards": "the opponent has {n} or more cards on the table",
        "own_table_cards": "you have no card on the table",
        "own_ships_in_influence": "you have no ship at sea",
        "opp_dragons": "the opponent has a dragon",
        "opp_hand-own_hand": "the opponent holds at least {n} cards more than you",
        "has_text": "with text",
        "no_text": "without text",
        "any_value_above_4": "with a value above 4",
        "any": "",
    },
    "ja": {
        "attacked_fire": "火の戦闘で相手の合計が{n}以上",
        "attacked_earth": "土の戦闘で相手の合計が{n}以上",
        "attacked_any": "戦闘で相手の合計が{n}以上",
        "opp_active_fight_cards": "相手の有効な戦闘カードが{n}枚以上",
        "opp_active_characters": "相手の有効なキャラクターが{n}枚以上",
        "opp_active_boosters": "相手の有効なブースターが{n}枚以上",
        "opp_active_supports": "相手の有効なサポートが{n}枚以上",
        "opp_active_cards_with_icon": "アイコンを持つ相手の有効なカードが{n}枚以上",
        "opp_table_cards": "相手の場のカードが{n}枚以上",
        "own_table_cards": "自分の場のカードが0枚",
        "own_ships_in_influence": "航海中の自分の船が0隻",
        "opp_dragons": "相手のドラゴンが1体以上",
        "opp_hand-own_hand": "相手の手札が自分より{n}枚以上多い",
        "has_text": "テキストのある",
        "no_text": "テキストのない",
        "any_value_above_4": "値が4を超える",
        "any": "",
    },
}
NEEDS = {
    "en": {
        "fire": "hand cards with a fire sum of {n} or more",
        "earth": "hand cards with an earth sum of {n} or more",
        "and": "hand cards with a fire sum of {n} and others with an earth sum of {n}",
        "or": "hand cards with a fire sum or an earth sum of {n} or more",
        "characters": "{n} character(s) from hand",
    },
    "ja": {
        "fire": "火の合計{n}以上の手札",
        "earth": "土の合計{n}以上の手札",
        "and": "火の合計{n}以上と、別に土の合計{n}以上の手札",
        "or": "火か土の合計{n}以上の手札",
        "characters": "手札のキャラクター{n}枚",
    },
}
TIMINGS = {
    "en": {
        "on_play": "When played: ",
        "once_per_own_turn": "Once in your turn: ",
        "end_of_booster_support_phase": "End of your booster/support phase: ",
        "end_of_own_turn": "End of your turn: ",
    },
    "ja": {
        "on_play": "プレイ時：",
        "once_per_own_turn": "自分のターンに1回：",
        "end_of_booster_support_phase": "自分のブースター／サポート・フェイズの終わり：",
        "end_of_own_turn": "自分のターンの終わり：",
    },
}
MAY = {"en": "you may ", "ja": "（任意）"}

ENGLISH = {
    "attack_again": "no new character is needed this turn: the active cards fight on",
    "discard_from_opp_hand_blind": "discard {count} card(s) of the opponent's hand, unseen ones at random",
    "discard_opp_table_cards": "discard {count} of the opponent's {cover}{types} cards{extra}",
    "discard_own_hand": "discard any number of hand cards",
    "double_own_caterpillar": "one own caterpillar demands twice as much",
    "double_value": "{target}: {element} doubled",
    "dragon_for_discard": "discard {need} to attract a dragon",
    "dragon_if_two_storms": "with two or more own storms at the start of your turn you attract a dragon",
    "draw": "draw {count} card(s)",
    "draw_random_from_own_discard": "take {count} card(s) at random from your discard pile",
    "draw_then_discard_one_of_them": "draw {count} cards openly and discard one of them",
    "draw_then_return_two": "draw {count} cards, then shuffle two hand cards into the deck",
    "draw_up_to_hand_size": "draw until you hold {size} cards",
    "extra_plays +1": "you may play one more {types} card in a turn",
    "extra_plays any": "you may play any number of {types} cards in a turn",
    "force_retreat_if_two_floods": "with two or more own floods after your turn the opponent has to retreat",
    "free_if": "is FREE if {condition}",
    "hand_to_deck_bottom": "put any number of hand cards under the deck",
    "landing_keeps_hand_playable": "on the turn it lands hand cards may be played as well",
    "load_from_hand": "put up to {count} fight cards from hand on this ship",
    "load_from_hand_and_landing_allows_one_hand_card": "put {load} fight card from hand on this ship; on the turn it "
    "lands one fight card may be played from hand",
    "mill_opp": "discard the top card of the opponent's deck",
    "min_total_power": "your total counts at least {value} in {element}",
    "next_card_free": "the next fight card you play this turn is FREE",
    "no_bluff_challenge": "your bluffs can't be challenged",
    "opp_active_character_limit": "the opponent may have {max} active character when the character phase ends",
    "opp_cards_ignored": "the opponent's {types} cards are blank: no values, icons or text{extra}",
    "opp_discards_down_to": "the opponent discards down to {size} hand cards",
    "opp_discards_own_choice": "make the opponent discard {count} hand card(s) of own choice",
    "opp_draw_limit": "the opponent may take at most {max_per_turn} card(s) from the deck in a turn",
    "opp_hand_cap": "the opponent can't take cards while holding {max} or more",
    "opp_icons_ignored": "the opponent's icons are ignored, except {keep}",
    "opp_must_discard": "in each turn the opponent discards {need} {else}",
    "opp_must_play": "in each turn the opponent plays a {types} card {else}",
    "opp_play_forbidden": "the opponent can't play {types} cards {condition}",
    "opp_play_limit": "the opponent may play at most {max} card in a turn",
    "opp_play_limit combat_area": "the opponent may put at most {max} card in the combat area in a turn",
    "opp_reveals_hand": "the opponent lays the hand open",
    "opp_texts_ignored": "the opponent's texts are ignored{extra}",
    "opp_values_parity_zero": "{parity} printed values on the opponent's {types} cards count 0",
    "playable_only_if_then_swap_element": "may be played only if {condition}; then the contested element changes",
    "raise_own_bluffs_to": "your face-down cards count at least {value}",
    "raise_value_to": "{target}: {element} at least {value}",
    "raise_value_to_max": "both values of {target} become its higher printed one",
    "raise_value_to_sum": "both values of {target} become the sum of its printed ones",
    "recycle_discard": "shuffle your discard pile into the deck",
    "retreat_dragons_cap": "if you retreat, the opponent attracts at most {value} dragon",
    "retreat_dragons_minus": "if you retreat, the opponent attracts {value} dragon less",
    "retreat_dragons_plus": "if the opponent retreats, you attract {value} dragon more",
    "retreat_dragons_zero": "if you retreat, the opponent attracts no dragon",
    "return_own_table_card": "take back a card of your {from} into hand{extra}",
    "search_deck_ship_or_load": "find a ship in the deck and play it, or a fight card and put it on a ship; shuffle",
    "search_to_hand": "take a card of your choice from your {from} and show it",
    "hyla_hand_size": "both players refresh up to {size} cards",
    "hyla_no_leadership": "nobody may play leadership cards",
    "interfere": "cancel a {types} card that the opponent plays face up",
    "achieve_win_plus": "if you win this game: {value} crystal more",
    "achieve_loss_minus": "if you lose this game: the winner gets {value} crystal less, at least one",
    "chosen_each_discards": "each player discards {count} hand card of own choice, the opponent first",
}
JAPANESE = {
    "attack_again": "このターンは新しいキャラクターなしで、有効なカードのまま戦い続ける",
    "discard_from_opp_hand_blind": "相手の手札を{count}枚捨てさせる(非公開の札は無作為)",
    "discard_opp_table_cards": "相手の{cover}{types}カードを{count}捨てる{extra}",
    "discard_own_hand": "手札を任意の枚数捨てる",
    "double_own_caterpillar": "自分の芋虫1枚の要求が2倍になる",
    "double_value": "{target}の{element}の値は2倍",
    "dragon_for_discard": "{need}を捨てるとドラゴンを1体引き寄せる",
    "dragon_if_two_storms": "自分のターンの初めに嵐が2枚以上あればドラゴンを1体引き寄せる",
    "draw": "{count}枚引く",
    "draw_random_from_own_discard": "自分の捨て札から無作為に{count}枚取る",
    "draw_then_discard_one_of_them": "{count}枚を公開して引き、そのうち1枚を捨てる",
    "draw_then_return_two": "{count}枚引き、手札2枚を山札に戻して切る",
    "draw_up_to_hand_size": "手札が{size}枚になるまで引く",
    "extra_plays +1": "1ターンに{types}をもう1枚プレイできる",
    "extra_plays any": "1ターンに{types}を何枚でもプレイできる",
    "force_retreat_if_two_floods": "自分のターンの後に洪水が2枚以上あれば相手は撤退する",
    "free_if": "{condition}ならフリー",
    "hand_to_deck_bottom": "手札を任意の枚数、山札の下に置く",
    "landing_keeps_hand_playable": "上陸したターンにも手札をプレイできる",
    "load_from_hand": "手札の戦闘カードを{count}枚までこの船に積む",
    "load_from_hand_and_landing_allows_one_hand_card": "手札の戦闘カードを{load}枚この船に積む。"
    "上陸したターンに手札から1枚プレイできる",
    "mill_opp": "相手の山札の一番上を捨てる",
    "min_total_power": "{element}であなたの合計は最低{value}",
    "next_card_free": "このターンに次にプレイする戦闘カードはフリー",
    "no_bluff_challenge": "あなたのブラフは看破されない",
    "opp_active_character_limit": "キャラクター・フェイズ終了時、相手の有効なキャラクターは{max}枚まで",
    "opp_cards_ignored": "相手の{types}カードは白紙になる(値・アイコン・テキストなし){extra}",
    "opp_discards_down_to": "相手は手札が{size}枚になるまで捨てる",
    "opp_discards_own_choice": "相手は手札を{count}枚選んで捨てる",
    "opp_draw_limit": "相手が1ターンに山札から取れるのは{max_per_turn}枚まで",
    "opp_hand_cap": "相手は手札が{max}枚以上なら手札を増やせない",
    "opp_icons_ignored": "相手のアイコンを無視する({keep}を除く)",
    "opp_must_discard": "相手は毎ターン{need}を捨てる。{else}",
    "opp_must_play": "相手は毎ターン{types}をプレイする。{else}",
    "opp_play_forbidden": "相手は{condition}{types}カードをプレイできない",
    "opp_play_limit": "相手が1ターンにプレイできるのは{max}枚まで",
    "opp_play_limit combat_area": "相手が1ターンに戦闘エリアに置けるのは{max}枚まで",
    "opp_reveals_hand": "相手は手札を公開する",
    "opp_texts_ignored": "相手のテキストを無視する{extra}",
    "opp_values_parity_zero": "相手の{types}カードの{parity}の値は0になる",
    "playable_only_if_then_swap_element": "{condition}のときだけプレイでき、戦闘の元素が入れ替わる",
    "raise_own_bluffs_to": "自分の伏せたカードの値は最低{value}",
    "raise_value_to": "{target}の{element}の値は最低{value}",
    "raise_value_to_max": "{target}の両方の値は高いほうの値になる",
    "raise_value_to_sum": "{target}の両方の値は印刷値の合計になる",
    "recycle_discard": "自分の捨て札を山札に混ぜて切る",
    "retreat_dragons_cap": "あなたが撤退しても相手が引き寄せるドラゴンは最大{value}体",
    "retreat_dragons_minus": "あなたが撤退したとき相手が引き寄せるドラゴンは{value}体少ない",
    "retreat_dragons_plus": "相手が撤退したとき引き寄せるドラゴンは{value}体多い",
    "retreat_dragons_zero": "あなたが撤退してもドラゴンは動かない",
    "return_own_table_card": "自分の{from}のカード1枚を手札に戻す{extra}",
    "search_deck_ship_or_load": "山札から船を探してプレイするか、戦闘カードを船に積む。山札を切る",
    "search_to_hand": "自分の{from}から好きなカード1枚を公開して取る",
    "hyla_hand_size": "両者とも手札が{size}枚になるまで補充する",
    "hyla_no_leadership": "どちらもリーダーシップ・カードをプレイできない",
    "interfere": "相手が表向きでプレイした{types}カードを打ち消す",
    "achieve_win_plus": "この対戦に勝てばクリスタルが{value}個増える",
    "achieve_loss_minus": "この対戦に負けたら勝者のクリスタルが{value}個減る(最低1個)",
    "chosen_each_discards": "両者が手札を{count}枚選んで捨てる(相手が先)",
}
SENTENCES = {"en": ENGLISH, "ja": JAPANESE}
EXTRAS = {
    "en": {
        "keep": ", but leave one active character",
        "icon": " that show an icon",
        "ship": ", only if it came from a ship",
        "one_type": " of one of these types",
        "flit": " (not Flit characters)",
        "covered": ", also a covered one",
        "active": "active ",
        "or": " or ",
    },
    "ja": {
        "keep": "(有効なキャラクター1枚は残す)",
        "icon": "(アイコンのあるカード)",
        "ship": "(船から来たときだけ)",
        "one_type": "(どちらか1種類)",
        "flit": "(フリットのキャラクターを除く)",
        "covered": "(覆われたカードも可)",
        "active": "有効な",
        "or": "・",
    },
}


def arguments(code: str) -> dict[str, str]:
    return dict(word.split("=", 1) for word in ROW[code]["args"].split())


def types_text(types: str, language: str) -> str:
    return EXTRAS[language]["or"].join(TYPE_WORDS[language][name] for name in types.split("+") if name)


def icons_of(code: str, language: str = "en") -> list[str]:
    return [ICON_WORDS[language][icon] for icon in ROW[code]["icons"].split("+") if icon]


def values_of(code: str) -> str:
    """`3/2`: printed fire and earth; empty for cards without values."""
    row = ROW[code]
    return f"{row['fire'] or '-'}/{row['earth'] or '-'}" if row["fire"] or row["earth"] else ""


def _condition(text: str, language: str) -> str:
    name, _, number = re.sub("[>=]=", " ", text).partition(" ")
    return CONDITIONS[language][name].format(n=number)


def _need(text: str, language: str) -> str:
    numbers = re.findall(r"\d+", text)
    kind = next(kind for kind in ("character", "_and_", "_or_", "fire", "earth") if kind in text)
    return NEEDS[language][{"character": "characters"}.get(kind, kind.strip("_"))].format(n=numbers[0])


def _extra(args: dict[str, str], language: str) -> str:
    words = EXTRAS[language]
    parts = [
        (args.get("filter") == "has_icon" and "types" in args, "icon"),
        (args.get("choose_one_type") == "1", "one_type"),
        (args.get("keep_last_active_character") == "1", "keep"),
        (args.get("only_if_played_from_ship") == "1", "ship"),
        (args.get("except") == "flit_characters", "flit"),
        ("from" in args and args.get("active_only") == "0", "covered"),
    ]
    return "".join(words[key] for wanted, key in parts if wanted)


def text_of(code: str, language: str = "en") -> str:
    """What the card's text does, in one sentence; empty if it has none."""
    row = ROW[code]
    ability = row["ability"]
    if not ability:
        return ""
    args = arguments(code)
    named = {key: ARGUMENTS[language].get(value, value) for key, value in args.items()}
    types = args.get("types", args.get("type", ""))
    named["types"] = types_text(types, language)
    if args.get("filter") == "has_icon" and not types:
        named["types"] = EXTRAS[language]["icon"].strip(" ()")
    if "condition" in args:
        named["condition"] = _condition(args["condition"], language)
    if "need" in args:
        named["need"] = _need(args["need"], language)
    if args.get("element") == "any":
        named["element"] = ARGUMENTS[language]["both"]
    named["cover"] = EXTRAS[language]["active"] if args.get("active_only") == "1" else ""
    named["extra"] = _extra(args, language)
    if language == "ja" and ability == "discard_opp_table_cards" and args["count"].isdigit():
        named["count"] += "枚"
    scoped = f"{ability} {args.get('scope', args.get('amount'))}"
    sentences = SENTENCES[language]
    sentence = sentences[scoped if scoped in sentences else ability].format(**named)
    sentence = " ".join(sentence.split()) if language == "en" else sentence
    start = TIMINGS[language].get(row["timing"], "")
    text = start + (MAY[language] if row["optional"] == "1" and start else "") + sentence
    return text[0].upper() + text[1:] + ("." if language == "en" else "。")


def facts_of(code: str, language: str = "en") -> str:
    """Type, values, icons: `character 3/2, gang 3`."""
    row = ROW[code]
    group = row["group"] if row["group"] and not row["group"].startswith(("gang", "pair")) else ""
    words = [
        " ".join(filter(None, [TYPE_WORDS[language][row["type"]], values_of(code)])),
        *icons_of(code, language),
        group_name(group, language),
        capacity_text(row["capacity"], language),
    ]
    return ", ".join(filter(None, words))


GROUPS = {
    "en": {"storm": "storm", "flood": "flood", "caterpillar": "caterpillar", "chosen": "Chosen One", "": ""},
    "ja": {"storm": "嵐", "flood": "洪水", "caterpillar": "芋虫", "chosen": "選ばれし者", "": ""},
}


def group_name(group: str, language: str) -> str:
    return GROUPS[language][group]


def capacity_text(capacity: str, language: str) -> str:
    if not capacity:
        return ""
    return f"room for {capacity}" if language == "en" else f"{capacity}枚積める"


def about_card(code: str, language: str = "en") -> str:
    """A card in full: `K6: character 2/2, gang 2. Once in your turn: …`"""
    stop = "." if language == "en" else "。"
    text = text_of(code, language)
    return f"{code}: {facts_of(code, language)}{stop}" + (f" {text}" if text else "")
