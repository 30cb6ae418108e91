"""Experiment: past decisions of the opponent under a guess of its hand."""

from __future__ import annotations

from typing import Any

import numpy as np

from ka_env.blackpoker.flow.legal import find_legal
from ka_env.blackpoker.kernels import rules
from ka_env.engine.bits import BIT, count, lowest, nth, without_lowest
from ka_env.engine.jit import entry, kernel
from ka_env.engine.loops import is_legal
from ka_env.engine.rng import below, stream

Array = Any


@kernel
def subset(seed: Any, pool: int, k: int) -> int:
    found = 0
    for i in range(k):
        found |= BIT[nth(pool & ~found, below(stream(seed, i), count(pool & ~found)))]
    return found


@kernel
def swapped(cards: int, a: int, b: int) -> int:
    has_a, has_b = cards & BIT[a] != 0, cards & BIT[b] != 0
    cards &= ~(BIT[a] | BIT[b])
    if has_a:
        cards |= BIT[b]
    if has_b:
        cards |= BIT[a]
    return cards


@kernel
def swap(s: Any, q: int, a: int, b: int) -> None:
    s.hand[q] = swapped(s.hand[q], a, b)
    s.placed[q] = swapped(s.placed[q], a, b)
    for i in range(s.life_count[q]):
        if s.life[q, i] == a:
            s.life[q, i] = b
        elif s.life[q, i] == b:
            s.life[q, i] = a
    for i in range(s.grave_count[q]):
        if s.grave[q, i] == a:
            s.grave[q, i] = b
        elif s.grave[q, i] == b:
            s.grave[q, i] = a
    slots = s.bulwarks[q]
    while slots:
        slot = lowest(slots)
        slots = without_lowest(slots)
        if s.bottom[q, slot] == a:
            s.bottom[q, slot] = b
        elif s.bottom[q, slot] == b:
            s.bottom[q, slot] = a


@entry
def recast(past: Array, pool: Array, now: Array, q: int, seed: int, mask: Array) -> None:
    seen = now[0].seen[q]
    for j in range(past.size):
        s = past[j]
        hid = s.hand[q] & ~seen
        guess = pool[j].hand[q] & ~seen
        k = count(hid)
        if k > count(guess):
            slots = pool[j].bulwarks[q]
            while slots:
                slot = lowest(slots)
                slots = without_lowest(slots)
                if not seen & BIT[pool[j].bottom[q, slot]]:
                    guess |= BIT[pool[j].bottom[q, slot]]
        chosen = subset(np.uint64(seed + j), guess, min(k, count(guess)))
        out, into = hid & ~chosen, chosen & ~hid
        while out and into:
            swap(s, q, lowest(out), lowest(into))
            out, into = without_lowest(out), without_lowest(into)
        find_legal(s)
        for a in range(mask.shape[1]):
            mask[j, a] = is_legal(s, rules().first_id, a)
