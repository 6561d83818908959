"""Settings of the unit tier: examples are found fast, and the same ones in every run of CI."""

import os

from hypothesis import HealthCheck, settings

settings.register_profile(
    "unit",
    derandomize=bool(os.environ.get("CI")),
    max_examples=40,
    report_multiple_bugs=False,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("unit")
