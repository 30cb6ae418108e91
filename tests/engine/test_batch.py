"""Many games at once are the same games as one at a time, whatever the batch size and the threads."""

import numpy as np
import pytest

from ka_env import BatchEngine, Game, IllegalMove, KaError, RulesetError
from ka_env.blackpoker.cards import ENTRY20, NAMES
from ka_env.blackpoker.codes import NUM_ACTIONS
from tests.blackpoker.lists import LITE_AND_STD as RULESETS
from tests.blackpoker.strategies import FRAMES, check_record, custom_decks

each_ruleset = pytest.mark.parametrize("ruleset", RULESETS)
each_frame = pytest.mark.parametrize("frame", FRAMES)


def engine(ruleset="8.0-lite", frame="entry20", num_games=6, seed=5, threads=1):
    decks = custom_decks(1) if frame == "custom" else {}
    return BatchEngine(ruleset, frame, num_games=num_games, seed=seed, threads=threads, **decks)


def generators(num_games, seed=11):
    """One generator state per game; that of game i does not depend on how many there are."""
    return np.array([seed * 1000 + i for i in range(num_games)], np.uint64)


def finish(batch, rng=None, steps=2000):
    """Random play until all games are over."""
    rng = generators(batch.num_games) if rng is None else rng
    for _ in range(steps):
        if batch.done.all():
            return
        batch.step(batch.random_actions(rng))
    raise AssertionError("not all games ended")


def records(batch):
    return [batch.games[i].tobytes() for i in range(batch.num_games)]


def snapshot(batch):
    return batch.games.tobytes(), *(view.tobytes() for view in views(batch))


def views(batch):
    return batch.action_mask, batch.to_play, batch.done, batch.rewards


# ---- batch = single -------------------------------------------------------------------------------------------------


@each_frame
@each_ruleset
def test_batch_and_single_games_are_the_same(ruleset, frame):
    """The same moves through the batch and through `Game`: identical records and views after every step."""
    batch = engine(ruleset, frame, num_games=3)
    decks = custom_decks(1) if frame == "custom" else {}
    singles = [Game.new(ruleset, frame, seed=5, **decks), batch.game(1), batch.game(2)]
    rng = generators(3)
    while not batch.done.all():
        for i, game in enumerate(singles):
            assert game.state.tobytes() == batch.games[i].tobytes()
            assert np.array_equal(game.action_mask(), batch.action_mask[i])
            assert (-1 if game.player is None else game.player) == batch.to_play[i]
            assert game.over == batch.done[i]
        actions = batch.random_actions(rng)
        for game, action in zip(singles, actions):
            if not game.over:
                game.step(action)
        batch.step(actions)
    assert [game.state.tobytes() for game in singles] == records(batch)
    scores = np.array([game.result for game in singles], np.float32)
    assert np.array_equal(batch.rewards, 2 * scores - 1)


def test_game_is_a_copy():
    batch = engine()
    before = snapshot(batch)
    game = batch.game(2)
    check_record(game)
    game.step(game.legal_ids()[0])
    assert snapshot(batch) == before


# ---- sizes, threads, seeds ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("threads", [1, 2, 3])
@each_ruleset
def test_independent_of_batch_size_and_threads(ruleset, threads):
    """Game i under a seed is one game, also after some have been dealt anew."""
    runs = {}
    for num_games in (1, 4, 7):
        batch = engine(ruleset, "half27", num_games=num_games, threads=threads)
        alone = engine(ruleset, "half27", num_games=7)
        assert records(batch) == records(alone)[:num_games]
        rng, rng_alone = generators(num_games), generators(7)
        for _ in range(150):
            batch.step(batch.random_actions(rng))
            alone.step(alone.random_actions(rng_alone))
            assert records(batch) == records(alone)[:num_games]
            batch.reset_done()
            alone.reset_done()
        assert records(batch) == records(alone)[:num_games]
        for view, other in zip(views(batch), views(alone)):
            assert np.array_equal(view, other[:num_games])
        runs[num_games] = records(batch)
    assert runs[1] == runs[7][:1]


@each_frame
def test_threads_deal_the_same_games(frame):
    batches = [engine("6.1-std", frame, num_games=17, threads=threads) for threads in (1, 2, 3, 17, 20)]
    for batch in batches[1:]:
        assert records(batch) == records(batches[0])
    for batch in batches:
        batch.reset()
    for batch in batches[1:]:
        assert snapshot(batch) == snapshot(batches[0])


@pytest.mark.parametrize("seed", [0, 1, -1, -(2**70), 2**63, 2**64 - 1, 2**64 + 5, 10**40, np.int64(-3), np.uint64(7)])
def test_any_whole_number_is_a_seed(seed):
    batch, again = engine(seed=seed), engine(seed=seed)
    assert records(batch) == records(again)
    finish(batch)
    batch.reset(seed)
    assert snapshot(batch) == snapshot(again)
    assert Game.new("8.0-lite", "entry20", seed=seed).state.tobytes() == records(batch)[0]


def test_different_seeds_and_games_differ():
    dealt = [record for seed in (0, 1, -1, 2, 2**63) for record in records(engine(seed=seed, num_games=20))]
    assert len(set(dealt)) == len(dealt)


def test_seed_zero_is_a_seed():
    """reset(0) goes back to the start; reset() goes on."""
    batch = engine(seed=0)
    first = records(batch)
    batch.reset()
    second = records(batch)
    assert second != first
    batch.reset(0)
    assert records(batch) == first
    batch.reset()
    assert records(batch) == second


def test_default_frames():
    assert BatchEngine("8.0-lite").frame == "entry20"
    assert {BatchEngine(ruleset).frame for ruleset in RULESETS[1:]} == {"full54"}


# ---- playing --------------------------------------------------------------------------------------------------------


@each_ruleset
def test_rewards_and_ends(ruleset):
    batch = engine(ruleset, "half27", num_games=40)
    rng = generators(40)
    while not batch.done.all():
        running = ~batch.done
        assert (batch.to_play[running] >= 0).all()
        assert (batch.action_mask[running].sum(1) >= 2).all()
        assert not batch.action_mask[batch.done].any()
        assert (batch.to_play[batch.done] == -1).all()
        assert not batch.rewards[running].any()
        batch.step(batch.random_actions(rng))
    results = [batch.game(i).result for i in range(40)]
    for result, rewards in zip(results, batch.rewards.tolist()):
        assert rewards == {(1, 0): [1, -1], (0, 1): [-1, 1], (0.5, 0.5): [0, 0]}[result]
    assert {(1, 0), (0, 1)} <= set(results)
    assert not batch.action_mask.any()


def test_a_draw_has_no_reward():
    """6.1, both lives at 0 (section 4)."""
    batch = engine("6.1-lite", num_games=2)
    text = "ka 1\nrules 6.1-lite\nturn 0\nchance 0\nlife0 2h\nhand0 -\ngrave0 -\nfield0 0:s5c/d^\n"
    text += "life1 -\nhand1 -\ngrave1 -\nfield1 0:bAh\nstage 0:0.draw 1:0.damage\n"
    game = Game.from_text(text.replace("life0 2h", "life0 -"))
    assert game.result == (0.5, 0.5)
    batch.games[0] = game.state
    batch.step(np.array([0, batch.action_mask[1].argmax()]))
    assert batch.rewards[0].tolist() == [0, 0]
    assert batch.done.tolist() == [True, False]
    assert batch.to_play[0] == -1


def test_finished_games_ignore_their_action():
    batch = engine(num_games=3)
    finish(batch)
    before = snapshot(batch)
    for action in (0, 5, -7, 10**9, NUM_ACTIONS):
        batch.step(np.full(3, action))
        assert snapshot(batch) == before


def test_skipped_games_stay_as_they_are():
    batch = engine(num_games=3)
    before = records(batch)
    actions = batch.action_mask.argmax(1)
    actions[[0, 2]] = -1
    batch.step(actions)
    after = records(batch)
    assert (after[0], after[2]) == (before[0], before[2])
    assert after[1] != before[1]


def test_reset_done_deals_only_finished_games():
    batch = engine("8.0-std", "half27", num_games=12)
    rng = generators(12)
    dealt = 0
    for _ in range(300):
        batch.step(batch.random_actions(rng))
        over, before = batch.done.copy(), records(batch)
        batch.reset_done()
        assert not batch.done.any()
        assert not batch.rewards.any()
        for i, now in enumerate(records(batch)):
            assert (now != before[i]) == over[i]
            if over[i]:
                check_record(batch.game(i))
        dealt += over.sum()
    assert dealt > 12


def test_views_are_not_replaced():
    """Whoever holds the arrays sees every later step."""
    batch = engine(num_games=4)
    held = views(batch)
    finish(batch)
    batch.reset_done()
    batch.reset(3)
    assert all(view is now for view, now in zip(held, views(batch)))


# ---- bad input ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("shape", [(), (5,), (7,), (6, 1), (0,)])
def test_wrong_shape(shape):
    batch = engine(num_games=6)
    before = snapshot(batch)
    with pytest.raises(ValueError, match=r"shape \(6,\)"):
        batch.step(np.zeros(shape, np.int64))
    assert snapshot(batch) == before


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("bad", [30, 47, 101, NUM_ACTIONS, 10**6, -2, -(10**6), 2**40])
def test_an_illegal_action_changes_no_game(bad, threads):
    """30 and 47 are kept free, 101 is X2 at a chance decision; the error says which game, what and why."""
    batch = engine(num_games=6, threads=threads)
    before = snapshot(batch)
    actions = batch.action_mask.argmax(1)
    actions[4] = bad
    with pytest.raises(IllegalMove) as error:
        batch.step(actions)
    assert f"game 4, action {bad}:" in str(error.value)
    assert "'chance'" in str(error.value)
    assert snapshot(batch) == before
    actions[4] = batch.action_mask[4].argmax()
    batch.step(actions)
    assert snapshot(batch) != before


def test_the_first_illegal_game_is_named():
    batch = engine(num_games=6)
    with pytest.raises(IllegalMove, match="game 2, action 197"):
        batch.step(np.array([8, 8, 197, 197, 197, 197]))


@pytest.mark.parametrize("make", [Game.new, BatchEngine])
def test_unknown_names_suggest_the_nearest(make):
    with pytest.raises(RulesetError, match=r"unknown ruleset '8.0-lit'.*did you mean '8.0-lite'"):
        make("8.0-lit", "entry20")
    with pytest.raises(RulesetError, match=r"unknown frame 'entry'.*did you mean 'entry20'"):
        make("8.0-lite", "entry")
    with pytest.raises(RulesetError, match="unknown ruleset 'chess'"):
        make("chess", "entry20")
    assert issubclass(RulesetError, KaError)
    assert issubclass(KaError, ValueError)


TWELVE = ENTRY20[:12]
BAD_DECKS = [
    ("custom", {"deck0": [*TWELVE, "As"], "deck1": TWELVE}, "As occurs twice"),
    ("custom", {"deck0": TWELVE, "deck1": [*TWELVE, "1s"]}, "unknown card '1s'"),
    ("custom", {"deck0": TWELVE, "deck1": " ".join([*TWELVE, "as"])}, "unknown card 'as'"),
    ("custom", {"deck0": [*range(12), 54], "deck1": TWELVE}, "unknown card number 54"),
    ("custom", {"deck0": [*range(12), -1], "deck1": TWELVE}, "unknown card number -1"),
    ("custom", {"deck0": TWELVE[:11], "deck1": TWELVE}, "at least 12"),
    ("custom", {"deck0": "", "deck1": TWELVE}, "at least 12"),
    ("custom", {"deck0": TWELVE}, "deck1 is missing"),
    ("custom", {"deck1": TWELVE}, "deck0 is missing"),
    ("custom", {}, "deck0 is missing"),
    ("deck40", {"deck0": NAMES[:39]}, "exactly 40"),
    ("deck40", {"deck1": NAMES[:41]}, "exactly 40"),
    ("half27", {"deck0": NAMES[:26]}, "exactly 27"),
    ("half27", {"deck1": NAMES}, "exactly 27"),
    ("entry20", {"deck0": ENTRY20}, "fixed deck list.*deck0"),
    ("full54", {"deck1": NAMES}, "fixed deck list.*deck1"),
]


@pytest.mark.parametrize("make", [Game.new, BatchEngine])
@pytest.mark.parametrize(("frame", "decks", "message"), BAD_DECKS)
def test_bad_decks(make, frame, decks, message):
    with pytest.raises(RulesetError, match=message):
        make("8.0-std", frame, **decks)


def test_good_decks():
    """Names, numbers and text; one list may be left to chance in deck40 and half27."""
    for deck in (NAMES[:40], list(range(40)), " ".join(NAMES[:40])):
        game = Game.new("6.1-std", "deck40", deck0=deck, seed=1)
        assert int(game.state.deck[0]) == (1 << 40) - 1
        assert int(game.state.deck[1]).bit_count() == 40
    batch = BatchEngine("6.1-std", "half27", deck1=NAMES[:27], num_games=5)
    assert set(batch.games["deck"][:, 1].tolist()) == {(1 << 27) - 1}
    assert len(set(batch.games["deck"][:, 0].tolist())) == 5


@pytest.mark.parametrize("numbers", [{"num_games": 0}, {"num_games": -1}, {"threads": 0}])
def test_no_games_or_threads(numbers):
    with pytest.raises(ValueError, match="at least 1"):
        BatchEngine(**numbers)
