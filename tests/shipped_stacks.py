"""The stacks that the repository ships."""

from typing import Any

import yaml

from devcluster.folders import CHECKOUT


def shipped(stack: str) -> dict[str, Any]:
    """Return a shipped stack's settings, as they stand in its file."""
    settings: dict[str, Any] = yaml.safe_load((CHECKOUT / f"Pulumi.{stack}.yaml").read_text())["config"]
    return settings
