"""Texts that went wrong: reading either refuses them with a NotationError or gives a game that plays like any other."""

import faulthandler
import random
from functools import cache

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ka_env import Game, KaError, NotationError
from ka_env.blackpoker.cards import NAMES
from ka_env.blackpoker.codes import ACTION_NAME
from ka_env.blackpoker.decisions import KINDS
from ka_env.blackpoker.text.tokens import IDS
from tests.blackpoker.lists import LITE_AND_STD as RULESETS
from tests.examples import examples

from .strategies import (
    FRAMES,
    busy_choice,
    check_record,
    decks_of,
    differing_fields,
    new_game,
    played_games,
    record_bytes,
    walk,
)

each_ruleset = pytest.mark.parametrize("ruleset", RULESETS)
HUGE = "9" * 5000
NUMBERS = [
    "0",
    "1",
    "2",
    "7",
    "13",
    "31",
    "32",
    "33",
    "54",
    "63",
    "64",
    "99",
    "127",
    "128",
    "255",
    "-1",
    "65536",
    str(2**63),
]
LETTERS = list("0123456789AKQJTXshdcbu:+/*^&~>#@.,()=- \n\t\0") + ["٣", "²", "♥", "é", "\u2028", "\ufeff", "😀"]


@pytest.fixture(autouse=True)
def no_hang():
    """A game that never comes to a decision would hang in compiled code, where nothing else can stop it."""
    faulthandler.dump_traceback_later(1200, exit=True)
    yield
    faulthandler.cancel_dump_traceback_later()


@cache
def corpus(ruleset):
    """Valid texts of all kinds of decisions, a few of each."""
    texts = {}
    for seed in range(36):
        frame = FRAMES[seed // 3 % len(FRAMES)] if seed % 3 == 0 else "position"
        for game in walk(new_game(ruleset, frame, seed), seed=seed):
            texts.setdefault(game.decision, []).append(game.to_text())
    rng = random.Random(ruleset)
    return [text for kind in texts for text in rng.sample(texts[kind], min(len(texts[kind]), 25))]


def check_text(text, rng, moves=12):
    """Refused, or sound and playable. Returns whether it was read."""
    try:
        game = Game.from_text(text)
    except NotationError:
        return False
    decks = decks_of(game)
    for _ in range(moves):
        try:
            check_record(game, decks)
            again = Game.from_text(game.to_text())
        except (AssertionError, KaError) as error:
            raise AssertionError(f"{error}\nnow:\n{game.to_text()}\nread from:\n{text}") from error
        assert again.to_text() == game.to_text()
        assert differing_fields(again, game) == [] or game.over, f"{game.to_text()}\nread from:\n{text}"
        if game.over:
            break
        game.step(busy_choice(game, rng))
    return True


# ---- mutations ------------------------------------------------------------------------------------------------------


def a_line(lines, rng, named=None):
    """The index of a line, mostly of one that says something."""
    found = [i for i, line in enumerate(lines) if not line.endswith(" -") and (named is None or line.startswith(named))]
    return rng.choice(found or range(len(lines)))


def delete_line(lines, others, rng):
    lines.pop(a_line(lines, rng))


def duplicate_line(lines, others, rng):
    lines.insert(rng.randrange(len(lines) + 1), rng.choice(lines))


def swap_contents(lines, others, rng):
    """Two lines exchange what follows their names."""
    i, j = a_line(lines, rng), rng.randrange(len(lines))
    (a, _, x), (b, _, y) = lines[i].partition(" "), lines[j].partition(" ")
    lines[i], lines[j] = f"{a} {y}", f"{b} {x}"


def line_of_another(lines, others, rng):
    """A line of another position: a stage, a pending decision, a field that belong elsewhere."""
    name = rng.choice(["pending", "stage", "field0", "field1", "known0", "known1", "chance", "passed", "turn", "rules"])
    given = [line for line in others if line.startswith(name)] or [rng.choice(others)]
    lines[:] = [line for line in lines if line.split()[0] != given[0].split()[0]] + given


def delete_word(lines, others, rng):
    i = a_line(lines, rng)
    words = lines[i].split(" ")
    words.pop(rng.randrange(len(words)))
    lines[i] = " ".join(words)


def move_word(lines, others, rng):
    """A word goes to another line, or to another place in its line."""
    i, j = a_line(lines, rng), a_line(lines, rng)
    words = lines[i].split(" ")
    word = words.pop(rng.randrange(len(words)))
    lines[i] = " ".join(words)
    words = [w for w in lines[j].split(" ") if w != "-"]
    words.insert(rng.randint(1, max(len(words), 1)), word)
    lines[j] = " ".join(words)


def duplicate_word(lines, others, rng):
    i, j = a_line(lines, rng), a_line(lines, rng)
    lines[j] = f"{lines[j].removesuffix('-')} {rng.choice(lines[i].split(' '))}"


def change_character(lines, others, rng):
    i = a_line(lines, rng)
    k = rng.randrange(len(lines[i]) + 1)
    lines[i] = lines[i][:k] + rng.choice([*LETTERS, ""]) + lines[i][k + rng.randrange(2) :]


def change_card(lines, others, rng):
    i = a_line(lines, rng)
    cards = [name for name in NAMES if name in lines[i]]
    if cards:
        lines[i] = lines[i].replace(rng.choice(cards), rng.choice(NAMES), 1)


def change_number(lines, others, rng):
    i = a_line(lines, rng, rng.choice(["field", "stage", "known", "fog", "pending"]))
    places = [k for k, c in enumerate(lines[i]) if c.isdigit()]
    if places:
        k = rng.choice(places)
        lines[i] = lines[i][:k] + rng.choice(NUMBERS) + lines[i][k + 1 :]


def change_mark(lines, others, rng):
    i = a_line(lines, rng, "field")
    words = lines[i].split(" ")
    k = rng.randrange(len(words))
    words[k] += rng.choice(["/d", "*", "^", "&0", "&1", "~+3", "~-3"])
    lines[i] = " ".join(words)


def change_action(lines, others, rng):
    i = a_line(lines, rng, rng.choice(["stage", "pending"]))
    verbs = [verb for verb in [*ACTION_NAME.values(), *KINDS] if verb in lines[i]]
    if verbs:
        lines[i] = lines[i].replace(rng.choice(verbs), rng.choice([*ACTION_NAME.values(), *KINDS]), 1)


MUTATIONS = [
    delete_line,
    duplicate_line,
    swap_contents,
    line_of_another,
    line_of_another,
    delete_word,
    move_word,
    move_word,
    duplicate_word,
    change_character,
    change_card,
    change_number,
    change_number,
    change_mark,
    change_action,
]


@each_ruleset
def test_mutated_texts(ruleset):
    rng = random.Random(f"mutations {ruleset}")
    texts = corpus(ruleset)
    read = 0
    for _ in range(700):
        lines, others = rng.choice(texts).splitlines(), rng.choice(texts).splitlines()
        for _ in range(rng.choice([1, 1, 1, 2, 3])):
            rng.choice(MUTATIONS)(lines, others, rng)
            lines = [line for line in lines if line.strip()] or ["ka 1"]
        read += check_text("\n".join(lines), rng)
    assert 70 < read < 500, "mutations that are all refused, or never, test little"


@each_ruleset
def test_pending_lines_in_other_positions(ruleset):
    """Any pending decision with any position: it fits and plays, or it is refused."""
    rng = random.Random(f"pending {ruleset}")
    texts = corpus(ruleset)
    pending = sorted({line for text in texts for line in text.splitlines() if line.startswith("pending")})
    read = 0
    for _ in range(500):
        lines = [
            line for line in rng.choice(texts).splitlines() if not line.startswith(("pending", "result", "passed"))
        ]
        lines = [line.replace("chance -", "chance 0") for line in lines]
        if rng.random() < 0.3:
            lines[3] = f"chance {rng.randrange(2)}"
        read += check_text("\n".join([*lines, rng.choice(pending)]), rng, moves=6)
    assert read > 20


def test_the_corpus_has_every_kind_of_decision():
    kinds = {
        line.split()[1]
        for ruleset in RULESETS
        for text in corpus(ruleset)
        for line in text.splitlines()
        if "pend" in line
    }
    assert kinds == set(KINDS[1:17])  # those of lite and std


@examples(200)
@given(st.text() | st.text(alphabet="ka 1rulesturnchance01-\n#").map("ka 1\nrules 8.0-lite\n".__add__))
@example("")
@example("\n")
@example("#")
@example("ka 1")
@example("ka 2")
@example("ka")
@example("\ufeffka 1")
@example("ka 1\x85rules 8.0-lite")
def test_any_text(text):
    with pytest.raises(NotationError):
        Game.from_text(text)


# ---- numbers --------------------------------------------------------------------------------------------------------

BASE = """ka 1
rules 8.0-std
turn 0
chance 0
life0 2h 3h 4h Kc
hand0 5h 6c
grave0 9d
field0 0:b7d 1:s5c/d^ 3:s9h
fog0 5s>-
life1 8s Jh Ts
hand1 9d 5c
grave1 Jd 2h
field1 0:bQs&1 1:sX1
stage 0:0.damage 1:1.down(3s)>0.3 2:0.counter(4c)>#1
known0 Jd@grave 8s@life.0
known1 3h@life.1
"""
PLACES = [
    ("turn 0", "turn {}"),
    ("chance 0", "chance {}"),
    ("chance 0", "chance 0\npassed {}"),
    ("3:s9h", "{}:s9h"),
    ("&1", "&{}"),
    ("3:s9h", "3:s9h~+{}"),
    ("3:s9h", "3:s9h~-{}"),
    (">-", ">0.{}"),
    (">-", ">{}.0"),
    ("0:0.damage", "{}:0.damage"),
    ("0:0.damage", "0:{}.damage"),
    (">0.3", ">0.{}"),
    (">#1", ">#{}"),
    ("@life.0", "@life.{}"),
    ("known1", "pending key up paid={}\nknown1"),
    ("known1", "pending key up slot={}\nknown1"),
    ("known1", "pending attackers picked={}\nknown1"),
    ("known1", "pending blockers attacker={}\nknown1"),
    ("known1", "result {} 0\nknown1"),
    ("ka 1", "ka {}"),
]


def test_the_base_of_the_number_tests_is_read():
    assert check_text(BASE, random.Random(0))


@pytest.mark.parametrize("number", ["32", "128", "256", "1000", str(2**31), str(2**64), HUGE], ids=lambda n: n[:12])
@pytest.mark.parametrize(("old", "new"), PLACES)
def test_numbers_out_of_range(old, new, number):
    """Refused as notation, however long: never an OverflowError, never a number cut to size."""
    assert old in BASE
    with pytest.raises(NotationError):
        Game.from_text(BASE.replace(old, new.format(number), 1))


# ---- full fields, full stages, empty lives --------------------------------------------------------------------------


def full_field(ruleset, hand, life, grave="-", free=0, extra=""):
    """Player 0 has 32 units (less `free`): a few charged bulwarks, then soldiers; the rest of the cards is given."""
    given = set(f"{hand} {life} {grave} {extra}".replace("+", " ").split())
    cards = [name for name in NAMES[:52] if name not in given][: 32 - free]
    units = [f"{slot}:{'b' if slot < 4 else 's'}{card}" for slot, card in enumerate(cards)]
    if extra:
        units[-1] = f"{31 - free}:s{extra}"
    return (
        f"ka 1\nrules {ruleset}\nturn 0\nchance 0\n"
        f"life0 {life}\nhand0 {hand}\ngrave0 {grave}\nfield0 {' '.join(units)}\n"
        "life1 2s 3s 4s 5s\nhand1 -\ngrave1 -\nfield1 0:b7d\n"
    )


def line_of(game, name):
    return next(line for line in game.to_text().splitlines() if line.startswith(name))


def settle_stage(game):
    while game.decision == "chance" and line_of(game, "stage") != "stage -":
        game.play("pass")


@pytest.mark.parametrize("ruleset", ["8.0-lite", "6.1-std"])
def test_a_summon_to_a_full_field(ruleset):
    """The card that finds no slot goes to the grave; the key of a summon only once."""
    game = Game.from_text(full_field(ruleset, hand="9s 9h", life="Kc Qc Jc"))
    decks = decks_of(game)
    game.play("soldier u0 9s")
    settle_stage(game)
    check_record(game, decks)
    assert line_of(game, "grave0") == "grave0 Kc 9s"
    game.play("bulwark")
    settle_stage(game)
    check_record(game, decks)
    assert line_of(game, "grave0") == "grave0 Kc 9s Qc 9h"
    assert len(line_of(game, "field0").split()) == 33


@pytest.mark.parametrize("free", [0, 1])
def test_fortify_on_a_full_field(free):
    game = Game.from_text(full_field("8.0-std", hand="9h 9c", life="Kc Qc Jc", free=free))
    decks = decks_of(game)
    game.play("fortify")
    settle_stage(game)
    game.play("two")
    check_record(game, decks)
    assert len(line_of(game, "field0").split()) == 33
    assert line_of(game, "grave0") == ("grave0 Qc 9h 9c" if free else "grave0 Kc Qc 9h 9c")


def test_reverse_on_a_full_field():
    """One bulwark per card, but there are no slots for the upper ones."""
    game = Game.from_text(full_field("6.1-std", hand="9s 9h", life="Kc Qc Jc", extra="Ad+2d+3d"))
    decks = decks_of(game)
    game.play("reverse u31")
    settle_stage(game)
    game.play("drive")
    check_record(game, decks)
    assert line_of(game, "field0").endswith("31:bAd/d")
    assert line_of(game, "grave0") == "grave0 2d 3d 9s 9h"


def test_reanimate_on_a_full_field():
    """The target dies first, so its slot is free."""
    game = Game.from_text(full_field("6.1-std", hand="9s 9h", life="Kc Qc Jc", grave="Tc Jh Qh"))
    decks = decks_of(game)
    game.play("reanimate u31")
    settle_stage(game)
    game.play("Qh")
    check_record(game, decks)
    assert line_of(game, "field0").endswith("31:sQh*")


@each_ruleset
def test_full_fields_play_on(ruleset):
    for seed in range(4):
        text = full_field(ruleset, hand="9s 9h 9d Jc Ah Ac 8h", life="Kc Qc 2s 3s 4s 5s Jh", free=seed % 2)
        text = text.replace("field1 0:b7d", f"field1 {' '.join(f'{i}:b{c}' for i, c in enumerate(NAMES[13:45]))}")
        game = Game.from_text(text)
        decks = decks_of(game)
        for now in walk(game, seed=seed):
            check_record(now, decks)


def full_stage(ruleset, bottom):
    """32 requests: one below, then twists and downs at a unit that is there."""
    keys = [f"{r}{s}" for s in "ds" for r in "A23456789T"]
    requests = [bottom]
    for i in range(1, 32):
        player, key = divmod(i - 1, 16)
        verb = "twist" if keys[key].endswith("d") else "down"
        requests.append(f"{player}.{verb}({keys[key]})>{i % 2}.0")
    words = " ".join(f"{i}:{request}" for i, request in enumerate(requests))
    return (
        f"ka 1\nrules {ruleset}\nturn 0\nchance 0\nlife0 2h 3h 4h\nhand0 Ah 9h Ac 9c X1\ngrave0 -\nfield0 0:sKc\n"
        f"life1 2h 3h 4h\nhand1 Ah 9h Ac 9c X1\ngrave1 -\nfield1 0:sKh\nstage {words}\n"
    )


@pytest.mark.parametrize("bottom", ["0.draw", "0.end", "0.attack", "0.block", "0.damage", "0.soldier(7c)"])
@each_ruleset
def test_full_stages_play_on(ruleset, bottom):
    """R28: only immediate requests while it is full; then it empties like any other."""
    game = Game.from_text(full_stage(ruleset, bottom))
    assert game.legal() == ["pass", "search"]
    decks = decks_of(game)
    for seed in range(3):
        for now in walk(game.copy(), seed=seed):
            check_record(now, decks)


@each_ruleset
def test_33_requests_are_refused(ruleset):
    text = full_stage(ruleset, "0.draw").replace("\nknown", "").rstrip() + " 32:0.draw\n"
    with pytest.raises(NotationError, match="at most 32"):
        Game.from_text(text)


@each_ruleset
def test_no_life_on_either_side(ruleset):
    """Read as it is; the next win check decides, and the game ends for every line of play."""
    rng = random.Random(ruleset)
    read = 0
    for text in corpus(ruleset):
        if "result" in text:
            continue
        lines = ["life0 -" if line.startswith("life0") else line for line in text.splitlines()]
        lines = ["life1 -" if line.startswith("life1") else line for line in lines]
        lines = [line for line in lines if not line.startswith("known")]
        text = "\n".join(lines)
        if check_text(text, rng, moves=40):
            read += 1
            if read % 5 == 0:  # `walk` fails when a game does not end
                *_, end = walk(Game.from_text(text), seed=read)
                assert end.over
    assert read > 20


def test_a_bulwark_that_blocks_already_gets_no_company():
    """R22 holds too for blockers that stood in the text before the block resolves."""
    text = (
        "ka 1\nrules 8.0-lite\nturn 0\nchance 0\nlife0 2h 3h 4h\nhand0 -\ngrave0 -\nfield0 0:s5c/d^\n"
        "life1 5s 6s 7s\nhand1 -\ngrave1 -\nfield1 0:b7d&0 1:s8h 2:b9h\nstage 0:0.block\n"
    )
    if check_text(text, random.Random(0)):  # refusing it would do as well
        game = Game.from_text(text)
        assert game.decision != "blockers" or not {"u1", "u2"} & set(game.legal())


# ---- tokens ---------------------------------------------------------------------------------------------------------


@examples(80)
@given(game=played_games(), words=st.lists(st.text(min_size=1) | st.sampled_from(sorted(IDS)), min_size=1, max_size=4))
def test_any_tokens(game, words):
    """Either all of them are legal one after the other, or a KaError and no change."""
    before, text = record_bytes(game), game.to_text()
    line = " ".join(words)
    trial = game.copy()
    legal = True
    for token in line.split():
        legal = legal and token in trial.legal()
        if legal:
            trial.step(IDS[token])
    if legal:
        game.play(line)
        assert record_bytes(game) == record_bytes(trial)
    else:
        with pytest.raises(KaError):
            game.play(line)
        assert record_bytes(game) == before
        assert game.to_text() == text


@pytest.mark.parametrize(
    "token", ["u32", "u-1", "u00", "u٣", "U0", "e99", "#32", "##", "7H", "10h", "x1", "Pass", "pass\0", "−", HUGE]
)
def test_near_misses_are_no_tokens(token):
    game = Game.new("8.0-lite", "entry20", seed=1)
    before = record_bytes(game)
    with pytest.raises(NotationError, match="unknown token"):
        game.play(token)
    assert record_bytes(game) == before
