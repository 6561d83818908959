"""All that is read of a cluster, and its partitions by their nodes, GPUs and jobs."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from pulumi_slurm.model import SlurmSpec
from pulumi_slurm_cli.kubectl import Kubectl
from pulumi_slurm_cli.proof.node_states import Kind
from pulumi_slurm_cli.proof.place import Place
from pulumi_slurm_cli.status.pods import DaemonPod, daemon_pods
from pulumi_slurm_cli.status.reading import Reading, StatusNode, reading_in
from pulumi_slurm_cli.status.reasons import KEPT

_USER = "nobody"
"""Whose jobs would be sent; none is."""


@dataclass(frozen=True)
class Status:
    """What is read of a cluster."""

    spec: SlurmSpec
    pods: Sequence[DaemonPod]
    reading: Reading | None
    """What Slurm says; None where there is no pod in which it can be asked."""

    def partitions(self) -> list["PartitionStatus"]:
        """Return the partitions, in Slurm's order."""
        reading = self.reading
        if reading is None or reading.partitions is None:
            return []
        return [
            PartitionStatus(
                name,
                state,
                tuple(node for node in reading.nodes if name in node.partitions),
                sum(jobs.count for jobs in reading.waiting if name in jobs.partitions),
            )
            for name, state in reading.partitions.items()
        ]


@dataclass(frozen=True)
class PartitionStatus:
    """A partition."""

    name: str
    state: str
    """Such as "up", "down", "drain" and "inact"."""
    nodes: tuple[StatusNode, ...]
    waiting: int
    """How many jobs wait for it, or for it among others."""

    @property
    def kinds(self) -> Mapping[Kind, int]:
        """How many nodes are what."""
        return Counter(node.kind for node in self.nodes)

    @property
    def gpus(self) -> "Gpus":
        """Its GPUs."""
        return Gpus.of(self.nodes)


@dataclass(frozen=True)
class Gpus:
    """GPUs of some nodes."""

    total: int
    allocated: int
    unusable: int
    """Those without a job, on nodes that take none."""

    @classmethod
    def of(cls, nodes: Iterable[StatusNode]) -> "Gpus":
        """Count those of some nodes."""
        total = allocated = unusable = 0
        for node in nodes:
            # Of a node that came back with fewer GPUs, Slurm may have more in use than there are.
            used = min(node.allocated_gpus, node.gpus)
            total, allocated = total + node.gpus, allocated + used
            unusable += node.gpus - used if node.kind in {*KEPT, Kind.AWAY} else 0
        return cls(total, allocated, unusable)

    @property
    def free(self) -> int:
        """Those that jobs can get at once."""
        return self.total - self.allocated - self.unusable


def status_of(spec: SlurmSpec, kubectl: Kubectl) -> Status:
    """Look at a cluster.

    Raises:
        KubectlError: if its pods can't be listed, or nothing can be run in one.
    """
    pods = daemon_pods(spec, kubectl)
    # Both have the clients and a key by which slurmctld hides nothing from their own user. A login pod knows names.
    ready = [pod for daemon in ("login", "slurmctld") for pod in pods if pod.daemon == daemon and pod.is_ready]
    if not ready:
        return Status(spec, pods, None)
    place = Place(kubectl, spec.namespace, ready[0].name, ready[0].daemon, _USER)
    return Status(spec, pods, reading_in(place, with_database=spec.accounting is not None))
