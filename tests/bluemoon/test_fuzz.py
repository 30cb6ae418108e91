"""Bad texts: whatever is changed in a position, it is read or refused with one clear error, never anything else."""

import random

import pytest

from ka_env.bluemoon import Game
from ka_env.errors import KaError, RulesetError

from .play import many, walk

WORDS = (
    "- 0 1 2 3 99 -1 x H1 K10 U7 U28 U30^ U30^:U1 U28:U1,U2,U3 (K5) ?U7 K6! P16# K29* N1 0.N1 fire earth open begin "
    "support character gang:gang3 pair:x all=3 took=200 lead landing U7@hand U7@f0 U7@deck.3 K1@own.0 result 1"
).split()


def changed(text, rng):
    lines = [line.split() for line in text.splitlines()]
    for _ in range(rng.randint(1, 3)):
        line = rng.choice(lines)
        i = rng.randrange(len(line))
        kind = rng.randrange(6)
        if kind == 0:
            line[i] = rng.choice(WORDS)
        elif kind == 1:
            line.insert(i + 1, rng.choice(WORDS))
        elif kind == 2 and len(line) > 1:
            del line[i]
        elif kind == 3:
            other = rng.choice(lines)
            j = rng.randrange(len(other))
            line[i], other[j] = other[j], line[i]
        elif kind == 4:
            lines.append(list(line))
        else:
            word, k = line[i], rng.randrange(len(line[i]))
            line[i] = word[:k] + rng.choice("0123456789!#?^*:,.=-KUXé") + word[k + 1 :]
        lines = [line for line in lines if line]
    return "\n".join(" ".join(line) for line in lines)


def test_changed_positions():
    rng = random.Random(1)
    read = 0
    for k, game in enumerate(many("fuzz", 6, 80)):
        for _ in range(2):
            try:
                other = Game.from_text(changed(game.to_text(), rng), seed=k)
            except KaError:
                continue
            read += 1
            for _ in walk(other, rng, 20):
                pass
    assert read > 50


def test_changed_pending_lines():
    """A pending line of one position in another one, or with a word changed."""
    rng = random.Random(2)
    texts = [game.to_text() for game in many("pending", 8, 200)]
    pending = [line for text in texts for line in text.splitlines() if line.startswith("pending")]
    assert len(pending) > 100
    for k, text in enumerate(texts):
        lines = [line for line in text.splitlines() if not line.startswith(("pending", "result"))]
        words = rng.choice(pending).split()
        if rng.random() < 0.5:
            other = rng.choice(pending).split()
            words[rng.randrange(1, len(words))] = other[rng.randrange(1, len(other))]
        try:
            game = Game.from_text("\n".join([*lines, " ".join(words)]), seed=k)
        except KaError:
            continue
        for _ in walk(game, rng, 30):
            pass


@pytest.mark.parametrize(
    ("ruleset", "frame", "hint"),
    [("base", "kind-buka", "khind-buka"), ("bas", "random", "base"), ("base", "khind", "<deck>-<deck>")],
)
def test_unknown_names(ruleset, frame, hint):
    with pytest.raises(RulesetError, match=hint):
        Game.new(ruleset, frame)


def test_unknown_tokens():
    game = Game.new("base", "khind-buka", seed=1)
    for token in ("K99", "eK1" if game.player == 0 else "eU1", "~", "f20", "f01", "H1"):
        with pytest.raises(KaError):
            game.play(f"{token} done")
