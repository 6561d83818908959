"""The stacks on Alibaba Cloud that the repository ships, as the simulation runs them."""

from typing import Any

from devcluster.nodes import STORAGE_CLASS
from tests import shipped_stacks
from tests.clouds.gke_example_stacks import OPERATOR_VERSION

Settings = dict[str, Any]

EXAMPLES = ("ack-slurm-operator", "ack-colocated")
"""Those with ack-slurm-operator."""
OPERATOR_NAMESPACE = "ack-slurm-operator"
"""Where ack-slurm-operator would be: make it before a stack, since the chart that does so can't be had."""


def shipped(stack: str) -> Settings:
    """Return a shipped example's settings, for an embedded cluster; all else is as in the file.

    - `ack.slurm.operator.install` is false: the chart of ack-slurm-operator isn't public.
    - Claims name the one storage class there that makes volumes, in place of Alibaba's.
    - The login Service, else as by default, isn't waited for: the controller's pod behind it never comes.
    """
    settings = _in_the_embedded_cluster(stack)
    settings["slurm:ack"].setdefault("slurm", {})["operator"] = {"install": False}
    (login_set,) = settings["slurm:cluster"]["loginSets"]
    login_set["service"] = {"type": "LoadBalancer", "annotations": {"pulumi.com/skipAwait": "true"}}
    return settings


def with_slinky() -> Settings:
    """Return the settings of the shipped example with Slinky, for an embedded cluster with slurm-operator.

    `operator.preinstalled` and `operatorVersion` say what runs there, as for Google's examples.
    """
    settings = _in_the_embedded_cluster("ack")
    settings["slurm:operator"] = {"preinstalled": True}
    settings["slurm:cluster"]["operatorVersion"] = OPERATOR_VERSION
    return settings


def unprotected(settings: Settings) -> Settings:
    """Return settings as docs/ack-services.md has them before a destroy."""
    return {**settings, "slurm:ack": {**settings["slurm:ack"], "deletionProtection": False}}


def _in_the_embedded_cluster(stack: str) -> Settings:
    settings: Settings = shipped_stacks.shipped(stack)
    cluster = settings["slurm:cluster"]
    cluster["controller"]["state"]["storageClass"] = STORAGE_CLASS
    cluster["identity"]["directory"]["volume"]["storageClass"] = STORAGE_CLASS
    return settings
