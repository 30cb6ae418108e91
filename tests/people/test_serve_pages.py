"""The pages of `ka serve` in a real Chromium: games by mouse, by keyboard and on a phone, lessons, reconnecting."""

import random

import pytest

from ka_env.record import Record
from ka_env.serve.limits import Limits
from tests.people.serving import Served
from tests.people.test_view import DESKTOP, PHONE, browser  # noqa: F401  (a fixture)

# a page that was just opened says nothing of the game yet: neither asked nor over
ASKED = 'html[data-asked="true"], html[data-end]:not([data-end="running"])'


@pytest.fixture(scope="module")
def served():
    with Served(Limits(games=100, per_second=1000, burst=1000)) as server:
        yield server


@pytest.fixture
def visit(browser, served):  # noqa: F811
    """Open the lobby as a new visitor; at the end of the test nothing may have gone wrong in the page."""
    troubles, contexts = [], []

    def open_page(options=DESKTOP, pace=0, language="en"):
        contexts.append(browser.new_context(reduced_motion="reduce", accept_downloads=True, **options))
        page = contexts[-1].new_page()
        page.set_default_timeout(120_000)
        page.on("console", lambda message: troubles.append(f"console: {message.text}"))
        page.on("pageerror", lambda error: troubles.append(f"error: {error}"))
        page.on(
            "request", lambda one: one.url.startswith((served.address, "data:")) or troubles.append(f"net: {one.url}")
        )
        page.goto(served.link)
        assert "token" not in page.url
        page.evaluate(f"localStorage.setItem('ka pace', '{pace}'); localStorage.setItem('ka language', '{language}')")
        page.reload()
        page.wait_for_selector("#levels button")
        return page

    open_page.troubles = troubles
    yield open_page
    for context in contexts:
        context.close()
    assert troubles == []


def sit_down(page, served, game, opponent="random", press=None):
    """From the lobby to the table; the table as the server has it."""
    press = press or page.click
    press(f'.games [data-key="{game}"]')
    page.wait_for_selector(f'.games [data-key="{game}"][aria-checked="true"]')
    press('#seat [data-key="first"]')
    page.wait_for_selector(f'#levels [data-key="{opponent}"]')
    press(f'#levels [data-key="{opponent}"]')
    press("#sit")
    page.wait_for_selector("#board .hand")
    return server_table(page, served)


def server_table(page, served):
    return served.lobby._tables[page.url.rpartition("/")[2]][1]


def asked(page):
    """Wait for the next question; False at the end of the game."""
    page.wait_for_selector(ASKED)
    return page.locator("html").get_attribute("data-end") == "running"


def number(page):
    return page.locator("html").get_attribute("data-number")


def answered(page, before):
    page.wait_for_selector(f'html:not([data-number="{before}"])')


def choose_on_the_table(page, rng, press):
    """Click something lit, and what it asks then; from the list, if nothing is lit."""
    before = number(page)
    lit = page.locator("#board [data-lit]")
    if lit.count() and rng.random() < 0.7:
        press(lit.nth(rng.randrange(lit.count())))
        menu = page.locator("#menu[open] .rows button")
        if number(page) == before and menu.count():
            press(menu.nth(rng.randrange(menu.count())))
            answered(page, before)
            return "menu"
        answered(page, before)
        return "lit"
    choices = page.locator("#choices button")
    press(choices.nth(rng.randrange(choices.count())))
    answered(page, before)
    return "list"


def play_to_the_end(page, rng, choose, most=500):
    ways = []
    while asked(page):
        ways.append(choose(page, rng))
        assert len(ways) < most
    return ways


@pytest.mark.parametrize("game", ["blackpoker", "bluemoon"])
def test_a_whole_game_by_mouse(visit, served, game, tmp_path):
    page = visit()
    table = sit_down(page, served, game)
    rng = random.Random(game)
    ways = play_to_the_end(page, rng, lambda page, rng: choose_on_the_table(page, rng, lambda node: node.click()))
    assert ways.count("lit") + ways.count("menu") > 2
    page.wait_for_selector("#finish[open]")
    assert page.locator("#finish h2").inner_text() in ("You win!", "You lose.", "A draw.")
    with page.expect_download() as download:
        page.click('[data-do="record"]')
    download.value.save_as(tmp_path / "game")
    record = Record.from_text((tmp_path / "game").read_text(encoding="utf-8"))
    assert record.replay().to_text() == table.game.to_text()
    began = table.began
    page.click('[data-do="rematch"]')
    page.wait_for_url(lambda url: table.id not in url)
    page.wait_for_selector("#board .hand")
    assert server_table(page, served).began != began


def test_a_whole_game_by_keyboard(visit, served):
    """Nothing is clicked, from the lobby to the end."""
    page = visit()

    def press(selector):
        page.focus(selector)
        page.keyboard.press("Enter")

    sit_down(page, served, "blackpoker", press=press)

    def choose(page, rng):
        before = number(page)
        count = page.locator("#choices button").count()
        way = rng.choice(["digit", "arrows", "tab"])
        if way == "digit":
            page.keyboard.press(str(rng.randint(1, min(9, count))))
        elif way == "arrows":
            for _ in range(rng.randint(1, count)):
                page.keyboard.press("ArrowDown")
            assert page.locator("#choices button:focus").count() == 1
            page.keyboard.press("Enter")
        else:
            lit = page.locator("#board [data-lit]")
            node = lit.first if lit.count() else page.locator("#choices button").first
            node.focus()
            page.keyboard.press("Enter")
            menu = page.locator("#menu[open] .rows button")
            if number(page) == before and menu.count():
                menu.first.focus()
                page.keyboard.press("Enter")
        answered(page, before)
        return way

    ways = play_to_the_end(page, random.Random(7), choose)
    assert set(ways) == {"digit", "arrows", "tab"}
    page.wait_for_selector("#finish[open]")
    page.keyboard.press("Escape")
    page.wait_for_selector("#finish:not([open])", state="attached")


@pytest.mark.parametrize("game", ["blackpoker", "bluemoon"])
def test_a_whole_game_on_a_phone_in_japanese(visit, served, game):
    page = visit(PHONE, language="ja")
    assert page.locator("html").get_attribute("lang") == "ja"
    table = sit_down(page, served, game, press=page.tap)
    assert table.language == "ja"
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= 390
    rng = random.Random(f"phone {game}")
    play_to_the_end(page, rng, lambda page, rng: choose_on_the_table(page, rng, lambda node: node.tap()))
    page.wait_for_selector("#finish[open]")
    assert page.locator("#finish h2").inner_text() in ("あなたの勝ち！", "あなたの負け。", "引き分け。")
    text = page.locator("#play").inner_text()
    assert "選択肢" in text and "Choices" not in text and "Opponent" not in text
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_only_legal_things_are_lit_and_named(visit, served):
    page = visit()
    table = sit_down(page, served, "blackpoker", "greedy")
    rng = random.Random(3)
    lit_seen = 0
    for _ in range(25):
        if not asked(page):
            break
        found = {node.get_attribute("data-spot") for node in page.locator("#board [data-lit]").all()}
        legal = table.asked.legal()
        wanted = {spot for token in legal for spot, _ in table.viewer.handles(table.asked, token)}
        assert found <= wanted
        lit_seen += len(found)
        listed = page.locator("#choices button").evaluate_all("nodes => nodes.map((node) => node.dataset.token)")
        assert sorted(listed) == sorted(legal)
        assert page.locator("#ask").inner_text() == table.question()
        for node in page.locator("#board [data-lit]").all():
            assert node.get_attribute("role") == "button" and node.get_attribute("aria-label")
        choose_on_the_table(page, rng, lambda node: node.click())
    assert lit_seen > 10


def test_hint_undo_passing_language_and_resigning(visit, served):
    page = visit()
    table = sit_down(page, served, "blackpoker", "greedy")
    assert asked(page)
    page.keyboard.press("h")
    page.wait_for_selector("#choices .hinted")
    assert "%" in page.locator("#why").inner_text()
    assert page.locator("#choices .value").first.inner_text().endswith("%")
    before, hand = number(page), page.locator(".side.below .hand .card").count()
    page.click('#choices [data-token="end"]')
    answered(page, before)
    assert asked(page)
    before = number(page)
    page.keyboard.press("u")
    answered(page, before)
    assert asked(page)
    assert page.locator(".side.below .hand .card").count() == hand
    assert "end" in table.game.legal() and page.locator("#undo").is_disabled()
    page.keyboard.press("a")
    page.wait_for_selector('#passing[aria-pressed="false"]')
    assert table.passing == "ask"
    page.select_option("#language", "ja")
    page.wait_for_selector('html[lang="ja"]')
    assert page.locator("#undo .text").inner_text() == "待った"
    page.click("#resign")
    page.click('#menu [data-do="yes"]')
    page.wait_for_selector("#finish[open]")
    assert page.locator("#finish h2").inner_text() == "投了しました。"
    visit.troubles[:] = [one for one in visit.troubles if "sandbox" not in one]
    page.click('[data-do="replay"]')
    page.wait_for_selector("#viewer #board .hand")


def test_a_lost_connection_is_taken_up_again(visit, served):
    page = visit()
    table = sit_down(page, served, "blackpoker")
    assert asked(page)
    before = number(page)
    page.click('#choices [data-token="end"]')
    answered(page, before)
    assert asked(page)
    served.drop_sockets()
    page.wait_for_selector('#status:has-text("lost")')
    page.wait_for_selector('#status:has-text("again.")')
    assert asked(page) and number(page) == str(table.number)
    before = number(page)
    page.locator("#choices button").first.click()
    answered(page, before)
    page.reload()
    assert asked(page)
    assert number(page) == str(table.number)


def test_the_opponents_moves_come_at_a_pace(visit, served):
    page = visit(pace=1600)
    table = sit_down(page, served, "blackpoker")
    page.clock.install()
    assert asked(page)
    before = number(page)
    page.click('#choices [data-token="end"]')
    answered(page, before)
    while not (table.asks and not table.quiet()) and table.running:
        page.wait_for_timeout(10)
    behind = table.number - int(number(page))  # the server is done, the page still tells it
    shown = page.locator("html").get_attribute("data-asked") == "true"
    assert shown == (behind == 0)
    for _ in range(100):
        page.clock.run_for(1600)
        if page.locator("html").get_attribute("data-asked") == "true":
            break
    assert page.locator("#choices button").count()
    assert number(page) == str(table.number)
    assert page.locator("#story li").count() == len(table.log)


@pytest.mark.parametrize("game", ["blackpoker", "bluemoon"])
def test_the_lessons_one_after_the_other(visit, served, game):
    page = visit()
    page.click(f'.games [data-key="{game}"]')
    page.click('[data-lesson="0"]')
    for lesson in range(5):
        page.wait_for_selector("#lesson:not([hidden])")
        assert f"Lesson {lesson + 1} of 5".lower() in page.locator("#lesson h2").inner_text().lower()
        table = server_table(page, served)
        tried = False
        while asked(page):
            wanted = table.left[0]
            if not tried:
                page.locator(f'#choices button:not([data-token="{wanted}"])').first.click()
                page.wait_for_selector("#why:not(:empty)")
                tried = True
            before = number(page)
            page.click(f'#choices [data-token="{wanted}"]')
            answered(page, before)
        page.wait_for_selector("#finish[open]")
        assert page.locator("#finish p").inner_text() == table.teaches.done["en"]
        if lesson < 4:
            page.click('[data-do="next lesson"]')
            page.wait_for_url(lambda url, table=table: table.id not in url)
    page.click('[data-do="to lobby"]')
    page.wait_for_selector("#levels button")


def test_lobby_follows_the_rules_chosen(visit, served):
    page = visit()
    page.select_option("#ruleset", "8.0-std")
    page.select_option("#frame", "custom")
    page.wait_for_selector("#deck", state="visible")
    page.click("#sit")
    page.wait_for_selector('#status:has-text("deck")')  # what is missing is said
    page.click('.games [data-key="bluemoon"]')
    page.select_option("#frame", "")
    page.select_option("#mine", "khind")
    page.select_option("#theirs", "buka")
    page.wait_for_selector("#levels button")
    page.click('#levels [data-key="random"]')
    page.click("#sit")
    page.wait_for_selector("#board .hand")
    table = server_table(page, served)
    assert table.viewer.table_data(table.game, table.seat)["sides"][table.seat]["people"] == "Khind"
    page.click("#home")
    page.wait_for_selector(f'#tables a[href="/table/{table.id}"]')
