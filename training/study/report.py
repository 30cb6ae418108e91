"""The report of a study: one HTML page with everything in it, from the figures alone."""

from __future__ import annotations

import json
from html import escape
from pathlib import Path
from typing import Any

from ka_env.training.arena.report import CSP, STYLE, _card
from ka_env.training.study.charts import Told, columns, intervals, percent, points, reliability

MORE_STYLE = """
.lead { font-size: 17px; } .facts { columns: 2; } .won { font-weight: 600; }
.heat td { font-size: 13px; } nav a { margin-right: 14px; }
"""
SHOWN_CARDS = 12  # at either end, where there are many
SEEN = 5e-4  # uses per game below which a word is left out of the table


def write_study(figures: dict[str, Any], path: str | Path, command: str = "") -> Path:
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    rules = figures["rules"]
    parts = [_head(figures, command)]
    if len(rules) > 1:
        parts.append(_side_by_side(rules))
    for number, one in enumerate(rules):
        parts.append(f'<h2 id="rules{number}">{escape(one["rules"])}</h2>')
        parts += [_start(one), _actions(one), *_questions(one), _cards(one), _camps(one), _endings(one), _lengths(one)]
        parts += [_losses(one), _calibration(one)]
    if figures.get("decks"):
        parts.append(_decks(figures["decks"]))
    path.write_text(page_of("What the machines found", parts, figures), encoding="utf-8")
    return path


def page_of(title: str, parts: list[str], figures: dict[str, Any]) -> str:
    """A page that needs nothing else, with its figures inside."""
    numbers = json.dumps(figures).replace("<", "\\u003c")
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{CSP}"><title>{escape(title)}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{STYLE}{MORE_STYLE}</style></head>\n<body><main>{''.join(parts)}</main>\n"
        f'<script type="application/json" id="numbers">{numbers}</script></body></html>\n'
    )


def told(value: Told) -> str:
    """A share with its interval."""
    return f"{percent(value['value'])} ({percent(value['low'])} to {percent(value['high'])})"


def told_points(value: Told) -> str:
    return f"{points(value['value'])} points ({points(value['low'])} to {points(value['high'])})"


def _head(figures: dict[str, Any], command: str) -> str:
    games = sum(one["games"] for one in figures["rules"])
    agents = ", ".join(figures["agents"])
    about = f"{games} games of {agents}, begun {figures['date']}, ka_env {figures['ka_env']}. "
    about += (
        "Every figure has its 95 % interval and says how many observations (n) it rests on; games of one deal count "
    )
    about += "as one observation of that deal. What these agents do is good play, not perfect play."
    links = "".join(f'<a href="#rules{i}">{escape(one["rules"])}</a>' for i, one in enumerate(figures["rules"]))
    shown = f"<pre>{escape(command)}</pre>" if command else ""
    return f"<h1>What the machines found</h1><p class='soft'>{escape(about)}</p>{shown}<nav>{links}</nav>"


def _table(heads: list[str], rows: list[list[str]], kind: str = "") -> str:
    """Cells are HTML already."""
    top = "".join(f'<th class="{"name" if i == 0 else ""}">{head}</th>' for i, head in enumerate(heads))
    body = "".join(
        "<tr>" + "".join(f'<td class="{"name" if i == 0 else ""}">{cell}</td>' for i, cell in enumerate(row)) + "</tr>"
        for row in rows
    )
    return f'<table class="{kind}"><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>'


# ---- sections -------------------------------------------------------------------------------------------------------


def _side_by_side(rules: list[dict[str, Any]]) -> str:
    """The same questions under several rules."""

    def cell(value: Told | None, tell: Any = told) -> str:
        return "" if value is None else tell(value)

    rows = [
        ["games", *(str(one["games"]) for one in rules)],
        ["who begins wins", *(cell(one["start"]) for one in rules)],
        [
            "turns in a game",
            *(f"{one['turns']['median']:g} (90 % {one['turns']['from']:g} to {one['turns']['to']:g})" for one in rules),
        ],
        ["decisions in a game", *(f"{one['decisions']['median']:g}" for one in rules)],
    ]
    words = list(dict.fromkeys(ending["ending"] for one in rules for ending in one["endings"]))
    for word in words:
        shares = [next((e["share"] for e in one["endings"] if e["ending"] == word), None) for one in rules]
        rows.append([f"ended by {escape(word)}", *(cell(share) for share in shares)])
    verbs = list(dict.fromkeys(action["word"] for one in rules for action in one["actions"]))
    for verb in verbs:
        uses = [next((a["per_game"] for a in one["actions"] if a["word"] == verb), None) for one in rules]
        rows.append(
            [
                f"<i>{escape(verb)}</i> per game",
                *("0" if u is None else f"{u['value']:.2f} ± {(u['high'] - u['low']) / 2:.2f}" for u in uses),
            ]
        )
    heads = ["", *(escape(one["rules"]) for one in rules)]
    return _card("Side by side", _table(heads, rows, "sides"), "± and brackets are 95 % intervals.")


def _start(one: dict[str, Any]) -> str:
    start = one["start"]
    if start is None:
        return ""
    edge = start["value"] - 0.5
    if start["low"] <= 0.5 <= start["high"]:
        verdict = "No advantage that these games could tell from none."
    else:
        verdict = (
            f"Beginning is worth {points(edge)} points." if edge > 0 else f"Beginning costs {points(-edge)} points."
        )
    won = f'<b class="won" id="start">{told(start)}</b>'
    words = f'<p class="lead">Who begins wins {won} of {one["games"]} games. {verdict}</p>'
    return _card("Is it good to begin?", words, f"n = {start['n']} games from {one['deals']} deals.")


def _actions(one: dict[str, Any]) -> str:
    rows = []
    for action in one["actions"]:
        if action["per_game"] is None or action["per_game"]["value"] < SEEN:
            continue
        won = action["won_by_only_user"]
        uses = action["per_game"]
        rows.append(
            [
                escape(action["word"]),
                f"{uses['value']:.2f} ± {(uses['high'] - uses['low']) / 2:.2f}",
                percent(action["players"]["value"]),
                "" if won is None else f"{told(won)}, n {won['n']}",
                " · ".join(f"{100 * part:.0f}" for part in action["parts"]),
            ]
        )
    heads = ["word", "per game", "players who used it", "won, if only one used it", "when, %"]
    body = _table(heads, rows, "wide actions")
    judged = [a for a in one["actions"] if a["gain"] is not None]
    if judged:
        judged.sort(key=lambda a: -a["gain"]["value"])
        chart = intervals([a["word"] for a in judged], [a["gain"] for a in judged], "Chances gained per use", 0.0, True)
        body += f"<h3>Chances gained per use</h3>{chart}"
    note = (
        "<i>Won, if only one used it</i> is what goes together, not what causes what: who is winning has time for "
        "more. <i>When</i>: share of uses in the first, second and last third of the decisions of a game. <i>Chances "
        "gained per use</i>: chances of the choice minus those of the best other option, in points of a hundred, as "
        "search judges from what the player could know, on decisions drawn at random, one of a game."
    )
    return _card("Which actions win games, and when", body, note)


def _questions(one: dict[str, Any]) -> list[str]:
    found = []
    for asked in one["questions"]:
        if asked["chosen"] is None:
            continue
        words = (
            f"The agents chose to {escape(asked['words'])} in {told(asked['chosen'])} of {asked['asked']} decisions."
        )
        body = f"<p>{words}</p>"
        if asked["gain"] is not None:
            body += f"<p>Over all, it is worth <b>{told_points(asked['gain'])}</b> (n = {asked['gain']['n']}).</p>"
        for fact, groups in asked["by"].items():
            if groups:
                names = [f"{fact} {g['from']}" + ("" if g["from"] == g["to"] else f" to {g['to']}") for g in groups]
                title = f"Points gained by choosing to {asked['words']}, by {fact}"
                body += f"<h3>{escape(title)}</h3>" + intervals(names, [g["gain"] for g in groups], title, 0.0, True)
        found.append(_card(asked["title"], body, "Judged by search, one decision of a game: right of 0 it is good."))
    return found


def _cards(one: dict[str, Any]) -> str:
    cards = one["cards"]
    if not cards:
        return ""
    shown = cards if len(cards) <= 3 * SHOWN_CARDS else cards[:SHOWN_CARDS] + cards[-SHOWN_CARDS:]
    chart = intervals([c["card"] for c in shown], [c["won"] for c in shown], "Games won with a card in the first hand")
    left_out = "" if len(shown) == len(cards) else f" The best and the last {SHOWN_CARDS} of {len(cards)}."
    note = "How often a player wins who has the card in the first hand; n counts players." + left_out
    if one["camps"] is not None:
        note += " Decks differ here, so a card stands where its deck does."
    return _card("What to hope for in the first hand", chart, note)


def _camps(one: dict[str, Any]) -> str:
    camps = one["camps"]
    if camps is None:
        return ""
    order = sorted(range(len(camps["names"])), key=lambda k: -(camps["overall"][k] or {"value": 0})["value"])
    heads = ["", *(escape(camps["names"][k]) for k in order), "all"]
    rows = [
        [escape(camps["names"][a]), *(_camp(camps["table"][a][b]) for b in order), _camp(camps["overall"][a])]
        for a in order
    ]
    known = [k for k in order if camps["overall"][k] is not None]
    chart = intervals([camps["names"][k] for k in known], [camps["overall"][k] for k in known], "Games won by each")
    note = "Row against column: share of games won; the title of a cell has its interval and n. " + chart
    return _card("Each against each", _table(heads, rows, "heat camps"), note)


def _camp(value: Told | None) -> str:
    if value is None:
        return ""
    tint = (
        f"rgb({'43 118 190' if value['value'] >= 0.5 else '190 84 26'} / {min(1.0, 3 * abs(value['value'] - 0.5)):.2f})"
    )
    return f'<span style="background:{tint}" title="{told(value)}, n = {value["n"]}">{100 * value["value"]:.0f}</span>'


def _endings(one: dict[str, Any]) -> str:
    if not one["endings"]:
        return ""
    chart = intervals([e["ending"] for e in one["endings"]], [e["share"] for e in one["endings"]], "How games end", 0.0)
    return _card("How games end", chart, f"n = {one['games']} games.")


def _lengths(one: dict[str, Any]) -> str:
    turns, decisions = one["turns"], one["decisions"]
    body = columns(turns["histogram"], "Turns in a game", turns["median"])
    note = (
        f"Turns in a game: {turns['mean']['value']:.2f} on average ({turns['mean']['low']:.2f} to "
        f"{turns['mean']['high']:.2f}), nine of ten games have {turns['from']:g} to {turns['to']:g}; decisions: "
        f"{decisions['mean']['value']:.1f} ({decisions['mean']['low']:.1f} to {decisions['mean']['high']:.1f}). "
        f"n = {turns['n']} games."
    )
    return _card("How long games last", body, note)


def _losses(one: dict[str, Any]) -> str:
    if not one["losses"]:
        return ""
    chart = intervals(
        [x["agent"] for x in one["losses"]], [x["loss"] for x in one["losses"]], "Points lost per decision", 0.0, True
    )
    return _card(
        "How much the agents throw away", chart, "Points of a hundred lost per decision, as search judges; n decisions."
    )


def _calibration(one: dict[str, Any]) -> str:
    found = one["calibration"]
    if found is None:
        return ""
    by, gap, slope = found["judged_by"], found["gap"], found["slope"]
    chart = reliability(found["bins"], "Predicted chances and results")
    rows = [
        [
            f"{100 * b['from']:.0f} to {100 * b['to']:.0f} %",
            percent(b["predicted"]),
            told(b["actual"]),
            str(b["actual"]["n"]),
        ]
        for b in found["bins"]
    ]
    note = f"{escape(by['agent'])}, {by['budget']} iterations, on {found['n']} decisions, one of a game. "
    note += "" if gap is None else f"Results minus predictions: {told_points(gap)}. "
    note += f"Brier score {found['brier']:.4f} (always saying 50 %: {found['brier_of_half']:.4f}), "
    note += f"mean distance {points(found['error'])}. "
    if slope is not None:
        note += f"Slope {slope['value']:.2f} ({slope['low']:.2f} to {slope['high']:.2f}): "
        note += "1 is neither too sure nor too timid."
    table = _table(["predicted", "mean", "won", "n"], rows, "bins")
    return _card("Can these chances be trusted?", chart + table, note)


def _decks(found: dict[str, Any]) -> str:
    values = found["cards"]
    chart = intervals(
        [c["card"] for c in values], [c["effect"] for c in values], "What a card in the deck is worth", 0.0, True
    )
    final = found["final"]
    parts = [
        f"<p>With random decks ({found['games']} games), each card's worth to its owner's chances:</p>{chart}",
        f"<p>The best deck found wins <b>{told(final['random'])}</b> against random decks "
        f"(n = {final['random']['n']} games) "
        f"and {told(final['start'])} against the deck of the best cards by that chart (n = {final['start']['n']}).</p>",
        f"<p>It leaves out: <b>{escape(' '.join(found['left_out']))}</b></p>",
        f"<pre>{escape(' '.join(found['deck']))}</pre>",
    ]
    note = f"{found['rules']}, both sides played by {found['agent']}; the last two figures are from deals of their own."
    return _card("A better deck", "".join(parts), escape(note))
