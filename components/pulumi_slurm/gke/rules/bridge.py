"""The bridge, through which Slurm schedules pods, on GKE."""

from collections.abc import Iterator

from pulumi_slurm.clouds.rules.bridge import kubernetes_runs_the_bridge
from pulumi_slurm.errors import FieldError
from pulumi_slurm.gke.model.versions import is_before
from pulumi_slurm.gke.plan.gke_plan import GkePlan
from pulumi_slurm.model.slurm import SlurmSpec
from pulumi_slurm.rules.run import Rule


def version_runs_the_bridge(plan: GkePlan, slurm: SlurmSpec) -> Iterator[FieldError]:
    """Refuse a bridge in a cluster whose configured version of Kubernetes is too old for it."""
    yield from kubernetes_runs_the_bridge(slurm, plan.spec.control_plane.version, is_before, "gke.controlPlane.version")


RULES_WITH_SLURM: tuple[Rule, ...] = (version_runs_the_bridge,)
