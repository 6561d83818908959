"""The stacks on Google Cloud that the repository ships, as the simulation runs them."""

from typing import Any

from tests import shipped_stacks

Settings = dict[str, Any]

EXAMPLES = ("gke", "gke-a3")
OPERATOR_VERSION = "1.1.0"
"""What runs in the embedded cluster."""


PLACE: Settings = {"project": "some-project", "region": "us-central1", "zones": ["us-central1-b"]}


def made_up(pools: list[Settings], **cluster: Any) -> Settings:
    """Return the settings of a stack that isn't shipped, likewise: its pools, and fields of its Slurm cluster."""
    return {
        "slurm:kind": "gke",
        "slurm:operator": {"preinstalled": True},
        "slurm:gke": {**PLACE, "pools": pools},
        "slurm:cluster": {"operatorVersion": OPERATOR_VERSION, **cluster},
    }


def shipped(stack: str) -> Settings:
    """Return a shipped example's settings, for an embedded cluster that has slurm-operator already.

    Settings differ from the file: `operator.preinstalled` and no `keda`, since pods run nothing there and a chart would
    bring operators and webhooks that never answer; and `operatorVersion`, which is what runs there.
    """
    settings: Settings = shipped_stacks.shipped(stack)
    settings.pop("slurm:keda", None)
    settings["slurm:operator"] = {"preinstalled": True}
    settings["slurm:cluster"]["operatorVersion"] = OPERATOR_VERSION
    return settings


def unprotected(settings: Settings) -> Settings:
    """Return settings as docs/gke-services.md has them before a destroy."""
    return {**settings, "slurm:gke": {**settings["slurm:gke"], "deletionProtection": False}}
