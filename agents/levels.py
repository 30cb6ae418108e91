"""Opponents by words, weakest first, for a ruleset and frame: whatever agents there are for that game."""

from __future__ import annotations

from typing import NamedTuple

from ka_env.agents.fitting import is_specialist, playable, policies
from ka_env.agents.registry import agent_names, style_names
from ka_env.games import Setup, game_of

WORDS = ("beginner", "easy", "medium", "strong", "strongest")
LANGUAGES = ("en", "ja")
HINT_SEARCH = "ismcts:iterations=500"
TITLES = {
    "en": dict(zip(WORDS, ("Beginner", "Easy", "Medium", "Strong", "Strongest"))),
    "ja": dict(zip(WORDS, ("入門", "易しい", "普通", "強い", "最強"))),
}
STRENGTHS = {  # a word on how each kind of agent plays
    "random": ("any legal move: to learn the controls", "合法手を無作為に選ぶ。操作に慣れるために"),
    "temper": ("rules of thumb with a temper of its own", "癖のある定石どおりに打つ"),
    "style": ("sound rules of thumb", "手堅い定石どおりに打つ"),
    "policy": ("a trained network, answers at once", "学習したネットワーク。すぐに答える"),
    "search": ("looks ahead", "先を読む"),
    "deep search": ("looks far ahead, takes its time", "深く読む。少し時間がかかる"),
    "search with net": ("looks ahead with a trained network", "学習したネットワークで先を読む"),
    "untried": ("a network trained on other rules", "別のルールで学習したネットワーク"),
    "other": ("an agent of another package", "他のパッケージのエージェント"),
}


class Level(NamedTuple):
    """An opponent: an agent, the word for it among the levels (or none), and what kind of player it is."""

    word: str
    spec: str
    kind: str  # of STRENGTHS

    def title(self, language: str = "en") -> str:
        """The level's word, or the agent's name."""
        return TITLES[language][self.word] if self.word else self.spec

    def strength(self, language: str = "en") -> str:
        return STRENGTHS[self.kind][LANGUAGES.index(language)]


def _setup(ruleset: str, frame: str | None) -> Setup:
    """Not checked any further: decks say nothing of who can play."""
    return Setup(ruleset, frame or game_of(ruleset).default_frame(ruleset))


def levels(ruleset: str, frame: str | None = None) -> list[Level]:
    """The levels there are, weakest first; `beginner` is always there."""
    setup = _setup(ruleset, frame)
    found = [Level("beginner", "random", "random")]
    styles = _styles(setup)
    if len(styles) > 1:
        found.append(Level("easy", styles[-1], "temper"))
    if styles:
        found.append(Level("medium", styles[0], "style"))
    return found + _strong(setup)


def opponents(ruleset: str, frame: str | None = None) -> list[Level]:
    """The levels, then every other agent that can play this."""
    setup = _setup(ruleset, frame)
    found = levels(*setup[:2])
    others = [Level("", style, "temper") for style in _styles(setup)[1:]]
    fit = policies(*setup[:2])
    if setup.game.search is not None:
        others += _searches(fit)
    others += [Level("", f"policy:{name}", "policy" if name in fit else "untried") for name in playable(setup.ruleset)]
    ours = {"random", "ismcts", "policy", *style_names()}
    others += [Level("", name, "other") for name in agent_names() if name not in ours]
    taken = {level.spec for level in found}
    return found + [level for level in others if level.spec not in taken]


def spec_of(name: str, ruleset: str, frame: str | None = None) -> str:
    """The agent of a level's word; any other name as it is."""
    return next((level.spec for level in levels(ruleset, frame) if level.word == name), name)


def default_opponent(ruleset: str, frame: str | None = None) -> str:
    """Medium, or the strongest below it."""
    below = WORDS[: WORDS.index("medium") + 1]
    return [level.spec for level in levels(ruleset, frame) if level.word in below][-1]


def default_hint(ruleset: str, frame: str | None = None) -> str:
    """Who gives hints: the policy shipped for these very rules, else search, else the strongest there is."""
    setup = _setup(ruleset, frame)
    fit = policies(*setup[:2])
    if fit and is_specialist(fit[0]):
        return f"policy:{fit[0]}"
    return HINT_SEARCH if setup.game.search is not None else levels(*setup[:2])[-1].spec


def _searches(fit: list[str]) -> list[Level]:
    """Searches of several depths, plain and with the best network that fits."""
    plain = ",net=none" if fit else ""
    found = [Level("", f"ismcts:iterations={n},net={name}", "search with net") for name in fit[:1] for n in (200, 5000)]
    found += [Level("", f"ismcts:iterations={n}{plain}", "search") for n in (200, 1000)]
    return [*found, Level("", f"ismcts:iterations=5000{plain}", "deep search")]


def _strong(setup: Setup) -> list[Level]:
    """`strong` and `strongest`: the policy (a short search, if it is for many rules) and the search with it, or the
    search alone."""
    fit = policies(*setup[:2])
    search = setup.game.search is not None
    if not fit and not search:
        return []
    if not fit:
        deep = Level("strongest", "ismcts:iterations=5000", "deep search")
        return [Level("strong", "ismcts:iterations=1000", "search"), deep]
    found = [Level("strong", f"policy:{fit[0]}", "policy")]
    if search and not is_specialist(fit[0]):
        found = [Level("strong", f"ismcts:iterations=200,net={fit[0]}", "search with net")]
    if search:
        found.append(Level("strongest", f"ismcts:iterations=1000,net={fit[0]}", "search with net"))
    return found


def _styles(setup: Setup) -> list[str]:
    return [] if setup.game.styles is None else list(setup.game.styles().STYLES)
