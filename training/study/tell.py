"""The main figures of a study as plain lines."""

from __future__ import annotations

from typing import Any

from ka_env.training.study.charts import percent, points
from ka_env.training.study.report import told, told_points

TOLD = 3  # cards at either end


def tell(figures: dict[str, Any]) -> None:
    for one in figures["rules"]:
        print(f"{one['rules']}: {one['games']} games from {one['deals']} deals, {', '.join(figures['agents'])}")
        for line in lines(one):
            print(f"  {line}")
    if figures.get("decks"):
        tell_decks(figures["decks"])


def lines(one: dict[str, Any]) -> list[str]:
    found = [] if one["start"] is None else [f"who begins wins {told(one['start'])}"]
    turns, decisions = one["turns"], one["decisions"]
    found.append(
        f"turns: median {turns['median']:g}, 90 % {turns['from']:g} to {turns['to']:g}; "
        f"decisions: median {decisions['median']:g}"
    )
    found += [f"ended by {e['ending']}: {told(e['share'])}" for e in one["endings"]]
    cards = one["cards"]
    if cards:
        some = cards if len(cards) <= 2 * TOLD else [*cards[:TOLD], *cards[-TOLD:]]
        found.append("first hand: " + ", ".join(f"{c['card']} {told(c['won'])}" for c in some))
    for asked in one["questions"]:
        if asked["chosen"] is not None:
            found.append(f"{asked['title']}: chosen in {told(asked['chosen'])} of {asked['asked']} decisions")
        for fact, groups in asked["by"].items():
            for g in groups:
                found.append(f"  {fact} {g['from']} to {g['to']}: {told_points(g['gain'])}, n {g['gain']['n']}")
    for action in one["actions"]:
        if action["gain"] is not None:
            found.append(
                f"{action['word']}: {action['per_game']['value']:.2f} per game, "
                f"gains {told_points(action['gain'])}, n {action['gain']['n']}"
            )
    if one["camps"] is not None:
        camps = one["camps"]
        ranked = sorted(zip(camps["names"], camps["overall"]), key=lambda pair: -(pair[1] or {"value": 0})["value"])
        found += [f"{name} wins {told(value)}, n {value['n']}" for name, value in ranked if value is not None]
    found += [f"{x['agent']} loses {told_points(x['loss'])} per decision, n {x['loss']['n']}" for x in one["losses"]]
    return found + _calibration(one["calibration"])


def _calibration(found: dict[str, Any] | None) -> list[str]:
    if found is None:
        return []
    by = found["judged_by"]
    lines = [f"calibration of {by['agent']}, {by['budget']} iterations, {found['n']} decisions:"]
    for b in found["bins"]:
        lines.append(
            f"  {100 * b['from']:.0f} to {100 * b['to']:.0f} %: predicted {percent(b['predicted'])}, "
            f"won {told(b['actual'])}, n {b['actual']['n']}"
        )
    if found["gap"] is not None:
        lines.append(f"  results minus predictions {told_points(found['gap'])}; mean distance {points(found['error'])}")
    lines.append(f"  Brier score {found['brier']:.4f}, always saying 50 % {found['brier_of_half']:.4f}")
    if found["slope"] is not None:
        slope = found["slope"]
        lines.append(f"  slope {slope['value']:.2f} ({slope['low']:.2f} to {slope['high']:.2f})")
    return lines


def tell_decks(found: dict[str, Any]) -> None:
    effects = found["cards"]
    print(f"{found['rules']}, both sides by {found['agent']}: {found['games']} games with random decks")
    for one in [*effects[:5], *effects[-5:]]:
        print(f"  {one['card']} in the deck: {told_points(one['effect'])}")
    for change in found["taken"]:
        print(
            f"  round {change['round']}: {' '.join(change['in'])} for {' '.join(change['out'])}, "
            f"won {told(change['won'])}"
        )
    final = found["final"]
    print(f"  against random decks {told(final['random'])}, n {final['random']['n']}")
    print(f"  against the first deck {told(final['start'])}, n {final['start']['n']}")
    print(f"  left out: {' '.join(found['left_out'])}")
