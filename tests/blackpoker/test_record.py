"""Records: what is written replays; what was cut, edited or invented is refused, and the refusal names the move."""

import argparse
import json
import random
import re
from contextlib import suppress
from functools import cache
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ka_env import Game, IllegalMove, KaError, NotationError, record
from ka_env.blackpoker.codes import VERBS
from ka_env.blackpoker.deal import FRAMES
from ka_env.blackpoker.people.story import Teller, describe, told
from ka_env.blackpoker.text.tokens import action_id
from ka_env.commands import demo, replay
from ka_env.record import Record, Recorder, load, save
from tests.blackpoker.lists import LITE_AND_STD as RULESETS
from tests.examples import examples


def random_record(ruleset="8.0-lite", frame="entry20", seed=0, moves=10_000):
    """A random game and its record, cut off after so many moves."""
    rng = random.Random(f"{ruleset} {frame} {seed}")
    recorder = Recorder(Game.new(ruleset, frame, seed), frame, seed, "random random", "2025-03-31")
    while not recorder.game.over and moves:
        legal = recorder.game.legal()
        recorder.play("search" if "search" in legal else rng.choice(legal))
        moves -= 1
    return recorder.record(), recorder.game


SEARCH = """ka 1
rules 6.1-lite
turn 0
chance 0
life0 2s 3s 4s 5s
hand0 X1 8c
grave0 -
field0 -
life1 7h 8h
hand1 -
grave1 -
field1 -
"""


def search_record():
    recorder = Recorder(Game.from_text(SEARCH, seed=5))
    recorder.play("search 4s")
    recorder.play("end")
    return recorder.record(), recorder.game


def edited(rec, **changes):
    return Record.from_row({**rec.to_row(), **changes})


def number_of_moves(rec):
    return sum(1 for _ in rec.steps())


# ---- round trips ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("frame", FRAMES)
@pytest.mark.parametrize("ruleset", RULESETS)
@examples(6)
@given(seed=st.integers(0, 2**32), moves=st.integers(0, 400))
def test_random_games_round_trip(ruleset, frame, seed, moves):
    rec, game = random_record(ruleset, frame, seed, moves)
    again = Record.from_text(rec.to_text())
    assert again == rec
    assert again.to_text() == rec.to_text()
    assert again.replay().to_text() == game.to_text()
    assert Record.from_text(told(rec)) == rec


@pytest.mark.parametrize("ruleset", RULESETS)
def test_recording_a_replay_gives_the_same_record(ruleset):
    """Also where a life was shuffled: the replay's own random numbers differ, its positions don't."""
    shuffles = 0
    for seed in range(8):
        rec, game = random_record(ruleset, "full54", seed)
        about = {key: rec.headers[key] for key in ("frame", "seed", "players", "date")}
        recorder = Recorder(rec.start(), **about)
        for step in rec.steps():
            recorder.step(action_id(step.token), step.chance)
            assert recorder.game.to_text() == step.after.to_text()
            shuffles += len(step.chance)
        assert recorder.record().to_text() == rec.to_text()
        assert recorder.game.last_shuffle == game.last_shuffle
    assert shuffles


def test_every_line_is_one_turn():
    rec, _ = random_record("6.1-std", "full54", 3)
    turns = [{step.before.turn for step in rec.steps() if step.line == i} for i in range(len(rec.turns))]
    assert all(len(players) == 1 for players in turns)
    assert all(a != b for a, b in pairwise(turns))


def test_playing_several_tokens_is_all_or_nothing():
    recorder = Recorder(Game.new(seed=1))
    before = recorder.record()
    with pytest.raises(IllegalMove):
        recorder.play("attack pass yes")
    assert recorder.record() == before
    with pytest.raises(NotationError):
        recorder.play("atack")
    assert recorder.record() == before


def test_reading_is_generous_with_blanks_and_comments():
    rec, _ = search_record()
    text = rec.to_text().replace("\n", "  \r\n").replace("search", "# told here\n\n\tsearch\n#told there\n ")
    again = Record.from_text("# a comment first\n" + text)
    assert again.deal == rec.deal
    assert " ".join(again.turns) == " ".join(rec.turns)
    again.replay()


def test_a_stage_token_at_the_head_of_a_line_is_no_comment():
    rec, _ = random_record()
    assert edited(rec, moves="#0 pass\n# told\n#told").turns == ["#0 pass"]


# ---- shuffles -------------------------------------------------------------------------------------------------------


def test_any_shuffle_can_be_replayed():
    rec, _ = search_record()
    assert rec.turns[0].startswith("search 4s shuffle ")
    game = Game.from_text(SEARCH)
    game.play("search")
    search = game.legal_ids()[game.legal().index("4s")]
    for cards in (["5s", "2s", "3s"], ["2s", "3s", "5s"], ["3s", "5s", "2s"]):
        after = game.copy()
        after.step_with_shuffle(search, cards)
        assert after.last_shuffle == (0, tuple(cards))
        assert f"life0 {' '.join(cards)}\n" in after.to_text()


def test_a_wrong_shuffle_leaves_the_game_alone():
    game = Game.from_text(SEARCH)
    game.play("search")
    before = game.copy()
    for cards in ([], ["2s", "3s"], ["2s", "3s", "4s"], ["2s", "3s", "3s"], ["2s", "3s", "zz"]):
        with pytest.raises(IllegalMove, match="2s 3s 5s"):
            game.step_with_shuffle(game.legal_ids()[2], cards)
    with pytest.raises(IllegalMove):
        game.step_with_shuffle(0, ["2s", "3s", "5s"])
    assert game == before


def test_taking_the_last_life_card_needs_no_shuffle():
    recorder = Recorder(Game.from_text(SEARCH.replace("life0 2s 3s 4s 5s", "life0 2s")))
    recorder.play("search")
    rec = recorder.record()
    assert rec.turns == ["search"]
    assert rec.replay().result == (0, 1)


@pytest.mark.parametrize(
    ("moves", "complaint"),
    [
        ("search 4s end", "move 2: expected 'shuffle'"),
        ("search 4s", "move 2: expected 'shuffle'"),
        ("search 4s shuffle 2s 3s", "move 2: .*expected the rest of player 0's life.* 2s 3s 5s"),
        ("search 4s shuffle 2s 3s end", "move 2: .*2s 3s 5s"),
        ("search 4s shuffle 2s 3s 4s end", "move 2: .*2s 3s 5s"),
        ("search 4s shuffle 2s 3s 5s 5s end", "move 3: illegal move '5s'"),
        ("search shuffle 2s 3s 5s end", "move 2: 'shuffle' belongs right after"),
        ("shuffle 2s", "move 1: 'shuffle' belongs"),
        ("search 7s shuffle 2s 3s 5s end", "move 2: illegal move '7s'"),
    ],
)
def test_a_wrong_shuffle_is_refused(moves, complaint):
    rec, _ = search_record()
    with pytest.raises(IllegalMove, match=complaint):
        edited(rec, moves=moves).replay()


# ---- what does not replay -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_cut_record_is_refused_with_the_missing_move(ruleset):
    rec, _ = random_record(ruleset, "half27", 1)
    starts = [step.number for step in rec.steps() if step.line == len(rec.turns) - 1]
    cut = edited(rec, moves="\n".join(rec.turns[:-1]))
    with pytest.raises(
        IllegalMove, match=f"^move {starts[0]} is missing: the record says result {rec.headers['result']}"
    ):
        cut.replay()


def test_a_text_cut_anywhere_is_refused():
    rec, _ = random_record("6.1-lite", "half27", 2)
    text = rec.to_text()
    for end in range(0, len(text.rstrip()), 7):
        with pytest.raises((NotationError, IllegalMove)):
            Record.from_text(text[:end]).replay()


def test_an_edited_move_is_refused_with_its_number():
    rec, _ = random_record("8.0-std", "entry20", 4)
    words = " ".join(rec.turns).split()
    for i, step in enumerate(rec.steps()):
        wrong = next(t for t in VERBS + ["yes", "one"] if t not in step.before.legal())
        with pytest.raises(
            IllegalMove, match=f"^move {i + 1}: illegal move '{wrong}': player {step.before.player} is at"
        ):
            edited(rec, moves=" ".join([*words[:i], wrong, *words[i + 1 :]])).replay()
        with pytest.raises(NotationError, match=f"^move {i + 1}: unknown token 'solder'"):
            edited(rec, moves=" ".join([*words[:i], "solder", *words[i + 1 :]])).replay()


def complaint_about(rec):
    """What replaying says; empty if it replays."""
    try:
        rec.replay()
    except IllegalMove as error:
        return str(error)
    return ""


def test_another_legal_move_is_found_out():
    """By a later move, by the result or by the hash. Only another way to the very same position passes."""
    rec, _ = random_record("6.1-std", "entry20", 5)
    words = " ".join(rec.turns).split()
    complaints = []
    for i, step in enumerate(rec.steps()):
        for other in set(step.before.legal()) - {step.token}:
            changed = edited(rec, moves=" ".join([*words[:i], other, *words[i + 1 :]]))
            complaints.append((complaint_about(changed), i + 1))
    refused = [(text, move) for text, move in complaints if text]
    assert len(refused) > 0.9 * len(complaints)
    assert all(int(re.match(r"move (\d+)\b", text)[1]) >= move for text, move in refused)


def test_moves_after_the_end_are_refused():
    rec, _ = random_record()
    moves = number_of_moves(rec)
    with pytest.raises(IllegalMove, match=f"^move {moves + 1}: illegal move 'pass': the game is over"):
        edited(rec, moves="\n".join([*rec.turns, "pass"])).replay()


def test_a_wrong_result_hash_or_ruleset_is_refused():
    rec, _ = random_record()
    moves = number_of_moves(rec)
    other = {"1 0": "0 1", "0 1": "1 0"}[rec.headers["result"]]
    for wrong in (other, "0.5 0.5", "-"):
        with pytest.raises(
            IllegalMove, match=f"^move {moves}: the record says result {wrong}, but .* {rec.headers['result']}"
        ):
            edited(rec, result=wrong).replay()
    with pytest.raises(IllegalMove, match=f"^move {moves}: the record says hash 0{{16}}, but .* {rec.headers['hash']}"):
        edited(rec, hash="0" * 16).replay()
    with pytest.raises(NotationError, match=r"header says ruleset 8\.0-std, but the deal says 8\.0-lite"):
        edited(rec, ruleset="8.0-std").replay()


def test_an_unfinished_game_is_recorded_as_such():
    rec, game = random_record(moves=9)
    assert rec.headers["result"] == "-"
    assert rec.replay().to_text() == game.to_text()
    with pytest.raises(IllegalMove, match=r"^move 9: the record says hash"):
        edited(rec, hash="0" * 16).replay()
    with pytest.raises(IllegalMove, match=r"^move 10 is missing"):
        edited(rec, result="1 0").replay()


# ---- what can't be read ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("[result", "[reslt", "unknown header 'reslt'.*did you mean 'result'"),
        ("[result 1 0]", "", "header 'result' is missing"),
        ("[result 1 0]", "[result 2 0]", "result '2 0' is none of"),
        ("[result 1 0]", "[result 1 0", r"line 5: can't read header '\[result 1 0'"),
        ("[result 1 0]", "[result]", "line 5: can't read header"),
        ("[seed 2]", "[ruleset 8.0-lite]", "line 3: the header 'ruleset' occurs twice"),
        ("[frame entry20]", "[frame entry2]", "frame 'entry2' is none of .*did you mean 'entry20'"),
        ("[date 2025-03-31]", "[date 2025-31-03]", "date '2025-31-03': expected year-month-day"),
        ("[hash ", "[hash x", "expected 16 hex digits"),
        ("players random", "players \ud800", "can't be printed"),
        ("\nturn ", "\ntrun ", "deal: position: line 3: unknown line 'trun'"),
        ("\nka 1\n", "\n", "the line 'ka' is missing"),
    ],
)
def test_unreadable_records(old, new, complaint):
    text = random_record(seed=2)[0].to_text().replace("[result 0 1]", "[result 1 0]")
    assert old in text
    with pytest.raises(NotationError, match=complaint):
        Record.from_text(text.replace(old, new)).replay()


def test_numbers_of_any_length_in_the_deal():
    rec, _ = search_record()
    for field in ("0:b7d", "stage 0:0.end", "0:s7d~+1"):
        long = field.replace("0:", "1" * 5000 + ":", 1).replace("+1", "+" + "1" * 5000)
        old, new = ("stage -", long) if "stage" in field else ("field0 -", f"field0 {long}")
        assert old in rec.deal
        with pytest.raises(NotationError, match=r"^record: deal: "):
            edited(rec, deal=rec.deal.replace(old, new)).replay()


def test_a_record_without_a_deal():
    with pytest.raises(NotationError, match=r"the deal .* is missing"):
        Record.from_text("[ruleset 8.0-lite]\n")


@cache
def texts_to_spoil():
    return [search_record()[0].to_text(), *(random_record(ruleset, "half27")[0].to_text() for ruleset in RULESETS)]


def refused_or_replayed(read):
    """The only two ways out."""
    with suppress(KaError):
        read().replay()


PIECES = st.sampled_from(
    ["pass", "end", "u0", "#0", "7h", "X1", "shuffle", "search", "-", "\n", " ", "[result", "]", "0"]
)


@examples(300)
@given(st.data())
def test_fuzzed_texts_only_raise_our_errors(data):
    text = data.draw(st.sampled_from(texts_to_spoil()))
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(start, min(len(text), start + 30)))
        text = text[:start] + data.draw(PIECES | st.text(max_size=6)) + text[end:]
    refused_or_replayed(lambda: Record.from_text(text))


@examples(100)
@given(st.text() | st.binary().map(lambda data: data.decode("latin-1")))
def test_any_text_only_raises_our_errors(text):
    refused_or_replayed(lambda: Record.from_text(text))
    refused_or_replayed(lambda: Record.from_json(text))


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(), lambda x: st.lists(x, max_size=3), max_leaves=5
)


@examples(100)
@given(st.dictionaries(st.sampled_from([*Game.HEADERS, "deal", "moves", "other"]), JSON) | JSON)
def test_any_row_only_raises_our_errors(changes):
    row = search_record()[0].to_row()
    refused_or_replayed(lambda: Record.from_row({**row, **changes} if isinstance(changes, dict) else changes))
    refused_or_replayed(lambda: Record.from_json(json.dumps(changes)))


def test_json_too_deep_or_too_long():
    for text in ("[" * 100_000, "1" * 10_000, "{", "NaN"):
        with pytest.raises(NotationError):
            Record.from_json(text)


# ---- files ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def records():
    return [random_record(ruleset, "half27", seed)[0] for ruleset in RULESETS for seed in range(2)]


def test_jsonl_round_trip(records, tmp_path):
    save(tmp_path / "games.jsonl", records)
    rows = [json.loads(line) for line in (tmp_path / "games.jsonl").read_text().splitlines()]
    assert all(list(row) == [*Game.HEADERS, "deal", "moves"] for row in rows)
    assert load(tmp_path / "games.jsonl") == records


def test_parquet_round_trip(records, tmp_path):
    pytest.importorskip("pyarrow")
    save(tmp_path / "games.parquet", records)
    assert load(tmp_path / "games.parquet") == records
    (tmp_path / "bad.parquet").write_bytes(b"no parquet")
    with pytest.raises(NotationError, match="no Parquet file"):
        load(tmp_path / "bad.parquet")


def test_parquet_without_pyarrow_names_the_extra(records, tmp_path, monkeypatch):
    def no_module(name):
        raise ImportError(name)

    monkeypatch.setattr(record, "import_module", no_module)
    with pytest.raises(KaError, match=r"\[parquet\]"):
        save(tmp_path / "games.parquet", records)
    with pytest.raises(KaError, match=r"\[parquet\]"):
        load(tmp_path / "games.parquet")


def test_a_ka_file_holds_one_game(records, tmp_path):
    save(tmp_path / "game.ka", records[:1])
    assert load(tmp_path / "game.ka") == records[:1]
    with pytest.raises(NotationError, match="holds one game, not 8"):
        save(tmp_path / "game.ka", records)
    with pytest.raises(NotationError, match="unknown kind of file"):
        save(tmp_path / "game.txt", records)


def test_a_bad_line_is_named(records, tmp_path):
    path = tmp_path / "games.jsonl"
    save(path, records)
    lines = path.read_bytes().splitlines()
    for bad in (b'{"deal": 3}', b"\xff", b"[]"):
        path.write_bytes(b"\n".join([lines[0], bad, lines[1]]))
        with pytest.raises(NotationError, match=r"games\.jsonl: game 2: record: "):
            load(path)


# ---- words ----------------------------------------------------------------------------------------------------------


def test_moves_in_words():
    game = Game.from_text(SEARCH)
    assert describe(game, "end") == "P0 announces End"
    assert describe(game, "search") == "P0 announces Search"
    game.play("search")
    assert describe(game, "4s") == "P0 takes 4♠ from the life"
    assert [line.text for line in Teller().tell(game, "4s")] == ["P0: Search Joker1 takes 4♠ from the life"]
    game.play("4s")
    with pytest.raises(IllegalMove):
        describe(game, "7h")
    with pytest.raises(NotationError):
        describe(game, "nonsense")


@pytest.mark.parametrize("ruleset", RULESETS)
def test_every_legal_move_has_words(ruleset):
    for seed in range(3):
        for step in random_record(ruleset, "full54", seed)[0].steps():
            for legal in step.before.legal():
                words = describe(step.before, legal)
                assert words.startswith(f"P{step.before.player} ")
                assert "{" not in words


def test_words_name_units_and_requests():
    game = Game.from_text(
        "ka 1\nrules 6.1-std\nturn 0\nchance 1\nlife0 2h 3h\nhand0 -\ngrave0 -\nfield0 0:bAs 1:s5c+Kc\n"
        "life1 2h 3h\nhand1 4d 9h 9c Tc X1\ngrave1 -\nfield1 0:sX2\nstage 0:0.soldier(Th)\n"
    )
    game.play("counter")
    assert describe(game, "9c") == "P1 names 9♣ as the key"
    game = Game.from_text(game.to_text().replace("pending", "# pending"))
    game.play("twist")
    assert describe(game, "e1") == "P1 aims at P0's 5♣+K♣"
    assert describe(game, "e0") == "P1 aims at P0's bulwark 0 (A♠)"
    assert describe(game, "u0") == "P1 aims at P1's Joker2"


# ---- commands -------------------------------------------------------------------------------------------------------


def run(command, *words):
    parser = argparse.ArgumentParser()
    command.arguments(parser)
    return command.run(parser.parse_args([str(word) for word in words]))


def test_replay_tells_a_game(tmp_path, capsys):
    rec, game = search_record()
    save(tmp_path / "game.ka", [rec])
    assert run(replay, tmp_path / "game.ka") == 0
    out = capsys.readouterr().out
    assert "P0 takes 4♠ from the life" in out
    assert "Turn 1: P0 (life 4-2, hand 2-0)" in out
    assert "\x1b" not in out
    assert game.to_text() not in out
    assert run(replay, "--positions", tmp_path / "game.ka") == 0
    out = capsys.readouterr().out
    for step in rec.steps():
        assert step.after.to_text() in out


def test_replay_stops_at_the_bad_move(tmp_path, capsys):
    rec, _ = search_record()
    save(tmp_path / "game.ka", [edited(rec, moves=rec.turns[0].replace("end", "ace"))])
    with pytest.raises(IllegalMove, match=r"game.ka: move 3: illegal move 'ace'"):
        run(replay, tmp_path / "game.ka")
    assert "takes 4♠" in capsys.readouterr().out


def test_verify_counts_and_names_what_fails(records, tmp_path, capsys):
    good, bad = tmp_path / "good.jsonl", tmp_path / "bad.jsonl"
    save(good, records)
    assert run(replay, "--verify", good) == 0
    assert capsys.readouterr().out == "8 games, 0 failed\n"
    save(bad, [records[0], edited(records[1], moves="end end"), records[2], edited(records[3], hash="0" * 16)])
    assert run(replay, "--verify", good, bad, tmp_path / "none.ka", tmp_path / "odd.txt") == 1
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 5
    assert f"{bad}: game 2: move 2: illegal move 'end'" in lines[0]
    assert f"{bad}: game 4: move {number_of_moves(records[3])}: the record says hash" in lines[1]
    assert lines[2].startswith(f"{tmp_path / 'none.ka'}: ")
    assert lines[3].startswith(f"{tmp_path / 'odd.txt'}: ")
    assert lines[4] == "14 games, 4 failed"


@pytest.mark.parametrize("ruleset", RULESETS)
def test_demo_plays_the_same_game_for_the_same_seed(ruleset, tmp_path, capsys):
    path = tmp_path / "demo.ka"
    assert run(demo, "--ruleset", ruleset, "--seed", 3, "--save", path) == 0
    out = capsys.readouterr().out
    (rec,) = load(path)
    final = rec.replay()
    assert final.over
    assert out.endswith(final.to_text())
    assert run(demo, "--ruleset", ruleset, "--seed", 3) == 0
    assert capsys.readouterr().out == out
    assert run(demo, "--ruleset", ruleset, "--seed", 4) == 0
    assert capsys.readouterr().out != out
