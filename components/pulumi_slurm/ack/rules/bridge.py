"""The bridge, through which Slurm schedules pods, on ACK."""

from collections.abc import Iterator

from pulumi_slurm.ack.model.versions import is_before
from pulumi_slurm.ack.plan.ack_plan import AckPlan
from pulumi_slurm.clouds.rules.bridge import kubernetes_runs_the_bridge
from pulumi_slurm.errors import FieldError
from pulumi_slurm.model.slurm import SlurmSpec
from pulumi_slurm.rules.run import Rule


def version_runs_the_bridge(plan: AckPlan, slurm: SlurmSpec) -> Iterator[FieldError]:
    """Refuse a bridge in a cluster whose configured version of Kubernetes is too old for it."""
    field = "the cluster's version" if plan.spec.existing_cluster else "ack.controlPlane.version"
    yield from kubernetes_runs_the_bridge(slurm, plan.spec.control_plane.version, is_before, field)


RULES_WITH_SLURM: tuple[Rule, ...] = (version_runs_the_bridge,)
