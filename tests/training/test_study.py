"""Judging decisions, analysing a record, studying many games, comparing agents; every figure is recomputed here."""

import json
import re
from collections import Counter

import numpy as np
import pytest

from ka_env.agents.match import record_game
from ka_env.agents.nets import PolicyNet
from ka_env.cli import main
from ka_env.errors import KaError
from ka_env.games import Setup, game_of_text
from ka_env.record import Record, Recorder, save
from ka_env.training.arena import Plan, play_tournament
from ka_env.training.arena.faults import ArenaError
from ka_env.training.arena.records import rebuild
from ka_env.training.arena.store import Store, game_id
from ka_env.training.study import decks as deck_search
from ka_env.training.study import sample as samples
from ka_env.training.study.analyse import analyse
from ka_env.training.study.calibration import calibration
from ka_env.training.study.compare import compare, find_differences, judge_differences, write_comparison
from ka_env.training.study.figures import all_figures
from ka_env.training.study.judge import Judge, Question
from ka_env.training.study.report import write_study
from ka_env.training.study.sample import ANY, WORDS, Judged, judge_sample, judged_rows, samples_of
from ka_env.training.study.statistics import mean_of, share_of
from ka_env.training.study.study import make_plan, usual_agents

BLUNDER = """ka 1
rules 8.0-lite
turn 1
chance 0
passed -
used attack
life0 Td 4s 3s Ah
hand0 6c
grave0 2s 8h Jh Ac Qd 5c 5s Kc 7d As 3d Th Ad
field0 1:sTc 2:s9h&1
fog0 -
life1 6c Jh 4s
hand1 -
grave1 As Qd Ac 5s Kc 3s Ah Tc 8h Ad 9h 7d 3d Td
field1 0:b2s 1:s5c/d^ 2:sTh/d^
fog1 -
stage 0:1.block
known0 -
known1 -
pending blockers attacker=2
"""  # player 0 has 4 life and lets a soldier of 10 through, or blocks it


LITE = Setup.of("8.0-lite"), ("policy:lite-entry20", "greedy")  # what is played, and by whom
MOON = Setup("base", "khind-buka"), ("greedy", "random")


def blunder(token="done"):
    """A made-up game of one move: not to block is death."""
    recorder = Recorder(game_of_text(BLUNDER).Game.from_text(BLUNDER))
    recorder.play(token)
    return recorder.record()


@pytest.fixture(scope="module", params=[LITE, MOON], ids=["blackpoker", "bluemoon"])
def record(request):
    setup, agents = request.param
    return record_game(list(agents), setup.ruleset, setup.frame, seed=5)


# ---- judging --------------------------------------------------------------------------------------------------------


def test_a_known_blunder_is_marked():
    (decision,) = analyse(blunder(), budget=200).decisions
    assert decision.mark == 20
    assert decision.tokens[decision.judgement.best.action] == "u1"
    assert decision.before > 0.9 and decision.after < 0.1
    assert decision.judgement.loss == pytest.approx(decision.before - decision.after)


def test_the_good_move_is_not_marked():
    found = analyse(blunder("u1"), budget=200)
    assert found.decisions[0].mark == 0 and found.decisions[0].judgement.loss == 0
    assert found.summary(0)["average_loss"] == 0 and found.summary(1)["average_loss"] is None


def test_the_same_numbers_with_any_number_of_threads(record):
    one = analyse(record, budget=64).to_json()
    assert one == analyse(record, budget=64, threads=2).to_json()
    assert one != analyse(record, budget=64, seed=1).to_json()


def test_an_analysis_adds_up(record):
    found = analyse(record, budget=64).to_json()
    steps = list(record.steps())
    assert [one["move"] for one in found["decisions"]] == [step.number for step in steps]
    for one, step in zip(found["decisions"], steps):
        assert (one["player"], one["kind"], one["played"]) == (step.before.player, step.before.decision, step.token)
        tokens = {option["token"]: option for option in one["options"]}
        assert one["played"] in tokens and set(tokens) <= set(step.before.legal())
        assert one["before"] == found["decisions"][one["move"] - 1]["options"][0]["chance"]
        assert one["after"] == tokens[one["played"]]["chance"]
        assert one["loss"] == pytest.approx(max(0, one["before"] - one["after"]), abs=2e-4)
        expected = 20 if one["loss"] > 0.2 else 10 if one["loss"] > 0.1 else 0
        assert one["mark"] in (0, expected)
    for player, facts in enumerate(found["players"]):
        losses = [one["loss"] for one in found["decisions"] if one["player"] == player]
        assert facts["decisions"] == len(losses)
        assert facts["average_loss"] == pytest.approx(np.mean(losses), abs=1e-4)
    for point, one in zip(found["curve"], found["decisions"]):
        assert point["chance"] == pytest.approx(one["before"] if one["player"] == 0 else 1 - one["before"], abs=1e-4)


def test_hidden_cards_do_not_tell(record):
    """The same knowledge, other hidden cards: the chances agree within their errors."""
    judge = Judge(Setup.of(record.start().ruleset), budget=400)
    steps = list(record.steps())
    differences = []
    for step in steps[5::12]:
        game, action = step.before, step.before.action_id(step.token)
        other = game.determinize(game.player, 99)
        assert other.to_text() != game.to_text()
        one, two = (judge.judge(Question(g.records(), action, step.number)).played for g in (game, other))
        differences.append((one.chance - two.chance) / max(0.02, np.hypot(one.error, two.error)))
    assert np.mean(np.square(differences)) < 6, differences


def test_the_network_is_the_one_trained_on_these_rules():
    assert Judge(Setup.of("8.0-lite")).name == "ismcts:net=lite-entry20"
    assert Judge(Setup.of("8.0-lite"), net="none").name == "ismcts:net=none"
    assert Judge(Setup.of("base")).name == "ismcts:net=none"  # its card says that search is better
    assert PolicyNet.load("bluemoon").card["below_search"]
    assert Judge(Setup.of("8.0-mast")).name == "ismcts:net=blackpoker"
    with pytest.raises(KaError, match="'lite-entry20' was trained on another game"):
        Judge(Setup.of("base"), net="lite-entry20")
    assert usual_agents(Setup.of("8.0-lite"))[0] == "policy:lite-entry20"


def test_two_options_are_judged_alike():
    game = game_of_text(BLUNDER).Game.from_text(BLUNDER)
    done, block = (game.action_id(token) for token in ("done", "u1"))
    found = Judge(Setup.of("8.0-lite"), budget=200).judge(Question(game.records(), done, 0, block))
    assert found.over[0] == pytest.approx(found.played.chance - found.best.chance)
    assert found.over[0] < -0.8 and 0 <= found.over[1] < 0.1


# ---- ka analyse -----------------------------------------------------------------------------------------------------


def test_the_command_tells_and_writes_a_page(tmp_path, capsys):
    save(tmp_path / "game.ka", [blunder()])
    assert main(["analyse", str(tmp_path / "game.ka"), "--budget", "100"]) == 0
    out, err = capsys.readouterr()
    assert "move 1, player 0 at blockers: done" in out and "1 above 20" in out
    assert "1 of 1 decisions" in err
    assert "ka-analysis-1" in (tmp_path / "game-analysis.html").read_text(encoding="utf-8")
    assert main(["analyse", str(tmp_path / "game.ka"), "--budget", "100", "--json", "--quiet"]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["decisions"][0]["mark"] == 20 and err == ""


@pytest.mark.parametrize(
    ("change", "options", "told"),
    [
        (lambda text: text.replace("rules 8.0-lite", "rules 9.9-lite"), [], "9.9-lite"),
        (lambda text: text.replace("done", "u5"), [], "move 1: illegal move 'u5'"),
        (lambda text: "", [], "the deal"),
        (lambda text: text, ["--budget", "3"], "budget 3: expected at least 64"),
        (lambda text: text, ["--net", "lite-entry2"], "did you mean 'lite-entry20'"),
        (lambda text: text, ["--threads", "0"], "threads 0: expected at least 1"),
    ],
)
def test_bad_input_gets_one_line(change, options, told, tmp_path, capsys):
    path = tmp_path / "game.ka"
    path.write_text(change(blunder().to_text()), encoding="utf-8")
    assert main(["analyse", str(path), *options]) == 2
    err = capsys.readouterr().err
    assert told in err and err.count("\n") == 1


# ---- ka study: every figure from the records ------------------------------------------------------------------------

in_blackpoker = pytest.mark.parametrize("store", [LITE], ids=["blackpoker"], indirect=True)


@pytest.fixture(scope="module", params=[LITE, MOON], ids=["blackpoker", "bluemoon"])
def store(request, tmp_path_factory):
    path = tmp_path_factory.mktemp("study") / "study.sqlite"
    setup, agents = request.param
    play_tournament(make_plan([setup], agents, 80, 3), path, workers=0, quiet=True)
    with Store.read(path) as found:
        judge = Judge(setup, budget=64)
        for name in samples_of(found, 0):
            judge_sample(found, 0, name, 40, judge, 2, lambda: None)
        yield found


@pytest.fixture(scope="module")
def figures(store):
    return all_figures(store)


@pytest.fixture(scope="module")
def played(store):
    """The games as records, told by nothing that the study uses."""
    return [(row, rebuild(store, row)[0]) for row in store.rows()]


def deal_of(row):
    return row.pair, frozenset((row.first, row.second))


def interval_of(values, deals, weights=None):
    """Mean and half width over deals, written out."""
    weights = [1.0] * len(values) if weights is None else weights
    mean = sum(values) / sum(weights)
    pulls = Counter()
    for value, weight, deal in zip(values, weights, deals):
        pulls[deal] += value - mean * weight
    n = len(pulls)
    error = (sum(pull**2 for pull in pulls.values()) * n / (n - 1)) ** 0.5 / sum(weights)
    return mean, 1.96 * error


def check(told, values, deals, weights=None, share=True):
    mean, half = interval_of(values, deals, weights)
    if share:
        half = max(half, 1 / (len(set(deals)) + 1.96**2))
    low, high = (max(0, mean - half), min(1, mean + half)) if share else (mean - half, mean + half)
    assert (told["value"], told["low"], told["high"]) == pytest.approx((mean, low, high), abs=2e-5)


def test_who_begins(figures, played):
    values, deals = [], []
    for row, record in played:
        values.append(record.replay().result[record.start().turn])
        deals.append(deal_of(row))
    check(figures["rules"][0]["start"], values, deals)
    assert figures["rules"][0]["games"] == figures["rules"][0]["start"]["n"] == 80
    assert figures["rules"][0]["deals"] == 40


def test_lengths(figures, played):
    one = figures["rules"][0]
    turns = [sum(a.before.turn != a.after.turn for a in record.steps()) + 1 for _, record in played]
    decisions = [len(list(record.steps())) for _, record in played]
    for name, values in (("turns", turns), ("decisions", decisions)):
        check(one[name]["mean"], values, [deal_of(row) for row, _ in played], share=False)
        assert one[name]["median"] == np.median(values)
        assert dict(one[name]["histogram"]) == Counter(values)
        assert (one[name]["from"], one[name]["to"]) == pytest.approx(tuple(np.quantile(values, [0.05, 0.95])))


def test_endings_add_up(figures):
    endings = figures["rules"][0]["endings"]
    assert sum(one["count"] for one in endings) == 80
    assert sum(one["share"]["value"] for one in endings) == pytest.approx(1, abs=1e-4)


def test_actions(figures, played, store):
    words = store.plan.rules[0].game.words.values()
    uses, parts = {}, Counter()
    for number, (_, record) in enumerate(played):
        steps = list(record.steps())
        for step in steps:
            uses.setdefault(step.token, Counter())[number, step.before.player] += 1
            parts[step.token, (step.number - 1) * 3 // len(steps)] += 1
    told = {one["word"]: one for one in figures["rules"][0]["actions"]}
    assert {word for word in words if sum(uses.get(word, {}).values()) >= 20} == set(told)
    deals = [deal_of(row) for row, _ in played]
    for word, one in told.items():
        each = [[uses[word][number, seat] for seat in range(2)] for number in range(len(played))]
        assert one["uses"] == sum(map(sum, each))
        check(one["per_game"], [sum(both) for both in each], deals, share=False)
        check(one["players"], [(both[0] > 0) / 2 + (both[1] > 0) / 2 for both in each], deals)
        assert one["parts"] == pytest.approx([parts[word, part] / one["uses"] for part in range(3)], abs=1e-4)
        only = [i for i, both in enumerate(each) if (both[0] > 0) != (both[1] > 0)]
        assert (one["won_by_only_user"] is None) == (len(only) < 20)
        if one["won_by_only_user"]:
            scores = [played[i][1].replay().result[0 if each[i][0] else 1] for i in only]
            check(one["won_by_only_user"], scores, [deals[i] for i in only])
            assert one["won_by_only_user"]["n"] == len(only)


@in_blackpoker
def test_first_hands(figures, played):
    values, weights, deals, count = {}, {}, {}, Counter()
    for row, record in played:
        facts = dict(line.split(" ", 1) for line in record.deal.splitlines())
        result = record.replay().result
        held = {}
        for seat in range(2):
            for card in facts[f"hand{seat}"].split():
                held.setdefault(card, []).append(result[seat])
        for card, scores in held.items():
            values.setdefault(card, []).append(sum(scores))
            weights.setdefault(card, []).append(len(scores))
            deals.setdefault(card, []).append(deal_of(row))
            count[card] += len(scores)
    told = {one["card"]: one["won"] for one in figures["rules"][0]["cards"]}
    assert set(told) == {card for card in count if count[card] >= 20} and len(told) > 10
    for card, one in told.items():
        check(one, values[card], deals[card], weights[card])
        assert one["n"] == count[card]


@in_blackpoker
def test_when_to_draw_two(figures, played, store):
    asked = Counter()
    for i, (_, record) in enumerate(played):
        for step in record.steps():
            if step.before.decision == "draw_more":
                asked[i] += 1
                asked[i, "yes"] += step.token == "yes"
    (question,) = figures["rules"][0]["questions"]
    deals = [deal_of(row) for row, _ in played]
    assert question["asked"] == sum(asked[i] for i in range(len(played)))
    check(question["chosen"], [asked[i, "yes"] for i in range(80)], deals, [asked[i] for i in range(80)])
    rows = judged_rows(store, 0, "draw_more")
    gains = []
    for row in rows:
        chances = {action: chance for action, chance, *_ in json.loads(row.options)}
        gains.append(chances[2] - chances[3])  # yes, no
    check(question["gain"], gains, [row.deal for row in rows], share=False)
    for fact, groups in question["by"].items():
        facts = [json.loads(row.facts)[fact] for row in rows]
        assert sum(group["gain"]["n"] for group in groups) <= len(rows)
        for group in groups:
            here = [i for i, value in enumerate(facts) if group["from"] <= value <= group["to"]]
            check(group["gain"], [gains[i] for i in here], [rows[i].deal for i in here], share=False)


def test_judged_decisions_are_those_of_the_games(store, played):
    records = {game_id(row): record for row, record in played}
    for name in samples_of(store, 0):
        rows = judged_rows(store, 0, name)
        assert len(rows) == 40
        for row in rows:
            record = records[f"{row.rules}.{row.first}.{row.second}.{row.pair}"]
            step = list(record.steps())[row.move - 1]
            assert (step.before.player, step.before.decision) == (row.player, row.kind)
            assert step.before.action_id(step.token) == row.played
            assert row.score == record.replay().result[row.player]
            if name == "draw_more":
                own = dict(line.split(" ", 1) for line in step.before.to_text().splitlines())
                zones = {zone: own[f"{zone}{row.player}"].split() for zone in ("life", "hand")}
                assert json.loads(row.facts) == {zone: len([c for c in z if c != "-"]) for zone, z in zones.items()}


@in_blackpoker
def test_who_may_draw_more_says_yes_or_no(store):
    assert {row.played in (2, 3) for row in judged_rows(store, 0, "draw_more")} == {True}


def test_losses_and_calibration_on_stored_games(figures, store):
    rows = judged_rows(store, 0, ANY)
    for number, one in enumerate(figures["rules"][0]["losses"]):
        own = [row for row in rows if (row.first, row.second)[row.player] == store.plan.agents.index(one["agent"])]
        check(one["loss"], [row.loss for row in own], [row.deal for row in own], share=False)
        assert number < 2
    told = figures["rules"][0]["calibration"]
    assert told["n"] == 40 and told["brier"] == pytest.approx(
        np.mean([(r.chance - r.score) ** 2 for r in rows]), abs=1e-4
    )
    check(told["gap"], [row.score - row.chance for row in rows], [row.deal for row in rows], share=False)
    for one in told["bins"]:
        here = [row for row in rows if one["from"] <= row.chance < one["to"] + (one["to"] == 1)]
        assert one["actual"]["n"] == len(here)
        assert one["predicted"] == pytest.approx(np.mean([row.chance for row in here]), abs=1e-4)
        check(one["actual"], [row.score for row in here], [row.deal for row in here])


def test_gains_of_words(figures, store):
    rows = judged_rows(store, 0, WORDS)
    for one in figures["rules"][0]["actions"]:
        assert one["gain"] is None or one["gain"]["n"] >= 20
    assert len({row.played for row in rows}) > 5  # rare words are there as well


def test_the_page_says_the_figures(figures, store, tmp_path):
    text = write_study(figures, tmp_path / "study.html", "ka study <x>").read_text(encoding="utf-8")
    inside = re.search(r'<script type="application/json" id="numbers">(.*?)</script>', text, re.S)[1]
    assert json.loads(inside) == figures == all_figures(store)
    start = figures["rules"][0]["start"]
    assert f"{100 * start['value']:.1f} % ({100 * start['low']:.1f} % to {100 * start['high']:.1f} %)" in text
    assert "ka study &lt;x&gt;" in text and "<x>" not in text
    assert "default-src 'none'" in text and "http" not in text.replace("http-equiv", "")
    shown = re.sub(r"<script.*", "", text, flags=re.S)
    for one in figures["rules"][0]["cards"][:3]:
        assert f"{100 * one['won']['value']:.1f} %" in shown


def test_judging_goes_on_where_it_stopped(store, monkeypatch):
    before = judged_rows(store, 0, ANY)
    judge = Judge(store.plan.rules[0], budget=64)
    monkeypatch.setattr(judge, "judge", lambda question: pytest.fail("this was judged already"))
    assert judge_sample(store, 0, ANY, 40, judge, 1, lambda: None) == 40
    assert judge_sample(store, 0, ANY, 20, judge, 1, lambda: None) == 20  # a smaller sample is part of it
    assert judged_rows(store, 0, ANY) == before
    with pytest.raises(ArenaError, match=r"holds judgements by ismcts\S* with budget 64 and seed 0"):
        judge_sample(store, 0, ANY, 40, Judge(store.plan.rules[0], budget=65), 1, lambda: None)


def test_a_longer_study_keeps_its_sample(store):
    short, long = (samples.pick(store, 0, ANY, count) for count in (10, 30))
    assert {one.row[:4] for one in short} <= {one.row[:4] for one in long}


def test_a_damaged_store_is_noticed(store, tmp_path):
    import shutil
    import sqlite3

    copy = tmp_path / "copy.sqlite"
    store.query("PRAGMA wal_checkpoint(TRUNCATE)")
    shutil.copy(store.path, copy)
    with sqlite3.connect(copy) as db:
        db.execute("UPDATE games SET actions = CAST(actions || x'00' AS BLOB) WHERE pair = 0 AND first = 0")
    with Store.read(copy) as damaged, pytest.raises(ArenaError, match=r"game 0\.0\.1\.0"):
        all_figures(damaged)


def test_the_study_command(tmp_path, capsys, one_setup):
    path = tmp_path / "s.sqlite"
    on = ["--on", one_setup.label, "--store", str(path)]
    options = ["--games", "24", "--agents", "greedy", "random", "--judge", "6", "--budget", "64", "--workers", "0"]
    assert main(["study", *options, *on]) == 0
    out = capsys.readouterr().out
    assert "who begins wins" in out and re.search(r"calibration of ismcts\S*, 64 iterations, 6 decisions", out)
    first = path.with_suffix(".html").read_text(encoding="utf-8")
    assert main(["study", *options, *on]) == 0  # nothing is left to do
    assert path.with_suffix(".html").read_text(encoding="utf-8") == first


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["study", "--agents", "gredy", "random"], "unknown agent 'gredy': .* did you mean 'greedy'"),
        (["study", "--on", "8.0-lit"], "unknown ruleset '8.0-lit'"),
        (["study", "--games", "3"], "games 3: expected an even number"),
        (["study", "report", "nowhere.sqlite"], "nowhere.sqlite: there is no such store"),
        (["study", "report", "empty.sqlite"], "empty.sqlite: no games yet"),
        (["study", "decks", "--on", "8.0-lite/entry20"], "no decks to choose there: expected 8.0-lite/deck40"),
        (["compare", "greedy", "gredy"], "unknown agent 'gredy'"),
        (["compare", "greedy", "random", "--judge", "0"], "--judge 0: expected at least 1 decision"),
    ],
)
def test_bad_input_of_the_others(words, told, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Store.open("empty.sqlite", Plan(LITE[1], (LITE[0],), 2, seed=1)).close()
    assert main([*words, "--workers", "0"] if words[0] == "compare" or words[1].startswith("--") else words) == 2
    err = capsys.readouterr().err
    assert re.search(told, err) and err.count("\n") == 1


# ---- statistics -----------------------------------------------------------------------------------------------------


def test_intervals_count_clusters():
    rng = np.random.default_rng(0)
    values = rng.integers(0, 2, 400).astype(float)
    alone = share_of(values, np.arange(400))
    twice = share_of(np.repeat(values, 2), np.repeat(np.arange(400), 2))
    assert alone[:3] == pytest.approx(twice[:3]) and twice.n == 800  # saying everything twice tells nothing more
    none = share_of(np.zeros(10), np.arange(10))
    assert none.value == none.low == 0 < none.high
    assert mean_of(np.ones(1), np.zeros(1)) is None


def made_up(chance, score):
    blank = dict.fromkeys(Judged._fields, 0)
    return [
        Judged(**{**blank, "pair": i, "agent": "made up", "chance": float(c), "score": float(s)})
        for i, (c, s) in enumerate(zip(chance, score))
    ]


def test_calibration_tells_honest_judges_from_braggarts():
    rng = np.random.default_rng(1)
    chance = rng.uniform(0.02, 0.98, 4000)
    score = (rng.uniform(size=4000) < chance).astype(float)
    honest = calibration(made_up(chance, score))
    assert 0.9 < honest["slope"]["value"] < 1.1 and abs(honest["gap"]["value"]) < 0.02
    odds = (chance / (1 - chance)) ** 3
    braggart = calibration(made_up(odds / (1 + odds), score))
    assert braggart["slope"]["high"] < 0.5 and braggart["error"] > 3 * honest["error"]
    assert braggart["brier"] > honest["brier"]
    flattered = calibration(made_up(chance**0.5, score))
    assert flattered["gap"]["high"] < 0
    assert calibration([]) is None


# ---- comparing ------------------------------------------------------------------------------------------------------


def compared(tmp_path, setup, a, b, games=20):
    path = tmp_path / "compare.sqlite"
    play_tournament(make_plan([setup], (a, b), games, 0), path, workers=0, quiet=True)
    judge = Judge(setup, budget=64)
    store = Store.read(path)
    counted, differences = find_differences(store)
    found = judge_differences(differences, 12, judge, 2)
    return store, counted, differences, compare(store, counted, found, judge)


@pytest.mark.parametrize(("setup", "agent"), [(LITE[0], "policy:lite-entry20"), (MOON[0], "policy:bluemoon")], ids=str)
def test_an_agent_agrees_with_itself(tmp_path, setup, agent):
    store, counted, differences, figures = compared(tmp_path, setup, agent, f"{agent}#2", 8)
    with store:
        assert not differences and not counted.differences.any()
        assert figures["all"]["share"]["value"] == 0 and figures["positions"] == []
        assert figures["all"]["decisions"] == sum(row.decisions for row in store.rows())


def test_where_two_agents_differ(tmp_path, one_setup):
    store, counted, differences, figures = compared(tmp_path, one_setup, "greedy", "random")
    with store:
        assert figures["stronger"] == "greedy" and figures["result"]["value"] > 0.8
        for part in ("kinds", "phases"):
            for what in ("decisions", "differences"):
                assert sum(one[what] for one in figures[part].values()) == figures["all"][what]
        assert figures["all"]["differences"] == counted.differences.sum()
        assert len({one.row[:4] for one in differences}) == len(differences)  # one of a game
        for one in differences:
            game = list(rebuild(store, one.row)[0].steps())[one.move - 1].before
            assert game.decision == one.kind
            assert one.choices[0] != one.choices[1] and set(one.choices) <= set(game.legal_ids())
        page = write_comparison(store, figures, tmp_path / "compare.html")
        text = page.read_text(encoding="utf-8")
        for position in figures["positions"]:
            assert f"compare-games/{position['page']}" in text
            assert (tmp_path / "compare-games" / f"{position['game']}.html").is_file()


def test_the_compare_command(tmp_path, capsys, one_setup):
    options = ["--on", one_setup.label, "--store", str(tmp_path / "c.sqlite")]
    options += "--games 8 --judge 4 --budget 64 --workers 0".split()
    assert main(["compare", "greedy", "random", *options, "--json", "--quiet"]) == 0
    assert json.loads(capsys.readouterr().out)["agents"] == ["greedy", "random"]
    assert main(["compare", "greedy", "random", *options]) == 0
    assert "they disagree on" in capsys.readouterr().out


# ---- decks ----------------------------------------------------------------------------------------------------------


def test_a_card_that_wins_is_found():
    rng = np.random.default_rng(2)
    decks = np.zeros((3000, 2, 12), bool)
    for game in range(3000):
        for seat in range(2):
            decks[game, seat, rng.choice(12, 8, replace=False)] = True
    edge = 0.2 * (decks[:, 0, 5].astype(float) - decks[:, 1, 5])
    scores = (rng.uniform(size=3000) < 0.5 + edge).astype(float)
    effects = deck_search.card_effects(scores, decks)
    assert max(range(12), key=lambda card: effects[card].value) == 5
    assert effects[5].low < 0.2 < effects[5].high + 0.05 and effects[5].low > 0.1
    assert sum(effect.low < 0 < effect.high for effect in effects) >= 8


def test_a_search_for_decks_goes_on_and_is_the_same(tmp_path, monkeypatch):
    search = deck_search.Search("8.0-lite/deck40", "greedy", 0, 60, 2, 2, 8, 8, 20)
    found = deck_search.find_decks(tmp_path / "decks.sqlite", search)
    assert len(found["deck"]) == 40 and len(found["left_out"]) == 14
    assert sorted([*found["deck"], *found["left_out"]]) == sorted(one["card"] for one in found["cards"])
    assert found["final"]["random"]["n"] == found["final"]["start"]["n"] == 20
    monkeypatch.setattr(deck_search, "play_out", lambda *_: pytest.fail("these games were played already"))
    assert deck_search.find_decks(tmp_path / "decks.sqlite", search) == found
    with pytest.raises(KaError, match="holds another search"):
        deck_search.find_decks(tmp_path / "decks.sqlite", deck_search.Search("8.0-lite/deck40", "rush"))


def test_decks_are_those_that_were_named(tmp_path):
    trials = deck_search.Trials(tmp_path / "d.sqlite", deck_search.Search("8.0-lite/deck40", "random"))
    deck = tuple(range(40))
    scores, decks = trials.play("test", deck, deck_search.RANDOM, 12)
    trials.close()
    assert len(scores) == 12 and set(scores.tolist()) <= {0, 0.5, 1}
    assert (decks[:, 0] == (np.arange(54) < 40)).all() and (decks[:, 1].sum(axis=1) == 40).all()
    assert len({row.tobytes() for row in decks[:, 1]}) > 1


# ---- the other game -------------------------------------------------------------------------------------------------


def test_the_peoples_against_each_other(tmp_path):
    path = tmp_path / "moon.sqlite"
    play_tournament(make_plan([Setup.of("base")], ("greedy", "random"), 60, 1), path, workers=0, quiet=True)
    with Store.read(path) as store:
        one = all_figures(store)["rules"][0]
        counts, wins = Counter(), Counter()
        for row in store.rows():
            (record,) = rebuild(store, row)
            peoples = record.start().state.deck.tolist()
            for seat in range(2):
                counts[peoples[seat]] += 1
                wins[peoples[seat]] += record.replay().result[seat]
        for number, told in enumerate(one["camps"]["overall"]):
            assert told["n"] == counts[number] and told["value"] == pytest.approx(
                wins[number] / counts[number], abs=1e-4
            )
        assert one["endings"] and sum(ending["count"] for ending in one["endings"]) == 60


def test_a_record_is_verified_before_it_is_believed(record):
    short = Record(record.headers | {"result": "-", "hash": "0" * 16}, record.deal, record.turns[:1])
    with pytest.raises(KaError):
        analyse(short, budget=64)
