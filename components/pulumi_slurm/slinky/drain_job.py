"""DrainJob: partitions and node sets are drained before they go."""

from collections.abc import Mapping
from typing import Any

from pulumi_slurm.kube.component import Args, Component, Options
from pulumi_slurm.manifests.drain import drain_job
from pulumi_slurm.manifests.objects import ClusterRef
from pulumi_slurm.model import PartitionState, PodSpec
from pulumi_slurm.model.one_of import OneOf


class DrainJobArgs(Args):
    """Arguments of `DrainJob`."""

    cluster: ClusterRef
    """The cluster."""
    pod: PodSpec = PodSpec()
    """Placement and metadata of the pod."""
    partitions: dict[str, OneOf[PartitionState]] = {}
    """The states of all partitions by name."""
    node_sets: list[str] = []
    """The names of all node sets, as in slurm.conf."""


class DrainJob(Component[DrainJobArgs]):
    """A check before partitions or node sets go: they take no new jobs, and the update fails while they have jobs.

    What has gone are partitions and node sets of the last time that are not in the arguments any more. What comes after
    it is changed only when it has succeeded.
    """

    def __init__(self, resource_name: str, args: DrainJobArgs | Mapping[str, Any], opts: Options = None) -> None:
        super().__init__(resource_name, args, opts)
        args = self._args
        objects = self.create_in_turn(drain_job(args.cluster, args.pod, args.partitions, args.node_sets))
        self.finish(objects[-1])
