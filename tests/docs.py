"""Parts of the pages that are made from the code."""

from pathlib import Path

DOCS = Path(__file__).parent.parent / "docs"


def between_markers(name: str, page: str = "environment.md") -> str:
    """What stands between `<!-- name -->` and `<!-- /name -->`."""
    text = (DOCS / page).read_text(encoding="utf-8")
    _, _, rest = text.partition(f"<!-- {name} -->")
    inside, end, _ = rest.partition(f"<!-- /{name} -->")
    assert end, f"{page}: no markers {name}"
    return inside.strip()
