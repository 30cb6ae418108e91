"""Which rulesets tests run through: all, lite and std alone, or all others."""

from ka_env.blackpoker import RULESETS
from ka_env.blackpoker.deal import FRAMES, default_frame, frames_of

LITE_AND_STD = RULESETS[:4]
MORE = RULESETS[4:]
GOLDENS = [
    *((ruleset, frame) for ruleset in LITE_AND_STD for frame in FRAMES),
    *((ruleset, default_frame(ruleset)) for ruleset in MORE),
]
DEALS = [(ruleset, frame) for ruleset in RULESETS for frame in frames_of(ruleset) if frame != "custom"]
