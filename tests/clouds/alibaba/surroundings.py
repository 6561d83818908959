"""The environment of a program that runs against the simulated Alibaba Cloud."""

from pathlib import Path

from devcluster.environments import Packages
from tests.clouds import surroundings
from tests.clouds.alibaba import nodes
from tests.clouds.alibaba.clusters import NODE_POOL
from tests.clouds.simulator.autoscaler import Autoscaler

CRDS = Path(__file__).parents[2] / "crds" / "ack"
"""Kinds that ack-slurm-operator has; nothing acts on their objects."""


class Alibaba(surroundings.Surroundings):
    """The simulated Alibaba Cloud of one test."""

    packages = Packages.ACK
    provider = "alicloud"
    simulator = "tests.clouds.alibaba"

    def prepare(self) -> None:
        """Make all that programs find; in the account, services have their roles, and KMS is activated."""
        super().prepare()
        self.cloud.set(serviceRoles=True, kms=True)

    def autoscaler(self) -> Autoscaler:
        """ACK's in small; the scaling group behind a pool fills its minimum up by itself."""
        return Autoscaler(self.cloud, NODE_POOL, nodes)
