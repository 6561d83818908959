"""NetworkPolicies on GKE."""

from collections.abc import Iterator

from pulumi_slurm.errors import FieldError
from pulumi_slurm.gke.model.slurm_operator import GkeOperator
from pulumi_slurm.gke.plan.gke_plan import GkePlan
from pulumi_slurm.model.slurm import SlurmSpec
from pulumi_slurm.rules.run import Rule


def network_policies_let_the_operator_in(plan: GkePlan, slurm: SlurmSpec) -> Iterator[FieldError]:
    """Refuse policies with Google's own slurm-operator, which they would keep from slurmrestd.

    It runs in the control plane, and nothing says from where it connects: see
    https://cloud.google.com/kubernetes-engine/docs/add-on/slurm-on-gke/how-to/enable-slurm-operator-addon. Without
    slurmrestd it sees no jobs, and would remove workers under them.
    """
    if plan.spec.slurm_operator is GkeOperator.GKE_ADDON and slurm.network_policies.are_made:
        yield FieldError(
            ("network_policies",),
            FieldError.ABSENT,
            "slurmrestd would let the operator of slurmOperator gke-addon in no more, which runs in the control plane",
            "Leave it out, and make policies of your own for the other daemons.",
        )


RULES_WITH_SLURM: tuple[Rule, ...] = (network_policies_let_the_operator_in,)
