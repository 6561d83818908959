"""A cluster of slurm-operator on one side of a change, as its specification."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pydantic import BaseModel

from pulumi_slurm.configuration.slinky import slinky_files
from pulumi_slurm.derived.partitions import all_partitions
from pulumi_slurm.manifests.objects import Manifest
from pulumi_slurm.manifests.parts.part import Part
from pulumi_slurm.manifests.parts.plan import cluster_parts
from pulumi_slurm.model import NodePoolSpec, NodeSetSpec, SlurmSpec
from pulumi_slurm.model.node_set import ScalingMode
from pulumi_slurm.model.partition import PartitionOptionsSpec
from pulumi_slurm.slurmconf.catalogue import File
from pulumi_slurm.slurmconf.conf import Conf
from pulumi_slurm.slurmconf.version import Series

COMPONENT = "slurm:index:SlurmCluster"


@dataclass(frozen=True)
class ClusterSide:
    """A cluster on one side of a change."""

    spec: SlurmSpec
    pools: Sequence[NodePoolSpec] = ()

    @cached_property
    def partitions(self) -> Mapping[str, PartitionOptionsSpec]:
        """The options of its partitions, by name."""
        return {name: options for _, name, options in all_partitions(self.spec)}

    @cached_property
    def parts(self) -> Mapping[tuple[type[Part], str], Part]:
        """Its parts, by kind and name."""
        planned = cluster_parts(self.spec, self.pools)
        return {(type(part.part), part.name): part.part for part in planned if part.part}

    @cached_property
    def objects(self) -> Mapping[tuple[str, str], Manifest]:
        """Its objects, by kind and name."""
        return by_kind_and_name(item for part in self.parts.values() for item in part.manifests().values())

    @cached_property
    def files(self) -> Mapping[File, Conf]:
        """Slurm's files as the daemons in the cluster read them, or would, where slurmctld is outside."""
        return slinky_files(self.spec, self.pools)

    def render(self) -> None:
        """Render all that is looked at, or raise the error of what can't be rendered."""
        _ = self.objects, self.files

    @property
    def series(self) -> Series:
        """The Slurm series of slurmctld."""
        return Series.of(self.spec.controller.slurm_version or self.spec.slurm_version)

    def node_counts(self, node_set: NodeSetSpec) -> tuple[int | None, int | None]:
        """Return how many nodes a node set has, the least and the most; None where nobody can tell."""
        if node_set.scaling_mode is ScalingMode.DAEMON_SET:
            pool = next((pool for pool in self.pools if pool.name == node_set.pool), None)
            return (pool.min_nodes, pool.max_nodes) if pool else (None, None)
        if node_set.autoscaling:
            return node_set.autoscaling.min_replicas, node_set.autoscaling.max_replicas
        return node_set.fixed_replicas, node_set.fixed_replicas


def by_kind_and_name(objects: Iterable[Manifest]) -> dict[tuple[str, str], Manifest]:
    """Return objects of one cluster by what tells them apart."""
    return {(item["kind"], item["metadata"]["name"]): item for item in objects}


class Inputs(BaseModel):
    """What the component of a cluster has as its inputs."""

    spec: SlurmSpec
    pools: list[NodePoolSpec] | None = None


def side_of(inputs: Mapping[str, Any] | None) -> ClusterSide:
    """Return the cluster of a component's inputs.

    Raises:
        ValidationError: if another release wrote them; see `why_unread`.
    """
    read = Inputs.model_validate(inputs or {})
    return ClusterSide(read.spec, tuple(read.pools or ()))
