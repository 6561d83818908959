"""Storage of the ACK specification."""

from collections.abc import Iterator

from pulumi_slurm.ack.model import AckOperator
from pulumi_slurm.ack.plan.ack_plan import AckPlan
from pulumi_slurm.ack_slurm.rules import mounts
from pulumi_slurm.clouds.rules import services as cloud_services
from pulumi_slurm.errors import FieldError
from pulumi_slurm.rules.run import Rule


def storage_names_and_paths_are_unique(plan: AckPlan) -> Iterator[FieldError]:
    """Refuse storage with the same name or mount path."""
    return cloud_services.storage_names_and_paths_are_unique(plan.spec.storage)


def mount_targets_are_in_the_region(plan: AckPlan) -> Iterator[FieldError]:
    """Refuse a mount target of another region, because a NAS can only be reached from its own VPC."""
    for index, storage in enumerate(plan.spec.storage):
        existing = storage.nas.existing
        if existing and f".{plan.spec.region}." not in existing:
            yield FieldError(
                ("storage", index, "nas", "existing"),
                existing,
                f"this mount target is not in {plan.spec.region}, and nodes can't reach others",
                f"Write one that ends in .{plan.spec.region}.nas.aliyuncs.com.",
                depends_on_fields=(("region",),),
            )


def storage_is_apart_from_slurms_own(plan: AckPlan) -> Iterator[FieldError]:
    """Refuse storage in a folder of the pods of ack-slurm-operator, or over it."""
    if plan.spec.slurm_operator is not AckOperator.ACK_SLURM_OPERATOR:
        return
    for index, storage in enumerate(plan.spec.storage):
        if folder := plan.spec.slurm.own_folder(storage.mount_path):
            yield FieldError(
                ("storage", index, "mount_path"),
                storage.mount_path,
                mounts.problem(folder),
                mounts.FIX,
                depends_on_fields=(("slurm_operator",), ("slurm",)),
            )


RULES: tuple[Rule, ...] = (
    storage_names_and_paths_are_unique,
    storage_is_apart_from_slurms_own,
    mount_targets_are_in_the_region,
)
