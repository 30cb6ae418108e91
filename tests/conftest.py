"""Settings shared by all tests: Hypothesis draws the same examples on every machine and never times anything."""

from hypothesis import HealthCheck, Phase, settings

settings.register_profile(
    "ka",
    derandomize=True,
    deadline=None,
    database=None,
    max_examples=12,
    print_blob=False,
    phases=[Phase.explicit, Phase.generate],  # whole games don't get smaller, they only take time
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("ka")
