"""Neutral rooms know no game: what is a game's own is reached through its KaGame and named nowhere else."""

import ast
import re
from pathlib import Path

import pytest

from ka_env import games

ROOT = Path(__file__).parents[2]
OURS = games._PACKAGES
GAME_ROOMS = {ROOT.joinpath(*package.split(".")) for package in OURS}
NEUTRAL = sorted(
    path
    for folder in ("ka_env", "agents", "training")
    for path in (ROOT / folder).rglob("*.py")
    if not GAME_ROOMS & {*path.parents} and "__pycache__" not in path.parts
)
# Where a game may be named, and why.
ALLOWED = {
    "ka_env/games.py": {"blackpoker", "bluemoon", "8.0-lite"},  # the list of our games, the default ruleset
    "ka_env/__init__.py": {"blackpoker"},  # `from ka_env import Game` was published when there was one game
    "ka_env/cli.py": {"BlackPoker"},  # whose fan work this is
    # the walls around third-party agents, not the player of that name
    "training/arena/cell.py": {"wall"},
    "training/arena/report.py": {"wall"},
    "training/arena/store.py": {"wall"},
    "training/arena/tournament.py": {"wall"},
    "training/plots_docs.py": {"greedy"},  # whom the plots are measured against
    # what the self-test plays while it attacks
    "training/selftest/attacks.py": {"8.0-lite", "entry20", "greedy"},
    "training/selftest/damage.py": {"8.0-lite", "6.1-std", "entry20", "full54", "greedy"},
    "training/selftest/kills.py": {"8.0-lite", "6.1-std", "entry20", "full54", "greedy", "rush"},
}


def words_of(package):
    """What only this game says: names and, where they are no everyday words, rulesets, frames and players."""
    module = games.import_module(package)
    everyday = re.compile("[a-z]+")
    more = [word for word in [*module.RULESETS, *module.FRAMES] if not everyday.fullmatch(word)]
    return {module.NAME, module.TITLE, module.WORD, module.SUFFIX, *more, *module.STYLES} - {"ka"}  # `ka` is ours


def docstrings(tree):
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef)
    bodies = [node.body for node in ast.walk(tree) if isinstance(node, kinds)]
    return {id(body[0].value) for body in bodies if body and isinstance(body[0], ast.Expr)}


def said_in(path):
    """Texts, names and imports of a source; not its comments and docstrings, which may give examples."""
    tree = ast.parse(path.read_bytes())
    told = docstrings(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in told:
            yield node.value
        elif isinstance(node, ast.ImportFrom):
            yield f"{node.module}"
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr


def found_words(path, words):
    text = "\n".join(said_in(path))
    return {word for word in words if re.search(rf"(?<![\w.]){re.escape(word)}(?!\w)|\.{re.escape(word)}\b", text)}


def test_there_is_something_to_look_at():
    assert len(NEUTRAL) > 60
    assert "8.0-lite" in words_of("ka_env.blackpoker") and "greedy" in words_of("ka_env.blackpoker")
    own = ROOT / "ka_env" / "blackpoker"
    assert found_words(own / "declaration.py", ["8.0-lite", "ka_env.blackpoker"]) == {"8.0-lite", "ka_env.blackpoker"}
    assert found_words(ROOT / "ka_env" / "__init__.py", ["blackpoker"])


@pytest.mark.parametrize("path", NEUTRAL, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_neutral_rooms_name_no_game(path):
    words = set().union(*map(words_of, OURS))
    allowed = ALLOWED.get(path.relative_to(ROOT).as_posix(), set())
    assert found_words(path, words) - allowed == set()
