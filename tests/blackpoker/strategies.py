"""Random games for the tests, and what must hold of every record."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from types import SimpleNamespace

import numpy as np
from hypothesis import strategies as st

from ka_env import Game
from ka_env.blackpoker.cards import ALL, CARDS, HASTY, HEART, NAMES, NUMBER, SUIT, members
from ka_env.blackpoker.codes import (
    FIRST_CARD,
    FIRST_ENEMY,
    FIRST_OWN,
    FIRST_REQUEST,
    FIRST_STAGE_TARGET,
    GONE,
    LEGAL_CARDS,
    LEGAL_ENEMY,
    LEGAL_OWN,
    LEGAL_REQUESTS,
    LEGAL_WORDS,
    NO_TARGET,
    SLOTS,
    STAGE,
)
from ka_env.blackpoker.decisions import AT_END
from ka_env.blackpoker.state import NOT_POSITION, STATE
from ka_env.blackpoker.text.tokens import token
from ka_env.engine.loops import RUNNING
from tests.blackpoker.lists import LITE_AND_STD as RULESETS

from .reference import random_position

FRAMES = ["entry20", "full54", "deck40", "half27", "custom"]
STARTS = [*FRAMES, "position"]  # "position": a random position instead of a deal
DECISION_BOUND = 2000  # far above any game seen

PASSIVE = {"pass", "end", "done", "no"}


# ---- making and playing games ---------------------------------------------------------------------------------------


def custom_decks(seed: int) -> dict[str, list[str]]:
    """Two own lists of 12 to 54 cards."""
    rng = random.Random(f"decks {seed}")
    return {name: rng.sample(NAMES, rng.randint(12, 54)) for name in ("deck0", "deck1")}


def new_game(ruleset: str, frame: str, seed: int) -> Game:
    if frame == "position":
        return Game.from_text(random_position(ruleset, random.Random(f"{ruleset} {seed}")), seed)
    return Game.new(ruleset, frame, seed, **(custom_decks(seed) if frame == "custom" else {}))


def choose(game: Game, choice: float) -> int:
    """The legal action id a number stands for: a whole number counts round the list, a fraction is a share of it."""
    ids = game.legal_ids()
    return ids[int(choice * len(ids))] if isinstance(choice, float) else ids[choice % len(ids)]


def play_by(game: Game, choices: Iterable[float]) -> None:
    """Play a list of numbers, until it or the game ends."""
    for choice in choices:
        if game.over:
            return
        game.step(choose(game, choice))


def busy_choice(game: Game, rng: random.Random) -> int:
    """A random legal id; idle tokens are mostly left out, so that requests pile up and fights happen."""
    ids = game.legal_ids()
    if rng.random() < 0.7:
        ids = [i for i in ids if token(i) not in PASSIVE] or ids
    return rng.choice(ids)


def walk(game: Game, choices: Iterable[float] = (), seed: int = 0) -> Iterator[Game]:
    """Play to the end: first by the given numbers, then at random. Yields the game at every decision and at the end."""
    rng = random.Random(seed)
    busy = rng.random() < 0.5
    given = iter(choices)
    for _ in range(DECISION_BOUND):
        yield game
        if game.over:
            return
        choice = next(given, None)
        if choice is not None:
            game.step(choose(game, choice))
        elif busy:
            game.step(busy_choice(game, rng))
        else:
            game.step(rng.choice(game.legal_ids()))
    raise AssertionError(f"no end after {DECISION_BOUND} decisions:\n{game.to_text()}")


rulesets = st.sampled_from(RULESETS)
starts = st.sampled_from(STARTS)
seeds = st.integers(0, 2**32 - 1)
choice_lists = st.lists(st.integers(0, 255) | st.floats(0, 1, exclude_max=True), max_size=25)


@st.composite
def played_games(draw: st.DrawFn) -> Game:
    """A game some way into play (one that a random position ends at once is over)."""
    game = new_game(draw(rulesets), draw(starts), draw(seeds))
    for choice in draw(choice_lists):
        trial = game.copy()
        play_by(trial, [choice])
        if trial.over:
            break
        game = trial
    return game


# ---- looking at records ---------------------------------------------------------------------------------------------


def record_bytes(game: Game) -> bytes:
    return game.state.tobytes()


def differing_fields(a: Game, b: Game) -> list[str]:
    """Fields in which two records differ, apart from those that are no part of a position."""
    names = [name for name in STATE.names if name not in NOT_POSITION]
    return [name for name in names if not np.array_equal(a.state[name], b.state[name])]


def plain(game: Game) -> SimpleNamespace:
    """The record as plain numbers and lists, which are much faster to look at."""
    s = game.state
    return SimpleNamespace(**{name: s[name].tolist() for name in STATE.names})


def cards_of_unit(s: SimpleNamespace, q: int, slot: int) -> list[int]:
    """From the bottom up."""
    cards, card = [], s.bottom[q][slot]
    while card >= 0:
        cards.append(card)
        card = s.above[q][card]
    return cards


def zones(s: SimpleNamespace, q: int) -> dict[str, list[int]]:
    """Every card of player q, by the zone it lies in."""
    requests = [s.stage_key[i] for i in range(s.stage_count) if s.stage_player[i] == q]
    return {
        "life": s.life[q][: s.life_count[q]],
        "grave": s.grave[q][: s.grave_count[q]],
        "hand": members(s.hand[q]),
        "units": [c for slot in members(s.bulwarks[q] | s.soldiers[q]) for c in cards_of_unit(s, q, slot)],
        "fog": members(s.fog[q]),
        "stage": [k for keys in requests for k in keys if k >= 0],
        "named": [k for k in s.key if k >= 0] if s.player == q else [],
    }


def check_cards(game: Game, decks: list[int] | None = None) -> None:
    """Each card of each deck lies in exactly one zone; `decks` are the lists the game began with."""
    s = plain(game)
    for q in range(2):
        cards = sorted(c for zone in zones(s, q).values() for c in zone)
        assert cards == members(s.deck[q]), f"player {q}: cards lost, won or in two places\n{game.to_text()}"
        assert decks is None or s.deck[q] == decks[q]


def check_mask(game: Game) -> None:
    """Mask, legal sets and tokens say the same; never empty or forced while the game runs, empty afterwards."""
    s, mask = game.state, game.action_mask()
    expected = members(s.legal[LEGAL_WORDS])
    for first, bits in (
        (FIRST_CARD, s.legal[LEGAL_CARDS]),
        (FIRST_OWN, s.legal[LEGAL_OWN]),
        (FIRST_ENEMY, s.legal[LEGAL_ENEMY]),
        (FIRST_REQUEST, s.legal[LEGAL_REQUESTS]),
    ):
        expected += [first + i for i in members(bits)]
    assert mask.shape == (198,)
    assert mask.dtype == bool
    assert np.flatnonzero(mask).tolist() == expected == game.legal_ids()
    assert game.legal() == [token(i) for i in expected]
    if game.over:
        assert not mask.any()
        assert game.player is None
        assert game.decision is None
        assert game.result is not None
        assert s.kind == AT_END
        assert s.player == -1
    else:
        assert mask.sum() >= 2, f"fewer than two options\n{game.to_text()}"
        assert game.player in (0, 1)
        assert game.result is None


def check_piles(s: SimpleNamespace, q: int) -> None:
    for pile, n in ((s.life[q], s.life_count[q]), (s.grave[q], s.grave_count[q])):
        assert min(pile[:n], default=0) >= 0
        assert set(pile[n:]) <= {-1}
    assert set(members(s.placed[q])) <= set(s.life[q][: s.life_count[q]]), "a placed card is not in the own life"


def check_units(s: SimpleNamespace, q: int) -> None:
    bulwarks, soldiers = s.bulwarks[q], s.soldiers[q]
    units = bulwarks | soldiers
    assert bulwarks & soldiers == 0
    assert units >> SLOTS == 0
    assert (s.charged[q] | s.came[q]) & ~units == 0
    assert s.attackers[q] & ~soldiers == 0
    assert s.attackers[q] == 0 or q == s.turn
    in_units: set[int] = set()
    for slot in range(SLOTS):
        cards = cards_of_unit(s, q, slot)
        in_units.update(cards)
        blocked = s.blocks[q][slot]
        assert blocked == -1 or (units >> slot & 1 and s.attackers[1 - q] >> blocked & 1)
        if soldiers >> slot & 1:
            assert len(cards) == 1 or len({int(SUIT[c]) for c in cards}) == 1
            assert s.sizes[q][slot] == sum(int(NUMBER[c]) for c in cards)
            assert s.haste[q] >> slot & 1 == any(HASTY >> c & 1 for c in cards)
        else:
            assert len(cards) == bulwarks >> slot & 1
            assert s.sizes[q][slot] == s.change[q][slot] == s.haste[q] >> slot & 1 == 0
    assert {c for c in range(CARDS) if s.above[q][c] >= 0} <= in_units
    assert {c for c in range(CARDS) if s.fog_link[q][c] >= 0} <= set(members(s.fog[q]))
    for slot in members(bulwarks):  # R22: a bulwark blocks alone
        assert s.blocks[q][slot] == -1 or s.blocks[q].count(s.blocks[q][slot]) == 1


def check_fog(s: SimpleNamespace) -> None:
    """8.0: a unit's size change is what the fog cards linked to it say."""
    total = [[0] * SLOTS, [0] * SLOTS]
    for q in range(2):
        for card in members(s.fog[q]):
            if s.fog_link[q][card] >= 0:
                p, slot = divmod(s.fog_link[q][card], SLOTS)
                total[p][slot] += int(NUMBER[card]) * (1 if SUIT[card] == HEART else -1)
    assert total == s.change


def check_seen(s: SimpleNamespace, q: int) -> None:
    """Whatever lies face up is among the cards whose place the opponent knows."""
    where = zones(s, q)
    soldiers = [c for slot in members(s.soldiers[q]) for c in cards_of_unit(s, q, slot)]
    face_up = {*where["fog"], *where["stage"], *where["named"], *where["grave"][-1:], *soldiers}
    assert face_up <= set(members(s.seen[q])) <= set(members(s.deck[q]))


def check_stage(s: SimpleNamespace) -> None:
    n = s.stage_count
    assert 0 <= n <= STAGE
    for places in (s.stage_action, s.stage_player, s.stage_target, [max(keys) for keys in s.stage_key]):
        assert set(places[n:]) <= {-1}
    for i, target in enumerate(s.stage_target[:n]):
        assert target in (NO_TARGET, GONE) or 0 <= target < FIRST_STAGE_TARGET + i
        if 0 <= target < FIRST_STAGE_TARGET:
            q, slot = divmod(target, SLOTS)
            assert (s.bulwarks[q] | s.soldiers[q]) >> slot & 1


def check_record(game: Game, decks: list[int] | None = None) -> None:
    """All invariants of a record at a decision or at the end."""
    s = plain(game)
    check_cards(game, decks)
    check_mask(game)
    check_stage(s)
    for q in range(2):
        assert s.deck[q] & ~ALL == 0
        check_piles(s, q)
        check_units(s, q)
        check_seen(s, q)
    if game.ruleset.startswith("8.0"):
        check_fog(s)
    else:
        assert s.fog == [0, 0]
    if s.result == RUNNING:
        assert (s.charge_due, s.push_due, s.successions) == (0, -1, [0, 0])


def decks_of(game: Game) -> list[int]:
    return [int(d) for d in game.state.deck]
