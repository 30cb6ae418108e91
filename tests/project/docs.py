"""Parts of the pages that are made from the code. `python -m tests.project.docs` writes those of docs/rules.md."""

import io
from contextlib import redirect_stdout
from pathlib import Path

from ka_env.blackpoker import RULESETS
from ka_env.cli import main

DOCS = Path(__file__).parents[2] / "docs"


def between_markers(name: str, page: str = "environment.md") -> str:
    """What stands between `<!-- name -->` and `<!-- /name -->`."""
    text = (DOCS / page).read_text(encoding="utf-8")
    _, _, rest = text.partition(f"<!-- {name} -->")
    inside, end, _ = rest.partition(f"<!-- /{name} -->")
    assert end, f"{page}: no markers {name}"
    return inside.strip()


def rules_markdown(ruleset: str) -> str:
    """The tables of a ruleset as the command prints them."""
    out = io.StringIO()
    with redirect_stdout(out):
        assert main(["rules", ruleset, "--markdown"]) == 0
    return out.getvalue().strip()


def write_rules(path: Path = DOCS / "rules.md") -> None:
    page = path.read_text(encoding="utf-8")
    for ruleset in RULESETS:
        before, _, rest = page.partition(f"<!-- {ruleset} -->")
        _, end, after = rest.partition(f"<!-- /{ruleset} -->")
        page = f"{before}<!-- {ruleset} -->\n\n{rules_markdown(ruleset)}\n\n{end}{after}"
    path.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    write_rules()
