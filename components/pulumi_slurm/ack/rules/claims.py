"""Claims of a Slurm cluster on ACK: their StorageClass, and who can mount its volumes."""

from collections.abc import Iterator

from pulumi_slurm.ack.plan.ack_plan import AckPlan
from pulumi_slurm.derived.claims import all_claims
from pulumi_slurm.errors import FieldError
from pulumi_slurm.model.slurm import SlurmSpec
from pulumi_slurm.rules.alibaba_disks import claims_of_disks_for_many
from pulumi_slurm.rules.run import Rule, warns


@warns
def claims_have_a_class(plan: AckPlan, slurm: SlurmSpec) -> Iterator[FieldError]:
    """Warn of claims without a StorageClass, since an ACK cluster begins without a default one.

    Source: https://help.aliyun.com/zh/ack/ack-managed-and-ack-dedicated/user-guide/disk-volume-overview-3.
    """
    for at, claim in all_claims(slurm):
        is_elsewhere = plan.spec.database is not None and at[0] == "accounting"
        if claim.storage_class is None and not is_elsewhere:
            yield FieldError(
                (*at, "storage_class"),
                FieldError.ABSENT,
                "in an ACK cluster no StorageClass is the default until somebody makes it so, and without one the pod "
                "waits for its volume",
                f'Write "{plan.spec.disk_class.name}", the class of ack.diskClass, or another one.',
                depends_on_fields=(("ack", "disk_class"),),
            )


def disks_are_of_one_node(plan: AckPlan, slurm: SlurmSpec) -> Iterator[FieldError]:
    """Refuse claims of disks that several nodes are to write to, such as the state of several controllers."""
    yield from claims_of_disks_for_many(slurm, plan.spec.disk_class.name)


RULES_WITH_SLURM: tuple[Rule, ...] = (
    claims_have_a_class,
    disks_are_of_one_node,
)
