"""What the screens themselves say, one table per language. The words of a game belong to its package."""

from __future__ import annotations

from typing import Any

ENGLISH = {
    "against": "{ruleset} {frame} · against {opponent}",
    "between": "{ruleset} · P0 {name0} · P1 {name1}",
    "log": "log",
    "choices": "choices",
    "hint": "Hint",
    "hint is": "Hint from {agent}: {choice}",
    "hint thinking": "{agent} is thinking about a hint …",
    "hint compiling": "{agent} is being compiled for its first hint: once only, it may take a minute or two …",
    "hint late": "The hint came too late: it was for the question before. h asks again.",
    "no hint": "It is not your turn to choose.",
    "undo": "Undo",
    "undone": "Taken back.",
    "no undo": "Nothing to take back: a request can be taken back until it is complete.",
    "so far": "so far: {choices}",
    "help": "Help",
    "wait": "Wait",
    "to my turn": "My turn",
    "no wait": "Nothing to wait for: it is for you to act.",
    "help text": ("{lesson}\n\n{legend}\n\n{how}\n\n{keys}"),
    "how": (
        "Choose with the key shown before a choice (a letter always means the same), with ↑ ↓ and Enter, or with the "
        "mouse: in the list, or on the board where a card, unit or request is underlined. The last line says what the "
        "choice under the cursor brings."
    ),
    "how plain": "Choose by typing the key shown before a choice; a letter always means the same.",
    "keys": (
        "u or Backspace   take back a request that is not complete\n"
        "h                ask an agent for a hint\n"
        "/                ask about the card of the choice, where cards have texts; or click on a card\n"
        "PgUp PgDn        scroll the log;  [ ] the board\n"
        "q                quit; the game is saved after every move"
    ),
    "wait lines": (
        "w                pass until something happens: a request to answer, or a question\n"
        "m                pass until it is my turn; questions are still asked. Esc stops it\n"
    ),
    "keys plain": (
        "?                this page;  ? and a key (? a): what that choice brings\n"
        "h                ask an agent for a hint\n"
        "u                take back a request that is not complete\n"
        "v                view the board\n"
        "q                quit; the game is saved after every move"
    ),
    "close": "↑ ↓ PgUp PgDn: read on    Enter or Esc: back to the game",
    "quit": "Quit",
    "quit?": "Leave the game? It is saved:\n{path}\n\nGo on later with:\nka play --resume FILE",
    "quit keys": "y or Enter: leave    n or Esc: stay",
    "won": "You win!",
    "lost": "You lose.",
    "drawn": "A draw.",
    "result": "{moves} moves. Saved:\n{path}\n\nLook at it again with:\n{commands}",
    "ka view": "ka view FILE      on a drawn table, in the browser",
    "ka analyse": "ka analyse FILE   where it was won and lost",
    "ka watch": "ka watch FILE     move by move, in the terminal",
    "result keys": "r: rematch    Enter or q: leave    Esc: look at the board",
    "game over": "The game is over. r: rematch, seats swapped    q: leave",
    "saved": "saved: {path}",
    "not dealt": "nothing saved: the cards had not been dealt yet",
    "resume with": "go on with: ka play --resume {path}",
    "look with": "look at it again with: {command} {path}",
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
    "choose": "Your choice (? help, h hint, q quit): ",
    "what": "not a choice: {text}",
    "again": "r (rematch, seats swapped), or Enter to leave: ",
}

JAPANESE = {
    "against": "{ruleset} {frame} · 対戦相手 {opponent}",
    "between": "{ruleset} · P0 {name0} · P1 {name1}",
    "log": "ログ",
    "choices": "選択肢",
    "hint": "ヒント",
    "hint is": "{agent}のヒント: {choice}",
    "hint thinking": "{agent}がヒントを考えています…",
    "hint compiling": "{agent}を初回のヒントのためにコンパイルしています(初回のみ、1〜2分)…",
    "hint late": "ヒントは前の質問へのものでした。hでもう一度聞けます。",
    "no hint": "今はあなたの選択ではありません。",
    "undo": "取り消し",
    "undone": "取り消しました。",
    "no undo": "取り消せません。取り消せるのは完了前のリクエストだけです。",
    "so far": "ここまで: {choices}",
    "help": "ヘルプ",
    "wait": "待つ",
    "to my turn": "自分のターンへ",
    "no wait": "待つものはありません。あなたの番です。",
    "help text": ("{lesson}\n\n{legend}\n\n{how}\n\n{keys}"),
    "how": (
        "選択肢の前のキー(英字はいつも同じ意味)、↑↓とEnter、またはマウスで選びます。"
        "盤面で下線のついたカード・キャラクター・リクエストもクリックできます。"
        "最後の行は、選択中の選択肢で何が起こるかを示します。"
    ),
    "how plain": "選択肢の前のキーを入力して選びます。英字はいつも同じ意味です。",
    "keys": (
        "u / Backspace   完了していないリクエストを取り消す\n"
        "h               エージェントにヒントを聞く\n"
        "/               選択中のカードの説明(カードをクリックしても可)\n"
        "PgUp PgDn       ログをスクロール、[ ] は盤面\n"
        "q               終了(対戦は毎手保存されます)"
    ),
    "wait lines": (
        "w               何かが起こるまでパス(割り込めるリクエスト、または質問まで)\n"
        "m               自分のターンまでパス(質問はされます)。Escで止める\n"
    ),
    "keys plain": (
        "?               この説明。? とキー(例: ? a)でその選択肢の説明\n"
        "h               エージェントにヒントを聞く\n"
        "u               完了していないリクエストを取り消す\n"
        "v               盤面を見る\n"
        "q               終了(対戦は毎手保存されます)"
    ),
    "close": "↑↓ PgUp PgDn: 続きを読む    Enter / Esc: 対戦に戻る",
    "quit": "終了",
    "quit?": "対戦を中断しますか？ 保存先:\n{path}\n\n再開するには:\nka play --resume FILE",
    "quit keys": "y / Enter: 終了    n / Esc: 続ける",
    "won": "あなたの勝ち！",
    "lost": "あなたの負け。",
    "drawn": "引き分け。",
    "result": "{moves}手。保存先:\n{path}\n\nもう一度見るには:\n{commands}",
    "ka view": "ka view FILE      ブラウザの盤面で",
    "ka analyse": "ka analyse FILE   勝負どころを調べる",
    "ka watch": "ka watch FILE     端末で1手ずつ",
    "result keys": "r: 再戦    Enter / q: 終了    Esc: 盤面を見る",
    "game over": "対戦終了。r: 再戦(先後交替)    q: 終了",
    "saved": "保存先: {path}",
    "not dealt": "まだ配られていないので、保存するものはありません",
    "resume with": "再開: ka play --resume {path}",
    "look with": "もう一度見る: {command} {path}",
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
    "choose": "選択肢のキー(? ヘルプ、h ヒント、q 終了): ",
    "what": "選択肢にありません: {text}",
    "again": "r(再戦、先後交替)、またはEnterで終了: ",
}
TABLES = {"en": ENGLISH, "ja": JAPANESE}
LANGUAGES = list(TABLES)


LOOKS = ("view", "analyse", "watch")  # commands that show a finished game, the nicest first


def commands_to_look(language: str) -> list[str]:
    """Those that are there, each with a word about it."""
    from ka_env.cli import COMMANDS

    return [say(language, f"ka {name}") for name in LOOKS if name in COMMANDS]


def help_page(session: Any, screen: str = "") -> str:
    """What `?` tells: the game, the board, the keys, as they are on this kind of screen."""
    language = session.language
    keys = (say(language, "wait lines") if session.can_wait else "") + say(language, f"keys{screen}")
    words = {
        "lesson": session.lesson(),
        "legend": session.people.LEGEND[language],
        "how": say(language, f"how{screen}"),
    }
    return say(language, "help text", keys=keys, **words)


def say(language: str, key: str, **words: object) -> str:
    return TABLES[language][key].format(**words)
