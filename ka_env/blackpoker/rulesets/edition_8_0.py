"""Edition 8.0 (2025-03-31)."""

from ka_env.blackpoker.rulesets.rows import Action, Edition

# fmt: off
EDITION = Edition(
    name="8.0",
    pass_on_empty_stage=True,
    fog=True,
    both_at_zero_draws=False,
    magician_waives="D",
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
        Action("return",    "帰還",           "std",  "quick",     "normal",    "B",   "one suit",   "own unit",    "quick magic"),
        Action("destroy",   "防壁破壊",       "lite", "main",      "normal",    "",    "♥+♦",        "bulwark",     "normal magic"),
        Action("throw",     "投擲",           "lite", "main",      "normal",    "",    "♠+♣",        "opponent",    "normal magic"),
        Action("lance",     "死の槍",         "std",  "main",      "normal",    "",    "♠+♦",        "soldier",     "normal magic"),
        Action("fortify",   "防壁補充",       "std",  "main",      "normal",    "",    "♥+♣",        "-",           "normal magic"),
        Action("reanimate", "リアニメイト",   "std",  "main",      "normal",    "",    "♠+♥",        "own unit",    "normal magic"),
        Action("strip",     "ハンデス",       "std",  "main",      "normal",    "",    "♦+♣",        "opponent",    "normal magic"),
        Action("reverse",   "リバース",       "pro",  "quick",     "normal",    "",    "one number", "unit",        "normal magic"),
        Action("charge",    "チャージ",       "lite", "triggered", "immediate", "",    "-",          "-",           "basic"),
        Action("draw",      "ドロー",         "lite", "triggered", "normal",    "",    "-",          "-",           "basic"),
        Action("block",     "ブロック",       "lite", "triggered", "normal",    "",    "-",          "-",           "basic"),
        Action("damage",    "ダメージ判定",   "lite", "triggered", "normal",    "",    "-",          "-",           "basic"),
        Action("succession", "世代交代",      "lite", "triggered", "immediate", "",    "-",          "-",           "basic"),
    ),
)
# fmt: on
