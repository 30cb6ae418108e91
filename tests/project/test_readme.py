"""Every Python block of README.md, README.ja.md and docs/*.md runs as written, each in a fresh namespace.

A block with the comment `<!-- no-run -->` on the line above it (blank lines aside) is left out.
"""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FENCE = re.compile(r"^( *)```python[^\n]*\n(.*?)^\1```", re.DOTALL | re.MULTILINE)


def blocks():
    for path in [ROOT / "README.md", ROOT / "README.ja.md", *sorted((ROOT / "docs").glob("**/*.md"))]:
        text = path.read_text(encoding="utf-8")
        for match in FENCE.finditer(text):
            if text[: match.start()].rstrip().endswith("<!-- no-run -->"):
                continue
            line = text.count("\n", 0, match.start()) + 2
            indent, code = match.groups()
            code = "".join(row.removeprefix(indent) for row in code.splitlines(keepends=True))
            yield pytest.param(path, line, code, id=f"{path.relative_to(ROOT)}:{line}")


@pytest.mark.parametrize(("path", "line", "code"), list(blocks()))
def test_block(path, line, code, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    source = "\n" * (line - 1) + code  # so that a traceback names the line of the page
    exec(compile(source, str(path), "exec"), {"__name__": "__main__"})


def test_the_readme_has_examples():
    assert sum(param.values[0].name == "README.md" for param in blocks()) >= 2
