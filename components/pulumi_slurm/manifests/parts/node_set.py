"""Workers: a NodeSet, and its autoscaler where it has one."""

from pulumi_slurm.derived.machines import machine_of
from pulumi_slurm.manifests.autoscaling import autoscaler_of
from pulumi_slurm.manifests.node_set import node_set
from pulumi_slurm.manifests.nodes_wanted import nodes_wanted
from pulumi_slurm.manifests.objects import Manifests
from pulumi_slurm.manifests.parts.part import Part
from pulumi_slurm.model import NodePoolSpec, NodeSetSpec, SecretKeyRef, SharedVolumeSpec


class NodeSetPart(Part):
    """Workers of one kind."""

    node_set: NodeSetSpec
    """The workers."""
    pool: NodePoolSpec | None = None
    """The node pool that they run on: its machine, labels and taints are taken over."""
    shared_volumes: list[SharedVolumeSpec] = []
    """Volumes that they mount."""
    sssd: SecretKeyRef | None = None
    """The Secret with sssd.conf; required by SSH."""
    sssd_revision: str | None = None
    """Any text that changes with sssd.conf, so that workers with SSH are replaced and read it."""
    scaled_by: str | None = None
    """With autoscaling by KEDA and no query: the partition whose pending jobs are counted."""
    bridge_scheduler: str | None = None
    """`schedulerName` of the bridge, if there is one: the value of the taint that it puts on nodes whose names Slurm
    knows. Workers of a DaemonSet and those on the host's network tolerate it."""

    def manifests(self) -> Manifests:
        """Return the NodeSet and its autoscaler."""
        resource = node_set(
            self.cluster,
            self.node_set,
            machine=machine_of(self.node_set, [self.pool] if self.pool else []),
            pool=self.pool,
            volumes=self.shared_volumes,
            sssd=self.sssd,
            sssd_revision=self.sssd_revision,
            bridge_scheduler=self.bridge_scheduler,
        )
        scaling = self.node_set.autoscaling
        query = (
            nodes_wanted(self.cluster.namespace, self.scaled_by, self.node_set.host_name, scaling.jobs_per_replica)
            if scaling and self.scaled_by
            else None
        )
        return {"nodeset": resource, **autoscaler_of(self.cluster, resource, scaling, query)}
