"""Rules on several slurmctlds, of which one is active.

Source: api/v1beta1/controller_types.go and internal/webhook/controller_webhook.go of
https://github.com/SlinkyProject/slurm-operator at commit f2ed3fc53252.
"""

from collections.abc import Iterator

from pulumi_slurm.errors import FieldError
from pulumi_slurm.model.slurm import SlurmSpec
from pulumi_slurm.rules.run import Rule, warns


def backups_share_the_state(spec: SlurmSpec) -> Iterator[FieldError]:
    """Refuse backups of slurmctld without a volume that all of them can mount, and of a slurmctld outside."""
    ha, state = spec.controller.ha, spec.controller.state
    if ha is None:
        return
    if spec.controller.external:
        yield FieldError(
            ("controller", "ha"),
            ha,
            "slurmctld runs outside the cluster, so the operator starts no backups of it",
            "Leave it out; backups are in the slurm.conf of the outside cluster.",
        )
    elif not state.enabled or state.existing_claim is None:
        yield FieldError(
            ("controller", "state", "existing_claim"),
            FieldError.ABSENT if state.existing_claim is None else state.existing_claim,
            "backups read the state of the slurmctld that they replace, so all of them mount one volume",
            "Write the name of a PersistentVolumeClaim with access mode ReadWriteMany, and leave "
            "controller.state.enabled out.",
            depends_on_fields=(("controller", "state", "enabled"),),
        )


@warns
def slurmrestd_survives_what_ends_slurmctld(spec: SlurmSpec) -> Iterator[FieldError]:
    """Warn of backups of slurmctld beside a single slurmrestd.

    The operator learns from slurmrestd which slurmctld is active, and clients reach it by a Service that selects that
    one: syncHAStatus in internal/controller/controller/controller_sync_status.go, at the commit above.
    """
    if spec.controller.ha and not spec.controller.external and spec.rest_api.replicas < 2:
        yield FieldError(
            ("rest_api", "replicas"),
            spec.rest_api.replicas,
            "the operator learns from slurmrestd which slurmctld is active, and clients find none until then: a node "
            "that takes both along leaves a backup that nobody reaches",
            "Write 2 or more, and run two replicas of the operator too.",
            depends_on_fields=(("controller", "ha"),),
        )


RULES: tuple[Rule, ...] = (backups_share_the_state, slurmrestd_survives_what_ends_slurmctld)
