"""What holds in every game, whoever plays it however: random games of all rulesets and frames, step by step."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ka_env import Game, IllegalMove, NotationError
from ka_env.blackpoker.codes import NUM_ACTIONS
from ka_env.blackpoker.text.tokens import IDS, TOKENS
from tests.blackpoker.lists import LITE_AND_STD as RULESETS
from tests.examples import examples

from .strategies import (
    STARTS,
    check_record,
    choice_lists,
    choose,
    decks_of,
    differing_fields,
    new_game,
    play_by,
    played_games,
    record_bytes,
    seeds,
    starts,
    walk,
)

each_ruleset = pytest.mark.parametrize("ruleset", RULESETS)
each_start = pytest.mark.parametrize("start", STARTS)


def views(game):
    return game.to_text(), game.player, game.decision, game.legal(), game.result, game.last_shuffle


# ---- invariants and the end -----------------------------------------------------------------------------------------


@each_ruleset
@given(start=starts, seed=seeds, choices=choice_lists)
def test_records_are_sound_at_every_decision(ruleset, start, seed, choices):
    """Cards are conserved and in one place; two options or more; `walk` fails when a game does not end."""
    game = new_game(ruleset, start, seed)
    decks = decks_of(game)
    for now in walk(game, choices, seed):
        check_record(now, decks)
    assert game.over


@each_start
@each_ruleset
def test_every_frame_is_sound(ruleset, start):
    """The same over each pair of ruleset and frame, so that none depends on what Hypothesis happens to draw."""
    for seed in range(2):
        game = new_game(ruleset, start, seed)
        decks = decks_of(game)
        for now in walk(game, seed=seed):
            check_record(now, decks)


@each_ruleset
@given(start=starts, seed=seeds)
def test_results(ruleset, start, seed):
    """A player without life has lost, one with life has not; only 6.1 draws."""
    game = new_game(ruleset, start, seed)
    *_, end = walk(game, seed=seed)
    lives = [int(n) for n in end.state.life_count]
    assert 0 in lives
    if lives == [0, 0]:
        drawn = ruleset.startswith("6.1")
        assert end.result == ((0.5, 0.5) if drawn else (0, 1) if end.turn == 0 else (1, 0))
    else:
        assert end.result == ((1, 0) if lives[0] else (0, 1))


NO_LIFE_LEFT = """ka 1
rules {ruleset}
turn {turn}
chance {turn}
passed {other}
used attack
life{turn} 2h
hand{turn} 7h
grave{turn} -
field{turn} 0:s9c/d^ 1:b4c
life{other} 3h
hand{other} -
grave{other} -
field{other} 0:bAs
stage 0:{turn}.damage
"""


@pytest.mark.parametrize("turn", range(2))
@each_ruleset
def test_results_with_no_life_on_either_side(ruleset, turn):
    """The attacker's last card pays a cost while its damage waits; then the damage takes the other's last one."""
    game = Game.from_text(
        NO_LIFE_LEFT.format(ruleset=ruleset, turn=turn, other=1 - turn).replace(f"life{turn} 2h", f"life{turn} -")
    )
    lines = 0
    for seed in range(20):
        *_, end = walk(game.copy(), seed=seed)
        if list(end.state.life_count) == [0, 0]:
            lines += 1
            lost = (0, 1) if turn == 0 else (1, 0)
            assert end.result == ((0.5, 0.5) if ruleset.startswith("6.1") else lost)
    assert lines > 0


# ---- position text --------------------------------------------------------------------------------------------------


@each_ruleset
@given(start=starts, seed=seeds, choices=choice_lists)
def test_text_reads_back_as_the_same_record(ruleset, start, seed, choices):
    """At every decision, pending ones too, and at the end: text, views and every field that is part of a position."""
    for game in walk(new_game(ruleset, start, seed), choices, seed):
        text = game.to_text()
        again = Game.from_text(text)
        assert again.to_text() == text
        assert views(again)[:-1] == views(game)[:-1]
        assert differing_fields(again, game) == [], text


@each_ruleset
def test_finished_games_read_back_as_the_same_record(ruleset):
    """Also when the game ends in the middle of something: successions, a charge or a draw still due."""
    for seed in range(30):
        *_, game = walk(new_game(ruleset, STARTS[seed % len(STARTS)], seed), seed=seed)
        assert differing_fields(Game.from_text(game.to_text()), game) == [], game.to_text()


@each_start
@each_ruleset
def test_text_and_record_play_on_alike(ruleset, start):
    """A game read back in the middle plays on like the original (shuffles aside)."""
    rng = random.Random(f"{ruleset} {start}")
    for seed in range(2):
        game = new_game(ruleset, start, seed)
        again = Game.from_text(game.to_text())
        while not game.over:
            if rng.random() < 0.1:
                again = Game.from_text(game.to_text())
            assert differing_fields(again, game) == []
            action = rng.choice(game.legal_ids())
            shuffled = game.last_shuffle
            for g in (game, again):
                g.step(action)
            if game.last_shuffle != shuffled:
                again = Game.from_text(game.to_text())
        assert again.result == game.result


@given(game=played_games(), seed=seeds)
def test_reading_does_not_mind_the_order_of_lines(game, seed):
    lines = game.to_text().splitlines()
    random.Random(seed).shuffle(lines)
    assert differing_fields(Game.from_text("\n".join(lines)), game) == []


# ---- copies and equality --------------------------------------------------------------------------------------------


@given(game=played_games(), choices=choice_lists)
def test_copies_are_independent(game, choices):
    before, seen = record_bytes(game), views(game)
    twin = game.copy()
    assert twin == game
    assert hash(twin) == hash(game)
    play_by(twin, [0, *choices])
    assert record_bytes(game) == before
    assert views(game) == seen
    assert twin != game
    other = game.copy()
    play_by(other, [0, *choices])
    assert other == twin
    assert views(other) == views(twin)


@each_ruleset
@given(start=starts, seed=seeds, choices=choice_lists)
def test_same_seed_same_game(ruleset, start, seed, choices):
    a, b = new_game(ruleset, start, seed), new_game(ruleset, start, seed)
    for _ in range(2):
        assert record_bytes(a) == record_bytes(b)
        play_by(a, choices)
        play_by(b, choices)
    assert record_bytes(a) == record_bytes(b)


# ---- playing --------------------------------------------------------------------------------------------------------


@examples(60)
@given(game=played_games(), choices=choice_lists, bad=st.sampled_from(["nonsense", "illegal", "out of range"]))
def test_play_is_all_or_nothing(game, choices, bad):
    """Legal tokens and then one that isn't: nothing is played. The legal ones alone are."""
    if game.over:
        return
    start, tokens, trial = record_bytes(game), [], game.copy()
    for choice in choices[:6]:
        if trial.over:
            break
        tokens.append(TOKENS[choose(trial, choice)])
        trial.play(tokens[-1])
    illegal = next(token for token in IDS if token not in trial.legal())
    wrong = {"nonsense": "Zz", "illegal": illegal, "out of range": "u32"}[bad]
    error = IllegalMove if bad == "illegal" else NotationError
    seen = views(game)
    with pytest.raises(error):
        game.play(" ".join([*tokens, wrong]))
    assert record_bytes(game) == start
    assert views(game) == seen
    game.play(" ".join(tokens))
    assert record_bytes(game) == record_bytes(trial)
    assert views(game) == views(trial)


@examples(60)
@given(game=played_games())
def test_illegal_ids_and_tokens_change_nothing(game):
    before, seen = record_bytes(game), views(game)
    legal = set(game.legal_ids())
    for action in [*range(NUM_ACTIONS), -1, -198, NUM_ACTIONS, 255, 256, 2**31, 2**63, -(2**63)]:
        if action in legal:
            continue
        with pytest.raises(IllegalMove):
            game.step(action)
        if action in TOKENS:
            with pytest.raises(IllegalMove, match="illegal move"):
                game.play(TOKENS[action])
    assert record_bytes(game) == before
    assert views(game) == seen


def test_finished_games_refuse_everything():
    *_, game = walk(new_game("8.0-lite", "entry20", 1), seed=1)
    before = record_bytes(game)
    for action in range(NUM_ACTIONS):
        with pytest.raises(IllegalMove, match="the game is over"):
            game.step(action)
    game.play("")
    assert record_bytes(game) == before


def test_an_illegal_move_names_the_player_the_decision_and_the_nearest_move():
    game = Game.new("8.0-lite", "entry20", seed=3)
    with pytest.raises(IllegalMove) as error:
        game.play("e7")
    message = str(error.value)
    assert "'e7'" in message
    assert f"player {game.player}" in message
    assert "'chance'" in message
    assert " ".join(game.legal()) in message
    with pytest.raises(NotationError, match=r"unknown token 'soldir'.*did you mean 'soldier'"):
        game.play("soldir")


@examples(40)
@given(game=played_games())
def test_every_legal_action_is_playable(game):
    """One legality: what the mask offers is carried out, and leads to another position."""
    for action, token in zip(game.legal_ids(), game.legal()):
        by_id, by_token = game.copy(), game.copy()
        by_id.step(action)
        by_token.play(token)
        assert by_id == by_token
        assert differing_fields(by_id, game) != []
        check_record(by_id, decks_of(game))
