"""Edition 6.1 (2021-08-01)."""

from ka_env.blackpoker.rulesets.rows import Action, Edition

# fmt: off
EDITION = Edition(
    name="6.1",
    pass_on_empty_stage=False,
    fog=False,
    fewer_by_bj=False,
    both_at_zero_draws=True,
    magician_waives="BLDS",
    actions=(
        #      verb         official         formats timing       speed        cost   keys          target         type
        Action("end",       "エンド",         "lite", "main",      "normal",    "",    "-",          "-",           "basic"),
        Action("attack",    "アタック",       "lite", "main",      "normal",    "",    "-",          "-",           "basic", once=True),
        Action("bulwark",   "防壁設置",       "lite", "main",      "immediate", "L",   "-",          "-",           "summoning", once=True),
        Action("soldier",   "兵士召喚",       "lite", "main",      "normal",    "BL",  "2-10",       "-",           "summoning"),
        Action("hero",      "英雄召喚",       "lite", "main",      "normal",    "BBL", "J-K",        "-",           "summoning"),
        Action("ace",       "エース召喚",     "lite", "main",      "normal",    "L",   "A",          "-",           "summoning"),
        Action("magician",  "魔術士召喚",     "std",  "main",      "normal",    "BD",  "Joker",      "-",           "summoning"),
        Action("equip",     "装備",           "lite", "main",      "normal",    "BL",  "A-K",        "own soldier of the key's suit", "summoning"),
        Action("up",        "アップ",         "lite", "quick",     "normal",    "D",   "♥A-10",      "soldier",     "quick magic"),
        Action("down",      "ダウン",         "lite", "quick",     "normal",    "D",   "♠A-10",      "soldier",     "quick magic"),
        Action("twist",     "ツイスト",       "lite", "quick",     "normal",    "D",   "♦A-10",      "unit",        "quick magic"),
        Action("counter",   "カウンター",     "lite", "quick",     "normal",    "D",   "♣A-10",      "keyed request", "quick magic"),
        Action("search",    "サーチ",         "lite", "quick",     "immediate", "",    "Joker",      "-",           "quick magic"),
        Action("return",    "帰還",           "std",  "quick",     "normal",    "B",   "one suit",   "own unit",    "summoning"),
        Action("destroy",   "防壁破壊",       "lite", "main",      "normal",    "",    "♥+♦",        "bulwark",     "normal magic"),
        Action("throw",     "投擲",           "lite", "main",      "normal",    "",    "♠+♣",        "opponent",    "normal magic"),
        Action("lance",     "死の槍",         "std",  "main",      "normal",    "",    "♠+♦",        "soldier",     "normal magic"),
        Action("fortify",   "防壁補充",       "std",  "main",      "normal",    "",    "♥+♣",        "-",           "normal magic"),
        Action("reanimate", "リアニメイト",   "std",  "main",      "normal",    "",    "♠+♥",        "own unit",    "normal magic"),
        Action("strip",     "ハンデス",       "std",  "main",      "normal",    "",    "♦+♣",        "opponent",    "normal magic"),
        Action("reverse",   "リバース",       "std",  "main",      "normal",    "",    "one number", "unit",        "normal magic"),
        Action("quick",     "クイック召喚",   "pro",  "quick",     "normal",    "D",   "A",          "-",           "summoning", who="other"),
        Action("reunion",   "再会",           "pro",  "quick",     "normal",    "",    "two ♥A-10",  "-",           "quick magic"),
        Action("kill",      "キル",           "pro",  "quick",     "normal",    "",    "two ♠A-10",  "soldier",     "quick magic"),
        Action("truce",     "停戦",           "pro",  "quick",     "normal",    "",    "two ♦A-10",  "damage",      "quick magic"),
        Action("redirect",  "対象変更",       "pro",  "quick",     "normal",    "",    "two ♣A-10",  "request with a target", "quick magic"),
        Action("bj",        "B・J",           "mast", "main",      "immediate", "SS",  "A+J of a suit", "-",        "normal magic"),
        Action("rsf",       "R・S・F",        "mast", "main",      "normal",    "BB",  "A+10+J+Q+K of a suit", "player", "normal magic"),
        Action("force",     "フォース",       "mast", "main",      "normal",    "BB",  "two ♥A-10",  "-",           "normal magic", counterable=False),
        Action("rain",      "剣の雨",         "mast", "main",      "normal",    "BB",  "two ♠A-10",  "-",           "normal magic", counterable=False),
        Action("recruit",   "徴募",           "mast", "main",      "normal",    "BB",  "two ♦A-10",  "-",           "normal magic", counterable=False),
        Action("surprise",  "奇襲",           "mast", "main",      "normal",    "BB",  "two ♣A-10",  "-",           "normal magic", counterable=False),
        Action("charge",    "チャージ",       "lite", "triggered", "immediate", "",    "-",          "-",           "basic"),
        Action("draw",      "ドロー",         "lite", "triggered", "normal",    "",    "-",          "-",           "basic"),
        Action("block",     "ブロック",       "lite", "triggered", "normal",    "",    "-",          "-",           "basic"),
        Action("damage",    "ダメージ判定",   "lite", "triggered", "normal",    "",    "-",          "-",           "basic"),
        Action("succession", "世代交代",      "lite", "triggered", "immediate", "",    "-",          "-",           "basic"),
    ),
)
# fmt: on
