"""Records `.bm`: chance events in the text, replays without random numbers, clear refusals."""

import random

import pytest

from ka_env.bluemoon import RULESETS, Game
from ka_env.errors import KaError
from ka_env.record import Record, Recorder, load, save


def recorded(ruleset, frame, seed):
    recorder = Recorder(Game.new(ruleset, frame, seed=seed), seed=seed, players="random random")
    rng = random.Random(seed)
    while not recorder.game.over:
        recorder.step(rng.choice(recorder.game.legal_ids()))
    return recorder


@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize("frame", ["mimix-buka", "aqua-khind"])
def test_round_trip(ruleset, frame, tmp_path):
    recorder = recorded(ruleset, frame, 5)
    record = recorder.record()
    text = record.to_text()
    assert text.splitlines()[0] == f"[rules {ruleset}]"
    read = Record.from_text(text)
    assert read.to_text() == text
    assert read.replay().to_text() == recorder.game.to_text()
    save(tmp_path / "game.bm", [record])
    assert load(tmp_path / "game.bm")[0].to_text() == text
    assert Record.from_row(record.to_row()).to_text() == text


def test_every_event_replays():
    names = set()
    for seed in range(30):
        record = recorded("base", ("mimix-khind", "buka-hoax", "aqua-mimix")[seed % 3], seed).record()
        for step in record.steps():
            names |= {event[0] for event in step.chance}
            assert step.after.last_random == step.chance
    assert names == {"shuffle", "hit", "found"}


def edits(text, rng):
    """A record with a word taken out, doubled, exchanged, or cut off."""
    head, _, moves = text.rpartition("\n\n")
    words = moves.split(" ")
    i = rng.randrange(len(words))
    kind = rng.randrange(4)
    if kind == 0:
        del words[i]
    elif kind == 1:
        words.insert(i, words[i])
    elif kind == 2:
        words[i] = rng.choice(["H1", "K5", "done", "yes", "shuffle0", "hit1", "found0", "starter1", "f0", "zz", "-"])
    else:
        words = words[:i]
    return head + "\n\n" + " ".join(words)


def test_edited_records_are_refused_or_replay():
    rng = random.Random(3)
    refused = 0
    texts = [recorded("base", frame, 2).record().to_text() for frame in ("mimix-buka", "khind-hoax")]
    texts.append(recorded("base/match", "aqua-mimix", 2).record().to_text())
    for k in range(150):
        try:
            Record.from_text(edits(texts[k % 3], rng)).replay()
        except KaError:
            refused += 1
    assert refused > 120


def test_a_record_begins_at_begin():
    """Also where there is nothing to decide before the fight; replayed it comes to the same first decision."""
    phases = set()
    for seed in range(12):
        game = Game.new("base", "khind-buka", seed=seed)
        record = Recorder(game).record()
        assert record.deal.splitlines()[4] == "phase begin"
        assert record.start().to_text() == game.to_text()
        phases.add(game.to_text().splitlines()[4])
        game.play(game.legal()[-1])
        assert Recorder(game).record().deal == game.to_text()
    assert len(phases) > 1


def test_wrong_crystals_are_refused():
    record = recorded("base", "mimix-buka", 2).record()
    won = record.headers["crystals"]
    record.headers["crystals"] = " ".join(reversed(won.split()))
    with pytest.raises(
        KaError, match=rf"the record says crystals {record.headers['crystals']}, .* ends here with {won}"
    ):
        record.replay()
    record.headers["crystals"] = "-"
    assert record.replay().over


def test_refusals_name_the_move():
    text = recorded("base", "mimix-buka", 2).record().to_text()
    head, _, moves = text.rpartition("\n\n")
    words = moves.split()
    with pytest.raises(KaError, match=r"move \d+"):
        Record.from_text(head + "\n\n" + " ".join(words[: len(words) // 2])).replay()
    with pytest.raises(KaError, match="move 1"):
        Record.from_text(head + "\n\nretreat").replay()
