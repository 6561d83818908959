"""Its component, and its stack."""

from collections.abc import Mapping
from typing import Any, ClassVar

import pulumi
import pulumi_kubernetes as k8s

from pulumi_slurm import SlurmCluster
from pulumi_slurm.cloud_slurm.component import CloudSlurm, CloudSlurmArgs
from pulumi_slurm.clouds.cloud import Cloud
from pulumi_slurm.kube.component import Args, Component
from pulumi_slurm_stacks.config import StackSecrets
from pulumi_slurm_stacks.whole_cluster import arguments, export_cluster, told_as_in_the_file
from tests.components.third_cloud.cloud import CLOUD as TOY, ToyPoolSpec, ToySpec
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


class ToySlurmArgs(CloudSlurmArgs):
    """Arguments of `ToySlurm`."""

    _cloud: ClassVar[Cloud[Any, Any]] = TOY

    toy: ToySpec
    """The cluster of toy machines."""


class ToySlurm(CloudSlurm[ToySlurmArgs]):
    """A Slurm cluster of toy machines, with everything under it."""

    slurm: SlurmCluster

    def __init__(self, name: str, args: ToySlurmArgs) -> None:
        super().__init__(name, args, None, {})

    def _build(self) -> SlurmCluster:
        clusters = self._args
        toys = ToyCluster(self._name, {"region": clusters.toy.region, "pools": clusters.toy.pools}, self.child())
        self.kubernetes_cluster, self.kubeconfig = pulumi.Output.from_input(self._name), pulumi.Output.secret("{}")
        self._provider_of_objects = toys.provider
        operator = self._slinky_operator(clusters, [toys])
        namespace = self._namespace(clusters, [toys])
        return self._slurm_cluster(clusters, [*operator, *namespace])


def build(config: ToyConfig, secrets: StackSecrets) -> SlurmCluster:
    with told_as_in_the_file(config):
        toys = ToySlurm(config.name, ToySlurmArgs(toy=config.toy, **arguments(config, secrets)))
    export_cluster(config, toys)
    return toys.slurm
