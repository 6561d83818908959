"""A Job that drains partitions and node sets before they go."""

from pulumi_slurm.manifests.drain import drain_job
from pulumi_slurm.manifests.objects import Manifests
from pulumi_slurm.manifests.parts.part import Part
from pulumi_slurm.model import PartitionState, PodSpec
from pulumi_slurm.model.one_of import OneOf


class DrainJobPart(Part):
    """A check before partitions or node sets go."""

    pod: PodSpec = PodSpec()
    """Placement and metadata of the pod."""
    partitions: dict[str, OneOf[PartitionState]] = {}
    """The states of all partitions by name."""
    node_sets: list[str] = []
    """The names of all node sets, as in slurm.conf."""

    assume_no_jobs: bool = False
    """Succeed even if slurmctld doesn't say whether there are jobs."""

    def manifests(self) -> Manifests:
        """Return the Job, and the ConfigMap with what was there the last time."""
        return drain_job(self.cluster, self.pod, self.partitions, self.node_sets, assume_no_jobs=self.assume_no_jobs)
