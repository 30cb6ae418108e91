"""Which rulesets tests run through: all, lite and std alone, or all others."""

from ka_env.blackpoker import RULESETS
from ka_env.blackpoker.deal import FRAMES, default_frame, frames_of

LITE_AND_STD = RULESETS[:4]
MORE = RULESETS[4:]
# Small decks in which five keys of a suit and pairs come together, for goldens of what a deal seldom shows.
ROYAL = "As Ts Js Qs Ks Ah Th Jh Qh Kh Ad Td Jd Qd Kd 2d 3d 4d"
FORTY = " ".join(rank + suit for rank in "A2345678TJ" for suit in "shdc")
RICH_DECKS = {
    ("8.0-mast", "custom"): ROYAL,
    ("8.0-mast", "deck40"): FORTY,
    ("8.0-mast+rare", "deck40"): FORTY,
    ("6.1-mast", "custom"): ROYAL,
    ("6.1-mast", "deck40"): FORTY,
}
GOLDENS = [
    *((ruleset, frame) for ruleset in LITE_AND_STD for frame in FRAMES),
    *((ruleset, default_frame(ruleset)) for ruleset in MORE),
    *RICH_DECKS,
]
DEALS = [(ruleset, frame) for ruleset in RULESETS for frame in frames_of(ruleset) if frame != "custom"]
