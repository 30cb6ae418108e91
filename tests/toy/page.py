"""The walk-throughs of docs/extending.md, as they stand there.

`python -m tests.toy.page` writes the toy game's files into the page.
"""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "extending.md"
TOY = Path(__file__).parent
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
NAMED = re.compile(r"# ([\w/.]+)\n")  # the first line of a block says the file


def blocks(heading):
    """Language and text of the blocks below a heading."""
    page = PAGE.read_text(encoding="utf-8")
    _, found, rest = page.partition(f"\n## {heading}\n")
    assert found, f"no heading {heading!r}"
    return BLOCK.findall(rest.partition("\n## ")[0])


def files(heading):
    """The new files of a walk-through: path and text."""
    for language, text in blocks(heading):
        named = NAMED.match(text)
        if language == "python" and named:
            yield named[1], text[named.end() :]


def edits(heading):
    """The changes of a walk-through: path, the lines before, the lines after."""
    for language, text in blocks(heading):
        if language == "diff":
            named = NAMED.match(text)
            lines = text[named.end() :].splitlines(keepends=True)
            before = "".join(line[1:] for line in lines if line[0] != "+")
            after = "".join(line[1:] for line in lines if line[0] != "-")
            yield named[1], before, after


def write():
    page = PAGE.read_text(encoding="utf-8")
    for name, text in files("Add a game"):
        if (TOY / name).is_file():
            page = page.replace(f"# {name}\n{text}", f"# {name}\n{(TOY / name).read_text(encoding='utf-8')}")
    PAGE.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    write()
