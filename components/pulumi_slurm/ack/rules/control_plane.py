"""The control plane: what its edition and version have, and what ack-slurm-operator needs of it.

Sources: the provider's description of alicloud_cs_managed_kubernetes; Alibaba Cloud's guide for containerised Slurm.
"""

from collections.abc import Iterator

from pulumi_slurm.ack.model.control_plane import AckEdition, Cni
from pulumi_slurm.ack.model.slurm_operator import AckOperator
from pulumi_slurm.ack.model.versions import is_before
from pulumi_slurm.ack.plan.ack_plan import AckPlan
from pulumi_slurm.errors import FieldError

OPERATOR_FLOOR = "1.22"
"""The first version of Kubernetes with which ack-slurm-operator works."""

_OTHER_CNI = {Cni.TERWAY: ("flannel",), Cni.FLANNEL: ("terway", "terway-eni", "terway-eniip", "terway-controlplane")}


def edition_has_it(plan: AckPlan) -> Iterator[FieldError]:
    """Refuse what a Basic cluster doesn't have."""
    key = plan.spec.control_plane.secrets_encryption_key
    if key and plan.spec.control_plane.spec is AckEdition.STANDARD:
        yield FieldError(
            ("control_plane", "secrets_encryption_key"),
            key,
            f"edition {AckEdition.STANDARD} doesn't encrypt Secrets by a key of yours",
            f"Leave it out, or write spec {AckEdition.PRO}.",
            depends_on_fields=(("control_plane", "spec"),),
        )


def version_has_one_owner(plan: AckPlan) -> Iterator[FieldError]:
    """Refuse a version beside a channel that changes it."""
    control = plan.spec.control_plane
    if control.version and control.upgrade_channel:
        yield FieldError(
            ("control_plane", "version"),
            control.version,
            f"channel {control.upgrade_channel} upgrades the cluster by itself, and each `pulumi up` would then ask "
            "for this version again",
            "Leave it out, or leave upgradeChannel out.",
            depends_on_fields=(("control_plane", "upgrade_channel"),),
        )


def runtime_has_its_own_options(plan: AckPlan) -> Iterator[FieldError]:
    """Refuse options of ack-slurm-operator where it doesn't run."""
    options = plan.spec.slurm
    if plan.spec.slurm_operator is not AckOperator.ACK_SLURM_OPERATOR and options != type(options)():
        yield FieldError(
            ("slurm",),
            options,
            f'slurmOperator "{plan.spec.slurm_operator}" has no ack-slurm-operator, so nothing would read this',
            f'Leave it out, or write slurmOperator "{AckOperator.ACK_SLURM_OPERATOR}".',
            depends_on_fields=(("slurm_operator",),),
        )


def addons_fit(plan: AckPlan) -> Iterator[FieldError]:
    """Refuse the component of another network plugin."""
    for index, addon in enumerate(plan.spec.control_plane.addons):
        if addon.name in _OTHER_CNI[plan.spec.control_plane.cni] and not addon.disabled:
            other = Cni.FLANNEL if plan.spec.control_plane.cni is Cni.TERWAY else Cni.TERWAY
            yield FieldError(
                ("control_plane", "addons", index, "name"),
                addon.name,
                f"the network plugin of the cluster is {plan.spec.control_plane.cni}, and there can be one",
                f'Leave it out, or write cni "{other}".',
                depends_on_fields=(("control_plane", "cni"),),
            )


def operator_knows_the_version(plan: AckPlan) -> Iterator[FieldError]:
    """Refuse a version that is too old for ack-slurm-operator. `check_ack_slurm` says what its copilot needs."""
    version = plan.spec.control_plane.version
    if plan.spec.slurm_operator is AckOperator.ACK_SLURM_OPERATOR and version and is_before(version, OPERATOR_FLOOR):
        yield FieldError(
            ("control_plane", "version"),
            version,
            f"ack-slurm-operator needs Kubernetes {OPERATOR_FLOOR}",
            f"Write a version of {OPERATOR_FLOOR} or later.",
            depends_on_fields=(("slurm_operator",),),
        )
