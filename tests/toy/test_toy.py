"""A game of another package goes through every environment, agent, arena, trainer, record and command."""

import warnings

import gymnasium
import numpy as np
import pettingzoo
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

from ka_env import BatchEngine, IllegalMove, NotationError, PlayerView, RulesetError, raw_env
from ka_env.agents import AgentError, make_agent
from ka_env.agents.match import record_game
from ka_env.cli import main
from ka_env.engine.perft import breakdown, perft
from ka_env.envs.duel import Duels
from ka_env.envs.single import DuelEnv
from ka_env.envs.vector import DuelVectorEnv
from ka_env.errors import KaError
from ka_env.games import Setup, add_game, all_rulesets, game_of, load_game
from ka_env.record import Record, Recorder, load, save
from ka_env.training.arena import Plan, play_tournament
from ka_env.training.arena.faults import ArenaError
from ka_env.training.arena.records import rebuild
from ka_env.training.arena.store import Store
from ka_env.training.config import load_config
from ka_env.training.evaluate import winrate
from ka_env.training.run import Run

AGENTS = ["random", "honest", "ismcts:iterations=40"]
TRAINING = {
    "rules": ["kuhn"], "steps": 120_000, "games": 64, "rollout": 2048, "minibatch": 512, "hidden": [32],
    "evaluate_every": 1000, "final_pairs": 400, "tensorboard": False, "threads": 1,
}  # fmt: skip


@pytest.fixture(autouse=True)
def known(kuhn):
    return kuhn


def position(text, seed=0):
    return game_of("kuhn").Game.from_text(text, seed)


def dealt(seed=0, frame="long"):
    return game_of("kuhn").Game.deal(Setup.of("kuhn", frame), seed)


# ---- the seam -------------------------------------------------------------------------------------------------------


def test_the_ruleset_says_the_game(kuhn):
    assert "kuhn" in all_rulesets() and game_of("kuhn") is load_game("kuhn") is kuhn
    assert Setup.parse("kuhn/short") == Setup.of("kuhn", "short")
    assert Setup.of("kuhn").label == "kuhn/long"
    with pytest.raises(RulesetError, match=r"unknown frame 'shirt': .* did you mean 'short'"):
        Setup.parse("kuhn/shirt")


def test_two_games_may_not_share_a_name():
    class Twin:
        NAME, TITLE, WORD, SUFFIX, STYLES, FRAMES, ENVIRONMENTS = "twin", "Twin", "twin", ".twin", [], [], {}
        RULESETS = ["kuhn"]

    with pytest.raises(KaError, match="game 'twin': the game 'kuhn' has kuhn already"):
        add_game(Twin)
    with pytest.raises(KaError, match="is no game: it lacks NAME, TITLE"):
        add_game(object())


def test_missing_rooms_are_said():
    with pytest.raises(KaError, match="Kuhn poker brings no 'viewer'"):
        game_of("kuhn").room("viewer")
    with pytest.raises(KaError, match="Kuhn poker has no player 'greedy': expected honest"):
        record_game(["greedy", "random"], "kuhn")


# ---- rules ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("start", "moves", "end"),
    [
        ("KJ chips 0 left 0 turn 0 at 0 open", "check check", "KJ chips 1 left 0 turn 0 over"),
        ("KJ chips 0 left 0 turn 1 at 1 open", "bet call", "KJ chips 2 left 0 turn 1 over"),
        ("KJ chips 0 left 0 turn 1 at 1 open", "bet fold", "KJ chips -1 left 0 turn 1 over"),
        ("QK chips 1 left 0 turn 0 at 0 open", "check check", "QK chips 0 left 0 turn 0 over"),
        ("QK chips 1 left 0 turn 0 at 0 open", "check bet", "QK chips 1 left 0 turn 0 at 0 answer"),
    ],
)
def test_hands(start, moves, end):
    game = position(f"kuhn {start}")
    game.play(moves)
    assert game.to_text() == f"kuhn {end}\n"
    assert game.over == end.endswith("over")


def test_tokens_depend_on_the_position():
    game = position("kuhn KJ chips 0 left 1 turn 0 at 0 open")
    assert game.legal() == ["check", "bet"]
    with pytest.raises(IllegalMove, match="illegal move 'call': player 0 is at 'open' and may choose check bet"):
        game.play("call")
    with pytest.raises(NotationError, match=r"unknown token 'chek': .* did you mean 'check'"):
        game.play("chek")
    game.play("bet")
    assert game.legal() == ["fold", "call"] and game.action_id("call") == 1


def test_chance_is_a_list_of_events():
    game = position("kuhn KJ chips 0 left 1 turn 0 at 0 open")
    game.play("bet")
    assert game.last_random == []
    game.play("fold")
    ((name, _, cards),) = game.last_random
    assert name == "deal" and cards == game.cards()
    assert game.turn == game.player == 1
    with pytest.raises(IllegalMove, match="chance brings"):
        game.step_with(0, [("deal", None, "KJ")])


def test_perft():
    assert [perft(position("kuhn KJ chips 0 left 0 turn 0 at 0 open"), depth) for depth in range(5)] == [1, 2, 4, 5, 5]
    assert breakdown(position("kuhn KJ chips 0 left 0 turn 0 at 0 open"), 3) == {"check": 3, "bet": 2}
    assert perft(position("kuhn KJ chips 0 left 1 turn 0 at 0 open"), 99) == 25


def test_a_view_holds_no_secret():
    """The other one's card is drawn anew: no trace of the real one, and what the player sees stays the same."""
    real = position("kuhn KJ chips 0 left 1 turn 0 at 0 open")
    drawn = {PlayerView(real, 0, seed).sample(seed).cards() for seed in range(40)}
    assert drawn == {"KJ", "KQ"}
    for seed in range(5):
        assert (PlayerView(real, 0, seed).observation() == real.observation(0)).all()


# ---- environments ---------------------------------------------------------------------------------------------------


def test_pettingzoo():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        api_test(raw_env(ruleset="kuhn"), num_cycles=200)
        seed_test(lambda: raw_env(ruleset="kuhn"), num_cycles=50)
    assert pettingzoo.make("aec", "ka/kuhn-v0").unwrapped.engine.ruleset == "kuhn"


def test_pettingzoo_renders_the_text():
    env = raw_env(ruleset="kuhn", render_mode="ansi")
    env.reset(seed=1)
    assert env.render() == env.game.to_text() + "player 0, open: check bet\n"


def test_gymnasium():
    env = gymnasium.make("ka/Kuhnpoker-v0", opponent="honest").unwrapped
    assert isinstance(env, DuelEnv) and env.game.ruleset == "kuhn"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_env(env, skip_render_check=True)


def test_vector():
    env = DuelVectorEnv(32, ruleset="kuhn", opponent=["random", "honest"])
    seen, info = env.reset(seed=3)
    finished = 0
    for _ in range(40):
        assert seen.shape == (32, 9) and info["action_mask"].all()
        seen, rewards, over, _, info = env.step(np.ones(32, int))
        assert (rewards[~over] == 0).all()
        finished += over.sum()
    assert finished > 32


def test_stable_baselines():
    from sb3_contrib import MaskablePPO

    from ka_env.envs.sb3 import DuelVecEnv

    env = DuelVecEnv(16, ruleset="kuhn", seed=1)
    model = MaskablePPO("MlpPolicy", env, n_steps=32, batch_size=128, n_epochs=1, seed=1, device="cpu")
    model.learn(1024)
    assert len(model.ep_info_buffer) > 20


def test_openspiel():
    import pyspiel
    from open_spiel.python.algorithms import generate_playthrough

    from ka_env.envs import openspiel

    openspiel.register_all()
    game = pyspiel.load_game("python_ka_kuhn", {"frame": "short"})
    assert (game.num_distinct_actions(), game.max_game_length()) == (2, 18)
    pyspiel.random_sim_test(game, num_sims=5, serialize=True, verbose=False)
    text = generate_playthrough.playthrough("python_ka_kuhn(frame=short)", None, seed=1)
    assert 'StringLegalActions() = ["check", "bet"]' in text and "seed byte" in text


def test_batches_with_threads_are_the_same():
    one, two = (BatchEngine("kuhn", num_games=200, seed=5, threads=threads) for threads in (1, 2))
    for engine in (one, two):
        rng = np.arange(200, dtype=np.uint64)
        for _ in range(30):
            engine.step(engine.random_actions(rng))
            engine.reset_done()
    assert one.games.tobytes() == two.games.tobytes()


# ---- agents ---------------------------------------------------------------------------------------------------------


def test_honest_beats_random_and_search_beats_both():
    setup = Setup.of("kuhn")
    assert winrate("honest", "random", setup, 300, seed=1).low > 0.55
    assert winrate("ismcts:iterations=200", "random", setup, 100, seed=1).low > 0.5


def test_duels_draw_from_a_pool():
    duels = Duels(8, AGENTS, ruleset="kuhn", frame="short", seed=1)
    for _ in range(10):
        duels.step(duels.action_mask.argmax(axis=1))
        duels.deal_finished()
    assert {agent.name for agent in duels.opponents} == set(AGENTS)
    with pytest.raises(AgentError, match="did you mean 'honest'"):
        make_agent("honnest")


# ---- records --------------------------------------------------------------------------------------------------------


def test_records_go_round(tmp_path):
    records = [record_game(["honest", "ismcts:iterations=20"], "kuhn", seed=seed) for seed in range(4)]
    for name, some in (("one.kuhn", records[:1]), ("many.jsonl", records), ("many.parquet", records)):
        save(tmp_path / name, some)
        assert load(tmp_path / name) == some
    for record in records:
        assert Record.from_text(record.to_text()) == record
        assert record.replay().over
        assert record.notes  # visits of the search


def test_chance_is_written_down_and_read_back():
    recorder = Recorder(position("kuhn KJ chips 0 left 1 turn 0 at 0 open", seed=3))
    recorder.step(1)
    recorder.step(0, [("deal", None, "QK")])
    record = recorder.record()
    assert record.turns == ["bet fold deal QK"]
    assert record.replay().to_text() == "kuhn QK chips 1 left 0 turn 1 at 1 open\n"
    record.turns = ["bet fold"]
    with pytest.raises(IllegalMove, match="move 2: expected 'deal' and two cards, found 'the end'"):
        record.replay()
    record.turns = ["bet fold deal KK"]
    with pytest.raises(IllegalMove, match="move 2: deal 'KK': expected two different cards"):
        record.replay()


# ---- arena and training ---------------------------------------------------------------------------------------------


def test_arena(tmp_path):
    plan = Plan(AGENTS, (Setup.of("kuhn", "short"), Setup.of("kuhn", "long")), pairs=4, kind="gauntlet", seed=2)
    outcome = play_tournament(plan, tmp_path / "store.sqlite", workers=0, quiet=True)
    assert outcome.stored == 2 * 2 * 2 * 4
    with Store.read(tmp_path / "store.sqlite") as store:
        for row in store.rows():
            assert rebuild(store, row)[0].replay().over
    with pytest.raises(ArenaError, match="'kuhn' is known to this process only"):
        play_tournament(plan, tmp_path / "other.sqlite", workers=1, quiet=True)


def test_trainer_learns(tmp_path):
    run = Run(load_config(overrides=TRAINING), tmp_path / "run", quiet=True)
    path = run.train()
    rates = run.history[-1]["winrates"]
    assert list(rates) == ["random", "honest"]  # the usual baselines of this game
    assert rates["random"][1] > 0.6 and rates["honest"][0] > 0.45  # honest itself: 0.66, 0.5
    assert winrate(f"policy:{path}", "random", Setup.of("kuhn"), 300, seed=9).low > 0.6
    assert winrate(f"ismcts:net={path},iterations=30", "random", Setup.of("kuhn"), 50, seed=9).rate > 0.5


# ---- commands -------------------------------------------------------------------------------------------------------


def ka(capsys, *words):
    code = main([str(word) for word in words])
    out, err = capsys.readouterr()
    assert code == 0, err
    return out


def test_commands(capsys, tmp_path):
    assert ka(capsys, "show", "--ruleset", "kuhn").endswith("player 0, open: check bet\n")
    assert "What player 1 sees\n  card " in ka(capsys, "show", "--ruleset", "kuhn", "--viewer", 1)
    assert "    3               8\n" in ka(capsys, "perft", "--ruleset", "kuhn")
    game = ["--ruleset", "kuhn", "--players", "honest", "random", "--save", tmp_path / "a.kuhn"]
    assert "players  honest random" in ka(capsys, "demo", *game)
    told = ka(capsys, "replay", tmp_path / "a.kuhn")
    assert "Turn 2: player 1" in told and "deal " in told
    assert "1 games, 0 failed" in ka(capsys, "replay", "--verify", tmp_path / "a.kuhn")
    assert main(["play", "--plain", "--ruleset", "kuhn", "--save", str(tmp_path / "b.kuhn")]) == 2
    assert "Kuhn poker brings no 'people'" in capsys.readouterr().err


def test_arena_command(capsys, tmp_path):
    options = ["--pairs", 3, "--workers", 0, "--store", tmp_path / "s.sqlite"]
    assert "kuhn/long" in ka(capsys, "arena", "round-robin", "honest", "random", "--on", "kuhn", *options)
    page = (tmp_path / "s.html").read_text(encoding="utf-8")
    assert '.kuhn">record</a>' in page and ".html" not in page
    assert "6 games replayed" in ka(capsys, "arena", "export", tmp_path / "s.sqlite", "--out", tmp_path / "games")
    assert len(list((tmp_path / "games").glob("*.kuhn"))) == 6
    options[-1] = tmp_path / "l.sqlite"
    ladder = ka(capsys, "arena", "--preset", "ladder", "--quick", "--on", "kuhn/short", *options)
    assert all(name in ladder for name in ("random", "honest", "ismcts:iterations=100"))


def test_train_command(capsys, tmp_path):
    small = {"steps": 4096, "games": 32, "rollout": 1024, "minibatch": 256, "hidden": 8, "final_pairs": 8, "threads": 1}
    words = [word for key, value in small.items() for word in ("--set", f"{key}={value}")]
    told = ka(capsys, "train", "--on", "kuhn", *words, "--set", "tensorboard=false", "--out", tmp_path / "r", "--quiet")
    assert "win rate against honest" in told and "policy.npz honest --on kuhn/long" in told
    assert (tmp_path / "r" / "report.html").is_file()
