"""Huge and broken input: one clear line, soon and without much memory."""

import contextlib
import json
import zipfile

import numpy as np
import pytest

from ka_env import Game, cli
from ka_env.agents.nets import PolicyError, PolicyNet, trained_names
from ka_env.errors import KaError, NotationError
from ka_env.record import MOST_RECORD, load

WORD = "x" * 10_000_000


@pytest.fixture
def deal():
    return Game.new("8.0-lite", "entry20", seed=1).to_text()


def replay_all(path):
    for record in load(path):
        record.replay()


def one_line(capsys):
    (line,) = capsys.readouterr().err.strip().splitlines()
    assert len(line) < 5000
    return line


def test_positions(deal, tmp_path, capsys):
    for text in (WORD, deal + WORD, deal.replace("turn", WORD), deal + "# x\n" * 1_000_000):
        with pytest.raises(NotationError) as error:
            Game.from_text(text)
        assert len(str(error.value)) < 5000
        (tmp_path / "p.txt").write_text(text)
        assert cli.main(["show", str(tmp_path / "p.txt")]) == 2
        one_line(capsys)


def test_moves_and_names():
    game = Game.new("8.0-lite", "entry20", seed=1)
    for call in (game.play, game.action_id):
        with pytest.raises(KaError) as error:
            call(WORD)
        assert len(str(error.value)) < 5000
    with pytest.raises(KaError):
        Game.new(WORD)


def test_records(deal, tmp_path):
    head = "[ruleset 8.0-lite]\n[result -]\n[hash 0123456789abcdef]\n\n"
    for text in (
        head + deal + "\n" + WORD,
        head + f"[players {WORD}]\n" + deal,
        f"[{WORD} x]\n" + head + deal,
        head + "# comment\n" * 1_000_000 + deal + "# comment\n" * 200_000 + "\nattack " + "y" * 5_000_000,
        "z" * (MOST_RECORD + 1),
    ):
        (tmp_path / "game.ka").write_text(text)
        (tmp_path / "game.jsonl").write_text(json.dumps({"deal": deal, "moves": text}) + "\n")
        for name in ("game.ka", "game.jsonl"):
            with pytest.raises(KaError) as error:
                replay_all(tmp_path / name)
            assert len(str(error.value)) < 5000


def test_a_long_line_does_not_hide_the_others(tmp_path, deal):
    from ka_env.record import Recorder, entries

    row = json.dumps(Recorder(Game.from_text(deal)).record().to_row())
    (tmp_path / "games.jsonl").write_text(f"{row}\n{'y' * (5 * MOST_RECORD)}\n{row}\n")
    found = list(entries(tmp_path / "games.jsonl"))
    assert len(found) == 3
    found[0].read()
    with pytest.raises(NotationError, match=r"characters|no JSON"):
        found[1].read()
    found[2].read()


def test_broken_parquet(tmp_path):
    pytest.importorskip("pyarrow")
    from ka_env.record import Recorder, save

    path = tmp_path / "games.parquet"
    save(path, [Recorder(Game.new("8.0-lite", seed=2)).record()])
    whole = path.read_bytes()
    rng = np.random.default_rng(0)
    for trial in range(60):
        data = bytearray(whole[: rng.integers(len(whole))] if trial % 2 else whole)
        for place in rng.integers(len(data), size=8) if data else []:
            data[place] ^= 1 << rng.integers(8)
        path.write_bytes(bytes(data))
        with contextlib.suppress(KaError):
            replay_all(path)


# ---- policies -------------------------------------------------------------------------------------------------------


def odd_policy(tmp_path, **change):
    """A shipped policy with another card."""
    net = PolicyNet.load(trained_names()[0])
    net.card = {**net.card, **change}
    return net.save(tmp_path / "odd.npz")


NETWORKS = [
    {"kind": "mlp"}, {"kind": "mlp", "hidden": []}, {"kind": "mlp", "hidden": None}, {"kind": "mlp", "hidden": "256"},
    {"kind": "mlp", "hidden": [0]}, {"kind": "mlp", "hidden": [2**40]}, {"kind": "mlp", "hidden": [True]},
    {"kind": "entity"}, {"kind": "entity", "hidden": [64]}, {"kind": ["mlp"]}, {"kind": None}, [], None,
    {"kind": "entity", "hidden": [64], "width": 2**40}, {"kind": "entity", "hidden": [0], "width": 32},
]  # fmt: skip


@pytest.mark.parametrize("network", NETWORKS)
def test_odd_networks_on_the_card(network, tmp_path):
    with pytest.raises(PolicyError, match="the card is wrong"):
        PolicyNet.load(odd_policy(tmp_path, network=network))


@pytest.mark.parametrize(
    "change", [{"game": ["x"]}, {"game": None}, {"layout": {}}, {"num_actions": "198"}, {"observation_size": 2.5}]
)
def test_odd_facts_on_the_card(change, tmp_path):
    with pytest.raises(PolicyError, match="the card is wrong"):
        PolicyNet.load(odd_policy(tmp_path, **change))


def test_files_that_are_no_policies(tmp_path):
    path = tmp_path / "no.npz"

    def refused(message="is no policy file"):
        with pytest.raises(PolicyError, match=message):
            PolicyNet.load(path)

    with path.open("wb") as file:
        np.save(file, np.zeros(3))
    refused()
    card = np.frombuffer(("[" * 200_000).encode(), np.uint8)
    np.savez(path, card=card)
    refused()
    header = b"{'descr': '<f4', 'fortran_order': False, 'shape': (1099511627776,), }"
    with zipfile.ZipFile(path, "w") as file:
        npy = b"\x93NUMPY\x01\x00" + (len(header) + 1).to_bytes(2, "little") + header + b"\n"
        file.writestr("weights.npy", npy)
    refused()
    bomb = zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED)
    with bomb, bomb.open("weights.npy", "w", force_zip64=True) as member:
        for _ in range(1100):
            member.write(bytes(1 << 20))
    assert path.stat().st_size < 3 << 20
    refused("bytes when unpacked")
