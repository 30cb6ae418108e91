"""The flat observation is a row of named sections; tables of the docs and fingerprints of policies come from them."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import NamedTuple


class Section(NamedTuple):
    name: str
    length: int
    meaning: str
    offset: int


def lay_out(*rows: tuple[str, int, str]) -> list[Section]:
    """Sections one after another: name, length, meaning of each."""
    sections, offset = [], 0
    for name, length, meaning in rows:
        sections.append(Section(name, length, meaning, offset))
        offset += length
    return sections


def fingerprint(sections: Sequence[Section], num_actions: int) -> str:
    """Of a layout: the names and lengths of its sections, and the number of actions."""
    text = " ".join(f"{section.name}:{section.length}" for section in sections) + f" actions:{num_actions}"
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


def begins(sections: Sequence[Section], others: Sequence[Section]) -> bool:
    """Is one layout the beginning of another, or the same?"""
    shapes = [[(s.name, s.length) for s in layout] for layout in (sections, others)]
    return shapes[0] == shapes[1][: len(sections)]
