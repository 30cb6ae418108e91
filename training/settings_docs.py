"""The tables of docs/training.md that tell the settings, made from the settings themselves.

`python -m ka_env.training.settings_docs` writes them into the page.
"""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

from ka_env.training.config import Config, presets

PAGE = Path(__file__).resolve().parent.parent / "docs" / "training.md"


def settings_table() -> str:
    rows = ["| setting | default | meaning |", "| --- | --- | --- |"]
    for setting in fields(Config):
        rows.append(f"| `{setting.name}` | {_text(setting.default)} | {setting.metadata['meaning']} |")
    return "\n".join(rows)


def presets_table() -> str:
    rows = ["| preset | differs from the defaults in |", "| --- | --- |"]
    for name, table in presets().items():
        told = ", ".join(f"`{key}={_plain(value)}`" for key, value in table.items())
        rows.append(f"| `{name}` | {told or 'nothing'} |")
    return "\n".join(rows)


def _plain(value: object) -> str:
    return ",".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def _text(value: object) -> str:
    plain = _plain(value)
    return f"`{plain}`" if plain else ""


def with_tables(page: str) -> str:
    """The page with its tables made anew."""
    for name, table in (("settings", settings_table()), ("presets", presets_table())):
        before, _, rest = page.partition(f"<!-- {name} -->")
        _, end, after = rest.partition(f"<!-- /{name} -->")
        page = f"{before}<!-- {name} -->\n\n{table}\n\n{end}{after}"
    return page


if __name__ == "__main__":
    PAGE.write_text(with_tables(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
