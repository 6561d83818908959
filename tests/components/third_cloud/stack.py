"""Its component, and its stack."""

from collections.abc import Mapping
from typing import Any

import pulumi
import pulumi_kubernetes as k8s

from pulumi_slurm import SlurmCluster
from pulumi_slurm.kube.component import Args, Component, after_all
from pulumi_slurm_stacks.config import StackSecrets
from pulumi_slurm_stacks.slurm import slurm_cluster
from tests.components.third_cloud.cloud import ToyPoolSpec
from tests.components.third_cloud.stack_config import ToyConfig


class ToyClusterArgs(Args):
    """Arguments of `ToyCluster`."""

    region: pulumi.Input[str]
    """The region."""
    pools: list[ToyPoolSpec] = []
    """The node pools."""


class ToyCluster(Component[ToyClusterArgs]):
    """A cluster of toy machines."""

    provider: k8s.Provider

    def __init__(
        self, name: str, args: ToyClusterArgs | Mapping[str, Any], opts: pulumi.ResourceOptions | None = None
    ) -> None:
        super().__init__(name, args, opts)
        self.provider = k8s.Provider(f"{name}-kubernetes", cluster_identifier=name, opts=self.child())
        self.finish(self.provider)


def build(config: ToyConfig, secrets: StackSecrets) -> SlurmCluster:
    cluster = ToyCluster(config.name, {"region": config.toy.region, "pools": config.toy.pools})
    opts = pulumi.ResourceOptions(provider=cluster.provider, depends_on=after_all(cluster))
    return slurm_cluster(config.slurm, config.pools, secrets, opts, create_namespace=True)
