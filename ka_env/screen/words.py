"""What the screens themselves say, one table per language. The words of a game belong to its package."""

from __future__ import annotations

ENGLISH = {
    "against": "{ruleset} {frame} · against {opponent}",
    "between": "{ruleset} · P0 {name0} · P1 {name1}",
    "log": "log",
    "choices": "choices",
    "hint": "Hint",
    "hint is": "Hint from {agent}: {choice}",
    "hint thinking": "{agent} is thinking about a hint …",
    "no hint": "It is not your turn to choose.",
    "undo": "Undo",
    "undone": "Taken back.",
    "no undo": "Nothing to take back: a request can be taken back until it is complete.",
    "so far": "so far: {choices}",
    "help": "Help",
    "help text": (
        "Choose with the key shown before a choice, with ↑ ↓ and Enter, or with the mouse: in the list, or on the "
        "board where a card, unit or request is underlined.\n\n"
        "u or Backspace   take back a request that is not complete\n"
        "h                ask an agent for a hint\n"
        "/                ask about the card of the choice, where cards have texts; or click on a card\n"
        "PgUp PgDn        scroll the log\n"
        "q                quit; the game is saved after every move\n\n{legend}"
    ),
    "close": "Enter or Esc: back to the game",
    "quit": "Quit",
    "quit?": "Leave the game? It is saved:\n{path}\n\nGo on later with:\nka play --resume FILE",
    "quit keys": "y or Enter: leave    n or Esc: stay",
    "won": "You win!",
    "lost": "You lose.",
    "drawn": "A draw.",
    "result": "{moves} moves. Saved:\n{path}\n\nLook at it again with:\nka watch FILE",
    "result keys": "Enter or q: leave    Esc: look at the board",
    "game over": "The game is over. q: leave",
    "saved": "saved: {path}",
    "resume with": "go on with: ka play --resume {path}",
    "watch with": "look at it again with: ka watch {path}",
    "not saved": "can't save {path}: {reason}",
    # watching
    "pause": "Pause",
    "go": "Go",
    "step": "Step",
    "back": "Back",
    "faster": "Faster",
    "slower": "Slower",
    "hands": "Hands",
    "paused": "paused",
    "running": "running",
    "status": "move {now}/{count} · {speed:g} moves/s · {state} · {hands}",
    "status live": "move {now} · {speed:g} moves/s · {state} · {hands}",
    "all hands": "all hands shown",
    "hands of": "seen by P{player}",
    "watch help": (
        "Space        pause or go\n"
        "→ or n       one move forward\n"
        "← or b       one move back\n"
        "Home End     first and last move so far\n"
        "+ -          faster, slower\n"
        "v            all hands, or what P0 or P1 sees\n"
        "q            quit"
    ),
    # line mode
    "choose": "Number, u (undo), h (hint), b (board), q (quit): ",
    "what": "not a choice: {text}",
}

JAPANESE = {
    "against": "{ruleset} {frame} · 対戦相手 {opponent}",
    "between": "{ruleset} · P0 {name0} · P1 {name1}",
    "log": "ログ",
    "choices": "選択肢",
    "hint": "ヒント",
    "hint is": "{agent}のヒント: {choice}",
    "hint thinking": "{agent}がヒントを考えています…",
    "no hint": "今はあなたの選択ではありません。",
    "undo": "取り消し",
    "undone": "取り消しました。",
    "no undo": "取り消せません。取り消せるのは完了前の起動だけです。",
    "so far": "ここまで: {choices}",
    "help": "ヘルプ",
    "help text": (
        "選択肢の前のキー、↑↓とEnter、またはマウスで選びます。"
        "盤面で下線のついたカード・キャラクター・起動もクリックできます。\n\n"
        "u / Backspace   完了していない起動を取り消す\n"
        "h               エージェントにヒントを聞く\n"
        "/               選択中のカードの説明(カードをクリックしても可)\n"
        "PgUp PgDn       ログをスクロール\n"
        "q               終了(対戦は毎手保存されます)\n\n{legend}"
    ),
    "close": "Enter / Esc: 対戦に戻る",
    "quit": "終了",
    "quit?": "対戦を中断しますか？ 保存先:\n{path}\n\n再開するには:\nka play --resume FILE",
    "quit keys": "y / Enter: 終了    n / Esc: 続ける",
    "won": "あなたの勝ち！",
    "lost": "あなたの負け。",
    "drawn": "引き分け。",
    "result": "{moves}手。保存先:\n{path}\n\nもう一度見るには:\nka watch FILE",
    "result keys": "Enter / q: 終了    Esc: 盤面を見る",
    "game over": "対戦終了。q: 終了",
    "saved": "保存先: {path}",
    "resume with": "再開: ka play --resume {path}",
    "watch with": "観戦: ka watch {path}",
    "not saved": "{path}に保存できません: {reason}",
    "pause": "一時停止",
    "go": "再生",
    "step": "進む",
    "back": "戻る",
    "faster": "速く",
    "slower": "遅く",
    "hands": "手札",
    "paused": "停止中",
    "running": "再生中",
    "status": "{now}/{count}手 · {speed:g}手/秒 · {state} · {hands}",
    "status live": "{now}手 · {speed:g}手/秒 · {state} · {hands}",
    "all hands": "手札公開",
    "hands of": "P{player}の視点",
    "watch help": (
        "Space      一時停止 / 再生\n"
        "→ / n      1手進む\n"
        "← / b      1手戻る\n"
        "Home End   最初 / 最後の手\n"
        "+ -        速く / 遅く\n"
        "v          手札公開、P0の視点、P1の視点\n"
        "q          終了"
    ),
    "choose": "番号、u(取り消し)、h(ヒント)、b(盤面)、q(終了): ",
    "what": "選択肢にありません: {text}",
}
TABLES = {"en": ENGLISH, "ja": JAPANESE}
LANGUAGES = list(TABLES)


def say(language: str, key: str, **words: object) -> str:
    return TABLES[language][key].format(**words)
