"""Observations hold what a player may know: no more (leak tests), and no less (completeness tests)."""

import os
import random
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from ka_env import BatchEngine, Game, NotationError
from ka_env.blackpoker import kernels
from ka_env.blackpoker.knowledge.observe import ENTITIES, OFFSET, SECTIONS
from ka_env.blackpoker.knowledge.observe import ENTITIES as ENTITY_TABLE
from ka_env.blackpoker.knowledge.observe import SIZE as OBSERVATION_SIZE
from ka_env.blackpoker.people.environment_docs import TABLES, sections_markdown
from ka_env.engine.loops import SETTLE
from ka_env.envs.aec import observation_box
from ka_env.game import NOT_SEEN
from tests.blackpoker.lists import LITE_AND_STD as RULESETS
from tests.project.docs import between_markers

from .knowledge import MUTATIONS, Nothing, mirror, mutated, parse, push, redraw, unparse, view
from .reference import random_position

FRAMES = ["entry20", "full54", "deck40", "half27"]
LEGAL = ["legal"]
each_ruleset = pytest.mark.parametrize("ruleset", RULESETS)


def everything(game, p):
    """All that p is given: the vector and the entities, as bytes."""
    return game.observation(p).tobytes(), b"".join(array.tobytes() for array in game.entities(p).values())


def random_games(ruleset, count, seed, steps=12):
    """Games some way into play, from rich random positions and from deals, long stages among them."""
    rng = random.Random(f"{ruleset} {seed}")
    for i in range(count):
        if i % 4 == 3:
            game = Game.new(ruleset, rng.choice(FRAMES), seed=rng.randrange(10**6))
            steps_here = rng.randrange(80)
        else:
            text = random_position(ruleset, rng)
            if i % 4 == 2:
                text = grown(text, rng)
            game = Game.from_text(text)
            steps_here = rng.randrange(steps)
        for _ in range(steps_here):
            trial = game.copy()
            if not trial.over:
                trial.step(rng.choice(trial.legal_ids()))
            if trial.over and rng.random() < 0.9:
                break
            game = trial
        yield game, rng


def grown(text, rng):
    """The same with up to seven more requests on the stage, if it can be read."""
    position = parse(text)
    try:
        for _ in range(rng.randrange(1, 8)):
            push(position, rng.randrange(2), rng)
        Game.from_text(unparse(position))
    except (Nothing, NotationError):
        return text
    return unparse(position)


# ---- no more: in bulk -----------------------------------------------------------------------------------------------


def batch_of(ruleset, start, count):
    """A batch of dealt games, or of random positions."""
    engine = BatchEngine(ruleset, "full54" if start == "position" else start, num_games=count, seed=11)
    if start == "position":
        rng = random.Random(ruleset)
        for i in range(count):
            engine.games[i] = Game.from_text(random_position(ruleset, rng), seed=i).state
        kernels.step_games(engine.games, 1, np.full(count, SETTLE), *engine._outputs, NOT_SEEN)
    return engine


def entity_buffers(count):
    return {name: np.zeros((count, *shape), np.int16) for name, (shape, _) in ENTITIES.items()}


def observe_all(games, players, out, entities):
    kernels.observe_games(games, 1, players, out)
    kernels.entities_games(games, players, tuple(entities.values()))


def assert_same_rows(a, b, engine, games, what):
    if np.array_equal(a, b):
        return
    i = int(np.flatnonzero((a != b).reshape(len(a), -1).any(axis=1))[0])
    places = np.argwhere(a[i] != b[i])[:8].tolist()
    redrawn = Game(games[i : i + 1].copy()).to_text()
    raise AssertionError(f"{what} leaks at {places}\n{engine.game(i).to_text()}\nlooks different as\n{redrawn}")


@pytest.mark.parametrize("start", [*FRAMES, "position"])
@each_ruleset
def test_nothing_hidden_is_seen(ruleset, start):
    """At every decision of many games, for both players: re-draw what the player can't know, and nothing changes."""
    count = 250
    engine = batch_of(ruleset, start, count)
    moves = np.arange(1, count + 1, dtype=np.uint64)
    truth, redrawn = np.empty((2, count, OBSERVATION_SIZE), np.float32)
    entities, entities_redrawn = entity_buffers(count), entity_buffers(count)
    decisions = changed = 0
    while not engine.done.all():
        for p in range(2):
            players = np.full(count, p, np.int8)
            games = engine.games.copy()
            kernels.determinize_games(games, players, np.arange(count, dtype=np.uint64) + np.uint64(decisions))
            observe_all(engine.games, players, truth, entities)
            observe_all(games, players, redrawn, entities_redrawn)
            assert_same_rows(truth, redrawn, engine, games, "the observation")
            for name in ENTITIES:
                assert_same_rows(entities[name], entities_redrawn[name], engine, games, name)
            mine = engine.to_play == p
            for name in LEGAL:
                assert_same_rows(engine.games[name][mine], games[name][mine], engine, games, "the mask")
            changed += int((games["life"] != engine.games["life"]).any(axis=(1, 2)).sum())
        decisions += int((~engine.done).sum())
        engine.step(engine.random_actions(moves))
    assert decisions > 20 * count if start != "position" else decisions > 5 * count
    assert changed > decisions, "hardly anything was drawn anew"


@each_ruleset
def test_games_that_look_alike_become_the_same_redraw(ruleset):
    """A re-draw depends on what its player knows and on its seed, not on the hidden truth: bit by bit."""
    count = 200
    for frame in FRAMES:
        engine = BatchEngine(ruleset, frame, num_games=count, seed=5)
        moves = np.arange(1, count + 1, dtype=np.uint64)
        while not engine.done.all():
            for p in range(2):
                players = np.full(count, p, np.int8)
                other, first, second = engine.games.copy(), engine.games.copy(), None
                kernels.determinize_games(other, players, moves + np.uint64(1))
                second = other.copy()
                kernels.determinize_games(first, players, moves)
                kernels.determinize_games(second, players, moves)
                assert first.tobytes() == second.tobytes()
                assert other.tobytes() != first.tobytes()
            engine.step(engine.random_actions(moves))


# ---- no more: by hand, from the rules -------------------------------------------------------------------------------


@each_ruleset
def test_hidden_cards_exchanged_by_hand(ruleset):
    """The same without the engine's own re-drawing: hidden cards are exchanged in the text, as the rules say."""
    compared = Counter()
    for game, rng in random_games(ruleset, 240, "by hand"):
        text = game.to_text()
        for p in range(2):
            changed = redraw(text, p, rng)
            assert view(changed, p) == view(text, p)
            try:
                other = Game.from_text(changed)
            except NotationError:  # the enemy is deciding, and the new hand does not allow that decision
                assert game.player != p
                continue
            if other.player != game.player or view(other.to_text(), p) != view(text, p):
                assert game.player != p  # the same, but the decision is now a forced one
                continue
            assert everything(other, p) == everything(game, p), f"player {p}\n{text}\n{other.to_text()}"
            if game.player == p:
                assert np.array_equal(other.action_mask(), game.action_mask())
            compared[game.player == p] += changed != text
    assert compared[True] > 150
    assert compared[False] > 60


# ---- no less --------------------------------------------------------------------------------------------------------


@each_ruleset
def test_single_facts(ruleset):
    """Change one fact of a text: the observation changes exactly if the player's view of the text does."""
    seen, unseen = Counter(), Counter()
    for game, rng in random_games(ruleset, 70, "facts"):
        text = game.to_text()
        for name in MUTATIONS:
            changed = mutated(text, name, rng.randrange(2), rng)
            if changed is None or changed == text:
                continue
            try:
                other = Game.from_text(changed)
            except NotationError:
                continue
            now = other.to_text()
            for p in range(2):
                same = view(now, p) == view(text, p)
                vector, entities = (a == b for a, b in zip(everything(other, p), everything(game, p)))
                told = f"{name}, player {p}\n{text}\n{now}"
                assert vector == same, f"the observation {'hides' if vector else 'leaks'} {told}"
                assert entities == same, f"the entities {'hide' if entities else 'leak'} {told}"
                (unseen if same else seen)[name] += 1
    hardly = {"result", "order_in_unit", "pending_word_dropped", "pending_changed", "pending_action", "pending_kind"}
    hardly |= {"blocks", "stage_action", "pending_gone", "stage_order", "stage_player", "attacker"}
    no_fog = {"fog_link", "fog_card_added"}
    hidden = {"order_of_life"}  # a known place goes with its card, so this text is refused or looks the same
    fog_only = {"size_change"}  # without a change of the fog it is refused there
    missing = set(MUTATIONS) - set(seen) - hardly - hidden - (no_fog if ruleset.startswith("6.1") else fog_only)
    assert not missing, f"never seen to make a difference: {sorted(missing)}"
    assert {"order_of_life", "known_dropped", "known_added", "life_card_to_hand"} & set(unseen)


def test_every_kind_of_fact_was_changed():
    """The rarer facts, in positions made for them; each changes the observation of both players."""
    stage = "stage 0:0.damage 1:1.down(3s)>0.3 2:0.counter(9c)>#1 3:1.twist(4d)>0.0 4:1.twist(5d)>1.0\n"
    fight = (
        "ka 1\nrules 8.0-std\nturn 0\nchance 0\npassed 1\nused attack\n"
        "life0 7h Kd 2s 8h\nhand0 As 6c 2h Th\ngrave0 9d 4c\nfield0 0:b7d 1:s5c+Kc/d^ 3:s9h/d^\nfog0 5h>-\n"
        "life1 2s Jh 3c\nhand1 4s 5s 6h\ngrave1 8d\nfield1 0:bQs&3 2:s7c&1 4:s8c 31:b9c\nfog1 -\n"
        f"{stage}known0 -\nknown1 -\n"
    )
    changes = {
        "order in a unit": ("s5c+Kc", "sKc+5c"),
        # a blocker of an attacker that is none is refused: these two change together
        "attacker": (("3:s9h/d^", "3:s9h/d"), ("0:bQs&3", "0:bQs")),
        "blocks nobody": ("2:s7c&1", "2:s7c"),
        "block another": (("2:s7c&1", "2:s7c&3"), ("0:bQs&3", "0:bQs&1")),
        "far slot": ("31:b9c", "30:b9c"),
        "far unit driven": ("31:b9c", "31:b9c/d"),
        "far unit came": ("31:b9c", "31:b9c*"),
        "far unit, kind": ("31:b9c", "31:s9c"),
        "deep request, owner": ("1:1.down(3s)", "1:0.down(3s)"),
        "deep request, action": ("0:0.damage", "0:0.block"),
        "deep request, key": ("1:1.down(3s)", "1:1.down(Ts)"),
        "deep request, target": ("1:1.down(3s)>0.3", "1:1.down(3s)>0.1"),
        "deep request, target gone": ("1:1.down(3s)>0.3", "1:1.down(3s)>-"),
        "request aimed at, another": ("(9c)>#1", "(9c)>#0"),
        "top target": ("(5d)>1.0", "(5d)>1.31"),
        "used": ("used attack", "used bulwark attack"),
        "nobody passed": ("passed 1", "passed -"),
    }
    assert_each_is_seen(fight, changes)

    over = fight.replace("chance 0", "chance -").replace("passed 1", "passed -").replace("8.0-std", "6.1-std")
    over = over.replace("fog0 5h>-", "fog0 -") + "result 1 0\n"
    assert_each_is_seen(over, {"lost": ("result 1 0", "result 0 1"), "drawn": ("result 1 0", "result 0.5 0.5")})


PENDING = (
    "ka 1\nrules 8.0-std\nturn 0\nchance 0\npassed -\nused -\n"
    "life0 7h Kd 2s 8h\nhand0 {hand}\ngrave0 9d\nfield0 {field}\nfog0 -\n"
    "life1 2s Jh 3c\nhand1 4s 5s 6h\ngrave1 8d\nfield1 0:bQs 2:s7c 4:s8c\nfog1 -\n"
    "stage {stage}\nknown0 -\nknown1 -\npending {pending}\n"
)


def test_every_detail_of_a_pending_decision_is_seen():
    walls = "0:bAc/d 1:b2c/d 2:b3c 3:b4c 4:s9h 5:b5c"
    hero = PENDING.format(hand="Jc Qc Kc Kh 5h", field=walls, stage="-", pending="pay_bulwark hero paid=1 slot=0")
    assert_each_is_seen(hero, {"slot": ("slot=0", "slot=1"), "nothing paid": ("paid=1 slot=0", "paid=0")})
    verbs = PENDING.format(hand="Jc Qc 4h 5h", field=walls, stage="-", pending="pay_bulwark hero paid=0")
    assert_each_is_seen(verbs, {"soldier": ("hero", "soldier"), "equip": ("hero", "equip")})
    keys = PENDING.format(hand="5d 7d Th Jh", field=walls, stage="-", pending="key destroy paid=0 keys=5h")
    assert_each_is_seen(keys, {"key": ("keys=5h", "keys=6h"), "first key": (" keys=5h", "")})
    aim = PENDING.format(hand="5d 7d", field=walls, stage="-", pending="target lance paid=0 keys=5s,6d")
    assert_each_is_seen(aim, {"second key": ("5s,6d", "5s,8d"), "first key": ("5s,6d", "7s,6d")})
    attack = PENDING.format(
        hand="5d", field="0:s9h 1:s5c 2:s6c 12:s6h", stage="0:0.attack", pending="attackers picked=0"
    )
    assert_each_is_seen(attack, {"another": ("=0", "=1"), "two": ("=0", "=0,1"), "none": (" picked=0", "")})
    block = PENDING.format(
        hand="5d", field="0:s9h^ 1:s5c^ 2:s6c 12:s6h^", stage="0:0.block", pending="blockers attacker=0"
    ).replace("chance 0", "chance 1")
    assert_each_is_seen(block, {"another": ("attacker=0", "attacker=1"), "far": ("attacker=0", "attacker=12")})
    lance = PENDING.format(
        hand="5d", field="0:s9h+2h+3h+4h", stage="0:0.lance(5s,3d)>0.0", pending="lance_order order=9h"
    )
    changes = {"another": ("=9h", "=2h"), "two": ("=9h", "=9h,2h"), "none": (" order=9h", "")}
    assert_each_is_seen(lance, changes | {"order of two": ("=9h", "=2h,9h")})
    twist = PENDING.format(hand="5d", field="0:s9h", stage="0:0.twist(3d)>0.0", pending="twist")
    assert_each_is_seen(twist, {"no decision under way": ("pending twist\n", "")})


def assert_each_is_seen(text, changes):
    """Every change of the text changes both players' observations; all of them differ from each other."""
    game = Game.from_text(text)
    texts = {game.to_text(): "as it is"}
    for p in range(2):
        found = {everything(game, p)[0]: "as it is"}
        by_entity = {everything(game, p)[1]: "as it is"}
        for name, pairs in changes.items():
            changed = text
            for old, new in [pairs] if isinstance(pairs[0], str) else pairs:
                assert old in changed, name
                changed = changed.replace(old, new)
            other = Game.from_text(changed)
            texts[other.to_text()] = name
            vector, entities = everything(other, p)
            assert vector not in found, f"player {p} can't tell {name!r} from {found[vector]!r}"
            assert entities not in by_entity, f"player {p} can't tell {name!r} from {by_entity[entities]!r} by entity"
            found[vector] = by_entity[entities] = name
    assert len(texts) == len(changes) + 1


@each_ruleset
def test_views_and_observations_correspond(ruleset):
    """Over many states that differ a little (each position, all its next ones, and re-draws of both):
    equal observations have equal views, and different ones different views."""
    by_view, by_vector, by_entities = {}, {}, {}
    states = alike = 0
    for game, rng in random_games(ruleset, 40, "groups", steps=30):
        family = [game]
        for action in game.legal_ids()[:10]:
            child = game.copy()
            child.step(action)
            family.append(child)
        family += [g.determinize(p, rng.randrange(10**9)) for g in family[:4] for p in range(2)]
        for member in family:
            text = member.to_text()
            for p in range(2):
                seen = view(text, p)
                vector, entities = everything(member, p)
                states += 1
                alike += seen in by_view
                assert by_view.setdefault(seen, (vector, entities)) == (vector, entities), f"player {p} sees\n{seen}"
                assert by_vector.setdefault(vector, seen) == seen
                assert by_entities.setdefault(entities, seen) == seen
    assert states > 700
    assert alike > states // 10
    assert len(by_view) > states // 4


@each_ruleset
def test_seats_are_alike(ruleset):
    """With the players' numbers exchanged, each sees what the other saw."""
    for game, _ in random_games(ruleset, 40, "mirror"):
        other = Game.from_text(mirror(game.to_text()))
        for p in range(2):
            assert everything(other, 1 - p) == everything(game, p), game.to_text()
        assert np.array_equal(other.action_mask(), game.action_mask())


def test_what_the_enemy_knows_is_not_told():
    game = Game.new("8.0-std", "full54", seed=1)
    text = game.to_text()
    card = parse(text)["hand0"][0]
    other = Game.from_text(text.replace("known1 -", f"known1 {card}@hand"))
    assert everything(other, 0) == everything(game, 0)
    assert everything(other, 1) != everything(game, 1)


def test_lists_that_both_know():
    """entry20 and full54 are known to both; of another list a player only knows the own one."""
    for frame, unseen in (("entry20", 18), ("full54", 53), ("deck40", 53), ("half27", 53)):
        game = Game.new("8.0-lite", frame, seed=3)
        for p in range(2):
            row = game.observation(p)
            told = (row[OFFSET["enemy_hidden"] : OFFSET["enemy_hidden"] + 54] == 0.25).sum()
            graves = len(parse(game.to_text())[f"grave{1 - p}"]) - 1  # ties of the first flip
            assert told == unseen - graves


# ---- form -----------------------------------------------------------------------------------------------------------


def test_sections_lie_side_by_side():
    at = 0
    for section in SECTIONS:
        assert section.offset == at
        assert section.length > 0
        assert section.meaning
        at += section.length
    assert at == OBSERVATION_SIZE
    assert len({section.name for section in SECTIONS}) == len(SECTIONS)


@each_ruleset
def test_numbers_stay_in_the_box(ruleset):
    box = observation_box(OBSERVATION_SIZE)
    largest = 0.0
    for game, _ in random_games(ruleset, 60, "box"):
        for p in range(2):
            row = game.observation(p)
            assert row.dtype == np.float32
            assert box.contains(row)
            largest = max(largest, float(np.abs(row).max()))
    assert largest < 12


def test_every_section_is_used():
    used = np.zeros(OBSERVATION_SIZE, bool)
    for ruleset in RULESETS:
        for game, _ in random_games(ruleset, 100, "sections", steps=40):
            for p in range(2):
                used |= game.observation(p) != 0
    empty = [s.name for s in SECTIONS if not used[s.offset : s.offset + s.length].any()]
    assert set(empty) <= {"order", "own_far_units", "enemy_far_units"}  # rare: the tests above make them


def test_observations_of_either_player_at_any_time():
    """Also of the one who isn't deciding, and after the end; the batch and the single game agree."""
    engine = BatchEngine("6.1-std", "half27", num_games=16, seed=2)
    moves = np.arange(1, 17, dtype=np.uint64)
    while True:
        for p in range(2):
            rows = engine.observe(players=np.full(16, p, np.int8))
            entities = engine.observe_entities(players=np.full(16, p, np.int8))
            for i in range(0, 16, 5):
                game = engine.game(i)
                assert np.array_equal(rows[i], game.observation(p))
                for name, array in game.entities(p).items():
                    assert array.dtype == np.int16
                    assert np.array_equal(entities[name][i], array)
        if engine.done.all():
            break
        deciders = engine.observe()
        running = ~engine.done
        both = np.stack([engine.observe(players=np.full(16, p, np.int8)) for p in range(2)])
        assert np.array_equal(deciders[running], both[engine.to_play[running], np.flatnonzero(running)])
        assert not deciders[~running].any()
        engine.step(engine.random_actions(moves))
    won = rows[:, OFFSET["result"] : OFFSET["result"] + 3]
    assert np.array_equal(
        won.argmax(axis=1), np.select([engine.rewards[:, 1] == 1, engine.rewards[:, 1] == -1], [0, 1], 2)
    )
    with pytest.raises(ValueError, match="player must be 0 or 1"):
        engine.game(0).observation(2)


INTERPRETED = """
import sys
import numpy as np
from ka_env.blackpoker import kernels
from ka_env.blackpoker.knowledge.observe import SIZE as OBSERVATION_SIZE
from ka_env.blackpoker.state import blank
from tests.blackpoker.test_observation import entity_buffers, observe_all
records = np.load(sys.argv[1])
games = blank(len(records))
games.view(np.uint8).reshape(records.shape)[:] = records
for p in range(2):
    out, entities = np.empty((len(games), OBSERVATION_SIZE), np.float32), entity_buffers(len(games))
    observe_all(games, np.full(len(games), p, np.int8), out, entities)
    np.savez(f"{sys.argv[1]}.{p}.npz", observation=out, **entities)
"""


def test_interpreted_observations_are_the_same(tmp_path):
    """Also without compiling, as in a debugger."""
    games = [game for ruleset in RULESETS for game, _ in random_games(ruleset, 15, "interpreted", steps=30)]
    path = tmp_path / "records.npy"
    np.save(path, np.stack([np.frombuffer(game.state.tobytes(), np.uint8) for game in games]))
    done = subprocess.run(
        [sys.executable, "-c", INTERPRETED, str(path)],
        cwd=Path(__file__).parents[2],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    for p in range(2):
        told = np.load(f"{path}.{p}.npz")
        for i, game in enumerate(games):
            for name, array in {"observation": game.observation(p), **game.entities(p)}.items():
                assert np.array_equal(told[name][i], array), f"{name} of player {p}\n{game.to_text()}"


def test_entity_table():
    assert ENTITY_TABLE is ENTITIES
    game = Game.new("8.0-lite", "entry20", seed=0)
    for name, array in game.entities(0).items():
        shape, meanings = ENTITIES[name]
        assert array.shape == shape
        assert len(meanings) == shape[-1]


@pytest.mark.parametrize("name", list(TABLES))
def test_the_page_has_the_tables_of_the_code(name):
    """If not: python -m ka_env.blackpoker.people.environment_docs docs/environment.md"""
    assert between_markers(name) == TABLES[name]().strip()


def test_the_tables_name_every_section():
    page = sections_markdown()
    for section in SECTIONS:
        assert re.search(rf"\| `{section.name}` \| {section.offset}\D+{section.length} \|", page)
