"""The Slurm clusters of a stack before and after a change, as their specifications."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pydantic import BaseModel, ValidationError

from pulumi_slurm.derived.partitions import all_partitions
from pulumi_slurm.errors import from_pydantic
from pulumi_slurm.manifests.objects import Manifest
from pulumi_slurm.manifests.parts.part import Part
from pulumi_slurm.manifests.parts.plan import cluster_parts
from pulumi_slurm.model import NodePoolSpec, SlurmSpec
from pulumi_slurm.model.partition import PartitionOptionsSpec
from pulumi_slurm_cli.review.resource_change import Operation, ResourceChange

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
        objects = [item for part in self.parts.values() for item in part.manifests().values()]
        return {(item["kind"], item["metadata"]["name"]): item for item in objects}


@dataclass(frozen=True)
class ClusterChange:
    """A cluster before and after a change."""

    name: str
    """The component's name in the program."""
    before: ClusterSide | None
    """None for a new cluster."""
    after: ClusterSide | None
    """None for one that goes."""
    taken_over: bool = False
    """Whether it was there before, but not in the program, as after `pulumi import`."""

    @property
    def some_side(self) -> ClusterSide:
        """The cluster after the change, or before it where it goes."""
        side = self.after or self.before
        assert side is not None
        return side


def cluster_changes(changes: Iterable[ResourceChange]) -> tuple[list[ClusterChange], list[str]]:
    """Return the clusters that slurm-operator runs, and what couldn't be read of them.

    The component of a cluster has its whole specification as inputs, so a preview alone has both sides of it.
    """
    clusters: list[ClusterChange] = []
    unread: list[str] = []
    for change in changes:
        if change.type != COMPONENT:
            continue
        try:
            # An imported component has no inputs in the state.
            stays = change.operation not in (Operation.CREATE, Operation.DELETE)
            taken_over = stays and not (change.old or {}).get("spec")
            before = None if taken_over or change.operation is Operation.CREATE else side_of(change.old)
            after = None if change.operation is Operation.DELETE else side_of(change.new)
        except ValidationError as error:
            unread.append(why_unread(change.name, error))
            continue
        clusters.append(ClusterChange(change.name, before, after, taken_over))
    return clusters, unread


class _Inputs(BaseModel):
    spec: SlurmSpec
    pools: list[NodePoolSpec] | None = None


def side_of(inputs: Mapping[str, Any] | None) -> ClusterSide:
    """Return the cluster of a component's inputs.

    Raises:
        ValidationError: if another release wrote them; see `why_unread`.
    """
    read = _Inputs.model_validate(inputs or {})
    return ClusterSide(read.spec, tuple(read.pools or ()))


def why_unread(name: str, error: ValidationError) -> str:
    """Return what is wrong with the inputs of a component called ``name``."""
    first = from_pydantic(error, _Inputs)[0]
    return f"the specification of {name}, as another release wrote it: {first.where}: {first.problem}"
