"""DrainJob: partitions and node sets are drained before they go."""

from typing import Any, Unpack, overload

from pulumi_slurm.dicts import DrainJobArgsDict
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

    Example::

        drained = DrainJob("hpc", {"cluster": {"name": "hpc"}, "partitions": {"main": "UP"}, "node_sets": ["cpu"]})
        Controller("hpc", {"cluster": {"name": "hpc"}}, pulumi.ResourceOptions(depends_on=after_all(drained)))
    """

    @overload
    def __init__(self, resource_name: str, args: DrainJobArgs | DrainJobArgsDict, opts: Options = None) -> None: ...
    @overload
    def __init__(self, resource_name: str, *, opts: Options = None, **fields: Unpack[DrainJobArgsDict]) -> None: ...
    def __init__(self, resource_name: str, args: Any = None, opts: Options = None, **fields: Any) -> None:
        super().__init__(resource_name, args, opts, fields)
        args = self._args
        objects = self.create_in_turn(drain_job(args.cluster, args.pod, args.partitions, args.node_sets))
        self.finish(objects[-1])
