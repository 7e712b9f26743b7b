"""What all tests share."""

from hypothesis import HealthCheck, settings

# The same cases each time, and none is too slow on a busy machine.
settings.register_profile(
    "sunzi", deadline=None, derandomize=True, suppress_health_check=list(HealthCheck)
)
settings.load_profile("sunzi")
