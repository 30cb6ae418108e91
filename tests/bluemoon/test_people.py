"""Blue Moon for people: boards, questions, choices, stories and the viewer's data, in both languages, and no leaks."""

import json
import random
import re
import string
from pathlib import Path

import numpy as np
import pytest
from rich.cells import cell_len

from ka_env import cli
from ka_env.bluemoon import PEOPLES, Game
from ka_env.bluemoon.cards import ABILITIES, ALL_CODES, CARD_OF, ICONS, ROWS, TYPES, members
from ka_env.bluemoon.codes import KINDS
from ka_env.bluemoon.people import environment_docs, glossary, pages, phrases, screens, texts
from ka_env.bluemoon.people.board import board_image, board_text
from ka_env.bluemoon.people.look import knows, look
from ka_env.bluemoon.people.story import Names, Teller, zones
from ka_env.bluemoon.people.values import values
from ka_env.bluemoon.people.viewer_data import table_words
from ka_env.errors import KaError
from ka_env.record import Record
from ka_env.story import OUTSIDER
from ka_env.viewer import page
from ka_env.viewer.replay import replay_data

from ..project.docs import between_markers
from .play import many, position, walk

GOLDENS = Path(__file__).parent / "goldens"
LANGUAGES = phrases.LANGUAGES
CODE = re.compile(r"\b[A-Z][0-9]+\b")
# Without these codes in the texts of cards: a person's `P0` is no card.
PLAYERS = {"P0", "P1"}


def golden(name):
    return Record.from_text((GOLDENS / f"{name}.bm").read_text(encoding="utf-8"))


def codes_in(text):
    return set(CODE.findall(text)) & (ALL_CODES - PLAYERS)


# ---- words ----------------------------------------------------------------------------------------------------------


def fields(text):
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def test_both_languages_say_the_same_things():
    english, japanese = phrases.ENGLISH, phrases.JAPANESE
    assert english.keys() == japanese.keys()
    for key, text in english.items():
        assert fields(japanese[key]) <= fields(text) | {"who", "whom"}, key
    for table in (texts.SENTENCES, texts.CONDITIONS, texts.NEEDS, texts.ARGUMENTS, texts.TYPE_WORDS, texts.ICON_WORDS):
        assert table["en"].keys() == table["ja"].keys()
    for key, text in texts.ENGLISH.items():
        assert fields(text) == fields(texts.JAPANESE[key]), key
    with pytest.raises(KaError, match="unknown language 'jp'"):
        phrases.phrases("jp")


def test_every_kind_of_decision_has_a_question():
    assert {f"ask {kind}" for kind in KINDS} <= phrases.ENGLISH.keys()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_card_can_be_asked_about(language):
    told = {key.split()[0] for key in texts.SENTENCES[language]}
    assert told == set(ABILITIES[1:])
    assert set(texts.TYPE_WORDS[language]) == {*TYPES, "leader", "any"}
    assert set(texts.ICON_WORDS[language]) == set(ICONS)
    for row in ROWS:
        text = texts.about_card(row["code"], language)
        assert text.startswith(f"{row['code']}: ")
        assert "{" not in text
        assert "_" not in text
        assert bool(texts.text_of(row["code"], language)) == bool(row["ability"])


def test_what_some_cards_do_in_words():
    assert texts.about_card("K12") == "K12: character 3/1, gang 3."
    assert texts.text_of("P18") == (
        "In each turn the opponent discards hand cards with a fire sum of 2 and others with an earth sum of 2 "
        "or has to retreat."
    )
    assert texts.text_of("F30") == "When played: you may discard 3 character(s) from hand to attract a dragon."
    assert texts.text_of("X102") == (
        "May be played only if the opponent holds at least 2 cards more than you; then the contested element changes."
    )
    assert screens.about("K12") == screens.about("~K12") == screens.about("eK12") == texts.about_card("K12")
    assert screens.about("done") == screens.about("f3") == screens.about("") == ""


# ---- values ---------------------------------------------------------------------------------------------------------


def test_values_add_up_to_the_totals_of_the_engine():
    """Card by card, with all raises, doublings and ignored cards."""
    changes = set()
    for game in many("values", 3, 120):
        view, s = look(game), game.state
        if view.element is None:
            continue
        for q in range(2):
            assert view.sides[q].totals[view.element] == s.total[q], game.to_text()
            for value in values(s, q, view.element).values():
                assert (value.changes[-1].to if value.changes else value.printed) == value.now
                changes |= {change.what for change in value.changes}
                assert all(change.by for change in value.changes), game.to_text()
    assert changes == {"blank", "zero", "raised", "doubled"}


def test_a_changed_value_says_why():
    """Every change of the contested value stands on the board, with the cards that made it."""
    changed = 0
    for game in walk(Game.new("base", "khind-buka", seed=3), random.Random(3)):
        view, shown = look(game), " ".join(board_text(game).split())
        for card in [card for side in view.sides for card in [*side.combat, *side.support]]:
            if view.element is None or card.values is None:
                continue
            value = card.values[view.element]
            if value.changes and value.printed != value.now:
                changed += 1
                assert f"{card.code} {value.printed}→{value.now}" in shown
                assert all(code in shown for change in value.changes for code in change.by)
    assert changed


# ---- boards ---------------------------------------------------------------------------------------------------------


def test_boards_fit_and_show_what_lies_there():
    for game in many("boards", 2, 12):
        s = game.state
        for viewer in (None, 0, 1):
            text = board_text(game, viewer)
            assert all(cell_len(line) <= 80 for line in text.splitlines() if not line.startswith(("P0:", "P1:")))
            for q in range(2):
                for card, place in zones(s, q).items():
                    code = next(code for code, c in CARD_OF[s.deck[q]].items() if c == card)
                    if place in ("combat", "support", "ship", "cargo"):
                        assert code in text
            if viewer in (None, game.player) and not game.over:
                assert all(token in text for token in game.legal())
    assert "\x1b[" in board_text(game, color=True)
    with pytest.raises(ValueError, match="viewer must be"):
        board_text(game, 2)


def test_pictures_have_their_size_and_show_changes():
    game = Game.new("base", "khind-buka", seed=3)
    before = board_image(game, 0, 0.5)
    assert before.shape == (400, 640, 3)
    assert before.dtype == np.uint8
    game.play(game.legal()[0])
    assert (board_image(game, 0, 0.5) != before).any()
    with pytest.raises(ValueError, match="scale"):
        board_image(game, 0, 0)


# ---- screens --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_screens_at_every_kind_of_decision(language):
    """Questions and choices are told in words, each choice differently; boards keep their width."""
    rng = random.Random(7)
    kinds = set()
    for game in many(f"screens {language}", 3, 160):
        if game.over:
            continue
        kinds.add(game.decision)
        player = game.player
        asked = screens.question(game, player, language)
        assert asked
        assert screens.question(game, 1 - player, language) != asked
        labels = [screens.label(game, token, player, language) for token in game.legal()]
        assert len(set(labels)) == len(labels), labels
        assert all("{" not in text for text in [asked, *labels])
        if rng.random() < 0.1:
            for line in screens.board(game, player, language, 50):
                assert sum(cell_len(span.text) for span in line) <= 50
                assert all(span.token in ["", *game.legal()] for span in line)
    assert len(kinds) >= 20, set(KINDS) - kinds


def test_choices_of_the_board_are_the_legal_cards():
    for game in walk(Game.new("base", "khind-buka", seed=1), random.Random(1)):
        if game.over or game.decision in ("deck_card", "discard_card"):
            continue
        spans = {span.token for line in screens.board(game, game.player, width=80) for span in line if span.token}
        cards = {token.lstrip("~+") for token in game.legal() if token[-1].isdigit()}
        assert {token.lstrip("~+") for token in spans} == cards


def test_half_made_sets_can_be_taken_back_until_something_is_shown():
    """As long as a choice continues the other player has learned nothing and nothing was left to chance."""
    continued = 0
    for game in many("continues", 3, 30):
        if game.over:
            continue
        token = game.legal()[-1]
        after = game.copy()
        after.play(token)
        if screens.continues(game, after):
            continued += 1
            assert after.player == game.player
            assert not after.last_random
            assert (after.state.pile == game.state.pile).all() or game.decision in ("bottom", "put_back")
            told, picked = screens.so_far(game, [token], game.player)
            assert told
            assert picked == [token]
    assert continued > 5


# ---- stories --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_stories_of_whole_games(language):
    for name in ("base_khind-buka", "base+opt_match_khind-aqua"):
        record = golden(name)
        teller = Teller(None, language)
        lines = []
        for step in record.steps():
            assert screens.describe(step.before, step.token, language)
            lines += teller.tell(step.before, step.token, step.chance)
        assert all(line.text and "{" not in line.text and "P-1" not in line.text for line in lines)
        assert lines[-1].text == screens.result_words(step.after, language)
        turns = sum(line.heading for line in lines)
        assert turns >= len(record.turns) - 1


def test_a_story_in_words():
    game = Game.new("base", "khind-buka", seed=3)
    teller = Teller(game.turn)
    told = []
    for token in ["done", "fight", "K17", "K21", "K16", "fire"]:
        before = game.copy()
        game.play(token)
        told += [line.text for line in teller.tell(before, token, game.last_random)]
    assert told == [
        "You open a fight",
        "You play K17",
        "You play K21",
        "You play K16",
        "You announce fire, total 5",
        "You draw K14, K20, X101",
        "You stand at 5 against 0 in fire",
        "The opponent's turn",
    ]
    assert [line.text for line in Teller(1 - teller.names.viewer).tell(before, "fire")][:2] == [
        "Opponent announces fire, total 5",
        "Opponent draws 3 cards",
    ]


def test_dragons_are_told():
    """Who attracts how many is what the position says."""
    seen = 0
    for name in ("base_aqua-mimix", "base_terrah-hoax"):
        for step in golden(name).steps():
            before, after = (g.state.dragons.astype(int) for g in (step.before, step.after))
            texts_ = [line.text for line in Teller().tell(step.before, step.token, step.chance)]
            told = [text for text in texts_ if "dragon(s)" in text]
            if (before != after).any():
                seen += 1
                assert told[-1].endswith(f"{after[0]}-{after[1]}")
    assert seen > 3


# ---- leaks ----------------------------------------------------------------------------------------------------------


def unknown_codes(game, viewer):
    """Codes of cards whose place the viewer can't know."""
    s = game.state
    return {
        code
        for q in range(2)
        for code, card in CARD_OF[s.deck[q]].items()
        if card in zones(s, q) and not knows(s, viewer, q, card)
    }


def test_boards_and_questions_do_not_change_when_hidden_cards_are_dealt_anew():
    for n, game in enumerate(many("leaks", 3, 40)):
        if n % 3 or game.over:
            continue
        for viewer in range(2):
            other = game.determinize(viewer, n)
            assert board_text(other, viewer) == board_text(game, viewer)
            for language in LANGUAGES:
                assert screens.question(other, viewer, language) == screens.question(game, viewer, language)
                assert screens.board(other, viewer, language) == screens.board(game, viewer, language)


@pytest.mark.parametrize("viewer", [0, 1, OUTSIDER])
def test_stories_name_only_cards_the_viewer_knows(viewer):
    rng = random.Random(viewer)
    named = 0
    for frame in ("khind-buka", "buka-mimix", "pillar-aqua"):
        game = Game.new("base", frame, seed=rng.randrange(1000))
        teller = Teller(viewer)
        while not game.over:
            token = rng.choice(game.legal())
            before = game.copy()
            game.play(token)
            text = " ".join(line.text for line in teller.tell(before, token, game.last_random))
            secret = unknown_codes(before, viewer) & unknown_codes(game, viewer)
            assert not codes_in(text) & secret, text
            named += len(codes_in(text))
    assert named > 50


def test_a_bluff_is_not_named_to_the_opponent():
    for game in walk(Game.new("base", "buka-khind", seed=2), random.Random(8)):
        for token in game.legal() if not game.over else []:
            if token[0] != "~":
                continue
            p, code = game.player, token[1:]
            card = CARD_OF[game.state.deck[p]][code]
            if knows(game.state, 1 - p, p, card):
                continue
            assert code in " ".join(line.text for line in Teller(p).tell(game, token))
            assert code not in " ".join(line.text for line in Teller(1 - p).tell(game, token)[:1])
            assert code not in (Names(OUTSIDER, "en").hidden(game.state, token) or "")
            return
    pytest.fail("no bluff in this game")


# ---- pages and commands ---------------------------------------------------------------------------------------------


def test_rules_and_glossary_in_the_terminal(capsys):
    assert cli.main(["rules", "base"]) == 0
    out = capsys.readouterr().out
    assert all(name in out for name in PEOPLES)
    for name in PEOPLES:
        assert cli.main(["rules", "base", "--deck", name]) == 0
        out = capsys.readouterr().out
        codes = [row["code"] for row in ROWS if row["deck"].lower() == name and row["slot"] != "0"]
        assert all(re.search(rf"\b{code}\b", out) for code in codes)
    assert cli.main(["rules", "base+opt/match", "--deck", "buka"]) == 0
    assert "N5" in capsys.readouterr().out
    assert cli.main(["glossary", "--game", "bluemoon"]) == 0
    assert "ドラゴン" in capsys.readouterr().out
    assert cli.main(["glossary", "ブラフ"]) == 0
    assert "face down" in capsys.readouterr().out
    for words, complaint in [
        (["rules", "base", "--deck", "hoks"], "did you mean 'hoax'"),
        (["rules", "8.0-lite", "--deck", "hoax"], "BlackPoker has no ready-made decks"),
        (["rules", "--deck", "hoax"], "of which ruleset"),
    ]:
        assert cli.main(words) != 0
        assert complaint in capsys.readouterr().err


def test_words_of_the_glossary_live_where_it_says():
    home = Path(pages.__file__).parents[1]
    assert all((home / entry.file).is_file() for entry in glossary.ENTRIES)
    assert len({entry.word for entry in glossary.ENTRIES}) == len(glossary.ENTRIES)


# ---- the viewer's data ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_viewer_is_given_every_position(language):
    record = golden("base_khind-buka")
    data = replay_data(record, language)
    steps = list(record.steps())
    assert len(data["moves"]) == len(steps)
    assert len(data["positions"]) == len(steps) + 1
    assert set(data["cards"]) == {code for deck in ("Khind", "Buka") for code in CARD_OF[_deck(deck)] if code[0] != "N"}
    for step, place in zip(steps, data["positions"][1:]):
        s = step.after.state
        for q, side in enumerate(place["sides"]):
            assert side["dragons"] == s.dragons[q]
            assert [code[:-1] for code in side["hand"]] == [_code(s, q, c) for c in members(s.hand[q])]
            assert len(side["deck"]) == s.pile_count[q]
            assert len(side["combat"]) == s.line_count[q]
    json.dumps(data)
    assert page(record, language).count("<script") == 4


def _deck(name):
    return [row["deck"] for row in ROWS if row["slot"] == "0"].index(name)


def _code(s, q, card):
    return next(code for code, c in CARD_OF[s.deck[q]].items() if c == card)


def test_the_table_has_all_its_words():
    script = (Path(pages.__file__).parent / "table.js").read_text(encoding="utf-8")
    from ka_env.viewer.words import LANGUAGES as SHELL

    asked = set(re.findall(r'say\("([^"]+)"', script))
    for language in LANGUAGES:
        assert asked <= table_words(language).keys() | SHELL[language].keys()


def test_moves_hide_what_only_their_player_knows():
    record = golden("base_khind-buka")
    data = replay_data(record)
    hidden = 0
    for step, move in zip(record.steps(), data["moves"]):
        secret = unknown_codes(step.before, OUTSIDER) & unknown_codes(step.after, OUTSIDER)
        told = " ".join([move.get("hidden", move["text"]), *move["facts"]])
        assert not codes_in(told) & secret, told
        hidden += "hidden" in move
    assert hidden


def test_made_up_positions_can_be_looked_at():
    rng = random.Random(11)
    for k in range(25):
        game = position(rng, k)
        assert board_text(game)
        assert look(game, OUTSIDER).sides[0].player == 0


@pytest.mark.parametrize("name", list(environment_docs.TABLES))
def test_the_page_has_the_tables_of_the_code(name):
    """If not: python -m ka_env.bluemoon.people.environment_docs docs/bluemoon_environment.md"""
    assert between_markers(name, "bluemoon_environment.md") == environment_docs.TABLES[name]().strip()
