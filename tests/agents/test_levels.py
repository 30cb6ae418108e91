"""Opponents by words: each is an agent that plays the rules it is offered for."""

import pytest

from ka_env.agents import fitting, make_agent
from ka_env.agents.levels import (
    LANGUAGES,
    STRENGTHS,
    WORDS,
    default_hint,
    default_opponent,
    levels,
    opponents,
    policies,
    spec_of,
)
from ka_env.games import all_rulesets, game_of


@pytest.mark.parametrize("ruleset", all_rulesets())
def test_every_ruleset_has_levels_that_are_agents(ruleset):
    found = levels(ruleset)
    assert [level.word for level in found] == sorted((level.word for level in found), key=WORDS.index)
    assert found[0].spec == "random"
    assert len(found) == 5  # both games have styles and search
    everyone = opponents(ruleset)
    assert everyone[:5] == found
    specs = [level.spec for level in everyone]
    assert len(set(specs)) == len(specs)
    assert {default_opponent(ruleset), *game_of(ruleset).styles().STYLES} <= set(specs)
    for spec in [*specs, default_hint(ruleset)]:
        assert make_agent(spec).name == spec


def test_policies_are_offered_where_they_were_trained():
    assert "lite-entry20" in policies("8.0-lite", "entry20")
    assert "lite-entry20" not in policies("8.0-lite", "full54")
    assert default_hint("8.0-lite", "entry20") == f"policy:{policies('8.0-lite', 'entry20')[0]}"
    assert spec_of("strong", "8.0-lite") == f"policy:{policies('8.0-lite', 'entry20')[0]}"
    assert spec_of("strongest", "8.0-lite").startswith("ismcts:")
    kinds = {level.spec: level.kind for level in opponents("8.0-lite", "full54")}
    assert kinds["policy:lite-entry20"] == "untried"
    assert not any(spec.startswith("policy") for spec in kinds if kinds[spec] not in ("policy", "untried"))


def test_a_network_for_many_rules_plays_with_a_search():
    """Alone it is weaker than rules of thumb under some of them."""
    assert policies("8.0-mast") == ["blackpoker"]
    assert spec_of("strong", "8.0-mast") == "ismcts:iterations=200,net=blackpoker"
    assert spec_of("strongest", "8.0-mast") == "ismcts:iterations=1000,net=blackpoker"
    assert default_hint("8.0-mast").startswith("ismcts:")


def test_searches_with_and_without_a_net_are_told_apart():
    kinds = {level.spec: level.kind for level in opponents("8.0-lite", "entry20") if level.spec.startswith("ismcts")}
    assert {kinds[spec] for spec in kinds if "net=lite-entry20" in spec} == {"search with net"}
    assert {kinds[spec] for spec in kinds if "net=none" in spec} == {"search", "deep search"}
    assert all("net=" in spec for spec in kinds)


def test_a_network_for_these_rules_goes_before_one_for_many(monkeypatch):
    many = ["8.0-lite/entry20", "8.0-lite/random", "6.1-std/full54"]
    cards = {"many": {"rules": many}, "weak": {"rules": many, "below_search": True}}
    card_of = fitting.card_of
    monkeypatch.setattr(fitting, "playable", lambda ruleset: ["weak", "many", "lite-entry20"])
    monkeypatch.setattr(fitting, "card_of", lambda name: cards.get(name) or card_of(name))
    assert policies("8.0-lite", "entry20") == ["lite-entry20", "many"]
    assert policies("8.0-lite", "half27") == policies("6.1-std") == ["many"]
    assert policies("6.1-std", "half27") == []


def test_words_and_names():
    assert spec_of("medium", "base") == default_opponent("base") == "greedy"
    assert spec_of("random#2", "base") == "random#2"
    for level in opponents("8.0-lite"):
        assert all(level.title(language) and level.strength(language) for language in LANGUAGES)
        assert level.word or level.title() == level.spec
    assert all(len(words) == len(LANGUAGES) for words in STRENGTHS.values())
