"""`ka serve`: the socket, its trust and its limits, by a client that speaks the protocol; see test_serve_pages.py."""

import json
import random
import re
import threading
import time

import numpy as np
import pytest
import uvicorn
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from ka_env import agents
from ka_env.agents import Agent
from ka_env.blackpoker.cards import NAMES
from ka_env.blackpoker.people.story import SUIT_SIGNS
from ka_env.cli import main
from ka_env.commands import serve
from ka_env.games import Setup, game_of, packages
from ka_env.record import Record
from ka_env.serve import protocol, stress, words
from ka_env.serve.guard import Guard
from ka_env.serve.limits import Bucket, Limits, TooMuch
from ka_env.serve.protocol import BadMessage, read
from tests import PATIENCE
from tests.people.serving import TOKEN, Served

OTHER = "http://elsewhere.example"


@pytest.fixture(scope="module")
def served():
    with Served(Limits(per_second=10_000, burst=10_000, games=100, refused=10_000)) as server:
        yield server


@pytest.fixture
def client(served):
    with served.client() as one:
        yield one


# ---- who may come in ------------------------------------------------------------------------------------------------


def test_only_the_link_opens_the_door(served):
    assert served.get("/")[0] == 403
    assert served.get("/?token=wrong")[0] == 403
    assert served.get("/files/play.js")[0] == 403
    status, headers, _ = served.get(f"/?token={TOKEN}")
    assert status == 303 and headers["Location"] == "/"
    cookies = headers.get_all("Set-Cookie")
    assert len(cookies) == 2 and all("HttpOnly" in one and "SameSite=lax" in one for one in cookies)
    assert TOKEN not in headers["Location"]
    cookie = served.enter()
    status, headers, text = served.get("/", cookie)
    assert status == 200 and "/files/lobby.js" in text
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy and "unsafe" not in policy and "frame-ancestors 'none'" in policy
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert "http" not in text.replace('http-equiv="', "")  # nothing from elsewhere


@pytest.mark.parametrize("headers", [{"Host": "evil.example"}, {"Origin": OTHER}, {"Origin": "null"}])
def test_other_hosts_and_origins_are_refused(served, headers):
    assert served.get("/", served.enter(), **headers)[0] == 403
    assert served.get(f"/?token={TOKEN}", **headers)[0] == 403


@pytest.mark.parametrize("origin", [None, OTHER, "null", "http://127.0.0.1", "http://127.0.0.1:1"])
def test_sockets_of_other_pages_are_refused(served, origin):
    address = f"ws://127.0.0.1:{served.port}/socket"
    with pytest.raises(InvalidStatus, match="403"):
        connect(address, origin=origin, additional_headers={"Cookie": served.enter()}).close()
    with pytest.raises(InvalidStatus, match="403"):  # the right page without the cookie
        connect(address, origin=served.address).close()


def test_tables_are_their_owners(served, client):
    client.play()
    assert served.get(f"/table/{client.table}", client.cookie)[0] == 200
    stranger = served.enter()
    for page in ("table", "record", "replay"):
        assert served.get(f"/{page}/{client.table}", stranger)[0] == 404
    with served.client(stranger) as other:
        assert other.ask("sit", table=client.table)["is"] == "error"
    assert served.get("/files/app.py", client.cookie)[0] == 404
    assert served.get("/games/blackpoker/declaration.py", client.cookie)[0] == 404
    assert served.get("/games/nothing/table.js", client.cookie)[0] == 404


# ---- messages -------------------------------------------------------------------------------------------------------

ODD = [
    "",
    "nonsense",
    "[]",
    "null",
    '{"do": 1}',
    '{"do": "dance"}',
    '{"do": "choose"}',
    '{"do": "choose", "at": "0", "tokens": ["pass"]}',
    '{"do": "choose", "at": -1, "tokens": ["pass"]}',
    '{"do": "choose", "at": true, "tokens": ["pass"]}',
    '{"do": "choose", "at": 99999, "tokens": ["pass"]}',
    '{"do": "choose", "at": 0, "tokens": []}',
    '{"do": "choose", "at": 0, "tokens": "pass"}',
    '{"do": "choose", "at": 0, "tokens": ["no such token"]}',
    '{"do": "choose", "at": 0, "tokens": ["\\u0000"]}',
    '{"do": "choose", "at": 0, "tokens": ["pass", "pass", "pass", "pass", "pass"]}',
    '{"do": "choose", "at": 0, "tokens": ["pass"], "more": 1}',
    '{"do": "undo", "at": 0}',
    '{"do": "passing", "mode": "never"}',
    '{"do": "sit", "table": "somewhere"}',
    '{"do": "rematch"}',
    '{"do": "lesson", "game": "blackpoker", "number": 77, "language": "en"}',
    '{"do": "lesson", "game": "chess", "number": 0, "language": "en"}',
    '{"do": "opponents", "ruleset": "8.0-lite", "frame": "entry2", "language": "en"}',
    '{"do": "new", "ruleset": "8.0-lit", "frame": "entry20", "opponent": "random", "seat": "first", "language": "en"}',
    '{"do": "new", "ruleset": "8.0-lite", "frame": "x", "opponent": "random", "seat": "first", "language": "en"}',
    '{"do": "new", "ruleset": "8.0-lite", "frame": "entry20", "opponent": "python:os:system", "seat": "first",'
    ' "language": "en"}',
    '{"do": "new", "ruleset": "8.0-lite", "frame": "entry20", "opponent": "policy:/etc/passwd.npz", "seat": "first",'
    ' "language": "en"}',
    '{"do": "new", "ruleset": "8.0-lite", "frame": "custom", "opponent": "random", "seat": "first", "language": "en"}',
    '{"do": "new", "ruleset": "8.0-lite", "frame": "entry20", "opponent": "random", "seat": "third", "language": "en"}',
    '{"do": "new", "ruleset": "8.0-lite", "frame": "entry20", "opponent": "random", "seat": "first", "language": "xx"}',
    '{"do": "new", "ruleset": "8.0-lite", "frame": "entry20", "opponent": "random", "seat": "first", "language": "en",'
    ' "deck": "As"}',
    json.dumps({"do": "sit", "table": "x" * 9000}),
    "[" * 5000,
    b"\x00\x01",
]


@pytest.mark.parametrize("data", ODD, ids=lambda data: repr(data)[:60])
def test_odd_messages_get_an_error_and_change_nothing(client, data):
    before = client.play()
    assert before["number"] == 0
    tables = len(client.served.lobby)
    client.raw(data)
    answer = client.hear()
    assert answer["is"] == "error" and answer["text"], answer
    assert client.sit(client.table) == before
    assert len(client.served.lobby) == tables


def test_illegal_and_late_answers_change_nothing(client):
    before = client.play()
    legal = {option["token"] for option in before["options"]}
    for tokens in (["#0"], ["u31"], ["done"], ["pass", "pass"]):
        assert tokens[0] not in legal or len(tokens) > 1
        assert client.ask("choose", at=before["number"], tokens=tokens)["is"] == "error"
    assert client.sit(client.table) == before
    after = client.choose(before, "end")
    late = client.ask("choose", "error", at=before["number"], tokens=["end"])
    assert "has changed" in late["text"] and after["number"] > before["number"]


def test_far_too_long_messages_end_the_connection_and_nothing_else(served, client):
    before = client.play()
    client.raw(" " * (served.limits.frame + 1))
    with pytest.raises(ConnectionClosed):
        client.hear()
    with served.client(client.cookie) as again:
        assert again.sit(client.table) == before


def test_reading_messages():
    for fields in protocol.SAYINGS.values():
        assert all(isinstance(field, protocol.Field) for field in fields.values())
    assert read('{"do":"resign"}', 100) == {"do": "resign"}
    with pytest.raises(BadMessage, match="did you mean 'resign'"):
        read('{"do":"resing"}', 100)
    with pytest.raises(BadMessage, match="at most 10 bytes"):
        read('{"do":"resign"}', 10)
    with pytest.raises(BadMessage, match="needs the field 'at'"):
        read('{"do":"undo"}', 100)


# ---- hidden cards stay on the server --------------------------------------------------------------------------------


def blackpoker_secrets(game, seat):
    """The opponent's cards that the seat can't know, as the position text tells; every card exists once in half27."""
    facts = {line.split()[0]: line.split()[1:] for line in game.to_text().splitlines()}
    other = 1 - seat
    known = {word[:2] for word in facts[f"known{seat}"] if "@own" not in word}
    units = [word.partition(":")[2] for word in facts[f"field{other}"]]
    bulwarks = [unit[1:3] for unit in units if unit.startswith("b")]
    return {*facts[f"life{other}"], *facts[f"hand{other}"], *bulwarks} - known - {"-"}


def blackpoker_words(card):
    rank, suit = card
    return card if rank == "X" else f"{rank.replace('T', '10')}{SUIT_SIGNS[suit]}"


def blackpoker_codes(position):
    """Every card on the table that was sent, whatever zone it is in."""
    codes = [text for text in strings(position) if len(text) == 3 and text[:2] in NAMES]
    assert all(code[2] in "123" for code in codes)
    return {code[:2] for code in codes}


def bluemoon_secrets(game, seat):
    facts = {line.split()[0]: line.split()[1:] for line in game.to_text().splitlines()}
    other = 1 - seat
    known = {word.partition("@")[0] for word in facts.get(f"known{seat}", [])}
    down = [word[1:] for word in facts[f"support{other}"] if word.startswith("?")]
    closed = [word for word in facts[f"hand{other}"] if not word.endswith("!")]
    return {*facts[f"deck{other}"], *closed, *down} - known - {"-"}


def bluemoon_codes(position):
    sides = position["sides"]
    marked = [code for side in sides for zone in ("deck", "hand") for code in side[zone]]
    marked += [card["code"] for side in sides for zone in ("combat", "support") for card in side[zone]]
    rest = [
        {key: value for key, value in side.items() if key not in ("deck", "hand", "combat", "support")}
        for side in sides
    ]
    whys = [card["why"] for side in sides for zone in ("combat", "support") for card in side[zone]]
    words = re.findall(r"[A-Z]\d+", " ".join(strings([rest, whys, position["hyla"]])))
    return {code[:-1] for code in marked} | set(words)


def strings(data):
    if isinstance(data, str):
        yield data
    elif isinstance(data, (list, dict)):
        for one in data.values() if isinstance(data, dict) else data:
            yield from strings(one)


def told_cards(message, cards, names_of, codes_of):
    """Which of some cards a message tells; what depends on no deal (`facts`) may name every card."""
    rest = {key: value for key, value in message.items() if key not in ("facts", "position")}
    text = "\n".join(strings(rest))
    found = {card for card in cards if re.search(rf"(?<![A-Za-z0-9]){re.escape(names_of(card))}(?!\d)", text)}
    return found | (codes_of(message["position"]) & cards if "position" in message else set())


def played_out(client, message, rng, look, most=400):
    """Play at random to the end; `look(messages)` sees what came with every answer."""
    for _ in range(most):
        message = client.until_asked(message)
        look()
        if message["end"] != "running":
            return message
        if rng.random() < 0.1:
            assert client.ask("hint", "hint", "error", at=message["number"])["is"] == "hint"
        option = rng.choice(message["options"])
        handles = [tokens for _, tokens in option["handles"]]
        message = client.choose(
            message, *(rng.choice(handles) if handles and rng.random() < 0.5 else [option["token"]])
        )
    return message


@pytest.mark.parametrize("number", range(2))
@pytest.mark.parametrize("ruleset", ["8.0-std", "6.1-std", "base"])
def test_no_message_tells_a_card_that_the_seat_cannot_know(served, client, ruleset, number):
    """Every message is read. All cards of both players differ here, so a name found is a card told."""
    rng = random.Random(f"{ruleset} {number}")
    frame = {"base": rng.choice(["hoax-buka", "buka-hoax", "vulca-buka"])}.get(ruleset)
    decks = {}
    if frame is None:  # one deck split between the players
        cards = [*NAMES]
        rng.shuffle(cards)
        frame, decks = "custom", {"deck": " ".join(cards[:27]), "their_deck": " ".join(cards[27:54])}
    secrets_of = bluemoon_secrets if ruleset == "base" else blackpoker_secrets
    reading = (str, bluemoon_codes) if ruleset == "base" else (blackpoker_words, blackpoker_codes)
    first = client.play(
        ruleset, rng.choice(["random", "greedy"]), rng.choice(["first", "second"]), frame=frame, **decks
    )
    table = client.server_table
    hidden = secrets_of(table.game, table.seat)
    seen, looked, checked = 0, 0, 0

    def look():
        """A message may tell what was known at some time, never what has been hidden all the time."""
        nonlocal hidden, seen, looked, checked
        for game in [*(step[0] for step in table.steps[seen:]), table.game]:
            hidden &= secrets_of(game, table.seat)
        for message in client.heard[looked:]:
            assert not told_cards(message, hidden, *reading), message
        seen, looked, checked = len(table.steps), len(client.heard), checked + len(hidden)

    played_out(client, first, rng, look)
    assert checked > 100 and looked > 10


RULESETS = ["8.0-lite", "8.0-std", "6.1-std", "8.0-mast", "6.1-mast", "8.0-pro+rare", "8.0-std+pack", "8.0-lite+setup"]


@pytest.mark.parametrize("ruleset", [*RULESETS, "base", "base+opt"])
def test_what_is_sent_depends_on_nothing_hidden(ruleset):
    """Whatever a player can't know is drawn anew: the table, choices and their places stay the same."""
    room, people = game_of(ruleset).room("viewer"), game_of(ruleset).room("people")
    rng = random.Random(ruleset)
    compared = 0
    for seed in range(3):
        setup = Setup.of(ruleset)
        game = setup.game.Game.deal(setup, seed)
        while not game.over and compared < 200:
            for seat in range(2):
                other = game.determinize(seat, rng.randrange(1000))
                assert room.table_data(game, seat) == room.table_data(other, seat)
                if game.player == seat:
                    assert game.legal() == other.legal()
                    for token in game.legal():
                        assert room.handles(game, token) == room.handles(other, token)
                        assert people.label(game, token, seat) == people.label(other, token, seat)
                    assert room.quiet_answer(game) == room.quiet_answer(other)
                compared += 1
            game.play(rng.choice(game.legal()))
    assert compared > 100


def test_the_record_tells_all_and_is_given_when_the_game_is_over(served, client):
    message = client.play()
    assert not message["can"]["record"]
    assert served.get(f"/record/{client.table}", client.cookie)[0] == 404
    assert served.get(f"/replay/{client.table}", client.cookie)[0] == 404
    ended = client.ask("resign", "table")
    assert ended["end"] == "resigned" and ended["can"]["record"] and not ended["options"]
    status, headers, text = served.get(f"/record/{client.table}", client.cookie)
    assert status == 200 and headers["Content-Disposition"].endswith('.ka"')
    assert Record.from_text(text).replay().to_text() == client.server_table.game.to_text()
    status, headers, page = served.get(f"/replay/{client.table}", client.cookie)
    assert status == 200 and "sandbox" in headers["Content-Security-Policy"] and 'id="viewer"' in page
    assert client.ask("resign")["is"] == "error"


# ---- playing --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("ruleset", "language"), [("8.0-lite", "en"), ("base", "ja"), ("8.0-pro+pack", "ja")])
def test_whole_games_replay_from_their_records(served, client, ruleset, language):
    rng = random.Random(ruleset)
    message = played_out(client, client.play(ruleset, "greedy", "random", language), rng, lambda: None)
    assert message["end"] == "over" and message["result"]
    _, _, text = served.get(f"/record/{client.table}", client.cookie)
    record = Record.from_text(text)
    assert record.replay().over
    assert sorted(record.headers["players"].split()) == ["greedy", "human"]
    assert record.headers["seed"] == str(client.server_table.recorder._about["seed"])


def test_deals_are_fresh(client):
    seeds = set()
    for _ in range(4):
        client.play()
        seeds.add(client.server_table.recorder._about["seed"])
    assert len(seeds) == 4 and all(int(seed) > 10_000 for seed in seeds)


def test_seats_and_rematch(client):
    first = client.play(seat="first")
    assert client.server_table.began and first["options"]
    client.ask("resign", "table")
    seated = client.ask("rematch", "seated", "error")
    assert seated["is"] == "seated"
    client.sit(seated["table"])
    assert not client.server_table.began
    client.ask("resign", "table")
    client.sit(client.ask("rematch", "seated")["table"])
    assert client.server_table.began


@pytest.mark.parametrize("seat", ["first", "second"])
def test_decks_stay_with_their_players_whoever_begins(client, seat):
    message = client.play("base", "random", seat, frame="hoax-vulca")
    sides = message["position"]["sides"]
    assert sides[message["seat"]]["people"] == "Hoax" and sides[1 - message["seat"]]["people"] == "Vulca"
    client.ask("resign", "table")
    message = client.sit(client.ask("rematch", "seated")["table"])
    assert message["position"]["sides"][message["seat"]]["people"] == "Hoax"


def test_taking_back(client):
    message = client.play(seat="first")
    seat = message["seat"]
    before = {key: message[key] for key in ("position", "options", "ask")}
    story = message["told"]
    after = client.until_asked(client.choose(message, "end"))
    assert after["position"] != before["position"] and after["can"]["undo"]
    back = client.ask("undo", "table", at=after["number"])
    assert {key: back[key] for key in before} == before
    assert back["from"] == len(story) and not back["can"]["undo"]
    assert client.ask("undo", at=back["number"])["is"] == "error"
    again = client.until_asked(client.choose(back, "end"))  # the same luck again: nobody fishes for better cards
    assert again["position"]["sides"][seat]["hand"] == after["position"]["sides"][seat]["hand"]
    whole = client.sit(client.table)
    assert whole["told"][: len(story)] == story and len(whole["told"]) > len(story)


def test_a_half_made_request_is_taken_back_first(client):
    rng = random.Random(5)
    message = client.until_asked(client.play(seat="first"))
    while message["draft"] is None:
        option = rng.choice(message["options"])
        before, message = message, client.until_asked(client.choose(message, option["token"]))
        assert message["end"] == "running"
    assert message["draft"]["text"]
    back = client.ask("undo", "table", at=message["number"])
    assert back["draft"] is None and back["options"] == before["options"] and back["position"] == before["position"]


def test_hints_tell_how_the_choices_were_weighed(client):
    message = client.until_asked(client.play(opponent="random"))
    hint = client.ask("hint", "hint", at=message["number"])
    tokens = {option["token"]: option["label"] for option in message["options"]}
    assert hint["token"] in tokens and tokens[hint["token"]] in hint["text"] and "%" in hint["text"]
    assert {token for token, _ in hint["weights"]} <= set(tokens)
    best = max(hint["weights"], key=lambda pair: pair[1])
    assert best[0] == hint["token"]
    message = client.until_asked(client.play("8.0-mast"))  # no network is trained for it: a search is asked
    hint = client.ask("hint", "hint", at=message["number"])
    assert "lines it tried" in hint["text"]


def test_passing_by_itself_and_stopping(client):
    """With auto-pass no quiet question is asked; `ask` asks them all; `once` asks the next one only."""
    rng = random.Random(2)

    def quiet():
        return client.server_table.viewer.quiet_answer(client.server_table.game)

    def wander(message, moves=40):
        for _ in range(moves):
            message = client.until_asked(message)
            if message["end"] != "running":
                return
            yield message, bool(quiet()) and not message["draft"]
            message = client.choose(message, rng.choice(message["options"])["token"])

    assert not any(asked for _ in range(2) for _, asked in wander(client.play("8.0-std", "greedy")))
    found = []
    for _ in range(4):
        message = client.play("8.0-std", "greedy")
        message = client.ask("passing", "table", mode="ask")
        found += [asked for _, asked in wander(message)]
    assert any(found)
    found = []
    for _ in range(4):
        message = client.play("8.0-std", "greedy")
        message = client.ask("passing", "table", mode="once")
        found.append(sum(asked for _, asked in wander(message)))
    assert set(found) <= {0, 1} and 1 in found


def test_another_language_retells_the_story(client):
    message = client.until_asked(client.play(language="en"))
    message = client.until_asked(client.choose(message, "end"))
    english = client.sit(client.table)
    japanese = client.sit(client.table, language="ja")
    assert japanese["language"] == "ja" and len(japanese["told"]) == len(english["told"])
    assert all(ja[0] != en[0] for ja, en in zip(japanese["told"], english["told"]))
    assert client.sit(client.table, language="en")["told"] == english["told"]


def test_two_windows_see_the_same_table(served, client):
    message = client.until_asked(client.play())
    with served.client(client.cookie) as second:
        assert second.sit(client.table)["options"] == message["options"]
        client.choose(message, "end")
        assert second.hear("table")["number"] > message["number"]


def test_a_lost_connection_resumes(served, client):
    message = client.until_asked(client.play())
    message = client.until_asked(client.choose(message, "end"))
    whole = client.sit(client.table)
    client.socket.close()
    with served.client(client.cookie) as again:
        resumed = again.sit(client.table)
        assert resumed == whole
        again.table = client.table
        assert again.choose(resumed, resumed["options"][0]["token"])["number"] > resumed["number"]


def test_own_decks(client):
    deck = "As 2s 3s 4s 5s 6s 7s 8s 9s Ts Js Qs Ks Ah 2h 3h 4h 5h 6h 7h 8h 9h Th Jh Qh Kh X1"
    theirs = "Ad 2d 3d 4d 5d 6d 7d 8d 9d Td Jd Qd Kd Ac 2c 3c 4c 5c 6c 7c 8c 9c Tc Jc Qc Kc X2"
    for seat in ("first", "second"):
        message = client.play("8.0-std", seat=seat, frame="custom", deck=deck, their_deck=theirs)
        own = [code[:2] for code in message["position"]["sides"][message["seat"]]["hand"]]
        assert own and set(own) <= set(deck.split())
    fields = {"ruleset": "8.0-std", "frame": "custom", "opponent": "random", "seat": "first", "language": "en"}
    answer = client.ask("new", "error", "seated", **fields, deck="As As", their_deck=theirs)
    assert answer["is"] == "error" and "twice" in answer["text"]


# ---- agents ---------------------------------------------------------------------------------------------------------


class Broken(Agent):
    def act_one(self, game, observation, mask, view):
        raise ZeroDivisionError("out of order")


class Cheat(Agent):
    def act_one(self, game, observation, mask, view):
        return int(np.flatnonzero(~mask)[0])


class Slow(Agent):
    """Waits for `go`."""

    go = threading.Event()

    def act_one(self, game, observation, mask, view):
        assert self.go.wait(PATIENCE)
        return int(np.flatnonzero(mask)[0])


@pytest.fixture
def with_agents():
    for agent in (Broken, Cheat, Slow):
        agents.register(f"test-{agent.__name__.lower()}", agent)
    Slow.go.clear()
    yield
    Slow.go.set()
    for agent in (Broken, Cheat, Slow):
        del agents.registry._registered[f"test-{agent.__name__.lower()}"]


@pytest.mark.parametrize(("name", "word"), [("test-broken", "out of order"), ("test-cheat", "not legal")])
def test_a_broken_agent_ends_its_game_alone(served, client, with_agents, name, word):
    with served.client() as other:
        begun = other.play()
        message = client.play(opponent=name, seat="second")
        while message["end"] == "running":
            message = client.hear("table")
        assert message["end"] == "failed" and word in message["result"] and not message["options"]
        assert client.ask("undo", at=message["number"])["is"] == "error"
        assert other.choose(begun, "end")["end"] == "running"
    assert client.play()["end"] == "running"


def test_agents_think_outside_the_event_loop(served, client, with_agents):
    waiting = client.play(opponent="test-slow", seat="second")
    assert not waiting["options"] and "thinking" in waiting["ask"]
    assert client.ask("choose", at=waiting["number"], tokens=["pass"])["is"] == "error"
    with served.client() as other:
        message = other.until_asked(other.play())
        other.choose(message, "end")  # is answered while the slow one thinks
    assert client.ask("resign", "table")["end"] == "resigned"  # one needn't wait
    Slow.go.set()
    served.settle()
    assert client.sit(client.table)["end"] == "resigned"  # a late answer changes nothing


# ---- limits ---------------------------------------------------------------------------------------------------------


def test_games_connections_and_messages_are_limited():
    limits = Limits(games=2, connections=2, tables=3, burst=25, per_second=0.001, refused=5)
    with Served(limits) as served, served.client() as client:
        client.play()
        client.play()
        fields = {"ruleset": "8.0-lite", "frame": "entry20", "opponent": "random", "seat": "first"}
        assert "end one of them" in client.ask("new", **fields, language="en")["text"]
        client.ask("resign", "table")
        client.play()
        with (
            served.client(client.cookie),
            pytest.raises(Exception, match=r"403|1008"),
            served.client(client.cookie),
        ):
            pass
        with served.client() as other:  # the oldest table makes room
            other.play()
            assert len(served.lobby) == 3
        for _ in range(25):
            client.say("lobby", language="en")
        with pytest.raises(ConnectionClosed):  # after too many errors in a row
            client.hear("nothing that is ever sent")
        kinds = [message["is"] for message in client.heard]
        assert "lobby" in kinds and kinds[-5:] == ["error"] * 5


def test_the_bucket_refills():
    now = [0.0]
    bucket = Bucket(2, 1, lambda: now[0])
    bucket.take()
    bucket.take()
    with pytest.raises(TooMuch):
        bucket.take()
    now[0] += 1
    bucket.take()
    with pytest.raises(TooMuch):
        bucket.take()


# ---- lobby, lessons, words ------------------------------------------------------------------------------------------


def test_the_lobby_offers_everything(client):
    offers = client.ask("lobby", language="ja")
    assert [game["name"] for game in offers["games"]] == [package.NAME for package in packages()]
    for game in offers["games"]:
        assert len(game["lessons"]) == 5
        for ruleset in game["rulesets"]:
            assert ruleset["frame"] in dict(ruleset["frames"])
            found = client.ask("opponents", ruleset=ruleset["name"], frame=ruleset["frame"], language="ja")
            assert found["default"] in [one["spec"] for one in found["opponents"]]
            assert all(one["strength"] for one in found["opponents"])
    client.play()
    assert client.table in [one["table"] for one in client.ask("lobby", "lobby", language="en")["tables"]]


LESSONS = [(package.NAME, number) for package in packages() for number in range(5)]


@pytest.mark.parametrize(("name", "number"), LESSONS)
def test_lessons_lead_to_their_end(client, name, number):
    """Every move of the learner is a real choice, others are refused kindly, and the opponent follows the script."""
    seated = client.ask("lesson", "seated", "error", game=name, number=number, language="en")
    hello = client.sit(seated["table"])
    lesson = client.server_table.teaches
    assert hello["lesson"]["count"] == 5 and hello["lesson"]["intro"] == lesson.intro["en"]
    message = client.until_asked(hello)
    chosen = 0
    while message["end"] == "running":
        wanted = client.server_table.left[0]
        tokens = [option["token"] for option in message["options"]]
        assert len(tokens) > 1 and wanted in tokens
        other = next(token for token in tokens if token != wanted)
        refused = client.ask("choose", "error", at=message["number"], tokens=[other])
        assert refused["kind"] == "OtherMove" and lesson.nudge["en"] in refused["text"]
        assert client.ask("hint", "hint", at=message["number"])["token"] == wanted
        message = client.until_asked(client.choose(message, wanted))
        chosen += 1
    assert chosen and message["result"] == lesson.done["en"]
    for told in (lesson.title, lesson.intro, lesson.nudge, lesson.done):
        assert sorted(told) == ["en", "ja"] and all(told.values())


def test_lessons_can_be_walked_back(client):
    seated = client.ask("lesson", "seated", game="blackpoker", number=0, language="en")
    message = client.until_asked(client.sit(seated["table"]))
    message = client.choose(message, "attack")
    back = client.ask("undo", "table", at=message["number"])
    assert {"attack", "end"} <= {option["token"] for option in back["options"]}
    assert client.server_table.left[0] == "attack"


def test_both_languages_have_the_same_words_and_no_word_too_many():
    from importlib.resources import files

    for tables in (words.WORDS, words.PAGE):
        assert sorted(tables["en"]) == sorted(tables["ja"])
        for key, text in tables["en"].items():
            assert {part.partition("}")[0] for part in text.split("{")[1:]} == {
                part.partition("}")[0] for part in tables["ja"][key].split("{")[1:]
            }, key
    scripts = "".join(
        files("ka_env.serve").joinpath(name).read_text(encoding="utf-8")
        for name in ("lobby.js", "play.js", "lobby.html", "play.html")
    )
    spelled = ("seat ", "pace ", "passing ")  # put together in the scripts
    titles = [f"{word} title" for word in ("undo", "hint", "resign", "stop")]
    unused = [
        key
        for key in words.PAGE["en"]
        if f'"{key}"' not in scripts and not key.startswith(spelled) and key not in titles
    ]
    assert unused == []
    sources = "".join(
        path.read_text(encoding="utf-8") for path in files("ka_env.serve").iterdir() if path.name[-3:] == ".py"
    )
    assert [key for key in words.WORDS["en"] if sources.count(f'"{key}"') < 3] == []


# ---- the commands ---------------------------------------------------------------------------------------------------


def test_the_command_says_its_link_and_what_is_wrong(monkeypatch, capsys):
    opened, ran = [], []
    monkeypatch.setattr(serve.webbrowser, "open", opened.append)
    monkeypatch.setattr(uvicorn.Server, "run", lambda self, sockets: ran.append((self.config, sockets[0])))
    assert main(["serve", "--port", "0", "--no-open"]) == 0
    config, listener = ran[-1]
    assert listener.getsockname()[0] == "127.0.0.1" and config.ws_max_size == Limits().frame
    link = re.search(r"http://127\.0\.0\.1:(\d+)/\?token=(\S+)", capsys.readouterr().out)
    assert int(link[1]) == listener.getsockname()[1] and len(link[2]) > 20 and not opened
    taken = str(listener.getsockname()[1])
    assert main(["serve", "--port", taken, "--no-open"]) == 2
    assert f"can't listen on 127.0.0.1:{taken}" in capsys.readouterr().err
    assert main(["serve", "--port", "99999", "--no-open"]) == 2
    assert main(["serve", "--opponent", "nobody", "--no-open"]) == 2
    assert "unknown agent 'nobody'" in capsys.readouterr().err
    assert main(["play", "--web", "--lang", "ja"]) == 0
    ran[-1][1].close()
    listener.close()
    deadline = time.monotonic() + PATIENCE
    while not opened and time.monotonic() < deadline:
        time.sleep(0.01)
    assert len(opened) == 1 and "token=" in opened[0]


def test_a_wide_open_server_takes_any_host_but_no_stranger():
    guard = Guard(lambda *_: None, "secret", 80, None)
    assert guard._right_host(None)
    assert not guard._is_token("") and not guard._is_token("secre") and guard._is_token("secret")


def test_load_and_fuzz_as_a_command(capsys):
    assert stress.main(["--games", "2", "--seconds", "1", "--pause", "0.1", "--fuzzers", "2"]) == 0
    load, fuzz = capsys.readouterr().out.splitlines()
    assert re.fullmatch(
        r"load: 2 games at once, 1 s, \d+ choices .* p50 [\d.]+ ms, p95 [\d.]+ ms, max .* for each choice, .*", load
    )
    assert re.fullmatch(
        r"fuzz: 2 clients, 1 s, \d+ odd messages: .*\d+ error.*, 0 tables changed; \d+ choices beside", fuzz
    )
