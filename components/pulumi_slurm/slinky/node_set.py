"""NodeSet: workers of one kind."""

from collections.abc import Mapping
from typing import Any

import pulumi

from pulumi_slurm.kube.component import Args, Component
from pulumi_slurm.manifests import parts
from pulumi_slurm.manifests.objects import ClusterRef
from pulumi_slurm.model import NodePoolSpec, NodeSetSpec, SecretKeyRef, SharedVolumeSpec
from pulumi_slurm.slinky.objects import replacement


class NodeSetArgs(Args):
    """Arguments of `NodeSet`."""

    cluster: ClusterRef
    """The cluster that they work for."""
    node_set: NodeSetSpec
    """The workers."""
    pool: NodePoolSpec | None = None
    """The node pool that they run on: its machine, labels and taints are taken over."""
    shared_volumes: list[SharedVolumeSpec] = []
    """Volumes that they mount."""
    sssd: SecretKeyRef | None = None
    """The Secret with sssd.conf; required by SSH."""
    scaled_by: str | None = None
    """With autoscaling by KEDA: the partition whose pending jobs are counted."""


class NodeSet(Component[NodeSetArgs]):
    """Workers of one kind, each a pod with a slurmd that registers itself with slurmctld.

    Example::

        workers = {"name": "cpu", "machine": {"cpus": 16, "memory": "64Gi"}, "replicas": 4}
        NodeSet("hpc-cpu", {"cluster": {"name": "hpc"}, "node_set": workers})
    """

    slurm_name: pulumi.Output[str]
    """How slurm.conf refers to it; also a feature of its nodes."""

    def __init__(
        self, name: str, args: NodeSetArgs | Mapping[str, Any], opts: pulumi.ResourceOptions | None = None
    ) -> None:
        super().__init__(name, args, opts)
        args = self._args
        node_set = args.node_set
        manifests = parts.node_set(
            args.cluster,
            node_set=node_set,
            pool=args.pool,
            shared_volumes=args.shared_volumes,
            sssd=args.sssd,
            scaled_by=args.scaled_by,
        )
        replicas = node_set.max_replicas if node_set.pulumi_sets_replicas else None
        if node_set.wait and replicas:
            # Of the operator's kinds only this one reports how many of its pods are ready.
            wait = {"pulumi.com/waitFor": f"jsonpath={{.status.readyReplicas}}={replicas}"}
            manifests["nodeset"]["metadata"]["annotations"] = wait
        objects = self.create_in_turn(manifests, options_of=replacement)
        self.slurm_name = pulumi.Output.from_input(node_set.slurm_name)
        self.finish(*objects)
