"""The rules-based styles: always legal, blind to what is hidden, and sensible where any player would be."""

from __future__ import annotations

import random

import numpy as np
import pytest

from ka_env import BatchEngine, Game
from ka_env.agents import make_agent
from ka_env.blackpoker import kernels
from ka_env.blackpoker import players as strategies
from ka_env.blackpoker.players import STYLES, choose_games, greedy
from ka_env.blackpoker.players.temper import but
from ka_env.blackpoker.text.tokens import token
from tests.blackpoker.lists import LITE_AND_STD as RULESETS

from .reference import random_position

FRAMES = ["entry20", "full54", "deck40", "half27"]
PAYS_LIFE = {"bulwark", "soldier", "hero", "ace", "equip"}


def choices(records: np.ndarray, players: np.ndarray, style: str) -> np.ndarray:
    """What a style does in each record; it must leave the records as they were."""
    before = records.tobytes()
    out = np.full(len(records), -1, np.int64)
    choose_games(records, players, STYLES.index(style), out)
    assert records.tobytes() == before
    return out


def redraws(game: Game, seeds: range) -> np.ndarray:
    """The game as its decider knows it, re-drawn once for each seed."""
    records = np.repeat(game._games, len(seeds))
    players = np.full(len(seeds), game.player, np.int8)
    kernels.determinize_games(records, players, np.array(seeds, np.uint64))
    return records


def choice(game: Game, style: str) -> str:
    """The token a style answers; the same whatever is hidden."""
    records = redraws(game, range(6))
    found = choices(records, np.full(6, game.player, np.int8), style)
    tokens = [token(int(action)) for action in found]
    assert len(set(tokens)) == 1, f"{style} saw hidden cards: {tokens}\n{game.to_text()}"
    assert tokens[0] in game.legal()
    return tokens[0]


def line(game: Game, style: str, tokens: int) -> str:
    """The next tokens when the style plays both sides."""
    said = []
    while len(said) < tokens and not game.over:
        said.append(choice(game, style))
        game.play(said[-1])
    return " ".join(said)


def position(**lines: str) -> Game:
    """A position in which player 0 has the turn and the chance, unless said otherwise."""
    usual = {"rules": "8.0-lite", "turn": "0", "chance": "0"}
    for p in "01":
        usual |= {f"hand{p}": "-", f"grave{p}": "-", f"field{p}": "-"}
    usual |= {"life0": "2h 3h 4h 5h 6h 7h 2d 4d", "life1": "2h 3h 4h 5h 6h 7h 2d 4d"}
    return Game.from_text("\n".join(["ka 1", *(f"{name} {text}" for name, text in (usual | lines).items())]))


# ---- always legal, blind, pure --------------------------------------------------------------------------------------


def play_out(engine: BatchEngine, pairs: list[tuple[str, str]]) -> None:
    """All games to the end; game i is played by pair i. An illegal choice raises."""
    rng = np.random.default_rng(0)
    style_of = np.array([[STYLES.index(style) for style in pairs[i % len(pairs)]] for i in range(engine.num_games)])
    while not engine.done.all():
        actions = np.full(engine.num_games, -1, np.int64)
        for number, style in enumerate(STYLES):
            mine = ~engine.done & (style_of[np.arange(engine.num_games), np.maximum(engine.to_play, 0)] == number)
            which = np.flatnonzero(mine)
            if which.size:
                views = engine.views(which, rng.integers(2**64, size=which.size, dtype=np.uint64))
                actions[which] = choices(views.records, views.players, style)
        engine.step(actions)


@pytest.mark.parametrize("frame", FRAMES)
@pytest.mark.parametrize("ruleset", RULESETS)
def test_whole_games_are_legal(ruleset: str, frame: str) -> None:
    engine = BatchEngine(ruleset, frame, num_games=180, seed=3)
    play_out(engine, [(a, b) for a in STYLES for b in STYLES])
    assert engine.done.all()


@pytest.mark.parametrize("ruleset", RULESETS)
def test_rich_positions_are_legal_and_hidden_cards_stay_hidden(ruleset: str) -> None:
    for seed in range(150):
        game = Game.from_text(random_position(ruleset, random.Random(f"{ruleset} {seed}")), seed)
        style = STYLES[seed % len(STYLES)]
        for _ in range(25):
            if game.over:
                break
            game.play(choice(game, style))


@pytest.mark.parametrize("ruleset", RULESETS)
def test_hidden_cards_do_not_matter_in_games(ruleset: str) -> None:
    for seed in range(12):
        game = Game.new(ruleset, FRAMES[seed % 4], seed)
        while not game.over:
            game.play(choice(game, STYLES[seed % len(STYLES)]))


def test_games_that_are_over_are_left_alone() -> None:
    out = np.full(1, -7, np.int64)
    game = Game.new(seed=1)
    choose_games(game._games, np.array([-1], np.int8), 0, out)
    assert out[0] == -7


# ---- winning --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("style", STYLES)
def test_throws_for_the_win(style: str) -> None:
    game = position(hand0="3s 5s 9c Tc", life1="2h 3h 4h 5h 6h")
    assert line(game, style, 2) == "throw 5s"


@pytest.mark.parametrize("style", STYLES)
def test_attacks_for_the_win(style: str) -> None:
    """Two big soldiers, one blocker: one comes through, and that is enough."""
    game = position(field0="0:s9h 1:sTd", field1="0:bKs", life1="2h 3h 4h 5h 6h 7h 2d 4d 6d")
    assert choice(game, style) == "attack"
    game.play("attack")
    while game.decision == "chance":
        game.play("pass")
    assert line(game, style, 2) == "u0 u1"


@pytest.mark.parametrize("style", STYLES)
def test_one_life_card_left_is_as_good_as_none(style: str) -> None:
    """The enemy draws the last card at the start of the own turn, and loses."""
    game = position(hand0="4s 9c", life1="2h 3h 4h 5h 6h")
    assert choice(game, style) == "throw"


@pytest.mark.parametrize("style", STYLES)
def test_ups_an_unblocked_attacker_for_the_win(style: str) -> None:
    game = position(
        hand0="8h 2c", field0="0:s5d/d^", stage="0:0.damage", used="attack", life1="2h 3h 4h 5h 6h 7h 2d 4d 6d 8d Td"
    )
    assert choice(game, style) == "up"


@pytest.mark.parametrize("style", STYLES)
def test_equips_for_the_win_even_from_two_life_cards(style: str) -> None:
    game = position(hand0="Ks", field0="0:b4h 1:s5s", life0="2h 3h", life1="2h 3h 4h 5h 6h 7h 2d 4d 6d 8d Td Qd")
    assert choice(game, style) == "equip"


# ---- not losing -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("style", STYLES)
def test_blocks_lethal_damage_with_whatever_there_is(style: str) -> None:
    game = position(
        turn="1", chance="1", field1="0:sKh/d^", field0="0:s3c 1:b4c", life0="2h 3h 4h 5h 6h", stage="0:1.block"
    )
    while game.decision != "blockers":
        game.play("pass")
    assert game.player == 0
    assert choice(game, style) in ("u0", "u1")


@pytest.mark.parametrize("style", STYLES)
def test_lets_the_bulwark_meet_the_biggest_attacker(style: str) -> None:
    game = position(
        turn="1", chance="1", field1="0:s3d/d^ 1:sKh/d^", field0="0:b4c", life0="2h 3h 4h 5h 6h 7h", stage="0:1.block"
    )
    while game.decision != "blockers":
        game.play("pass")
    assert line(game, style, 2) == "done u0"


@pytest.mark.parametrize("style", STYLES)
def test_blocks_together_when_together_they_are_bigger(style: str) -> None:
    game = position(
        turn="1", chance="1", field1="0:sKh/d^", field0="0:s8c 1:s9d", life0="2h 3h 4h 5h 6h", stage="0:1.block"
    )
    while game.decision != "blockers":
        game.play("pass")
    assert line(game, style, 2) == "u0 u1"


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("ruleset", RULESETS)
def test_never_pays_the_last_life_card(ruleset: str, style: str) -> None:
    game = position(
        rules=ruleset, hand0="Kd 9h 7c As", field0="0:b4h 1:b5h 2:s8d", life0="2h", life1="3h " * 0 + "3h 4h"
    )
    assert choice(game, style) not in PAYS_LIFE


@pytest.mark.parametrize("style", STYLES)
def test_does_not_pay_itself_into_the_last_draw(style: str) -> None:
    """With two life cards every payment loses at the next draw."""
    game = position(hand0="Kd 9h 7c As", field0="0:b4h 1:b5h", life0="2h 3h")
    assert choice(game, style) not in PAYS_LIFE


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("life", ["2h", "2h 3h", "2h 3h 4h"])
def test_does_not_draw_itself_out(style: str, life: str) -> None:
    game = position(stage="0:0.draw", life0=f"9h {life}")
    while game.decision == "chance":
        game.play("pass")
    assert game.decision == "draw_more"
    assert choice(game, style) == "no"


# ---- counters -------------------------------------------------------------------------------------------------------


def request_of_enemy(request: str, hand: str, **lines: str) -> Game:
    return position(turn="1", chance="0", passed="1", stage=f"0:1.{request}", hand0=hand, **lines)


def test_counters_a_big_soldier_with_a_club_that_is_big_enough() -> None:
    assert line(request_of_enemy("soldier(Th)", "2c Tc 3d"), "greedy", 3) == "counter 3d Tc"


def test_saves_the_club_when_no_club_is_big_enough() -> None:
    """A hero has a number above every club."""
    assert choice(request_of_enemy("soldier(Th)", "2c 9c 3d"), "greedy") == "pass"
    assert choice(request_of_enemy("hero(Kh)", "2c Tc 3d"), "greedy") == "pass"


def test_does_not_counter_trifles() -> None:
    assert choice(request_of_enemy("ace(Ah)", "7c Tc Kd"), "greedy") == "pass"


@pytest.mark.parametrize("style", STYLES)
def test_counters_a_lethal_throw_with_any_club(style: str) -> None:
    game = request_of_enemy("throw(Ks,Tc)", "2c Kd", life0="2h 3h 4h 5h 6h 7h")
    assert choice(game, style) == "counter"


# ---- strength -------------------------------------------------------------------------------------------------------


def score_against_random(style: str, ruleset: str, frame: str, pairs: int) -> float:
    """Share of the points over pairs of the same deals with seats swapped."""
    points = 0.0
    for seat in (0, 1):
        engine = BatchEngine(ruleset, frame, num_games=pairs, seed=11)
        rng = np.random.default_rng(seat)
        states = rng.integers(2**64, size=pairs, dtype=np.uint64)
        while not engine.done.all():
            actions = engine.random_actions(states)
            mine = np.flatnonzero(~engine.done & (engine.to_play == seat))
            if mine.size:
                views = engine.views(mine, rng.integers(2**64, size=mine.size, dtype=np.uint64))
                actions[mine] = choices(views.records, views.players, style)
            engine.step(actions)
        points += float((engine.rewards[:, seat] + 1).sum()) / 2
    return points / (2 * pairs)


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize(("ruleset", "frame"), [("8.0-lite", "entry20"), ("6.1-std", "full54")])
def test_beats_random_play(style: str, ruleset: str, frame: str) -> None:
    assert score_against_random(style, ruleset, frame, 150) >= 0.9


# ---- as agents ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("style", STYLES)
def test_agent_plays_its_style(style: str) -> None:
    agent = make_agent(style)
    engine = BatchEngine("6.1-std", "full54", num_games=16, seed=2)
    which = np.arange(16)
    views = engine.views(which, np.arange(16, dtype=np.uint64))
    actions = agent.act(which, None, engine.action_mask, views)
    assert actions.tolist() == choices(views.records, views.players, style).tolist()
    engine.step(actions)


def test_what_a_succession_costs_follows_from_the_temper() -> None:
    t = but(greedy.TEMPER, own_life=200, enemy_life=50)[0]
    found = t.card[11]
    assert t.own_succession[30] == (t.life[30] - t.life[27]) * 2 - found  # ten court cards: the third card is one
    assert t.enemy_succession[30] == (t.life[30] - t.life[27]) // 2 - found
    assert t.last_succession[6, 2] == (t.life[6] - t.life[3]) * 2 - found
    assert t.last_succession[6, 0] == (t.life[6] - t.life[0]) * 2  # none is left: all cards are milled
    assert t.enemy_succession[2] == (t.life[2] - t.life[1]) // 2


def test_agent_says_that_it_needs_views() -> None:
    with pytest.raises(ValueError, match="needs views"):
        make_agent("greedy").act(np.arange(1), None, np.ones((1, 198), bool))


def test_the_game_offers_its_strategies() -> None:
    from ka_env.games import load_game

    assert load_game("blackpoker").room("styles") is strategies
