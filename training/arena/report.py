"""The report: one HTML page with everything in it; beside it records and viewer pages of a few instructive games."""

from __future__ import annotations

import json
import shlex
from html import escape
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ka_env.training.arena.charts import dumbbells, error_bars, histogram, signed
from ka_env.training.arena.faults import FORFEITS, NORMAL
from ka_env.training.arena.plan import Plan
from ka_env.training.arena.play import GameRow
from ka_env.training.arena.records import export_games, page_name, suffix_of
from ka_env.training.arena.sides import SideTable, side_tables
from ka_env.training.arena.standings import Standings, all_standings
from ka_env.training.arena.store import STOOD, Store, game_id
from ka_env.training.arena.tables import all_numbers, interval, percent
from ka_env.training.arena.verify import verify
from ka_env.training.ratings import Winrate

STYLE = """
:root { color-scheme: light dark; --paper: #fbfaf7; --card: #fff; --ink: #22262b; --soft: #6d747d; --line: #e2dfd8;
  --accent: #2b6cb0; --warn: #b4541a; }
@media (prefers-color-scheme: dark) { :root { --paper: #15181c; --card: #1d2126; --ink: #e4e6e8; --soft: #969ea8;
  --line: #333940; --accent: #6aaeea; --warn: #e59a62; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
main { max-width: 1160px; margin: 0 auto; padding: 28px 20px 60px; }
h1 { font-size: 26px; margin: 0 0 4px; } h2 { font-size: 21px; margin: 40px 0 12px; }
h3 { font-size: 15px; margin: 0 0 10px; } p { margin: 6px 0; } .soft, .small { color: var(--soft); }
section.card { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 16px 18px;
  margin: 14px 0; overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: 5px 10px; text-align: right; white-space: nowrap; } th { font-weight: 600; color: var(--soft); }
td.name { overflow-wrap: anywhere; white-space: normal; min-width: 110px; } td.elo { font-weight: 600; }
td small { display: block; color: var(--soft); font-size: 12px; } .heat td small { color: inherit; opacity: .85; }
thead th { border-bottom: 1px solid var(--line); } .name { text-align: left; color: var(--ink); }
.wide { width: 100%; }
.heat.sides { margin-bottom: 14px; } .heat.sides td { min-width: 58px; padding: 6px 4px; }
.heat.sides th { padding: 5px 6px; } .heat.sides thead th { text-align: center; }
.heat td { min-width: 64px; border: 1px solid var(--card); border-radius: 4px; text-align: center; }
svg { width: 100%; height: auto; display: block; } svg text { fill: var(--ink); font-size: 13px; }
svg text.small { fill: var(--soft); font-size: 12px; } .grid { stroke: var(--line); } .zero { stroke: var(--soft); }
.bar { stroke: var(--accent); stroke-width: 2.5; stroke-linecap: round; opacity: .65; } .dot { fill: var(--accent); }
.hollow { fill: var(--card); stroke: var(--accent); stroke-width: 2; } .column { fill: var(--accent); opacity: .8; }
.median { stroke: var(--warn); stroke-width: 1.5; stroke-dasharray: 4 3; }
a { color: var(--accent); } pre { background: var(--paper); padding: 10px; border-radius: 6px; overflow-x: auto; }
.warn { color: var(--warn); } summary { cursor: pointer; }
@media (max-width: 700px) { main { padding: 20px 10px 40px; } section.card { padding: 12px; }
  .ratings thead { display: none; } .ratings tr { display: flex; flex-wrap: wrap; gap: 2px 14px; padding: 8px 0;
    border-bottom: 1px solid var(--line); } .ratings td { padding: 0; text-align: left; }
  .ratings td.name { flex: 1 1 calc(100% - 140px); font-weight: 600; } .ratings td:empty { display: none; }
  .ratings td[data-head]::before { content: attr(data-head); display: block; color: var(--soft); font-size: 12px; } }
"""


CSP = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"  # no script, and nothing from elsewhere


def write_report(store: Store, path: str | Path, unverified: bool = False) -> Path:
    """Write the page, and the games it links to into `<name>-games/` beside it. All games are verified before."""
    path = Path(path)
    found = all_standings(store)
    verified = _verification(store, unverified)
    tables = side_tables(store)
    path.parent.mkdir(parents=True, exist_ok=True)
    folder = f"{path.stem}-games"
    picks = {one.label: instructive_games(store, one) for one in found if one.rules is not None}
    ids = sorted({game_id(pick.row) for some in picks.values() for pick in some})
    if not unverified:
        export_games(store, path.parent / folder, ids, pages=_viewable(store))
    parts = [_head(store, found), f'<p class="verified">{verified}</p>', _trust(store)]
    for one in found:
        parts.append(f"<h2>{escape(one.label)}</h2>")
        parts += [_ratings(one), _payoff(one), _seats(one)]
        if one.rules is not None:
            shown = [] if unverified else picks[one.label]
            parts += [_sides(table) for table in tables if table.label == one.label]
            parts += [_lengths(store, one.rules), _usage(store, one), _games(store, shown, path.parent / folder)]
    parts.append(_forfeits(store))
    numbers = json.dumps(all_numbers(found, tables)).replace("<", "\\u003c")
    page = (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{CSP}"><title>{escape(_title(store.plan))}</title>'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><style>{STYLE}</style></head>\n'
        f"<body><main>{''.join(parts)}</main>\n"
        f'<script type="application/json" id="numbers">{numbers}</script></body></html>\n'
    )
    path.write_text(page, encoding="utf-8")
    return path


def _card(title: str, body: str, note: str = "") -> str:
    below = f'<p class="soft">{note}</p>' if note else ""
    return f'<section class="card"><h3>{escape(title)}</h3>{body}{below}</section>\n'


def _title(plan: Plan) -> str:
    if plan.kind == "duel":
        return f"{plan.agents[0]} – {plan.agents[1]}"
    return f"Gauntlet of {plan.agents[0]}" if plan.kind == "gauntlet" else f"Round robin of {len(plan.agents)} agents"


def _head(store: Store, found: list[Standings]) -> str:
    plan, total = store.plan, found[-1].total
    what = "games" if plan.match is None else f"matches ({plan.match})"
    about = f"{total} {what} in {total // 2} pairs, begun {store.settings.get('date')}, "
    about += f"ka_env {store.settings.get('ka_env')}. A pair is one deal played twice with the seats swapped."
    if plan.match is not None:
        about += " Below, a game is a whole match: its result counts."
    return f"<h1>{escape(_title(plan))}</h1><p class='soft'>{escape(about)}</p>{_verdict(store)}"


def _verification(store: Store, unverified: bool) -> str:
    """In words. Raises ArenaError for a store whose games don't come out as stored."""
    if unverified:
        return "<b>Not verified:</b> the games were rated as the store tells them."
    if store.rules_changed:
        return "<b>Not verified:</b> the rules have changed since this tournament began."
    count = verify(store)
    return f"Verified: all {count} games were dealt anew from the secret and replayed; moves, results and hashes agree."


def _trust(store: Store) -> str:
    """Where the deals come from, and what stood around third-party agents."""
    plan = store.plan
    if plan.seed is not None:
        words = f"The deals were made from seed {plan.seed}: not secret, anybody could know them beforehand."
    elif store.finished:
        words = (
            "The deals were secret while the tournament ran. To play the same games again: "
            f"<code>--secret {escape(plan.secret)} --agent-seeds {escape(plan.agent_seeds)}</code>"
        )
    else:
        words = "The deals are secret until all games are played."
    walls = store.settings.get(STOOD)
    if isinstance(walls, list):
        words += f" Third-party agents: {escape(walls_in_words(walls))}; {plan.memory} MB, {plan.move_time:g} s a move."
    return f'<p class="soft">{words}</p>'


_WALLS = {
    "processes": "they saw no other process",
    "network": "no network",
    "files": "could write nowhere but in a folder of their own",
    "store": "could not see the store",
}


def walls_in_words(walls: list[str]) -> str:
    said = [words for wall, words in _WALLS.items() if wall in walls]
    return ", ".join(said) if said else "nothing but limits stood around their processes"


def _verdict(store: Store) -> str:
    """The sequential test of a duel, in words."""
    from ka_env.training.arena.tournament import Referee

    if not store.plan.sprt:
        return ""
    referee = Referee(store.plan)
    referee.add(store.rows())
    return f"<pre>{escape(referee.sprt.summary())}</pre>"


# ---- sections -------------------------------------------------------------------------------------------------------


def _rate(rate: Winrate | None, head: str) -> str:
    label = f' data-head="{head}"'
    if rate is None:
        return f"<td{label}></td>"
    return f"<td{label}>{_with_interval(rate)}</td>"


def _with_interval(rate: Winrate) -> str:
    return f"{percent(rate.rate)}<small>{interval(rate.low, rate.high)}</small>"


def _ratings(found: Standings) -> str:
    elo, half, los = found.ratings.elo, found.ratings.half_width, found.los_over_next()
    rows = []
    for rank, k in enumerate(found.order, 1):
        nash = "" if found.nash is None else percent(float(found.nash.mix[k]))
        alpha = "" if found.alpha is None else percent(float(found.alpha[k]))
        rows.append(
            f'<tr><td class="rank">{rank}</td><td class="name">{escape(found.agents[k])}</td>'
            f'<td class="elo">{signed(elo[k])} ± {half[k]:.0f}</td>{_rate(found.winrates[k], "win rate")}'
            f"{_rate(found.seats.as_first[k], 'as first')}{_rate(found.seats.as_second[k], 'as second')}"
            f'<td data-head="games">{found.games[k]}</td><td data-head="LOS">{percent(los[k])}</td>'
            f'<td data-head="Nash">{nash}</td><td data-head="α-Rank">{alpha}</td></tr>'
        )
    heads = ["rank", "agent", "Elo", "win rate", "as first", "as second", "games", "LOS", "Nash", "α-Rank"]
    cells = "".join(f'<th class="{"name" if head == "agent" else ""}">{head}</th>' for head in heads)
    table = f'<table class="wide ratings"><thead><tr>{cells}</tr></thead><tbody>{"".join(rows)}</tbody></table>'
    bars = [(float(elo[k]), float(elo[k] - half[k]), float(elo[k] + half[k])) for k in found.order]
    chart = error_bars([found.agents[k] for k in found.order], bars, "Elo with 95 % intervals")
    note = (
        "Elo with 95 % intervals, the mean is 0; intervals count pairs, not games. LOS: how likely the agent is "
        "stronger than the next one. Nash and α-Rank: share of the agent in the equilibrium of choosing an agent, and "
        "in a population that follows the stronger one."
    )
    return _card("Ratings", chart + table, note)


def _payoff(found: Standings) -> str:
    heads = "".join(f'<th title="{escape(found.agents[k], quote=True)}">{r}</th>' for r, k in enumerate(found.order, 1))
    rows = []
    for rank, k in enumerate(found.order, 1):
        cells = "".join(_payoff_cell(found, k, other) for other in found.order)
        rows.append(f'<tr><th class="name">{rank} {escape(found.agents[k])}</th>{cells}</tr>')
    body = f'<table class="heat payoff"><thead><tr><th></th>{heads}</tr></thead><tbody>{"".join(rows)}</tbody></table>'
    return _card("Who beats whom", body, "Win rate of the row against the column, with its 95 % interval.")


def _payoff_cell(found: Standings, one: int, two: int) -> str:
    rate = float(found.payoff.rate[one, two])
    if one == two or np.isnan(rate):
        return '<td class="soft">·</td>'
    cell = found.payoff.cell(one, two)
    return f'<td style="background:{_heat(rate)}" title="{cell.pairs} pairs">{_with_interval(cell)}</td>'


def _heat(rate: float) -> str:
    """Blue above one half, orange below, on any background."""
    colour = "43 118 190" if rate >= 0.5 else "214 120 40"
    return f"rgb({colour} / {min(1.0, abs(rate - 0.5) * 2) * 0.75:.2f})"


def _seats(found: Standings) -> str:
    rows = [(found.agents[k], found.seats.as_first[k], found.seats.as_second[k]) for k in found.order]
    shown = [(name, (one.rate, two.rate)) for name, one, two in rows if one and two]
    chart = dumbbells([name for name, _ in shown], [rates for _, rates in shown], "Win rate by seat")
    first, elo = found.seats.first, found.ratings
    note = (
        f"Filled: as first player; hollow: as second. All together the first player wins {percent(first.rate)} "
        f"({percent(first.low)} to {percent(first.high)}), worth {signed(elo.first_advantage)} ± "
        f"{elo.first_advantage_half_width:.0f} Elo. {found.draws} of {found.total} games were drawn."
    )
    return _card("Seats", chart, note)


def _sides(table: SideTable) -> str:
    """Who beats whom by side, as a heat map; what else there is by side."""
    n = len(table.names)
    heads = "".join(f"<th>{escape(name)}</th>" for name in table.names)
    rows = []
    for i, name in enumerate(table.names):
        cells = "".join(_side_cell(table, i, j) for j in range(n))
        rows.append(f'<tr><th class="name">{escape(name)}</th>{cells}</tr>')
    heat = f'<table class="heat sides"><thead><tr><th></th>{heads}</tr></thead><tbody>{"".join(rows)}</tbody></table>'
    more = [f"{name} per game" for name in table.facts]
    columns = [table.word, "win rate", "in seat 0", "in seat 1", *more, "Nash"]
    heads = "".join(f'<th class="{"name" if head == table.word else ""}">{escape(head)}</th>' for head in columns)
    rows = [f"<tr>{_side_row(table, k)}</tr>" for k in _strongest(table)]
    each = f'<table class="wide each"><thead><tr>{heads}</tr></thead><tbody>{"".join(rows)}</tbody></table>'
    note = (
        f"Above: win rate in % of the row's {escape(table.word)} against the column's, over both seats and all agents; "
        "intervals and the rate in seat 0 show on hover. Nash: share in the equilibrium of choosing a "
        f"{escape(table.word)}, if every two have met."
    )
    if table.starter:
        told = f"{percent(table.starter.rate)} ({percent(table.starter.low)} to {percent(table.starter.high)})"
        note = f"Whoever has the first turn wins {told}. {note}"
    return _card(f"By {table.word}", heat + each, note)


def _side_cell(table: SideTable, i: int, j: int) -> str:
    rate = float(table.rate[i, j])
    if np.isnan(rate):
        return '<td class="soft">·</td>'
    hint = f"{percent(table.low[i, j])} to {percent(table.high[i, j])}, {table.pairs[i, j]} pairs"
    as_first = percent(float(table.first[i, j]))
    hint += f"; in seat 0 {as_first}" if as_first else ""
    return f'<td style="background:{_heat(rate)}" title="{hint}">{100 * rate:.0f}</td>'


def _strongest(table: SideTable) -> list[int]:
    return sorted(range(len(table.names)), key=lambda k: -getattr(table.each[k], "rate", 0.0))


def _side_row(table: SideTable, k: int) -> str:
    seats = f"<td>{percent(table.as_first[k])}</td><td>{percent(table.as_second[k])}</td>"
    facts = "".join(f"<td>{means[k]:.2f}</td>" for means in table.facts.values())
    nash = "" if table.nash is None else percent(float(table.nash.mix[k]))
    return f'<td class="name">{escape(table.names[k])}</td>{_rate(table.each[k], "all")}{seats}{facts}<td>{nash}</td>'


def _lengths(store: Store, rules: int) -> str:
    decisions, turns = store.columns("decisions", "turns", rules=rules)
    chart = histogram(decisions, "Decisions per game")
    note = f"Decisions per game; turns: {turns.min()} to {turns.max()}, {np.median(turns):g} in the middle."
    return _card("Game lengths", chart, note)


def usage_by_agent(store: Store, rules: int) -> dict[str, list[float]]:
    """For each word how often each agent chose it per game, the most used words first."""
    counts: dict[str, np.ndarray] = {}
    games = np.zeros(len(store.plan.agents))
    for seat in ("first", "second"):
        for agent, number in store.query(f"SELECT {seat}, COUNT(*) FROM games WHERE rules = ? GROUP BY 1", [rules]):
            games[agent] += number
        sql = f"SELECT {seat}, key, SUM(value) FROM games, json_each(usage_{seat}) WHERE rules = ? GROUP BY 1, 2"
        for agent, word, number in store.query(sql, [rules]):
            counts.setdefault(word, np.zeros(len(games)))[agent] += number
    words = sorted(counts, key=lambda word: (-counts[word].sum(), word))
    return {word: (counts[word] / games.clip(min=1)).tolist() for word in words}


def _usage(store: Store, found: Standings) -> str:
    assert found.rules is not None
    heads = "".join(f"<th>{escape(found.agents[k])}</th>" for k in found.order)
    rows = []
    for word, uses in usage_by_agent(store, found.rules).items():
        cells = "".join(_usage_cell(uses[k], max(uses)) for k in found.order)
        rows.append(f'<tr><th class="name">{escape(word)}</th>{cells}</tr>')
    body = f'<table class="heat usage"><thead><tr><th></th>{heads}</tr></thead><tbody>{"".join(rows)}</tbody></table>'
    return _card("Actions", body, "How often each agent chose a word in a game, on average.")


def _usage_cell(uses: float, most: float) -> str:
    return f'<td style="background:rgb(43 118 190 / {0.6 * uses / max(most, 1e-9):.2f})">{uses:.2f}</td>'


def _forfeits(store: Store) -> str:
    """Who lost games by what, with one traceback of each kind."""
    sql = """SELECT CASE WHEN score = 0 THEN first ELSE second END AS loser, reason, COUNT(*), MIN(error)
             FROM games WHERE reason IN ({places}) GROUP BY 1, 2 ORDER BY 1, 2"""
    found = store.query(sql.format(places=", ".join("?" * len(FORFEITS))), FORFEITS)
    if not found:
        return ""
    parts = [
        f'<details><summary><b class="warn">{escape(store.plan.agents[loser])}</b>: {count} by {escape(reason)}'
        f"</summary>"
        f"<pre>{escape(error)}</pre></details>"
        for loser, reason, count, error in found
    ]
    return _card("Lost by forfeit", "".join(parts), "One message of each kind; the store has them all.")


# ---- instructive games ----------------------------------------------------------------------------------------------


class Pick(NamedTuple):
    why: str
    row: GameRow


def instructive_games(store: Store, found: Standings) -> list[Pick]:
    """The closest, shortest and longest game, and the biggest upset, among games that were played to the end."""
    columns = store.columns("first", "second", "score", "decisions", "pair", "margin", "reason", rules=found.rules)
    first, second, score, decisions, pair, margin, reason = columns
    played = np.flatnonzero(reason == NORMAL)
    if not played.size:
        return []
    elo = found.ratings.elo
    edge = np.where(score == 1, elo[first] - elo[second], elo[second] - elo[first])  # of the winner
    edge = np.where(score == 0.5, np.inf, edge)
    known = np.array([np.inf if m is None else m for m in margin], float)
    close = known if np.isfinite(known[played]).any() else np.abs(elo[first] - elo[second])
    choices = {
        "closest": np.lexsort((-decisions[played], close[played])),
        "shortest": np.argsort(decisions[played], kind="stable"),
        "longest": np.argsort(-decisions[played], kind="stable"),
        "biggest upset": np.argsort(edge[played], kind="stable"),
    }
    picks = []
    for why, order in choices.items():
        k = played[order[0]]
        if why == "biggest upset" and not edge[k] < 0:
            continue  # no weaker agent has won
        key = [found.rules, int(first[k]), int(second[k]), int(pair[k])]
        picks.append(Pick(why, store.game(".".join(map(str, key)))))
    return picks


def _pages(store: Store, row: GameRow, folder: Path) -> str:
    """Links to the page of a game, or to those of the games of a match."""
    if not _viewable(store):
        return game_id(row)
    if store.plan.match is None:
        return f'<a href="{escape(f"{folder.name}/{page_name(store, row)}")}">{game_id(row)}</a>'
    count = len(list(folder.glob(f"{game_id(row)}-*.html")))
    names = [(number, f"{folder.name}/{page_name(store, row, number)}") for number in range(1, count + 1)]
    return " ".join([game_id(row), *(f'<a href="{escape(name)}">game {number}</a>' for number, name in names)])


def _games(store: Store, picks: list[Pick], folder: Path) -> str:
    if not picks:
        return ""
    agents, suffix = store.plan.agents, suffix_of(store)
    rows = []
    for why, row in picks:
        name = f"{folder.name}/{game_id(row)}"
        shown = _pages(store, row, folder)
        winner = "drawn" if row.score == 0.5 else agents[row.first if row.score == 1 else row.second] + " wins"
        length = f"{_count(row.turns, 'turn')}, {_count(row.decisions, 'decision')}"
        rows.append(
            f'<tr><td class="name">{why}</td><td class="name">{shown} '
            f'<a class="small" href="{escape(name + suffix)}">record</a></td>'
            f'<td class="name">{escape(agents[row.first])} – {escape(agents[row.second])}</td>'
            f'<td class="name">{escape(winner)}</td><td>{length}</td></tr>'
        )
    example = shlex.quote(f"{folder.name}/{game_id(picks[0].row)}{suffix}")
    note = f"<code>ka replay {escape(example)}</code> tells the game move by move."
    note = f"A click shows the game on a table; {note}" if _viewable(store) else note
    return _card("Games to look at", f'<table class="games">{"".join(rows)}</table>', note)


def _viewable(store: Store) -> bool:
    """Does the game draw its table on a page?"""
    return store.plan.rules[0].game.viewer is not None


def _count(number: int, what: str) -> str:
    return f"{number} {what}" + ("" if number == 1 else "s")
