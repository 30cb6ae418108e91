"""The viewer: pages of recorded games, looked at in a real Chromium.

What the page shows is compared with the position texts of the games, so with the notation's own idea of who knows what.
"""

import itertools
import os
import re
import shutil
from pathlib import Path

import pytest

from ka_env import cli
from ka_env.agents import Agent
from ka_env.agents.match import record_game
from ka_env.bluemoon.people.texts import about_card
from ka_env.errors import KaError
from ka_env.games import Setup
from ka_env.match import MatchRecorder, new_match
from ka_env.record import Record, load, save
from ka_env.training.arena import Plan, play_tournament
from ka_env.viewer import page as html_page
from ka_env.viewer.replay import replay_data
from ka_env.viewer.words import LANGUAGES

from .tables import MOON, POKER, VIEWED
from .tables import PokerTable as Table

GOLDENS = Path(__file__).parents[1] / "blackpoker" / "goldens"
NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]
FLAGS = """--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking
--disable-component-update --disable-sync""".split()
DESKTOP = {"viewport": {"width": 1280, "height": 800}}
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


def golden(name):
    return POKER.record(name)


def games_of(record):
    return [record.start(), *(step.after for step in record.steps())]


WALK = """() => {
  const read = READ;
  const key = { key: "ArrowRight", bubbles: true };
  const found = [read()];
  for (let i = 0; i < Number(document.getElementById("slider").max); i++) {
    document.body.dispatchEvent(new KeyboardEvent("keydown", key));
    found.push(read());
  }
  return found;
}"""


def walk(page, viewed):
    """What is on the table of every position, from here to the end."""
    return page.evaluate(WALK.replace("READ", viewed.Table.READ))


each_game = pytest.mark.parametrize("viewed", VIEWED, ids=lambda viewed: viewed.name)


# ---- the browser ----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def browser():
    found = os.environ.get("KA_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        missing = f"no Chromium here: none of {', '.join(NAMES)} is installed and KA_CHROMIUM is not set"
        pytest.fail(missing) if os.environ.get("KA_REQUIRE_CHROMIUM") else pytest.skip(missing)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=FLAGS)  # with a profile of its own
        yield browser
        browser.close()


@pytest.fixture
def show(browser, tmp_path):
    """Open the page of a record; at the end of the test nothing may have gone wrong in it."""
    troubles, contexts = [], []

    def load_page(record, options=DESKTOP, language="en", at=0):
        path = tmp_path / "game.html"
        path.write_text(html_page(record, language), encoding="utf-8")
        contexts.append(browser.new_context(reduced_motion="reduce", **options))
        page = contexts[-1].new_page()
        page.on("console", lambda message: troubles.append(f"console: {message.text}"))
        page.on("pageerror", lambda error: troubles.append(f"error: {error}"))
        page.on("dialog", lambda dialog: (troubles.append(f"dialog: {dialog.message}"), dialog.dismiss()))
        page.on("request", lambda request: request.url.startswith("file:") or troubles.append(f"net: {request.url}"))
        page.goto(f"{path.as_uri()}#{at}")
        return page

    yield load_page
    for context in contexts:
        context.close()
    assert troubles == []


def at(page):
    return int(page.locator("html").get_attribute("data-at"))


def go(page, number):
    page.locator(f'#moves [data-at="{number}"]').dispatch_event("click")
    assert at(page) == number


@each_game
def test_steps_forward_and_back(show, viewed):
    record, table = viewed.record(), viewed.Table
    games = games_of(record)
    page = show(record)
    for number, game in enumerate(games):
        assert at(page) == number
        assert page.evaluate(table.READ) == table(game)(), f"position {number}"
        page.keyboard.press("ArrowRight")
    assert at(page) == len(games) - 1  # there is nothing beyond the end
    for number in reversed(range(len(games) - 1)):
        page.keyboard.press("ArrowLeft")
        assert page.evaluate(table.READ) == table(games[number])(), f"position {number}, going back"
    page.keyboard.press("ArrowLeft")
    assert at(page) == 0
    page.keyboard.press("ArrowRight")
    page.wait_for_url("**/game.html#1")  # the address names the position


@pytest.mark.parametrize("number", [1, 2])
@each_game
def test_every_position_as_each_player_knew_it(show, viewed, number):
    """With all cards, as each player knew them, and as the public knows them: with the cards that both know."""
    record = viewed.record(viewed.records[number])
    games = games_of(record)
    page = show(record)
    for presses, view, shown in [("", "all", True), ("v", "0", False), ("v", "1", False), ("vh", "all", False)]:
        page.keyboard.press("Home")
        for key in presses:
            page.keyboard.press(key)
        found = walk(page, viewed)
        assert len(found) == len(games)
        for number, (one, game) in enumerate(zip(found, games)):
            assert one == viewed.Table(game, view, shown)(), f"view {view}, position {number}"
    assert any(card for one in found for side in one["sides"] for card in side["hand"])  # some are known to both


def test_moves_do_not_tell_what_the_view_must_not_know(show):
    record = golden("8.0-lite_entry20")
    steps = list(record.steps())
    page = show(record)
    texts = page.locator("#moves .text")
    for view, press in [("all", ""), ("0", "v"), ("1", "v"), ("all", "v"), ("nobody", "h")]:
        if press:
            page.keyboard.press(press)
        told = texts.all_text_contents()
        assert len(told) == len(steps)
        secrets = [i for i, step in enumerate(steps) if step.before.decision == "bulwark_card"]
        assert secrets
        for i in secrets:
            may_know = view == "all" or view == str(steps[i].before.player)
            assert (told[i] == "sets a hand card as a bulwark") != may_know
    for step in steps[::5]:  # and neither do the choices
        go(page, step.number - 1)
        assert page.locator("#choices li").all_text_contents() == ["hidden from this view"]


def test_cards_the_opponent_knows_are_marked(show):
    record = golden("6.1-std_full54")
    page = show(record)
    marked = 0
    for number, game in enumerate(games_of(record)):
        facts = Table(game).facts
        wanted = [[word[:2] for word in facts[f"known{1 - q}"] if word.endswith("@hand")] for q in range(2)]
        if not any(wanted):
            continue
        go(page, number)
        for q in range(2):
            cards = page.locator(f'.side[data-player="{q}"] .hand .known')
            assert [card.get_attribute("data-card") for card in cards.all()] == wanted[q]
            marked += len(wanted[q])
            assert all("known to the opponent" in card.get_attribute("aria-label") for card in cards.all())
    assert marked > 3


def test_driven_units_lie_on_their_side_and_cards_look_right(show):
    record = golden("8.0-std_full54")
    texts = [game.to_text() for game in games_of(record)]
    number = next(i for i, text in enumerate(texts) if "/d" in text and re.search(r"\d:[bs]..( |$)", text, re.M))
    page = show(record, at=number)
    driven = page.locator('[data-driven="true"] .card').first.bounding_box()
    assert driven["width"] > driven["height"]
    charged = page.locator('[data-driven="false"] .card').first.bounding_box()
    assert charged["width"] < charged["height"]
    for card in page.locator("#board [data-card]").all():
        name = card.get_attribute("data-card")
        colour = card.evaluate("node => getComputedStyle(node).color")
        assert (colour == "rgb(193, 39, 45)") == (name[1] in "hd" or name == "X2")
        rank = "★" if name[0] == "X" else name[0].replace("T", "10")
        assert card.locator(".corner").text_content() == rank
        assert card.locator("use").first.get_attribute("href") == ("#X" if name[0] == "X" else f"#{name[1]}")


def test_arrows_lead_to_targets_and_attackers(show):
    found = 0
    record = golden("8.0-std_full54")
    page = show(record)
    for number, game in enumerate(games_of(record)):
        targets = [request[-1] for request in Table(game).stage() if request[-1] not in (None, "gone")]
        blocks = re.findall(r"&\d", game.to_text())
        if not (targets or blocks) or found > 12:
            continue
        go(page, number)
        assert page.locator("#arrows g path").count() == len(targets) + len(blocks)
        found += 1
    assert found > 3


def test_words_of_the_move_and_the_decision(show):
    record = golden("8.0-lite_entry20")
    step = list(record.steps())[3]
    page = show(record, at=4)
    assert page.locator("#last-move").inner_text().startswith(f"Player {step.before.player} ")
    assert page.locator("#decision").inner_text().startswith(f"Player {step.after.player} decides: ")
    current = page.locator('#moves [aria-current="step"]')
    assert current.count() == 1
    assert current.get_attribute("data-at") == "4"
    tokens = [item.get_attribute("data-token") for item in page.locator("#choices li").all()]
    assert tokens == step.after.legal()
    chosen = page.locator("#choices li.chosen")
    assert chosen.get_attribute("data-token") == list(record.steps())[4].token
    go(page, len(list(record.steps())))
    assert re.fullmatch("P[01] wins", page.locator("#decision").inner_text())
    assert page.locator("#choices").is_hidden()


def test_notes_are_shown_to_those_who_may_see_them(show):
    record = golden("8.0-lite_entry20")
    first = next(record.steps())
    legal = first.before.legal()
    record.notes[1] = {legal[-1]: 75.0, legal[0]: 25.0}
    page = show(record)
    items = page.locator("#choices li")
    assert [items.nth(i).get_attribute("data-token") for i in range(2)] == [legal[-1], legal[0]]
    assert page.locator("#choices .value").all_text_contents() == ["75.0 %", "25.0 %"]
    assert f"Player {first.before.player} weighed" in page.locator("#choices h2").text_content()
    for _ in range(2 - first.before.player):  # to the other player's view
        page.keyboard.press("v")
    assert page.locator("html").get_attribute("data-view") == str(1 - first.before.player)
    assert page.locator("#choices .value").count() == 0


def zone(page, q, name):
    """Of a pack or rare card: how many, what is on top, what a click shows."""
    node = page.locator(f'.side[data-player="{q}"] .pile.{name}')
    top = [card.get_attribute("data-card") for card in node.locator(".card:not(.none)").all()]
    node.click()
    cards = [card.get_attribute("data-card") for card in page.locator("#pile .card").all()]
    page.keyboard.press("Escape")
    return int(node.get_attribute("data-count")), top, cards


@pytest.mark.parametrize("name", ["8.0-std+pack_full54", "8.0-mast+rare_deck40", "8.0-mast+strategy_full54"])
def test_packs_and_rare_cards(show, name):
    """A closed pack is sealed and nobody's to see, an open one its owner's; a rare card is its owner's."""
    record = golden(name)
    games = games_of(record)
    moments = [0, next(i for i, game in enumerate(games) if re.search("pack[01] open", game.to_text())), len(games) - 1]
    for number in moments:
        page = show(record, at=number)
        page.keyboard.press("v")  # as player 0 knows it
        facts = Table(games[number]).facts
        for q in range(2):
            state, *cards = facts[f"pack{q}"]
            known = q == 0 and state == "open"
            assert (
                page.locator(f'.side[data-player="{q}"] .pack.{"closed" if state == "closed" else "opened"}').count()
                == 1
            )
            count, top, shown = zone(page, q, "pack")
            assert count == len(cards) and len(top) == bool(cards)
            assert shown == (cards if known else [None] * len(cards))
            assert top == (cards[:1] if known else [None] * bool(cards))
            if f"rare{q}" not in facts:
                assert page.locator(f'.side[data-player="{q}"] .rare').count() == 0
                continue
            rare = facts[f"rare{q}"]
            assert zone(page, q, "rare") == (len(rare), *([rare if q == 0 else [None] * len(rare)] * 2))
            assert not any(card in page.locator("#about").text_content().split() for card in rare)


@pytest.mark.parametrize(("options", "language"), [(DESKTOP, "en"), (PHONE, "ja")], ids="wide phone".split())
def test_five_keys_lie_on_the_stage(show, options, language):
    record = golden("8.0-mast_custom")
    number = next(i for i, game in enumerate(games_of(record)) if ".rsf(" in game.to_text())
    page = show(record, options, language, number)
    request = page.locator('[data-verb="rsf"]')
    keys = request.locator(".keys [data-card]")
    names = [key.get_attribute("data-card") for key in keys.all()]
    assert [name[0] for name in names] == list("ATJQK") and len({name[1] for name in names}) == 1
    boxes = [key.bounding_box() for key in keys.all()]
    assert all(one["x"] + one["width"] <= two["x"] for one, two in itertools.pairwise(boxes))  # side by side
    board = page.locator("#board").bounding_box()
    assert board["x"] <= boxes[0]["x"] and boxes[-1]["x"] + boxes[-1]["width"] <= board["x"] + board["width"]
    assert page.locator("#arrows g path").count() == 1
    assert request.get_attribute("data-target") in "01"


@pytest.mark.parametrize("name", ["6.1-mast_custom", "8.0-mast_deck40", "8.0-lite+setup_entry20"])
def test_games_of_the_new_rulesets_open_and_run_to_their_end(show, name):
    page = show(golden(name))
    assert len(page.evaluate(WALK.replace("READ", Table.READ))) == len(games_of(golden(name)))


def test_a_game_of_a_match_says_so(show):
    recorder = MatchRecorder(new_match("half27x2", Setup("6.1-lite", "half27"), 3), players="a b")
    recorder.step(recorder.match.legal_ids()[0])
    recorder.step(recorder.match.legal_ids()[0])
    recorder.step(recorder.match.legal_ids()[0])
    (record,) = recorder.records()
    assert "half27x2 · game 1 at 0–0" in show(record).locator("#about").text_content()
    assert "第1戦（0–0）" in show(record, language="ja").locator("#about").text_content()


@each_game
def test_keyboard(show, viewed):
    record = viewed.record()
    last = len(list(record.steps()))
    page = show(record)
    page.clock.install()
    page.keyboard.press("End")
    assert at(page) == last
    page.keyboard.press("Home")
    assert at(page) == 0
    page.keyboard.press("PageDown")
    turn = at(page)
    assert games_of(record)[turn].turn != games_of(record)[0].turn
    page.keyboard.press("PageDown")
    page.keyboard.press("PageUp")
    assert at(page) == turn
    page.keyboard.press("Space")
    page.clock.run_for(3000)
    assert at(page) > turn
    page.keyboard.press("Space")
    stopped = at(page)
    page.clock.run_for(3000)
    assert at(page) == stopped
    below = page.locator(".side.below")
    assert below.get_attribute("data-player") == "0"
    page.keyboard.press("f")
    assert below.get_attribute("data-player") == "1"
    theme = page.locator("html").get_attribute("data-theme")
    page.keyboard.press("t")
    assert {theme, page.locator("html").get_attribute("data-theme")} == {"light", "dark"}


@each_game
def test_buttons_and_slider(show, viewed):
    record = viewed.record()
    games = games_of(record)
    page = show(record)
    for button, number in [("forward", 1), ("forward", 2), ("back", 1), ("last", len(games) - 1), ("first", 0)]:
        page.locator(f"#{button}").click()
        assert at(page) == number
    page.locator("#slider").fill("5")
    assert at(page) == 5
    page.locator("#hands").click()
    assert page.locator("html").get_attribute("data-shown") == "false"
    page.locator("#view").click()
    page.locator("#flip").click()
    assert page.locator(".side.below").get_attribute("data-player") == "1"


def test_piles(show):
    record = golden("8.0-lite_entry20")
    games = games_of(record)
    page = show(record, at=5)
    page.keyboard.press("h")
    page.locator('.side[data-player="0"] .pile.grave').click()
    cards = page.locator("#pile [data-card]")
    assert [card.get_attribute("data-card") for card in cards.all()] == Table(games[5]).facts["grave0"][::-1]
    page.keyboard.press("Escape")
    page.locator('.side[data-player="1"] .pile.life').click()
    assert page.locator("#pile .card.back").count() == len(Table(games[5]).facts["life1"])
    page.locator("#pile > button").click()
    assert not page.locator("#pile").is_visible()


@each_game
def test_touch_on_a_phone(show, viewed):
    page = show(viewed.record(), PHONE)
    session = page.context.new_cdp_session(page)
    box = page.locator(viewed.middle).bounding_box()
    y = box["y"] + box["height"] / 2

    def swipe(start, end):
        point = {"y": y}
        session.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": start, **point}]})
        for i in range(1, 5):
            x = start + (end - start) * i / 4
            session.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [{"x": x, **point}]})
        session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    page.touchscreen.tap(330, y)
    page.touchscreen.tap(330, y)
    assert at(page) == 2
    page.touchscreen.tap(60, y)
    assert at(page) == 1
    page.locator("#forward").tap()
    page.locator('html[data-at="2"]').wait_for()
    page.locator(f'.side[data-player="0"] .pile.{viewed.pile}').tap()  # opens the pile and does not step
    page.locator("#pile").wait_for()
    assert at(page) == 2
    page.locator("#pile > button").tap()
    page.locator("#pile").wait_for(state="hidden")
    swipe(300, 100)
    assert at(page) == 3
    swipe(100, 300)
    swipe(100, 300)
    assert at(page) == 1


@pytest.mark.parametrize(
    "options", [DESKTOP, PHONE, {"viewport": {"width": 320, "height": 640}}], ids="wide phone tiny".split()
)
@each_game
def test_nothing_sticks_out_and_everything_has_a_name(show, viewed, options):
    record = viewed.record(viewed.records[3])
    page = show(record, options)
    for number in range(0, len(games_of(record)), 15):
        go(page, number)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"position {number}"
        out = page.evaluate("""() => {
          const board = document.getElementById("board").getBoundingClientRect();
          return [...document.querySelectorAll("#board .card")].filter((card) => {
            const place = card.getBoundingClientRect();
            return place.left < board.left || place.right > board.right;
          }).length;
        }""")
        assert out == 0, f"position {number}: cards beyond the edge of the table"
    unnamed = """() => [...document.querySelectorAll("button, [role], input")]
        .filter((node) => !(node.getAttribute("aria-label") ?? node.textContent).trim()).length"""
    assert page.evaluate(unnamed) == 0


@each_game
def test_japanese_page(show, viewed):
    record = viewed.record(viewed.records[3])
    page = show(record, language="ja")
    assert page.locator("html").get_attribute("lang") == "ja"
    text = page.locator("#panel").inner_text() + page.locator("#board").inner_text()
    assert "プレイヤー0" in text
    assert all(word in text for word in viewed.japanese)
    assert not re.search("Player|announces|life|grave|hand|discard|combat|fight", text)


@each_game
def test_hostile_names_are_only_text(show, viewed):
    record = viewed.record()
    evil = "</script><script>alert(1)</script>"
    record.headers["players"] = f"{evil} <img/src=x/onerror=alert(2)>"
    page = show(record)
    assert evil in page.locator("h1").inner_text()
    assert page.locator("#viewer img").count() == 0


# ---- Blue Moon's table ----------------------------------------------------------------------------------------------


def first_with(record, wanted):
    """The number of the first position whose page data have it."""
    data = MOON.data(record)
    return next(i for i, place in enumerate(data["positions"]) if any(wanted(side) for side in place["sides"]))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("options", [DESKTOP, PHONE], ids=["wide", "phone"])
def test_ships_bluffs_dragons_totals(show, options, language):
    """Each is on the table, as large as the eye needs it, in both languages and on a phone."""
    record = MOON.record("base_khind-buka")
    page = show(record, options, language)
    for wanted, what in [
        (lambda side: any(ship["cargo"] for ship in side["ships"]), ".ships .cargo"),
        (lambda side: any(ship["landed"] for ship in side["ships"]), ".ships > .ship.landed"),
        (lambda side: any(card["down"] for card in side["support"]), '.area.support [data-place="f0"] .card'),
        (lambda side: any(card["covered"] for card in side["combat"]), ".area.combat .spot.covered .card"),
        (lambda side: side["dragons"], ".den .dragon"),
        (lambda side: side["leader"], ".chip[data-leader]"),
        (lambda side: side["total"].isdigit(), ".total"),
    ]:
        go(page, first_with(record, wanted))
        box = page.locator(what).first.bounding_box()
        assert box["width"] >= 10, what
        assert box["height"] >= 10, what
    assert page.locator(".total").first.inner_text().startswith({"en": "total", "ja": "合計"}[language])


@pytest.mark.parametrize(("language", "options"), [("en", PHONE), ("ja", DESKTOP)], ids=["en phone", "ja wide"])
def test_a_changed_value_says_why_and_a_card_can_be_asked_about(show, language, options):
    """Print → now stands on the card; the card that did it stands beside it and in the box that a click opens."""
    record = MOON.record("base_khind-buka")
    number = first_with(record, lambda side: any(card["why"] for card in side["combat"]))
    page = show(record, options, language, at=number)
    spot = page.locator(".spot:has(.why)").first
    card = spot.locator(".card").bounding_box()
    for value in spot.locator(".value").all():
        box = value.bounding_box()
        assert card["x"] <= box["x"]
        assert box["x"] + box["width"] <= card["x"] + card["width"]
        assert box["y"] + box["height"] <= card["y"] + card["height"]
    why = spot.locator(".why").inner_text()
    changed = [text for text in spot.locator(".value").all_text_contents() if "→" in text]
    code = spot.locator(".card").get_attribute("data-card")
    assert changed
    assert re.search(r"[A-Z][0-9]+", why)
    spot.locator(".card").click()
    told = page.locator("#pile").inner_text()
    assert about_card(code, language) in told
    assert why.split(";")[0] in told
    page.keyboard.press("Escape")
    hand = page.locator(".side.below .hand .card.bm").first
    hand.click()
    assert about_card(hand.get_attribute("data-card"), language) in page.locator("#pile").inner_text()


def test_a_bluff_is_a_back_to_those_who_do_not_know_it(show):
    record = MOON.record("base_khind-buka")
    number = first_with(record, lambda side: any(card["down"] for card in side["support"]))
    page = show(record, at=number)
    spot = page.locator('[data-place="f0"]').first
    owner = int(spot.evaluate("node => node.closest('.side').dataset.player"))
    assert spot.locator("[data-card]").count() == 1
    for _ in range(2 - owner):  # to the other player's view
        page.keyboard.press("v")
    assert page.locator("html").get_attribute("data-view") == str(1 - owner)
    assert spot.locator("[data-card]").count() == 0
    assert spot.locator(".card.back .value.contested").count() == 1  # what it counts is no secret


# ---- pages without a browser ----------------------------------------------------------------------------------------


@each_game
def test_the_page_is_self_contained(viewed):
    text = html_page(viewed.record())
    assert "default-src 'none'" in text
    assert set(re.findall(r"https?://[^\s\"')]+", text)) == {"http://www.w3.org/2000/svg"}
    assert not re.search(r"(src|@import|url)\s*[=(]\s*[\"']?(?!#|data:)[\w/.]", text.split('id="data"')[0])


def test_languages_have_the_same_words():
    assert LANGUAGES["en"].keys() == LANGUAGES["ja"].keys()
    with pytest.raises(KaError, match=r"unknown language 'jp'.*did you mean 'ja'"):
        html_page(golden("8.0-lite_entry20"), "jp")


def test_the_word_tables_have_no_word_too_many():
    home = Path(__file__).parents[2] / "ka_env"
    scripts = [*home.glob("viewer/*.js"), *home.glob("*/people/table.js")]
    script = "".join(path.read_text(encoding="utf-8") for path in scripts)
    assert [word for word in LANGUAGES["en"] if f'"{word}"' not in script] == []


# ---- notes in records -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("suffix", ["ka", "jsonl", "parquet"])
def test_notes_survive_every_kind_of_file(tmp_path, suffix):
    record = golden("6.1-std_full54")
    record.notes = {1: {"end": 0.25, "soldier": 0.75}, 12: {"#0": 12.0, "7h": -1.5}}
    save(tmp_path / f"game.{suffix}", [record])
    (again,) = load(tmp_path / f"game.{suffix}")
    assert again == record
    again.replay()


@pytest.mark.parametrize(
    "line",
    ["# notes", "# notes 3", "# notes x end=1", "# notes 3 end=", "# notes 3 end=a", "# notes 3 nothing=1",
     "# notes 3 end=inf", "# notes on the game", "# notes 3 end=1 and more"],
)  # fmt: skip
def test_what_only_looks_like_notes_is_a_comment(line):
    record = golden("8.0-lite_entry20")
    again = Record.from_text(record.to_text() + line + "\n")
    assert again.notes == {}
    assert again == record


class Fond(Agent):
    """Likes the last legal action."""

    needs_observations = False

    def act_one(self, game, observation, mask, view):
        self.legal = mask.nonzero()[0]
        return int(self.legal[-1])

    def notes(self, game):
        return {int(action): float(i) for i, action in enumerate(self.legal)}


def test_a_recorded_game_keeps_what_agents_noted():
    record = record_game([Fond(), "ismcts:iterations=20"], "8.0-lite", seed=3)
    steps = list(record.steps())
    assert set(record.notes) == {step.number for step in steps}
    for step in steps:
        notes = record.notes[step.number]
        assert set(notes) <= set(step.before.legal())
        assert notes[step.token] == max(notes.values())
        if step.before.player == 0:
            assert notes == {token: i for i, token in enumerate(step.before.legal())}
    assert record == record_game([Fond(), "ismcts:iterations=20"], "8.0-lite", seed=3)
    shown = replay_data(record)["moves"][0]["choices"]
    assert {choice[0]: choice[2] for choice in shown if len(choice) > 2} == record.notes[1]


def test_a_game_needs_two_players():
    with pytest.raises(KaError, match="two players, not 1: random"):
        record_game(["random"])


# ---- the command ----------------------------------------------------------------------------------------------------


@pytest.fixture
def ka(capsys):
    def run(*words):
        code = cli.main([str(word) for word in words])
        return code, *capsys.readouterr()

    return run


def test_view_writes_beside_the_file(ka, tmp_path, monkeypatch):
    opened = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    shutil.copy(GOLDENS / "8.0-lite_entry20.ka", tmp_path / "game.ka")
    code, out, _ = ka("view", tmp_path / "game.ka", "--open")
    assert (code, out) == (0, f"Page: {tmp_path / 'game.html'}\n")
    assert (tmp_path / "game.html").read_text(encoding="utf-8") == html_page(golden("8.0-lite_entry20"))
    assert opened == [(tmp_path / "game.html").as_uri()]


@pytest.mark.parametrize("suffix", ["jsonl", "parquet"])
def test_view_takes_one_of_many_games(ka, tmp_path, suffix):
    records = [golden("8.0-lite_entry20"), golden("8.0-lite_full54")]
    path = tmp_path / f"many.{suffix}"
    save(path, records)
    assert "holds 2 games: this is 1" in ka("view", path)[1]
    assert (tmp_path / "many-1.html").read_text(encoding="utf-8") == html_page(records[0])
    assert ka("view", path, "--game", 2, "--lang", "ja", "-o", tmp_path / "two.html")[0] == 0
    assert (tmp_path / "two.html").read_text(encoding="utf-8") == html_page(records[1], "ja")


def test_view_reads_stores_of_the_arena(ka, tmp_path):
    store = tmp_path / "arena.sqlite"
    play_tournament(Plan(("random", "random#2"), pairs=2), store, workers=0, quiet=True)
    assert ka("view", store, "--game", "0.1.0.1")[0] == 0
    assert "random#2 – random" in (tmp_path / "arena-0.1.0.1.html").read_text(encoding="utf-8")
    assert "holds 4 games: this is 0.0.1.0" in ka("view", store)[1]
    assert "no game '9': expected a number from 1 to 4" in ka("view", store, "--game", 9)[2]
    assert "no game '7.0.1.0'" in ka("view", store, "--game", "7.0.1.0")[2]


def test_view_refuses_what_it_can_not_show(ka, tmp_path):
    good = golden("8.0-lite_entry20").to_text()
    (tmp_path / "bad.ka").write_text(good.replace(" pass", " end", 1), encoding="utf-8")
    (tmp_path / "game.txt").write_text(good, encoding="utf-8")
    (tmp_path / "empty.jsonl").write_text("", encoding="utf-8")
    for name, complaint in [
        ("bad.ka", "move "),
        ("game.txt", "expected a name that ends with .ka"),
        ("nowhere.ka", "No such file"),
        ("empty.jsonl", "no game in it"),
    ]:
        code, _, err = ka("view", tmp_path / name)
        assert code == 2
        assert complaint in err
        assert err.startswith("ka view: ")
        assert name in err
        assert err.count("\n") == 1
    assert list(tmp_path.glob("*.html")) == []


def test_demo_plays_agents_and_notes(ka, tmp_path):
    path = tmp_path / "demo.ka"
    assert ka("demo", "--players", "random", "ismcts:iterations=10", "--save", path)[0] == 0
    record = load(path)[0]
    assert record.headers["players"] == "random ismcts:iterations=10,net=lite-entry20"
    assert record.notes
    code, _, err = ka("demo", "--players", "random", "ismtcs")
    assert code == 2
    assert "did you mean 'ismcts'" in err
